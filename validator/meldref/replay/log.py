"""Replays a log: folds its lines into games and hands, and goes on after each finding.

`replay` is fed the lines of one log; each block of headers starts a game (`meldref.replay.game`),
each `hand` line a hand (`meldref.replay.hand`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from meldref.core.allowance import EFFORT_ON_A_CHARACTER, EFFORT_ON_HOUSE_RULES, Allowance
from meldref.core.diagnostics import Finding, Severity, Span, errors_in, is_among
from meldref.core.effort import ALL_THE_WORK, EFFORT, MOST_SUGGESTIONS, Suggestions
from meldref.core.events import Header, Line, Turn
from meldref.core.records import changed, copied, derived, fresh, record
from meldref.core.text import one_line
from meldref.notation.reader import Read, read_lines
from meldref.notation.scanner import open_lines
from meldref.notation.syntax import HEADER_KEYS, MONTH
from meldref.positions.build import Built
from meldref.replay.explainer import Explainer
from meldref.replay.game import GamePlay, HeaderLines, begin_game
from meldref.replay.reporter import Reporter, add_part, copy_of, whole_line
from meldref.replay.result import LogReport
from meldref.rulefiles.files import LogName, Name, Setting, is_path
from meldref.rulefiles.shelf import MOST_RULESETS, RulesetCache
from meldref.ruleset.model import Ruleset

MOST_HEADERS: Final = 1_000
"""The most headers of a game; those after them are ignored."""


class NotApart(Exception):
    """Games that were replayed apart from their log do not come to the same in it."""


@record
class GamesApart:
    """Whole games of a log that were replayed apart from it, of which there was nothing to say.

    `rules` are those that their headers asked for, as in `Replay`; for house rules, `granted` is
    what their characters are worth, and `spent` what was asked.
    """

    report: LogReport
    rules: Mapping[object, int]
    granted: int
    spent: int


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


NO_OVERRIDES: Final = Overrides()


@record
class AskedRules:
    """What headers say of the rules: a name (None: none), options and settings.

    `at` is the line that names them, `places` where each name stands.
    """

    name: Name | None
    options: tuple[Name, ...]
    settings: tuple[Setting, ...]
    at: Line
    places: Mapping[str, Line]

    @property
    def rules(self) -> tuple[object, ...]:
        """What tells them from others."""
        values = [(setting.key, setting.value) for setting in self.settings]
        return (self.name, *self.options, *values)


@record(frozen=False)
class Replay:
    """One log under way.

    An `explainer` says what probably happened where something is found in a hand, once that is
    over, and decides what nobody saw. `expected` are the lines that expect violations, by number.
    `headers` are those of the game under way. `_rules` are the rules that headers asked for: if
    they have faults, with the line at which those are reported, else with 0.
    """

    path: str
    overrides: Overrides = NO_OVERRIDES
    shelf: RulesetCache = fresh(default_factory=RulesetCache)
    suggestions: int = MOST_SUGGESTIONS
    explainer: Explainer | None = None
    game: GamePlay | None = None
    ruleset: Ruleset | None = None
    expected: dict[int, Line] = fresh(default_factory=dict)
    house: Allowance = fresh(default_factory=Allowance)
    headers: HeaderLines = ()
    _headers: HeaderLines = ()
    _rules: Mapping[object, int] = fresh(default_factory=dict)
    reporter: Reporter = derived(lambda run: _reporter(run.path, run.suggestions))

    @property
    def report(self) -> LogReport:
        """What the audit says, without what may be found otherwise until a hand is over."""
        return self.reporter.log

    @property
    def so_far(self) -> LogReport:
        """The audit until now; in a hand under way, what is found is told as it is found."""
        so_far = copy_of(self.report)
        if self.game is not None:
            add_part(so_far, self.game.opening)
        add_part(so_far, self.reporter.report)
        return so_far

    @property
    def under_way(self) -> int:
        """How many findings may be found otherwise until a hand is over."""
        in_opening = 0 if self.game is None else len(self.game.opening.findings)
        return in_opening + len(self.reporter.report.findings)

    def fork(self) -> Replay:
        """An independent copy of the log: exact just after the line that begins a hand."""
        other = copied(self)
        other.reporter, other.house = self.reporter.copy(), Allowance(self.house.left)
        other.expected = {**self.expected}
        other.game = None if self.game is None else self.game.fork(other.reporter)
        return other

    def feed(self, lines: Iterable[Read]) -> None:
        """Replays lines as they come; that house rules are asked no more is said once."""
        house = self.house
        is_over = house.over
        with EFFORT.spending(house):
            for line, findings in lines:
                if not is_over:
                    house.left += EFFORT_ON_A_CHARACTER * len(line.text)
                event, game = line.event, self.game
                if type(event) is Turn and game is not None and not line.expected:
                    game.play_turn(line, event)
                else:
                    self._feed(line, findings)
                if house.left < 0 and not is_over:
                    is_over = True
                    what = f"{ALL_THE_WORK} one log; from here on they are not asked"
                    self.reporter.leave_open(line, what)

    def _feed(self, line: Line, findings: Sequence[Finding]) -> None:
        """Replays a line that is no plain turn of a game."""
        event = line.event
        for finding in findings:
            self.reporter.add_finding(finding)
        if line.expected:
            self.expected[line.number] = line
        if event is None:
            if findings and self.game is not None:
                from meldref.notation.in_part import as_meant  # noqa: PLC0415  rarely needed

                self.game.play_line(as_meant(line, findings, self.game.players))
            return
        if type(event) is Header:
            self._header(line, event)
            return
        if not self.reporter.game:
            self._begin_game(line)
        if self.game is not None:
            self.game.play_line(line)

    def _header(self, line: Line, header: Header) -> None:
        if self.reporter.game:
            self._end_game()
        if len(self._headers) == MOST_HEADERS:
            if self.report.readable:
                most = f"{MOST_HEADERS:,} headers; the rest of them are ignored"
                self._report_violation(line, f"a game has at most {most}", "log.syntax")
            self.report.readable = False
            return
        self._headers = (*self._headers, (line, header))
        if header.key not in HEADER_KEYS and not header.key.startswith("X-"):
            message = f"[{header.key}] is not a header of a log; keys of your own begin with X-"
            self._report_violation(line, message, severity=Severity.WARNING)
        if header.key == "Date" and not MONTH.search(header.value):
            message = f"{header.value} is not read as a date: write it as in 2026-11-20"
            self._report_violation(line, message, severity=Severity.WARNING)

    def _begin_game(self, line: Line) -> None:
        self.report.games += 1
        self.reporter.game = self.report.games
        headers, self._headers = self._headers, ()
        self.headers, self.ruleset = headers, None
        if any(header.key == "Players" for _, header in headers):
            self.ruleset = self._load_rules(headers, line)
        else:
            self._report_violation(line, "the game has no [Players] header", "log.syntax")
        if self.ruleset is None:
            self.report.readable = False
            return
        self.game = begin_game(self.ruleset, headers, self.reporter, self.explainer)

    def _load_rules(self, headers: HeaderLines, line: Line) -> Ruleset | None:
        """The game's ruleset; what is wrong with it is found at the header that asks for it.

        Warnings about a rules file are for its author (`rules check`), not for the log.
        """
        asked = self._asked(headers, line)
        name, asked_at, rules = asked.name, asked.at, asked.rules
        if name is None:
            self._report_violation(line, "the log names no ruleset, and none is given")
            return None
        at_fault = self._rules.get(rules)
        if at_fault:
            message = f"these rules have the faults reported at the game of line {at_fault}"
            self._report_violation(asked_at, message)
            return None
        if at_fault is None and len(self._rules) >= MOST_RULESETS:
            self._report_violation(
                asked_at, f"a log is played by at most {MOST_RULESETS} different rulesets"
            )
            return None
        ruleset, findings = self._loaded(asked)
        for finding in errors_in(findings):
            shown = finding
            if not finding.file:  # it is about what a header asks for
                at = next(
                    (line for part, line in asked.places.items() if part in finding.message),
                    asked_at,
                )
                code = "log.name" if finding.code == "rules.extends" else finding.code
                shown = changed(finding, code=code, span=whole_line(at).span, excerpt=at.text)
            self.reporter.add_finding(shown)
        self._rules = {**self._rules, rules: asked_at.number if ruleset is None else 0}
        return ruleset

    def _asked(self, headers: HeaderLines, line: Line) -> AskedRules:
        """The rules that headers ask for; those of a game that begins at a line."""
        name, asked_at = self.overrides.rules, line
        options: list[Name] = []
        settings: list[Setting] = []
        places: dict[str, Line] = {}
        for at, header in headers:
            named = [part.strip() for part in header.value.split(",") if part.strip()]
            if header.key == "Rules":
                asked_at, name = at, self.overrides.rules or self._named(header.value)
            elif header.key == "Options":
                options += map(self._named, named)
            elif header.key == "Set":
                place = {"file": self.reporter.file, "line": at.number}
                settings.append(changed(Setting.of(header.value), **place))
            if header.key in {"Rules", "Options"}:
                places |= dict.fromkeys(map(one_line, named), at)
        return AskedRules(name, tuple(options), tuple(settings), asked_at, places)

    def _loaded(self, asked: AskedRules) -> tuple[Ruleset | None, tuple[Finding, ...]]:
        """The ruleset that is asked for, with what goes over a log's headers."""
        over = self.overrides
        assert asked.name is not None
        chosen = (*asked.options, *[option for option in over.options if option])
        settings = (*asked.settings, *over.settings)
        return self.shelf.load(asked.name, chosen, settings, over.beside)

    def sound_rules(self, headers: HeaderLines) -> tuple[object, Ruleset] | None:
        """The rules that headers ask for, as `_rules` names them; None if anything is wrong with them.

        Nothing is said of that.
        """
        asked = self._asked(headers, headers[0][0])
        if asked.name is None or self._rules.get(asked.rules):
            return None
        ruleset, findings = self._loaded(asked)
        return None if ruleset is None or errors_in(findings) else (asked.rules, ruleset)

    def _named(self, name: str) -> Name:
        """The name of rules in a header; one that is not a path can only be a shipped ruleset."""
        if self.overrides.trust_paths or not any(map(is_path, name.split())):
            return name
        return LogName(name, self.overrides.beside or Path())

    def _end_game(self) -> None:
        if self.game is not None:
            self.game.close()
        self.game = None
        self.reporter.game = 0

    def apart(self, characters: int) -> GamesApart | None:
        """Ends here: what these games come to for the log that they were taken from.

        None if something was found or left open, or anything was searched: then it depends on what
        was before in the log. So does a last game of which there are only headers.
        """
        if self._headers:
            return None
        report = self.finish()
        if report.findings or report.open or self.expected or not report.readable:
            return None
        if self.house.over or not self.reporter.suggestions.untouched:
            return None
        granted = EFFORT_ON_A_CHARACTER * characters
        spent = EFFORT_ON_HOUSE_RULES + granted - self.house.left
        return GamesApart(report, self._rules, granted, spent)

    def take_in(self, games: GamesApart) -> bool:
        """Goes on after games that were replayed apart; False if they have to be replayed here.

        Raises:
            NotApart: the end of the game under way has changed what the others come to.
        """
        report, house = self.report, self.house
        rules = {**self._rules, **games.rules}
        if self._headers:  # theirs may be those of a game that has begun before
            return False
        if len(rules) > MOST_RULESETS or any(map(self._rules.get, games.rules)):
            return False
        if house.left < games.spent:
            return False
        with EFFORT.spending(house):
            self._end_game()
        if house.left < games.spent:
            raise NotApart
        house.left += games.granted - games.spent
        before = report.games
        report.scores += [changed(hand, game=before + hand.game) for hand in games.report.scores]
        report.games += games.report.games
        report.hands += games.report.hands
        report.turns += games.report.turns
        self._rules = rules
        return True

    def forget(self, keep: int = 0) -> None:
        """Lets go of all that was found but `keep` findings: nobody asks for the rest again.

        What the hand under way leaves open stays, as it is weighed when the hand is over.
        """
        reporter, findings = self.reporter, self.so_far.findings
        if len(findings) > keep:
            self.report.findings, reporter.report.findings = findings[:keep], []
            reporter.has_let_go = True
            if self.game is not None:
                self.game.opening = LogReport("")
        self.report.open, self.report.scores = [], []
        self.expected.clear()

    def finish(self) -> LogReport:
        """The log ends here."""
        with EFFORT.spending(self.house):
            return self._finish()

    def _finish(self) -> LogReport:
        if self._headers and not self.reporter.game:
            self._begin_game(self._headers[-1][0])
        self._end_game()
        if not self.report.games:
            self.report.readable = False
            if not self.so_far.findings:
                self.reporter.add_finding(
                    Finding("log.syntax", "there is no game in this file", Span(1))
                )
        self.reporter.settle()
        file = self.reporter.file
        self.report.findings.sort(key=lambda finding: (finding.file != file, finding.span.line))
        return self.report

    def _report_violation(
        self, line: Line, message: str, code: str = "log.name", severity: Severity = Severity.ERROR
    ) -> None:
        span = whole_line(line).span
        self.reporter.add_finding(Finding(code, message, span, severity, excerpt=line.text))


