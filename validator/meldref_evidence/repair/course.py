"""A hand refereed with other lines than were written: what is found then, from any line on."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Final, TypeAlias

from meldref.core.diagnostics import Finding, Severity
from meldref.core.effort import EFFORT, STATE
from meldref.core.events import Deal, Event, Line, Turn
from meldref.core.records import NamedTuple
from meldref.notation.writer import write_line
from meldref.position.model import Position
from meldref.replay.aftermath import forget
from meldref.replay.hand import HandPlay
from meldref.replay.playing import Playing
from meldref.rules.declare import facts

FIGURES: Final = frozenset(("score", "game", "settle", "setup"))
"""Families of codes about figures and the table, which are no evidence of what was played."""
ALL: Final = 10**6
_KEPT_EVERY: Final = 4
_KEPT: Final = 200
"""The state of the hand is kept at this interval of the last lines before one."""


Key: TypeAlias = tuple[object, ...]
"""What a finding is the same by in another course."""


class Found(NamedTuple):
    """A finding, the index of the line at which it showed, and its key."""

    at: int
    finding: Finding
    key: Key

    @property
    def is_conduct(self) -> bool:
        """Whether anybody can do that at a table, though no rule allows it: no contradiction."""
        return facts(self.finding.code).evidence != "contradiction"

    @property
    def may_be_conduct(self) -> bool:
        """Whether anybody can do that, though a mistake in writing often looks like it."""
        rule = self.finding.rule
        return rule is not None and rule.key in facts(self.finding.code).conduct_by

    @property
    def contradicts(self) -> bool:
        """Whether something about the cards that were played cannot be so."""
        return may_contradict(self.finding.code)

    @property
    def is_whose(self) -> bool:
        """Whether anybody but this player can do that, so that figures may show who did."""
        return facts(self.finding.code).evidence == "whose"

    @property
    def proves_itself(self) -> bool:
        """Whether a line may show that by itself, whatever was before it."""
        return facts(self.finding.code).evidence == "by itself"

    @property
    def is_figure(self) -> bool:
        """Whether it is about a figure, or about the table."""
        return is_figure(self.finding.code)

    @property
    def figure(self) -> Key:
        """Which figure it is about, whatever it should be."""
        return (self.finding.span.line, self.finding.code, self.finding.player)


def is_figure(code: str) -> bool:
    """Whether a code is about a figure, or about the table."""
    return code.partition(".")[0] in FIGURES


def may_contradict(code: str) -> bool:
    """Whether a code says of the cards that were played that it cannot be so."""
    is_contradiction = facts(code).evidence == "contradiction"
    return is_contradiction and not is_figure(code) and code != "log.number"


def found_at(at: int, finding: Finding) -> Found:
    """A finding that showed at the line of an index."""
    return Found(at, finding, (finding.span, finding.code, finding.message))


def other_cards(before: Sequence[Line], after: Sequence[Line]) -> frozenset[int] | None:
    """The numbers of the edited turns and deals, if only their cards are edited; else None.

    A deal may have more cards, or fewer.
    """
    if len(before) != len(after):
        return None
    edited = [(old, new) for old, new in zip(before, after, strict=True) if old.event != new.event]
    if any(_moves(old.event) != _moves(new.event) for old, new in edited):
        return None
    return frozenset([new.number for _, new in edited])


def _moves(event: Event | None) -> object:
    """What moves in a turn, whichever cards they are; another event is like itself alone."""
    if isinstance(event, Deal):
        return Deal, event.player
    if not isinstance(event, Turn):
        return event
    moves = [(type(action), len(getattr(action, "cards", ()))) for action in event.actions]
    return event.player, moves


class Edit(NamedTuple):
    """Lines in the place of others: what probably happened, its cost, and its sentence.

    `begin` is how the hand begins, if that was written wrongly. Lines in the place of `old` ones
    have the text of those until they are `written`: most edits are refused before.
    """

    kind: str
    cost: float
    start: int
    stop: int
    lines: tuple[Line, ...]
    said: str | Callable[[], str]
    begin: Playing | None = None
    old: Sequence[Line] = ()

    @property
    def text(self) -> str:
        """Its sentence, which is made when it is asked for."""
        return self.said if isinstance(self.said, str) else self.said()

    def written(self) -> Edit:
        """The edit with the text of the lines that are in the place of `old` ones."""
        if not self.old:
            return self
        rows = zip(self.old, self.lines, strict=True)
        lines = [
            line if line is old else line._replace(text=write_line(line)) for old, line in rows
        ]
        return self._replace(lines=tuple(lines), old=())


class Course:
    """One way a hand may have gone: its lines, what is found, and where it stood at times.

    `left_open` are the numbers of the lines of which something could not be decided.
    """

    def __init__(self, begin: Playing, lines: Sequence[Line]) -> None:
        self.lines = list(lines)
        self.stands: dict[int, Playing] = {0: begin}
        self.found: list[Found] = []
        self.left_open: set[int] = set()
        self._proved: dict[Key, bool] = {}
        self._dealt: dict[int, Position] = {}

    @property
    def begin(self) -> Playing:
        """How the hand began; not to be gone on with."""
        return self.stands[0]

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays the game."""
        return self.begin.players

    def edited(self, edit: Edit) -> Course:
        """The course after an edit; what was worked out before it stands."""
        if edit.begin is not None:
            return Course(edit.begin, self.lines)
        self.before(edit.start)  # once for all edits that begin there
        lines = [*self.lines[: edit.start], *edit.lines, *self.lines[edit.stop :]]
        other = Course(self.begin, lines)
        other.stands = {index: stand for index, stand in self.stands.items() if index <= edit.start}
        other.found = [fault for fault in self.found if fault.at < edit.start]
        other.left_open = {*self.left_open}
        return other

    def before(self, index: int) -> Playing:
        """How everything stood before a line; not to be gone on with."""
        stand = self.stands.get(index)
        if stand is None:
            near = max(place for place in self.stands if place < index)
            stand = self.stands[near].fork()
            for place, line in enumerate(self.lines[near:index], near + 1):
                stand.play(line)
                if place % _KEPT_EVERY == 0 and index - _KEPT < place < index:
                    self.stands[place] = stand.fork()
            EFFORT.spent += sum(map(steps, self.lines[near:index]))
            self.stands[index] = stand
        return stand

    def hand(self, index: int) -> HandPlay:
        """The hand as it was before a line; not to be gone on with."""
        hand = self.before(index).hand
        assert hand is not None
        return hand

    def position(self, index: int) -> Position:
        """Where the hand stands before a line, dealt out as far as it is; not to be played on."""
        hand = self.hand(index)
        if hand.position is not None:
            return hand.position
        if index not in self._dealt:
            self._dealt[index] = hand.as_dealt()
        return self._dealt[index]

    def is_over(self, index: int) -> bool:
        """Whether the hand was over before a line, so that nothing more is played.

        Below 0: before a line that an edit puts before the first one.
        """
        return self.hand(max(index, 0)).played_on

    def proves(self, fault: Found) -> bool:
        """Whether its line alone shows what was found, if everything before that is unknown."""
        if not fault.proves_itself:
            return False
        if fault.key not in self._proved:
            self._proved[fault.key] = self._is_proved(fault)
        return self._proved[fault.key]

    def _is_proved(self, fault: Found) -> bool:
        number = fault.finding.span.line
        numbered = enumerate(self.lines)
        at = next((at for at, line in numbered if line.number == number and line.event), None)
        playing = None if at is None else self.before(at).fork()
        if at is None or playing is None or playing.hand is None:
            return False
        forget(playing.hand.judged())
        playing.play(self.lines[at])
        playing.end_of_lines()
        EFFORT.spent += STATE + steps(self.lines[at])
        return fault.key in [found_at(0, finding).key for finding in playing.report.findings]

    def play(self, since: int, stop: Callable[[Found], bool], most: int = ALL) -> bool:
        """Goes on from a line, to another at most; False if something is found at which to stop."""
        return self._play(since, stop, most, (), trial=True)

    def play_on(self, since: int, stands: Container[int] = ()) -> None:
        """Goes on from a line to the end; where the hand stands before some lines is kept."""
        self._play(since, lambda _: False, ALL, stands)

    def _play(
        self,
        since: int,
        stop: Callable[[Found], bool],
        most: int,
        stands: Container[int],
        *,
        trial: bool = False,
    ) -> bool:
        playing = self.before(since).fork()
        playing.reporter.is_trial = trial
        findings, questions = playing.report.findings, playing.report.open
        EFFORT.spent += STATE
        for index in range(since, min(len(self.lines), most) + 1):
            if index in stands:
                self.stands[index] = playing.fork()
            if index < len(self.lines):
                playing.play(self.lines[index])
                EFFORT.spent += steps(self.lines[index])
            else:
                playing.end_of_lines()
            for finding in findings:
                if finding.severity is Severity.ERROR:
                    self.found.append(found_at(index, finding))
                    if stop(self.found[-1]):
                        return False
            findings.clear()
            self.left_open.update(question.line for question in questions)
            questions.clear()
        return True


def steps(line: Line) -> int:
    """What it takes to referee a line."""
    actions = len(line.event.actions) if type(line.event) is Turn else 1
    return STATE * max(1, actions // 3)
