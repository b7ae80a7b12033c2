"""Unusable input: each gives a finding or an error at its place, and costs the other files of the run nothing."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from audits import found
from cli_logs import LOG

HEAD = '[Rules "500-rummy"]\n[Players "Ann, Bob"]\n'


def audited(meldref, log, name: str, text: str | bytes | None):
    """Exit status and the findings of a bad file, audited between two good ones."""
    log(name="a-good.rgn")
    log(name="z-good.rgn")
    if text is not None:
        log(text, name=name)
    ran = meldref("audit", "--format", "json", "a-good.rgn", name, "z-good.rgn")
    assert "Traceback" not in ran.out + ran.err
    logs = {one["path"]: one for one in ran.data["logs"]}
    assert logs["a-good.rgn"]["verdict"] == logs["z-good.rgn"]["verdict"] == "clean"
    return ran, logs.get(name)


@pytest.mark.parametrize(
    ("text", "verdict", "place"),
    [
        (b"", "unreadable", None),
        (b"\n\n# nothing\n", "unreadable", None),
        (b"\xff\xfe\x00\x01", "unreadable", None),
        (
            HEAD.encode() + b'hand 1\nnote "\xff\xfe"\nscore Ann 5, Bob 6\n',
            "violations",
            (4, "log.syntax"),
        ),
        (b"\x00" * 300, "unreadable", None),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "unreadable", None),
        (f"{HEAD}hand 1\nAnn: dr".encode(), "violations", (4, "log.syntax")),
        (f"{HEAD}hand 1\nAnn: draw".encode(), "violations", (4, "turn.unfinished")),
        (f"{HEAD}hand 1\nZed: draw; discard 5h\n".encode(), "violations", (4, "log.name")),
        (f"{HEAD}hand 1\nAnn: draw; lay 5h m0\n".encode(), "violations", None),
        (
            f"{HEAD}hand 1\nAnn: draw; lay 5h m999; discard 6h\n".encode(),
            "violations",
            (4, "log.name"),
        ),
        (f'[Rules "no-game"]\n{HEAD[20:]}hand 1\n'.encode(), "unreadable", (1, "log.name")),
        (
            f"{HEAD}{'x' * 9000}\nhand 1\nscore Ann 5, Bob 6\n".encode(),
            "violations",
            (3, "log.syntax"),
        ),
        (
            f"{HEAD}hand 1\ndeal Ann {'9c ' * 40}\ndeal Bob ?*13\nup 5h\nAnn: draw; discard 9c\n".encode(),
            "violations",
            None,
        ),
    ],
)
def test_a_bad_log_is_found_at_its_place_and_the_others_are_audited(
    meldref, log, text, verdict, place
):
    ran, there = audited(meldref, log, "bad.rgn", text)
    assert there["verdict"] == verdict
    assert ran.code == (2 if verdict == "unreadable" else 1)
    assert place is None or place in [(one["line"], one["code"]) for one in there["findings"]]


def test_a_missing_file_and_a_folder_without_logs_cost_the_others_nothing(meldref, log, tmp_path):
    (tmp_path / "empty").mkdir()
    log(name="a-good.rgn")
    for name in ("nowhere.rgn", "empty"):
        ran = meldref("audit", name, "a-good.rgn")
        assert ran.code == 2
        assert "a-good.rgn: clean" in ran.out
        assert name in ran.err


def test_a_card_that_turns_up_once_too_often_is_found_where_it_does():
    """Two packs have a nine of clubs twice; the third is one too many, in whatever hand."""
    head = '[Rules "500-rummy"]\n[Players "A, B, C, D, E"]\nhand 1 dealer E\n'
    deals = "deal A 9c 9c ?*5\ndeal B {} ?*6\ndeal C ?*7\ndeal D ?*7\ndeal E ?*7\nup 5h\nA: draw; discard 9c\n"
    assert found(head + deals.format("2c")) == []
    assert found(head + deals.format("9c")) == [(5, "log.copies")]


@pytest.mark.parametrize("many", [2_000, 20_000])
def test_a_long_line_is_one_finding(meldref, log, many):
    _, there = audited(meldref, log, "bad.rgn", f"{HEAD}hand 1\n{'Ann: draw; ' * many}\n")
    assert [(one["line"], one["code"]) for one in there["findings"]] == [(4, "log.syntax")]


def test_thousands_of_bad_lines_are_read_to_the_end(meldref, log):
    _, there = audited(
        meldref, log, "bad.rgn", f"{HEAD}hand 1\n" + "Ann: drow; discard 5h\n" * 3_000
    )
    assert there["verdict"] == "violations"
    assert there["findings"][0]["line"] == 4


def test_thousands_of_hands_are_audited():
    text = HEAD + "".join(f"hand {number}\nscore Ann 0, Bob 0\n" for number in range(1, 2_001))
    assert found(text + "total Ann 0, Bob 1\n") == [(4003, "score.total")]


UTF_16 = LOG.encode("utf-16")


@pytest.mark.parametrize(
    "command",
    [
        ["audit"],
        ["fmt"],
        ["fmt", "--check"],
        ["replay"],
        ["replay", "--at", "5"],
        ["convert"],
        ["legal", "draw", "--at", "5", "--log"],
    ],
    ids=" ".join,
)
def test_a_log_in_another_encoding_is_told_once_by_every_command(meldref, log, command):
    ran = meldref(*command, log(UTF_16))
    assert ran.code == 2
    assert (ran.out + ran.err).count("log.syntax]") == 1
    assert "friday.rgn: error: the file is UTF-16; save it as UTF-8" in ran.out + ran.err


@pytest.mark.parametrize("command", [["fmt"], ["convert", "--to", "json"]], ids=" ".join)
def test_a_file_that_is_no_log_is_told_with_its_first_lines(meldref, log, command):
    ran = meldref(*command, log(b"\xff\n" * 300))
    assert ran.code == 2
    assert (ran.out + ran.err).count("log.syntax]") == 5
    assert "friday.rgn: 295 more findings not shown" in ran.err


def test_a_long_file_that_is_no_log_is_not_replayed_to_its_end(meldref, log):
    ran = meldref("replay", log("one of many\n" * 5_000))
    assert ran.code == 2
    assert ran.out.count("friday.rgn:") < 3_000


@pytest.mark.parametrize("command", [["replay"], ["legal", "draw", "--log"]], ids=" ".join)
def test_a_line_of_an_empty_file_is_asked_for_in_vain(meldref, log, command):
    ran = meldref(*command, log(""), "--at", 5)
    assert ran.code == 2
    assert (
        "friday.rgn: there is no game in this file" in ran.err.replace("error: ", "", 1) + ran.err
    )


# --- rules and cases ------------------------------------------------------------------------------

RULES = "id: lake\nname: Lake\nextends: [500-rummy]\n"
BOMB = "a: &a [x, x, x, x]\n" + "".join(
    f"{b}: &{b} [*{a}, *{a}, *{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("id: lake\nname: x\nname: y\nextends: [500-rummy]\n", 3),
        (BOMB, 1),
        ("[" * 30_000, 1),
        ("{" * 30_000, 1),
        ("- " * 30_000, 1),
        ("id: !!python/object/apply:os.system [ls]\n", 1),
        ("id: [\n", None),
        ("\t", None),
        ("", None),
        ("x" * (1 << 20) + "x", None),
        ("id: lake\nname: x\nextends: [lake]\n", None),
        ("id: lake\nname: x\nextends: [no-such-game]\n", 3),
    ],
    ids=[
        "twice",
        "bomb",
        "brackets",
        "braces",
        "dashes",
        "tag",
        "open",
        "tab",
        "empty",
        "large",
        "itself",
        "nobody",
    ],
)
def test_rules_that_cannot_be_used_are_found_and_nothing_falls_over(
    meldref, tmp_path, log, text, line
):
    (tmp_path / "house.yaml").write_text(text, encoding="utf-8")
    log()
    ran = meldref("rules", "check", "house.yaml")
    assert ran.code in {1, 2}
    assert "Traceback" not in ran.out + ran.err
    assert line is None or f"house.yaml:{line}:" in ran.out + ran.err
    ran = meldref("audit", "--rules", "house.yaml", "friday.rgn")
    assert ran.code == 2
    assert "Traceback" not in ran.out + ran.err
    assert "internal error" not in ran.err


NO_TEXT = {
    "utf-16": RULES.encode("utf-16"),
    "latin-1": RULES.replace("Lake", "L\u00e4ke").encode("latin-1"),
    "binary": b"id: lake\0\n",
    "large": b"# " + b"x" * (1 << 20),
}


@pytest.mark.parametrize("data", NO_TEXT.values(), ids=NO_TEXT)
@pytest.mark.parametrize("fix", [[], ["--fix"], ["--diff"]], ids=["check", "fix", "diff"])
def test_a_rules_file_that_is_no_text_is_unusable_input(meldref, log, tmp_path, data, fix):
    log(data, "house.yaml")
    ran = meldref("rules", "check", "house.yaml", *fix)
    assert ran.code == 2
    assert "house.yaml:" in ran.out + ran.err
    assert "[rules.yaml]" in ran.out + ran.err
    assert (tmp_path / "house.yaml").read_bytes() == data


def test_programs_are_told_which_rules_files_cannot_be_read(meldref, log):
    log(NO_TEXT["utf-16"], "house.yaml")
    log(RULES, "good.yaml")
    check = ("rules", "check", "house.yaml", "good.yaml", "--format")
    data = meldref(*check, "json").data
    assert [(one["path"], len(one["findings"])) for one in data["files"]] == [
        ("house.yaml", 1),
        ("good.yaml", 0),
    ]
    assert data["unusable"] == ["house.yaml: the file is UTF-16; save it as UTF-8"]
    assert json.loads(meldref(*check, "jsonl").lines[-1])["summary"]["unusable"] == 1
    assert '<error type="rules.yaml"' in meldref(*check, "junit").out


@pytest.mark.parametrize(
    "text",
    [
        "cases: [" * 3_000,
        "cases:\n  - x: &a 1\n    y: *a\n",
        "cases:\n  - name: x\n    name: y\n",
        "cases: 5\n",
    ],
)
def test_case_files_that_cannot_be_used_are_found_and_the_others_run(meldref, tmp_path, log, text):
    log()
    (tmp_path / "bad.yaml").write_text(text, encoding="utf-8")
    good = 'cases:\n  - rules: 500-rummy\n    moves: ["A: draw 5h; discard 5h"]\n    expect: {verdict: legal}\n'
    (tmp_path / "good.yaml").write_text(good, encoding="utf-8")
    ran = meldref("rules", "test", "--format", "json", "bad.yaml", "good.yaml")
    assert ran.code == 2
    assert "Traceback" not in ran.out + ran.err
    assert json.loads(ran.out)["passed"] == 1


def test_the_good_log_of_these_tests_is_one(meldref, log):
    assert meldref("audit", log(LOG)).code == 0


# --- names and folders ----------------------------------------------------------------------------

LONG = "x" * 300


@pytest.mark.parametrize(
    "command",
    [
        ["audit"],
        ["fmt"],
        ["replay"],
        ["convert"],
        ["legal", "draw", "--position"],
        ["melds", "5h", "--rules"],
        ["melds", "5h", "--with"],
        ["rules", "show"],
        ["rules", "check"],
        ["rules", "test"],
        ["rules", "diff", "500-rummy"],
        ["rules", "new"],
        ["rules", "schema", "-o"],
        ["rules", "rulebook", "500-rummy", "-o"],
        ["simulate", "-o"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("name", [LONG, f"{LONG}/{LONG}"], ids=["file", "folder"])
def test_a_name_that_no_file_can_have_is_told(meldref, log, command, name):
    log()
    ran = meldref(*command, name)
    assert ran.code == 2
    assert "meldref: error: " in ran.err
    assert LONG in ran.err
    assert "internal error" not in ran.err


@pytest.mark.parametrize("command", [["audit"], ["fmt", "--check"]], ids=" ".join)
def test_a_folder_that_nobody_may_look_into_is_told_and_the_others_are_read(
    meldref, log, monkeypatch, command
):
    log(name="logs/good.rgn")
    walk = os.walk

    def locked(folder, onerror):
        yield from walk(folder)
        onerror(PermissionError(13, "Permission denied", f"{folder}/locked"))

    monkeypatch.setattr(os, "walk", locked)
    ran = meldref(*command, "logs")
    assert ran.code == 2
    assert "meldref: error: logs/locked: the folder cannot be used: permission denied" in ran.err
    assert "good.rgn: clean" in ran.out or "1 in canonical form" in ran.err


@pytest.mark.parametrize(
    "command", [["audit"], ["fmt", "--check"], ["report", "-o", "page.html"]], ids=" ".join
)
def test_links_into_folders_that_may_not_be_entered_cost_nothing(
    meldref, log, monkeypatch, command
):
    log(name="logs/good.rgn")
    for name in ("notes.txt", "folder"):
        Path("logs", name).symlink_to(f"/no-such-folder/{name}")
    stat_of = os.stat

    def locked(path, *more, **how):
        if (
            not isinstance(path, int)
            and how.get("follow_symlinks") is not False
            and Path(path).is_symlink()
        ):
            raise PermissionError(13, "Permission denied", str(path))
        return stat_of(path, *more, **how)

    monkeypatch.setattr(os, "stat", locked)
    ran = meldref(*command, "logs")
    assert ran.code == 0, ran.err
    assert (
        "good.rgn: clean" in ran.out
        or "1 in canonical form" in ran.err
        or Path("page.html").exists()
    )


@pytest.mark.parametrize("there", [True, False])
def test_what_is_behind_a_link_out_of_a_folder_changes_no_word(meldref, log, tmp_path, there):
    log(name="logs/good.rgn")
    (tmp_path / "logs" / "away").symlink_to("../elsewhere")
    if there:
        (tmp_path / "elsewhere").mkdir()
    assert (
        meldref("audit", "logs").err
        == "meldref: 1 file left out, which do not end as logs do: logs/away\n"
    )


def test_a_current_folder_that_is_gone_is_told(meldref, tmp_path, monkeypatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    for command in (["rules", "new", "--no-ask"], ["simulate", "--hands", "1"]):
        ran = meldref(*command)
        assert (ran.code, ran.err.splitlines()[-1]) == (
            2,
            "meldref: error: the current folder no longer exists",
        )


def test_who_has_no_home_has_no_cache(meldref, monkeypatch):
    monkeypatch.delenv("MELDREF_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", _homeless)
    assert meldref("melds", "5h 6h 7h").code == 0


def _homeless():
    raise RuntimeError("Could not determine home directory.")
