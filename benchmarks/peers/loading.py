"""Load and check a ruleset a few times, with the project's loader or with PyYAML and jsonschema; print the time.

`loading.py loader|safe FILE SCHEMA TIMES`. What is timed begins after the imports.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import jsonschema
import yaml

from meldref.rulefiles import load
from meldref.rulefiles.load import load_ruleset


def with_loader(path: Path, schema: Path) -> None:
    """Read strictly, merge, check for shape and sense; by its id, and each time as if for the first time."""
    load.forget()
    ruleset, findings = load_ruleset(path.stem)
    if ruleset is None or findings:
        raise ValueError(findings)


def with_safe_loader(path: Path, schema: Path) -> None:
    """Parse in pure Python and validate."""
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    jsonschema.validate(content, json.loads(schema.read_text(encoding="utf-8")))


WAYS: dict[str, Callable[[Path, Path], None]] = {"loader": with_loader, "safe": with_safe_loader}


def main(way: str, path: Path, schema: Path, times: int) -> None:
    """Loads it a number of times."""
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in range(times):
        WAYS[way](path, schema)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(json.dumps({"wall": wall, "cpu": cpu}))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]))
