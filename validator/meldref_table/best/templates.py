"""The natural melds of a ruleset as forms that a hand fills, without those that never pay.

A form can be laid in one or more ways: all at once, or four of it at once and the rest laid off,
where four at once count more. A way is left out where its cards, laid as two smaller melds, bring
at least as much card by card: a run of six is two runs of three. That holds for every filling with
few wild cards; with more, one of the two might lack its natural cards, so `LayingOrder.safe` says
how many wild cards are few.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement, islice, permutations
from typing import Final, NamedTuple, TypeAlias

from meldref.core.cards import ACE, ANY_SUIT, JOKER, Card, bits_of, rank_of
from meldref.melds import UNPLACED, Laid
from meldref.melds.beyond_deck import BeyondDeck, kind_index
from meldref.melds.kinds import Pattern, Roles
from meldref.melds.lay_off_index import KindIndex, NaturalMelds
from meldref.melds.shapes import WildCards
from meldref_table.best.objective import Terms
from meldref_table.best.packing import Packed

Places: TypeAlias = tuple[int, ...]

NEVER: Final = -1
_MOST_ORDERED: Final = 6
"""The most wild cards of which every order is tried, where it matters which of them are laid at
once."""


class LayingOrder(NamedTuple):
    """How a form is laid: which places at once, which afterwards in which order, and their points.

    `points` and `gains` are for a natural card at each place, `wild_points` and `wild_gains` for
    each wild card. `halves` are the places that have to hold natural cards enough for it to be laid
    as two melds instead.
    """

    base: Places
    later: Places
    points: tuple[int, ...]
    gains: tuple[int, ...]
    wild_points: dict[Card, tuple[int, ...]]
    wild_gains: dict[Card, tuple[int, ...]]
    halves: tuple[tuple[Places, Places], ...] = ()
    safe: int = NEVER


class Template:
    """A natural meld to be filled, place by place, with natural and wild cards.

    `special`: four aces of one player might lie in it, which count otherwise. A `plain` form has
    neither those nor jokers as themselves, nor any card twice.
    """

    __slots__ = (
        "has_joker",
        "mask",
        "opens",
        "pattern",
        "plain",
        "roles",
        "special",
        "ways",
    )

    def __init__(self, pattern: Pattern, roles: Roles, *, opens: bool, four_aces: bool) -> None:
        self.pattern = pattern
        self.roles = roles
        self.opens = opens
        self.mask = bits_of(roles)
        self.has_joker = JOKER in roles
        self.special = four_aces and sum(role != JOKER and role % 13 == ACE for role in roles) >= 4
        self.plain = not self.has_joker and not self.special and len(set(roles)) == len(roles)
        self.ways: tuple[LayingOrder, ...] = ()

    def wild_role(self, place: int) -> int:
        """What a wild card at a place is said to stand for."""
        role = self.roles[place]
        return ANY_SUIT + rank_of(role) if self.opens else role


MOST_FORMS: Final = 5_000
"""The most melds of a kind without a table that are looked at in one hand."""


class TooManyWays(Exception):
    """The cards of a hand can be laid in more ways than can be compared."""


Active: TypeAlias = "list[tuple[Template, tuple[LayingOrder, ...]]]"


class Catalogue:
    """The forms of a ruleset, with the ways to lay them that can pay."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        melds = terms.ruleset.melds
        self._kinds: list[KindIndex] = [
            kind_index(Pattern(kind, terms.packs, terms.jokers), melds.wild) for kind in melds.kinds
        ]
        self._enough = 3 if terms.wilds.cards else 0
        self._reduces = terms.four_aces is None or all(
            card == JOKER or rank_of(card) != ACE for card in terms.wilds.cards
        )
        self._forms: list[Template] = []
        self.by_roles: dict[Roles, Template] = {}
        self._untabled: list[KindIndex] = []
        self._beyond: list[BeyondDeck] = []
        for kind in self._kinds:
            deck = kind
            if isinstance(kind, BeyondDeck):
                self._beyond.append(kind)
                deck = kind.deck
            if not isinstance(deck, NaturalMelds):
                self._untabled.append(deck)
                continue
            for size in deck.pattern.sizes:
                self._forms.extend(self._made(deck.pattern, deck.containing(size, ())))
        self._active: dict[tuple[int, bool], Active] = {}

    def active(self, cards: int, wilds: int, *, whole: bool) -> Active:
        """The forms that matter to a hand with this many wild cards.

        `whole`: also those that two melds equal.
        """
        key = wilds, whole
        cached = self._active.get(key)
        if cached is None:
            cached = self._active[key] = list(_chosen(self._forms, wilds, whole=whole))
        more: list[Template] = []
        for kind in self._untabled:
            more += self._few_forms(kind.pattern, kind.within(cards, wilds))
        for group in self._beyond:
            more += self._few_forms(group.pattern, group.beyond(cards, wilds))
        return [*cached, *_chosen(more, wilds, whole=True)] if more else cached

    def _few_forms(self, pattern: Pattern, melds: Iterator[Roles]) -> Iterator[Template]:
        """The forms of melds that no table holds, if they are few enough to be looked at."""
        few = list(islice(melds, MOST_FORMS + 1))
        if len(few) > MOST_FORMS:
            raise TooManyWays
        return self._made(pattern, few)

    def _made(self, pattern: Pattern, melds: Iterable[Roles]) -> Iterator[Template]:
        terms = self._terms
        opens = pattern.leaves_suits_open and not terms.wilds.suits_stated
        for roles in melds:
            form = Template(pattern, roles, opens=opens, four_aces=terms.four_aces is not None)
            form.ways = tuple(self._reduced(form, way) for way in self._ways(form))
            self.by_roles.setdefault(roles, form)
            yield form

    def _ways(self, form: Template) -> Iterator[LayingOrder]:
        """All cards at once; where four at once count more, also four of them and then the rest."""
        size = len(form.roles)
        every = tuple(range(size))
        worth = self._terms.worth
        yield self._way(form, every, (), worth.factor(size))
        if worth.factor(4) == 1 or size <= 4 or not self._terms.onto_own:
            return
        if form.pattern.is_run:
            for start in range(size - 3):
                base = every[start : start + 4]
                later = (*reversed(every[:start]), *every[start + 4 :])
                yield self._way(form, base, later, worth.factor(4))
            return
        for base in combinations(every, 4):
            path = _growing(form, base)
            if path is not None:
                yield self._way(form, base, path, worth.factor(4))

    def _way(self, form: Template, base: Places, later: Places, factor: int) -> LayingOrder:
        """What each card brings at each place, those laid at once `factor` times."""
        terms, roles = self._terms, form.roles
        times = [factor if place in base else 1 for place in range(len(roles))]
        ace_place = form.pattern.ace_place(roles)
        places = [ace_place if role % 13 == ACE else UNPLACED for role in roles]
        points = [
            more * terms.worth.laid(Laid(role, role, place))
            for more, role, place in zip(times, roles, places, strict=True)
        ]
        wild_points: dict[Card, tuple[int, ...]] = {}
        for card in terms.wilds.cards:
            laid = [Laid(card, form.wild_role(at), place) for at, place in enumerate(places)]
            wild_points[card] = tuple(
                more * terms.wild_points(wild) for more, wild in zip(times, laid, strict=True)
            )
        gains = tuple(map(terms.gain, roles, points))
        wild_gains: dict[Card, tuple[int, ...]] = {}
        for card, brought in wild_points.items():
            wild_gains[card] = tuple(terms.gain(card, points_there) for points_there in brought)
        return LayingOrder(base, later, tuple(points), gains, wild_points, wild_gains)

    def _reduced(self, form: Template, way: LayingOrder) -> LayingOrder:
        """The way, with the pairs of smaller melds that are worth as much whatever fills them."""
        if not self._reduces or (form.has_joker and self._terms.wilds.jokers):
            return way
        halves = []
        safe = NEVER
        size = len(form.roles)
        # The middle first: the larger the smaller half, the more wild cards it can hold.
        for cut in sorted(range(1, size), key=lambda cut: abs(2 * cut - size)):
            head, tail = self.by_roles.get(form.roles[:cut]), self.by_roles.get(form.roles[cut:])
            if head is None or tail is None or form.special or head.special or tail.special:
                continue
            for first in head.ways:
                for second in tail.ways:
                    few = min(len(first.base), len(second.base)) - self._terms.least
                    if few > safe and _as_good(way, first, second):
                        halves.append((first.base, tuple(cut + place for place in second.base)))
                        safe = few
            if safe >= self._enough:
                break
        return way._replace(halves=tuple(halves), safe=safe)


