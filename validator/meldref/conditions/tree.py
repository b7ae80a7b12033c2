"""A condition as a tree of what is written, and the reading of one that is written as usual.

`grammar/house-rule.lark` says what a condition is. What is read here is read as the grammar reads
it, without the time that loading Lark takes; None says that the grammar has to be asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple, Self

MOST_NODES: Final = 200
"""The most parts that a condition may have."""
_DEEPEST: Final = 20
"""Brackets and signs further inside one another are left to the grammar."""

_NAME: Final = r"[A-Za-z][A-Za-z0-9_]*(?:-[A-Za-z][A-Za-z0-9_]*)*(?:\.[A-Za-z][A-Za-z0-9_]*)*"
_SPACE: Final = re.compile(r"[ \t\r\n]*")
_OPERAND: Final = re.compile(
    rf"(?P<number>[0-9]+)|(?P<name>{_NAME})|(?P<dot>\.[A-Za-z][A-Za-z0-9_]*)|[-+(]"
)
_OPERATOR: Final = re.compile(
    r"(?P<compare>is(?:\s+not)?\b(?!-)|<=|>=|==|!=|<>|<|>|=)|(?P<within>(?:not\s+)?in\b(?!-))"
    rf"|(?P<word>{_NAME})|[-+*/(),\[\]]"
)
_WORDS: Final = frozenset(("or", "and", "not", "is", "in"))


class Node(NamedTuple):
    """A part of a condition: its sort, its word, its parts, and where it stands, in offsets from 0.

    `sort` is a rule of the grammar; `word` a name, number or operator, `words` the operators
    between the parts.
    """

    sort: str
    begin: int
    end: int
    word: str = ""
    parts: tuple[Node, ...] = ()
    words: tuple[str, ...] = ()
    size: int = 1


class TooBig(Exception):
    """More parts than a condition may have."""


class _Unusual(Exception):
    """Something that the grammar has to look at."""


def read_plain(text: str) -> Node | None:
    """The tree of a condition that is written as usual; None where the grammar has to read it."""
    reader = _Reader(text)
    try:
        node = reader.either()
        return node if reader.at == len(text) else None
    except (_Unusual, TooBig):
        return None


def joined(sort: str, parts: list[Node], tokens: list[Any]) -> Node:
    """A part made of others and of words, each a match or a token with its place."""
    size = 1 + sum(part.size for part in parts)
    if size > MOST_NODES:
        raise TooBig
    places = [(part.begin, part.end) for part in parts] + [
        (token.start_pos, token.end_pos) for token in tokens
    ]
    words = tuple([re.sub(r"\s+", " ", str(token)) for token in tokens])
    begin, end = min(begin for begin, _ in places), max(end for _, end in places)
    return Node(sort, begin, end, words[0] if words else "", tuple(parts), words, size)


class _Token(str):
    """A word of the text with its place, as a token of Lark has it."""

    __slots__ = ("end_pos", "kind", "start_pos")

    def __new__(cls, match: re.Match[str]) -> Self:
        token = super().__new__(cls, match[0])
        token.kind = match.lastgroup or match[0]
        token.start_pos, token.end_pos = match.span()
        return token

    kind: str
    start_pos: int
    end_pos: int


class _Reader:
    """Reads a text from left to right, a method for each level of the grammar."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.depth = 0
        self.at = 0
        self._skip(0)

    def either(self) -> Node:
        """A condition, or a number."""
        return self._row("or", self._both)

    def _both(self) -> Node:
        return self._row("and", self._negation)

    def _row(self, word: str, read: Callable[[], Node]) -> Node:
        parts = [read()]
        while self._operator_is(word):
            self._take(_OPERATOR)
            parts.append(read())
        return joined(word, parts, []) if len(parts) > 1 else parts[0]

    def _negation(self) -> Node:
        operand = self._next(_OPERAND)
        if operand != "not":
            return self._comparison()
        self._take(_OPERAND)
        return joined("not", [self._deeper(self._negation)], [])

    def _comparison(self) -> Node:
        parts, signs = [self._sum()], list[_Token]()
        within = self._next(_OPERATOR)
        if within is not None and within.kind == "within":
            self._take(_OPERATOR)
            return joined("within", [*parts, *self._items()], [within])
        while (sign := self._next(_OPERATOR)) is not None and sign.kind == "compare":
            signs.append(self._take(_OPERATOR))
            parts.append(self._sum())
        return joined("compare", parts, signs) if signs else parts[0]

    def _sum(self) -> Node:
        return self._arithmetic("add", "+-", self._product)

    def _product(self) -> Node:
        return self._arithmetic("times", "*/", self._signed)

    def _arithmetic(self, sort: str, signs: str, read: Callable[[], Node]) -> Node:
        parts, tokens = [read()], list[_Token]()
        while (sign := self._next(_OPERATOR)) is not None and sign in signs:
            tokens.append(self._take(_OPERATOR))
            parts.append(read())
        return joined(sort, parts, tokens) if tokens else parts[0]

    def _signed(self) -> Node:
        operand = self._take(_OPERAND)
        if operand in {"+", "-"}:
            return joined("sign", [self._deeper(self._signed)], [operand])
        if operand == "(":
            inner = self._deeper(self.either)
            self._expect(")")
            return joined("group", [inner], [])
        if operand in _WORDS:
            raise _Unusual
        if operand.kind == "name" and self._operator_is("("):
            return self._call(operand)
        return joined(operand.kind, [], [operand])

    def _call(self, name: _Token) -> Node:
        self._expect("(")
        parts = list[Node]()
        while not parts or self._operator_is(","):
            if parts:
                self._expect(",")
            parts.append(self._deeper(self.either))
        self._expect(")")
        return joined("call", parts, [name])

    def _items(self) -> list[Node]:
        """What stands in square brackets."""
        self._expect("[")
        items = [self._item()]
        while self._operator_is(","):
            self._expect(",")
            items.append(self._item())
        self._expect("]")
        return items

    def _item(self) -> Node:
        first = self._word()
        if not self._operator_is("-"):
            return joined(first.kind, [], [first])
        self._expect("-")
        return joined("span", [], [first, self._word()])

    def _word(self) -> _Token:
        """A number or a name in a list."""
        word = self._take(_OPERAND)
        if word.kind not in {"number", "name"} or word in _WORDS:
            raise _Unusual
        return word

    # --- words ------------------------------------------------------------------------------------

    def _deeper(self, read: Callable[[], Node]) -> Node:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise _Unusual
        node = read()
        self.depth -= 1
        return node

    def _next(self, pattern: re.Pattern[str]) -> _Token | None:
        match = pattern.match(self.text, self.at)
        return None if match is None else _Token(match)

    def _operator_is(self, word: str) -> bool:
        return self._next(_OPERATOR) == word

    def _take(self, pattern: re.Pattern[str]) -> _Token:
        token = self._next(pattern)
        if token is None:
            raise _Unusual
        self._skip(token.end_pos)
        return token

    def _expect(self, sign: str) -> None:
        if self._take(_OPERATOR) != sign:
            raise _Unusual

    def _skip(self, at: int) -> None:
        space = _SPACE.match(self.text, at)
        assert space is not None
        self.at = space.end()
