"""`meldref fmt`: the canonical form of logs."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from meldref.core.text import many, name_of_file
from meldref.report.examined import Examined
from meldref.report.json import Data, finding_data, finding_rows
from meldref_cli import options, output
from meldref_cli.errors import CLEAN, UNUSABLE, WRONG, Unusable, status
from meldref_cli.files import STANDARD_INPUT, expand_all, opened
from meldref_cli.findings import LOG, tell_of_lines
from meldref_cli.reports import Subject, report_on
from meldref_cli.writing import spooled, write_file

if TYPE_CHECKING:
    from meldref.report.form import Form


def fmt(
    logs: list[str],
    check: bool = False,
    diff: bool = False,
    format_: options.ReportFormat = options.ReportFormat.TEXT,
    quiet: bool = False,
    verbose: bool = False,
    exit_zero: bool = False,
) -> int:
    """Rewrites logs in canonical form, in place; standard input goes to standard output."""
    if format_ is not options.ReportFormat.TEXT:
        if not check or diff:
            raise Unusable(f"--format {format_.value}: it is for --check, without --diff")
        return _report(logs, format_, quiet=quiet, exit_zero=exit_zero)
    worst, changed, unchanged, unusable = CLEAN, 0, 0, 0
    paths, troubles = expand_all(logs, (".rgn",))
    for trouble in troubles:
        output.error(trouble)
        worst = UNUSABLE
    for path in paths:
        try:
            differs = _one(path, check=check, diff=diff, quiet=quiet)
        except Unusable as reason:
            if str(reason):
                output.error(str(reason))
            worst = UNUSABLE
            unusable += 1
            continue
        if verbose and path != "-" and not (differs and (check or diff)):
            output.notice(f"{path}: {'formatted' if differs else 'in canonical form'}")
        changed += differs
        unchanged += not differs
        if differs and (check or diff):
            worst = max(worst, WRONG)
    if not quiet and logs != ["-"]:
        parts = [f"{many(changed, 'log')} {'would be formatted' if check or diff else 'formatted'}"]
        parts += [f"{unchanged:,} in canonical form"] if unchanged else []
        if unusable:
            parts.append(f"{unusable:,} unreadable, left as {'it is' if unusable == 1 else 'they are'}")
        output.notice(", ".join(parts))
    return status(worst, exit_zero=exit_zero)


def _report(logs: Sequence[str], format_: options.ReportFormat, *, quiet: bool, exit_zero: bool) -> int:
    """Reports which logs are not in canonical form; the exit status."""
    from meldref.report.form import examined_form, unreadable_form

    report = report_on(_Logs(), format_, quiet=quiet)
    paths, troubles = expand_all(logs, (".rgn",))
    for trouble in troubles:
        report.trouble(trouble)
    for path in paths:
        try:
            one = examined_form(_examine(path))
        except Unusable as reason:
            output.error(str(reason))
            one = unreadable_form(path, str(reason).removeprefix(name_of_file(f"{path}: ")))
        report.add(one)
    return report.end(exit_zero=exit_zero)


class _Logs(Subject[Examined]):
    """Logs in canonical form or not, as they are reported to other programs."""

    command = "meldref fmt --check"
    noun = "line"
    opening = '{"logs": ['
    words: Final = {"clean": "canonical", "wrong": "to be formatted", "unusable": "unreadable"}

    def __init__(self) -> None:
        self._counts = Counter[str]()

    def add(self, one: Examined) -> None:
        self._counts[self.words[one.state]] += 1

    def text(self, one: Examined) -> Iterator[str]:
        raise NotImplementedError

    def data(self, one: Examined) -> Data:
        findings = [finding_data(finding, one.path) for finding in one.findings]
        return {"path": one.path, "verdict": self.words[one.state], "findings": findings}

    def rows(self, one: Examined) -> Iterator[Data]:
        return finding_rows(one.path, one.findings)

    def examined(self, one: Examined) -> Examined:
        return one

    def summary(self) -> str:
        parts = [f"{self._counts[word]:,} {word}" for word in self.words.values() if self._counts[word]]
        return f"{many(self._counts.total(), 'log')}: {', '.join(parts) or 'none'}"

    def totals(self) -> dict[str, Data]:
        counts = {word.replace(" ", "_"): self._counts[word] for word in self.words.values()}
        return {"logs": self._counts.total(), **counts}


def _one(path: str, *, check: bool, diff: bool, quiet: bool) -> bool:
    """Formats one log; whether it was not in canonical form. Unreadable lines are `Unusable` without a message."""
    from meldref.archive.auditing import ENOUGH
    from meldref.report.form import Form

    form = Form(path, ENOUGH)
    standard = path == STANDARD_INPUT
    with spooled(_texts(form, check=check, diff=diff)) as texts:
        if form.findings:
            _say(form, to_errors=standard or diff, quiet=quiet)
            raise Unusable("")
        differs = form.first is not None
        if diff:
            output.write_all(line.removesuffix("\n") for line in texts)
        elif check:
            if differs and not quiet:
                output.write(f"{name_of_file(path)}: to be formatted")
        elif standard:
            sys.stdout.writelines(texts)
        elif differs:
            write_file(path, texts)
    return differs


def _texts(form: Form, *, check: bool, diff: bool) -> Iterator[str]:
    """What comes of a log: a patch, nothing, or the log in canonical form."""
    from meldref.report.form import Source
    from meldref.report.patch import only_ends, patch_lines

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


def _examine(path: str) -> Form:
    """Reads a log through, and writes nothing."""
    from meldref.archive.auditing import MOST
    from meldref.report.form import Form

    form = Form(path, MOST)
    for _ in _texts(form, check=True, diff=False):
        pass
    return form


def _say(form: Form, *, to_errors: bool, quiet: bool) -> None:
    """The lines that cannot be read; of a file that is no log, the first of them."""
    from meldref.archive.auditing import ENOUGH, FEW

    shown, kind = (ENOUGH, "") if form.says_anything else (FEW, LOG)
    findings, hidden = form.findings[:shown], form.hidden + len(form.findings[shown:])
    tell_of_lines(form.path, findings, hidden, form.gave_up, to_errors=to_errors, quiet=quiet, kind=kind)
