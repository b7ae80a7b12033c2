"""From the text of a sheet to rows of cells: commas, tabs, bars, columns of blanks, lists of scores."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from meldref_intake.sheets.cells import (
    Cell,
    Row,
    amount,
    are_counted,
    cell_at,
    is_number,
    round_number,
)
from meldref_intake.sheets.told import rows_told
from meldref_intake.source import Place

_LOOKED_AT: Final = 2_000
"""How many lines show how cells are kept apart."""
_WORDS: Final = re.compile(r"\S+(?: \S+)*")
_WORD: Final = re.compile(r"\S+")
_LARGE: Final = 10_000
"""No score and no total is as large."""
_SINGLE: Final = re.compile(r"[-+\u2212(]?\d[\d.,]*[)-]?|[-–—x?]")


def rows_of(text: str) -> Iterator[Row]:
    """The rows of a text, blank ones included, as they come where signs keep cells apart."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines and lines[0].lower().startswith("sep=") and len(lines[0].strip()) == 5:
        lines[0] = ""
    beginning = lines[:_LOOKED_AT]
    if rows_told(beginning) and (rows := rows_told(lines)):
        return iter(rows)
    if _listed(beginning) and (rows := _listed(lines)):
        return iter(rows)
    mark = _separator(lines)
    if mark == " ":
        return iter(_in_columns(lines))
    if mark == "|":
        return (_barred(line, number) for number, line in enumerate(lines, 1))
    return _separated(lines, mark)


def _separator(lines: Sequence[str]) -> str:
    """What keeps cells apart: the sign that most rows have as often as others."""
    some = [line for line in lines[:_LOOKED_AT] if line.strip()]
    best, most = " ", 0.0
    for mark in ("|", "\t", ";", ","):
        counts = [line.count(mark) for line in some]
        having = [count for count in counts if count]
        if not having:
            continue
        usual = max(set(having), key=having.count)
        alike = sum(count >= 1 and abs(count - usual) <= 1 for count in counts)
        weight = alike * (1.0 if mark == "," else 1.5)
        if mark == "," and _is_spaced(some):
            continue
        if alike >= 2 and weight > most:
            best, most = mark, weight
    return best


def _is_spaced(lines: Sequence[str]) -> bool:
    """Whether commas are only those of numbers and prose between columns of blanks."""
    wide = sum(bool(re.search(r"\S\s{2,}[-+(\u2212]?\d", line)) for line in lines)
    return wide * 2 > len(lines)


def _barred(line: str, number: int) -> Row:
    """A row of a Markdown table, or of cells between bars."""
    cells: list[Cell] = []
    at = 0
    for part in re.split(r"(?<!\\)\|", line):
        cells.append(cell_at(part, line, number, at))
        at += len(part) + 1
    if cells and not cells[0].text and line.lstrip().startswith("|"):
        cells = cells[1:]
    if cells and not cells[-1].text and line.rstrip().endswith("|"):
        cells = cells[:-1]
    return Row(tuple([cell._replace(text=_unmarked(cell.text)) for cell in cells]), number, line)


def _unmarked(text: str) -> str:
    """A text without the signs of bold and italic type."""
    match = re.fullmatch(r"(\*{1,3}|_{1,3}|`)(.+?)\1", text)
    return match[2] if match and any(map(str.isalnum, match[2])) else text.replace("\\|", "|")


def _separated(lines: Sequence[str], mark: str) -> Iterator[Row]:
    """Rows of cells with a sign between them; a cell in quotes may have signs and ends of lines."""
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if '"' not in line:
            yield _plain_row(line, number, mark)
            continue
        first = number
        while line.count('"') % 2 and number < len(lines) and number - first < 20:
            line += "\n" + lines[number]
            number += 1
        if line.count('"') % 2:  # a quote that is not closed is a letter like any other
            line, number = lines[first - 1], first
        yield _quoted_row(line, first, mark)


def _plain_row(line: str, number: int, mark: str) -> Row:
    cells: list[Cell] = []
    at = 0
    for part in line.split(mark):
        cells.append(cell_at(part, line, number, at))
        at += len(part) + 1
    return Row(tuple(cells), number, line)


def _quoted_row(line: str, number: int, mark: str) -> Row:
    cells: list[Cell] = []
    shown = line.split("\n", 1)[0]
    at = 0
    pattern = re.compile(rf'\s*"((?:[^"]|"")*)"\s*(?={re.escape(mark)}|$)|[^{re.escape(mark)}]*')
    while at <= len(line):
        match = pattern.match(line, at)
        assert match is not None
        if match[1] is not None:
            text = " ".join(match[1].replace('""', '"').split())
            begin = line.index('"', at) + 1
            cells.append(Cell(text, Place(number, begin + 1, begin + 1 + len(match[1]), shown)))
        else:
            cells.append(cell_at(match[0], shown, number, at))
        at = match.end() + 1
    return Row(tuple(cells), number, shown)


def _in_columns(lines: Sequence[str]) -> list[Row]:
    """Rows whose cells have blanks between them: two or more, or one where all are single words."""
    rows: list[Row] = []
    together: list[tuple[int, str]] = []
    for number, raw in enumerate(lines, 1):
        if raw.strip():
            together.append((number, raw))
        else:
            rows += [*_aligned(_block(together)), Row((), number, raw)]
            together = []
    return [*rows, *_aligned(_block(together))]


