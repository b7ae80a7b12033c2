"""Examples of turns: laying off, taking from the pile, discarding, exchanging.

Each is a scene and two moves that differ by one card, in the hand or in the move; both were asked of the judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from meldref.authoring.rulebook.examples.bench import TRIES, Bench, Scene, row, scene_line, text_of
from meldref.authoring.rulebook.examples.melds import standing
from meldref.authoring.rulebook.model import CardExample, Line
from meldref.authoring.rulebook.words import number_of
from meldref.core.cards import Card, Played
from meldref.core.records import changed
from meldref.ruleset.model import Kind


def _instead(hand: Sequence[Card], old: Card, new: Card) -> tuple[Card, ...]:
    place = list(hand).index(old)
    return (*hand[:place], new, *hand[place + 1 :])


# --- laying off ------------------------------------------------------------------------------------------------


def lay_off(bench: Bench, _: Bench) -> Iterator[CardExample]:
    """A card that fits a meld on the table and one that does not; and two melds that one card fits."""
    yield from islice(_fitting(bench), 1)
    if bench.ruleset.layoff.target == "if_several":
        yield from islice(_several(bench), 1)


def _fitting(bench: Bench) -> Iterator[CardExample]:
    for meld, card in bench.growing():
        one, two = bench.lone((*meld, card), 2)
        for other in bench.others((*meld, card, one, two), near=card):
            good = Scene((card, other, one, two), ((bench.layer, meld),))
            lay = f"A: draw; lay {{}} m1; discard {text_of([one])}"
            if bench.allows(good, lay.format(text_of([card]))) and bench.forbids(
                "layoff.fit", good, lay.format(text_of([other]))
            ):
                yield CardExample(
                    scene_line(good),
                    ("lay off ", row(card)),
                    (("lay off ", row(other), ": the meld would be none of its kind"),),
                )
                break


def _several(bench: Bench) -> Iterator[CardExample]:
    """A card that fits two melds has to be named with one; a card that fits one need not."""
    kinds = bench.ruleset.melds.kinds
    for first in kinds:
        for second in kinds:
            if first == second or bench.ruleset.layoff.onto == "nothing":
                continue
            for pair, card, lone in _meeting(bench, first, second):
                spare = bench.lone((*pair[0], *pair[1], card, lone), 1)
                table = tuple((bench.layer, meld) for meld in pair)
                scene = Scene((card, lone, *spare), table)
                lay = f"A: draw; lay {{}}; discard {text_of(spare)}"
                if bench.allows(scene, lay.format(text_of([lone]))) and bench.forbids(
                    "layoff.unnamed", scene, lay.format(text_of([card]))
                ):
                    yield CardExample(
                        scene_line(scene),
                        ("lay off ", row(lone), " without a word: it fits one meld only"),
                        (("lay off ", row(card), " without a word: it fits both"),),
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
    """A card taken from under so many others, and what has to be done with it."""
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
        return ("take ", row(card))
    return ("take ", row(card), " with ", row(*above))


def _melded(bench: Bench, code: str, below: int) -> Iterator[CardExample]:
    """A card taken and melded; with another card in hand it could not be."""
    for _kind, meld in islice(bench.usual(1), TRIES):
        card = meld[0]
        under, *above, last, other = bench.lone(meld, 3 + below)
        good = Scene((*meld[1:], last, other), pile=(under, card, *above))
        missing = bench.other((*meld, under, *above, last, other), near=meld[-1])
        bad = good.with_hand(*_instead(good.hand, meld[-1], missing))
        take, end = f"A: take {text_of([card])}", f"discard {text_of([last])}"
        if bench.allows(good, f"{take}; meld {text_of(meld)}; {end}") and bench.forbids(
            f"{code}.unused", bad, f"{take}; {end}"
        ):
            taking = _taking(bench, card, above)
            could = "could" if bench.leads_nowhere(bad, take) else "would"
            held: Line = (" if you held ", row(missing), " in place of ", row(meld[-1]))
            yield CardExample(
                scene_line(good),
                (*taking, ", lay ", row(*meld), " and discard ", row(last)),
                ((*taking, *held, f": you {could} not use ", row(card)),),
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


def _not_enough(bench: Bench, code: str, below: int) -> Iterator[CardExample]:
    """A card taken that could only be laid off, where it has to be melded."""
    for _kind, meld in islice(bench.usual(1), TRIES):
        card = meld[0]
        for there in islice(_fitting_there(bench, card, meld), 2):
            under, *above, last, other = bench.lone((*meld, *there), 3 + below)
            good = Scene((*meld[1:], last, other), ((bench.layer, there),), (under, card, *above))
            missing = bench.other((*meld, *there, under, *above, last, other), near=meld[-1])
            bad = good.with_hand(*_instead(good.hand, meld[-1], missing))
            take, end = f"A: take {text_of([card])}", f"discard {text_of([last])}"
            if bench.allows(good, f"{take}; meld {text_of(meld)}; {end}") and bench.forbids(
                f"{code}.lay-off", bad, f"{take}; lay {text_of([card])} m1; {end}"
            ):
                taking = _taking(bench, card, above)
                held: Line = (", if you held ", row(missing), " in place of ", row(meld[-1]))
                yield CardExample(
                    scene_line(good),
                    (*taking, " and lay ", row(*meld)),
                    ((*taking, " and lay off ", row(card), *held, ": it has to go into a new meld"),),
                )


def _laid_off(bench: Bench, code: str, below: int) -> Iterator[CardExample]:
    """A card taken and laid off, where nothing else will do; another card in its place could not be."""
    for meld, card in bench.growing(1):
        under, *above, last, other = bench.lone((*meld, card), 3 + below)
        good = Scene((last, other), ((bench.layer, meld),), (under, card, *above))
        wrong = bench.other((*meld, card, under, *above, last, other), near=card)
        bad = changed(good, pile=(under, wrong, *above))
        end = f"discard {text_of([last])}"
        if bench.allows(good, f"A: take {text_of([card])}; lay {text_of([card])} m1; {end}") and bench.forbids(
            f"{code}.unused", bad, f"A: take {text_of([wrong])}; {end}"
        ):
            could = "could" if bench.leads_nowhere(bad, f"A: take {text_of([wrong])}") else "would"
            yield CardExample(
                scene_line(good),
                (*_taking(bench, card, above), " and lay it off"),
                ((*_taking(bench, wrong, above), f" if that lay in its place: you {could} not use it"),),
            )


def discard(bench: Bench, doubled: Bench) -> Iterator[CardExample]:
    """A card just taken that may not be thrown, beside one that may."""
    rules = bench.ruleset
    if rules.discard.taken_top == "forbidden" and rules.draw.top.must == "nothing":
        taken, under, one, two = bench.lone((), 4)
        scene = Scene((one, two), pile=(under, taken))
        yield from _thrown(bench, scene, f"A: take {text_of([taken])}", ("take ", row(taken)), one, taken)
        if rules.discard.twin == "if_held_before" and rules.deck.packs[doubled.players] > 1:
            yield from _twin(doubled, scene, taken, one)
    if rules.draw.depth == "any" and rules.draw.takes == "all_above":
        yield from islice(_deep(bench), 1)


def _thrown(
    bench: Bench, scene: Scene, before: str, said: Line, good: Card, bad: Card, why: str = "it was just taken"
) -> Iterator[CardExample]:
    """Two discards after the same play."""
    if bench.allows(scene, f"{before}; discard {text_of([good])}") and bench.forbids(
        "discard.", scene, f"{before}; discard {text_of([bad])}"
    ):
        yield CardExample(
            scene_line(scene),
            (*said, " and discard ", row(good)),
            ((*said, " and discard ", row(bad), f": {why}"),),
        )


def _twin(bench: Bench, scene: Scene, taken: Card, one: Card) -> Iterator[CardExample]:
    """The double of a card just taken, held before or not."""
    packs = bench.ruleset.deck.packs[bench.players]
    held = scene.with_hand(taken, *scene.hand[1:])
    move = f"A: take {text_of([taken])}; discard {text_of([taken])}"
    if bench.allows(held, move) and bench.forbids("discard.", scene, move):
        taking: Line = ("take ", row(taken), " and discard ", row(taken))
        yield CardExample(
            (f"With {number_of(packs, 'pack')}. ", *scene_line(held)),
            taking,
            (
                (
                    *taking,
                    " if you held ",
                    row(one),
                    " in place of ",
                    row(taken),
                    ": it would be the card just taken",
                ),
            ),
        )


def _deep(bench: Bench) -> Iterator[CardExample]:
    """Of several cards just taken, one that may be thrown and one that may not."""
    rules = bench.ruleset
    if rules.discard.taken_deep == "any":
        return
    for _kind, meld in islice(bench.usual(4), TRIES):
        card = meld[0]
        lone = bench.lone(meld, 4)
        used = rules.draw.deep.must == "be_used"
        scene = Scene((*(meld[1:] if used else lone[3:]), lone[0]), pile=(lone[1], card, *lone[2:3], lone[3]))
        if not used:
            scene = changed(scene, hand=(lone[0],))
        take = f"A: take {text_of([card])}"
        said: Line = ("take ", row(card), " with ", row(lone[2], lone[3]))
        if used:
            take, said = f"{take}; meld {text_of(meld)}", (*said, ", lay ", row(*meld))
        bad, why = (lone[2], "of those taken only the former top card may be discarded")
        if rules.discard.taken_deep == "not_deepest":
            if used:
                return
            bad, why = card, "it lay deepest of those taken"
        yield from _thrown(bench, scene, take, said, lone[3], bad, why)


# --- exchanging ------------------------------------------------------------------------------------------------


def swap(bench: Bench, _: Bench) -> Iterator[CardExample]:
    """A card that a wild card on the table stands for, and one that it does not stand for."""
    if bench.ruleset.melds.wild.swap == "for_natural":
        yield from islice(_swaps(bench), 1)


def _swaps(bench: Bench) -> Iterator[CardExample]:
    wild = bench.wild_card()
    if wild is None or bench.ruleset.melds.wild.swapped == "laid_this_turn":
        return
    for kind, meld in islice(bench.usual(2), TRIES):
        card = meld[-1]
        there = (*map(Played, meld[:-1]), standing(bench, kind, wild, card))
        lone = bench.lone(meld, 2)
        other = bench.other((*meld, *lone), near=card)
        scene = Scene((card, other, *lone), (("B", there),))
        move = f"A: draw; swap {{}} m1; discard {text_of(lone[:1])}"
        if bench.allows(scene, move.format(text_of([card]))) and bench.forbids(
            "swap.fit", scene, move.format(text_of([other]))
        ):
            yield CardExample(
                scene_line(scene),
                ("put ", row(card), " in the place of the wild card"),
                (("put ", row(other), " in the place of the wild card: it stands for another one"),),
            )
