"""The table of the mistakes that people make in logs: their costs, and where to look for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from meldref.replay.explainer import HAND_MISSING
from meldref_evidence.repair import action_edits as action
from meldref_evidence.repair import between as hand
from meldref_evidence.repair import card_edits as card
from meldref_evidence.repair import figures
from meldref_evidence.repair import line_edits as line
from meldref_evidence.repair import play_edits as play
from meldref_evidence.repair.codes import CARDS, COUNT, IN_PILE, ORDER, PLAY_LACKS, PLAYS
from meldref_evidence.repair.edits import (
    BACK,
    Kind,
    Question,
    around,
    back,
    beside_turns,
    deals,
    here,
)

_ROUND: Final = back(1, 1)
_TWO: Final = back(2)
_FOUR: Final = back(4)
_ALL: Final = back(0, BACK)


def _near_or_calls(question: Question) -> Iterator[int]:
    """Turns near the finding, and all calls."""
    for index in _ALL(question):
        if index >= question.at - question.seats - 1 or question.breaks_in(index):
            yield index


def _calls(question: Question) -> Iterable[int]:
    """Where a call may be missing: near the finding, or anywhere if figures show it."""
    return (_ALL if question.fault.is_figure else back(3))(question)


_SEATS: Final = ("setup.deal", *ORDER)
_NAMES: Final = ("log.name", "setup.deck", *_SEATS, *CARDS)
_HAND: Final = ("score.total", "setup.dealer", "turn.order", "setup.deal", "setup.deck")
_LINE: Final = ("log.number", *ORDER, *CARDS)
_WHOSE: Final = ("hand", "log.copies", "layoff.target", "meld.contract", "score.hand", *ORDER)
_LAID: Final = (*CARDS, *PLAYS)
_DONE: Final = (*_LAID, *COUNT)
_EARLY: Final = ("turn.over", "turn.draw", "draw.deep", "draw.top", *PLAYS, *COUNT)
_ROLE: Final = ("meld", "layoff", "wild", "draw.deep", "draw.top")
_SOURCE: Final = ("buy", "log.number", "turn", *CARDS)
_STOCK: Final = ("setup.deck", "log.copies", "draw")
_EMPTY: Final = ("draw", "stock", "setup.deck", "end")
_DEALT: Final = ("hand", "setup.deal", "wild.role")
_BOUGHT: Final = ("buy", "turn.over", "stock", "end.reason", *CARDS)

# the mistake, its cost at the line of the finding and elsewhere, where to look, what it explains
TABLE: Final = (
    Kind(hand.PLAYERS[1], 1.0, 1.0, here, _NAMES, hand.players_named),
    Kind(hand.PLAYERS[0], 1.0, 1.0, here, _SEATS, hand.players_order),
    Kind("other-dealer", 1.0, 1.0, here, ("turn.order",), hand.other_dealer),
    Kind("line-twice", 1.0, 1.0, _ROUND, _LINE, line.twice),
    Kind("not-undone", 1.0, 1.0, beside_turns, _LINE, line.not_undone),
    Kind("other-player", 1.0, 1.1, _near_or_calls, _WHOSE, line.of_another),
    Kind("lines-swapped", 1.1, 1.1, around, ("setup.deal", "stock", *_LINE), line.swapped),
    Kind("names-swapped", 1.15, 1.15, around, (*ORDER, *CARDS), line.names_swapped),
    Kind("line-late", 1.25, 1.25, here, _LINE, line.late),
    Kind("turns-joined", 1.1, 1.1, back(0, 1), ("turn", *CARDS), line.joined),
    Kind("other-out", 1.0, 1.0, here, ("end",), line.another_out),
    Kind("scores-swapped", 1.0, 1.02, beside_turns, ("score",), figures.scores_swapped),
    Kind(HAND_MISSING, 1.0, 1.0, here, _HAND, hand.hand_missing),
    Kind("words-swapped", 1.1, 1.1, here, ("score",), figures.words_swapped),
    Kind("line-copied", 1.0, 1.02, beside_turns, ("score", "setup.deal", *IN_PILE), figures.copied),
    Kind("other-numbers", 1.0, 1.0, here, ("log.number",), line.counted_otherwise),
    Kind("other-stock", 1.1, 1.1, beside_turns, _STOCK, line.other_stock),
    Kind("line-alien", 1.8, 1.8, here, ("stock", *ORDER, *CARDS), line.alien),
    Kind("other-meld", 1.0, 1.2, _FOUR, ("log.copies", *PLAYS), card.another_meld),
    Kind("draw-missing", 1.1, 1.1, _TWO, ("turn.draw", *CARDS, *COUNT), card.draw),
    Kind("discard-missing", 1.05, 1.05, _TWO, (*ORDER, *CARDS, *COUNT), card.discard),
    Kind("not-done", 1.1, 1.1, back(0, 1), ("turn", *_LAID), card.not_done),
    Kind("reshuffle-missing", 1.0, 1.0, here, _EMPTY, line.reshuffle),
    Kind("turns-missing", 1.2, 1.2, _ROUND, _LINE, line.turns),
    Kind("turns-unknown", 1.5, 1.5, _ROUND, ("log.name", *COUNT, *_LINE), line.unknown_turns),
    Kind("other-word", 1.0, 1.0, back(0, 1), (*_LINE, *_DONE), card.other_word),
    Kind("other-source", 1.0, 1.1, _ROUND, _SOURCE, card.other_source),
    Kind("other-draw", 1.0, 1.3, _ALL, CARDS, card.other_draw),
    Kind("other-discard", 1.05, 1.2, _ALL, IN_PILE, card.other_discard),
    Kind("other-take", 1.0, 1.3, _TWO, IN_PILE, card.other_take),
    Kind("other-role", 0.9, 0.9, here, PLAYS, card.other_role),
    Kind("other-card", 1.0, 1.3, _ALL, _LAID, card.other_laid),
    Kind("cards-exchanged", 0.95, 1.2, back(0, 1), _LAID, action.cards_exchanged),
    Kind("other-suits", 1.1, 1.2, _ROUND, _LAID, card.other_suits),
    Kind("other-play", 1.0, 1.0, here, _LAID, action.other_play),
    Kind("other-order", 1.0, 1.0, here, _EARLY, action.other_order),
    Kind("other-turn", 1.15, 1.15, back(0, 1, ahead=2), _DONE, action.other_turn),
    Kind("card-missing", 1.15, 1.15, here, _ROLE, card.missing_card),
    Kind("plays-exchanged", 1.16, 1.16, _TWO, _LAID, action.plays_exchanged),
    Kind("call-unwritten", 1.1, 1.1, here, ORDER, card.called),
    Kind("other-wild", 1.0, 1.0, beside_turns, ("hand", "log.copies", *PLAYS), card.other_wild),
    Kind("card-extra", 1.2, 1.2, here, _LAID, card.extra_card),
    Kind("play-missing", 1.2, 1.2, _ALL, (*PLAY_LACKS, "score.hand"), play.play),
    Kind("more-done", 1.4, 1.45, back(1), (*PLAY_LACKS, "meld"), line.more_done),
    Kind("swap-missing", 0.9, 1.2, _ALL, ("hand", "log.copies", "swap", "wild"), play.exchange),
    Kind("call-missing", 1.3, 1.3, _calls, ("score.hand", *ORDER, *_DONE), play.call),
    Kind("buy-missing", 1.1, 1.1, back(12), _BOUGHT, play.buy),
    Kind("other-up", 1.1, 1.1, beside_turns, ("draw.stock", *IN_PILE), card.other_up),
    Kind("deals-swapped", 1.2, 1.2, deals, _DEALT, card.deals_swapped),
    Kind("dealt-to", 1.0, 1.02, deals, _DEALT, card.dealt_to),
    Kind("other-dealt", 1.1, 1.1, deals, ("wild.role", *IN_PILE), card.other_dealt),
    Kind("deal-missing", 1.3, 1.3, deals, ("hand", "setup.deal", *COUNT), card.not_dealt),
    Kind("deal-extra", 1.3, 1.3, deals, ("setup.deal",), card.dealt_extra),
)
"""All kinds, the cheapest of a place first."""
