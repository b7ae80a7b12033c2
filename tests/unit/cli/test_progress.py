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


def test_elsewhere_there_is_a_line_a_minute_with_the_rate_and_the_time_left(monkeypatch, capsys):
    with progress.Pace(1000) as pace:
        pace.tick(10)
        for minute in range(1, 4):
            with monkeypatch.context() as clock:
                later(clock, 61.0 * minute)
                pace.tick(100)
                pace.tick(0)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("meldref: 110 of 1,000 logs, 2 a second, ")
    assert lines[0].endswith(" minutes left")


def test_on_a_terminal_the_bar_has_the_rate(monkeypatch):
    terminal = at_terminal(monkeypatch)
    with progress.Pace(1000) as pace:
        later(monkeypatch, 10)
        pace.tick(500)
        pace.tick(1)
        assert pace._bar is not None
    assert "501/1000" in terminal.getvalue()
    assert "a second" in terminal.getvalue()


def test_where_nobody_wants_to_know_nothing_is_said(monkeypatch, capsys):
    with progress.Pace(10, wanted=False) as pace:
        later(monkeypatch, 100)
        pace.tick(5)
    assert capsys.readouterr().err == ""
