"""A house rule that forbids what a setting can forbid gives the same verdicts, wherever a play is supposed.

Codes and messages differ; what is legal, what is listed, and where a log goes wrong do not.
"""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from meldref.answers.legal import judge_move
from meldref.answers.listing import legal_moves
from meldref.core.cards import Card, card_text, counted, played_text
from meldref.core.diagnostics import Severity, Span
from meldref.core.records import changed
from meldref.engine.judge import judge_for
from meldref.notation.reader import read_lines
from meldref.positions.build import Built, build_position
from meldref.replay.log import Overrides, Replay
from meldref.rulefiles.shelf import RulesetCache
from meldref.ruleset.model import HouseRule, Ruleset
from meldref_table.best_plays import legal_turns
from meldref_table.simulate import LogSource, Seats, log_lines, play_hands
from simulated import ruleset


class Pair(NamedTuple):
    """Under the rules of a game: a setting, and the house rule that says the same, if it is told apart so."""

    setting: str
    forbid: str
    when: str
    game: str = "500-rummy"
    options: tuple[str, ...] = ()
    base: tuple[str, ...] = ()


POSITIONS = 2 * int(os.environ.get("MELDREF_POSITIONS", "1"))
"""How many positions are looked at for each pair."""
FLOATING = ("floating", "unplayable-last-discard")
JOKERS = ("deck.jokers=4",)
PAIRS = {
    "lay-offs before melding": Pair(
        "layoff.before_melding=forbidden", "lay", "not player.has_melded"
    ),
    "the same of floaters": Pair(
        "layoff.before_melding=forbidden", "lay", "not player.has_melded", options=FLOATING
    ),
    "lay-offs on own melds": Pair("layoff.onto=own", "lay", "meld.owner is not player"),
    "the same of floaters and last discards": Pair(
        "layoff.onto=own", "lay", "meld.owner is not player", options=FLOATING
    ),
    "the same with exchanges": Pair(
        "layoff.onto=own",
        "lay",
        "meld.owner is not player",
        base=(*JOKERS, "melds.wild.swap=for_natural"),
    ),
    "lay-offs on melds of the side": Pair(
        "layoff.onto=own_side", "lay", "meld.owner is opponent", game="partnership-500-rum"
    ),
    "no lay-offs": Pair("layoff.onto=nothing", "lay", ""),
    "no lay-offs by floaters": Pair("layoff.onto=nothing", "lay", "", options=FLOATING),
    "sequences of four": Pair(
        "melds.kinds.sequence.size=4-13", "meld", "meld.kind is sequence and meld.size < 4"
    ),
    "groups of three": Pair(
        "melds.kinds.group.size=3", "meld lay", "meld.kind is group and meld.size > 3"
    ),
    "sequences of four at most": Pair(
        "melds.kinds.sequence.size=3-4",
        "meld lay",
        "meld.kind is sequence and meld.size > 4",
        options=FLOATING,
    ),
    "two naturals": Pair("melds.wild.naturals=2", "meld", "meld.naturals < 2", base=JOKERS),
    "no wild cards": Pair("melds.wild.cards=[]", "meld lay", "meld.wilds > 0", base=JOKERS),
    "no wild cards of floaters": Pair(
        "melds.wild.cards=[]", "meld lay", "meld.wilds > 0", options=FLOATING, base=JOKERS
    ),
    "points of the first meld": Pair(
        "melds.first_points=20", "meld", "not player.has_melded and meld.points < 20"
    ),
    "points of the first turn": Pair(
        "melds.first_points=30",
        "end",
        "player.has_melded and not player.had_melded and sum(turn.melds, .points) < 30",
        base=("melds.first_points_of=turn",),
    ),
    "a contract": Pair(
        "melds.contract=[group, sequence]",
        "end",
        "player.has_melded and not player.had_melded"
        " and (count(turn.melds, .kind is group) < 1 or count(turn.melds, .kind is sequence) < 1)",
    ),
    "no exchanges": Pair(
        "melds.wild.swap=never", "swap", "", base=(*JOKERS, "melds.wild.swap=for_natural")
    ),
    "the top card": Pair("draw.depth=top", "take", "count(cards) > 1"),
    "new melds for taken cards": Pair(
        "draw.use=[meld]",
        "lay",
        "any(cards, .was_taken) and not turn.is_call",
        base=("draw.takes=that_card", "draw.top.must=be_used"),
    ),
    "the top card stays in hand": Pair(
        "discard.taken_top=forbidden",
        "discard",
        "card.was_taken and count(turn.taken) is 1",
        base=("discard.taken_top=allowed",),
    ),
    "no calls": Pair("calls.of=none", "rummy", ""),
    "no purchases": Pair("buys.of=none", "buy", "", game="contract-rummy"),
    "a card is kept for the discard": Pair(
        "out.melding_all=forbidden", "meld lay", "count(cards) is player.cards"
    ),
    "unplayable last discards": Pair(
        "out.last_discard=unplayable",
        "discard",
        "player.cards is 1 and card.fits",
        options=("floating",),
    ),
    "cards of floaters": Pair(
        "floating.playable=must_be_used",
        "discard",
        "player.cards is 1 and player.floats and card.fits",
        options=("floating",),
    ),
    "floaters draw from the stock": Pair(
        "floating.draws=[stock]", "take", "player.floats", options=("floating",)
    ),
}


