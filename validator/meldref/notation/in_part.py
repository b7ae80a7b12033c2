"""What a turn says that was done, where a part of its line cannot be read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from meldref.core.diagnostics import Finding
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
        actions, wrong = read_actions(_edited(text, wrong))
    return () if wrong else actions


def _edited(text: str, findings: Iterable[Finding]) -> str:
    """A line with the edits of findings about it."""
    edits = [edit for finding in findings for edit in finding.edits]
    for edit in sorted(edits, key=lambda edit: edit.column, reverse=True):
        text = text[: edit.column - 1] + edit.text + text[edit.end_column - 1 :]
    return text
