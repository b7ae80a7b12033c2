"""Audits single logs, in bounded memory whatever is in them."""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from operator import attrgetter
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, Final, TypeVar

from meldref.core.diagnostics import ENOUGH, FEW, Finding, Severity, Span, WrongPackage, errors_in
from meldref.core.effort import MOST_FINDINGS, MOST_SUGGESTIONS
from meldref.core.events import Header
from meldref.core.safe_files import why_not
from meldref.notation.hopeful import Hopeful
from meldref.notation.reader import Read, has_event, read_lines, respelled
from meldref.notation.scanner import NumberedLines, decode_numbered
from meldref.notation.writer import write_line
from meldref.replay.log import Overrides, Replay, as_expected
from meldref.replay.result import LogReport, Scores
from meldref.report.tally import Audited
from meldref.rulefiles.files import Name
from meldref.rulefiles.shelf import RulesetCache
from meldref_archive.sources import Log
from meldref_evidence.explaining import RecordExplainer
from meldref_evidence.repair.search import MARGIN

if TYPE_CHECKING:
    from meldref_table.report.viewer.film import HandFilm, Recorder

_SCORES: Final = 500
"""The most hands whose scores are kept in memory."""
facts_of: Final = attrgetter(*Scores.__match_args__)
"""All that the scores of a hand say."""
_IN_MEMORY: Final = 1 << 18
"""How many bytes of scores wait in memory; more wait in a file."""
EVERY: Final = 50
"""Findings are trimmed after this many lines: a line may have thousands of them."""
_MOST_HEADERS: Final = 50
"""The most headers of a log that are noted."""

_R = TypeVar("_R")

Tick = Callable[[int], None]
"""Called now and then with the number of further characters read."""


AskedRules = tuple[Name | None, tuple[Name, ...], tuple[str, ...]]
"""A ruleset in place of a log's own, and options and `key=value` texts over those of the log."""


@dataclass(frozen=True, slots=True)
class Task:
    """What to audit, and how: `keep` is the most findings that are kept.

    `scores`: those of all hands are kept. `suggestions`: what would have been legal is worked out.
    `trust_paths`: the log may name rules files anywhere. `log` says where the text is, if `path`
    does not. `film`: the hands are recorded. `spelling`: lines in another spelling are noted.
    `doubts`: repairs name others that are about as likely. `twice`: games that a glance confirms are
    replayed, nevertheless, and both have to say the same.
    """

    path: str
    rules: AskedRules
    keep: int = ENOUGH
    scores: bool = False
    suggestions: bool = True
    expect: bool = False
    trust_paths: bool = False
    log: Log | None = None
    film: bool = False
    spelling: bool = False
    doubts: bool = False
    twice: bool = False

    @property
    def size(self) -> int:
        """How many bytes the log has, as far as that can be told at once."""
        return (self.log or Log.of(self.path)).size


@dataclass(slots=True)
class TaskResult:
    """What became of a task: an audit, or why there is none; `fault` is one of the program's own.

    `cause` is one word for the trouble; `headers` are those of the log's first game; `hands` were
    recorded. `rules` are the rules files that were read, by path, each with a digest.
    """

    audited: Audited
    trouble: str = ""
    cause: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    rules: dict[str, str] = field(default_factory=dict)
    hands: list[HandFilm] = field(default_factory=list)
    fault: str = ""
    traceback: str = ""


def audit_log(
    task: Task, tick: Tick | None = None, shelf: RulesetCache | None = None
) -> TaskResult:
    """Audits one log; whatever goes wrong with it is said in the result.

    A `shelf` keeps the rulesets of logs that are audited together, so that each is loaded once.
    """
    return told(task, lambda: _audit(task, tick, shelf or RulesetCache()))


def told(task: Task, audit: Callable[[], _R]) -> _R | TaskResult:
    """What an audit comes to; whatever goes wrong with it is said in the result."""
    try:
        return audit()
    except OSError as error:
        return unreadable(task.path, why_not(error))
    except MemoryError:
        return unreadable(task.path, "there is not enough memory to audit it", "memory")
    except WrongPackage:
        raise
    # A fault of our own in one log must not cost the others theirs.
    except Exception as fault:  # noqa: BLE001
        result = unreadable(task.path, "", "fault")
        result.fault = f"{type(fault).__name__}: {fault}".splitlines()[0]
        result.traceback = traceback.format_exc().rstrip()
        return result


def _audit(task: Task, tick: Tick | None, shelf: RulesetCache) -> TaskResult:
    audit = LogAudit(task, shelf)
    with audit.log.opened() as stream:
        lines = audit.read(decode_numbered(stream))
        while batch := list(islice(lines, EVERY)):
            audit.replay(batch)
            if not audit.settle(batch[-1][0].number):
                break
            if tick is not None:
                tick(sum([len(line.text) for line, _ in batch]) + len(batch))
    return audit.finish()


def begin_replay(task: Task, log: Log, shelf: RulesetCache) -> Replay:
    """The replay of a log, of which no line was read; of a sheet, each wrong sum is told."""
    overrides = Overrides(*task.rules, log.beside, task.trust_paths)
    suggestions = MOST_SUGGESTIONS if task.suggestions else 0
    is_sheet = log.intake is not None and log.intake.arithmetic
    explainer = None if is_sheet else RecordExplainer(doubt=MARGIN if task.doubts else 0.0)
    return Replay(task.path, overrides, shelf, suggestions, explainer)


