"""Changes of rules in words: what a rulebook says of one ruleset and not of another."""

from __future__ import annotations

from collections.abc import Iterator

from meldref.core.text import one_line
from meldref.rulefiles.vocabulary import describe_key
from meldref.ruleset.model import Ruleset
from meldref_authoring.rulebook import make_rulebook
from meldref_authoring.rulebook.model import Items, Paragraph
from meldref_evidence.inferring.draft import options

_LONGEST = 240
"""Of longer changes only the beginning is given."""


def part_in_words(key: str, value: str, before: Ruleset, after: Ruleset) -> str:
    """A change of rules in words; `key` is `extends` for an option, and `value` its name."""
    if key == "extends":
        return options()[value].about
    if key.startswith("house_rules."):
        return value
    return in_words(before, after) or _meaning(key, value)


def in_words(before: Ruleset, after: Ruleset) -> str:
    """The sentences in the rulebook of `after` that are not in that of `before`; may be empty."""
    unchanged = set(_sentences(before))
    new = [sentence for sentence in _sentences(after) if sentence not in unchanged]
    return one_line(" ".join(new), _LONGEST)


def _meaning(key: str, value: str) -> str:
    """What the vocabulary says of a key and its value."""
    about = describe_key(key)
    assert about is not None
    words = (word.text for word in about.words if word.value == value)
    return f"{about.text} {next(words, value)}"


def _sentences(ruleset: Ruleset) -> Iterator[str]:
    for section in make_rulebook(ruleset, examples=False).sections:
        for block in section.blocks:
            if isinstance(block, Paragraph):
                yield from (sentence.text for sentence in block.sentences)
            elif isinstance(block, Items):
                yield from (sentence.text for sentence in block.items)
