"""`meldref legal`: is this move legal here, and why not; or which moves are."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Final

from meldref.core.effort import EFFORT
from meldref_cli import options, output
from meldref_cli.errors import CLEAN, UNUSABLE, WRONG, Unusable, status
from meldref_cli.findings import POSITION, say_what_it_is, tell
from meldref_cli.position_args import Answer, from_log, from_options, from_position
from meldref_cli.ruleset_args import asked

if TYPE_CHECKING:
    from meldref.positions.build import Built

_MOST_TURNS: Final = 20
"""How many whole turns are listed unless --most says otherwise."""

_LOOKED_AT: Final = 2_000
"""How many moves are listed at most; with many wild cards there may be millions."""
_EFFORT: Final = 400_000
"""How much is searched to find them."""


def legal(
    move: list[str] | None = None,
    position: str | None = None,
    log: str | None = None,
    at: int | None = None,
    named: options.PositionOptions = options.NO_POSITION,
    rules: options.RulesOptions = options.NO_RULES,
    trust_paths: bool = False,
    format_: options.Format = options.Format.TEXT,
    turns: bool = False,
    most: int | None = None,
    strict: bool = False,
    continue_: bool = False,
    quiet: bool = False,
    verbose: bool = False,
    exit_zero: bool = False,
) -> int:
    """Says whether a move is legal, and why not; without MOVE, lists the legal moves with their points."""
    if continue_ and not move:
        raise Unusable("--continue is about the position after a move: give a MOVE")
    if move and (turns or most is not None):
        raise Unusable("--turns and --most are about the list of moves: leave MOVE out")
    said: dict[str, object] | None = {} if continue_ else None
    found, findings = _given(position, log, at, named, rules, said, trust_paths=trust_paths)
    if found is None:
        tell(findings, to_errors=True)
        if position is not None:
            say_what_it_is(position, POSITION)
        return UNUSABLE
    if verbose and format_ is options.Format.TEXT:
        from meldref.report.table import table_lines

        output.write_all(table_lines(found.position, output.style_for()))
        output.write("")
    if not move:
        return _list(found, format_, turns=turns, most=most, quiet=quiet)
    judged = _judge(found, " ".join(move), format_, said, strict=strict, quiet=quiet)
    return status(judged, exit_zero=exit_zero)


def _given(
    position: str | None,
    log: str | None,
    at: int | None,
    named: options.PositionOptions,
    rules: options.RulesOptions,
    said: dict[str, object] | None,
    *,
    trust_paths: bool,
) -> Answer:
    """The position that is asked about, given in one way only. `said` takes the rules that were named."""
    if (log is None) != (at is None):
        raise Unusable("--log needs --at, the line before which the move is asked about, and --at needs --log")
    if (position is not None) + (log is not None) + (named != options.NO_POSITION) > 1:
        raise Unusable("choose one: --position, --log with --at, or the cards in options")
    if position is not None:
        return from_position(position, asked(*rules, read=[("--position", position)]), said)
    if log is not None and at is not None:
        return from_log(log, at, asked(*rules, read=[("--log", log)]), said, trust_paths=trust_paths)
    if named == options.NO_POSITION:
        raise Unusable("say where: --position FILE, --log FILE --at LINE, or --hand, --pile and --table")
    return from_options(named, lambda: asked(*rules), said)


def _judge(
    built: Built, move: str, format_: options.Format, said: dict[str, object] | None, *, strict: bool, quiet: bool
) -> int:
    from meldref.legal import judge_move
    from meldref.report.judgement import judgement_data, judgement_text

    answer = judge_move(built, move)
    after = None
    if said is not None and answer.verdict != "illegal" and answer.then not in {"over", None}:
        from meldref.report.position_file import NotWritable, position_file, position_text

        try:
            after = position_file(answer.after, said)
        except NotWritable as not_writable:
            raise Unusable(f"--continue: {not_writable}") from not_writable
    if format_ is options.Format.JSON:
        data = judgement_data(answer)
        output.write(json.dumps(data if said is None else {**data, "position": after}))
    elif after is not None:
        output.write_all(position_text(after))
    elif said is not None:
        for line in judgement_text(answer, style=output.style_for(sys.stderr), quiet=quiet):
            output.notice_lines(line)
    else:
        output.write_all(judgement_text(answer, style=output.style_for(), quiet=quiet))
    if not answer.readable:
        return UNUSABLE
    wrong = answer.verdict == "illegal" or (strict and answer.verdict == "open")
    return WRONG if wrong else CLEAN


def _list(built: Built, format_: options.Format, *, turns: bool, most: int | None, quiet: bool) -> int:
    from meldref.legal import legal_moves, legal_turns
    from meldref.position.model import GOING_ON
    from meldref.report.judgement import moves_data, moves_text

    searched = True
    if turns:
        moves, search = legal_turns(built, most or _MOST_TURNS)
        complete, searched = search.complete, search.searched
    else:
        with EFFORT.at_most(_EFFORT):
            moves = legal_moves(built, _LOOKED_AT)
            searched = len(moves) < _LOOKED_AT and not EFFORT.over
        complete = searched and (most is None or len(moves) <= most)
        moves = moves[:most]
    player = built.position.players[built.position.turn.seat]
    said = complete if turns or most is not None or not searched else None
    over = built.position.ending is not GOING_ON
    output.show(
        format_,
        lambda: moves_data(player, moves, complete=said),
        lambda: moves_text(player, moves, over=over, quiet=quiet),
    )
    if quiet:
        return CLEAN
    if not searched:
        what = "turns" if turns else "moves"
        output.notice(f"meldref: there are too many {what} to look at all of them: a better one may be missing")
    elif not complete:
        output.notice(f"meldref: there are more; --most {2 * len(moves)} lists twice as many")
    return CLEAN
