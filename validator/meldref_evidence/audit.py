"""Audits that explain what they find, and weigh what nobody saw."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from meldref.notation.reader import Read
from meldref.replay import log
from meldref.replay.result import LogReport
from meldref_evidence.explaining import RecordExplainer


def replay(
    lines: Iterable[Read], path: str = "", overrides: log.Overrides = log.NO_OVERRIDES
) -> LogReport:
    """The audit of a log's lines."""
    return log.replay(lines, path, overrides, RecordExplainer())


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
    return log.audit_file(
        path, rules, options, settings, trust_paths=trust_paths, explainer=RecordExplainer()
    )


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
    return log.audit_text(
        text,
        rules,
        options,
        settings,
        beside,
        trust_paths=trust_paths,
        explainer=RecordExplainer(),
    )
