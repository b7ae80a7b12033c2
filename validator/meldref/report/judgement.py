"""What a move was judged to be, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from meldref.legal import Judgement
from meldref.report.json import Data, finding_data
from meldref.report.style import PLAIN, Style
from meldref.report.text import finding_text, heading

_FOLLOWS: Final = {
    "over": "the hand is over",
    "open": "the turn goes on",
    "floats": "the player floats, without cards",
}


def judgement_text(answer: Judgement, *, style: Style = PLAIN, quiet: bool = False) -> Iterator[str]:
    """What is wrong with the move, or that nothing is, with what it brings and what follows.

    `quiet`: only the first line of each finding, or the verdict alone.
    """
    for place, finding in enumerate(answer.findings):
        if quiet:
            yield heading(finding, style=style)
            continue
        if place:
            yield ""
        yield finding_text(finding, style=style)
    if answer.verdict == "illegal":
        return
    word = style.green("legal") if answer.verdict == "legal" else style.yellow("open")
    for move in answer.moves:
        yield f"{word}: {move}"
    if quiet:
        return
    if answer.verdict == "open":
        yield "  = whether the turn can be ended depends on cards that are unknown"
    if answer.points:
        yield "  = points: " + ", ".join(f"{name} {points:+d}" for name, points in answer.points.items())
    if answer.then is not None:
        yield f"  = then: {_then(answer.then)}"


def _then(then: str) -> str:
    """What follows, in a sentence's words."""
    return _FOLLOWS.get(then) or f"{then.removeprefix('plays ')} plays"


def judgement_data(answer: Judgement) -> dict[str, Data]:
    """The same for programs."""
    return {
        "verdict": answer.verdict,
        "legal": None if answer.verdict == "open" else answer.verdict == "legal",
        "moves": list(answer.moves),
        "findings": [finding_data(finding) for finding in answer.findings],
        "points": dict(answer.points),
        "then": answer.then,
    }
