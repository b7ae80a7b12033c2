"""meldref: the referee for the Rummy 500 family of card games.

What is offered here is for programs that use the library. It comes from its module when it is first
asked for, so that `import meldref` costs next to nothing. What is wrong with what somebody wrote or
played is returned as findings, which are values; only `require_legal` raises.
"""

from __future__ import annotations

from importlib import import_module

_OFFERED = {
    "meldref.answers.legal": "Judgement LegalMove judge_move require_legal",
    "meldref.answers.listing": "legal_moves turn_moves",
    "meldref.core.cards": (
        "JOKER UNKNOWN Played card_text cards_text count counted each holds rank_of suit_of"
    ),
    "meldref.core.diagnostics": (
        "AmbiguousMove Finding IllegalMove InvalidNotation MeldrefError Origin Severity Span"
    ),
    "meldref.core.events": (
        "Adjust AssertHand AssertPile AssertScore AssertScores AssertStock AssertTable Buy "
        "Call Challenge Cut Deal Discard Draw Gap HandEnd HandStart Header LayOff Line Meld "
        "Note Pass Points Reshuffle Result Show StockOrder Swap Take Turn Undo UpCard "
        "Void WildRank"
    ),
    "meldref.core.version": "__version__",
    "meldref.notation": "format_log read_lines",
    "meldref.positions.build": "Built",
    "meldref.positions.load": "load_position",
    "meldref.replay.result": "LogReport",
    "meldref.report.position_file": "NotWritable write_position",
    "meldref.rulefiles.files": "list_rulesets",
    "meldref.rulefiles.load": "load_ruleset",
    "meldref.ruleset": "Ruleset",
    "meldref_archive": "TABLES Log audit_logs",
    "meldref_evidence.audit": "audit_file audit_text",
    "meldref_evidence.chances": "weigh",
    "meldref_service": "BadQuestion Service",
    "meldref_table.best_plays": "best_plays legal_turns",
    "meldref_table.report.showing": "html_of svg_of text_of",
    "meldref_table.resuming": "game_from_log game_from_position load_game",
    "meldref_table.simulate": (
        "Game LogSource Observation Seats log_lines play_games play_hands written_choice"
    ),
}
"""What each module offers, annexes included. `__init__.pyi` has the same names with their types."""

_HOMES = {name: home for home, names in _OFFERED.items() for name in names.split()}
"""The module of each name."""

__all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    """What is asked of the package comes from its module, which is loaded then."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
