"""Where logs can be: packed files, archives, patterns, lists, tables, URLs; and what is hostile about them."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import sys
import tarfile
import threading
import zipfile
import zlib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from archives import by_log, csv_rows, in_this_process, rows, some_logs, tables_in
from cli_logs import BAD, LOG
from meldref_archive import Log, audit_logs, logs_of, sources
from meldref_cli import archiving
from processes import measured


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(archiving, "on_this_machine", in_this_process)


def zipped(name, members, compression=zipfile.ZIP_DEFLATED):
    """An archive of texts by name."""
    with zipfile.ZipFile(name, "w", compression) as archive:
        for member, text in members.items():
            archive.writestr(member, text)
    return name


def jsonl(name, *given):
    """A table of rows, each an object or a line as it is."""
    Path(name).write_text(
        "".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in given)
    )
    return name


# --- packed files ---------------------------------------------------------------------------------


def test_a_packed_log_is_audited_as_the_log_itself_is(meldref):
    Path("bad.rgn").write_text(BAD)
    Path("bad.rgn.gz").write_bytes(gzip.compress(BAD.encode()))
    Path("two.GZ").write_bytes(gzip.compress(BAD[:50].encode()) + gzip.compress(BAD[50:].encode()))
    plain = meldref("audit", "bad.rgn", "--quiet")
    for name in ("bad.rgn.gz", "two.GZ"):
        packed = meldref("audit", name, "--quiet")
        assert (packed.code, packed.out) == (plain.code, plain.out.replace("bad.rgn", name))


def test_the_logs_of_an_archive_are_reported_one_by_one(meldref):
    zipped(
        "week.zip",
        {"mon/a.rgn": LOG, "tue/b.rgn": BAD, "notes.txt": "mine", "c.rgn.gz": gzip.compress(b"")},
    )
    ran = meldref("audit", "week.zip", "--quiet")
    assert "week.zip/tue/b.rgn:13:" in ran.out
    assert ran.code == 2, "c.rgn.gz has no game"
    ran = meldref("audit", "week.zip", "--into", "out")
    found = by_log("out")
    assert {name: row["verdict"] for name, row in found.items()} == {
        "week.zip/mon/a.rgn": "clean",
        "week.zip/tue/b.rgn": "violations",
        "week.zip/c.rgn.gz": "unreadable",
    }
    assert "1 file left out, which do not end as logs do: week.zip/notes.txt" in ran.err
    assert meldref("audit", "week.zip", "--into", "two", "-j", 2).code == 2
    assert tables_in("two") == tables_in("out")


def test_house_rules_of_a_packed_log_lie_beside_it(meldref):
    Path("ours.yaml").write_text("id: ours\nextends: [500-rummy]\n")
    named = LOG.replace('"500-rummy"', '"ours.yaml"')
    Path("a.rgn.gz").write_bytes(gzip.compress(named.encode()))
    zipped("b.zip", {"deep/b.rgn": named})
    assert meldref("audit", "a.rgn.gz", "b.zip").code == 0


@pytest.mark.parametrize(
    "spoil",
    [
        lambda packed: packed[: len(packed) // 2],
        lambda packed: packed[:-4],
        lambda packed: packed[:20] + b"\xff\xff\xff" + packed[23:],
        lambda _: b"no such thing",
    ],
    ids=["half", "end", "damaged", "other"],
)
def test_what_cannot_be_unpacked_is_a_row_and_the_rest_goes_on(meldref, spoil):
    for number in range(3):
        text = "".join(f"# {one} {number}\n" for one in range(3000)) + LOG
        Path(f"{number}.rgn.gz").write_bytes(gzip.compress(text.encode()))
    Path("1.rgn.gz").write_bytes(spoil(Path("1.rgn.gz").read_bytes()))
    assert meldref("audit", ".", "--into", "out").code == 2
    assert [(row["verdict"], row["trouble"]) for row in rows("out")] == [
        ("clean", None),
        ("unreadable", "file"),
        ("clean", None),
    ]
    ran = meldref("audit", "1.rgn.gz")
    assert ran.code == 2
    assert ran.err.count("\n") == 1


def test_an_archive_that_is_none_is_told_of_and_the_rest_goes_on(meldref):
    Path("broken.zip").write_bytes(b"PK\x03\x04 and nothing else")
    zipped("empty.zip", {"readme.md": "nothing"})
    locked = bytearray(Path(zipped("locked.zip", {"a.rgn": LOG})).read_bytes())
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        locked[locked.index(mark) + at] |= 1
    Path("locked.zip").write_bytes(locked)
    Path("fine.rgn").write_text(LOG)
    assert (
        meldref(
            "audit",
            "broken.zip",
            "empty.zip",
            "locked.zip",
            "gone.zip",
            "fine.rgn",
            "--into",
            "out",
        ).code
        == 2
    )
    found = by_log("out")
    assert {name: row["trouble"] for name, row in found.items()} == {
        "broken.zip": "file",
        "empty.zip": "file",
        "locked.zip/a.rgn": "file",
        "gone.zip": "file",
        "fine.rgn": None,
    }
    assert "encrypted" in found["locked.zip/a.rgn"]["message"]
    for name in ("broken.zip", "empty.zip", "locked.zip", "gone.zip"):
        ran = meldref("audit", name, "--quiet")
        assert (ran.code, ran.err.count("\n")) == (2, 1), ran.err


def bomb(line, kilos):
    """A .gz of one line, thousands of times, made without unpacking it here."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    block = line * 1024
    parts = [packer.compress(block) for _ in range(kilos)]
    return b"".join((*parts, packer.flush()))


