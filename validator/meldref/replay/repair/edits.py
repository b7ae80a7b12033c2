"""Edits of lines that may explain a finding: how kinds are declared, and the cheapest first.

The unit of costs is a finding. What is rarer or says less costs more; so does what does not touch
the line of the finding.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from typing import Any, Final, TypeAlias

from meldref.core.cards import UNKNOWN
from meldref.core.diagnostics import is_among
from meldref.core.effort import EFFORT
from meldref.core.events import Action, Call, Discard, Draw, LayOff, Line, Meld, Take, Turn
from meldref.core.records import NamedTuple
from meldref.notation.scanner import action_columns
from meldref.notation.writer import write_action, write_line
from meldref.position.model import Position
from meldref.replay.playing import Playing
from meldref.replay.repair.course import Course, Edit, Found

BACK: Final = 200
"""How many lines before a finding are looked at at most."""
MOST_ACTIONS: Final = 60
"""How many actions a line may have of which edits are made: real ones have far fewer."""
_LINES_IN_A_UNIT: Final = 8
"""How many lines are copied for a unit of effort."""
_NUMBERS: Final = 0.1
"""What it costs that the numbers after a line do not count it."""


class Question(NamedTuple):
    """A finding to be explained, in a course; `at` is the index of the line that it is about."""

    course: Course
    at: int
    fault: Found

    @property
    def lines(self) -> Sequence[Line]:
        """The lines of the course."""
        return self.course.lines

    @property
    def line(self) -> Line:
        """The line that the finding is about."""
        return self.lines[self.at]

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays, by seat."""
        return self.course.players

    @property
    def seats(self) -> int:
        """How many players there are."""
        return len(self.players)

    @property
    def cards(self) -> list[int]:
        """The known cards of that line."""
        return list(
            dict.fromkeys(card for action in actions_of(self.line) for card in cards_of(action))
        )

    @property
    def player(self) -> str | None:
        """Whom the finding is about."""
        return self.fault.finding.player or getattr(self.line.event, "player", None)

    def is_of(self, *families: str) -> bool:
        """Whether the finding's code is one of these, or begins with one."""
        return is_among(self.fault.finding.code, families)

    def is_at_fault(self, step: int) -> bool:
        """Whether the finding is about that action of its line, or may be."""
        text, span = self.line.text, self.fault.finding.span
        if not text or span.line != self.line.number:
            return True
        first, end = action_columns(text, step)
        return span.column <= first < span.end_column or first <= span.column < end

    def turn(self, index: int) -> Turn:
        """The turn on a line that has one."""
        event = self.lines[index].event
        assert type(event) is Turn
        return event

    def seat(self, index: int) -> int | None:
        """Whose turn a line has; None: a stranger's."""
        return self.course.begin.seats.get(self.turn(index).player)

    def position(self, index: int) -> Position:
        """Where the hand stands before a line; not to be played on."""
        return self.course.hand(index).as_dealt()

    def pile(self, index: int) -> list[int]:
        """The known cards of the pile before a line, the top first."""
        pile = dict.fromkeys(reversed(self.position(index).pile))
        return [card for card in pile if card != UNKNOWN]

    def top(self, index: int) -> int:
        """The next card of the stock before a line, if that is listed."""
        stock = self.position(index).stock
        return stock[-1] if stock else UNKNOWN


class Step(NamedTuple):
    """One action of a turn, as it is written: the index of its line, and its place there."""

    question: Question
    row: int
    at: int
    action: Any

    @property
    def actions(self) -> tuple[Action, ...]:
        """All actions of its turn."""
        return self.question.turn(self.row).actions

    @property
    def is_at_fault(self) -> bool:
        """Whether the finding is about it, or may be."""
        return self.row == self.question.at and self.question.is_at_fault(self.at)

    @property
    def position(self) -> Position:
        """Where the hand stands before its line; not to be played on."""
        return self.question.position(self.row)

    @property
    def pile(self) -> list[int]:
        """The known cards of the pile before its line, the top first."""
        return self.question.pile(self.row)

    def melds_before(self, at: int) -> int:
        """How many melds there are before an action of its turn, if all before it are laid."""
        return len(self.position.melds) + sum(type(one) is Meld for one in self.actions[:at])

    def instead(self, *others: Action, more: float = 0.0) -> Change:
        """Other actions in its place; the same with `?`: nobody knows which card."""
        cards = cards_of(self.action)
        is_unknown = type(others[0]) is type(self.action) and cards and not cards_of(others[0])
        meant = f"be {quoted(*others)}" if not is_unknown else "name another card"
        what = f"{quoted(self.action)} should {meant}"
        actions = in_place(self.actions, self.at, *others)
        return act(self.question, self.row, actions, what, more)


