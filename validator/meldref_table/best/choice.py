"""The most valuable way to lay down a hand: a bound on every way, and a way that reaches it.

First the best choice among all that the hand can lay is found, as if melds did not bear on each
other beyond the cards they take: no way can bring more. Then that choice is played, card by card,
as the book of melds reads it. Nearly always it brings just that, which proves that it is best.
Where it does not (a wild card that may not stand for a card on the table, a kind of meld that
another one masks), every order of plays is searched that the bound does not rule out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from meldref.core.cards import ACE, JOKER, Cards, each, rank_of, size
from meldref.engine.judge import Judge
from meldref.position.model import Position, TableMeld
from meldref.rules.base import Binding
from meldref.rules.layoff import may_build_on
from meldref.rules.meld import barred_roles, own_meld
from meldref_table.best.board import Board, Further, further_rules
from meldref_table.best.objective import SCALE, Goal, LayDown, Spot, Terms, terms_for
from meldref_table.best.options import NewMeld, Offer, Offers, OnSpot
from meldref_table.best.packing import Packed, Packing
from meldref_table.best.playing import moves, played
from meldref_table.best.templates import Catalogue


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

    `melds` is the number of the last meld on the table, `melded` whether one of them is the
    player's, `barred` has a bit for each natural card that no wild card may stand for. `keeps`: a
    card has to be kept for the discard; by default as the ruleset says. `further` are rules that
    are asked of every play (`further_rules`). Which card can be discarded, which one has to be
    used, and exchanges for wild cards are matters of a whole turn, and not looked at.
    """
    must_keep = terms.keeps_card if keeps is None else keeps
    board = Board(terms, hand, tuple(spots), melds, melded, barred, must_keep, further=further)
    search = _Search(terms)
    search.go_on(board)
    best = search.best or board
    gain = best.value // SCALE
    return LayDown(best.plays, best.brings, best.points, gain, best.rest, gain, search.searched)


def best_at(judge: Judge, position: Position, goal: Goal = "score") -> LayDown:
    """The most valuable way to lay down the known cards of the player to move."""
    binding, player = judge.binding, position.turn.seat
    terms = terms_for(binding.ruleset, binding.players, position.wild_rank, goal)
    return best_lay_down(
        terms,
        position.hands[player],
        tuple(_spots(terms, binding, position, player)),
        melds=len(position.melds),
        melded=own_meld(position, player),
        barred=barred_roles(binding, position),
        keeps=terms.keeps_card and not position.unknown[player],
        further=further_rules(judge, position, player),
    )


def _spots(terms: Terms, binding: Binding, position: Position, seat: int) -> Iterator[Spot]:
    """The melds that a player may build on, or could once a meld of the player's own lies there."""
    if not position.melds:
        return
    with_own = position.copy()
    with_own.melds.append(TableMeld(seat, None, []))
    for number, meld in enumerate(position.melds, start=1):
        if meld.shape is None or may_build_on(binding, with_own, seat, number) is not None:
            continue
        together = binding.ruleset.partnership.score == "together" and binding.partners(
            meld.seat, seat
        )
        counts = binding.ruleset.layoff.counts_for == "layer" or meld.seat == seat or together
        scorer = seat if binding.ruleset.layoff.counts_for == "layer" else meld.seat
        own = [card for card in meld.cards if card.seat == seat or together]
        turned = sum([terms.worth.if_turned_there(meld.shape, card) for card in own])
        yield Spot(number, meld.shape, counts, _points_of_aces(meld, scorer), turned)


def _points_of_aces(meld: TableMeld, scorer: int) -> int | None:
    """The points of fewer than four aces that score for one player; None with other cards."""
    if len(meld.cards) >= 4:
        return None
    if any(
        card.seat != scorer or card.card == JOKER or rank_of(card.card) != ACE
        for card in meld.cards
    ):
        return None
    return sum(card.points for card in meld.cards)


