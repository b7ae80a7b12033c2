"""Strict YAML with places: rulesets, positions and case files are read through it.

What can be written is the core of YAML 1.2, less what a reader could stumble over: no anchors, aliases, tags,
merge keys or second documents, no key twice. `no`, `off` and `012` are text. JSON is read by the same door.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

import yaml

from meldref.diagnostics import Finding, Severity, Span
from meldref.records import fresh, hidden, record

Value: TypeAlias = "dict[str, Value] | list[Value] | str | int | float | bool | None"
Path: TypeAlias = tuple[str | int, ...]

MAX_BYTES: Final = 1 << 20
MAX_DEPTH: Final = 32
MAX_FINDINGS: Final = 100

_INT: Final = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,299})\Z")
_FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_WORDS: Final[Mapping[str, bool | None]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_NOT_TEXT: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")

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
        """Where the value at a path stands, or the nearest part around it that is there."""
        return _nearest(self.places, path)

    def key_place(self, path: Path) -> Span:
        """Where the key that ends a path is written; for an item of a list, where the item stands."""
        return self.key_places.get(path) or self.place(path)

    def excerpt(self, line: int) -> str:
        """The text of a line, counted from 1; empty where there is none."""
        return self.lines[line - 1] if 0 < line <= len(self.lines) else ""

    def finding(
        self,
        code: str,
        message: str,
        path: Path,
        *,
        at_key: bool = False,
        severity: Severity = Severity.ERROR,
        notes: tuple[str, ...] = (),
    ) -> Finding:
        """A finding about the value, or the key, at a path of this file."""
        span = self.key_place(path) if at_key else self.place(path)
        return Finding(code, message, span, severity, self.file, self.excerpt(span.line), notes=notes)


def read_yaml(
    text: str | bytes, file: str, code: str = "rules.yaml"
) -> tuple[Document | None, tuple[Finding, ...]]:
    """Read one YAML or JSON file strictly.

    Args:
        text: the file's content.
        file: its name as messages show it.
        code: the code of the findings.

    Returns:
        The document, or None where it has errors, and the findings, each at its line and column.
    """
    document, findings = read_in_part(text, file, code)
    return (None if findings else document), findings


def read_in_part(
    text: str | bytes, file: str, code: str = "rules.yaml"
) -> tuple[Document | None, tuple[Finding, ...]]:
    """Read as `read_yaml` does, but keep a document with errors that leave the rest of it readable."""
    if isinstance(text, bytes):
        if len(text) > MAX_BYTES:
            return None, (_too_big(file, code),)
        try:
            decoded = text.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            return None, (_not_utf8(text, error.start, file, code),)
        text = decoded
    text = text.removeprefix("\ufeff")
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "replace")) > MAX_BYTES:
        return None, (_too_big(file, code),)
    reader = _Reader(text, file, code)
    if not reader.has_only_text() or not reader.compose():
        return None, tuple(reader.findings)
    document = Document(file, reader.value, reader.lines, reader.places, reader.key_places)
    return document, tuple(reader.findings)


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

    def report(self, message: str, line: int, column: int, end: int | None = None, *notes: str) -> None:
        """Note a finding; line and columns count from 0 here, as the parser does, the end exclusive."""
        if len(self.findings) >= MAX_FINDINGS:
            raise _Stop
        line = min(line, len(self.lines) - 1)
        span = Span(line + 1, column + 1, max(end or 0, column + 1) + 1)
        self.findings.append(
            Finding(self.code, message, span, file=self.file, excerpt=self.lines[line], notes=notes)
        )

    def has_only_text(self) -> bool:
        """Whether the file holds text and nothing else."""
        odd = _NOT_TEXT.search(self.text)
        if odd is None:
            return True
        before = _LINE_END.split(self.text[: odd.start()])
        message = f"a character that is no text (U+{ord(odd.group()):04X}); is this a YAML file?"
        self.report(message, len(before) - 1, len(before[-1]))
        return False

    def compose(self) -> bool:
        """Read the text into `value`; whether its end was reached."""
        try:
            for event in yaml.parse(self.text, Loader=_LOADER):
                self.take(event)
            if self.documents == 0 or (self.value is None and not self.findings):
                self.report("the file is empty", 0, 0)
                return False
        except _Stop:
            return False
        except yaml.MarkedYAMLError as error:
            self.report_syntax(error)
            return False
        except yaml.YAMLError as error:
            self.findings.append(Finding(self.code, f"this is no YAML: {error}", Span(1), file=self.file))
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
            self.report_at(event, "an alias (*) cannot stand here: write the value out, or quote the text")
            self.place_value(None, event)
        elif isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                self.report_at(event, "a second document (---): one file holds one")
                raise _Stop

    def report_at(self, event: yaml.Event, message: str) -> None:
        """Note a finding about what an event stands for."""
        span = self.span(event)
        self.report(message, span.line - 1, span.column - 1, span.end_column - 1)

    def check_plain(self, event: yaml.NodeEvent) -> None:
        """Anchors and tags have no place here."""
        if event.anchor is not None:
            self.report_at(
                event, f"an anchor (&{event.anchor}) cannot stand here: write the value where it is used"
            )
        if getattr(event, "tag", None) is not None:
            self.report_at(event, "a tag (!) cannot stand here: quote the text if it belongs to it")

    def take_scalar(self, event: yaml.ScalarEvent) -> None:
        """A word, number or text: a key, or a value."""
        self.check_plain(event)
        frame = self.frames[-1] if self.frames else None
        if frame is not None and isinstance(frame.value, dict) and frame.key is None:
            self.take_key(frame, event)
            return
        plain = event.style is None or event.style == ""
        self.place_value(scalar(event.value) if plain else event.value, event)

    def take_key(self, frame: _Frame, event: yaml.ScalarEvent) -> None:
        """A key keeps its text, whatever it would be as a value."""
        key: str = event.value
        frame.key = key
        if key == "<<" and not event.style:
            self.report_at(event, "a merge key (<<) cannot stand here: write the keys out")
        elif key == "" and not event.style:
            self.report_at(event, "a key is missing before the colon")
        elif key in frame.seen:
            self.report_at(event, f"`{key}` stands here twice; it is also at line {frame.seen[key]}")
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
            if isinstance(frame.value, dict) and frame.key is None:
                self.report_at(event, "a key is a word, not a list or a mapping; a text with { or [ needs quotes")
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
        frame = self.frames[-1] if self.frames else None
        if frame is not None and isinstance(frame.value, dict) and frame.key is None:
            frame.key = ""  # an alias where a key is wanted; reported
            return
        self.places[self.next_path(frame) if frame else ()] = self.span(event)
        self.attach(value)

    def next_path(self, frame: _Frame) -> Path:
        """The path of the value that comes next in a mapping or list."""
        if isinstance(frame.value, list):
            return (*frame.path, len(frame.value))
        return (*frame.path, frame.key or "")

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
        """Where an event's text stands, on its first line; or from an earlier place to the event's end."""
        start, end = event.start_mark, event.end_mark
        if start is None or end is None:
            return Span(1)
        if line < 0:
            line, column = start.line, start.column
        if end.line == line:
            return Span(line + 1, column + 1, max(end.column, column) + 1)
        text = self.lines[line] if line < len(self.lines) else ""
        return Span(line + 1, column + 1, max(len(text.rstrip()), column) + 1)

    def report_syntax(self, error: yaml.MarkedYAMLError) -> None:
        """Say what the parser stumbled over, at the line that has to be mended."""
        line, column = self.position(error.problem_mark or error.context_mark)
        start = self.position(error.context_mark)
        problem, context = error.problem or "it cannot be read", error.context or ""
        text = self.lines[line]
        if text[column : column + 1] == "\t" or text[: column + 1].strip(" ").startswith("\t"):
            self.report("a tab: YAML is indented with spaces", line, text.find("\t"))
        elif "could not find expected ':'" in problem:
            self.report("a colon is missing after the key", *start)
        elif "mapping values are not allowed" in problem:
            self.report_stray_colon(line, column)
        elif "cannot start any token" in problem:
            self.report(f"a text that starts with {text[column : column + 1]} needs quotes", line, column)
        elif "end of stream" in problem:
            self.report("a quotation mark that is not closed", *start)
        elif "flow sequence" in context or "flow mapping" in context:
            opening, closing = "[]" if "sequence" in context else "{}"
            message = f"{opening} without its {closing}, or a comma is missing"
            self.report(message, *start, None, f"it goes wrong at line {line + 1}")
        elif any(word in problem or word in context for word in ("anchor", "alias", "tag")):
            message = "anchors (&), aliases (*) and tags (!) cannot stand here; a text with them needs quotes"
            self.report(message, line, column)
        elif "expected" in problem:
            message = "this line fits nothing above it: look at the indentation, and at colons and brackets"
            self.report(message, line, column, None, f"the YAML parser says: {problem}")
        else:
            self.report(f"this is no YAML: {problem}", line, column)

    def position(self, mark: yaml.Mark | None) -> tuple[int, int]:
        """Line and column of a mark, from 0; the end of the text for a mark behind it."""
        if mark is None:
            return 0, 0
        if mark.line >= len(self.lines):
            return len(self.lines) - 1, len(self.lines[-1])
        return mark.line, mark.column

    def report_stray_colon(self, line: int, column: int) -> None:
        """A colon where no key can be: the line before may lack one, or the text wants quotes."""
        above = line - 1
        while above >= 0 and not self.lines[above].split("#")[0].strip():
            above -= 1
        before = self.lines[above] if above >= 0 else ""
        if ":" in self.lines[line][:column]:
            self.report("a second colon in the line: a text with a colon needs quotes", line, column)
        elif above >= 0 and ":" not in before and not before.lstrip().startswith("-"):
            indent = len(before) - len(before.lstrip())
            self.report("a colon is missing after the key", above, indent, len(before.rstrip()))
        else:
            self.report("this key is indented further than the line above allows", line, column)


def _nearest(places: Mapping[Path, Span], path: Sequence[str | int]) -> Span:
    """The place of a path or of the nearest part around it."""
    key = tuple(path)
    while key not in places:
        if not key:
            return Span(1)
        key = key[:-1]
    return places[key]


def _too_big(file: str, code: str) -> Finding:
    return Finding(code, "the file is larger than 1 MiB", Span(1), file=file)


def _not_utf8(data: bytes, at: int, file: str, code: str) -> Finding:
    """The first byte that is not UTF-8."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return Finding(code, "the file is UTF-16; save it as UTF-8", Span(1), file=file)
    lines = _LINE_END.split(data[:at].decode("utf-8-sig", "replace"))
    rest = _LINE_END.split(data[at : at + 200].decode("utf-8", "replace"))[0]
    message = f"byte 0x{data[at]:02X} is not UTF-8; save the file as UTF-8"
    column = len(lines[-1]) + 1
    return Finding(code, message, Span(len(lines), column, column + 1), file=file, excerpt=lines[-1] + rest)
