"""What drives the unit of work: processes of this machine, or Ray.

Each takes numbered chunks and gives their rows, which come as they are ready, in any order: whoever asks puts
them in order.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, Final

from meldref.archive.audit import Chunk, Request, lead_chunk
from meldref.archive.rows import Rows, merged, stopped
from meldref.archive.sources import needed
from meldref.archive.workers import Worker, side_by_side

Engine = Callable[[Iterable[tuple[int, Chunk]], Request], Iterator[tuple[int, Chunk, Rows]]]

_QUEUED: Final = 2
"""How many chunks wait at each of Ray's leaders, or are under way there."""
_TRIES: Final = 3
"""A chunk whose machine is lost is handed over so often."""


def on_this_machine(
    chunks: Iterable[tuple[int, Chunk]], request: Request, jobs: int = 1
) -> Iterator[tuple[int, Chunk, Rows]]:
    """The rows of chunks that processes of this machine audit."""

    def led(worker: Worker, one: tuple[int, Chunk]) -> Rows:
        return lead_chunk(worker, one[1], request)

    for (number, chunk), rows in side_by_side(chunks, led, jobs or os.cpu_count() or 1, request.memory):
        yield number, chunk, rows


class _Leader:
    """On one of Ray's machines: leads a worker there, so that limits hold as they do here."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._worker = Worker(request.memory)

    def audit(self, chunk: Chunk) -> Rows:
        """The rows of a chunk."""
        return lead_chunk(self._worker, chunk, self._request)


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
                        yield number, chunk, merged(stopped(log, "died", why) for log in chunk)
                else:
                    yield number, chunk, rows
                idle.append(actor)
    finally:
        with suppress(Exception):
            ray.shutdown()
