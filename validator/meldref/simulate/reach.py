"""What could be melded: the melds of a hand, kept up as its cards change, and bounds on what cards can do.

Nothing here says that a move is legal; it says which ones are worth asking the rules about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from meldref.cards import FULL, GUARD, JOKER, ONE, WIDTH, Card, Cards, each
from meldref.events import Meld
from meldref.melds import MeldBook, Shape

MOST_NATURALS: Final = 6_000
"""The most melds without wild cards that a book may have to be tabled here."""


class Natural(NamedTuple):
    """A meld without wild cards: its number in the table, its cards as a counted set, and laying it."""

    number: int
    cards: Cards
    meld: Meld


class Naturals:
    """The melds of natural cards: all of them by card, and as bit masks those without a smaller one in them.

    `whole` is False where there are too many for a table; nothing is known then.
    """

    def __init__(self, book: MeldBook, deck: Cards) -> None:
        natural = sum(ONE[card] for card in each(deck) if not book.is_wild(card))
        found = list(islice(book.melds_in(natural), MOST_NATURALS + 1))
        self.whole = len(found) <= MOST_NATURALS
        self.by_card: tuple[list[Natural], ...] = tuple([] for _ in range(JOKER + 1))
        self.least: tuple[list[int], ...] = tuple([] for _ in range(JOKER + 1))
        if not self.whole:
            return
        masks: set[int] = set()
        for number, cards in enumerate(found):
            meld = Meld(cards)
            mask = mask_of(meld.counted)
            masks.add(mask)
            for card in mask_cards(mask):
                self.by_card[card].append(Natural(number, meld.counted, meld))
        for mask in sorted(masks, key=int.bit_count):
            cards_in_it = list(mask_cards(mask))
            for card in cards_in_it:
                if not any(less & mask == less for less in self.least[card]):
                    self.least[card].append(mask)


@lru_cache(maxsize=64)
def naturals(book: MeldBook, deck: Cards) -> Naturals:
    """The natural melds of a book with a deck; the same table each time it is asked for."""
    return Naturals(book, deck)


def mask_of(cards: Cards) -> int:
    """A bit for each card that a counted set holds."""
    mask = 0
    for card in each(cards):
        mask |= 1 << card
    return mask


def mask_cards(mask: int) -> Iterator[Card]:
    """The cards of a bit mask, in ascending order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask -= low


def may_meld(table: Naturals, card: Card, mask: int, wilds: int) -> bool:
    """Whether cards might make a meld with one of them: False is certain, True is not."""
    if not table.whole:
        return True
    absent = ~mask
    if not wilds:
        return any(not least & absent for least in table.least[card])
    return any((least & absent).bit_count() <= wilds for least in table.least[card])


def may_reach(shape: Shape, mask: int, wilds: int) -> int:
    """Cards that might be laid off on a meld once others of these cards were: a bit for each; no other can."""
    reach = 0
    seen = {(shape, wilds)}
    todo = [(shape, wilds)]
    while todo:
        here, left = todo.pop()
        for role, bigger in here.growth.items():
            bit = 1 << role
            reach |= bit
            further = (bigger, left) if mask & bit else (bigger, left - 1)
            if further[1] >= 0 and further not in seen:
                seen.add(further)
                todo.append(further)
    return reach


def wild_count(book: MeldBook, cards: Iterable[Card]) -> int:
    """How many of some cards are wild."""
    wild = book.wilds.cards
    return sum(card in wild for card in cards) if wild else 0


class HandMelds:
    """The melds of one hand, as it was when last asked about; a change of a few cards costs little."""

    def __init__(self, book: MeldBook, deck: Cards) -> None:
        self._book = book
        self._naturals = naturals(book, deck)
        self._wild = sum(FULL << (WIDTH * card) for card in book.wilds.cards)
        self._cards: Cards = 0
        self._tabled = self._naturals.whole
        self._melds: dict[object, Meld] = {}

    def of(self, cards: Cards) -> Iterable[Meld]:
        """Every meld of all or some of the cards, in an order that does not hang on how the hand came to be."""
        if cards != self._cards:
            self._change(cards)
        return self._melds.values()

    def _change(self, cards: Cards) -> None:
        tabled = self._naturals.whole and not cards & self._wild
        if tabled != self._tabled:
            self._melds, self._cards, self._tabled = {}, 0, tabled
        before, self._cards = self._cards, cards
        guarded = cards | GUARD
        more: list[Card] = []
        fewer = False
        changed = before ^ cards
        while changed:
            card = ((changed & -changed).bit_length() - 1) // WIDTH
            place = WIDTH * card
            changed = changed >> place + WIDTH << place + WIDTH
            if cards >> place & FULL > before >> place & FULL:
                more.append(card)
            else:
                fewer = True
        if fewer:
            self._melds = {
                key: meld for key, meld in self._melds.items() if (guarded - meld.counted) & GUARD == GUARD
            }
        if not more:
            return
        melds = self._melds
        if tabled:
            for card in more:
                for number, needed, meld in self._naturals.by_card[card]:
                    if (guarded - needed) & GUARD == GUARD:
                        melds[number] = meld
            self._melds = dict(sorted(melds.items()))  # type: ignore[type-var]
        else:
            self._melds = {way: melds.get(way) or Meld(way) for way in self._book.melds_in(cards)}
