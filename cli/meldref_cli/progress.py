"""A progress bar for work that takes longer than a second, on a terminal only."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from meldref_cli.output import has_colours

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_SOON: Final = 1.0
"""Seconds without a bar."""


class Bar:
    """Shows how much of some work is done, 0 where nobody knows how much there is; `tick` is told of each step."""

    def __init__(self, total: int, *, wanted: bool = True, doing: str = "auditing") -> None:
        self._total = total
        self._doing = doing
        self._done = 0
        self._since = time.monotonic()
        self._wanted = wanted and has_colours(sys.stderr)
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.hide()

    def hide(self) -> None:
        """Makes room for a result; the bar comes back when there is still something to wait for."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
            self._since = time.monotonic()

    @property
    def told(self) -> Callable[[int], None] | None:
        """What is to be told of each step; None where nothing is shown, so that nobody counts for nothing."""
        return self.tick if self._wanted else None

    def tick(self, step: int) -> None:
        """So much more is done."""
        self._done += step
        if not self._wanted or time.monotonic() - self._since < _SOON:
            return
        if self._bar is None:
            self._show()
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=min(self._done, self._total) if self._total else self._done)

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import Progress

        self._bar = Progress(
            console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False
        )
        self._task = self._bar.add_task(self._doing, total=self._total or None)
        self._bar.start()
