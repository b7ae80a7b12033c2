"""The sentences of a rulebook, from `sentences.yaml`: which ones a ruleset has, in what words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from operator import attrgetter
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, TypeAlias, cast

from meldref.core.records import fields_of, record
from meldref.core.text import in_words
from meldref.documents.reader import read_data
from meldref.ruleset.model import ByPlayers, Kind, Ruleset
from meldref_authoring.rulebook import phrases
from meldref_authoring.rulebook.model import Block, Items, Sentence
from meldref_authoring.rulebook.words import capital, rank_plural, span

_FILE: Final = Path(__file__).with_name("sentences.yaml")
_PLACE: Final = re.compile(r"\{([^}]+)\}")
_ABOUT_KEY: Final = re.compile(
    r"(?P<key>[a-z_.]+\.[a-z_]+) (?P<verb>is|has)(?P<not> not)? (?P<word>\S+)"
)


def shared() -> Mapping[str, Any]:
    """The file's shared parts (conditions, phrases and formats) and its sentences."""
    value: Mapping[str, Any] = read_data(_FILE)
    return value


@record
class Says:
    """A sentence of the file: the keys it says something about, when it is said, and how.

    `own` are the phrases that only this sentence has, its whole text among them.
    """

    keys: tuple[str, ...]
    condition: str | None
    own: Mapping[str, Any]

    def write(self, ruleset: Ruleset) -> str | None:
        """What it says of a ruleset; None if the rules leave nothing to say."""
        words = Words(ruleset, self.own)
        if self.condition is not None and not words.holds(self.condition):
            return None
        text = words.said(self.own["text"])
        return text and capital(text)

    def of(self, ruleset: Ruleset) -> Sentence | None:
        """The sentence about a ruleset, with those of its keys that it was made from."""
        noted, read = noting(ruleset)
        text = self.write(noted)
        if text is None:
            return None
        return Sentence(text, tuple(key for key in self.keys if key in read))


@record
class Words:
    """The words of one sentence about a ruleset, or part of one.

    `own` are the phrases of only this sentence.
    """

    rules: Any
    own: Mapping[str, Any]

    def said(self, text: Any) -> str | None:
        """A text of the file as it is said of the ruleset; None if nothing is."""
        if isinstance(text, str):
            return _PLACE.sub(lambda place: self._filled(place[1]), text)
        if isinstance(text, list):
            return next(self._phrases(text), None)
        if text is None:
            return None
        ((name, inner),) = text.items()
        if name in {"and", "or"}:
            return in_words(self._phrases(inner), name) or None
        if "." in name and " " not in name:
            return self.said(inner.get(_word(self._value(name))))
        return self.said(inner) if self.holds(name) else None

    def _phrases(self, parts: Iterable[Any]) -> Iterator[str]:
        """Those of some texts that apply to the ruleset."""
        for part in parts:
            phrase = self.said(part)
            if phrase is not None:
                yield phrase

    def holds(self, condition: str) -> bool:
        """Whether a condition holds: `and` binds closer than `or`."""
        alternatives = condition.split(" or ")
        return any(all(map(self._is, alternative.split(" and "))) for alternative in alternatives)

    def _is(self, condition: str) -> bool:
        about_key = _ABOUT_KEY.fullmatch(condition)
        if about_key is None:
            name = condition.removeprefix("not ")
            conditions = shared()["conditions"]
            holds = self.holds(conditions[name]) if name in conditions else self._named(name)
            return bool(holds) == (name == condition)
        value = self._value(about_key["key"])
        word = about_key["word"]
        if "." in word:  # another key
            word = _word(self._value(word))
        words = [*map(str, value)] if about_key["verb"] == "has" else [_word(value)]
        return (word in words) == (about_key["not"] is None)

    def _filled(self, place: str) -> str:
        """What replaces a name in braces."""
        if "." not in place:
            return str(self._named(place) or "")
        if " " not in place:
            return _word(self._value(place))
        form, key, *noun = place.split(" ", 2)
        value = self._value(key)
        if form in shared()["formats"]:
            return str(shared()["formats"][form][_word(value)])
        return phrases.FORMATS[form](value, *noun)

    def _named(self, name: str) -> object:
        """A phrase, or a fact that is worked out."""
        text = self.own.get(name, shared()["phrases"].get(name))
        return phrases.WORKED_OUT[name](self.rules) if text is None else self.said(text)

    def _value(self, key: str) -> Any:
        return attrgetter(key)(self.rules)


def _word(value: object) -> str:
    """The value of a key as a condition names it."""
    if value is None:
        return "unset"
    return "empty" if value == () else str(value)


Part: TypeAlias = "tuple[Says, ...] | Callable[[Ruleset], Block | None] | str"
"""A paragraph, what makes a list or a table, or the name of examples in their package."""


@record
class Chapter:
    """A chapter of every rulebook, in which examples follow what they show.

    Left out where it says nothing.
    """

    title: str
    parts: Sequence[Part]


def _kind(kind: Kind) -> Sentence:
    """What is said of a kind of meld, whose sizes and ranks are phrases of its own."""
    own = {
        **shared()["kind"],
        "sizes": span(kind.min_size, kind.max_size, "card"),
        "ranks": in_words(map(rank_plural, kind.only or ()), "or"),
    }
    sentence = str(Words(SimpleNamespace(kind=kind), own).said(own["text"]))
    ordered = kind.is_run and phrases.has_aces(kind)
    parts = ("size", "require", "ace") if ordered else ("size", "require")
    keys = tuple(f"melds.kinds.{kind.name}.{part}" for part in parts)
    return Sentence(capital(sentence), keys, capital(phrases.kind_name(kind)))


LISTS: Final[Mapping[str, Callable[[Ruleset], Block | None]]] = {
    "kinds": lambda rules: Items(tuple(map(_kind, rules.melds.kinds))),
    "values": phrases.value_table,
    "customs": phrases.customs,
}


@cache
def contents() -> tuple[tuple[Says, ...], tuple[Chapter, ...]]:
    """What begins a rulebook, and its chapters."""

    def paragraph(entries: list[dict[str, Any]]) -> tuple[Says, ...]:
        return tuple([Says(tuple(entry["about"]), entry.get("if"), entry) for entry in entries])

    def part(entry: Any) -> Part:
        if isinstance(entry, list):
            return paragraph(entry)
        return LISTS[entry["list"]] if "list" in entry else str(entry["examples"])

    chapters = [
        Chapter(chapter["title"], tuple(map(part, chapter["parts"])))
        for chapter in shared()["chapters"]
    ]
    return paragraph(shared()["lead"]), tuple(chapters)


# --- which keys are read --------------------------------------------------------------------------


LINES: Final = {"scoring.wild_cards": "scoring.values", "scoring.wild_held": "scoring.held"}
"""Fields of the model that are lines of tables."""


class _Noting:
    """A section, or the whole, of a ruleset: what is asked of it is answered, and its key noted."""

    def __init__(self, section: object, path: str, read: set[str]) -> None:
        self._section = section
        self._path = path
        self._read = read

    def __getattr__(self, name: str) -> object:
        value = getattr(self._section, name)
        path = f"{self._path}.{name}" if self._path else name
        path = LINES.get(path, path)
        if fields_of(value) and not isinstance(value, ByPlayers):
            return _Noting(value, path, self._read)
        self._read.add(path)
        return value


def noting(ruleset: Ruleset) -> tuple[Ruleset, set[str]]:
    """The ruleset wrapped so that key paths read from it are noted, and the set they go into."""
    read: set[str] = set()
    return cast("Ruleset", _Noting(ruleset, "", read)), read
