"""Plays whole games at random by asking the library which moves are legal, and keeps its own books.

Everything that must hold of any legal game is checked on the way: there is always a legal move,
cards are neither lost nor doubled, points are those of the cards, and nothing that was listed as
legal is found illegal. What comes out is a log.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random

from meldref.answers.listing import turn_moves
from meldref.core import events
from meldref.core.cards import (
    JOKER,
    ONE,
    RANKS,
    UNKNOWN,
    Card,
    Played,
    cards_text,
    count,
    each,
    rank_of,
)
from meldref.core.events import (
    Action,
    Buy,
    Call,
    Discard,
    Draw,
    LayOff,
    Line,
    Meld,
    Pass,
    Swap,
    Take,
    Turn,
)
from meldref.engine.judge import Judge
from meldref.melds import AROUND, HIGH, LOW
from meldref.moves.calls import buys
from meldref.moves.can_finish import can_finish
from meldref.moves.exhaustive import before_draw, draws, plays
from meldref.notation.reader import read_actions
from meldref.notation.writer import write_event
from meldref.position.model import GOING_ON, OVER, PROVISIONAL, Position
from meldref.positions.build import Built
from meldref.replay.hand import HandPlay
from meldref.replay.reporter import Reporter
from meldref.rules.at_once import uses
from meldref.rules.setup import size_by
from meldref.ruleset.model import Ruleset

NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jo")
NO_LINE = Line(0, "", None)


class Stuck(AssertionError):
    """A position in which nothing legal can be done."""


class Wrong(AssertionError):
    """Something that must hold of every legal game does not."""


@dataclass
class Taste:
    """How a walker likes to play."""

    melds: float = 0.75
    takes: float = 0.45
    calls: float = 0.25
    buys: float = 0.2
    few: int = 10
    """Nobody buys who holds more cards than these."""
    turns: int = 60
    """After this number of turns of a hand it draws only from the stock, so that the stock runs out."""
    most_turns: int = 160
    """After this number of turns the hand is left unfinished."""
    numbers: float = 0.5
    asserts: float = 0.05


@dataclass
class Walk:
    """A game being played."""

    ruleset: Ruleset
    players: int
    rng: Random
    names: tuple[str, ...] = ()
    taste: Taste = field(default_factory=Taste)
    lines: list[str] = field(default_factory=list)
    totals: dict[str, int] = field(default_factory=dict)
    calls: int = 0
    bought: int = 0
    claims: int = 0
    """Calls of a last discard, after which the hand went on."""
    unfinished: bool = False

    def __post_init__(self) -> None:
        self.names = self.names or NAMES[: self.players]
        self.judge = Judge(self.ruleset, self.players)
        self.sides = sides(self.ruleset, self.players)
        self.side_names = ["+".join(self.names[seat] for seat in side) for side in self.sides]
        self.totals = dict.fromkeys(self.side_names, 0)

    # --- a game -----------------------------------------------------------------------------------

    def game(self, hands: int) -> list[str]:
        """Plays a number of hands, or fewer if the game is over before; returns their lines."""
        rng = self.rng
        dealers = [self._first_dealer()]
        active = tuple(range(self.players))
        tied: tuple[int, ...] = ()
        for number in range(1, hands + 1):
            dealer = rng.choice(dealers)
            self.write(events.HandStart(number, self.names[dealer]))
            hand = Hand(self, number, dealer, active)
            if not hand.play():
                self.unfinished = True
                break
            scores = hand.scores()
            for name, score in scores.items():
                total = self.totals[name] + score
                self.totals[name] = (
                    max(total, 0) if self.ruleset.scoring.below_zero.total == "forbidden" else total
                )
            playing = {
                name
                for name, side in zip(self.side_names, self.sides, strict=True)
                if set(side) & set(active)
            }
            self.write(
                events.Points("score", tuple((n, s) for n, s in scores.items() if n in playing))
            )
            self.write(events.Points("total", tuple(self.totals.items())))
            over, winners, tied = self._stands(hand, scores, number, tied)
            if over:
                self._finish(winners)
                break
            dealers = self._next_dealers(dealer, scores, active)
            if self.ruleset.game.out_at is not None:
                active = tuple(
                    sorted(seat for side in self._still_in() for seat in self.sides[side])
                )
            if tied and self.ruleset.game.tie.who == "tied":
                active = tuple(sorted(seat for side in tied for seat in self.sides[side]))
                left = self._left(dealer, active)
                dealers = [left] if self.ruleset.deal.next_dealer == "left" else dealers
        return self.lines

    def write(self, event: events.Event) -> None:
        """A line of the log."""
        self.lines.append(write_event(event))

    def _first_dealer(self) -> int:
        deal = self.ruleset.deal
        if deal.first_dealer == "anybody":
            return self.rng.randrange(self.players)
        ranks = self.rng.sample(range(1, 13), self.players)
        order = sorted(range(self.players), key=lambda seat: ranks[seat])
        self.write(
            events.Cut(
                tuple(
                    (self.names[seat], 13 * self.rng.randrange(4) + ranks[seat]) for seat in order
                )
            )
        )
        return order[0] if deal.first_dealer == "lowest" else order[-1]

    def step(self, number: int = 1) -> int:
        """1 where turns go clockwise in a hand, else -1; the deal goes as turns in the first hand."""
        direction = self.ruleset.players.direction
        if direction == "alternates":
            return 1 if number % 2 else -1
        return 1 if direction == "clockwise" else -1

    def _left(self, seat: int, active: Sequence[int], number: int = 1) -> int:
        for distance in range(1, self.players + 1):
            other = (seat + distance * self.step(number)) % self.players
            if other in active:
                return other
        return seat

    def first(self, dealer: int, active: Sequence[int], number: int) -> int:
        """Who has the first turn."""
        if self.ruleset.players.first == "dealer" and dealer in active:
            return dealer
        return self._left(dealer, active, number)

    def _next_dealers(
        self, dealer: int, scores: dict[str, int], active: Sequence[int]
    ) -> list[int]:
        rule = self.ruleset.deal.next_dealer
        if rule == "same":
            return [dealer]
        if rule == "left":
            return [self._left(dealer, range(self.players))]
        best = self._best(scores[self.side_names[self.side(seat)]] for seat in active)
        winners = sorted(
            {self.side(seat) for seat in active if scores[self.side_names[self.side(seat)]] == best}
        )
        return [seat for side in winners for seat in self.sides[side]]

    # --- the end of the game ----------------------------------------------------------------------

    def _stands(
        self, hand: Hand, scores: dict[str, int], played: int, tied: tuple[int, ...]
    ) -> tuple[bool, tuple[int, ...], tuple[int, ...]]:
        """Whether the game is over, who won, who is level at the top."""
        game = self.ruleset.game
        totals = [self.totals[name] for name in self.side_names]
        out = None if hand.position.out is None else self.side(hand.position.out)
        still_in = self._still_in()
        if game.out_at is not None and len(still_in) < 2:
            pass  # the last one in wins
        elif game.ends == "after_hands":
            if played < game.hands[1]:
                return False, (), ()
        elif not tied:
            enough = [
                t >= game.target if game.reached == "at_least" else t > game.target for t in totals
            ]
            if game.winner == "player_out" or game.reached_by == "player_out":
                if (
                    out is None
                    or not enough[out]
                    or (game.winner != "player_out" and out not in still_in)
                ):
                    return False, (), ()
                if game.winner == "player_out":
                    return True, (out,), ()
            elif not any(enough[side] for side in still_in):
                return False, (), ()
        elif game.winner == "player_out":
            return False, (), tied
        among = still_in or sorted({self.side(seat) for seat in hand.active})
        if tied and game.tie.who == "tied" and len(still_in) != 1:
            among = list(tied)
        best = self._best(totals[side] for side in among)
        top = tuple(side for side in among if totals[side] == best)
        if len(top) == 1 or game.tie.by == "sharing":
            return True, top, ()
        if game.tie.by == "melds_then_hand":
            table = [sum(hand.position.points[seat] for seat in self.sides[side]) for side in top]
            left = [side for side, points in zip(top, table, strict=True) if points == max(table)]
            held = [sum(hand.held(seat) for seat in self.sides[side]) for side in left]
            return (
                True,
                tuple(s for s, points in zip(left, held, strict=True) if points == min(held)),
                (),
            )
        return False, (), top

    def _best(self, points: Iterable[int]) -> int:
        return min(points) if self.ruleset.game.winner == "lowest" else max(points)

    def _still_in(self) -> list[int]:
        """The sides that no total has put out of the game."""
        most = self.ruleset.game.out_at
        return [
            side
            for side, name in enumerate(self.side_names)
            if most is None or self.totals[name] <= most
        ]

    def side(self, seat: int) -> int:
        """The side a seat scores for."""
        return next(index for index, side in enumerate(self.sides) if seat in side)

    def _finish(self, winners: tuple[int, ...]) -> None:
        self.write(events.Result(tuple(self.side_names[side] for side in winners)))
        pays, totals = self.ruleset.settlement, [self.totals[name] for name in self.side_names]
        gains = [0] * len(totals)
        if pays.pays == "nothing" or (pays.pays != "prize" and len(winners) > 1):
            return
        if pays.pays == "prize":
            for side in winners:
                gains[side] = pays.prize // len(winners)
        else:
            best = winners[0]
            ratio = pays.ratio if pays.pays == "chips" else 1
            for side, total in enumerate(totals):
                if side != best:
                    lost = (totals[best] + self.ruleset.game.bonus - total) * ratio
                    gains[side] -= lost
                    gains[best] += lost
        self.write(events.Points("chips", tuple(zip(self.side_names, gains, strict=True))))


def sides(ruleset: Ruleset, players: int) -> list[tuple[int, ...]]:
    """Who scores together."""
    if ruleset.partnership.sides == "opposite" and ruleset.partnership.score == "together":
        return [(seat, seat + players // 2) for seat in range(players // 2)]
    return [(seat,) for seat in range(players)]


class Hand:
    """One hand being played."""

    def __init__(self, walk: Walk, number: int, dealer: int, active: tuple[int, ...]) -> None:
        self.walk, self.rng, self.judge = walk, walk.rng, walk.judge.for_hand(number)
        self.ruleset = self.judge.ruleset
        self.active = active
        reporter = Reporter()
        self.findings = reporter.report.findings
        self.hand = HandPlay(self.judge, tuple(walk.names), NO_LINE, reporter)
        self.hand.number, self.hand.dealer, self.hand.active = number, dealer, active
        by_seat = {
            seat: walk.totals[walk.side_names[walk.side(seat)]] for seat in range(walk.players)
        }
        self.hand.totals = tuple(by_seat[seat] for seat in range(walk.players))
        self.open: list[Action] = []
        self.plan: list[Action] = []
        self.turns = 0
        self._deal(dealer)
        self.position = self.hand.play()
        self.judge, self.ruleset = (
            self.hand.judge,
            self.hand.judge.ruleset,
        )  # they know the rank named wild
        self._check()

    def _deal(self, dealer: int) -> None:
        walk, hand, deal = self.walk, self.hand, self.ruleset.deal
        deck = [card for card, copies in enumerate(self.judge.copies) for _ in range(copies)]
        self.rng.shuffle(deck)
        wild = self.ruleset.melds.wild
        if "named" in wild.cards and not wild.shown_by_deal:
            self._name_wild(self.rng.randrange(13))
        first = walk.first(dealer, self.active, self.hand.number or 1)
        for seat in self.active:
            number = deal.cards[len(self.active)]
            if deal.cards_by == "first_card":
                number = self._size_by_first_card(deck, number)
            number += seat == first and deal.extra_card == "first_player"
            event = events.Deal(walk.names[seat], tuple(deck.pop() for _ in range(number)))
            walk.write(event)
            hand.deal(NO_LINE, event, seat)
        if wild.shown_by_deal:
            shown, *_ = hand.deals[dealer][1].cards
            self._name_wild(self.rng.randrange(13) if shown == JOKER else rank_of(shown))
        if deal.up_card == "turned":
            up = deck.pop()
            walk.write(events.UpCard(up))
            hand.turn_up(NO_LINE, up)
        if deck:
            walk.write(events.StockOrder(tuple(deck)))
            hand.name_stock(NO_LINE, tuple(deck))

    def _name_wild(self, rank: int) -> None:
        """The dealer names the wild rank of the hand."""
        self.walk.write(events.WildRank(rank))
        self.hand.name_wild(NO_LINE, rank)

    @staticmethod
    def _size_by_first_card(deck: list[Card], most: int) -> int:
        """Puts a card on top of the deck that has a rank and asks for few enough; how many."""
        fits = [place for place, card in enumerate(deck) if card != JOKER and size_by(card) <= most]
        deck.append(deck.pop(fits[-1]))
        return size_by(deck[-1])

    # --- play -------------------------------------------------------------------------------------

    def play(self) -> bool:
        """Plays the hand out; False where it takes too long."""
        taste, position = self.walk.taste, self.position
        while position.ending is not OVER:
            if self.rng.random() < taste.calls and self._somebody_calls():
                continue
            if position.ending is PROVISIONAL:
                break
            if position.begins:
                self._flush()
                if self._made_new() or self._somebody_buys():
                    continue
                self.turns += 1
                if self.turns > taste.most_turns:
                    return False
                self._assert_something()
            self._act(self._choose())
        self._flush()
        reason = position.end_reason
        self.walk.write(
            events.HandEnd(reason, self.walk.names[position.out] if reason == "out" else None)
        )
        if self.hand.end(reason, position.out) is not None:
            raise Wrong(f"the hand ended by {reason}, and it is found that it did not")
        return True

    def _choose(self) -> Action:
        """A move of the player to move."""
        position, rng, taste = self.position, self.rng, self.walk.taste
        if self.plan:
            return self.plan.pop(0)
        quick = self._quick_draw() if len(position.pile) > 6 or rng.random() < 0.8 else None
        if quick is not None:
            return quick
        moves = self._moves(position)
        if not moves:
            raise Stuck(self.where())
        draws = [move for move in moves if isinstance(move, Draw)]
        takes = [move for move in moves if isinstance(move, Take)]
        ends = [move for move in moves if isinstance(move, (Discard, Pass))]
        plays = [move for move in moves if isinstance(move, (Meld, LayOff, Swap))]
        otherwise = draws or ends
        if (
            takes
            and not (self._hurries() and otherwise)
            and (rng.random() < taste.takes or not otherwise)
        ):
            return rng.choice(takes)
        if draws:
            return rng.choice(draws)
        swaps = [move for move in plays if isinstance(move, Swap)]
        plays = [move for move in plays if not isinstance(move, Swap)] or plays
        if swaps and rng.random() < 0.3:
            return rng.choice(swaps)
        if plays and (not ends or rng.random() < taste.melds):
            return rng.choice(plays)
        return rng.choice(ends)

    def _hurries(self) -> bool:
        return self.turns > self.walk.taste.turns

    def _quick_draw(self) -> Action | None:
        """A draw found without listing every move; where a card must be used, its use is planned with it."""
        judge, rng = self.judge, self.rng
        state = self.position.copy()
        if state.begins:
            judge.play.begin_turn(state, state.turn.seat)
        if not before_draw(state) or (
            state.turn.opening and self.ruleset.deal.first_turn == "no_draw"
        ):
            return None
        options = list(draws(judge, state))
        others = [one for one in options if not isinstance(one, Take)]
        takes = [one for one in options if isinstance(one, Take)]
        if takes and not (others and (self._hurries() or rng.random() >= self.walk.taste.takes)):
            for take in rng.sample(takes, min(len(takes), 6)):
                use = self._use(state, take)
                if use is not None:
                    self.plan = use
                    return take
        if not others:
            return None
        chosen = rng.choice(others)
        return Draw(state.stock[-1]) if isinstance(chosen, Draw) and state.stock else chosen

    def _use(self, state: Position, take: Take) -> list[Action] | None:
        """How a card just taken is used at once, where it has to be; None where the card cannot be taken so."""
        after = state.copy()
        self.judge.play.actions[Take](after, take)
        duty = after.turn.duty
        if duty is None:
            return [] if can_finish(self.judge, after) else None
        ways = [play for play in islice(plays(self.judge, after), 40) if uses(play, duty.card)]
        self.rng.shuffle(ways)
        for way in ways:
            used = after.copy()
            self.judge.play.actions[type(way)](used, way)
            if used.turn.duty is None and can_finish(self.judge, used):
                return [way]
        return None

    def _moves(self, position: Position) -> list[Action]:
        """What the player to move may do next; the stock is made new elsewhere."""
        listed = turn_moves(Built(self.judge, position))
        return [self._first(one.move) for one in listed if one.move != "reshuffle"]

    def _first(self, move: str) -> Action:
        """The first action of a listed move; an unseen card drawn is the stock's top card."""
        actions, findings = read_actions(move)
        if findings:
            raise Wrong(f"a listed move cannot be read: {move}")
        action = actions[0]
        if isinstance(action, Draw) and action.card == UNKNOWN and self.position.stock:
            return Draw(self.position.stock[-1])
        return action

    def _act(self, action: Action, seat: int | None = None) -> None:
        """Does one thing, as a line of its own, and looks at what became of the cards."""
        position = self.position
        seat = position.turn.seat if seat is None else seat
        before = self.where()
        event = Turn(None, self.walk.names[seat], (action,))
        if self.open and (seat != self.actor or isinstance(action, (Buy, Call))):
            self._flush()
        if not self.open:
            self.actor = seat
            self.numbered = position.begins and not isinstance(action, (Buy, Call))
        self.hand.play_turn(Line(0, "", event), event, seat)
        self.open.append(action)
        for found in self.findings:
            raise Wrong(f"{action} was listed as legal: {found.code} {found.message}\n{before}")
        self._check()

    def _flush(self) -> None:
        """Writes what the player at the table has done so far."""
        if not self.open:
            return
        number = None
        if self.numbered and self.rng.random() < self.walk.taste.numbers:
            number = self.position.turns
        self.walk.write(Turn(number, self.walk.names[self.actor], tuple(self.open)))
        self.open = []

    def _made_new(self) -> bool:
        """The pile becomes the stock, where that is empty and the rules say so."""
        position, how = self.position, self.ruleset.stock.reshuffle
        if position.stock_size or how == "never" or len(position.pile) < 2:
            return False
        moved = position.pile[:-1] if how == "but_top" else list(position.pile)
        self.rng.shuffle(moved)
        self.walk.write(events.Reshuffle())
        self.hand.reshuffle(NO_LINE)
        if how == "turn_over":
            moved = []  # its order is known
        if how == "whole_pile":
            up = moved.pop()
            self.walk.write(events.UpCard(up))
            self.hand.turn_up(NO_LINE, up)
        if moved:
            self.walk.write(events.StockOrder(tuple(moved)))
            self.hand.name_stock(NO_LINE, tuple(moved))
        for found in self.findings:
            raise Wrong(f"a reshuffle was found wrong: {found.code} {found.message}")
        self._check()
        return True

    def _assert_something(self) -> None:
        position, walk, rng = self.position, self.walk, self.rng
        if rng.random() >= walk.taste.asserts:
            return
        seat = rng.choice(self.active)
        cards = tuple(each(position.hands[seat]))
        lines: list[events.Event] = [
            events.AssertHand(walk.names[seat], len(cards)),
            events.AssertHand(walk.names[seat], None, cards),
            events.AssertPile(tuple(position.pile)),
            events.AssertStock(position.stock_size),
            events.AssertScore(walk.names[seat], position.points[seat]),
        ]
        if position.melds:
            number = rng.randrange(len(position.melds))
            laid = position.melds[number].cards
            lines.append(
                events.AssertTable(number + 1, tuple(Played(one.card, one.role) for one in laid))
            )
        walk.write(rng.choice(lines))

    # --- out of turn ------------------------------------------------------------------------------

    def _somebody_buys(self) -> bool:
        """One of those who may buy the last discard does; tells whether."""
        if (
            self.ruleset.buys.of == "none"
            or self._hurries()
            or self.rng.random() >= self.walk.taste.buys
        ):
            return False
        few = self.walk.taste.few
        offers = [
            one for one in buys(self.judge, self.position) if self.position.held[one[0]] <= few
        ]
        if not offers:
            return False
        seat, action = self.rng.choice(offers)
        held, extra = self.position.held[seat], self.ruleset.buys.extra
        self._act(action, seat)
        self._flush()
        if self.position.held[seat] != held + 1 + extra:
            raise Wrong(f"a buyer takes the discard and {extra} of the stock\n{self.where()}")
        self.walk.bought += 1
        return True

    def _somebody_calls(self) -> bool:
        """One of the others calls, where a call can be made and seen through; tells whether."""
        position, rng = self.position, self.rng
        if self.ruleset.calls.of == "none" or not position.pile or position.turn.call is not None:
            return False
        for seat in rng.sample(self.active, len(self.active)):
            for cards in self._callable(seat):
                actions = self._seen_through(seat, Call(tuple(cards)))
                if actions is not None:
                    self.walk.claims += position.ending is PROVISIONAL
                    for action in actions:
                        self._act(action, seat)
                    self._flush()
                    self.walk.calls += 1
                    return True
        return False

    def _callable(self, seat: int) -> Iterator[tuple[int, ...]]:
        """Cards of the pile that somebody could think of calling, most likely first."""
        pile = self.position.pile
        yield pile[-1:]  # type: ignore[misc]
        singles = [(card,) for card in set(pile)]
        sets = list({tuple(played.card for played in meld) for meld in self._melds_of_pile()})
        candidates = [*singles, *sets]
        yield from self.rng.sample(candidates, min(len(candidates), 8))

    def _melds_of_pile(self) -> Iterator[tuple[Played, ...]]:
        """Small natural melds of the pile's upper cards."""
        book, cards = self.position.book, 0
        for card in self.position.pile[-12:]:
            if not book.is_wild(card):
                cards += ONE[card]
        for meld in book.melds_in(cards):
            if len(meld) <= 4 and all(played.role in (None, played.card) for played in meld):
                yield meld

    def _seen_through(self, seat: int, call: Call) -> list[Action] | None:
        """The call and what the caller does because of it; None where there is no such call."""
        trial = self.position.copy()
        judge = self.judge
        if trial.ending is OVER:
            return None
        judge.play.begin_call(trial, seat)
        if judge.violation(trial, Call(tuple(call.cards))) is not None:
            return None
        done: list[Action] = [Call(tuple(call.cards))]
        judge.play.actions[Call](trial, done[0])
        ours = trial.turn
        while (
            trial.turn is ours
            and trial.ending is not OVER
            and (ours.call.wanted or not self._may_stop(trial))
        ):
            moves = self._moves(trial)
            wanted = (
                [one for one in moves if not isinstance(one, Discard)]
                if ours.call.wanted
                else moves
            )
            if not wanted:
                return None
            action = self.rng.choice(wanted)
            judge.play.actions[type(action)](trial, action)
            done.append(action)
            if trial.turn is not ours:
                break
        return done

    def _may_stop(self, trial: Position) -> bool:
        return self.ruleset.calls.discard == "none" and self.rng.random() < 0.7

    # --- what must hold ---------------------------------------------------------------------------

    def _check(self) -> None:
        """No card is lost, each place has as many as it says, and points are those of the cards."""
        position = self.position
        if position.seen != position.located():
            raise Wrong(
                f"cards are counted as known that lie nowhere, or the other way round\n{self.where()}"
            )
        table = sum(len(meld.cards) for meld in position.melds)
        if sum(position.held) + len(position.pile) + position.stock_size + table != sum(
            position.copies
        ):
            raise Wrong(f"the cards are not as many as the deck has\n{self.where()}")
        if any(count(position.seen, card) > copies for card, copies in enumerate(position.copies)):
            raise Wrong(f"a card is there more often than the deck has it\n{self.where()}")
        for seat in range(len(position.held)):
            if (
                len(list(each(position.hands[seat]))) + position.unknown[seat]
                != position.held[seat]
            ):
                raise Wrong(f"a hand has another number of cards than is counted\n{self.where()}")
        if any(meld.shape is None for meld in position.melds):
            raise Wrong(f"a legal meld is none\n{self.where()}")
        self._check_points()

    def _check_points(self) -> None:
        position, scoring = self.position, self.ruleset.scoring
        sums = [0] * len(position.points)
        for meld in position.melds:
            for laid in meld.cards:
                sums[laid.seat] += laid.points
            aces = (
                scoring.four_aces is not None
                and [rank_of(one.card) for one in meld.cards] == [0] * 4
            )
            if scoring.four_at_once > 1 or (aces and all(one.card != JOKER for one in meld.cards)):
                continue
            for laid in meld.cards:
                if laid.points != self._worth(laid):
                    raise Wrong(f"{laid} is worth {self._worth(laid)}\n{self.where()}")
        if sums != position.points:
            raise Wrong(
                f"points are {position.points}, the cards on the table {sums}\n{self.where()}"
            )

    def _worth(self, laid: object) -> int:
        scoring = self.ruleset.scoring
        card, role = laid.card, laid.role  # type: ignore[attr-defined]
        if card != role and scoring.wild == "represented":
            card = role if role < JOKER else role - 64
        if card % 13 == 0 and card != JOKER:
            places = {LOW: scoring.low_ace, HIGH: scoring.high_ace, AROUND: scoring.around_ace}
            own = places.get(laid.ace_place)  # type: ignore[attr-defined]
            return scoring.values[card] if own is None else own
        return scoring.values[card]

    def held(self, seat: int) -> int:
        """What the cards a player holds are worth."""
        return sum(self.ruleset.scoring.held[card] for card in each(self.position.hands[seat]))

    def scores(self) -> dict[str, int]:
        """The hand's score by side, worked out from the cards."""
        walk, position, scoring = self.walk, self.position, self.ruleset.scoring
        hands = [sum(self.held(seat) for seat in side) for side in walk.sides]
        counts = scoring.melds == "count"
        scores = [
            sum(position.points[seat] for seat in side) if counts else 0 for side in walk.sides
        ]
        out = next((i for i, side in enumerate(walk.sides) if position.out in side), None)
        if scoring.hands == "subtract":
            scores = [score - held for score, held in zip(scores, hands, strict=True)]
        elif scoring.hands == "add":
            scores = [score + held for score, held in zip(scores, hands, strict=True)]
        elif scoring.hands == "to_player_out" and out is not None:
            partner = None
            if self.ruleset.partnership.sides == "opposite":
                players = len(position.players)
                partner = (position.out + players // 2) % players
            for side, held in zip(walk.sides, hands, strict=True):
                if position.out not in side and partner not in side:
                    scores[out] += held
        elif (
            scoring.hands == "to_player_out"
            and scoring.nobody_out == "two_exchange"
            and len(scores) == 2
        ):
            scores = [scores[0] + hands[1], scores[1] + hands[0]]
        if out is not None:
            scores[out] += self.ruleset.out.bonus
        if scoring.below_zero.hand == "forbidden":
            scores = [max(score, 0) for score in scores]
        return {
            name: score // scoring.divide_by
            for name, score in zip(walk.side_names, scores, strict=True)
        }

    def where(self) -> str:
        """The position in words, for a message."""
        position = self.position
        hands = "; ".join(
            f"{n}: {cards_text(each(h))}"
            for n, h in zip(self.walk.names, position.hands, strict=True)
        )
        melds = "; ".join(
            " ".join(f"{cards_text([one.card])}={one.role}" for one in meld.cards)
            for meld in position.melds
        )
        wild = "" if position.wild_rank is None else f" wild {RANKS[position.wild_rank]}"
        return (
            f"to move {self.walk.names[position.turn.seat]}{wild}\nhands {hands}\n"
            f"pile {cards_text(position.pile)}\n"
            f"melds {melds}\nstock {position.stock_size} floating {position.floating}\n"
            + "\n".join(self.walk.lines[-40:])
        )


def walk_game(
    ruleset: Ruleset,
    players: int,
    seed: object,
    hands: int = 2,
    headers: Sequence[tuple[str, str]] = (),
    names: tuple[str, ...] = (),
    taste: Taste | None = None,
) -> tuple[str, Walk]:
    """A random legal game as the text of a log, and the walk."""
    rng = Random(str(seed))
    walk = Walk(ruleset, players, rng, names, taste or Taste())
    lines = [write_event(events.Header(key, value)) for key, value in headers]
    lines.append(write_event(events.Header("Players", ", ".join(walk.names))))
    game = walk.game(hands)
    return "\n".join([*lines, *game]) + "\n", walk


__all__ = ["GOING_ON", "Stuck", "Taste", "Walk", "Wrong", "walk_game"]
