"""What the lines of a game are played on: the hand under way, if any, and the score."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from meldref.core.diagnostics import Edit
from meldref.core.events import Adjust, Deal, HandEnd, Line, Points, Result, Show, Turn
from meldref.core.meant import did_you_mean, nearest
from meldref.core.records import copied, derived, fresh, record
from meldref.core.text import in_words
from meldref.engine.judge import Judge, judge_for
from meldref.notation.actions import BREAKS_IN, hides_discard
from meldref.notation.roster import Roster, named
from meldref.position.model import GOING_ON
from meldref.replay.hand import LINES, HandPlay
from meldref.replay.reporter import Reporter, whole_line
from meldref.replay.result import LogReport
from meldref.replay.scores import Scorekeeper
from meldref.rules import ending
from meldref.rules.base import Violation
from meldref.rules.game import plays_on

MOST_NAMES: Final = 64
"""How many names of nobody are found once in a game; any more are found in each line."""


@record(frozen=False)
class Playing:
    """The hand under way and the score of a game, to which its lines are played.

    `judge` is that of the game. `last`: the log ends with this hand, perhaps in the middle of it.
    `earlier` are the lines of the hand before, its own line first. `meant` are the seats of names
    that are not those of players, and were found: None where nobody knows who is meant.
    """

    judge: Judge
    players: tuple[str, ...]
    reporter: Reporter
    hand: HandPlay | None = None
    last: bool = False
    earlier: tuple[Line, ...] = ()
    meant: Mapping[str, int | None] = fresh(default_factory=dict)
    seats: dict[str, int] = derived(
        lambda playing: {name: seat for seat, name in enumerate(playing.players)}
    )
    scores: Scorekeeper = derived(
        lambda playing: Scorekeeper(playing.judge, playing.players, playing.reporter)
    )

    @property
    def report(self) -> LogReport:
        """What an audit says of the log."""
        return self.reporter.report

    @property
    def judge_of_hand(self) -> Judge:
        """The judge of the hand under way, by its own rules; between hands that of the game."""
        return self.judge if self.hand is None else self.hand.judge

    def fork(self, reporter: Reporter | None = None) -> Playing:
        """An independent copy: what it finds goes into its own report, unless one is given."""
        other = copied(self)
        other.reporter = reporter = reporter or self.reporter.fork()
        other.scores = self.scores.fork(reporter)
        other.hand = None if self.hand is None else self.hand.fork(reporter)
        return other

    def of_players(self, players: tuple[str, ...], number: int | None = None) -> Playing:
        """How the first hand begins with other players, in another order or with another number."""
        begun, record = self.hand, self.scores.record
        assert begun is not None
        assert record is not None
        number = number or record.number
        judge = judge_for(self.judge.ruleset, len(players))
        other = Playing(judge, players, self.reporter.fork(), last=self.last)
        hand = HandPlay(
            judge.for_hand(number),
            players,
            begun.line,
            other.reporter,
            number=number,
            full_view=begun.full_view,
            unseen_discards=begun.unseen_discards,
        )
        if number > 1:
            other.scores.skip_hands(number - 1)
        other.begin_hand(hand, number)
        hand.dealer = other.seats.get(getattr(begun.line.event, "dealer", ""))
        return other

    def begin_hand(self, hand: HandPlay, number: int) -> None:
        """A hand begins: the score says who plays it, and who may be out (G-SCO-08, O-TIE-02)."""
        scores, side_of = self.scores, self.scores.before.side_of
        record = scores.begin_hand(number)
        self.hand, hand.totals = hand, scores.totals_by_seat()
        hand.earlier_buys = scores.standing.buys
        playing = record.playing
        seats = range(len(self.players))
        if playing is not None:
            hand.active = tuple([seat for seat in seats if side_of(seat) in playing])
        if record.may_sit_out:
            hand.may_be_out = tuple(
                [seat for seat in hand.active if side_of(seat) in record.may_sit_out]
            )

    def play(self, line: Line) -> None:
        """Plays a line of the hand, or one that counts in the game, be it readable or not."""
        kind = type(line.event)
        if line.event is None:
            self._unreadable(line)
        elif kind in _HANDLERS:
            _HANDLERS[kind](self, line, line.event)
        elif kind in LINES and self.hand is not None:
            LINES[kind](self.hand, line, line.event)

    def is_played(self, kind: type) -> bool:
        """Whether lines of a kind are played to a hand, or count in the game."""
        return kind in _HANDLERS or kind in LINES

    def _unreadable(self, line: Line) -> None:
        """A line that could not be read: if it was a turn, nobody knows what was played."""
        from meldref.notation.in_part import (  # noqa: PLC0415  rarely needed
            is_other_line,
            player_of,
            turns_on,
        )

        hand = self.hand
        turns = turns_on(line, self.players)
        for turn in turns:
            self.play(turn)
        if turns or hand is None or self._plays_in_part(line, hand):
            return
        seat = self.seats.get(player_of(line.text, self.players) or "")
        # Before the first turn, other lines that somebody wrote with a colon are no turns.
        has_colon = hand.position is not None and ":" in line.text
        is_turn = has_colon and not is_other_line(line.text)
        if is_turn or (hand.started and seat is not None):
            hand.lose_track(line, seat=seat)

    def _plays_in_part(self, line: Line, hand: HandPlay) -> bool:
        """Plays a turn of which a part cannot be read, as far as that is known.

        Without a name, it is that of the player who is due, or goes on with theirs.
        """
        from meldref.notation.in_part import read_in_part  # noqa: PLC0415  rarely needed

        read = read_in_part(line.text, self.players)
        position = None if read is None else hand.as_dealt()
        if read is None or position is None or position.ending is not GOING_ON:
            return False
        name, actions = read
        seat = self.seats.get(name or "")
        if name == "" and position.mover_known:
            seat = position.turn.seat
        if seat not in hand.active or seat is None:
            return False
        if hides_discard(actions):
            hand.miss_discards()
        self.play_turn(line, Turn(None, self.players[seat], actions))
        return True

    def end_of_lines(self) -> None:
        """No more lines of the hand come: what is open in it is found."""
        hand = self.hand
        if hand is not None:
            if hand.started:
                hand.play(whole=not self.last)
            hand.close_turn(stops=self.last)

    def play_turn(self, line: Line, event: Turn) -> None:
        """A line of a player's actions."""
        hand = self.hand
        seat = self.seats.get(event.player)
        self.reporter.report.turns += 1
        assert hand is not None
        if seat in hand.active:
            hand.play_turn(line, event, seat)
        elif seat is None:
            seat = self._meant_player(line, event, hand)
            if seat is None:
                hand.lose_track(line)
            else:
                hand.play_turn(line, event._replace(player=self.players[seat]), seat)
        else:
            if seat not in hand.strangers:
                hand.strangers.add(seat)
                message = f"{event.player} does not play in this hand"
                self.report_violation(line, self._plays_on(seat) or Violation("game.tie", message))
            hand.lose_track(line, "by a player who does not play this hand")

    def _meant_player(self, line: Line, event: Turn, hand: HandPlay) -> int | None:
        """Who plays a turn of somebody unknown: a player of a similar name who is due or calls."""
        was_told = event.player in self.meant
        seat = self.seat(line, event.player)
        if seat not in hand.active:
            return None
        position = hand.position
        is_due = position is None or not position.mover_known or position.turn.seat == seat
        return seat if was_told or is_due or type(event.actions[0]) in BREAKS_IN else None

    def _deal(self, line: Line, event: Deal) -> None:
        seat, hand = self.seat(line, event.player), self.hand
        if seat is None or hand is None:
            return
        if seat not in hand.active:
            extra = self._plays_on(seat)
            if extra is not None:
                self.report_violation(line, extra)
            if hand.position is None:
                hand.active = tuple(sorted({*hand.active, seat}))
        hand.deal(line, event, seat)

    def _plays_on(self, seat: int) -> Violation | None:
        """What is wrong if a player plays the hand."""
        standing = self.scores.standing
        return plays_on(self.judge.ruleset, standing, [standing.side_of(seat)])

    def _show(self, line: Line, event: Show) -> None:
        seat = self.seat(line, event.player)
        if seat is not None and self.hand is not None:
            self.hand.show(line, event, seat)

    def _end(self, line: Line, event: HandEnd) -> None:
        scores, hand = self.scores, self.hand
        seat = None if event.player is None else self.seat(line, event.player)
        if hand is None or (event.player is not None and seat is None):
            return
        side = None if seat is None else scores.before.side_of(seat)
        scores.end(event.reason, side, on_sheet=not hand.started)
        if hand.started:
            wrong = hand.end(event.reason, seat)
            if hand.position is not None and not hand.position.pile_known:
                self.reporter.leave_open(line, "how the hand ended: turns before it are not known")
        else:
            wrong = ending.sheet_end(hand.judge.binding, event.reason)
        if wrong is not None:
            self.report_violation(line, wrong)
            scores.note_mistake(line)
        elif event.reason == "agreed":
            scores.agree()

    def _points(self, line: Line, event: Points) -> None:
        amounts: dict[int, int | None] = {}
        twice: set[int] = set()
        hand = self.hand
        for name, points in (*event.amounts, *[(name, None) for name in event.absent]):
            side = self._side(line, name)
            if side is None:
                continue
            if side in amounts:
                whose = self.scores.before.names[side]
                why = "" if name == whose else f": {whose} score together"
                self.report_violation(
                    line, Violation("log.name", f"{name} is on this line twice{why}")
                )
                twice.add(side)
            else:
                amounts[side] = points
        for side in twice:  # nobody knows which figure is right
            del amounts[side]
        if event.kind == "score":
            if hand is not None:
                absent = [self.scores.sides.get(name) for name in event.absent]
                self.scores.record_scores(line, amounts, hand, absent)
            return
        named = {side: points for side, points in amounts.items() if points is not None}
        if event.kind == "total":
            self.scores.record_totals(line, named, hand)
        else:
            self.scores.record_chips(line, named, hand)

    def _result(self, line: Line, event: Result) -> None:
        sides = [self._side(line, name) for name in event.players]
        if None not in sides:
            self.scores.record_result(line, [side for side in sides if side is not None], self.hand)

    def _adjust(self, line: Line, event: Adjust) -> None:
        side = self._side(line, event.player)
        if side is not None:
            self.scores.state = self.scores.state.adjust(side, event.points)

    def _side(self, line: Line, name: str) -> int | None:
        """The side that a line names, by a player or by partners; other names are found."""
        by_name = self.scores.sides
        if name in by_name:
            return by_name[name]
        names = name.split("+")
        sides = {self.seat(line, member, by_name) for member in names}
        if len(sides) > 1 and None not in sides and name not in self.meant:
            self._note_meant(name, None)
            self.report_violation(
                line, Violation("log.name", f"{in_words(names)} are not partners")
            )
        return sides.pop() if len(sides) == 1 else None

    def seat(self, line: Line, name: str, by_name: Mapping[str, int] | None = None) -> int | None:
        """The number of a player, or what stands for a name in `by_name`, such as a side.

        An unknown name is found, once; it is that of a player with a similar one. So are initials,
        of which only the first is found.
        """
        by_name = self.seats if by_name is None else by_name
        if name in by_name:
            return by_name[name]
        if name in self.meant:
            seat = self.meant[name]
        else:
            meant = nearest(name, self.players)
            seat = None if meant is None else self.seats[meant.text]
            is_habit = seat is not None and _is_initial(name) and any(map(_is_initial, self.meant))
            self._note_meant(name, seat)
            if not is_habit:
                message = unknown_player(name, self.players)
                edits = () if meant is None else self._edit_of_name(line, name, meant.text)
                self.report_violation(line, Violation("log.name", message, edits=edits))
        return None if seat is None else by_name[self.players[seat]]

    def _note_meant(self, name: str, seat: int | None) -> None:
        """Who is meant by a name that nobody has."""
        if len(self.meant) < MOST_NAMES:
            self.meant = {**self.meant, name: seat}

    def _edit_of_name(self, line: Line, name: str, meant: str) -> tuple[Edit, ...]:
        """A line's edit of an unknown name; none if another player may be meant as well."""
        others = [player for player in self.players if player != meant]
        if name not in line.text or nearest(name, others) is not None:
            return ()
        column = line.text.index(name) + 1
        return (Edit(line.number, column, line.number, column + len(name), meant),)

    def with_meant_names(self, lines: Sequence[Line]) -> list[Line]:
        """Lines with the names of the players who were meant by others."""
        if not self.meant:
            return list(lines)
        roster = Roster(self.players)
        for name, seat in self.meant.items():
            roster[name] = name if seat is None else self.players[seat]
        return [line._replace(event=line.event and named(line.event, roster)) for line in lines]

    def report_violation(self, line: Line, violation: Violation) -> None:
        """A finding about a whole line."""
        self.reporter.report_violation(self.judge.ruleset, violation, whole_line(line))


def unknown_player(name: str, players: Sequence[str]) -> str:
    """A sentence about a name that nobody has, with who may be meant."""
    return f"{name} is not one of the players{did_you_mean(name, players)}"


def _is_initial(name: str) -> bool:
    return len(name.rstrip(".")) == 1


_HANDLERS: Final[Mapping[type, Callable[[Playing, Line, Any], None]]] = {
    Turn: Playing.play_turn,
    Deal: Playing._deal,  # noqa: SLF001  its own
    Show: Playing._show,  # noqa: SLF001
    HandEnd: Playing._end,  # noqa: SLF001
    Points: Playing._points,  # noqa: SLF001
    Result: Playing._result,  # noqa: SLF001
    Adjust: Playing._adjust,  # noqa: SLF001
}
