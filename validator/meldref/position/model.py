"""The position: hands, stock, pile and table, and all that the rules must remember.

`Position` is the one mutable thing of the library. Players are seats, numbered from 0 in the order
of `[Players]`. Known cards are counted sets (see `meldref.core.cards`), unknown ones are numbers: a
hand is what is known of it and how many cards nobody saw.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import IntEnum
from typing import Final

from meldref.core.cards import (
    EMPTY,
    FULL,
    ONE,
    UNKNOWN,
    Card,
    Cards,
    Played,
    Role,
    beside,
    capped,
    cards_text,
    count,
    counted,
    difference,
    each,
    holds,
    played_text,
    size,
    too_many,
)
from meldref.core.events import Line
from meldref.core.records import NamedTuple, changed, copied, fresh, record
from meldref.core.shown import html_of, svg_of, text_of
from meldref.melds import UNPLACED, AcePlace, MeldIndex, Shape
from meldref.position.memory import Count, Deeds, Memory
from meldref.position.moved import HAND, SHOWN, Moved, Spot
from meldref.position.turn import NOT_DRAWN, Called, Duty, Made, Place, Source, place_of
from meldref.position.unwritten import NOTHING, Unwritten

UNCOUNTED = 1_000_000_000
"""How many unknown cards a hand or the stock is said to hold when nobody knows how many (after a
`gap`)."""

MOST_CONTESTED: Final = 64
"""How many cards too many a log may name in a hand before no more of them are played."""
MOST_CARDS: Final = 8 * 52 + FULL
"""How many cards the largest deck has."""

NOBODY: Final = -1
"""Whose a meld is that was not laid, and only has its number."""
NOT_AHEAD: Final = (0,)
"""Where turns are numbered as they are counted."""


def uncounted(number: int) -> bool:
    """Whether a card count means "unknown": it was `UNCOUNTED`, less a few cards played since."""
    return number > UNCOUNTED // 2


class OnTable(NamedTuple):
    """A card of a meld: its role, who scores it, its points, and where it lies as an ace."""

    card: Card
    role: Role
    seat: int
    points: int
    ace_place: AcePlace = UNPLACED


@record
class Hand:
    """A player's hand: the known cards, and how many are unseen (`UNCOUNTED`: unknown)."""

    player: str
    cards: Cards
    unknown: int = 0

    __str__ = text_of
    _repr_html_ = html_of
    _repr_svg_ = svg_of


@record(frozen=False)
class TableMeld:
    """A meld on the table, numbered by its place in `Position.melds`; a wrong one has no `shape`.

    `unseen` says that it may have been extended in turns nobody wrote down, `owned` that it is
    known who laid it, `numbered` that it is known which number it has, `unclear` are the
    places of cards of which nobody knows whose they are, `at_once` how many of its cards, the
    first, were laid at once: at least, and at most.
    """

    seat: int
    shape: Shape | None
    cards: list[OnTable]
    unseen: bool = False
    owned: bool = True
    numbered: bool = True
    unclear: tuple[int, ...] = ()
    at_once: tuple[int, int] = (1, MOST_CARDS)

    def copy(self) -> TableMeld:
        """An independent copy."""
        other = copied(self)
        other.cards = self.cards[:]
        return other

    __str__ = text_of
    _repr_html_ = html_of
    _repr_svg_ = svg_of


class Ending(IntEnum):
    """Whether a hand is over: provisional where a call may still undo the end."""

    NONE = 0
    PROVISIONAL = 1
    OVER = 2


GOING_ON: Final = Ending.NONE
PROVISIONAL: Final = Ending.PROVISIONAL
OVER: Final = Ending.OVER
"""The members by short names: looking a member up in its enum costs more than all else in a
comparison."""


@record(frozen=False)
class CallState:
    """A call under way.

    `wanted` are the cards that still have to be laid, `from_pile` those taken and not laid yet;
    `begun` says that the call was made, `named` on which cards; `excused` that the call itself was
    found wrong; `resume` is the turn it broke into; `unseen` says that it took cards nobody saw.
    """

    wanted: Cards = EMPTY
    from_pile: Cards = EMPTY
    begun: bool = False
    excused: bool = False
    named: tuple[Card, ...] = ()
    resume: TurnState | None = None
    resume_begins: bool = True
    place: Place | None = None
    unseen: bool = False


