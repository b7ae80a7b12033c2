"""Strict YAML with places: rulesets, positions and case files are read through it.

What can be written is the core of YAML 1.2, less what a reader could stumble over: no anchors,
aliases, tags, merge keys or second documents, no key twice. `no`, `off` and `012` are text. JSON is
read by the same door.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path as FilePath
from typing import Any, Final, TypeAlias

import yaml

from meldref.core.diagnostics import Edit, Finding, Span
from meldref.core.records import hidden, record
from meldref.core.safe_files import MAX_BYTES
from meldref.documents.advice import Stop, SyntaxFix, adviser, line_with, replaced

Value: TypeAlias = "dict[str, Value] | list[Value] | str | int | float | bool | None"
Path: TypeAlias = tuple[str | int, ...]

MAX_DEPTH: Final = 32
MAX_FINDINGS: Final = 100

_INT: Final = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,299})\Z")
_FLOAT: Final = re.compile(
    r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z"
)
_WORDS: Final[Mapping[str, bool | None]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_NAMES: Final[tuple[Path, ...]] = (("house_rules",), ("melds", "kinds"))
"""Where keys are names that their author gave."""
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_NOT_TEXT: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]"
)
_MISREAD: Final = re.compile(
    r"(?:^|\r)[^\S\r\n]*(?:```|~~~|[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000])",
    re.MULTILINE,
)
"""What YAML may misread: marks of a code block, and characters that look like spaces."""

_EMPTY: Final = (
    "the file is empty; the shortest rules file says what it extends: extends: [500-rummy]"
)
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@record
class Document:
    """A file that was read: its value, and where each part of it stands."""

    file: str
    value: Value
    lines: tuple[str, ...]
    places: Mapping[Path, Span] = hidden()
    key_places: Mapping[Path, Span] = hidden()

    def place(self, path: Path) -> Span:
        """Where the value at a path is written, or the nearest part around it that exists."""
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path, Span(1))

    def key_place(self, path: Path) -> Span:
        """Where the last key of a path is written; for an item of a list, where the item is."""
        return self.key_places.get(path) or self.place(path)

    def excerpt(self, line: int) -> str:
        """The text of a line, counted from 1; empty where there is none."""
        return self.lines[line - 1] if 0 < line <= len(self.lines) else ""

    def finding(
        self, code: str, message: str, path: Path, *, at_key: bool = False, **more: Any
    ) -> Finding:
        """A finding about the value, or the key, at a path of this file.

        `more` are other fields of it.
        """
        span = self.key_place(path) if at_key else self.place(path)
        return Finding(code, message, span, file=self.file, excerpt=self.excerpt(span.line), **more)


def read_yaml(
    text: str | bytes, file: str, code: str = "rules.yaml"
) -> tuple[Document | None, tuple[Finding, ...]]:
    """Read one YAML or JSON file strictly: the document, None if it has errors; and the findings.

    `file` is its name as messages show it, `code` that of the findings.
    """
    document, findings = read_in_part(text, file, code)
    return (None if findings else document), findings


def read_in_part(
    text: str | bytes, file: str, code: str = "rules.yaml"
) -> tuple[Document | None, tuple[Finding, ...]]:
    """Reads as `read_yaml` does, but keeps a document whose errors leave the rest readable."""
    decoded = _decoded(text, file, code)
    if isinstance(decoded, Finding):
        return None, (decoded,)
    reader = _Reader(decoded.removeprefix("\ufeff"), file, code)
    if not reader.has_only_text() or not reader.read():
        return None, tuple(reader.findings)
    document = Document(file, reader.value, reader.lines, reader.places, reader.key_places)
    return document, tuple(reader.findings)


@cache
def read_data(path: FilePath) -> Any:
    """What a YAML file of our own says, such as the clauses or the cookbook."""
    document, findings = read_yaml(path.read_bytes(), path.name)
    assert document is not None, findings
    return document.value


def is_text(data: bytes) -> bool:
    """Whether a file of rules can be read at all: UTF-8 text, and not too large."""
    return b"\x00" not in data and isinstance(_decoded(data, "", ""), str)


def scalar(text: str) -> Value:
    """What an unquoted word of YAML 1.2 core means: a number, true, false, null, or itself."""
    first = text[:1]
    if first.isdigit() or first in ("-", "+", "."):
        if _INT.match(text):
            return int(text)
        return float(text) if not text.lstrip("+-").isdigit() and _FLOAT.match(text) else text
    return _WORDS.get(text, text)


def quote_text(text: str) -> str:
    """A text in straight double quotes, as YAML and JSON both read it."""
    return json.dumps(text, ensure_ascii=False)


class _Stop(Exception):
    """Nothing after this place can be read."""


class _Reader:
    """Builds values from the events of the YAML parser, no deeper than `MAX_DEPTH`."""

    def __init__(self, text: str, file: str, code: str) -> None:
        self.text = text
        self.file = file
        self.code = code
        self.lines = tuple(_LINE_END.split(text))
        self.value: Value = None
        self.places: dict[Path, Span] = {}
        self.key_places: dict[Path, Span] = {}
        self.findings: list[Finding] = []
        self.events: Iterator[yaml.Event] = yaml.parse(text, Loader=_LOADER)

    def report(self, mistake: SyntaxFix) -> None:
        """Note a finding; its line and columns count from 0, as the parser does."""
        if len(self.findings) >= MAX_FINDINGS:
            raise _Stop
        line = min(mistake.line, len(self.lines) - 1)
        text = self.lines[line]
        end = max(mistake.end or 0, mistake.column + 1)
        fixed = line_with(text, line + 1, mistake.edits)
        finding = Finding(
            self.code,
            mistake.message,
            Span(line + 1, mistake.column + 1, end + 1),
            file=self.file,
            excerpt=text,
            notes=mistake.notes,
            help=(f"write {fixed}",) if fixed else (),
            edits=mistake.edits,
        )
        self.findings.append(finding)

    def report_at(self, event: yaml.Event, message: str, edits: tuple[Edit, ...] = ()) -> None:
        """Note a finding about what an event stands for."""
        span = self.span(event)
        self.report(SyntaxFix(message, span.line - 1, span.column - 1, span.end_column - 1, edits))

    def has_only_text(self) -> bool:
        """Whether the file is text, without a mistake that the parser would misread."""
        odd = _NOT_TEXT.search(self.text)
        if odd is None:
            looks_misread = _MISREAD.search(self.text) is not None
            mistake = adviser().before_reading(self.lines) if looks_misread else None
            if mistake is not None:
                self.report(mistake)
            return mistake is None
        before = _LINE_END.split(self.text[: odd.start()])
        line, column = len(before) - 1, len(before[-1])
        message = f"a character that is not text (U+{ord(odd.group()):04X}); is this a YAML file?"
        edits: tuple[Edit, ...] = ()
        if odd.group() == "\ufeff":
            message = "an invisible byte order mark is here: remove it"
            edits = (replaced(line, column, column + 1, ""),)
        self.report(SyntaxFix(message, line, column, edits=edits))
        return False

    def read(self) -> bool:
        """Read the text into `value`; whether its end was reached."""
        try:
            self.read_documents()
            if self.value is None and not self.findings:
                message = _EMPTY if self.code == "rules.yaml" else "the file is empty"
                self.report(SyntaxFix(message, 0, 0))
                return False
        except _Stop:
            return False
        except yaml.MarkedYAMLError as error:
            at = self.position(error.problem_mark or error.context_mark)
            since = self.position(error.context_mark)
            stop = Stop(error.problem or "it cannot be read", error.context or "", at, since)
            for mistake in adviser().explain(stop, self.lines):
                self.report(mistake)
            return False
        return True

    def read_documents(self) -> None:
        """The value of the only document that a file may hold."""
        documents = 0
        for event in self.events:
            if isinstance(event, yaml.NodeEvent):
                self.value = self.read_value(event, ())
            elif isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    advice = "but a file holds only one: put the rest in another file"
                    self.report_at(event, f"--- begins a second document, {advice}")
                    raise _Stop

    def read_value(self, event: yaml.Event, path: Path) -> Value:
        """The value that begins with an event, and stands at a path."""
        if isinstance(event, yaml.AliasEvent):
            self.report_alias(event)
            self.places[path] = self.span(event)
            return None
        self.check_node(event)
        if isinstance(event, yaml.ScalarEvent):
            self.places[path] = self.span(event)
            return event.value if event.style else scalar(event.value)
        if len(path) >= MAX_DEPTH:
            self.report_at(event, f"nested more than {MAX_DEPTH} levels deep")
            raise _Stop
        if isinstance(event, yaml.MappingStartEvent):
            return self.read_mapping(event, path)
        return self.read_list(event, path)

    def read_list(self, start: yaml.Event, path: Path) -> list[Value]:
        """A list, item by item."""
        items: list[Value] = []
        for event in self.parts(start, path):
            items.append(self.read_value(event, (*path, len(items))))
        return items

    def read_mapping(self, start: yaml.Event, path: Path) -> dict[str, Value]:
        """A mapping, key by key; of a key that is there twice, the first value counts."""
        mapping: dict[str, Value] = {}
        seen: dict[str, int] = {}
        for event in self.parts(start, path):
            key = self.read_key(event, path, seen)
            value = self.read_value(next(self.events), (*path, key))
            mapping.setdefault(key, value)
        return mapping

    def parts(self, start: yaml.Event, path: Path) -> Iterator[yaml.Event]:
        """What each item or key of a collection begins with; then, the collection has its place."""
        for event in self.events:
            if isinstance(event, yaml.CollectionEndEvent):
                self.places[path] = self.span(start, event)
                return
            yield event

    def read_key(self, event: yaml.Event, path: Path, seen: dict[str, int]) -> str:
        """A key, which keeps its text, whatever it would be as a value."""
        if isinstance(event, yaml.AliasEvent):
            self.report_alias(event)
            return ""
        self.check_node(event)
        if not isinstance(event, yaml.ScalarEvent):
            self.report_at(
                event, "a key is a word, not a list or a mapping; text with { or [ needs quotes"
            )
            raise _Stop
        key: str = event.value
        span = self.span(event)
        if "\n" in key:
            self.report_at(event, "a key has to be on one line, without a line break in its quotes")
            key = " ".join(key.split())
        if key == "<<" and not event.style:
            self.report_at(event, "<< would merge keys from elsewhere: write the keys themselves")
        elif key == "" and not event.style:
            self.report_at(event, "a key is missing before the colon")
        elif key in seen:
            self.report_duplicate(event, path, key, seen[key])
            return key
        seen[key] = span.line
        self.key_places[(*path, key)] = span
        return key

    def report_duplicate(self, event: yaml.Event, path: Path, key: str, first: int) -> None:
        """A key that a mapping has already, at its `first` line."""
        edits: tuple[Edit, ...] = ()
        advice = "remove one of the two"
        if path in _NAMES:
            advice = "give one of them another name, or remove it"
        else:
            edits = adviser().one_section(self.lines, first - 1, self.span(event).line - 1)
            if edits:
                advice = "put these lines under that one"
        message = f"`{key}` is a duplicate key; the first is at line {first}: {advice}"
        self.report_at(event, message, edits)

    def report_alias(self, event: yaml.AliasEvent) -> None:
        """An alias has no place here."""
        name = f"*{getattr(event, 'anchor', '')}"
        advice = "write it out, or put text in quotes"
        self.report_at(event, f"{name} would repeat a value that is marked elsewhere: {advice}")

    def check_node(self, event: yaml.Event) -> None:
        """Anchors and tags have no place here."""
        anchor, tag = getattr(event, "anchor", None), getattr(event, "tag", None)
        if anchor is None and tag is None:
            return
        line = self.span(event).line - 1
        if anchor is not None:
            mark = f"&{anchor}"
            message = (
                f"{mark} marks a value to be repeated elsewhere: remove it, and write values out"
            )
            self.report_at(event, message, adviser().without_anchor(self.lines, line, mark))
        if tag is not None:
            name = tag.replace("tag:yaml.org,2002:", "!!")
            message = (
                f"{name} is read as a tag, not as text: a text that starts with ! needs quotes"
            )
            self.report_at(event, message, adviser().quoted(self.lines[line], line))

    def span(self, start: yaml.Event, end: yaml.Event | None = None) -> Span:
        """The columns on its first line of the text of an event, or of all up to a later one."""
        first, last = start.start_mark, (end or start).end_mark
        assert first is not None
        assert last is not None
        stop = last.column
        if last.line != first.line:
            line = self.lines[first.line] if first.line < len(self.lines) else ""
            stop = len(line.rstrip())
        return Span(first.line + 1, first.column + 1, max(stop, first.column) + 1)

    def position(self, mark: yaml.Mark | None) -> tuple[int, int]:
        """Line and column of a mark, from 0; for a mark after the end of the text, that end."""
        if mark is not None and mark.line >= len(self.lines):
            return len(self.lines) - 1, len(self.lines[-1])
        return (0, 0) if mark is None else (mark.line, mark.column)


def _decoded(data: str | bytes, file: str, code: str) -> str | Finding:
    """The text of a file, or why it cannot be read as text."""
    if len(data) > MAX_BYTES or (
        isinstance(data, str) and len(data.encode("utf-8", "replace")) > MAX_BYTES
    ):
        return Finding(code, "the file is larger than 1 MiB", Span(1), file=file)
    if isinstance(data, str):
        return data
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return _not_utf8(data, error.start, file, code)


def _not_utf8(data: bytes, at: int, file: str, code: str) -> Finding:
    """The first byte that is not UTF-8."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return Finding(code, "the file is UTF-16; save it as UTF-8", Span(1), file=file)
    before = _LINE_END.split(data[:at].decode("utf-8-sig", "replace"))
    rest = _LINE_END.split(data[at : at + 200].decode("cp1252", "replace"))[0]
    message = f"byte 0x{data[at]:02X} (perhaps {rest[:1]}) is not UTF-8; save the file as UTF-8"
    column = len(before[-1]) + 1
    return Finding(
        code, message, Span(len(before), column, column + 1), file=file, excerpt=before[-1] + rest
    )
