"""What the others at the table may call "Rummy!" on while the window for calls is open.

One thing is called at a time: a card, or the cards of one meld. What the rules may let a player name besides in
the same breath can be called afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from meldref.cards import JOKER, Card, Cards, bits_of, counted, mask_of
from meldref.events import Call
from meldref.judge import Judge
from meldref.position.model import GOING_ON, OVER, PROVISIONAL, Position
from meldref.simulate.ending import Ends
from meldref.simulate.reach import wild_count

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
        self._ends = ends
        self._naturals = ends.naturals

    def worth_asking(self) -> list[Call]:
        """The calls that somebody might be allowed to make now; nobody is where there is none."""
        position = self.position
        if not self._calls or not position.pile or position.ending is OVER or position.turn.call is not None:
            return []
        return list(self._likely())

    def _likely(self) -> Iterator[Call]:
        position = self.position
        pile = position.pile
        any_card = self._any_card and position.ending is not PROVISIONAL
        if not any_card and not position.fresh:
            return
        cards = pile if self._any_card else pile[-1:]
        mask = wilds = 0
        all_of_it = bits_of(pile)
        wild_bits = self._ends.wild_bits
        all_wilds = wild_count(position.book, pile) if all_of_it & wild_bits else 0
        fits = self._ends.table.look(position.melds).reached(all_of_it, all_wilds)
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
        found = position.book.melds_in(counted(position.pile), must, limit=MOST_SETS)
        by_cards: dict[Cards, Call] = {}
        for meld in found:
            call = Call(tuple(played.card for played in meld))
            by_cards.setdefault(counted(call.cards), call)
        yield from by_cards.values()

    def allowed(self, seat: int, calls: list[Call]) -> list[Call]:
        """Those calls that a player may make and see through."""
        judge, position = self.judge, self.position
        turn, begins = position.turn, position.begins
        judge.play.begin_call(position, seat)
        may = [call for call in calls if judge.violation(position, call) is None]
        position.turn, position.begins = turn, begins
        return [call for call in may if self._can_see_through(seat, call)]

    def _can_see_through(self, seat: int, call: Call) -> bool:
        """Whether a player who may make a call can lay what it asks for, and end it."""
        judge, position = self.judge, self.position
        if self._plainly(seat, call):
            return True
        trial = position.copy()
        judge.play.begin_call(trial, seat)
        judge.play.actions[Call](trial, call)
        return self._ends.can_end(trial)

    def _plainly(self, seat: int, call: Call) -> bool:
        """Whether it is plain that a call the rules allow can be seen through: True is certain."""
        position = self.position
        if len(call.cards) > 1 or position.ending is not GOING_ON:
            return False
        card, pile = call.cards[0], position.pile
        some = pile[len(pile) - 1 - pile[::-1].index(card) :] if self._all_above else [card]
        self._ends.table.look(position.melds)
        hand = position.hands[seat]
        held = position.held[seat] + len(some)
        return self._ends.surely_uses(card, counted(some), bits_of(some), mask_of(hand), held)


def takes_part(position: Position) -> Iterator[int]:
    """Who is asked whether to call: everybody in this hand, from the discarder's left."""
    discarder = position.discarder
    first = position.turn.seat if discarder is None else position.after[discarder]
    seat = first
    for _ in position.order:
        yield seat
        seat = position.after[seat]
