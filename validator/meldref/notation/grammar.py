"""The grammar at work: Lark reads a line, or a part of one, and events come out.

Lark and the grammar are loaded when something is read that nobody has read before; importing this
module costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from meldref.core.events import Action, Turn
from meldref.core.records import NamedTuple
from meldref.core.resources import data_path
from meldref.notation.scanner import Head, ReadLine
from meldref.notation.spelling import TooMany

if TYPE_CHECKING:
    from lark import Lark
    from lark.exceptions import UnexpectedInput

Start: TypeAlias = Literal["line", "action", "plays", "faces"]

STARTS: Final[tuple[Start, ...]] = ("line", "action", "plays", "faces")


class Misread(NamedTuple):
    """Where a text stops being notation: offsets from 0, the terminals expected, the one before.

    `message` says what is wrong with a text that the grammar takes.
    """

    begin: int
    end: int
    expected: frozenset[str]
    after: str
    message: str = ""


def parse_head(text: str) -> Head | Misread:
    """Read what comes before the `:` of a turn, as it would be read with the rest of its line."""
    tree = parse_line(f"{text}: pass")
    if isinstance(tree, Misread):
        return tree
    turn = tree.event
    assert isinstance(turn, Turn)
    return Head(turn.number, turn.player, turn.name_column)


@cache
def parser() -> Lark:
    """The one parser, made from the grammar file."""
    from lark import Lark  # noqa: PLC0415  it takes as long to import as everything else together

    from meldref.notation.build import BUILD  # noqa: PLC0415

    builder: Any = BUILD
    text = data_path("grammar", "rgn.lark").read_text(encoding="utf-8")
    return Lark(
        text,
        parser="lalr",
        lexer="contextual",
        start=list(STARTS),
        transformer=builder,
    )


def parse(text: str, start: Start) -> Any:
    """What a text is, read from that start, or a `Misread`.

    A row of cards is handed back as written.
    """
    from lark.exceptions import UnexpectedInput  # noqa: PLC0415

    try:
        return parser().parse(text, start=start)
    except UnexpectedInput as error:
        return _misread(error, text)
    except TooMany as wrong:
        return unfit(text, wrong)


parse_line: Final[Callable[[str], ReadLine | Misread]] = partial(parse, start="line")
"""Reads one whole line, trailers included."""
parse_action: Final[Callable[[str], Action | Misread]] = partial(parse, start="action")
"""Reads one action."""


def unfit(text: str, wrong: TooMany) -> Misread:
    """A text with a row of cards that no deck has."""
    return Misread(len(text) - len(text.lstrip()), len(text.rstrip()), frozenset(), "", str(wrong))


def _misread(error: UnexpectedInput, text: str) -> Misread:
    begin = error.pos_in_stream if error.pos_in_stream is not None else len(text)
    if getattr(getattr(error, "token", None), "type", "") == "$END":
        begin = len(text.rstrip())
    end = begin
    while end < len(text) and text[end] not in _STOPS:
        end += 1
    expected, after = _expected(error)
    return Misread(begin, end if end > begin else min(begin + 1, len(text)), expected, after)


_STOPS: Final = frozenset(" \t\u00a0;,:#")


_EXPECTED: Final[dict[tuple[int, ...], frozenset[str]]] = {}
"""What each state of the parser accepts; finding it out costs far more than a parse."""


def _expected(error: UnexpectedInput) -> tuple[frozenset[str], str]:
    interactive = getattr(error, "interactive_parser", None)
    if interactive is None:
        return frozenset(), ""
    state = interactive.parser_state
    stack = tuple(state.state_stack)
    accepted = _EXPECTED.get(stack)
    if accepted is None:
        if len(_EXPECTED) >= 2_000:
            _EXPECTED.clear()
        accepted = _EXPECTED[stack] = frozenset(interactive.accepts())
    last = state.value_stack[-1] if state.value_stack else None
    return accepted, str(getattr(last, "type", ""))
