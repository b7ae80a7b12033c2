"""A position as people see it on a table, and as the mapping that a position file has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from meldref.core.cards import RANKS, UNKNOWN, Played, cards_text, each, played_text
from meldref.core.text import many
from meldref.position.model import Ending, Position, TableMeld, uncounted
from meldref.report.style import PLAIN, Style

_NEXT: Final = 5
"""How many of the next cards people are shown."""

Fact: TypeAlias = "str | int | list[str] | dict[str, str] | dict[str, int] | dict[str, dict[str, str]]"


def position_data(position: Position) -> dict[str, Fact]:
    """A position as a position file says it; what nobody knows is left out."""
    players = position.players
    data: dict[str, Fact] = {"players": list(players)}
    if position.mover_known:
        data["to_move"] = players[position.turn.seat]
    data["hands"] = {
        players[seat]: hand_text(position, seat)
        for seat in sorted(position.order)
        if not uncounted(position.unknown[seat])
    }
    data["table"] = {f"m{number}": layers(position, meld) for number, meld in enumerate(position.melds, start=1)}
    if position.pile_known:
        data["pile"] = cards_text(position.pile)
    if not uncounted(position.stock_size):
        data["stock"] = stock_text(position)
    if position.discarder is not None:
        data["discarded_by"] = players[position.discarder]
    if position.floating:
        data["floating"] = [players[seat] for seat in sorted(position.floating)]
    if position.wild_rank is not None:
        data["wild"] = RANKS[position.wild_rank]
    data["points"] = {players[seat]: position.points[seat] for seat in sorted(position.order)}
    return data


def table_lines(position: Position, style: Style = PLAIN, seen_by: int | None = None) -> Iterator[str]:
    """The table: each player with points and hand, the melds, the pile and the stock; `>` is whose turn it is.

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
        hand = _hand_line(position, seat, hidden=seen_by not in {None, seat})
        yield f"  {'>' if moves else ' '} {style.bold(name) if moves else name}  {worth}  {hand}{floats}"
    for number, meld in enumerate(position.melds, start=1):
        laid = ", ".join(f"{player} {cards}" for player, cards in layers(position, meld).items())
        yield f"    m{number}: {laid}" + ("" if meld.shape is not None else "  (no meld)")
    yield "    pile   " + ((cards_text(position.pile) or "no card") if position.pile_known else "unknown")
    yield f"    stock  {_stock_line(position, hidden=seen_by is not None)}"
    if over:
        yield "    the hand is over" + ("" if position.ending is Ending.OVER else ", unless somebody calls")


def hand_text(position: Position, seat: int) -> str:
    """A hand as a position writes it: `5h 6h ?*5`."""
    return _with_unseen(cards_text(each(position.hands[seat])), position.unknown[seat])


def _hand_line(position: Position, seat: int, *, hidden: bool) -> str:
    if uncounted(position.unknown[seat]):
        return "unknown"
    held = position.held[seat]
    if hidden and held:
        return many(held, "card")
    return f"{hand_text(position, seat)}  ({many(held, 'card')})" if held else "no card"


def layers(position: Position, meld: TableMeld) -> dict[str, str]:
    """Who laid which cards of a meld, with what wild cards stand for."""
    texts: dict[str, list[str]] = {}
    for laid in meld.cards:
        texts.setdefault(position.players[laid.seat], []).append(played_text(Played(laid.card, laid.role)))
    return {player: " ".join(cards) for player, cards in texts.items()}


def stock_text(position: Position) -> str:
    """The stock, top first: `9c 4d ?*20`."""
    known = [*reversed(position.stock)]
    while known and known[-1] == UNKNOWN:
        known.pop()
    return _with_unseen(cards_text(known), position.stock_size - len(known))


def _stock_line(position: Position, *, hidden: bool) -> str:
    if uncounted(position.stock_size):
        return "unknown"
    text = many(position.stock_size, "card")
    known = [] if hidden else [*reversed(position.stock)]
    while known and known[-1] == UNKNOWN:
        known.pop()
    more = " …" if len(known) > _NEXT else ""
    return f"{text}, next {cards_text(known[:_NEXT])}{more}" if known else text


def _with_unseen(known: str, unseen: int) -> str:
    return f"{known} ?*{unseen}".strip() if unseen > 0 else known
