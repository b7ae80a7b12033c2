"""Edits of lines that may explain a finding: how kinds are declared, and the cheapest first.

The unit of costs is a finding. What is rarer or says less costs more; so does what does not touch
the line of the finding.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from meldref.core.cards import UNKNOWN, Played
from meldref.core.diagnostics import is_among
from meldref.core.effort import EFFORT
from meldref.core.events import Action, Call, Deal, Discard, Draw, LayOff, Line, Meld, Take, Turn
from meldref.core.records import NamedTuple, changed
from meldref.notation.actions import BREAKS_IN
from meldref.notation.columns import action_columns
from meldref.notation.parts import MOST_NUMBER
from meldref.notation.writer import write_action, write_line
from meldref.position.model import Position
from meldref.replay.playing import Playing
from meldref_evidence.repair.course import Course, Edit, Found
from meldref_evidence.repair.reach import OfMeld, OnMeld, Rests, actions_of, is_touched

BACK: Final = 200
"""How many lines before a finding are looked at at most."""
MOST_ACTIONS: Final = 60
"""How many actions a line may have of which edits are made: real ones have far fewer."""
_LINES_IN_A_UNIT: Final = 8
"""How many lines are copied for a unit of effort."""
_OF_NO_CARD: Final = {"“draw ?”": "the draw", "“discard ?”": "the discard"}
"""How sentences name actions of which nobody knows the card."""
_NUMBERS: Final = 0.1
"""What it costs that the numbers after a line do not count it."""


class Question(NamedTuple):
    """A finding to be explained, in a course; `at` is the index of the line that it is about.

    `rests`: what the finding rests on, if that is known.
    """

    course: Course
    at: int
    fault: Found
    rests: Rests | None = None

    @property
    def is_proved(self) -> bool:
        """Whether the cards of a meld on the line are none, so that it stays wrong otherwise."""
        return isinstance(self.rests, OfMeld)

    @property
    def meld(self) -> OnMeld | None:
        """On which meld cards do not fit, if that is what was found."""
        return self.rests if isinstance(self.rests, OnMeld) else None

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
        return list(dict.fromkeys(cards_in(actions_of(self.line))))

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

    @property
    def deals(self) -> dict[int, Deal]:
        """The deals of the hand, by the indexes of their lines."""
        lines = enumerate(self.lines)
        return {at: line.event for at, line in lines if isinstance(line.event, Deal)}

    def turn(self, index: int) -> Turn:
        """The turn on a line that has one."""
        event = self.lines[index].event
        assert type(event) is Turn
        return event

    def has_turn(self, index: int, player: str | None = None) -> bool:
        """Whether a line is a turn, of that player if one is named."""
        event = self.lines[index].event
        return type(event) is Turn and player in {None, event.player}

    def breaks_in(self, index: int) -> bool:
        """Whether a turn is a call, a purchase or a challenge, which may come at any time."""
        return type(self.turn(index).actions[0]) in BREAKS_IN

    def seat(self, index: int) -> int | None:
        """Whose turn a line has; None: a stranger's."""
        return self.course.begin.seats.get(self.turn(index).player)

    def position(self, index: int) -> Position:
        """Where the hand stands before a line; not to be played on."""
        return self.course.position(index)

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
        return len(self.position.melds) + sum(type(action) is Meld for action in self.actions[:at])

    def instead(self, *others: Action, more: float = 0.0) -> Change:
        """Other actions in its place, or none."""
        done = in_place(self.actions, self.at, *others)
        return act(self.question, {self.row: done}, more)


class Change(NamedTuple):
    """Lines in the place of others, and what that costs more than the likeliest of its kind.

    `text` tells it, where the lines themselves do not. `begin` is how the hand begins, if that is
    changed instead. `unwritten`: the lines have the text of those in whose place they are.
    """

    start: int
    stop: int
    lines: tuple[Line, ...] = ()
    text: str | Callable[[], str] = ""
    more: float = 0.0
    begin: Playing | None = None
    unwritten: bool = False


Changes: TypeAlias = Iterator[Change]
Places: TypeAlias = Callable[[Question], Iterable[int]]
Making: TypeAlias = Callable[[Question, int], Changes]


class Kind(NamedTuple):
    """A kind of mistake: its name, its least cost at the finding and elsewhere, and where to look.

    `explains` has the codes, or the beginnings of codes, that it can lead to; `of` makes the
    changes at the line of an index.
    """

    name: str
    here: float
    elsewhere: float
    places: Places
    explains: tuple[str, ...]
    of: Making


