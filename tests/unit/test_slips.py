"""The slips that the benchmark puts into logs: each spoils a legal log in one place, and nothing else."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest
from benchmarks.slips.kinds import Kind
from benchmarks.slips.moves import TABLES as LOOSER_TABLES
from benchmarks.slips.moves import with_illegal
from benchmarks.slips.sheets import VIEWS, Entry, game, seen
from benchmarks.slips.trials import KINDS, TABLES, audited, trial, with_slips

from meldref.core.events import HandStart
from meldref.notation.writer import write_event
from together import each

NUMBERED = re.compile(r"^\d+\. |(?<=^hand )\d+|^total .*")
"""What may follow from a slip in lines that it does not touch: numbers of turns and hands, and totals."""


def spoilt(kind: Kind) -> tuple[list[Entry], list[Entry]] | None:
    """A log that has room for a slip of that kind, and the same with it."""
    for number, table in enumerate(TABLES * 2):
        log = seen(game(table, 1 + number // len(TABLES)), VIEWS[0])
        spoiled = with_slips(log, [kind], Random(number))
        if spoiled is not None:
            return log, spoiled
    return None


def texts(log: list[Entry], *, untouched: bool = False) -> list[str]:
    """The lines of a log, without what may follow from a slip; `untouched`: those that no slip touches."""
    return [
        NUMBERED.sub("", write_event(one.event)) for one in log if not (untouched and one.slips)
    ]


@pytest.mark.sweep
def test_there_are_at_least_thirty_kinds_and_a_legal_log_has_room_for_each() -> None:
    assert len(KINDS) >= 30
    assert not [name for name, kind in KINDS.items() if spoilt(kind) is None]


@pytest.mark.sweep
def test_a_slip_makes_another_log_and_changes_nothing_else() -> None:
    each(changes_one_place, {name: (kind,) for name, kind in KINDS.items()})


def changes_one_place(kind: Kind) -> None:
    log, spoiled = spoilt(kind)
    assert [one.event for one in spoiled] != [one.event for one in log]
    assert any(one.slips for one in spoiled)
    rest = iter(texts(log))
    assert all(line in rest for line in texts(spoiled, untouched=True)), (
        "the others stand in their order"
    )
    gone = Counter(texts(log)) - Counter(texts(spoiled))
    in_hand = [one for one in log if one.hand == 2]
    several = ("a hand left out", "names exchanged from a line on", "hands under the next name")
    most = {**dict.fromkeys(several, len(in_hand)), "several turns left out": 6}
    assert gone.total() <= most.get(kind.name, 2)


@pytest.mark.sweep
def test_the_logs_are_legal_before_a_slip_is_put_in() -> None:
    for table in TABLES:
        for view in VIEWS:
            log = seen(game(table, 1), view)
            assert not audited(log)[1]
            assert sum(isinstance(one.event, HandStart) for one in log) > 1


def test_the_logs_are_of_many_games_and_tables() -> None:
    assert len({table.rules for table in TABLES}) >= 5
    assert {len(table.seats) for table in TABLES} == {2, 3, 4, 5}


@pytest.mark.sweep
def test_games_by_looser_rules_have_illegal_moves() -> None:
    assert all(
        any(one.illegal for seed in range(3) for one in with_illegal(table, seed))
        for table in LOOSER_TABLES
    )


@pytest.mark.sweep
def test_the_same_seed_gives_the_same_logs() -> None:
    for names in (("a meld left out",), ("a line twice", "another card thrown")):
        first, again, other = (trial(names, 3, seed) for seed in (1, 1, 2))
        assert first is not None
        assert first == again != other


def test_two_slips_touch_two_places() -> None:
    log = seen(game(TABLES[1], 1), VIEWS[0])
    spoiled = with_slips(log, [KINDS["a turn left out"], KINDS["another card thrown"]], Random(1))
    assert spoiled is not None
    assert sorted(slip for one in spoiled for slip in one.slips) == [0, 1]
