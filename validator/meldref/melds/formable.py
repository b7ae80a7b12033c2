"""Whether any cards can form a kind of meld."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Final

from meldref.core.cards import JOKER
from meldref.melds import tables
from meldref.melds.beyond_deck import takes_more_than_the_deck
from meldref.melds.kinds import Pattern, Roles
from meldref.melds.lay_off_index import is_tabled, lay_off_index
from meldref.ruleset.model import Kind, Ruleset, decks

_LOOK_AT: Final = 60
"""How many melds of a size are looked at if there are too many to look at all."""


def can_form(kind: Kind, ruleset: Ruleset) -> bool:
    """Whether the deck can form this kind of meld for some number of players."""
    wild = ruleset.melds.wild
    least = wild.naturals if wild.cards else 0
    for packs, jokers in decks(ruleset):
        pattern = Pattern(kind, packs, jokers)
        if takes_more_than_the_deck(kind, wild.cards, wild.twins) and _with_wild_cards(
            pattern, ruleset, least
        ):
            return True
        for roles in chain.from_iterable(_melds(pattern, size) for size in pattern.sizes):
            jokers_wild = roles.count(JOKER) if "joker" in wild.cards else 0
            if len(roles) - jokers_wild >= least:
                return True
    return False


def _with_wild_cards(pattern: Pattern, ruleset: Ruleset, least: int) -> bool:
    """Whether all cards of a rank and enough wild ones are a meld of this kind."""
    only, naturals = pattern.kind.only, pattern.most_of_a_rank
    ranks = [face for face in ruleset.melds.wild.cards if face != "joker"]
    wild = len(ranks) * 4 * pattern.packs + pattern.jokers * ("joker" in ruleset.melds.wild.cards)
    has_rank = only is None or any(face != "joker" for face in only)
    sizes = [size for size in pattern.sizes if size - naturals in range(wild + 1)]
    return has_rank and naturals >= least and bool(sizes)


def _melds(pattern: Pattern, size: int) -> Iterator[Roles]:
    """The melds of a kind and a size, or a good number of them."""
    if is_tabled(pattern):
        return iter(lay_off_index(pattern).containing(size, ()))
    return islice(tables.solve(pattern, size), _LOOK_AT)
