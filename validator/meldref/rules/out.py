"""Going out or floating, and the last discard (P-END-01, P-VDIS, P-VUNP, P-VFLO, W-BOAT, G-FLO)."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Final

from meldref.core.cards import ONE, UNKNOWN, Card, card_text, counted, each
from meldref.core.events import Challenge, Discard, LayOff, Meld, Swap
from meldref.position.model import Position, on_turn
from meldref.rules.base import Binding, Check, Undecided, Violation
from meldref.rules.declare import Stage, Suggest, code, is_set, no_effect, rule
from meldref.rules.layoff import fits_a_meld
from meldref.rules.meld import makes_a_meld, may_meld
from meldref.ruleset.model import Ruleset

code(
    "out.discard-required",
    where=is_set("out.melding_all", "forbidden"),
    evidence="conduct",
)
code("out.playable", where=is_set("out.last_discard", "unplayable"), evidence="conduct")
code("out.stuck", where=is_set("draw.dead_end", "forbidden"), suggest=Suggest.SHORTER)
code("challenge.unfounded", evidence="conduct")
code(
    "float.playable",
    where=lambda rules: (
        rules.out.melding_all == "floats"
        and (rules.floating.playable == "must_be_used" or rules.out.last_discard == "unplayable")
    ),
    evidence="conduct",
)
code(
    "float.kept",
    where=is_set("out.melding_all", "floats"),
    evidence="conduct",
    suggest=Suggest.DISCARD,
)


def nobody_floats(rules: Ruleset) -> bool:
    """Whether nobody ever floats, neither by melding all nor where a last discard is called."""
    claimed = (
        rules.out.last_discard == "claimable"
        and rules.out.claimed == "floats"
        and rules.calls.of != "none"
    )
    return rules.out.melding_all != "floats" and not claimed


def _is_called_only_for_the_table(rules: Ruleset) -> bool:
    """Whether last discards are called, but never to make a meld with cards of the pile."""
    only_called = rules.out.last_discard == "claimable" and rules.out.challenge == "none"
    return only_called and rules.calls.of in {"none", "last_discard"}


no_effect(
    "floating.playable", by="out.melding_all", where=lambda rules: rules.out.melding_all != "floats"
)
no_effect("floating.playable", by="layoff.onto", at="nothing")
no_effect("floating.draws", by="out.melding_all", where=nobody_floats)
no_effect(
    "out.claimed", by="out.last_discard", where=lambda rules: rules.out.last_discard != "claimable"
)
no_effect(
    "out.playable",
    by="out.last_discard",
    where=lambda rules: rules.out.last_discard == "any" and rules.out.challenge == "none",
)
no_effect("out.playable", by="calls.of", where=_is_called_only_for_the_table)


_NONE_LEFT: Final = Violation(
    "out.discard-required", "every card was melded, so none is left to discard"
)


class Emptied(Enum):
    """What follows when a player has no cards left."""

    GOES_ON = "the hand goes on"
    OVER = "the hand is over"
    PROVISIONAL = "the hand is over unless the last discard is called"
    FLOATS = "the player floats"


@rule("out.discard-required", actions=(Meld, LayOff), stage=Stage.LAST)
def keeps_a_discard(binding: Binding) -> Check[Meld | LayOff] | None:
    """Where a last discard is required, a card is kept for it (P-VDIS-01, W-BOAT-01, O-DISC-01)."""
    if binding.ruleset.out.melding_all != "forbidden":
        return None

    def check(position: Position, action: Meld | LayOff) -> Violation | None:
        if position.held[position.turn.seat] > len(action.cards):
            return None
        return _NONE_LEFT

    return check


@rule("out.discard-required", actions=(Swap,), stage=Stage.LAST)
def exchange_keeps_a_discard(binding: Binding) -> Check[Swap] | None:
    """So it is where an exchange brings no card into the hand."""
    ruleset = binding.ruleset
    if ruleset.out.melding_all != "forbidden" or ruleset.melds.wild.swapped != "to_end":
        return None
    return lambda position, _: None if position.held[position.turn.seat] > 1 else _NONE_LEFT


def without_discard(binding: Binding) -> Violation | None:
    """What is wrong with going out without a discard, whatever was held before."""
    return _NONE_LEFT if binding.ruleset.out.melding_all == "forbidden" else None


def playable(binding: Binding) -> Callable[[Position, int, Card], bool | None]:
    """Whether a player could lay a card instead of throwing it; None: open (P-VUNP-09, G-END-02).

    Floaters cannot use cards of the pile for it.
    """
    with_pile = binding.ruleset.out.playable == "with_pile"
    may_lie = may_meld(binding)

    def fits(position: Position, seat: int, card: Card) -> bool | None:
        on_table = fits_a_meld(binding, position, seat, card)
        if on_table or not with_pile or seat in position.floating:
            return on_table
        pile = counted(other for other in position.pile if other != UNKNOWN)
        with on_turn(position, seat):
            in_a_meld = makes_a_meld(may_lie, position, pile + ONE[card], card)
        return in_a_meld if on_table is False or in_a_meld else None

    return fits


def thrown_last(binding: Binding) -> Callable[[Position, int, Card], bool | None]:
    """Whether a last discard, now on the pile, could have been laid before it was thrown."""
    fits = playable(binding)

    def fitted(position: Position, seat: int, card: Card) -> bool | None:
        before = position.copy()
        if before.pile[-1:] == [card]:
            before.pile.pop()
            before.give(seat, card)
        return fits(before, seat, card)

    return fitted


def floater_kept(player: str) -> Violation:
    """A floater ends the turn with a discard or without a card, else keeps none (P-VFLO-05)."""
    return Violation(
        "float.kept",
        f"{player} is floating and kept a card without discarding",
        key="out.melding_all",
    )


@rule("out.playable", "float.playable", actions=(Discard,), stage=Stage.LAST)
def last_discard(binding: Binding) -> Check[Discard] | None:
    """A last discard may fit no meld in some games (P-VUNP-01, P-VUNP-03, G-END-02, G-FLO-03)."""
    out = binding.ruleset.out
    unplayable = out.last_discard == "unplayable"
    floater_uses = (
        binding.ruleset.floating.playable == "must_be_used" and out.melding_all == "floats"
    )
    if not unplayable and not floater_uses:
        return None
    fits = playable(binding)

    def fitted(position: Position, which: str) -> Violation:
        if position.turn.floater:
            key = "floating.playable" if floater_uses else "out.last_discard"
            message = f"{which} fits a meld, so a floater has to lay it"
            return Violation("float.playable", message, key=key)
        message = f"the last discard, {which}, fits a meld on the table"
        return Violation("out.playable", message)

    def face_down(position: Position, seat: int) -> Violation | Undecided | None:
        answers = {fits(position, seat, card) for card in position.may_be_held(seat)}
        if answers == {True}:
            return fitted(position, "whatever card lies face down")
        return (
            None
            if answers <= {False}
            else Undecided("whether the card thrown face down fits a meld")
        )

    def check(position: Position, action: Discard) -> Violation | Undecided | None:
        seat, card = position.turn.seat, action.card
        # A floater who keeps cards plays on like anybody (P-VFLO-05).
        if position.held[seat] != 1 or not (unplayable or (position.turn.floater and floater_uses)):
            return None
        if card == UNKNOWN and unplayable and not position.unknown[seat]:
            card = next(each(position.hands[seat]))
        if card == UNKNOWN:
            return face_down(position, seat)
        playable_now = fits(position, seat, card)
        if playable_now is None:
            return Undecided(f"whether {card_text(card)}, the last discard, can be laid")
        return fitted(position, card_text(card)) if playable_now else None

    return check


@rule("challenge.unfounded", actions=(Challenge,), stage=Stage.PLAY)
def challenge(binding: Binding) -> Check[Challenge]:
    """A challenge contests a last discard that could have been melded (P-VUNP-06)."""
    allowed = binding.ruleset.out.challenge == "taken_back"
    fits = thrown_last(binding)

    def check(position: Position, action: Challenge) -> Violation | Undecided | None:
        if not allowed:
            return Violation(
                "challenge.unfounded",
                "last discards are not challenged in this game",
                key="out.challenge",
            )
        if position.final is None:
            return Violation("challenge.unfounded", "there is no last discard to challenge", key="")
        seat, card = position.final
        fitted = card == UNKNOWN or fits(position, seat, card)
        if fitted is None:
            return Undecided(f"whether {card_text(card)}, the last discard, could be laid")
        if not fitted:
            return Violation("challenge.unfounded", f"{card_text(card)} fits no meld on the table")
        return None

    return check


def emptied(binding: Binding) -> Callable[[bool], Emptied]:
    """What follows an empty hand, by discard (True) or meld (False) (P-END-01, P-VFLO-01)."""
    out = binding.ruleset.out
    claimed = out.last_discard == "claimable" and binding.ruleset.calls.of != "none"
    by_discard = Emptied.PROVISIONAL if claimed else Emptied.OVER
    by_melding = Emptied.FLOATS if out.melding_all == "floats" else Emptied.OVER
    return lambda discarded: by_discard if discarded else by_melding
