"""A rules file that was checked: what is wrong with it, and what was fixed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from meldref.core.diagnostics import Finding
from meldref.core.text import many, name_of_file
from meldref.report.examined import Examined
from meldref.report.excerpt import plain
from meldref.report.json import Data, finding_data
from meldref.report.style import PLAIN, Style
from meldref.report.text import finding_texts, heading

if TYPE_CHECKING:
    from meldref_authoring.autofix import Change


class Checked(NamedTuple):
    """What was found in a file, and what was fixed of it; its text before and after."""

    file: str
    findings: tuple[Finding, ...]
    changes: tuple[Change, ...] = ()
    before: str = ""
    after: str = ""
    fixable: int = 0
    """How many of the findings could be fixed."""
    readable: bool = True
    """Whether it is text at all, and not too large."""

    @property
    def examined(self) -> Examined:
        """The result as reports for other programs see it."""
        return Examined(self.file, self.findings, usable=self.readable)


def checked_text(
    checked: Checked, name: str, *, style: Style = PLAIN, quiet: bool = False
) -> Iterator[str]:
    """What was fixed, what is found, and a verdict, which calls the file by `name`.

    `quiet`: only the first line of each finding.
    """
    if quiet:
        yield from (heading(finding, style=style) for finding in checked.findings)
        return
    for change in checked.changes:
        yield _changed(change)
        yield ""
    for text in finding_texts(
        checked.findings, lambda finding: finding.file or checked.file, style=style
    ):
        yield text
        yield ""
    yield f"{name_of_file(name)}: {_verdict(checked, style)}"


def _verdict(checked: Checked, style: Style) -> str:
    """`2 errors, 1 warning; 1 of them fixable with --fix`."""
    if not checked.readable:
        return style.red("unreadable")
    errors = checked.examined.errors
    parts = counted(errors, checked.examined.warnings)
    behind = [] if errors else parts
    if checked.changes:
        behind = [f"{len(checked.changes)} fixed", *behind]
    text = style.red(", ".join(parts)) if errors else style.green("ok")
    text += f" ({', '.join(behind)})" if behind else ""
    if checked.fixable > 0:
        some = "" if checked.fixable == len(checked.findings) else f"{checked.fixable} of them "
        text += f"; {some}fixable with --fix"
    return text


def counted(errors: int, warnings: int) -> list[str]:
    """The numbers of each that are not zero, as in `2 errors`, `1 warning`."""
    return [
        many(number, noun) for number, noun in ((errors, "error"), (warnings, "warning")) if number
    ]


def _changed(change: Change) -> str:
    """What was fixed, and the lines before and after."""
    finding = change.finding
    place = f"{name_of_file(finding.file)}:{finding.span.line}:{finding.span.column}"
    lines = [f"{place}: fixed: {finding.message} [{finding.code}]"]
    lines += [f"  - {plain(text)}".rstrip() for text in change.before]
    lines += [f"  + {plain(text)}".rstrip() for text in change.after]
    return "\n".join(lines)


def checked_data(checked: Checked) -> dict[str, Data]:
    """Data for programs; `fixed` is there where something was."""
    data: dict[str, Data] = {
        "path": checked.file,
        "findings": list(map(finding_data, checked.findings)),
    }
    if checked.changes:
        data["mended"] = [finding_data(change.finding) for change in checked.changes]
    return data
