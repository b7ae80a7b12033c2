"""Carries actions out on a position, as recorded if the cards allow it. Judges nothing.

`Play` is bound to a ruleset once, like the rules, and asks them what follows: who plays next, who
floats, whether the hand is over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from meldref.core.cards import (
    EMPTY,
    FULL,
    GUARD,
    ONE,
    UNKNOWN,
    WIDTH,
    Card,
    Cards,
    capped,
    counted,
    difference,
    each,
    holds,
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
    Pass,
    Swap,
    Take,
)
from meldref.engine.apply_melds import Laying
from meldref.position.memory import one_more
from meldref.position.model import (
    GOING_ON,
    OVER,
    PROVISIONAL,
    UNCOUNTED,
    CallState,
    Position,
    TurnState,
    uncounted,
)
from meldref.position.moved import HAND, NOBODYS, PILE, STOCK
from meldref.position.setup import next_seats
from meldref.position.turn import FROM_PILE, FROM_STOCK, NOT_DRAWN, Called, Duty, Source
from meldref.rules.base import Binding
from meldref.rules.calls import claim, discarder_may_call, ends_when_laid, next_player
from meldref.rules.draw import duties, find_in_pile
from meldref.rules.out import Emptied, emptied
from meldref.rules.points import Worth
from meldref.rules.stock import moves_whole_pile, over_before, runs_out
from meldref.ruleset.model import DutySetting

Carry: TypeAlias = Callable[[Position, Any], None]


class Play:
    """Carries out actions under a ruleset."""

    def __init__(self, binding: Binding) -> None:
        ruleset = binding.ruleset
        self.binding = binding
        self.worth = Worth(ruleset)
        self.laying = Laying(binding, self.worth)
        self._draws_two = ruleset.draw.count > 1
        self._mixes = ruleset.draw.mixed == "allowed"
        self._that_card = ruleset.draw.takes == "that_card"
        self._takes_whole = ruleset.draw.takes == "whole_pile"
        self._reaches_deeper = ruleset.draw.depth == "any" or self._takes_whole
        top, deep = duties(ruleset)
        self._owed = {False: _owed_by(deep, top), True: _owed_by(deep, deep)}
        self._owed_in_doubt = _owed_by(deep, top, deep)
        self._melding_uses = "meld" in ruleset.draw.use
        self._emptied = emptied(binding)
        self._last_turns = ruleset.out.last_turns == "one"
        self._picks_up = (
            ruleset.out.claimed == "takes_pile" and self._emptied(True) is Emptied.PROVISIONAL
        )
        self._discarder_may_call = discarder_may_call(ruleset)
        self._penalty = ruleset.calls.penalty
        self._whole_pile = moves_whole_pile(ruleset.stock)
        self._turns_over = ruleset.stock.reshuffle == "turn_over"
        self._runs_out = runs_out(binding)
        self._over_before = over_before(binding)
        self._after_call = next_player(binding)
        self._call_ends_when_laid = ends_when_laid(binding)
        self._call_is_a_turn = ruleset.calls.discard == "required"
        wild = ruleset.melds.wild
        self.actions: Mapping[type[Action], Carry] = {
            Draw: self._draw_of_two if self._draws_two else self._draw,
            Take: self._take,
            Meld: self._meld,
            LayOff: self._lay_off,
            Swap: self._swap_to_end if wild.swapped == "to_end" else self.laying.swap,
            Discard: self._discard,
            Call: self._call,
            Buy: self._buy,
            Challenge: self._challenge,
            Pass: self._pass,
        }
        self._owes_bought = ruleset.buys.must == "be_used"
        if self._owes_bought:
            self.actions = {kind: self._settling(kind, do) for kind, do in self.actions.items()}

    def begin_turn(self, position: Position, seat: int) -> None:
        """A player's turn begins."""
        turn = position.turn
        if turn.seat != seat or not position.begins:
            turn = position.turn = TurnState(seat, opening=turn.opening and position.begins)
        turn.floater = seat in position.floating
        turn.first_meld = len(position.melds)
        position.called = None
        position.begins = False
        position.mover_known = True
        if position.turns is not None:
            position.turns += 1

    def begin_call(self, position: Position, seat: int) -> None:
        """A call breaks into whatever turn there is."""
        broken = position.turn
        resume, begins = broken, position.begins
        if broken.call is not None and broken.call.resume is not None:
            resume, begins = broken.call.resume, broken.call.resume_begins
        position.turn = TurnState(seat)
        position.turn.call = CallState(
            EMPTY, EMPTY, False, False, (), resume, begins, position.place
        )
        position.turn.held_before = position.hands[seat]
        position.turn.guesses_before = position.unknown[seat]
        position.turn.first_meld = len(position.melds)
        position.begins = False

    def break_in(self, position: Position, seat: int) -> None:
        """A purchase or challenge breaks into whatever turn there is, or is due."""
        position.turn = TurnState(seat, broken=position.turn)

    def end_turn(self, position: Position, *, discarded: bool) -> None:
        """The turn, or the call, is over: the next player's begins, or the hand ends."""
        turn = position.turn
        seat = turn.seat
        position.acted = seat
        if not position.held[seat]:
            self.no_cards_left(position, seat, discarded=discarded)
        elif position.floating:
            position.floating.discard(seat)
        call = turn.call
        if call is None:
            position.last = seat
            position.bought = None
            position.turn = TurnState(position.after[seat])
            position.begins = True
        else:
            self._end_call(position, call, seat, discarded=discarded)
        if (
            self._last_turns
            and position.in_last_turns
            and position.begins
            and position.turn.seat == position.out
        ):
            position.ending = OVER
        if position.stock_size <= 0:
            self._over_if_out_of_stock(position, turn)

    def _over_if_out_of_stock(self, position: Position, turn: TurnState) -> None:
        """After a turn, a call or a purchase the hand is over if an empty stock ends it."""
        if position.ending is GOING_ON and self._runs_out(position, turn):
            self._over_by_stock(position)

    def no_cards_left(self, position: Position, seat: int, *, discarded: bool) -> None:
        """A player has no cards left, by a discard or without one: floats, or the hand is over."""
        outcome = self._emptied(discarded)
        if outcome is Emptied.FLOATS:
            position.floating.add(seat)
        elif outcome is not Emptied.GOES_ON and self._last_turns:
            position.floating.discard(seat)
            if position.out is None:
                position.out = seat
                position.end_reason = "out"
        elif outcome is not Emptied.GOES_ON:
            position.out = seat
            position.end_reason = "out"
            position.ending = PROVISIONAL if outcome is Emptied.PROVISIONAL else OVER

    def _end_call(self, position: Position, call: CallState, seat: int, *, discarded: bool) -> None:
        if discarded or self._call_is_a_turn:
            position.last = seat
        # A call takes nobody's last turn away.
        takes_turns = not position.in_last_turns or position.out == seat
        following = self._after_call(position, seat) if takes_turns else None
        assert call.resume is not None
        if following is None and takes_turns and position.in_last_turns:
            following = self._first_last_turn(position, seat, call.resume.seat)
        if following is not None and call.resume_begins:
            position.turn = TurnState(following)
            position.begins = True
            return
        position.turn = call.resume
        position.begins = call.resume_begins
        if discarded:
            position.discarder = seat

    @staticmethod
    def _first_last_turn(position: Position, seat: int, due: int) -> int:
        """Who has the first of the last turns, where whoever went out by a call takes no turns.

        It is the player whose turn is due, and all others come before that one is due again.
        """
        if due == seat:
            return position.after[seat]
        order = [other for other in position.order if other != seat]
        order.insert(order.index(due), seat)
        position.order = tuple(order)
        position.after = next_seats(position.order, len(position.players))
        return due

    def turn_due(self, position: Position) -> Position:
        """Starts a turn in a position, unless an empty stock has ended the hand before it."""
        if position.ending is GOING_ON and self._over_before(position):
            self._over_by_stock(position)
        return position

    def reshuffle(self, position: Position) -> None:
        """The pile becomes the new stock, all of it or all but its top card (W-BOAT-06).

        Turned over, its bottom card is drawn first. What nobody saw until then is in hands, and in
        no others than those that had it.
        """
        held = held_by_somebody(position)
        if held is not None:
            others = {seat: held for seat, unseen in enumerate(position.unknown) if unseen}
            position.among = {**others, **position.among}
        top = [] if self._whole_pile else position.pile[-1:]
        moved = position.pile[: len(position.pile) - len(top)]
        for card in moved:
            position.note(card, PILE, STOCK, NOBODYS, 0)
        position.stock_of = None
        if position.pile_known and UNKNOWN not in moved:
            position.stock_of = capped(moved)
        # Other cards may lie under the part of the pile that is known: they would be drawn first.
        position.stock = moved[::-1] if self._turns_over and position.pile_known else []
        position.stock_size = len(moved)
        position.reshuffled += 1
        position.pile = top
        position.seen = position.located()
        if not position.pile_known:
            position.stock_size = UNCOUNTED
        position.fresh = position.fresh and (bool(top) or not position.pile_known)
        if not (self._whole_pile and position.stock_size):
            return
        position.discarder = position.bought = None
        position.fresh = False
        if not self._turns_over:
            position.pile = [UNKNOWN]
            position.stock_size -= 1
            position.note(UNKNOWN, STOCK, PILE, NOBODYS)

    @staticmethod
    def _over_by_stock(position: Position) -> None:
        position.ending = OVER
        if position.out is None:
            position.end_reason = "stock"

    def _draw(self, position: Position, action: Draw) -> None:
        turn = position.turn
        turn.source = FROM_STOCK
        if position.stock_size <= 0:
            return
        turn.plain = turn.call is None and turn.duty is None and not turn.swapped
        seat = turn.seat
        turn.held_before = position.hands[seat]
        turn.guesses_before = position.unknown[seat]
        card = action.card
        stock = position.stock
        top = stock[-1] if stock else UNKNOWN
        if top != card:
            if card == UNKNOWN:
                card = top
            elif top == UNKNOWN and position.left(card) > 0:
                position.reveal(card)
                if position.stock_of is not None:
                    position.stock_of = difference(position.stock_of, ONE[card])
            else:
                self._draw_unlike(position, seat, card)
                return
        if stock:
            stock.pop()
        position.stock_size -= 1
        if card == UNKNOWN:
            position.give(seat, card)
        else:
            position.held[seat] += 1
            position.hands[seat] += ONE[card]
        if position.history is not None:
            position.note(card, STOCK, HAND, seat)

    def _draw_of_two(self, position: Position, action: Draw) -> None:
        """Draws one of the two cards of a turn, or both, if no second one is due."""
        turn = position.turn
        before_take = turn.held_before, turn.guesses_before
        source = self._drawn_from(position, FROM_STOCK, position.stock_size - 1)
        self._draw(position, action)
        turn.source = source
        turn.plain = turn.plain and source is FROM_STOCK
        if turn.first is FROM_PILE:
            turn.held_before, turn.guesses_before = before_take

    def _drawn_from(self, position: Position, source: Source, left: int) -> Source:
        """Where a turn got its cards, with this draw; `NOT_DRAWN`: a second one is still due.

        No second one is due if no card is `left` in the stock, or if the pile is taken in place of both.
        """
        turn = position.turn
        if turn.has_begun_to_draw or turn.call is not None:
            return max(turn.first, turn.source, source)
        if left <= 0 or (source is FROM_PILE and not self._mixes):
            return source
        turn.first = source
        return NOT_DRAWN

    @staticmethod
    def _draw_unlike(position: Position, seat: int, card: Card) -> None:
        """Draws a card other than the one due: either may be right, so what follows is unknown."""
        top = position.stock.pop() if position.stock else UNKNOWN
        position.stock_size -= 1
        position.stock_of = None
        if top != UNKNOWN:
            position.forget_stock()
        if position.left(card) <= 0:
            position.contest(card)
        position.note(UNKNOWN, STOCK, HAND, seat)
        if top == UNKNOWN:
            position.give(seat, UNKNOWN)
        else:
            position.give_one_of(seat, ONE[top] + ONE[card])

    def _take(self, position: Position, action: Take) -> None:
        turn, pile = position.turn, position.pile
        source = FROM_PILE
        if self._draws_two:
            source = self._drawn_from(position, FROM_PILE, position.stock_size)
        turn.source = source
        turn.plain = False
        index = find_in_pile(position, action)
        may_be_alone = False
        if index is None:
            is_untold = action.card == UNKNOWN
            if position.pile_known or (not is_untold and position.left(action.card) <= 0):
                return
            may_be_alone = not pile and action.count != 1 and self._reaches_deeper
            pile[:0] = [UNKNOWN] * max(1, (action.count or 0) - len(pile))
            index = 0
            if not self._that_card and not is_untold:
                # Nobody knows how many cards lay over it.
                position.unknown[turn.seat] = UNCOUNTED
                position.held[turn.seat] = UNCOUNTED + size(position.hands[turn.seat])
        seat = turn.seat
        turn.held_before = position.hands[seat]
        turn.guesses_before = position.unknown[seat]
        if self._that_card and action.card == UNKNOWN:
            # It may have been any of them.
            position.seen = position.seen - counted(card for card in pile if card != UNKNOWN)
            pile[:] = [UNKNOWN] * len(pile)
        if pile[index] == UNKNOWN and action.card != UNKNOWN:
            position.reveal(action.card)
            pile[index] = action.card
        lowest = 0 if self._takes_whole else index
        behind = index + 1 if self._that_card else len(pile)
        taken = tuple(pile[lowest:behind])
        del pile[lowest:behind]
        position.fresh = False
        turn.taken = taken
        if position.history is not None:
            for card in taken:
                position.note(card, PILE, HAND, seat, lowest)
        if UNKNOWN in taken:
            for card in taken:
                position.give(seat, card)
        else:
            position.hands[seat] += counted(taken)
            position.held[seat] += len(taken)
        turn.inside = len(taken) > 1 or (self._that_card and index != len(pile))
        if action.card == UNKNOWN:
            return
        owed = self._owed[turn.inside]
        if may_be_alone:
            # Nobody knows whether it was the top card.
            turn.inside = None
            owed = self._owed_in_doubt
        if owed is not None:
            is_deep, is_certain = owed
            turn.duty = Duty(
                action.card, is_deep, position.line, position.step, position.turns, is_certain
            )

    def _meld(self, position: Position, action: Meld) -> None:
        self.laying.meld(position, action)
        self._laid(position, position.turn, action)

    def _lay_off(self, position: Position, action: LayOff) -> None:
        is_laid = self.laying.lay_off(position, action)
        if is_laid or not position.table_known:  # it may lie on a meld that nobody knows
            self._laid(position, position.turn, action)

    def _swap_to_end(self, position: Position, action: Swap) -> None:
        """Exchanges a wild card that stays in its meld, so that the hand may be empty then."""
        seat = position.turn.seat
        before = position.held[seat]
        self.laying.swap(position, action)
        if before and not position.held[seat]:
            self.end_turn(position, discarded=False)

    def _laid(self, position: Position, turn: TurnState, action: Meld | LayOff) -> None:
        """Takes laid cards from the hand, and notes what they settle."""
        seat, laid = turn.seat, action.counted
        if ((position.hands[seat] | GUARD) - laid) & GUARD == GUARD:
            position.hands[seat] -= laid
            position.held[seat] -= len(action.cards)
        else:
            position.take_from_hand(seat, laid)
        duty = turn.duty
        settles = self._melding_uses or type(action) is LayOff
        if settles and duty is not None and laid >> (WIDTH * duty.card) & FULL:
            turn.duty = None
        if turn.swapped:
            turn.swapped = difference(turn.swapped, laid)
        call = turn.call
        if call is not None:
            call.wanted = difference(call.wanted, laid)
            call.from_pile = difference(call.from_pile, laid)
        if not position.held[seat] or (
            call is not None and self._call_ends_when_laid and not call.wanted
        ):
            self.end_turn(position, discarded=False)

    def _discard(self, position: Position, action: Discard) -> None:
        turn = position.turn
        seat = turn.seat
        card = action.card
        hand = position.hands[seat]
        if card == UNKNOWN and position.held[seat] and not position.unknown[seat]:
            card = self._face_down(position, seat)
        if card != UNKNOWN and hand >> (WIDTH * card) & FULL:
            position.hands[seat] = hand - ONE[card]
            position.held[seat] -= 1
        elif card == UNKNOWN and hand and position.unwritten.discards:
            position.lose_one(seat)
        elif card == UNKNOWN:
            position.unknown[seat] -= 1
            position.held[seat] -= 1
        elif position.unknown[seat] > 0 and position.left(card) > 0:
            position.take_from_hand(seat, ONE[card])
        elif position.held[seat]:
            turn.duty = None
            position.lose_one(seat)
            if position.left(card) <= 0:
                position.contest(card)
            card = UNKNOWN
        else:
            turn.duty = None
            position.discarder = seat
            position.fresh = False
            return
        position.throw(card)
        if position.history is not None:
            position.note(card, HAND, PILE, seat)
        position.fresh = True
        position.discarder = seat
        position.final = None if position.held[seat] else (seat, card)
        self.end_turn(position, discarded=True)

    @staticmethod
    def _face_down(position: Position, seat: int) -> Card:
        """A card discarded face down from a known hand: the only one, or any; the rest are held."""
        hand = position.hands[seat]
        if position.held[seat] == 1:
            return next(each(hand))
        position.unknown[seat] = position.held[seat]
        position.hands[seat] = EMPTY
        position.seen = position.located()
        position.among = {**position.among, seat: hand}
        return UNKNOWN

    def _pass(self, position: Position, action: Pass) -> None:
        if position.stock_size <= 0 or uncounted(position.stock_size):
            self._over_by_stock(position)
            position.turn = TurnState(position.turn.seat)
            position.begins = True
        else:
            self.end_turn(position, discarded=False)

    def _call(self, position: Position, action: Call) -> None:
        turn = position.turn
        if turn.call is None or turn.call.begun:
            return
        turn.call.begun = True
        turn.call.named = action.cards
        taken = claim(self.binding, position, action.cards)
        turn.call.place = position.place
        if taken is None:
            turn.call.excused = True
            return
        seat, discarder = turn.seat, position.discarder
        takes_discard = position.fresh and len(position.pile) - 1 in taken.indices
        for index, card in taken.unseen:
            position.reveal(card)
            if index >= 0:
                position.pile[index] = card
        below = [card for index, card in taken.unseen if index < 0]
        cards = [position.pile[index] for index in taken.indices] + below
        for above, index in enumerate(taken.indices):
            card = position.pile.pop(index - above)
            position.note(card, PILE, HAND, seat, index - above)
        for card in below:
            position.note(card, PILE, HAND, seat)
        for card in cards:
            position.give(seat, card)
        if discarder is not None and (discarder != seat or self._discarder_may_call):
            position.called = Called(seat, action.cards, position.place, discarder)
        turn.call.wanted = taken.wanted
        turn.call.unseen = UNKNOWN in cards
        turn.call.from_pile = counted(card for card in cards if card != UNKNOWN)
        position.fresh = False
        if position.ending is PROVISIONAL:
            self._claim_last_discard(position)
        elif self._picks_up and discarder is not None and uncounted(position.held[discarder]):
            # It may have been a last discard, whose player then picked up the pile.
            position.pile = []
            position.unwritten = position.unwritten._replace(pile=True)
            position.stock_size = UNCOUNTED
            position.forget_stock()
        if takes_discard and discarder is not None and discarder != seat:
            self._penalize(position, discarder)

    def _penalize(self, position: Position, seat: int) -> None:
        """A player whose discard was called pays for it, and with cards in hand does not float."""
        if self._penalty == "draws_two":
            for _ in range(min(2, position.stock_size)):
                self._give_top(position, seat)
        elif self._penalty == "takes_pile":
            self._give_pile(position, seat)
        if position.held[seat]:
            position.floating.discard(seat)

    @staticmethod
    def _give_pile(position: Position, seat: int) -> None:
        """Gives a player the whole pile; of one that nobody saw, nobody knows how many cards."""
        for card in position.pile:
            position.give(seat, card)
            position.note(card, PILE, HAND, seat, 0)
        position.pile.clear()
        if not position.pile_known:
            position.unknown[seat] = UNCOUNTED
            position.held[seat] = UNCOUNTED + size(position.hands[seat])

    def _claim_last_discard(self, position: Position) -> None:
        """The last discard was called: its player floats, or picks up the pile.

        Clauses: P-VUNP-07, W-RUM-10, W-RUM-11.
        """
        seat = position.out
        assert seat is not None
        position.ending, position.end_reason, position.out = GOING_ON, "", None
        position.final = None
        if self.binding.ruleset.out.claimed == "floats":
            position.floating.add(seat)
            return
        if position.pile:
            self._give_pile(position, seat)
        elif position.stock_size > 0:
            self._give_top(position, seat)

    @staticmethod
    def _give_top(position: Position, seat: int) -> None:
        """Gives a player the top card of the stock."""
        card = position.stock.pop() if position.stock else UNKNOWN
        position.stock_size -= 1
        position.give(seat, card)
        position.note(card, STOCK, HAND, seat)

    def _buy(self, position: Position, action: Buy) -> None:
        """Takes the last discard and cards from the stock; the interrupted turn continues."""
        turn, pile = position.turn, position.pile
        if not pile and not position.pile_known:
            pile.append(UNKNOWN)
        if pile and pile[-1] == UNKNOWN and position.left(action.card) > 0:
            position.reveal(action.card)
            pile[-1] = action.card
        if pile and pile[-1] == action.card:
            position.give(turn.seat, pile.pop())
            position.note(action.card, PILE, HAND, turn.seat, len(pile))
            for _ in range(min(self.binding.ruleset.buys.extra, position.stock_size)):
                self._give_top(position, turn.seat)
            position.fresh = False
            position.bought = Called(turn.seat, (action.card,), position.place, position.discarder)
            if self._owes_bought:
                position.owing += (position.bought,)
            buys = list(position.buys)
            buys[turn.seat] = one_more(buys[turn.seat])
            position.buys = tuple(buys)
        self.break_off(position)
        if position.stock_size <= 0:
            self._over_if_out_of_stock(position, turn)

    @staticmethod
    def _settling(kind: type[Action], do: Carry) -> Carry:
        """An action, with which its player uses cards that were bought, or owes none any more."""

        def lay(position: Position, action: Meld | LayOff | Swap) -> None:
            seat = position.turn.seat
            do(position, action)
            laid = ONE[action.card] if isinstance(action, Swap) else action.counted
            left: list[Called] = []
            for purchase in position.owing:
                card = purchase.cards[0]
                if purchase.seat == seat and holds(laid, ONE[card]):
                    laid -= ONE[card]
                else:
                    left.append(purchase)
            position.owing = tuple(left)

        def discard(position: Position, action: Discard) -> None:
            seat = position.turn.seat
            position.owing = tuple([one for one in position.owing if one.seat != seat])
            do(position, action)

        if kind in {Meld, LayOff, Swap}:
            return lay
        return discard if kind is Discard else do

    def break_off(self, position: Position) -> None:
        """Back to the turn that a purchase or challenge broke into."""
        broken = position.turn.broken
        if broken is None:
            return
        position.turn = broken
        if position.begins:
            self.turn_due(position)

    def _challenge(self, position: Position, action: Challenge) -> None:
        if position.final is None:
            return
        seat, card = position.final
        position.final = None
        if position.pile and position.pile[-1] == card:
            position.pile.pop()
            position.give(seat, card)
            position.note(card, PILE, HAND, seat, len(position.pile))
        position.ending, position.end_reason, position.out = GOING_ON, "", None
        position.turn = TurnState(seat, source=FROM_STOCK)
        position.begins = False


def _owed_by(deep: DutySetting, *settings: DutySetting) -> tuple[bool, bool] | None:
    """Whether what is owed by one of some settings is as for the `deep` one, and is certain.

    None: nothing is. Of two, the one that leaves more time is owed: what it forbids is wrong in any
    case.
    """
    binding = [setting for setting in settings if setting.must == "be_used"]
    if not binding:
        return None
    setting = max(binding, key=lambda setting: setting.when == "this_turn")
    return setting is deep, len(binding) == len(settings)


def held_by_somebody(position: Position) -> Cards | None:
    """The cards that nobody saw, if they are all in hands; None if not, or if that is unknown."""
    if not position.pile_known or position.stock_size > 0 or UNKNOWN in position.pile:
        return None
    unseen = position.unseen
    if not unseen or size(unseen) != sum(position.unknown):
        return None
    return unseen
