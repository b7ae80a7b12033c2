"""The questions of `meldref rules new`, one after the other, with a way back and what they mean."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from meldref.core.records import fresh, record
from meldref_cli import output
from meldref_cli.errors import Unusable

if TYPE_CHECKING:
    from meldref_authoring.cookbook import Recipe
    from meldref_authoring.wizard import Answer, Question, StartingGame

BACK: Final = "<"
EXPLAIN: Final = "?"


class Step(Enum):
    """Where an interview goes on after a question."""

    NEXT = 1
    BACK = -1


Ask: TypeAlias = Callable[[], Step]
Fitting: TypeAlias = "Callable[[dict[str, str | int]], list[Recipe]]"
"""Which house rules of the cookbook go with answers."""


@record(frozen=False)
class Interview:
    """Asks for the name of a game, what no option answers, and the house rules, in this order.

    `answers` are given by question; those that are there already are not asked for. On standard
    error, so that the file can go to standard output.
    """

    table: StartingGame
    questions: Sequence[Question]
    answers: dict[str, str | int]
    name: str | None
    recipes: list[Recipe]
    fitting: Fitting
    _numbers: dict[str, int] = fresh(default_factory=dict)

    def hold(self) -> None:
        """Asks everything.

        Raises:
            Unusable: the input ended before the last question.
        """
        output.notice(
            f"Answer with a number; Enter leaves it as it is in {self.table.name},"
            f" {EXPLAIN} explains a question, {BACK} goes back to the one before.\n"
        )
        steps = list(self._steps())
        place = 0
        while place < len(steps):
            place = max(0, place + steps[place]().value)

    def _steps(self) -> Iterator[Ask]:
        if self.name is None:
            yield self._ask_for_name
        unanswered = [question for question in self.questions if question.name not in self.answers]
        for number, question in enumerate(unanswered, start=1):
            self._numbers[question.name] = number
            yield partial(self._ask_question, question)
        if not self.recipes:
            yield self._ask_for_recipes

    def _ask_for_name(self) -> Step:
        output.notice("What do you call your game? (Enter: the name of the file)")
        self.name = _line() or self.name
        return Step.NEXT

    def _ask_question(self, question: Question) -> Step:
        from meldref_authoring.wizard import check_answer

        self._show(question)
        by_number = {str(number): answer for number, answer in enumerate(question.answers, start=1)}
        while text := _line():
            if text == BACK:
                return Step.BACK
            if text == EXPLAIN:
                output.notice_lines("\n".join(explanation(question)))
                continue
            try:
                given = by_number[text].word if text in by_number else check_answer(question, text)
            except ValueError as wrong:
                wanted = f"a number from 1 to {len(by_number)}" if by_number else str(wrong)
                output.notice(f"   {wanted}; Enter leaves it as it is")
            else:
                self.answers[question.name] = given
                break
        return Step.NEXT

    def _show(self, question: Question) -> None:
        """A question with its answers: which the game has, and which was given before."""
        output.notice_lines(f"\n{self._numbers[question.name]}. {question.text}")
        given = self.answers.get(question.name)
        for number, answer in enumerate(question.answers, start=1):
            output.notice(f"   {number}  {answer.text}{self._mark(answer, given)}")
        there = self.table.number(question.number) if question.number else None
        if there is not None:
            output.notice(f"   {there} in {self.table.name}")
        if given is not None and not question.answers:
            output.notice(f"   {given} by your answer")

    def _mark(self, answer: Answer, given: str | int | None) -> str:
        if answer.word == given:
            return "   (your answer)"
        return f"   ({self.table.name})" if self.table.says(answer) else ""

    def _ask_for_recipes(self) -> Step:
        """Asks which of the most common house rules are played; the end of the answers is none."""
        offered = self.fitting(self.answers)
        if not offered:
            return Step.NEXT
        output.notice_lines(
            "\nWhich of these house rules do you play? Numbers, such as 2 5; Enter: none."
        )
        numbers = {str(number): recipe for number, recipe in enumerate(offered, start=1)}
        for number, recipe in numbers.items():
            output.notice(f"   {number:>2}  {recipe.say}")
        while True:
            try:
                text = _line()
            except Unusable:
                return Step.NEXT
            if text == BACK:
                return Step.BACK
            words = text.replace(",", " ").split()
            if numbers.keys() >= set(words):
                self.recipes = [numbers[word] for word in dict.fromkeys(words)]
                return Step.NEXT
            output.notice(f"   numbers from 1 to {len(offered)}; Enter: none")


def explanation(question: Question) -> Iterator[str]:
    """What a question is about: the keys that its answers set, and what each of them says."""
    from meldref.rulefiles.merge import flow
    from meldref.rulefiles.vocabulary import describe_key

    keys = dict.fromkeys(key for answer in question.answers for key in answer.says)
    if question.number:
        keys[question.number] = None
    for path in keys:
        key = describe_key(path)
        yield f"   {path}: {key.text if key is not None else ''}"
    for number, answer in enumerate(question.answers, start=1):
        settings = ", ".join(f"{path}: {flow(value)}" for path, value in answer.says.items())
        yield f"   {number} writes {settings}"


def _line() -> str:
    """A line that somebody typed; `Unusable` if there is none left."""
    sys.stdout.flush()
    sys.stderr.write("> ")
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        output.notice("")
        raise Unusable("the input ended before the last question; nothing was written")
    return line.strip()