def edits_for(question: Question, table: Sequence[Kind]) -> Iterator[Edit | None]:
    """All edits that may explain a finding, by cost, then by row of the table, then the nearest.

    Those of a kind at a line are made when nothing cheaper is left: then comes a None, so that
    whoever asked may stop there, whether there are any or not.
    """
    waiting: list[tuple[float, int, int, int, int, Edit | None]] = []
    kinds = [kind for kind in table if is_among(question.fault.finding.code, kind.explains)]
    for rank, kind in enumerate(kinds):
        for place, index in enumerate(kind.places(question)):
            if question.is_proved and index != question.at:
                continue
            cost = kind.here if index == question.at else kind.elsewhere
            waiting.append((cost, rank, place, -1, index, None))
    heapq.heapify(waiting)
    while waiting:
        cost, rank, place, _, index, edit = heapq.heappop(waiting)
        if edit is not None:
            yield edit
            continue
        for order, edit in enumerate(_edits_of(question, kinds[rank], index, cost)):
            heapq.heappush(waiting, (edit.cost, rank, place, order, index, edit))
        yield None


def _edits_of(question: Question, kind: Kind, index: int, cost: float) -> Iterator[Edit]:
    """The edits of a kind at a line; one that expects what is found in it stays as it is."""
    line = question.lines[index]
    if len(actions_of(line)) > MOST_ACTIONS:
        return
    for start, stop, lines, text, more, begin, unwritten in kind.of(question, index):
        EFFORT.spent += len(lines) // _LINES_IN_A_UNIT
        if start > question.fault.at or (line.expected and start < stop):
            continue
        old = question.lines[start:stop]
        if begin is None and not is_touched(question.rests, old, lines):
            continue
        told = text or partial(_as_told, old, lines)
        unwritten_old = old if unwritten else ()
        yield Edit(kind.name, cost + more, start, stop, lines, told, begin, unwritten_old)


# --- where edits are looked for -------------------------------------------------------------------


def back(rounds: int, lines: int = 0, ahead: int = 0) -> Places:
    """Turns from where the finding showed, back to rounds and lines before the line it is about.

    `ahead`: rounds after it that are looked at, too.
    """

    def places(question: Question) -> Iterator[int]:
        first = max(0, question.at - rounds * question.seats - lines)
        last = min(question.fault.at + ahead * question.seats, len(question.lines) - 1)
        for index in range(last, first - 1, -1):
            if question.has_turn(index):
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


def beside_turns(question: Question) -> Iterator[int]:
    """All lines of the hand that are no turns."""
    for index in range(len(question.lines)):
        if not question.has_turn(index):
            yield index


def deals(question: Question) -> Iterable[int]:
    """The lines of the deal."""
    return question.deals


def of_each(*kinds: type[Action]) -> Callable[[Callable[[Step], Changes]], Making]:
    """A function of changes at a line, from one of changes of each action of some kinds, or any."""

    def of_all(of: Callable[[Step], Changes]) -> Making:
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


def cards_in(actions: Iterable[Action]) -> list[int]:
    """The known cards that actions name, in their order."""
    return [card for action in actions for card in cards_of(action)]


def with_cards(action: Action, others: Mapping[int, int]) -> Action:
    """An action with other cards for some."""

    def other(card: int) -> int:
        return others.get(card, card)

    if isinstance(action, LAID):
        laid = [Played(other(was.card), was.role and other(was.role)) for was in action.cards]
        return changed(action, cards=tuple(laid))
    if isinstance(action, Call):
        return Call(tuple(map(other, action.cards)))
    card = cards_of(action)
    return changed(action, card=other(*card)) if card else action


def done_by(player: str, lines: Iterable[Line]) -> list[Action]:
    """All that a player did on some lines."""
    turns = [line.event for line in lines if type(line.event) is Turn]
    return [action for turn in turns if turn.player == player for action in turn.actions]


def in_place(row: Sequence[Any], at: int, *others: Any) -> tuple[Any, ...]:
    """A row with others in the place of one."""
    return (*row[:at], *others, *row[at + 1 :])


def put(
    question: Question,
    events: Mapping[int, Any],
    more: float = 0.0,
    text: str | Callable[[], str] = "",
) -> Change:
    """Other events in the place of those of some lines; the lines between stay as they are."""
    first, last = min(events), max(events)
    lines = list(question.lines[first : last + 1])
    for index, event in events.items():
        lines[index - first] = question.lines[index]._replace(event=event)
    return Change(first, last + 1, tuple(lines), text, more, unwritten=True)


def act(
    question: Question,
    done: Mapping[int, Sequence[Action]],
    more: float = 0.0,
    text: str | Callable[[], str] = "",
) -> Change:
    """Other actions on some lines."""
    turns = {at: question.turn(at)._replace(actions=tuple(row)) for at, row in done.items()}
    return put(question, turns, more, text)


