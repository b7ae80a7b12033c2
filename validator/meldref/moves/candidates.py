"""What could be done instead of something, the nearest first; nothing here is judged.

A move is near what was tried if few cards have to change, then if it is the same kind of move on
the same meld with the same roles, then if the cards that differ are alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice, product
from typing import Final, TypeAlias

from meldref.core.cards import (
    JOKER,
    ONE,
    UNKNOWN,
    Card,
    Cards,
    Played,
    capped,
    difference,
    each,
    holds,
    mask_of,
    size,
)
from meldref.core.events import Action, Discard, Draw, LayOff, Meld, Pass, Swap, Take
from meldref.engine.judge import Judge
from meldref.melds import Fault
from meldref.moves.exhaustive import distinct, takes, ways_to_lay_off
from meldref.moves.obligations import ways_to_settle
from meldref.position.model import Position
from meldref.position.turn import NOT_DRAWN
from meldref.rules.layoff import stand_in
from meldref.rules.meld import akin

Instead: TypeAlias = tuple[Action, ...]
"""Actions one after the other."""

MOST_MELDS: Final = 300
"""The most melds that are compared with what was tried: of its cards, and of any others."""
MOST_TAKES: Final = 3
FEW_STATES: Final = 20
"""The most states looked at for a way to use a card that could be taken instead."""
MOST_FIRST: Final = 12
"""The most melds that are tried before a lay-off."""
NEAR: Final = 2
"""How far a card may be from one that was tried, by `distance`."""
MOST_BETWEEN: Final = 3
"""The most cards that are laid off with others to make room for them."""


def instead(
    judge: Judge, position: Position, tried: Action, following: Sequence[Action]
) -> Iterator[Instead]:
    """Yields actions to try in place of `tried`, nearest first.

    `following` are the actions after it on the line.
    """
    turn = position.turn
    opening = turn.opening and judge.ruleset.deal.first_turn == "no_draw"
    if turn.source is NOT_DRAWN and turn.call is None and not opening and not turn.excused:
        yield from _draws(judge, position, tried, following)
        return
    if isinstance(tried, LayOff) and judge.ruleset.layoff.before_melding == "forbidden":
        rest = difference(position.hands[turn.seat], tried.counted)
        melds = [Meld(cards) for cards in islice(position.book.melds_in(rest), MOST_MELDS)]
        melds.sort(key=lambda meld: (_count_wilds(meld), -len(meld.cards)))
        for meld in melds[:MOST_FIRST]:
            yield (meld, tried)
    if not isinstance(tried, (Meld, LayOff, Swap, Discard)):
        return
    for action in _as_tried(position, tried):
        yield (action,)
    # Where a first meld needs points, cards that are unlike those tried may bring them.
    any_meld = isinstance(tried, Meld) and judge.ruleset.melds.first_points > 0
    moves = [
        move
        for move in _moves(position, tried)
        if (any_meld and isinstance(move, Meld)) or _is_near(position, tried, move)
    ]
    if isinstance(tried, Discard):
        moves += ends(position)
    for move in sorted(moves, key=lambda move: _distance(position, tried, move)):
        yield (move,)


def ends(position: Position, near: Card = UNKNOWN) -> Iterator[Discard]:
    """Every discard of a known card, the likest to a given one first; then one that nobody saw."""
    seat = position.turn.seat
    hand = distinct(position.hands[seat])
    if near != UNKNOWN:
        hand.sort(key=lambda card: distance(card, near))
    yield from map(Discard, hand)
    if position.unknown[seat] > 0:
        yield Discard(UNKNOWN)


def distance(card: Card, other: Card) -> int:
    """How little two cards have in common: 0 the same, then neighbours and equal ranks."""
    if card == other:
        return 0
    if JOKER in {card, other}:
        return 40
    apart = abs(card % 13 - other % 13)
    if apart == 0:
        return 1
    is_same_suit = card // 13 == other // 13
    return min(apart, 13 - apart) + (0 if is_same_suit else 13)


# --- drawing --------------------------------------------------------------------------------------


def _draws(
    judge: Judge, position: Position, tried: Action, following: Sequence[Action]
) -> Iterator[Instead]:
    """The draw that was meant, or was forgotten; then others."""
    if isinstance(tried, Take):
        yield from _taking(judge, position, tried, following)
        yield (Draw(UNKNOWN),)
        return
    if isinstance(tried, (Draw, Pass)):
        is_seen = isinstance(tried, Draw) and tried.card != UNKNOWN
        top = position.stock[-1] if is_seen and position.stock else UNKNOWN
        yield (Draw(top),)
        yield (Pass(),)
    else:
        yield (Draw(UNKNOWN), tried)
        wanted = tried.counted if isinstance(tried, (Meld, LayOff)) else 0
        for take in islice(takes(judge, position), MOST_TAKES):
            if not wanted or holds(wanted, ONE[take.card]):
                yield (take, tried)
        yield (Draw(UNKNOWN),)
    yield from _taking(judge, position, None, following)


def _taking(
    judge: Judge, position: Position, tried: Take | None, following: Sequence[Action]
) -> Iterator[Instead]:
    """Ways to take the pile, those to a card like the one tried first, each with its plays."""
    options = list(takes(judge, position))
    if tried is not None:
        card = tried.card
        options.sort(key=lambda take: distance(take.card, card))
        if tried.count is not None and card != UNKNOWN:
            options.insert(0, Take(card))
    for take in list(dict.fromkeys(options))[:MOST_TAKES]:
        if judge.violation(position, take) is not None:
            continue
        state = position.copy()
        judge.play.actions[Take](state, take)
        if state.turn.duty is None:
            yield (take,)
            continue
        if following and _lays(following[0], take.card):
            yield (take, following[0])
        for way, _ in islice(ways_to_settle(judge, state, FEW_STATES), 1):
            yield (take, *way)


def uses(
    judge: Judge, position: Position, card: Card, following: Sequence[Action]
) -> Iterator[Instead]:
    """How a card just taken might be used, ways like what follows first."""
    laid: dict[Played, None] = {}
    for action in following:
        if not isinstance(action, (Meld, LayOff)):
            continue
        laid |= dict.fromkeys(action.cards)
        if _lays(action, card):
            yield (action,)
    like = Meld(tuple(laid) or (Played(card),))
    moves = _moves(position, like, must=card)
    for move in sorted(moves, key=lambda move: _distance(position, like, move)):
        yield (move,)
    for way, _ in islice(ways_to_settle(judge, position, FEW_STATES), 2):
        if way:
            yield way


def _lays(action: Action, card: Card) -> bool:
    """Whether an action lays a card."""
    return isinstance(action, (Meld, LayOff)) and holds(action.counted, ONE[card])


# --- laying ---------------------------------------------------------------------------------------


def _as_tried(position: Position, tried: Action) -> Iterator[Action]:
    """The cards of a move that was tried, in other roles, or with others that make room."""
    book = position.book
    if isinstance(tried, Meld):
        yield Meld(tried.cards)
        fault = book.read(tried.cards)
        if isinstance(fault, Fault):
            yield from map(Meld, fault.readings)
    if not isinstance(tried, LayOff):
        return
    numbers = sorted(range(1, len(position.melds) + 1), key=lambda number: number != tried.target)
    for number in numbers:
        yield LayOff(tried.cards, number)
    left = difference(position.hands[position.turn.seat], tried.counted)
    between = [
        card
        for card in distinct(left)
        if any(akin(position, card, other) for other in each(tried.counted))
    ]
    for number in numbers:
        shape = position.melds[number - 1].shape
        if shape is None:
            continue
        for more in range(1, MOST_BETWEEN + 1):
            fitting: list[LayOff] = []
            for others in combinations(between, more):
                row = book.row(shape, (*tried.cards, *map(Played, others)))
                if row.fits:
                    fitting.append(LayOff(row.cards, number))
            yield from sorted(fitting, key=_count_wilds)[:2]
            if fitting:
                break


def _moves(position: Position, near: Action, must: Card | None = None) -> Iterator[Action]:
    """What the player on turn has the cards for; with `must` only what uses that card.

    Of many melds those with cards of another move. Cards of it may be among those that nobody saw.
    """
    seat, book = position.turn.seat, position.book
    hand, wanted = position.hands[seat], _cards_of(near)
    if position.unknown[seat]:
        hand += difference(wanted, hand)
    melds: list[tuple[Played, ...]] = []
    for card in distinct(wanted) if must is None else [must]:
        melds += book.melds_in(hand, must=card, limit=MOST_MELDS)
    if must is None:
        melds += book.melds_in(position.hands[seat], limit=MOST_MELDS)
    yield from map(Meld, dict.fromkeys(melds))
    for number, meld in enumerate(position.melds, start=1):
        for card in distinct(hand) if must is None else [must]:
            if meld.shape is not None:
                yield from ways_to_lay_off(book, meld.shape, card, number)
            if stand_in(position, number, card) is not None:
                yield Swap(card, number)


def _is_near(position: Position, tried: Action, move: Action) -> bool:
    """Whether a move lays what is owed, goes to the meld that was tried, or has only like cards."""
    wanted, laid = _cards_of(tried), _cards_of(move)
    target = getattr(tried, "target", None)
    if mask_of(laid) & mask_of(_owed(position, tried)):
        return True
    if target is not None and getattr(move, "target", None) == target:
        return True
    return all(
        position.book.is_wild(card) or any(distance(card, other) <= NEAR for other in each(wanted))
        for card in each(laid)
    )


def _distance(position: Position, tried: Action, move: Action) -> tuple[object, ...]:
    """How far a move is from what was tried: what is owed first, then how many cards change."""
    wanted, laid = _cards_of(tried), _cards_of(move)
    lays_owed = bool(mask_of(laid) & mask_of(_owed(position, tried)))
    less, more = size(difference(wanted, laid)), size(difference(laid, wanted))
    changes = 2 * max(less, more) + less
    if type(move) is not type(tried):
        changes += 2
    goes_elsewhere = getattr(move, "target", None) != getattr(tried, "target", None)
    other_roles = set(getattr(tried, "cards", ())) - set(getattr(move, "cards", ()))
    roles_lost = sum(played.role is not None for played in other_roles)
    nearest = min([distance(*pair) for pair in product(each(laid), each(wanted))], default=100)
    return (not lays_owed, changes, goes_elsewhere, roles_lost, _count_wilds(move), nearest)


def _owed(position: Position, tried: Action) -> Cards:
    """The cards that must be laid before what was tried can be done."""
    turn = position.turn
    owed = 0 if turn.call is None else turn.call.wanted
    return owed + turn.swapped if isinstance(tried, Discard) else owed


def _cards_of(action: Action) -> Cards:
    """The known cards that an action lays or throws, a counted set."""
    cards: list[Card] = [played.card for played in getattr(action, "cards", ())]
    cards.append(getattr(action, "card", UNKNOWN))
    return capped(card for card in cards if card != UNKNOWN)


def _count_wilds(action: Action) -> int:
    """How many cards of an action are laid in a role."""
    return sum(played.role is not None for played in getattr(action, "cards", ()))
