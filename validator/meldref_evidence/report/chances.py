"""The chances that a move is legal, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from meldref.core.cards import UNKNOWN, cards_text
from meldref.core.text import many
from meldref.position.model import Position
from meldref.report.json import Data, facts
from meldref_evidence.chances import Chances, Weighed


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
