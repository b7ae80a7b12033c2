"""The notation: reading what somebody wrote, and writing it in its canonical form.

`lines` and `actions` are the tables of what may be written: a row holds all about one kind of line
or action, and the readers, the writer, JSON and `roster` follow them. `parts` are the sorts of parts
that rows are made of, `spelling` turns the text of cards and amounts into values.

A line is read in this order. `scanner` splits bytes into lines and a line at its signs; `memory`
remembers what was read before; `canonical` reads canonical spelling word by word by the tables;
`grammar` asks Lark, for which `build` makes events of what the grammar finds. What that does not
take, `lenient` rewrites to what it may take (`grammar/spellings.json`), and `misspelled` finds the
action that a wrong word was meant to be. `messages` say what is wrong, in the words of `syntax`, and
`in_part` plays what is clear of a line that stays unreadable. `reader` is the door.

`roster` knows a game's players in other capitals; `columns` finds the parts of a line again for
findings; `writer` writes the canonical form; `jsonlines` is the notation as JSON; `pygments_lexer`
colours logs by the grammar's own words.
"""

from __future__ import annotations

from meldref.notation.parts import write_name
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
from meldref.notation.writer import format_log, write_action, write_event, write_line

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
