"""Replays a log: folds its lines into games and hands, collects findings, and goes on after each one.

`replay` is fed the lines of one log; each block of headers starts a game (`meldref.replay.game`), each `hand` line
a hand (`meldref.replay.hand`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from meldref.core.diagnostics import Finding, Severity, Span
from meldref.core.events import Header, Line, Turn
from meldref.core.records import changed, record
from meldref.core.text import one_line
from meldref.positions.build import Built
from meldref.replay.game import GamePlay
from meldref.replay.result import LogReport
from meldref.replay.turn import MOST_SUGGESTIONS, Suggestions
from meldref.rulefiles.files import LogName, Name, is_path
from meldref.rulefiles.settings import Setting
from meldref.rulefiles.shelf import MOST_RULESETS, RulesetCache
from meldref.ruleset.model import Ruleset

Read = tuple[Line, tuple[Finding, ...]]

MOST_HEADERS: Final = 1_000
"""A game with more headers is none: nobody knows by which rules it would be played."""
KNOWN_HEADERS = ("Rules", "Options", "Set", "Players", "View", "Dealer", "Date")


@record
class Overrides:
    """What goes over a log's headers: `rules` replaces `[Rules]`, the others are added after the log's own.

    Paths start at `beside`, the log's folder, or the current one. With `trust_paths` those in headers may lead
    out of it.
    """

    rules: Name | None = None
    options: tuple[Name, ...] = ()
    settings: tuple[str | Setting, ...] = ()
    beside: Path | None = None
    trust_paths: bool = False


@record
class Headers:
    """The headers of one game, with the lines they stand on."""

    lines: tuple[tuple[Line, Header], ...]

    def all(self, key: str) -> list[tuple[Line, Header]]:
        """Every header of that key, in order."""
        return [(line, header) for line, header in self.lines if header.key == key]

    def last(self, key: str) -> tuple[Line, Header] | None:
        """The last header of that key."""
        found = self.all(key)
        return found[-1] if found else None


class Replay:
    """One log under way."""

    def __init__(
        self,
        path: str,
        overrides: Overrides | None = None,
        shelf: RulesetCache | None = None,
        suggestions: int = MOST_SUGGESTIONS,
    ) -> None:
        self.report = LogReport(path)
        self._shelf = shelf or RulesetCache()
        self.overrides = overrides or Overrides()
        self._suggestions = Suggestions(suggestions)
        self.game: GamePlay | None = None
        self._headers: list[tuple[Line, Header]] = []
        self._rules: set[object] = set()
        self._faulty: dict[object, int] = {}
        self._games = 0
        self._any_event = False
        self._playing = False
        self._file = Path(path).name if path not in {"-", ""} else path
        self.expected: dict[int, tuple[Line, tuple[str, ...]]] = {}

    def feed(self, lines: Iterable[Read]) -> None:
        """Replays lines as they come."""
        found = self._found
        for line, findings in lines:
            event = line.event
            if type(event) is Turn and self.game is not None and not line.expected:
                self.game.turn(line, event)
                continue
            for finding in findings:
                found(finding)
            if line.expected:
                self.expected[line.number] = (line, line.expected)
            if event is None:
                if findings and self.game is not None:
                    self.game.unreadable(line)
                continue
            self._any_event = True
            if type(event) is Header:
                self._header(line, event)
                continue
            if not self._playing:
                self._begin_game(line)
            if self.game is not None:
                self.game.line(line)

    def _header(self, line: Line, header: Header) -> None:
        if self._playing:
            self._end_game()
        if len(self._headers) > MOST_HEADERS:
            return
        self._headers.append((line, header))
        if len(self._headers) > MOST_HEADERS:
            message = f"a game has at most {MOST_HEADERS:,} headers; the rest of them are ignored"
            self._found(Finding("log.syntax", message, _whole(line), excerpt=line.text))
            self.report.readable = False
        if header.key not in KNOWN_HEADERS and not header.key.startswith("X-"):
            self._found(
                Finding(
                    "log.name",
                    f"[{header.key}] is not a header of a log; keys of your own begin with X-",
                    _whole(line),
                    Severity.WARNING,
                    excerpt=line.text,
                )
            )

    def _begin_game(self, line: Line) -> None:
        self._playing = True
        self._games += 1
        self.report.games = self._games
        headers = Headers(tuple(self._headers))
        self._headers = []
        if headers.last("Players") is None:
            self._found(Finding("log.syntax", "the game has no [Players] header", _whole(line), excerpt=line.text))
            self.report.readable = False
            return
        ruleset = self._ruleset(headers, line)
        if ruleset is None:
            self.report.readable = False
            return
        self.game = GamePlay(ruleset, headers.lines, self.report, self._games, self._found, self._suggestions)

    def _ruleset(self, headers: Headers, line: Line) -> Ruleset | None:
        """The game's ruleset; what is wrong with it is found at the header that asks for it.

        Warnings about a rules file are for its author (`rules check`), not for the log.
        """
        rules = headers.last("Rules")
        name = self.overrides.rules or (self._named(rules[1].value) if rules else None)
        if name is None:
            self._found(
                Finding("log.name", "the log names no ruleset, and none is given", _whole(line), excerpt=line.text)
            )
            return None
        options = [option.strip() for _, header in headers.all("Options") for option in header.value.split(",")]
        settings: list[str | Setting] = []
        for at, header in headers.all("Set"):
            key, _, value = header.value.partition("=")
            settings.append(Setting(key.strip(), value.strip(), self._file, at.number))
        over = self.overrides
        asked = rules[0] if rules else line
        said = (
            name,
            *((header.key, header.value) for _, header in headers.lines if header.key in {"Options", "Set"}),
        )
        if said in self._faulty:
            message = f"these rules have the faults that are told at the game of line {self._faulty[said]}"
            self._found(Finding("log.name", message, _whole(asked), excerpt=asked.text))
            return None
        if said not in self._rules and len(self._rules) >= MOST_RULESETS:
            message = f"a log is played by at most {MOST_RULESETS} different rulesets"
            self._found(Finding("log.name", message, _whole(asked), excerpt=asked.text))
            return None
        self._rules.add(said)
        chosen = (*[self._named(option) for option in options if option], *[one for one in over.options if one])
        ruleset, findings = self._shelf.load(name, chosen, (*settings, *over.settings), over.beside)
        for finding in findings:
            if finding.severity is Severity.ERROR:
                self._found(finding if finding.file else _at_header(finding, headers, asked))
        if ruleset is None:
            self._faulty[said] = asked.number
        return ruleset

    def _named(self, name: str) -> Name:
        """The name of rules in a header; one that is no path leads nowhere but to what ships."""
        if self.overrides.trust_paths or not any(map(is_path, name.split())):
            return name
        return LogName(name, self.overrides.beside or Path())

    def _end_game(self) -> None:
        if self.game is not None:
            self.game.finish()
        self.game = None
        self._playing = False

    def finish(self) -> LogReport:
        """The log ends here."""
        if self._headers and not self._playing and self._any_event:
            self._begin_game(self._headers[-1][0])
        self._end_game()
        if not self._games:
            self.report.readable = False
            if not self.report.findings:
                self._found(Finding("log.syntax", "there is no game in this file", Span(1)))
        self.report.findings.sort(key=lambda finding: (finding.file != self._file, finding.span.line))
        return self.report

    def _found(self, finding: Finding) -> None:
        place: dict[str, object] = {} if finding.file else {"file": self._file}
        if self._playing and not finding.game:  # what is wrong with a line itself is found before it is played
            place |= {"game": self._games, "hand": 0 if self.game is None else self.game.hand_number}
        self.report.findings.append(changed(finding, **place) if place else finding)


def _whole(line: Line) -> Span:
    text = line.text
    start = len(text) - len(text.lstrip()) + 1
    return Span(line.number, start, max(len(text.rstrip()) + 1, start))


def _at_header(finding: Finding, headers: Headers, asked: Line) -> Finding:
    """A finding about what was asked for, at the header that asked for it."""
    words = finding.message
    for line, header in headers.lines:
        parts = [one_line(part.strip()) for part in header.value.split(",")]
        if header.key in {"Rules", "Options"} and any(part and part in words for part in parts):
            return changed(finding, code=_log_code(finding.code), span=_whole(line), excerpt=line.text)
        if header.key == "Set" and header.value.partition("=")[0].strip() in words:
            return changed(finding, span=_whole(line), excerpt=line.text)
    return changed(finding, code=_log_code(finding.code), span=_whole(asked), excerpt=asked.text)


def _log_code(code: str) -> str:
    return "log.name" if code == "rules.extends" else code


def replay(
    lines: Iterable[Read], path: str = "", overrides: Overrides | None = None, shelf: RulesetCache | None = None
) -> LogReport:
    """The audit of a log's lines."""
    run = Replay(path, overrides, shelf)
    run.feed(lines)
    return run.finish()


