"""Referees whole turns: who acts, each action in turn, and what was left undone at the end.

A `Referee` has a judge and a position and is fed the lines of one hand. Each violation becomes a
finding; the hand then goes on with the action carried out as recorded, or skipped where the cards
do not allow it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from meldref.core.cards import UNKNOWN, Cards, count
from meldref.core.diagnostics import is_among
from meldref.core.events import (
    Action,
    Buy,
    Call,
    Challenge,
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
from meldref.core.records import NamedTuple, copied, derived, fresh, record
from meldref.engine import unnamed
from meldref.engine.judge import Judge
from meldref.notation.actions import BREAKS_IN, DRAWS
from meldref.notation.writer import write_action
from meldref.position.model import (
    GOING_ON,
    NOT_AHEAD,
    OVER,
    PROVISIONAL,
    UNCOUNTED,
    Position,
    TurnState,
    uncounted,
)
from meldref.position.turn import FROM_STOCK, NOT_DRAWN, Place, actions_of, place_of
from meldref.replay.aftermath import (
    as_meant,
    bring_from_anywhere,
    can_be_done,
    cards_played,
    count_on,
    excuse_attempt,
    follows_from_call,
    forget_mover,
    is_of_another_deck,
    is_there,
    make_room,
    open_if_misread,
)
from meldref.replay.reporter import Reporter
from meldref.rules import calls, draw, out, turn
from meldref.rules.base import Undecided, Violation
from meldref.rules.declare import facts
from meldref.rules.opening import still_lacks
from meldref.rules.stock import nobody_can_draw

_JUDGED_AFTER_THE_END: Final = (
    *("meld", "layoff", "swap", "wild", "discard", "buy.off"),
    *("draw.deep", "draw.top"),
)
"""What may be wrong with plays after the end of a hand, whoever makes them, wherever cards lie."""


class WrongPlay(NamedTuple):
    """A play that was found wrong and carried out: whose, its cards, and the points it brought."""

    seat: int
    cards: Cards
    points: int


@record(frozen=False)
class Referee:
    """Judges the turns of one hand.

    `played_on`: somebody went on playing after the end of the hand; `position` is then a copy of
    the hand's, in which it goes on. `ended_early`: the log ended the hand before it was over.
    `undone` counts the actions that were not carried out as they are written, `wrong_plays` are
    those that were carried out though no rule allows them. `calls` counts those of each seat.
    `astray` is a turn that drew what is not there, so that nobody knows what it brought, `emptied`
    one that kept no card to discard, and was found to; `began` is where a turn began, and its lines
    so far, where house rules may forbid its end.
    """

    judge: Judge
    position: Position
    reporter: Reporter
    played_on: bool = False
    ended_early: bool = False
    undone: int = 0
    wrong_plays: tuple[WrongPlay, ...] = ()
    calls: dict[int, int] = fresh(default_factory=dict)
    astray: TurnState | None = None
    emptied: TurnState | None = None
    began: tuple[Position, list[Line]] | None = None
    ends_are_banned: bool = derived(
        lambda referee: referee.judge.house is not None and bool(referee.judge.house.bans.of_ends)
    )
    nobody_can_draw: Callable[[Position], bool] = derived(
        lambda referee: nobody_can_draw(referee.judge.binding)
    )

    def fork(self, position: Position, reporter: Reporter) -> Referee:
        """A referee of a copy of the hand."""
        other = copied(self)
        other.position = self.position.copy() if self.played_on else position
        other.reporter = reporter
        other.calls = {**self.calls}
        other.began = None
        return other

    def play_turn(self, line: Line, event: Turn, seat: int) -> None:
        """One line of a player's actions."""
        position = self.position
        actions = event.actions
        position.line = line
        position.step = step = 0
        if self.ends_are_banned:
            if position.begins or self.began is None:
                self.began = position.copy(), []
            self.began[1].append(line)
        is_due = position.begins and seat == position.turn.seat and position.ending is GOING_ON
        if is_due and type(actions[0]) not in BREAKS_IN:  # as nearly always
            self.judge.play.begin_turn(position, seat)
            if event.number != position.turns or position.ahead is not NOT_AHEAD:
                self._check_number(event)
        elif not self._begin_or_go_on(event, seat):
            return
        current = position.turn
        current.line = line
        current.step = 0
        steps, plain_steps = self.judge.steps, self.judge.plain_steps
        for action in actions:
            if position.turn is not current:
                if not self._may_act_on(seat, action, current):
                    self._play_beside(actions[step:], seat)
                    return
                current = position.turn
                current.line = line
                current.step = step
            checks, play, meaning = (plain_steps if current.plain else steps)[type(action)]
            if meaning is not None:
                action = meaning(position, action)  # noqa: PLW2901  from here on, as it is meant
            for check in checks:
                violation = check(position, action)
                if violation is not None:
                    violation = open_if_misread(position, violation, action)
                    if isinstance(violation, Undecided):
                        self.reporter.leave_open(line, violation.what)
                        continue
                    self._wrong_action(line, violation, action, actions[step + 1 :])
                    break
            else:
                play(position, action)
            position.step = step = step + 1
        if position.turn.broken is not None:  # a challenge
            self.judge.play.break_off(position)

    def _wrong_action(
        self, line: Line, violation: Violation, action: Action, rest: Sequence[Action]
    ) -> None:
        """Finds an action that breaks a rule, and carries it out where the cards allow it.

        `rest` are those that follow it on the line.
        """
        position = self.position
        if self._rank_unnamed(line, action):
            return
        turn, code = position.turn, facts(violation.code)
        is_lost = follows_from_call(turn, action) or (code.not_there and self.astray is turn)
        if is_lost:
            # What is played came by the draw or call that was found; nobody knows what that brought.
            for _ in position.missing(turn.seat, cards_played(action)):
                position.give(turn.seat, UNKNOWN)
        elif not is_of_another_deck(position, self.judge.copies, violation, action):
            self._report_violation(violation)
        if type(action) is Draw and violation.key == "stock.reshuffle":
            # Only the line of the reshuffle is missing.
            self.judge.play.reshuffle(position)
            self.judge.play.actions[Draw](position, action)
            return
        excuse_attempt(turn, violation, action)
        if violation.code == "out.discard-required":
            self.emptied = turn
        if violation.code == "stock.pass":
            # There may have been a draw that nobody wrote down.
            position.forget_stock()
        self._carry_out(violation, action, rest)
        if code.undone:
            self.undone += 1
            why = "where a move could not be carried out as written"
            self.reporter.doubt = self.reporter.doubt or (line.number, why)

    def _rank_unnamed(self, line: Line, action: Action) -> bool:
        """Whether a wild rank that nobody named may allow a play, which is then left open."""
        judge, position = self.judge, self.position
        if not (isinstance(action, (Meld, LayOff, Swap)) and unnamed.is_unnamed(judge, position)):
            return False
        if not unnamed.read_as_shown(judge, position, action):
            return False
        self.reporter.leave_open(line, f"whether `{write_action(action)}` is legal: {unnamed.WHY}")
        judge.play.actions[type(action)](position, judge.meant(position, action))
        return True

    def _carry_out(self, violation: Violation, action: Action, rest: Sequence[Action]) -> None:
        """Carries out an action found wrong, where the cards allow it."""
        position, code = self.position, facts(violation.code)
        is_lost = False
        if isinstance(action, (Draw, Take)):
            is_lost = code.too_often or not is_there(position, action)
            if violation.code == "turn.draw":
                # It is a second draw in the turn, or one in a turn that has none.
                if is_lost:
                    bring_from_anywhere(position, action.card)
                self._play_beside((action,), position.turn.seat)
                return
        if isinstance(action, (Meld, LayOff, Swap)) and (code.not_there or code.too_often):
            make_room(position, action, rest)
        meant = as_meant(self.judge, position, violation, action)
        if is_lost or meant is None:
            self.astray = position.turn
        if meant is None:
            return
        # A challenge that house rules forbid is carried out: nothing else is wrong with it.
        is_banned = violation.code.startswith("house.") and type(meant) is Challenge
        if is_banned or can_be_done(position, meant):
            self._play_wrong(violation, meant)
        elif type(meant) is Meld:
            # It has its number, so that the melds after it keep theirs.
            position.fill_up(len(position.melds) + 1, position.turn.seat)

    def _play_wrong(self, violation: Violation, action: Action) -> None:
        """Carries out an action found wrong; what is laid by it may be taken back at the table."""
        position = self.position
        seat, points = position.turn.seat, [*position.points]
        is_laid = isinstance(action, (Meld, LayOff)) and position.turn.call is None
        self.judge.play.actions[type(action)](position, action)
        code = facts(violation.code)
        if is_laid and not (code.not_there or code.too_often):
            brought = position.points[seat] - points[seat]
            self.wrong_plays += (WrongPlay(seat, cards_played(action), brought),)

    def _play_beside(self, actions: Sequence[Action], seat: int) -> None:
        """Carries out what a player did besides the turn that is due or under way."""
        position = self.position
        due, begins = position.turn, position.begins
        for action in actions:
            if position.ending is not GOING_ON:
                return
            position.turn = TurnState(seat, source=FROM_STOCK, floater=seat in position.floating)
            if type(action) not in BREAKS_IN and can_be_done(position, action, late=True):
                self.judge.play.actions[type(action)](position, action)
        if position.ending is GOING_ON:
            position.turn, position.begins = due, begins

    def _throw_beside(self, action: Discard, seat: int) -> None:
        """Throws a card where it was found that none is left: so the hand goes on."""
        if self.position.ending is not GOING_ON:
            self._play_on()
        position, card = self.position, action.card
        if card != UNKNOWN and position.left(card) <= 0:
            return
        if card != UNKNOWN:
            position.reveal(card)
        position.give(seat, card)

    def _begin_or_go_on(self, event: Turn, seat: int) -> bool:
        """Begins a turn or a call, or goes on with one; False if nothing of the line is played."""
        position = self.position
        first = event.actions[0]
        kind = type(first)
        if position.ending is OVER and self.ended_early:
            # The early end was found at its line, and the hand goes on.
            self.ended_early = False
            position.ending, position.end_reason, position.out = GOING_ON, "", None
        if kind is Call:
            return self._begin_call(event, seat)
        if kind is Buy and position.ending is GOING_ON:
            self._check_number(event)
            self.judge.play.break_in(position, seat)
            return True
        # A call's turn may be open, and below it the one that it broke into.
        while not position.begins:
            is_new = position.turn.call is not None and kind in DRAWS
            if seat == position.turn.seat and not is_new:
                self._check_number(event)
                return True
            if kind is Challenge or position.ending is not GOING_ON:
                break
            self.close_turn()
        if position.ending is PROVISIONAL and kind is not Challenge:
            position.ending = OVER
        wrong = turn.who_acts(position, seat, first)
        if wrong is not None and not self._passes_where_stuck(first, seat):
            self._report_violation(wrong, seat)
            if wrong.code == "turn.over":
                if position.ending is OVER:
                    self._play_on()
                self._play_beside(event.actions, seat)
                return False
        if kind is Challenge:
            self.judge.play.break_in(position, seat)
            return True
        self.judge.play.begin_turn(position, seat)
        self._check_number(event)
        return True

    def _play_on(self) -> None:
        """The hand is over, and is played on: of what comes, only the plays themselves are judged.

        Whoever went out has cards that nobody knows, and so has the stock. Nothing of it counts.
        """
        self.played_on = True
        position = self.position = self.position.copy()
        if position.out is not None:
            position.hands[position.out] = 0
            position.unknown[position.out] = position.held[position.out] = UNCOUNTED
        position.ending, position.end_reason, position.out = GOING_ON, "", None
        position.stock_size = UNCOUNTED
        position.forget_stock()
        forget_mover(position)

    def _begin_call(self, event: Turn, seat: int) -> bool:
        """Begins a call; False if the hand is over, so that nothing of the line is played."""
        position = self.position
        self.calls[seat] = self.calls.get(seat, 0) + 1
        # A hand that ended because nobody can draw goes on with a call.
        may_go_on = position.called and self.nobody_can_draw(position)
        if position.ending is OVER and not may_go_on:
            self._report_violation(
                Violation("turn.over", f"{event.player} calls after the hand is over"), seat
            )
            self._play_on()
            return False
        hand = position.hands[position.turn.seat]
        named = getattr(event.actions[0], "cards", ())
        is_from_hand = any(
            card not in {UNKNOWN, *position.pile} and count(hand, card) for card in named
        )
        has_drawn = position.turn.has_begun_to_draw
        if position.turn.call is not None or (is_from_hand and has_drawn):
            # What is called is the discard of the open turn, which was not written.
            self.close_turn()
        self._check_number(event)
        self.judge.play.begin_call(position, seat)
        return True

    def _check_number(self, event: Turn) -> None:
        """Checks a written turn number; after a mistake, that or the one due may go on."""
        position = self.position
        number, turns = event.number, position.turns
        if number is None:
            return
        if turns is None:
            position.turns, position.ahead = number, NOT_AHEAD
            return
        ahead_by = number - turns
        if ahead_by not in position.ahead:
            message = f"this is turn {turns} of the hand, not {number}"
            line = position.line
            place = None if line is None else Place(line.number, line.text, number)
            self._report_violation(
                Violation("log.number", message, place=place, written=f"{number}")
            )
        position.ahead = count_on(position.ahead, ahead_by)

    def _passes_where_stuck(self, action: Action, seat: int) -> bool:
        """Whether this is the pass of a player whose turn it is where nobody can go on."""
        position = self.position
        is_due = seat == position.turn.seat
        is_stuck = position.end_reason == "stock" and self.nobody_can_draw(position)
        return type(action) is Pass and is_due and is_stuck

    def _may_act_on(self, seat: int, action: Action, current: TurnState) -> bool:
        """Whether the player of a line may act on in it after its turn is over; if not, it is found."""
        position, name = self.position, self.position.players[seat]
        if current is self.emptied and isinstance(action, Discard):
            self._throw_beside(action, seat)
            return False
        follows_call = current.call is not None and not position.turn.opening
        if position.ending is not GOING_ON and not self._passes_where_stuck(action, seat):
            self._report_violation(
                Violation("turn.over", f"{name} acts after the hand is over"), seat
            )
            self._play_on()
            return False
        is_next = seat == position.turn.seat
        is_own_turn = is_next and (isinstance(action, Discard) or not position.begins)
        wrong = None
        if follows_call and not is_own_turn:
            wrong = calls.does_more(self.judge.binding, action)
        if wrong is None and not is_next:
            due = position.players[position.turn.seat]
            wrong = Violation("turn.order", f"it is {due}'s turn now")
            if position.discarder == seat and position.fresh:
                wrong = Violation("turn.over", f"{name} has discarded, so that turn is over")
        elif wrong is None and position.begins and follows_call and type(action) not in DRAWS:
            wrong = Violation("turn.over", f"{name}'s call is over")
        if wrong is not None:
            self._report_violation(wrong, seat)
            return False
        if position.begins:
            self.judge.play.begin_turn(position, seat)
        return True

    def go_out(self, seat: int) -> None:
        """A player is said to go out in the open turn: nothing is left of a hand nobody counts."""
        position = self.position
        is_open = position.ending is GOING_ON and not position.begins
        if is_open and position.turn.seat == seat and uncounted(position.held[seat]):
            position.hands[seat] = position.unknown[seat] = position.held[seat] = 0
            position.seen = position.located()
            self._report_undone(out.without_discard(self.judge.binding))

    def close_turn(self, *, stops: bool = False) -> None:
        """Ends a turn that was left open, as something else happened: what it still owed is found.

        `stops`: nothing else happened, no more was written. A turn that a call broke into may go on
        then.
        """
        position = self.position
        open_turn = position.turn
        if position.begins or position.ending is not GOING_ON:
            return
        was_broken_into = open_turn.line is not position.line
        if stops and was_broken_into:
            return
        call = open_turn.call
        if open_turn.duty is not None:
            self._report_undone(draw.still_owed(self.judge.ruleset, position, open_turn.duty))
            open_turn.duty = None
        unlaid = calls.unlaid(position)
        self._report_undone(unlaid)
        if position.table_known:
            self._report_undone(still_lacks(self.judge.binding, position))
        held = position.held[open_turn.seat]
        lacks_discard = False
        if call is None or self.judge.ruleset.calls.discard == "required":
            if held and not uncounted(held):
                wrong = self._judge_missing_discard(open_turn)
                self._report_undone(wrong)
                has_drawn = open_turn.has_begun_to_draw
                lacks_discard = wrong.code == "turn.unfinished" and has_drawn
        elif unlaid is None:
            self._report_undone(self.judge.judge_stop(position))
        if lacks_discard:
            # There was one, of any card of the hand, which was not written.
            unwritten = position.unwritten
            position.unwritten = unwritten._replace(discards=True)
            self.judge.play.actions[Discard](position, Discard(UNKNOWN))
            position.unwritten = unwritten
        else:
            self.judge.play.end_turn(position, discarded=False)

    def _last_place(self, open_turn: TurnState) -> Place | None:
        """The last action of a turn that was left open."""
        last = len(actions_of(open_turn.line)) - 1
        return place_of(open_turn.line, last, self.position.turns)

    def _report_undone(self, what: Violation | Undecided | None) -> None:
        """Something that the turn which is open should have done is found at its last action."""
        line, step = self.position.turn.line, self.position.turn.step
        if isinstance(what, Violation):
            place = what.place or place_of(line, step, self.position.turns)
            self._report_violation(what, place=place)
        elif what is not None and line is not None:
            self.reporter.leave_open(line, what.what)

    def _judge_missing_discard(self, open_turn: TurnState) -> Violation:
        """What is wrong with a turn that has no discard."""
        from meldref.moves.can_finish import can_finish  # noqa: PLC0415  rarely needed

        position = self.position
        player = position.players[open_turn.seat]
        if open_turn.source is NOT_DRAWN and open_turn.call is None and not open_turn.opening:
            what = "a second draw" if open_turn.has_begun_to_draw else "a draw"
            message = f"{player}'s turn ends without {what} or a discard"
            return Violation("turn.unfinished", message, key="")
        if open_turn.floater:
            return out.floater_kept(player)
        with self.reporter.suggestions.searching():
            is_stuck = can_finish(self.judge, position) is False
        if is_stuck and still_lacks(self.judge.binding, position) is None:
            from meldref.moves.dead_ends import ban_on_ends  # noqa: PLC0415  as above

            began = self.began
            if began is not None and began[0].turn.seat != open_turn.seat:
                # It is where another player's turn began, that a call broke into.
                began = None
            with self.reporter.suggestions.searching():
                ban = ban_on_ends(self.judge, position, began)
            message = f"{player} has no legal discard left"
            return ban or Violation("out.stuck", message, place=self._last_place(open_turn))
        key = "calls.discard" if open_turn.call is not None else ""
        return Violation("turn.unfinished", f"{player}'s turn ends without a discard", key=key)

    def _report_violation(
        self, violation: Violation, seat: int | None = None, place: Place | None = None
    ) -> None:
        """Reports a violation by the player whose turn it is, or by another seat."""
        position = self.position
        if self.played_on:
            is_conduct = violation.key in facts(violation.code).conduct_by
            if not is_conduct and not is_among(violation.code, _JUDGED_AFTER_THE_END):
                if position.line is not None and violation.code != "log.number":
                    what = f"a play after the end of the hand: {violation.message}"
                    self.reporter.leave_open(position.line, what)
                return
        place = place or position.place
        legal_instead: tuple[str, ...] = ()
        if self.reporter.suggestions.wanted():
            from meldref.moves.suggestions import help_for  # noqa: PLC0415  rarely needed

            with self.reporter.suggestions.searching():
                legal_instead = help_for(self.judge, position, violation, place)
        player = position.players[position.turn.seat if seat is None else seat]
        self.reporter.report_violation(self.judge.ruleset, violation, place, player, legal_instead)
