"""A game played by a program step by step: who decides, what they see, and may do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from meldref.core.events import Event, Header
from meldref.core.records import changed, record
from meldref.core.text import in_words
from meldref.notation.writer import write_event
from meldref.ruleset.model import Ruleset
from meldref_table.simulate.games import (
    GameRun,
    Seats,
    SimulatedHand,
    after,
    cannot_play,
    careful_judge,
    names_for,
)
from meldref_table.simulate.players import Chosen, Decision, Observation, WrongChoice


class Game:
    """A whole game from a seed: the same seed and the same steps give the same game.

    Args:
        ruleset: what it is played by, see `load_ruleset`.
        players: their names, or how many; else as few as may.
        seed: what the cards are dealt from.

    Raises:
        ValueError: the game is not for that many players, or a name cannot be used.
    """

    def __init__(
        self, ruleset: Ruleset, players: int | Sequence[str] | None = None, seed: int = 1
    ) -> None:
        number = ruleset.players.min if players is None else players
        self.players = names_for(number) if isinstance(number, int) else tuple(number)
        wrong = cannot_play(ruleset, len(self.players)) or _wrong_names(self.players)
        if wrong is not None:
            raise ValueError(wrong)
        self.ruleset, self.seed = ruleset, seed
        self.hands: list[SimulatedHand] = []
        """The hands that are over, with scores, totals and winners by side."""
        self._seats = Seats(self.players, ("played",) * len(self.players))
        kinds = Seats(self.players, ("random",) * len(self.players))
        self._run = GameRun(careful_judge(ruleset, len(self.players)), kinds, seed, 1)
        self._steps = self._run.steps()
        self._decision: Decision | None = None
        self._go_on(None)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self._decision is None

    @property
    def seat(self) -> int:
        """Whose decision it is.

        Raises:
            ValueError: the game is over.
        """
        return self._due().seat

    @property
    def actions(self) -> tuple[Chosen, ...]:
        """What that seat may do, all of it legal; None among them calls nothing, or ends a call."""
        return () if self._decision is None else self._decision.actions

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """Which seats score together: each for itself, or partners."""
        return self._run.standing.sides

    @property
    def totals(self) -> tuple[int, ...]:
        """The totals of the sides after the hands that are over."""
        return self.hands[-1].totals if self.hands else (0,) * len(self.sides)

    @property
    def winners(self) -> tuple[int, ...]:
        """The sides that won; none before the game is over."""
        return self.hands[-1].winners if self.hands and self.over else ()

    def observation(self, seat: int | None = None) -> Observation:
        """What a seat sees now; else the one whose decision it is.

        Raises:
            ValueError: there is no such seat, or the game is over and none is named.
        """
        seat = self._due().seat if seat is None else seat
        if seat not in range(len(self.players)):
            raise ValueError(
                f"there is no seat {seat}: seats count from 0 to {len(self.players) - 1}"
            )
        return self._run.run.observation(seat)

    def step(self, action: Chosen) -> None:
        """Does what the seat whose decision it is has chosen.

        Raises:
            ValueError: it is not among the actions, or the game is over.
        """
        due = self._due()
        if action not in due.actions:
            raise WrongChoice(self.players[due.seat], action, due.actions)
        self._go_on(action)

    def log(self, rules: str | LogSource | None = None) -> str:
        """The finished hands as a log, which names the rules as given here, else by their id."""
        own = LogSource(self.ruleset.id, self.ruleset.options)
        source = rules if isinstance(rules, LogSource) else changed(own, rules=rules or own.rules)
        return "".join(log_lines(self.hands, changed(source, seed=self.seed), self._seats))

    def _due(self) -> Decision:
        if self._decision is None:
            raise ValueError("the game is over: nobody has anything to decide")
        return self._decision

    def _go_on(self, chosen: Chosen) -> None:
        """To the next decision, or the end of the game."""
        step = after(self._steps, chosen)
        while isinstance(step, SimulatedHand):
            self.hands.append(step)
            step = after(self._steps, None)
        self._decision = step


def _wrong_names(names: Sequence[str]) -> str | None:
    """Why these cannot be the names of players in a log."""
    odd = [
        name
        for name in names
        if not name.strip() or name != name.strip() or not set(',"+\n\r').isdisjoint(name)
    ]
    if odd:
        return f"a log cannot have {in_words([repr(name) for name in odd])} as a player's name"
    return "a player is named twice" if len(set(names)) < len(names) else None


@record
class LogSource:
    """What a log says of its source: ruleset, options and settings as asked for, and seed."""

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


def log_events(
    hands: Iterable[SimulatedHand], source: LogSource, seats: Seats
) -> Iterator[Event | None]:
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
        ValueError: something asked for cannot be written in a log, such as a setting with a
            double quote in it.
    """
    for event in log_events(hands, source, seats):
        yield "\n" if event is None else write_event(event) + "\n"
