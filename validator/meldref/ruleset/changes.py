"""Rulesets that differ in some values: in one hand of a game, or with another wild rank."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import Any, Final

from meldref.core.cards import NATURALS, RANKS, card_text, rank_of
from meldref.core.records import changed, fields_of
from meldref.ruleset.model import ByPlayers, Change, HandRules, Ruleset

_FIELDS: Final = fields_of(Ruleset)
SECTIONS: Final = _FIELDS[_FIELDS.index("players") : _FIELDS.index("settlement") + 1]
"""The sections of a ruleset that are about play and scoring, in the files' order."""


def hand_rules(ruleset: Ruleset, number: int | None) -> HandRules | None:
    """What differs in the hand of that number.

    None if nothing does, or nobody knows which hand it is.
    """
    if number is None:
        return None
    return next((hands for hands in ruleset.hands if hands.first <= number <= hands.last), None)


def keys_of_hands(ruleset: Ruleset) -> frozenset[str]:
    """The keys that some hands of a game have their own values of."""
    return frozenset(change.key for hands in ruleset.hands for change in hands.changes)


def most_hands(ruleset: Ruleset) -> int | None:
    """How many hands a game has at most: a tie may be played off in further ones.

    None if there is no such number.
    """
    game = ruleset.game
    if game.ends != "after_hands" or game.tie.by in {"more_hands", "one_hand"}:
        return None
    return game.hands[1]


def hands_played(ruleset: Ruleset) -> tuple[HandRules, ...]:
    """What differs in the hands that a game comes to."""
    last = most_hands(ruleset)
    if last is None:
        return ruleset.hands
    return tuple(
        [changed(hand, last=min(hand.last, last)) for hand in ruleset.hands if hand.first <= last]
    )


def is_last_hand(ruleset: Ruleset, number: int | tuple[int, int]) -> bool | None:
    """Whether a hand is the last of a game that ends after so many, by its number.

    Or by the least and the greatest number that it may have: None if it depends on which, or on
    when the players stop.
    """
    if ruleset.game.ends != "after_hands":
        return False
    first, last = (number, number) if isinstance(number, int) else number
    least, most = ruleset.game.hands
    if last < least:
        return False
    return True if first >= most else None


def goes_back(ruleset: Ruleset, number: int | None) -> bool:
    """Whether the turn passes the other way in the hand of that number than in the first one.

    False if nobody knows which hand it is.
    """
    alternates = ruleset.players.direction == "alternates"
    return alternates and number is not None and number % 2 == 0


def in_hand(ruleset: Ruleset, hand: HandRules) -> Ruleset:
    """The rules of some hands of a game: all of them, with what differs there."""
    for change in hand.changes:
        ruleset = with_value(ruleset, change.key, change.value)
    prefix = f"hands.{hand.first}."
    own = {
        key.removeprefix(prefix): origin
        for key, origin in ruleset.origins.items()
        if key.startswith(prefix)
    }
    return changed(ruleset, hands=(), origins=MappingProxyType({**ruleset.origins, **own}))


def with_value(section: Any, key: str, value: object) -> Any:
    """A section, or a ruleset, in which the value at a path is another one."""
    name, _, below = key.partition(".")
    return changed(
        section, **{name: with_value(getattr(section, name), below, value) if below else value}
    )


def values_of(ruleset: Ruleset) -> Iterator[tuple[str, Any]]:
    """Every value of the sections, by its path; a table is one value, and so are kinds of meld."""
    for section in SECTIONS:
        yield from _values(section, getattr(ruleset, section))


def _values(path: str, value: object) -> Iterator[tuple[str, Any]]:
    names = () if isinstance(value, ByPlayers) else fields_of(value)
    if not names:
        yield path, value
    for name in names:
        yield from _values(f"{path}.{name}", getattr(value, name))


def differences(first: Ruleset, other: Ruleset) -> Iterator[Change]:
    """The values in which rulesets differ, as the other one has them."""
    for (path, ours), (_, theirs) in zip(values_of(first), values_of(other), strict=True):
        if ours != theirs:
            yield Change(path, theirs)


def with_wild_values(ruleset: Ruleset, wild_rank: int | None) -> Ruleset:
    """The ruleset with the points of wild cards in its tables; `wild_rank` is named for the hand.

    A line for the very card comes first, then the one for wild cards, then that of the rank.
    """
    scoring = ruleset.scoring
    if scoring.wild_cards is None and scoring.wild_held is None:
        return ruleset
    wild = {RANKS.index(rank) for rank in ruleset.melds.wild.cards if rank in RANKS}
    if wild_rank is not None and "named" in ruleset.melds.wild.cards:
        wild.add(wild_rank)
    values, held = [*scoring.values], [*scoring.held]
    for card in NATURALS:
        if rank_of(card) not in wild:
            continue
        name = card_text(card)
        if scoring.wild_cards is not None and f"scoring.values.{name}" not in ruleset.origins:
            values[card] = scoring.wild_cards
        if f"scoring.held.{name}" in ruleset.origins:
            continue
        if scoring.wild_held is not None:
            held[card] = scoring.wild_held
        elif f"scoring.held.{name[0]}" not in ruleset.origins:
            held[card] = values[card]
    return changed(ruleset, scoring=changed(scoring, values=tuple(values), held=tuple(held)))
