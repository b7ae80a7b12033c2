"""Who set each key of a ruleset, and over whom: every file and setting that speaks of it.

The last one wins.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from meldref.core.diagnostics import Origin
from meldref.core.records import record
from meldref.rulefiles.compose import lay
from meldref.rulefiles.files import Name, Settings
from meldref.rulefiles.layers import Layer
from meldref.rulefiles.merge import (
    CARD_TABLES,
    KINDS,
    PLAYER_TABLES,
    REST,
    Leaves,
    card_names,
    expand,
)


@record
class KeyNote:
    """A comment at a key: what the file says of it, and the statements that it names."""

    text: str
    file: str
    line: int
    clauses: tuple[str, ...]


@record
class Trace:
    """What each file and setting says, from the first to the last; see `setters`."""

    statements: tuple[Leaves, ...]
    layers: Mapping[str, Layer]
    """The files by their names as messages show them."""

    def setters(self, key: str) -> tuple[Origin, ...]:
        """Everybody who set a key, or an entry of a table, in order: the last one counts.

        A table's own key has those who wrote any of it. A card's points are set at the card, else
        at its rank.
        """
        table, _, entry = key.rpartition(".")
        if table in CARD_TABLES and len(entry) == 2:
            own = self.setters_of_leaf(key)
            return own or self.setters_of_leaf(f"{table}.{entry[0]}")
        return self.setters_of_leaf(key)

    def setters_of_leaf(self, key: str) -> tuple[Origin, ...]:
        """Everybody who set just this key, or the whole table or kind of meld it is part of."""
        origins: list[Origin] = []
        for leaves in self.statements:
            whole = next((leaves[name] for name in _wholes(key) if name in leaves), None)
            if whole is not None:
                origins.append(whole.origin)
            elif key in leaves:
                origins.append(leaves[key].origin)
        return tuple(origins)

    def below(self, key: str) -> tuple[Origin, ...]:
        """The overridden settings of a key, first to last.

        For a range such as `2-9`: () unless they agree for all entries.
        """
        table, _, entry = key.rpartition(".")
        entries: Iterable[object] = [entry]
        if table in CARD_TABLES:
            entries = card_names(entry)
        elif table in PLAYER_TABLES:
            low, high = expand(entry)
            entries = range(low, high + 1)
        setters = {self.setters(f"{table}.{name}")[:-1] for name in entries}
        return setters.pop() if len(setters) == 1 else ()

    def note(self, origin: Origin) -> KeyNote | None:
        """The comment that a file has at the line of a key, or above its section.

        None where there is none.
        """
        layer = self.layers.get(origin.file)
        if layer is None or not origin.line:
            return None
        return read_note(layer.text.decode("utf-8", "replace").splitlines(), origin)


def trace(
    name: Name, options: Sequence[Name] = (), settings: Settings = (), beside: Path | None = None
) -> Trace:
    """What each file and setting of a ruleset says; the arguments are those of `load_ruleset`."""
    laid = lay(name, options, settings, beside)
    layers = laid.stack.layers.values()
    statements = [layer.leaves for layer in layers] + [*laid.settings]
    return Trace(tuple(statements), {layer.found.shown: layer for layer in layers})


def _wholes(key: str) -> tuple[str, ...]:
    """The leaves that set a key by setting the whole that it is part of."""
    above, _, _ = key.rpartition(".")
    wholes = [f"{key}.{REST}", f"{above}.{REST}"]
    if key.startswith(f"{KINDS}.") and key.count(".") == 3:
        wholes.append(above)
    return tuple(wholes)


def read_note(lines: Sequence[str], origin: Origin) -> KeyNote | None:
    """The comment at a key's line and the lines it goes on in; else that above its section."""
    place = origin.line - 1
    if place >= len(lines):
        return None
    here = _comment(lines[place])
    if here:
        for line in lines[place + 1 :]:
            if not line.startswith(" ") or not line.lstrip().startswith("#"):
                break
            here = f"{here} {_comment(line)}"
        return _as_note(here, origin)
    top = place
    while top > 0 and lines[top].startswith((" ", "-")):
        top -= 1
    above: list[str] = []
    while top > 0 and lines[top - 1].startswith("#"):
        top -= 1
        above.insert(0, _comment(lines[top]))
    text = " ".join(above)
    return _as_note(text, origin) if text and "$schema" not in text else None


def _comment(line: str) -> str:
    """The text after the first `#` that begins a comment; no shipped value has one in quotes."""
    stripped = line.lstrip()
    if stripped.startswith("#"):
        return stripped[1:].strip()
    _, mark, text = line.partition(" #")
    return text.strip() if mark else ""


def _as_note(text: str, origin: Origin) -> KeyNote:
    clauses: list[str] = []
    for part in text.split("[")[1:]:
        bracketed, _, _ = part.partition("]")
        clauses += bracketed.split(", ")
    return KeyNote(text, origin.file, origin.line, tuple(clauses))
