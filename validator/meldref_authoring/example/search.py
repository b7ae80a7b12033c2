"""Looks for examples: among small records, short games, then whole hands; each is made smaller.

Both ways are looked at: games that are clean by the first ruleset and not by the second, and the
other way round. Everything depends only on the seed; the effort is a number of games, not a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Final

from meldref.core import events
from meldref.core.diagnostics import Finding
from meldref.core.records import record
from meldref.notation.writer import write_event
from meldref.rules.setup import table_size
from meldref.ruleset.model import Ruleset
from meldref_authoring.difference import UNSEEN, compare_meaning
from meldref_authoring.example.probes import probes, sheets
from meldref_authoring.example.random_walk import Walk
from meldref_authoring.example.shrink import plain, shrink, weight
from meldref_authoring.otherwise import Game, Trial, players
from meldref_table.simulate import Observation, Seats, play_hands
from meldref_table.simulate.quick_moves.choices import Choice
from meldref_table.simulate.rng import Dice

_ENOUGH: Final = 12
"""After this many finds among one kind of game, no more of it are looked at."""
_AT_STOCK_END: Final = frozenset({"scoring.nobody_out", "scoring.hands_at_stock_end"})
"""Keys that matter only in hands in which nobody goes out."""
_ON_SHEETS: Final = (
    "players.direction",
    "deal.next_dealer",
    "scoring.below_zero.total",
    "game.",
    "partnership.",
    "settlement.",
)
"""How the keys begin that score sheets can show."""
_SHORTEST: Final = 3
"""The fewest lines of a game that is made up: players, a hand, a turn."""
_SHORT: Final = 4
_MOST_LINES: Final = 1_000_000
_BRIEF: Final = 40
"""After so many games of a kind no more are looked at where an example of `_SHORT` lines is known,"""
_FEW: Final = 4
"""or after so many finds."""
_ROOM: Final = 2
"""A game that is longer than the best find by more lines is not looked at."""
_HANDS_A_WALK: Final = 0.02
"""Hands that are played out, for each walk."""
_EAGER: Final = (events.Take, events.Meld, events.LayOff, events.Swap, events.Call, events.Buy)
_MOST_TABLE: Final = 6
"""Larger tables show little that smaller ones do not, and take long to play."""


@record
class ExampleGame:
    """A log that one ruleset finds clean (0: the first), and the other's first finding in it."""

    clean: int
    text: str
    finding: Finding


@record
class Effort:
    """What was tried: small records, short games made up, hands played out."""

    records: int
    walks: int
    hands: int


def find_example(
    first: Ruleset,
    second: Ruleset,
    walks: int,
    seed: int,
    tick: Callable[[int], None] = lambda step: None,
    remarks: Callable[[int], Sequence[str]] = lambda clean: (),
    enough: int = _ENOUGH,
    *,
    plays_hands: bool = True,
) -> tuple[ExampleGame | None, Effort]:
    """The shortest example that can be found, and what was tried to find it.

    Args:
        first: a ruleset.
        second: the other one.
        walks: the number of short games that are made up by each; a fiftieth as many hands
            are played out.
        seed: the same seed finds the same example.
        tick: called for each of them.
        remarks: comments for the head of the log, by the ruleset that it is clean by.
        enough: after this many finds among one kind of game no more of it are looked at:
            fewer are found sooner.
        plays_hands: where short games show nothing, whole hands are played out.
    """
    differ = [difference.key for difference in compare_meaning(first, second).in_meaning]
    if differ and all(key in UNSEEN for key in differ):
        return None, Effort(0, 0, 0)
    searches = (_Search(first, second, 0, differ), _Search(second, first, 1, differ))
    records = _look_at(searches, [search.records() for search in searches], enough)
    if any(key.startswith(_ON_SHEETS) for key in differ):
        records += _look_at(searches, [search.sheets() for search in searches], enough)
    made_up = played = 0
    only_on_sheets = searches[0].sections <= {"game", "settlement"}
    if not (only_on_sheets and any(search.best for search in searches)):
        games = [search.walks(walks, seed, tick) for search in searches]
        made_up = _look_at(searches, games, enough)
    if plays_hands and not any(search.best for search in searches):
        hands = max(1, round(walks * _HANDS_A_WALK))
        played = _look_at(searches, [search.hands(hands, seed) for search in searches], 1)
    effort = Effort(records, made_up, played)
    successful = [search for search in searches if search.best]
    for search in sorted(successful, key=lambda search: weight(search.best)):
        example = search.example(remarks(search.clean))
        if example is not None:
            return example, effort
    return None, effort


