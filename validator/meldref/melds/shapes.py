"""What the table sees of melds: shapes, cards as they count, readings, and why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, TypeAlias

from meldref.core.cards import ACE, JOKER, RANKS, Card, Played, Role
from meldref.core.records import NamedTuple, record
from meldref.melds.kinds import UNPLACED, AcePlace, Pattern, Roles, is_red
from meldref.ruleset.model import WildRules


class Book(Protocol):
    """What a shape asks of the melds of its rules; `melds.index` has them."""

    def shape(self, kind: str, roles: Roles) -> Shape:
        """The one object for a meld."""

    def accepts(self, shape: Shape) -> int:
        """The natural cards that extend a meld as themselves, as bits; bit `JOKER` for a joker."""

    def growth(self, shape: Shape) -> Mapping[Role, Shape]:
        """For each card that extends a meld, taken as itself, the meld with it."""


class Shape:
    """A meld on the table, no matter who laid what: a kind and the roles of its cards.

    A book has one object for each shape, so that shapes compare, and are dictionary keys, by
    identity. In a kind with consecutive ranks the roles are in run order, low to high; else in
    ascending order.

    `growth` has for each card that extends it, taken as itself, the shape with it (P-LAY-02,
    P-LAY-03); `accepts` has a bit for each natural card that extends it as itself, and bit `JOKER`
    if a joker can.
    """

    __slots__ = ("_accepts", "_book", "_growth", "extensions", "kind", "pattern", "roles")

    def __init__(self, pattern: Pattern, roles: Roles, book: Book) -> None:
        self.kind: str = pattern.kind.name
        self.pattern = pattern
        self.roles = roles
        self.extensions: dict[Played, Extension | Fault] = {}
        self._book = book
        self._accepts = -1
        self._growth: Mapping[Role, Shape] | None = None

    @property
    def accepts(self) -> int:
        """See above; worked out when it is asked for the first time."""
        if self._accepts < 0:
            self._accepts = self._book.accepts(self)
        return self._accepts

    @property
    def growth(self) -> Mapping[Role, Shape]:
        """See above; worked out when it is asked for the first time."""
        if self._growth is None:
            self._growth = self._book.growth(self)
        return self._growth

    def __reduce__(self) -> tuple[object, ...]:
        return self._book.shape, (self.kind, self.roles)

    def __repr__(self) -> str:
        return f"Shape({self.kind!r}, {self.roles!r})"


class Laid(NamedTuple):
    """A card on the table: what it is, what it counts as, and where it lies as an ace (P-VAL-05).

    `ace_place` is `UNPLACED` for whatever is not the ace of a run.
    """

    card: Card
    role: Role
    ace_place: AcePlace = UNPLACED

    @property
    def said(self) -> Played:
        """The card as it could be written, with what it stands for if it does."""
        return Played(self.card, None if self.role == self.card != JOKER else self.role)


def ace_place_of(shape: Shape, role: Role) -> AcePlace:
    """Where a role of a meld lies as the ace of a run (P-VAL-05)."""
    return shape.pattern.ace_place(shape.roles) if role % 13 == ACE else UNPLACED


class Extension(NamedTuple):
    """A card laid off: the meld with it, and the card as it lies there."""

    shape: Shape
    laid: Laid


class Reading(NamedTuple):
    """Cards read as a meld; `laid` has them in the order they were written."""

    shape: Shape
    laid: tuple[Laid, ...]


Way: TypeAlias = tuple[Played, ...]
"""Cards as they could be written, with what each wild card stands for."""


@record
class Fault:
    """Why cards are no meld, or a card does not fit: the fault nearest to what has to change.

    `key` is the ruleset key that governs it, `readings` what an unbound wild card could have been.
    """

    code: str
    message: str
    key: str
    readings: tuple[Way, ...] = ()


@record
class WildCards:
    """Which cards are wild in a hand, and the settings that bear on what they stand for."""

    cards: frozenset[Card]
    naturals: int = 1
    suits_stated: bool = False
    same_colour: bool = False

    def may_be(self, card: Card, role: Role) -> bool:
        """Whether a wild card may stand for another card, by their colours.

        Jokers have none that is written, and neither has a rank.
        """
        if not self.same_colour or card == JOKER or role >= JOKER:
            return True
        return is_red(card) == is_red(role)

    @property
    def least_naturals(self) -> int:
        """How many natural cards a meld needs.

        Where nothing is wild there is nothing to ask for (P-JOK-15).
        """
        return self.naturals if self.cards else 0

    @property
    def jokers(self) -> bool:
        """Whether jokers are wild; only they need not be named as wild (P-JOK-01, W-PER-05)."""
        return JOKER in self.cards

    @classmethod
    def of(cls, wild: WildRules, wild_rank: int | None) -> WildCards:
        """The wild cards of a ruleset; `wild_rank` is named for the hand (G-VAR-03)."""
        ranks = [RANKS.index(face) for face in wild.cards if face in RANKS]
        if "named" in wild.cards and wild_rank is not None:
            ranks.append(wild_rank)
        cards = {suit * 13 + rank for rank in ranks for suit in range(4)}
        if "joker" in wild.cards:
            cards.add(JOKER)
        stated, same = wild.suit_in_group == "stated", wild.colour == "same"
        return cls(frozenset(cards), wild.naturals, stated, same)
