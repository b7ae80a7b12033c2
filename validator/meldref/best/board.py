"""A hand being laid down: what is left, what lies on the table, and what was gained; each play makes a new one."""

from __future__ import annotations

from typing import NamedTuple

from meldref.best.further import Further
from meldref.best.objective import SCALE, Spot, Terms
from meldref.core.cards import ACE, ANY_SUIT, JOKER, ONE, Cards, Played, counted, rank_of
from meldref.core.events import LayOff, Meld
from meldref.melds import Extension, Laid, Reading


class Board(NamedTuple):
    """Where laying down a hand stands.

    `value` is what was gained, scaled as `Terms.gain` does, `points` those on the table, `brings` those of each
    play. `melds` is how many melds lie on the table, `spots` those that may be built on; `melded`: one of them is
    the player's; `barred`: natural cards that no wild card may stand for; `keeps`: a card is kept for the discard;
    `further`: rules that are asked of every play, if there are any.
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

    @property
    def must_open(self) -> bool:
        """Whether the player's first meld is still to come, and something hangs on it."""
        return not self.melded and (self.terms.first_points > 0 or self.terms.melds_first)

    def meld(self, cards: tuple[Played, ...]) -> Board | None:
        """The board with a new meld; None where the rules do not allow it."""
        terms = self.terms
        reading = terms.book.read(cards, self.barred)
        rest = self.rest - counted(one.card for one in cards)
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
        if aces is not None and len(cards) >= 4:
            points = terms.four_aces if terms.four_aces is not None and len(cards) == 4 else points
            aces = None
        number = self.melds + 1
        spots = self.spots
        if terms.onto_own:
            spots = (*spots, Spot(number, reading.shape, aces=aces))
        relief = sum([terms.gain(one.card, 0) for one in cards])
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
        """The board with cards laid off on one meld together; None where the rules do not allow it."""
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
            further=further, plays=(*self.plays, LayOff(cards, number)), brings=(*self.brings, brings)
        )

    def lay(self, number: int, card: Played) -> Board | None:
        """The board with a card laid off, where no further rules are asked; None where the rules forbid it."""
        terms = self.terms
        if terms.melds_first and not self.melded:
            return None
        index = next(index for index, spot in enumerate(self.spots) if spot.number == number)
        spot = self.spots[index]
        extension = terms.book.extend(spot.shape, card, self.barred)
        rest = self.rest - ONE[card.card]
        if not isinstance(extension, Extension) or (self.keeps and not rest):
            return None
        points = terms.worth.laid(extension.laid) if spot.counts else 0
        aces = None if spot.aces is None or not _is_ace(card) else spot.aces + points
        four = aces is not None and len(extension.shape.roles) == 4
        if four and terms.four_aces is not None and aces is not None:
            points += terms.four_aces - aces
        bigger = Spot(number, extension.shape, spot.counts, None if four else aces)
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
        """What the rest of the way hangs on."""
        spots = sorted(
            (id(spot.shape), spot.counts, -1 if spot.aces is None else spot.aces) for spot in self.spots
        )
        return self.rest, tuple(spots), self.melded, self.barred, self.further and self.melds


def _is_ace(card: Played) -> bool:
    return card.card != JOKER and rank_of(card.card) == ACE
