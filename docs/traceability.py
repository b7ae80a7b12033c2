"""The page that leads from the numbered statements of the rules to ruleset keys and cases.

`python docs/generate.py traceability` writes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

DOCS: Final = Path(__file__).resolve().parent
CASES: Final = DOCS.parent / "tests" / "cases"

SOURCES: Final = {
    "000": "500 Rummy (John McLeod, pagat.com)",
    "001": "500 Rummy, an older print of the same text",
    "002": "500 Rum, partnership 500 Rum, Persian Rummy",
    "003": "500 Rummy (Alan Gilfoy)",
    "004": "Rummy 500, an online game room",
}
"""The texts that the statements were drawn from, by the number that clauses.yaml gives them."""

_PARTS: Final = " =(|"
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
    """Every statement that is a rule; advice and the like are left out."""
    carried = _read(DOCS / "clause-keys.yaml")
    checked = cases_by_clause()
    found = []
    for clause in _read(DOCS / "clauses.yaml"):
        if clause["kind"] == "strategy":
            continue
        name = clause["id"]
        keys = carried["clauses"].get(name)
        if keys is None:
            keys = [key for part in parameters(clause["parameter"]) for key in carried["parameters"][part]]
        found.append(
            Clause(
                name,
                clause["seed"],
                clause["kind"],
                clause["statement"],
                tuple(dict.fromkeys(keys)),
                tuple(checked.get(name, ())),
                carried["untestable"].get(name, ""),
                name in carried["sums"],
            )
        )
    return found


def parameters(text: str | None) -> list[str]:
    """The names in a statement's `parameter`: `deck.packs = 1; deck.size = 54` has two."""
    names = []
    for part in (text or "").split(";"):
        name = part.strip()
        for mark in _PARTS:
            name = name.partition(mark)[0]
        if name:
            names.append(name)
    return names


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
    for seed, source in SOURCES.items():
        yield from _section(source, [clause for clause in testable if clause.seed == seed])
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