def _as_good(way: LayingOrder, first: LayingOrder, second: LayingOrder) -> bool:
    """Whether two ways bring, place by place, at least what one does, whichever cards are there."""
    if any(more > less for more, less in zip(way.gains, first.gains + second.gains, strict=True)):
        return False
    return all(
        more <= less
        for card, gains in way.wild_gains.items()
        for more, less in zip(gains, first.wild_gains[card] + second.wild_gains[card], strict=True)
    )


def _chosen(
    forms: Iterable[Template], wilds: int, *, whole: bool
) -> Iterator[tuple[Template, tuple[LayingOrder, ...]]]:
    """The forms with the ways that matter to a hand with so many wild cards."""
    for form in forms:
        ways = form.ways
        if not whole:
            ways = tuple(way for way in ways if way.safe < wilds or way.safe == NEVER)
        if ways:
            yield form, ways


def _growing(form: Template, base: Places) -> Places | None:
    """An order in which the other places can be laid off on some, None if there is none."""
    if not form.pattern.obeyed_by(tuple(form.roles[place] for place in base)):
        return None
    others = [place for place in range(len(form.roles)) if place not in base]
    if not others:
        return ()
    for place in others:
        rest = _growing(form, tuple(sorted((*base, place))))
        if rest is not None:
            return (place, *rest)
    return None


