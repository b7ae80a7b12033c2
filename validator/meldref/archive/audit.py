"""The unit of work: logs in, rows out. What drives it, here or on other machines, is in `engines`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final, NamedTuple

from meldref.archive.auditing import MOST, Task, audit_log
from meldref.archive.rows import Rows, rows_of, stopped
from meldref.archive.sources import Log
from meldref.archive.workers import Worker, WorkerGone
from meldref.core.text import many
from meldref.rulefiles.files import Name
from meldref.rulefiles.shelf import RulesetCache

_CHUNK: Final = 16
"""How many logs a chunk has at most."""
_LARGE: Final = 1 << 18
"""A chunk of so many bytes is large enough."""


class Request(NamedTuple):
    """What is asked for: rules, options and settings over those of the logs, and the limits of one log.

    `seconds` and `memory` (bytes) are kept where a worker audits; `expect` and `trust_paths` are as in `audit`.
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

    Whatever goes wrong with a log is a row that says so. Nothing is kept from call to call but rulesets.
    """
    rows = Rows([], [], [])
    for more in audit_each(tuple(logs), request or Request()):
        rows.add(more)
    return rows


def audit_each(logs: Iterable[Log], request: Request) -> Iterator[Rows]:
    """The rows of each log, as they come."""
    if not _shelf:
        _shelf.append(RulesetCache())
    for log in logs:
        if log.trouble:
            yield stopped(log, "file", log.trouble)
            continue
        task = Task(
            log.name,
            request,
            MOST,
            scores=True,
            suggestions=False,
            expect=request.expect,
            trust_paths=request.trust_paths,
            log=log,
        )
        yield rows_of(log, audit_log(task, shelf=_shelf[0]))


def lead(worker: Worker, chunk: Chunk, request: Request) -> Rows:
    """The rows of a chunk whose logs a worker audits: one that ends or overruns costs nothing but that log.

    A process can end for reasons that are not the log's, so that the log is tried once more, by itself.
    """
    rows = Rows([], [], [])
    done = ended = 0
    while done < len(chunk):
        rest = chunk[done : done + 1] if ended else chunk[done:]
        try:
            for more in worker.work(partial(audit_each, rest, request), request.seconds):
                rows.add(more)
                done += 1
                ended = 0
                if more.logs[0]["trouble"] == "memory":
                    worker.end()
                    break
        except WorkerGone as gone:
            ended += 1
            if gone.cause == "time":
                limit = many(round(request.seconds or 0), "second")
                rows.add(stopped(chunk[done], "time", f"it was not audited within {limit}"))
            elif ended > 1:
                rows.add(stopped(chunk[done], gone.cause, str(gone)))
            else:
                continue
            done += 1
            ended = 0
    return rows


def chunks_of(logs: Iterable[Log]) -> Iterator[Chunk]:
    """Logs handed over together: the same ones however many machines there are."""
    chunk: list[Log] = []
    size = 0
    for log in logs:
        chunk.append(log)
        size += log.size
        if len(chunk) == _CHUNK or size >= _LARGE:
            yield tuple(chunk)
            chunk, size = [], 0
    if chunk:
        yield tuple(chunk)
