"""Asks a question: arguments in, an answer out, all of it as JSON has it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from meldref_service import (
    completing,
    explained,
    houses,
    logs,
    moves,
    places,
    scores,
    tables,
    taking,
    workshop,
)
from meldref_service.described import check, with_whole_numbers
from meldref_service.session import MOST_SESSIONS, Kept, Session
from meldref_service.told import Answer

ANSWERS: Final[Mapping[str, Callable[..., Answer]]] = MappingProxyType(
    {
        function.__name__: function
        for function in (
            *(moves.legal, moves.play, moves.moves, moves.turns, moves.position, moves.unseen),
            *(moves.fitting, moves.weigh, moves.best, moves.melds),
            *(logs.audit, logs.draft, logs.boards, logs.film, logs.fmt, logs.repair),
            *(
                logs.view,
                logs.infer,
                taking.take_in,
                completing.complete_log,
                scores.score,
                scores.count,
            ),
            *(houses.check_rules, houses.fix_rules, houses.diff),
            *(explained.explain, explained.keys, explained.rulebook),
            *(houses.new_rules, houses.shelf, completing.complete_rules),
            *(workshop.settings, workshop.change_rules, workshop.card_values),
            *(places.outline, places.log_at, places.rules_at, places.source),
            *(tables.begin, tables.sit),
        )
    }
)
"""What answers each question; `questions.schema.json` says what they take and give."""


class Service:
    """Answers questions, each in a session of its name; with none, all are in one.

    It answers one question at a time: threads that share it have to take turns.
    """

    def __init__(self) -> None:
        self._sessions: Kept[Session] = Kept(MOST_SESSIONS)

    def ask(self, question: str, session: str = "", /, **arguments: Any) -> Answer:
        """The answer to a question.

        Raises:
            BadQuestion: there is no such question, or it does not take these arguments.
        """
        return self.answer(question, arguments, session)

    def answer(self, question: object, arguments: object, session: str = "") -> Answer:
        """The answer to a question whose arguments are data from elsewhere; raises as `ask`."""
        check(question, arguments)
        assert isinstance(question, str)
        assert isinstance(arguments, dict)
        kept = self._sessions.get(session, Session)
        return ANSWERS[question](kept, **with_whole_numbers(arguments))
