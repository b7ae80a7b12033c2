"""The order of a turn: draw, melds, one discard (P-TURN-01..03, P-DRAW-01, P-DISC-01)."""

from __future__ import annotations

from meldref.core.cards import size
from meldref.core.events import Buy, Call, Challenge, Discard, Draw, LayOff, Meld, Pass, Swap, Take
from meldref.position.model import OVER, Position, TurnState, uncounted
from meldref.position.turn import FROM_PILE, FROM_STOCK, NOT_DRAWN
from meldref.rules.base import Binding, Check, Undecided, Violation
from meldref.rules.calls import NO_DISCARD, unlaid
from meldref.rules.declare import Stage, Suggest, code, no_effect, rule
from meldref.rules.draw import still_owed
from meldref.rules.layoff import kept_after_swap

code("turn.order", suggest=Suggest.NEXT)
code("turn.draw")
code("turn.unfinished", suggest=Suggest.DISCARD)
code("turn.over", suggest=Suggest.AFTER)
no_effect("draw.mixed", by="draw.count", at=1)


@rule("turn.draw", actions=(Draw, Take, Pass), stage=Stage.TURN)
def one_draw(binding: Binding) -> Check[Draw | Take | Pass]:
    """Each turn has one draw, at its beginning, or two.

    The opening turn of some games has none (W-DEAL-11).
    """
    opening_draws = binding.ruleset.deal.first_turn == "draws"
    draw = binding.ruleset.draw
    mixes = draw.count > 1 and draw.mixed == "allowed"

    def check(position: Position, action: Draw | Take | Pass) -> Violation | None:
        turn = position.turn
        if turn.source is NOT_DRAWN and turn.call is None:
            if turn.opening and not opening_draws:
                return Violation(
                    "turn.draw", "the first turn of this hand has no draw", key="deal.first_turn"
                )
            if turn.first is not NOT_DRAWN and type(action) is Take:
                return _second_take(turn, mixes=mixes)
            return None
        if turn.call is not None:
            return Violation("turn.draw", "a call takes the place of a draw")
        if type(action) is Take and mixes and may_take_second(position):
            return None
        if draw.count > 1 and not mixes and turn.source is FROM_PILE:
            message = "the pile was taken in place of both cards of the turn"
            return Violation("turn.draw", message, key="draw.mixed")
        return Violation("turn.draw", "the player has already drawn this turn", key="draw.count")

    return check


def may_take_second(position: Position) -> bool:
    """Whether the second of two cards may be taken from the pile, if the player wants one.

    It is not owed where the first one emptied the stock.
    """
    turn = position.turn
    if turn.source is not FROM_STOCK or turn.first is not NOT_DRAWN or position.stock_size > 0:
        return False
    with_draw = size(turn.held_before) + turn.guesses_before + 1
    return position.held[turn.seat] == with_draw and not turn.swapped


def _second_take(turn: TurnState, *, mixes: bool) -> Violation | None:
    """Whether the second of two cards may be taken from the pile: one of them may, at most."""
    if not mixes:
        message = "both cards of a turn come from the stock, if the first one does"
        return Violation("turn.draw", message, key="draw.mixed")
    if turn.first is FROM_PILE:
        message = "only one of the two cards of a turn may be taken from the pile"
        return Violation("turn.draw", message, key="draw.count")
    return None


@rule(
    "turn.draw",
    actions=(Meld, LayOff, Swap, Discard),
    stage=Stage.TURN,
    silent_in_plain_turns=True,
)
def draw_first(binding: Binding) -> Check[Meld | LayOff | Swap | Discard]:
    """Nothing is melded, laid off or discarded before the draw (P-TURN-03)."""
    opening_draws = binding.ruleset.deal.first_turn == "draws"

    def check(
        position: Position, action: Meld | LayOff | Swap | Discard
    ) -> Violation | Undecided | None:
        turn = position.turn
        if turn.source is not NOT_DRAWN or turn.call is not None or turn.excused:
            return None
        if turn.opening and not opening_draws:
            return None
        if turn.first is not NOT_DRAWN and uncounted(position.stock_size):
            return Undecided("whether a second card had to be drawn: the stock may be empty")
        deed = {Meld: "melded", LayOff: "laid off", Swap: "swapped", Discard: "discarded"}[
            type(action)
        ]
        what = "a card" if turn.first is NOT_DRAWN else "a second card"
        return Violation("turn.draw", f"the player {deed} before drawing {what}", key="draw.count")

    return check


@rule(
    "turn.over",
    "call.nothing",
    "swap.kept",
    "draw.deep.unused",
    "draw.top.unused",
    actions=(Discard,),
    stage=Stage.OWED,
    silent_in_plain_turns=True,
)
def nothing_owed(binding: Binding) -> Check[Discard]:
    """A turn ends when its duties are done: taken and called cards (P-DRAW-05, P-RUM-06)."""
    discards_not = binding.ruleset.calls.discard == "none"
    lays_swapped = binding.ruleset.melds.wild.swapped == "laid_this_turn"

    def check(position: Position, action: Discard) -> Violation | Undecided | None:
        turn = position.turn
        if turn.duty is not None:
            return still_owed(binding.ruleset, position, turn.duty)
        if turn.call is not None:
            if discards_not:
                return NO_DISCARD
            return unlaid(position)
        if turn.swapped and lays_swapped:
            return kept_after_swap(turn.swapped)
        return None

    return check


@rule("turn.over", actions=(Call, Buy), stage=Stage.TURN)
def has_gone_out(binding: Binding) -> Check[Call | Buy] | None:
    """Whoever has gone out does nothing while the others have their last turns."""
    if binding.ruleset.out.last_turns == "none":
        return None

    def check(position: Position, action: Call | Buy) -> Violation | None:
        return _gone_out(position, position.turn.seat)

    return check


def _gone_out(position: Position, seat: int) -> Violation | None:
    """Whether a player has gone out, and the others have their last turns."""
    if not position.in_last_turns or position.out != seat:
        return None
    message = f"{position.players[seat]} has gone out"
    return Violation("turn.over", message, key="out.last_turns")


def who_acts(position: Position, seat: int, first: object) -> Violation | None:
    """Whether a player may begin a line of actions now (P-TURN-01, P-TURN-02, P-END-04)."""
    names = position.players
    if position.ending is OVER and not isinstance(first, Challenge):
        return Violation("turn.over", f"{names[seat]} acts after the hand is over")
    if isinstance(first, (Call, Challenge)):
        return None
    turn = position.turn
    if (
        position.begins
        and position.discarder == seat != turn.seat
        and not isinstance(first, (Draw, Take, Pass))
    ):
        return Violation("turn.over", f"{names[seat]} has discarded, so that turn is over")
    if position.mover_known and seat != turn.seat:
        return Violation("turn.order", f"it is {names[turn.seat]}'s turn, not {names[seat]}'s")
    return _gone_out(position, seat)
