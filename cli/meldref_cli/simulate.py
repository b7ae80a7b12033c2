"""`meldref simulate`: writes logs of games that random or greedy players play."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from meldref.core.records import changed
from meldref.core.text import many
from meldref.report.style import in_columns
from meldref.rulefiles.files import Name, is_path
from meldref_cli import completing, options, output
from meldref_cli.errors import CLEAN, Unusable
from meldref_cli.options import LOG_ENDINGS, To
from meldref_cli.position_args import from_position, refuse
from meldref_cli.progress import Bar
from meldref_cli.ruleset_args import DEFAULT, RulesetRequest, asked, usable
from meldref_cli.seating import lines_of, seats_for
from meldref_cli.writing import by_ending, check_may_write, deliver, say_what_leads_out

if TYPE_CHECKING:
    from meldref_cli.splitting import Split
    from meldref_table.onward import PlayedOn
    from meldref_table.simulate import Seats, SimulatedHand


_Seats = Annotated[
    str | None,
    typer.Option(
        "--seats",
        metavar="KIND,KIND,...",
        help="What kind of player each is: random, greedy, or MODULE:CLASS of your own.",
    ),
]
_Hands = Annotated[
    int | None,
    typer.Option(
        "--hands",
        metavar="N",
        min=1,
        help="The number of hands to play, in as many games as it takes.",
    ),
]
_Games = Annotated[
    int | None,
    typer.Option("--games", metavar="N", min=1, help="The number of whole games to play."),
]
_Seed = Annotated[
    int, typer.Option("--seed", metavar="S", help="The same seed gives the same games.")
]
_Rules = Annotated[
    str | None,
    typer.Option(
        "--rules",
        metavar="ID|FILE",
        autocompletion=completing.rulesets,
        help="The ruleset: the id of a shipped one, or a file.",
    ),
]
_To = Annotated[
    To | None,
    typer.Option(
        "--to",
        help="Logs, or JSON Lines; if left out, it follows from the file name, or is rgn.",
    ),
]
_From = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="POSITION",
        help="Play the hand out from a position file, --hands times, by the players and rules that "
        "it names.",
    ),
]
_Into = Annotated[
    str | None,
    typer.Option("--into", metavar="DIR", help="With --split: the folder to write into."),
]
_Split = Annotated[
    bool,
    typer.Option(
        "--split", help="Write one file per game, the same ones for any number of --jobs."
    ),
]
_Jobs = Annotated[
    int,
    typer.Option(
        "--jobs",
        "-j",
        metavar="N",
        min=0,
        help="With --split: the number of processes; 0: one per core.",
    ),
]


def simulate(
    players: options.NumberOfPlayers = None,
    seats: _Seats = None,
    hands: _Hands = None,
    games: _Games = None,
    seed: _Seed = 1,
    rules: _Rules = None,
    with_: options.With = None,
    set_: options.Set = None,
    to: _To = None,
    out: options.Output = None,
    into: _Into = None,
    split: _Split = False,
    jobs: _Jobs = 1,
    from_: _From = None,
    force: options.Force = False,
    quiet: options.QuietErrors = False,
) -> int:
    """Plays games and writes their logs; every move in them is legal.

    A random player makes any legal move; a greedy player makes the one that scores most. Without
    --hands and --games, one game is played; with --hands, the last game may stop before its end.
    With --from, cards that nobody saw are dealt by lot each time; the turns, the end and the scores
    of each time are written behind a comment, and standard error says who did how well.

    Exit status: 0 done, 2 unusable arguments, or a file that already exists.

    Examples:
      meldref simulate --games 2 --seats greedy,random,random --seed 7 -o games.rgn
      meldref simulate --from position.yaml --hands 20 --seats greedy,greedy -o played.txt
    """
    from meldref_table.simulate import LogSource, play_games, play_hands

    if hands is not None and games is not None:
        raise Unusable("--hands and --games: give one of them")
    _check_split(into, out, jobs, split=split)
    form = to or by_ending(out, {**LOG_ENDINGS, ".txt": To.RGN}, To.RGN, "--to rgn or json")
    check_may_write(out, force=force)
    if from_ is not None:
        if games is not None or split or players is not None:
            raise Unusable(
                "--from plays a hand out: it goes with --hands, and not with --games, --players or "
                "--split"
            )
        request = asked(rules, with_, set_, read=[("--from", from_)])
        return _play_on(from_, request, seats, hands or 1, seed, form, out, quiet=quiet)
    wanted = _named_rules(rules, with_, set_)
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
            _deliver(lines, out)
    _show_played(bar, None if split else table, into or out, quiet=quiet)
    say_what_leads_out((written[0], *written[1]), beside, into or out, quiet=quiet)
    return CLEAN


def _play_on(
    file: str,
    request: RulesetRequest,
    kinds: str | None,
    times: int,
    seed: int,
    form: To,
    out: str | None,
    *,
    quiet: bool,
) -> int:
    """Plays the hand of a position file out a number of times, and shows who did how well."""
    from meldref.notation.jsonlines import json_lines
    from meldref_table.onward import cannot_play_on, onward_lines, play_on

    given = from_position(file, request)
    built = given.built
    if built is None:
        return refuse(given, file)
    why_not = cannot_play_on(built)
    if why_not is not None:
        raise Unusable(f"{file}: {why_not}")
    names = built.position.players
    rulesets = [(file, built.judge.given)]
    mismatch = "the position has {players} players, and --seats names {seats}"
    table = seats_for(len(names), kinds, "greedy", rulesets, mismatch=mismatch)
    table = changed(table, names=names)
    with PlayBar(times, wanted=not quiet) as bar:
        played = ticking(play_on(built, table, seed, times), bar)
        in_json = (line for hand in played for line in json_lines(hand.lines))
        _deliver(in_json if form is To.JSON else onward_lines(played, times), out)
    _show_played(bar, table, None, quiet=quiet)
    return CLEAN


def _deliver(lines: Iterable[str], out: str | None) -> None:
    """Writes a log; a choice that a player may not make is the user's fault."""
    try:
        deliver(lines, out, quiet=True)
    except ValueError as error:
        raise Unusable(str(error)) from error


