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

    return _CardsJustTaken(binding).check_discard


class _CardsJustTaken:
    """What a ruleset says of throwing away cards that were just taken from the pile."""

    def __init__(self, binding: Binding) -> None:
        self._ruleset = binding.ruleset
        self._takes_one = binding.ruleset.draw.takes == "that_card"
        self._top_allowed = binding.ruleset.discard.taken_top == "allowed"
        self._keeps_deepest = binding.ruleset.discard.taken_deep == "not_deepest"
        self._throws_only_top = binding.ruleset.discard.taken_deep == "top_only"

    def check_discard(self, position: Position, action: Discard) -> Violation | Undecided | None:
        """The check of a discard."""
        turn, card = position.turn, action.card
        if turn.source is not FROM_PILE:
            return None
        if card == UNKNOWN:
            return self._thrown_face_down(position)
        may_be_taken = card in turn.taken or (self._throws_only_top and UNKNOWN in turn.taken)
        return self._thrown(position, card) if may_be_taken else None

    def _thrown_face_down(self, position: Position) -> Violation | Undecided | None:
        """A discard that nobody saw: illegal only if every card that it may be is."""
        seat = position.turn.seat
        held = [
            card
            for card in dict.fromkeys(position.turn.taken)
            if card != UNKNOWN and count(position.hands[seat], card)
        ]
        if not any(self._thrown(position, card) for card in held):
            return None
        answers = [self._thrown(position, card) for card in position.may_be_held(seat)]
        violations = [answer for answer in answers if isinstance(answer, Violation)]
        if len(violations) == len(answers):
            return violations[0]
        names = in_words([card_text(card) for card in held], "or")
        return Undecided(f"whether the card discarded is {names}, just taken from the pile")

    def _thrown(self, position: Position, card: Card) -> Violation | Undecided | None:
        """What is wrong with throwing a card, if it is one of those just taken."""
        turn = position.turn
        if turn.inside:
            answer = self._from_inside(position, card, turn.taken)
        else:
            answer = self._from_top(card, turn.taken)
            # Where nobody saw how deep it lay, it matters only if the answers differ.
            if turn.inside is None and type(answer) is not type(self._if_inside(position, card)):
                return Undecided(f"whether {card_text(card)} was taken from the top of the pile")
        if not isinstance(answer, Violation):
            return answer
        is_that_copy = is_one_taken(position, turn, card, self._ruleset.discard.twin)
        if is_that_copy is None:
            return Undecided(f"whether the {card_text(card)} thrown is the one just taken")
        return answer if is_that_copy else None

    def _from_top(self, card: Card, taken: tuple[Card, ...]) -> Violation | None:
        """A top card that was taken by itself."""
        if self._top_allowed or card != taken[0]:
            return None
        message = (
            f"{card_text(card)} may not be discarded: it was just taken from the top of the pile"
        )
        return Violation("discard.taken-top", message)

    def _if_inside(self, position: Position, card: Card) -> Violation | Undecided | None:
        """A card that lay under others, if it did: those others are not known."""
        duty = position.turn.duty
        if duty is not None and duty.deep and duty.card == card:
            # From the inside it had to be used.
            return owed(self._ruleset, position, duty)
        taken = position.turn.taken
        return self._from_inside(position, card, taken if self._takes_one else (*taken, UNKNOWN))

    def _from_inside(
        self, position: Position, card: Card, taken: tuple[Card, ...]
    ) -> Violation | Undecided | None:
        """One of several cards that were taken, the deepest first."""
        if self._keeps_deepest:
            free = taken[1:]
            if card != taken[0]:
                return None
        elif self._throws_only_top:
            free = taken[-1:]
        else:
            return None
        if card in free:
            return None
        may_be_unseen = position.left(card) > 0
        if card in taken:
            if may_be_unseen and UNKNOWN in free:
                return Undecided(_was_inside(card))
            return Violation("discard.taken-deep", self._why(card, taken))
        is_held = count(position.hands[position.turn.seat], card) > 0
        if may_be_unseen and not is_held and UNKNOWN in taken:
            return Undecided(_was_inside(card))
        return None

    def _why(self, card: Card, taken: tuple[Card, ...]) -> str:
        """Why a card that was taken with others may not be thrown."""
        name = card_text(card)
        if self._keeps_deepest:
            return f"{name} may not be discarded: it is the deepest of the cards just taken"
        if taken[-1] == UNKNOWN:
            return f"of the cards just taken, only the former top card may be discarded, not {name}"
        top = card_text(taken[-1])
        return f"of the cards just taken, only {top}, the former top card, may be discarded"


def _was_inside(card: Card) -> str:
    return f"whether {card_text(card)} was inside the pile"
