"""The referee at the table: a whole game in a pseudo-terminal, killed in its middle, and by lines from a pipe."""

from __future__ import annotations

import importlib
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from meldref import audit_file
from meldref.notation.reader import read_lines
from meldref.replay.log import Overrides, replay
from meldref.sitting import Sitting
from meldref_cli.table import asking

PROGRAM = [sys.executable, "-m", "meldref_cli.main", "table"]


class Screen:
    """A table that somebody sits at: a process on a terminal of its own."""

    def __init__(self, folder, *arguments):
        self.master, slave = pty.openpty()
        environment = {**os.environ, "TERM": "dumb", "NO_COLOR": "1"}
        self.process = subprocess.Popen(
            [*PROGRAM, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
        os.close(slave)
        self.shown = self.until_prompt()

    def until_prompt(self):
        text, end = "", time.monotonic() + 30
        while not re.search(r"(^|\n)\r?(\x1b\[\S*)?\w+> $", text):
            ready, _, _ = select.select([self.master], [], [], max(0, end - time.monotonic()))
            assert ready, f"no prompt after: {text}"
            try:
                text += os.read(self.master, 65536).decode().replace("\r", "")
            except OSError:
                break
        return text

    def say(self, line):
        os.write(self.master, line.encode() + b"\n")
        self.shown = self.until_prompt()
        return self.shown

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)
        os.close(self.master)

    def leave(self):
        os.write(self.master, b"quit\n")
        assert self.process.wait(20) == 0
        os.close(self.master)


def best_move(screen):
    """What a player does who asks for the legal moves: whatever scores, and no calls."""
    shown = screen.say("moves")
    mover = re.findall(r"(\w+)> $", shown)[-1]
    moves = [
        line.strip()
        for line in shown.splitlines()
        if re.match(r"(draw|take|meld|lay|discard|pass|reshuffle)", line)
    ]
    for word in ("meld", "lay", "draw", "take", "discard", "pass", "reshuffle"):
        for move in moves:
            if move.startswith(word):
                return mover, move
    raise AssertionError(shown)


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals there")
def test_a_whole_game_with_wrong_moves_undo_and_a_kill_in_the_middle(tmp_path):
    log = tmp_path / "game.rgn"
    screen = Screen(tmp_path, "game.rgn", "--players", "Ann,Bob", "--seed", "7", "--set", "game.target=60")
    screen.say("deal")
    assert "not written" in screen.say("discard 2c")
    mover, _ = best_move(screen)
    other = {"Ann": "Bob", "Bob": "Ann"}[mover]
    assert "turn.order" in screen.say(f"{other}: draw; discard 2c")
    before = log.read_text()
    screen.say("draw")
    assert len(log.read_text()) > len(before)
    screen.say("undo")
    assert log.read_text().endswith("undo\n")
    killed = steps = 0
    while "result" not in log.read_text():
        steps += 1
        assert steps < 400
        if "table> " in screen.shown:
            screen.say("end")
            if "result" not in log.read_text():
                screen.say("deal")
            continue
        _, move = best_move(screen)
        screen.say(move)
        if steps == 15:
            stood = log.read_text()
            screen.kill()
            killed += 1
            screen = Screen(tmp_path, "game.rgn", "--seed", "8")
            assert log.read_text() == stood
            assert "going on after line" in screen.shown
    assert killed
    assert "the game is over" in screen.say("score")
    screen.leave()
    report = audit_file(log)
    assert report.verdict == "clean", report.findings
    assert report.scores


def sat(folder, lines, *arguments):
    """What lines from a pipe come to."""
    return subprocess.run(
        [*PROGRAM, "game.rgn", *arguments],
        input="".join(f"{line}\n" for line in lines),
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


ENTERED = [
    "hand 1 dealer Bob",
    "deal Ann 5h 6h 7h 2c 3c 4c 9d 9s 9h Kd Ks Kh Qd",
    "deal Bob ?*13",
    "up 4s",
]
NEW = ("--players", "Ann,Bob")


def test_what_is_entered_is_judged_and_the_score_kept(tmp_path):
    run = sat(
        tmp_path,
        [
            *ENTERED,
            "draw 2d; meld 5h 6h; discard 2d",
            "draw 2d; meld 5h 6h 7h; meld 2c 3c 4c; meld 9d 9s 9h; meld Kd Ks Kh; discard 2d",
            "draw; discard 8c",
            "draw 3d; discard 3d",
            "end stock",
        ],
        *NEW,
    )
    log = (tmp_path / "game.rgn").read_text()
    assert run.returncode == 1
    assert "meld.size" in run.stdout or "meld.shape" in run.stdout
    assert "meld 5h 6h;" not in log
    assert "1. Ann: draw 2d; meld 5h 6h 7h" in log


def test_players_may_insist_on_what_is_wrong_and_the_log_has_it(tmp_path):
    run = sat(tmp_path, [*ENTERED, "take 4s; discard 4s", "!"], *NEW)
    assert "discard.taken-top" in run.stdout
    assert "Ann: take 4s; discard 4s" in (tmp_path / "game.rgn").read_text()
    assert [one.code for one in audit_file(tmp_path / "game.rgn").findings] == ["discard.taken-top"]


def test_a_turn_that_could_not_be_ended_is_refused_before_it_is_written(tmp_path):
    sat(tmp_path, [*ENTERED, "draw 8c; discard Qd", "draw; discard Jc", "take 4s"], *NEW)
    log = (tmp_path / "game.rgn").read_text()
    assert "2. Bob: draw ?; discard Jc" in log
    assert "take 4s" not in log


def test_undo_takes_back_what_the_referee_wrote_behind_a_move_too(tmp_path):
    out = "draw 2d; meld 5h 6h 7h; meld 2c 3c 4c; meld 9d 9s 9h; lay 2d m2; meld Kd Ks Kh; discard Qd"
    move = (
        out.replace("lay 2d m2; ", "").replace("draw 2d", "draw 8h").replace("meld 5h 6h 7h", "meld 5h 6h 7h 8h")
    )
    sat(tmp_path, [*ENTERED, move, "end", "show Bob Ac Ad As Ah 2h 3h 4h Jc Jd Js Tc Td Ts"], *NEW)
    report = audit_file(tmp_path / "game.rgn")
    assert report.verdict == "clean", report.findings
    text = (tmp_path / "game.rgn").read_text()
    assert "end out Ann" in text
    assert "\nscore Ann" in text
    assert "\ntotal Ann" in text
    sat(tmp_path, ["undo", "undo", "undo"])
    assert audit_file(tmp_path / "game.rgn").scores == []


def test_a_line_that_was_torn_is_left_out_and_told(tmp_path):
    sat(tmp_path, ENTERED, *NEW)
    whole = (tmp_path / "game.rgn").read_text()
    (tmp_path / "game.rgn").write_text(whole + "1. Ann: dra")
    run = sat(tmp_path, ["moves"])
    assert "was incomplete and is left out: 1. Ann: dra" in run.stderr
    assert (tmp_path / "game.rgn").read_text() == whole


def test_two_tables_do_not_write_one_log(tmp_path):
    fcntl = pytest.importorskip("fcntl")
    sat(tmp_path, ENTERED, *NEW)
    with (tmp_path / "game.rgn").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        run = sat(tmp_path, ["moves"])
    assert run.returncode == 2
    assert "another table is writing this log" in run.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "is new: say who plays"),
        (("--players", "Ann"), "--players Ann: "),
        (("--players", "Ann,Ann"), "a name of their own"),
        (("--players", "Ann,Bob", "--rules", "no-such"), "no-such"),
    ],
)
def test_a_table_that_cannot_begin_says_why_and_leaves_no_file(tmp_path, arguments, said):
    run = sat(tmp_path, [], *arguments)
    assert run.returncode == 2
    assert said in run.stderr
    assert "Traceback" not in run.stderr
    assert not (tmp_path / "game.rgn").exists()


