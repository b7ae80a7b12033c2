"""Conditions are read by hand, as `grammar/house-rule.lark` reads them."""

from __future__ import annotations

import random

import pytest
from lark import Lark
from lark.exceptions import UnexpectedInput, VisitError

from house_conditions import Writer
from meldref.conditions import parse
from meldref.conditions.tree import MOST_NODES, Node, joined
from meldref.core.resources import data_path

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


class Word:
    """A token of Lark, as something that was matched."""

    def __init__(self, token):
        self.token = token

    def __getitem__(self, _):
        return str(self.token)

    def start(self):
        return self.token.start_pos

    def end(self):
        return self.token.end_pos


class Build:
    """What Lark makes of each rule of the grammar, bottom up."""

    def __getattr__(self, sort):
        if sort.startswith("__") or sort.isupper():
            raise AttributeError(sort)
        return lambda children: self.node(sort.rstrip("_"), [it for it in children if it])

    def node(self, sort, children):
        parts = [child for child in children if isinstance(child, Node)]
        words = [child for child in children if not isinstance(child, Node)]
        return joined(sort, parts, [Word(word) for word in words])


GRAMMAR = Lark(
    data_path("grammar", "house-rule.lark").read_text(encoding="utf-8"),
    parser="lalr",
    transformer=Build(),
    maybe_placeholders=False,
)


def read_by_grammar(text: str) -> Node | None:
    try:
        return GRAMMAR.parse(text)
    except (UnexpectedInput, VisitError):
        return None


def read_by_hand(text: str) -> Node | None:
    tree = parse._read(text)
    return tree if isinstance(tree, Node) else None


@pytest.mark.parametrize("text", BY_HAND)
def test_a_condition_is_read_as_the_grammar_reads_it(text):
    assert read_by_hand(text) == read_by_grammar(text)


@pytest.mark.sweep
def test_conditions_spoilt_anywhere_are_read_as_the_grammar_reads_them():
    rng = random.Random(11)
    writers = [
        Writer(rng, [word], ["group", "sequence"])
        for word in ("discard", "take", "meld", "end", "hand")
    ]
    for _ in range(400):
        text = rng.choice(writers).condition()
        assert read_by_hand(text) == read_by_grammar(text) is not None, text
        for _ in range(3):
            begin = rng.randrange(len(text) + 1)
            text = text[:begin] + rng.choice(PIECES) + text[begin + rng.randrange(3) :]
            node = read_by_hand(text)
            assert node == read_by_grammar(text) or (node is None and parse._foreign(text)), text


@pytest.mark.parametrize("text", ["(" * 3_000, "not " * 900 + "x", "-" * 3_000 + "1"])
def test_conditions_that_are_too_deep_are_refused(text):
    assert "40 deep" in parse.read(text).message


def test_a_condition_with_too_many_parts_is_refused():
    assert "at most 200 parts" in parse.read(" and ".join(["x"] * MOST_NODES)).message
