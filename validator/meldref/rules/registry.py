"""The ordered registry of the rules of play.

A check looks at a position and an action and says what is wrong with it, the nearest thing first; the order
here is the order in which they are asked, and the first finding of an action is its finding.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from meldref.core.events import Action, Call, Challenge, Discard, Draw, LayOff, Meld, Pass, Swap, Take
from meldref.rules import calls, discard, draw, hand, layoff, meld, out, stock, turn, unseen
from meldref.rules.base import Binding, Undecided, Violation

Bound: TypeAlias = "Callable[[Any, Any], Violation | Undecided | None]"

CHECKS: Final[dict[type[Action], tuple[Callable[[Binding], Bound | None], ...]]] = {
    Draw: (turn.one_draw, draw.stock_card),
    Take: (turn.one_draw, draw.pile_cards),
    Pass: (turn.one_draw, stock.may_pass),
    Meld: (
        turn.draw_first,
        hand.holds_cards,
        calls.laid_in_call,
        meld.is_meld,
        meld.meld_number,
        meld.first_points,
        draw.use_taken,
        calls.called_first,
        out.keeps_a_discard,
    ),
    LayOff: (
        turn.draw_first,
        hand.holds_cards,
        layoff.named_meld,
        calls.laid_in_call,
        unseen.lay_off,
        draw.use_taken,
        calls.called_first,
        out.keeps_a_discard,
    ),
    Swap: (turn.draw_first, hand.holds_card, layoff.named_meld, unseen.swap, draw.use_taken, calls.called_first),
    Discard: (turn.draw_first, hand.holds_card, discard.not_just_taken, turn.nothing_owed, out.last_discard),
    Call: (calls.allowed, calls.in_time, calls.scope, calls.founded),
    Challenge: (out.challenge,),
}

SILENT_IN_PLAIN_TURNS: Final = frozenset(
    {
        turn.draw_first,
        turn.nothing_owed,
        calls.laid_in_call,
        calls.called_first,
        draw.use_taken,
        discard.not_just_taken,
    }
)
"""Rules that have nothing to say in a plain turn (see `TurnState.plain`), so that nobody has to ask them there."""
