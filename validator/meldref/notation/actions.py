"""The actions of a turn: one table, which the canonical reader, the writer and JSON read.

What may be written is said by the grammar, and what JSON may hold by `grammar/events.schema.json`;
the suite holds both against this table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from meldref.core import events
from meldref.core.cards import UNKNOWN
from meldref.core.events import Action, Discard
from meldref.core.records import NamedTuple
from meldref.notation.parts import CARD, CARDS, FACE, PLAYS, Part, write_counter


class Numbered(NamedTuple):
    """A number that may follow: its sign (`x6`, `m4`), the event's field, and the key in JSON."""

    sign: str
    field: str
    key: str


class ActionForm(NamedTuple):
    """An action: its word, its event, and what follows the word.

    `may_be_bare`: the word alone is the same as with `?`. `draws`: it is the draw of a turn.
    `breaks_in`: a player who is not on turn may do it. `unseen_needs_number`: a `?` tells nothing
    without a number.
    """

    word: str
    kind: type[Action]
    takes: Part | None
    number: Numbered | None = None
    may_be_bare: bool = False
    draws: bool = False
    breaks_in: bool = False
    unseen_needs_number: bool = False

    def make(self, *values: Any, **named: Any) -> Action:
        """The event of its cards, if it has any, and its number, if there is one."""
        make: Callable[..., Action] = self.kind
        return make(*values, **named)

    def lacks_number(self, cards: object, number: int | None) -> bool:
        """Whether nobody can say what such an action is of, as in `take ?`."""
        return self.unseen_needs_number and cards == UNKNOWN and number is None

    @property
    def takes_row(self) -> bool:
        """Whether several cards may follow."""
        return self.takes is not None and self.takes.is_row

    @property
    def cards(self) -> str:
        """The event's field, and the key in JSON, of what follows."""
        return "cards" if self.takes_row else "card"

    def written(self, action: Any) -> str:
        """An action of this kind in the notation.

        Raises:
            ValueError: the notation has no way to write it.
        """
        text = self.word
        cards = None
        if self.takes is not None:
            cards = action.cards if self.takes.is_row else action.card
            text = f"{text} {self.takes.write(cards)}"
        if self.number is not None:
            number = getattr(action, self.number.field)
            if self.lacks_number(cards, number):
                raise ValueError(f"`{text}` needs the number of cards: {text} x3")
            if number is not None:
                text = f"{text} {self.number.sign}{write_counter(number)}"
        return text


_TARGET: Final = Numbered("m", "target", "meld")

ACTIONS: Final[tuple[ActionForm, ...]] = (
    ActionForm("draw", events.Draw, FACE, may_be_bare=True, draws=True),
    ActionForm(
        "take",
        events.Take,
        FACE,
        Numbered("x", "count", "count"),
        draws=True,
        unseen_needs_number=True,
    ),
    ActionForm("meld", events.Meld, PLAYS, Numbered("m", "number", "meld")),
    ActionForm("lay", events.LayOff, PLAYS, _TARGET),
    ActionForm("swap", events.Swap, CARD, _TARGET),
    ActionForm("discard", events.Discard, FACE),
    ActionForm("rummy", events.Call, CARDS, breaks_in=True),
    ActionForm("buy", events.Buy, CARD, breaks_in=True),
    ActionForm("challenge", events.Challenge, None, breaks_in=True),
    ActionForm("pass", events.Pass, None, draws=True),
)

BY_WORD: Final = {form.word: form for form in ACTIONS}
BY_KIND: Final = {form.kind: form for form in ACTIONS}
VERBS: Final[tuple[str, ...]] = tuple(BY_WORD)
DRAWS: Final = frozenset(form.kind for form in ACTIONS if form.draws)
BREAKS_IN: Final = frozenset(form.kind for form in ACTIONS if form.breaks_in)


def hides_discard(actions: Sequence[Action]) -> bool:
    """Whether some actions end with a card that nobody saw thrown."""
    last = actions[-1]
    return type(last) is Discard and last.card == UNKNOWN
