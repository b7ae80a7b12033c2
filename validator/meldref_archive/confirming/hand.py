"""A hand that is followed as long as all is as it should be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from meldref_archive.confirming.actions import (
    BITS,
    CALL,
    DISCARD,
    DRAW,
    JOKERS,
    LAY,
    MELD,
    PASS,
    TAKE,
    Action,
    Place,
    Shape,
    Unclear,
)
from meldref_archive.confirming.settings import Settings

NOBODY: Final = -1
_BEGIN: Final = (DRAW, TAKE, PASS)
"""What a turn begins with."""
_GO_ON: Final = (MELD, LAY, DISCARD)
"""What may come after that."""


class Hand:
    """A hand under way.

    `hands` and `points` (on the table) go by seat, `pile` and `stock` have the top last, `unnamed`
    are the cards of the deck that the deal has not named yet. `seat` is whose turn is due or open,
    `number` that of the turn that is due. Who `threw` the last card may not call it, and once
    somebody draws, `NOBODY` did. `owed` is a card that has to be used at once, and `ready` a meld
    that was made ready for it; `kept` is one that may not be discarded, `called` are cards that
    have to be laid before others than those that `came` with them.
    """

    def __init__(self, settings: Settings, dealer: int) -> None:
        players = settings.players
        self.settings = settings
        self.unnamed = settings.deck
        self.hands = [0] * players
        self.points = [0] * players
        self.calls = [0] * players
        self.pile: list[int] = []
        self.stock: list[int] = []
        self.melds: list[Shape] = []
        self.seat = (dealer + 1) % players
        self.number = 1
        self.threw = self.out = self.ready = NOBODY
        self.is_open = False
        self.is_over = False
        self.owed = self.kept = self.called = self.came = 0

    def deal(self, seat: int, words: Sequence[str]) -> None:
        """A player's cards."""
        if len(words) != self.settings.dealt or self.hands[seat] or self.pile:
            raise Unclear
        self.hands[seat] = sum(self._named(words))

    def turn_up(self, words: Sequence[str]) -> None:
        """The card that begins the pile."""
        if self.pile or len(words) != 1 or 0 in self.hands:
            raise Unclear
        self.pile = self._named(words)

    def name_stock(self, words: Sequence[str]) -> None:
        """The rest of the deck, its top first."""
        if not self.pile or self.stock:
            raise Unclear
        self.stock = self._named(words)[::-1]
        if self.unnamed:
            raise Unclear

    def _named(self, words: Sequence[str]) -> list[int]:
        """Cards of the deck, none of which was named before."""
        cards: list[int] = []
        unnamed = self.unnamed
        for word in words:
            card = BITS[word] & unnamed
            card &= -card
            if not card:
                raise Unclear
            unnamed ^= card
            cards.append(card)
        self.unnamed = unnamed
        return cards

    def play(self, number: int, seat: int, actions: Sequence[Action]) -> None:
        """A line of a player's actions; `number` is 0 where none is written."""
        kind = actions[0][0]
        if self.is_over or self.unnamed:
            raise Unclear
        if kind == CALL:
            if number or self.threw in {seat, NOBODY}:
                raise Unclear
            self.seat, self.is_open = seat, True
            self.calls[seat] += 1
        elif number:
            is_due = number == self.number and seat == self.seat and not self.is_open
            if not is_due or kind not in _BEGIN:
                raise Unclear
            if not self.stock and not self.settings.ends_with_stock:
                raise Unclear
            self.number += 1
            self.is_open = True
        elif not self.is_open or seat != self.seat or kind not in _GO_ON:
            raise Unclear
        for at, action in enumerate(actions):
            kind = action[0]
            if not self.is_open or (at and kind not in _GO_ON):
                raise Unclear
            _PLAYS[kind](self, seat, action)

    def draw(self, seat: int, action: Action) -> None:
        """Draws the top card of the stock."""
        card = self.stock.pop()
        if not card & action[1]:
            raise Unclear
        self.hands[seat] |= card
        self.kept, self.threw = 0, NOBODY

    def take(self, seat: int, action: Action) -> None:
        """Takes the top card of the pile, which is kept, or down to one that has to be used at once."""
        _, card, number = action
        at = len(self.pile) - number if number else self._topmost(card)
        if at < 0 or not self.pile[at] & card:
            raise Unclear
        is_deep = at < len(self.pile) - 1
        if is_deep and not self.settings.takes_deep:
            raise Unclear
        self._pick_up(seat, at)
        self.kept = 0 if is_deep else card
        is_owed = self.settings.owes_deep if is_deep else self.settings.owes_top
        self.owed = card if is_owed else 0

    def call(self, seat: int, action: Action) -> None:
        """Takes the pile down to the deepest of the cards that are called."""
        if not self.settings.calls:
            raise Unclear
        places = [self._topmost(card) for card in action[1]]
        self.called = sum({self.pile[at] for at in places})
        if self.called.bit_count() != len(places):
            raise Unclear
        self.came = self._pick_up(seat, min(places))
        self.kept = 0

    def _topmost(self, card: int) -> int:
        """Where the topmost such card of the pile lies."""
        at = len(self.pile) - 1
        while at >= 0 and not self.pile[at] & card:
            at -= 1
        if at < 0:
            raise Unclear
        return at

    def _pick_up(self, seat: int, at: int) -> int:
        """Takes the pile into a hand, from a place up."""
        cards = sum(self.pile[at:])
        del self.pile[at:]
        self.hands[seat] |= cards
        self.threw = NOBODY
        return cards

    def meld(self, seat: int, action: Action) -> None:
        """Lays a new meld."""
        _, naturals, jokers, places, shape, written = action
        if written not in {0, len(self.melds) + 1}:
            raise Unclear
        if self.called:
            self._lay_called(naturals, jokers, places)
        if self.owed:
            self._use(naturals, jokers, len(self.melds))
        self.melds.append(shape)
        self._lay_down(seat, naturals, jokers, self.settings.worth_of_meld(places, shape))

    def lay_off(self, seat: int, action: Action) -> None:
        """Lays cards off, together."""
        _, naturals, jokers, places, target = action
        if not self.settings.lays_off or (self.owed and not self.settings.uses_by_laying_off):
            raise Unclear
        if self.called:
            self._lay_called(naturals, jokers, ())
        if self.owed:
            self._use(naturals, jokers, target)
        self.melds[target], worth = self.settings.laid_off(self.melds[target], places)
        self._lay_down(seat, naturals, jokers, worth)

    def _lay_down(self, seat: int, naturals: int, jokers: int, worth: int) -> None:
        """Takes cards that are laid from a hand."""
        hand = self.hands[seat]
        if hand & naturals != naturals:
            raise Unclear
        hand ^= naturals
        for _ in range(jokers):
            joker = hand & JOKERS
            if not joker:
                raise Unclear
            hand ^= joker & -joker
        self.hands[seat] = hand
        self.points[seat] += worth
        if not hand:
            if not self.settings.may_meld_all:
                raise Unclear
            self._go_out(seat)

    def _lay_called(self, naturals: int, jokers: int, meld: Sequence[Place]) -> None:
        """Until all called cards lie, none from the hand is laid but in a meld that needs none of those."""
        came = self.came
        if came & naturals != naturals or jokers > (came & JOKERS).bit_count():
            alone = _alone(meld, came & ~JOKERS)
            if alone.bit_count() < 3 or self.called & ~alone:
                raise Unclear
        self.called &= ~naturals
        if jokers:
            self.called &= ~JOKERS

    def _use(self, naturals: int, jokers: int, target: int) -> None:
        """Uses the card that is owed, or makes a meld ready that it did not fit before."""
        if self.ready not in {NOBODY, target}:
            raise Unclear
        is_joker = self.owed == JOKERS
        if jokers if is_joker else self.owed & naturals:
            self.owed, self.ready = 0, NOBODY
            return
        is_new = target == len(self.melds)
        if is_joker or (not is_new and self.settings.fits(self.melds[target], self.owed)):
            raise Unclear
        self.ready = target

    def discard(self, seat: int, action: Action) -> None:
        """Ends the turn with a card."""
        card = self.hands[seat] & action[1]
        card &= -card
        if not card or self.owed or self.called or action[1] == self.kept:
            raise Unclear
        self.hands[seat] ^= card
        self.pile.append(card)
        self.threw = seat
        self.is_open = False
        self.seat = (seat + 1) % self.settings.players
        if not self.hands[seat]:
            self._go_out(seat)

    def _go_out(self, seat: int) -> None:
        if self.owed or self.called:
            raise Unclear
        self.out, self.is_over, self.is_open = seat, True, False

    def decline(self, _seat: int, _action: Action) -> None:
        """Declines the pile, with an empty stock, which ends the hand."""
        if self.stock or not self.pile or not self.settings.ends_with_stock:
            raise Unclear
        self.is_over, self.is_open = True, False


_PLAYS: Final[Mapping[int, Callable[[Hand, int, Action], None]]] = {
    DRAW: Hand.draw,
    TAKE: Hand.take,
    MELD: Hand.meld,
    LAY: Hand.lay_off,
    DISCARD: Hand.discard,
    CALL: Hand.call,
    PASS: Hand.decline,
}


def _alone(meld: Sequence[Place], cards: int) -> int:
    """Those of some natural cards that are a meld without the others; fewer than three are none."""
    found = 0
    is_group = len({suit for _, _, suit in meld}) > 1
    for bit, _, _ in meld:
        if bit & cards:
            found |= bit
        elif not is_group:
            if found.bit_count() >= 3:
                break
            found = 0
    return found