@record(frozen=False)
class TurnState:
    """One turn: who, what was drawn, what was played so far, what is owed.

    `source` says where what it drew came from, once that is all, and `first` where the first of two
    draws did. `plain` says that it began with a card of the stock, and that nothing in it can be
    owed: nothing was taken, called or exchanged. `inside` says that the cards taken were not only
    the top card; None: nobody knows, since some of the pile was not seen. `held_before` and
    `guesses_before` are the known and the number of unknown cards held before the draw; `plays`
    are those made while a card is owed, `before` is the position before them, not to be changed,
    `swapped` wild cards taken in exchange and not laid yet; `grown` has the number of a meld for
    each card that was laid off on it; `first_meld` is the index of the first meld that may be
    laid in it, None if nobody knows, `broken` the turn that a purchase breaks into; `excused`
    says that a missing draw was found already; `line` and `step` say where its last line stands,
    and where on it the turn continues. `deeds` is what was done in it, for house rules.
    """

    seat: int
    source: Source = NOT_DRAWN
    first: Source = NOT_DRAWN
    plain: bool = False
    taken: tuple[Card, ...] = ()
    inside: bool | None = False
    held_before: Cards = EMPTY
    guesses_before: int = 0
    duty: Duty | None = None
    plays: tuple[Made, ...] = ()
    before: Position | None = None
    call: CallState | None = None
    swapped: Cards = EMPTY
    grown: tuple[int, ...] = ()
    floater: bool = False
    opening: bool = False
    excused: bool = False
    deeds: Deeds | None = None
    first_meld: int | None = None
    broken: TurnState | None = None
    line: Line | None = None
    step: int = 0

    @property
    def has_begun_to_draw(self) -> bool:
        """Whether a card was drawn, though another one may be due."""
        return self.source is not NOT_DRAWN or self.first is not NOT_DRAWN

    def copy(self) -> TurnState:
        """An independent copy."""
        other = copied(self)
        if self.call is not None:
            resume = self.call.resume
            other.call = changed(self.call, resume=None if resume is None else resume.copy())
        if self.broken is not None:
            other.broken = self.broken.copy()
        return other


