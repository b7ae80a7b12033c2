"""`meldref simulate`: writes logs of games that players of chance or greed play; and who plays them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from inspect import signature
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from meldref.core.records import changed
from meldref.core.text import many
from meldref.rulefiles.files import Name, is_path
from meldref_cli import options, output
from meldref_cli.errors import CLEAN, Unusable
from meldref_cli.options import LOG_ENDINGS, To
from meldref_cli.progress import Bar
from meldref_cli.ruleset_args import DEFAULT, RulesetRequest, asked, usable
from meldref_cli.writing import by_ending, check_may_write, deliver, say_what_leads_out

if TYPE_CHECKING:
    from meldref.ruleset.model import Ruleset
    from meldref.simulate import LogSource, Observation, Seats, SimulatedHand
    from meldref.simulate.players import Chosen
    from meldref_cli.splitting import Split


def simulate(
    players: int | None = None,
    seats: str | None = None,
    hands: int | None = None,
    games: int | None = None,
    seed: int = 1,
    rules: options.RulesOptions = options.NO_RULES,
    to: To | None = None,
    out: str | None = None,
    into: str | None = None,
    split: bool = False,
    jobs: int = 1,
    force: bool = False,
    quiet: bool = False,
) -> int:
    """Plays games and writes their logs; every move in them is legal."""
    from meldref.simulate import LogSource, play_games, play_hands

    if hands is not None and games is not None:
        raise Unusable("--hands and --games: give one of them")
    if (into is not None) != split or (split and out is not None):
        raise Unusable("--into DIR and --split go together, without --output: a file a game, in that folder")
    if jobs != 1 and not split:
        raise Unusable("--jobs: games are played side by side where each has its file: give --into DIR --split")
    form = to or by_ending(out, {**LOG_ENDINGS, ".txt": To.RGN}, To.RGN, "--to rgn or json")
    check_may_write(out, force=force)
    if "-" in (rules.rules, *(rules.with_ or ())):
        raise Unusable("--rules and --with name what the log will name, too: give a file, not standard input")
    wanted = asked(*rules)
    ruleset = usable(wanted)
    table = seats_for(players, seats, "random", [(rules.rules or DEFAULT, ruleset)])
    beside = Path(into or (Path(out).parent if out else "")).absolute()
    written = as_written(wanted, beside)
    with PlayBar(hands or games or 1, wanted=not quiet) as bar:
        if into is not None:
            from meldref_cli.splitting import Split

            each = Split(wanted, written, table.kinds, seed, into, form)
            _split(each, games, hands, jobs, bar, force=force)
        else:
            play, number = (play_hands, hands) if hands else (play_games, games or 1)
            played = ticking(play(ruleset, table, seed, number), bar, games=hands is None)
            lines = lines_of(played, LogSource(*written, seed=seed), table, form)
            try:
                deliver(lines, out, quiet=True)
            except ValueError as error:
                raise Unusable(str(error)) from error
    place = None if quiet else into or out
    if place is not None:
        output.notice(f"{place}: {many(bar.hands, 'hand')} in {many(bar.games, 'game')}")
    if bar.endless:
        output.notice(f"{many(bar.endless, 'hand')} without an end annulled")
    if not quiet:
        say_what_leads_out((written[0], *written[1]), beside, into or out)
    return CLEAN


def _split(split: Split, games: int | None, hands: int | None, jobs: int, bar: PlayBar, *, force: bool) -> None:
    """Writes a file a game."""
    from meldref_cli.splitting import empty_folder, write_games

    empty_folder(split.folder, force=force)
    done = write_games(
        split,
        games or (None if hands else 1),
        hands,
        jobs or os.cpu_count() or 1,
        lambda played: bar.tick(played.hands if hands else 1),
    )
    bar.games, bar.hands, bar.endless = done.number, done.hands, done.endless


def as_written(wanted: RulesetRequest, beside: Path) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Ruleset, options and settings as the headers of a log in that folder name them."""

    def name(one: Name) -> str:
        written = one if isinstance(one, str) else one.shown
        return Path(os.path.relpath(written, beside)).as_posix() if is_path(written) else written

    return name(wanted.rules or DEFAULT), tuple(map(name, wanted.options)), wanted.settings


# --- who plays -------------------------------------------------------------------------------------------------


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
