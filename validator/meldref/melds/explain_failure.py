"""Why cards are no meld: the fault nearest to what has to change, and the cards at fault.

Each question is the same: would the cards be a meld if one thing were otherwise?
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
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
from meldref.core.records import changed
from meldref.core.text import many
from meldref.melds.beyond_deck import BeyondDeck, may_repeat_suits
from meldref.melds.extending import not_wild, without_role
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
            return Fault(
                "meld.shape", "a card that nobody saw cannot be part of a meld", "melds.kinds"
            )
        if role is not None and role != card and card not in wilds.cards:
            return Fault("wild.role", not_wild(played), "melds.wild.cards")
    return None


def unbound(wilds: WildCards, cards: Sequence[Played], possible: Sequence[Possible]) -> Fault:
    """Several readings, none of them chosen (P-JOK-03, P-JOK-07)."""
    written = Sorted.of(cards, wilds)
    at = min([*written.bare, *[place for place, _ in written.bound]], default=None)
    key = "melds.wild.cards"
    if wilds.suits_stated and all(reading.pattern.leaves_suits_open for reading in possible):
        key = "melds.wild.suit_in_group"
    ways = tuple(reading.spelled(cards) for reading in possible)
    named = (
        "the joker stands"
        if at is None or cards[at].card == JOKER
        else f"{card_text(cards[at].card)} stands"
    )
    return Fault("wild.unbound", f"it is not clear what {named} for", key, ways)


def no_reading(
    kinds: Sequence[KindIndex], wilds: WildCards, cards: Sequence[Played], barred: int
) -> Fault:
    """The first of these changes that would make a meld of the cards names the fault."""
    written = Sorted.of(cards, wilds)
    return (
        _size_of_all(kinds, wilds, cards)
        or _size(kinds, wilds, cards)
        or _naturals(kinds, wilds, cards, written)
        or _binding(kinds, wilds, cards, written, barred)
        or _size(kinds, wilds, _unbound(cards, written))
        or _twins(kinds, wilds, cards)
        or _plain_joker(kinds, wilds, cards)
        or _without_role(kinds, wilds, cards, barred)
        or _kind(kinds, wilds, cards)
        or _shape(kinds, wilds, cards)
    )


def _size_of_all(
    kinds: Sequence[KindIndex], wilds: WildCards, cards: Sequence[Played]
) -> Fault | None:
    """A size that no kind has."""
    sizes = [index.pattern.sizes for index in kinds if index.pattern.sizes]
    count = len(cards)
    if not sizes or min(size.start for size in sizes) <= count < max(size.stop for size in sizes):
        return None
    fault = _size(kinds, wilds, cards)
    if fault is not None:
        return fault
    if count < min(size.start for size in sizes):
        nearest = min(
            kinds, key=lambda index: index.pattern.sizes.start if index.pattern.sizes else _ANY_SIZE
        )
    else:
        nearest = max(kinds, key=lambda index: index.pattern.sizes.stop)
    return _size_fault(nearest.pattern.kind, cards)


def _size(kinds: Sequence[KindIndex], wilds: WildCards, cards: Sequence[Played]) -> Fault | None:
    """A kind with too few or too many cards.

    Too many may repeat a suit (P-GRP-01, P-JOK-12, W-MELD-03).
    """
    for index in kinds:
        kind = index.pattern.kind
        if kind.min_size <= len(cards) <= kind.max_size:
            continue
        freed = changed(kind, min_size=1, max_size=_ANY_SIZE)
        if len(cards) > kind.max_size:
            freed = changed(
                freed, require=tuple(name for name in kind.require if name != "distinct_suits")
            )
        packs = max(index.pattern.packs, len(cards))
        if readings(
            [Solved(Pattern(freed, packs, max(index.pattern.jokers, len(cards))))], wilds, cards
        ):
            return _size_fault(kind, cards)
    return None


def _size_fault(kind: Kind, cards: Sequence[Played]) -> Fault:
    count = len(cards)
    least, most = kind.min_size, kind.max_size
    wanted = (
        f"{least}" if least == most else f"{least} {'or' if most == least + 1 else 'to'} {most}"
    )
    message = f"a {kind.name} has {wanted} cards, not {count}"
    return Fault("meld.size", message, f"melds.kinds.{kind.name}.size")


def _naturals(
    kinds: Sequence[KindIndex], wilds: WildCards, cards: Sequence[Played], written: Sorted
) -> Fault | None:
    """Too few natural cards (P-JOK-15)."""
    least = wilds.least_naturals
    if len(written.natural) >= least:
        return None
    without = changed(wilds, naturals=0)
    if not readings(kinds, without, cards) and not readings(
        kinds, without, _unbound(cards, written)
    ):
        return None
    message = f"a meld needs at least {many(least, 'natural card')}"
    return Fault("wild.naturals", message, "melds.wild.naturals")


def _unbound(cards: Sequence[Played], written: Sorted) -> list[Played]:
    """The cards with nothing said about wild ones, which are then as good as jokers."""
    return _as_jokers(cards, [place for place, _ in written.bound])


def _as_jokers(cards: Sequence[Played], places: Sequence[int]) -> list[Played]:
    """The cards with jokers in some places."""
    return [Played(JOKER) if place in places else card for place, card in enumerate(cards)]


def _with_jokers(wilds: WildCards) -> WildCards:
    """The settings if jokers were wild."""
    return changed(wilds, cards=wilds.cards | {JOKER})


def _binding(
    kinds: Sequence[KindIndex],
    wilds: WildCards,
    cards: Sequence[Played],
    written: Sorted,
    barred: int,
) -> Fault | None:
    """A wild card that is said to stand for a card that it cannot be here (P-JOK-11, P-JOK-12)."""
    if barred and readings(kinds, wilds, cards):
        return Fault(
            "wild.binding",
            "the wild card stands for a card that is already on the table",
            "melds.wild.twins",
        )
    if not written.bound:
        return None
    any_wild = _with_jokers(wilds)
    for place, _ in written.bound:
        if readings(kinds, any_wild, _as_jokers(cards, [place])):
            return _binding_fault(cards[place])
    if readings(kinds, any_wild, _unbound(cards, written)):
        return _binding_fault(cards[written.bound[0][0]])
    return None


def _binding_fault(played: Played) -> Fault:
    return Fault(
        "wild.binding", f"{played_text(played)} has no place among these cards", "melds.kinds"
    )


def _twins(kinds: Sequence[KindIndex], wilds: WildCards, cards: Sequence[Played]) -> Fault | None:
    """More wild cards in a group than the deck has cards for, where there are no twins."""
    more = [
        BeyondDeck(index, stated=wilds.suits_stated)
        for index in kinds
        if wilds.cards and may_repeat_suits(index.pattern.kind)
    ]
    if not readings(more, wilds, cards):
        return None
    message = "the deck has no card left for the wild card to stand for"
    return Fault("wild.binding", message, "melds.wild.twins")


def _plain_joker(
    kinds: Sequence[KindIndex], wilds: WildCards, cards: Sequence[Played]
) -> Fault | None:
    """A joker used as a wild card where it is none (W-PER-05)."""
    if wilds.jokers or all(played.card != JOKER for played in cards):
        return None
    if not readings(kinds, _with_jokers(wilds), cards):
        return None
    return Fault("wild.role", "jokers are not wild here", "melds.wild.cards")


def _without_role(
    kinds: Sequence[KindIndex], wilds: WildCards, cards: Sequence[Played], barred: int
) -> Fault | None:
    """A wild card other than a joker that does not say what it stands for (P-JOK-03, G-VAR-03)."""
    places = [
        place
        for place, (card, role) in enumerate(cards)
        if role is None and card != JOKER and card in wilds.cards
    ]
    for some in [*([place] for place in places), places]:
        possible = readings(kinds, _with_jokers(wilds), _as_jokers(cards, some), barred)
        if possible:
            message = without_role(*[cards[place] for place in some])
            ways = tuple(reading.spelled(cards) for reading in possible)
            return Fault("meld.shape", message, "melds.kinds", ways)
    return None


def _kind(kinds: Sequence[KindIndex], wilds: WildCards, cards: Sequence[Played]) -> Fault | None:
    """A meld of another game of the family, of a kind that this ruleset does not have."""
    names = {index.pattern.kind.name for index in kinds}
    packs, jokers = _deck(kinds, len(cards))
    for kind in STANDARD:
        if kind.name not in names and readings(
            [Solved(Pattern(kind, packs, jokers))], wilds, cards
        ):
            message = f"these cards form a {kind.name}, a kind of meld that this game does not have"
            return Fault("meld.kind", message, f"melds.kinds.{kind.name}")
    return None


def _deck(kinds: Sequence[KindIndex], count: int) -> tuple[int, int]:
    if not kinds:
        return 1, count
    return kinds[0].pattern.packs, max(kinds[0].pattern.jokers, count)


def _shape(kinds: Sequence[KindIndex], wilds: WildCards, cards: Sequence[Played]) -> Fault:
    """Nothing would help: these cards form no kind of meld (P-SEQ-06, P-GRP-04)."""
    for kind, part, message in _relaxed(kinds):
        packs, jokers = _deck(kinds, len(cards))
        if readings([Solved(Pattern(kind, max(packs, len(cards)), jokers))], wilds, cards):
            return Fault("meld.shape", message, f"melds.kinds.{kind.name}.{part}")
    names = [index.pattern.kind.name for index in kinds]
    if len(names) == 2:
        message = f"these cards are neither a {names[0]} nor a {names[1]}"
    else:
        message = "these cards are no kind of meld: " + ", ".join(names)
    return Fault("meld.shape", message, "melds.kinds")


def _relaxed(kinds: Sequence[KindIndex]) -> Iterator[tuple[Kind, str, str]]:
    """Kinds that demand a little less, with the part of the ruleset that demands it."""
    for index in kinds:
        kind = index.pattern.kind
        if index.pattern.is_run and "around" not in kind.ace:
            places = {"low": "below the two", "high": "above the king"}
            where = " or ".join(places[place] for place in kind.ace if place in places)
            only = (
                f"in this game, an ace goes only {where}"
                if where
                else f"in this game, a {kind.name} cannot contain an ace"
            )
            message = f"an ace goes {where}, not between them" if len(kind.ace) == 2 else only
            yield changed(kind, ace=("around",)), "ace", message
        if "distinct_suits" in kind.require:
            less = tuple(name for name in kind.require if name != "distinct_suits")
            yield (
                changed(kind, require=less),
                "require",
                f"the cards of a {kind.name} must be of different suits",
            )


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
    bare = len(cards) - len(written.natural)
    tabled = [index for index in kinds if _is_tabled(index)]
    for size in range(1, len(cards) // 2 + 1):
        left_out: set[tuple[int, ...]] = set()
        replaced: set[tuple[int, ...]] = set()
        for roles in chain.from_iterable(index.within(held, bare + size) for index in tabled):
            wrong = _outside(written, roles)
            if len(wrong) == size and len(roles) <= len(cards):
                spare = len(roles) - (len(cards) - size)
                (replaced if spare else left_out).add(tuple(sorted(wrong)))
        candidates = dict.fromkeys(
            tuple([cards[at] for at in places]) for places in sorted(left_out or replaced)
        )
        if candidates:
            return tuple(candidates) if len(candidates) <= MOST_SETS else ()
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
        fitting = next((free_card for free_card in free if _is(free_card, role)), None)
        if fitting is None:
            wrong.append(place)
        else:
            free.remove(fitting)
    wrong += written.bare[len(free) :]
    return wrong


def _is(card: Role, role: Role) -> bool:
    return card == role or (role >= ANY_SUIT and card % 13 == role - ANY_SUIT)
