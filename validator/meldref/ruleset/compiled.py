"""Shipped rulesets as they come out of their files, kept in the user's cache as data.

Reading and merging YAML takes longer than all else that a question from the command line needs. What is kept
answers only for the same game and options, from files with the same text, by the same version of this program;
anything of which there was something to say is not kept, so that it is said again.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from meldref import __version__, cache
from meldref.data import data_path
from meldref.diagnostics import Origin
from meldref.records import fields_of
from meldref.ruleset import model
from meldref.ruleset.model import Ruleset

_LONGEST: Final = 120
"""Combinations with longer names are not kept: no file could have that name everywhere."""
_MAPPING: Final = "mapping"
_Held: TypeAlias = tuple[Sequence[object], Sequence[tuple[str, str]], Ruleset | None]


def recall(name: str, options: Sequence[str]) -> Ruleset | None:
    """The ruleset of a shipped game with shipped options, if it was kept and nothing changed since."""
    place = _place(name, options)
    if place is None:
        return None
    folder, at = data_path("rulesets"), cache.file_of(place)
    try:
        question = _question(folder)
        asked, files, ruleset = _held.get(at, _NOTHING)
        if asked != question:
            files, ruleset = cache.recall(place, question, _record) or _NOTHING[1:]
        if any((folder / file).read_bytes() != text.encode() for file, text in files):
            return None
    except (OSError, TypeError, ValueError, AttributeError):
        return None
    if not isinstance(ruleset, Ruleset):  # also where nothing is kept, or what nobody here wrote
        return None
    _held[at] = question, files, ruleset
    return ruleset


def forget() -> None:
    """Lets go of all that this process knows of it, so that a ruleset comes from the user's cache again."""
    _held.clear()
    _stamps.cache_clear()


_NOTHING: Final[_Held] = (), (), None
_held: Final[dict[Path | None, _Held]] = {}
"""What this process recalled already, by the file it came from: the question, the texts of files, the ruleset."""


def keep(name: str, options: Sequence[str], ruleset: Ruleset, files: Mapping[Path, bytes]) -> None:
    """Keep a ruleset made from the text of these files, all of which ship."""
    place = _place(name, options)
    if place is not None and {path.stem for path in files} >= {name, *options}:  # an alias is any file's business
        folder = data_path("rulesets")
        texts = [[path.relative_to(folder).as_posix(), text.decode()] for path, text in files.items()]
        cache.keep(place, _question(folder), [texts, _data(ruleset)])


def _place(name: str, options: Sequence[str]) -> str | None:
    """The name under which a ruleset is kept; None for a path, and for what is too long to be a file's name."""
    place = "+".join((name, *options))
    plain = "".join((name, *options)).replace("-", "")  # a name with a plus in it is none of an id
    return f"ruleset-{place}" if plain.isalnum() and plain.isascii() and len(place) <= _LONGEST else None


def _question(folder: Path) -> list[object]:
    """What a ruleset depends on beside the text of its files: this program, and which other files there are."""
    return [
        __version__,
        sorted(os.listdir(folder)),  # noqa: PTH208  four times as fast
        sorted(os.listdir(folder / "options")),  # noqa: PTH208
        _stamps(),
    ]


@lru_cache(maxsize=1)
def _stamps() -> list[list[object]]:
    """When the modules that make rulesets were changed: a version under development does not say it."""
    package = Path(__file__).parent.parent
    found: list[list[object]] = []
    for folder in (package, *(package / name for name in ("ruleset", "authoring", "melds"))):
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    status = entry.stat()
                    found.append([entry.name, status.st_mtime_ns, status.st_size])
    return sorted(found)


def _data(value: object) -> object:
    """A value as JSON has it: records by name, with their fields in order."""
    if names := fields_of(value):
        return {type(value).__name__: [_data(getattr(value, name)) for name in names]}
    if isinstance(value, Mapping):
        return {_MAPPING: [[key, _data(item)] for key, item in value.items()]}
    if isinstance(value, tuple):
        return [_data(item) for item in value]
    return value


def _record(data: dict[str, Any]) -> object:
    """The value of a JSON object."""
    ((name, values),) = data.items()
    if name == _MAPPING:
        return MappingProxyType(dict(values))
    kind: Any = Origin if name == "Origin" else getattr(model, name)
    return kind(*[tuple(value) if isinstance(value, list) else value for value in values])