def _look_at(
    searches: Sequence[_Search], sources: Sequence[Iterator[Iterable[Game]]], enough: int
) -> int:
    """Puts games of one kind to the rulesets, by each in turn, until there are examples enough.

    How many were looked at; one that is looked at as it grows counts once.
    """
    tried = finds = 0
    for number, turns in enumerate(zip_longest(*sources)):
        for search, games in zip(searches, turns, strict=True):
            if games is not None:
                tried += 1
                finds += search.finds(games)
        lengths = [len(search.best) for search in searches if search.best]
        shortest = min(lengths, default=_MOST_LINES)
        if shortest <= _SHORTEST or finds >= enough:
            break
        if shortest <= _SHORT and (finds >= _FEW or number >= _BRIEF):
            break
    return tried


class _Player:
    """Does what is legal: mostly takes, lays and calls, or if `idle` never, to empty the stock."""

    def __init__(self, dice: Dice, *, idle: bool) -> None:
        self._dice = dice
        self._idle = idle

    def choose(
        self, seen: Observation, actions: Sequence[Choice | events.WildRank]
    ) -> Choice | events.WildRank:
        """One of the actions."""
        liked = [action for action in actions if isinstance(action, _EAGER) is not self._idle]
        if liked and (self._idle or self._dice.below(10) < 6):
            return self._dice.pick(liked)
        return self._dice.pick(actions)


class _Search:
    """The search for games that are clean by one ruleset and not by the other.

    `differ` are the keys that do.
    """

    def __init__(self, clean: Ruleset, other: Ruleset, which: int, differ: Sequence[str]) -> None:
        self.trial = Trial(clean, other)
        self.clean = which
        self.sections = frozenset(key.partition(".")[0] for key in differ)
        self.empties_stock = "stock" in self.sections or not _AT_STOCK_END.isdisjoint(differ)
        self.best: Game = ()

    def records(self) -> Iterator[Iterable[Game]]:
        """The shortest records of the first ruleset, one at a time."""
        return ([game] for game in probes(self.trial.clean, self.sections))

    def sheets(self) -> Iterator[Iterable[Game]]:
        """Score sheets, each as it grows."""
        return sheets(self.trial.clean, self.trial.other)

    def walks(self, walks: int, seed: int, tick: Callable[[int], None]) -> Iterator[Iterable[Game]]:
        """Short games that are made up, each as it grows."""
        for number in range(walks):
            tick(1)
            yield Walk(self.trial.clean, number, seed, self.sections).games()

    def hands(self, hands: int, seed: int) -> Iterator[Iterable[Game]]:
        """Hands that are played out, at one of the tables in turn."""
        rules = self.trial.clean
        numbers = [count for count in rules.players.numbers if count <= _MOST_TABLE]
        numbers = numbers or [rules.players.min]
        for number in range(hands):
            player = _Player(Dice(seed, "play", number), idle=self.empties_stock)
            seats = Seats.of([player] * numbers[number % len(numbers)])
            if table_size(rules, len(seats.names)) is None:
                (hand,) = play_hands(rules, seats, seed * 1000 + number, 1)
                yield [(players(seats.names), *hand.lines)]

    def finds(self, games: Iterable[Game]) -> bool:
        """Whether there is an example among games; the smallest one is kept."""
        is_found = False
        for game in games:
            if self.best and len(game) > len(self.best) + _ROOM:
                continue
            finding = self.trial.objection(game)
            if finding is None:
                continue
            is_found = True
            example = shrink(self.trial, game, finding)
            if not self.best or weight(example) < weight(self.best):
                self.best = example
        return is_found

    def example(self, remarks: Sequence[str]) -> ExampleGame | None:
        """The best find as a log, once more put to both rulesets as it is written."""
        lines = [*remarks]
        lines += [write_event(event) for event in plain(self.best, self.trial)]
        text = "".join(f"{line}\n" for line in lines)
        finding = self.trial.objection(text)
        return None if finding is None else ExampleGame(self.clean, text, finding)
