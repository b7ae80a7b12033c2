"""Simulated games: legal throughout, the same from the same seed, and complete."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import subprocess
import sys
from functools import partial

import pytest

from listed import ends
from meldref.core.cards import count, each
from meldref.core.events import Call, Cut, Deal, Draw, Pass, Take, Turn, Void
from meldref.engine.judge import Judge
from meldref.moves import calls as callers
from meldref.moves import exhaustive as moves
from meldref.moves.legal_actions import legal_plays
from meldref.notation.jsonlines import event_data, json_lines
from meldref.notation.reader import read_lines
from meldref.notation.writer import write_action
from meldref.rulefiles.load import load_ruleset
from meldref.rules.stock import reshuffles, top_goes_first
from meldref_table.simulate import LogSource, Seats, cannot_play, games, log_events, play_hands
from meldref_table.simulate import hand as hand_module
from meldref_table.simulate.games import KINDS
from meldref_table.simulate.greedy import GreedyPlayer
from meldref_table.simulate.hand import HandRun
from meldref_table.simulate.players import RandomPlayer
from meldref_table.simulate.quick_moves.calling import Callers
from meldref_table.simulate.quick_moves.choices import Choices
from meldref_table.simulate.quick_moves.draws import DRAW, Draws
from meldref_table.simulate.rng import Dice
from property.test_options import sensible
from simulated import findings, hands_of, log_of, ruleset

TABLES = {
    "500-rummy": 3,
    "500-rum": 2,
    "partnership-500-rum": 4,
    "persian-rummy": 4,
    "gilfoy-500-rummy": 4,
    "online-rummy-500": 2,
}
OPTIONS = [
    ("500-rummy", ("floating", "unplayable-last-discard"), (), 3),
    ("500-rummy", ("floating", "claimable-last-discard"), (), 3),
    ("500-rummy", ("meld-taken-card", "new-meld-for-taken-card"), (), 2),
    ("500-rummy", ("call-last-discard-only",), (), 4),
    ("500-rummy", ("discard-to-go-out", "reshuffle-stock"), (), 3),
    ("500-rummy", ("chosen-wild-rank",), (), 3),
    ("500-rummy", ("quick-game", "four-aces-100"), (), 2),
    ("500-rummy", ("ring-game",), (), 5),
    ("500-rummy", ("multi-table",), (), 7),
    ("500-rummy", ("no-jokers", "sequences-of-four", "keep-taken-card"), (), 8),
    ("500-rum", ("add-opponents-hand", "go-out-to-win"), (), 3),
    ("gilfoy-500-rummy", ("two-packs", "tied-players-only"), (), 6),
    ("500-rummy", (), ("melds.wild.swap=for_natural", "melds.wild.swapped=laid_this_turn"), 3),
    ("500-rummy", (), ("stock.reshuffle=turn_over", "stock.ends_at=2", "draw.depth=top"), 2),
    (
        "500-rummy",
        (),
        ("stock.reshuffle=turn_over", "stock.turned=whole_pile", "draw.depth=top", "calls.of=none"),
        2,
    ),
    ("500-rummy", (), ("melds.first_points=30", "layoff.before_melding=forbidden"), 3),
    (
        "500-rummy",
        (),
        ("calls.until=any_time", "calls.takes=called_cards", "calls.discard=none"),
        3,
    ),
    ("500-rummy", (), ("calls.until=next_discard", "calls.of=last_discard_or_set"), 4),
    (
        "500-rummy",
        (),
        ("draw.takes=that_card", "draw.deep.when=this_turn", "discard.taken_deep=top_only"),
        3,
    ),
    ("500-rummy", (), ("melds.wild.twins=forbidden", "melds.wild.suit_in_group=stated"), 3),
    (
        "500-rummy",
        (),
        ("draw.dead_end=allowed", "deal.first_turn=no_draw", "deal.first_dealer=highest"),
        2,
    ),
    (
        "500-rummy",
        (),
        ("players.direction=counterclockwise", "players.first=dealer", "deal.up_card=none"),
        3,
    ),
    ("500-rummy", (), ("players.direction=alternates", "out.last_turns=one"), 4),
    (
        "500-rummy",
        (),
        ("melds.wild.swap=for_natural", "melds.wild.swapped=to_end", "deck.jokers=4"),
        3,
    ),
    ("online-rummy-500", (), ("melds.wild.swap=at_end", "melds.wild.swapped=to_end"), 2),
    ("500-rummy", (), ("buys.of=last_discard", "buys.must=be_used", "calls.of=none"), 3),
    ("contract-rummy", (), ("buys.must=be_used",), 3),
    ("500-rummy", (), ("melds.wild.cards=[joker, 2]", "melds.wild.colour=same"), 3),
    ("500-rummy", (), ("draw.count=2",), 3),
    ("500-rummy", (), ("draw.count=2", "draw.mixed=forbidden", "draw.top.must=be_used"), 2),
    ("partnership-500-rum", (), ("layoff.onto=own_side", "calls.by=opponents"), 4),
]

WIDER = [
    ("contract-rummy", ()),
    ("shanghai-rummy", ()),
    ("kalooki-40", ()),
    ("5000-rummy", ()),
    ("three-thirteen", ("deal.cards=4", "melds.wild.cards=[9, T, J]")),
    (
        "three-thirteen",
        (
            "deal.cards=5",
            "melds.wild.cards=[7, 8]",
            "layoff.onto=any",
            "out.melding_all=ends_hand",
        ),
    ),
]
"""Games with contracts, and with turns that end only with an empty hand, and settings."""

DICE = [14, 22, 39, 45, 8, 36, 20, 23, 19, 3, 25, 7]
SHUFFLED = [1, 6, 7, 4, 0, 3, 5, 9, 2, 8]
"""What seeds give on every machine: logs that were made from a seed can be made again."""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", TABLES)
def test_an_audit_finds_nothing_in_games_of_any_ruleset(name, kind):
    text, hands = log_of(name, (), (), [kind] * TABLES[name], hands=8)
    assert findings(text) == ([], [])
    assert all(hand.reason in {"out", "stock"} for hand in hands)


@pytest.mark.parametrize(("name", "options", "settings", "players"), OPTIONS, ids=str)
@pytest.mark.sweep(every=4)
def test_an_audit_finds_nothing_in_games_with_options_and_settings(
    name, options, settings, players
):
    kinds = ["random", "greedy"] * players
    text, _ = log_of(name, options, settings, kinds[:players], seed=3, hands=5)
    assert findings(text) == ([], [])


def test_whole_games_end_with_a_winner_and_what_is_paid():
    text, hands = log_of("persian-rummy", (), (), ["greedy"] * 4, games=3)
    assert findings(text) == ([], [])
    assert [hand.game for hand in hands if hand.winners] == [1, 2, 3]
    assert text.count("\nresult ") == text.count("\nchips ") == 3


def test_so_many_hands_are_played_as_are_asked_for():
    hands, _ = hands_of(
        ruleset("500-rummy", (), ("game.target=150",)), ["greedy", "greedy"], 5, hands=17
    )
    assert len(hands) == 17
    assert hands[-1].game > 1
    assert next(hand.hand for hand in hands if hand.game == 2) == 1


# --- the same from the same seed ------------------------------------------------------------------


def test_dice_fall_as_they_always_did():
    dice = Dice(7, "deal", 3)
    assert [dice.below(52) for _ in range(12)] == DICE
    cards = list(range(10))
    Dice("shuffle").shuffle(cards)
    assert cards == SHUFFLED


def test_every_number_below_the_end_comes_up():
    dice = Dice(1)
    assert {dice.below(5) for _ in range(200)} == set(range(5))
    assert {dice.below(1) for _ in range(5)} == {0}


def test_the_same_seed_gives_the_same_log_and_another_one_another():
    first, _ = log_of("500-rummy", (), (), ["random", "greedy"], seed=11, hands=4)
    again, _ = log_of("500-rummy", (), (), ["random", "greedy"], seed=11, hands=4)
    other, _ = log_of("500-rummy", (), (), ["random", "greedy"], seed=12, hands=4)
    assert first == again != other


@pytest.mark.sweep
def test_the_log_does_not_hang_on_how_python_hashes():
    script = (
        "import sys; from meldref_cli.main import main; "
        "sys.exit(main(['simulate', '--seats', 'random,greedy,random', '--hands', '3', '--seed', '4']))"
    )
    digests = set()
    for hashing in ("0", "1"):
        environment = {**os.environ, "PYTHONHASHSEED": hashing}
        run = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, check=True, env=environment
        )
        digests.add(hashlib.sha256(run.stdout).hexdigest())
    assert len(digests) == 1


def test_hands_of_one_number_are_dealt_alike_whatever_is_played():
    short, _ = hands_of(ruleset("500-rummy", (), ("game.target=50",)), ["greedy"] * 3, 2, hands=6)
    long, _ = hands_of(ruleset("500-rummy"), ["random"] * 3, 2, hands=6)
    for one, other in zip(short, long, strict=True):
        assert _dealt(one) == _dealt(other)


def _dealt(hand):
    return sorted(line.cards for line in hand.lines if isinstance(line, Deal))


# --- what is done is legal ------------------------------------------------------------------------


class Watched(RandomPlayer):
    """Plays at random, and lets a test look at each decision."""

    def __init__(self, dice, look):
        super().__init__(dice)
        self._look = look

    def choose(self, due):
        if due.kind in {"draw", "play"}:
            self._look(due.choices, due.options, before_draw=due.kind == "draw")
        return super().choose(due)


def watch(rules, players, look, hands=2, *, ends=True):
    """Plays hands at which a test looks on; `ends`: none of them gets stuck."""
    judge = Judge(rules, players)
    for seed in range(hands):
        seats = [Watched(Dice(seed, seat), look) for seat in range(players)]
        run = HandRun(judge, Seats.of(["random"] * players).names, seats, tuple(range(players)))
        assert run.play(0, Dice(seed, "deal"), partial(Dice, seed, "reshuffle")) or not ends


def look_at_every(step, most):
    """A look that lays the list of legal actions, kept up and made at once, beside asking about everything."""
    looked = 0

    def look(choices, options, *, before_draw):
        nonlocal looked
        position, judge = choices.position, choices.judge
        looked += 1
        if looked % step or len(position.pile) + position.held[position.turn.seat] > most:
            return
        if before_draw:
            legal = [*moves.draws(judge, position)]
            goes_first = top_goes_first(judge.ruleset.stock) and position.stock_size == 0
            if goes_first and reshuffles(judge.binding)(position):
                legal.append(DRAW)  # behind a `reshuffle` line, which is no action
        else:
            legal = [*moves.plays(judge, position)]
        legal += [] if before_draw else moves.discards(judge, position)
        ending = [
            one for one in legal if isinstance(one, Draw | Pass) or _ends(judge, position, one)
        ]
        wanted = sorted(map(write_action, ending))
        anew = Choices(judge, position.copy())
        for listed in (options, anew.draws() if before_draw else anew.plays()):
            assert sorted(write_action(one) for one in listed if one is not None) == wanted
        if not before_draw and judge.ruleset.draw.dead_end == "forbidden":
            assert list(map(write_action, legal_plays(judge, position))) == list(
                map(write_action, ending)
            )

    return look


def _ends(judge, position, action):
    after = position.copy()
    judge.play.actions[type(action)](after, action)
    return ends(judge, position, after)


@pytest.mark.parametrize(
    ("name", "options", "settings", "players"),
    [*((name, (), (), players) for name, players in TABLES.items()), *OPTIONS],
    ids=str,
)
@pytest.mark.sweep(every=3)
def test_the_list_of_legal_actions_is_what_asking_about_everything_finds(
    name, options, settings, players
):
    watch(ruleset(name, options, settings), players, look_at_every(7, 20))


@pytest.mark.parametrize(("name", "settings"), WIDER, ids=str)
@pytest.mark.sweep(every=2)
def test_the_list_is_that_also_before_a_contract_and_where_whole_hands_are_laid(name, settings):
    watch(ruleset(name, (), settings), 3, look_at_every(11, 22), hands=1, ends=False)


@pytest.mark.parametrize("number", range(12 * int(os.environ.get("MELDREF_POSITIONS", "1"))))
@pytest.mark.sweep(every=4)
def test_under_any_rules_the_list_is_what_asking_about_everything_finds(number):
    found = (sensible(f"list {number}.{attempt}", 5) for attempt in itertools.count())
    rules, players, _ = next(one for one in found if one is not None)
    watch(rules, players, look_at_every(5, 20), ends=False)


@pytest.mark.parametrize(
    ("name", "options", "settings", "players"),
    [(name, (), (), players) for name, players in TABLES.items()]
    + [one for one in OPTIONS if one[2]],
    ids=str,
)
@pytest.mark.sweep(every=3)
def test_who_may_call_on_a_card_is_told_alike_by_the_list_of_calls(
    name, options, settings, players, monkeypatch
):
    def look(choices, options, *, before_draw):
        pass

    def worth_asking(self):
        calls = listed(self)
        position = self.position
        if position.begins and position.turn.call is None and len(position.pile) < 12:
            windows.append(calls)
            said = {(one.seat, one.actions[0].cards) for one in callers.calls(self.judge, position)}
            asked = {
                (seat, call.cards) for seat in position.order for call in self.allowed(seat, calls)
            }
            assert {one for one in asked if len(one[1]) == 1} == {
                one for one in said if len(one[1]) == 1
            }
        return calls

    windows = []
    listed = Callers.worth_asking
    monkeypatch.setattr(Callers, "worth_asking", worth_asking)
    watch(ruleset(name, options, settings), players, look, hands=2)
    assert windows


@pytest.mark.parametrize(("name", "options", "settings", "players"), OPTIONS[::4], ids=str)
def test_cards_are_neither_lost_nor_made(name, options, settings, players):
    def look(choices, options, *, before_draw):
        position = choices.position
        table = sum(len(meld.cards) for meld in position.melds)
        assert sum(position.held) + len(position.pile) + position.stock_size + table == sum(
            position.copies
        )
        assert position.seen == position.located()
        assert all(
            count(position.seen, card) <= copies for card, copies in enumerate(position.copies)
        )
        assert position.held == [len(list(each(hand))) for hand in position.hands]

    watch(ruleset(name, options, settings), players, look, hands=1)


def test_somebody_calls_and_what_was_done_is_counted():
    hands, _ = hands_of(ruleset(), ["random"] * 3, 6, hands=20)
    for hand in hands:
        done = [action for line in hand.lines if isinstance(line, Turn) for action in line.actions]
        assert sum(isinstance(one, Take) for one in done) == sum(hand.tally.takes)
        assert sum(isinstance(one, Draw) for one in done) == sum(hand.tally.draws)
        assert sum(isinstance(one, Call) for one in done) == sum(hand.tally.called)
    assert sum(sum(hand.tally.called) for hand in hands) > 0


def test_hands_and_games_without_an_end_in_sight_are_left(monkeypatch):
    monkeypatch.setattr(hand_module, "MOST_TURNS", 6)
    monkeypatch.setattr(games, "MOST_HANDS", 3)
    text, hands = log_of("500-rummy", (), (), ["random", "random"], games=2)
    assert findings(text)[0] == []
    assert [hand.game for hand in hands] == [1, 1, 1, 2, 2, 2]
    assert {hand.reason for hand in hands} == {"void"}
    assert all(isinstance(hand.lines[-1], Void) for hand in hands)


def test_a_hand_in_which_nobody_can_move_is_annulled(monkeypatch):
    monkeypatch.setattr(Draws, "all", lambda self: [])
    text, hands = log_of("500-rummy", (), (), ["greedy", "greedy"], hands=2)
    assert findings(text)[0] == []
    assert [hand.lines[-1] for hand in hands] == [Void("no legal move")] * 2


def test_a_hand_is_over_when_nobody_can_draw():
    settings = ("players.max=2", "deal.cards=25")
    text, hands = log_of("gilfoy-500-rummy", (), settings, ["random"] * 2, hands=40)
    assert findings(text) == ([], [])
    ends = [hand.lines[-3:] for hand in hands if hand.reason == "stock"]
    assert any(
        not any(type(line) is Turn and Pass() in line.actions for line in lines) for lines in ends
    )


def test_who_is_tied_plays_on_alone():
    flat = (
        "scoring.values={A-K: 10}",
        "scoring.low_ace=10",
        "scoring.divide_by=10",
        "scoring.hands=ignore",
    )
    settings = (*flat, "game.ends=after_hands", "game.hands=1", "game.tie.who=tied")
    text, hands = log_of("500-rum", (), settings, ["random"] * 4, seed=2, games=8)
    assert findings(text) == ([], [])
    fewer = [hand for hand in hands if None in hand.scores]
    assert fewer
    for hand in fewer:
        playing = sum(isinstance(line, Deal) for line in hand.lines)
        assert playing == sum(score is not None for score in hand.scores) < 4


def test_cards_are_drawn_for_the_deal_where_the_game_has_that():
    _, hands = log_of("500-rum", (), (), ["random"] * 4, hands=3)
    assert isinstance(hands[0].lines[0], Cut)
    assert not any(isinstance(line, Cut) for hand in hands[1:] for line in hand.lines)


def test_a_table_that_is_too_small_or_too_large_cannot_play():
    assert cannot_play(ruleset("persian-rummy"), 4) is None
    assert "3 players" in cannot_play(ruleset("persian-rummy"), 3)


def test_players_beyond_those_with_a_name_have_one_too():
    assert len(set(Seats.of(["random"] * 11).names)) == 11


# --- greed ----------------------------------------------------------------------------------------


class Suspicious(GreedyPlayer):
    """A greedy player whose every decision is asked of another one, who sees other hidden cards."""

    def choose(self, due):
        chosen = super().choose(due)
        if due.kind in {"draw", "play"}:
            twin, scrambled = self._twin(due.choices.position)
            assert twin.choose(due._replace(choices=Choices(self._judge, scrambled))) == chosen
        return chosen

    def _twin(self, position):
        scrambled = position.copy()
        others = [seat for seat in position.order if seat != self._seat]
        hands = [position.hands[seat] for seat in others]
        for seat, hand in zip(others, hands[1:] + hands[:1], strict=True):
            scrambled.hands[seat] = hand
        scrambled.stock.reverse()
        return GreedyPlayer(self._judge, self._seat), scrambled


@pytest.mark.parametrize("name", ["500-rummy", "online-rummy-500"])
def test_greed_sees_no_hidden_cards(name):
    rules = ruleset(name)
    players = max(rules.players.min, min(3, rules.players.max))
    judge = Judge(rules, players)
    seats = [Suspicious(judge, seat) for seat in range(players)]
    run = HandRun(judge, Seats.of(["greedy"] * players).names, seats, tuple(range(players)))
    assert run.play(0, Dice(1, "deal"), partial(Dice, 1, "reshuffle"))


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.sweep(every=3)
def test_greed_beats_chance(name):
    players = TABLES[name]
    kinds = ["greedy", "random"] * (players // 2) + ["random"] * (players % 2)
    hands, _ = hands_of(ruleset(name), kinds, 1, hands=25)
    greedy = sum(hand.scores[0] for hand in hands)
    chance = sum(hand.scores[1] for hand in hands)
    assert greedy > chance + 25 * 10


# --- what is written ------------------------------------------------------------------------------


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "options", "settings", "players"), [*OPTIONS[2:6], OPTIONS[18]], ids=str
)
def test_json_says_what_the_log_says(name, options, settings, players):
    text, hands = log_of(name, options, settings, ["random"] * players, hands=3)
    source, seats = LogSource(name, options, settings, 1), Seats.of(["random"] * players)
    said = [json.loads(line) for line in json_lines(log_events(hands, source, seats))]
    read = [
        line.event
        for line, wrong in read_lines(text.splitlines())
        if line.event is not None and not wrong
    ]
    assert said == [event_data(event) for event in read]


def test_each_game_says_how_to_play_it_again():
    text, _ = log_of(
        "500-rummy", ("floating",), ("game.target=60",), ["greedy", "random"], seed=9, games=2
    )
    assert text.count('[Options "floating"]') == text.count('[Set "game.target=60"]') == 2
    assert '[X-Seats "greedy, random"]' in text
    assert '[X-Seed "9, game 2"]' in text


def test_a_log_is_written_in_its_canonical_form(meldref, log):
    text, _ = log_of("500-rummy", ("chosen-wild-rank",), (), ["greedy", "random"], hands=2)
    assert meldref("fmt", "--check", log(text)).code == 0


def test_more_hands_than_a_machine_counts_are_played_one_by_one():
    ruleset, _ = load_ruleset("500-rummy")
    assert next(iter(play_hands(ruleset, Seats.of(["random", "random"]), 1, 10**20))).hand == 1
