"""The program in processes of its own, for tests of signals and of memory."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

START = "from meldref_cli.start import run\nif __name__ == '__main__':\n    run()\n"

needs_signals = pytest.mark.skipif(
    not hasattr(signal, "SIGKILL"), reason="this system has no such signals"
)

MEASURED = """
import json, resource, subprocess, sys
log, limit, *command = sys.argv[1:]
if int(limit):
    resource.setrlimit(resource.RLIMIT_AS, (int(limit), int(limit)))
with open(log, "rb") as stdin:
    ran = subprocess.run(command, stdin=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(json.dumps([ran.returncode, ran.stderr.decode()[-2000:], peak if sys.platform == "darwin" else peak * 1024]))
"""
"""A process in between: what it measures is its one child, not the whole of what the tests have run."""


def started(before: str, *arguments: object, **options) -> subprocess.Popen[str]:
    """The program, in a process that runs some lines of Python first."""
    command = [sys.executable, "-c", before + START, *map(str, arguments)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )


def measured(log: str | Path, *arguments: object, limit: int = 0) -> tuple[int, str, int]:
    """The exit status of the program, what it said of errors, and the most bytes it had in memory.

    The log is standard input, and the arguments may name it; `limit` is its address space, 0 for
    any.
    """
    command = [sys.executable, "-c", MEASURED, str(log), str(limit), sys.executable, "-c", START]
    ran = subprocess.run([*command, *map(str, arguments)], capture_output=True, check=True)
    code, said, peak = json.loads(ran.stdout)
    return code, said, peak
