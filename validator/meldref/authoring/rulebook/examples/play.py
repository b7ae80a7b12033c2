"""Examples of turns and of calls, whose cards are found as `plays.yaml` says."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, islice, permutations
from typing import TypeAlias

from meldref.authoring.rulebook.examples.bench import TRIES, Bench, standing
from meldref.authoring.rulebook.examples.scene import described, filled
from meldref.authoring.rulebook.model import CardExample
from meldref.authoring.rulebook.words import number_of
from meldref.core.cards import Card, Played
from meldref.ruleset.model import Kind

_Found: TypeAlias = Mapping[str, Sequence[Card]]
"""Cards by the names that a description has for them."""


def lay_off(bench: Bench, _: Bench) -> Iterator[CardExample]:
    """A card that fits a meld on the table and one that does not; and two melds that one card fits."""
    yield from _first(bench, "lay off")
    layoff = bench.ruleset.layoff
    if layoff.target == "if_several" and layoff.onto != "nothing":
        yield from _first(bench, "lay off unnamed")


def take_deep(bench: Bench, _: Bench) -> Iterator[CardExample]:
    """A card from inside the pile that is used, and one that cannot be; and where laying it off is not enough."""
    draw = bench.ruleset.draw
    if draw.depth == "any" and draw.deep.must == "be_used":
        yield from _used(bench, "draw.deep", above=2)


def take_top(bench: Bench, _: Bench) -> Iterator[CardExample]:
    """The top card of the pile, where it has to be used."""
    if bench.ruleset.draw.top.must == "be_used":
        yield from _used(bench, "draw.top", above=0)


def _used(bench: Bench, code: str, above: int) -> Iterator[CardExample]:
    """A card taken from below a number of others, and what has to be done with it."""
    use = bench.ruleset.draw.use
    if "meld" in use:
        yield from _first(bench, "take and meld", above, duty=code)
        if "lay_off" not in use:
            yield from _first(bench, "take and meld, not lay off", above, duty=code)
    elif "lay_off" in use:
        yield from _first(bench, "take and lay off", above, duty=code)


def discard(bench: Bench, doubled: Bench) -> Iterator[CardExample]:
    """A card just taken that may not be discarded, and one that may."""
    rules = bench.ruleset
    if rules.discard.taken_top == "forbidden" and rules.draw.top.must == "nothing":
        yield from _first(bench, "discard the card taken")
        packs = rules.deck.packs[doubled.players]
        if rules.discard.twin == "if_held_before" and packs > 1:
            yield from _first(doubled, "discard a duplicate", packs=number_of(packs, "pack"))
    deep = rules.discard.taken_deep
    if rules.draw.depth == "any" and rules.draw.takes == "all_above" and deep != "any":
        if rules.draw.deep.must != "be_used":
            which = "deepest" if deep == "not_deepest" else "top"
            yield from _first(bench, f"discard after taking several, {which}")
        elif deep != "not_deepest":
            yield from _first(bench, "discard after taking several and melding")


def swap(bench: Bench, _: Bench) -> Iterator[CardExample]:
    """A card that a wild card on the table stands for, and one that it does not stand for."""
    rules, wild = bench.ruleset.melds.wild, bench.wild_card()
    if wild is not None and rules.swap == "for_natural" and rules.swapped == "to_hand":
        yield from islice(_swaps(bench, wild), 1)


def _swaps(bench: Bench, wild: Card) -> Iterator[CardExample]:
    for kind, meld in islice(bench.usual(2), TRIES):
        one, two = bench.lone(meld, 2)
        other = bench.other((*meld, one, two), near=meld[-1])
        there = (*map(Played, meld[:-1]), standing(bench, kind, wild, meld[-1]))
        yield from bench.show("swap", card=meld[-1], other=other, one=one, two=two, there=there)


def going_out(bench: Bench, _: Bench) -> Iterator[CardExample]:
    """The turn in which a hand is emptied, and what one card changes about it."""
    out, calls_of = bench.ruleset.out, bench.ruleset.calls.of
    name = "go out by melding"
    if out.melding_all == "forbidden":
        name = "go out, one card kept"
    elif out.last_discard == "unplayable" or (out.last_discard == "claimable" and calls_of != "none"):
        name = f"go out, {out.last_discard} discard"
    then = "go out" if out.melding_all == "ends_hand" else "float"
    shown = list(_first(bench, name, then=then, ending=_ending(bench, "?")))
    yield from shown or _first(bench, "go out by laying off")


def floating(bench: Bench, _: Bench) -> Iterator[CardExample]:
    """What a floating player draws and may discard."""
    if bench.ruleset.out.melding_all == "floats" and "stock" in bench.ruleset.floating.draws:
        yield from _first(bench, "float")


def calls(bench: Bench, _: Bench) -> Iterator[CardExample]:
    """A discard that can be called and one that cannot; and cards of the pile that make a meld."""
    of = bench.ruleset.calls.of
    if of != "none":
        yield from _first(bench, "call a card", ending=_ending(bench, "{one}"))
    if of not in {"none", "last_discard"}:
        yield from _first(bench, "call a meld", ending=_ending(bench, "{one}"))


def _ending(bench: Bench, card: str) -> str:
    """The discard that ends a call, where there is one."""
    return f"; discard {card}" if bench.ruleset.calls.discard == "required" else ""


# --- cards for an example --------------------------------------------------------------------------------------


def _first(bench: Bench, name: str, above: int = 1, **words: str) -> Iterator[CardExample]:
    """The first example of that name that the judge confirms; the name `above` stands for this many cards."""
    for cards in _ways(bench, tuple(described(name)["cards"].items()), {}, above):
        said = {word: filled(text, cards) for word, text in words.items()}
        said["with"] = " with " if cards.get("along") else ""
        if shown := tuple(bench.show(name, **cards, **said)):
            yield from shown
            return


def _ways(bench: Bench, steps: Sequence[tuple[str, str]], known: _Found, above: int) -> Iterator[_Found]:
    """Every way to find the cards of some steps, one after the other, beside those that are known."""
    if not steps:
        yield known
        return
    (listed, how), *rest = steps
    names = listed.split()
    for rows in _found(bench, how, [above if name == "above" else 1 for name in names], known):
        yield from _ways(bench, rest, {**known, **dict(zip(names, rows, strict=False))}, above)


def _found(bench: Bench, how: str, sizes: Sequence[int], known: _Found) -> Iterator[Sequence[Sequence[Card]]]:
    """Every way to find the cards of one step: a row of them for each of its names."""
    word, _, about = how.partition(" ")
    used = set(chain.from_iterable(known.values()))
    near = next(iter(known.get(about, ())), None)
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
            yield from islice(_fitting(bench, known["first"][0], used), 2)
        case "own":
            yield (bench.own(used),)
        case "along":
            yield (known["above"] if bench.ruleset.draw.takes != "that_card" else (),)
        case "lone":
            cards = iter(bench.lone(used, sum(sizes)))
            yield [tuple(islice(cards, size)) for size in sizes]
        case "each":
            yield from (((card,),) for card in bench.others(used, near))
        case "unfitting":
            yield ((bench.other({*used, *bench.growth(known["meld"])}, near),),)
        case _:
            yield ((bench.other(used, near),),)


def _meeting(bench: Bench, first: Kind, second: Kind) -> Iterator[Sequence[Sequence[Card]]]:
    """Melds of two kinds, a card that fits both, and one that fits the first alone."""
    for longer in islice(bench.melds(first, first.min_size + 1), 40):
        card, meld = longer[-1], longer[:-1]
        lone = next((one for one in bench.growth(meld) if one != card), None)
        if lone is None or not bench.reads(meld, first):
            continue
        for other in bench.melds(second, second.min_size + 1, card)[:3]:
            rest = tuple(one for one in other if one != card)
            if bench.reads(rest, second) and not {*rest} & {*meld, lone} and lone not in bench.growth(rest):
                yield meld, rest, (card,), (lone,)


def _fitting(bench: Bench, card: Card, avoid: Collection[Card]) -> Iterator[Sequence[Sequence[Card]]]:
    """Melds on the table that a card fits."""
    if bench.ruleset.layoff.onto == "nothing":
        return
    for kind in bench.ruleset.melds.kinds:
        for longer in bench.melds(kind, kind.min_size + 1, card)[:TRIES]:
            rest = tuple(one for one in longer if one != card)
            if bench.reads(rest, kind) and not {*rest} & {*avoid}:
                yield (rest,)
