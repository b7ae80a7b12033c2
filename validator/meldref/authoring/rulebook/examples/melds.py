"""Examples of melds: kinds, aces, wild cards, and what a first meld has to be worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from meldref.authoring.rulebook.examples.bench import Bench, fault_of, laid, row
from meldref.authoring.rulebook.model import CardExample, Line
from meldref.authoring.rulebook.words import capital, number, points, rank_plural
from meldref.core.cards import ACE, ANY_SUIT, JOKER, NATURALS, RANKS, Card, Played, rank_of
from meldref.core.records import changed
from meldref.melds import Reading
from meldref.ruleset.model import Kind
from meldref.scoring.points import Worth

_CLOSE: Final = 12
"""How many cards, or melds, are tried where those that are most alike do not do."""

_WHY: Final = {
    "same_rank": "the ranks differ",
    "same_suit": "the suits differ",
    "same_colour": "one card is of the other colour",
    "distinct_suits": "two cards are of the same suit",
    "distinct_ranks": "two cards are of the same rank",
    "consecutive_ranks": "the ranks do not follow one another",
    "alternating_colours": "red and black do not take turns",
    "only": "one card does not belong in it",
}


def kinds(_: Bench, bench: Bench) -> Iterator[CardExample]:
    """For each kind a meld, and what one card of it spoils: one for each thing that its cards have in common."""
    for place, kind in enumerate(bench.ruleset.melds.kinds):
        found = next((meld for one, meld in bench.usual(place) if one == kind), None)
        if found is None:
            found = next(iter(bench.melds(kind)), None)
        if found is None:
            continue
        spoilt: list[Line] = []
        for demand in (*kind.require, *(("only",) if kind.only is not None else ())):
            other = _without(bench, kind, demand, found)
            if other is not None:
                spoilt.append((row(*other), f": {_WHY[demand]}"))
        if len(found) > 1 and fault_of(bench, tuple(map(Played, found[:-1]))) is not None:
            few = len(found) - 1
            spoilt.append((row(*found[:-1]), f": {number(few)} card{' is' if few == 1 else 's are'} too few"))
        if spoilt:
            yield CardExample((), (row(*found),), tuple(spoilt))


def _without(bench: Bench, kind: Kind, demand: str, meld: Sequence[Card]) -> tuple[Card, ...] | None:
    """The meld with one card changed so that it fails this demand, meets all others, and is no meld at all."""
    rest = tuple(name for name in kind.require if name != demand)
    loose = changed(kind, require=rest, only=None if demand == "only" else kind.only)
    lenient, strict = bench.pattern(loose), bench.pattern(kind)
    alone = bench.pattern(
        changed(kind, require=(demand,) if rest != kind.require else (), only=_only(kind, demand))
    )
    for place in range(len(meld) - 1, -1, -1):
        nearby = list(_nearby(bench, meld[place]))
        for card in sorted(nearby, key=lambda card: card in meld):
            other = (*meld[:place], card, *meld[place + 1 :])
            if other.count(card) > bench.ruleset.copies(card, bench.players) or strict.arranged(other):
                continue
            if (
                lenient.arranged(other)
                and not alone.arranged(other)
                and fault_of(bench, tuple(map(Played, other))) is not None
            ):
                return other
    return None


def _only(kind: Kind, demand: str) -> tuple[str, ...] | None:
    """The card faces that a demand by itself asks for."""
    return kind.only if demand == "only" else None


def _nearby(bench: Bench, card: Card) -> Iterator[Card]:
    """Cards to change one for: its own double, then others, those like it first."""
    if card == JOKER:
        yield from (one for one in bench.others((), near=RANKS.index("9") + 39))
        return
    yield from (one for one in bench.others((), near=card) if one != card)


def aces(_: Bench, bench: Bench) -> Iterator[CardExample]:
    """Where an ace may stand in a sequence, and where not."""
    for kind in bench.ruleset.melds.kinds:
        if "consecutive_ranks" not in kind.require:
            continue
        freely = changed(kind, ace=("low", "high", "around"))
        every = [
            meld
            for suit in (1, 3, 0, 2)
            for meld in _in_order(bench, freely, suit * 13 + ACE)
            if not any(bench.book.is_wild(card) for card in meld)
        ]
        good = [meld for meld in every if bench.reads(meld, kind)]
        bad = [meld for meld in every if fault_of(bench, tuple(map(Played, meld))) is not None]
        shown: list[tuple[Card, ...]] = []
        for place in (0, -1):
            shown += [meld for meld in good if rank_of(meld[place]) == ACE][:1]
        if not bad:
            shown += [meld for meld in good if ACE not in {rank_of(meld[0]), rank_of(meld[-1])}][:1]
        wrong = next((meld for meld in bad if any(len(set(meld) - set(one)) == 1 for one in shown)), None)
        if shown and wrong is not None:
            allowed: list[object] = []
            for meld in shown:
                allowed += [", and " if allowed else "", row(*meld)]
            yield CardExample((), tuple(allowed), ((row(*wrong), ": the ace has no place there"),))  # type: ignore[arg-type]


def _in_order(bench: Bench, kind: Kind, ace: Card) -> list[tuple[Card, ...]]:
    """The smallest melds around an ace as they would be laid."""
    from meldref.melds import solver  # noqa: PLC0415  the solver costs more than most rulebooks need

    pattern = bench.pattern(kind)
    return sorted(solver.melds(pattern, max(kind.min_size, 2), (ace,)), key=lambda meld: (rank_of(meld[0]), meld))


def first_points(_: Bench, bench: Bench) -> Iterator[CardExample]:
    """A first meld that is worth enough, and one that lacks a little."""
    least = bench.ruleset.melds.first_points
    if not least:
        return
    worth = Worth(bench.ruleset)
    everything = [
        (meld, sum_of)
        for kind in bench.ruleset.melds.kinds
        for size in range(kind.min_size, min(kind.max_size, kind.min_size + 3) + 1)
        for meld in bench.melds(kind, size)
        if (sum_of := _worth(bench, worth, meld)) is not None
    ]
    enough = sorted((sum_of, len(meld), meld) for meld, sum_of in everything if sum_of >= least)
    short = sorted(((-sum_of, len(meld), meld) for meld, sum_of in everything if sum_of < least))
    for sum_of, _size, meld in enough[:60]:
        for lacking, _size_too, other in short[:60]:
            if len(set(meld) ^ set(other)) in {1, 2} and abs(len(meld) - len(other)) < 2:
                yield CardExample(
                    ("Your first meld of the hand.",),
                    (row(*meld), f": {points(sum_of)}"),
                    ((row(*other), f": {points(-lacking)} only"),),
                )
                return


def _worth(bench: Bench, worth: Worth, meld: Sequence[Card]) -> int | None:
    reading = bench.book.read(tuple(map(Played, meld)))
    return worth.new_meld(reading.laid) if isinstance(reading, Reading) else None


# --- wild cards ------------------------------------------------------------------------------------------------


def wild_cards(_: Bench, bench: Bench) -> Iterator[CardExample]:
    """A wild card in a meld, and too many of them."""
    wild = bench.wild_card()
    if wild is None:
        return
    yield from _standing_in(bench, wild)
    yield from _too_many(bench, wild)
    yield from _twin(bench, wild)


def _named(bench: Bench) -> Line:
    """What is wild in an example where the dealer names it."""
    if bench.wild_rank is None:
        return ()
    return (f"{capital(rank_plural(RANKS[bench.wild_rank]))} are wild in this hand.",)


def standing(bench: Bench, kind: Kind, wild: Card, card: Card) -> Played:
    """A wild card that stands for a card in a meld of a kind."""
    is_open = bench.pattern(kind).leaves_suits_open and bench.ruleset.melds.wild.suit_in_group == "open"
    return Played(wild, ANY_SUIT + rank_of(card) if is_open else card)


def _standing_in(bench: Bench, wild: Card) -> Iterator[CardExample]:
    for place, kind in enumerate(bench.ruleset.melds.kinds):
        of_kind = (meld for one, meld in bench.usual(place + 2) if one == kind)
        for meld in islice(of_kind, _CLOSE):
            if len(meld) < 2 or len(meld) - 1 < bench.ruleset.melds.wild.naturals:
                continue
            good = (*map(Played, meld[:-1]), standing(bench, kind, wild, meld[-1]))
            if fault_of(bench, good) is not None:
                continue
            spoilt = _spoilt(bench, meld[:-1], wild)
            if spoilt is not None:
                why = ": whatever the wild card stands for, this is no meld"
                yield CardExample(_named(bench), (laid(*good),), ((laid(*spoilt), why),))
                break


def _spoilt(bench: Bench, naturals: Sequence[Card], wild: Card) -> tuple[Played, ...] | None:
    """The natural cards of a meld, one changed, with a wild card that makes no meld of them."""
    for card in islice(bench.others(naturals, near=naturals[-1]), _CLOSE):
        other = (*map(Played, (*naturals[:-1], card)), Played(wild))
        if fault_of(bench, other) not in {None, "wild.unbound", "wild.naturals"}:
            return other
    return None


def _too_many(bench: Bench, wild: Card) -> Iterator[CardExample]:
    least = bench.ruleset.melds.wild.naturals
    for kind, meld in bench.usual(3):
        if not 0 < least < len(meld):
            continue
        good = _filled(bench, kind, meld, least, wild)
        bad = _filled(bench, kind, meld, least - 1, wild)
        enough = len(bad) - (least - 1) <= bench.ruleset.copies(wild, bench.players)
        if enough and fault_of(bench, good) is None and fault_of(bench, bad) == "wild.naturals":
            yield CardExample(
                _named(bench),
                (laid(*good),),
                ((laid(*bad), f": it lacks {'a' if least == 1 else 'one'} natural card"),),
            )
            return


def _filled(bench: Bench, kind: Kind, meld: Sequence[Card], naturals: int, wild: Card) -> tuple[Played, ...]:
    """A meld with wild cards behind its first so many natural ones."""
    rest = (standing(bench, kind, wild, card) for card in meld[naturals:])
    return (*map(Played, meld[:naturals]), *rest)


def _twin(bench: Bench, wild: Card) -> Iterator[CardExample]:
    """Where a wild card may not stand for what lies on the table: it may for another card."""
    if bench.ruleset.melds.wild.twins == "allowed":
        return
    for kind, meld in bench.usual(1):
        if bench.pattern(kind).leaves_suits_open and bench.ruleset.melds.wild.suit_in_group == "open":
            continue
        card = meld[-1]
        good = (*map(Played, meld[:-1]), Played(wild, card))
        bad = bench.book.read(good, 1 << card)
        if isinstance(bench.book.read(good), Reading) and not isinstance(bad, Reading) and card in NATURALS:
            yield CardExample(
                _named(bench),
                (laid(*good), ", as long as ", row(card), " is not on the table"),
                ((laid(*good), ", once ", row(card), " is on the table"),),
            )
            return