def _reporter(path: str, suggestions: int) -> Reporter:
    """What reports on the log of a path, `-` or none."""
    file = Path(path).name if path not in {"-", ""} else path
    return Reporter(LogReport(path), file, Suggestions(suggestions))


def replay(
    lines: Iterable[Read],
    path: str = "",
    overrides: Overrides = NO_OVERRIDES,
    explainer: Explainer | None = None,
) -> LogReport:
    """The audit of a log's lines."""
    run = Replay(path, overrides, explainer=explainer)
    run.feed(lines)
    return run.finish()


_MOST_SHOWN: Final = 3
"""How many findings are shown as why no hand is being played at a line."""


def stand_before(
    lines: Iterable[Read],
    number: int,
    path: str = "",
    overrides: Overrides = NO_OVERRIDES,
    explainer: Explainer | None = None,
) -> tuple[Built | None, tuple[Finding, ...]]:
    """Where a log stands before a line, to go on from; None and why if nothing is played there."""
    run = Replay(path, overrides, explainer=explainer)
    run.feed(filter(lambda item: item[0].number < number, lines))
    return stand_now(run, number)


def stand_now(run: Replay, number: int) -> tuple[Built | None, tuple[Finding, ...]]:
    """Where a log that was fed up to line `number` stands; None and why if nothing is played there."""
    game = run.game
    if game is None or game.hand is None or not game.hand.started:
        message = f"no hand is being played before line {number}"
        why = run.so_far.findings[:_MOST_SHOWN]
        return None, (*why, Finding("log.name", message, Span(number)))
    return game.hand.stands(), ()


