"""Counts the processor's instructions for a few pieces of work: `just instructions`.

A clock on a shared machine cannot see that something became a tenth dearer; a count of instructions repeats to a few
in ten thousand. Valgrind's cachegrind counts them. What each piece cost when it was last looked at stands in
`instructions.json`, with the Python that counted it: `--check` fails where a count has grown by more than 5 %, and
`--write` puts the new counts there, which is done on purpose and with the reason in the commit's message. Under another
Python counts are only printed, and where there is no valgrind nothing is counted, which is said.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.corpora import Corpus, commented, ordinary
from benchmarks.measure import ROOT, environment, script

FIGURES = Path(__file__).with_name("instructions.json")
ALLOWED = 0.05
"""How much a count may grow before it has to be looked at."""

FEW, MANY = 10, 70
"""Hands of the two audits whose difference is the cost of clean hands, without starting the program."""

OUTSIDE = sorted((ROOT / "tests" / "games" / "outside").rglob("*.rgn"), reverse=True)
"""Logs of other programs, the first of which has one hand."""

QUESTION = ("legal", "draw; meld 4d 4h 4s; discard 2h", "--hand", "4d 4h 4s 9h 2h")


def a_clean_hand() -> float:
    """The audit of one more hand of a legal game for three, which a glance confirms."""
    return one_more(ordinary)


def a_replayed_hand() -> float:
    """The audit of one more such hand that is replayed, since it has a comment."""
    return one_more(commented)


def one_more(corpus: Callable[[int], Corpus]) -> float:
    """What one hand more of a corpus costs, without starting the program."""
    few, many = (
        counted("audit", "--quiet", "--jobs", "1", str(corpus(hands).folder))
        for hands in (FEW, MANY)
    )
    return (many - few) / (MANY - FEW)


def a_dirty_hand() -> float:
    """The audit of one more hand in logs of other programs, which have many violations."""
    hands = sum(log.read_text(encoding="utf-8").count("\nhand ") for log in OUTSIDE)
    one_hand, *_ = OUTSIDE
    whole = counted("audit", "--quiet", "--jobs", "1", *map(str, OUTSIDE))
    return (whole - counted("audit", "--quiet", "--jobs", "1", str(one_hand))) / (hands - 1)


def a_legal() -> float:
    """One question from the command line, the start of the program with it."""
    return counted(*QUESTION)


PIECES: dict[str, Callable[[], float]] = {
    "a clean hand": a_clean_hand,
    "a replayed hand": a_replayed_hand,
    "a dirty hand": a_dirty_hand,
    "a legal": a_legal,
}


def counted(*arguments: str) -> float:
    """Millions of instructions of one run, after one that fills the cache.

    Raises:
        RuntimeError: the program itself failed.
    """
    command = [script("python"), script("meldref"), *arguments]
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder, "cache")
        surroundings = {**environment(), "MELDREF_CACHE": str(cache)}
        _run(command, surroundings)
        log = Path(folder, "log")
        counting = ["valgrind", "--tool=cachegrind", "--cache-sim=no", f"--log-file={log}"]
        _run([*counting, f"--cachegrind-out-file={os.devnull}", *command], surroundings)
        total = re.search(r"I +refs: +([\d,]+)", log.read_text(encoding="utf-8"))
    if total is None:
        raise RuntimeError(f"valgrind did not say how much {arguments[0]} took")
    return int(total[1].replace(",", "")) / 1e6


def main() -> int:
    """Counts, prints, and compares with what is written down."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--check", action="store_true", help="fail if a count has grown by more than 5 %%"
    )
    parser.add_argument(
        "--write", action="store_true", help="write the counts down as what is known"
    )
    options = parser.parse_args()
    if shutil.which("valgrind") is None:
        print("valgrind is not here: no instructions are counted")
        return 0
    known = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
    before = known.get("millions", {})
    counts = {name: round(count(), 2) for name, count in PIECES.items()}
    for name, count in counts.items():
        change = f"{count / before[name] - 1:+.1%}" if name in before else "new"
        print(f"{name:15} {count:10.2f} million instructions  {change}")
    if options.write:
        figures = {"python": platform.python_version(), "millions": counts}
        FIGURES.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
        return 0
    if known.get("python") != platform.python_version():
        print(f"the counts written down are of Python {known.get('python')}: nothing is compared")
        return 0
    dearer = [name for name in before if counts[name] > before[name] * (1 + ALLOWED)]
    for name in dearer:
        print(f"{name} is dearer than {before[name]}: mend it, or `--write` and say why")
    return 1 if dearer and options.check else 0


def _run(command: list[str], surroundings: dict[str, str]) -> None:
    done = subprocess.run(command, env=surroundings, cwd=ROOT, capture_output=True, check=False)
    if done.returncode > 1:
        raise RuntimeError(f"{command}: {done.stderr.decode(errors='replace')[-400:]}")


if __name__ == "__main__":
    sys.exit(main())
