"""What the tests of the command line share."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from cli_logs import BAD, LOG
from meldref_cli.main import main


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command line printed, and its exit status."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def data(self):
        return json.loads(self.out)


@pytest.fixture
def meldref(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Ran]:
    """Runs one command line in this process, in a plain terminal of no colours."""
    for name in ("NO_COLOR", "CI", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: object, stdin: str | bytes | None = None) -> Ran:
        if stdin is not None:
            data = stdin.encode() if isinstance(stdin, str) else stdin
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Ran(code, printed.out, printed.err)

    return run


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Writes a log into the current folder, a temporary one; returns its name."""
    monkeypatch.chdir(tmp_path)

    def write(text: str | bytes = LOG, name: str = "friday.rgn") -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return name

    return write


@pytest.fixture
def bad_log(log: Callable[..., str]) -> str:
    """A log with one violation, in line 13."""
    return log(BAD, "bad.rgn")
