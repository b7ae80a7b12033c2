"""Examples of play: laying off, taking from the pile, discarding, going out, floating, calling.

Each is a scene and two moves that differ by one card, in the hand or in the move; both were asked of the judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from meldref.authoring.rulebook.examples.bench import Bench, Scene, row, scene_line, text_of
from meldref.authoring.rulebook.examples.melds import standing
from meldref.authoring.rulebook.model import Cards, Example, Line
from meldref.authoring.rulebook.words import many
from meldref.cards import Card, Played
from meldref.records import changed
from meldref.ruleset.model import Duty, Kind

_TRIES = 6
"""How many melds are tried before an example is given up."""


def _first(found: Iterator[Example]) -> Iterator[Example]:
    return islice(found, 1)


def _owner(bench: Bench) -> str:
    """Whose meld a player can surely lay off on: another's where any will do, else one's own."""
    layoff = bench.ruleset.layoff
    return "B" if layoff.onto == "any" and layoff.before_melding == "allowed" else "A"


def _growing(bench: Bench, turn: int = 0) -> Iterator[tuple[tuple[Card, ...], Card]]:
    """Melds that can be laid off on, with a card that fits."""
    if bench.ruleset.layoff.onto == "nothing":
        return
    for _kind, meld in islice(bench.usual(turn), 4 * _TRIES):
        for card in bench.growth(meld)[:1]:
            yield meld, card


def _instead(hand: Sequence[Card], old: Card, new: Card) -> tuple[Card, ...]:
    place = list(hand).index(old)
    return (*hand[:place], new, *hand[place + 1 :])


def _lone(bench: Bench, used: Sequence[Card], wanted: int) -> tuple[Card, ...]:
    """Cards that have nothing to do with those used, nor with each other."""
    found: list[Card] = []
    while len(found) < wanted:
        card = next(bench.others((*used, *found)), None)
        if card is None:
            break
        found.append(card)
    return tuple(found)


# Laying off ------------------------------------------------------------------------------------------------------


def lay_off(bench: Bench, _: Bench) -> Iterator[Example]:
    """A card that fits a meld on the table and one that does not; and two melds that one card fits."""
    yield from _first(_fitting(bench))
    if bench.ruleset.layoff.target == "if_several":
        yield from _first(_several(bench))


def _fitting(bench: Bench) -> Iterator[Example]:
    for meld, card in _growing(bench):
        one, two = _lone(bench, (*meld, card), 2)
        for other in bench.others((*meld, card, one, two), near=card):
            good = Scene((card, other, one, two), ((_owner(bench), meld),))
            lay = f"A: draw; lay {{}} m1; discard {text_of([one])}"
            if bench.allows(good, lay.format(text_of([card]))) and bench.forbids(
                "layoff.fit", good, lay.format(text_of([other]))
            ):
                yield Example(
                    scene_line(good),
                    ("lay off ", row(card)),
                    (("lay off ", row(other), ": the meld would be none of its kind"),),
                )
                break


def _several(bench: Bench) -> Iterator[Example]:
    """A card that fits two melds has to be named with one; a card that fits one need not."""
    kinds = bench.ruleset.melds.kinds
    for first in kinds:
        for second in kinds:
            if first == second or bench.ruleset.layoff.onto == "nothing":
                continue
            for pair, card, lone in _meeting(bench, first, second):
                spare = _lone(bench, (*pair[0], *pair[1], card, lone), 1)
                table = tuple((_owner(bench), meld) for meld in pair)
                scene = Scene((card, lone, *spare), table)
                lay = f"A: draw; lay {{}}; discard {text_of(spare)}"
                if bench.allows(scene, lay.format(text_of([lone]))) and bench.forbids(
                    "layoff.unnamed", scene, lay.format(text_of([card]))
                ):
                    yield Example(
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


# The pile --------------------------------------------------------------------------------------------------------


def take_deep(bench: Bench, _: Bench) -> Iterator[Example]:
    """A card from inside the pile that is used, and one that cannot be."""
    draw = bench.ruleset.draw
    if draw.depth == "top":
        return
    if draw.deep.must == "be_used":
        yield from _first(_duty(bench, draw.deep, "draw.deep", below=2))


def take_top(bench: Bench, _: Bench) -> Iterator[Example]:
    """The top card of the pile, where it has to be used."""
    if bench.ruleset.draw.top.must == "be_used":
        yield from _first(_duty(bench, bench.ruleset.draw.top, "draw.top", below=0))


def _duty(bench: Bench, duty: Duty, code: str, below: int) -> Iterator[Example]:
    """A card taken and used in a meld; with another card in hand it could not be."""
    del duty
    if "meld" not in bench.ruleset.draw.use:
        return
    taking: Line
    for _kind, meld in islice(bench.usual(1), _TRIES):
        card = meld[0]
        lone = _lone(bench, meld, 4 + below)
        pile = (lone[0], card, *lone[1 : 1 + below])
        hand = (*meld[1:], *lone[1 + below : 3 + below])
        last = lone[1 + below]
        good = Scene(hand, pile=pile)
        missing = next(bench.others((*meld, *lone), near=meld[-1]))
        bad = good.with_hand(*_instead(hand, meld[-1], missing))
        if bench.allows(
            good, f"A: take {text_of([card])}; meld {text_of(meld)}; discard {text_of([last])}"
        ) and bench.forbids(f"{code}.unused", bad, f"A: take {text_of([card])}; discard {text_of([last])}"):
            alone = bench.ruleset.draw.takes == "that_card" or not below
            with_it: Line = () if alone else (" with ", row(*pile[2:]))
            taking = ("take ", row(card), *with_it)
            yield Example(
                scene_line(good),
                (*taking, ", lay ", row(*meld), " and discard ", row(last)),
                (
                    (
                        *taking, " if you held ", row(missing), " in place of ", row(meld[-1]),
                        ": you could not use ", row(card),
                    ),
                ),
            )  # fmt: skip


def discard(bench: Bench, doubled: Bench) -> Iterator[Example]:
    """A card just taken that may not be thrown, beside one that may."""
    rules = bench.ruleset
    if rules.discard.taken_top == "forbidden" and rules.draw.top.must == "nothing":
        taken, under, one, two = _lone(bench, (), 4)
        scene = Scene((one, two), pile=(under, taken))
        yield from _thrown(bench, scene, f"A: take {text_of([taken])}", ("take ", row(taken)), one, taken)
        if rules.discard.twin == "if_held_before" and rules.deck.packs[doubled.players] > 1:
            yield from _twin(doubled, scene, taken, one)
    if rules.draw.depth == "any" and rules.draw.takes == "all_above":
        yield from _first(_deep(bench))


def _thrown(
    bench: Bench, scene: Scene, before: str, said: Line, good: Card, bad: Card, why: str = "it was just taken"
) -> Iterator[Example]:
    """Two discards after the same play."""
    if bench.allows(scene, f"{before}; discard {text_of([good])}") and bench.forbids(
        "discard.", scene, f"{before}; discard {text_of([bad])}"
    ):
        yield Example(
            scene_line(scene),
            (*said, " and discard ", row(good)),
            ((*said, " and discard ", row(bad), f": {why}"),),
        )


def _twin(bench: Bench, scene: Scene, taken: Card, one: Card) -> Iterator[Example]:
    """The double of a card just taken, held before or not."""
    packs = bench.ruleset.deck.packs[bench.players]
    held = scene.with_hand(taken, *scene.hand[1:])
    move = f"A: take {text_of([taken])}; discard {text_of([taken])}"
    if bench.allows(held, move) and bench.forbids("discard.", scene, move):
        taking: Line = ("take ", row(taken), " and discard ", row(taken))
        yield Example(
            (f"With {many(packs, 'pack')}. ", *scene_line(held)),
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


def _deep(bench: Bench) -> Iterator[Example]:
    """Of several cards just taken, one that may be thrown and one that may not."""
    rules = bench.ruleset
    if rules.discard.taken_deep == "any":
        return
    for _kind, meld in islice(bench.usual(4), _TRIES):
        card = meld[0]
        lone = _lone(bench, meld, 4)
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


# Exchanging ------------------------------------------------------------------------------------------------------


def swap(bench: Bench, _: Bench) -> Iterator[Example]:
    """A card that a wild card on the table stands for, and one that it does not stand for."""
    if bench.ruleset.melds.wild.swap == "for_natural":
        yield from _first(_swaps(bench))


def _swaps(bench: Bench) -> Iterator[Example]:
    wild = bench.wild_card()
    if wild is None or bench.ruleset.melds.wild.swapped == "laid_this_turn":
        return
    for kind, meld in islice(bench.usual(2), _TRIES):
        card = meld[-1]
        there = (*map(Played, meld[:-1]), standing(bench, kind, wild, card))
        lone = _lone(bench, meld, 2)
        other = next(bench.others((*meld, *lone), near=card))
        scene = Scene((card, other, *lone), (("B", there),))
        move = f"A: draw; swap {{}} m1; discard {text_of(lone[:1])}"
        if bench.allows(scene, move.format(text_of([card]))) and bench.forbids(
            "swap.fit", scene, move.format(text_of([other]))
        ):
            yield Example(
                scene_line(scene),
                ("put ", row(card), " in the place of the wild card"),
                (("put ", row(other), " in the place of the wild card: it stands for another one"),),
            )


# Going out and floating ------------------------------------------------------------------------------------------


def going_out(bench: Bench, _: Bench) -> Iterator[Example]:
    """The turn in which a hand is emptied, and what one card changes about it."""
    out = bench.ruleset.out
    for _kind, meld in islice(bench.usual(5), _TRIES):
        drawn = meld[-1]
        start = f"A: draw {text_of([drawn])}; meld {text_of(meld)}"
        said: Line = ("draw ", row(drawn), " from the stock and lay ", row(*meld))
        if out.melding_all == "forbidden":
            found = list(_keeps_one(bench, meld, start, said))
        elif out.last_discard == "any":
            found = list(_melds_all(bench, meld, start, said))
        else:
            found = list(_last(bench, meld, start, said))
        if found:
            yield found[0]
            return


def _keeps_one(bench: Bench, meld: Sequence[Card], start: str, said: Line) -> Iterator[Example]:
    (last,) = _lone(bench, meld, 1)
    scene = Scene((*meld[:-1], last))
    bare = scene.with_hand(*meld[:-1])
    if bench.allows(scene, f"{start}; discard {text_of([last])}") and bench.forbids(
        "out.discard-required", bare, start
    ):
        yield Example(
            scene_line(scene),
            (*said, ", then discard ", row(last), " and go out"),
            ((*said, " if you did not hold ", row(last), ": nothing would be left to discard"),),
        )


def _melds_all(bench: Bench, meld: Sequence[Card], start: str, said: Line) -> Iterator[Example]:
    scene = Scene(tuple(meld[:-1]))
    other = next(bench.others(meld, near=meld[0]))
    bad = scene.with_hand(other, *meld[1:-1])
    wrong = f"A: draw {text_of([meld[-1]])}; meld {text_of([other, *meld[1:]])}"
    then = "go out" if bench.ruleset.out.melding_all == "ends_hand" else "float"
    if bench.allows(scene, start) and bench.forbids("meld.", bad, wrong):
        yield Example(
            scene_line(scene),
            (*said, f": you {then}"),
            (("the same if you held ", row(other), " in place of ", row(meld[0]), ": that is no meld"),),
        )


def _last(bench: Bench, meld: Sequence[Card], start: str, said: Line) -> Iterator[Example]:
    """A last discard that fits a meld on the table, and one that does not."""
    rules = bench.ruleset
    for other, fits in _growing(bench, 2):
        if set(meld) & {*other, fits}:
            continue
        lone = next(bench.others((*meld, *other, fits)))
        table = ((_owner(bench), other),)
        good, bad = (Scene((*meld[:-1], card), table) for card in (lone, fits))
        moves = [f"{start}; discard {text_of([card])}" for card in (lone, fits)]
        held: Line = (*said, ", then discard ")
        if rules.out.last_discard == "unplayable":
            if bench.allows(good, moves[0]) and bench.forbids("out.playable", bad, moves[1]):
                yield Example(
                    scene_line(good),
                    (*held, row(lone), " and go out"),
                    (
                        (
                            *held, row(fits), " if you held that in place of ", row(lone),
                            ": it fits the meld, so you have to lay it off",
                        ),
                    ),
                )  # fmt: skip
        elif rules.calls.of != "none":
            ending = "; discard ?" if rules.calls.discard == "required" else ""
            call = f"B: rummy {{0}}; lay {{0}} m1{ending}"
            if bench.allows(bad, moves[1], call.format(text_of([fits]))) and bench.forbids(
                "call.", good, moves[0], call.format(text_of([lone]))
            ):
                yield Example(
                    scene_line(bad),
                    ("if you go out by discarding ", row(fits), ", another player calls it"),
                    (("to call ", row(lone), " if you discarded that: it fits nothing, and you are out"),),
                )


def floating(bench: Bench, _: Bench) -> Iterator[Example]:
    """What a floating player draws and may discard."""
    out, floats = bench.ruleset.out, bench.ruleset.floating
    if out.melding_all != "floats" or "stock" not in floats.draws:
        return
    for meld, card in islice(_growing(bench, 3), 1):
        scene = Scene((), ((_owner(bench), meld),), floats=True)
        lone = next(bench.others((*meld, card)))
        good, bad = (f"A: draw {text_of([one])}; discard {text_of([one])}" for one in (lone, card))
        if bench.allows(scene, good) and bench.forbids("", scene, bad):
            yield Example(
                scene_line(scene),
                ("draw ", row(lone), " from the stock and discard it: you go out"),
                (
                    (
                        "draw ",
                        row(card),
                        " and discard it: it fits the meld, so you have to lay it",
                    ),
                ),
            )


# Calls -----------------------------------------------------------------------------------------------------------


def calls(bench: Bench, _: Bench) -> Iterator[Example]:
    """A discard that can be called and one that cannot; and cards of the pile that make a meld."""
    of = bench.ruleset.calls.of
    if of == "none":
        return
    yield from _first(_called(bench))
    if of != "last_discard":
        yield from _first(_called_set(bench))


def _ended(bench: Bench, hand: Sequence[Card]) -> str:
    return f"; discard {text_of(hand[:1])}" if bench.ruleset.calls.discard == "required" else ""


def _called(bench: Bench) -> Iterator[Example]:
    layer = "A" if _owner(bench) == "B" else "B"
    for meld, card in _growing(bench, 1):
        under, one, two = _lone(bench, (*meld, card), 3)
        other = next(
            (
                one
                for one in bench.others((*meld, card, under, one, two), near=card)
                if one not in bench.growth(meld)
            ),
            None,
        )
        if other is None:
            continue
        scene = Scene((one, two), ((layer, meld),), (under, card), mover="B")
        bad = changed(scene, pile=(under, other))
        move = f"B: rummy {{0}}; lay {{0}} m1{_ended(bench, scene.hand)}"
        if bench.allows(scene, move.format(text_of([card]))) and bench.forbids(
            "call.nothing", bad, move.format(text_of([other]))
        ):
            yield Example(
                _after_discard(scene),
                ('call "Rummy!", take ', row(card), " and lay it off"),
                (
                    (
                        "call ",
                        row(other),
                        " if that had been discarded: it fits nothing",
                    ),
                ),
            )


def _after_discard(scene: Scene) -> Line:
    latest = scene.pile[-1]
    parts: list[str | Cards] = [*scene_line(scene)]
    return (*parts, " Another player has just discarded ", row(latest), ".")


def _called_set(bench: Bench) -> Iterator[Example]:
    for _kind, meld in islice(bench.usual(4), _TRIES):
        under, one, two = _lone(bench, meld, 3)
        missing = meld[0]
        other = next(bench.others((*meld, under, one, two), near=missing))
        good = Scene((one, two), pile=(under, *meld), mover="B")
        bad = changed(good, hand=(one, missing), pile=(under, other, *meld[1:]))
        ending = _ended(bench, (one,))
        if bench.allows(good, f"B: rummy {text_of(meld)}; meld {text_of(meld)}{ending}") and bench.forbids(
            "call.", bad, f"B: rummy {text_of(meld[1:])}; meld {text_of(meld)}{ending}"
        ):
            yield Example(
                _after_discard(good),
                ('call "Rummy!" and lay ', row(*meld), " from the pile"),
                (
                    (
                        "the same if ", row(other), " lay there in place of ", row(missing), ", even with ",
                        row(missing), " in your hand: a call needs the pile and the table alone",
                    ),
                ),
            )  # fmt: skip
