"""Finds rules files by id, alias or path, and lists those that ship."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from meldref.core.meant import Meant, nearest
from meldref.core.records import changed, record
from meldref.core.resources import data_path
from meldref.core.safe_files import MAX_BYTES, inside, is_regular, read_file
from meldref.core.text import in_words, name_of_file

if TYPE_CHECKING:
    from meldref.documents.reader import Value

BASE: Final = "500-rummy"
"""The ruleset whose values hold where no file says anything."""
_MOST_NAMES: Final = 20
"""The most words of a name that may have been meant as several names with commas between them."""
_ENDINGS: Final = (".yaml", ".yml", ".json")


@record
class Shipped:
    """A ruleset or option that ships with the program."""

    id: str
    type: str
    name: str
    about: str
    aliases: tuple[str, ...]
    file: Path

    @property
    def found(self) -> Found:
        """Its file, as one that was found."""
        return Found(self.file, self.file.name, shipped=True)


@record
class LogName:
    """The name of rules in a log: it leads to a file in the log's folder or below, or nowhere.

    So does what that file builds on; `asked` is then the name in the log.
    """

    text: str
    folder: Path
    asked: str = ""

    @property
    def shown(self) -> str:
        """The name as messages show it."""
        return self.text


@record
class Found:
    """A rules file: its path, its name as messages show it, and whether it ships.

    `text` is its content where that is on no disk; names in it then start from the path's folder.
    `any_kind`: the user named it, and may have meant a pipe. `log` is the name by which a log asked
    for it.
    """

    path: Path
    shown: str
    shipped: bool = False
    text: bytes | None = None
    any_kind: bool = False
    log: LogName | None = None

    @property
    def key(self) -> str:
        """What tells this file from any other."""
        return str(self.path)

    def below(self, written: str) -> str | LogName:
        """The name of a file that this one builds on, as written here.

        A log's bounds hold for it, too.
        """
        if self.log is None:
            return written
        return LogName(written, self.log.folder, self.log.asked or self.log.text)

    def read(self) -> bytes:
        """Its content, or more than a rules file may have; OSError where it cannot be read."""
        if self.text is not None:
            return self.text
        return read_file(self.path, MAX_BYTES, any_kind=self.any_kind, links=self.log is None)


Name: TypeAlias = str | LogName | Found
"""What a ruleset is asked for by: an id, an alias or a path, maybe as a log names it; or a file
that was found."""


@record
class Setting:
    """A single setting, `game.target=1000`, and its source: a line of a file, or the command."""

    key: str
    value: str
    file: str = "--set"
    line: int = 0

    @classmethod
    def of(cls, text: str | Setting) -> Setting:
        """A setting from its text, or as it is."""
        if isinstance(text, Setting):
            return text
        key, _, value = text.partition("=")
        return cls(key.strip(), value.strip())


Settings: TypeAlias = "Mapping[str, Value] | Sequence[str | Setting]"


def find(
    name: str | LogName, beside: Path | None = None, *, any_kind: bool = False
) -> Found | None:
    """The file of an id, an alias or a path; None if there is none that a log may name.

    `any_kind`: a pipe or a device will do.
    """
    if isinstance(name, LogName):
        if not is_path(name.text):
            return find(name.text)
        place = _in_bounds(name, beside)
        if place is None or not is_regular(place):
            return None
        return Found(place, name.text, log=name)
    if is_path(name):
        full = (beside or Path()) / name
        if is_regular(full):
            return Found(Path(os.path.realpath(full)), name)
        if any_kind and _is_stream(full):
            return Found(full.absolute(), name, any_kind=True)
        return None
    for folder in ((), ("options",)):
        path = data_path("rulesets").joinpath(*folder, f"{name}.yaml")
        if name.replace("-", "").isalnum() and is_regular(path):
            return Found(path, path.name, shipped=True)
    return next((shipped.found for shipped in list_rulesets() if name in shipped.aliases), None)


def _in_bounds(name: LogName, beside: Path | None) -> Path | None:
    """The path that a name in a log stands for; None if no rules file may be there.

    Outside the log's folder nothing is looked at.
    """
    place = inside(name.text, beside or name.folder, name.folder)
    if place is None or not is_rules_file(place.name):
        return None
    return None if os.path.lexists(place) and not is_regular(place) else place


def is_refused(name: LogName, beside: Path | None = None) -> bool:
    """Whether this name in a log is refused, unless the user trusts the paths that logs name."""
    return is_path(name.text) and _in_bounds(name, beside) is None


def is_shipped(shown: str) -> bool:
    """Whether a file of that name, as messages show it, ships with the program."""
    return shipped_by(shown) is not None


def shipped_by(shown: str) -> tuple[str, str] | None:
    """The option of a command that takes a file that ships, and the id; None where it does not."""
    name, folder = shown.removesuffix(".yaml"), data_path("rulesets")
    if is_path(name):
        return None
    if is_regular(folder / shown):
        return "--rules", name
    return ("--with", name) if is_regular(folder / "options" / shown) else None


def _is_stream(path: Path) -> bool:
    """Whether there is a pipe or device to read from.

    What its name leads to may have no name itself.
    """
    try:
        return path.exists() and not path.is_dir()
    except OSError:
        return False


def text_of(name: str | LogName) -> str:
    """A name as it is written."""
    return name if isinstance(name, str) else name.text


def is_path(name: str) -> bool:
    """Whether a name is a path to a file, not the id of a ruleset."""
    return "/" in name or "\\" in name or name.endswith(_ENDINGS)


def is_rules_file(name: str) -> bool:
    """Whether a file's name ends as those of rules do, which logs may name."""
    return name.lower().endswith(_ENDINGS)


