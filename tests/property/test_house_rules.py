"""House rules: the bound form of a condition says what a plain reading says; play is clean."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import listed
from house_conditions import Plain, Writer
from meldref.conditions.check import Checked, check
from meldref.conditions.parse import read
from meldref.conditions.supposed import never_holds
from meldref.conditions.tree import Node
from meldref.core.cards import ONE, UNKNOWN, each
from meldref.core.events import Discard, Draw, LayOff, Meld, Swap, Take
from meldref.core.records import changed
from meldref.engine.judge import Judge
from meldref.moves import exhaustive
from meldref.notation.actions import BY_KIND
from meldref.position.model import GOING_ON, UNCOUNTED
from meldref.rules import layoff
from meldref.rules.base import Violation
from meldref.rules.bound import bound
from meldref.rules.house import House
from meldref.rules.meld import extends, ways_to_extend
from meldref.ruleset.model import HouseRule
from meldref_authoring.ruled_out import ruled_out
from meldref_table.simulate import LogSource, Seats, log_lines, play_hands
from meldref_table.simulate.hand import HandRun
from meldref_table.simulate.rng import Dice
from simulated import ruleset

GAMES = ("500-rummy", "500-rum", "gilfoy-500-rummy", "online-rummy-500", "persian-rummy")


def with_rules(rules, *house_rules):
    return changed(rules, house_rules=tuple(house_rules))


def ban(text, *actions, name="it"):
    return HouseRule(name, "It is not done.", forbid=actions, when=text)


class Watching:
    """A player that does anything legal, and reads a condition in both ways before that."""

    def __init__(self, rng, compare):
        self.rng, self.compare, self.swaps, self.exchanged = rng, compare, 0, 0

    def choose(self, due):
        if due.kind in {"call", "buy"}:
            return None
        return (
            due.options[5]
            if due.kind == "wild"
            else self.on_turn(due.kind, due.choices, due.options)
        )

    def on_turn(self, kind, choices, options):
        if kind == "draw":
            self.swaps = self.exchanged = 0
        self.compare(choices.position, options, {"swaps": self.swaps, "exchanged": self.exchanged})
        chosen = self.rng.choice(options)
        if isinstance(chosen, Swap):
            cards = choices.position.melds[chosen.target - 1].cards
            self.swaps += 1
            self.exchanged += cards[
                layoff.stand_in(choices.position, chosen.target, chosen.card)
            ].points
        return chosen


def plainly(judge, house, history, position, action):
    turn = position.turn
    seat = turn.seat
    book = position.book

    def fits(card):
        fits = False
        for number, meld in enumerate(position.melds, start=1):
            if meld.shape is None or not extends(book, meld.shape, card):
                continue
            if layoff.may_build_on(judge.binding, position, seat, number) is not None:
                continue
            ways = [
                LayOff((way.laid.said,), number) for way in ways_to_extend(book, meld.shape, card)
            ]
            forbidden = [house.forbids(position, seat, way) for way in ways]
            if False in forbidden:
                return True
            fits = None if None in forbidden else fits
        return fits

    facts = {
        "fits": fits,
        "was_taken": house.view.was_taken,
        "fresh": history["melds"],
        "lay_offs": history["lay_offs"],
        "points": history["points"],
        "turns": history["turns"],
        "melding_turns": history["melding"],
        "totals": history["totals"],
        "dealer": history["dealer"],
        "hand": history["hand"],
        "swaps": history["swaps"],
        "throwers": history["throwers"],
        "threw_taken": history["threw_taken"],
        "lay_offs_by": history["lay_offs_by"],
        "lay_offs_on_own": history["own"],
    }
    return Plain(judge, position, seat, action, facts)


class History:
    """What a hand's positions show one after the other, noted with no help from the library's memory."""

    def __init__(self, players, dealer, totals, hand):
        self.now = {
            "turns": [0] * players, "melding": [0] * players, "dealer": dealer, "totals": totals, "hand": hand,
            "throwers": [], "threw_taken": [], "lay_offs_by": [0] * players, "own": [0] * players,
        }  # fmt: skip
        self.turn, self.sizes_before = None, []

    def look(self, position):
        now = self.now
        cards = [len(meld.cards) for meld in position.melds]
        self.look_at_pile(position)
        self.look_at_lay_offs(position, cards)
        if position.turn is not self.turn:
            self.turn, self.first, self.start, self.cards = (
                position.turn,
                len(cards),
                sum(position.points),
                cards,
            )
            now["turns"][position.turn.seat] += 1
            self.melded = False
        now["melds"] = list(range(self.first, len(cards)))
        now["lay_offs"] = sum(cards) - sum(self.cards) - sum(self.sizes(position))
        now["points"] = sum(position.points) - self.start
        if not self.melded and sum(cards) > sum(self.cards):
            self.melded = True
            now["melding"][position.turn.seat] += 1
        return now

    def look_at_pile(self, position):
        """Since the last look one card was thrown, some were taken from the top, or all others went away."""
        now, size = self.now, len(position.pile)
        before = now["throwers"]
        if self.turn is None:
            now["throwers"] = ["nobody"] * size
        elif size > len(before):
            now["throwers"] = [*before, self.turn.seat]
        elif position.turn is self.turn:
            now["throwers"], now["threw_taken"] = before[:size], before[size:] or now["threw_taken"]
        if position.turn is not self.turn:
            now["threw_taken"] = []
        if not position.turn.taken:
            now["throwers"] = now["throwers"][len(now["throwers"]) - size :]

    def look_at_lay_offs(self, position, cards):
        """Since the last look at most one play was made, by whoever's turn it was."""
        before = self.sizes_before
        for meld, size, was in zip(position.melds, cards, before, strict=False):
            self.now["lay_offs_by"][self.turn.seat] += size - was
            if meld.seat == self.turn.seat:
                self.now["own"][self.turn.seat] += size - was
        self.sizes_before = cards

    def sizes(self, position):
        return [self.laid.get(number, 0) for number in self.now["melds"]]


