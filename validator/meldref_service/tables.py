"""Questions about a game that is being played at a table, its referee being asked line by line."""

from __future__ import annotations

from collections.abc import Sequence

from meldref.answers.legal import stops_too_soon
from meldref.core.diagnostics import Finding, errors_in
from meldref.core.events import Deal
from meldref.notation import read_lines
from meldref.notation.writer import write_event
from meldref.position.model import GOING_ON, OVER, Position
from meldref.report.scored import sheet_text
from meldref.scoring.counting import score_sheets
from meldref_evidence.explaining import WEIGHING
from meldref_service.given import LOG, GivenRules, Rules
from meldref_service.session import Session
from meldref_service.told import Answer, told_finding, words
from meldref_table.report.picture import position_svg
from meldref_table.simulate import LogSource, cannot_play
from meldref_table.simulate.playing import headers
from meldref_table.sitting import Sitting


def begin(
    session: Session, *, players: Sequence[str], rules: GivenRules = "", folder: str = ""
) -> Answer:
    """The first lines of a new log."""
    asked = Rules.of(rules, folder)
    ruleset, findings = asked.load()
    names = [name.strip() for name in players if name.strip()]
    wrong = [finding.message for finding in errors_in(findings)]
    if ruleset is not None:
        if len(set(names)) < len(names):
            wrong.append("each player has a name of their own")
        elif (reason := cannot_play(ruleset, len(names))) is not None:
            wrong.append(reason)
    if ruleset is None or wrong:
        return {"lines": None, "wrong": wrong}
    said = asked.named_over({})
    source = LogSource(
        str(said.get("rules", ruleset.id)), tuple(map(str, asked.options)), asked.settings
    )
    try:
        lines = [write_event(line) for line in headers(source, names)]
    except ValueError as reason:
        return {"lines": None, "wrong": [str(reason)]}
    return {"lines": lines, "wrong": []}


def sit(
    session: Session,
    *,
    lines: Sequence[str],
    seed: int,
    say: str = "",
    seen_by: str = "",
    insist: bool = False,
    rules: GivenRules = "",
    folder: str = "",
) -> Answer:
    """Takes a line, or one of the deeds, into a log that is being written.

    What comes back is the log, what is wrong, and the table as `seen_by` sees it: other hands are
    covered, and no card of the stock is named.
    """
    overrides = Rules.of(rules, folder).overrides
    sitting = Sitting(LOG, lines, overrides, seed, WEIGHING)
    before = len(sitting.lines)
    findings = _said(sitting, say, insist=insist)
    mover = sitting.mover()
    position = sitting.as_seen(seen_by or None)
    sees = mover is not None and seen_by == mover
    ruleset = None if sitting.game is None else sitting.game.ruleset
    sheets, _ = score_sheets(read_lines(sitting.lines), session.replay(Rules.of(rules, folder)))
    return {
        "lines": sitting.lines,
        "written": len(sitting.lines) - before,
        "told": _told(sitting, sitting.lines[before:], seen_by if sees else None),
        "verdict": _verdict(findings),
        "unfinished": stops_too_soon(findings),
        "findings": [
            told_finding(sitting.may_know(finding, seen_by or None), LOG) for finding in findings
        ],
        "mover": mover,
        "players": [] if sitting.game is None else list(sitting.game.players),
        "score": "\n".join(line for sheet in sheets[-1:] for line in sheet_text(sheet)),
        "possible": _possible(position),
        "svg": "" if position is None else position_svg(position),
        "words": words(position, ruleset) if sees and position and ruleset else [],
        "moves": sitting.moves() if sees else [],
        "last": _last(sitting, seed),
    }


def _said(sitting: Sitting, say: str, *, insist: bool) -> tuple[Finding, ...]:
    """Does what is said at the table; what is wrong with it."""
    match say:
        case "undo":
            return sitting.undo()
        case "deal":
            return sitting.deal()
        case "end":
            return sitting.end()
        case "reshuffle":
            return sitting.shuffle()
    return sitting.say(say, insist=insist) if say.strip() else ()


def _verdict(findings: Sequence[Finding]) -> str:
    """Whether a line is `legal`, `illegal` or `unreadable`."""
    if any(finding.code == "log.syntax" for finding in findings):
        return "unreadable"
    return "illegal" if errors_in(findings) else "legal"


def _possible(position: Position | None) -> list[str]:
    """Which of `deal`, `end` and `reshuffle` there is a reason for now."""
    if position is None or position.ending is OVER:
        return ["deal"]
    if position.ending is not GOING_ON:
        return ["end"]
    return [] if position.stock_size else ["reshuffle"]


def _last(sitting: Sitting, seed: int) -> str:
    """What would be taken back from a log, in words that everybody may read; empty if nothing."""
    again = Sitting(LOG, sitting.lines, sitting.run.overrides, seed, WEIGHING)
    if again.undo():
        return ""
    if any(isinstance(event, Deal) for event in again.taken_back):
        return "the deal"
    return "; ".join([again.as_told(event, None) or "" for event in again.taken_back])


def _told(sitting: Sitting, lines: Sequence[str], name: str | None) -> str:
    """Lines of a log as a player may see them, or with no name anybody."""
    events = [line.event for line, _ in read_lines(lines)]
    seen = [sitting.as_told(event, name) for event in events if event is not None]
    return "; ".join([text for text in seen if text is not None])
