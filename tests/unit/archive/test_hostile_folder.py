"""A folder for tables that others filled: nothing outside is written, nothing of theirs is lost, nothing waits."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import zlib
from pathlib import Path

import pytest

from archives import by_log, in_this_process, rows, some_logs, tables_in
from cli_logs import LOG
from meldref_archive import journal
from meldref_archive.journal import _BEGIN, _HEAD
from meldref_cli import archiving

pytestmark = [
    pytest.mark.sweep(every=24),
    pytest.mark.skipif(sys.platform == "win32", reason="links, pipes and devices of POSIX"),
]

WORK = (
    "lock",
    "settings.json",
    ".settings.json.draft",
    "rules",
    "journal",
    "stdin",
    "logs.jsonl",
    "scores.parquet",
)
NAMES = (
    "run.json",
    ".run.json.draft",
    "logs.jsonl",
    "findings.csv",
    *[f"unfinished/{name}" for name in WORK],
)
WAYS = ([], ["--resume"], ["--force"])


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(archiving, "on_this_machine", in_this_process)
    Path("kept").mkdir()
    Path("kept/mine").write_text("mine")
    signal.alarm(60)
    yield
    signal.alarm(0)


def _socket(path):
    held = socket.socket(socket.AF_UNIX)
    held.bind(str(path))
    held.close()


TRAPS = {
    "a link": lambda path: path.symlink_to(Path("kept/mine").absolute()),
    "a link to nothing": lambda path: path.symlink_to(Path("kept/new").absolute()),
    "a link to a device": lambda path: path.symlink_to("/dev/zero"),
    "a link to a folder": lambda path: path.symlink_to(Path("kept").absolute()),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a pipe": os.mkfifo,
    "a socket": _socket,
    "a folder": Path.mkdir,
}


def only_mine():
    """Whether what is outside of the folder is as it was."""
    return [(path.name, path.read_text()) for path in Path("kept").iterdir()] == [("mine", "mine")]


@pytest.mark.parametrize("trap", TRAPS)
@pytest.mark.parametrize("name", [*NAMES, "unfinished"])
def test_what_no_run_creates_is_refused_at_once_and_nothing_is_written_behind_it(
    meldref, name, trap
):
    path = Path("out", name)
    path.parent.mkdir(parents=True)
    if name == "unfinished" and trap == "a folder":
        path.write_text("mine")
    else:
        TRAPS[trap](path)
    kind = os.lstat(path)
    for way in WAYS:
        ran = meldref("audit", some_logs("logs", 1), "--into", "out", *way)
        assert ran.code == 2
        kinds = (
            "a file" if name == "unfinished" and trap == "a folder" else trap.partition(" to ")[0]
        )
        assert ran.err.startswith(
            f"meldref: error: out: there is {kinds} in it that no run creates, {name};"
        )
        assert only_mine()
        assert os.lstat(path) == kind


def test_a_pipe_among_the_files_of_a_run_that_ended_is_refused_as_well(meldref):
    meldref("audit", some_logs("logs", 3), "--into", "out")
    before = tables_in("out")
    os.mkfifo("out/.run.json.draft")
    for way in WAYS:
        assert meldref("audit", "logs", "--into", "out", *way).code == 2
    assert tables_in("out") == before


@pytest.mark.parametrize("way", WAYS, ids=" ".join)
@pytest.mark.parametrize("folder", [False, True])
def test_what_somebody_keeps_in_a_folder_of_that_name_stays(meldref, folder, way):
    mine = Path("out/unfinished/novel.txt")
    (mine if folder else mine.parent).mkdir(parents=True)
    if not folder:
        mine.write_text("Chapter 1")
    ran = meldref("audit", some_logs("logs", 1), "--into", "out", *way)
    assert (ran.code, "unfinished/novel.txt" in ran.err) == (2, True)
    assert mine.is_dir() if folder else mine.read_text() == "Chapter 1"
    assert [path.name for path in Path("out").rglob("*")] == ["unfinished", "novel.txt"]


@pytest.mark.parametrize("name", ["lock", "rules", "journal"])
def test_a_file_with_another_name_elsewhere_is_not_added_to(meldref, name):
    Path("out/unfinished").mkdir(parents=True)
    Path("kept/mine").write_text("")
    Path("out/unfinished", name).hardlink_to("kept/mine")
    Path("logs").mkdir()
    Path("logs/ours.yaml").write_text("id: ours\nextends: [500-rummy]\n")
    Path("logs/a.rgn").write_text(LOG.replace('"500-rummy"', '"ours.yaml"'))
    ran = meldref("audit", "logs", "--into", "out", "--resume")
    assert (ran.code, "another name leads to the same file" in ran.err) == (2, True)
    assert Path("kept/mine").read_text() == ""


def test_a_draft_of_a_game_is_no_way_out_either(meldref):
    Path("games").mkdir()
    Path("games/.game-0000001.rgn").symlink_to(Path("kept/mine").absolute())
    assert meldref("simulate", "--hands", 1, "--into", "games", "--split", "--force").code == 0
    assert only_mine()
    assert Path("games/game-0000001.rgn").read_text().startswith("[")


# --- what somebody else wrote there ---------------------------------------------------------------


def stopped(meldref, monkeypatch):
    """A run that was stopped after all logs were audited; its journal."""

    def stops(chunks, request, jobs):
        yield from in_this_process(chunks, request)
        raise KeyboardInterrupt

    table = "".join(json.dumps({"log": LOG, "site": site, "at": 1.5}) + "\n" for site in range(3))
    Path("t.jsonl").write_text(table)
    with monkeypatch.context() as stopping:
        stopping.setattr(archiving, "on_this_machine", stops)
        assert meldref("audit", some_logs("logs", 20), "t.jsonl", "--into", "out").code == 130
    return Path("out/unfinished/journal")


def records(content):
    """The digest and the data of each record of a journal."""
    at = len(_BEGIN)
    while at < len(content):
        digest, length, _ = _HEAD.unpack_from(content, at)
        at += _HEAD.size
        yield digest, json.loads(zlib.decompress(content[at : at + length]))
        at += length


def journal_of(pairs):
    """A journal of such records, with checksums that are right."""
    parts = [_BEGIN]
    for digest, data in pairs:
        packed = data if isinstance(data, bytes) else zlib.compress(json.dumps(data).encode())
        parts += [_HEAD.pack(digest, len(packed), zlib.crc32(packed, zlib.crc32(digest))), packed]
    return b"".join(parts)


def places(data, path=()):
    """The path of everything in JSON."""
    items = (
        data.items()
        if isinstance(data, dict)
        else enumerate(data)
        if isinstance(data, list)
        else ()
    )
    return [path, *[place for key, item in items for place in places(item, (*path, key))]]


OTHERS = (
    True,
    2**70,
    1.5,
    "nobody",
    [],
    [[]],
    {},
    {"log": 1},
    float("inf"),
    [1, 2, 3],
    [[], [], [], []],
)


@pytest.mark.sweep
def test_a_journal_with_other_values_is_not_from_a_run_and_never_a_crash(meldref, monkeypatch):
    file = stopped(meldref, monkeypatch)
    pairs = list(records(file.read_bytes()))
    digest, data = pairs[-1]
    usual = {}
    for number, path in enumerate(places(data)):
        other = OTHERS[number % len(OTHERS)]
        spoilt = [json.loads(json.dumps(data))]
        inner = spoilt
        for key in (path := (0, *path))[:-1]:
            inner = inner[key]
        if isinstance(inner[path[-1]], str) and isinstance(other, str):
            continue
        inner[path[-1]] = other
        file.write_bytes(journal_of([*pairs[:-1], (digest, spoilt[0])]))
        ran = meldref("audit", "logs", "t.jsonl", "--into", "out", "--resume")
        usual[path] = (ran.code, "what it holds is not from a run; --force starts over" in ran.err)
        if ran.code != 2 or not usual[path][1]:
            assert "given" in path, (
                path,
                other,
                ran,
            )  # the cells of a table may be of any plain type
            break
    assert len(usual) > 50


@pytest.mark.sweep
@pytest.mark.parametrize(
    "content",
    [
        b"Dear diary,\n" * 100,
        b"meldref journal 2\n",
        journal_of([(bytes(16), zlib.compress(b"not JSON"))]),
        journal_of([(bytes(16), b"not packed")]),
        journal_of([(bytes(16), zlib.compress(b"[" * 100_000))]),
        journal_of([(bytes(16), zlib.compress(b'[[{"log": NaN}], [], []]'))]),
        journal_of([(bytes(16), zlib.compress(b"\xff"))]),
        journal_of([(bytes(16), {"log": "x"})]),
    ],
    ids=["text", "other", "no JSON", "no zlib", "deep", "NaN", "no UTF-8", "object"],
)
def test_a_journal_of_somebody_is_refused_and_kept(meldref, monkeypatch, content):
    file = stopped(meldref, monkeypatch)
    file.write_bytes(content)
    ran = meldref("audit", "logs", "t.jsonl", "--into", "out", "--resume")
    assert (ran.code, "what it holds is not from a run" in ran.err) == (2, True)
    assert file.read_bytes() == content
    assert meldref("audit", "logs", "t.jsonl", "--into", "out", "--force").code == 2
    assert len(rows("out")) == 23


@pytest.mark.sweep
def test_a_record_is_neither_read_nor_unpacked_beyond_a_bound(meldref, monkeypatch):
    file = stopped(meldref, monkeypatch)
    whole = file.read_bytes()
    file.write_bytes(whole + _HEAD.pack(bytes(16), (1 << 64) - 1, 0))
    meldref("audit", "logs", "t.jsonl", "--into", "out", "--resume")
    assert len(by_log("out")) == 23
    file.parent.mkdir()
    for name in ("run.json", "logs.jsonl", "findings.jsonl", "scores.jsonl"):
        Path("out", name).unlink()
    file.write_bytes(journal_of([(bytes(16), zlib.compress(bytes(100_000)))]))
    monkeypatch.setattr(journal, "_LARGEST_RECORD", 1_000)
    ran = meldref("audit", "logs", "t.jsonl", "--into", "out", "--resume")
    assert (ran.code, "not from a run" in ran.err) == (2, True)


@pytest.mark.sweep
@pytest.mark.parametrize("other", [*OTHERS, None, -1])
@pytest.mark.parametrize(
    "key", [(), ("settings",), ("rules_files",), ("result",), ("unusable",), ("result", "logs")]
)
def test_a_run_that_somebody_wrote_down_is_not_from_a_run(meldref, key, other):
    meldref("audit", some_logs("logs", 2), "--into", "out")
    file = Path("out/run.json")
    spoilt = [json.loads(file.read_text())]
    inner = spoilt
    for step in (path := (0, *key))[:-1]:
        inner = inner[step]
    inner[path[-1]] = other
    file.write_text(json.dumps(spoilt[0]))
    ran = meldref("audit", "logs", "--into", "out", "--resume")
    fits = (key, other) in [(("unusable",), []), (("rules_files",), {})]
    assert ran.code == (1 if fits else 2)
    assert fits or "not from a run" in ran.err or "the run began with" in ran.err


def test_not_more_is_read_of_what_a_run_wrote_than_a_run_writes(meldref, monkeypatch):
    meldref("audit", some_logs("logs", 2), "--into", "out")
    monkeypatch.setattr(journal, "_LARGEST", 100)
    ran = meldref("audit", "logs", "--into", "out", "--resume")
    assert (ran.code, "not from a run" in ran.err) == (2, True)


def test_the_rules_files_that_a_run_names_are_read_up_to_a_bound(meldref, monkeypatch):
    meldref("audit", some_logs("logs", 2), "--into", "out")
    file = Path("out/run.json")
    told = json.loads(file.read_text())
    Path("large.yaml").write_text("#" * 1_000)
    told["rules_files"] = {f"{'./' * number}large.yaml": "x" for number in range(50)}
    file.write_text(json.dumps(told))
    assert (
        "changed since the run began" in meldref("audit", "logs", "--into", "out", "--resume").err
    )
    monkeypatch.setattr(journal, "_MOST_RULES", 10_000)
    assert "not from a run" in meldref("audit", "logs", "--into", "out", "--resume").err
