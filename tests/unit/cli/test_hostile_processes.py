"""What signals do to the program: nothing of it stays behind, and nothing that was there is lost."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from cli_logs import LOG
from processes import needs_signals, started

pytestmark = pytest.mark.sweep

LOOSE = LOG.replace("; discard", ";discard")

TELL_OF_WORKERS = """
import multiprocessing, sys, threading, time

def tell():
    while len(multiprocessing.active_children()) < 2:
        time.sleep(0.01)
    print(*[worker.pid for worker in multiprocessing.active_children()], file=sys.stderr, flush=True)

threading.Thread(target=tell, daemon=True).start()
"""
SIGNAL_AT_IMPORT = """
import os, signal, sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Finder())
"""
SIGNAL_AT_SYNC = """
import os, signal

def sync(_, synced=[]):
    synced.append(1)
    if len(synced) == {time}:
        os.kill(os.getpid(), signal.{name})

os.fsync = sync
"""


@pytest.fixture
def long_logs(log):
    """Logs that keep two workers busy for a while: one, by many names."""
    name = log(LOG + LOG[LOG.index("hand 1") :] * 20_000, "long/0.rgn")
    for number in range(1, 40):
        os.link(name, f"long/{number}.rgn")
    return "long"


def end_of(process: subprocess.Popen[str]) -> str:
    """What a process still says until it is gone, with all that it started: they have one standard error."""
    try:
        return process.communicate(timeout=60)[1]
    finally:
        process.kill()


@pytest.mark.parametrize("more", ["--jobs 2", "--into tables", "--limit-time 60"])
def test_processes_that_are_started_import_nothing_from_the_current_folder(log, tmp_path, more):
    logs = log(LOG, "a.rgn"), log(LOG, "b.rgn")
    for module in ("multiprocessing", "threading", "pickle", "signal", "meldref"):
        (tmp_path / f"{module}.py").write_text("open('planted', 'w').close()\n")
    program = Path(sys.executable).with_name("meldref")
    arguments = [program, "audit", *logs, *more.split()]
    run = subprocess.run(arguments, cwd=tmp_path, capture_output=True, check=False)
    assert run.returncode == 0, run.stderr
    assert not (tmp_path / "planted").exists()


@needs_signals
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGKILL"])
def test_workers_end_with_the_process_they_work_for(long_logs, name):
    process = started(TELL_OF_WORKERS, "audit", long_logs, "-j", 2, "--quiet")
    workers = process.stderr.readline().split()
    assert len(workers) == 2
    process.send_signal(getattr(signal, name))
    assert end_of(process) == ""
    assert process.returncode == -getattr(signal, name)


@needs_signals
def test_an_interrupt_of_everybody_is_said_once(long_logs):
    process = started(
        TELL_OF_WORKERS, "audit", long_logs, "-j", 2, "--quiet", start_new_session=True
    )
    assert process.stderr.readline().split()
    os.killpg(process.pid, signal.SIGINT)
    assert end_of(process) == "meldref: interrupted\n"
    assert process.returncode == 130


@needs_signals
@pytest.mark.parametrize(
    "module",
    [
        "meldref_cli.main",
        "typer",
        "meldref_cli.audit",
        "meldref.replay.log",
        "meldref.rulefiles.load",
    ],
)
def test_an_interrupt_while_modules_are_loaded_prints_no_traceback(log, module):
    process = started(SIGNAL_AT_IMPORT.format(module=module), "audit", log())
    assert end_of(process) == "meldref: interrupted\n"
    assert process.returncode == 130


# --- a worker that is killed ----------------------------------------------------------------------


@pytest.fixture
def killer():
    """Kills the first worker there is, once."""

    def kill() -> None:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            for worker in multiprocessing.active_children():
                os.kill(worker.pid, signal.SIGKILL)
                return
            time.sleep(0.001)

    thread = threading.Thread(target=kill)
    thread.start()
    yield
    thread.join()


def states_in(format_: str, text: str) -> dict[str, bool]:
    """The logs that a report names, and whether it has an audit of each."""
    if format_ == "json":
        return {log["path"]: log["verdict"] == "clean" for log in json.loads(text)["logs"]}
    if format_ == "junit":
        suites = ET.fromstring(text)  # noqa: S314
        return {case.get("name"): case.find("error") is None for case in suites.iter("testcase")}
    if format_ == "sarif":
        run = json.loads(text)["runs"][0]
        assert run["invocations"][0]["exitCode"] == 0
        places = [result["locations"][0]["physicalLocation"] for result in run["results"]]
        return dict.fromkeys([place["artifactLocation"]["uri"] for place in places], False)
    if format_ == "jsonl":
        *findings, _ = [json.loads(line) for line in text.splitlines()]
        return dict.fromkeys([finding["path"] for finding in findings], False)
    return {
        line.partition(":")[0]: True
        for line in text.splitlines()
        if line.endswith("(1 hand, 3 turns)")
    }


@needs_signals
@pytest.mark.parametrize("format_", ["text", "json", "jsonl", "sarif", "junit"])
def test_a_worker_that_is_killed_costs_no_log_and_reports_stay_whole(meldref, log, killer, format_):
    names = [log(name=f"{number:02}.rgn") for number in range(20)]
    ran = meldref("audit", *names, "-j", 2, "--format", format_)
    assert (ran.code, ran.err) == (0, "")
    assert states_in(format_, ran.out) == (
        {} if format_ in {"sarif", "jsonl"} else dict.fromkeys(names, True)
    )


# --- files that are written -----------------------------------------------------------------------


@needs_signals
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize(
    "command", ["fmt loose.rgn", "convert loose.rgn -o new.jsonl", "simulate -o new.rgn"]
)
def test_a_signal_leaves_no_draft_of_a_file(log, name, command):
    log(LOOSE, "loose.rgn")
    process = started(SIGNAL_AT_SYNC.format(name=name, time=1), *command.split())
    said = end_of(process)
    if name == "SIGINT":
        assert (process.returncode, said) == (130, "meldref: interrupted\n")
    else:
        assert (process.returncode, said) == (-getattr(signal, name), "")
    assert [path.name for path in Path().iterdir()] == ["loose.rgn"]
    assert Path("loose.rgn").read_text() == LOOSE


def test_hard_links_stay(meldref, log):
    name = log(LOOSE)
    os.link(name, "other.rgn")
    assert meldref("fmt", name).code == 0
    assert Path("other.rgn").read_text() == LOG
    assert Path(name).samefile("other.rgn")
    assert sorted(path.name for path in Path().iterdir()) == [name, "other.rgn"]


@needs_signals
def test_a_signal_waits_until_a_file_with_links_is_whole(log):
    name = log(LOOSE)
    os.link(name, "other.rgn")
    process = started(SIGNAL_AT_SYNC.format(name="SIGTERM", time=2), "fmt", name)
    assert end_of(process) == ""
    assert process.returncode == -signal.SIGTERM
    assert Path("other.rgn").read_text() == LOG
    assert sorted(path.name for path in Path().iterdir()) == [name, "other.rgn"]


def test_where_a_file_with_links_is_half_written_all_of_it_is_in_a_draft(meldref, log, monkeypatch):
    name = log(LOOSE)
    os.link(name, "other.rgn")
    synced: list[int] = []

    def full(handle: int) -> None:
        synced.append(handle)
        if len(synced) == 2:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    ran = meldref("fmt", name)
    assert ran.code == 2
    (draft,) = [path for path in Path().iterdir() if path.name not in {name, "other.rgn"}]
    assert draft.read_text() == LOG
    assert str(draft) in ran.err


def test_a_name_may_be_as_long_as_a_name_can_be(meldref, log):
    name = log(LOOSE, "x" * 251 + ".rgn")
    assert meldref("fmt", name).code == 0
    assert Path(name).read_text() == LOG


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give files away"
)
def test_owner_group_and_mode_stay(meldref, log):
    name = log(LOOSE)
    os.chown(name, 12345, 23456)
    Path(name).chmod(0o4750)
    assert meldref("fmt", name).code == 0
    now = Path(name).stat()
    assert (now.st_uid, now.st_gid, stat.S_IMODE(now.st_mode)) == (12345, 23456, 0o4750)
    assert Path(name).read_text() == LOG


def test_what_may_not_be_given_to_its_owner_is_written_in_place(meldref, log, monkeypatch):
    name = log(LOOSE)
    before = Path(name).stat()
    real = Path.stat

    def of_another(path: Path, **options: bool) -> os.stat_result:
        found = list(real(path, **options))
        if path.name.startswith(".meldref-"):
            found[5] += 1  # its group
        return os.stat_result(found)

    def refused(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "stat", of_another)
    monkeypatch.setattr(os, "chown", refused, raising=False)
    assert meldref("fmt", name).code == 0
    assert Path(name).read_text() == LOG
    assert real(Path(name)).st_ino == before.st_ino
    assert [path.name for path in Path().iterdir()] == [name]
