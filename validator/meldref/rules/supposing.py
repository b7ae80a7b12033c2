"""What house rules forbid of plays that nobody made: somebody asks whether they are possible.

A ban that asks about such plays itself is not asked again while it is being worked out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, TypeAlias

from meldref.conditions.bind import Ask, facts_of
from meldref.conditions.types import Term, Truth
from meldref.conditions.view import Tools, View
from meldref.core.events import Action, LayOff, Meld, Swap
from meldref.notation.actions import BY_KIND
from meldref.position.model import Position, TurnState, on_turn
from meldref.rules.bound import Bound

Play: TypeAlias = "Meld | LayOff | Swap"
PLAYS: Final[tuple[type[Action], ...]] = (Meld, LayOff, Swap)
MOST_SUPPOSED: Final = 1_000
"""The most plays looked at while bans are worked out that ask about plays; whatever is left is
open."""
_SUPPOSING: Final = frozenset(("fits", "can_meld"))
"""The facts that ask whether something could be played."""
_LASTING: Final = frozenset(
    (
        *("cards", "pile", "stock.size", "turn.drew", "turn.taken", "turn.is_call"),
        *("hand.number", "hand.is_last", "hand.contract", "hand.first_points"),
        *("player.turns", "player.total", "player.had_melded", "player.buys", "player.is_dealer"),
        *("player.had_contract", "player.calls"),
    )
)
"""Facts that no play changes, those of the action's card and meld apart."""
_GREATER: Final = {">": True, ">=": True, "<": False, "<=": False}
"""Whether a comparison says that its first number is the greater one."""
_OF_ONE: Final = frozenset(("owner", "is_new", "kind", "rank", "suit"))
"""Facts of a meld that are the same however many cards are laid off on it."""


class Supposed:
    """The bans of a ruleset, asked of plays that nobody made.

    `bans` are all of them, to be asked instead of those given: they notice when they are being
    worked out.
    """

    def __init__(self, bans: Sequence[Bound], tools: Tools) -> None:
        self._tools = tools
        self._worked_out: list[str] = []
        self._question = False
        self._left = 0
        self._known: dict[object, Truth] = {}
        """What was found in the question under way, with some bans being worked out."""
        words = {kind: BY_KIND[kind].word for kind in PLAYS}
        self.of_themselves = {
            ban.rule.name
            for ban in bans
            if _asks(ban.term, _SUPPOSING) and not set(words.values()).isdisjoint(ban.rule.forbid)
        }
        """Bans on plays that ask about plays: what they say has to be worked out each time."""
        self.bans = tuple(
            [self._noticed(ban) if ban.rule.name in self.of_themselves else ban for ban in bans]
        )
        self._on = {
            kind: [ban for ban in self.bans if word in ban.rule.forbid]
            for kind, word in words.items()
        }
        on_plays = [ban for bans in self._on.values() for ban in bans]
        self.lifted = any(_changes(ban.term) for ban in on_plays)
        """Whether a play that is forbidden may be allowed once others were made."""
        self.together = any(_relieved(ban.term) for ban in self._on[LayOff])
        """Whether cards may be laid off together of which none may be laid off by itself."""

    def any_on(self, *kinds: type[Action]) -> bool:
        """Whether there are bans on some kinds of play."""
        return any(self._on[kind] for kind in kinds)

    def forbids(
        self, position: Position, seat: int, play: Play, turn: TurnState | None = None
    ) -> Truth:
        """Whether a ban forbids a play by a player, as if it were their turn; None: open.

        `turn` is theirs where it is another one than the position's. Bans on the ends of turns are
        not asked.
        """
        bans = self._on[type(play)]
        if not bans:
            return False
        if not self._worked_out:
            with on_turn(position, seat, turn):
                return self._forbidden(bans, View(self._tools).look(position, play))
        question = id(position), seat, id(turn), play, frozenset(self._worked_out)
        if question not in self._known:
            self._left -= 1
            if self._left < 0:
                return None
            with on_turn(position, seat, turn):
                self._known[question] = self._forbidden(
                    bans, View(self._tools).look(position, play)
                )
        return self._known[question]

    @contextmanager
    def one_question(self) -> Iterator[None]:
        """Bans asked here are about one thing, and together do the work of one question."""
        self._begin()
        self._question = True
        try:
            yield
        finally:
            self._question = False

    def _begin(self) -> None:
        self._left = MOST_SUPPOSED
        self._known.clear()

    def _forbidden(self, bans: Sequence[Bound], view: View) -> Truth:
        forbidden: Truth = False
        for ban in bans:
            if ban.rule.name in self._worked_out:
                continue
            applies: Truth = ban.ask(view)
            if applies:
                return True
            if applies is None:
                forbidden = None
        return forbidden

    def _noticed(self, ban: Bound) -> Bound:
        """A ban that notices when it is being worked out."""
        ask, name, worked_out = ban.ask, ban.rule.name, self._worked_out

        def noticing(view: View) -> Truth:
            if not worked_out and not self._question:
                self._begin()
            worked_out.append(name)
            try:
                truth: Truth = ask(view)
            finally:
                worked_out.pop()
            return truth

        noticing_ask: Ask = noticing
        return ban._replace(ask=noticing_ask)


def _asks(term: Term, names: Collection[str]) -> bool:
    """Whether a condition asks one of some facts."""
    return any(fact.name in names for fact in facts_of(term))


def _grows(term: Term) -> bool:
    """Whether an expression asks how many cards are laid off, or what they make of the meld."""
    if term.op != "fact":
        return any(_grows(part) for part in term.parts)
    name = term.value.name
    return (
        name == "cards" if term.subject == "top" else term.subject == "meld" and name not in _OF_ONE
    )


def _turns(term: Term) -> bool:
    """Whether a number in a condition may become less with more cards laid off."""
    less = term.op in {"add", "times"} or (
        term.op == "fact" and term.value.name in {"lowest", "points"}
    )
    return less or any(map(_turns, term.parts))


def _relieved(term: Term, *, truth: bool = True) -> bool:
    """Whether more cards laid off may change whether a condition on a lay-off holds.

    Numbers of cards grow with them; `meld.size > 4` stays true.
    """
    if term.op == "not":
        return _relieved(term.parts[0], truth=not truth)
    if term.op in {"and", "or"}:
        return any(_relieved(part, truth=truth) for part in term.parts)
    if term.op == "compare" and term.value in _GREATER and not _turns(term):
        left, other = term.parts
        return _grows(other if truth is _GREATER[term.value] else left)
    return _grows(term)


def _changes(term: Term) -> bool:
    """Whether a condition about a play may change with other plays."""
    if term.op != "fact":
        return any(_changes(part) for part in term.parts)
    subject, name = term.subject, term.value.name
    if name in _SUPPOSING:
        return True
    return (
        subject not in {"meld", "card", "it"}
        and f"{subject}.{name}".removeprefix("top.") not in _LASTING
    )
