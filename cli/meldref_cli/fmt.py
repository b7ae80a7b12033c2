"""`meldref fmt`: the canonical form of logs."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Final

import typer

from meldref.core.diagnostics import ENOUGH, FEW, MOST
from meldref.core.text import many, name_of_file
from meldref.report.examined import Examined
from meldref.report.form import Form, Source, examined_form, unreadable_form
from meldref.report.json import Data, finding_data
from meldref.report.patch import only_ends, patch_lines
from meldref_cli import options, output
from meldref_cli.errors import CLEAN, Unusable, status
from meldref_cli.files import STANDARD_INPUT, expand_all, opened
from meldref_cli.findings import LOG, tell_of_lines
from meldref_cli.foreign import refuse_foreign
from meldref_cli.reports import Subject, report_on
from meldref_cli.writing import seen, spooled, write_file

_Logs = Annotated[
    list[str],
    typer.Argument(
        metavar="LOG...", help="Logs; folders, for all *.rgn below them; - for standard input."
    ),
]
_Check = Annotated[
    bool, typer.Option("--check", help="Write nothing; list the files that would change.")
]
_Diff = Annotated[bool, typer.Option("--diff", help="Write nothing; show what would change.")]
_Format = Annotated[
    options.ReportFormat, typer.Option("--format", help="The format of the --check report.")
]
_Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Say what happened to each log.")]

_Fix = Annotated[
    bool, typer.Option("--fix", help="Repair what was written wrongly, and nothing else.")
]


def fmt(
    logs: _Logs,
    check: _Check = False,
    diff: _Diff = False,
    fix: _Fix = False,
    format_: _Format = options.ReportFormat.TEXT,
    quiet: options.Quiet = False,
    verbose: _Verbose = False,
    exit_zero: options.ExitZero = False,
) -> int:
    """Rewrites logs in canonical form, in place; standard input goes to standard output.

    A log with unreadable lines is left as it is. Comments, notes and assertions are kept.

    With --fix, logs are audited, and mistakes in writing are repaired where there is no doubt what
    was meant (the next best explanation is less likely by half a finding); otherwise a comment
    asks. Each repair is shown.

    Exit status: 0 done, 1 files to change (with --check or --diff), 2 a log that cannot be read.

    Examples:
      meldref fmt friday.rgn
      meldref fmt --check logs
      meldref fmt --fix --diff friday.rgn
    """
    text = format_ is options.ReportFormat.TEXT
    if fix:
        from meldref_cli.log_fixing import fix_logs

        if check or not text:
            raise Unusable("--fix: it is for neither --check nor --format")
        return status(fix_logs(logs, diff=diff, quiet=quiet), exit_zero=exit_zero)
    if not text and (not check or diff):
        raise Unusable(f"--format {format_.value}: it is for --check, without --diff")
    words = {"clean": "in canonical form", **({} if check or diff else {"wrong": "formatted"})}
    subject = _LogReport(check=check, diff=diff, quiet=quiet)
    report = report_on(subject, format_)
    paths, troubles = expand_all(logs, (".rgn",))
    for trouble in troubles:
        report.trouble(trouble)
    for path in paths:
        try:
            examined = examined_form(_one(path, check=check, diff=diff, text=text, quiet=quiet))
        except Unusable as reason:
            output.error(str(reason))
            examined = unreadable_form(path, str(reason).removeprefix(name_of_file(f"{path}: ")))
        report.add(examined)
        if text and verbose and path != STANDARD_INPUT and examined.state in words:
            output.notice(f"{path}: {words[examined.state]}")
    if text and not quiet and logs != [STANDARD_INPUT]:
        output.notice(subject.sentence())
    return report.end(exit_zero=exit_zero)


class _LogReport(Subject[Examined]):
    """Logs in canonical form or not, as they are reported on."""

    command = "meldref fmt --check"
    noun = "line"
    opening = '{"logs": ['
    words: Final = {"clean": "canonical", "wrong": "to be formatted", "unusable": "unreadable"}

    def __init__(self, *, check: bool, diff: bool, quiet: bool) -> None:
        super().__init__(quiet=quiet)
        self._counts = Counter[str]()
        self._stays = check or diff
        self._listed = check and not diff and not quiet

    def add(self, examined: Examined) -> None:
        self._counts[examined.state] += 1

    def status(self, examined: Examined) -> int:
        return CLEAN if examined.state == "wrong" and not self._stays else super().status(examined)

    def text(self, examined: Examined) -> Iterator[str]:
        if self._listed and examined.state == "wrong":
            yield f"{name_of_file(examined.path)}: needs formatting"

    def data(self, examined: Examined) -> Data:
        findings = [finding_data(finding, examined.path) for finding in examined.findings]
        return {"path": examined.path, "verdict": self.words[examined.state], "findings": findings}

    def examined(self, examined: Examined) -> Examined:
        return examined

    def sentence(self) -> str:
        """What became of the logs, for people."""
        done = "would be formatted" if self._stays else "formatted"
        parts = [f"{many(self._counts['wrong'], 'log')} {done}"]
        if unchanged := self._counts["clean"]:
            parts.append(f"{unchanged:,} in canonical form")
        if unusable := self._counts["unusable"]:
            left = "it is" if unusable == 1 else "they are"
            parts.append(f"{unusable:,} unreadable, left as {left}")
        return ", ".join(parts)

    def summary(self) -> str:
        parts = [
            f"{self._counts[state]:,} {word}"
            for state, word in self.words.items()
            if self._counts[state]
        ]
        return f"{many(self._counts.total(), 'log')}: {', '.join(parts) or 'none'}"

    def totals(self) -> dict[str, Data]:
        counts = {word.replace(" ", "_"): self._counts[state] for state, word in self.words.items()}
        return {"logs": self._counts.total(), **counts}


def _one(path: str, *, check: bool, diff: bool, text: bool, quiet: bool) -> Form:
    """Formats a log, or shows how, unless a line of it cannot be read, which is reported."""
    refuse_foreign(path)
    form = Form(path, ENOUGH if text else MOST)
    standard = path == STANDARD_INPUT
    before = seen(path)
    with spooled(_texts(form, check=check, diff=diff)) as texts:
        if form.findings:
            if text:
                _say(form, to_errors=standard or diff, quiet=quiet)
        elif diff:
            output.write_all(line.removesuffix("\n") for line in texts)
        elif standard and not check:
            sys.stdout.writelines(texts)
        elif form.first is not None and not check:
            write_file(path, texts, before)
    return form


def _texts(form: Form, *, check: bool, diff: bool) -> Iterator[str]:
    """What comes of a log: a patch, nothing, or the log in canonical form."""
    with opened(form.path) as stream:
        steps = form.steps(Source(stream))
        if diff:
            shown = False
            for line in patch_lines(form.path, steps, "formatted"):
                shown = True
                yield line + "\n"
            if form.first is not None and not shown:
                yield only_ends(form.path) + "\n"
            return
        for _, after in steps:
            if after is not None and not check:
                yield after + "\n"


def _say(form: Form, *, to_errors: bool, quiet: bool) -> None:
    """The lines that cannot be read; of a file that is no log, the first of them."""
    shown, kind = (ENOUGH, "") if form.says_anything else (FEW, LOG)
    findings, hidden = form.findings[:shown], form.hidden + len(form.findings[shown:])
    tell_of_lines(
        form.path, findings, hidden, form.gave_up, to_errors=to_errors, quiet=quiet, kind=kind
    )
