"""Standings over many games: hands and games played, games won, and points, by player."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import combinations
from typing import Final

from meldref.core.events import Header
from meldref.core.records import fresh, record
from meldref.notation.reader import Read
from meldref.notation.syntax import MONTH
from meldref.replay.log import Replay
from meldref.replay.result import LogReport, Scores
from meldref.scoring.counting import GameSheet, score_sheets

MOST_NAMES: Final = 300
"""Of more names than this, none are compared with one another."""
_ALIKE: Final = 0.85
"""How alike two names are that may be one name spelled differently, from 0 to 1."""


@record(frozen=False)
class PlayerRecord:
    """What one player did over some games.

    `wins` are games that were won, by the player or the player's side; a game that goes on is
    played and not won. `points` are the sum of the hands' scores, `best` is the best hand, the
    lowest where the lowest total wins in all of the games (None: no hand of theirs was scored).
    """

    name: str
    games: int = 0
    wins: int = 0
    hands: int = 0
    points: int = 0
    best: int | None = None
    calls: int = 0

    @property
    def mean(self) -> float | None:
        """Points a hand; None where no hand was scored."""
        return self.points / self.hands if self.hands else None


@record
class PlayedGame:
    """A game in standings: its sheet, the month of its log, and the rules it was played by."""

    sheet: GameSheet
    month: str
    house: str


@record
class Standings:
    """Standings over all games, by month and by the rules that were played; the best come first."""

    players: tuple[PlayerRecord, ...]
    months: Mapping[str, tuple[PlayerRecord, ...]] = fresh(default_factory=dict)
    houses: Mapping[str, tuple[PlayerRecord, ...]] = fresh(default_factory=dict)
    alike: tuple[tuple[str, str], ...] = ()


def games_of(lines: Iterable[Read], run: Replay) -> tuple[list[PlayedGame], LogReport]:
    """The games of a log, with the audit that their scores come from."""
    dates: list[str] = []
    date, begun = "", 0

    def noting() -> Iterable[Read]:
        nonlocal date, begun
        for read in lines:
            event = read[0].event
            if isinstance(event, Header):
                if run.report.games > begun:
                    date, begun = "", run.report.games
                if event.key == "Date":
                    date = event.value
            yield read
            dates.extend([date] * (run.report.games - len(dates)))

    sheets, report = score_sheets(noting(), run)
    return [PlayedGame(sheet, _month(dates, sheet), _house(sheet)) for sheet in sheets], report


def _month(dates: Sequence[str], sheet: GameSheet) -> str:
    """The month of a game as `2026-11`; nothing where its log has no date."""
    number = sheet.hands[0].game if sheet.hands else 0
    written = MONTH.search(dates[number - 1]) if 0 < number <= len(dates) else None
    return f"{written[1]}-{written[2]}" if written else ""


def _house(sheet: GameSheet) -> str:
    """The rules of a game: the id of the ruleset and of its options."""
    return "+".join((sheet.ruleset.id, *sheet.ruleset.options))


def standings(games: Sequence[PlayedGame]) -> Standings:
    """The standings over some games."""
    months = sorted({game.month for game in games if game.month})
    houses = sorted({game.house for game in games})
    players = _counted(games)
    return Standings(
        players,
        {month: _counted([game for game in games if game.month == month]) for month in months},
        {house: _counted([game for game in games if game.house == house]) for house in houses},
        tuple(_spelled_differently([player.name for player in players])),
    )


def _counted(games: Sequence[PlayedGame]) -> tuple[PlayerRecord, ...]:
    players: dict[str, PlayerRecord] = {}
    lowest = all(game.sheet.ruleset.game.winner == "lowest" for game in games)
    for game in games:
        _count(game.sheet, players, min if lowest else max)
    return tuple(
        sorted(players.values(), key=lambda player: (-player.wins, -player.points, player.name))
    )


def _count(
    sheet: GameSheet, players: dict[str, PlayerRecord], best: Callable[[int, int], int]
) -> None:
    """Adds one game; what a side scores counts for each of its players."""
    for side, names in enumerate(sheet.names):
        for name in names.split("+"):
            player = players.setdefault(name, PlayerRecord(name))
            player.games += 1
            player.wins += sheet.verdict.over and side in sheet.verdict.winners
            for hand in sheet.hands:
                _count_hand(player, hand, names, best)


def _count_hand(
    player: PlayerRecord, hand: Scores, side: str, best: Callable[[int, int], int]
) -> None:
    score = (hand.computed or {}).get(side)
    if score is None:
        score = (hand.recorded or {}).get(side)
    player.calls += (hand.calls or {}).get(player.name, 0)
    if score is None:
        return
    player.hands += 1
    player.points += score
    player.best = score if player.best is None else best(player.best, score)


def _spelled_differently(names: Sequence[str]) -> Iterable[tuple[str, str]]:
    """Pairs of names that may be one player's: they differ in case, accents or few letters."""
    if len(names) > MOST_NAMES:
        return
    for first, second in combinations(sorted(names), 2):
        first_name, other = _plain(first), _plain(second)
        long = min(len(first_name), len(other)) > 3
        if first_name == other or (
            long and SequenceMatcher(None, first_name, other).ratio() >= _ALIKE
        ):
            yield first, second


def _plain(name: str) -> str:
    """A name without case, accents, spaces and signs."""
    letters = unicodedata.normalize("NFKD", name).casefold()
    return "".join(letter for letter in letters if letter.isalnum())
