"""Standings over many games: hands and games played, games won, and points, by player."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from functools import partial
from itertools import combinations, groupby
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


class Order(StrEnum):
    """What standings are ordered by."""

    WINS = "wins"
    POINTS = "points"
    MEAN = "mean"
    PLACES = "places"


@record
class Ranking:
    """How standings are made.

    `places` are a club's own points for the first place in a game, the second and so on, `best` is
    how many evenings count of each player, the best ones (None: all), `aliases` other names by
    which players are written down, each with the name that counts.
    """

    by: Order = Order.WINS
    places: tuple[int, ...] = ()
    best: int | None = None
    aliases: Mapping[str, str] = fresh(default_factory=dict)


@record(frozen=False)
class PlayerRecord:
    """What one player did over some games.

    `wins` are games that were won, by the player or the player's side; a game that goes on is
    played and not won. `points` are the sum of the hands' scores, `best` is the best hand, the
    lowest where the lowest total wins in all of the games (None: no hand of theirs was scored).
    `evenings` are the logs that the games are in, `for_places` a club's own points. `open` are the
    hands whose score is not known: `points`, `mean` and `best` are without them.
    """

    name: str
    games: int = 0
    wins: int = 0
    hands: int = 0
    points: int = 0
    best: int | None = None
    calls: int = 0
    evenings: int = 0
    for_places: int = 0
    open: int = 0

    @property
    def mean(self) -> float | None:
        """Points a hand; None where no hand was scored."""
        return self.points / self.hands if self.hands else None


@record
class PlayedGame:
    """A game in standings: its sheet, the month of its log, and the rules it was played by.

    `evening` is the log that it is in, `aliases` are other names of players, as the log says.
    """

    sheet: GameSheet
    month: str
    house: str
    evening: str = ""
    aliases: Mapping[str, str] = fresh(default_factory=dict)


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
    aliases: dict[str, str] = {}
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
                if event.key == "Alias":
                    aliases.update(read_alias(event.value) or ())
            yield read
            dates.extend([date] * (run.report.games - len(dates)))

    sheets, report = score_sheets(noting(), run)
    games = [
        PlayedGame(sheet, _month(dates, sheet), _house(sheet), run.report.path, aliases)
        for sheet in sheets
    ]
    return games, report


def read_alias(text: str) -> dict[str, str] | None:
    """`Lotte = Oma Lotte`: other names, with commas between them, each with the first; else None."""
    name, equals, others = (part.strip() for part in text.partition("="))
    names = [other.strip() for other in others.split(",")]
    if not (equals and name and all(names)):
        return None
    return dict.fromkeys(names, name)


def _month(dates: Sequence[str], sheet: GameSheet) -> str:
    """The month of a game as `2026-11`; nothing where its log has no date."""
    number = sheet.hands[0].game if sheet.hands else 0
    written = MONTH.search(dates[number - 1]) if 0 < number <= len(dates) else None
    return f"{written[1]}-{written[2]}" if written else ""


def _house(sheet: GameSheet) -> str:
    """The rules of a game: the id of the ruleset and of its options."""
    return "+".join((sheet.ruleset.id, *sheet.ruleset.options))


def standings(games: Sequence[PlayedGame], ranking: Ranking | None = None) -> Standings:
    """The standings over some games."""
    counted = partial(_counted, ranking=ranking or Ranking())
    months = sorted({game.month for game in games if game.month})
    houses = sorted({game.house for game in games})
    players = counted(games)
    return Standings(
        players,
        {month: counted([game for game in games if game.month == month]) for month in months},
        {house: counted([game for game in games if game.house == house]) for house in houses},
        tuple(_spelled_differently([player.name for player in players])),
    )


def _counted(games: Sequence[PlayedGame], ranking: Ranking) -> tuple[PlayerRecord, ...]:
    """Every player over the evenings that count, the best first."""
    lowest = all(game.sheet.ruleset.game.winner == "lowest" for game in games)
    best = min if lowest else max
    merit = _MERITS[ranking.by]
    evenings: dict[str, list[PlayerRecord]] = {}
    for _, together in groupby(games, key=lambda game: game.evening):
        for player in _of_evening([*together], ranking, best):
            evenings.setdefault(player.name, []).append(player)
    players = []
    for several in evenings.values():
        several.sort(key=merit, reverse=True)
        players.append(_together(several[: ranking.best], best))
    return tuple(
        sorted(
            players,
            key=lambda player: (*(-part for part in merit(player)), player.name),
        )
    )


def _by_mean(player: PlayerRecord) -> tuple[float, ...]:
    return (float("-inf") if player.mean is None else player.mean, player.wins)


_MERITS: Final[Mapping[Order, Callable[[PlayerRecord], tuple[float, ...]]]] = {
    Order.WINS: lambda player: (player.wins, player.points),
    Order.POINTS: lambda player: (player.points, player.wins),
    Order.MEAN: _by_mean,
    Order.PLACES: lambda player: (player.for_places, player.wins, player.points),
}
"""What counts for more, first, by what standings are ordered by."""


def _together(evenings: Sequence[PlayerRecord], best: Callable[[int, int], int]) -> PlayerRecord:
    """A player's evenings as one record."""
    whole = PlayerRecord(evenings[0].name)
    for evening in evenings:
        whole.games += evening.games
        whole.wins += evening.wins
        whole.hands += evening.hands
        whole.points += evening.points
        whole.calls += evening.calls
        whole.evenings += evening.evenings
        whole.for_places += evening.for_places
        whole.open += evening.open
        if evening.best is not None:
            whole.best = evening.best if whole.best is None else best(whole.best, evening.best)
    return whole


