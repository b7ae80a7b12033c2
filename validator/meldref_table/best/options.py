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
        at_once = [self._at(place, terms) for place in self.way.base]
        if not self.form.pattern.is_run:
            at_once.sort(key=lambda played: (played.role is not None, played.card))
        return tuple(at_once), tuple(self._at(place, terms) for place in self.way.later)

    def _at(self, place: int, terms: Terms) -> Played:
        """The card at a place."""
        if place in self.wild_places:
            card = self.wild_cards[self.wild_places.index(place)]
            return Played(card, self.form.wild_role(place))
        role = self.form.roles[place]
        if role == JOKER and terms.wilds.jokers:
            return Played(JOKER, JOKER)
        return Played(role)


class OnSpot(NamedTuple):
    """Cards laid off, in order, on a meld of the table."""

    spot: Spot
    cards: tuple[Played, ...]


Offer: TypeAlias = "NewMeld | OnSpot"


MOST_WAYS: Final = 100_000
"""The most ways to lay new melds with wild cards that are compared."""


class Offers:
    """All that a hand can lay, packed for the choice.

    `worth` and `offers` are the value and what is laid for each set of cards; what is laid off on a
    meld of the table takes the unit of that meld as well, as each is built on once. `every` are all
    cards and all melds of the table, `unit` is one copy of each card that is held.

    `whole`: nothing is left out because two melds equal one; `openers` are then the new melds that
    may be a player's first, with their values.
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
        self.unit = [0] * (JOKER + 1)
        self.every: Packed = 0
        self._terms = terms
        self._barred = barred
        self._whole = whole
        self._fields: list[Field] = []
        self._tried = 0
        self._held = [hand >> (WIDTH * card) & 31 for card in range(JOKER + 1)]
        self.cards = sum(self._held)
        wild_cards = terms.wilds.cards
        self._wilds = sorted(card for card in wild_cards if self._held[card])
        naturals = [card for card in (*_ORDER, JOKER) if card not in wild_cards]
        for card in (*naturals, *self._wilds):
            copies = self._held[card]
            if copies:
                self.unit[card] = self._field(copies, terms.most[card])
        self._new_melds(hand, catalogue)
        for spot in spots:
            table_meld = self._field(1, 0)
            ways = chains(terms, catalogue, spot, hand, barred, shorten=not whole)
            for cards, (value, laid) in ways.items():
                key = table_meld + sum(self.unit[card] for card in each(cards))
                self.worth[key] = value
                self.offers[key] = OnSpot(spot, laid)
        self._guard = sum([field.guard for field in self._fields])

    def _field(self, copies: int, most: int) -> Packed:
        """Makes one more field of the packing, with all its copies in `every`; one unit of it."""
        shift = self._fields[-1].end if self._fields else 0
        field = Field.at(shift, copies, most=most)
        self._fields.append(field)
        self.every += copies * field.unit
        return field.unit

    def packing(self, worth: Mapping[Packed, int] | None = None) -> Packing:
        """The choice among these offers, or some of them."""
        return Packing(self._fields, self.worth if worth is None else worth)

    def contains(self, part: Packed, cards: Packed) -> bool:
        """Whether a part of the hand has all of these cards."""
        return ((part | self._guard) - cards) & self._guard == self._guard

    def _new_melds(self, hand: Cards, catalogue: Catalogue) -> None:
        """Fills every form that the hand has cards for."""
        held = self._held
        absent = sum([1 << card for card, copies in enumerate(held) if not copies])
        wilds = sum([held[card] for card in self._wilds])
        only_jokers = self._wilds in ([], [JOKER]) and not self._barred and not self._whole
        fillings = Fillings(self._wilds, held, self.unit, self._terms.wilds)
        for form, ways in catalogue.active(hand, wilds, whole=self._whole):
            missing = (form.mask & absent).bit_count()
            if missing > wilds:
                continue
            if only_jokers and form.plain and len(ways) == 1 and not ways[0].later:
                self._fill_plainly(form, ways[0], missing, wilds)
            else:
                self._fill(form, ways, wilds, fillings)

    def _fill_plainly(self, form: Template, way: LayingOrder, missing: int, jokers: int) -> None:
        """Fills a form of different cards, laid at once, in which only jokers may be wild.

        As `_fill` does, in a fifth of the time for twenty cards with two jokers.
        """
        unit, roles = self.unit, form.roles
        spare = min(jokers, len(roles) - self._terms.least) - missing
        if spare < 0:
            return
        if not jokers:
            key = sum([unit[role] for role in roles])
            self._note(key, sum(way.gains), form, way, (), ())
            return
        gains, joker_gains, joker = way.gains, way.wild_gains[JOKER], unit[JOKER]
        cards = missing * joker
        value = 0
        absent: list[int] = []
        present: list[int] = []
        for place, role in enumerate(roles):
            if unit[role]:
                cards += unit[role]
                value += gains[place]
                present.append(place)
            else:
                value += joker_gains[place]
                absent.append(place)
        if way.safe < missing:
            self._note(cards, value, form, way, tuple(absent), (JOKER,) * missing)
        worth = self.worth
        for more in range(max(1, way.safe + 1 - missing), spare + 1):
            for replaced in combinations(present, more):
                key, total = cards, value
                for place in replaced:
                    key += joker - unit[roles[place]]
                    total += joker_gains[place] - gains[place]
                if total <= worth.get(key, total - 1):
                    continue
                places = (*absent, *replaced)
                if not way.halves or not _is_halved(way, places, self._terms.least):
                    worth[key] = total
                    self.offers[key] = _new(NewMeld, (form, way, places, (JOKER,) * len(places)))

    def _note(
        self,
        key: Packed,
        value: int,
        form: Template,
        way: LayingOrder,
        places: Places,
        wild_cards: tuple[Card, ...],
    ) -> None:
        """Offers these cards as a new meld, unless they are offered for as much."""
        if self.worth.get(key, value - 1) < value:
            self.worth[key] = value
            self.offers[key] = _new(NewMeld, (form, way, places, wild_cards))

    def _fill(
        self, form: Template, ways: Sequence[LayingOrder], wilds: int, fillings: Fillings
    ) -> None:
        """Fills any form in every way: the places that lack a card, and then also others."""
        roles = form.roles
        present: list[int] = []
        absent: list[int] = []
        for place, role in enumerate(roles):
            if roles[:place].count(role) < self._held[role]:
                present.append(place)
            else:
                absent.append(place)
        for more in range(min(wilds - len(absent), len(present)) + 1):
            for replaced in combinations(present, more):
                self._count(len(ways))
                wild_places = (*absent, *replaced)
                if any(self._takes_no_wild_card(roles[place]) for place in wild_places):
                    continue
                remaining = [place for place in present if place not in replaced]
                for way in ways:
                    if self._pays(form, way, wild_places):
                        self._fill_places(form, way, remaining, wild_places, fillings)

    def _takes_no_wild_card(self, role: Card) -> bool:
        return role == JOKER or bool(self._barred >> role & 1)

    def _pays(self, form: Template, way: LayingOrder, wild_places: Places) -> bool:
        """Whether what is laid at once has natural cards enough, and two melds are not as good."""
        least = self._terms.least
        jokers_as_themselves = self._terms.wilds.jokers
        naturals = 0
        for place in way.base:
            itself = form.roles[place] == JOKER and jokers_as_themselves
            naturals += place not in wild_places and not itself
        if naturals < least:
            return False
        if self._whole:
            return True
        return len(wild_places) > way.safe and not _is_halved(way, wild_places, least)

    def _fill_places(
        self,
        form: Template,
        way: LayingOrder,
        remaining: Sequence[int],
        wild_places: Places,
        fillings: Fillings,
    ) -> None:
        """Offers a form with natural cards in some places, and every choice of wild cards."""
        naturals = sum(self.unit[form.roles[place]] for place in remaining)
        value_of_naturals = sum(way.gains[place] for place in remaining)
        for wild_units, wild_cards in fillings.of(form, way, wild_places):
            self._count(1)
            if not self._are_held(form, remaining, wild_cards):
                continue
            value = value_of_naturals
            for place, card in zip(wild_places, wild_cards, strict=True):
                value += way.wild_gains[card][place]
            if self._terms.four_aces is not None:
                value += self._four_aces(form, way, remaining, wild_cards)
            key = naturals + wild_units
            self._note(key, value, form, way, wild_places, wild_cards)
            if self._whole:
                self._note_opener(key, value, NewMeld(form, way, wild_places, wild_cards))

    def _count(self, ways: int) -> None:
        """Gives up where wild cards can be laid in more ways than can be compared."""
        self._tried += ways
        EFFORT.spent += ways
        if self._tried > MOST_WAYS or EFFORT.over:
            raise TooManyWays

    def _are_held(
        self, form: Template, remaining: Sequence[int], wild_cards: Sequence[Card]
    ) -> bool:
        """Whether there are enough copies of a wild card, those laid as themselves included."""
        return all(
            wild_cards.count(card) + sum(form.roles[place] == card for place in remaining)
            <= self._held[card]
            for card in set(wild_cards)
        )

    def _four_aces(
        self, form: Template, way: LayingOrder, remaining: Sequence[int], wild_cards: Sequence[Card]
    ) -> int:
        """What four aces at once bring beyond their own points.

        At most, if there are more cards.
        """
        whole = self._terms.four_aces
        cards = [*(form.roles[place] for place in remaining), *wild_cards]
        aces = sum(card != JOKER and rank_of(card) == ACE for card in cards)
        if whole is None or aces < 4:
            return 0
        if len(form.roles) > 4 or wild_cards:
            return whole * SCALE
        return (whole - sum(way.points)) * SCALE

    def _note_opener(self, key: Packed, value: int, meld: NewMeld) -> None:
        """Keeps a new meld that may be the first, unless its cards are kept for as much."""
        if key in self.openers and self.openers[key][0] >= value:
            return
        way = meld.way
        wild_cards = dict(zip(meld.wild_places, meld.wild_cards, strict=True))
        points = 0
        for place in way.base:
            card = wild_cards.get(place)
            points += way.points[place] if card is None else way.wild_points[card][place]
        if points >= self._terms.first_points:
            self.openers[key] = value, meld


def _is_halved(way: LayingOrder, places: Places, least: int) -> bool:
    """Whether, with wild cards at these places, two smaller melds have natural cards enough."""
    for halves in way.halves:
        naturals = [sum(place not in places for place in half) for half in halves]
        if min(naturals) >= least:
            return True
    return False
