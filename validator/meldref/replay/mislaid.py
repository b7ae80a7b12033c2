"""Cards laid or thrown wrongly, and what rests on them: it may be as the log has it, and is not found again."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from meldref.core.cards import ONE, UNKNOWN, Card, Cards, card_text, count, counted, each, holds
from meldref.core.events import Action, Call, Discard, Draw, LayOff, Meld, Swap, Take
from meldref.core.records import changed
from meldref.core.text import in_words
from meldref.engine.judge import Judge
from meldref.notation.actions import BREAKS_IN
from meldref.position.model import GOING_ON, UNCOUNTED, OnTable, Position
from meldref.position.turn import FROM_STOCK, NOT_DRAWN, TurnState
from meldref.replay.aftermath import can_be_done, leave_out, played
from meldref.rules.base import Violation
from meldref.rules.declare import facts
from meldref.rules.layoff import swap_targets, targets
from meldref.rules.meld import barred_roles

_OF_MELDS: Final = frozenset(
    (
        "layoff.fit",
        "swap.fit",
        "log.name",
        "hand.missing",
        "log.copies",
        "wild.binding",
        "wild.role",
        "wild.unbound",
    )
)
"""What can be wrong with a lay-off or exchange because its meld lies otherwise than is known."""


class Mislaid:
    """What players of one hand laid or threw wrongly.

    A card laid off on a meld that it does not fit may have gone on another one, which shows when the next card is
    laid there; a wild card gained by a wrong exchange shows when it is played, and what was thrown in place of a
    wrong discard when it is taken. A meld that is none, or on which a wrong card was laid, may lie otherwise than
    is known.
    """

    def __init__(self, judge: Judge, position: Position) -> None:
        self._judge = judge
        self._position = position
        self._doubtful: set[int] = set()  # numbers of melds on which something was laid wrongly
        self._plays = deque[tuple[int, LayOff | Swap, int]](maxlen=50)  # the last: who laid what, and where, or 0
        self._thrown: tuple[int, Card] | None = None  # the last discard found wrong: whose, and which card
        self.miscounted: set[int] = set()  # who may hold a card more or fewer than is known
        self._perhaps: tuple[int, int, Card] | None = None  # who may hold a card of the pile, where it lies, which
        self._points_unknown = False

    @property
    def unsettled(self) -> bool:
        """Whether the points of what was laid are not all known."""
        plays = self._plays
        return self._points_unknown or len(plays) == plays.maxlen or any(not number for _, _, number in plays)

    def rests_on(self, violation: Violation, action: Action) -> str:
        """What cannot be said of an action because of melds that were found wrong; an empty text if it can."""
        melds, turn = self._position.melds, self._position.turn
        perhaps_alone = self._perhaps is not None and turn.taken[1:] == self._perhaps[2:]
        if perhaps_alone and turn.duty is not None and violation.code.startswith("draw.deep"):
            return f"whether {card_text(turn.duty.card)} had to be used: the discard before may not have been"
        if isinstance(action, Call) and violation.code == "call.nothing":
            bad = self._doubtful or any(meld.owned and meld.shape is None for meld in melds)
            return f"whether {_names(counted(action.cards))} can be laid: a meld was found wrong" if bad else ""
        if not isinstance(action, (LayOff, Swap)) or violation.code not in _OF_MELDS:
            return ""
        target = action.target
        if target is None and violation.code in {"layoff.fit", "swap.fit"}:
            target = next(
                (number for number, meld in enumerate(melds, 1) if meld.owned and meld.shape is None), None
            )
        if target is None or not 0 < target <= len(melds):
            return ""
        meld = melds[target - 1]
        if target not in self._doubtful and (meld.shape is not None or self._position.unseen_meld(target)):
            return ""
        self._points_unknown = True
        return f"whether {_names(played(action))} can be laid on m{target}: that meld was found wrong"

    def laid_late(self, violation: Violation, action: Action) -> bool:
        """Carries out otherwise what was laid wrongly, where an action needs that."""
        position = self._position
        not_there = facts(violation.code).not_there
        wanted = position.missing(position.turn.seat, played(action)) if not_there else ()
        if violation.code == "draw.pile" and isinstance(action, Take):
            wanted = (action.card,)
        if (len(wanted) == 1 and self._throw_another(wanted[0])) or self._throw_none(violation, action):
            return True
        for entry in self._plays if not_there or violation.code == "layoff.fit" else ():
            seat, play, number = entry
            if isinstance(play, Swap):
                done = not_there and seat == position.turn.seat and self._exchange(play, action)
            else:
                done = isinstance(action, LayOff) and not not_there and self._lay_off(seat, play, number, action)
            if done:
                self._plays.remove(entry)
                return True
        return False

    def _throw_another(self, card: Card) -> bool:
        """Changes the last wrong discard for another card of its player, where it lies now or is held."""
        position = self._position
        seat, thrown = self._thrown or (0, UNKNOWN)
        taker = position.turn.seat
        if not count(position.hands[seat], card) and not (position.unknown[seat] and position.left(card)):
            return False
        if thrown in position.pile and thrown != UNKNOWN:
            position.pile[position.pile.index(thrown)] = card
        elif taker != seat and thrown != UNKNOWN and count(position.hands[taker], thrown):
            position.take_from_hand(taker, ONE[thrown])
            position.give(taker, card)
        else:
            return False
        position.take_from_hand(seat, ONE[card])
        position.give(seat, thrown)
        self._thrown = None
        return True

    def seems_thrown(self, holds: Callable[[Position], bool]) -> bool:
        """Whether a turn may be over, though its discard is not written: something holds then."""
        turn, other = self._position.turn, self._position.copy()
        if other.begins or turn.source is NOT_DRAWN or not 0 < other.held[turn.seat] < UNCOUNTED // 2:
            return False
        _throw_some(other)
        return holds(other)

    def throw_some(self) -> None:
        """Throws a card, unknown which, where a discard may or may not have been made."""
        _throw_some(self._position)
        self.may_hold(self._position.turn.seat)

    def may_hold(self, seat: int) -> None:
        """Notes that the top card of the pile may be in a hand."""
        pile = self._position.pile
        self._perhaps = seat, len(pile) - 1, pile[-1]
        self.miscounted.add(seat)
        self._points_unknown = True

    def _throw_none(self, violation: Violation, action: Action) -> bool:
        """Takes back a discard that may not have been made, or a card less in a hand, where a play needs that."""
        position, (seat, _, card) = self._position, self._perhaps or (-1, 0, UNKNOWN)
        if not isinstance(action, (Take, Call)):
            mine, seat = seat == position.turn.seat, position.turn.seat
            missing = position.missing(seat, played(action))
            if len(missing) != position.unknown[seat] + 1 and not (mine and card in missing):
                return False
        judged = self._judge.violation
        return self.without(lambda other: getattr(judged(other, action), "code", "") != violation.code, seat)

    def without(self, holds: Callable[[Position], bool], seat: int | None = None) -> bool:
        """Gives a hand back what was perhaps not thrown, or a card that it may hold, if something holds then."""
        for one in sorted(self.miscounted if seat is None else self.miscounted & {seat}):
            thrower, at, card = self._perhaps or (-1, 0, UNKNOWN)
            given = (at, card) if thrower == one else (-1, UNKNOWN)
            other = self._position.copy()
            _take_in(other, one, *given)
            if holds(other):
                _take_in(self._position, one, *given)
                self.miscounted.discard(one)
                self._perhaps = None if thrower == one else self._perhaps
                return True
        return False

    def may_be_out(self, seat: int) -> bool:
        """Whether a player with one card left may hold none."""
        one_left = self._position.held[seat] == 1
        return one_left and bool(
            self._plays or seat in self.miscounted or self.without(lambda other: not other.held[seat])
        )

    def played_late(self, actions: Sequence[Action], seat: int, *, drawn: bool = False) -> None:
        """Carries out what a player did when the turn was over, perhaps; whose turn is due stays due."""
        position = self._position
        due, begins = position.turn, position.begins
        for action in actions:
            if position.ending is not GOING_ON:
                return
            position.turn = TurnState(seat, source=FROM_STOCK, floater=seat in position.floating)
            if drawn and isinstance(action, (Draw, Take)):
                leave_out(position, action)
            elif type(action) in BREAKS_IN or not can_be_done(position, action, late=True):
                continue
            else:
                self._judge.play.actions[type(action)](position, action)
                if isinstance(action, Discard):
                    self.may_hold(seat)
        if position.ending is GOING_ON:
            position.turn, position.begins = due, begins

    def _lay_off(self, seat: int, play: LayOff, number: int, action: LayOff) -> bool:
        """Lays cards off on the meld that takes them with those of a later action."""
        position = self._position
        barred = barred_roles(self._judge.binding, position)
        for target, meld in enumerate(position.melds, start=1):
            if target == number or action.target not in {None, target} or meld.shape is None:
                continue
            if not position.book.row(meld.shape, (*play.cards, *action.cards), barred).fits:
                continue
            if not (self._take_back(seat, play, number) if number else not position.missing(seat, play.counted)):
                return False
            current = position.turn
            position.turn = TurnState(seat)
            self._judge.play.laying.lay_off(position, LayOff(play.cards, target))
            position.take_from_hand(seat, play.counted)
            position.turn = current
            return True
        return False

    def _take_back(self, seat: int, play: LayOff, number: int) -> bool:
        """Takes cards that were laid off back into the hand; False where one of them has gone from there."""
        position = self._position
        lying = position.melds[number - 1].cards
        if not holds(counted([laid.card for laid in lying]), play.counted):
            return False
        for card in each(play.counted):
            laid = lying.pop(max(at for at, laid in enumerate(lying) if laid.card == card))
            position.points[laid.seat] -= laid.points
            position.give(seat, card)
        return True

    def _exchange(self, swap: Swap, action: Action) -> bool:
        """Takes the wild card of the meld named that an action plays, though the card did not take its place."""
        position, seat, target = self._position, self._position.turn.seat, swap.target
        if target is None or not 0 < target <= len(position.melds) or not count(position.hands[seat], swap.card):
            return False
        meld = position.melds[target - 1]
        missing = position.missing(seat, played(action))
        for index, laid in enumerate(meld.cards):
            if laid.card in missing and position.book.is_wild(laid.card):
                points = self._judge.play.worth.own(swap.card)
                meld.cards[index] = OnTable(swap.card, swap.card, laid.seat, points)
                meld.shape = None
                position.points[laid.seat] += points - laid.points
                position.take_from_hand(seat, ONE[swap.card])
                position.give(seat, laid.card)
                self._points_unknown = True
                return True
        return False

    def as_meant(self, violation: Violation, action: LayOff | Swap) -> LayOff | Swap | None:
        """The action to be carried out for one that was found wrong; None where nobody knows which.

        A meld that is not there, or that does not take the card, is as none named: where only one can be meant, it
        is that one.
        """
        position, seat, target = self._position, self._position.turn.seat, action.target
        if isinstance(action, LayOff) and target is not None and violation.code != "log.name":
            if violation.code in _OF_MELDS:
                self._doubtful.add(target)
                self._points_unknown = True
            if violation.code == "layoff.fit":
                self._plays.append((seat, action, target))
            return action
        if violation.code not in {"layoff.fit", "swap.fit", "log.name"}:
            return action
        if isinstance(action, Swap):
            possible = swap_targets(position, action.card)
        else:
            possible = targets(self._judge.binding, position, seat, action.cards)
        if len(possible) == 1:
            return changed(action, target=possible[0])
        self._plays.append((seat, action, 0))
        return None

    def note(self, violation: Violation, action: Action) -> None:
        """Notes who throws a card wrongly, or lays cards that are not held, whatever they were."""
        not_there = facts(violation.code).not_there
        if isinstance(action, Discard) and not not_there:
            self._thrown = (self._position.turn.seat, action.card)
        self._points_unknown |= violation.code in {"draw.pile", "turn.draw"}  # nobody knows which cards are held
        if not_there and isinstance(action, (Meld, LayOff, Swap)):
            self.miscounted.add(self._position.turn.seat)
            self._points_unknown = True

    def reopens(self) -> bool:
        """Lets a hand go on in which somebody went out who may have held a card more."""
        position = self._position
        out = position.out
        if position.ending is GOING_ON or out is None or out not in self.miscounted:
            return False
        position.ending, position.end_reason, position.out, position.final = GOING_ON, "", None, None
        return self.without(lambda _: True, out)


def _throw_some(position: Position) -> None:
    seat = position.turn.seat
    position.lose_one(seat)
    position.pile.append(UNKNOWN)
    position.fresh, position.discarder = True, seat
    position.final = None if position.held[seat] else (seat, UNKNOWN)


def _take_in(position: Position, seat: int, at: int, card: Card) -> None:
    """Puts a card into a hand that lies in the pile or below, or in another hand."""
    below = position.pile[: at + 1][::-1]  # calls may have taken cards from under it
    if card in below:
        del position.pile[len(below) - 1 - below.index(card)]
    elif card != UNKNOWN:
        holder = next((one for one in position.order if count(position.hands[one], card)), None)
        if holder is None:
            card = UNKNOWN
        else:
            position.take_from_hand(holder, ONE[card])
    position.give(seat, card)


def _names(cards: Cards) -> str:
    return in_words([card_text(card) for card in each(cards)])
