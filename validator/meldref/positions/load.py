"""Positions together with the ruleset that they name (`docs/notation.md`, Positions)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from meldref.core.diagnostics import Finding, Span
from meldref.core.records import changed
from meldref.core.safe_files import MAX_BYTES, read_file
from meldref.documents.reader import Document, Value, read_yaml
from meldref.positions.build import Built, build_position
from meldref.rulefiles.files import BASE, LogName, Name, is_path
from meldref.rulefiles.load import load_ruleset


def load_position(
    given: Mapping[str, Value] | str | Path,
    rules: Name | None = None,
    options: Sequence[Name] = (),
    settings: Sequence[str] = (),
    *,
    within: Path | None = None,
) -> tuple[Built | None, tuple[Finding, ...]]:
    """Loads a position and its ruleset.

    Args:
        given: the position as a mapping, or the path of a YAML or JSON file.
        rules: a ruleset in place of the one that the position names.
        options: options over those that it names.
        settings: `key=value` texts over those that it has.
        within: the folder in which, or below which, files that it names have to be.

    Returns:
        The position, ready to be asked about, or None and what is wrong.
    """
    if isinstance(given, Mapping):
        return _built(dict(given), None, rules, options, settings, within, within)
    try:
        data = read_file(given, MAX_BYTES)
    except OSError as error:
        what = f"the file cannot be read: {error.strerror}"
        return None, (Finding("log.syntax", what, Span(1), file=str(given)),)
    beside = Path(given).parent
    return read_position(data, str(given), rules, options, settings, beside, within=within)


def read_position(
    data: str | bytes,
    file: str,
    rules: Name | None = None,
    options: Sequence[Name] = (),
    settings: Sequence[str] = (),
    beside: Path | None = None,
    *,
    within: Path | None = None,
) -> tuple[Built | None, tuple[Finding, ...]]:
    """Loads a position from a file's content, as `load_position` does.

    Paths in it start at `beside`.
    """
    document, findings = read_yaml(data, file, "log.syntax")
    if document is None:
        return None, findings
    return _built(document.value, document, rules, options, settings, beside, within)


def _built(
    value: Value,
    document: Document | None,
    rules: Name | None,
    options: Sequence[Name],
    settings: Sequence[str],
    beside: Path | None,
    within: Path | None,
) -> tuple[Built | None, tuple[Finding, ...]]:
    named = value if isinstance(value, dict) else {}
    own_options, own_settings = named.get("with") or [], named.get("set") or {}
    if not isinstance(own_options, list):
        return None, (_finding(document, "`with` is a list of options", "with"),)
    if not isinstance(own_settings, dict):
        return None, (_finding(document, "`set` is a mapping of keys to values", "set"),)
    ruleset, findings = load_ruleset(
        rules or _bounded(str(named.get("rules") or BASE), within),
        [*(_bounded(str(option), within) for option in own_options), *options],
        [*written_settings(own_settings), *settings],
        beside,
    )
    if ruleset is None:
        return None, findings
    if document is None:
        return build_position(value, ruleset)
    built, wrong = build_position(value, ruleset, document.place)
    excerpt = document.excerpt
    return built, tuple(
        changed(finding, file=document.file, excerpt=excerpt(finding.span.line))
        for finding in wrong
    )


def _bounded(name: str, within: Path | None) -> Name:
    """A name in a position; a path leads to a file in the folder or below it, or nowhere."""
    return LogName(name, within) if within is not None and is_path(name) else name


def _finding(document: Document | None, message: str, key: str) -> Finding:
    if document is None:
        return Finding("log.syntax", message, Span(1))
    return document.finding("log.syntax", message, (key,))


def written_settings(settings: Mapping[str, Value]) -> tuple[str, ...]:
    """Single settings as a command line has them: `key=value`, as YAML reads it."""
    return tuple(
        f"{key}={value if isinstance(value, str) else json.dumps(value)}"
        for key, value in settings.items()
    )
