"""Why cards are no meld: the fault nearest to what has to change, and the cards at fault.

Each question is the same: would the cards be a meld if one thing were otherwise?
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from meldref.core.cards import (
    ANY_SUIT,
    JOKER,
    UNKNOWN,
    Played,
    Role,
    card_text,
    counted,
    played_text,
)
from meldref.core.records import NamedTuple, changed
from meldref.core.text import many
from meldref.melds.beyond_deck import BeyondDeck, may_repeat_suits
from meldref.melds.extending import not_wild, of_other_colour, place_of_aces, without_role
from meldref.melds.interpret import Possible, Sorted, readings
from meldref.melds.kinds import Pattern, Roles
from meldref.melds.lay_off_index import KindIndex, Solved
from meldref.melds.shapes import Fault, WildCards
from meldref.ruleset.model import Kind

STANDARD: Final = (
    Kind("group", 3, 4, ("same_rank", "distinct_suits")),
    Kind("sequence", 3, 13, ("same_suit", "consecutive_ranks")),
    Kind("jokers", 3, 4, (), ("joker",)),
)
"""The kinds of meld that players know from other games of the family (P-GRP-01, P-SEQ-01,
W-PER-06)."""

_ANY_SIZE: Final = 104

MOST_SETS: Final = 3
"""Where more sets would do, none of them is at fault more than the others."""


def of_cards(wilds: WildCards, cards: Sequence[Played]) -> Fault | None:
    """What is wrong with a card by itself, whatever it is melded with."""
    for played in cards:
        card, role = played
        if card == UNKNOWN:
            message = "a card that nobody saw cannot be part of a meld"
            return Fault("meld.shape", message, "melds.kinds")
        if role is not None and role != card and card not in wilds.cards:
            return Fault("wild.role", not_wild(played), "melds.wild.cards")
    return None


def unbound(wilds: WildCards, cards: Sequence[Played], possible: Sequence[Possible]) -> Fault:
    """Several readings, none of them chosen (P-JOK-03, P-JOK-07)."""
    written = Sorted.of(cards, wilds)
    wild_places = [*written.bare, *[place for place, _ in written.bound]]
    key = "melds.wild.cards"
    if wilds.suits_stated and all(reading.pattern.leaves_suits_open for reading in possible):
        key = "melds.wild.suit_in_group"
    stands = "the joker stands"
    if wild_places:
        first = cards[min(wild_places)].card
        if first != JOKER:
            stands = f"{card_text(first)} stands"
    ways = tuple(reading.spelled(cards) for reading in possible)
    return Fault("wild.unbound", f"it is not clear what {stands} for", key, ways)


def no_reading(
    kinds: Sequence[KindIndex], wilds: WildCards, cards: Sequence[Played], barred: int
) -> Fault:
    """The first of these changes that would make a meld of the cards names the fault."""
    laid = _CardsLaid(kinds, wilds, cards, barred)
    return (
        laid.are_of_no_size()
        or laid.are_too_few_or_many(cards)
        or laid.lack_naturals()
        or laid.have_a_wild_card_of_other_colour()
        or laid.are_bound_wrongly()
        or laid.are_too_few_or_many(laid.with_free_wild_cards())
        or laid.are_too_many_of_a_rank()
        or laid.have_a_joker_that_is_not_wild()
        or laid.have_a_wild_card_without_role()
        or laid.are_a_kind_of_other_games()
        or laid.would_be_with_less_asked()
        or laid.are_no_kind()
    )


class _CardsLaid:
    """Cards that were laid as a meld and are none.

    Each method answers with a fault if the cards would be a meld without it.
    """

    def __init__(
        self, kinds: Sequence[KindIndex], wilds: WildCards, cards: Sequence[Played], barred: int
    ) -> None:
        self._kinds = kinds
        self._wilds = wilds
        self._cards = cards
        self._barred = barred
        self._written = Sorted.of(cards, wilds)

    def with_free_wild_cards(self) -> list[Played]:
        """The cards with nothing said about wild ones, which are then as good as jokers."""
        return _with_jokers_at(self._cards, [place for place, _ in self._written.bound])

    def are_of_no_size(self) -> Fault | None:
        """A size that no kind has."""
        possible = [index for index in self._kinds if index.pattern.sizes]
        if not possible:
            return None
        smallest = min(possible, key=lambda index: index.pattern.sizes.start).pattern
        largest = max(possible, key=lambda index: index.pattern.sizes.stop).pattern
        count = len(self._cards)
        if smallest.sizes.start <= count < largest.sizes.stop:
            return None
        nearest = smallest if count < smallest.sizes.start else largest
        return self.are_too_few_or_many(self._cards) or _size_fault(nearest.kind, count)

    def are_too_few_or_many(self, cards: Sequence[Played]) -> Fault | None:
        """A kind with too few or too many cards.

        Too many may repeat a suit (P-GRP-01, P-JOK-12, W-MELD-03).
        """
        count = len(cards)
        for index in self._kinds:
            kind = index.pattern.kind
            if kind.min_size <= count <= kind.max_size:
                continue
            of_any_size = changed(kind, min_size=1, max_size=_ANY_SIZE)
            if count > kind.max_size:
                of_any_size = _without_distinct_suits(of_any_size)
            packs = max(index.pattern.packs, count)
            jokers = max(index.pattern.jokers, count)
            if readings([Solved(Pattern(of_any_size, packs, jokers))], self._wilds, cards):
                return _size_fault(kind, count)
        return None

    def lack_naturals(self) -> Fault | None:
        """Too few natural cards (P-JOK-15)."""
        least = self._wilds.least_naturals
        if len(self._written.natural) >= least:
            return None
        none_needed = changed(self._wilds, naturals=0)
        if not readings(self._kinds, none_needed, self._cards) and not readings(
            self._kinds, none_needed, self.with_free_wild_cards()
        ):
            return None
        message = f"a meld needs at least {many(least, 'natural card')}"
        return Fault("wild.naturals", message, "melds.wild.naturals")

    def have_a_wild_card_of_other_colour(self) -> Fault | None:
        """A wild card that stands for a card of the other colour."""
        if not self._wilds.same_colour:
            return None
        of_any_colour = changed(self._wilds, same_colour=False)
        for possible in readings(self._kinds, of_any_colour, self._cards, self._barred):
            wrong = possible.other_colour(self._cards, self._wilds)
            if wrong is not None:
                return Fault("wild.role", of_other_colour(wrong), "melds.wild.colour")
        return None

    def are_bound_wrongly(self) -> Fault | None:
        """A wild card said to stand for a card that it cannot be here (P-JOK-11, P-JOK-12)."""
        if self._barred and readings(self._kinds, self._wilds, self._cards):
            message = "the wild card stands for a card that is already on the table"
            return Fault("wild.binding", message, "melds.wild.twins")
        bound = [place for place, _ in self._written.bound]
        jokers_wild = _with_jokers(self._wilds)
        # One card at fault is named rather than all of them, of which the first then stands.
        for places in (*([place] for place in bound), bound):
            if places and readings(self._kinds, jokers_wild, _with_jokers_at(self._cards, places)):
                message = f"{played_text(self._cards[places[0]])} has no place among these cards"
                return Fault("wild.binding", message, "melds.kinds")
        return None

    def are_too_many_of_a_rank(self) -> Fault | None:
        """More wild cards in a group than the deck has cards for, where there are no twins."""
        if not self._wilds.cards:
            return None
        with_more_packs = [
            BeyondDeck(index, stated=self._wilds.suits_stated)
            for index in self._kinds
            if may_repeat_suits(index.pattern.kind)
        ]
        if not readings(with_more_packs, self._wilds, self._cards):
            return None
        message = "the deck has no card left for the wild card to stand for"
        return Fault("wild.binding", message, "melds.wild.twins")

    def have_a_joker_that_is_not_wild(self) -> Fault | None:
        """A joker used as a wild card where it is none (W-PER-05)."""
        if self._wilds.jokers or all(played.card != JOKER for played in self._cards):
            return None
        if not readings(self._kinds, _with_jokers(self._wilds), self._cards):
            return None
        return Fault("wild.role", "jokers are not wild here", "melds.wild.cards")

    def have_a_wild_card_without_role(self) -> Fault | None:
        """A wild card, not a joker, that does not say what it stands for (P-JOK-03, G-VAR-03)."""
        without = [
            place
            for place, (card, role) in enumerate(self._cards)
            if role is None and card != JOKER and card in self._wilds.cards
        ]
        jokers_wild = _with_jokers(self._wilds)
        for places in (*([place] for place in without), without):
            as_jokers = _with_jokers_at(self._cards, places)
            possible = readings(self._kinds, jokers_wild, as_jokers, self._barred)
            if possible:
                message = without_role(*[self._cards[place] for place in places])
                ways = tuple(reading.spelled(self._cards) for reading in possible)
                return Fault("meld.shape", message, "melds.kinds", ways)
        return None

    def are_a_kind_of_other_games(self) -> Fault | None:
        """A meld of another game of the family, of a kind that this ruleset does not have."""
        names = {index.pattern.kind.name for index in self._kinds}
        for kind in STANDARD:
            if kind.name not in names and self._are_of(kind, packs=self._packs()):
                message = (
                    f"these cards form a {kind.name}, a kind of meld that this game does not have"
                )
                return Fault("meld.kind", message, f"melds.kinds.{kind.name}")
        return None

    def would_be_with_less_asked(self) -> Fault | None:
        """A kind that asks for one thing too much (P-SEQ-06, P-GRP-04)."""
        packs = max(self._packs(), len(self._cards))
        for index in self._kinds:
            for relaxed in _relaxed(index.pattern):
                if self._are_of(relaxed.kind, packs=packs):
                    key = f"melds.kinds.{relaxed.kind.name}.{relaxed.part}"
                    return Fault("meld.shape", relaxed.message, key)
        return None

    def are_no_kind(self) -> Fault:
        """Nothing would help."""
        names = [index.pattern.kind.name for index in self._kinds]
        if len(names) == 2:
            message = f"these cards are neither a {names[0]} nor a {names[1]}"
        else:
            message = "these cards are no kind of meld: " + ", ".join(names)
        return Fault("meld.shape", message, "melds.kinds")

    def _packs(self) -> int:
        return self._kinds[0].pattern.packs if self._kinds else 1

    def _are_of(self, kind: Kind, *, packs: int) -> bool:
        """Whether the cards are of a kind that the ruleset does not have, in such a deck."""
        jokers = len(self._cards)
        if self._kinds:
            jokers = max(jokers, self._kinds[0].pattern.jokers)
        return bool(readings([Solved(Pattern(kind, packs, jokers))], self._wilds, self._cards))


def _with_jokers_at(cards: Sequence[Played], places: Sequence[int]) -> list[Played]:
    """The cards with jokers in some places."""
    return [Played(JOKER) if place in places else card for place, card in enumerate(cards)]


def _with_jokers(wilds: WildCards) -> WildCards:
    """The settings if jokers were wild."""
    return changed(wilds, cards=wilds.cards | {JOKER})


def _without_distinct_suits(kind: Kind) -> Kind:
    """The kind if its cards could be of the same suit."""
    return changed(kind, require=tuple(name for name in kind.require if name != "distinct_suits"))


def _size_fault(kind: Kind, count: int) -> Fault:
    least, most = kind.min_size, kind.max_size
    if least == most:
        wanted = f"{least}"
    elif most == least + 1:
        wanted = f"{least} or {most}"
    else:
        wanted = f"{least} to {most}"
    message = f"a {kind.name} has {wanted} cards, not {count}"
    return Fault("meld.size", message, f"melds.kinds.{kind.name}.size")


class _RelaxedKind(NamedTuple):
    """A kind that asks for a little less, the part that asks for it, and what it says."""

    kind: Kind
    part: str
    message: str


def _relaxed(pattern: Pattern) -> Iterator[_RelaxedKind]:
    """A kind with aces anywhere, or without different suits, if it asks for those."""
    kind = pattern.kind
    if pattern.is_run and "around" not in kind.ace:
        yield _RelaxedKind(changed(kind, ace=("around",)), "ace", place_of_aces(kind))
    if "distinct_suits" in kind.require:
        message = f"the cards of a {kind.name} must be of different suits"
        yield _RelaxedKind(_without_distinct_suits(kind), "require", message)


def minimal_conflict(
    kinds: Sequence[KindIndex], wilds: WildCards, cards: Sequence[Played]
) -> tuple[tuple[Played, ...], ...]:
    """The smallest sets of cards at fault: with others in their place, or none, the rest is a meld.

    Those that only have to be left out go before those that have to be replaced. None if more
    than half of the cards would have to go, or too many sets would do.
    """
    if any(played.card == UNKNOWN for played in cards):
        return ()
    written = Sorted.of(cards, wilds)
    held = counted([card for _, card in written.natural])
    wild_cards = len(cards) - len(written.natural)
    tabled = [index for index in kinds if _is_tabled(index)]
    for size in range(1, len(cards) // 2 + 1):
        left_out: set[tuple[int, ...]] = set()
        replaced: set[tuple[int, ...]] = set()
        for index in tabled:
            for roles in index.within(held, wild_cards + size):
                wrong = _outside(written, roles)
                if len(wrong) != size or len(roles) > len(cards):
                    continue
                if len(roles) == len(cards) - size:
                    left_out.add(tuple(sorted(wrong)))
                else:
                    replaced.add(tuple(sorted(wrong)))
        at_fault = {
            tuple([cards[place] for place in places]): None
            for places in sorted(left_out or replaced)
        }
        if at_fault:
            return tuple(at_fault) if len(at_fault) <= MOST_SETS else ()
    return ()


def _is_tabled(index: KindIndex) -> bool:
    deck = index.deck if isinstance(index, BeyondDeck) else index
    return not isinstance(deck, Solved)


def _outside(written: Sorted, roles: Roles) -> list[int]:
    """The places of cards in no natural meld, and of wild ones that cannot be what is said."""
    free = list(roles)
    wrong: list[int] = []
    for place, card in written.natural:
        if card in free:
            free.remove(card)
        else:
            wrong.append(place)
    for place, role in written.bound:
        fitting = next((card for card in free if _may_count_as(card, role)), None)
        if fitting is None:
            wrong.append(place)
        else:
            free.remove(fitting)
    wrong += written.bare[len(free) :]
    return wrong


def _may_count_as(card: Role, role: Role) -> bool:
    """Whether a card is what a wild card is said to stand for, or of its rank."""
    return card == role or (role >= ANY_SUIT and card % 13 == role - ANY_SUIT)
