"""Drawing from stock and pile, and what must happen with a card taken from inside the pile.

P-DRAW-01..13, P-VTOP, P-VNEW, W-DRAW, G-DRAW, O-DRAW.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from meldref.core.cards import (
    UNKNOWN,
    Card,
    card_text,
    count,
)
from meldref.core.events import Call, Draw, LayOff, Meld, Swap, Take, cards_of
from meldref.core.records import changed
from meldref.core.text import in_words, many
from meldref.position.model import Position
from meldref.position.turn import Duty
from meldref.rules.at_once import after_the_draw, late, uses
from meldref.rules.base import Binding, Check, Undecided, Violation
from meldref.rules.declare import Stage, Suggest, code, no_effect, rule
from meldref.rules.setup import turns_up
from meldref.rules.stock import reshuffles
from meldref.ruleset.model import DutySetting, Ruleset


def _deep_is_bound(rules: Ruleset) -> bool:
    reaches = rules.draw.depth == "any" or rules.draw.takes == "whole_pile"
    return reaches and rules.draw.deep.must == "be_used"


code("draw.stock", undone=True, suggest=Suggest.RESHUFFLE)
code(
    "draw.pile",
    undone=True,
    impossible=True,
    conduct_by=("draw.depth", "floating.draws", "buys.of"),
)
code("draw.deep.unused", where=_deep_is_bound, evidence="by itself")
code(
    "draw.deep.late",
    where=lambda rules: _deep_is_bound(rules) and rules.draw.deep.when == "at_once",
    evidence="by itself",
)
code(
    "draw.deep.lay-off",
    where=lambda rules: _deep_is_bound(rules) and "lay_off" not in rules.draw.use,
    evidence="by itself",
)
code(
    "draw.top.unused", where=lambda rules: duties(rules)[0].must == "be_used", evidence="by itself"
)
code(
    "draw.top.lay-off",
    where=lambda rules: duties(rules)[0].must == "be_used" and "lay_off" not in rules.draw.use,
    evidence="by itself",
)
no_effect(
    "draw.top.must",
    "draw.top.when",
    by="draw.takes",
    at="whole_pile",
)
no_effect("draw.top.when", by="draw.top.must", at="nothing")
no_effect("draw.deep.when", by="draw.deep.must", at="nothing")
no_effect(
    "draw.use",
    by="draw.deep.must",
    where=lambda rules: duties(rules)[0].must == rules.draw.deep.must == "nothing",
)
no_effect(
    "draw.deep.must",
    "draw.deep.when",
    "discard.taken_deep",
    by="draw.depth",
    where=lambda rules: rules.draw.depth == "top" and rules.draw.takes != "whole_pile",
)


def duties(rules: Ruleset) -> tuple[DutySetting, DutySetting]:
    """What must be done with a card taken: as the top, the deepest, or with the whole pile."""
    draw = rules.draw
    if draw.takes == "whole_pile":
        return draw.deep, draw.deep
    return draw.top, draw.deep if draw.depth == "any" else changed(draw.deep, must="nothing")


@rule("draw.stock", "setup.deck", "log.copies", actions=(Draw,), stage=Stage.PLAY)
def stock_card(binding: Binding) -> Check[Draw]:
    """A draw takes the stock's top card, and there must be one (P-DRAW-03)."""
    floater_draws = "stock" in binding.ruleset.floating.draws
    renewed = reshuffles(binding)

    def check(position: Position, action: Draw) -> Violation | None:
        if position.stock_size <= 0:
            if renewed(position):
                message = "the stock is empty, and no `reshuffle` line makes the pile the new stock"
                return Violation("draw.stock", message, key="stock.reshuffle")
            return Violation("draw.stock", "the stock is empty", key="stock.empty")
        if not floater_draws and position.turn.floater:
            return Violation(
                "draw.stock", "a floater may not draw from the stock", key="floating.draws"
            )
        card = action.card
        if card == UNKNOWN:
            return None
        top = position.stock[-1] if position.stock else UNKNOWN
        if top == card:
            return None
        if top == UNKNOWN:
            made_of = position.stock_of
            wrong = turns_up(binding, position, card)
            if wrong is None and made_of is not None and not count(made_of, card):
                return Violation(
                    "draw.stock", f"{card_text(card)} is not among the cards reshuffled", key=""
                )
            return wrong
        message = f"the top card of the stock is {card_text(top)}, not {card_text(card)}"
        return Violation("draw.stock", message, key="")

    return check


