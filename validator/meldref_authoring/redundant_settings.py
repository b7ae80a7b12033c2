"""Settings of a rules file that change nothing: switched off, or in force without the file.

Each is a warning, about something that an author may want to take out: the rules are the same
without it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import chain, islice
from typing import Any, Final

from meldref.core.diagnostics import Edit, Finding, Origin, Severity
from meldref.core.meant import did_you_mean
from meldref.documents.reader import MAX_FINDINGS, Document, Path
from meldref.rulefiles.consistency import ineffective
from meldref.rulefiles.files import BASE, find
from meldref.rulefiles.house_rules import HOUSE_RULES
from meldref.rulefiles.layers import Layer, Stack
from meldref.rulefiles.merge import (
    HEAD,
    KINDS,
    PLAYER_TABLES,
    REST,
    Leaf,
    Leaves,
    merge,
    where,
    written_range,
)
from meldref.ruleset.model import Ruleset
from meldref_authoring.rulefiles.fixes import value_at
from meldref_authoring.rulefiles.syntax_fixes import block_of


def find_idle(layer: Layer, stack: Stack, ruleset: Ruleset) -> tuple[Finding, ...]:
    """All settings of a file that change nothing in the ruleset that the stack makes."""
    ways = (
        _named_again(layer, stack),
        _switched_off(layer, ruleset, stack.doubtful),
        _beyond_tables(layer, stack, ruleset),
        _said_already(layer, stack),
    )
    return tuple(islice(chain.from_iterable(ways), MAX_FINDINGS))


def _warning(
    layer: Layer, message: str, path: Path, *, at_key: bool = True, **more: Any
) -> Finding:
    return layer.document.finding(
        "rules.sense", message, path, at_key=at_key, severity=Severity.WARNING, **more
    )


def _named_again(layer: Layer, stack: Stack) -> Iterator[Finding]:
    """Names in `extends` of files that are included already."""
    document = layer.document
    assert isinstance(document.value, dict)
    names = document.value.get("extends")
    before: dict[str, str] = {}
    for place, name in enumerate(names if isinstance(names, list) else ()):
        file = find(str(name), layer.found.path.parent)
        if file is None:
            continue
        message = ""
        for key, other in before.items():
            if key == file.key:
                message = f"{name} is named twice: the second time has no effect"
                break
            if not message and key in stack.layers and file.key in stack.layers[key].ancestors:
                message = f"{other} already builds on {name}, so naming it again has no effect"
        if message:
            path = ("extends", place)
            yield _warning(layer, message, path, at_key=False, edits=take_item_out(document, path))
        before.setdefault(file.key, str(name))


def _switched_off(layer: Layer, ruleset: Ruleset, doubtful: set[str]) -> Iterator[Finding]:
    """Settings of this file that another file switches off.

    The consistency check finds those within one file.
    """
    if layer.type == "option":
        return  # what an option is laid over may well have the switch on
    for key, switch in ineffective(ruleset):
        setter, other = ruleset.origin(key), ruleset.origin(switch)
        if setter is None or setter.file != layer.found.shown:
            continue
        if other is not None and other.file == setter.file:
            continue
        if doubtful & {key.partition(".")[0], switch.partition(".")[0]}:
            continue  # what could not be read may have been the switch
        why = f"{switch} is switched off"
        if other is not None:
            why = f"{other.key} = {other.value} ({where(other)})"
        message = f"{setter.key} = {setter.value} has no effect, since {why}"
        advice = f"leave it out, or set {switch} in this file"
        yield _warning(layer, message, tuple(setter.key.split(".")), help=(advice,), rule=setter)


def _beyond_tables(layer: Layer, stack: Stack, ruleset: Ruleset) -> Iterator[Finding]:
    """Entries of tables for more players than can play.

    A file that builds on nothing may say everything; fewer may play on after a tie.
    """
    players = ruleset.players
    assert isinstance(layer.document.value, dict)
    if layer.type == "option" or not layer.document.value.get("extends") or not players.numbers:
        return
    entries: dict[Origin, list[int]] = {}
    for key, leaf in layer.leaves.items():
        table, _, number = key.rpartition(".")
        if table in PLAYER_TABLES and number.isdecimal():
            entries.setdefault(leaf.origin, []).append(int(number))
    for setter, numbers in entries.items():
        doubtful = stack.doubtful & {"players", setter.key.partition(".")[0]}
        if doubtful or min(numbers) <= players.max:
            continue
        tables = written_range(players.min, players.max)
        message = f"{setter.key} = {setter.value} has no effect: this game is for {tables} players"
        table, _, entry = setter.key.rpartition(".")
        yield _warning(layer, message, (*table.split("."), entry), rule=setter)


def _said_already(layer: Layer, stack: Stack) -> Iterator[Finding]:
    """Settings that the files below have in the same way.

    A file that builds on nothing has none.
    """
    document = layer.document
    assert isinstance(document.value, dict)
    if not document.value.get("extends"):
        return
    below = [lower for key, lower in stack.layers.items() if key in layer.ancestors]
    if layer.type != "option":
        base = [lower for lower in stack.layers.values() if lower.id == BASE]
        below = [lower for lower in base if lower not in below] + below
    leaves: Leaves = reduce(merge, [lower.leaves for lower in below], {})
    sections = {key: value for key, value in document.value.items() if key not in HEAD}
    yield from _empty(layer, sections, leaves)
    groups: dict[tuple[str, ...], list[str]] = {}
    for key, leaf in layer.leaves.items():
        if leaf.value is not None and key.partition(".")[0] not in stack.doubtful:
            group = _group(tuple(leaf.origin.key.split(".")))
            groups.setdefault(group, []).append(key)
    for path, keys in groups.items():
        if below and any(_takes_nothing_away(key, layer.leaves[key], leaves) for key in keys):
            yield _nothing_to_take(layer, path, leaves)
            continue
        if any(not _holds_anyway(key, layer.leaves[key], leaves) for key in keys):
            continue
        if any(_is_decided(key, below) for key in keys):
            continue
        there = where(leaves[keys[0]].origin)
        place, message = path, f"{'.'.join(path)} is redundant: {there} already says the same"
        origins = {layer.leaves[key].origin for key in keys}
        if len(origins) == 1:
            (setter,) = origins
            place = tuple(setter.key.split("."))
            message = f"{setter.key} = {setter.value} is redundant: {there} already says so"
        yield _warning(layer, message, place, edits=take_entry_out(document, place))


def _empty(
    layer: Layer, section: dict[str, Any], leaves: Leaves, above: tuple[str, ...] = ()
) -> Iterator[Finding]:
    """Tables without an entry over one that has some: they look as if they emptied it."""
    for name, value in section.items():
        path = (*above, name)
        if not isinstance(value, dict):
            continue
        if value:
            yield from _empty(layer, value, leaves, path)
            continue
        key = ".".join(path)
        for name_below, leaf in leaves.items():
            if name_below.startswith(f"{key}.") and leaf.value is not None:
                why = f"an empty table takes nothing away, and {where(leaf.origin)} still holds"
                message = f"{key} = {{}} has no effect: {why}"
                yield _warning(layer, message, path, edits=take_entry_out(layer.document, path))
                break


def _group(path: tuple[str, ...]) -> tuple[str, ...]:
    """What people write and read as one thing: a table, a kind of meld, the numbers of players."""
    return path[:-1] if len(path) > 2 or path[0] == "players" else path


def _nothing_to_take(layer: Layer, path: Path, leaves: Leaves) -> Finding:
    """A kind of meld, or a house rule, that is taken away and does not exist."""
    names: list[str]
    if path[0] == HOUSE_RULES:
        what = "house rule"
        prefix = f"{HOUSE_RULES}."
        rules = [key for key, leaf in leaves.items() if leaf.value != "none"]
        names = [key.removeprefix(prefix) for key in rules if key.startswith(prefix)]
    else:
        what = "kind of meld"
        kinds = [key for key in leaves if key.startswith(f"{KINDS}.")]
        names = sorted({key.split(".")[2] for key in kinds})
        for key, leaf in layer.leaves.items():
            if key.startswith(f"{KINDS}.") and _takes_nothing_away(key, leaf, leaves):
                path = tuple(key.split("."))
                break
    name = str(path[-1])
    listed = f": there are {', '.join(names)}" if names else ""
    end = did_you_mean(name, names, listed)
    return _warning(layer, f"there is no {what} {name} to take away{end}", path)


def _takes_nothing_away(key: str, leaf: Leaf, leaves: Leaves) -> bool:
    """Whether a leaf takes away a kind of meld, or a house rule, that does not exist."""
    if leaf.value != "none":
        return False
    if key.startswith(f"{HOUSE_RULES}."):
        return key not in leaves or leaves[key].value == "none"
    is_kind = key.startswith(f"{KINDS}.") and key.count(".") == 2
    return is_kind and not any(other.startswith(f"{key}.") for other in leaves)


def _holds_anyway(key: str, leaf: Leaf, leaves: Leaves) -> bool:
    """Whether a leaf says what others say; for a whole table, only if nothing else is in it."""
    if key not in leaves or leaves[key].value != leaf.value:
        return False
    table = key.removesuffix(REST)
    return table == key or not any(other.startswith(table) and other != key for other in leaves)


def _is_decided(key: str, below: list[Layer]) -> bool:
    """Whether the files below differ in a key, so that setting it again decides between them."""
    values = [
        lower.leaves[key].value for lower in below if key in lower.leaves and lower.id != BASE
    ]
    return any(value != values[0] for value in values)


# --- edits that take out --------------------------------------------------------------------------


_LONGEST: Final = 200
"""The author of a longer list has to look through it anyway."""


def take_entry_out(document: Document, path: Path) -> tuple[Edit, ...]:
    """The edits that take out a key with its value, and what would then be empty.

    None if there is a comment.
    """
    around = value_at(document.value, path[:-1])
    while len(path) > 1 and isinstance(around, dict) and len(around) == 1:
        path = path[:-1]
        around = value_at(document.value, path[:-1])
    key = document.key_place(path)
    text = document.excerpt(key.line)
    if text[: key.column - 1].strip():  # in braces, after another key or the opening one
        if not isinstance(around, dict) or path[-1] not in around:
            return ()
        keys = [(*path[:-1], name) for name in around]
        return _out_of_braces(document, keys, keys.index(path))
    last = block_of(document.lines, key.line - 1)[-1] + 1
    block = document.lines[key.line - 1 : last]
    if any(re.search(r"(^|\s)#", line) for line in block):
        return ()
    before = document.lines[: key.line - 1]
    after = document.lines[last:]
    if after and not after[0].strip() and (not before or not before[-1].strip()):
        last += 1
    return (Edit(key.line, 1, last + 1, 1, ""),)


def take_item_out(document: Document, path: Path) -> tuple[Edit, ...]:
    """The edits that remove an item from a list in brackets, or from lines with dashes."""
    items = value_at(document.value, path[:-1])
    if not isinstance(items, list) or not 2 <= len(items) <= _LONGEST:
        return ()
    place = document.place(path)
    text = document.excerpt(place.line)
    if re.fullmatch(r"\s*-\s+", text[: place.column - 1]):
        rest = text[place.end_column - 1 :].strip()
        return () if rest else (Edit(place.line, 1, place.line + 1, 1, ""),)
    items_paths = [(*path[:-1], number) for number in range(len(items))]
    return _out_of_braces(document, items_paths, items_paths.index(path))


def _out_of_braces(document: Document, paths: Sequence[Path], number: int) -> tuple[Edit, ...]:
    """The edit that removes one of several parts on one line with commas between them."""
    starts = [document.key_place(path) for path in paths]
    ends = [document.place(path) for path in paths]
    if len({span.line for span in (*starts, *ends)}) > 1:
        return ()
    line = starts[number].line
    if number + 1 < len(paths):
        first, last = starts[number].column, starts[number + 1].column
    else:
        first, last = ends[number - 1].end_column, ends[number].end_column
    return (Edit(line, first, line, last, ""),)
