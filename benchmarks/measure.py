"""Runs programs and notes what they cost: wall time, processor time, memory."""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / "benchmarks" / "peers"
PYTHON = sys.executable


@dataclass(frozen=True, slots=True)
class Sample:
    """What one run cost: seconds on the clock, seconds of processor (children included), peak memory in KiB."""

    wall: float
    cpu: float
    peak: int


@dataclass(frozen=True, slots=True)
class Done:
    """A run that did its work: what it said, what it cost."""

    output: str
    sample: Sample


class WrongResult(Exception):
    """A program did not do its work: what it took is no measurement."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program with its arguments. Costs are of the whole process, or, with `inside`, those it reports itself.

    A program that reports its own costs prints one JSON object `{"wall": …, "cpu": …}` as its last
    line: it is how work is timed without the start of an interpreter around it. `times` runs make
    one sample, their median.

    A `cold` program may keep nothing in the user's cache, nor find anything there.

    `says` is a pattern that its output has to match. Every run is held to it and to its exit
    status, timed ones too: a program that fails at once would otherwise be the fastest of all.
    """

    name: str
    command: tuple[str, ...]
    says: str
    units: int = 1
    inside: bool = False
    times: int = 1
    cold: bool = False
    codes: tuple[int, ...] = (0,)

    def run(self) -> Done:
        """One run.

        Raises:
            WrongResult: it failed, or did not say what it has to.
        """
        with tempfile.TemporaryFile() as out:
            started = time.perf_counter()
            process = subprocess.Popen(
                self.command,
                stdout=out,
                stderr=subprocess.STDOUT,
                env=environment(cold=self.cold),
                cwd=ROOT,
            )
            _, code, usage = os.wait4(process.pid, 0)
            wall = time.perf_counter() - started
            process.returncode = os.waitstatus_to_exitcode(code)
            out.seek(0)
            output = out.read().decode("utf-8", "replace")
        if process.returncode not in self.codes or not re.search(self.says, output, re.MULTILINE):
            raise WrongResult(
                f"{self.name}: exit status {process.returncode}, said {output[-400:]!r}"
            )
        sample = Sample(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
        if self.inside:
            said = json.loads(output.splitlines()[-1])
            sample = Sample(float(said["wall"]), float(said["cpu"]), usage.ru_maxrss)
        return Done(output, sample)

    @property
    def is_ours(self) -> bool:
        """Whether it is meldref that is measured."""
        return self.command[0] == script("meldref") or self.command[1:3] == (
            "-m",
            "benchmarks.play",
        )

    def measure(self) -> Sample:
        """A sample: the median of some runs."""
        samples = [self.run().sample for _ in range(self.times)]
        return Sample(
            median(sample.wall for sample in samples),
            median(sample.cpu for sample in samples),
            max(sample.peak for sample in samples),
        )


def by_python(program: Program, python: str) -> Program:
    """A program of ours as another environment has it."""
    first = (
        python
        if program.command[0] == PYTHON
        else str(Path(python).parent / Path(program.command[0]).name)
    )
    return replace(program, name=f"{program.name}, compiled", command=(first, *program.command[1:]))


def says_compiled(python: str) -> bool:
    """Whether an environment has the compiled wheel."""
    question = "from meldref.core.version import is_compiled; raise SystemExit(not is_compiled())"
    return subprocess.run([python, "-c", question], check=False, cwd=ROOT).returncode == 0


def environment(*, cold: bool = False) -> dict[str, str]:
    """The surroundings of every program measured: ours and the peers' alike."""
    kept = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("PYTHON", "COV_", "MELDREF_"))
    }
    return {
        **kept,
        "NO_COLOR": "1",
        "PYTHONHASHSEED": "0",
        **({"MELDREF_CACHE": "off"} if cold else {}),
    }


def script(name: str) -> str:
    """Where a script of this environment lies, such as `meldref`."""
    return str(Path(PYTHON).parent / name)


def peer(name: str) -> str:
    """Where a peer's program lies."""
    return str(PEERS / name)


def machine() -> str:
    """When and where something is measured."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    where = names[0] if names else platform.processor() or platform.machine()
    day = datetime.now(UTC).date().isoformat()
    load = os.getloadavg()[0]
    return f"{day}, Python {platform.python_version()}, {os.cpu_count()} cores ({where}), load {load:.1f}"


def put(page: Path, name: str, text: str) -> None:
    """Writes what was measured between the two comments of that name in a page."""
    before, begin, rest = page.read_text(encoding="utf-8").partition(f"<!-- {name}: begin -->")
    _, end, after = rest.partition(f"<!-- {name}: end -->")
    if not end:
        raise ValueError(f"{page} has no place for {name}")
    page.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")
