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
from meldref_authoring.example.trial import Game, Trial, players
from meldref_table.simulate import Observation, Seats, play_hands
from meldref_table.simulate.quick_moves.choices import Choice
from meldref_table.simulate.rng import Dice

_ENOUGH: Final = 12
"""After this many finds among one kind of game, no more of it are looked at."""
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
"""The most walks where an example of no more than `_SHORT` lines is known."""
_FEW: Final = 4
"""As many finds are enough where one has no more than `_SHORT` lines."""
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
    """
    differ = [difference.key for difference in compare_meaning(first, second).in_meaning]
    if differ and all(key in UNSEEN for key in differ):
        return None, Effort(0, 0, 0)
    searches = (_Search(first, second, 0, differ), _Search(second, first, 1, differ))
    kinds = [[probes(search.trial.clean, search.sections) for search in searches]]
    if any(key.startswith(_ON_SHEETS) for key in differ):
        kinds.append([sheets(search.trial.clean, search.trial.other) for search in searches])
    for records in kinds:
        if _shortest(searches) > _SHORTEST:
            _look_at(searches, records, enough)
    if not (
        searches[0].sections <= {"game", "settlement"} and any(search.best for search in searches)
    ):
        _make_up(searches, walks, seed, tick, enough)
    for number in range(max(1, round(walks * _HANDS_A_WALK))):
        if any(search.best for search in searches):
            break
        for search in searches:
            search.play_out(number, seed)
    effort = Effort(
        *(sum(counts) for counts in zip(*(search.tried for search in searches), strict=True))
    )
    games = sorted(
        (search for search in searches if search.best), key=lambda search: weight(search.best)
    )
    examples = (search.example(remarks(search.clean)) for search in games)
    return next(filter(None, examples), None), effort


def _shortest(searches: Sequence[_Search]) -> int:
    """The number of lines of the shortest example; more than any has where none is known."""
    return min((len(search.best) for search in searches if search.best), default=_MOST_LINES)


def _look_at(searches: Sequence[_Search], records: Sequence[Iterator[Game]], enough: int) -> None:
    """Looks at the records of each search in turn, until there are examples enough."""
    finds = 0
    for games in zip_longest(*records):
        for search, game in zip(searches, games, strict=True):
            if game is not None:
                search.tried[0] += 1
                finds += search.finds([game])
        if finds >= enough:
            return


def _make_up(
    searches: Sequence[_Search], walks: int, seed: int, tick: Callable[[int], None], enough: int
) -> None:
    """Makes games up by each ruleset in turn, until there are examples enough."""
    finds = 0
    for number in range(walks):
        best = _shortest(searches)
        most, wanted = (_BRIEF, min(_FEW, enough)) if best <= _SHORT else (walks, enough)
        if best <= _SHORTEST or number >= most or finds >= wanted:
            return
        for search in searches:
            tick(1)
            search.tried[1] += 1
            finds += search.finds(Walk(search.trial.clean, number, seed, search.sections).games())


class _Player:
    """Does what is legal: mostly takes, lays and calls, or if `idle` never, to empty the stock."""

    def __init__(self, dice: Dice, *, idle: bool) -> None:
        self._dice = dice
        self._idle = idle

    def choose(
        self, seen: Observation, actions: Sequence[Choice | events.WildRank]
    ) -> Choice | events.WildRank:
        """One of the actions."""
        some = [action for action in actions if isinstance(action, _EAGER) is not self._idle]
        return self._dice.pick(
            some if some and (self._idle or self._dice.below(10) < 6) else actions
        )


class _Search:
    """The search for games that are clean by one ruleset and not by the other.

    `differ` are the keys that do.
    """

    def __init__(self, clean: Ruleset, other: Ruleset, which: int, differ: Sequence[str]) -> None:
        self.trial = Trial(clean, other)
        self.clean = which
        self.sections = frozenset(key.partition(".")[0] for key in differ)
        self.best: Game = ()
        self.tried = [0, 0, 0]
        """The numbers of records, walks and hands."""

    def play_out(self, number: int, seed: int) -> None:
        """Tries a hand that is played out, at one of the tables in turn."""
        rules = self.trial.clean
        numbers = [count for count in rules.players.numbers if count <= _MOST_TABLE] or [
            rules.players.min
        ]
        dice = Dice(seed, "play", number)
        player = _Player(dice, idle="stock" in self.sections)
        seats = Seats.of([player] * numbers[number % len(numbers)])
        if table_size(rules, len(seats.names)) is None:
            self.tried[2] += 1
            for hand in play_hands(rules, seats, seed * 1000 + number, 1):
                self.finds([(players(seats.names), *hand.lines)])

    def finds(self, games: Iterable[Game]) -> bool:
        """Whether there is an example among games; the smallest one is kept."""
        any_found = False
        for game in games:
            if self.best and len(game) > len(self.best) + _ROOM:
                continue
            finding = self.trial.objection(game)
            if finding is not None:
                any_found = True
                self.best = min(
                    filter(None, (self.best, shrink(self.trial, game, finding))), key=weight
                )
        return any_found

    def example(self, remarks: Sequence[str]) -> ExampleGame | None:
        """The best find as a log, once more put to both rulesets as it is written."""
        lines = [*remarks, *map(write_event, plain(self.best, self.trial))]
        text = "".join(f"{line}\n" for line in lines)
        finding = self.trial.objection(text)
        return None if finding is None else ExampleGame(self.clean, text, finding)
