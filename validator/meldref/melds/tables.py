"""All natural melds of a kind: found by the solver once, then kept as data in the user's cache.

Importing the solver and solving take some sixty milliseconds, reading the file takes two, and a
question from the command line should answer at once. The file's name is the whole question
(constraints, sizes, aces, packs).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from meldref.core import cache
from meldref.core.cards import JOKER
from meldref.melds.kinds import Pattern, Roles

FORMAT: Final = 1
"""Grows whenever the same question may get another answer."""

_ROLES: Final = frozenset(range(JOKER + 1))
_solved: dict[str, tuple[Roles, ...]] = {}


def natural_melds(pattern: Pattern) -> Sequence[Roles]:
    """Every natural meld of a kind, by size and in ascending order."""
    question = _question(pattern)
    solutions = _solved.get(question)
    if solutions is None:
        name = f"melds-{FORMAT}_{question}"
        stored = cache.recall(name, question)
        solutions = _checked(stored, pattern)
        if solutions is None:
            solutions = _solve_all(pattern)
            cache.keep(name, question, solutions)
        _solved[question] = solutions
    return solutions


def _checked(stored: object, pattern: Pattern) -> tuple[Roles, ...] | None:
    """What was cached, if the solver can have found it: ordered roles, as many as a meld has."""
    if not isinstance(stored, list) or not {*map(type, stored)} <= {list}:
        return None
    if not {*map(type, chain.from_iterable(stored))} <= {int} or not _ROLES.issuperset(
        chain.from_iterable(stored)
    ):
        return None
    solutions = [tuple(roles) for roles in stored]
    order = [(len(roles), roles) for roles in solutions]
    if not {*map(len, solutions)} <= {*pattern.sizes} or order != sorted({*order}):
        return None
    return tuple(solutions)


def solve(pattern: Pattern, size: int, wanted: Roles = ()) -> Iterator[Roles]:
    """Every meld of a kind and a size with the wanted roles; see `solver.melds`."""
    # To load the solver costs more than most questions.
    from meldref.melds import solver  # noqa: PLC0415

    return solver.melds(pattern, size, wanted)


def _solve_all(pattern: Pattern) -> tuple[Roles, ...]:
    return tuple(roles for size in pattern.sizes for roles in sorted(solve(pattern, size)))


def _question(pattern: Pattern) -> str:
    """All that the melds of a kind depend on; its name is not among it."""
    kind = pattern.kind
    sizes = pattern.sizes
    parts = [
        ".".join(sorted(kind.require)) or "any",
        f"{sizes.start}-{sizes.stop - 1}",
        f"packs.{pattern.packs}",
    ]
    if pattern.is_run:
        parts.append("ace." + ("-".join(sorted(kind.ace)) or "none"))
    if kind.only is not None:
        parts.append("only." + "-".join(sorted(kind.only)))
    if pattern.takes_plain_jokers:
        parts.append(f"jokers.{pattern.jokers}")
    return "_".join(parts)
