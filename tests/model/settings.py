"""What the games and options of the family settle differently, as one flat record."""

from dataclasses import dataclass, replace
from typing import Any

from model.cards import JOKER, RANKS, one_pack


class Illegal(Exception):
    """A rule was broken; `code` names it, `detail` says it to a person."""

    def __init__(self, code: str, detail: str = "", line: int | None = None):
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.line = line  # where the finding stands, if not at the line that showed it


class Unsupported(Exception):
    """The model has no opinion: unknown cards, or a rule it does not know."""


@dataclass(frozen=True)
class Settings:
    """The rules of a table. The defaults are 500 Rummy with jokers."""

    rules: str = "500-rummy"
    options: tuple[str, ...] = ()

    min_players: int = 2
    max_players: int = 8
    sides: bool = False  # two against two: how these score is not in this model
    two_packs_from: int = 5
    jokers: int = 2  # in each pack
    hand_cards: int = 7
    hand_cards_of_two: int = 13
    cards_for: tuple[tuple[int, int], ...] = ()  # up to how many players, and cards for each
    jokers_for: tuple[tuple[int, int], ...] = ()  # up to how many players, and jokers in all
    packs_for: tuple[tuple[int, int], ...] = ()  # up to how many players, and packs
    cards_by: str = "number"  # number, first_card
    of_hands: tuple[tuple[int, str, int], ...] = ()  # what is otherwise in a hand: field, value
    first_dealer: str = "anybody"  # anybody, lowest, highest: who draws that card
    cut_ace: str = "low"  # low, high: what an ace is in that draw
    direction: str = "clockwise"  # counterclockwise, alternates
    extra_card: bool = False  # the first player has one card more and begins without a draw

    group_sizes: tuple[int, int] = (3, 4)
    suits_differ: bool = True  # in a group
    sequence_sizes: tuple[int, int] = (3, 13)
    ace_places: tuple[str, ...] = ("low", "high")  # low, high, around
    jokers_apart: bool = False  # jokers are melded among themselves, and stand for nothing
    jokers_wild: bool = True  # where they are not melded among themselves
    wild_ranks: tuple[str, ...] = ()  # the rank that is wild in each hand of the game
    wild_rank: str | None = None  # the one of this hand
    needs_natural: bool = True  # a meld has a natural card
    jokers_at_most_half: bool = False  # of a meld
    contracts: tuple[tuple[tuple[str, int], ...], ...] = ()  # of each hand: kinds, and least sizes
    contract: tuple[tuple[str, int], ...] = ()  # that of this hand
    more_cards: tuple[int, ...] = ()  # more cards that are dealt in each hand
    runs_apart: bool = False  # two sequences of a suit do not make a longer one
    last_card_laid: tuple[int, ...] = ()  # the hands that no discard ends
    no_last_discard: bool = False  # this hand is one of those
    swap: str = "never"  # for_natural, at_end
    swapped: str = "to_hand"  # to_end

    depth: str = "any"  # any, top: how deep the pile may be taken
    lay_offs: bool = True
    top_must_be_used: bool = False
    deep_must_be_used: bool = True
    at_once: bool = True
    use: tuple[str, ...] = ("meld", "lay")
    deepest_may_go_back: bool = True

    melding_all: str = "ends_hand"  # ends_hand, forbidden, floats
    last_discard: str = "any"  # any, unplayable, claimable
    claimed: str = "floats"  # floats, takes_pile
    face_down: bool = False  # the last discard may be written `?`
    floater_must_play: bool = False
    last_turns: str = "none"  # none, one
    whole_hand: bool = False  # until somebody is out, who melds goes out
    out_bonus: int = 0

    buys: bool = False  # the last discard
    buys_extra: int = 1  # how many cards of the stock come with it
    buys_per_hand: int | None = None
    calls: str = "pile"  # none, last_discard, last_discard_or_set, pile
    call_until: str = "next_draw"  # next_draw, next_discard
    call_takes: str = "down_to_card"  # down_to_card, called_cards
    call_more_melds: bool = True
    call_discard: bool = True
    call_then: str = "left_of_caller"  # left_of_caller, unchanged
    call_by: str = "all_but_discarder"  # all_but_discarder, anybody, discarder
    draws: int = 1  # how many cards are drawn in a turn
    mixed: str = "allowed"  # forbidden: of two cards, none may come from the pile
    call_penalty: str = "nothing"  # nothing, draws_two, takes_pile

    stock_empty: str = "pile_only"  # pile_only, last_turn
    reshuffle: str = "never"  # never, turn_over, but_top: shuffled
    turned: str = "but_top"  # but_top, whole_pile
    ends_at: int = 0  # the time the stock is used up that it is not made new
    hands_at_stock_end: str = "count"  # count, ignore

    two_to_nine: int = 0  # points of each, 0 for its number
    ten: int = 10
    ace: int = 15
    low_ace: int = 1
    high_ace: int | None = None  # None: as any ace
    around_ace: int | None = None  # None: as any ace
    held_ace: int = 15
    joker: int = 15
    wild_counts: str = "own"  # own, represented
    melds_count: bool = True
    hands_count: str = "subtract"  # subtract, add, to_player_out
    going_rummy: bool = False  # who goes out in the one turn of melding scores double

    target: int = 500
    hands_in_game: int = 0  # 0: until the target is reached
    winner: str = "highest"  # highest, player_out, lowest
    tie_first: str = "none"  # none, player_out
    tied_only: bool = False  # tie-break hands are for the tied players alone
    may_share: bool = False  # those still level after a tie-break hand may share the win
    agreed_end: bool = False

    def back(self, hand: int) -> bool:
        """Whether turns go against the clock in a hand."""
        return self.direction == "counterclockwise" or (
            self.direction == "alternates" and hand % 2 == 0
        )

    def packs(self, players: int) -> int:
        """How many packs are in play."""
        if self.packs_for:
            return next(packs for most, packs in self.packs_for if players <= most)
        return 2 if players >= self.two_packs_from else 1

    def dealt(self, players: int, card: str, *, first: bool) -> int:
        """How many cards a player is dealt, whose first is `card`.

        `first` is the player to the dealer's left.
        """
        if self.cards_by == "first_card":
            if card == JOKER:
                raise Unsupported("how many cards follow a joker")
            cards = RANKS.index(card[0]) + 2
        elif self.cards_for:
            cards = next(cards for most, cards in self.cards_for if players <= most)
        else:
            cards = self.hand_cards_of_two if players == 2 else self.hand_cards
        return cards + (1 if first and self.extra_card else 0)

    def of_hand(self, number: int) -> "Settings":
        """The settings of a hand of the game."""
        number = min(number, self.hands_in_game or number)
        changes: dict[str, Any] = {}
        if self.more_cards:
            cards = self.hand_cards + self.more_cards[number - 1]
            changes.update(hand_cards=cards, hand_cards_of_two=cards)
        if self.wild_ranks:
            changes["wild_rank"] = self.wild_ranks[number - 1]
        if self.contracts:
            changes["contract"] = self.contracts[number - 1]
            changes["no_last_discard"] = number in self.last_card_laid
        changes.update((key, value) for hand, key, value in self.of_hands if hand == number)
        return replace(self, **changes)

    def pack(self, players: int) -> list[str]:
        """All cards in play."""
        packs = self.packs(players)
        if not self.jokers_for:
            return one_pack(self.jokers) * packs
        jokers = next(jokers for most, jokers in self.jokers_for if players <= most)
        return one_pack(0) * packs + [JOKER] * jokers


