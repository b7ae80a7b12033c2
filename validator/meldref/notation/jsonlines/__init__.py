"""Logs as JSON Lines, and back: one object per line, with the words of the notation as keys.

`data` turns lines into objects; `shapes` checks objects against the published
`grammar/events.schema.json` and turns them into lines; `places` reads JSON and finds the columns of
what is wrong; `convert` handles whole logs.
"""

from __future__ import annotations

from meldref.notation.jsonlines.convert import from_json, json_lines, to_json
from meldref.notation.jsonlines.data import event_data, line_data

__all__ = ["event_data", "from_json", "json_lines", "line_data", "to_json"]
