"""Examples of the end of a hand, going out and floating, and of calls.

Each is a scene and two moves that differ by one card, in the hand or in the move; both were asked of the judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from meldref.authoring.rulebook.examples.bench import TRIES, Bench, Scene, row, scene_line, text_of
from meldref.authoring.rulebook.model import CardExample, Cards, Line
from meldref.core.cards import Card
from meldref.core.records import changed

# --- going out and floating ------------------------------------------------------------------------------------


_NO_MELD: Final = ("meld.kind", "meld.shape", "meld.size")


def going_out(bench: Bench, _: Bench) -> Iterator[CardExample]:
    """The turn in which a hand is emptied, and what one card changes about it."""
    out = bench.ruleset.out
    for _kind, meld in islice(bench.usual(5), TRIES):
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


def _keeps_one(bench: Bench, meld: Sequence[Card], start: str, said: Line) -> Iterator[CardExample]:
    (last,) = bench.lone(meld, 1)
    scene = Scene((*meld[:-1], last))
    bare = scene.with_hand(*meld[:-1])
    if bench.allows(scene, f"{start}; discard {text_of([last])}") and bench.forbids(
        "out.discard-required", bare, start
    ):
        yield CardExample(
            scene_line(scene),
            (*said, ", then discard ", row(last), " and go out"),
            ((*said, " if you did not hold ", row(last), ": nothing would be left to discard"),),
        )


def _melds_all(bench: Bench, meld: Sequence[Card], start: str, said: Line) -> Iterator[CardExample]:
    scene = Scene(tuple(meld[:-1]))
    other = bench.other(meld, near=meld[0])
    bad = scene.with_hand(other, *meld[1:-1])
    wrong = f"A: draw {text_of([meld[-1]])}; meld {text_of([other, *meld[1:]])}"
    then = "go out" if bench.ruleset.out.melding_all == "ends_hand" else "float"
    if bench.allows(scene, start) and bench.forbids(_NO_MELD, bad, wrong):
        yield CardExample(
            scene_line(scene),
            (*said, f": you {then}"),
            (("the same if you held ", row(other), " in place of ", row(meld[0]), ": that is no meld"),),
        )


def _last(bench: Bench, meld: Sequence[Card], start: str, said: Line) -> Iterator[CardExample]:
    """A last discard that fits a meld on the table, and one that does not."""
    rules = bench.ruleset
    for other, fits in bench.growing(2):
        if set(meld) & {*other, fits}:
            continue
        lone = bench.other((*meld, *other, fits))
        table = ((bench.layer, other),)
        good, bad = (Scene((*meld[:-1], card), table) for card in (lone, fits))
        moves = [f"{start}; discard {text_of([card])}" for card in (lone, fits)]
        held: Line = (*said, ", then discard ")
        if rules.out.last_discard == "unplayable":
            if bench.allows(good, moves[0]) and bench.forbids("out.playable", bad, moves[1]):
                yield CardExample(
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
                yield CardExample(
                    scene_line(bad),
                    ("if you go out by discarding ", row(fits), ", another player calls it"),
                    (("to call ", row(lone), " if you discarded that: it fits nothing, and you are out"),),
                )


def floating(bench: Bench, _: Bench) -> Iterator[CardExample]:
    """What a floating player draws and may discard."""
    out, floats = bench.ruleset.out, bench.ruleset.floating
    if out.melding_all != "floats" or "stock" not in floats.draws:
        return
    for meld, card in islice(bench.growing(3), 1):
        scene = Scene((), ((bench.layer, meld),), floats=True)
        lone = bench.other((*meld, card))
        good, bad = (f"A: draw {text_of([one])}; discard {text_of([one])}" for one in (lone, card))
        if bench.allows(scene, good) and bench.forbids(("float.playable", "out.playable"), scene, bad):
            yield CardExample(
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


# --- calls -----------------------------------------------------------------------------------------------------


def calls(bench: Bench, _: Bench) -> Iterator[CardExample]:
    """A discard that can be called and one that cannot; and cards of the pile that make a meld."""
    of = bench.ruleset.calls.of
    if of == "none":
        return
    yield from islice(_called(bench), 1)
    if of != "last_discard":
        yield from islice(_called_set(bench), 1)


def _ended(bench: Bench, hand: Sequence[Card]) -> str:
    return f"; discard {text_of(hand[:1])}" if bench.ruleset.calls.discard == "required" else ""


def _called(bench: Bench) -> Iterator[CardExample]:
    layer = "A" if bench.layer == "B" else "B"
    for meld, card in bench.growing(1):
        under, one, two = bench.lone((*meld, card), 3)
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
            yield CardExample(
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


def _called_set(bench: Bench) -> Iterator[CardExample]:
    for _kind, meld in islice(bench.usual(4), TRIES):
        under, one, two = bench.lone(meld, 3)
        missing = meld[0]
        other = bench.other((*meld, under, one, two), near=missing)
        good = Scene((one, two), pile=(under, *meld), mover="B")
        bad = changed(good, hand=(one, missing), pile=(under, other, *meld[1:]))
        ending = _ended(bench, (one,))
        if bench.allows(good, f"B: rummy {text_of(meld)}; meld {text_of(meld)}{ending}") and bench.forbids(
            "call.", bad, f"B: rummy {text_of(meld[1:])}; meld {text_of(meld)}{ending}"
        ):
            yield CardExample(
                _after_discard(good),
                ('call "Rummy!" and lay ', row(*meld), " from the pile"),
                (
                    (
                        "the same if ", row(other), " lay there in place of ", row(missing), ", even with ",
                        row(missing), " in your hand: a call needs the pile and the table alone",
                    ),
                ),
            )  # fmt: skip
