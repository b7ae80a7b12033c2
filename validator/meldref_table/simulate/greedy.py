"""A player who lays whatever brings points, and discards what helps the others least."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from meldref.core.cards import (
    EMPTY,
    FULL,
    GUARD,
    JOKER,
    ONE,
    WIDTH,
    Card,
    Cards,
    bits_of,
    count,
    counted,
    each,
    rank_of,
    suit_of,
)
from meldref.core.events import Buy, Call, Discard, Draw, LayOff, Meld, Pass, Swap, Take, WildRank
from meldref.engine.judge import Judge
from meldref.melds import Laid, Reading
from meldref.position.model import Position
from meldref.rules.meld import own_meld
from meldref_table.simulate.collecting import Collecting, Plan
from meldref_table.simulate.players import Chosen, Decision
from meldref_table.simulate.quick_moves.bounds import naturals
from meldref_table.simulate.quick_moves.hands import HandMelds

HOLDING = 0.4
"""The share of a card's points in hand that a player expects to lose by holding it now."""
DRAWING = 3.0
"""The estimated worth of a draw from the stock: a pile worth no more is left."""
NEAR = 4.0
"""The estimated worth of keeping two cards that need one more for a meld."""
LACKING = 15.0
"""The estimated worth of a card that a contract lacks,"""
KEPT = 60.0
"""and of keeping one of use to a contract, or of a meld of a hand that is laid as a whole."""


