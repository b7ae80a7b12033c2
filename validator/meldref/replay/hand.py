"""One hand of a log: what was dealt, the turns, the assertions, the end and the score."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

from meldref.core.cards import (
    ACE,
    EMPTY,
    JOKER,
    ONE,
    RANKS,
    UNKNOWN,
    Card,
    Cards,
    beside,
    count,
    counted,
    each,
    holds,
    rank_of,
)
from meldref.core.events import (
    ASSERTIONS,
    Assertion,
    AssertScore,
    AssertScores,
    Call,
    Deal,
    Gap,
    Line,
    Missing,
    Reshuffle,
    Show,
    StockOrder,
    Take,
    Turn,
    UpCard,
    WildRank,
)
from meldref.core.records import copied, derived, fresh, record
from meldref.core.text import in_words
from meldref.engine.judge import Judge
from meldref.notation.actions import BREAKS_IN
from meldref.position.memory import SOME, TURNED_UP, Count, new_memory
from meldref.position.model import GOING_ON, OVER, UNCOUNTED, Position, TurnState, uncounted
from meldref.position.setup import (
    empty_position,
    first_to_move,
    known_of,
    next_seats,
    put_hand,
    put_pile,
    put_stock,
)
from meldref.position.turn import Place
from meldref.positions.build import Built
from meldref.replay.aftermath import forget, forget_round
from meldref.replay.assertions import agreeing_cards, check_assertion, check_stock_list
from meldref.replay.reporter import Reporter, whole_line
from meldref.replay.turn import Referee
from meldref.rules import ending
from meldref.rules.base import Undecided, Violation
from meldref.rules.draw import may_be_elsewhere
from meldref.rules.hand import not_known_to_be_there
from meldref.rules.points import awarded, own_values_in_runs
from meldref.rules.setup import cards_dealt, deal_size, first_seat, once_too_often, ranks_shown
from meldref.rules.stock import reshuffle

_MOST_WRONG_PLAYS: Final = 4
"""Of how many wrong plays any may not count; of more, one or all."""
_MOST_DRAWN: Final = 2
"""How many cards of the stock an action brings at most, if it is no purchase: a called discard may."""


@record(frozen=False)
class HandPlay:
    """A hand under way.

    `position` is None until the cards are dealt and the first thing happens; a hand without deal
    and turns is a score sheet and never has one. `full_view`: the log says that all cards are known
    to it. `number` is the hand's, `totals` and `earlier_buys` are those before it, by seat. `first`
    is who took the first turn, `active` are those who play, as far as is known before the deal, and
    `may_be_out` those who may be out of the game: no deal line says that they play. `strangers`
    played a turn and do not play this hand, which is found once. `direction_open`: by another number
    that the hand may have, its turns would pass the other way. `unseen_discards`: the
    log leaves out what was thrown. `named` are all cards that the deal names.
    """

    judge: Judge
    players: tuple[str, ...]
    line: Line
    reporter: Reporter
    dealer: int | None = None
    deals: dict[int, tuple[Line, Deal]] = fresh(default_factory=dict)
    up: tuple[Line, Card] | None = None
    stock: tuple[Line, tuple[Card, ...]] | None = None
    number: int | None = None
    wild_rank: int | None = None
    wild_line: Line | None = None
    full_view: bool = False
    direction_open: bool = False
    totals: tuple[int | None, ...] = ()
    earlier_buys: tuple[Count, ...] = ()
    first: int | None = None
    may_be_out: tuple[int, ...] = ()
    strangers: set[int] = fresh(default_factory=set)
    unseen_discards: bool = False
    named: Cards = EMPTY
    position: Position | None = None
    referee: Referee | None = None
    active: tuple[int, ...] = derived(lambda hand: tuple(range(len(hand.players))))
    seats: dict[str, int] = derived(
        lambda hand: {name: seat for seat, name in enumerate(hand.players)}
    )

    @property
    def started(self) -> bool:
        """Whether anything was dealt or played."""
        return (
            self.position is not None
            or bool(self.deals)
            or self.up is not None
            or self.stock is not None
        )

    def deal(self, line: Line, event: Deal, seat: int) -> None:
        """A player's cards."""
        if self.position is not None:
            self.report_violation(
                line, Violation("setup.deal", "cards are dealt in the middle of a hand", key="")
            )
        elif seat in self.deals:
            self.report_violation(
                line, Violation("setup.deal", f"{event.player} is dealt cards twice", key="")
            )
        else:
            self.deals[seat] = (line, event)

    def play(self, *, whole: bool = True, begins: int | None = None) -> Position:
        """The position, made from the deal when first needed; `whole`: the deal must be complete.

        `begins` is who acts first, where that is known.
        """
        if self.position is None:
            self.adopt(self._deal_out(whole=whole, begins=begins))
        assert self.position is not None
        return self.position

    def judged(self) -> Position:
        """The position that turns are judged by: after the end of the hand, as if it went on."""
        position = self.play()
        return position if self.referee is None else self.referee.position

    def stands(self) -> Built:
        """The position, made from the deal when first needed, with the judge of this very hand."""
        position = self.play()
        return Built(self.judge, position)

    def stands_as_dealt(self) -> Built:
        """Where the hand stands by the deal so far: cards that are not named yet are unknown.

        Nothing is found wrong by asking, and the deal may go on.
        """
        hand = self if self.position is not None else self.fork(self.reporter.fork())
        return hand.stands()

    def as_dealt(self) -> Position:
        """The position that the deal makes so far."""
        return self.stands_as_dealt().position

    def awards_by_end(self, out: int, sides: Sequence[Sequence[int]]) -> Sequence[int | None]:
        """What house rules award each side where nothing is known but who went out; None: open."""
        house = self.judge.house
        if house is None or not house.awards:
            return [0] * len(sides)
        if any(award.rule.at for award in house.awards):
            return [None] * len(sides)
        position = self.as_dealt().copy()
        forget(position)
        position.ending, position.end_reason, position.out = OVER, "out", out
        position.hands[out] = position.unknown[out] = position.held[out] = 0
        return awarded(self.judge.play.worth, position, sides, [None] * len(sides))

    def fork(self, reporter: Reporter) -> HandPlay:
        """An independent copy of the hand."""
        other = copied(self)
        other.reporter = reporter
        other.deals, other.strangers = {**self.deals}, {*self.strangers}
        if self.position is not None and self.referee is not None:
            other.position = self.position.copy()
            other.referee = self.referee.fork(other.position, reporter)
        return other

    def adopt(self, position: Position) -> None:
        """Goes on from a position instead of a deal."""
        self.position = position
        if position.unwritten.discards is not self.unseen_discards:
            position.unwritten = position.unwritten._replace(discards=self.unseen_discards)
        self.referee = Referee(self.judge, position, self.reporter)

    def _deal_out(self, *, whole: bool, begins: int | None) -> Position:
        """A position as the deal lines have it, and as many unknown cards for the other players."""
        if self.deals:
            # Nobody deals cards to a player who is out of the game.
            out = {seat for seat in self.may_be_out if seat not in self.deals}
            self.active = tuple([seat for seat in self.active if seat not in out])
        self._see_wild_rank()
        self.judge = self.judge.for_hand(self.number, self.wild_rank)
        judge = self.judge
        position = empty_position(
            judge.copies,
            self.players,
            judge.book(self.wild_rank),
            judge.order(self.active),
            self.wild_rank,
        )
        first = self._who_is_first(begins)
        for seat in self.active:
            due = self._cards_due(seat, first)
            if seat in self.deals:
                self._deal_hand(position, seat, due)
                continue
            if self.deals and whole and self.full_view:
                missing = Violation("setup.deal", f"{self.players[seat]} has no deal line")
                self.report_violation(self.line, missing)
            size = due[0] if len(due) == 1 else UNCOUNTED
            put_hand(position, seat, EMPTY, size, size)
        self._turn_up(position, whole=whole)
        if any(map(uncounted, position.held)):
            position.stock_size = UNCOUNTED
        position.hand = self.number
        position.earlier_buys = self.earlier_buys or (SOME,) * len(self.players)
        first_to_move(position, first)
        position.turn.opening = True
        position.turns = 0
        position.discarder = None
        if judge.ruleset.house_rules:
            position.memory = new_memory(len(self.players), self.number, self.dealer, self.totals)
            position.memory.thrown = (TURNED_UP,) * len(position.pile)
        return judge.play.turn_due(position)

    def _see_wild_rank(self) -> None:
        """The dealer's first card shows the wild rank, which has to be that of a card dealt so.

        Where another one was named, either may be right, so that nobody knows it.
        """
        shown = self._ranks_shown()
        if self.wild_rank is None and len(shown) == 1:
            self.wild_rank = shown.pop()
        elif shown and self.wild_rank not in {None, *shown}:
            ranks = in_words([RANKS[rank] for rank in sorted(shown)], "or")
            shows = "the dealer's first card shows the wild rank of this hand"
            message = f"{shows}, which is {ranks} by the deal"
            wrong = Violation("wild.role", message, key="melds.wild.named_by")
            self.report_violation(self.wild_line or self.line, wrong)
            self.wild_rank = None

    def _ranks_shown(self) -> set[int]:
        """The wild ranks that the dealer's deal line leaves possible; none if it may be any."""
        if self.dealer not in self.deals:
            return set()
        _, event = self.deals[self.dealer]
        whole = not event.unknown and self.cards_too_many(self.dealer) >= 0
        return ranks_shown(self.judge.ruleset, event.cards, whole=whole)

    def _first_card(self, seat: int | None) -> Card:
        """The first card of a player's deal line."""
        if seat not in self.deals:
            return UNKNOWN
        return next(iter(self.deals[seat][1].cards), UNKNOWN)

    def _cards_due(self, seat: int, first: int | None) -> range:
        """How many cards a player may be dealt by the rules, where `first` acts first."""
        return cards_dealt(
            self.judge.binding,
            len(self.active),
            first=seat == first,
            first_card=self._first_card(seat),
        )

    def cards_too_many(self, seat: int) -> int:
        """How many cards too many a player's deal line has; below 0: too few."""
        dealt, due = (
            _number_dealt(self.deals[seat]),
            self._cards_due(seat, self._who_is_first(None)),
        )
        return dealt - min(max(dealt, due[0]), due[-1])

    @property
    def _first_has_more(self) -> bool:
        """Whether the player who acts first is dealt a card more."""
        return self.judge.ruleset.deal.extra_card == "first_player"

    def _who_is_first(self, begins: int | None) -> int | None:
        """Who acts first: by the dealer, else who has a card more, or `begins`; None: unknown."""
        if self.dealer is not None:
            return first_seat(self.judge.binding, self.dealer, self.active)
        if not self._first_has_more:
            return None
        for seat in self.active:
            due = self._cards_due(seat, None)
            has_one_more = (
                len(due) == 1
                and seat in self.deals
                and _number_dealt(self.deals[seat]) == due[0] + 1
            )
            if has_one_more:
                return seat
        # A player who has a deal line has no card more by it, and so is not first.
        return None if begins in self.deals else begins

    def _deal_hand(self, position: Position, seat: int, due: range) -> None:
        """Deals a player a line's cards; a deal of the wrong size is played as it is written."""
        line, event = self.deals[seat]
        cards = counted(event.cards)
        dealt = _number_dealt(self.deals[seat])
        wrong = deal_size(self.judge.binding, event.player, dealt, due, extra=self._first_has_more)
        if wrong is not None:
            self.report_violation(line, wrong)
        put_hand(position, seat, cards, dealt, event.unknown)
        self._name(position, line, cards)

    def _turn_up(self, position: Position, *, whole: bool) -> None:
        """The card that starts the pile, and the rest of the deck as the stock."""
        is_due = self.judge.ruleset.deal.up_card == "turned"
        if is_due or self.up is not None:
            line, card = self.up or (self.line, UNKNOWN)
            message = ""
            if not is_due:
                message = "no card is turned up in this game"
            elif self.up is None and self.deals and whole:
                message = "no card is turned up"
            if message:
                self.report_violation(line, Violation("setup.deal", message, key="deal.up_card"))
            put_pile(position, (card,))
            self._name(position, line, known_of((card,)))
        # Deal lines with too many cards may leave fewer than none.
        position.stock_size = max(position.stock_size, 0)
        if self.stock is not None:
            line, cards = self.stock
            self._find_too_many(position, line, cards)
            self._name_stock(position, line, cards[: position.stock_size])

    def _find_too_many(self, position: Position, line: Line, cards: tuple[Card, ...]) -> bool:
        """Whether more cards are named for the stock than it has, which is found."""
        size = position.stock_size
        if len(cards) <= size:
            return False
        message = f"the stock has {size} cards, and {len(cards)} are named"
        self.report_violation(line, Violation("setup.deck", message, key="deck.packs"))
        return True

    def _name_stock(self, position: Position, line: Line, cards: tuple[Card, ...]) -> None:
        """The next cards of the stock are these, as a line names them."""
        known_cards = known_of(cards)
        put_stock(position, cards, known_cards)
        self._name(position, line, known_cards)

    def _name(self, position: Position, line: Line, cards: Cards) -> None:
        """Each card of a line is in the deck and named no more often than it is there."""
        self.named += beside(self.named, cards)
        if holds(self.judge.all_copies, self.named):
            return
        wrong: Violation | None = None
        for card in each(cards):
            if count(self.named, card) > position.copies[card]:
                wrong = wrong or once_too_often(self.judge.binding, card, position.copies[card])
                position.contest(card)
        if wrong is not None:
            self.report_violation(line, wrong)

    def turn_up(self, line: Line, card: Card) -> None:
        """`up …`: the card that starts the pile, at the deal or after a full reshuffle."""
        if self.position is None and self.up is None:
            self.up = (line, card)
            return
        position = self.play()
        if self.played_on:
            return
        if position.pile != [UNKNOWN]:
            message = "a card is turned up in the middle of a hand"
            self.report_violation(line, Violation("setup.deal", message, key="deal.up_card"))
            return
        if card == UNKNOWN:
            return
        self.named = position.seen
        position.reveal(card)
        position.pile = [card]
        self._name(position, line, ONE[card])

    def name_stock(self, line: Line, cards: tuple[Card, ...]) -> None:
        """`stock …`: the next cards of the stock, at the deal, after a reshuffle, or any time again.

        Where it is listed otherwise than before, nobody knows which list is right from there on.
        """
        position = self.position
        if position is None:
            listed = () if self.stock is None else self.stock[1]
            self.stock = (line, self._as_listed_twice(line, listed, cards))
            return
        if self.played_on:
            return
        has_too_many = self._find_too_many(position, line, cards)
        if has_too_many:
            return
        cards = self._as_listed_twice(line, tuple(reversed(position.stock)), cards)
        position.forget_stock()
        self.named = position.seen
        self._name_stock(position, line, cards)

    def _as_listed_twice(
        self, line: Line, listed: tuple[Card, ...], again: tuple[Card, ...]
    ) -> tuple[Card, ...]:
        """The next cards of the stock as both lists have them; where these differ, it is found."""
        if not listed:
            return again
        wrong = check_stock_list(listed, again)
        if wrong is not None:
            self.report_violation(line, wrong)
        return agreeing_cards(listed, again)

    def name_wild(self, line: Line, rank: int) -> None:
        """`wild …`: the wild rank of the hand (G-VAR-03)."""
        wild = self.judge.ruleset.melds.wild
        if "named" not in wild.cards:
            self.report_violation(
                line,
                Violation(
                    "wild.role", "no rank is named wild in this game", key="melds.wild.cards"
                ),
            )
        elif self.position is not None or (self.deals and not wild.shown_by_deal):
            when = "first turn" if wild.shown_by_deal else "deal"
            message = f"the wild rank is named before the {when}"
            self.report_violation(line, Violation("wild.role", message))
        else:
            self.wild_rank, self.wild_line = rank, line

    def play_turn(self, line: Line, event: Turn, seat: int) -> None:
        """One line of a player's actions."""
        position = self.position
        if position is None:
            position = self.play(begins=seat)
            self.first = seat if event.number in {None, 1} else None
        if self.direction_open and type(event.actions[0]) not in BREAKS_IN:
            self._see_direction(seat)
        assert self.referee is not None
        if position.unwritten.discards:
            first = event.actions[0]
            if isinstance(first, (Take, Call)) and may_be_elsewhere(position, first):
                forget_round(position, ())
        self.referee.play_turn(line, event, seat)

    def _see_direction(self, seat: int) -> None:
        """Who takes a turn shows which way turns pass, if another number of the hand would turn them."""
        position, referee = self.play(), self.referee
        assert referee is not None
        if not position.begins or not position.mover_known:
            return
        self.direction_open = False
        judge = self.judge.other_way_round()
        order = judge.order(self.active)
        after = next_seats(order, len(self.players))
        due = None
        if position.acted is not None:
            due = after[position.acted]
        elif self.dealer is not None:
            due = first_seat(judge.binding, self.dealer, self.active)
        if seat == due != position.turn.seat:
            self.judge = referee.judge = judge
            position.order, position.after = order, after
            position.turn = TurnState(seat, opening=position.turn.opening)

    def miss_discards(self) -> None:
        """The log leaves out what was thrown: from here, that may have been any card of a hand."""
        self.unseen_discards = True
        if self.position is not None:
            self.position.unwritten = self.position.unwritten._replace(discards=True)

    def close_turn(self, *, stops: bool = False) -> None:
        """Something happens that needs the turn to be over, or what was written just `stops`."""
        if self.referee is not None:
            self.referee.close_turn(stops=stops)

    def reshuffle(self, line: Line) -> None:
        """The pile becomes the new stock (W-BOAT-06), between turns or once the stock is gone."""
        position = self.play()
        if self.played_on:
            return
        wrong = reshuffle(self.judge.binding)(position)
        if wrong is not None:
            self.report_violation(line, wrong)
            if position.stock_size > 0 or wrong.code == "end.late":
                return
        self.judge.play.reshuffle(position)

    @property
    def damaged(self) -> bool:
        """Whether something in the hand could not be played as it was written."""
        return self.reporter.doubt is not None

    @property
    def unsettled(self) -> bool:
        """Whether its scores are open: it was ended too early."""
        return self.referee is not None and self.referee.ended_early

    @property
    def is_unread(self) -> bool:
        """Whether nobody knows how it ended: nothing is written of it, or turns are missing."""
        return self.position is None or not self.position.table_known

    @property
    def rests_on_faults(self) -> bool:
        """Whether some scores are open because of what was found wrong."""
        was_laid = self.referee is not None and bool(self.referee.wrong_plays)
        return self.unsettled or was_laid or bool(self.may_count_less(range(len(self.players))))

    def without_wrong_plays(self) -> Iterator[Position]:
        """How the hand ended if some plays that were found wrong do not count, or all of them.

        Their cards went back to the hand, or lie on the table and bring nothing.
        """
        plays = () if self.referee is None else self.referee.wrong_plays
        parts = range(1, len(plays) + 1) if len(plays) <= _MOST_WRONG_PLAYS else [1, len(plays)]
        for many in parts:
            for some in combinations(plays, many):
                position = self.play().copy()
                for seat, _, points in some:
                    position.points[seat] -= points
                yield position
                for seat, cards, _ in some:
                    for card in each(cards):
                        position.give(seat, card)
                yield position

    def may_count_less_by(self, amount: int, seats: Collection[int]) -> bool:
        """Whether some seats' cards may count so much less."""
        scoring = self.judge.ruleset.scoring
        if amount == 0 and scoring.values[ACE] != scoring.low_ace:
            return False
        return amount in self.may_count_less(seats)

    def may_count_less(self, seats: Collection[int]) -> set[int]:
        """By how much less some seats' cards may count: aces that fit no meld may lie in a run."""
        scoring = self.judge.ruleset.scoring
        of_one = {scoring.values[ACE] - points for points in own_values_in_runs(scoring)}
        if self.position is None:
            return set()
        unclear_aces = 0
        for meld in self.position.melds:
            for laid in meld.cards:
                is_ace = laid.card < JOKER and rank_of(laid.card) == ACE
                fits = meld.shape is not None and laid.role in meld.shape.roles
                if is_ace and laid.seat in seats and not fits:
                    unclear_aces += 1
        of_all: set[int] = set()
        for _ in range(unclear_aces):
            of_all |= of_one | {less + more for less in of_all for more in of_one}
        return of_all

    @property
    def played_on(self) -> bool:
        """Whether the log went on with a hand that was over; nothing of that is carried out."""
        return self.referee is not None and self.referee.played_on

    def gap(self, line: Line) -> None:
        """`gap`: turns nobody wrote down."""
        position = self.judged()
        if position.ending is OVER:
            if not self.played_on:
                self.report_violation(
                    line,
                    Violation(
                        "end.late", "the hand is over, but the log says that turns are missing"
                    ),
                )
            return
        forget(position)

    def skip(self, missing: Missing) -> None:
        """So many turns are missing; if none is, more was done in the one due."""
        position = self.play()
        seats = [position.turn.seat]
        for _ in range(missing.turns):
            seats.append(position.after[seats[-1]])
        forget_round(position, seats[: max(missing.turns, 1)], missing.drawn)
        position.turn = TurnState(seats[-1])
        if position.turns is not None:
            position.turns += missing.turns

    def lose_track(
        self, line: Line, why: str = "which could not be read", *, seat: int | None = None
    ) -> None:
        """A turn that cannot be played: later findings say that they may follow from it.

        `seat` is whose it is, if that is known. Each meld of the line has its number.
        """
        position = self.judged()
        if position.ending is not OVER:
            forget(position, seat)
            if seat is not None:
                from meldref.notation.in_part import melds_named  # noqa: PLC0415  rarely needed

                position.fill_up(len(position.melds) + melds_named(line.text), seat)
        self.reporter.doubt = self.reporter.doubt or (line.number, why)

    def end(self, reason: str, seat: int | None) -> Violation | None:
        """`end …`: whether the hand ended so; it is over now."""
        position = self.play()
        went_out = seat if reason == "out" else None
        if went_out is not None and self.referee is not None:
            self.referee.go_out(went_out)
        self.close_turn()
        wrong = ending.recorded_end(self.judge.binding, position, reason, seat)
        if wrong is not None and self._may_follow_from_undone(wrong, reason):
            wrong = None
        if position.ending is GOING_ON:
            if seat is not None:
                position.out = seat
            position.end_reason = reason
            if went_out is not None and uncounted(position.unknown[went_out]):
                # Nobody counted these cards; now it is known that none is left.
                position.hands[went_out] = position.held[went_out] = position.unknown[went_out] = 0
                position.seen = position.located()
            if self.referee is not None:
                self.referee.ended_early = wrong is not None
        position.ending = OVER
        return None if self.played_on else wrong

    def _may_follow_from_undone(self, wrong: Violation, reason: str) -> bool:
        """Whether an end was too early only because of what could not be played as it is written.

        That may have been what ended the hand, but took only so many cards of the stock.
        """
        if not self.damaged or wrong.code != "end.early":
            return False
        undone = 0 if self.referee is None else self.referee.undone
        left = self.play().stock_size
        most = max(_MOST_DRAWN, self.judge.ruleset.buys.extra)
        return reason != "stock" or uncounted(left) or left <= most * undone

    def end_unsaid(self) -> None:
        """The hand is scored but was not over: it may go on, or turns are missing."""
        assert self.referee is not None
        self.referee.ended_early = True
        self.play().ending = OVER

    def show(self, line: Line, event: Show, seat: int) -> None:
        """Cards a player turns up when the hand is over."""
        position = self.play()
        wanted = known_of(event.cards)
        wrong = not_known_to_be_there(self.judge.binding, position, seat, wanted)
        if wrong is not None:
            self.report_violation(line, wrong, event.player)
            return
        position.learn_all(seat, wanted)

    def check(self, line: Line, event: Assertion) -> None:
        """An `=` line: what is asserted against what the replay has."""
        self._check(line, event, None)

    def check_scores(self, line: Line, event: AssertScores) -> None:
        """An `=` line with the scores of several players: each by itself."""
        for part, (player, points) in enumerate(event.amounts):
            place = Place(line.number, line.text, part=part)
            self._check(line, AssertScore(player, points), place)

    def _check(self, line: Line, event: Assertion, place: Place | None) -> None:
        """What is wrong with an assertion is found at its place; after the end, it is left open."""
        answer = check_assertion(self.judge, self.play(), self.seats, event, damaged=self.damaged)
        if answer is None:
            return
        if isinstance(answer, Undecided):
            self.reporter.leave_open(line, answer.what)
        elif self.played_on:
            self.reporter.leave_open(line, f"after the end of the hand: {answer.message}")
        else:
            wrong = answer if place is None else answer._replace(place=place)
            self.report_violation(line, wrong)

    def report_violation(self, line: Line, violation: Violation, player: str | None = None) -> None:
        """A finding about a whole line."""
        reporter = self.reporter
        legal_moves: tuple[str, ...] = ()
        is_about_stock = violation.code == "stock.reshuffle"
        if is_about_stock and self.position is not None and reporter.suggestions.wanted():
            from meldref.moves.suggestions import moves_of  # noqa: PLC0415  only where needed

            with reporter.suggestions.searching():
                legal_moves = moves_of(self.judge, self.position)
        place = whole_line(line)
        reporter.report_violation(self.judge.ruleset, violation, place, player, legal_moves)


def _number_dealt(deal: tuple[Line, Deal]) -> int:
    """How many cards a deal line gives its player, known and unknown."""
    event = deal[1]
    return len(event.cards) + event.unknown


LINES: Final[Mapping[type, Callable[[HandPlay, Line, Any], None]]] = {
    UpCard: lambda hand, line, event: hand.turn_up(line, event.card),
    StockOrder: lambda hand, line, event: hand.name_stock(line, event.cards),
    WildRank: lambda hand, line, event: hand.name_wild(line, event.rank),
    Reshuffle: lambda hand, line, _: hand.reshuffle(line),
    Gap: lambda hand, line, _: hand.gap(line),
    Missing: lambda hand, _, event: hand.skip(event),
    **dict.fromkeys(ASSERTIONS, HandPlay.check),
    AssertScores: HandPlay.check_scores,
}
"""The lines of a hand that need nothing but the hand."""
