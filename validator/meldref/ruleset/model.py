"""A ruleset as the rest of the program sees it: frozen sections whose names are the YAML keys.

Every value is what the merged files say, of which 500 Rummy's is the lowest, so the model needs no
defaults.
Numbers that may differ with the number of players are `ByPlayers`. `Ruleset.origin` says who set a
key.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from meldref.core.cards import JOKER, Card
from meldref.core.diagnostics import Origin
from meldref.core.records import hidden, record
from meldref.core.shown import html_of, text_of


@record
class ByPlayers:
    """A number for each number of players."""

    numbers: Mapping[int, int]

    def __getitem__(self, players: int) -> int:
        """The number for a table of `players`; KeyError if the ruleset allows no such table."""
        return self.numbers[players]

    def get(self, players: int) -> int | None:
        """The number for a table of `players`, or None if the ruleset allows no such table."""
        return self.numbers.get(players)


@record
class PlayersRules:
    """Who plays, and in which order."""

    min: int
    max: int
    first: Literal["left_of_dealer", "dealer"]
    direction: Literal["clockwise", "counterclockwise", "alternates"]

    @property
    def numbers(self) -> range:
        """The numbers of players that there may be."""
        return range(self.min, self.max + 1)


@record
class DeckRules:
    """The cards: packs by the number of players at the table, jokers in each pack.

    `jokers_in_all` has an entry for each number of players for whom it says how many jokers there
    are.
    """

    packs: ByPlayers
    jokers: int
    jokers_in_all: ByPlayers


@record
class DealRules:
    """How a hand is dealt; `cards` by the number of those who play the hand."""

    cards: ByPlayers
    cards_by: Literal["number", "first_card"]
    extra_card: Literal["nobody", "first_player"]
    up_card: Literal["turned", "none"]
    first_turn: Literal["draws", "no_draw"]
    first_dealer: Literal["anybody", "lowest", "highest"]
    cut_ace: Literal["low", "high"]
    next_dealer: Literal["left", "same", "winner"]


Require = Literal[
    "same_rank",
    "same_suit",
    "same_colour",
    "distinct_suits",
    "distinct_ranks",
    "consecutive_ranks",
    "alternating_colours",
]
AcePlace = Literal["low", "high", "around"]


@record
class Kind:
    """A kind of meld: a size and constraints.

    `only` are the card faces of an `only: [...]` constraint ("joker", ranks "A" to "K"), None where
    there is none. `ace` bears only on `consecutive_ranks`.
    """

    name: str
    min_size: int
    max_size: int
    require: tuple[Require, ...]
    only: tuple[str, ...] | None = None
    ace: tuple[AcePlace, ...] = ("low", "high")

    @property
    def is_run(self) -> bool:
        """Whether its cards follow one another, as those of a sequence do."""
        return "consecutive_ranks" in self.require


@record
class WildRules:
    """Wild cards: `cards` are "joker", ranks "A" to "K", or "named", the rank named for a hand."""

    cards: tuple[str, ...]
    named_by: Literal["dealer", "first_card"]
    naturals: int
    suit_in_group: Literal["open", "stated"]
    twins: Literal["allowed", "forbidden"]
    swap: Literal["never", "for_natural", "at_end"]
    swapped: Literal["to_hand", "laid_this_turn", "to_end"]
    grown_group: Literal["exchanged", "stays"]
    colour: Literal["any", "same"]

    @property
    def shown_by_deal(self) -> bool:
        """Whether the dealer's first card shows the rank that is wild in a hand (F-DEAL-01)."""
        return "named" in self.cards and self.named_by == "first_card"


@record
class MeldRules:
    """Kinds of meld, in the order of the file, and wild cards."""

    kinds: tuple[Kind, ...]
    wild: WildRules
    first_points: int
    first_points_of: Literal["meld", "turn"]
    contract: tuple[str, ...] | None


@record
class LayOffRules:
    """Laying off."""

    onto: Literal["any", "own_side", "own", "nothing"]
    before_melding: Literal["allowed", "forbidden"]
    counts_for: Literal["layer", "melder"]
    target: Literal["if_several", "always", "never"]


@record
class DutySetting:
    """What must happen with a card taken from the pile, and by when."""

    must: Literal["nothing", "be_used"]
    when: Literal["at_once", "this_turn"]


Use = Literal["meld", "lay_off", "swap"]


