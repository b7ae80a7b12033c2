"""A position as a position file, to go on from: what is written is what reading it again gives."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, Final

from meldref.core.events import Header
from meldref.core.text import in_words
from meldref.notation.writer import write_action
from meldref.position.memory import Count
from meldref.position.model import GOING_ON, Position
from meldref.positions.build import Built, build_position
from meldref.report.table import Fact, position_data
from meldref.rulefiles.files import is_rules_file, is_shipped
from meldref.ruleset.model import Ruleset

Said = Mapping[str, object]
"""What a position file says of its rules: `rules`, `with`, `set`."""

_IN_TURN: Final = ("seat", "source", "taken", "opening", "floater", "swapped")
_TURN: Final = attrgetter("begins", *[f"turn.{name}" for name in _IN_TURN])


class NotWritable(ValueError):
    """A position that no position file can say; the sentence that says why."""


def position_file(built: Built, options: Said | None) -> dict[str, object]:
    """The keys of a file for this position; within a turn, how it began and what was done since.

    `options` names its rules; None if no file can name them.

    Raises:
        NotWritable: reading it again would not give the same position.
    """
    if options is None:
        raise NotWritable(
            "a position file names its rules: give them as files, not by standard input or a pipe"
        )
    if built.position.ending is not GOING_ON:
        raise NotWritable("the hand is over, and a position file is about a hand that goes on")
    start, actions = built.begun or (built.position, ())
    data: dict[str, object] = {**options, **_data(start)}
    if built.judge.ruleset.buys.of != "none":
        data["buys"] = _known_numbers(start.players, start.buys)
    if actions:
        data["turn"] = "; ".join(map(write_action, actions))
    moved = {key: data[key] for key in data if key not in options}
    read, findings = build_position(moved, built.judge.given)  # type: ignore[arg-type]
    if read is None:
        raise NotWritable(f"a position file cannot say this position: {findings[0].message}")
    wrong = list(_different(built.position, read.position))
    if wrong:
        raise NotWritable(
            "a position file cannot say this position: read again, it would be wrong about "
            f"{in_words(wrong)}"
        )
    return data


def write_position(built: Built, rules: Said | None = None) -> dict[str, object]:
    """A position as the data of a position file: JSON can have it, `load_position` reads it again.

    Args:
        built: the position, also one after a move (`answer.after`).
        rules: the keys by which it names its rules; else the id, options and settings.

    Raises:
        NotWritable: the hand is over, no file can say this position, or files of one's own made
            its rules and `rules` does not name them. It is a `ValueError`.
    """
    keys = rules_keys(built.judge.given) if rules is None else rules
    if keys is None:
        raise NotWritable("files of one's own made these rules: say in `rules` how to name them")
    return position_file(built, keys)


def position_text(data: Said) -> Iterator[str]:
    """The lines of the file: YAML, a key a line."""
    for key, value in data.items():
        if key == "table" and isinstance(value, dict) and value:
            yield "table:"
            yield from (f"  {name}: {_flow(laid)}" for name, laid in value.items())
        else:
            yield f"{key}: {_flow(value)}"


def said_of_rules(headers: Iterable[Header]) -> dict[str, object]:
    """What the headers of a game say of its rules, as a position file says it."""
    rules: str | None = None
    options: list[str] = []
    settings: dict[str, str] = {}
    for header in headers:
        if header.key == "Rules":
            rules = header.value
        elif header.key == "Options":
            options += filter(None, map(str.strip, header.value.split(",")))
        elif header.key == "Set":
            key, _, value = header.value.partition("=")
            settings[key.strip()] = value.strip()
    return {"rules": rules, "with": options, "set": settings}


def rules_keys(ruleset: Ruleset) -> dict[str, Any] | None:
    """The keys by which a file names these rules; None where files of somebody's own made them."""
    single: dict[str, str] = {}
    for origin in dict.fromkeys(ruleset.origins.values()):
        if not is_rules_file(origin.file):  # a header of a log, or the command
            single[origin.key] = origin.value
        elif not is_shipped(origin.file):
            return None
    if not is_shipped(f"{ruleset.id}.yaml"):
        return None
    # Of a table that was set entry by entry, the entries are enough.
    settings = {
        key: value
        for key, value in single.items()
        if not any(other.startswith(f"{key}.") for other in single)
    }
    data: dict[str, Any] = {"rules": ruleset.id}
    if ruleset.options:
        data["with"] = list(ruleset.options)
    if settings:
        data["set"] = settings
    return data


def _flow(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_flow(key)}: {_flow(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    return json.dumps(value, ensure_ascii=False)


def _data(position: Position) -> dict[str, Fact]:
    data = position_data(position)
    if position.hand is not None:
        data["hand"] = position.hand
    if position.discarder is None and position.pile:
        data["discarded_by"] = "nobody"
    if position.turn.opening:
        data["opening"] = "first_turn"
    memory, players = position.memory, position.players
    if memory is not None:
        if memory.hand is not None:
            data["hand"] = memory.hand
        data["turns"] = _known_numbers(players, memory.turns)
        data["totals"] = _known_numbers(players, memory.totals)
    return data


def _known_numbers(players: Sequence[str], numbers: Sequence[Count | None]) -> dict[str, int]:
    """A number for each player of whom it is known."""
    return {
        name: number
        for name, number in zip(players, numbers, strict=True)
        if isinstance(number, int)
    }


def _different(position: Position, other: Position) -> Iterator[str]:
    """What of two positions is not the same."""
    before, after = position_data(position), position_data(other)
    yield from (
        f"`{key}`" for key in before.keys() | after.keys() if before.get(key) != after.get(key)
    )
    if _TURN(position) != _TURN(other) or _duties(position) != _duties(other):
        yield "the turn under way"
    if position.order != other.order:
        yield "who plays"
    if position.fresh != other.fresh:
        yield "whether the last discard still lies there"
    if (position.bought is None) != (other.bought is None):
        yield "whether a card was bought before this turn"
    if [(one.seat, one.cards) for one in position.owing] != [
        (one.seat, one.cards) for one in other.owing
    ]:
        yield "which cards bought are still to be used"


def _duties(position: Position) -> Sequence[object]:
    duty, call = position.turn.duty, position.turn.call
    return duty and (duty.card, duty.deep), call and (call.wanted, call.from_pile)
