"""In how many of the deals that fit a position a move is legal, with a deal for each answer.

A deal puts the cards that nobody saw into the places that bear on the move: the hand of the player
who makes it, the cards of the stock that it draws, and what lies face down in the pile. All are
equally likely, each copy of a card a card of its own. Deals are not counted one by one: the referee
is asked with as few known cards as decide the move, and all deals that have them in common are
counted at once. If that takes too many questions, deals are drawn by lot.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import comb, perm, sqrt
from typing import Final

from meldref.answers.legal import Judgement, judge_move, judge_without_help, with_player
from meldref.core.cards import (
    EMPTY,
    JOKER,
    ONE,
    RANKS,
    UNKNOWN,
    Card,
    Cards,
    count,
    each,
    rank_of,
    size,
    suit_of,
)
from meldref.core.effort import EFFORT
from meldref.core.events import Action, Draw, Turn, cards_of
from meldref.core.records import NamedTuple, changed, fresh, record
from meldref.notation.reader import read_line
from meldref.notation.roster import Roster
from meldref.position.model import Position
from meldref.positions.build import Built
from meldref_table.simulate.rng import Dice
from meldref_table.unseen_deals import (
    Change,
    UnseenPlace,
    deal_unseen,
    filled,
    hold,
    places_in_pile,
    places_in_stock,
)

MOST_QUESTIONS: Final = 2_500
"""How often the referee is asked before deals are drawn by lot."""
MOST_EFFORT: Final = 2_000_000
"""How much is looked at in counting deals, and as much again in drawing them; see
`meldref.core.effort`."""
SAMPLES: Final = 1_000
"""How many deals are drawn by lot."""
_TRIES: Final = 20
"""How many times as many are drawn at most, if some do not fit what is known of a hand."""
_SURE: Final = 1.959964
"""Standard deviations to either side of a mean that leave out one case in twenty."""

_NOT_KNOWN: Final = "after turns that nobody wrote down, the deals that fit cannot be counted"
_NO_NUMBER: Final = "how many cards are dealt depends on the number of the hand, which nobody said"


@record
class Chances:
    """The number of deals in which a move is legal, illegal, or open for other reasons than cards.

    If they are not `exact`, these are deals drawn by lot from this `seed`.
    """

    deals: int
    legal: int
    illegal: int
    open: int
    exact: bool = True
    seed: int | None = None

    @property
    def share(self) -> float:
        """The share of deals in which the move is legal."""
        return self.legal / self.deals if self.deals else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Between which shares the true one lies with 95 % confidence (Wilson's interval).

        Both the same if exact.
        """
        if self.exact or not self.deals:
            return self.share, self.share
        scale = 1 + _SURE**2 / self.deals
        middle = (self.share + _SURE**2 / (2 * self.deals)) / scale
        spread = self.share * (1 - self.share) / self.deals + _SURE**2 / (4 * self.deals**2)
        half = _SURE * sqrt(spread) / scale
        return max(0.0, middle - half), min(1.0, middle + half)


@record
class Weighed:
    """A move judged by all deals that fit.

    `judgement` is the referee's, but legal or illegal if it is in every deal. `chances` is None if
    deals cannot be counted; `unknown` says why. `legal` and `illegal` are positions with all cards
    known in which the move is that, None if none was found; `seat` is whose move it is.
    """

    judgement: Judgement
    chances: Chances | None = None
    legal: Built | None = None
    illegal: Built | None = None
    seat: int = 0
    unknown: str = ""


def weigh(built: Built, move: str, *, counts: bool = True, seed: int = 1) -> Weighed:
    """Judges a move as `judge_move` does, and by the deals that fit the position.

    Without `counts`, it is enough to find a deal in which the move is legal and one in which it is
    not; `chances` are given only if all deals were counted on the way.
    """
    judgement = judge_move(built, move)
    position = built.position
    if not judgement.readable:
        return Weighed(judgement)
    seat = _seat_of(position, move)
    if not position.can_be_dealt:
        return Weighed(judgement, seat=seat, unknown=_NOT_KNOWN)
    if any(_room(hand.position) != _room(position) for _, hand in built.in_hands):
        return Weighed(judgement, seat=seat, unknown=_NO_NUMBER)
    weighing = _Weighing(_as_drawn(built, move), move, seat, judgement, seed)
    chances = weighing.chances(counts=counts)
    legal, illegal = (weighing.whole(verdict) for verdict in ("legal", "illegal"))
    if judgement.verdict == "open" and chances is not None and chances.exact:
        if chances.legal == chances.deals:
            judgement = changed(judgement, verdict="legal", open=())
        elif chances.illegal == chances.deals and illegal is not None:
            judgement = judge_move(illegal, move)
    return Weighed(judgement, chances, legal, illegal, seat)


