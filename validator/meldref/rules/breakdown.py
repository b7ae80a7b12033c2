"""How a score comes about: the sum in words, and the settings that had a part in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from meldref.core.cards import ACE, JOKER, ONE, RANKS, Card, card_text, each, rank_of
from meldref.core.records import record
from meldref.melds import Laid
from meldref.position.model import GOING_ON, OnTable, Position
from meldref.rules.points import (
    KEYS_OF_ACES,
    Worth,
    aces_in_runs,
    card_of,
    hands_behind,
    held_points,
    how_hands_count,
    sums_without_awards,
)
from meldref.ruleset.model import Ruleset


@record
class Breakdown:
    """A sum such as `101 laid + 50 for going out - 0 held`, and the keys that contributed to it.

    `cards` says which cards of whom count what: `held by Cy: 2c 2, Ad 15`.
    """

    text: str
    keys: tuple[str, ...]
    cards: tuple[str, ...] = ()


def hand_breakdown(
    ruleset: Ruleset, worth: Worth, position: Position, sides: Sequence[Sequence[int]], number: int
) -> Breakdown:
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
    if scoring.hands == "to_player_out" and out is None and len(sides) == 2:
        keys.append("scoring.nobody_out")
    behind = hands_behind(ruleset, position, sides, number)
    seats = [seat for other in behind for seat in sides[other]]
    sign = -1 if scoring.hands == "subtract" else 1
    whose = "held" if number in behind else f"held by {'others' if out in side else 'the other'}"
    keys.append("scoring.hands")
    if how_hands_count(ruleset, position) != scoring.hands:
        keys.append("scoring.hands_at_stock_end")
    if seats:
        held = sum(
            points or 0 for points in held_points(worth, position, [[seat] for seat in seats])
        )
        due += sign * held
        terms.append(_term(sign * held, whose, negative=sign < 0))
        keys += [
            _key_of_card(ruleset, position.book.is_wild, card, "held")
            for seat in seats
            for card in each(position.hands[seat])
        ]
    if worth.awards is not None and position.memory is not None:
        for earned in worth.awards(
            position, sides, sums_without_awards(ruleset, worth, position, sides)
        )[number]:
            due += earned.points or 0
            terms.append(_term(earned.points or 0, f"for {earned.rule}"))
            keys.append(f"house_rules.{earned.rule}")
    text = f"{' '.join(terms)} = {due}"
    if due < 0 and scoring.below_zero.hand == "forbidden":
        due, text = 0, f"{text}, but a hand's score cannot be below 0"
        keys.append("scoring.below_zero.hand")
    if scoring.divide_by != 1:
        text = f"{text}, divided by {scoring.divide_by}: {due // scoring.divide_by}"
        keys.append("scoring.divide_by")
    laid = side if scoring.melds == "count" else ()
    cards = (*_laid_cards(worth, position, laid), *_held_cards(worth, position, seats))
    return Breakdown(text, tuple(dict.fromkeys(keys)), cards)


def _laid_cards(worth: Worth, position: Position, seats: Sequence[int]) -> Iterator[str]:
    """What each player has on the table, card by card, if that is all that they scored there."""
    for seat in seats:
        counted: list[str] = []
        points = 0
        for meld in position.melds:
            own = [laid for laid in meld.cards if laid.seat == seat]
            aces = worth.four_aces(meld.cards) if own else None
            if aces is not None:
                counted.append(f"{' '.join(card_text(laid.card) for laid in own)} {aces} together")
            else:
                counted += [f"{card_text(laid.card)} {laid.points}" for laid in own]
            points += aces if aces is not None else sum(laid.points for laid in own)
        if counted and points == position.points[seat]:
            yield f"laid by {position.players[seat]}: {', '.join(counted)}"


def _held_cards(worth: Worth, position: Position, seats: Sequence[int]) -> Iterator[str]:
    """What each player holds, card by card."""
    for seat in seats:
        held = [f"{card_text(card)} {worth.held(ONE[card])}" for card in each(position.hands[seat])]
        if held:
            yield f"held by {position.players[seat]}: {', '.join(held)}"


def total_breakdown(ruleset: Ruleset, before: int, score: int) -> Breakdown:
    """How a total comes about from the one before the hand and the hand's score."""
    due = before + score
    text = f"{before} before {_term(score, 'in this hand')} = {due}"
    if due < 0 and ruleset.scoring.below_zero.total == "forbidden":
        return Breakdown(f"{text}, but a total cannot be below 0", ("scoring.below_zero.total",))
    return Breakdown(text, ())


def _term(points: int, what: str, *, negative: bool = False) -> str:
    return f"{'-' if points < 0 or negative else '+'} {abs(points)} {what}"


def _keys_of_table(
    ruleset: Ruleset, worth: Worth, position: Position, side: Sequence[int]
) -> Iterator[str]:
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


def _keys_of_laid(
    ruleset: Ruleset, worth: Worth, is_wild: Callable[[Card], bool], laid: OnTable
) -> Iterator[str]:
    scoring, card = ruleset.scoring, laid.card
    if laid.role != card and scoring.wild == "represented":
        yield "scoring.wild"
        card = card_of(laid.role)
    is_ace = card != JOKER and card % 13 == ACE
    if is_ace and aces_in_runs(scoring)[laid.ace_place] is not None:
        yield KEYS_OF_ACES[laid.ace_place]
    else:
        yield _key_of_card(ruleset, is_wild, card, "values")
    if laid.points != worth.laid(Laid(laid.card, laid.role, laid.ace_place)):
        yield "scoring.four_at_once"


def _key_of_card(ruleset: Ruleset, is_wild: Callable[[Card], bool], card: Card, table: str) -> str:
    """The key that says what a card counts: one for the card itself before one for its rank."""
    rank = "joker" if card == JOKER else RANKS[rank_of(card)]
    wild = card != JOKER and is_wild(card)
    names = [] if card == JOKER else [card_text(card)] + ["wild"] * wild
    tables = [table] if table == "values" else [table, "values"]
    keys = [f"scoring.{table}.{name}" for table in tables for name in (*names, rank)]
    return next((key for key in keys if key in ruleset.origins), f"scoring.values.{rank}")
