"""One way in which a hand may have been dealt and drawn: every card that nobody saw becomes one.

The hand is gone through action by action with a token for each card. A token becomes a card when a
line shows it; which of a hand's tokens that is, and what those are that no line shows, is drawn by
lot, so that asking again gives another way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import product
from random import Random
from typing import Final, TypeAlias

from meldref.core import events
from meldref.core.cards import ONE, UNKNOWN, Card, Cards, capped, count, each
from meldref.core.effort import EFFORT, STATE
from meldref.core.events import Line, Turn, cards_of
from meldref.core.records import changed, fresh, record
from meldref.position.model import Position, watched
from meldref.position.moved import HAND, MELD, PILE, SHOWN, STOCK, Moved
from meldref.rules.draw import may_be_elsewhere
from meldref_evidence.weighing.course import Course
from meldref_evidence.weighing.deals import Unseen, deal, sums_of
from meldref_evidence.weighing.hand import Hand, Stake

Step: TypeAlias = tuple[int, int]
"""A line's number, and which of its actions."""
TWIN: Final = 0.9
"""How often a card that was just taken and is thrown is another of its kind, if it may be."""
_DEALING: Final = (events.Deal, events.UpCard, events.StockOrder, events.WildRank)


class NoWay(Exception):
    """The lot fell so that the hand could not go on as written, or it cannot be completed."""


@record(frozen=False)
class Token:
    """A card, as far as lines or the lot have said which; `stock` numbers the stock it was in."""

    stock: int
    card: Card = UNKNOWN


@record(frozen=False)
class Completed:
    """Every card of a hand: dealt by seat, turned up, in each stock from the top, and by action.

    `lying` are all cards of the hand or pile that an assertion or a `show` names, by line; `bought`
    says that cards of the stock came to somebody without being named.
    """

    dealt: dict[int, list[Token]] = fresh(default_factory=dict)
    up: list[Token] = fresh(default_factory=list)
    stocks: list[list[Token]] = fresh(default_factory=list)
    played: dict[Step, Token] = fresh(default_factory=dict)
    lying: dict[int, list[Token]] = fresh(default_factory=dict)
    bought: bool = False


def complete(
    hand: Hand,
    stakes: Sequence[Stake],
    begin: Course,
    lines: Sequence[Line],
    rng: Random,
    twins: float = TWIN,
) -> Completed:
    """A way in which a hand may have gone that makes the figures at stake right.

    `twins` is how often a card that was just taken and is thrown is another one of its kind; where
    none is, cards that are shown were drawn as late as possible. Raises `NoWay` where the lot falls
    so that there is none.
    """
    walk = _Walk(begin, rng, twins)
    needed = _named_after(lines)
    for line in lines:
        walk.line(line, needed[line.number])
    walk.finish(hand, stakes)
    return walk.all


