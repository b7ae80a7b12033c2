"""How `meldref rules diff` writes what it found: as text, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from meldref.records import record

if TYPE_CHECKING:
    from meldref.authoring.difference import Difference, Differences, Side
    from meldref.authoring.example import Effort, Example
    from meldref.authoring.judged import JudgedLine, JudgedScore, Ruling

_SIDES: Final = ("A", "B")
_COLUMN: Final = 32


@record
class JudgedLog:
    """A log that was judged by both rulesets; `trouble` says why not, where it could not be."""

    path: str
    lines: tuple[JudgedLine, ...] = ()
    scores: tuple[JudgedScore, ...] = ()
    trouble: str = ""


# --- text ------------------------------------------------------------------------------------------------------


def text(names: tuple[str, str], differences: Differences, *, quiet: bool) -> Iterator[str]:
    """The keys that differ, each with what both say and where; `quiet`: their names alone."""
    from meldref.wording import many

    if quiet:
        yield from (one.key for one in differences.in_meaning)
        return
    if differences.same:
        yield f"{names[0]} and {names[1]} mean the same"
    else:
        yield from (f"{side}: {name}" for side, name in zip(_SIDES, names, strict=True))
        yield ""
        yield from _keys(differences.in_meaning)
        yield ""
        number = len(differences.in_meaning)
        yield f"{many(number, 'key')} differ{'s' if number == 1 else ''} in meaning"
    if differences.apart:
        yield ""
        yield "Written differently, with no effect on play:"
        yield ""
        yield from _keys(differences.apart)


def _keys(differences: Sequence[Difference]) -> Iterator[str]:
    column = min(_COLUMN, max(len(one.key) for one in differences))
    for one in differences:
        head = f"{one.key:<{column}}"
        if len(one.key) > column:
            yield one.key
            head = " " * column
        yield f"{head}  A: {_side(one.first)}"
        yield f"{' ' * column}  B: {_side(one.second)}"


def _side(side: Side) -> str:
    from meldref.report.text import shown_origin
    from meldref.ruleset.merge import flow

    value = "as on the table" if side.value is None else flow(side.value)
    place = shown_origin(side.origin) if side.origin is not None else ""
    rests = f"no effect: see {side.rests}" if side.rests else ""
    behind = "; ".join(part for part in (place, rests) if part)
    return f"{value}   ({behind})" if behind else value


def judged_text(judged: Sequence[JudgedLog]) -> Iterator[str]:
    """The lines and scores of logs that are judged differently."""
    from meldref.wording import many

    lines = scores = logs = 0
    for log in judged:
        if log.trouble:
            continue
        lines, scores, logs = (
            lines + len(log.lines),
            scores + len(log.scores),
            logs + bool(log.lines or log.scores),
        )
        for line in log.lines:
            yield ""
            yield f"{log.path}:{line.line}: {line.text.strip()}".rstrip(": ")
            yield from _ruling("A", line.first)
            yield from _ruling("B", line.second)
        for score in log.scores:
            yield ""
            yield f"{log.path}: game {score.game}, hand {score.hand}: scores"
            for side, scored in zip(_SIDES, (score.first, score.second), strict=True):
                said = ", ".join(f"{name} {points}" for name, points in scored.items()) if scored else "not known"
                yield f"  {side}: {said}"
    read = sum(not log.trouble for log in judged)
    if not read:
        return
    yield ""
    if not lines and not scores:
        yield f"{many(read, 'log')}: every line is judged alike, and every hand scored alike"
        return
    parts = [many(number, noun) for number, noun in ((lines, "line"), (scores, "hand's score")) if number]
    yield f"{' and '.join(parts)} judged differently, in {logs} of {many(read, 'log')}"


def _ruling(side: str, ruling: Ruling) -> Iterator[str]:
    from meldref.report.text import rule_text, verdict_word

    if not ruling.findings and not ruling.open:
        yield f"  {side}: nothing wrong"
    for finding in ruling.findings:
        yield f"  {side}: {verdict_word(finding)}: {finding.message} [{finding.code}]"
        if finding.rule is not None:
            yield f"     = rule: {rule_text(finding.rule)}"
    for what in ruling.open:
        yield f"  {side}: undecided: {what}"


def example_text(
    found: Example | None, looked: Effort, out: str | None, differences: Differences
) -> Iterator[str]:
    """The example, or how far was looked for one."""
    from meldref.authoring.example import UNSEEN
    from meldref.report.text import rule_text, verdict_word

    yield ""
    if found is None:
        if looked.records:
            yield f"No example found among {_looked(looked)}; --effort N looks further"
        for one in differences.in_meaning:
            if one.key in UNSEEN:
                yield f"{one.key} shows in no record: {UNSEEN[one.key]}"
        return
    clean, other = _SIDES[found.clean], _SIDES[1 - found.clean]
    yield f"An example, legal by {clean} and not by {other}:"
    yield ""
    yield found.text.rstrip("\n") if out is None else f"  {out}"
    yield ""
    finding = found.finding
    said = f"{verdict_word(finding)}: {finding.message} [{finding.code}]"
    yield f"{other}, line {finding.span.line}: {said}"
    if finding.rule is not None:
        yield f"   = rule: {rule_text(finding.rule)}"


def _looked(looked: Effort) -> str:
    return (
        f"{looked.records:,} small records, {looked.walks:,} short games made up "
        f"and {looked.hands:,} hands played out"
    )


# --- json ------------------------------------------------------------------------------------------------------


def data(
    names: tuple[str, str],
    differences: Differences,
    judged: Sequence[JudgedLog] | None,
    found: Example | None,
    looked: Effort | None,
) -> dict[str, object]:
    """All of it, for programs; `logs` and `example` only where they were asked for."""
    from meldref.report.json import finding_data

    data: dict[str, object] = {
        "version": 1,
        "rulesets": list(names),
        "same": differences.same,
        "differences": [_difference_data(one) for one in differences.in_meaning],
        "apart": [_difference_data(one) for one in differences.apart],
    }
    if judged is not None:
        data["logs"] = [_log_data(log) for log in judged]
    if looked is not None:
        data["example"] = None
        if found is not None:
            data["example"] = {
                "legal_by": names[found.clean],
                "not_by": names[1 - found.clean],
                "log": found.text,
                "finding": finding_data(found.finding),
            }
        data["looked_at"] = {"records": looked.records, "made_up": looked.walks, "hands": looked.hands}
    return data


def _difference_data(one: Difference) -> dict[str, object]:
    return {"key": one.key, "first": _side_data(one.first), "second": _side_data(one.second)}


def _side_data(side: Side) -> dict[str, object]:
    from meldref.report.text import shown_path

    return {
        "value": side.value,
        "file": shown_path(side.origin.file) if side.origin else None,
        "line": side.origin.line if side.origin else None,
        "no_effect": side.rests or None,
    }


def _log_data(log: JudgedLog) -> dict[str, object]:
    return {
        "path": log.path,
        "trouble": log.trouble or None,
        "lines": [
            {
                "line": line.line,
                "text": line.text,
                "first": _ruling_data(line.first),
                "second": _ruling_data(line.second),
            }
            for line in log.lines
        ],
        "scores": [
            {
                "game": score.game,
                "hand": score.hand,
                "first": None if score.first is None else dict(score.first),
                "second": None if score.second is None else dict(score.second),
            }
            for score in log.scores
        ],
    }


def _ruling_data(ruling: Ruling) -> dict[str, object]:
    from meldref.report.json import finding_data

    return {"findings": [finding_data(finding) for finding in ruling.findings], "open": list(ruling.open)}