def _seat_of(position: Position, move: str) -> int:
    """Who makes the move."""
    event = _turn(position, move)
    if event is None or event.player not in position.players:
        return position.turn.seat
    return position.players.index(event.player)


def _turn(position: Position, move: str) -> Turn | None:
    """A move as it was read."""
    text = with_player(position, move)
    event = read_line(text, roster=Roster(position.players))[0].event
    return event if isinstance(event, Turn) else None


def _room(position: Position) -> tuple[int, ...]:
    """How many unknown cards there are in each place."""
    return position.stock_size, *position.unknown


def _as_drawn(built: Built, move: str) -> Built:
    """The position with those cards on top of the stock which the move says that it draws."""
    position, event = built.position, _turn(built.position, move)
    drawn = [action.card for action in event.actions if isinstance(action, Draw)] if event else []
    stock = [*reversed(position.stock), *[UNKNOWN] * len(drawn)]
    changes: list[Change] = [
        partial(UnseenPlace(above, in_stock=True).put, card)
        for above, card in enumerate(drawn[: position.stock_size])
        if stock[above] == UNKNOWN != card and position.left(card) > 0
    ]
    return filled(built, *changes) if changes else built


class _Over(Exception):
    """No more questions: there were too many, or what was wanted is found."""


class _Node(NamedTuple):
    """Deals that have something in common, `ways` for each way to deal the rest.

    `places` are those still empty, one card each; of the hand, `unknown` cards are, which are among
    `rest`.
    """

    built: Built
    ways: int
    places: tuple[UnseenPlace, ...]
    unknown: int
    rest: Cards

    @property
    def deals(self) -> int:
        """How many deals these are."""
        left, empty = size(self.rest), len(self.places)
        return self.ways * perm(left, empty) * comb(max(0, left - empty), self.unknown)


@record(frozen=False)
class _Tally:
    """Deals counted by verdict, and the first ones of each."""

    deals: dict[str, int] = fresh(default_factory=lambda: {"legal": 0, "illegal": 0, "open": 0})
    first: dict[str, Built] = fresh(default_factory=dict)

    @property
    def has_both(self) -> bool:
        """Whether there is a deal in which the move is legal, and one in which it is illegal."""
        return {"legal", "illegal"} <= self.first.keys()

    def add(self, verdict: str, deals: int, built: Built) -> None:
        """Counts deals."""
        self.deals[verdict] += deals
        self.first.setdefault(verdict, built)