def as_expected(report: LogReport, expected: Collection[Line]) -> list[Finding]:
    """The findings that remain where a log says which violations it expects (`?! CODE`).

    An expected violation that does not occur is a finding of its own, `log.assert`.
    """
    wanted = {line.number: line.expected for line in expected}
    codes: dict[int, set[str]] = {}
    rest: list[Finding] = []
    for finding in report.findings:
        number = finding.span.line
        codes.setdefault(number, set()).add(finding.code)
        if not is_among(finding.code, wanted.get(number, ())):
            rest.append(finding)
    for line in expected:
        for code in line.expected:
            if not any(is_among(other, (code,)) for other in codes.get(line.number, ())):
                message, span = f"{code} is expected here and does not occur", whole_line(line).span
                rest.append(
                    Finding("log.assert", message, span, file=report.path, excerpt=line.text)
                )
    return sorted(rest, key=lambda finding: finding.span.line)


def audit_file(
    path: str | Path,
    rules: str | None = None,
    options: Sequence[str] = (),
    settings: Sequence[str] = (),
    *,
    trust_paths: bool = False,
    explainer: Explainer | None = None,
) -> LogReport:
    """Audits the log in a file; paths in its headers start at the file's folder, and stay in it.

    Args:
        path: the file.
        rules: a ruleset in place of the log's own.
        options: options over those of the log.
        settings: `key=value` texts over those of the log.
        trust_paths: paths in its headers may lead anywhere.
        explainer: explains what is found in a hand when it is over (None: it is told as found).

    Raises:
        OSError: the file cannot be opened or read.
    """
    overrides = Overrides(rules, tuple(options), tuple(settings), Path(path).parent, trust_paths)
    return replay(read_lines(open_lines(path)), str(path), overrides, explainer)


def audit_text(
    text: str,
    rules: str | None = None,
    options: Sequence[str] = (),
    settings: Sequence[str] = (),
    beside: Path | None = None,
    *,
    trust_paths: bool = False,
    explainer: Explainer | None = None,
) -> LogReport:
    """Audits a log that is a text, as `audit_file` does; paths in its headers start at `beside`."""
    overrides = Overrides(rules, tuple(options), tuple(settings), beside, trust_paths)
    return replay(read_lines(text), "", overrides, explainer)
