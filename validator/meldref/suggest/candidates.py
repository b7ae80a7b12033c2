"""What could have been done instead of something, the nearest first; nothing here is judged.

"Nearest" counts cards: the same cards with other roles, one card more, less or another, the same
cards elsewhere, what follows on the line without what was tried, and last any other end of the
turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Final, TypeAlias

from meldref.core.cards import (
    ANY_SUIT,
    JOKER,
    ONE,
    UNKNOWN,
    Card,
    Cards,
    Played,
    capped,
    count,
    counted,
    difference,
    each,
    holds,
    size,
)
from meldref.core.events import Action, Discard, Draw, LayOff, Meld, Pass, Swap, Take
from meldref.engine.judge import Judge
from meldref.melds import Fault, Shape
from meldref.moves.exhaustive import distinct, takes, ways_to_lay_off
from meldref.moves.obligations import ways_to_settle
from meldref.position.model import Position
from meldref.position.turn import NOT_DRAWN
from meldref.rules.meld import extends, ways_to_extend

Instead: TypeAlias = tuple[Action, ...]
"""Actions one after the other."""

MOST_MELDS: Final = 150
"""The most melds near the one that was tried that are compared with it."""
MOST_TAKES: Final = 3
FEW_STATES: Final = 20
"""The most states looked at for a way to use a card that could be taken instead."""
MOST_FIRST: Final = 12
"""The most melds looked at that might be laid before something else, or be worth enough."""
MOST_BETWEEN: Final = 3
"""The most cards laid off before one to make room for it,"""
MOST_ROWS: Final = 40
"""and the most rows of them that are looked at."""


def instead(
    judge: Judge, position: Position, tried: Action, following: Sequence[Action]
) -> Iterator[Instead]:
    """Yields actions to try in place of `tried`, nearest first.

    `following` are the actions after it on the line.
    """
    turn = position.turn
    opening = turn.opening and judge.ruleset.deal.first_turn == "no_draw"
    to_draw = turn.source is NOT_DRAWN and turn.call is None and not opening
    if to_draw and not turn.excused:
        yield from _draws(judge, position, tried, following)
        return
    match tried:
        case Meld():
            ways = _melds(judge, position, tried)
        case LayOff():
            ways = _lay_offs(judge, position, tried)
            if judge.ruleset.layoff.before_melding == "forbidden":
                yield from ((meld, tried) for meld in _others(position, tried)[:MOST_FIRST])
        case Swap():
            ways = _swaps(judge, position, tried)
        case Discard():
            ways = _discards(position, tried)
        case _:
            ways = iter(())
    yield from zip(ways)


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
    return min(apart, 13 - apart) + (0 if card // 13 == other // 13 else 13)


# --- drawing --------------------------------------------------------------------------------------


def _draws(
    judge: Judge, position: Position, tried: Action, following: Sequence[Action]
) -> Iterator[Instead]:
    """The draw that was meant, or was forgotten; then others."""
    top = position.stock[-1] if position.stock else UNKNOWN
    if isinstance(tried, Take):
        yield from _taking(judge, position, tried, following)
        yield (Draw(UNKNOWN),)
        return
    if isinstance(tried, (Draw, Pass)):
        seen = isinstance(tried, Draw) and tried.card != UNKNOWN
        yield (Draw(top if seen else UNKNOWN),)
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
        if tried.count is not None:
            options.insert(0, Take(card))
    for take in list(dict.fromkeys(options))[:MOST_TAKES]:
        if judge.violation(position, take) is not None:
            continue
        state = position.copy()
        judge.play.actions[Take](state, take)
        if state.turn.duty is None:
            yield (take,)
            continue
        if (
            following
            and isinstance(following[0], (Meld, LayOff))
            and holds(following[0].counted, ONE[take.card])
        ):
            yield (take, following[0])
        for way, _ in islice(ways_to_settle(judge, state, FEW_STATES), 1):
            yield (take, *way)


def uses(
    judge: Judge, position: Position, card: Card, following: Sequence[Action]
) -> Iterator[Instead]:
    """How a card just taken might be used, ways like what follows first."""
    meant = [action for action in following if isinstance(action, (Meld, LayOff))]
    yield from ((action,) for action in meant if holds(action.counted, ONE[card]))
    book = position.book
    melds = list(islice(book.melds_in(position.hands[position.turn.seat], must=card), MOST_MELDS))
    laid = capped(played.card for action in meant for played in action.cards)
    melds.sort(key=lambda meld: (_changes(laid, meld)[0] if laid else 0, _wilds(meld), len(meld)))
    yield from ((Meld(meld),) for meld in melds[:4])
    yield from ((action,) for action in _on_table(position, card))
    if judge.ruleset.melds.wild.swap != "never":
        yield from ((Swap(card, number),) for number in range(1, len(position.melds) + 1))
    yield from (way for way, _ in islice(ways_to_settle(judge, position, FEW_STATES), 2) if way)


# --- laying ---------------------------------------------------------------------------------------


def _melds(judge: Judge, position: Position, tried: Meld) -> Iterator[Action]:
    """These cards with other roles.

    Melds a card or two away; the cards laid off; melds further away.
    """
    if tried.number is not None:
        yield Meld(tried.cards)
    fault = position.book.read(tried.cards)
    if isinstance(fault, Fault):
        yield from map(Meld, fault.readings)
    ranked = _ranked_melds(position, tried.cards)
    near = [meld for changes, meld in ranked if changes <= 2]
    yield from map(Meld, near[:8])
    for played in dict.fromkeys(tried.cards):
        if played.card != UNKNOWN:
            yield from _on_table(position, played.card)
    call = position.turn.call
    if call is not None:
        for card in each(call.wanted):
            yield from _on_table(position, card)
            yield from map(Meld, islice(position.book.melds_in(call.from_pile, must=card), 4))
    yield from map(Meld, [meld for changes, meld in ranked if changes > 2][:4])
    if judge.ruleset.melds.first_points:
        yield from _others(position, tried)[:MOST_FIRST]


def _others(position: Position, tried: Meld | LayOff) -> list[Meld]:
    """Natural melds of the hand, and where there are none those with wild cards.

    The largest first.
    """
    hand = position.hands[position.turn.seat]
    if isinstance(tried, LayOff) and holds(hand, tried.counted):
        hand -= tried.counted
    melds = islice(position.book.melds_in(hand), MOST_MELDS)
    return [Meld(meld) for meld in sorted(melds, key=lambda meld: (_wilds(meld), -len(meld)))]


def _lay_offs(judge: Judge, position: Position, tried: LayOff) -> Iterator[Action]:
    """These cards on another meld or with other roles, more or fewer, and others on that meld."""
    numbers = sorted(range(1, len(position.melds) + 1), key=lambda number: number != tried.target)
    yield from (LayOff(tried.cards, number) for number in numbers)
    cards = [played.card for played in dict.fromkeys(tried.cards) if played.card != UNKNOWN]
    for number in numbers:
        yield from _rows(position, tried.cards, number)
    if judge.ruleset.melds.wild.swap != "never":
        yield from (Swap(card, number) for number in numbers for card in cards)
    for number in numbers:
        for card in cards:
            yield from _on_meld(position, card, number)
    yield from map(Meld, [meld for _, meld in _ranked_melds(position, tried.cards)][:4])
    hand = distinct(position.hands[position.turn.seat])
    if cards:
        hand.sort(key=lambda card: distance(card, cards[0]))
    for number in numbers[:1] if tried.target is not None else numbers:
        for card in hand:
            yield from _on_meld(position, card, number)


def _rows(position: Position, tried: Sequence[Played], number: int) -> Iterator[LayOff]:
    """These cards on a meld, with other roles or with the fewest others that make room for them."""
    book, seat = position.book, position.turn.seat
    start, hand = position.melds[number - 1].shape, position.hands[seat]
    wanted = counted(played.card for played in tried if played.card != UNKNOWN)
    if start is None or not holds(hand, wanted) or any(played.card == UNKNOWN for played in tried):
        return
    rows: list[tuple[tuple[Played, ...], Shape]] = [((), start)]
    for _ in range(len(tried) + MOST_BETWEEN):
        longer: dict[object, tuple[tuple[Played, ...], Shape]] = {}
        for laid, shape in rows:
            left = hand - counted(played.card for played in laid)
            for card in distinct(left):
                if extends(book, shape, card):
                    for extended in ways_to_extend(book, shape, card):
                        row = (*laid, extended.laid.said)
                        longer.setdefault((extended.shape, left - ONE[card]), (row, extended.shape))
        rows = sorted(longer.values(), key=lambda row: _wilds(row[0]))[:MOST_ROWS]
        containing = [row for row, _ in rows if _contains(row, tried)]
        if containing:
            yield from (LayOff(row, number) for row in containing[:2])
            return


def _contains(row: Sequence[Played], tried: Sequence[Played]) -> bool:
    """Whether a row has all the cards tried, each with the role it was given, if any."""
    rest = list(row)
    for played in sorted(tried, key=lambda played: played.role is None):
        same = next(
            (
                other
                for other in rest
                if other.card == played.card and played.role in {None, other.role}
            ),
            None,
        )
        if same is None:
            return False
        rest.remove(same)
    return True


def _swaps(judge: Judge, position: Position, tried: Swap) -> Iterator[Action]:
    """This card elsewhere, laid off instead, and other cards for the same wild card."""
    numbers = range(1, len(position.melds) + 1)
    if judge.ruleset.melds.wild.swap != "never":
        yield from (Swap(tried.card, number) for number in numbers)
    yield from _on_table(position, tried.card)
    yield from map(Meld, [meld for _, meld in _ranked_melds(position, (Played(tried.card),))][:3])
    if judge.ruleset.melds.wild.swap != "never":
        for card in distinct(position.hands[position.turn.seat]):
            yield from (Swap(card, number) for number in numbers)


def _discards(position: Position, tried: Discard) -> Iterator[Action]:
    """What has to be laid before; laying the card itself; other discards."""
    turn = position.turn
    if (
        tried.card == UNKNOWN
        or position.unknown[turn.seat]
        or count(position.hands[turn.seat], tried.card)
    ):
        yield from _laid_first(position, tried)
    yield from ends(position, tried.card)


def _laid_first(position: Position, tried: Discard) -> Iterator[Action]:
    turn, book = position.turn, position.book
    hand = position.hands[turn.seat]
    called = () if turn.call is None else each(turn.call.wanted)
    for card in dict.fromkeys((*each(turn.swapped), *called)):
        yield from _on_table(position, card)
        yield from map(Meld, islice(book.melds_in(hand, must=card), 6))
    if tried.card != UNKNOWN and count(hand, tried.card):
        yield from _on_table(position, tried.card)
        if position.held[turn.seat] <= 4:
            yield from map(Meld, islice(book.melds_in(hand, must=tried.card), 3))


def _on_table(position: Position, card: Card) -> Iterator[LayOff]:
    """A card laid off on each meld it extends, in each way."""
    return chain.from_iterable(
        _on_meld(position, card, number) for number in range(1, len(position.melds) + 1)
    )


def _on_meld(position: Position, card: Card, number: int) -> Sequence[LayOff]:
    shape = position.melds[number - 1].shape
    return () if shape is None else ways_to_lay_off(position.book, shape, card, number)


def _ranked_melds(
    position: Position, tried: Sequence[Played]
) -> list[tuple[int, tuple[Played, ...]]]:
    """Melds that could be laid in place of some cards, with how many would have to change."""
    seat = position.turn.seat
    wanted = counted(played.card for played in tried if played.card != UNKNOWN)
    wild = position.book.wilds.cards
    cards = _near(position.hands[seat], tried, wild)
    if position.unknown[seat]:
        for card in set(each(wanted)):
            cards += max(0, count(wanted, card) - count(cards, card)) * ONE[card]
    melds = list(islice(position.book.melds_in(cards), MOST_MELDS))
    if not any(played.card in wild for played in tried):
        helped = cards + sum(
            ONE[card]
            for card in each(position.hands[seat])
            if card in wild and not count(cards, card)
        )
        if helped != cards:
            melds += islice(filter(_wilds, position.book.melds_in(helped)), MOST_MELDS)
    stated = {played for played in tried if played.role is not None}
    ranked = [
        (*_changes(wanted, meld), len(stated.difference(meld)), _wilds(meld), meld)
        for meld in melds
    ]
    ranked.sort(key=lambda entry: entry[:4])
    return [(entry[0], entry[-1]) for entry in ranked]


def _wilds(meld: Sequence[Played]) -> int:
    return sum(played.role is not None for played in meld)


def _changes(wanted: Cards, meld: Iterable[Played]) -> tuple[int, int]:
    """How many cards differ between a set and a meld; one in place of another counts once."""
    laid = counted(played.card for played in meld)
    less, more = size(difference(wanted, laid)), size(difference(laid, wanted))
    return max(less, more), less + more


def _near(hand: Cards, tried: Sequence[Played], wild: frozenset[Card]) -> Cards:
    """Those cards of a hand that are of the ranks or the runs of what was tried.

    Wild ones if one was tried.
    """
    stated = [
        role
        for played in tried
        for role in played
        if role is not None and role not in {JOKER, UNKNOWN}
    ]
    ranks = {role - ANY_SUIT if role >= ANY_SUIT else role % 13 for role in stated}
    beside = {
        role - role % 13 + (role + step) % 13
        for role in stated
        if role < JOKER
        for step in (-2, -1, 1, 2)
    }
    with_wild = any(played.card in wild for played in tried)
    return counted(
        card
        for card in each(hand)
        if (with_wild if card in wild else card != JOKER and (card % 13 in ranks or card in beside))
    )
