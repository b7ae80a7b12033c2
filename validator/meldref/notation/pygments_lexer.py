"""Logs in colour: the lexer of the notation for Pygments, which finds it by the alias `rgn` and by `*.rgn`.

Nothing of meldref imports this module; Pygments does, where it is installed. What cannot be read is `Error`.
"""

from __future__ import annotations

import re
from typing import Any

from pygments.lexer import RegexLexer, bygroups, default, include
from pygments.token import Comment, Error, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

from meldref.notation.actions import VERBS
from meldref.notation.syntax import NAME_PATTERN

_BLANK = r"[ \t\u00a0]"
_TEXT = r'"[^"\x00-\x08\x0A-\x1F\x7F]*"'
_NAME = rf"(?:{_TEXT}|{NAME_PATTERN})"
_END = r"(?![\w.'’-])"
_RANK = r"(?:10|[2-9tjqkaTJQKA])"
_SUITED = rf"{_RANK}[cdhsCDHS♣♧♦♢♥♡♠♤][\uFE0E\uFE0F]?"
_CARD = rf"(?:{_SUITED}|[jJ][oO][kK][eE][rR]|[jJ][kK])"
_EDGE = r"(?![^\s;,#{?])"
_SIGNED = r"[+−–-]?[0-9]{1,9}(?![\w.])"
_CODE = r"[a-zA-Z][a-zA-Z0-9]*(?:[.-][a-zA-Z0-9]+)*"
_COMMA = (",", Punctuation)
_PLUS = (r"\+(?![0-9])", Punctuation)


def _word(*words: str) -> str:
    return rf"(?i:{'|'.join(words)}){_END}"


def _state(*rules: tuple[Any, ...]) -> list[Any]:
    """What may stand at a place, with blanks between; it ends with what is none of that."""
    return [include("blanks"), *rules, default("#pop")]


class RgnLexer(RegexLexer):  # type: ignore[misc]  # Pygments has no types
    """Rummy Game Notation, line by line, as `grammar/rgn.lark` has it."""

    name = "Rummy Game Notation"
    aliases = ("rgn",)
    filenames = ("*.rgn",)
    flags = re.MULTILINE

    tokens = {  # noqa: RUF012  Pygments' name for it
        "root": [
            (r"\s+", Whitespace),
            (r"(?=[#{]|\?!)", Whitespace, "trailers"),
            (r"\[", Punctuation, ("trailers", "header")),
            ("=", Operator, ("trailers", "assertion")),
            (_word("hand"), Keyword, ("trailers", "dealer", "number")),
            (_word("deal", "show"), Keyword, ("trailers", "faces", "name")),
            (_word("up", "stock"), Keyword, ("trailers", "faces")),
            (_word("cut"), Keyword, ("trailers", "cuts")),
            (_word("wild"), Keyword, ("trailers", "rank")),
            (_word("end"), Keyword, ("trailers", "ending")),
            (_word("score", "total", "chips"), Keyword, ("trailers", "amounts")),
            (_word("result"), Keyword, ("trailers", "sides")),
            (_word("void"), Keyword, ("trailers", "reason")),
            (_word("adjust"), Keyword, ("trailers", "text", "number", "side")),
            (_word("note"), Keyword, ("trailers", "text")),
            (_word("reshuffle", "gap", "undo"), Keyword, "trailers"),
            (
                rf"([0-9]{{1,9}}(?:\.|(?![\w.])))?({_BLANK}*)({_NAME})({_BLANK}*)(:)",
                bygroups(Number.Integer, Whitespace, Name.Entity, Whitespace, Punctuation),
                ("trailers", "action"),
            ),
            (r".+", Error),
        ],
        "assertion": _state(
            (_word("hand"), Keyword, ("#pop", "faces", "number", "name")),
            (_word("pile"), Keyword, ("#pop", "faces")),
            (_word("table"), Keyword, ("#pop", "plays")),
            (_word("stock"), Keyword, ("#pop", "number")),
            (_word("score"), Keyword, ("#pop", "number", "side")),
        ),
        "blanks": [(rf"{_BLANK}+", Whitespace)],
        "trailers": [
            include("blanks"),
            (r"\r?\n", Whitespace, "#pop"),
            (r"#[^\n]*", Comment.Single),
            (r"\{[^{}\n]*\}", Comment.Special),
            (r"\?!", Operator, "codes"),
            (r"[^\n]", Error),
        ],
        "codes": _state((_CODE, Name.Exception), _COMMA),
        "header": _state(
            (r"[A-Za-z][\w-]*", Name.Attribute), (_TEXT, String.Double), (r"\]", Punctuation, "#pop")
        ),
        "name": _state((_NAME, Name.Entity, "#pop")),
        "side": _state((_NAME, Name.Entity), _PLUS),
        "sides": _state((_NAME, Name.Entity), _PLUS, _COMMA),
        "amounts": _state((_NAME, Name.Entity), _PLUS, _COMMA, (_SIGNED, Number.Integer)),
        "cuts": _state(
            (rf"({_NAME})({_BLANK}+)({_CARD}){_EDGE}", bygroups(Name.Entity, Whitespace, Name.Constant)), _COMMA
        ),
        "number": _state((_SIGNED, Number.Integer, "#pop")),
        "dealer": _state((_word("dealer"), Keyword, ("#pop", "name"))),
        "ending": _state((_word("out"), Keyword, ("#pop", "name")), (_word("stock", "agreed"), Keyword, "#pop")),
        "rank": _state((rf"{_RANK}{_EDGE}", Name.Constant, "#pop")),
        "reason": _state((_NAME, String)),
        "text": _state((_TEXT, String.Double, "#pop")),
        "faces": _state((rf"(?:{_CARD}|\?(?:\*[1-9][0-9]{{0,2}}|(?!!))){_EDGE}", Name.Constant)),
        "plays": [
            (
                rf"({_CARD})({_BLANK}*)(=)({_BLANK}*)({_SUITED}|{_RANK}){_EDGE}",
                bygroups(Name.Constant, Whitespace, Operator, Whitespace, Name.Constant),
            ),
            (r"[mM][1-9][0-9]{0,2}(?!\w)", Name.Label),
            include("faces"),
        ],
        "action": [
            include("blanks"),
            (";", Punctuation),
            (_word(*VERBS), Keyword),
            (r"[x×][ \t]*[1-9][0-9]{0,2}(?!\w)", Number.Integer),
            include("plays"),
        ],
    }

    @staticmethod
    def analyse_text(text: str) -> float:
        """How likely a text is a log: PGN, too, has headers, but of other games."""
        rules = re.search(r'^\[(?:Rules|Players)[ \t]+"', text, re.MULTILINE)
        return 0.6 if rules else 0.0
