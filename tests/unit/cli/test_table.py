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
from meldref.core.cards import card_text
from meldref.notation.reader import read_lines
from meldref.position.turn import NOT_DRAWN
from meldref.replay.log import Overrides
from meldref_cli.prompting import asking
from meldref_evidence.audit import replay
from meldref_table.sitting import Sitting, complete

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


@pytest.mark.sweep
@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals there")
def test_a_whole_game_with_wrong_moves_undo_and_a_kill_in_the_middle(tmp_path):
    log = tmp_path / "game.rgn"
    screen = Screen(
        tmp_path, "game.rgn", "--players", "Ann,Bob", "--seed", "7", "--set", "game.target=60"
    )
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


@pytest.fixture
def sat(tmp_path, monkeypatch, meldref):
    """What lines from standard input come to, at a table in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def sit(lines, *arguments):
        entered = "".join(f"{line}\n" for line in lines)
        return meldref("table", "game.rgn", *arguments, stdin=entered)

    return sit


ENTERED = [
    "hand 1 dealer Bob",
    "deal Ann 5h 6h 7h 2c 3c 4c 9d 9s 9h Kd Ks Kh Qd",
    "deal Bob ?*13",
    "up 4s",
]
NEW = ("--players", "Ann,Bob")


def test_what_is_entered_is_judged_and_the_score_kept(tmp_path, sat):
    run = sat(
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
    assert run.code == 1
    assert "meld.size" in run.out or "meld.shape" in run.out
    assert "meld 5h 6h;" not in log
    assert "1. Ann: draw 2d; meld 5h 6h 7h" in log


def test_players_may_insist_on_what_is_wrong_and_the_log_has_it(tmp_path, sat):
    run = sat([*ENTERED, "take 4s; discard 4s", "!"], *NEW)
    assert "discard.taken-top" in run.out
    assert "Ann: take 4s; discard 4s" in (tmp_path / "game.rgn").read_text()
    assert [one.code for one in audit_file(tmp_path / "game.rgn").findings] == ["discard.taken-top"]


def test_a_turn_that_could_not_be_ended_is_refused_before_it_is_written(tmp_path, sat):
    sat([*ENTERED, "draw 8c; discard Qd", "draw; discard Jc", "take 4s"], *NEW)
    log = (tmp_path / "game.rgn").read_text()
    assert "2. Bob: draw ?; discard Jc" in log
    assert "take 4s" not in log


def test_undo_takes_back_what_the_referee_wrote_behind_a_move_too(tmp_path, sat):
    out = (
        "draw 2d; meld 5h 6h 7h; meld 2c 3c 4c; meld 9d 9s 9h; lay 2d m2; meld Kd Ks Kh; discard Qd"
    )
    move = (
        out.replace("lay 2d m2; ", "")
        .replace("draw 2d", "draw 8h")
        .replace("meld 5h 6h 7h", "meld 5h 6h 7h 8h")
    )
    sat([*ENTERED, move, "end", "show Bob Ac Ad As Ah 2h 3h 4h Jc Jd Js Tc Td Ts"], *NEW)
    report = audit_file(tmp_path / "game.rgn")
    assert report.verdict == "clean", report.findings
    text = (tmp_path / "game.rgn").read_text()
    assert "end out Ann" in text
    assert "\nscore Ann" in text
    assert "\ntotal Ann" in text
    sat(["undo", "undo", "undo"])
    assert audit_file(tmp_path / "game.rgn").scores == []


def test_a_line_that_was_torn_is_left_out_and_told(tmp_path, sat):
    sat(ENTERED, *NEW)
    whole = (tmp_path / "game.rgn").read_text()
    (tmp_path / "game.rgn").write_text(whole + "1. Ann: dra")
    run = sat(["moves"])
    assert "was incomplete and is left out: 1. Ann: dra" in run.err
    assert (tmp_path / "game.rgn").read_text() == whole


TORN = {
    "in a letter": "# Zoë".encode()[:-1],
    "behind a return": b"1. Ann: dra\r",
    "very long": b"1. Ann: " + b"draw; " * 40_000,
    "longer than what is read in one go": b"x" * 200_001,
    "nothing but bytes": b"\xff\xfe\x00",
}


@pytest.mark.parametrize("torn", TORN.values(), ids=TORN)
@pytest.mark.sweep(every=5)
def test_exactly_the_line_that_was_torn_is_taken_off(tmp_path, sat, torn):
    sat(ENTERED, *NEW)
    whole = (tmp_path / "game.rgn").read_bytes().replace(b"\nup", b"\r\nup")
    (tmp_path / "game.rgn").write_bytes(whole + torn)
    run = sat(["draw 8c; discard Qd"], "-q")
    assert run.code == 0, run.err
    assert (tmp_path / "game.rgn").read_bytes() == whole + b"1. Ann: draw 8c; discard Qd\n"


NO_LOGS = {
    "one line": b"no log at all",
    "a picture": b"\xff\xd8\xff\xe0 a picture\n\x00\x01",
    "a line before the last": b"1. Ann: dra\nAnn",
    "another encoding": "# a comment\n".encode("utf-16"),
}


@pytest.mark.parametrize("text", NO_LOGS.values(), ids=NO_LOGS)
def test_a_file_that_is_no_log_is_left_as_it_is(tmp_path, sat, text):
    (tmp_path / "game.rgn").write_bytes(text)
    run = sat(["draw"], "-q")
    assert run.code == 2
    assert "correct them first" in run.err
    assert (tmp_path / "game.rgn").read_bytes() == text


def at_the_table(tmp_path, monkeypatch, meldref, lines, *players):
    """What a table that asks for lines with prompts comes to, and the prompts."""
    prompts, rest = [], iter(lines)

    def asking_for_lines(*_, **__):
        def ask(prompt):
            prompts.append(prompt)
            line = next(rest, None)
            return line() if callable(line) else line

        return ask

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("meldref_cli.table.asking", asking_for_lines)
    return meldref("table", "game.rgn", *players), prompts


def test_no_name_in_a_prompt_steers_the_terminal(tmp_path, monkeypatch, meldref):
    players = ("--players", "Ann\x9b2J,\u202eBob", "--seed", "1")
    ran, prompts = at_the_table(tmp_path, monkeypatch, meldref, ["deal", "discard 2c"], *players)
    assert {"Ann\\x9b2J> ", "\\u202eBob> "}.intersection(prompts)
    assert all(prompt.isprintable() for prompt in prompts)
    assert not {"\x9b", "\u202e"}.intersection(ran.out + ran.err)


@pytest.mark.parametrize("how", ["another line", "another file", "gone"])
def test_a_table_whose_log_somebody_else_changes_writes_nothing_more(
    tmp_path, sat, monkeypatch, meldref, how
):
    log = tmp_path / "game.rgn"
    sat(ENTERED, *NEW)
    stood = log.read_text()

    def change():
        if how == "another line":
            log.write_text(stood + "# a remark\n")
        else:
            log.rename(tmp_path / "old.rgn")
            if how == "another file":
                log.write_text(stood)
        return "draw 8c; discard Qd"

    ran, _ = at_the_table(tmp_path, monkeypatch, meldref, [change])
    assert ran.code == 2
    assert "game.rgn: somebody else has changed this log; nothing more is written to it" in ran.err
    assert [path.read_text().removesuffix("# a remark\n") for path in tmp_path.iterdir()] == [
        stood
    ] * (1 + (how == "another file"))


def test_a_full_disk_takes_half_a_line_off_again(tmp_path, sat, monkeypatch, meldref):
    log = tmp_path / "game.rgn"
    sat(ENTERED, *NEW)
    stood = log.read_text()
    write = os.write

    def full(handle, data):
        if len(data) < 5:
            raise OSError(28, "No space left on device")
        return write(handle, data[:5])

    ran, _ = at_the_table(
        tmp_path,
        monkeypatch,
        meldref,
        [lambda: monkeypatch.setattr(os, "write", full) or "draw 8c; discard Qd"],
    )
    assert ran.code == 2
    assert "no space left on device; the last line was not written" in ran.err
    assert log.read_text() == stood


@pytest.mark.parametrize("total", ["Ann 999999990, Bob 0", "Ann 0, Bob -999999990"])
def test_totals_beyond_what_a_log_can_say_are_not_written_and_the_move_is(tmp_path, sat, total):
    cards = '[Set "deal.cards=3"]\n[Set "calls.of=none"]\n[Set "game.target=99999"]\n'
    hand = "hand 2 dealer Bob\ndeal Ann 4c 5c 6c\ndeal Bob 2s 3s 9d\nup 9h\n"
    before = f"hand 1 dealer Bob\nend agreed\nscore {total}\ntotal {total}\n"
    (tmp_path / "game.rgn").write_text(
        f'[Rules "500-rummy"]\n[Players "Ann, Bob"]\n{cards}{before}{hand}'
    )
    run = sat(["Ann: draw 7c; meld 4c 5c 6c; discard 7c", "score"], "-q")
    assert run.code == 0, run.err
    assert "a log cannot hold the number" in run.out
    log = (tmp_path / "game.rgn").read_text()
    assert log.endswith("1. Ann: draw 7c; meld 4c 5c 6c; discard 7c\nend out Ann\n")


def test_two_tables_do_not_write_one_log(tmp_path, sat):
    fcntl = pytest.importorskip("fcntl")
    sat(ENTERED, *NEW)
    with (tmp_path / "game.rgn").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        run = sat(["moves"])
    assert run.code == 2
    assert "another table is writing this log" in run.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "is a new file: name the players"),
        (("--players", "Ann"), "--players Ann: "),
        (("--players", "Ann,Ann"), "a name of their own"),
        (("--players", "Ann,Bob", "--rules", "no-such"), "no-such"),
    ],
)
def test_a_table_that_cannot_begin_says_why_and_leaves_no_file(tmp_path, sat, arguments, said):
    run = sat([], *arguments)
    assert run.code == 2
    assert said in run.err
    assert "Traceback" not in run.err
    assert not (tmp_path / "game.rgn").exists()


def test_what_is_offered_for_a_line_goes_on_from_its_beginning():
    sitting = Sitting(
        "game.rgn", ['[Rules "500-rummy"]', '[Players "Ann, Bob"]', *ENTERED], Overrides(), 1
    )
    assert "take 4s" in list(sitting.complete("ta"))
    assert "meld 5h 6h 7h" in list(sitting.complete("draw 8c; meld 5"))
    assert "discard 8c" in list(sitting.complete("draw 8c; discard "))
    assert list(sitting.complete("draw 8c; juggle")) == []


def test_a_header_does_not_begin_another_game_at_the_table_and_a_deal_wants_a_dealer(tmp_path, sat):
    run = sat(["hand", "deal", '! [Players "X"]', "void", "hand 1 dealer Bob", "deal"], *NEW)
    assert "nobody knows who deals" in run.out
    assert "a header begins another game" in run.out
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
        first = [
            move for word in wanted for move in moves if move.rpartition(": ")[2].startswith(word)
        ]
        move = (first or moves)[0]
        lines = len(sitting.lines)
        findings = sitting.shuffle() if move == "reshuffle" else sitting.say(move)
        assert len(sitting.lines) > lines, findings


@pytest.mark.parametrize(
    "rules", ['[Rules "500-rummy"]|[Options "reshuffle-stock"]', '[Rules "kalooki-40"]']
)
@pytest.mark.sweep
def test_a_dealt_stock_is_reshuffled_and_undo_takes_its_order_back_too(rules):
    reshuffles = 0
    for sitting, moves in played(
        [*rules.split("|"), '[Players "Ann, Bob"]'], ("reshuffle", "draw", "discard")
    ):
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


def test_the_order_of_a_pile_that_all_saw_turned_over_is_known_at_the_table():
    headers = ['[Rules "500-rummy"]', '[Set "stock.reshuffle=turn_over"]', '[Players "Ann, Bob"]']
    steps = played(headers, ("reshuffle", "draw", "discard"))
    sitting = next(sitting for sitting, moves in steps if "reshuffle" in moves)
    sitting.shuffle()
    while sitting.built().position.turn.source is not NOT_DRAWN:
        sitting.say(next(move for move in sitting.moves() if move.startswith("discard")))
    built = sitting.built()
    top, below = (card_text(card) for card in built.position.stock[:-3:-1])
    assert [*complete(built, f"draw {top}; discard ")], "what may follow the draw of the top card"
    assert not [*complete(built, f"draw {below}; discard ")], "another card is not on top"


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
    sitting = Sitting(
        "game.rgn", ['[Rules "500-rummy"]', '[Players "Ann, Bob"]', *ENTERED], Overrides(), 1
    )
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


CARDS = re.compile(r"(?<![=\w])(?:[2-9TJQKA][cdhs]|Jk)\b")


def may_know(log, name):
    """The cards that a player has seen: their own, and all that lay open."""
    cards = set()
    for line in log.splitlines():
        turn = re.match(r"(?:\d+\. )?(\w+): (.*)", line)
        if turn:
            drawn = re.findall(r"draw (\w+)", turn[2])
            cards |= set(CARDS.findall(turn[2])) - (set(drawn) if turn[1] != name else set())
        elif line.startswith(("up ", f"deal {name} ")):
            cards |= set(CARDS.findall(line))
    return cards


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals there")
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.sweep
def test_nobody_reads_a_card_that_they_must_not_know_where_one_screen_is_passed_round(
    tmp_path, seed
):
    log = tmp_path / "game.rgn"
    screen = Screen(tmp_path, "game.rgn", "--players", "Ann,Bob,Cy", "--seed", str(seed), "--pass")
    shown, owner, passes, undone = screen.say("Deal"), None, 0, False
    for _ in range(60):
        before, handed, after = shown.partition("the next player, please: ")
        assert set(CARDS.findall(before)) <= may_know(log.read_text(), owner), shown
        if handed:
            assert not CARDS.findall(after)
            owner, passes = after.split()[0], passes + 1
            shown = screen.say("")
            continue
        if "table> " in shown:
            break
        tries = ["draw 2c", "draw; meld 2c 3c", "take 2c; meld 2c 3c 4c", "discard 2c"]
        due = [name for name in ("Ann", "Bob", "Cy") if name != owner]
        tries += [f"{name}: draw; discard 2c" for name in due] + [f"= hand {due[0]} 2c"]
        tries += ["discard 2c; discard 3c"]  # what would be legal then is another player's move
        tries += ["table Bob"] if owner != "Bob" else []
        tries += ["undo"] if passes == 3 and not undone else []
        undone = undone or "undo" in tries
        for curious in tries:
            shown = screen.say(curious)
            if "the next player" in shown:
                break
            seen = set(CARDS.findall(shown)) - set(CARDS.findall(curious))
            assert seen <= may_know(log.read_text(), owner), shown
        else:
            _, move = best_move(screen)
            shown = screen.say(move)
    assert passes > 3
    screen.kill()


def sitting(**settings):
    """A table whose referee has dealt."""
    headers = ['[Rules "500-rummy"]', '[Players "Ann, Bob"]']
    table = Sitting(
        "x",
        [*headers, *[f'[Set "{key}={value}"]' for key, value in settings.items()]],
        Overrides(),
        3,
    )
    table.deal()
    return table


def test_the_card_to_be_drawn_is_in_no_message_and_no_completion():
    table = sitting()
    position = table.built().position
    top = card_text(position.stock[-1])
    texts = [
        one for begun in ("", "draw; meld ", "draw; discard ", "d") for one in table.complete(begun)
    ]
    for said in (
        f"draw {top}",
        "draw 2c",
        "discard 2c",
        "meld 2c 3c 4c",
        "draw; draw; discard 2c",
        "pass",
    ):
        before = len(table.lines)
        findings = table.say(said)
        if len(table.lines) == before:
            texts += [text for one in findings for text in (one.message, *one.help, *one.notes)]
    assert not [text for text in texts if top in text]


def test_a_card_that_is_shown_is_drawn_and_only_the_rest_of_the_move_refused():
    table = sitting()
    position = table.built().position
    missing = next(card_text(card) for card in position.stock[:-1] if card != position.stock[-1])
    top = card_text(position.stock[-1])
    findings = table.say(f"draw; discard {missing}")
    assert [one.code for one in findings] == ["hand.missing"]
    assert table.lines[-1] == f"1. Bob: draw {top}"
    assert table.refused == f"Bob: discard {missing}"
    assert table.say(f"discard {top}") == ()
    assert table.lines[-1] == f"Bob: discard {top}"
    assert table.refused == ""


def test_the_menu_has_no_action_that_the_rules_do_not_have():
    assert {"swap", "buy", "challenge"}.isdisjoint(sitting().complete(""))
    assert {"swap", "buy"} <= set(
        sitting(**{"melds.wild.swap": "for_natural", "buys.of": "last_discard"}).complete("")
    )


def test_undo_asks_before_it_takes_back_a_deal_and_says_what_it_takes_back(tmp_path, sat):
    run = sat(["deal", "draw", "undo", "undo", "Moves", "undo", "UNDO"], *NEW, "--seed", "1")
    assert re.search(r"taken back: 1\. \w+: draw \w\w", run.out)
    assert run.out.count("undo once more") == 2
    assert run.out.count("taken back: the deal") == 1
    assert re.search("taken back: the deal.*$", run.out, re.DOTALL)


def test_what_is_entered_in_another_spelling_is_written_canonically(tmp_path, sat):
    run = sat([*ENTERED, "ANN: draws 8c, throws Qd", "HAND 2, dealer ann"], *NEW)
    log = (tmp_path / "game.rgn").read_text()
    assert "1. Ann: draw 8c; discard Qd" in log
    assert run.code == 1