CALL_THE_DISCARD = {
    "calls": "last_discard",
    "call_takes": "called_cards",
    "call_more_melds": False,
    "call_discard": False,
    "call_then": "unchanged",
}

GAMES: dict[str, dict[str, object]] = {
    "500-rummy": {},
    "500-rum": {
        **CALL_THE_DISCARD,
        "jokers": 0,
        "hand_cards": 10,
        "hand_cards_of_two": 10,
        "extra_card": True,
        "last_discard": "claimable",
        "claimed": "takes_pile",
        "calls": "last_discard_or_set",
        "low_ace": 15,
    },
    "gilfoy-500-rummy": {
        **CALL_THE_DISCARD,
        "max_players": 5,
        "two_packs_from": 99,
        "jokers": 0,
        "hand_cards_of_two": 7,
        "top_must_be_used": True,
        "use": ("meld",),
        "melding_all": "floats",
        "last_discard": "unplayable",
        "face_down": True,
        "floater_must_play": True,
        "call_until": "next_discard",
        "two_to_nine": 5,
        "low_ace": 5,
        "may_share": True,
    },
    "online-rummy-500": {
        "max_players": 2,
        "hand_cards_of_two": 7,
        "swap": "for_natural",
        "at_once": False,
        "use": ("meld", "lay", "swap"),
        "deepest_may_go_back": False,
        "melding_all": "forbidden",
        "calls": "none",
        "stock_empty": "last_turn",
        "ace": 11,
        "wild_counts": "represented",
        "tied_only": True,
    },
}