_UNREAD: Final = 3
"""So many unreadable lines may be why no hand is being played somewhere."""


def stand_before(
    lines: Iterable[Read], number: int, path: str = "", overrides: Overrides | None = None
) -> tuple[Built | None, tuple[Finding, ...]]:
    """Where a log stands before a line, to go on from there; None and why where nothing is played there."""
    run = Replay(path, overrides)
    run.feed(filter(lambda item: item[0].number < number, lines))
    game = run.game
    if game is None or game.judge is None or game.hand is None or not game.hand.started:
        found = tuple(finding for finding in run.report.findings if finding.code != "log.syntax")
        if not found:
            nothing = Finding("log.name", f"no hand is being played before line {number}", Span(number))
            found = (*run.report.findings[:_UNREAD], nothing)
        return None, found
    return Built(game.judge, game.hand.play()), ()


def as_expected(report: LogReport, expected: Sequence[tuple[Line, tuple[str, ...]]]) -> list[Finding]:
    """The findings that remain where a log says which violations it expects (`?! CODE`).

    An expected violation that does not occur is a finding of its own, `log.assert`.
    """
    wanted = {line.number: (line, list(codes)) for line, codes in expected}
    rest: list[Finding] = []
    met: dict[int, set[str]] = {}
    for finding in report.findings:
        _, codes = wanted.get(finding.span.line, (None, []))
        match = [code for code in codes if finding.code == code or finding.code.startswith(code + ".")]
        if match:
            met.setdefault(finding.span.line, set()).update(match)
        else:
            rest.append(finding)
    for number, (line, codes) in wanted.items():
        rest += [
            Finding(
                "log.assert",
                f"{code} is expected here and does not occur",
                _whole(line),
                file=report.path,
                excerpt=line.text,
            )
            for code in codes
            if code not in met.get(number, set())
        ]
    return sorted(rest, key=lambda finding: finding.span.line)
