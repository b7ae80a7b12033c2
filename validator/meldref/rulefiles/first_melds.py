"""Whether a first meld can be laid at all: whether a hand has the cards for one, and how much it can count."""

from __future__ import annotations

from collections.abc import Iterator

from meldref.core.cards import ACE, JOKER, RANKS, Role
from meldref.melds.kinds import Pattern
from meldref.melds.lay_off_index import TABLE_LIMIT
from meldref.melds.tables import natural_melds
from meldref.ruleset.model import Ruleset


def cards_in_hand(ruleset: Ruleset, players: int) -> int | None:
    """The most cards that a first meld can be laid from; None where hands grow by what lies in the pile.

    A card drawn is made good by the discard, so a player who has laid nothing holds what was dealt.
    """
    dealt = ruleset.deal.cards.get(players)
    takes = ruleset.draw.takes
    grows = takes == "whole_pile" or (takes == "all_above" and ruleset.draw.depth == "any")
    if dealt is None or grows or ruleset.calls.of != "none":
        return None
    kept = ruleset.out.melding_all == "forbidden"
    return dealt + (ruleset.deal.extra_card == "first_player") + 1 - kept


def first_melds(ruleset: Ruleset, packs: int, jokers: int, most: int | None) -> Iterator[int]:
    """What the melds of at most so many cards count, each as much as it can, in any order.

    Of kinds with too many melds to look at all, what their best cards would count.
    """
    for kind in ruleset.melds.kinds:
        pattern = Pattern(kind, packs, jokers)
        if pattern.bound(TABLE_LIMIT) <= TABLE_LIMIT:
            for roles in reversed(natural_melds(pattern)):
                if most is None or len(roles) <= most:
                    values = [_value(ruleset, pattern, roles, place) for place in range(len(roles))]
                    yield _worth(ruleset, pattern, values)
            continue
        cards = _best_cards(ruleset, pattern)
        for size in pattern.sizes:
            if most is None or size <= most:
                yield _worth(ruleset, pattern, cards[:size])


def _best_cards(ruleset: Ruleset, pattern: Pattern) -> list[int]:
    """What the cards count that can be in a kind of meld, the best first."""
    only, values = pattern.kind.only, ruleset.scoring.values
    ranks = [rank for rank in range(len(RANKS)) if only is None or RANKS[rank] in only]
    cards = [values[suit * 13 + rank] for suit in range(4) for rank in ranks] * pattern.packs
    cards += [values[JOKER]] * pattern.jokers * pattern.takes_plain_jokers
    return sorted(cards, reverse=True)


def _value(ruleset: Ruleset, pattern: Pattern, roles: tuple[Role, ...], place: int) -> int:
    """What a card counts in its place."""
    role, low = roles[place], ruleset.scoring.low_ace
    if pattern.is_run and place == 0 and low is not None and role != JOKER and role % 13 == ACE:
        return low
    return ruleset.scoring.values[role]


def _worth(ruleset: Ruleset, pattern: Pattern, values: list[int]) -> int:
    """What cards count laid at once, the least of them replaced by wild cards where those count more."""
    wild, scoring, size = ruleset.melds.wild, ruleset.scoring, len(values)
    spare: list[int] = []
    if wild.cards and scoring.wild == "own":
        ranks = range(len(RANKS)) if "named" in wild.cards else [RANKS.index(r) for r in wild.cards if r in RANKS]
        spare = [scoring.values[suit * 13 + rank] for rank in ranks for suit in range(4)] * pattern.packs
        spare += [scoring.values[JOKER]] * (pattern.jokers * ("joker" in wild.cards))
    places = max(size - wild.naturals, 0)
    best = zip(sorted(values), sorted(spare, reverse=True)[:places], strict=False)
    total = sum(values) + sum(max(more - less, 0) for less, more in best)
    return total * (scoring.four_at_once if size == 4 else 1)
