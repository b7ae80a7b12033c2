"""Loads a ruleset: a game with what it builds on, options, and single settings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from meldref.diagnostics import Finding
from meldref.ruleset import compiled
from meldref.ruleset.model import Ruleset
from meldref.ruleset.settings import Setting, Settings

__all__ = ["Setting", "Settings", "load_ruleset"]


def load_ruleset(
    name: str | Path,
    options: Sequence[str] = (),
    settings: Settings = (),
    beside: Path | None = None,
) -> tuple[Ruleset | None, tuple[Finding, ...]]:
    """Load and merge a ruleset.

    Args:
        name: the id or an alias of a shipped ruleset, or the path of a file.
        options: ids or paths of options, laid over it from left to right.
        settings: values of single keys, laid over those: a `key=value` text each, or a `Setting`, which knows
            where it was written; or values by key.
        beside: the folder that relative paths start from; without one, the current folder.

    Returns:
        The ruleset, or None where something is wrong, and the findings; a finding without a file is about
        what was asked for, not about a file.
    """
    if not settings:
        kept = compiled.recall(str(name), options)
        if kept is not None:
            return kept, ()
    from meldref.ruleset.compose import compose  # noqa: PLC0415  reads YAML, which what is kept does not need

    ruleset, findings, shipped, *_ = compose(str(name), options, settings, beside)
    if ruleset is not None and shipped and not findings and not settings:
        compiled.keep(str(name), options, ruleset, shipped)
    return ruleset, findings
