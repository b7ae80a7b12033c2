"""What the commands that play games out share: who sits at the table, and a progress bar for it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from inspect import signature
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from meldref.core.records import changed
from meldref_cli.errors import Unusable
from meldref_cli.options import To
from meldref_cli.progress import Bar

if TYPE_CHECKING:
    from meldref.ruleset.model import Ruleset
    from meldref.simulate import LogSource, Observation, Seats, SimulatedHand
    from meldref.simulate.players import Chosen


def seats_for(players: int | None, seats: str | None, kind: str, rulesets: Iterable[tuple[str, Ruleset]]) -> Seats:
    """Who plays: as `--seats` says, else `players` of one kind, else as few as the rulesets allow."""
    rules = tuple(rulesets)
    if seats is None:
        count = players or max((ruleset.players.min for _, ruleset in rules), default=2)
        _check_number(count, rules)
        return seats_of([kind] * count, rules)
    kinds = [one.strip() for one in seats.split(",")]
    if players is not None and players != len(kinds):
        raise Unusable(f"--players {players}, and --seats names {len(kinds)}: leave one of them out")
    return seats_of(kinds, rules)


def _check_number(players: int, rulesets: Sequence[tuple[str, Ruleset]]) -> None:
    from meldref.simulate import cannot_play

    for name, ruleset in rulesets:
        reason = cannot_play(ruleset, players)
        if reason is not None:
            raise Unusable(f"{name}: {reason}")


def seats_of(kinds: Sequence[str], rulesets: Sequence[tuple[str, Ruleset]]) -> Seats:
    """Seats of these players: kinds of the library's own, or `MODULE:NAME`, which is imported from here."""
    from meldref.simulate import KINDS, Seats

    _check_number(len(kinds), rulesets)
    for one in kinds:
        if one not in KINDS and ":" not in one:
            known = f"{' and '.join(KINDS)}, or MODULE:NAME for a player of your own"
            raise Unusable(f"--seats: {one or 'nothing'} is not a kind of player; there are {known}")
    players = [one if one in KINDS else _Outsider(one, rulesets[0][1]) for one in kinds]
    return changed(Seats.of(players), kinds=tuple(kinds))


def lines_of(hands: Iterable[SimulatedHand], source: LogSource, seats: Seats, form: To) -> Iterator[str]:
    """The log of hands in a format, each line with its end."""
    from meldref.jsonlines import json_lines
    from meldref.simulate import log_events, log_lines

    return json_lines(log_events(hands, source, seats)) if form is To.JSON else log_lines(hands, source, seats)


class _Outsider:
    """A player that a module brings; what goes wrong in it is the user's to know."""

    def __init__(self, name: str, ruleset: Ruleset) -> None:
        """Imports the module, from the current folder as well."""
        self._name = name
        module, _, rest = name.partition(":")
        if (here := str(Path.cwd())) not in sys.path:
            sys.path.insert(0, here)
        try:
            player = attrgetter(rest)(import_module(module))
            if isinstance(player, type):  # made with the ruleset, where it takes anything
                player = player(ruleset) if signature(player).parameters else player()
        except (Exception, SystemExit) as fault:  # whatever a stranger's module does
            raise Unusable(f"--seats {name}: {type(fault).__name__}: {fault}") from fault
        if not callable(getattr(player, "choose", None)):
            raise Unusable(f"--seats {name}: {type(player).__name__} has no method choose(seen, actions)")
        self._player = player

    def choose(self, seen: Observation, actions: Sequence[Chosen]) -> Chosen:
        """What the player chooses; a fault of its own is a `ValueError`."""
        try:
            chosen: Chosen = self._player.choose(seen, actions)
        except Exception as fault:
            raise ValueError(f"--seats {self._name}: {type(fault).__name__}: {fault}") from fault
        return chosen


class PlayBar(Bar):
    """A bar for hands or games that are played, and how much was: hands without an end are `endless`."""

    hands = games = endless = 0

    def __init__(self, total: int, *, wanted: bool = True) -> None:
        super().__init__(total, wanted=wanted, doing="playing")


def ticking(hands: Iterable[SimulatedHand], bar: PlayBar, *, games: bool = False) -> Iterator[SimulatedHand]:
    """Hands as they come, counted by the bar, which shows each of them, or each game."""
    for played in hands:
        bar.tick(1 if not games else int(0 < bar.games < played.game))
        bar.hands, bar.games = bar.hands + 1, played.game
        bar.endless += played.reason == "void"
        yield played
