"""Examples of points: what melds count, as the scorer counts them, and what a hand scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from meldref.authoring.rulebook.examples.bench import Bench, Scene, laid, row
from meldref.authoring.rulebook.examples.melds import standing
from meldref.authoring.rulebook.model import CardExample, Line
from meldref.authoring.rulebook.words import points
from meldref.core.cards import ACE, Card, Played, counted, natural, rank_of
from meldref.melds import Reading
from meldref.scoring.points import Worth, hand_scores, units


def values(bench: Bench, _: Bench) -> Iterator[CardExample]:
    """What melds count, and what one card changes."""
    worth = Worth(bench.ruleset)
    for good, others in _compared(bench):
        counts = _count(bench, worth, good)
        rest = [(other, found) for other in others if (found := _count(bench, worth, other)) is not None]
        if counts is not None and rest:
            lines: list[Line] = [(laid(*other), f" count {points(found)}") for other, found in rest]
            yield CardExample((), (laid(*good), f" count {points(counts)}"), tuple(lines), worked=True)
    yield from _hand(bench, worth)


def _count(bench: Bench, worth: Worth, cards: Sequence[Played]) -> int | None:
    reading = bench.book.read(tuple(cards))
    return worth.new_meld(reading.laid) if isinstance(reading, Reading) else None


def _compared(bench: Bench) -> Iterator[tuple[tuple[Played, ...], list[tuple[Played, ...]]]]:
    """Melds, each with others that differ from it by a card."""
    wild = bench.wild_card()
    for kind, meld in bench.usual():
        more: list[tuple[Played, ...]] = []
        if wild is not None:
            more.append((*map(Played, meld[:-1]), standing(bench, kind, wild, meld[-1])))
        if kind.max_size > len(meld):
            more += [
                tuple(map(Played, longer)) for longer in bench.melds(kind, len(meld) + 1) if {*meld} < {*longer}
            ][:1]
        if more:
            yield tuple(map(Played, meld)), more
            break
    for kind in bench.ruleset.melds.kinds:
        if "consecutive_ranks" not in kind.require:
            continue
        for suit in (1, 2, 3, 0):
            aces = bench.melds(kind, having=natural(ACE, suit))
            low = [meld for meld in aces if rank_of(meld[0]) == ACE][:1]
            high = [meld for meld in aces if rank_of(meld[-1]) == ACE][:1]
            if low and high:
                yield tuple(map(Played, low[0])), [tuple(map(Played, high[0]))]
                break


def _hand(bench: Bench, worth: Worth) -> Iterator[CardExample]:
    """What a hand scores: cards laid, less those held, where those are subtracted."""
    rules = bench.ruleset
    if rules.scoring.hands != "subtract" or rules.scoring.divide_by != 1:
        return
    for _kind, meld in bench.usual(2):
        held = bench.other(meld)
        scored = _scored(bench, worth, meld, held)
        count = _count(bench, worth, tuple(map(Played, meld)))
        against = worth.held(counted([held]))
        if scored is None or count is None or scored <= 0 or count - against != scored:
            continue
        sum_of = f"{count:,} − {against:,} = {points(scored)}"
        yield CardExample((), (row(*meld), " laid and ", row(held), f" held score {sum_of}"), (), worked=True)
        return


def _scored(bench: Bench, worth: Worth, meld: Sequence[Card], held: Card) -> int | None:
    """The score of a hand with one meld laid and one card held, as a score sheet would be checked."""
    built = bench.build(Scene((held,), (("A", tuple(meld)),)), alone=True)
    if built is None:
        return None
    sides = units(bench.ruleset, built.position.players)
    return hand_scores(bench.ruleset, worth, built.position, sides)[0]
