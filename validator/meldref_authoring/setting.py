"""Changes keys in the text of a rules file, and leaves the rest of it as its author wrote it.

A change is made at the key's place if it has one, else below the section that it belongs to.
What comes out is read again: it says what was wanted and nothing else, or the section is written anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias, cast

from meldref.core.diagnostics import Edit
from meldref.core.editing import apply
from meldref.documents.reader import Document, Path, Value, read_in_part
from meldref.rulefiles.merge import flow
from meldref_authoring.cookbook import rule_lines

Data: TypeAlias = dict[str, Value]

_HOUSE: Final = "house_rules"
_LATE: Final = (_HOUSE, "customs", "hands", "cases")
"""Sections before which a new one is written."""


class CannotChange(ValueError):
    """The text cannot be read as a rules file, or not be changed where it stands."""


def change_keys(text: str, changes: Mapping[str, Value]) -> str:
    """A rules file with keys, by their paths, set to other values; None takes one away.

    Raises `CannotChange` where the text is no table of keys and values.
    """
    for path, value in changes.items():
        text = _change(text, tuple(path.split(".")), value)
    return text


def _change(text: str, path: tuple[str, ...], value: Value) -> str:
    document = _read(text)
    data = _data(document)
    wanted = _with(data, path, value)
    if wanted == data:
        return text
    for edits in (_in_place(document, path, value, wanted), _whole_section(document, path, wanted)):
        changed = apply(text, edits)
        if edits and _says(changed, wanted):
            return changed
    raise CannotChange(f"{'.'.join(path)} cannot be changed where it is written")


def _read(text: str) -> Document:
    if not text.strip():
        return Document("", {}, (), {}, {})
    document, findings = read_in_part(text, "")
    if document is None or findings or not isinstance(document.value, dict):
        raise CannotChange("the rules file cannot be read")
    return document


def _says(text: str, wanted: Data) -> bool:
    try:
        return _data(_read(text)) == wanted
    except CannotChange:
        return False


def _data(document: Document) -> Data:
    return cast("Data", document.value)


def _with(data: Data, path: Sequence[str], value: Value) -> Data:
    """The data with one key changed; a section that has nothing left goes as well."""
    name, *rest = path
    changed = dict(data)
    inner = changed.get(name)
    if rest:
        value = _with(inner if isinstance(inner, dict) else {}, rest, value) or None
    if value is None:
        changed.pop(name, None)
    else:
        changed[name] = value
    return changed


def _at(data: Data, path: Path) -> Value:
    value: Value = data
    for name in path:
        value = value.get(str(name)) if isinstance(value, dict) else None
    return value


# --- in place -------------------------------------------------------------------------------------


def _in_place(
    document: Document, path: tuple[str, ...], value: Value, wanted: Data
) -> tuple[Edit, ...]:
    """The edit at the key's own place, or below the innermost section around it that is there."""
    there = path
    while there and there not in document.key_places:
        there = there[:-1]
    on_line = next((outer for outer in _outer(there) if outer and _is_flow(document, outer)), None)
    left = None if on_line is None else _at(wanted, on_line)
    if on_line is not None and left is not None:
        span = document.place(on_line)
        return (Edit(span.line, span.column, span.line, span.end_column, flow(left)),)
    if there == path and value is not None:
        return _rewrite(document, path, value)
    if value is None:
        gone = next(outer for outer in _outer(there) if _at(wanted, outer) is None)
        first, end = _lines_of(document, gone)
        return (Edit(first, 1, end, 1, ""),)
    return (_insert(document, there, path[len(there) :], _at(wanted, path)),)


def _outer(path: Path) -> Iterator[Path]:
    """The sections around a key, and it itself, the outermost first."""
    return (path[:depth] for depth in range(1, len(path) + 1))


def _is_flow(document: Document, path: Path) -> bool:
    """Whether a section stands in braces, on the line of its key."""
    span = document.place(path)
    return document.excerpt(span.line)[span.column - 1 : span.column] == "{"


def _rewrite(document: Document, path: Path, value: Value) -> tuple[Edit, ...]:
    """Another value for a key: on its line, with the comment behind it, or in the place of its lines."""
    key, span = document.key_place(path), document.place(path)
    if not isinstance(value, dict) and span.line == key.line:
        return (Edit(span.line, span.column, span.line, span.end_column, flow(value)),)
    first, end = _lines_of(document, path)
    return (Edit(first, 1, end, 1, _block({str(path[-1]): value}, _indent(document, path))),)


def _insert(document: Document, section: Path, rest: Sequence[str], value: Value) -> Edit:
    """New lines for a key: at the end of its section, or for a new section before the late ones."""
    for name in reversed(rest[1:]):
        value = {name: value}
    new = {rest[0]: value}
    if section:
        line = _lines_of(document, section)[1]
        return Edit(line, 1, line, 1, _block(new, _indent_within(document, section)))
    behind = _LATE[_LATE.index(rest[0]) + 1 :] if rest[0] in _LATE else _LATE
    late = [document.key_places[(name,)].line for name in behind if (name,) in document.key_places]
    line = min(late, default=_end(document))
    return Edit(line, 1, line, 1, _block(new, 0))


def _end(document: Document) -> int:
    """The line behind the last that says something."""
    lines = [number for number, line in enumerate(document.lines, 1) if line.strip()]
    return max(lines, default=0) + 1


def _lines_of(document: Document, path: Path) -> tuple[int, int]:
    """The first line of a key, and the one behind the last that belongs to it."""
    first, indent = document.key_place(path).line, _indent(document, path)
    end = first + 1
    for number in range(first + 1, len(document.lines) + 1):
        line = document.excerpt(number)
        depth = len(line) - len(line.lstrip())
        is_item = depth == indent and line.lstrip().startswith("- ")
        if line.strip() and depth <= indent and not is_item:
            break
        if line.strip():
            end = number + 1
    return first, end


def _indent(document: Document, path: Path) -> int:
    return document.key_place(path).column - 1


def _indent_within(document: Document, section: Path) -> int:
    """How far the keys of a section are indented."""
    inner = [
        key for key in document.key_places if len(key) == len(section) + 1 and key[:-1] == section
    ]
    return _indent(document, inner[0]) if inner else _indent(document, section) + 2


# --- written anew ---------------------------------------------------------------------------------


def _whole_section(document: Document, path: tuple[str, ...], wanted: Data) -> tuple[Edit, ...]:
    """The outermost section of a key, written anew."""
    name = path[0]
    if (name,) not in document.key_places:
        return ()
    first, end = _lines_of(document, (name,))
    text = _block({name: wanted[name]}, 0) if name in wanted else ""
    return (Edit(first, 1, end, 1, text),)


def _block(data: Data, indent: int) -> str:
    """Keys and values as lines, each key on its own; house rules with few quotes."""
    return "".join(f"{' ' * indent}{line}\n" for line in _block_lines(data))


def _block_lines(data: Data) -> Iterator[str]:
    for name, value in data.items():
        if name == _HOUSE and isinstance(value, dict) and all(map(_is_table, value.values())):
            yield f"{name}:"
            yield from rule_lines(cast("dict[str, Data]", value))
        elif _is_table(value):
            yield f"{flow(name)}:"
            yield from (f"  {line}" for line in _block_lines(cast("Data", value)))
        else:
            yield f"{flow(name)}: {flow(value)}"


def _is_table(value: Value) -> bool:
    return isinstance(value, dict) and bool(value)
