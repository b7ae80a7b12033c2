"""Groups in which wild cards make more cards of a rank than the deck has.

Where a group asks for one rank and not for different suits, and a wild card may stand for a card
that is on the table already (`wild.twins`), it may stand for one more of a rank of which all are
there. As long as the deck has a card for it to stand for, that is what it stands for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from meldref.core.cards import FULL, WIDTH, Cards, Role, bits_of, natural
from meldref.melds.kinds import Pattern, Roles
from meldref.melds.lay_off_index import TABLE_LIMIT, KindIndex, Solved, lay_off_index
from meldref.ruleset.model import Kind, WildRules

_RANKS: Final = tuple(bits_of(natural(rank, suit) for suit in range(4)) for rank in range(13))

_APART: Final = frozenset(("distinct_suits", "distinct_ranks", "consecutive_ranks"))


class BeyondDeck:
    """The melds of a kind with the deck, and those for which a deck would need more packs."""

    def __init__(self, deck: KindIndex, *, stated: bool) -> None:
        pattern = deck.pattern
        self.deck = deck
        self.pattern = pattern
        self._stated = stated
        packs = max(pattern.packs, pattern.kind.max_size)
        self._all = Solved(Pattern(pattern.kind, packs, pattern.jokers))
        self._most = pattern.most_of_a_rank

    def containing(self, size: int, wanted: Roles) -> Sequence[Roles]:
        """See `KindIndex`; the melds that need more packs where the deck allows none."""
        return self.deck.containing(size, wanted) or self._all.containing(size, wanted)

    def growing(self, size: int, wanted: Roles) -> Sequence[Roles]:
        """See `KindIndex`."""
        return (self._all if self._stated else self).containing(size, wanted)

    def within(
        self, held: Cards, wilds: int, must: Role | None = None, among: int | None = None
    ) -> Iterator[Roles]:
        """See `KindIndex`."""
        yield from self.deck.within(held, wilds, must, among)
        yield from self.beyond(held, wilds, must, among)

    def beyond(
        self, held: Cards, wilds: int, must: Role | None = None, among: int | None = None
    ) -> Iterator[Roles]:
        """Those of `within` that need more packs.

        Where suits are open, only those of more cards than the deck has: others are laid as melds
        that it allows.
        """
        if not wilds:
            return
        least = self.pattern.sizes.start if self._stated else self._most + 1
        for rank in _RANKS:
            part = rank if among is None else rank & among
            reach = wilds + sum(
                [held >> (WIDTH * role) & FULL for role in range(52) if part >> role & 1]
            )
            if reach < least or (must is not None and not part >> must & 1):
                continue
            sizes = range(max(least, self.pattern.sizes.start), self.pattern.sizes.stop)
            for roles in self._all.of_sizes(sizes, held, wilds, part):
                if (must is None or must in roles) and not self.pattern.obeyed_by(roles):
                    yield roles


def may_repeat_suits(kind: Kind) -> bool:
    """Whether a kind of meld asks for one rank, and not for different suits."""
    return "same_rank" in kind.require and not _APART.intersection(kind.require)


def takes_more_than_the_deck(kind: Kind, wild_cards: Sequence[str], twins: str) -> bool:
    """Whether wild cards in a kind of meld may make more cards of a rank than there are.

    `wild_cards` and `twins` are those of the ruleset's `melds.wild`.
    """
    return may_repeat_suits(kind) and bool(wild_cards) and twins == "allowed"


def kind_index(pattern: Pattern, wild: WildRules, *, limit: int = TABLE_LIMIT) -> KindIndex:
    """The melds of a kind in a game with such wild cards."""
    deck = lay_off_index(pattern, limit=limit)
    if not takes_more_than_the_deck(pattern.kind, wild.cards, wild.twins):
        return deck
    return BeyondDeck(deck, stated=wild.suit_in_group == "stated")
