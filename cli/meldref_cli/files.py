"""The files a command works on: paths and folders as they were given, and reading them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from meldref.core.safe_files import inside, is_regular, open_file, read_file
from meldref.core.text import name_of_file
from meldref_cli.errors import Unusable
from meldref_cli.output import system_words

STANDARD_INPUT: Final = "-"


def only_one_input(*named: tuple[str, str | None]) -> None:
    """Standard input can be one thing alone; each is what it is for, and the name that was given.

    Raises:
        Unusable: several are `-`.
    """
    wanted = [what for what, name in named if name == STANDARD_INPUT]
    if len(wanted) > 1:
        from meldref.core.text import in_words

        raise Unusable(f"- is standard input, which can be one thing only, not {in_words(wanted)}: give files")


def is_there(name: str | Path) -> bool:
    """Whether there is something of that name; where nobody may look, or no file can have it, there is not."""
    return os.path.exists(name)  # noqa: PTH110  `Path.exists` raises where a name is too long, or a folder is locked


def is_file(name: str | Path) -> bool:
    """Whether there is a file of that name, as `is_there`."""
    return os.path.isfile(name)  # noqa: PTH113  as above


def is_folder(name: str | Path) -> bool:
    """Whether there is a folder of that name, as `is_there`."""
    return os.path.isdir(name)  # noqa: PTH112  as above


class Met(str):
    """The name of a file that nobody gave: it was met in a folder, and is read as a regular file alone."""

    __slots__ = ()


def expand(name: str, endings: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """The files meant, and what is wrong: a folder stands for all below it with one of the endings, sorted."""
    if name == STANDARD_INPUT or not is_folder(name):
        return [name], []
    wrong: list[str] = []
    found = sorted(path for path in _below(Path(name), wrong) if path.suffix.lower() in endings)
    met: list[str] = []
    for path in found:
        if _may_be_read(path, Path(name)):
            met.append(Met(path))
        else:
            wrong.append(
                name_of_file(f"{path}: no regular file of this folder; give its own name to have it read")
            )
    if not found and not wrong:
        kinds = " or ".join(f"*{ending}" for ending in endings)
        return [], [name_of_file(f"{name}: no {kinds} below this folder")]
    return met, wrong


def _may_be_read(path: Path, folder: Path) -> bool:
    """Whether something met in a folder is a file of it, or a link to one: neither a pipe nor a way out."""
    if path.is_symlink():
        place = inside(path.name, path.parent, folder)
        return place is not None and is_regular(place)
    return is_regular(path) or not is_there(path)


def expand_all(names: Iterable[str], endings: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """The files meant, each once, and what is wrong with names that stand for none."""
    paths: dict[str, None] = {}
    troubles: list[str] = []
    for name in names:
        found, wrong = expand(name, endings)
        paths.update(dict.fromkeys(found))
        troubles += wrong
    return list(paths), troubles


def _below(folder: Path, locked: list[str]) -> Iterator[Path]:
    """Every file below a folder, hidden ones and hidden folders left out; `locked` gathers what cannot be read."""

    def note(error: OSError) -> None:
        locked.append(name_of_file(f"{error.filename}: the folder cannot be used: {system_words(error)}"))

    for place, folders, files in os.walk(folder, onerror=note):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in (*files, *[name for name in folders if Path(place, name).is_symlink()]):  # not walked into
            if not name.startswith("."):
                yield Path(place, name)


def why_not(error: OSError) -> str:
    """Why a file cannot be read or written, in the system's words."""
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    if isinstance(error, IsADirectoryError):
        return "this is a folder"
    return f"the file cannot be used: {system_words(error)}"


def lines_of(path: str, longest: int | None = None) -> Iterator[str]:
    """The lines of a file, or of standard input; of those beyond the longest a log may have, the beginning.

    Raises:
        OSError: it cannot be opened or read.
    """
    from meldref.notation.scanner import LONGEST, decode, open_lines

    if path == STANDARD_INPUT:
        return decode(sys.stdin.buffer, longest or LONGEST)
    return open_lines(path, longest or LONGEST, any_kind=not isinstance(path, Met))


def log_lines(path: str, longest: int | None = None) -> Iterator[str]:
    """The same, as they come.

    Raises:
        Unusable: it cannot be opened or read.
    """
    try:
        yield from lines_of(path, longest)
    except OSError as error:
        raise Unusable(f"{path}: {why_not(error)}") from error


@contextmanager
def opened(path: str) -> Iterator[IO[bytes]]:
    """A file, or standard input, to read bytes from.

    Raises:
        Unusable: it cannot be opened or read.
    """
    try:
        if path == STANDARD_INPUT:
            yield sys.stdin.buffer
            return
        with open_file(path, any_kind=not isinstance(path, Met)) as stream:
            yield stream
    except OSError as error:
        raise Unusable(f"{path}: {why_not(error)}") from error


def read_bytes(path: str, most: int | None = None) -> bytes:
    """The content of a file, or of standard input, up to one byte beyond the most that is wanted.

    Raises:
        Unusable: it cannot be opened or read.
    """
    try:
        if path == STANDARD_INPUT:
            return sys.stdin.buffer.read(-1 if most is None else most + 1)
        return read_file(path, most, any_kind=not isinstance(path, Met))
    except OSError as error:
        raise Unusable(f"{path}: {why_not(error)}") from error
