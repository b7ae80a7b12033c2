"""Logs of legal simulated games, line by line, with where the hand stood before each line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
from typing import Final

from meldref.core.cards import UNKNOWN
from meldref.core.events import Action, Deal, Draw, Event, HandStart, Header, StockOrder, Turn
from meldref.notation.reader import read_lines
from meldref.notation.writer import write_event
from meldref.position.model import Position
from meldref.replay.log import Overrides, Replay
from meldref.rulefiles.load import load_ruleset
from meldref.ruleset.model import Ruleset
from meldref_evidence.explaining import RecordExplainer
from meldref_table.simulate import LogSource, Seats, log_events, play_hands

HANDS: Final = 3
VIEWS: Final = ("full", "open deals", "one player's view", "public view")
"""Which cards a log shows: all, all but the stock's, one player's, none but those that everybody has seen."""


@dataclass(frozen=True, slots=True)
class Table:
    """By which rules how many play; what the log says of the rules, and settings by which the game is played."""

    rules: str
    seats: tuple[str, ...]
    options: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    looser: tuple[str, ...] = ()

    @property
    def ruleset(self) -> Ruleset:
        """The rules that the log names."""
        return ruleset(self.rules, self.options, self.settings)


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a log: its event, the number of its hand, and where the hand stood before it (turns only).

    `slips` are those that touch the line, by number; `illegal` says that it breaks a rule at the
    table.
    """

    event: Event
    hand: int
    before: Position | None = None
    slips: frozenset[int] = frozenset()
    illegal: bool = False


@lru_cache(maxsize=64)
def ruleset(rules: str, options: tuple[str, ...], settings: tuple[str, ...]) -> Ruleset:
    """A ruleset that has to be there."""
    loaded, findings = load_ruleset(rules, options, settings)
    assert loaded is not None, findings
    return loaded


@lru_cache(maxsize=128)
def game(table: Table, seed: int, hands: int = HANDS) -> tuple[Entry, ...]:
    """The first hands of a legal game, with all cards shown."""
    played_by = ruleset(table.rules, table.options, (*table.settings, *table.looser))
    seats = Seats.of(table.seats)
    played = [hand for hand in play_hands(played_by, seats, seed, hands) if hand.game == 1]
    source = LogSource(table.rules, table.options, table.settings, seed)
    events = [event for event in log_events(played, source, seats) if event is not None]
    stands = [None, *_positions(write(events), table)]
    numbers = accumulate(int(isinstance(event, HandStart)) for event in events)
    rows = zip(events, numbers, stands[:-1], strict=True)
    return tuple(
        [
            Entry(event, number, before if isinstance(event, Turn) else None)
            for event, number, before in rows
        ]
    )


def _positions(text: str, table: Table) -> list[Position | None]:
    """Where a legal log stands after each of its lines."""
    run = Replay("", Overrides(settings=table.looser), explainer=RecordExplainer())
    stands: list[Position | None] = []
    for read in read_lines(text):
        run.feed([read])
        hand = run.game.hand if run.game is not None else None
        position = hand.position if hand is not None else None
        stands.append(position.copy() if position is not None else None)
    wrong = [finding.message for finding in run.finish().findings]
    assert not wrong, wrong
    return stands


def seen(entries: Sequence[Entry], view: str) -> list[Entry]:
    """The log as it is in a view."""
    if view == VIEWS[0]:
        return list(entries)
    rows = [entry for entry in entries if not isinstance(entry.event, StockOrder)]
    if view == VIEWS[1]:
        return rows
    viewer = players(entries)[0] if view == VIEWS[2] else "public"
    header = Entry(Header("View", viewer), 0)
    return [header, *[replace(entry, event=_unseen(entry.event, viewer)) for entry in rows]]


def players(entries: Sequence[Entry]) -> list[str]:
    """Who plays."""
    headers = (entry.event for entry in entries if isinstance(entry.event, Header))
    return next(header.value for header in headers if header.key == "Players").split(", ")


def _unseen(event: Event, viewer: str) -> Event:
    """A line as it is written by somebody who sees no other cards than one player's."""
    if isinstance(event, Deal) and event.player != viewer:
        return Deal(event.player, (), len(event.cards) + event.unknown)
    if isinstance(event, Turn) and event.player != viewer:
        actions: list[Action] = [
            Draw(UNKNOWN) if isinstance(one, Draw) else one for one in event.actions
        ]
        return event._replace(actions=tuple(actions))
    return event


def write(events: Sequence[Event]) -> str:
    """A log as text."""
    return "\n".join([write_event(event) for event in events]) + "\n"
