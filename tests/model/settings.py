"""What the games and options of the family settle differently, as one flat record."""

from dataclasses import dataclass, replace
from typing import Any

from model.cards import JOKER, RANKS


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
    cards_by: str = "number"  # number, first_card
    direction: str = "clockwise"  # counterclockwise, alternates
    extra_card: bool = False  # the first player has one card more and begins without a draw

    group_sizes: tuple[int, int] = (3, 4)
    sequence_sizes: tuple[int, int] = (3, 13)
    ace_places: tuple[str, ...] = ("low", "high")  # low, high, around
    jokers_apart: bool = False  # jokers are melded among themselves, and stand for nothing
    jokers_wild: bool = True  # where they are not melded among themselves
    swap: str = "never"  # for_natural, at_end
    swapped: str = "to_hand"  # to_end

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
    out_bonus: int = 0

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
    reshuffle: str = "never"  # never, turn_over
    turned: str = "but_top"  # but_top, whole_pile
    ends_at: int = 0  # the time the stock is used up that it is not made new
    hands_at_stock_end: str = "count"  # count, ignore

    two_to_nine: int = 0  # points of each, 0 for its number
    ace: int = 15
    low_ace: int = 1
    high_ace: int | None = None  # None: as any ace
    around_ace: int | None = None  # None: as any ace
    held_ace: int = 15
    joker: int = 15
    wild_counts: str = "own"  # own, represented

    target: int = 500
    winner: str = "highest"  # highest, player_out
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
        return 2 if players >= self.two_packs_from else 1

    def dealt(self, players: int, card: str, *, first: bool) -> int:
        """How many cards a player is dealt, whose first is `card`.

        `first` is the player to the dealer's left.
        """
        if self.cards_by == "first_card":
            if card == JOKER:
                raise Unsupported("how many cards follow a joker")
            cards = RANKS.index(card[0]) + 2
        else:
            cards = self.hand_cards_of_two if players == 2 else self.hand_cards
        return cards + (1 if first and self.extra_card else 0)


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
