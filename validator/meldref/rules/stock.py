"""The empty stock: pass, reshuffle, last turn (P-END-03, W-BOAT-04..07, O-END-01, O-END-03)."""

from __future__ import annotations

from collections.abc import Callable

from meldref.core.events import Pass
from meldref.core.text import many, times
from meldref.position.model import OVER, Position, TurnState, uncounted
from meldref.position.turn import NOT_DRAWN
from meldref.rules.base import Binding, Check, Violation
from meldref.rules.declare import Stage, Suggest, code, is_set, no_effect, rule
from meldref.ruleset.model import StockRules

code("stock.pass", suggest=Suggest.RESHUFFLE)
code("stock.reshuffle")
no_effect(
    "stock.turned",
    by="stock.reshuffle",
    where=is_set("stock.reshuffle", "never", "but_top", "whole_pile"),
)
no_effect("stock.ends_at", by="stock.reshuffle", at="never")


@rule("stock.pass", actions=(Pass,), stage=Stage.PLAY)
def may_pass(binding: Binding) -> Check[Pass]:
    """The pile is declined only when the stock is empty and no reshuffle is due (P-END-03)."""
    again, made_new = must_reshuffle(binding), made_new_text(binding.ruleset.stock)

    def check(position: Position, action: Pass) -> Violation | None:
        if uncounted(position.stock_size):
            return None
        if position.stock_size > 0:
            return Violation(
                "stock.pass", "there are cards in the stock to draw", key="stock.empty"
            )
        if again(position):
            message = f"the pile has to be {made_new}"
            return Violation("stock.pass", message, key="stock.reshuffle")
        return None

    return check


def made_new_text(stock: StockRules) -> str:
    """What is done to the pile that becomes the stock."""
    return "turned over" if stock.reshuffle == "turn_over" else "reshuffled"


def moves_whole_pile(stock: StockRules) -> bool:
    """Whether the top card of the pile becomes part of the new stock as well."""
    return stock.reshuffle == "whole_pile" or top_goes_first(stock)


def top_goes_first(stock: StockRules) -> bool:
    """Whether the pile is turned over only once its top card was not taken."""
    return stock.reshuffle == "turn_over" and stock.turned == "whole_pile"


def has_known_order(stock: StockRules, position: Position) -> bool:
    """Whether the stock is a pile that was turned over, which everybody saw grow."""
    return stock.reshuffle == "turn_over" and position.reshuffled > 0


def reshuffles(binding: Binding) -> Callable[[Position], bool]:
    """Whether an empty stock may be made new from the pile as it lies (W-BOAT-06, W-BOAT-07)."""
    stock = binding.ruleset.stock
    how, most = stock.reshuffle, stock.ends_at - 1

    def check(position: Position) -> bool:
        is_last = most >= 0 and position.reshuffled >= most
        return (
            how != "never" and not is_last and (len(position.pile) > 1 or not position.pile_known)
        )

    return check


def must_reshuffle(binding: Binding) -> Callable[[Position], bool]:
    """Whether an empty stock is certainly made new: turns not written may have done that before."""
    may, is_limited = reshuffles(binding), binding.ruleset.stock.ends_at > 0

    return lambda position: may(position) and (position.table_known or not is_limited)


def reshuffle(binding: Binding) -> Callable[[Position], Violation | None]:
    """A reshuffle happens if the rules have one, with an empty stock, between two turns."""
    stock = binding.ruleset.stock
    how, most, made_new = stock.reshuffle, stock.ends_at - 1, made_new_text(stock)

    def check(position: Position) -> Violation | None:
        if position.ending is OVER:
            return Violation("end.late", f"the hand is over, but the pile is {made_new}")
        if how == "never":
            return Violation("stock.reshuffle", "the pile is not reshuffled in this game")
        if position.stock_size > 0 and not uncounted(position.stock_size):
            return Violation("stock.reshuffle", "there are still cards in the stock")
        if 0 <= most <= position.reshuffled:
            used_up = times(position.reshuffled + 1)
            message = f"the stock has been used up {used_up}, so the pile is not {made_new} again"
            return Violation("stock.reshuffle", message, key="stock.ends_at")
        if len(position.pile) < 2 and position.pile_known:
            what = f"a pile of {many(len(position.pile), 'card')} is not {made_new}"
            return Violation("stock.reshuffle", what)
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


def over_before(binding: Binding) -> Callable[[Position], bool]:
    """Whether the hand is over before a turn: nobody can draw, or the last card was drawn (O-END-01).

    Of an empty stock before the first turn, the deal took the last card, and no player did.
    """
    last_turn = binding.ruleset.stock.empty == "last_turn"
    again, nothing_left = reshuffles(binding), nobody_can_draw(binding)

    def check(position: Position) -> bool:
        if position.stock_size > 0:
            return False
        was_drawn = last_turn and position.begins and not position.turn.opening
        return nothing_left(position) or (was_drawn and not again(position))

    return check


def _breaks_in(turn: TurnState) -> bool:
    """Whether it is a call or a purchase."""
    return turn.call is not None or turn.broken is not None


def runs_out(binding: Binding) -> Callable[[Position, TurnState], bool]:
    """Whether an empty stock ends the hand with a turn, call or purchase (P-END-03, O-END-01).

    A call or purchase between two turns ends it as a turn with a draw does: it brought the last
    cards. In the middle of a turn, that is finished first (O-END-03).
    """
    last_turn = binding.ruleset.stock.empty == "last_turn"
    again, nothing_left = reshuffles(binding), nobody_can_draw(binding)

    def check(position: Position, turn: TurnState) -> bool:
        return nothing_left(position) or (
            last_turn
            and (turn.source is not NOT_DRAWN or (_breaks_in(turn) and position.begins))
            and not again(position)
        )

    return check
