"""`meldref score`: what a hand brings, and the score sheet of a game."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

import typer

from meldref.core.diagnostics import errors_in
from meldref.core.text import many
from meldref_cli import options, output
from meldref_cli.errors import CLEAN, UNUSABLE, WRONG, Unusable, both, status
from meldref_cli.files import expand_all, is_folder
from meldref_cli.findings import tell, tell_troubles
from meldref_cli.foreign import Asked, NamedLog, named_log
from meldref_cli.ranking_args import ranking_from
from meldref_cli.ruleset_args import DEFAULT, RulesetRequest, asked, over_log
from meldref_cli.score_args import HandOptions, counted_hand, sheet_lines
from meldref_cli.writing import check_may_write, deliver, output_into

if TYPE_CHECKING:
    from meldref.notation.reader import Read
    from meldref.replay.log import Overrides
    from meldref.scoring.counting import CountedHand
    from meldref_table.standings import PlayedGame, Ranking

_CHOOSE_ONE: Final = (
    "choose one: a LOG, --hand for a score sheet, or --laid, --held and --out for a hand"
)
_ONLY_LOGS: Final = (
    "standings are made of logs alone: "
    "leave --laid, --held, --out, --hand, --players and --wild out"
)
_ONLY_STANDINGS: Final = (
    "--by, --places, --best and --aliases are for standings, over several logs or a folder"
)


class ScoreFormat(StrEnum):
    """How scores are written; standings over several logs also as CSV and as a page."""

    TEXT = "text"
    JSON = "json"
    CSV = "csv"
    HTML = "html"


_Logs = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[LOG...]",
        help="A log or a score sheet; - for standard input; for standings several, or folders.",
    ),
]
_Laid = Annotated[
    list[str] | None,
    typer.Option(
        "--laid",
        metavar="[NAME:] CARDS",
        help='A meld, or a lay-off as "8h m1"; by another player as "Bob: 5h 6h 7h"; '
        "can be repeated.",
    ),
]
_Held = Annotated[
    list[str] | None,
    typer.Option(
        "--held",
        metavar="[NAME:] CARDS",
        help="Cards still held at the end; can be repeated for other players.",
    ),
]
_Out = Annotated[
    str | None, typer.Option("--out", metavar="NAME", help="Who went out in the hand.")
]
_Hand = Annotated[
    list[str] | None,
    typer.Option(
        "--hand",
        metavar="SCORES",
        help='A hand of the score sheet, as "Ann 45, Bob -20", or "Ann 45, Bob -20; out Ann"; '
        "can be repeated.",
    ),
]
_Players = Annotated[
    str | None,
    typer.Option(
        "--players", metavar="NAMES", help="Who plays, clockwise.  [default: who is named]"
    ),
]
_Format = Annotated[ScoreFormat, typer.Option("--format", help="How the result is written.")]
_WriteTo = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        callback=options.to_file,
        help="The file to write standings to; standard output if left out.",
    ),
]
_New = Annotated[
    str | None,
    typer.Option(
        "--new",
        metavar="FILE",
        help="Write an empty score sheet for --players, to print and to fill in.",
    ),
]
_By = Annotated[
    str | None,
    typer.Option("--by", metavar="WORD", help="Order standings by wins, points, mean or places."),
]
_Places = Annotated[
    str | None,
    typer.Option(
        "--places",
        metavar="N,N,...",
        help="Your club's points for the first place in a game, the second and so on.",
    ),
]
_Best = Annotated[
    int | None,
    typer.Option(
        "--best", metavar="N", min=1, help="Count only the best N evenings of each player."
    ),
]
_Aliases = Annotated[
    str | None,
    typer.Option(
        "--aliases",
        metavar="FILE",
        help='Other names of players, a line each: "Lotte = Oma Lotte".',
    ),
]
_Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show only the scores of a hand.")]


def score(
    logs: _Logs = None,
    laid: _Laid = None,
    held: _Held = None,
    out: _Out = None,
    hand: _Hand = None,
    players: _Players = None,
    wild: options.Wild = None,
    rules: options.Rules = None,
    with_: options.With = None,
    set_: options.Set = None,
    sheet: options.Sheet = None,
    map_: options.Map = None,
    trust_paths: options.TrustPaths = False,
    format_: _Format = ScoreFormat.TEXT,
    write_to: _WriteTo = None,
    new: _New = None,
    by: _By = None,
    places: _Places = None,
    best: _Best = None,
    aliases: _Aliases = None,
    force: options.Force = False,
    quiet: _Quiet = False,
    exit_zero: options.ExitZero = False,
) -> int:
    """Counts a hand, shows the score sheet of a game, or the standings over several logs.

    A hand is what was laid and what is held; without a name, it is the first player's. A score
    sheet comes from a log or from --hand: hands, totals, who has won and what is paid. Scores
    are those that `audit` computes, or as recorded if there is nothing to compute. Without
    --rules, a hand is counted by 500-rummy.

    Of several logs or a folder, it shows standings by player: games, wins, hands, points, their
    mean, the best hand, and calls; also by month, where logs have a [Date], and by ruleset.
    --by orders them by wins, points, their mean, or your club's --places; --best counts only the
    best evenings of each, and an evening is a log. Names that may be one player's are pointed out;
    --aliases, or [Alias "Lotte = Oma Lotte"] in a log, puts them together.

    Exit status: 0 counted, 1 violations in the sheet, 2 unusable input.

    Examples:
      meldref score --laid "5h 6h 7h" --laid "Ks Kd Jk" --held "2c Ad"
      meldref score --hand "Ann 45, Bob -20" --hand "Ann 60, Bob 115"
      meldref score friday.rgn
      meldref score logs --format html -o standings.html
      meldref score logs --places 5,3,2,1 --best 3
      meldref score --new evening.csv --players "Ann, Bob, Cy" --force
    """
    if new is not None:
        return _write_blank(new, logs, players, force=force)
    foreign = Asked.of(sheet, rules, map_)
    if logs and (len(logs) > 1 or is_folder(logs[0])):
        if any(option is not None for option in (laid, held, out, hand, players, wild)):
            raise Unusable(_ONLY_LOGS)
        ask = partial(asked, rules, with_, set_, read=[("LOG", name) for name in logs])
        check_may_write(write_to, force=force)
        ranking = ranking_from(by, places, best, aliases)
        games, worst = _all_games(logs, ask, foreign, trust_paths=trust_paths)
        _write_standings(games, ranking, format_, write_to)
        return status(worst, exit_zero=exit_zero)
    if any(option is not None for option in (by, places, best, aliases)):
        raise Unusable(_ONLY_STANDINGS)
    log = logs[0] if logs else None
    counts = any(option is not None for option in (laid, held, out, wild))
    if (counts, hand is not None, log is not None).count(True) != 1:
        raise Unusable(_CHOOSE_ONE)
    if log is not None and players is not None:
        raise Unusable("--players: a log names its players itself")
    wanted = partial(asked, rules, with_, set_, read=[("LOG", log)])
    if counts:
        form = _form_of_one(format_, write_to)
        described = HandOptions(laid or (), held or (), players, out, wild)
        return _show_counted(counted_hand(described, wanted), form, quiet=quiet)
    lines, request = both(lambda: sheet_lines(hand or (), players), wanted)
    if log is None and not request.rules:
        request = request._replace(rules=DEFAULT)
    over = over_log(request, log, trust_paths=trust_paths)
    named = None if log is None else named_log(log, foreign)
    with output_into(write_to, force=force, quiet=False):
        code = _show_sheets(named, lines, over, _form_of_sheet(format_))
    return status(code, exit_zero=exit_zero)


def _write_blank(path: str, logs: list[str] | None, players: str | None, *, force: bool) -> int:
    """Writes an empty score sheet."""
    from meldref_intake.sheets.blank import blank_sheet

    if logs or players is None:
        raise Unusable('--new: name who plays, as in --players "Ann, Bob, Cy", and no log')
    names = [name.strip() for name in players.split(",")]
    if not all(names) or len(set(names)) < len(names) or len(names) < 2:
        raise Unusable(f"--players {players}: give two names or more, each once")
    check_may_write(path, force=force)
    deliver([f"{line}\n" for line in blank_sheet(names)], path)
    return CLEAN


def _form_of_one(format_: ScoreFormat, write_to: str | None) -> options.Format:
    """The format of a hand; raises `Unusable` for what only sheets and standings have."""
    if format_ in {ScoreFormat.CSV, ScoreFormat.HTML} or write_to is not None:
        what = "--output" if write_to is not None else f"--format {format_.value}"
        raise Unusable(f"{what}: it is for score sheets and standings, not for a hand")
    return options.Format(format_.value)


def _form_of_sheet(format_: ScoreFormat) -> ScoreFormat:
    """The format of a score sheet; raises `Unusable` for what only standings have."""
    if format_ is ScoreFormat.HTML:
        raise Unusable("--format html: it is for standings, over several logs or a folder")
    return format_


def _show_counted(counted: CountedHand, form: options.Format, *, quiet: bool) -> int:
    """Shows the scores of a hand that was counted without a log; the exit status."""
    from meldref.report.scored import counted_data, counted_text

    output.show(form, lambda: counted_data(counted), lambda: counted_text(counted, quiet=quiet))
    return CLEAN


def _all_games(
    names: Sequence[str],
    ask: Callable[[], RulesetRequest],
    foreign: Asked,
    *,
    trust_paths: bool,
) -> tuple[list[PlayedGame], int]:
    """The games of some logs, and the exit status.

    Logs that cannot be read are reported and left out.
    """
    from meldref.notation.reader import read_lines
    from meldref.replay.log import Replay
    from meldref_table.standings import games_of

    paths, troubles = expand_all(names, (".rgn",))
    request = ask()
    games: list[PlayedGame] = []
    worst = tell_troubles(troubles)
    for path in paths:
        try:
            over = over_log(request, path, trust_paths=trust_paths)
            named = named_log(path, foreign)
            run = Replay(path, over, explainer=named.explainer())
            played, report = games_of(read_lines(named.lines()), run)
        except Unusable as reason:
            output.error(str(reason))
            worst = UNUSABLE
            continue
        named.tell(report)
        wrong = errors_in(report.findings)
        if wrong:
            output.notice(f"{path}: {many(len(wrong), 'finding')}; `meldref audit` shows them")
            worst = max(worst, WRONG if report.readable else UNUSABLE)
        games += played
    return games, worst


def _write_standings(
    games: Sequence[PlayedGame], ranking: Ranking, format_: ScoreFormat, write_to: str | None
) -> None:
    """Writes the standings over some games, and names that may be one player's."""
    from meldref_table.report.standings import (
        alike_text,
        standings_csv,
        standings_data,
        standings_page,
        standings_text,
    )
    from meldref_table.standings import standings

    table = standings(games, ranking)
    match format_:
        case ScoreFormat.TEXT:
            text = "".join(f"{line}\n" for line in standings_text(table))
        case ScoreFormat.JSON:
            text = json.dumps(standings_data(table)) + "\n"
        case ScoreFormat.CSV:
            text = standings_csv(table)
        case ScoreFormat.HTML:
            text = standings_page(table, len(games))
    deliver([text], write_to)
    for note in alike_text(table):
        output.notice(note)


