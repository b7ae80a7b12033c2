"""What may not be discarded again (P-DISC-02, P-DISC-03, P-DISC-05, O-DISC-03)."""

from __future__ import annotations

from meldref.core.cards import UNKNOWN, Card, card_text, count
from meldref.core.events import Discard
from meldref.core.text import in_words
from meldref.position.model import Position, is_one_taken
from meldref.position.turn import FROM_PILE
from meldref.rules.base import Binding, Check, Undecided, Violation
from meldref.rules.declare import Stage, code, is_set, rule
from meldref.rules.draw import owed
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

    takes_one = binding.ruleset.draw.takes == "that_card"
    deepest_only, top_only = [discard.taken_deep == how for how in ("not_deepest", "top_only")]

    def check(position: Position, action: Discard) -> Violation | Undecided | None:
        turn, card = position.turn, action.card
        if turn.source is not FROM_PILE:
            return None
        if card == UNKNOWN:
            return face_down(position)
        if card in turn.taken or (top_only and UNKNOWN in turn.taken):
            return thrown(position, card)
        return None

    def face_down(position: Position) -> Violation | Undecided | None:
        seat, taken = position.turn.seat, dict.fromkeys(position.turn.taken)
        held = [card for card in taken if card != UNKNOWN and count(position.hands[seat], card)]
        if not any(thrown(position, card) for card in held):
            return None
        answers = [thrown(position, card) for card in position.may_be_held(seat)]
        wrong = [answer for answer in answers if isinstance(answer, Violation)]
        if len(wrong) == len(answers):
            return wrong[0]
        names = in_words([card_text(card) for card in held], "or")
        return Undecided(f"whether the card discarded is {names}, just taken from the pile")

    def thrown(position: Position, card: Card) -> Violation | Undecided | None:
        turn = position.turn
        answer = from_inside(position, card) if turn.inside else from_top(card, turn.taken)
        if turn.inside is None and type(answer) is not type(if_inside(position, card)):
            return Undecided(f"whether {card_text(card)} was taken from the top of the pile")
        if not isinstance(answer, Violation):
            return answer
        is_it = is_one_taken(position, turn, card, discard.twin)
        if is_it is None:
            return Undecided(f"whether the {card_text(card)} thrown is the one just taken")
        return answer if is_it else None

    def from_top(card: Card, taken: tuple[Card, ...]) -> Violation | None:
        if discard.taken_top == "allowed" or card != taken[0]:
            return None
        return Violation(
            "discard.taken-top",
            f"{card_text(card)} may not be discarded: it was just taken from the top of the pile",
        )

    def if_inside(position: Position, card: Card) -> Violation | Undecided | None:
        duty = position.turn.duty
        if duty is not None and duty.deep and duty.card == card:  # then it had to be used
            return owed(binding.ruleset, position, duty)
        return from_inside(position, card, () if takes_one else (UNKNOWN,))

    def from_inside(
        position: Position, card: Card, over: tuple[Card, ...] = ()
    ) -> Violation | Undecided | None:
        taken = position.turn.taken + over
        free = taken[1:] if deepest_only else taken[-1:]
        if not (deepest_only or top_only) or card in free or (deepest_only and card != taken[0]):
            return None
        may_be_unseen = position.left(card) > 0
        if card in taken and not (may_be_unseen and UNKNOWN in free):
            return Violation("discard.taken-deep", why(card, taken))
        if card not in taken:
            may_be_unseen = may_be_unseen and not count(position.hands[position.turn.seat], card)
        is_open = may_be_unseen and UNKNOWN in taken
        return Undecided(f"whether {card_text(card)} was inside the pile") if is_open else None

    def why(card: Card, taken: tuple[Card, ...]) -> str:
        if deepest_only:
            return (
                f"{card_text(card)} may not be discarded: it is the deepest of the cards just taken"
            )
        if taken[-1] == UNKNOWN:
            return (
                f"of the cards just taken, only the former top card may be discarded, "
                f"not {card_text(card)}"
            )
        top = card_text(taken[-1])
        return f"of the cards just taken, only {top}, the former top card, may be discarded"

    return check