def test_what_was_packed_to_fill_a_machine_is_not_unpacked_to_its_end(meldref, monkeypatch):
    monkeypatch.setattr(sources, "_LARGE", 1 << 22)
    Path("zeros.rgn.gz").write_bytes(bomb(b"\0" * 64, 600))
    Path("lines.rgn.gz").write_bytes(gzip.compress(LOG.encode()) + bomb(b"#" * 8000 + b"\n", 2))
    assert Path("lines.rgn.gz").stat().st_size < 3 << 20
    for name in ("zeros", "lines"):
        ran = meldref("audit", f"{name}.rgn.gz", "--quiet")
        assert ran.code == 2
    assert "unpacks to more than" in ran.err


WAYS = {
    "stored": zipfile.ZIP_STORED,
    "deflated": zipfile.ZIP_DEFLATED,
    "bz2": zipfile.ZIP_BZIP2,
    "lzma": zipfile.ZIP_LZMA,
}
TOO_DENSE = "it unpacks to more than 30 times its size, which no log does"


@pytest.mark.sweep
@pytest.mark.parametrize("way", WAYS)
def test_members_are_read_however_they_are_packed(meldref, way):
    noise = "".join(f"# {number * 7919 % 10_007}\n" for number in range(20_000))
    zipped(
        "week.zip",
        {"a.rgn": LOG, "b.rgn": noise + BAD, "c.rgn.gz": gzip.compress(LOG.encode())},
        WAYS[way],
    )
    ran = meldref("audit", "week.zip", "--into", "out")
    assert ran.code == 1
    assert [row["verdict"] for row in rows("out")] == ["clean", "violations", "clean"]
    assert rows("out", "findings")[0]["line"] == 20_013


@pytest.mark.parametrize("way", ["deflated", "bz2", "lzma"])
@pytest.mark.sweep
def test_members_that_were_packed_to_fill_a_machine_are_not_unpacked(meldref, way):
    with (
        zipfile.ZipFile("bomb.zip", "w", WAYS[way]) as archive,
        archive.open("a.rgn", "w") as member,
    ):
        for _ in range(150):
            member.write(b"\n" * (1 << 20))
    code, said, peak = measured("bomb.zip", "audit", "bomb.zip")
    assert code == 2
    assert TOO_DENSE in said
    assert peak < 100 << 20


@pytest.mark.parametrize("way", ["deflated", "bz2", "lzma"])
def test_what_an_archive_says_of_its_members_is_not_believed(meldref, monkeypatch, way):
    """It says that ten bytes come of a member, or fewer than do."""
    monkeypatch.setattr(sources, "_LARGE", 1 << 16)
    zipped("a.zip", {"a.rgn": "\n" * (1 << 20)}, WAYS[way])
    whole = Path("a.zip").read_bytes()
    for size in (10, 1 << 15):
        Path("a.zip").write_bytes(
            whole.replace((1 << 20).to_bytes(4, "little"), size.to_bytes(4, "little"))
        )
        ran = meldref("audit", "a.zip")
        assert (ran.code, ran.err.count("it is damaged: ")) == (2, 1)


