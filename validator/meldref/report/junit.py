r"""Results as JUnit XML, which continuous integration reads: a test case for each thing examined.

There is no time in it, so that the same logs give the same file. All of it is ASCII: other
characters are written as references, those that XML cannot hold as `\x1b`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Final

from meldref.core.text import many, name_of_file, one_line
from meldref.report.elements import tag, text
from meldref.report.examined import Examined
from meldref.report.text import finding_text

_IN_MEMORY: Final = 1 << 23
"""How many bytes of test cases wait in memory; more wait in a file."""


class Junit:
    """One suite, whose test cases wait until they are counted: the counts stand before them."""

    def __init__(self, suite: str, *, noun: str = "violation", strict: bool = False) -> None:
        self._suite = suite
        self._noun = noun
        self._strict = strict
        self._counts = Counter[str]()
        self._cases = SpooledTemporaryFile(  # noqa: SIM115  `closing` closes it
            _IN_MEMORY, "w+", encoding="ascii", newline=""
        )

    def opening(self) -> str:
        """What can be written before anything is examined: nothing."""
        return ""

    def results(self, examined: Examined) -> Iterator[str]:
        """Takes in the test case of what was examined; nothing of it can be written yet."""
        file, beside = name_of_file(examined.file), Path(examined.path).parent
        texts = [
            finding_text(finding, file=examined.file_of(finding), more=False, beside=beside)
            for finding in examined.findings
        ]
        name, group = (one_line(examined.name), file) if examined.name else (file, self._suite)
        self._add(name, group, self._outcome(examined), "\n\n".join(texts))
        return iter(())

    def trouble(self, message: str) -> None:
        """Takes in the test case of what could not be examined at all."""
        self._add(message.partition(":")[0], self._suite, ("error", "unusable", message), "")

    def closing(self, _status: int) -> Iterator[str]:
        """The suite."""
        totals = self._counts
        counts = (
            f'tests="{totals["testcase"]}" '
            f'failures="{totals["failure"]}" errors="{totals["error"]}"'
        )
        name = _ascii(text(self._suite))
        yield (
            '<?xml version="1.0" encoding="utf-8"?>\n'
            f'<testsuites name="{name}" {counts}>\n'
            f'<testsuite name="{name}" {counts} skipped="{totals["skipped"]}">\n'
        )
        with self._cases:
            self._cases.seek(0)
            yield from self._cases
        yield "</testsuite>\n</testsuites>\n"

    def _add(self, name: str, group: str, outcome: tuple[str, str, str], texts: str) -> None:
        word, kind, message = outcome
        self._counts.update(("testcase", word))
        inside = (
            tag(word, texts, type=kind, message=message)
            if word
            else texts and tag("system-out", texts)
        )
        self._cases.write(_ascii(tag("testcase", inside, classname=group, name=name)) + "\n")

    def _outcome(self, examined: Examined) -> tuple[str, str, str]:
        """What became of a test case, its kind and a message; nothing, where all is well."""
        kind = next(
            (finding.code for finding in examined.findings if finding.severity.value == "error"), ""
        )
        match examined.state:
            case "unusable":
                message = examined.fault or (
                    examined.findings[0].message if examined.findings else "cannot be used"
                )
                return "error", "internal error" if examined.fault else kind, message
            case "wrong":
                message = (
                    examined.findings[0].message
                    if len(examined.findings) == 1
                    else _count(examined, self._noun)
                )
                return "failure", kind, message
            case "undecided":
                undecided = "; ".join(
                    [f"line {open_.line}: {open_.what}" for open_ in examined.open]
                )
                return (
                    "failure" if self._strict else "skipped",
                    "undecided",
                    f"undecided: {undecided}",
                )
            case "clean":
                return "", "", ""


def _count(examined: Examined, noun: str) -> str:
    parts = [many(examined.errors, noun)]
    if examined.warnings:
        parts.append(many(examined.warnings, "warning"))
    if examined.hidden:
        parts.append(f"{examined.hidden:,} more not shown")
    return ", ".join(parts)


def _ascii(xml: str) -> str:
    """XML with references for what is not ASCII."""
    return xml.encode("ascii", "xmlcharrefreplace").decode()
