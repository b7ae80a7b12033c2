"""Ways to leave actions of a turn out of a game, or cards of an action."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from meldref.authoring.example.trial import Game
from meldref.core import events
from meldref.core.cards import ANY_SUIT, JOKER, SUITS, Card, Played, natural, rank_of
from meldref.core.events import Action, Event, Turn
from meldref.core.records import changed


def fewer_actions(game: Game) -> Iterator[Game]:
    """Without an action of a turn, or with less in it."""
    for place, event in enumerate(game):
        before, after = game[:place], game[place + 1 :]
        if isinstance(event, Turn):
            for at in range(len(event.actions)):
                rest = (*event.actions[:at], *event.actions[at + 1 :])
                if rest:
                    yield (*before, event._replace(actions=rest), *after)
                    if not isinstance(rest[-1], events.Discard):
                        thrown = events.Discard(other_card(game))
                        yield (*before, event._replace(actions=(*rest[:-1], thrown)), *after)
                        yield (*before, event._replace(actions=(*rest, thrown)), *after)


def fewer_melds(game: Game) -> Iterator[Game]:
    """Without a meld, those after it numbered anew."""
    melds = sum(isinstance(one, events.Meld) for event in game if isinstance(event, Turn) for one in event.actions)
    for gone in range(1, melds + 1):
        yield tuple(_without_meld(game, gone))


def _without_meld(game: Game, gone: int) -> Iterator[Event]:
    number = 0
    for event in game:
        if not isinstance(event, Turn):
            yield event
            continue
        actions: list[Action] = []
        for action in event.actions:
            if isinstance(action, events.Meld):
                number += 1
                if number == gone:
                    continue
            if isinstance(action, events.LayOff | events.Swap) and action.target and action.target > gone:
                actions.append(changed(action, target=action.target - 1))
            else:
                actions.append(action)
        if actions:
            yield event._replace(actions=tuple(actions))


def smaller_melds(game: Game) -> Iterator[Game]:
    """With a card less in a meld or lay-off, or a natural card in place of a wild one."""
    for place, event in enumerate(game):
        if not isinstance(event, Turn):
            continue
        for at, action in enumerate(event.actions):
            if not isinstance(action, events.Meld | events.LayOff):
                continue
            for cards in _fewer_or_natural(action.cards):
                actions = (*event.actions[:at], changed(action, cards=cards), *event.actions[at + 1 :])
                yield (*game[:place], event._replace(actions=actions), *game[place + 1 :])


def _fewer_or_natural(cards: tuple[Played, ...]) -> Iterator[tuple[Played, ...]]:
    for place, card in enumerate(cards):
        before, after = cards[:place], cards[place + 1 :]
        if before or after:
            yield (*before, *after)
        if card.role is not None and card.role < JOKER:
            yield (*before, Played(card.role), *after)
        elif card.role is not None and card.role >= ANY_SUIT:
            there = {one.card for one in cards}
            same_rank = (natural(rank_of(card.role), suit) for suit in range(len(SUITS)))
            yield from ((*before, Played(other), *after) for other in same_rank if other not in there)


def other_card(game: Game) -> Card:
    """A card that the game does not name."""
    named = {
        card for event in game if isinstance(event, Turn) for action in event.actions for card in _cards_of(action)
    }
    named |= {card for event in game if isinstance(event, events.Deal | events.StockOrder) for card in event.cards}
    return next((card for card in _SPARE if card not in named), _SPARE[0])


_SPARE: Final[tuple[Card, ...]] = (natural(11, 3), natural(8, 0), natural(1, 1), natural(4, 2), *range(JOKER))
"""Cards to throw, which go with one another in nothing."""


def _cards_of(action: Action) -> tuple[Card, ...]:
    match action:
        case events.Draw(card) | events.Take(card) | events.Discard(card) | events.Swap(card):
            return (card,)
        case events.Meld(cards) | events.LayOff(cards):
            return tuple(card.card for card in cards)
        case events.Call(cards):
            return cards
        case _:
            return ()