def test_many_small_members_are_added_up(meldref, monkeypatch):
    monkeypatch.setattr(sources, "_LARGE", 1 << 18)
    zipped("a.zip", {f"{number}.rgn": LOG + "\n" * (1 << 16) for number in range(10)})
    ran = meldref("audit", "a.zip", "--into", "out")
    found = by_log("out")
    assert [row["verdict"] for row in found.values()] == ["clean"] * 3 + ["unreadable"] * 7
    assert {row["message"] for row in found.values()} == {None, TOO_DENSE}
    assert ran.code == 2


def test_what_is_packed_twice_is_as_dense_as_it_is_in_all(meldref, monkeypatch):
    monkeypatch.setattr(sources, "_LARGE", 1 << 18)
    noise = b"".join(b"# %d\n" % (number * 7919 % 100_003) for number in range(60_000))
    inner = gzip.compress(LOG.encode() + noise)
    zipped("fine.zip", {"a.rgn.gz": inner})
    assert meldref("audit", "fine.zip").code == 0
    zipped("bomb.zip", {"a.rgn.gz": gzip.compress(b"#" * (1 << 22))})
    ran = meldref("audit", "bomb.zip")
    assert (ran.code, TOO_DENSE in ran.err) == (2, True)


@pytest.mark.parametrize("way", ["deflated", "bz2", "lzma"])
@pytest.mark.parametrize("at", range(0, 400, 9))
@pytest.mark.sweep(every=9)
def test_damage_anywhere_in_an_archive_is_said_in_a_line(meldref, way, at):
    text = LOG + "".join(f"# {number * 7919 % 10_007}\n" for number in range(100))
    spoilt = bytearray(Path(zipped("a.zip", {"a.rgn": text}, WAYS[way])).read_bytes())
    spoilt[at] ^= 0x5A
    Path("a.zip").write_bytes(spoilt)
    ran = meldref("audit", "a.zip", "--quiet")
    assert ran.code in {0, 2}, ran
    assert ran.err.count("\n") == (1 if ran.code else 0)
    if 60 < at < 300:
        assert "it is damaged: " in ran.err


@pytest.mark.parametrize("way", ["bz2", "lzma"])
def test_a_member_that_is_cut_off_is_said_to_be(meldref, way):
    """The archive says that fewer bytes of the member are there than it takes."""
    text = LOG + "".join(f"# {number * 7919 % 10_007}\n" for number in range(300))
    zipped("a.zip", {"a.rgn": text}, WAYS[way])
    packed = zipfile.ZipFile("a.zip").infolist()[0].compress_size
    whole = Path("a.zip").read_bytes()
    Path("a.zip").write_bytes(
        whole.replace(packed.to_bytes(4, "little"), (packed - 40).to_bytes(4, "little"))
    )
    ran = meldref("audit", "a.zip")
    assert (ran.code, "it is cut off" in ran.err) == (2, True)


@pytest.mark.sweep
def test_an_archive_that_asks_for_a_large_window_gets_what_a_log_needs(meldref):
    whole = Path(zipped("a.zip", {"a.rgn": LOG}, zipfile.ZIP_LZMA)).read_bytes()
    window = whole.index(b"\x05\x00]") + 3
    Path("a.zip").write_bytes(whole[:window] + b"\xff\xff\xff\xff" + whole[window + 4 :])
    code, said, peak = measured("a.zip", "audit", "a.zip", limit=1 << 30)
    assert (code, said) == (0, "")
    assert peak < 100 << 20


def test_a_packed_log_may_come_from_a_pipe(meldref, monkeypatch):
    monkeypatch.setattr(sources, "_LARGE", 1 << 16)
    os.mkfifo("a.rgn.gz")
    packed = gzip.compress(LOG.encode() + b"".join(b"# %d\n" % number for number in range(40_000)))
    writer = threading.Thread(target=Path("a.rgn.gz").write_bytes, args=(packed,))
    writer.start()
    assert meldref("audit", "a.rgn.gz").code == 0
    writer.join()


