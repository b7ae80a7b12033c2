"""A new rules file, from answers to the questions on which tables differ."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

from meldref.core.diagnostics import Finding
from meldref.core.records import fresh, record
from meldref.core.text import alike, in_words
from meldref.documents.reader import Value, read_data
from meldref.rulefiles.compose import compose
from meldref.rulefiles.files import Found, Name
from meldref.rulefiles.merge import Flattener, Leaves, flow
from meldref.rulefiles.vocabulary import key_paths, node_of, schema
from meldref_authoring.cookbook import Recipe, rule_lines
from meldref_authoring.lint import Basis, review


@record
class Answer:
    """One answer: the word for it, what it means, and the rules it makes, by key path.

    `along` are rules that go with it if they are not what the game says already: a table that
    counts low cards at five counts a low ace the same.
    """

    word: str
    text: str
    says: Mapping[str, Value]
    along: Mapping[str, Value] = fresh(default_factory=dict)


@record
class Question:
    """One question: the name of its option, what it is about, what is asked, and the answers.

    Without answers, it asks for the number of a key.
    """

    name: str
    topic: str
    text: str
    answers: tuple[Answer, ...] = ()
    number: str = ""


def _question(row: Mapping[str, Any]) -> Question:
    answers = tuple(Answer(**answer) for answer in row.get("answers", ()))
    return Question(**{**row, "answers": answers})


_ROWS: Final = read_data(Path(__file__).with_name("wizard_questions.yaml"))
QUESTIONS: Final = tuple(map(_question, _ROWS))
Answers = Mapping[str, str | int]
"""A word, or a number, by the name of a question."""


@record
class House:
    """The id and name of a house's rules, and the game they start from."""

    id: str
    name: str
    game: str = "500-rummy"
    schema: str = ""
    """The schema in the line for editors; without it, there is no such line."""


@record
class Clash:
    """Answers that conflict with each other, or one with the game: which, and why."""

    questions: tuple[str, ...]
    message: str


@record
class _Setting:
    """A line of the new file: a key path, its value, the question, and the answer as a comment."""

    path: tuple[str, ...]
    value: Value
    question: str
    comment: str


@record(frozen=False)
class StartingGame:
    """The game to start from, and its settings, which show what answers differ from it."""

    id: str
    name: str
    leaves: Leaves = fresh(default_factory=dict)

    def differs(self, key: str, value: Value) -> bool:
        """Whether the game has another value at a key."""
        flattener = Flattener("", {})
        outer, *inner = key.split(".")
        for part in reversed(inner):
            value = {part: value}
        flattener.flatten({outer: value})
        for name, leaf in flattener.leaves.items():
            is_set = leaf.value is not None
            if is_set and (name not in self.leaves or self.leaves[name].value != leaf.value):
                return True
        return False

    def says(self, answer: Answer) -> bool:
        """Whether an answer is what the game says already."""
        return not any(self.differs(key, value) for key, value in answer.says.items())

    def number(self, key: str) -> int | None:
        """The number that the game has at a key; None if another key leaves it without effect."""
        ends, leaf = self.leaves.get("game.ends"), self.leaves.get(key)
        if leaf is None or (ends is not None and ends.value == "after_hands"):
            return None
        return leaf.value if isinstance(leaf.value, int) else None


def start_from(game: Name) -> StartingGame | tuple[Finding, ...]:
    """A shipped game to start from, or what is wrong with its name."""
    composed = compose(game, (), (), None)
    if composed.ruleset is None:
        return composed.findings
    return StartingGame(
        composed.ruleset.id,
        composed.ruleset.name,
        composed.stack.merged(frozenset(composed.stack.layers)),
    )


def check_answer(question: Question, word: str) -> str | int:
    """An answer as it is meant: one of the words, or a number.

    Raises:
        ValueError: it is not an answer; the message lists the answers.
    """
    if question.answers:
        words = [answer.word for answer in question.answers]
        if word not in words:
            raise ValueError(f"choose {in_words(words, 'or')}")
        return word
    node = node_of(tuple(question.number.split("."))) or {}
    most = int(node.get("maximum", 1_000_000))
    if not re.fullmatch(r"[0-9]{1,9}", word) or not 0 < int(word) <= most:
        raise ValueError(f"give a whole number from 1 to {most}")
    return int(word)


def write_house(
    house: House, table: StartingGame, answers: Answers, recipes: Sequence[Recipe] = ()
) -> str | tuple[Clash, ...]:
    """The text of a rules file that says what answers add to a game, or which of them clash.

    `recipes` are the house rules that are played. The text has been checked: its rules can be
    played, and each of its settings changes something.
    """
    settings = tuple(_settings(table, answers))
    text = "".join(f"{line}\n" for line in _lines(house, table, settings, recipes))
    # There is no such file: the text is checked. Relative names start in its folder.
    file = Found(Path.cwd() / f"{house.id}.yaml", "the file")
    findings = review(file, text.encode("utf-8", "surrogatepass"), Basis())
    return _clashes(findings, settings) or text


