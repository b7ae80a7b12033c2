"""Findings and audits as people read them.

One finding is its place, verdict, sentence and code in one line; the line it is about; and notes
behind `=`.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from meldref.core.diagnostics import Finding, Origin, Severity, errors_in
from meldref.core.safe_files import is_regular
from meldref.core.text import in_words, many, name_of_file, one_line
from meldref.notation.hopeful import not_tried
from meldref.replay.result import Scores
from meldref.report.excerpt import excerpt
from meldref.report.style import PLAIN, Style
from meldref.report.tally import Audited, LogTally
from meldref.rulefiles.files import shipped_by

_OF_VALUES: Final = re.compile(r"scoring\.(values|held)\.")
_RECORDS: Final = frozenset(("log", "score", "end", "game", "settle"))
"""Families of codes about what was written down, not about play."""

OWN_WORDS: Final = {"case": "failed", "fmt": "needs formatting"}
"""What reports of programs call `case` and `fmt`, which are no violations and have no page."""


def finding_text(
    finding: Finding,
    *,
    file: str | None = None,
    style: Style = PLAIN,
    more: bool = True,
    beside: Path | None = None,
) -> str:
    """A finding in the one layout that all errors have, without an end of line.

    `file` is the file's name as the user wrote it, else the finding's own; `more`: where to read
    more is said; `beside` is the folder from which rules files are named.
    """
    if file is None:
        file = shown_path(finding.file, beside)
    lines = [heading(finding, file=file, style=style)]
    gutter = ""
    if finding.excerpt:
        number = str(finding.span.line)
        gutter = " " * len(number)
        bar = style.dim("|")
        shown = excerpt(finding.excerpt, finding.span.column, finding.span.end_column)
        carets = shown.carets.lstrip()
        lead = " " * (len(shown.carets) - len(carets))
        lines.append(f"{gutter} {bar}")
        lines.append(f"{style.dim(number)} {bar} {shown.text}")
        lines.append(f"{gutter} {bar} {lead}{_colour(finding, style)(carets)}")
    lines += [f"{gutter} {style.dim('=')} {note}" for note in notes_of(finding, beside, more=more)]
    return "\n".join(lines)


def finding_texts(
    findings: Iterable[Finding],
    file_of: Callable[[Finding], str | None],
    *,
    style: Style = PLAIN,
    beside: Path | None = None,
) -> Iterator[str]:
    """Several findings, each as by `finding_text`; where to read more is said once for each code.

    `file_of` gives the name of the file as the user wrote it, None for the finding's own.
    """
    explained: set[str] = set()
    for finding in findings:
        more = finding.code not in explained
        explained.add(finding.code)
        yield finding_text(finding, file=file_of(finding), style=style, more=more, beside=beside)


def heading(finding: Finding, *, file: str | None = None, style: Style = PLAIN) -> str:
    """The first line of a finding: where, how bad, what, and its code."""
    word = _colour(finding, style)(verdict_word(finding))
    place = _place(finding, shown_path(finding.file if file is None else file))
    return f"{style.bold(place)}{word}: {finding.message} [{finding.code}]"


def verdict_word(finding: Finding) -> str:
    """A finding's verdict in a word: illegal play, wrong record, error in a file, warning."""
    if finding.severity is Severity.WARNING:
        return "warning"
    family = finding.code.partition(".")[0]
    if finding.code in OWN_WORDS:
        return OWN_WORDS[finding.code]
    if is_of_writing(finding):
        return "error"
    return "wrong" if family in _RECORDS else "illegal"


def is_of_writing(finding: Finding) -> bool:
    """Whether a finding is about what cannot be read, or used as rules."""
    return finding.code == "log.syntax" or finding.code.startswith("rules.")


