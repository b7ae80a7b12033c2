"""Lay-offs and exchanges on melds that may have grown in unrecorded turns.

A play that fits only in that case stays open.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from meldref.core.cards import (
    ANY_SUIT,
    JOKER,
    ONE,
    Card,
    Cards,
    Played,
    card_text,
    count,
    counted,
    rank_of,
)
from meldref.core.events import LayOff, Swap
from meldref.core.text import in_words
from meldref.melds import Extension, MeldIndex, Shape
from meldref.position.model import Position
from meldref.rules import layoff
from meldref.rules.base import Binding, Check, Undecided, Violation
from meldref.rules.declare import Stage, rule
from meldref.rules.meld import barred_roles, extends, ways_to_extend

MOST_SHAPES = 400
"""How many shapes a meld may have by now are looked at."""


@rule(
    "layoff.fit",
    "layoff.target",
    "layoff.unnamed",
    "wild.unbound",
    "wild.binding",
    "wild.role",
    actions=(LayOff,),
    stage=Stage.PLAY,
)
def lay_off(binding: Binding) -> Check[LayOff]:
    """As `layoff.lay_off`; what fits a meld only as it may lie by now is open.

    Of a player whose turns are all recorded it is known which melds they laid.
    """
    ordinary = layoff.lay_off(binding)
    own_only = binding.ruleset.layoff.onto == "own"

    def check(position: Position, action: LayOff) -> Violation | Undecided | None:
        violation = ordinary(position, action)
        if position.table_known and (violation is None or position.melds_known):
            return violation
        seat = position.turn.seat
        own_melds_known = not position.may_have_melded(seat)
        early = layoff.before_melding(binding, position, seat) if own_melds_known else None
        if early is not None:
            return early
        cards = in_words([card_text(played.card) for played in action.cards])
        if action.target is None:
            if layoff.targets(binding, position, seat, action.cards):
                return None
            return Undecided(f"whether {cards} can be laid off: not all melds are known")
        if _is_unknown(position, action.target):
            fitting = layoff.targets(binding, position, seat, action.cards)
            if own_only and own_melds_known and not fitting:
                return Violation(
                    "layoff.target",
                    f"m{action.target} belongs to another player, "
                    "so this one may not lay off on it",
                    key="layoff.onto",
                )
            return Undecided(
                f"whether {cards} can be laid off on m{action.target}: that meld is not known"
            )
        if violation is None or isinstance(violation, Undecided):
            return violation
        if not _may_be_otherwise(position, action, violation):
            return violation
        return Undecided(
            f"whether {cards} can be laid off on m{action.target}: turns are not known"
        )

    def _may_be_otherwise(position: Position, action: LayOff, violation: Violation) -> bool:
        assert action.target is not None
        meld, seat = position.melds[action.target - 1], position.turn.seat
        if violation.code == "layoff.target":  # the player may have laid a meld by then
            return violation.key == "layoff.before_melding" or (
                violation.key == "layoff.onto" and not meld.owned
            )
        if grown_for(binding, position, action.target, action.cards) is not None:
            return True
        if meld.numbered:
            return False
        if own_only and not position.may_have_melded(seat):  # it is one of those that are known
            return bool(layoff.targets(binding, position, seat, action.cards))
        return True

    return check


def _is_unknown(position: Position, number: int) -> bool:
    """Whether a meld was laid in turns nobody wrote down, whatever was laid off there since."""
    if number <= len(position.melds) and position.melds[number - 1].cards:
        meld = position.melds[number - 1]
        return meld.shape is None and not meld.owned
    return position.unseen_meld(number)


@rule("swap.forbidden", "swap.fit", "layoff.unnamed", actions=(Swap,), stage=Stage.PLAY)
def swap(binding: Binding) -> Check[Swap]:
    """As `layoff.swap`; an exchange that is possible only with a card laid off unseen is open."""
    ordinary = layoff.swap(binding)

    def check(position: Position, action: Swap) -> Violation | Undecided | None:
        violation = ordinary(position, action)
        if position.table_known or (
            isinstance(violation, Violation) and violation.code != "swap.fit"
        ):
            return violation
        card = card_text(action.card)
        if action.target is None:
            return violation and Undecided(
                f"whether a wild card stands for {card}: not all melds are known"
            )
        if _is_unknown(position, action.target):
            return Undecided(
                f"whether a wild card of m{action.target} stands for {card}: that meld is not known"
            )
        if violation is None or grown_with(position, action.target, action.card) is None:
            return violation
        return Undecided(
            f"whether a wild card of m{action.target} stands for {card}: turns are not known"
        )

    return check


def grown_for(
    binding: Binding, position: Position, number: int, cards: tuple[Played, ...]
) -> Shape | None:
    """The nearest shape a meld may have by now that takes all of these cards."""
    barred = barred_roles(binding, position)
    for shape, _ in _grown(position, number, counted([played.card for played in cards])):
        if _takes(position, shape, cards, barred):
            return shape
    return None


def grown_with(position: Position, number: int, card: Card) -> Shape | None:
    """The nearest shape a meld may have by now in which a wild card stands for this card."""
    for shape, used in _grown(position, number, ONE[card]):
        for wild in _left(position, used):
            if not position.book.is_wild(wild) or wild == card:
                continue
            for role in (card, ANY_SUIT + rank_of(card)):
                extended = position.book.extend(shape, Played(wild, role))
                if isinstance(extended, Extension) and position.book.replace(
                    extended.shape, extended.laid.role, card
                ):
                    return extended.shape
    return None


def _grown(position: Position, number: int, played: Cards) -> Iterator[tuple[Shape, Cards]]:
    """The shapes a meld may have by now, nearest first, and the cards not left for more."""
    meld = position.melds[number - 1]
    if not meld.unseen or meld.shape is None:
        return
    used = counted(position.missing(position.turn.seat, played))  # the others have a known place
    waiting, seen = [(meld.shape, used)], {meld.shape}
    while waiting and len(seen) < MOST_SHAPES:
        shape, gone = waiting.pop(0)
        yield shape, gone
        for card, longer in _longer(position.book, shape):
            if longer not in seen and position.left(card) > count(gone, card):
                seen.add(longer)
                waiting.append((longer, gone + ONE[card]))


@lru_cache(maxsize=10_000)
def _longer(book: MeldIndex, shape: Shape) -> tuple[tuple[Card, Shape], ...]:
    """The cards that extend a shape, natural ones first, each with every shape that comes of it."""
    cards = [card for card in range(JOKER + 1) if extends(book, shape, card)]
    return tuple([(card, way.shape) for card in cards for way in ways_to_extend(book, shape, card)])


def _left(position: Position, used: Cards) -> Iterator[Card]:
    """The cards that may lie anywhere, natural ones first."""
    return (card for card in range(JOKER + 1) if position.left(card) > count(used, card))


def _takes(position: Position, shape: Shape, cards: tuple[Played, ...], barred: int) -> bool:
    """Whether cards can be laid off on a shape in some order."""
    rest = list(cards)
    while rest:
        for played in rest:
            fits = extends(position.book, shape, played.card)
            extended = fits and position.book.extend(shape, played, barred)
            if isinstance(extended, Extension):
                shape = extended.shape
                rest.remove(played)
                break
        else:
            return False
    return True
