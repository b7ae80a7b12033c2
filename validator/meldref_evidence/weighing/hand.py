"""Weighs what the whole record of a hand says of the cards that nobody saw in it.

The cards whose place is known leave a pool; the hands hold a number of them, and the scores on
record say what those are worth. Either the pool can be dealt so, or not. Where it cannot, lines are
left out of the account as long as it cannot be without them either: those that remain cannot all be
true, and each of them is needed for that.

How many cards moved is taken as written throughout. A line that is left out says nothing of which
cards they were: those it alone shows may be any, and points that it brought may be any.

A hand is asked from coarse to fine, as most hands with unseen cards are in order. First each figure
by itself (`Hand.alone`): the sums that so many cards of the pool can have are counted as bits, which
is exact, and often all there is to ask. Then all figures together, which share the pool: `deals`
shares it out class by class, and gives up after a number of steps, so that a question may stay open.
Both need the hand's last position only. Which lines say so is asked only where the answer was no:
the hand is gone through once more, and each card keeps the lines that show it (`Account`). A line is
left out by dropping the cards that no other line shows, and the points it brought: the pool grows,
hands have more unseen cards, and what was impossible may be possible again. Lines are tried one by
one, and those that can be left out stay out, so that the rest is smallest in the sense that each line
is needed; the lines that show few cards go first, as a reader has to look all of them up.

Two things keep that sound. A card in a known place was seen for certain, or else the position has
forgotten it. And what is known of the unseen cards of a hand besides (`Position.among`) follows from
all lines together, so it is used only as long as none is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Final, TypeAlias

from meldref.core.cards import EMPTY, ONE, Card, Cards, count, counted, each, mask_of, size
from meldref.core.effort import EFFORT
from meldref.core.events import Line
from meldref.core.records import record
from meldref.engine import unnamed
from meldref.engine.judge import Judge
from meldref.position.game import Figure
from meldref.position.model import Position
from meldref.rules.points import (
    awarded,
    hands_behind,
    scores_if_held,
    sums_without_awards,
)
from meldref_evidence.weighing.course import Course
from meldref_evidence.weighing.deals import MOST_STEPS, Dealt, Unseen, deal, sums_of
from meldref_evidence.weighing.sightings import Sighting, needed, sightings

MOST_LINES: Final = 500
"""How many lines a hand may have for a smallest set of them to be looked for,"""
STEPS_FOR_LINES: Final = 2 * MOST_STEPS
"""and how much may be looked at for that; then lines may be left in that are not needed."""
MOST_POINTS: Final = 50_000
"""Hands that may be worth more than this are not weighed, nor scores that are divided by more."""

Sides: TypeAlias = Sequence[Sequence[int]]


@record
class Stake:
    """Hands that figures speak of, by seat: what they may be worth together, and the figures."""

    seats: tuple[int, ...]
    sums: frozenset[int]
    figures: tuple[Figure, ...]


@record
class Contradiction:
    """Numbers of lines that cannot all be true, each of them needed, and what is at stake."""

    lines: tuple[int, ...]
    stakes: tuple[Stake, ...]


@record
class Weighed:
    """What came of weighing a hand: what cannot be, and the figures that every deal agrees with."""

    contradictions: tuple[Contradiction, ...] = ()
    certain: tuple[Figure, ...] = ()


class Hand:
    """A hand that is over, as the lines are followed, with cards in it that nobody saw."""

    def __init__(
        self, judge: Judge, position: Position, sides: Sides, figures: Sequence[Figure]
    ) -> None:
        self.judge, self.position, self.sides = judge, position, sides
        self._rules = judge.ruleset
        self.worth = judge.ruleset.scoring.held
        self.deck = _without(position.copies, EMPTY)
        self.pool = position.unseen
        worth = judge.play.worth
        sums = sums_without_awards(self._rules, worth, position, sides)
        self._awards = awarded(worth, position, sides, sums)
        self.figures = [figure for figure in figures if self.behind(figure.side)]

    @property
    def can_be_weighed(self) -> bool:
        """Whether all is known but which cards some are: how many, and what they count."""
        position = self.position
        if not (position.is_recorded and position.is_counted):
            return False
        if position.copies != self.judge.copies or None in self._awards or EFFORT.house.over:
            return False
        if unnamed.points_depend(self.judge, position):
            return False
        dearest = max(map(abs, self.worth)) * sum(position.held)
        if max(dearest, self._rules.scoring.divide_by) > MOST_POINTS:
            return False
        return min(position.unknown) >= 0 and sum(position.unknown) <= size(self.pool)

    def behind(self, side: int) -> tuple[int, ...]:
        """The seats whose hands count in the score of a side."""
        seats: list[int] = []
        for other in self._sides_behind(side):
            seats += self.sides[other]
        return tuple(seats)

    def _sides_behind(self, side: int) -> tuple[int, ...]:
        return hands_behind(self.judge.ruleset, self.position, self.sides, side)

    def allows(self, figure: Figure) -> frozenset[int]:
        """What the hands behind a figure may be worth together."""
        below_zero, divide_by = self._rules.scoring.below_zero, self._rules.scoring.divide_by
        wanted = figure.points - (figure.before or 0) - self.score(figure.side, 0)
        candidates: set[int] = set()
        # What is divided loses a rest, and hands may count for a side or against it.
        for rest in range(-divide_by, divide_by + 1):
            held = wanted * divide_by + rest
            candidates |= {held, -held}
        floored = below_zero.total == "forbidden" and figure.before is not None
        if floored or below_zero.hand == "forbidden":  # then many sums may come to one figure
            cards = sum([self.position.held[seat] for seat in self.behind(figure.side)])
            candidates |= {*range(min(*self.worth, 0) * cards, max(*self.worth, 0) * cards + 1)}
        return frozenset(
            [held for held in candidates if self._figure(figure, held) == figure.points]
        )

    def score(self, side: int, held: int) -> int:
        """The hand's score of a side, if the hands behind it are worth so much together."""
        hands = [0] * len(self.sides)
        for behind in self._sides_behind(side)[:1]:
            hands[behind] = held
        score = scores_if_held(self._rules, self.position, self.sides, hands, self._awards)[side]
        assert score is not None
        return score

    def _figure(self, figure: Figure, held: int) -> int:
        """What a figure has to be, if the hands behind it are worth so much."""
        score = self.score(figure.side, held)
        if figure.before is None:
            return score
        total = figure.before + score
        floored = self._rules.scoring.below_zero.total == "forbidden"
        return max(total, 0) if floored else total

    def stakes(self) -> list[Stake]:
        """What the figures say, those about the same hands together."""
        rows: dict[tuple[int, ...], list[Figure]] = {}
        for figure in self.figures:
            rows.setdefault(self.behind(figure.side), []).append(figure)
        return [
            Stake(seats, frozenset.intersection(*map(self.allows, row)), tuple(row))
            for seats, row in rows.items()
        ]

    def unseen(self, stake: Stake) -> Unseen:
        """The cards of some hands that nobody saw, and what they may be worth."""
        seen = [self.worth[card] for card in self.seen(stake)]
        number = sum([self.position.unknown[seat] for seat in stake.seats])
        sums = frozenset([points - sum(seen) for points in stake.sums])
        return Unseen(number, sums, self.may_be(stake.seats))

    def seen(self, stake: Stake) -> list[Card]:
        """The cards of some hands that lines show."""
        cards: list[Card] = []
        for seat in stake.seats:
            cards += each(self.position.hands[seat])
        return cards

    def may_be(self, seats: Sequence[int]) -> int | None:
        """The cards that the unseen ones of some hands are among, a bit each; None: any."""
        position, cards = self.position, 0
        for seat in seats:
            if position.unknown[seat] and seat not in position.among:
                return None
            cards |= mask_of(position.among.get(seat, EMPTY))
        return cards

    def dealt(self, stakes: Sequence[Stake]) -> Dealt:
        """Whether the cards that nobody saw can be dealt so that some figures are right."""
        return deal(self.pool, self.worth, [self.unseen(stake) for stake in stakes])

    def alone(self, stake: Stake) -> tuple[bool, bool]:
        """Whether figures can be right by themselves, and whether they are in every deal."""
        unseen = self.unseen(stake)
        assert unseen.sums is not None
        sums = sums_of(self.pool, self.worth, unseen)
        return not sums.isdisjoint(unseen.sums), bool(sums) and sums <= unseen.sums


