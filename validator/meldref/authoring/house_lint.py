"""House rules that have no effect, forbid everything, or do not fit the scoring."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice
from typing import Final

from meldref.authoring.house_worlds import always, outcome
from meldref.conditions.types import END, Sort, Term
from meldref.core.cards import cards_text, each
from meldref.core.diagnostics import Finding, Severity
from meldref.core.effort import ALL_THE_WORK, EFFORT, Allowance
from meldref.core.records import changed
from meldref.engine.judge import Judge
from meldref.rulefiles.layers import Layer
from meldref.rules.bound import bound, checked, contexts_of
from meldref.rules.settlement import compares_totals
from meldref.ruleset.model import HouseRule, Ruleset
from meldref.simulate.greedy import GreedyPlayer
from meldref.simulate.hand import HandRun
from meldref.simulate.rng import Dice

_MAY_STOP: Final = frozenset(("draw", "take", "discard", END))
"""What has to be possible for a hand to go on."""
HANDS: Final = 6
"""How many hands are played to see whether the game can be played."""


def find_in_house_rules(layer: Layer, ruleset: Ruleset) -> Iterator[Finding]:
    """Warnings about a file's house rules in the ruleset it makes, within the limit on work."""
    house = Allowance()
    with house.spending():
        yield from list(_look(layer, ruleset))
    if house.over:
        message = f"{ALL_THE_WORK} one file: not all of them were looked at"
        yield layer.document.finding(
            "rules.sense", message, ("house_rules",), at_key=True, severity=Severity.WARNING
        )


def _look(layer: Layer, ruleset: Ruleset) -> Iterator[Finding]:
    own = [rule for rule in ruleset.house_rules if f"house_rules.{rule.name}" in layer.leaves]
    sound = True
    for rule in own:
        if EFFORT.house.over:
            return
        ways = (_never(rule, ruleset), _points(rule, ruleset), _beside(rule, ruleset))
        for message, advice in islice(chain.from_iterable(ways), 1):
            sound = False
            yield _warning(layer, rule.name, message, advice)
    if own and sound:
        yield from _unplayable(layer, own, ruleset)


def _warning(layer: Layer, name: str, message: str, advice: str) -> Finding:
    where = ("house_rules", name)
    return layer.document.finding(
        "rules.sense", message, where, at_key=True, severity=Severity.WARNING, help=(advice,)
    )


# --- one rule by itself ---------------------------------------------------------------------------


