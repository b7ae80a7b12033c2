"""Opens files of strangers: only regular files, only as much as is wanted, no link out of a folder.

A pipe without a writer never answers, and a device never ends. So a name is looked at before it is
opened, it is opened so that nothing can be waited for, and what was opened is looked at again: it
may be another file by then.
"""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias

Name: TypeAlias = "str | os.PathLike[str]"

MAX_BYTES: Final = 1 << 20
"""The most bytes of a file of rules, cases or a position."""
_MOST_LINKS: Final = 40
"""A name that leads through more links leads nowhere, as in the system itself."""
_QUIETLY: Final = sum(
    getattr(os, flag, 0) for flag in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY")
)
"""Opening waits for nobody; where a system lacks a flag, it has no need of it."""


_begun: Final[dict[str, BufferedReader]] = {}
"""Pipes whose beginning was looked at: a pipe cannot be opened from its beginning again."""


class Met(str):
    """A path found in a folder or by a pattern, not named by the user.

    It is read only if it is a regular file.
    """

    __slots__ = ()


class NotRegular(OSError):
    """What has that name is a pipe, a socket or a device."""

    def __init__(self, name: Name) -> None:
        super().__init__(errno.EINVAL, "not a regular file", os.fspath(name))


def open_file(name: Name, *, any_kind: bool = False, links: bool = True) -> BinaryIO:
    """A file opened to be read; OSError if that cannot be done, or it is of another kind.

    `any_kind`: also what is no regular file, for what the user named, who may have meant a pipe;
    `links`: whether the name may be that of a link.
    """
    try:
        status = os.stat(name, follow_symlinks=links)
    except ValueError as wrong:
        raise OSError(errno.EINVAL, "no file can have this name", os.fspath(name)) from wrong
    if any_kind and os.fspath(name) in _begun:
        return _begun.pop(os.fspath(name))
    if any_kind and not stat.S_ISDIR(status.st_mode):
        return Path(name).open("rb")
    _check(status, name)
    handle = os.open(name, os.O_RDONLY | _QUIETLY | (0 if links else getattr(os, "O_NOFOLLOW", 0)))
    try:
        _check(os.fstat(handle), name)
    except OSError:
        os.close(handle)
        raise
    return os.fdopen(handle, "rb")


def is_pipe(name: Name) -> bool:
    """Whether a name is that of a pipe, as `<(…)` is in a shell."""
    try:
        return stat.S_ISFIFO(os.stat(name).st_mode)
    except (OSError, ValueError):
        return False


def beginning_of_pipe(name: Name, most: int) -> bytes:
    """The first bytes of a pipe, as far as they are there; whoever opens it next still reads them."""
    stream = open_file(name, any_kind=True)
    assert isinstance(stream, BufferedReader)
    _begun[os.fspath(name)] = stream
    return stream.peek(most)[:most]


def read_file(name: Name, most: int | None, *, any_kind: bool = False, links: bool = True) -> bytes:
    """The content of a file, but at most one byte beyond `most`; None: all of it.

    OSError as with `open_file`.
    """
    with open_file(name, any_kind=any_kind, links=links) as stream:
        return stream.read(-1 if most is None else most + 1) or b""


def lock(handle: int) -> bool:
    """Whether an open file may be written only by this process, until it is closed.

    Yes without locks.
    """
    try:
        import fcntl  # noqa: PLC0415  not on every system
    except ImportError:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


def system_words(error: OSError) -> str:
    """The system's words for what went wrong."""
    return error.strerror.lower() if error.strerror else str(error)


def why_not(error: OSError) -> str:
    """Why a file cannot be read or written, in the system's words."""
    if isinstance(error, FileNotFoundError):
        return "no such file"
    if isinstance(error, IsADirectoryError):
        return "this is a folder"
    return f"the file cannot be used: {system_words(error)}"


def is_url(name: str) -> bool:
    """Whether a name is that of a place that is reached by a protocol."""
    protocol, mark, _ = name.partition("://")
    return bool(mark) and protocol.isalnum()


def is_regular(name: Name) -> bool:
    """Whether there is a regular file of that name; a name that no file can have is none."""
    try:
        return stat.S_ISREG(os.stat(name).st_mode)
    except (OSError, ValueError):
        return False


def inside(name: Name, start: Path, folder: Path) -> Path | None:
    """The full path that a name leads to, from `start`, link by link; None if it leaves `folder`.

    Nothing outside the folder is looked at, so that the answer tells nothing of what is there.
    There need be no file at the path.
    """
    root, near = os.path.realpath(folder), os.path.abspath(folder)
    target = os.path.join(root if start == folder else os.path.realpath(start), name)
    for _ in range(_MOST_LINKS):
        below = _below(target, root) or _below(target, near)
        if below is None:
            return None
        link = _first_link(root, below)
        if link is None:
            return Path(root, *below)
        target = link
    return None


def _below(target: str, root: str) -> tuple[str, ...] | None:
    """The names of the steps from a folder to what is in it; worked out only from the paths."""
    try:
        return Path(os.path.normpath(target)).relative_to(root).parts or (".",)
    except ValueError:
        return None


def _first_link(root: str, below: tuple[str, ...]) -> str | None:
    """Where the first link on a way leads, with the rest of the way.

    None if there is no link on it.
    """
    place = root
    for at, step in enumerate(below):
        try:
            leads = os.readlink(os.path.join(place, step))
        except (OSError, ValueError):
            place = os.path.join(place, step)
            continue
        return os.path.join(place, leads, *below[at + 1 :])
    return None


def _check(status: os.stat_result, name: Name) -> None:
    """Raises OSError if a file is not a regular one."""
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(name))
    if not stat.S_ISREG(status.st_mode):
        raise NotRegular(name)
