"""The notation: reading what somebody wrote, and writing it in its canonical form.

`lenient` rewrites other spellings (`grammar/spellings.json`) to what the grammar takes, and keeps
their places; `roster` knows a game's players in other capitals; `scanner` splits, `memory`
remembers, `canonical` reads canonical spelling and most of what else people write, `grammar` and
`build` parse the rest into what `scanner` names, both with `spelling` for cards and amounts;
`actions` is the one table of actions, from which canonical reading, writing and JSON are derived;
`messages` say what is wrong, in the words of `syntax`; `reader` is the door, `writer` writes the
canonical form; `jsonlines` is the notation as JSON; `pygments_lexer` colours logs by the grammar's
own words.
"""

from __future__ import annotations

from meldref.notation.reader import (
    Read,
    read_actions,
    read_card_counts,
    read_card_row,
    read_cards,
    read_line,
    read_lines,
    read_turn,
)
from meldref.notation.scanner import decode, open_lines
from meldref.notation.writer import format_log, write_action, write_event, write_line, write_name

__all__ = [
    "Read",
    "decode",
    "format_log",
    "open_lines",
    "read_actions",
    "read_card_counts",
    "read_card_row",
    "read_cards",
    "read_line",
    "read_lines",
    "read_turn",
    "write_action",
    "write_event",
    "write_line",
    "write_name",
]
