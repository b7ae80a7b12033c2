"""meldref: the referee for the Rummy 500 family of card games.

What is offered here is for programs that use the library. It comes from its module when it is first asked for, so
that `import meldref` costs next to nothing. What is wrong with what somebody wrote or played is returned as
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
    from meldref.simulate.players import Observation
    from meldref.simulate.playing import Game

_HOMES = {
    name: home
    for home, names in {
        "core.cards": "cards_text",
        "core.diagnostics": "AmbiguousMove Finding IllegalMove InvalidNotation MeldrefError Origin Severity Span",
        "core.version": "__version__",
        "legal": "Judgement LegalMove best_plays judge_move legal_moves legal_turns require_legal turn_moves",
        "notation": "format_log read_lines",
        "positions.build": "Built",
        "positions.load": "load_position",
        "replay.audit": "audit_file audit_text",
        "replay.result": "LogReport",
        "report.showing": "html_of svg_of text_of",
        "rulefiles.files": "list_rulesets",
        "rulefiles.load": "load_ruleset",
        "ruleset": "Ruleset",
        "simulate.players": "Observation",
        "simulate.playing": "Game",
    }.items()
    for name in names.split()
}
"""The module of each name."""

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