def _never(rule: HouseRule, ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """A rule about what the game does not have, or whose condition is never or always true."""
    key = f"house_rules.{rule.name}"
    wild = ruleset.melds.wild
    off = {
        "rummy": ("calls.of", ruleset.calls.of == "none"),
        "swap": ("melds.wild.swap", wild.swap == "never" or not wild.cards),
        "lay": ("layoff.onto", ruleset.layoff.onto == "nothing"),
        "challenge": ("out.challenge", ruleset.out.challenge == "none"),
        "buy": ("buys.of", ruleset.buys.of == "none"),
    }
    words = rule.forbid or rule.at
    if words and all(word in off and off[word][1] for word in words):
        switch, _ = off[words[0]]
        yield (
            f"{key} never applies, since there is no {words[0]} in this game ({switch})",
            "leave it out",
        )
        return
    if rule.to == "partner" and ruleset.partnership.sides == "none":
        yield (
            f"{key} changes no score, since nobody has a partner in this game (partnership.sides)",
            "leave it out, or write to: opponents",
        )
        return
    if rule.for_game and not compares_totals(ruleset):
        pays = f"settlement.pays is {ruleset.settlement.pays}"
        when = f"an award for the game counts only where totals are paid, and {pays}"
        advice = "write settlement.pays: difference or chips, or leave it out"
        yield f"{key} changes nothing: {when}", advice
        return
    term = bound(rule).term
    if always(term, contexts_of(rule), ruleset, answer=False):
        yield (
            f"{key} never applies: its condition cannot be true in this game",
            "look at the condition",
        )
    elif (rule.when or rule.unless) and always(term, contexts_of(rule), ruleset, answer=True):
        yield (
            f"{key} always applies: its condition is always true",
            "leave the condition out, if that is meant",
        )


def _points(rule: HouseRule, ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Points that change no score, or are not a multiple of what scores are divided by."""
    by = ruleset.scoring.divide_by
    if rule.award is None:
        return
    term = checked(rule.award, contexts_of(rule), Sort.NUMBER)
    if outcome(term) == 0:
        yield (
            f"house_rules.{rule.name} changes no score: its award is always 0",
            "write how many points it brings",
        )
        return
    rest = 0 if by == 1 or rule.for_game else _rest(term, by)
    if rest != 0:
        key = f"house_rules.{rule.name}.award"
        how = "need not be a" if rest is None else "is no"
        message = (
            f"{key} = {rule.award} {how} multiple of scoring.divide_by = {by}: the rest is lost"
        )
        yield message, f"write a multiple of {by}"


def _rest(term: Term, by: int) -> int | None:
    """What is left of a number when it is divided; None if that differs.

    Points of cards always divide.
    """
    if term.op == "constant":
        return int(term.value) % by
    if term.op == "times":
        rest = 0 if term.value % by == 0 else _rest(term.parts[0], by)
        return rest and rest * term.value % by
    if term.op in {"fact", "sum"}:
        fact = term if term.op == "fact" else term.parts[1]
        return 0 if fact.op == "fact" and fact.value.name in {"points", "held", "score"} else None
    rests = [_rest(part, by) for part in term.parts] if term.op in {"add", "min", "max"} else [None]
    if None in rests or (term.op != "add" and len(set(rests)) > 1):
        return None
    if term.op != "add":
        return rests[0]
    signs = [-1 if sign == "-" else 1 for sign in term.value]
    return sum(sign * (rest or 0) for sign, rest in zip(signs, rests, strict=True)) % by


# --- rules beside one another ---------------------------------------------------------------------


def _beside(rule: HouseRule, ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """A ban that another one repeats, contains, or contradicts; an award for what a ban forbids."""
    when, unless = _conditions(rule)
    advice = "leave one of them out"
    words = list(rule.forbid or rule.at)
    for other in ruleset.house_rules:
        if other.name == rule.name and rule.forbid:
            yield from _contained(rule, ruleset)
            return
        common = [word for word in words if word in other.forbid]
        if not common:
            continue
        key, another = f"house_rules.{rule.name}", f"house_rules.{other.name}"
        conditions = _conditions(other)
        if not any(conditions) and common == words:
            yield f"{key} has no effect, since {another} always forbids {common[0]}", advice
        elif conditions == (when, unless) and common == list(rule.forbid):
            yield f"{key} says the same as {another}", advice
        elif common == words and _follows(rule, other, ruleset):
            yield f"{key} has no effect, since {another} forbids all of that already", advice
        elif conditions == (unless, when) and (when or unless) and rule.forbid:
            yield f"{key} and {another} together forbid every {common[0]}", advice


def _conditions(rule: HouseRule) -> tuple[list[str], list[str]]:
    """The conditions of a rule, however they are spaced."""
    return rule.when.split(), rule.unless.split()


def _contained(rule: HouseRule, ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """A ban on nothing but what a later one forbids."""
    place = ruleset.house_rules.index(rule)
    for other in ruleset.house_rules[place + 1 :]:
        same = _conditions(rule) == _conditions(other)
        wider = set(rule.forbid) <= set(other.forbid)
        if wider and not same and _follows(rule, other, ruleset):
            key, another = f"house_rules.{rule.name}", f"house_rules.{other.name}"
            advice = "leave it out, unless its sentence is wanted there"
            yield f"{key} forbids only what {another} forbids as well", advice


def _follows(rule: HouseRule, other: HouseRule, ruleset: Ruleset) -> bool:
    """Whether another rule applies wherever a rule does."""
    if not _facts(rule) & _facts(other):
        return False
    allowed = Term("not", Sort.YES_NO, (bound(other).term,))
    both = Term("and", Sort.YES_NO, (bound(rule).term, allowed))
    return always(both, contexts_of(rule), ruleset, answer=False)


def _facts(rule: HouseRule) -> set[str]:
    return {*re.findall(r"[a-z_]+\.[a-z_]+|(?<=\()[a-z]+(?=\))", rule.when + rule.unless)}


def _unplayable(layer: Layer, own: list[HouseRule], ruleset: Ruleset) -> Iterator[Finding]:
    """Bans under which some hands reach positions without a legal move, with the first one."""
    bans = [rule for rule in own if not _MAY_STOP.isdisjoint(rule.forbid)]
    of_ends = [rule for rule in bans if END in rule.forbid]
    if not bans:
        return
    stuck = [_played(ruleset, seed) for seed in range(HANDS)]
    positions = [position for position in stuck if position]
    if len(positions) == HANDS:
        message = (
            f"the game cannot be played: in each of {HANDS} hands, nothing legal was left to do"
        )
        yield _warning(layer, bans[0].name, message, f"such a position: {positions[0]}")
    elif positions and of_ends:
        message = (
            f"house_rules.{of_ends[0].name} can leave a player stuck: in {len(positions)} of "
            f"{HANDS} hands, nothing legal was left to do"
        )
        yield _warning(layer, of_ends[0].name, message, f"such a position: {positions[0]}")


def _played(ruleset: Ruleset, seed: int) -> str:
    """A hand played greedily: the position in which nothing legal was left, or an empty text."""
    players = max(2, ruleset.players.min)
    judge = Judge(changed(ruleset, draw=changed(ruleset.draw, dead_end="forbidden")), players)
    names = tuple("ABCDEFGHIJKLMNOPQRST"[:players])
    run = HandRun(
        judge, names, [GreedyPlayer(judge, seat) for seat in range(players)], tuple(range(players))
    )
    run.hand.number, run.hand.totals = 1, (0,) * players
    if run.play(0, Dice(seed, "deal"), lambda: Dice(seed, "shuffle")):
        return ""
    position = run.position
    seat = position.turn.seat
    hand, pile = cards_text(each(position.hands[seat])), cards_text(position.pile)
    return f"{names[seat]} holds {hand}, on the pile {pile}"
