"""A map's regular expressions, which a stranger may have written: a search has an end.

Some patterns take longer than anyone waits on some texts. A search that could is stopped after a
second of the processor's time, and its pattern is not used again. That needs a signal, so it holds
in the main thread of systems that have them; elsewhere a search that might take so long, by the
pattern and the length of the text, is not begun.
"""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from math import inf
from typing import Any, Final, TypeVar

SECONDS: Final = 1.0
"""How long a search may take, in seconds of the processor."""
_SHORT: Final = 20
"""No pattern is slow on so few characters."""
_LONG: Final = 1_000
"""On more characters even a pattern with one repetition may be slow."""
_MOST_STEPS: Final = 3e8
"""So many steps of a search take some seconds."""
_FEW_TIMES: Final = 20
"""What is repeated at most so often counts as if it were written so often."""
_Found = TypeVar("_Found")


class TooSlow(ValueError):
    """A pattern takes too long; the sentence that says so."""


class Pattern:
    """A regular expression whose searches end.

    Raises:
        `re.error`: the text is none.
    """

    def __init__(self, text: str) -> None:
        self._compiled = re.compile(text)
        self._degree = _degree(_PARSER.parse(text))
        self._is_slow = False

    def search(self, text: str) -> re.Match[str] | None:
        """The first place where it fits.

        Raises:
            TooSlow: that takes too long.
        """
        return self._bounded(text, self._compiled.search)

    def find_all(self, text: str) -> list[re.Match[str]]:
        """All places where it fits.

        Raises:
            TooSlow: that takes too long.
        """
        return self._bounded(text, lambda searched: list(self._compiled.finditer(searched)))

    def _bounded(self, text: str, find: Callable[[str], _Found]) -> _Found:
        if len(text) <= (_SHORT if self._degree > 1 else _LONG):
            return find(text)
        wrong = TooSlow(f"the pattern {self._compiled.pattern} takes too long")
        if self._is_slow:
            raise wrong
        if not _can_stop():
            if float(len(text)) ** (self._degree + 1) > _MOST_STEPS:
                raise TooSlow(
                    f"the pattern {self._compiled.pattern} may take too long on {len(text)} "
                    "characters, and nothing can stop it here"
                )
            return find(text)
        try:
            with _stopped_by(wrong):
                return find(text)
        except TooSlow:
            self._is_slow = True
            raise


def _can_stop() -> bool:
    """Whether a signal can stop a search here."""
    is_main = threading.current_thread() is threading.main_thread()
    return is_main and hasattr(signal, "setitimer")


_PARSER: Final[Any] = import_module("re._parser")


def _degree(parsed: Any) -> float:
    """By which power of a text's length the steps of a search grow; infinite if by none.

    Every repetition without an end counts; one within another, or of a choice, may take twice as
    long for each letter more.
    """
    degree = 0.0
    for operator, argument in parsed:
        match str(operator):
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                _, most, repeated = argument
                inner = _degree(repeated)
                if most <= _FEW_TIMES:
                    degree += inner * most
                else:
                    has_choice = any(str(part) == "BRANCH" for part, _ in _flat(repeated))
                    degree += inf if inner or has_choice else 1
            case "BRANCH":
                degree += max(map(_degree, argument[1]))
            case _:
                degree += sum(map(_degree, _within(argument)))
    return degree


def _within(argument: Any) -> list[Any]:
    """The parts of a pattern in a part of it."""
    parts = argument if isinstance(argument, tuple) else (argument,)
    return [part for part in parts if isinstance(part, _PARSER.SubPattern)]


def _flat(parsed: Any) -> Iterator[tuple[Any, Any]]:
    for operator, argument in parsed:
        yield operator, argument
        for part in _within(argument):
            yield from _flat(part)


@contextmanager
def _stopped_by(wrong: TooSlow) -> Iterator[None]:
    """Raises an error in what takes longer than SECONDS."""

    def stop(*_: Any) -> None:
        raise wrong

    before = signal.signal(signal.SIGVTALRM, stop)
    timer = signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, *timer)
        signal.signal(signal.SIGVTALRM, before)
