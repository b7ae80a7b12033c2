"""House rules that have no effect, leave nothing to do, or do not fit the scoring.

Only what is sure is said: what settings switch off, what is written so, and what was played.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Final

from meldref.conditions.supposed import facts_against, never_holds
from meldref.conditions.types import END, Sort, Term
from meldref.core.allowance import Allowance
from meldref.core.cards import cards_text, each
from meldref.core.diagnostics import Finding, Severity
from meldref.core.effort import ALL_THE_WORK, EFFORT
from meldref.core.events import Take
from meldref.core.records import changed
from meldref.core.text import in_words
from meldref.engine.judge import Judge
from meldref.moves.can_finish import may_end
from meldref.moves.exhaustive import draws
from meldref.moves.legal_actions import legal_plays
from meldref.position.model import Position
from meldref.position.turn import NOT_DRAWN
from meldref.rulefiles.layers import Layer
from meldref.rules.bound import bound, checked, contexts_of
from meldref.rules.settlement import compares_totals
from meldref.ruleset.model import HouseRule, Ruleset
from meldref_authoring.ruled_out import ruled_out
from meldref_table.simulate.greedy import GreedyPlayer
from meldref_table.simulate.hand import NO_END, NO_LEGAL_MOVE, HandRun
from meldref_table.simulate.rng import Dice

_MAY_STOP: Final = frozenset(("draw", "take", "discard", END))
"""What has to be possible for a hand to go on."""
HANDS: Final = 6
"""How many hands are played to see whether something legal is always left,"""
TURNS: Final = 100
"""after how many turns a hand is taken for one without end,"""
ENDLESS: Final = 3
"""and how many such hands are enough."""


def find_in_house_rules(layer: Layer, ruleset: Ruleset) -> Iterator[Finding]:
    """Warnings about a file's house rules in the ruleset it makes, within the limit on work."""
    house = Allowance()
    with EFFORT.spending(house):
        yield from list(_look(layer, ruleset))
    if house.over:
        message = f"{ALL_THE_WORK} one file: not all of them were looked at"
        yield layer.document.finding(
            "rules.sense",
            message,
            ("house_rules",),
            at_key=True,
            severity=Severity.WARNING,
            help=("the rules can be used; `meldref simulate --rules FILE` plays by them",),
        )


def _look(layer: Layer, ruleset: Ruleset) -> Iterator[Finding]:
    own = [rule for rule in ruleset.house_rules if f"house_rules.{rule.name}" in layer.leaves]
    for rule in own:
        if EFFORT.house.over:
            return
        ways = (_never(rule, ruleset), _points(rule, ruleset), _beside(rule, ruleset))
        for message, advice in islice(chain.from_iterable(ways), 1):
            yield _warning(layer, rule.name, message, advice)
    yield from _without_moves(layer, own, ruleset)


def _warning(layer: Layer, name: str, message: str, advice: str) -> Finding:
    where = ("house_rules", name)
    return layer.document.finding(
        "rules.sense", message, where, at_key=True, severity=Severity.WARNING, help=(advice,)
    )


# --- one rule by itself ---------------------------------------------------------------------------


