"""The pages of all codes, in the order in which a reader would look for them.

A family's file is read when one of its pages is asked for: most runs of the program need none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from meldref.rules.page import Page, pages_in

CODES: Final = (
    "log.syntax",
    "log.name",
    "log.number",
    "log.copies",
    "log.assert",
    "setup.players",
    "setup.dealer",
    "setup.deal",
    "setup.deck",
    "turn.order",
    "turn.draw",
    "turn.unfinished",
    "turn.over",
    "draw.stock",
    "draw.pile",
    "draw.deep.unused",
    "draw.deep.late",
    "draw.deep.lay-off",
    "draw.top.unused",
    "draw.top.lay-off",
    "hand.missing",
    "meld.size",
    "meld.shape",
    "meld.kind",
    "meld.first-points",
    "meld.contract",
    "wild.unbound",
    "wild.binding",
    "wild.naturals",
    "wild.role",
    "layoff.fit",
    "layoff.target",
    "layoff.unnamed",
    "swap.forbidden",
    "swap.fit",
    "swap.kept",
    "discard.taken-top",
    "discard.taken-deep",
    "out.discard-required",
    "out.playable",
    "out.stuck",
    "float.playable",
    "float.kept",
    "call.off",
    "call.late",
    "call.own",
    "call.scope",
    "call.nothing",
    "call.hand",
    "buy.off",
    "buy.own",
    "buy.late",
    "buy.card",
    "challenge.unfounded",
    "stock.pass",
    "stock.reshuffle",
    "end.early",
    "end.late",
    "end.reason",
    "score.hand",
    "score.total",
    "game.over",
    "game.winner",
    "game.tie",
    "game.out",
    "settle.chips",
    "rules.yaml",
    "rules.key",
    "rules.value",
    "rules.extends",
    "rules.sense",
    "rules.conflict",
)
"""Every code there is. What stands before the first dot is its family, and its file here."""


class _Pages(Mapping[str, Page]):
    """Reads a family's file when one of its pages is first asked for."""

    def __init__(self) -> None:
        self._read: dict[str, Page] = {}
        self._codes = dict.fromkeys(CODES)

    def __getitem__(self, code: str) -> Page:
        page = self._read.get(code)
        if page is None:
            if code not in self._codes:
                raise KeyError(code)
            family = Path(__file__).with_name(f"{code.partition('.')[0]}.md")
            self._read.update({page.code: page for page in pages_in(family.read_text(encoding="utf-8"))})
            page = self._read[code]
        return page

    def __contains__(self, code: object) -> bool:
        return code in self._codes

    def __iter__(self) -> Iterator[str]:
        return iter(CODES)

    def __len__(self) -> int:
        return len(CODES)


PAGES: Final[Mapping[str, Page]] = _Pages()
