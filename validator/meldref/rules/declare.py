"""How a rule says what it is, where it is written: the one home of facts about rules and codes.

What needs such a fact asks for it here: the order in which rules are asked (`registry`), the codes
that a ruleset can lead to (`authoring.coverage`), the keys that have no effect
(`rulefiles.consistency`), the rules that a plain turn may skip (`engine.judge`), actions that
cannot be carried out (`replay.turn`), and the suggestions that fit a violation
(`moves.suggestions`).
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, IntEnum, auto
from operator import attrgetter
from typing import Any, Final, Literal, TypeAlias, TypeVar

from meldref.core.diagnostics import Severity
from meldref.core.events import Action
from meldref.core.records import NamedTuple, record
from meldref.ruleset.model import Ruleset

Where: TypeAlias = Callable[[Ruleset], bool]
Evidence: TypeAlias = Literal["contradiction", "conduct", "whose", "by itself"]
"""What a violation says of a log: it cannot be so, somebody did it, this one of all players did, or
did it as only that line shows."""
_Bind = TypeVar("_Bind", bound=Callable[..., Any])


class Stage(IntEnum):
    """When a rule is asked about an action: what has to be put right first is asked first."""

    TURN = auto()
    """Whether it has come to this action at all."""
    CARDS = auto()
    """Whether the cards are there."""
    TARGET = auto()
    """Whether the meld it goes to is there."""
    CALL = auto()
    """What belongs to a call."""
    PLAY = auto()
    """The action by itself."""
    OWED = auto()
    """What has to be done first, or still."""
    LAST = auto()
    """What is left after it."""


class Suggest(Enum):
    """Where what would have been legal is looked for, once a violation is found."""

    NEAREST = "nearest"
    """Other actions in the place of this one."""
    RESHUFFLE = "reshuffle"
    """The turn begins, and the pile is reshuffled if that is due."""
    SHORTER = "shorter"
    """The turn with fewer plays."""
    DISCARD = "discard"
    """What ends the turn."""
    CALLED = "called"
    """What ends the call, once it is over; before, other calls."""
    ANYBODY = "anybody"
    """This call by others, and other calls."""
    NEXT = "next"
    """What the player may do whose turn it is."""
    AFTER = "after"
    """What this player may still do; after a turn that is over, what the next one may."""


class Code(NamedTuple):
    """What follows from a violation with this code.

    `where` says under which rulesets it can be found (None: under all); `undone`: the action cannot
    be carried out, or not quite, as it was written; `impossible`: it cannot have been done at all
    in that position; `not_there`: a card is not where it is said to be; `too_often`: a card is
    named more often than the deck has it; `ambiguous`: it can be meant in several ways; `evidence`:
    whether it is a contradiction, which shows that something was written wrongly, or conduct, which
    anybody can do at a table, though no rule allows it; `conduct_by`: keys by which it is conduct
    all the same; `suggest`: where suggestions are looked for; `severity`: whether it is a violation,
    or only pointed out.
    """

    code: str
    where: Where | None = None
    undone: bool = False
    impossible: bool = False
    not_there: bool = False
    too_often: bool = False
    ambiguous: bool = False
    evidence: Evidence = "contradiction"
    conduct_by: tuple[str, ...] = ()
    suggest: Suggest = Suggest.NEAREST
    severity: Severity = Severity.ERROR


class Rule(NamedTuple):
    """A rule about actions.

    `bind` makes its check for a ruleset, None if the ruleset does not have the rule.
    `silent_in_plain_turns`: it has nothing to say where nothing was taken, called or exchanged
    (`TurnState.plain`).
    """

    bind: Callable[..., Any]
    codes: tuple[str, ...]
    actions: tuple[type[Action], ...]
    stage: Stage
    silent_in_plain_turns: bool


@record
class IsSet:
    """That a key has one of some values."""

    key: str
    values: tuple[object, ...]

    def __call__(self, rules: Ruleset) -> bool:
        """Whether it has under a ruleset."""
        return attrgetter(self.key)(rules) in self.values


class Switch(NamedTuple):
    """Keys that have no effect where another key says something else."""

    keys: tuple[str, ...]
    by: str
    off: Where


CODES: Final[dict[str, Code]] = {}
"""Every code that was declared."""
RULES: Final[list[Rule]] = []
"""Every rule about actions, in the order of their declarations."""
SWITCHES: Final[list[Switch]] = []
"""Every reason why a key has no effect."""


def code(name: str, where: Where | None = None, **facts: Any) -> None:
    """Declares a code with the facts that `Code` has, in the module of the rule that finds it."""
    assert name not in CODES, name
    CODES[name] = Code(name, where, **facts)


def rule(
    *codes: str,
    actions: tuple[type[Action], ...],
    stage: Stage,
    silent_in_plain_turns: bool = False,
) -> Callable[[_Bind], _Bind]:
    """Declares a rule about actions, with the codes it finds; see `Rule`."""

    def declared(bind: _Bind) -> _Bind:
        RULES.append(Rule(bind, codes, actions, stage, silent_in_plain_turns))
        return bind

    return declared


def is_set(key: str, *values: object) -> IsSet:
    """What tells whether a ruleset has one of some values at a key, such as `calls.of`."""
    return IsSet(key, values)


def no_effect(*keys: str, by: str, at: object = None, where: Where | None = None) -> None:
    """Declares that keys have no effect if another one, `by`, has a value; or a ruleset is so."""
    SWITCHES.append(Switch(keys, by, where or is_set(by, at)))


def facts(name: str) -> Code:
    """What is declared of a code.

    The usual facts for one that nobody declared, such as a ban of house rules.
    """
    return CODES.get(name) or Code(
        name, evidence="conduct" if name.startswith("house.") else "contradiction"
    )
