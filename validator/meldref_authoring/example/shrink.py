"""Makes an example smaller while it stays one: parts are left out, and others put more simply."""

from __future__ import annotations

from typing import Final

from meldref.core import events
from meldref.core.cards import JOKER, UNKNOWN
from meldref.core.diagnostics import Finding
from meldref.core.events import Event, Turn
from meldref_authoring.example.parts import (
    DEALT,
    actions_of,
    names_of,
    other_card,
    renamed,
    smaller,
    with_action,
)
from meldref_authoring.otherwise import Game, Trial, players
from meldref_table.simulate.games import names_for

_MOST_LINES: Final = 30_000
"""The lines that are put to the rulesets, in all, to make one example smaller."""
_ODD: Final = 4
"""What no hand at a table consists of counts as this many lines more."""


def weight(game: Game) -> tuple[int, ...]:
    """How large a game is: lines, actions, cards and figures that are named, wild cards, players.

    What no hand at a table consists of, gaps and assertions, counts as several lines.
    """
    lines, named, wild = len(game), 0, 0
    for event in game:
        if isinstance(event, events.Deal | events.StockOrder):
            named += len(event.cards)
        elif isinstance(event, events.Points):
            named += len(event.amounts)
        elif isinstance(event, (events.Gap, *events.ASSERTIONS)):
            lines += _ODD
    actions = [action for _, _, action in actions_of(game)]
    for action in actions:
        if isinstance(action, events.Meld | events.LayOff):
            named += len(action.cards)
            wild += sum(card.card == JOKER or card.role is not None for card in action.cards)
    return lines, len(actions), named, wild, len(names_of(game))


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

    until_finding = game[: finding.span.line]
    best = until_finding if holds(until_finding) else game
    for simplify in (_unnumbered, _undealt):
        simpler = simplify(best)
        if holds(simpler):
            best = simpler
    next_best: Game | None = best

    while next_best is not None:
        best, least = next_best, weight(next_best)
        candidates = (way for way in smaller(best) if weight(way) < least)
        next_best = next(filter(holds, candidates), None)
    return best


def _unnumbered(game: Game) -> Game:
    """Without numbers of turns."""
    return tuple(
        event._replace(number=None) if isinstance(event, Turn) else event for event in game
    )


def _undealt(game: Game) -> Game:
    """Without the cards that were dealt, turned up and known in the stock."""
    return tuple(event for event in game if not isinstance(event, DEALT))


# --- as people write them -------------------------------------------------------------------------


def plain(game: Game, trial: Trial) -> Game:
    """The game as people write it, where that keeps it an example.

    It has a line for its hand, numbers for its turns, the usual first names, and draws nobody has
    to see.
    """
    for improve in (_with_hand, _numbered, _as_seen, _first_names):
        nicer = improve(game)
        if trial.objection(nicer) is not None:
            game = nicer
    return game


def _with_hand(game: Game) -> Game:
    """With a line that begins the first hand."""
    heads = events.Header | events.Cut
    first = next((place for place, event in enumerate(game) if not isinstance(event, heads)), 0)
    if not first or isinstance(game[first], events.HandStart):
        return game
    return (*game[:first], events.HandStart(1), *game[first:])


def _first_names(game: Game) -> Game:
    """With the names that players usually have, in the order in which they play."""
    names = names_of(game)
    first = next((names.index(event.player) for event in game if isinstance(event, Turn)), 0)
    fresh = names_for(len(names))
    renaming = dict(zip((*names[first:], *names[:first]), fresh, strict=True))
    return (players(fresh), *renamed(game[1:], renaming))


def _numbered(game: Game) -> Game:
    """With the numbers of ordinary turns."""
    lines: list[Event] = []
    number = 0
    out_of_turn = events.Call | events.Challenge
    for event in game:
        if isinstance(event, events.HandStart):
            number = 0
        if isinstance(event, Turn) and not isinstance(event.actions[0], out_of_turn):
            number += 1
            lines.append(event._replace(number=number))
        else:
            lines.append(event)
    return tuple(lines)


def _as_seen(game: Game) -> Game:
    """With discards that everybody sees, and draws that nobody has to."""
    for place, at, action in actions_of(game):
        if action == events.Discard(UNKNOWN):
            game = with_action(game, place, at, events.Discard(other_card(game)))
        elif isinstance(action, events.Draw):
            game = with_action(game, place, at, events.Draw(UNKNOWN))
    return game