def find_in_pile(position: Position, action: Take) -> int | None:
    """Where in the pile the card lies that a take names: its index from the bottom, if it is there.

    The topmost such card, unless a written `xN` points at another one. A card nobody saw may be it.
    None as well if it lies below all that is known of the pile. Of a card that nobody told, only
    the number says where it lies.
    """
    pile, card, number = position.pile, action.card, action.count
    if number is not None and 0 < number <= len(pile):
        there = pile[-number]
        if card in {there, UNKNOWN} or (there == UNKNOWN and position.left(card) > 0):
            return len(pile) - number
    if card == UNKNOWN:
        return None
    may_be_below = number is not None and number > len(pile) and not position.pile_known
    if may_be_below and position.left(card) > 0:
        return None
    if card in pile:
        return _topmost(pile, card)
    if UNKNOWN in pile and position.left(card) > 0:
        return _topmost(pile, UNKNOWN)
    return None


def _topmost(pile: list[Card], card: Card) -> int:
    return len(pile) - 1 - pile[::-1].index(card)


def may_be_elsewhere(position: Position, action: Take | Call) -> bool:
    """Whether nobody knows which of the pile's cards are named, since some of them were not seen.

    Then it is not known either how many cards are taken.
    """
    if not position.unwritten.discards or UNKNOWN not in position.pile:
        return False
    if isinstance(action, Take) and action.count is not None:
        return False
    above = position.pile[::-1]
    named = [card for card in cards_of(action) if position.left(card) > 0]
    lacking = [card for card in named if card not in above]
    places = above.count(UNKNOWN) + (not position.pile_known)
    if lacking and places > len(lacking):
        return True
    return any(UNKNOWN in above[: above.index(card)] for card in named if card in above)


@rule(
    "draw.pile",
    "log.number",
    "setup.deck",
    "log.copies",
    actions=(Take,),
    stage=Stage.PLAY,
)
def pile_cards(binding: Binding) -> Check[Take]:
    """The pile is taken from its top down to a card in it (P-DRAW-05, P-DRAW-06, O-DRAW-02)."""
    takes, of_any_depth = binding.ruleset.draw.takes, binding.ruleset.draw.depth != "top"
    floater_takes = "pile" in binding.ruleset.floating.draws

    def not_top(name: str) -> Violation:
        message = f"{name} is not the top card of the pile"
        return Violation("draw.pile", message, key="draw.depth")

    def check(position: Position, action: Take) -> Violation | Undecided | None:
        pile = position.pile
        if position.bought is not None:
            buyer = position.players[position.bought.seat]
            message = (
                f"after {buyer}'s purchase the pile is dead: the next player draws from the stock"
            )
            return Violation("draw.pile", message, key="buys.of")
        if pile and pile[-1] == action.card and action.count is None and not position.turn.floater:
            return None
        name = card_text(action.card)
        if not floater_takes and position.turn.floater:
            return Violation(
                "draw.pile", "a floater may not take from the pile", key="floating.draws"
            )
        index = find_in_pile(position, action)
        if action.card == UNKNOWN:
            return _take_untold(binding, position, action)
        if index is None:
            if not position.pile_known:
                is_under = not of_any_depth and pile and pile[-1] != UNKNOWN
                return not_top(name) if is_under else turns_up(binding, position, action.card)
            lies = "the discard pile is empty" if not pile else f"{name} is not in the discard pile"
            return Violation("draw.pile", lies, key="")
        taken = len(pile) - index
        if takes == "that_card":
            taken = 1
        elif takes == "whole_pile":
            taken = len(pile)
        if action.count is not None and action.count != taken and position.pile_known:
            return Violation(
                "log.number",
                f"taking {name} takes {many(taken, 'card')}, not {action.count}",
                key="draw.takes",
                written=f"x{action.count}",
            )
        return not_top(name) if not of_any_depth and index != len(pile) - 1 else None

    return check


def _take_untold(
    binding: Binding, position: Position, action: Take
) -> Violation | Undecided | None:
    """Taking so many cards, the deepest of which nobody told and nobody saw.

    Their number is judged; what has to be done with the deepest is open.
    """
    number, lying, draw = action.count or 1, len(position.pile), binding.ruleset.draw
    if number > lying and position.pile_known:
        has = "is empty" if not lying else f"has {many(lying, 'card')}"
        return Violation(
            "draw.pile", f"the discard pile {has}, so {number} cannot be taken", key=""
        )
    if draw.takes == "that_card":
        if number > 1:
            message = f"a take is of one card, not of {number}"
            return Violation("log.number", message, key="draw.takes", written=f"x{number}")
    elif draw.takes == "whole_pile":
        if number != lying and position.pile_known:
            message = f"taking the pile takes {many(lying, 'card')}, not {number}"
            return Violation("log.number", message, key="draw.takes", written=f"x{number}")
    elif draw.depth == "top" and number > 1:
        message = "only the top card of the pile may be taken"
        return Violation("draw.pile", message, key="draw.depth")
    top, deep = duties(binding.ruleset)
    if (deep if number > 1 else top).must == "be_used":
        return Undecided("whether the card taken is used as it must be: nobody told which it was")
    return None


