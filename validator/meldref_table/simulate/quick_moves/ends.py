"""Whether a turn can be ended from where it stands, by whatever plays that takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from meldref.core.cards import (
    EMPTY,
    FULL,
    GUARD,
    JOKER,
    WIDTH,
    Card,
    Cards,
    bits_of,
    count,
    each,
    mask_of,
)
from meldref.core.effort import EFFORT
from meldref.core.events import Action, LayOff, Meld
from meldref.engine.judge import Judge
from meldref.melds import MeldIndex
from meldref.moves.exhaustive import (
    MOST_STATES,
    after,
    finishes,
    is_over,
    melds,
    plays,
    state_key,
    swaps,
)
from meldref.moves.openings import Openings
from meldref.position.model import Position
from meldref.rules.meld import own_meld, own_meld_first
from meldref_table.best.coming_bans import coming_bans
from meldref_table.best.every_way import exchangeable
from meldref_table.best.most_points import most_points
from meldref_table.simulate.quick_moves.bounds import Naturals, mask_cards, wild_count
from meldref_table.simulate.quick_moves.discards import throws
from meldref_table.simulate.quick_moves.emptying import Emptying
from meldref_table.simulate.quick_moves.hands import MOST_MELDS, parts
from meldref_table.simulate.quick_moves.kept_rules import rules_asked
from meldref_table.simulate.quick_moves.laying import LayOffs, OpenMelds

MOST_EFFORT: Final = 20_000
"""The most effort in one hand, twenty times that of usual games; then only plain ends are seen."""


class Ends:
    """Ends of turns in one hand.

    Most turns plainly end: with a discard, or first the use of a card that is owed or called. For
    others a way is searched for.
    """

    def __init__(self, judge: Judge, book: MeldIndex, naturals: Naturals) -> None:
        ruleset = judge.ruleset
        self.judge = judge
        self._left = MOST_EFFORT
        self.openings = Openings(judge)
        self._stuck: set[object] = set()
        self.throws = throws(judge)
        self.naturals = naturals
        self.table = OpenMelds(naturals)
        self.lay_offs = LayOffs(judge, book, self.table)
        self.wild_bits = bits_of(book.wilds.cards)
        self.one_pack = max(judge.copies[:JOKER]) == 1
        self.lay_off_uses = "lay_off" in ruleset.draw.use
        self.swaps = ruleset.melds.wild.swap != "never"
        self._meld_first = own_meld_first(ruleset)
        self.others_first = judge.others_first
        self._lay_swapped = ruleset.melds.wild.swapped == "laid_this_turn"
        house = judge.house
        bans = None if house is None or not house.bans.of_ends else house.bans
        self._bans = None if bans is None else coming_bans(judge)
        self._bans_all = bans is not None and bool(bans.of_all_ends)
        self._emptying: Emptying | None = None
        self._builds = ruleset.layoff.onto != "nothing"
        self._parts, self._most = parts(book), most_points(judge, book)
        self._twins = ruleset.melds.wild.twins == "forbidden"
        self._stops_plainly = house is None or not house.bans.of_ends
        self._melding_uses = "meld" in ruleset.draw.use
        self._call_stops = ruleset.calls.discard == "none"
        self._natural_melds_lie = (
            self._melding_uses
            and not rules_asked(judge, Meld, wild=False)
            and self.naturals.whole
            and ruleset.calls.of != "last_discard"
        )

        self.plain_uses: Final[tuple[type[Action], ...]] = (
            *([Meld] if self._natural_melds_lie else []),
            *([LayOff] if self.lay_off_uses and self.lay_offs.silent else []),
        )
        """The kinds of play, of natural cards, in which a card owed can always be used."""

    def begin(self) -> None:
        """Plays are about to be looked at that may be made in another position."""
        self._stuck = set()

    def can_end(
        self, position: Position, most: int = MOST_STATES, stuck: set[object] | None = None
    ) -> bool | None:
        """Whether the turn can be ended; None if `most` states of the turn do not tell.

        `stuck` are states, of this same turn, from which it is known that it cannot; what is found
        is added.
        """
        before, left = EFFORT.spent, self._left
        seen = {state_key(position)}
        stuck = set() if stuck is None else stuck
        if not seen.isdisjoint(stuck):
            return False
        with EFFORT.at_most(left):
            answer = self._at_end(position) or (
                not self.hopeless(position)
                and (
                    (self.must_empty(position) and self._empties(position))
                    or self._search(position, seen, stuck, most)
                )
            )
            if answer is False and not EFFORT.over:
                stuck |= seen
        self._left = left - (EFFORT.spent - before)
        return answer

    def _at_end(self, position: Position) -> bool:
        """Whether the turn can be ended with nothing played before."""
        turn = position.turn
        if self._call_stops and turn.call is not None and turn.call.begun and not turn.call.wanted:
            return not (self.openings.lacking(position) or self.judge.stops_wrongly(position))
        return turn.duty is None and self.throws.can(position)

    def _search(
        self, position: Position, seen: set[object], stuck: set[object], most: int
    ) -> bool | None:
        """Whether some plays end the turn, or lead to its end; those that end it come first."""
        if self.openings.lacking(position):
            return finishes(self.judge, position, most, self.openings)
        turn, free = position.turn, self.sure(position, self.free(position))
        further: list[Position] = []
        for play in self._worth_trying(position):
            if (type(play) is Meld or type(play) is LayOff) and self.plainly(position, play, free):
                return True
            done = after(self.judge, position, play)
            if is_over(done, turn):
                return True
            key = state_key(done)
            if key in seen or key in stuck:
                continue
            seen.add(key)
            if self._at_end(done):
                return True
            if self.must_empty(done) and not self.may_be_emptied(done, done.hands[turn.seat]):
                continue
            if EFFORT.over:
                return False
            if len(seen) > most:
                return None
            further.append(done)
        for done in further:
            ends = self._search(done, seen, stuck, most)
            if ends is not False:
                return ends
        return False

    def _worth_trying(self, position: Position) -> Iterator[Action]:
        """The plays that may help to end a turn: with a card owed, its uses and what makes room."""
        turn = position.turn
        if turn.duty is not None:
            owed = [turn.duty.card]
        elif turn.call is not None and turn.call.wanted:
            owed = list(each(turn.call.wanted))
        else:
            owed = list(each(turn.swapped)) if self._lay_swapped else []
        if owed:
            yield from self._uses(position, owed[0])
            if self.roundabout(position):
                yield from melds(self.judge, position)
            if self.swaps:
                for card in mask_cards(exchangeable(position) & mask_of(position.hands[turn.seat])):
                    if card != owed[0]:
                        yield from swaps(self.judge, position, card)
            yield from self._making_room(position, owed[0])
        if len(owed) != 1 or self.others_first:
            yield from plays(self.judge, position)

    def surely_uses(self, card: Card, cards: Cards, mask: int, left: int, held: int) -> bool:
        """Whether a card owed can plainly be used at once and the turn then ended: True is certain.

        `cards` are those that may be laid with it, `mask` the same as bits; `left` are cards of the
        hand, as bits, that may be discarded, `held` is how many the player holds in all. The player
        owes only that card, does not float, and may lay: the table was looked at.
        """
        bit = 1 << card
        if bit & self.wild_bits:
            return False
        fits = self.lay_off_uses and self.table.accepts & bit and self.lay_offs.silent
        if fits and left & ~bit and self.throws.surely(held - 1):
            return True
        naturals = mask & ~self.wild_bits
        if self._natural_melds_lie:
            meld = self.naturals.melding(card, naturals, cards)
            if (
                meld is not None
                and left & ~mask_of(meld.counted)
                and self.throws.surely(held - len(meld.cards))
            ):
                return True
        if not (self.lay_off_uses and self.lay_offs.silent and self.one_pack):
            return False
        covered = self.table.reaching(bit, naturals)
        return (
            bool(covered)
            and self.throws.surely((left & ~covered).bit_count())
            and left & ~covered != 0
        )

    def roundabout(self, position: Position) -> bool:
        """Whether a card owed may be usable only after melding something else."""
        return self._meld_first and not own_meld(position, position.turn.seat)

    def leads_to_end(self, position: Position, play: Action, free: int) -> bool:
        """Whether the turn can be ended after a play; `free` cards may certainly be thrown."""
        if (type(play) is Meld or type(play) is LayOff) and self.plainly(position, play, free):
            return True
        if EFFORT.over:
            return False
        done, turn = after(self.judge, position, play), position.turn
        return is_over(done, turn) or self.can_end(done, stuck=self._stuck) is not False

    def plainly(self, position: Position, play: Meld | LayOff, free: int) -> bool:
        """Whether it is plain that a turn can be ended after a play: True is certain."""
        turn, laid = position.turn, play.counted
        left = position.hands[turn.seat] - laid
        if not left and self._stops_plainly:
            return True
        duty, call = turn.duty, turn.call
        if turn.floater:
            return False
        if duty is not None and not (
            laid >> (WIDTH * duty.card) & FULL and (self._melding_uses or type(play) is LayOff)
        ):
            return False
        if turn.swapped and self._lay_swapped:
            return False
        if call is not None:
            if ((laid | GUARD) - call.wanted) & GUARD != GUARD:
                return False
            if self._call_stops:
                return self._stops_plainly
        return self.throws.plain(left, free)

    def hopeless(self, position: Position, taken: Cards = EMPTY, *, laying: bool = False) -> bool:
        """Whether a house rule surely forbids any end of the turn; `laying`: a meld is laid first.

        `taken` are cards that are taken from the pile before.
        """
        turn, bans = position.turn, self._bans
        if bans is None or turn.call is not None:
            return False
        hand = position.hands[turn.seat] + taken
        if self.must_empty(position, taken, laying=laying) and not self.may_be_emptied(
            position, hand
        ):
            return True
        if not self._bans_all:
            return False
        mask = mask_of(hand)
        melds = self._parts.melds(hand) if not (self._twins and mask & self.wild_bits) else None
        if melds is None or len(melds) >= MOST_MELDS or self.swaps or EFFORT.over:
            return False
        laid = mask & (self._reached(position, mask) | self.wild_bits)
        for meld in melds:
            laid |= mask_of(meld.counted)
        most = sum(self._most[card] * count(hand, card) for card in mask_cards(laid))
        laying = laying or self._melds_owed(position)
        return bans.never_ends(position, melds, most, laying=laying, drawn=not taken)

    def must_empty(self, position: Position, taken: Cards = EMPTY, *, laying: bool = False) -> bool:
        """Whether a house rule surely forbids to end the turn with a card in hand.

        `taken` and `laying` as in `hopeless`.
        """
        bans = self._bans
        if bans is None or position.turn.call is not None or self.swaps:
            return False
        return bans.never_ends_keeping(position, laying=laying, drawn=not taken)

    def _reached(self, position: Position, mask: int) -> int:
        """Cards that might be laid off on the table after others, with any wild ones, as bits."""
        return self.table.look(position).reached(mask, JOKER) if self._builds else 0

    def may_be_emptied(self, position: Position, hand: Cards) -> bool:
        """Whether a hand may be laid down to one card or none: False is certain."""
        mask = mask_of(hand)
        laid_off = 0
        if self._builds and position.melds:
            reached = self._reached(position, mask) | self.wild_bits
            laid_off = sum(count(hand, card) for card in mask_cards(mask & reached))
        wilds = sum(count(hand, card) for card in mask_cards(mask & self.wild_bits))
        alone = [
            count(hand, card)
            for card in mask_cards(mask & ~self.wild_bits)
            if not self.naturals.may_meld(card, mask, wilds)
        ]
        if sum(alone) > laid_off + 1:
            return False
        return self._emptying_of(position).may_leave_one(hand, laid_off=laid_off)

    def _emptying_of(self, position: Position) -> Emptying:
        if self._emptying is None:
            self._emptying = Emptying(self.judge, position.wild_rank)
        return self._emptying

    def _empties(self, position: Position) -> bool:
        """Whether melds that take all cards but one, or all, end the turn: True is certain."""
        turn = position.turn
        for way in self._emptying_of(position).ways(position.hands[turn.seat]):
            laid = position
            for meld in way:
                if self.judge.violation(laid, meld) is not None:
                    break
                laid = after(self.judge, laid, meld)
            else:
                if is_over(laid, turn) or self._at_end(laid):
                    return True
        return False

    def _melds_owed(self, position: Position) -> bool:
        """Whether a card is owed that can only be melded."""
        duty = position.turn.duty
        if duty is None:
            return False
        mask = mask_of(position.hands[position.turn.seat])
        reached = self.table.look(position).reached(mask, JOKER) | self.wild_bits
        return not (self.lay_off_uses and reached >> duty.card & 1)

    def sure(self, position: Position, free: int, taken: int = 0, *, drawn: bool = True) -> int:
        """Of free cards, those that no house rule forbids to throw, whatever is laid before.

        `taken` are cards that may be taken from the pile, if that is still to be done.
        """
        return self.throws.sure(position, free, lambda: self._may_fit(position, taken), drawn=drawn)

    def _may_fit(self, position: Position, taken: int) -> int:
        """The cards of the hand, a bit for each, that may fit a meld once others are laid."""
        mask = mask_of(position.hands[position.turn.seat]) | taken
        wilds = (mask & self.wild_bits).bit_count() and JOKER
        fits = self.table.look(position).reached(mask, wilds) | self.wild_bits
        for card in mask_cards(mask & ~fits):
            if self.naturals.may_meld(card, mask, wilds):
                fits |= 1 << card
        return fits

    def free(self, position: Position) -> int:
        """The cards in hand, as bits, that may be discarded although some were just taken."""
        return self.throws.free(position, mask_of(position.hands[position.turn.seat]))

    def _uses(self, position: Position, card: Card) -> Iterator[Action]:
        """The plays that use a card."""
        yield from self.lay_offs.of(position, card)
        hand = position.hands[position.turn.seat]
        mask = mask_of(hand)
        if self.naturals.whole and not mask & self.wild_bits:
            for natural in self.naturals.made_of(card, mask, hand):
                if self.judge.violation(position, natural.meld) is None:
                    yield natural.meld
        else:
            yield from melds(self.judge, position, must=card)
        if self.swaps and exchangeable(position) >> card & 1:
            yield from swaps(self.judge, position, card)

    def _making_room(self, position: Position, card: Card) -> Iterator[Action]:
        """The lay-offs of other cards on the melds that a card might go on after them."""
        bit = 1 << card
        hand = position.hands[position.turn.seat]
        mask = mask_of(hand)
        wilds = wild_count(position.book, each(hand)) if mask & self.wild_bits else 0
        for number, meld in enumerate(position.melds, start=1):
            shape = meld.shape
            if (
                shape is None
                or not (self.naturals.reach(shape, mask, wilds) | self.wild_bits) & bit
            ):
                continue
            for other in mask_cards(mask & (shape.accepts | self.wild_bits) & ~bit):
                yield from self.lay_offs.on(position, number, other)
