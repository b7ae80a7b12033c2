"""What differs in meaning between two rulesets, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from meldref.authoring.difference import Difference, Differences, Side
from meldref.core.text import many, name_of_file
from meldref.report.text import shown_origin, shown_path
from meldref.rulefiles.merge import HOUSE, flow

SIDES: Final = ("A", "B")
"""What the two rulesets are called."""
_COLUMN: Final = 32


def differences_text(names: tuple[str, str], differences: Differences, *, quiet: bool) -> Iterator[str]:
    """The keys that differ, each with what both say and where; `quiet`: their names alone."""
    if quiet:
        yield from (one.key for one in differences.in_meaning)
        return
    if differences.same:
        yield f"{name_of_file(names[0])} and {name_of_file(names[1])} mean the same"
    else:
        yield from (f"{side}: {name_of_file(name)}" for side, name in zip(SIDES, names, strict=True))
        yield ""
        yield from _keys(differences.in_meaning)
        yield ""
        number = len(differences.in_meaning)
        yield f"{many(number, 'key')} differ{'s' if number == 1 else ''} in meaning"
    if differences.apart:
        yield ""
        yield "Written differently, with no effect on play:"
        yield ""
        yield from _keys(differences.apart)


def _keys(differences: Sequence[Difference]) -> Iterator[str]:
    column = min(_COLUMN, max(len(one.key) for one in differences))
    for one in differences:
        head = f"{one.key:<{column}}"
        if len(one.key) > column:
            yield one.key
            head = " " * column
        of_rule = one.key.startswith(HOUSE)
        yield f"{head}  A: {_side(one.first, of_rule=of_rule)}"
        yield f"{' ' * column}  B: {_side(one.second, of_rule=of_rule)}"


def _side(side: Side, *, of_rule: bool) -> str:
    nothing = "no such rule" if of_rule else "as on the table"
    value = nothing if side.value is None else flow(side.value)
    place = shown_origin(side.origin) if side.origin is not None else ""
    rests = f"no effect: see {side.rests}" if side.rests else ""
    behind = "; ".join(part for part in (place, rests) if part)
    return f"{value}   ({behind})" if behind else value


def differences_data(names: tuple[str, str], differences: Differences) -> dict[str, object]:
    """The same for programs; what recorded games and an example show stands behind it."""
    return {
        "version": 1,
        "rulesets": list(names),
        "same": differences.same,
        "differences": [_difference_data(one) for one in differences.in_meaning],
        "apart": [_difference_data(one) for one in differences.apart],
    }


def _difference_data(one: Difference) -> dict[str, object]:
    return {"key": one.key, "first": _side_data(one.first), "second": _side_data(one.second)}


def _side_data(side: Side) -> dict[str, object]:
    return {
        "value": side.value,
        "file": shown_path(side.origin.file) if side.origin else None,
        "line": side.origin.line if side.origin else None,
        "no_effect": side.rests or None,
    }
