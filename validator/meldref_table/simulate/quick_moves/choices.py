"""What the player on turn may do: whatever no rule objects to and leaves the turn an end.

The same question as in `meldref.moves.exhaustive`, asked at every decision of a simulated game, so
it is answered with less work: `bounds` leave out what cannot be, and an end of the turn that is
plain to see is not searched for. Nor is a rule asked that has nothing to say: of a player who owes
nothing, the melds of a hand and the cards that extend a meld need no question in most games. The
tests compare what is listed with what `meldref.moves.exhaustive` finds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from meldref.core.cards import FULL, WIDTH, Card, holds, mask_of
from meldref.core.events import Action, Buy, LayOff, Meld
from meldref.engine.judge import Judge
from meldref.melds import Extension, Reading, Shape
from meldref.moves.exhaustive import after, is_over, melds, rows, swaps
from meldref.position.model import Position, TurnState
from meldref.position.turn import FROM_STOCK
from meldref.rules.calls import comes_too_soon
from meldref.rules.draw import duties
from meldref.rules.meld import barred_roles, own_meld_first
from meldref_table.best.every_way import exchangeable
from meldref_table.simulate.quick_moves.bounds import mask_cards, naturals
from meldref_table.simulate.quick_moves.draws import Draws
from meldref_table.simulate.quick_moves.ends import Ends
from meldref_table.simulate.quick_moves.hands import HandMelds
from meldref_table.simulate.quick_moves.kept_rules import rules_asked

Choice: TypeAlias = "Action | None"
"""Something to do; None ends a call after which nothing more has to be done."""


class Choices:
    """The choices of one hand; `position` is the one that is played on.

    They are kept up from one decision to the next.
    """

    def __init__(self, judge: Judge, position: Position) -> None:
        ruleset, book = judge.ruleset, position.book
        self.judge = judge
        self.position = position
        self.ends = Ends(judge, book, naturals(judge))
        self._hands = [HandMelds(book, self.ends.naturals) for _ in position.players]
        self.draws: Final = Draws(judge, position, self.ends, self._hands).all
        self._wild_bits = self.ends.wild_bits
        self._top, self._deep = duties(ruleset)
        self._no_draw = ruleset.deal.first_turn == "no_draw"
        self._asked_of_melds = bool(rules_asked(judge, Meld, wild=True))
        self._may_stop = ruleset.calls.discard == "none"
        self._caller_goes_on = ruleset.calls.more_melds == "allowed" and not self._may_stop

    @property
    def begins_with_draw(self) -> bool:
        """Whether the turn that is about to begin has a draw (W-DEAL-11)."""
        return not (self.position.turn.opening and self._no_draw)

    def plays(self) -> list[Choice]:
        """What the player may do after the draw; None ends a call."""
        position, ends = self.position, self.ends
        ends.begin()
        turn = position.turn
        seat, call = turn.seat, turn.call
        hand = self._hands[seat].look(position.hands[seat])
        free = ends.throws.free(position, hand.mask) if turn.taken else hand.mask
        goes_on = call is None or (self._caller_goes_on and call.begun and not call.wanted)
        if turn.duty is None and goes_on and not turn.swapped and not turn.floater:
            return self._unbound(hand, free) + ends.throws.owing_nothing(position, free)
        laid = self._laid(hand, self._at_once())
        sure = ends.sure(position, free) if laid else 0
        plays: list[Choice] = [play for play in laid if ends.leads_to_end(position, play, sure)]
        if turn.duty is None and (call is None or not call.wanted):
            plays += ends.throws.of(position, free)
        done = call is not None and call.begun and not call.wanted
        if done and self._may_stop and not self.judge.stops_wrongly(position):
            plays.append(None)
        return plays

    def can_use(self, buyer: int, purchase: Buy) -> bool:
        """Whether a buyer can surely use the card, and what is owed besides, in a turn to come.

        It goes into a meld of the buyer's own: others may be laid off on until then.
        """
        position, play = self.position.copy(), self.judge.play
        if buyer in position.floating:
            return False
        play.break_in(position, buyer)
        play.actions[Buy](position, purchase)
        position.turn, position.begins = TurnState(buyer, source=FROM_STOCK), False
        position.turn.first_meld = len(position.melds)
        self.ends.begin()
        for meld in melds(self.judge, position, must=purchase.card):
            if mask_of(meld.counted) & self._wild_bits:
                continue
            done = after(self.judge, position, meld)
            if is_over(done, position.turn) or self.ends.can_end(done):
                return True
        return False

    def _unbound(self, hand: HandMelds, free: int) -> list[Choice]:
        """What a player may lay who owes nothing, or nothing more in a call that a turn follows.

        After what leaves a kind of card that may be thrown, it is plain that the turn can be ended.
        """
        position, ends = self.position, self.ends
        mask = hand.mask
        melds = ends.openings.leads_to_one(position, self._melds(hand))
        if melds and self._asked_of_melds:
            melds = [meld for meld in melds if self.judge.violation(position, meld) is None]
        lays = ends.lay_offs.all(position, mask)
        free = ends.sure(position, free) if melds or lays or ends.swaps else free
        sure = free.bit_count() - ends.throws.spare
        calls: list[Choice] = [
            meld
            for meld in melds
            if len(meld.cards) <= sure or ends.leads_to_end(position, meld, free)
        ]
        if lays:
            if not (ends.lay_offs.wild_silent if hand.wilds else ends.lay_offs.silent):
                lays = self._allowed(lays)
            calls += (
                lays
                if sure > 0
                else [lay for lay in lays if ends.leads_to_end(position, lay, free)]
            )
        if ends.swaps:
            for card in mask_cards(mask & exchangeable(position)):
                for swap in swaps(self.judge, position, card):
                    if ends.leads_to_end(position, swap, free):
                        calls.append(swap)
        return calls

    def _melds(self, hand: HandMelds) -> Sequence[Meld]:
        """The melds of the hand on turn, but for those after which too many cards are left."""
        position, ends = self.position, self.ends
        if not ends.must_empty(position, laying=True):
            return tuple(hand.melds())
        cards = position.hands[position.turn.seat]
        if not ends.may_be_emptied(position, cards):
            return ()
        return [
            meld for meld in hand.melds() if ends.may_be_emptied(position, cards - meld.counted)
        ]

    def _laid(self, hand: HandMelds, at_once: Card | None) -> list[Action]:
        """The melds, lay-offs and exchanges no rule objects to, where something may be owed.

        With a card owed `at_once` only those that help to place it.
        """
        position, judge = self.position, self.judge
        violation = judge.violation
        lays: list[Meld | LayOff] = [*hand.melds(), *self.ends.lay_offs.all(position, hand.mask)]
        if at_once is not None:
            lays = [play for play in lays if self._helps(play, at_once, hand)]
        call = position.turn.call
        if call is not None and call.wanted:
            lays = [play for play in lays if not comes_too_soon(call, play)]
        plainly, natural = self._plainly_lies, not hand.wilds
        actions: list[Action] = [
            play
            for play in lays
            if (natural and plainly(play)) or violation(position, play) is None
        ]
        if judge.lays_together:
            actions += rows(
                judge, position, [lay for lay in lays if type(lay) is LayOff and lay not in actions]
            )
        if self.ends.swaps:
            for card in mask_cards(hand.mask & exchangeable(position)):
                actions += swaps(judge, position, card)
        return actions

    def _allowed(self, lays: Sequence[LayOff]) -> list[LayOff]:
        """The lay-offs of one card that the rules allow, and of more where one is too few."""
        position, violation = self.position, self.judge.violation
        allowed = [lay for lay in lays if violation(position, lay) is None]
        if self.judge.lays_together and len(allowed) < len(lays):
            allowed += rows(self.judge, position, [lay for lay in lays if lay not in allowed])
        return allowed

    def _plainly_lies(self, play: Meld | LayOff) -> bool:
        """Whether it is plain that the rules allow a play of natural cards: True is certain.

        It uses a card owed, with nothing played before it, or the one called, with cards of the
        pile alone.
        """
        turn = self.position.turn
        call = turn.call
        if turn.swapped or turn.floater or type(play) not in self.ends.plain_uses:
            return False
        if call is None:
            return (
                turn.duty is not None
                and not turn.plays
                and play.counted >> (WIDTH * turn.duty.card) & FULL > 0
            )
        return (
            len(call.named) == 1
            and call.wanted & play.counted > 0
            and holds(call.from_pile, play.counted)
        )

    def _at_once(self) -> Card | None:
        """The card owed before anything that does not help to place it."""
        duty = self.position.turn.duty
        if duty is None or (self._deep if duty.deep else self._top).when != "at_once":
            return None
        ends = self.ends
        if (
            ends.swaps
            or ends.others_first
            or ends.roundabout(self.position)
            or own_meld_first(self.judge.ruleset)
        ):
            return None
        return duty.card

    def _helps(self, play: Meld | LayOff, owed: Card, hand: HandMelds) -> bool:
        """False where a play leaves the card owed for later without room, so that it comes late."""
        if play.counted >> (WIDTH * owed) & FULL:
            return True
        if not self.ends.lay_off_uses:
            return False
        if self._wild_bits >> owed & 1:
            return True
        naturals = self.ends.naturals
        if type(play) is LayOff:
            assert play.target is not None
            extended = self.position.melds[play.target - 1].shape
            if extended is None or not naturals.ends(extended) >> owed & 1:
                return False
        shape = self._shape_with(play)
        if shape is None or not naturals.ends(shape) >> owed & 1:
            return False
        return bool(naturals.reach(shape, hand.mask, hand.wilds) >> owed & 1)

    def _shape_with(self, play: Meld | LayOff) -> Shape | None:
        """The meld that a play which the rules allow makes, or makes longer."""
        book = self.position.book
        barred = barred_roles(self.judge.binding, self.position)
        if type(play) is Meld:
            read = book.read(play.cards, barred)
            return read.shape if type(read) is Reading else None
        assert type(play) is LayOff
        assert play.target is not None
        shape = self.position.melds[play.target - 1].shape
        for played in play.cards:
            extended = None if shape is None else book.extend(shape, played, barred)
            shape = extended.shape if type(extended) is Extension else None
        return shape
