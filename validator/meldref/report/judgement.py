"""How a move was judged, and which moves are legal, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from meldref.answers.legal import Judgement, LegalMove, may_be_called
from meldref.positions.build import Built
from meldref.report.json import Data, facts, finding_data
from meldref.report.style import PLAIN, Style, in_columns
from meldref.report.table import over_text
from meldref.report.text import finding_text, heading

_FOLLOWS: Final = {
    "open": "the turn continues",
    "floats": "the player floats, without cards",
}


def judgement_text(
    answer: Judgement, *, style: Style = PLAIN, quiet: bool = False
) -> Iterator[str]:
    """What is wrong with the move, or that nothing is, with what it brings and what follows.

    `quiet`: only the first line of each finding, or only the verdict. Points are left out of games in
    which melds count for nothing.
    """
    for place, finding in enumerate(answer.findings):
        if quiet:
            yield heading(finding, style=style)
            continue
        if place:
            yield ""
        yield finding_text(finding, style=style)
    if answer.findings:
        return
    word = style.green("legal") if answer.verdict == "legal" else style.yellow("undecided")
    for move in answer.moves:
        yield f"{word}: {move}"
    if quiet:
        return
    yield from (f"  = {what}" for what in answer.open)
    if answer.points and melds_count(answer.after):
        yield "  = points: " + ", ".join(
            f"{name} {points:+d}" for name, points in answer.points.items()
        )
    if answer.then is not None:
        yield f"  = then: {_follows(answer, answer.then)}"


def _follows(answer: Judgement, then: str) -> str:
    if then == "over":
        return over_text(may_be_called=may_be_called(answer))
    return _FOLLOWS.get(then) or f"{then.removeprefix('plays ')} plays"


def melds_count(built: Built) -> bool:
    """Whether what lies on the table counts in the score of the hand."""
    return built.judge.ruleset.scoring.melds == "count"


def judgement_data(answer: Judgement) -> dict[str, Data]:
    """Data for programs."""
    return {
        "verdict": answer.verdict,
        "legal": None if answer.verdict == "open" else answer.verdict == "legal",
        "moves": list(answer.moves),
        "findings": list(map(finding_data, answer.findings)),
        "points": dict(answer.points),
        "then": answer.then,
    }


def moves_text(
    player: str, moves: Sequence[LegalMove], *, over: bool, points: bool, quiet: bool = False
) -> Iterator[str]:
    """Each move, with the `points` it brings if they count; `quiet`: only the moves.

    Without any: that the hand is `over`, or that the `player` to move has none.
    """
    if quiet:
        yield from (move.move for move in moves)
        return
    if not moves:
        yield "the hand is over" if over else f"{player} has no legal move"
        return
    yield from in_columns(
        (move.move, f"{move.points:+d}" if points and move.points else "") for move in moves
    )


def moves_data(
    player: str, moves: Sequence[LegalMove], *, complete: bool | None = None
) -> dict[str, object]:
    """Data for programs; `complete` is there where it was asked whether these are all."""
    data: dict[str, object] = {
        "to_move": player,
        "moves": [facts(move, "move", "points") for move in moves],
    }
    if complete is not None:
        data["complete"] = complete
    return data
