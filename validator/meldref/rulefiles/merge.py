"""What a rules file says, key by key, and how one file is laid over another.

A file is taken apart into leaves, one a key path. A table by players or ranks has one leaf for each
number or rank; a single number in place of a table is the leaf `….*`, which names everything that
no other leaf names. Laying over is then the union of leaves: the later wins.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from meldref.core.cards import RANKS, SUITS
from meldref.core.diagnostics import Origin
from meldref.core.records import changed, record
from meldref.core.text import name_of_file, visible
from meldref.documents.reader import Path, Value, quote_text

HEAD: Final = frozenset(
    ("id", "name", "type", "aliases", "about", "source", "extends", "needs", "excludes", "cases")
)
"""Keys that speak of the file itself; they are not merged."""
PLAYER_TABLES: Final = frozenset(("deck.packs", "deck.jokers_in_all", "deal.cards"))
CARD_TABLES: Final = frozenset(("scoring.values", "scoring.held"))
RANGES: Final = frozenset(("game.hands",))
KINDS: Final = "melds.kinds"
HOUSE: Final = "house_rules."
"""What the keys of house rules begin with: each of them is one value, which replaces another as a
whole."""
HANDS: Final = "hands"
_PLAIN: Final = re.compile(r"[-+.(]?\w(?:[^,:#\[\]{}\"'\s]| (?=\S))*")
"""Texts that are read as they stand, also between braces and brackets."""
REST: Final = "*"
"""The leaf of a table that stands for everything no other leaf names."""

_FACELESS: Final = {
    "joker": "a joker has no number on its face",
    "wild": "wild cards have no single number",
}

Leaves = dict[str, "Leaf"]
_Names = Callable[[Path, str, Value], Iterable[object]]
"""The numbers or ranks that an entry of a table is for, by its path, its key and its value."""


@record
class Leaf:
    """The value of one key, and who set it."""

    value: Value
    origin: Origin


@record
class Problem:
    """Something wrong in a rules file: its path, what to say, its code, whether the key is meant.

    `instead` is what to write in place of the key or the value, where there is no doubt about it;
    braces that a key opens are closed behind its value. `margin`: the key is indented too far.
    `meant` are the full names of the keys that may have been meant by one that is none.
    """

    path: Path
    message: str
    code: str = "rules.value"
    at_key: bool = False
    instead: str | None = None
    margin: bool = False
    meant: tuple[str, ...] = ()


def merge(below: Mapping[str, Leaf], above: Mapping[str, Leaf]) -> Leaves:
    """Lay one file's leaves over another's: by key, the later wins, lists and scalars replace."""
    # A number in place of a table replaces all of it, and a kind of meld is taken away as a whole.
    wholes = [key.removesuffix(f".{REST}") for key in above if key.endswith(f".{REST}")]
    wholes += [key for key in above if key.startswith(f"{KINDS}.") and key.count(".") == 2]
    if not wholes:
        return {**below, **above}
    replaced = tuple([f"{key}." for key in wholes])
    remaining = {key: leaf for key, leaf in below.items() if not key.startswith(replaced)}
    return {**remaining, **above}


def is_within(key: str, path: str) -> bool:
    """Whether a key is the one at a path or below it, as `draw.deep.must` is within `draw`."""
    return f"{key}.".startswith(f"{path}.")


def rank_word(value: Value) -> str:
    """A rank, `joker` or `named` in the one way the program writes it: `10` is `T`."""
    text = str(value)
    return text if text in ("joker", "named") else text.upper().replace("10", "T")


def flow(value: Value) -> str:
    """A value on one line, as a rules file would have it: quoted where that is needed."""
    if isinstance(value, dict):
        entries = [f"{visible(str(key))}: {flow(item)}" for key, item in value.items()]
        return f"{{{', '.join(entries)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(flow, value))}]"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    text = str(value)
    if isinstance(value, str) and not _PLAIN.fullmatch(text):
        text = quote_text(text)
    return visible(text)


def expand(value: Value) -> tuple[int, int]:
    """The least and the greatest number of `3`, `3-4`, or `"3-4"`."""
    low, _, high = str(value).partition("-")
    return int(low), int(high or low)


def written_range(low: int, high: int) -> str | int:
    """A range as a rules file writes it: a number, or `3-13`."""
    return low if low == high else f"{low}-{high}"


def hands_text(numbers: Sequence[int]) -> str:
    """Numbers of hands in ascending order: `hand 3`, or `hands 2, 4-11`.

    >>> hands_text([3]), hands_text([2, 4, 5])
    ('hand 3', 'hands 2, 4-5')
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    listed = ", ".join([str(written_range(first, last)) for first, last in runs])
    return f"hands {listed}" if len(numbers) > 1 else f"hand {listed}"


def where(origin: Origin | None) -> str:
    """The file and line that set a key."""
    if origin is None:
        return "by default"
    return name_of_file(f"{origin.file}:{origin.line}" if origin.line else origin.file)


