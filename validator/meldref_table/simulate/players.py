"""What a seat sees of a hand, what its player decides, and a player of chance.

A player of the library's own sees the position and must not use what nobody at a table would see:
other hands, and the stock. One from outside is given what its seat sees, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, Protocol, TypeAlias

from meldref.core.cards import UNKNOWN, Card, each
from meldref.core.events import Action, Deal, Draw, Event, StockOrder, Turn, WildRank
from meldref.core.records import record
from meldref.notation.writer import write_action, write_event
from meldref.position.model import OnTable
from meldref.replay.hand import HandPlay
from meldref_table.simulate.quick_moves.choices import Choice, Choices
from meldref_table.simulate.rng import Dice

Chosen: TypeAlias = "Choice | WildRank"


class Decision(NamedTuple):
    """What somebody has to decide: whose decision it is, and between what.

    A call can always be left alone. The options are never empty, and all of them are legal.
    `choices` knows the position; None before the deal.
    """

    kind: Literal["wild", "draw", "buy", "play", "call"]
    seat: int
    options: Sequence[Chosen]
    choices: Choices | None = None

    @property
    def actions(self) -> tuple[Chosen, ...]:
        """All that may be chosen.

        None stands for calling or buying nothing, and for ending a call.
        """
        return (*self.options, None) if self.kind in {"call", "buy"} else tuple(self.options)


@record
class Observation:
    """What the player of a seat may know; seats count from 0 in the order of `players`.

    `to_move` is whose turn or call it is, `hand` are the seat's own cards, `held` how many cards
    each seat holds, `stock` how many are left to draw. `pile` is bottom to top. `points` lie on the
    table for each seat, `totals` are those of the game before this hand. `lines` is the hand so far
    as it would be written by somebody who sees no more than this seat: cards dealt to others, drawn
    by others and in the stock are unknown there.
    """

    seat: int
    players: tuple[str, ...]
    number: int
    dealer: int | None
    to_move: int
    hand: tuple[Card, ...]
    held: tuple[int, ...]
    melds: tuple[tuple[OnTable, ...], ...]
    pile: tuple[Card, ...]
    stock: int
    points: tuple[int, ...]
    totals: tuple[int | None, ...]
    wild_rank: int | None
    floating: tuple[int, ...]
    lines: tuple[Event, ...]


def observe(play: HandPlay, lines: Iterable[Event], seat: int) -> Observation:
    """What a seat sees of a hand that is being played; before the deal there are no cards."""
    position, none = play.position, (0,) * len(play.players)
    seen = tuple(_as_seen(lines, play.players[seat]))
    number, dealer, totals = play.number or 1, play.dealer, play.totals
    if position is None:
        return Observation(
            seat,
            play.players,
            number,
            dealer,
            seat,
            (),
            none,
            (),
            (),
            0,
            none,
            totals,
            play.wild_rank,
            (),
            seen,
        )
    return Observation(
        seat,
        play.players,
        number,
        dealer,
        position.turn.seat,
        tuple(each(position.hands[seat])),
        tuple(position.held),
        tuple([tuple(meld.cards) for meld in position.melds]),
        tuple(position.pile),
        position.stock_size,
        tuple(position.points),
        totals,
        position.wild_rank,
        tuple(sorted(position.floating)),
        seen,
    )


def _as_seen(lines: Iterable[Event], player: str) -> Iterator[Event]:
    for event in lines:
        if isinstance(event, StockOrder):
            continue
        if isinstance(event, Deal) and event.player != player:
            yield Deal(event.player, (), len(event.cards) + event.unknown)
        elif isinstance(event, Turn) and event.player != player:
            unseen = tuple(
                [Draw(UNKNOWN) if isinstance(action, Draw) else action for action in event.actions]
            )
            yield event._replace(actions=unseen)
        else:
            yield event


class Player(Protocol):
    """Makes the decisions of one seat."""

    def choose(self, due: Decision, /) -> Chosen:
        """One of the actions that a decision offers."""


class Bot(Protocol):
    """A player from outside: any object with this method."""

    def choose(self, seen: Observation, actions: Sequence[Chosen], /) -> Chosen:
        """One of the actions, each of which is legal.

        None among them calls nothing, or ends a call.
        """


class WrongChoice(ValueError):
    """Something was chosen that was not among the actions offered."""

    def __init__(self, player: str, chosen: object, actions: Sequence[Chosen]) -> None:
        shown = [*map(_written, actions[:_SHOWN]), *("…" for _ in actions[_SHOWN : _SHOWN + 1])]
        super().__init__(
            f"{player} chose {_written(chosen)}, which is not among the actions offered: "
            f"{', '.join(shown)}"
        )


_SHOWN = 8


def _written(chosen: object) -> str:
    """An action as it is written; anything else as it is."""
    if isinstance(chosen, WildRank):
        return write_event(chosen)
    return write_action(chosen) if isinstance(chosen, Action) else repr(chosen)


class RandomPlayer:
    """Does anything that is legal, each thing as likely as another."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice

    def choose(self, due: Decision, /) -> Chosen:
        """Any of the actions; a card is bought now and then."""
        if due.kind == "buy":
            return due.options[0] if self._dice.below(4) == 0 else None
        return self._dice.pick(due.actions if due.kind == "call" else due.options)
