"""What a player collects whose first laying is a contract: the cards to keep, and how many lack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from meldref.core.cards import ACE, Cards, counted, each, rank_of, suit_of
from meldref.melds import MeldIndex
from meldref.melds.kinds import Pattern
from meldref.rules.opening import slots
from meldref.ruleset.model import Ruleset

MOST_COMPARED: Final = 8
"""How many beginnings of a meld are compared for each meld of a contract."""

Beginning: TypeAlias = tuple[int, ...]
"""Cards in hand that go together, place by place: a bit for each card that may take the place."""


class Plan(NamedTuple):
    """How a hand may come to a contract: how many cards it lacks, and those that it has for it."""

    lacking: int
    kept: Cards


class _Part(NamedTuple):
    """A meld of a contract: how many cards it has at least, and with what a hand may begin it."""

    size: int
    beginnings: Sequence[Beginning]


class Collecting:
    """Plans for the contract of a hand; `works` where each of its melds is a group or a run."""

    def __init__(self, ruleset: Ruleset, book: MeldIndex) -> None:
        patterns = {pattern.kind.name: pattern for pattern in book.patterns}
        contract = sorted(slots(ruleset), key=lambda slot: -slot.size)
        self._slots = [(patterns[slot.kind], slot.size) for slot in contract]
        self._wild = book.wilds.cards
        self.works = bool(contract) and all(
            {"same_rank", "same_suit"} & {*pattern.kind.require} for pattern, _ in self._slots
        )

    def plan(self, hand: Cards) -> Plan:
        """The plan that lacks the fewest cards; of those, one that keeps the most."""
        cards = [card for card in each(hand) if card not in self._wild]
        wild = [card for card in each(hand) if card in self._wild]
        parts = [_part(pattern, size, cards) for pattern, size in self._slots]
        lacking, used = _fewest(parts)
        kept = [card for place, card in enumerate(cards) if used >> place & 1]
        return Plan(max(0, lacking - len(wild)), counted([*kept, *wild]))


def _part(pattern: Pattern, size: int, cards: Sequence[int]) -> _Part:
    """A meld of a contract with the beginnings that have most of its cards, the best ones first."""
    of = _of_run if pattern.is_run else _of_group
    beginnings = sorted(of(pattern, size, cards), key=lambda places: -min(len(places), size))
    return _Part(size, [*beginnings[:MOST_COMPARED], ()])


def _of_group(pattern: Pattern, _size: int, cards: Sequence[int]) -> Iterator[Beginning]:
    """All cards of a rank; of each suit one, where suits must be different."""
    by_rank: dict[int, dict[int, int]] = {}
    apart = "distinct_suits" in pattern.kind.require
    for place, card in enumerate(cards):
        suits = by_rank.setdefault(rank_of(card), {})
        key = suit_of(card) if apart else place
        suits[key] = suits.get(key, 0) | 1 << place
    for suits in by_rank.values():
        yield tuple(suits.values())


def _of_run(pattern: Pattern, size: int, cards: Sequence[int]) -> Iterator[Beginning]:
    """The cards of a suit within a run of a size, and with those that would lengthen it."""
    ace = pattern.kind.ace
    by_suit: dict[int, dict[int, int]] = {}
    for place, card in enumerate(cards):
        ranks = by_suit.setdefault(suit_of(card), {})
        rank = rank_of(card)
        if rank != ACE or "low" in ace:
            ranks[rank] = ranks.get(rank, 0) | 1 << place
        if rank == ACE and "high" in ace:
            ranks[13] = ranks.get(13, 0) | 1 << place
    for ranks in by_suit.values():
        for start in range(15 - size):
            there = [rank for rank in range(start, start + size) if rank in ranks]
            if len(there) < 2:
                continue
            yield tuple([ranks[rank] for rank in there])
            low, high = start, start + size
            while low - 1 in ranks:
                low -= 1
            while high in ranks:
                high += 1
            if high - low > size:
                yield tuple([ranks[rank] for rank in range(low, high) if rank in ranks])


def _fewest(parts: Sequence[_Part]) -> tuple[int, int]:
    """How many cards all parts lack at least, and the cards used, a bit for each."""
    best = sum([part.size for part in parts]) + 1, 0, 0
    least = [
        sum([part.size - min(part.size, max(map(len, part.beginnings))) for part in parts[place:]])
        for place in range(len(parts) + 1)
    ]

    def choose(place: int, lacking: int, used: int) -> None:
        nonlocal best
        if lacking + least[place] > best[0]:
            return
        if place == len(parts):
            best = min(best, (lacking, -used.bit_count(), used))
            return
        part = parts[place]
        for beginning in part.beginnings:
            taken, number = used, 0
            for cards_there in beginning:
                free = cards_there & ~taken
                if free:
                    taken |= free & -free
                    number += 1
            choose(place + 1, lacking + max(0, part.size - number), taken)

    choose(0, 0, 0)
    return best[0], best[2]
