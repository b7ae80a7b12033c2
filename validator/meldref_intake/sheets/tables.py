"""From rows of cells to the tables of a sheet: whose columns, which hands, which sums."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import filterfalse, pairwise, takewhile
from typing import Final, NamedTuple

from meldref.core.records import changed, fresh, record
from meldref_intake.sheets.cells import (
    MOST_CELLS,
    Amount,
    Cell,
    Row,
    amount,
    are_counted,
    day,
    is_clock,
    is_name,
    is_number,
    is_rule,
    plain,
    round_number,
)
from meldref_intake.sheets.labels import (
    SCORE_WORDS,
    TOTAL_WORDS,
    WORDS_OF_NAMES,
    Role,
    Sum,
    role_of,
    summary_of,
    without_annulment,
)
from meldref_intake.source import Place

_LOOKED_AT: Final = 4
"""How many of the rows below it show that a row heads the hands."""
_OF_A_GAME: Final = re.compile(
    r"(?:game|match|table|evening|partie?|partita|tisch|abend)\b", re.IGNORECASE
)
"""How a heading of a game begins that is no row of a hand."""
_YES: Final = frozenset(["1", "x", "yes", "y", "true", "ja", "oui", "si", "sí", "✓", "✔"])
_NAMES_TOO: Final = frozenset(["max", "min"])
"""What a column is called only where that is somebody's name."""
_STANDING: Final = re.compile(
    r"(?P<before>totals?|sum|running|cum\.?|standing|σ|∑)?[\s:_-]*(?P<name>.*?)"
    r"[\s:_(\[-]*(?P<after>totals?|sum|running|cum\.?|cumulative|standing|σ|∑)?[\s)\]]*",
    re.IGNORECASE,
)
_NUMBERED_HEAD: Final = re.compile(r"(?P<word>[^\W\d_]+)[\s._-]*(?P<number>\d{1,3})")
_IN_POINTS: Final = re.compile(
    r"(?P<name>.*\S)\s*[(\[](?:points?|pts?|pkt|punkte|scores?)\.?[)\]]", re.IGNORECASE
)


@record
class Column:
    """A column: its role, and whose it is; `head` is its name as written."""

    role: Role
    head: Cell
    name: str = ""


@record(frozen=False)
class Entry:
    """A row of a table: a hand, or where `sums` a row of sums. `scores` go by player.

    `standings` are those beside the scores; `aside` are the other cells, by role.
    """

    place: Place
    scores: dict[str, Cell]
    standings: dict[str, Cell] = fresh(default_factory=dict)
    aside: dict[Role, Cell] = fresh(default_factory=dict)
    label: str = ""
    sums: Sum | None = None
    remarks: list[Cell] = fresh(default_factory=list)
    bonus: dict[str, int] = fresh(default_factory=dict)


@record(frozen=False)
class Table:
    """A table of a sheet: the names with their cells, and its rows.

    `notes` are rows of text with the number of entries before each. `says_running`: its head says that
    the figures are running totals; `says_dates`: a column is headed as that of dates; `unnamed`: it has
    no head that names anybody. `strange` are scores of nobody that is named, `no_players` the heads of
    columns of numbers that are nobody's, as they have no total. `unheaded` are the first numbers in columns
    that nothing stands above, by their place in a row. `labels_in_brackets`: those of all hands are, so that
    this says nothing. `columns` are those of its rows, if it
    has a column for each player. `goes_on`: it is another page of the table before it, which was too
    long for one.
    """

    names: dict[str, Cell]
    entries: list[Entry] = fresh(default_factory=list)
    notes: list[tuple[int, Cell]] = fresh(default_factory=list)
    says_running: bool = False
    says_dates: bool = False
    unnamed: bool = False
    strange: list[Cell] = fresh(default_factory=list)
    no_players: list[Cell] = fresh(default_factory=list)
    unheaded: dict[int, Cell] = fresh(default_factory=dict)
    labels_in_brackets: bool = True
    columns: Sequence[Column] = ()
    goes_on: bool = False


