r"""Results as JUnit XML, which servers of continuous integration read: a test case for each thing examined.

There is no time in it, so that the same logs give the same file. All of it is ASCII: other characters are written
as references, those that XML cannot hold as `\x1b`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from meldref.core.text import many, name_of_file, one_line
from meldref.report.elements import Part, tag, text
from meldref.report.examined import Examined
from meldref.report.text import finding_text

_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Junit:
    """One suite; it counts as its cases are written, and what stands before them is known last."""

    def __init__(self, suite: str, *, noun: str = "violation", strict: bool = False) -> None:
        self._suite = suite
        self._noun = noun
        self._strict = strict
        self._tests = self._failures = self._errors = self._skipped = 0

    def case(self, one: Examined) -> str:
        """The test case of what was examined."""
        file = name_of_file(one.file)
        name, group = (one_line(one.name), file) if one.name else (file, self._suite)
        return self._case(name, group, self._outcome(one))

    def trouble(self, message: str) -> str:
        """The test case of what could not be examined at all."""
        self._errors += 1
        return self._case(message.partition(":")[0], self._suite, tag("error", type="unusable", message=message))

    def opening(self) -> str:
        """What stands before the first test case; of use when all of them are made."""
        counts = f'tests="{self._tests}" failures="{self._failures}" errors="{self._errors}"'
        name = _ascii(text(self._suite))
        return (
            '<?xml version="1.0" encoding="utf-8"?>\n'
            f'<testsuites name="{name}" {counts}>\n'
            f'<testsuite name="{name}" {counts} skipped="{self._skipped}">\n'
        )

    def closing(self) -> str:
        """What stands behind the last test case."""
        return "</testsuite>\n</testsuites>\n"

    def _case(self, name: str, group: str, outcome: Part) -> str:
        self._tests += 1
        return _ascii(tag("testcase", outcome, classname=group, name=name)) + "\n"

    def _outcome(self, one: Examined) -> Part:
        """What stands in a test case; nothing, where all is well."""
        texts = _texts(one)
        kind = next((finding.code for finding in one.findings if finding.severity.value == "error"), "")
        undecided = "undecided: " + "; ".join([f"line {open_.line}: {open_.what}" for open_ in one.open])
        match one.state:
            case "unusable":
                self._errors += 1
                message = one.fault or (one.findings[0].message if one.findings else "cannot be used")
                return tag("error", texts, type="internal error" if one.fault else kind, message=message)
            case "wrong":
                self._failures += 1
                message = one.findings[0].message if len(one.findings) == 1 else _count(one, self._noun)
                return tag("failure", texts, type=kind, message=message)
            case "undecided" if self._strict:
                self._failures += 1
                return tag("failure", texts, type="undecided", message=undecided)
            case "undecided":
                self._skipped += 1
                return tag("skipped", texts, type="undecided", message=undecided)
            case "clean":
                return tag("system-out", texts) if texts else ()


def _count(one: Examined, noun: str) -> str:
    parts = [many(one.errors, noun)]
    if one.warnings:
        parts.append(many(one.warnings, "warning"))
    if one.hidden:
        parts.append(f"{one.hidden:,} more not shown")
    return ", ".join(parts)


def _texts(one: Examined) -> str:
    beside = Path(one.path).parent
    return "\n\n".join(
        [finding_text(finding, file=one.file_of(finding), more=False, beside=beside) for finding in one.findings]
    )


def _ascii(xml: str) -> str:
    """XML with references for what is not ASCII, and with escapes for what XML cannot hold."""
    visible = _NO_XML.sub(lambda odd: f"\\x{ord(odd[0]):02x}", xml)
    return visible.encode("ascii", "xmlcharrefreplace").decode()
