"""What follows from a mistake: how a log may go on after one, so that it is found once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from meldref.core.cards import (
    EMPTY,
    ONE,
    UNKNOWN,
    Card,
    Cards,
    card_text,
    count,
    counted,
    difference,
    each,
    size,
)
from meldref.core.events import (
    Action,
    Buy,
    Call,
    Challenge,
    Discard,
    Draw,
    LayOff,
    Meld,
    Swap,
    Take,
)
from meldref.core.records import changed
from meldref.core.text import in_words
from meldref.engine.judge import Judge
from meldref.position.memory import at_least
from meldref.position.model import (
    NOT_AHEAD,
    OVER,
    PROVISIONAL,
    UNCOUNTED,
    Position,
    TableMeld,
    TurnState,
)
from meldref.position.turn import NOT_DRAWN
from meldref.rules.at_once import uses
from meldref.rules.base import Undecided, Violation
from meldref.rules.draw import find_in_pile
from meldref.rules.meld import akin

_FITS: Final = ("layoff.fit", "swap.fit")
"""What is wrong with cards that do not fit a meld on the table."""


def count_on(ahead: tuple[int, ...], by: int) -> tuple[int, ...]:
    """How far a log's numbers may be ahead, after one that is ahead by `by`.

    The number that is due is never wrong. After a mistake, a log goes on from the number it wrote,
    from the one that was due, or as it was numbered before.
    """
    if by not in ahead:
        return (0, ahead[-1], by)
    return (0, by) if by else NOT_AHEAD


def excuse_attempt(current: TurnState, violation: Violation, action: Action) -> None:
    """An action that was found wrong: what it would have settled is not asked again.

    What is laid by a call that was found wrong is not judged either.
    """
    duty, call = current.duty, current.call
    current.excused = current.excused or violation.code == "turn.draw"
    if duty is not None and uses(action, duty.card):
        current.duty = None
    if call is not None:
        call.excused = call.excused or isinstance(action, Call)
        call.wanted = difference(call.wanted, getattr(action, "counted", EMPTY))


def forget(position: Position, seat: int | None = None) -> None:
    """Turns are missing: hands, pile and stock are unknown from here, melds and points go on.

    If only the player of a seat acted, the other hands are as they were.
    """
    seats = position.order if seat is None else (seat,)
    _forget_cards(position, seats, seats)
    forget_mover(position)


def forget_mover(position: Position) -> None:
    """Nobody knows whose turn it is, nor which."""
    position.turn, position.begins = TurnState(position.turn.seat), True
    position.mover_known = False
    position.turns, position.ahead = None, NOT_AHEAD


def forget_round(position: Position, seats: Iterable[int], drawn: int = 0) -> None:
    """Turns of these seats are missing, with `drawn` cards of the listed stock."""
    stock_left = position.stock[: len(position.stock) - drawn]
    size_left = position.stock_size - drawn
    _forget_cards(position, seats, position.order)
    if drawn:
        position.stock = stock_left
        position.stock_size = size_left
        position.seen = position.located()


def _forget_cards(position: Position, seats: Iterable[int], hands: Iterable[int]) -> None:
    """After turns of some seats some hands, the pile and the stock are unknown."""
    for seat in hands:
        position.hands[seat] = 0
        position.unknown[seat] = position.held[seat] = UNCOUNTED
    position.pile = []
    position.stock_size = UNCOUNTED
    position.forget_stock()
    position.discarder = position.last = position.acted = None
    position.fresh = True  # the last discard, whatever it was, may lie there still
    position.final = position.bought = None
    position.owing = ()
    position.buys = tuple(map(at_least, position.buys))
    missing = frozenset(seats)
    unwritten = position.unwritten._replace(pile=True, melds=True)
    if missing:
        unwritten = unwritten._replace(
            turns=unwritten.turns | missing,
            points=frozenset(position.order),
            joint_points=frozenset(),
        )
    position.unwritten = unwritten
    position.among = {}
    position.stock_of = None
    if position.memory is not None:
        position.memory.lose()
    for meld in position.melds:
        meld.unseen = True
    if position.ending is PROVISIONAL:
        position.ending = OVER


def make_room(position: Position, action: Meld | LayOff | Swap, rest: Sequence[Action]) -> None:
    """Lets a player play cards that are not in the hand, or are elsewhere: they may be anywhere.

    Of a hand that cannot have held them as many others are lost, unknown which; what had to be
    played in this turn may be among those. A hand of fewer cards than are played, with those played
    in the `rest` of the line, stays as it is, and the play cannot be carried out.
    """
    turn = position.turn
    seat, cards = turn.seat, cards_played(action)
    missing = position.missing(seat, cards)
    if size(cards) + _least_held(rest) > position.held[seat]:
        return
    are_lost = len(missing) > position.unknown[seat]
    if are_lost:
        turn.duty = turn.before = None
        if turn.call is not None:
            turn.call.wanted = EMPTY
        for _ in missing:
            position.lose_one(seat)
    for card in missing:
        if missing.count(card) > position.left(card):
            position.contest(card)
        if are_lost and position.left(card) > 0:
            position.reveal(card)
            position.give(seat, card)


def _least_held(actions: Sequence[Action]) -> int:
    """How many cards a player holds at least who plays some actions, up to the next draw."""
    least = 0
    for action in actions:
        if isinstance(action, (Meld, LayOff)):
            least += len(action.cards)
        elif isinstance(action, Discard):
            least += 1
        elif not isinstance(action, Swap):
            break
    return least


def cards_played(action: Action) -> Cards:
    """The known cards that an action takes out of a hand."""
    if isinstance(action, (Meld, LayOff)):
        return action.counted
    if isinstance(action, (Swap, Discard)) and action.card != UNKNOWN:
        return ONE[action.card]
    return EMPTY


def open_if_misread(
    position: Position, answer: Violation | Undecided, action: Action
) -> Violation | Undecided:
    """What a rule answers; open if it rests on cards found to be no meld, which may be misread.

    Nothing is open if no reading of those cards takes the ones laid: none has their rank or suit.
    """
    if not isinstance(answer, Violation) or answer.code not in {*_FITS, "call.nothing"}:
        return answer
    cards = action.cards if isinstance(action, Call) else tuple(each(cards_played(action)))
    misread: list[int] = []
    for number, meld in enumerate(position.melds, 1):
        was_no_meld = meld.owned and meld.shape is None
        if was_no_meld and any(_may_take(position, meld, card) for card in cards):
            misread.append(number)
    target = getattr(action, "target", None)
    if not target and misread:
        target = misread[0]
    if target not in misread:
        return answer
    names = in_words(map(card_text, cards))
    return Undecided(f"whether {names} can be laid on m{target}: that meld was found wrong")


def _may_take(position: Position, meld: TableMeld, card: Card) -> bool:
    """Whether a meld may take a card, if something about it is written wrongly."""
    return not meld.cards or any(akin(position, laid.card, card) for laid in meld.cards)


def as_meant(
    judge: Judge, position: Position, violation: Violation, action: Action
) -> Action | None:
    """The action carried out for one found wrong; None where nobody knows on which meld.

    A meld that is not there is as none named: where only one can be meant, it is that one.
    """
    if not isinstance(action, (LayOff, Swap)) or violation.code not in {*_FITS, "log.name"}:
        return action
    if violation.code == "layoff.fit" and action.target is not None:
        return action
    meant = judge.meant(position, changed(action, target=None))
    return None if getattr(meant, "target", None) is None else meant


def follows_from_call(current: TurnState, action: Action) -> bool:
    """Whether an action lays cards whose call was found wrong already: both are one mistake."""
    call = current.call
    return call is not None and call.excused and any(uses(action, card) for card in call.named)


def is_of_another_deck(
    position: Position, deck: tuple[int, ...], violation: Violation, action: Action
) -> bool:
    """Whether an action lays more of a card than the deck has, which was found before."""
    if violation.code.partition(".")[0] not in {"meld", "wild", "layoff"}:
        return False
    cards = cards_played(action)
    target = getattr(action, "target", None) or 0
    if 0 < target <= len(position.melds):
        cards += counted(laid.card for laid in position.melds[target - 1].cards)
    # The position has more copies of a card than the deck, once that was seen too often.
    return any(deck[card] < min(count(cards, card), position.copies[card]) for card in each(cards))


def is_there(position: Position, draw: Draw | Take) -> bool:
    """Whether there is something to draw."""
    if isinstance(draw, Draw):
        return position.stock_size > 0
    return not position.pile_known or find_in_pile(position, draw) is not None


def bring_from_anywhere(position: Position, card: Card) -> None:
    """Brings a card that is not where it is drawn from, if it is not known to be elsewhere."""
    if card != UNKNOWN and position.left(card) > 0:
        position.reveal(card)
        position.give(position.turn.seat, card)


def can_be_done(position: Position, action: Action, *, late: bool = False) -> bool:
    """Whether the cards allow an action, be it legal or not: what is played is there.

    A discard ends its turn in any case, unless the turn is over (`late`).
    """
    if isinstance(action, Draw):
        if position.turn.source is NOT_DRAWN:
            # A turn's one draw takes some card of the stock, whichever.
            return True
        # One more takes the card named, or none.
        card = action.card
        return card == UNKNOWN or card in position.stock or position.left(card) > 0
    if isinstance(action, Buy):
        return position.turn.broken is not None
    if isinstance(action, Challenge):
        return False
    if isinstance(action, (LayOff, Swap)):
        target = action.target
        if target is not None and not position.lies_there(target):
            return False
    if isinstance(action, Discard) and not late:
        return True
    cards = cards_played(action)
    missing = position.missing(position.turn.seat, cards)
    if len(missing) > position.unknown[position.turn.seat]:
        return False
    return all(missing.count(card) <= position.left(card) for card in missing)