def tables_of(rows: Iterable[Row], wanted: str = "", last: Table | None = None) -> list[Table]:
    """The tables of a sheet, in their order; `wanted`: hands go `down` or `across`, if said.

    Rows before the first head go on with the table `last`, if there is one.
    """
    rows = [
        row if len(row.cells) <= MOST_CELLS else row._replace(cells=row.cells[:MOST_CELLS])
        for row in rows
    ]
    blocks = _blocks(rows)
    tables: list[Table] = []
    before: list[tuple[int, Cell]] = []
    if last is not None and blocks and not blocks[0][0]:
        page = Table(last.names, columns=last.columns, goes_on=True)
        _fill(page, last.columns, blocks.pop(0)[1])
        tables.append(page)
    parts = [part for block in blocks for part in _beside(*block)]
    for at, (heads, body) in enumerate(parts, 1):
        if not heads and not _has_table(body):
            before += [(0, _whole(row)) for row in body if not row.is_blank]
            continue
        coming = [] if at == len(parts) else _headings(body)
        found = _tables(heads, body[: len(body) - len(coming)], wanted)
        if not found:
            before += [(0, _whole(row)) for row in (*heads, *body) if not row.is_blank]
            continue
        found[0].notes[:0] = before
        before = [(0, _whole(row)) for row in coming]
        if tables and _follows(tables[-1], found[0]):
            _take_up(tables[-1], found.pop(0))
        elif not tables and last is not None:
            found[0].goes_on = _follows(last, found[0])
        tables += found
    if tables:
        tables[-1].notes += [(len(tables[-1].entries), cell) for _, cell in before]
    return tables


def _tables(heads: Sequence[Row], body: Sequence[Row], wanted: str) -> list[Table]:
    """The tables of some rows below heads; none if there is none in them."""
    tables = _long(heads, body)
    if not tables:
        across = wanted == "across" or (not wanted and _is_across(heads, body))
        table = _across(heads, body) if across else _down(heads, body)
        tables = [] if table is None else _games(table)
    return tables if all(map(_counts, tables)) else []


def _games(table: Table) -> list[Table]:
    """A table, cut where its rounds begin again below a heading or totals: there is another game."""
    numbers = [_number(entry) for entry in table.entries]
    headings = {at for at, _ in table.notes}
    begins = [0]
    for at in range(1, len(numbers)):
        if at in headings or table.entries[at - 1].sums is Sum.TOTAL:
            earlier = [number for number in numbers[begins[-1] : at] if number is not None]
            if earlier and numbers[at] == earlier[0] < earlier[-1]:
                begins.append(at)
    if len(begins) == 1:
        return [table]
    parts: list[Table] = []
    for begin, end in pairwise([*begins, len(numbers) + 1]):
        notes = [(max(0, at - begin), c) for at, c in table.notes if begin <= at < end]
        entries = table.entries[begin:end]
        parts.append(changed(table, entries=entries, notes=notes))
    return parts


def _number(entry: Entry) -> int | None:
    """The number of a hand as its row has it."""
    cell = entry.aside.get(Role.ROUND)
    return None if cell is None or entry.sums else round_number(cell.text)


def _headings(body: list[Row]) -> list[Row]:
    """The last rows of a table that head the next one: text behind a blank row."""
    at = len(body)
    while at and not body[at - 1].is_blank and len([c for c in body[at - 1].cells if c.text]) == 1:
        at -= 1
    return body[at:] if at and body[at - 1].is_blank else []


def _long(heads: Sequence[Row], body: Sequence[Row]) -> list[Table]:
    """The tables of rows that have a player of a hand each, `round, player, score`; none without.

    Of several columns that count, the last has the number of the hand; another game begins where one
    before it changes.
    """
    words = [plain(cell.text).lower() for cell in heads[-1].cells] if heads else []
    roles = [role_of(word) if word not in WORDS_OF_NAMES else None for word in words]
    labels = [at for at, role in enumerate(roles) if role in {Role.ROUND, Role.DATE}]
    who = [at for at, word in enumerate(words) if word in WORDS_OF_NAMES]
    points = [at for at, word in enumerate(words) if word in SCORE_WORDS and at not in labels]
    if not labels or len(who) != 1 or len(points) != 1:
        return []
    counting = [at for at in labels if roles[at] is Role.ROUND]
    columns = _LongColumns(labels, who[0], points[0], roles, words)
    games: dict[tuple[str, ...], list[Row]] = {}
    others: list[Row] = []
    for row in body:
        if len(row.cells) > max(*labels, who[0], points[0]) and row.cells[who[0]].text:
            key = tuple([row.cells[at].text for at in counting[:-1]])
            games.setdefault(key, []).append(row)
        elif not (row.is_blank or is_rule(row)):
            others.append(row)
    tables = [_long_table(rows, columns) for rows in games.values()]
    if not tables or None in tables:
        return []
    found = [table for table in tables if table is not None]
    found[-1].notes = [(len(found[-1].entries), _whole(row)) for row in others]
    return found


