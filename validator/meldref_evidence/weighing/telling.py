"""How it is said what cannot be: the finding at the last line of those that cannot all be true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from meldref.core import events
from meldref.core.cards import each, size
from meldref.core.diagnostics import Finding
from meldref.core.events import Line, Turn
from meldref.core.records import changed
from meldref.core.text import in_words, many
from meldref.engine.judge import finding
from meldref.position.turn import Place
from meldref.rules.base import Violation
from meldref.ruleset.model import Ruleset
from meldref_evidence.weighing.deals import deal
from meldref_evidence.weighing.hand import Contradiction, Hand, Stake
from meldref_evidence.weighing.hindsight import Decided
from meldref_evidence.weighing.several import Impossible

_CODES: Final[Mapping[type, str]] = {
    events.Show: "hand.missing",
    events.Turn: "hand.missing",
    events.AssertHand: "log.assert",
    events.AssertPile: "log.assert",
    events.AssertTable: "log.assert",
    events.Result: "game.winner",
}
"""The code that a line would have if the rest were known, where it is no figure."""


def tell_of_hand(
    hand: Hand,
    wrong: Contradiction,
    lines: Sequence[Line],
    other_lines: AbstractSet[int] = frozenset(),
) -> Finding:
    """The finding about lines that cannot all be true, at the last of them.

    `other_lines` are those at which something else is wrong in the hand.
    """
    why = _sentence(hand, wrong.stakes)
    finding = _at_last_line(hand.judge.ruleset, wrong.lines, why, lines)
    if not other_lines:
        return finding
    noun = "line" if len(other_lines) == 1 else "lines"
    numbers = in_words([str(number) for number in sorted(other_lines)])
    note = f"the hand is weighed as it is followed after what was found on {noun} {numbers}"
    return changed(finding, notes=(note,))


def tell_of_turn(ruleset: Ruleset, wrong: Decided, lines: Sequence[Line]) -> Finding:
    """The finding about a turn that was illegal by what other lines show, at the last of them."""
    event = next(line.event for line in lines if line.number == wrong.line)
    assert isinstance(event, Turn)
    whose = f"{event.player}'s turn on line {wrong.line}"
    why = f"by what these lines show, {whose} was illegal: {wrong.because}"
    return _at_last_line(ruleset, wrong.lines, why, lines)


def tell_of_total(
    ruleset: Ruleset, wrong: Impossible, line: Line, whose: str, points: int
) -> Finding:
    """The finding about a total over several hands that no cards make."""
    limits = f"can only make it {wrong.lowest} to {wrong.highest}"
    if wrong.lowest <= points <= wrong.highest:
        limits = "cannot make it that"
    why = f"{whose} total is {points}; the cards nobody saw {limits}"
    return _at_last_line(ruleset, wrong.lines, why, [line])


def tell_of_winner(
    ruleset: Ruleset, numbers: Sequence[int], line: Line, name: str, other: str
) -> Finding:
    """The finding about a winner who is behind another side in any case."""
    why = f"{name} has not won: {other} is ahead, whatever the cards are that nobody saw"
    return _at_last_line(ruleset, numbers, why, [line])


def _at_last_line(
    ruleset: Ruleset, numbers: Sequence[int], why: str, lines: Sequence[Line]
) -> Finding:
    """The finding at the last of some lines, with the code it has if the others are true."""
    last = next(line for line in lines if line.number == numbers[-1])
    violation = Violation(_code(last), why, key="")
    place = Place(last.number, last.text)
    return changed(finding(ruleset, violation, place), turn=None, lines=tuple(numbers[:-1]))


def _code(line: Line) -> str:
    if isinstance(line.event, events.Points):
        return f"score.{'total' if line.event.kind == 'total' else 'hand'}"
    return _CODES.get(type(line.event), "log.copies")


def _sentence(hand: Hand, stakes: Sequence[Stake]) -> str:
    """Why the lines cannot all be true, in one sentence."""
    holders = [_costs(hand, stake) for stake in stakes]
    unseen = [hand.unseen(stake) for stake in stakes]
    number = sum([hands.size for hands in unseen])
    if not number:
        return f"{in_words(holders)}, and all of them were seen: they are worth something else"
    if not deal(hand.deck, hand.worth, unseen).possible:
        return _beyond_deck(hand, stakes, in_words(holders))
    pool = f"the {many(size(hand.pool), 'card')} nobody saw"
    if len(stakes) > 1:
        return f"{in_words(holders)}; {pool} cannot be dealt so"
    is_known = any(hand.position.hands[seat] for seat in stakes[0].seats)
    if number == 1:
        return f"{holders[0]}; none of {pool} {'is worth the rest' if is_known else 'does'}"
    return f"{holders[0]}; {pool} hold no {number} {'worth the rest' if is_known else 'that do'}"


def _beyond_deck(hand: Hand, stakes: Sequence[Stake], holders: str) -> str:
    """That no cards are worth what hands have to be by their figures, and what any cards are."""
    if len(stakes) > 1 or hand.seen(stakes[0]):
        return f"{holders}; no cards of the deck do that"
    (stake,) = stakes
    figures = [
        f"the {'score' if figure.before is None else 'total'} {figure.points}"
        for figure in stake.figures
    ]
    number = hand.unseen(stake).size
    worth = sorted([hand.worth[card] for card in each(hand.deck)])
    least, most = sum(worth[:number]), sum(worth[-number:])
    cards = "a card" if number == 1 else f"any {number} cards"
    text = f"by {in_words(figures)}, {holders}; {cards} of the deck "
    text += f"{_verb(hand, number)} {least:,} to {most:,}"
    return text if stake.sums.isdisjoint(range(least, most + 1)) else f"{text}, and none do that"


def _costs(hand: Hand, stake: Stake) -> str:
    """`Bob's 3 cards cost 55 points`, with what is known of them."""
    position = hand.position
    players = in_words([f"{position.players[seat]}'s" for seat in stake.seats])
    held = sum([position.held[seat] for seat in stake.seats])
    seen = hand.seen(stake)
    text = f"{players} {many(held, 'card')} {_verb(hand, held)} {_points(stake.sums)}"
    if seen and len(seen) < held:
        points = sum([hand.worth[card] for card in seen])
        text += f", {points} of them for {many(len(seen), 'card')} that lines show"
    return text


def _verb(hand: Hand, number: int) -> str:
    """What cards that somebody holds do to a score: `cost` or `count`, or `costs` of one."""
    verb = "cost" if hand.judge.ruleset.scoring.hands == "subtract" else "count"
    return f"{verb}{'s' * (number == 1)}"


def _points(sums: frozenset[int]) -> str:
    """How many points: a number, several, or none that can be."""
    if not sums:
        return "points that no cards have"
    if len(sums) == 1:
        return many(next(iter(sums)), "point")
    return f"{min(sums):,} to {max(sums):,} points"
