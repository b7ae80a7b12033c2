"""A rule that is registered is obeyed everywhere, from that moment."""

from __future__ import annotations

from meldref.core.cards import KING, count, rank_of
from meldref.core.events import Discard, LayOff, Meld
from meldref.melds import Reading
from meldref.position.model import FROM_STOCK
from meldref.rules.base import Violation


def no_king_is_melded(binding):
    def check(position, action):
        kings = [one for one in action.cards if one.card < 52 and rank_of(one.card) == KING]
        return Violation("meld.shape", "a king is not melded") if kings else None

    return check


def no_discard_of_a_card_drawn(binding):
    def check(position, action):
        turn = position.turn
        drawn = turn.source is FROM_STOCK and not count(turn.held_before, action.card)
        return Violation("discard.taken-top", "a card drawn is not thrown back") if drawn else None

    return check


def runs_have_an_even_number_of_cards(binding):
    def check(position, action):
        if isinstance(action, Meld):
            read = position.book.read(action.cards)
            shape = read.shape if isinstance(read, Reading) else None
        else:
            shape = None if action.target is None else position.melds[action.target - 1].shape
        if shape is None or shape.kind != "sequence":
            return None
        cards = len(shape.roles) + (len(action.cards) if isinstance(action, LayOff) else 0)
        return Violation("meld.size", "a sequence has an even number of cards") if cards % 2 else None

    return check


RULES = {
    "kings": (no_king_is_melded, Meld, LayOff),
    "drawn": (no_discard_of_a_card_drawn, Discard),
    "even": (runs_have_an_even_number_of_cards, Meld, LayOff),
}
GAMES = ("500-rummy", "500-rum", "gilfoy-500-rummy", "online-rummy-500", "persian-rummy")
