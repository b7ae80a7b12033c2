"""The discards of a hand, with what is the same for all its cards asked once."""

from __future__ import annotations

from typing import Final

from meldref.cards import JOKER, ONE, WIDTH, Cards, mask_of
from meldref.events import Discard
from meldref.position.model import Position
from meldref.rules import discard as discarding
from meldref.rules import hand as holding
from meldref.rules import out as going_out
from meldref.rules import turn as order
from meldref.rules.base import Binding, Violation
from meldref.rules.registry import CHECKS
from meldref.simulate.reach import mask_cards

THROWS: Final = tuple(Discard(card) for card in range(JOKER + 1))
_ALIKE: Final = (order.draw_first, order.nothing_owed)
"""Checks of a discard that look at the turn alone: asked once for all cards."""
_HELD: Final = (holding.holds_card,)
"""Checks that cards in hand pass."""
_SINGLES: Final = frozenset(ONE)


class Throws:
    """The discards of a hand, with what is the same for all its cards asked once."""

    def __init__(self, binding: Binding) -> None:
        bound = [(bind, bind(binding)) for bind in CHECKS[Discard] if bind not in _HELD]
        self._once = [check for bind, check in bound if bind in _ALIKE and check is not None]
        self._taken = [check for bind, check in bound if bind is discarding.not_just_taken and check is not None]
        self._any_of_several = binding.ruleset.discard.taken_deep == "any"
        known = (*_ALIKE, discarding.not_just_taken)
        self._each = [check for bind, check in bound if bind not in known and check is not None]
        self._last_alone = all(
            bind is going_out.last_discard for bind, check in bound if bind not in known and check is not None
        )

    def free(self, position: Position, mask: int) -> int:
        """Those cards, as bits, that were not just taken in such a way that they may not be thrown back."""
        turn = position.turn
        taken = turn.taken
        if not taken or not self._taken or (turn.inside and self._any_of_several):
            return mask
        free = mask
        for card in set(taken):
            bit = 1 << card
            if mask & bit:
                for check in self._taken:
                    if isinstance(check(position, THROWS[card]), Violation):
                        free &= ~bit
        return free

    def of(self, position: Position, free: int) -> list[Discard]:
        """The discards the player may make, of cards that are free."""
        if not free:
            return []
        for check in self._once:
            if check(position, THROWS[0]) is not None:
                return []
        found: list[Discard] = []
        suit = 0
        while free:
            some = free & 0x1FFF
            if some:
                found += _SUITS.get(suit | some) or _of_suit(suit | some)
            free >>= 13
            suit += 1 << 13
        for check in self._each:
            found = [throw for throw in found if not isinstance(check(position, throw), Violation)]
        return found

    def can(self, position: Position) -> bool:
        """Whether there is a discard."""
        mask = mask_of(position.hands[position.turn.seat])
        return bool(self.of(position, self.free(position, mask)))

    def surely(self, left: int) -> bool:
        """Whether a player left with so many cards, who owes nothing, may throw any that was not just taken."""
        return not self._each or (self._last_alone and left > 1)

    def plain(self, left: Cards, free: int) -> bool:
        """Whether it is plain that a card left after a play may be thrown, by who owes nothing and floats not."""
        if self._each and (not self._last_alone or left in _SINGLES):
            return False
        while left:
            card = ((left & -left).bit_length() - 1) // WIDTH
            if free >> card & 1:
                return True
            left &= ~(31 << WIDTH * card)
        return False


_SUITS: Final[dict[int, tuple[Discard, ...]]] = {}


def _of_suit(key: int) -> tuple[Discard, ...]:
    """The discards of some cards of a suit, a bit for each, above which its number stands; they are made once."""
    first = (key >> 13) * 13
    found = _SUITS[key] = tuple([THROWS[first + card] for card in mask_cards(key & 0x1FFF)])
    return found
