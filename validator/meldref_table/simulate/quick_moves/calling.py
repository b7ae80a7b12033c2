"""What the others at the table may call "Rummy!" on while the window for calls is open.

One thing is called at a time: a card, or the cards of one meld. What the rules may let a player
name besides in the same breath can be called afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from meldref.core.cards import JOKER, Card, Cards, bits_of, counted, mask_of
from meldref.core.events import Call
from meldref.engine.judge import Judge
from meldref.position.model import GOING_ON, OVER, PROVISIONAL, Position
from meldref.rules.calls import allowed, by_whom
from meldref_table.simulate.quick_moves.bounds import wild_count
from meldref_table.simulate.quick_moves.ends import Ends
from meldref_table.simulate.quick_moves.kept_rules import rules_asked

ON_CARD: Final = tuple(Call((card,)) for card in range(JOKER + 1))
MOST_SETS = 40
"""How many melds of cards of the pile are looked at, where a call names them all."""


class Callers:
    """Who may call on what; for one hand."""

    def __init__(self, judge: Judge, position: Position, ends: Ends) -> None:
        calls = judge.ruleset.calls
        self.judge = judge
        self.position = position
        self.open_after_draw = calls.of != "none" and calls.until != "next_draw"
        self._calls = calls.of != "none"
        self._any_card = calls.of == "pile"
        self._all_above = calls.takes != "called_cards"
        self._sets = calls.takes == "called_cards" and calls.of != "last_discard"
        self._new_melds = calls.of != "last_discard"
        self._asked = bool(rules_asked(judge, Call, wild=False))
        self._ends = ends
        self._naturals = ends.naturals
        self._wild_bits = ends.wild_bits
        self._own = by_whom(judge.binding)
        self._who_may_call = allowed(judge.binding)
        self._bare = 0
        """Cards, as bits, among which there is no meld of cards as themselves."""

    def worth_asking(self) -> Sequence[Call]:
        """The calls that somebody might be allowed to make now; nobody is where there is none."""
        position = self.position
        pile = position.pile
        if not self._calls or not pile or position.ending is OVER or position.turn.call is not None:
            return ()
        mask = bits_of(pile)
        if self._plainly_none(mask, self._ends.table.look(position).accepts):
            return ()
        return list(self._likely(mask))

    def _plainly_none(self, mask: int, accepts: int) -> bool:
        """Whether surely no card of the pile, given as bits, fits the table or makes a meld."""
        if mask & (accepts | self._wild_bits) or not self._naturals.whole:
            return False
        new = mask & ~self._bare
        while new:
            low = new & -new
            new -= low
            if self._naturals.may_meld(low.bit_length() - 1, mask, 0):
                return False
        self._bare = mask
        return True

    def _likely(self, all_of_it: int) -> Iterator[Call]:
        position = self.position
        pile = position.pile
        any_card = self._any_card and position.ending is not PROVISIONAL
        if not any_card and not position.fresh:
            return
        cards = pile if self._any_card else pile[-1:]
        mask = wilds = 0
        wild_bits = self._wild_bits
        all_wilds = wild_count(position.book, pile) if all_of_it & wild_bits else 0
        fits = self._ends.table.look(position).reached(all_of_it, all_wilds)
        may_meld = self._naturals.may_meld
        alone = self._new_melds and not self._sets
        for card in reversed(cards):
            bit = 1 << card
            wild = bit & wild_bits
            if wild:
                wilds += 1
            if mask & bit:
                continue
            mask |= bit
            fitting = fits & bit or (wild and (fits or card != JOKER))
            if fitting or (alone and (wild or may_meld(card, mask, wilds))):
                yield ON_CARD[card]
            if not any_card:
                break
        if self._sets:
            yield from self._of_sets(None if any_card else pile[-1], all_of_it, all_wilds)

    def _of_sets(self, must: Card | None, mask: int, wilds: int) -> Iterator[Call]:
        """Calls that name every card of a meld that lies in the pile."""
        position = self.position
        natural = must is not None and must not in position.book.wilds.cards
        if natural and must is not None and not self._naturals.may_meld(must, mask, wilds):
            return
        melds = position.book.melds_in(counted(position.pile), must, limit=MOST_SETS)
        by_cards: dict[Cards, Call] = {}
        for meld in melds:
            call = Call(tuple(played.card for played in meld))
            by_cards.setdefault(counted(call.cards), call)
        yield from by_cards.values()

    def allowed(self, seat: int, calls: Sequence[Call]) -> list[Call]:
        """Those calls that a player may make and see through."""
        judge, position = self.judge, self.position
        if not calls or self._own(position, seat) is not None:
            return []
        turn, begins, memory = position.turn, position.begins, position.memory
        latest = None if memory is None else memory.latest
        judge.play.begin_call(position, seat)
        may: list[Call] = []
        if self._who_may_call(position, calls[0]) is None:
            may = [
                call
                for call in calls
                if self._fits(call) or judge.violation(position, call) is None
            ]
        position.turn, position.begins = turn, begins
        if memory is not None:
            memory.latest = latest
        return [call for call in may if self._can_see_through(seat, call)]

    def _fits(self, call: Call) -> bool:
        """Whether it is plain that a player who may call at all may call this.

        A card that extends a meld as it is, or together with others that are taken, or makes a meld
        with them.
        """
        position = self.position
        if (
            self._asked
            or not self._any_card
            or position.ending is not GOING_ON
            or len(call.cards) > 1
        ):
            return False
        card = call.cards[0]
        bit = 1 << card
        table = self._ends.table.look(position)
        if bit & self._wild_bits:
            return False
        if bit & table.accepts:
            return True
        some = self._taken(card)
        mask = bits_of(some) & ~self._wild_bits
        return self._naturals.melding(card, mask, counted(some)) is not None or (
            self._ends.one_pack and table.reaching(bit, mask) != 0
        )

    def _taken(self, card: Card) -> list[Card]:
        """What a call on a card takes."""
        pile = self.position.pile
        return pile[len(pile) - 1 - pile[::-1].index(card) :] if self._all_above else [card]

    def _can_see_through(self, seat: int, call: Call) -> bool:
        """Whether a player who may make a call can lay what it asks for, and end it."""
        judge, position = self.judge, self.position
        if self._plainly(seat, call):
            return True
        trial = position.copy()
        judge.play.begin_call(trial, seat)
        judge.play.actions[Call](trial, call)
        return self._ends.can_end(trial) is not False

    def _plainly(self, seat: int, call: Call) -> bool:
        """Whether it is plain that a call the rules allow can be seen through: True is certain."""
        position = self.position
        if len(call.cards) > 1 or position.ending is not GOING_ON:
            return False
        card = call.cards[0]
        some = self._taken(card)
        self._ends.table.look(position)
        hand = position.hands[seat]
        held = position.held[seat] + len(some)
        return self._ends.surely_uses(card, counted(some), bits_of(some), mask_of(hand), held)
