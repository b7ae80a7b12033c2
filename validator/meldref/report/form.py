"""Which logs are in canonical form, and where others are not."""

from __future__ import annotations

from collections import Counter
from typing import Final

from meldref.diagnostics import Finding, Span
from meldref.records import record
from meldref.report.examined import Examined
from meldref.report.json import Data, finding_data
from meldref.wording import many

_WORDS: Final = {"clean": "canonical", "wrong": "to be formatted", "unusable": "unreadable"}


@record
class Formatted:
    """A log's text before and after; with findings it is left as it is."""

    before: str
    after: str
    findings: tuple[Finding, ...] = ()
    says_anything: bool = True
    """Whether any line of it can be read."""


class Forms:
    """How many logs came out in which way."""

    def __init__(self) -> None:
        self._counts = Counter[str]()

    def add(self, one: Examined) -> None:
        """Counts one more log."""
        self._counts[_WORDS[one.state]] += 1

    def text(self) -> str:
        """`3 logs: 2 canonical, 1 to be formatted`."""
        parts = [f"{self._counts[word]:,} {word}" for word in _WORDS.values() if self._counts[word]]
        return f"{many(self._counts.total(), 'log')}: {', '.join(parts) or 'none'}"

    def data(self) -> dict[str, int]:
        """The `summary` of the JSON report."""
        counts = {word.replace(" ", "_"): self._counts[word] for word in _WORDS.values()}
        return {"logs": self._counts.total(), **counts}


def examined_form(path: str, log: Formatted, most: int) -> Examined:
    """A log, with a finding at its first line that is not in canonical form, or `most` of what cannot be read."""
    if log.findings:
        hidden = max(0, len(log.findings) - most)
        return Examined(path, log.findings[:most], hidden=hidden, usable=False)
    if log.before == log.after:
        return Examined(path)
    return Examined(path, (_first(path, log),))


def unreadable_form(path: str, why: str) -> Examined:
    """A log that cannot be opened."""
    return Examined(path, (Finding("log.syntax", why, Span(1), file=path),), usable=False)


def _first(path: str, log: Formatted) -> Finding:
    """What is not in canonical form, at the first line that is not."""
    text = log.before.removeprefix("\ufeff")
    if text == log.after:
        return Finding(
            "fmt", "a byte order mark stands before it", Span(1, 1, 2), file=path, excerpt=text.partition("\n")[0]
        )
    mine, canonical = text.split("\n"), log.after.split("\n")
    differing = (at for at, line in enumerate(mine) if at >= len(canonical) or line != canonical[at])
    at = next(differing, len(mine) - 1)
    line = mine[at].rstrip("\r")
    if not line.strip():
        message = "this blank line is too many"
    elif line == canonical[at]:
        ends = at < len(mine) - 1
        message = "the line ends in another way than the canonical form" if ends else "the last line has no end"
    else:
        message = f"the canonical form is `{canonical[at]}`"
    return Finding("fmt", message, Span(at + 1, 1, len(line) + 1), file=path, excerpt=line)


def form_data(one: Examined) -> dict[str, Data]:
    """A log for programs."""
    return {"path": one.path, "verdict": _WORDS[one.state], "findings": findings_data(one)}


def findings_data(one: Examined) -> list[dict[str, Data]]:
    """What was found in it."""
    return [finding_data(finding, one.path) for finding in one.findings]
