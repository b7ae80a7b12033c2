"""Completion: what each shell is offered, and that the answer comes without what takes long to load."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
import typer.main

from meldref.rules.pages import PAGES
from meldref_cli.completing import joined, settings
from meldref_cli.groups import COMMANDS, RULES_COMMANDS
from meldref_cli.main import app, run

GAMES = {
    "500-rum",
    "500-rummy",
    "5000-rummy",
    "basic-rummy",
    "contract-rummy",
    "gilfoy-500-rummy",
    "kalooki-40",
    "may-i",
    "michigan-rum",
    "online-rummy-500",
    "partnership-500-rum",
    "persian-rummy",
    "shanghai-rummy",
    "three-thirteen",
}
HEAVY = {
    "rich",
    "yaml",
    "lark",
    "jsonschema",
    "constraint",
    "meldref.replay.log",
    "asyncio",
    "multiprocessing",
}
LOADED = {
    f"meldref_cli.{entry.module}" for entry in (*COMMANDS.values(), *RULES_COMMANDS.values())
} - {"meldref_cli.main"}
SCRIPT = """
import sys
from meldref_cli.main import run
try:
    run()
finally:
    print(*sys.modules, file=sys.stderr)
"""


def asking(shell, words):
    """What a shell's script puts into the environment where the last of the words is being written."""
    return {
        "_MELDREF_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": "\n".join(("meldref", *words)),
        "COMP_CWORD": str(len(words)),
        "_TYPER_COMPLETE_ARGS": " ".join(("meldref", *words)),
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }


@pytest.fixture
def ask(monkeypatch, capsys):
    """Asks as a shell does; returns what it is told."""

    def told(shell, *words):
        for name, value in asking(shell, words).items():
            monkeypatch.setenv(name, value)
        with pytest.raises(SystemExit):
            run()
        return capsys.readouterr().out.rstrip("\n")

    return told


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("",), set(COMMANDS)),
        (("rules", ""), set(RULES_COMMANDS)),
        (("audit", "--rul"), {"--rules"}),
        (("audit", "--rules", ""), GAMES),
        (("audit", "--rules", "=", "500-r"), {"500-rum", "500-rummy"}),
        (("audit", "--rules", "=", "500-rumm"), {"500-rummy"}),
        (("legal", "--with", "flo"), {"floating"}),
        (("audit", "--format", "j"), {"json", "jsonl", "junit"}),
        (("audit", "--set", "draw.deep."), {"draw.deep.must", "draw.deep.when"}),
        (
            ("audit", "--set", "draw.deep.must"),
            {"draw.deep.must=nothing", "draw.deep.must=be_used"},
        ),
        (("audit", "--set", "draw.deep.must", "=", "be"), {"be_used"}),
        (("audit", "--set", "draw.deep.must", "="), {"nothing", "be_used"}),
        (("explain", "draw.deep."), {code for code in PAGES if code.startswith("draw.deep.")}),
        (("rules", "show", "floa"), {"floating"}),
        (("rules", "compare", "500-rummy+floa"), {"500-rummy+floating"}),
        (("audit", "some.r"), set()),
        (("audit", "--rules", "./"), set()),
    ],
    ids=lambda words: " ".join(sorted(words) if isinstance(words, set) else words),
)
def test_what_may_stand_there_is_offered(ask, words, wanted):
    assert set(ask("bash", *words).split("\n")) - {""} == wanted


def test_a_shell_that_says_no_words_is_offered_the_commands(monkeypatch, capsys):
    monkeypatch.setenv("_MELDREF_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_CWORD", "none")
    monkeypatch.delenv("COMP_WORDS", raising=False)
    with pytest.raises(SystemExit):
        run()
    assert {*capsys.readouterr().out.split()} == {*COMMANDS}


