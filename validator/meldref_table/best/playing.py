"""Plays a choice of melds and lay-offs, and lists the plays that there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from meldref.core.cards import ACE, ANY_SUIT, ONE, Cards, Played
from meldref.melds import Reading, Shape
from meldref_table.best.board import Board
from meldref_table.best.chains import ways_to_lay
from meldref_table.best.objective import Spot
from meldref_table.best.options import NewMeld, Offer


class _Row:
    """What becomes of one meld: its cards if it is new (number 0), then each lay-off."""

    def __init__(
        self, number: int, plays: list[tuple[Played, ...]], *, may_join: bool = False
    ) -> None:
        self.number, self.plays, self.may_join = number, plays, may_join


def played(board: Board, offers: Sequence[Offer]) -> Board:
    """The board after as much of a choice as can be played: new melds first, in their order.

    Where no wild card may stand for what lies on the table, a card waits for the wild cards that
    stand for it.
    """
    rows = _rows(board, offers)
    pending = True
    while pending:
        pending = False
        for row in sorted(rows, key=lambda row: row.number > 0):
            if not row.plays or (not board.terms.twins and _must_wait(row, rows)):
                continue
            after, plays = _go_on(board, row)
            if after is not None:
                board = after
                row.number = row.number or board.melds
                del row.plays[:plays]
                pending = True
                break
    return board


def _go_on(board: Board, row: _Row) -> tuple[Board | None, int]:
    """The board after what comes next of a row, and how many of its plays that takes.

    Where further rules are asked, cards that may not be laid off one by one may have to be laid off
    together.
    """
    if not row.number:
        return board.meld(row.plays[0]), 1
    for plays in range(1, len(row.plays) + 1 if board.further else 2):
        after = board.lay_all(
            row.number, tuple(card for cards in row.plays[:plays] for card in cards)
        )
        if after is not None:
            return after, plays
    return None, 0


def _rows(board: Board, offers: Sequence[Offer]) -> list[_Row]:
    new: list[_Row] = []
    others: list[_Row] = []
    for offer in offers:
        if isinstance(offer, NewMeld):
            base, later = offer.played(board.terms)
            may_join = offer.form.pattern.is_run and not later
            new.append(_Row(0, [base, *[(card,) for card in later]], may_join=may_join))
        else:
            others.append(_Row(offer.spot.number, [(card,) for card in offer.cards]))
    return [*_joined(board, new), *others]


def _joined(board: Board, rows: list[_Row]) -> list[_Row]:
    """The new melds, with runs that follow each other joined where that costs nothing."""
    joined = [row for row in rows if not row.may_join]
    runs = [row for row in rows if row.may_join]
    while runs:
        row = runs.pop(0)
        for other in runs:
            if _join(board, row, other) or _join(board, other, row):
                runs.remove(other)
                runs.insert(0, row)
                break
        else:
            joined.append(row)
    return sorted(joined, key=rows.index)


def _join(board: Board, row: _Row, other: _Row) -> bool:
    """Makes one run of two, in the first, if the `low` one ends where the other begins."""
    low, high = row.plays[0], other.plays[0]
    last, first = _role(low[-1]), _role(high[0])
    if first // 13 != last // 13 or (first - last) % 13 != 1:
        return False
    book, worth = board.terms.book, board.terms.worth
    parts = [book.read(cards, board.barred) for cards in (low, high, low + high)]
    points = [worth.new_meld(part.laid) for part in parts if isinstance(part, Reading)]
    if len(points) < 3 or points[2] < points[0] + points[1]:
        return False
    ends_with_ace = last % 13 == ACE and len(low) + len(high) == 13
    row.plays[0] = other.plays[0] = high + low if ends_with_ace else low + high
    return True


def _role(card: Played) -> int:
    return card.card if card.role is None else card.role


def _must_wait(row: _Row, rows: list[_Row]) -> bool:
    """Whether what is laid next would keep a wild card elsewhere, or later, from being laid."""
    laid = {_role(card) for card in row.plays[0]}
    for other in rows:
        for cards in other.plays[1:] if other is row else other.plays:
            roles = {card.role for card in cards if card.role is not None}
            if any(role < ANY_SUIT for role in roles & laid):
                return True
    return False


def moves(board: Board) -> Iterator[Board]:
    """The board after each play that can follow, cards laid off one by one."""
    for cards in board.terms.book.melds_in(board.rest, barred=board.barred):
        after = board.meld(cards)
        if after is not None:
            yield after
    for spot in board.spots:
        for cards in _lay_offs(board, spot):
            after = board.lay_all(spot.number, cards)
            if after is not None:
                yield after


def _lay_offs(board: Board, spot: Spot) -> Iterator[tuple[Played, ...]]:
    """What can be laid off on a meld at once: single cards, several if further rules ask."""
    pending: list[tuple[Shape, Cards, tuple[Played, ...]]] = [(spot.shape, board.rest, ())]
    while pending:
        shape, rest, before = pending.pop()
        for card, extension in ways_to_lay(board.terms, shape, rest, board.barred):
            cards = (*before, card)
            yield cards
            if board.further:
                pending.append((extension.shape, rest - ONE[card.card], cards))
