"""Replays a log: folds its lines into games and hands, and goes on after each finding.

`replay` is fed the lines of one log; each block of headers starts a game (`meldref.replay.game`),
each `hand` line a hand (`meldref.replay.hand`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from pathlib import Path
from typing import Final

from meldref.core.diagnostics import Finding, Severity, Span, is_among
from meldref.core.effort import ALL_THE_WORK, MOST_SUGGESTIONS, Allowance, Suggestions
from meldref.core.events import Header, Line, Turn
from meldref.core.records import changed, record
from meldref.core.text import one_line
from meldref.notation.reader import Read, read_lines
from meldref.notation.scanner import open_lines
from meldref.notation.syntax import HEADER_KEYS
from meldref.positions.build import Built
from meldref.replay.game import GamePlay, HeaderLines, begin_game
from meldref.replay.reporter import Reporter, whole_line
from meldref.replay.result import LogReport
from meldref.rulefiles.files import LogName, Name, Setting, is_path
from meldref.rulefiles.shelf import MOST_RULESETS, RulesetCache
from meldref.ruleset.model import Ruleset
from meldref.weighing.hand import ClosedHand

MOST_HEADERS: Final = 1_000
"""The most headers of a game; those after them are ignored."""


@record
class Overrides:
    """What goes over a log's headers: `rules` replaces `[Rules]`, the others follow its own.

    Paths start at `beside`, the log's folder, or the current one. With `trust_paths` those in
    headers may lead out of it.
    """

    rules: Name | None = None
    options: tuple[Name, ...] = ()
    settings: tuple[str | Setting, ...] = ()
    beside: Path | None = None
    trust_paths: bool = False


class Replay:
    """One log under way; with `repairs`, what is found in a hand is explained when it is over.

    `closed` is told of each hand that is over. `doubt` is by how much another explanation may be
    less likely and is named with it, in findings.
    """

    def __init__(
        self,
        path: str,
        overrides: Overrides | None = None,
        shelf: RulesetCache | None = None,
        suggestions: int = MOST_SUGGESTIONS,
        *,
        repairs: bool = True,
        closed: Callable[[ClosedHand], None] | None = None,
        doubt: float = 0.0,
    ) -> None:
        file = Path(path).name if path not in {"-", ""} else path
        self.reporter = Reporter(LogReport(path), file, Suggestions(suggestions))
        self.overrides = overrides or Overrides()
        self.game: GamePlay | None = None
        self.ruleset: Ruleset | None = None
        self.expected: dict[int, tuple[Line, tuple[str, ...]]] = {}
        self._closed, self._repairs, self._doubt = closed, repairs, doubt
        self._shelf = shelf or RulesetCache()
        self._house = Allowance()
        self._stopped = False
        self._headers: list[tuple[Line, Header]] = []
        self._rules: set[object] = set()
        self._faulty: dict[object, int] = {}
        self._any_event = False

    @property
    def report(self) -> LogReport:
        """What the audit says."""
        return self.reporter.report

    def fork(self) -> Replay:
        """An independent copy of the log: exact just after the line that begins a hand."""
        other = Replay(
            self.report.path,
            self.overrides,
            self._shelf,
            repairs=self._repairs,
            closed=self._closed,
            doubt=self._doubt,
        )
        other.reporter, other._house = self.reporter.copy(), copy(self._house)
        other.ruleset = self.ruleset
        other._headers, other._rules = [*self._headers], {*self._rules}
        other._faulty, other.expected = {**self._faulty}, {**self.expected}
        other._stopped = self._stopped
        other._any_event = self._any_event
        if self.game is not None:
            other.game = self.game.fork(other.reporter)
        return other

    def feed(self, lines: Iterable[Read]) -> None:
        """Replays lines as they come."""
        with self._house.spending():
            for read in lines:
                self._house.grow(len(read[0].text))
                self._feed(*read)
                if self._house.over and not self._stopped:
                    self._stop(read[0])

    def _stop(self, line: Line) -> None:
        """Says once that house rules are asked no more."""
        self._stopped = True
        what = f"{ALL_THE_WORK} one log; from here on they are not asked"
        self.reporter.undecided(line, what)

    def _feed(self, line: Line, findings: Sequence[Finding]) -> None:
        """Replays a line."""
        event = line.event
        if type(event) is Turn and not line.expected and (game := self.game) is not None:
            game.turn(line, event)
            return
        for finding in findings:
            self.reporter.found(finding)
        if line.expected:
            self.expected[line.number] = (line, line.expected)
        if event is None:
            if findings and self.game is not None:
                self.game.unreadable(line)
            return
        self._any_event = True
        if type(event) is Header:
            self._header(line, event)
            return
        if not self.reporter.game:
            self._begin_game(line)
        if self.game is not None:
            self.game.line(line)

    def _header(self, line: Line, header: Header) -> None:
        if self.reporter.game:
            self._end_game()
        if len(self._headers) > MOST_HEADERS:
            return
        self._headers.append((line, header))
        if len(self._headers) > MOST_HEADERS:
            message = f"a game has at most {MOST_HEADERS:,} headers; the rest of them are ignored"
            self._wrong(line, message, "log.syntax")
            self.report.readable = False
        if header.key not in HEADER_KEYS and not header.key.startswith("X-"):
            message = f"[{header.key}] is not a header of a log; keys of your own begin with X-"
            self._wrong(line, message, severity=Severity.WARNING)

    def _begin_game(self, line: Line) -> None:
        self.report.games += 1
        self.reporter.game = self.report.games
        headers, self._headers = self._headers, []
        self.ruleset = None
        if any(header.key == "Players" for _, header in headers):
            self.ruleset = self._load_rules(headers, line)
        else:
            self._wrong(line, "the game has no [Players] header", "log.syntax")
        if self.ruleset is None:
            self.report.readable = False
            return
        self.game = begin_game(
            self.ruleset,
            headers,
            self.reporter,
            repairs=self._repairs,
            doubt=self._doubt,
            closed=self._closed,
        )

    def _load_rules(self, headers: HeaderLines, line: Line) -> Ruleset | None:
        """The game's ruleset; what is wrong with it is found at the header that asks for it.

        Warnings about a rules file are for its author (`rules check`), not for the log.
        """
        over, asked_at = self.overrides, line
        name = over.rules
        options: list[str] = []
        settings: list[str | Setting] = []
        for at, header in headers:
            if header.key == "Rules":
                asked_at, name = at, over.rules or self._named(header.value)
            elif header.key == "Options":
                options += [option.strip() for option in header.value.split(",")]
            elif header.key == "Set":
                key, _, value = header.value.partition("=")
                place = self.reporter.file, at.number
                settings.append(Setting(key.strip(), value.strip(), *place))
        if name is None:
            self._wrong(line, "the log names no ruleset, and none is given")
            return None
        rules = (
            name,
            *(
                (header.key, header.value)
                for _, header in headers
                if header.key in {"Options", "Set"}
            ),
        )
        if rules in self._faulty:
            self._wrong(
                asked_at,
                f"these rules have the faults reported at the game of line {self._faulty[rules]}",
            )
            return None
        if rules not in self._rules and len(self._rules) >= MOST_RULESETS:
            self._wrong(asked_at, f"a log is played by at most {MOST_RULESETS} different rulesets")
            return None
        self._rules.add(rules)
        chosen = (
            *[self._named(option) for option in options if option],
            *[option for option in over.options if option],
        )
        ruleset, findings = self._shelf.load(name, chosen, (*settings, *over.settings), over.beside)
        for finding in findings:
            if finding.severity is Severity.ERROR:
                at_header = _at_header(finding, headers, asked_at)
                self.reporter.found(finding if finding.file else at_header)
        if ruleset is None:
            self._faulty[rules] = asked_at.number
        return ruleset

    def _named(self, name: str) -> Name:
        """The name of rules in a header; one that is not a path can only be a shipped ruleset."""
        if self.overrides.trust_paths or not any(map(is_path, name.split())):
            return name
        return LogName(name, self.overrides.beside or Path())

    def _end_game(self) -> None:
        if self.game is not None:
            self.game.close_hand()
        self.game = None
        self.reporter.game = 0

    def forget(self, keep: int = 0) -> None:
        """Lets go of all that was found but `keep` findings: nobody asks for the rest again."""
        self.reporter.forget(keep)
        self.expected.clear()

    def finish(self) -> LogReport:
        """The log ends here."""
        with self._house.spending():
            return self._finish()

    def _finish(self) -> LogReport:
        if self._headers and not self.reporter.game and self._any_event:
            self._begin_game(self._headers[-1][0])
        self._end_game()
        if not self.report.games:
            self.report.readable = False
            if not self.report.findings:
                self.reporter.found(Finding("log.syntax", "there is no game in this file", Span(1)))
        file = self.reporter.file
        self.report.findings.sort(key=lambda finding: (finding.file != file, finding.span.line))
        return self.report

    def _wrong(
        self, line: Line, message: str, code: str = "log.name", severity: Severity = Severity.ERROR
    ) -> None:
        span = whole_line(line).span
        self.reporter.found(Finding(code, message, span, severity, excerpt=line.text))


def _at_header(finding: Finding, headers: HeaderLines, asked_at: Line) -> Finding:
    """A finding about what was asked for, at the header that asked for it."""
    at, code = asked_at, "log.name" if finding.code == "rules.extends" else finding.code
    for line, header in headers:
        names = [one_line(name.strip()) for name in header.value.split(",")]
        asks = header.key in {"Rules", "Options"}
        if asks and any(name and name in finding.message for name in names):
            at = line
            break
    return changed(finding, code=code, span=whole_line(at).span, excerpt=at.text)


def replay(
    lines: Iterable[Read],
    path: str = "",
    overrides: Overrides | None = None,
    shelf: RulesetCache | None = None,
) -> LogReport:
    """The audit of a log's lines."""
    run = Replay(path, overrides, shelf)
    run.feed(lines)
    return run.finish()


