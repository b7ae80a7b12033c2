"""What the constraints of a kind of meld come to: how large it can be, whether there is any, which are alike."""

from __future__ import annotations

from typing import Final

from meldref.core.cards import RANKS
from meldref.rulefiles.files import is_shipped
from meldref.ruleset.model import Kind, Ruleset, decks

_RANKED: Final = frozenset(
    ("same_rank", "same_suit", "same_colour", "distinct_suits", "distinct_ranks", "consecutive_ranks")
)
"""Constraints that a joker which stands for nothing cannot meet."""
_NEVER: Final = (
    {"same_rank", "distinct_ranks"},
    {"same_rank", "consecutive_ranks"},
    {"same_suit", "distinct_suits"},
    {"same_suit", "alternating_colours"},
    {"same_colour", "alternating_colours"},
)
"""Constraints of which two cards never meet both."""


def longest(kind: Kind, ruleset: Ruleset) -> tuple[int, str, tuple[str, ...]]:
    """The most cards that a kind of meld can have, why, and the keys that say so; a plain upper bound."""
    require = set(kind.require)
    wild = ruleset.melds.wild
    packs = max((number for number, _ in decks(ruleset)), default=1)
    jokers = max((number for _, number in decks(ruleset)), default=0)
    bounds: list[tuple[int, str, tuple[str, ...]]] = [
        (packs * 52 + jokers, "the deck has no more", ("deck.packs",))
    ]
    bounds.extend(
        (1, f"no two cards are both {' and '.join(sorted(pair))}", ()) for pair in _NEVER if pair <= require
    )
    if "distinct_suits" in require:
        most = 2 if "same_colour" in require else 4
        bounds.append((most, f"there are only {most} suits for it", ()))
    if "consecutive_ranks" in require or "distinct_ranks" in require:
        bounds.append((len(RANKS), f"a suit has only {len(RANKS)} ranks", ()))
    if kind.only == ("joker",):
        bounds.append(
            (
                jokers,
                f"the deck has only {jokers} jokers" if jokers else "the deck has no jokers",
                ("deck.jokers", "deck.jokers_in_all"),
            )
        )
        if "joker" in wild.cards and wild.naturals:
            bounds.append(
                (
                    0,
                    "jokers are wild, and a meld needs a natural card",
                    ("melds.wild.cards", "melds.wild.naturals"),
                )
            )
    if wild.cards and wild.naturals > kind.max_size:
        bounds.append(
            (
                0,
                f"it has fewer cards than the {wild.naturals} natural ones that a meld needs",
                ("melds.wild.naturals",),
            )
        )
    return min(bounds)


def ways_to_form(kind: Kind, ruleset: Ruleset, most: int) -> int:
    """About how many melds of a kind there are with the largest deck; any number above `most` once it is that."""
    from meldref.melds.kinds import Pattern  # noqa: PLC0415  as `is_formable` says

    return max((Pattern(kind, packs, jokers).bound(most) for packs, jokers in decks(ruleset)), default=0)


def is_formable(kind: Kind, ruleset: Ruleset) -> bool:
    """Whether any cards form a kind of meld: the solver is asked about constraints that no shipped file has."""
    origins = [ruleset.origin(f"melds.kinds.{kind.name}.{part}") for part in ("require", "ace")]
    if all(origin is None or is_shipped(origin.file) for origin in origins):
        return True
    from meldref.melds.formable import can_form  # noqa: PLC0415  a heavy import that shipped kinds do not need

    return can_form(kind, ruleset)


def are_alike(one: Kind, other: Kind) -> bool:
    """Whether two kinds have the same constraints and a size in common."""
    overlap = one.min_size <= other.max_size and other.min_size <= one.max_size
    same_ace = set(one.ace) == set(other.ace) or "consecutive_ranks" not in one.require
    same_only = set(one.only or ()) == set(other.only or ()) and (one.only is None) == (other.only is None)
    return overlap and same_ace and same_only and set(one.require) == set(other.require)


def takes_plain_jokers(kind: Kind) -> bool:
    """Whether a joker that is not wild can be in a meld of this kind."""
    return "joker" in kind.only if kind.only is not None else not _RANKED.intersection(kind.require)
