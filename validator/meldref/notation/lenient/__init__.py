"""Lenient spelling: a line that people wrote in another way, rewritten to what the grammar takes.

The grammar stays the definition: what is made here of a line is read like any other line, or not at
all. Each character keeps the place that it has in the line as written, so that findings point into
that. What stands in quotes, in braces and in comments stays as it is.

`words` are the words and signs that people write; `changes` puts other texts into a line; `rows`,
`turns` and `lines` say what has to change in each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from meldref.notation.lenient.changes import Change, Rewritten, with_changes, with_quotes
from meldref.notation.lenient.lines import (
    GOES_OUT,
    IS_OUT,
    changes_of_assertion,
    changes_of_bare_header,
    changes_of_header,
    changes_of_line,
)
from meldref.notation.lenient.rows import changes_of_row
from meldref.notation.lenient.turns import changes_of_turn
from meldref.notation.lenient.words import read_spellings
from meldref.notation.syntax import HEADER_KEYS

__all__ = ["Rewritten", "rewritten", "rewritten_row"]

_AND_OUT: Final = (
    r"(?<![ ;,./|&+→])(?<!->)"  # begun once for each row of separators, which may be long
    rf"(?: *[;,./|&+]| *->| *→)* *\b(?:(?:and|then) +)*({IS_OUT})$"
)
"""What may be said at the end of a turn that leaves nothing in the hand."""
_BARE_HEADER: Final = rf" *({'|'.join(HEADER_KEYS)})( *[:=] *)(.*\S) *"


@lru_cache(maxsize=4)
def rewritten(text: str, unquoted: tuple[tuple[int, int], ...] = ()) -> Rewritten | None:
    """A line, or a bare move, as the grammar may take it.

    `unquoted` are the places of names that need quotes. None where there is nothing to rewrite.
    """
    if not unquoted:
        return with_changes(text, _changes)
    quoted = with_quotes(text, unquoted)
    other = with_changes(quoted.text, _changes)
    if other is None:
        return quoted
    return Rewritten(other.text, tuple([quoted.places[place] for place in other.places]))


def rewritten_row(text: str) -> Rewritten | None:
    """A row of cards by itself, as the grammar may take it; None where nothing is rewritten."""
    return with_changes(text, lambda covered: changes_of_row(covered, 0, len(covered)))


def _changes(text: str) -> Iterator[Change]:
    """What has to change in a line whose signs are plain."""
    spellings = read_spellings()
    body = re.split(r"#|\{|\?!", text, maxsplit=1)[0]
    opening = spellings.opening.match(body)
    goes_out = re.fullmatch(GOES_OUT, body, re.IGNORECASE)
    header = re.fullmatch(_BARE_HEADER, body, re.IGNORECASE)
    is_turn = header is not None and spellings.action.match(header[3])
    if header and not is_turn and header[1].lower() != "dealer":  # which may be that of a hand
        yield from changes_of_bare_header(header)
    elif body.lstrip()[:1] == "[":
        yield from changes_of_header(body)
    elif body.lstrip()[:1] == "=":
        yield from changes_of_assertion(body)
    elif opening and not (opening[2] and spellings.action.match(body, opening.end())):
        yield from changes_of_line(body, opening)
    elif goes_out:
        yield Change(0, goes_out.start(1), "end out ")
        yield Change(goes_out.end(1), len(body), "")
    else:
        out = re.search(_AND_OUT, body, re.IGNORECASE)
        if (
            out
            and text[len(body) :][:1] in {"", "#"}
            and spellings.action.search(body[: out.start()])
        ):
            yield Change(out.start(), out.start(1), " # ")
            body = body[: out.start()]
        yield from changes_of_turn(body)
