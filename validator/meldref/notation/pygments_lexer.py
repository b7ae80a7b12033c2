"""Logs in colour: the notation's lexer for Pygments, found by the alias `rgn` and by `*.rgn`.

Nothing of meldref imports this module; Pygments does, where it is installed. What cannot be read is
`Error`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from lark.exceptions import UnexpectedInput
from pygments.lexer import Lexer
from pygments.token import (
    Comment,
    Error,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Whitespace,
)

from meldref.notation.grammar import parser
from meldref.notation.spelling import TooMany

_KINDS: Final = {
    **dict.fromkeys(("CARD", "FACE", "UNSEEN", "RANK", "CARDS", "PLAYS", "FACES"), Name.Constant),
    **dict.fromkeys(("TURN_NUMBER", "NUMBER", "SIGNED", "COUNT"), Number.Integer),
    **dict.fromkeys(("NAME", "TEXT"), Name.Entity),
    **dict.fromkeys(("EQUAL", "_EXPECTS"), Operator),
    **dict.fromkeys(("COLON", "SEMICOLON", "COMMA", "LSQB", "RSQB", "_PLUS"), Punctuation),
    "MELD_NUMBER": Name.Label,
    "KEY": Name.Attribute,
    "CODE": Name.Exception,
    "COMMENT": Comment.Single,
    "ANNOTATION": Comment.Special,
}
"""The colours of the grammar's terminals; any other one is a word of the notation."""


class RgnLexer(Lexer):  # type: ignore[misc]  # Pygments has no types
    """Rummy Game Notation, line by line, as `grammar/rgn.lark` has it."""

    name = "Rummy Game Notation"
    aliases = ("rgn",)
    filenames = ("*.rgn",)

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, Any, str]]:
        """The place, the kind and the text of each word, and of what stands between two."""
        for line in re.finditer(r"[^\r\n]+|[\r\n]+", text):
            at = line.start()
            for kind, word in _words(line[0]):
                yield at, kind, word
                at += len(word)

    @staticmethod
    def analyse_text(text: str) -> float:
        """How likely a text is a log: PGN, too, has headers, but of other games."""
        rules = re.search(r'^\[(?:Rules|Players)[ \t]+"', text, re.MULTILINE)
        return 0.6 if rules else 0.0


def _words(line: str) -> Iterator[tuple[Any, str]]:
    """The words of a line and the blanks between them.

    What the grammar does not take of it is an error.
    """
    end, right = 0, len(line)
    tokens: list[Any] = []
    reading: Any = parser().parse_interactive(line, start="line")
    try:
        for token in reading.iter_parse():
            tokens.append(token)  # noqa: PERF402  those before a mistake count
        reading.feed_eof()
    except UnexpectedInput as wrong:
        right = wrong.pos_in_stream or 0
    except TooMany:
        right = tokens[-1].start_pos
    for before, token in pairwise([None, *tokens]):
        if token.start_pos < right:
            yield Whitespace, line[end : token.start_pos]
            yield from _parts(_kind(token, before, tokens[0].type), token)
            end = token.end_pos
    rest = line[end:]
    yield (Error if rest.strip() else Whitespace), rest


def _kind(token: Any, before: Any, first: str) -> Any:
    if token.type in {"NAME", "TEXT"} and first == "_VOID":
        return String
    if token.type == "TEXT" and (
        first in {"LSQB", "_NOTE"} or (before and before.type in {"NUMBER", "SIGNED"})
    ):
        return String.Double
    return _KINDS.get(token.type, Keyword)


def _parts(kind: Any, text: str) -> Iterator[tuple[Any, str]]:
    """Cards of a row one by one, with what wild ones stand for."""
    if kind is not Name.Constant:
        yield kind, text
        return
    for part in re.findall(r"\s+|=|[^\s=]+", text):
        yield (Whitespace if part.isspace() else Operator if part == "=" else kind), part
