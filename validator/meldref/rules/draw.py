"""Drawing from stock and pile, and what must happen with a card taken from inside the pile.

P-DRAW-01..13, P-VTOP, P-VNEW, W-DRAW, G-DRAW, O-DRAW.
"""

from __future__ import annotations

from collections.abc import Sequence

from meldref.core.cards import ANY_SUIT, ONE, UNKNOWN, Card, Cards, card_text, count, difference, rank_of, size
from meldref.core.events import Action, Draw, LayOff, Meld, Swap, Take
from meldref.core.records import changed
from meldref.core.text import many
from meldref.melds import Fault, Reading, Shape
from meldref.notation.writer import write_action
from meldref.position.model import Position
from meldref.position.turn import Duty, Made
from meldref.rules.base import Binding, Check, Undecided, Violation
from meldref.rules.declare import Stage, Suggest, code, no_effect, rule
from meldref.rules.meld import opens, own_meld
from meldref.rules.setup import turns_up
from meldref.rules.stock import reshuffles
from meldref.ruleset.model import DutySetting, Ruleset


def _deep_is_bound(rules: Ruleset) -> bool:
    reaches = rules.draw.depth == "any" or rules.draw.takes == "whole_pile"
    return reaches and rules.draw.deep.must == "be_used"


code("draw.stock", undone=True, suggest=Suggest.RESHUFFLE)
code("draw.pile", undone=True, impossible=True)
code("draw.deep.unused", where=_deep_is_bound)
code("draw.deep.late", where=lambda rules: _deep_is_bound(rules) and rules.draw.deep.when == "at_once")
code("draw.deep.lay-off", where=lambda rules: _deep_is_bound(rules) and "lay_off" not in rules.draw.use)
code("draw.top.unused", where=lambda rules: duties(rules)[0].must == "be_used")
code(
    "draw.top.lay-off", where=lambda rules: duties(rules)[0].must == "be_used" and "lay_off" not in rules.draw.use
)
no_effect("draw.top.must", "draw.top.when", by="draw.takes", where=lambda rules: rules.draw.takes == "whole_pile")
no_effect("draw.top.when", by="draw.top.must", where=lambda rules: rules.draw.top.must == "nothing")
no_effect("draw.deep.when", by="draw.deep.must", where=lambda rules: rules.draw.deep.must == "nothing")
no_effect(
    "draw.use", by="draw.deep.must", where=lambda rules: duties(rules)[0].must == rules.draw.deep.must == "nothing"
)
no_effect(
    "draw.deep.must",
    "draw.deep.when",
    "discard.taken_deep",
    by="draw.depth",
    where=lambda rules: rules.draw.depth == "top" and rules.draw.takes != "whole_pile",
)


def duties(rules: Ruleset) -> tuple[DutySetting, DutySetting]:
    """What must be done with a card taken: alone from the top, and deepest of several, or for the whole pile."""
    draw = rules.draw
    if draw.takes == "whole_pile":
        return draw.deep, draw.deep
    return draw.top, draw.deep if draw.depth == "any" else changed(draw.deep, must="nothing")


@rule("draw.stock", "setup.deck", "log.copies", actions=(Draw,), stage=Stage.PLAY, kept=True)
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
            return Violation("draw.stock", "a floater may not draw from the stock", key="floating.draws")
        card = action.card
        if card == UNKNOWN:
            return None
        top = position.stock[-1] if position.stock else UNKNOWN
        if top == card:
            return None
        if next_but_one(position, card):
            return None  # the card above it was passed over before, which was found then
        if top == UNKNOWN:
            made_of = position.stock_of
            wrong = turns_up(position, card)
            if wrong is None and made_of is not None and not count(made_of, card):
                return Violation("draw.stock", f"{card_text(card)} is not among the cards reshuffled", key="")
            return wrong
        message = f"the top card of the stock is {card_text(top)}, not {card_text(card)}"
        return Violation("draw.stock", message, key="")

    return check


def next_but_one(position: Position, card: Card) -> bool:
    """Whether a card lies right under the stock's top card, which may be gone already."""
    return position.passed and position.stock[-2:-1] == [card]


