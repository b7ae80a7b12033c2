"""Audits many logs, in this process or in several, with the same result in the same order.

Each worker is a process of its own, led by a thread here that hands batches over and waits for their outcomes. A
worker that ends in the middle of a batch costs the outcomes of that batch, and another one takes its place.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from meldref.rulefiles.shelf import RulesetCache
from meldref_cli.auditing import Task, TaskResult, Tick, audit_log, unreadable
from meldref_cli.files import STANDARD_INPUT
from meldref_cli.output import system_words

if TYPE_CHECKING:
    from concurrent.futures import Future
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

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
    crew = _Crew(jobs)
    try:
        yield from _in_order(tasks, jobs, crew, tick)
    finally:
        crew.dismiss()


def _in_order(tasks: Sequence[Task], jobs: int, crew: _Crew, tick: Tick | None) -> Iterator[TaskResult]:
    """Keeps the workers busy, a little ahead; standard input is this process's own."""
    waiting: deque[tuple[Sequence[Task], Future[list[TaskResult]] | None]] = deque()
    rest = _batches(tasks, min(_MOST, max(1, len(tasks) // (jobs * 4))))
    while True:
        while len(waiting) < jobs * _AHEAD and (more := next(rest, None)) is not None:
            own = more[0].path == STANDARD_INPUT
            waiting.append((more, None if own else crew.submit(more)))
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


class _Crew:
    """Workers, each with the thread that leads it."""

    def __init__(self, jobs: int) -> None:
        from concurrent.futures import ThreadPoolExecutor
        from threading import local

        self._leaders = ThreadPoolExecutor(jobs, initializer=_spare_the_worker)
        self._own = local()
        self._workers: list[_Worker] = []
        self._dismissed = False

    def submit(self, batch: Sequence[Task]) -> Future[list[TaskResult]]:
        """Hands a batch over to the next worker that is free."""
        return self._leaders.submit(self._lead, batch)

    def _lead(self, batch: Sequence[Task]) -> list[TaskResult]:
        """The outcomes of a batch, or why there are none; what a leader does."""
        worker: _Worker | None = getattr(self._own, "worker", None)
        if worker is None:
            try:
                worker = self._own.worker = _Worker()
            except OSError as error:
                return _lost(batch, f"no process could be started to audit it: {system_words(error)}")
            self._workers.append(worker)
        if self._dismissed:
            worker.end()
        outcomes = worker.work(batch)
        if outcomes is None:
            del self._own.worker
            self._workers.remove(worker)
            return _lost(batch, f"the process that audited it ended early ({worker.end()}); its result is lost")
        return outcomes

    def dismiss(self) -> None:
        """Ends the workers, whatever they are doing."""
        self._dismissed = True
        for worker in tuple(self._workers):
            worker.end()
        self._leaders.shutdown(cancel_futures=True)
        for worker in tuple(self._workers):
            worker.end()


class _Worker:
    """A process that audits batches, as it is seen from here.

    Raises:
        OSError: the system starts no more processes.
    """

    def __init__(self) -> None:
        from multiprocessing import get_context

        context = get_context("spawn")
        self._here, there = context.Pipe()
        self._process: SpawnProcess = context.Process(target=_serve, args=(there,), daemon=True)
        try:
            self._process.start()
        finally:
            there.close()

    def work(self, batch: Sequence[Task]) -> list[TaskResult] | None:
        """The outcomes of a batch; None where the process ends before it has them."""
        try:
            self._here.send(batch)
            outcomes: list[TaskResult] = self._here.recv()
        except (EOFError, OSError):
            return None
        return outcomes

    def end(self) -> str:
        """Ends the process; says how it ended."""
        self._process.kill()
        self._process.join()
        code = self._process.exitcode or 0
        return f"by signal {-code}" if code < 0 else f"exit status {code}"


def _lost(batch: Sequence[Task], why: str) -> list[TaskResult]:
    return [unreadable(task.path, why) for task in batch]


def _spare_the_worker() -> None:
    """An interrupt is for the process that the user started: what this thread starts is not told of it."""
    import signal

    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def _serve(leader: Connection) -> None:
    """Audits batches as they come, as long as there is somebody to tell; what a worker does."""
    import signal
    from threading import Thread

    Thread(target=_end_with_the_parent, daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    shelf = RulesetCache()
    try:
        while True:
            leader.send([audit_log(task, shelf=shelf) for task in leader.recv()])
    except (EOFError, OSError):
        return
    except MemoryError:
        os._exit(1)


def _end_with_the_parent() -> None:
    """However the process ends that this one works for: nobody waits for its results any more."""
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)
