"""Assertions: what an `=` line says, against what the replay has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from meldref.core.cards import (
    ANY_SUIT,
    JOKER,
    UNKNOWN,
    Card,
    Played,
    Role,
    cards_text,
    played_text,
    rank_of,
)
from meldref.core.events import AssertHand, Assertion, AssertPile, AssertStock, AssertTable
from meldref.melds import Laid, Reading
from meldref.position.model import OnTable, Position, TableMeld, uncounted
from meldref.position.setup import known_of
from meldref.rules.base import Violation
from meldref.rules.hand import not_known_to_be_there


def assertion(
    position: Position, seats: Mapping[str, int], event: Assertion, *, swaps: bool = False
) -> Violation | None:
    """What an `=` line says against what the replay has.

    Unknown cards of a hand that it names are known from then on, and so is how a meld lies that may
    have been extended unseen; `swaps`: wild cards may have been exchanged too.
    """
    if isinstance(event, AssertTable):
        return _table(position, event, swaps=swaps)
    if isinstance(event, AssertPile):
        if not position.pile_known or _same_row(position.pile, event.cards):
            return None
        return _differs("the pile", cards_text(event.cards), cards_text(position.pile))
    if isinstance(event, AssertStock):
        size = position.stock_size
        return None if uncounted(size) else _number("the stock", event.count, size)
    seat = seats.get(event.player)
    if seat is None:
        return Violation("log.name", f"{event.player} is not one of the players")
    if isinstance(event, AssertHand):
        return _hand(position, seat, event)
    return _number(f"{event.player}'s points", event.points, position.points[seat])


def _hand(position: Position, seat: int, event: AssertHand) -> Violation | None:
    size = event.count if event.count is not None else len(event.cards) + event.unknown
    what = f"{event.player}'s hand"
    if uncounted(position.unknown[seat]):
        if not position.hands[seat]:
            position.unknown[seat] = position.held[seat] = size
        return None
    wrong = _number(what, size, position.held[seat], " cards")
    if wrong is not None or event.count is not None:
        return wrong
    asserted = known_of(event.cards)
    if not_known_to_be_there(position, seat, asserted) is not None:
        return _differs(what, cards_text(event.cards), position.hand_text(seat))
    position.learn_all(seat, asserted)
    return None


def _table(position: Position, event: AssertTable, *, swaps: bool) -> Violation | None:
    if position.unseen_meld(event.meld):
        position.fill_up(event.meld)
        position.melds[event.meld - 1].unseen = True
    if not 0 < event.meld <= len(position.melds):
        return Violation("log.name", f"there is no meld m{event.meld} on the table")
    meld = position.melds[event.meld - 1]
    if same_meld(meld.cards, event.cards):
        meld.unseen, meld.numbered = False, True
        return None
    if meld.unseen and _grew(position, meld, event.cards, swaps=swaps):
        return None
    have = [Played(laid.card, laid.role) for laid in meld.cards]
    return _differs(f"m{event.meld}", _row(event.cards), _row(have))


def _row(cards: Sequence[Played]) -> str:
    return " ".join(map(played_text, cards))


def _grew(
    position: Position, meld: TableMeld, asserted: tuple[Played, ...], *, swaps: bool
) -> bool:
    """Takes over how a meld lies that may have been extended unseen; False where it cannot lie so.

    A wild card may have made way for the card it stood for. Whose the cards are that nobody saw is
    not known.
    """
    reading = position.book.read(asserted)
    if not isinstance(reading, Reading):
        return False
    new = list(reading.laid)
    there: list[OnTable] = []
    for before in meld.cards:
        alike = [card for card in new if _same_role(card.role, before.role)]
        same = next((card for card in alike if card.card == before.card), None)
        if same is not None:
            new.remove(same)
            there.append(before)
        elif not (swaps and position.book.is_wild(before.card) and any(map(_is_natural, alike))):
            return False
    cards = [card.card for card in new]
    if any(cards.count(card) > position.left(card) for card in cards):
        return False
    for card in cards:
        position.reveal(card)
    came = [OnTable(card.card, card.role, meld.seat, 0, card.low_ace) for card in new]
    meld.cards = [*there, *came]
    meld.shape, meld.unseen = reading.shape, False
    position.laid += 1
    return True


def _is_natural(card: Laid) -> bool:
    return card.card == card.role


def same_meld(laid: Sequence[OnTable], asserted: Sequence[Played]) -> bool:
    """Whether cards on the table are those asserted, and stand for what is asserted."""
    rest = [(card.card, card.role) for card in laid]
    for played in sorted(asserted, key=lambda played: played.role is None):
        for pair in rest:
            card, role = pair
            agrees = card in (role, JOKER) if played.role is None else _same_role(role, played.role)
            if card == played.card and agrees:
                rest.remove(pair)
                break
        else:
            return False
    return not rest


def _same_role(first: Role, other: Role) -> bool:
    """Whether two cards stand for the same, as far as is said: a suit may be left open."""
    is_open = max(first, other) >= ANY_SUIT and JOKER not in (first, other)
    return first == other or (is_open and rank_of(first) == rank_of(other))


def _same_row(have: Sequence[Card], asserted: Sequence[Card]) -> bool:
    return len(have) == len(asserted) and all(
        mine == other or UNKNOWN in (mine, other)
        for mine, other in zip(have, asserted, strict=True)
    )


def same_stock(listed: Sequence[Card], again: Sequence[Card]) -> Violation | None:
    """What is wrong with a list of the stock's next cards, against those listed before."""
    number = min(len(listed), len(again))
    if _same_row(listed[:number], again[:number]):
        return None
    notes = (f"listed before: {cards_text(listed)}", f"listed here: {cards_text(again)}")
    return Violation("log.assert", "the next cards of the stock were listed otherwise", notes=notes)


def agreed(listed: Sequence[Card], again: Sequence[Card]) -> tuple[Card, ...]:
    """The stock's next cards by two lists of them, down to where these contradict each other."""
    row: list[Card] = []
    for mine, other in zip_longest(listed, again, fillvalue=UNKNOWN):
        if not _same_row((mine,), (other,)):
            break
        row.append(max(mine, other))
    return tuple(row)


def _number(what: str, asserted: int, computed: int, unit: str = "") -> Violation | None:
    if asserted == computed:
        return None
    note = f"difference: {asserted - computed:+d}"
    return _differs(what, f"{asserted}{unit}", f"{computed}{unit}", note)


def _differs(what: str, asserted: str, computed: str, *more: str) -> Violation:
    notes = (f"asserted: {asserted or 'nothing'}", f"computed: {computed or 'nothing'}", *more)
    return Violation("log.assert", f"{what} is not as asserted", notes=notes)
