"""What the commands that play games out share: who sits at the table, and a progress bar for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from meldref_cli.errors import Unusable
from meldref_cli.progress import Bar

if TYPE_CHECKING:
    from meldref.ruleset.model import Ruleset
    from meldref.simulate import Seats, SimulatedHand


def seats_for(players: int | None, seats: str | None, kind: str, rulesets: Iterable[tuple[str, Ruleset]]) -> Seats:
    """Who plays: as `--seats` says, else so many of one kind, else as few as the rulesets allow.

    Raises:
        Unusable: there is no such kind of player, the two options disagree, or so many cannot play.
    """
    from meldref.simulate import KINDS, Seats, cannot_play

    rules = tuple(rulesets)
    if seats is not None:
        kinds = [one.strip() for one in seats.split(",")]
        for one in kinds:
            if one not in KINDS:
                raise Unusable(f"--seats {seats}: {one or 'nothing'} is no kind of player; there are {_kinds()}")
        if players is not None and players != len(kinds):
            raise Unusable(f"--players {players}, and --seats names {len(kinds)}: leave one of them out")
    else:
        kinds = []
        players = players or max((ruleset.players.min for _, ruleset in rules), default=2)
    for name, ruleset in rules:
        reason = cannot_play(ruleset, len(kinds) or players or 0)
        if reason is not None:
            raise Unusable(f"{name}: {reason}")
    return Seats.of(kinds or [kind] * (players or 0))


def _kinds() -> str:
    from meldref.simulate import KINDS

    return " and ".join(KINDS)


class PlayBar(Bar):
    """A bar for hands or games that are played."""

    def _show(self) -> None:
        super()._show()
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, description="playing")


def ticking(hands: Iterable[SimulatedHand], bar: Bar, *, games: bool = False) -> Iterator[SimulatedHand]:
    """Hands as they come, counted by the bar: each of them, or each game."""
    game = 0
    for played in hands:
        if not games:
            bar.tick(1)
        elif played.game != game:
            bar.tick(0 if not game else 1)
            game = played.game
        yield played
