"""What lies where on a table, for those who draw it."""

from __future__ import annotations

from typing import Any, Final

from meldref.core.cards import UNKNOWN, Played, card_text, each, played_text
from meldref.position.model import GOING_ON, Position, TableMeld, TurnState, uncounted
from meldref.position.turn import NOT_DRAWN
from meldref_table.report.picture import in_order

MOST_COVERED: Final = 200
"""The most unknown cards of a hand that are laid out one by one."""


def layout(position: Position) -> dict[str, Any]:
    """The cards of each place, in the order in which they lie; null where nobody knows them."""
    over = position.ending is not GOING_ON
    moves = not over and position.mover_known
    turn, players = position.turn, position.players
    unknown_pile = not position.pile_known
    return {
        "players": [players[seat] for seat in sorted(position.order)],
        "to_move": players[turn.seat] if moves else None,
        "drawn": turn.source is not NOT_DRAWN,
        "must": _owed(turn),
        "hands": {players[seat]: _hand(position, seat) for seat in sorted(position.order)},
        "melds": [
            _meld(position, meld, number)
            for number, meld in enumerate(position.melds, start=1)
            if meld.cards
        ],
        "pile": None if unknown_pile else [*map(card_text, position.pile)],
        "stock": None if uncounted(position.stock_size) else position.stock_size,
        "discarded_by": None if position.discarder is None else players[position.discarder],
        "points": {players[seat]: position.points[seat] for seat in sorted(position.order)},
        "over": over,
    }


def _owed(turn: TurnState) -> str | None:
    """The card that has to be used before the turn ends, or the call; None if there is none."""
    owed = [] if turn.duty is None else [turn.duty.card]
    owed += [] if turn.call is None else each(turn.call.wanted)
    return next((card_text(card) for card in owed if card != UNKNOWN), None)


def _hand(position: Position, seat: int) -> list[str] | None:
    """A hand, its unknown cards last."""
    if uncounted(position.unknown[seat]):
        return None
    unseen = min(position.unknown[seat], MOST_COVERED)
    return [*map(card_text, each(position.hands[seat])), *["?"] * unseen]


def _meld(position: Position, meld: TableMeld, number: int) -> dict[str, Any]:
    """A meld: each card with what it stands for, and who laid it."""
    cards = [
        {
            "card": played_text(Played(laid.card, laid.role)),
            "by": position.players[laid.seat] if meld.owned else None,
        }
        for laid in in_order(meld)
    ]
    return {"id": f"m{number}", "cards": cards, "stands": meld.shape is not None}
