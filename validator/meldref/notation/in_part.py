"""What a turn says that was done, where a part of its line cannot be read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from meldref.core.diagnostics import Finding
from meldref.core.editing import LOG_LINE_END, apply
from meldref.core.events import (
    Action,
    Discard,
    Gap,
    HandEnd,
    HandStart,
    Line,
    Reshuffle,
    Turn,
    Undo,
    Void,
)
from meldref.core.records import changed
from meldref.notation.lenient.turns import bare_actions
from meldref.notation.lenient.words import between_actions, first_action, spelled
from meldref.notation.lines import LINES
from meldref.notation.misspelled import misspelled_action
from meldref.notation.reader import MOST_IN_A_LINE, read_actions, read_line
from meldref.notation.roster import Roster

_TRIED: Final[tuple[tuple[str, ...], ...]] = ((), ("discard",), ("draw",), ("draw", "discard"))
"""The actions whose cards may be unknown: that of a discard is told most easily by itself."""
_NUMBER: Final = r" *(?:\(?\d+[.)]* *)?"
"""The number of a turn."""
_OF_A_TURN: Final = {"turn", "move", "round"}
"""Words that some write before the number of a turn."""
_BEHIND_NAMES: Final = re.compile(r"""[\s:,.|>=()\[\]*"'-]*""")
"""What may stand behind a name: any other sign is of something that cannot be read."""

_FIRST_WORD: Final = re.compile(r" *(=|\w+)")
_MOVES_ON: Final = (HandStart, HandEnd, Reshuffle, Gap, Undo, Void)
"""Lines after which a hand is not what it was before."""
_OTHER_LINES: Final = frozenset(
    form.opening.partition(" ")[0] for form in LINES if form.kind not in _MOVES_ON
)


def as_meant(line: Line, findings: Sequence[Finding], players: Iterable[str]) -> Line:
    """A line with the turn that was surely meant, if misspelled words are all that is wrong."""
    edits = [edit for finding in findings for edit in finding.edits]
    if not edits or not all(finding.edits for finding in findings):
        return line
    here = [changed(edit, line=1, end_line=1) for edit in edits]
    meant, wrong = read_line(
        apply(line.text, here, LOG_LINE_END), line.number, roster=Roster(players)
    )
    return line if wrong or type(meant.event) is not Turn else meant._replace(text=line.text)


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
    text = _as_spelled(text, players)
    begin = first_action(text)
    if begin < 0:
        return None
    signs = re.split(r"\w", text[:begin])[-1]
    if not _BEHIND_NAMES.fullmatch(signs) and _named_in(text[:begin], players) is not None:
        return None
    move = text[begin:]
    for said in [*[_with_unknown_cards(move, words) for words in _TRIED], bare_actions(move)]:
        done, wrong = read_actions(said)
        if (
            not wrong
            and 0 < len(done) <= MOST_IN_A_LINE
            and (said == move or type(done[-1]) is Discard)
        ):
            before = text[:begin]
            return _named_in(before, players) if re.search(r"[^\W\d_]", before) else "", done
    return None


def player_of(text: str, players: tuple[str, ...]) -> str | None:
    """Who is named before the first action of a line, or before its last colon if it has none."""
    text = _as_spelled(text, players)
    begin = first_action(text)
    return _named_in(text[:begin] if begin >= 0 else text.rpartition(":")[0], players)


def _as_spelled(text: str, players: Sequence[str]) -> str:
    """A line without its comment, and with misspelled actions as they were surely meant.

    They stand at the beginning or behind a player's name, and behind what parts actions.
    """
    text = text.partition("#")[0].rstrip()
    names = "|".join(map(re.escape, sorted(players, key=len, reverse=True)))
    head = rf"^{_NUMBER}(?:\"?(?:{names})\"?(?: *[:,|>-] *| +))?"
    words: list[str] = []
    done = 0
    for before in re.finditer(rf"{head}|(?:{between_actions()}) *", text, re.IGNORECASE):
        misspelled = misspelled_action(text, before.end())
        if misspelled is None or not misspelled.meant.sure:
            continue
        if not text[misspelled.end :].lstrip().startswith(":"):  # behind a name
            words += [text[done : before.end()], misspelled.meant.text]
            done = misspelled.end
    return "".join([*words, text[done:]])


def is_other_line(text: str) -> bool:
    """Whether a line begins as one that is no turn and leaves the hand as it is, such as a note."""
    word = _FIRST_WORD.match(text.casefold())
    return word is not None and word[1] in _OTHER_LINES


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
