"""The history of moves says where every card went: followed by it alone, hands, pile, stock and table come to the same."""

from __future__ import annotations

from random import Random

import pytest

from audits import built
from meldref.core.cards import UNKNOWN
from meldref.core.events import Turn
from meldref.notation.reader import read_lines
from meldref.position.model import watched
from meldref.position.moved import HAND, MELD, NOBODYS, PILE, SHOWN, STOCK
from meldref.replay.log import Replay
from property.test_options import GAMES
from property.test_unseen import masked, played


def counted(position):
    """How many cards lie in each spot, by seat, and by meld."""
    return {
        **{(HAND, seat): held for seat, held in enumerate(position.held)},
        **{(MELD, number): len(meld.cards) for number, meld in enumerate(position.melds)},
        (PILE,): len(position.pile),
        (STOCK,): position.stock_size,
    }


def spot(where, moved):
    """A spot of a move, as `counted` has it."""
    if where is HAND:
        return HAND, moved.seat
    return (MELD, moved.meld) if where is MELD else (where,)


def followed(position, moves):
    """The pile and the numbers of cards that moves lead to."""
    numbers, pile = counted(position), [*position.pile]
    for moved in moves:
        if moved.target is SHOWN:
            continue
        assert (moved.seat == NOBODYS) == ({moved.origin, moved.target} == {PILE, STOCK})
        origin, target = spot(moved.origin, moved), spot(moved.target, moved)
        numbers[origin] -= 1
        numbers[target] = numbers.get(target, 0) + 1
        if moved.origin is PILE:
            assert pile.pop(moved.place) in {moved.card, UNKNOWN}
        if moved.target is PILE:
            pile.append(moved.card)
    return numbers, pile


@pytest.mark.parametrize("seen", ["full", "half"])
@pytest.mark.parametrize("game", GAMES)
def test_every_card_is_where_the_moves_put_it(game, seen):
    full = played(f"moved {game}", [game])
    text = full if seen == "full" else masked(full, "half", Random(game))
    run, turns = Replay("test.rgn"), 0
    for row in read_lines(text):
        position = None if run.game is None or run.game.hand is None else run.game.hand.position
        if position is None:
            run.feed([row])
            continue
        before = position.copy()
        with watched(position) as moves:
            run.feed([row])
        if type(row[0].event) is Turn:
            turns += 1
            assert followed(before, moves) == (counted(position), position.pile), row[0].text
    assert turns


def test_a_copy_goes_on_with_a_history_of_its_own():
    position = built(hands={"A": "4h 5h 6h 9c"}).position
    assert position.history is None
    with watched(position) as moves:
        position.note(3, STOCK, HAND, 0)
        copy = position.copy()
        copy.note(4, HAND, PILE, 0)
        assert [moved.card for moved in moves] == [3]
        assert [moved.card for moved in copy.history] == [3, 4]
    assert position.history is None
