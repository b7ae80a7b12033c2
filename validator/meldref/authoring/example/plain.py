"""Games as people write them, to be shown."""

from __future__ import annotations

from meldref.authoring.example.parts import actions_of, other_card, renamed, with_action
from meldref.authoring.example.trial import Game, Trial, names_of, players
from meldref.core import events
from meldref.core.cards import UNKNOWN
from meldref.core.events import Event, Turn
from meldref.simulate.games import names_for


def plain(game: Game, trial: Trial) -> Game:
    """The game as people write it, where that keeps it an example.

    It has a line for its hand, numbers for its turns, the usual first names, and draws nobody has to see.
    """
    for nicer in (_with_hand, _numbered, _drawn_unseen, _discarded_seen, _first_names, _first_first):
        if trial.objection(nicer(game)) is not None:
            game = nicer(game)
    return game


def _with_hand(game: Game) -> Game:
    """With a line that begins the first hand."""
    heads = events.Header | events.Cut
    first = next((place for place, event in enumerate(game) if not isinstance(event, heads)), 0)
    if not first or isinstance(game[first], events.HandStart):
        return game
    return (*game[:first], events.HandStart(1), *game[first:])


def _first_names(game: Game) -> Game:
    """With the names that players have where nobody was left out."""
    names = names_of(game)
    fresh = names_for(len(names))
    return (players(fresh), *renamed(game[1:], dict(zip(names, fresh, strict=True))))


def _first_first(game: Game) -> Game:
    """With the seats turned so that whoever plays first is named first."""
    names = names_of(game)
    first = next((names.index(event.player) for event in game if isinstance(event, Turn)), 0)
    turned = {name: names[(place - first) % len(names)] for place, name in enumerate(names)}
    return (game[0], *renamed(game[1:], turned))


def _numbered(game: Game) -> Game:
    """With the numbers of ordinary turns."""
    lines: list[Event] = []
    number = 0
    for event in game:
        number = 0 if isinstance(event, events.HandStart) else number
        ordinary = isinstance(event, Turn) and not isinstance(event.actions[0], events.Call | events.Challenge)
        number += ordinary
        lines.append(event._replace(number=number) if isinstance(event, Turn) and ordinary else event)
    return tuple(lines)


def _discarded_seen(game: Game) -> Game:
    """With cards that are discarded where everybody sees them."""
    for place, at, action in actions_of(game):
        if action == events.Discard(UNKNOWN):
            game = with_action(game, place, at, events.Discard(other_card(game)))
    return game


def _drawn_unseen(game: Game) -> Game:
    """With draws of cards that nobody has to see."""
    for place, at, action in actions_of(game):
        if isinstance(action, events.Draw):
            game = with_action(game, place, at, events.Draw(UNKNOWN))
    return game
