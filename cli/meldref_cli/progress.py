"""A progress bar for work that takes longer than a second, on a terminal only."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Self

from meldref.core.text import many
from meldref_cli.output import has_colours, notice

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

_SOON: Final = 1.0
"""Seconds without a bar."""
_MINUTE: Final = 60.0


class Bar:
    """Shows how much of some work is done; `total` is 0 if nobody knows. `tick` counts a step."""

    def __init__(self, total: int, *, wanted: bool = True, doing: str = "auditing") -> None:
        self._total = total
        self._doing = doing
        self._done = 0
        self._since = time.monotonic()
        self._wanted = wanted and has_colours(sys.stderr)
        self._bar: Progress | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.hide()

    def hide(self) -> None:
        """Makes room for a result; the bar comes back when there is still something to wait for."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
            self._since = time.monotonic()

    @property
    def told(self) -> Callable[[int], None] | None:
        """What counts each step; None if nothing is shown, so that nobody counts for nothing."""
        return self.tick if self._wanted else None

    def tick(self, step: int) -> None:
        """Counts `step` more as done."""
        self._done += step
        if not self._wanted or time.monotonic() - self._since < _SOON:
            return
        if self._bar is None:
            self._show()
        self._update(completed=min(self._done, self._total) if self._total else self._done)

    def _update(self, **shown: Any) -> None:
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], **shown)

    def _columns(self) -> tuple[ProgressColumn, ...]:
        """What the bar shows; nothing for what bars usually show."""
        return ()

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import Progress

        self._bar = Progress(
            *self._columns(),
            console=Console(stderr=True),
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._bar.add_task(self._doing, total=self._total or None, rate="")
        self._bar.start()


class Pace(Bar):
    """Logs as they are done, with rate and time left: a bar on a terminal, else a line a minute."""

    def __init__(self, total: int, *, wanted: bool = True) -> None:
        super().__init__(total, wanted=wanted)
        self._lines = wanted and not self._wanted
        self._began = self._said = time.monotonic()

    def tick(self, step: int) -> None:
        """Counts `step` more logs as done."""
        super().tick(step)
        now = time.monotonic()
        self._update(rate=self._rate(now))
        if self._lines and now - self._said >= _MINUTE:
            self._said = now
            notice(f"meldref: {self._stand(now)}")

    def _rate(self, now: float) -> str:
        return f"{self._done / max(now - self._began, 1e-9):,.0f} a second"

    def _stand(self, now: float) -> str:
        if not self._total:
            return f"{many(self._done, 'log')}, {self._rate(now)}"
        left = (self._total - self._done) * (now - self._began) / max(self._done, 1) / _MINUTE
        done = f"{self._done:,} of {many(self._total, 'log')}"
        return f"{done}, {self._rate(now)}, {left:,.1f} minutes left"

    def _columns(self) -> tuple[ProgressColumn, ...]:
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

        name, rate = TextColumn("{task.description}"), TextColumn("{task.fields[rate]}")
        return name, BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn()
