"""The kinds of slip: what a clerk writes wrongly, what of a log that changes, and the codes that name it.

A kind is a function from a log, the index of one of its lines and dice to what stands there
instead, or None where that line gives no room for it. It says nothing of what an audit makes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TypeAlias

from benchmarks.slips.sheets import Entry, players
from meldref.core.cards import JOKER, UNKNOWN, Card, each
from meldref.core.events import (
    Action,
    Event,
    Turn,
)
from meldref.position.model import Position


@dataclass(frozen=True, slots=True)
class Change:
    """What stands in the place of lines: the first `touched` are written wrongly, the rest follow.

    Where no line is written wrongly, the slip shows from the next one on. `lost` turns are no
    longer written (a negative number: turns are written too often), which the numbers of the turns
    after them may follow.
    """

    start: int
    stop: int
    lines: Sequence[Event | Entry]
    lost: int = 0
    touched: int = 1


Maker: TypeAlias = Callable[[Sequence[Entry], int, Random], Change | None]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of slip: `codes` say what was done wrong; `late`: it may show only in a line after it.

    `whole_game`: its consequences reach beyond the hand, so that it is no part of a pair.
    `may_be_legal`: what is written may have been played so, even where all cards are shown.
    """

    name: str
    make: Maker
    codes: tuple[str, ...]
    late: bool
    whole_game: bool
    may_be_legal: bool


def kind(
    *codes: str, late: bool = False, whole_game: bool = False, may_be_legal: bool = False
) -> Callable[[Maker], Kind]:
    """Makes a kind of slip of a function, by whose name it is called."""

    def declared(make: Maker) -> Kind:
        name = make.__name__.replace("_s_", "'s_").replace("_", " ")
        return Kind(name, make, codes, late, whole_game, may_be_legal)

    return declared


# --- what a log tells -----------------------------------------------------------------------------


def turn_at(log: Sequence[Entry], index: int) -> Turn | None:
    """The turn or call on a line."""
    event = log[index].event if 0 <= index < len(log) else None
    return event if isinstance(event, Turn) else None


def numbered(log: Sequence[Entry], index: int) -> Turn | None:
    """The ordinary turn on a line."""
    turn = turn_at(log, index)
    return turn if turn is not None and turn.number is not None else None


def with_action(turn: Turn, step: int, *others: Action) -> Turn:
    """A turn with other actions in the place of one."""
    return turn._replace(actions=(*turn.actions[:step], *others, *turn.actions[step + 1 :]))


def steps(turn: Turn, *types: type) -> list[int]:
    """Which of a turn's actions are of these types."""
    return [step for step, action in enumerate(turn.actions) if isinstance(action, types)]


def one_step(turn: Turn | None, dice: Random, *types: type) -> int | None:
    """One of a turn's actions of these types."""
    of_these = [] if turn is None else steps(turn, *types)
    return dice.choice(of_these) if of_these else None


def another(log: Sequence[Entry], name: str, dice: Random) -> str:
    """Another player's name."""
    return dice.choice([other for other in players(log) if other != name])


def misread(card: Card, dice: Random, never: Iterable[Card] = ()) -> Card | None:
    """A card that is easily written in the place of another one: its rank or its suit is as it should be."""
    if card in {JOKER, UNKNOWN}:
        return None
    near = [
        other for other in range(52) if (other % 13 == card % 13) != (other // 13 == card // 13)
    ]
    near = [other for other in near if other not in set(never)]
    return dice.choice(near) if near else None


def held(position: Position | None, player: str) -> list[Card]:
    """The cards of a player's hand; none under a misspelled name."""
    if position is None or player not in position.players:
        return []
    return list(each(position.hands[position.players.index(player)]))


def put(log: Sequence[Entry], index: int, event: Event) -> Change | None:
    """Another event in the place of a line's, if it is another one."""
    return Change(index, index + 1, (event,)) if event != log[index].event else None


def acted(log: Sequence[Entry], index: int, step: int, *others: Action) -> Change | None:
    """Other actions in the place of a line's; None where it would have none left."""
    turn = turn_at(log, index)
    other = None if turn is None else with_action(turn, step, *others)
    return put(log, index, other) if other is not None and other.actions else None


def lines_of(log: Sequence[Entry], hand: int, *types: type) -> Iterator[int]:
    """The lines of a hand with such an event."""
    return (
        at for at, entry in enumerate(log) if entry.hand == hand and isinstance(entry.event, types)
    )


# --- putting them in ------------------------------------------------------------------------------


def put_in(log: Sequence[Entry], change: Change, slip: int, *, rewrite: bool) -> list[Entry]:
    """A log with a slip in it, whose lines are marked.

    `rewrite`: the numbers of later turns do not count what is lost.
    """
    old = [*log[change.start : change.stop]] or [log[change.start - 1]]
    new: list[Entry] = []
    for place, line in enumerate(change.lines):
        like = old[max(0, len(old) - len(change.lines) + place)]
        new.append(line if isinstance(line, Entry) else replace(like, event=line))
    touched = min(change.touched, len(new))
    new[:touched] = [_marked(entry, slip) for entry in new[:touched]]
    rest = list(log[change.stop :])
    if rewrite and change.lost:
        rest = [
            _renumbered(entry, -change.lost) if entry.hand == old[0].hand else entry
            for entry in rest
        ]
    if not new:
        rest[0] = _marked(rest[0], slip)
    return [*log[: change.start], *new, *rest]


def _marked(entry: Entry, slip: int) -> Entry:
    return replace(entry, slips=entry.slips | {slip})


def _renumbered(entry: Entry, by: int) -> Entry:
    """A line whose turn has a higher number."""
    turn = entry.event
    if not isinstance(turn, Turn) or turn.number is None or turn.number + by < 1:
        return entry
    return replace(entry, event=turn._replace(number=turn.number + by))
