"""What a map says of where things are: paths into records, and values taken from them.

A path is keys with dots between them, `[2]` or `[-1]` for an item of a list, `[*]` for each of them.
It begins in the record; `^.` begins one level up, where the list is that the record was found in,
and `$.` in the whole file. `.` is the record itself. A value is a path, or an object that says what
is done with what lies there; `reading` binds it once, so that a record costs a few calls.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

from meldref_intake.events.patterns import Pattern

Step: TypeAlias = "str | int | None"
"""A key, an index, or None for each item."""

MOST_TEXT: Final = 100_000
"""A text that is longer is not taken apart by a pattern."""
_NUMBER: Final = re.compile(r"\s*[-+]?\d{1,30}(?:\.\d{1,30})?\s*")
_PART: Final = re.compile(r'\.?(?:\[(?:(-?\d{1,6})|(\*)|"([^"]*)")\]|([^.\[\]]+))')


class Scope(NamedTuple):
    """Where a value is looked for: a record, what it was found in, and the file.

    `parents` are the items of the lists that it was found in, the innermost last. `fields` are the
    values that the map gave names.
    """

    record: Any
    parents: tuple[Any, ...] = ()
    file: Any = None
    fields: Mapping[str, Any] = {}
    tables: Mapping[str, Mapping[str, Any]] = {}

    def inside(self, record: Any) -> Scope:
        """The scope of an item of a list in this record."""
        return Scope(record, (*self.parents, self.record), self.file, self.fields, self.tables)


Value: TypeAlias = Callable[[Scope], Any]
"""What gives a value of a record; None where it is absent."""


class Path(NamedTuple):
    """A path: how many levels up it begins (-1: in the file), and its steps."""

    up: int
    steps: tuple[Step, ...]

    def of(self, scope: Scope) -> Any:
        """What lies there; None if nothing does."""
        if self.up < 0:
            return walk(scope.file, self.steps)
        if not self.up:
            if self.steps and self.steps[0] in scope.fields:
                return walk(scope.fields[self.steps[0]], self.steps[1:])  # type: ignore[index]
            return walk(scope.record, self.steps)
        if self.up > len(scope.parents):
            return None
        return walk(scope.parents[-self.up], self.steps)


def steps_of(text: str) -> tuple[Step, ...]:
    """The steps of a path without what it begins with.

    Raises:
        ValueError: it is no path.
    """
    steps: list[Step] = []
    at = 0
    while at < len(text):
        part = _PART.match(text, at)
        if part is None:
            raise ValueError(f"{text} is no path: after {text[:at] or 'its beginning'}")
        index, each, quoted, key = part.groups()
        steps.append(
            int(index) if index else None if each else quoted if quoted is not None else key
        )
        at = part.end()
    return tuple(steps)


@lru_cache(maxsize=2_000)
def path_of(text: str) -> Path:
    """A path as it is written.

    Raises:
        ValueError: it is no path.
    """
    if text.startswith("$"):
        return Path(-1, steps_of(text[1:].lstrip(".")))
    rest = text.lstrip("^")
    return Path(len(text) - len(rest), steps_of(rest.lstrip(".")))


def walk(value: Any, steps: tuple[Step, ...]) -> Any:
    """What steps lead to; None if they lead nowhere."""
    for at, step in enumerate(steps):
        if step is None:
            found = [walk(item, steps[at + 1 :]) for item in items_of(value)]
            if None in steps[at + 1 :]:
                return [item for part in found for item in part or ()]
            return [item for item in found if item is not None]
        if isinstance(step, int):
            if not isinstance(value, list) or not -len(value) <= step < len(value):
                return None
            value = value[step]
        elif isinstance(value, dict):
            value = value.get(step)
        else:
            return None
        if value is None:
            return None
    return value


def items_of(value: Any) -> list[Any]:
    """The items of a list, the values of an object; of nothing, none; else the value itself."""
    if value is None:
        return []
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else [value]


def scopes_of(each: Value | None, scope: Scope) -> list[Scope]:
    """The scopes of the items that a value gives; without one, the scope itself."""
    if each is None:
        return [scope]
    return [scope.inside(item) for item in items_of(each(scope))]


def entries_of(value: Any) -> list[dict[str, Any]]:
    """An object as a list of its keys, each with its value; of a list, the places from 0."""
    pairs = value.items() if isinstance(value, dict) else enumerate(items_of(value))
    return [{"key": key, "value": item} for key, item in pairs]


def text_of(value: Any) -> str:
    """A scalar as text, as tables and conditions compare it: `1`, `1.0` and "1" are alike."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def number_of(value: Any) -> int | None:
    """A whole number, or a text that is one; None of everything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    if isinstance(value, str) and re.fullmatch(r"\s*[-+]?\d{1,15}\s*", value):
        return int(value)
    return None


def _groups(found: re.Match[str]) -> Any:
    """What a pattern finds: its named groups, its only group, or all of it."""
    if found.re.groupindex:
        return {key: group for key, group in found.groupdict().items() if group is not None}
    return found[1] if found.re.groups else found[0]


def reading(said: Any) -> Value:
    """Binds a value as a map says it.

    Raises:
        ValueError: it holds a path that is none. `re.error`: a pattern that is none.
    """
    if isinstance(said, str):
        return path_of(said).of
    if not isinstance(said, Mapping):
        return lambda _: said
    source = _source(said)
    steps = [make(said[key]) for key, make in _STEPS.items() if key in said]
    default = said.get("default")

    def value(scope: Scope) -> Any:
        found = source(scope)
        for step in steps:
            if found is None:
                break
            found = step(found, scope)
        return default if found is None else found

    return value


def _source(said: Mapping[str, Any]) -> Value:
    """Where a value begins: a path, one of several values, or a constant."""
    if "value" in said:
        constant = said["value"]
        return lambda _: constant
    if "first_of" in said:
        several = [reading(one) for one in said["first_of"]]
        return lambda scope: next(
            (found for one in several if (found := one(scope)) is not None), None
        )
    return path_of(said.get("path", ".")).of


_Step: TypeAlias = Callable[[Any, Scope], Any]


def _json(_: Any) -> _Step:
    def step(found: Any, _: Scope) -> Any:
        if not isinstance(found, str):
            return found
        try:
            return json.loads(found)
        except (ValueError, RecursionError):
            return None

    return step


def _matching(find: Callable[[str], Any]) -> _Step:
    """A step that takes text apart; of a list, each item."""

    def step(found: Any, scope: Scope) -> Any:
        if isinstance(found, list):
            return [taken for item in found if (taken := step(item, scope)) is not None]
        text = text_of(found)
        return find(text) if len(text) <= MOST_TEXT else None

    return step


def _pattern(text: str) -> _Step:
    search = Pattern(text).search
    return _matching(lambda found: None if (at := search(found)) is None else _groups(at))


def _find_all(text: str) -> _Step:
    find_all = Pattern(text).find_all
    return _matching(lambda found: [_groups(at) for at in find_all(found)])


def _split(separator: str) -> _Step:
    return _matching(
        lambda found: [part.strip() for part in found.split(separator) if part.strip()]
    )


def _then(text: str) -> _Step:
    steps = steps_of(text)
    return lambda found, _: walk(found, steps)


def _lookup(said: Mapping[str, Any]) -> _Step:
    """The row of a list in the file, or of a table that was gathered, whose key is the value."""
    give = path_of(said["give"]).steps if "give" in said else ()
    if "table" in said:
        name = said["table"]
        return lambda found, scope: walk(scope.tables.get(name, {}).get(text_of(found)), give)
    rows, key = reading(said["in"]), path_of(said["key"]).steps
    kept: dict[int, tuple[Any, dict[str, Any]]] = {}

    def step(found: Any, scope: Scope) -> Any:
        listed = rows(scope)
        if id(listed) not in kept:
            kept.clear()
            by_key = {
                text_of(at): row for row in items_of(listed) if (at := walk(row, key)) is not None
            }
            kept[id(listed)] = listed, by_key
        return walk(kept[id(listed)][1].get(text_of(found)), give)

    return step


def _table(said: Mapping[str, Any]) -> _Step:
    def step(found: Any, _: Scope) -> Any:
        if isinstance(found, (list, Mapping)):
            return found
        return said.get(text_of(found), said.get("*"))

    return step


def _add(number: int) -> _Step:
    def step(found: Any, _: Scope) -> Any:
        whole = number_of(found)
        return None if whole is None else whole + number

    return step


def _each(said: Any) -> _Step:
    one = reading(said)

    def step(found: Any, scope: Scope) -> Any:
        values = [one(scope.inside(item)) for item in items_of(found)]
        return [value for value in values if value is not None]

    return step


def _where(said: Any) -> _Step:
    fits = condition(said)
    return lambda found, scope: [item for item in items_of(found) if fits(scope.inside(item))]


def _sort(said: str) -> _Step:
    steps = path_of(said).steps
    return lambda found, _: sorted(items_of(found), key=lambda item: sort_key(walk(item, steps)))


def sort_key(value: Any) -> tuple[int, float, str]:
    """Numbers by their size, before texts in their order."""
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        value = float(value) if "." in value else int(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return 0, value, ""
    return 1, 0, "" if value is None else str(value)


_STEPS: Final[Mapping[str, Callable[[Any], _Step]]] = {
    "json": _json,
    "pattern": _pattern,
    "find_all": _find_all,
    "split": _split,
    "then": _then,
    "lookup": _lookup,
    "table": _table,
    "entries": lambda _: lambda found, _scope: entries_of(found),
    "where": _where,
    "sort": _sort,
    "each": _each,
    "reverse": lambda _: lambda found, _scope: items_of(found)[::-1],
    "size": lambda _: lambda found, _scope: len(items_of(found)),
    "add": _add,
}
"""What may be done with a value, in this order."""

Condition: TypeAlias = Callable[[Scope], bool]


def condition(said: Any) -> Condition:
    """Binds a condition: tests by the path of what they look at, all of which have to hold.

    A list holds if one of its conditions does.

    Raises:
        ValueError, `re.error`: a path or a pattern is none.
    """
    if isinstance(said, list):
        several = [condition(one) for one in said]
        return lambda scope: any(one(scope) for one in several)
    tests = [(path_of(path).of, _in_scope(wanted)) for path, wanted in (said or {}).items()]
    return lambda scope: all(test(value(scope), scope) for value, test in tests)


def paths_of(said: Any) -> list[Path]:
    """The paths that a condition looks at."""
    several = said if isinstance(said, list) else [said or {}]
    return [path_of(path) for one in several for path in one]


def _in_scope(wanted: Any) -> Callable[[Any, Scope], bool]:
    """A test that may look at other values of the record: `same_as`."""
    if not (isinstance(wanted, Mapping) and "same_as" in wanted):
        plain = _test(wanted)
        return lambda value, _: plain(value)
    other = path_of(wanted["same_as"]).of
    rest = _test({key: of for key, of in wanted.items() if key != "same_as"})

    def test(value: Any, scope: Scope) -> bool:
        like = other(scope)
        is_same = value is not None and like is not None and text_of(value) == text_of(like)
        return is_same and rest(value)

    return test


def _test(wanted: Any) -> Callable[[Any], bool]:
    """A test of a value: equal to one, to any of a list, or as an object says."""
    if isinstance(wanted, Mapping):
        parts = [_TESTS[key](of) for key, of in wanted.items()]
        return lambda value: all(part(value) for part in parts)
    if isinstance(wanted, list):
        texts = {text_of(one) for one in wanted if one is not None}
        takes_none = None in wanted
        return lambda value: takes_none if value is None else _plain(value) in texts
    if wanted is None:
        return lambda value: value is None
    text = text_of(wanted)
    return lambda value: value is not None and _plain(value) == text


def _not(of: Any) -> Callable[[Any], bool]:
    test = _test(of)
    return lambda value: not test(value)


def _plain(value: Any) -> str | None:
    return None if isinstance(value, (list, dict)) else text_of(value)


def _count_test(of: Any) -> Callable[[Any], bool]:
    least, most = (of.get("min", 0), of.get("max")) if isinstance(of, Mapping) else (of, of)
    return lambda value: (
        least <= len(items_of(value)) <= (len(items_of(value)) if most is None else most)
    )


def _bound(fits: Callable[[int], bool]) -> Callable[[Any], bool]:
    return lambda value: (number := number_of(value)) is not None and fits(number)


def _matches(text: str) -> Callable[[Any], bool]:
    search = Pattern(text).search

    def test(value: Any) -> bool:
        plain = None if value is None else _plain(value)
        return plain is not None and len(plain) <= MOST_TEXT and search(plain) is not None

    return test


_TESTS: Final[Mapping[str, Callable[[Any], Callable[[Any], bool]]]] = {
    "is": _test,
    "not": _not,
    "matches": _matches,
    "exists": lambda of: lambda value: (value is not None) is of,
    "count": _count_test,
    "min": lambda of: _bound(lambda number: number >= of),
    "max": lambda of: _bound(lambda number: number <= of),
}