def test_what_is_offered_for_a_line_goes_on_from_its_beginning():
    sitting = Sitting("game.rgn", ['[Rules "500-rummy"]', '[Players "Ann, Bob"]', *ENTERED], Overrides(), 1)
    assert "take 4s" in list(sitting.complete("ta"))
    assert "meld 5h 6h 7h" in list(sitting.complete("draw 8c; meld 5"))
    assert "discard 8c" in list(sitting.complete("draw 8c; discard "))
    assert list(sitting.complete("draw 8c; juggle")) == []


def test_a_header_does_not_begin_another_game_at_the_table_and_a_deal_wants_a_dealer(tmp_path):
    run = sat(tmp_path, ["hand", "deal", '! [Players "X"]', "void", "hand 1 dealer Bob", "deal"], *NEW)
    assert "nobody knows who deals" in run.stdout
    assert "a header begins another game" in run.stdout
    text = (tmp_path / "game.rgn").read_text()
    assert "X" not in text.replace("[X", "")
    assert "deal Ann" in text
    assert audit_file(tmp_path / "game.rgn").verdict == "clean"


def written(sitting, deed, *line):
    """The lines that something adds to the log."""
    before = len(sitting.lines)
    deed(*line)
    return sitting.lines[before:]


def played(headers, wanted, seed=1, steps=300):
    """A sitting, and what it offers, while players make the first of the wanted moves that is legal."""
    sitting = Sitting("game.rgn", headers, Overrides(), seed)
    for _ in range(steps):
        moves = sitting.moves()
        if not moves:
            assert written(sitting, sitting.end) or written(sitting, sitting.deal)
            continue
        yield sitting, moves
        first = [move for word in wanted for move in moves if move.rpartition(": ")[2].startswith(word)]
        move = (first or moves)[0]
        lines = len(sitting.lines)
        findings = sitting.shuffle() if move == "reshuffle" else sitting.say(move)
        assert len(sitting.lines) > lines, findings


