"""What a turn says that was done, where a part of its line cannot be read."""

from __future__ import annotations

import re
from typing import Final

from meldref.core.editing import apply
from meldref.core.events import Action, Discard
from meldref.notation.lenient import first_action, spelled
from meldref.notation.reader import MOST_IN_A_LINE, read_actions

_TRIED: Final[tuple[tuple[str, ...], ...]] = ((), ("discard",), ("draw",), ("draw", "discard"))
"""The actions whose cards may be unknown: that of a discard is told most easily by itself."""


def read_in_part(text: str) -> tuple[str, tuple[Action, ...]] | None:
    """What stands before the first action of a line, and its actions.

    A card drawn or thrown that cannot be read is unknown, if the turn ends with its discard, and a
    word is the one that was surely meant. None where something else cannot be read.
    """
    text = text.partition("#")[0].rstrip()
    begin = first_action(text)
    if begin < 0:
        return None
    for words in _TRIED:
        done = _surely_meant(_with_unknown_cards(text[begin:], words))
        if 0 < len(done) <= MOST_IN_A_LINE and (not words or type(done[-1]) is Discard):
            return text[:begin], done
    return None


def before_actions(text: str) -> str:
    """What stands before the first action of a line, or before its last colon if it has none."""
    begin = first_action(text)
    return text[:begin] if begin >= 0 else text.rpartition(":")[0]


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
