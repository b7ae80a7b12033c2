"""What the constraints of a kind of meld imply: its size, whether it exists, its worth."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from meldref.core.cards import ACE, JOKER, RANKS, natural
from meldref.melds import UNPLACED, Laid
from meldref.melds.beyond_deck import takes_more_than_the_deck
from meldref.melds.formable import can_form
from meldref.melds.kinds import EXCLUSIVE, Pattern
from meldref.melds.lay_off_index import is_tabled
from meldref.melds.tables import natural_melds
from meldref.rulefiles.files import is_shipped
from meldref.rules.points import Worth, own_values_in_runs
from meldref.rules.setup import size_by
from meldref.ruleset.model import Kind, Ruleset, decks

_RANKED: Final = frozenset(
    (
        "same_rank",
        "same_suit",
        "same_colour",
        "distinct_suits",
        "distinct_ranks",
        "consecutive_ranks",
    )
)
"""Constraints that a joker which stands for nothing cannot meet."""


def longest(kind: Kind, ruleset: Ruleset) -> tuple[int, str, str]:
    """The most cards that a kind of meld can have, why, and the keys that say so.

    A plain upper bound.
    """
    require = set(kind.require)
    wild = ruleset.melds.wild
    packs = max([number for number, _ in decks(ruleset)], default=1)
    jokers = max([number for _, number in decks(ruleset)], default=0)
    bounds = [(packs * 52 + jokers, "the deck has no more", "deck.packs")]
    exclusive = [" and ".join(sorted(pair)) for pair in EXCLUSIVE if pair <= require]
    bounds += [(1, f"no two cards are both {words}", "") for words in exclusive]
    if "distinct_suits" in require:
        most = 2 if "same_colour" in require else 4
        bounds.append((most, f"there are only {most} suits", ""))
    if "consecutive_ranks" in require or "distinct_ranks" in require:
        bounds.append((len(RANKS), f"a suit has only {len(RANKS)} ranks", ""))
    if kind.only == ("joker",):
        why = f"the deck has only {jokers} jokers" if jokers else "the deck has no jokers"
        bounds.append((jokers, why, "deck.jokers deck.jokers_in_all"))
        if "joker" in wild.cards and wild.naturals:
            why = "jokers are wild, and a meld needs a natural card"
            bounds.append((0, why, "melds.wild.cards melds.wild.naturals"))
    if wild.cards and wild.naturals > kind.max_size:
        why = f"it has fewer cards than the {wild.naturals} natural cards that a meld needs"
        bounds.append((0, why, "melds.wild.naturals"))
    return min(bounds)


def ways_to_form(kind: Kind, ruleset: Ruleset, most: int) -> int:
    """About how many melds of a kind there are with the largest deck.

    Any number above `most` once it is that.
    """
    return max((_bound(kind, packs, jokers, most) for packs, jokers in decks(ruleset)), default=0)


@lru_cache(maxsize=1_000)
def _bound(kind: Kind, packs: int, jokers: int, most: int) -> int:
    """As `Pattern.bound`; most rulesets have the same few kinds."""
    return Pattern(kind, packs, jokers).bound(most)


def is_formable(kind: Kind, ruleset: Ruleset) -> bool:
    """Whether any cards form a kind of meld: asks the solver if no shipped file has it."""
    origins = [ruleset.origin(f"melds.kinds.{kind.name}.{part}") for part in ("require", "ace")]
    if all(origin is None or is_shipped(origin.file) for origin in origins):
        return True
    return can_form(kind, ruleset)


def are_alike(kind: Kind, other: Kind) -> bool:
    """Whether two kinds have the same constraints and a size in common."""
    if kind.min_size > other.max_size or other.min_size > kind.max_size:
        return False
    if set(kind.require) != set(other.require):
        return False
    if kind.is_run and set(kind.ace) != set(other.ace):
        return False
    if kind.only is None or other.only is None:
        return kind.only is other.only
    return set(kind.only) == set(other.only)


def takes_plain_jokers(kind: Kind) -> bool:
    """Whether a joker that is not wild can be in a meld of this kind."""
    if kind.only is not None:
        return "joker" in kind.only
    return _RANKED.isdisjoint(kind.require)


def cards_in_hand(ruleset: Ruleset, players: int) -> int | None:
    """The most cards that a first meld can be laid from; None where hands grow by taking the pile.

    A card drawn is made good by the discard, so a player who has laid nothing holds what was dealt.
    """
    dealt = ruleset.deal.cards.get(players)
    if ruleset.deal.cards_by == "first_card":
        dealt = size_by(len(RANKS) - 1)
    takes = ruleset.draw.takes
    grows = takes == "whole_pile" or (takes == "all_above" and ruleset.draw.depth == "any")
    if dealt is None or grows or ruleset.calls.of != "none":
        return None
    drawn = 1
    extra = 1 if ruleset.deal.extra_card == "first_player" else 0
    discarded = 1 if ruleset.out.melding_all == "forbidden" else 0
    return dealt + extra + drawn - discarded


def first_melds(ruleset: Ruleset, packs: int, jokers: int, most: int | None) -> Iterator[int]:
    """The most that each meld of at most `most` cards can count, in any order.

    Of kinds with too many melds to look at all, what their best cards would count.
    """
    worth, wild = Worth(ruleset), ruleset.melds.wild
    for kind in ruleset.melds.kinds:
        pattern = Pattern(kind, packs, jokers)
        if not is_tabled(pattern):
            cards = _best_cards(ruleset, pattern)
            for size in pattern.sizes:
                if most is None or size <= most:
                    yield _worth(ruleset, pattern, cards[:size])
            continue
        for roles in reversed(natural_melds(pattern)):
            if most is None or len(roles) <= most:
                ace_place = pattern.ace_place(roles)
                laid = [
                    Laid(role, role, ace_place if role % 13 == ACE else UNPLACED) for role in roles
                ]
                with_wild_cards = _worth(ruleset, pattern, [*map(worth.laid, laid)])
                yield max(worth.new_meld(laid), with_wild_cards)
        if takes_more_than_the_deck(kind, wild.cards, wild.twins):
            yield from _beyond_deck(ruleset, pattern, most)


def _beyond_deck(ruleset: Ruleset, pattern: Pattern, most: int | None) -> Iterator[int]:
    """The most that all cards of a rank and more wild ones can count."""
    values = ruleset.scoring.values
    for size in range(pattern.most_of_a_rank + 1, pattern.sizes.stop):
        if most is not None and size > most:
            return
        for rank in range(len(RANKS)):
            yield _worth(ruleset, pattern, [values[rank]] * size)


def _best_cards(ruleset: Ruleset, pattern: Pattern) -> list[int]:
    """What the cards count that can be in a kind of meld, the best first."""
    only, values = pattern.kind.only, [*ruleset.scoring.values]
    if pattern.is_run:
        for suit in range(4):
            ace = natural(ACE, suit)
            values[ace] = max([values[ace], *own_values_in_runs(ruleset.scoring)])
    ranks = [rank for rank in range(len(RANKS)) if only is None or RANKS[rank] in only]
    cards = [values[suit * 13 + rank] for suit in range(4) for rank in ranks] * pattern.packs
    cards += [values[JOKER]] * pattern.jokers * pattern.takes_plain_jokers
    return sorted(cards, reverse=True)


def _worth(ruleset: Ruleset, pattern: Pattern, values: list[int]) -> int:
    """What cards count laid at once, the least replaced by wild cards that count more."""
    wild, scoring, size = ruleset.melds.wild, ruleset.scoring, len(values)
    wild_values: list[int] = []
    if wild.cards and scoring.wild == "own":
        for rank, name in enumerate(RANKS):
            if name in wild.cards or "named" in wild.cards:
                of_rank = [scoring.values[suit * 13 + rank] for suit in range(4)]
                wild_values += of_rank * pattern.packs
        if "joker" in wild.cards:
            wild_values += [scoring.values[JOKER]] * pattern.jokers
    wild_values.sort(reverse=True)
    places = max(size - wild.naturals, 0)
    total = sum(values)
    for points, replacing in zip(sorted(values), wild_values[:places], strict=False):
        total += max(replacing - points, 0)
    return total * scoring.four_at_once if size == 4 else total