GAMES["basic-rummy"] = {
    "max_players": 6,
    "two_packs_from": 99,
    "jokers": 0,
    "cards_for": ((2, 10), (4, 7), (6, 6)),
    "ace_places": ("low",),
    "depth": "top",
    "calls": "none",
    "reshuffle": "turn_over",
    "turned": "whole_pile",
    "ace": 1,
    "held_ace": 1,
    "melds_count": False,
    "hands_count": "to_player_out",
    "going_rummy": True,
    "target": 100,
}
GAMES["three-thirteen"] = {
    "packs_for": ((2, 1), (4, 2), (6, 3), (8, 4)),
    "jokers": 0,
    "hand_cards": 3,
    "group_sizes": (3, 13),
    "suits_differ": False,
    "ace_places": ("low",),
    "wild_ranks": tuple("3456789TJQK"),
    "more_cards": tuple(range(11)),
    "needs_natural": False,
    "lay_offs": False,
    "depth": "top",
    "melding_all": "forbidden",
    "whole_hand": True,
    "last_turns": "one",
    "calls": "none",
    "reshuffle": "but_top",
    "ace": 1,
    "held_ace": 1,
    "melds_count": False,
    "hands_count": "add",
    "hands_in_game": 11,
    "winner": "lowest",
}
GROUP, RUN = ("group", 3), ("sequence", 4)
GAMES["contract-rummy"] = {
    "min_players": 3,
    "packs_for": ((4, 2), (8, 3)),
    "jokers_for": ((4, 1), (8, 2)),
    "hand_cards": 10,
    "more_cards": (0, 0, 0, 0, 2, 2, 2),
    "first_dealer": "lowest",
    "group_sizes": (3, 14),
    "suits_differ": False,
    "sequence_sizes": (4, 13),
    "contracts": (
        (GROUP, GROUP),
        (GROUP, RUN),
        (RUN, RUN),
        (GROUP, GROUP, GROUP),
        (GROUP, GROUP, RUN),
        (GROUP, RUN, RUN),
        (RUN, RUN, RUN),
    ),
    "runs_apart": True,
    "last_card_laid": (7,),
    "depth": "top",
    "buys": True,
    "calls": "none",
    "reshuffle": "but_top",
    "melds_count": False,
    "hands_count": "add",
    "hands_in_game": 7,
    "winner": "lowest",
}
GAMES["may-i"] = {
    **GAMES["contract-rummy"],
    "packs_for": ((4, 2), (6, 3), (8, 4)),
    "jokers_for": (),
    "hand_cards": 11,
    "more_cards": (),
    "hand_cards_of_two": 11,
    "first_dealer": "highest",
    "cut_ace": "high",
    "joker": 25,
    "of_hands": ((7, "buys_extra", 2),),
    "runs_apart": False,
    "last_card_laid": (),
}
GAMES["shanghai-rummy"] = {
    **GAMES["may-i"],
    "first_dealer": "anybody",
    "joker": 15,
    "of_hands": ((9, "buys_per_hand", 4), (10, "buys_per_hand", 4)),
    "swap": "for_natural",
    "jokers_at_most_half": True,
    "runs_apart": True,
    "buys_per_hand": 3,
    "two_to_nine": 5,
    "ten": 5,
    "contracts": (
        (GROUP, GROUP),
        (GROUP, RUN),
        (RUN, RUN),
        (GROUP, GROUP, GROUP),
        (GROUP, ("sequence", 7)),
        (GROUP, GROUP, ("sequence", 5)),
        (RUN, RUN, RUN),
        (GROUP, ("sequence", 10)),
        (GROUP, GROUP, GROUP, ("sequence", 5)),
        (("sequence", 5),) * 3,
    ),
    "hands_in_game": 10,
}
GAMES["partnership-500-rum"] = {
    **GAMES["500-rum"],
    "min_players": 4,
    "max_players": 4,
    "sides": True,
}
GAMES["persian-rummy"] = {**GAMES["partnership-500-rum"], "jokers": 4, "jokers_apart": True}