class GreedyPlayer:
    """Melds what scores most, one play at a time.

    Takes the pile when that pays; calls whenever it can.
    """

    def __init__(self, judge: Judge, seat: int) -> None:
        self._seat = seat
        self._position: Position | None = None
        self._play_by(judge)

    def _play_by(self, judge: Judge) -> None:
        """Things are worth what a hand's rules say."""
        self._judge = judge
        self._worth = judge.play.worth
        scoring = judge.ruleset.scoring
        self._values, self._held = scoring.values, scoring.held
        self._counts_held = scoring.hands != "ignore"
        self._melder_scores = judge.ruleset.layoff.counts_for == "melder"
        self._takes = judge.ruleset.draw.takes
        self._down_to = judge.ruleset.calls.takes == "down_to_card"
        self._gains: dict[Meld, int] = {}

    def choose(self, due: Decision, /) -> Chosen:
        """What scores most."""
        if due.choices is None:  # the rank that counts most: wild cards are laid sooner than others
            ranks = [named for named in due.options if isinstance(named, WildRank)]
            return max(ranks, key=lambda named: (self._values[named.rank], -named.rank))
        position = due.choices.position
        self._look(due.choices.judge, position)
        if due.kind == "play":
            must_empty = due.choices.ends.must_empty(position, laying=True)
            return self._play(position, due.options, whole=must_empty)
        if due.kind == "draw":
            return self._draw(position, due.options)
        if due.kind == "call":
            return self._call(position, due.options)
        return due.options[0] if self._buys(position, due.options[0]) else None

    def _draw(self, position: Position, draws: Sequence[Chosen]) -> Chosen:
        """The pile where it pays, else the stock."""
        takes = [draw for draw in draws if isinstance(draw, Take)]
        others = [draw for draw in draws if not isinstance(draw, Take)]
        if not takes:
            return others[0]
        gains = self._gains_of(position, [self._taken(position, take) for take in takes])
        most = max(gains)
        best = takes[gains.index(most)]
        if not others:
            return best
        least = DRAWING if type(others[0]) is Draw else 0.0
        return best if most > least or (type(others[0]) is Pass and most > 0) else others[0]

    def _play(self, position: Position, plays: Sequence[Chosen], *, whole: bool) -> Chosen:
        """The play that scores most; where none scores, the discard that helps least.

        `whole`: melds are laid only where they empty the hand.
        """
        gains = [self._gain(position, play) for play in plays]
        if (most := max(gains)) > 0:
            return plays[gains.index(most)]
        throws = [play for play in plays if isinstance(play, Discard)]
        if not throws:
            return plays[-1]
        if None in plays:
            return None
        kept = self._kept(position, whole=whole)
        return max(throws, key=lambda throw: (self._ease(position, throw.card, kept), -throw.card))

    def _call(self, position: Position, calls: Sequence[Chosen]) -> Chosen:
        """The call that brings most, if it brings anything."""
        gains = self._gains_of(position, [self._called(position, call) for call in calls])
        most = max(gains)
        return calls[gains.index(most)] if most > 0 else None

    def _buys(self, position: Position, buy: Chosen) -> bool:
        """Whether a card brings more than the draws that come with it are worth."""
        assert isinstance(buy, Buy)
        extra = self._judge.ruleset.buys.extra
        return self._gains_of(position, [(buy.card,)])[0] > DRAWING * (2 + 2 * extra)

    def _look(self, judge: Judge, position: Position) -> None:
        """A new hand has rules and melds of its own."""
        if position is not self._position:
            self._position = position
            self._play_by(judge)
            self._naturals = naturals(self._judge)
            self._collecting = Collecting(self._judge.ruleset, position.book)
            self._plans: dict[Cards, Plan] = {}
            self._own = HandMelds(position.book, self._naturals)
            self._more = HandMelds(position.book, self._naturals)
            self._wild = bits_of(position.book.wilds.cards)

    def _gain(self, position: Position, play: Chosen) -> float:
        """Points that a play brings, with what its cards would count against their holder."""
        if type(play) is Meld:
            return self._meld_gain(position, play)
        if type(play) is LayOff:
            cards = [played.card for played in play.cards]
            points = sum(self._worth.laid(Laid(card, card)) for card in cards)
            others = (
                self._melder_scores and position.melds[(play.target or 1) - 1].seat != self._seat
            )
            return self._rid_of(cards) + (-points if others else points)
        if type(play) is Swap:
            return 2.0 * self._values[play.card] + 1
        return 0.0

    def _meld_gain(self, position: Position, meld: Meld) -> int:
        gain = self._gains.get(meld)
        if gain is None:
            reading = position.book.read(meld.cards)
            gain = self._worth.new_meld(reading.laid) if isinstance(reading, Reading) else 0
            gain += self._rid_of(played.card for played in meld.cards)
            self._gains[meld] = gain
        return gain

    def _rid_of(self, cards: Iterable[Card]) -> int:
        return sum(self._held[card] for card in cards) if self._counts_held else 0

    def _taken(self, position: Position, take: Take) -> Sequence[Card]:
        pile = position.pile
        if self._takes == "whole_pile":
            return pile
        if take.count is not None:
            return pile[-take.count :]
        index = len(pile) - 1 - pile[::-1].index(take.card)
        return pile[index:] if self._takes == "all_above" else (take.card,)

    def _called(self, position: Position, call: Chosen) -> Sequence[Card]:
        assert isinstance(call, Call)
        if not self._down_to:
            return call.cards
        pile = position.pile
        return pile[min(len(pile) - 1 - pile[::-1].index(card) for card in call.cards) :]

    def _gains_of(self, position: Position, several: Iterable[Sequence[Card]]) -> list[float]:
        """What it brings to have some cards, too, or others."""
        hand = position.hands[self._seat]
        before = self._potential(position, hand)
        return [self._potential(position, hand + counted(cards)) - before for cards in several]

    def _potential(self, position: Position, cards: Cards) -> float:
        """The points these cards could lay down, less a part of what is left in hand."""
        if self._collects(position):
            plan = self._plan(cards)
            left = self._rid_of(each(cards - plan.kept))
            return -LACKING * plan.lacking - HOLDING * left
        points, cards = self._packed(position, cards)
        fits = 0
        for table in position.melds:
            if table.shape is not None:
                fits |= table.shape.accepts
        for card in each(cards):
            if fits >> card & 1:
                points += self._values[card] + self._rid_of((card,))
                cards -= ONE[card]
        return points - HOLDING * self._rid_of(each(cards))

    def _packed(self, position: Position, cards: Cards) -> tuple[float, Cards]:
        """The points of melds that some cards make beside each other, and the cards left."""
        hand = (self._own if cards == position.hands[self._seat] else self._more).look(cards)
        melds = sorted(hand.melds(), key=lambda meld: -self._meld_gain(position, meld))
        points = 0.0
        for meld in melds:
            if ((cards | GUARD) - meld.counted) & GUARD == GUARD:
                points += self._meld_gain(position, meld)
                cards -= meld.counted
        return points, cards

    def _collects(self, position: Position) -> bool:
        """Whether the player has still to lay a contract."""
        return self._collecting.works and not own_meld(position, self._seat)

    def _plan(self, hand: Cards) -> Plan:
        """How the player may come to the contract."""
        plan = self._plans.get(hand)
        if plan is None:
            plan = self._plans[hand] = self._collecting.plan(hand)
        return plan

    def _kept(self, position: Position, *, whole: bool) -> Cards:
        """The cards of use to a contract, or of melds of a hand that is laid as a whole."""
        hand = position.hands[self._seat]
        if self._collects(position):
            return self._plan(hand).kept
        return hand - self._packed(position, hand)[1] if whole else EMPTY

    def _ease(self, position: Position, card: Card, kept: Cards) -> float:
        """How gladly a card is thrown: its cost in hand, less its use to anybody."""
        bit = 1 << card
        if self._wild & bit:
            return -100.0
        hand = position.hands[self._seat]
        use = NEAR * self._partners(hand, card)
        if count(hand, card) == count(kept, card):
            use += KEPT
        points = self._values[card]
        for meld in position.melds:
            if meld.shape is not None and meld.shape.accepts & bit:
                use += points
                break
        if position.pile:
            pile = bits_of(position.pile) | bit
            if self._naturals.may_meld(card, pile, 0):
                use += 3 * points
        return self._held[card] - use

    def _partners(self, hand: Cards, card: Card) -> int:
        """How many cards in hand go with a card towards a group or a run."""
        rank, suit = rank_of(card), suit_of(card)
        count = 0
        for other in each(hand):
            if other in {card, JOKER}:
                continue
            near = suit_of(other) == suit and abs(rank_of(other) - rank) <= 2
            if near or rank_of(other) == rank:
                count += 1
        return count - (1 if hand >> (WIDTH * card) & FULL > 1 else 0)
