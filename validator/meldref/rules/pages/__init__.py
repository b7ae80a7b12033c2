"""The pages of all codes, in the order in which a reader would look for them.

A family's file is read when one of its pages is asked for: most runs of the program need none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from meldref.rules.page import Page, codes_in, pages_in

FAMILIES: Final = (
    "log",
    "setup",
    "turn",
    "draw",
    "hand",
    "meld",
    "wild",
    "layoff",
    "swap",
    "discard",
    "out",
    "float",
    "call",
    "buy",
    "challenge",
    "stock",
    "end",
    "score",
    "game",
    "settle",
    "rules",
)
"""What stands before the first dot of a code, and its file here."""


class _Pages(Mapping[str, Page]):
    """Reads a family's file when one of its pages is first asked for."""

    def __init__(self) -> None:
        self._read: dict[str, dict[str, Page]] = {}

    def __getitem__(self, code: str) -> Page:
        family = code.partition(".")[0]
        if family not in FAMILIES:
            raise KeyError(code)
        if family not in self._read:
            self._read[family] = {page.code: page for page in pages_in(_text(family))}
        return self._read[family][code]

    def __iter__(self) -> Iterator[str]:
        return iter(_codes())

    def __len__(self) -> int:
        return len(_codes())


@cache
def _codes() -> list[str]:
    return [code for family in FAMILIES for code in codes_in(_text(family))]


def _text(family: str) -> str:
    return Path(__file__).with_name(f"{family}.md").read_text(encoding="utf-8")


PAGES: Final[Mapping[str, Page]] = _Pages()