def _never(rule: HouseRule, ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """A rule about what cannot be, by itself or in this game."""
    key = f"house_rules.{rule.name}"
    without = list(ruled_out(ruleset))
    never_done = {one.action: one.why for one in without}
    words = rule.forbid or rule.at
    if words and all(word in never_done for word in words):
        yield f"{key} never applies, since {never_done[words[0]]}", "leave it out"
    term = bound(rule).term
    if never_holds(term):
        whatever = "".join([f", whatever {name} is" for name in facts_against(term)[:1]])
        yield (
            f"{key} never applies: its condition never holds{whatever}",
            "see what the condition should say, or leave the rule out",
        )
    for one in without:
        if never_holds(term, one.facts):
            yield f"{key} never applies, since {one.why}", "leave it out"
    if rule.to == "partner" and ruleset.partnership.sides == "none":
        yield (
            f"{key} changes no score, since nobody has a partner in this game (partnership.sides)",
            "leave it out, or write to: opponents",
        )
    if rule.for_game and not compares_totals(ruleset):
        pays = f"settlement.pays is {ruleset.settlement.pays}"
        when = f"an award for the game counts only where totals are paid, and {pays}"
        advice = "write settlement.pays: difference or chips, or leave it out"
        yield f"{key} changes nothing: {when}", advice


def _points(rule: HouseRule, ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Points that change no score, or are not a multiple of what scores are divided by."""
    by = ruleset.scoring.divide_by
    if rule.award is None:
        return
    term = checked(rule.award, contexts_of(rule), Sort.NUMBER)
    if _is_nothing(term):
        yield (
            f"house_rules.{rule.name} changes no score: its award is always 0",
            "write how many points it brings",
        )
        return
    if by == 1 or rule.for_game:
        return
    rest = _rest(term, by)
    if rest != 0:
        key = f"house_rules.{rule.name}.award"
        how = "need not be a" if rest is None else "is no"
        divided = f"scoring.divide_by = {by}"
        message = f"{key} = {rule.award} {how} multiple of {divided}: a rest of a score is lost"
        yield message, f"write a multiple of {by}"


def _is_nothing(term: Term) -> bool:
    """Whether an award is written so that it is 0, whatever happens."""
    if term.op == "times":
        return term.value == 0 or _is_nothing(term.parts[0])
    return term.op == "constant" and term.value == 0


def _rest(term: Term, by: int) -> int | None:
    """What is left of a number when it is divided; None if that differs.

    Points of cards always divide.
    """
    if term.op == "constant":
        return int(term.value) % by
    if term.op == "times":
        if term.value % by == 0:
            return 0
        times = _rest(term.parts[0], by)
        return None if times is None else times * term.value % by
    if term.op in {"fact", "sum"}:
        fact = term if term.op == "fact" else term.parts[1]
        divides = fact.op == "fact" and fact.value.name in {"points", "held", "score"}
        return 0 if divides else None
    if term.op not in {"add", "min", "max"}:
        return None
    rests: list[int] = []
    for part in term.parts:
        rest = _rest(part, by)
        if rest is None:
            return None
        rests.append(rest)
    if term.op != "add":  # one of the parts, whichever it is
        return rests[0] if len(set(rests)) == 1 else None
    signs = [-1 if sign == "-" else 1 for sign in term.value]
    return sum(sign * rest for sign, rest in zip(signs, rests, strict=True)) % by


# --- rules beside one another ---------------------------------------------------------------------


def _beside(rule: HouseRule, ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """A ban that repeats one before it, or is about what that one always forbids."""
    advice = "leave one of them out"
    words = list(rule.forbid or rule.at)
    for other in ruleset.house_rules[: ruleset.house_rules.index(rule)]:
        if not words or not set(words) <= set(other.forbid):
            continue
        key, another = f"house_rules.{rule.name}", f"house_rules.{other.name}"
        if not any(_conditions(other)):
            yield f"{key} has no effect, since {another} always forbids {words[0]}", advice
        elif rule.forbid and _conditions(other) == _conditions(rule):
            yield f"{key} says the same as {another}", advice


def _conditions(rule: HouseRule) -> tuple[list[str], list[str]]:
    """The conditions of a rule, however they are spaced."""
    return rule.when.split(), rule.unless.split()


# --- rules that leave nothing to do ---------------------------------------------------------------


def _without_moves(layer: Layer, own: list[HouseRule], ruleset: Ruleset) -> Iterator[Finding]:
    """Bans that left nothing legal in hands that were played, with the first such position.

    That they did is shown by judging: without them, something is legal there. Of bans that are
    not on ends, it is said only if it happened in every hand.
    """
    bans = [rule for rule in own if not _MAY_STOP.isdisjoint(rule.forbid)]
    if not bans:
        return
    positions: list[Position] = []
    without_end = 0
    for seed in range(HANDS):
        run = _played(ruleset, seed)
        if run.lines[-1] == NO_LEGAL_MOVE:
            positions.append(run.position)
        without_end += run.lines[-1] == NO_END
        if without_end == ENDLESS and not positions and not EFFORT.house.over:
            yield from _without_end(layer, bans, ruleset, range(seed + 1))
            return
    always_stuck = len(positions) == HANDS
    if not positions or not (always_stuck or any(END in rule.forbid for rule in bans)):
        return
    position = positions[0]
    at_fault = _at_fault(ruleset, bans, position)
    if at_fault:
        names = in_words([f"house_rules.{rule.name}" for rule in at_fault])
        message = (
            f"{names} can leave a player stuck: in {len(positions)} of {HANDS} hands, nothing "
            "legal was left to do"
        )
        advice = f"such a position: {_shown(position)}"
        yield _warning(layer, at_fault[-1].name, message, advice)


def _at_fault(ruleset: Ruleset, bans: list[HouseRule], stuck: Position) -> list[HouseRule]:
    """The bans without any one of which something is legal; else those that go together only."""
    alone = [rule for rule in bans if _goes_on(ruleset, [rule], stuck)]
    if alone or not _goes_on(ruleset, bans, stuck):
        return alone
    together = bans
    for rule in bans:
        others = [other for other in together if other is not rule]
        if _goes_on(ruleset, others, stuck):
            together = others
    return together


def _without_end(
    layer: Layer, bans: list[HouseRule], ruleset: Ruleset, seeds: Sequence[int]
) -> Iterator[Finding]:
    """Bans with which hands had no end, where all of them end without."""
    others = tuple([rule for rule in ruleset.house_rules if rule not in bans])
    free = changed(ruleset, house_rules=others)
    if any(_played(free, seed).lines[-1] == NO_END for seed in seeds):
        return
    names = in_words([f"house_rules.{rule.name}" for rule in bans])
    message = f"{names} can keep hands from ending: {ENDLESS} of {len(seeds)} were not over after "
    message += f"{TURNS} turns, and all are without"
    advice = "see that the cards of each hand are enough for what has to be laid"
    yield _warning(layer, bans[-1].name, message, advice)


def _played(ruleset: Ruleset, seed: int) -> HandRun:
    """A hand, played greedily for some turns."""
    number = max(2, ruleset.players.min)
    judge = Judge(ruleset, number)
    names = tuple("ABCDEFGHIJKLMNOPQRST"[:number])
    players = [GreedyPlayer(judge, seat) for seat in range(number)]
    run = HandRun(judge, names, players, tuple(range(number)))
    run.most_turns = TURNS
    run.hand.number, run.hand.totals = 1, (0,) * number
    run.play(0, Dice(seed, "deal"), lambda: Dice(seed, "shuffle"))
    return run


def _goes_on(ruleset: Ruleset, bans: list[HouseRule], stuck: Position) -> bool:
    """Whether something is legal in a position without some bans."""
    left = tuple(rule for rule in ruleset.house_rules if rule not in bans)
    position = stuck.copy()
    judge = Judge(changed(ruleset, house_rules=left), len(position.players)).for_hand(1)
    no_draw = position.turn.opening and judge.ruleset.deal.first_turn == "no_draw"
    if position.turn.source is not NOT_DRAWN or no_draw:
        return bool(legal_plays(judge, position))
    return any(
        type(draw) is not Take or may_end(judge, position, draw) for draw in draws(judge, position)
    )


def _shown(position: Position) -> str:
    seat = position.turn.seat
    hand = cards_text(each(position.hands[seat]))
    pile = cards_text(position.pile) or "nothing"
    return f"{position.players[seat]} holds {hand}, on the pile {pile}"
