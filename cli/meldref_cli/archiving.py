"""`meldref audit --into`: many logs, audited into a folder of tables."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from meldref.core.safe_files import Met, is_url, system_words
from meldref.core.text import many
from meldref.core.version import __version__
from meldref.report.text import summary_text
from meldref_archive.audit import Request
from meldref_archive.journal import Folder, Refused, as_of_a_run
from meldref_archive.run import Engine, Outcome, on_ray, on_this_machine, outcome_of, run
from meldref_archive.sources import LOGS, TABLES, Log, check_packages, ends_in, keep_input, needed
from meldref_archive.tables import COLUMN, logs_of
from meldref_cli import output
from meldref_cli.auditing import AuditOptions, TableOptions, say_what_was_left_out
from meldref_cli.errors import CLEAN, OUR_FAULT, UNUSABLE, WRONG, Unusable
from meldref_cli.files import STANDARD_INPUT, expand_all, is_file, is_folder, read_bytes
from meldref_cli.findings import tell_troubles
from meldref_cli.foreign import Asked, as_log
from meldref_cli.leaving import INTERRUPTED
from meldref_cli.progress import Pace
from meldref_cli.ruleset_args import RulesetRequest

_KEPT: Final = 1_000


class Archive(NamedTuple):
    """What is audited into tables, and how; `memory` is the limit of one log in bytes.

    `foreign`: how named files are read that are no logs.
    """

    names: Sequence[str]
    tables: TableOptions
    rules: RulesetRequest
    how: AuditOptions
    foreign: Asked
    memory: int

    @property
    def form(self) -> str:
        """The format of the tables."""
        return self.tables.as_ or "jsonl"

    @property
    def jobs(self) -> int:
        """How many processes share the logs; 0: one per core."""
        return self.how.jobs or 0

    @property
    def request(self) -> Request:
        """What each log is audited by."""
        how = self.how
        return Request(*self.rules, how.trust_paths, how.expect, how.limit_time, self.memory)

    def settings(self) -> dict[str, Any]:
        """What the rows depend on beside the logs, as it is written down."""
        request, how = self.rules, self.how
        return {
            "meldref": __version__,
            "as": self.form,
            "column": self.tables.column,
            "rules": None if request.rules is None else str(request.rules),
            "with": [str(option) for option in request.options],
            "set": list(request.settings),
            "trust_paths": how.trust_paths,
            "expect": how.expect,
            "limit_time": how.limit_time,
            "limit_memory": self.memory or None,
        }

    def available_engine(self) -> Engine:
        """What drives the audits."""
        if self.tables.engine == "ray":
            needed("ray", "ray", "--engine ray")
            return partial(on_ray, jobs=self.jobs, address=self.tables.address or "")
        return partial(on_this_machine, jobs=self.jobs)


def audit_into(archive: Archive, *, quiet: bool) -> int:
    """Audits logs into a folder; the exit status."""
    if archive.form == "parquet":
        needed("pyarrow", "parquet", "--as parquet")
    engine, tables = archive.available_engine(), archive.tables
    into = str(tables.into)
    folder = Folder(into)
    left_out: list[str] = []
    endings = LOGS if tables.column is None else (*LOGS, *TABLES)
    paths, troubles = expand_all(archive.names, endings, left_out)
    paths = [path for path in paths if not (isinstance(path, Met) and _is_in(path, into))]
    left_out[:] = [path for path in left_out if not _is_in(path, into)]
    check_packages(paths)
    try:
        if not folder.enter(archive.settings(), resume=tables.resume, force=tables.force):
            return _as_it_was(folder, strict=archive.how.strict, quiet=quiet)
        began = datetime.now(UTC)
        worst = tell_troubles(troubles)
        countable = not any(path.lower().endswith((".zip", *TABLES)) for path in paths)
        with Pace(len(paths) if countable else 0, wanted=not quiet) as pace:
            logs = _logs(archive, paths, folder, left_out, quiet=quiet)
            outcome, written = run(folder, logs, archive.request, archive.form, engine, pace.tick)
        say_what_was_left_out([] if quiet else left_out)
        folder.publish(written, _record(archive, outcome, troubles, left_out, folder.rules, began))
    except Refused as refused:
        raise Unusable(str(refused)) from refused
    except OSError as error:
        again = (
            "; what was done is kept, and --resume continues it"
            if is_folder(str(folder.work))
            else ""
        )
        raise Unusable(f"{into}: {system_words(error)}{again}") from error
    except KeyboardInterrupt:
        output.notice(f"meldref: interrupted; the same command with --resume goes on ({into})")
        return INTERRUPTED
    finally:
        folder.leave()
    return _said(outcome, into, worst, strict=archive.how.strict, quiet=quiet)


def _is_in(path: str, folder: str) -> bool:
    """Whether a file lies in a folder or below: a run does not read what it writes."""
    return _full(path).is_relative_to(_full(folder))


def _full(path: str) -> Path:
    """The full path of a name; links on the way are kept."""
    return Path(os.path.abspath(path))  # noqa: PTH100  `Path.resolve` follows links


def _as_it_was(folder: Folder, *, strict: bool, quiet: bool) -> int:
    """Reports a run that had already finished; returns its exit status."""
    with as_of_a_run(folder.path):
        record = folder.record()
        worst = UNUSABLE if record["unusable"] else CLEAN
        outcome = outcome_of(record["result"])
    if not quiet:
        output.notice(f"{folder.path}: this run has ended; nothing is left to do")
    return _said(outcome, str(folder.path), worst, strict=strict, quiet=quiet)


def _said(outcome: Outcome, folder: str, worst: int, *, strict: bool, quiet: bool) -> int:
    """The last line, and the exit status."""
    tally = outcome.tally
    if outcome.troubles.get("fault"):
        logs = many(outcome.troubles["fault"], "log")
        output.notice(f"meldref: {logs} met a fault of meldref: please report it")
        worst = OUR_FAULT
    worst = max(worst, UNUSABLE if tally.unreadable else CLEAN)
    worst = max(worst, WRONG if tally.violations or (strict and tally.undecided) else CLEAN)
    if not quiet and (lost := sum(outcome.troubles.values())):
        output.notice(
            f"meldref: {many(lost, 'log')} could not be audited; the table of logs says why"
        )
    if not quiet:
        output.write(f"{folder}: {summary_text(tally)}")
    return worst


def _logs(
    archive: Archive, paths: Sequence[str], folder: Folder, left_out: list[str], *, quiet: bool
) -> Iterator[Log]:
    """The logs of all files, at places that are the same from every folder.

    Standard input is kept in a file.
    """
    for path in paths:
        for read in _logs_in(path, archive, left_out):
            log = as_log(read, archive.foreign, quiet=quiet)
            if log.trouble and log.name == path:
                output.error(f"{path}: {log.trouble}")
            if log.place == STANDARD_INPUT:
                yield keep_input(log, folder.place_of_input())
            else:
                yield log if is_url(log.place) else log._replace(place=str(_full(log.place)))


def _logs_in(path: str, archive: Archive, left_out: list[str]) -> Iterable[Log]:
    """The logs in a file; a table that was named is one log if it is a program's events."""
    is_named_table = ends_in(path, TABLES) and not isinstance(path, Met) and is_file(path)
    if is_named_table and archive.tables.column is None:
        from meldref_intake.events import BEGINNING, is_foreign

        if archive.foreign.map is not None or is_foreign(read_bytes(path, BEGINNING)):
            return [Log.of(path)]
    return logs_of(path, archive.tables.column or COLUMN, left_out)


def _record(
    archive: Archive,
    outcome: Outcome,
    troubles: Sequence[str],
    left_out: Sequence[str],
    rules: Mapping[str, str],
    began: datetime,
) -> Mapping[str, Any]:
    """`run.json`: what was run over what, and all that depends on the time and the machine."""
    ended = datetime.now(UTC)
    return {
        "settings": archive.settings(),
        "logs": list(islice(archive.names, _KEPT)),
        "unusable": list(troubles[:_KEPT]),
        "rules_files": rules,
        "left_out": {"files": len(left_out), "names": list(left_out[:_KEPT])},
        "result": outcome.data(),
        "from_an_earlier_run": outcome.before,
        "engine": archive.tables.engine or "local",
        "jobs": archive.jobs,
        "began": began.isoformat(timespec="seconds"),
        "ended": ended.isoformat(timespec="seconds"),
        "seconds": round((ended - began).total_seconds(), 3),
        "python": platform.python_version(),
        "system": platform.platform(),
    }
