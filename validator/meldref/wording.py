"""Words that messages have in common: how many, how often, one thing and another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def many(number: int, noun: str) -> str:
    """A number with its noun: `1 hand`, `2 hands`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def times(number: int) -> str:
    """How often: `once`, `twice`, `3 times`."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def with_verb(names: Sequence[str], one: str, several: str) -> str:
    """Names and what is said of them, as their number wants it: `A plays`, `A and B play`."""
    return f"{in_words(names)} {one if len(names) == 1 else several}"


def in_words(names: Iterable[str], last: str = "and") -> str:
    """Names in a sentence: `A`, `A and B`, `A, B and C`."""
    listed = list(names)
    if len(listed) < 2:
        return "".join(listed)
    return f"{', '.join(listed[:-1])} {last} {listed[-1]}"