class Fillings:
    """The wild cards that can take some places: every set of them, in an order that is allowed.

    A wild card stands for another card than itself: where its own place is among those to be taken,
    another card has to take that one.
    """

    def __init__(
        self,
        wilds: Sequence[Card],
        held: Sequence[int],
        unit: Sequence[Packed],
        rules: WildCards,
    ) -> None:
        self._wilds = wilds
        self._rules = rules
        self._held = held
        self._unit = unit
        self._sets: dict[int, list[tuple[Packed, tuple[Card, ...]]]] = {}

    def of(
        self, form: Template, way: LayingOrder, places: Places
    ) -> Iterator[tuple[Packed, tuple[Card, ...]]]:
        """Each set of wild cards for these places, the dearest cards where they count most."""
        for cards, row in self._of_size(len(places)):
            filled = self._placed(form, way, places, row)
            if filled is not None:
                yield cards, filled

    def _of_size(self, number: int) -> list[tuple[Packed, tuple[Card, ...]]]:
        cached = self._sets.get(number)
        if cached is None:
            cached = self._sets[number] = [
                (sum(self._unit[card] for card in row), row)
                for row in combinations_with_replacement(self._wilds, number)
                if all(row.count(card) <= self._held[card] for card in set(row))
            ]
        return cached

    def _placed(
        self, form: Template, way: LayingOrder, places: Places, row: tuple[Card, ...]
    ) -> tuple[Card, ...] | None:
        """The best order of cards for places, None if one of them would stand for itself."""
        roles: Roles = (ANY_SUIT,) * len(form.roles) if form.opens else form.roles
        if self._rules.same_colour:
            may_be = self._rules.may_be
            wanted = [roles[place] for place in places]
            fits = [[card != role and may_be(card, role) for card in row] for role in wanted]
            return _matched(fits, row)
        order = _apart(roles, places, list(row))
        if order is None or not way.later or len(set(row)) <= 1 or len(row) > _MOST_ORDERED:
            return order
        allowed = (
            order
            for order in set(permutations(row))
            if all(roles[place] != card for place, card in zip(places, order, strict=True))
        )
        return max(
            allowed,
            key=lambda order: sum(map(lambda at, card: way.wild_gains[card][at], places, order)),
        )


def _apart(roles: Roles, places: Places, row: list[Card]) -> tuple[Card, ...] | None:
    """An order of cards in which none stands for itself: one that does swaps places."""
    for index, place in enumerate(places):
        if row[index] != roles[place]:
            continue
        for other, elsewhere in enumerate(places):
            if row[other] != roles[place] and row[index] != roles[elsewhere]:
                row[index], row[other] = row[other], row[index]
                break
        else:
            return None
    return tuple(row)


def _matched(fits: Sequence[Sequence[bool]], row: tuple[Card, ...]) -> tuple[Card, ...] | None:
    """A card of the row for each place, where `fits` says which it takes; None if there is none."""
    taken: list[int] = []

    def place_rest() -> bool:
        place = len(taken)
        if place == len(fits):
            return True
        for index, takes in enumerate(fits[place]):
            if takes and index not in taken:
                taken.append(index)
                if place_rest():
                    return True
                taken.pop()
        return False

    return tuple([row[index] for index in taken]) if place_rest() else None
