"""Read every line of some logs, with the project's reader or with its grammar in Lark alone; print the time taken.

`reading.py reader|lark FOLDER`. What is timed begins with the texts in memory and the parser made.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from meldref.notation.grammar import Misread, parse_line
from meldref.notation.memory import Memory
from meldref.notation.reader import read_lines


def with_reader(texts: Iterable[str]) -> tuple[int, int]:
    """How many lines were read, and how many could not be."""
    lines = faults = 0
    memory = Memory()
    for text in texts:
        for line, _ in read_lines(text, memory):
            lines += line.event is not None
            faults += line.event is None and bool(line.text.strip())
    return lines, faults


def with_lark(texts: Iterable[str]) -> tuple[int, int]:
    """Reads the logs with each line parsed by itself."""
    lines = faults = 0
    for text in texts:
        for line in text.splitlines():
            read = parse_line(line) if line.strip() else None
            faults += isinstance(read, Misread)
            lines += read is not None and not isinstance(read, Misread)
    return lines, faults


WAYS: dict[str, Callable[[Iterable[str]], tuple[int, int]]] = {
    "reader": with_reader,
    "lark": with_lark,
}


def main(way: str, folder: Path) -> None:
    """Read all, and say what was read and how long it took."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.rgn"))]
    parse_line("1. Ann: draw 4s; discard 4s")
    wall, cpu = time.perf_counter(), time.process_time()
    lines, faults = WAYS[way](texts)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(json.dumps({"wall": wall, "cpu": cpu, "lines": lines, "faults": faults}))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
