"""Plays moves on a position, and says what became of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from meldref.core.cards import UNKNOWN
from meldref.core.diagnostics import Finding, Span
from meldref.core.effort import Suggestions
from meldref.core.events import Line, Reshuffle, StockOrder, Turn, UpCard
from meldref.core.records import fresh, record
from meldref.core.text import many
from meldref.engine.judge import Judge
from meldref.notation.actions import hides_discard
from meldref.notation.reader import Read, read_lines_of
from meldref.notation.roster import Roster
from meldref.position.model import GOING_ON, Position
from meldref.positions.build import Built
from meldref.replay.hand import HandPlay
from meldref.replay.playing import Playing
from meldref.replay.reporter import Reporter
from meldref.rules.base import HOW_TO_SAY_HAND
from meldref.ruleset.model import Ruleset


@record(frozen=False)
class MovesResult:
    """What became of a case's moves, which were played from `start`, or of its log.

    `scores`: those of the last hand of a log, where it is a score sheet without a position.
    """

    findings: list[Finding]
    position: Position | None = None
    judge: Judge | None = None
    start: Position | None = None
    undecided: list[str] = fresh(default_factory=list)
    ruleset: Ruleset | None = None
    players: Sequence[str] = ()
    scores: Mapping[str, int] | None = None


def play_moves(
    built: Built,
    moves: Sequence[str],
    *,
    whole: bool = True,
    suggestions: Suggestions | None = None,
) -> MovesResult:
    """Plays moves on a position, one line each.

    `whole`: a turn still open at the end is judged as ended there.
    """
    if not built.in_hands:
        return _play(built, moves, suggestions, whole=whole)
    outcomes = [
        (name, _play(hand, moves, suggestions, whole=whole)) for name, hand in built.in_hands
    ]
    wrong = {name: outcome.findings[0].message for name, outcome in outcomes if outcome.findings}
    if len(wrong) == len(outcomes):
        return outcomes[0][1]
    legal = [outcome for name, outcome in outcomes if name not in wrong]
    outcome = legal[0]
    undecided: dict[str, None] = {}
    for other in legal:
        undecided |= dict.fromkeys(other.undecided)
    outcome.undecided = list(undecided)
    if wrong:
        outcome.undecided.append(open_where_hands_differ(wrong))
    return outcome


def open_where_hands_differ(wrong: Mapping[str, str]) -> str:
    """What is open where moves are legal in some hands of a game, and `wrong` in others."""
    question = (
        "whether this is legal depends on the number of the hand, "
        f"which nobody said ({HOW_TO_SAY_HAND})"
    )
    name, message = next(iter(wrong.items()))
    others = f", nor in {many(len(wrong) - 1, 'other')}" if len(wrong) > 1 else ""
    return f"{question}: it is not legal in {name} ({message}){others}"


def read_moves(players: Sequence[str], moves: Sequence[str]) -> Iterator[Read]:
    """Moves as they are read, each as a line of its own."""
    return read_lines_of(Roster(players), [move.replace("\n", " ") for move in moves])


def _play(
    built: Built, moves: Sequence[str], suggestions: Suggestions | None, *, whole: bool
) -> MovesResult:
    judge, position = built.judge, built.position
    reporter = Reporter(suggestions=suggestions or Suggestions())
    hand = HandPlay(judge, position.players, Line(0, "", None), reporter)
    playing = Playing(judge, position.players, reporter, hand)
    findings, start = reporter.report.findings, position.copy()
    hand.unseen_discards = position.unwritten.discards or UNKNOWN in position.pile
    hand.adopt(position)
    for line, wrong in read_moves(position.players, moves):
        findings.extend(wrong)
        if isinstance(line.event, Turn) and hides_discard(line.event.actions):
            hand.miss_discards()
        if isinstance(line.event, (Turn, Reshuffle, StockOrder, UpCard)):
            playing.play(line)
        elif line.event is not None:
            place = Span(line.number, 1, 2)
            findings.append(Finding("log.syntax", "expected a turn here", place, excerpt=line.text))
    if whole:
        hand.close_turn(stops=True)
    findings.sort(key=lambda finding: finding.span.line)
    undecided = [question.what for question in reporter.report.open]
    ruleset, players = judge.ruleset, position.players
    return MovesResult(findings, position, judge, start, undecided, ruleset, players)


def what_follows(position: Position) -> str:
    """`over`, `floats` (the last player has no cards and the hand goes on), or `plays X`."""
    if position.ending is not GOING_ON:
        return "over"
    last = position.acted
    if (
        last is not None
        and last in position.floating
        and not position.held[last]
        and position.begins
    ):
        return "floats"
    return f"plays {position.players[position.turn.seat]}"
