"""`meldref fmt`: the canonical form, and nothing lost on the way."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from cli_logs import LOG

LOOSE = LOG.replace(
    "1. Ann: draw 8s; discard Ks", "1.Ann :  DRAW 8S;discard ks   # a remark "
).replace("hand 1", "\n\n\nhand 1")
CANONICAL = LOG.replace("discard Ks\n", "discard Ks # a remark\n")


def test_a_log_is_brought_into_its_canonical_form(meldref, log):
    name = log(LOOSE)
    ran = meldref("fmt", name)
    assert (ran.code, ran.out, ran.err) == (0, "", "1 log formatted\n")
    assert Path(name).read_text() == CANONICAL


def test_what_is_canonical_stays_untouched(meldref, log):
    name = log(CANONICAL)
    before = Path(name).stat()
    ran = meldref("fmt", name)
    assert (ran.code, ran.err) == (0, "0 logs formatted, 1 in canonical form\n")
    assert Path(name).stat().st_ino == before.st_ino
    assert Path(name).stat().st_mtime_ns == before.st_mtime_ns


def test_line_ends_and_byte_order_marks_become_plain(meldref, log):
    name = log(b"\xef\xbb\xbf" + CANONICAL.replace("\n", "\r\n").encode())
    assert meldref("fmt", "--check", name).code == 1
    assert "only line ends or a byte order mark differ" in meldref("fmt", "--diff", name).out
    meldref("fmt", name)
    assert Path(name).read_bytes() == CANONICAL.encode()


def test_check_names_the_files_and_writes_nothing(meldref, log):
    loose, good = log(LOOSE), log(CANONICAL, "good.rgn")
    ran = meldref("fmt", "--check", loose, good)
    assert ran.code == 1
    assert ran.out == "friday.rgn: needs formatting\n"
    assert ran.err == "1 log would be formatted, 1 in canonical form\n"
    assert Path(loose).read_text() == LOOSE
    assert meldref("fmt", "--check", "--exit-zero", loose).code == 0
    assert meldref("fmt", "--check", good).code == 0


def test_diff_shows_the_change_and_writes_nothing(meldref, log):
    loose = log(LOOSE)
    ran = meldref("fmt", "--diff", loose)
    assert ran.code == 1
    assert "-1.Ann :  DRAW 8S;discard ks   # a remark " in ran.lines
    assert "+1. Ann: draw 8s; discard Ks # a remark" in ran.lines
    assert Path(loose).read_text() == LOOSE


def test_a_log_with_unreadable_lines_is_left_as_it_is(meldref, log):
    bad, loose = log(LOOSE + "Ann: drwa 4s\n", "bad.rgn"), log(LOOSE)
    ran = meldref("fmt", bad, loose)
    assert ran.code == 2
    assert ran.lines[0].startswith("bad.rgn:15:6: error: ")
    assert ran.err == "1 log formatted, 1 unreadable, left as it is\n"
    assert Path(bad).read_text() == LOOSE + "Ann: drwa 4s\n"
    assert Path(loose).read_text() == CANONICAL


def test_standard_input_goes_to_standard_output(meldref):
    ran = meldref("fmt", "-", stdin=LOOSE)
    assert (ran.code, ran.out, ran.err) == (0, CANONICAL, "")


def test_unreadable_standard_input_leaves_standard_output_empty(meldref):
    ran = meldref("fmt", "-", stdin="Ann: drwa 4s\n")
    assert (ran.code, ran.out) == (2, "")
    assert "did you mean `draw`?" in ran.err


def test_the_mode_of_a_file_stays(meldref, log):
    name = log(LOOSE)
    Path(name).chmod(0o640)
    meldref("fmt", name)
    assert stat.S_IMODE(Path(name).stat().st_mode) == 0o640


def test_extended_attributes_of_a_file_stay(meldref, log, monkeypatch):
    name = log(LOOSE)
    given = {}
    monkeypatch.setattr(os, "listxattr", lambda _: ["user.origin"], raising=False)
    monkeypatch.setattr(
        os, "getxattr", lambda path, key: f"{key} of {Path(path).name}".encode(), raising=False
    )
    monkeypatch.setattr(
        os, "setxattr", lambda path, key, value: given.update({key: value}), raising=False
    )
    assert meldref("fmt", name).code == 0
    assert Path(name).read_text() == CANONICAL
    assert given == {"user.origin": b"user.origin of friday.rgn"}


def test_a_log_whose_attributes_cannot_be_copied_keeps_its_own_file(meldref, log, monkeypatch):
    name = log(LOOSE)
    before = Path(name).stat().st_ino

    def refuse(*_):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "listxattr", lambda _: ["security.x"], raising=False)
    monkeypatch.setattr(os, "getxattr", lambda *_: b"", raising=False)
    monkeypatch.setattr(os, "setxattr", refuse, raising=False)
    assert meldref("fmt", name).code == 0
    assert (Path(name).read_text(), Path(name).stat().st_ino) == (CANONICAL, before)


def test_a_log_that_a_table_writes_is_left_to_it(meldref, log):
    fcntl = pytest.importorskip("fcntl")
    name = log(LOOSE)
    with Path(name).open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        ran = meldref("fmt", name)
    assert ran.code == 2
    assert "a table is writing this log; nothing is changed" in ran.err
    assert Path(name).read_text() == LOOSE
    assert [path.name for path in Path().iterdir()] == [name]


@pytest.mark.parametrize("command", [["fmt"], ["rules", "check", "--fix"]], ids=" ".join)
def test_a_file_that_was_changed_while_it_was_read_is_left_as_it_is(
    meldref, log, monkeypatch, command
):
    name = log(
        LOOSE if command == ["fmt"] else "id: x\nextends: 500-rummy\n",
        "a.rgn" if command == ["fmt"] else "a.yaml",
    )
    fsync, later = os.fsync, b"# a later line\n"

    def late(handle):
        with Path(name).open("ab") as stream:
            stream.write(later)
        fsync(handle)

    before = Path(name).read_bytes()
    monkeypatch.setattr(os, "fsync", late)
    ran = meldref(*command, name)
    assert ran.code == 2
    assert "somebody else has changed this file meanwhile; nothing is written" in ran.err
    assert Path(name).read_bytes() == before + later
    assert [path.name for path in Path().iterdir()] == [name]


def test_a_link_stays_a_link(meldref, log):
    log(LOOSE, "real/friday.rgn")
    Path("link.rgn").symlink_to("real/friday.rgn")
    assert meldref("fmt", "link.rgn").code == 0
    assert Path("link.rgn").is_symlink()
    assert Path("real/friday.rgn").read_text() == CANONICAL


def test_a_failed_writing_leaves_the_old_file_and_nothing_else(meldref, log, monkeypatch):
    name = log(LOOSE)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    ran = meldref("fmt", name)
    assert ran.code == 2
    assert "no space left on device" in ran.err
    assert Path(name).read_text() == LOOSE
    assert [path.name for path in Path().iterdir()] == [name]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_file_that_may_not_be_written_is_left(meldref, log):
    name = log(LOOSE)
    Path(name).chmod(0o400)
    ran = meldref("fmt", name)
    assert ran.code == 2
    assert "cannot be written" in ran.err


def test_folders_stand_for_the_logs_below_them(meldref, log):
    log(LOOSE, "logs/a.rgn")
    log(LOOSE, "logs/b/b.rgn")
    log("loose", "logs/b.txt")
    assert meldref("fmt", "logs").err == "2 logs formatted\n"


def test_a_missing_log_costs_the_others_nothing(meldref, log):
    ran = meldref("fmt", "nowhere.rgn", log(LOOSE))
    assert ran.code == 2
    assert "nowhere.rgn: no such file" in ran.err
    assert Path("friday.rgn").read_text() == CANONICAL


@pytest.mark.parametrize("command", ["fmt", "audit", "convert --to json", "rules test"])
def test_quiet_is_a_line_for_each_thing_that_is_wrong(meldref, log, command):
    ran = meldref(*command.split(), log(b"\xff oops\n"), "--quiet")
    found = [
        line for line in (ran.out + ran.err).splitlines() if not line.startswith("meldref: error: ")
    ]
    assert ran.code == 2
    assert len(found) == 1
    assert found[0].startswith("friday.rgn:1:1: error: ")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (CANONICAL + "\n", CANONICAL.count("\n") + 1, "extra blank line"),
        (CANONICAL.replace("hand 1", "\n\nhand 1"), 4, "extra blank line"),
        ("\n" + CANONICAL, 1, "extra blank line"),
        (CANONICAL.replace("\n", "\r\n"), 1, "the line ending is not that of the canonical form"),
        (CANONICAL.rstrip("\n"), CANONICAL.count("\n"), "the last line does not end in a newline"),
        ("\ufeff" + CANONICAL, 1, "the file begins with a byte order mark"),
        (LOOSE, 4, "extra blank line"),
    ],
)
def test_programs_are_told_the_first_line_that_is_not_canonical(meldref, log, text, line, message):
    (found,) = meldref("fmt", "--check", "--format", "json", log(text)).data["logs"][0]["findings"]
    assert (found["line"], found["message"]) == (line, message)


TWICE = LOG.replace(
    "1. Ann: draw 8s; discard Ks\n", "1. Ann: draw 8s; discard Ks\n1. Ann:  draw 8s; discard Ks\n"
)


def test_fix_takes_out_a_line_that_is_written_twice_and_shows_it(meldref, log):
    name = log(TWICE)
    ran = meldref("fmt", "--fix", name)
    assert (ran.code, Path(name).read_text()) == (0, LOG)
    assert "is written twice" in ran.out
    assert "-1. Ann:  draw 8s; discard Ks" in ran.out
    assert "1 repair" in ran.err


def test_fix_writes_the_action_that_a_misspelled_word_was_meant_to_be(meldref, log):
    name = log(LOG.replace("1. Ann: draw 8s; discard", "1. Ann: draw 8s; discrad"))
    assert meldref("fmt", "--fix", name).code == 0
    assert Path(name).read_text() == LOG


def test_fix_leaves_cards_that_can_have_been_laid_as_they_are_written(meldref, log):
    """Where nothing else in the log says that another card, or another meld, was meant."""
    text = """[Rules "500-rummy"]
