"""One question: is this move legal here, and if not, why?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from meldref.core.cards import card_text
from meldref.core.diagnostics import AmbiguousMove, Finding, IllegalMove, InvalidNotation
from meldref.core.effort import Suggestions
from meldref.core.events import Action, Call, Turn
from meldref.core.records import changed, record
from meldref.core.shown import html_of, svg_of, text_of
from meldref.core.text import in_words
from meldref.engine import unnamed
from meldref.engine.judge import Judge, finding
from meldref.notation.parts import write_name
from meldref.notation.reader import read_actions, read_line
from meldref.notation.roster import Roster
from meldref.position.model import GOING_ON, PROVISIONAL, Position
from meldref.position.turn import place_of
from meldref.positions.build import Built
from meldref.replay.play_moves import MovesResult, open_where_hands_differ, play_moves, what_follows
from meldref.rules.base import Violation
from meldref.rules.declare import facts

Verdict: TypeAlias = Literal["legal", "illegal", "open", "unreadable"]


@record
class Judgement:
    """The answer about a move.

    `verdict` is `open` if it depends on unknown cards, also on whether a hand holds what the move
    plays from it; `open` says on which. It is `unreadable` if nobody can read the move, and
    `findings` say why. `points` are those that each player gained on the table and
    by awards of house rules. `then` is `over`, `floats`, `plays X`, or `open` for the beginning of
    a turn. `after` is the position after the move, even if the move is illegal.
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
        """Whether the move could be read."""
        return self.verdict != "unreadable"

    @property
    def unfinished(self) -> bool:
        """Whether the move cannot be read since it stops too soon: `draw; discard`."""
        return stops_too_soon(self.findings)

    __str__ = text_of
    _repr_html_ = html_of
    _repr_svg_ = svg_of


@record
class LegalMove:
    """A legal move, and the points, with awards, that it brings its player."""

    move: str
    points: int


def may_be_called(answer: Judgement) -> bool:
    """Whether the hand is over after a move, and somebody may undo that by a call."""
    # Most moves end no hand that can go on, and do without this module.
    from meldref.moves.calls import somebody_may_call  # noqa: PLC0415

    hands = [hand for _, hand in answer.after.in_hands] or [answer.after]
    return any(
        hand.position.ending is PROVISIONAL and somebody_may_call(hand.judge, hand.position)
        for hand in hands
    )


def judge_move(built: Built, move: str) -> Judgement:
    """Judges a turn, or the beginning of one, by the player to move unless it names another.

    The position stays as it is; see `Judgement.after`. The beginning of a turn is legal if the turn
    can be finished (`out.stuck` if it cannot). What only some hands of a game allow is open if
    nobody said which hand it is.
    """
    return _judged(built, move, Suggestions())


def judge_without_help(built: Built, move: str) -> Judgement:
    """Judges a move as `judge_move` does, without suggestions: a tenth of the work."""
    return _judged(built, move, None)


def _judged(built: Built, move: str, suggestions: Suggestions | None) -> Judgement:
    if built.in_hands:
        answers = [(name, _judged(hand, move, suggestions)) for name, hand in built.in_hands]
        return _in_hands(answers)
    text = with_player(built.position, move)
    after = Built(built.judge, built.position.copy())
    outcome = play_moves(after, [text], whole=False, suggestions=suggestions or Suggestions(0))
    position = after.position
    findings = list(outcome.findings)
    unsure = (*_presumed(built.position, position), *outcome.undecided)
    goes_on = not position.begins and position.ending is GOING_ON
    then = None
    if not findings:
        then = what_follows(position)
        if goes_on:
            then = "open"
            end = _ending(after, outcome, helped=suggestions is not None)
            if isinstance(end, Finding):
                findings.append(end)
            elif end and not unsure:
                unsure = (end,)
    gained: dict[str, int] = {}
    for seat, name in enumerate(position.players):
        points = position.brought(seat) - built.position.brought(seat)
        if points or (seat == position.acted and not goes_on):
            gained[name] = points
    after = changed(after, begun=_begun(built, outcome, position))
    verdict: Verdict = "open" if unsure else "legal"
    if findings:
        is_unreadable = any(finding.code == "log.syntax" for finding in findings)
        verdict = "unreadable" if is_unreadable else "illegal"
        told = tuple(_as_asked(findings, text, built.position))
        return Judgement(verdict, (text,), told, gained, None, after)
    return Judgement(verdict, (text,), (), gained, then, after, unsure)


