"""A turn: the draw, what must be done with a card of the pile, and the discard."""

from __future__ import annotations

from typing import Final

from meldref.authoring.rulebook.kinds import lays_off
from meldref.authoring.rulebook.model import Chapter, Shows, says
from meldref.authoring.rulebook.words import tables
from meldref.core.text import in_words
from meldref.ruleset.model import Ruleset

_DOUBLES: Final = ("deck.packs", "players.min", "players.max")

_USES: Final = {
    "meld": "put it in a new meld",
    "lay_off": "lay it off on a meld that is on the table",
    "swap": "put it in the place of a wild card that stands for it",
}


@says("layoff.onto")
def _parts(rules: Ruleset) -> str:
    laying = (
        "lay as many melds and lay off as many cards as you like"
        if lays_off(rules)
        else "lay as many melds as you like"
    )
    return f"On your turn you do three things, in this order: draw; {laying}, or none; and discard one card."


@says("draw.depth", "draw.takes")
def _what_is_drawn(rules: Ruleset) -> str:
    start = "You have one draw. Either take the top card of the stock, without showing it, or"
    if rules.draw.takes == "whole_pile":
        named = "its top card" if rules.draw.depth == "top" else "whichever card in it you name"
        return f"{start} take the whole discard pile, for the sake of {named}."
    if rules.draw.depth == "top":
        return f"{start} take the top card of the discard pile; the cards beneath it cannot be had."
    deeper = {
        "all_above": "any card deeper in it, together with all the cards that lie on top of that one",
        "that_card": "any other card in it, that card alone",
    }[rules.draw.takes]
    return (
        f"{start} take from the discard pile: its top card, or {deeper}. The pile lies spread out, so that "
        "everybody can see what is in it."
    )


@says("draw.top.must", "draw.top.when", given=("draw.takes",))
def _top(rules: Ruleset) -> str | None:
    top = rules.draw.top
    if rules.draw.takes == "whole_pile":
        return None
    if top.must == "nothing":
        return "If you take just the top card of the pile, you need not use it at once: you may keep it."
    return f"If you take just the top card of the pile, you must use it {_by_when(top.when)}."


@says("draw.deep.must", "draw.deep.when", given=("draw.depth", "draw.takes"))
def _deep(rules: Ruleset) -> str | None:
    draw = rules.draw
    if draw.takes == "whole_pile":
        if draw.deep.must == "nothing":
            return "If you take the pile, its cards need not be used at all."
        return f"If you take the pile, you must use the card you took it for {_by_when(draw.deep.when)}."
    if draw.depth == "top":
        return None
    alone = draw.takes == "that_card"
    reach = "If you reach deeper,"
    if draw.deep.must == "nothing":
        return f"{reach} {'the card' if alone else 'the cards you take'} need not be used at all."
    rest = "" if alone else " The other cards you take with it may be used or kept."
    which = "the card you took" if alone else "the card you reached for, the deepest of those you take,"
    return f"{reach} you must use {which} {_by_when(draw.deep.when)}.{rest}"


def _by_when(when: str) -> str:
    return {
        "at_once": "at once, before you lay anything that it does not need",
        "this_turn": "before your turn ends",
    }[when]


@says(
    "draw.use",
    given=(
        "draw.depth",
        "draw.takes",
        "draw.top.must",
        "draw.deep.must",
        "layoff.onto",
        "melds.wild.swap",
        "melds.wild.cards",
    ),
)
def _use(rules: Ruleset) -> str | None:
    draw = rules.draw
    whole = draw.takes == "whole_pile"
    bound = draw.top.must != "nothing" and not whole
    if not bound and (draw.deep.must == "nothing" or (draw.depth == "top" and not whole)):
        return None
    uses = set(draw.use)
    if not lays_off(rules):
        uses.discard("lay_off")
    swaps = rules.melds.wild.swap != "never" and rules.melds.wild.cards
    if not swaps:
        uses.discard("swap")
    ways = in_words([words for use, words in _USES.items() if use in uses], "or")
    not_enough = []
    if "lay_off" not in uses and lays_off(rules):
        not_enough.append("laying it off")
    if "swap" not in uses and swaps:
        not_enough.append("exchanging a wild card for it")
    if "meld" not in uses:
        not_enough.append("putting it in a new meld")
    but = f"; {in_words(not_enough, 'or')} is not enough" if not_enough else ""
    return f"To use a card is to {ways}{but}."


