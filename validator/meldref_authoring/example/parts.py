"""The parts of a game that can be left out, and what else can be done to make a game smaller."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, TypeAlias

from meldref.core import events
from meldref.core.cards import ANY_SUIT, JOKER, SUITS, Card, Played, natural, rank_of
from meldref.core.events import Action, Event, Header, Turn
from meldref.core.records import changed
from meldref.notation.roster import Roster, named
from meldref_authoring.otherwise import Game, players

Part: TypeAlias = tuple[int, ...]
"""Where something stands: a line; an action, card or figure in it; a card of that action."""
_FEW: Final = 8
"""Of so few parts every run is left out; of more, halves, quarters and so on."""
DEALT: Final = (events.Deal, events.StockOrder, events.UpCard)
_ENTRIES: Final[Mapping[type, str]] = {
    Turn: "actions",
    events.Points: "amounts",
    events.Result: "players",
    **dict.fromkeys(
        (events.Cut, events.Deal, events.StockOrder, events.Meld, events.LayOff, events.Call),
        "cards",
    ),
}
"""The field that has what a line or an action consists of."""
_LONG: Final = 8
"""A game of more lines may have a gap in it, if that spares the rest."""
_SPARE: Final[tuple[Card, ...]] = (
    natural(11, 3),
    natural(8, 0),
    natural(1, 1),
    natural(4, 2),
    *range(JOKER),
)
"""Cards to discard, which go with one another in nothing."""


def smaller(game: Game) -> Iterator[Game]:
    """Games made from one by leaving parts out or putting them more simply, the boldest first.

    Not all of them are smaller than the game, and few of them are legal.
    """
    lines = [(place,) for place in range(1, len(game))]
    for gone in _runs(lines):
        yield without(game, gone)
    yield from _simpler(game)
    entries: list[Part] = []
    for place, event in enumerate(game[1:], start=1):
        entries += [(place, at) for at in range(len(_entries(event)))]
    for gone in _runs(entries):
        yield without(game, gone)
    for place, at, action in actions_of(game):
        cards = [(place, at, card) for card in range(len(_entries(action)))]
        for gone in _runs(cards):
            yield without(game, gone)


def _runs(parts: Sequence[Part]) -> Iterator[Sequence[Part]]:
    """Parts that follow one another: many at first, then fewer; the last ones first."""
    size = len(parts)
    while size:
        for start in range(len(parts) - size, -1, -1):
            yield parts[start : start + size]
        size = size - 1 if len(parts) <= _FEW else size // 2


def without(game: Game, gone: Collection[Part]) -> Game:
    """A game without some of its parts; the melds that are left are numbered anew.

    >>> from meldref.core.events import Discard, Header, LayOff, Meld, Turn
    >>> turn = Turn(None, "Ann", (Meld(()), Meld(()), LayOff((), 2), Discard(0)))
    >>> without((Header("Players", "Ann, Bob"), turn), [(1, 0)])[1].actions[1].target
    1
    """
    gone = frozenset(gone)
    melds = 0
    numbers: dict[int, int] = {}
    for place, at, action in actions_of(game):
        if isinstance(action, events.Meld):
            melds += 1
            if gone.isdisjoint({(place,), (place, at)}):
                numbers[melds] = len(numbers) + 1
    lines: list[Event] = []
    for place, event in enumerate(game):
        line = _thinned(event, (place,), gone)
        if line is not None and len(numbers) < melds:
            line = _renumbered(line, numbers)
        if line is not None:
            lines.append(line)
    return tuple(lines)


def _thinned(thing: Any, place: Part, gone: Collection[Part]) -> Any:
    """A line, an action or a card without some of its parts; None if nothing is left of it."""
    if place in gone:
        return None
    entries = _entries(thing)
    thinned = [_thinned(entry, (*place, at), gone) for at, entry in enumerate(entries)]
    left = tuple(entry for entry in thinned if entry is not None)
    if left == entries:
        return thing
    if isinstance(thing, events.Deal):
        return events.Deal(thing.player, left, thing.unknown + len(entries) - len(left))
    if not left:
        return None
    if isinstance(thing, Turn):
        return thing._replace(actions=left)
    return changed(thing, **{_ENTRIES[type(thing)]: left})


def _entries(thing: object) -> tuple[Any, ...]:
    """What a line or an action consists of, as far as it can be left out."""
    entries: tuple[Any, ...] = getattr(thing, _ENTRIES.get(type(thing), ""), ())
    return entries


def _renumbered(event: Event, numbers: Mapping[int, int]) -> Event | None:
    """A line with the melds of other numbers; actions on melds that are gone are left out."""
    if not isinstance(event, Turn):
        return event
    actions: list[Action] = []
    for action in event.actions:
        target = action.target if isinstance(action, events.LayOff | events.Swap) else None
        if target is None:
            actions.append(action)
        elif target in numbers:
            actions.append(changed(action, target=numbers[target]))
    return event._replace(actions=tuple(actions)) if actions else None


def actions_of(game: Game) -> Iterator[tuple[int, int, Action]]:
    """Each action of a game, with its line and its place in that."""
    for place, event in enumerate(game):
        if isinstance(event, Turn):
            yield from ((place, at, action) for at, action in enumerate(event.actions))


def _simpler(game: Game) -> Iterator[Game]:
    """With a line, a card or a player put more simply."""
    for place, (event, other) in enumerate(pairwise(game)):
        if isinstance(event, Turn) and isinstance(other, Turn) and event.player == other.player:
            joined = event._replace(actions=(*event.actions, *other.actions))
            yield (*game[:place], joined, *game[place + 2 :])
    for place, event in enumerate(game):
        if isinstance(event, events.Points) and event.kind == "score":
            for side, _ in event.amounts:
                out = events.HandEnd("out", side.partition("+")[0])
                yield (*game[:place], out, *game[place + 1 :])
    for place, at, action in actions_of(game):
        if isinstance(action, events.Meld | events.LayOff):
            for cards in _natural(action.cards):
                yield with_action(game, place, at, changed(action, cards=cards))
    for gone in reversed(names_of(game)):
        yield _without_player(game, gone)
    played = [place for place, event in enumerate(game) if isinstance(event, (Turn, *DEALT))]
    if len(game) > _LONG and not any(isinstance(event, events.Gap) for event in game):
        for last in reversed(played):
            yield (*game[: played[0]], events.Gap(), *game[last + 1 :])


def _natural(cards: Sequence[Played]) -> Iterator[tuple[Played, ...]]:
    """With a natural card in place of a wild one."""
    there = {card.card for card in cards}
    for place, (_, role) in enumerate(cards):
        naturals: list[Card] = []
        if role is not None and role < JOKER:
            naturals = [role]
        elif role is not None and role >= ANY_SUIT:
            rank = [natural(rank_of(role), suit) for suit in range(len(SUITS))]
            naturals = [card for card in rank if card not in there]
        for card in naturals:
            yield (*cards[:place], Played(card), *cards[place + 1 :])


def _without_player(game: Game, gone: str) -> Game:
    """A game that one of the players does not play; the last of the others deals and goes out."""
    names = [name for name in names_of(game) if name != gone]
    parts: list[Part] = []
    for place, event in enumerate(game):
        if isinstance(event, events.Points | events.Cut | events.Result):
            for at, entry in enumerate(_entries(event)):
                side = entry if isinstance(entry, str) else entry[0]
                if gone in side.split("+"):
                    parts.append((place, at))
        elif getattr(event, "player", None) == gone and not isinstance(event, events.HandEnd):
            parts.append((place,))
    left = without(game, parts)
    return (players(names), *renamed(left[1:], {gone: names[-1]}))


def renamed(lines: Iterable[Event], names: Mapping[str, str]) -> Iterator[Event]:
    """Lines with other names for some players."""
    roster = Roster(names)
    roster.update(names)
    return (named(event, roster) for event in lines)


def with_action(game: Game, place: int, at: int, action: Action) -> Game:
    """A game with another action at a place of a turn."""
    turn = game[place]
    assert isinstance(turn, Turn)
    actions = (*turn.actions[:at], action, *turn.actions[at + 1 :])
    return (*game[:place], turn._replace(actions=actions), *game[place + 1 :])


def other_card(game: Game) -> Card:
    """A card that the game does not name."""
    named: set[object] = set()
    for event in game:
        if isinstance(event, events.Deal | events.StockOrder):
            named.update(event.cards)
    for _, _, action in actions_of(game):
        for card in _entries(action) or (action,):
            named.add(getattr(card, "card", card))
    return next((card for card in _SPARE if card not in named), _SPARE[0])


def names_of(game: Game) -> tuple[str, ...]:
    """Who plays."""
    header = game[0]
    assert isinstance(header, Header)
    return tuple(name.strip() for name in header.value.split(","))