def _block(lines: Sequence[tuple[int, str]]) -> list[Row]:
    """Rows that stand together, each line cut at two blanks, or at every one.

    What stands in groups of three digits, `160 115`, is one large number or several scores: several
    where the row then has as many cells as the others, which are sure, or as there are names.
    """
    whole = [_words_of(raw, at) for at, raw in lines]
    sure = {
        len(row.cells) for row in whole if _has_number(row) and not any(map(_in_groups, row.cells))
    }
    names = [len(row.text.split()) for row in whole if not any(map(str.isdigit, row.text))]
    usual = sure or {count + label for count in names for label in (0, 1)}
    rows: list[Row] = []
    for row in whole:
        groups = list(filter(_in_groups, row.cells))
        cut = _cut(row.text, row.line, _WORD)
        may_be_one = all(abs(amount(cell).score or 0) < _LARGE for cell in groups)
        joined_fits, cut_fits = len(row.cells) in usual, len(cut.cells) in usual
        several = groups and cut_fits and not (joined_fits and may_be_one)
        rows.append(cut if several else row)
    return rows


def _has_number(row: Row) -> bool:
    return any(map(is_number, row.cells))


def _in_groups(cell: Cell) -> bool:
    """Whether a number has blanks between its digits."""
    return re.search(r"\d \d", cell.text) is not None and is_number(cell)


def _words_of(raw: str, number: int) -> Row:
    """The cells of a line with two blanks between them, or one where those are numbers."""
    words = _WORDS.findall(raw.expandtabs())
    return _cut(raw, number, _WORD if any(map(_is_row_of_numbers, words)) else _WORDS)


def _cut(raw: str, number: int, cell: re.Pattern[str]) -> Row:
    words = cell.finditer(raw.expandtabs())
    places = ((word[0], Place(number, word.start() + 1, word.end() + 1, raw)) for word in words)
    return Row(tuple([Cell(text, place) for text, place in places]), number, raw)


def _aligned(rows: Sequence[Row]) -> list[Row]:
    """Rows that stand together: where one has fewer cells, they are those above or below them."""
    figures = [row for row in rows if any(map(is_number, row.cells))]
    most = max((len(row.cells) for row in figures), default=0)
    if most < 2:
        return list(rows)
    widest = [row for row in rows if len(row.cells) == most]
    spans = [
        (
            min(row.cells[at].place.column for row in widest) - 1,
            max(row.cells[at].place.end_column for row in widest) - 1,
        )
        for at in range(most)
    ]
    first = [row.cells[0] for row in widest]
    has_labels = not all(map(is_number, first)) or are_counted([cell.text for cell in first])
    of_names = {most - 1, most} if most > 2 else set() if has_labels else {most}
    result: list[Row] = []
    shorter = [row for row in figures if len(row.cells) == most - 1]
    labelled = (
        all(not is_number(row.cells[0]) for row in widest)
        and len(widest) < sum(all(map(is_number, row.cells)) for row in shorter)
        and not are_counted([row.cells[0].text for row in shorter])
    )
    for row in rows:
        cells: Sequence[Cell] = row.cells
        if len(cells) == 1 and not any(map(str.isdigit, row.text)):
            words = list(_WORD.finditer(row.text.expandtabs()))
            if len(words) in of_names:
                cells = [
                    Cell(word[0], Place(row.line, word.start() + 1, word.end() + 1, row.text))
                    for word in words
                ]
        if labelled and len(cells) == most - 1:
            here = Place(row.line, 1, 1, row.text)
            result.append(row._replace(cells=(Cell("", here), *cells)))
            continue
        if 1 < len(cells) < most or (len(cells) == 1 and is_number(cells[0])):
            cells = _under(spans, cells, row.line, row.text)
        result.append(row._replace(cells=tuple(cells)))
    return result


def _is_row_of_numbers(text: str) -> bool:
    """Whether a text is several numbers with single blanks between them, and not a large one."""
    if is_number(Cell(text, Place())):
        return False
    parts = text.split(" ")
    numbers = sum(bool(_SINGLE.fullmatch(part)) for part in parts)
    return numbers > 1 and numbers * 2 > len(parts)


def _under(
    spans: Sequence[tuple[int, int]], cells: Sequence[Cell], number: int, raw: str
) -> list[Cell]:
    """Cells put under those of the row above that they stand under; others are empty."""
    under = [Cell("", Place(number, begin + 1, begin + 1, raw)) for begin, _ in spans]
    least = 0
    for cell in cells:
        begin, end = cell.place.column - 1, cell.place.end_column - 1
        room = range(least, len(spans))
        if not room:
            return list(cells)
        at = min(
            room,
            key=lambda at: (
                max(spans[at][0] - end, begin - spans[at][1], 0),
                abs(spans[at][1] - end),
            ),
        )
        under[at] = cell
        least = at + 1
    return under


def _listed(lines: Sequence[str]) -> list[Row]:
    """Rows of lines that list the scores of a person, `Ann: 45, 60, -5`; none without such."""
    rows: list[Row] = []
    listed = 0
    for number, line in enumerate(lines, 1):
        match = _LIST.fullmatch(line)
        cells = [cell_at(line, line, number, 0)]
        if match is not None and round_number(match["name"]) is None:
            cells = [cell_at(match["name"], line, number, match.start("name"))]
            cells += [
                cell_at(found[0], line, number, found.start())
                for found in _LISTED.finditer(line, match.start("rest"))
            ]
            listed += 1
        elif sum(map(str.isdigit, line)) > 1:
            return []
        rows.append(Row(tuple(cells), number, line))
    return rows if listed > 1 else []


_LISTED: Final = re.compile(r"[-+\u2212\u2013(]?\s?\d[\d.]*\)?-?|[-\u2013\u2014x?]")
_LIST: Final = re.compile(
    rf"\s*(?:[-*•]\s+)?(?P<name>[^\W\d_][^:=\d,;|\t]*?)\s*[:=]\s*"
    rf"(?P<rest>(?:(?:{_LISTED.pattern})(?:\s*[,;/+]\s*|\s+|\s*$))+)"
)
