"""What is told at a table, as far as the player who hears it may know it."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Final

from meldref.answers.masking import Seen, masked
from meldref.core.cards import card_text
from meldref.core.diagnostics import Finding, Span
from meldref.core.events import Turn, cards_of
from meldref.core.records import changed
from meldref.notation.reader import read_line
from meldref.notation.roster import Roster
from meldref.position.model import Position

_CARD: Final = r"(?<![\w=])(?:{})\b"
_LONG: Final = 500
"""From how many characters on a line is not compared letter by letter."""


def line_known(text: str, name: str | None, players: tuple[str, ...]) -> str:
    """A line of a log without what the player of this name, or everybody (None), cannot know."""
    roster = Roster(players)
    return masked(read_line(text, roster=roster), Seen(name, roster, _nowhere))[0].text


def _nowhere() -> Position | None:
    """No position: what lay open before is no secret, but is not worth a search either."""
    return None


def as_known(finding: Finding, name: str | None, players: tuple[str, ...]) -> Finding:
    """A finding without what it says of the hands of other players than `name`.

    A line that cannot be read is what was said just now, and stays.
    """
    if finding.code == "log.syntax":
        return finding
    finding = _quoted(finding, name, players)
    if name is None or finding.player != name:
        return changed(finding, help=(), notes=(), edits=())
    own = [move for move in finding.help if _is_for(move, name)]
    return changed(finding, help=tuple(own))


def _is_for(move: str, name: str) -> bool:
    """Whether a move that is offered is not another player's."""
    event = read_line(move)[0].event
    return not isinstance(event, Turn) or event.player == name


def _quoted(finding: Finding, name: str | None, players: tuple[str, ...]) -> Finding:
    """A finding that quotes its line as a player may know it, and names no card hidden there."""
    text = finding.excerpt
    visible = line_known(text, name, players) if text else text
    if visible == text:
        return finding
    hidden = set(_cards_on(text)).difference(_cards_on(visible))
    message = finding.message
    if hidden:
        message = re.sub(_CARD.format("|".join(sorted(hidden))), "?", message)
    span = _span(finding.span, text, visible)
    return changed(finding, excerpt=visible, span=span, message=message)


def _cards_on(text: str) -> list[str]:
    """The cards that a line names."""
    return list(map(card_text, cards_of(read_line(text)[0].event)))


def _span(span: Span, text: str, visible: str) -> Span:
    """Where a place in a line is in what is visible of it; all of a long line."""
    if len(text) > _LONG:
        return Span(span.line, 1, len(visible) + 1)
    blocks = SequenceMatcher(None, text, visible, autojunk=False).get_opcodes()

    def moved(offset: int, *, to_end: bool) -> int:
        for kind, begin, end, there, there_end in blocks:
            if begin <= offset < end or (to_end and offset == end):
                if kind == "equal":
                    return there + offset - begin
                return there_end if to_end else there
        return len(visible) + offset - len(text)

    begin = moved(span.column - 1, to_end=False)
    end = max(begin, moved(span.end_column - 1, to_end=True))
    return Span(span.line, begin + 1, end + 1)
