"""How a move was judged, and which moves are legal, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from meldref.answers.legal import Judgement, LegalMove
from meldref.core.cards import UNKNOWN, cards_text
from meldref.core.text import many
from meldref.position.model import Position
from meldref.report.json import Data, facts, finding_data
from meldref.report.style import PLAIN, Style, in_columns
from meldref.report.text import finding_text, heading

if TYPE_CHECKING:
    from meldref_evidence.chances import Chances, Weighed

_FOLLOWS: Final = {
    "over": "the hand is over",
    "open": "the turn continues",
    "floats": "the player floats, without cards",
}


def judgement_text(
    answer: Judgement, *, style: Style = PLAIN, quiet: bool = False
) -> Iterator[str]:
    """What is wrong with the move, or that nothing is, with what it brings and what follows.

    `quiet`: only the first line of each finding, or only the verdict.
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
    if answer.points:
        yield "  = points: " + ", ".join(
            f"{name} {points:+d}" for name, points in answer.points.items()
        )
    if answer.then is not None:
        follows = _FOLLOWS.get(answer.then) or f"{answer.then.removeprefix('plays ')} plays"
        yield f"  = then: {follows}"


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


def weighed_text(weighed: Weighed, before: Position, *, counted: bool) -> Iterator[str]:
    """A deal in which a move is legal, one in which it is not, and if `counted`, their numbers.

    `before` is the position that was asked about.
    """
    if weighed.judgement.verdict == "open":
        for verdict, witness in (("legal", weighed.legal), ("illegal", weighed.illegal)):
            if witness is not None:
                options = _options(before, witness.position, weighed)
                yield f"  = {verdict} with {options}"
    if not counted:
        return
    if weighed.chances is not None:
        yield f"  = chances: {chances_text(weighed.chances)}"
    elif weighed.unknown:
        yield f"  = {weighed.unknown}"


def chances_text(chances: Chances) -> str:
    """In how many deals the move is legal, with the share, and how far that is to be trusted."""
    counted = f"legal in {chances.legal:,} of {many(chances.deals, 'deal')}"
    undecided = f", undecided in {chances.open:,}" if chances.open else ""
    if chances.exact:
        return f"{counted} ({chances.share:.1%}){undecided}"
    low, high = chances.interval
    return (
        f"{counted} drawn by lot ({chances.share:.1%}; {low:.1%} to {high:.1%} with 95 % "
        f"confidence; --seed {chances.seed}){undecided}"
    )


def _options(before: Position, dealt: Position, weighed: Weighed) -> str:
    """The options of `legal` that name what was unknown: hand, cards drawn and pile."""
    seat = weighed.seat
    name = "" if seat == before.turn.seat else f"{dealt.players[seat]}: "
    options = [f'--hand "{name}{dealt.hand_text(seat)}"'] if before.unknown[seat] else []
    drawn = before.stock_size - weighed.judgement.after.position.stock_size
    if drawn > 0:
        tops = [*reversed(dealt.stock)][:drawn]
        rest = before.stock_size - len(tops)
        options.append(f'--stock "{cards_text(tops)}{f" ?*{rest}" if rest else ""}"')
    if UNKNOWN in before.pile:
        options.append(f'--pile "{cards_text(dealt.pile)}"')
    return " ".join(options) or "any cards"


def chances_data(chances: Chances) -> dict[str, Data]:
    """The chances of a move for programs: numbers of deals, and the share in which it is legal."""
    return {
        **facts(chances, "deals", "legal", "illegal", "open", "exact", "share"),
        "interval": list(chances.interval),
        "seed": chances.seed,
    }


def moves_text(
    player: str, moves: Sequence[LegalMove], *, over: bool, quiet: bool = False
) -> Iterator[str]:
    """Each move with the points it brings; `quiet`: only the moves.

    Without any: that the hand is `over`, or that the `player` to move has none.
    """
    if quiet:
        yield from (move.move for move in moves)
        return
    if not moves:
        yield "the hand is over" if over else f"{player} has no legal move"
        return
    yield from in_columns((move.move, f"{move.points:+d}" if move.points else "") for move in moves)


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
