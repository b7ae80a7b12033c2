"""The cookbook: rules that tables play, how each is written, and a search by players' words.

The words find keys, facts, recipes and limits, or the pages of codes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import log
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeAlias

from meldref.conditions.facts import LISTS, SUBJECTS
from meldref.core.meant import nearest
from meldref.core.records import record
from meldref.core.resources import data_path
from meldref.documents.reader import Value, read_data
from meldref.rulefiles.merge import flow
from meldref.rulefiles.vocabulary import list_keys
from meldref.rules.pages import PAGES

MOST_FOUND: Final = 12
_PLAIN: Final = re.compile(r"[A-Za-z0-9.](?!.*(: | #)).*[^:\s]|[A-Za-z0-9]")
"""A text that needs no quotes in YAML."""
_ENDING: Final = re.compile(r"(?<=...)(?:ing|ies|es|ed|y|e|s)\Z")
_TWICE: Final = re.compile(r"(?<=..)([a-z])\1\Z")
_LIMIT: Final = re.compile(r"^- \*\*(.+?)\*\*(.+?)$(?=\n(?:\S|$))", re.MULTILINE | re.DOTALL)
_LINK: Final = re.compile(r"\[(.+?)\]\(.*?\)|\*\*")


_Text: TypeAlias = "tuple[Hit, set[str], set[str]]"
"""What can be found, with the stems of its words of more and of less weight."""


@record
class Recipe:
    """A rule that tables play: what players say, what one writes, and the two cases that show it.

    `writes` are keys with their values, house rules among them; `offer` is its place among those
    that a new file offers, 0 for the others. `shows` is a case whose result it changes, `leaves`
    one whose result it does not.
    """

    id: str
    section: str
    say: str
    words: tuple[str, ...]
    writes: Mapping[str, Value]
    shows: Mapping[str, Value]
    leaves: Mapping[str, Value]
    offer: int = 0


class Hit(NamedTuple):
    """Something that a search found, such as a key or a recipe, its name, and what it says."""

    sort: str
    name: str
    text: str


@cache
def read_recipes() -> tuple[Recipe, ...]:
    """Every recipe, in the order of the sections."""
    return tuple(map(_recipe, _data()["recipes"]))


def _recipe(row: dict[str, Any]) -> Recipe:
    rules = {row["id"]: row["rule"], **row.get("more", {})} if "rule" in row else {}
    writes = {**row.get("set", {}), **({"house_rules": rules} if rules else {})}
    words = tuple(map(str, row.get("words", ())))
    offer = row.get("offer", 0)
    return Recipe(
        row["id"], row["section"], row["say"], words, writes, row["shows"], row["leaves"], offer
    )


def offered() -> list[Recipe]:
    """The ten most common house rules, which a new file offers."""
    return sorted(
        (recipe for recipe in read_recipes() if recipe.offer), key=lambda recipe: recipe.offer
    )


def rule_lines(rules: Mapping[str, Mapping[str, Value]]) -> Iterator[str]:
    """House rules as lines of a rules file, each key on its own line, with few quotes."""
    for name, rule in rules.items():
        yield f"  {name}:"
        for key, value in rule.items():
            plain = isinstance(value, str) and _PLAIN.fullmatch(value)
            yield f"    {key}: {value if plain else flow(value)}"


def search(words: str) -> list[Hit]:
    """Keys, facts, recipes and limits with these words, those with more rare ones first."""
    return _search(words, _texts(), _data()["said"])[:MOST_FOUND]


def search_codes(words: str) -> list[str]:
    """The codes whose pages have these words, those with more rare ones first."""
    said = {**_data()["said"], **_data()["said_of_codes"]}
    return [hit.name for hit in _search(words, _pages(), said)]


def _data() -> dict[str, Any]:
    """The recipes, and the words that players say."""
    data: dict[str, Any] = read_data(data_path("docs", "cookbook.yaml"))
    return data


def _search(words: str, texts: Sequence[_Text], said: Mapping[str, str]) -> list[Hit]:
    """What of some texts has at least half of these words, the best first.

    `said` is what players say, and what it is called there.
    """
    often = Counter(word for _, main, other in texts for word in main | other)
    stems = _stems(words)
    wanted = stems - _stems(_data()["filling"]) or stems
    for phrase, ours in said.items():
        if (theirs := _stems(phrase)) <= stems:
            wanted = wanted - theirs | _stems(ours)
    wanted = {_spelt(word, often) for word in wanted}
    matches = []
    for hit, main, other in texts:
        there = wanted & (main | other)
        if there and len(there) * 2 >= len(wanted):
            matches.append(
                (
                    sum(
                        -log(len(texts) / often[word]) * (2 if word in main else 1)
                        for word in there
                    ),
                    hit,
                )
            )
    return [hit for _, hit in sorted(matches, key=itemgetter(0))]


def _spelt(word: str, words: Iterable[str]) -> str:
    """The word itself, or the one that it is a misspelling of beyond doubt."""
    meant = None if word in words else nearest(word, words)
    return meant.text if meant is not None and meant.sure else word


def named(name: str) -> list[Hit]:
    """The fact or recipe of that name, or the facts of what has that name."""
    return [
        hit
        for hit, *_ in _all()
        if name in {hit.name, hit.sort == "fact" and hit.name.partition(".")[0]}
    ]


@cache
def _texts() -> list[_Text]:
    """Everything that can be found for a rules file, with the stems of its words."""
    return [(hit, _stems(first), _stems(rest)) for hit, first, rest in _all()]


@cache
def _pages() -> list[_Text]:
    """The pages of codes, with the stems of their words."""
    return [
        (
            Hit("code", code, page.title),
            _stems(f"{code} {page.title}"),
            _stems(f"{page.means} {page.why}"),
        )
        for code, page in PAGES.items()
    ]


def _all() -> Iterator[tuple[Hit, str, str]]:
    """Everything that can be found, with its words of more and of less weight."""
    for recipe in read_recipes():
        says = " ".join(str(value) for value in recipe.writes.values())
        yield (
            Hit("recipe", recipe.id, recipe.say),
            f"{recipe.say} {' '.join(recipe.words)}",
            f"{recipe.id} {says}",
        )
    for key in list_keys():
        words = " ".join(f"{word.value} {word.text}" for word in key.words)
        main = "" if key.path.startswith("cases.") else f"{key.path} {key.text}"
        yield Hit("key", key.path, key.text), main, f"{words} {key.path} {key.text}"
    for subject, (facts, _, about) in SUBJECTS.items():
        for fact in () if subject in {"partner", "out"} else facts.values():
            yield (
                Hit("fact", f"{subject}.{fact.name}", fact.about),
                f"{subject} {fact.name} {fact.about}",
                about,
            )
    for fact in LISTS.values():
        yield Hit("fact", fact.name, fact.about), f"{fact.name} {fact.about}", ""
    for name, text in _LIMIT.findall(data_path("docs", "limits.md").read_text("utf-8")):
        says = _LINK.sub(r"\1", " ".join(f"{name}{text}".split()))
        yield Hit("limit", "docs/limits.md", says), name, says


def _stems(text: str) -> set[str]:
    """Words without their endings, so that `swapped jokers` finds how to swap a joker."""
    return {
        _TWICE.sub(r"\1", _ENDING.sub("", word)) for word in re.findall(r"[a-z0-9]+", text.lower())
    }
