"""What a one-shot command imports: a question from the command line should answer at once."""

import os
import re
import subprocess
import sys

import pytest

from paths import ROOT

SCRIPT = """
import sys
from meldref_cli.main import main
code = main(sys.argv[1:])
sys.stdout.flush()
print(*sys.modules, file=sys.stderr)
sys.exit(code)
"""
HEAVY = {"lark", "jsonschema", "rich", "asyncio"}
WORSE = {
    "yaml",
    "constraint",
    "multiprocessing",
    "importlib.metadata",
    "hashlib",
    "meldref.rulefiles.compose",
}
CARDS = ["--hand", "4d 9h 2h", "--pile", "6s 4c Qs 4s 7h"]
COMMANDS = {
    "legal": ["legal", "take 4c; discard 2h", *CARDS],
    "a legal move": ["legal", "take 4c; meld 4c 4d 4s; discard 2h", *CARDS, "--format", "json"],
    "moves": ["legal", *CARDS],
    "with an option": [
        "legal",
        "draw; discard 2h",
        *CARDS,
        "--with",
        "floating",
        "--players",
        "Ann, Bob, Cy",
    ],
    "another game": [
        "legal",
        "draw; discard 2h",
        *CARDS,
        "--rules",
        "persian-rummy",
        "--players",
        "A, B, C, D",
    ],
    "melds": ["melds", "7c 8c 9c Jk 9d 9h"],
    "explain": ["explain", "draw.deep.unused"],
    "codes": ["explain"],
    "help": ["--help"],
    "version": ["--version"],
}


def imported(arguments, cache):
    """The modules that a command has imported when it is done."""
    environment = {**os.environ, "MELDREF_CACHE": str(cache)}
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert run.returncode in {0, 1}, run.stderr
    return set(run.stderr.split())


def imported_by(program):
    """The modules that a program has imported when it is done."""
    program += "; import sys; print(*sys.modules)"
    return set(
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        ).stdout.split()
    )


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.sweep
def test_a_question_loads_no_grammar_solver_validator_or_yaml(arguments, tmp_path):
    imported(arguments, tmp_path / "cache")
    again = imported(arguments, tmp_path / "cache")
    assert not again & (HEAVY | WORSE)


@pytest.mark.parametrize("name", ["legal", "melds", "explain", "help"])
@pytest.mark.sweep(every=4)
def test_without_a_cache_there_is_still_no_grammar_and_no_validator(name):
    assert not imported(COMMANDS[name], "off") & HEAVY


@pytest.mark.sweep
def test_the_page_on_speed_names_what_a_question_loads(tmp_path):
    page = (
        (ROOT / "docs" / "performance.md")
        .read_text(encoding="utf-8")
        .partition("## What one question loads")[2]
    )
    rows = re.findall(r"^\| (`.*`) \|", page.partition("\n## ")[0], re.MULTILINE)
    named = {name for row in rows for name in re.findall("`([^`]+)`", row)}
    imported(COMMANDS["a legal move"], tmp_path)
    modules = imported(COMMANDS["a legal move"], tmp_path)
    typers = imported_by("import typer, typer.main")
    loaded = {
        ".".join(name.split(".")[: 2 if name.startswith("meldref.") else 1])
        for name in modules - typers
        if name.startswith(("meldref.", "meldref_cli"))
        or name.split(".")[0] not in sys.stdlib_module_names
    }
    assert named == loaded - {"meldref"} | {"typer", "json"}


@pytest.mark.sweep
def test_judging_a_move_loads_nothing_that_lists_moves_or_deals_unseen_cards(tmp_path):
    modules = imported(COMMANDS["a legal move"], tmp_path)
    listing = {
        "meldref_table.best",
        "meldref_table.best.whole_turns",
        "meldref.moves.calls",
        "meldref.moves.obligations",
    }
    dealing = {"meldref_evidence.chances", "meldref_table.unseen_deals", "meldref_table.simulate"}
    helping = {"meldref.moves.suggestions", "meldref.moves.candidates"}
    assert not modules & (listing | dealing | helping)


@pytest.mark.parametrize("name", ["explain", "codes", "help", "version"])
@pytest.mark.sweep(every=4)
def test_what_needs_no_rules_loads_none(name):
    modules = imported(COMMANDS[name], "off")
    assert not modules & {
        "yaml",
        "constraint",
        "meldref.engine.judge",
        "meldref.ruleset.model",
        "meldref.notation.reader",
    }


@pytest.mark.sweep
def test_house_rules_are_read_without_the_parser_generator(tmp_path):
    rules = tmp_path / "house.yaml"
    rules.write_text(
        "id: house\nextends: [500-rummy]\nhouse_rules:\n"
        "  no-aces: {forbid: discard, when: card.rank is A and player.turns < 3, says: No early aces.}\n",
        encoding="utf-8",
    )
    assert "lark" not in imported([*COMMANDS["legal"], "--rules", str(rules)], "off")


@pytest.mark.sweep
def test_an_ordinary_log_is_audited_without_the_grammar(tmp_path):
    log = tmp_path / "log.rgn"
    log.write_text(
        '[Rules "500-rummy"]\n[Players "Ann, Bob"]\n\nhand 1 dealer Bob\nup 6c\n1. Ann: draw; discard Ks\n'
        "2. Bob: take Ks x1; meld Ks Kd Kc; discard 4d\ngap\n",
        encoding="utf-8",
    )
    imported(["audit", str(log)], tmp_path / "cache")
    assert not imported(["audit", str(log)], tmp_path / "cache") & {
        "lark",
        "yaml",
        "constraint",
        "multiprocessing",
    }
