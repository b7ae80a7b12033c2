"""What a ruleset says of a hand, if it is one that is understood; melds, and what cards count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from meldref.core.cards import JOKER, NATURALS
from meldref.rulefiles.load import load_ruleset
from meldref.ruleset.changes import differences
from meldref.ruleset.model import Ruleset, jokers_for
from meldref_archive.confirming.actions import (
    ABOVE_KING,
    ACE,
    GROUP,
    JOKERS,
    KING,
    REMEMBERED,
    Place,
    Shape,
    Unclear,
)

UNDERSTOOD: Final[Mapping[str, tuple[object, ...]]] = {
    "players.min": (),
    "players.max": (),
    "deck.packs": (),
    "deck.jokers": (),
    "deck.jokers_in_all": (),
    "deal.cards": (),
    "melds.wild.cards": ((), ("joker",)),
    "layoff.onto": ("any", "nothing"),
    "draw.depth": (),
    "draw.top.must": (),
    "draw.deep.must": (),
    "draw.use": (("meld", "lay_off"), ("meld",)),
    "out.melding_all": ("ends_hand", "forbidden"),
    "calls.of": ("none", "pile"),
    "stock.reshuffle": ("never", "but_top"),
    "scoring.values": (),
    "scoring.held": (),
    "scoring.low_ace": (),
    "scoring.high_ace": (),
    "game.target": (),
    "game.tie.who": (),
    "game.stop": (),
}
"""In what a ruleset may differ from 500 Rummy, and with which values (none: any)."""
_MOST: Final = 64
"""How many settings are kept."""


class Settings:
    """What the second judge reads in a ruleset that it understands, for a number of players."""

    def __init__(self, rules: Ruleset, players: int) -> None:
        scoring = rules.scoring
        self.players = players
        self.deck = (1 << JOKER + jokers_for(rules, players)) - 1
        self.dealt = rules.deal.cards[players]
        self.lays_off = rules.layoff.onto == "any"
        self.takes_deep = rules.draw.depth == "any"
        self.owes_top = rules.draw.top.must == "be_used"
        self.owes_deep = rules.draw.deep.must == "be_used"
        self.uses_by_laying_off = "lay_off" in rules.draw.use
        self.may_meld_all = rules.out.melding_all == "ends_hand"
        self.calls = rules.calls.of == "pile"
        self.ends_with_stock = rules.stock.reshuffle == "never"
        self.target = rules.game.target
        self._laid = {1 << card: scoring.values[card] for card in NATURALS}
        self._laid[JOKERS] = scoring.values[JOKER]
        self._held = {1 << card: scoring.held[card] for card in NATURALS}
        self._held |= dict.fromkeys((1 << JOKER, 2 << JOKER), scoring.held[JOKER])
        self._aces = {ACE: scoring.low_ace, ABOVE_KING: scoring.high_ace}
        self._worth: dict[Sequence[Place], int] = {}

    def worth_of_meld(self, places: Sequence[Place], shape: Shape) -> int:
        """Points of a new meld."""
        worth = self._worth.get(places)
        if worth is None:
            suit, low, _ = shape
            at = [GROUP if suit == GROUP else low + index for index in range(len(places))]
            worth = sum(map(self._points, places, at))
            if len(self._worth) >= REMEMBERED:
                self._worth.clear()
            self._worth[places] = worth
        return worth

    def _points(self, place: Place, at: int) -> int:
        """Points of a card that is laid, at a place of a run or in a group."""
        bit, rank, _ = place
        points = self._aces.get(at) if rank == ACE and bit != JOKERS else None
        return self._laid[bit] if points is None else points

    def laid_off(self, shape: Shape, places: Sequence[Place]) -> tuple[Shape, int]:
        """A meld with more cards, in whatever order they fit, and what these count."""
        if len(places) == 1:
            return self._extended(shape, places[0])
        is_run = shape[0] != GROUP
        waiting, worth = sorted(places, key=_aces_last), 0
        while waiting:
            place = next(place for place in waiting if self._fits(shape, place))
            may_be_either = place[1] == ACE and shape[1:] == (ACE + 1, KING)
            if is_run and (place[1] < 0 or may_be_either):
                raise Unclear
            shape, points = self._extended(shape, place)
            worth += points
            waiting.remove(place)
        return shape, worth

    def fits(self, shape: Shape, card: int) -> bool:
        """Whether a natural card can be laid off on a meld."""
        suit, rank = divmod(card.bit_length() - 1, KING + 1)
        return self._fits(shape, (card, rank, suit))

    def _fits(self, shape: Shape, place: Place) -> bool:
        try:
            self._extended(shape, place)
        except Unclear:
            return False
        return True

    def _extended(self, shape: Shape, place: Place) -> tuple[Shape, int]:
        """A meld with a card more, and what that counts."""
        suit, low, high = shape
        bit, rank, of_suit = place
        if suit == GROUP:
            fits = rank in {low, -1} and (bit != JOKERS or of_suit < 0)
            if not fits or high == 4:
                raise Unclear
            return (GROUP, low, high + 1), self._laid[bit]
        if rank < 0 and (low == ACE) != (high == ABOVE_KING):
            # There is only one place for a joker of which nothing is said.
            rank, of_suit = high + 1 if low == ACE else low - 1, suit
        if of_suit != suit or high - low == KING:
            raise Unclear
        if rank == high + 1 or (rank == ACE and high == KING):
            return (suit, low, high + 1), self._points(place, high + 1)
        if rank != low - 1:
            raise Unclear
        return (suit, rank, high), self._points(place, rank)

    def held(self, hand: int) -> int:
        """Points of the cards in a hand."""
        points = 0
        while hand:
            card = hand & -hand
            points += self._held[card]
            hand ^= card
        return points


def _aces_last(place: Place) -> bool:
    return place[1] == ACE


_SETTINGS: Final[dict[tuple[int, int], tuple[Ruleset, Settings | None]]] = {}
"""Settings by the identity of their ruleset, which they keep alive, and by the number of players."""


def settings_of(rules: Ruleset, players: int) -> Settings | None:
    """What a ruleset says, as it is read once; None if anything in it is not understood."""
    known = _SETTINGS.get((id(rules), players))
    if known is not None:
        return known[1]
    if len(_SETTINGS) >= _MOST:
        _SETTINGS.clear()
    settings = Settings(rules, players) if _is_understood(rules, players) else None
    _SETTINGS[id(rules), players] = rules, settings
    return settings


def _is_understood(rules: Ruleset, players: int) -> bool:
    """Whether a ruleset is 500 Rummy with one pack, but for what is understood."""
    if rules.house_rules or rules.customs or rules.hands:
        return False
    if players not in rules.players.numbers or rules.deck.packs.get(players) != 1:
        return False
    jokers = jokers_for(rules, players)
    if rules.deal.cards.get(players) is None or jokers > (2 if rules.melds.wild.cards else 0):
        return False
    base, _ = load_ruleset("500-rummy")
    assert base is not None
    for change in differences(base, rules):
        values = UNDERSTOOD.get(change.key)
        if values is None or (values and change.value not in values):
            return False
    return True