def find_in_pile(position: Position, action: Take) -> int | None:
    """Where in the pile the card lies that a take names: its index from the bottom, None where it is not.

    The topmost such card, unless a written `xN` points at another one. A card nobody saw may be it.
    """
    pile = position.pile
    number = action.count
    for wanted in (action.card, UNKNOWN):
        if wanted == UNKNOWN and position.left(action.card) <= 0:
            return None
        if number is not None and 0 < number <= len(pile) and pile[-number] == wanted:
            return len(pile) - number
        if wanted in pile:
            return len(pile) - 1 - pile[::-1].index(wanted)
    return None


@rule("draw.pile", "log.number", "setup.deck", "log.copies", actions=(Take,), stage=Stage.PLAY, kept=True)
def pile_cards(binding: Binding) -> Check[Take]:
    """The pile is taken from its top down to a card that lies in it (P-DRAW-05, P-DRAW-06, O-DRAW-02)."""
    takes, of_any_depth = binding.ruleset.draw.takes, binding.ruleset.draw.depth != "top"
    floater_takes = "pile" in binding.ruleset.floating.draws

    def check(position: Position, action: Take) -> Violation | None:
        pile = position.pile
        if pile and pile[-1] == action.card and action.count is None and not position.turn.floater:
            return None
        name = card_text(action.card)
        if not floater_takes and position.turn.floater:
            return Violation("draw.pile", "a floater may not take from the pile", key="floating.draws")
        index = find_in_pile(position, action)
        if index is None:
            if not position.pile_known:
                return turns_up(position, action.card)
            lies = "the discard pile is empty" if not pile else f"{name} is not in the discard pile"
            return Violation("draw.pile", lies, key="")
        taken = 1 if takes == "that_card" else len(pile) if takes == "whole_pile" else len(pile) - index
        if action.count is not None and action.count != taken and position.pile_known:
            return Violation(
                "log.number", f"taking {name} takes {many(taken, 'card')}, not {action.count}", key="draw.takes"
            )
        if not of_any_depth and index != len(pile) - 1:
            return Violation("draw.pile", f"{name} is not the top card of the pile", key="draw.depth")
        return None

    return check


def uses(action: Action, card: Card) -> str | None:
    """How an action uses a card: "meld", "lay_off", "swap", or None."""
    if type(action) is Meld:
        return "meld" if count(action.counted, card) else None
    if type(action) is LayOff:
        return "lay_off" if count(action.counted, card) else None
    if type(action) is Swap:
        return "swap" if action.card == card else None
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
    """How and when a taken card is used: at once, and in a new meld where that is asked (P-DRAW-12, P-VNEW)."""
    draw = binding.ruleset.draw
    if duties(binding.ruleset)[0].must == draw.deep.must == "nothing":
        return None

    def check(position: Position, action: Meld | LayOff | Swap) -> Violation | None:
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
                f"{card_text(duty.card)} was taken from the pile and laid off, but it must go into a new meld",
                key="draw.use",
                before=after_the_draw(position),
            )
        if use not in draw.use:
            return None if _another(position, duty.card) else owed(position, duty)
        setting = draw.deep if duty.deep else draw.top
        if setting.when == "at_once" and position.turn.plays:  # of cards laid off together, one owed comes first
            idle = _needless(binding, position, duty, action)
            if idle is not None:
                name = card_text(duty.card)
                return Violation(
                    "draw.deep.late" if duty.deep else "draw.top.unused",
                    f"{name} was taken from the pile and used only after another play",
                    key=f"draw.{family}.when",
                    place=duty.place,
                    notes=(f"`{idle}` came before it and was not needed to place {name}",),
                    before=after_the_draw(position),
                )
        return None

    return check


def after_the_draw(position: Position) -> Position:
    """The position right after the draw: as now, unless other cards were played since."""
    return position.turn.before or position


def _another(position: Position, card: Card) -> bool:
    """Whether the player may hold another copy of a card that is laid in a way that does not use it."""
    seat = position.turn.seat
    return count(position.hands[seat], card) > 1 or (position.unknown[seat] > 0 and position.left(card) > 0)


def still_owed(position: Position, duty: Duty) -> Violation | Undecided:
    """A card that had to be used was not, and the turn is over (P-DRAW-05, P-VTOP-01)."""
    if not duty.certain:
        name = card_text(duty.card)
        return Undecided(f"whether {name} had to be used: how many cards were taken with it is not known")
    return owed(position, duty)


