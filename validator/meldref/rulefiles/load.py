"""Loads a ruleset: a game with its base, options and settings; shipped ones from the cache.

Reading and merging YAML takes longer than all else that a question from the command line needs. So
what comes out of the files that ship is kept, as data. It answers only for the same game and
options, from files with the same text, by the same version of this program; anything of which there
was something to say is not kept, so that it is said again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache as remembered
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeAlias, TypeGuard, get_args

from meldref.core import cache
from meldref.core.cards import JOKER, RANKS
from meldref.core.diagnostics import Finding, Origin
from meldref.core.records import fields_of, hints_of
from meldref.core.resources import data_path
from meldref.core.version import __version__
from meldref.rulefiles.files import Found, Name, Setting, Settings, text_of
from meldref.ruleset import model
from meldref.ruleset.model import Ruleset

__all__ = ["Setting", "Settings", "load_ruleset"]

_LONGEST: Final = 120
"""Combinations with longer names are not kept: no file could have that name everywhere."""
_MAPPING: Final = "mapping"
_MOST_PACKS: Final = 8
_MOST_PLAYERS: Final = 20
_PLAIN: Final = {"int": int, "str": str}
_Test: TypeAlias = Callable[[object], bool]
_Held: TypeAlias = tuple[Sequence[object], Sequence[tuple[str, str]], Ruleset | None]


def load_ruleset(
    name: Name | Path,
    options: Sequence[Name] = (),
    settings: Settings = (),
    beside: Path | None = None,
) -> tuple[Ruleset | None, tuple[Finding, ...]]:
    """Load and merge a ruleset.

    Args:
        name: the id or an alias of a shipped ruleset, or the path of a file; or such a name in a
            log, or a file that was found already.
        options: ids or paths of options, or files found, laid over it from left to right.
        settings: values of single keys, laid over those: a `key=value` text each, or a `Setting`,
            which knows where it was written; or values by key.
        beside: the folder that relative paths start from; without one, the current folder.

    Returns:
        The ruleset, or None where something is wrong, and the findings; a finding without a file is
        about what was asked for, not about a file.
    """
    game = str(name) if isinstance(name, Path) else name
    ids = [text_of(named) for named in (game, *options) if not isinstance(named, Found)]
    by_id = not settings and len(ids) == 1 + len(options)
    if by_id:
        stored = recall(ids[0], ids[1:])
        if stored is not None:
            return stored, ()
    from meldref.rulefiles.compose import compose  # noqa: PLC0415  a cached ruleset needs no YAML

    composed = compose(game, options, settings, beside)
    ruleset, findings = composed.ruleset, composed.findings
    if by_id and ruleset is not None and composed.shipped and not findings:
        keep(ids[0], ids[1:], ruleset, composed.shipped)
    return ruleset, findings


def recall(name: str, options: Sequence[str]) -> Ruleset | None:
    """The ruleset of a shipped game with shipped options, if it is cached and still valid."""
    place = _place(name, options)
    if place is None:
        return None
    folder, at = data_path("rulesets"), cache.file_of(place)
    try:
        names, overlays = _names(folder), _names(folder / "options")
        question = [place, __version__, names, overlays, _stamps()]
        held_question, files, ruleset = _held.get(at, _NOTHING)
        if held_question != question:
            files, ruleset = cache.recall(place, question, _record) or _NOTHING[1:]
            stems = {Path(file).stem for file, _ in files}
            if not _is_ruleset(ruleset) or not stems.issuperset((name, *options)):
                return None
        shipped = {*names, *[f"options/{file}" for file in overlays]}
        for file, text in files:
            if file not in shipped or (folder / file).read_bytes() != text.encode():
                return None
    # Nothing is kept, or not by this program.
    except (OSError, LookupError, TypeError, ValueError, AttributeError):
        return None
    assert ruleset is not None
    _held[at] = question, files, ruleset
    return ruleset


def forget() -> None:
    """Forgets what this process holds of it, so that it comes from the user's cache again."""
    _held.clear()
    _stamps.cache_clear()


_NOTHING: Final[_Held] = (), (), None
_held: Final[dict[Path | None, _Held]] = {}
"""What this process recalled already, by the file it came from: the question, the texts of files,
the ruleset."""


