"""The actions of a turn: one table, which the canonical reader, the writer, JSON and the help on syntax read.

What may be written is said by the grammar, and what JSON may hold by `grammar/events.schema.json`; the suite holds
both against this table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from meldref.core import events
from meldref.core.events import Action

Takes: TypeAlias = Literal["nothing", "a face", "a card", "cards", "plays"]
"""What follows the word: a face is a card or `?`, plays are cards with what wild ones stand for."""


class Numbered(NamedTuple):
    """A number that may follow: its sign (`x6`, `m4`), the event's field, and the key in JSON."""

    sign: str
    field: str
    key: str


class ActionForm(NamedTuple):
    """An action: its word, its event, what follows the word, and in words what it is for.

    `may_be_bare`: the word alone is the same as with `?`. `draws`: it is the draw of a turn. `breaks_in`: a player
    who is not on turn may do it.
    """

    word: str
    kind: type[Action]
    takes: Takes
    example: str
    meaning: str
    number: Numbered | None = None
    may_be_bare: bool = False
    draws: bool = False
    breaks_in: bool = False

    def make(self, *values: Any, **named: Any) -> Action:
        """The event of its cards, if it has any, and its number, if there is one."""
        make: Callable[..., Action] = self.kind
        return make(*values, **named)


_NEW_MELD: Final = Numbered("m", "number", "meld")
_TARGET: Final = Numbered("m", "target", "meld")

ACTIONS: Final[tuple[ActionForm, ...]] = (
    ActionForm(
        "draw",
        events.Draw,
        "a face",
        "draw 4s",
        "draws the top card of the stock; `draw ?` or `draw` where nobody saw it",
        may_be_bare=True,
        draws=True,
    ),
    ActionForm(
        "take",
        events.Take,
        "a card",
        "take 4c x6",
        "takes the discard pile down to a card; `x` and how many cards, if wanted",
        Numbered("x", "count", "count"),
        draws=True,
    ),
    ActionForm(
        "meld",
        events.Meld,
        "plays",
        "meld 5h 6h 7h",
        "lays a new meld; its number may follow, as `m4`",
        _NEW_MELD,
    ),
    ActionForm("lay", events.LayOff, "plays", "lay 8h m1", "lays cards off on a meld", _TARGET),
    ActionForm(
        "swap",
        events.Swap,
        "a card",
        "swap 8c m2",
        "puts a natural card in the place of the wild card that stands for it",
        _TARGET,
    ),
    ActionForm(
        "discard",
        events.Discard,
        "a face",
        "discard Ks",
        "ends the turn with a card on the pile; `discard ?` where it lies face down",
    ),
    ActionForm(
        "rummy",
        events.Call,
        "cards",
        "rummy 4s 5s 6s",
        "calls “Rummy!” on cards of the pile",
        breaks_in=True,
    ),
    ActionForm("buy", events.Buy, "a card", "buy Ks", "buys the last discard out of turn", breaks_in=True),
    ActionForm(
        "challenge",
        events.Challenge,
        "nothing",
        "challenge",
        "contests the last discard as one that could have been melded",
        breaks_in=True,
    ),
    ActionForm("pass", events.Pass, "nothing", "pass", "declines the pile when the stock is empty", draws=True),
)

BY_WORD: Final = {form.word: form for form in ACTIONS}
BY_KIND: Final = {form.kind: form for form in ACTIONS}
VERBS: Final[tuple[str, ...]] = tuple(BY_WORD)
DRAWS: Final = frozenset(form.kind for form in ACTIONS if form.draws)
BREAKS_IN: Final = frozenset(form.kind for form in ACTIONS if form.breaks_in)
