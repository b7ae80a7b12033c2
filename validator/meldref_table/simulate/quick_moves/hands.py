"""The melds of a hand, kept up as its cards change."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Final

from meldref.core.cards import (
    ANY_SUIT,
    FULL,
    GUARD,
    JOKER,
    NATURALS,
    ONE,
    WIDTH,
    Card,
    Cards,
    Played,
    bits_of,
    rank_of,
    suit_of,
)
from meldref.core.effort import EFFORT
from meldref.core.events import Meld
from meldref.melds import MeldIndex
from meldref.moves.bounds import ALL_CARDS
from meldref_table.simulate.quick_moves.bounds import Naturals, mask_cards

MOST_MELDS: Final = 300
"""The most melds of a part of a hand that players know; house rules can make millions."""
MOST_REMEMBERED: Final = 20_000
"""The most lists remembered for a part."""
_FIELD: Final = 31
_SUITS: Final = tuple(
    bits_of(card for card in NATURALS if suit_of(card) == suit) for suit in range(4)
)
_RANKS: Final = tuple(
    bits_of(card for card in NATURALS if rank_of(card) == rank) for rank in range(13)
)
_CARD_OF: Final = {bit: card for card, bit in enumerate(ONE)}


class Parts:
    """The melds of hands with wild cards, by part: the wild cards with one suit or one rank.

    There are few different parts, so what each of them makes is listed once and known from then on.
    A meld belongs to the part of what its cards count as, copies of one card to their rank, jokers
    as themselves to a part of their own. Where a kind of meld has neither one suit nor one rank,
    one part has all melds.
    """

    def __init__(self, book: MeldIndex) -> None:
        self._book = book
        split = all(
            {"same_suit", "same_rank"} & set(pattern.kind.require)
            or pattern.kind.only == ("joker",)
            for pattern in book.patterns
        )
        self._masks = (*_SUITS, *_RANKS, 1 << JOKER) if split else (ALL_CARDS,)
        copies = book.goes_beyond_deck or any(
            1 in pattern.sizes or pattern.packs > 1 for pattern in book.patterns
        )
        self._suits = len(_SUITS) if split and copies else 0
        """How many parts may list melds that belong to another one."""
        wild = bits_of(book.wilds.cards)
        self._fields = [_fields(mask | wild) for mask in self._masks]
        self._known: list[dict[Cards, tuple[Meld, ...]]] = [{} for _ in self._masks]

    def melds(self, hand: Cards) -> list[Meld]:
        """The melds of all or some cards of a hand; the same objects each time."""
        formed: list[Meld] = []
        for part, field in enumerate(self._fields):
            cards = hand & field
            melds = self._known[part].get(cards)
            if melds is None:
                melds = self._list(part, cards)
            formed += melds
        return formed

    def _list(self, part: int, cards: Cards) -> tuple[Meld, ...]:
        cached = self._known[part]
        if len(cached) >= MOST_REMEMBERED:
            cached.clear()
        ways = self._book.melds_in(cards, among=self._masks[part], limit=MOST_MELDS)
        if part < self._suits:
            ways = filter(_is_of_suit, ways)
        melds = tuple(map(_meld, ways))
        if not EFFORT.over:  # else some are left out
            cached[cards] = melds
        return melds


@lru_cache(maxsize=50_000)
def _meld(way: tuple[Played, ...]) -> Meld:
    """A meld laid in a certain way: the same object each time."""
    return Meld(way)


def _is_of_suit(way: tuple[Played, ...]) -> bool:
    """Whether a meld whose cards count as cards of one suit is not one of copies of one card."""
    roles = {played.card if played.role is None else played.role for played in way}
    return len(roles) > 1 and max(roles) < ANY_SUIT


def _fields(mask: int) -> Cards:
    """All bits of the counts of some cards, a bit for each."""
    return sum(_FIELD << WIDTH * card for card in range(JOKER + 1) if mask >> card & 1)


parts = lru_cache(maxsize=64)(Parts)
"""The parts of hands for a book; the same ones each time they are asked for."""


class HandMelds:
    """A hand as it was when last looked at, with its melds; a change of a few cards costs little.

    `mask` has a bit for each card, `wilds` counts the wild ones.
    """

    def __init__(self, book: MeldIndex, naturals: Naturals) -> None:
        self.mask = 0
        self.wilds = 0
        self._wild = book.wilds.cards
        self._naturals = naturals
        self._list = parts(book).melds
        self._cards: Cards = 0
        self._plain = naturals.whole
        """Whether `_melds` are those of the hand; else they are worked out when asked for."""
        self._melds: dict[int, Meld] = {}
        self._listed: list[Meld] | None = None

    def look(self, cards: Cards) -> HandMelds:
        """The hand as it is now."""
        before = self._cards
        if cards == before:
            return self
        self._cards = cards
        if self._plain:
            card = _CARD_OF.get(cards - before)
            if card is not None and card not in self._wild:
                self.mask |= 1 << card
                self._add(card)
                return self
            card = _CARD_OF.get(before - cards)
            if card is not None:
                if not cards >> WIDTH * card & FULL:
                    self.mask &= ~(1 << card)
                if self._melds:
                    self._leave_out()
                return self
        self._change(before)
        return self

    def _change(self, before: Cards) -> None:
        """Updates the hand after any other change."""
        cards = self._cards
        mask, wild = self.mask, self._wild
        plain = self._plain
        added: list[Card] = []
        changed = cards ^ before
        while changed:
            card = ((changed & -changed).bit_length() - 1) // WIDTH
            place = WIDTH * card
            changed &= ~(_FIELD << place)
            now, then = cards >> place & FULL, before >> place & FULL
            if card in wild:
                self.wilds += now - then
            if now:
                mask |= 1 << card
            else:
                mask &= ~(1 << card)
            if now > then:
                added.append(card)
        self.mask = mask
        self._listed = None
        self._plain = self._naturals.whole and not self.wilds
        if not self._plain:
            self._melds = {}
            return
        if self._melds:
            self._leave_out()
        for card in added if plain else mask_cards(mask):
            self._add(card)

    def _add(self, card: Card) -> None:
        """Notes the melds that a card more makes, of cards none of which is wild."""
        naturals, mask = self._naturals, self.mask
        may = naturals.known[card].get(mask & naturals.near[card])
        if may is False or (may is None and not naturals.may_meld(card, mask, 0)):
            return
        absent = ~mask
        for least, melds in naturals.by_card[card]:
            if not least & absent:
                guarded = self._cards | GUARD
                for number, mask, twice, meld in melds:
                    if not mask & absent and (not twice or (guarded - twice) & GUARD == GUARD):
                        self._melds[number] = meld

    def _leave_out(self) -> None:
        """Strikes the melds for which cards are lacking now."""
        guarded = self._cards | GUARD
        self._melds = {
            number: meld
            for number, meld in self._melds.items()
            if (guarded - meld.counted) & GUARD == GUARD
        }

    def melds(self) -> Collection[Meld]:
        """Every meld of all or some of the cards."""
        if self._plain:
            return self._melds.values()
        if self._listed is None:
            self._listed = self._list(self._cards)
        return self._listed
