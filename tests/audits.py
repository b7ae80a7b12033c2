"""What the tests of the engine share: audits of texts, positions, and what holds of every position."""

from __future__ import annotations

from collections.abc import Iterator

from meldref.core.cards import size
from meldref.core.diagnostics import Severity, Span
from meldref.notation.reader import read_lines
from meldref.position.model import Position
from meldref.positions.build import Built, build_position
from meldref.replay.log import NO_OVERRIDES, Overrides, Replay
from meldref.replay.result import LogReport
from meldref.rulefiles.load import load_ruleset
from meldref_evidence.audit import replay
from meldref_evidence.explaining import RecordExplainer


def audit(text: str, overrides: Overrides = NO_OVERRIDES) -> LogReport:
    """The audit of a log."""
    return replay(read_lines(text), "test.rgn", overrides)


def found(text: str, overrides: Overrides = NO_OVERRIDES) -> list[tuple[int, str]]:
    """Line and code of every error of a log, in the order of lines."""
    errors = [one for one in audit(text, overrides).findings if one.severity is Severity.ERROR]
    return [(one.span.line, one.code) for one in errors]


def positions(text: str) -> Iterator[tuple[int, Position | None]]:
    """The number of each line of a log, and where the hand stands after it."""
    run = Replay("test.rgn", explainer=RecordExplainer())
    for read in read_lines(text):
        run.feed([read])
        hand = run.game.hand if run.game is not None else None
        yield read[0].number, hand.position if hand is not None else None


def built(
    rules: str = "500-rummy", options: tuple[str, ...] = (), settings: dict | None = None, **given
) -> Built:
    """A position that can be played on."""
    ruleset, findings = load_ruleset(rules, options, settings or {})
    assert ruleset is not None, findings
    position, wrong = build_position(given, ruleset, lambda path: Span(1))
    assert position is not None, wrong
    return position


def unusable(
    rules: str = "500-rummy", options: tuple[str, ...] = (), **given
) -> list[tuple[str, tuple]]:
    """Code and path of everything that makes a position unusable."""
    ruleset, _ = load_ruleset(rules, options)
    assert ruleset is not None
    places: list[tuple] = []

    def place(path: tuple) -> Span:
        places.append(path)
        return Span(len(places))

    position, wrong = build_position(given, ruleset, place)
    assert position is None
    return [(one.code, places[one.span.line - 1]) for one in wrong]


def check_position(position: Position, *, points: bool = True) -> None:
    """What holds of every position: known cards lie in one place each, hands are as large as is said.

    `points`: those of the players are the points of the cards they laid.
    """
    assert position.seen == position.located()
    for seat in range(len(position.players)):
        assert position.unknown[seat] >= 0
        assert position.held[seat] == size(position.hands[seat]) + position.unknown[seat]
        laid = [card.points for meld in position.melds for card in meld.cards if card.seat == seat]
        assert not points or position.points[seat] == sum(laid)
    assert position.stock_size >= len(position.stock)


def cards_in_all(position: Position) -> int:
    """How many cards there are in hands, stock, pile and melds."""
    laid = sum(len(meld.cards) for meld in position.melds)
    return sum(position.held) + position.stock_size + len(position.pile) + laid
