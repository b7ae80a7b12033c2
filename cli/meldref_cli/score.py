"""`meldref score`: what a hand brings, and the score sheet of a game."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import partial
from string import ascii_uppercase
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import typer

from meldref.core import events
from meldref.core.cards import Card
from meldref.core.diagnostics import errors_in
from meldref.core.events import LayOff, Line, Meld
from meldref.core.text import many
from meldref_cli import options, output
from meldref_cli.card_args import cards_named, check_wild, rank_for, table_for
from meldref_cli.errors import CLEAN, UNUSABLE, WRONG, Unusable, both, status
from meldref_cli.files import expand_all, is_folder, log_lines
from meldref_cli.findings import tell
from meldref_cli.ruleset_args import DEFAULT, RulesetRequest, asked, over_log, usable
from meldref_cli.writing import check_may_write, deliver

if TYPE_CHECKING:
    from meldref.notation.reader import Read
    from meldref.replay.log import Overrides
    from meldref.ruleset.model import Ruleset
    from meldref.scoring.counting import CountedHand
    from meldref_table.standings import PlayedGame

_T = TypeVar("_T")
_CHOOSE_ONE: Final = (
    "choose one: a LOG, --hand for a score sheet, or --laid, --held and --out for a hand"
)
_ONLY_LOGS: Final = (
    "standings are made of logs alone: "
    "leave --laid, --held, --out, --hand, --players and --wild out"
)
_ONTO: Final = re.compile(r"\bm[0-9]{1,3}\s*$")


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
    trust_paths: options.TrustPaths = False,
    format_: _Format = ScoreFormat.TEXT,
    write_to: _WriteTo = None,
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
    Names that may be one player's are pointed out.

    Exit status: 0 counted, 1 violations in the sheet, 2 unusable input.

    Examples:
      meldref score --laid "5h 6h 7h" --laid "Ks Kd Jk" --held "2c Ad"
      meldref score --hand "Ann 45, Bob -20" --hand "Ann 60, Bob 115"
      meldref score friday.rgn
      meldref score logs --format html -o standings.html
    """
    if logs and (len(logs) > 1 or is_folder(logs[0])):
        if any(option is not None for option in (laid, held, out, hand, players, wild)):
            raise Unusable(_ONLY_LOGS)
        ask = partial(asked, rules, with_, set_, read=[("LOG", name) for name in logs])
        check_may_write(write_to, force=force)
        games, worst = _all_games(logs, ask, trust_paths=trust_paths)
        _write_standings(games, format_, write_to)
        return status(worst, exit_zero=exit_zero)
    form = _form_of_one(format_, write_to)
    log = logs[0] if logs else None
    counting = any(option is not None for option in (laid, held, out, wild))
    if counting + (hand is not None) + (log is not None) != 1:
        raise Unusable(_CHOOSE_ONE)
    if log is not None and players is not None:
        raise Unusable("--players: a log names its players itself")
    wanted = partial(asked, rules, with_, set_, read=[("LOG", log)])
    if counting:
        return _show_counted(_count(laid, held, players, out, wild, wanted), form, quiet=quiet)
    read, request = both(lambda: [] if hand is None else list(_sheet_lines(hand, players)), wanted)
    if log is None and not request.rules:
        request = request._replace(rules=DEFAULT)
    over = over_log(request, log, trust_paths=trust_paths)
    return status(_sheets(log, read, over, form), exit_zero=exit_zero)


def _form_of_one(format_: ScoreFormat, write_to: str | None) -> options.Format:
    """The format of a hand or a score sheet; raises `Unusable` for what only standings have."""
    if format_ in {ScoreFormat.CSV, ScoreFormat.HTML} or write_to is not None:
        what = "--output" if write_to is not None else f"--format {format_.value}"
        raise Unusable(f"{what}: it is for standings, over several logs or a folder")
    return options.Format(format_.value)


def _show_counted(counted: CountedHand, form: options.Format, *, quiet: bool) -> int:
    """Shows the scores of a hand that was counted without a log; the exit status."""
    from meldref.report.scored import counted_data, counted_text

    output.show(form, lambda: counted_data(counted), lambda: counted_text(counted, quiet=quiet))
    return CLEAN


