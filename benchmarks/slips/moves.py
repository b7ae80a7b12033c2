"""Games by looser rules than their log names: which illegal moves an audit tells, with and without a slip."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Final

from benchmarks.slips.sheets import VIEWS, Entry, Table, game, seen
from benchmarks.slips.trials import KINDS, audited, with_slips
from meldref.core.diagnostics import errors_in
from meldref.core.events import Turn
from meldref.engine.judge import Judge
from meldref.notation.writer import write_event
from meldref.positions.build import Built
from meldref.replay.play_moves import play_moves

TABLES: Final = (
    Table("500-rummy", ("greedy", "random", "random"), looser=("discard.taken_top=allowed",)),
    Table("500-rummy", ("random",) * 2, looser=("draw.deep.must=nothing", "draw.dead_end=allowed")),
    Table(
        "500-rummy",
        ("greedy", "random", "greedy"),
        settings=("layoff.before_melding=forbidden",),
        looser=("layoff.before_melding=allowed",),
    ),
    Table(
        "500-rummy",
        ("greedy",) * 4,
        settings=("melds.first_points=30",),
        looser=("melds.first_points=0",),
    ),
    Table("500-rum", ("random",) * 3, settings=("layoff.onto=own",), looser=("layoff.onto=any",)),
    Table(
        "contract-rummy",
        ("greedy",) * 3,
        looser=("layoff.before_melding=allowed", "house_rules.contract-first=none"),
    ),
    Table("kalooki-40", ("greedy",) * 3, looser=("melds.first_points=0", "draw.top.must=nothing")),
    Table(
        "michigan-rum",
        ("greedy", "random", "greedy"),
        settings=("calls.of=last_discard",),
        looser=("calls.of=pile",),
    ),
)
SLIPS: Final = ("a turn left out", "a line twice", "lines swapped", "another card thrown")


@dataclass(frozen=True, slots=True)
class Told:
    """An illegal move: the rules, its line, whether the log has a slip, too, and whether it is told."""

    table: Table
    view: str
    line: str
    slip: bool
    told: bool


def told(seed: int) -> Iterator[Told]:
    """The illegal moves of a game of each table."""
    for place, table in enumerate(TABLES):
        dice = Random(f"{seed} {table.rules} {place}")
        log = seen(with_illegal(table, seed), view := VIEWS[(seed + place) % len(VIEWS)])
        yield from _of(table, view, log, slip=False)
        spoilt = with_slips(log, [KINDS[dice.choice(SLIPS)]], dice)
        if spoilt is not None:
            yield from _of(table, view, spoilt, slip=True)


def _of(table: Table, view: str, log: Sequence[Entry], *, slip: bool) -> Iterator[Told]:
    _, found = audited(log)
    lines = {finding.span.line for finding in found}
    for number, entry in enumerate(log, 1):
        if entry.illegal and not entry.slips:
            yield Told(table, view, write_event(entry.event), slip, number in lines)


@lru_cache(maxsize=64)
def with_illegal(table: Table, seed: int) -> tuple[Entry, ...]:
    """A game by the looser rules, whose lines say which of them the rules of the log forbid."""
    judge = Judge(table.ruleset, len(table.seats))
    return tuple([replace(entry, illegal=_is_illegal(judge, entry)) for entry in game(table, seed)])


def _is_illegal(judge: Judge, entry: Entry) -> bool:
    if not isinstance(entry.event, Turn) or entry.before is None:
        return False
    built = Built(judge.for_hand(entry.hand), entry.before.copy())
    return bool(errors_in(play_moves(built, [write_event(entry.event)]).findings))