def _show_played(bar: PlayBar, table: Seats | None, place: str | None, *, quiet: bool) -> None:
    """Shows how much was played, and at a table who won how many games and points."""
    if place and not quiet:
        output.notice(f"{place}: {many(bar.hands, 'hand')} in {many(bar.games, 'game')}")
    if table is not None and not quiet:
        rows = [["player", "plays", "wins", "points"]]
        for seat, (name, kind) in enumerate(zip(table.names, table.kinds, strict=True)):
            rows.append([name, kind, str(bar.wins[seat]), str(bar.points[seat])])
        for line in in_columns(rows, rest=">"):
            output.notice(line)
    if bar.endless:
        output.notice(f"{many(bar.endless, 'hand')} without an end annulled")


def _named_rules(
    rules: str | None, with_: list[str] | None, set_: list[str] | None
) -> RulesetRequest:
    """What is played by; not from standard input, which the headers of a log could not name."""
    if "-" in (rules, *(with_ or ())):
        raise Unusable(
            "--rules and --with name what the log will name, too: give a file, not standard input"
        )
    return asked(rules, with_, set_)


def _check_split(into: str | None, out: str | None, jobs: int, *, split: bool) -> None:
    """Refuses options of `--split` that do not go together."""
    if (into is not None) != split or (split and out is not None):
        raise Unusable(
            "--into DIR and --split go together, without --output: a file a game, in that folder"
        )
    if jobs != 1 and not split:
        raise Unusable(
            "--jobs: games are played side by side where each has its file: give --into DIR --split"
        )


def _split(
    split: Split, games: int | None, hands: int | None, jobs: int, bar: PlayBar, *, force: bool
) -> None:
    """Writes a file a game."""
    from meldref_archive.audit import available_cores
    from meldref_cli.splitting import empty_folder, write_games

    empty_folder(split.folder, force=force)
    done = write_games(
        split,
        games or (None if hands else 1),
        hands,
        jobs or available_cores(),
        lambda played: bar.tick(played.hands if hands else 1),
    )
    bar.games, bar.hands, bar.endless = done.number, done.hands, done.endless


def as_written(
    wanted: RulesetRequest, beside: Path
) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Ruleset, options and settings as the headers of a log in that folder name them."""

    def name(rules_name: Name) -> str:
        written = rules_name if isinstance(rules_name, str) else rules_name.shown
        return Path(os.path.relpath(written, beside)).as_posix() if is_path(written) else written

    return name(wanted.rules or DEFAULT), tuple(map(name, wanted.options)), wanted.settings


class PlayBar(Bar):
    """A bar for hands or games played, and how much was; `endless` hands had no end."""

    hands = games = endless = 0

    def __init__(self, total: int, *, wanted: bool = True) -> None:
        super().__init__(total, wanted=wanted, doing="playing")
        self.wins = Counter[int]()
        self.points = Counter[int]()

    def count(self, played: SimulatedHand | PlayedOn) -> None:
        """Counts a hand, and what each seat won and scored in it."""
        self.hands += 1
        self.endless += played.reason == "void"
        for side, seats in enumerate(played.sides):
            for seat in seats:
                self.wins[seat] += side in played.winners
                self.points[seat] += played.scores[side] or 0


_Hand = TypeVar("_Hand", "SimulatedHand", "PlayedOn")


def ticking(hands: Iterable[_Hand], bar: PlayBar, *, games: bool = False) -> Iterator[_Hand]:
    """Hands as they come, counted by the bar, which shows each of them, or each game."""
    for played in hands:
        game = getattr(played, "game", 0)
        bar.tick(int(0 < bar.games < game) if games else 1)
        bar.games = game
        bar.count(played)
        yield played
