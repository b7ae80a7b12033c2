"""Examples of turns and calls: `plays.yaml` says when they are shown and how cards are found."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, islice, permutations
from typing import Any, Final, TypeAlias

from meldref.core.cards import Card, Played
from meldref.ruleset.model import Kind
from meldref_authoring.rulebook.examples import melds
from meldref_authoring.rulebook.examples.bench import TRIES, Bench, NothingFits, standing
from meldref_authoring.rulebook.examples.scene import described, filled
from meldref_authoring.rulebook.model import CardExample
from meldref_authoring.rulebook.sentences import Words
from meldref_authoring.rulebook.words import number_of

CardsByName: TypeAlias = Mapping[str, Sequence[Any]]
"""Cards by the names that a description has for them; those with a wild card are found last."""


def plays(name: str, bench: Bench, doubled: Bench) -> Iterator[CardExample]:
    """The plays of an example for which the rules give occasion.

    Some only if no other one was shown.
    """
    words = Words(bench.ruleset, {})
    examples: list[CardExample] = []
    for entry in described("examples")[name]:
        if "if" in entry and not words.holds(entry["if"]):
            continue
        if "otherwise" in entry and examples:
            continue
        texts = entry.get("words", {})
        words_by_name = {word: str(words.said(text)) for word, text in texts.items()}
        table = doubled if "packs" in entry else bench
        for example in _first(table, entry["play"], entry.get("above", 1), words_by_name):
            examples.append(example)
            yield example


# --- cards for an example -------------------------------------------------------------------------


def _first(bench: Bench, name: str, above: int, words: Mapping[str, str]) -> Iterator[CardExample]:
    """The first example of that name that the judge confirms.

    The name `above` stands for this many cards.
    """
    entry = described("plays")[name]
    ending = entry.get("ending", "") if bench.ruleset.calls.discard == "required" else ""
    packs = number_of(bench.ruleset.deck.packs[bench.players], "pack")
    for cards in _ways(bench, tuple(entry["cards"].items()), {}, above):
        along = " with " if cards.get("along") else ""
        values = {**words, "with": along, "packs": packs, "ending": filled(ending, cards)}
        examples = tuple(bench.show(name, **cards, **values))
        if examples:
            yield from examples
            return


def _ways(
    bench: Bench, steps: Sequence[tuple[str, str]], cards: CardsByName, above: int
) -> Iterator[CardsByName]:
    """Every way to find the cards of some steps, one after the other, beside the given ones."""
    if not steps:
        yield cards
        return
    (listed, how), *rest = steps
    names = listed.split()
    sizes = [above if name == "above" else 1 for name in names]
    for rows in _cards_of_step(bench, how, sizes, cards):
        more = dict(zip(names, rows, strict=False))
        yield from _ways(bench, rest, {**cards, **more}, above)


def _cards_of_step(
    bench: Bench, how: str, sizes: Sequence[int], earlier: CardsByName
) -> Iterator[Sequence[Sequence[Any]]]:
    """Every way to find the cards of one step: a row of them for each of its names."""
    word, _, about = how.partition(" ")
    used = set(chain.from_iterable(earlier.values()))
    near = next(iter(earlier.get(about, ())), None)
    match word:
        case "usual":
            for _kind, meld in islice(bench.usual(int(about)), TRIES):
                yield meld, meld[:1], meld[1:-1], meld[-1:]
        case "growing":
            growing = bench.growing(int(about))
            yield from ((meld, (card,)) for meld, card in growing if not {*meld, card} & used)
        case "meeting":
            for kinds in permutations(bench.ruleset.melds.kinds, 2):
                yield from islice(_meeting(bench, *kinds), 1)
        case "fitting":
            yield from islice(_fitting(bench, earlier["first"][0], used), 2)
        case "own":
            yield (bench.own(used),)
        case "wild":
            yield from _with_wild(bench, earlier["meld"])
        case "along":
            yield (_along(bench.ruleset.draw.takes, earlier),)
        case "lone":
            cards = iter(bench.lone(used, sum(sizes)))
            yield [tuple(islice(cards, size)) for size in sizes]
        case "each":
            for card in bench.others(used, near):
                yield ((card,),)
        case "unfitting":
            yield ((bench.other({*used, *bench.growth(earlier["meld"])}, near),),)
        case _:
            yield ((bench.other(used, near),),)


def _along(takes: str, cards: CardsByName) -> Sequence[Card]:
    """What comes along with a card that lies in the pile between `under` and `above`."""
    match takes:
        case "that_card":
            return ()
        case "whole_pile":
            return (*cards["under"], *cards["above"])
    return cards["above"]


def _meeting(bench: Bench, first: Kind, second: Kind) -> Iterator[Sequence[Sequence[Card]]]:
    """Melds of two kinds, a card that fits both, and one that fits only the first."""
    for longer in islice(bench.melds(first, first.min_size + 1), 40):
        card, meld = longer[-1], longer[:-1]
        ends = [end for end in bench.growth(meld) if end != card]
        if not ends or not bench.reads(meld, first):
            continue
        lone = ends[0]
        for other in bench.melds(second, second.min_size + 1, card)[:3]:
            rest = tuple(natural for natural in other if natural != card)
            if {*rest} & {*meld, lone} or lone in bench.growth(rest):
                continue
            if bench.reads(rest, second):
                yield meld, rest, (card,), (lone,)


def _with_wild(bench: Bench, meld: Sequence[Card]) -> Iterator[Sequence[Sequence[Played]]]:
    """A meld with a wild card in place of its last card."""
    wild = bench.wild_card()
    for kind in bench.ruleset.melds.kinds:
        if wild is not None and bench.reads(meld, kind):
            yield ((*map(Played, meld[:-1]), standing(bench, kind, wild, meld[-1])),)


def _fitting(
    bench: Bench, card: Card, avoid: Collection[Card]
) -> Iterator[Sequence[Sequence[Card]]]:
    """Melds on the table that a card fits."""
    if bench.ruleset.layoff.onto == "nothing":
        return
    for kind in bench.ruleset.melds.kinds:
        for longer in bench.melds(kind, kind.min_size + 1, card)[:TRIES]:
            rest = tuple(natural for natural in longer if natural != card)
            if bench.reads(rest, kind) and not {*rest} & {*avoid}:
                yield (rest,)


_OF_MELDS: Final = (melds.kinds, melds.aces, melds.first_points, melds.wild_cards, melds.values)
MAKERS: Final[dict[str, Callable[[Bench, Bench], Iterator[CardExample]]]] = {
    **{make.__name__: make for make in _OF_MELDS},
    **{name: partial(plays, name) for name in described("examples")},
}
"""What makes examples at the smallest table, or at one with the most packs."""


def examples_of(name: str, tables: tuple[Bench, Bench]) -> tuple[CardExample, ...]:
    """The examples of that name at these tables; none if the rules leave nothing to show."""
    examples: list[CardExample] = []
    with suppress(NothingFits):
        examples.extend(MAKERS[name](*tables))
    return tuple(examples)
