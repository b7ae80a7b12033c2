"""Computes what `sentences.yaml` names: phrases and facts of a ruleset, and what cards count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from meldref.core.cards import ACE, JOKER, NATURALS, RANKS, Card, card_text, rank_of
from meldref.core.text import in_words, number
from meldref.melds.beyond_deck import takes_more_than_the_deck
from meldref.rules.game import only_out_ends
from meldref.ruleset.model import Kind, Ruleset, has_jokers, jokers_for
from meldref_authoring.rulebook.model import Items, Row, RulebookTable, Sentence
from meldref_authoring.rulebook.words import (
    RANK_NAMES,
    capital,
    card_name,
    folded,
    for_players,
    how_often,
    number_of,
    points,
    rank_plural,
    span,
    tables,
)

FORMATS: Final[Mapping[str, Callable[..., str]]] = {
    "points": points,
    "number": number,
    "number_of": number_of,
    "how_often": how_often,
    "digits": "{:,}".format,
}
"""How the value of a key is written."""


# --- players, cards, the deal ---------------------------------------------------------------------


def _decks(rules: Ruleset) -> str:
    decks: dict[int, str] = {}
    for players in tables(rules):
        decks[players] = _deck(rules.deck.packs[players], jokers_for(rules, players))
    groups = folded(decks)
    if len(groups) == 1:
        return f"play with {decks[rules.players.min]}"
    most = rules.players.max
    return "; ".join(
        f"with {for_players(counts, most)}, use {deck}" for deck, counts in groups.items()
    )


def _deck(packs: int, jokers: int) -> str:
    cards = f"{packs * 52 + jokers} cards in all"
    with_jokers = number_of(jokers, "joker")
    if packs > 1:
        extra = f"including {with_jokers}" if jokers else "without jokers"
        return f"{number(packs)} packs shuffled together ({cards}, {extra})"
    if jokers:
        return f"one pack of 52 cards and {with_jokers} ({cards})"
    return "one pack of 52 cards, without jokers"


def _dealt(rules: Ruleset) -> str:
    cards = rules.deal.cards.numbers
    groups = folded({players: cards[players] for players in tables(rules) if players in cards})
    usual = max(groups, key=lambda dealt: len(groups[dealt]))
    others = [
        f"{number(dealt)} with {for_players(players, rules.players.max)}"
        for dealt, players in groups.items()
        if dealt != usual
    ]
    unusual = f" ({in_words(others)})" if others else ""
    return f"{number_of(usual, 'card')} to each player{unusual}"


def _with_packs(rules: Ruleset, *, single: bool) -> bool:
    """Whether some table plays with one pack, or some with more."""
    packs = [rules.deck.packs.get(count) or 1 for count in tables(rules)]
    return min(packs) == 1 if single else max(packs) > 1


def _sides_of_two(rules: Ruleset) -> int:
    """The number of players at a table where only two have a score."""
    partnership = rules.partnership
    shared = partnership.sides == "opposite" and partnership.score == "together"
    return 4 if shared else 2


# --- melds ----------------------------------------------------------------------------------------


def _kinds(rules: Ruleset) -> str:
    kinds = len(rules.melds.kinds)
    return f"There are {number(kinds)} kinds" if kinds > 1 else "There is one kind"


def _named_kinds(rules: Ruleset, which: Callable[[Kind], bool]) -> str:
    """Some kinds of meld by name: `a set or a run`; empty if there are none."""
    return in_words([f"a {kind_name(kind)}" for kind in rules.melds.kinds if which(kind)], "or")


def _contract(rules: Ruleset) -> str:
    melds = []
    for written, times in Counter(rules.melds.contract or ()).items():
        kind, _, size = written.partition(" ")
        plural = kind if kind.endswith("s") else f"{kind}s"
        what = f"a {kind}" if times == 1 else f"{number(times)} {plural}"
        least = f" of {number(int(size))} or more cards" if size else ""
        melds.append(f"{what}{least}")
    return in_words(melds)


def _wild_cards(rules: Ruleset) -> str:
    """What is wild, in the plural: `jokers and twos`."""
    named = "the cards of the rank named for the hand"
    return in_words(
        named if card == "named" else rank_plural(card) for card in rules.melds.wild.cards
    )


def kind_name(kind: Kind) -> str:
    """The name of a kind of meld, as people write it."""
    return kind.name.replace("_", " ").replace("-", " ")


def has_aces(kind: Kind) -> bool:
    """Whether a kind of meld may have aces in it."""
    return kind.only is None or "A" in kind.only


def _kinds_with_ace_at(rules: Ruleset, end: str) -> str:
    return _named_kinds(
        rules, lambda kind: kind.is_run and has_aces(kind) and bool({end, "around"} & set(kind.ace))
    )


def _kinds_of_four(rules: Ruleset) -> Iterator[Kind]:
    return (kind for kind in rules.melds.kinds if kind.min_size <= 4 <= kind.max_size)


def _has_four_aces(rules: Ruleset) -> bool:
    rows = {"consecutive_ranks", "distinct_ranks"}
    return any(not rows & set(kind.require) and has_aces(kind) for kind in _kinds_of_four(rules))


# --- the game -------------------------------------------------------------------------------------


def _hands(rules: Ruleset) -> str:
    low, high = rules.game.hands
    if low == high:
        return number_of(low, "hand")
    if high - low < 3:
        return f"{in_words(map(number, range(low, high + 1)), 'or')} hands, as agreed"
    return f"{number(low)} to {number(high)} hands, as agreed"


def customs(rules: Ruleset) -> Items | None:
    """The customs of a group, as they are written."""
    if not rules.customs:
        return None
    return Items(tuple(Sentence(custom, ("customs",)) for custom in rules.customs))


WORKED_OUT: Final[Mapping[str, Callable[[Ruleset], object]]] = {
    "players": lambda rules: span(rules.players.min, rules.players.max, "player"),
    "decks": _decks,
    "dealt": _dealt,
    "has jokers": has_jokers,
    "has duplicates": lambda rules: _with_packs(rules, single=False),
    "has single packs": lambda rules: _with_packs(rules, single=True),
    "two may play": lambda rules: rules.players.min <= _sides_of_two(rules) <= rules.players.max,
    "only two play": lambda rules: rules.players.max <= _sides_of_two(rules),
    "kinds": _kinds,
    "kinds of one rank": lambda rules: _named_kinds(
        rules, lambda kind: "same_rank" in kind.require
    ),
    "kinds that may repeat suits": lambda rules: _named_kinds(
        rules,
        lambda kind: takes_more_than_the_deck(kind, rules.melds.wild.cards, rules.melds.wild.twins),
    ),
    "kinds that go around": lambda rules: _named_kinds(
        rules, lambda kind: kind.is_run and has_aces(kind) and "around" in kind.ace
    ),
    "kinds with a low ace": lambda rules: _kinds_with_ace_at(rules, "low"),
    "kinds with a high ace": lambda rules: _kinds_with_ace_at(rules, "high"),
    "has melds of four": lambda rules: any(_kinds_of_four(rules)),
    "has melds of four aces": _has_four_aces,
    "contract": _contract,
    "wild cards": _wild_cards,
    "has wild ranks": lambda rules: any(card != "joker" for card in rules.melds.wild.cards),
    "hands": _hands,
    "only out ends": only_out_ends,
}
"""For the name of a phrase or a fact what works it out; a phrase that is empty is not true,
either."""


# --- what cards count, as a table -----------------------------------------------------------------


_JACK: Final = RANKS.index("J")


def value_table(rules: Ruleset) -> RulebookTable:
    """What each card counts, in a meld and in a hand."""
    scoring = rules.scoring
    jokers = has_jokers(rules)
    cards = [*NATURALS, JOKER] if jokers else [*NATURALS]
    differs = scoring.wild_held is not None or any(
        scoring.values[card] != scoring.held[card] for card in cards
    )
    head: tuple[str, ...] = ("Card", "Points")
    tables = {"values": scoring.values}
    if differs and scoring.hands != "ignore":
        if scoring.melds == "count" or rules.melds.first_points:
            head = ("Card", "Points laid", "Points held")
            tables["held"] = scoring.held
        else:
            tables = {"held": scoring.held}
    rows = [*_rows(tables, jokers=jokers), *_wild_row(rules, tables)]
    return RulebookTable(head, tuple(rows))


def _wild_row(rules: Ruleset, tables: Iterable[str]) -> Iterator[Row]:
    """Wild cards of any rank, where they have a line of their own."""
    scoring = rules.scoring
    ranks = [card for card in rules.melds.wild.cards if card != "joker"]
    if not ranks:
        return
    counts = dict.fromkeys(("values", "held"), "by rank")
    keys: list[str] = []
    if scoring.wild_cards is not None:
        counts = dict.fromkeys(counts, f"{scoring.wild_cards:,}")
        keys.append("scoring.values.wild")
    if scoring.wild_held is not None:
        counts["held"] = f"{scoring.wild_held:,}"
        keys.append("scoring.held.wild")
    if keys:
        name = "Wild cards with a rank" if "joker" in rules.melds.wild.cards else "Wild cards"
        yield Row((name, *[counts[table] for table in tables]), tuple(keys))


def _rows(tables: Mapping[str, Sequence[int]], *, jokers: bool) -> Iterator[Row]:
    """Ranks that count the same, then single cards that differ from their rank, then jokers."""

    def worth(card: Card) -> tuple[int, ...]:
        return tuple(table[card] for table in tables.values())

    def row(name: str, values: Sequence[str], *cards: str) -> Row:
        by_values = "values" in tables and len(set(values)) == 1
        sources = ("values",) if by_values else ("values", "held")
        keys = [f"scoring.{source}.{card}" for source in sources for card in cards]
        return Row((name, *values), tuple(keys))

    ranks = [[worth(card) for card in range(rank, JOKER, 13)] for rank in range(13)]
    usual = [max(suits, key=suits.count) for suits in ranks]
    for run in _runs(usual):
        values = [f"{value:,}" for value in usual[run[0]]]
        if len(run) > 1 and _by_number(usual, run):
            values = ["the number on the card"] * len(tables)
        yield row(_ranks_name(run), values, *(RANKS[rank] for rank in run))
    for card in NATURALS:
        if worth(card) != usual[rank_of(card)]:
            name = capital(card_name(card).removeprefix("the "))
            yield row(name, [f"{value:,}" for value in worth(card)], card_text(card))
    if jokers:
        yield row("Joker", [f"{value:,}" for value in worth(JOKER)], "joker")


def _runs(usual: Sequence[tuple[int, ...]]) -> list[list[int]]:
    """Neighbouring ranks that count the same, or each the number on it, from the two to the king.

    Then the ace.
    """
    runs: list[list[int]] = [[1]]
    for rank in range(2, 13):
        last = runs[-1]
        counts_the_same = all(usual[other] == usual[rank] for other in last)
        if counts_the_same or _by_number(usual, [*last, rank]):
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
