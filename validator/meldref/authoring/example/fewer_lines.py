"""Ways to leave lines, players, and what is known of hands out of a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from meldref.authoring.example.trial import Game, names_of, players
from meldref.core import events
from meldref.core.events import Event, Turn
from meldref.core.records import changed

_LONG: Final = 8
"""A game of more lines may have a gap in it, where that spares the rest."""


def tails(game: Game) -> Iterator[Game]:
    """Only the last lines of what was played, by whoever has to play them."""
    turns = [place for place, event in enumerate(game) if isinstance(event, Turn)]
    for kept in range(1, len(turns)):
        first = turns[-kept]
        head = tuple(event for event in game[: turns[0]])
        tail = game[first:]
        yield from _rotated(game, head, tail)
        if _has_deal(head):
            yield from _rotated(game, tuple(e for e in head if not isinstance(e, _DEALT)), tail)
        if kept > _LONG:
            break


_DEALT: Final = (events.Deal, events.StockOrder, events.UpCard)


def _has_deal(head: Sequence[Event]) -> bool:
    return any(isinstance(event, _DEALT) for event in head)


def _rotated(game: Game, head: Game, tail: Game) -> Iterator[Game]:
    """A tail behind a head, as it is and with the seats turned so that the first player plays first."""
    names = names_of(game)
    yield (*head, *tail)
    undealt = tuple(changed(e, dealer=None) if isinstance(e, events.HandStart) else e for e in head)
    yield (*undealt, *tail)
    for step in range(1, len(names)):
        turned = {name: names[(place + step) % len(names)] for place, name in enumerate(names)}
        yield (*head, *renamed(tail, turned))


def gaps(game: Game) -> Iterator[Game]:
    """A gap in place of many turns."""
    if len(game) <= _LONG or any(isinstance(event, events.Gap) for event in game):
        return
    places = [place for place, event in enumerate(game) if isinstance(event, (Turn, *_DEALT))]
    for last in reversed(places):
        yield (*game[: places[0]], events.Gap(), *game[last + 1 :])


def runs(game: Game) -> Iterator[Game]:
    """Without some lines that follow one another: many at first, then fewer; as they are, or the rest renamed."""
    size = len(game) // 2
    while size:
        for start in range(len(game) - size, 0, -1):
            head, tail = game[:start], game[start + size :]
            yield (*head, *tail)
            gone = sum(isinstance(event, Turn) for event in game[start : start + size])
            names = names_of(game)
            if gone % len(names) and tail:
                turned = {name: names[place - gone % len(names)] for place, name in enumerate(names)}
                yield (*head, *renamed(tail, turned))
        size //= 2


def joined(game: Game) -> Iterator[Game]:
    """With two lines of one player as one."""
    for place, (event, other) in enumerate(pairwise(game)):
        if isinstance(event, Turn) and isinstance(other, Turn) and event.player == other.player:
            whole = event._replace(actions=(*event.actions, *other.actions))
            yield (*game[:place], whole, *game[place + 2 :])


def ended(game: Game) -> Iterator[Game]:
    """With the end of a hand in place of its score."""
    for place, event in enumerate(game):
        if isinstance(event, events.Points) and event.kind == "score":
            for name, _ in event.amounts:
                end = events.HandEnd("out", name.partition("+")[0])
                yield (*game[:place], end, *game[place + 1 :])


def pairs(game: Game) -> Iterator[Game]:
    """Without two lines that do not follow one another."""
    if len(game) > 24:
        return
    for first in range(1, len(game)):
        for second in range(first + 2, len(game)):
            yield (*game[:first], *game[first + 1 : second], *game[second + 1 :])


def renamed(lines: Sequence[Event], turned: Mapping[str, str]) -> Iterator[Event]:
    """Lines with the players renamed."""

    def side(name: str) -> str:
        return "+".join(turned[one] for one in name.split("+"))

    for event in lines:
        match event:
            case Turn() | events.Deal() | events.Show() | events.AssertHand() | events.AssertScore():
                name = turned[event.player]
                yield event._replace(player=name) if isinstance(event, Turn) else changed(event, player=name)
            case events.Points(kind, amounts):
                yield events.Points(kind, tuple((side(name), points) for name, points in amounts))
            case events.Result(winners):
                yield events.Result(tuple(map(side, winners)))
            case events.HandStart(number, dealer) if dealer is not None:
                yield events.HandStart(number, turned[dealer])
            case events.HandEnd(reason, player) if player is not None:
                yield events.HandEnd(reason, turned[player])
            case events.Cut(cards):
                yield events.Cut(tuple((turned[name], card) for name, card in cards))
            case _:
                yield event


def fewer_players(game: Game) -> Iterator[Game]:
    """Without one of the players and all that is said of them."""
    names = names_of(game)
    for gone in reversed(names):
        rest = [name for name in names if name != gone]
        yield (players(rest), *(one for event in game[1:] if (one := _without(event, gone, rest)) is not None))


def _without(event: Event, gone: str, rest: Sequence[str]) -> Event | None:
    """A line without a player; None where nothing is left of it."""
    match event:
        case Turn() | events.Deal() | events.Show():
            return None if event.player == gone else event
        case events.Points(kind, amounts):
            left = tuple((name, points) for name, points in amounts if gone not in name.split("+"))
            return events.Points(kind, left) if left else None
        case events.HandStart(number, dealer):
            return events.HandStart(number, rest[-1] if dealer == gone else dealer)
        case events.Cut(cards):
            return events.Cut(tuple(one for one in cards if one[0] != gone))
        case _:
            return event


def fewer_cards(game: Game) -> Iterator[Game]:
    """With fewer cards that are known in hands and stock, and fewer figures."""
    for place, event in enumerate(game):
        before, after = game[:place], game[place + 1 :]
        match event:
            case events.Deal(player, cards, unknown) if cards:
                yield (*before, events.Deal(player, (), unknown + len(cards)), *after)
                for at in range(len(cards)):
                    less = (*cards[:at], *cards[at + 1 :])
                    yield (*before, events.Deal(player, less, unknown + 1), *after)
            case events.StockOrder(cards):
                if len(cards) > 1:
                    yield (*before, events.StockOrder(cards[: len(cards) // 2]), *after)
                    yield (*before, events.StockOrder(cards[:-1]), *after)
            case events.Points(kind, amounts) if len(amounts) > 1:
                for at in range(len(amounts)):
                    yield (*before, events.Points(kind, (*amounts[:at], *amounts[at + 1 :])), *after)
            case _:
                pass
