"""Cards for the examples of the end of a hand, going out and floating, and of calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from meldref.authoring.rulebook.examples.bench import TRIES, Bench
from meldref.authoring.rulebook.examples.scene import Row, text_of
from meldref.authoring.rulebook.model import CardExample
from meldref.core.cards import Card

# --- going out and floating ------------------------------------------------------------------------------------


def going_out(bench: Bench, _: Bench) -> Iterator[CardExample]:
    """The turn in which a hand is emptied, and what one card changes about it."""
    yield from islice(_going_out(bench), 1)


def _going_out(bench: Bench) -> Iterator[CardExample]:
    out, calls_of = bench.ruleset.out, bench.ruleset.calls.of
    for _kind, meld in islice(bench.usual(5), TRIES):
        if out.melding_all == "forbidden":
            yield from _keeps_one(bench, meld)
        elif out.last_discard == "unplayable" or (out.last_discard == "claimable" and calls_of != "none"):
            yield from _last(bench, meld)
        else:
            yield from _melds_all(bench, meld)
    yield from _lays_off(bench)


def _keeps_one(bench: Bench, meld: Sequence[Card]) -> Iterator[CardExample]:
    own = bench.own(meld)
    (last,) = bench.lone((*meld, *own), 1)
    yield from bench.show("go out, one card kept", own=own, meld=meld, held=meld[:-1], drawn=meld[-1], last=last)


def _melds_all(bench: Bench, meld: Sequence[Card]) -> Iterator[CardExample]:
    first, *middle, drawn = meld
    other = bench.other(meld, near=first)
    then = "go out" if bench.ruleset.out.melding_all == "ends_hand" else "float"
    cards: dict[str, Row] = {
        "own": bench.own(meld),
        "meld": meld,
        "first": first,
        "middle": middle,
        "drawn": drawn,
    }
    yield from bench.show("go out by melding", other=other, then=then, **cards)


def _lays_off(bench: Bench) -> Iterator[CardExample]:
    """Going out with a card that is laid off, and a discard."""
    for meld, card in bench.growing(5):
        (drawn,) = bench.lone((*meld, card), 1)
        other = bench.other((*meld, *bench.growth(meld), drawn), near=card)
        yield from bench.show("go out by laying off", meld=meld, card=card, other=other, drawn=drawn)


def _last(bench: Bench, meld: Sequence[Card]) -> Iterator[CardExample]:
    """A last discard that fits a meld on the table, and one that does not."""
    name = f"go out, {bench.ruleset.out.last_discard} discard"
    ending = "; discard ?" if bench.ruleset.calls.discard == "required" else ""
    for there, fits in bench.growing(2):
        if not set(meld) & {*there, fits}:
            lone = bench.other((*meld, *there, fits))
            cards: dict[str, Row] = {"meld": meld, "held": meld[:-1], "drawn": meld[-1], "there": there}
            yield from bench.show(name, fits=fits, lone=lone, ending=ending, **cards)


def floating(bench: Bench, _: Bench) -> Iterator[CardExample]:
    """What a floating player draws and may discard."""
    if bench.ruleset.out.melding_all == "floats" and "stock" in bench.ruleset.floating.draws:
        for meld, card in islice(bench.growing(3), 1):
            yield from bench.show("float", meld=meld, card=card, lone=bench.other((*meld, card)))


# --- calls -----------------------------------------------------------------------------------------------------


def calls(bench: Bench, _: Bench) -> Iterator[CardExample]:
    """A discard that can be called and one that cannot; and cards of the pile that make a meld."""
    of = bench.ruleset.calls.of
    if of != "none":
        yield from islice(_called(bench), 1)
    if of not in {"none", "last_discard"}:
        yield from islice(_called_set(bench), 1)


def _ended(bench: Bench, card: Card) -> str:
    return f"; discard {text_of(card)}" if bench.ruleset.calls.discard == "required" else ""


def _called(bench: Bench) -> Iterator[CardExample]:
    for meld, card in bench.growing(1):
        under, one, two = bench.lone((*meld, card), 3)
        grows = bench.growth(meld)
        others = (other for other in bench.others((*meld, card, under, one, two), near=card) if other not in grows)
        for other in islice(others, 1):
            cards: dict[str, Row] = {"meld": meld, "card": card, "other": other, "under": under}
            yield from bench.show("call a card", one=one, two=two, ending=_ended(bench, one), **cards)


def _called_set(bench: Bench) -> Iterator[CardExample]:
    for _kind, meld in islice(bench.usual(4), TRIES):
        under, one, two = bench.lone(meld, 3)
        first, *rest = meld
        other = bench.other((*meld, under, one, two), near=first)
        cards: dict[str, Row] = {"meld": meld, "first": first, "rest": rest, "other": other, "under": under}
        yield from bench.show("call a meld", one=one, two=two, ending=_ended(bench, one), **cards)
