"""A player plays only cards they hold; unknown cards are counted (`hand.missing`, `log.copies`)."""

from __future__ import annotations

from meldref.core.cards import FULL, GUARD, ONE, UNKNOWN, WIDTH, Cards, card_text, holds
from meldref.core.events import Discard, LayOff, Meld, Swap
from meldref.core.text import in_words
from meldref.position.model import Position
from meldref.rules.base import Binding, Check, Violation
from meldref.rules.declare import Stage, code, rule
from meldref.rules.setup import turns_up

code("hand.missing", undone=True, impossible=True, not_there=True)
code("log.copies", undone=True, impossible=True, not_there=True, too_often=True)


@rule("hand.missing", "log.copies", "setup.deck", actions=(Meld, LayOff), stage=Stage.CARDS)
def holds_cards(binding: Binding) -> Check[Meld | LayOff]:
    """The cards laid are in the player's hand, or may be among its unknown cards."""

    def check(position: Position, action: Meld | LayOff) -> Violation | None:
        seat = position.turn.seat
        if ((position.hands[seat] | GUARD) - action.counted) & GUARD == GUARD:
            return None
        return not_known_to_be_there(binding, position, seat, action.counted)

    return check


@rule(
    "hand.missing",
    "log.copies",
    "setup.deck",
    actions=(Swap, Discard),
    stage=Stage.CARDS,
)
def holds_card(binding: Binding) -> Check[Swap | Discard]:
    """The card swapped or discarded is in the player's hand, or may be among its unknown cards."""

    def check(position: Position, action: Swap | Discard) -> Violation | None:
        seat, card = position.turn.seat, action.card
        if card == UNKNOWN or position.hands[seat] >> (WIDTH * card) & FULL:
            return None
        return not_known_to_be_there(binding, position, seat, ONE[card])

    return check


def not_known_to_be_there(
    binding: Binding, position: Position, seat: int, wanted: Cards
) -> Violation | None:
    """Judges cards that a hand is not known to hold: enough unknown cards may be these."""
    missing = position.missing(seat, wanted)
    spare = position.unknown[seat]
    player = position.players[seat]
    if len(missing) > spare:
        names = in_words([card_text(card) for card in sorted(missing)])
        if not spare:
            message = f"{player} does not hold {names}"
        else:
            message = f"{player} cannot hold {names}: only {spare} of the hand's cards are unknown"
        return Violation("hand.missing", message)
    among = position.among.get(seat)
    for card in missing:
        if among is not None and not holds(among, ONE[card]):
            return Violation("hand.missing", f"{player} cannot hold {card_text(card)}")
        too_often = turns_up(binding, position, card)
        if too_often is not None:
            return too_often
        if missing.count(card) > position.left(card):
            return Violation(
                "log.copies",
                f"{card_text(card)} appears more times than the deck has copies of it",
                key="deck.packs",
            )
    return None
