"""A position as people see it on a table, and as the mapping that a position file has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from meldref.core.cards import RANKS, UNKNOWN, Card, cards_text
from meldref.core.text import many
from meldref.position.model import Ending, Position, uncounted
from meldref.report.style import PLAIN, Style

_NEXT: Final = 5
"""How many of the next cards people are shown."""

Fact: TypeAlias = (
    "str | int | list[str] | dict[str, str] | dict[str, int] | dict[str, dict[str, str]]"
)


def position_data(position: Position) -> dict[str, Fact]:
    """A position as a position file says it; what nobody knows is left out."""
    players = position.players
    data: dict[str, Fact] = {"players": list(players)}
    if position.mover_known:
        data["to_move"] = players[position.turn.seat]
    data["hands"] = {
        players[seat]: position.hand_text(seat)
        for seat in sorted(position.order)
        if not uncounted(position.unknown[seat])
    }
    data["table"] = {
        f"m{number}": position.layers(meld) for number, meld in enumerate(position.melds, start=1)
    }
    if position.pile_known:
        data["pile"] = cards_text(position.pile)
    if not uncounted(position.stock_size):
        cards = _next_of_stock(position)
        unseen = position.stock_size - len(cards)
        data["stock"] = (
            f"{cards_text(cards)} ?*{unseen}".strip() if unseen > 0 else cards_text(cards)
        )
    if position.discarder is not None:
        data["discarded_by"] = players[position.discarder]
    if position.floating:
        data["floating"] = [players[seat] for seat in sorted(position.floating)]
    if position.wild_rank is not None:
        data["wild"] = RANKS[position.wild_rank]
    data["points"] = {players[seat]: position.points[seat] for seat in sorted(position.order)}
    return data


def over_text(*, may_be_called: bool) -> str:
    """That the hand is over, and if a call may still undo that."""
    return "the hand is over" + (", unless somebody calls" if may_be_called else "")


def table_lines(
    position: Position, style: Style = PLAIN, seen_by: int | None = None
) -> Iterator[str]:
    """The table: players with points and hands (`>` is to move), the melds, the pile and the stock.

    `seen_by` a seat, the hands of others and the order of the stock are hidden.
    """
    over = position.ending is not Ending.NONE
    names = max(len(position.players[seat]) for seat in sorted(position.order))
    points = max(len(f"{position.points[seat]}") for seat in sorted(position.order))
    for seat in sorted(position.order):
        moves = not over and position.mover_known and seat == position.turn.seat
        name = f"{position.players[seat]:<{names}}"
        worth = f"{position.points[seat]:>{points}}"
        floats = ", floating" if seat in position.floating else ""
        if position.in_last_turns and seat == position.out:
            floats = ", out"
        hand = _hand_line(position, seat, hidden=seen_by not in {None, seat})
        player = f"> {style.bold(name)}" if moves else f"  {name}"
        yield f"  {player}  {worth}  {hand}{floats}"
    for number, meld in enumerate(position.melds, start=1):
        laid = ", ".join(f"{player} {cards}" for player, cards in position.layers(meld).items())
        yield f"    m{number}: {laid}" + ("" if meld.shape is not None else "  (no meld)")
    yield "    pile   " + (
        (cards_text(position.pile) or "no card") if position.pile_known else "unknown"
    )
    yield f"    stock  {_stock_line(position, hidden=seen_by is not None)}"
    if over:
        yield f"    {over_text(may_be_called=position.ending is Ending.PROVISIONAL)}"


def _hand_line(position: Position, seat: int, *, hidden: bool) -> str:
    if uncounted(position.unknown[seat]):
        return "unknown"
    held = position.held[seat]
    if hidden and held:
        return many(held, "card")
    return f"{position.hand_text(seat)}  ({many(held, 'card')})" if held else "no card"


def _next_of_stock(position: Position) -> list[Card]:
    """The stock, top first, as far as a card of it is known."""
    cards = [*reversed(position.stock)]
    while cards and cards[-1] == UNKNOWN:
        cards.pop()
    return cards


def _stock_line(position: Position, *, hidden: bool) -> str:
    if uncounted(position.stock_size):
        return "unknown"
    text = many(position.stock_size, "card")
    cards = [] if hidden else _next_of_stock(position)
    more = " …" if len(cards) > _NEXT else ""
    return f"{text}, next {cards_text(cards[:_NEXT])}{more}" if cards else text
