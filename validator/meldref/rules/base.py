"""What the rule modules are made of: violations, and what a rule is bound to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from meldref.core.diagnostics import Edit
from meldref.core.events import Action, LayOff, Meld, Swap
from meldref.core.records import NamedTuple, hidden, record
from meldref.position.model import Position, TurnState
from meldref.position.turn import Place
from meldref.ruleset.model import Ruleset, opposite

HOW_TO_SAY_HAND: Final = "`hand` in a position, --hand-number beside --hand"
"""How the number of a hand is said where a log does not count it."""


class Violation(NamedTuple):
    """What a check found.

    `key` is the ruleset key that says so where it is not the first of the code's page (empty: none
    does); `place` is set where the finding stands elsewhere than at the action judged; `before` is
    the position from which the help is worked out (None: as things stand), `notes` are facts behind
    the sentence, `keys` all keys that had a part in a score, `player` whose score it is,
    `written` the word of the place that is wrong, where that is not all of it, `edits` what
    mends it, if there is no doubt.
    """

    code: str
    message: str
    key: str | None = None
    place: Place | None = None
    notes: tuple[str, ...] = ()
    before: Position | None = None
    keys: tuple[str, ...] = ()
    player: str | None = None
    written: str = ""
    edits: tuple[Edit, ...] = ()


class Undecided(NamedTuple):
    """What a check cannot tell because cards are unknown."""

    what: str


A = TypeVar("A", bound=Action)

Check: TypeAlias = Callable[[Position, A], "Violation | Undecided | None"]
"""Looks at a position and an action about to happen; changes neither."""


class HouseBans(Protocol):
    """What the other rules ask of the bans among house rules; `rules.house.House` answers."""

    def check(self, kind: type[Action]) -> Check[Any] | None:
        """The check of the bans on a kind of action, if there are any."""

    def bans_on(self, *kinds: type[Action]) -> bool:
        """Whether there are bans on some kinds of play."""

    def forbids(
        self,
        position: Position,
        seat: int,
        play: Meld | LayOff | Swap,
        turn: TurnState | None = None,
    ) -> bool | None:
        """Whether a ban forbids a play that is only supposed; None: open."""

    def carry_out(self, position: Position, action: Action) -> Position:
        """A position that plays are tried on, after an action."""


@record
class Binding:
    """What a rule is bound to: settings, number of players, and bans of house rules, if any.

    `back` says that it is for hands in which the turn passes against the clock, where the direction
    alternates.
    """

    ruleset: Ruleset
    players: int
    bans: HouseBans | None = hidden(default=None)
    back: bool = False

    @property
    def step(self) -> int:
        """1 where the turn passes clockwise, else -1."""
        return -1 if self.back else self.deal_step

    @property
    def deal_step(self) -> int:
        """1 where the deal passes clockwise, else -1: as the turn does in the first hand."""
        return -1 if self.ruleset.players.direction == "counterclockwise" else 1

    def partners(self, seat: int, other: int) -> bool:
        """Whether two seats are on one side: they face each other across the table."""
        away = opposite(self.ruleset, self.players)
        return bool(away) and (seat - other) % away == 0