@says("draw.dead_end")
def _dead_end(rules: Ruleset) -> str:
    if rules.draw.dead_end == "forbidden":
        return "Take and lay nothing after which you could no longer end your turn by these rules."
    return "Nothing forbids a draw or a play after which you cannot end your turn by these rules: look ahead."


# --- the discard -----------------------------------------------------------------------------------------------


def _has_doubles(rules: Ruleset) -> bool:
    """Whether some table plays with more than one copy of a card."""
    return any((rules.deck.packs.get(count) or 1) > 1 for count in tables(rules))


def _binds_top(rules: Ruleset) -> bool:
    """Whether the top card's return says more than its duty: one that must be used cannot be thrown anyway."""
    return rules.draw.top.must == "nothing" or (rules.discard.taken_top == "forbidden" and _has_doubles(rules))


@says("discard.taken_top", given=("draw.top.must", *_DOUBLES))
def _taken_top(rules: Ruleset) -> str | None:
    if not _binds_top(rules):
        return None
    if rules.discard.taken_top == "forbidden":
        return "If you took just the top card of the pile, you may not discard that card in the same turn."
    return "Even the top card of the pile, just taken alone, may be discarded again in the same turn."


@says("discard.taken_deep", given=("draw.depth", "draw.takes", "draw.deep.must", *_DOUBLES))
def _taken_deep(rules: Ruleset) -> str | None:
    if rules.draw.depth == "top" and rules.draw.takes != "whole_pile":
        return None
    which = rules.discard.taken_deep
    used = rules.draw.deep.must == "be_used"
    if rules.draw.takes == "that_card":
        if which == "not_deepest" and (_has_doubles(rules) or not used):
            return "Nor may you discard a card just taken from deeper in the pile."
        return None if used else "A card just taken from deeper in the pile may be discarded."
    used = used and not _has_doubles(rules)
    if used and which != "top_only":
        return (
            "If you took several cards, you may discard one that you need not use, or any other card of your hand."
        )
    return {
        "any": "If you took several cards, you may discard any card of your hand, one of those included.",
        "not_deepest": "If you took several cards, you may discard any card of your hand but the deepest one.",
        "top_only": (
            "If you took several cards, the only one of them that you may discard is the one that lay on top of "
            "the pile; any other card of your hand will do."
        ),
    }[which]


@says(
    "discard.twin",
    given=(
        *_DOUBLES, "draw.depth", "draw.takes", "draw.top.must", "discard.taken_top", "discard.taken_deep"
    ),
)  # fmt: skip
def _twin(rules: Ruleset) -> str | None:
    deep = {"not_deepest"} if rules.draw.takes == "that_card" else {"not_deepest", "top_only"}
    bound = rules.discard.taken_top == "forbidden" or (
        (rules.draw.depth == "any" or rules.draw.takes == "whole_pile") and rules.discard.taken_deep in deep
    )
    if not bound or not _has_doubles(rules):
        return None
    single = any((rules.deck.packs.get(count) or 1) == 1 for count in tables(rules))
    double = "With more than one pack, the double" if single else "The double"
    return {
        "allowed": f"{double} of a card that may not be discarded may be, however you came by it.",
        "forbidden": f"{double} of a card that may not be discarded may not be discarded either.",
        "if_held_before": f"{double} of a card that may not be discarded may be, if you held it before the draw.",
    }[rules.discard.twin]


@says("out.melding_all")
def _discard(rules: Ruleset) -> str:
    unless = "" if rules.out.melding_all == "forbidden" else ", unless you have laid your last card"
    return f"Your turn ends with one card of your hand, put face up on top of the discard pile{unless}."


CHAPTERS: Final = (
    Chapter(
        "Your turn",
        (
            (_parts,),
            (_what_is_drawn,),
            (_top, _deep, _use),
            Shows("take_deep"),
            Shows("take_top"),
            (_dead_end,),
        ),
    ),
    Chapter("The discard", ((_discard, _taken_top, _taken_deep, _twin), Shows("discard"))),
)
