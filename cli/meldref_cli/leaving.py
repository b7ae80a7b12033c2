"""How the program ends on a signal: without a traceback, and with no file half written.

This is loaded before anything else, and so loads next to nothing itself: it is not safe from an
interrupt yet.
"""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager, suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType
    from typing import NoReturn

INTERRUPTED = 130
"""The exit status after an interrupt."""

UNFINISHED: set[str] = set()
"""Temporary files that are being written, to be removed when the program ends."""

_SAID = b"meldref: interrupted\n"
_OTHERS = ("SIGTERM", "SIGHUP")
_LOADING = "<frozen importlib"


def listen() -> None:
    """From here on signals end the program as they should; those that are ignored already stay so.

    An interrupt ends it at once, since there is nothing yet that has to be tidied up.
    """
    _interrupts(_leave)
    for name in _OTHERS:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)


@contextmanager
def interruptible() -> Iterator[None]:
    """While a command runs, an interrupt is an exception, so that what is open gets closed."""
    _interrupts(_raise)
    try:
        yield
    finally:
        _interrupts(_leave)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Signals wait until a whole task is done, where the system lets them wait."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)


def _interrupts(handler: signal._HANDLER) -> None:
    if signal.getsignal(signal.SIGINT) in {signal.default_int_handler, _leave, _raise}:
        signal.signal(signal.SIGINT, handler)


def _raise(number: int, frame: FrameType | None) -> None:
    """Interrupts a command; while modules are loaded, Python may print an exception and lose it."""
    while frame is not None:
        if frame.f_code.co_filename.startswith(_LOADING):
            _leave(number, frame)
        frame = frame.f_back
    raise KeyboardInterrupt


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    _tidy_up()
    with suppress(OSError):
        os.write(2, _SAID)
    os._exit(INTERRUPTED)


def _end(number: int, frame: FrameType | None) -> None:
    """Ends the program as the signal would have, so that its parent process can tell."""
    _tidy_up()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _tidy_up() -> None:
    for name in UNFINISHED:
        with suppress(OSError):
            os.unlink(name)  # noqa: PTH108  `Path` may not be loaded yet
