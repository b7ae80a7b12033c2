"""Exit statuses, and what a command raises when it cannot go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

from meldref.core.safe_files import why_not
from meldref.core.text import name_of_file

CLEAN: Final = 0
WRONG: Final = 1
UNUSABLE: Final = 2
OUR_FAULT: Final = 3
PIPE_CLOSED: Final = 141


First = TypeVar("First")
Second = TypeVar("Second")


class Unusable(Exception):
    """What the user gave cannot be used. Each argument is a message: what is wrong and what to do.

    Whatever reads arguments, files or rules may raise it; `main` reports it, and so do commands
    that go on with the next file.
    """

    def __init__(self, *messages: str) -> None:
        super().__init__(*map(name_of_file, messages))


@contextmanager
def naming(path: object) -> Iterator[None]:
    """Makes a failure of the system `Unusable`, with the file it is about."""
    try:
        yield
    except OSError as error:
        raise Unusable(f"{path}: {why_not(error)}") from error


def both(first: Callable[[], First], second: Callable[[], Second]) -> tuple[First, Second]:
    """Two independent things, so that what is wrong with either is reported in one run."""
    try:
        value = first()
    except Unusable as wrong:
        try:
            second()
        except Unusable as more:
            raise Unusable(*dict.fromkeys((*wrong.args, *more.args))) from None
        raise
    return value, second()


def status(code: int, *, exit_zero: bool = False) -> int:
    """The exit status: `--exit-zero` turns 1 into 0."""
    return CLEAN if exit_zero and code == WRONG else code