class _Search:
    """Goes through the ways to lay down a hand that could bring more than the best one found."""

    def __init__(self, terms: Terms) -> None:
        self.best: Board | None = None
        self.searched = 0
        self._catalogue = catalogue(terms)
        self._seen: dict[tuple[object, ...], int] = {}

    def go_on(self, board: Board) -> None:
        """Looks for a better way from here on: the bound's own choice, or else play by play."""
        choice = _BestChoice(board, self._catalogue)
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
        if (complete and way.value == most) or _goes_out_in_vain(board):
            return
        for further in moves(board):
            place = further.place()
            if self._seen.get(place, further.value - 1) < further.value:
                self._seen[place] = further.value
                self.go_on(further)
                if self.best is not None and self.best.value >= most:
                    return


def _goes_out_in_vain(board: Board) -> bool:
    """Whether what is laid from here on has to leave one card or none, and surely leaves more."""
    further, terms = board.further, board.terms
    if further is None or not further.must_go_out(melding=not board.spots):
        return False
    cards = terms_for(terms.ruleset, terms.players, terms.wild_rank, "cards")
    most = _BestChoice(board._replace(terms=cards, keeps=False), catalogue(cards)).value
    return most < size(board.rest) - 1


# --- the bound ------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def catalogue(terms: Terms) -> Catalogue:
    """The forms that hands can fill under these terms; made once."""
    return Catalogue(terms)


class _BestChoice:
    """The best choice for the cards left on a board, with a card kept where one has to be.

    As if melds did not bear on each other beyond the cards they take: a bound on every way to lay
    the hand down. What opens the table (`melds.first_points`, `layoff.before_melding`) and the card
    to be kept for the discard (`out.melding_all: forbidden`) are part of the choice.

    `value` is what it brings, scaled, `offers` what is laid, `searched` how many parts of the hand
    were looked at.
    """

    def __init__(self, board: Board, catalogue: Catalogue) -> None:
        terms = board.terms
        self._must_open = not board.melded and (terms.first_points > 0 or terms.melds_first)
        asks_points = self._must_open and terms.first_points > 0
        made = self._made = Offers(
            terms, catalogue, board.rest, board.spots, board.barred, whole=asks_points
        )
        self._packing = made.packing()
        self._openers: Mapping[Packed, tuple[int, NewMeld]] = made.openers
        self._without: Packing | None = None
        if self._must_open and not terms.first_points:
            self._openers = {
                key: (made.worth[key], offer)
                for key, offer in made.offers.items()
                if isinstance(offer, NewMeld)
            }
        if self._must_open and not terms.melds_first:
            spots = {
                key: value
                for key, value in made.worth.items()
                if isinstance(made.offers[key], OnSpot)
            }
            self._without = made.packing(spots)
        self.value, self.offers = self._best_of(made.every)
        if board.keeps and self.offers and self.value % SCALE == made.cards:
            parts = [made.every - made.unit[card] for card in dict.fromkeys(each(board.rest))]
            self.value, self.offers = max(
                map(self._best_of, parts), key=lambda best: best[0], default=(0, ())
            )
        self.searched = self._packing.searched + (self._without.searched if self._without else 0)

    def _best_of(self, part: Packed) -> tuple[int, tuple[Offer, ...]]:
        """The best choice for a part of the hand."""
        value = self._packing.solve(part)
        chosen = self._packing.chosen(part)
        if not self._must_open or not chosen or any(key in self._openers for key in chosen):
            opener = next((key for key in chosen if key in self._openers), None)
            return value, self._offers(chosen, opener)
        best, best_chosen, opener = 0, [], None
        if self._without is not None:
            best, best_chosen = self._without.solve(part), self._without.chosen(part)
        for key, (gained, _) in sorted(self._openers.items(), key=lambda opener: -opener[1][0]):
            if self._made.contains(part, key):
                total = gained + self._packing.solve(part - key)
                if total > best:
                    best, best_chosen, opener = total, [key, *self._packing.chosen(part - key)], key
                    if best == value:
                        break
        return best, self._offers(best_chosen, opener)

    def _offers(self, chosen: list[Packed], opener: Packed | None) -> tuple[Offer, ...]:
        """What is laid, the player's first meld first."""
        offers = [self._made.offers[key] for key in chosen if key != opener]
        offers += [self._made.offers[key] for key in chosen if key == opener][1:]
        return tuple(offers) if opener is None else (self._openers[opener][1], *offers)
