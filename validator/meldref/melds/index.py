"""The book of melds: all that the referee asks about melds, answered from tables and memos.

A book belongs to kinds of meld, wild cards, a deck and a wild rank named for the hand. What it says
is what the solver says; it only remembers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Final

from meldref.core.cards import JOKER, Card, Cards, Played, Role, bits_of, rank_of
from meldref.melds import explain_failure as faults
from meldref.melds import extending, listing
from meldref.melds.beyond_deck import BeyondDeck, kind_index
from meldref.melds.interpret import chosen, readings
from meldref.melds.kinds import Pattern, Roles
from meldref.melds.lay_off_index import (
    TABLE_LIMIT,
    KindIndex,
    is_open,
    left_over,
    specific,
)
from meldref.melds.lay_off_order import ANYHOW, First, Row, row
from meldref.melds.shapes import Extension, Fault, Reading, Shape, WildCards
from meldref.ruleset.model import Kind, Ruleset, WildRules, jokers_for

_MEMO_LIMIT: Final = 50_000


class MeldIndex:
    """What is a meld, what its wild cards stand for, what fits it, and what cards can make."""

    def __init__(
        self,
        kinds: tuple[Kind, ...],
        wild: WildRules,
        packs: int,
        jokers: int,
        wild_rank: int | None = None,
        *,
        table_limit: int = TABLE_LIMIT,
    ) -> None:
        self._made_of = kinds, wild, packs, jokers, wild_rank
        self.wilds = WildCards.of(wild, wild_rank)
        self._kinds: tuple[KindIndex, ...] = tuple(
            kind_index(Pattern(kind, packs, jokers), wild, limit=table_limit) for kind in kinds
        )
        self._by_name = {kind.pattern.kind.name: kind for kind in self._kinds}
        self._shapes: dict[tuple[str, Roles], Shape] = {}
        self._fillings: listing.Fillings = {}
        self._read: dict[tuple[Played, ...], Reading | Fault] = {}
        self._conflicts: dict[tuple[Played, ...], tuple[tuple[Played, ...], ...]] = {}

    def __repr__(self) -> str:
        return f"MeldIndex({', '.join(self._by_name)})"

    def __reduce__(self) -> tuple[object, ...]:
        return _book, self._made_of

    def __deepcopy__(self, _memo: object) -> MeldIndex:
        return self  # it only remembers, and shapes of two books are never the same

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """The kinds of meld, for the deck."""
        return tuple(kind.pattern for kind in self._kinds)

    @property
    def goes_beyond_deck(self) -> bool:
        """Whether wild cards may make more of a rank than the deck has, in some kind."""
        return any(isinstance(kind, BeyondDeck) for kind in self._kinds)

    def is_wild(self, card: Card) -> bool:
        """Whether a card may stand for another one in this hand (P-JOK-01, G-VAR-03)."""
        return card in self.wilds.cards

    def read(self, cards: tuple[Played, ...], barred: int = 0) -> Reading | Fault:
        """The meld that these cards are, or why they are none.

        `barred` has a bit for each natural card that no wild card may stand for (`wild.twins:
        forbidden`).
        """
        if barred:
            return self._reading(cards, barred)
        cached = self._read.get(cards)
        if cached is None:
            if len(self._read) >= _MEMO_LIMIT:
                self._read.clear()
            cached = self._read[cards] = self._reading(cards, 0)
        return cached

    def is_meld(self, cards: tuple[Played, ...]) -> bool:
        """Whether these cards are a meld, wild cards as they are said to be.

        What is wrong is not worked out.
        """
        fault = faults.of_cards(self.wilds, cards)
        return fault is None and chosen(readings(self._kinds, self.wilds, cards, 0)) is not None

    def _reading(self, cards: tuple[Played, ...], barred: int) -> Reading | Fault:
        fault = faults.of_cards(self.wilds, cards)
        if fault is not None:
            return fault
        possible = readings(self._kinds, self.wilds, cards, barred)
        choice = chosen(possible)
        if choice is not None:
            return Reading(self.shape(choice.pattern.kind.name, choice.order), choice.laid(cards))
        if possible:
            return faults.unbound(self.wilds, cards, possible)
        return faults.no_reading(self._kinds, self.wilds, cards, barred)

    def minimal_conflict(self, cards: tuple[Played, ...]) -> tuple[tuple[Played, ...], ...]:
        """The smallest sets of cards that keep the others from being in one meld.

        None if that is not clear.
        """
        found = self._conflicts.get(cards)
        if found is None:
            if len(self._conflicts) >= _MEMO_LIMIT:
                self._conflicts.clear()
            found = faults.minimal_conflict(self._kinds, self.wilds, cards)
            self._conflicts[cards] = found
        return found

    def extend(self, shape: Shape, played: Played, barred: int = 0) -> Extension | Fault:
        """The shape with one card laid off and the card as it lies there; or why it fails."""
        if barred:
            return self._extension(shape, played, barred)
        extension = shape.extensions.get(played)
        if extension is None:
            extension = shape.extensions[played] = self._extension(shape, played, 0)
        return extension

    def _extension(self, shape: Shape, played: Played, barred: int) -> Extension | Fault:
        return extending.extension(
            self._by_name[shape.kind],
            shape,
            played,
            self.wilds,
            barred,
            lambda roles: self.shape(shape.kind, roles),
        )

    def row(
        self, shape: Shape, cards: tuple[Played, ...], barred: int = 0, first: First = ANYHOW
    ) -> Row:
        """The order in which cards laid off together extend a shape; see `lay_off_order.row`."""
        return row(self.extend, shape, cards, barred, first)

    def replace(self, shape: Shape, old_role: Role, new_role: Role) -> Shape | None:
        """The shape with a natural card in place of a wild one, if it fits (O-JOK-01)."""
        if old_role not in shape.roles:
            return None
        if old_role == new_role:
            return shape
        if not is_open(old_role) or new_role >= JOKER or rank_of(new_role) != rank_of(old_role):
            return None
        roles = tuple(sorted((*left_over(shape.roles, (old_role,)), new_role)))
        kind = self._by_name[shape.kind]
        if roles.count(new_role) > kind.pattern.copies(new_role):
            return None
        possible = kind.containing(len(roles), specific(roles))
        return self.shape(shape.kind, roles) if possible else None

    def melds_in(
        self,
        cards: Cards,
        must: Card | None = None,
        limit: int | None = None,
        barred: int = 0,
        among: int | None = None,
    ) -> Iterator[tuple[Played, ...]]:
        """Every meld that all or some of the cards can make, as it would be written, each once.

        With `must` only those that contain that card, as itself or as a wild card; with `among`, a
        bit for each card, those in which every card counts as one of these; at most `limit` of
        them.
        """
        fillings = self._fillings
        every = listing.melds_in(
            self._kinds, self.wilds, cards, must=must, barred=barred, among=among, cached=fillings
        )
        return every if limit is None else islice(every, limit)

    def possible(self, cards: Cards, must: Card) -> bool:
        """Whether some of the cards make a meld that contains `must`."""
        return next(self.melds_in(cards, must), None) is not None

    def growth(self, shape: Shape) -> Mapping[Role, Shape]:
        """See `Shape.growth`."""
        extended = extending.grown(self._by_name[shape.kind], shape.roles)
        return {role: self.shape(shape.kind, roles) for role, roles in extended.items()}

    def accepts(self, shape: Shape) -> int:
        """See `Shape.accepts`."""
        mask = bits_of(shape.growth)
        return mask | 1 << JOKER if self.wilds.jokers and mask else mask

    def shape(self, kind: str, roles: Roles) -> Shape:
        """The shape of a meld that is one."""
        shape = self._shapes.get((kind, roles))
        if shape is None:
            shape = self._shapes[kind, roles] = Shape(self._by_name[kind].pattern, roles, self)
        return shape


def meld_index(ruleset: Ruleset, players: int, wild_rank: int | None = None) -> MeldIndex:
    """The book of a ruleset for a number of players at the table.

    The same one each time it is asked for.
    """
    packs = ruleset.deck.packs[players]
    melds = ruleset.melds
    return _book(melds.kinds, melds.wild, packs, jokers_for(ruleset, players), wild_rank)


@lru_cache(maxsize=64)
def _book(
    kinds: tuple[Kind, ...], wild: WildRules, packs: int, jokers: int, wild_rank: int | None
) -> MeldIndex:
    return MeldIndex(kinds, wild, packs, jokers, wild_rank)
