"""What the player on turn may do: whatever no rule objects to and leaves the turn an end."""

from __future__ import annotations

from itertools import chain

from meldref.core.cards import UNKNOWN
from meldref.core.effort import EFFORT
from meldref.core.events import Action, Discard, LayOff, Meld, Swap
from meldref.engine.judge import Judge
from meldref.moves.can_finish import may_end
from meldref.moves.exhaustive import discards, listed, plays
from meldref.position.model import Position


def legal_plays(judge: Judge, position: Position) -> list[Action]:
    """What the player may do after the draw and still end the turn, in the order of listing.

    Plays of a card that is owed come first, then melds, what single cards are laid off on or
    exchanged for, and discards. Once `EFFORT` is over, no more are looked for.
    """
    duty = position.turn.duty
    owed = UNKNOWN if duty is None else duty.card
    melds = listed(position.book, position.hands[position.turn.seat])
    ranks = {meld: rank for rank, meld in enumerate(melds)}

    def order(action: Action) -> tuple[int, ...]:
        if isinstance(action, Discard):
            return (4, action.card)
        if isinstance(action, Meld):
            lays_owed = any(played.card == owed for played in action.cards)
            return (0 if lays_owed else 2, ranks[action])
        assert isinstance(action, (LayOff, Swap))
        is_swap = isinstance(action, Swap)
        card = action.card if isinstance(action, Swap) else action.cards[0].card
        return (1 if card == owed else 3, card, is_swap, action.target or 0)

    legal: list[Action] = []
    for action in chain(discards(judge, position), plays(judge, position)):
        ends = may_end(judge, position, action)
        # Then the search for an end was given up, which says nothing.
        if EFFORT.over:
            break
        if ends:
            legal.append(action)
    return sorted(legal, key=order)