class _LongColumns(NamedTuple):
    """Where in a row for each player what stands: what names the hand, the player, the score."""

    labels: Sequence[int]
    who: int
    points: int
    roles: Sequence[Role | None]
    words: Sequence[str]


def _long_table(rows: Sequence[Row], columns: _LongColumns) -> Table | None:
    """The table of one game that has a row for each player of a hand."""
    table = Table({row.cells[columns.who].text: row.cells[columns.who] for row in rows})
    totals = [at for at, word in enumerate(columns.words) if word in TOTAL_WORDS]
    outs = [at for at, role in enumerate(columns.roles) if role is Role.OUT]
    by_label: dict[tuple[str, ...], Entry] = {}
    for row in rows:
        labels, name = [row.cells[at] for at in columns.labels], row.cells[columns.who].text
        key = tuple([label.text for label in labels])
        entry = by_label.get(key)
        if entry is None:
            place = Place(row.line, 1, len(row.text) + 1, row.text)
            aside = {
                Role.ROUND if round_number(label.text) is not None else Role.DATE: label
                for label in labels
            }
            empty = {name: Cell("", place) for name in table.names}
            entry = by_label[key] = Entry(place, empty, aside=aside, label=labels[-1].text)
        if entry.scores[name].text:
            return None
        entry.scores[name] = row.cells[columns.points]
        cells = dict(enumerate(row.cells))
        for at in totals:
            entry.standings[name] = cells.get(at, entry.scores[name])
        for at in outs:
            if at in cells and plain(cells[at].text).lower() in _YES:
                entry.aside[Role.OUT] = cells[at]._replace(text=name)
    table.entries = list(by_label.values())
    return table


def _beside(heads: list[Row], body: list[Row]) -> Iterator[tuple[list[Row], list[Row]]]:
    """Tables that stand side by side, each by itself; behind an empty column, the head begins anew."""
    cells = heads[-1].cells if heads else ()
    first = plain(cells[0].text).lower() if cells else ""
    begins = [
        at
        for at in range(3, len(cells))
        if first and plain(cells[at].text).lower() == first and not cells[at - 1].text
    ]
    if role_of(first) is not Role.ROUND or not begins:
        yield heads, body
        return
    for begin, end in pairwise([0, *begins, MOST_CELLS]):
        parts = [
            [row._replace(cells=row.cells[begin:end]) for row in rows] for rows in (heads, body)
        ]
        yield parts[0], [row for row in parts[1] if row.cells]


def _follows(last: Table, table: Table) -> bool:
    """Whether a table goes on with the hands of the last one."""
    ends, begins = _numbers(last), _numbers(table)
    return (
        list(last.names) == list(table.names)
        and bool(ends and begins)
        and begins[0] == ends[-1] + 1
    )


def _take_up(last: Table, table: Table) -> None:
    last.notes += [(at + len(last.entries), cell) for at, cell in table.notes]
    last.entries += table.entries


def _numbers(table: Table) -> list[int]:
    rounds = [entry.aside.get(Role.ROUND) for entry in table.entries if not entry.sums]
    return [number for cell in rounds if cell and (number := round_number(cell.text)) is not None]


def _counts(table: Table) -> bool:
    """Whether a table has at least two names and the score of a hand, or totals."""
    scored = sum(
        is_number(cell)
        for entry in table.entries
        for cell in (*entry.scores.values(), *entry.standings.values())
    )
    return len(table.names) >= 2 and scored >= 2


def _whole(row: Row) -> Cell:
    """A row as one cell of text."""
    text = " ".join(" ".join(cell.text for cell in row.cells if cell.text).split())
    full = row.text.rstrip()
    return Cell(text, Place(row.line, 1, len(full) + 1, full))


def _has_table(body: Sequence[Row]) -> bool:
    return any(_numeric(row) >= 2 for row in body)


