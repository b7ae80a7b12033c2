"""A program asked all questions, and what it got wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

from meldref.core.records import record
from meldref_authoring.conformance.kit import KEYS, Question, differing
from meldref_authoring.conformance.program import Program, Silence

MOST_ENDINGS: Final = 5
"""How often a program is started anew after it fell silent; after that, nothing more is asked."""


class Mark(StrEnum):
    """How a question was answered."""

    RIGHT = "right"
    WRONG = "wrong"
    SKIPPED = "skipped"
    """The program says that it cannot answer it."""
    FAILED = "failed"
    """The program says that it failed, or fell silent."""


@record
class Answered:
    """A question with its answer.

    `differs`: the keys in which a wrong answer is not what is expected; `why`: what was said of
    one that was skipped or failed.
    """

    question: Question
    mark: Mark
    answer: Mapping[str, Any]
    differs: tuple[str, ...] = ()
    why: str = ""


def asked(
    command: Sequence[str],
    questions: Iterable[Question],
    *,
    keys: Sequence[str] = KEYS,
    limit: float = 10,
) -> Iterator[Answered]:
    """Asks a program, which has `limit` seconds for each answer; `keys`: those that are compared.

    A program that falls silent is started anew, a few times.

    Raises:
        OSError: the command cannot be started.
        Silence: it does not introduce itself, or fell silent too often.
    """
    program = Program(command, limit)
    endings = 0
    try:
        for question in questions:
            try:
                answer = program.ask(question)
            except Silence as silence:
                yield Answered(question, Mark.FAILED, {}, why=str(silence))
                program.kill()
                endings += 1
                if endings > MOST_ENDINGS:
                    raise Silence(f"it was started {endings} times; last, {silence}") from None
                program = Program(command, limit)
                continue
            yield _marked(question, answer, keys)
    finally:
        program.stop()


def _marked(question: Question, answer: Mapping[str, Any], keys: Sequence[str]) -> Answered:
    if "skipped" in answer:
        return Answered(question, Mark.SKIPPED, answer, why=str(answer["skipped"]))
    if "error" in answer:
        return Answered(question, Mark.FAILED, answer, why=str(answer["error"]))
    wrong = differing(question, answer, keys)
    return Answered(question, Mark.WRONG if wrong else Mark.RIGHT, answer, differs=tuple(wrong))
