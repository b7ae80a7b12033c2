"""Examples of melds: kinds, aces, wild cards, and what a first meld has to be worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice, product
from typing import Final

from meldref.core.cards import (
    ACE,
    JOKER,
    NATURALS,
    RANKS,
    Card,
    Played,
    card_text,
    counted,
    natural,
    rank_of,
)
from meldref.core.records import changed
from meldref.core.text import number
from meldref.melds import Reading, solver
from meldref.rules.points import Worth, hand_scores, units
from meldref.ruleset.changes import in_hand, with_wild_values
from meldref.ruleset.model import Kind
from meldref_authoring.rulebook.examples.bench import Bench, standing
from meldref_authoring.rulebook.examples.scene import Play, Row, Scene, line, played, text_of
from meldref_authoring.rulebook.model import CardExample
from meldref_authoring.rulebook.sentences import Words, shared
from meldref_authoring.rulebook.words import capital, points, rank_plural

_NEAREST: Final = 60
"""The melds that are compared which are worth about as much as a first meld has to be."""
_CLOSE: Final = 12
"""How many cards, or melds, are tried where those that are most alike do not do."""


def kinds(_: Bench, bench: Bench) -> Iterator[CardExample]:
    """For each kind a meld, and single cards that spoil it: one for each thing in common."""
    for place, kind in enumerate(bench.ruleset.melds.kinds):
        usual = (other for of_kind, other in bench.usual(place) if of_kind == kind)
        meld = next(chain(usual, bench.melds(kind)), None)
        if meld is None:
            continue
        demands = [*kind.require] if kind.only is None else [*kind.require, "only"]
        spoilt = []
        for demand in demands:
            other = _without(bench, kind, demand, meld)
            if other is not None:
                spoilt.append(line(other, f": {shared()['kind fails'][demand]}"))
        few = len(meld) - 1
        if few and bench.fault(meld[:-1]) is not None:
            cards = "card is" if few == 1 else "cards are"
            spoilt.append(line(meld[:-1], f": {number(few)} {cards} too few"))
        if spoilt:
            yield CardExample((), line(meld), tuple(spoilt))


def _without(
    bench: Bench, kind: Kind, demand: str, meld: Sequence[Card]
) -> tuple[Card, ...] | None:
    """The meld with one card changed so that it fails only this demand and is no meld."""
    if demand == "only":
        without = changed(kind, only=None)
        alone = changed(kind, require=())
    else:
        without = changed(kind, require=tuple(name for name in kind.require if name != demand))
        alone = changed(kind, require=(demand,), only=None)
    lenient, strict = bench.pattern(without), bench.pattern(alone)
    for place in range(len(meld) - 1, -1, -1):
        near = RANKS.index("9") + 39 if meld[place] == JOKER else meld[place]
        nearby = [card for card in bench.others((), near) if card != meld[place]]
        for card in sorted(nearby, key=lambda card: card in meld):
            other = (*meld[:place], card, *meld[place + 1 :])
            if other.count(card) > bench.ruleset.copies(card, bench.players):
                continue
            fails_only_this = lenient.arranged(other) and not strict.arranged(other)
            if fails_only_this and bench.fault(other) is not None:
                return other
    return None


def aces(_: Bench, bench: Bench) -> Iterator[CardExample]:
    """Where an ace may stand in a sequence, and where not."""
    for kind in bench.ruleset.melds.kinds:
        if not kind.is_run:
            continue
        freely = changed(kind, ace=("low", "high", "around"))
        melds: list[tuple[Card, ...]] = []
        for suit in (1, 3, 0, 2):
            melds += _in_order(bench, freely, suit * 13 + ACE)
        every = [meld for meld in melds if not any(map(bench.book.is_wild, meld))]
        good = [meld for meld in every if bench.reads(meld, kind)]
        bad = [meld for meld in every if bench.fault(meld) is not None]
        low = [meld for meld in good if rank_of(meld[0]) == ACE]
        high = [meld for meld in good if rank_of(meld[-1]) == ACE]
        shown = [*low[:1], *high[:1]]
        wrong = [meld for meld in bad if any(_differ_by_a_card(meld, other) for other in shown)]
        if wrong:
            allowed: list[Row] = [shown[0]]
            for meld in shown[1:]:
                allowed += [", and ", meld]
            spoilt = line(wrong[0], ": the ace cannot stand there")
            yield CardExample((), line(*allowed), (spoilt,))


def _differ_by_a_card(meld: Sequence[Card], other: Sequence[Card]) -> bool:
    return len(set(meld) - set(other)) == 1


def _in_order(bench: Bench, kind: Kind, ace: Card) -> list[tuple[Card, ...]]:
    """The smallest melds around an ace as they would be laid."""
    pattern = bench.pattern(kind)
    return sorted(
        solver.melds(pattern, max(kind.min_size, 2), (ace,)),
        key=lambda meld: (rank_of(meld[0]), meld),
    )


def first_points(_: Bench, bench: Bench) -> Iterator[CardExample]:
    """A first meld that is worth enough, and one that lacks a little."""
    least = bench.ruleset.melds.first_points
    if not least:
        return
    enough: list[tuple[int, int, tuple[Card, ...]]] = []
    short: list[tuple[int, int, tuple[Card, ...]]] = []
    for kind in bench.ruleset.melds.kinds:
        for size in range(kind.min_size, min(kind.max_size, kind.min_size + 3) + 1):
            for meld in bench.melds(kind, size):
                worth = bench.worth(meld)
                if worth is not None and worth >= least:
                    enough.append((worth - least, size, meld))
                elif worth is not None:
                    short.append((least - worth, size, meld))
    pairs = product(sorted(enough)[:_NEAREST], sorted(short)[:_NEAREST])
    alike = (
        (enough, short)
        for enough, short in pairs
        if len(set(enough[2]) ^ set(short[2])) in {1, 2} and abs(enough[1] - short[1]) < 2
    )
    for (more, _size, meld), (less, _other_size, other) in islice(alike, _CLOSE):
        if _opens(bench, meld) and _lacks_points(bench, other):
            good = line(meld, f": {points(least + more)}")
            bad = line(other, f": only {points(least - less)}")
            yield CardExample(("Your first meld of the hand.",), good, (bad,))
            return


def _opens(bench: Bench, meld: Sequence[Card]) -> bool:
    """Whether a meld alone will do as a first one, in every hand of the game."""
    hands = (None, *[hand.first for hand in bench.ruleset.hands])
    return all(bench.codes(_laying(bench, meld), hand) == () for hand in hands)


def _lacks_points(bench: Bench, meld: Sequence[Card]) -> bool:
    """Whether nothing but points is wrong with a meld as a first one."""
    return {*(bench.codes(_laying(bench, meld)) or ())} == {"meld.first-points"}


def _laying(bench: Bench, meld: Sequence[Card]) -> Play:
    """A turn in which a player lays a meld and nothing else."""
    one, other = bench.lone(meld, 2)
    move = f"A: draw; meld {text_of(meld)}; discard {card_text(one)}"
    return Play(Scene(played((*meld, one, other))), (), (move,))


# --- wild cards -----------------------------------------------------------------------------------


def wild_cards(_: Bench, bench: Bench) -> Iterator[CardExample]:
    """A wild card in a meld, and too many of them."""
    wild, rank = bench.wild_card(), bench.wild_rank
    if wild is None:
        return
    scene = () if rank is None else (f"{capital(rank_plural(RANKS[rank]))} are wild in this hand.",)
    examples = [*_standing_in(bench, wild)]
    examples += islice(_too_many(bench, wild), 1)
    examples += islice(_twin(bench, wild), 1)
    for example in examples:
        yield changed(example, scene=scene)


def _standing_in(bench: Bench, wild: Card) -> Iterator[CardExample]:
    for place, kind in enumerate(bench.ruleset.melds.kinds):
        of_kind = (meld for shape_kind, meld in bench.usual(place + 2) if shape_kind == kind)
        for meld in islice(of_kind, _CLOSE):
            natural = len(meld) - 1
            good = _filled(bench, kind, meld, natural, wild)
            if natural < max(1, bench.ruleset.melds.wild.naturals) or bench.fault(good) is not None:
                continue
            if bench.is_banned(good):
                continue
            spoilt = _spoilt(bench, meld[:-1], wild)
            if spoilt is not None:
                why = ": this is not a meld, whatever the wild card stands for"
                yield CardExample((), line(good), (line(spoilt, why),))
                break


def _spoilt(bench: Bench, naturals: Sequence[Card], wild: Card) -> tuple[Played, ...] | None:
    """The natural cards of a meld, one changed, with a wild card that makes no meld of them."""
    for card in islice(bench.others(naturals, near=naturals[-1]), _CLOSE):
        other = tuple(map(Played, (*naturals[:-1], card, wild)))
        if bench.fault(other) not in {None, "wild.unbound", "wild.naturals"}:
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
        if not enough or bench.fault(good) is not None or bench.is_banned(good):
            continue
        if bench.fault(bad) == "wild.naturals":
            why = f": it lacks {'a' if least == 1 else 'one'} natural card"
            yield CardExample((), line(good), (line(bad, why),))


def _filled(
    bench: Bench, kind: Kind, meld: Sequence[Card], naturals: int, wild: Card
) -> tuple[Card | Played, ...]:
    """A meld whose first cards, a number of them, are natural, and the others wild."""
    return (*meld[:naturals], *[standing(bench, kind, wild, card) for card in meld[naturals:]])


def _twin(bench: Bench, wild: Card) -> Iterator[CardExample]:
    """Where a wild card may not stand for a card on the table, but may for another one."""
    if bench.ruleset.melds.wild.twins == "allowed":
        return
    for kind, meld in bench.usual(1):
        card = meld[-1]
        good = (*map(Played, meld[:-1]), standing(bench, kind, wild, card))
        stands = good[-1].role == card and card in NATURALS and bench.fault(good) is None
        if stands and not isinstance(bench.book.read(good, 1 << card), Reading):
            before = line(good, ", as long as ", card, " is not on the table")
            yield CardExample((), before, (line(good, ", once ", card, " is on the table"),))


# --- points ---------------------------------------------------------------------------------------


def values(bench: Bench, _: Bench) -> Iterator[CardExample]:
    """What melds count, and what one card changes; where melds do not, what cards held count."""
    if not Words(bench.ruleset, {}).holds("melds are counted"):
        yield from _held(bench)
        return
    for good, others in _compared(bench):
        counts = bench.worth(good)
        rest = []
        for other in others:
            worth = bench.worth(other)
            if worth is not None:
                rest.append(line(other, f" count {points(worth)}"))
        if counts is not None and rest:
            yield CardExample((), line(good, f" count {points(counts)}"), tuple(rest), worked=True)
    yield from islice(_hand(bench), 1)


def _compared(bench: Bench) -> Iterator[tuple[tuple[Card, ...], list[Sequence[Card | Played]]]]:
    """Melds, each with others that differ from it by a card."""
    wild = bench.wild_card()
    for kind, meld in bench.usual():
        more: list[Sequence[Card | Played]] = []
        if wild is not None:
            more.append((*meld[:-1], standing(bench, kind, wild, meld[-1])))
        if kind.max_size > len(meld):
            longer = [other for other in bench.melds(kind, len(meld) + 1) if {*meld} < {*other}]
            more += longer[:1]
        if more:
            yield meld, more
            break
    for kind in bench.ruleset.melds.kinds:
        for suit in (1, 2, 3, 0) if kind.is_run else ():
            aces = bench.melds(kind, having=natural(ACE, suit))
            low = [meld for meld in aces if rank_of(meld[0]) == ACE]
            high = [meld for meld in aces if rank_of(meld[-1]) == ACE]
            if low and high:
                yield low[0], [high[0]]
                break


def _hand(bench: Bench) -> Iterator[CardExample]:
    """What a hand scores: cards laid, less those held, where those are subtracted."""
    rules = bench.ruleset
    if rules.scoring.hands != "subtract" or rules.scoring.divide_by != 1:
        return
    for _kind, meld in bench.usual(2):
        held = bench.other(meld)
        built = bench.build(Scene(played(held), (("A", played(meld)),)), alone=True)
        if built is None:
            continue
        sides = units(rules, built.position.players)
        score, *_ = hand_scores(rules, bench.worths(), built.position, sides)
        count = bench.worth(meld)
        against = bench.worths().held(counted([held]))
        if score is not None and count is not None and 0 < score == count - against:
            sum_of = f" held score {count:,} − {against:,} = {points(score)}"
            yield CardExample((), line(meld, " laid and ", held, sum_of), (), worked=True)


def _held(bench: Bench) -> Iterator[CardExample]:
    """What cards held count, if that is so in every hand of the game."""
    rules = bench.ruleset
    if rules.scoring.hands == "ignore":
        return
    cards = bench.lone((), 3)
    given = [rules, *[in_hand(rules, hand) for hand in rules.hands]]
    worths = {
        Worth(with_wild_values(there, bench.wild_rank)).held(counted(cards)) for there in given
    }
    if len(worths) == 1:
        yield CardExample((), line(cards, f" held count {points(*worths)}"), (), worked=True)
