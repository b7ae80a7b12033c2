"""Books and cards for tests about melds, written as the notation writes them."""

from functools import cache

from meldref.core.cards import ANY_SUIT, JOKER, RANKS, SUITS, Played
from meldref.core.records import changed
from meldref.melds import MeldIndex
from meldref.rulefiles.load import load_ruleset
from meldref.ruleset.model import Kind

GROUP = Kind("group", 3, 4, ("same_rank", "distinct_suits"))
SEQUENCE = Kind("sequence", 3, 13, ("same_suit", "consecutive_ranks"))
JOKERS = Kind("jokers", 3, 4, (), ("joker",))
WILD = load_ruleset("500-rummy")[0].melds.wild


def _card(text):
    if text == "Jk":
        return JOKER
    if len(text) == 1:
        return ANY_SUIT + RANKS.index(text)
    return SUITS.index(text[1]) * 13 + RANKS.index(text[0])


def played(text):
    """A card as it is laid: `5h`, `Jk`, `Jk=8c`, `Jk=8`."""
    card, _, role = text.partition("=")
    return Played(_card(card), _card(role) if role else None)


def cards(text):
    """Cards in a row."""
    return tuple(map(played, text.split()))


def wild_rules(cards=("joker",), **others):
    """The wild cards of 500 Rummy, or of what is said otherwise."""
    return changed(WILD, cards=cards, **others)


@cache
def book(kinds=(GROUP, SEQUENCE), wild=WILD, packs=1, jokers=2, wild_rank=None):
    """The book of 500 Rummy, or of what is said otherwise."""
    return MeldIndex(kinds, wild, packs, jokers * packs, wild_rank)
