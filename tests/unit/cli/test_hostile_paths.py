"""What a log names is read from its own folder alone, and nothing but regular files is read that nobody named."""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from zipfile import ZipFile, ZipInfo

import pytest

from cli_logs import LOG
from meldref import audit_file
from meldref.core.safe_files import inside, is_regular, open_file, read_file

MARK = "s3cr3t-n0b0dy-may-see"
HEAD = '[Players "Ann, Bob"]\nhand 1 dealer Bob\n'
RULES = "id: house\nname: House\nextends: [500-rummy]\ngame: {target: 100}\n"
LIMIT = 1_500_000_000
"""The bytes of memory that survive every attack."""
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 24, 1, 2
MELDREF = [sys.executable, "-m", "meldref_cli.main"]

pytestmark = [
    pytest.mark.sweep(every=12),
    pytest.mark.skipif(sys.platform == "win32", reason="links, pipes and devices of POSIX"),
]


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with logs, and beside it a file that nobody may see, as rules that could be read, and as text."""
    monkeypatch.chdir(tmp_path)
    for folder in ("logs/sub", "outside/deep", "logs/real"):
        Path(folder).mkdir(parents=True)
    for name in (
        "outside/secret.txt",
        "outside/secret.yaml",
        "outside/deep/secret.json",
        "logs/secret.txt",
    ):
        Path(name).write_text(f"{MARK}: {MARK}\n{MARK}\n- : {MARK}\n")
    Path("logs/house.yaml").write_text(RULES)
    return tmp_path


def run(*arguments: str, stdin: bytes = b"", seconds: float = 60):
    """One command line in a process of its own, with little memory, ended if it hangs."""

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))
        if sys.platform == "linux":  # locked folders are locked for root as well
            for right in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
                ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, right, 0, 0, 0)

    return subprocess.run(
        [*MELDREF, *arguments],
        input=stdin,
        capture_output=True,
        timeout=seconds,
        check=False,
        preexec_fn=bound,
    )


def log_with(header: str, name: str = "logs/a.rgn") -> str:
    rules = "" if "[Rules" in header else '[Rules "500-rummy"]\n'
    Path(name).write_text(f"{header}\n{rules}{HEAD}")
    return name


def findings(ran) -> list[tuple[str, int, str]]:
    return [
        (one["code"], one["line"], one.get("file", "")) for one in ran.data["logs"][0]["findings"]
    ]


# --- what a log names -----------------------------------------------------------------------------

OUTSIDE = [
    "/etc/passwd",
    "../outside/secret.txt",
    "../outside/secret.yaml",
    "../outside/nothing.yaml",
    "../outside/",
    "../outside",
    "../outside/deep",
    "/",
    "./",
    "sub/",
    "../logs/../outside/secret.yaml",
    "sub/../../outside/secret.yaml",
    "../outside/deep/../secret.yaml",
    "/proc/self/environ",
    "/proc/self/root/etc/passwd.yaml",
    "/dev/zero",
    "/dev/stdin",
    "secret.txt/",
    "./secret.txt",
    "link.yaml",
    "link-to-link.yaml",
    "loop.yaml",
    "folder-link/secret.yaml",
    "text-link.yaml",
    "pipe.yaml",
    "socket.yaml",
    "folder.yaml",
    "folder.yaml/",
    "dangling.yaml",
    "./" + "x" * 300 + "/../../outside/secret.yaml",
    "../" * 2_000 + "etc/passwd.yaml",
    "\\\\server\\share\\house.yaml/../../../outside/secret.yaml",
]


@pytest.fixture
def traps(here):
    logs = here / "logs"
    (logs / "link.yaml").symlink_to("../outside/secret.yaml")
    (logs / "link-to-link.yaml").symlink_to("link.yaml")
    (logs / "loop.yaml").symlink_to("loop.yaml")
    (logs / "folder-link").symlink_to(here / "outside")
    (logs / "text-link.yaml").symlink_to("secret.txt")
    (logs / "dangling.yaml").symlink_to("../outside/nothing.yaml")
    os.mkfifo(logs / "pipe.yaml")
    (logs / "folder.yaml").mkdir()
    (logs / "folder.yaml" / "secret.yaml").write_text(f"{MARK}: 1\n")
    held = socket.socket(socket.AF_UNIX)
    held.bind("logs/socket.yaml")
    yield here
    held.close()


@pytest.mark.sweep
@pytest.mark.parametrize("name", OUTSIDE, ids=lambda name: name[:40])
@pytest.mark.parametrize("header", ["Rules", "Options"])
def test_what_leads_out_is_refused_at_the_log_and_nothing_is_told_of_it(
    meldref, traps, header, name
):
    log = log_with(f'[{header} "{name}"]')
    ran = meldref("audit", "--format", "json", log)
    assert ran.code == 2
    assert ran.data["logs"][0]["verdict"] == "unreadable"
    at = (
        1 if len(name) < 100 else findings(ran)[0][1]
    )  # a name that is cut is told of where the rules are named
    assert ("log.name", at, "") in findings(ran)
    for format_ in ("text", "jsonl", "github", "sarif", "junit"):
        ran = meldref("audit", "-v", "--format", format_, log)
        assert ran.code == 2
        assert MARK not in ran.out + ran.err
        assert (
            len(name) > 100
            or "\\" in name
            or "secret." not in (ran.out + ran.err).replace(name, "")
        )
        assert "did you mean" not in ran.out
    for command in (["replay", log], ["legal", "draw", "--log", log, "--at", "4"]):
        ran = meldref(*command)
        assert ran.code == 2
        assert MARK not in ran.out + ran.err


def message(meldref, name: str) -> str:
    ran = meldref("audit", "--format", "json", log_with(f'[Rules "{name}"]'))
    (one,) = ran.data["logs"][0]["findings"]
    assert (one["code"], one["line"], ran.code) == ("log.name", 1, 2)
    return one["message"].replace(name, "NAME")


def test_the_message_is_the_same_whatever_is_there(meldref, traps):
    short = [name for name in OUTSIDE if len(name) < 100]
    assert len({message(meldref, name) for name in short}) == 1


def test_what_leads_out_through_a_link_is_the_same_with_and_without_its_target(meldref, here):
    link = here / "logs" / "x.yaml"
    said = set()
    for target in (
        "../outside/secret.yaml",
        "../outside/nothing.yaml",
        "/etc",
        "/dev/zero",
        "../outside",
        "x.yaml",
    ):
        link.symlink_to(target)
        said.add(message(meldref, "x.yaml"))
        ran = meldref("audit", log_with('[Rules "x"]'))
        said.add(message(meldref, "x.yaml"))
        assert "x.yaml" not in ran.out
        link.unlink()
    assert len(said) == 1


@pytest.mark.parametrize(
    "name",
    [
        "house.yaml",
        "./house.yaml",
        "sub/../house.yaml",
        "../logs/house.yaml",
        "sub/link.yaml",
        "sub/folder/house.yml",
        "absolute.yaml",
        "{here}/logs/house.yaml",
        "{here}/logs/sub/../house.yaml",
        "{here}/outside/../logs/house.yaml",
    ],
)
def test_what_stays_in_the_folder_is_read_by_whatever_way(meldref, here, name):
    (here / "logs/sub/link.yaml").symlink_to("../real/house.json")
    (here / "logs/sub/folder").symlink_to("../real")
    (here / "logs/absolute.yaml").symlink_to(here / "logs" / "house.yaml")
    for copy in ("logs/real/house.json", "logs/real/house.yml"):
        Path(copy).write_text(
            json.dumps({"id": "house", "name": "House", "extends": ["500-rummy"]})
        )
    log = log_with(f'[Rules "{name.format(here=here)}"]')
    assert meldref("audit", log).code == 0
    assert meldref("audit", here / log).code == 0
    assert meldref("legal", "draw", "--log", log, "--at", "4").code == 2  # nobody is dealt anything
    (here / "way").symlink_to("logs")
    assert meldref("audit", "way/a.rgn").code == 0
    assert audit_file(log).verdict == "clean"


@pytest.mark.parametrize(
    "name",
    [
        "/etc/passwd",
        "../outside/secret.yaml",
        "../outside/nothing.yaml",
        "link.yaml",
        "/dev/zero",
        "pipe.yaml",
    ],
)
@pytest.mark.parametrize("steps", [1, 2, 3])
@pytest.mark.parametrize("header", ["Rules", "Options"])
def test_what_a_log_names_builds_on_nothing_outside(meldref, traps, name, steps, header):
    for step in range(steps):
        kind = "type: option\n" if header == "Options" else ""
        below = name if step == 0 else f"step{step - 1}.yaml"
        Path(f"logs/step{step}.yaml").write_text(
            f"id: step{step}\nname: x\n{kind}extends: [{json.dumps(below)}]\n"
        )
    top = f"step{steps - 1}.yaml"
    log = log_with(f'[Date "2020-01-01"]\n[{header} "{top}"]')
    ran = meldref("audit", "--format", "json", log)
    assert (ran.code, ran.data["logs"][0]["verdict"]) == (2, "unreadable")
    found = ran.data["logs"][0]["findings"]
    assert [(one["code"], one.get("file")) for one in found if name in one["message"]] == [
        ("log.name", None)
    ]
    assert next(one["line"] for one in found if name in one["message"]) == 2
    assert any(f"{top} builds on {name}: " in one["message"] for one in found)
    assert MARK not in ran.out


def test_a_log_from_standard_input_has_the_current_folder(meldref, here, monkeypatch):
    text = f'[Rules "house.yaml"]\n{HEAD}'
    assert meldref("audit", "-", stdin=text).code == 2
    ran = meldref("audit", "-", stdin=text.replace("house.yaml", "../secret.yaml"))
    assert ran.code == 2
    assert MARK not in ran.out
    monkeypatch.chdir("logs")
    assert meldref("audit", "-", stdin=text).code == 0
    ran = meldref("audit", "-", stdin=text.replace("house.yaml", "../outside/secret.yaml"))
    assert (ran.code, MARK in ran.out) == (2, False)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_paths_are_trusted_where_the_user_says_so(meldref, here, jobs):
    Path("outside/shared.yaml").write_text(RULES.replace("500-rummy", "deep/base.yaml"))
    Path("outside/deep/base.yaml").write_text(RULES.replace("house", "base"))
    log = log_with('[Rules "../outside/shared.yaml"]')
    other = log_with('[Rules "../outside/shared.yaml"]', "logs/b.rgn")
    assert meldref("audit", "-j", jobs, log, other).code == 2
    assert meldref("audit", "--trust-paths", "-j", jobs, log, other).code == 0
    assert meldref("replay", "--trust-paths", log).code == 0
    at = ("legal", "draw", "--log", log, "--at", "4")
    assert "../outside/shared.yaml" in meldref(*at).err
    assert "no hand is being played" in meldref(*at, "--trust-paths").err
    assert audit_file(log).verdict == "unreadable"
    assert audit_file(log, trust_paths=True).verdict == "clean"
    ran = meldref("audit", "--trust-paths", log_with('[Rules "../outside/sharde.yaml"]'))
    assert "did you mean ../outside/shared.yaml?" in ran.out


def test_what_the_user_names_and_what_that_names_may_lie_anywhere(meldref, here):
    Path("outside/shared.yaml").write_text(
        RULES.replace("500-rummy", "../logs/house.yaml").replace("house\n", "x\n")
    )
    log = log_with('[Rules "500-rummy"]')
    assert meldref("audit", log, "--rules", "outside/shared.yaml").code == 0
    Path("outside/table.yaml").write_text(
        "rules: ../logs/house.yaml\nhands: {A: 4c 5c 6c, B: 2d}\npile: 2h\n"
    )
    assert meldref("legal", "draw", "--position", "outside/table.yaml").code == 0
    case = "rules: ../logs/house.yaml, moves: ['A: draw 3d; discard 6c'], expect: {verdict: legal}"
    given = "given: {hands: {A: 4c 5c 6c, B: 2d}, stock: 3d 4d}"
    Path("outside/cases.yaml").write_text(f"cases:\n- {{name: x, {case}, {given}}}\n")
    assert meldref("rules", "test", "outside/cases.yaml").code == 0


def test_who_writes_a_path_that_an_audit_would_refuse_says_so(meldref, here):
    log = log_with('[Options "floating, ../outside/x.yaml"]\n[Rules "../outside/secret.yaml"]')
    for command in (["--to", "json", log], ["--to", "json", log, "-o", "logs/out.jsonl"]):
        ran = meldref("convert", *command)
        assert ran.code == 0
        told = [line for line in ran.err.splitlines() if "--trust-paths" in line]
        assert [
            "../outside/x.yaml" in line or "../outside/secret.yaml" in line for line in told
        ] == [True, True]
        assert "--trust-paths" not in meldref("convert", *command, "-q", "--force").err
    assert "--trust-paths" in meldref("convert", "logs/out.jsonl").err
    assert (
        "--trust-paths"
        not in meldref("convert", "--to", "json", log_with('[Rules "house.yaml"]')).err.replace(
            "house.yaml", ""
        )
        or not Path("house.yaml").exists()
    )
    assert (
        "--trust-paths"
        not in meldref("convert", "--to", "json", log_with('[Rules "500-rummy"]')).err
    )
    ran = meldref("simulate", "--hands", 1, "--rules", "logs/house.yaml", "-o", "outside/a.rgn")
    assert "outside/a.rgn names ../logs/house.yaml, " in ran.err
    ran = meldref("simulate", "--hands", 1, "--rules", "logs/house.yaml", "-o", "logs/b.rgn")
    assert "--trust-paths" not in ran.err
    assert meldref("audit", "logs/b.rgn").code == 0


# --- the resolver ---------------------------------------------------------------------------------


def test_nothing_outside_is_looked_at(here, monkeypatch):
    """The answer about a name cannot tell of what it never asked."""
    (here / "logs/out").symlink_to("../outside/deep/../secret.yaml")
    (here / "logs/back").symlink_to("../outside/../logs/house.yaml")
    looked: list[str] = []
    readlink = os.readlink

    def watched(path):
        looked.append(os.fspath(path))
        return readlink(path)

    monkeypatch.setattr(os, "readlink", watched)
    logs = here / "logs"
    for name in ("out", "../outside/secret.yaml", "/etc/passwd", "sub/../../outside/x"):
        assert inside(name, logs, logs) is None
    assert inside("back", logs, logs) == logs.resolve() / "house.yaml"
    assert inside("sub/none/../x.yaml", logs, logs) == logs.resolve() / "sub/x.yaml"
    assert [path for path in looked if path.startswith((f"{here}/outside", "/etc"))] == []
    assert looked


@pytest.mark.parametrize("name", ["a\0b", "x" * 5_000, "", ".", "\udcff", "a/" * 3_000])
def test_a_name_that_no_file_can_have_is_no_file(here, name):
    assert inside(name, here, here) is None or not is_regular(inside(name, here, here))
    with pytest.raises(OSError, match=r"."):
        read_file(name, 10)


def test_a_file_that_became_a_pipe_meanwhile_is_not_waited_for(here, monkeypatch):
    os.mkfifo("pipe")
    real = Path.stat
    monkeypatch.setattr(Path, "stat", lambda self, **more: real(here / "logs/house.yaml", **more))
    signal.alarm(20)
    with pytest.raises(OSError, match="not a regular file"):
        open_file("pipe")
    signal.alarm(0)


def test_no_more_is_read_than_the_limit_and_one_byte():
    assert len(read_file("/dev/zero", 1000, any_kind=True)) == 1001
    with pytest.raises(OSError, match="not a regular file"):
        read_file("/dev/zero", 1000)


# --- devices, pipes and folders -------------------------------------------------------------------


def tree(here: Path) -> Path:
    """A folder of logs as an archive of a stranger may bring it."""
    folder = here / "logs"
    (folder / "good.rgn").write_text(LOG)
    (folder / "sub" / "good.rgn").write_text(LOG)
    (folder / "inside.rgn").symlink_to("sub/good.rgn")
    (here / "outside" / "x.rgn").write_text(f"{MARK}\n")
    return folder


TRAPS = {
    "a link to a text": lambda path, here: path.symlink_to("../outside/secret.txt"),
    "a link to a log": lambda path, here: path.symlink_to(here / "outside" / "x.rgn"),
    "a link to nothing": lambda path, here: path.symlink_to("../outside/nothing.rgn"),
    "a link to a link": lambda path, here: (
        (path.parent / "l").symlink_to("/etc/passwd"),
        path.symlink_to("l"),
    ),
    "a loop": lambda path, here: path.symlink_to(path.name),
    "a device": lambda path, here: path.symlink_to("/dev/zero"),
    "a pipe": lambda path, here: os.mkfifo(path),
    "a link to a pipe": lambda path, here: (os.mkfifo(path.parent / "p"), path.symlink_to("p")),
}


@pytest.mark.sweep
@pytest.mark.parametrize(
    "command",
    [["audit"], ["audit", "--format", "sarif"], ["audit", "-j", "2"], ["fmt", "--check"], ["fmt"]],
    ids=" ".join,
)
def test_a_walk_stays_in_its_folder_and_reads_files_alone(here, command):
    folder = tree(here)
    for number, trap in enumerate(TRAPS.values()):
        (folder / f"{number}").mkdir()
        trap(folder / f"{number}" / "trap.rgn", here)
    (folder / "sub" / "up").symlink_to("..")  # folders that are links are not walked into
    (folder / "etc").symlink_to("/etc")
    ran = run(*command, "logs")
    said = (ran.stdout + ran.stderr).decode()
    assert ran.returncode == 2
    for number in range(len(TRAPS)):
        assert f"logs/{number}/trap.rgn: " in said
    assert MARK not in said
    assert "root:" not in said
    assert "internal error" not in said
    if command == ["audit"]:
        assert said.count(": clean") == 3
        assert "3 logs: " in said
    assert (here / "outside" / "x.rgn").read_text() == f"{MARK}\n"


def test_the_message_about_a_link_is_the_same_whatever_it_leads_to(meldref, here):
    tree(here)
    said = set()
    for target in (
        "/etc/passwd",
        "/dev/zero",
        "../outside",
        "../outside/nothing.rgn",
        "../outside/x.rgn",
        "trap.rgn",
    ):
        Path("logs/trap.rgn").symlink_to(target)
        said.add(meldref("audit", "logs").err)
        Path("logs/trap.rgn").unlink()
    assert len(said) == 1


WALKS = [
    ["audit", "logs"],
    ["audit", "logs", "--into", "out", "--force"],
    ["report", "logs", "-o", "page.html", "--force"],
    ["fmt", "--check", "logs"],
    ["rules", "test", "logs"],
    ["rules", "diff", "500-rummy", "500-rum", "--logs", "logs"],
]


@pytest.mark.parametrize("command", WALKS, ids=" ".join)
def test_the_words_about_a_link_that_is_no_log_are_the_same_whatever_is_behind_it(
    meldref, here, command
):
    tree(here)
    said = set()
    for target in (
        "../outside/x.rgn",
        "../outside",
        "../outside/nothing",
        "x",
        "x" * 300,
        "/dev/zero",
    ):
        Path("logs/x").symlink_to(target)
        ran = meldref(*command)
        said.add((ran.code, ran.out, ran.err))
        Path("logs/x").unlink()
    assert len(said) == 1
    assert ran.code < 3
    if command[0] in {"audit", "report"}:
        assert (
            "left out, which do not end as logs do: logs/house.yaml, logs/secret.txt, logs/x"
            in ran.err
        )


@pytest.mark.sweep
@pytest.mark.parametrize("command", WALKS[:4], ids=" ".join)
def test_folders_that_may_not_be_entered_cost_only_what_is_in_them(here, command):
    tree(here)
    locked, listed = here / "outside" / "locked", here / "logs" / "listed"
    for folder in (locked, listed):
        folder.mkdir()
        (folder / "a.rgn").write_text(LOG)
        (folder / "b").write_text(LOG)
    Path("logs/x").symlink_to(locked / "b")
    Path("logs/y").symlink_to(locked / "nothing")
    Path("logs/z.rgn").symlink_to(locked / "a.rgn")
    locked.chmod(0)
    listed.chmod(0o444)
    ran = run(*command, "-v")
    said = (ran.stdout + ran.stderr).decode()
    for folder in (locked, listed):
        folder.chmod(0o700)
    assert ran.returncode == 2
    assert "internal error" not in said
    assert "logs/z.rgn: not a regular file of this folder" in said
    assert "permission denied" in said or "--into" in command
    if command == ["audit", "logs"]:
        assert "3 clean, 1 unreadable" in said


@pytest.mark.sweep
@pytest.mark.parametrize("options", [[], ["--resume"], ["--force"]], ids=" ".join)
def test_a_folder_for_tables_that_may_not_be_entered_is_a_message(here, options):
    tree(here)
    Path("locked").mkdir()
    Path("locked").chmod(0)
    ran = run("audit", "logs", "--into", "locked/out", *options)
    Path("locked").chmod(0o700)
    assert (ran.returncode, b"permission denied" in ran.stderr) == (2, True)


@pytest.mark.parametrize(
    "arguments",
    [
        ["audit", "loop.rgn"],
        ["fmt", "loop.rgn"],
        ["fmt", "--check", "loop.rgn"],
        ["replay", "loop.rgn"],
        ["convert", "loop.rgn"],
        ["legal", "draw", "--log", "loop.rgn", "--at", "1"],
        ["legal", "draw", "--position", "loop.yaml"],
        ["audit", "logs/good.rgn", "--rules", "loop.yaml"],
        ["audit", "logs/good.rgn", "--with", "loop.yaml"],
        ["rules", "check", "loop.yaml"],
        ["rules", "check", "--fix", "loop.yaml"],
        ["rules", "show", "loop.yaml"],
        ["rules", "test", "loop.yaml"],
        ["rules", "diff", "500-rummy", "loop.yaml"],
        ["rules", "diff", "500-rummy", "500-rum", "--logs", "loop.rgn"],
        ["rules", "rulebook", "loop.yaml"],
        ["rules", "new", "--no-ask", "loop.yaml"],
        ["rules", "new", "--no-ask", "--force", "loop.yaml"],
        ["simulate", "-o", "loop.rgn"],
        ["simulate", "-o", "loop.rgn", "--force"],
        ["convert", "--to", "json", "logs/good.rgn", "-o", "loop.rgn"],
    ],
    ids=" ".join,
)
def test_a_link_that_loops_is_a_file_that_cannot_be_used(meldref, here, arguments):
    tree(here)
    for name in ("loop.rgn", "loop.yaml"):
        Path(name).symlink_to(name)
    ran = meldref(*arguments)
    assert ran.code in {1, 2}, ran
    assert "internal error" not in ran.err
    assert "loop." in ran.out + ran.err


ENDLESS = ["/dev/zero", "pipe.yaml"]


@pytest.mark.parametrize("name", ENDLESS)
@pytest.mark.parametrize(
    ("file", "text", "command"),
    [
        ("a.rgn", '[Rules "{0}"]\n' + HEAD, ["audit", "a.rgn"]),
        ("a.rgn", '[Rules "{0}"]\n' + HEAD, ["audit", "--trust-paths", "a.rgn"]),
        ("a.rgn", '[Options "./{0}, ../{0}, {0}"]\n' + HEAD, ["audit", "--trust-paths", "a.rgn"]),
        ("a.yaml", "id: a\nname: A\nextends: [{0}]\n", ["rules", "check", "a.yaml"]),
        (
            "a.yaml",
            "id: a\nname: A\nextends: [{0}]\n",
            ["audit", "logs/good.rgn", "--rules", "a.yaml"],
        ),
        (
            "a.yaml",
            "id: a\nname: A\ntype: option\nextends: [./{0}]\n",
            ["melds", "5h 5c 5d", "--with", "a.yaml"],
        ),
        ("a.yaml", "rules: {0}\nhands: {{A: 4c}}\n", ["legal", "--position", "a.yaml"]),
        ("a.yaml", "with: [{0}]\nhands: {{A: 4c}}\n", ["legal", "--position", "a.yaml"]),
        (
            "a.yaml",
            "cases:\n- {{name: x, rules: {0}, moves: [draw], expect: {{verdict: legal}}}}\n",
            ["rules", "test", "--coverage", "a.yaml"],
        ),
    ],
)
@pytest.mark.sweep
def test_what_a_file_names_is_a_regular_file(here, name, file, text, command):
    tree(here)
    os.mkfifo("pipe.yaml")
    Path(file).write_text(text.format(name))
    ran = run(*command)
    assert ran.returncode in {1, 2}, ran
    assert b"internal error" not in ran.stderr
    assert b"rror" in ran.stdout + ran.stderr or b"wrong" in ran.stdout or b"failed" in ran.stdout


@pytest.mark.parametrize(
    "command",
    [
        ["rules", "check"],
        ["rules", "show"],
        ["rules", "test"],
        ["rules", "diff", "500-rummy"],
        ["melds", "5h 5c 5d", "--rules"],
        ["melds", "5h 5c 5d", "--with"],
        ["legal", "draw", "--position"],
        ["audit", "logs/good.rgn", "--rules"],
    ],
    ids=" ".join,
)
def test_a_device_that_the_user_names_is_read_up_to_the_limit(here, command):
    tree(here)
    ran = run(*command, "/dev/zero")
    assert ran.returncode in {1, 2}
    assert b"larger than 1 MiB" in ran.stdout + ran.stderr


READERS = [
    ["audit"],
    ["replay"],
    ["replay", "--at", "5000"],
    ["fmt"],
    ["fmt", "--check"],
    ["fmt", "--check", "--format", "json"],
    ["convert", "--to", "json"],
    ["convert", "--to", "rgn"],
]


@pytest.mark.parametrize("command", READERS, ids=" ".join)
@pytest.mark.sweep
def test_a_line_without_an_end_ends(here, command):
    tree(here)
    with Path("logs/sparse.rgn").open("wb") as file:
        file.truncate(1 << 40)  # such a file takes no room in an archive
    for name in ("/dev/zero", "logs/sparse.rgn"):
        assert run(*command, name).returncode == 2


@pytest.mark.parametrize("command", READERS, ids=" ".join)
@pytest.mark.sweep
def test_lines_without_an_end_end_where_none_of_them_says_anything(here, command):
    tree(here)
    assert run(*command, "/dev/urandom").returncode == 2
    noise = b"lorem ipsum\n" * 5_000
    ran = run(*command, "-", stdin=noise)
    assert ran.returncode == 2
    assert ran.stdout != noise


@pytest.mark.sweep
def test_a_pipe_that_the_user_names_is_read(here):
    tree(here)
    script = f"{' '.join(MELDREF)} audit --rules <(cat logs/house.yaml) <(cat logs/good.rgn)"
    ran = subprocess.run(["bash", "-c", script], capture_output=True, timeout=60, check=False)  # noqa: S607
    assert ran.returncode == 0, ran
    assert b": clean" in ran.stdout


# --- one file in another encoding -----------------------------------------------------------------

ODD = LOG.replace("Ann", "Jörg") + "# ähm\n# größer\n" * 50


@pytest.mark.parametrize(
    "command",
    [
        ["audit"],
        ["audit", "--format", "github"],
        ["fmt"],
        ["fmt", "--check"],
        ["replay"],
        ["convert", "--to", "json"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_a_log_in_another_encoding_gives_one_message(meldref, log, command, encoding):
    ran = meldref(*command, log(ODD.encode(encoding)))
    said = ran.out + ran.err
    assert ran.code in {1, 2}
    assert said.count("not UTF-8; looks like Windows-1252 (byte 0xF6 is ö there)") == 1
    assert Path("friday.rgn").read_bytes() == ODD.encode(encoding)


@pytest.mark.parametrize(
    "command", [["audit"], ["fmt"], ["replay"], ["convert", "--to", "json"]], ids=" ".join
)
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_gives_one_message_with_its_mark_and_without(meldref, log, command, encoding):
    ran = meldref(*command, log(ODD.encode(encoding)))
    assert ran.code == 2
    assert (ran.out + ran.err).count("[log.syntax]") == 1
    assert "the file is UTF-16" in ran.out + ran.err


def test_a_log_in_another_encoding_is_audited_as_what_it_is(meldref, log):
    worse = ODD.replace("discard 9h", "discard 2c").replace("draw 9s", "take 4c")
    ran = meldref("audit", "--format", "json", log(worse.encode("cp1252")))
    codes = [one["code"] for one in ran.data["logs"][0]["findings"]]
    assert codes[0] == "log.syntax"
    assert codes[1:] == [one.code for one in audit_file(log(worse, "same.rgn")).findings] != []


def test_a_log_in_utf_8_with_a_broken_letter_is_none_of_those(meldref, log):
    text = LOG.replace("Ann", "Jörg").encode() + b"# gr\xc3\xb6\xdfer\n# \xff\x81\n"
    ran = meldref("audit", "-q", log(text))
    assert [line.partition(" error")[0] for line in ran.lines] == [
        "friday.rgn:12:6:",
        "friday.rgn:13:3:",
    ]
    assert "Windows" not in ran.out


def test_json_lines_in_another_encoding_give_one_message(meldref, log):
    line = '{"event": "note", "text": "größer"}\n'
    ran = meldref("convert", "-q", log((line * 20).encode("latin-1"), "a.jsonl"))
    assert ran.code == 2
    assert ran.err.count("log.syntax") == 1


def test_a_list_makes_nothing_fetch_a_url_unless_its_user_trusts_it(meldref, here, monkeypatch):
    """A list may come from others, as the log does; what the user names is fetched."""
    fetched: list[str] = []

    def fetch(place: str, *_: object, **__: object) -> object:
        fetched.append(place)
        raise OSError("nobody answers")

    monkeypatch.setitem(sys.modules, "fsspec", SimpleNamespace(open=fetch))
    url = "http://127.0.0.1:9/a.rgn"
    (here / "list").write_text(f"{url}\n")
    for given in ((), ("--into", "out")):
        ran = meldref("audit", "--from", "list", *given)
        assert (ran.code, fetched) == (2, [])
        assert "--trust-paths" in ran.err
        assert not (here / "out").exists()
    for asked in (("--from", "list", "--trust-paths"), (url,)):
        assert meldref("audit", *asked).code == 2
        assert fetched == [url]
        fetched.clear()


@pytest.mark.parametrize(
    "command",
    [["audit"], ["fmt", "--check"], ["convert", "--to", "json"], ["replay"]],
    ids=" ".join,
)
def test_headers_are_no_hope_for_a_file_of_which_nothing_else_can_be_read(meldref, here, command):
    (here / "a.rgn").write_text('[Rules "500-rummy"]\n[Players "Ann, Bob"]\n' + "x\n" * 3_000)
    ran = meldref(*command, "a.rgn")
    assert ran.code in {1, 2}
    assert "a.rgn:1100:" not in ran.out + ran.err
    (here / "b.rgn").write_text(LOG + "x\n" * 1_200)
    assert "b.rgn:1100:" in meldref("replay", "b.rgn").out


@pytest.mark.parametrize(
    "command", [["audit"], ["audit", "--into", "out"], ["report"]], ids=" ".join
)
def test_a_member_of_an_archive_without_a_name_is_no_log(meldref, here, command):
    with ZipFile("a.zip", "w") as archive:
        archive.writestr(ZipInfo(""), LOG)
        archive.writestr("a.rgn", LOG)
    ran = meldref(*command, "a.zip")
    assert ran.code == 0, ran.err
    assert "1 file left out" in ran.err


@pytest.mark.parametrize("way", ["--force", "--resume"])
@pytest.mark.parametrize("trap", ["unfinished", "unfinished/journal", "unfinished/settings.json"])
def test_a_folder_of_tables_that_others_made_leads_to_no_other_folder(meldref, here, trap, way):
    kept = here / "kept"
    kept.mkdir()
    (kept / "mine").write_text("x")
    (here / "out" / trap).parent.mkdir(parents=True)
    (here / "out" / trap).symlink_to(kept if trap == "unfinished" else kept / "mine")
    (here / "a.rgn").write_text(LOG)
    ran = meldref("audit", "a.rgn", "--into", "out", way)
    assert (ran.code, "there is a link in it" in ran.err) == (2, True)
    assert [(path.name, path.read_text()) for path in kept.iterdir()] == [("mine", "x")]


@pytest.mark.sweep
@pytest.mark.parametrize(
    "text", ["[" * 50_000, "{}", "[]", "null", None], ids=["deep", "empty", "list", "null", "bare"]
)
def test_a_run_that_others_wrote_down_is_no_crash(meldref, here, text):
    (here / "a.rgn").write_text(LOG)
    assert meldref("audit", "a.rgn", "--into", "out").code == 0
    run = here / "out" / "run.json"
    run.write_text(text or json.dumps({"settings": json.loads(run.read_text())["settings"]}))
    ran = meldref("audit", "a.rgn", "--into", "out", "--resume")
    assert (ran.code, "not from a run" in ran.err) == (2, True)
