"""What cards count, and what a hand scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from meldref.authoring.rulebook.kinds import kind_name
from meldref.authoring.rulebook.model import Chapter, Lists, Row, RulebookTable, Shows, says
from meldref.authoring.rulebook.words import (
    RANK_NAMES,
    UNIT,
    capital,
    card_name,
    how_often,
    number,
    points,
    side_or_player,
    that,
)
from meldref.core.cards import ACE, JOKER, NATURALS, RANKS, Card, card_text, rank_of
from meldref.core.text import in_words
from meldref.ruleset.model import Kind, Ruleset, has_jokers

JOKERS: Final = ("deck.jokers", "deck.jokers_in_all", "deck.packs", "players.min", "players.max")
"""The keys that say whether there are jokers."""
_JACK: Final = RANKS.index("J")


@says("scoring.melds", "scoring.hands", given=UNIT)
def _sum(rules: Ruleset) -> str:
    who = side_or_player(rules)
    if rules.scoring.melds == "ignore":
        return {
            "subtract": f"When the hand is over, each {who} loses the points of the cards still held.",
            "ignore": "Neither cards that were laid nor cards still held count.",
            "to_player_out": (
                f"When the hand is over, the {who} {that(who)} went out gets the points of all the cards that the "
                "others still hold."
            ),
            "add": f"When the hand is over, each {who} gets the points of the cards still held as penalty points.",
        }[rules.scoring.hands] + " Cards that were laid count for nothing."
    start = (
        f"When the hand is over, each {who} counts the cards that it has laid"
        if who == "side"
        else ("When the hand is over, each player counts the cards that they have laid")
    )
    others = "the other sides" if who == "side" else "the other players"
    return {
        "subtract": f"{start}, and takes away the points of the cards still held.",
        "ignore": f"{start}. Cards still held count for nothing.",
        "add": f"{start}, and adds the points of the cards still held.",
        "to_player_out": (
            f"{start}. The {who} {that(who)} went out also gets the points of all the cards that {others} still "
            "hold; nobody loses points for them."
        ),
    }[rules.scoring.hands]


@says("scoring.nobody_out", given=("scoring.hands", "players.min", "players.max", *UNIT))
def _nobody_out(rules: Ruleset) -> str | None:
    if rules.scoring.hands != "to_player_out":
        return None
    who = side_or_player(rules)
    for_two = 4 if who == "side" else 2
    if rules.scoring.nobody_out == "two_exchange" and rules.players.min <= for_two <= rules.players.max:
        only = "" if rules.players.max == for_two else f"; with more {who}s they count for nobody"
        return f"If nobody went out, two {who}s each get the points of what the other holds{only}."
    return "If nobody went out, the cards still held count for nobody."


# --- values ----------------------------------------------------------------------------------------------------


def _value_table(rules: Ruleset) -> RulebookTable:
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
    laid, held = (None if points is None else f"{points:,}" for points in said)
    cells = (laid or "by rank", held or laid or "by rank")
    keys = [
        f"scoring.{table}.wild"
        for table, points in zip(("values", "held"), said, strict=True)
        if points is not None
    ]
    yield Row((name, *cells[:columns]), tuple(keys))


def _rows(columns: Sequence[Sequence[int]], *, jokers: bool) -> Iterator[Row]:
    """Ranks that count the same, then single cards that differ from their rank, then jokers."""

    def worth(card: Card) -> tuple[int, ...]:
        return tuple(column[card] for column in columns)

    def row(name: str, values: Sequence[str], *cards: str) -> Row:
        tables = ("values", "held") if len(set(values)) > 1 else ("values",)
        keys = [f"scoring.{table}.{card}" for table in tables for card in cards]
        return Row((name, *values), tuple(keys))

    usual = []
    for rank in range(13):
        suits = [worth(card) for card in range(rank, JOKER, 13)]
        usual.append(max(suits, key=suits.count))
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


# --- what counts otherwise -------------------------------------------------------------------------------------


def _has_low_ace(kind: Kind) -> bool:
    aces = kind.only is None or "A" in kind.only
    return aces and "consecutive_ranks" in kind.require and bool({"low", "around"} & set(kind.ace))


@says("scoring.low_ace", given=("melds.kinds",))
def _low_ace(rules: Ruleset) -> str | None:
    kinds = [kind_name(kind) for kind in rules.melds.kinds if _has_low_ace(kind)]
    if not kinds:
        return None
    of = in_words([f"a {name}" for name in kinds], "or")
    if rules.scoring.low_ace is None:
        return f"An ace in the lowest place of {of} counts what any ace counts."
    return f"An ace in the lowest place of {of} counts {points(rules.scoring.low_ace)} there."


@says("scoring.wild", given=("melds.wild.cards",))
def _wild(rules: Ruleset) -> str | None:
    if not rules.melds.wild.cards:
        return None
    if rules.scoring.wild == "represented":
        return "A wild card that lies in a meld counts as much as the card it stands for."
    return "A wild card counts its own points, whatever card it stands for."


def _can_be_four(kind: Kind) -> bool:
    return kind.min_size <= 4 <= kind.max_size


@says("scoring.four_aces", given=("melds.kinds",))
def _four_aces(rules: Ruleset) -> str | None:
    worth = rules.scoring.four_aces
    rows = {"consecutive_ranks", "distinct_ranks"}
    possible = [
        kind
        for kind in rules.melds.kinds
        if _can_be_four(kind) and not rows & set(kind.require) and (kind.only is None or "A" in kind.only)
    ]
    if worth is None or not possible:
        return None
    return (
        f"Four aces in one meld, all laid by one player, count {points(worth)} together, whatever one ace counts."
    )


@says("scoring.four_at_once", given=("melds.kinds",))
def _four_at_once(rules: Ruleset) -> str | None:
    factor = rules.scoring.four_at_once
    if factor == 1 or not any(map(_can_be_four, rules.melds.kinds)):
        return None
    often = how_often(factor)
    return f"A meld of exactly four cards, laid all at once, counts {often}; cards added later count once."


@says("out.bonus", given=UNIT)
def _bonus(rules: Ruleset) -> str | None:
    if not rules.out.bonus:
        return None
    who = side_or_player(rules)
    return f"The {who} {that(who)} went out scores {points(rules.out.bonus)} more."


@says("scoring.below_zero.hand", "scoring.below_zero.total", given=("scoring.hands",))
def _below_zero(rules: Ruleset) -> str | None:
    if rules.scoring.hands != "subtract":
        return None
    below = rules.scoring.below_zero
    if below.hand == "forbidden":
        return "A score below zero for a hand counts as 0."
    if below.total == "forbidden":
        return "The score of a hand may be below zero, but a total never falls below 0."
    return "The score of a hand may be below zero, and so may a total."


@says("scoring.divide_by")
def _added(rules: Ruleset) -> str:
    by = rules.scoring.divide_by
    divided = "" if by == 1 else f"divided by {number(by)}, and then "
    return f"The result is {divided}added to the total so far."


CHAPTERS: Final = (
    Chapter(
        "The score of a hand",
        (
            (_sum, _nobody_out, _bonus, _added, _below_zero),
            Lists(
                ("scoring.values", "scoring.held"), ("scoring.hands", "melds.wild.cards", *JOKERS), _value_table
            ),
            (_low_ace, _wild, _four_aces, _four_at_once),
            Shows("values"),
        ),
    ),
)
