"""Which logs are in canonical form, and where others are not."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterator
from typing import IO, Any, cast

from meldref.core.diagnostics import Finding, Span
from meldref.core.events import Line
from meldref.notation.hopeful import Hopeful
from meldref.notation.reader import has_event, read_lines
from meldref.notation.scanner import decode
from meldref.notation.writer import sifted, write_line
from meldref.report.examined import Examined


class Source:
    """The bytes of a log as they are read, watched for its byte order mark and its line ends.

    `odd_end` is the first line that ends in another way than the canonical form, 0 if there is
    none.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self.mark = False
        self.odd_end = 0
        self.whole = True
        self._stream = stream
        self._begun = False
        self._line = 1

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes."""
        chunk = self._stream.read(size)
        if not self._begun:
            self._begun, self.mark = True, chunk.startswith(BOM_UTF8)
        if not self.odd_end:
            at = chunk.find(b"\r")
            self._line += chunk.count(b"\n", 0, None if at < 0 else at)
            self.odd_end = self._line if at >= 0 else 0
        if chunk:
            self.whole = chunk.endswith(b"\n")
        return chunk


class Form:
    """What comes out as a log is brought into canonical form, a line at a time.

    `first` is where it is not canonical, at its first such line. Of what cannot be read, the first
    `most` findings are kept, and the `hidden` ones counted; `says_anything`: whether any line can
    be read; `gave_up`: after how many lines the rest was not tried, where none could be.
    """

    def __init__(self, path: str, most: int) -> None:
        self.path = path
        self.first: Finding | None = None
        self.findings: list[Finding] = []
        self.hidden = 0
        self.says_anything = False
        self.gave_up = 0
        self._most = most
        self._last = Line(0, "", None)

    def steps(self, source: Source) -> Iterator[tuple[str, str | None]]:
        """Each line of the log and what comes of it, which may be nothing.

        Up to a line that cannot be read.
        """
        opening = ""
        for line, stays in sifted(self._readable(source)):
            after = write_line(line) if stays else None
            if line.number == 1:
                opening = line.text
            if self.first is None and (after != line.text or line.number == source.odd_end):
                self.first = self._odd(line, after)
            yield line.text, after
        last = self._last
        if self.first is not None:
            return
        if last.number and not source.whole:
            self.first = self._finding(last, "the last line does not end in a newline")
        elif source.mark:
            message = "the file begins with a byte order mark"
            self.first = Finding("fmt", message, Span(1, 1, 2), file=self.path, excerpt=opening)

    def _readable(self, source: Source) -> Iterator[Line]:
        hopeful = Hopeful(read_lines(decode(cast("Any", source))), has_event)
        for line, findings in hopeful:
            self._last = line
            self.says_anything = self.says_anything or line.event is not None
            shown = findings[: max(0, self._most - len(self.findings))]
            self.findings += shown
            self.hidden += len(findings) - len(shown)
            if not self.findings:
                yield line
        self.gave_up = hopeful.gave_up

    def _odd(self, line: Line, after: str | None) -> Finding:
        """What is not canonical in a line."""
        if line.text == after:
            return self._finding(line, "the line ending is not that of the canonical form")
        if after:
            return self._finding(line, f"the canonical form is `{after}`")
        # Of several, the first may stand: the one that has been read since is the superfluous one.
        return self._finding(line if line.text else self._last, "extra blank line")

    def _finding(self, line: Line, message: str) -> Finding:
        text = line.text
        return Finding(
            "fmt", message, Span(line.number, 1, len(text) + 1), file=self.path, excerpt=text
        )


def examined_form(form: Form) -> Examined:
    """A log, with a finding at its first line that is not canonical, or that cannot be read."""
    if form.findings:
        return Examined(form.path, form.findings, hidden=form.hidden, usable=False)
    return Examined(form.path, () if form.first is None else (form.first,))


def unreadable_form(path: str, why: str) -> Examined:
    """A log that cannot be opened."""
    return Examined(path, (Finding("log.syntax", why, Span(1), file=path),), usable=False)
