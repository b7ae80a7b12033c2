"""One large log that several processes audit: split at its games, with the same result.

What is found in a log depends on what was found before in it: how much is searched and suggested is
bounded for each log. So workers replay whole games apart, ahead of time, and say what those come to
if there is nothing to be found in them. They are taken in as they are; any others are replayed
here, in their turn, as if nobody else had seen them.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Final, NamedTuple

from meldref.core.allowance import EFFORT_ON_A_CHARACTER
from meldref.core.diagnostics import WrongPackage
from meldref.core.events import Header, Line
from meldref.notation.reader import Read, read_line, read_lines, respelled
from meldref.notation.roster import OF_PLAYERS
from meldref.notation.scanner import NumberedLines, decode_numbered
from meldref.notation.syntax import HEADER_KEYS, MONTH
from meldref.replay.game import HeaderLines
from meldref.replay.log import MOST_HEADERS, GamesApart, NotApart, Replay
from meldref.replay.result import LogReport
from meldref.rulefiles.files import is_path
from meldref.rulefiles.shelf import RulesetCache
from meldref_archive.auditing import (
    EVERY,
    LogAudit,
    Task,
    TaskResult,
    Tick,
    audit_log,
    begin_replay,
    facts_of,
    respelled_in,
    told,
)
from meldref_archive.confirming.game import confirm
from meldref_archive.confirming.settings import settings_of
from meldref_archive.sources import Log

FIRST: Final = 1 << 14
"""How many characters the first games have together that are handed over; then twice as many,"""
LARGE: Final = 1 << 18
"""up to this."""
ENDLESS: Final = 1 << 20
"""A game with more characters is not handed over as a whole."""
_HEADER: Final = re.compile(r'\[[A-Z][A-Za-z-]*\s+"[^"]*"\]\s*').fullmatch

_OF_RULES: Final = ("Rules", "Options")

NumberedLine = tuple[int, str]


class TwoVerdicts(Exception):
    """Two judges say different things of a game: one of them is wrong."""


@dataclass(frozen=True, slots=True)
class ReplayedApart:
    """What is said of games that were judged apart: what they come to, and what else the log needs.

    `players` is their last `[Players]` header, `rules` the rules files that were read, `headers`
    are those of the first game.
    """

    games: GamesApart
    players: NumberedLine
    rules: dict[str, str]
    respelled: list[tuple[int, str]]
    headers: dict[str, str]


class Piece(NamedTuple):
    """Lines of a log; `is_whole`: they look like whole games. After the last ones, there are none.

    `fault` is why no more could be read.
    """

    log: SplitLog
    lines: Sequence[NumberedLine]
    is_whole: bool
    fault: Exception | None = None


def replay_apart(
    task: Task, lines: Sequence[NumberedLine], shelf: RulesetCache, *, confirms: bool = True
) -> ReplayedApart | None:
    """What whole games of a log come to; None if they have to be replayed with what was before."""
    shelf.used.clear()
    run = begin_replay(task, task.log or Log.of(task.path), shelf)
    players: NumberedLine | None = None
    respelled: list[tuple[int, str]] = []
    for game, _ in _games_in(lines, 0):
        clean = confirmed(task, run, game) if confirms else None
        if clean is not None and run.take_in(clean.games):
            players = clean.players
            continue
        reads, players = read_lines(NumberedLines(game)), None
        while batch := list(islice(reads, EVERY)):
            players = _last_players(batch, players)
            if players is None or run.so_far.findings or run.expected:
                return None
            run.feed(batch)
            if task.spelling:
                respelled += respelled_in(batch)
    games = run.apart(sum([len(text) for _, text in lines]))
    if games is None or players is None:
        return None
    if not task.scores:
        del games.report.scores[:-1]
    return ReplayedApart(games, players, dict(shelf.used), respelled, {})


def confirmed(task: Task, run: Replay, lines: Sequence[NumberedLine]) -> ReplayedApart | None:
    """What a game comes to that a glance confirms; None if it has to be replayed.

    Games by files of rules are replayed: most of those have rules of their own.

    Raises:
        TwoVerdicts: the game is to be judged twice, and the referee says something else.
    """
    headers = _headers_of(lines, spelling=task.spelling)
    values = {header.key: header.value for _, header in headers}
    if not _are_usual(values, [header.key for _, header in headers]):
        return None
    asked = run.sound_rules(headers)
    if asked is None:
        return None
    rules, ruleset = asked
    players = values["Players"]
    settings = settings_of(ruleset, players.count(",") + 1)
    if settings is None:
        return None
    rest = [text for _, text in lines[len(headers) :]]
    game = confirm(settings, players, values.get("Dealer", ""), rest)
    if game is None:
        return None
    granted = EFFORT_ON_A_CHARACTER * sum([len(text) for _, text in lines])
    report = LogReport("", games=1, hands=len(game.scores), turns=game.turns, scores=game.scores)
    games = GamesApart(report, {rules: 0}, granted, spent=0)
    at = next((line.number, line.text) for line, header in headers if header.key == "Players")
    clean = ReplayedApart(games, at, rules={}, respelled=[], headers=values)
    if task.twice:
        _judge_again(task, clean, lines)
    return clean


def _judge_again(task: Task, clean: ReplayedApart, lines: Sequence[NumberedLine]) -> None:
    """Has the referee judge a game that was confirmed."""
    judged = replay_apart(replace(task, scores=True), lines, RulesetCache(), confirms=False)
    if judged is None or _facts(judged.games.report) != _facts(clean.games.report):
        raise TwoVerdicts(f"line {lines[0][0]}: a glance confirms this game, the referee does not")


def _facts(report: LogReport) -> tuple[object, ...]:
    return report.games, report.hands, report.turns, [facts_of(score) for score in report.scores]


def _headers_of(lines: Iterable[NumberedLine], *, spelling: bool) -> HeaderLines:
    """The headers that lines begin with; none if one is no plain one, or names a file of rules.

    `spelling`: one in another spelling has to be noted.
    """
    headers: list[tuple[Line, Header]] = []
    for number, text in lines:
        if not text.startswith("["):
            break
        line, findings = read = read_line(text, number)
        header = line.event
        if type(header) is not Header or findings or line.expected:
            return ()
        if spelling and respelled(read):
            return ()
        if header.key in _OF_RULES and is_path(header.value):
            return ()
        headers.append((line, header))
    return tuple(headers[:MOST_HEADERS])


def _are_usual(headers: Mapping[str, str], keys: Sequence[str]) -> bool:
    """Whether headers say nothing that has to be looked at; only settings stand there repeatedly."""
    return (
        "Players" in headers
        and all(key == "Set" or keys.count(key) == 1 for key in headers)
        and headers.get("View", "full") == "full"
        and bool(MONTH.search(headers.get("Date", "2026-11")))
        and all(key in HEADER_KEYS or key.startswith("X-") for key in headers)
    )


def _last_players(batch: Sequence[Read], before: NumberedLine | None) -> NumberedLine | None:
    """The last `[Players]` header; None if lines come before the first that depend on others.

    Until they are given, names are read by the players of the game before.
    """
    last = before
    for line, _ in batch:
        header = line.event if type(line.event) is Header else None
        if header is not None and header.key == "Players":
            last = line.number, line.text
        elif last is None and (header is None or header.key in OF_PLAYERS):
            return None
    return last


class SplitLog:
    """A log whose games are handed over, and whose audit goes on with what comes back in order."""

    def __init__(self, task: Task, shelf: RulesetCache | None = None) -> None:
        self.task = task
        self._shelf = shelf or RulesetCache()
        self._audit = LogAudit(task, self._shelf)
        self._waiting: deque[NumberedLine] = deque()
        self._reads = self._audit.read(NumberedLines(self._given()))
        self._players: NumberedLine | None = None
        """The header by which lines are read, if it was in games that were taken in."""
        self._count = self._last = 0
        """How many lines were gone through, and the number of the last one."""
        self._is_read = self._is_told = False

    @property
    def run(self) -> Replay:
        """The replay of the log."""
        return self._audit.run

    def pieces(self, *, by_games: bool = False) -> Iterator[Piece]:
        """The log in pieces, as they are needed; the beginning is for the audit itself.

        `by_games`: each game is one.
        """
        first = 0 if by_games else FIRST
        try:
            with self._audit.log.opened() as stream:
                for lines, is_whole in _games_in(decode_numbered(stream), first):
                    if self._is_told:
                        return
                    yield Piece(self, lines, is_whole)
        except WrongPackage:
            raise
        # It is told in its turn, as a log that cannot be read, or a fault of ours.
        except Exception as fault:  # noqa: BLE001
            yield Piece(self, (), is_whole=False, fault=fault)
            return
        yield Piece(self, (), is_whole=False)

    def add(self, piece: Piece, apart: ReplayedApart | None) -> TaskResult | None:
        """Goes on with a piece; the result of the log, once there is one."""
        if self._is_told:
            return None
        result = told(self.task, partial(self._go_on, piece, apart))
        self._is_told = result is not None
        return result

    def _go_on(self, piece: Piece, apart: ReplayedApart | None) -> TaskResult | None:
        if piece.fault is not None:
            raise piece.fault
        try:
            if apart is not None and self._takes_in(piece, apart):
                return None
            if piece.lines and self._replays(piece.lines):
                return None
        except NotApart:
            return audit_log(self.task)
        self._is_read = True
        # What was read last is counted when more is asked for.
        next(self._reads, None)
        self._audit.settle(self._last)
        return self._audit.finish()

    def _takes_in(self, piece: Piece, apart: ReplayedApart) -> bool:
        """Goes on after a piece that was replayed apart; False if it has to be replayed here."""
        audit = self._audit
        if audit.has_too_much or not audit.run.take_in(apart.games):
            return False
        if audit.has_too_much:
            raise NotApart
        self._shelf.used.update(apart.rules)
        audit.note_spelling(apart.respelled)
        audit.note_games(apart.headers)
        self._players = apart.players
        before = self._count // EVERY
        self._gone_through(piece.lines[-1][0], len(piece.lines))
        if self._count // EVERY > before:
            audit.settle(self._last)
        return True

    def _replays(self, lines: Sequence[NumberedLine]) -> bool:
        """Replays lines; False if the rest is not tried."""
        if self._players is not None:
            self._waiting.append(self._players)
            self._players = None
            if next(self._reads, None) is None:
                return False
        self._waiting.extend(lines)
        while self._waiting:
            number = min(len(self._waiting), EVERY - self._count % EVERY)
            reads = list(islice(self._reads, number))
            if reads:
                self._audit.replay(reads)
                self._gone_through(reads[-1][0].number, len(reads))
            if len(reads) < number:
                return False
            if self._count % EVERY == 0 and not self._audit.settle(self._last):
                return False
        return True

    def _gone_through(self, last: int, number: int) -> None:
        self._last = last
        self._count += number

    def _given(self) -> Iterator[NumberedLine]:
        """The lines that wait; nobody asks for more than there are, unless they were the last."""
        while self._waiting or not self._is_read:
            yield self._waiting.popleft()


def _games_in(
    lines: Iterable[NumberedLine], first: int
) -> Iterator[tuple[list[NumberedLine], bool]]:
    """The lines of a log in pieces, and whether a piece looks like whole games; the first does not.

    The first pieces have at least as many characters as `first`; 0: each is a game.
    Whatever looks like one and is none is found out when it is replayed.
    """
    piece: list[NumberedLine] = []
    size, large = 0, first
    is_whole, among_headers = False, True
    for line in lines:
        text = line[1]
        begins = not among_headers and text.startswith("[") and _HEADER(text)
        if begins and (size >= large or not is_whole):
            yield piece, is_whole
            large = min(2 * large, LARGE) if is_whole else large
            piece, size, is_whole = [], 0, True
        if text.startswith("["):
            among_headers = True
        elif text and not text.isspace() and not text.startswith("#"):
            among_headers = False
        piece.append(line)
        size += len(text) + 1
        if size >= ENDLESS:
            yield piece, False
            piece, size, is_whole = [], 0, False
    if piece:
        yield piece, is_whole


def audit_by_games(task: Task, tick: Tick | None, shelf: RulesetCache) -> TaskResult:
    """Audits a log game by game: those that a glance confirms need no replay.

    Whatever goes wrong with it is said in the result.
    """
    if task.film:
        return audit_log(task, tick, shelf)
    return told(task, partial(_audit_by_games, task, tick, shelf))


def _audit_by_games(task: Task, tick: Tick | None, shelf: RulesetCache) -> TaskResult:
    log = SplitLog(task, shelf)
    result = None
    for piece in log.pieces(by_games=True):
        result = log.add(piece, confirmed(task, log.run, piece.lines))
        if result is not None:
            break
        if tick is not None:
            tick(sum([len(text) + 1 for _, text in piece.lines]))
    assert result is not None
    return result