def _numeric(row: Row) -> int:
    return sum(map(is_number, row.cells))


def _blocks(rows: Sequence[Row]) -> list[tuple[list[Row], list[Row]]]:
    """Heads, and the rows below each until the next one."""
    blocks: list[tuple[list[Row], list[Row]]] = [([], [])]
    for at, row in enumerate(rows):
        heads, body = blocks[-1]
        if is_head(row, rows, at + 1):
            if heads and not any(not is_rule(other) and not other.is_blank for other in body):
                heads.append(row)
            else:
                blocks.append(([row], []))
        else:
            body.append(row)
    return [block for block in blocks if any(block)]


def is_head(row: Row, rows: Sequence[Row], after: int) -> bool:
    """Whether a row has names over columns, or rounds beside names.

    What follows it are the rows from the number `after`.
    """
    cells = [cell for cell in row.cells if cell.text]
    if len(cells) < 2 or (_numeric(row) * 2 > len(cells) + 1 and cells[0].text[-1:].isdigit()):
        return len(cells) > 1 and _is_head_of_rounds(row)
    if {cell.text for cell in cells[1:]} == {"+", "-"}:
        return True
    if is_rule(row):
        return False
    label = summary_of(cells[0].text)
    if label and label is not Sum.TOTAL and (label is not Sum.SUBTOTAL or _numeric(row)):
        return False
    if _is_head_of_rounds(row):
        return True
    is_first = after < 2 or len([cell for cell in rows[after - 2].cells if cell.text]) < 2
    if is_first and _counts_beside_names(row, rows[after : after + _LOOKED_AT]):
        return True
    following = (rows[at] for at in range(after, len(rows)))
    below = next((row for row in following if not row.is_blank and not is_rule(row)), None)
    if _is_head_of_one(row) and below is not None and any(map(is_number, below.cells)):
        return True
    names = [cell for cell in cells if is_name(cell)]
    if len(names) < 2 or _numeric(row) or label is Sum.WINNER:
        return False
    if all(role_of(cell.text) or summary_of(cell.text) for cell in names) and len(names) < 3:
        return False
    if below is None:
        return False
    return _numeric(below) > 0 or _may_be_head(below) or len(below.cells) == len(row.cells)


def _is_head_of_one(row: Row) -> bool:
    """Whether a row stands above names and one figure for each: `Player, Score`."""
    first, *rest = [plain(cell.text).lower() for cell in row.cells if cell.text]
    return first in WORDS_OF_NAMES and all(
        word in SCORE_WORDS | TOTAL_WORDS or summary_of(word) for word in rest
    )


def _may_be_head(row: Row) -> bool:
    words = [plain(cell.text).lower() for cell in row.cells if cell.text]
    return bool(words) and all(
        word in SCORE_WORDS | TOTAL_WORDS | {"+", "-"} or role_of(word) for word in words
    )


def _is_head_of_rounds(row: Row) -> bool:
    """Whether a row names rounds one after another: they stand above the hands of a person."""
    first = row.cells[0].text
    if is_number(row.cells[0]) or (first and day(first)):
        return False
    rest = [cell for cell in row.cells[1:] if cell.text]
    labels = [cell for cell in rest if not summary_of(cell.text) and not role_of(cell.text)]
    if not labels:
        return False
    numbers = [round_number(cell.text) for cell in labels]
    if all(number is not None for number in numbers):
        known = [number for number in numbers if number is not None]
        words = any(not cell.text.isdigit() for cell in labels)
        ascending = known == list(range(known[0], known[0] + len(known)))
        said = not first or role_of(first) is not None or words
        return ascending and known[0] in {0, 1} and said and (len(known) > 1 or words)
    return len(labels) > 1 and all(day(cell.text) for cell in labels)


def _counts_beside_names(row: Row, below: Sequence[Row]) -> bool:
    """Whether a row is 1, 2, 3 and so on beside a word, above figures that stand beside names.

    So it heads the hands, whatever its word is, `Pair` or `Joueur`. The scores of somebody may be 1 and 2.
    """
    word, *rest = row.cells
    counted = list(takewhile(lambda cell: cell.text.isdecimal(), rest))
    others = [cell for cell in rest[len(counted) :] if cell.text]
    if not is_name(word) or not all(summary_of(cell.text) for cell in others):
        return False
    if [cell.text for cell in counted] != [str(at) for at in range(1, len(counted) + 1)]:
        return False
    figures = list(takewhile(lambda other: not other.is_blank, filterfalse(is_rule, below)))[:2]
    beside_names = all(is_name(other.cells[0]) and _numeric(other) for other in figures)
    is_counted = len(counted) > 2 or (counted and others)
    return bool(is_counted) and len(figures) > 1 and beside_names