class LogAudit:
    """The audit of one log, which is fed its lines: what is too much is counted and let go of."""

    def __init__(self, task: Task, shelf: RulesetCache) -> None:
        self.task = task
        self.log = task.log or Log.of(task.path)
        shelf.used.clear()
        self.run = begin_replay(task, self.log, shelf)
        self.audited = Audited(self.run.report)
        self._shelf = shelf
        self._headers: dict[str, str] = {}
        self._hopeful: Hopeful[Read] | None = None
        self._recorder: Recorder | None = None
        if task.film:
            from meldref_table.report.viewer.film import Recorder

            self._recorder = Recorder()

    def read(self, lines: NumberedLines) -> Iterator[Read]:
        """Reads the lines of the log, as long as there is hope that it is one."""
        self._hopeful = Hopeful(read_lines(lines), has_event)
        return iter(self._hopeful)

    def replay(self, batch: Sequence[Read]) -> None:
        """Replays lines."""
        run = self.run
        if not run.report.games:
            _note_headers(batch, self._headers)
        if self._recorder is None:
            run.feed(batch)
        else:
            for read in batch:
                self._recorder.feed(run, read)
        if self.task.spelling:
            self.note_spelling(respelled_in(batch))

    def settle(self, line: int) -> bool:
        """Lets go of what is too much, up to a line; False if the rest is not audited."""
        audited = self.audited
        _trim(audited, self.task)
        if self.has_too_much:
            audited.gave_up, audited.too_much = line, True
            return False
        if not self.task.expect:
            self.run.expected.clear()
        return True

    @property
    def has_too_much(self) -> bool:
        """Whether so much was found that the rest is not audited."""
        return self.audited.findings + self.run.under_way >= MOST_FINDINGS

    def note_spelling(self, lines: Sequence[tuple[int, str]]) -> None:
        """Notes lines in another spelling, as far as they are shown."""
        respelled = self.audited.respelled
        respelled += lines[: ENOUGH - len(respelled)]

    def note_games(self, headers: Mapping[str, str]) -> None:
        """Notes that games were taken in, with the headers of the first one."""
        if not self._headers:
            self._headers.update(headers)
        if self._hopeful is not None:
            self._hopeful.has_hope = True

    def finish(self) -> TaskResult:
        """The log ends here."""
        audited, run = self.audited, self.run
        report = run.finish()
        if self._recorder is not None:
            self._recorder.finish(run)
        if self._hopeful is not None:
            audited.gave_up = audited.gave_up or self._hopeful.gave_up
        report.readable = report.readable and not audited.gave_up
        if self.task.expect:
            report.findings = as_expected(report, list(run.expected.values()))
        _trim(audited, self.task)
        if not report.games:
            _hide(audited, FEW)
            report.readable = False
        hands = [] if self._recorder is None else self._recorder.hands
        rules = dict(self._shelf.used)
        return TaskResult(audited, headers=self._headers, rules=rules, hands=hands)


def respelled_in(batch: Iterable[Read]) -> list[tuple[int, str]]:
    """The lines in another spelling than the grammar's, by number, in their canonical form."""
    return [(read[0].number, write_line(read[0])) for read in batch if respelled(read)]


def _note_headers(lines: Iterable[Read], headers: dict[str, str]) -> None:
    """The headers of the game that these lines begin; of several with one key, the last."""
    for line, _ in lines:
        event = line.event
        if type(event) is Header:
            if event.key in headers or len(headers) < _MOST_HEADERS:
                headers[event.key] = event.value
        elif event is not None:
            return


def unreadable(path: str, why: str, cause: str = "file") -> TaskResult:
    """A log that cannot be audited, and why."""
    report = LogReport(path, readable=False)
    if why:
        report.findings.append(Finding("log.syntax", why, Span(1), file=path))
    return TaskResult(Audited(report), trouble=why, cause=cause)


def _trim(audited: Audited, task: Task) -> None:
    """Counts what is too much, and lets go of it; an error is always kept, if there is one."""
    report, keep = audited.report, task.keep
    findings = report.findings
    if len(findings) > keep and not errors_in(findings[:keep]):
        for place in range(keep, len(findings)):
            if findings[place].severity is Severity.ERROR:
                findings[keep - 1], findings[place] = findings[place], findings[keep - 1]
                break
    _hide(audited, keep)
    del report.open[keep:]
    if not task.scores:
        del report.scores[:-1]
    elif len(report.scores) > _SCORES:
        if not isinstance(audited.earlier, ScoreFile):
            audited.earlier = ScoreFile()
        audited.earlier.take(report.scores)


def _hide(audited: Audited, keep: int) -> None:
    """Counts the findings after the first `keep`, and lets go of them."""
    findings = audited.report.findings
    audited.hidden += len(findings[keep:])
    audited.hidden_errors += len(errors_in(findings[keep:]))
    del findings[keep:]


class ScoreFile:
    """Scores in the order in which they came.

    The file has no name, and ends with the process at the latest.
    """

    def __init__(self, rows: str = "") -> None:
        # It stays open as long as this object is kept.
        self._file = SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="ascii")  # noqa: SIM115
        self._file.write(rows)

    def take(self, scores: list[Scores]) -> None:
        """Keeps these, and empties the list."""
        self._file.writelines(json.dumps(facts_of(score)) + "\n" for score in scores)
        scores.clear()

    def __iter__(self) -> Iterator[Scores]:
        """Each in turn, read when it is wanted."""
        self._file.seek(0)
        for row in self._file:
            yield Scores(*json.loads(row))

    def __del__(self) -> None:
        self._file.close()

    def __reduce__(self) -> tuple[type[ScoreFile], tuple[str]]:
        """What another process gets: these scores in a file of its own."""
        self._file.seek(0)
        return ScoreFile, (self._file.read(),)
