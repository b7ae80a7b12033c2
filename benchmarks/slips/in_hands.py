"""Slips of the deal, and between hands: numbers, dealers, scores, totals, and who sits where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from benchmarks.slips.kinds import Change, another, kind, misread, put
from benchmarks.slips.sheets import Entry, players
from meldref.core.events import (
    Deal,
    Event,
    HandEnd,
    HandStart,
    Header,
    Points,
    StockOrder,
    Turn,
    UpCard,
)
from meldref.core.records import changed

# --- the deal -------------------------------------------------------------------------------------


@kind("log.copies", late=True)
def another_card_dealt(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """A card of the deal is misread."""
    deal = log[index].event
    if not isinstance(deal, Deal) or not deal.cards:
        return None
    place = dice.randrange(len(deal.cards))
    other = misread(deal.cards[place], dice, deal.cards)
    if other is None:
        return None
    return put(
        log, index, changed(deal, cards=(*deal.cards[:place], other, *deal.cards[place + 1 :]))
    )


@kind("setup.deal")
def a_dealt_card_left_out(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """A card of the deal is not written down."""
    deal = log[index].event
    if not isinstance(deal, Deal) or not deal.cards:
        return None
    place = dice.randrange(len(deal.cards))
    return put(log, index, changed(deal, cards=(*deal.cards[:place], *deal.cards[place + 1 :])))


@kind("setup.deal")
def a_dealt_card_too_many(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """A card is written into a deal besides those that were dealt."""
    deal = log[index].event
    if not isinstance(deal, Deal) or not deal.cards:
        return None
    other = dice.choice([card for card in range(52) if card not in deal.cards])
    place = dice.randrange(len(deal.cards) + 1)
    return put(log, index, changed(deal, cards=(*deal.cards[:place], other, *deal.cards[place:])))


@kind("setup.deal", late=True)
def two_deals_swapped(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """Two players are said to be dealt each other's cards."""
    one, two = (log[at].event if at < len(log) else None for at in (index, index + 1))
    if not isinstance(one, Deal) or not isinstance(two, Deal):
        return None
    if len(one.cards) + one.unknown != len(two.cards) + two.unknown or one.cards == two.cards:
        return None
    lines = (changed(one, player=two.player), changed(two, player=one.player))
    return Change(index, index + 2, lines, touched=2)


