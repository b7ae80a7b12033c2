"""The grammar and the tables that speak of it agree."""

import re

import pytest

from meldref.core.resources import data_path
from meldref.notation import actions, canonical, spelling, syntax
from meldref.notation.canonical import Names, Sides
from meldref.notation.grammar import Misread, parse_action, parse_line, parser
from meldref.notation.lines import LINE_WORDS
from meldref.notation.memory import Memory
from meldref.notation.parts import Naming
from meldref.notation.reader import read_line
from meldref.notation.scanner import ReadLine
from written import TESTS, read_yaml_file

EXAMPLES = read_yaml_file(TESTS / "notation.yaml")


def terminals():
    return {terminal.name: terminal.pattern for terminal in parser().terminals}


def test_the_data_of_a_checkout_is_found_and_what_is_not_there_is_named():
    assert data_path("grammar", "rgn.lark").is_file()
    assert data_path("rulesets").is_dir()
    with pytest.raises(FileNotFoundError, match="grammar/none"):
        data_path("grammar", "none")


def test_the_data_of_an_installed_package_is_found(tmp_path, monkeypatch):
    package = tmp_path / "site-packages" / "meldref"
    grammar = package / "_data" / "grammar" / "rgn.lark"
    grammar.parent.mkdir(parents=True)
    grammar.touch()
    monkeypatch.setattr("meldref.core.resources._PACKAGE", package)
    assert data_path("grammar", "rgn.lark") == grammar
    with pytest.raises(FileNotFoundError, match="rulesets"):
        data_path("rulesets")


def test_the_writers_pattern_of_a_name_is_the_grammars():
    spelled_out = re.sub(
        r"\\u([0-9A-F]{4})", lambda match: chr(int(match[1], 16)), spelling.NAME_PATTERN
    )
    assert terminals()["NAME"].value == spelled_out


def test_each_terminal_of_the_grammar_has_a_name_in_messages_or_opens_something():
    words = {"DRAW", "TAKE", "MELD", "LAY", "SWAP", "DISCARD", "RUMMY", "BUY", "CHALLENGE", "PASS"}
    words |= {name for name in terminals() if name.lstrip("_").lower() in LINE_WORDS}
    unnamed = set(terminals()) - set(syntax._TERMINALS) - words - {"EQUAL", "TURN_NUMBER", "BLANK"}
    assert unnamed == set()


def test_the_examples_of_every_action_and_line_can_be_read():
    assert set(EXAMPLES["actions"]) == set(actions.VERBS)
    for word, example in EXAMPLES["actions"].items():
        assert not isinstance(parse_action(example), Misread)
        assert example.startswith(word)
    assert set(EXAMPLES["lines"]) == LINE_WORDS | {"="}
    for word, example in EXAMPLES["lines"].items():
        assert isinstance(parse_line(example), ReadLine)
        assert example.startswith(word)


def test_the_words_that_open_a_line_cannot_be_names_there_and_others_can():
    others = {"draw", "dealer", "out", "agreed", "pile", "table", "ann"}
    for word in LINE_WORDS:
        assert isinstance(parse_line(f"{word}: pass"), Misread)
        assert isinstance(parse_line(f"{word.title()}: pass"), Misread)
    for word in others:
        assert isinstance(parse_line(f"{word}: pass"), ReadLine)


@pytest.mark.parametrize("text", ['[ "Rules" "x"', '3 "Ann"', "", "end", "= hand", "end stock Ann"])
def test_what_only_looks_like_a_row_of_the_table_of_lines_is_left_to_the_grammar(text):
    assert canonical.line(text, Naming(Names(), Sides())) is None


def test_the_table_of_cards_is_what_the_grammar_gives():
    for text, card in spelling.FACES.items():
        assert parse_action(f"discard {text}").card == card
    for text, played in spelling.PLAYS.items():
        assert parse_action(f"lay {text}").cards == (played,)


def test_what_opens_an_action_is_the_list_of_verbs():
    misread = parse_action("?")
    assert {terminal.lower() for terminal in misread.expected} == set(actions.VERBS)


def test_a_memory_that_is_full_is_emptied_and_reading_goes_on(monkeypatch):
    memory = Memory()
    for table in ("memory.HEADS", "memory.ACTIONS", "memory.LINES", "canonical.NAMES"):
        monkeypatch.setattr(f"meldref.notation.{table}", 3)
    for number in range(1, 20):
        for text in (
            f"{number}. P{number}: take 5h x{number}",
            f"deal P{number} 5h",
            f"score P{number} 5",
            "A: x",
        ):
            read_line(text, 1, memory)
    tables = (
        memory.heads,
        memory.actions,
        memory.lines,
        memory.names,
        memory.sides,
        memory.misread,
    )
    assert max(len(table) for table in tables) <= 3


def test_letters_that_only_fold_to_a_suit_or_rank_are_read_as_it():
    """Regular expressions that ignore case take the long s for an s, and the sign of Kelvin for a k."""
    assert parse_action("discard \u212a\u017f").card == spelling.card_of("Ks")
    assert re.match("[a-z]", "\u017f", re.IGNORECASE)
