"""Conditions in the usual spelling are read without the grammar's parser, and as the grammar reads them."""

from __future__ import annotations

import random

import pytest

from house_conditions import Writer
from meldref.conditions import parse
from meldref.conditions.tree import MOST_NODES, Node, read_plain

BY_HAND = (
    "card.rank is A and player.turns < 3 and any(player.hand, .rank is not A)",
    "not (player.has_melded or - 3 + +2 * meld.size in [-3, 2-9, A - K, a-b])",
    "min(1, max(2, (3))) is  not 4 and not not x",
    "meld.kind is group-of-three and x not  in [A,2]",
    "1 < x <= 3 == 4",
    "a or b and c or d",
    "2*3*x - 4 - 5",
)
PIECES = (
    *" .,()[]-+*<>=!",
    "is",
    "not",
    "in",
    "and",
    "or",
    " is not ",
    "A-",
    "9",
    "9a",
    ".x",
    "x.",
    "any(",
)


def read_by_grammar(text: str) -> Node | None:
    tree = parse._parsed(text)
    return tree if isinstance(tree, Node) else None


@pytest.mark.parametrize("text", BY_HAND)
def test_usual_conditions_need_no_grammar(text):
    node = read_plain(text)
    assert node == read_by_grammar(text)
    assert node is not None or "-3" in text


@pytest.mark.sweep
def test_what_is_read_plainly_is_read_as_the_grammar_reads_it():
    rng = random.Random(11)
    writers = [
        Writer(rng, [word], ["group", "sequence"])
        for word in ("discard", "take", "meld", "end", "hand")
    ]
    plain = 0
    for _ in range(400):
        text = rng.choice(writers).condition()
        node = read_plain(text)
        assert node == read_by_grammar(text), text
        plain += node is not None
        for _ in range(3):
            begin = rng.randrange(len(text) + 1)
            text = text[:begin] + rng.choice(PIECES) + text[begin + rng.randrange(3) :]
            node = read_plain(text)
            assert node is None or node == read_by_grammar(text), text
    assert plain > 390


@pytest.mark.parametrize(
    "text", ["(" * 3_000, "not " * 900 + "x", "-" * 3_000 + "1", "(" * 150 + "x" + ")" * 150]
)
def test_deep_conditions_are_left_to_the_grammar(text):
    assert read_plain(text) is None


def test_a_condition_with_too_many_parts_is_none():
    text = " and ".join(["x"] * MOST_NODES)
    assert read_plain(text) is None
    assert "at most 200 parts" in parse.read(text).message
