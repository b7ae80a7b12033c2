"""Games without what a line need not say, to be made smaller; and as people write them, to be shown."""

from __future__ import annotations

from meldref.authoring.example.fewer_actions import other_card
from meldref.authoring.example.fewer_lines import renamed
from meldref.authoring.example.probes import names_for
from meldref.authoring.example.trial import Game, Trial, names_of, players
from meldref.core import events
from meldref.core.cards import UNKNOWN
from meldref.core.events import Event, Turn
from meldref.core.records import changed


def unnumbered(game: Game) -> Game:
    """Without numbers of turns."""
    return tuple(event._replace(number=None) if isinstance(event, Turn) else event for event in game)


def undealt(game: Game) -> Game:
    """Without the cards that were dealt, turned up and known in the stock."""
    return tuple(event for event in game if not isinstance(event, events.Deal | events.StockOrder | events.UpCard))


def unseen(game: Game) -> Game:
    """With unknown cards in all hands."""
    return tuple(
        changed(event, cards=(), unknown=len(event.cards) + event.unknown)
        if isinstance(event, events.Deal)
        else event
        for event in game
        if not isinstance(event, events.StockOrder)
    )


def plain(game: Game, trial: Trial) -> Game:
    """The game as people write it, where that keeps it an example.

    It has a line for its hand, numbers for its turns, the first names that there are, and draws nobody has to see.
    """
    for nicer in (_with_hand, _numbered, _drawn_unseen, _thrown_seen, _first_names, _first_first):
        if trial.objection(nicer(game)) is not None:
            game = nicer(game)
    return game


def _with_hand(game: Game) -> Game:
    """With a line that begins the first hand."""
    first = next(
        (place for place, event in enumerate(game) if not isinstance(event, events.Header | events.Cut)), 0
    )
    if not first or isinstance(game[first], events.HandStart):
        return game
    return (*game[:first], events.HandStart(1), *game[first:])


def _first_names(game: Game) -> Game:
    """With the names that players have where nobody was left out."""
    names = names_of(game)
    fresh = names_for(len(names))
    turned = dict(zip(names, fresh, strict=True))
    return (players(fresh), *renamed(game[1:], turned))


def _first_first(game: Game) -> Game:
    """With the seats turned so that whoever plays first is named first."""
    names = names_of(game)
    first = next((names.index(event.player) for event in game if isinstance(event, Turn)), 0)
    turned = {name: names[(place - first) % len(names)] for place, name in enumerate(names)}
    return (game[0], *renamed(game[1:], turned))


def _numbered(game: Game) -> Game:
    """With the numbers of ordinary turns."""
    found: list[Event] = []
    number = 0
    for event in game:
        if isinstance(event, events.HandStart):
            number = 0
        if isinstance(event, Turn) and not isinstance(event.actions[0], events.Call | events.Challenge):
            number += 1
            found.append(event._replace(number=number))
        else:
            found.append(event)
    return tuple(found)


def _thrown_seen(game: Game) -> Game:
    """With cards that are thrown where everybody sees them."""
    found: list[Event] = []
    for event in game:
        if isinstance(event, Turn) and event.actions[-1] == events.Discard(UNKNOWN):
            thrown = events.Discard(other_card((*found, *game)))
            found.append(event._replace(actions=(*event.actions[:-1], thrown)))
        else:
            found.append(event)
    return tuple(found)


def _drawn_unseen(game: Game) -> Game:
    """With draws of cards that nobody has to see."""
    unseen = events.Draw(UNKNOWN)
    return tuple(
        event._replace(actions=tuple(unseen if isinstance(one, events.Draw) else one for one in event.actions))
        if isinstance(event, Turn)
        else event
        for event in game
    )
