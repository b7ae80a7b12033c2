"""Which lines of a hand show where each card is: it is gone through again, and watched.

A card that was seen is the same one from place to place: every line that names it shows it. Only
hands in which something cannot be are gone through so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, TypeAlias

from meldref.core.cards import UNKNOWN, Card, each
from meldref.core.events import (
    AssertHand,
    AssertPile,
    AssertTable,
    Deal,
    Line,
    Show,
    StockOrder,
    Turn,
    UpCard,
    WildRank,
)
from meldref.core.records import fresh, record
from meldref.position.model import Position
from meldref_evidence.weighing.course import Course, HandUnderWay

Where: TypeAlias = int
"""Where a card lies: the hand of a seat, or one of the places below."""
PILE: Final = -1
STOCK: Final = -2
TABLE: Final = -3
_DEALING: Final = (Deal, UpCard, StockOrder, WildRank)


@record(frozen=False)
class Sighting:
    """A card that was seen: where it lies now, and the numbers of the lines that show it."""

    card: Card
    where: Where
    lines: set[int]


@record(frozen=False)
class Sightings:
    """What the lines of a hand show: the cards, and which lines brought each seat its points."""

    cards: list[Sighting] = fresh(default_factory=list)
    points: dict[int, set[int]] = fresh(default_factory=dict)

    def at(self, where: Where, card: Card) -> list[Sighting]:
        """The copies of a card that lie in a place."""
        return [
            sighting for sighting in self.cards if sighting.where == where and sighting.card == card
        ]


def needed(
    every: AbstractSet[int], order: Iterable[int], contradicts: Callable[[AbstractSet[int]], bool]
) -> set[int]:
    """Of lines that contradict one another, as few as do; in order, each that can is left out."""
    lines = {*every}
    for number in order:
        if contradicts(lines - {number}):
            lines.remove(number)
    return lines


def sightings(begin: Course, lines: Sequence[Line]) -> Sightings:
    """What the lines of a hand show, from its beginning to its end; `begin` is left as it is."""
    playing, shown = begin.fork(), Sightings()
    before: dict[Where, list[Card]] = {}
    points: list[int] = []
    for line in lines:
        if not before and playing.hand is not None and type(line.event) not in _DEALING:
            dealt = playing.hand.as_dealt()
            before, points = dict(_places(dealt)), [*dealt.points]
            _move(shown, {}, before, line.number)
            _seen_at_the_deal(shown, playing.hand)
        playing.play(line)
        hand = playing.hand
        position = None if hand is None else hand.position
        if hand is None or position is None:
            continue
        after = dict(_places(position))
        moved = _move(shown, before, after, line.number)
        for sighting in _named(shown, moved, line, playing.seats):
            sighting.lines.add(line.number)
        for seat, brought in enumerate(position.points):
            if brought != points[seat]:
                shown.points.setdefault(seat, set()).add(line.number)
        before, points = after, [*position.points]
    return shown


def _places(position: Position) -> Iterator[tuple[Where, list[Card]]]:
    """The cards in each place that are known."""
    for seat, hand in enumerate(position.hands):
        yield seat, list(each(hand))
    yield PILE, [card for card in position.pile if card != UNKNOWN]
    yield STOCK, [card for card in position.stock if card != UNKNOWN]
    laid: list[Card] = []
    for meld in position.melds:
        laid += [card.card for card in meld.cards]
    yield TABLE, laid


def _move(
    shown: Sightings,
    before: dict[Where, list[Card]],
    after: dict[Where, list[Card]],
    number: int,
) -> list[Sighting]:
    """Moves the cards that lie elsewhere after a line; those new with it are seen from then on.

    A card that nobody can tell from others any more, as in a stock made new, is let go.
    """
    gone: dict[Card, list[Sighting]] = {}
    came: list[tuple[Card, Where]] = []
    for where, cards in after.items():
        were = list(before.get(where, ()))
        for card in cards:
            if card in were:
                were.remove(card)
            else:
                came.append((card, where))
        for card in were:
            left = shown.at(where, card)[-1]
            # Only this one goes, not one that is alike.
            shown.cards = [sighting for sighting in shown.cards if sighting is not left]
            gone.setdefault(card, []).append(left)
    moved = []
    for card, where in came:
        sighting = gone[card].pop() if gone.get(card) else Sighting(card, where, {number})
        sighting.where = where
        shown.cards.append(sighting)
        moved.append(sighting)
    return moved


def _seen_at_the_deal(shown: Sightings, hand: HandUnderWay) -> None:
    """What lies anywhere when the cards are dealt was shown by the lines of the deal."""
    for sighting in shown.cards:
        line = None
        if sighting.where in hand.deals:
            line = hand.deals[sighting.where][0]
        elif sighting.where == PILE and hand.up is not None:
            line = hand.up[0]
        elif sighting.where == STOCK and hand.stock is not None:
            line = hand.stock[0]
        if line is not None:
            sighting.lines = {line.number}


def _named(
    shown: Sightings, moved: Sequence[Sighting], line: Line, seats: Mapping[str, int]
) -> Iterator[Sighting]:
    """The cards that a line names, of those that it moved or that lie where it says."""
    event = line.event
    if isinstance(event, Turn):
        named: set[Card] = set()
        for action in event.actions:
            named.update(_cards_of(action))
        yield from (sighting for sighting in moved if sighting.card in named)
    elif isinstance(event, (AssertHand, Show)) and event.player in seats:
        yield from _lying(shown, seats[event.player], event.cards)
    elif isinstance(event, AssertPile):
        yield from _lying(shown, PILE, event.cards)
    elif isinstance(event, AssertTable):
        yield from _lying(shown, TABLE, [played.card for played in event.cards])


def _cards_of(action: object) -> Iterable[Card]:
    cards = getattr(action, "cards", None)
    if cards is None:
        return [card] if (card := getattr(action, "card", UNKNOWN)) != UNKNOWN else ()
    return [card if isinstance(card, int) else card.card for card in cards]


def _lying(shown: Sightings, where: Where, cards: Sequence[Card]) -> Iterator[Sighting]:
    """The copies of some cards that lie in a place, as many as are named."""
    for card in set(cards):
        yield from shown.at(where, card)[: cards.count(card)]
