"""Examples of the end of a hand, going out and floating, and of calls.

Each is a scene and two moves that differ by one card, in the hand or in the move; both were asked of the judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from meldref.authoring.rulebook.examples.bench import TRIES, Bench, Play, Scene, line, move
from meldref.authoring.rulebook.model import CardExample
from meldref.core.cards import Card
from meldref.core.records import changed

# --- going out and floating ------------------------------------------------------------------------------------


def going_out(bench: Bench, _: Bench) -> Iterator[CardExample]:
    """The turn in which a hand is emptied, and what one card changes about it."""
    yield from islice(_going_out(bench), 1)


def _going_out(bench: Bench) -> Iterator[CardExample]:
    out = bench.ruleset.out
    for _kind, meld in islice(bench.usual(5), TRIES):
        if out.melding_all == "forbidden":
            yield from _keeps_one(bench, meld)
        elif out.last_discard == "any":
            yield from _melds_all(bench, meld)
        else:
            yield from _last(bench, meld)


def _keeps_one(bench: Bench, meld: Sequence[Card]) -> Iterator[CardExample]:
    (last,) = bench.lone(meld, 1)
    scene, bare = Scene((*meld[:-1], last)), Scene(tuple(meld[:-1]))
    turn = move("A: draw", meld[-1], "; meld", meld)
    said = line("draw ", meld[-1], " from the stock and lay ", meld)
    yield from bench.pair(
        Play(scene, (*said, *line(", then discard ", last, " and go out")), move(f"{turn}; discard", last)),
        "out.discard-required",
        Play(bare, (*said, *line(" if you did not hold ", last, ": nothing would be left to discard")), turn),
    )


def _melds_all(bench: Bench, meld: Sequence[Card]) -> Iterator[CardExample]:
    scene = Scene(tuple(meld[:-1]))
    other = bench.other(meld, near=meld[0])
    then = "go out" if bench.ruleset.out.melding_all == "ends_hand" else "float"
    yield from bench.pair(
        Play(
            scene,
            line("draw ", meld[-1], " from the stock and lay ", meld, f": you {then}"),
            move("A: draw", meld[-1], "; meld", meld),
        ),
        ("meld.kind", "meld.shape", "meld.size"),
        Play(
            scene.holding(other, meld[0]),
            line("the same if you held ", other, " instead of ", meld[0], ": that is not a meld"),
            move("A: draw", meld[-1], "; meld", (other, *meld[1:])),
        ),
    )


def _last(bench: Bench, meld: Sequence[Card]) -> Iterator[CardExample]:
    """A last discard that fits a meld on the table, and one that does not."""
    rules = bench.ruleset
    said = line("draw ", meld[-1], " from the stock and lay ", meld, ", then discard ")
    for there, fits in bench.growing(2):
        if set(meld) & {*there, fits}:
            continue
        lone = bench.other((*meld, *there, fits))
        good, bad = (Scene((*meld[:-1], card), ((bench.layer, there),)) for card in (lone, fits))
        out, fit = (move("A: draw", meld[-1], "; meld", meld, "; discard", card) for card in (lone, fits))
        if rules.out.last_discard == "unplayable":
            why = ": it fits the meld, so you must lay it off"
            yield from bench.pair(
                Play(good, (*said, *line(lone, " and go out")), out),
                "out.playable",
                Play(bad, (*said, *line(fits, " if you held that instead of ", lone, why)), fit),
            )
        elif rules.calls.of != "none":
            ending = "; discard ?" if rules.calls.discard == "required" else ""
            call, wrong = (move("B: rummy", card, "; lay", card, f"m1{ending}") for card in (fits, lone))
            yield from bench.pair(
                Play(bad, line("if you go out by discarding ", fits, ", another player may call it"), fit, call),
                "call.",
                Play(
                    good,
                    line("calling ", lone, " if you discarded that instead: it fits nothing, and you are out"),
                    out,
                    wrong,
                ),
            )


def floating(bench: Bench, _: Bench) -> Iterator[CardExample]:
    """What a floating player draws and may discard."""
    if bench.ruleset.out.melding_all != "floats" or "stock" not in bench.ruleset.floating.draws:
        return
    for meld, card in islice(bench.growing(3), 1):
        scene = Scene((), ((bench.layer, meld),), floats=True)
        lone = bench.other((*meld, card))
        good, bad = (move("A: draw", one, "; discard", one) for one in (lone, card))
        yield from bench.pair(
            Play(scene, line("draw ", lone, " from the stock and discard it: you go out"), good),
            ("float.playable", "out.playable"),
            Play(scene, line("draw ", card, " and discard it: it fits the meld, so you must lay it"), bad),
        )


# --- calls -----------------------------------------------------------------------------------------------------


def calls(bench: Bench, _: Bench) -> Iterator[CardExample]:
    """A discard that can be called and one that cannot; and cards of the pile that make a meld."""
    of = bench.ruleset.calls.of
    if of != "none":
        yield from islice(_called(bench), 1)
    if of not in {"none", "last_discard"}:
        yield from islice(_called_set(bench), 1)


def _ended(bench: Bench, card: Card) -> str:
    return move("; discard", card) if bench.ruleset.calls.discard == "required" else ""


def _called(bench: Bench) -> Iterator[CardExample]:
    layer = "A" if bench.layer == "B" else "B"
    for meld, card in bench.growing(1):
        under, one, two = bench.lone((*meld, card), 3)
        grows = bench.growth(meld)
        others = (other for other in bench.others((*meld, card, under, one, two), near=card) if other not in grows)
        for other in islice(others, 1):
            scene = Scene((one, two), ((layer, meld),), (under, card), calls=True)
            good, bad = (move("B: rummy", each, "; lay", each, "m1", _ended(bench, one)) for each in (card, other))
            yield from bench.pair(
                Play(scene, line('call "Rummy!", take ', card, " and lay it off"), good),
                "call.nothing",
                Play(
                    changed(scene, pile=(under, other)),
                    line("call ", other, " if that had been discarded: it fits nothing"),
                    bad,
                ),
            )


def _called_set(bench: Bench) -> Iterator[CardExample]:
    for _kind, meld in islice(bench.usual(4), TRIES):
        under, one, two = bench.lone(meld, 3)
        missing = meld[0]
        other = bench.other((*meld, under, one, two), near=missing)
        scene = Scene((one, two), pile=(under, *meld), calls=True)
        even = ", even with ", missing, " in your hand: a call uses only the pile and the table"
        yield from bench.pair(
            Play(
                scene,
                line('call "Rummy!" and lay ', meld, " from the pile"),
                move("B: rummy", meld, "; meld", meld, _ended(bench, one)),
            ),
            "call.",
            Play(
                changed(scene, hand=(one, missing), pile=(under, other, *meld[1:])),
                line("the same if ", other, " lay there instead of ", missing, *even),
                move("B: rummy", meld[1:], "; meld", meld, _ended(bench, one)),
            ),
        )
