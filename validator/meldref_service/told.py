"""Findings and positions as answers have them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from meldref.answers.legal import Judgement
from meldref.answers.listing import legal_moves
from meldref.core.cards import card_text, each
from meldref.core.diagnostics import Edit, Finding, errors_in
from meldref.core.effort import EFFORT
from meldref.position.model import GOING_ON, Position
from meldref.positions.build import Built
from meldref.replay.result import LogReport
from meldref.report.json import facts, finding_data
from meldref.report.judgement import judgement_text
from meldref.report.position_file import NotWritable, position_file, position_text
from meldref.report.text import heading, notes_of
from meldref.rules.pages import PAGES
from meldref.ruleset.model import Ruleset
from meldref_service.given import LOG, At
from meldref_service.layout import layout
from meldref_table.best_plays import legal_turns
from meldref_table.report.picture import position_svg
from meldref_table.sitting import as_said, words_of

Answer: TypeAlias = dict[str, Any]

MOST_MOVES: Final = 300
"""The most legal moves that are listed with a position."""
MOST_TURNS: Final = 10
"""The most whole turns that are listed with a position."""
MOVE_STEPS: Final = 100_000
"""How much is searched for them."""
MOST_FINDINGS: Final = 200
"""The most findings of a log that are put into words."""


def told_finding(finding: Finding, file: str) -> Answer:
    """A finding in words: its heading, the line it is about, the facts, and how to put it right."""
    data: Answer = finding_data(finding, file)
    page = PAGES.get(finding.code)
    data["heading"] = heading(finding, file=data.get("file", file))
    data["excerpt"] = finding.excerpt
    data["facts"] = [*notes_of(finding, more=False)]
    data["page"] = None if page is None else {"means": page.means, "why": page.why}
    data["edits"] = [*map(_edit, finding.edits)]
    data["fixes"] = [*_fixes(finding)]
    return data


def _edit(edit: Edit) -> Answer:
    return facts(edit, "line", "column", "end_line", "end_column", "text")


def _fixes(finding: Finding) -> Iterator[Answer]:
    """The changes that put a finding right: its own, what was probably meant, what was legal."""
    if finding.edits:
        title = finding.help[0] if finding.help else f"Put right: {finding.message}"
        yield {"title": title, "sure": True, "edits": [*map(_edit, finding.edits)]}
    repair = finding.repair
    if repair is not None and repair.edits:
        yield {"title": repair.text, "sure": False, "edits": [*map(_edit, repair.edits)]}
    span = finding.span
    written = finding.excerpt[span.column - 1 : span.end_column - 1]
    word = written.partition(" ")[0]
    for move in finding.help if written and not finding.edits else ():
        verb = move.partition(" ")[0]
        if verb == word and move != written:
            edit = Edit(span.line, span.column, span.line, span.end_column, move)
            yield {"title": f"Write {move} instead", "sure": False, "edits": [_edit(edit)]}
        elif word == "take" and verb in {"meld", "lay"}:
            edit = Edit(span.line, span.end_column, span.line, span.end_column, f"; {move}")
            yield {"title": f"Then {move}", "sure": False, "edits": [_edit(edit)]}


def mark(finding: Finding) -> Answer:
    """Where a finding is underlined."""
    return {
        "file": finding.file,
        **facts(finding.span, "line", "column", "end_column"),
        "severity": finding.severity,
    }


def unusable(findings: Iterable[Finding], file: str) -> Answer:
    """The answer where what was given cannot be used."""
    return {
        "verdict": "unusable",
        "findings": [told_finding(finding, file) for finding in findings],
    }


def told_report(report: LogReport) -> Answer:
    """The audit of a log."""
    return {
        "verdict": report.verdict,
        **facts(report, "games", "hands", "turns"),
        "errors": len(errors_in(report.findings)),
        "marks": [mark(finding) for finding in report.findings],
        "findings": [told_finding(finding, LOG) for finding in report.findings[:MOST_FINDINGS]],
        "scores": [
            facts(scores, "game", "hand", "recorded", "computed") for scores in report.scores
        ],
        "open": [
            facts(question, "line", "what", "game", "hand")
            for question in report.open[:MOST_FINDINGS]
        ],
    }


def told_judgement(judgement: Judgement) -> Answer:
    """How a move was judged, without the position after it."""
    return {
        "verdict": judgement.verdict,
        "unfinished": judgement.unfinished,
        "moves": list(judgement.moves),
        "findings": [told_finding(finding, "") for finding in judgement.findings],
        "text": "\n".join(judgement_text(judgement)),
        "points": judgement.points,
        "then": judgement.then,
        "open": list(judgement.open),
    }


def file_of(built: Built, named: Mapping[str, object]) -> Answer | None:
    """A position as the data of a position file; None if none can say it, or the hand is over."""
    try:
        return position_file(built, named)
    except NotWritable:
        return None


def board(built: Built, named: Mapping[str, object]) -> Answer:
    """Where a hand stands: a picture, as a position file, and the words to say a move with."""
    position, judge = built.position, built.judge
    over = position.ending is not GOING_ON
    file = file_of(built, named)
    return {
        "to_move": None if over else position.players[position.turn.seat],
        "over": over,
        "layout": layout(position),
        "svg": position_svg(position),
        "file": file,
        "position": "" if file is None else "\n".join(position_text(file)),
        "copies": {card_text(card): copies for card, copies in enumerate(judge.copies)},
        "words": words(position, judge.ruleset),
    }


def table(built: Built, named: Mapping[str, object]) -> Answer:
    """Where a hand stands, and what may be done."""
    with EFFORT.at_most(MOVE_STEPS):
        moves = legal_moves(built, MOST_MOVES)
    with EFFORT.at_most(MOVE_STEPS):
        turns = legal_turns(built, MOST_TURNS)[0] if built.position.begins else []
    return {
        **board(built, named),
        "moves": [{"move": as_said(move.move), "points": move.points} for move in moves],
        "turns": [{"move": turn.move, "points": turn.points} for turn in turns],
    }


def words(position: Position, ruleset: Ruleset) -> list[Answer]:
    """What the player whose turn it is may name in a move: words, and cards and melds in sight."""
    seat = position.turn.seat
    melds = [f"m{number}" for number, meld in enumerate(position.melds, start=1) if meld.cards]
    hand = [card_text(card) for card in each(position.hands[seat])]
    pile = [card_text(card) for card in position.pile] if position.pile_known else []
    groups: Sequence[tuple[str, list[str]]] = (
        ("Words", [*words_of(ruleset), ";"]),
        (f"{position.players[seat]}'s hand", hand),
        ("Pile", pile),
        ("Melds", melds),
    )
    return [{"name": name, "words": those} for name, those in groups]


def told_position(at: At, file: str, *, moves: bool = True) -> Answer:
    """A position, with what may be done there if that is asked for; or why there is none."""
    if at.built is None:
        return unusable(at.findings, file)
    stands = (
        table(at.built, at.named)
        if moves
        else {**board(at.built, at.named), "moves": [], "turns": []}
    )
    return {"verdict": "position", "findings": [], **stands}
