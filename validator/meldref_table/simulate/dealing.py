"""Who deals, and what is dealt: draw for deal, deck, hands, up-card, stock and wild rank."""

from __future__ import annotations

from collections.abc import Sequence

from meldref.core import events
from meldref.core.cards import JOKER, Card, rank_of
from meldref.core.events import Event, Line
from meldref.engine.judge import Judge
from meldref.replay.hand import HandPlay
from meldref.rules.setup import cards_dealt, cut_dealer, first_seat
from meldref_table.simulate.rng import Dice

NO_LINE = Line(0, "", None)
"""The place of what happens in no log."""


def first_dealer(judge: Judge, names: Sequence[str], dice: Dice) -> tuple[int, list[Event]]:
    """Who deals the first hand, and the lines of the draw for it, if any (W-DEAL-01)."""
    ruleset = judge.ruleset
    if ruleset.deal.first_dealer == "anybody":
        return dice.below(len(names)), []
    lines: list[Event] = []
    seats: Sequence[int] = range(len(names))
    while len(seats) > 1:
        deck = shuffled(judge, dice)
        drawn = {seat: deck[place] for place, seat in enumerate(seats)}
        lines.append(events.Cut(tuple((names[seat], card) for seat, card in drawn.items())))
        seats = cut_dealer(ruleset, drawn)
    return seats[0], lines


def shuffled(judge: Judge, dice: Dice) -> list[Card]:
    """The deck in an order of chance."""
    deck = [card for card, copies in enumerate(judge.copies) for _ in range(copies)]
    dice.shuffle(deck)
    return deck


def deal(hand: HandPlay, judge: Judge, dealer: int, dice: Dice) -> list[Event]:
    """Deals a hand to those who play it; the lines that say so, but for a wild rank that is chosen."""
    hand.dealer = dealer
    lines: list[Event] = []
    rows, deck = _dealt(judge, hand, first_seat(judge.binding, dealer, hand.active), dice)
    # Where a first card says how many follow, it is written first, so that it shows the wild rank.
    in_order = 1 if judge.ruleset.deal.cards_by == "first_card" else 0
    if judge.ruleset.melds.wild.shown_by_deal and not in_order:
        own = rows[hand.active.index(dealer)] if dealer in hand.active else rows[0]
        named = events.WildRank(next(rank_of(card) for card in own if card != JOKER))
        hand.name_wild(NO_LINE, named.rank)
        lines.append(named)
    for seat, row in zip(hand.active, rows, strict=True):
        cards = events.Deal(hand.players[seat], (*row[:in_order], *sorted(row[in_order:])))
        hand.deal(NO_LINE, cards, seat)
        lines.append(cards)
    place = 0
    if judge.ruleset.deal.up_card == "turned":
        hand.turn_up(NO_LINE, deck[place])
        lines.append(events.UpCard(deck[place]))
        place += 1
    stock = tuple(deck[place:])
    if stock:
        hand.name_stock(NO_LINE, stock)
        lines.append(events.StockOrder(stock))
    return lines


def _dealt(
    judge: Judge, hand: HandPlay, first: int, dice: Dice
) -> tuple[list[tuple[Card, ...]], list[Card]]:
    """What each player is dealt, in the order in which it is, and the rest of the deck."""
    by_first_card = judge.ruleset.deal.cards_by == "first_card"
    while True:
        deck = shuffled(judge, dice)
        rows: list[tuple[Card, ...]] = []
        for seat in hand.active:
            if by_first_card:
                _put_a_rank_first(deck)
            sizes = cards_dealt(
                judge.binding, len(hand.active), first=seat == first, first_card=deck[0]
            )
            row, deck = deck[: sizes[0]], deck[sizes[0] :]
            rows.append(tuple(row))
            if not deck:
                break
        # High cards may ask for more cards than there are: they are dealt again.
        if deck or not by_first_card:
            return rows, deck


def _put_a_rank_first(deck: list[Card]) -> None:
    """Puts a joker that would be dealt first behind the next card that has a rank."""
    place = next((place for place, card in enumerate(deck) if card != JOKER), 0)
    deck[0], deck[place] = deck[place], deck[0]


def reshuffle(hand: HandPlay, judge: Judge, dice: Dice) -> list[Event]:
    """Makes a new stock of the pile (W-BOAT-06); the lines that say so."""
    position = hand.play()
    how = judge.ruleset.stock.reshuffle
    if how == "turn_over":
        hand.reshuffle(NO_LINE)
        return [events.Reshuffle()]
    whole = how == "whole_pile"
    cards = list(position.pile) if whole else position.pile[:-1]
    dice.shuffle(cards)
    lines: list[Event] = [events.Reshuffle()]
    hand.reshuffle(NO_LINE)
    if whole:
        up = cards.pop()
        hand.turn_up(NO_LINE, up)
        lines.append(events.UpCard(up))
    if cards:
        hand.name_stock(NO_LINE, tuple(cards))
        lines.append(events.StockOrder(tuple(cards)))
    return lines
