"""What the player whose turn it is may do: all that the rules find nothing against and a turn can be ended after.

The same question as in `meldref.moves`, asked at every decision of a simulated game, so it is answered with
less work: bounds from `reach` leave out what cannot be, and an end of the turn that is plain to see is not
searched for. Nor is a rule asked that has nothing to say: of the draw what it says of one card of the pile it says
of all, and of a player who owes nothing, and plays no call, the melds of a hand and the natural cards that extend
a meld need no question in most games. The tests compare what is listed with what `meldref.moves` finds.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from meldref.cards import FULL, JOKER, ONE, UNKNOWN, WIDTH, Card
from meldref.events import Action, Draw, LayOff, Meld, Pass, Take
from meldref.judge import Judge
from meldref.melds import Extension, Reading, Shape
from meldref.moves import swaps
from meldref.position.model import Position
from meldref.rules.calls import comes_too_soon
from meldref.rules.meld import barred_roles
from meldref.simulate.ending import Ends
from meldref.simulate.laying import exchangeable
from meldref.simulate.reach import Hand, mask_cards

Choice: TypeAlias = "Action | None"
"""Something to do; None ends a call after which nothing more has to be done."""

DRAW: Final = Draw(UNKNOWN)
PASS: Final = Pass()
TAKES: Final = tuple(Take(card) for card in range(JOKER + 1))


class Choices:
    """The choices of one hand; `position` is the one that is played on."""

    def __init__(self, judge: Judge, position: Position) -> None:
        ruleset = judge.ruleset
        self.judge = judge
        self.position = position
        self.ends = Ends(judge, position)
        self._hands = [Hand(position.book, self.ends.naturals) for _ in position.players]
        self._allowed: dict[object, bool] = {}
        self._wild_bits = self.ends.wild_bits
        self._top, self._deep = ruleset.draw.top, ruleset.draw.deep
        self._all_above = ruleset.draw.takes == "all_above"
        self._any_depth = ruleset.draw.depth == "any"
        self._no_draw = ruleset.deal.first_turn == "no_draw"
        self._asked_of_melds = (
            ruleset.melds.first_points > 0
            or ruleset.melds.wild.twins == "forbidden"
            or ruleset.out.melding_all == "forbidden"
        )
        self._may_stop = ruleset.calls.discard == "none"

    @property
    def begins_with_draw(self) -> bool:
        """Whether the turn that is about to begin has a draw (W-DEAL-11)."""
        return not (self.position.turn.opening and self._no_draw)

    # --- drawing -----------------------------------------------------------------------------------------------

    def draws(self) -> list[Action]:
        """The draws the player may make, after each of which the turn can be ended."""
        position = self.position
        found: list[Action] = []
        if position.stock_size > 0:
            if self._may(DRAW):
                found.append(DRAW)
        elif self.judge.violation(position, PASS) is None:
            found.append(PASS)
        if position.pile and self._may(TAKES[position.pile[-1]]):
            self._add_takes(found)
        return found

    def _may(self, draw: Draw | Take) -> bool:
        """Whether the rules allow the draw of a card that is there, the top one of the stock or of the pile.

        They say the same in all turns alike, so they are asked once for each kind.
        """
        turn = self.position.turn
        key = type(draw), turn.source, turn.call is None, turn.opening, turn.floater
        may = self._allowed.get(key)
        if may is None:
            may = self._allowed[key] = self.judge.violation(self.position, draw) is None
        return may

    def _add_takes(self, found: list[Action]) -> None:
        """The cards of the pile that may be taken, the top one first.

        What the rules say of the draw itself they say of the top card, and alike of those below it.
        """
        position, ends = self.position, self.ends
        pile, turn = position.pile, position.turn
        seat = turn.seat
        looked = self._hands[seat].look(position.hands[seat])
        mask = own = looked.mask
        wilds = own_wilds = looked.wilds
        cards = hand = position.hands[seat]
        may_meld = ends.naturals.may_meld
        table = ends.table.look(position.melds)
        exchanged = exchangeable(position) if ends.swaps else 0
        usable = self._wild_bits | exchanged | (table.accepts if ends.lay_off_uses else 0)
        all_above, wild_bits, lay_off_uses = self._all_above, self._wild_bits, ends.lay_off_uses
        floats, held = turn.floater, position.held[seat]
        seen = taken = 0
        owes = self._top.must != "nothing"
        for card in pile[::-1] if self._any_depth else pile[-1:]:
            bit = 1 << card
            taken += 1
            if not all_above:
                mask, wilds, cards = own, own_wilds, hand
            mask |= bit
            cards += ONE[card]
            if wild_bits & bit:
                wilds += 1
            again = seen & bit
            seen |= bit
            if taken == 2:
                owes = self._deep.must != "nothing"
            if again and not all_above:
                continue
            kept = own & ~seen
            if owes:
                if not usable & bit:
                    more = wilds + (exchanged & mask).bit_count() if exchanged else wilds
                    if not may_meld(card, mask, more) and not (lay_off_uses and table.may_take(bit, mask, more)):
                        continue
                most = held + (taken if all_above else 1)
                sure = not floats and ends.surely_uses(card, cards, mask, kept, most)
            else:
                sure = bool(kept) and not floats
            action = Take(card, taken) if again else TAKES[card]
            if sure or self._ends_after(action):
                found.append(action)

    def _ends_after(self, action: Take) -> bool:
        """Whether a turn that begins with this draw can be ended."""
        with _Taken(self, action):
            return self.ends.can_end(self.position)

    # --- the rest of a turn ------------------------------------------------------------------------------------

    def plays(self) -> list[Choice]:
        """What the player may do after the draw: melds, lay-offs, exchanges, discards, and None to end a call."""
        position, ends = self.position, self.ends
        turn = position.turn
        seat, call = turn.seat, turn.call
        hand = self._hands[seat].look(position.hands[seat])
        free = ends.throws.free(position, hand.mask)
        if turn.duty is None and call is None and not turn.swapped and not turn.floater:
            found: list[Choice] = self._unbound(hand, free, position.held[seat])
        else:
            at_once = self._at_once()
            found = [play for play in self._laid(hand, at_once) if ends.leads_to_end(position, play, free)]
        found += ends.throws.of(position, free)
        if call is not None and self._may_stop and call.begun and not call.wanted:
            found.append(None)
        return found

    def _unbound(self, hand: Hand, free: int, held: int) -> list[Choice]:
        """What a player who owes nothing, and plays no call, may lay."""
        position, ends = self.position, self.ends
        melds = hand.melds()
        lays: list[Action] = []
        if melds:
            asked = self._asked_of_melds
            lays += [meld for meld in melds if self.judge.violation(position, meld) is None] if asked else melds
        lays += ends.lay_offs.all(position, hand.mask, judged=not ends.lay_offs.silent)
        if ends.swaps:
            for card in mask_cards(hand.mask & exchangeable(position)):
                lays += swaps(self.judge, position, card)
        kinds = free.bit_count()
        surely = ends.throws.surely
        return [
            play
            for play in lays
            if (
                (type(play) is Meld or type(play) is LayOff)
                and kinds > len(play.cards)
                and surely(held - len(play.cards))
            )
            or ends.leads_to_end(position, play, free)
        ]

    def _laid(self, hand: Hand, at_once: Card | None) -> list[Action]:
        """The melds, lay-offs and exchanges that the rules find nothing against, where something may be owed.

        With a card owed `at_once` only those that help to place it.
        """
        position, judge = self.position, self.judge
        violation = judge.violation
        lays: list[Meld | LayOff] = [*hand.melds(), *self.ends.lay_offs.all(position, hand.mask, judged=False)]
        if at_once is not None:
            lays = [play for play in lays if self._helps(play, at_once, hand)]
        call = position.turn.call
        if call is not None and call.wanted:
            lays = [play for play in lays if not comes_too_soon(call, play.counted)]
        found: list[Action] = [play for play in lays if violation(position, play) is None]
        if self.ends.swaps:
            for card in mask_cards(hand.mask & exchangeable(position)):
                found += swaps(judge, position, card)
        return found

    def _at_once(self) -> Card | None:
        """The card owed before anything that does not help to place it."""
        duty = self.position.turn.duty
        if duty is None or (self._deep if duty.deep else self._top).when != "at_once":
            return None
        if self.ends.swaps or self.ends.roundabout(self.position):
            return None
        return duty.card

    def _helps(self, play: Meld | LayOff, owed: Card, hand: Hand) -> bool:
        """False where a play leaves the card owed for later without making room for it, so that it comes late."""
        if play.counted >> (WIDTH * owed) & FULL:
            return True
        if not self.ends.lay_off_uses:
            return False
        if self._wild_bits >> owed & 1:
            return True
        naturals = self.ends.naturals
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


class _Taken:
    """The position as it is after a draw from the pile, for as long as a question is asked about it."""

    def __init__(self, choices: Choices, action: Take) -> None:
        self._position = choices.position
        self._action = action
        self._take = choices.judge.play.actions[Take]

    def __enter__(self) -> None:
        position = self._position
        turn = position.turn
        seat = turn.seat
        self._before = (
            turn.state(),
            list(position.pile),
            position.hands[seat],
            position.held[seat],
            position.fresh,
        )
        self._take(position, self._action)

    def __exit__(self, *_: object) -> None:
        position = self._position
        turn = position.turn
        seat = turn.seat
        state, pile, hand, held, position.fresh = self._before
        position.pile[:] = pile
        position.hands[seat], position.held[seat] = hand, held
        turn.restore(state)
