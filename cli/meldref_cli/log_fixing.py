"""`meldref fmt --fix`: repairs what was written wrongly in logs, where there is no doubt."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from meldref.core.text import many, name_of_file
from meldref.replay.log import Overrides
from meldref.report.patch import patch_text
from meldref_cli import output
from meldref_cli.errors import CLEAN, UNUSABLE, WRONG, Unusable
from meldref_cli.files import STANDARD_INPUT, expand_all, read_bytes
from meldref_cli.findings import tell_troubles
from meldref_cli.writing import seen, write_file
from meldref_evidence.log_fixes import FixedLog, fix_log

MOST_BYTES: Final = 2 << 20
"""How long a log may be; each of its repairs is an audit of all of it."""


def fix_logs(logs: list[str], *, diff: bool, quiet: bool) -> int:
    """Repairs logs in place, or shows how; standard input goes to standard output.

    The exit status.
    """
    paths, troubles = expand_all(logs, (".rgn",))
    worst = tell_troubles(troubles)
    for path in paths:
        try:
            changes = _fix_one(path, diff=diff, quiet=quiet)
        except Unusable as reason:
            output.error(str(reason))
            worst = UNUSABLE
        else:
            worst = max(worst, WRONG if changes and diff else CLEAN)
    return worst


def _fix_one(path: str, *, diff: bool, quiet: bool) -> bool:
    """Repairs one log, unless only the changes are to be shown; whether there are any."""
    before = seen(path)
    data = read_bytes(path, MOST_BYTES)
    if len(data) > MOST_BYTES:
        raise Unusable(f"{path}: logs of more than {MOST_BYTES >> 20} MiB are not repaired")
    folder = Path() if path == STANDARD_INPUT else Path(path).parent
    name = Path(path).name if path != STANDARD_INPUT else path
    fixed = fix_log(data, name, Overrides(beside=folder))
    if fixed is None:
        raise Unusable(f"{path}: this is no text in UTF-8")
    old = data.decode()
    if diff:
        output.write_all(patch_text(path, old, fixed.text, "repaired"))
    elif path == STANDARD_INPUT:
        sys.stdout.write(fixed.text)
    else:
        if fixed.text != old:
            write_file(path, (fixed.text,), before)
        output.write_all(_shown(path, fixed))
    if not quiet:
        output.notice(f"{path}: {_summary(fixed, done=not diff)}")
    return fixed.text != old


def _shown(path: str, fixed: FixedLog) -> Iterator[str]:
    """Each repair with the lines that it changed."""
    for change in fixed.changes:
        finding = change.finding
        repair = finding.repair
        what = finding.message if repair is None else repair.text
        yield f"{name_of_file(path)}:{finding.span.line}: {what} [{finding.code}]"
        yield from (f"-{line}" for line in change.before)
        yield from (f"+{line}" for line in change.after)


def _summary(fixed: FixedLog, *, done: bool) -> str:
    repairs = many(len(fixed.changes), "repair")
    questions = f", {many(fixed.questions, 'question')} as a comment" if fixed.questions else ""
    unread = f"; {many(fixed.unread, 'line')} cannot be read" if fixed.unread else ""
    return f"{repairs}{questions}{'' if done else ', not written'}{unread}"
