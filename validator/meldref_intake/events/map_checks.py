"""What is wrong with a map that its schema cannot say: what it names has to be there and to be read."""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from meldref.core.diagnostics import Finding, Severity
from meldref.core.json_schema import JsonSchema, Node
from meldref.core.records import changed
from meldref.documents.reader import Document
from meldref.rulefiles.files import Setting, find, is_path, missing
from meldref.rulefiles.load import load_ruleset
from meldref_intake.events import cards
from meldref_intake.events.plan import is_value, setting_text
from meldref_intake.events.values import text_of

SCHEMA: Final = JsonSchema("grammar", "map.schema.json")
ENTRY: Final[Node] = SCHEMA.root["$defs"]["entry"]
"""What the schema says of an entry."""
Where: TypeAlias = tuple[str | int, ...]
WRONG: Final = "rules.value"
_OF_PLAYERS: Final = frozenset(
    ("draw", "take", "meld", "lay", "swap", "discard", "rummy", "buy", "challenge", "pass", "deal")
)
"""Lines that somebody has to be named for."""
_ANY_GAME: Final = "500-rummy"


def faults(document: Document) -> Iterator[Finding]:
    """What a map names that is not there, what is never reached, and what no card or rule can be."""
    said: Any = document.value
    if not isinstance(said, dict):
        return
    for check in (_of_mode, _of_lookups, _of_encoding, _of_entries, _of_cards):
        for path, message in check(said):
            yield document.finding(WRONG, message, path, severity=Severity.ERROR)


def _of_mode(said: Mapping[str, Any]) -> Iterator[tuple[Where, str]]:
    if said.get("mode") == "snapshots":
        if "snapshot" not in said:
            yield ("mode",), "mode: snapshots needs `snapshot`, which says what a state shows"
    elif not said.get("lines"):
        yield (), "the map has no `lines`: it says of no record what it becomes"


def _of_lookups(said: Mapping[str, Any]) -> Iterator[tuple[Where, str]]:
    for name, path in _lookups(said, ()):
        if name not in (said.get("tables") or {}):
            yield path, f"there is no table {name} among the map's `tables`"


def _lookups(said: Any, path: Where) -> Iterator[tuple[str, Where]]:
    """The names of tables that lookups of a map name, with their places."""
    if isinstance(said, dict):
        lookup = said.get("lookup")
        if isinstance(lookup, dict) and isinstance(lookup.get("table"), str):
            yield lookup["table"], (*path, "lookup", "table")
        for key, item in said.items():
            yield from _lookups(item, (*path, key))
    elif isinstance(said, list):
        for number, item in enumerate(said):
            yield from _lookups(item, (*path, number))


def _of_encoding(said: Mapping[str, Any]) -> Iterator[tuple[Where, str]]:
    records = said.get("records")
    name = records.get("encoding") if isinstance(records, dict) else None
    try:
        if isinstance(name, str):
            "".encode(codecs.lookup(name).name)
    except (LookupError, ValueError):
        yield ("records", "encoding"), f"{name} is no encoding; windows-1252 and utf-16 are"


def _of_cards(said: Mapping[str, Any]) -> Iterator[tuple[Where, str]]:
    part = said.get("cards")
    if isinstance(part, dict):
        for path, message in cards.mistakes(part):
            yield ("cards", *path), message


# --- entries --------------------------------------------------------------------------------------


def _of_entries(said: Mapping[str, Any]) -> Iterator[tuple[Where, str]]:
    entries = _entries_of(said)
    for at, (number, entry) in enumerate(entries):
        before = _taking_all(entry, entries[:at])
        if before is not None:
            message = (
                f"entry {number + 1} is never reached: entry {before + 1} takes its records; "
                "put it before that one, or write `more: true` there"
            )
            yield ("lines", number), message


def nobody(document: Document) -> Iterator[Finding]:
    """The entries of a map that is right otherwise for which nothing tells who did it."""
    said: Any = document.value
    for number, entry in _entries_of(said):
        if entry["line"] in _OF_PLAYERS and "player" not in entry and "player" not in said:
            message = (
                f"nothing tells whose {entry['line']} it is: `player` is missing in entry "
                f"{number + 1}, or in the map for all entries"
            )
            yield document.finding(WRONG, message, ("lines", number), severity=Severity.ERROR)


def _entries_of(said: Mapping[str, Any]) -> list[tuple[int, Mapping[str, Any]]]:
    """The entries of `lines`, as far as they are any, with their places from 0."""
    lines, kinds = said.get("lines"), ENTRY["properties"]["line"]["enum"]
    return [
        (number, entry)
        for number, entry in enumerate(lines if isinstance(lines, list) else ())
        if isinstance(entry, dict) and entry.get("line") in kinds
    ]