@record(frozen=False)
class Position:
    """A hand in play.

    `seen` counts every card whose place is known; `copies` is how often the deck has each card, and
    those that a log names too often, which was found. `among` says for some seats which cards their
    unknown ones are among. `stock` are the next cards in reverse (the top last, `UNKNOWN` among
    them), `stock_size` how many there are in all, `stock_of` which cards a stock is made of that
    was made new, `reshuffled` how often one is known to have been. `order` are those who play the
    hand, in the order of turns, `after` is for each seat who plays next.

    `discarder` is who discarded the pile's top card (None: nobody, or unknown), `fresh`
    whether that card is still there; `last` is whose turn ended last, calls in another's turn
    apart, `acted` whose turn or call. `begins` says that the turn's player has not acted yet,
    `mover_known` that it is certain who that is. `final` is the last discard of a player who went
    out, while it can still be called or challenged; `called` is the latest call on the present
    discard, `bought` the purchase that came before the turn that is due or under way, which may not
    take from the pile. `buys` is how often each seat bought a card in this hand, `earlier_buys` in
    those before it, `owing` the purchases of cards that have to be used and were not yet. `line`
    and `step` are the action under way: its line, and its index there;
    `turns` counts the ordinary turns of the hand, the present one included, `ahead` is how far the
    log's numbers may be ahead of that; `laid` how often the table has changed. `memory` is what
    house rules may ask of the hand, if there are any, and `ended` the turn or call that ended
    last. `presumed` are cards that were played out of hands of which nobody knew that they held
    them, each with its seat. `history` has the moves of cards since somebody asked for them (None:
    nobody did). `contested` is how many cards too many were named. `unwritten` is what may have
    happened that the log does not say; the properties say what that leaves known.
    """

    players: tuple[str, ...]
    book: MeldIndex
    copies: tuple[int, ...]
    hands: list[Cards]
    unknown: list[int]
    held: list[int]
    seen: Cards = EMPTY
    among: Mapping[int, Cards] = fresh(default_factory=dict)
    pile: list[Card] = fresh(default_factory=list)
    stock: list[Card] = fresh(default_factory=list)
    stock_size: int = 0
    stock_of: Cards | None = None
    reshuffled: int = 0
    melds: list[TableMeld] = fresh(default_factory=list)
    points: list[int] = fresh(default_factory=list)
    floating: set[int] = fresh(default_factory=set)
    order: tuple[int, ...] = ()
    after: tuple[int, ...] = ()
    turn: TurnState = fresh(default_factory=lambda: TurnState(0))
    begins: bool = True
    mover_known: bool = True
    discarder: int | None = None
    last: int | None = None
    fresh: bool = False
    turns: int | None = 0
    ahead: tuple[int, ...] = NOT_AHEAD
    ending: Ending = GOING_ON
    end_reason: str = ""
    out: int | None = None
    acted: int | None = None
    final: tuple[int, Card] | None = None
    called: Called | None = None
    bought: Called | None = None
    owing: tuple[Called, ...] = ()
    buys: tuple[Count, ...] = ()
    earlier_buys: tuple[Count, ...] = ()
    wild_rank: int | None = None
    hand: int | None = None
    line: Line | None = None
    step: int = 0
    laid: int = 0
    memory: Memory | None = None
    ended: TurnState | None = None
    presumed: tuple[tuple[int, Card], ...] = ()
    history: list[Moved] | None = None
    contested: int = 0
    unwritten: Unwritten = NOTHING

    @property
    def unseen(self) -> Cards:
        """The cards whose place is not known."""
        return sum([max(0, self.left(card)) * ONE[card] for card in range(len(self.copies))])

    @property
    def pile_known(self) -> bool:
        """Whether no more cards may lie in the pile than are known to be there."""
        return not self.unwritten.pile

    @property
    def is_counted(self) -> bool:
        """Whether it is known how many cards the pile, the stock and each hand have."""
        return self.pile_known and not any(map(uncounted, (self.stock_size, *self.unknown)))

    @property
    def can_be_dealt(self) -> bool:
        """Whether it is known how many unseen cards lie in each place, so that deals can be counted."""
        return self.is_counted and self.table_known

    @property
    def table_known(self) -> bool:
        """Whether no meld was laid in turns that nobody wrote down."""
        unwritten = self.unwritten
        return unwritten is NOTHING or not (unwritten.pile or unwritten.melds)

    @property
    def is_recorded(self) -> bool:
        """Whether all turns of the hand are known so far."""
        return self.table_known and not self.unwritten.turns

    @property
    def melds_known(self) -> bool:
        """Whether all melds on the table are known, and who laid each."""
        return self.table_known and all(meld.owned for meld in self.melds)

    def may_have_melded(self, seat: int) -> bool:
        """Whether a player may have laid a meld in turns that nobody wrote down."""
        return seat in self.unwritten.turns and not self.melds_known

    @property
    def in_last_turns(self) -> bool:
        """Whether somebody has gone out, and the others have their last turns (`out.last_turns`)."""
        return self.out is not None and self.ending is GOING_ON

    @property
    def place(self) -> Place | None:
        """The place of the action under way."""
        return place_of(self.line, self.step, self.turns)

    def copy(self) -> Position:
        """An independent copy: what is played on it leaves this one as it is."""
        other = copied(self)
        other.hands = self.hands[:]
        other.unknown = self.unknown[:]
        other.held = self.held[:]
        other.pile = self.pile[:]
        other.stock = self.stock[:]
        other.melds = [meld.copy() for meld in self.melds]
        other.points = self.points[:]
        other.floating = set(self.floating)
        other.turn = self.turn.copy()
        if self.memory is not None:
            other.memory = self.memory.copy()
        if self.history is not None:
            other.history = self.history[:]
        return other

    def note(
        self,
        card: Card,
        origin: Spot,
        target: Spot,
        seat: int,
        place: int = -1,
        meld: int = -1,
        points: int = 0,
    ) -> None:
        """Notes where a card went, if anybody asks for that."""
        if self.history is not None:
            self.history.append(Moved(card, origin, target, seat, place, meld, points))

    def give(self, seat: int, card: Card) -> None:
        """Puts a card, known or not, into a hand. Does not touch `seen`."""
        self.held[seat] += 1
        if card == UNKNOWN or count(self.hands[seat], card) == FULL:
            self.unknown[seat] += 1
            self._may_be_any(seat)
        else:
            self.hands[seat] += ONE[card]

    def give_one_of(self, seat: int, cards: Cards) -> None:
        """Puts one of some cards into a hand, unknown which. Does not touch `seen`."""
        guesses = self._guesses(seat)
        self.give(seat, UNKNOWN)
        if guesses is not None:
            self.among = {**self.among, seat: guesses + cards}

    def lose_one(self, seat: int) -> None:
        """Takes an unknown card out of a hand: any that is left may be one that was there."""
        were, guesses = self.hands[seat], self._guesses(seat)
        self.held[seat] -= 1
        self.unknown[seat] = self.held[seat]
        self.hands[seat] = EMPTY
        self.seen = self.located()
        self._may_be_any(seat)
        if guesses is not None and self.held[seat]:
            self.among = {**self.among, seat: guesses + were}

    def learn(self, seat: int, card: Card) -> None:
        """Notes that one of a hand's unknown cards is this one."""
        if not holds(self.among.get(seat, ONE[card]), ONE[card]):
            self._may_be_any(seat)
        self.unknown[seat] -= 1
        self.reveal(card)
        self.hands[seat] += ONE[card]
        self.note(card, HAND, SHOWN, seat)

    def learn_all(self, seat: int, cards: Cards) -> None:
        """Notes that a hand holds some cards; one that is learned may show what others are."""
        while missing := self.missing(seat, cards):
            self.learn(seat, missing[0])

    def reveal(self, card: Card) -> None:
        """Notes that a card turned up that was unknown until now."""
        if count(self.seen, card) < FULL:
            self.seen += ONE[card]
        for seat, cards in self.among.items():
            if count(cards, card) > self.left(card):
                self._among(seat, difference(cards, ONE[card]))

    def _among(self, seat: int, cards: Cards) -> None:
        """Notes which cards a seat's unknown ones are among.

        Where those are as many, it holds them all.
        """
        if size(cards) > self.unknown[seat]:
            self.among = {**self.among, seat: cards}
            return
        self._may_be_any(seat)
        if size(cards) == self.unknown[seat]:
            self.hands[seat] += cards
            self.seen += cards
            self.unknown[seat] = 0

    def _guesses(self, seat: int) -> Cards | None:
        """The cards that a seat's unknown ones are among; None: any."""
        return self.among.get(seat) if self.unknown[seat] else EMPTY

    def _may_be_any(self, seat: int) -> None:
        if seat in self.among:
            self.among = {other: cards for other, cards in self.among.items() if other != seat}

    def throw(self, card: Card) -> None:
        """Lays a card on the pile; of more cards than any deck has, the lowest is forgotten."""
        self.pile.append(card)
        if len(self.pile) > MOST_CARDS:
            del self.pile[0]

    def contest(self, card: Card) -> None:
        """Records that a log names one copy too many of a card.

        Its copies in hands, pile and stock become unknown cards. After `MOST_CONTESTED` of these
        there is no room for more.
        """
        if self.contested >= MOST_CONTESTED or self.copies[card] >= FULL:
            return
        self.contested += 1
        self.copies = tuple([copies + (other == card) for other, copies in enumerate(self.copies)])
        for seat, hand in enumerate(self.hands):
            for _ in range(count(hand, card)):
                self.hands[seat] -= ONE[card]
                self.unknown[seat] += 1
                self._may_be_any(seat)
        for row in (self.pile, self.stock):
            row[:] = [UNKNOWN if other == card else other for other in row]
        self.seen = self.located()

    def forget_stock(self) -> None:
        """The order of the stock is not known any more."""
        self.stock = []
        self.seen = self.located()

    def unseen_meld(self, number: int) -> bool:
        """Whether a meld of that number may have been laid in turns that nobody wrote down."""
        if self.table_known or number > sum(self.copies):
            return False
        return number > len(self.melds) or not self.melds[number - 1].cards

    def lies_there(self, number: int) -> bool:
        """Whether there is a meld of that number, be it one that could not be laid, or may be."""
        return 0 < number <= len(self.melds) or (number > 0 and self.unseen_meld(number))

    def fill_up(self, melds: int, seat: int | None = None) -> None:
        """Puts melds without cards on the table, unseen or impossible, until there are `melds`.

        `seat` is who tried to lay them; None: nobody knows whose they are. No table has more melds
        than the deck has cards.
        """
        while len(self.melds) < min(melds, sum(self.copies)):
            self.melds.append(TableMeld(seat or 0, None, [], owned=seat is not None))
            self.laid += 1

    def left(self, card: Card) -> int:
        """How many copies of a card have no known place."""
        return self.copies[card] - count(self.seen, card)

    def brought(self, seat: int) -> int:
        """A player's points on the table, with awards for what was done in the hand."""
        earned = () if self.memory is None else self.memory.earned
        return self.points[seat] + sum(award.points or 0 for award in earned if award.seat == seat)

    def take_from_hand(self, seat: int, cards: Cards) -> None:
        """Takes known cards out of a hand; what is not known to be there uses up unknown cards."""
        for card in each(cards):
            self.held[seat] -= 1
            if not count(self.hands[seat], card):
                self.learn(seat, card)
                self.presumed += ((seat, card),)
            self.hands[seat] -= ONE[card]

    def missing(self, seat: int, cards: Cards) -> tuple[Card, ...]:
        """Those of some cards that a hand is not known to hold."""
        hand = self.hands[seat]
        missing: list[Card] = []
        for card in set(each(cards)):
            missing += [card] * (count(cards, card) - count(hand, card))
        return tuple(missing)

    def may_be_held(self, seat: int) -> list[Card]:
        """Each card that a hand holds or, if some of its cards are unknown, may hold."""
        cards = dict.fromkeys(each(self.hands[seat]))
        if self.unknown[seat] > 0:
            among = self.among.get(seat)
            cards |= dict.fromkeys(
                card
                for card in range(len(self.copies))
                if self.left(card) > 0 and (among is None or count(among, card))
            )
        return list(cards)

    def located(self) -> Cards:
        """Every card whose place is known, counted from scratch: what `seen` must be."""
        lying = [card for card in (*self.pile, *self.stock) if card != UNKNOWN]
        for meld in self.melds:
            lying += [laid.card for laid in meld.cards]
        there = counted(lying) if too_many(lying) is None else capped(lying)
        for hand in self.hands:
            there += beside(there, hand)
        return there

    def hand_text(self, seat: int) -> str:
        """A hand as position files have it: `5h 6h ?*5`."""
        cards, unseen = cards_text(each(self.hands[seat])), self.unknown[seat]
        return f"{cards} ?*{unseen}".strip() if unseen > 0 else cards

    def layers(self, meld: TableMeld) -> dict[str, str]:
        """Who laid which cards of a meld, with what wild cards stand for."""
        texts: dict[str, list[str]] = {}
        for laid in meld.cards:
            texts.setdefault(self.players[laid.seat], []).append(
                played_text(Played(laid.card, laid.role))
            )
        return {player: " ".join(cards) for player, cards in texts.items()}

    __str__ = text_of
    _repr_html_ = html_of
    _repr_svg_ = svg_of


