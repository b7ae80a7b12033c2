"""The words of the notation, and what messages call the grammar's terminals.

The grammar says what is allowed.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from meldref.core.text import in_words
from meldref.notation.actions import VERBS

HEADER_KEYS: Final[tuple[str, ...]] = (
    "Rules",
    "Options",
    "Set",
    "Players",
    "View",
    "Dealer",
    "Date",
)

MONTH: Final = re.compile(r"([0-9]{4})[-./](0[1-9]|1[0-2])\b")
"""What is read of a date: its year and its month."""

_TERMINALS: Final[dict[str, str]] = {
    "NAME": "a name",
    "TEXT": "a text in double quotes",
    "LSQB": "`[`",
    "KEY": "a key such as Players",
    "RSQB": "`]`",
    "CARD": "a card",
    "CARDS": "a card",
    "PLAYS": "a card",
    "FACE": "a card or `?`",
    "UNSEEN": "`?`",
    "FACES": "a card or `?`",
    "RANK": "a rank",
    "NUMBER": "a number",
    "SIGNED": "a number",
    "UNREAD": "a number",
    "ABSENT": "a number",
    "CODE": "the code of a violation",
    "MELD_NUMBER": "`m` and a number",
    "COUNT": "`x` and a number",
    "_PLUS": "`+`",
    "COMMA": "`,`",
    "COLON": "`:`",
    "SEMICOLON": "`;`",
    "_OUT": "`out`",
    "_STOCK": "`stock`",
    "_AGREED": "`agreed`",
    "_DEALER": "`dealer`",
    "_HAND": "`hand`",
    "_PILE": "`pile`",
    "_TABLE": "`table`",
    "_SCORE": "`score`",
    "ANNOTATION": "an annotation in braces",
    "_EXPECTS": "`?!`",
    "COMMENT": "a comment",
    "$END": "the end of the line",
}

_TRAILERS: Final = frozenset({"ANNOTATION", "_EXPECTS", "COMMENT"})
ONE_CARD: Final = frozenset({"CARD", "FACE"})
CARD_RUNS: Final = frozenset({"CARDS", "PLAYS", "FACES"})


def expected_text(terminals: Collection[str], after: str = "") -> str:
    """What could stand at a place, in words of the game.

    `terminals` are the grammar's names; `after` is the one read last, since a run of cards is one
    terminal and may always go on.
    """
    wanted = set(terminals)
    if "DISCARD" in wanted:
        return f"an action ({in_words(VERBS, 'or')})"
    if "_DEAL" in wanted:
        return "a turn such as `Ann: draw 4s; discard Ks`, or another line of the notation"
    if wanted - _TRAILERS - {"$END"}:
        wanted -= _TRAILERS
        if "SEMICOLON" in wanted:
            wanted.discard("$END")
    elif "$END" in wanted:
        wanted = {"$END"}
    if "NAME" in wanted:
        wanted.discard("TEXT")
    if wanted & {"NUMBER", "SIGNED"}:
        wanted.discard("_PLUS")
    if after in CARD_RUNS:
        wanted.add(after)
    names = [name for terminal, name in _TERMINALS.items() if terminal in wanted]
    if not names:
        return "something else"
    words = list(dict.fromkeys(" or ".join(names).split(" or ")))
    if len(words) > 1:
        return ", ".join(words[:-1]) + (" or " if len(words) == 2 else ", or ") + words[-1]
    return words[0]
