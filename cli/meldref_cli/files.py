"""The files a command works on: paths and folders as they were given, and reading them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from meldref_cli.errors import Unusable
from meldref_cli.output import in_words

if TYPE_CHECKING:
    import io

STANDARD_INPUT: Final = "-"


def only_one_input(*named: tuple[str, str | None]) -> None:
    """Standard input can be one thing alone; each is what it is for, and the name that was given.

    Raises:
        Unusable: several are `-`.
    """
    wanted = [what for what, name in named if name == STANDARD_INPUT]
    if len(wanted) > 1:
        from meldref.wording import in_words

        raise Unusable(f"- is standard input, which can be one thing only, not {in_words(wanted)}: give files")


def expand(names: Iterable[str], endings: tuple[str, ...]) -> Iterator[str]:
    """The files meant: a folder stands for all below it with one of the endings, sorted; others stay as given."""
    for name in names:
        if name != STANDARD_INPUT and Path(name).is_dir():
            found = [path for path in _below(Path(name)) if path.suffix.lower() in endings]
            if not found:
                raise_empty(name, endings)
            yield from (str(path) for path in sorted(found))
        else:
            yield name


def expand_all(names: Iterable[str], endings: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """The files meant, each once, and what is wrong with names that stand for none."""
    paths: dict[str, None] = {}
    troubles: list[str] = []
    for name in names:
        try:
            paths.update(dict.fromkeys(expand([name], endings)))
        except Unusable as reason:
            troubles += reason.args
    return list(paths), troubles


def raise_empty(name: str, endings: tuple[str, ...]) -> None:
    """A folder without a single file of the kind."""
    kinds = " or ".join(f"*{ending}" for ending in endings)
    raise Unusable(f"{name}: no {kinds} below this folder")


def _below(folder: Path) -> Iterator[Path]:
    """Every file below a folder, hidden ones and hidden folders left out."""
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            if not name.startswith("."):
                yield Path(place, name)


def why_not(error: OSError) -> str:
    """Why a file cannot be read or written, in the system's words."""
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    if isinstance(error, IsADirectoryError):
        return "this is a folder"
    return f"the file cannot be used: {in_words(error)}"


def lines_of(path: str, longest: int | None = None) -> Iterator[str]:
    """The lines of a file, or of standard input; of those beyond the longest a log may have, the beginning.

    Raises:
        OSError: it cannot be opened or read.
    """
    from meldref.notation.scanner import LONGEST, decode, open_lines

    if path == STANDARD_INPUT:
        return decode(cast("io.BufferedIOBase", sys.stdin.buffer), longest or LONGEST)
    return open_lines(path, longest or LONGEST)


def log_lines(path: str) -> Iterator[str]:
    """The lines of a log, or of standard input.

    Raises:
        Unusable: it cannot be opened or read.
    """
    try:
        yield from lines_of(path)
    except OSError as error:
        raise Unusable(f"{path}: {why_not(error)}") from error


def read_bytes(path: str) -> bytes:
    """The content of a file, or of standard input.

    Raises:
        Unusable: it cannot be opened or read.
    """
    try:
        if path == STANDARD_INPUT:
            return sys.stdin.buffer.read()
        return Path(path).read_bytes()
    except OSError as error:
        raise Unusable(f"{path}: {why_not(error)}") from error