OPTIONS: dict[str, dict[str, object]] = {
    "no-jokers": {"jokers": 0},
    "values-5-10-15": {"two_to_nine": 5, "low_ace": 5},
    "low-cards-5": {"two_to_nine": 5, "low_ace": 5},
    "face-values": {"two_to_nine": 0},
    "aces-25": {"ace": 25, "low_ace": 25, "held_ace": 25},
    "meld-taken-card": {"top_must_be_used": True},
    "new-meld-for-taken-card": {"use": ("meld",)},
    "keep-taken-card": {"top_must_be_used": False, "deep_must_be_used": False},
    "call-last-discard-only": CALL_THE_DISCARD,
    "no-calls": {"calls": "none"},
    "discard-to-go-out": {"melding_all": "forbidden"},
    "floating": {"melding_all": "floats"},
    "unplayable-last-discard": {"last_discard": "unplayable", "floater_must_play": True},
    "claimable-last-discard": {
        "last_discard": "claimable",
        "claimed": "floats",
        "floater_must_play": True,
    },
    "sequences-of-four": {"sequence_sizes": (4, 13)},
    "two-packs": {"two_packs_from": 6, "max_players": 8},
    "go-out-to-win": {"winner": "player_out"},
    "tied-players-only": {"tied_only": True},
    "reshuffle-stock": {"reshuffle": "but_top"},
    "no-laying-off": {"lay_offs": False},
    "low-aces": {"ace_places": ("low", "high")},
    "no-double-for-rummy": {"going_rummy": False},
    "chosen-wild-rank": {"jokers_wild": False},  # the rank is of the table, not of the rules
    "end-by-agreement": {"agreed_end": True},
}


def named(rules: str = "500-rummy", options: tuple[str, ...] = (), **changes: Any) -> Settings:
    """The settings of a game with options, by their shipped names, and single changes over those."""
    values: dict[str, Any] = {"rules": rules, "options": tuple(options)}
    try:
        values.update(GAMES[rules])
        for option in options:
            values.update(OPTIONS[option])
    except KeyError as unknown:
        raise Unsupported(f"no settings for {unknown}") from None
    return replace(Settings(), **{**values, **changes})


SINGLE: dict[str, tuple[str, tuple[object, ...]]] = {
    "melds.wild.swap": ("swap", ("never", "for_natural", "at_end")),
    "melds.wild.swapped": ("swapped", ("to_hand", "to_end")),
    "players.direction": ("direction", ("clockwise", "counterclockwise", "alternates")),
    "calls.by": ("call_by", ("anybody", "discarder")),
    "draw.count": ("draws", (1, 2)),
    "draw.mixed": ("mixed", ("allowed", "forbidden")),
    "calls.penalty": ("call_penalty", ("draws_two", "takes_pile")),
    "stock.empty": ("stock_empty", ("pile_only", "last_turn")),
    "stock.reshuffle": ("reshuffle", ("never", "turn_over")),
    "stock.turned": ("turned", ("but_top", "whole_pile")),
    "stock.ends_at": ("ends_at", tuple(range(10))),
    "out.last_turns": ("last_turns", ("none", "one")),
    "deal.cards_by": ("cards_by", ("number", "first_card")),
    "melds.kinds.sequence.ace": ("ace_places", (["low", "high"], ["low", "high", "around"])),
    "scoring.low_ace": ("low_ace", tuple(range(101))),
    "scoring.high_ace": ("high_ace", tuple(range(101))),
    "scoring.around_ace": ("around_ace", tuple(range(101))),
    "scoring.wild": ("wild_counts", ("own", "represented")),
    "scoring.hands_at_stock_end": ("hands_at_stock_end", ("count", "ignore")),
    "game.tie.first": ("tie_first", ("none", "player_out")),
}
"""Keys that may be set one by one: the field of each, and the values that this model has."""


def changed(settings: Settings, values: dict[str, object]) -> Settings:
    """Settings with single keys set."""
    changes: dict[str, Any] = {}
    for key, value in values.items():
        if key not in SINGLE or value not in SINGLE[key][1]:
            raise Unsupported(f"{key} is {value}")
        changes[SINGLE[key][0]] = value
    return replace(settings, **changes)
