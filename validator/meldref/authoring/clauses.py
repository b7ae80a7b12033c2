"""The rules as numbered statements, and the ruleset keys that implement each of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Final

from meldref.authoring.own_data import read_data
from meldref.core.records import record
from meldref.core.resources import data_path
from meldref.documents.reader import Value

ADVICE: Final = "strategy"
"""The kind of a statement that is not a rule."""
OPEN: Final = "ambiguity"
"""The kind of a statement about what its source leaves open."""


@record
class SourceText:
    """A text that statements were drawn from; `written` is how rulesets that follow it name it as their source."""

    number: str
    title: str
    written: str


@record
class Clause:
    """A numbered statement and the keys that implement it; without keys, it holds in every ruleset."""

    id: str
    source: str
    kind: str
    statement: str
    keys: tuple[str, ...]


@cache
def read_clauses() -> tuple[Clause, ...]:
    """Every statement that is a rule, in the order of the texts; advice is left out."""
    keys = _read("clause-keys.yaml")
    by_clause, by_parameter = keys["clauses"], keys["parameters"]
    found: list[Clause] = []
    for one in _read("clauses.yaml"):
        if one["kind"] == ADVICE:
            continue
        name = one["id"]
        carried = by_clause.get(name, ())
        if name not in by_clause:
            carried = [key for part in parameters(one.get("parameter")) for key in by_parameter[part]]
        statement = " ".join(str(one["statement"]).split())
        found.append(Clause(name, one["seed"], one["kind"], statement, tuple(dict.fromkeys(carried))))
    return tuple(found)


@cache
def read_sources() -> tuple[SourceText, ...]:
    """The texts, in the order of their numbers."""
    sources = _read("clause-keys.yaml")["sources"]
    return tuple(SourceText(number, one["title"], one["written"]) for number, one in sources.items())


def clauses_of(key: str) -> tuple[Clause, ...]:
    """The statements that a key, or the keys below it, implement."""
    return tuple(clause for clause in read_clauses() if any(_bears_on(one, key) for one in clause.keys))


def _bears_on(carrying: str, key: str) -> bool:
    """Whether a key that a statement names concerns another: it is that, in it, or the kind of meld it is in."""
    of_kind = key.startswith(f"{carrying}.") and carrying.startswith("melds.kinds.") and carrying.count(".") == 2
    return carrying == key or carrying.startswith(f"{key}.") or of_kind


def parameters(text: Value) -> Iterator[str]:
    """The names in a statement's `parameter`: `deck.packs = 1; deck.size = 54` has two."""
    return filter(None, (re.split("[ =(|]", part.strip(), maxsplit=1)[0] for part in str(text or "").split(";")))


def sources_of(written: Iterable[str]) -> frozenset[str]:
    """The numbers of the texts that files with these sources follow."""
    texts = list(written)
    return frozenset(one.number for one in read_sources() if any(one.written in text for text in texts))


@cache
def _read(name: str) -> Any:
    return read_data(data_path("docs", name))
