"""Cards for the examples of turns: laying off, taking from the pile, discarding, exchanging."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, permutations

from meldref.authoring.rulebook.examples.bench import TRIES, Bench, standing
from meldref.authoring.rulebook.examples.scene import Row
from meldref.authoring.rulebook.model import CardExample
from meldref.authoring.rulebook.words import number_of
from meldref.core.cards import Card, Played
from meldref.ruleset.model import Kind

# --- laying off ------------------------------------------------------------------------------------------------


def lay_off(bench: Bench, _: Bench) -> Iterator[CardExample]:
    """A card that fits a meld on the table and one that does not; and two melds that one card fits."""
    yield from islice(_fitting(bench), 1)
    layoff = bench.ruleset.layoff
    if layoff.target == "if_several" and layoff.onto != "nothing":
        yield from islice(_several(bench), 1)


def _fitting(bench: Bench) -> Iterator[CardExample]:
    for meld, card in bench.growing():
        one, two = bench.lone((*meld, card), 2)
        for other in bench.others((*meld, card, one, two), near=card):
            yield from bench.show("lay off", meld=meld, card=card, other=other, one=one, two=two)


def _several(bench: Bench) -> Iterator[CardExample]:
    """A card that fits two melds has to be named with one; a card that fits one need not."""
    for kinds in permutations(bench.ruleset.melds.kinds, 2):
        for first, second, card, lone in _meeting(bench, *kinds):
            (spare,) = bench.lone((*first, *second, card, lone), 1)
            yield from bench.show("lay off unnamed", first=first, second=second, card=card, lone=lone, spare=spare)


def _meeting(
    bench: Bench, first: Kind, second: Kind
) -> Iterator[tuple[tuple[Card, ...], tuple[Card, ...], Card, Card]]:
    """Melds of two kinds, a card that fits both, and one that fits the first alone."""
    for longer in islice(bench.melds(first, first.min_size + 1), 40):
        card, meld = longer[-1], longer[:-1]
        lone = next((one for one in bench.growth(meld) if one != card), None)
        if lone is None or not bench.reads(meld, first):
            continue
        for other in bench.melds(second, second.min_size + 1, card)[:3]:
            rest = tuple(one for one in other if one != card)
            if bench.reads(rest, second) and not {*rest} & {*meld, lone} and lone not in bench.growth(rest):
                yield meld, rest, card, lone
                return


# --- the pile --------------------------------------------------------------------------------------------------


def take_deep(bench: Bench, _: Bench) -> Iterator[CardExample]:
    """A card from inside the pile that is used, and one that cannot be; and where laying it off is not enough."""
    draw = bench.ruleset.draw
    if draw.depth == "any" and draw.deep.must == "be_used":
        yield from _used(bench, "draw.deep", below=2)


def take_top(bench: Bench, _: Bench) -> Iterator[CardExample]:
    """The top card of the pile, where it has to be used."""
    if bench.ruleset.draw.top.must == "be_used":
        yield from _used(bench, "draw.top", below=0)


def _used(bench: Bench, code: str, below: int) -> Iterator[CardExample]:
    """A card taken from below a number of others, and what has to be done with it."""
    use = bench.ruleset.draw.use
    if "meld" in use:
        yield from islice(_melded(bench, code, below), 1)
        if "lay_off" not in use:
            yield from islice(_not_enough(bench, code, below), 1)
    elif "lay_off" in use:
        yield from islice(_laid_off(bench, code, below), 1)


def _taking(bench: Bench, above: Sequence[Card]) -> dict[str, Row]:
    """What lies on a card taken, and the words for it where it comes along."""
    along = above if bench.ruleset.draw.takes != "that_card" else ()
    return {"above": above, "along": along, "with": " with " if along else ""}


def _melded(bench: Bench, code: str, below: int) -> Iterator[CardExample]:
    """A card taken and melded; with another card in hand it could not be."""
    for _kind, meld in islice(bench.usual(1), TRIES):
        own = bench.own(meld)
        yield from _in_new_meld(bench, "take and meld", code, below, meld, own)


def _not_enough(bench: Bench, code: str, below: int) -> Iterator[CardExample]:
    """A card taken that could only be laid off, where it has to be melded."""
    for _kind, meld in islice(bench.usual(1), TRIES):
        for there in islice(_fitting_there(bench, meld[0], meld), 2):
            yield from _in_new_meld(bench, "take and meld, not lay off", code, below, meld, there)


def _in_new_meld(
    bench: Bench, name: str, code: str, below: int, meld: Sequence[Card], there: Sequence[Card]
) -> Iterator[CardExample]:
    """A card of the pile that makes a new meld, and a hand with which it would not, another meld on the table."""
    card, *middle, end = meld
    under, *above, last, other = bench.lone((*meld, *there), 3 + below)
    missing = bench.other((*meld, *there, under, *above, last, other), near=end)
    hands: dict[str, Row] = {"middle": middle, "end": end, "missing": missing, "last": last, "other": other}
    cards: dict[str, Row] = {"card": card, "meld": meld, "under": under, "own": there, "there": there}
    yield from bench.show(name, duty=code, **hands, **cards, **_taking(bench, above))


def _fitting_there(bench: Bench, card: Card, avoid: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """Melds on the table that a card fits."""
    if bench.ruleset.layoff.onto == "nothing":
        return
    for kind in bench.ruleset.melds.kinds:
        for longer in bench.melds(kind, kind.min_size + 1, card)[:TRIES]:
            rest = tuple(one for one in longer if one != card)
            if bench.reads(rest, kind) and not {*rest} & {*avoid}:
                yield rest


def _laid_off(bench: Bench, code: str, below: int) -> Iterator[CardExample]:
    """A card taken and laid off, where nothing else will do; another card in its place could not be."""
    for meld, card in bench.growing(1):
        under, *above, last, other = bench.lone((*meld, card), 3 + below)
        wrong = bench.other((*meld, card, under, *above, last, other), near=card)
        cards: dict[str, Row] = {"meld": meld, "card": card, "wrong": wrong, "under": under}
        yield from bench.show(
            "take and lay off", duty=code, last=last, other=other, **cards, **_taking(bench, above)
        )


# --- the discard -----------------------------------------------------------------------------------------------


def discard(bench: Bench, doubled: Bench) -> Iterator[CardExample]:
    """A card just taken that may not be discarded, and one that may."""
    rules = bench.ruleset
    if rules.discard.taken_top == "forbidden" and rules.draw.top.must == "nothing":
        taken, under, one, two = bench.lone((), 4)
        cards: dict[str, Row] = {"card": taken, "under": under, "one": one, "two": two}
        yield from bench.show("discard the card taken", **cards)
        if rules.discard.twin == "if_held_before" and rules.deck.packs[doubled.players] > 1:
            packs = number_of(rules.deck.packs[doubled.players], "pack")
            yield from doubled.show("discard a duplicate", packs=packs, **cards)
    if rules.draw.depth == "any" and rules.draw.takes == "all_above" and rules.discard.taken_deep != "any":
        yield from islice(_deep(bench), 1)


def _deep(bench: Bench) -> Iterator[CardExample]:
    """Of several cards just taken, one that may be discarded and one that may not."""
    melded = bench.ruleset.draw.deep.must == "be_used"
    deepest = bench.ruleset.discard.taken_deep == "not_deepest"
    for _kind, meld in islice(bench.usual(4), 0 if melded and deepest else TRIES):
        card, *rest = meld
        held, under, above, top = bench.lone(meld, 4)
        cards: dict[str, Row] = {"card": card, "held": held, "under": under, "above": above, "top": top}
        if melded:
            yield from bench.show("discard after taking several and melding", meld=meld, rest=rest, **cards)
        else:
            yield from bench.show(f"discard after taking several, {'deepest' if deepest else 'top'}", **cards)


# --- exchanging ------------------------------------------------------------------------------------------------


def swap(bench: Bench, _: Bench) -> Iterator[CardExample]:
    """A card that a wild card on the table stands for, and one that it does not stand for."""
    rules, wild = bench.ruleset.melds.wild, bench.wild_card()
    if wild is not None and rules.swap == "for_natural" and rules.swapped == "to_hand":
        yield from islice(_swaps(bench, wild), 1)


def _swaps(bench: Bench, wild: Card) -> Iterator[CardExample]:
    for kind, meld in islice(bench.usual(2), TRIES):
        card = meld[-1]
        lone = bench.lone(meld, 2)
        other = bench.other((*meld, *lone), near=card)
        there = (*map(Played, meld[:-1]), standing(bench, kind, wild, card))
        one, two = lone
        yield from bench.show("swap", card=card, other=other, one=one, two=two, there=there)
