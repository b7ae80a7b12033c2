"""Makes files in folders that others may have filled: only regular files, written anew.

Somebody who guesses a name can have put a link, a pipe or a device there. So a file is made anew,
or it is opened without following a link or waiting for anybody, and looked at before anything is
written. A file that the user names is another matter: links of that name are followed before its
draft is made here.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from io import TextIOWrapper
from typing import BinaryIO, Final

from meldref.core.safe_files import Name, NotRegular

_FLAGS: Final = ("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY")
_SAFELY: Final = sum(getattr(os, flag, 0) for flag in _FLAGS)
"""No link is followed, and opening waits for nobody; a flag that a system lacks is not needed
there."""
_KINDS: Final = (
    (stat.S_ISLNK, "a link"),
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
)


def kind_at(name: Name) -> str:
    """What has a name, in words: `a file`, `a folder`, `a link`, ….

    Empty if there is nothing.
    """
    try:
        status = os.lstat(name)
    except FileNotFoundError:
        return ""
    if stat.S_ISREG(status.st_mode):
        return "a file"
    return next((words for is_kind, words in _KINDS if is_kind(status.st_mode)), "a device")


def create(name: Name, mode: int = 0o666) -> BinaryIO:
    """A new file, in the place of whatever had that name; OSError if that is a folder."""
    with suppress(FileNotFoundError):
        os.unlink(name)  # noqa: PTH108  a name need not be a path
    return os.fdopen(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _SAFELY, mode), "wb")


def create_text(name: Name, mode: int = 0o666) -> TextIOWrapper:
    """A new file, as with `create`, for text in UTF-8 whose ends of lines stay as they are."""
    return TextIOWrapper(create(name, mode), encoding="utf-8", newline="")


def open_to_append(name: Name) -> BinaryIO:
    """A file that is read and added to, made if there is none.

    OSError if it is no regular file, or has another name as well, behind which it may be
    somebody else's.
    """
    handle = os.open(name, os.O_RDWR | os.O_APPEND | os.O_CREAT | _SAFELY, 0o666)
    status = os.fstat(handle)
    if stat.S_ISREG(status.st_mode) and status.st_nlink == 1:
        return os.fdopen(handle, "a+b")
    os.close(handle)
    if stat.S_ISREG(status.st_mode):
        raise OSError(errno.EMLINK, "another name leads to the same file", os.fspath(name))
    raise NotRegular(name)


def replace_whole(name: Name, draft: Name, content: bytes, *, sync: bool = False) -> None:
    """Puts content in a file's place, all of it or nothing, by way of a draft in the same folder.

    `sync`: it has to survive a loss of power.
    """
    try:
        with create(draft) as stream:
            stream.write(content)
            if sync:
                stream.flush()
                os.fsync(stream.fileno())
        os.replace(draft, name)  # noqa: PTH105  as above
    except BaseException:
        with suppress(OSError):
            os.unlink(draft)  # noqa: PTH108  as above
        raise
