"""Reports on items one by one, in every format: text, JSON, JSON Lines, GitHub, SARIF, JUnit."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING, Generic, TypeVar

from meldref.report.examined import Examined, FilePlace
from meldref.report.json import Data, dump, finding_rows
from meldref_cli import output
from meldref_cli.errors import CLEAN, OUR_FAULT, UNUSABLE, WRONG, status
from meldref_cli.options import ReportFormat

if TYPE_CHECKING:
    from meldref.report.junit import Junit
    from meldref.report.sarif import Sarif

Item = TypeVar("Item")


def status_of(examined: Examined, *, strict: bool) -> int:
    """The exit status for something that was examined.

    `strict`: what could not be decided counts as an error.
    """
    if examined.fault:
        return OUR_FAULT
    by_state = {
        "clean": CLEAN,
        "wrong": WRONG,
        "undecided": WRONG if strict else CLEAN,
        "unusable": UNUSABLE,
    }
    return by_state[examined.state]


class Subject(ABC, Generic[Item]):
    """What a command examines: each in the words of every format, and the counts of them.

    `strict`: what could not be decided counts as an error; `quiet`: only errors, where people see
    the lines, too.
    """

    command: str
    noun = "violation"
    """What an error is called."""
    opening: str
    """The beginning of the JSON, up to the first entry."""
    between = ", "

    def __init__(self, *, quiet: bool, strict: bool = False) -> None:
        self.quiet = quiet
        self.strict = strict

    def add(self, item: Item) -> None:
        """Counts one more item."""

    def trouble(self, message: str) -> None:
        """Counts something that cannot be examined at all."""

    @abstractmethod
    def text(self, item: Item) -> Iterable[str]:
        """Lines for people."""

    def ending(self) -> Iterable[str]:
        """The last lines for people."""
        return ()

    def data(self, item: Item) -> Data:
        """The result as data, for JSON."""
        raise NotImplementedError

    def entry(self, item: Item) -> Iterable[str]:
        """An entry of the JSON, in pieces."""
        return (dump(self.data(item)),)

    def rows(self, item: Item) -> Iterable[Data]:
        """The lines of JSON Lines."""
        examined = self.examined(item)
        return finding_rows(examined.path, examined.findings)

    @abstractmethod
    def examined(self, item: Item) -> Examined:
        """The result for programs that show files and findings."""

    def status(self, item: Item) -> int:
        """What an item makes of the exit status."""
        return status_of(self.examined(item), strict=self.strict)

    @abstractmethod
    def summary(self) -> str:
        """In words, how many came out in which way."""

    @abstractmethod
    def totals(self) -> dict[str, Data]:
        """The summary as numbers, the last line of JSON Lines."""

    def rest(self) -> dict[str, Data]:
        """What the JSON has after its entries."""
        return {"summary": self.totals()}


def report_on(subject: Subject[Item], format_: ReportFormat) -> Report[Item]:
    """The report in a format."""
    match format_:
        case ReportFormat.SARIF:
            from meldref.report.sarif import Sarif
            from meldref_evidence.log_fixes import sure

            return _Document(subject, Sarif(strict=subject.strict, edits_of=sure))
        case ReportFormat.JUNIT:
            from meldref.report.junit import Junit

            return _Document(
                subject, Junit(subject.command, noun=subject.noun, strict=subject.strict)
            )
    kinds = {ReportFormat.JSON: _Json, ReportFormat.JSONL: _JsonLines, ReportFormat.GITHUB: _Github}
    return kinds.get(format_, Report)(subject)


class Report(Generic[Item]):
    """A report written as things are examined, for people unless a subclass says otherwise.

    `worst` is the worst that was found, as an exit status.
    """

    def __init__(self, subject: Subject[Item]) -> None:
        self._subject = subject
        self.worst = CLEAN

    def trouble(self, message: str) -> None:
        """Something could not be examined at all, which is said in any format."""
        output.error(message)
        self._subject.trouble(message)
        self.worst = max(self.worst, UNUSABLE)

    def add(self, item: Item) -> None:
        """One more was examined."""
        self._subject.add(item)
        self.worst = max(self.worst, self._subject.status(item))
        self.show(item)

    def show(self, item: Item) -> None:
        """Writes what there is to say of one."""
        output.write_all(self._subject.text(item))

    def show_file(self, examined: Examined) -> None:
        """Writes what is wrong with a file itself, where the format has a place for it."""

    def end(self, *, exit_zero: bool) -> int:
        """All have been examined; returns the exit status."""
        code = status(self.worst, exit_zero=exit_zero)
        self.close(code)
        return code

    def close(self, code: int) -> None:
        """Writes what comes after all that was examined."""
        output.write_all(self._subject.ending())


class _Json(Report[Item]):
    """One object, written entry by entry."""

    _between = ""

    def show(self, item: Item) -> None:
        start = self._between or self._subject.opening
        output.write_all(chain((start,), self._subject.entry(item)), end="")
        self._between = self._subject.between

    def close(self, code: int) -> None:
        rest = self._subject.rest()
        start = "" if self._between else self._subject.opening.rstrip()
        output.write(start + "]" + (f", {dump(rest)[1:]}" if rest else "}"))


class _JsonLines(Report[Item]):
    def show(self, item: Item) -> None:
        output.write_all(map(dump, self._subject.rows(item)))

    def close(self, code: int) -> None:
        output.write(dump({"summary": self._subject.totals()}))


class _ForPrograms(Report[Item]):
    """A report for programs that show files and findings."""

    def show(self, item: Item) -> None:
        self.show_file(self._subject.examined(item))


class _Github(_ForPrograms[Item]):
    """Annotations, and the summary as the last line."""

    def show_file(self, examined: Examined) -> None:
        from meldref.report.github import annotate

        for line in annotate(examined, strict=self._subject.strict, quiet=self._subject.quiet):
            output.write_annotation(line)

    def trouble(self, message: str) -> None:
        from meldref.report.github import annotation

        super().trouble(message)
        output.write_annotation(annotation("error", "", FilePlace(), "", message))

    def close(self, code: int) -> None:
        if not self._subject.quiet:
            output.write(self._subject.summary())


class _Document(_ForPrograms[Item]):
    """One document for programs, which are told of files, findings and troubles."""

    def __init__(self, subject: Subject[Item], document: Sarif | Junit) -> None:
        super().__init__(subject)
        self._document = document
        output.write_all((document.opening(),), end="")

    def show_file(self, examined: Examined) -> None:
        output.write_all(self._document.results(examined), end="")

    def trouble(self, message: str) -> None:
        super().trouble(message)
        self._document.trouble(message)

    def close(self, code: int) -> None:
        output.write_all(self._document.closing(code), end="")
