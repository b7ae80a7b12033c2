"""Asserted melds: how a meld lies by an `=` line, and whose its cards are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from meldref.core.cards import (
    ANY_SUIT,
    JOKER,
    Played,
    Role,
    played_text,
    rank_of,
)
from meldref.core.events import AssertTable
from meldref.engine.judge import Judge
from meldref.melds import Laid, Reading
from meldref.position.model import OnTable, Position, TableMeld
from meldref.rules.base import Violation
from meldref.rules.points import units
from meldref.ruleset.model import Ruleset

ELSEWHERE: Final = "some of them are known to be elsewhere"
"""What is computed of a row of cards that nobody saw and that cannot lie there."""
_NO_MELD: Final = "they are no meld"


def check_table(
    judge: Judge, position: Position, seats: Mapping[str, int], event: AssertTable
) -> Violation | None:
    """How a meld lies, and whose its cards are: that is taken over where nobody could know it."""
    for name, _ in event.layers:
        if name not in seats:
            return no_such_player(name)
    if position.unseen_meld(event.meld):
        position.fill_up(event.meld)
        position.melds[event.meld - 1].unseen = True
    if not 0 < event.meld <= len(position.melds):
        return Violation("log.name", f"there is no meld m{event.meld} on the table")
    meld = position.melds[event.meld - 1]
    owners: list[int] = []
    for name, cards in event.layers:
        owners += [seats[name]] * len(cards)
    is_clear = meld.owned and not meld.unclear
    if is_same_meld(meld.cards, event.cards) and (is_clear or not owners):
        if not owners or _are_theirs(judge, meld, event, owners):
            meld.unseen = False
            meld.numbered = True
            return None
    elif meld.unseen or not is_clear:
        lying = _as_asserted(judge, position, meld, event, owners)
        if lying is not None:
            return _take_over(judge, position, meld, lying, owners)
    if event.layers:
        asserted = ", ".join([f"{name} {_row(cards)}" for name, cards in event.layers])
        computed = ", ".join([f"{name} {cards}" for name, cards in position.layers(meld).items()])
    else:
        asserted = _row(event.cards)
        computed = _row([Played(laid.card, laid.role) for laid in meld.cards])
    if meld.unseen and not meld.cards:
        is_meld = isinstance(position.book.read(event.cards), Reading)
        computed = ELSEWHERE if is_meld else _NO_MELD
    return not_as_asserted(f"m{event.meld}", asserted, computed)


def may_exchange_wild(ruleset: Ruleset) -> bool:
    """Whether wild cards on the table may be exchanged."""
    return ruleset.melds.wild.swap != "never"


def points_shown(position: Position, seat: int) -> int:
    """The points of a player's cards on the table, as far as they are known."""
    points = 0
    for meld in position.melds:
        points += sum([laid.points for laid in meld.cards if laid.seat == seat])
    return points


def points_of(position: Position, seats: Sequence[int]) -> tuple[int, int]:
    """The points of some players together: as they are known, and as their cards show them."""
    counted = sum([position.points[seat] for seat in seats])
    on_cards = sum([points_shown(position, seat) for seat in seats])
    return counted, on_cards


def names_of(position: Position, seats: Sequence[int]) -> str:
    """The name of a player, or of partners."""
    return "+".join([position.players[seat] for seat in seats])


def no_such_player(name: str) -> Violation:
    """A name that no player has."""
    return Violation("log.name", f"{name} is not one of the players")


def check_number(what: str, asserted: int, computed: int, unit: str = "") -> Violation | None:
    """A number that is not as asserted; None if it is."""
    if asserted == computed:
        return None
    note = f"difference: {asserted - computed:+d}"
    return not_as_asserted(what, f"{asserted}{unit}", f"{computed}{unit}", note)


def not_as_asserted(what: str, asserted: str, computed: str, *more: str) -> Violation:
    """Something is not as asserted."""
    notes = (f"asserted: {asserted or 'nothing'}", f"computed: {computed or 'nothing'}", *more)
    verb = "are" if what.endswith("points") else "is"
    return Violation("log.assert", f"{what} {verb} not as asserted", notes=notes)


def _row(cards: Sequence[Played]) -> str:
    return " ".join(map(played_text, cards))


def _are_theirs(judge: Judge, meld: TableMeld, event: AssertTable, owners: Sequence[int]) -> bool:
    """Whether the cards of a meld are those of the players who are asserted."""
    if judge.ruleset.layoff.counts_for == "melder":
        # Nobody notes who laid cards off where that does not matter.
        return meld.seat in owners
    asserted = zip([played.card for played in event.cards], owners, strict=True)
    return Counter(asserted) == Counter([(laid.card, laid.seat) for laid in meld.cards])


