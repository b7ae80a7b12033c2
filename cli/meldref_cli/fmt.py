"""`meldref fmt`: the canonical form of logs."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from typing import Final

from meldref.core.diagnostics import ENOUGH, FEW, MOST
from meldref.core.text import many, name_of_file
from meldref.report.examined import Examined
from meldref.report.form import Form, Source, examined_form, unreadable_form
from meldref.report.json import Data, finding_data
from meldref.report.patch import only_ends, patch_lines
from meldref_cli import options, output
from meldref_cli.errors import CLEAN, Unusable
from meldref_cli.files import STANDARD_INPUT, expand_all, opened
from meldref_cli.findings import LOG, tell_of_lines
from meldref_cli.reports import Subject, report_on
from meldref_cli.writing import spooled, write_file


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
    text = format_ is options.ReportFormat.TEXT
    if not text and (not check or diff):
        raise Unusable(f"--format {format_.value}: it is for --check, without --diff")
    said = {"clean": "in canonical form", **({} if check or diff else {"wrong": "formatted"})}
    subject = _Logs(check=check, diff=diff, quiet=quiet)
    report = report_on(subject, format_)
    paths, troubles = expand_all(logs, (".rgn",))
    for trouble in troubles:
        report.trouble(trouble)
    for path in paths:
        try:
            one = examined_form(_one(path, check=check, diff=diff, text=text, quiet=quiet))
        except Unusable as reason:
            output.error(str(reason))
            one = unreadable_form(path, str(reason).removeprefix(name_of_file(f"{path}: ")))
        report.add(one)
        if text and verbose and path != STANDARD_INPUT and one.state in said:
            output.notice(f"{path}: {said[one.state]}")
    if text and not quiet and logs != [STANDARD_INPUT]:
        output.notice(subject.sentence())
    return report.end(exit_zero=exit_zero)


class _Logs(Subject[Examined]):
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

    def add(self, one: Examined) -> None:
        self._counts[one.state] += 1

    def status(self, one: Examined) -> int:
        return CLEAN if one.state == "wrong" and not self._stays else super().status(one)

    def text(self, one: Examined) -> Iterator[str]:
        if self._listed and one.state == "wrong":
            yield f"{name_of_file(one.path)}: to be formatted"

    def data(self, one: Examined) -> Data:
        findings = [finding_data(finding, one.path) for finding in one.findings]
        return {"path": one.path, "verdict": self.words[one.state], "findings": findings}

    def examined(self, one: Examined) -> Examined:
        return one

    def sentence(self) -> str:
        """What became of the logs, for people."""
        parts = [f"{many(self._counts['wrong'], 'log')} {'would be formatted' if self._stays else 'formatted'}"]
        if unchanged := self._counts["clean"]:
            parts.append(f"{unchanged:,} in canonical form")
        if unusable := self._counts["unusable"]:
            parts.append(f"{unusable:,} unreadable, left as {'it is' if unusable == 1 else 'they are'}")
        return ", ".join(parts)

    def summary(self) -> str:
        parts = [f"{self._counts[state]:,} {word}" for state, word in self.words.items() if self._counts[state]]
        return f"{many(self._counts.total(), 'log')}: {', '.join(parts) or 'none'}"

    def totals(self) -> dict[str, Data]:
        counts = {word.replace(" ", "_"): self._counts[state] for state, word in self.words.items()}
        return {"logs": self._counts.total(), **counts}


def _one(path: str, *, check: bool, diff: bool, text: bool, quiet: bool) -> Form:
    """Formats one log, or shows how, unless a line of it cannot be read, which is said where people are told."""
    form = Form(path, ENOUGH if text else MOST)
    standard = path == STANDARD_INPUT
    with spooled(_texts(form, check=check, diff=diff)) as texts:
        if form.findings:
            if text:
                _say(form, to_errors=standard or diff, quiet=quiet)
        elif diff:
            output.write_all(line.removesuffix("\n") for line in texts)
        elif standard and not check:
            sys.stdout.writelines(texts)
        elif form.first is not None and not check:
            write_file(path, texts)
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
    tell_of_lines(form.path, findings, hidden, form.gave_up, to_errors=to_errors, quiet=quiet, kind=kind)
