"""Findings and audits as people read them.

One finding is its place, verdict, sentence and code in one line; the line it is about; and notes behind `=`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from meldref.diagnostics import Finding, Origin, Severity
from meldref.report.excerpt import excerpt
from meldref.report.style import PLAIN, Style
from meldref.report.tally import Audited, Tally, counted
from meldref.reports import LogReport, Scores

_RECORDS: Final = frozenset(("log", "score", "end", "game", "settle"))
"""Families of codes about what was written down, not about play."""


def finding_text(finding: Finding, *, file: str | None = None, style: Style = PLAIN, more: bool = True) -> str:
    """A finding in the one layout that all errors have, without an end of line.

    Args:
        finding: what to show.
        file: the file's name as the user wrote it; without one, the finding's own.
        style: colours.
        more: whether to say where more is to be read.
    """
    lines = [heading(finding, file=file, style=style)]
    gutter = ""
    if finding.excerpt:
        number = str(finding.span.line)
        gutter = " " * len(number)
        shown = excerpt(finding.excerpt, finding.span.column, finding.span.end_column)
        bar = style.dim("|")
        colour = style.yellow if finding.severity is Severity.WARNING else style.red
        lines += [
            f"{gutter} {bar}",
            f"{style.dim(number)} {bar} {shown.text}",
            f"{gutter} {bar} {_painted(shown.carets, colour)}",
        ]
    lines += [f"{gutter} {style.dim('=')} {note}" for note in _notes(finding, more=more)]
    return "\n".join(lines)


def heading(finding: Finding, *, file: str | None = None, style: Style = PLAIN) -> str:
    """The first line of a finding: where, how bad, what, and its code."""
    word = verdict_word(finding)
    colour = style.yellow if finding.severity is Severity.WARNING else style.red
    place = _place(finding, shown_path(finding.file if file is None else file))
    return f"{style.bold(place)}{colour(word)}: {finding.message} [{finding.code}]"


def verdict_word(finding: Finding) -> str:
    """A finding's verdict in a word: illegal play, a wrong record, an error in a file, or a warning."""
    if finding.severity is Severity.WARNING:
        return "warning"
    family = finding.code.partition(".")[0]
    if finding.code == "log.syntax" or family == "rules":
        return "error"
    return "wrong" if family in _RECORDS else "illegal"


def shown_path(file: str) -> str:
    """A file's name as messages have it: a full path below the current folder is shown from there."""
    if not Path(file).is_absolute():
        return file
    try:
        near = os.path.relpath(file)
    except (OSError, ValueError):
        return file
    return file if near.startswith(os.pardir) else near


def _place(finding: Finding, file: str) -> str:
    """`friday.rgn:14:8: `; without line and column where the finding is about no line of a file."""
    if not file or file.startswith("--"):
        return f"{file}: " if file else ""
    if not finding.excerpt and finding.span.line <= 1:
        return f"{file}: "
    if not finding.excerpt:
        return f"{file}:{finding.span.line}: "
    return f"{file}:{finding.span.line}:{finding.span.column}: "


def _notes(finding: Finding, *, more: bool) -> Iterator[str]:
    yield from finding.notes
    if finding.rule is not None:
        rule = rule_text(finding.rule)
        if rule not in finding.notes:
            yield f"rule: {rule}"
    if finding.help:
        authors = finding.code.startswith(("rules.", "log."))
        yield ("help: " if authors else "legal here: ") + " · ".join(finding.help)
    if more and not finding.code.startswith("rules."):
        yield f"more: meldref explain {finding.code}"


def rule_text(rule: Origin) -> str:
    """The key and the value that govern something, and who set it."""
    file = shown_path(rule.file)
    where = f"{file}:{rule.line}" if rule.line else file
    return f"{rule.key} = {rule.value}   ({where})"


def _painted(carets: str, colour: object) -> str:
    assert callable(colour)
    bare = carets.lstrip()
    return " " * (len(carets) - len(bare)) + str(colour(bare))


# --- audits ----------------------------------------------------------------------------------------------------


def log_text(
    audited: Audited, *, style: Style = PLAIN, quiet: bool = False, verbose: bool = False
) -> Iterator[str]:
    """One log's audit, line by line; an empty line stands between two findings."""
    report = audited.report
    shown = shown_path(report.path)
    explained: set[str] = set()
    for place, finding in enumerate(report.findings):
        if quiet and finding.severity is Severity.WARNING:
            continue
        file = shown if _is_of_log(finding, report) else None
        if quiet:
            yield heading(finding, file=file, style=style)
            continue
        if place:
            yield ""
        yield finding_text(finding, file=file, style=style, more=finding.code not in explained)
        explained.add(finding.code)
    if quiet:
        return
    if report.findings:
        yield ""
    if audited.hidden:
        yield f"{shown}: {len(report.findings):,} findings are shown, {audited.hidden:,} more are not"
    if audited.gave_up:
        yield f"{shown}: no line of the first {audited.gave_up:,} could be read; the rest was left unread"
    for one in report.open:
        yield f"{style.bold(f'{shown}:{one.line}:')} {style.yellow('open')}: {one.what}"
    if verbose:
        for scores in report.scores:
            yield f"{shown}: {scores_text(scores)}"
    yield _verdict_line(audited, shown, style)


def _is_of_log(finding: Finding, report: LogReport) -> bool:
    """Whether a finding stands in the log itself, not in a ruleset."""
    return finding.file in {report.path, Path(report.path).name, ""}


def _verdict_line(audited: Audited, shown: str, style: Style) -> str:
    report = audited.report
    played = f"({counted(report.hands, 'hand')}, {counted(report.turns, 'turn')})"
    verdict = report.verdict
    if verdict == "clean":
        return f"{shown}: {style.green('clean')} {played}"
    if verdict == "undecided":
        return f"{shown}: {style.yellow('undecided')} {played}"
    if verdict == "unreadable":
        return f"{shown}: {style.red('unreadable')}"
    return f"{shown}: {style.red(counted(audited.errors, 'violation'))} {played}"


def scores_text(scores: Scores) -> str:
    """The points of a hand, as the replay gives them and as recorded."""
    computed, recorded = _points(scores.computed), _points(scores.recorded)
    place = f"game {scores.game}, hand {scores.hand}"
    if scores.computed == scores.recorded:
        return f"{place}: {computed}, as recorded"
    return f"{place}: computed {computed}; recorded {recorded}"


def _points(points: object) -> str:
    if not isinstance(points, dict) or not points:
        return "nothing"
    return ", ".join(f"{name} {value}" for name, value in points.items())


def summary_text(tally: Tally) -> str:
    """What was found in all logs together: `3 logs: 7 hands, 90 turns, 2 violations`."""
    parts = [counted(tally.hands, "hand"), counted(tally.turns, "turn")]
    if tally.errors:
        parts.append(counted(tally.errors, "violation"))
    if tally.warnings:
        parts.append(counted(tally.warnings, "warning"))
    parts += [f"{number} {word}" for number, word in tally.states() if number]
    return f"{counted(tally.logs, 'log')}: {', '.join(parts)}"
