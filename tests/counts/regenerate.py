"""Counts the lines of play of the positions in `positions.yaml`, by the tests' second model of the rules.

    python tests/counts/regenerate.py            write counts.yaml anew (some minutes)
    python tests/counts/regenerate.py --check    only say what differs; 1 where something does
    python tests/counts/regenerate.py --jobs 2   in two processes

A line is one action after another: draws, melds, lay-offs card by card, exchanges, discards and calls. The counts
of a position say how many lines there are of one action, of two, and so on; they go as deep as can be counted with
`MOST_NODES` positions. The library has no part in it: `tests/unit/moves/test_counts.py` holds it to these numbers.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import yaml

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))

from model import lines, named  # noqa: E402  the tests' folder has to be found first
from model.casebook import position  # noqa: E402

MOST_NODES = 700
HEAD = """# How many lines of play there are of one action, of two, and so on, by position and ruleset. Written by
# regenerate.py, by the tests' second model of the rules: change positions.yaml, or the model, not this file.
"""


def counted() -> list[tuple[str, str, dict]]:
    """What is counted: the name of a position, a ruleset with its options, and the position."""
    file = yaml.safe_load((FOLDER / "positions.yaml").read_text(encoding="utf-8"))
    return [
        (one["name"], rules, one["given"]) for one in file["positions"] for rules in one["rules"]
    ]


def count(rules: str, given: dict, most: int = MOST_NODES) -> list[int]:
    """The numbers of lines of one action, two, …, as deep as `MOST_NODES` positions reach."""
    game, *options = rules.split("+")
    tables = [position(given, named(game, tuple(options)))]
    counts: list[int] = []
    nodes = 0
    while tables and nodes + len(tables) <= most:
        nodes += len(tables)
        tables = [after for table in tables for _, after in lines.legal_moves(table)]
        counts.append(len(tables))
    return counts


def written(results: dict[str, dict[str, list[int]]]) -> str:
    """The file's text."""
    parts = [HEAD]
    for name, by_rules in results.items():
        parts.append(f"{name}:\n")
        parts += [f"  {rules}: {json.dumps(counts)}\n" for rules, counts in by_rules.items()]
    return "".join(parts)


def main(arguments: list[str]) -> int:
    """Writes or compares the counts; 1 where one differs."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args(arguments)
    todo = counted()
    with ProcessPoolExecutor(asked.jobs) as pool:
        done = list(pool.map(count, [one[1] for one in todo], [one[2] for one in todo]))
    results: dict[str, dict[str, list[int]]] = {}
    for (name, rules, _), counts in zip(todo, done, strict=True):
        results.setdefault(name, {})[rules] = counts
    file, text = FOLDER / "counts.yaml", written(results)
    if file.is_file() and file.read_text(encoding="utf-8") == text:
        return 0
    if asked.check:
        sys.stdout.write("counts.yaml: differs\n")
        return 1
    file.write_text(text, encoding="utf-8")
    sys.stdout.write("counts.yaml: written\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
