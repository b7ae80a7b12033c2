"""The ten questions on which tables of Rummy 500 really differ, and what each answer says as rules."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from meldref.authoring.own_data import read_data
from meldref.core.records import record
from meldref.documents.reader import Value

_NOTHING: Final[Mapping[str, Value]] = MappingProxyType({})


@record
class Answer:
    """One answer: the word for it, what it means, and the rules it makes, by key path.

    `along` are rules that go with it if they are not what the game says already: a table that counts low cards at
    five counts a low ace the same.
    """

    word: str
    text: str
    says: Mapping[str, Value]
    along: Mapping[str, Value] = _NOTHING


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


QUESTIONS: Final = tuple(
    Question(**{**one, "answers": tuple(Answer(**answer) for answer in one.get("answers", ()))})
    for one in read_data(Path(__file__).with_suffix(".yaml"))
)
