"""The files a command works on: paths and folders as they were given, and reading them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from glob import glob, has_magic
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from meldref.core.safe_files import (
    MAX_BYTES,
    Met,
    beginning_of_pipe,
    inside,
    is_pipe,
    is_regular,
    is_url,
    open_file,
    system_words,
)
from meldref.core.text import name_of_file
from meldref_cli.errors import naming

if TYPE_CHECKING:
    from meldref_archive.sources import Log

STANDARD_INPUT: Final = "-"

# Whether there is something of a name, a file, a folder: `Path.exists` would raise where a name is
# too long, or a folder may not be looked into.
is_there: Final = os.path.exists
is_file: Final = os.path.isfile
is_folder: Final = os.path.isdir
is_link: Final = os.path.islink


def expand_all(
    names: Iterable[str], endings: tuple[str, ...], left_out: list[str] | None = None
) -> tuple[list[str], list[str]]:
    """The files meant, each once, and what is wrong with names that stand for none.

    A folder stands for all below it with one of the endings, sorted, and `left_out` gathers the
    others; a pattern, where there is no file of that name, stands for what it matches.
    """
    wrong: list[str] = []
    paths = dict.fromkeys(path for name in names for path in _meant(name, endings, wrong, left_out))
    return list(paths), wrong


def _meant(
    name: str, endings: tuple[str, ...], wrong: list[str], left_out: list[str] | None
) -> Iterator[str]:
    """The files that a name stands for.

    One that is no pattern may be that of a file that is not there.
    """
    if is_folder(name):
        yield from _in_folder(name, endings, wrong, left_out)
    elif name == STANDARD_INPUT or is_url(name) or is_there(name) or not has_magic(name):
        yield name
    else:
        matches = sorted(glob(name, recursive=True))  # noqa: PTH207  names stay as they were given
        for match in matches:
            yield from (
                _in_folder(match, endings, wrong, left_out) if is_folder(match) else (Met(match),)
            )
        if not matches:
            wrong.append(name_of_file(f"{name}: no file matches"))


def _in_folder(
    name: str, endings: tuple[str, ...], wrong: list[str], left_out: list[str] | None
) -> Iterator[str]:
    """The files below a folder with one of the endings, of which there has to be one."""
    before, any_log = len(wrong), False
    for path in sorted(_below(Path(name), wrong)):
        if not path.name.lower().endswith(endings):
            if left_out is not None and not _is_folder_of(path, Path(name)):
                left_out.append(str(path))
        elif _may_be_read(path, Path(name)):
            any_log = True
            yield Met(path)
        else:
            wrong.append(
                name_of_file(
                    f"{path}: not a regular file of this folder; give its own name to have it read"
                )
            )
    if not any_log and len(wrong) == before:
        kinds = " or ".join(
            f"*{ending}" for ending in endings if not ending.endswith((".gz", ".zst", ".zip"))
        )
        wrong.append(name_of_file(f"{name}: no {kinds} below this folder"))


def _may_be_read(path: Path, folder: Path) -> bool:
    """Whether something in a folder is a file of it or a link to one: no pipe, no way out."""
    if is_link(path):
        place = inside(path.name, path.parent, folder)
        return place is not None and is_regular(place)
    return is_regular(path) or not is_there(path)


def _is_folder_of(path: Path, folder: Path) -> bool:
    """Whether a link met in a folder leads to a folder of it.

    Where it leads out, nobody looks what is there.
    """
    place = inside(path.name, path.parent, folder) if is_link(path) else None
    return place is not None and is_folder(place)


def _below(folder: Path, locked: list[str]) -> Iterator[Path]:
    """Every file below a folder, hidden ones and hidden folders left out.

    `locked` gathers what cannot be read.
    """

    def note(error: OSError) -> None:
        locked.append(
            name_of_file(f"{error.filename}: the folder cannot be used: {system_words(error)}")
        )

    for place, folders, files in os.walk(folder, onerror=note):
        folders[:] = [name for name in folders if not name.startswith(".")]
        links = [name for name in folders if is_link(Path(place, name))]  # not walked into
        for name in (*files, *links):
            if not name.startswith("."):
                yield Path(place, name)


def named_logs(
    names: Iterable[str], no_tables: str, left_out: list[str] | None = None
) -> tuple[list[Log], list[str]]:
    """The logs that names stand for, those in archives too, and what is wrong with other names.

    `no_tables` is what is said of a table of logs; `left_out` is as in `expand_all`.
    """
    from meldref_archive.sources import LOGS, Log, check_packages
    from meldref_archive.tables import logs_of

    paths, wrong = expand_all(names, LOGS, left_out)
    check_packages(paths)
    logs: list[Log] = []
    for path in paths:
        if path.lower().endswith(".zip"):
            logs += logs_of(path, left_out=left_out)
        elif path.lower().endswith(".parquet"):
            wrong.append(name_of_file(f"{path}: {no_tables}"))
        else:
            logs.append(Log.of(path))
    return logs, wrong


def is_read_once(path: str) -> bool:
    """Whether what a name stands for cannot be opened again: standard input, or a pipe."""
    return path == STANDARD_INPUT or is_pipe(path)


def beginning_of(path: str, most: int) -> bytes:
    """The first bytes of a file, or those that are there of what is read once; they are still to be read."""
    if path == STANDARD_INPUT:
        return _beginning_of_input(most)
    with naming(path):
        return beginning_of_pipe(path, most) if is_pipe(path) else read_bytes(path, most)


def _beginning_of_input(most: int) -> bytes:
    """The first bytes of standard input, as far as they are there."""
    stream = sys.stdin.buffer
    if isinstance(stream, BufferedReader):
        return stream.peek(most)[:most]
    beginning = stream.read(most)
    stream.seek(0)
    return beginning


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """A file, or standard input, to read bytes from."""
    with naming(path):
        if path == STANDARD_INPUT:
            yield sys.stdin.buffer
            return
        with open_file(path, any_kind=not isinstance(path, Met)) as stream:
            yield stream


def read_bytes(path: str, most: int | None = None) -> bytes:
    """The content of a file or standard input, up to one byte beyond the most wanted."""
    with opened(path) as stream:
        return stream.read(-1 if most is None else most + 1) or b""


def read_document(path: str) -> bytes:
    """The content of a YAML or JSON file, or of standard input.

    Of what is too large, more than it may have.
    """
    return read_bytes(path, MAX_BYTES)