[Players "Ann, Bob"]
hand 1 dealer Bob
deal Ann 5h 6h 7h 9d 9s 9c Ks Qd 2c 3s 4d Jd Tc
deal Bob 4h Qs Td 3c Ac 6s 7c 8c Jc 8s 2h 3d 5c
up Kc
1. Ann: draw 4s; meld 5h 6h 7h; meld 9c 9d 9s; discard Ks
2. Bob: draw 2s; lay 4h m2; discard Qs
3. Ann: draw Ah; discard Qd
4. Bob: draw 8d; discard Td
"""
    name = log(text)
    ran = meldref("fmt", "--fix", name)
    fixed = Path(name).read_text().splitlines()
    question = "2. Bob: draw 2s; lay 4h m2; discard Qs # ? "
    assert [line for line in fixed if line not in text.splitlines()] == [
        line for line in fixed if line.startswith(question)
    ]
    assert "0 repairs, 1 question" in ran.err
    assert meldref("audit", name).code == 1


def test_fix_says_how_many_lines_it_cannot_read(meldref, log):
    name = log(LOG.replace("1. Ann: draw 8s; discard", "1. Ann: draw 8s; munch"))
    ran = meldref("fmt", "--fix", name)
    assert "0 repairs; 1 line cannot be read" in ran.err
    assert "munch" in Path(name).read_text()


EITHER = """[Rules "500-rummy"]
[Players "Ann, Bob, Cy"]
hand 1 dealer Cy
up 6c
1. Ann: draw; discard Ks
2. Cy: draw; discard 9d
3. Bob: draw; discard 2s
4. Ann: draw; discard 8s
5. Bob: draw; discard 3c
"""


@pytest.mark.parametrize(("text", "fixes"), [(TWICE, 1), (EITHER, 0)], ids=["sure", "either"])
def test_sarif_offers_to_apply_what_fix_would_write_and_nothing_that_it_asks_about(
    meldref, log, text, fixes
):
    name = log(text)
    report = meldref("audit", "--format", "sarif", name)
    assert report.out.count('"fixes"') == fixes
    fixed = meldref("fmt", "--fix", name)
    assert ("1 repair" in fixed.err, "1 question" in fixed.err) == (fixes == 1, fixes == 0)


def test_fix_with_diff_writes_nothing(meldref, log):
    name = log(TWICE)
    ran = meldref("fmt", "--fix", "--diff", name)
    assert (ran.code, Path(name).read_text()) == (1, TWICE)
    assert "-1. Ann:  draw 8s; discard Ks" in ran.out


def test_fix_of_standard_input_goes_to_standard_output(meldref):
    ran = meldref("fmt", "--fix", "-", stdin=TWICE)
    assert (ran.code, ran.out) == (0, LOG)


def test_fix_leaves_a_log_as_it_is_written_where_nothing_is_wrong(meldref, log):
    name = log(LOOSE)
    assert meldref("fmt", "--fix", name).code == 0
    assert Path(name).read_text() == LOOSE


@pytest.mark.parametrize("with_it", [("--check",), ("--format", "json")], ids=" ".join)
def test_fix_goes_with_no_report_of_the_form(meldref, log, with_it):
    assert meldref("fmt", "--fix", *with_it, log(TWICE)).code == 2


@pytest.mark.parametrize(
    "content", [b"\xff\xfe\x00", b"#" * ((2 << 20) + 1)], ids=["bytes", "long"]
)
def test_fix_says_which_files_it_cannot_repair(meldref, log, content):
    name = log(content)
    ran = meldref("fmt", "--fix", name)
    assert (ran.code, Path(name).read_bytes()) == (2, content)
    assert name in ran.err
