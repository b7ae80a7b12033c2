"""What a ruleset rules out: actions that nobody takes in any hand, and what facts cannot be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from meldref.conditions.facts import PLAYER
from meldref.conditions.supposed import Known
from meldref.conditions.types import MOST, NOTHING, WORDS, Sort
from meldref.rules.opening import slots
from meldref.rules.out import nobody_floats
from meldref.ruleset.changes import in_hand, most_hands
from meldref.ruleset.model import Ruleset, has_jokers

_IsSo: TypeAlias = Callable[[Ruleset], bool]


class RuledOut(NamedTuple):
    """Why a game is without something, what facts are then, and which action that is, if any."""

    why: str
    facts: Known = MappingProxyType({})
    action: str = ""


_OF_PARTNER: Final[Known] = {
    **{
        f"partner.{name}": False if fact.sort is Sort.YES_NO else NOTHING
        for name, fact in PLAYER.items()
    },
    ".owner": frozenset(WORDS[Sort.OWNER]) - {"partner"},
    ".discarded_by": frozenset(WORDS[Sort.DISCARDER]) - {"partner"},
}
"""The facts of and about a partner whom nobody has."""


def _no(action: str, key: str) -> str:
    return f"there is no {action} in this game ({key})"


_WITHOUT: Final[tuple[tuple[RuledOut, _IsSo], ...]] = (
    (
        RuledOut(_no("rummy", "calls.of"), {".calls": 0, "turn.is_call": False}, "rummy"),
        lambda rules: rules.calls.of == "none",
    ),
    (
        RuledOut(_no("swap", "melds.wild.swap"), {"turn.swaps": 0}, "swap"),
        lambda rules: rules.melds.wild.swap == "never" or not rules.melds.wild.cards,
    ),
    (
        RuledOut(_no("lay", "layoff.onto"), {".lay_offs": 0, ".lay_offs_on_own": 0}, "lay"),
        lambda rules: rules.layoff.onto == "nothing",
    ),
    (
        RuledOut(_no("challenge", "out.challenge"), action="challenge"),
        lambda rules: rules.out.challenge == "none",
    ),
    (
        RuledOut(_no("buy", "buys.of"), {".buys": 0}, "buy"),
        lambda rules: rules.buys.of == "none",
    ),
    (
        RuledOut(
            "no card is wild in this game",
            {".is_wild": False, ".wilds": 0, ".wilds_together": 0},
        ),
        lambda rules: not rules.melds.wild.cards,
    ),
    (
        RuledOut("there are no jokers in this game (deck.jokers)", {".is_joker": False}),
        lambda rules: not has_jokers(rules),
    ),
    (
        RuledOut("nobody has a partner in this game (partnership.sides)", _OF_PARTNER),
        lambda rules: rules.partnership.sides == "none",
    ),
    (
        RuledOut("nobody floats in this game (out.melding_all)", {".floats": False}),
        nobody_floats,
    ),
    (
        RuledOut(
            "the game does not end after a number of hands (game.ends)", {"hand.is_last": False}
        ),
        lambda rules: rules.game.ends != "after_hands",
    ),
)
"""What games may be without, and whether the rules of a hand are."""


def ruled_out(ruleset: Ruleset) -> Iterator[RuledOut]:
    """What a game is without in every hand."""
    hands = in_all_hands(ruleset)
    for without, is_so in _WITHOUT:
        if all(map(is_so, hands)):
            yield without
    yield RuledOut(
        "the game has no such hand (game.hands)", {"hand.number": (1, most_hands(ruleset) or MOST)}
    )
    melds = [len(slots(hand)) for hand in hands]
    yield RuledOut(
        "no hand has such a contract (melds.contract)", {"hand.contract": (min(melds), max(melds))}
    )
    points = [hand.melds.first_points for hand in hands]
    yield RuledOut(
        "no hand asks for such points (melds.first_points)",
        {"hand.first_points": (min(points), max(points))},
    )


def in_all_hands(ruleset: Ruleset) -> list[Ruleset]:
    """The rules of hands in general, and of each that has its own."""
    return [ruleset, *[in_hand(ruleset, hand) for hand in ruleset.hands]]
