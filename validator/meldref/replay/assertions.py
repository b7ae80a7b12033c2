"""Assertions: what an `=` line says, against what the replay has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import zip_longest

from meldref.core.cards import (
    ONE,
    UNKNOWN,
    Card,
    Cards,
    cards_text,
    count,
    difference,
    each,
    size,
)
from meldref.core.events import (
    AssertHand,
    Assertion,
    AssertPile,
    AssertScore,
    AssertStock,
    AssertTable,
)
from meldref.engine import unnamed
from meldref.engine.judge import Judge
from meldref.position.model import Position, uncounted
from meldref.position.setup import known_of
from meldref.replay.asserted_melds import (
    ELSEWHERE,
    check_number,
    check_table,
    may_exchange_wild,
    names_of,
    no_such_player,
    not_as_asserted,
    points_of,
    points_shown,
)
from meldref.rules.base import Undecided, Violation
from meldref.rules.hand import not_known_to_be_there
from meldref.rules.points import units
from meldref.ruleset.model import Ruleset


def check_assertion(
    judge: Judge,
    position: Position,
    seats: Mapping[str, int],
    event: Assertion,
    *,
    damaged: bool = False,
) -> Violation | Undecided | None:
    """What an `=` line says against what the replay has.

    What nobody could know is known from then on: unknown cards of a hand that it names, and after
    turns that nobody wrote down the hand, pile, stock, meld or points that it is about. In a
    `damaged` hand, it is open whether what is known of a hand of unknown size is right.
    """
    wrong: Violation | Undecided | None
    if isinstance(event, AssertTable):
        wrong = check_table(judge, position, seats, event)
    elif isinstance(event, AssertPile):
        wrong = _check_pile(position, event.cards)
    elif isinstance(event, AssertStock):
        wrong = _check_stock(position, event.count)
    elif isinstance(event, AssertScore):
        wrong = _check_points(judge, position, seats, event)
    else:
        seat = seats.get(event.player)
        if seat is None:
            wrong = no_such_player(event.player)
        elif uncounted(position.unknown[seat]):
            wrong = _learn_hand(judge, position, seat, event)
            if wrong is not None and damaged:
                wrong = Undecided(f"{wrong.message}: turns before it could not be played")
        else:
            wrong = _check_hand(judge, position, seat, event)
    if wrong is None and not position.table_known:
        wrong = _check_whole_deck(judge, position)
    return wrong


def _check_pile(position: Position, cards: tuple[Card, ...]) -> Violation | None:
    below = 0 if position.pile_known else len(cards) - len(position.pile)
    if below < 0 or not _agree(position.pile, cards[below:]):
        return not_as_asserted("the pile", cards_text(cards), cards_text(position.pile))
    if position.pile_known:
        return None
    new = list((Counter(cards) - Counter(position.pile)).elements())
    if any(new.count(card) > position.left(card) for card in new):
        return not_as_asserted("the pile", cards_text(cards), ELSEWHERE)
    for card in new:
        position.reveal(card)
    position.pile = [*cards]
    position.unwritten = position.unwritten._replace(pile=False)
    return None


def _check_stock(position: Position, size: int) -> Violation | None:
    if not uncounted(position.stock_size):
        return check_number("the stock", size, position.stock_size)
    position.stock_size = size
    return None


def _check_points(
    judge: Judge, position: Position, seats: Mapping[str, int], event: AssertScore
) -> Violation | Undecided | None:
    """The points of a player, or of partners together, on the table."""
    names = [event.player] if event.player in seats else event.player.split("+")
    unknown = [name for name in names if name not in seats]
    if unknown:
        return no_such_player(event.player)
    members = [seats[name] for name in names]
    due = sum([position.points[seat] for seat in members])
    what = f"{event.player}'s points"
    unwritten = position.unwritten
    left_open = [seat for seat in members if seat in unwritten.points]
    if len(members) == 1 and members[0] in unwritten.joint_points:
        # Only what this player has together with others was asserted since points were missed.
        return None
    has_laid = any(laid.seat in members for meld in position.melds for laid in meld.cards)
    if has_laid and unnamed.points_depend(judge, position):
        return Undecided(f"{what}: {unnamed.WHY}")
    if not left_open:
        return check_number(what, event.points, due)
    if event.points < due and not _may_fall(judge.ruleset):
        return not_as_asserted(what, f"{event.points}", f"at least {due}")
    position.points[left_open[0]] += event.points - due
    unwritten = unwritten._replace(points=unwritten.points.difference(members))
    if len(left_open) > 1:
        joint_points = unwritten.joint_points.union(left_open)
        unwritten = unwritten._replace(joint_points=joint_points)
    position.unwritten = unwritten
    return None


def _may_fall(ruleset: Ruleset) -> bool:
    """Whether a player may have fewer points on the table after some turns."""
    scoring = ruleset.scoring
    if ruleset.layoff.counts_for == "melder":
        # Until it is known whose a meld is, another player has its points.
        return True
    return may_exchange_wild(ruleset) or scoring.four_aces is not None or min(scoring.values) < 0


def _check_hand(judge: Judge, position: Position, seat: int, event: AssertHand) -> Violation | None:
    what = f"{event.player}'s hand"
    wrong = check_number(what, _asserted_size(event), position.held[seat], " cards")
    if wrong is not None or event.count is not None:
        return wrong
    asserted = known_of(event.cards)
    if not_known_to_be_there(judge.binding, position, seat, asserted) is not None:
        return not_as_asserted(what, _asserted_hand(event), position.hand_text(seat))
    position.learn_all(seat, asserted)
    return None


def _learn_hand(judge: Judge, position: Position, seat: int, event: AssertHand) -> Violation | None:
    """A hand of which nobody knew how many cards it has is as asserted, where it can be."""
    what = f"{event.player}'s hand"
    in_hand = position.hands[seat]
    asserted = known_of(event.cards)
    spare = event.count if event.count is not None else event.unknown
    if size(difference(in_hand, asserted)) > spare:
        return not_as_asserted(what, _asserted_hand(event), cards_text(each(in_hand)))
    if may_exchange_wild(judge.ruleset):
        # A wild card on the table may have come into the hand since.
        asserted = _without_wild(position, asserted)
    if not_known_to_be_there(judge.binding, position, seat, asserted) is not None:
        return not_as_asserted(what, _asserted_hand(event), ELSEWHERE)
    position.learn_all(seat, asserted)
    position.held[seat] = _asserted_size(event)
    position.unknown[seat] = position.held[seat] - size(position.hands[seat])
    return None


def _asserted_size(event: AssertHand) -> int:
    """How many cards an assertion gives a hand."""
    if event.count is not None:
        return event.count
    return len(event.cards) + event.unknown


def _asserted_hand(event: AssertHand) -> str:
    """A hand as an assertion has it: `5 cards`, or `5h 6h ?*5`."""
    if event.count is not None:
        return f"{event.count} cards"
    cards = cards_text(event.cards)
    return f"{cards} ?*{event.unknown}".strip() if event.unknown else cards


def _without_wild(position: Position, cards: Cards) -> Cards:
    """Cards without those wild ones that lay on the table, where they may have been exchanged."""
    for meld in position.melds:
        if not meld.unseen:
            continue
        for laid in meld.cards:
            not_elsewhere = max(position.left(laid.card), 0)
            if position.book.is_wild(laid.card) and count(cards, laid.card) > not_elsewhere:
                cards -= ONE[laid.card]
    return cards


def _check_whole_deck(judge: Judge, position: Position) -> Violation | None:
    """All cards that are known to be somewhere are of one deck; if they are all, no meld is missing.

    Points on the table are known then, too.
    """
    total = len(position.pile)
    for seat, hand in enumerate(position.hands):
        total += size(hand) if uncounted(position.unknown[seat]) else position.held[seat]
    total += len(position.stock) if uncounted(position.stock_size) else position.stock_size
    laid = [len(meld.cards) for meld in position.melds]
    total += sum(laid)
    deck = sum(position.copies)
    if total > deck:
        message = f"together with the other cards, these are {total}, but the deck has {deck}"
        return Violation("log.assert", message)
    if total < deck or not position.is_counted or 0 in laid:
        return None
    position.unwritten = position.unwritten._replace(melds=False)
    for meld in position.melds:
        meld.unseen = False
    return _settle_points(judge, position)


def _settle_points(judge: Judge, position: Position) -> Violation | None:
    """All points are on the table that is known: no more may have been asserted."""
    is_shared = all(meld.owned and not meld.unclear for meld in position.melds)
    if not is_shared or judge.ruleset.scoring.four_at_once != 1:
        return None
    for seats in units(judge.ruleset, position.players):
        asserted, due = points_of(position, seats)
        if asserted != due and position.unwritten.points.isdisjoint(seats):
            return check_number(f"{names_of(position, seats)}'s points", asserted, due)
    position.points = [points_shown(position, seat) for seat in range(len(position.players))]
    position.unwritten = position.unwritten._replace(points=frozenset(), joint_points=frozenset())
    return None


def _agree(have: Sequence[Card], asserted: Sequence[Card]) -> bool:
    return len(have) == len(asserted) and all(
        mine == other or UNKNOWN in (mine, other)
        for mine, other in zip(have, asserted, strict=True)
    )


def check_stock_list(listed: Sequence[Card], again: Sequence[Card]) -> Violation | None:
    """What is wrong with a list of the stock's next cards, against those listed before."""
    number = min(len(listed), len(again))
    if _agree(listed[:number], again[:number]):
        return None
    notes = (f"listed before: {cards_text(listed)}", f"listed here: {cards_text(again)}")
    return Violation("log.assert", "the next cards of the stock were listed otherwise", notes=notes)


def agreeing_cards(listed: Sequence[Card], again: Sequence[Card]) -> tuple[Card, ...]:
    """The stock's next cards by two lists of them, down to where these contradict each other."""
    row: list[Card] = []
    for mine, other in zip_longest(listed, again, fillvalue=UNKNOWN):
        if not _agree((mine,), (other,)):
            break
        row.append(max(mine, other))
    return tuple(row)