@record
class DrawRules:
    """Drawing from stock and pile, once or twice in a turn."""

    count: int
    mixed: Literal["allowed", "forbidden"]
    depth: Literal["any", "top"]
    takes: Literal["all_above", "that_card", "whole_pile"]
    top: DutySetting
    deep: DutySetting
    use: tuple[Use, ...]
    dead_end: Literal["forbidden", "allowed"]


@record
class DiscardRules:
    """What may be discarded."""

    taken_top: Literal["forbidden", "allowed"]
    taken_deep: Literal["any", "not_deepest", "top_only"]
    twin: Literal["if_held_before", "allowed", "forbidden"]


@record
class OutRules:
    """Going out."""

    melding_all: Literal["ends_hand", "forbidden", "floats"]
    last_discard: Literal["any", "unplayable", "claimable"]
    claimed: Literal["floats", "takes_pile"]
    playable: Literal["on_table", "with_pile"]
    challenge: Literal["none", "taken_back"]
    face: Literal["up", "either"]
    bonus: int
    last_turns: Literal["none", "one"]


@record
class FloatingRules:
    """A floater's turns, where melding every card floats."""

    draws: tuple[Literal["stock", "pile"], ...]
    playable: Literal["free", "must_be_used"]


@record
class CallRules:
    """Calling "Rummy!"."""

    of: Literal["none", "last_discard", "last_discard_or_set", "pile"]
    by: Literal["all_but_discarder", "opponents", "anybody", "discarder"]
    until: Literal["next_draw", "next_discard", "any_time"]
    takes: Literal["down_to_card", "called_cards"]
    more_melds: Literal["allowed", "forbidden"]
    discard: Literal["required", "none"]
    then: Literal["left_of_caller", "unchanged"]
    several: Literal["first", "nearest"]
    penalty: Literal["nothing", "draws_two", "takes_pile"]


@record
class BuyRules:
    """Taking the last discard out of turn; None: any number of times."""

    of: Literal["none", "last_discard"]
    extra: int
    several: Literal["first", "nearest"]
    per_hand: int | None
    per_game: int | None
    must: Literal["nothing", "be_used"]


@record
class StockRules:
    """The end of the stock.

    `ends_at`: the time it is used up that it is not made new; 0: it always is.
    """

    empty: Literal["pile_only", "last_turn"]
    reshuffle: Literal["never", "but_top", "whole_pile", "turn_over"]
    turned: Literal["but_top", "whole_pile"]
    ends_at: int


@record
class FloorAtZero:
    """Whether points may be negative; forbidden means 0 instead."""

    hand: Literal["allowed", "forbidden"]
    total: Literal["allowed", "forbidden"]


@record
class ScoringRules:
    """Points. `values` and `held` have an entry for each of the 53 cards (`JOKER` the last).

    `wild_cards` and `wild_held` are what wild cards of any rank count instead, where a file says
    that.
    """

    values: tuple[int, ...]
    held: tuple[int, ...]
    wild_cards: int | None
    wild_held: int | None
    low_ace: int | None
    """Points of an ace in the lowest place of a sequence; None: as any ace."""
    high_ace: int | None
    """Points of an ace above the king; None: as any ace."""
    around_ace: int | None
    """Points of an ace between a king and a two; None: as any ace."""
    wild: Literal["own", "represented"]
    four_aces: int | None
    four_at_once: int
    melds: Literal["count", "ignore"]
    hands: Literal["subtract", "ignore", "to_player_out", "add"]
    nobody_out: Literal["nothing", "two_exchange"]
    hands_at_stock_end: Literal["count", "ignore"]
    below_zero: FloorAtZero
    divide_by: int


@record
class TieRules:
    """How level totals are broken, by what first, and who plays on."""

    first: Literal["none", "player_out"]
    by: Literal["more_hands", "one_hand", "sharing", "melds_then_hand"]
    who: Literal["all", "tied"]


@record
class GameRules:
    """When a game ends and who wins it. `hands` is the least and the greatest number of hands."""

    ends: Literal["at_target", "after_hands"]
    target: int
    reached: Literal["at_least", "above"]
    reached_by: Literal["anybody", "player_out"]
    hands: tuple[int, int]
    winner: Literal["highest", "lowest", "player_out"]
    out_at: int | None
    tie: TieRules
    bonus: int
    stop: Literal["never", "agreed"]


