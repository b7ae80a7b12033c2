"""The kinds of meld, wild cards, and laying off."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from meldref.authoring.rulebook.model import Chapter, Items, Lists, Sentence, Shows, says
from meldref.authoring.rulebook.words import capital, number, number_of, points, rank_plural, span
from meldref.core.cards import RANKS
from meldref.core.text import in_words
from meldref.ruleset.model import Kind, Ruleset, has_jokers

_MOST_IN_A_SUIT: Final = len(RANKS)

_CLOSE: Final = {"same_rank": "of the same rank", "same_suit": "of one suit"}
_LOOSE: Final = {
    "same_colour": "all red or all black",
    "distinct_suits": "no two of the same suit",
    "distinct_ranks": "no two of the same rank",
    "consecutive_ranks": "whose ranks follow one another",
}


@says(given=("melds.kinds",))
def _what_melds_are(rules: Ruleset) -> str:
    kinds = len(rules.melds.kinds)
    these = f"there are {number(kinds)} kinds" if kinds > 1 else "there is one kind"
    return (
        "A meld is made of cards that belong together. It is laid face up on the table and stays there until the "
        f"hand is over; {these}:"
    )


def kind_name(kind: Kind) -> str:
    """The name of a kind of meld, as people write it."""
    return kind.name.replace("_", " ").replace("-", " ")


def _list_kinds(rules: Ruleset) -> Items:
    return Items(tuple(_kind(kind) for kind in rules.melds.kinds))


def _kind(kind: Kind) -> Sentence:
    key = f"melds.kinds.{kind.name}"
    keys = [f"{key}.size", f"{key}.require"]
    text = f"{_size(kind)}{_demands(kind)}."
    if "consecutive_ranks" in kind.require and _may_have_aces(kind):
        keys.append(f"{key}.ace")
        text += f" {_ace(kind)}"
    return Sentence(text, tuple(keys), capital(kind_name(kind)))


def _size(kind: Kind) -> str:
    low, high = kind.min_size, kind.max_size
    ranked = {"consecutive_ranks", "distinct_ranks"} & set(kind.require)
    if low < high and ranked and high == _MOST_IN_A_SUIT:
        return f"{capital(number(low))} or more cards"
    return capital(span(low, high, "card"))


def _demands(kind: Kind) -> str:
    """What the cards have in common, in the order that reads best."""
    wanted = set(kind.require)
    close = in_words(words for name, words in _CLOSE.items() if name in wanted)
    loose = [words for name, words in _LOOSE.items() if name in wanted]
    if kind.only is not None:
        loose.insert(0, _only(kind.only))
    if "alternating_colours" in wanted:
        by_turns = "red and black by turns"
        balanced = "as many red as black ones, or one more of one colour"
        loose.append(by_turns if "consecutive_ranks" in wanted else balanced)
    if not close and not loose:
        return " of any rank and suit"
    return "".join([close and f" {close}", *(f", {words}" for words in loose)])


def _only(faces: Iterable[str]) -> str:
    return f"all of them {in_words(map(rank_plural, faces), 'or') or 'of no rank at all'}"


def _may_have_aces(kind: Kind) -> bool:
    return kind.only is None or "A" in kind.only


def _ace(kind: Kind) -> str:
    places = set(kind.ace)
    if "around" in places:
        return "An ace may stand below the two, above the king, or between them: it goes round the corner."
    if places == {"low", "high"}:
        return "An ace may stand below the two or above the king, but never between them."
    if places == {"low"}:
        return "An ace stands below the two and never above the king."
    if places == {"high"}:
        return "An ace stands above the king and never below the two."
    return "There is no ace in it."


@says("melds.first_points", "melds.first_points_of")
def _first_points(rules: Ruleset) -> str | None:
    least = rules.melds.first_points
    if least and rules.melds.first_points_of == "turn":
        return (
            f"The melds of the turn in which you first meld in a hand must be worth at least {points(least)} "
            "together, as they lie when that turn ends."
        )
    return f"Your first meld of each hand must be worth at least {points(least)}." if least else None


@says("melds.contract")
def _contract(rules: Ruleset) -> str | None:
    contract = rules.melds.contract
    if contract is None:
        return None
    melds = []
    for written in contract:
        kind, _, size = written.partition(" ")
        melds.append(f"a {kind}" + (f" of {number(int(size))} cards or more" if size else ""))
    return (
        f"The first time that you lay cards in a hand, you lay {in_words(melds)}, all in that one turn; you may "
        "lay more then, but no less."
    )


# --- wild cards ------------------------------------------------------------------------------------------------


def wild_names(rules: Ruleset) -> str:
    """What is wild, in the plural: `jokers and twos`."""
    return in_words(_wild_plurals(rules.melds.wild.cards))


def _wild_plurals(cards: Iterable[str]) -> list[str]:
    return ["the cards of the rank named for the hand" if one == "named" else rank_plural(one) for one in cards]


@says("melds.wild.cards")
def _which_are_wild(rules: Ruleset) -> str | None:
    wild = rules.melds.wild.cards
    if not wild:
        return None
    ranks = any(one != "joker" for one in wild)
    itself = " A card of a wild rank may also simply be the card it is." if ranks else ""
    return (
        f"{capital(wild_names(rules))} are wild. A wild card stands for whatever card its meld needs.{itself} "
        "Whoever lays it says which card it stands for, or makes it plain by where it is put, and that never "
        "changes while it lies there."
    )


@says("melds.wild.cards", "deck.jokers", "deck.jokers_in_all", given=("deck.packs", "players.min", "players.max"))
def _plain_jokers(rules: Ruleset) -> str | None:
    if "joker" in rules.melds.wild.cards or not has_jokers(rules):
        return None
    return "Jokers are not wild: a joker stands for no other card."


@says("melds.wild.suit_in_group", given=("melds.wild.cards", "melds.kinds"))
def _what_is_said(rules: Ruleset) -> str | None:
    if not rules.melds.wild.cards:
        return None
    of_a_rank = [kind_name(kind) for kind in rules.melds.kinds if "same_rank" in kind.require]
    if not of_a_rank:
        return None
    kinds = in_words([f"a {name}" for name in of_a_rank], "or")
    if rules.melds.wild.suit_in_group == "stated":
        return f"In {kinds} too it stands for one card, whose suit has to be named."
    return f"In {kinds} it is enough to name the rank: the suit stays open, and other cards of the rank still fit."


@says("melds.wild.naturals", given=("melds.wild.cards",))
def _naturals(rules: Ruleset) -> str | None:
    if not rules.melds.wild.cards:
        return None
    least = rules.melds.wild.naturals
    if not least:
        return "A meld may be made of wild cards alone."
    meaning = "one that stands for itself" if least == 1 else "cards that stand for themselves"
    return f"Every meld has at least {number_of(least, 'natural card')}: {meaning}."


@says("melds.wild.twins", given=("melds.wild.cards",))
def _twins(rules: Ruleset) -> str | None:
    if not rules.melds.wild.cards:
        return None
    if rules.melds.wild.twins == "allowed":
        return "A wild card may even stand for a card that lies on the table already."
    return "A wild card may not stand for a card that lies on the table already."


@says("melds.wild.swap", "melds.wild.swapped", given=("melds.wild.cards",))
def _swap(rules: Ruleset) -> str | None:
    wild = rules.melds.wild
    if not wild.cards:
        return None
    if wild.swap == "never":
        return "A wild card on the table stays where it is: nobody can take it back or exchange it."
    after = {
        "to_hand": "The wild card goes to your hand, to be used now or later",
        "laid_this_turn": "The wild card comes to you and has to be laid again before your turn ends",
    }[wild.swapped]
    return (
        "On your turn, after the draw, you may put a card from your hand in the place of a wild card that stands "
        f"for it, in anybody's meld. {after}; the card you put down counts for you, and the wild card no longer "
        "counts for whoever laid it."
    )


# --- laying off ------------------------------------------------------------------------------------------------


def lays_off(rules: Ruleset) -> bool:
    """Whether cards are laid off at all."""
    return rules.layoff.onto != "nothing"


def _onto_own_only(rules: Ruleset) -> bool:
    onto = rules.layoff.onto
    return onto == "own" or (onto == "own_side" and rules.partnership.sides == "none")


@says("layoff.onto", given=("partnership.sides",))
def _onto(rules: Ruleset) -> str:
    if not lays_off(rules):
        return "Nothing is laid off: a meld on the table stays as it was laid."
    if rules.layoff.onto == "any":
        whose = "to any meld on the table, whoever laid it,"
    elif _onto_own_only(rules):
        whose = "to your own melds, and to nobody else's,"
    else:
        whose = "to your own and your partner's melds, and to nobody else's,"
    return (
        f"On your turn you may lay off: add cards from your hand {whose} as long as each remains a meld of "
        "its kind. Cards laid off can be built on in their turn; they lie where they were put for the rest of the "
        "hand."
    )


@says("layoff.before_melding", given=("layoff.onto", "partnership.sides"))
def _before_melding(rules: Ruleset) -> str | None:
    if not lays_off(rules) or _onto_own_only(rules):
        return None
    if rules.layoff.before_melding == "forbidden":
        return "You may lay off only once you have laid a meld of your own in this hand."
    return "You need no meld of your own on the table for that."


@says("layoff.counts_for", given=("layoff.onto", "partnership.sides"))
def _counts_for(rules: Ruleset) -> str | None:
    if not lays_off(rules) or _onto_own_only(rules):
        return None
    if rules.layoff.counts_for == "melder":
        return "A card laid off counts for the player who made the meld."
    return "A card laid off counts for the player who lays it, who keeps it in front of them."


@says("layoff.target", given=("layoff.onto",))
def _target(rules: Ruleset) -> str | None:
    if not lays_off(rules):
        return None
    return {
        "always": "Say each time which meld the card goes to.",
        "never": "The meld need not be named: of several that a card fits, it goes to the one laid first.",
        "if_several": "Where a card fits several melds, say which one it goes to; that choice is final.",
    }[rules.layoff.target]


CHAPTERS: Final = (
    Chapter(
        "Melds",
        (
            (_what_melds_are,),
            Lists(("melds.kinds",), (), _list_kinds),
            Shows("kinds"),
            Shows("aces"),
            (_plain_jokers, _contract, _first_points),
            Shows("first_points"),
        ),
    ),
    Chapter(
        "Wild cards",
        ((_which_are_wild, _what_is_said), (_naturals, _twins), Shows("wild_cards"), (_swap,), Shows("swap")),
    ),
    Chapter("Laying off", ((_onto, _before_melding), (_counts_for, _target), Shows("lay_off"))),
)
