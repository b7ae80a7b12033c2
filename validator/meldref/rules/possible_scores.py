"""Scores that no hand of the deck can bring: worked out from what its cards may count."""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd

from meldref.core.cards import ACE, JOKER, NATURALS, RANKS, Card, rank_of
from meldref.core.diagnostics import Severity
from meldref.core.records import record
from meldref.rules.declare import code
from meldref.rules.points import own_values_in_runs
from meldref.ruleset.model import Ruleset

code("score.impossible", severity=Severity.WARNING)


@record
class PossibleScores:
    """What a side's cards and bonuses may add up to in a hand: multiples of `step`, at most `most`.

    `divide_by` and `floored` say what is made of the sum: a part of it, and nothing below 0.
    """

    least: int
    most: int
    step: int
    divide_by: int
    floored: bool

    def why_not(self, score: int) -> str:
        """Why no hand brings a score; nothing if one may."""
        if self.floored and score < 0:
            return "a hand's score cannot be below 0"
        low, high = score * self.divide_by, (score + 1) * self.divide_by - 1
        if low > self.most:
            return f"all cards of the deck bring no more than {self.most // self.divide_by}"
        if high < self.least:
            return f"all cards of the deck bring no less than {self.least // self.divide_by}"
        if not self.step or high // self.step * self.step >= low:
            return ""
        return f"everything that counts in a hand is a multiple of {self.step}"


def possible_scores(ruleset: Ruleset, players: int) -> PossibleScores | None:
    """What a side may score in a hand; None where awards of house rules leave that open.

    Each card of the deck counts once: laid, or held. All of them may be one side's.
    """
    if any(rule.award is not None for rule in ruleset.house_rules):
        return None
    scoring = ruleset.scoring
    fixed = {ruleset.out.bonus}
    least, most = min(ruleset.out.bonus, 0), max(ruleset.out.bonus, 0)
    counted: set[int] = set()
    for card in (*NATURALS, JOKER):
        copies = ruleset.copies(card, players)
        worth = {0}
        if copies:
            worth |= {*_laid(ruleset, card), *_held(ruleset, card)}
        counted |= worth
        least += copies * min(worth)
        most += copies * max(worth)
    if scoring.four_aces is not None and scoring.melds == "count":
        fixed.add(scoring.four_aces)
        aces = sum(ruleset.copies(card, players) for card in NATURALS if _is_ace(card))
        groups = aces // 4
        least += groups * min(0, scoring.four_aces)
        most += groups * max(0, scoring.four_aces)
    floored = scoring.below_zero.hand == "forbidden"
    return PossibleScores(least, most, gcd(*counted, *fixed), scoring.divide_by, floored)


def why_not_at_end(ruleset: Ruleset, players: int, score: int, *, is_out: bool) -> str:
    """Why a player cannot have a score in a hand in which somebody went out; nothing if it may be.

    `is_out`: this player did. Only where cards that are held make the scores, and nothing else.
    """
    scoring = ruleset.scoring
    others_count = scoring.melds != "ignore" or ruleset.out.bonus != 0
    is_changed = scoring.divide_by != 1 or scoring.below_zero.hand == "forbidden"
    if others_count or is_changed or scoring.hands == "ignore":
        return ""
    if is_out != (scoring.hands == "to_player_out"):
        why = "whoever goes out holds no card" if is_out else "only whoever goes out scores"
        return why if score else ""
    least = min(_held_by_all(ruleset, players))
    held = -score if scoring.hands == "subtract" else score
    if least <= held or not _only_one_lacks_cards(ruleset):
        return ""
    who = "whoever is not out" if not is_out else "each of the others"
    return f"{who} holds a card, which counts at least {least}"


def _held_by_all(ruleset: Ruleset, players: int) -> Iterable[int]:
    """What each card of the deck may count that somebody holds."""
    for card in (*NATURALS, JOKER):
        if ruleset.copies(card, players):
            yield from _worth_held(ruleset, card)


def _only_one_lacks_cards(ruleset: Ruleset) -> bool:
    """Whether all but the player who went out hold cards when a hand ends by that."""
    out = ruleset.out
    claimed_floats = out.last_discard == "claimable" and out.claimed == "floats"
    floats = out.melding_all == "floats" or claimed_floats
    return out.last_turns == "none" and not floats


def _laid(ruleset: Ruleset, card: Card) -> Iterable[int]:
    """What a card may count on the table."""
    scoring = ruleset.scoring
    if scoring.melds != "count":
        return ()
    cards = {card}
    if scoring.wild == "represented" and _may_be_wild(ruleset, card):
        cards |= {*NATURALS}
    points = {scoring.values[other] for other in cards}
    if any(_is_ace(other) for other in cards):
        points |= {*own_values_in_runs(scoring)}
    points |= _of_named(ruleset, scoring.wild_cards)
    return {factor * count for count in points for factor in {1, scoring.four_at_once}}


def _held(ruleset: Ruleset, card: Card) -> Iterable[int]:
    """What a card may count that somebody holds in the end."""
    scoring = ruleset.scoring
    if scoring.hands == "ignore":
        return ()
    sign = -1 if scoring.hands == "subtract" else 1
    return {sign * points for points in _worth_held(ruleset, card)}


def _worth_held(ruleset: Ruleset, card: Card) -> set[int]:
    """What a card is worth that somebody holds, whether that is added or subtracted."""
    scoring = ruleset.scoring
    worth = {scoring.held[card]}
    worth |= _of_named(ruleset, scoring.wild_held)
    return worth | _of_named(ruleset, scoring.wild_cards)


def _of_named(ruleset: Ruleset, points: int | None) -> set[int]:
    """What cards count that may be of the wild rank, which is named for a hand."""
    if points is None or "named" not in ruleset.melds.wild.cards:
        return set()
    return {points}


def _may_be_wild(ruleset: Ruleset, card: Card) -> bool:
    wild = ruleset.melds.wild.cards
    return card == JOKER or "named" in wild or RANKS[rank_of(card)] in wild


def _is_ace(card: Card) -> bool:
    return card != JOKER and rank_of(card) == ACE
