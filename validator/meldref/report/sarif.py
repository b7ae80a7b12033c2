"""Findings as SARIF 2.1.0, for code scanning: result by result, the rules met at the end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import PurePath
from typing import Final
from urllib.parse import quote

from meldref.core.diagnostics import Finding
from meldref.core.version import __version__
from meldref.replay.beyond_doubt import edits_beyond_doubt
from meldref.replay.result import Open
from meldref.report.examined import Examined, FilePlace, place_of
from meldref.report.excerpt import plain
from meldref.report.json import Data, dump, finding_data
from meldref.rules.pages import PAGES

SCHEMA: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

OPEN: Final = "undecided"
"""The rule of what could not be decided."""

_OWN_RULES: Final[dict[str, tuple[str, str]]] = {
    OPEN: (
        "what could not be decided",
        "A duty, the end of a hand or a score could not be judged, because cards are unknown.",
    ),
    "fmt": (
        "a log that is not in canonical form",
        "meldref fmt writes the canonical form in its place.",
    ),
    "case": ("a case that failed", "The rules give another verdict than the case expects."),
}
"""Rules that are no code of a violation: a title and a sentence."""

_PROPERTIES: Final = ("game", "hand", "turn", "player", "rule", "clauses", "help")


class Sarif:
    """One run, written piece by piece; the pieces, one behind the other, are the file."""

    def __init__(self, *, strict: bool = False) -> None:
        self._strict = strict
        self._rules: dict[str, tuple[int, str]] = {}
        self._notifications: list[Data] = []
        self._between = ""

    def opening(self) -> str:
        """What stands before the first result."""
        return (
            f'{{"$schema": {dump(SCHEMA)}, "version": "2.1.0", '
            '"runs": [{"columnKind": "unicodeCodePoints", '
            '"results": ['
        )

    def results(self, examined: Examined) -> Iterator[str]:
        """The results of what was examined, a line each."""
        results = [self._result(examined, finding) for finding in examined.findings]
        results += [self._open(examined, open_) for open_ in examined.open]
        for result in results:
            yield self._between + "\n" + dump(result)
            self._between = ","
        where = _location(examined.file, FilePlace())
        if examined.hidden:
            self._notify(
                "note", f"{examined.hidden} more findings in this file are not shown", where
            )
        if examined.fault:
            self._notify("error", f"internal error: {examined.fault}", where)

    def trouble(self, message: str) -> None:
        """Something that could not be examined at all."""
        self._notify("error", message, None)

    def closing(self, status: int) -> Iterator[str]:
        """What stands behind the last result, with the exit status of the program."""
        driver = {
            "name": "meldref",
            "version": __version__,
            "rules": [_rule(code, text) for code, (_, text) in self._rules.items()],
        }
        invocation: dict[str, Data] = {"executionSuccessful": status < 2, "exitCode": status}
        if self._notifications:
            invocation["toolExecutionNotifications"] = self._notifications
        yield f'\n], "tool": {dump({"driver": driver})}, "invocations": [{dump(invocation)}]}}]}}\n'

    def _notify(self, level: str, message: str, where: Data | None) -> None:
        notification: dict[str, Data] = {"level": level, "message": {"text": message}}
        if where is not None:
            notification["locations"] = [where]
        self._notifications.append(notification)

    def _result(self, examined: Examined, finding: Finding) -> Data:
        return {
            "ruleId": finding.code,
            "ruleIndex": self._index(finding.code, finding.message),
            "level": finding.severity.value,
            "message": {"text": examined.message_of(finding)},
            "locations": [_location(examined.file_of(finding), place_of(finding), finding.excerpt)],
            **_related(examined, finding),
            **_fixed(examined, finding),
            **_properties(finding),
        }

    def _open(self, examined: Examined, open_: Open) -> Data:
        return {
            "ruleId": OPEN,
            "ruleIndex": self._index(OPEN),
            "kind": "fail" if self._strict else "open",
            "level": "error" if self._strict else "none",
            "message": {"text": open_.what},
            "locations": [_location(examined.file, FilePlace(open_.line))],
        }

    def _index(self, code: str, text: str = "") -> int:
        return self._rules.setdefault(code, (len(self._rules), text))[0]


def _rule(code: str, text: str) -> Data:
    if code not in PAGES:
        title, sentence = _OWN_RULES.get(code, (code, text or code))
        return {
            "id": code,
            "shortDescription": {"text": title},
            "fullDescription": {"text": sentence},
        }
    page = PAGES[code]
    keys = [f"Keys of a ruleset: {', '.join(page.keys)}"] if page.keys else []
    more = f"meldref explain {code} shows examples."
    return {
        "id": code,
        "shortDescription": {"text": page.title},
        "fullDescription": {"text": page.means},
        "help": {"text": "\n\n".join([page.means, f"Why: {page.why}", *keys, more])},
        "defaultConfiguration": {"level": "error"},
    }


def _location(file: str, place: FilePlace, excerpt: str = "") -> dict[str, Data]:
    physical: dict[str, Data] = {"artifactLocation": {"uri": uri_of(file)}}
    if place.line:
        region: dict[str, Data] = {"startLine": place.line}
        if place.column:
            region |= {"startColumn": place.column, "endColumn": place.end_column}
        physical["region"] = region
        if excerpt:
            physical["contextRegion"] = {
                "startLine": place.line,
                "snippet": {"text": plain(excerpt)},
            }
    return {"physicalLocation": physical}


def uri_of(file: str) -> str:
    """A file's name as a URI: relative to the current folder, or, outside of it, a full one."""
    path = PurePath(file)
    if path.is_absolute():
        return path.as_uri()
    return quote(os.fsencode(path.as_posix()))


def _related(examined: Examined, finding: Finding) -> dict[str, Data]:
    """The other lines of a finding: those that contradict it, and what follows from a repair."""
    repair = finding.repair
    related = [(line, "cannot be true together with the others") for line in finding.lines]
    if repair is not None:
        related.append((repair.line, f"perhaps {repair.text}"))
        related += [(row.line, row.message) for row in repair.follows]
    places: list[Data] = [
        {"id": number, "message": {"text": text}, **_location(examined.file, FilePlace(line))}
        for number, (line, text) in enumerate(related)
    ]
    return {"relatedLocations": places} if places else {}


def _fixed(examined: Examined, finding: Finding) -> dict[str, Data]:
    """The change of the log that mends a mistake in writing, if there is no doubt about it."""
    repair, edits = finding.repair, edits_beyond_doubt(finding)
    if repair is None or not edits:
        return {}
    replacements: list[Data] = [
        {
            "deletedRegion": {
                "startLine": edit.line,
                "startColumn": edit.column,
                "endLine": edit.end_line,
                "endColumn": edit.end_column,
            },
            "insertedContent": {"text": edit.text},
        }
        for edit in edits
    ]
    change: dict[str, Data] = {
        "artifactLocation": {"uri": uri_of(examined.file)},
        "replacements": replacements,
    }
    fix: dict[str, Data] = {"description": {"text": repair.text}, "artifactChanges": [change]}
    return {"fixes": [fix]}


def _properties(finding: Finding) -> dict[str, Data]:
    """What a finding says beyond the format's own words."""
    data = finding_data(finding)
    properties = {
        key: data[key] for key in _PROPERTIES if data[key] or (key == "turn" and data[key] == 0)
    }
    return {"properties": properties} if properties else {}