REMEMBERS = "stock.size > 999 and top.discarded_by is nobody"
"""Forbids nothing; under a ban that asks it, all that house rules may ask is remembered."""
CONTEXTS = {"draw": Draw, "take": Take, "meld": Meld, "lay": LayOff, "discard": Discard}


COUNTING = [
    ("player.cards < 5 and player.turns > 2", "discard"),
    ("player.cards in [3-4, 7, 9-10]", "lay"),
    ("player.turns > meld.size * 2 or stock.size in [17-20]", "meld"),
    ("player.turns is 3 or player.cards is 9 and 25 < stock.size", "take"),
]
"""Bans about numbers, which are compared before anything is asked."""
LAST = ban(
    "player.cards is 3 or player.cards > 7 and player.turns < 3 or stock.size in [10-12]",
    "end",
    name="last",
)


def forbids_the_end(cards, turns, stock):
    return cards == 3 or (cards > 7 and turns < 3) or stock in {10, 11, 12}


@pytest.mark.sweep
@pytest.mark.parametrize("game", GAMES)
def test_the_bound_form_of_a_condition_says_what_a_plain_reading_says(game):
    rng = random.Random(game)
    kinds = [kind.name for kind in ruleset(game).melds.kinds]
    asked = 0
    said = set()
    for round_ in range(5):
        writers = {word: Writer(rng, [word], kinds) for word in CONTEXTS}
        texts = [
            (writer.condition(), word) for word, writer in writers.items() for _ in range(6)
        ] + COUNTING
        rules = [ban(text, word, name=f"r{number}") for number, (text, word) in enumerate(texts)]
        plain_rules = with_rules(ruleset(game), ban(REMEMBERS, "draw"))
        players = max(2, plain_rules.players.min)
        judge = Judge(plain_rules, players)
        house = House(changed(judge.binding, ruleset=with_rules(plain_rules, *rules, LAST)))
        totals, hand = tuple(range(0, 20 * players, 20)), rng.randrange(1, 9)
        history = History(players, round_ % players, totals, hand)
        nodes = [read(text) for text, _ in texts]
        assert all(isinstance(node, Node) for node in nodes)
        vain = said_to_be_vain(plain_rules, house.bans.rules)

        def compare(
            position,
            options,
            swaps,
            history=history,
            rules=rules,
            nodes=nodes,
            vain=vain,
            judge=judge,
            house=house,
        ):
            nonlocal asked
            now = {**history.look(position), "swaps": swaps["swaps"]}
            now["points"] += swaps["exchanged"]
            for action in rng.sample(options, min(len(options), 3)):
                word = BY_KIND[type(action)].word if action is not None else ""
                code = None
                for said_rule, node, one in zip(rules, nodes, house.bans.rules[:-1], strict=True):
                    if word not in said_rule.forbid:
                        continue
                    house.view.look(position, action)
                    found = one.ask(house.view)
                    plain = plainly(judge, house, now, position, action)
                    assert found is plain.truth(node), (said_rule.when, action)
                    assert not (found and said_rule.name in vain), (said_rule.when, action)
                    asked += 1
                    said.add(found)
                    if found:
                        code = code or f"house.{said_rule.name}"
                held, turns = position.held[position.turn.seat], now["turns"][position.turn.seat]
                if word == "discard" and forbids_the_end(held - 1, turns, position.stock_size):
                    code = code or "house.last"
                if word in CONTEXTS and not (word in {"meld", "lay"} and held <= len(action.cards)):
                    ruling = house.bans.check(type(action))(position, action)
                    assert code == (ruling.code if isinstance(ruling, Violation) else None), action

        player = Watching(rng, compare)
        run = HandRun(judge, tuple("ABCDEFGH"[:players]), [player] * players, tuple(range(players)))
        history.laid = _Sizes(run)
        run.hand.number, run.hand.totals = hand, totals
        run.play(round_ % players, Dice(round_, "deal"), lambda: Dice(1, "shuffle"))
    assert asked > 200
    assert said == {True, False}


