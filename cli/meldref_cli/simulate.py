"""`meldref simulate`: writes logs of games that players of chance or greed play."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer

from meldref_cli import options, output
from meldref_cli.errors import CLEAN, UNUSABLE, Unusable
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

Players: TypeAlias = Annotated[
    int | None, typer.Option("--players", metavar="N", min=1, help="How many play; else as few as may.")
]
Seats_: TypeAlias = Annotated[
    str | None,
    typer.Option("--seats", metavar="KIND,KIND,...", help="What kind of player each is: random or greedy."),
]

Hands: TypeAlias = Annotated[
    int | None, typer.Option("--hands", metavar="N", min=1, help="So many hands, in games as it takes.")
]
Games: TypeAlias = Annotated[int | None, typer.Option("--games", metavar="N", min=1, help="So many whole games.")]
Rules: TypeAlias = Annotated[str | None, options.rules_for("The ruleset: the id of a shipped one, or a file.")]
Written: TypeAlias = Annotated[
    To | None,
    typer.Option("--to", help="Logs, or each event as a line of JSON; else by the file's ending, logs at last."),
]


def simulate(
    players: Players = None,
    seats: Seats_ = None,
    hands: Hands = None,
    games: Games = None,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="The same seed plays the same games.")] = 1,
    rules: Rules = None,
    with_: options.With = None,
    set_: options.Set = None,
    to: Written = None,
    out: options.Output = None,
    force: options.Force = False,
    quiet: options.NoNotices = False,
    verbose: options.Traceback = False,
) -> int:
    """Plays games out and writes them down: every move in them is legal.

    A random player does anything that is legal, a greedy one what scores. Without --hands and --games, one
    game is played; of --hands, the last game may be left before its end.

    Exit status: 0 done, 2 unusable arguments, or a file that is there already.
    """
    from meldref.simulate import LogSource, play_games, play_hands
    from meldref_cli.findings import tell
    from meldref_cli.ruleset_args import DEFAULT, asked, load
    from meldref_cli.simulation_args import PlayBar, seats_for, ticking

    if hands is not None and games is not None:
        raise Unusable("--hands and --games: give one of them")
    form = to or by_ending(out, _ENDINGS, To.RGN, "--to rgn or json")
    if out is not None:
        check_may_write(out, force=force)
    if "-" in (rules, *(with_ or ())):
        raise Unusable("--rules and --with name what the log will name, too: give a file, not standard input")
    wanted = asked(rules, with_, set_)
    ruleset, findings = load(wanted)
    tell(findings, to_errors=True)
    if ruleset is None:
        return UNUSABLE
    table = seats_for(players, seats, "random", [(rules or DEFAULT, ruleset)])
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