_Lying = list[tuple[Laid, OnTable | None, int | None]]
"""The cards of a meld: as they lie, as they lay there before, and whose they are, if known."""


def _as_asserted(
    judge: Judge, position: Position, meld: TableMeld, event: AssertTable, owners: Sequence[int]
) -> tuple[Reading, _Lying] | None:
    """How a meld lies that may have been extended unseen; None where it cannot lie as asserted.

    A wild card may have made way for the card it stood for.
    """
    reading = position.book.read(event.cards)
    if not isinstance(reading, Reading):
        return None
    by_melder = judge.ruleset.layoff.counts_for == "melder"
    whose: list[int | None] = [*owners] or [None] * len(event.cards)
    if by_melder and owners:
        whose = [meld.seat if meld.owned else owners[0]] * len(event.cards)
    new = list(zip(reading.laid, whose, strict=True))
    lying: _Lying = []
    for place, before in enumerate(meld.cards):
        is_open = place in meld.unclear or (by_melder and not meld.owned)
        alike = [pair for pair in new if _is_same_role(pair[0].role, before.role)]
        same = [
            (laid, seat)
            for laid, seat in alike
            if laid.card == before.card and (is_open or seat in {None, before.seat})
        ]
        if same:
            laid, asserted_seat = same[0]
            new.remove(same[0])
            lying.append((laid, before, asserted_seat if is_open else before.seat))
            continue
        has_natural = any(laid.card == laid.role for laid, _ in alike)
        may_be_wild = may_exchange_wild(judge.ruleset) and position.book.is_wild(before.card)
        if not (may_be_wild and has_natural):
            return None
    cards = [laid.card for laid, _ in new]
    if any(cards.count(card) > position.left(card) for card in cards):
        return None
    for laid, seat in new:
        lying.append((laid, None, seat))
    return reading, lying


def _take_over(
    judge: Judge,
    position: Position,
    meld: TableMeld,
    asserted: tuple[Reading, _Lying],
    owners: Sequence[int],
) -> Violation | None:
    """A meld lies as asserted: what it shows of points may contradict those asserted before."""
    reading, lying = asserted
    worth = judge.play.worth
    if owners and not (meld.owned and meld.cards):
        meld.seat, meld.owned = owners[0], True
    cards: list[OnTable] = []
    for laid, before, seat in lying:
        if before is None:
            position.reveal(laid.card)
        if before is not None and before.seat == seat:
            cards.append(before)
        elif seat is None:
            cards.append(OnTable(laid.card, laid.role, meld.seat, 0, laid.ace_place))
        else:
            points = worth.laid(laid)
            cards.append(OnTable(laid.card, laid.role, seat, points, laid.ace_place))
    aces = worth.four_aces(cards)
    if aces is not None and owners:
        # Four aces have a worth of their own, which the first of them carries.
        cards = [laid._replace(points=0) for laid in cards]
        cards[0] = cards[0]._replace(points=aces)
    meld.cards = cards
    meld.shape = reading.shape
    meld.unclear = tuple([place for place, (_, _, seat) in enumerate(lying) if seat is None])
    meld.unseen = False
    meld.numbered = True
    position.laid += 1
    for seats in units(judge.ruleset, position.players):
        counted, on_cards = points_of(position, seats)
        if on_cards > counted and position.unwritten.points.isdisjoint(seats):
            return check_number(f"{names_of(position, seats)}'s points", counted, on_cards)
    for seat in position.unwritten.points:
        position.points[seat] = max(position.points[seat], points_shown(position, seat))
    return None


def is_same_meld(laid: Sequence[OnTable], asserted: Sequence[Played]) -> bool:
    """Whether cards on the table are those asserted, and stand for what is asserted."""
    rest = [(card.card, card.role) for card in laid]
    # Cards whose role is written come first: the others take what these leave.
    for played in sorted(asserted, key=lambda played: played.role is None):
        for pair in rest:
            card, role = pair
            agrees = card in (role, JOKER)
            if played.role is not None:
                agrees = _is_same_role(role, played.role)
            if card == played.card and agrees:
                rest.remove(pair)
                break
        else:
            return False
    return not rest


def _is_same_role(first: Role, other: Role) -> bool:
    """Whether two cards stand for the same, as far as is said: a suit may be left open."""
    is_open = max(first, other) >= ANY_SUIT and JOKER not in (first, other)
    return first == other or (is_open and rank_of(first) == rank_of(other))
