"""Strict YAML with places: rulesets, positions and case files are read through it.

What can be written is the core of YAML 1.2, less what a reader could stumble over: no anchors,
aliases, tags, merge keys or second documents, no key twice. `no`, `off` and `012` are text. JSON is
read by the same door.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path as FilePath
from typing import Any, Final, TypeAlias

import yaml

from meldref.core.diagnostics import Edit, Finding, Span
from meldref.core.records import changed, fresh, hidden, record
from meldref.core.safe_files import MAX_BYTES
from meldref_authoring.rulefiles.syntax_fixes import (
    Stop,
    SyntaxFix,
    before_reading,
    explain,
    line_with,
    move_section,
    quote_value,
    replaced,
    take_out,
    unquoted,
)

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
    if not reader.has_only_text() or not reader.compose():
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


class _Stop(Exception):
    """Nothing after this place can be read."""


@record(frozen=False)
class _Frame:
    """A mapping or list that is being read."""

    value: dict[str, Value] | list[Value]
    path: Path
    start: tuple[int, int]
    key: str | None = None
    seen: dict[str, int] = fresh(default_factory=dict)

    @property
    def wants_key(self) -> bool:
        """Whether a key comes next."""
        return isinstance(self.value, dict) and self.key is None


class _Reader:
    """Builds values from the events of the YAML parser, which never nest in Python."""

    def __init__(self, text: str, file: str, code: str) -> None:
        self.text = text
        self.file = file
        self.code = code
        self.lines = tuple(_LINE_END.split(text))
        self.value: Value = None
        self.places: dict[Path, Span] = {}
        self.key_places: dict[Path, Span] = {}
        self.findings: list[Finding] = []
        self.frames: list[_Frame] = []
        self.documents = 0

    def report(self, mistake: SyntaxFix) -> None:
        """Note a finding; its line and columns count from 0, as the parser does."""
        if len(self.findings) >= MAX_FINDINGS:
            raise _Stop
        line = min(mistake.line, len(self.lines) - 1)
        span = Span(line + 1, mistake.column + 1, max(mistake.end or 0, mistake.column + 1) + 1)
        text = self.lines[line]
        finding = Finding(self.code, mistake.message, span, file=self.file, excerpt=text)
        fixed = line_with(text, line + 1, mistake.edits)
        help_ = (f"write {fixed}",) if fixed else ()
        self.findings.append(changed(finding, notes=mistake.notes, help=help_, edits=mistake.edits))

    def has_only_text(self) -> bool:
        """Whether the file is text, without a mistake that the parser would misread."""
        odd = _NOT_TEXT.search(self.text)
        if odd is None:
            mistake = before_reading(self.lines)
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

    def compose(self) -> bool:
        """Read the text into `value`; whether its end was reached."""
        try:
            for event in yaml.parse(self.text, Loader=_LOADER):
                self.take(event)
            if self.documents == 0 or (self.value is None and not self.findings):
                self.report(
                    SyntaxFix(_EMPTY if self.code == "rules.yaml" else "the file is empty", 0, 0)
                )
                return False
        except _Stop:
            return False
        except yaml.MarkedYAMLError as error:
            at = self.position(error.problem_mark or error.context_mark)
            since = self.position(error.context_mark)
            stop = Stop(error.problem or "it cannot be read", error.context or "", at, since)
            explained = explain(stop, self.lines)
            self.report(explained)
            for number, text in enumerate(self.lines):
                alike = (
                    unquoted(text, number) if explained.message.startswith("between {") else None
                )
                if alike is not None and number != explained.line:
                    self.report(alike)
            return False
        except yaml.YAMLError as error:
            self.findings.append(
                Finding(self.code, f"this is not YAML: {error}", Span(1), file=self.file)
            )
            return False
        return True

    def take(self, event: yaml.Event) -> None:
        """Fit one event in."""
        if isinstance(event, yaml.ScalarEvent):
            self.take_scalar(event)
        elif isinstance(event, yaml.MappingStartEvent):
            self.open(event, {})
        elif isinstance(event, yaml.SequenceStartEvent):
            self.open(event, [])
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            self.close(event)
        elif isinstance(event, yaml.AliasEvent):
            name = f"*{getattr(event, 'anchor', '')}"
            advice = "write it out, or put text in quotes"
            self.report_at(event, f"{name} would repeat a value that is marked elsewhere: {advice}")
            self.place_value(None, event)
        elif isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                advice = "but a file holds only one: put the rest in another file"
                self.report_at(event, f"--- begins a second document, {advice}")
                raise _Stop

    def report_at(self, event: yaml.Event, message: str, *edits: Edit) -> None:
        """Note a finding about what an event stands for."""
        span = self.span(event)
        self.report(SyntaxFix(message, span.line - 1, span.column - 1, span.end_column - 1, edits))

    def check_plain(self, event: yaml.NodeEvent) -> None:
        """Anchors and tags have no place here."""
        if event.anchor is not None:
            mark = f"&{event.anchor}"
            message = (
                f"{mark} marks a value to be repeated elsewhere: remove it, and write values out"
            )
            self.report_at(event, message, *take_out(self.lines, self.span(event).line - 1, mark))
        tag = getattr(event, "tag", None)
        if tag is not None:
            name, line = tag.replace("tag:yaml.org,2002:", "!!"), self.span(event).line - 1
            message = (
                f"{name} is read as a tag, not as text: a text that starts with ! needs quotes"
            )
            self.report_at(event, message, *quote_value(self.lines[line], line))

    def take_scalar(self, event: yaml.ScalarEvent) -> None:
        """A word, number or text: a key, or a value."""
        self.check_plain(event)
        if self.frames and self.frames[-1].wants_key:
            self.take_key(self.frames[-1], event)
        else:
            self.place_value(event.value if event.style else scalar(event.value), event)

    def take_key(self, frame: _Frame, event: yaml.ScalarEvent) -> None:
        """A key keeps its text, whatever it would be as a value."""
        key: str = event.value
        if "\n" in key:
            self.report_at(event, "a key has to be on one line, without a line break in its quotes")
            key = " ".join(key.split())
        frame.key = key
        if key == "<<" and not event.style:
            self.report_at(event, "<< would merge keys from elsewhere: write the keys themselves")
        elif key == "" and not event.style:
            self.report_at(event, "a key is missing before the colon")
        elif key in frame.seen:
            first, second = frame.seen[key], self.span(event).line
            edits = () if frame.path in _NAMES else move_section(self.lines, first - 1, second - 1)
            advice = "put these lines under that one" if edits else "remove one of the two"
            if frame.path in _NAMES:
                advice = "give one of them another name, or remove it"
            self.report_at(
                event, f"`{key}` is a duplicate key; the first is at line {first}: {advice}", *edits
            )
            return
        span = self.span(event)
        frame.seen[key] = span.line
        self.key_places[(*frame.path, key)] = span

    def open(self, event: yaml.CollectionStartEvent, value: dict[str, Value] | list[Value]) -> None:
        """A mapping or a list begins."""
        self.check_plain(event)
        if len(self.frames) >= MAX_DEPTH:
            self.report_at(event, f"nested more than {MAX_DEPTH} levels deep")
            raise _Stop
        path: Path = ()
        if self.frames:
            frame = self.frames[-1]
            if frame.wants_key:
                self.report_at(
                    event, "a key is a word, not a list or a mapping; text with { or [ needs quotes"
                )
                raise _Stop
            path = self.next_path(frame)
        span = self.span(event)
        self.frames.append(_Frame(value, path, (span.line - 1, span.column - 1)))

    def close(self, event: yaml.CollectionEndEvent) -> None:
        """A mapping or a list ends, and is a value where it began."""
        frame = self.frames.pop()
        self.places[frame.path] = self.span(event, *frame.start)
        self.attach(frame.value)

    def place_value(self, value: Value, event: yaml.Event) -> None:
        """A value without parts: note where it stands."""
        if self.frames and self.frames[-1].wants_key:
            self.frames[-1].key = ""  # an alias where a key is wanted; reported
            return
        self.places[self.next_path(self.frames[-1]) if self.frames else ()] = self.span(event)
        self.attach(value)

    def next_path(self, frame: _Frame) -> Path:
        """The path of the value that comes next in a mapping or list."""
        return (*frame.path, len(frame.value) if isinstance(frame.value, list) else frame.key or "")

    def attach(self, value: Value) -> None:
        """Put a finished value where it belongs."""
        if not self.frames:
            self.value = value
            return
        frame = self.frames[-1]
        if isinstance(frame.value, list):
            frame.value.append(value)
        else:
            frame.value.setdefault(frame.key or "", value)
            frame.key = None

    def span(self, event: yaml.Event, line: int = -1, column: int = 0) -> Span:
        """The columns of an event's text on its first line, or from an earlier place to its end."""
        start, end = event.start_mark, event.end_mark
        if start is None or end is None:
            return Span(1)
        if line < 0:
            line, column = start.line, start.column
        if end.line == line:
            return Span(line + 1, column + 1, max(end.column, column) + 1)
        text = self.lines[line] if line < len(self.lines) else ""
        return Span(line + 1, column + 1, max(len(text.rstrip()), column) + 1)

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
