"""Chance from a seed: the same choices on every machine and with every version of Python.

`random.Random` promises that only for what `random()` and `getrandbits()` give after an integer
seed, so picking and shuffling are done here.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from random import Random
from typing import TypeVar

_T = TypeVar("_T")


class Dice:
    """Chance from a seed and words that say what for, so that one use does not disturb another."""

    __slots__ = ("_bits",)

    def __init__(self, *seed: int | str) -> None:
        text = "\n".join(f"{type(part).__name__} {part}" for part in seed)
        number = int.from_bytes(sha256(text.encode()).digest(), "big")
        # Games are played with it; nothing is kept secret.
        self._bits = Random(number).getrandbits  # noqa: S311

    def below(self, end: int) -> int:
        """A number from 0 up to, not including, `end`; each as likely as another."""
        if end < 2:
            return 0
        wide = (end - 1).bit_length()
        bits = self._bits
        number = bits(wide)
        while number >= end:
            number = bits(wide)
        return number

    def pick(self, things: Sequence[_T]) -> _T:
        """One of some things, each as likely as another."""
        return things[self.below(len(things))]

    def shuffle(self, things: list[_T]) -> None:
        """Puts things into any order, each as likely as another."""
        for last in range(len(things) - 1, 0, -1):
            other = self.below(last + 1)
            things[last], things[other] = things[other], things[last]
