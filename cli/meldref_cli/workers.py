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

_AHEAD: Final = 4
"""How many tasks a worker may be ahead of what was reported."""


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

    waiting: deque[tuple[Task, Future[Outcome] | None]] = deque()
    rest = iter(tasks)
    while True:
        while len(waiting) < jobs * _AHEAD and (task := next(rest, None)) is not None:
            own = task.path == STANDARD_INPUT
            waiting.append((task, None if own else pool.submit(_work, task)))
        if not waiting:
            return
        task, future = waiting.popleft()
        if future is None:
            yield audit_log(task, tick)
            continue
        try:
            yield future.result()
        except BrokenProcessPool as broken:
            raise RuntimeError(f"a worker process ended while it audited {task.path}, or near it") from broken
        if tick is not None:
            tick(size_of(task.path))


def size_of(path: str) -> int:
    """A file's size in bytes; nothing where that cannot be told."""
    from pathlib import Path

    try:
        return Path(path).stat().st_size
    except OSError:
        return 0


_OWN: Final = Shelf()
"""The rulesets of this process, where it is a worker."""


def _work(task: Task) -> Outcome:
    """Audits one log in a worker."""
    return audit_log(task, shelf=_OWN)


def _start_worker() -> None:
    """An interrupt is for the process that the user started; it ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
