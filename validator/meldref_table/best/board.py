"""A hand being laid down: what is left, what lies on the table, and what was gained.

Each play makes a new one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from meldref.core.cards import ACE, ANY_SUIT, JOKER, ONE, Cards, Played, counted, rank_of
from meldref.core.events import LayOff, Meld
from meldref.engine.judge import Judge
from meldref.melds import Extension, Laid, Reading
from meldref.moves.exhaustive import before_draw, is_over
from meldref.position.model import Position, TurnState
from meldref.position.turn import FROM_STOCK
from meldref.rules import hand, layoff, meld, out, turn, unseen
from meldref.rules.base import Violation
from meldref.rules.opening import still_lacks
from meldref.rules.registry import Bound
from meldref_table.best.coming_bans import ComingBans, coming_bans
from meldref_table.best.objective import SCALE, Spot, Terms

_KNOWN: Final = frozenset(
    {
        turn.draw_first,
        hand.holds_cards,
        layoff.named_meld,
        unseen.lay_off,
        meld.is_meld,
        meld.meld_number,
        meld.first_points,
        out.keeps_a_discard,
    }
)
"""The rules that a board keeps by itself. Rules silent in plain turns are about what is not looked
at."""


class Further(NamedTuple):
    """Where the game stands while a hand is laid down, and the checks that are asked there.

    `turn` is the turn as it began; `bans` are those of house rules on how it may end.
    """

    judge: Judge
    checks: Mapping[type[Meld | LayOff], tuple[Bound, ...]]
    position: Position
    turn: TurnState
    bans: ComingBans | None

    def after(self, action: Meld | LayOff) -> Further | None:
        """The board after a play; None if a rule forbids it."""
        if any(
            type(check(self.position, action)) is Violation for check in self.checks[type(action)]
        ):
            return None
        position = self.position.copy()
        self.judge.play.actions[type(action)](position, action)
        return self._replace(position=position)

    def complete(self) -> bool:
        """Whether the turn may end here."""
        return may_end(self.judge, self.position, self.turn)

    def must_go_out(self, *, melding: bool) -> bool:
        """Whether a house rule surely forbids to end the turn with a card kept.

        `melding`: a meld is laid before.
        """
        if self.bans is None or self.position.turn.call is not None:
            return False
        return self.bans.never_ends_keeping(self.position, laying=melding, drawn=True)


def further_rules(judge: Judge, position: Position, seat: int) -> Further | None:
    """The rules that have to be asked as a player lays cards down in a position.

    None if there are none.
    """
    checks = {
        kind: tuple(
            check
            for rule, check in judge.bound[kind]
            if rule.bind not in _KNOWN and not rule.silent_in_plain_turns
        )
        for kind in (Meld, LayOff)
    }
    if not any(checks.values()) and judge.house is None:
        return None
    state = in_turn(judge, position, seat)
    bans = None if judge.house is None or not judge.house.bans.of_ends else coming_bans(judge)
    return Further(judge, checks, state, state.turn, bans)


def may_end(judge: Judge, position: Position, turn: TurnState) -> bool:
    """Whether a turn may end as it stands, with or without a discard.

    First layings are complete, no house rule forbids every end, and wild cards are laid that have
    to be. What ended the turn already was asked about as it was laid.
    """
    if is_over(position, turn):
        return True
    if judge.house is not None and judge.house.bans.keeps_open(position):
        return False
    if position.turn.swapped and judge.ruleset.melds.wild.swapped == "laid_this_turn":
        return False
    return still_lacks(judge.binding, position) is None


def in_turn(judge: Judge, position: Position, seat: int) -> Position:
    """A copy of a position in the turn of a player, who has drawn, if only from the stock."""
    state = position.copy()
    if state.begins or state.turn.seat != seat:
        judge.play.begin_turn(state, seat)
    if before_draw(state):
        state.turn.source = FROM_STOCK
    return state


class Board(NamedTuple):
    """Where laying down a hand stands.

    `value` is what was gained, scaled as `Terms.gain` does, `points` those on the table, `brings`
    those of each play. `melds` is how many melds lie on the table, `spots` those that may be built
    on; `melded`: one of them is the player's; `barred`: natural cards that no wild card may stand
    for; `keeps`: a card is kept for the discard; `further`: rules that are asked of every play, if
    there are any.
    """

    terms: Terms
    rest: Cards
    spots: tuple[Spot, ...]
    melds: int
    melded: bool
    barred: int
    keeps: bool = False
    value: int = 0
    points: int = 0
    plays: tuple[Meld | LayOff, ...] = ()
    brings: tuple[int, ...] = ()
    further: Further | None = None

    def meld(self, cards: tuple[Played, ...]) -> Board | None:
        """The board with a new meld; None if the rules do not allow it."""
        terms = self.terms
        reading = terms.book.read(cards, self.barred)
        rest = self.rest - counted(played.card for played in cards)
        if not isinstance(reading, Reading) or (self.keeps and not rest):
            return None
        points = terms.worth.new_meld(reading.laid)
        if not self.melded and points < terms.first_points:
            return None
        play = Meld(cards)
        further = self.further and self.further.after(play)
        if self.further and further is None:
            return None
        aces = points if all(map(_is_ace, cards)) else None
        if len(cards) >= 4:
            aces = None
        number = self.melds + 1
        spots = self.spots
        if terms.onto_own:
            times = terms.worth.factor(len(cards))
            turned = sum(
                [terms.worth.if_turned(reading.shape, laid, times) for laid in reading.laid]
            )
            spots = (*spots, Spot(number, reading.shape, aces=aces, turned=turned))
        relief = sum([terms.gain(played.card, 0) for played in cards])
        return Board(
            terms,
            rest,
            spots,
            number,
            melded=True,
            barred=self._barring(reading.laid),
            keeps=self.keeps,
            value=self.value + relief + points * terms.counts * SCALE,
            points=self.points + points,
            plays=(*self.plays, play),
            brings=(*self.brings, points),
            further=further,
        )

    def lay_all(self, number: int, cards: tuple[Played, ...]) -> Board | None:
        """The board with cards laid off on one meld together.

        None if the rules do not allow it.
        """
        if self.further is None:
            board: Board | None = self
            for card in cards:
                board = board and board.lay(number, card)
            return board
        further = self.further.after(LayOff(cards, number))
        board = further and self._replace(further=None).lay_all(number, cards)
        if board is None:
            return None
        brings = sum(board.brings) - sum(self.brings)
        return board._replace(
            further=further,
            plays=(*self.plays, LayOff(cards, number)),
            brings=(*self.brings, brings),
        )

    def lay(self, number: int, card: Played) -> Board | None:
        """The board with a card laid off, for melds that no further rules are asked about.

        None if the rules forbid it.
        """
        terms = self.terms
        if terms.melds_first and not self.melded:
            return None
        index = next(index for index, spot in enumerate(self.spots) if spot.number == number)
        spot = self.spots[index]
        extension = terms.book.extend(spot.shape, card, self.barred)
        rest = self.rest - ONE[card.card]
        if not isinstance(extension, Extension) or (self.keeps and not rest):
            return None
        points, turned = terms.worth.gained(spot.shape, extension, spot.turned, counts=spot.counts)
        aces = None if spot.aces is None or not _is_ace(card) else spot.aces + points
        four = aces is not None and len(extension.shape.roles) == 4
        if four and terms.four_aces is not None and aces is not None:
            points += terms.four_aces - aces
        bigger = Spot(number, extension.shape, spot.counts, None if four else aces, turned)
        last = self.plays[-1] if self.plays else None
        if isinstance(last, LayOff) and last.target == number and spot.aces is None:
            plays = (*self.plays[:-1], LayOff((*last.cards, card), number))
            brings = (*self.brings[:-1], self.brings[-1] + points)
        else:
            plays = (*self.plays, LayOff((card,), number))
            brings = (*self.brings, points)
        return self._replace(
            rest=rest,
            spots=(*self.spots[:index], bigger, *self.spots[index + 1 :]),
            barred=self._barring((extension.laid,)),
            value=self.value + terms.gain(card.card, points),
            points=self.points + points,
            plays=plays,
            brings=brings,
        )

    def _barring(self, cards: tuple[Laid, ...]) -> int:
        """What no wild card may stand for any more (`melds.wild.twins`)."""
        barred = self.barred
        if not self.terms.twins:
            for laid in cards:
                if laid.role < ANY_SUIT:
                    barred |= 1 << laid.role
        return barred

    def place(self) -> tuple[object, ...]:
        """What the rest of the way depends on."""
        spots = sorted(
            (id(spot.shape), spot.counts, -1 if spot.aces is None else spot.aces, spot.turned)
            for spot in self.spots
        )
        return self.rest, tuple(spots), self.melded, self.barred, self.further and self.melds


def _is_ace(card: Played) -> bool:
    return card.card != JOKER and rank_of(card.card) == ACE
