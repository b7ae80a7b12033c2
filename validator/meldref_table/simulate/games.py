"""Plays whole games: hand after hand until the game is over, who won, and what is paid."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from typing import Final, TypeAlias

from meldref.core import events
from meldref.core.events import Action, Event
from meldref.core.records import changed, fresh, record
from meldref.core.text import in_words
from meldref.engine.judge import Judge
from meldref.position.game import HandRecord, Standing
from meldref.position.model import Position
from meldref.replay.game_score import GameScore
from meldref.replay.reporter import Reporter
from meldref.replay.scores import Scorekeeper, closing_lines
from meldref.rules.game import GameVerdict, stands
from meldref.rules.setup import first_seat, next_dealer, table_size
from meldref.ruleset.model import Ruleset
from meldref_table.simulate.dealing import first_dealer
from meldref_table.simulate.greedy import GreedyPlayer
from meldref_table.simulate.hand import NO_BOTS, HandRun, Tally
from meldref_table.simulate.hand import Steps as HandSteps
from meldref_table.simulate.players import Bot, Chosen, Decision, Player, RandomPlayer
from meldref_table.simulate.rng import Dice

NAMES: Final = ("Ann", "Bob", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal")
MOST_HANDS: Final = 500
"""The most hands of a game; one with no end in sight is left as it is then."""

KINDS: Final[Mapping[str, Callable[[Judge, int, Dice], Player]]] = {
    "random": lambda judge, seat, dice: RandomPlayer(dice),
    "greedy": lambda judge, seat, dice: GreedyPlayer(judge, seat),
}
"""The kinds of player by name."""


@record
class Seats:
    """Who sits at the table: names, the kind of each player (`KINDS`), and outsiders by seat."""

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    bots: Mapping[int, Bot] = NO_BOTS

    @classmethod
    def of(cls, players: Sequence[str | Bot]) -> Seats:
        """Seats of these players, each a kind or an object with `Bot`'s method; they get names.

        Raises:
            TypeError: one of them is neither.
        """
        kinds, bots = [], {}
        for seat, player in enumerate(players):
            wrong = ""
            if isinstance(player, str):
                kinds.append(player)
                if player not in KINDS:
                    wrong = f"there is no kind {player!r}; there are {in_words([*KINDS])}"
            else:
                kinds.append(type(player).__name__)
                bots[seat] = player
                if isinstance(player, type):
                    name = player.__name__
                    wrong = f"{name} is a class; give an object of it, as in {name}()"
                elif not callable(getattr(player, "choose", None)):
                    wrong = f"{kinds[-1]} has no method choose(seen, actions)"
            if wrong:
                raise TypeError(f"player {seat + 1}: {wrong}")
        return cls(names_for(len(players)), tuple(kinds), bots)


def names_for(number: int) -> tuple[str, ...]:
    """Names for a number of players."""
    return NAMES[:number] + tuple(f"P{place}" for place in range(len(NAMES) + 1, number + 1))


@record
class SimulatedHand:
    """A hand that was played, and what the log says of it and after it.

    `game` and `hand` count from 1, `reason` is `out`, `stock`, or `void` for a hand that was
    annulled: no end was in sight, or in a corner of house rules nothing legal could be done.
    `dealer`, `first` and `out` are seats, `scores` go by side (see `sides`; None if a side did
    not play), `totals` are those after the hand. `winners` are sides: of the hand that ended its
    game, else nobody.
    """

    game: int
    hand: int
    lines: tuple[Event, ...]
    dealer: int
    first: int
    reason: str
    out: int | None
    sides: tuple[tuple[int, ...], ...]
    scores: tuple[int | None, ...]
    totals: tuple[int, ...]
    winners: tuple[int, ...]
    tally: Tally


def cannot_play(ruleset: Ruleset, players: int) -> str | None:
    """Why a number of players cannot play this game; None if they can."""
    wrong = table_size(ruleset, players)
    return None if wrong is None else wrong.message


def play_hands(ruleset: Ruleset, seats: Seats, seed: int, hands: int) -> Iterator[SimulatedHand]:
    """Plays a number of hands, in as many games as that takes.

    The last game may be left before its end.
    """
    games = _games(ruleset, seats, seed, count(1))
    return (played for _, played in zip(range(hands), games, strict=False))


def play_games(ruleset: Ruleset, seats: Seats, seed: int, games: int) -> Iterator[SimulatedHand]:
    """Plays a number of whole games, hand by hand."""
    return _games(ruleset, seats, seed, range(1, games + 1))


def _games(
    ruleset: Ruleset, seats: Seats, seed: int, numbers: Iterable[int]
) -> Iterator[SimulatedHand]:
    judge = careful_judge(ruleset, len(seats.names))
    done = 0
    for game in numbers:
        for played in GameRun(judge, seats, seed, game, done).play():
            yield played
            done += 1


Steps: TypeAlias = Generator[Decision | SimulatedHand, Chosen, None]


@record
class Beginning:
    """Where a game goes on from in the middle of a hand.

    `position` has every card in a place; `done` was done in its turn, None if none began. `score`
    is that of the game with the hand under way, `number` that of the hand, `dealer` who dealt it
    (None: nobody knows), and `lines` are its lines so far. `before` is the log before it, if there
    is one. `origin` is what a saved game says of it.
    """

    position: Position
    done: tuple[Action, ...] | None
    score: GameScore
    number: int
    dealer: int | None
    lines: tuple[Event, ...] = ()
    before: str = ""
    origin: Mapping[str, object] = fresh(default_factory=dict)


class GameRun:
    """One game being played: the one of that number from its seed.

    `done` hands were played before it. What is dealt depends only on the seed
    and the number of the hand since the first game, so that hands played by different rules or
    players can be compared. With a `beginning` it goes on from there.
    """

    def __init__(
        self,
        judge: Judge,
        seats: Seats,
        seed: int,
        number: int,
        done: int = 0,
        beginning: Beginning | None = None,
    ) -> None:
        self.judge = judge
        self.names = seats.names
        self.number = number
        self._seed = seed
        self._done = done
        self._beginning = beginning
        self._heading: list[Event] = []
        self._is_over = False
        self._scores = Scorekeeper(self.judge, seats.names, Reporter())
        if beginning is not None:
            self._scores.state = beginning.score
        self._bots = seats.bots
        self._players = [
            KINDS["random" if seat in seats.bots else kind](
                self.judge, seat, Dice(seed, "seat", seat, number)
            )
            for seat, kind in enumerate(seats.kinds)
        ]

    @property
    def standing(self) -> Standing:
        """The game so far."""
        return self._scores.standing

    @property
    def lines(self) -> tuple[Event, ...]:
        """The lines of the hand under way, from where the game began if that is in it."""
        return (*self._heading, *self.run.so_far())

    @property
    def totals_before(self) -> tuple[int, ...]:
        """The totals of the sides before the hand under way; 0 where nobody knows one."""
        return tuple([total or 0 for total in self._scores.before.totals])

    def play(self) -> Iterator[SimulatedHand]:
        """The hands of the game, until it is over, or `MOST_HANDS` were played."""
        steps = self.steps()
        step = after(steps, None)
        while step is not None:
            if isinstance(step, Decision):
                step = after(steps, self.run.decide(step))
            else:
                yield step
                step = after(steps, None)

    def steps(self) -> Steps:
        """The decisions of the game, each answered with a choice, and its hands as they end."""
        first = 1
        if self._beginning is not None:
            first, dealer = self._beginning.number, self._dealer_there(self._beginning)
        else:
            dice = Dice(self._seed, "cut", self.number)
            dealer, self._heading = first_dealer(self.judge, self.names, dice)
        for number in range(first, first + MOST_HANDS):
            before = self._scores.state
            if self._beginning is not None and number == first:
                steps = self._go_on(self._beginning, dealer)
            else:
                self._scores.go_on()
                before = self._scores.state
                active = self._active(self._scores.begin_hand(number))
                if number > first:
                    dealer = self._next_dealer(dealer, active, number)
                self._heading.append(events.HandStart(number, self.names[dealer]))
                steps = self._deal(number, dealer, active)
            ended = yield from steps
            yield self._played(number, dealer, ended=ended, before=before)
            self._heading = []
            if self._is_over:
                return

    def _deal(self, number: int, dealer: int, active: tuple[int, ...]) -> HandSteps:
        """Deals a hand, and plays it."""
        run = self.run = HandRun(self.judge, self.names, self._players, active, self._bots)
        run.hand.number, run.hand.totals = number, self._scores.totals_by_seat()
        run.hand.earlier_buys = self.standing.buys
        hand = self._done + number
        return run.steps(dealer, Dice(self._seed, "deal", hand), self._shuffler(hand))

    def _go_on(self, there: Beginning, dealer: int) -> HandSteps:
        """Goes on with the hand that the game begins in."""
        position = there.position.copy()
        judge = self.judge.for_hand(there.number, position.wild_rank)
        active = tuple(sorted(position.order))
        run = self.run = HandRun(judge, self.names, self._players, active, self._bots)
        run.hand.number, run.hand.dealer = there.number, dealer
        run.hand.totals, run.hand.earlier_buys = self._scores.totals_by_seat(), self.standing.buys
        run.earlier = there.lines
        position.turns = position.turns or int(not position.begins)
        return run.steps_from(position, there.done, self._shuffler(self._done + there.number))

    def _shuffler(self, hand: int) -> Callable[[], Dice]:
        """What gives the dice that make a new stock in a hand."""
        return partial(Dice, self._seed, "reshuffle", hand)

    def _dealer_there(self, there: Beginning) -> int:
        """Who dealt the hand that the game begins in; where nobody knows, somebody."""
        if there.dealer is not None:
            return there.dealer
        return Dice(self._seed, "cut", self.number).pick(sorted(there.position.order))

    def _played(self, number: int, dealer: int, *, ended: bool, before: GameScore) -> SimulatedHand:
        """A hand that is over, counted; the score is as before it if it was annulled."""
        run, judge = self.run, self.judge
        lines = [*self._heading, *run.lines]
        verdict = GameVerdict(over=False)
        scores: tuple[int | None, ...] = (None,) * len(self.standing.sides)
        if ended:
            self._scores.count(run.hand)
            verdict = stands(judge.ruleset, self.standing)
            scores = self._scores.state.hand_scores()
            lines += closing_lines(judge.ruleset, self.standing, scores, verdict)
        else:
            self._scores.state = before
        self._is_over = verdict.over
        totals = tuple(total or 0 for total in self.standing.totals)
        position: Position = run.position
        return SimulatedHand(
            self.number,
            number,
            tuple(lines),
            dealer,
            first_seat(run.judge.binding, dealer, run.hand.active),
            position.end_reason if ended else "void",
            position.out if ended else None,
            self.standing.sides,
            scores,
            totals,
            verdict.winners if verdict.over else (),
            run.tally,
        )

    def _active(self, record: HandRecord) -> tuple[int, ...]:
        """Who plays the next hand: all, those still in, or only the tied (G-SCO-08, O-TIE-02)."""
        playing, seats = record.playing, range(len(self.names))
        return tuple(
            seat for seat in seats if playing is None or self.standing.side_of(seat) in playing
        )

    def _next_dealer(self, dealer: int, active: tuple[int, ...], hand: int) -> int:
        due = next_dealer(self.judge.binding, dealer, self._scores.state.best_of_hand(), active)
        if not due:
            return dealer
        if self.judge.ruleset.deal.next_dealer == "winner":
            return Dice(self._seed, "dealer", self._done + hand).pick(due)
        return due[-1]


def after(steps: Steps, chosen: Chosen) -> Decision | SimulatedHand | None:
    """The next step of a game after what was chosen; None if it is over."""
    try:
        return steps.send(chosen)
    except StopIteration:
        return None


def careful_judge(ruleset: Ruleset, players: int) -> Judge:
    """The judge of players who never do what leaves their turn without a legal end."""
    hands = tuple(
        changed(
            hands,
            changes=tuple(change for change in hands.changes if change.key != "draw.dead_end"),
        )
        for hands in ruleset.hands
    )
    return Judge(
        changed(ruleset, draw=changed(ruleset.draw, dead_end="forbidden"), hands=hands), players
    )
