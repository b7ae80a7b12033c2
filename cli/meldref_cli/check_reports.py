"""What `rules check` found, in each format."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from meldref_cli import options, output
from meldref_cli.files import STANDARD_INPUT
from meldref_cli.rulings import SHOWN_INPUT

if TYPE_CHECKING:
    from meldref.authoring.mending import Change
    from meldref.report.json import Data
    from meldref_cli.checking import Checked
    from meldref_cli.machine_reports import MachineReport


def report_for(format_: options.ReportFormat, *, quiet: bool, to_errors: bool) -> CheckReport:
    """The report in a format; `to_errors`: text about standard input goes to standard error."""
    match format_:
        case options.ReportFormat.TEXT:
            return _Text(quiet=quiet, to_errors=to_errors)
        case options.ReportFormat.JSON:
            return _Json()
        case options.ReportFormat.JSONL:
            return _JsonLines()
    from meldref_cli.machine_reports import machine_report

    return _ForMachines(machine_report(format_, "meldref rules check", noun="error", quiet=quiet))


class CheckReport:
    """What was found in files, one after another, and the count of it."""

    def __init__(self) -> None:
        self.files = self.errors = self.warnings = self.unusable = 0

    def add(self, one: Checked) -> None:
        """One more file was checked."""
        self.files += 1
        self.unusable += not one.readable
        self.errors += one.errors
        self.warnings += len(one.findings) - one.errors

    def trouble(self, message: str) -> None:
        """A file that cannot be checked."""
        self.files += 1
        self.unusable += 1

    def end(self, status: int) -> None:
        """All files have been checked; the exit status."""


class _Text(CheckReport):
    """The report for people."""

    def __init__(self, *, quiet: bool, to_errors: bool) -> None:
        super().__init__()
        self._quiet = quiet
        self._to_errors = to_errors

    def add(self, one: Checked) -> None:
        """One more file was checked."""
        _print(one, quiet=self._quiet, to_errors=self._to_errors and one.file == STANDARD_INPUT)


class _Json(CheckReport):
    """The report as one object."""

    def __init__(self) -> None:
        super().__init__()
        self._files: list[dict[str, object]] = []
        self._unusable: list[str] = []

    def add(self, one: Checked) -> None:
        """One more file was checked."""
        self._files.append(_data(one))
        if not one.readable:
            self._unusable += [f"{one.file}: {finding.message}" for finding in one.findings]

    def trouble(self, message: str) -> None:
        """A file that cannot be checked."""
        self._unusable.append(message)

    def end(self, status: int) -> None:
        """The object; `unusable` is there where a file is."""
        unusable = {"unusable": self._unusable} if self._unusable else {}
        output.write(json.dumps({"files": self._files, **unusable}))


class _JsonLines(CheckReport):
    """The report as a line a finding, and the counts as the last."""

    def add(self, one: Checked) -> None:
        """One more file was checked."""
        super().add(one)
        for data in _finding_data(one):
            output.write(json.dumps({"path": one.file, **data}))

    def end(self, status: int) -> None:
        """The counts."""
        counts = {"files": self.files, "errors": self.errors, "warnings": self.warnings, "unusable": self.unusable}
        output.write(json.dumps({"summary": counts}))


class _ForMachines(CheckReport):
    """The report in a format of other programs."""

    def __init__(self, report: MachineReport) -> None:
        super().__init__()
        self._report = report

    def add(self, one: Checked) -> None:
        """One more file was checked."""
        from meldref.report.examined import Examined

        super().add(one)
        self._report.add(Examined(one.file, one.findings, usable=one.readable))

    def trouble(self, message: str) -> None:
        """A file that cannot be checked."""
        super().trouble(message)
        self._report.trouble(message)

    def end(self, status: int) -> None:
        """The end of the report."""
        from meldref.wording import many

        parts = [many(self.errors, "error")] if self.errors else []
        parts += [many(self.warnings, "warning")] if self.warnings else []
        parts += [f"{self.unusable} unusable"] if self.unusable else []
        self._report.end(status, f"{many(self.files, 'file')}: {', '.join(parts) or 'ok'}")


# --- text ------------------------------------------------------------------------------------------------------


def _print(one: Checked, *, quiet: bool, to_errors: bool) -> None:
    from meldref.report.text import heading
    from meldref_cli.findings import tell

    style = output.style_for(sys.stderr if to_errors else sys.stdout)
    say = output.notice if to_errors else output.write
    if quiet:
        for finding in one.findings:
            say(heading(finding, style=style))
        return
    for change in one.changes:
        say(_changed(change))
        say("")
    if tell(one.findings, one.file, to_errors=to_errors):
        say("")
    name = SHOWN_INPUT if one.file == STANDARD_INPUT else one.file
    say(f"{name}: {_verdict(one, color=style.on)}")


def _verdict(one: Checked, *, color: bool) -> str:
    """`2 errors, 1 warning; 1 of them can be mended with --fix`."""
    from meldref.report.style import Style
    from meldref.wording import many

    style = Style(on=color)
    if not one.readable:
        return style.red("unreadable")
    warnings = len(one.findings) - one.errors
    parts = [many(number, noun) for number, noun in ((one.errors, "error"), (warnings, "warning")) if number]
    behind = [] if one.errors else parts
    if one.changes:
        behind = [f"{len(one.changes)} mended", *behind]
    text = style.red(", ".join(parts)) if one.errors else style.green("ok")
    text += f" ({', '.join(behind)})" if behind else ""
    if one.mendable > 0:
        every = "it" if one.mendable == 1 else "them"
        text += f"; --fix mends {every if one.mendable == len(one.findings) else f'{one.mendable} of them'}"
    return text


def _changed(change: Change) -> str:
    """What was mended, and the lines before and after."""
    from meldref.report.excerpt import plain

    finding = change.finding
    place = f"{finding.file}:{finding.span.line}:{finding.span.column}"
    lines = [f"{place}: mended: {finding.message} [{finding.code}]"]
    lines += [f"  - {plain(text)}".rstrip() for text in change.before]
    lines += [f"  + {plain(text)}".rstrip() for text in change.after]
    return "\n".join(lines)


# --- json ------------------------------------------------------------------------------------------------------


def _data(one: Checked) -> dict[str, object]:
    from meldref.report.json import finding_data

    data: dict[str, object] = {"path": one.file, "findings": _finding_data(one)}
    if one.changes:
        data["mended"] = [finding_data(change.finding) for change in one.changes]
    return data


def _finding_data(one: Checked) -> list[dict[str, Data]]:
    from meldref.report.json import finding_data

    return [finding_data(finding) for finding in one.findings]
