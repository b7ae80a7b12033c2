"""What the player whose turn it is may do: every action that the rules find nothing against, with an end to the turn.

The same question as in `meldref.moves`, asked at every decision of a simulated game, so it is answered with less
work: bounds from `reach` leave out what cannot be, and an end of the turn that is plain to see is not searched for.
Each action that is listed has been put to the judge.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from meldref.cards import FULL, GUARD, JOKER, ONE, UNKNOWN, WIDTH, Card, Cards, Played, counted, each
from meldref.events import Action, Discard, Draw, LayOff, Meld, Pass, Take
from meldref.judge import Judge
from meldref.moves import can_finish, swaps
from meldref.position.model import GOING_ON, Position
from meldref.rules import discard as discarding
from meldref.rules import hand as holding
from meldref.rules import out as going_out
from meldref.rules import turn as order
from meldref.rules.base import Binding, Undecided, Violation
from meldref.rules.registry import CHECKS
from meldref.simulate.laying import LayOffs
from meldref.simulate.reach import Hand, mask_cards, mask_of, may_meld, may_reach, naturals, wild_count

Choice: TypeAlias = "Action | None"
"""Something to do; None ends a call after which nothing more has to be done."""

DRAW: Final = Draw(UNKNOWN)
PASS: Final = Pass()
THROWS: Final = tuple(Discard(card) for card in range(JOKER + 1))
TAKES: Final = tuple(Take(card) for card in range(JOKER + 1))
_ALIKE: Final = (order.draw_first, order.nothing_owed)
"""Checks of a discard that look at the turn alone: asked once for all cards."""
_HELD: Final = (holding.holds_card,)
"""Checks that cards in hand pass."""


class Choices:
    """The choices of one hand; `position` is the one that is played on."""

    def __init__(self, judge: Judge, position: Position) -> None:
        ruleset = judge.ruleset
        self.judge = judge
        self.position = position
        self._actions = judge.play.actions
        self._naturals = naturals(position.book, judge.all_copies)
        self._hands = [Hand(position.book, judge.all_copies) for _ in position.players]
        self._lay_offs = LayOffs(judge, position.book)
        self._throws = _Throws(judge.binding)
        self._wild = position.book.wilds.cards
        self._wild_bits = sum(1 << card for card in self._wild)
        self._top, self._deep = ruleset.draw.top, ruleset.draw.deep
        self._all_above = ruleset.draw.takes == "all_above"
        self._any_depth = ruleset.draw.depth == "any"
        self._lay_off_uses = "lay_off" in ruleset.draw.use
        self._swaps = ruleset.melds.wild.swap != "never"
        self._lay_swapped = ruleset.melds.wild.swapped == "laid_this_turn"
        self._no_draw = ruleset.deal.first_turn == "no_draw"
        self._roundabout = (
            self._swaps or ruleset.layoff.before_melding == "forbidden" or ruleset.melds.first_points > 0
        )
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
        hand = position.hands[seat]
        looked = self._hands[seat].look(hand)
        mask = own = looked.mask
        wilds = own_wilds = looked.wilds
        seen = 0
        fits = self._fitting() if self._lay_off_uses else 0
        always = -1 if self._swaps else self._wild_bits
        reach = -1
        last = len(pile) - 1
        for index in range(last, -1 if self._any_depth else last - 1, -1):
            card = pile[index]
            bit = 1 << card
            if not self._all_above:
                mask, wilds = own, own_wilds
            mask |= bit
            wilds += bool(self._wild_bits & bit)
            again = seen & bit
            seen |= bit
            if again and not self._all_above:
                continue
            setting = self._top if index == last else self._deep
            if setting.must == "nothing":
                action = Take(card, len(pile) - index) if again else TAKES[card]
                if violation(position, action) is None and self._ends_after_take(action, hand, card, index):
                    found.append(action)
                continue
            if not (fits | always) & bit and not may_meld(self._naturals, card, mask, wilds):
                if not self._lay_off_uses:
                    continue
                if reach < 0:
                    reach = self._reach(own | mask_of(counted(set(pile))))
                if not reach & bit or not self._reach(mask, wilds) & bit:
                    continue
            action = Take(card, len(pile) - index) if again else TAKES[card]
            if violation(position, action) is None and self._use_after_take(action, card):
                found.append(action)

    def _fitting(self) -> int:
        """A bit for each natural card that some meld on the table takes."""
        fits = 0
        for meld in self.position.melds:
            if meld.shape is not None:
                fits |= meld.shape.accepts
        return fits

    def _reach(self, mask: int, wilds: int | None = None) -> int:
        """Cards that might be laid off on the table after others of these; `wilds`: how many of them are wild."""
        if wilds is None:
            wilds = self.position.copies[JOKER] if mask & self._wild_bits else 0
        reach = 0
        for meld in self.position.melds:
            shape = meld.shape
            if shape is None:
                continue
            accepts = shape.accepts
            reach |= accepts if not (wilds or accepts & mask) else may_reach(shape, mask, wilds)
        return reach

    def _ends_after_take(self, action: Take, hand: Cards, card: Card, index: int) -> bool:
        """Whether a turn can be ended that begins by taking a card nothing has to be done with."""
        others = hand - (hand >> (WIDTH * card) & FULL) * ONE[card]
        if others and not self.position.turn.floater:
            return True
        with _Taken(self, action):
            return self._ends()

    def _use_after_take(self, action: Take, card: Card) -> bool:
        """Whether a turn can be ended that begins by taking a card which has to be used."""
        with _Taken(self, action):
            if self.position.turn.duty is None:
                return self._ends()
            return self._can_use(self.position, card)

    # --- what a card owed is used for --------------------------------------------------------------------------

    def _can_use(self, position: Position, card: Card) -> bool:
        """Whether the card owed can be used and the turn then ended."""
        for play in self._uses(position, card):
            if self._leads_to_end(position, play):
                return True
        if self._roundabout:
            return can_finish(self.judge, position.copy()) is not False
        return self._lay_off_uses and self._chained(position, card)

    def _uses(self, position: Position, card: Card) -> Iterator[Action]:
        """The plays that use a card."""
        yield from self._lay_offs.of(position, card)
        hand = position.hands[position.turn.seat]
        mask = mask_of(hand)
        if self._naturals.whole and not mask & self._wild_bits:
            violation = self.judge.violation
            guarded, absent = hand | GUARD, ~mask
            for least, melds in self._naturals.by_card[card]:
                if not least & absent:
                    for _, needed, meld in melds:
                        if (guarded - needed) & GUARD == GUARD and violation(position, meld) is None:
                            yield meld
        else:
            for ways in position.book.melds_in(hand, must=card):
                meld = Meld(ways)
                if self.judge.violation(position, meld) is None:
                    yield meld
        if self._swaps:
            yield from swaps(self.judge, position, card)

    def _chained(self, position: Position, card: Card) -> bool:
        """Whether lay-offs on one meld make room for the card owed."""
        bit = 1 << card
        mask = mask_of(position.hands[position.turn.seat])
        wilds = wild_count(position.book, each(position.hands[position.turn.seat]))
        for number, meld in enumerate(position.melds, start=1):
            shape = meld.shape
            if shape is None or not (may_reach(shape, mask, wilds) & bit or card in self._wild):
                continue
            for other in mask_cards(mask & (shape.accepts | self._wild_bits) & ~bit):
                for lay in self._lay_offs.on(position, number, other):
                    after = self._after(position, lay)
                    for play in self._uses(after, card):
                        if self._leads_to_end(after, play):
                            return True
                    if self._chained(after, card):
                        return True
        return False

    # --- ending ------------------------------------------------------------------------------------------------

    def _after(self, position: Position, action: Action) -> Position:
        after = position.copy()
        self._actions[type(action)](after, action)
        return after

    def _leads_to_end(self, position: Position, play: Action) -> bool:
        """Whether the turn can be ended after a play; asked where it cannot be seen at a glance."""
        return self._ends_in(self._after(position, play))

    def _ends(self) -> bool:
        if self._throws.can(self.position):
            return True
        return self._ends_in(self.position.copy())

    def _ends_in(self, position: Position) -> bool:
        return can_finish(self.judge, position) is not False

    # --- the rest of a turn ------------------------------------------------------------------------------------

    def plays(self) -> list[Choice]:
        """What the player may do after the draw: melds, lay-offs, exchanges, discards, and None to end a call."""
        position = self.position
        turn = position.turn
        seat = turn.seat
        hand = position.hands[seat]
        looked = self._hands[seat].look(hand)
        mask = looked.mask
        found: list[Choice] = []
        free = self._throws.free(position, mask)
        laid = self._laid(looked)
        if laid:
            plain = turn.duty is None and not (turn.swapped and self._lay_swapped) and not turn.floater
            call = turn.call
            for play in laid:
                if type(play) is Meld or type(play) is LayOff:
                    left = hand - play.counted
                    if not left:
                        found.append(play)
                        continue
                    if plain and (call is None or not _short(play.counted, call.wanted)):
                        if (call is not None and self._may_stop) or self._throws.plain(left, free):
                            found.append(play)
                            continue
                if self._worth_trying(play, mask) and self._leads_on(play):
                    found.append(play)
        found += self._throws.of(position, free)
        if self._may_stop and turn.call is not None and turn.call.begun and not turn.call.wanted:
            found.append(None)
        return found

    def _laid(self, hand: Hand) -> list[Action]:
        """The melds, lay-offs and exchanges that the rules find nothing against."""
        position, judge = self.position, self.judge
        violation = judge.violation
        found: list[Action] = [meld for meld in hand.melds() if violation(position, meld) is None]
        found += self._lay_offs.all(position, hand.mask)
        if self._swaps:
            for card in mask_cards(hand.mask):
                found += swaps(judge, position, card)
        return found

    def _worth_trying(self, play: Action, mask: int) -> bool:
        """False where a play leaves the card owed for later without being needed for it, so that it comes late."""
        duty = self.position.turn.duty
        if duty is None or self._roundabout or (self._deep if duty.deep else self._top).when != "at_once":
            return True
        assert isinstance(play, (Meld, LayOff))
        if play.counted >> (WIDTH * duty.card) & FULL:
            return True
        if not self._lay_off_uses:
            return False
        if duty.card in self._wild:
            return True
        position = self.position
        wilds = wild_count(position.book, each(position.hands[position.turn.seat]))
        after = self._after(position, play)
        shape = after.melds[-1 if isinstance(play, Meld) else (play.target or 1) - 1].shape
        return shape is not None and bool(may_reach(shape, mask, wilds) >> duty.card & 1)

    def _leads_on(self, play: Action) -> bool:
        """Whether the turn can be ended after a play."""
        after = self._after(self.position, play)
        in_call = self.position.turn.call is not None
        if after.ending is not GOING_ON or after.begins or (after.turn.call is not None) != in_call:
            return True
        duty = after.turn.duty
        if duty is None or self._roundabout:
            return self._ends_in(after)
        return self._can_use(after, duty.card)


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
            dict(turn.__dict__),
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
        turn.__dict__.clear()
        turn.__dict__.update(state)


class _Throws:
    """The discards of a hand, with what is the same for all its cards asked once."""

    def __init__(self, binding: Binding) -> None:
        bound = [(bind, bind(binding)) for bind in CHECKS[Discard] if bind not in _HELD]
        self._once = [check for bind, check in bound if bind in _ALIKE and check is not None]
        self._taken = [check for bind, check in bound if bind is discarding.not_just_taken and check is not None]
        known = (*_ALIKE, discarding.not_just_taken)
        self._each = [check for bind, check in bound if bind not in known and check is not None]
        self._last_alone = all(
            bind is going_out.last_discard for bind, check in bound if bind not in known and check is not None
        )

    def free(self, position: Position, mask: int) -> int:
        """Those cards, as bits, that were not just taken in such a way that they may not be thrown back."""
        taken = position.turn.taken
        if not taken or not self._taken:
            return mask
        free = mask
        for card in set(taken):
            bit = 1 << card
            if mask & bit:
                for check in self._taken:
                    if isinstance(check(position, THROWS[card]), Violation):
                        free &= ~bit
        return free

    def of(self, position: Position, free: int) -> list[Discard]:
        """The discards the player may make, of cards that are free."""
        if not free or any(isinstance(check(position, THROWS[0]), Violation | Undecided) for check in self._once):
            return []
        found = [THROWS[card] for card in mask_cards(free)]
        if self._each:
            return [
                throw
                for throw in found
                if not any(isinstance(check(position, throw), Violation) for check in self._each)
            ]
        return found

    def can(self, position: Position) -> bool:
        """Whether there is a discard."""
        mask = mask_of(position.hands[position.turn.seat])
        return bool(self.of(position, self.free(position, mask)))

    def plain(self, left: Cards, free: int) -> bool:
        """Whether it is plain that one of the cards left after a play may be thrown: nothing is owed, none floats."""
        if self._each and (not self._last_alone or left in _SINGLES):
            return False
        return any(left >> (WIDTH * card) & FULL for card in mask_cards(free))


_SINGLES: Final = frozenset(ONE)


def _short(cards: Cards, wanted: Cards) -> bool:
    """Whether a counted set lacks some of another."""
    return ((cards | GUARD) - wanted) & GUARD != GUARD
