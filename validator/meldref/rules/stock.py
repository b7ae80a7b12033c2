"""The empty stock: pass, reshuffle, last turn (P-END-03, W-BOAT-04..07, O-END-01, O-END-03)."""

from __future__ import annotations

from collections.abc import Callable

from meldref.core.events import Pass
from meldref.position.model import OVER, Position, TurnState, uncounted
from meldref.position.turn import NOT_DRAWN
from meldref.rules.base import Binding, Check, Violation
from meldref.rules.declare import Stage, Suggest, code, rule

code("stock.pass", suggest=Suggest.RESHUFFLE)
code("stock.reshuffle")


@rule("stock.pass", actions=(Pass,), stage=Stage.PLAY)
def may_pass(binding: Binding) -> Check[Pass]:
    """The pile is declined only when the stock is empty and no reshuffle is due (P-END-03)."""
    again = reshuffles(binding)

    def check(position: Position, action: Pass) -> Violation | None:
        if uncounted(position.stock_size):
            return None
        if position.stock_size > 0:
            return Violation(
                "stock.pass", "there are cards in the stock to draw", key="stock.empty"
            )
        if again(position):
            return Violation("stock.pass", "the pile has to be reshuffled", key="stock.reshuffle")
        return None

    return check


def reshuffles(binding: Binding) -> Callable[[Position], bool]:
    """Whether an empty stock is made new from the pile as it lies (W-BOAT-06, W-BOAT-07)."""
    how = binding.ruleset.stock.reshuffle

    return lambda position: how != "never" and (len(position.pile) > 1 or not position.pile_known)


def reshuffle(binding: Binding) -> Callable[[Position], Violation | None]:
    """A reshuffle happens if the rules have one, with an empty stock, between two turns."""
    how = binding.ruleset.stock.reshuffle

    def check(position: Position) -> Violation | None:
        if position.ending is OVER:
            return Violation("end.late", "the hand is over, but the pile is reshuffled")
        if how == "never":
            return Violation("stock.reshuffle", "the pile is not reshuffled in this game")
        if position.stock_size > 0 and not uncounted(position.stock_size):
            return Violation("stock.reshuffle", "there are still cards in the stock")
        if len(position.pile) < 2 and position.pile_known:
            return Violation("stock.reshuffle", "the pile has no cards to reshuffle")
        return None

    return check


def nobody_can_draw(binding: Binding) -> Callable[[Position], bool]:
    """Whether a turn is due and no card can be drawn: the hand is over (P-END-03, G-END-04)."""
    draws_first = binding.ruleset.deal.first_turn == "draws"

    def check(position: Position) -> bool:
        if (
            position.stock_size > 0
            or position.pile
            or not (position.pile_known and position.begins)
        ):
            return False
        return draws_first or not position.turn.opening

    return check


def runs_out(binding: Binding) -> Callable[[Position, TurnState], bool]:
    """Whether an empty stock ends the hand with a turn or call (P-END-03, O-END-01, O-END-03)."""
    last_turn = binding.ruleset.stock.empty == "last_turn"
    again, nothing_left = reshuffles(binding), nobody_can_draw(binding)

    def check(position: Position, turn: TurnState) -> bool:
        return nothing_left(position) or (
            last_turn and turn.source is not NOT_DRAWN and not again(position)
        )

    return check