def shown_path(file: str, beside: Path | None = None) -> str:
    """A file's name as messages have it, so that it can be opened from the current folder.

    A name relative to the folder `beside` is made relative to this one; so is a full path to
    something below it.
    """
    # A report may have very many places, and a `Path` for each takes its time.
    if not os.path.isabs(file):  # noqa: PTH117
        return str(beside / file) if beside is not None and _is_file(beside / file) else file
    try:
        near = _from_here(file, os.getcwd())  # noqa: PTH109
    except (OSError, ValueError):
        return file
    return file if near.startswith(os.pardir) else near


_from_here = lru_cache(maxsize=256)(os.path.relpath)
_is_file = lru_cache(maxsize=256)(is_regular)


def shown_origin(origin: Origin | None, beside: Path | None = None) -> str:
    """The file and line that set a key, to be opened from the current folder."""
    if origin is None:
        return "by default"
    file = shown_path(origin.file, beside)
    return name_of_file(f"{file}:{origin.line}" if origin.line else file)


def place_data(source: Any) -> dict[str, Any]:
    """The file and the line of a source, for programs; both None without a source."""
    if not source:
        return {"file": None, "line": None}
    return {"file": shown_path(source.file), "line": source.line}


def _place(finding: Finding, file: str) -> str:
    """`friday.rgn:14:8: `; without line and column if the finding is about no line of a file."""
    file = name_of_file(file)
    if not file or file.startswith("--"):
        return f"{file}: " if file else ""
    if not finding.excerpt and finding.span.line <= 1:
        return f"{file}: "
    if not finding.excerpt:
        return f"{file}:{finding.span.line}: "
    return f"{file}:{finding.span.line}:{finding.span.column}: "


def notes_of(finding: Finding, beside: Path | None = None, *, more: bool = True) -> Iterator[str]:
    """The facts behind a finding: notes, the rule, legal moves, and where to read more."""
    yield from finding.notes
    yield from beside_of(finding)
    yield from repair_of(finding)
    rules = rules_of(finding)
    for text in rules_text(
        [rule for rule in rules if rule_text(rule) not in finding.notes], beside
    ):
        yield f"rule: {text}"
    if finding.help:
        word = "help" if is_of_writing(finding) else "legal here"
        yield f"{word}: {' · '.join(finding.help)}"
    command = explained_by(finding, beside) if more else ""
    if command:
        yield f"more: {command}"


def rules_of(finding: Finding) -> tuple[Origin, ...]:
    """The settings behind a finding."""
    if finding.rules or finding.rule is None:
        return finding.rules
    return (finding.rule,)


def explained_by(finding: Finding, beside: Path | None = None) -> str:
    """The command that explains a code, by the rules that have it.

    Nothing explains what is wrong with a rules file, nor a rule in no file.
    """
    command = f"meldref explain {finding.code}"
    rule = finding.rule
    if finding.code.startswith("rules."):
        return ""
    if rule is None or not finding.code.startswith("house."):
        return command
    if rule.file.startswith("--"):
        return ""
    file = shown_path(rule.file, beside)
    shipped = None if _is_file(file) else shipped_by(file)
    option, name = shipped or ("--rules", file)
    return f"{command} {option} {name_of_file(shlex.quote(name))}"


def beside_of(finding: Finding) -> Iterator[str]:
    """The other lines that cannot all be true together with the finding's own."""
    if finding.lines:
        noun = "line" if len(finding.lines) == 1 else "lines"
        numbers = in_words(map(str, finding.lines))
        yield f"with {noun} {numbers}: these lines cannot all be true"


def repair_of(finding: Finding) -> Iterator[str]:
    """The mistake in writing that explains a finding, and how many more it explains."""
    repair = finding.repair
    if repair is not None:
        follows = len(repair.follows)
        rest = f", which also explains {many(follows, 'more finding')}" if follows else ""
        yield f"perhaps {repair.text}{rest}"