@rule(
    "draw.deep.late",
    "draw.deep.lay-off",
    "draw.deep.unused",
    "draw.top.lay-off",
    "draw.top.unused",
    actions=(Meld, LayOff, Swap),
    stage=Stage.OWED,
    silent_in_plain_turns=True,
)
def use_taken(binding: Binding) -> Check[Meld | LayOff | Swap] | None:
    """How and when a taken card is used: at once, in a new meld if asked (P-DRAW-12, P-VNEW)."""
    draw = binding.ruleset.draw
    if duties(binding.ruleset)[0].must == draw.deep.must == "nothing":
        return None

    def check(position: Position, action: Meld | LayOff | Swap) -> Violation | Undecided | None:
        duty = position.turn.duty
        if duty is None or not duty.certain:
            return None
        use = uses(action, duty.card)
        if use is None:
            return None
        family = "deep" if duty.deep else "top"
        if use == "lay_off" and "lay_off" not in draw.use:
            return Violation(
                f"draw.{family}.lay-off",
                f"{card_text(duty.card)} was taken from the pile and laid off, "
                f"but it must {_due_use(draw.use)}",
                key="draw.use",
                before=after_the_draw(position),
            )
        if use not in draw.use:
            return None if _another(position, duty.card) else owed(binding.ruleset, position, duty)
        setting = draw.deep if duty.deep else draw.top
        if (
            setting.when == "at_once" and position.turn.plays
        ):  # of cards laid off together, one owed comes first
            return late(binding, position, duty, action)
        return None

    return check


def _due_use(ways: Sequence[str]) -> str:
    """How a card has to be used that may not be laid off."""
    deeds = {"meld": "go into a new meld", "swap": "be exchanged for a wild card"}
    return in_words([deed for way, deed in deeds.items() if way in ways], "or")


def _another(position: Position, card: Card) -> bool:
    """Whether the player may hold another copy of a card laid in a way that does not use it."""
    seat = position.turn.seat
    return count(position.hands[seat], card) > 1 or (
        position.unknown[seat] > 0 and position.left(card) > 0
    )


def still_owed(ruleset: Ruleset, position: Position, duty: Duty) -> Violation | Undecided:
    """A card that had to be used was not, and the turn is over (P-DRAW-05, P-VTOP-01)."""
    if not duty.certain:
        name = card_text(duty.card)
        return Undecided(
            f"whether {name} had to be used: it is unknown how many cards were taken with it"
        )
    return owed(ruleset, position, duty)


def owed(ruleset: Ruleset, position: Position, duty: Duty) -> Violation:
    """A card that had to be used was not, and cannot be any more in this turn."""
    name, draw = card_text(duty.card), ruleset.draw
    where = "from the pile"
    if draw.takes == "whole_pile":
        note = f"the whole pile was taken with {name}, so it must be used this turn"
    elif position.turn.inside is None:
        note = f"{name} was taken from the pile, "
        note += "and in this game each card taken must be used that turn"
    elif not duty.deep:
        note = (
            f"{name} was taken by itself; in this game a single card from the pile must be used too"
        )
    else:
        where = "from inside the pile"
        note = f"{name} was taken with other cards, so it must be used this turn"
    return Violation(
        f"draw.{'deep' if duty.deep else 'top'}.unused",
        f"the card taken {where} was {_not_used(draw.use)}",
        place=duty.place,
        notes=(note,),
        before=after_the_draw(position),
    )


_USED: Final = {"meld": "melded", "lay_off": "laid off", "swap": "exchanged for a wild card"}


def _not_used(ways: Sequence[str]) -> str:
    """`not melded`, `neither melded nor laid off`: the ways in which a card was not used."""
    deeds = [deed for way, deed in _USED.items() if way in ways]
    return f"neither {in_words(deeds, 'nor')}" if len(deeds) > 1 else f"not {deeds[0]}"