class Flattener:
    """Takes one file apart.

    What says nothing, such as a range that runs backwards, becomes a problem.
    """

    def __init__(self, file: str, lines: Mapping[Path, int], above: Path = ()) -> None:
        """Read lines from `lines`, by path; 0 where a path has none.

        `above` is the path of what is taken apart.
        """
        self.file = file
        self.lines = lines
        self.above = above
        self.leaves: Leaves = {}
        self.problems: list[Problem] = []

    def flatten(self, value: Mapping[str, Value]) -> None:
        """Take a whole file apart, but for what it says of itself."""
        for key, item in value.items():
            if key not in HEAD:
                self.walk(key, (key,), item)

    def walk(self, key: str, path: Path, value: Value) -> None:
        """Take the value of one key apart."""
        if key.startswith(HOUSE) and value is not None:
            self.add(key, path, value)
        elif key == HANDS and isinstance(value, dict):
            self.table_by_hands(path, value)
        elif key in PLAYER_TABLES and not isinstance(value, dict):
            self.add(f"{key}.{REST}", path, value, key)
        elif isinstance(value, dict) and key in PLAYER_TABLES:
            self.table(key, path, value, self.players)
        elif isinstance(value, dict) and key in CARD_TABLES:
            self.table(key, path, value, self.cards)
        elif isinstance(value, dict):
            for name, item in value.items():
                self.walk(f"{key}.{name}", (*path, name), item)
        else:
            ranged = key in RANGES or (key.startswith(KINDS) and key.endswith(".size"))
            if ranged and isinstance(value, str) and "-" in value:
                self.numbers(path, value)
            self.add(key, path, value)

    def add(
        self, key: str, path: Path, value: Value, written: str = "", *, table: bool = False
    ) -> None:
        """Note one leaf; `written` is its key as the file has it, where that differs.

        A table is a leaf without a value of its own, which has its place.
        """
        line = self.lines.get((*self.above, *path), 0)
        origin = Origin(written or key, flow(value), self.file, line)
        own_value = None if table else value
        self.leaves[key] = Leaf(own_value, origin)

    def numbers(self, path: Path, text: str, *, at_key: bool = False) -> range:
        """The numbers that a range names, which has its lesser number first, or a single one."""
        low, high = expand(text)
        if low > high:
            message = f"{text} runs backwards: the smaller number comes first"
            first, _, last = text.partition("-")
            self.problems.append(Problem(path, message, at_key=at_key, instead=f"{last}-{first}"))
        return range(low, high + 1)

    def table_by_hands(self, path: Path, value: dict[str, Value]) -> None:
        """What differs in some hands: the leaves of each hand, under its number."""
        self.add(HANDS, path, value, table=True)
        seen: dict[int, str] = {}
        for name, item in value.items():
            here = (*path, name)
            numbers = self.numbers(here, name, at_key=True)
            inner = Flattener(self.file, self.lines, (*self.above, *here))
            if isinstance(item, dict):
                inner.flatten(item)
            for problem in inner.problems:
                self.problems.append(changed(problem, path=(*here, *problem.path)))
            for number in numbers:
                if number in seen:
                    message = f"hand {number} is set twice: by {seen[number]} and by {name}"
                    self.problems.append(Problem(here, message))
                    break
                seen[number] = name
                for key, leaf in inner.leaves.items():
                    origin = changed(leaf.origin, key=f"{HANDS}.{name}.{leaf.origin.key}")
                    self.leaves[f"{HANDS}.{number}.{key}"] = Leaf(leaf.value, origin)

    def table(self, key: str, path: Path, value: dict[str, Value], names: _Names) -> None:
        """A table: a leaf for each number or rank, which no two entries may name."""
        self.add(key, path, value, table=True)
        seen: dict[object, str] = {}
        for entry, item in value.items():
            here = (*path, entry)
            for name in names(here, entry, item):
                if name in seen:
                    message = f"{name} is set twice in this table: by {seen[name]} and by {entry}"
                    self.problems.append(Problem(here, message))
                seen[name] = entry
                self.add(f"{key}.{name}", here, item, f"{key}.{entry}")

    def players(self, path: Path, entry: str, _: Value) -> range:
        """The numbers of players that an entry is for."""
        return self.numbers(path, entry, at_key=True)

    def cards(self, path: Path, entry: str, value: Value) -> tuple[str, ...]:
        """The ranks, jokers or single cards that an entry is for."""
        names = tuple(card_names(entry))
        if not names:
            self.problems.append(_backwards(path, entry, value))
        if value == "face" and entry in _FACELESS:
            self.problems.append(Problem(path, _FACELESS[entry]))
            return ()
        return names


def _backwards(path: Path, entry: str, value: Value) -> Problem:
    """Ranks from a higher to a lower one; an ace at the end is meant as the highest."""
    low, _, high = entry.partition("-")
    message = f"{entry} runs backwards: ranks are in the order A 2 3 4 5 6 7 8 9 T J Q K"
    if rank_word(high) != "A":
        return Problem(path, message, at_key=True, instead=f"{high}-{low}")
    up_to_king = low if rank_word(low) == "K" else f"{low}-K"
    meant = flow({up_to_king: value, "A": value})
    return Problem(path, f"{message}; write {meant}", at_key=True)


def card_names(text: str) -> Iterator[str]:
    """The ranks that a key of a table names, or `joker`, or `wild`, or one card."""
    if text in {"joker", "wild"}:
        yield text
        return
    if text[-1].lower() in SUITS:
        yield rank_word(text[:-1]) + text[-1].lower()
        return
    low, _, high = rank_word(text).partition("-")
    yield from RANKS[RANKS.index(low) : RANKS.index(high or low) + 1]