@record
class ClosedHand:
    """A hand that is over: how it began, its lines as they are followed, and what is open."""

    begin: Course
    lines: tuple[Line, ...]
    hand: Hand


def weigh(closed: ClosedHand, doubtful: AbstractSet[int] = frozenset()) -> Weighed:
    """Weighs a hand.

    The cards on `doubtful` lines are no evidence. What cannot be by itself is a contradiction of
    its own; the rest is weighed together.
    """
    hand = closed.hand
    wrong: list[list[Stake]] = []
    rest: list[Stake] = []
    certain: list[Figure] = []
    for stake in hand.stakes():
        can_be, is_certain = hand.alone(stake)
        if can_be:
            rest.append(stake)
        else:
            wrong.append([stake])
        if is_certain:
            certain += stake.figures
    possible = hand.dealt(rest).possible if len(rest) > 1 else True
    if possible is False:
        wrong.append(rest)
    if not possible or doubtful:
        certain = []
    if not wrong or len(closed.lines) > MOST_LINES:
        return Weighed(certain=tuple(certain))
    account = Account(closed)
    contradictions: list[Contradiction] = []
    for stakes in wrong:
        smallest = _Weighing(account, stakes, doubtful).smallest()
        if smallest is not None:
            contradictions.append(smallest)
    return Weighed(tuple(contradictions), tuple(certain))


