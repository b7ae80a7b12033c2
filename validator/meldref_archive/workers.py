"""Processes that work side by side.

Each is led by the thread that made it, and one that ends is replaced.
"""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import partial
from itertools import islice
from multiprocessing import get_context, parent_process, resource_tracker
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, Final, TypeVar

from meldref.core.safe_files import system_words

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkContext, SpawnContext
    from multiprocessing.process import BaseProcess

_T = TypeVar("_T")
_R = TypeVar("_R")

_ITS_OWN: Final = 176 << 20
"""What a process has in memory, programs and libraries included, before it does anything."""
AHEAD: Final = 3
"""How many pieces of work are handed over for each process."""


class WorkerGone(Exception):
    """A process ended, or was ended, before it had done its work: how.

    `cause` is one word for that.
    """

    def __init__(self, how: str, cause: str = "died") -> None:
        super().__init__(how)
        self.cause = cause


_STARTING: Final = Lock()


@contextmanager
def _away_from_current_folder() -> Iterator[None]:
    """While a process that is started, by any thread, imports nothing from the current folder."""
    with _STARTING:
        before = os.environ.get("PYTHONSAFEPATH")
        os.environ["PYTHONSAFEPATH"] = "1"
        try:
            yield
        finally:
            if before is None:
                del os.environ["PYTHONSAFEPATH"]
            else:
                os.environ["PYTHONSAFEPATH"] = before


def _may_fork() -> bool:
    """Whether a copy of this process can work on: on Linux, where no other thread is under way.

    A copy has only the thread that made it, and what others had locked stays locked in it.
    """
    try:
        return len(list(Path("/proc/self/task").iterdir())) == 1
    except OSError:
        return False


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """While this thread starts processes: interrupts are for the user's own."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Worker:
    """A process that does one job after another, started with the first, or forked before.

    A job may need `memory` bytes.
    """

    def __init__(self, memory: int = 0) -> None:
        self._memory = memory
        self._process: BaseProcess | None = None
        self._here: Connection | None = None
        self._dismissed = False

    def work(self, job: Callable[[], Iterable[_T]], limit: float | None = None) -> Iterator[_T]:
        """The results of a job as they come; both are pickled.

        Raises:
            WorkerGone: the process ended, or no result came in `limit` seconds; the next job starts
                another one.
        """
        try:
            here = self._here or self._started()
            here.send(job)
            while True:
                if limit is not None and not here.poll(limit):
                    self.end()
                    raise WorkerGone("it took too long", "time")
                more, result = here.recv()
                if not more:
                    return
                yield result
        except (EOFError, OSError) as gone:
            if self._process is None:
                words = system_words(gone) if isinstance(gone, OSError) else ""
                raise WorkerGone(f"no process could be started to audit it: {words}") from gone
            how = self.end()
            if how == f"exit status {errno.ENOMEM}":
                raise WorkerGone("there is not enough memory to audit it", "memory") from gone
            raise WorkerGone(f"the process that audited it ended early ({how})") from gone

    def fork(self) -> None:
        """Starts the process as a copy of this one, which has loaded all that this one has.

        Where that cannot be done, the process is started with the first job.
        """
        try:
            with _interrupts_held_back():
                self._begin(get_context("fork")).recv()
        except (EOFError, OSError):
            self.end()

    def _started(self) -> Connection:
        with _away_from_current_folder():
            here = self._begin(get_context("spawn"))
        here.recv()
        return here

    def _begin(self, context: ForkContext | SpawnContext) -> Connection:
        here, there = context.Pipe()
        process = context.Process(target=_serve, args=(there, self._memory), daemon=True)
        try:
            process.start()
        finally:
            there.close()
        self._process, self._here = process, here
        if self._dismissed:
            process.kill()
        return here

    def end(self) -> str:
        """Ends the process, whatever it is doing; says how it ended."""
        process, self._process = self._process, None
        if process is None:
            return ""
        self._here = None
        process.kill()
        process.join()
        code = process.exitcode or 0
        return f"by signal {-code}" if code < 0 else f"exit status {code}"

    def dismiss(self) -> None:
        """Ends the process for good."""
        self._dismissed = True
        self.end()


def lead(
    worker: Worker,
    items: Sequence[_T],
    job: Callable[[Sequence[_T]], Iterator[_R]],
    lost: Callable[[_T, WorkerGone], _R],
    *,
    seconds: float | None = None,
    spent: Callable[[_R], bool] = lambda _: False,
) -> list[_R]:
    """Runs a job on each item in a worker process.

    An item that kills the process is retried once, alone; after that, or a timeout, `lost` makes
    its result. After a result that leaves the process `spent`, another one continues.
    """
    done: list[_R] = []
    ended = 0
    while len(done) < len(items):
        rest = items[len(done) :]
        try:
            for result in worker.work(partial(job, rest[:1] if ended else rest), seconds):
                full = spent(result)
                ended = int(full and not ended)
                if not ended:
                    done.append(result)
                if full:
                    worker.end()
                    break
        except WorkerGone as gone:
            ended += 1
            if gone.cause == "time" or ended > 1:
                done.append(lost(items[len(done)], gone))
                ended = 0
    return done


def side_by_side(
    work: Iterable[_T],
    lead: Callable[[Worker, _T], _R],
    jobs: int,
    memory: int = 0,
    *,
    in_order: bool = False,
) -> Iterator[tuple[_T, _R]]:
    """Each piece of work with its result, by `jobs` workers, a little ahead.

    `in_order` or as they are ready.
    """
    workers = [Worker(memory) for _ in range(jobs)]
    idle = list(workers)

    def led(item: _T) -> _R:
        worker = idle.pop()  # there is always one: they are as many as the threads that lead them
        try:
            return lead(worker, item)
        finally:
            idle.append(worker)

    leaders = ThreadPoolExecutor(jobs, initializer=_spare_the_worker)
    under_way: dict[Future[_R], _T] = {}
    rest = iter(work)
    try:
        # Limits of memory are counted from what a fresh process has.
        if not memory and _may_fork():
            for worker in workers:
                worker.fork()
        while True:
            for more in islice(rest, jobs * AHEAD - len(under_way)):
                under_way[leaders.submit(led, more)] = more
            if not under_way:
                return
            first = [next(iter(under_way))]
            for future in first if in_order else wait(under_way, return_when=FIRST_COMPLETED).done:
                yield under_way.pop(future), future.result()
    finally:
        for worker in workers:
            worker.dismiss()
        leaders.shutdown(cancel_futures=True)


def _spare_the_worker() -> None:
    """Keeps interrupts from what this thread starts: they are for the user's own process.

    The tracker of resources, which the first worker would start otherwise, lets interrupts through
    once it runs.
    """
    if hasattr(signal, "pthread_sigmask"):
        with _away_from_current_folder():
            resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def _serve(leader: Connection, memory: int) -> None:
    """What a worker does: jobs as they come, as long as somebody takes their results."""
    Thread(target=_end_with_the_parent, daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if memory:
        import resource  # not on every system

        most, hard = memory + _ITS_OWN, resource.getrlimit(resource.RLIMIT_AS)[1]
        if hard != resource.RLIM_INFINITY:
            most = min(most, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    try:
        leader.send(None)
        while True:
            for result in leader.recv()():
                leader.send((True, result))
            leader.send((False, None))
    except (EOFError, OSError):
        return
    except MemoryError:
        os._exit(errno.ENOMEM)


def _end_with_the_parent() -> None:
    """Ends this process with the one that it works for, however that ends."""
    parent = parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)
