"""Audits of many logs: some logs of an archive as rows, and audits that are reported on.

What has the logs of an archive audited, here or on other machines, is in `run`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path
from sys import maxsize
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from meldref.core.diagnostics import MOST
from meldref.rulefiles.files import Name
from meldref.rulefiles.shelf import RulesetCache
from meldref_archive.auditing import Task, TaskResult, Tick, unreadable
from meldref_archive.rows import Rows, merged, rows_of
from meldref_archive.sources import STANDARD_INPUT, Log, keep_input

if TYPE_CHECKING:
    from meldref_archive.splitting import NumberedLine, Piece, ReplayedApart
    from meldref_archive.workers import Worker, WorkerGone

    _Work = tuple[Task, ...] | Piece

_CHUNK: Final = 16
"""How many logs a chunk has at most."""
_LARGE: Final = 1 << 18
"""How many bytes make a chunk large enough."""
_SPLIT: Final = 1 << 20
"""A log of so many bytes is shared among processes, game by game."""
_A_CORE: Final = 4
"""More processes a core than that only take room."""
_WORTH_A_PROCESS: Final = 1 << 21
"""How many bytes of logs are worth a process of their own: auditing them takes most of a second."""

_T = TypeVar("_T")


class Request(NamedTuple):
    """What is asked for: rules, options and settings over those of the logs, and limits for each.

    `seconds` and `memory` (bytes) are limits of workers; `expect` and `trust_paths` are as in
    `audit`.
    """

    rules: Name | None = None
    options: tuple[Name, ...] = ()
    settings: tuple[str, ...] = ()
    trust_paths: bool = False
    expect: bool = False
    seconds: float | None = None
    memory: int = 0


Chunk = tuple[Log, ...]
"""Logs that are handed over together."""

_shelf: Final[list[RulesetCache]] = []
"""The rulesets of the logs of this process."""


def audit_logs(logs: Iterable[Log], request: Request | None = None) -> Rows:
    """The rows of some logs; those of several calls merge by `Rows.add`.

    Whatever goes wrong with a log is a row that says so. Nothing is kept from call to call but
    rulesets.
    """
    return merged(rows_of_each(request or Request(), tuple(logs)))


def rows_of_each(request: Request, logs: Iterable[Log]) -> Iterator[Rows]:
    """The rows of each log, as they come."""
    options = {"expect": request.expect, "trust_paths": request.trust_paths}
    for log in logs:
        if log.trouble:
            yield rows_of(log, unreadable(log.name, log.trouble))
            continue
        task = Task(log.name, request[:3], MOST, scores=True, suggestions=False, log=log, **options)
        for result in _audit_each([task]):
            if log.intake is not None:
                log.intake.tell(result.audited.report)
            yield rows_of(log, result)


def _audit_each(tasks: Iterable[Task], tick: Tick | None = None) -> Iterator[TaskResult]:
    """What becomes of each task, as it comes."""
    from meldref_archive.splitting import audit_by_games

    shelf = _shelf_here()
    yield from (audit_by_games(task, tick, shelf) for task in tasks)


def _shelf_here() -> RulesetCache:
    """The rulesets of the logs of this process."""
    if not _shelf:
        _shelf.append(RulesetCache())
    return _shelf[0]


def why_lost(gone: WorkerGone, seconds: float | None) -> str:
    """Why a log was not audited; `seconds` is how long its worker may take for it."""
    if gone.cause == "time" and seconds is not None:
        return f"it was not audited within {seconds:g} second{'' if seconds == 1 else 's'}"
    return str(gone)


def available_cores() -> int:
    """How many processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def number_of_processes(
    sizes: Sequence[int], jobs: int | None, cores: int | None = None, *, splits: bool = True
) -> int:
    """How many processes share logs of these sizes, in bytes.

    `jobs` is how many are asked for: 0 stands for one a core, None for as many as pay, at most one
    a core. The largest log keeps one process busy, unless it `splits`; each further one needs logs
    that are worth it.
    """
    cores = cores or available_cores()
    parts = [_parts_of(size) if splits else 1 for size in sizes]
    if jobs is None:
        largest = max(map(int.__floordiv__, sizes, parts), default=0)
        jobs = min(cores, 1 + (sum(sizes) - largest) // _WORTH_A_PROCESS)
    return max(1, min(jobs or cores, sum(parts), _A_CORE * cores))


def _parts_of(size: int) -> int:
    """Into how many parts a log of this size may be split."""
    return size // _LARGE if size >= _SPLIT else 1


def audit_all(
    tasks: Sequence[Task],
    jobs: int | None = 1,
    tick: Tick | None = None,
    seconds: float | None = None,
    memory: int = 0,
) -> Iterator[TaskResult]:
    """What becomes of each task, in order: in this process, or in several that keep to limits.

    `jobs` is as in `number_of_processes`; `seconds` and `memory` (bytes) are the limits of one log.
    Without limits, a large log is shared among the processes.
    """
    has_limits = bool(seconds or memory)
    splits = not has_limits and not any(task.film or task.twice for task in tasks)
    jobs = number_of_processes([task.size for task in tasks], jobs, splits=splits)
    _shelf.clear()
    if jobs == 1 and not has_limits:
        yield from _audit_each(tasks, tick)
        return
    from meldref_archive.splitting import Piece
    from meldref_archive.workers import lead, side_by_side  # needed only for several processes

    def lost(task: Task, gone: WorkerGone) -> TaskResult:
        return unreadable(task.path, why_lost(gone, seconds), gone.cause)

    def led(worker: Worker, work: _Work) -> Sequence[TaskResult] | ReplayedApart | None:
        if isinstance(work, Piece):
            return _lead_piece(worker, work)
        return lead(
            worker,
            work,
            _audit_each,
            lost,
            seconds=seconds,
            spent=lambda result: result.cause == "memory",
        )

    # Of logs that are about as large, each keeps a process busy: games of one would only wait.
    total = sum([task.size for task in tasks])
    split_from = max(_SPLIT, 3 * total // (2 * jobs)) if splits else maxsize
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        movable = _with_input_in(Path(folder), tasks)
        most = max(1, len(tasks) // (jobs * 4))
        handed_over = _handed_over(movable, most, split_from)
        for work, outcome in side_by_side(handed_over, led, jobs, memory, in_order=True):
            if isinstance(work, Piece):
                assert not isinstance(outcome, Sequence)
                result = work.log.add(work, outcome)
                yield from () if result is None else (result,)
                size = sum([len(text) + 1 for _, text in work.lines])
            else:
                assert isinstance(outcome, Sequence)
                yield from outcome
                size = sum(task.size for task in work)
            if tick is not None:
                tick(size)


def _handed_over(tasks: Iterable[Task], most: int, split_from: int) -> Iterator[_Work]:
    """What workers do: logs together, and the games of one with at least `split_from` bytes."""
    from meldref_archive.splitting import SplitLog

    def is_split(task: Task) -> bool:
        return task.size >= split_from

    for are_split, group in groupby(tasks, is_split):
        if are_split:
            for task in group:
                yield from SplitLog(task).pieces()
        else:
            yield from chunks_of(group, lambda task: task.size, most, first=1)


def _lead_piece(worker: Worker, piece: Piece) -> ReplayedApart | None:
    """What a piece of a log comes to in a worker; None if it has to be replayed in the log."""
    from meldref_archive.workers import WorkerGone

    if not piece.is_whole:
        return None
    try:
        (apart,) = worker.work(partial(_replayed_apart, piece.log.task, piece.lines))
    except WorkerGone:
        return None
    return apart


def _replayed_apart(task: Task, lines: Sequence[NumberedLine]) -> Iterator[ReplayedApart | None]:
    from meldref_archive.splitting import replay_apart

    yield replay_apart(task, lines, _shelf_here())


def _with_input_in(folder: Path, tasks: Iterable[Task]) -> Iterator[Task]:
    """The tasks; standard input is copied to a file, since no other process can read it."""
    for task in tasks:
        log = task.log or Log.of(task.path)
        if log.place == STANDARD_INPUT:
            log = keep_input(log, folder / "input")
        yield replace(task, log=log)


def chunks_of(
    items: Iterable[_T],
    size_of: Callable[[_T], int],
    most: int = _CHUNK,
    first: int = _CHUNK,
) -> Iterator[tuple[_T, ...]]:
    """Logs that are handed over together: the same ones however many machines there are.

    The first are at most `first`, then twice as many each time, so that something is done soon.
    """
    chunk: list[_T] = []
    size = 0
    for item in items:
        chunk.append(item)
        size += size_of(item)
        if len(chunk) >= min(most, first, _CHUNK) or size >= _LARGE:
            yield tuple(chunk)
            chunk, size = [], 0
            first *= 2
    if chunk:
        yield tuple(chunk)