class Account:
    """What the lines of a hand show, any of which can be left out."""

    def __init__(self, closed: ClosedHand) -> None:
        self.hand = closed.hand
        self.shown = sightings(closed.begin, closed.lines)
        self.lines = frozenset[int]().union(*[card.lines for card in self.shown.cards])

    def seen(self, lines: AbstractSet[int]) -> list[Sighting]:
        """The cards that some lines show."""
        return [card for card in self.shown.cards if card.lines & lines]

    def pool(self, seen: Sequence[Sighting]) -> Cards:
        """The deck without cards that were seen."""
        return _without(self.hand.position.copies, counted([card.card for card in seen]))

    def unseen(self, seats: Sequence[int], seen: Sequence[Sighting]) -> tuple[int, int]:
        """How many cards of some hands were not seen, and the points of the others."""
        in_hand = [card.card for card in seen if card.where in seats]
        held = sum([self.hand.position.held[seat] for seat in seats])
        return held - len(in_hand), sum([self.hand.worth[card] for card in in_hand])

    def brought(self, side: int) -> set[int]:
        """The lines that brought a side the points on the table, where these count."""
        numbers: set[int] = set()
        if self.hand.judge.ruleset.scoring.melds == "count":
            for seat in self.hand.sides[side]:
                numbers |= self.shown.points.get(seat, set())
        return numbers

    def shows(self, number: int) -> int:
        """How many cards a line shows."""
        return sum([number in card.lines for card in self.shown.cards])


class _Weighing:
    """Figures that cannot all be right, and the lines that show it."""

    def __init__(
        self, account: Account, stakes: Sequence[Stake], doubtful: AbstractSet[int]
    ) -> None:
        self._account, self._hand, self._stakes = account, account.hand, stakes
        self._steps = STEPS_FOR_LINES
        self._sums: dict[Figure, frozenset[int]] = {}
        self._lines_of: dict[Figure, set[int]] = {}
        for stake in stakes:
            for figure in stake.figures:
                self._sums[figure] = self._hand.allows(figure)
                self._lines_of[figure] = self._lines_behind(figure)
        self._all = account.lines.union(*self._lines_of.values()) - doubtful
        self._doubts = bool(doubtful)

    def _lines_behind(self, figure: Figure) -> set[int]:
        """The line of a figure, and those with the points that it counts besides hands."""
        numbers = {figure.line.number}
        if figure.since is not None:
            numbers.add(figure.since.number)
        return numbers | self._account.brought(figure.side)

    def smallest(self) -> Contradiction | None:
        """Lines that cannot all be true, but could without any of them; None: not found in time."""
        if self._possible(self._all) is not False:
            return None
        order = sorted(self._all, key=self._weight)
        lines = needed(self._all, order, lambda some: self._possible(some) is False)
        stakes = [stake for stake in self._stakes if self._figures_on(stake, lines)]
        return Contradiction(tuple(sorted(lines)), tuple(stakes))

    def _figures_on(self, stake: Stake, lines: AbstractSet[int]) -> list[Figure]:
        """The figures about some hands of which all lines are among these."""
        return [figure for figure in stake.figures if self._lines_of[figure] <= lines]

    def _weight(self, number: int) -> tuple[bool, int, int]:
        """What is left out first: lines that show few cards, so that few remain, and no figures."""
        is_figure = any(figure.line.number == number for figure in self._sums)
        return is_figure, self._account.shows(number), number

    def _possible(self, lines: AbstractSet[int]) -> bool | None:
        """Whether all lines of a set can be true."""
        seen = self._account.seen(lines)
        whole = lines == self._all and not self._doubts
        hands = []
        for stake in self._stakes:
            figures = self._figures_on(stake, lines)
            if not figures:
                continue
            sums = frozenset.intersection(*[self._sums[figure] for figure in figures])
            number, points = self._account.unseen(stake.seats, seen)
            unseen_sums = frozenset([total - points for total in sums])
            # Which cards a hand may hold is known by all lines together.
            may_be = self._hand.may_be(stake.seats) if whole else None
            hands.append(Unseen(number, unseen_sums, may_be))
        before = EFFORT.spent
        pool = self._account.pool(seen)
        dealt = deal(pool, self._hand.worth, hands, steps=min(self._steps, MOST_STEPS))
        self._steps -= EFFORT.spent - before
        return dealt.possible


def _without(copies: Sequence[int], cards: Cards) -> Cards:
    """A deck without some of its cards."""
    return sum(
        [max(0, copies[card] - count(cards, card)) * ONE[card] for card in range(len(copies))]
    )
