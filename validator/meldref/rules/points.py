"""Points: what cards are worth and what a hand scores (P-VAL, P-SCO, W-OPP, W-MOD)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

from meldref.core.cards import ACE, ANY_SUIT, JOKER, Card, Cards, Played, Role, each, rank_of
from meldref.core.records import record
from meldref.melds import AROUND, HIGH, LOW, UNPLACED, Extension, Laid, MeldIndex, Reading, Shape
from meldref.position.memory import Earned
from meldref.position.model import GOING_ON, OnTable, Position
from meldref.ruleset.model import Ruleset, ScoringRules, opposite

Awards: TypeAlias = Callable[
    [Position, Sequence[Sequence[int]], Sequence[int | None]], list[list[Earned]]
]


class Worth:
    """What cards are worth under a ruleset."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._scoring = ruleset.scoring
        self._aces_in_runs = aces_in_runs(ruleset.scoring)
        self._of: dict[Laid, int] = {}
        self.awards: Awards | None = None
        """What each side earned by house rules, given its score without that; None if nothing is
        awarded."""

    def laid(self, laid: Laid) -> int:
        """Points of a card laid in a meld (P-VAL-01..05, O-VAL-05)."""
        points = self._of.get(laid)
        if points is None:
            scoring, card = self._scoring, laid.card
            if laid.role != card and scoring.wild == "represented":
                card = card_of(laid.role)
            points = scoring.values[card]
            if card != JOKER and card % 13 == ACE:
                of_place = self._aces_in_runs[laid.ace_place]
                points = points if of_place is None else of_place
            self._of[laid] = points
        return points

    def turned(self, shape: Shape, cards: Sequence[OnTable]) -> Iterator[tuple[int, OnTable]]:
        """The ace of a run beyond which a card was laid: its place, and how it lies now.

        Only runs that go round the corner have one, so that a run counts the same in whatever
        order its cards came to lie there.
        """
        if "around" not in shape.pattern.kind.ace:
            return
        ace_place = shape.pattern.ace_place(shape.roles)
        for place, card in enumerate(cards):
            if card.ace_place not in {UNPLACED, ace_place}:
                before = self.laid(Laid(card.card, card.role, card.ace_place))
                now = self.laid(Laid(card.card, card.role, ace_place))
                times = card.points // before if before else 1
                yield place, card._replace(points=times * now, ace_place=ace_place)

    def if_turned(self, shape: Shape, laid: Laid, times: int = 1) -> int:
        """What a card that is laid gains if it ends a run as its ace, and one comes beyond it."""
        if laid.ace_place == UNPLACED or "around" not in shape.pattern.kind.ace:
            return 0
        return times * (self.laid(laid._replace(ace_place=AROUND)) - self.laid(laid))

    def if_turned_there(self, shape: Shape, card: OnTable) -> int:
        """The same of a card on the table."""
        if card.ace_place == UNPLACED:
            return 0
        laid = Laid(card.card, card.role, card.ace_place)
        worth = self.laid(laid)
        return self.if_turned(shape, laid, card.points // worth if worth else 1)

    def gained(
        self, shape: Shape, extension: Extension, if_turned: int, *, counts: bool = True
    ) -> tuple[int, int]:
        """The points that a card brings on a meld, and what is gained if its ace is turned then.

        `if_turned` is that gain before, `counts` whether the card counts for the player.
        """
        bigger, laid = extension
        points = self.laid(laid) if counts else 0
        before = shape.pattern.ace_place(shape.roles)
        if before not in {UNPLACED, bigger.pattern.ace_place(bigger.roles)}:
            return points + if_turned, 0
        return points, if_turned + (self.if_turned(bigger, laid) if counts else 0)

    def new_meld(self, laid: Sequence[Laid]) -> int:
        """Points of a meld laid at once (W-PER-07); four aces count the same, however they are laid."""
        if self._scoring.four_aces is not None and _are_four_aces([one.card for one in laid]):
            return self._scoring.four_aces
        return self.factor(len(laid)) * sum(map(self.laid, laid))

    def factor(self, cards: int) -> int:
        """The factor by which a meld of this many cards, laid at once, counts."""
        return self._scoring.four_at_once if cards == 4 else 1

    def own(self, card: Card) -> int:
        """Points of a card that lies on the table without being part of a meld."""
        return self._scoring.values[card]

    def held(self, cards: Cards) -> int:
        """Points of cards held at the end of a hand (P-SCO-01, O-VAL-07)."""
        return sum(map(self._scoring.held.__getitem__, each(cards)))

    def four_aces(self, cards: Sequence[OnTable]) -> int | None:
        """The seat's points for four aces in one group; None if that is not so (W-MOD-04)."""
        points = self._scoring.four_aces
        if points is None or len({laid.seat for laid in cards}) != 1:
            return None
        return points if _are_four_aces([laid.card for laid in cards]) else None


def _are_four_aces(cards: Sequence[Card]) -> bool:
    """Whether some cards are four aces, none of them a wild card in the place of one."""
    return len(cards) == 4 and all(card != JOKER and card % 13 == ACE for card in cards)


KEYS_OF_ACES: Final = {
    LOW: "scoring.low_ace",
    HIGH: "scoring.high_ace",
    AROUND: "scoring.around_ace",
}
"""The key that says what an ace counts in each `AcePlace` of a run."""


def aces_in_runs(scoring: ScoringRules) -> tuple[int | None, ...]:
    """What an ace counts in each `AcePlace`; None: as any ace."""
    return None, scoring.low_ace, scoring.high_ace, scoring.around_ace


def own_values_in_runs(scoring: ScoringRules) -> list[int]:
    """What aces count in places where they do not count as any other ace."""
    return [points for points in aces_in_runs(scoring) if points is not None]


@record
class ValuedMeld:
    """A meld that some cards can make, as written, and its points when laid at once."""

    kind: str
    cards: tuple[Played, ...]
    points: int


def valued_melds(
    book: MeldIndex, worth: Worth, cards: Cards, limit: int | None = None
) -> list[ValuedMeld]:
    """Every meld of some or all of the cards, the largest first, then those with most points.

    With `limit`, only the first `limit` that are found.
    """
    melds = []
    for meld in book.melds_in(cards, limit=limit):
        reading = book.read(meld)
        if isinstance(
            reading, Reading
        ):  # else two kinds have these cards, and nothing says which is meant
            melds.append(ValuedMeld(reading.shape.kind, meld, worth.new_meld(reading.laid)))
    return sorted(melds, key=lambda meld: (-len(meld.cards), -meld.points))


def card_of(role: Role) -> Card:
    """The card whose points a role brings: of several suits, any."""
    return rank_of(role) if role >= ANY_SUIT else role


def units(ruleset: Ruleset, players: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """Who scores together: the seats of each side, or each seat for itself (W-PAR-05)."""
    half = opposite(ruleset, len(players))
    if half and ruleset.partnership.score == "together":
        return tuple((seat, seat + half) for seat in range(half))
    return tuple((seat,) for seat in range(len(players)))


def hand_scores(
    ruleset: Ruleset,
    worth: Worth,
    position: Position,
    sides: Sequence[Sequence[int]],
    held: Sequence[int | None] | None = None,
) -> list[int | None]:
    """The hand's score of each side; None if a counting hand is unknown (P-SCO-01, W-OPP).

    `held` is what each side holds, where that is known already.
    """
    held = held_points(worth, position, sides) if held is None else held
    sums = _table_and_hands(ruleset, position, sides, held)
    return _as_scored(ruleset, sums, awarded(worth, position, sides, sums))


def scores_if_held(
    ruleset: Ruleset,
    position: Position,
    sides: Sequence[Sequence[int]],
    hands: Sequence[int],
    awards: Sequence[int | None],
) -> list[int | None]:
    """What each side scores if the hands of each are worth the given points, with its awards."""
    return _as_scored(ruleset, _table_and_hands(ruleset, position, sides, hands), awards)


def awarded(
    worth: Worth, position: Position, sides: Sequence[Sequence[int]], sums: Sequence[int | None]
) -> list[int | None]:
    """What house rules award each side, going by its score without that; None: unknown."""
    if worth.awards is None or position.memory is None:
        return [0] * len(sides)
    return [with_awards(0, earned) for earned in worth.awards(position, sides, sums)]


def _as_scored(
    ruleset: Ruleset, before: Sequence[int | None], awards: Sequence[int | None]
) -> list[int | None]:
    """Sums of points and awards as the scores of a hand."""
    scoring = ruleset.scoring
    sums = [
        None if due is None or more is None else due + more
        for due, more in zip(before, awards, strict=True)
    ]
    if scoring.below_zero.hand == "forbidden":
        sums = [None if due is None else max(due, 0) for due in sums]
    return [None if due is None else due // scoring.divide_by for due in sums]


def sums_without_awards(
    ruleset: Ruleset, worth: Worth, position: Position, sides: Sequence[Sequence[int]]
) -> list[int | None]:
    """Each side's points on the table and in hand, before house rules, floor and division."""
    return _table_and_hands(ruleset, position, sides, held_points(worth, position, sides))


def _table_and_hands(
    ruleset: Ruleset,
    position: Position,
    sides: Sequence[Sequence[int]],
    hands: Sequence[int | None],
) -> list[int | None]:
    """What each side has on the table and for hands worth the given points (None: unknown)."""
    counts = ruleset.scoring.melds == "count"
    table = [sum([position.points[seat] for seat in side]) if counts else 0 for side in sides]
    out = side_out(position, sides)
    gained = _from_hands(ruleset, position, sides, hands, out)
    return [
        None if more is None else points + more + (ruleset.out.bonus if index == out else 0)
        for index, (points, more) in enumerate(zip(table, gained, strict=True))
    ]


def with_awards(score: int | None, earned: Sequence[Earned]) -> int | None:
    """A side's score with what it earned by house rules; None if something is not known."""
    points = [award.points for award in earned]
    if score is None or None in points:
        return None
    return score + sum([value for value in points if value is not None])


def held_points(
    worth: Worth, position: Position, sides: Sequence[Sequence[int]]
) -> list[int | None]:
    """What each side holds, None if it holds unknown cards."""
    hands: list[int | None] = []
    for side in sides:
        # A generator would cost more, and every score asks.
        if any([position.unknown[seat] for seat in side]):  # noqa: C419
            hands.append(None)
        else:
            hands.append(sum([worth.held(position.hands[seat]) for seat in side]))
    return hands


def side_out(position: Position, sides: Sequence[Sequence[int]]) -> int | None:
    """The side of the player who went out; None if nobody did."""
    if position.ending is GOING_ON or position.out is None:
        return None
    return next(index for index, side in enumerate(sides) if position.out in side)


def how_hands_count(ruleset: Ruleset, position: Position) -> str:
    """What `scoring.hands` says, unless the stock ended the hand and hands do not count then."""
    scoring = ruleset.scoring
    ignored = scoring.hands_at_stock_end == "ignore" and position.end_reason == "stock"
    return "ignore" if ignored else scoring.hands


def hands_behind(
    ruleset: Ruleset, position: Position, sides: Sequence[Sequence[int]], side: int
) -> tuple[int, ...]:
    """The sides whose hands count in the score of a side (P-SCO-01, W-OPP)."""
    how, out = how_hands_count(ruleset, position), side_out(position, sides)
    if how in {"subtract", "add"}:
        return (side,)
    exchanged = out is None and ruleset.scoring.nobody_out == "two_exchange" and len(sides) == 2
    if how == "to_player_out" and (out == side or exchanged):
        return _opponents(ruleset, position, sides, side)
    return ()


def _opponents(
    ruleset: Ruleset, position: Position, sides: Sequence[Sequence[int]], side: int
) -> tuple[int, ...]:
    """The other sides, without a partner who scores apart (W-OPP-06)."""
    players = len(position.players)
    away = opposite(ruleset, players)
    partners = {(seat + away) % players for seat in sides[side]}
    return tuple(
        [other for other, seats in enumerate(sides) if other != side and partners.isdisjoint(seats)]
    )


def _from_hands(
    ruleset: Ruleset,
    position: Position,
    sides: Sequence[Sequence[int]],
    hands: Sequence[int | None],
    out: int | None,
) -> list[int | None]:
    """What the cards held at the end bring each side, as a positive or negative number."""
    how = how_hands_count(ruleset, position)
    if how == "subtract":
        return [None if hand is None else -hand for hand in hands]
    if how == "add":
        return [*hands]
    gained: list[int | None] = [0] * len(hands)
    if how == "ignore":
        return gained
    if out is not None:
        others = [hands[index] for index in _opponents(ruleset, position, sides, out)]
        gained[out] = None if None in others else sum(hand for hand in others if hand is not None)
    elif ruleset.scoring.nobody_out == "two_exchange" and len(hands) == 2:
        return [hands[1], hands[0]]
    return gained
