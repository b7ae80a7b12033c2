"""`meldref legal`: is this move legal here, and why not; or which moves are."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

import typer

from meldref.core.records import NamedTuple
from meldref_cli import options, output
from meldref_cli.errors import CLEAN, UNUSABLE, WRONG, Unusable, status
from meldref_cli.foreign import Asked, named_log
from meldref_cli.options import NO_POSITION, PositionOptions
from meldref_cli.position_args import Given, from_log, from_options, from_position, refuse
from meldref_cli.ruleset_args import RulesetRequest, asked

if TYPE_CHECKING:
    from meldref.answers.legal import Judgement
    from meldref.positions.build import Built
    from meldref_evidence.chances import Weighed
    from meldref_evidence.report.chances import Form

_MOST_TURNS: Final = 20
"""How many whole turns are listed unless --most says otherwise."""

_LOOKED_AT: Final = 2_000
"""How many moves are listed at most; with many wild cards there may be millions."""


_Move = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[MOVE]",
        help='Such as "take 4c; meld 4c 4d 4s; discard 2h"; the player may be named.',
    ),
]
_Position = Annotated[
    str | None, typer.Option("--position", metavar="FILE", help="A position, in YAML or JSON.")
]
_Log = Annotated[
    str | None,
    typer.Option(
        "--log", metavar="FILE", help="A log; the move is asked about before the line --at."
    ),
]
_At = Annotated[
    int | None, typer.Option("--at", metavar="LINE", min=1, help="The line of the log.")
]
_Hand = Annotated[
    list[str] | None,
    typer.Option(
        "--hand",
        metavar="CARDS",
        help='The hand of the player to move; another\'s as "B: 5h ?*6".',
    ),
]
_Pile = Annotated[
    str | None, typer.Option("--pile", metavar="CARDS", help="The discard pile, bottom to top.")
]
_Stock = Annotated[
    str | None,
    typer.Option(
        "--stock", metavar="CARDS|N", help="The stock, top first, or how many cards it has."
    ),
]
_Players = Annotated[
    str | None,
    typer.Option("--players", metavar="NAMES", help="Who plays, clockwise.  [default: A,B]"),
]
_ToMove = Annotated[
    str | None,
    typer.Option(
        "--to-move", metavar="NAME", help="Whose turn it is.  [default: the first player]"
    ),
]
_Turn = Annotated[
    str | None,
    typer.Option("--turn", metavar="ACTIONS", help='What that player has already done: "take 4c".'),
]
_DiscardedBy = Annotated[
    str | None,
    typer.Option(
        "--discarded-by", metavar="NAME", help="Who discarded the pile's top card, or nobody."
    ),
]
_Opening = Annotated[bool, typer.Option("--opening", help="This is the hand's first turn.")]
_Floating = Annotated[
    list[str] | None,
    typer.Option(
        "--floating",
        metavar="NAME",
        help="A player who floats, if the rules have that; can be repeated.",
    ),
]
_Totals = Annotated[
    str | None,
    typer.Option(
        "--totals",
        metavar="POINTS",
        help='The totals before this hand, if house rules ask for them: "A 90, B 40".',
    ),
]
_Turns = Annotated[
    bool, typer.Option("--turns", help="Without MOVE: whole turns to their end, best first.")
]
_Most = Annotated[
    int | None,
    typer.Option(
        "--most",
        metavar="N",
        min=1,
        help="Without MOVE: the most to list.  [default: all; 20 turns]",
    ),
]
_Strict = Annotated[
    bool, typer.Option("--strict", help="Also exit with 1 if it depends on unknown cards.")
]
_Continue = Annotated[
    bool,
    typer.Option(
        "--continue",
        help="After a legal MOVE, print the position as a file that --position reads; after an "
        "illegal one, say why on standard error.",
    ),
]
_CountChances = Annotated[
    bool,
    typer.Option(
        "--chances",
        help="Count the deals of the unknown cards in which MOVE is legal, or 1,000 drawn by lot.",
    ),
]
_Seed = Annotated[
    int,
    typer.Option(
        "--seed",
        metavar="S",
        help="With --chances: from which seed deals are drawn if they are too many to count.",
    ),
]
_Quiet = Annotated[
    bool,
    typer.Option("--quiet", "-q", help="Show only the verdict, or the moves, one per line."),
]
_Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Also show the table before the move.")
]


def legal(
    move: _Move = None,
    position: _Position = None,
    log: _Log = None,
    at: _At = None,
    hand: _Hand = None,
    pile: _Pile = None,
    table: options.Table = None,
    stock: _Stock = None,
    players: _Players = None,
    to_move: _ToMove = None,
    turn: _Turn = None,
    discarded_by: _DiscardedBy = None,
    opening: _Opening = False,
    floating: _Floating = None,
    wild: options.Wild = None,
    hand_number: options.HandNumber = None,
    totals: _Totals = None,
    rules: options.Rules = None,
    with_: options.With = None,
    set_: options.Set = None,
    sheet: options.Sheet = None,
    map_: options.Map = None,
    trust_paths: options.TrustPaths = False,
    format_: options.FormatOption = options.Format.TEXT,
    turns: _Turns = False,
    most: _Most = None,
    strict: _Strict = False,
    continue_: _Continue = False,
    chances: _CountChances = False,
    seed: _Seed = 1,
    quiet: _Quiet = False,
    verbose: _Verbose = False,
    exit_zero: options.ExitZero = False,
) -> int:
    """Says whether a move is legal, and why not; without MOVE, lists the legal moves.

    The move is judged in a position file, before a line of a log, or with the cards that options
    name; the start of a turn is legal if the turn can be completed. A move that depends on unknown
    cards is undecided: cards are shown with which it is legal, and others with which it is not. The
    list has what the player to move may do, most points first, then each call of "Rummy!"; what is
    legal only with an unknown card is left out. Without --rules, the game is 500-rummy.

    Exit status: 0 legal, 1 illegal, 2 a question that cannot be answered.

    Examples:
      meldref legal "take 4c; meld 4c 4d 4h" --hand "4d 4h 9h 2c" --pile "6s 4c Qs 7h"
      meldref legal "draw; discard Ks" --log friday.rgn --at 9
    """
    _check_together(bool(move), turns or most is not None, continue_, chances)
    named = PositionOptions(
        hand=hand,
        pile=pile,
        table=table,
        stock=stock,
        players=players,
        to_move=to_move,
        turn=turn,
        discarded_by=discarded_by,
        opening=opening,
        floating=floating,
        wild=wild,
        hand_number=hand_number,
        totals=totals,
    )
    ask = partial(asked, rules, with_, set_)
    given = _given(
        position, log, at, named, ask, Asked.of(sheet, rules, map_), trust_paths=trust_paths
    )
    if given.built is None:
        return refuse(given, position)
    form: Form = "options" if position is None else "keys"
    if log is not None:
        form = "words"
    question = _Question(given.built, given.rules, form, format_, strict, quiet)
    if verbose:
        question.show_table()
    if not move:
        return question.list_moves(turns=turns, most=most)
    text = " ".join(move)
    drawn_from = seed if chances else None
    code = question.go_on(text) if continue_ else question.judge(text, drawn_from)
    return status(code, exit_zero=exit_zero)


def _check_together(has_move: bool, lists: bool, goes_on: bool, counts_chances: bool) -> None:
    """Refuses options about a move without one, and options about the list with one."""
    if goes_on and not has_move:
        raise Unusable("--continue is about the position after a move: give a MOVE")
    if has_move and lists:
        raise Unusable("--turns and --most are about the list of moves: leave MOVE out")
    if counts_chances and (not has_move or goes_on):
        raise Unusable("--chances is about a move: give a MOVE, and no --continue")


def _given(
    position: str | None,
    log: str | None,
    at: int | None,
    named: PositionOptions,
    ask: Callable[..., RulesetRequest],
    foreign: Asked,
    *,
    trust_paths: bool,
) -> Given:
    """The position that is asked about, given in one way only; `ask` makes out its rules."""
    if (log is None) != (at is None):
        raise Unusable(
            "--log needs --at, the line before which the move is asked about, and --at needs --log"
        )
    if (position is not None) + (log is not None) + (named != NO_POSITION) > 1:
        raise Unusable("choose one: --position, --log with --at, or the cards in options")
    if position is not None:
        return from_position(position, ask(read=[("--position", position)]))
    if log is not None and at is not None:
        request = ask(read=[("--log", log)])
        return from_log(named_log(log, foreign), at, request, trust_paths=trust_paths)
    if named == NO_POSITION:
        raise Unusable(
            "say where: --position FILE, --log FILE --at LINE, or --hand, --pile and --table"
        )
    return from_options(named, ask)


class _Question(NamedTuple):
    """A position that is asked about, and how the answer is written.

    `rules` are the keys by which a file names its rules, if one can. `form` is how cards would be
    put where it was asked: nobody can put any into a log. `strict`: what is open counts as illegal.
    """

    built: Built
    rules: dict[str, object] | None
    form: Form
    format_: options.Format
    strict: bool
    quiet: bool

    def show_table(self) -> None:
        """Shows the table before the move, where the answer is text."""
        from meldref.report.table import table_lines

        if self.format_ is options.Format.TEXT:
            output.write_all(table_lines(self.built.position, output.style_for()))
            output.write("")

    def go_on(self, move: str) -> int:
        """Judges a move, and writes the position after it; the exit status."""
        from meldref.answers.legal import judge_move
        from meldref.report.judgement import judgement_data, judgement_text
        from meldref.report.position_file import NotWritable, position_file, position_text

        answer = judge_move(self.built, move)
        after = None
        if not answer.findings and answer.then not in {"over", None}:
            try:
                after = position_file(answer.after, self.rules)
            except NotWritable as not_writable:
                raise Unusable(f"--continue: {not_writable}") from not_writable
        if self.format_ is options.Format.JSON:
            output.write(json.dumps({**judgement_data(answer), "position": after}))
        elif after is not None:
            output.write_all(position_text(after))
        else:
            style = output.style_for(sys.stderr)
            for line in judgement_text(answer, style=style, quiet=self.quiet):
                output.notice_lines(line)
        return self._status(answer)

    def judge(self, move: str, seed: int | None) -> int:
        """Judges a move; where that is open, by the deals that fit. The exit status.

        With a `seed`, the deals in which it is legal are counted, or drawn from that seed.
        """
        from meldref.answers.legal import judge_move
        from meldref.report.judgement import judgement_data, judgement_text

        if seed is not None:
            return self._weigh(move, seed)
        answer = judge_move(self.built, move)
        if answer.verdict == "open" and not self.quiet:
            return self._weigh(move, None)
        output.show(
            self.format_,
            lambda: judgement_data(answer),
            lambda: judgement_text(answer, style=output.style_for(), quiet=self.quiet),
        )
        return self._status(answer)

    def _weigh(self, move: str, seed: int | None) -> int:
        """Judges a move by the deals of unseen cards that fit; the exit status."""
        from meldref.report.judgement import judgement_data, judgement_text
        from meldref_evidence.chances import weigh
        from meldref_evidence.report.chances import weighed_text

        counted = seed is not None
        weighed = weigh(self.built, move, counts=counted, seed=1 if seed is None else seed)
        answer = weighed.judgement

        def text() -> Iterator[str]:
            yield from judgement_text(answer, style=output.style_for(), quiet=self.quiet)
            yield from weighed_text(weighed, self.built, self.form, counted=counted)

        output.show(
            self.format_,
            lambda: {**judgement_data(answer), **self._weighed_data(weighed, counted=counted)},
            text,
        )
        return self._status(answer)

    def _weighed_data(self, weighed: Weighed, *, counted: bool) -> dict[str, object]:
        """What deals show, as data: positions with the move legal and illegal, and how many."""
        from meldref.report.position_file import NotWritable, position_file
        from meldref_evidence.report.chances import chances_data

        def written(witness: Built | None) -> dict[str, object] | None:
            try:
                return None if witness is None else position_file(witness, self.rules)
            except NotWritable:
                return None

        data: dict[str, object] = {}
        if weighed.judgement.verdict == "open":
            data["witness"] = {
                "legal": written(weighed.legal),
                "illegal": written(weighed.illegal),
            }
        if counted:
            data["chances"] = None if weighed.chances is None else chances_data(weighed.chances)
        return data

    def _status(self, answer: Judgement) -> int:
        """The exit status of an answer."""
        if not answer.readable:
            return UNUSABLE
        wrong = answer.verdict == "illegal" or (self.strict and answer.verdict == "open")
        return WRONG if wrong else CLEAN

    def list_moves(self, *, turns: bool, most: int | None) -> int:
        """Lists the moves, or whole turns; the exit status."""
        from meldref.answers.listing import legal_moves
        from meldref.position.model import GOING_ON
        from meldref.report.judgement import melds_count, moves_data, moves_text
        from meldref.rules.stock import reshuffle
        from meldref_table.best_plays import legal_turns

        position = self.built.position
        if turns:
            moves, search = legal_turns(self.built, most or _MOST_TURNS)
            complete, searched = search.complete, search.searched
        else:
            moves = legal_moves(self.built, _LOOKED_AT, most)
            complete, searched = moves.complete, moves.searched
        player = position.players[position.turn.seat]
        note = complete if turns or most is not None or not searched else None
        over = position.ending is not GOING_ON
        output.show(
            self.format_,
            lambda: moves_data(player, moves, complete=note),
            lambda: moves_text(
                player, moves, over=over, points=melds_count(self.built), quiet=self.quiet
            ),
        )
        if not searched and not self.quiet:
            what = f"too many {'turns' if turns else 'moves'} to look at all of them"
            output.notice(f"meldref: there are {what}: a better one may be missing")
        elif not complete and not self.quiet:
            output.notice(f"meldref: there are more; --most {2 * len(moves)} lists twice as many")
        may_reshuffle = position.begins and reshuffle(self.built.judge.binding)(position) is None
        if turns and may_reshuffle and not self.quiet:
            output.notice("meldref: turns that begin after a `reshuffle` are not listed")
        return CLEAN
