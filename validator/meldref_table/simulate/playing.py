"""A game played by a program step by step: who decides, what they see, and may do."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from meldref.core.events import Event, Header, WildRank
from meldref.core.records import changed, record
from meldref.core.text import in_words
from meldref.core.version import __version__
from meldref.notation.writer import write_action, write_event
from meldref.report.position_file import rules_keys
from meldref.ruleset.model import Ruleset
from meldref_table.simulate.games import (
    Beginning,
    GameRun,
    Seats,
    SimulatedHand,
    after,
    cannot_play,
    careful_judge,
    names_for,
)
from meldref_table.simulate.players import Bot, Chosen, Decision, Observation, WrongChoice

PERSON: Final = "person"
"""The kind of a player whose decisions the program makes that plays the game."""
VERSION: Final = 1
"""The version of saved games."""


class Game:
    """A whole game from a seed: the same seed and the same steps give the same game.

    It can be copied (`copy`), pickled, and saved as JSON (`save`, and `meldref.load_game`), also in
    the middle of a turn. Each of these plays the steps so far again.

    Args:
        ruleset: what it is played by, see `load_ruleset`.
        players: their names, or how many; else as few as may.
        seed: what the cards are dealt from.
        seats: who decides for each player: `person` for the program that steps, a kind of player
            such as `greedy`, or a bot, an object with its method; else persons.
        beginning: where it goes on from, see `meldref.game_from_position` and `game_from_log`.
        chosen: what persons and bots decided before, which is done again; texts will do.

    Raises:
        ValueError: the game is not for that many players, a name cannot be used, or something that
            was chosen is not among the actions.
        TypeError: a seat is none of these.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        players: int | Sequence[str] | None = None,
        seed: int = 1,
        seats: Sequence[str | Bot] | None = None,
        *,
        beginning: Beginning | None = None,
        chosen: Iterable[Chosen | str] = (),
    ) -> None:
        number = ruleset.players.min if players is None else players
        self.players = names_for(number) if isinstance(number, int) else tuple(number)
        wrong = cannot_play(ruleset, len(self.players)) or _wrong_names(self.players)
        if wrong is not None:
            raise ValueError(wrong)
        self.seats = (PERSON,) * len(self.players) if seats is None else tuple(seats)
        if len(self.seats) != len(self.players):
            raise ValueError(f"{len(self.seats)} seats are given for {len(self.players)} players")
        self.ruleset, self.seed, self.beginning = ruleset, seed, beginning
        self.hands: list[SimulatedHand] = []
        """The hands that are over, with scores, totals and winners by side."""
        self.chosen: list[Chosen] = []
        """What persons and bots decided, in order."""
        self._sat = _seats(self.players, self.seats)
        judge = careful_judge(ruleset, len(self.players))
        self._run = GameRun(judge, self._sat, seed, 1, beginning=beginning)
        self._steps = self._run.steps()
        self._decision: Decision | None = None
        self._before = deque(chosen)
        self._go_on(None)
        while self._before:
            self.step(self._before.popleft())

    def copy(self) -> Game:
        """An independent copy; bots are the same objects."""
        return Game(
            self.ruleset,
            self.players,
            self.seed,
            self.seats,
            beginning=self.beginning,
            chosen=self.chosen,
        )

    def __copy__(self) -> Game:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (
            self.ruleset,
            self.players,
            self.seed,
            self.seats,
            self.beginning,
            tuple(self.chosen),
        )

    def save(self) -> dict[str, object]:
        """The game as data that JSON can have: `meldref.load_game` goes on with it.

        Bots are saved by the names of their classes, and have to be given again.
        """
        beginning = self.beginning
        return {
            "version": VERSION,
            "meldref": __version__,
            "rules": rules_keys(self.ruleset),
            "players": list(self.players),
            "seats": [one if isinstance(one, str) else type(one).__name__ for one in self.seats],
            "seed": self.seed,
            "from": None if beginning is None else dict(beginning.origin),
            "chosen": [*map(written_choice, self.chosen)],
        }

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
        return self.hands[-1].totals if self.hands else self._run.totals_before

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

    def step(self, action: Chosen | str) -> None:
        """Does what the seat whose decision it is has chosen, an action or its text.

        Raises:
            ValueError: it is not among the actions, or the game is over.
        """
        due = self._due()
        chosen = _offered(self.players[due.seat], action, due)
        self.chosen.append(chosen)
        self._go_on(chosen)

    @property
    def lines(self) -> tuple[Event, ...]:
        """The lines of the hand under way, all cards included; none once the game is over.

        Of a hand that it goes on with, these are the lines since then.
        """
        return () if self.over else self._run.lines

    def log(self, rules: str | LogSource | None = None, *, under_way: bool = False) -> str:
        """The finished hands as a log, which names the rules as given here, else as they ship.

        `under_way`: with the hand under way, as far as it has come. A game that goes on from a log
        has all of that before it; of one that goes on from a position, the hand that it began in is
        left out, since no log can begin there.
        """
        keys = rules_keys(self.ruleset) or {}
        settings = [f"{key}={value}" for key, value in keys.get("set", {}).items()]
        own = LogSource(self.ruleset.id, self.ruleset.options, tuple(settings))
        source = rules if isinstance(rules, LogSource) else changed(own, rules=rules or own.rules)
        source = changed(source, seed=self.seed)
        kinds = tuple(one if isinstance(one, str) else type(one).__name__ for one in self.seats)
        there, parts = self.beginning, [tuple(hand.lines) for hand in self.hands]
        if under_way and not self.over:
            parts.append(self.lines)
        text = "" if there is None else there.before
        if text:
            text += _written(parts.pop(0)) if parts else ""
        else:
            parts = parts if there is None else parts[1:]
            text = _written(game_headers(source, Seats(self.players, kinds), 1)) if parts else ""
        return text + "".join(f"\n{_written(part)}" for part in parts)

    def _due(self) -> Decision:
        if self._decision is None:
            raise ValueError("the game is over: nobody has anything to decide")
        return self._decision

    def _go_on(self, chosen: Chosen) -> None:
        """To the next decision of a person, or the end of the game."""
        step = after(self._steps, chosen)
        while step is not None:
            if isinstance(step, SimulatedHand):
                self.hands.append(step)
                chosen = None
            elif self.seats[step.seat] == PERSON:
                break
            else:
                chosen = self._decided(step)
            step = after(self._steps, chosen)
        self._decision = step

    def _decided(self, due: Decision) -> Chosen:
        """What a player decides who is no person; a bot is not asked again for what it chose."""
        if due.seat not in self._sat.bots:
            return self._run.run.decide(due)
        if not self._before:
            chosen = self._run.run.decide(due)
        else:
            chosen = _offered(self.players[due.seat], self._before.popleft(), due)
        self.chosen.append(chosen)
        return chosen


