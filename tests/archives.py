"""Archives for tests: folders of logs, and what runs over them leave."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from cli_logs import BAD, LOG
from meldref_archive import audit_logs

SCORED = (Path(__file__).parent.parent / "examples" / "disputed.rgn").read_text()
TABLES = ("logs", "findings", "scores")


def some_logs(folder, many=40):
    """Logs of which every third has a violation, and one cannot be read."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(many):
        text = (
            "lorem ipsum\n"
            if number == 7
            else BAD
            if number % 3 == 0
            else SCORED
            if number % 5 == 1
            else LOG
        )
        (folder / f"{number:03}.rgn").write_text(text)
    return str(folder)


def tables_in(folder, form="jsonl"):
    """The bytes of each table."""
    return {name: (Path(folder) / f"{name}.{form}").read_bytes() for name in TABLES}


def everything_in(folder):
    """The bytes of all files of a folder, and when each was changed."""
    paths = [path for path in Path(folder).rglob("*") if path.is_file()]
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in paths}


def rows(folder, table="logs"):
    """The rows of a table of JSON Lines."""
    return [json.loads(line) for line in (Path(folder) / f"{table}.jsonl").read_text().splitlines()]


def csv_rows(folder, table="logs"):
    """The rows of a table of CSV."""
    with (Path(folder) / f"{table}.csv").open(newline="") as stream:
        return list(csv.DictReader(stream))


def by_log(folder):
    """The rows of logs by their names."""
    return {row["log"]: row for row in rows(folder)}


def in_this_process(chunks, request, jobs=1):
    """An engine without processes, for what has nothing to do with them."""
    for number, chunk in chunks:
        yield number, chunk, audit_logs(chunk, request)
