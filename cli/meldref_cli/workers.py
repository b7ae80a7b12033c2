"""Audits many logs, in this process or in several, with the same result in the same order.

A worker that ends in the middle of a batch costs the outcomes of that batch, and another one takes its place.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from meldref.archive.auditing import Task, TaskResult, Tick, audit_log, unreadable
from meldref.archive.workers import Crew, Worker, WorkerGone
from meldref.rulefiles.shelf import RulesetCache
from meldref_cli.files import STANDARD_INPUT

if TYPE_CHECKING:
    from concurrent.futures import Future

_AHEAD: Final = 2
"""How many batches a worker may be ahead of what was reported."""
_MOST: Final = 32
"""How many logs a batch has at most: each hand-over costs as much as some dozen turns."""
_LARGE: Final = 1 << 20
"""A batch of so many bytes is large enough."""
_A_CORE: Final = 4
"""More processes a core than that only take room."""


def audit_all(tasks: Sequence[Task], jobs: int, tick: Tick | None = None) -> Iterator[TaskResult]:
    """The outcome of each task, in order."""
    jobs = min(jobs, len(tasks), _A_CORE * (os.cpu_count() or 1))
    if jobs < 2:
        shelf = RulesetCache()
        for task in tasks:
            yield audit_log(task, tick, shelf)
        return
    crew = Crew(jobs)
    try:
        yield from _in_order(tasks, jobs, crew, tick)
    finally:
        crew.dismiss()


def _in_order(tasks: Sequence[Task], jobs: int, crew: Crew, tick: Tick | None) -> Iterator[TaskResult]:
    """Keeps the workers busy, a little ahead; standard input is this process's own."""
    waiting: deque[tuple[Sequence[Task], Future[list[TaskResult]] | None]] = deque()
    rest = _batches(tasks, min(_MOST, max(1, len(tasks) // (jobs * 4))))
    while True:
        while len(waiting) < jobs * _AHEAD and (more := next(rest, None)) is not None:
            own = more[0].path == STANDARD_INPUT
            waiting.append((more, None if own else crew.submit(partial(_lead, batch=more))))
        if not waiting:
            return
        batch, future = waiting.popleft()
        if future is None:
            yield audit_log(batch[0], tick)
            continue
        for task, outcome in zip(batch, future.result(), strict=True):
            yield outcome
            if tick is not None:
                tick(size_of(task.path))


def _lead(worker: Worker, batch: Sequence[Task]) -> list[TaskResult]:
    """The outcomes of a batch, or why there are none."""
    try:
        return list(worker.work(partial(_audit, batch)))
    except WorkerGone as gone:
        return [unreadable(task.path, f"{gone}; its result is lost") for task in batch]


_shelf: Final[list[RulesetCache]] = []
"""The rulesets of a worker's logs."""


def _audit(batch: Sequence[Task]) -> Iterator[TaskResult]:
    """What a worker does."""
    if not _shelf:
        _shelf.append(RulesetCache())
    for task in batch:
        yield audit_log(task, shelf=_shelf[0])


def _batches(tasks: Sequence[Task], most: int) -> Iterator[list[Task]]:
    """Tasks that lie side by side, handed over together; standard input by itself."""
    batch: list[Task] = []
    size = 0
    for task in tasks:
        alone = task.path == STANDARD_INPUT
        if batch and (alone or len(batch) >= most or size >= _LARGE):
            yield batch
            batch, size = [], 0
        batch.append(task)
        size += _LARGE if alone else size_of(task.path)
    if batch:
        yield batch


def size_of(path: str) -> int:
    """A file's size in bytes; nothing where that cannot be told."""
    from pathlib import Path

    try:
        return Path(path).stat().st_size
    except OSError:
        return 0
