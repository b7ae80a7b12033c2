"""One question: is this move legal here, which moves are, and which bring the most?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Literal, TypeAlias

from meldref.core.cards import card_text
from meldref.core.diagnostics import AmbiguousMove, Finding, IllegalMove, InvalidNotation
from meldref.core.effort import Suggestions
from meldref.core.events import Action, Call, Challenge, Draw, Pass, Take, Turn
from meldref.core.records import changed, record
from meldref.core.shown import html_of, svg_of, text_of
from meldref.core.text import in_words
from meldref.engine import unnamed
from meldref.engine.judge import Judge, finding
from meldref.notation.reader import read_actions, read_line
from meldref.notation.writer import write_action, write_name
from meldref.position.model import GOING_ON, Position
from meldref.position.turn import place_of
from meldref.positions.build import Built
from meldref.replay.play_moves import MovesResult, open_where_hands_differ, play_moves, what_follows
from meldref.rules.base import Violation
from meldref.rules.declare import facts
from meldref.rules.stock import reshuffle

if TYPE_CHECKING:
    from meldref.best import Goal, LayDown
    from meldref.moves.whole_turns import WholeTurns


Verdict: TypeAlias = Literal["legal", "illegal", "open"]


@record
class Judgement:
    """The answer about a move.

    `verdict` is `open` where it depends on unknown cards, also on whether a hand holds what the move
    plays from it; `open` says what does. `points` are those
    each player gained on the table and by awards of house rules, `then` is `over`, `floats`, `plays
    X`, or `open` for the beginning of a turn. `after` is the position after the move, to go on
    from; where the move is illegal, as it was carried out.
    """

    verdict: Verdict
    moves: tuple[str, ...]
    findings: tuple[Finding, ...]
    points: dict[str, int]
    then: str | None
    after: Built
    open: tuple[str, ...] = ()

    @property
    def readable(self) -> bool:
        """Whether the move could be read.

        One that could not is `illegal`, with a finding `log.syntax`.
        """
        return all(finding.code != "log.syntax" for finding in self.findings)

    __str__ = text_of
    _repr_html_ = html_of
    _repr_svg_ = svg_of


@record
class LegalMove:
    """A legal move, and the points, with awards, that it brings its player."""

    move: str
    points: int


def judge_move(built: Built, move: str) -> Judgement:
    """Judges a turn, or the beginning of one, by the player to move unless it names another.

    The position stays as it is; see `Judgement.after`. The beginning of a turn is legal where the
    turn can be finished (`out.stuck` where it cannot). What only some hands of a game allow is open
    where nobody said which hand it is.
    """
    return _judged(built, move, Suggestions())


def judge_without_help(built: Built, move: str) -> Judgement:
    """Judges a move as `judge_move` does, without suggestions: a tenth of the work."""
    return _judged(built, move, None)


def _judged(built: Built, move: str, suggestions: Suggestions | None) -> Judgement:
    if built.in_hands:
        return _in_hands(
            [(name, _judged(hand, move, suggestions)) for name, hand in built.in_hands]
        )
    text = with_player(built.position, move)
    after = Built(built.judge, built.position.copy())
    outcome = play_moves(after, [text], whole=False, suggestions=suggestions or Suggestions(0))
    position, judge = after.position, after.judge
    findings = list(outcome.findings)
    left_open = not findings and not position.begins and position.ending is GOING_ON
    possible: bool | None = True
    if left_open:
        from meldref.moves.can_finish import can_finish  # noqa: PLC0415  only where a turn is left open

        possible = can_finish(judge, position)
    if possible is False:
        stuck = _dead_end(judge, position, outcome)
        instead = () if suggestions is None else _instead(after, outcome)
        findings.append(changed(finding(judge.ruleset, stuck, None), turn=None, help=instead))
    end = "whether the turn can be ended depends on cards that are unknown"
    if unnamed.is_unnamed(judge, position):
        end = f"whether the turn can be ended: {unnamed.WHY}"
    unsure = (*_presumed(built.position, position), *outcome.undecided) or (
        () if possible else (end,)
    )
    then = None if findings else "open" if left_open else what_follows(position)
    brought = built.position.brought
    gained = {
        name: position.brought(seat) - brought(seat)
        for seat, name in enumerate(position.players)
        if position.brought(seat) != brought(seat) or seat == position.acted
    }
    after = changed(after, begun=_begun(built, outcome, position))
    verdict: Verdict = "illegal" if findings else "open" if unsure else "legal"
    return Judgement(
        verdict, (text,), tuple(findings), gained, then, after, () if findings else unsure
    )


def _presumed(before: Position, after: Position) -> tuple[str, ...]:
    """What a move takes for granted of hands that are not all known."""
    cards: dict[int, list[str]] = {}
    for seat, card in after.presumed[len(before.presumed) :]:
        cards.setdefault(seat, []).append(card_text(card))
    return tuple(
        [f"whether {after.players[seat]} holds {in_words(held)}" for seat, held in cards.items()]
    )


def _in_hands(answers: Sequence[tuple[str, Judgement]]) -> Judgement:
    """The answer about a move in any hand of the game, from those in hands that differ."""
    legal = [(name, answer) for name, answer in answers if not answer.findings]
    if not legal:
        return answers[0][1]
    wrong = {name: answer.findings[0].message for name, answer in answers if answer.findings}
    answer, then = legal[0][1], {answer.then for _, answer in legal}
    unsure = dict.fromkeys(what for _, other in legal for what in other.open)
    if wrong:
        unsure[open_where_hands_differ(wrong)] = None
    after = [(name, other.after) for name, other in legal]
    return changed(
        answer,
        verdict="open" if unsure else "legal",
        then=answer.then if len(then) == 1 else None,
        after=changed(answer.after, in_hands=tuple(after) if len(after) > 1 else ()),
        open=tuple(unsure),
    )


def _begun(
    built: Built, outcome: MovesResult, after: Position
) -> tuple[Position, tuple[Action, ...]] | None:
    """Where the turn began that a move leaves open, and what was done in it.

    A call in its middle hides that.
    """
    before, line = outcome.start, after.line
    if (
        after.begins
        or before is None
        or line is None
        or not isinstance(line.event, Turn)
        or after.turn.call
    ):
        return None
    if after.players[after.turn.seat] != line.event.player or isinstance(
        line.event.actions[0], Call
    ):
        return None
    if before.begins:
        return before, line.event.actions
    return None if built.begun is None else (built.begun[0], (*built.begun[1], *line.event.actions))


def _instead(built: Built, outcome: MovesResult) -> tuple[str, ...]:
    """What could be done where a move leads to a dead end."""
    from meldref.moves.suggestions import help_when_stuck  # noqa: PLC0415  only where something is wrong

    line, start = built.position.line, outcome.start
    if line is None or start is None or not isinstance(line.event, Turn):
        return ()
    actions = line.event.actions
    return () if isinstance(actions[0], Call) else help_when_stuck(built.judge, start, actions)


def _dead_end(judge: Judge, position: Position, outcome: MovesResult) -> Violation:
    """Why a turn cannot be ended: a house rule on ends and the action since which, or the cards."""
    from meldref.moves.dead_ends import ban_on_ends, since_when  # noqa: PLC0415  only where a turn has no end

    place, ban = (
        place_of(position.turn.line, position.turn.step, position.turns),
        ban_on_ends(judge, position),
    )
    if ban is None:
        return Violation("out.stuck", _stuck(position), place=place)
    line, start = position.line, outcome.start
    since = since_when(judge, start, [line]) if line is not None and start is not None else None
    return ban._replace(place=place if since is None else place_of(*since, position.turns))


def _stuck(position: Position) -> str:
    duty = position.turn.duty
    use = "" if duty is None else f"use {card_text(duty.card)} and "
    return f"{position.players[position.turn.seat]} cannot {use}end this turn"


def with_player(position: Position, move: str) -> str:
    """The move as a whole line: with the name of the player to move, where it names nobody."""
    if ":" in move or (read_actions(move)[1] and read_line(move)[0].event is not None):
        return move
    return f"{write_name(position.players[position.turn.seat])}: {move}"


def legal_moves(built: Built, limit: int | None = None) -> list[LegalMove]:
    """What may be done now: the moves of the player to move, most points first, then the calls of everybody.

    Before the draw each draw, where a card must be used with the plays that use it; then each meld,
    lay-off, exchange and discard. A call, and a challenge, names its player and comes with the
    plays that lay what was called. A move is listed exactly when the referee finds nothing against
    it.

    With `limit`, the search stops after that many moves of the player to move, and after that many
    calls.
    """
    calls = _legal_anyway(built, dict.fromkeys(islice(_calls(built), limit)))
    return [*turn_moves(built, limit), *sorted(calls, key=lambda move: -move.points)]


def turn_moves(built: Built, limit: int | None = None) -> list[LegalMove]:
    """What the player to move may do now, most points first.

    With `limit`, only the first that are found.
    """
    moves = _legal_anyway(built, dict.fromkeys(islice(_own(built), limit)))
    return sorted(moves, key=lambda move: -move.points)


def legal_turns(built: Built, most: int | None = None) -> tuple[list[LegalMove], WholeTurns]:
    """At most `most` whole turns of the player to move, most points first, and the search."""
    from meldref.moves.whole_turns import WholeTurns, whole_turns  # noqa: PLC0415  only for who asks for turns

    position = built.position
    if position.ending is not GOING_ON:
        return [], WholeTurns((), complete=True, searched=True)
    turns = whole_turns(built.judge, position, most)
    moves = _legal_anyway(
        built, (LegalMove(_written(turn.actions), turn.points) for turn in turns.turns)
    )
    return moves, turns


def _legal_anyway(built: Built, moves: Iterable[LegalMove]) -> list[LegalMove]:
    """Those of some moves that are legal whichever hand of the game it is.

    They are legal in the first.
    """
    others = [other for _, other in built.in_hands[1:]]
    return [
        move
        for move in moves
        if all(judge_move(other, move.move).verdict == "legal" for other in others)
    ]


def _own(built: Built) -> Iterator[LegalMove]:
    from meldref.moves.exhaustive import before_draw  # noqa: PLC0415  only for who asks for moves

    position, judge = built.position, built.judge
    if position.ending is GOING_ON:
        state = position.copy()
        if state.begins:
            judge.play.begin_turn(state, state.turn.seat)
        yield from _opening(judge, state) if before_draw(state) else _going_on(judge, state)
    if position.ending is GOING_ON and reshuffle(judge.binding)(position) is None:
        yield LegalMove("reshuffle", 0)


def _calls(built: Built) -> Iterator[LegalMove]:
    from meldref.moves.calls import around, buys, calls, may_break_in  # noqa: PLC0415  only for who asks for moves

    position, judge = built.position, built.judge
    for seat, action in buys(judge, position):
        yield LegalMove(_by(position, seat, (action,)), 0)
    for seat, actions, state in calls(judge, position):
        gained = state.brought(seat) - position.brought(seat)
        yield LegalMove(_by(position, seat, actions), gained)
    if position.final is not None:
        for seat in around(position):
            if seat != position.final[0] and may_break_in(judge, position, seat, Challenge()):
                yield LegalMove(_by(position, seat, (Challenge(),)), 0)


def _going_on(judge: Judge, state: Position) -> Iterator[LegalMove]:
    from meldref.moves.exhaustive import after  # noqa: PLC0415  only for who asks for moves
    from meldref.moves.legal_actions import legal_plays  # noqa: PLC0415  only for who asks for moves

    for action in legal_plays(judge, state):
        yield LegalMove(write_action(action), _gain(state, after(judge, state, action)))


def _opening(judge: Judge, state: Position) -> Iterator[LegalMove]:
    from meldref.moves.can_finish import can_finish  # noqa: PLC0415  only for who asks for moves
    from meldref.moves.exhaustive import after, draws  # noqa: PLC0415  only for who asks for moves
    from meldref.moves.obligations import ways_to_settle  # noqa: PLC0415  only for who asks for moves

    if state.turn.opening and judge.ruleset.deal.first_turn == "no_draw":
        yield from _going_on(judge, state)
        return
    for action in draws(judge, state):
        drawn = after(judge, state, action)
        if isinstance(action, Pass) or (
            isinstance(action, Draw) and can_finish(judge, drawn) is not False
        ):
            yield LegalMove(write_action(action), 0)
        elif isinstance(action, Take):
            for way, used in ways_to_settle(judge, drawn):
                yield LegalMove(_written((action, *way)), _gain(drawn, used))


def _gain(before: Position, after: Position) -> int:
    seat = before.turn.seat
    return after.brought(seat) - before.brought(seat)


def _written(actions: tuple[Action, ...]) -> str:
    return "; ".join(map(write_action, actions))


def _by(position: Position, seat: int, actions: tuple[Action, ...]) -> str:
    return f"{write_name(position.players[seat])}: {_written(actions)}"


def require_legal(built: Built, move: str) -> Judgement:
    """Judges a move as `judge_move` does, for callers who want an exception.

    Raises:
        InvalidNotation: the move cannot be read.
        AmbiguousMove: it can be meant in several ways: a wild card is unbound, or a meld not named.
        IllegalMove: it breaks a rule.
    """
    judgement = judge_move(built, move)
    if not judgement.findings:
        return judgement
    first = judgement.findings[0]
    if first.code == "log.syntax":
        raise InvalidNotation(first)
    if facts(first.code).ambiguous:
        raise AmbiguousMove(first)
    raise IllegalMove(first)


def best_plays(built: Built, goal: Goal = "score") -> LayDown:
    """The most valuable way for the player to move to lay down the known cards of the hand, with its proof.

    What else a turn asks for (a card that has to be used, what may be discarded) is ignored.
    `goal`: the gain in the hand's `score`, cards no longer held included, or `points` alone; both
    with what house rules award.
    """
    from meldref.moves.awarded import best_lay_down  # noqa: PLC0415  most questions are not about this

    return best_lay_down(built.judge, built.position, goal)