class _Walk:
    """A hand under way, with its tokens beside the position that the lines make."""

    def __init__(self, begin: Course, rng: Random, twins: float) -> None:
        self.all = Completed()
        self._playing, self._rng, self._twins = begin.fork(), rng, twins
        self._hands: dict[int, list[Token]] = {}
        self._pile: list[Token] = []
        self._table: list[Token] = []
        self._stock: list[Token] = []
        self._pools: list[Cards] = []
        self._needed = 0

    @property
    def _position(self) -> Position:
        hand = self._playing.hand
        assert hand is not None
        return hand.play()

    def line(self, line: Line, needed: int) -> None:
        """A line of the hand; `needed` are the cards that later lines name, as bits, from 1 on."""
        event, self._needed = line.event, needed
        EFFORT.spent += STATE
        if EFFORT.over:
            raise NoWay
        if not self._pools and type(event) not in _DEALING:
            self._deal()
        if isinstance(event, Turn):
            for step, action in enumerate(event.actions):
                number = event.number if step == 0 else None
                single = Turn(number, event.player, (action,), event.name_column)
                self._act(line._replace(event=single), action, (line.number, step))
            return
        self._playing.play(line)
        if not self._pools:
            return
        if isinstance(event, events.Gap | events.Missing):
            raise NoWay
        if isinstance(event, events.Reshuffle):
            self._reshuffle()
        elif isinstance(event, events.UpCard):
            self._name(self._pile[-1], event.card)
        elif isinstance(event, events.StockOrder):
            for token, card in zip(self._stock, event.cards, strict=False):
                self._name(token, card)
        else:
            self._learn()
            if isinstance(event, (events.AssertHand, events.Show)):
                seat = self._position.players.index(event.player)
                self.all.lying[line.number] = [*self._hands[seat]]
            elif isinstance(event, events.AssertPile):
                self._name_pile(event.cards)
                self.all.lying[line.number] = [*self._pile]

    def _name_pile(self, cards: Sequence[Card]) -> None:
        for token, card in zip(self._pile, cards, strict=True):
            self._name(token, card)

    def _deal(self) -> None:
        hand = self._playing.hand
        assert hand is not None
        position = hand.as_dealt()
        self._pools = [sum([n * ONE[card] for card, n in enumerate(position.copies)])]
        for seat, held in enumerate(position.hands):
            cards = [*each(held), *[UNKNOWN] * position.unknown[seat]]
            self._hands[seat] = [self._token(card) for card in cards]
            self.all.dealt[seat] = [*self._hands[seat]]
        self._pile = [self._token(card) for card in position.pile]
        self.all.up = [*self._pile]
        listed = position.stock[::-1]
        unlisted = position.stock_size - len(listed)
        self._stock = [self._token(card) for card in [*listed, *[UNKNOWN] * unlisted]]
        self.all.stocks = [[*self._stock]]

    def _token(self, card: Card) -> Token:
        token = Token(len(self._pools) - 1)
        self._name(token, card)
        return token

    def _name(self, token: Token, card: Card) -> None:
        """A token turns out to be a card."""
        if card in {UNKNOWN, token.card}:
            return
        if token.card != UNKNOWN or not count(self._pools[token.stock], card):
            raise NoWay
        self._pools[token.stock] -= ONE[card]
        token.card = card

    def _pick(self, tokens: list[Token], card: Card) -> Token:
        """Takes a card out of a hand, one that is known to be it or one that may be."""
        fitting = [token for token in tokens if token.card == card != UNKNOWN]
        if not fitting:
            fitting = [token for token in tokens if self._may_be(token, card)]
            if self._twins:
                self._rng.shuffle(fitting)
            else:
                fitting.reverse()
        if not fitting:
            raise NoWay
        self._name(fitting[0], card)
        self._remove(tokens, fitting[0])
        return fitting[0]

    @staticmethod
    def _remove(tokens: list[Token], gone: Token) -> None:
        """Takes a token out of a row: this one, not one that is alike."""
        tokens[:] = [token for token in tokens if token is not gone]

    def _thrown(self, hand: list[Token], card: Card, before: Position) -> Token:
        """Takes a card out of a hand that throws it: of two, one may have been there all along."""
        if card == UNKNOWN:
            return self._face_down(hand, before)
        if card != UNKNOWN and card in before.turn.taken and self._rng.random() < self._twins:
            twins = [token for token in hand if self._may_be(token, card)]
            if twins:
                self._name(twins[0], card)
        return self._pick(hand, card)

    def _face_down(self, hand: list[Token], before: Position) -> Token:
        """Takes any card out of a hand, by lot one that no later line needs.

        Where no twins are wanted, it is one that was just taken: that may have been wrong.
        """
        if not hand:
            raise NoWay
        taken = [token for token in hand if token.card in {*before.turn.taken} - {UNKNOWN}]
        free = [token for token in hand if not self._needed >> token.card + 1 & 1]
        thrown = self._rng.choice((not self._twins and taken) or free or hand)
        self._remove(hand, thrown)
        return thrown

    def _by_place(self, take: events.Take, before: Position) -> events.Take:
        """The taking of a card with the number of cards, where nobody knows which is meant."""
        if not may_be_elsewhere(before, take):
            return take
        places: list[int] = []
        for place, token in enumerate(reversed(self._pile), 1):
            if token.card == take.card or self._may_be(token, take.card):
                places.append(place)
            if token.card == take.card:
                break
        if not places:
            raise NoWay
        return changed(take, count=self._rng.choice(places))

    def _may_be(self, token: Token, card: Card) -> bool:
        """Whether a token that nothing has named yet may be a card; `UNKNOWN`: any."""
        if token.card != UNKNOWN:
            return False
        return card == UNKNOWN or count(self._pools[token.stock], card) > 0

    def _act(self, line: Line, action: events.Action, step: Step) -> None:
        """An action, and what moves with it."""
        position = self._position
        before = position.copy()
        assert isinstance(line.event, Turn)
        if isinstance(action, events.Take):
            action = self._by_place(action, before)
            line = line._replace(event=line.event._replace(actions=(action,)))
        with watched(position) as moves:
            self._playing.play(line)
        for moved in moves:
            if moved.target is SHOWN:  # it is named where it leaves the hand
                continue
            token = self._leave(moved, before)
            self._name(token, moved.card)
            self._row(moved).append(token)
            self.all.played[step] = token
            if moved.origin is STOCK and not isinstance(action, events.Draw):
                self.all.bought = True
        if isinstance(action, (events.Draw, events.Discard)) and step not in self.all.played:
            raise NoWay
        numbers = [len(self._pile), *map(len, self._hands.values())]
        if numbers != [len(position.pile), *position.held]:
            raise NoWay

    def _leave(self, moved: Moved, before: Position) -> Token:
        """Takes a card from where it lay: the one that moved, or one that may have been it."""
        if moved.origin is STOCK and self._stock:
            return self._stock.pop(0)
        if moved.origin is PILE and 0 <= moved.place < len(self._pile):
            return self._pile.pop(moved.place)
        if moved.origin is MELD:
            return self._pick(self._table, moved.card)
        if moved.origin is HAND and moved.target is PILE:
            return self._thrown(self._hands[moved.seat], moved.card, before)
        if moved.origin is HAND:
            return self._pick(self._hands[moved.seat], moved.card)
        raise NoWay

    def _row(self, moved: Moved) -> list[Token]:
        """The cards that a card comes to lie with."""
        if moved.target is HAND:
            return self._hands[moved.seat]
        if moved.target is PILE:
            return self._pile
        if moved.target is MELD:
            return self._table
        raise NoWay

    def _reshuffle(self) -> None:
        """The pile becomes the stock; what of it nobody saw is drawn by lot if it is shuffled."""
        position = self._position
        hand = self._playing.hand
        assert hand is not None
        if hand.judge.ruleset.stock.reshuffle == "turn_over":
            number = len(self._pile) - len(position.pile)
            self._stock, self._pile = self._pile[:number], self._pile[number:]
            self.all.stocks.append([*self._stock])
            return
        top = self._pile[-1:] if position.pile and position.pile[-1] != UNKNOWN else []
        moved = self._pile[: len(self._pile) - len(top)]
        for token in moved:
            self._by_lot(token)
        pool = sum([ONE[token.card] for token in moved])
        self._pools.append(pool)
        fresh_tokens = [Token(len(self._pools) - 1) for _ in moved]
        if top:
            self._pile = top
        else:
            self._pile = [fresh_tokens.pop()]
        self._stock = fresh_tokens
        self.all.stocks.append([*fresh_tokens])

    def _by_lot(self, token: Token) -> None:
        if token.card == UNKNOWN:
            cards = list(each(self._pools[token.stock]))
            if not cards:
                raise NoWay
            self._name(token, self._rng.choice(cards))

    def _learn(self) -> None:
        """What a line shows of hands and of the pile."""
        position = self._position
        for seat, held in enumerate(position.hands):
            hand = self._hands[seat]
            have = capped([token.card for token in hand if token.card != UNKNOWN])
            for card in set(each(held)):
                for _ in range(count(held, card) - count(have, card)):
                    hand.append(self._pick(hand, card))

    def finish(self, hand: Hand, stakes: Sequence[Stake]) -> None:
        """What no line shows is drawn by lot, within the scores on record."""
        if not self._pools:
            raise NoWay
        rows: list[list[Token]] = []
        split: list[list[Unseen]] = []
        for stake in stakes:
            row: list[Token] = []
            for seat in stake.seats:
                row += self._hands[seat]
            rows.append(row)
            split.append(self._split(hand, stake, row))
        for stock, pool in enumerate(self._pools):
            dealt = deal(pool, hand.worth, [hands[stock] for hands in split], self._rng)
            if not dealt.possible:
                raise NoWay
            for row, cards in zip(rows, dealt.hands, strict=True):
                named = iter([*each(cards)])
                for token in row:
                    if token.card == UNKNOWN and token.stock == stock:
                        self._name(token, next(named))
        for token in self._everywhere():
            self._by_lot(token)

    def _split(self, hand: Hand, stake: Stake, row: Sequence[Token]) -> list[Unseen]:
        """One way what the unseen cards of some hands are worth may come from several stocks."""
        points = sum([hand.worth[token.card] for token in row if token.card != UNKNOWN])
        left = {total - points for total in stake.sums}
        sizes = [0] * len(self._pools)
        for token in row:
            sizes[token.stock] += token.card == UNKNOWN
        reach = [
            sums_of(pool, hand.worth, Unseen(number))
            for pool, number in zip(self._pools, sizes, strict=True)
        ]
        split: list[Unseen] = []
        for stock in reversed(range(len(sizes))):
            before = {0}
            for other in reach[:stock]:
                before = _added(before, other)
            ways = [way for way in sorted(reach[stock]) if _leaves(way, left, before)]
            if not ways:
                raise NoWay
            sums = self._rng.choice(ways)
            left = {need - sums for need in left}
            split.append(Unseen(sizes[stock], frozenset({sums})))
        return split[::-1]

    def _everywhere(self) -> Iterator[Token]:
        """The tokens that lines or the lot have not made cards yet, in any order."""
        rest = [*self._pile, *self._stock]
        for row in (*self._hands.values(), self._table, *self.all.stocks):
            rest += row
        self._rng.shuffle(rest)
        yield from rest


def _added(some: Iterable[int], others: Iterable[int]) -> set[int]:
    """What a number and another one can be together."""
    return {sum(pair) for pair in product(some, others)}


def _leaves(points: int, sums: Iterable[int], others: AbstractSet[int]) -> bool:
    """Whether some points leave of one of several sums what others can be."""
    return any(total - points in others for total in sums)


def _named_after(lines: Sequence[Line]) -> dict[int, int]:
    """The cards that are named behind each line, as bits from 1 on."""
    named: dict[int, int] = {}
    cards = 0
    for line in reversed(lines):
        named[line.number] = cards
        for card in cards_of(line.event):
            cards |= 1 << card + 1
    return named
