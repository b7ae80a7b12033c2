"""How a hand ends, as a log records it (P-END-01..05, W-END, G-END-04, W-MOD-08)."""

from __future__ import annotations

from meldref.core.text import many
from meldref.position.model import GOING_ON, Position, uncounted
from meldref.rules.base import Binding, Violation
from meldref.rules.declare import code
from meldref.rules.stock import made_new_text, must_reshuffle, reshuffles

code("end.early")
code("end.late")
code("end.reason")


def recorded_end(
    binding: Binding, position: Position, reason: str, seat: int | None
) -> Violation | None:
    """Whether the recorded end is the one the hand came to."""
    names = position.players
    if reason == "agreed" and binding.ruleset.game.stop == "agreed":
        return None
    may_be_over = position.in_last_turns and not position.mover_known
    if position.ending is not GOING_ON or may_be_over:
        if reason != position.end_reason:
            key = "stock.empty" if position.end_reason == "stock" else ""
            return Violation("end.reason", f"the hand ended because {_because(position)}", key=key)
        if seat is not None and position.out is not None and seat != position.out:
            return Violation(
                "end.reason", f"{names[position.out]} went out, not {names[seat]}", key=""
            )
        return None
    if position.in_last_turns:
        return _has_last_turn(position)
    if reason == "agreed":
        return Violation(
            "end.early", "the players may not stop a game by agreement", key="game.stop"
        )
    if reason == "out":
        if seat is None:
            return None
        if uncounted(position.unknown[seat]):
            return _out_in_own_turn(binding, position, seat)
        count = position.held[seat]
        if not count:
            message = f"{names[seat]} is floating, so the hand is not over"
            return Violation("end.early", message, key="out.melding_all")
        holds = f"{names[seat]} still holds {many(count, 'card')}"
        return Violation("end.early", holds, key="")
    if uncounted(position.stock_size):
        return None
    if position.stock_size > 0:
        left = position.stock_size
        return Violation(
            "end.early",
            f"{left} card{'s are' if left > 1 else ' is'} left in the stock",
            key="stock.empty",
        )
    if not position.begins:
        return Violation("end.early", "the turn is not over", key="stock.empty")
    if must_reshuffle(binding)(position):
        message = f"the pile has to be {made_new_text(binding.ruleset.stock)}"
        return Violation("end.early", message, key="stock.reshuffle")
    return None


def _has_last_turn(position: Position) -> Violation:
    player = position.players[position.turn.seat]
    return Violation("end.early", f"{player} still has a last turn", key="out.last_turns")


def _out_in_own_turn(binding: Binding, position: Position, seat: int) -> Violation | None:
    """Whoever goes out does so in the last turn or call, however many cards were held.

    Where the others have a last turn, the hand is over when it is this player's turn again.
    """
    if binding.ruleset.out.last_turns == "one":
        is_due = position.turn.seat == seat or not position.mover_known
        return None if is_due or position.stock_size <= 0 else _has_last_turn(position)
    acted, names = position.acted, position.players
    if acted is None or acted == seat or position.floating or not position.begins:
        return None
    message = f"the last turn was {names[acted]}'s, so {names[seat]} did not go out"
    return Violation("end.reason", message, key="")


def _because(position: Position) -> str:
    if position.end_reason == "out":
        return f"{'somebody' if position.out is None else position.players[position.out]} went out"
    return "the stock was empty" if position.end_reason == "stock" else "the players agreed"


def not_over(binding: Binding, position: Position) -> Violation | None:
    """A hand that is scored, or followed by another one, must be over."""
    if position.ending is not GOING_ON or not position.is_counted:
        return None
    if position.stock_size <= 0 and position.begins and not reshuffles(binding)(position):
        return None
    return Violation("end.early", "the hand is not over", key="")


def sheet_end(binding: Binding, reason: str) -> Violation | None:
    """Whether a hand of which only the score is recorded can have ended so."""
    if reason == "agreed" and binding.ruleset.game.stop == "never":
        return Violation(
            "end.reason", "the players may not stop a game by agreement", key="game.stop"
        )
    return None
