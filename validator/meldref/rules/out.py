"""Going out or floating, and what the last discard may be (P-END-01, P-VDIS, P-VUNP, P-VFLO, W-BOAT, G-FLO)."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from meldref.core.cards import ONE, UNKNOWN, Card, card_text, counted, each
from meldref.core.events import Challenge, Discard, LayOff, Meld
from meldref.position.model import Position
from meldref.rules.base import Binding, Check, Undecided, Violation
from meldref.rules.declare import Stage, Suggest, code, no_effect, rule
from meldref.rules.layoff import may_build_on
from meldref.rules.meld import extends
from meldref.ruleset.model import Ruleset

code("out.discard-required", where=lambda rules: rules.out.melding_all == "forbidden")
code("out.playable", where=lambda rules: rules.out.last_discard == "unplayable")
code("out.stuck", where=lambda rules: rules.draw.dead_end == "forbidden", suggest=Suggest.SHORTER)
code("challenge.unfounded")
code(
    "float.playable",
    where=lambda rules: (
        rules.out.melding_all == "floats"
        and (rules.floating.playable == "must_be_used" or rules.out.last_discard == "unplayable")
    ),
)
code("float.kept", where=lambda rules: rules.out.melding_all == "floats", suggest=Suggest.DISCARD)


def _nobody_floats(rules: Ruleset) -> bool:
    claimed = rules.out.last_discard == "claimable" and rules.out.claimed == "floats" and rules.calls.of != "none"
    return rules.out.melding_all != "floats" and not claimed


no_effect("floating.playable", by="out.melding_all", where=lambda rules: rules.out.melding_all != "floats")
no_effect("floating.draws", by="out.melding_all", where=_nobody_floats)
no_effect("out.claimed", by="out.last_discard", where=lambda rules: rules.out.last_discard != "claimable")
no_effect(
    "out.playable",
    by="out.last_discard",
    where=lambda rules: rules.out.last_discard != "unplayable" and rules.out.challenge == "none",
)


class Emptied(Enum):
    """What follows when a player has no cards left."""

    GOES_ON = "the hand goes on"
    OVER = "the hand is over"
    PROVISIONAL = "the hand is over unless the last discard is called"
    FLOATS = "the player floats"


@rule("out.discard-required", actions=(Meld, LayOff), stage=Stage.LAST)
def keeps_a_discard(binding: Binding) -> Check[Meld | LayOff] | None:
    """Where a last discard is required, a player may not lay every card (P-VDIS-01, W-BOAT-01, O-DISC-01)."""
    if binding.ruleset.out.melding_all != "forbidden":
        return None

    def check(position: Position, action: Meld | LayOff) -> Violation | None:
        if position.held[position.turn.seat] > len(action.cards):
            return None
        return Violation("out.discard-required", "every card was melded, and none is left to discard")

    return check


def playable(binding: Binding) -> Callable[[Position, int, Card], bool]:
    """Whether a player could lay a card instead of throwing it (P-VUNP-09, G-END-02).

    Floaters cannot use cards of the pile for it.
    """
    with_pile = binding.ruleset.out.playable == "with_pile"

    def fits(position: Position, seat: int, card: Card) -> bool:
        for number, meld in enumerate(position.melds, start=1):
            if meld.shape is None or not extends(position.book, meld.shape, card):
                continue
            if may_build_on(binding, position, seat, number) is None:
                return True
        if not with_pile or seat in position.floating:
            return False
        pile = counted(other for other in position.pile if other != UNKNOWN)
        return position.book.possible(pile + ONE[card], card)

    return fits


def floater_kept(player: str) -> Violation:
    """A floater ends the turn with a discard or without a card, and keeps none otherwise (P-VFLO-05)."""
    return Violation("float.kept", f"{player} floats and keeps a card without a discard", key="out.melding_all")


@rule("out.playable", "float.playable", actions=(Discard,), stage=Stage.LAST, kept=True)
def last_discard(binding: Binding) -> Check[Discard] | None:
    """A last discard that fits a meld is not allowed in some games (P-VUNP-01, P-VUNP-03, G-END-02, G-FLO-03)."""
    out = binding.ruleset.out
    unplayable = out.last_discard == "unplayable"
    floater_uses = binding.ruleset.floating.playable == "must_be_used" and out.melding_all == "floats"
    if not unplayable and not floater_uses:
        return None
    fits = playable(binding)

    def check(position: Position, action: Discard) -> Violation | Undecided | None:
        seat, card = position.turn.seat, action.card
        floater = position.turn.floater
        # A floater who keeps cards plays on like anybody (P-VFLO-05).
        if position.held[seat] != 1 or not (unplayable or (floater and floater_uses)):
            return None
        if card == UNKNOWN:
            if unplayable and not position.unknown[seat]:
                card = next(each(position.hands[seat]))
            else:
                return Undecided("whether the card thrown face down fits a meld")
        if not fits(position, seat, card):
            return None
        if floater:
            return Violation(
                "float.playable",
                f"{card_text(card)} fits a meld, so a floater has to lay it",
                key="floating.playable" if floater_uses else "out.last_discard",
            )
        return Violation("out.playable", f"the last discard, {card_text(card)}, fits a meld on the table")

    return check


@rule("challenge.unfounded", actions=(Challenge,), stage=Stage.PLAY)
def challenge(binding: Binding) -> Check[Challenge]:
    """A challenge contests a last discard that could have been melded (P-VUNP-06)."""
    allowed = binding.ruleset.out.challenge == "taken_back"
    fits = playable(binding)

    def check(position: Position, action: Challenge) -> Violation | None:
        if not allowed:
            return Violation(
                "challenge.unfounded", "last discards are not challenged in this game", key="out.challenge"
            )
        if position.final is None:
            return Violation("challenge.unfounded", "there is no last discard to challenge", key="")
        seat, card = position.final
        if card != UNKNOWN and not fits(position, seat, card):
            return Violation("challenge.unfounded", f"{card_text(card)} fits no meld on the table")
        return None

    return check


def emptied(binding: Binding) -> Callable[[bool], Emptied]:
    """What follows when a hand is empty: by a discard (True) or by melding all (False) (P-END-01, P-VFLO-01)."""
    out = binding.ruleset.out
    claimed = out.last_discard == "claimable" and binding.ruleset.calls.of != "none"
    by_discard = Emptied.PROVISIONAL if claimed else Emptied.OVER
    by_melding = Emptied.FLOATS if out.melding_all == "floats" else Emptied.OVER
    return lambda discarded: by_discard if discarded else by_melding
