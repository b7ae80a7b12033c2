"""Cards to be used at once: which plays before were not needed to place them (P-DRAW-12)."""

from __future__ import annotations

from collections.abc import Sequence

from meldref.core.cards import (
    ANY_SUIT,
    EMPTY,
    ONE,
    Card,
    Cards,
    card_text,
    count,
    difference,
    each,
    rank_of,
    size,
)
from meldref.core.events import Action, LayOff, Meld, Swap
from meldref.melds import Fault, Reading, Shape
from meldref.notation.writer import write_action
from meldref.position.model import NOBODY, Position, TableMeld
from meldref.position.turn import Duty, Made
from meldref.rules.base import Binding, Undecided, Violation
from meldref.rules.meld import opens, own_meld


def uses(action: Action, card: Card) -> str | None:
    """How an action uses a card: "meld", "lay_off", "swap", or None."""
    if type(action) is Meld:
        return "meld" if count(action.counted, card) else None
    if type(action) is LayOff:
        return "lay_off" if count(action.counted, card) else None
    if type(action) is Swap:
        return "swap" if action.card == card else None
    return None


def after_the_draw(position: Position) -> Position:
    """The position right after the draw: as now, unless other cards were played since."""
    return position.turn.before or position


def late(
    binding: Binding, position: Position, duty: Duty, use: Meld | LayOff | Swap
) -> Violation | Undecided | None:
    """Whether a play before a taken card's own was not needed to place it.

    "At once" means: leave a play out, and the card could no longer be placed as it was.
    """
    own = single_plays([Made(use)])
    ends = next(index for index, play in enumerate(own) if uses(play.action, duty.card) is not None)
    plays = [*single_plays(position.turn.plays), *own[: ends + 1]]
    name, undecided = card_text(duty.card), None
    for index, play in enumerate(plays[:-1]):
        needless = _needless(binding, position, plays, index)
        if needless:
            before = f"`{write_action(play.action)}`"
            return Violation(
                "draw.deep.late" if duty.deep else "draw.top.unused",
                f"{name} was taken from the pile but used only after another play",
                key=f"draw.{'deep' if duty.deep else 'top'}.when",
                place=duty.place,
                notes=(f"{before} came before it and was not needed to place {name}",),
                before=after_the_draw(position),
            )
        if needless is None and undecided is None:
            needed = f"whether `{write_action(play.action)}` was needed to place {name}"
            undecided = Undecided(f"{needed}: not all cards held are known")
    return undecided


def _needless(
    binding: Binding, position: Position, plays: Sequence[Made], index: int
) -> bool | None:
    """Whether the last of some plays could be made without one of those before it.

    None: on a card nobody saw.
    """
    answers: set[bool] = set()
    for guessing in (False, True):
        state = _Table(binding, position, plays, guessing=guessing)
        for other, play in enumerate(
            plays[:-1]
        ):  # what becomes impossible without it falls away as well
            state.play(play, left_out=other == index)
        answers.add(state.play(plays[-1], left_out=False))
        if not (state.unseen or state.doubtful):
            break
    return None if len(answers) > 1 else answers.pop()


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
    """A hand and the shapes on the table after a draw, enough to try plays on. Melds keep numbers.

    The hand is what is known of it, and what these plays show that it held. Of its other cards,
    `unseen` in number, each is one that is needed where it is `guessing`, and else none is. In the
    same way a play that house rules may forbid is made or not; `trial` is the position they are
    asked of. In doubt nothing may be placed: what could be laid on a meld that may have grown
    unseen does not show that a play was needless.
    """

    def __init__(
        self, binding: Binding, position: Position, plays: Sequence[Made], *, guessing: bool
    ) -> None:
        seat = position.turn.seat
        self._before = before = after_the_draw(position)
        self.ruleset = binding.ruleset
        self.book = position.book
        self._shown = _held_for(plays, before.hands[seat])
        self.hand = before.hands[seat] + self._shown
        self.unseen = before.unknown[seat] - size(self._shown)
        self._guessing = guessing
        self._guesses = self.unseen if guessing else 0
        self._guessed = EMPTY
        self.shapes = [meld.shape for meld in before.melds]
        self.melded = own_meld(before, seat)
        bans = binding.bans
        self.bans = bans if bans is not None and bans.bans_on(Meld, LayOff, Swap) else None
        self.trial = before if self.bans is None else before.copy()
        self.doubtful = False

    def play(self, play: Made, *, left_out: bool) -> bool:
        """Plays it if that can be; tells whether it could."""
        action = play.action
        assert isinstance(action, (Meld, LayOff, Swap))
        laid = not left_out and self._is_allowed(action) and self._lay(play, action)
        if not laid and isinstance(action, Meld):
            self.shapes.append(None)
        if self.bans is not None and laid:
            self.bans.carry_out(self.trial, action)
        elif self.bans is not None and isinstance(action, Meld):
            self.trial.melds.append(TableMeld(NOBODY, None, []))
        return laid

    def _is_allowed(self, action: Meld | LayOff | Swap) -> bool:
        """Whether no house rule forbids a play."""
        if self.bans is None:
            return True
        forbidden = self.bans.forbids(self.trial, self.trial.turn.seat, action)
        self.doubtful = self.doubtful or forbidden is None
        return not forbidden if self._guessing else forbidden is False

    def _lay(self, play: Made, action: Meld | LayOff | Swap) -> bool:
        """Lays the cards of a play, where the settings allow it."""
        if isinstance(action, Meld):
            shape = self._meld(action)
            if shape is not None:
                self.shapes.append(shape)
                self.melded = True
            return shape is not None
        target = action.target
        if target is None or not 0 < target <= len(self.shapes):
            return False
        lying = self.shapes[target - 1]
        if lying is None:
            return False
        bigger = (
            self._lay_off(lying, action) if isinstance(action, LayOff) else self._swap(lying, play)
        )
        self.shapes[target - 1] = bigger or lying
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
        replaced = self.book.replace(shape, card, card) or self.book.replace(
            shape, ANY_SUIT + rank_of(card), card
        )
        if replaced is None or not self._take(ONE[card]):
            return None
        if play.gained is not None:
            self.hand += ONE[play.gained]
        if play.moved is None:
            return replaced
        moved = self.book.extend(replaced, play.moved)
        return None if isinstance(moved, Fault) else moved.shape

    def _take(self, cards: Cards) -> bool:
        lacking = difference(cards, self.hand)
        guessed = self._guessed + lacking
        unseen = guessed + self._shown
        if size(guessed) > self._guesses or any(
            count(unseen, card) > self._before.left(card) for card in each(lacking)
        ):
            return False
        self.hand -= cards - lacking
        self._guessed = guessed
        return True


def _held_for(plays: Sequence[Made], hand: Cards) -> Cards:
    """The cards that were held besides the known ones of a hand, since some plays were made."""
    shown = EMPTY
    for play in plays:
        action = play.action
        assert isinstance(action, (Meld, LayOff, Swap))
        cards = ONE[action.card] if isinstance(action, Swap) else action.counted
        lacking = difference(cards, hand)
        shown += lacking
        hand -= cards - lacking
        if play.gained is not None:
            hand += ONE[play.gained]
    return shown
