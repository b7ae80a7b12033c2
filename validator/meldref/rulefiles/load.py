"""Loads a ruleset: a game with what it builds on, options, and single settings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from meldref.core.diagnostics import Finding
from meldref.rulefiles import compiled
from meldref.rulefiles.files import LogName, Name, Setting, Settings
from meldref.ruleset.model import Ruleset

__all__ = ["Setting", "Settings", "load_ruleset"]


def load_ruleset(
    name: Name | Path,
    options: Sequence[Name] = (),
    settings: Settings = (),
    beside: Path | None = None,
) -> tuple[Ruleset | None, tuple[Finding, ...]]:
    """Load and merge a ruleset.

    Args:
        name: the id or an alias of a shipped ruleset, or the path of a file; or such a name in a log, or a file
            that was found already.
        options: ids or paths of options, or files found, laid over it from left to right.
        settings: values of single keys, laid over those: a `key=value` text each, or a `Setting`, which knows
            where it was written; or values by key.
        beside: the folder that relative paths start from; without one, the current folder.

    Returns:
        The ruleset, or None where something is wrong, and the findings; a finding without a file is about
        what was asked for, not about a file.
    """
    game = str(name) if isinstance(name, Path) else name
    named = [one.text if isinstance(one, LogName) else one for one in (game, *options)]
    ids = [one for one in named if isinstance(one, str)]
    by_id = not settings and len(ids) == 1 + len(options)
    if by_id:
        kept = compiled.recall(ids[0], ids[1:])
        if kept is not None:
            return kept, ()
    from meldref.rulefiles.compose import compose  # noqa: PLC0415  reads YAML, which what is kept does not need

    ruleset, findings, shipped, *_ = compose(game, options, settings, beside)
    if by_id and ruleset is not None and shipped and not findings:
        compiled.keep(ids[0], ids[1:], ruleset, shipped)
    return ruleset, findings
