"""Rules as they are being found: a game, options, single settings, and the bits they take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from meldref.core.diagnostics import errors_in
from meldref.core.records import changed, record
from meldref.documents.reader import Value, read_yaml
from meldref.rulefiles.files import list_rulesets
from meldref.rulefiles.load import load_ruleset
from meldref.rulefiles.merge import HEAD, Flattener, flow
from meldref.rulefiles.vocabulary import describe_key
from meldref.ruleset.changes import SECTIONS
from meldref.ruleset.model import Ruleset
from meldref_evidence.inferring.measure import A_KEY, A_NAME, bits_of_value


@record
class Draft:
    """A game that ships, options laid over it, and settings: keys with their values as written."""

    game: str
    options: tuple[str, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()

    @property
    def ruleset(self) -> Ruleset | None:
        """The ruleset; None if these parts do not go together."""
        return _ruleset(self)

    @property
    def bits(self) -> float:
        """What it takes to say these rules."""
        values = sum(
            A_KEY + bits_of_value(_number_of_words(key), value) for key, value in self.settings
        )
        return A_NAME * (1 + len(self.options)) + values

    @property
    def parts(self) -> tuple[tuple[str, str], ...]:
        """The options, each under the key `extends`, and the settings."""
        return (*(("extends", option) for option in self.options), *self.settings)

    @property
    def size(self) -> int:
        """How many names and values its file has."""
        return 1 + len(self.parts)

    def with_option(self, name: str) -> Draft:
        """These rules with one more option."""
        return changed(self, options=(*self.options, name))

    def with_setting(self, key: str, value: str) -> Draft:
        """These rules with a setting, in place of one of the same key."""
        rest = tuple(pair for pair in self.settings if pair[0] != key)
        return changed(self, settings=(*rest, (key, value)))

    def without(self, key: str, value: str) -> Draft:
        """These rules without a setting, or without an option if the key is `extends`."""
        if key == "extends":
            return changed(self, options=tuple(name for name in self.options if name != value))
        return changed(self, settings=tuple(pair for pair in self.settings if pair[0] != key))

    def less_one_part(self) -> Iterator[Draft]:
        """These rules without one of their settings or options, each in turn."""
        for part in reversed(self.parts):
            yield self.without(*part)


@lru_cache(maxsize=512)
def _ruleset(draft: Draft) -> Ruleset | None:
    settings = [f"{key}={value}" for key, value in draft.settings]
    ruleset, findings = load_ruleset(draft.game, draft.options, settings)
    return None if errors_in(findings) else ruleset


@cache
def _number_of_words(key: str) -> int:
    about = describe_key(key)
    return 0 if about is None else len(about.words)


def same_rules(first: Ruleset | None, second: Ruleset | None) -> bool:
    """Whether two rulesets are played in the same way, whatever they are called."""
    if first is None or second is None:
        return False
    parts = (*SECTIONS, "hands", "house_rules")
    return all(getattr(first, part) == getattr(second, part) for part in parts)


class Option(NamedTuple):
    """An option that ships: what it says, the values it sets by key, and those that it needs."""

    about: str
    sets: Mapping[str, str]
    needs: Mapping[str, str]


@cache
def games() -> tuple[str, ...]:
    """The games that ship."""
    return tuple(shipped.id for shipped in list_rulesets() if shipped.type == "game")


@cache
def options() -> Mapping[str, Option]:
    """The options that ship."""
    made: dict[str, Option] = {}
    for shipped in list_rulesets():
        if shipped.type != "option":
            continue
        document, _ = read_yaml(shipped.file.read_bytes(), shipped.file.name)
        assert document is not None
        assert isinstance(document.value, dict)
        about, needs = document.value["about"], document.value.get("needs")
        made[shipped.id] = Option(f"{about}", _leaves(document.value), _written(needs))
    return made


def _leaves(value: Mapping[str, Value]) -> dict[str, str]:
    flattener = Flattener("", {})
    flattener.flatten({key: item for key, item in value.items() if key not in HEAD})
    return {
        key: flow(leaf.value) for key, leaf in flattener.leaves.items() if leaf.value is not None
    }


def _written(value: Value) -> dict[str, str]:
    return {key: flow(item) for key, item in value.items()} if isinstance(value, dict) else {}


def shorter(draft: Draft) -> Draft:
    """A draft of these rules in fewer words: needless parts left out, options for settings."""
    ruleset = draft.ruleset
    for less in draft.less_one_part():
        if same_rules(less.ruleset, ruleset):
            return shorter(less)
    for name in options():
        if name in draft.options:
            continue
        other = draft.with_option(name)
        while (rest := _less(other, ruleset, name)) is not None:
            other = rest
        if other.bits < draft.bits and same_rules(other.ruleset, ruleset):
            return shorter(other)
    return draft


def _less(draft: Draft, ruleset: Ruleset | None, keep: str) -> Draft | None:
    """The draft without a part that the ruleset does not need; None if there is no such part."""
    for less in draft.less_one_part():
        if keep in less.options and same_rules(less.ruleset, ruleset):
            return less
    return None
