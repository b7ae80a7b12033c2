"""The rules as numbered statements, and the ruleset keys that carry each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final, cast

from meldref.core.records import record
from meldref.core.resources import data_path
from meldref.documents.reader import Value, read_yaml

ADVICE: Final = "strategy"
"""The kind of a statement that is no rule."""
OPEN: Final = "ambiguity"
"""The kind of a statement about what its source leaves open."""
_PARTS: Final = " =(|"


@record
class SourceText:
    """A text that statements were drawn from; `written` is what a ruleset that follows it says as its source."""

    number: str
    title: str
    written: str


@record
class Clause:
    """A numbered statement and the keys that carry it; without any, it holds in every ruleset."""

    id: str
    source: str
    kind: str
    statement: str
    keys: tuple[str, ...]


@cache
def read_clauses() -> tuple[Clause, ...]:
    """Every statement that is a rule, in the order of the texts; advice is left out."""
    keys = _read("clause-keys.yaml")
    by_clause, by_parameter = (_mapping(keys[name]) for name in ("clauses", "parameters"))
    found: list[Clause] = []
    for said in cast("list[Value]", _document("clauses.yaml")):
        clause = _mapping(said)
        if clause["kind"] == ADVICE:
            continue
        name = str(clause["id"])
        carried = _words(by_clause.get(name))
        if name not in by_clause:
            carried = [key for part in parameters(clause.get("parameter")) for key in _words(by_parameter[part])]
        found.append(
            Clause(
                name,
                str(clause["seed"]),
                str(clause["kind"]),
                " ".join(str(clause["statement"]).split()),
                tuple(dict.fromkeys(carried)),
            )
        )
    return tuple(found)


@cache
def read_sources() -> tuple[SourceText, ...]:
    """The texts, in the order of their numbers."""
    return tuple(
        SourceText(number, str(_mapping(said)["title"]), str(_mapping(said)["written"]))
        for number, said in _mapping(_read("clause-keys.yaml")["sources"]).items()
    )


def clauses_of(key: str) -> tuple[Clause, ...]:
    """The statements that a key carries, or the keys below it."""
    return tuple(clause for clause in read_clauses() if any(_bears_on(one, key) for one in clause.keys))


def _bears_on(carrying: str, key: str) -> bool:
    """Whether a key that a statement names has to do with another one: it is that, in it, or a kind it is of."""
    return carrying == key or carrying.startswith(f"{key}.") or (carrying == _kind(key) != "")


def _kind(key: str) -> str:
    """The kind of meld that a key is of; nothing for other keys."""
    parts = key.split(".")
    return ".".join(parts[:3]) if parts[:2] == ["melds", "kinds"] and len(parts) > 3 else ""


def parameters(text: Value) -> Iterator[str]:
    """The names in a statement's `parameter`: `deck.packs = 1; deck.size = 54` has two."""
    for part in str(text or "").split(";"):
        name = part.strip()
        for mark in _PARTS:
            name = name.partition(mark)[0]
        if name:
            yield name


def sources_of(written: Iterable[str]) -> frozenset[str]:
    """The numbers of the texts that files follow which name these sources."""
    texts = list(written)
    return frozenset(one.number for one in read_sources() if any(one.written in text for text in texts))


@cache
def _document(name: str) -> Value:
    document, findings = read_yaml(data_path("docs", name).read_bytes(), name)
    assert document is not None, findings
    return document.value


def _read(name: str) -> Mapping[str, Value]:
    return _mapping(_document(name))


def _mapping(value: Value) -> Mapping[str, Value]:
    assert isinstance(value, dict)
    return value


def _words(value: Value) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else []
