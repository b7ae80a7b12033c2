"""Referees whole turns: who acts, each action in turn, and what was left undone when a turn is over.

A `Referee` has a judge and a position and is fed the lines of one hand. Each violation becomes a finding; the
hand then goes on with the action carried out as recorded, or skipped where the cards do not allow it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from meldref.core.cards import UNKNOWN, count
from meldref.core.diagnostics import Finding
from meldref.core.effort import Suggestions
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
from meldref.engine.judge import Judge, finding
from meldref.notation.actions import BREAKS_IN, DRAWS
from meldref.position.model import GOING_ON, NOT_AHEAD, OVER, PROVISIONAL, Position, uncounted
from meldref.position.turn import NOT_DRAWN, Place, TurnState, place_of
from meldref.replay import order
from meldref.replay.aftermath import (
    can_be_done,
    contest,
    counts_on,
    doubts,
    draws_late,
    follows_from_call,
    forget_round,
    is_there,
    lay_unheld,
    leave_out,
    of_another_deck,
    played,
    take_some,
    tried,
)
from meldref.replay.mislaid import Mislaid
from meldref.rules import calls, draw, out, turn
from meldref.rules.base import Undecided, Violation
from meldref.rules.declare import facts
from meldref.rules.opening import still_lacks
from meldref.rules.stock import nobody_can_draw

Report = Callable[[Finding], None]
Unsure = Callable[[Line, str], None]


_SHOW_MISSING_TURNS: Final = frozenset(("draw.pile", "log.number", "log.name", "layoff.fit", "call.nothing"))


class Referee:
    """Judges the turns of one hand.

    `doubt` is the first line after which the position may not be what it was at the table, and why: an action
    was skipped, or a line could not be read. Later findings say so. `calls` counts those of each seat.
    """

    def __init__(
        self, judge: Judge, position: Position, report: Report, unsure: Unsure, suggestions: Suggestions
    ) -> None:
        self.judge = judge
        self.position = position
        self.doubt: tuple[int, str] | None = None
        self._astray: TurnState | None = None  # a turn that took what is not there: nobody knows what it brought
        self.played_on = False  # somebody went on playing after the end of the hand
        self.ended_early = False  # the log ended the hand before it was over
        self.mislaid = Mislaid(judge, position)
        self.calls: dict[int, int] = {}
        self.slip: order.OutOfTurn | None = None
        self._jump = 0, 0  # by how much a number was ahead, and how many cards the stock had then
        self._called: Position | None = None  # before the last call, until something in a line is found wrong
        self.tries = order.MOST_TRIES  # how often a line may still be tried as that of another player
        self._misnamed = -1, 0  # whose name a turn has that is another's, and which turn
        self._report = report
        self._unsure = unsure
        self._suggestions = suggestions
        self._steps, self._plain_steps = judge.steps, judge.plain_steps
        self._begin_turn = judge.play.begin_turn
        self._nobody_can_draw = nobody_can_draw(judge.binding)

    def turn(self, line: Line, event: Turn, seat: int) -> None:
        """One line of a player's actions."""
        position = self.position
        actions = event.actions
        previous, position.line = position.line, line
        position.step = step = 0
        if (
            position.begins
            and seat == position.turn.seat
            and type(actions[0]) not in BREAKS_IN
            and position.ending is GOING_ON
        ):
            self._begin_turn(position, seat)
            if event.number != position.turns or position.ahead is not NOT_AHEAD:
                if self.slip is not None and order.swapped(self, line, event, seat, (position.turns or 0) - 1):
                    return
                self._number(event)
        elif not self._opens(event, seat, previous):
            return
        current = position.turn
        current.line = line
        current.step = 0
        steps, plain_steps = self._steps, self._plain_steps
        for action in actions:
            if position.turn is not current:
                if not self._goes_on(seat, action, current):
                    self.mislaid.played_late(actions[step:], seat, drawn=current.source is not NOT_DRAWN)
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
                    if isinstance(violation, Undecided):
                        self._unsure(line, violation.what)
                        continue
                    if self._called is not None and self._called_by_another(violation, line, seat):
                        return
                    self._wrong_action(line, violation, action)
                    break
            else:
                play(position, action)
            position.step = step = step + 1
        if position.turn.broken is not None:  # a challenge
            self.judge.play.break_off(position)

    def _wrong_action(self, line: Line, violation: Violation, action: Action) -> None:
        """An action that breaks a rule: it is found, and carried out as recorded where the cards allow it."""
        position = self.position
        while (
            self._turns_missing(violation, action)
            or draws_late(position, violation.code, action)
            or self.mislaid.laid_late(violation, action)
        ):
            again = self.judge.violation(position, action)
            if again is None:
                self.judge.play.actions[type(action)](position, action)
                return
            violation = again
        astray = facts(violation.code).not_there and self._astray is position.turn
        follows = astray or of_another_deck(position, self.judge.copies, violation, action)
        called = follows_from_call(position.turn, action)
        rests = self.mislaid.rests_on(violation, action)
        if rests:
            self._unsure(line, rests)
        elif not follows and not called:
            self._found(violation)
        if type(action) is Draw and violation.key == "stock.reshuffle":  # only the line is missing
            self.judge.play.reshuffle(position)
            self.judge.play.actions[Draw](position, action)
            return
        tried(position.turn, violation, action)
        not_drawn = violation.code == "turn.draw" and type(action) not in DRAWS
        if not_drawn or violation.code == "stock.pass":  # the draw may only not have been written
            leave_out(position, Draw(UNKNOWN))
            draws_late(position, "hand.missing", action)
        if astray or called:  # it came of the take or call that brought nobody knows what
            for _ in position.missing(position.turn.seat, played(action)):
                position.give(position.turn.seat, UNKNOWN)
        self._carry_out(violation, action, contested=astray)
        if facts(violation.code).undone:
            self.doubt = self.doubt or (line.number, "where a move could not be carried out as written")

    @property
    def perhaps_skipped(self) -> bool:
        """Whether turns may be missing, though nothing but the order of turns has shown it so far."""
        by, position = self._jump[0], self.position
        return by > 0 and by == position.ahead[-1] and position.pile_known

    def _turns_missing(self, violation: Violation, action: Action) -> bool:
        """Whether turns may be missing that only show in where cards lie: as after a gap, then."""
        position, (by, size) = self.position, self._jump
        drawn = order.not_drawn(position, action, by) if violation.code == "draw.stock" else 0
        if not self.perhaps_skipped:
            return False
        if not (drawn or facts(violation.code).not_there or violation.code in _SHOW_MISSING_TURNS):
            return False
        if by >= len(position.order) and position.stock and position.stock_size != size:  # as listed
            return False
        forget_round(position, drawn)
        return True

    def _carry_out(self, violation: Violation, action: Action, *, contested: bool) -> None:
        """Carries out an action that was found wrong, where the cards allow it, unless it is a draw too many."""
        position = self.position
        if isinstance(action, (Draw, Take)):
            if violation.code == "turn.draw" or not is_there(position, action):
                leave_out(position, action)
            if violation.code == "turn.draw":
                return
        if contested or (facts(violation.code).too_often and type(action) is not Discard):
            contest(position, action)
        self.mislaid.note(violation, action)
        if violation.code == "hand.missing" and isinstance(action, (Meld, LayOff, Swap)):
            lay_unheld(position, action)
        meant = self.mislaid.as_meant(violation, action) if isinstance(action, (LayOff, Swap)) else action
        if meant is None:
            return
        action = meant
        if isinstance(action, Take) and not is_there(position, action):
            self._astray = position.turn
            if take_some(position, action):
                return
            if position.pile:
                self.mislaid.may_hold(position.turn.seat)
        banned = violation.code.startswith("house.") and type(action) is Challenge  # nothing else is wrong with it
        if banned or can_be_done(position, action):
            self.judge.play.actions[type(action)](position, action)
        elif type(action) is Meld:  # it keeps its number, so that those after it keep theirs
            position.fill_up(len(position.melds) + 1, position.turn.seat)

    def _opens(self, event: Turn, seat: int, previous: Line | None) -> bool:
        """Opens a line that does not begin the turn that is due.

        It goes on with a turn, begins another one, or a call; False where nothing of it is played.
        """
        position = self.position
        first = event.actions[0]
        kind = type(first)
        may_be_over = position.ending is OVER or kind not in {Call, Challenge}
        if not (may_be_over and self.mislaid.reopens()) and position.ending is OVER:
            if self.ended_early:  # the log goes on with a hand that it ended too early, which was found then
                self.ended_early = False
                position.ending, position.end_reason, position.out = GOING_ON, "", None
            elif self.played_on:
                return False
        if kind is Call:
            return self._opens_call(event, seat)
        if kind is Buy and position.ending is GOING_ON:
            self._number(event)
            self.judge.play.break_in(position, seat)
            return True
        if not position.begins:
            goes_on = position.turn.call is None or kind not in DRAWS  # a draw begins a turn, and is in no call
            if (position.turn.seat == seat or self._misnamed == (seat, position.turns)) and goes_on:
                self._number(event)
                return True
            if kind is not Challenge:
                self.close_turn()
        if position.ending is PROVISIONAL and kind is not Challenge:
            position.ending = OVER
        if position.ending is not GOING_ON or seat != position.turn.seat:
            wrong = None if self._says_so(first, seat) else turn.who_acts(position, seat, first)
            if wrong is not None:
                if wrong.code == "turn.over":
                    self._found(wrong, seat)
                    self.played_on = position.ending is OVER
                    self.mislaid.played_late(event.actions, seat)
                    return False
                played_by = self._out_of_turn(wrong, event, seat, previous)
                if played_by is None:
                    return False
                seat = played_by
        if kind is Challenge:
            self.judge.play.break_in(position, seat)
            return True
        if position.begins or seat != position.turn.seat:  # else a call is over that broke into this turn
            self._begin_turn(position, seat)
        self._number(event)
        return True

    def _out_of_turn(self, wrong: Violation, event: Turn, seat: int, previous: Line | None) -> int | None:
        """Who plays a line of a player whose turn it is not; None where nothing more of it is played."""
        position, line = self.position, self.position.line
        assert line is not None
        due, turns = position.turn.seat, position.turns
        if order.swapped(self, line, event, seat, turns):
            return None
        if order.goes_on(self, seat):
            return seat
        again = previous is not None and previous.event == event
        misnamed = not again and self.tries > 0 and order.misnamed(self, line, seat)
        self._found(wrong, seat)
        if again:
            return None
        if misnamed:
            self._misnamed = seat, (turns or 0) + 1
            return due
        before = position.copy() if self.tries > 0 else None
        skipped = order.skip(position, event, seat)
        self._jump = position.ahead[-1], position.stock_size
        if turns is not None and before is not None:
            self.slip = order.OutOfTurn(line, event.number, seat, due, turns + 1, before, skipped)
        return seat

    def _called_by_another(self, violation: Violation, line: Line, seat: int) -> bool:
        """Carries out a call that was found wrong as that of the only player whose cards allow it, if so."""
        before, self._called = self._called, None
        meant = order.caller(self, before, line, seat) if before is not None and before.line is line else None
        if meant is not None:
            self._found(violation)
            order.adopt(self.position, meant)
        return meant is not None

    def _opens_call(self, event: Turn, seat: int) -> bool:
        position = self.position
        self.calls[seat] = self.calls.get(seat, 0) + 1
        if position.ending is OVER and not (position.called and self._nobody_can_draw(position)):
            self._found(Violation("turn.over", f"{event.player} calls after the hand is over"), seat)
            self.played_on = True
            return False
        hand, called = position.hands[position.turn.seat], getattr(event.actions[0], "cards", ())
        thrown = [card for card in called if card not in {UNKNOWN, *position.pile} and count(hand, card)]
        if position.turn.call is not None or (thrown and self.mislaid.seems_thrown(lambda _: True)):
            self.close_turn()
        self._called = position.copy() if self.tries > 0 else None
        self._number(event)
        self.judge.play.begin_call(position, seat)
        return True

    def _number(self, event: Turn) -> None:
        """Checks a written turn number; after a mistake, the log may go on from it or from the one due."""
        position = self.position
        number, turns = event.number, position.turns
        if number is None:
            return
        if turns is None:
            position.turns, position.ahead = number, NOT_AHEAD
            return
        by = number - turns
        if by not in position.ahead:
            self._found(Violation("log.number", f"this is turn {turns} of the hand, not {number}"))
            if by % len(position.order) == 0:
                self._jump = by, position.stock_size
        position.ahead = counts_on(position.ahead, by)

    def _says_so(self, action: Action, seat: int) -> bool:
        """Whether this is the pass of the player whom a hand that nobody can go on with has come to."""
        position = self.position
        alone = position.end_reason == "stock" and self._nobody_can_draw(position)
        return type(action) is Pass and seat == position.turn.seat and alone

    def _goes_on(self, seat: int, action: Action, current: TurnState) -> bool:
        """More actions on a line whose turn is over: whether the player may act on."""
        position = self.position
        if self.mislaid.reopens():
            position.turn, position.begins = current, False
            return True
        if position.ending is not GOING_ON and not self._says_so(action, seat):
            self._found(Violation("turn.over", f"{position.players[seat]} acts after the hand is over"), seat)
            self.played_on = True
            return False
        after_call = current.call is not None and type(action) not in DRAWS and not position.turn.opening
        if seat == position.turn.seat and not (after_call and position.begins):
            if position.begins:
                self._begin_turn(position, seat)
            return True
        wrong = Violation("turn.order", f"it is {position.players[position.turn.seat]}'s turn now")
        if seat == position.turn.seat:
            wrong = Violation("turn.over", f"{position.players[seat]}'s call is over")
        elif position.discarder == seat and position.fresh:
            wrong = Violation("turn.over", f"{position.players[seat]} has discarded, so that turn is over")
        self._found(wrong, seat)
        return False

    def close_turn(self) -> None:
        """Ends a turn that was left open, as something else happened: what it still owed is found."""
        position = self.position
        if position.begins or position.ending is not GOING_ON:
            return
        open_turn = position.turn
        duty, call = open_turn.duty, open_turn.call
        place = place_of(open_turn.line, open_turn.step, position.turns)
        if duty is not None:
            self._left_undone(draw.still_owed(position, duty), open_turn.line, place)
            open_turn.duty = None
        unlaid = calls.unlaid(position)
        if unlaid is not None:
            self._found(unlaid, place=place)
        lacks = still_lacks(self.judge.binding, position)
        if lacks is not None and position.pile_known:
            self._found(lacks, place=place)
        needs_discard = call is None or self.judge.ruleset.calls.discard == "required"
        if not needs_discard and unlaid is None:
            self._left_undone(self.judge.stops(position), open_turn.line, place)
        held = position.held[open_turn.seat]
        thrown = False
        if needs_discard and held and not uncounted(held):
            wrong = self._unfinished(open_turn)
            self._found(wrong, place=place)
            thrown = wrong.code == "turn.unfinished" and open_turn.source is not NOT_DRAWN
            if thrown:
                self.mislaid.throw_some()
        self.judge.play.end_turn(position, discarded=thrown)

    def agrees(self, holds: Callable[[Position], bool]) -> bool:
        """Whether something is true of the position if a discard was not made, or one was not written."""
        if self.mislaid.seems_thrown(holds):
            self.close_turn()
            return holds(self.position)
        return self.mislaid.without(holds)

    def _left_undone(self, what: Violation | Undecided | None, line: Line | None, place: Place | None) -> None:
        if isinstance(what, Violation):
            self._found(what, place=place)
        elif what is not None and line is not None:
            self._unsure(line, what.what)

    def _unfinished(self, open_turn: TurnState) -> Violation:
        """What is wrong with a turn that has no discard."""
        from meldref.moves.can_finish import can_finish  # noqa: PLC0415  only where a turn has no end

        position = self.position
        player = position.players[open_turn.seat]
        if open_turn.source is NOT_DRAWN and open_turn.call is None and not open_turn.opening:
            return Violation("turn.unfinished", f"{player}'s turn ends without a draw and a discard", key="")
        if open_turn.floater:
            return out.floater_kept(player)
        with self._suggestions.searching():
            stuck = can_finish(self.judge, position) is False
        if stuck and still_lacks(self.judge.binding, position) is None:
            return Violation("out.stuck", f"{player} has no card left that may be discarded")
        key = "calls.discard" if open_turn.call is not None else ""
        return Violation("turn.unfinished", f"{player}'s turn ends without a discard", key=key)

    def _found(self, violation: Violation, seat: int | None = None, place: Place | None = None) -> None:
        """Reports a violation by the player whose turn it is, or by another seat."""
        position = self.position
        place = place or position.place
        at = violation.place or place
        help_: tuple[str, ...] = ()
        if self._suggestions.wanted():
            from meldref.suggest.suggestions import help_for  # noqa: PLC0415  only where something is wrong

            with self._suggestions.searching():
                help_ = help_for(self.judge, position, violation, place)
        player = position.players[position.turn.seat if seat is None else seat]
        notes = doubts(self.doubt, at.line) if at else ()
        self._report(finding(self.judge.ruleset, violation, place, player, help_, notes))