def _is_across(heads: Sequence[Row], body: Sequence[Row]) -> bool:
    """Whether the names stand in the first column, and the hands of each beside them."""
    if any(_is_head_of_rounds(row) or _counts_beside_names(row, body) for row in heads):
        return True
    if heads and not (_is_head_of_one(heads[-1]) or _numbered_alike(heads[-1])):
        return False
    firsts = [row.cells[0] for row in body if _numeric(row)]
    named = [cell for cell in firsts if is_name(cell) and not summary_of(cell.text)]
    if heads:
        return 0 < len(named) == len(firsts)
    return len(named) >= 2 and len(named) >= len(firsts) - 1


def _numbered_alike(head: Row) -> Row | None:
    """A row of heads, `Mano 1`, `Mano 2` and so on, with the numbers alone; None if it is none.

    The first cell is another, and so may the last be. Players may be numbered, too.
    """
    found = [_NUMBERED_HEAD.fullmatch(plain(cell.text)) for cell in head.cells[1:]]
    while found and found[-1] is None:
        found.pop()
    words = {match["word"].lower() for match in found if match}
    if None in found or len(words) != 1 or words <= WORDS_OF_NAMES | {"p", "team"}:
        return None
    numbers = [match["number"] for match in found if match]
    if len(head.cells) > len(found) + 3 or not are_counted(numbers) or len(numbers) < 2:
        return None
    told = [cell._replace(text=text) for cell, text in zip(head.cells[1:], numbers, strict=False)]
    return head._replace(cells=(head.cells[0], *told, *head.cells[len(told) + 1 :]))


def _across(heads: Sequence[Row], body: Sequence[Row]) -> Table | None:
    """A table with names in the first column: it is turned, and read as any other."""
    heads = [(_numbered_alike(head) or head) for head in heads[-1:]]
    rows = [*heads, *[row for row in body if not row.is_blank and not is_rule(row)]]
    notes = [_whole(row) for row in rows if len([c for c in row.cells if c.text]) < 2]
    rows = [row for row in rows if len([c for c in row.cells if c.text]) >= 2]
    if not rows:
        return None
    width = max(len(row.cells) for row in rows)
    empty = Place(rows[0].line, 1, 1, rows[0].text)
    if not heads:
        labels = [Cell("", empty), *[Cell(str(number), empty) for number in range(1, width)]]
        rows = [Row(tuple(labels), rows[0].line, rows[0].text), *rows]
    turned: list[Row] = []
    for at in range(width):
        cells = [
            row.cells[at] if at < len(row.cells) else Cell("", Place(row.line, 1, 1, row.text))
            for row in rows
        ]
        turned.append(Row(tuple(cells), cells[0].place.line, cells[0].place.excerpt))
    table = _down(turned[:1], turned[1:])
    if table is not None:
        table.columns = ()
        table.notes += [(len(table.entries), cell) for cell in notes]
    return table


def _columns(heads: Sequence[Row], body: Sequence[Row]) -> list[Column]:
    """What each column holds, by its head and by what stands below."""
    head, below = heads[0], heads[1] if len(heads) > 1 else None
    width = max(len(row.cells) for row in (head, *body, *heads))
    empty = Cell("", Place(head.line, 1, 1, head.text))
    cells = [head.cells[at] if at < len(head.cells) else empty for at in range(width)]
    columns: list[Column] = []
    owner, of_owner = "", 0
    names = {plain(cell.text).lower() for cell in cells}
    for at, cell in enumerate(cells):
        under = "" if below is None or at >= len(below.cells) else plain(below.cells[at].text)
        values = [row.cells[at] for row in body if at < len(row.cells) and row.cells[at].text]
        column = _column(cell, under.lower(), values, owner, names, at)
        if column.role is Role.REMARK and _numbers_hands(cell, values, columns):
            column = Column(Role.ROUND, cell)
        if column.role is Role.PLAYER:
            owner, of_owner = column.name, at
        if column.role is Role.STANDING and not (cell.text or under):
            follows = _adds_up(body, of_owner, at)
            column = column if follows else Column(Role.REMARK, cell)
        columns.append(column)
    return _without_sums(columns)


