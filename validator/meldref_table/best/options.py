"""What a hand can lay: every set of cards for a new meld or a lay-off, at the most it can bring.

Which of its cards stand for what does not matter to the choice, so the same cards are one offer.
Where rules are out of the ordinary (cards that two kinds of meld claim, wild aces, more than four
aces in a group) a value is an upper bound: what is chosen is always read and counted again by the
book of melds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

from meldref.core.cards import ACE, JOKER, WIDTH, Card, Cards, Played, each, rank_of
from meldref.core.effort import EFFORT
from meldref_table.best.chains import chains
from meldref_table.best.objective import SCALE, Spot, Terms
from meldref_table.best.packing import Field, Packed, Packing
from meldref_table.best.templates import (
    Catalogue,
    Fillings,
    LayingOrder,
    Places,
    Template,
    TooManyWays,
)

_ORDER: Final = tuple(suit * 13 + rank for rank in range(13) for suit in range(4))
"""Natural cards by ranks, so that what a choice bears on is never far."""

_new = tuple.__new__


class NewMeld(NamedTuple):
    """A form and how the hand fills it: the places that wild cards take, and these cards."""

    form: Template
    way: LayingOrder
    wild_places: Places
    wild_cards: tuple[Card, ...]

    def played(self, terms: Terms) -> tuple[tuple[Played, ...], tuple[Played, ...]]:
        """The cards laid at once, and those laid off afterwards, in order."""
        stated = dict(zip(self.wild_places, self.wild_cards, strict=True))

        def at(place: int) -> Played:
            role = self.form.roles[place]
            if place in stated:
                return Played(stated[place], self.form.wild_role(place))
            return Played(JOKER, JOKER) if role == JOKER and terms.wilds.jokers else Played(role)

        base = [at(place) for place in self.way.base]
        if not self.form.pattern.is_run:
            base.sort(key=lambda played: (played.role is not None, played.card))
        return tuple(base), tuple(at(place) for place in self.way.later)


class OnSpot(NamedTuple):
    """Cards laid off, in order, on a meld of the table."""

    spot: Spot
    cards: tuple[Played, ...]


Offer: TypeAlias = "NewMeld | OnSpot"


MOST_WAYS: Final = 100_000
"""The most ways to lay new melds with wild cards that are compared."""


class Offers:
    """All that a hand can lay, packed for the choice.

    `whole`: nothing is left out because two melds equal one; `openers` are then the new melds that
    may be a player's first, with their values. `unit` is one copy of each card that is held.
    """

    def __init__(
        self,
        terms: Terms,
        catalogue: Catalogue,
        hand: Cards,
        spots: Sequence[Spot],
        barred: int,
        *,
        whole: bool,
    ) -> None:
        self.worth: dict[Packed, int] = {}
        self.offers: dict[Packed, Offer] = {}
        self.openers: dict[Packed, tuple[int, NewMeld]] = {}
        self._terms = terms
        self._barred = barred
        self._whole = whole
        self._fields: list[Field] = []
        self._tried = 0
        self._shift = 0
        self.unit = [0] * (JOKER + 1)
        self._held = [hand >> (WIDTH * card) & 31 for card in range(JOKER + 1)]
        wild = terms.wilds.cards
        self._wilds = sorted(card for card in wild if self._held[card])
        for card in (*(card for card in (*_ORDER, JOKER) if card not in wild), *self._wilds):
            if self._held[card]:
                self.unit[card] = self._field(self._held[card], terms.most[card])
        self.every: Packed = sum(map(int.__mul__, self._held, self.unit))
        self.cards = sum(self._held)
        self._new_melds(hand, catalogue)
        self.tables: Packed = 0
        for spot in spots:
            unit = self._field(1, 0)
            self.tables += unit
            for cards, (value, laid) in chains(
                terms, catalogue, spot, hand, barred, shorten=not whole
            ).items():
                key = unit + sum(self.unit[card] for card in each(cards))
                self.worth[key] = value
                self.offers[key] = OnSpot(spot, laid)
        self._loose = len(self._wilds) + len(spots)
        self._guard = sum([field.unit << field.copies.bit_length() for field in self._fields])

    def _field(self, copies: int, most: int) -> Packed:
        unit = 1 << self._shift
        self._shift += copies.bit_length() + 1
        self._fields.append(Field(unit, copies, most))
        return unit

    def packing(self, worth: Mapping[Packed, int] | None = None) -> Packing:
        """The choice among these offers, or some of them."""
        return Packing(
            self._fields,
            self._loose,
            self.every,
            self.tables,
            self.worth if worth is None else worth,
        )

    def contains(self, part: Packed, cards: Packed) -> bool:
        """Whether a part of the hand has all of these cards."""
        return ((part | self._guard) - cards) & self._guard == self._guard

    def _new_melds(self, hand: Cards, catalogue: Catalogue) -> None:
        held = self._held
        absent = sum([1 << card for card, copies in enumerate(held) if not copies])
        wilds = sum([held[card] for card in self._wilds])
        active = catalogue.active(hand, wilds, whole=self._whole)
        plain = self._wilds in ([], [JOKER]) and not self._barred and not self._whole
        fillings = Fillings(self._wilds, held, self.unit)
        seen: set[tuple[int, int]] = set()
        for form, ways in active:
            mask = form.mask
            missing = (mask & absent).bit_count()
            if missing > wilds:
                continue
            if not plain or not form.plain or len(ways) > 1 or ways[0].later:
                self._fill(form, ways, wilds, fillings)
                continue
            if form.alike:
                # Where wild cards count as themselves, only the cards that are there tell such
                # forms apart.
                present = mask & ~absent, form.alike
                if present in seen:
                    continue
                seen.add(present)
            self._fill_plainly(form, ways[0], missing, wilds)

    def _fill_plainly(self, form: Template, way: LayingOrder, missing: int, wilds: int) -> None:
        """Fills a form of different cards laid at once, with at most one kind of wild card."""
        unit, roles = self.unit, form.roles
        count = len(roles)
        spare = min(wilds, count - self._terms.least) - missing
        if spare < 0:
            return
        gains = way.gains
        if not wilds:
            self._note(sum([unit[role] for role in roles]), sum(gains), form, way, (), ())
            return
        wild = self._wilds[0]
        wild_gains, wild_unit = way.wild_gains[wild], unit[wild]
        cards = missing * wild_unit
        value = 0
        absent: list[int] = []
        present: list[int] = []
        for place, role in enumerate(roles):
            if unit[role]:
                cards += unit[role]
                value += gains[place]
                present.append(place)
            else:
                value += wild_gains[place]
                absent.append(place)
        if way.safe < missing:
            self._note(cards, value, form, way, tuple(absent), (wild,) * missing)
        worth = self.worth
        for extra in range(max(1, way.safe + 1 - missing), spare + 1):
            for dropped in combinations(present, extra):
                key, total = cards, value
                for place in dropped:
                    key += wild_unit - unit[roles[place]]
                    total += wild_gains[place] - gains[place]
                cached = worth.get(key)
                if cached is None or cached < total:
                    places = (*absent, *dropped)
                    if not way.halves or not _is_halved(way, places, self._terms.least):
                        worth[key] = total
                        self.offers[key] = _new(NewMeld, (form, way, places, (wild,) * len(places)))

    def _note(
        self,
        key: Packed,
        value: int,
        form: Template,
        way: LayingOrder,
        places: Places,
        wild_cards: tuple[Card, ...],
    ) -> None:
        cached = self.worth.get(key)
        if cached is None or cached < value:
            self.worth[key] = value
            self.offers[key] = _new(NewMeld, (form, way, places, wild_cards))

    def _fill(
        self, form: Template, ways: Sequence[LayingOrder], wilds: int, fillings: Fillings
    ) -> None:
        """Fills any form in every way."""
        terms, unit, roles = self._terms, self.unit, form.roles
        present: list[int] = []
        absent: list[int] = []
        for place, role in enumerate(roles):
            (present if roles[:place].count(role) < self._held[role] else absent).append(place)
        for extra in range(min(wilds - len(absent), len(present)) + 1):
            for dropped in combinations(present, extra):
                self._count(len(ways))
                places = (*absent, *dropped)
                if any(
                    roles[place] == JOKER or self._barred >> roles[place] & 1 for place in places
                ):
                    continue
                remaining = [place for place in present if place not in dropped]
                cards = sum(unit[roles[place]] for place in remaining)
                for way in ways:
                    if not self._enough(form, way, places):
                        continue
                    if not self._whole and (
                        len(places) <= way.safe or _is_halved(way, places, terms.least)
                    ):
                        continue
                    value = sum(way.gains[place] for place in remaining)
                    for more, filled in fillings.of(form, way, places):
                        self._count(1)
                        gained = sum(
                            way.wild_gains[card][place]
                            for place, card in zip(places, filled, strict=True)
                        )
                        key = cards + more
                        if not self._are_held(form, remaining, filled):
                            continue
                        if terms.four_aces is not None:
                            gained += self._four_aces(form, way, remaining, filled)
                        self._note(key, value + gained, form, way, places, filled)
                        if self._whole:
                            self._note_opener(
                                key, value + gained, NewMeld(form, way, places, filled)
                            )

    def _count(self, ways: int) -> None:
        """Gives up where wild cards can be laid in more ways than can be compared."""
        self._tried += ways
        EFFORT.spent += ways
        if self._tried > MOST_WAYS or EFFORT.over:
            raise TooManyWays

    def _enough(self, form: Template, way: LayingOrder, places: Places) -> bool:
        """Whether what is laid at once has natural cards enough."""
        jokers = self._terms.wilds.jokers
        naturals = sum(
            place not in places and not (jokers and form.roles[place] == JOKER)
            for place in way.base
        )
        return naturals >= self._terms.least

    def _are_held(self, form: Template, remaining: Sequence[int], filled: Sequence[Card]) -> bool:
        """Whether there are enough copies of a wild card, those laid as themselves included."""
        return all(
            filled.count(card) + sum(form.roles[place] == card for place in remaining)
            <= self._held[card]
            for card in set(filled)
        )

    def _four_aces(
        self, form: Template, way: LayingOrder, remaining: Sequence[int], filled: Sequence[Card]
    ) -> int:
        """What four aces at once bring beyond their own points.

        At most, if there are more cards.
        """
        whole = self._terms.four_aces
        aces = sum(
            rank_of(form.roles[place]) == ACE for place in remaining if form.roles[place] != JOKER
        )
        aces += sum(rank_of(card) == ACE for card in filled if card != JOKER)
        if whole is None or aces < 4:
            return 0
        if len(form.roles) > 4 or filled:
            return whole * SCALE
        return (whole - sum(way.points)) * SCALE

    def _note_opener(self, key: Packed, value: int, meld: NewMeld) -> None:
        way = meld.way
        stated = dict(zip(meld.wild_places, meld.wild_cards, strict=True))
        points = sum(
            way.wild_points[stated[place]][place] if place in stated else way.points[place]
            for place in way.base
        )
        if points >= self._terms.first_points and (
            key not in self.openers or self.openers[key][0] < value
        ):
            self.openers[key] = value, meld


def _is_halved(way: LayingOrder, places: Places, least: int) -> bool:
    """Whether, with wild cards at these places, two smaller melds have natural cards enough."""
    for halves in way.halves:
        naturals = [sum(place not in places for place in half) for half in halves]
        if min(naturals) >= least:
            return True
    return False
