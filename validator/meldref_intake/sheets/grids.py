"""From the text of a sheet to rows of cells: commas, tabs, bars, columns of blanks, told lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from meldref_intake.sheets.cells import (
    Cell,
    Row,
    amount,
    are_counted,
    day,
    is_number,
    plain,
    round_number,
)
from meldref_intake.source import Place

_LOOKED_AT: Final = 2_000
"""How many lines show how cells are kept apart."""
_WORDS: Final = re.compile(r"\S+(?: \S+)*")
_WORD: Final = re.compile(r"\S+")
_TOLD: Final = re.compile(
    r"\s*(?:[-*•]\s+)?(?P<label>[^:=,;]*?\d[^:=,;]*?|[^\W\d_][^:=,;\d]*?)\s*"
    r"(?:\([^()\d]*\)\s*)?[:\u2013\u2014]\s+(?P<rest>\S.*)"
)
_TOLD_BY_NUMBER: Final = re.compile(r"\s*(?P<label>(?:[^\W\d_]+\s)?\d{1,3})[.)]\s+(?P<rest>\S.*)")
_AWAY: Final = (
    r"abs(?:ent)?\.?|s[ai]t(?:s|ting)? out|(?:did|does)(?: not|n['\u2019]t) play|not (?:played|there|in)"
    r"|away|missed|skipped|passed|fehlt\w*|ausgesetzt|setzte? aus|nicht (?:da|dabei)"
)
"""What is told of somebody who did not play a hand."""
_ENTRY: Final = re.compile(
    r"\s*(?:and\s+|und\s+|&\s*)?(?P<name>[^\W\d_][^,;:=\d()+\u2212]*?)\s*(?:[:=]\s*|\s)"
    r"(?P<score>[-+\u2212\u2013(]?\s?\d[\d.,' ]*?\)?(?:(?<! )-)?(?:\s*\(\s*-?\d[\d.]*\s*\))?"
    rf"|[-\u2013\u2014x?]|{_AWAY})\s*"
    r"(?:points?|pts?\.?)?\s*(?:$|[;]|,(?!\d{3}\b)|(?<=\s)[-\u2013\u2014](?=\s+[^\W\d_])|(?=\s(?:and|und|&)\s)|(?<=\s)(?=[^\W\d_]))",
    re.IGNORECASE,
)
_MOST_WORDS: Final = 4
"""The most words of a name in a line that tells a hand."""
_CHAT: Final = re.compile(
    r"\[\d[^\]]*\d\]\s*[^:\[\]]{1,40}:\s+|\d[\d./]+,\s\d?\d:\d\d(?::\d\d)?\s[-\u2013]\s[^:]{1,40}:\s+"
)
"""What a messenger puts before a line: when it was said, and by whom."""
_LARGE: Final = 10_000
"""No score and no total is as large."""
_SINGLE: Final = re.compile(r"[-+\u2212(]?\d[\d.,]*[)-]?|[-–—x?]")


def rows_of(text: str) -> Iterator[Row]:
    """The rows of a text, blank ones included, as they come where signs keep cells apart."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines and lines[0].lower().startswith("sep=") and len(lines[0].strip()) == 5:
        lines[0] = ""
    beginning = lines[:_LOOKED_AT]
    if _told(beginning) and (rows := _told(lines)):
        return iter(rows)
    if _listed(beginning) and (rows := _listed(lines)):
        return iter(rows)
    mark = _separator(lines)
    if mark == " ":
        return iter(_in_columns(lines))
    if mark == "|":
        return (_barred(line, number) for number, line in enumerate(lines, 1))
    return _separated(lines, mark)


def is_chat(text: str) -> bool:
    """Whether a text begins as a messenger's does."""
    return _CHAT.match(text.lstrip()) is not None


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


def _cell(text: str, line: str, number: int, at: int) -> Cell:
    """A cell whose text begins at an offset of a line."""
    stripped = text.strip()
    begin = at + 1 if stripped == text else at + 1 + len(text) - len(text.lstrip())
    return Cell(stripped, Place(number, begin, begin + len(stripped), line))


def _barred(line: str, number: int) -> Row:
    """A row of a Markdown table, or of cells between bars."""
    cells: list[Cell] = []
    at = 0
    for part in re.split(r"(?<!\\)\|", line):
        cells.append(_cell(part, line, number, at))
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
        cells.append(_cell(part, line, number, at))
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
            cells.append(_cell(match[0], shown, number, at))
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


