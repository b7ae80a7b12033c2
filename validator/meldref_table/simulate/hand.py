"""Plays one hand out: turns, calls between and in them, reshuffles, until it is over."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from meldref.core import events
from meldref.core.cards import JOKER
from meldref.core.effort import EFFORT
from meldref.core.events import Action, Buy, Call, Draw, Event, Take, Turn, WildRank
from meldref.core.records import record
from meldref.engine.judge import Judge
from meldref.moves.calls import around, buys
from meldref.moves.exhaustive import between_draws
from meldref.position.model import GOING_ON, Position
from meldref.replay.hand import HandPlay
from meldref.replay.reporter import Reporter
from meldref.rules.stock import reshuffles, top_goes_first
from meldref_table.simulate.dealing import NO_LINE, deal, reshuffle
from meldref_table.simulate.players import (
    Bot,
    Chosen,
    Decision,
    Observation,
    Player,
    WrongChoice,
    observe,
)
from meldref_table.simulate.quick_moves.calling import Callers
from meldref_table.simulate.quick_moves.choices import Choices
from meldref_table.simulate.quick_moves.draws import DRAW
from meldref_table.simulate.rng import Dice

DRAWS: Final = tuple(Draw(card) for card in range(JOKER + 1))
NO_BOTS: Final[Mapping[int, Bot]] = {}
MOST_TURNS: Final = 1_000
"""The most turns of a hand; one with no end in sight is annulled then."""
NO_END: Final = events.Void("no end in sight")
NO_LEGAL_MOVE: Final = events.Void("no legal move")
"""How a hand ends in which nothing legal was left to do, as under house rules."""
WILD_RANKS: Final = tuple(WildRank(rank) for rank in range(13))
Steps: TypeAlias = Generator[Decision, Chosen, bool]
Deciding: TypeAlias = Generator[Decision, Chosen, None]


class Stuck(Exception):
    """Why a hand cannot go on: no end in sight, or nothing legal left, as under house rules."""


@record(frozen=False)
class Tally:
    """What happened in a hand, in numbers; `takes`, `draws` and `called` by seat."""

    turns: int
    decisions: int
    draws: list[int]
    takes: list[int]
    called: list[int]


class HandRun:
    """One hand being played by players, recorded as events.

    `lines` are those that were played here, `earlier` those before where it was gone on with. After
    `most_turns` it is annulled.
    """

    def __init__(
        self,
        judge: Judge,
        names: Sequence[str],
        players: Sequence[Player],
        active: tuple[int, ...],
        bots: Mapping[int, Bot] = NO_BOTS,
    ) -> None:
        self.judge = judge
        self.players = players
        self.most_turns = MOST_TURNS
        self._bots = bots
        self._doing: tuple[int | None, int, list[Action]] | None = None
        self.earlier: Sequence[Event] = ()
        self.lines: list[Event] = []
        none = [0] * len(names)
        self.tally = Tally(0, 0, list(none), list(none), list(none))
        self.hand = HandPlay(judge, tuple(names), NO_LINE, Reporter())
        self.hand.active = active
        self._actions = judge.play.actions
        self._due = reshuffles(judge.binding)
        self._dice: Dice | None = None

    def play(self, dealer: int, dice: Dice, shuffler: Callable[[], Dice]) -> bool:
        """Deals, and lets the players play; False where the hand was annulled. See `steps`."""
        return self.decided(self.steps(dealer, dice, shuffler))

    def decided(self, steps: Steps) -> bool:
        """Lets the players decide to the end; what the steps return."""
        chosen: Chosen = None
        while True:
            try:
                decision = steps.send(chosen)
            except StopIteration as end:
                return bool(end.value)
            chosen = self.decide(decision)

    def decide(self, decision: Decision) -> Chosen:
        """What the player chooses.

        `WrongChoice` where one from outside chose what was not offered.
        """
        seat = decision.seat
        if seat not in self._bots:
            return self.players[seat].choose(decision)
        chosen = self._bots[seat].choose(self.observation(seat), decision.actions)
        if chosen not in decision.actions:
            raise WrongChoice(self.hand.players[seat], chosen, decision.actions)
        return chosen

    def observation(self, seat: int) -> Observation:
        """What a seat sees now."""
        return observe(self.hand, [*self.earlier, *self.so_far()], seat)

    def so_far(self) -> list[Event]:
        """The lines of the hand so far, with that of the turn under way."""
        return [*self.lines, *self._under_way()]

    def _under_way(self) -> list[Event]:
        """The line of the turn or call under way, as far as it has come."""
        if self._doing is None or not self._doing[2]:
            return []
        number, seat, done = self._doing
        return [Turn(number, self.hand.players[seat], tuple(done))]

    def _done(self) -> None:
        """Writes down what was done, and that nobody is doing anything."""
        self.lines += self._under_way()
        self._doing = None

    def steps(self, dealer: int, dice: Dice, shuffler: Callable[[], Dice]) -> Steps:
        """Deals and plays: yields each decision, takes what was chosen; False if it was annulled.

        `dice` deal; `shuffler` gives those that make stocks new, and is asked for them once, if at
        all.
        """
        self.judge = self.judge.for_hand(self.hand.number)
        yield from self._name_wild(dealer)
        self.lines += deal(self.hand, self.judge, dealer, dice)
        self.hand.play()
        self.judge = self.hand.judge
        return (yield from self._play_out(shuffler, None))

    def steps_from(
        self, position: Position, done: Sequence[Action] | None, shuffler: Callable[[], Dice]
    ) -> Steps:
        """Goes on from a position as `steps` does.

        `done` was already done in its turn; None if none began.
        """
        self.hand.adopt(position)
        return (yield from self._play_out(shuffler, done))

    def _play_out(self, shuffler: Callable[[], Dice], done: Sequence[Action] | None) -> Steps:
        """Plays until the hand is over; False where it was annulled."""
        position = self.position = self.hand.play()
        self._actions = self.judge.play.actions
        choices = self.choices = Choices(self.judge, position)
        self.callers = Callers(self.judge, position, choices.ends)
        try:
            if done is not None:
                seat = position.turn.seat
                self._doing = (position.turns, seat, [*done])
                yield from self._go_on(seat, self._doing[2])
            yield from self._turns(shuffler)
        except Stuck as why:
            self.lines.append(events.Void(str(why)))
            return False
        reason = position.end_reason
        out = position.out if reason == "out" else None
        self.lines.append(events.HandEnd(reason, None if out is None else position.players[out]))
        wrong = self.hand.end(reason, out)
        assert wrong is None, wrong
        findings = self.hand.reporter.report.findings
        assert not findings, f"a simulated game is found wrong: {findings}"
        return True

    def _turns(self, shuffler: Callable[[], Dice]) -> Deciding:
        """Turns and calls until the hand is over."""
        position, callers = self.position, self.callers
        self._shuffler = shuffler
        while True:
            calls = callers.worth_asking()
            if calls and (yield from self._somebody_calls(calls)):
                continue
            if position.ending is not GOING_ON:
                return
            if self.tally.turns >= self.most_turns or EFFORT.over:
                raise Stuck(NO_END.reason)
            if not top_goes_first(self.judge.ruleset.stock):
                self._reshuffle()
            yield from self._turn()

    def _reshuffle(self) -> None:
        """Reshuffles the pile into the stock before a draw, if the rules say so and it is empty."""
        position = self.position
        if position.stock_size <= 0 and self._due(position) and len(position.pile) > 1:
            self._dice = self._dice or self._shuffler()
            self.lines += reshuffle(self.hand, self.judge, self._dice)

    def _name_wild(self, dealer: int) -> Deciding:
        """The wild rank of the hand is named, unless there is none or the deal shows it (G-VAR-03)."""
        wild = self.judge.ruleset.melds.wild
        if "named" not in wild.cards or wild.shown_by_deal:
            return
        named = yield Decision("wild", dealer, WILD_RANKS)
        assert isinstance(named, WildRank)
        self.hand.name_wild(NO_LINE, named.rank)
        self.lines.append(named)

    def _turn(self) -> Deciding:
        """One turn, from its draw to its end."""
        position, tally, choices = self.position, self.tally, self.choices
        turn = position.turn
        seat = turn.seat
        self.judge.play.begin_turn(position, seat)
        tally.turns += 1
        self._doing = (position.turns, seat, [])
        if not turn.opening or choices.begins_with_draw:
            action = yield self._asked("draw", seat, choices.draws())
            if type(action) is Draw and (yield from self._somebody_buys(seat)):
                self._reshuffle()
                draws = choices.draws()
                action = yield self._asked(
                    "draw", seat, [draw for draw in draws if type(draw) is not Take] or draws
                )
            self._draw(seat, action, self._doing[2])
            while between_draws(position):
                action = yield self._asked("draw", seat, choices.draws())
                self._draw(seat, action, self._doing[2])
            if self.callers.open_after_draw and position.ending is GOING_ON:
                while (yield from self._somebody_calls(self.callers.worth_asking())):
                    self._doing = (None, seat, [])
        yield from self._go_on(seat, self._doing[2])

    def _draw(self, seat: int, action: Chosen, done: list[Action]) -> None:
        """Carries out a draw, with the stock's top card, and adds it to what was done."""
        position, tally = self.position, self.tally
        if type(action) is Draw:
            self._reshuffle()
            action = DRAWS[position.stock[-1]] if position.stock else DRAW
            tally.draws[seat] += 1
        elif type(action) is Take:
            tally.takes[seat] += 1
        assert action is not None
        assert not isinstance(action, WildRank)
        self._actions[type(action)](position, action)
        done.append(action)
        tally.decisions += 1

    def _asked(
        self, kind: Literal["draw", "play"], seat: int, options: Sequence[Chosen]
    ) -> Decision:
        """A decision of the player on turn, who must have something to do."""
        if not options:
            raise Stuck(NO_LEGAL_MOVE.reason)
        return Decision(kind, seat, options, self.choices)

    def _somebody_buys(self, due: int) -> Steps:
        """Asks the others whether they buy the top card, which the player on turn does not want."""
        position, judge = self.position, self.judge
        if judge.ruleset.buys.of == "none" or not position.pile:
            return False
        assert position.turns is not None
        position.begins, position.turns = True, position.turns - 1
        if position.memory is not None:
            position.memory.not_begun(due)
        buyers = [(seat, action) for seat, action in buys(judge, position) if seat != due]
        if judge.ruleset.buys.must == "be_used":
            buyers = [buyer for buyer in buyers if self.choices.can_use(*buyer)]
        bought = False
        for seat, action in buyers:
            self.tally.decisions += 1
            if (yield Decision("buy", seat, (action,), self.choices)) is not None:
                judge.play.break_in(position, seat)
                self._actions[Buy](position, action)
                self.lines.append(Turn(None, position.players[seat], (action,)))
                bought = True
                break
        judge.play.begin_turn(position, due)
        return bought

    def _go_on(self, seat: int, done: list[Action]) -> Deciding:
        """The rest of a turn or call: plays until it is over."""
        position, tally, actions = self.position, self.tally, self._actions
        plays = self.choices.plays
        current = position.turn
        while position.turn is current and position.ending is GOING_ON:
            action = yield self._asked("play", seat, plays())
            tally.decisions += 1
            if action is None:
                self.judge.play.end_turn(position, discarded=False)
                break
            assert not isinstance(action, WildRank)
            actions[type(action)](position, action)
            done.append(action)
        self._done()

    def _somebody_calls(self, calls: Sequence[Call]) -> Steps:
        """Asks the others, from the discarder's left, whether they call one of these.

        Whether one did.
        """
        if not calls:
            return False
        for seat in around(self.position):
            if self._doing is not None and seat == self._doing[1]:
                continue
            allowed = self.callers.allowed(seat, calls)
            if not allowed:
                continue
            call = yield Decision("call", seat, allowed, self.choices)
            self.tally.decisions += 1
            if call is None:
                continue
            assert isinstance(call, Call)
            self._done()
            self._doing = (None, seat, [call])
            self.judge.play.begin_call(self.position, seat)
            self._actions[Call](self.position, call)
            self.tally.called[seat] += 1
            yield from self._go_on(seat, self._doing[2])
            return True
        return False