def rules_text(rules: Iterable[Origin], beside: Path | None = None) -> Iterator[str]:
    """Several settings, one on each line.

    What a file says of the values of cards is on one line.
    """
    rows: dict[object, list[Origin]] = {}
    for rule in rules:
        table = _OF_VALUES.match(rule.key)
        row = (table[0], rule.file) if table and rule.line else rule
        rows.setdefault(row, []).append(rule)
    for first, *more in rows.values():
        values = [f"{first.key} = {first.value}"]
        places = [shown_origin(first, beside)]
        places += dict.fromkeys(str(rule.line) for rule in more)
        for rule in more:
            table = _OF_VALUES.match(rule.key)
            if table:
                values.append(f"{rule.key[table.end() :]} = {rule.value}")
        yield f"{', '.join(values)}   ({', '.join(places)})"


def rule_text(rule: Origin, beside: Path | None = None) -> str:
    """The key and the value that govern something, and who set it."""
    return f"{rule.key} = {rule.value}   ({shown_origin(rule, beside)})"


def _colour(finding: Finding, style: Style) -> Callable[[str], str]:
    return style.yellow if finding.severity is Severity.WARNING else style.red


def log_text(
    audited: Audited, *, style: Style = PLAIN, quiet: bool = False, verbose: bool = False
) -> Iterator[str]:
    """One log's audit, line by line; an empty line stands between two findings.

    `quiet`: only the first line of each violation; `verbose`: every hand's scores, too, and as what
    lines were read that are spelled in another way than the grammar says.
    """
    report = audited.report
    shown = name_of_file(shown_path(report.path))

    def file_of(finding: Finding) -> str | None:
        return shown if finding.is_in(report.path) else None

    if quiet:
        for finding in errors_in(report.findings):
            yield heading(finding, file=file_of(finding), style=style)
        return
    texts = finding_texts(report.findings, file_of, style=style, beside=Path(report.path).parent)
    yield from (line for text in texts for line in (text, ""))
    if audited.hidden:
        shown_here = many(len(report.findings), "finding")
        yield f"{shown}: {shown_here} shown, {audited.hidden:,} more hidden"
    if audited.too_much:
        lines = many(audited.gave_up, "line")
        yield f"{shown}: too much is wrong in the first {lines}; the rest was not audited"
    elif audited.gave_up:
        yield f"{shown}: {not_tried(audited.gave_up, some=audited.report.games > 0)}"
    for question in report.open:
        place = style.bold(f"{shown}:{question.line}:")
        yield f"{place} {style.yellow('undecided')}: {question.what}"
    if verbose:
        for number, text in audited.respelled:
            yield f"{style.bold(f'{shown}:{number}:')} read as: {one_line(text)}"
        for scores in audited.scores:
            yield f"{shown}: {scores_text(scores)}"
    yield _verdict_line(audited, shown, style)


def _verdict_line(audited: Audited, shown: str, style: Style) -> str:
    report = audited.report
    parts = [many(report.hands, "hand"), many(report.turns, "turn")]
    if audited.warnings:
        parts.append(many(audited.warnings, "warning"))
    played = f"({', '.join(parts)})"
    verdict = {
        "clean": f"{style.green('clean')} {played}",
        "undecided": f"{style.yellow('undecided')} {played}",
        "unreadable": style.red("unreadable"),
        "violations": f"{style.red(many(audited.errors, 'violation'))} {played}",
    }
    return f"{shown}: {verdict[report.verdict]}"


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


def summary_text(tally: LogTally) -> str:
    """What was found in all logs together: `3 logs: 7 hands, 90 turns, 2 violations`."""
    parts = [many(tally.hands, "hand"), many(tally.turns, "turn")]
    if tally.errors:
        parts.append(many(tally.errors, "violation"))
    if tally.warnings:
        parts.append(many(tally.warnings, "warning"))
    for word in ("clean", "undecided", "unreadable"):
        number = getattr(tally, word)
        if number:
            parts.append(f"{number} {word}")
    return f"{many(tally.logs, 'log')}: {', '.join(parts)}"
