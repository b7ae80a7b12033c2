"""Reading logs and moves: text in, events and findings out, never an exception for what somebody wrote."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Literal, TypeAlias, TypeVar

from meldref.core.cards import Card, Played
from meldref.core.diagnostics import Finding, Span
from meldref.core.events import Action, Header, Line, Turn
from meldref.notation import canonical, messages, spelling
from meldref.notation.grammar import Misread, parse, unfit
from meldref.notation.memory import Memory
from meldref.notation.scanner import (
    BLANKS,
    LONGEST,
    NO_TRAILERS,
    Head,
    ReadLine,
    Trailers,
    TurnParts,
    lines_of,
    presentable,
    split,
    unreadable,
    windows_text,
)

Read: TypeAlias = tuple[Line, tuple[Finding, ...]]
"""A line, and what is wrong with it."""
_T = TypeVar("_T")

MOST_IN_A_LINE: Final = 20
"""After how many actions that cannot be read the rest of the line is not tried."""

_MEMORY = Memory()

_new = tuple.__new__
"""Makes a named tuple of a tuple at half the cost; this loop is where reading spends its time."""


def read_lines(source: str | Iterable[str], memory: Memory = _MEMORY) -> Iterator[Read]:
    """Every line of a log with what is wrong with it.

    `source` is a text, or whatever yields lines (`open_lines`, an open text file): it is read as it is needed.
    A line that cannot be read has no event and at least one finding, `log.syntax`. A log that was saved as
    Windows-1252 is read as such, and reported once, at the first line that shows it.
    """
    heads, turns, names, sides = memory.heads, memory.turns, memory.names, memory.sides
    reported = False
    for number, text in enumerate(lines_of(source), 1):
        start, _, rest = text.partition(":")
        head = heads.get(start)
        if head is not None:
            actions = turns.get(rest) or memory.turn(rest)
            if actions is not None:
                turn_number, player, name_column = head
                turn = _new(Turn, (turn_number, player, actions, name_column))
                yield _new(Line, (number, text, turn, (), None, None)), ()
                continue
        elif len(text) <= LONGEST:
            event = canonical.line(text, names, sides)
            if event is not None:
                yield _new(Line, (number, text, event, (), None, None)), ()
                continue
        windows = None if text.isprintable() else windows_text(text[: LONGEST + 1])
        if windows is None:
            yield read_line(text, number, memory)
            continue
        line, findings = read_line(windows, number, memory)
        yield line, findings if reported else (messages.saved_as_windows(number, text, windows),)
        reported = True


def has_event(read: Read) -> bool:
    """Whether a line says anything of a game: headers alone are nothing that is played."""
    return read[0].event is not None and not isinstance(read[0].event, Header)


def read_line(text: str, number: int = 1, memory: Memory = _MEMORY) -> Read:
    """One line of a log, and what is wrong with it."""
    fault = memory.faults.get(text)
    if fault is not None:
        span = Span(number, fault.span.column, fault.span.end_column)
        return Line(number, text, None), (fault.at(span, fault.excerpt),)
    if len(text) > LONGEST:
        text = presentable(text[: LONGEST + 1])
        return Line(number, text, None), (messages.too_long(number, text),)
    at = unreadable(text)
    if at is not None:
        finding = messages.bad_character(number, text, at)
        return Line(number, presentable(text), None), (finding,)
    body = text.lstrip(BLANKS)
    if not body:
        return Line(number, text, None), ()
    if body[0] == "#":
        return Line(number, text, None, (), body[1:]), ()
    parts = split(text)
    if parts.colon >= 0 and body[0] not in "[=":  # a turn, since nothing else has a colon there
        head = memory.head(text[: parts.colon])
        if isinstance(head, Head):
            return _read_turn_line(text, number, head, parts, memory)
        read: ReadLine | Misread = head
    else:
        read = memory.line(text[: parts.body_end])
    trailers, findings = _read_trailers(text, number, parts.body_end, memory)
    if isinstance(read, ReadLine):
        return Line(number, text, None if findings else read.event, *trailers), findings
    findings = (messages.misread_line(number, text, read), *findings)
    if len(findings) == 1 and trailers == NO_TRAILERS:
        memory.keep_fault(text, findings[0])
    return Line(number, text, None, *trailers), findings


def _read_turn_line(text: str, number: int, head: Head, parts: TurnParts, memory: Memory) -> Read:
    actions, findings = _read_actions(text, number, parts, memory)
    trailers, wrong = _read_trailers(text, number, parts.body_end, memory)
    findings += wrong
    event = None if findings else Turn(head.number, head.player, actions, head.column)
    return Line(number, text, event, *trailers), findings


def _read_actions(
    text: str, number: int, parts: TurnParts, memory: Memory
) -> tuple[tuple[Action, ...], tuple[Finding, ...]]:
    """The actions of a turn, from behind its `:`; each that cannot be read is a finding."""
    begin, end = parts.colon + 1, parts.body_end
    cuts = [at for at in parts.semicolons if at >= begin]
    if cuts and not text[cuts[-1] + 1 : end].strip(BLANKS):
        end = cuts.pop()
    actions: list[Action] = []
    findings: list[Finding] = []
    for cut in (*cuts, end):
        read = memory.action(text[begin:cut])
        if isinstance(read, Misread):
            findings.append(messages.misread_action(number, text, read, begin))
            if len(findings) >= MOST_IN_A_LINE and cut < end:
                findings.append(
                    messages.syntax_error(number, text, cut + 1, end, "the rest of the line is not read")
                )
                break
        else:
            actions.append(read)
        begin = cut + 1
    return tuple(actions), tuple(findings)


def _read_trailers(text: str, number: int, begin: int, memory: Memory) -> tuple[Trailers, tuple[Finding, ...]]:
    """What follows the body of a line: expected violations, an annotation, a comment."""
    if begin >= len(text):
        return NO_TRAILERS, ()
    if text[begin] == "#":
        return Trailers((), text[begin + 1 :]), ()
    read = memory.line(text[begin:])
    if isinstance(read, Misread):
        return NO_TRAILERS, (messages.misread_line(number, text, read, begin),)
    return read.trailers, ()


def read_turn(text: str, number: int = 1, memory: Memory = _MEMORY) -> tuple[Turn | None, tuple[Finding, ...]]:
    """One turn, such as `A: draw; discard 5h`, with or without a number; `number` is the line of the findings."""
    line, findings = read_line(text, number, memory)
    if isinstance(line.event, Turn) or findings:
        return (line.event if isinstance(line.event, Turn) else None), findings
    message = "expected a turn, such as `A: draw; discard 5h`"
    return None, (messages.syntax_error(number, line.text, 0, len(line.text), message),)


def read_actions(
    text: str, number: int = 1, memory: Memory = _MEMORY
) -> tuple[tuple[Action, ...], tuple[Finding, ...]]:
    """The actions of a bare move, such as `take 4c; meld 4c 4d 4h; discard Th`.

    What could be read comes with the findings about the rest.
    """
    wrong = _unfit(text, number)
    if wrong:
        return (), (wrong,)
    semicolons = tuple([at for at, character in enumerate(text) if character == ";"])
    return _read_actions(text, number, TurnParts(-1, semicolons, len(text)), memory)


def read_cards(text: str, number: int = 1) -> tuple[Played, ...] | Finding:
    """Cards as a meld has them, such as `5h 6h Jk=7h`."""
    return _read_row(text, number, "plays", spelling.plays)


def read_card_row(text: str, number: int = 1) -> tuple[Card, ...] | Finding:
    """Cards in their order, such as a position's pile and stock: `9c 4d ?*3` ends in three `UNKNOWN`.

    An empty text has no cards.
    """
    if not text.strip(BLANKS):
        return ()
    return _read_row(text, number, "faces", spelling.faces)


def read_card_counts(text: str, number: int = 1) -> tuple[tuple[Card, ...], int] | Finding:
    """The known cards of a hand and how many others it has: `5h 6h ?*7` has seven others."""
    row = read_card_row(text, number)
    return row if isinstance(row, Finding) else spelling.known_and_unknown(row)


def _read_row(
    text: str, number: int, start: Literal["plays", "faces"], make: Callable[[Sequence[str]], _T]
) -> _T | Finding:
    """A row of cards; the grammar is asked where there are other words."""
    wrong = _unfit(text, number)
    if wrong:
        return wrong
    try:
        return make(text.split(" "))
    except (KeyError, spelling.TooMany):
        row: str | Misread = parse(text, start)
    if isinstance(row, Misread):
        return messages.misread_cards(number, text, row)
    try:
        return make(spelling.words(row))
    except spelling.TooMany as too_many:
        return messages.misread_cards(number, text, unfit(text, too_many))


def _unfit(text: str, number: int) -> Finding | None:
    if len(text) > LONGEST:
        return messages.too_long(number, presentable(text[: LONGEST + 1]))
    at = unreadable(text)
    return None if at is None else messages.bad_character(number, text, at)
