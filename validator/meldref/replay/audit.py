"""The audit of a whole log, for programs: a file or a text in, a report out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from meldref.notation.reader import read_lines
from meldref.notation.scanner import open_lines
from meldref.replay.log import Overrides, replay
from meldref.replay.result import LogReport


def audit_file(
    path: str | Path,
    rules: str | None = None,
    options: Sequence[str] = (),
    settings: Sequence[str] = (),
    *,
    trust_paths: bool = False,
) -> LogReport:
    """Audits the log in a file; paths in its headers start at the file's folder, and stay in it.

    Args:
        path: the file.
        rules: a ruleset in place of the log's own.
        options: options over those of the log.
        settings: `key=value` texts over those of the log.
        trust_paths: paths in its headers may lead anywhere.

    Raises:
        OSError: the file cannot be opened or read.
    """
    overrides = Overrides(rules, tuple(options), tuple(settings), Path(path).parent, trust_paths)
    return replay(read_lines(open_lines(path)), str(path), overrides)


def audit_text(
    text: str,
    rules: str | None = None,
    options: Sequence[str] = (),
    settings: Sequence[str] = (),
    beside: Path | None = None,
    *,
    trust_paths: bool = False,
) -> LogReport:
    """Audits a log that is a text, as `audit_file` does; paths in its headers start at `beside`."""
    return replay(read_lines(text), "", Overrides(rules, tuple(options), tuple(settings), beside, trust_paths))