class Change(NamedTuple):
    """Lines in the place of others: what the sentence of the edit says, and what it costs more.

    `begin` is how the hand begins, if that is changed instead.
    """

    start: int
    stop: int
    lines: tuple[Line, ...]
    player: str = ""
    what: str = ""
    more: float = 0.0
    begin: Playing | None = None


Changes: TypeAlias = Iterator[Change]
Places: TypeAlias = Callable[[Question], Iterable[int]]
Making: TypeAlias = Callable[[Question, int], Changes]


class Kind(NamedTuple):
    """A kind of mistake: its name, its cost at the finding and elsewhere, and where to look.

    `explains` has the codes, or the beginnings of codes, that it can lead to. `sentence` tells it,
    `of` makes the changes at the line of an index; `least` is what one of them may cost more.
    """

    name: str
    here: float
    elsewhere: float
    places: Places
    explains: tuple[str, ...]
    sentence: str
    of: Making
    least: float = 0.0

    def cost(self, question: Question, index: int) -> float:
        """What such a mistake costs at the line of an index."""
        return self.here if index == question.at else self.elsewhere

    def may_explain(self, code: str) -> bool:
        """Whether a finding with that code can come of such a mistake."""
        return is_among(code, self.explains)


def edits_for(question: Question, table: Sequence[Kind]) -> Iterator[Edit]:
    """All edits that may explain a finding, by cost, then by row of the table, then the nearest.

    Those of a kind at a line are made when nothing cheaper is left. A line that expects what is
    found in it stays as it is.
    """
    waiting: list[tuple[float, int, int, int, int, Edit | None]] = []
    for rank, kind in enumerate(table):
        if kind.may_explain(question.fault.finding.code):
            for place, index in enumerate(kind.places(question)):
                cost = kind.cost(question, index) + kind.least
                waiting.append((cost, rank, place, -1, index, None))
    heapq.heapify(waiting)
    while waiting:
        _, rank, place, _, index, edit = heapq.heappop(waiting)
        if edit is not None:
            yield edit
            continue
        for order, edit in enumerate(_edits_of(question, table[rank], index)):
            heapq.heappush(waiting, (edit.cost, rank, place, order, index, edit))


def _edits_of(question: Question, kind: Kind, index: int) -> Iterator[Edit]:
    line = question.lines[index]
    if len(actions_of(line)) > MOST_ACTIONS:
        return
    for change in kind.of(question, index):
        EFFORT.spent += len(change.lines) // _LINES_IN_A_UNIT
        is_expected = line.expected and change.start < change.stop
        if change.start > question.fault.at or is_expected:
            continue
        text = kind.sentence.format(line=line.number, player=change.player, what=change.what)
        at = change.start, change.stop, change.lines, text, change.begin
        yield Edit(kind.name, kind.cost(question, index) + change.more, *at)


# --- where edits are looked for -------------------------------------------------------------------


def back(rounds: int, lines: int = 0, ahead: int = 0) -> Places:
    """Turns from where the finding showed, back to rounds and lines before the line it is about.

    `ahead`: rounds after it that are looked at, too.
    """

    def places(question: Question) -> Iterator[int]:
        first = max(0, question.at - rounds * question.seats - lines)
        last = min(question.fault.at + ahead * question.seats, len(question.lines) - 1)
        for index in range(last, first - 1, -1):
            if type(question.lines[index].event) is Turn:
                yield index

    return places


def around(question: Question) -> Iterator[int]:
    """The first of two lines near the finding that may be swapped."""
    return iter(
        range(min(question.fault.at + 1, len(question.lines) - 2), max(-1, question.at - 3), -1)
    )


def here(question: Question) -> tuple[int, ...]:
    """The line that the finding is about."""
    return (question.at,)


def beside(question: Question) -> Iterator[int]:
    """The line that the finding is about, and its neighbours, as far as they are turns."""
    lines, at = question.lines, question.at
    for index in (at, at + 1, at - 1):
        if 0 <= index < len(lines) and type(lines[index].event) is Turn:
            yield index


def beside_turns(question: Question) -> Iterator[int]:
    """All lines of the hand that are no turns."""
    for index, line in enumerate(question.lines):
        if type(line.event) is not Turn:
            yield index


def of_each(*kinds: type[Action]) -> Callable[[Callable[[Step], Changes]], Making]:
    """A function of changes at a line, from one of changes of each action of some kinds, or any."""

    def of_all(of: Callable[[Step], Changes]) -> Making:
        @wraps(of)
        def changes(question: Question, index: int) -> Changes:
            for at, action in enumerate(actions_of(question.lines[index])):
                if not kinds or isinstance(action, kinds):
                    yield from of(Step(question, index, at, action))

        return changes

    return of_all


# --- changes of lines -----------------------------------------------------------------------------


def cards_of(action: Action) -> tuple[int, ...]:
    """The known cards that an action names."""
    if isinstance(action, LAID):
        return tuple([played.card for played in action.cards])
    if isinstance(action, Call):
        return action.cards
    card = getattr(action, "card", UNKNOWN)
    return () if card == UNKNOWN else (card,)


