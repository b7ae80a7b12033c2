"""meldref: the referee for the Rummy 500 family of card games.

What is offered here is for programs that use the library. It comes from its module when it is first asked for, so
that `import meldref` costs next to nothing. What is wrong with something that somebody wrote or played is told in
findings, which are values; only `require_legal` raises.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from meldref.core.cards import cards_text
    from meldref.core.diagnostics import (
        AmbiguousMove,
        Finding,
        IllegalMove,
        InvalidNotation,
        MeldrefError,
        Origin,
        Severity,
        Span,
    )
    from meldref.core.version import __version__
    from meldref.legal import (
        Judgement,
        LegalMove,
        best_plays,
        judge_move,
        legal_moves,
        legal_turns,
        require_legal,
        turn_moves,
    )
    from meldref.notation import format_log, read_lines
    from meldref.positions.build import Built
    from meldref.positions.load import load_position
    from meldref.replay.audit import audit_file, audit_text
    from meldref.replay.result import LogReport
    from meldref.report.showing import html_of, svg_of, text_of
    from meldref.rulefiles.files import list_rulesets
    from meldref.rulefiles.load import load_ruleset
    from meldref.ruleset import Ruleset
    from meldref.simulate.observation import Observation
    from meldref.simulate.playing import Game

_HOMES = {
    "__version__": "core.version",
    "audit_file": "replay.audit",
    "audit_text": "replay.audit",
    "cards_text": "core.cards",
    "AmbiguousMove": "core.diagnostics",
    "Finding": "core.diagnostics",
    "IllegalMove": "core.diagnostics",
    "InvalidNotation": "core.diagnostics",
    "MeldrefError": "core.diagnostics",
    "Origin": "core.diagnostics",
    "Severity": "core.diagnostics",
    "Span": "core.diagnostics",
    "Game": "simulate.playing",
    "Observation": "simulate.observation",
    "Judgement": "legal",
    "LegalMove": "legal",
    "best_plays": "legal",
    "judge_move": "legal",
    "legal_moves": "legal",
    "legal_turns": "legal",
    "require_legal": "legal",
    "turn_moves": "legal",
    "format_log": "notation",
    "read_lines": "notation",
    "load_position": "positions.load",
    "Built": "positions.build",
    "LogReport": "replay.result",
    "html_of": "report.showing",
    "svg_of": "report.showing",
    "text_of": "report.showing",
    "Ruleset": "ruleset",
    "list_rulesets": "rulefiles.files",
    "load_ruleset": "rulefiles.load",
}

__all__ = [
    "AmbiguousMove",
    "Built",
    "Finding",
    "Game",
    "IllegalMove",
    "InvalidNotation",
    "Judgement",
    "LegalMove",
    "LogReport",
    "MeldrefError",
    "Observation",
    "Origin",
    "Ruleset",
    "Severity",
    "Span",
    "__version__",
    "audit_file",
    "audit_text",
    "best_plays",
    "cards_text",
    "format_log",
    "html_of",
    "judge_move",
    "legal_moves",
    "legal_turns",
    "list_rulesets",
    "load_position",
    "load_ruleset",
    "read_lines",
    "require_legal",
    "svg_of",
    "text_of",
    "turn_moves",
]


def __getattr__(name: str) -> object:
    """What is asked of the package comes from its module, which is loaded then."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