_UNREAD: Final = 3
"""How many unreadable lines are shown as why no hand is being played at a line."""


def stand_before(
    lines: Iterable[Read], number: int, path: str = "", overrides: Overrides | None = None
) -> tuple[Built | None, tuple[Finding, ...]]:
    """Where a log stands before a line, to go on from; None and why if nothing is played there."""
    run = Replay(path, overrides)
    run.feed(filter(lambda item: item[0].number < number, lines))
    game = run.game
    if game is None or game.hand is None or not game.hand.started:
        why = tuple(finding for finding in run.report.findings if finding.code != "log.syntax")
        if not why:
            nothing = Finding(
                "log.name", f"no hand is being played before line {number}", Span(number)
            )
            why = (*run.report.findings[:_UNREAD], nothing)
        return None, why
    return Built(game.judge, game.hand.play()), ()


def as_expected(
    report: LogReport, expected: Sequence[tuple[Line, tuple[str, ...]]]
) -> list[Finding]:
    """The findings that remain where a log says which violations it expects (`?! CODE`).

    An expected violation that does not occur is a finding of its own, `log.assert`.
    """
    wanted = {line.number: codes for line, codes in expected}
    rest: list[Finding] = []
    met: set[tuple[int, str]] = set()
    for finding in report.findings:
        number = finding.span.line
        match = [code for code in wanted.get(number, ()) if is_among(finding.code, (code,))]
        met.update((number, code) for code in match)
        if not match:
            rest.append(finding)
    for line, codes in expected:
        rest += [
            Finding(
                "log.assert",
                f"{code} is expected here and does not occur",
                whole_line(line).span,
                file=report.path,
                excerpt=line.text,
            )
            for code in codes
            if (line.number, code) not in met
        ]
    return sorted(rest, key=lambda finding: finding.span.line)


def audit_file(
    path: str | Path,
    rules: str | None = None,
    options: Sequence[str] = (),
    settings: Sequence[str] = (),
    *,
    trust_paths: bool = False,
) -> LogReport:
    """Audits the log in a file; paths in its headers start at the file's folder, and stay in it.

    Args:
        path: the file.
        rules: a ruleset in place of the log's own.
        options: options over those of the log.
        settings: `key=value` texts over those of the log.
        trust_paths: paths in its headers may lead anywhere.

    Raises:
        OSError: the file cannot be opened or read.
    """
    overrides = Overrides(rules, tuple(options), tuple(settings), Path(path).parent, trust_paths)
    return replay(read_lines(open_lines(path)), str(path), overrides)


def audit_text(
    text: str,
    rules: str | None = None,
    options: Sequence[str] = (),
    settings: Sequence[str] = (),
    beside: Path | None = None,
    *,
    trust_paths: bool = False,
) -> LogReport:
    """Audits a log that is a text, as `audit_file` does; paths in its headers start at `beside`."""
    return replay(
        read_lines(text), "", Overrides(rules, tuple(options), tuple(settings), beside, trust_paths)
    )
