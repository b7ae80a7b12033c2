"""A map, bound: what it says of records, as calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from meldref_intake.events.cards import CardReader
from meldref_intake.events.snapshots import StateReader
from meldref_intake.events.values import (
    Condition,
    Path,
    Scope,
    Value,
    condition,
    number_of,
    path_of,
    paths_of,
    reading,
    text_of,
)


class Entry(NamedTuple):
    """What a map says of one kind of record.

    `unknown_word` is what stands where it is looked for how a hand ended, if the table for it lacks that.
    """

    number: int
    line: str
    when: Condition
    fields: Mapping[str, Value]
    values: Mapping[str, Value]
    each: Value | None
    jokers: Jokers | None
    deals: Mapping[str, Value] | None
    is_more: bool
    is_late: bool
    looks_at: Sequence[Path]
    unknown_word: Value | None


class Jokers(NamedTuple):
    """Where a file tells what jokers stand for: a list, and in each item the joker and the card."""

    each: Value
    joker: Value
    card: Value


_NO_VALUES: Final = frozenset(("line", "when", "fields", "each", "jokers", "deals", "more", "late"))
"""The keys of an entry that say something else than a value of its line."""


def _entry(number: int, said: Mapping[str, Any]) -> Entry:
    deals = said.get("deals")
    return Entry(
        number,
        said["line"],
        condition(said.get("when")),
        {name: reading(value) for name, value in said.get("fields", {}).items()},
        {key: reading(value) for key, value in said.items() if key not in _NO_VALUES},
        reading(said["each"]) if "each" in said else None,
        _jokers(said.get("jokers")),
        None if deals is None else {key: reading(value) for key, value in deals.items()},
        said.get("more", False),
        said.get("late", False),
        paths_of(said.get("when")),
        _lacking_in_table(said.get("how")),
    )


def _lacking_in_table(said: Any) -> Value | None:
    """What a value gives if it is in a record, and its table does not have it."""
    if not isinstance(said, Mapping) or "table" not in said or "*" in said["table"]:
        return None
    table = said["table"]
    word = reading({key: of for key, of in said.items() if key not in {"table", "default"}})

    def lacking(scope: Scope) -> Any:
        found = word(scope)
        return None if found is None or text_of(found) in table else found

    return lacking


def _jokers(said: Mapping[str, Any] | None) -> Jokers | None:
    if said is None:
        return None
    return Jokers(
        reading(said["each"]),
        reading(said.get("joker", "joker")),
        reading(said.get("card", "card")),
    )


class Plan:
    """A map, bound: what it says of records, as calls.

    Raises:
        ValueError, `re.error`: a path or a pattern is none.
    """

    def __init__(self, said: Mapping[str, Any]) -> None:
        self.said = said
        self.cards = CardReader(said.get("cards", {}))
        self.fields = {name: reading(value) for name, value in said.get("fields", {}).items()}
        self.field_paths = dict(_paths(said.get("fields", {})))
        self.entries = [_entry(at, one) for at, one in enumerate(said.get("lines", ()), 1)]
        self.has_totals = any(entry.line == "total" for entry in self.entries)
        self.takes_back = any(entry.line == "undo" for entry in self.entries)
        self.at_end = [_entry(-at, one) for at, one in enumerate(said.get("at_end", ()), 1)]
        self.states = None
        if said.get("mode") == "snapshots":
            self.states = StateReader(said["snapshot"], self.cards)
        self.player = reading(said["player"]) if "player" in said else None
        players = said.get("players", {})
        self.players = {
            key: reading(players[key]) for key in ("list", "id", "name") if key in players
        }
        self.order = players.get("order", "listed" if "list" in players else "seen")
        self.index_from: int | None = players.get("index_from")
        hands = said.get("hands", {})
        self.hand = {
            key: reading(hands[key])
            for key in ("by", "number", "dealer", "up", "stock")
            if key in hands
        }
        self.hand_end = [_entry(-at, one) for at, one in enumerate(hands.get("at_end", ()), 1)]
        deals = hands.get("deals")
        self.deals = None if deals is None else {key: reading(one) for key, one in deals.items()}
        self.table = _table(hands.get("table"))
        self.turns_up = hands.get("upcard", True)
        self.dealt = _by_players(hands.get("dealt"))
        self.deck = hands.get("deck")
        self.refills = hands.get("refill")
        self.melds_from: int | None = said.get("melds_from", 0)
        self.game_by = reading(said["game"]["by"]) if "by" in said.get("game", {}) else None
        self.date = reading(said["game"]["date"]) if "date" in said.get("game", {}) else None
        self.rules = _rules(said.get("rules", {}))
        settings = said.get("rules", {}).get("set", {})
        self.plain_settings = {
            key
            for key, value in settings.items()
            if isinstance(value, Mapping) and set(value) == {"path"}
        }
        self.tables = {
            name: (
                condition(one.get("when")),
                reading(one["each"]) if "each" in one else None,
                reading(one["key"]),
                reading(one.get("give", ".")),
            )
            for name, one in said.get("tables", {}).items()
        }


def _paths(fields: Mapping[str, Any]) -> Iterator[tuple[str, Path]]:
    """Where fields are looked for that have no default: there something has to be."""
    for name, said in fields.items():
        if isinstance(said, str):
            yield name, path_of(said)
        elif isinstance(said, Mapping) and "path" in said and "default" not in said:
            yield name, path_of(said["path"])


def is_value(said: Any) -> bool:
    """Whether a part of a map is a value of the file, where it may also be a constant."""
    return isinstance(said, Mapping) and not said.keys().isdisjoint({"path", "value", "first_of"})


def _by_players(said: Any) -> Callable[[Scope, int], int | None]:
    """A number, one for each number of players, or a value of the file."""
    if isinstance(said, Mapping) and not is_value(said):
        sizes = {text_of(key): number for key, number in said.items()}
        return lambda _, players: sizes.get(str(players), sizes.get("*"))
    value = reading(said) if isinstance(said, Mapping) else lambda _: said
    return lambda scope, _: number_of(value(scope))


def _table(said: Mapping[str, Any] | None) -> tuple[Value, Jokers] | None:
    if said is None:
        return None
    jokers = _jokers(said["jokers"])
    assert jokers is not None
    return reading(said["melds"]), jokers


def setting_text(value: Any) -> str:
    """A setting's value as a log has it."""
    if value is None or isinstance(value, bool):
        return text_of(value) if value is not None else "null"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(setting_text, value))}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key}: {setting_text(one)}' for key, one in value.items())}}}"
    return text_of(value)


class Rules(NamedTuple):
    """The rules that were played by: the game, options over it, and settings over those."""

    game: Value | None
    options: Sequence[Value]
    settings: Mapping[str, Value]


def _rules(said: Mapping[str, Any]) -> Rules:
    def bound(value: Any) -> Value:
        return reading(value) if is_value(value) else lambda _: value

    return Rules(
        bound(said["game"]) if "game" in said else None,
        [bound(one) for one in said.get("options", ())],
        {key: bound(one) for key, one in said.get("set", {}).items()},
    )
