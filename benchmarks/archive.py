"""An archive of many games, audited into tables: `python -m benchmarks.archive [--hands N] [--compiled PYTHON]`.

Games of several rulesets are simulated, a file each, and audited with one job, with two, and on a
local Ray, by the pure and the compiled program. All have to write the same bytes. Times are by the
clock, of one run each.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.corpora import CACHE
from benchmarks.measure import PYTHON, ROOT, Program, Sample, machine, put, says_compiled

RULESETS = (
    "500-rummy",
    "500-rum",
    "persian-rummy",
    "gilfoy-500-rummy",
    "online-rummy-500",
    "partnership-500-rum",
)
WAYS = (("one job", "1", "local"), ("two jobs", "2", "local"), ("Ray on this machine", "2", "ray"))
TABLES = ("logs", "findings", "scores")


def main() -> int:
    """Make the games, audit them in every way, compare, write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument(
        "--compiled", metavar="PYTHON", help="an environment's python: the compiled wheel"
    )
    parser.add_argument("--page", type=Path, help="the page whose table is replaced")
    arguments = parser.parse_args()
    if arguments.compiled and not says_compiled(arguments.compiled):
        print(f"{arguments.compiled} does not run a compiled meldref")
        return 1
    builds = {"pure": PYTHON, **({"compiled": arguments.compiled} if arguments.compiled else {})}
    few, many = (
        games(hands, list(builds.values())[-1])
        for hands in (arguments.hands // 100, arguments.hands)
    )
    text = "\n".join(
        [
            f"{machine()}; {arguments.hands:,} hands of {len(RULESETS)} rulesets.",
            "",
            *_table(builds, few, many),
        ]
    )
    print(text)
    if arguments.page:
        put(arguments.page, "archive", text)
    return 0


def games(hands: int, python: str) -> Path:
    """Simulated games of every ruleset, half by random players, half by greedy ones; made once."""
    folder = CACHE / f"archive-{hands}"
    new = folder.with_name(f"{folder.name}.new.{os.getpid()}")
    for number, rules in enumerate(RULESETS if not folder.exists() else ()):
        for seed, kind in enumerate(("random", "greedy")):
            share = str(max(1, hands // len(RULESETS) // 2))
            options = [
                "--rules",
                rules,
                "--hands",
                share,
                "--seed",
                str(10 * number + seed),
                "--jobs",
                "0",
            ]
            place = ["--into", str(new / rules / kind), "--split", "--quiet", "--seats", kind]
            subprocess.run([_meldref(python), "simulate", *options, *place], check=True, cwd=ROOT)
    if new.exists():
        new.rename(folder)
    return folder


def _table(builds: dict[str, str], few: Path, many: Path) -> Iterator[str]:
    yield "| program | with | seconds | against one job | peak memory | against a hundredth of the hands | rows |"
    yield "|---|---|---|---|---|---|---|"
    written: set[str] = set()
    for build, python in builds.items():
        first: Sample | None = None
        for way, jobs, engine in WAYS:
            if engine == "ray" and not _has_ray(python):
                yield f"| {build} | {way}: not installed | | | | | |"
                continue
            small, _, _ = _audited(python, few, jobs, engine)
            sample, rows, digest = _audited(python, many, jobs, engine)
            written.add(digest)
            first = first or sample
            memory = f"{sample.peak / 1024:.0f} MiB | {sample.peak / small.peak:.2f}"
            faster = f"{first.wall / sample.wall:.2f} times as fast"
            yield f"| {build} | {way} | {sample.wall:.1f} | {faster} | {memory} | {rows:,} |"
    yield f"\nAll wrote {'the same bytes' if len(written) == 1 else f'DIFFERENT bytes: {len(written)} kinds'}."


def _has_ray(python: str) -> bool:
    return (
        subprocess.run([python, "-c", "import ray"], check=False, capture_output=True).returncode
        == 0
    )


def _audited(python: str, logs: Path, jobs: str, engine: str) -> tuple[Sample, int, str]:
    """One audit into tables: what it cost, the rows, and what tells its bytes from others."""
    out = CACHE / "tables"
    shutil.rmtree(out, ignore_errors=True)
    options = ("--into", str(out), "--jobs", jobs, "--engine", engine)
    done = Program(
        "audit", (_meldref(python), "audit", str(logs), *options), "", codes=(0, 1)
    ).run()
    texts = [(out / f"{name}.jsonl").read_bytes() for name in TABLES]
    assert json.loads(texts[0].partition(b"\n")[0]), "a row of logs is JSON"
    return (
        done.sample,
        sum(text.count(b"\n") for text in texts),
        hashlib.sha256(b"\0".join(texts)).hexdigest(),
    )


def _meldref(python: str) -> str:
    return str(Path(python).parent / "meldref")


if __name__ == "__main__":
    sys.exit(main())
