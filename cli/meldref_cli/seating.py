"""The players of a simulated game, as `--seats` names them, and the log of what they play."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from inspect import signature
from operator import attrgetter
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import TYPE_CHECKING

from meldref.core.records import changed
from meldref.report.text import shown_path
from meldref_cli.errors import Unusable
from meldref_cli.files import is_file
from meldref_cli.options import To

if TYPE_CHECKING:
    from meldref.ruleset.model import Ruleset
    from meldref_table.simulate import LogSource, Observation, Seats, SimulatedHand
    from meldref_table.simulate.players import Chosen


def seats_for(
    players: int | None,
    seats: str | None,
    kind: str,
    rulesets: Iterable[tuple[str, Ruleset]],
    *,
    mismatch: str = "--players {players}, and --seats names {seats}: leave one of them out",
) -> Seats:
    """Who plays: as `--seats` says, else `players` of one kind, else as few as allowed.

    `mismatch` is what is said where these numbers of players differ.
    """
    rules = tuple(rulesets)
    if seats is None:
        count = players or max((ruleset.players.min for _, ruleset in rules), default=2)
        _check_number(count, rules)
        return seats_of([kind] * count, rules)
    kinds = [kind.strip() for kind in seats.split(",")]
    if players is not None and players != len(kinds):
        raise Unusable(mismatch.format(players=players, seats=len(kinds)))
    return seats_of(kinds, rules)


def _check_number(players: int, rulesets: Sequence[tuple[str, Ruleset]]) -> None:
    from meldref_table.simulate import cannot_play

    for name, ruleset in rulesets:
        reason = cannot_play(ruleset, players)
        if reason is not None:
            raise Unusable(f"{name}: {reason}")


def seats_of(kinds: Sequence[str], rulesets: Sequence[tuple[str, Ruleset]]) -> Seats:
    """Seats of these players: kinds of the library's own, or `MODULE:NAME` from here."""
    from meldref_table.simulate import KINDS, Seats

    for kind in kinds:
        if kind not in KINDS and ":" not in kind:
            kinds_known = f"{' and '.join(KINDS)}, or MODULE:NAME for a player of your own"
            raise Unusable(
                f"--seats: {kind or 'nothing'} is not a kind of player; there are {kinds_known}"
            )
    _check_number(len(kinds), rulesets)
    players = [kind if kind in KINDS else _Outsider(kind, rulesets[0][1]) for kind in kinds]
    return changed(Seats.of(players), kinds=tuple(kinds))


def lines_of(
    hands: Iterable[SimulatedHand], source: LogSource, seats: Seats, form: To
) -> Iterator[str]:
    """The log of hands in a format, each line with its end."""
    from meldref.notation.jsonlines import json_lines
    from meldref_table.simulate import log_events, log_lines

    return (
        json_lines(log_events(hands, source, seats))
        if form is To.JSON
        else log_lines(hands, source, seats)
    )


class _Outsider:
    """A player that a module brings; what goes wrong in it is the user's to know."""

    def __init__(self, name: str, ruleset: Ruleset) -> None:
        """Loads the module."""
        self._name = name
        module, _, rest = name.partition(":")
        try:
            player = attrgetter(rest)(_module(module))
            if isinstance(player, type):  # made with the ruleset, where it takes anything
                player = player(ruleset) if signature(player).parameters else player()
        except (Exception, SystemExit) as fault:  # whatever a stranger's module does
            raise Unusable(f"--seats {name}: {_told(fault)}") from fault
        if not callable(getattr(player, "choose", None)):
            raise Unusable(
                f"--seats {name}: {type(player).__name__} has no method choose(seen, actions)"
            )
        self._player = player

    def choose(self, seen: Observation, actions: Sequence[Chosen]) -> Chosen:
        """What the player chooses; a fault of its own is a `ValueError`."""
        try:
            chosen: Chosen = self._player.choose(seen, actions)
        except Exception as fault:
            raise ValueError(f"--seats {self._name}: {_told(fault)}") from fault
        return chosen


def _told(fault: BaseException) -> str:
    """What went wrong in a stranger's module, and the line of it where that was."""
    here = Path(__file__)
    places = [place for place in extract_tb(fault.__traceback__) if Path(place.filename) != here]
    own = [place for place in places if "site-packages" not in Path(place.filename).parts]
    where = "".join(f"{shown_path(place.filename)}:{place.lineno}: " for place in own[-1:])
    return f"{where}{type(fault).__name__}: {fault}"


def _module(name: str) -> ModuleType:
    """A module or package of the current folder, else one that is installed."""
    top = name.partition(".")[0]
    own, folder = f"meldref_seats_{top}", Path(top).absolute()
    file = next(
        (path for path in (folder / "__init__.py", Path(f"{folder}.py")) if is_file(path)), None
    )
    if file is None:
        return import_module(name)
    if getattr(sys.modules.get(own), "__file__", None) != str(file):
        where = [str(folder)] if file.parent == folder else None
        spec = spec_from_file_location(own, file, submodule_search_locations=where)
        if spec is None or spec.loader is None:
            raise ImportError(f"{file} cannot be imported")
        sys.modules[own] = module_from_spec(spec)
        try:
            spec.loader.exec_module(sys.modules[own])
        except BaseException:
            del sys.modules[own]
            raise
    return import_module(own + name[len(top) :])
