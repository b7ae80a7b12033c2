"""Laying off and exchanging wild cards (P-LAY, W-TURN-02, W-PAR-03, G-LAY, O-BLD, P-JOK-16, O-JOK-01)."""

from __future__ import annotations

from meldref.core.cards import ANY_SUIT, UNKNOWN, Card, Cards, Played, Role, card_text, each, played_text, rank_of
from meldref.core.events import LayOff, Swap
from meldref.core.text import in_words, with_verb
from meldref.melds import Fault
from meldref.position.model import Position
from meldref.rules.base import Binding, Check, Violation
from meldref.rules.declare import Stage, code, no_effect, rule
from meldref.rules.meld import barred_roles, from_fault, own_meld
from meldref.ruleset.model import Ruleset


def _are_swapped(rules: Ruleset) -> bool:
    """Whether wild cards are exchanged for natural ones."""
    return bool(rules.melds.wild.cards) and rules.melds.wild.swap != "never"


code("layoff.fit")
code("layoff.target", where=lambda rules: rules.layoff.onto != "any" or rules.layoff.before_melding == "forbidden")
code("layoff.unnamed", where=lambda rules: rules.layoff.target != "never" or _are_swapped(rules), ambiguous=True)
code("swap.forbidden", where=lambda rules: rules.melds.wild.swap == "never")
code("swap.fit", where=lambda rules: rules.melds.wild.swap != "never")
code("swap.kept", where=lambda rules: _are_swapped(rules) and rules.melds.wild.swapped == "laid_this_turn")
code("log.name", undone=True, impossible=True)
no_effect("melds.wild.swapped", by="melds.wild.swap", where=lambda rules: rules.melds.wild.swap == "never")
no_effect(
    "layoff.before_melding",
    "layoff.counts_for",
    "layoff.target",
    by="layoff.onto",
    where=lambda rules: rules.layoff.onto == "nothing",
)


def may_build_on(binding: Binding, position: Position, seat: int, number: int) -> Violation | None:
    """Whether a player may lay off on a meld at all (P-LAY-01, W-PAR-07, O-BLD-02)."""
    layoff = binding.ruleset.layoff
    if layoff.before_melding == "forbidden" and not own_meld(position, seat):
        return Violation(
            "layoff.target", "a player without a meld on the table may not lay off", key="layoff.before_melding"
        )
    if layoff.onto == "any":
        return None
    owner = position.melds[number - 1].seat
    if layoff.onto == "nothing":
        return Violation("layoff.target", "nothing is laid off in this game", key="layoff.onto")
    if owner == seat or (layoff.onto == "own_side" and binding.partners(owner, seat)):
        return None
    return Violation("layoff.target", f"m{number} is {position.players[owner]}'s", key="layoff.onto")


def targets(binding: Binding, position: Position, seat: int, cards: tuple[Played, ...]) -> list[int]:
    """The numbers of the melds these cards can be laid off on together, wild cards said or not."""
    barred = barred_roles(binding, position)
    return [
        number
        for number, meld in enumerate(position.melds, start=1)
        if meld.shape is not None
        and may_build_on(binding, position, seat, number) is None
        and position.book.row(meld.shape, cards, barred).fits
    ]


@rule("log.name", actions=(LayOff, Swap), stage=Stage.TARGET, kept=True)
def named_meld(binding: Binding) -> Check[LayOff | Swap]:
    """The meld that is named lies on the table."""

    def check(position: Position, action: LayOff | Swap) -> Violation | None:
        target = action.target
        if target is None or position.lies_there(target):
            return None
        return Violation("log.name", f"there is no meld m{target} on the table")

    return check


def lay_off(binding: Binding) -> Check[LayOff]:
    """The cards extend the meld they are laid off on, in some order (P-LAY-01..11).

    They come in that order, and for the meld that is meant where only one can be: see `rules.resolve`.
    """
    rules = binding.ruleset.layoff
    open_to_all = rules.onto == "any" and rules.before_melding == "allowed"
    twins = binding.ruleset.melds.wild.twins == "forbidden"

    def check(position: Position, action: LayOff) -> Violation | None:
        target = action.target
        if target is None:
            return unnamed(position, action) if position.pile_known else None
        if not position.pile_known and position.unseen_meld(target):
            return None
        if not open_to_all:
            barred_player = may_build_on(binding, position, position.turn.seat, target)
            if barred_player is not None:
                return barred_player
        meld = position.melds[target - 1]
        shape = meld.shape
        if shape is None:
            return Violation("layoff.fit", f"m{target} is no meld, so nothing extends it")
        barred = barred_roles(binding, position) if twins else 0
        for played in action.cards:
            extended = position.book.extend(shape, played, barred)
            if type(extended) is Fault:
                return from_fault(extended)
            shape, (_, role, _) = extended  # type: ignore[misc]
            if twins:
                barred |= 1 << role
        return None

    def unnamed(position: Position, action: LayOff) -> Violation:
        if rules.target == "always":
            return Violation("layoff.unnamed", "the meld has to be named", key="layoff.target")
        possible = targets(binding, position, position.turn.seat, action.cards)
        cards = [played_text(played) for played in action.cards]
        if not possible:
            said = with_verb(cards, "extends", "extend")
            return Violation("layoff.fit", f"{said} no meld on the table", key="layoff.onto")
        names = in_words([f"m{number}" for number in possible])
        said = with_verb(cards, "fits", "fit")
        return Violation("layoff.unnamed", f"{said} {names}, and none is named", key="layoff.target")

    return check


def stand_in(position: Position, number: int, card: Card) -> int | None:
    """Which card of a meld is a wild card that stands for a natural card: its index, None where there is none.

    In a group whose suits are open, a wild card stands for any card of the rank that is not shown yet.
    """
    meld = position.melds[number - 1]
    if meld.shape is None:
        return None
    open_role: Role = ANY_SUIT + rank_of(card)
    for wanted in (card, open_role):
        for index, laid in enumerate(meld.cards):
            if laid.role != wanted or laid.card == card or not position.book.is_wild(laid.card):
                continue
            if position.book.replace(meld.shape, wanted, card) is not None:
                return index
    return None


def swap(binding: Binding) -> Check[Swap]:
    """A natural card takes the place of the wild card that stands for it, where the game has that (O-JOK-01)."""
    allowed = binding.ruleset.melds.wild.swap == "for_natural"

    def check(position: Position, action: Swap) -> Violation | None:
        if not allowed:
            return Violation("swap.forbidden", "wild cards are not exchanged in this game", key="melds.wild.swap")
        if action.target is None:
            possible = swap_targets(position, action.card)
            if len(possible) == 1:
                return None
            if possible:
                return Violation("layoff.unnamed", "the meld has to be named", key="layoff.target")
            return Violation("swap.fit", f"no wild card on the table stands for {card_text(action.card)}")
        if position.unseen_meld(action.target):
            return None
        if action.card != UNKNOWN and stand_in(position, action.target, action.card) is None:
            return Violation("swap.fit", f"no wild card of m{action.target} stands for {card_text(action.card)}")
        return None

    return check


def kept_after_swap(cards: Cards) -> Violation:
    """A wild card taken in exchange that had to be laid in the same turn."""
    said = with_verb([card_text(card) for card in each(cards)], "was", "were")
    return Violation("swap.kept", f"{said} taken in exchange and not laid in the same turn")


def swap_targets(position: Position, card: Card) -> list[int]:
    """The numbers of the melds in which a wild card stands for this card."""
    return [n for n in range(1, len(position.melds) + 1) if stand_in(position, n, card) is not None]
