"""Examples of turns: laying off, taking from the pile, discarding, exchanging.

Each is a scene and two moves that differ by one card, in the hand or in the move; both were asked of the judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, permutations

from meldref.authoring.rulebook.examples.bench import TRIES, Bench, Play, Scene, line, move, standing
from meldref.authoring.rulebook.model import CardExample, Line
from meldref.authoring.rulebook.words import number_of
from meldref.core.cards import Card, Played
from meldref.core.records import changed
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
            scene = Scene((card, other, one, two), ((bench.layer, meld),))
            good, bad = (move("A: draw; lay", each, "m1; discard", one) for each in (card, other))
            yield from bench.pair(
                Play(scene, line("lay off ", card), good),
                "layoff.fit",
                Play(scene, line("lay off ", other, ": it does not fit the meld"), bad),
            )


def _several(bench: Bench) -> Iterator[CardExample]:
    """A card that fits two melds has to be named with one; a card that fits one need not."""
    for first, second in permutations(bench.ruleset.melds.kinds, 2):
        for melds, card, lone in _meeting(bench, first, second):
            (spare,) = bench.lone((*melds[0], *melds[1], card, lone), 1)
            scene = Scene((card, lone, spare), tuple((bench.layer, meld) for meld in melds))
            good, bad = (move("A: draw; lay", each, "; discard", spare) for each in (lone, card))
            yield from bench.pair(
                Play(scene, line("lay off ", lone, " without saying where: it fits only one meld"), good),
                "layoff.unnamed",
                Play(scene, line("lay off ", card, " without saying where: it fits both"), bad),
            )


def _meeting(
    bench: Bench, first: Kind, second: Kind
) -> Iterator[tuple[tuple[tuple[Card, ...], tuple[Card, ...]], Card, Card]]:
    """Melds of two kinds, a card that fits both, and one that fits the first alone."""
    for longer in islice(bench.melds(first, first.min_size + 1), 40):
        card, meld = longer[-1], longer[:-1]
        lone = next((one for one in bench.growth(meld) if one != card), None)
        if lone is None or not bench.reads(meld, first):
            continue
        for other in bench.melds(second, second.min_size + 1, card)[:3]:
            rest = tuple(one for one in other if one != card)
            if bench.reads(rest, second) and not {*rest} & {*meld, lone} and lone not in bench.growth(rest):
                yield (meld, rest), card, lone
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


def _taking(bench: Bench, card: Card, above: Sequence[Card]) -> Line:
    """Taking a card, with what lies on it where that comes along."""
    if not above or bench.ruleset.draw.takes == "that_card":
        return line("take ", card)
    return line("take ", card, " with ", above)


def _melded(bench: Bench, code: str, below: int) -> Iterator[CardExample]:
    """A card taken and melded; with another card in hand it could not be."""
    for _kind, meld in islice(bench.usual(1), TRIES):
        card = meld[0]
        under, *above, last, other = bench.lone(meld, 3 + below)
        scene = Scene((*meld[1:], last, other), pile=(under, card, *above))
        bad, instead = _other_hand(bench, scene, meld)
        taking = _taking(bench, card, above)
        could = "could" if bench.leads_nowhere(bad, move("A: take", card)) else "would"
        yield from bench.pair(
            Play(
                scene,
                (*taking, *line(", lay ", meld, " and discard ", last)),
                move("A: take", card, "; meld", meld, "; discard", last),
            ),
            f"{code}.unused",
            Play(
                bad,
                (*taking, *instead, *line(f": you {could} not use ", card)),
                move("A: take", card, "; discard", last),
            ),
        )


def _other_hand(bench: Bench, scene: Scene, meld: Sequence[Card]) -> tuple[Scene, Line]:
    """The scene with another card than the last of a meld in hand, and the words for that."""
    there = [card for _, melds in scene.table for card in melds if isinstance(card, int)]
    missing = bench.other((*meld, *there, *scene.hand, *scene.pile), near=meld[-1])
    return scene.holding(missing, meld[-1]), line(" if you held ", missing, " instead of ", meld[-1])


def _not_enough(bench: Bench, code: str, below: int) -> Iterator[CardExample]:
    """A card taken that could only be laid off, where it has to be melded."""
    for _kind, meld in islice(bench.usual(1), TRIES):
        card = meld[0]
        for there in islice(_fitting_there(bench, card, meld), 2):
            under, *above, last, other = bench.lone((*meld, *there), 3 + below)
            scene = Scene((*meld[1:], last, other), ((bench.layer, there),), (under, card, *above))
            bad, instead = _other_hand(bench, scene, meld)
            taking = _taking(bench, card, above)
            yield from bench.pair(
                Play(
                    scene,
                    (*taking, *line(" and lay ", meld)),
                    move("A: take", card, "; meld", meld, "; discard", last),
                ),
                f"{code}.lay-off",
                Play(
                    bad,
                    (*taking, *line(" and lay off ", card, ","), *instead, ": it must go into a new meld"),
                    move("A: take", card, "; lay", card, "m1; discard", last),
                ),
            )


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
        scene = Scene((last, other), ((bench.layer, meld),), (under, card, *above))
        wrong = bench.other((*meld, card, under, *above, last, other), near=card)
        bad = changed(scene, pile=(under, wrong, *above))
        could = "could" if bench.leads_nowhere(bad, move("A: take", wrong)) else "would"
        yield from bench.pair(
            Play(
                scene,
                (*_taking(bench, card, above), " and lay it off"),
                move("A: take", card, "; lay", card, "m1; discard", last),
            ),
            f"{code}.unused",
            Play(
                bad,
                (*_taking(bench, wrong, above), f" if that lay in its place: you {could} not use it"),
                move("A: take", wrong, "; discard", last),
            ),
        )


# --- the discard -----------------------------------------------------------------------------------------------


def discard(bench: Bench, doubled: Bench) -> Iterator[CardExample]:
    """A card just taken that may not be discarded, and one that may."""
    rules = bench.ruleset
    if rules.discard.taken_top == "forbidden" and rules.draw.top.must == "nothing":
        taken, under, one, two = bench.lone((), 4)
        scene = Scene((one, two), pile=(under, taken))
        yield from _thrown(bench, scene, move("A: take", taken), line("take ", taken), one, taken)
        if rules.discard.twin == "if_held_before" and rules.deck.packs[doubled.players] > 1:
            yield from _twin(doubled, scene, taken, one)
    if rules.draw.depth == "any" and rules.draw.takes == "all_above" and rules.discard.taken_deep != "any":
        yield from islice(_deep(bench), 1)


def _thrown(
    bench: Bench, scene: Scene, before: str, said: Line, good: Card, bad: Card, why: str = "it was just taken"
) -> Iterator[CardExample]:
    """Two discards after the same play."""
    yield from bench.pair(
        Play(scene, (*said, *line(" and discard ", good)), move(f"{before}; discard", good)),
        "discard.",
        Play(scene, (*said, *line(" and discard ", bad, f": {why}")), move(f"{before}; discard", bad)),
    )


def _twin(bench: Bench, scene: Scene, taken: Card, one: Card) -> Iterator[CardExample]:
    """The double of a card just taken, held before or not."""
    packs = number_of(bench.ruleset.deck.packs[bench.players], "pack")
    held = changed(scene.holding(taken, one), before=f"With {packs}. ")
    turn = move("A: take", taken, "; discard", taken)
    taking = line("take ", taken, " and discard ", taken)
    instead = line(" if you held ", one, " instead of ", taken, ": it would be the card just taken")
    yield from bench.pair(Play(held, taking, turn), "discard.", Play(scene, (*taking, *instead), turn))


def _deep(bench: Bench) -> Iterator[CardExample]:
    """Of several cards just taken, one that may be discarded and one that may not."""
    rules = bench.ruleset
    used = rules.draw.deep.must == "be_used"
    deepest = rules.discard.taken_deep == "not_deepest"
    if deepest and used:
        return
    for _kind, meld in islice(bench.usual(4), TRIES):
        card = meld[0]
        held, under, above, top = bench.lone(meld, 4)
        scene = Scene((*meld[1:], held) if used else (held,), pile=(under, card, above, top))
        turn, said = move("A: take", card), line("take ", card, " with ", (above, top))
        if used:
            turn, said = move(f"{turn}; meld", meld), (*said, *line(", lay ", meld))
        bad, why = above, "of the cards taken, only the former top card may be discarded"
        if deepest:
            bad, why = card, "it was the deepest of those taken"
        yield from _thrown(bench, scene, turn, said, top, bad, why)


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
        scene = Scene((card, other, *lone), (("B", there),))
        good, bad = (move("A: draw; swap", each, "m1; discard", lone[0]) for each in (card, other))
        yield from bench.pair(
            Play(scene, line("put ", card, " in place of the wild card"), good),
            "swap.fit",
            Play(scene, line("put ", other, " in place of the wild card: it stands for another card"), bad),
        )
