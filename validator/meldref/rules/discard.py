"""What may not be discarded again (P-DISC-02, P-DISC-03, P-DISC-05, O-DISC-03)."""

from __future__ import annotations

from meldref.core.cards import UNKNOWN, Card, card_text
from meldref.core.events import Discard
from meldref.position.model import Position, is_one_taken
from meldref.position.turn import FROM_PILE
from meldref.rules.base import Binding, Check, Undecided, Violation
from meldref.rules.declare import Stage, code, is_set, rule
from meldref.ruleset.model import Ruleset


def _reaches_deeper(rules: Ruleset) -> bool:
    several = rules.draw.depth == "any" or rules.draw.takes == "whole_pile"
    return several and rules.discard.taken_deep != "any"


code(
    "discard.taken-top",
    where=is_set("discard.taken_top", "forbidden"),
    evidence="by itself",
)
code("discard.taken-deep", where=_reaches_deeper, evidence="by itself")


@rule(
    "discard.taken-top",
    "discard.taken-deep",
    actions=(Discard,),
    stage=Stage.PLAY,
    silent_in_plain_turns=True,
)
def not_just_taken(binding: Binding) -> Check[Discard] | None:
    """A top card just taken by itself, or some of several just taken, may not be discarded."""
    discard = binding.ruleset.discard
    if discard.taken_top == "allowed" and discard.taken_deep == "any":
        return None

    def check(position: Position, action: Discard) -> Violation | Undecided | None:
        turn = position.turn
        if turn.source is not FROM_PILE or action.card not in turn.taken or action.card == UNKNOWN:
            return None
        card, taken = action.card, turn.taken
        if not turn.inside:
            if discard.taken_top == "allowed":
                return None
            violation = Violation(
                "discard.taken-top",
                f"{card_text(card)} may not be discarded: "
                "it was just taken from the top of the pile",
            )
        else:
            wrong = deep(card, taken)
            if wrong is None:
                return None
            violation = Violation("discard.taken-deep", wrong)
        is_it = is_one_taken(position, turn, card, discard.twin)
        if is_it is None:
            return Undecided(f"whether the {card_text(card)} thrown is the one just taken")
        return violation if is_it else None

    def deep(card: Card, taken: tuple[Card, ...]) -> str | None:
        if discard.taken_deep == "any":
            return None
        if discard.taken_deep == "not_deepest":
            if card != taken[0] or card in taken[1:]:
                return None
            return (
                f"{card_text(card)} may not be discarded: it is the deepest of the cards just taken"
            )
        if card == taken[-1]:
            return None
        top = card_text(taken[-1])
        return f"of the cards just taken, only {top}, the former top card, may be discarded"

    return check
