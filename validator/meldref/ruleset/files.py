"""Finds rules files by id, alias or path, and lists those that ship."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from meldref.data import data_path
from meldref.records import record

if TYPE_CHECKING:
    from meldref.ruleset.meant import Meant
    from meldref.source import Value

BASE: Final = "500-rummy"
"""The ruleset whose values hold where no file says anything."""
_MOST_NAMES: Final = 20
"""So many names in the place of one may have been meant to have commas between them."""
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


@record
class Found:
    """A rules file: its path, its name as messages show it, and whether it ships.

    `text` is what stands in it where that is on no disk; the path then says where names in it start.
    """

    path: Path
    shown: str
    shipped: bool = False
    text: bytes | None = None

    @property
    def key(self) -> str:
        """What tells this file from any other."""
        return str(self.path)


Name: TypeAlias = str | Found
"""What a ruleset is asked for by: an id, an alias or a path; or a file that was found already."""


def find(name: str, beside: Path | None = None) -> Found | None:
    """The file of an id, an alias, or a path; None where there is none."""
    if is_path(name):
        path = Path(name)
        full = (beside or Path()) / path
        if _is_file(full):
            return Found(full.resolve(), name)
        return Found(full.absolute(), name) if _is_stream(full) else None
    for folder in ((), ("options",)):
        path = data_path("rulesets").joinpath(*folder, f"{name}.yaml")
        if _is_id(name) and _is_file(path):
            return Found(path, path.name, shipped=True)
    for shipped in list_rulesets():
        if name in shipped.aliases:
            return Found(shipped.file, shipped.file.name, shipped=True)
    return None


def is_shipped(shown: str) -> bool:
    """Whether a file of that name, as messages show it, ships with the program."""
    folder = data_path("rulesets")
    return not is_path(shown.removesuffix(".yaml")) and (
        _is_file(folder / shown) or _is_file(folder / "options" / shown)
    )


def _is_file(path: Path) -> bool:
    """Whether there is such a file; a name that no file can have is none."""
    try:
        return path.is_file()
    except OSError:
        return False


def _is_stream(path: Path) -> bool:
    """Whether there is a pipe or device to read from; what its name leads to may have no name itself."""
    try:
        return path.exists() and not path.is_dir()
    except OSError:
        return False


def is_path(name: str) -> bool:
    """Whether a name is a path to a file, not the id of a ruleset."""
    return "/" in name or "\\" in name or name.endswith(_ENDINGS)


def _is_id(name: str) -> bool:
    return bool(name) and all(letter.isalnum() or letter == "-" for letter in name)


def missing(name: str, beside: Path | None = None) -> str:
    """The sentence that says that there is no such file, with what may have been meant."""
    meant = nearest(name, beside)
    if is_path(name):
        inside = _rules_in((beside or Path()) / name)
        if inside is not None:
            said = f", as in {name.rstrip('/')}/{inside[0]}" if inside else ""
            return f"{name} is a folder: name a file in it{said}"
        return f"there is no file {name}" + (f"; did you mean {meant.text}?" if meant else "")
    message = f"there is no ruleset or option {name}"
    if meant is None:
        return message
    if is_path(meant.text):
        return f"{message}; the file beside it is called {meant.text}"
    if " " in meant.text:
        return f"{message}; several names have commas between them: {meant.text}"
    return f"{message}; did you mean {meant.text}?"


def nearest(name: str, beside: Path | None = None) -> Meant | None:
    """What a name was probably meant to be: an id, a file, or several of them."""
    from meldref.ruleset.meant import Meant, name_for  # noqa: PLC0415  finding a file that is there takes none of it

    folder = beside or Path()
    if is_path(name):
        inside = _rules_in(folder / name)
        if inside is not None:
            return Meant(f"{name.rstrip('/')}/{inside[0]}", sure=True) if len(inside) == 1 else None
        close = name_for(Path(name).name, _rules_in((folder / name).parent) or ())
        return Meant(str(Path(name).with_name(close.text)), close.sure) if close else None
    parts = name.split()
    if 1 < len(parts) <= _MOST_NAMES and all(find(part, beside) is not None for part in parts):
        return Meant(", ".join(parts), sure=True)
    for ending in _ENDINGS:
        if _is_file(folder / f"{name}{ending}"):
            return Meant(f"{name}{ending}", sure=True)
    return name_for(name.lower(), [ruleset.id for ruleset in list_rulesets()])


def _rules_in(folder: Path) -> list[str] | None:
    """The names of the files in a folder that may be rules; None where there is no such folder."""
    try:
        return sorted(path.name for path in folder.iterdir() if path.suffix in _ENDINGS)
    except (OSError, ValueError):
        return None


def list_rulesets() -> tuple[Shipped, ...]:
    """Every ruleset and option that ships: games first, each by its id."""
    return _shipped_in(data_path("rulesets"))


@lru_cache(maxsize=4)
def _shipped_in(rulesets: Path) -> tuple[Shipped, ...]:
    """Those of a folder; it is asked for with each name that is none of them."""
    return tuple(_shipped(rulesets))


def _shipped(rulesets: Path) -> Iterator[Shipped]:
    from meldref.source import read_yaml  # noqa: PLC0415  finding a file takes no reading

    for folder in ((), ("options",)):
        for path in sorted(rulesets.joinpath(*folder).glob("*.yaml")):
            document, _ = read_yaml(path.read_bytes(), path.name)
            value = document.value if document else None
            if isinstance(value, dict):
                yield Shipped(
                    str(value.get("id", path.stem)),
                    str(value.get("type", "game")),
                    str(value.get("name", path.stem)),
                    str(value.get("about", "")),
                    words(value.get("aliases")),
                    path,
                )


def words(value: Value) -> tuple[str, ...]:
    """A list of words as a tuple; nothing where there is no list."""
    return tuple(map(str, value)) if isinstance(value, list) else ()