def _settings(table: StartingGame, answers: Answers) -> Iterator[_Setting]:
    """What differs from the game; of two answers about one key, the later counts."""
    settings: dict[str, _Setting] = {}
    for question in QUESTIONS:
        answer = answers.get(question.name)
        if answer is None:
            continue
        text, wanted = _meant(table, question, answer)
        for key, value in wanted.items():
            settings.pop(key, None)
            if table.differs(key, value):
                comment = f"{question.topic}: {text}"
                settings[key] = _Setting(tuple(key.split(".")), value, question.name, comment)
    order = {key: place for place, key in enumerate(key_paths())}

    def place(key: str) -> int:
        table = key.rpartition(".")[0]
        return order.get(key, order.get(table, len(order)))

    for key in sorted(settings, key=place):
        yield settings[key]


def _meant(
    table: StartingGame, question: Question, reply: str | int
) -> tuple[str, Mapping[str, Value]]:
    """An answer in words, and what it says.

    A number is one of points, also where a game ends after some hands.
    """
    if question.answers:
        answer = next(choice for choice in question.answers if choice.word == reply)
        return answer.text, answer.says if table.says(answer) else {**answer.says, **answer.along}
    if reply == table.number(question.number):
        return "", {}
    return f"{reply} points", {"game.ends": "at_target", question.number: reply}


def _lines(
    house: House, table: StartingGame, settings: Sequence[_Setting], recipes: Sequence[Recipe]
) -> Iterator[str]:
    """The lines of the file."""
    if house.schema:
        yield f"# yaml-language-server: $schema={house.schema}"
    yield f"# What is different at our table. Everything else is as in {table.name}:"
    yield f"# `meldref rules show {table.id}` prints it, key by key."
    yield f"id: {house.id}"
    yield f"name: {_text(house.name)}"
    yield f"extends: [{table.id}]"
    if not settings and not recipes:
        yield ""
        yield "# Nothing is different so far. Settings go here, such as"
        yield "# game: {target: 1000}"
    above: tuple[str, ...] = ()
    lines: set[str] = set()
    last = ("", "")
    for setting in settings:
        path = setting.path
        same = alike(path, above)
        if same == 0:
            yield ""
        if last != (path[0], setting.question):
            comment = setting.comment
            if comment in lines:
                comment = f"{comment.partition(': ')[0]}: as above"
            yield f"{'  ' * same}# {comment[0].upper()}{comment[1:]}."
            lines.add(setting.comment)
            last = (path[0], setting.question)
        for depth in range(same, len(path) - 1):
            yield f"{'  ' * depth}{path[depth]}:"
        yield f"{'  ' * (len(path) - 1)}{path[-1]}: {flow(setting.value)}"
        above = path[:-1]
    if recipes:
        yield from ("", "house_rules:")
    for recipe in recipes:
        yield from rule_lines(
            cast("Mapping[str, Mapping[str, Value]]", recipe.writes["house_rules"])
        )


def _text(text: str) -> str:
    """A text as YAML reads it back: without quotes if nothing in it could be misread."""
    is_plain = re.fullmatch(r"[A-Za-z][A-Za-z0-9 ,.'()-]*[A-Za-z0-9.)]", text)
    if is_plain and text.lower() not in {"null", "true", "false"}:
        return text
    return json.dumps(text, ensure_ascii=False)


def _clashes(findings: Sequence[Finding], settings: Sequence[_Setting]) -> tuple[Clash, ...]:
    """The findings about the text that answers would make, each with the answers it comes from.

    The finding about a setting that another one switches off names its key, which nobody who
    answers questions has seen: it is put in other words, and only if nothing else is wrong with the
    answer.
    """
    made = {".".join(setting.path): setting.question for setting in settings}
    clashes: list[Clash] = []
    in_vain: list[Clash] = []
    for finding in findings:
        keys = [note.partition(" = ")[0] for note in finding.notes]
        if finding.rule is not None:
            keys.append(finding.rule.key)
        questions = tuple(dict.fromkeys(made[key] for key in keys if key in made))
        if any(key in finding.message for key in made):
            message = "it would have no effect, since other rules switch it off"
            in_vain.append(Clash(questions, message))
        else:
            clashes.append(Clash(questions, finding.message))
    clashing: set[str] = set()
    for clash in clashes:
        clashing.update(clash.questions)
    more = [clash for clash in in_vain if not clashes or not clashing.issuperset(clash.questions)]
    return (*clashes, *dict.fromkeys(more))


def id_from(text: str) -> str:
    """An id made from a name: lower-case letters, digits and hyphens.

    Empty if the name has none of them.
    """
    slug = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    return slug if re.fullmatch(schema()["properties"]["id"]["pattern"], slug) else ""