def _of_evening(
    games: Sequence[PlayedGame], ranking: Ranking, best: Callable[[int, int], int]
) -> Iterable[PlayerRecord]:
    """What each player did in the games of one evening."""
    players: dict[str, PlayerRecord] = {}
    for game in games:
        _count(game.sheet, players, {**game.aliases, **ranking.aliases}, ranking.places, best)
    return players.values()


def _count(
    sheet: GameSheet,
    players: dict[str, PlayerRecord],
    aliases: Mapping[str, str],
    for_places: Sequence[int],
    best: Callable[[int, int], int],
) -> None:
    """Adds one game; what a side scores counts for each of its players."""
    for side, names in enumerate(sheet.names):
        place = _place(sheet, side)
        for written in names.split("+"):
            name = aliases.get(written, written)
            player = players.setdefault(name, PlayerRecord(name, evenings=1))
            player.games += 1
            player.wins += sheet.verdict.over and side in sheet.verdict.winners
            if place is not None and place < len(for_places):
                player.for_places += for_places[place]
            for hand in sheet.hands:
                player.calls += (hand.calls or {}).get(written, 0)
                _count_hand(player, hand, names, best)


def _place(sheet: GameSheet, side: int) -> int | None:
    """The place of a side in a game, from 0; those level share the better one. None: not known."""
    own = sheet.totals[side]
    if own is None:
        return None
    lowest = sheet.ruleset.game.winner == "lowest"
    known = [total for total in sheet.totals if total is not None]
    return sum(total < own if lowest else total > own for total in known)


def _count_hand(
    player: PlayerRecord, hand: Scores, side: str, best: Callable[[int, int], int]
) -> None:
    score = (hand.computed or {}).get(side)
    if score is None:
        score = (hand.recorded or {}).get(side)
    if score is None:
        player.open += side not in hand.absent
        return
    player.hands += 1
    player.points += score
    player.best = score if player.best is None else best(player.best, score)


def _spelled_differently(names: Sequence[str]) -> Iterable[tuple[str, str]]:
    """Pairs of names that may be one player's.

    They differ in case, accents or few letters, in a last letter, or one is a part of the other.
    """
    if len(names) > MOST_NAMES:
        return
    for first, second in combinations(sorted(names), 2):
        first_name, other = _plain(first), _plain(second)
        long = min(len(first_name), len(other)) > 3
        is_near = long and SequenceMatcher(None, first_name, other).ratio() >= _ALIKE
        is_short = _is_short_for(first, second) or _is_short_for(second, first)
        if first_name == other or is_near or is_short:
            yield first, second


def _is_short_for(short: str, full: str) -> bool:
    """Whether a name is some words of another one, as Lotte of Oma Lotte, or lacks its last letter.

    Players of one letter, as in examples, are nobody's short names.
    """
    words = {_plain(word) for word in full.split()}
    part = {_plain(word) for word in short.split()}
    if part < words:
        return max(map(len, part)) > 1
    plain = _plain(short)
    return len(plain) > 2 and _plain(full)[:-1] == plain


def _plain(name: str) -> str:
    """A name without case, accents, spaces and signs."""
    letters = unicodedata.normalize("NFKD", name).casefold()
    return "".join(letter for letter in letters if letter.isalnum())
