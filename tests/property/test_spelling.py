"""How a case is written decides nothing about it: every case of the project, written in other ways.

`MELDREF_SPELLINGS` says in how many orders cards are written, 2 where it says nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import pytest

from case_checks import cases_of
from meldref.cases.run import CaseFile, CaseResult
from paths import ROOT
from respelled import (
    Case,
    Respell,
    counts_cards_of_play,
    joined,
    reordered,
    respelled,
    taken_apart,
    with_other_names,
    with_other_suits,
    without_roles,
    without_targets,
)

ORDERS = int(os.environ.get("MELDREF_SPELLINGS", "1"))

NAMED_WRONGLY = frozenset(
    {
        "log.name",
        "layoff.target",
        "layoff.fit",
        "swap.fit",
        "wild.role",
        "wild.binding",
        "log.copies",
    }
)
"""The meld that is written is what is wrong, or may be: the cards may fit another, or none."""
SAID_WRONGLY = frozenset({"wild.binding"})
"""What a wild card is said to stand for is what is wrong."""
SEVERAL_MELDS = frozenset({"layoff.unnamed"})
"""Several melds are possible once none is named, or the game asks for the name."""
SEVERAL_ROLES = frozenset({"wild.unbound"})
"""Several roles are possible once none is said."""
BY_ORDER = frozenset({"ME-R03"})
"""Several jokers whose roles are written: left out, the order of the cards says what they stand for."""
ACE_WHERE_WRITTEN = frozenset(
    {"MEET-thirteen-high", "SPELL-thirteen-down-high", "SPELL-twelve-lay-ace", "ACE-thirteen-high"}
)
"""A run of thirteen whose ace is written beside the king, and counts as that."""
NOT_HELD = frozenset({"hand.missing"})
"""A player has some of the cards of a lay-off, and lays those off one by one before one is missing."""


FILES = [
    path
    for path in (
        *sorted((ROOT / "tests" / "cases").glob("*.yaml")),
        *sorted((ROOT / "examples").glob("*.yaml")),
    )
    if cases_of(path)[0] is not None
]


def run(path: Path, case: Case) -> CaseResult:
    file, _ = cases_of(path)
    assert file is not None
    one = CaseFile(file.document, file.folder, [case], file.own, file.rules)
    one._rulesets = file._rulesets
    return one.run(0)


@cache
def as_written(path: Path) -> list[tuple[Case, CaseResult]]:
    """The cases of a file, and what came of each."""
    file, _ = cases_of(path)
    assert file is not None
    return [(case, run(path, case)) for case in file.cases if isinstance(case, dict)]


def found(result: CaseResult) -> set[tuple[int, str]]:
    """What was found, and where."""
    return {(finding.span.line, finding.code) for finding in result.findings}


def judged(result: CaseResult) -> tuple[object, ...]:
    """What must stay: the verdict, its lines and codes, and whether it is as the case expects in all it says."""
    return found(result), result.failed


def stays(path: Path, how: Respell, wrong: frozenset[str], unclear: frozenset[str]) -> int:
    """Writes the turns of each case in another way, and compares; returns of how many.

    A line stays as it is where one of the codes `wrong` is found, and where one of `unclear` would
    be.
    """
    compared = 0
    for case, result in as_written(path):
        if case.get("id") in BY_ORDER and how is without_roles:
            continue
        but = frozenset(line for line, code in found(result) if code in wrong)
        while (other := respelled(case, how, but)) is not None:
            again = run(path, other)
            lines = frozenset(
                line for line, code in found(again) - found(result) if code in unclear
            )
            if not lines - but:
                assert judged(again) == judged(result), other
                compared += 1
                break
            but |= lines
    return compared


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("seed", range(ORDERS))
def test_the_order_of_cards_in_a_meld_or_lay_off(path, seed):
    rng = Random(f"{path.stem} {seed}")
    for case, result in as_written(path):
        other = respelled(case, reordered(rng))
        if other is not None:
            again = run(path, other)
            assert found(again) == found(result), other
            assert again.passed or case.get("id") in ACE_WHERE_WRITTEN, other


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_meld_of_a_lay_off_or_exchange_left_out(path):
    stays(path, without_targets, NAMED_WRONGLY, SEVERAL_MELDS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_a_joker_stands_for_left_out(path):
    stays(path, without_roles, SAID_WRONGLY, SEVERAL_ROLES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_lay_offs_that_are_legal_one_after_the_other_are_legal_together(path):
    """One that is illegal may be legal together with another: they have an order then, and now have none."""
    for case, result in as_written(path):
        other = respelled(case, joined, frozenset(line for line, _ in found(result)))
        if other is not None and not counts_cards_of_play(case):
            assert judged(run(path, other)) == judged(result), other


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_lay_off_is_legal_where_it_is_one_card_after_the_other_in_some_order(path):
    for case, result in as_written(path):
        for orders in taken_apart(case):
            if (
                not counts_cards_of_play(case)
                and not {code for _, code in found(result)} & NOT_HELD
            ):
                apart = [found(run(path, other)) for other in orders]
                assert any(found(result) == codes for codes in apart), orders[0]
                assert all(apart) or not found(result), orders[0]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("other", [with_other_suits, with_other_names])
def test_the_names_of_suits_and_of_players(path, other):
    for case, result in as_written(path):
        written = other(case)
        if written != case:
            assert judged(run(path, written)) == judged(result), written


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("how", "wrong", "unclear", "least"),
    [
        (without_targets, NAMED_WRONGLY, SEVERAL_MELDS, 400),
        (without_roles, SAID_WRONGLY, SEVERAL_ROLES, 30),
        (joined, frozenset(), frozenset(), 30),
    ],
)
def test_many_cases_can_be_written_otherwise(how: Callable, wrong, unclear, least):
    """So that the tests above are about something."""
    written = [respelled(case, how) for path in FILES for case, _ in as_written(path)]
    assert sum(case is not None for case in written) >= least
