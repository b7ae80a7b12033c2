"""Many small cases in one test: what a test of its own costs is more than most of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def each(check: Callable[..., object], cases: Mapping[str, tuple[Any, ...]]) -> None:
    """Checks every case, and fails with the errors of all that fail, each under its name."""
    wrong = {}
    for name, arguments in cases.items():
        try:
            check(*arguments)
        except Exception as error:  # noqa: BLE001  whatever is wrong with one, the others are checked
            error.add_note(f"in the case {name}")
            wrong[name] = error
    if wrong:
        raise ExceptionGroup(f"{len(wrong)} of {len(cases)}: {', '.join(wrong)}", [*wrong.values()])
