"""How a score comes about: the sum in words, and the settings that had a part in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from meldref.core.cards import ACE, JOKER, RANKS, Card, card_text, each, rank_of
from meldref.core.records import record
from meldref.melds import Laid
from meldref.position.model import GOING_ON, OnTable, Position
from meldref.ruleset.model import Ruleset
from meldref.scoring.points import Worth, card_of, held_points, sums_without_awards


@record
class Reckoning:
    """A sum such as `101 laid + 50 for going out - 0 held`, and the keys that contributed to it."""

    text: str
    keys: tuple[str, ...]


def hand_reckoning(
    ruleset: Ruleset, worth: Worth, position: Position, sides: Sequence[Sequence[int]], number: int
) -> Reckoning:
    """How the hand's score of a side comes about; every hand that counts for it is known."""
    scoring, side = ruleset.scoring, sides[number]
    due, terms, keys = 0, ["0"], ["scoring.melds"]
    if scoring.melds == "count":
        due = sum(position.points[seat] for seat in side)
        terms, keys = [f"{due} laid"], [*_keys_of_table(ruleset, worth, position, side)]
    if len(side) > 1:
        keys.append("partnership.score")
    out = position.out if position.ending is not GOING_ON else None
    if out in side and ruleset.out.bonus:
        due += ruleset.out.bonus
        terms.append(_term(ruleset.out.bonus, "for going out"))
        keys.append("out.bonus")
    others = [seat for other in sides if other is not side for seat in other]
    seats: Sequence[int] = ()
    if scoring.hands == "subtract":
        seats, sign, whose = side, -1, "held"
    elif scoring.hands == "add":
        seats, sign, whose = side, 1, "held"
    elif scoring.hands == "to_player_out" and out in side:
        seats, sign, whose = others, 1, "held by others"
    elif scoring.hands == "to_player_out" and out is None and len(sides) == 2:
        keys.append("scoring.nobody_out")
        if scoring.nobody_out == "two_exchange":
            seats, sign, whose = others, 1, "held by the other"
    keys.append("scoring.hands")
    if seats:
        held = sum(points or 0 for points in held_points(worth, position, [[seat] for seat in seats]))
        due += sign * held
        terms.append(_term(sign * held, whose, negative=sign < 0))
        keys += [
            _key_of_card(ruleset, position.book.is_wild, card, "held")
            for seat in seats
            for card in each(position.hands[seat])
        ]
    if worth.awards is not None and position.memory is not None:
        for earned in worth.awards(position, sides, sums_without_awards(ruleset, worth, position, sides))[number]:
            due += earned.points or 0
            terms.append(_term(earned.points or 0, f"for {earned.rule}"))
            keys.append(f"house_rules.{earned.rule}")
    text = f"{' '.join(terms)} = {due}"
    if due < 0 and scoring.below_zero.hand == "forbidden":
        due, text = 0, f"{text}, and a hand counts no less than 0"
        keys.append("scoring.below_zero.hand")
    if scoring.divide_by != 1:
        text = f"{text}, divided by {scoring.divide_by}: {due // scoring.divide_by}"
        keys.append("scoring.divide_by")
    return Reckoning(text, tuple(dict.fromkeys(keys)))


def total_reckoning(ruleset: Ruleset, before: int, score: int) -> Reckoning:
    """How a total comes about from the one before the hand and the hand's score."""
    due = before + score
    text = f"{before} before {_term(score, 'in this hand')} = {due}"
    if due < 0 and ruleset.scoring.below_zero.total == "forbidden":
        return Reckoning(f"{text}, and a total is no less than 0", ("scoring.below_zero.total",))
    return Reckoning(text, ())


def _term(points: int, what: str, *, negative: bool = False) -> str:
    return f"{'-' if points < 0 or negative else '+'} {abs(points)} {what}"


def _keys_of_table(ruleset: Ruleset, worth: Worth, position: Position, side: Sequence[int]) -> Iterator[str]:
    """The keys by which the cards of a side on the table count."""
    for meld in position.melds:
        if worth.four_aces(meld.cards) is not None and meld.cards[0].seat in side:
            yield "scoring.four_aces"
            continue
        for laid in meld.cards:
            if laid.seat not in side:
                continue
            yield from _keys_of_laid(ruleset, worth, position.book.is_wild, laid)
            if laid.seat != meld.seat:
                yield "layoff.counts_for"


def _keys_of_laid(ruleset: Ruleset, worth: Worth, is_wild: Callable[[Card], bool], laid: OnTable) -> Iterator[str]:
    scoring, card = ruleset.scoring, laid.card
    if laid.role != card and scoring.wild == "represented":
        yield "scoring.wild"
        card = card_of(laid.role)
    if laid.low_ace and card != JOKER and card % 13 == ACE and scoring.low_ace is not None:
        yield "scoring.low_ace"
    else:
        yield _key_of_card(ruleset, is_wild, card, "values")
    if laid.points != worth.laid(Laid(laid.card, laid.role, laid.low_ace)):
        yield "scoring.four_at_once"


def _key_of_card(ruleset: Ruleset, is_wild: Callable[[Card], bool], card: Card, table: str) -> str:
    """The key that says what a card counts: one for the card itself before one for its rank."""
    rank = "joker" if card == JOKER else RANKS[rank_of(card)]
    wild = card != JOKER and is_wild(card)
    names = [] if card == JOKER else [card_text(card)] + ["wild"] * wild
    tables = [table] if table == "values" else [table, "values"]
    keys = [f"scoring.{one}.{name}" for one in tables for name in (*names, rank)]
    return next((key for key in keys if key in ruleset.origins), f"scoring.values.{rank}")
