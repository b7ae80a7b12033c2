"""`meldref simulate`: writes logs of games that players of chance or greed play."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from meldref_cli import output
from meldref_cli.errors import CLEAN, Unusable
from meldref_cli.writing import by_ending, check_may_write, say_what_leads_out, write_file

if TYPE_CHECKING:
    from meldref.rulefiles.files import Name
    from meldref.simulate import LogSource, Seats, SimulatedHand
    from meldref_cli.ruleset_args import RulesetRequest


class To(StrEnum):
    """How games are written."""

    RGN = "rgn"
    JSON = "json"


_ENDINGS: Final = {".rgn": To.RGN, ".txt": To.RGN, ".json": To.JSON, ".jsonl": To.JSON, ".ndjson": To.JSON}


def simulate(
    players: int | None = None,
    seats: str | None = None,
    hands: int | None = None,
    games: int | None = None,
    seed: int = 1,
    rules: str | None = None,
    with_: list[str] | None = None,
    set_: list[str] | None = None,
    to: To | None = None,
    out: str | None = None,
    into: str | None = None,
    split: bool = False,
    jobs: int = 1,
    force: bool = False,
    quiet: bool = False,
) -> int:
    """Plays games and writes their logs; every move in them is legal.

    A random player makes any legal move, a greedy one the move that scores. Without --hands and --games, one
    game is played; with --hands, the last game may stop before its end. --into DIR --split writes each game to a
    file of its own, the same files for any number of --jobs.

    Exit status: 0 done, 2 unusable arguments, or a file that already exists.
    """
    from meldref.simulate import LogSource, play_games, play_hands
    from meldref_cli.ruleset_args import DEFAULT, asked, usable
    from meldref_cli.simulation_args import PlayBar, seats_for, ticking

    if hands is not None and games is not None:
        raise Unusable("--hands and --games: give one of them")
    if (into is not None) != split or (split and out is not None):
        raise Unusable("--into DIR and --split go together, without --output: a file a game, in that folder")
    if jobs != 1 and not split:
        raise Unusable("--jobs: games are played side by side where each has its file: give --into DIR --split")
    form = to or by_ending(out, _ENDINGS, To.RGN, "--to rgn or json")
    check_may_write(out, force=force)
    if "-" in (rules, *(with_ or ())):
        raise Unusable("--rules and --with name what the log will name, too: give a file, not standard input")
    wanted = asked(rules, with_, set_)
    ruleset = usable(wanted)
    table = seats_for(players, seats, "random", [(rules or DEFAULT, ruleset)])
    if into is not None:
        return _split(wanted, table, seed, into, form, games, hands, jobs, force=force, quiet=quiet)
    beside = Path(out).absolute().parent if out is not None else Path.cwd()
    written = as_written(wanted, beside)
    source = LogSource(*written, seed=seed)
    total = hands or games or 1
    played = play_games(ruleset, table, seed, total) if hands is None else play_hands(ruleset, table, seed, hands)
    count = _Count()
    with PlayBar(total, wanted=not quiet) as bar:
        try:
            lines = _lines(count.of(ticking(played, bar, games=hands is None)), source, table, form)
            if out is not None:
                write_file(out, lines)
            else:
                sys.stdout.writelines(lines)
        except ValueError as error:
            raise Unusable(str(error)) from error
    _say_done(count, None if quiet else out)
    if not quiet:
        say_what_leads_out((written[0], *written[1]), beside, out)
    return CLEAN


def _split(
    wanted: RulesetRequest,
    table: Seats,
    seed: int,
    into: str,
    form: To,
    games: int | None,
    hands: int | None,
    jobs: int,
    *,
    force: bool,
    quiet: bool,
) -> int:
    """Writes a file a game."""
    from meldref_cli.simulation_args import PlayBar
    from meldref_cli.splitting import Played, Split, empty_folder, write_games

    beside = Path(into).absolute()
    written = as_written(wanted, beside)
    empty_folder(into, force=force)
    games = games or (None if hands else 1)
    with PlayBar(hands or games or 1, wanted=not quiet) as bar:

        def tick(played: Played) -> None:
            bar.tick(played.hands if hands else 1)

        split = Split(wanted, written, table.kinds, seed, into, form is To.JSON)
        done = write_games(split, games, hands, jobs or os.cpu_count() or 1, tick)
    count = _Count()
    count.games, count.hands, count.endless = done.number, done.hands, done.endless
    _say_done(count, None if quiet else into)
    if not quiet:
        say_what_leads_out((written[0], *written[1]), beside, into)
    return CLEAN


def _say_done(count: _Count, out: str | None) -> None:
    """How much was played, where it stands in a file; and hands without an end in any case."""
    from meldref.core.text import many

    if out is not None:
        output.notice(f"{out}: {many(count.hands, 'hand')} in {many(count.games, 'game')}")
    if count.endless:
        output.notice(f"{many(count.endless, 'hand')} without an end annulled")


class _Count:
    """How much was played."""

    def __init__(self) -> None:
        self.hands = self.games = self.endless = 0

    def of(self, hands: Iterable[SimulatedHand]) -> Iterator[SimulatedHand]:
        """Hands as they come."""
        for played in hands:
            self.hands += 1
            self.games = played.game
            self.endless += played.reason == "void"
            yield played


def as_written(wanted: RulesetRequest, beside: Path) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Ruleset, options and settings as the headers of a log in that folder name them."""
    from meldref.rulefiles.files import is_path
    from meldref_cli.ruleset_args import DEFAULT

    def name(one: Name) -> str:
        written = one if isinstance(one, str) else one.shown
        return Path(os.path.relpath(written, beside)).as_posix() if is_path(written) else written

    return name(wanted.rules or DEFAULT), tuple(map(name, wanted.options)), wanted.settings


def _lines(hands: Iterable[SimulatedHand], source: LogSource, seats: Seats, to: To) -> Iterator[str]:
    from meldref.simulate import log_events, log_lines

    if to is To.JSON:
        from meldref.jsonlines import json_lines

        return json_lines(log_events(hands, source, seats))
    return log_lines(hands, source, seats)