def _all_games(
    names: Sequence[str], ask: Callable[[], RulesetRequest], *, trust_paths: bool
) -> tuple[list[PlayedGame], int]:
    """The games of some logs, and the exit status.

    Logs that cannot be read are reported and left out.
    """
    from meldref.notation.reader import read_lines
    from meldref.replay.log import Replay
    from meldref_evidence.explaining import RecordExplainer
    from meldref_table.standings import games_of

    paths, troubles = expand_all(names, (".rgn",))
    request = ask()
    games: list[PlayedGame] = []
    worst = UNUSABLE if troubles else CLEAN
    for trouble in troubles:
        output.error(trouble)
    for path in paths:
        try:
            over = over_log(request, path, trust_paths=trust_paths)
            run = Replay(path, over, explainer=RecordExplainer())
            played, report = games_of(read_lines(log_lines(path)), run)
        except Unusable as reason:
            output.error(str(reason))
            worst = UNUSABLE
            continue
        wrong = errors_in(report.findings)
        if wrong:
            output.notice(f"{path}: {many(len(wrong), 'finding')}; `meldref audit` shows them")
            worst = max(worst, WRONG if report.readable else UNUSABLE)
        games += played
    return games, worst


def _write_standings(
    games: Sequence[PlayedGame], format_: ScoreFormat, write_to: str | None
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

    table = standings(games)
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


def _count(
    laid: Sequence[str] | None,
    held: Sequence[str] | None,
    players: str | None,
    out: str | None,
    wild: str | None,
    ask: Callable[[], RulesetRequest],
) -> CountedHand:
    """The hand that the options describe; `Unusable` with everything that is wrong."""
    from meldref.scoring.counting import Uncountable, count_hand

    wrong: list[str] = []

    def attempt(read: Callable[..., _T], *arguments: Any) -> _T | None:
        try:
            return read(*arguments)
        except Unusable as fault:
            wrong.extend(map(str, fault.args))
            return None

    plays = [(text, *play) for text in laid or () if (play := attempt(_play, text))]
    rows = [row for text in held or () if (row := attempt(_row, text))]
    rank, request = attempt(rank_for, wild), attempt(ask)
    if request is None:
        raise Unusable(*wrong)
    ruleset = usable(request, *wrong)
    if len(plays) < len(laid or ()):  # nobody knows which melds the others mean
        plays = [play for play in plays if not isinstance(play[2], LayOff)]
    attempt(check_wild, ruleset, wild)
    named_cards = [
        *(card.card for _, _, play in plays for card in play.cards),
        *(card for _, cards in rows for card in cards),
    ]
    named = [*(name for _, name, _ in plays), *(name for name, _ in rows), out]
    names = attempt(_names, ruleset, players, [name for name in named if name], named_cards)
    if names is None:
        raise Unusable(*wrong)
    holds: dict[int, list[Card]] = {}
    for name, cards in rows:
        holds.setdefault(names.index(name or names[0]), []).extend(cards)
    moves = [(names.index(name or names[0]), play) for _, name, play in plays]
    try:
        hand = count_hand(
            ruleset, names, moves, holds, None if out is None else names.index(out), rank
        )
    except Uncountable as faults:
        wrong += [
            message if at is None else f'--laid "{plays[at][0]}": {message}'
            for at, message in faults.faults
        ]
    if wrong:
        raise Unusable(*wrong)
    return hand


def _named(text: str) -> tuple[str | None, str]:
    name, _, rest = text.rpartition(":")
    return name.strip().strip('"') or None, rest.strip()


def _play(text: str) -> tuple[str | None, Meld | LayOff]:
    from meldref.notation.reader import read_actions

    name, body = _named(text)
    verb = "lay" if _ONTO.search(body) else "meld"
    actions, findings = read_actions(f"{verb} {body}")
    if findings or len(actions) != 1 or not isinstance(actions[0], Meld | LayOff):
        message = findings[0].message if findings else "write one meld or lay-off"
        raise Unusable(f'--laid "{text}": {message}')
    return name, actions[0]


def _row(text: str) -> tuple[str | None, tuple[Card, ...]]:
    name, body = _named(text)
    try:
        return name, cards_named(body, "only cards that are known can be counted") if body else ()
    except Unusable as wrong:
        raise Unusable(
            *(str(message).replace("CARDS:", f'--held "{text}":', 1) for message in wrong.args)
        ) from None


def _names(
    ruleset: Ruleset, players: str | None, named: Sequence[str], row: Sequence[Card]
) -> list[str]:
    """Who plays: as `--players` says, else those named and others, at the smallest table."""
    from meldref_table.simulate import cannot_play

    if players is not None:
        names = _listed(players)
    else:
        names = list(dict.fromkeys(named))
        number = max(table_for(ruleset, row) if row else ruleset.players.min, len(names))
        names += [letter for letter in ascii_uppercase if letter not in names][
            : number - len(names)
        ]
    wrong = [
        f"{name} is not one of --players {players}"
        for name in dict.fromkeys(named)
        if name not in names
    ]
    reason = cannot_play(ruleset, len(names))
    if reason is not None:
        wrong.append(reason if players is None else f"--players {players}: {reason}")
    if wrong:
        raise Unusable(*wrong)
    return names


def _listed(players: str) -> list[str]:
    names = [name for part in players.split(",") if (name := part.strip().strip('"'))]
    if len(set(names)) < len(names):
        raise Unusable(f"--players {players}: a player is named twice")
    return names


def _sheet_lines(hands: Sequence[str], players: str | None) -> Iterator[Read]:
    """The hands of `--hand` as the lines of a log; everything unreadable is reported."""
    from meldref.notation.reader import read_line
    from meldref.notation.roster import Roster

    roster = Roster(_named_in(hands) if players is None else _listed(players))
    wrong: list[str] = []
    lines: list[Line] = []
    named: dict[str, None] = {}
    for number, text in enumerate(hands, start=1):
        scores, _, out = text.partition(";")
        lines.append(Line(number, text, events.HandStart(number)))
        for words in ([f"end {out.strip()}"] if out.strip() else []) + [f"score {scores.strip()}"]:
            line, findings = read_line(words, roster=roster)
            wrong += [f'--hand "{text}": {finding.message}' for finding in findings]
            lines.append(line._replace(number=number, text=text))
            if isinstance(line.event, events.Points):
                named.update(dict.fromkeys(name for name, _ in line.event.amounts))
    if wrong:
        raise Unusable(*wrong)
    names = _listed(players) if players is not None else _members(list(named))
    yield Line(0, "", events.Header("Players", ", ".join(names))), ()
    yield from ((line, ()) for line in lines)


def _named_in(hands: Iterable[str]) -> list[str]:
    """The names of several words before figures, which need no quotes."""
    before = re.compile(
        r"(?<![\w\"])(?!and\b)([^\W\d_][^\d,;:=+\"]*[^\s\d,;:=+\"-])(?= *[:=]? *[-+−–]?\d)"
    )
    return [name for text in hands for name in before.findall(text) if " " in name]


def _members(names: Sequence[str]) -> list[str]:
    """The players behind the names of a sheet; of sides, one of each first, as partners sit."""
    parts = [name.split("+") for name in names]
    return [
        part[at]
        for at in range(max(map(len, parts), default=0))
        for part in parts
        if at < len(part)
    ]


def _sheets(log: str | None, read: Sequence[Read], over: Overrides, format_: options.Format) -> int:
    from meldref.notation.reader import read_lines
    from meldref.replay.log import Replay
    from meldref.report.scored import sheet_data, sheet_text
    from meldref.scoring.counting import score_sheets
    from meldref_evidence.explaining import RecordExplainer

    run = Replay(log or "--hand", over, explainer=RecordExplainer())
    sheets, report = score_sheets(read if log is None else read_lines(log_lines(log)), run)
    wrong = errors_in(report.findings)
    output.show(
        format_,
        lambda: {"games": list(map(sheet_data, sheets))},
        lambda: (
            "\n".join(sheet_text(sheet)) + "\n" * (sheet is not sheets[-1]) for sheet in sheets
        ),
    )
    if log is not None:
        tell(wrong, log, to_errors=True)
    for finding in wrong if log is None else ():
        output.error(
            f'--hand "{finding.excerpt}": {finding.message}' if finding.excerpt else finding.message
        )
    if not report.readable or any(finding.code in {"log.syntax", "log.name"} for finding in wrong):
        return UNUSABLE
    return WRONG if wrong else CLEAN
