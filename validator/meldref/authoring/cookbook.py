"""The cookbook: rules that tables play, how each is written, and a search by the words that players use."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from meldref.conditions.facts import LISTS, SUBJECTS
from meldref.core.records import record
from meldref.core.resources import data_path
from meldref.documents.reader import Value, read_data
from meldref.rulefiles.merge import flow
from meldref.rulefiles.vocabulary import list_keys

MOST_FOUND: Final = 12
_FILLING: Final = frozenset(
    ("a", "an", "the", "in", "of", "for", "to", "and", "or", "is", "are", "no", "not", "on")
)

_PLAIN: Final = re.compile(r"[A-Za-z0-9.](?!.*(: | #)).*[^:\s]|[A-Za-z0-9]")
"""A text that needs no quotes in YAML."""
_ENDINGS: Final = {"ies": "y", "ing": "", "es": "e", "ed": "", "s": ""}
_ENDING: Final = re.compile(rf"(?<=...)(?:{'|'.join(_ENDINGS)})\Z")


@record
class Recipe:
    """A rule that tables play: what players say, what one writes, and the two cases that show it.

    `writes` are keys with their values, house rules among them; `offer` is its place among those that a new file
    offers, 0 for the others. `shows` is a case whose result it changes, `leaves` one whose result it does not.
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
    """Something that a search found: a key, a fact or a recipe, its name, and what it says."""

    sort: str
    name: str
    text: str


@cache
def read_recipes() -> tuple[Recipe, ...]:
    """Every recipe, in the order of the sections."""
    return tuple(map(_recipe, read_data(data_path("docs", "cookbook.yaml"))["recipes"]))


def _recipe(one: dict[str, Any]) -> Recipe:
    rules = {one["id"]: one["rule"], **one.get("more", {})} if "rule" in one else {}
    writes = {**one.get("set", {}), **({"house_rules": rules} if rules else {})}
    words = tuple(map(str, one.get("words", ())))
    offer = one.get("offer", 0)
    return Recipe(one["id"], one["section"], one["say"], words, writes, one["shows"], one["leaves"], offer)


def offered() -> list[Recipe]:
    """The ten most common house rules, which a new file offers."""
    return sorted((one for one in read_recipes() if one.offer), key=lambda one: one.offer)


def rule_lines(rules: Mapping[str, Mapping[str, Value]]) -> Iterator[str]:
    """House rules as lines of a rules file, each key on a line of its own, where few texts need quotes."""
    for name, rule in rules.items():
        yield f"  {name}:"
        for key, value in rule.items():
            plain = isinstance(value, str) and _PLAIN.fullmatch(value)
            yield f"    {key}: {value if plain else flow(value)}"


def search(words: str) -> list[Hit]:
    """Keys, facts and recipes that contain these words, those with most of them first."""
    wanted = _stems(words) - _FILLING or _stems(words)
    for said, ours in read_data(data_path("docs", "cookbook.yaml"))["said"].items():
        if (theirs := _stems(said)) <= _stems(words):
            wanted = wanted - theirs | _stems(ours)
    found = []
    for place, (hit, first, rest) in enumerate(_all()):
        main, other = _stems(first), _stems(rest)
        score = sum(2 if word in main else 1 if word in other else 0 for word in wanted)
        there = len(wanted & (main | other))
        if there and there * 2 >= len(wanted):
            found.append((-there, -score, place, hit))
    return [hit for *_, hit in sorted(found)[:MOST_FOUND]]


def named(name: str) -> list[Hit]:
    """The fact or recipe of that name."""
    return [hit for hit, *_ in _all() if hit.name == name]


def _all() -> Iterator[tuple[Hit, str, str]]:
    """Everything that can be found, with its words of more and of less weight."""
    for recipe in read_recipes():
        says = " ".join(str(value) for value in recipe.writes.values())
        yield Hit("recipe", recipe.id, recipe.say), f"{recipe.say} {' '.join(recipe.words)}", f"{recipe.id} {says}"
    for key in list_keys():
        words = " ".join(f"{word.value} {word.text}" for word in key.words)
        yield Hit("key", key.path, key.text), f"{key.path} {key.text}", words
    for subject, (facts, _, about) in SUBJECTS.items():
        for fact in () if subject in {"partner", "out"} else facts.values():
            yield Hit("fact", f"{subject}.{fact.name}", fact.about), f"{subject} {fact.name} {fact.about}", about
    for fact in LISTS.values():
        yield Hit("fact", fact.name, fact.about), f"{fact.name} {fact.about}", ""


def _stems(text: str) -> set[str]:
    """Words without their endings, so that `jokers` finds a joker."""
    return {_ENDING.sub(lambda end: _ENDINGS[end[0]], word) for word in re.findall(r"[a-z0-9]+", text.lower())}