@pytest.mark.parametrize(
    "ending", ["bz2", "xz", "tar", "tar.gz", "tar.bz2", "tar.xz", "7z", "rgn.bz2", "rgn.xz"]
)
@pytest.mark.sweep(every=3)
def test_other_ways_of_packing_are_not_unpacked_and_are_no_logs(meldref, ending):
    blank = b"\n" * (1 << 22)
    with tarfile.open("inner.tar", "w") as archive:
        entry = tarfile.TarInfo("a.rgn")
        entry.size = len(blank)
        archive.addfile(entry, io.BytesIO(blank))
    content = Path("inner.tar").read_bytes() if "tar" in ending else blank
    way = {"bz2": bz2.compress, "xz": lzma.compress, "7z": lzma.compress, "gz": gzip.compress}
    Path(f"a.{ending}").write_bytes(way.get(ending.rpartition(".")[2], bytes)(content))
    ran = meldref("audit", f"a.{ending}", "--quiet")
    assert ran.code == 2
    assert len(ran.out + ran.err) < 5_000


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.sweep(every=2)
def test_many_blank_lines_keep_their_numbers(meldref, ending):
    blank = ending * 100_000
    Path("a.rgn").write_text(blank + BAD.replace("\n", ending) + blank, newline="")
    Path("a.rgn.gz").write_bytes(
        gzip.compress(Path("a.rgn").read_bytes() + bytes(range(256)) * 100)
    )
    ran = meldref("audit", "a.rgn", "--quiet")
    assert ran.out.startswith("a.rgn:100013:")
    assert meldref("audit", "a.rgn.gz", "--quiet").out.startswith("a.rgn.gz:100013:")
    Path("b.rgn").write_text(ending * 100_000 + f"x{ending}" * 2_000, newline="")
    assert "none of the first 101,000 lines can be read" in meldref("audit", "b.rgn").out


def test_a_log_of_which_very_many_lines_cannot_be_read_is_given_up(meldref, monkeypatch):
    monkeypatch.setattr("meldref.notation.hopeful.MOST_UNREAD", 20)
    Path("a.rgn").write_text(BAD + "what is this\n" * 30, encoding="utf-8")
    ran = meldref("audit", "a.rgn")
    assert ran.code == 2
    assert "20 of the first" in ran.out
    Path("b.rgn").write_text(BAD + "what is this\n" * 19, encoding="utf-8")
    assert "of the first" not in meldref("audit", "b.rgn").out


def test_names_in_an_archive_are_names_and_nothing_is_written_there(meldref):
    zipped("evil.zip", {"../../up.rgn": LOG, "/tmp/full.rgn": LOG, "a\nb\x1b[31m.rgn": BAD})  # noqa: S108
    before = sorted(path.name for path in Path("..").iterdir())
    ran = meldref("audit", "evil.zip", "--quiet")
    assert ran.code == 1
    assert "\x1b" not in ran.out
    assert ran.out.count("\n") == len(ran.out.splitlines()) == 1
    assert meldref("audit", "evil.zip", "--into", "out").code == 1
    assert len(rows("out")) == 3
    assert sorted(path.name for path in Path("..").iterdir()) == before


def test_another_way_of_packing_is_left_out_and_named(meldref):
    Path("logs").mkdir()
    Path("logs/a.rgn").write_text(LOG)
    Path("logs/a.rgn.bz2").write_bytes(bz2.compress(LOG.encode()))
    Path("logs/b.rgn.bak").write_text(LOG)
    Path("logs/a.txt").write_text(LOG)
    Path("logs/.hidden").write_text(LOG)
    for command in (["audit", "logs"], ["audit", "logs", "--into", "out"]):
        ran = meldref(*command)
        assert ran.code == 0
        assert "3 files left out" in ran.err
        assert "logs/a.rgn.bz2, logs/a.txt, logs/b.rgn.bak" in ran.err
        assert meldref("audit", "logs", "--quiet").err == ""
    assert json.loads(Path("out/run.json").read_text())["left_out"]["files"] == 3


def test_members_of_one_name_are_all_audited(meldref):
    with zipfile.ZipFile("twice.zip", "w") as archive:
        archive.writestr("a.rgn", BAD)
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("a.rgn", LOG)
    meldref("audit", "twice.zip", "--into", "out")
    assert [row["verdict"] for row in rows("out")] == ["violations", "clean"]


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are text here")
def test_names_of_files_that_are_no_text_are_told_apart(meldref):
    for name in (b"logs/a\xff.rgn", b"logs/a\xfe.rgn", "logs/ä\n.rgn".encode()):
        Path("logs").mkdir(exist_ok=True)
        Path(os.fsdecode(name)).write_text(LOG)
    for form in ("jsonl", "csv"):
        meldref("audit", "logs", "--into", form, "--as", form)
    assert list(by_log("jsonl")) == ["logs/a\\udcfe.rgn", "logs/a\\udcff.rgn", "logs/ä\n.rgn"]
    assert [row["log"] for row in csv_rows("csv")] == list(by_log("jsonl"))


