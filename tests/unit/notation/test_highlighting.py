"""The lexer for Pygments: every line of the notation has the tokens that its words are."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename, guess_lexer
from pygments.token import (
    Comment,
    Error,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Token,
    Whitespace,
)

from meldref.notation import read_line, read_lines, write_line
from meldref.notation.pygments_lexer import RgnLexer
from paths import ROOT
from project_logs import LOGS
from random_lines import lines
from written import TESTS, read_yaml_file

LEXER = RgnLexer()
EXAMPLES = read_yaml_file(TESTS / "notation.yaml")
CARD, PLAYER = Name.Constant, Name.Entity


def tokens_of(text):
    """The tokens of a text as it stands, which have to give it back."""
    found = [(kind, value) for _, kind, value in LEXER.get_tokens_unprocessed(text)]
    assert "".join(value for _, value in found) == text
    return found


def wrong(text):
    return [value for kind, value in tokens_of(text) if kind is Error]


@pytest.mark.sweep(every=4)
@pytest.mark.parametrize("name", LOGS)
def test_what_can_be_read_has_no_error_and_tokens_give_the_text_back(name):
    tokens_of(LOGS[name])
    readable = [line.text for line, findings in read_lines(LOGS[name]) if not findings]
    assert not wrong("\n".join(readable))


@given(
    st.lists(lines.map(write_line).filter(lambda text: len(text) < 8_000), min_size=1, max_size=4)
)
@settings(max_examples=60)
@pytest.mark.sweep
def test_no_line_that_can_be_written_has_an_error(texts):
    assert not wrong("\n".join(texts))


@given(st.text(max_size=40))
def test_tokens_give_any_text_back(text):
    tokens_of(text)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ('[Rules "500-rummy"]', [Punctuation, Name.Attribute, String.Double, Punctuation]),
        ("hand 1 dealer Cy", [Keyword, Number.Integer, Keyword, PLAYER]),
        ("deal Ks Ks 5♥ ?*5", [Keyword, PLAYER, CARD, CARD, CARD]),
        ("up ?", [Keyword, CARD]),
        ("stock 4s 9h ?", [Keyword, CARD, CARD, CARD]),
        ("cut Ann 5h, Jk Jk", [Keyword, PLAYER, CARD, Punctuation, PLAYER, CARD]),
        ("wild 10", [Keyword, CARD]),
        ("show Bob 5h", [Keyword, PLAYER, CARD]),
        ("reshuffle", [Keyword]),
        ("gap # x", [Keyword, Comment.Single]),
        ("end out stock", [Keyword, Keyword, PLAYER]),
        ("end agreed", [Keyword, Keyword]),
        (
            "total N + S 120, E+W −95",
            [
                *[Keyword, PLAYER, Punctuation, PLAYER, Number.Integer, Punctuation],
                *[PLAYER, Punctuation, PLAYER, Number.Integer],
            ],
        ),
        ("result Ann, N+S", [Keyword, PLAYER, Punctuation, PLAYER, Punctuation, PLAYER]),
        ("void wrong deck", [Keyword, String, String]),
        ('adjust Ann -10 "late"', [Keyword, PLAYER, Number.Integer, String.Double]),
        ('note "x" {t=1}', [Keyword, String.Double, Comment.Special]),
        ("= hand Ann 5", [Operator, Keyword, PLAYER, Number.Integer]),
        ("= hand Ann 5h ?", [Operator, Keyword, PLAYER, CARD, CARD]),
        ("=pile 6s 4c", [Operator, Keyword, CARD, CARD]),
        ("= table m1 5h Jk=6h", [Operator, Keyword, Name.Label, CARD, CARD, Operator, CARD]),
        ("= stock 12", [Operator, Keyword, Number.Integer]),
        ("= score Ann -4", [Operator, Keyword, PLAYER, Number.Integer]),
        (
            '12. "2 Fast": TAKE 4c x6; meld Jk = 9 9d M4 ?! draw.deep, call {a} # b',
            [
                *[Number.Integer, PLAYER, Punctuation, Keyword, CARD, Number.Integer, Punctuation],
                *[Keyword, CARD, Operator, CARD, CARD, Name.Label],
                *[
                    Operator,
                    Name.Exception,
                    Punctuation,
                    Name.Exception,
                    Comment.Special,
                    Comment.Single,
                ],
            ],
        ),
        ("7 draw: draw ?; lay 3h=Kd m1; pass", None),
        ("# only a comment", [Comment.Single]),
        ("?! log", [Operator, Name.Exception]),
    ],
)
def test_words_are_what_they_are(text, tokens):
    found = tokens_of(text)
    assert all(kind in Token for kind, _ in found)
    if tokens is not None:
        assert [kind for kind, value in found if kind is not Whitespace and value] == tokens
    assert not wrong(text)


@pytest.mark.parametrize(
    "text", [*(f"Ann: {one}" for one in EXAMPLES["actions"].values()), *EXAMPLES["lines"].values()]
)
def test_every_form_of_the_notation_is_known(text):
    assert read_line(text)[1] == ()
    assert not wrong(text)


@pytest.mark.parametrize(
    "text",
    [
        "hand: pass",
        "A: plays 4s",
        "deal Ann 5x",
        "oops",
        "A: meld 5h 6h 7h oops",
        "A: rummy 4s ?*2",
    ],
)
def test_what_cannot_be_read_has_an_error(text):
    assert read_line(text)[1]
    assert wrong(text + "\nA: pass")


def test_pygments_finds_the_lexer_by_name_file_and_text():
    assert isinstance(get_lexer_by_name("rgn"), RgnLexer)
    assert isinstance(get_lexer_for_filename("friday.rgn"), RgnLexer)
    assert isinstance(
        guess_lexer((ROOT / "examples" / "evening.rgn").read_text(encoding="utf-8")), RgnLexer
    )
