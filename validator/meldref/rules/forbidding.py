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
from meldref.core.records import NamedTuple
from meldref.notation.actions import BY_KIND
from meldref.position.model import Position, TurnState
from meldref.rules.base import HOW_TO_SAY_HAND, Check, Undecided, Violation
from meldref.rules.bound import Bound
from meldref.rules.supposing import Supposed

OF_CARDS: Final = (
    *(PLAYER["hand"], PLAYER["held"], PLAYER["can_meld"]),
    *(LISTS["pile"], *CARD.values()),
)
"""What may differ from one discard to another."""
_OF_NUMBERS: Final = (*OF_CARDS, PLAYER["cards"])
"""What may differ between an end with a discard and one without."""
_WITH_CARD: Final = (Discard, Take, Swap)
ENDING: Final[tuple[type[Action], ...]] = (Discard, Meld, LayOff, Swap, Pass)
"""The actions with which a turn or call may end."""
Asked: TypeAlias = "Sequence[tuple[Bound, bool]]"
"""House rules to be asked in order, each with whether it is about the end of the turn."""


class _TurnEnd(NamedTuple):
    """The end of a turn: the position then, the turn, and the card thrown, if one is."""

    position: Position
    turn: TurnState
    thrown: Card | None


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
        self.of_all_ends = [
            ban for ban in self.of_ends if facts_of(ban.term).isdisjoint(_OF_NUMBERS)
        ]
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
        # By a name of its own: the compiler takes what was asked once for what it stays.
        is_spent = EFFORT.house.over
        if is_spent:
            return None
        view = self._view
        candidates = self.candidates(position, action)
        sees_end: bool | None = None
        end: _TurnEnd | None = None
        end_is_worked_out = False
        undecided: Undecided | None = None
        applies: Truth
        for ban, at_end in questions:
            if at_end:
                if not end_is_worked_out:
                    end = self._end(position, action)
                    end_is_worked_out = True
                if end is None:
                    continue
                if sees_end is not True:
                    view.look_at_end(*end)
                applies = self._applies_at_end(ban, end, candidates)
            else:
                if sees_end is not False:
                    view.look(position, action)
                is_of_any = candidates and ban.of_card
                applies = answer(ban.ask, view, candidates) if is_of_any else ban.ask(view)
            sees_end = at_end
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

    def _applies_at_end(self, ban: Bound, end: _TurnEnd, candidates: Sequence[Card]) -> Truth:
        """Whether a ban applies to the end looked at, whichever card may have been thrown."""
        view = self._view
        applies: Truth = ban.ask(view)
        if not applies or end.thrown != UNKNOWN:
            return applies
        answers: set[Truth] = set()
        for card in candidates:
            answers.add(ban.ask(view.look_at_end(end.position, end.turn, card)))
            if len(answers) > 1:
                break
        view.look_at_end(*end)
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
        turn = position.turn
        seat, forbids = turn.seat, self.check(Discard)
        if turn.call is not None or position.unknown[seat] or not position.held[seat]:
            self._view.look_at_end(position, turn, None)
            return any(ban.ask(self._view) for ban in self.of_all_ends)
        return forbids is not None and all(
            type(forbids(position, Discard(card))) is Violation
            for card in dict.fromkeys(each(position.hands[seat]))
        )

    def carried_out(self, position: Position, action: Action) -> Position:
        """A position that is tried on, once an action is carried out in it."""
        assert self.carry_out is not None
        return self.carry_out(position, action)

    def _end(self, position: Position, action: Action) -> _TurnEnd | None:
        """How an action ends its turn; None if it does not."""
        turn = position.turn
        if isinstance(action, Discard):
            return _TurnEnd(position, turn, action.card)
        if isinstance(action, Pass):
            return _TurnEnd(position, turn, None)
        assert isinstance(action, (Meld, LayOff, Swap))
        laid = 1 if isinstance(action, Swap) else len(action.cards)
        if position.held[turn.seat] > laid and (turn.call is None or isinstance(action, Swap)):
            return None
        before = position.copy()
        turn = before.turn
        after = self.carried_out(before, action)
        if after.turn is turn and not after.begins:
            return None
        return _TurnEnd(after, turn, None)


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
    numbered = any(not facts_of(term).isdisjoint(HAND_FACTS.values()) for term in terms)
    if memory is not None and memory.hand is None and numbered:
        return f"the number of the hand, which nobody said ({HOW_TO_SAY_HAND})"
    return ""
