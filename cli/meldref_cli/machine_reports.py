"""Reports for programs that run this one: annotations of GitHub, SARIF, JUnit."""

from __future__ import annotations

import shutil
import sys
from tempfile import SpooledTemporaryFile
from typing import Final, Protocol

from meldref.report.examined import Examined, FilePlace
from meldref_cli import options, output

_IN_MEMORY: Final = 1 << 23
"""How many bytes of test cases wait in memory for their counts; more wait in a file."""


class MachineReport(Protocol):
    """A report that is written as things are examined."""

    def add(self, one: Examined) -> None:
        """One more was examined."""

    def trouble(self, message: str) -> None:
        """Something could not be examined at all."""

    def end(self, status: int, summary: str) -> None:
        """All have been; the exit status, and in words how many came out in which way."""


def machine_report(
    format_: options.ReportFormat,
    suite: str,
    *,
    noun: str = "violation",
    strict: bool = False,
    quiet: bool = False,
) -> MachineReport:
    """The report in a format.

    Args:
        format_: one of the three.
        suite: what is run, such as `meldref audit`.
        noun: what an error is called.
        strict: whether what could not be decided counts as an error.
        quiet: only errors, where the format is lines that people see, too.
    """
    if format_ is options.ReportFormat.GITHUB:
        return _Github(strict=strict, quiet=quiet)
    if format_ is options.ReportFormat.SARIF:
        return _Sarif(strict=strict)
    return _Junit(suite, noun, strict=strict)


def is_for_machines(format_: options.ReportFormat) -> bool:
    """Whether a format is one of the three."""
    own = {options.ReportFormat.TEXT, options.ReportFormat.JSON, options.ReportFormat.JSONL}
    return format_ not in own


class _Github:
    """Annotations, and the summary as the last line."""

    def __init__(self, *, strict: bool, quiet: bool) -> None:
        self._strict = strict
        self._quiet = quiet

    def add(self, one: Examined) -> None:
        from meldref.report.github import annotate

        output.write_all(annotate(one, strict=self._strict, quiet=self._quiet))

    def trouble(self, message: str) -> None:
        from meldref.report.github import annotation

        output.write(annotation("error", "", FilePlace(), "", message))

    def end(self, status: int, summary: str) -> None:
        if not self._quiet:
            output.write(summary)


class _Sarif:
    """One object, written result by result."""

    def __init__(self, *, strict: bool) -> None:
        from meldref.report.sarif import Sarif

        self._sarif = Sarif(strict=strict)
        sys.stdout.write(self._sarif.opening())

    def add(self, one: Examined) -> None:
        sys.stdout.writelines(self._sarif.results(one))

    def trouble(self, message: str) -> None:
        self._sarif.trouble(message)

    def end(self, status: int, summary: str) -> None:
        output.write(self._sarif.closing(status))


class _Junit:
    """One suite; its cases wait until they are counted."""

    def __init__(self, suite: str, noun: str, *, strict: bool) -> None:
        from meldref.report.junit import Junit

        self._junit = Junit(suite, noun=noun, strict=strict)
        self._cases = SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="ascii", newline="")  # noqa: SIM115  `end` closes it

    def add(self, one: Examined) -> None:
        self._cases.write(self._junit.case(one))

    def trouble(self, message: str) -> None:
        self._cases.write(self._junit.trouble(message))

    def end(self, status: int, summary: str) -> None:
        sys.stdout.write(self._junit.opening())
        with self._cases:
            self._cases.seek(0)
            shutil.copyfileobj(self._cases, sys.stdout)
        sys.stdout.write(self._junit.closing())