@pytest.mark.parametrize("rules", ['[Rules "500-rummy"]|[Options "reshuffle-stock"]', '[Rules "kalooki-40"]'])
def test_a_dealt_stock_is_reshuffled_and_undo_takes_its_order_back_too(rules):
    reshuffles = 0
    for sitting, moves in played([*rules.split("|"), '[Players "Ann, Bob"]'], ("reshuffle", "draw", "discard")):
        if "reshuffle" not in moves:
            continue
        stood, lines = sitting.as_seen("Ann"), len(sitting.lines)
        said = written(sitting, sitting.shuffle)
        assert [line.split()[0] for line in said] == ["reshuffle", "stock"]
        assert len(said[1].split()) == len(stood.pile), "all but the top card, behind the word"
        assert written(sitting, sitting.undo) == ["undo", "undo"]
        after = sitting.as_seen("Ann")
        assert (after.pile, after.hands, after.stock_size) == (stood.pile, stood.hands, 0)
        assert len(sitting.lines) == lines + 4
        reshuffles += 1
        if reshuffles == 2:
            break
    assert reshuffles
    report = replay(read_lines(sitting.lines))
    assert {finding.code for finding in report.findings} <= {"turn.unfinished"}


def test_buys_are_offered_at_the_table_judged_undone_and_written(tmp_path):
    headers = ['[Rules "contract-rummy"]', '[Players "Ann, Bob, Cy"]']
    bought = 0
    for sitting, moves in played(headers, ("buy", "pass", "draw", "discard"), steps=40):
        if not any(": buy " in move for move in moves):
            continue
        buy = next(move for move in moves if ": buy " in move)
        before = sitting.as_seen(buy.partition(":")[0])
        assert written(sitting, sitting.say, buy)
        after = sitting.as_seen(buy.partition(":")[0])
        assert sum(after.held) > sum(before.held)
        assert after.stock_size < before.stock_size
        assert written(sitting, sitting.undo) == ["undo"]
        assert sitting.as_seen(buy.partition(":")[0]).held == before.held
        bought += 1
        assert not written(sitting, sitting.say, buy.replace(": buy ", ": buy 2"))
    assert bought > 3
    assert any(": buy " in line for line in sitting.lines)


def test_a_menu_completes_by_what_is_offered(monkeypatch):
    toolkit = pytest.importorskip("prompt_toolkit", reason="the extra `table` is not installed")
    event = importlib.import_module("prompt_toolkit.completion").CompleteEvent()
    document = importlib.import_module("prompt_toolkit.document").Document
    session = importlib.import_module("prompt_toolkit.application").create_app_session
    pipe = importlib.import_module("prompt_toolkit.input").create_pipe_input
    nowhere = importlib.import_module("prompt_toolkit.output").DummyOutput()
    made = []

    class Noted(toolkit.PromptSession):
        def __init__(self, **settings):
            super().__init__(**settings)
            made.append(self)

        def __class_getitem__(cls, _):
            return cls

    monkeypatch.setattr(toolkit, "PromptSession", Noted)
    sitting = Sitting("game.rgn", ['[Rules "500-rummy"]', '[Players "Ann, Bob"]', *ENTERED], Overrides(), 1)
    with pipe() as keys, session(input=keys, output=nowhere):
        ask = asking(sitting.complete, terminal=True)
        for begun, whole in (("take 4", "take 4s"), ("draw 8c; meld 5", "draw 8c; meld 5h 6h 7h")):
            with monkeypatch.context() as typed:
                typed.setattr(made[0], "default_buffer", SimpleNamespace(document=document(begun)))
                found = made[0].completer.get_completions(document(begun), event)
                assert whole in [one.text for one in found]
        keys.send_text("take 4s\r")
        assert ask("Ann> ") == "take 4s"
        keys.send_text("\x04")
        assert ask("Ann> ") is None
