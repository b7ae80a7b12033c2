"""How a hand ends: going out, floating, the empty stock."""

from __future__ import annotations

from typing import Final

from meldref.authoring.rulebook.model import Chapter, Shows, says
from meldref.ruleset.model import Ruleset


def is_claimable(rules: Ruleset) -> bool:
    """Whether a last discard can be called."""
    return rules.out.last_discard == "claimable" and rules.calls.of != "none"


def floats(rules: Ruleset) -> bool:
    """Whether a player without cards floats."""
    return rules.out.melding_all == "floats" or (is_claimable(rules) and rules.out.claimed == "floats")


@says("out.melding_all")
def _melding_all(rules: Ruleset) -> str:
    return {
        "ends_hand": "You go out, and the hand is over at once, when you have laid the last card of your hand.",
        "forbidden": (
            "You may not lay all the cards of your hand: keep one to discard. With that last discard you go out, "
            "and the hand is over."
        ),
        "floats": (
            "If you lay all the cards of your hand you do not go out: you float, and the hand goes on. You go "
            "out, and the hand is over, with the discard of a last card."
        ),
    }[rules.out.melding_all]


@says("out.last_discard", given=("out.melding_all", "calls.of"))
def _last_discard(rules: Ruleset) -> str:
    also = "You also go out when you discard your last card" if rules.out.melding_all == "ends_hand" else ""
    if rules.out.last_discard == "unplayable":
        return (
            "The last card may only be discarded if you could not lay it off; if you could, you must, and float."
        )
    if is_claimable(rules):
        return (
            f"{also + ', and it' if also else 'The last discard'} may be any card. But if that card can be "
            "called, the hand is over only when nobody calls it."
        )
    return f"{also or 'The last discard'}{', which' if also else ''} may be any card."


@says("out.claimed", given=("out.last_discard", "calls.of"))
def _claimed(rules: Ruleset) -> str | None:
    if not is_claimable(rules):
        return None
    return {
        "floats": "If somebody calls it, its player has not gone out, and plays on without cards: they float.",
        "takes_pile": (
            "If somebody calls it, its player has not gone out, and takes what is left of the discard pile into "
            "the hand, or the top card of the stock if nothing is left; the hand goes on."
        ),
    }[rules.out.claimed]


@says("out.challenge")
def _challenge(rules: Ruleset) -> str | None:
    if rules.out.challenge == "none":
        return None
    return (
        "Whoever sees that a last discard could have been laid may challenge it: its player takes it back and "
        "lays it instead."
    )


@says("out.playable", given=("out.last_discard", "out.challenge"))
def _playable(rules: Ruleset) -> str | None:
    if rules.out.last_discard != "unplayable" and rules.out.challenge == "none":
        return None
    if rules.out.playable == "on_table":
        return "Only the melds on the table matter for that, not what lies in the discard pile."
    return "A card that makes a new meld with cards of the discard pile could have been laid, too."


@says("out.face")
def _face(rules: Ruleset) -> str | None:
    if rules.out.face == "up":
        return "The last discard too lies face up."
    return "The last discard may lie face up or face down; the others may look at it."


@says("calls.of")
def _over(rules: Ruleset) -> str:
    calls = "" if rules.calls.of == "none" else ", or call one"
    return f"Once the hand is over nobody may lay another card{calls}."


# --- floating --------------------------------------------------------------------------------------------------


@says("floating.draws", given=("out.melding_all", "out.last_discard", "out.claimed", "calls.of"))
def _draws(rules: Ruleset) -> str | None:
    if not floats(rules):
        return None
    draws = set(rules.floating.draws)
    whence = (
        "from the stock or the discard pile"
        if len(draws) == 2
        else f"from the {'discard pile' if 'pile' in draws else 'stock'} only"
    )
    pile = ", under the rules for taking from it" if "pile" in draws else ""
    return f"A floating player has no cards, but still takes turns. They draw {whence}{pile}."


@says(
    "floating.playable",
    given=("out.melding_all", "out.last_discard", "out.claimed", "calls.of"),
)
def _playable_draw(rules: Ruleset) -> str | None:
    if not floats(rules):
        return None
    last = rules.out.last_discard == "unplayable"
    if rules.floating.playable == "must_be_used" and rules.out.melding_all == "floats":
        return "A card that fits a meld on the table may not be discarded by them: they have to lay it."
    if last:
        return "What they discard last must fit no meld either; until then they may discard any card."
    return "They may discard a card they drew even if it fits a meld on the table."


@says("out.melding_all", given=("out.last_discard", "out.claimed", "calls.of"))
def _ways_on(rules: Ruleset) -> str | None:
    if not floats(rules):
        return None
    if rules.out.melding_all == "floats":
        all_laid = "whoever lays all they drew floats on"
    elif rules.out.melding_all == "forbidden":
        all_laid = "a card has to be left to discard"
    else:
        all_laid = "whoever lays all they drew goes out"
    return (
        f"After their draw, {all_laid}; whoever discards their only card goes out; and whoever discards one card "
        "and keeps others is back to ordinary play."
    )


# --- the stock -------------------------------------------------------------------------------------------------


@says("stock.reshuffle")
def _reshuffle(rules: Ruleset) -> str | None:
    return {
        "never": None,
        "but_top": (
            "When the stock is empty, the discard pile but for its top card is shuffled, between two turns, and "
            "becomes the new stock."
        ),
        "whole_pile": (
            "When the stock is empty, the whole discard pile is shuffled, between two turns, and becomes the new "
            "stock; its top card is turned up and begins a new pile."
        ),
    }[rules.stock.reshuffle]


@says("stock.empty", given=("stock.reshuffle",))
def _empty(rules: Ruleset) -> str:
    anew = rules.stock.reshuffle != "never"
    when = "If the pile has too few cards for that" if anew else "When the stock is empty"
    final = "" if anew else " The pile is never made into a new stock."
    if rules.stock.empty == "last_turn":
        over = "the hand is over with the turn in which the last card of the stock is drawn"
        return f"{when}, {over}." if anew else f"{over[0].upper()}{over[1:]}.{final}"
    return (
        f"{when}, players may only take from the discard pile, by the usual rules. The hand is over when the "
        f"player whose turn it is cannot or does not want to.{final}"
    )


CHAPTERS: Final = (
    Chapter(
        "Going out",
        (
            (_melding_all, _last_discard, _claimed, _challenge, _playable, _face),
            Shows("going_out"),
            (_over,),
        ),
    ),
    Chapter("Floating", ((_draws, _ways_on, _playable_draw), Shows("floating"))),
    Chapter("The end of the stock", ((_reshuffle, _empty),)),
)
