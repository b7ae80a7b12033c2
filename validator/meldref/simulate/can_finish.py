"""Whether a turn can be ended from where it stands, by whatever plays that takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from meldref.core.cards import FULL, GUARD, JOKER, WIDTH, Card, Cards, bits_of, each, mask_of
from meldref.core.effort import ASKED, EFFORT, STATE
from meldref.core.events import Action, LayOff, Meld
from meldref.engine.judge import Judge
from meldref.moves.legal_actions import can_finish, swaps
from meldref.position.model import GOING_ON, Position
from meldref.rules.meld import own_meld, own_meld_first
from meldref.simulate.bounds import mask_cards, naturals, wild_count
from meldref.simulate.discards import throws
from meldref.simulate.laying import LayOffs, OpenMelds, exchangeable

MOST_EFFORT: Final = 20_000
"""So much is looked at in one hand, twenty times what usual games take; then only plain ends are seen."""


class Ends:
    """Ends of turns in one hand.

    It answers as `moves.legal_actions.can_finish` does, and asks it where the way to the end is not one of those
    that nearly all turns take: a discard, or first the use of a card that is owed or called.
    """

    def __init__(self, judge: Judge, position: Position) -> None:
        ruleset = judge.ruleset
        self.judge = judge
        self._left = MOST_EFFORT
        self.throws = throws(judge)
        self.naturals = naturals(judge)
        self.table = OpenMelds(self.naturals)
        self.lay_offs = LayOffs(judge, position.book, self.table)
        self.wild_bits = bits_of(position.book.wilds.cards)
        self.one_pack = max(judge.copies[:JOKER]) == 1
        self.lay_off_uses = "lay_off" in ruleset.draw.use
        self.swaps = ruleset.melds.wild.swap != "never"
        self._meld_first = own_meld_first(ruleset)
        self._lay_swapped = ruleset.melds.wild.swapped == "laid_this_turn"
        self._call_stops = ruleset.calls.discard == "none"
        self._stops_plainly = judge.binding.house is None
        self._natural_melds_lie = (
            "meld" in ruleset.draw.use
            and not judge.asked(Meld, wild=False)
            and self.naturals.whole
            and ruleset.calls.of != "last_discard"
        )

        self.plain_uses: Final[tuple[type[Action], ...]] = (
            *([Meld] if self._natural_melds_lie else []),
            *([LayOff] if self.lay_off_uses and self.lay_offs.silent else []),
        )
        """The kinds of play, of natural cards, in which a card owed can be used whatever else is so."""

    def can_end(self, position: Position) -> bool:
        """Whether the turn can be ended."""
        before, left = EFFORT.spent, self._left
        with EFFORT.at_most(left):
            answer = self._can_end(position)
        self._left = left - (EFFORT.spent - before)
        return answer

    def _can_end(self, position: Position) -> bool:
        turn = position.turn
        if turn.duty is not None and turn.duty.certain:
            return self._can_use(position, turn.duty.card)
        if self.throws.can(position):
            return True
        if turn.duty is not None:
            return self._can_use(position, turn.duty.card)
        owed = turn.swapped if self._lay_swapped else 0
        if turn.call is not None and turn.call.wanted:
            owed = turn.call.wanted
        if owed:
            cards = list(each(owed))
            if self._can_use(position, cards[0]):
                return True
            if len(cards) == 1:
                return False
        return can_finish(self.judge, position.copy()) is not False and not EFFORT.over

    def surely_uses(self, card: Card, cards: Cards, mask: int, kept: int, held: int) -> bool:
        """Whether it is plain that a card owed can be used at once and the turn then ended: True is certain.

        `cards` are those that may be laid with it, `mask` the same as bits; `kept` are cards of the hand, as bits,
        that may be thrown, `held` is how many the player holds in all. The player owes that card alone, floats
        not, and may lay: the table was looked at.
        """
        bit = 1 << card
        if bit & self.wild_bits:
            return False
        fits = self.lay_off_uses and self.table.accepts & bit and self.lay_offs.silent
        if fits and kept & ~bit and self.throws.surely(held - 1):
            return True
        naturals = mask & ~self.wild_bits
        if self._natural_melds_lie:
            meld = self.naturals.melding(card, naturals, cards)
            if meld is not None and kept & ~mask_of(meld.counted) and self.throws.surely(held - len(meld.cards)):
                return True
        if not (self.lay_off_uses and self.lay_offs.silent and self.one_pack):
            return False
        covered = self.table.reaching(bit, naturals)
        return bool(covered) and self.throws.surely((kept & ~covered).bit_count()) and kept & ~covered != 0

    def _can_use(self, position: Position, card: Card) -> bool:
        """Whether a card owed can be used and the turn then ended."""
        free = self._free(position)
        for play in self.uses(position, card):
            if self.leads_to_end(position, play, free):
                return True
        if self.roundabout(position) and self._after_a_meld(position, card):
            return True
        if self.swaps and self._after_a_swap(position, card):
            return True
        return self._chained(position, card)

    def roundabout(self, position: Position) -> bool:
        """Whether a card owed may be usable only after melding something else."""
        return self._meld_first and not own_meld(position, position.turn.seat)

    def _after_a_meld(self, position: Position, card: Card) -> bool:
        """Whether the card owed can be used after the player's first meld."""
        for ways in position.book.melds_in(position.hands[position.turn.seat]):
            EFFORT.spent += ASKED
            meld = Meld(ways)
            if meld.counted >> (WIDTH * card) & FULL or self.judge.violation(position, meld) is not None:
                continue
            after = self.after(position, meld)
            if _is_over(after, position) or self._can_use(after, card):
                return True
        return False

    def _after_a_swap(self, position: Position, card: Card) -> bool:
        """Whether the card owed can be used after a natural card was exchanged for a wild one."""
        swappable = exchangeable(position) & mask_of(position.hands[position.turn.seat])
        return any(
            self._can_use(self.after(position, swap), card)
            for other in mask_cards(swappable & ~(1 << card))
            for swap in swaps(self.judge, position, other)
        )

    def leads_to_end(self, position: Position, play: Action, free: int) -> bool:
        """Whether the turn can be ended after a play; `free` are the cards that may be thrown, a bit for each."""
        if (type(play) is Meld or type(play) is LayOff) and self._plain(position, play.counted, free):
            return True
        if EFFORT.over:
            return False
        after = self.after(position, play)
        return _is_over(after, position) or self.can_end(after)

    def _plain(self, position: Position, laid: Cards, free: int) -> bool:
        """Whether it is plain that a turn can be ended once these cards are laid."""
        turn = position.turn
        left = position.hands[turn.seat] - laid
        if not left and self._stops_plainly:
            return True
        duty, call = turn.duty, turn.call
        if turn.floater or (duty is not None and not laid >> (WIDTH * duty.card) & FULL):
            return False
        if turn.swapped and self._lay_swapped:
            return False
        if call is not None:
            if ((laid | GUARD) - call.wanted) & GUARD != GUARD:
                return False
            if self._call_stops:
                return self._stops_plainly
        return self.throws.plain(left, free)

    def after(self, position: Position, play: Action) -> Position:
        """The position after a play."""
        EFFORT.spent += STATE
        after = position.copy()
        self.judge.play.actions[type(play)](after, play)
        return after

    def _free(self, position: Position) -> int:
        return self.throws.free(position, mask_of(position.hands[position.turn.seat]))

    def uses(self, position: Position, card: Card) -> Iterator[Action]:
        """The plays that use a card."""
        yield from self.lay_offs.of(position, card)
        hand = position.hands[position.turn.seat]
        mask = mask_of(hand)
        violation = self.judge.violation
        if self.naturals.whole and not mask & self.wild_bits:
            for known in self.naturals.made_of(card, mask, hand):
                if violation(position, known.meld) is None:
                    yield known.meld
        else:
            for ways in position.book.melds_in(hand, must=card):
                EFFORT.spent += ASKED
                meld = Meld(ways)
                if violation(position, meld) is None:
                    yield meld
        if self.swaps and exchangeable(position) >> card & 1:
            yield from swaps(self.judge, position, card)

    def _chained(self, position: Position, card: Card) -> bool:
        """Whether lay-offs on one meld make room for the card owed."""
        bit = 1 << card
        hand = position.hands[position.turn.seat]
        mask = mask_of(hand)
        wilds = wild_count(position.book, each(hand)) if mask & self.wild_bits else 0
        for number, meld in enumerate(position.melds, start=1):
            shape = meld.shape
            if EFFORT.over:
                return False
            if shape is None or not (self.naturals.reach(shape, mask, wilds) | self.wild_bits) & bit:
                continue
            for other in mask_cards(mask & (shape.accepts | self.wild_bits) & ~bit):
                for lay in self.lay_offs.on(position, number, other):
                    if self._then_on(self.after(position, lay), number, card):
                        return True
        return False

    def _then_on(self, position: Position, number: int, card: Card) -> bool:
        """Whether the card owed goes on that meld now, or after more lay-offs on it."""
        free = self._free(position)
        if any(self.leads_to_end(position, lay, free) for lay in self.lay_offs.on(position, number, card)):
            return True
        return self._chained(position, card)


def _is_over(after: Position, before: Position) -> bool:
    """Whether a play ended its turn or call."""
    in_call = before.turn.call is not None
    return after.ending is not GOING_ON or after.begins or (after.turn.call is not None) != in_call
