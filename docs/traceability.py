"""The pages that lead from the numbered statements of the rules to ruleset keys and cases, one for each source.

`python docs/generate.py traceability` writes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml

from meldref_authoring.explaining import read_clauses, read_sources
from places import CLAUSES_HUB, DOCS, MADE, cell, clause_family, hub, link, source_page, to_key

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


def pages() -> dict[Path, str]:
    """The hub, and for each source its statements with the keys that carry them and the cases that check them."""
    found = clauses()
    testable = [clause for clause in found if not clause.reason]
    checked = [clause for clause in testable if clause.cases or clause.summed]
    introduction = (
        f"The rules were broken down into numbered statements, {len(found)} without the advice "
        f"([clauses.yaml](clauses.yaml)). {len(testable)} of them can be tested, and {len(checked)} are: by cases "
        "in `tests/cases`, or by adding up a whole deck in the suite. A statement without a key holds in every "
        "ruleset."
    )
    made: dict[Path, str] = {}
    table = [
        "| source | statements | begin with | tested | cannot be tested |",
        "|---|---|---|---|---|",
    ]
    for source in read_sources():
        some = [clause for clause in found if clause.seed == source.number]
        page = source_page(source.number)
        made[page] = "\n".join([*_source(source.title, some, page), ""])
        held = sum(not clause.reason for clause in some)
        letter = some[0].id.partition("-")[0]
        name = link(source.title, page, "", CLAUSES_HUB)
        table.append(f"| {name} | {len(some)} | {letter} | {held} | {len(some) - held} |")
    return {
        CLAUSES_HUB: hub(
            "From the rules to keys and cases", introduction, table, list(made), CLAUSES_HUB
        ),
        **made,
    }


def _source(title: str, some: list[Clause], page: Path) -> Iterator[str]:
    """A source: a summary of its parts, then each part as a table."""
    yield MADE
    yield ""
    yield f"# {title}"
    yield ""
    parts: dict[str, list[Clause]] = {}
    for clause in some:
        parts.setdefault(clause_family(clause.id), []).append(clause)
    yield "| part | statements | keys |"
    yield "|---|---|---|"
    for part, inner in parts.items():
        keys = ", ".join(
            to_key(key, page) for key in dict.fromkeys(key for one in inner for key in one.keys)
        )
        yield f"| {link(part, page, part, page)} | {len(inner)} | {keys} |"
    for part, inner in parts.items():
        yield ""
        yield f"## {part}"
        yield ""
        yield "| clause | statement | keys | cases |"
        yield "|---|---|---|---|"
        for clause in inner:
            yield f"| {clause.id} | {cell(clause.statement)} | {_keys(clause, page)} | {_cases(clause)} |"


def _keys(clause: Clause, page: Path) -> str:
    return ", ".join(to_key(key, page) for key in clause.keys) or "every ruleset"


def _cases(clause: Clause) -> str:
    """The cases that check a statement, or why none can."""
    if clause.reason:
        return f"cannot be tested: {cell(clause.reason)}"
    cases = ", ".join(clause.cases[:_MOST_CASES])
    if len(clause.cases) > _MOST_CASES:
        cases += f" and {len(clause.cases) - _MOST_CASES} more"
    if clause.summed:
        cases = f"{cases}, a sum" if cases else "a sum"
    return cases or "**none**"


@cache
def _read(file: Path) -> Any:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(file.read_text(encoding="utf-8"), loader)  # noqa: S506  it is the safe one, in C where it is