def replace(
    question: Question,
    start: int,
    stop: int,
    events: Sequence[Any],
    text: str,
    more: float = 0.0,
    counted: int = 0,
) -> Changes:
    """Lines of other events in the place of some; with `start` as `stop`, lines more.

    `counted` of their turns have numbers, whether the numbers after them count them or not.
    """
    lines, later = question.lines, question.lines[stop:]
    made = tuple([Line(lines[min(start, len(lines) - 1)].number, "", event) for event in events])
    were_counted = len(numbers_of(lines[start:stop]))
    by, step = counted - were_counted, numbers_step(lines, start, stop)
    if not by or step != 1 + were_counted:
        yield Change(start, stop, made, text, more)
    numbers = [number + by for number in numbers_of(later)]
    can_be_written = all(0 <= number < MOST_NUMBER for number in numbers)
    if by and step not in {0, 1 + counted} and can_be_written:
        rest = with_numbers(later, numbers)
        yield Change(start, len(lines), (*made, *rest), text, more + _NUMBERS)


def left_out(
    question: Question,
    index: int,
    what: str,
    events: Sequence[Any],
    more: float = 0.0,
    counted: int = 0,
) -> Changes:
    """Lines that were left out before another one; `what` is or are missing."""
    text = f"{what} missing before line {question.lines[index].number}"
    yield from replace(question, index, index, events, text, more, counted)


def numbers_step(lines: Sequence[Line], end: int, start: int) -> int | None:
    """How much higher a turn's number is from one line on than before another; None: unknown.

    0 where turns have no numbers.
    """
    before, after = numbers_of(lines[:end]), numbers_of(lines[start:])
    if not after:
        return 0
    step = after[0] - (before[-1] if before else 0)
    return step if step > 0 else None


def numbers_of(lines: Iterable[Line]) -> list[int]:
    """The numbers that lines give their turns."""
    turns = [line.event for line in lines if type(line.event) is Turn]
    return [turn.number for turn in turns if turn.number is not None]


def with_numbers(lines: Iterable[Line], numbers: Iterable[int | None]) -> tuple[Line, ...]:
    """Lines with other numbers for those turns that have one, in their order."""
    rest = iter(numbers)
    return tuple(
        [
            line._replace(event=line.event._replace(number=next(rest)))
            if type(line.event) is Turn and line.event.number is not None
            else line
            for line in lines
        ]
    )


def quoted(*actions: Action) -> str:
    """Actions as a sentence has them."""
    return f"“{'; '.join(map(write_action, actions))}”"


def _as_told(lines: Sequence[Line], others: Sequence[Line]) -> str:
    """The sentence that tells what lines should be, from these and those in their place."""
    rows = zip(lines, others, strict=True)
    return " and ".join([_line_told(*row) for row in rows if row[0].event != row[1].event])


def _line_told(line: Line, other: Line) -> str:
    """What a line should be: another player's, or with other actions, more of them, or fewer."""
    event, place = other.event, f"in line {line.number}"
    if type(event) is Turn and event.player != getattr(line.event, "player", None):
        return f"line {line.number} is {event.player}'s"
    parts, due = _parts(line), _parts(other)
    while parts and parts[:1] == due[:1]:
        parts, due = parts[1:], due[1:]
    while parts and parts[-1:] == due[-1:]:
        parts, due = parts[:-1], due[:-1]
    between = "; " if type(event) is Turn else " "
    written, meant = f"“{between.join(parts)}”", f"“{between.join(due)}”"
    if not parts:
        return f"{_OF_NO_CARD.get(meant, meant)} is missing {place}"
    if not due:
        return f"{written} {place} did not happen"
    is_same_word = written.split(maxsplit=1)[0] == meant.split(maxsplit=1)[0]
    if meant in _OF_NO_CARD and len(parts) == 1 and is_same_word:
        return f"{place}, {written} should name another card"
    return f"{place}, {written} should be {meant}"


def _parts(line: Line) -> list[str]:
    """The actions of a line's turn, as they are written; the words of any other line."""
    if type(line.event) is Turn:
        return list(map(write_action, line.event.actions))
    return write_line(line).split()


def is_alike(card: int, other: int) -> bool:
    """Whether a card is easily written for another one: its rank or its suit is as it should be."""
    if card >= 52 or other >= 52:
        return False
    return (card % 13 == other % 13) != (card // 13 == other // 13)


THROWN: Final[Action] = Discard(UNKNOWN)
DRAWN: Final[Action] = Draw(UNKNOWN)
SOME_DRAW: Final = (Draw, Take)
LAID: Final = (Meld, LayOff)
