"""House rules that have no effect, forbid everything, or do not fit the scoring."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, islice
from typing import Any, Final

from meldref.conditions.assume import NOWHERE, UNKNOWN_FACT, assuming
from meldref.conditions.bind import bind
from meldref.conditions.check import Checked, check
from meldref.conditions.types import END, MOST, NOTHING, OPEN, SUITS, Sort, Term, Truth
from meldref.core.cards import JOKER, RANKS, cards_text, each
from meldref.core.diagnostics import Finding, Severity
from meldref.core.records import changed
from meldref.engine.judge import Judge
from meldref.rulefiles.layers import Layer
from meldref.rules.forbidding import contexts_of
from meldref.ruleset.model import HouseRule, Ruleset
from meldref.simulate.greedy import GreedyPlayer
from meldref.simulate.hand import HandRun
from meldref.simulate.rng import Dice

HANDS: Final = 6
"""How many hands are played to see whether the game can be played."""


def find_in_house_rules(layer: Layer, ruleset: Ruleset) -> Iterator[Finding]:
    """Warnings about the house rules of a file, in the ruleset that it makes."""
    own = [rule for rule in ruleset.house_rules if f"house_rules.{rule.name}" in layer.leaves]
    sound = True
    for rule in own:
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


# --- one rule by itself ----------------------------------------------------------------------------------------


def _never(rule: HouseRule, ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """A rule about something that the game does not have, or whose condition is never, or always, true."""
    key = f"house_rules.{rule.name}"
    off = {
        "rummy": ("calls.of", ruleset.calls.of == "none"),
        "swap": ("melds.wild.swap", ruleset.melds.wild.swap == "never" or not ruleset.melds.wild.cards),
        "lay": ("layoff.onto", ruleset.layoff.onto == "nothing"),
        "challenge": ("out.challenge", ruleset.out.challenge == "none"),
        "buy": ("buys.of", getattr(getattr(ruleset, "buys", None), "of", "none") == "none"),
    }
    words = rule.forbid or rule.at
    idle = [word for word in words if off.get(word, ("", False))[1]]
    if idle and len(idle) == len(words):
        switch = off[idle[0]][0]
        yield f"{key} never applies, since there is no {idle[0]} in this game ({switch})", "leave it out"
        return
    truth = _ever(rule, ruleset)
    if truth is False:
        yield f"{key} never applies: its condition cannot be true in this game", "look at the condition"
    elif truth is True and (rule.when or rule.unless):
        yield f"{key} always applies: its condition is always true", "leave the condition out, if that is meant"


def _ever(rule: HouseRule, ruleset: Ruleset) -> bool | None:
    """Whether a condition is true in every position, in none (False), or in some (None)."""
    text = rule.when or rule.unless
    if not text:
        return True
    checked = check(text, contexts_of(rule))
    assert isinstance(checked, Checked)
    jokers = (JOKER,) if ruleset.deck.jokers else ()
    found = set()
    for card in (*range(JOKER), *jokers):
        ask: Callable[[Any], Truth] = bind(assuming(checked.term, partial(_known, card=card, ruleset=ruleset)))
        found.add(ask(None))
    if len(found) > 1 or None in found:
        return None
    return found.pop() is bool(rule.when)


def _known(term: Term, card: int, ruleset: Ruleset) -> Any:
    """What is known of a fact in any position, for an action's card."""
    name = term.value.name
    if term.subject == "card":
        printed = {
            "rank": NOTHING if card == JOKER else RANKS[card % 13],
            "suit": NOTHING if card == JOKER else SUITS[card // 13],
            "is_joker": card == JOKER,
        }
        if name in printed:
            return printed[name]
    if term.subject == "partner" and ruleset.partnership.sides == "none":
        return False if term.sort is Sort.YES_NO else NOTHING
    return _bounds(term, name, ruleset) if term.sort is Sort.NUMBER else UNKNOWN_FACT


def _bounds(term: Term, name: str, ruleset: Ruleset) -> Any:
    """The bounds of a number in any position."""
    if term.subject == "out" or name in {"points", "held", "total", "score"}:
        return OPEN
    if name in {"wilds", "wilds_together"} and not ruleset.melds.wild.cards:
        return 0
    if term.subject == "meld" and name == "size" and ruleset.melds.kinds:
        return min(kind.min_size for kind in ruleset.melds.kinds), max(k.max_size for k in ruleset.melds.kinds)
    return (1, MOST) if term.subject == "hand" else (0, MOST)


def _points(rule: HouseRule, ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Points that change no score, or are not a multiple of what scores are divided by."""
    by = ruleset.scoring.divide_by
    if rule.award is None:
        return
    checked = check(rule.award, contexts_of(rule), Sort.NUMBER)
    assert isinstance(checked, Checked)
    if bind(assuming(checked.term, lambda _: UNKNOWN_FACT))(NOWHERE) == 0:
        yield f"house_rules.{rule.name} changes no score: its award is always 0", "write how many points it brings"
    elif by > 1 and rule.award.lstrip("-").isdecimal() and int(rule.award) % by:
        key = f"house_rules.{rule.name}.award"
        message = f"{key} = {rule.award} is no multiple of scoring.divide_by = {by}: the rest is lost"
        yield message, f"write a multiple of {by}"


# --- rules beside one another ----------------------------------------------------------------------------------


def _beside(rule: HouseRule, ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """A ban that another one repeats, makes pointless, or contradicts."""
    when, unless = rule.when.split(), rule.unless.split()
    advice = "leave one of them out"
    for other in ruleset.house_rules:
        if other.name == rule.name:
            return
        common = [word for word in rule.forbid if word in other.forbid]
        if not common:
            continue
        one, another = f"house_rules.{rule.name}", f"house_rules.{other.name}"
        conditions = other.when.split(), other.unless.split()
        if not any(conditions) and common == [*rule.forbid]:
            yield f"{one} has no effect, since {another} always forbids {common[0]}", advice
        elif conditions == (when, unless) and common == [*rule.forbid]:
            yield f"{one} says the same as {another}", advice
        elif conditions == (unless, when) and (when or unless):
            yield f"{one} and {another} contradict each other: no {common[0]} is left", advice


def _unplayable(layer: Layer, own: list[HouseRule], ruleset: Ruleset) -> Iterator[Finding]:
    """Bans under which hands come to positions without any legal move, with the first of these."""
    bans = [rule for rule in own if rule.forbid]
    if not bans or not any(word in rule.forbid for rule in bans for word in ("draw", "take", "discard", END)):
        return
    stuck = [_played(ruleset, seed) for seed in range(HANDS)]
    if all(stuck):
        message = f"the game cannot be played: in each of {HANDS} hands, nothing legal was left to do"
        yield _warning(layer, bans[0].name, message, f"such a position: {stuck[0]}")


def _played(ruleset: Ruleset, seed: int) -> str:
    """A hand played greedily: the position in which nothing legal was left, or an empty text."""
    players = max(2, ruleset.players.min)
    judge = Judge(changed(ruleset, draw=changed(ruleset.draw, dead_end="forbidden")), players)
    names = tuple("ABCDEFGHIJKLMNOPQRST"[:players])
    run = HandRun(judge, names, [GreedyPlayer(judge, seat) for seat in range(players)], tuple(range(players)))
    run.hand.number, run.hand.totals = 1, (0,) * players
    if run.play(0, Dice(seed, "deal"), lambda: Dice(seed, "shuffle")):
        return ""
    position = run.position
    seat = position.turn.seat
    return f"{names[seat]} holds {cards_text(each(position.hands[seat]))}, on the pile {cards_text(position.pile)}"
