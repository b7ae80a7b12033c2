"""Exit statuses, and what a command raises when it cannot go on."""

from __future__ import annotations

from typing import Final

CLEAN: Final = 0
WRONG: Final = 1
UNUSABLE: Final = 2
OUR_FAULT: Final = 3
INTERRUPTED: Final = 130
PIPE_CLOSED: Final = 141


class Unusable(Exception):
    """Something the user gave cannot be used; the message says what, and what to do about it."""


def status(code: int, *, exit_zero: bool = False) -> int:
    """The exit status: `--exit-zero` turns 1 into 0."""
    return CLEAN if exit_zero and code == WRONG else code