def _taking_all(
    entry: Mapping[str, Any], before: Sequence[tuple[int, Mapping[str, Any]]]
) -> int | None:
    """Which of the entries before takes all records of one; None if none does."""
    for number, other in before:
        if other.get("more") is True or entry.get("fields") != other.get("fields"):
            continue
        wide = _ways(other.get("when"))
        if all(any(_covers(one, way) for one in wide) for way in _ways(entry.get("when"))):
            return number
    return None


def _ways(when: Any) -> list[Mapping[str, Any]]:
    """The conditions of which one has to hold."""
    several = when if isinstance(when, list) else [when or {}]
    return [one for one in several if isinstance(one, dict)]


def _covers(wide: Mapping[str, Any], narrow: Mapping[str, Any]) -> bool:
    """Whether a condition holds wherever another one does."""
    return all(path in narrow and _allows(test, narrow[path]) for path, test in wide.items())


def _allows(wide: Any, narrow: Any) -> bool:
    if wide == narrow or isinstance(wide, dict) or isinstance(narrow, dict):
        return bool(wide == narrow)
    words = [text_of(one) for one in (wide if isinstance(wide, list) else [wide])]
    return all(text_of(one) in words for one in (narrow if isinstance(narrow, list) else [narrow]))


# --- rules ----------------------------------------------------------------------------------------


def rules_faults(document: Document) -> Iterator[Finding]:
    """What of the rules that a map names is none, as far as the file to be read does not tell them.

    Rules in files are not looked at: they are found where the log will be.
    """
    said: Any = document.value
    rules = said.get("rules") if isinstance(said, dict) else None
    if not isinstance(rules, dict):
        return
    options, set_ = rules.get("options"), rules.get("set")
    named: dict[Where, Any] = {("rules", "game"): rules["game"]} if "game" in rules else {}
    if isinstance(options, list):
        named |= {("rules", "options", at): option for at, option in enumerate(options)}
    settings: dict[Where, Any] = {
        ("rules", "set", key): value for key, value in dict(set_ or {}).items()
    }
    wrong = {
        path: _no_constant(path, value)
        for path, value in {**named, **settings}.items()
        if not is_value(value)
    }
    for path, message in wrong.items():
        if message:
            yield document.finding(WRONG, message, path, severity=Severity.ERROR)
    known = {path: text_of(named[path]) for path in named if wrong.get(path) == ""}
    constant = [
        Setting(str(path[-1]), setting_text(value), document.file, document.key_place(path).line)
        for path, value in settings.items()
        if wrong.get(path) == ""
    ]
    is_whole = len(known) == len(named) and len(constant) == len(settings)
    yield from _loaded(document, known, constant, is_whole=is_whole)


def _no_constant(path: Where, value: Any) -> str:
    """Why a part of the rules cannot be what a map says; empty if it can, or nobody knows."""
    if isinstance(value, str) and value.startswith(("$", "^")):
        return f"{value} is taken as it stands here; a value of the file is {{path: {value}}}"
    if path[1] == "set" or is_path(text_of(value)) or find(text_of(value)) is not None:
        return ""
    return missing(text_of(value))


def _loaded(
    document: Document, named: Mapping[Where, str], settings: Sequence[Setting], *, is_whole: bool
) -> Iterator[Finding]:
    """What is wrong with rules; of what is not known as a whole, only what is wrong by itself."""
    game = named.get(("rules", "game"), "")
    options = [name for path, name in named.items() if path[1] == "options"]
    if not game or any(map(is_path, (game, *options))):
        game, options, is_whole = _ANY_GAME, [], False
    _, findings = load_ruleset(game, options, settings)
    for finding in findings:
        if finding.severity is not Severity.ERROR:
            continue
        if finding.file == document.file:
            yield _at_setting(document, settings, finding)
        elif is_whole:
            yield document.finding(
                finding.code, finding.message, ("rules",), severity=Severity.ERROR
            )


def _at_setting(document: Document, settings: Sequence[Setting], finding: Finding) -> Finding:
    """A finding about a setting at its key."""
    named = [one.key for one in settings if one.line == finding.span.line]
    key = next((key for key in named if key in finding.message), named[0])
    at_key = document.finding(finding.code, "", ("rules", "set", key), at_key=True)
    return changed(finding, span=at_key.span, excerpt=at_key.excerpt)
