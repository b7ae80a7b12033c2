"""The discards of a hand, with what is the same for all its cards asked once."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from meldref.core.cards import FULL, JOKER, ONE, UNKNOWN, WIDTH, Card, Cards, mask_of
from meldref.core.events import Discard
from meldref.engine.judge import Judge
from meldref.position.model import Position
from meldref.rules import discard as discarding
from meldref.rules import hand as holding
from meldref.rules import out as going_out
from meldref.rules import turn as order
from meldref.rules.base import Violation
from meldref_table.best.coming_bans import coming_bans
from meldref_table.simulate.quick_moves.bounds import mask_cards

THROWS: Final = tuple(Discard(card) for card in range(JOKER + 1))
_ALIKE: Final = (order.draw_first, order.nothing_owed)
"""Checks of a discard that look only at the turn: asked once for all cards."""
_HELD: Final = (holding.holds_card,)
"""Checks that cards in hand pass."""
_SINGLES: Final = frozenset(ONE)


_SUIT: Final = 0x1FFF
"""The cards of a suit, a bit for each."""


class _OfSuit(dict[int, tuple[Discard, ...]]):
    """The discards of some cards of one suit, a bit for each; they are made once."""

    def __init__(self, suit: int) -> None:
        self._first = 13 * suit

    def __missing__(self, bits: int) -> tuple[Discard, ...]:
        discards = self[bits] = tuple([THROWS[self._first + card] for card in mask_cards(bits)])
        return discards


_OF_SUITS: Final = tuple(_OfSuit(suit) for suit in range(4))


class Throws:
    """The discards of hands, with what is the same for all cards asked once."""

    def __init__(self, judge: Judge) -> None:
        house = judge.house
        bans = None if house is None else house.bans.check(Discard)
        coming = None if bans is None else coming_bans(judge)
        alike, apart = (None, None) if coming is None else coming.of_discards()
        bound = [
            (rule.bind, check)
            for rule, check in judge.bound[Discard]
            if rule.bind not in _HELD and check is not bans
        ]
        self._once = [check for bind, check in bound if bind in _ALIKE]
        self._ban_all = alike
        """The bans that say the same of all cards: asked once for them, behind what the game itself
        says."""
        self._taken = [check for bind, check in bound if bind is discarding.not_just_taken]
        self._kept: dict[tuple[bool, bool, bool, int, int, int], bool] = {}
        self._any_of_several = judge.ruleset.discard.taken_deep == "any"
        checks = (*_ALIKE, discarding.not_just_taken)
        self._each = [check for bind, check in bound if bind not in checks]
        last_alone = all(
            bind is going_out.last_discard for bind, check in bound if bind not in checks
        )
        self.spare = 1
        if self._each:
            self.spare = 2 if last_alone else 1_000
        """Whether a player who owes nothing, with this many cards not just taken, may discard any.

        Those, that is, that no house rule may forbid: see `sure`."""
        if apart is not None:
            self._each.append(apart)
        self._bans = coming
        self.banned = self._bans is not None
        """Whether house rules forbid some discards, or ends of turns."""
        self._swaps = judge.ruleset.melds.wild.swap != "never"

    def free(self, position: Position, mask: int) -> int:
        """Those cards, as bits, that were not just taken so that they may not be discarded again.

        This depends on where a card lay among those taken, and on its copies in hand, now and
        before.
        """
        turn = position.turn
        taken = turn.taken
        if not taken or not self._taken or (turn.inside and self._any_of_several):
            return mask
        free = mask
        for card in set(taken) - {UNKNOWN}:
            if mask >> card & 1 and self._is_kept(position, card):
                free &= ~(1 << card)
        return free

    def _is_kept(self, position: Position, card: Card) -> bool:
        """Whether a card just taken may not be thrown: asked once of all that lie alike."""
        turn, taken, place = position.turn, position.turn.taken, WIDTH * card
        key = (
            bool(turn.inside),
            card == taken[0],
            card == taken[-1],
            taken.count(card),
            position.hands[turn.seat] >> place & FULL,
            turn.held_before >> place & FULL,
        )
        unseen = UNKNOWN in taken or turn.guesses_before > 0 or position.unknown[turn.seat] > 0
        is_kept = None if unseen else self._kept.get(key)
        if is_kept is None:
            throw = THROWS[card]
            is_kept = any(isinstance(check(position, throw), Violation) for check in self._taken)
            if not unseen:
                self._kept[key] = is_kept
        return is_kept

    def sure(
        self, position: Position, free: int, fitting: Callable[[], int], *, drawn: bool = True
    ) -> int:
        """Free cards that no house rule forbids to throw, whatever is laid before.

        `fitting` says which cards may come to fit a meld; `drawn`: the draw is over, else the pile
        is taken.
        """
        if self._bans is None or not free:
            return free
        return (
            0 if self._swaps else self._bans.never_forbidden(position, free, fitting, drawn=drawn)
        )

    def of(self, position: Position, free: int) -> list[Discard]:
        """The discards the player may make, of cards that are free."""
        if free:
            for check in self._once:
                if check(position, THROWS[0]) is not None:
                    return []
        return self.owing_nothing(position, free)

    def owing_nothing(self, position: Position, free: int) -> list[Discard]:
        """The discards of a player who has drawn, owes nothing, and plays no call."""
        if self._ban_all is not None and isinstance(self._ban_all(position, THROWS[0]), Violation):
            return []
        discards = [
            *_OF_SUITS[0][free & _SUIT],
            *_OF_SUITS[1][free >> 13 & _SUIT],
            *_OF_SUITS[2][free >> 26 & _SUIT],
            *_OF_SUITS[3][free >> 39 & _SUIT],
        ]
        if free >> JOKER:
            discards.append(THROWS[JOKER])
        for check in self._each:
            discards = [
                throw for throw in discards if not isinstance(check(position, throw), Violation)
            ]
        return discards

    def can(self, position: Position) -> bool:
        """Whether there is a discard."""
        free = self.free(position, mask_of(position.hands[position.turn.seat]))
        if not free or any(check(position, THROWS[0]) is not None for check in self._once):
            return False
        if self._ban_all is not None and isinstance(self._ban_all(position, THROWS[0]), Violation):
            return False
        checks = self._each
        return not checks or any(
            not any(isinstance(check(position, THROWS[card]), Violation) for check in checks)
            for card in mask_cards(free)
        )

    def surely(self, left: int) -> bool:
        """Whether a player with `cards` left, owing nothing, may discard any not just taken."""
        return left >= self.spare

    def plain(self, left: Cards, free: int) -> bool:
        """Whether a player who neither owes nor floats may surely throw a card left over."""
        if self.spare > 2 or (self.spare == 2 and left in _SINGLES):
            return False
        while left:
            card = ((left & -left).bit_length() - 1) // WIDTH
            if free >> card & 1:
                return True
            left &= ~(31 << WIDTH * card)
        return False


throws = lru_cache(maxsize=16)(Throws)
"""The discards under a judge's rules; the same object each time, which remembers."""
