"""The legal moves of a position, by asking the judge.

A play is listed exactly when the rules find nothing against it. Wild cards are listed with what
they stand for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from functools import lru_cache

from meldref.core.cards import JOKER, UNKNOWN, Card, Cards, Played, bits_of, each, mask_of
from meldref.core.effort import ASKED, EFFORT, STATE
from meldref.core.events import Action, Discard, Draw, LayOff, Meld, Pass, Swap, Take
from meldref.engine.judge import Judge
from meldref.melds import Extension, MeldIndex, Shape
from meldref.moves.bounds import walk
from meldref.moves.openings import Openings
from meldref.position.model import GOING_ON, Position, TurnState
from meldref.position.turn import NOT_DRAWN
from meldref.rules.calls import unlaid
from meldref.rules.meld import akin, extends, own_meld_first, ways_to_extend

MOST_STATES = 4000
"""How many states of a turn are looked at before it is taken for one that can be finished,"""
MOST_EFFORT = 100_000
"""and how much is looked at in them."""


MOST_ROWS = 60
"""How many ways to lay more cards off with a certain one are looked at."""
MOST_MELDS = 20_000
"""The most melds looked at: a hand with many wild cards may make many more."""


def distinct(cards: Cards) -> list[Card]:
    """The different cards of a counted set, in ascending order."""
    return sorted(set(each(cards)))


def listed(book: MeldIndex, hand: Cards) -> list[Meld]:
    """The melds of all or some cards of a hand as the book lists them, at most `MOST_MELDS`."""
    return [Meld(way) for way in book.melds_in(hand, limit=MOST_MELDS)]


def melds(judge: Judge, position: Position, must: Card | None = None) -> Iterator[Meld]:
    """The new melds the player may lay now, from the known cards of the hand."""
    hand = position.hands[position.turn.seat]
    for number, cards in enumerate(position.book.melds_in(hand, must=must)):
        if number == MOST_MELDS:
            EFFORT.cut += 1
            return
        EFFORT.spent += ASKED
        action = Meld(cards)
        if judge.violation(position, action) is None:
            yield action


def lay_offs(judge: Judge, position: Position, card: Card) -> Iterator[LayOff]:
    """The ways in which the player may lay one card off now."""
    alone: list[LayOff] = []
    for number, meld in enumerate(position.melds, start=1):
        if meld.shape is None:
            continue
        for action in ways_to_lay_off(position.book, meld.shape, card, number):
            if judge.violation(position, action) is None:
                yield action
            else:
                alone.append(action)
    if judge.lays_together:
        yield from rows(judge, position, alone)


def rows(judge: Judge, position: Position, alone: Iterable[LayOff]) -> Iterator[LayOff]:
    """The lay-offs of several cards on one meld, the first of which may not go by itself."""
    seen: set[tuple[Played, ...]] = set()
    for first in alone:
        number = first.target
        start = position.melds[number - 1].shape if number else None
        if start is None:
            continue
        looked = 0
        pending = deque([first])
        while pending and looked < MOST_ROWS:
            for row in _longer(position, start, pending.popleft()):
                looked += 1
                cards = tuple(sorted(row.cards, key=by_card))
                before = [card for card in each(row.counted) if card < first.cards[0].card]
                if cards in seen or any(extends(position.book, start, card) for card in before):
                    continue
                seen.add(cards)
                if judge.violation(position, row) is None:
                    yield row
                else:
                    pending.append(row)
        if pending:
            EFFORT.cut += 1


def by_card(played: Played) -> tuple[Card, int]:
    """What laid cards are sorted by: the card, and what it stands for."""
    return played.card, -1 if played.role is None else played.role


def _longer(position: Position, start: Shape, row: LayOff) -> Iterator[LayOff]:
    """Cards that are laid off on a shape, and one more of the hand."""
    book, shape = position.book, start
    for played in row.cards:
        extended = book.extend(shape, played)
        if not isinstance(extended, Extension):
            return
        shape = extended.shape
    for card in distinct(position.hands[position.turn.seat] - row.counted):
        if extends(book, shape, card):
            for way in ways_to_extend(book, shape, card):
                yield LayOff((*row.cards, way.laid.said), row.target)


@lru_cache(maxsize=50_000)
def ways_to_lay_off(book: MeldIndex, shape: Shape, card: Card, number: int) -> tuple[LayOff, ...]:
    """The lay-offs of a card on a shape: as itself, or as what a wild card may stand for there."""
    if card not in book.wilds.cards:
        return (lay_off_as_itself(card, number),) if card in shape.growth else ()
    return tuple(
        [LayOff((extended.laid.said,), number) for extended in ways_to_extend(book, shape, card)]
    )


@lru_cache(maxsize=10_000)
def lay_off_as_itself(card: Card, number: int) -> LayOff:
    """The lay-off of a natural card as itself on a meld; the same object each time."""
    return LayOff((Played(card),), number)


def swaps(judge: Judge, position: Position, card: Card) -> Iterator[Swap]:
    """The exchanges of a natural card for a wild one that the player may make now."""
    if judge.ruleset.melds.wild.swap == "never":
        return
    for number in range(1, len(position.melds) + 1):
        action = Swap(card, number)
        if judge.violation(position, action) is None:
            yield action


def plays(judge: Judge, position: Position) -> Iterator[Action]:
    """Every meld, lay-off and exchange the player may make now, those with an owed card first."""
    seat = position.turn.seat
    duty = position.turn.duty
    hand = position.hands[seat]
    cards = distinct(hand)
    if duty is not None and duty.card in cards:
        yield from _plays_of(judge, position, duty.card)
        cards.remove(duty.card)
    for meld in melds(judge, position):
        if duty is None or all(played.card != duty.card for played in meld.cards):
            yield meld
    for card in cards:
        yield from lay_offs(judge, position, card)
        yield from swaps(judge, position, card)


def _plays_of(judge: Judge, position: Position, card: Card) -> Iterator[Action]:
    """Every play that uses a certain card."""
    yield from melds(judge, position, must=card)
    yield from lay_offs(judge, position, card)
    yield from swaps(judge, position, card)


def discards(judge: Judge, position: Position) -> Iterator[Discard]:
    """The cards the player may discard now; a card nobody saw if the hand has some."""
    seat = position.turn.seat
    for card in distinct(position.hands[seat]):
        action = Discard(card)
        if judge.violation(position, action) is None:
            yield action
    if position.unknown[seat] > 0:
        unseen = Discard(UNKNOWN)
        if judge.violation(position, unseen) is None:
            yield unseen


def may_discard(judge: Judge, position: Position) -> bool | None:
    """Whether the player may discard some card now; None: that is open."""
    seat = position.turn.seat
    is_open = False
    for card in distinct(position.hands[seat]):
        allowed = judge.allows(position, Discard(card))
        if allowed:
            return True
        is_open = is_open or allowed is None
    if position.unknown[seat]:
        allowed = _may_discard_unseen(judge, position)
        if allowed:
            return True
        is_open = is_open or allowed is None
    return None if is_open else False


def _may_discard_unseen(judge: Judge, position: Position) -> bool | None:
    """Whether the player may discard some card of the hand that nobody saw; None: that is open."""
    if judge.allows(position, Discard(UNKNOWN)):
        return True
    answers = set[bool | None]()
    not_allowed = 0
    for card in range(JOKER + 1):
        left = position.left(card)
        if left <= 0:
            continue
        allowed = judge.allows(position, Discard(card))
        answers.add(allowed)
        if not allowed:
            not_allowed += left
    # The hand has more unseen cards than there are of those that may not be thrown.
    if not_allowed < position.unknown[position.turn.seat]:
        return True
    return False if answers == {False} else None


def draws(judge: Judge, position: Position) -> Iterator[Action]:
    """The draws the player may make now, the rest of the turn not looked at."""
    options: list[Action] = [Draw(UNKNOWN), *takes(judge, position), Pass()]
    for action in options:
        if judge.violation(position, action) is None:
            yield action


def takes(judge: Judge, position: Position) -> Iterator[Take]:
    """How each known card in the pile is named in taking it, from the top; nothing is judged."""
    pile = position.pile
    all_above = judge.ruleset.draw.takes == "all_above"
    for index in range(len(pile) - 1, -1, -1):
        card = pile[index]
        again = card in pile[index + 1 :]
        if card != UNKNOWN and (all_above or not again):
            yield Take(card, len(pile) - index if again else None)


def finishes(
    judge: Judge, position: Position, most: int, openings: Openings | None = None
) -> bool | None:
    """Whether plays with the known cards can end the turn; None: open, or the search gave up."""
    seen: set[object] = set()
    doubtful = False
    stops = judge.ruleset.calls.discard == "none"
    openings = openings or Openings(judge)
    owed = position.turn.duty
    if owed is not None and not may_be_used(judge, position, owed.card):
        return _none_found()

    def search(state: Position) -> bool | None:
        nonlocal doubtful
        if is_over(state, position.turn):
            return True
        lacking = openings.lacking(state)
        call = state.turn.call if stops and not lacking else None
        is_laid = call is not None and call.begun and unlaid(state) is None
        if is_laid and not judge.stops_wrongly(state):
            # A call that needs no discard may be left as it is.
            return True
        discarding = False if lacking else may_discard(judge, state)
        if discarding:
            return True
        doubtful = doubtful or discarding is None
        key = state_key(state)
        if key in seen:
            return False
        seen.add(key)
        if len(seen) > most or EFFORT.over:
            return None
        way = openings.way(state) if lacking else ()
        if way is None:
            return False
        laid = state
        for meld in way:
            if judge.violation(laid, meld) is not None:
                break
            laid = after(judge, laid, meld)
        if lacking and not openings.lacking(laid):
            ending = search(laid)
            if ending is not False:
                return ending
        for action in useful(judge, state):
            ending = search(after(judge, state, action))
            if ending is not False:
                return ending
        return _none_found()

    with EFFORT.at_most(MOST_EFFORT):
        ends = search(position)
    return None if doubtful and not ends else ends


def _none_found() -> bool | None:
    """What a search that found nothing says: there is nothing, unless it had to stop."""
    return None if EFFORT.over else False


def may_be_used(judge: Judge, position: Position, card: Card) -> bool:
    """Whether a card of the hand may come to lie on the table this turn: False is certain."""
    seat, book = position.turn.seat, position.book
    wild = bits_of(book.wilds.cards)
    mask = mask_of(position.hands[seat])
    if position.unknown[seat] or mask & wild or judge.ruleset.melds.wild.swap != "never":
        return True
    shapes = (meld.shape for meld in position.melds if meld.shape is not None)
    fits = any(walk(shape, mask, 0) >> card & 1 for shape in shapes) or not position.table_known
    return fits or book.possible(position.hands[seat], card)


def useful(judge: Judge, position: Position) -> Iterator[Action]:
    """The plays worth trying to end a turn: while a card is owed, only what may place it."""
    duty = position.turn.duty
    cards = distinct(position.hands[position.turn.seat])
    if duty is None or duty.card not in cards or judge.others_first:
        yield from plays(judge, position)
        return
    yield from _plays_of(judge, position, duty.card)
    for card in cards:
        if card != duty.card and akin(position, card, duty.card):
            yield from lay_offs(judge, position, card)
        yield from swaps(judge, position, card)
    rules = judge.ruleset
    if own_meld_first(rules) or "meld" not in rules.draw.use:
        yield from melds(judge, position)


def state_key(position: Position) -> object:
    """What tells one state of a turn from another, as far as its end goes."""
    turn = position.turn
    shapes = [id(meld.shape) for meld in position.melds]
    if turn.deeds is not None and len(turn.deeds.melds) > 1:
        first = turn.deeds.melds[0]
        shapes[first:] = sorted(shapes[first:])
    return (
        position.hands[turn.seat],
        tuple(shapes),
        turn.duty is None,
        turn.call.wanted if turn.call else 0,
        turn.deeds,
    )


def after(judge: Judge, position: Position, action: Action) -> Position:
    """The position after an action; the one given stays as it is."""
    EFFORT.spent += STATE
    state = position.copy()
    judge.play.actions[type(action)](state, action)
    return state


def is_over(position: Position, before: TurnState) -> bool:
    """Whether a turn or call is no longer the one under way."""
    turn = position.turn
    return (
        position.ending is not GOING_ON
        or position.begins
        or turn.seat != before.seat
        or (turn.call is None) is not (before.call is None)
    )


def before_draw(position: Position) -> bool:
    """Whether the turn's draw is still to come, or the second of two."""
    turn = position.turn
    return turn.source is NOT_DRAWN and turn.call is None


def between_draws(position: Position) -> bool:
    """Whether one card was drawn, and another one is due."""
    return before_draw(position) and position.turn.has_begun_to_draw
