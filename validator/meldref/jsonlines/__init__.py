"""Logs as JSON Lines, and back: an object a line, with the notation's words as keys.

`data` makes objects of lines; `shapes` and `kinds` say what an object may hold, and make lines of it; `places`
reads JSON and finds the columns of what is wrong; `convert` does whole logs. The same shapes are published in
`grammar/events.schema.json`.
"""

from __future__ import annotations

from meldref.jsonlines.convert import from_json, json_lines, to_json
from meldref.jsonlines.data import event_data, line_data

__all__ = ["event_data", "from_json", "json_lines", "line_data", "to_json"]
