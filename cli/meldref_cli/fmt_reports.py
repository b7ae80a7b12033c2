"""What `fmt --check` finds, for other programs: JSON, JSON Lines, and the formats of servers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from meldref_cli import options, output
from meldref_cli.errors import CLEAN, UNUSABLE, WRONG, Unusable, status

if TYPE_CHECKING:
    from meldref.diagnostics import Finding
    from meldref.report.examined import Examined
    from meldref_cli.fmt import Formatted

_WORDS = {"clean": "canonical", "wrong": "to be formatted", "undecided": "", "unusable": "unreadable"}


def report_form(
    names: Iterable[str],
    report_format: options.ReportFormat,
    read: Callable[[str], Formatted],
    *,
    quiet: bool,
    exit_zero: bool,
) -> int:
    """Reports which logs are not in canonical form, and returns the exit status."""
    from meldref_cli.files import expand_all
    from meldref_cli.machine_reports import is_for_machines, machine_report

    machine = None
    if is_for_machines(report_format):
        machine = machine_report(report_format, "meldref fmt --check", noun="line", quiet=quiet)
    worst = CLEAN
    paths, troubles = expand_all(names, (".rgn",))
    for trouble in troubles:
        output.error(trouble)
        worst = UNUSABLE
        if machine is not None:
            machine.trouble(trouble)
    counts = {"logs": 0, "canonical": 0, "to be formatted": 0, "unreadable": 0}
    logs: list[object] = []
    for path in paths:
        one = _examined(path, read)
        word = _WORDS[one.state]
        counts["logs"] += 1
        counts[word] += 1
        worst = max(worst, {"clean": CLEAN, "wrong": WRONG}.get(one.state, UNUSABLE))
        if machine is not None:
            machine.add(one)
        elif report_format is options.ReportFormat.JSON:
            logs.append({"path": path, "verdict": word, "findings": _data(one)})
        else:
            output.write_all(json.dumps({"path": path, **finding}) for finding in _data(one))
    code = status(worst, exit_zero=exit_zero)
    if machine is not None:
        machine.end(code, _summary(counts))
    else:
        summary = {key.replace(" ", "_"): number for key, number in counts.items()}
        output.write(
            json.dumps(
                {"logs": logs, "summary": summary} if logs or report_format == "json" else {"summary": summary}
            )
        )
    return code


def _examined(path: str, read: Callable[[str], Formatted]) -> Examined:
    """A log, with a finding at its first line that is not in canonical form, or all that cannot be read."""
    from meldref.diagnostics import Finding, Span
    from meldref.report.examined import Examined
    from meldref_cli.auditing import MOST

    try:
        log = read(path)
    except Unusable as reason:
        output.error(str(reason))
        why = str(reason).removeprefix(f"{path}: ")
        return Examined(path, (Finding("log.syntax", why, Span(1), file=path),), usable=False)
    if log.findings:
        hidden = max(0, len(log.findings) - MOST)
        return Examined(path, log.findings[:MOST], hidden=hidden, usable=False)
    if log.before == log.after:
        return Examined(path)
    return Examined(path, (_first(path, log),))


def _first(path: str, log: Formatted) -> Finding:
    """What is not in canonical form, at the first line that is not."""
    from meldref.diagnostics import Finding, Span

    text = log.before.removeprefix("\ufeff")
    if text == log.after:
        return Finding(
            "fmt", "a byte order mark stands before it", Span(1, 1, 2), file=path, excerpt=text.partition("\n")[0]
        )
    mine, canonical = text.split("\n"), log.after.split("\n")
    differing = (at for at, line in enumerate(mine) if at >= len(canonical) or line != canonical[at])
    at = next(differing, len(mine) - 1)
    line = mine[at].rstrip("\r")
    if not line.strip():
        message = "this blank line is too many"
    elif line == canonical[at]:
        ends = at < len(mine) - 1
        message = "the line ends in another way than the canonical form" if ends else "the last line has no end"
    else:
        message = f"the canonical form is `{canonical[at]}`"
    return Finding("fmt", message, Span(at + 1, 1, len(line) + 1), file=path, excerpt=line)


def _data(one: Examined) -> list[dict[str, object]]:
    from meldref.report.json import finding_data

    return [dict(finding_data(finding, one.path)) for finding in one.findings]


def _summary(counts: dict[str, int]) -> str:
    from meldref.wording import many

    parts = [f"{number:,} {word}" for word, number in counts.items() if number and word != "logs"]
    return f"{many(counts['logs'], 'log')}: {', '.join(parts) or 'none'}"