def said_to_be_vain(rules, bans):
    """The names of those bans of which `rules check` would say that they never apply."""
    without = [{}, *[one.facts for one in ruled_out(rules)]]
    return {ban.rule.name for ban in bans if any(never_holds(ban.term, one) for one in without)}


class _Sizes:
    """How many cards each meld had when it was laid."""

    def __init__(self, run):
        self.run, self.known = run, {}

    def get(self, number, _):
        melds = self.run.position.melds
        return self.known.setdefault(number, len(melds[number].cards))


def house_rules_at_random(rng, rules, number):
    kinds = [kind.name for kind in rules.melds.kinds]
    words = ["take", "meld", "lay", "discard", "rummy", "swap", "end"]
    found = []
    for index in range(number):
        if rng.random() < 0.3:
            at = rng.choice([(), ("take",), ("meld", "lay"), ("end",), ("discard",)])
            writer = Writer(rng, at or ["hand"], kinds)
            somebody = {("take",): "discarder", ("meld", "lay"): "owner"}.get(at, "opponents")
            found.append(
                HouseRule(
                    f"r{index}",
                    "Points.",
                    award=writer.number(2),
                    at=at,
                    to=rng.choice(["player", "partner", somebody]),
                    when=writer.condition(),
                )
            )
        else:
            some = rng.sample(words, rng.choice([1, 1, 2]))
            text = " and ".join(Writer(rng, some, kinds).condition(1) for _ in range(2))
            found.append(ban(text, *some, name=f"r{index}"))
    return with_rules(rules, *found)


def with_less_known(rng, position):
    """A copy of a position of which less is known: cards of hands and of the pile, turns, who laid what."""
    other = position.copy()
    for seat, hand in enumerate(other.hands):
        for card in list(each(hand)):
            if rng.random() < 0.2:
                other.hands[seat] -= ONE[card]
                other.unknown[seat] += 1
    if rng.random() < 0.3:
        other.pile = [UNKNOWN if rng.random() < 0.2 else card for card in other.pile]
        other.unwritten = other.unwritten._replace(pile=rng.random() >= 0.5)
    other.seen = other.located()
    if rng.random() < 0.3:
        other.memory.lose()
    if rng.random() < 0.2:
        other.stock_size += UNCOUNTED
    fresh = other.turn.deeds.melds if other.turn.deeds else ()
    for number, meld in enumerate(other.melds):
        meld.owned = number in fresh or rng.random() > 0.1
        meld.unseen = rng.random() < 0.1
    return other


ENDS = (
    "count(pile) > 9 or player.cards is 5",
    "count(pile, .rank is K or .suit is spades) in [2-3] or count(pile, .points > 5) is 3",
    "count(player.hand, .suit is hearts) > 1 or count(player.hand, .suit is clubs) is 0",
    "stock.size < 3 or stock.size is 12",
    "player.has_melded and not player.had_melded",
    "player.cards is 0 and (turn.lay_offs > 1 or turn.points < 20)",
    "all(player.hand, .points > 4) or any(pile, .rank is A)",
)
"""Conditions on ends that count what is thrown or laid."""
PLAYS = (
    "count(cards, .rank is K) is 0 and count(cards) < 4",
    "any(cards, .points > 5) and meld.size in [3-4]",
)


