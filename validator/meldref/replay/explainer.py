"""What is asked when a hand is over: what really happened in it, and what nobody saw.

`replay` asks the explainer that it was given. Without one, findings are told as they are found, and
cards that nobody saw are not weighed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from meldref.core.diagnostics import Edit, Finding, Follows, Repair
from meldref.core.events import Event, Line, Turn
from meldref.core.records import changed, derived, record
from meldref.notation.writer import write_line
from meldref.replay.hand_number import HandNumber
from meldref.replay.playing import Playing

HAND_MISSING: Final = "hand-missing"
"""The repair that says that hands are missing before one."""


def hands_missing(many: int = 1) -> str:
    """How it is said that some hands are missing before another one."""
    hands = "a hand is" if many == 1 else f"{many} hands are"
    return f"{hands} missing before this one"


@record
class WrittenHand:
    """A hand that is over, as it is written, with what was found in it.

    `begin` is how it began, `end` how it ended, and `lines` are those between; `header` names the
    players of the game. `opening` is what was found at its own line, `mistakes` what an explanation
    of its lines may explain, and `others` what it does not. `unexplained` says in how many
    earlier hands of the game nothing explained what is found, by its code.
    """

    begin: Playing
    end: Playing
    number: HandNumber
    header: Line
    lines: Sequence[Line]
    opening: Sequence[Finding]
    mistakes: Sequence[Finding]
    others: Sequence[Finding]
    unexplained: Mapping[str, int]


@record
class ExplainedHand:
    """A hand as it probably was played: how it began, its lines, and its findings then.

    `findings` are those in the place of the mistakes. `open` says of some lines what the
    explanation leaves open. `other_cards` are the numbers of the lines that have other cards than
    were written; None: more than cards is otherwise. `torn` is the index of the line from which on
    the lines are those of another hand; 0: of none. `is_twice`: they are the lines of the hand
    before, written again, and `findings` are what is told instead of all that was found.
    """

    begin: Playing
    lines: Sequence[Line]
    findings: Sequence[Finding]
    open: Sequence[tuple[Line, str]] = ()
    other_cards: frozenset[int] | None = frozenset()
    torn: int = 0
    is_twice: bool = False


@record
class PlayedHand:
    """A hand that is over, as it is followed: how it began and ended, and the lines between.

    `other_cards` are the lines with other cards than were written (None: more than cards is
    otherwise), and `is_whole` says that no line is missing among them. `last_turn` is the highest
    number of a line that is a turn, 0 if none is.
    """

    begin: Playing
    end: Playing
    lines: Sequence[Line]
    other_cards: frozenset[int] | None
    is_whole: bool
    last_turn: int = derived(lambda played: _last_turn(played.lines))


def _last_turn(lines: Sequence[Line]) -> int:
    return max([line.number for line in lines if type(line.event) is Turn], default=0)


def renumbered(line: Line, number: int, follows: tuple[Follows, ...] = ()) -> Repair:
    """The repair of the number on the line of a hand."""
    event: Any = line.event
    edits = rewritten(line, changed(event, number=number))
    told = f"line {line.number} begins hand {number}"
    return Repair("hand-number", line.number, told, follows, edits)


def rewritten(line: Line, event: Event) -> tuple[Edit, ...]:
    """The edit of a line that becomes another event."""
    text = write_line(line._replace(event=event, text=""))
    return (Edit(line.number, 1, line.number, len(line.text) + 1, text),)


class Explainer(Protocol):
    """Explains hands that are over."""

    def explain(self, hand: WrittenHand) -> ExplainedHand | None:
        """How a hand in which something was found was probably played; None: as it is written."""

    def weigh(self, hand: PlayedHand, *, is_void: bool) -> None:
        """Decides what a hand leaves open, by all its lines: what is found goes to its reporter."""

    def weigh_totals(self, hand: PlayedHand, earlier: Mapping[int, object]) -> Mapping[int, object]:
        """Decides totals over several hands of which no line says what they brought.

        `earlier` is what this said by side after the hand before: None where nothing is unknown,
        and nothing at all of a side whose total may be anything.
        """