def both(pair: Pair) -> tuple[Ruleset, Ruleset, Ruleset]:
    """The rules without the restriction, with the setting, and with the house rule."""
    free = ruleset(pair.game, pair.options, pair.base)
    key = pair.setting.partition("=")[0]
    settings = [one for one in pair.base if one.partition("=")[0] != key]
    by_setting = ruleset(pair.game, pair.options, (*settings, pair.setting))
    ban = HouseRule("it", "It is not done.", forbid=tuple(pair.forbid.split()), when=pair.when)
    return free, by_setting, changed(free, house_rules=(*free.house_rules, ban))


def texts(cards: list[Card]) -> str:
    return " ".join(map(card_text, cards))


def a_position(rng: Random, rules: Ruleset) -> dict[str, Any]:
    """A few cards that are near each other: in hand, in the pile, and in melds of several players."""
    names = "ABCD"[: max(2, rules.players.min)]
    judge = judge_for(rules, len(names))
    deck = [card for card, copies in enumerate(judge.copies) for _ in range(copies)]
    suits, low = rng.sample(range(4), 2), rng.randrange(8)
    near = [
        card for card in deck if card > 51 or (card // 13 in suits and low <= card % 13 < low + 6)
    ]
    near += [
        card for card in deck if card < 52 and card % 13 == low + 2 and card // 13 not in suits
    ]
    rng.shuffle(near)
    table = {}
    for number in range(rng.randrange(3)):
        melds = list(islice(judge.book().melds_in(counted(near[:12])), 40))
        if melds:
            meld = rng.choice([some for some in melds if len(some) < 5] or melds)
            table[f"m{number + 1}"] = {rng.choice(names): " ".join(map(played_text, meld))}
            for played in meld:
                near.remove(played.card)
    floats = rules.out.melding_all == "floats" and rng.random() < 0.3
    size = 0 if floats else rng.randint(1, 5)
    above = near[-1]
    return {
        "players": list(names),
        "hands": dict.fromkeys(names, "?*3") | {"A": texts(near[:size])},
        "floating": ["A"] if floats else [],
        "table": table,
        "pile": texts(near[size:-1][: rng.randint(1, 4)]),
        "stock": f"{card_text(above)} ?*8" if rng.random() < 0.5 else 9,
    }


def with_less_seen(rng: Random, given: dict[str, Any]) -> dict[str, Any]:
    """A position in which nobody saw some cards of the hand."""
    cards = [card if rng.random() < 0.6 else "?" for card in given["hands"]["A"].split()]
    return given | {"hands": given["hands"] | {"A": " ".join(cards)}}


def built(given: dict[str, Any], rules: Ruleset) -> Built | None:
    return build_position(given, rules, lambda path: Span(1))[0]


def listed(position: Built) -> tuple[list[str], set[tuple[str, str, int]]]:
    """What may be done, and the whole turns: how they begin and end, and what they bring.

    Where there are house rules, more of those are listed that come to the same.
    """
    moves = sorted(f"{one.move} {one.points}" for one in legal_moves(position))
    turns, search = legal_turns(position)
    assert search.complete
    return moves, {
        (turn.move.split("; ")[0], turn.move.split("; ")[-1], turn.points) for turn in turns
    }


@pytest.mark.parametrize("name", PAIRS)
def test_a_house_rule_lists_and_judges_moves_as_the_setting_does(name):
    rng, pair = Random(name), PAIRS[name]
    free, by_setting, by_ban = both(pair)
    looked = 0
    for _ in range(10 * POSITIONS):
        if looked == POSITIONS:
            break
        given = a_position(rng, free)
        without, one, other = (built(given, rules) for rules in (free, by_setting, by_ban))
        if without is None or one is None or other is None:
            continue
        looked += 1
        assert listed(one) == listed(other), given
        moves = [one.move for one in (*legal_turns(without)[0], *legal_moves(without))]
        unseen = with_less_seen(rng, given)
        masked = [built(unseen, rules) for rules in (by_setting, by_ban)]
        for move in rng.sample(moves, min(len(moves), 30)):
            for position, like in ((one, other), masked):
                if position is not None and like is not None:
                    verdicts = [judge_move(some, move).verdict for some in (position, like)]
                    assert verdicts[0] == verdicts[1], (given, unseen, move)
    assert looked == POSITIONS


class Shelf(RulesetCache):
    """One ruleset, whatever a log names."""

    def __init__(self, rules: Ruleset) -> None:
        super().__init__()
        self.rules = rules

    def load(self, *_):
        return self.rules, ()


def first_wrong(text: str, rules: Ruleset, beside: Path) -> dict[int, int]:
    """The first line with a violation in each hand of a log."""
    run = Replay("game.rgn", Overrides(rules.id, (), (), beside, trust_paths=True), Shelf(rules))
    run.feed(list(read_lines(text)))
    hands = [number for number, line in enumerate(text.splitlines(), 1) if line.startswith("hand ")]
    first: dict[int, int] = {}
    for line in sorted(
        one.span.line for one in run.finish().findings if one.severity is Severity.ERROR
    ):
        first.setdefault(max([hand for hand in hands if hand < line]), line)
    return first


@pytest.mark.parametrize("name", PAIRS)
def test_a_house_rule_finds_what_the_setting_finds_first_in_each_hand(name, tmp_path):
    free, by_setting, by_ban = both(PAIRS[name])
    seats = Seats.of(["random"] * max(2, free.players.min))
    played = list(play_hands(free, seats, name, 3))
    text = "".join(log_lines(played, LogSource(free.id, (), (), name), seats))
    assert first_wrong(text, by_setting, tmp_path) == first_wrong(text, by_ban, tmp_path)
