"""The most valuable way to lay down a hand: a bound that holds for every way, and a way that reaches it.

First the best choice among all that the hand can lay is found, as if melds did not bear on each other beyond the
cards they take: no way can bring more. Then that choice is played, card by card, as the book of melds reads it.
Nearly always it brings just that, which proves that it is best. Where it does not (a wild card that may not stand
for a card on the table, a kind of meld that another one masks), every order of plays is searched that the bound
does not rule out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from meldref.best.board import Board, Further, further_rules
from meldref.best.objective import SCALE, Goal, LayDown, Spot, Terms, terms_for
from meldref.best.playing import moves, played
from meldref.best.upper_bound import BestChoice, catalogue
from meldref.core.cards import ACE, JOKER, Cards, rank_of
from meldref.position.model import Position, TableMeld
from meldref.rules.base import Binding
from meldref.rules.layoff import may_build_on
from meldref.rules.meld import barred_roles, own_meld


def best_lay_down(
    terms: Terms,
    hand: Cards,
    spots: Sequence[Spot] = (),
    *,
    melds: int = 0,
    melded: bool = False,
    barred: int = 0,
    keeps: bool | None = None,
    further: Further | None = None,
) -> LayDown:
    """The most valuable way to lay down a hand, with the melds on the table that may be built on.

    `melds` is the number of the last meld on the table, `melded` whether one of them is the player's, `barred` has
    a bit for each natural card that no wild card may stand for. `keeps`: a card has to be kept for the discard;
    by default as the ruleset says. `further` are rules that are asked of every play (`further_rules`). Which card
    can be discarded, which one has to be used, and exchanges for wild cards are matters of a whole turn, and not
    looked at.
    """
    must_keep = terms.keeps_card if keeps is None else keeps
    board = Board(terms, hand, tuple(spots), melds, melded, barred, must_keep, further=further)
    search = _Search(terms)
    search.go_on(board)
    best = search.best or board
    gain = best.value // SCALE
    return LayDown(best.plays, best.brings, best.points, gain, best.rest, gain, search.searched)


def best_at(binding: Binding, position: Position, goal: Goal = "score", *, seat: int | None = None) -> LayDown:
    """The most valuable way to lay down the known cards of the player to move, or of another seat."""
    player = position.turn.seat if seat is None else seat
    terms = terms_for(binding.ruleset, binding.players, position.wild_rank, goal)
    return best_lay_down(
        terms,
        position.hands[player],
        tuple(_spots(binding, position, player)),
        melds=len(position.melds),
        melded=own_meld(position, player),
        barred=barred_roles(binding, position),
        keeps=terms.keeps_card and not position.unknown[player],
        further=further_rules(binding, position, player),
    )


def _spots(binding: Binding, position: Position, seat: int) -> Iterator[Spot]:
    """The melds that a player may build on, or could once a meld of the player's own lies there."""
    if not position.melds:
        return
    with_own = position.copy()
    with_own.melds.append(TableMeld(seat, None, []))
    for number, meld in enumerate(position.melds, start=1):
        if meld.shape is None or may_build_on(binding, with_own, seat, number) is not None:
            continue
        together = binding.ruleset.partnership.score == "together" and binding.partners(meld.seat, seat)
        counts = binding.ruleset.layoff.counts_for == "layer" or meld.seat == seat or together
        scorer = seat if binding.ruleset.layoff.counts_for == "layer" else meld.seat
        yield Spot(number, meld.shape, counts, _points_of_aces(meld, scorer))


def _points_of_aces(meld: TableMeld, scorer: int) -> int | None:
    """The points of less than four aces that score for one player, None where a meld has other cards."""
    if len(meld.cards) >= 4:
        return None
    if any(one.seat != scorer or one.card == JOKER or rank_of(one.card) != ACE for one in meld.cards):
        return None
    return sum(one.points for one in meld.cards)


class _Search:
    """Goes through the ways to lay down a hand that could bring more than the best one found."""

    def __init__(self, terms: Terms) -> None:
        self.best: Board | None = None
        self.searched = 0
        self._catalogue = catalogue(terms)
        self._seen: dict[tuple[object, ...], int] = {}

    def go_on(self, board: Board) -> None:
        """Looks for a better way from here on: the bound's own choice, or else play by play."""
        choice = BestChoice(board, self._catalogue)
        self.searched += choice.searched
        most = board.value + choice.value
        if self.best is not None and most <= self.best.value:
            return
        way = played(board, choice.offers)
        complete = way.further is None or way.further.complete()
        ends = way if complete else board
        may_end = complete or board.further is None or board.further.complete()
        if may_end and (self.best is None or ends.value > self.best.value):
            self.best = ends
        if complete and way.value == most:
            return
        for further in moves(board):
            place = further.place()
            if self._seen.get(place, further.value - 1) < further.value:
                self._seen[place] = further.value
                self.go_on(further)
                if self.best is not None and self.best.value >= most:
                    return
