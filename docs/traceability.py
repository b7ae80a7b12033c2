"""The page that leads from the numbered statements of the rules to ruleset keys and cases.

`python docs/generate.py traceability` writes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

from meldref.authoring.clauses import read_clauses, read_sources

DOCS: Final = Path(__file__).resolve().parent
CASES: Final = DOCS.parent / "tests" / "cases"

_MOST_CASES: Final = 8


@dataclass(frozen=True, slots=True)
class Clause:
    """A numbered statement, the ruleset keys that carry it, and the cases that check it."""

    id: str
    seed: str
    kind: str
    statement: str
    keys: tuple[str, ...]
    cases: tuple[str, ...]
    reason: str = ""
    """Why nothing can check it; empty where something can."""
    summed: bool = False
    """Whether the test suite checks it by adding up a whole deck."""


def clauses() -> list[Clause]:
    """Every statement that is a rule, with what checks it."""
    said = _read(DOCS / "clause-keys.yaml")
    checked = cases_by_clause()
    return [
        Clause(
            clause.id,
            clause.source,
            clause.kind,
            clause.statement,
            clause.keys,
            tuple(checked.get(clause.id, ())),
            said["untestable"].get(clause.id, ""),
            clause.id in said["sums"],
        )
        for clause in read_clauses()
    ]


def cases_by_clause() -> dict[str, list[str]]:
    """The ids of the cases that check each statement."""
    found: dict[str, list[str]] = {}
    for file in sorted(CASES.glob("*.yaml")):
        for place, case in enumerate(_read(file).get("cases") or (), start=1):
            for clause in case.get("clauses") or ():
                found.setdefault(clause, []).append(str(case.get("id") or f"{file.stem} {place}"))
    return found


def page() -> str:
    """The page: each statement with the keys that carry it and the cases that check it."""
    return "\n".join([*_lines(), ""])


def _lines() -> Iterator[str]:
    found = clauses()
    testable = [clause for clause in found if not clause.reason]
    checked = [clause for clause in testable if clause.cases or clause.summed]
    yield "<!-- Written by docs/generate.py: change what it is made from, not this page. -->"
    yield ""
    yield "# From the rules to keys and cases"
    yield ""
    yield (
        f"The rules were broken down into numbered statements, {len(found)} without the advice "
        f"([clauses.yaml](clauses.yaml)). {len(testable)} of them can be tested, and {len(checked)} are: by cases "
        "in `tests/cases`, or by adding up a whole deck in `tests/unit/test_traceability.py`. A statement "
        "without a key holds in every ruleset."
    )
    for source in read_sources():
        yield from _section(source.title, [clause for clause in testable if clause.seed == source.number])
    yield ""
    yield "## What cannot be tested"
    yield ""
    yield "| clause | statement | why |"
    yield "|---|---|---|"
    for clause in found:
        if clause.reason:
            yield f"| {clause.id} | {_cell(clause.statement)} | {_cell(clause.reason)} |"


def _section(source: str, some: list[Clause]) -> Iterator[str]:
    yield ""
    yield f"## {source}"
    yield ""
    yield "| clause | statement | keys | cases |"
    yield "|---|---|---|---|"
    for clause in some:
        keys = ", ".join(f"`{key}`" for key in clause.keys) or "every ruleset"
        cases = ", ".join(clause.cases[:_MOST_CASES])
        if len(clause.cases) > _MOST_CASES:
            cases += f" and {len(clause.cases) - _MOST_CASES} more"
        if clause.summed:
            cases = f"{cases}, a sum" if cases else "a sum"
        yield f"| {clause.id} | {_cell(clause.statement)} | {keys} | {cases or '**none**'} |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _read(file: Path) -> Any:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(file.read_text(encoding="utf-8"), loader)  # noqa: S506  it is the safe one, in C where it is