def _as_asked(findings: Sequence[Finding], move: str, before: Position) -> Iterator[Finding]:
    """What is wrong, as the player may know it who asks: some of it may be about another's turn."""
    for wrong in findings:
        if wrong.excerpt in {"", move}:
            yield wrong
            continue
        # Such findings are rare, and need modules that others do without.
        from meldref.answers.known import as_known  # noqa: PLC0415

        players = tuple(before.players)
        event = read_line(move, roster=Roster(players))[0].event
        asker = event.player if isinstance(event, Turn) else players[before.turn.seat]
        yield as_known(wrong, asker, players)


def _ending(after: Built, outcome: MovesResult, *, helped: bool) -> Finding | str:
    """Why a turn that a move leaves open cannot be ended, or why nobody knows; empty if it can."""
    # A whole turn, which is what most questions are about, does without these modules.
    from meldref.moves.can_finish import can_finish  # noqa: PLC0415

    judge, position = after.judge, after.position
    possible = can_finish(judge, position)
    if possible:
        return ""
    if possible is None:
        if unnamed.is_unnamed(judge, position):
            return f"whether the turn can be ended: {unnamed.WHY}"
        return "whether the turn can be ended depends on cards that are unknown"
    stuck = finding(judge.ruleset, _dead_end(judge, position, outcome), None)
    instead = _instead(after, outcome) if helped else ()
    return changed(stuck, turn=None, help=instead)


def _presumed(before: Position, after: Position) -> tuple[str, ...]:
    """The cards that a move takes for granted in hands of which some cards are unknown."""
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
    before, move = outcome.start, _turn_of(after)
    if after.begins or after.turn.call or before is None or move is None:
        return None
    if after.players[after.turn.seat] != move.player or isinstance(move.actions[0], Call):
        return None
    if before.begins:
        return before, move.actions
    if built.begun is None:
        return None
    start, actions = built.begun
    return start, (*actions, *move.actions)


def _turn_of(position: Position) -> Turn | None:
    """The line that led to a position, if it is a turn."""
    event = None if position.line is None else position.line.event
    return event if isinstance(event, Turn) else None


def _instead(built: Built, outcome: MovesResult) -> tuple[str, ...]:
    """What could be done if a move leads to a dead end."""
    from meldref.moves.suggestions import help_when_stuck  # noqa: PLC0415

    move, start = _turn_of(built.position), outcome.start
    if move is None or start is None or isinstance(move.actions[0], Call):
        return ()
    return help_when_stuck(built.judge, start, move.actions)


def _dead_end(judge: Judge, position: Position, outcome: MovesResult) -> Violation:
    """Why a turn cannot be ended, a house rule on ends or the cards, and the action since which."""
    from meldref.moves.dead_ends import ban_on_ends, since_when  # noqa: PLC0415

    turn = position.turn
    place = place_of(turn.line, turn.step, position.turns)
    line, start = position.line, outcome.start
    began = (start, [line]) if line is not None and start is not None else None
    ban = ban_on_ends(judge, position, began)
    if ban is None:
        since = None if began is None else since_when(judge, *began)
        if since is not None:
            place = place_of(*since, position.turns)
        use = "" if turn.duty is None else f"use {card_text(turn.duty.card)} and "
        message = f"{position.players[turn.seat]} cannot {use}end this turn"
        return Violation("out.stuck", message, place=place)
    return ban._replace(place=ban.place or place)


def stops_too_soon(findings: Sequence[Finding]) -> bool:
    """Whether all that keeps a line from being read is that more has to follow at its end."""
    unread = [finding for finding in findings if finding.code == "log.syntax"]
    return bool(unread) and all(
        finding.span.column > len(finding.excerpt.rstrip()) > 0 for finding in unread
    )


def with_player(position: Position, move: str) -> str:
    """The move as a whole line: with the name of the player to move if it names nobody."""
    if ":" in move or (read_actions(move)[1] and read_line(move)[0].event is not None):
        return move
    return f"{write_name(position.players[position.turn.seat])}: {move}"


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
