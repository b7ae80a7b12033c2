"""The melds of a hand, updated as its cards change, and bounds on what cards can do.

Nothing here says that a move is legal; it says which ones are worth asking the rules about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final

from meldref.core.cards import (
    JOKER,
    Card,
    Cards,
    Played,
    bits_of,
    holds,
    mask_of,
    natural,
    rank_of,
)
from meldref.core.events import Meld
from meldref.core.records import NamedTuple, changed
from meldref.engine.judge import Judge
from meldref.melds import MeldIndex, Shape, meld_index
from meldref.melds.beyond_deck import may_repeat_suits
from meldref.moves.bounds import walk

MOST_NATURALS: Final = 6_000
"""The most melds of cards as themselves that a ruleset may have to be tabled here."""
MOST_REMEMBERED: Final = 50_000


class Known(NamedTuple):
    """A meld with its number, its cards as bits, and as a counted set if one repeats (else 0)."""

    number: int
    mask: int
    twice: Cards
    meld: Meld


class Family(NamedTuple):
    """Melds that have a smaller one in common: that one as a bit mask, and all of them."""

    least: int
    melds: list[Known]


class Naturals:
    """The melds of cards as themselves: all by card, and as bit masks those without a smaller one.

    `whole` is False where they are not tabled, being too many; nothing is known then. `near` has
    for each card the cards, as bits, that are in one of the latter with it; `known` is what
    `may_meld` remembers for each card.
    """

    def __init__(self, natural_melds: Sequence[tuple[Played, ...]] | None) -> None:
        self.whole = natural_melds is not None
        self.by_card: tuple[list[Family], ...] = tuple([] for _ in range(JOKER + 1))
        self.least: tuple[list[int], ...] = tuple([] for _ in range(JOKER + 1))
        self.near: list[int] = [0] * (JOKER + 1)
        self.known: tuple[dict[int, bool], ...] = tuple({} for _ in range(JOKER + 1))
        self._ends: dict[Shape, int] = {}
        self._reach: dict[tuple[Shape, int, int], int] = {}
        if natural_melds is None:
            return
        melds = [_known(number, meld) for number, meld in enumerate(map(Meld, natural_melds))]
        for known in sorted(melds, key=lambda known: len(known.meld.cards)):
            mask = known.mask
            for card in mask_cards(mask):
                family = next(
                    (
                        smaller
                        for smaller in self.by_card[card]
                        if smaller.least & mask == smaller.least
                    ),
                    None,
                )
                if family is None:
                    family = Family(mask, [])
                    self.by_card[card].append(family)
                    self.least[card].append(mask)
                family.melds.append(known)
        for card, masks in enumerate(self.least):
            for mask in masks:
                self.near[card] |= mask

    def may_meld(self, card: Card, mask: int, wilds: int) -> bool:
        """Whether cards may make a meld with one of them: False is certain, True is not."""
        if not self.whole:
            return True
        answers = self.known[card]
        key = mask & self.near[card] | wilds << JOKER + 1
        answer = answers.get(key)
        if answer is None:
            if len(answers) >= MOST_REMEMBERED:
                answers.clear()
            answer = answers[key] = any(
                (least & ~mask).bit_count() <= wilds for least in self.least[card]
            )
        return answer

    def made_of(self, card: Card, mask: int, cards: Cards) -> Iterator[Known]:
        """The melds of cards as themselves with a given one, the shortest of a family first.

        `cards` are the ones there are to make them of, `mask` the same as bits.
        """
        absent = ~mask
        for least, melds in self.by_card[card]:
            if not least & absent:
                for natural in melds:
                    if not natural[1] & absent and (not natural[2] or holds(cards, natural[2])):
                        yield natural

    def melding(self, card: Card, mask: int, cards: Cards) -> Meld | None:
        """One of them; None if there is none, or that is unknown."""
        return next((natural.meld for natural in self.made_of(card, mask, cards)), None)

    def ends(self, shape: Shape) -> int:
        """Cards that can come to lie on a meld at all once others lie there, as bits.

        Where a group may have a card of its rank again, all of the rank.
        """
        ends = self._ends.get(shape)
        if ends is None:
            role = shape.roles[0]
            if role != JOKER and may_repeat_suits(shape.pattern.kind):
                ends = bits_of(natural(rank_of(role), suit) for suit in range(4))
            else:
                ends = walk(shape, -1, 0)
            self._ends[shape] = ends
        return ends

    def reach(self, shape: Shape, mask: int, wilds: int) -> int:
        """Cards that might be laid off on a meld once others of these were: a bit for each.

        No other can.
        """
        key = shape, mask & self.ends(shape), wilds
        reach = self._reach.get(key)
        if reach is None:
            if len(self._reach) >= MOST_REMEMBERED:
                self._reach.clear()
            reach = self._reach[key] = walk(shape, mask, wilds)
        return reach


UNTABLED: Final = Naturals(None)
"""Nothing is known of the melds there are: for questions too few to pay for a table."""


@lru_cache(maxsize=16)
def naturals(judge: Judge) -> Naturals:
    """The natural melds of a ruleset; the same table each time it is asked for."""
    melds = judge.ruleset.melds
    book = meld_index(judge.ruleset, judge.binding.players)
    if book.goes_beyond_deck and any(
        may_repeat_suits(pattern.kind) and pattern.sizes.start > pattern.most_of_a_rank
        for pattern in book.patterns
    ):
        return UNTABLED  # there are melds of which no part is one of cards as themselves
    plain = changed(judge.ruleset, melds=changed(melds, wild=changed(melds.wild, cards=())))
    return _naturals(meld_index(plain, judge.binding.players), judge.all_copies)


def _known(number: int, meld: Meld) -> Known:
    mask = mask_of(meld.counted)
    return Known(number, mask, 0 if mask.bit_count() == len(meld.cards) else meld.counted, meld)


@lru_cache(maxsize=64)
def _naturals(book: MeldIndex, deck: Cards) -> Naturals:
    melds = list(islice(book.melds_in(deck), MOST_NATURALS + 1))
    return Naturals(melds) if len(melds) <= MOST_NATURALS else UNTABLED


def mask_cards(mask: int) -> Iterator[Card]:
    """The cards of a bit mask, in ascending order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask -= low


def wild_count(book: MeldIndex, cards: Iterable[Card]) -> int:
    """How many of some cards are wild."""
    wild = book.wilds.cards
    return sum(card in wild for card in cards) if wild else 0
