"""Whether what a case expects can be checked at all: the keys of `expect`, and the players named there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from meldref.core.diagnostics import Finding
from meldref.documents.reader import Path, Value
from meldref.notation.reader import read_card_counts, read_card_row, read_cards
from meldref.rulefiles.merge import flow
from meldref.rulefiles.suggestions import hint
from meldref.rulefiles.vocabulary import is_valid, schema
from meldref.rules.pages import PAGES

_THEN: Final = re.compile(r"over|floats|plays (.+)")
_MELD: Final = re.compile(r"m[1-9][0-9]*")
_HOUSE: Final = re.compile(r"house(\.[a-z][a-z0-9-]*)?")


class Misuse(NamedTuple):
    """Something that a case cannot expect: its place in the case, and why not."""

    path: Path
    message: str


def misuses(expect: Mapping[str, Value]) -> Iterator[Misuse]:
    """What is wrong with an `expect` by itself; unknown keys are left to the caller."""
    nodes = schema()["$defs"]["case"]["properties"]["expect"]["properties"]
    for key, value in expect.items():
        if key not in nodes:
            continue
        if expect.get("verdict") == "legal" and key in {"at", "because"}:
            yield Misuse((key,), f"`{key}` belongs to verdict: illegal, since a legal case has no findings")
        elif not is_valid(value, nodes[key]):
            like = flow(nodes[key]["examples"][0])
            yield Misuse((key,), f"`{key}` cannot be {flow(value)}: write it as in {like}")
        elif key == "because":
            yield from _code(str(value))
        elif key == "then" and not _THEN.fullmatch(str(value)):
            yield Misuse((key,), f"`then` cannot be {value}: write over, floats, or plays and a player")
        else:
            yield from _cards(key, value)


def strangers(
    expect: Mapping[str, Value], players: Sequence[str], sides: Iterable[Sequence[int]]
) -> Iterator[Misuse]:
    """Names in an `expect` of people who do not play."""
    units = {"+".join(players[seat] for seat in order) for side in sides for order in (side, side[::-1])}
    for key, value in expect.items():
        named: list[tuple[Path, str]] = []
        if key == "then" and (next_one := _THEN.fullmatch(str(value))) and next_one[1]:
            named = [((key,), next_one[1])]
        elif key in {"points", "score", "hands"} and isinstance(value, dict):
            named = [((key, name), name) for name in value]
        elif key == "table" and isinstance(value, dict):
            melds = [(meld, layers) for meld, layers in value.items() if isinstance(layers, dict)]
            named = [((key, meld, name), name) for meld, layers in melds for name in layers]
        for path, name in named:
            if name not in players and not (key == "score" and name in units):
                yield Misuse(path, f"`{key}` names {name}, who is not one of the players{hint(name, players)}")


@cache
def _codes() -> list[str]:
    """The families of codes, down to every dot, and all codes."""
    parts = [code.split(".") for code in PAGES]
    families = dict.fromkeys(".".join(code[:end]) for code in parts for end in range(1, len(code)))
    return [*families, *PAGES]


def _code(because: str) -> Iterator[Misuse]:
    if because not in _codes() and not _HOUSE.fullmatch(because):
        near = hint(because, _codes(), "; `meldref explain` lists them")
        yield Misuse(("because",), f"`because` is not a code: {because}{near}")


def _cards(key: str, value: Value) -> Iterator[Misuse]:
    """Cards and names of melds that cannot be read."""
    rows: list[tuple[Path, Value, Callable[[str], object]]] = []
    if key == "hands" and isinstance(value, dict):
        rows = [((key, name), text, read_card_counts) for name, text in value.items()]
    elif key == "table" and isinstance(value, dict):
        for meld, layers in value.items():
            if not _MELD.fullmatch(meld):
                yield Misuse((key, meld), f"`table` names {meld}: melds are m1, m2 and so on")
            elif isinstance(layers, dict):
                rows += [((key, meld, name), text, read_cards) for name, text in layers.items()]
    elif key == "pile" or (key == "stock" and isinstance(value, str)):
        rows = [((key,), value, read_card_row)]
    for path, text, read in rows:
        wrong = read(str(text))
        if isinstance(wrong, Finding):
            yield Misuse(path, f"`{'.'.join(map(str, path))}` cannot be read: {wrong.message}")
