"""A run over an archive: chunks to an engine, rows to the journal, and tables made of it when all are there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from hashlib import blake2b
from typing import Any, NamedTuple

from meldref.archive.audit import Chunk, Request, chunks_of
from meldref.archive.engines import Engine
from meldref.archive.journal import Folder, Journal
from meldref.archive.rows import GIVEN, TABLES, Column, Given, Row, Rows
from meldref.archive.sources import Log
from meldref.archive.writers import writer
from meldref.report.tally import LogTally

Tick = Callable[[int], None]
"""Called with the number of further logs that are done."""


class Outcome(NamedTuple):
    """What a run found: the sum over logs, how many have which trouble, and how many an earlier run had done."""

    tally: LogTally
    troubles: Mapping[str, int]
    before: int

    def data(self) -> dict[str, Any]:
        """For `run.json`."""
        tally = self.tally
        more = {"hands": tally.hands, "turns": tally.turns, "errors": tally.errors, "warnings": tally.warnings}
        return {**tally.data(), **more, "troubles": dict(sorted(self.troubles.items()))}


def outcome_of(data: Mapping[str, Any]) -> Outcome:
    """What a run found, from its `run.json`."""
    tally = LogTally(**{key: value for key, value in data.items() if key != "troubles"})
    return Outcome(tally, data["troubles"], tally.logs)


def run(
    folder: Folder, logs: Iterable[Log], request: Request, form: str, engine: Engine, tick: Tick | None = None
) -> tuple[Outcome, list[str]]:
    """Audits logs into a folder that was entered; what was found, and the tables, which wait to be published.

    Raises:
        OSError: something cannot be written; what was done so far is kept.
    """
    with Journal(folder.work / "journal") as journal:
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


def _written(folder: Folder, journal: Journal, form: str) -> tuple[list[str], LogTally, Counter[str]]:
    """Makes the tables of the journal."""
    given = Given()
    tally, troubles = LogTally(), Counter[str]()
    for rows in journal.rows():
        given.note(rows.logs)
        for row in rows.logs:
            _count(row, tally, troubles)
    extra = given.columns()
    columns = {**TABLES, "logs": (*TABLES["logs"], *[column for column, _ in extra])}
    with ExitStack() as stack:
        writers = {}
        for name in TABLES:
            writers[name] = writer(form, folder.work / f"{name}.{form}", columns[name])
            stack.callback(writers[name].close)
        for rows in journal.rows():
            _pass_through(rows, extra)
            for name, table in writers.items():
                table.write(getattr(rows, name))
    return [f"{name}.{form}" for name in TABLES], tally, troubles


def _pass_through(rows: Rows, extra: tuple[tuple[Column, Callable[[Any], Any]], ...]) -> None:
    for row in rows.logs:
        given = row.pop(GIVEN)
        for column, made in extra:
            row[column.name] = made(given.get(column.says))


def _count(row: Row, tally: LogTally, troubles: Counter[str]) -> None:
    """One more log."""
    tally.count(*[row[name] for name in ("verdict", "hands", "turns", "errors", "warnings")])
    if row["trouble"]:
        troubles[row["trouble"]] += 1