def test_the_house_rules_of_a_ruleset_are_offered_behind_it(ask, tmp_path):
    rules = tmp_path / "lake.yaml"
    rule = "{forbid: discard, when: card.rank is A, says: No aces.}"
    rules.write_text(
        f"id: lake\nextends: [500-rummy]\nhouse_rules:\n  no-aces: {rule}\n  b: {rule}\n"
    )
    assert ask("bash", "explain", "--rules", str(rules), "house.").split() == [
        "house.no-aces",
        "house.b",
    ]
    assert ask("bash", "explain", "--rules", str(rules), "house.n") == "house.no-aces"
    assert ask("bash", "explain", "--rules", str(tmp_path / "none.yaml"), "house.") == ""
    assert (
        ask("bash", "rules", "explain", "--rules", str(rules), "house_rules.n")
        == "house_rules.no-aces"
    )


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize("words", [("audit", "--set", "draw."), ("rules", "")], ids=" ".join)
@pytest.mark.sweep(every=6)
def test_an_answer_takes_nothing_heavy(shell, words):
    environment = {**os.environ, **asking(shell, words)}
    command = [sys.executable, "-c", SCRIPT]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert ran.stdout
    modules = set(ran.stderr.split())
    assert not modules & HEAVY
    assert {name for name in modules if name in LOADED} == (
        {"meldref_cli.audit"} if words[0] == "audit" else set()
    )


def test_zsh_and_fish_are_told_what_it_means(ask):
    assert ask("fish", "audit", "--set", "draw.deep.must=b").startswith(
        "draw.deep.must=be_used\tIt has to"
    )
    assert '"explain":"Explains' in ask("zsh", "exp")


def test_where_nothing_is_known_files_are_offered(ask):
    assert ask("zsh", "audit", "") == "_files"
    assert ask("bash", "audit", "") == ""


def test_a_key_is_offered_with_the_words_it_takes():
    assert settings("draw.deep.must=") == settings("draw.deep.must")
    assert settings("game.target=") == [("game.target=500", "the default")]
    assert settings("scoring.held") == ["scoring.held="]
    assert settings("no.such.key") == []


EVERY = [(name,) for name in COMMANDS if name != "rules"] + [
    ("rules", name) for name in RULES_COMMANDS
]


@pytest.mark.parametrize("names", EVERY, ids=" ".join)
def test_whatever_takes_a_ruleset_an_option_or_a_setting_offers_them(names):
    command = typer.main.get_command(app)
    for name in names:
        command = command.get_command(None, name)
    context = command.make_context("meldref", [], resilient_parsing=True)
    for param in command.params:
        if param.metavar in {"ID", "ID|FILE", "OPTION", "KEY=VALUE", "[CODE]"}:
            assert param.shell_complete(context, ""), param.name


def test_words_that_bash_parted_are_joined():
    assert joined(["m", "--set", "a.b", "="], "c") == ["m", "--set", "a.b=c"]
    assert joined(["m", "--set", "a.b"], "=") == ["m", "--set", "a.b="]
    assert joined(["m"], "") == ["m", ""]


@pytest.fixture
def installed(tmp_path):
    """A program `meldref` to be found by its name, and a home of its own."""
    program = tmp_path / "bin" / "meldref"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m meldref_cli.main "$@"\n')
    program.chmod(0o755)
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    asked = {
        "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"
    }  # the shell is named: there is none around a test
    return {**os.environ, **asked, "PATH": path, "HOME": str(tmp_path)}


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_with_the_script_that_is_shown(installed):
    script = 'eval "$(meldref --show-completion bash)"; COMP_WORDS=(meldref audit --with flo); COMP_CWORD=3; '
    script += '_meldref_completion meldref; printf "%s\\n" "${COMPREPLY[@]}"'
    command = ["bash", "-c", script]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, env=installed)
    assert ran.stdout == "floating\n"


@pytest.mark.parametrize(
    ("shell", "files"),
    [
        ("bash", [".bashrc", ".bash_completions/meldref.sh"]),
        ("zsh", [".zshrc", ".zfunc/_meldref"]),
        ("fish", [".config/fish/completions/meldref.fish"]),
    ],
)
@pytest.mark.sweep(every=3)
def test_completion_is_installed(installed, tmp_path, shell, files):
    command = [sys.executable, "-m", "meldref_cli.main", "--install-completion", shell]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, env=installed)
    assert "completion installed in" in ran.stdout
    assert all((tmp_path / file).is_file() for file in files)
    assert "_MELDREF_COMPLETE" in (tmp_path / files[-1]).read_text()
