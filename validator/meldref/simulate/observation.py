"""What one seat sees of a hand: its own cards, what lies open, and what everybody saw happen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from meldref.core.cards import UNKNOWN, Card, each
from meldref.core.events import Deal, Draw, Event, StockOrder, Turn
from meldref.core.records import record
from meldref.position.model import OnTable
from meldref.replay.hand import HandPlay


@record
class Observation:
    """What the player of a seat may know; seats count from 0 in the order of `players`.

    `to_move` is whose turn or call it is, `hand` are the seat's own cards, `held` how many cards each seat holds,
    `stock` how many are left to draw. `pile` is bottom to top. `points` lie on the table for each seat, `totals`
    are those of the game before this hand. `lines` is the hand so far as it would be written by somebody who sees
    no more than this seat: cards dealt to others, drawn by others and in the stock are unknown there.
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
            seat, play.players, number, dealer, seat, (), none, (), (), 0, none, totals, play.wild_rank, (), seen
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
            unseen = tuple([Draw(UNKNOWN) if isinstance(action, Draw) else action for action in event.actions])
            yield event._replace(actions=unseen)
        else:
            yield event