def missing(name: str | LogName, beside: Path | None = None) -> str:
    """The sentence that says that no such file, with what may have been meant."""
    text = text_of(name)
    shown = name_of_file(text)
    if isinstance(name, LogName) and is_refused(name, beside):
        what = f"{name_of_file(name.asked)} builds on {shown}" if name.asked else shown
        return (
            f"{what}: a log is judged by rules in its own folder or below it, in a file ending in "
            f"{in_words(_ENDINGS, 'or')}; --trust-paths lets logs name any"
        )
    meant = meant_name(name, beside)
    if is_path(text):
        place = (beside or Path()) / text
        # What a log names is not looked at: it may be anything.
        in_folder = _rules_in(place) if isinstance(name, str) else None
        if in_folder is not None:
            example = f", as in {shown.rstrip('/')}/{in_folder[0]}" if in_folder else ""
            return f"{shown} is a folder: name a file in it{example}"
        if isinstance(name, str) and _is_stream(place):
            return f"{shown} is a pipe or a device: rules are read from a regular file"
        message = f"there is no file {shown}"
        return message if meant is None else f"{message}; did you mean {meant.text}?"
    message = f"there is no ruleset or option {shown}"
    if meant is None:
        return message
    if is_path(meant.text):
        return f"{message}; the file beside it is called {meant.text}"
    if " " in meant.text:
        return f"{message}; separate names with commas: {meant.text}"
    return f"{message}; did you mean {meant.text}?"


def meant_name(name: str | LogName, beside: Path | None = None) -> Meant | None:
    """What a name was probably meant to be: an id, a file, or several of them."""
    text = text_of(name)
    folder = beside or Path()
    if is_path(text):
        place = folder / text if isinstance(name, str) else _in_bounds(name, beside)
        return None if place is None else _meant_path(text, place)
    parts = text.split()
    if 1 < len(parts) <= _MOST_NAMES:
        names = parts if isinstance(name, str) else [changed(name, text=part) for part in parts]
        if all(find(part, beside) is not None for part in names):
            return Meant(", ".join(parts), sure=True)
    for ending in _ENDINGS:
        file = folder / f"{text}{ending}"
        # Where a link leads is not for everybody to know.
        if is_regular(file) and not file.is_symlink():
            return Meant(file.name, sure=True)
    return nearest(text, [ruleset.id for ruleset in list_rulesets()])


def _meant_path(text: str, place: Path) -> Meant | None:
    """The only rules file in a folder that was named, or the file beside with nearly that name."""
    in_folder = _rules_in(place)
    if in_folder is not None and len(in_folder) != 1:
        return None
    if in_folder:
        return Meant(f"{text.rstrip('/')}/{in_folder[0]}", sure=True)
    close = nearest(Path(text).name, _rules_in(place.parent) or ())
    if close is None:
        return None
    return Meant(str(Path(text).with_name(close.text)), close.sure)


def _rules_in(folder: Path) -> list[str] | None:
    """The names of the files in a folder that may be rules; None where there is no such folder."""
    try:
        return sorted([path.name for path in folder.iterdir() if path.suffix in _ENDINGS])
    except (OSError, ValueError):
        return None


def list_rulesets() -> tuple[Shipped, ...]:
    """Every ruleset and option that ships: games first, each by its id."""
    return _shipped_in(data_path("rulesets"))


@lru_cache(maxsize=4)
def _shipped_in(rulesets: Path) -> tuple[Shipped, ...]:
    """Those of a folder; it is asked for with each name that is none of them."""
    from meldref.documents.reader import read_yaml  # noqa: PLC0415  finding a file takes no reading

    shipped: list[Shipped] = []
    for path in (*sorted(rulesets.glob("*.yaml")), *sorted(rulesets.glob("options/*.yaml"))):
        document, _ = read_yaml(path.read_bytes(), path.name)
        value = document.value if document else None
        if isinstance(value, dict):
            ruleset = Shipped(
                id=str(value.get("id", path.stem)),
                type=str(value.get("type", "game")),
                name=str(value.get("name", path.stem)),
                about=str(value.get("about", "")),
                aliases=words(value.get("aliases")),
                file=path,
            )
            shipped.append(ruleset)
    return tuple(shipped)


def words(value: Value) -> tuple[str, ...]:
    """A list of words as a tuple; nothing where there is no list."""
    return tuple(map(str, value)) if isinstance(value, list) else ()
