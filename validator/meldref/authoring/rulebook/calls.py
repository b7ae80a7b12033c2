"""Calling "Rummy!"."""

from __future__ import annotations

from typing import Final

from meldref.authoring.rulebook.kinds import lays_off
from meldref.authoring.rulebook.model import Chapter, Shows, Words, says
from meldref.authoring.rulebook.words import NEIGHBOUR, neighbour, number_of
from meldref.ruleset.model import Ruleset


def _where_called(write: Words) -> Words:
    """A sentence that is said only where there are calls."""
    return lambda rules: None if rules.calls.of == "none" else write(rules)


@says("calls.of", given=("layoff.onto",))
@_where_called
def _what(rules: Ruleset) -> str:
    can = 'can be called: whoever sees it says "Rummy!" and lays it'
    alone = "It has to fit there without any card from a hand."
    fits = "could be laid off on a meld on the table, or that " if lays_off(rules) else ""
    if rules.calls.of == "last_discard":
        return f"A discard that could be laid off on a meld on the table {can} off. {alone}"
    if rules.calls.of == "last_discard_or_set":
        return (
            f"A discard that {fits}makes a new meld with other cards of the discard pile, {can}. {alone} Other "
            "cards of the pile cannot be called by themselves."
        )
    return (
        f"A card of the discard pile, the latest discard or any other, that {fits}makes a new meld with other "
        f"cards of the pile, {can}. {alone}"
    )


@says("calls.by", given=("calls.of", "partnership.sides"))
@_where_called
def _who(rules: Ruleset) -> str:
    if rules.partnership.sides == "none":
        return "Anybody may call but the player who has just discarded."
    if rules.calls.by == "opponents":
        return "Only the opponents of the player who has just discarded may call."
    return "Anybody may call but the player who has just discarded; that player's partner may."


@says("calls.until", given=("calls.of",))
@_where_called
def _until(rules: Ruleset) -> str:
    top = rules.calls.of != "pile"
    return {
        "next_draw": "A call has to come before the next player draws.",
        "next_discard": "A call has to come before the next player discards.",
        "any_time": (
            "A call may come at any time while the card is the latest discard."
            if top
            else "A call may come at any time while the hand lasts."
        ),
    }[rules.calls.until]


@says("calls.takes", given=("calls.of",))
@_where_called
def _takes(rules: Ruleset) -> str:
    if rules.calls.of == "last_discard":
        return "The caller takes that card and has to lay it."
    if rules.calls.takes == "called_cards":
        return "The caller takes the called cards alone, and has to lay all of them; the rest of the pile stays."
    return (
        "The caller takes the pile from its top down to the called card, and has to lay that card; the others may "
        "be laid or kept."
    )


@says("calls.more_melds", "calls.discard", given=("calls.of",))
@_where_called
def _then_lays(rules: Ruleset) -> str:
    more = rules.calls.more_melds == "allowed"
    discards = rules.calls.discard == "required"
    if more and discards:
        return "After that the caller may lay more cards, and ends the call with a discard, as in a turn."
    if more:
        return "After that the caller may lay more cards, and does not discard."
    if discards:
        return "The caller lays nothing else from the hand, and ends the call with a discard."
    return "That is all: the caller lays nothing else from the hand, and does not discard."


@says("calls.then", given=("calls.of", "calls.until", *NEIGHBOUR))
@_where_called
def _then_plays(rules: Ruleset) -> str:
    if rules.calls.then == "unchanged":
        return "Then play goes on with the player whose turn it was, even if that is the caller."
    drawn = "" if rules.calls.until == "next_draw" else " A turn that has begun already is finished first."
    if rules.players.max == 2:
        return f"A call counts as the caller's turn: after it the other player plays.{drawn}"
    left = neighbour(rules, "the caller")
    return f"Then it is the turn of {left}; those who are passed over lose their turn.{drawn}"


@says("calls.several", given=("calls.of", "players.max", "players.direction", "out.last_discard"))
@_where_called
def _several(rules: Ruleset) -> str | None:
    if rules.players.max == 2:
        return None
    if rules.calls.several == "first":
        return "If several players call, the first to speak gets the card."
    return "If several players call, the one who is next in turn after the discarder gets the card."


@says("buys.of")
def _buys(rules: Ruleset) -> str | None:
    if rules.buys.of == "none":
        return None
    return (
        "The next player has the first right to the card just discarded, by taking it as a draw. Until that "
        "player draws from the stock, anybody else but the discarder may buy it, and plays no turn for that."
    )


@says("buys.extra", given=("buys.of",))
def _with_it(rules: Ruleset) -> str | None:
    if rules.buys.of == "none":
        return None
    if not rules.buys.extra:
        return "Nothing else is taken with it."
    return f"A buyer also takes {number_of(rules.buys.extra, 'card')} from the top of the stock."


@says("buys.several", given=("buys.of",))
def _buyers(rules: Ruleset) -> str | None:
    if rules.buys.of == "none":
        return None
    if rules.buys.several == "first":
        return "If several players want to buy, the first to say so gets the card."
    return "If several players want to buy, the one who is next in turn after the discarder gets the card."


CHAPTERS: Final = (
    Chapter(
        'Calling "Rummy!"',
        ((_what, _who, _until), (_takes, _then_lays), (_then_plays, _several), Shows("calls")),
    ),
    Chapter("Buying", ((_buys, _with_it, _buyers),)),
)
