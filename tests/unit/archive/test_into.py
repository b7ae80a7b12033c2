"""Audits into a folder: three tables, the same bytes however they came about, and nothing lost on the way."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from archives import (
    SCORED,
    by_log,
    csv_rows,
    everything_in,
    in_this_process,
    rows,
    some_logs,
    tables_in,
)
from cli_logs import BAD, LOG
from meldref_archive import TABLES, auditing
from meldref_archive.workers import WorkerGone, lead
from meldref_cli import archiving
from meldref_cli.auditing import bytes_of
from meldref_cli.main import main
from processes import START, measured, needs_signals, started
from simulated import log_of


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def quick(monkeypatch):
    """Archives are audited in this process, which is faster to start."""
    monkeypatch.setattr(archiving, "on_this_machine", in_this_process)


# --- tables ---------------------------------------------------------------------------------------


def test_an_archive_becomes_three_tables_with_the_columns_that_are_declared(meldref, quick):
    ran = meldref("audit", some_logs("logs"), "--into", "out")
    assert ran.code == 2, "one of them cannot be read"
    for table, columns in TABLES.items():
        found = rows("out", table)
        assert found
        names = [column.name for column in columns]
        assert all(list(row) == names for row in found)
        kinds = {"text": str, "integer": int}
        for column in columns:
            values = [row[column.name] for row in found if row[column.name] is not None]
            assert all(type(value) is kinds[column.type] for value in values), column
            assert "" not in values
    assert [row["log"] for row in rows("out")] == [f"logs/{number:03}.rgn" for number in range(40)]
    verdicts = [row["verdict"] for row in rows("out")]
    assert (
        verdicts.count("violations"),
        verdicts.count("clean"),
        verdicts.count("unreadable"),
    ) == (19, 20, 1)
    assert "40 logs: 39 hands" in ran.out


def test_findings_and_scores_are_those_of_the_report(meldref, quick):
    some_logs("logs", 4)
    meldref("audit", "logs", "--into", "out", "--exit-zero")
    told = meldref("audit", "logs", "--format", "json").data["logs"]
    findings = [
        (one["path"], each["code"], each["line"], each["column"])
        for one in told
        for each in one["findings"]
    ]
    assert [
        (row["log"], row["code"], row["line"], row["column"]) for row in rows("out", "findings")
    ] == findings
    recorded = [
        (one["path"], score["game"], score["hand"], player, points, score["computed"][player])
        for one in told
        for score in one["scores"]
        for player, points in score["recorded"].items()
    ]
    keys = ("log", "game", "hand", "player", "recorded", "computed")
    assert [tuple(row[key] for key in keys) for row in rows("out", "scores")] == recorded


@pytest.mark.sweep
def test_every_form_has_the_same_rows(meldref, quick):
    some_logs("logs", 10)
    for form in ("jsonl", "csv"):
        meldref("audit", "logs", "--into", form, "--as", form)
    for table in TABLES:
        plain = [
            {key: "" if value is None else str(value) for key, value in row.items()}
            for row in rows("jsonl", table)
        ]
        assert csv_rows("csv", table) == plain


def test_totals_and_calls_stand_beside_the_scores_of_a_hand(meldref, quick):
    examples = Path(__file__).parents[3] / "examples" / "500-rum.rgn"
    meldref("audit", examples, "--into", "out")
    found = {(row["hand"], row["player"]): row for row in rows("out", "scores")}
    assert found[2, "Nora"]["total"] == found[1, "Nora"]["computed"] + found[2, "Nora"]["computed"]
    assert found[2, "Nora"]["total_recorded"] == found[2, "Nora"]["total"]
    calls = sum(
        ": rummy " in line for line in examples.read_text().splitlines() if not line.startswith("#")
    )
    assert sum(row["calls"] for row in found.values()) == calls > 0


def test_scores_of_logs_with_many_hands_are_complete(meldref, quick, monkeypatch):
    for hands_in_memory in (500, 1):
        monkeypatch.setattr(auditing, "_SCORES", hands_in_memory)
        meldref(
            "audit",
            Path(__file__).parents[3] / "examples" / "500-rum.rgn",
            "--into",
            f"out{hands_in_memory}",
        )
    assert len({row["hand"] for row in rows("out1", "scores")}) > 1
    assert tables_in("out1") == tables_in("out500")


# --- the same bytes -------------------------------------------------------------------------------


@pytest.mark.sweep
def test_jobs_change_no_byte_but_those_of_the_run(meldref, monkeypatch, tmp_path):
    some_logs("logs", 36)
    meldref("audit", "logs", "--into", "one", "-j", 1)
    meldref("audit", "logs", "--into", "two", "-j", 2)
    assert tables_in("one") == tables_in("two")
    (tmp_path / "elsewhere").mkdir()
    os.rename("logs", "elsewhere/logs")  # noqa: PTH104
    monkeypatch.chdir("elsewhere")
    meldref("audit", "logs", "--into", "three")
    assert tables_in("three") == tables_in("../one")
    told = json.loads(Path("three/run.json").read_text())
    assert told["result"]["logs"] == 36
    assert told["settings"]["as"] == "jsonl"


def test_house_rules_are_named_by_the_file_and_not_by_the_machine(
    meldref, monkeypatch, tmp_path, quick
):
    for folder in ("a", "b/c"):
        (tmp_path / folder).mkdir(parents=True)
        monkeypatch.chdir(tmp_path / folder)
        Path("ours.yaml").write_text("id: ours\nextends: [500-rummy]\n")
        Path("bad.rgn").write_text(BAD.replace('"500-rummy"', '"ours.yaml"'))
        meldref("audit", "bad.rgn", "--into", "out")
        meldref("audit", "bad.rgn", "--rules", "ours.yaml", "--into", "over")
    monkeypatch.chdir(tmp_path)
    assert tables_in("a/out") == tables_in("b/c/out")
    assert tables_in("a/over") == tables_in("b/c/over")
    assert rows("a/out", "findings")


def test_a_score_sheet_that_is_named_is_a_log_whose_findings_stand_in_the_sheet(meldref, quick):
    sheet = "Round,Ann,Bob\n1,300,10\n2,250,20\n3,1,2\nTotal,551,33\n"
    Path("evening.csv").write_text(sheet, encoding="utf-8")
    ran = meldref("audit", "evening.csv", "--into", "out")
    assert ran.code == 1
    (row,) = rows("out")
    assert (row["verdict"], row["hands"], row["errors"]) == ("violations", 3, 1)
    findings = rows("out", "findings")
    assert [
        (one["code"], one["line"], one["column"]) for one in findings if one["severity"] == "error"
    ] == [("score.total", 5, 11)]


def test_events_of_a_program_that_are_named_are_a_log(meldref, quick):
    sample = Path(__file__).parents[2] / "events" / "timpalpant-rummy.jsonl"
    ran = meldref("audit", str(sample), "--into", "out")
    assert ran.code == 0, ran.err
    (row,) = rows("out")
    assert (row["verdict"], row["players"]) == ("clean", "0, 1, 2")


def test_a_run_does_not_read_what_it_writes(meldref, quick):
    some_logs(".", 5)
    Path("table.jsonl").write_text(json.dumps({"log": LOG}))
    for options in ([], ["--force"], ["--resume"]):
        ran = meldref("audit", ".", "--into", "out", "--column", "log", *options)
        assert len(rows("out")) == 6
        assert "left out" not in ran.err


def test_nothing_in_a_csv_is_a_formula_to_a_spreadsheet(meldref, quick):
    cells = {
        "=cmd|' /C calc'!A0": "=1+1",
        "sum": "+1+cmd",
        "at": "@SUM(A1)",
        "tab": "\t=1",
        "less": "-2+3",
    }
    harmless = {"low": "-5", "none": "-", "high": "+4.5"}
    Path("t.jsonl").write_text(json.dumps({"log": LOG, **cells, **harmless}))
    Path("=gone.rgn").write_text(BAD)
    meldref("audit", "t.jsonl", "=gone.rgn", "--into", "out", "--as", "csv")
    row = csv_rows("out")[0]
    assert {name: row[name] for name in harmless} == harmless
    assert [row[name] for name in ("'=cmd|' /C calc'!A0", "sum", "at", "tab", "less")] == [
        f"'{cell}" for cell in cells.values()
    ]
    assert csv_rows("out")[1]["log"] == csv_rows("out", "findings")[0]["log"] == "'=gone.rgn"


def test_columns_that_databases_do_not_tell_apart_have_names_of_their_own(meldref, quick):
    Path("t.jsonl").write_text(
        json.dumps({"log": LOG, "Verdict": "won", "site": 1, "SITE": 2, "a\nb": 3})
    )
    meldref("audit", "t.jsonl", "--into", "out")
    (row,) = rows("out")
    assert (row["verdict"], row["given_Verdict"], row["site"], row["given_SITE"]) == (
        "clean",
        "won",
        1,
        2,
    )
    assert len({name.lower() for name in row}) == len(row)


# --- a folder is one run's ------------------------------------------------------------------------


def test_a_second_run_into_a_folder_is_refused_and_changes_no_byte(meldref, quick):
    some_logs("logs", 5)
    meldref("audit", "logs", "--into", "out")
    before = everything_in("out")
    ran = meldref("audit", "logs", "--into", "out")
    assert ran.code == 2
    assert "--force" in ran.err
    assert everything_in("out") == before
    Path("logs/000.rgn").write_text(LOG)
    assert meldref("audit", "logs", "--into", "out", "--force").code == 1
    assert by_log("out")["logs/000.rgn"]["verdict"] == "clean"


@pytest.mark.sweep
def test_going_on_with_a_finished_run_changes_nothing_and_says_the_same(meldref, quick):
    first = meldref("audit", some_logs("logs"), "--into", "out")
    before = everything_in("out")
    again = meldref("audit", "logs", "--into", "out", "--resume")
    assert (again.code, again.out) == (first.code, first.out)
    assert everything_in("out") == before


@pytest.mark.parametrize("make", [lambda: None, lambda: Path("out").mkdir()])
def test_going_on_where_nothing_is_starts(meldref, quick, make):
    make()
    assert meldref("audit", some_logs("logs", 3), "--into", "out", "--resume").code == 1
    assert len(rows("out")) == 3


def test_a_run_does_not_go_on_with_other_settings(meldref, quick):
    meldref("audit", some_logs("logs", 3), "--into", "out")
    before = everything_in("out")
    for other in (["--as", "csv"], ["--with", "floating"], ["--limit-time", 5]):
        ran = meldref("audit", "logs", "--into", "out", "--resume", *other)
        assert ran.code == 2
        assert "the run began with" in ran.err
    assert everything_in("out") == before


@pytest.mark.parametrize("part", ["begun", "ended"])
@pytest.mark.parametrize("named", ["by the logs", "by --rules"])
def test_a_run_does_not_go_on_by_rules_that_changed(meldref, quick, monkeypatch, part, named):
    Path("logs").mkdir()
    Path("logs/base.yaml").write_text("id: base\nextends: [500-rummy]\n")
    Path("logs/ours.yaml").write_text("id: ours\nextends: [base.yaml]\n")
    for number in range(20):
        Path(f"logs/{number:02}.rgn").write_text(LOG.replace('"500-rummy"', '"ours.yaml"'))
    rules = ["--rules", "logs/ours.yaml"] if named == "by --rules" else []

    def stops(chunks, request, jobs):
        yield next(in_this_process(chunks, request))
        raise KeyboardInterrupt

    with monkeypatch.context() as stopping:
        if part == "begun":
            stopping.setattr(archiving, "on_this_machine", stops)
        meldref("audit", "logs", "--into", "out", *rules)
    for change in ("extends: [500-rummy]\n", None):
        before = everything_in("out")
        if change is None:
            Path("logs/base.yaml").unlink()
        else:
            Path("logs/base.yaml").write_text(change)
        ran = meldref("audit", "logs", "--into", "out", "--resume", *rules)
        assert ran.code == 2
        assert "base.yaml changed since the run began" in ran.err
        assert everything_in("out") == before
    Path("logs/base.yaml").write_text("id: base\nextends: [500-rummy]\n")
    assert meldref("audit", "logs", "--into", "out", "--resume", *rules).code == 0
    assert len(rows("out")) == 20


def test_what_is_no_folder_of_a_run_is_left_alone(meldref, quick):
    some_logs("logs", 3)
    Path("file").write_text("mine")
    assert "not a folder" in meldref("audit", "logs", "--into", "file").err
    Path("mine").mkdir()
    Path("mine/logs.csv").write_text("mine")
    for option in ([], ["--resume"]):
        assert meldref("audit", "logs", "--into", "mine", *option).code == 2
    assert Path("mine/logs.csv").read_text() == "mine"
    assert [path.name for path in Path("mine").iterdir()] == ["logs.csv"]


@pytest.mark.sweep
def test_two_runs_into_one_folder_at_once_are_one_run_and_a_refusal(meldref, quick, monkeypatch):
    some_logs("logs", 30)
    meldref("audit", "logs", "--into", "alone")
    asked = []

    def two(chunks, request, jobs):
        for option in ([], ["--resume"], ["--force"]):
            ran = subprocess.run(
                [sys.executable, "-c", START, "audit", "logs", "--into", "out", *option],
                capture_output=True,
                text=True,
                check=False,
            )
            asked.append((ran.returncode, ran.stderr))
        return in_this_process(chunks, request)

    monkeypatch.setattr(archiving, "on_this_machine", two)
    meldref("audit", "logs", "--into", "out")
    assert [code for code, _ in asked] == [2, 2, 2]
    assert all("another run is at work" in said for _, said in asked[1:])
    assert tables_in("out") == tables_in("alone")


# --- nothing is lost ------------------------------------------------------------------------------


@needs_signals
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.sweep
def test_a_run_that_is_killed_at_any_of_ten_moments_goes_on_to_the_same_bytes(meldref, quick):
    logs = some_logs("logs", 80)
    begun = time.monotonic()
    meldref("audit", logs, "--into", "alone")
    takes = time.monotonic() - begun
    dice = random.Random(9)
    met = set()
    for number in range(10):
        into = f"out{number}"
        child = os.fork()
        if not child:
            try:
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.setitimer(signal.ITIMER_REAL, dice.uniform(0.02, 1) * takes)
                os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
                main(["audit", logs, "--into", into, "--quiet"])
            finally:
                os._exit(0)
        dice.uniform(0, 1)
        os.waitpid(child, 0)
        met.add(Path(into, "run.json").exists())
        meldref("audit", logs, "--into", into, "--resume", "--quiet")
        assert tables_in(into) == tables_in("alone"), number
        assert sorted(path.name for path in Path(into).iterdir()) == [
            "findings.jsonl",
            "logs.jsonl",
            "run.json",
            "scores.jsonl",
        ]
    assert False in met


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.sweep
def test_a_journal_that_ends_anywhere_is_gone_on_with(meldref, quick, monkeypatch, seed):
    logs = some_logs("logs", 40)
    meldref("audit", logs, "--into", "alone")

    def stops(chunks, request, jobs):
        yield from in_this_process(chunks, request)
        raise KeyboardInterrupt

    with monkeypatch.context() as stopping:
        stopping.setattr(archiving, "on_this_machine", stops)
        assert meldref("audit", logs, "--into", "out").code == 130
    journal = Path("out/unfinished/journal")
    whole = journal.read_bytes()
    cut = random.Random(seed).randrange(len(whole))
    journal.write_bytes(whole[:cut] + bytes(seed % 2 * 40))
    meldref("audit", logs, "--into", "out", "--resume")
    assert tables_in("out") == tables_in("alone")


def test_an_interrupt_says_how_to_go_on(meldref, monkeypatch):
    def interrupted(chunks, request, jobs):
        yield next(in_this_process(chunks, request))
        raise KeyboardInterrupt

    logs = some_logs("logs", 40)
    with monkeypatch.context() as stopping:
        stopping.setattr(archiving, "on_this_machine", interrupted)
        ran = meldref("audit", logs, "--into", "out")
    assert ran.code == 130
    assert "--resume" in ran.err
    assert meldref("audit", logs, "--into", "out").code == 2
    done = []
    monkeypatch.setattr(
        archiving,
        "on_this_machine",
        lambda chunks, request, jobs: in_this_process(_noted(chunks, done), request),
    )
    meldref("audit", logs, "--into", "out", "--resume")
    assert sum(map(len, done)) == 24, "the first sixteen are not audited again"
    assert len(rows("out")) == 40
    assert json.loads(Path("out/run.json").read_text())["from_an_earlier_run"] == 16


def _noted(chunks, done):
    for number, chunk in chunks:
        done.append(chunk)
        yield number, chunk


@pytest.mark.sweep
def test_logs_that_changed_meanwhile_are_audited_again(meldref, monkeypatch):
    def interrupted(chunks, request, jobs):
        yield from in_this_process(chunks, request)
        raise KeyboardInterrupt

    logs = some_logs("logs", 40)
    with monkeypatch.context() as stopping:
        stopping.setattr(archiving, "on_this_machine", interrupted)
        meldref("audit", logs, "--into", "out")
    Path("logs/020.rgn").write_text(BAD)
    Path("logs/000a.rgn").write_text(LOG)
    monkeypatch.setattr(archiving, "on_this_machine", in_this_process)
    meldref("audit", logs, "--into", "out", "--resume")
    meldref("audit", logs, "--into", "anew")
    assert tables_in("out") == tables_in("anew")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk to be had here")
@pytest.mark.sweep
def test_a_full_disk_keeps_what_was_done(meldref, quick, monkeypatch):
    resource = pytest.importorskip("resource")
    logs = some_logs("logs", 150)
    meldref("audit", logs, "--into", "alone")
    child = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
"""
    command = [sys.executable, "-c", child + START, "audit", logs, "--into", "out"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert resource
    assert ran.returncode == 2, ran.stderr
    assert "--resume continues it" in ran.stderr
    assert not Path("out/run.json").exists()
    meldref("audit", logs, "--into", "out", "--resume")
    assert tables_in("out") == tables_in("alone")


# --- logs that end or hold up a process -----------------------------------------------------------


@needs_signals
@pytest.mark.sweep
def test_a_process_that_is_killed_costs_no_log(meldref, monkeypatch):
    logs = some_logs("logs", 60)
    with monkeypatch.context() as alone:
        alone.setattr(archiving, "on_this_machine", in_this_process)
        meldref("audit", logs, "--into", "alone")

    def kill():
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            for worker in multiprocessing.active_children():
                time.sleep(0.05)
                os.kill(worker.pid, signal.SIGKILL)
                return
            time.sleep(0.001)

    thread = threading.Thread(target=kill)
    thread.start()
    meldref("audit", logs, "--into", "out", "-j", 2)
    thread.join()
    assert tables_in("out") == tables_in("alone")


@pytest.mark.sweep
def test_a_log_that_takes_too_long_is_a_row_that_says_so(meldref):
    some_logs("logs", 20)
    Path("logs/005.rgn").write_text(LOG + LOG[LOG.index("hand 1") :] * 40_000)
    ran = meldref("audit", "logs", "--into", "out", "--limit-time", 1.5)
    found = by_log("out")
    assert len(found) == 20
    assert (found["logs/005.rgn"]["verdict"], found["logs/005.rgn"]["trouble"]) == (
        "unreadable",
        "time",
    )
    assert {row["trouble"] for name, row in found.items() if name != "logs/005.rgn"} == {None}
    assert ran.code == 2


@pytest.mark.sweep
def test_a_log_that_needs_too_much_memory_is_a_row_that_says_so(meldref):
    pytest.importorskip("resource")
    logs = [LOG, BAD, LOG + "# much\n" * 8_000_000, LOG]
    Path("t.jsonl").write_text("".join(json.dumps({"log": log}) + "\n" for log in logs))
    meldref("audit", "t.jsonl", "--into", "out", "--limit-memory", "16M")
    assert [row["trouble"] for row in rows("out")] == [None, None, "memory", None]


class SmallWorker:
    """Has room for items of three in all, after which it ends; an item of two makes it say that it is full."""

    def __init__(self):
        self.room = 3

    def work(self, job, limit=None):
        for item in job():
            self.room -= item
            if self.room < 0 and item != 2:
                self.end()
                raise WorkerGone("there is not enough memory", "memory")
            yield item if self.room >= 0 else "full"

    def end(self):
        self.room = 3


@pytest.mark.parametrize(
    ("items", "results"),
    [
        ([1, 2, 1, 2, 1], [1, 2, 1, 2, 1]),  # the second two fits into a process of its own
        ([1, 1, 1, 3, 1], [1, 1, 1, 3, 1]),
        ([1, 4, 1, 1, 2, 5, 2], [1, "lost", 1, 1, 2, "lost", 2]),
        ([4, 4, 1], ["lost", "lost", 1]),
    ],
)
def test_only_what_does_not_fit_into_a_worker_of_its_own_is_given_up(items, results):
    def lost(item, gone):
        return "lost"

    assert (
        lead(SmallWorker(), items, lambda some: some, lost, spent=lambda one: one == "full")
        == results
    )


def test_what_fills_a_worker_by_itself_is_said_once():
    assert lead(
        SmallWorker(), [1, 2.5, 2], lambda some: some, None, spent=lambda one: one == 2.5
    ) == [1, 2.5, 2]


@pytest.mark.sweep
@needs_signals
def test_a_limit_of_memory_may_be_above_that_of_the_system(meldref, log):
    pytest.importorskip("resource")
    limit = "import resource; resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))\n"
    process = started(limit, "audit", log(), "--limit-memory", "4G")
    said, error = process.communicate(timeout=60)
    assert (process.returncode, error) == (0, "")
    assert said.endswith("clean (1 hand, 3 turns)\n")


def test_limits_are_said_as_people_say_them(meldref):
    assert [bytes_of(text) for text in ("512M", "2g", "1 GiB".replace(" ", ""))] == [
        512 << 20,
        2 << 30,
        1 << 30,
    ]
    for wrong in ("much", "1", "-5M", "5 apples", "15M"):
        assert meldref("audit", "x.rgn", "--into", "out", "--limit-memory", wrong).code == 2
    assert not Path("out").exists()


@pytest.mark.parametrize(
    "options",
    [["--as", "csv"], ["--resume"], ["--force"], ["--engine", "ray"], ["--column", "x"]],
)
def test_what_is_for_tables_needs_a_folder(meldref, options):
    ran = meldref("audit", "x.rgn", *options)
    assert ran.code == 2
    assert "--into" in ran.err


def test_tables_and_a_report_are_two_things(meldref):
    assert meldref("audit", "x.rgn", "--into", "out", "--format", "json").code == 2
    assert meldref("audit", "x.rgn", "--into", "out", "--address", "here").code == 2


# --- load -----------------------------------------------------------------------------------------


def test_one_line_in_twenty_corrupted_gives_the_findings_of_the_report(meldref, quick):
    text, _ = log_of("500-rummy", (), (), ("random", "greedy"), games=1)
    dice = random.Random(5)
    lines = [line[::-1] if not dice.randrange(20) else line for line in text.splitlines()]
    Path("a.rgn").write_text("\n".join(lines))
    assert meldref("audit", "a.rgn", "--into", "out").code in {1, 2}
    told = meldref("audit", "a.rgn", "--format", "json").data["logs"][0]["findings"]
    keys = ("code", "message", "line", "column", "game", "hand", "turn", "player")
    assert len(told) > 5
    assert [[row[key] for key in keys] for row in rows("out", "findings")] == [
        [one[key] for key in keys] for one in told
    ]


def test_ten_gigabytes_in_one_line_are_no_log(meldref, quick):
    some_logs("logs", 2)
    with Path("logs/000a.rgn").open("wb") as stream:
        stream.truncate(10 << 30)
    meldref("audit", "logs", "--into", "out")
    assert [row["verdict"] for row in rows("out")] == ["violations", "unreadable", "violations"]


@pytest.mark.skipif(not os.environ.get("MELDREF_LOAD"), reason="MELDREF_LOAD=1 takes minutes")
def test_much_is_audited_in_little_memory(meldref):
    turns = (
        LOG[LOG.index("1. Ann") :]
        .replace("discard Ks", "discard 8s")
        .replace("discard Qs", "discard ?")
    )
    Path("logs").mkdir()
    Path("logs/game.rgn").write_text(LOG + turns * 33_333)
    with Path("wide.jsonl").open("wb") as stream:
        stream.truncate(10 << 30)
    for number in range(5000):
        Path(f"logs/{number}.rgn").write_text(SCORED)
    code, said, peak = measured(
        "logs/0.rgn", "audit", "logs", "wide.jsonl", "--into", "out", "-j", 2
    )
    assert code == 2, said
    assert by_log("out")["logs/game.rgn"]["turns"] == 100_002
    assert by_log("out")["wide.jsonl:1"]["trouble"] == "file"
    assert len(rows("out")) == 5002
    assert peak < 160 << 20