def _adds_up(body: Sequence[Row], scores: int, totals: int) -> bool:
    """Whether most numbers of a column grow by what stands in another, so that they are its totals."""
    before = matches = numbers = 0
    for row in body:
        if len(row.cells) <= totals or summary_of(row.cells[0].text):
            continue
        total = amount(row.cells[totals]).score
        if total is not None:
            numbers += 1
            matches += total - before == (amount(row.cells[scores]).score or 0)
            before = total
    return 2 * matches >= numbers


def _numbers_hands(head: Cell, values: Sequence[Cell], before: Sequence[Column]) -> bool:
    """Whether a column that is not the first one has the numbers of hands, since no other does."""
    if role_of(head.text) is not Role.ROUND or any(column.role is Role.ROUND for column in before):
        return False
    numbers = [round_number(cell.text) for cell in values if not summary_of(cell.text)]
    known = [number for number in numbers if number is not None]
    return len(known) == len(numbers) > 0 and known == sorted(set(known))


def _count_hands(values: Sequence[Cell]) -> bool:
    """Whether cells are 1, 2, 3 and so on, or from 0, but for words below."""
    texts = [without_annulment(cell.text) or cell.text for cell in values]
    while texts and not texts[-1][-1:].isdigit():
        texts.pop()
    numbers = [round_number(text) for text in texts]
    return len(numbers) > 1 and numbers in (
        list(range(len(numbers))),
        list(range(1, len(numbers) + 1)),
    )


def _column(
    head: Cell, under: str, values: Sequence[Cell], owner: str, names: set[str], at: int
) -> Column:
    text = plain(head.text).lstrip("'")
    if under == "-" and owner and not text:
        return Column(Role.MINUS, head, owner)
    if under in TOTAL_WORDS and (owner or text):
        return Column(Role.STANDING, head, text or owner)
    role = role_of(text)
    if len(text) == 1 and text.isalpha() and not are_counted([cell.text for cell in values]):
        role = None
    if role is Role.DATE and any(map(is_number, values)) and not any(day(c.text) for c in values):
        role = None
    if at == 0 and _count_hands(values):
        role = Role.ROUND
    if role is not None and (at == 0 or role is not Role.ROUND):
        return Column(role, head)
    if day(text):
        return Column(_role_by_values(values, at), head)
    numbers = sum(map(is_number, values))
    if not text:
        if at == 0 or not numbers:
            return Column(_role_by_values(values, at), head)
        return Column(Role.STANDING, head, owner) if owner else Column(Role.LABEL, head)
    if summary_of(text) in {Sum.TOTAL, Sum.SUBTOTAL} or text.lower() in TOTAL_WORDS:
        return Column(Role.STANDING, head, owner)
    if (summary_of(text) and text.lower() not in _NAMES_TOO) or role is Role.ROUND:
        return Column(Role.REMARK, head)
    match = _STANDING.fullmatch(text)
    if match and (match["before"] or match["after"]):
        whose = match["name"].strip()
        if whose.lower() in names or whose.lower() == owner.lower():
            return Column(Role.STANDING, head, _as_named(whose, owner))
    match = re.fullmatch(r"(.*?)[\s:_(\[-]*(?:score|points|pts|hand)[\s)\]]*", text, re.IGNORECASE)
    if (
        match
        and match[1]
        and any(name.startswith(match[1].lower()) for name in names - {text.lower()})
    ):
        text = match[1].strip()
    if match := _IN_POINTS.fullmatch(text):
        text = match["name"]
    if at == 0 and not numbers and any(len(cell.text) > 1 for cell in values):
        letters = sum(any(map(str.isalpha, cell.text)) for cell in values)
        if letters * 2 > len(values):
            return Column(Role.LABEL, head)
    if values and not numbers and any(map(_is_word, values)):
        return Column(Role.REMARK, head)
    words = sum(len(cell.text) > 3 and not _may_be_score(cell) for cell in values)
    if values and words > len(values) / 2 and numbers <= 1:
        return Column(Role.REMARK, head)
    return Column(Role.PLAYER, head, text)


