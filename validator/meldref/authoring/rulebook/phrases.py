"""The phrases and facts of a ruleset that `sentences.yaml` names and that have to be worked out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from meldref.authoring.rulebook.model import Items, Sentence
from meldref.authoring.rulebook.words import (
    capital,
    folded,
    for_players,
    how_often,
    number,
    number_of,
    points,
    rank_plural,
    span,
    tables,
)
from meldref.core.cards import RANKS
from meldref.core.text import in_words
from meldref.rules.game import only_out_ends
from meldref.ruleset.model import Kind, Ruleset, has_jokers, jokers_for

FORMATS: Final[Mapping[str, Callable[..., str]]] = {
    "points": points,
    "number": number,
    "number_of": number_of,
    "how_often": how_often,
    "digits": "{:,}".format,
}
"""How the value of a key is written."""


# --- players, cards, the deal ----------------------------------------------------------------------------------


def _decks(rules: Ruleset) -> str:
    groups: dict[str, list[int]] = {}
    for players in tables(rules):
        deck = _deck(rules.deck.packs[players], jokers_for(rules, players))
        groups.setdefault(deck, []).append(players)
    if len(groups) == 1:
        return f"play with {deck}"
    most = rules.players.max
    return "; ".join(f"with {for_players(counts, most)}, use {deck}" for deck, counts in groups.items())


def _deck(packs: int, jokers: int) -> str:
    extra, count = ", without jokers", f"{packs * 52 + jokers} cards in all"
    if packs > 1:
        extra = f", including {number_of(jokers, 'joker')}" if jokers else extra
        return f"{number(packs)} packs shuffled together ({count}{extra})"
    return "one pack of 52 cards" + (f" and {number_of(jokers, 'joker')} ({count})" if jokers else extra)


def _dealt(rules: Ruleset) -> str:
    groups = folded(rules.deal.cards, tables(rules))
    usual = max(groups, key=lambda group: len(group[1]))
    others = [
        f"{number(dealt)} with {for_players(players, rules.players.max)}"
        for dealt, players in groups
        if dealt != usual[0]
    ]
    return f"{number_of(usual[0], 'card')} to each player" + (f" ({in_words(others)})" if others else "")


def _with_packs(rules: Ruleset, *, single: bool) -> bool:
    """Whether some table plays with one pack, or some with more."""
    return any(((rules.deck.packs.get(count) or 1) == 1) == single for count in tables(rules))


def _sides_of_two(rules: Ruleset) -> int:
    """The number of players at a table where only two have a score."""
    return 4 if rules.partnership.sides == "opposite" and rules.partnership.score == "together" else 2


# --- melds -----------------------------------------------------------------------------------------------------


def _kinds(rules: Ruleset) -> str:
    kinds = len(rules.melds.kinds)
    return f"There are {number(kinds)} kinds" if kinds > 1 else "There is one kind"


def _named_kinds(rules: Ruleset, which: Callable[[Kind], bool]) -> str:
    """Some kinds of meld by name: `a set or a run`; empty where there are none."""
    return in_words([f"a {kind_name(kind)}" for kind in rules.melds.kinds if which(kind)], "or")


def _contract(rules: Ruleset) -> str:
    melds = []
    for written, times in Counter(rules.melds.contract or ()).items():
        kind, _, size = written.partition(" ")
        plural = kind if kind.endswith("s") else f"{kind}s"
        least = f" of {number(int(size))} or more cards" if size else ""
        melds.append((f"a {kind}" if times == 1 else f"{number(times)} {plural}") + least)
    return in_words(melds)


def _wild_cards(rules: Ruleset) -> str:
    """What is wild, in the plural: `jokers and twos`."""
    named = "the cards of the rank named for the hand"
    return in_words(named if one == "named" else rank_plural(one) for one in rules.melds.wild.cards)


def _has_low_ace(kind: Kind) -> bool:
    return has_aces(kind) and "consecutive_ranks" in kind.require and bool({"low", "around"} & set(kind.ace))


def _kinds_of_four(rules: Ruleset) -> Iterator[Kind]:
    return (kind for kind in rules.melds.kinds if kind.min_size <= 4 <= kind.max_size)


def _has_four_aces(rules: Ruleset) -> bool:
    rows = {"consecutive_ranks", "distinct_ranks"}
    return any(not rows & set(kind.require) and has_aces(kind) for kind in _kinds_of_four(rules))


# --- the game --------------------------------------------------------------------------------------------------


def _hands(rules: Ruleset) -> str:
    low, high = rules.game.hands
    if low == high:
        return number_of(low, "hand")
    if high - low < 3:
        return f"{in_words(map(number, range(low, high + 1)), 'or')} hands, as agreed"
    return f"{number(low)} to {number(high)} hands, as agreed"


def customs(rules: Ruleset) -> Items | None:
    """The customs of a group, as they are written."""
    return Items(tuple(Sentence(custom, ("customs",)) for custom in rules.customs)) if rules.customs else None


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
    "kinds of one rank": lambda rules: _named_kinds(rules, lambda kind: "same_rank" in kind.require),
    "kinds with a low ace": lambda rules: _named_kinds(rules, _has_low_ace),
    "has melds of four": lambda rules: any(_kinds_of_four(rules)),
    "has melds of four aces": _has_four_aces,
    "contract": _contract,
    "wild cards": _wild_cards,
    "has wild ranks": lambda rules: any(one != "joker" for one in rules.melds.wild.cards),
    "hands": _hands,
    "only out ends": only_out_ends,
}
"""For the name of a phrase or a fact what works it out; a phrase that is empty is not true, either."""


# --- the kinds of meld as a list ---------------------------------------------------------------------------------


_MOST_IN_A_SUIT: Final = len(RANKS)

_CLOSE: Final = {"same_rank": "of the same rank", "same_suit": "of one suit"}
_LOOSE: Final = {
    "same_colour": "all red or all black",
    "distinct_suits": "no two of the same suit",
    "distinct_ranks": "no two of the same rank",
    "consecutive_ranks": "whose ranks follow one another",
}


def kind_name(kind: Kind) -> str:
    """The name of a kind of meld, as people write it."""
    return kind.name.replace("_", " ").replace("-", " ")


def list_kinds(rules: Ruleset) -> Items:
    """Each kind of meld: its size, and what its cards have in common."""
    return Items(tuple(_kind(kind) for kind in rules.melds.kinds))


def _kind(kind: Kind) -> Sentence:
    key, text = f"melds.kinds.{kind.name}", f"{_size(kind)}{_demands(kind)}."
    keys: tuple[str, ...] = (f"{key}.size", f"{key}.require")
    if "consecutive_ranks" in kind.require and has_aces(kind):
        keys, text = (*keys, f"{key}.ace"), f"{text} {_ace(kind)}"
    return Sentence(text, keys, capital(kind_name(kind)))


def _size(kind: Kind) -> str:
    low, high = kind.min_size, kind.max_size
    ranked = {"consecutive_ranks", "distinct_ranks"} & set(kind.require)
    if low < high and ranked and high == _MOST_IN_A_SUIT:
        return f"{capital(number(low))} or more cards"
    return capital(span(low, high, "card"))


def _demands(kind: Kind) -> str:
    """What the cards have in common, in the order that reads best."""
    wanted = set(kind.require)
    close = in_words(words for name, words in _CLOSE.items() if name in wanted)
    loose = [words for name, words in _LOOSE.items() if name in wanted]
    if kind.only is not None:
        loose.insert(0, f"all of them {in_words(map(rank_plural, kind.only), 'or') or 'of no rank at all'}")
    if "alternating_colours" in wanted:
        in_turn = "alternately red and black"
        balanced = "as many red as black, or one more of one colour"
        loose.append(in_turn if "consecutive_ranks" in wanted else balanced)
    return "".join([close and f" {close}", *(f", {words}" for words in loose)]) or " of any rank and suit"


def has_aces(kind: Kind) -> bool:
    """Whether a kind of meld may have aces in it."""
    return kind.only is None or "A" in kind.only


def _ace(kind: Kind) -> str:
    match sorted(kind.ace):
        case ["around", *_]:
            return "An ace may stand below the two, above the king, or between them: it goes around the corner."
        case ["high", "low"]:
            return "An ace may stand below the two or above the king, but never between them."
        case ["low"]:
            return "An ace stands below the two and never above the king."
        case ["high"]:
            return "An ace stands above the king and never below the two."
    return "It contains no ace."