@contextmanager
def watched(position: Position) -> Iterator[list[Moved]]:
    """The moves of cards that are made on a position meanwhile."""
    before = position.history
    moves = position.history = []
    try:
        yield moves
    finally:
        position.history = before
        if before is not None:
            before += moves


@contextmanager
def on_turn(position: Position, seat: int, turn: TurnState | None = None) -> Iterator[None]:
    """A position with a player on turn: in a given turn, the one under way, or what is known."""
    under_way, begins = position.turn, position.begins
    if turn is None:
        turn = under_way if under_way.seat == seat else _turn_of(position, seat)
    if turn is not under_way:
        position.turn, position.begins = turn, False
    try:
        yield
    finally:
        position.turn, position.begins = under_way, begins


def _turn_of(position: Position, seat: int) -> TurnState:
    """The turn of a player who is not on turn: the one that ended last, if it is theirs."""
    ended = position.ended
    if ended is not None and ended.seat == seat:
        return ended
    return TurnState(seat, floater=seat in position.floating)


def is_one_taken(position: Position, turn: TurnState, card: Card, twin: str) -> bool | None:
    """Whether a card that the player has is the copy that was taken, by `discard.twin` (P-DISC-05).

    None: open.
    """
    if twin == "forbidden":
        return True
    if twin == "allowed":
        has_both, guesses = count(position.hands[turn.seat], card) > 1, position.unknown[turn.seat]
    else:
        has_both, guesses = count(turn.held_before, card) > 0, turn.guesses_before
    if has_both:
        return False
    return None if guesses > 0 and position.left(card) > 0 else True
