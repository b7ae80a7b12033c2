"""The cards that a command's CARDS name, and the table they can be at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from meldref.core.cards import RANKS, UNKNOWN, Card, card_text
from meldref.core.diagnostics import Finding
from meldref.core.text import times
from meldref_cli.errors import Unusable

if TYPE_CHECKING:
    from meldref.ruleset.model import Ruleset


_WRITTEN: Final = 'cards are written like "5h 6h 7h Jk"'
_SHOWN: Final = 20
"""How many characters of a word that is not a card are shown."""


def cards_named(text: str, unknown: str) -> tuple[Card, ...]:
    """The cards of CARDS, at least one; `unknown` says why a `?` cannot be among them."""
    from meldref.notation.reader import read_card_row

    row = read_card_row(text)
    if isinstance(row, Finding):
        odd = dict.fromkeys(
            word for word in text.split() if isinstance(read_card_row(word), Finding)
        )
        if not odd or row.message.startswith("write the rank before the suit"):
            raise Unusable(f"CARDS: {row.message}")
        quoted = [f"`{word[:_SHOWN]}{'…' if len(word) > _SHOWN else ''}`" for word in odd]
        no_cards = "are not cards" if len(odd) > 1 else "is not a card"
        raise Unusable(f"CARDS: {', '.join(quoted)} {no_cards}; {_WRITTEN}")
    if UNKNOWN in row:
        raise Unusable(f"CARDS: {unknown}")
    if not row:
        raise Unusable(f"CARDS: no cards are given; {_WRITTEN}")
    return row


def rank_for(wild: str | None) -> int | None:
    """The rank that `--wild` names; `Unusable` if it is none."""
    from meldref.notation.spelling import rank_named

    if wild is None:
        return None
    named = rank_named(wild.strip())
    if named is None:
        raise Unusable(f"--wild {wild}: a rank is one of {' '.join(RANKS)}")
    return named


def check_wild(ruleset: Ruleset, wild: str | None) -> None:
    """Raises `Unusable` if a rank is named wild, and the rules have none named."""
    from meldref.ruleset.changes import keys_of_hands

    if wild is not None and "named" not in ruleset.melds.wild.cards:
        cards = f"melds.wild.cards = [{', '.join(ruleset.melds.wild.cards)}]"
        way_out = "--with chosen-wild-rank has one"
        if "melds.wild.cards" in keys_of_hands(ruleset):
            way_out = "which cards are wild goes by the number of the hand"
        raise Unusable(
            f"--wild {wild}: these rules have no rank named for the hand ({cards}); {way_out}"
        )


def table_for(ruleset: Ruleset, row: Sequence[Card]) -> int:
    """The fewest players whose deck has enough copies of each card, if there is such a table."""
    for players in ruleset.players.numbers:
        if all(row.count(card) <= ruleset.copies(card, players) for card in set(row)):
            return players
    most = max(ruleset.players.numbers, key=ruleset.deck_size)
    wrong = []
    for card in dict.fromkeys(row):
        named, there = row.count(card), ruleset.copies(card, most)
        if named > there:
            has = f"at most {there}" if there else "none"
            often = f" {times(named)}" if there else ""
            wrong.append(
                f"CARDS: {card_text(card)} is named{often}, and the deck of {ruleset.id} has {has}"
            )
    raise Unusable(*(wrong or ["CARDS: no table has that many copies of each of them"]))
