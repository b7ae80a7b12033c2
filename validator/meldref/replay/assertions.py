"""Assertions: what an `=` line says, against what the replay has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from meldref.core.cards import (
    ANY_SUIT,
    JOKER,
    UNKNOWN,
    Card,
    Played,
    Role,
    cards_text,
    counted,
    played_text,
    rank_of,
)
from meldref.core.events import AssertHand, Assertion, AssertPile, AssertStock, AssertTable
from meldref.melds import Reading
from meldref.position.model import OnTable, Position, uncounted
from meldref.rules.base import Violation


def assertion(
    position: Position, seats: Mapping[str, int], event: Assertion, *, swaps: bool = False
) -> Violation | None:
    """What an `=` line says against what the replay has.

    Unknown cards of a hand that it names are known from then on, and so is how a meld lies that may
    have been extended unseen; `swaps`: wild cards may have been exchanged too.
    """
    if isinstance(event, AssertPile):
        if not position.pile_known or _same_row(position.pile, event.cards):
            return None
        return _differs("the pile", cards_text(event.cards), cards_text(position.pile))
    if isinstance(event, AssertTable):
        return _table(position, event, swaps=swaps)
    if isinstance(event, AssertStock):
        if uncounted(position.stock_size) or position.stock_size == event.count:
            return None
        return _differs(
            "the stock",
            f"{event.count}",
            f"{position.stock_size}",
            event.count - position.stock_size,
        )
    seat = seats.get(event.player)
    if seat is None:
        return Violation("log.name", f"{event.player} is not one of the players")
    if isinstance(event, AssertHand):
        return _hand(position, seat, event)
    points = position.points[seat]
    if points == event.points:
        return None
    return _differs(
        f"{event.player}'s points", f"{event.points}", f"{points}", event.points - points
    )


def _hand(position: Position, seat: int, event: AssertHand) -> Violation | None:
    size = event.count if event.count is not None else len(event.cards) + event.unknown
    what = f"{event.player}'s hand"
    if uncounted(position.unknown[seat]):
        if not position.hands[seat]:
            position.unknown[seat] = position.held[seat] = size
        return None
    if size != position.held[seat]:
        held = position.held[seat]
        return _differs(what, f"{size} cards", f"{held} cards", size - held)
    if event.count is not None:
        return None
    asserted = counted(card for card in event.cards if card != UNKNOWN)
    extra = position.missing(seat, asserted)
    if len(extra) > position.unknown[seat] or any(
        extra.count(card) > position.left(card) for card in extra
    ):
        return _differs(what, cards_text(event.cards), position.hand_text(seat))
    position.learn_all(seat, asserted)
    return None


def _table(position: Position, event: AssertTable, *, swaps: bool) -> Violation | None:
    if position.unseen_meld(event.meld):
        position.fill_up(event.meld)
        position.melds[event.meld - 1].unseen = True
    if not 0 < event.meld <= len(position.melds):
        return Violation("log.name", f"there is no meld m{event.meld} on the table")
    laid = position.melds[event.meld - 1].cards
    if same_meld(laid, event.cards):
        position.melds[event.meld - 1].unseen = False
        position.melds[event.meld - 1].numbered = True
        return None
    if position.melds[event.meld - 1].unseen and _grew(position, event, swaps=swaps):
        return None
    have = " ".join(played_text(Played(card.card, card.role)) for card in laid)
    return _differs(f"m{event.meld}", " ".join(played_text(card) for card in event.cards), have)


def _grew(position: Position, event: AssertTable, *, swaps: bool) -> bool:
    """Takes over how a meld lies that may have been extended unseen; False where it cannot lie so.

    A wild card may have made way for the card it stood for. Whose the cards are that nobody saw is
    not known.
    """
    meld = position.melds[event.meld - 1]
    reading = position.book.read(event.cards)
    if not isinstance(reading, Reading):
        return False
    new = list(reading.laid)
    cards_before: list[OnTable] = []
    for before in meld.cards:
        same = next(
            (
                card
                for card in new
                if card.card == before.card and _same_role(card.role, before.role)
            ),
            None,
        )
        if same is None and swaps and position.book.is_wild(before.card):
            same = next((card for card in new if _same_role(card.card, before.role)), None)
        if same is None:
            return False
        new.remove(same)
        if same.card == before.card:
            cards_before.append(before)
        else:
            new.append(same)
    cards = [card.card for card in new]
    if any(cards.count(card) > position.left(card) for card in cards):
        return False
    for card in cards:
        position.reveal(card)
    meld.cards = [
        *cards_before,
        *(OnTable(card.card, card.role, meld.seat, 0, card.low_ace) for card in new),
    ]
    meld.shape, meld.unseen = reading.shape, False
    position.laid += 1
    return True


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


def _differs(what: str, expected: str, computed: str, difference: int | None = None) -> Violation:
    notes = [f"asserted: {expected or 'nothing'}", f"computed: {computed or 'nothing'}"]
    if difference is not None:
        notes.append(f"difference: {difference:+d}")
    return Violation("log.assert", f"{what} is not as asserted", notes=tuple(notes))
