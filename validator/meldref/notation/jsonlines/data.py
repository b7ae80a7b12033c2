"""From events to JSON: one object per line, with the words of the notation as keys.

Cards and ranks are words of the notation (`5h`, `Jk=8c`, `?*7`). What is not written in a log has
no key. A list of names with a name in it twice, which no object can hold, becomes a list of pairs.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from meldref.core.events import Action, Event, Line, Turn
from meldref.core.json_schema import JsonSchema
from meldref.notation.actions import BY_KIND
from meldref.notation.lines import form_of
from meldref.notation.scanner import BLANKS
from meldref.notation.writer import write_line

Data: TypeAlias = dict[str, Any]

SCHEMA: Final = JsonSchema("grammar", "events.schema.json")


def line_data(line: Line, *, readable: bool = True) -> Data:
    """A line of a log as data.

    A line without an event is `blank`, or a `comment`, or `unreadable`; the latter two are kept as
    they stand.
    """
    if line.event is None:
        text = write_line(line)
        if not text.strip(BLANKS):
            return {"event": "blank"}
        return {"event": "comment" if readable else "unreadable", "text": text}
    data = event_data(line.event)
    if line.expected:
        data["expected"] = list(line.expected)
    if line.annotation is not None:
        data["annotation"] = line.annotation
    if line.comment is not None:
        data["comment"] = line.comment.rstrip(BLANKS)
    return data


def event_data(event: Event) -> Data:
    """An event as data."""
    form = form_of(event)
    data: Data = {**form.json_keys}
    for field in form.fields:
        value = field.value_in(event)
        is_left_out = value is None or (value == "" and field.missing == "")
        if field.is_required or not is_left_out:
            data[field.json_key] = field.part.to_json(value)
    if isinstance(event, Turn):
        data["actions"] = [action_data(action) for action in event.actions]
    return data


def action_data(action: Action) -> Data:
    """An action as data: what it is, its cards, and the number it names."""
    form = BY_KIND[type(action)]
    data: Data = {"action": form.word}
    if form.takes is not None:
        data[form.cards] = form.takes.to_json(getattr(action, form.cards))
    number = None if form.number is None else getattr(action, form.number.field)
    if form.number is not None and number is not None:
        data[form.number.key] = number
    return data