def _may_be_score(cell: Cell) -> bool:
    """Whether a cell has a score, a word for one, or a faulty formula."""
    kind = amount(cell).kind
    return kind == "score" or (kind == "unread" and not any(map(str.isdigit, cell.text)))


def _is_word(cell: Cell) -> bool:
    """Whether a cell has words or a time, where a score or a sign for none might stand."""
    found = amount(cell)
    return (found.kind == "absent" and bool(found.note)) or is_clock(cell.text)


def _as_named(whose: str, owner: str) -> str:
    return owner if whose.lower() == owner.lower() else whose


def _role_by_values(values: Sequence[Cell], at: int) -> Role:
    if at == 0 and values:
        dates = sum(day(cell.text) is not None for cell in values)
        rounds = sum(round_number(cell.text) is not None for cell in values)
        if dates > rounds:
            return Role.DATE
        if rounds:
            return Role.ROUND
    return Role.LABEL if at == 0 else Role.REMARK


def _without_sums(columns: list[Column]) -> list[Column]:
    """A single column of sums behind all names is about the hand, not about the last of them."""
    standings = [column for column in columns if column.role is Role.STANDING]
    players = [column for column in columns if column.role is Role.PLAYER]
    if len(standings) == 1 and len(players) > 1 and not _names_one(standings[0], players):
        return [
            Column(Role.REMARK, column.head) if column is standings[0] else column
            for column in columns
        ]
    return columns


def _names_one(standing: Column, players: Sequence[Column]) -> bool:
    text = plain(standing.head.text).lower()
    return any(player.name.lower() in text for player in players)


def _down(heads: Sequence[Row], body: Sequence[Row]) -> Table | None:
    """A table with a column for each player."""
    unnamed = not heads
    if unnamed:
        widest = max((row for row in body), key=_numeric)
        letters = [Cell(f"P{at + 1}", cell.place) for at, cell in enumerate(widest.cells)]
        heads = [Row(tuple(letters), widest.line, widest.text)]
    elif len(heads) > 1 and not _may_be_head(heads[-1]):
        heads = heads[-1:]
    columns = _columns(heads, body)
    names: dict[str, Cell] = {}
    for at, column in enumerate(columns):
        if column.role is Role.PLAYER:
            name = _new_name(column.name, names)
            names[name] = column.head
            columns[at] = Column(Role.PLAYER, column.head, name)
    if len(names) < 2:
        return None
    columns = [_with_owner(column, names) for column in columns]
    table = Table(names, unnamed=unnamed, columns=columns)
    first = columns[0].head.text if columns else ""
    table.says_running = summary_of(first) is Sum.SUBTOTAL or any(
        re.search(r"running total|cumulative", row.text, re.IGNORECASE) for row in heads
    )
    table.notes = [(0, column.head) for column in columns if day(column.head.text)]
    table.says_dates = any(column.role is Role.DATE and column.head.text for column in columns)
    _fill(table, columns, body)
    _part_with_no_players(table)
    return table


def _part_with_no_players(table: Table) -> None:
    """Columns with numbers for hands, and no total where all others have one, are no players'."""
    totals = [entry for entry in table.entries if entry.sums is Sum.TOTAL]
    hands = [entry for entry in table.entries if entry.sums is None]
    with_total = {name for entry in totals for name, cell in entry.scores.items() if cell.text}
    with_score = {n for entry in hands for n, cell in entry.scores.items() if is_number(cell)}
    for name in with_score - with_total if len(with_total) > 1 else ():
        table.no_players.append(table.names.pop(name))
        for entry in table.entries:
            cell = entry.scores.pop(name)
            entry.remarks += [cell] if cell.text else []
        kept = [column for column in table.columns if column.name != name]
        table.columns = [
            column if column in kept else Column(Role.REMARK, column.head)
            for column in table.columns
        ]


def _with_owner(column: Column, names: Iterable[str]) -> Column:
    """A column of standings with the name of its player; one of nobody's is a remark."""
    if column.role is not Role.STANDING or column.name in names:
        return column
    whose = next((name for name in names if name.lower() == column.name.lower()), None)
    return Column(Role.REMARK if whose is None else Role.STANDING, column.head, whose or "")


