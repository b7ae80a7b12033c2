"""A run over an archive: chunks to an engine, rows to the journal, tables of all rows at the end.

An engine is what audits chunks: processes of this machine, or Ray. It takes numbered chunks and
yields their rows as they are ready, in any order.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, suppress
from functools import partial
from hashlib import blake2b
from itertools import islice
from typing import Any, Final, NamedTuple

from meldref.report.json import facts
from meldref.report.tally import LogTally
from meldref_archive.audit import (
    Chunk,
    Request,
    available_cores,
    chunks_of,
    rows_of_each,
    why_lost,
)
from meldref_archive.journal import Folder, Journal
from meldref_archive.rows import COUNTED, TABLES, WRITERS, Given, Rows, merged, stopped
from meldref_archive.sources import Log, needed
from meldref_archive.workers import Worker, WorkerGone, lead, side_by_side

Tick = Callable[[int], None]
"""Called with the number of further logs that are done."""
Engine = Callable[[Iterable[tuple[int, Chunk]], Request], Iterator[tuple[int, Chunk, Rows]]]

_QUEUED: Final = 2
"""How many chunks wait at each of Ray's leaders, or are under way there."""
_RETRIES: Final = 2
"""How often a chunk whose machine is lost is handed over again."""


class Outcome(NamedTuple):
    """The result of a run: the sum over logs, the troubles, and how much was done before."""

    tally: LogTally
    troubles: Mapping[str, int]
    before: int

    def data(self) -> dict[str, Any]:
        """For `run.json`."""
        return {
            **facts(self.tally, *LogTally.__match_args__),
            "troubles": dict(sorted(self.troubles.items())),
        }


def outcome_of(data: Mapping[str, Any]) -> Outcome:
    """What a run found, from its `run.json`; `ValueError` and its like if no run wrote that."""
    counts, troubles = (
        {key: value for key, value in data.items() if key != "troubles"},
        dict(data["troubles"]),
    )
    if not all(
        type(count) is int and 0 <= count < 1 << 63
        for count in (*counts.values(), *troubles.values())
    ):
        raise ValueError("no run counts so")
    tally = LogTally(**counts)
    return Outcome(tally, troubles, tally.logs)


def run(
    folder: Folder,
    logs: Iterable[Log],
    request: Request,
    form: str,
    engine: Engine,
    tick: Tick | None = None,
) -> tuple[Outcome, list[str]]:
    """Audits logs into a folder that was entered; the outcome, and the tables to be published.

    After an OSError, what was done so far is kept.
    """
    with closing(folder.journal()) as journal:
        before = 0
        digests: dict[int, bytes] = {}

        def new() -> Iterator[tuple[int, Chunk]]:
            nonlocal before
            for number, chunk in enumerate(chunks_of(logs, lambda log: log.size)):
                digest = blake2b(b"".join(log.digest() for log in chunk), digest_size=16).digest()
                if journal.take(number, digest):
                    before += len(chunk)
                    if tick is not None:
                        tick(len(chunk))
                    continue
                digests[number] = digest
                yield number, chunk

        for number, chunk, rows in engine(new(), request):
            folder.note(rows.rules)
            journal.add(number, digests.pop(number), rows)
            if tick is not None:
                tick(len(chunk))
        tables, tally, troubles = _written(folder, journal, form)
    return Outcome(tally, troubles, before), tables


def _written(
    folder: Folder, journal: Journal, form: str
) -> tuple[list[str], LogTally, Counter[str]]:
    """Makes the tables of the journal."""
    done = Given()
    tally, troubles = LogTally(), Counter[str]()
    for rows in journal.rows():
        for row in rows.logs:
            done.note(row)
            tally.count(row["verdict"], *[row[name] for name in COUNTED])
            if row["trouble"]:
                troubles[row["trouble"]] += 1
    done.settle()
    columns = {**TABLES, "logs": (*TABLES["logs"], *done.columns)}
    with ExitStack() as stack:
        writers = {}
        for name in TABLES:
            writers[name] = WRITERS[form](folder.work / f"{name}.{form}", columns[name])
            stack.callback(writers[name].close)
        for rows in journal.rows():
            for row in rows.logs:
                done.fill(row)
            for name, table in writers.items():
                table.write(getattr(rows, name))
    return [f"{name}.{form}" for name in TABLES], tally, troubles


def _lead_chunk(worker: Worker, chunk: Chunk, request: Request) -> Rows:
    """The rows of a chunk whose logs a worker audits."""

    def lost(log: Log, gone: WorkerGone) -> Rows:
        return stopped(log, gone.cause, why_lost(gone, request.seconds))

    def spent(rows: Rows) -> bool:
        return bool(rows.logs[0]["trouble"] == "memory")

    job = partial(rows_of_each, request)
    return merged(lead(worker, chunk, job, lost, seconds=request.seconds, spent=spent))


def on_this_machine(
    chunks: Iterable[tuple[int, Chunk]], request: Request, jobs: int = 0
) -> Iterator[tuple[int, Chunk, Rows]]:
    """The rows of chunks that processes of this machine audit, one a core if `jobs` is 0."""

    def led(worker: Worker, item: tuple[int, Chunk]) -> Rows:
        return _lead_chunk(worker, item[1], request)

    for (number, chunk), rows in side_by_side(
        chunks, led, jobs or available_cores(), request.memory
    ):
        yield number, chunk, rows


class _Leader:
    """On one of Ray's machines: leads a worker there, so that limits hold as they do here."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._worker = Worker(request.memory)

    def audit(self, chunk: Chunk) -> Rows:
        """The rows of a chunk."""
        return _lead_chunk(self._worker, chunk, self._request)


def on_ray(
    chunks: Iterable[tuple[int, Chunk]], request: Request, jobs: int = 0, address: str = ""
) -> Iterator[tuple[int, Chunk, Rows]]:
    """The rows of chunks that Ray's machines audit, at `address` or started for this run.

    `jobs` are worked at side by side: as many as there are cores, if it is 0.
    """
    ray = needed("ray", "ray", "--engine ray")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    quiet: dict[str, Any] = {
        "logging_level": "error",
        "log_to_driver": False,
        "configure_logging": True,
    }
    if address:
        ray.init(address, **quiet)
    else:
        ray.init("local", num_cpus=jobs or None, include_dashboard=False, **quiet)
    try:
        jobs = jobs or int(ray.cluster_resources().get("CPU", 1))
        leader = ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=_RETRIES)(_Leader)
        idle = [leader.remote(request) for _ in range(jobs)] * _QUEUED
        under_way: dict[Any, tuple[int, Chunk, Any]] = {}
        rest = iter(chunks)
        while True:
            for number, chunk in islice(rest, len(idle)):
                actor = idle.pop()
                under_way[actor.audit.remote(chunk)] = number, chunk, actor
            if not under_way:
                return
            for done in ray.wait(list(under_way))[0]:
                number, chunk, actor = under_way.pop(done)
                idle.append(actor)
                try:
                    rows = ray.get(done)
                except ray.exceptions.RayError as lost:
                    why = f"the machine that audited it was lost: {type(lost).__name__}"
                    rows = merged(stopped(log, "died", why) for log in chunk)
                yield number, chunk, rows
    finally:
        with suppress(Exception):
            ray.shutdown()
