"""Writing files: all of a file or nothing of it."""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from itertools import islice
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from meldref.core.resources import data_path
from meldref.core.safe_files import lock, open_file, system_words, why_not
from meldref.core.safe_writing import create_text
from meldref.core.text import in_words, one_line
from meldref.rulefiles.files import LogName, is_refused
from meldref_cli import leaving, output
from meldref_cli.errors import CLEAN, Unusable, naming
from meldref_cli.files import is_file, is_folder, is_there

Kind = TypeVar("Kind")
Seen: TypeAlias = tuple[int, int, int, int]
"""Which file it is, how long, and when it was changed."""

_IN_MEMORY: Final = 1 << 20
"""How many bytes wait in memory; more wait in a file."""
_AT_ONCE: Final = 100
_RULES_ENDINGS: Final = ("", ".yaml", ".yml", ".txt")
"""How the name of a file may end that rules are written into."""
_HEAD, _TAIL = 4_000, 600
"""How many bytes at both ends of a file are looked at for who wrote it."""
_OURS_ABOVE: Final = re.compile(
    rb"""<meta name="generator" content="meldref """
    rb'''|<testsuites name="meldref |^\{"version": 1, "meldref": "'''
)
"""What begins reports and standings as pages, and audits as JUnit and JSON."""
_OURS_BELOW: Final = re.compile(
    rb"""Written\ by\ meldref\ from\ the\ rules
    |"driver":\ \{"name":\ "meldref",[^\n]*\Z
    |meldref\ explain\ \S+\ shows\ examples\.[^\n]*\Z
    |^\{"summary":\ \{"logs":\ \d+,[^\n]*\Z
    |^(?:[^\n]+:\ (?:clean|undecided|\d+\ violations?)\ \(|\d+\ logs?:\ )
        \d+\ hands?,\ \d+\ turns?[^\n]*\Z""",
    re.MULTILINE | re.VERBOSE,
)
"""What ends rulebooks, and audits as SARIF, JSON Lines and text."""


def check_may_write(path: str | None, *, force: bool) -> None:
    """Raises `Unusable` unless a file asked for can be written; None is standard output."""
    if path is None:
        return
    _needs_folder(path)
    if is_folder(path):
        raise Unusable(f"{path}: this is a folder")
    if is_file(path) and not force and not _is_ours(path):
        raise Unusable(f"{path}: the file already exists; --force overwrites it")


def check_ending(path: str | None, endings: Collection[str], otherwise: str) -> None:
    """Raises `Unusable` unless the name of a file to write ends in one of some ways."""
    if path is not None and Path(path).suffix.lower() not in endings:
        raise Unusable(f"{path}: {otherwise}")


def check_may_write_rules(path: str | None, *, force: bool) -> None:
    """Raises `Unusable` unless rules can be written into a file; None is standard output."""
    check_ending(path, _RULES_ENDINGS, "a rules file ends in .yaml or .yml")
    check_may_write(path, force=force)


def folder_to_write(name: str) -> Path:
    """A folder that files are written into, which is made where it is not there."""
    if is_there(name) and not is_folder(name):
        raise Unusable(f"{name}: this is no folder")
    with naming(name):
        Path(name).mkdir(parents=True, exist_ok=True)
    return Path(name)


def _is_ours(path: str) -> bool:
    """Whether a file is a page or an audit that meldref wrote, as its head or its end shows.

    Logs are people's own.
    """
    try:
        with open_file(path) as stream:
            head = stream.read(_HEAD)
            stream.seek(max(0, os.fstat(stream.fileno()).st_size - _TAIL))
            tail = stream.read(_TAIL).rstrip()
            return bool(_OURS_ABOVE.search(head) or _OURS_BELOW.search(tail))
    except OSError:
        return False


def by_ending(path: str | None, kinds: Mapping[str, Kind], default: Kind, option: str) -> Kind:
    """What a file's ending stands for in `kinds`.

    The default without one; an unknown one needs `option`.
    """
    ending = Path(path or "").suffix.lower()
    if not ending:
        return default
    if ending not in kinds:
        endings = in_words(kinds, "or")
        raise Unusable(
            f"{path}: the name of the file has to end in {endings}, unless {option} is given"
        )
    return kinds[ending]


def seen(path: str) -> Seen | None:
    """What shows later whether a file is still the one that is read now.

    None if there is none.
    """
    try:
        status = os.stat(path)  # noqa: PTH116  `Path.stat` would make a path of it
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def write_file(path: str, texts: Iterable[str], before: Seen | None = None) -> None:
    """Puts texts, one behind the other, in the place of a file's content: all of them or none.

    Links of both kinds, owner, group, mode and extended attributes of a file that was there stay.
    What is no file (a pipe, a device) is written to. With `before`, as `seen` gave it before the
    file was read, one that somebody else has changed since then is left alone, and so is a log that
    a table is writing.
    """
    target = Path(path)
    with naming(path):
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
        with _alone(path):
            _replace(target, texts, lambda: _check_unchanged(path, before))


