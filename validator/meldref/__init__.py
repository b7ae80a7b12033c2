"""meldref: the referee for the Rummy 500 family of card games.

What is offered here is for programs that use the library. It comes from its module when it is first
asked for, so that `import meldref` costs next to nothing. What is wrong with what somebody wrote or
played is returned as findings, which are values; only `require_legal` raises.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from meldref.answers.legal import Judgement as Judgement
    from meldref.answers.legal import LegalMove as LegalMove
    from meldref.answers.legal import judge_move as judge_move
    from meldref.answers.legal import require_legal as require_legal
    from meldref.answers.listing import best_plays as best_plays
    from meldref.answers.listing import legal_moves as legal_moves
    from meldref.answers.listing import legal_turns as legal_turns
    from meldref.answers.listing import turn_moves as turn_moves
    from meldref.core.cards import JOKER as JOKER
    from meldref.core.cards import UNKNOWN as UNKNOWN
    from meldref.core.cards import Played as Played
    from meldref.core.cards import card_text as card_text
    from meldref.core.cards import cards_text as cards_text
    from meldref.core.cards import count as count
    from meldref.core.cards import counted as counted
    from meldref.core.cards import each as each
    from meldref.core.cards import holds as holds
    from meldref.core.cards import rank_of as rank_of
    from meldref.core.cards import suit_of as suit_of
    from meldref.core.diagnostics import AmbiguousMove as AmbiguousMove
    from meldref.core.diagnostics import Finding as Finding
    from meldref.core.diagnostics import IllegalMove as IllegalMove
    from meldref.core.diagnostics import InvalidNotation as InvalidNotation
    from meldref.core.diagnostics import MeldrefError as MeldrefError
    from meldref.core.diagnostics import Origin as Origin
    from meldref.core.diagnostics import Severity as Severity
    from meldref.core.diagnostics import Span as Span
    from meldref.core.events import Adjust as Adjust
    from meldref.core.events import AssertHand as AssertHand
    from meldref.core.events import AssertPile as AssertPile
    from meldref.core.events import AssertScore as AssertScore
    from meldref.core.events import AssertScores as AssertScores
    from meldref.core.events import AssertStock as AssertStock
    from meldref.core.events import AssertTable as AssertTable
    from meldref.core.events import Buy as Buy
    from meldref.core.events import Call as Call
    from meldref.core.events import Challenge as Challenge
    from meldref.core.events import Cut as Cut
    from meldref.core.events import Deal as Deal
    from meldref.core.events import Discard as Discard
    from meldref.core.events import Draw as Draw
    from meldref.core.events import Gap as Gap
    from meldref.core.events import HandEnd as HandEnd
    from meldref.core.events import HandStart as HandStart
    from meldref.core.events import Header as Header
    from meldref.core.events import LayOff as LayOff
    from meldref.core.events import Line as Line
    from meldref.core.events import Meld as Meld
    from meldref.core.events import Note as Note
    from meldref.core.events import Pass as Pass
    from meldref.core.events import Points as Points
    from meldref.core.events import Reshuffle as Reshuffle
    from meldref.core.events import Result as Result
    from meldref.core.events import Show as Show
    from meldref.core.events import StockOrder as StockOrder
    from meldref.core.events import Swap as Swap
    from meldref.core.events import Take as Take
    from meldref.core.events import Turn as Turn
    from meldref.core.events import Undo as Undo
    from meldref.core.events import UpCard as UpCard
    from meldref.core.events import Void as Void
    from meldref.core.events import WildRank as WildRank
    from meldref.core.version import __version__ as __version__
    from meldref.notation import format_log as format_log
    from meldref.notation import read_lines as read_lines
    from meldref.positions.build import Built as Built
    from meldref.positions.load import load_position as load_position
    from meldref.replay.result import LogReport as LogReport
    from meldref.rulefiles.files import list_rulesets as list_rulesets
    from meldref.rulefiles.load import load_ruleset as load_ruleset
    from meldref.ruleset import Ruleset as Ruleset
    from meldref_evidence.audit import audit_file as audit_file
    from meldref_evidence.audit import audit_text as audit_text
    from meldref_table.report.showing import html_of as html_of
    from meldref_table.report.showing import svg_of as svg_of
    from meldref_table.report.showing import text_of as text_of
    from meldref_table.simulate.players import Observation as Observation
    from meldref_table.simulate.playing import Game as Game

_HOMES = {
    name: home
    for home, names in {
        "core.cards": (
            "JOKER UNKNOWN Played card_text cards_text count counted each holds rank_of suit_of"
        ),
        "core.diagnostics": (
            "AmbiguousMove Finding IllegalMove InvalidNotation MeldrefError Origin Severity Span"
        ),
        "core.events": (
            "Adjust AssertHand AssertPile AssertScore AssertScores AssertStock AssertTable Buy "
            "Call Challenge Cut Deal Discard Draw Gap HandEnd HandStart Header LayOff Line Meld "
            "Note Pass Points Reshuffle Result Show StockOrder Swap Take Turn Undo UpCard "
            "Void WildRank"
        ),
        "core.version": "__version__",
        "at_table.legal": "Judgement LegalMove judge_move require_legal",
        "at_table.listing": "best_plays legal_moves legal_turns turn_moves",
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

if not TYPE_CHECKING:  # type checkers go by the imports above
    __all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    """What is asked of the package comes from its module, which is loaded then."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
