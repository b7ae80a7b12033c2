"""Hands played out by one ruleset, from rich deals, as games of their own; and the same with small changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Final, TypeVar

from meldref.authoring.example.probes import names_for, tables
from meldref.authoring.example.trial import Game, names_of, players
from meldref.core import events
from meldref.core.cards import JOKER, UNKNOWN, Card, Played, each
from meldref.core.events import Action, Call
from meldref.engine.judge import Judge
from meldref.moves.legal_actions import Choice, Choices
from meldref.position.model import Position
from meldref.replay.scores import Scorekeeper
from meldref.rules.setup import table_size
from meldref.ruleset.model import Ruleset
from meldref.simulate.games import careful_judge
from meldref.simulate.hand import HandRun
from meldref.simulate.rng import Dice

_T = TypeVar("_T")
_MOST_TABLE: Final = 6
"""Larger tables show little that smaller ones do not, and take long to play."""


class Packets(Dice):
    """Chance that leaves the deck in packets of cards that go together, so that there is something to meld."""

    __slots__ = ("_rich",)

    def __init__(self, rich: int, *seed: int | str) -> None:
        """`rich`: 0 for a deck in any order, 1 for packets of a rank, 2 for packets of a suit."""
        super().__init__(*seed)
        self._rich = rich

    def shuffle(self, things: list[_T]) -> None:
        """Puts cards into packets, and those into any order."""
        super().shuffle(things)
        if not self._rich or not all(isinstance(one, int) for one in things):
            return
        cards: list[int] = [one for one in things if isinstance(one, int)]
        jokers = [card for card in cards if card == JOKER]
        cards = [card for card in cards if card != JOKER]
        cards.sort(key=(lambda card: (card % 13, card // 13)) if self._rich == 1 else None)
        packets: list[list[int]] = [[joker] for joker in jokers]
        while cards:
            size = 3 + self.below(2)
            packets.append(cards[:size])
            del cards[:size]
        super().shuffle(packets)
        things[:] = [card for packet in packets for card in packet]  # type: ignore[misc]


class EagerPlayer:
    """Does anything that is legal, and mostly melds, takes and calls rather than not."""

    def __init__(self, dice: Dice, eager: int) -> None:
        """`eager`: so many times in ten; 0 for who never does where there is something else to do."""
        self._dice, self._eager = dice, eager

    def begin_hand(self, judge: Judge) -> None:
        """Whatever the rules are."""

    def draw(self, choices: Choices, draws: Sequence[Action]) -> Action:
        """Any of the draws; mostly one from the pile."""
        taken = [draw for draw in draws if isinstance(draw, events.Take) is bool(self._eager)]
        return self._mostly(taken, draws)

    def play(self, choices: Choices, plays: Sequence[Choice]) -> Choice:
        """Any of the plays; mostly one that lays something."""
        laid = [
            play
            for play in plays
            if isinstance(play, events.Meld | events.LayOff | events.Swap) is bool(self._eager)
        ]
        return self._mostly(laid, plays)

    def call(self, position: Position, seat: int, calls: Sequence[Call]) -> Call | None:
        """Any of the calls, or none."""
        return self._dice.pick(calls) if self._dice.below(10) < self._eager else None

    def buy(self, position: Position, seat: int, card: Card) -> bool:
        """Now and then, or never."""
        return self._dice.below(20) < self._eager

    def wild_rank(self) -> int:
        """Any rank."""
        return self._dice.below(13)

    def _mostly(self, some: Sequence[_T], every: Sequence[_T]) -> _T:
        return self._dice.pick(some if some and self._dice.below(10) < (self._eager or 10) else every)


def play_hand(ruleset: Ruleset, number: int, seed: int, *, long: bool) -> Game | None:
    """One hand at a table of so many, with its score; None where it came to no end.

    `long`: by players who meld little, so that the stock runs out.
    """
    names = names_for(number)
    if table_size(ruleset, number) is not None:
        return None
    judge = careful_judge(ruleset, number).for_hand(1)
    eager = 0 if long else (8, 3, 6)[seed % 3]
    seats = [EagerPlayer(Dice(seed, "seat", seat), eager) for seat in range(number)]
    keeper = Scorekeeper(judge, names, lambda *_: None, lambda *_: None)
    run = HandRun(judge, names, seats, tuple(range(number)))
    run.hand.number = 1
    dealer = number - 1
    keeper.begin_hand(1)
    rich = 0 if long else seed % 4 % 3
    if not run.play(dealer, Packets(rich, seed, "deal"), partial(Dice, seed, "reshuffle")):
        return None
    keeper.count(run.hand)
    record, sides = keeper.standing.last, keeper.standing.names
    assert record is not None
    amounts = [(name, record.score(side)) for side, name in enumerate(sides)]
    score = events.Points("score", tuple((name, points) for name, points in amounts if points is not None))
    return (players(names), events.HandStart(1, names[dealer]), *run.lines, score)


def play(ruleset: Ruleset, number: int, seed: int, sections: frozenset[str]) -> Game | None:
    """One hand, at one of the tables in turn; None where it came to no end."""
    numbers = [count for count in tables(ruleset) if count <= _MOST_TABLE] or [ruleset.players.min]
    return play_hand(ruleset, numbers[number % len(numbers)], seed * 1000 + number, long="stock" in sections)


# --- small changes ---------------------------------------------------------------------------------------------


def variants(game: Game) -> Iterator[Game]:
    """A hand with one thing written or done otherwise: what rules may see differently without a different game."""
    for place, event in enumerate(game):
        before, after = game[:place], game[place + 1 :]
        if isinstance(event, events.Turn):
            for other in _turns(event):
                yield (*before, other, *after)
            name = _next(game, event.player)
            yield (*before, event, events.Turn(None, name, (events.Challenge(),)))
            yield (*before, event, events.HandEnd("agreed"))
            if isinstance(event.actions[0], Call):
                yield from _called_twice(before, event, game)
            elif len(event.actions) > 1:
                for at in range(1, len(event.actions)):
                    yield (*before, event._replace(actions=event.actions[:at]))


def _called_twice(before: Game, event: events.Turn, game: Game) -> Iterator[Game]:
    """A call that somebody else makes too, behind it or before it."""
    for name in names_of(game):
        if name != event.player:
            again = events.Turn(None, name, event.actions[:1])
            yield (*before, event, again)
            yield (*before, event._replace(player=name))


def _turns(turn: events.Turn) -> Iterator[events.Turn]:
    """A turn with one action written or done otherwise."""
    for place, done in enumerate(turn.actions):
        for action in _actions(done, turn):
            yield turn._replace(actions=(*turn.actions[:place], action, *turn.actions[place + 1 :]))
    laid = [place for place, one in enumerate(turn.actions) if isinstance(one, events.Meld | events.LayOff)]
    for first, second in pairwise(laid):
        actions = list(turn.actions)
        actions[first], actions[second] = actions[second], actions[first]
        yield turn._replace(actions=tuple(actions))


def _actions(action: Action, turn: events.Turn) -> Iterator[Action]:
    match action:
        case events.LayOff(cards, target):
            if target is not None:
                yield events.LayOff(_bare(cards), None)
                yield events.LayOff(_bare(cards), target)
        case events.Meld(cards, number) if any(card.role is not None for card in cards):
            yield events.Meld(_bare(cards), number)
        case events.Discard(card):
            yield events.Discard(UNKNOWN)
            for other in dict.fromkeys(_taken(turn)):
                if other != card:
                    yield events.Discard(other)


def _bare(cards: Sequence[Played]) -> tuple[Played, ...]:
    return tuple(Played(one.card) for one in cards)


def _taken(turn: events.Turn) -> Iterator[Card]:
    """Cards of the turn that may be in the hand: those it took, and those it laid."""
    for action in turn.actions:
        if isinstance(action, events.Take | events.Draw) and action.card != UNKNOWN:
            yield action.card
        elif isinstance(action, events.Meld | events.LayOff):
            yield from each(action.counted)


def _next(game: Game, player: str) -> str:
    names = names_of(game)
    return names[(names.index(player) + 1) % len(names)]