@record
class PartnershipRules:
    """Sides."""

    sides: Literal["none", "opposite"]
    score: Literal["together", "apart"]


@record
class SettlementRules:
    """What is paid when the game is over."""

    pays: Literal["nothing", "difference", "prize", "chips"]
    ratio: int
    prize: int


GAME: Final = "game"
"""What an award is for that is earned once, when the game is over."""


@record
class HouseRule:
    """A rule of the ruleset's own, as written: a ban on actions, or an award of points.

    `at` are the actions that an award is for, or `game`; if there are none, it is for the end of
    the hand. `to` says who gets its points: the player whom it is about, the partner, each of the
    opponents, who discarded the card (discarder), or who laid the meld (owner).
    """

    name: str
    says: str
    forbid: tuple[str, ...] = ()
    award: str | None = None
    at: tuple[str, ...] = ()
    to: str = "player"
    when: str = ""
    unless: str = ""
    why: str = ""
    source: str = ""

    @property
    def for_game(self) -> bool:
        """Whether it is an award for the whole game."""
        return GAME in self.at


@record
class Change:
    """Another value of a field, by its path."""

    key: str
    value: object


@record
class HandRules:
    """What differs in some hands of a game: from which number to which."""

    first: int
    last: int
    changes: tuple[Change, ...]


@record
class Ruleset:
    """One merged ruleset: a game with its options and single settings."""

    id: str
    name: str
    about: str
    source: str
    aliases: tuple[str, ...]
    options: tuple[str, ...]
    players: PlayersRules
    deck: DeckRules
    deal: DealRules
    melds: MeldRules
    layoff: LayOffRules
    draw: DrawRules
    discard: DiscardRules
    out: OutRules
    floating: FloatingRules
    calls: CallRules
    buys: BuyRules
    stock: StockRules
    scoring: ScoringRules
    game: GameRules
    partnership: PartnershipRules
    settlement: SettlementRules
    hands: tuple[HandRules, ...] = ()
    customs: tuple[str, ...] = ()
    house_rules: tuple[HouseRule, ...] = ()
    origins: Mapping[str, Origin] = hidden(default=MappingProxyType({}))

    def origin(self, key: str) -> Origin | None:
        """Who set a key path, or the nearest key above it, or its parts; None if no file did."""
        above = key
        while above:
            if above in self.origins:
                return self.origins[above]
            above = above.rpartition(".")[0]
        if not key:
            return None
        parts = {
            name: origin for name, origin in self.origins.items() if name.rpartition(".")[0] == key
        }
        if not parts:
            return None
        first = next(iter(parts.values()))
        return Origin(
            key, ", ".join(name.rpartition(".")[2] for name in parts), first.file, first.line
        )

    def copies(self, card: Card, players: int) -> int:
        """How many copies of a card the deck has with `players` at the table."""
        return jokers_for(self, players) if card == JOKER else self.deck.packs[players]

    def deck_size(self, players: int) -> int:
        """How many cards the deck has with `players` at the table."""
        return self.deck.packs[players] * 52 + jokers_for(self, players)

    __str__ = text_of
    _repr_html_ = html_of


def opposite(ruleset: Ruleset, players: int) -> int:
    """How many seats away a partner sits; 0 if nobody has one, as at odd tables or those of two."""
    even = players >= 4 and players % 2 == 0
    return players // 2 if even and ruleset.partnership.sides == "opposite" else 0


def jokers_for(ruleset: Ruleset, players: int) -> int:
    """How many jokers the deck has with `players` at the table."""
    deck = ruleset.deck
    in_all = deck.jokers_in_all.get(players)
    return deck.packs[players] * deck.jokers if in_all is None else in_all


def decks(ruleset: Ruleset) -> tuple[tuple[int, int], ...]:
    """The packs and the jokers of every deck that the game is played with, the smallest first."""
    fewest, most = sorted((ruleset.players.min, ruleset.players.max))
    tables = [
        number for number in range(fewest, most + 1) if ruleset.deck.packs.get(number) is not None
    ]
    return tuple(
        sorted({(ruleset.deck.packs[number], jokers_for(ruleset, number)) for number in tables})
    )


def has_jokers(ruleset: Ruleset) -> bool:
    """Whether any table plays with jokers."""
    return any(number for _, number in decks(ruleset))
