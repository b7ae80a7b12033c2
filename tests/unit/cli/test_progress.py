"""The progress bar: on a terminal alone, for long work alone, and never in the way of results."""

from __future__ import annotations

import io
import sys

import pytest

from meldref_cli import output, progress
from meldref_cli.progress import Bar


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def at_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Makes standard error a terminal; called by the test itself, since pytest sets the stream anew for it."""
    for name in ("NO_COLOR", "CI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    return stream


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Lets time pass."""
    real = progress.time.monotonic
    monkeypatch.setattr(progress.time, "monotonic", lambda: real() + seconds)


def test_work_that_takes_long_has_a_bar_on_a_terminal(monkeypatch):
    terminal = at_terminal(monkeypatch)
    with Bar(100) as bar:
        bar.tick(10)
        assert terminal.getvalue() == ""
        later(monkeypatch, 2)
        bar.tick(10)
        assert bar._bar is not None
        bar.hide()
        assert bar._bar is None
        bar.tick(10)
        assert bar._bar is None
    assert "auditing" in terminal.getvalue()


def test_results_written_beside_a_bar_go_where_they_should(monkeypatch, capsys):
    terminal = at_terminal(monkeypatch)
    with Bar(100) as bar:
        later(monkeypatch, 2)
        bar.tick(10)
        output.write("a result")
        assert "a result" not in terminal.getvalue()
    assert capsys.readouterr().out == "a result\n"


@pytest.mark.parametrize("name", ["NO_COLOR", "CI"])
def test_the_environment_can_speak_against_a_bar(monkeypatch, name):
    terminal = at_terminal(monkeypatch)
    monkeypatch.setenv(name, "1")
    with Bar(100) as bar:
        later(monkeypatch, 2)
        bar.tick(10)
    assert terminal.getvalue() == ""


def test_a_dumb_terminal_and_a_closed_stream_have_no_colours(monkeypatch):
    monkeypatch.setenv("TERM", "dumb")
    assert not output.has_colours(Terminal())
    monkeypatch.setenv("TERM", "xterm")
    closed = io.StringIO()
    closed.close()
    assert not output.is_terminal(closed)


def test_without_a_terminal_there_is_no_bar(monkeypatch, capsys):
    with Bar(100) as bar:
        later(monkeypatch, 2)
        bar.tick(10)
    assert capsys.readouterr().err == ""
