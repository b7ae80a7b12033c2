"""Audits many logs, in this process or in several, with the same result in the same order."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from meldref.replay import Shelf
from meldref_cli.auditing import Outcome, Task, Tick, audit_log
from meldref_cli.files import STANDARD_INPUT

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

_AHEAD: Final = 2
"""How many batches a worker may be ahead of what was reported."""
_MOST: Final = 32
"""How many logs a batch has at most: each hand-over costs as much as some dozen turns."""
_LARGE: Final = 1 << 20
"""A batch of so many bytes is large enough."""


def audit_all(tasks: Sequence[Task], jobs: int, tick: Tick | None = None) -> Iterator[Outcome]:
    """The outcome of each task, in order."""
    jobs = min(jobs, len(tasks))
    if jobs < 2:
        shelf = Shelf()
        for task in tasks:
            yield audit_log(task, tick, shelf)
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_start_worker) as pool:
        try:
            yield from _in_order(tasks, jobs, pool, tick)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _in_order(tasks: Sequence[Task], jobs: int, pool: ProcessPoolExecutor, tick: Tick | None) -> Iterator[Outcome]:
    """Keeps the workers busy, a little ahead; standard input is this process's own."""
    from concurrent.futures.process import BrokenProcessPool

    waiting: deque[tuple[Sequence[Task], Future[list[Outcome]] | None]] = deque()
    rest = _batches(tasks, min(_MOST, max(1, len(tasks) // (jobs * 4))))
    while True:
        while len(waiting) < jobs * _AHEAD and (more := next(rest, None)) is not None:
            own = more[0].path == STANDARD_INPUT
            waiting.append((more, None if own else pool.submit(_work, more)))
        if not waiting:
            return
        batch, future = waiting.popleft()
        if future is None:
            yield audit_log(batch[0], tick)
            continue
        try:
            outcomes = future.result()
        except BrokenProcessPool as broken:
            raise RuntimeError(f"a worker process ended while it audited {batch[0].path}, or near it") from broken
        for task, outcome in zip(batch, outcomes, strict=True):
            yield outcome
            if tick is not None:
                tick(size_of(task.path))


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


_OWN: Final = Shelf()
"""The rulesets of this process, where it is a worker."""


def _work(batch: Sequence[Task]) -> list[Outcome]:
    """Audits some logs in a worker."""
    return [audit_log(task, shelf=_OWN) for task in batch]


def _start_worker() -> None:
    """An interrupt is for the process that the user started; it ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
