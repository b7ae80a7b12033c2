"""What `rules check` found, in each format."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from meldref_cli import options, output
from meldref_cli.files import STANDARD_INPUT
from meldref_cli.ruleset_args import SHOWN_INPUT

if TYPE_CHECKING:
    from meldref.report.checked import Checked
    from meldref.report.json import Data
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
        self.warnings += one.warnings

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
        from meldref.report.checked import checked_text

        standard = one.file == STANDARD_INPUT
        to_errors = self._to_errors and standard
        style = output.style_for(sys.stderr if to_errors else sys.stdout)
        say = output.notice if to_errors else output.write
        name = SHOWN_INPUT if standard else one.file
        for text in checked_text(one, name, style=style, quiet=self._quiet):
            say(text)


class _Json(CheckReport):
    """The report as one object."""

    def __init__(self) -> None:
        super().__init__()
        self._files: list[dict[str, Data]] = []
        self._unusable: list[str] = []

    def add(self, one: Checked) -> None:
        """One more file was checked."""
        from meldref.report.checked import checked_data

        self._files.append(checked_data(one))
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
        from meldref.report.json import finding_data

        super().add(one)
        output.write_all(json.dumps({"path": one.file, **finding_data(finding)}) for finding in one.findings)

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
        from meldref.core.text import many
        from meldref.report.checked import counted

        parts = counted(self.errors, self.warnings)
        parts += [f"{self.unusable} unusable"] if self.unusable else []
        self._report.end(status, f"{many(self.files, 'file')}: {', '.join(parts) or 'ok'}")
