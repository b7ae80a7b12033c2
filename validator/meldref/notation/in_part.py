"""What a turn says that was done, where a part of its line cannot be read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from meldref.core.editing import apply
from meldref.core.events import Action, Discard, Line
from meldref.notation.lenient import bare_actions, first_action, spelled
from meldref.notation.reader import MOST_IN_A_LINE, read_actions, read_line

_TRIED: Final[tuple[tuple[str, ...], ...]] = ((), ("discard",), ("draw",), ("draw", "discard"))
"""The actions whose cards may be unknown: that of a discard is told most easily by itself."""
_OF_A_TURN: Final = {"turn", "move", "round"}
"""Words that some write before the number of a turn."""


@lru_cache(maxsize=256)  # a hand is played many times
def read_in_part(
    text: str, players: tuple[str, ...]
) -> tuple[str | None, tuple[Action, ...]] | None:
    """Who is named before the first action of a line, and its actions.

    The name is empty if there is none, None if it is not one of the players'. A card drawn or
    thrown that cannot be read is unknown, and what else stands between actions is not read, if the
    turn ends with its discard; a word is the one that was surely meant. None where something else
    cannot be read.
    """
    text = text.partition("#")[0].rstrip()
    begin = first_action(text)
    if begin < 0:
        return None
    move = text[begin:]
    for said in [*[_with_unknown_cards(move, words) for words in _TRIED], bare_actions(move)]:
        done = _surely_meant(said)
        if 0 < len(done) <= MOST_IN_A_LINE and (said == move or type(done[-1]) is Discard):
            before = text[:begin]
            return _named_in(before, players) if re.search(r"[^\W\d_]", before) else "", done
    return None


def player_of(text: str, players: Iterable[str]) -> str | None:
    """Who is named before the first action of a line, or before its last colon if it has none."""
    begin = first_action(text)
    return _named_in(text[:begin] if begin >= 0 else text.rpartition(":")[0], players)


def turns_on(line: Line, players: Sequence[str]) -> list[Line]:
    """The turns that stand on one line, if there are several, and not more than in a round."""
    text, names = line.text, "|".join(map(re.escape, players))
    heads = re.finditer(rf"(?:\b\d+[.)]? *)?\b(?:{names}) *:", text)
    begins = [head.start() for head in heads]
    if not 1 < len(begins) <= len(players):
        return []
    rows = zip(begins, [*begins[1:], len(text)], strict=True)
    return [
        read_line(" " * begin + text[begin:end].rstrip(), line.number)[0] for begin, end in rows
    ]


def _named_in(text: str, players: Iterable[str]) -> str | None:
    """The player whose name is all that a text says, besides the number of a turn."""
    words = _words(text)
    while words and (words[0].isdecimal() or words[0] in _OF_A_TURN):
        words = words[1:]
    named = [name for name in players if words == _words(name)]
    return named[0] if len(named) == 1 else None


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def melds_named(text: str) -> int:
    """How many melds a line says were laid, whether they can be read or not."""
    return len(re.findall(rf"\b{spelled(['meld'])}", text, flags=re.IGNORECASE))


def _with_unknown_cards(text: str, words: tuple[str, ...]) -> str:
    """A move with `?` for what follows some words."""
    if not words:
        return text
    return re.sub(rf"\b{spelled(words)}(?: +[^\s;,]+)?", r"\1 ?", text, flags=re.IGNORECASE)


def _surely_meant(text: str) -> tuple[Action, ...]:
    """The actions of a move, misspelled words as they were surely meant; none if that is unsure."""
    actions, wrong = read_actions(text)
    if wrong and all(finding.edits for finding in wrong):
        edits = [edit for finding in wrong for edit in finding.edits]
        actions, wrong = read_actions(apply(text, edits))
    return () if wrong else actions
