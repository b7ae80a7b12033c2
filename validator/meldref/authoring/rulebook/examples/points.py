"""Examples of points: what melds count, as the scorer counts them, and what a hand scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from meldref.authoring.rulebook.examples.bench import Bench, standing
from meldref.authoring.rulebook.examples.scene import Scene, line, played
from meldref.authoring.rulebook.model import CardExample
from meldref.authoring.rulebook.words import points
from meldref.core.cards import ACE, Card, Played, counted, natural, rank_of
from meldref.scoring.points import Worth, hand_scores, units


def values(bench: Bench, _: Bench) -> Iterator[CardExample]:
    """What melds count, and what one card changes."""
    for good, others in _compared(bench):
        counts = bench.worth(good)
        rest = [
            line(other, f" count {points(found)}") for other in others if (found := bench.worth(other)) is not None
        ]
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
            more += [longer for longer in bench.melds(kind, len(meld) + 1) if {*meld} < {*longer}][:1]
        if more:
            yield meld, more
            break
    for kind in bench.ruleset.melds.kinds:
        for suit in (1, 2, 3, 0) if "consecutive_ranks" in kind.require else ():
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
        scored, count = _scored(bench, meld, held), bench.worth(meld)
        against = Worth(rules).held(counted([held]))
        if scored is not None and count is not None and 0 < scored == count - against:
            sum_of = f" held score {count:,} − {against:,} = {points(scored)}"
            yield CardExample((), line(meld, " laid and ", held, sum_of), (), worked=True)


def _scored(bench: Bench, meld: Sequence[Card], held: Card) -> int | None:
    """The score of a hand with one meld laid and one card held, as a score sheet would be checked."""
    built = bench.build(Scene(played(held), (("A", played(meld)),)), alone=True)
    if built is None:
        return None
    sides = units(bench.ruleset, built.position.players)
    return hand_scores(bench.ruleset, Worth(bench.ruleset), built.position, sides)[0]
