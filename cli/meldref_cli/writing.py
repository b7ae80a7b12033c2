"""Writing files: all of a file or nothing of it."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeVar

from meldref.wording import in_words, one_line
from meldref_cli import output
from meldref_cli.errors import Unusable
from meldref_cli.files import is_file, is_folder, why_not

Kind = TypeVar("Kind")


def check_may_write(path: str, *, force: bool) -> None:
    """A file that is asked for can be written, before there is anything to write.

    Raises:
        Unusable: its folder is not there, it is a folder, or it is there and nobody said to write over it.
    """
    _needs_folder(path)
    if is_folder(path):
        raise Unusable(f"{path}: this is a folder")
    if is_file(path) and not force:
        raise Unusable(f"{path}: the file is there already; --force writes over it")


def by_ending(path: str | None, kinds: Mapping[str, Kind], default: Kind, option: str) -> Kind:
    """What is to be written into a file, by the ending of its name; the default where it has none.

    Args:
        path: the file; None for standard output.
        kinds: what each ending, in small letters, stands for.
        default: what is written where nothing says it.
        option: the option that says it whatever the ending.

    Raises:
        Unusable: the ending stands for something else.
    """
    ending = Path(path or "").suffix.lower()
    if not ending:
        return default
    if ending not in kinds:
        raise Unusable(f"{path}: what is written ends in {in_words(kinds, 'or')}; {option} writes it all the same")
    return kinds[ending]


def write_file(path: str, texts: Iterable[str]) -> None:
    """Puts texts, one behind the other, in the place of a file's content: all of them or none.

    Links stay, and so does the mode of a file that was there. What is no file (a pipe, a device) is written to.

    Raises:
        Unusable: the file cannot be written.
    """
    target = Path(path)
    try:
        if target.exists() and not target.is_file():
            with target.open("w", encoding="utf-8", newline="") as stream:
                stream.writelines(texts)
            return
        _needs_folder(path)
        target = Path(os.path.realpath(target))
        if target.is_symlink():
            raise Unusable(f"{path}: this is a link that leads to itself")
        if target.exists() and not os.access(target, os.W_OK):
            raise Unusable(f"{path}: the file cannot be written")
        _replace(target, texts)
    except OSError as error:
        raise Unusable(f"{path}: {why_not(error)}") from error


def say_what_leads_out(names: Iterable[str], beside: Path, out: str | None) -> None:
    """Of a log that was written: rules it names that audits read only where somebody says that they are trusted.

    Args:
        names: rulesets and options, as its headers name them.
        beside: the folder it lies in.
        out: the log's own name; None for standard output.
    """
    from meldref.ruleset.files import LogName, is_refused

    for name in dict.fromkeys(names):
        if is_refused(LogName(name, beside)):
            log = "the log" if out is None else out
            said = f"{log} names {name}, which is no rules file in its folder or below: it needs --trust-paths"
            output.notice(one_line(said))


def deliver(text: str, path: str | None, *, quiet: bool = False) -> None:
    """Puts a text in a file and says so unless `quiet`, or on standard output where no file is asked for.

    Raises:
        Unusable: the file cannot be written.
    """
    if path is None:
        sys.stdout.write(text)
    else:
        write_file(path, [text])
        if not quiet:
            output.notice(f"{path}: written")


def _needs_folder(path: str) -> None:
    """A file is written into a folder that is there.

    Raises:
        Unusable: there is no such folder.
    """
    folder = Path(path).parent
    if not is_folder(folder):
        raise Unusable(f"{path}: there is no folder {folder}")


def _replace(target: Path, texts: Iterable[str]) -> None:
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
            stream.writelines(texts)
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            shutil.copymode(target, temporary)
        else:
            mask = os.umask(0)
            os.umask(mask)
            Path(temporary).chmod(0o666 & ~mask)
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