def actions_of(line: Line) -> tuple[Action, ...]:
    """The actions of a line; none where it is no turn."""
    return line.event.actions if type(line.event) is Turn else ()


def in_place(row: Sequence[Any], at: int, *others: Any) -> tuple[Any, ...]:
    """A row with others in the place of one."""
    return (*row[:at], *others, *row[at + 1 :])


def put(
    question: Question, index: int, event: Any, player: str = "", what: str = "", more: float = 0.0
) -> Change:
    """Another event in the place of a line's."""
    line = question.lines[index]._replace(event=event)
    return Change(index, index + 1, (line._replace(text=write_line(line)),), player, what, more)


def put_all(
    question: Question,
    events: Mapping[int, Any],
    player: str = "",
    what: str = "",
    more: float = 0.0,
) -> Change:
    """Other events in the place of those of several lines; the lines between stay as they are."""
    first, last = min(events), max(events)
    lines = list(question.lines[first : last + 1])
    for index, event in events.items():
        lines[index - first] = put(question, index, event).lines[0]
    return Change(first, last + 1, tuple(lines), player, what, more)


def act(
    question: Question, index: int, actions: Sequence[Action], what: str = "", more: float = 0.0
) -> Change:
    """Other actions on a line."""
    event = question.turn(index)
    return put(question, index, event._replace(actions=tuple(actions)), event.player, what, more)


def delete(question: Question, index: int, many: int = 1, what: str = "") -> Changes:
    """Lines that do not belong there, whether the numbers after them count them or not."""
    lines, rest = question.lines, index + many
    turns = sum([number_of(line) is not None for line in lines[index:rest]]) or 1
    step = numbers_step(lines, index, rest)
    if step != turns + 1:
        yield Change(index, rest, (), what=what)
    if step != 1:
        later = numbered(lines[rest:], -turns)
        yield Change(index, len(lines), later, what=what, more=_NUMBERS)


def insert(
    question: Question,
    index: int,
    events: Sequence[Any],
    player: str = "",
    what: str = "",
    more: float = 0.0,
    turns: int = 0,
    over: int = 0,
) -> Changes:
    """Lines of turns that were left out, whether the numbers after them count them or not.

    They stand before a line, or over it and some more.
    """
    lines = question.lines
    rest = index + over
    made = tuple([Line(lines[min(index, len(lines) - 1)].number, "", event) for event in events])
    step = numbers_step(lines, rest, rest) if turns else 0
    if step != 1:
        yield Change(index, rest, made, player, what, more)
    if step in {None, 1}:
        later = numbered(lines[rest:], turns)
        yield Change(index, len(lines), (*made, *later), player, what, more + _NUMBERS)


def numbers_step(lines: Sequence[Line], end: int, start: int) -> int | None:
    """How much higher a turn's number is from one line on than before another; None: unknown.

    0 where turns have no numbers.
    """
    before = next((n for line in reversed(lines[:end]) if (n := number_of(line)) is not None), 0)
    after = next((n for line in lines[start:] if (n := number_of(line)) is not None), None)
    if after is None:
        return 0
    step = after - before
    return step if step > 0 else None


def numbers_missing(lines: Sequence[Line], index: int) -> int:
    """How many turn numbers are skipped before a line, if the turn after it counts on; else 0."""
    step = numbers_step(lines, index, index)
    counts_on = numbers_step(lines, index + 1, index + 1) in {0, 1}
    return step - 1 if step and counts_on else 0


def number_of(line: Line) -> int | None:
    """The number that a line gives its turn."""
    return line.event.number if type(line.event) is Turn else None


def numbered(lines: Sequence[Line], by: int | None) -> tuple[Line, ...]:
    """The lines with higher numbers of turns; None: without them."""

    def of(line: Line) -> Line:
        number = number_of(line)
        if number is None:
            return line
        return with_number(line, None if by is None else number + by)

    return tuple(map(of, lines))


def with_number(line: Line, number: int | None) -> Line:
    """A line of a turn with another number."""
    assert type(line.event) is Turn
    return line._replace(event=line.event._replace(number=number))


def quoted(*actions: Action) -> str:
    """Actions as a sentence has them."""
    return f"“{'; '.join(map(write_action, actions))}”"


def is_alike(card: int, other: int) -> bool:
    """Whether a card is easily written for another one: its rank or its suit is as it should be."""
    if card >= 52 or other >= 52:
        return False
    return (card % 13 == other % 13) != (card // 13 == other // 13)


THROWN: Final[Action] = Discard(UNKNOWN)
DRAWN: Final[Action] = Draw(UNKNOWN)
SOME_DRAW: Final = (Draw, Take)
LAID: Final = (Meld, LayOff)