def _again(
    ruleset: Ruleset,
    players: Sequence[str],
    seed: int,
    seats: Sequence[str | Bot],
    beginning: Beginning | None,
    chosen: Sequence[Chosen],
) -> Game:
    """A game that was pickled."""
    return Game(ruleset, players, seed, seats, beginning=beginning, chosen=chosen)


def _seats(players: tuple[str, ...], seats: Sequence[str | Bot]) -> Seats:
    """Who sits at the table; for a person, some player who is never asked."""
    made = Seats.of(["random" if one == PERSON else one for one in seats])
    return Seats(players, made.kinds, made.bots)


def _written(lines: Iterable[Event]) -> str:
    return "".join(f"{write_event(line)}\n" for line in lines)


def _offered(player: str, chosen: Chosen | str, due: Decision) -> Chosen:
    """The action that is chosen, which must be among those offered."""
    for action in due.actions:
        if chosen == (written_choice(action) if isinstance(chosen, str) else action):
            return action
    raise WrongChoice(player, chosen, due.actions)


def written_choice(chosen: Chosen) -> str:
    """What was chosen as text: an action, or `nothing`."""
    if chosen is None:
        return "nothing"
    return write_event(chosen) if isinstance(chosen, WildRank) else write_action(chosen)


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


def game_headers(source: LogSource, seats: Seats, game: int) -> Iterator[Header]:
    """The headers of a game that was played here, with its players and its number."""
    yield from headers(source, seats.names)
    yield Header("X-Seats", ", ".join(seats.kinds))
    yield Header("X-Seed", f"{source.seed}, game {game}")


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
            yield from game_headers(source, seats, game)
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