@kind("setup.deal", "hand", late=True)
def hands_under_the_next_name(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """All players are said to be dealt the cards of the player before them."""
    at = index
    deals: list[Deal] = []
    while at < len(log) and isinstance(deal := log[at].event, Deal):
        deals.append(deal)
        at += 1
    before = log[index - 1].event if index else None
    if len(deals) < 3 or isinstance(before, Deal):
        return None
    if len({len(deal.cards) + deal.unknown for deal in deals}) > 1:
        return None
    names = [deal.player for deal in deals]
    shifted = [
        changed(deal, player=name) for deal, name in zip(deals, (*names[1:], names[0]), strict=True)
    ]
    return Change(index, at, shifted, touched=len(deals))


@kind("setup.deal")
def a_deal_under_another_name(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """A player is said to be dealt cards twice, and another none."""
    deal = log[index].event
    before = log[index - 1].event if index else None
    if not isinstance(deal, Deal) or not isinstance(before, Deal):
        return None
    return put(log, index, changed(deal, player=before.player))


@kind("hand.missing", "log.copies", late=True, may_be_legal=True)
def two_dealt_cards_exchanged(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """A card of a player and one of the next are each written for the other."""
    one, two = (log[at].event if at < len(log) else None for at in (index, index + 1))
    if not isinstance(one, Deal) or not isinstance(two, Deal) or not (one.cards and two.cards):
        return None
    first, second = dice.randrange(len(one.cards)), dice.randrange(len(two.cards))
    mine, theirs = one.cards[first], two.cards[second]
    if mine in two.cards or theirs in one.cards:
        return None
    lines = (
        changed(one, cards=(*one.cards[:first], theirs, *one.cards[first + 1 :])),
        changed(two, cards=(*two.cards[:second], mine, *two.cards[second + 1 :])),
    )
    return Change(index, index + 2, lines, touched=2)


@kind("draw.stock", "setup.deck", late=True, may_be_legal=True)
def a_card_of_the_stock_left_out(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """One of the cards listed for the stock is left out."""
    stock = log[index].event
    if not isinstance(stock, StockOrder) or len(stock.cards) < 2:
        return None
    place = dice.randrange(len(stock.cards))
    return put(log, index, changed(stock, cards=(*stock.cards[:place], *stock.cards[place + 1 :])))


@kind("draw.stock", late=True, may_be_legal=True)
def two_cards_of_the_stock_swapped(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """Two neighbouring cards listed for the stock stand in the wrong order."""
    stock = log[index].event
    if not isinstance(stock, StockOrder) or len(stock.cards) < 2:
        return None
    place = dice.randrange(len(stock.cards) - 1)
    one, two = stock.cards[place : place + 2]
    cards = (*stock.cards[:place], two, one, *stock.cards[place + 2 :])
    return None if one == two else put(log, index, changed(stock, cards=cards))


@kind("log.copies", late=True)
def another_card_turned_up(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """The card turned up is misread."""
    up = log[index].event
    other = misread(up.card, dice) if isinstance(up, UpCard) else None
    return None if other is None else put(log, index, UpCard(other))


@kind("setup.dealer", "turn.order", late=True)
def another_dealer(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """Another player is said to have dealt."""
    hand = log[index].event
    if not isinstance(hand, HandStart) or hand.dealer is None:
        return None
    return put(log, index, changed(hand, dealer=another(log, hand.dealer, dice)))


# --- hands and games ------------------------------------------------------------------------------


@kind("log.number", whole_game=True)
def a_wrong_hand_number(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """The number of a hand is wrong; the others follow it or not."""
    hand = log[index].event
    if not isinstance(hand, HandStart) or hand.number is None or hand.number == 1:
        return None
    by = dice.choice([-1, 1, 2])
    rest = [entry.event for entry in log[index + 1 :]]
    follow = [_hand_numbered(event, by) for event in rest] if dice.randrange(2) else rest
    return Change(index, len(log), (changed(hand, number=hand.number + by), *follow))


def _hand_numbered(event: Event, by: int) -> Event:
    """An event with a higher number of its hand."""
    if isinstance(event, HandStart) and event.number is not None:
        return changed(event, number=event.number + by)
    return event


@kind("setup.deal", "log.number", late=True, whole_game=True)
def the_line_of_a_hand_left_out(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """The line with which a hand begins is not written down."""
    hand = log[index].event
    if not isinstance(hand, HandStart) or hand.number == 1:
        return None
    return Change(index, index + 1, ())


@kind("log.number", "setup.dealer", late=True, whole_game=True)
def a_hand_left_out(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """A hand is not written down; the numbers of the others count it or not."""
    hand = log[index].event
    last = log[-1].hand
    if not isinstance(hand, HandStart) or hand.number in {None, 1} or log[index].hand == last:
        return None
    stop = next(at for at, entry in enumerate(log) if entry.hand == log[index].hand + 1)
    rest = [entry.event for entry in log[stop:]]
    if dice.randrange(2):
        rest = [_hand_numbered(event, -1) for event in rest]
    return Change(index, len(log), rest)


@kind("end.reason", "turn.unfinished", "turn.over")
def another_player_out(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """Another player is said to have gone out."""
    end = log[index].event
    if not isinstance(end, HandEnd) or end.player is None:
        return None
    return put(log, index, changed(end, player=another(log, end.player, dice)))


@kind("score.hand")
def a_wrong_score(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """The score of a player is wrong; the totals are right."""
    return _wrong_figure(log, index, dice, "score")


@kind("score.total")
def a_wrong_total(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """The total of a player is wrong, in this hand alone."""
    return _wrong_figure(log, index, dice, "total")


def _wrong_figure(log: Sequence[Entry], index: int, dice: Random, what: str) -> Change | None:
    points = log[index].event
    if not isinstance(points, Points) or points.kind != what:
        return None
    place = dice.randrange(len(points.amounts))
    return put(
        log, index, _more(points, points.amounts[place][0], dice.choice([-10, -5, 5, 10, 20, 100]))
    )


def _more(points: Points, name: str, by: int) -> Points:
    """Points with more for one player."""
    return changed(
        points,
        amounts=tuple(
            [(who, (amount or 0) + by * (who == name)) for who, amount in points.amounts]
        ),
    )


@kind("score.hand", whole_game=True)
def a_wrong_score_carried_on(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """The score of a player is wrong, and all totals since then count it."""
    return _carried_on(log, index, dice, "score")


@kind("score.total", whole_game=True)
def totals_carried_wrongly(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """A total is wrong, and the later ones go on from it."""
    return _carried_on(log, index, dice, "total")


def _carried_on(log: Sequence[Entry], index: int, dice: Random, what: str) -> Change | None:
    points = log[index].event
    if not isinstance(points, Points) or points.kind != what or log[index].hand == log[-1].hand:
        return None
    name = dice.choice(points.amounts)[0]
    by = dice.choice([-10, -5, 5, 10, 20, 100])
    rest = [entry.event for entry in log[index + 1 :]]
    wrong = [
        _more(one, name, by) if isinstance(one, Points) and one.kind == "total" else one
        for one in rest
    ]
    return Change(index, len(log), (_more(points, name, by), *wrong))


@kind("turn.order", "setup.dealer", "setup.deal", late=True, whole_game=True)
def players_in_another_order(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """The header has two neighbours in the wrong order."""
    header = log[index].event
    names = players(log)
    if not isinstance(header, Header) or header.key != "Players" or len(names) < 3:
        return None
    first = dice.randrange(len(names) - 1)
    names[first : first + 2] = reversed(names[first : first + 2])
    return put(log, index, Header("Players", ", ".join(names)))


@kind("log.number", whole_game=True)
def turns_numbered_by_rounds(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """From the beginning of a hand, rounds are numbered and not turns."""
    if not isinstance(log[index].event, HandStart):
        return None
    seats, last = len(players(log)), index
    lines: list[Entry] = []
    for last in range(index, len(log)):
        entry = log[last]
        if entry.hand != log[index].hand:
            break
        event = entry.event
        if isinstance(event, Turn) and event.number is not None:
            event = event._replace(number=(event.number + seats - 1) // seats)
        lines.append(replace(entry, event=event))
    turns = sum(isinstance(entry.event, Turn) for entry in lines)
    return Change(index, index + len(lines), lines, touched=len(lines)) if turns > seats else None


@kind("setup.deck", "log.copies", "draw.stock", late=True)
def the_stock_of_another_hand(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """The cards of the stock are listed as they lay in another hand."""
    stock = log[index].event
    if not isinstance(stock, StockOrder) or len(stock.cards) < 2:
        return None
    others = tuple(dice.sample(range(52), min(len(stock.cards), 52)))
    return put(log, index, changed(stock, cards=others))
