"""Questions about a log: what is wrong with it, how it is written, seen and shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from meldref.core.diagnostics import errors_in
from meldref.notation import format_log, read_lines
from meldref.position.model import Position
from meldref.replay.log import Replay
from meldref.report.table import position_data
from meldref_evidence.inferring.corpus import Corpus, PlayedLog, log_of
from meldref_evidence.inferring.infer import infer_rules, name_from
from meldref_evidence.inferring.writing import text_of
from meldref_evidence.log_fixes import fix_log
from meldref_service.described import BadQuestion
from meldref_service.draft import Film
from meldref_service.given import LOG, GivenRules, Rules
from meldref_service.layout import layout
from meldref_service.session import MOST_SESSIONS, Session
from meldref_service.told import Answer, told_finding, told_report, unusable
from meldref_table.views.view import LogView, WithEnds

MOST_PLAYED: Final = 2_000
"""From so many lines rules are found, in a minute or two."""
MOST_BOARDS: Final = 500
"""The most lines of a log before which the table is shown in one answer."""
MOST_FILMS: Final = 8
"""The most films under way in a session."""
MOST_REPAIRED: Final = 2 << 20
"""How long a log may be, in bytes, to be repaired: each repair is an audit of all of it."""


def audit(session: Session, *, log: str, rules: GivenRules = "", folder: str = "") -> Answer:
    """Audits a log."""
    run = session.replay(Rules.of(rules, folder))
    run.feed(read_lines(log))
    return told_report(run.finish())


def draft(
    session: Session,
    *,
    log: str | None = None,
    rules: GivenRules = "",
    folder: str = "",
    hasty: bool = True,
) -> Answer:
    """Judges the log that is being written, first the hands that were changed; or goes on."""
    if log is not None:
        session.draft.write(log, Rules.of(rules, folder), hasty=hasty)
    elif not session.draft.is_written:
        kept = f"the {MOST_SESSIONS} sessions that were asked last are kept"
        raise BadQuestion(f"no draft of this session is kept: give its log ({kept})", ("log",))
    return session.draft.go_on()


def boards(
    session: Session,
    *,
    log: str,
    first: int = 1,
    last: int | None = None,
    rules: GivenRules = "",
    folder: str = "",
) -> Answer:
    """How the table stands before each line at which a hand is being played."""
    run = session.replay(Rules.of(rules, folder))
    shown: list[Answer] = []
    for line, findings in read_lines(log):
        number = line.number
        if len(shown) == MOST_BOARDS or (last is not None and number > last):
            return {"boards": shown, "next": number if len(shown) == MOST_BOARDS else None}
        stands = _dealt(run)
        if number >= first and stands is not None and line.event is not None:
            told = {"position": position_data(stands), "layout": layout(stands)}
            shown.append({"line": number, **told})
        run.feed(((line, findings),))
    return {"boards": shown, "next": None}


def _dealt(run: Replay) -> Position | None:
    """Where the hand under way stands; None if there is none, or nobody knows who begins."""
    hand = None if run.game is None else run.game.hand
    if hand is None or not hand.started or (hand.dealer is None and hand.position is None):
        return None
    return hand.as_dealt()


def film(
    session: Session,
    *,
    purpose: str,
    log: str | None = None,
    rules: GivenRules = "",
    folder: str = "",
) -> Answer:
    """Begins the page of a log, in the place of another for the same purpose; or goes on."""
    if log is not None:
        session.films.pop(purpose, None)
        for oldest in [*session.films][: 1 - MOST_FILMS]:
            del session.films[oldest]
        session.films[purpose] = Film(log, session.replay(Rules.of(rules, folder)))
    if purpose not in session.films:
        raise BadQuestion("no film for this purpose is under way: give a log", ("purpose",))
    told = session.films[purpose].go_on()
    if told["done"]:
        del session.films[purpose]
    return told


def fmt(session: Session, *, log: str) -> Answer:
    """A log in canonical form, unless a line of it cannot be read."""
    reads = list(read_lines(log))
    findings = [finding for _, of_line in reads for finding in of_line]
    told = [told_finding(finding, LOG) for finding in findings]
    if errors_in(findings):
        return {"text": None, "findings": told}
    return {"text": "".join(format_log(line for line, _ in reads)), "findings": told}


def repair(session: Session, *, log: str, rules: GivenRules = "", folder: str = "") -> Answer:
    """A log with the mistakes in writing put right that are beyond doubt."""
    data = log.encode("utf-8", "surrogatepass")
    if len(data) > MOST_REPAIRED:
        raise BadQuestion(f"logs of more than {MOST_REPAIRED >> 20} MiB are not repaired", ("log",))
    fixed = fix_log(data, LOG, Rules.of(rules, folder).overrides)
    if fixed is None:
        raise BadQuestion("this is no text: half a character is in it", ("log",))
    return {
        "text": fixed.text,
        "changes": [
            {
                "line": change.finding.span.line,
                "why": change.finding.message,
                "before": list(change.before),
                "after": list(change.after),
            }
            for change in fixed.changes
        ],
        "questions": fixed.questions,
        "unread": fixed.unread,
    }


def view(
    session: Session,
    *,
    log: str,
    viewer: str,
    texts: bool = False,
    rules: GivenRules = "",
    folder: str = "",
) -> Answer:
    """A log as one of its players, or everybody at the table, could have written it."""
    seen = LogView(viewer, LOG, Rules.of(rules, folder).overrides, texts=texts)
    lines = list(seen.of(WithEnds.of_text(log)))
    if seen.faults:
        return unusable(seen.faults, LOG)
    if not seen.played:
        raise BadQuestion("nobody of that name plays in this log; public is everybody", ("viewer",))
    return {
        "verdict": "seen",
        "findings": [told_finding(one, LOG) for line in lines for one in line.findings],
        "text": "".join(line.text for line in lines),
    }


def infer(session: Session, *, logs: Sequence[Mapping[str, str]]) -> Answer:
    """The rules that logs were played by: a rules file, and from how many of them."""
    played: list[PlayedLog] = []
    lines = 0
    for log in logs:
        one = log_of(log["name"], read_lines(log["text"]))
        lines += len(one.lines)
        if not one.why_not and (lines <= MOST_PLAYED or not played):
            played.append(one)
    text = text_of(infer_rules(Corpus(tuple(played))), name_from(None)) if played else ""
    return {"text": text, "logs": len(played)}
