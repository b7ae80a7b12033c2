"""Simulated games as logs: the headers of each game, its hands, line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from meldref.core.events import Event, Header
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


def headers(source: LogSource, names: Sequence[str]) -> Iterator[Header]:
    """The headers that say by which rules somebody plays, and who."""
    yield Header("Rules", source.rules)
    if source.options:
        yield Header("Options", ", ".join(source.options))
    yield from (Header("Set", setting) for setting in source.settings)
    yield Header("Players", ", ".join(names))


def log_events(hands: Iterable[SimulatedHand], source: LogSource, seats: Seats) -> Iterator[Event | None]:
    """The events of a log of these hands, in order; None stands for a blank line."""
    game = 0
    for played in hands:
        if played.game != game:
            if game:
                yield None
            game = played.game
            yield from headers(source, seats.names)
            yield Header("X-Seats", ", ".join(seats.kinds))
            yield Header("X-Seed", f"{source.seed}, game {game}")
        yield None
        yield from played.lines


def log_lines(hands: Iterable[SimulatedHand], source: LogSource, seats: Seats) -> Iterator[str]:
    """The lines of a log of these hands, each with its end.

    Raises:
        ValueError: something asked for cannot be written in a log, such as a setting with a double quote in it.
    """
    for event in log_events(hands, source, seats):
        yield "\n" if event is None else write_event(event) + "\n"