def keep(name: str, options: Sequence[str], ruleset: Ruleset, files: Mapping[Path, bytes]) -> None:
    """Keep a ruleset made from the text of these files, all of which ship."""
    place = _place(name, options)
    stems = {path.stem for path in files}
    if place is None or not stems.issuperset((name, *options)):
        return  # an alias is any file's business
    folder = data_path("rulesets")
    texts = [[path.relative_to(folder).as_posix(), text.decode()] for path, text in files.items()]
    question = [place, __version__, _names(folder), _names(folder / "options"), _stamps()]
    cache.keep(place, question, [texts, _data(ruleset)])


def _place(name: str, options: Sequence[str]) -> str | None:
    """The name under which a ruleset is kept.

    None for a path, and for what is too long to be a file's name.
    """
    place = "+".join((name, *options))
    letters = "".join((name, *options)).replace("-", "")
    is_of_ids = letters.isalnum() and letters.isascii()  # a name with a plus in it is no id
    return f"ruleset-{cache.INSTALLATION}-{place}" if is_of_ids and len(place) <= _LONGEST else None


def _names(folder: Path) -> list[str]:
    """The files of a folder: with name, version and texts, all that a ruleset depends on."""
    return sorted(os.listdir(folder))  # noqa: PTH208  four times as fast


@remembered
def _stamps() -> list[list[object]]:
    """When the modules that make rulesets changed: a development version does not show it."""
    package = Path(__file__).parent.parent
    rows: list[list[object]] = []
    for folder in (package / name for name in ("core", "documents", "rulefiles", "ruleset")):
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    status = entry.stat()
                    rows.append([entry.name, status.st_mtime_ns, status.st_size])
    return sorted(rows)


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
    kind, tests = _kind(name)
    row = list(map(_tuples, values))
    fits = len(row) == len(tests) > 0
    if not fits or not all(test(value) for test, value in zip(tests, row, strict=True)):
        raise ValueError(f"a {name} has other fields")
    return kind(*row)


def _tuples(value: object) -> object:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


@remembered
def _kind(name: str) -> tuple[Any, Sequence[_Test]]:
    """A record of the model, and the check of each of its fields' types."""
    kind: Any = Origin if name == "Origin" else getattr(model, name)
    hints = hints_of(kind)
    return kind, [_test(hints[field]) for field in fields_of(kind)]


@remembered
def _test(hint: str) -> _Test:
    """What tells whether a value is of a type, which is written as the model has it."""
    if hint.endswith(" | None"):
        inside = _test(hint.removesuffix(" | None"))
        return lambda value: value is None or inside(value)
    if hint.startswith("Literal["):
        return [word.strip("'\"") for word in hint[len("Literal[") : -1].split(", ")].__contains__
    if hint == "object":  # of a change: it was made of a value of the model
        return lambda _: True
    outer, _, inner = hint.removesuffix("]").partition("[")
    if outer == "tuple":
        item, _, rest = inner.rpartition(", ")
        size, of_item = None if rest == "..." else inner.count(",") + 1, _test(item)
        return lambda value: (
            isinstance(value, tuple) and size in {None, len(value)} and all(map(of_item, value))
        )
    if outer == "Mapping":
        of_key, of_value = map(_test, inner.split(", "))
        return lambda value: (
            isinstance(value, MappingProxyType)
            and all(map(of_key, value))
            and all(map(of_value, value.values()))
        )
    if outer in _PLAIN:
        return lambda value: type(value) is _PLAIN[outer]
    kind = Origin if outer == "Origin" else getattr(model, outer)
    words = get_args(kind)
    return words.__contains__ if words else lambda value: isinstance(value, kind)


def _is_ruleset(value: object) -> TypeGuard[Ruleset]:
    """Whether it is a ruleset by which a hand can be dealt and scored.

    Its parts are of their types already.
    """
    if not isinstance(value, Ruleset):
        return False
    if not len(value.scoring.values) == len(value.scoring.held) == JOKER + 1:
        return False
    players = value.players.numbers
    if not 0 < len(players) <= _MOST_PLAYERS:
        return False
    for number in players:
        packs, cards = value.deck.packs.get(number) or 0, value.deal.cards.get(number) or 0
        if not 0 < packs <= _MOST_PACKS or not 0 < cards <= value.deck_size(number):
            return False
    faces = {*RANKS, "joker", "named"}
    for kind in value.melds.kinds:
        if not 0 < kind.min_size <= kind.max_size or not faces.issuperset(kind.only or ()):
            return False
    return faces.issuperset(value.melds.wild.cards)
