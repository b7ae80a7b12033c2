"""What drives the unit of work: processes of this machine, or Ray.

Each takes numbered chunks and gives their rows, which come as they are ready, in any order: whoever asks puts
them in order.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, Final

from meldref.archive.audit import Chunk, Request, lead
from meldref.archive.rows import Rows, stopped
from meldref.archive.sources import needed
from meldref.archive.workers import Crew, Worker

Engine = Callable[[Iterable[tuple[int, Chunk]], Request], Iterator[tuple[int, Chunk, Rows]]]

_AHEAD: Final = 3
"""How many chunks are handed over for each that is worked at."""
_QUEUED: Final = 2
"""How many chunks wait at each of Ray's leaders, or are under way there."""
_TRIES: Final = 3
"""A chunk whose machine is lost is handed over so often."""


def on_this_machine(
    chunks: Iterable[tuple[int, Chunk]], request: Request, jobs: int = 1
) -> Iterator[tuple[int, Chunk, Rows]]:
    """The rows of chunks that processes of this machine audit."""
    from concurrent.futures import FIRST_COMPLETED, Future, wait

    crew = Crew(jobs, request.memory)
    under_way: dict[Future[Rows], tuple[int, Chunk]] = {}
    rest = iter(chunks)
    try:
        while True:
            while len(under_way) < jobs * _AHEAD and (more := next(rest, None)) is not None:
                under_way[crew.submit(partial(lead, chunk=more[1], request=request))] = more
            if not under_way:
                return
            for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                yield *under_way.pop(future), future.result()
    finally:
        crew.dismiss()


class _Leader:
    """On one of Ray's machines: leads a worker there, so that limits hold as they do here."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._worker = Worker(request.memory)

    def audit(self, chunk: Chunk) -> Rows:
        """The rows of a chunk."""
        return lead(self._worker, chunk, self._request)


def on_ray(
    chunks: Iterable[tuple[int, Chunk]], request: Request, jobs: int = 0, address: str = ""
) -> Iterator[tuple[int, Chunk, Rows]]:
    """The rows of chunks that Ray's machines audit; without an address, a Ray is started here and stopped.

    `jobs` are worked at side by side: as many as there are cores, where it is 0.
    """
    ray = needed("ray", "ray", "--engine ray")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    quiet: dict[str, Any] = {"logging_level": "error", "log_to_driver": False, "configure_logging": True}
    if address:
        ray.init(address, **quiet)
    else:
        ray.init("local", num_cpus=jobs or None, include_dashboard=False, **quiet)
    try:
        jobs = jobs or int(ray.cluster_resources().get("CPU", 1))
        leader = ray.remote(num_cpus=1, max_restarts=-1)(_Leader)
        idle = [leader.remote(request) for _ in range(jobs)] * _QUEUED
        under_way: dict[Any, tuple[int, Chunk, Any, int]] = {}
        rest = iter(chunks)
        again: list[tuple[int, Chunk, int]] = []
        while True:
            while idle and (more := again.pop() if again else (*new, 1) if (new := next(rest, None)) else None):
                number, chunk, tries = more
                actor = idle.pop()
                under_way[actor.audit.remote(chunk)] = number, chunk, actor, tries
            if not under_way:
                return
            for done in ray.wait(list(under_way))[0]:
                number, chunk, actor, tries = under_way.pop(done)
                try:
                    rows = ray.get(done)
                except ray.exceptions.RayError as lost:
                    if tries < _TRIES:
                        again.append((number, chunk, tries + 1))
                    else:
                        why = f"the machine that audited it was lost: {type(lost).__name__}"
                        rows = _lost(chunk, why)
                        yield number, chunk, rows
                else:
                    yield number, chunk, rows
                idle.append(actor)
    finally:
        with suppress(Exception):
            ray.shutdown()


def _lost(chunk: Chunk, why: str) -> Rows:
    rows = Rows([], [], [])
    for log in chunk:
        rows.add(stopped(log, "died", why))
    return rows
