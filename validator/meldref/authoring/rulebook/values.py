"""What cards count, as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from meldref.authoring.rulebook.model import Row, RulebookTable
from meldref.authoring.rulebook.words import RANK_NAMES, capital, card_name
from meldref.core.cards import ACE, JOKER, NATURALS, RANKS, Card, card_text, rank_of
from meldref.core.text import in_words
from meldref.ruleset.model import Ruleset, has_jokers

_JACK: Final = RANKS.index("J")


def value_table(rules: Ruleset) -> RulebookTable:
    """What each card counts, in a meld and in a hand."""
    scoring = rules.scoring
    jokers = has_jokers(rules)
    cards = [*NATURALS, *([JOKER] if jokers else [])]
    held = scoring.hands != "ignore" and (
        scoring.wild_held is not None or any(scoring.values[card] != scoring.held[card] for card in cards)
    )
    columns = (scoring.values, scoring.held) if held else (scoring.values,)
    head = ("Card", "Points laid", "Points held") if held else ("Card", "Points")
    rows = [*_rows(columns, jokers=jokers), *_wild_row(rules, len(columns))]
    return RulebookTable(head, tuple(rows))


def _wild_row(rules: Ruleset, columns: int) -> Iterator[Row]:
    """Wild cards of any rank, where they have a line of their own."""
    scoring = rules.scoring
    ranks = [card for card in rules.melds.wild.cards if card != "joker"]
    said = (scoring.wild_cards, scoring.wild_held)
    if not ranks or said == (None, None):
        return
    name = "Wild cards with a rank" if "joker" in rules.melds.wild.cards else "Wild cards"
    laid, held = ("" if points is None else f"{points:,}" for points in said)
    cells = (laid or "by rank", held or laid or "by rank")
    keys = [f"scoring.{table}.wild" for table, text in (("values", laid), ("held", held)) if text]
    yield Row((name, *cells[:columns]), tuple(keys))


def _rows(columns: Sequence[Sequence[int]], *, jokers: bool) -> Iterator[Row]:
    """Ranks that count the same, then single cards that differ from their rank, then jokers."""

    def worth(card: Card) -> tuple[int, ...]:
        return tuple(column[card] for column in columns)

    def row(name: str, values: Sequence[str], *cards: str) -> Row:
        tables = ("values", "held") if len(set(values)) > 1 else ("values",)
        keys = [f"scoring.{table}.{card}" for table in tables for card in cards]
        return Row((name, *values), tuple(keys))

    ranks = [[worth(card) for card in range(rank, JOKER, 13)] for rank in range(13)]
    usual = [max(suits, key=suits.count) for suits in ranks]
    for run in _runs(usual):
        values = [f"{value:,}" for value in usual[run[0]]]
        if len(run) > 1 and _by_number(usual, run):
            values = ["the number on the card"] * len(columns)
        yield row(_ranks_name(run), values, *(RANKS[rank] for rank in run))
    for card in NATURALS:
        if worth(card) != usual[rank_of(card)]:
            name = capital(card_name(card).removeprefix("the "))
            yield row(name, [f"{value:,}" for value in worth(card)], card_text(card))
    if jokers:
        yield row("Joker", [f"{value:,}" for value in worth(JOKER)], "joker")


def _runs(usual: Sequence[tuple[int, ...]]) -> list[list[int]]:
    """Neighbouring ranks that count the same, or each the number on it, from the two to the king; then the ace."""
    runs: list[list[int]] = []
    for rank in range(1, 13):
        last = runs[-1] if runs else []
        if last and (_by_number(usual, [*last, rank]) or all(usual[one] == usual[rank] for one in last)):
            last.append(rank)
        else:
            runs.append([rank])
    return [*runs, [ACE]]


def _by_number(usual: Sequence[tuple[int, ...]], run: Sequence[int]) -> bool:
    return all(rank < _JACK and set(usual[rank]) == {rank + 1} for rank in run)


def _ranks_name(run: Sequence[int]) -> str:
    names = [str(rank + 1) if 0 < rank < _JACK else RANK_NAMES[rank] for rank in run]
    if len(run) > 2 and run[-1] < _JACK:
        return f"{names[0]} to {names[-1]}"
    return capital(in_words(names))
