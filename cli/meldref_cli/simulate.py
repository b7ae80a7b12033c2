"""`meldref simulate`: writes logs of games that players of chance or greed play."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from meldref.core.text import many
from meldref.rulefiles.files import Name, is_path
from meldref_cli import output
from meldref_cli.errors import CLEAN, Unusable
from meldref_cli.options import LOG_ENDINGS, To
from meldref_cli.ruleset_args import DEFAULT, RulesetRequest, asked, usable
from meldref_cli.writing import by_ending, check_may_write, deliver, say_what_leads_out

if TYPE_CHECKING:
    from meldref_cli.simulation_args import PlayBar
    from meldref_cli.splitting import Split


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
    """Plays games and writes their logs; every move in them is legal."""
    from meldref.simulate import LogSource, play_games, play_hands
    from meldref_cli.simulation_args import PlayBar, lines_of, seats_for, ticking

    if hands is not None and games is not None:
        raise Unusable("--hands and --games: give one of them")
    if (into is not None) != split or (split and out is not None):
        raise Unusable("--into DIR and --split go together, without --output: a file a game, in that folder")
    if jobs != 1 and not split:
        raise Unusable("--jobs: games are played side by side where each has its file: give --into DIR --split")
    form = to or by_ending(out, {**LOG_ENDINGS, ".txt": To.RGN}, To.RGN, "--to rgn or json")
    check_may_write(out, force=force)
    if "-" in (rules, *(with_ or ())):
        raise Unusable("--rules and --with name what the log will name, too: give a file, not standard input")
    wanted = asked(rules, with_, set_)
    ruleset = usable(wanted)
    table = seats_for(players, seats, "random", [(rules or DEFAULT, ruleset)])
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
