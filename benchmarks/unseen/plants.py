"""Impossibilities to put into masked logs of legal games: each cannot be, however the unknown cards were dealt.

A plant takes a full log, the same log in a view, and the cards as they lay at the end. It gives the
view with one thing changed, and the numbers of the lines that show it; None where there is no room.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, pairwise
from random import Random
from typing import Final, TypeAlias

from benchmarks.slips.sheets import Entry
from meldref.core import events
from meldref.core.cards import JOKER, ONE, Card, Played, card_text, count, each
from meldref.core.events import Deal, Discard, Draw, Event, Points, StockOrder, Take, Turn, UpCard
from meldref.notation.writer import write_event
from meldref.position.model import Position
from meldref.rules.points import Worth


@dataclass(frozen=True, slots=True)
class Game:
    """A legal hand: in full, as somebody saw it, how it ended in full and in that view, and chance."""

    full: Sequence[Entry]
    seen: Sequence[Entry]
    end: Position
    seen_end: Position
    worth: Worth
    rng: Random

    def held(self, seat: int) -> int:
        """What a player held at the end."""
        return self.worth.held(self.end.hands[seat])

    def open_seats(self) -> list[int]:
        """Whose hands at the end nobody saw, or not all of them."""
        return [seat for seat, number in enumerate(self.seen_end.unknown) if number]

    def pool(self) -> list[int]:
        """What the cards are worth that nobody saw, the dearest first."""
        end = self.seen_end
        cards = [card for card in range(JOKER + 1) for _ in range(end.left(card))]
        return sorted([self.worth.held(ONE[card]) for card in cards], reverse=True)

    def stays(self, card: Card) -> bool:
        """Whether a card, of which there is one, never left the hand that it was dealt to."""
        turns = [one.event for one in self.full if isinstance(one.event, Turn)]
        return self.end.copies[card] == 1 and not any(
            card_text(card) in write_event(turn) for turn in turns
        )

    def index(self, kind: type) -> int | None:
        """The first line of a kind."""
        return next((at for at, one in enumerate(self.seen) if isinstance(one.event, kind)), None)


Planted: TypeAlias = "tuple[list[Event], int] | None"
Plant: TypeAlias = Callable[[Game], Planted]
PLANTS: Final[dict[str, Plant]] = {}
"""Every kind of impossibility, by what is said of it."""


def plant(name: str) -> Callable[[Plant], Plant]:
    """Declares a kind of impossibility."""

    def declared(make: Plant) -> Plant:
        PLANTS[name] = make
        return make

    return declared


def _with(game: Game, at: int, *events_: Event, instead: bool = True) -> Planted:
    """The view with other lines at a place."""
    lines = [one.event for one in game.seen]
    return [*lines[:at], *events_, *lines[at + instead :]], at


def _turns(game: Game) -> Iterator[tuple[int, Turn, Position]]:
    """The turns with where the hand stood before them in full."""
    full = iter([one.before for one in game.full if isinstance(one.event, Turn)])
    for at, one in enumerate(game.seen):
        if isinstance(one.event, Turn):
            before = next(full)
            if before is not None:  # else it is the first turn, before which nothing was dealt
                yield at, one.event, before


def _throwing(turn: Turn, card: Card) -> Turn:
    return turn._replace(actions=(*turn.actions[:-1], Discard(card)))


def _any(game: Game, ways: Sequence[Planted]) -> Planted:
    return game.rng.choice(ways) if ways else None


def _ends_in_discard(turn: Turn) -> bool:
    return isinstance(turn.actions[-1], Discard) and isinstance(turn.actions[0], Draw)


@plant("a card that lies on the table is thrown")
def on_table(game: Game) -> Planted:
    """A natural card of a meld, which stays there."""
    ways = [
        _with(game, at, _throwing(turn, laid.card))
        for at, turn, before in _turns(game)
        for meld in before.melds
        for laid in meld.cards
        if _ends_in_discard(turn) and before.copies[laid.card] == 1 and laid.card != JOKER
    ]
    return _any(game, ways)


@plant("a card of another's known hand is thrown")
def of_known_hand(game: Game) -> Planted:
    """A card that was dealt to whose view it is, and never left the hand."""
    ways = []
    for one in game.seen:
        if not isinstance(one.event, Deal) or one.event.unknown:
            continue
        seat = game.end.players.index(one.event.player)
        kept = [
            card
            for card in one.event.cards
            if count(game.end.hands[seat], card) and game.stays(card)
        ]
        ways += [
            _with(game, at, _throwing(turn, card))
            for at, turn, _ in _turns(game)
            for card in kept
            if turn.player != one.event.player and _ends_in_discard(turn)
        ]
    return _any(game, ways)


@plant("a card of a known stock is thrown")
def of_known_stock(game: Game) -> Planted:
    """A log lists the next cards; one that is still below is thrown in the first turn."""
    listed = next((one.event for one in game.full if isinstance(one.event, StockOrder)), None)
    turns = [(at, turn) for at, turn, _ in _turns(game)]
    if listed is None or len(listed.cards) < 6 or not turns or not _ends_in_discard(turns[0][1]):
        return None
    card = listed.cards[4]
    if game.end.copies[card] > 1:
        return None
    lines = [one.event for one in game.seen if not isinstance(one.event, StockOrder)]
    at = next(at for at, event in enumerate(lines) if isinstance(event, Turn))
    first = lines[at]
    assert isinstance(first, Turn)
    return [
        *lines[:at],
        StockOrder(listed.cards[:6]),
        _throwing(first, card),
        *lines[at + 1 :],
    ], at + 1


@plant("another card is drawn than lies on a known stock")
def not_on_top(game: Game) -> Planted:
    """A log lists the next cards, and the second of them is drawn first."""
    listed = next((one.event for one in game.full if isinstance(one.event, StockOrder)), None)
    if listed is None or len(listed.cards) < 6 or listed.cards[0] == listed.cards[1]:
        return None
    lines = [one.event for one in game.seen if not isinstance(one.event, StockOrder)]
    at = next((at for at, event in enumerate(lines) if isinstance(event, Turn)), None)
    first = None if at is None else lines[at]
    if at is None or not isinstance(first, Turn) or not isinstance(first.actions[0], Draw):
        return None
    wrong = first._replace(actions=(Draw(listed.cards[1]), *first.actions[1:]))
    return [*lines[:at], StockOrder(listed.cards[:6]), wrong, *lines[at + 1 :]], at + 1


@plant("the card turned up was dealt to a known hand")
def dealt_twice(game: Game) -> Planted:
    """`up` names a card that a `deal` line names, too."""
    at = game.index(UpCard)
    dealt = [
        card
        for one in game.seen
        if isinstance(one.event, Deal)
        for card in one.event.cards
        if game.end.copies[card] == 1
    ]
    return None if at is None or not dealt else _with(game, at, UpCard(game.rng.choice(dealt)))


@plant("a hand is said to hold a card that lies elsewhere")
def asserted(game: Game) -> Planted:
    """An assertion about a hand names a card of the table."""
    ways = []
    for at, _, before in _turns(game):
        laid = [one.card for meld in before.melds for one in meld.cards if one.card != JOKER]
        for card in laid:
            for seat in game.open_seats():
                number = before.held[seat]
                if number and before.copies[card] == 1:
                    line = events.AssertHand(before.players[seat], None, (card,), number - 1)
                    ways.append(_with(game, at, line, instead=False))
    return _any(game, ways)


@plant("the hand is too small for what is laid")
def too_small(game: Game) -> Planted:
    """A player lays a run of cards nobody saw, more than the hand has."""
    ways = []
    for at, turn, before in _turns(game):
        seat = before.players.index(turn.player)
        number = before.held[seat] + 1
        for suit in range(4):
            run = [card for card in range(13 * suit, 13 * suit + 12) if game.seen_end.left(card)]
            if 3 <= number < len(run) and _ends_in_discard(turn):
                cards = tuple([Played(card) for card in run[: number + 1]])
                melding = turn._replace(
                    actions=(turn.actions[0], events.Meld(cards), turn.actions[-1])
                )
                ways.append(_with(game, at, melding))
    return _any(game, ways)


@plant("a card that must be used is not")
def unused(game: Game) -> Planted:
    """Of a turn in which a card from inside the pile was used, only the draw and the discard are left."""
    ways = [
        _with(game, at, turn._replace(actions=(turn.actions[0], turn.actions[-1])))
        for at, turn, before in _turns(game)
        if isinstance(turn.actions[0], Take)
        and isinstance(turn.actions[-1], Discard)
        and len(turn.actions) > 2
        and before.pile[-1] != turn.actions[0].card
    ]
    return _any(game, ways)


@plant("the card just taken is thrown, and who comes next throws its double")
def taken_and_thrown(game: Game) -> Planted:
    """Of two packs: only who comes next can have held the other one, or drew it then."""
    ways = []
    turns = list(_turns(game))
    for (at, turn, before), (then, following, _) in pairwise(turns):
        taking, throwing = turn.actions[0], turn.actions[-1]
        if not (
            isinstance(taking, Take) and len(turn.actions) == 2 and isinstance(throwing, Discard)
        ):
            continue
        card = taking.card
        is_seen = count(game.seen_end.seen, card) > 1 or before.copies[card] != 2
        if before.pile[-1] == card and not is_seen and _ends_in_discard(following):
            lines = [one.event for one in game.seen]
            lines[at], lines[then] = _throwing(turn, card), _throwing(following, card)
            ways.append(([*lines[: then + 1]], then))
    return _any(game, ways)


def _scored(game: Game, changes: dict[int, int], *, totals: bool = False) -> Planted:
    """The view with other scores for some seats, without what follows from them; `totals`: with totals alone."""
    at = next(
        (
            at
            for at, one in enumerate(game.seen)
            if isinstance(one.event, Points) and one.event.kind == "score"
        ),
        None,
    )
    if at is None:
        return None
    scores = game.seen[at].event
    assert isinstance(scores, Points)
    amounts = tuple(
        [
            (name, (points or 0) + changes.get(game.end.players.index(name), 0))
            for name, points in scores.amounts
        ]
    )
    line = Points("total" if totals else "score", amounts)
    return [*[one.event for one in game.seen[:at]], line], at


@plant("a score beyond any hand")
def beyond(game: Game) -> Planted:
    """A hand costs more than as many of the dearest unseen cards."""
    seat = _one_open(game)
    if seat is None:
        return None
    dearest = sum(game.pool()[: game.seen_end.unknown[seat]]) + _known(game, seat)
    return _scored(game, {seat: game.held(seat) - dearest - game.rng.choice((1, 2, 5))})


@plant("a total beyond any hand, and no score")
def beyond_in_total(game: Game) -> Planted:
    """The total alone says what a hand cost."""
    seat = _one_open(game)
    if seat is None:
        return None
    dearest = sum(game.pool()[: game.seen_end.unknown[seat]]) + _known(game, seat)
    return _scored(game, {seat: game.held(seat) - dearest - 5}, totals=True)


@plant("a score that no sum of cards can make")
def no_sum(game: Game) -> Planted:
    """A hand costs something between the cheapest and the dearest, which its number of cards cannot be."""
    seat = _one_open(game)
    if seat is None:
        return None
    sums = {
        sum(row)
        for row in combinations_with_replacement(
            sorted(set(game.pool())), min(3, _unseen(game, seat))
        )
    }
    if _unseen(game, seat) > 3:
        return None
    gaps = [points for points in range(min(sums), max(sums)) if points not in sums]
    if not gaps:
        return None
    wanted = game.rng.choice(gaps) + _known(game, seat)
    return _scored(game, {seat: game.held(seat) - wanted})


@plant("two scores that cannot both be")
def two_scores(game: Game) -> Planted:
    """Two hands cost as much as the dearest cards, which they would have to share."""
    seats = game.open_seats()
    if len(seats) < 2 or game.worth.awards is not None:
        return None
    game.rng.shuffle(seats)
    pool, changes = game.pool(), {}
    for seat in seats[:2]:
        dearest = sum(pool[: _unseen(game, seat)])
        changes[seat] = game.held(seat) - dearest - _known(game, seat)
    together = sum(pool[: sum([_unseen(game, seat) for seat in seats[:2]])])
    wanted = sum([sum(pool[: _unseen(game, seat)]) for seat in seats[:2]])
    return _scored(game, changes) if wanted > together else None


@plant("a winner who is behind another in any case")
def behind(game: Game) -> Planted:
    """No line has a score; the dearest cards of one hand leave it ahead of the cheapest of another."""
    at = next((at for at, one in enumerate(game.seen) if isinstance(one.event, Points)), None)
    if at is None or game.worth.awards is not None:
        return None
    pool = game.pool()
    lowest, highest = [], []
    for seat, points in enumerate(game.end.points):
        number, laid = _unseen(game, seat), points - _known(game, seat)
        lowest.append(laid - sum(pool[:number]))
        highest.append(laid - sum(pool[len(pool) - number :]))
    losers = [seat for seat, most in enumerate(highest) if most < max(lowest)]
    if not losers:
        return None
    won = events.Result((game.end.players[game.rng.choice(losers)],))
    return [*[one.event for one in game.seen[:at]], won], at


@plant("scores that leave cards over, with an empty stock")
def none_left(game: Game) -> Planted:
    """Every card that nobody saw is in a hand, and the hands cost too little together."""
    end, seats = game.seen_end, game.open_seats()
    unseen = sum([end.unknown[seat] for seat in seats])
    if not seats or end.stock_size or unseen != len(game.pool()):
        return None
    return _scored(game, {game.rng.choice(seats): game.rng.choice((5, 10))})


@plant("cards shown after the score, which cost something else")
def shown(game: Game) -> Planted:
    """A player turns up the whole hand, and it is not what the score says."""
    seat = _one_open(game)
    planted = None if seat is None else _scored(game, {seat: -5})
    if planted is None or seat is None:
        return None
    lines, _ = planted
    show = events.Show(game.end.players[seat], tuple(each(game.end.hands[seat])))
    return [*lines, show], len(lines)


@plant("a card is drawn from a new stock that was not in it")
def not_reshuffled(game: Game) -> Planted:
    """A card that somebody else is known to hold is drawn after the pile became the stock."""
    ways = []
    renewed = False
    for at, one in enumerate(game.seen):
        renewed = renewed or isinstance(one.event, events.Reshuffle)
        turn = one.event
        if renewed and isinstance(turn, Turn) and isinstance(turn.actions[0], Draw):
            card = _elsewhere(game)
            if card is not None:
                drawn = turn._replace(actions=(Draw(card), *turn.actions[1:]))
                ways.append(_with(game, at, drawn))
    return _any(game, ways)


@plant("a card of the new stock is thrown by who drew nothing since")
def still_in_stock(game: Game) -> Planted:
    """The pile became the stock, and the first to throw a card that lay in it drew before."""
    for at, one in enumerate(game.seen):
        if not isinstance(one.event, events.Reshuffle):
            continue
        turns = [(where, turn, before) for where, turn, before in _turns(game) if where > at]
        if not turns:
            return None
        _, _, before = turns[0]
        gone = [card for card in each(before.stock_of or 0) if before.copies[card] == 1]
        for where, turn, _ in turns[:1]:
            if isinstance(turn.actions[0], Take) and _throws(turn) and gone:
                return _with(game, where, _throwing(turn, game.rng.choice(gone)))
    return None


def _throws(turn: Turn) -> bool:
    return isinstance(turn.actions[-1], Discard)


def _elsewhere(game: Game) -> Card | None:
    """A card that never left the deal of a hand that the view shows."""
    for one in game.seen:
        if isinstance(one.event, Deal) and not one.event.unknown:
            seat = game.end.players.index(one.event.player)
            for card in one.event.cards:
                if count(game.end.hands[seat], card) and game.stays(card):
                    return card
    return None


def _one_open(game: Game) -> int | None:
    seats = game.open_seats()
    return game.rng.choice(seats) if seats and game.worth.awards is None else None


def _unseen(game: Game, seat: int) -> int:
    return game.seen_end.unknown[seat]


def _known(game: Game, seat: int) -> int:
    """What is known of a hand at the end is worth so much."""
    return game.worth.held(game.seen_end.hands[seat])