class _Weighing:
    """One move that is weighed."""

    def __init__(self, built: Built, move: str, seat: int, judgement: Judgement, seed: int) -> None:
        self._built, self._move, self._seat, self._seed = built, move, seat, seed
        self._judgement = judgement
        position = built.position
        self._pool = position.unseen
        drawn = max(0, position.stock_size - judgement.after.position.stock_size)
        self._places = (*places_in_stock(position, drawn), *places_in_pile(position))
        self._unknown = position.unknown[seat]
        self._order = _nearest_first(self._pool, judgement)
        self._left = MOST_QUESTIONS
        self._tally = _Tally()

    def chances(self, *, counts: bool) -> Chances | None:
        """In how many deals the move is legal; None if some were not looked at."""
        built = self._built
        root = _Node(built, 1, self._places, self._unknown, self._pool)
        if not built.position.among and root.deals > 0:
            try:
                with EFFORT.at_most(MOST_EFFORT):
                    self._go_through(root, enough=not counts)
                return Chances(root.deals, exact=True, **self._tally.deals)
            except _Over:
                pass  # deals are drawn by lot
        if not counts and self._tally.has_both:
            return None
        with EFFORT.at_most(MOST_EFFORT):
            sampled = self._sample(enough=not counts)
        number = sum(sampled.values())
        if not counts or not number:
            return None
        return Chances(number, exact=False, seed=self._seed, **sampled)

    # --- counting ---------------------------------------------------------------------------------

    def _go_through(self, node: _Node, *, enough: bool) -> None:
        """Counts the deals of a node; `enough`: until there is one of each verdict."""
        answer = self._judgement
        if node.built is not self._built:
            self._left -= 1
            answer = judge_without_help(node.built, self._move)
            if self._left < 0 or EFFORT.over:
                raise _Over
        if answer.verdict != "open" or not (node.places or node.unknown):
            self._tally.add(answer.verdict, node.deals, node.built)
            if enough and self._tally.has_both:
                raise _Over
            return
        for part in self._parts(node, answer):
            self._go_through(part, enough=enough)

    def _parts(self, node: _Node, answer: Judgement) -> Iterator[_Node]:
        """The deals of a node by what is in one place, or by how many copies the hand has."""
        if node.places:
            place, *others = node.places
            for card in sorted(set(each(node.rest)), key=self._order.__getitem__):
                there = filled(node.built, partial(place.put, card))
                ways, rest = node.ways * count(node.rest, card), node.rest - ONE[card]
                yield _Node(there, ways, tuple(others), node.unknown, rest)
            return
        card = self._asked_about(node.rest, answer)
        copies = count(node.rest, card)
        rest = node.rest - copies * ONE[card]
        for number in range(min(copies, node.unknown), -1, -1):
            unknown = node.unknown - number
            if unknown <= size(rest):
                held = filled(node.built, partial(hold, self._seat, (card,) * number, rest))
                ways = node.ways * comb(copies, number)
                yield _Node(held, ways, (), held.position.unknown[self._seat] and unknown, rest)

    def _asked_about(self, rest: Cards, answer: Judgement) -> Card:
        """The card that may decide the move: one that it presumes, or the nearest to its cards."""
        presumed = [card for _, card in answer.after.position.presumed if count(rest, card)]
        return presumed[0] if presumed else min(each(rest), key=self._order.__getitem__)

    # --- drawing by lot ---------------------------------------------------------------------------

    def _sample(self, *, enough: bool) -> dict[str, int]:
        """Deals drawn by lot, counted by verdict; `enough`: until there is one of each."""
        dice = Dice(self._seed, "chances")
        tally = _Tally(first=self._tally.first)
        drawn = 0
        for _ in range(SAMPLES * _TRIES):
            dealt = deal_unseen(self._built, dice)
            if dealt is None:
                continue
            verdict = judge_without_help(dealt, self._move).verdict
            if EFFORT.over:
                break
            tally.add(verdict, 1, dealt)
            drawn += 1
            if drawn == SAMPLES or (enough and tally.has_both):
                break
        return tally.deals

    def whole(self, verdict: str) -> Built | None:
        """A position with all cards known in which the move has this verdict.

        Of a turn under way, its `begun` has these cards as well; None if they do not tell it.
        """
        built = self._tally.first.get(verdict)
        if built is None or not built.position.unseen:
            return built and self._from_its_beginning(built)
        dice = Dice(self._seed, "witness", verdict)
        for _ in range(_TRIES):
            whole = deal_unseen(built, dice, fitting=True)
            if whole is not None and judge_without_help(whole, self._move).verdict == verdict:
                return self._from_its_beginning(whole)
        return changed(built, begun=None)

    def _from_its_beginning(self, whole: Built) -> Built:
        """A deal with the cards that it had where the turn under way began, if there is one."""
        if whole.begun is None:
            return whole
        return changed(whole, begun=_begun(self._built, whole.position))


def _begun(built: Built, whole: Position) -> tuple[Position, tuple[Action, ...]] | None:
    """Where the turn under way began, with the cards of a deal; None if the deal does not tell."""
    assert built.begun is not None
    before, (start, actions) = built.position, built.begun
    start = start.copy()
    for at, card in enumerate(whole.pile[: len(start.pile)]):
        if start.pile[at] == UNKNOWN:
            UnseenPlace(at, in_stock=False).put(card, start)
    drawn = start.stock_size - before.stock_size
    tops = [*reversed(start.stock), *[UNKNOWN] * drawn][:drawn]
    named = [action.card for action in actions if isinstance(action, Draw)]
    for at, card in enumerate(named[:drawn]):
        if tops[at] == UNKNOWN != card:
            tops[at] = card
            start.reveal(card)
    shown = before.presumed[len(start.presumed) :]
    for seat, hand in enumerate(whole.hands):
        dealt = [card for other, card in shown if other == seat]
        dealt += each(hand - before.hands[seat])
        there, dealt = dealt[: start.unknown[seat]], dealt[start.unknown[seat] :]
        if len(there) < start.unknown[seat] or len(dealt) > tops.count(UNKNOWN):
            return None
        hold(seat, there, EMPTY, start)
        for card in dealt:
            tops[tops.index(UNKNOWN)] = card
            start.reveal(card)
    if UNKNOWN in (*tops, *start.pile):
        return None
    start.stock = [*whole.stock, *reversed(tops)]
    start.seen = start.located()
    return start, actions


def _nearest_first(pool: Cards, judgement: Judgement) -> dict[Card, int]:
    """The cards of a pool in the order in which they may matter to a move: near ones first."""
    line = judgement.after.position.line
    named = set() if line is None or line.event is None else set(cards_of(line.event))

    def distance(card: Card) -> int:
        if card == JOKER or rank_of(card) in map(rank_of, named):
            return 0
        suit = [rank_of(other) for other in named if suit_of(other) == suit_of(card)]
        return min([abs(rank_of(card) - rank) for rank in suit], default=len(RANKS))

    ordered = sorted(sorted(set(each(pool))), key=distance)
    return {card: at for at, card in enumerate(ordered)}