@pytest.mark.sweep
@pytest.mark.parametrize("game", GAMES)
def test_a_condition_about_less_known_is_open_or_says_what_it_says_of_all(game):
    rng = random.Random(f"unknown {game}")
    rules = ruleset(game)
    kinds = [kind.name for kind in rules.melds.kinds]
    written = {}
    for word in CONTEXTS:
        writer = Writer(rng, [word], kinds)
        texts = [
            f"{writer.condition()} {rng.choice(['and', 'or'])} {writer.condition(1)}"
            for _ in range(12)
        ]
        texts += PLAYS if word in {"meld", "lay"} else ()
        ends = [*(Writer(rng, ["end"], kinds).condition() for _ in range(12)), *ENDS]
        written[word] = [bound(ban(text, word)) for text in texts]
        if word in {"meld", "lay", "discard"}:
            written[word] += [bound(ban(text, "end")) for text in ends]
    judge = Judge(with_rules(rules, ban(REMEMBERS, "draw")), max(2, rules.players.min))
    house = judge.house
    answers = Counter()

    def answer(rule, position, action):
        """What a condition says; None with no answer: the action ends no turn."""
        if "end" not in rule.rule.forbid:
            house.view.look(position, action)
        else:
            over = house.bans._end(position, action)
            if over is None:
                return False
            house.view.look_at_end(*over)
        return rule.ask(house.view)

    class Looking(Watching):
        def on_turn(self, kind, choices, options):
            for action in rng.sample(options, min(len(options), 2)):
                word = BY_KIND[type(action)].word if action is not None else ""
                if word in CONTEXTS:
                    full = choices.position.copy()
                    if word in {"meld", "lay"} and rng.random() < 0.5:  # to go out with it
                        seat = full.turn.seat
                        full.hands[seat], full.held[seat] = action.counted, len(action.cards)
                    less = with_less_known(rng, full)
                    for rule in written[word]:
                        whole, part = answer(rule, full, action), answer(rule, less, action)
                        assert part is None or whole is None or part is whole, (
                            rule.rule.when,
                            action,
                        )
                        answers[whole, part] += 1
            return rng.choice(options)

    for seed in range(2):
        names, seats = (
            tuple("ABCDEFGH"[: judge.binding.players]),
            [Looking(rng, None)] * judge.binding.players,
        )
        HandRun(judge, names, seats, tuple(range(len(names)))).play(
            0, Dice(seed, "deal"), lambda: Dice(1, "shuffle")
        )
    assert answers[True, True] > 50
    assert answers[False, False] > answers[True, None] + answers[False, None] > 50


def test_who_melded_before_is_one_thing_in_all_parts_of_a_condition():
    """With nothing laid in the turn, nobody can have opened in it, known or not."""
    rules = ruleset("500-rummy")
    judge = Judge(with_rules(rules, ban(REMEMBERS, "draw")), 2)
    view = judge.house.view
    asked = []

    class Looking(Watching):
        def on_turn(self, kind, choices, options):
            if kind != "draw":
                less = choices.position.copy()
                less.unwritten = less.unwritten._replace(pile=True)
                opened = bound(ban("player.has_melded and not player.had_melded", "end"))
                melded = bound(ban("player.has_melded", "end"))
                view.look_at_end(less, less.turn, None)
                asked.append(
                    (
                        melded.ask(view),
                        opened.ask(view),
                        bool(less.turn.deeds and less.turn.deeds.melds),
                    )
                )
            return self.rng.choice(options)

    rng = random.Random(5)
    HandRun(judge, ("A", "B"), [Looking(rng, None)] * 2, (0, 1)).play(
        0, Dice(1, "deal"), lambda: Dice(1, "shuffle")
    )
    assert (None, False, False) in asked
    assert all(opened is False for _, opened, fresh in asked if not fresh)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", ["greedy", "random"])
def test_simulated_games_under_house_rules_audit_clean(game, kind, tmp_path):
    from meldref.notation.reader import read_lines  # noqa: PLC0415  as above
    from meldref.replay.log import Overrides, Replay  # noqa: PLC0415  as above
    from meldref.rulefiles.shelf import RulesetCache  # noqa: PLC0415  as above

    class Shelf(RulesetCache):
        def load(self, *_):
            return rules, ()

    rng = random.Random(f"{game} {kind}")
    for seed in range(3):
        rules = house_rules_at_random(rng, ruleset(game), 4)
        seats = Seats.of([kind] * max(2, rules.players.min))
        played = list(play_hands(rules, seats, seed, 4))
        text = "".join(log_lines(played, LogSource(rules.id, (), (), seed), seats))
        run = Replay("game.rgn", Overrides(rules.id, (), (), tmp_path, trust_paths=True), Shelf())
        run.feed(list(read_lines(text)))
        report = run.finish()
        assert report.findings == [], [rule.when for rule in rules.house_rules]
        assert report.open == []


