"""Caches rulesets by content: the text of their files, their options and single settings.

Every log of a folder, and every copy of a house's rules beside a log, comes to the same ruleset; it
is made once. Only the places of a log's own settings differ: they are those of the log that asks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from meldref.core.diagnostics import Finding
from meldref.core.records import NamedTuple, changed
from meldref.rulefiles.files import Found, Name, find, is_path, text_of
from meldref.rulefiles.load import Setting, load_ruleset
from meldref.ruleset.model import Ruleset

if TYPE_CHECKING:
    from meldref.rulefiles.layers import Layer

MOST_RULESETS: Final = 500
"""The most rulesets remembered, and the most a log may use: reading rules takes longer than reading
games."""
_Loaded: TypeAlias = tuple[Ruleset | None, tuple[Finding, ...]]
_Asked: TypeAlias = tuple[Name, tuple[Name, ...], Path | None]
_Places: TypeAlias = tuple[tuple[str, int], ...]
"""The file and the line of each setting."""


class _Content(NamedTuple):
    """The content of the files behind some names: what tells it from others, and users' digests.

    `key` is None if loading alone can tell what the files are.
    """

    key: object
    digests: Mapping[str, str]


_UNREAD: Final = _Content(None, MappingProxyType({}))


_K = TypeVar("_K")
_V = TypeVar("_V")


class RulesetCache:
    """The rulesets of a run of audits, each made once unless there are too many to remember.

    `used` gathers the users' files behind what was loaded, by path, each with a digest of its text.
    """

    def __init__(self) -> None:
        self.used: dict[str, str] = {}
        self._unusable: dict[object, _Loaded] = {}
        self._files: dict[_Asked, _Content] = {}
        self._extends: dict[bytes, tuple[str, ...]] = {}
        self._made: dict[object, tuple[Ruleset, _Places]] = {}

    def load(
        self,
        name: Name,
        options: tuple[Name, ...],
        settings: tuple[str | Setting, ...],
        beside: Path | None,
    ) -> _Loaded:
        """A ruleset as `load_ruleset` gives it, without its warnings, or None and what is wrong."""
        request = name, options, beside
        loaded = self._unusable.get((request, settings)) or self._loaded(request, settings)
        self.used.update(self._files.get(request, _UNREAD).digests)
        return loaded

    def _loaded(self, request: _Asked, settings: tuple[str | Setting, ...]) -> _Loaded:
        name, options, beside = request
        made = tuple(map(Setting.of, settings))
        values = tuple([(setting.key, setting.value) for setting in made])
        places = tuple([(setting.file, setting.line) for setting in made])
        files = self._files.get(request, _UNREAD).key or self._content(request, Found.read)
        if files is not None:
            made_before = self._made.get((files, values))
            moved = None if made_before is None else _moved(*made_before, places)
            if moved is not None:
                return moved, ()
        layers: Mapping[str, Layer] = {}
        if any(map(_may_be_users, (name, *options))):
            from meldref.rulefiles.compose import compose  # noqa: PLC0415  the cache needs no YAML

            composed = compose(name, options, settings, beside)
            ruleset, findings = composed.ruleset, composed.findings
            layers = composed.stack.layers
        else:
            ruleset, findings = load_ruleset(name, options, settings, beside)
        if ruleset is None:
            _keep(self._unusable, (request, settings), (None, findings))
            return None, findings
        for layer in layers.values():
            if not layer.found.shipped:
                _keep(self._extends, _digest(layer.text), layer.extends)
        files = self._content(request, lambda file: layers[file.key].text)
        shown = {layer.found.shown for layer in layers.values()}
        if files is not None and not shown.intersection(file for file, _ in places):
            _keep(self._made, (files, values), (ruleset, places))
        return ruleset, ()

    def _content(self, request: _Asked, read: Callable[[Found], bytes]) -> object:
        """The content of the files behind some names; None if loading alone can tell.

        A file that comes up again is named by its number: where one log has one file, another may
        have two.
        """
        name, options, beside = request
        numbers: dict[str, int] = {}
        content: list[object] = []
        digests: dict[str, str] = {}

        def add(file: Found | None) -> bool:
            """Note the content of a file and of those that it extends; False if it is not clear."""
            if file is None or file.any_kind:
                return False
            if file.key in numbers:
                content.append(numbers[file.key])
                return True
            numbers[file.key] = len(numbers)
            if file.shipped:
                content.append(file.key)
                return True
            digest = _digest(read(file))
            content.append((file.shown, file.path.name, digest))
            digests[file.key] = digest.hex()
            extended = self._extends.get(digest)
            if extended is None:
                return False
            folder = file.path.parent
            return all(add(find(file.below(written), folder)) for written in extended)

        is_complete = False
        with suppress(OSError, LookupError):
            names = (name, *options)
            files = [_file_of(named, beside) for named in names]
            # All of them are noted, also behind one that is not clear.
            are_clear = [add(file) for file in files]
            is_complete = all(are_clear)
        key = tuple(content) if is_complete else None
        _keep(self._files, request, _Content(key, digests))
        return key


class OneRuleset(RulesetCache):
    """A cache of one ruleset, by which every game is judged whatever its headers ask for."""

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__()
        self._ruleset = ruleset

    def load(
        self,
        name: Name,
        options: tuple[Name, ...],
        settings: tuple[str | Setting, ...],
        beside: Path | None,
    ) -> _Loaded:
        """That ruleset."""
        return self._ruleset, ()


def _keep(memory: dict[_K, _V], key: _K, value: _V) -> None:
    """Keep something; what is full is emptied."""
    if len(memory) >= MOST_RULESETS and key not in memory:
        memory.clear()
    memory[key] = value


def _may_be_users(name: Name) -> bool:
    """Whether a name may lead to a file of the user's own."""
    return isinstance(name, Found) or is_path(text_of(name))


def _file_of(name: Name, beside: Path | None) -> Found | None:
    """The file behind a name, or the one that was found already."""
    return name if isinstance(name, Found) else find(name, beside)


def _digest(text: bytes) -> bytes:
    from hashlib import sha256  # noqa: PLC0415  rulesets that ship do not need it

    return sha256(text).digest()


def _moved(ruleset: Ruleset, before: _Places, places: _Places) -> Ruleset | None:
    """A ruleset whose settings stand at other places; None where it is not clear which is which."""
    if before == places:
        return ruleset
    where = dict(zip(before, places, strict=True))
    if tuple([where[place] for place in before]) != places:
        return None
    origins = dict(ruleset.origins)
    for key, origin in origins.items():
        place = (origin.file, origin.line)
        if place in where:
            file, line = where[place]
            origins[key] = changed(origin, file=file, line=line)
    return changed(ruleset, origins=MappingProxyType(origins))
