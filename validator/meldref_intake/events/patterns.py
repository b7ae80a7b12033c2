"""A map's regular expressions, which a stranger may have written: a search has an end.

Some patterns take longer than anyone waits on some texts. A search that could is stopped after a
second of the processor's time, and its pattern is not used again. That needs a signal, so it holds
in the main thread of systems that have them; elsewhere a search runs as it is.
"""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

SECONDS: Final = 1.0
"""How long a search may take, in seconds of the processor."""
_SHORT: Final = 20
"""No pattern is slow on so few characters."""
_LONG: Final = 1_000
"""On more characters even a pattern with one repetition may be slow."""
_REPEATS: Final = re.compile(r"[*+{]")
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
        self._is_nested = len(_REPEATS.findall(text)) > 1
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
        if len(text) <= (_SHORT if self._is_nested else _LONG):
            return find(text)
        wrong = TooSlow(f"the pattern {self._compiled.pattern} takes too long")
        if self._is_slow:
            raise wrong
        try:
            with _stopped_by(wrong):
                return find(text)
        except TooSlow:
            self._is_slow = True
            raise


@contextmanager
def _stopped_by(wrong: TooSlow) -> Iterator[None]:
    """Raises an error in what takes longer than SECONDS, where signals can."""
    if not hasattr(signal, "setitimer") or (
        threading.current_thread() is not threading.main_thread()
    ):
        yield
        return

    def stop(*_: Any) -> None:
        raise wrong

    before = signal.signal(signal.SIGVTALRM, stop)
    timer = signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, *timer)
        signal.signal(signal.SIGVTALRM, before)
