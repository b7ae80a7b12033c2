"""Bans of house rules: on actions, and on the ends of turns that actions are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from meldref.conditions.bind import answer, facts_of
from meldref.conditions.facts import CARD, HAND_FACTS, LISTS, PLAYER
from meldref.conditions.types import END, Term, Truth
from meldref.conditions.view import Tools, View
from meldref.core.cards import UNKNOWN, Card, each
from meldref.core.effort import EFFORT
from meldref.core.events import Action, Discard, LayOff, Meld, Pass, Swap, Take
from meldref.notation.actions import BY_KIND
from meldref.position.model import Position, TurnState
from meldref.rules.base import HOW_TO_SAY_HAND, Check, Undecided, Violation
from meldref.rules.bound import Bound
from meldref.rules.supposing import Supposed

OF_CARDS: Final = (
    *(PLAYER["hand"], PLAYER["cards"], PLAYER["held"], PLAYER["can_meld"]),
    *(LISTS["pile"], *CARD.values()),
)
_WITH_CARD: Final = (Discard, Take, Swap)
ENDING: Final[tuple[type[Action], ...]] = (Discard, Meld, LayOff, Pass)
"""The actions with which a turn or call may end."""
Asked: TypeAlias = "Sequence[tuple[Bound, bool]]"
"""House rules to be asked in order, each with whether it is about the end of the turn."""


class Bans:
    """The bans of a ruleset. `carry_out` does an action on a position that is tried on."""

    def __init__(self, bans: Sequence[Bound], tools: Tools, view: View) -> None:
        self.supposed = Supposed(bans, tools)
        bans = self.supposed.bans
        self.carry_out: Callable[[Position, Action], Position] | None = None
        self.of_ends = [ban for ban in bans if END in ban.rule.forbid]
        self._asked_at_stops = tuple([(ban, True) for ban in self.of_ends])
        self.rules: Final = bans
        self._view = view
        self._checks: dict[type[Action], Check[Any] | None] = {}
        self.of_all_ends = [ban for ban in self.of_ends if facts_of(ban.term).isdisjoint(OF_CARDS)]
        """Those on ends that say the same of all discards, and if there is none."""

    def check(self, kind: type[Action]) -> Check[Any] | None:
        """What the bans on a kind of action say, and on the ends of turns that it may be."""
        if kind not in self._checks:
            self._checks[kind] = self.on(kind, self.rules)
        return self._checks[kind]

    def asked(self, kind: type[Action], bans: Sequence[Bound]) -> Asked:
        """Those bans that are about a kind of action, or about the ends of turns that it may be."""
        words = (BY_KIND[kind].word, END) if kind in ENDING else (BY_KIND[kind].word,)
        return tuple(
            [(ban, word is END) for ban in bans for word in words if word in ban.rule.forbid]
        )

    def on(self, kind: type[Action], bans: Sequence[Bound]) -> Check[Any] | None:
        """The check of a kind of action by some bans; None if none of them is about it."""
        questions = self.asked(kind, bans)
        if not questions:
            return None
        if not self.supposed.of_themselves:
            return partial(self._judged, questions)

        def check(position: Position, action: Any) -> Violation | Undecided | None:
            with self.supposed.one_question():
                return self._judged(questions, position, action)

        return check

    def _judged(
        self, questions: Asked, position: Position, action: Any
    ) -> Violation | Undecided | None:
        """What the first of some bans says that applies; those on ends only where it ends the turn.

        Once house rules have taken all the work they may, nothing.
        """
        if EFFORT.house.over:
            return None
        view = self._view
        candidates = (
            self.candidates(position, action) if getattr(action, "card", None) == UNKNOWN else ()
        )
        looked: bool | None = None
        over: tuple[Position, TurnState, Card | None] | None = None
        first = True
        undecided: Undecided | None = None
        for ban, at_end in questions:
            if at_end is not looked:
                if not at_end:
                    view.look(position, action)
                else:
                    over, first = self._ends(position, action) if first else over, False
                    if over is None:
                        continue
                    view.look_at_end(*over)
                looked = at_end
            applies = (
                answer(ban.ask, view, candidates)
                if candidates and ban.of_card and not at_end
                else ban.ask(view)
            )
            if applies and at_end and over is not None and over[2] == UNKNOWN:
                applies = self._whatever_was_thrown(ban, over, candidates)
            if applies is False:
                continue
            if EFFORT.house.over:
                return None
            if applies:
                name = ban.rule.name
                return Violation(f"house.{name}", ban.rule.says, key=f"house_rules.{name}")
            what = f"whether the house rule {ban.rule.name} forbids this depends on"
            undecided = undecided or Undecided(
                f"{what} {unsaid([ban.term], position) or 'cards or turns nobody saw'}"
            )
        return undecided

    def _whatever_was_thrown(
        self, ban: Bound, over: tuple[Position, TurnState, Card | None], candidates: Sequence[Card]
    ) -> Truth:
        """Whether a ban applies at the end of a turn, for each card that may have been thrown."""
        position, turn, _ = over
        answers: set[Truth] = set()
        for card in candidates:
            answers.add(ban.ask(self._view.look_at_end(position, turn, card)))
            if len(answers) > 1:
                break
        self._view.look_at_end(*over)
        return answers.pop() if len(answers) == 1 else None

    def candidates(self, position: Position, action: Action) -> Sequence[Card]:
        """What the unseen card of an action may be; nothing if it is known or there is none."""
        if getattr(action, "card", None) != UNKNOWN or not isinstance(action, _WITH_CARD):
            return ()
        self._view.look(position, action)
        row = self._view.hand(position.turn.seat)
        pool = self._view.unseen_pool() if row.more else row.pool
        unseen = each(pool) if row.unseen or row.more else ()
        return tuple(dict.fromkeys([*row.known, *unseen]))

    def stops(self, position: Position) -> Violation | Undecided | None:
        """Whether a call may be left as it is, without a discard."""
        return self._judged(self._asked_at_stops, position, Pass())

    def keeps_open(self, position: Position) -> bool:
        """Whether a turn or call may not end as it is, whatever is thrown."""
        self._view.look_at_end(position, position.turn, None)
        return any(ban.ask(self._view) for ban in self.of_all_ends)

    def carried_out(self, position: Position, action: Action) -> Position:
        """A position that is tried on, once an action is carried out in it."""
        assert self.carry_out is not None
        return self.carry_out(position, action)

    def _ends(
        self, position: Position, action: Action
    ) -> tuple[Position, TurnState, Card | None] | None:
        """The position after an action that ends its turn, the turn, and the discard; else None."""
        turn = position.turn
        if isinstance(action, Discard):
            return position, turn, action.card
        if isinstance(action, Pass):
            return position, turn, None
        assert isinstance(action, (Meld, LayOff))
        if turn.call is None and position.held[turn.seat] > len(action.cards):
            return None
        before = position.copy()
        turn = before.turn
        after = self.carried_out(before, action)
        return None if after.turn is turn and not after.begins else (after, turn, None)


def unsaid(terms: Collection[Term], position: Position) -> str:
    """What conditions ask that the log does not say, and how it could say it; empty: nothing."""
    memory = position.memory
    if (
        memory is not None
        and None in memory.totals
        and any(PLAYER["total"] in facts_of(term) for term in terms)
    ):
        return (
            "the totals before this hand, which nobody said "
            "(`totals` in a position, --totals beside --hand, `total` in a log)"
        )
    numbered = any(HAND_FACTS["number"] in facts_of(term) for term in terms)
    if memory is not None and memory.hand is None and numbered:
        return f"the number of the hand, which nobody said ({HOW_TO_SAY_HAND})"
    return ""