def _new_name(name: str, names: Iterable[str]) -> str:
    """A name, with a number where somebody else has it."""
    taken = {other.lower() for other in names}
    if name.lower() not in taken:
        return name
    number = 2
    while f"{name} {number}".lower() in taken:
        number += 1
    return f"{name} {number}"


def _fill(table: Table, columns: Sequence[Column], body: Sequence[Row]) -> None:
    """Puts the rows below a head into a table."""
    after_rule = False
    for row in body:
        if row.is_blank:
            continue
        if is_rule(row):
            after_rule = bool(table.entries)
            continue
        entry = _entry(row, columns)
        if entry is None:
            table.notes.append((len(table.entries), _whole(row)))
            continue
        if after_rule and entry.sums is None and not entry.label:
            entry.sums = Sum.TOTAL
        after_rule = False
        table.entries.append(entry)
        if entry.sums is None and not is_in_brackets(entry.label):
            table.labels_in_brackets = False
        _note_unheaded(table, row, columns)


def is_in_brackets(label: str) -> bool:
    """Whether brackets stand around a label."""
    return label[:1] in {"(", "["} and label[-1:] in {")", "]"}


def _note_unheaded(table: Table, row: Row, columns: Sequence[Column]) -> None:
    """Keeps the first numbers that stand in columns which are nobody's, and have no head."""
    for at, cell in enumerate(row.cells):
        column = columns[at] if at < len(columns) else None
        is_headed = column is not None and (column.role is not Role.REMARK or column.head.text)
        if not is_headed and is_number(cell):
            table.unheaded.setdefault(at, cell)


def _less(plus: Cell | None, minus: Cell) -> Cell:
    """A score of which what is added and what is taken off stand side by side."""
    added = Amount("blank") if plus is None else amount(plus)
    taken = amount(minus).score
    if taken is None or added.kind not in {"blank", "score", "absent"}:
        return minus._replace(text=f"{'' if plus is None else plus.text} - {minus.text}")
    return minus._replace(text=str((added.score or 0) - abs(taken)))


def _entry(row: Row, columns: Sequence[Column]) -> Entry | None:
    """A row as an entry; None if it is only text."""
    filled = [cell for cell in row.cells if cell.text]
    entry = Entry(Place(row.line, 1, len(row.text) + 1, row.text), {})
    for cell, column in zip(row.cells, columns, strict=False):
        if column.role is Role.PLAYER:
            entry.scores[column.name] = cell
        elif column.role is Role.STANDING:
            entry.standings[column.name] = cell
        elif column.role is Role.MINUS and cell.text:
            plus = entry.scores.get(column.name)
            entry.remarks += [plus, cell] if plus is not None and plus.text else []
            entry.scores[column.name] = _less(plus, cell)
        elif column.role in {Role.LABEL, Role.ROUND, Role.DATE} and cell.text:
            if column.role in entry.aside or (column.role is Role.LABEL and entry.label):
                entry.remarks.append(cell)
                continue
            if not entry.label or column.role is not Role.DATE:
                entry.label = cell.text
            entry.aside[column.role] = cell
        elif column.role is Role.REMARK and cell.text:
            entry.remarks.append(cell)
        elif cell.text:
            entry.aside[column.role] = cell
    entry.remarks += [cell for cell in row.cells[len(columns) :] if cell.text]
    for column in columns:
        if column.role is Role.PLAYER:
            entry.scores.setdefault(column.name, Cell("", entry.place))
    kinds = [amount(cell).kind for cell in entry.scores.values()]
    values = kinds.count("score") + kinds.count("unread")
    entry.sums = summary_of(entry.label)
    if values and all(cell.text[:1] == "=" for cell in entry.scores.values() if cell.text):
        entry.sums = Sum.TOTAL
    if entry.sums is Sum.WINNER:
        return entry
    beside = any(is_number(cell) for cell in entry.standings.values())
    if len(filled) == 1 and day(filled[0].text) and not entry.aside:
        return None
    if len(filled) == 1 and not values and not beside:
        text = plain(filled[0].text)
        if round_number(text) is None or _OF_A_GAME.match(text):
            return None
    if not values and not beside:
        marks = kinds.count("absent")
        words = [c for c in entry.scores.values() if c.text and amount(c).note]
        if words or (not marks and entry.label and round_number(entry.label) is None):
            return None
    return entry
