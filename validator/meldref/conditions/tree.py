"""A condition as a tree of what is written, and where reading it stops.

`grammar/house-rule.lark` says what a condition is. Loading Lark for it takes half as long as
a whole `legal`, and games that ship have conditions: so they are read here, and the suite compares.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

MOST_NODES: Final = 200
"""The most parts that a condition may have."""
_DEEPEST: Final = 40
"""How deep brackets and signs may stand in one another: each level takes a dozen calls."""

_NAME: Final = r"[A-Za-z][A-Za-z0-9_]*(?:-[A-Za-z][A-Za-z0-9_]*)*(?:\.[A-Za-z][A-Za-z0-9_]*)*"
_SPACE: Final = re.compile(r"[ \t\r\n]*")
_OPERAND: Final = re.compile(
    rf"(?P<NUMBER>[0-9]+)|(?P<NAME>{_NAME})|(?P<DOT>\.[A-Za-z][A-Za-z0-9_]*)|(?P<ADD>[-+])|(?P<LPAR>\()"
)
_RELATIONS: Final = (
    r"(?P<COMPARE>is(?:\s+not)?\b(?!-)|<=|>=|==|!=|<>|<|>|=)|(?P<WITHIN>(?:not\s+)?in\b(?!-))"
)
_MARKS: Final = (
    r"(?P<ADD>[-+])|(?P<TIMES>[*/])|(?P<LPAR>\()|(?P<RPAR>\))|(?P<COMMA>,)"
    r"|(?P<LSQB>\[)|(?P<RSQB>\])"
)
_OPERATOR: Final = re.compile(rf"{_RELATIONS}|(?P<AND>and)|(?P<OR>or)|{_MARKS}")
_WORD: Final = re.compile(
    rf"{_RELATIONS}|(?P<NUMBER>[0-9]+)|(?P<NAME>{_NAME})|(?P<DOT>\.[A-Za-z][A-Za-z0-9_]*)|{_MARKS}"
)
"""Any word of a condition, wherever it stands."""
_JOINTS: Final = frozenset(("and", "or", "not"))


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
    """More parts than a condition may have, or too many inside one another; the sentence."""


class Unread(Exception):
    """Where reading stopped.

    The word there with its offsets, its kind (`$END` at the end, None where no word begins so), and
    the kinds that could have stood there.
    """

    def __init__(self, text: str, at: int, expected: frozenset[str]) -> None:
        super().__init__(text, at)
        self.expected = expected
        word = _WORD.match(text, at)
        self.word = word[0] if word else text[at : at + 1]
        self.kind = word.lastgroup if word else None
        if self.word in _JOINTS:
            self.kind = self.word.upper()
        self.begin = at
        if at == len(text):
            self.kind = "$END"
            self.begin = len(text.rstrip())
        self.end = self.begin + len(self.word)


def read_tree(text: str) -> Node:
    """The tree of a condition; `Unread` where it cannot be read, `TooBig` where it is too long."""
    reader = _Reader(text)
    node = reader.either()
    if reader.at < len(text):
        raise reader.unread()
    return node


def joined(sort: str, parts: list[Node], matches: list[Any]) -> Node:
    """A part made of others and of words, each of which was matched at its place."""
    size = 1 + sum(part.size for part in parts)
    if size > MOST_NODES:
        raise TooBig(f"a condition has at most {MOST_NODES} parts: split it into two house rules")
    words = tuple([re.sub(r"\s+", " ", match[0]) for match in matches])
    begin = min([*[part.begin for part in parts], *[match.start() for match in matches]])
    end = max([*[part.end for part in parts], *[match.end() for match in matches]])
    return Node(sort, begin, end, words[0] if words else "", tuple(parts), words, size)


class _Reader:
    """Reads a text from left to right, a method for each level of the grammar.

    `expected` are the kinds of words that have been looked for where it stands.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.depth = 0
        self.at = 0
        self.expected = set[str]()
        self._go_to(0)

    def unread(self) -> Unread:
        """That what stands here cannot be read."""
        return Unread(self.text, self.at, frozenset(self.expected))

    def either(self) -> Node:
        """A condition, or a number."""
        return self._row("OR", self._both)

    def _both(self) -> Node:
        return self._row("AND", self._negation)

    def _row(self, kind: str, read: Callable[[], Node]) -> Node:
        parts = [read()]
        while self._take(kind):
            parts.append(read())
        return joined(kind.lower(), parts, []) if len(parts) > 1 else parts[0]

    def _negation(self) -> Node:
        if self._take_operand("NAME", "not") is None:
            return self._comparison()
        return joined("not", [self._deeper(self._negation)], [])

    def _comparison(self) -> Node:
        first = self._sum()
        within = self._take("WITHIN")
        if within is not None:
            return joined("within", [first, *self._items()], [within])
        return self._chain("compare", "COMPARE", self._sum, first)

    def _sum(self) -> Node:
        return self._chain("add", "ADD", self._product, self._product())

    def _product(self) -> Node:
        return self._chain("times", "TIMES", self._signed, self._signed())

    def _chain(self, sort: str, kind: str, read: Callable[[], Node], first: Node) -> Node:
        """A part, or several with signs of one kind between them."""
        parts = [first]
        signs: list[re.Match[str]] = []
        while (sign := self._take(kind)) is not None:
            signs.append(sign)
            parts.append(read())
        return joined(sort, parts, signs) if signs else first

    def _signed(self) -> Node:
        sign = self._take_operand("ADD")
        if sign is not None:
            return joined("sign", [self._deeper(self._signed)], [sign])
        if self._take_operand("LPAR"):
            inner = self._deeper(self.either)
            self._expect("RPAR")
            return joined("group", [inner], [])
        name = self._take_operand("NAME")
        if name is not None:
            if self._take("LPAR"):
                return self._call(name)
            return joined("name", [], [name])
        for kind in ("NUMBER", "DOT"):
            atom = self._take_operand(kind)
            if atom is not None:
                return joined(kind.lower(), [], [atom])
        raise self.unread()

    def _call(self, name: re.Match[str]) -> Node:
        """A function, behind its opening bracket."""
        parts = list[Node]()
        if self._take("RPAR"):
            return joined("call", parts, [name])
        parts.append(self._deeper(self.either))
        while self._take("COMMA"):
            parts.append(self._deeper(self.either))
        self._expect("RPAR")
        return joined("call", parts, [name])

    def _items(self) -> list[Node]:
        """What stands in square brackets."""
        self._expect("LSQB")
        items = [self._item()]
        while self._take("COMMA"):
            items.append(self._item())
        self._expect("RSQB")
        return items

    def _item(self) -> Node:
        first = self._word()
        if self._take("ADD", "-"):
            return joined("span", [], [first, self._word()])
        sort = "number" if first[0].isdigit() else "name"
        return joined(sort, [], [first])

    def _word(self) -> re.Match[str]:
        """A number or a name in a list."""
        word = self._take_operand("NUMBER") or self._take_operand("NAME")
        if word is None:
            raise self.unread()
        return word

    # --- words ------------------------------------------------------------------------------------

    def _deeper(self, read: Callable[[], Node]) -> Node:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise TooBig(f"brackets and signs stand at most {_DEEPEST} deep in one another")
        node = read()
        self.depth -= 1
        return node

    def _take(self, kind: str, word: str = "") -> re.Match[str] | None:
        """The word that stands here behind a value, if it is of this kind, or this one."""
        return self._take_word(_OPERATOR, kind, word)

    def _take_operand(self, kind: str, word: str = "") -> re.Match[str] | None:
        """The word that stands here where a value begins, if it is of this kind, or this one."""
        return self._take_word(_OPERAND, kind, word)

    def _take_word(self, pattern: re.Pattern[str], kind: str, word: str) -> re.Match[str] | None:
        """The next word by a pattern; what was looked for is noted, for the message."""
        expected = kind
        if word:
            expected = word.upper() if word.isalpha() else "MINUS"
        self.expected.add(expected)
        match = pattern.match(self.text, self.at)
        if match is None or match.lastgroup != kind or (word and match[0] != word):
            return None
        self._go_to(match.end())
        return match

    def _expect(self, kind: str) -> None:
        if self._take(kind) is None:
            raise self.unread()

    def _go_to(self, at: int) -> None:
        """Stand at the next word from there."""
        space = _SPACE.match(self.text, at)
        assert space is not None
        self.at = space.end()
        self.expected.clear()
