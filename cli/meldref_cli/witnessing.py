"""`meldref audit --witness`: a full log for each that is possible, and one per open line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from meldref.core.text import in_words, many, one_line
from meldref_cli import output
from meldref_cli.errors import Unusable, naming
from meldref_cli.writing import folder_to_write, write_file

if TYPE_CHECKING:
    from meldref_archive.auditing import TaskResult
    from meldref_archive.sources import Log
    from meldref_cli.ruleset_args import RulesetRequest

MOST_OPEN: Final = 10
"""Against how many open lines of a log something is written."""

_SPENT: Final = ": the search reached its limit"
_LEFT_OUT: Final = "left out: only the first ten are looked at"


class WitnessFolder:
    """The folder that full logs are written into, which is new or empty."""

    def __init__(self, name: str, logs: Sequence[Log], wanted: RulesetRequest) -> None:
        self._wanted = wanted
        self._logs = {log.name: log for log in logs}
        self._names: set[str] = set()
        self._folder = folder_to_write(name)
        with naming(name):
            if any(self._folder.iterdir()):
                raise Unusable(f"{name}: the folder is not empty; witnesses need one of their own")

    def add(self, result: TaskResult, *, trust_paths: bool, quiet: bool) -> None:
        """Writes the witnesses of a log without findings, or says why there are none."""
        from meldref.core.diagnostics import errors_in
        from meldref.notation.reader import read_lines
        from meldref.notation.scanner import decode_numbered
        from meldref.replay.log import Overrides
        from meldref_evidence.witness import Witnesses

        report = result.audited.report
        log = self._logs.get(report.path)
        if log is None or result.trouble or result.fault or not report.readable:
            return
        if errors_in(report.findings):
            self._say(report.path, "no witness, since it has violations", quiet=quiet)
            return
        overrides = Overrides(*self._wanted, log.beside, trust_paths)
        with log.opened() as stream:
            witnesses = Witnesses(read_lines(decode_numbered(stream)), report.path, overrides)
        possible = witnesses.possible()
        if possible is None:
            why = _SPENT if witnesses.is_spent else ""
            self._say(report.path, f"no full log that fits was found{why}", quiet=quiet)
            return
        name = self._name_for(report.path)
        write_file(str(self._folder / f"{name}.rgn"), [possible.text])
        lines = dict.fromkeys([question.line for question in report.open])
        against, without = 0, []
        for line in islice(lines, MOST_OPEN):
            other = witnesses.against(line)
            if other is None:
                without.append(f"line {line}")
                continue
            write_file(str(self._folder / f"{name}.line-{line}.rgn"), [other.text])
            against += 1
        more = f", and {many(against, 'log')} in which an open line is wrong" if against else ""
        if without:
            why = _SPENT if witnesses.is_spent else ""
            more += f"; no log was found in which {in_words(without, 'or')} is wrong{why}"
        if len(lines) > MOST_OPEN:
            more += f"; {many(len(lines) - MOST_OPEN, 'more open line')} {_LEFT_OUT}"
        self._say(report.path, f"{self._folder / name}.rgn is a log that fits{more}", quiet=quiet)

    def _name_for(self, path: str) -> str:
        """A name for the files of a log that no other log has."""
        plain = re.sub(r"(\.rgn)?(\.gz|\.zst)?$", "", Path(path).name, flags=re.IGNORECASE)
        plain = re.sub(r"[^\w.-]", "_", plain).lstrip(".-") or "log"
        name, number = plain, 1
        while name in self._names:
            number += 1
            name = f"{plain}-{number}"
        self._names.add(name)
        return name

    @staticmethod
    def _say(path: str, what: str, *, quiet: bool) -> None:
        if not quiet:
            output.notice(one_line(f"{path}: {what}"))
