"""Referees whole turns: who acts, each action in turn, and what was left undone when a turn is over.

A `Referee` has a judge and a position and is fed the lines of one hand. Each violation becomes a finding; the
hand then goes on with the action carried out as recorded, or skipped where the cards do not allow it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from meldref.diagnostics import Finding
from meldref.events import Call, Challenge, Line, Placed, Turn
from meldref.help import help_for
from meldref.judge import Judge
from meldref.moves import can_finish
from meldref.play import can_be_done
from meldref.position.model import Ending, Place, Position, Source, TurnState
from meldref.rules import calls, draw, floating, turn
from meldref.rules.base import Violation

Report = Callable[[Finding], None]


class Referee:
    """Judges the turns of one hand."""

    def __init__(self, judge: Judge, position: Position, report: Report) -> None:
        self.judge = judge
        self.position = position
        self._report = report
        self._checks = judge.checks
        self._play = judge.play.actions

    def turn(self, line: Line, event: Turn, seat: int) -> None:
        """One line of a player's actions."""
        position = self.position
        actions = event.actions
        place = Place(line.number, line.text, actions[0], position.turns)
        if not self._opens(line, event, seat, place):
            return
        current = position.turn
        current.place = place
        checks, play = self._checks, self._play
        number = position.turns
        for placed in actions:
            action = placed.action
            kind = type(action)
            if position.turn is not current:
                if not self._goes_on(line, placed, seat):
                    return
                current = position.turn
                current.place = place
            position.here = place = Place(line.number, line.text, placed, number)
            for check in checks[kind]:
                violation = check(position, action)
                if violation is not None:
                    self._found(violation, place)
                    self.judge.excuse(position, violation, action)
                    if can_be_done(position, action):
                        play[kind](position, action)
                    break
            else:
                play[kind](position, action)

    def _opens(self, line: Line, event: Turn, seat: int, place: Place) -> bool:
        """Opens the line: goes on with a turn, begins one, or a call; False where nothing of it is played."""
        position = self.position
        first = event.actions[0].action
        calling = type(first) is Call
        if not position.begins and position.turn.seat == seat and not calling:
            self._number(line, event, place)
            return True
        if position.ending is Ending.PROVISIONAL and not calling and type(first) is not Challenge:
            position.ending = Ending.OVER
        if position.ending is not Ending.NONE and calling and position.ending is Ending.OVER:
            self._found(Violation("turn.over", f"{event.player} calls after the hand is over"), place)
            return False
        if calling:
            self._number(line, event, place)
            self._leave_call()
            position.here = place
            self.judge.play.begin_call(position, seat)
            return True
        if not position.begins and type(first) is not Challenge:
            self.close_turn()
        wrong = turn.who_acts(position, seat, first)
        if wrong is not None:
            self._found(wrong, place)
            if wrong.code == "turn.over":
                return False
        if type(first) is Challenge:
            return True
        self.judge.play.begin_turn(position, seat)
        self._number(line, event, place)
        return True

    def _number(self, line: Line, event: Turn, place: Place) -> None:
        """Checks a written turn number; the count goes on from what is written."""
        position = self.position
        number = event.number
        if number is None or position.turns == number:
            return
        if position.turns is not None:
            self._found(Violation("log.number", f"this is turn {position.turns} of the hand, not {number}"), place)
        position.turns = number

    def _leave_call(self) -> None:
        """A call that is still open when something else happens is over."""
        if self.position.turn.call is not None and not self.position.begins:
            self.close_turn()

    def _goes_on(self, line: Line, placed: Placed, seat: int) -> bool:
        """More actions on a line whose turn is over: whether the player may act on."""
        position = self.position
        place = Place(line.number, line.text, placed, position.turns)
        if position.ending is not Ending.NONE:
            self._found(Violation("turn.over", f"{position.players[seat]} acts after the hand is over"), place)
            return False
        if seat == position.turn.seat:
            if position.begins:
                self.judge.play.begin_turn(position, seat)
            return True
        if position.discarder == seat and position.fresh:
            self._found(
                Violation("turn.over", f"{position.players[seat]} has discarded, so that turn is over"), place
            )
        else:
            self._found(Violation("turn.order", f"it is {position.players[position.turn.seat]}'s turn now"), place)
        return False

    def close_turn(self) -> None:
        """Ends a turn that was left open, as something else happened: what it still owed is found."""
        position = self.position
        if position.begins or position.ending is not Ending.NONE:
            return
        open_turn = position.turn
        place = open_turn.place
        if open_turn.duty is not None:
            self._found(draw.still_owed(open_turn.duty), place)
            open_turn.duty = None
        unlaid = calls.unlaid(position)
        if unlaid is not None:
            self._found(unlaid, place)
        call = open_turn.call
        needs_discard = call is None or self.judge.ruleset.calls.discard == "required"
        if needs_discard and position.held[open_turn.seat]:
            self._found(self._unfinished(open_turn), place)
        self.judge.play.end_turn(position, discarded=False)

    def _unfinished(self, open_turn: TurnState) -> Violation:
        """What is wrong with a turn that has no discard."""
        position = self.position
        player = position.players[open_turn.seat]
        if open_turn.source is Source.NONE and open_turn.call is None and not open_turn.opening:
            return Violation("turn.unfinished", f"{player}'s turn ends without a draw and a discard")
        if open_turn.floater:
            return floating.kept(player)
        if can_finish(self.judge, position) is False:
            return Violation("out.stuck", f"{player} has no card left that may be discarded")
        return Violation("turn.unfinished", f"{player}'s turn ends without a discard")

    def finish(self) -> None:
        """The log ends here: a turn left open is a fault."""
        if not self.position.begins:
            self.close_turn()

    def _found(self, violation: Violation, place: Place | None) -> None:
        finding = self.judge.finding(violation, place)
        hints = help_for(self.judge, self.position, violation, place)
        player = self.position.players[self.position.turn.seat]
        self._report(replace(finding, help=hints, player=player))
