"""What can be laid off on one meld: every set of cards, its most points, and a legal order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

from meldref.core.cards import ACE, ANY_SUIT, JOKER, ONE, WIDTH, Cards, Played, rank_of
from meldref.melds import Extension, Shape
from meldref_table.best.objective import SCALE, Spot, Terms
from meldref_table.best.templates import Catalogue

Chains: TypeAlias = "Mapping[Cards, tuple[int, tuple[Played, ...]]]"
"""For each set of cards, its scaled value and how the cards are laid."""


def chains(
    terms: Terms, catalogue: Catalogue, spot: Spot, hand: Cards, barred: int, *, shorten: bool
) -> Chains:
    """All that a hand can lay off on a meld.

    `shorten`: leaves out what a new meld would bring as well.
    """
    chains: dict[Cards, tuple[int, tuple[Played, ...]]] = {}
    seen: dict[tuple[Shape, Cards], int] = {}
    pending = [_Chain(spot.shape, 0, 0, (), spot.turned)]
    while pending:
        shape, used, value, cards, owed = pending.pop()
        for played, extension in ways_to_lay(terms, shape, hand - used, barred):
            bigger = extension.shape
            more = (*cards, played)
            if (
                shorten
                and terms.no_losses
                and _replaceable(terms, catalogue, spot.shape, bigger, more)
            ):
                continue
            points, turned = terms.worth.gained(shape, extension, owed, counts=spot.counts)
            total = value + terms.gain(played.card, points)
            key = bigger, used + ONE[played.card]
            if seen.get(key, total - 1) >= total:
                continue
            seen[key] = total
            pending.append(_Chain(*key, total, more, turned))
            whole = total + _four_aces(terms, barred, spot, bigger, more)
            earlier = chains.get(key[1])
            if earlier is None or earlier[0] < whole:
                chains[key[1]] = whole, more
    return chains


class _Chain(NamedTuple):
    """Cards laid off on a meld: what it became, which they are, their value, and how they lie.

    `turned` is what the player gains when an ace at an end of it comes to lie between two cards.
    """

    shape: Shape
    used: Cards
    value: int
    cards: tuple[Played, ...]
    turned: int


def _replaceable(
    terms: Terms, catalogue: Catalogue, start: Shape, bigger: Shape, cards: tuple[Played, ...]
) -> bool:
    """Whether the cards at one end of a run would bring as much as a meld of their own.

    Not where runs go round the corner, since an ace changes its worth there.
    """
    pattern = start.pattern
    if not pattern.is_run or "around" in pattern.kind.ace or start.roles[0] not in bigger.roles:
        return False
    low = bigger.roles.index(start.roles[0])
    high = low + len(start.roles)
    naturals = {card for card, role in cards if role is None}
    for end in (bigger.roles[:low], bigger.roles[high:]):
        enough = sum(role in naturals for role in end) >= terms.least
        if enough and len(end) >= pattern.kind.min_size and end in catalogue.by_roles:
            return True
    return False


def _four_aces(
    terms: Terms, barred: int, spot: Spot, bigger: Shape, cards: tuple[Played, ...]
) -> int:
    """What four aces of one player bring beyond their own points.

    At most, if there are more than four.
    """
    whole = terms.four_aces
    if whole is None or spot.aces is None or not spot.counts or len(bigger.roles) < 4:
        return 0
    if any(card == JOKER or rank_of(card) != ACE for card, _ in cards):
        return 0
    if len(bigger.roles) > 4:
        return whole * SCALE
    points = spot.aces
    shape = spot.shape
    for played in cards:
        extension = terms.book.extend(shape, played, barred)
        assert isinstance(extension, Extension)
        shape = extension.shape
        points += terms.worth.laid(extension.laid)
    return (whole - points) * SCALE


def ways_to_lay(
    terms: Terms, shape: Shape, hand: Cards, barred: int
) -> Iterator[tuple[Played, Extension]]:
    """Each way to lay one card of a hand off on a shape, with what becomes of it."""
    growth = shape.growth
    wild = terms.wilds
    ways = [
        Played(JOKER, JOKER) if role == JOKER and wild.jokers else Played(role)
        for role in growth
        if hand >> (WIDTH * role) & 31
    ]
    for card in wild.cards:
        if growth and hand >> (WIDTH * card) & 31:
            if shape.pattern.leaves_suits_open and not wild.suits_stated:
                ways.append(Played(card, ANY_SUIT + rank_of(shape.roles[0])))
            else:
                ways += [Played(card, role) for role in growth if role not in {card, JOKER}]
    for played in ways:
        extension = terms.book.extend(shape, played, barred)
        if isinstance(extension, Extension):
            yield played, extension
