"""What laying down is worth: the goal, the settings that bear on it, and the answer.

The goal `score` is the gain in the hand's score: points on the table, and what the cards laid no
longer count against their holder where hands are subtracted, or added as penalty points
(`scoring.hands`). The goal `points` is only points on the table. Both are counted before
`scoring.divide_by` and `scoring.below_zero`, and without what goes to a player who is out: whether
laying down ends the hand is a matter of the whole turn. Of two ways worth the same, the one that
lays more cards is better.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from meldref.core.cards import ACE, JOKER, Card, Cards, Played, natural
from meldref.core.events import LayOff, Meld, Swap
from meldref.core.records import record
from meldref.melds import AROUND, HIGH, LOW, Laid, Shape, meld_index
from meldref.rules.points import Worth, aces_in_runs, own_values_in_runs
from meldref.ruleset.model import Ruleset, jokers_for

Goal: TypeAlias = Literal["score", "points"]
Aim: TypeAlias = Literal["score", "points", "cards"]
"""A goal, or to lay as many cards as can be laid, whatever they bring."""

SCALE: Final = 1024
"""Values are gains times this, and one for each card: what is equal otherwise is decided by the
cards laid."""

_LIMIT: Final = 64
_terms: dict[tuple[int, int, int | None, Aim], Terms] = {}


@record
class Spot:
    """A meld on the table that may be built on.

    `counts`: what is laid there counts for who lays it (else for the melder, `layoff.counts_for`).
    `aces` are the points of the cards there where all are aces that score for the same player, else
    None. `turned` is what the player gains when an ace at an end of it comes to lie between two cards.
    """

    number: int
    shape: Shape
    counts: bool = True
    aces: int | None = None
    turned: int = 0


@record
class LayDown:
    """The best way to lay down a hand.

    `plays` are in an order that can be played, `brings` has the points of each; `points` are all
    those gained on the table, `gain` is what the goal counts. No way to lay down gains more than
    `bound`: where `gain` is as much, that proves that nothing is better. It is more only where
    exchanges of wild cards can be made in too many ways. `searched` is how many positions were
    looked at.
    """

    plays: tuple[Meld | LayOff | Swap, ...]
    brings: tuple[int, ...]
    points: int
    gain: int
    left: Cards
    bound: int
    searched: int

    @property
    def melds(self) -> tuple[tuple[Played, ...], ...]:
        """The new melds, as they are laid."""
        return tuple(play.cards for play in self.plays if isinstance(play, Meld))

    @property
    def lay_offs(self) -> tuple[tuple[int, Played], ...]:
        """The cards laid off, each with the number of its meld, in the order of play."""
        return tuple(
            (play.target, card)
            for play in self.plays
            if isinstance(play, LayOff) and play.target is not None
            for card in play.cards
        )


class Terms:
    """What a ruleset says about laying down, for players, a wild rank of the hand, and a goal."""

    def __init__(self, ruleset: Ruleset, players: int, wild_rank: int | None, goal: Aim) -> None:
        scoring, layoff = ruleset.scoring, ruleset.layoff
        self.ruleset, self.players, self.wild_rank = ruleset, players, wild_rank
        self.book = meld_index(ruleset, players, wild_rank)
        self.worth = Worth(ruleset)
        self.wilds = self.book.wilds
        self.least = self.wilds.least_naturals
        self.packs = ruleset.deck.packs[players]
        self.jokers = jokers_for(ruleset, players)
        counts_against = goal == "score" and scoring.hands in {"subtract", "add"}
        self.counts = goal == "points" or (goal == "score" and scoring.melds == "count")
        self.relief: tuple[int, ...] = scoring.held if counts_against else (0,) * len(scoring.held)
        self.first_points = (
            ruleset.melds.first_points if ruleset.melds.first_points_of == "meld" else 0
        )
        self.melds_first = layoff.before_melding == "forbidden"
        self.onto_own = layoff.onto != "nothing"
        self.keeps_card = ruleset.out.melding_all == "forbidden"
        self.twins = ruleset.melds.wild.twins == "allowed"
        self.represented = scoring.wild == "represented"
        self.four_aces = scoring.four_aces
        around = any("around" in kind.ace for kind in ruleset.melds.kinds if kind.is_run)
        self.turning = self._turning() if around else 0
        self.no_losses = min(scoring.values) >= 0
        self.most: tuple[int, ...] = tuple(map(self._most, range(JOKER + 1)))

    def _own_value(self, card: Card) -> int:
        """The most points a wild card brings as itself; a wild ace might lie in a run."""
        scoring = self.ruleset.scoring
        points = scoring.values[card]
        if card != JOKER and card % 13 == ACE:
            return max([points, *own_values_in_runs(scoring)])
        return points

    def _turning(self) -> int:
        """The most that a card brings by making an ace at an end one that lies between two cards."""
        scoring = self.ruleset.scoring
        gains = [0]
        for suit in range(4):
            anywhere = scoring.values[natural(ACE, suit)]
            counts = [anywhere if points is None else points for points in aces_in_runs(scoring)]
            gains += [counts[AROUND] - counts[LOW], counts[AROUND] - counts[HIGH]]
        return scoring.four_at_once * max(gains)

    def _most(self, card: Card) -> int:
        """The most that a card can bring, scaled; its share of four aces counts in full."""
        scoring = self.ruleset.scoring
        points = [self._own_value(card)]
        if self.represented and card in self.wilds.cards:
            points += [self._own_value(other) for other in range(JOKER)]
        if card != JOKER and card % 13 == 0:
            points.append(abs(points[0]) * 4 + scoring.four_aces if scoring.four_aces else 0)
        return max(0, self.gain(card, max(*points, 0) * scoring.four_at_once + self.turning))

    def gain(self, card: Card, points: int) -> int:
        """The scaled value of a card laid for these points."""
        return (points * self.counts + self.relief[card]) * SCALE + 1

    def wild_points(self, laid: Laid) -> int:
        """Points of a wild card that lies as another one, at most."""
        return self.worth.laid(laid) if self.represented else self._own_value(laid.card)


def terms_for(
    ruleset: Ruleset, players: int, wild_rank: int | None = None, goal: Aim = "score"
) -> Terms:
    """The terms of a ruleset; the same ones each time they are asked for."""
    key = (id(ruleset), players, wild_rank, goal)
    cached = _terms.get(key)
    if cached is None:
        if len(_terms) >= _LIMIT:
            _terms.clear()
        cached = _terms[key] = Terms(ruleset, players, wild_rank, goal)
    return cached
