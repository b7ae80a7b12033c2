"""`meldref replay` on a terminal: keys go on and back, from finding to finding, and choose whose hand is seen."""

import os
import re
import select
import subprocess
import sys

import pytest

from paths import ROOT

pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")
LOG = "examples/disputed.rgn"
ON, BACK = "\x1b[C", "\x1b[D"
HELP = "whose view"
PATIENCE = 20
"""Seconds after which a program that shows nothing is given up."""


class Terminal:
    """A program on a pseudo-terminal, and what it has shown."""

    def __init__(self, *arguments):
        ours, theirs = pty.openpty()
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
        for name in ("CI", "NO_COLOR"):
            environment.pop(name, None)
        command = [sys.executable, "-m", "meldref_cli.main", *arguments]
        self._process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            close_fds=True,
        )
        os.close(theirs)
        self._ours = ours

    def screen(self, until=HELP):
        """What is shown until a text stands there; all that comes where the program has ended."""
        shown = ""
        while until not in shown:
            if not select.select([self._ours], [], [], PATIENCE)[0]:
                raise AssertionError(f"{until!r} is not shown, but {shown!r}")
            try:
                more = os.read(self._ours, 65536)
            except OSError:
                break
            if not more:
                break
            shown += more.decode()
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown)

    def press(self, key, until=HELP):
        os.write(self._ours, key.encode())
        return self.screen(until)

    def end(self):
        os.write(self._ours, b"q")
        code = self._process.wait(timeout=60)
        os.close(self._ours)
        return code


@pytest.fixture
def at():
    terminal = Terminal("replay", LOG)
    yield terminal
    if terminal._process.poll() is None:
        terminal.end()


def test_keys_go_on_and_back(at):
    first = at.screen()
    assert f"{LOG}:6: hand 1 dealer Cy" in first
    assert f"{LOG}:7: deal Ann" in at.press(ON)
    assert f"{LOG}:8: deal Bob" in at.press(" ")
    assert f"{LOG}:7: deal Ann" in at.press(BACK)
    assert f"{LOG}:6: " in at.press("0")
    assert "this is the first line" in at.press(BACK, "this is the first line")


@pytest.mark.sweep
def test_a_key_goes_from_finding_to_finding(at):
    at.screen()
    found = [at.press("n") for _ in range(4)]
    assert [re.search(r"\[([a-z.-]+)\]", one)[1] for one in found] == [
        "draw.deep.unused",
        "discard.taken-top",
        "meld.shape",
        "score.hand",
    ]
    assert "legal here: meld 6c 6d 6s" in found[0]
    assert "no finding after" in at.press("n", "no finding after this line")
    assert "meld.shape" in at.press("p")


@pytest.mark.sweep
def test_hands_can_be_seen_from_one_place(at):
    at.screen()
    at.press("n")
    as_ann = at.press("v")
    assert "as Ann sees it" in as_ann
    assert "2c 9d Qd 4s" in as_ann or "2c 9d 4s Qd" in as_ann
    assert "Ad Kd 9h" not in as_ann
    assert "Bob" in as_ann
    before = at.press(BACK)
    assert "draw ?" in before


@pytest.mark.sweep
def test_the_exit_status_is_that_of_the_lines_shown(at):
    at.screen()
    assert at.end() == 0
    other = Terminal("replay", LOG)
    other.screen()
    other.press("n")
    assert other.end() == 1


def test_where_there_is_no_terminal_it_is_text(meldref):
    ran = meldref("replay", str(ROOT / LOG))
    assert ran.code == 1
    assert HELP not in ran.out
    assert "\x1b" not in ran.out
