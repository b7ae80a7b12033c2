"""`meldref rules check`: is a rules file well-formed, and does it make sense."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from meldref.core.diagnostics import errors_in
from meldref.core.text import many
from meldref.report.examined import Examined
from meldref.report.json import Data, finding_data
from meldref.rulefiles.files import Found, find, is_path, missing
from meldref_authoring.report.checked import Checked, checked_data, checked_text, counted
from meldref_cli import completing, options, output
from meldref_cli.errors import CLEAN, WRONG, Unusable
from meldref_cli.files import STANDARD_INPUT, is_file, is_folder, read_document
from meldref_cli.findings import CASES, RULES, say_what_it_is, tell
from meldref_cli.reports import Subject, report_on, status_of
from meldref_cli.ruleset_args import (
    DEFAULT,
    SHOWN_INPUT,
    RulesetRequest,
    asked,
    from_input,
    with_hint,
)
from meldref_cli.writing import seen, write_file

_Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE...",
        autocompletion=completing.rules_files,
        help="Rules files, of games or options; ids of shipped ones; - for standard input.",
    ),
]
_Rules = Annotated[
    str | None,
    typer.Option(
        "--rules",
        metavar="ID|FILE",
        autocompletion=completing.rulesets,
        help="The game to check an option with.",
    ),
]
_Fix = Annotated[
    bool,
    typer.Option("--fix", help="Fix what can be fixed safely, and list the fixes."),
]
_Diff = Annotated[bool, typer.Option("--diff", help="Write nothing; show what --fix would change.")]


def check_rules(
    files: _Files,
    rules: _Rules = None,
    with_: options.With = None,
    set_: options.Set = None,
    fix: _Fix = False,
    diff: _Diff = False,
    format_: options.ReportFormatOption = options.ReportFormat.TEXT,
    quiet: options.Quiet = False,
    exit_zero: options.ExitZero = False,
) -> int:
    """Checks rules files and everything they build on: keys, values, and whether they go together.

    A file with an error cannot be used for a game. A warning means that something
    has no effect or is stated twice. --fix changes only what is wrong, and keeps comments; standard
    input goes to standard output.

    Exit status: 0 no errors; 1 errors, or with --diff anything to fix; 2 a file that cannot be
    read.

    Examples:
      meldref rules check house.yaml
      meldref rules check house.yaml --diff
    """
    from meldref.report.patch import patch_text

    if fix and not diff and STANDARD_INPUT in files and format_ is not options.ReportFormat.TEXT:
        raise Unusable(
            "--fix - writes the rules to standard output: the findings beside them can only be text"
        )
    files = list(dict.fromkeys(files))
    wanted = asked(rules, with_, set_, read=[("FILE", file) for file in files])
    subject = _RulesFiles(quiet=quiet, to_errors=fix)
    report = report_on(subject, options.ReportFormat.TEXT if diff else format_)
    for file in files:
        try:
            before = seen(file)
            checked = _check(file, wanted, fix=fix or diff)
            if fix and not diff and file == STANDARD_INPUT:
                sys.stdout.flush()
                sys.stdout.buffer.write(checked.after.encode(errors="surrogateescape"))
            elif fix and not diff and checked.before != checked.after:
                write_file(file, (checked.after,), before)
        except Unusable as reason:
            for message in reason.args:
                report.trouble(message)
            continue
        if diff:
            outcome = WRONG if checked.changes else CLEAN
            report.worst = max(report.worst, outcome, status_of(checked.examined, strict=False))
            tell(
                errors_in(checked.findings), file, to_errors=True
            )  # a patch says nothing of what stays
            output.write_all(patch_text(checked.file, checked.before, checked.after, "fixed"))
        else:
            report.add(checked)
        if checked.examined.errors and not quiet:
            say_what_it_is(file, RULES, CASES)
    return report.end(exit_zero=exit_zero)


class _RulesFiles(Subject[Checked]):
    """Rules files, as they are reported on.

    `to_errors`: text about standard input goes to standard error.
    """

    command = "meldref rules check"
    noun = "error"
    opening = '{"files": ['

    def __init__(self, *, quiet: bool, to_errors: bool) -> None:
        super().__init__(quiet=quiet)
        self._to_errors = to_errors
        self._files = self._errors = self._warnings = 0
        self._unusable: list[str] = []
        self._unreadable = 0

    def add(self, checked: Checked) -> None:
        self._files += 1
        self._errors += checked.examined.errors
        self._warnings += checked.examined.warnings
        if not checked.readable:
            self._unreadable += 1
            self._unusable += [f"{checked.file}: {finding.message}" for finding in checked.findings]

    def trouble(self, message: str) -> None:
        self._files += 1
        self._unreadable += 1
        self._unusable.append(message)

    def text(self, checked: Checked) -> Iterator[str]:
        standard = checked.file == STANDARD_INPUT
        style = output.style_for(sys.stderr if standard and self._to_errors else sys.stdout)
        name = SHOWN_INPUT if standard else checked.file
        for text in checked_text(checked, name, style=style, quiet=self.quiet):
            if standard and self._to_errors:
                output.notice(text)
            else:
                yield text

    def data(self, checked: Checked) -> Data:
        return checked_data(checked)

    def rows(self, checked: Checked) -> Iterator[Data]:
        return ({"path": checked.file, **finding_data(finding)} for finding in checked.findings)

    def examined(self, checked: Checked) -> Examined:
        return checked.examined

    def summary(self) -> str:
        parts = counted(self._errors, self._warnings)
        parts += [f"{self._unreadable} unusable"] if self._unreadable else []
        return f"{many(self._files, 'file')}: {', '.join(parts) or 'ok'}"

    def totals(self) -> dict[str, Data]:
        counts = {"files": self._files, "errors": self._errors, "warnings": self._warnings}
        return {**counts, "unusable": self._unreadable}

    def rest(self) -> dict[str, Data]:
        return {"unusable": self._unusable} if self._unusable else {}


def _check(file: str, wanted: RulesetRequest, *, fix: bool) -> Checked:
    """All findings about one file; with `fix`, what is left of them after fixing."""
    from meldref.documents.reader import is_text
    from meldref_authoring.lint import Basis, review

    name, data = _found(file)
    basis = Basis(wanted.rules or DEFAULT, wanted.options, wanted.settings)
    findings = review(name, data, basis)
    if not is_text(data):
        text = data.decode(errors="surrogateescape")
        return Checked(file, findings, before=text, after=text, readable=False)
    if name.shipped or not any(finding.edits for finding in findings):
        text = data.decode(errors="surrogateescape")
        return Checked(file, findings, before=text, after=text)
    from meldref_authoring import autofix as fixing

    fixed = fixing.fix(data, lambda text: review(name, text, basis), name.shown)
    if fixed is None:
        return Checked(file, findings)
    if not fix:
        return Checked(file, findings, fixable=fixing.count_gone(findings, fixed.rest))
    return Checked(file, fixed.rest, fixed.changes, data.decode(), fixed.text)


def _found(file: str) -> tuple[Found, bytes]:
    """A file to check, and its content."""
    if file == STANDARD_INPUT:
        document = from_input()
        return document, document.text or b""
    if not is_path(file) and (shipped := find(file)) is not None:
        return shipped, shipped.path.read_bytes()
    if is_path(file) or is_file(file):
        return Found(Path(os.path.realpath(file)), file), read_document(file)
    if is_folder(file):
        raise Unusable(f"{file}: this is a folder: name the rules files in it")
    raise Unusable(with_hint(missing(file), file))
