"""Simulated games as logs: the headers of each game, its hands, line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from meldref.core import events
from meldref.core.events import Event
from meldref.core.records import record
from meldref.notation.writer import write_event
from meldref.simulate.games import Seats, SimulatedHand


@record
class LogSource:
    """What a log says of where it comes from: ruleset, options, settings as asked for, and the seed."""

    rules: str
    options: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    seed: int = 0


def headers(source: LogSource, seats: Seats, game: int) -> list[Event]:
    """The headers of one game."""
    lines: list[Event] = [events.Header("Rules", source.rules)]
    if source.options:
        lines.append(events.Header("Options", ", ".join(source.options)))
    lines += [events.Header("Set", setting) for setting in source.settings]
    lines.append(events.Header("Players", ", ".join(seats.names)))
    lines.append(events.Header("X-Seats", ", ".join(seats.kinds)))
    lines.append(events.Header("X-Seed", f"{source.seed}, game {game}"))
    return lines


def log_events(hands: Iterable[SimulatedHand], source: LogSource, seats: Seats) -> Iterator[Event | None]:
    """The events of a log of these hands, in order; None stands for a blank line."""
    game = 0
    for played in hands:
        if played.game != game:
            if game:
                yield None
            game = played.game
            yield from headers(source, seats, game)
        yield None
        yield from played.lines


def log_lines(hands: Iterable[SimulatedHand], source: LogSource, seats: Seats) -> Iterator[str]:
    """The lines of a log of these hands, each with its end.

    Raises:
        ValueError: something asked for cannot be written in a log, such as a setting with a double quote in it.
    """
    for event in log_events(hands, source, seats):
        yield "\n" if event is None else write_event(event) + "\n"
