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
from typing import Any, Final, NamedTuple

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


class _Text(NamedTuple):
    """What can be found, with the stems of its words of more and of less weight."""

    hit: Hit
    main: set[str]
    other: set[str]

    @classmethod
    def of(cls, hit: Hit, main: str, other: str) -> _Text:
        """What can be found by these words."""
        return cls(hit, _stems(main), _stems(other))


@cache
def read_recipes() -> tuple[Recipe, ...]:
    """Every recipe, in the order of the sections."""
    return tuple(map(_recipe, _data()["recipes"]))


def _recipe(row: dict[str, Any]) -> Recipe:
    writes = dict(row.get("set", {}))
    if "rule" in row:
        writes["house_rules"] = {row["id"]: row["rule"], **row.get("more", {})}
    return Recipe(
        id=row["id"],
        section=row["section"],
        say=row["say"],
        words=tuple(map(str, row.get("words", ()))),
        writes=writes,
        shows=row["shows"],
        leaves=row["leaves"],
        offer=row.get("offer", 0),
    )


def offered() -> list[Recipe]:
    """The ten most common house rules, which a new file offers."""
    offers = [recipe for recipe in read_recipes() if recipe.offer]
    return sorted(offers, key=lambda recipe: recipe.offer)


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
    names = {**_data()["said"], **_data()["said_of_codes"]}
    return [hit.name for hit in _search(words, _pages(), names)]


def _data() -> dict[str, Any]:
    """The recipes, and the words that players say."""
    data: dict[str, Any] = read_data(data_path("docs", "cookbook.yaml"))
    return data


def _search(words: str, texts: Sequence[_Text], names: Mapping[str, str]) -> list[Hit]:
    """What of some texts has at least half of these words, the best first.

    `names` are what players say, and what it is called there; words of a longer phrase are none of
    a shorter one.
    """
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(text.main | text.other)
    stems = _stems(words)
    wanted = stems - _stems(_data()["filling"]) or stems
    phrases = [(_stems(phrase), name) for phrase, name in names.items()]
    for phrase, name in sorted(phrases, key=lambda pair: -len(pair[0])):
        if phrase <= stems:
            stems -= phrase
            wanted = wanted - phrase | _stems(name)
    wanted = {_spelt(word, counts) for word in wanted}
    matches: list[tuple[float, Hit]] = []
    for text in texts:
        present = wanted & (text.main | text.other)
        if present and len(present) * 2 >= len(wanted):
            weight = 0.0
            for word in sorted(present):  # in an order of its own, so that sums are the same
                rarity = log(len(texts) / counts[word])
                weight += 2 * rarity if word in text.main else rarity
            matches.append((-weight, text.hit))
    return [hit for _, hit in sorted(matches, key=itemgetter(0))]


def _spelt(word: str, words: Iterable[str]) -> str:
    """The word itself, or the one that it is a misspelling of beyond doubt."""
    meant = None if word in words else nearest(word, words)
    return meant.text if meant is not None and meant.sure else word


def named(name: str) -> list[Hit]:
    """The fact or recipe of that name, or the facts of what has that name."""
    hits: list[Hit] = []
    for text in _texts():
        subject = text.hit.name.partition(".")[0]
        if name == text.hit.name or (text.hit.sort == "fact" and name == subject):
            hits.append(text.hit)
    return hits


@cache
def _pages() -> tuple[_Text, ...]:
    """The pages of codes, with the stems of their words."""
    texts: list[_Text] = []
    for code, page in PAGES.items():
        hit = Hit("code", code, page.title)
        texts.append(_Text.of(hit, f"{code} {page.title}", f"{page.means} {page.why}"))
    return tuple(texts)


@cache
def _texts() -> tuple[_Text, ...]:
    """Everything that can be found for a rules file, with the stems of its words."""
    return (*_recipes(), *_keys(), *_facts(), *_limits())


def _recipes() -> Iterator[_Text]:
    for recipe in read_recipes():
        values = " ".join(str(value) for value in recipe.writes.values())
        main = f"{recipe.say} {' '.join(recipe.words)}"
        yield _Text.of(Hit("recipe", recipe.id, recipe.say), main, f"{recipe.id} {values}")


def _keys() -> Iterator[_Text]:
    for key in list_keys():
        words = " ".join(f"{word.value} {word.text}" for word in key.words)
        main = "" if key.path.startswith("cases.") else f"{key.path} {key.text}"
        other = f"{words} {key.path} {key.text}"
        yield _Text.of(Hit("key", key.path, key.text), main, other)


def _facts() -> Iterator[_Text]:
    for subject, (facts, _, about) in SUBJECTS.items():
        if subject in {"partner", "out"}:  # which have the facts of any player
            continue
        for fact in facts.values():
            hit = Hit("fact", f"{subject}.{fact.name}", fact.about)
            yield _Text.of(hit, f"{subject} {fact.name} {fact.about}", about)
    for fact in LISTS.values():
        yield _Text.of(Hit("fact", fact.name, fact.about), f"{fact.name} {fact.about}", "")


def _limits() -> Iterator[_Text]:
    for name, text in _LIMIT.findall(data_path("docs", "limits.md").read_text("utf-8")):
        limit = _LINK.sub(r"\1", " ".join(f"{name}{text}".split()))
        yield _Text.of(Hit("limit", "docs/limits.md", limit), name, limit)


def _stems(text: str) -> set[str]:
    """Words without their endings, so that `swapped jokers` finds how to swap a joker."""
    words = re.findall(r"[a-z0-9]+", text.lower())
    return {_TWICE.sub(r"\1", _ENDING.sub("", word)) for word in words}
