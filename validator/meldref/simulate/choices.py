"""What the player whose turn it is may do: all that the rules find nothing against and a turn can be ended after.

The same question as in `meldref.moves`, asked at every decision of a simulated game, so it is answered with
less work: bounds from `reach` leave out what cannot be, and an end of the turn that is plain to see is not
searched for. Each action that is listed has been put to the judge.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from meldref.cards import FULL, JOKER, UNKNOWN, WIDTH, Card
from meldref.events import Action, Draw, LayOff, Meld, Pass, Take
from meldref.judge import Judge
from meldref.moves import swaps
from meldref.position.model import Position
from meldref.simulate.ending import Ends
from meldref.simulate.laying import exchangeable
from meldref.simulate.reach import Hand, bits_of, mask_cards, may_meld

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
        self._wild_bits = self.ends.wild_bits
        self._top, self._deep = ruleset.draw.top, ruleset.draw.deep
        self._all_above = ruleset.draw.takes == "all_above"
        self._any_depth = ruleset.draw.depth == "any"
        self._no_draw = ruleset.deal.first_turn == "no_draw"
        self._may_stop = ruleset.calls.discard == "none"

    @property
    def begins_with_draw(self) -> bool:
        """Whether the turn that is about to begin has a draw (W-DEAL-11)."""
        return not (self.position.turn.opening and self._no_draw)

    # --- drawing -----------------------------------------------------------------------------------------------

    def draws(self) -> list[Action]:
        """The draws the player may make, after each of which the turn can be ended."""
        position, violation = self.position, self.judge.violation
        found: list[Action] = []
        if position.stock_size > 0:
            if violation(position, DRAW) is None:
                found.append(DRAW)
        elif violation(position, PASS) is None:
            found.append(PASS)
        if position.pile:
            self._add_takes(found)
        return found

    def _add_takes(self, found: list[Action]) -> None:
        position, violation = self.position, self.judge.violation
        pile = position.pile
        seat = position.turn.seat
        looked = self._hands[seat].look(position.hands[seat])
        mask = own = looked.mask
        wilds = own_wilds = looked.wilds
        seen = 0
        bounds = _Bounds(self.ends, position, own)
        last = len(pile) - 1
        for index in range(last, -1 if self._any_depth else last - 1, -1):
            card = pile[index]
            bit = 1 << card
            if not self._all_above:
                mask, wilds = own, own_wilds
            mask |= bit
            if self._wild_bits & bit:
                wilds += 1
            again = seen & bit
            seen |= bit
            if again and not self._all_above:
                continue
            must_use = (self._top if index == last else self._deep).must != "nothing"
            if must_use and not bounds.may_use(card, mask, wilds):
                continue
            action = Take(card, len(pile) - index) if again else TAKES[card]
            if violation(position, action) is not None:
                continue
            if (not must_use and own & ~seen and not position.turn.floater) or self._ends_after(action):
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
        hand = self._hands[turn.seat].look(position.hands[turn.seat])
        free = ends.throws.free(position, hand.mask)
        at_once = self._at_once()
        found: list[Choice] = [
            play
            for play in self._laid(hand)
            if (at_once is None or self._helps(play, at_once, hand)) and ends.leads_to_end(position, play, free)
        ]
        found += ends.throws.of(position, free)
        call = turn.call
        if call is not None and self._may_stop and call.begun and not call.wanted:
            found.append(None)
        return found

    def _laid(self, hand: Hand) -> list[Action]:
        """The melds, lay-offs and exchanges that the rules find nothing against."""
        position, judge = self.position, self.judge
        violation = judge.violation
        found: list[Action] = [meld for meld in hand.melds() if violation(position, meld) is None]
        found += self.ends.lay_offs.all(position, hand.mask)
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

    def _helps(self, play: Action, owed: Card, hand: Hand) -> bool:
        """False where a play leaves the card owed for later without making room for it, so that it comes late."""
        assert isinstance(play, (Meld, LayOff))
        if play.counted >> (WIDTH * owed) & FULL:
            return True
        if not self.ends.lay_off_uses:
            return False
        if self._wild_bits >> owed & 1:
            return True
        after = self.ends.after(self.position, play)
        shape = after.melds[-1 if isinstance(play, Meld) else (play.target or 1) - 1].shape
        return shape is not None and bool(self.ends.naturals.reach(shape, hand.mask, hand.wilds) >> owed & 1)


class _Bounds:
    """Which cards of the pile might be used by a player who takes them; what it denies is certain."""

    def __init__(self, ends: Ends, position: Position, own: int) -> None:
        self._melds = position.melds
        self._naturals = ends.naturals
        self._lay_off_uses = ends.lay_off_uses
        self._most_wilds = sum(position.copies[card] for card in mask_cards(ends.wild_bits))
        self._all = own
        self._reach = -1
        self._pile = position.pile
        self._fits = ends.wild_bits
        self._exchanged = 0
        if ends.swaps:
            self._exchanged = exchangeable(position)
            self._fits |= self._exchanged
        if self._lay_off_uses:
            for meld in self._melds:
                if meld.shape is not None:
                    self._fits |= meld.shape.accepts

    def may_use(self, card: Card, mask: int, wilds: int) -> bool:
        """Whether a card might be used by who holds these cards, it among them, so many of them wild."""
        bit = 1 << card
        if self._exchanged:
            wilds += (self._exchanged & mask).bit_count()
        if self._fits & bit or may_meld(self._naturals, card, mask, wilds):
            return True
        if not self._lay_off_uses:
            return False
        if self._reach < 0:
            self._reach = self._reached(self._all | bits_of(self._pile), self._most_wilds)
        return bool(self._reach & bit and self._reached(mask, wilds) & bit)

    def _reached(self, mask: int, wilds: int) -> int:
        """Cards that might be laid off on the table after others of these."""
        reach = 0
        for meld in self._melds:
            shape = meld.shape
            if shape is not None:
                accepts = shape.accepts
                reach |= self._naturals.reach(shape, mask, wilds) if wilds or accepts & mask else accepts
        return reach


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
