"""The cards that a command's CARDS name, and the table they can be at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from meldref_cli.errors import Unusable

if TYPE_CHECKING:
    from meldref.cards import Card
    from meldref.ruleset.model import Ruleset


def cards_named(text: str, unknown: str) -> tuple[Card, ...]:
    """The cards of CARDS; `unknown` says why a `?` cannot be among them.

    Raises:
        Unusable: they cannot be read, one of them is unknown, or there is none.
    """
    from meldref.cards import UNKNOWN
    from meldref.diagnostics import Finding
    from meldref.notation.reader import read_card_row

    row = read_card_row(text)
    if isinstance(row, Finding):
        raise Unusable(f"CARDS: {row.message}")
    if UNKNOWN in row:
        raise Unusable(f"CARDS: {unknown}")
    if not row:
        raise Unusable('CARDS: none are named; cards are written like "5h 6h 7h Jk"')
    return row


def fewest_players(ruleset: Ruleset, row: Sequence[Card]) -> int | None:
    """The fewest players at whose table there are so many copies of each card; None where there are never."""
    for players in range(ruleset.players.min, ruleset.players.max + 1):
        if all(row.count(card) <= ruleset.copies(card, players) for card in set(row)):
            return players
    return None
