"""Buying the last discard out of turn: who, until when, and what comes with it."""

from __future__ import annotations

from meldref.core.cards import UNKNOWN, Card, card_text
from meldref.core.events import Buy, Discard
from meldref.core.text import many
from meldref.position.memory import added
from meldref.position.model import GOING_ON, Position
from meldref.position.turn import Called
from meldref.rules.base import Binding, Check, Undecided, Violation
from meldref.rules.calls import plays_sooner
from meldref.rules.declare import Stage, Suggest, code, is_set, no_effect, rule
from meldref.rules.setup import turns_up
from meldref.ruleset.model import Ruleset


def _there_are_buys(rules: Ruleset) -> bool:
    return rules.buys.of != "none"


def _buys_are_counted(rules: Ruleset) -> bool:
    """Whether a player may buy only so often in a hand or a game."""
    is_limited = rules.buys.per_hand is not None or rules.buys.per_game is not None
    return _there_are_buys(rules) and is_limited


def _bought_are_used(rules: Ruleset) -> bool:
    """Whether cards bought must be laid on the table."""
    return _there_are_buys(rules) and rules.buys.must == "be_used"


code("buy.off", where=is_set("buys.of", "none"), evidence="conduct", suggest=Suggest.NEXT)
code("buy.own", where=_there_are_buys, evidence="whose", suggest=Suggest.NEXT)
code("buy.late", where=_there_are_buys, evidence="conduct", suggest=Suggest.NEXT)
code("buy.card", where=_there_are_buys, undone=True, suggest=Suggest.NEXT)
code("buy.often", where=_buys_are_counted, evidence="conduct", suggest=Suggest.NEXT)
code("buy.unused", where=_bought_are_used, evidence="conduct")
no_effect(
    *(f"buys.{key}" for key in ("extra", "several", "per_hand", "per_game", "must")),
    by="buys.of",
    at="none",
)
no_effect("buys.several", by="players.max", at=2)


@rule("buy.off", "buy.own", actions=(Buy,), stage=Stage.TURN)
def who_buys(binding: Binding) -> Check[Buy]:
    """Where cards are bought, all may except who discarded the card and who may draw it."""
    off = binding.ruleset.buys.of == "none"

    def check(position: Position, action: Buy) -> Violation | None:
        if off:
            return Violation("buy.off", "nobody buys in this game", key="buys.of")
        turn = position.turn
        if turn.seat == position.discarder and position.fresh:
            return Violation("buy.own", "nobody buys their own discard", key="buys.of")
        due = turn.broken
        if due is not None and position.begins and position.mover_known and due.seat == turn.seat:
            name = position.players[turn.seat]
            instead = "whoever is to draw buys nothing"
            if position.bought is None and position.pile[-1:] in ([action.card], [UNKNOWN]):
                instead = "take the discard instead of buying it"
            return Violation("buy.own", f"it is {name}'s turn: {instead}", key="buys.of")
        return None

    return check


@rule("buy.late", "buy.card", "draw.stock", actions=(Buy,), stage=Stage.PLAY)
def last_discard_lies_there(binding: Binding) -> Check[Buy] | None:
    """The last discard, or the up-card, can be bought until the next player draws from the stock.

    Of two who want it one gets it, and the card under it is dead.
    """
    buys = binding.ruleset.buys
    if buys.of == "none":
        return None

    def check(position: Position, action: Buy) -> Violation | None:
        name = card_text(action.card)
        if position.ending is not GOING_ON:
            return Violation("buy.late", "the hand is over", key="buys.of")
        if position.turn.broken is None:
            return Violation(
                "buy.late", "a purchase must come at the beginning of a line", key="buys.of"
            )
        if not position.begins:
            return Violation("buy.late", "the next player has already drawn", key="buys.of")
        if position.bought is not None:
            return late(position, position.bought, action.card)
        if position.fresh and not position.pile and not position.pile_known:
            return turns_up(binding, position, action.card)
        turned_up = position.discarder is None
        if not position.pile or not (position.fresh or turned_up):
            return Violation("buy.late", "there is no last discard on the pile", key="buys.of")
        top = position.pile[-1]
        if top != action.card and (top != UNKNOWN or position.left(action.card) <= 0):
            last = "another card" if top == UNKNOWN else card_text(top)
            return Violation("buy.card", f"the last discard is {last}, not {name}", key="buys.of")
        if position.stock_size < buys.extra:
            message = (
                f"a buyer takes {many(buys.extra, 'card')} from the stock, "
                f"which has only {position.stock_size}"
            )
            return Violation("draw.stock", message, key="buys.extra")
        return None

    def late(position: Position, before: Called, card: Card) -> Violation:
        seat, names = position.turn.seat, position.players
        first = before.seat
        if first == seat:
            message = f"{names[seat]} has bought {card_text(before.cards[0])} already"
            return Violation("buy.late", message, key="buys.several")
        if before.cards != (card,):
            return Violation(
                "buy.late", f"the card under the one {names[first]} bought is dead", key="buys.of"
            )
        if buys.several == "nearest" and plays_sooner(position, seat, before):
            message = f"{names[seat]}, who plays sooner than {names[first]}, wanted the card too"
            return Violation("buy.late", message, key="buys.several", place=before.place)
        return Violation(
            "buy.late", f"{names[first]} bought the card before {names[seat]}", key="buys.several"
        )

    return check


@rule("buy.often", actions=(Buy,), stage=Stage.PLAY)
def not_too_often(binding: Binding) -> Check[Buy] | None:
    """A player buys only so many cards in a hand, and in the game."""
    buys = binding.ruleset.buys
    if not _buys_are_counted(binding.ruleset):
        return None
    limits = {"hand": buys.per_hand, "game": buys.per_game}

    def check(position: Position, action: Buy) -> Violation | Undecided | None:
        seat = position.turn.seat
        in_hand = position.buys[seat]
        bought = {"hand": in_hand, "game": added(position.earlier_buys[seat], in_hand)}
        undecided: Undecided | None = None
        for span, most in limits.items():
            number = bought[span]
            least, greatest = (number, number) if isinstance(number, int) else number
            if most is None or greatest < most:
                continue
            if least >= most:
                message = f"nobody buys more than {many(most, 'card')} in a {span}"
                return Violation("buy.often", message, key=f"buys.per_{span}")
            undecided = Undecided(f"how many cards were bought before in this {span}")
        return undecided

    return check


@rule("buy.unused", actions=(Discard,), stage=Stage.OWED)
def bought_is_used(binding: Binding) -> Check[Discard] | None:
    """A card bought lies on the table when the buyer's next turn ends."""
    if not _bought_are_used(binding.ruleset):
        return None

    def check(position: Position, _: Discard) -> Violation | None:
        for purchase in position.owing:
            if purchase.seat == position.turn.seat:
                name = card_text(purchase.cards[0])
                message = f"{name} was bought and not used by the end of the next turn"
                return Violation("buy.unused", message, place=purchase.place)
        return None

    return check