def _show_sheets(
    named: NamedLog | None, lines: Sequence[Read], over: Overrides, format_: ScoreFormat
) -> int:
    """Shows the score sheets of a log, or of the lines that `--hand` gives; the exit status."""
    from meldref.notation.reader import read_lines
    from meldref.replay.log import Replay
    from meldref.report.scored import sheet_data, sheet_text, sheets_csv
    from meldref.scoring.counting import score_sheets
    from meldref_evidence.explaining import RecordExplainer

    read = lines if named is None else read_lines(named.lines())
    log = "--hand" if named is None else named.path
    run = Replay(log, over, explainer=RecordExplainer() if named is None else named.explainer())
    sheets, report = score_sheets(read, run)
    if named is not None:
        named.tell(report)

    def text() -> Iterator[str]:
        for number, sheet in enumerate(sheets):
            if number:
                yield ""
            yield from sheet_text(sheet)

    if format_ is ScoreFormat.CSV:
        output.write_all(sheets_csv(sheets))
    else:
        output.show(format_, lambda: {"games": list(map(sheet_data, sheets))}, text)
    wrong = errors_in(report.findings)
    if named is not None:
        tell(wrong, log, to_errors=True)
    else:
        for finding in wrong:
            before = f'--hand "{finding.excerpt}": ' if finding.excerpt else ""
            output.error(before + finding.message)
    if not report.readable or any(finding.code in {"log.syntax", "log.name"} for finding in wrong):
        return UNUSABLE
    return WRONG if wrong else CLEAN