OPENINGS = (
    "turn.drew is nothing and player.has_melded",
    "turn.drew is pile and not player.has_melded",
    "player.has_melded and not player.had_melded and turn.points < 40",
    "player.has_melded and not player.had_melded and not any(turn.melds, .kind is sequence and .wilds is 0)",
)


@pytest.mark.parametrize("text", OPENINGS)
def test_draws_and_plays_are_listed_only_where_an_opening_can_be_completed(text):
    rng = random.Random(text)
    looked = 0

    class Comparing(Watching):
        def on_turn(self, kind, choices, options):
            nonlocal looked
            if looked < 25 and rng.random() < 0.3:
                looked += 1
                slow = sorted(
                    text for text, _ in listed.turn_moves(choices.judge, choices.position)
                )
                fast = listed.choices(choices.judge, choices.position)
                assert sorted(text for text, _ in fast) == slow
            return rng.choice(options)

    rules = with_rules(ruleset("500-rum"), ban(text, "end"))
    judge = Judge(changed(rules, draw=changed(rules.draw, dead_end="forbidden")), 4)
    for seed in range(3):
        run = HandRun(judge, tuple("ABCD"), [Comparing(rng, None)] * 4, (0, 1, 2, 3))
        run.play(0, Dice(seed, "deal"), lambda: Dice(1, "shuffle"))
    assert looked == 25


def leads_to_an_end(judge, position, after):
    """Whether an end of the turn is left; None where a search ten times as long as the library's cannot tell."""
    over = exhaustive.is_over(after, position.turn)
    return over or exhaustive.finishes(judge, after, 10 * exhaustive.MOST_STATES)


@pytest.mark.sweep
@pytest.mark.parametrize("game", GAMES)
def test_both_lists_of_moves_keep_house_rules_alike_and_miss_nothing(game):
    rng = random.Random(game)
    looked = untold = 0

    class Comparing(Watching):
        def on_turn(self, kind, choices, options):
            check_lists(choices.judge, choices.position)
            return rng.choice(options)

    def check_lists(judge, position):
        nonlocal looked, untold
        if looked > 12 or rng.random() > 0.1 or position.ending is not GOING_ON:
            return
        looked += 1
        slow = dict(listed.turn_moves(judge, position))
        fast = {text for text, _ in listed.choices(judge, position)}
        assert fast <= slow.keys()
        # What the slow search cannot tell is listed by it; the quick one may know that no end
        # is left.
        ends = {leads_to_an_end(judge, position, slow[text]) for text in slow.keys() - fast}
        assert True not in ends
        untold += None in ends
        for action in exhaustive.discards(judge, position):
            assert judge.violation(position, action) is None

    for seed in range(6):
        rules = house_rules_at_random(rng, ruleset(game), 3)
        players = max(2, rules.players.min)
        judge = Judge(changed(rules, draw=changed(rules.draw, dead_end="forbidden")), players)
        names, seats = tuple("ABCDEFGH"[:players]), [Comparing(rng, None)] * players
        HandRun(judge, names, seats, tuple(range(players))).play(
            0, Dice(seed, "deal"), lambda: Dice(1, "shuffle")
        )
        if looked > 12:
            break
    assert looked > 5
    assert untold <= 2, (
        "a search of every order of plays takes minutes in a few positions, and no more"
    )


def test_a_condition_written_at_random_makes_sense():
    rng = random.Random(1)
    for word in (*CONTEXTS, "hand", "end"):
        for _ in range(60):
            text = Writer(rng, [word]).condition()
            assert isinstance(check(text, [word]), Checked), text


SEVERAL = {
    "card.rnk is A and player.trns < 3": ["card.rnk", "player.trns"],
    "card.rank is Z or card.fitz": ["Z", "card.fitz"],
    "card.rnk is A annd player.trns < 3": ["card.rnk", "annd", "player.trns"],
    "card.rank is A && player.trns < 3": ["&&", "player.trns"],
    "player.crds > player.trns + player.hold": ["player.crds", "player.trns", "player.hold"],
    "card.rank in [A, X, 2-Y]": ["X", "2-Y"],
    "ayn(player.hnd, .rank is K)": ["ayn(player.hnd, .rank is K)", "player.hnd"],
    "any(player.hand, .rnk is K and .fitz)": [".rnk", ".fitz"],
}


@pytest.mark.parametrize("text", SEVERAL)
def test_all_mistakes_of_a_condition_are_found_in_one_run_each_at_its_place(text):
    found = check(text, ["discard"])
    assert [text[one.begin : one.end] for one in found] == SEVERAL[text]
