"""What may not be thrown back (P-DISC-02, P-DISC-03, P-DISC-05, O-DISC-03)."""

from __future__ import annotations

from meldref.cards import UNKNOWN, Card, card_text, count
from meldref.events import Discard
from meldref.position.model import FROM_PILE, Position
from meldref.rules.base import Binding, Check, Violation


def not_just_taken(binding: Binding) -> Check[Discard] | None:
    """The top card just taken alone, or certain ones of several just taken, are not thrown back."""
    discard = binding.ruleset.discard
    if discard.taken_top == "allowed" and discard.taken_deep == "any":
        return None

    def twin_allowed(position: Position, card: Card) -> bool:
        """Whether the card thrown can be another copy than the one taken (P-DISC-05)."""
        turn = position.turn
        if discard.twin == "forbidden":
            return False
        if discard.twin == "allowed":
            return count(position.hands[turn.seat], card) > 1
        return bool(count(turn.held_before, card)) or (
            turn.guesses_before > 0 and position.copies[card] > 1 and position.left(card) > 0
        )

    def check(position: Position, action: Discard) -> Violation | None:
        turn = position.turn
        if turn.source is not FROM_PILE or action.card not in turn.taken or action.card == UNKNOWN:
            return None
        card, taken = action.card, turn.taken
        if len(taken) == 1:
            if discard.taken_top == "forbidden" and not twin_allowed(position, card):
                return Violation("discard.taken-top", f"{card_text(card)} was just taken from the top of the pile")
            return None
        if discard.taken_deep == "any" or twin_allowed(position, card):
            return None
        if discard.taken_deep == "not_deepest":
            if card != taken[0] or card in taken[1:]:
                return None
            message = f"{card_text(card)} is the deepest of the cards just taken"
        elif card == taken[-1]:
            return None
        else:
            message = f"of the cards just taken only the former top card, {card_text(taken[-1])}, may be thrown"
        return Violation("discard.taken-deep", message)

    return check
