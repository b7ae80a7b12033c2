"""Melds as constraint problems, solved by python-constraint2: the definition of what melds are.

Nothing else in the package imports `constraint`, and this module is imported only where something
is to be solved: the import costs more than most questions. A meld is a solution: a role for each
place, from the domains that `Pattern.frames` lists, under the constraints of `Pattern.constraints`.
What wild cards may stand for, what a card fits, and which melds are in a hand are the same problem
with some of the roles given.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from meldref.core.cards import WIDTH, Cards
from meldref.core.diagnostics import WrongPackage
from meldref.core.effort import EFFORT
from meldref.melds.kinds import Domains, NamedConstraint, Pattern, Roles


def refuse_old_solver(installed: Collection[str]) -> None:
    """Raises WrongPackage unless `constraint` is python-constraint2's, going by the packages found.

    The unmaintained python-constraint installs over the same import name and gives wrong answers.
    """
    if "python-constraint" in installed:
        raise WrongPackage(
            "meldref needs python-constraint2, but the old python-constraint is installed and "
            "takes the same import name: pip uninstall python-constraint, then "
            "pip install --force-reinstall python-constraint2"
        )
    if not installed:
        raise WrongPackage("meldref needs python-constraint2: pip install python-constraint2")


def in_folders(path: Iterable[str]) -> Iterator[str]:
    """The packages of either name that are installed in these folders, by name."""
    for folder in path:
        try:
            names = os.listdir(folder or ".")  # noqa: PTH208
        except OSError:
            continue
        for name in names:
            package, _, rest = name.partition("-")
            if package.startswith("python_constraint") and rest.endswith(
                (".dist-info", ".egg-info")
            ):
                yield package.replace("_", "-")


def by_metadata() -> Iterator[str]:
    """The installed packages, by Python's metadata, which takes as long to load as the solver."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415

    for name in ("python-constraint", "python-constraint2"):
        with suppress(PackageNotFoundError):
            version(name)
            yield name


refuse_old_solver(set(in_folders(sys.path)) or set(by_metadata()))

try:
    from constraint import (  # type: ignore[import-untyped]
        BacktrackingSolver,
        Constraint,
        FunctionConstraint,
        Problem,
    )
except ImportError as error:
    taken = "meldref needs python-constraint2, but another package has its import name, constraint"
    raise WrongPackage(taken) from error


class _AtMostMissing(Constraint):  # type: ignore[misc]
    """At most `wilds` roles are not among the cards held; asked as soon as roles are chosen."""

    def __init__(self, held: Cards, wilds: int) -> None:
        self._held = held
        self._wilds = wilds

    def __call__(
        self,
        variables: Sequence[int],
        domains: Mapping[int, Sequence[int]],
        assignments: Mapping[int, int],
        forwardcheck: bool = False,  # noqa: FBT001, FBT002
    ) -> bool:
        del variables, domains, forwardcheck
        EFFORT.spent += 1
        if EFFORT.over:
            return False
        left: dict[int, int] = {}
        missing = 0
        for role in assignments.values():
            here = left.get(role)
            if here is None:
                here = self._held >> (WIDTH * role) & 31
            if here:
                left[role] = here - 1
            else:
                left[role] = 0
                missing += 1
                if missing > self._wilds:
                    return False
        return True


def melds(pattern: Pattern, size: int, wanted: Roles = ()) -> Iterator[Roles]:
    """Every meld of a kind and a size that contains the wanted roles, each once, in its order.

    With nothing wanted these are all there are. With the cards taken as themselves wanted, what is
    left over is what the wild cards may stand for (P-JOK-11); with a meld and a card wanted,
    whether the card fits.
    """
    for domains in pattern.frames(size, wanted):
        yield from _solutions(pattern, domains, len(wanted))


def melds_from(
    pattern: Pattern, size: int, held: Cards, wilds: int, among: int | None = None
) -> Iterator[Roles]:
    """Every meld of a kind and a size of which all roles but `wilds` are among the cards held.

    `among` has a bit for each role that may be in it; all may be where it is None.
    """
    for frame in pattern.frames(size):
        domains = frame
        if among is not None:
            domains = tuple(tuple(role for role in domain if among >> role & 1) for domain in frame)
            if not all(domains):
                continue
        gaps = sum(not any(held >> (WIDTH * role) & 31 for role in domain) for domain in domains)
        if gaps <= wilds:
            yield from _solutions(pattern, domains, 0, _AtMostMissing(held, wilds))


def _solutions(
    pattern: Pattern, domains: Domains, fixed: int, also: Constraint | None = None
) -> Iterator[Roles]:
    problem = Problem(BacktrackingSolver())
    places = range(len(domains))
    for place in places:
        problem.addVariable(place, list(domains[place]))
    for named in pattern.constraints:
        _state(problem, named, places)
    if not pattern.is_run:
        for place in places[fixed + 1 :]:
            problem.addConstraint(FunctionConstraint(_in_order(pattern)), (place - 1, place))
    if also is not None:
        problem.addConstraint(also, list(places))
    for solution in problem.getSolutionIter():
        roles = tuple(solution[place] for place in places)
        yield roles if pattern.is_run else tuple(sorted(roles))


def _in_order(pattern: Pattern) -> Callable[[int, int], bool]:
    """Interchangeable places are filled in ascending order, so that no meld comes twice."""
    return lambda a, b: a < b or (a == b and pattern.copies(a) > 1)


def _state(problem: Problem, named: NamedConstraint, places: range) -> None:
    test = named.test
    match named.scope:
        case "first":
            for place in places[1:]:
                problem.addConstraint(FunctionConstraint(test), (places[0], place))
        case "next":
            for place in places[1:]:
                problem.addConstraint(FunctionConstraint(test), (place - 1, place))
        case "pair":
            for place in places:
                for other in places[place + 1 :]:
                    problem.addConstraint(FunctionConstraint(test), (place, other))
        case "all":
            problem.addConstraint(FunctionConstraint(lambda *roles: test(roles)), list(places))
