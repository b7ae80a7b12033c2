"""The program as a whole: help, versions, ways to end, and what it imports."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys

import pytest
import typer.main

from cli_logs import LOG
from meldref import Span, __version__
from meldref.core.version import is_compiled
from meldref_cli import main as program
from meldref_cli import output
from meldref_cli.groups import COMMANDS, RULES_COMMANDS
from meldref_cli.main import app
from paths import ROOT

EVERY = [(name,) for name in COMMANDS] + [("rules", name) for name in RULES_COMMANDS]
HEAVY = (
    "lark",
    "yaml",
    "jsonschema",
    "constraint",
    "rich",
    "meldref.replay.log",
    "meldref.engine.judge",
    "multiprocessing",
)


def program_run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    """The installed program, in a process of its own."""
    environment = {**os.environ, "COLUMNS": "80"}
    return subprocess.run(
        [sys.executable, "-m", "meldref_cli.main", *arguments],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
        timeout=120,
        **options,
    )


def test_the_version_is_told(meldref):
    ran = meldref("--version")
    assert (ran.code, ran.out) == (0, f"meldref {__version__}\n")


def test_the_version_tells_which_build_runs(meldref):
    ran = meldref("--version", "--verbose")
    lines = ran.out.splitlines()
    assert (ran.code, lines[0]) == (0, f"meldref {__version__}")
    assert lines[1] == f"build   {'compiled' if is_compiled() else 'pure Python'}"
    assert is_compiled() == (type(Span.line).__name__ == "getset_descriptor")


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_the_help_lists_every_command(meldref, flag):
    ran = meldref(flag)
    assert ran.code == 0
    for name, entry in COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(entry.help[:30])}", ran.out, re.MULTILINE)


@pytest.mark.parametrize("flag", ["-h", "--help"])
@pytest.mark.parametrize("command", EVERY, ids=" ".join)
def test_every_command_has_plain_help(meldref, command, flag):
    ran = meldref(*command, flag)
    assert ran.code == 0
    assert ran.out.startswith(f"Usage: meldref {' '.join(command)}")
    assert not re.search("[\u2500-\u257f\x1b{}]", ran.out)


@pytest.mark.parametrize("command", EVERY, ids=" ".join)
def test_a_command_says_the_same_in_its_own_help_and_in_the_list(meldref, command):
    """The list's line is a sentence that the help's beginning bears out, not a second description."""
    table = COMMANDS if len(command) == 1 else RULES_COMMANDS
    first_word = table[command[-1]].help.split()[0].rstrip("s,")
    assert first_word.lower()[:4] in meldref(*command, "--help").out.lower()


@pytest.mark.parametrize("command", EVERY, ids=" ".join)
def test_every_argument_and_option_of_a_command_says_what_it_is_for(command):
    loaded = typer.main.get_command(app)
    for word in command:
        loaded = loaded.get_command(None, word)
    assert all(getattr(parameter, "help", None) for parameter in loaded.params)


@pytest.mark.parametrize("arguments", [(), ("rules",)])
def test_without_a_command_the_help_is_an_error(meldref, arguments):
    ran = meldref(*arguments)
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith("Usage: meldref")


@pytest.mark.parametrize(
    ("arguments", "said", "try_"),
    [
        (("audti",), "no such command 'audti'; did you mean audit?", "meldref -h"),
        (
            ("rules", "comapre"),
            "no such command 'comapre'; did you mean rules compare?",
            "meldref rules -h",
        ),
        (
            ("audit", "--formt", "json"),
            "no such option: --formt; did you mean --format?",
            "meldref audit -h",
        ),
        (("audit", "--qiet"), "no such option: --qiet; did you mean --quiet?", "meldref audit -h"),
        (
            ("best", "x", "--for", "pints"),
            "invalid value for '--for': 'pints' is not one of score, points; did",
            "meldref best -h",
        ),
        (
            ("best", "x", "--for", "luck"),
            "invalid value for '--for': 'luck' is not one of score, points.\n",
            "meldref best -h",
        ),
        (("score", "--out"), "option '--out' requires an argument.\n", "meldref score -h"),
        (("--colour",), "no such option: --colour\n", "meldref -h"),
        (("rules", "list", "--with", "x"), "no such option: --with\n", "meldref rules list -h"),
    ],
)
def test_what_is_not_there_is_told_with_what_may_be_meant(meldref, arguments, said, try_):
    ran = meldref(*arguments)
    assert ran.code == 2
    assert ran.err.startswith(f"meldref: error: {said}")
    assert ran.err.endswith(f"Try '{try_}' for help.\n")


def test_a_fault_of_ours_is_one_line_and_how_to_report_it(meldref, log, monkeypatch):
    def fail(*_: object) -> None:
        raise LookupError("lost\nentirely")

    monkeypatch.setattr(program, "_invoke", fail)
    ran = meldref("audit", log())
    assert ran.code == 3
    assert re.match(r"meldref: internal error: LookupError: lost \(test_main\.py:\d+\)\n", ran.err)
    assert "report it" in ran.err
    assert "Traceback" not in ran.err
    assert "Traceback" in meldref("audit", log(), "-v").err
    assert "Traceback" in meldref("audit", log(), "-qv").err


@pytest.mark.sweep(every=5)
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")  # noqa: PTH110
@pytest.mark.parametrize("buffered", ["", "1"])
@pytest.mark.parametrize(
    "command",
    [
        ("melds", "5h 6h 7h"),
        ("replay", "friday.rgn"),
        ("view", "friday.rgn", "--for", "public"),
        ("rules", "schema"),
        ("-h",),
    ],
)
def test_a_full_disk_behind_standard_output_is_told_and_no_fault_of_ours(
    log, tmp_path, command, buffered
):
    log()
    environment = {**os.environ, "PYTHONUNBUFFERED": buffered}
    with open("/dev/full", "w") as full:  # noqa: PTH123
        ran = subprocess.run(
            [sys.executable, "-m", "meldref_cli.main", *command],
            cwd=tmp_path,
            env=environment,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert ran.returncode == 2
    assert (
        ran.stderr == "meldref: error: standard output cannot be written: no space left on device\n"
    )


def test_an_error_of_the_system_that_is_not_about_the_output_stays_a_fault_of_ours(
    meldref, monkeypatch
):
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device", "somewhere/else")

    monkeypatch.setattr(program, "_invoke", fail)
    assert meldref("audit", "x.rgn").code == 3


@pytest.mark.sweep
@pytest.mark.skipif(sys.platform == "win32", reason="shells of another kind")
def test_closed_streams_are_no_fault(log, tmp_path):
    log()
    command = f"{sys.executable} -m meldref_cli.main audit - <&- >&- 2>&-"
    assert subprocess.run(["/bin/sh", "-c", command], cwd=tmp_path, check=False).returncode == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("audit", "x.rgn", "-j", "x"), "'x' is not a whole number."),
        (("audit", "x.rgn", "-j", "-1"), "it is at least 0, not -1."),
        (("simulate", "--seed", "x"), "'x' is not a whole number."),
        (("rules", "test", "x.yaml", "--threshold", "x"), "'x' is not a number."),
        (("rules", "test", "x.yaml", "--threshold", "200"), "it is from 0 to 100, not 200.0."),
    ],
)
def test_a_number_that_is_none_or_too_small_is_told_in_words(meldref, arguments, said):
    ran = meldref(*arguments)
    assert ran.code == 2
    assert ran.err.splitlines()[0].endswith(f": {said}")


def test_signs_that_an_encoding_lacks_are_written_in_others():
    ran = subprocess.run(
        [
            sys.executable,
            "-m",
            "meldref_cli.main",
            "legal",
            "draw; draw",
            "--hand",
            "4d 4h 2s",
            "--pile",
            "4c",
        ],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert ran.stdout.isascii()
    assert b" | discard " in ran.stdout
    assert b"\\x" not in ran.stdout


def test_an_interrupt_ends_with_its_own_status(meldref, monkeypatch):
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(program, "_invoke", interrupt)
    ran = meldref("audit", "x.rgn")
    assert (ran.code, ran.err) == (130, "meldref: interrupted\n")


def test_the_program_runs_as_a_process_of_its_own(log, tmp_path):
    ran = program_run("audit", log(), cwd=tmp_path)
    assert (ran.returncode, ran.stdout, ran.stderr) == (
        0,
        "friday.rgn: clean (1 hand, 3 turns)\n",
        "",
    )


@pytest.mark.sweep
@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="pipes of another kind")
def test_a_reader_who_leaves_is_no_fault(log, tmp_path):
    log("oops\n" * 400 + '[Rules "500-rummy"]\n[Players "A, B"]\n' + "oops\n" * 20_000)
    with subprocess.Popen(
        [sys.executable, "-m", "meldref_cli.main", "audit", "friday.rgn"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.sweep
def test_characters_that_the_terminal_has_not_end_nothing(log, tmp_path):
    log('[Rules "500-rummy"]\n[Players "Zoë, 東京"]\nhand 1\nZoë: drwa\n')
    ran = subprocess.run(
        [sys.executable, "-m", "meldref_cli.main", "audit", "friday.rgn"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    )
    assert ran.returncode == 1
    assert b"Zo\\xeb: drwa" in ran.stdout
    assert ran.stderr == b""


def test_completion_can_be_installed(meldref):
    ran = program_run("--help")
    assert "--install-completion" in ran.stdout
    completed = subprocess.run(
        [sys.executable, "-m", "meldref_cli.main"],
        capture_output=True,
        text=True,
        check=False,
        env={
            **os.environ,
            "_MELDREF_COMPLETE": "complete_bash",
            "COMP_WORDS": "meldref rules ",
            "COMP_CWORD": "2",
        },
    )
    assert completed.stdout.split() == list(RULES_COMMANDS)


@pytest.mark.parametrize(
    "arguments", [("--help",), ("--version",), ("audit", "--help"), ("rules", "--help")]
)
@pytest.mark.sweep(every=4)
def test_help_imports_nothing_heavy(arguments):
    assert imported(*arguments).isdisjoint(HEAVY)


def test_listing_melds_imports_no_parser_of_logs():
    assert imported("melds", "5h 6h 7h").isdisjoint(
        {"lark", "jsonschema", "rich", "meldref.replay.log"}
    )


@pytest.mark.sweep
def test_nothing_imports_rich_for_short_work(log, tmp_path):
    log()
    assert "rich" not in imported("audit", str(tmp_path / "friday.rgn"))


def imported(*arguments: str) -> set[str]:
    """The modules a command line imports."""
    script = (
        "import sys\nfrom meldref_cli.main import main\n"
        "main(sys.argv[1:])\nsys.stderr.write('\\n'.join(sys.modules))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return set(ran.stderr.split())


def test_every_command_in_the_table_is_there():
    group = typer.main.get_command(app)
    assert group.list_commands(None) == list(COMMANDS)
    for name in COMMANDS:
        assert group.get_command(None, name).name == name


def test_output_is_safe_and_plain_in_a_file(tmp_path, log):
    log()
    target = tmp_path / "out.txt"
    with target.open("w") as stream:
        subprocess.run(
            [sys.executable, "-m", "meldref_cli.main", "audit", "friday.rgn"],
            cwd=tmp_path,
            stdout=stream,
            check=True,
        )
    assert target.read_text() == "friday.rgn: clean (1 hand, 3 turns)\n"


def test_examples_that_ship_are_what_they_say(meldref):
    examples = ROOT / "examples"
    assert meldref("audit", examples / "evening.rgn").code == 0
    assert meldref("audit", examples / "disputed.rgn").code == 1


@pytest.mark.parametrize(("columns", "longest"), [("60", 60), ("200", 100), ("10", 50)])
def test_prose_fits_a_narrow_terminal(meldref, monkeypatch, columns, longest):
    monkeypatch.setattr(output, "is_terminal", lambda stream: True)
    monkeypatch.setattr(output, "has_colours", lambda stream: False)
    assert max(map(len, meldref("rules", "list").lines)) > 87
    monkeypatch.setenv("COLUMNS", columns)
    for command in (
        ["rules", "list"],
        ["explain", "draw.deep.unused"],
        ["rules", "explain", "draw.deep.must"],
    ):
        prose = [
            line for line in meldref(*command).lines if " " in line.strip() and ": " not in line
        ]
        assert max(map(len, prose)) <= longest


STEERING = 'cases:\n- name: "red \\e[31m, clear \\e[2J, bell \\a"\n  moves: []\n  expect: {verdict: illegal}\n'


def test_no_name_steers_the_terminal(meldref, log):
    log(LOG, "a\x1b[2Jb.rgn")
    for command in (
        ["audit", "a\x1b[2Jb.rgn"],
        ["audit", "nope\x1b[31m"],
        ["rules", "test", log(STEERING, "c.yaml")],
    ):
        ran = meldref(*command)
        assert "\\x1b[" in ran.out + ran.err
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", ran.out + ran.err)


def test_on_a_terminal_a_name_has_no_colours_either(meldref, log, monkeypatch):
    monkeypatch.setattr(output, "has_colours", lambda stream: True)
    out = meldref("rules", "test", log(STEERING, "c.yaml")).out
    assert "\x1b[1;31mfailed\x1b[0m: red \\x1b[31m, clear \\x1b[2J, bell \\x07" in out