def say_what_leads_out(names: Iterable[str], beside: Path, out: str | None, *, quiet: bool) -> None:
    """Says which rules a log that was written names that audits read only with --trust-paths.

    `names` are the rulesets and options of its headers, `beside` its folder, `out` its own name.
    """
    for name in () if quiet else dict.fromkeys(names):
        if is_refused(LogName(name, beside)):
            why = "which is not a rules file in its folder or below: it needs --trust-paths"
            output.notice(one_line(f"{out or 'the log'} names {name}, {why}"))


@contextmanager
def spooled(texts: Iterable[str]) -> Iterator[Iterable[str]]:
    """Lines that wait until their use is known: a few in memory, more in an unnamed file.

    All of them are made before the first is read again.
    """
    from tempfile import SpooledTemporaryFile

    with SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="utf-8", newline="") as spool:
        rest = iter(texts)
        while some := "".join(islice(rest, _AT_ONCE)):
            try:
                spool.write(some)  # looks at its size after each writing
            except OSError as error:
                raise Unusable(
                    f"a temporary file cannot be written: {system_words(error)}"
                ) from error
        spool.seek(0)
        yield spool


def deliver(texts: Iterable[str], path: str | None, *, quiet: bool = False) -> None:
    """Puts texts in a file and says so unless `quiet`, or on standard output."""
    if path is None:
        sys.stdout.writelines(texts)
    else:
        write_file(path, texts)
        if not quiet:
            output.notice(f"{path}: written")


@contextmanager
def output_into(path: str | None, *, force: bool, quiet: bool) -> Iterator[None]:
    """What goes to standard output meanwhile goes into a file, all of it or nothing.

    With None, it stays there.
    """
    if path is None:
        yield
        return
    check_may_write(path, force=force)
    from tempfile import SpooledTemporaryFile

    with SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="utf-8", newline="") as spool:
        with redirect_stdout(spool):
            yield
        spool.seek(0)
        deliver(spool, path, quiet=quiet)


def deliver_data(name: str, path: str | None, *, force: bool, quiet: bool) -> int:
    """Delivers a data file of the library, and returns the exit status."""
    check_may_write(path, force=force)
    deliver([data_path(*name.split("/")).read_text(encoding="utf-8")], path, quiet=quiet)
    return CLEAN


def _check_unchanged(path: str, before: Seen | None) -> None:
    """Raises `Unusable` if a file is no longer the one that was read."""
    if before is not None and seen(path) != before:
        raise Unusable(f"{path}: somebody else has changed this file meanwhile; nothing is written")


@contextmanager
def _alone(path: str) -> Iterator[None]:
    """While nobody else writes a file that takes turns with others, as tables do with logs."""
    if not is_file(path) or not os.access(path, os.R_OK):
        yield
        return
    with open_file(path) as stream:
        if not lock(stream.fileno()):
            raise Unusable(f"{path}: a table is writing this log; nothing is changed")
        yield


def _needs_folder(path: str) -> None:
    """Raises `Unusable` if the folder of a file to write does not exist."""
    folder = Path(path).parent
    if not is_folder(folder):
        raise Unusable(f"{path}: there is no folder {folder}")


def _replace(target: Path, texts: Iterable[str], check: Callable[[], None]) -> None:
    """Writes a draft beside the target, whole, and puts it in place, unless `check` raises first.

    Where that would take something from the file, such as its hard links, its content is exchanged
    instead.
    """
    # The target's name may leave no room for more.
    draft = target.with_name(f".meldref-{os.urandom(8).hex()}")
    before = target.stat() if target.exists() else None
    # Nobody else reads the draft of a file that is not for everybody.
    mode = 0o666 if before is None else 0o600
    leaving.UNFINISHED.add(str(draft))
    try:
        with create_text(draft, mode) as stream:
            stream.writelines(texts)
            stream.flush()
            os.fsync(stream.fileno())
        check()
        if before is None or _can_stand_for(draft, target, before):
            draft.replace(target)
        else:
            _exchange(target, draft)
            draft.unlink()
    except BaseException as fault:
        if not isinstance(fault, _Half):
            draft.unlink(missing_ok=True)
        raise
    finally:
        leaving.UNFINISHED.discard(str(draft))


def _can_stand_for(draft: Path, target: Path, before: os.stat_result) -> bool:
    """Gives a draft the owner, group, mode and attributes of a file.

    Whether nothing of it would be lost.
    """
    if before.st_nlink > 1:
        return False
    own = draft.stat()
    if (own.st_uid, own.st_gid) != (before.st_uid, before.st_gid):
        try:
            os.chown(draft, before.st_uid, before.st_gid)
        except OSError:
            return False
    draft.chmod(stat.S_IMODE(before.st_mode))
    try:
        for name in os.listxattr(target) if hasattr(os, "listxattr") else ():
            os.setxattr(draft, name, os.getxattr(target, name))
    except OSError as error:
        return error.errno == errno.ENOTSUP
    return True


class _Half(Unusable):
    """Raised if the file may be only partly written; the draft holds all of it."""


def _exchange(target: Path, draft: Path) -> None:
    """Copies a draft into the file itself; where not all of it could be copied, the draft stays."""
    try:
        with leaving.undisturbed(), draft.open("rb") as source, target.open("r+b") as stream:
            shutil.copyfileobj(source, stream)
            stream.truncate()
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise _Half(f"{target}: {why_not(error)}; its new content is in {draft}") from error
