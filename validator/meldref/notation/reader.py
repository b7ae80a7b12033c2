"""Reads logs and moves: text in, events and findings out, no exception for what is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar

from meldref.core.cards import Card, Played
from meldref.core.diagnostics import Edit, Finding, Span
from meldref.core.events import Action, Header, Line, Turn
from meldref.core.records import changed
from meldref.notation import canonical, messages, spelling
from meldref.notation.grammar import Misread, parse, unfit
from meldref.notation.memory import Memory
from meldref.notation.parts import Naming
from meldref.notation.roster import NOBODY, OF_PLAYERS, Roster, Seated, named
from meldref.notation.scanner import (
    BLANKS,
    LONGEST,
    NO_TRAILERS,
    Head,
    NumberedLines,
    ReadLine,
    Trailers,
    TurnParts,
    lines_of,
    presentable,
    split,
    unreadable,
    windows_text,
)

if TYPE_CHECKING:
    from meldref.notation.lenient import Rewritten

Read: TypeAlias = tuple[Line, tuple[Finding, ...]]
"""A line, and what is wrong with it."""
_T = TypeVar("_T")

MOST_IN_A_LINE: Final = 20
"""After how many actions that cannot be read the rest of the line is not tried."""

_MEMORY = Memory()

_new = tuple.__new__
"""Makes a named tuple of a tuple at half the cost; this loop is where reading spends its time."""


def read_lines(
    source: str | Iterable[str] | NumberedLines, memory: Memory = _MEMORY
) -> Iterator[Read]:
    """Every line of a log with what is wrong with it.

    `source` is a text, or whatever yields lines (`open_lines`, an open text file): it is read as it
    is needed. A line that cannot be read has no event and at least one finding, `log.syntax`. A log
    that was saved as Windows-1252 is read as such, and reported once, at the first line that shows
    it.
    """
    return read_lines_of(NOBODY, source, memory)


def read_lines_of(
    roster: Roster, source: str | Iterable[str] | NumberedLines, memory: Memory = _MEMORY
) -> Iterator[Read]:
    """Every line of a log whose players are known; those of a `[Players]` header from there on."""
    heads, turns = memory.heads, memory.turns
    naming = _naming(memory, roster)
    reported = False
    for number, text in (
        source if isinstance(source, NumberedLines) else enumerate(lines_of(source), 1)
    ):
        start, _, rest = text.partition(":")
        head = heads.get(start)
        if head is not None:
            actions = turns.get(rest) or memory.turn(rest)
            if actions is not None:
                turn_number, player, name_column = head
                turn = _new(Turn, (turn_number, roster[player], actions, name_column))
                yield _new(Line, (number, text, turn, (), None, None)), ()
                continue
        elif len(text) <= LONGEST:
            event = canonical.line(text, naming)
            if event is not None and (type(event) is not Header or event.key not in OF_PLAYERS):
                yield _new(Line, (number, text, event, (), None, None)), ()
                continue
        windows = None if text.isprintable() else windows_text(text[: LONGEST + 1])
        line, findings = read_line(text if windows is None else windows, number, memory, roster)
        if type(line.event) is Header and line.event.key == "Players":
            roster = Roster.of(line.event)
            naming = _naming(memory, roster)
        if windows is not None:
            findings = findings if reported else (messages.saved_as_windows(number, text, windows),)
            reported = True
        yield line, findings


def _naming(memory: Memory, roster: Roster) -> Naming:
    """The names that have been read, as a roster has them."""
    return Naming(Seated(memory.names, roster), Seated(memory.sides, roster))


def has_event(read: Read) -> bool:
    """Whether a line says anything of a game: headers alone are nothing that is played."""
    return read[0].event is not None and not isinstance(read[0].event, Header)


def read_line(
    text: str, number: int = 1, memory: Memory = _MEMORY, roster: Roster = NOBODY
) -> Read:
    """One line of a log, and what is wrong with it; names are those of the `roster`."""
    fault = memory.faults.get(text)
    findings: tuple[Finding, ...]
    if fault is not None:
        line, findings = Line(number, text, None), (_on_line(number, fault),)
    else:
        line, findings = _read_strictly(text, number, memory)
        if findings:
            line, findings = _read_leniently(line, findings, (), memory)
            if len(findings) == 1 and line == (number, text, None, (), None, None):
                memory.keep_fault(text, findings[0])
    unquoted = roster.unquoted(text) if findings and len(text) <= LONGEST else ()
    if unquoted:
        line, findings = _read_leniently(line, findings, unquoted, memory)
    if line.event is not None and roster:
        line = line._replace(event=named(line.event, roster))
    return line, findings


def _read_leniently(
    line: Line,
    findings: tuple[Finding, ...],
    unquoted: Sequence[tuple[int, int]],
    memory: Memory,
) -> Read:
    """A line that the grammar does not take, in the spelling that it may have been meant in.

    `unquoted` are the places of names that need quotes.
    """
    from meldref.notation.lenient import rewritten  # noqa: PLC0415  only for what cannot be read

    number, text = line.number, line.text
    fit = len(text) <= LONGEST and unreadable(text) is None
    other = rewritten(text, tuple(unquoted)) if fit else None
    if other is None:
        return line, findings
    again, wrong = _read_strictly(other.text, number, memory)
    placed = tuple([_placed(finding, other, text) for finding in wrong])
    if not _is_further(placed, findings):
        return line, findings
    event = again.event
    if isinstance(event, Turn):
        event = event._replace(
            name_column=other.span(event.name_column - 1, event.name_column)[0] + 1
        )
    return again._replace(text=text, event=event), placed


def _is_further(findings: Sequence[Finding], others: Sequence[Finding]) -> bool:
    """Whether reading came further with these findings than with others."""
    if not findings or not others:
        return len(findings) < len(others)
    here, there = findings[0].span.column, others[0].span.column
    return here > there or (here == there and len(findings) < len(others))


def _placed(finding: Finding, other: Rewritten, text: str) -> Finding:
    """A finding about a rewritten line, with its edits, at its place in the line as written."""
    begin, end = other.span(finding.span.column - 1, finding.span.end_column - 1)
    placed = finding.at(Span(finding.span.line, begin + 1, end + 1), presentable(text))
    return changed(placed, edits=tuple([_edit_at(edit, other) for edit in finding.edits]))


def _on_line(number: int, fault: Finding) -> Finding:
    """What is wrong with a line, with its edits, where the same text is another line."""
    place = fault.at(Span(number, fault.span.column, fault.span.end_column), fault.excerpt)
    edits = [changed(edit, line=number, end_line=number) for edit in fault.edits]
    return changed(place, edits=tuple(edits))


def _edit_at(edit: Edit, other: Rewritten) -> Edit:
    """An edit of a rewritten line, in the line as written."""
    begin, end = other.span(edit.column - 1, edit.end_column - 1)
    return changed(edit, column=begin + 1, end_column=end + 1)


def respelled(read: Read, memory: Memory = _MEMORY) -> bool:
    """Whether a line or a player's name was read in another spelling than the grammar's."""
    line, findings = read
    if line.event is None or findings:
        return False
    strictly, wrong = _read_strictly(line.text, line.number, memory)
    return bool(wrong) or strictly != line


def _read_strictly(text: str, number: int, memory: Memory) -> Read:
    """One line as the grammar takes it, and what is wrong with it."""
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
                    messages.syntax_error(
                        number, text, cut + 1, end, "the rest of the line is not read"
                    )
                )
                break
        else:
            actions.append(read)
        begin = cut + 1
    return tuple(actions), tuple(findings)


def _read_trailers(
    text: str, number: int, begin: int, memory: Memory
) -> tuple[Trailers, tuple[Finding, ...]]:
    """What follows the body of a line: expected violations, an annotation, a comment."""
    if begin >= len(text):
        return NO_TRAILERS, ()
    if text[begin] == "#":
        return Trailers((), text[begin + 1 :]), ()
    read = memory.line(text[begin:])
    if isinstance(read, Misread):
        return NO_TRAILERS, (messages.misread_line(number, text, read, begin),)
    return read.trailers, ()


def read_turn(
    text: str, number: int = 1, memory: Memory = _MEMORY
) -> tuple[Turn | None, tuple[Finding, ...]]:
    """One turn, such as `A: draw; discard 5h`, with or without a number.

    `number` is the line of the findings.
    """
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
    actions, findings = _read_move(text, number, memory)
    other = None
    if findings:
        from meldref.notation.lenient import rewritten  # noqa: PLC0415  as above

        other = rewritten(text)
    if other is not None:
        again, left = _read_move(other.text, number, memory)
        placed = tuple([_placed(finding, other, text) for finding in left])
        if _is_further(placed, findings):
            return again, placed
    return actions, findings


def _read_move(
    text: str, number: int, memory: Memory
) -> tuple[tuple[Action, ...], tuple[Finding, ...]]:
    semicolons = tuple([at for at, character in enumerate(text) if character == ";"])
    return _read_actions(text, number, TurnParts(-1, semicolons, len(text)), memory)


def read_cards(text: str, number: int = 1) -> tuple[Played, ...] | Finding:
    """Cards as a meld has them, such as `5h 6h Jk=7h`."""
    return _read_row(text, number, "plays", spelling.plays)


def read_card_row(text: str, number: int = 1) -> tuple[Card, ...] | Finding:
    """Cards in order, such as a position's pile and stock: `9c 4d ?*3` ends in three `UNKNOWN`.

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
    """A row of cards, in any spelling; the grammar is asked where there are other words."""
    wrong = _unfit(text, number)
    if wrong:
        return wrong
    row = _read_row_strictly(text, number, start, make)
    if not isinstance(row, Finding):
        return row
    from meldref.notation.lenient import rewritten_row  # noqa: PLC0415  as above

    other = rewritten_row(text)
    again = row if other is None else _read_row_strictly(other.text, number, start, make)
    return row if isinstance(again, Finding) else again


def _read_row_strictly(
    text: str, number: int, start: Literal["plays", "faces"], make: Callable[[Sequence[str]], _T]
) -> _T | Finding:
    """A row of cards as the grammar takes it."""
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