def owed(position: Position, duty: Duty) -> Violation:
    """A card that had to be used was not, and cannot be any more in this turn."""
    name = card_text(duty.card)
    if duty.deep and len(position.turn.taken) != 1:
        message = "the card taken from inside the pile was not melded"
        note = f"{name} lay under other cards, so it must be used in this turn"
    else:
        message = "the card taken from the pile was not melded"
        note = f"{name} was taken alone from the top, and here that card must be used too"
    return Violation(
        f"draw.{'deep' if duty.deep else 'top'}.unused",
        message,
        place=duty.place,
        notes=(note,),
        before=after_the_draw(position),
    )


def _needless(binding: Binding, position: Position, duty: Duty, use: Meld | LayOff | Swap) -> str | None:
    """The first play before a taken card's own that was not needed to place it, as text; None: all were.

    "At once" means: leave a play out, and the card could no longer be placed as it was.
    """
    own = single_plays([Made(use)])
    ends = next(index for index, play in enumerate(own) if uses(play.action, duty.card) is not None)
    earlier = [*single_plays(position.turn.plays), *own[:ends]]
    for index, play in enumerate(earlier):
        state = _Table(binding, position)
        for other, tried in enumerate(earlier):  # what becomes impossible without it falls away as well
            state.play(tried, left_out=other == index)
        if state.play(own[ends], left_out=False):
            return write_action(play.action)
    return None


def single_plays(plays: Sequence[Made]) -> list[Made]:
    """Plays one card at a time where they lay off several."""
    singles: list[Made] = []
    for play in plays:
        if type(play.action) is LayOff:
            singles += [Made(LayOff((played,), play.action.target)) for played in play.action.cards]
        else:
            singles.append(play)
    return singles


class _Table:
    """A hand and the shapes on the table after a draw, just enough to try plays on. Melds keep their numbers.

    Nothing is replayed with `engine.apply` here: rules judge, and know of nothing that plays. And in doubt nothing
    may be placed: what could be laid on a meld that may have grown unseen does not show that a play was needless.
    """

    def __init__(self, binding: Binding, position: Position) -> None:
        before, seat = after_the_draw(position), position.turn.seat
        self.ruleset = binding.ruleset
        self.book = position.book
        self.hand = before.hands[seat]
        self.unknown = before.unknown[seat]
        self.shapes = [meld.shape for meld in before.melds]
        self.melded = own_meld(before, seat)

    def play(self, play: Made, *, left_out: bool) -> bool:
        """Plays it if that can be; tells whether it could."""
        action = play.action
        if type(action) is Meld:
            shape = None if left_out else self._meld(action)
            self.shapes.append(shape)
            self.melded = self.melded or shape is not None
            return shape is not None
        assert isinstance(action, (LayOff, Swap))
        target, bigger = action.target, None
        if not left_out and target is not None and 0 < target <= len(self.shapes):
            shape = self.shapes[target - 1]
            if shape is not None:
                bigger = self._lay_off(shape, action) if type(action) is LayOff else self._swap(shape, play)
                self.shapes[target - 1] = bigger or shape
        return bigger is not None

    def _meld(self, action: Meld) -> Shape | None:
        reading = self.book.read(action.cards)
        if not isinstance(reading, Reading) or not (self.melded or opens(self.ruleset, reading)):
            return None
        return reading.shape if self._take(action.counted) else None

    def _lay_off(self, shape: Shape, action: LayOff) -> Shape | None:
        if not self.melded and self.ruleset.layoff.before_melding == "forbidden":
            return None
        extended = self.book.extend(shape, action.cards[0])
        if isinstance(extended, Fault) or not self._take(action.counted):
            return None
        return extended.shape

    def _swap(self, shape: Shape, play: Made) -> Shape | None:
        card = play.action.card  # type: ignore[union-attr]
        replaced = self.book.replace(shape, card, card) or self.book.replace(shape, ANY_SUIT + rank_of(card), card)
        if replaced is None or not self._take(ONE[card]):
            return None
        if play.gained is not None:
            self.hand += ONE[play.gained]
        return replaced

    def _take(self, cards: Cards) -> bool:
        lacking = difference(cards, self.hand)
        if size(lacking) > self.unknown:
            return False
        self.hand -= cards - lacking
        self.unknown -= size(lacking)
        return True
