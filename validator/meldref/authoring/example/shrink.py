"""Makes an example smaller while it stays one: delta debugging over lines, actions and cards."""

from __future__ import annotations

from typing import Final

from meldref.authoring.example import parts
from meldref.authoring.example.parts import actions_of, other_card, renamed, with_action
from meldref.authoring.example.trial import Game, Trial, names_of, players
from meldref.core import events
from meldref.core.cards import JOKER, UNKNOWN
from meldref.core.diagnostics import Finding
from meldref.core.events import Event, Turn
from meldref.core.records import changed
from meldref.simulate.games import names_for

_MOST_LINES: Final = 30_000
"""The lines that are put to the rulesets, in all, to make one example smaller."""
_ODD: Final = 4
"""What no hand at a table consists of counts as this many lines more."""
_WAYS: Final = (
    parts.fewer_lines,
    parts.simpler,
    parts.fewer_entries,
    parts.fewer_cards,
    parts.fewer_pairs,
)
"""The ways to make a game smaller, in the order in which they are tried."""


def weight(game: Game) -> tuple[int, ...]:
    """How large a game is: its lines, the actions in them, cards and figures that are named, wild cards, players.

    What no hand at a table consists of, gaps and assertions, counts as several lines.
    """
    actions = [action for event in game if isinstance(event, Turn) for action in event.actions]
    laid = [
        card
        for action in actions
        if isinstance(action, events.Meld | events.LayOff)
        for card in action.cards
    ]
    cards = sum(
        len(event.cards) for event in game if isinstance(event, events.Deal | events.StockOrder)
    )
    figures = sum(len(event.amounts) for event in game if isinstance(event, events.Points))
    wild = sum(card.card == JOKER or card.role is not None for card in laid)
    odd = sum(isinstance(event, (events.Gap, *events.ASSERTIONS)) for event in game)
    return (
        len(game) + _ODD * odd,
        len(actions),
        len(laid) + cards + figures,
        wild,
        len(names_of(game)),
    )


def shrink(trial: Trial, game: Game, finding: Finding) -> Game:
    """The smallest example that can be had from one, by leaving out and by renaming."""
    left = _MOST_LINES
    failed: set[Game] = set()

    def holds(game: Game) -> bool:
        nonlocal left
        if left <= 0 or game in failed:
            return False
        left -= len(game)
        if trial.objection(game) is not None:
            return True
        failed.add(game)
        return False

    best = game
    for simpler in (lambda game: game[: finding.span.line], _unnumbered, _undealt, _unseen):
        if holds(simpler(best)):
            best = simpler(best)
    before = None
    while before != weight(best):
        before = weight(best)
        for ways in _WAYS:  # each again and again from the start
            smaller: Game | None = best
            while smaller is not None:
                best, least = smaller, weight(smaller)
                smaller = next(
                    (way for way in ways(best) if weight(way) < least and holds(way)), None
                )
    return best


def _unnumbered(game: Game) -> Game:
    """Without numbers of turns."""
    return parts.each_turn(game, lambda turn: turn._replace(number=None))


def _undealt(game: Game) -> Game:
    """Without the cards that were dealt, turned up and known in the stock."""
    return tuple(event for event in game if not isinstance(event, parts.DEALT))


def _unseen(game: Game) -> Game:
    """With unknown cards in all hands."""
    return tuple(
        changed(event, cards=(), unknown=len(event.cards) + event.unknown)
        if isinstance(event, events.Deal)
        else event
        for event in game
        if not isinstance(event, events.StockOrder)
    )


# --- as people write them -------------------------------------------------------------------------


def plain(game: Game, trial: Trial) -> Game:
    """The game as people write it, where that keeps it an example.

    It has a line for its hand, numbers for its turns, the usual first names, and draws nobody has
    to see.
    """
    for nicer in (
        _with_hand,
        _numbered,
        _drawn_unseen,
        _discarded_seen,
        _first_names,
        _first_first,
    ):
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
        ordinary = isinstance(event, Turn) and not isinstance(
            event.actions[0], events.Call | events.Challenge
        )
        number += ordinary
        lines.append(
            event._replace(number=number) if isinstance(event, Turn) and ordinary else event
        )
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