# --- names ----------------------------------------------------------------------------------------


def test_patterns_stand_for_what_they_match_and_files_for_themselves(meldref):
    for name in ("a1.rgn", "a2.rgn", "b1.rgn", "deep/er/a3.rgn", "a[1].rgn"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(LOG)
    meldref("audit", "a?.rgn", "**/a3.rgn", "a[1].rgn", "--into", "out")
    assert list(by_log("out")) == ["a1.rgn", "a2.rgn", "deep/er/a3.rgn", "a[1].rgn"]
    ran = meldref("audit", "c*.rgn")
    assert (ran.code, "no file matches" in ran.err) == (2, True)


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\0"])
def test_a_list_names_logs(meldref, ends):
    for name in ("a.rgn", "b.rgn", "c.rgn"):
        Path(name).write_text(LOG)
    Path("list").write_bytes(ends.join(["c.rgn", "", "a.rgn", "c.rgn", "gone.rgn", ""]).encode())
    ran = meldref("audit", "b.rgn", "--from", "list", "--into", "out")
    assert ran.code == 2
    assert list(by_log("out")) == ["b.rgn", "c.rgn", "a.rgn", "gone.rgn"]
    ran = meldref("audit", "--from", "-", stdin="a.rgn\n")
    assert (ran.code, "a.rgn: clean" in ran.out) == (0, True)
    assert meldref("audit", "--from", "gone").code == 2
    assert meldref("audit", "-", "--from", "-", stdin="").code == 2


def test_standard_input_is_a_log_of_an_archive_too(meldref):
    assert meldref("audit", "-", "--into", "out", stdin=BAD).code == 1
    assert by_log("out")["-"]["verdict"] == "violations"
    assert rows("out", "findings")[0]["line"] == 13


def test_a_thousand_files_that_cannot_be_read_are_a_thousand_rows(meldref):
    Path("list").write_text("".join(f"gone/{number}.rgn\n" for number in range(1000)))
    ran = meldref("audit", "--from", "list", "--into", "out")
    assert ran.code == 2
    assert "1,000 logs could not be audited" in ran.err
    assert len(ran.err.splitlines()) < 5
    assert {(row["trouble"], row["message"]) for row in rows("out")} == {("file", "no such file")}
    assert len(rows("out")) == 1000


# --- tables ---------------------------------------------------------------------------------------


def test_a_table_has_its_other_columns_passed_through(meldref):
    jsonl(
        "site.jsonl",
        {
            "id": 7,
            "log": LOG,
            "hour": 23,
            "stake": 1,
            "verdict": "ours",
            "paid": True,
            "tags": ["a"],
            "note": None,
        },
        {"id": 8, "log": BAD, "hour": None, "stake": 1.5, "more": 'x,"y"\n', "paid": None},
    )
    assert meldref("audit", "site.jsonl", "--into", "out").code == 1
    first, second = rows("out")
    assert (first["log"], second["log"]) == ("site.jsonl:1", "site.jsonl:2")
    assert (first["verdict"], first["given_verdict"], second["given_verdict"]) == (
        "clean",
        "ours",
        None,
    )
    assert (first["id"], first["hour"], first["stake"], first["paid"], first["tags"]) == (
        7,
        23,
        1.0,
        True,
        '["a"]',
    )
    assert (second["more"], second["stake"], second["note"]) == ('x,"y"\n', 1.5, None)
    meldref("audit", "site.jsonl", "--into", "csv", "--as", "csv")
    assert "true" in Path("csv/logs.csv").read_text()


def test_rows_of_a_table_that_have_no_log_are_rows_that_say_so(meldref):
    jsonl(
        "t.jsonl",
        {"game": LOG, "n": 1},
        "no json",
        "[1, 2]",
        '{"game": 5}',
        "",
        '{"game": NaN}',
        "[" * 100_000,
        '{"game": "\\ud800", "n": 1' + "0" * 5000 + "}",
        {"game": BAD},
    )
    ran = meldref("audit", "t.jsonl", "--into", "out", "--column", "game")
    assert ran.code == 2
    verdicts = {row["log"].partition(":")[2]: row["verdict"] for row in rows("out")}
    assert verdicts == {"1": "clean", "9": "violations", **dict.fromkeys("234678", "unreadable")}


def test_a_line_of_a_table_without_an_end_is_passed_over_in_flat_memory(meldref, monkeypatch):
    monkeypatch.setattr("meldref_archive.tables._LONGEST_ROW", 1 << 16)
    row = json.dumps({"log": LOG})
    Path("t.jsonl").write_text(
        f'{row}\n{{"log": "{"x" * (1 << 20)}"}}\n{row}\n{{"log": "{"y" * (1 << 20)}'
    )
    meldref("audit", "t.jsonl", "--into", "out")
    assert [row["verdict"] for row in rows("out")] == ["clean", "unreadable", "clean", "unreadable"]


def test_tables_may_be_packed_and_are_met_in_folders_where_a_column_is_named(meldref):
    Path("in").mkdir()
    Path("in/t.jsonl.gz").write_bytes(gzip.compress(json.dumps({"log": LOG}).encode()))
    Path("in/a.rgn").write_text(LOG)
    ran = meldref("audit", "in", "--into", "out")
    assert (list(by_log("out")), "t.jsonl.gz" in ran.err) == (["in/a.rgn"], True)
    meldref("audit", "in", "--into", "both", "--column", "log")
    assert list(by_log("both")) == ["in/a.rgn", "in/t.jsonl.gz:1"]


# --- the unit of work -----------------------------------------------------------------------------


def test_rows_of_chunks_merge_to_the_rows_of_all():
    logs = [Log(f"{number}", text=(BAD if number % 2 else LOG).encode()) for number in range(6)]
    whole = audit_logs(logs)
    parts = audit_logs(logs[:2])
    parts.add(audit_logs(logs[2:]))
    assert parts == whole
    assert [row["verdict"] for row in whole.logs] == ["clean", "violations"] * 3


def test_a_file_is_as_many_logs_as_are_in_it():
    Path("a.rgn").write_text(LOG)
    assert [log.name for log in logs_of("a.rgn")] == ["a.rgn"]
    assert [log.name for log in logs_of(zipped("z.zip", {"b.rgn": LOG, "c.rgn": LOG}))] == [
        "z.zip/b.rgn",
        "z.zip/c.rgn",
    ]
    assert [log.text for log in logs_of(jsonl("t.jsonl", {"log": "x"}))] == [b"x"]


# --- what extras bring ----------------------------------------------------------------------------


def test_zst_is_unpacked_and_its_end_is_noticed(meldref, monkeypatch):
    monkeypatch.setattr(sources, "_LARGE", 1 << 22)
    zstandard = pytest.importorskip("zstandard")
    packed = zstandard.ZstdCompressor().compress(BAD.encode())
    Path("a.rgn.zst").write_bytes(packed)
    Path("b.rgn.zst").write_bytes(packed + zstandard.ZstdCompressor().compress(b"# more\n"))
    stream = io.BytesIO()
    with zstandard.ZstdCompressor().stream_writer(stream, closefd=False) as writer:
        writer.write(BAD.encode() + b"".join(b"# %d\n" % number for number in range(50_000)))
    for cut in (0, 1, 2000):
        Path(f"c{cut}.rgn.zst").write_bytes(stream.getvalue()[: len(stream.getvalue()) - cut])
    Path("d.rgn.zst").write_bytes(b"nothing of the kind")
    zeros = zstandard.ZstdCompressor(level=19)
    Path("e.rgn.zst").write_bytes(
        zeros.compress(LOG.encode()) + zeros.compress((b"#" * 8000 + b"\n") * 20_000) * 8
    )
    meldref("audit", ".", "--into", "out")
    assert {name: row["verdict"] for name, row in by_log("out").items()} == {
        "a.rgn.zst": "violations",
        "b.rgn.zst": "violations",
        "c0.rgn.zst": "violations",
        "c1.rgn.zst": "unreadable",
        "c2000.rgn.zst": "unreadable",
        "d.rgn.zst": "unreadable",
        "e.rgn.zst": "unreadable",
    }


def test_what_an_extra_brings_is_named_where_it_is_missing(meldref, monkeypatch):
    for module in ("zstandard", "fsspec", "ray", "pyarrow", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, module, None)
    Path("a.rgn.zst").write_bytes(b"")
    jsonl("t.jsonl", {"log": LOG})
    for extra, command in {
        "zst": ["audit", "a.rgn.zst"],
        "url": ["audit", "https://example.org/a.rgn"],
        "parquet": ["audit", "t.jsonl", "--into", "out", "--as", "parquet"],
        "ray": ["audit", "t.jsonl", "--into", "out", "--engine", "ray"],
    }.items():
        ran = meldref(*command)
        assert ran.code == 2
        assert f"pip install 'meldref[{extra}]'" in ran.err
        assert not Path("out").exists()


def test_a_url_is_read_like_a_file(meldref):
    pytest.importorskip("fsspec")
    Path("a.rgn").write_text(BAD)
    Path("b.rgn.gz").write_bytes(gzip.compress(BAD.encode()))
    zipped("c.zip", {"d.rgn": BAD})
    urls = [
        f"file://{Path(name).absolute()}" for name in ("a.rgn", "b.rgn.gz", "c.zip", "gone.rgn")
    ]
    ran = meldref("audit", *urls, "--into", "out")
    assert ran.code == 2
    assert [row["verdict"] for row in rows("out")] == ["violations"] * 3 + ["unreadable"]
    assert meldref("audit", urls[0], "--quiet").out.startswith(f"{urls[0]}:13:")


def test_parquet_comes_in_and_goes_out(meldref):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    at = datetime(2026, 3, 1, 23, 5, tzinfo=UTC)
    table = arrow.table(
        {"game": [LOG, BAD, None], "at": [at, at, at], "n": [1, 2, None], "raw": [b"x", b"y", None]}
    )
    parquet.write_table(table, "in.parquet")
    assert (
        meldref("audit", "in.parquet", "--column", "game", "--into", "out", "--as", "parquet").code
        == 2
    )
    meldref("audit", "in.parquet", "--column", "game", "--into", "again", "--as", "parquet")
    meldref("audit", "in.parquet", "--column", "game", "--into", "text")
    assert tables_in("out", "parquet") == tables_in("again", "parquet")
    for name in ("logs", "findings", "scores"):
        assert parquet.read_table(f"out/{name}.parquet").to_pylist() == rows("text", name)
    assert [row["at"] for row in rows("text")] == [at.isoformat()] * 3
    Path("broken.parquet").write_bytes(Path("in.parquet").read_bytes()[:-20])
    ran = meldref("audit", "in.parquet", "broken.parquet", "--into", "without")
    assert ran.code == 2
    found = by_log("without")
    assert "no column log; it has game, at, n, raw" in found["in.parquet"]["message"]
    assert "no column log; it has game, at, n, raw" in ran.err
    assert found["broken.parquet"]["trouble"] == "file"


def test_parquet_of_any_types_passes_and_two_columns_of_one_name_are_refused(meldref):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    odd = {
        "log": arrow.array([LOG, BAD], arrow.large_string()).dictionary_encode(),
        "pairs": arrow.array([[("a", 1)], None], arrow.map_(arrow.string(), arrow.int64())),
        "large": arrow.array([2**64 - 1, None], arrow.uint64()),
        "none": arrow.array([float("nan"), float("inf")]),
        "bytes": arrow.array([b"\xff", None]),
        "nested": arrow.array([{"at": datetime(2026, 1, 1, tzinfo=UTC)}, None]),
    }
    parquet.write_table(arrow.table(odd), "odd.parquet")
    assert meldref("audit", "odd.parquet", "--into", "out").code == 1
    first = rows("out")[0]
    assert (first["pairs"], first["large"], first["none"]) == ('[["a", 1]]', str(2**64 - 1), None)
    assert json.loads(first["nested"]) == {"at": "2026-01-01T00:00:00+00:00"}
    twice = arrow.Table.from_arrays([arrow.array([LOG]), arrow.array([BAD])], names=["log", "log"])
    parquet.write_table(twice, "twice.parquet")
    ran = meldref("audit", "twice.parquet", "--into", "refused")
    assert (ran.code, rows("refused")[0]["trouble"]) == (2, "file")
    assert "two columns of the table have the same name" in ran.err


def test_two_runs_on_a_ray_of_this_machine_give_the_bytes_of_one_here(meldref):
    pytest.importorskip("ray")
    if not os.environ.get("MELDREF_RAY"):
        pytest.skip("MELDREF_RAY=1 starts a Ray of this machine, which takes a while")
    logs = some_logs("logs", 80)
    meldref("audit", logs, "--into", "here")
    ran = meldref("audit", logs, "--into", "there", "--engine", "ray", "-j", 2, "--limit-time", 60)
    assert ran.code == 2, ran.err
    assert tables_in("there") == tables_in("here")
