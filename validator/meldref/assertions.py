"""Assertions: what an `=` line says, against what the replay has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from meldref.cards import JOKER, UNKNOWN, Card, Played, cards_text, counted, each, played_text
from meldref.events import AssertHand, Assertion, AssertPile, AssertScore, AssertStock, AssertTable
from meldref.position.model import OnTable, Position, uncounted
from meldref.rules.base import Violation


def assertion(position: Position, seats: Mapping[str, int], event: Assertion) -> Violation | None:
    """What an `=` line says against what the replay has.

    Unknown cards of a hand that it names are known from then on.
    """
    if isinstance(event, AssertHand):
        return _hand(position, seats, event)
    if isinstance(event, AssertPile):
        if not position.pile_known or _same_row(position.pile, event.cards):
            return None
        return _differs("the pile", cards_text(event.cards), cards_text(position.pile))
    if isinstance(event, AssertTable):
        return _table(position, event)
    if isinstance(event, AssertStock):
        if uncounted(position.stock_size) or position.stock_size == event.count:
            return None
        return _differs("the stock", f"{event.count}", f"{position.stock_size}", event.count - position.stock_size)
    assert isinstance(event, AssertScore)
    seat = seats.get(event.player)
    if seat is None:
        return Violation("log.name", f"{event.player} is not one of the players")
    points = position.points[seat]
    if points == event.points:
        return None
    return _differs(f"{event.player}'s points", f"{event.points}", f"{points}", event.points - points)


def _hand(position: Position, seats: Mapping[str, int], event: AssertHand) -> Violation | None:
    seat = seats.get(event.player)
    if seat is None:
        return Violation("log.name", f"{event.player} is not one of the players")
    size = event.count if event.count is not None else len(event.cards) + event.unknown
    what = f"{event.player}'s hand"
    if uncounted(position.unknown[seat]):
        position.unknown[seat] = position.held[seat] = size
        return None
    if size != position.held[seat]:
        held = position.held[seat]
        return _differs(what, f"{size} cards", f"{held} cards", size - held)
    if event.count is not None:
        return None
    asserted = counted(card for card in event.cards if card != UNKNOWN)
    extra = position.missing(seat, asserted)
    if len(extra) > position.unknown[seat] or any(extra.count(card) > position.left(card) for card in extra):
        return _differs(what, cards_text(event.cards), _hand_text(position, seat))
    for card in extra:
        position.learn(seat, card)
    return None


def _hand_text(position: Position, seat: int) -> str:
    known = cards_text(sorted(each(position.hands[seat])))
    unknown = position.unknown[seat]
    return f"{known} ?*{unknown}".strip() if unknown else known


def _table(position: Position, event: AssertTable) -> Violation | None:
    if not 0 < event.meld <= len(position.melds):
        return Violation("log.name", f"there is no meld m{event.meld} on the table")
    laid = position.melds[event.meld - 1].cards
    if same_meld(laid, event.cards):
        return None
    have = " ".join(_laid_text(card) for card in laid)
    return _differs(f"m{event.meld}", " ".join(played_text(card) for card in event.cards), have)


def _laid_text(laid: OnTable) -> str:
    return played_text(Played(laid.card, laid.role))


def same_meld(laid: Sequence[OnTable], asserted: Sequence[Played]) -> bool:
    """Whether cards on the table are those asserted, as sets, with what wild cards stand for where it is said."""
    rest = [(card.card, card.role) for card in laid]
    for played in sorted(asserted, key=lambda one: one.role is None):
        for pair in rest:
            if pair[0] == played.card and _agrees(pair, played):
                rest.remove(pair)
                break
        else:
            return False
    return not rest


def _agrees(pair: tuple[Card, int], played: Played) -> bool:
    card, role = pair
    if played.role is None:
        return card in (role, JOKER)
    return (
        role == played.role
        or (role >= 64 and played.role < 52 and role - 64 == played.role % 13)
        or (role < 52 and played.role >= 64 and role % 13 == played.role - 64)
    )


def _same_row(have: Sequence[Card], asserted: Sequence[Card]) -> bool:
    return len(have) == len(asserted) and all(
        one == other or UNKNOWN in (one, other) for one, other in zip(have, asserted, strict=True)
    )


def _differs(what: str, expected: str, computed: str, difference: int | None = None) -> Violation:
    notes = [f"asserted: {expected or 'nothing'}", f"computed: {computed or 'nothing'}"]
    if difference is not None:
        notes.append(f"difference: {difference:+d}")
    return Violation("log.assert", f"{what} is not as asserted", notes=tuple(notes))
