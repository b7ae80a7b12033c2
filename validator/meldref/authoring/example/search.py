"""Where examples are looked for: small records first, then hands that are played out; each find is made smaller.

Both ways are looked at: games that are clean by the first ruleset and not by the second, and the other way round.
Everything hangs on the seed alone; the effort is a number of hands, not a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Final

from meldref.authoring.difference import compare_meaning
from meldref.authoring.example.plain import plain
from meldref.authoring.example.probes import probes, sheets
from meldref.authoring.example.random_walk import walk
from meldref.authoring.example.shrink import Shrinker, weight
from meldref.authoring.example.simulated import play, variants
from meldref.authoring.example.trial import Game, Trial
from meldref.core.diagnostics import Finding
from meldref.core.records import record
from meldref.notation.writer import write_event
from meldref.ruleset.model import Ruleset
from meldref.simulate.rng import Dice

_ENOUGH: Final = 12
"""After so many finds of one kind of game, no more of it are looked at."""
_ON_SHEETS: Final = (
    "players.direction",
    "deal.next_dealer",
    "scoring.below_zero.total",
    "game.",
    "partnership.",
    "settlement.",
)
"""What score sheets can show begins so."""
_SHORTEST: Final = 3
"""A game that is made up has so many lines at least: players, a hand, a turn."""
_SHORT: Final = 4
_MOST_LINES: Final = 1_000_000
_BRIEF: Final = 40
"""So many walks do where an example of no more than `_SHORT` lines is known."""
_FEW: Final = 4
"""So many finds do where one has no more than `_SHORT` lines."""
_MOST_CHANGES: Final = 25
"""So many small changes of a hand that is played out are tried."""
_ROOM: Final = 2
"""A game that is longer than the best find by more lines is not looked at."""
_HANDS_A_WALK: Final = 0.02
"""Hands that are played out, for each walk."""


UNSEEN: Final = {
    "draw.dead_end": "a turn that has no legal end is illegal in a record, whatever began it",
    "out.face": "a last discard that nobody saw is left open, and no violation",
    "calls.several": "of two who call, one is too late either way",
}
"""Keys that no record of a game can show, and why."""


@record
class ExampleGame:
    """A log that is clean by one ruleset (0 the first, 1 the second), and what the other one finds first in it."""

    clean: int
    text: str
    finding: Finding


@record
class Effort:
    """How far was looked: small records, short games made up, hands played out."""

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
    """The shortest example that can be found, and how far was looked for it.

    Args:
        first: a ruleset.
        second: the other one.
        walks: so many short games are made up by each, and a fiftieth as many hands played out.
        seed: the same seed finds the same example.
        tick: is told of each of them.
        remarks: comments for the head of the log, by the ruleset that it is clean by.
        enough: after so many finds of one kind of game no more of it are looked at: fewer are found sooner.
    """
    differ = compare_meaning(first, second).in_meaning
    if differ and all(one.key in UNSEEN for one in differ):
        return None, Effort(0, 0, 0)
    searches = (_Search(first, second, 0), _Search(second, first, 1))
    for records in (_Search.probes, _Search.sheets):
        if _shortest(searches) > _SHORTEST:
            _look_at(searches, [records(search) for search in searches], enough)
    if not (searches[0].on_sheets_alone and any(search.best for search in searches)):
        _make_up(searches, walks, seed, tick, enough)
    if not any(search.best for search in searches):
        for number in range(max(1, round(walks * _HANDS_A_WALK))):
            for search in searches:
                search.play_out(number, seed)
            if any(search.best for search in searches):
                break
    effort = Effort(
        sum(search.records for search in searches),
        sum(search.walks for search in searches),
        sum(search.hands for search in searches),
    )
    found = [search for search in searches if search.best is not None]
    for search in sorted(found, key=lambda search: (weight(search.smallest), search.clean)):
        example = search.example(remarks(search.clean))
        if example is not None:
            return example, effort
    return None, effort


def _shortest(searches: Sequence[_Search]) -> int:
    """How many lines the shortest example has; more than any has where none is known."""
    return min((len(search.best) for search in searches if search.best is not None), default=_MOST_LINES)


def _look_at(searches: Sequence[_Search], records: Sequence[Iterator[Game]], enough: int) -> None:
    """Looks at the records of each search in turn, until there are examples enough."""
    finds = 0
    for games in zip_longest(*records):
        for search, game in zip(searches, games, strict=True):
            finds += game is not None and search.look_at_record(game)
        if finds >= enough:
            return


def _make_up(searches: Sequence[_Search], walks: int, seed: int, tick: Callable[[int], None], enough: int) -> None:
    """Makes games up by each ruleset in turn, until there are examples enough."""
    finds = 0
    for number in range(walks):
        best = _shortest(searches)
        if (
            best <= _SHORTEST
            or finds >= (min(_FEW, enough) if best <= _SHORT else enough)
            or (best <= _SHORT and number >= _BRIEF)
        ):
            return
        for search in searches:
            tick(1)
            finds += search.make_up(number, seed)


class _Search:
    """The search for games that are clean by one ruleset and not by the other."""

    def __init__(self, clean: Ruleset, other: Ruleset, which: int) -> None:
        self.trial = Trial(clean, other)
        self.clean = which
        self.best: Game | None = None
        self.records = self.walks = self.hands = 0
        self._shrinker = Shrinker(self.trial)
        differ = [one.key for one in compare_meaning(clean, other).in_meaning]
        self._sections = frozenset(key.partition(".")[0] for key in differ)
        self.on_sheets_alone = self._sections <= {"game", "settlement"}
        """Whether what differs shows in no turn."""
        self._sheets = any(key.startswith(_ON_SHEETS) for key in differ)

    @property
    def smallest(self) -> Game:
        """The best find; there is one."""
        assert self.best is not None
        return self.best

    def probes(self) -> Iterator[Game]:
        """Small records that may show the sections in which the rulesets differ."""
        return probes(self.trial.clean, self._sections)

    def sheets(self) -> Iterator[Game]:
        """Score sheets, where they may show what differs."""
        return sheets(self.trial.clean, self.trial.other) if self._sheets else iter(())

    def look_at_record(self, game: Game) -> bool:
        """Whether a small record is an example."""
        self.records += 1
        return self._look(game)

    def make_up(self, number: int, seed: int) -> bool:
        """Whether an example is among the games of a walk."""
        self.walks += 1
        finds = [self._look(game) for game in walk(self.trial.clean, number, seed, self._sections)]
        return any(finds)

    def play_out(self, number: int, seed: int) -> None:
        """Tries a hand that is played out, and the same with small changes."""
        game = play(self.trial.clean, number, seed, self._sections)
        if game is None:
            return
        self.hands += 1
        if self._look(game):
            return
        changes = list(variants(game))
        Dice(seed, "variants", number).shuffle(changes)
        any(self._look(change) for change in changes[:_MOST_CHANGES])

    def _look(self, game: Game) -> bool:
        """Whether a game is an example; the smallest one is kept."""
        if self.best is not None and len(game) > len(self.best) + _ROOM:
            return False
        found = self.trial.objection(game)
        if found is None:
            return False
        game = self._shrinker.shrink(game, found)
        if self.best is None or weight(game) < weight(self.best):
            self.best = game
        return True

    def example(self, remarks: Sequence[str]) -> ExampleGame | None:
        """The best find as a log, once more put to both rulesets as it is written."""
        lines = [*remarks, *map(write_event, plain(self.smallest, self.trial))]
        text = "".join(f"{line}\n" for line in lines)
        finding = self.trial.confirm(text)
        return None if finding is None else ExampleGame(self.clean, text, finding)