def _told(lines: Sequence[str]) -> list[Row]:
    """Rows of lines that tell hands, `Hand 1: Ann 20, Bob 45`; none where the file has no such."""
    told: list[_Told] = []
    others = 0
    label: _Told | None = None
    for number, line in enumerate(lines, 1):
        entry = _told_line(line, number)
        if label is not None and (one := _told_alone(line, number)) is not None:
            if label not in told:
                told.append(label)
            label[3].append(one)
        elif entry is not None:
            told.append((number, line, *entry))
        elif round_number(line.strip(" :*#")) is not None and any(map(str.isalpha, line)):
            label = (number, line, _cell(line.strip(" :*#"), line, number, 0), [])
        elif line.strip():
            others += sum(character.isdigit() for character in line) > 1
    if not told or others > len(told):
        return []
    names = list(dict.fromkeys(name for *_, entries in told for name, _ in entries))
    if len(names) < 2:
        return []
    hands = {number: (label, dict(entries)) for number, _, label, entries in told}
    read = {cell.place.line for _, by_name in hands.values() for cell in by_name.values()}
    first = min(hands)
    rows: list[Row] = []
    for number, line in enumerate(lines, 1):
        here, begin = Place(number, 1, 1, line), _after_chat(line)
        if begin and number in hands:
            rows.append(Row((_cell(line[:begin], line, number, 0),), number, line[:begin]))
        if number == first:
            rows.append(Row((Cell("", here), *[Cell(name, here) for name in names]), number, ""))
        if number in hands:
            said, by_name = hands[number]
            cells = [by_name.get(name, Cell("", here)) for name in names]
            rows.append(Row((said, *cells), number, line[begin:]))
        elif number not in read:
            rows.append(Row((_cell(line, line, number, 0),), number, line))
    return rows


def _listed(lines: Sequence[str]) -> list[Row]:
    """Rows of lines that list the scores of a person, `Ann: 45, 60, -5`; none without such."""
    rows: list[Row] = []
    listed = 0
    for number, line in enumerate(lines, 1):
        match = _LIST.fullmatch(line)
        cells = [_cell(line, line, number, 0)]
        if match is not None and round_number(match["name"]) is None:
            cells = [_cell(match["name"], line, number, match.start("name"))]
            cells += [
                _cell(found[0], line, number, found.start())
                for found in _LISTED.finditer(line, match.start("rest"))
            ]
            listed += 1
        elif sum(map(str.isdigit, line)) > 1:
            return []
        rows.append(Row(tuple(cells), number, line))
    return rows if listed > 1 else []


def _after_chat(line: str) -> int:
    """Where a line begins behind what a messenger puts before it."""
    said = _CHAT.match(line)
    return 0 if said is None else said.end()


def _told_alone(line: str, number: int) -> tuple[str, Cell] | None:
    """A name and its score on a line of their own."""
    entry = _ENTRY.fullmatch(line)
    if entry is None or round_number(line) is not None:
        return None
    begin, end = entry.start("score"), entry.end("score")
    place = Place(number, begin + 1, end + 1, line)
    return entry["name"].strip(), Cell(entry["score"].strip(), place)


def _told_line(line: str, number: int) -> tuple[Cell, list[tuple[str, Cell]]] | None:
    first = _after_chat(line)
    match = _TOLD.fullmatch(line, first) or _TOLD_BY_NUMBER.fullmatch(line, first)
    label, at, start = "", first, first
    if match is not None:
        label, at, start = plain(match["label"]), match.start("rest"), match.start("label")
    if round_number(label) is None and day(label) is None and label.lower() not in _ENDS:
        label, at, start = "", first, first
    entries: list[tuple[str, Cell]] = []
    rest = line[at:].rstrip(" .;,")
    if line.lstrip().startswith("#") or not rest.strip() or day(rest.strip()) is not None:
        return None
    offset = 0
    while offset < len(rest):
        entry = _ENTRY.match(rest, offset)
        if entry is None or len(entry["name"].split()) > _MOST_WORDS:
            return None
        begin, end = at + entry.start("score"), at + entry.end("score")
        cell = Cell(entry["score"].strip(), Place(number, begin + 1, end + 1, line))
        entries.append((entry["name"].strip(), cell))
        offset = entry.end()
    if len(entries) < (1 if label else 2):
        return None
    return Cell(label, Place(number, start + 1, start + 1 + len(label), line)), entries


_LISTED: Final = re.compile(r"[-+\u2212\u2013(]?\s?\d[\d.]*\)?-?|[-\u2013\u2014x?]")
_LIST: Final = re.compile(
    rf"\s*(?:[-*•]\s+)?(?P<name>[^\W\d_][^:=\d,;|\t]*?)\s*[:=]\s*"
    rf"(?P<rest>(?:(?:{_LISTED.pattern})(?:\s*[,;/+]\s*|\s+|\s*$))+)"
)
_Told: TypeAlias = "tuple[int, str, Cell, list[tuple[str, Cell]]]"
"""A hand that is told: its line, and that as text, its label, and the score of each player."""
_ENDS: Final = frozenset(
    [
        "total",
        "totals",
        "final",
        "sum",
        "standing",
        "standings",
        "end",
        "gesamt",
        "summe",
        "endstand",
        "ergebnis",
    ]
)
