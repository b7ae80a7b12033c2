"""`meldref convert`: logs as JSON Lines, and back."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from meldref.core.diagnostics import FEW
from meldref.core.text import in_words, many
from meldref_cli import options, output
from meldref_cli.errors import CLEAN, UNUSABLE, WRONG, Unusable, status
from meldref_cli.files import STANDARD_INPUT, is_there
from meldref_cli.findings import FirstFindings, tell_of_lines
from meldref_cli.foreign import Asked, NamedLog, named_log
from meldref_cli.options import LOG_ENDINGS, To
from meldref_cli.writing import check_may_write, deliver, deliver_data, say_what_leads_out, spooled

if TYPE_CHECKING:
    from meldref.notation.jsonlines.convert import Converted

_LOOKS_LIKE: Final = {
    "json": re.compile(r'\s*\{\s*"event"'),
    "rgn": re.compile(r"\s*(?:\[[A-Za-z]|#)"),
}
_ALREADY: Final = {
    "json": "JSON Lines already; --to rgn makes a log",
    "rgn": "a log in the notation already; --to json makes JSON Lines",
}
_HEADERS: Final = ('[Rules "', '[Options "', '{"event": "header"')
_MOST_NAMES: Final = 100
"""For how many names it is checked whether an audit will read them."""


_Log = Annotated[
    str | None,
    typer.Argument(metavar="LOG", help="A log, or JSON Lines; - for standard input."),
]
_To = Annotated[
    To | None,
    typer.Option("--to", help="The format to write; if left out, it follows from the file names."),
]
_Schema = Annotated[
    bool,
    typer.Option("--schema", help="Print the JSON Schema of a line instead of converting."),
]


def convert(
    log: _Log = None,
    to: _To = None,
    out: options.Output = None,
    force: options.Force = False,
    schema: _Schema = False,
    sheet: options.Sheet = None,
    map_: options.Map = None,
    quiet: options.Quiet = False,
    exit_zero: options.ExitZero = False,
) -> int:
    """Converts a log to JSON Lines, or JSON Lines to a log; nothing is lost.

    Unreadable lines of a log are kept as they are, and reported. In JSON Lines, every line has
    to be right; otherwise all mistakes are reported, and nothing is written.

    Exit status: 0 done, 1 done, with unreadable lines, 2 nothing written.

    Examples:
      meldref convert friday.rgn -o friday.jsonl
      meldref convert friday.rgn --to json
    """
    if schema:
        if log is not None:
            raise Unusable(f"--schema converts nothing: leave {log} out")
        return deliver_data("grammar/events.schema.json", out, force=force, quiet=quiet)
    if log is None:
        raise Unusable("give the log to convert, or --schema")
    check_may_write(out, force=force)
    foreign = Asked.of(sheet, None, map_)
    given = named_log(log, foreign, quiet=quiet, json_too=False)
    wanted = _wanted(given, to, out)
    named: dict[str, None] = {}
    result = _Result()
    with spooled(_noted(result.of(_converted(given, wanted, result)), named)) as texts:
        if wanted is To.JSON:
            result.shorten()
        _tell(log, result, quiet=quiet)
        if result.lost or result.gave_up:
            return UNUSABLE
        deliver(texts, out, quiet=True)
    if out is not None and not quiet:
        output.notice(f"{out}: {many(result.lines, 'line')}")
    say_what_leads_out(named, Path(out or "").parent, out, quiet=quiet)
    return status(WRONG if result.wrong else CLEAN, exit_zero=exit_zero)


def _noted(lines: Iterable[str], named: dict[str, None]) -> Iterator[str]:
    """The lines of a result, as they come.

    The rules that its headers name are added to `named`, up to a bound.
    """
    for line in lines:
        if line.startswith(_HEADERS) and len(named) < _MOST_NAMES:
            key, value = _header(line)
            if key == "Rules":
                named[value.strip()] = None
            elif key == "Options":
                named.update(dict.fromkeys(name.strip() for name in value.split(",")))
        yield line


def _header(line: str) -> tuple[str, str]:
    """The key and value of a header that was written, in either format."""
    if line.startswith("["):
        key, value = line.split('"')[:2]
        return key[1:].strip(), value
    data = json.loads(line)
    return data["key"], data["value"]


def _wanted(given: NamedLog, to: To | None, out: str | None) -> To:
    """The format to convert to: as given, or by the ending of the file read or written.

    What is neither a log nor JSON Lines becomes what the ending of the file written says.
    """
    if to is not None:
        return to
    log = given.path
    source = None if given.intake else LOG_ENDINGS.get(Path(log).suffix.lower())
    if source is None and log != STANDARD_INPUT and not is_there(log):
        raise Unusable(f"{log}: no such file")
    ending = Path(out or "").suffix.lower()
    form = LOG_ENDINGS.get(ending)
    if source is not None:
        form = To.RGN if source is To.JSON else To.JSON
    if form is None:
        raise Unusable(f"{log}: say what to convert it to, --to json or --to rgn")
    if ending not in {"", ".txt"} and LOG_ENDINGS.get(ending) is not form:
        what = "a log" if form is To.RGN else "JSON Lines"
        named = in_words([name for name, kind in LOG_ENDINGS.items() if kind is form], "or")
        raise Unusable(
            f"{out}: {log} becomes {what}, for a file that ends in {named}; --to overrides that"
        )
    return form


class _Result:
    """What was converted, and what was not.

    `gave_up`: after how many lines the rest was not tried.
    """

    def __init__(self) -> None:
        self.lines = self.wrong = self.lost = self.gave_up = 0
        self.findings = FirstFindings()

    def of(self, converted: Iterable[tuple[Converted, bool]]) -> Iterator[str]:
        """The lines of the result, each with its end; whether a line was lost comes with each."""
        for (text, findings), lost in converted:
            self.lines += 1
            if findings:
                self.wrong += 1
                self.lost += lost
                self.findings.add(findings)
            yield text + "\n"

    def shorten(self) -> None:
        """Of a log that hardly is one, a few findings are enough."""
        if self.wrong * 2 > self.lines:
            self.findings.shorten(FEW)


def _converted(given: NamedLog, to: To, result: _Result) -> Iterator[tuple[Converted, bool]]:
    """The lines of the result, and whether the line is lost where there are findings about it.

    Where the rest of them is not tried, `result` notes it.
    """
    from meldref.notation.hopeful import Hopeful
    from meldref.notation.jsonlines.convert import LONGEST_JSON, Converted, from_json, to_json
    from meldref.notation.reader import has_event, read_lines
    from meldref.notation.scanner import LONGEST, presentable

    log = given.path
    if given.intake is not None and to is To.RGN:
        yield from ((Converted(text, ()), False) for text in given.lines())
        return
    if to is To.RGN:
        objects = Hopeful(
            from_json(_first_seen(given.lines(LONGEST_JSON), log, to)),
            lambda line: bool(line.text) and not line.findings,
        )
        for line in objects:
            yield line, bool(line.findings)
        result.gave_up = objects.gave_up
        return
    unkept: set[int] = set()

    def watched() -> Iterator[str]:
        """The lines; those that no JSON can hold are noted: not text, or too long."""
        for number, text in enumerate(_first_seen(given.lines(), log, to), 1):
            if len(text) > LONGEST or presentable(text) != text:
                unkept.add(number)
            yield text

    reads = Hopeful(read_lines(watched()), has_event)
    for line in to_json(reads):
        number = line.findings[0].span.line if line.findings else 0
        yield line, number in unkept
        unkept.discard(number)
    result.gave_up = reads.gave_up


def _first_seen(lines: Iterator[str], log: str, to: To) -> Iterator[str]:
    """The lines, unless the first that is not blank shows that they are in the other format."""
    seen = False
    for line in lines:
        if not seen and line.strip():
            seen = True
            if _LOOKS_LIKE[to].match(line):
                raise Unusable(f"{log}: this is {_ALREADY[to]} of it")
        yield line


def _tell(log: str, result: _Result, *, quiet: bool) -> None:
    """What is wrong, and what became of it."""
    findings = result.findings
    tell_of_lines(log, findings, findings.hidden, result.gave_up, to_errors=True, quiet=quiet)
    if result.lost or result.gave_up:
        output.error(f"{log}: {many(result.wrong, 'line')} cannot be converted; nothing is written")
    elif result.wrong and not quiet:
        outcome = "is kept as it is" if result.wrong == 1 else "are kept as they are"
        output.notice(f"{log}: {many(result.wrong, 'line')} cannot be read, and {outcome}")
