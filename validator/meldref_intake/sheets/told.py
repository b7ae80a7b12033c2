"""From lines that tell hands, `Hand 1: Ann 20, Bob 45`, to rows of cells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from meldref_intake.sheets.cells import Cell, Row, cell_at, day, plain, round_number
from meldref_intake.source import Place

_TOTALS: Final = "totals?|final|sum|standings?|end|gesamt|summe|endstand|ergebnis"
_HANDS: Final = r"(?:hand|round|deal|game|runde|spiel)\s\d{1,3}"
_BESIDE: Final = r"(?:\s*[,(\[]\s*(?P<beside>[^()\[\]\d:=;,]+?)\s*[)\]]?)?"
"""What is said of a hand beside its label: `, Bob out`, `(Ann dealt)`."""
_LABELLED: Final = (
    re.compile(
        r"\s*(?:[-*•]\s+)?(?P<label>[^:=,;(\[]*?\d[^:=,;(\[]*?|[^\W\d_][^:=,;(\[\d]*?)"
        rf"{_BESIDE}\s*(?P<sign>:|[\u2013\u2014]|(?<=\s)-)\s+(?P<rest>\S.*)"
    ),
    re.compile(r"\s*(?P<label>(?:[^\W\d_]+\s)?\d{1,3})[.)]\s+(?P<rest>\S.*)"),
    re.compile(rf"\s*(?P<label>{_TOTALS}|{_HANDS})\s+(?P<rest>[^\W\d_].*)", re.IGNORECASE),
)
"""Lines with a label before the scores: behind it is a sign, a point, or nothing."""
_HEADING: Final = re.compile(rf"[\s#*]*(?P<label>[^:=,;(\[]*[^\s:=,;(\[#*]){_BESIDE}[\s:#*]*")
"""A label on a line of its own, above those of the players."""
_MAY_BE_A_SCORE: Final = re.compile(r"[^\W\d_]\s*\d+")
"""A round by its initial, `R 20`, or a player by it."""
_OUT: Final = r"(?:(?:went|goes|gone|is|was)\s+)?out"
_WENT_OUT: Final = re.compile(rf"(?P<who>\S.*?)\s+{_OUT}", re.IGNORECASE)
_DEALT: Final = re.compile(
    r"(?P<before>\S.*?)\s+(?:dealt|deals|dealing|dealer)|(?:dealt by|dealer)\s+(?P<after>\S.*)",
    re.IGNORECASE,
)
_AWAY: Final = (
    r"abs(?:ent)?\.?|s[ai]t(?:s|ting)? out|(?:did|does)(?: not|n['\u2019]t) play|not (?:played|there|in)"
    r"|away|missed|skipped|passed|fehlt\w*|ausgesetzt|setzte? aus|nicht (?:da|dabei)"
)
"""What is told of somebody who did not play a hand."""
_ENTRY: Final = re.compile(
    r"\s*(?:and\s+|und\s+|&\s*)?(?P<name>[^\W\d_][^,;:=\d()+\u2212]*?)\s*(?:[:=]\s*|\s)"
    r"(?P<score>[-+\u2212\u2013(]?\s?\d[\d.,' ]*?\)?(?:(?<! )-)?(?:\s*\(\s*-?\d[\d.]*\s*\))?"
    rf"|[-\u2013\u2014]{{1,2}}|[x?]|{_AWAY})\s*"
    rf"(?:points?|pts?\.?)?\s*(?P<out>\(?\b{_OUT}\b\)?)?\s*"
    r"(?:$|[;]|,(?!\d{3}\b)|(?<=\s)[-\u2013\u2014](?=\s+[^\W\d_])|(?=\s(?:and|und|&)\s)"
    r"|(?<=\s)(?=[^\W\d_])|(?=\([^()\d]*\)$))",
    re.IGNORECASE,
)
_LAST: Final = re.compile(
    rf"\s*\(?(?P<said>(?<=\()[^()\d]+(?=\))|[^\W\d_][^\d,;:=()]*\s{_OUT})\)?", re.IGNORECASE
)
"""What may be said behind the scores of a hand: who went out, or anything in brackets."""
_MOST_WORDS: Final = 4
"""The most words of a name in a line that tells a hand."""
_CHAT: Final = re.compile(
    r"\[\d[^\]]*\d\]\s*[^:\[\]]{1,40}:\s+|\d[\d./]+,\s\d?\d:\d\d(?::\d\d)?\s[-\u2013]\s[^:]{1,40}:\s+"
)
"""What a messenger puts before a line: when it was said, and by whom."""
_COLUMNS: Final = ("Out", "Dealer", "Notes")
"""The heads of the columns that hold what else is told of hands."""


class _Told(NamedTuple):
    """A hand that is told: its label, the score of each player, and what else is said, by its column."""

    label: Cell
    scores: dict[str, Cell]
    beside: dict[str, Cell]

    @property
    def line(self) -> int:
        """The number of its first line."""
        return self.label.place.line

    def add(self, entry: re.Match[str], number: int) -> bool:
        """Adds the score of a player, who may have gone out; whether there was none before."""
        name = entry["name"].strip()
        is_new = name not in self.scores
        if is_new:
            self.scores[name] = _part(entry, "score", number)
        if is_new and entry["out"]:
            self.beside["Out"] = _part(entry, "name", number)
        return is_new

    def note(self, cell: Cell) -> None:
        """Adds what else is said: who went out, who dealt, or a remark."""
        if found := _WENT_OUT.fullmatch(cell.text):
            self.beside["Out"] = cell._replace(text=found["who"])
        elif found := _DEALT.fullmatch(cell.text):
            self.beside["Dealer"] = cell._replace(text=found["before"] or found["after"])
        else:
            before = self.beside.get("Notes")
            text = cell.text if before is None else f"{before.text}, {cell.text}"
            self.beside["Notes"] = cell._replace(text=text)


def is_chat(text: str) -> bool:
    """Whether a text begins as a messenger's does."""
    return _CHAT.match(text.lstrip()) is not None


def rows_told(lines: Sequence[str]) -> list[Row]:
    """Rows of lines that tell hands; none where the file has no such."""
    hands: list[_Told] = []
    heading: _Told | None = None
    read: set[int] = set()
    others = 0
    for number, line in enumerate(lines, 1):
        if (found := _heading(line, number)) is not None:
            heading = found
        elif heading is not None and _adds(heading, line, number):
            read.add(number)
            if heading not in hands[-1:]:
                hands.append(heading)
        elif (told := _told_line(line, number)) is not None:
            hands.append(told)
        else:
            others += sum(map(str.isdigit, line)) > 1
    names = list(dict.fromkeys(name for told in hands for name in told.scores))
    if len(names) < 2 or others > len(hands):
        return []
    return list(_rows(lines, {told.line: told for told in hands}, names, read))


def _rows(
    lines: Sequence[str], hands: dict[int, _Told], names: Sequence[str], read: set[int]
) -> Iterator[Row]:
    """The rows of a file: a head, hands, and what stands between them; `read` are lines of hands."""
    beside = [head for head in _COLUMNS if any(head in told.beside for told in hands.values())]
    first = min(hands)
    for number, line in enumerate(lines, 1):
        here, begin = Place(number, 1, 1, line), _after_chat(line)
        empty = Cell("", here)
        if begin and number in hands:
            yield Row((cell_at(line[:begin], line, number, 0),), number, line[:begin])
        if number == first:
            yield Row((empty, *[Cell(head, here) for head in (*names, *beside)]), number, "")
        if number in hands:
            told = hands[number]
            scores = [told.scores.get(name, empty) for name in names]
            others = [told.beside.get(head, empty) for head in beside]
            yield Row((told.label, *scores, *others), number, line[begin:])
        elif number not in read:
            yield Row((cell_at(line, line, number, 0),), number, line)


def _part(found: re.Match[str], part: str, number: int) -> Cell:
    """What a part of a pattern found in a line, as a cell."""
    return cell_at(found[part], found.string, number, found.start(part))


def _after_chat(line: str) -> int:
    """Where a line begins behind what a messenger puts before it."""
    said = _CHAT.match(line)
    return 0 if said is None else said.end()


def _labels(text: str) -> bool:
    """Whether a text is the number of a hand, a date, or a word for totals."""
    label = plain(text)
    is_total = re.fullmatch(_TOTALS, label, re.IGNORECASE) is not None
    return is_total or round_number(label) is not None or day(label) is not None


def _labelled(found: re.Match[str], number: int) -> _Told:
    """A hand of which only the label is read so far, and what stands beside that."""
    label = _part(found, "label", number)
    told = _Told(label._replace(text=plain(label.text)), {}, {})
    if "beside" in found.re.groupindex and found["beside"]:
        told.note(_part(found, "beside", number))
    return told


def _heading(line: str, number: int) -> _Told | None:
    """A hand, or totals, by a line of its own; None where it is none."""
    found = _HEADING.fullmatch(line)
    if found is None or day(found["label"]) is not None or not _labels(found["label"]):
        return None
    return _labelled(found, number) if any(map(str.isalpha, found["label"])) else None


def _adds(told: _Told, line: str, number: int) -> bool:
    """Adds a name and its score on a line of their own; whether it is such a line."""
    entry = _ENTRY.fullmatch(line)
    return entry is not None and told.add(entry, number)


def _told_line(line: str, number: int) -> _Told | None:
    """A hand, or totals, told in one line; None where it is none."""
    begin, end = _after_chat(line), len(line.rstrip(" .;,"))
    told, at = _Told(Cell("", Place(number, begin + 1, begin + 1, line)), {}, {}), begin
    for pattern in _LABELLED:
        found = pattern.fullmatch(line, begin)
        if found is not None and _is_label(found):
            told, at = _labelled(found, number), found.start("rest")
            break
    rest = line[at:end].strip()
    if line.lstrip().startswith("#") or not rest or day(rest) is not None:
        return None
    while at < end:
        entry = _ENTRY.match(line, at, end)
        if entry is None or len(entry["name"].split()) > _MOST_WORDS:
            last = _LAST.fullmatch(line, at, end)
            if last is None:
                return None
            told.note(_part(last, "said", number))
            break
        if not told.add(entry, number):
            return None
        at = entry.end()
    return told if len(told.scores) >= (1 if told.label.text else 2) else None


def _is_label(found: re.Match[str]) -> bool:
    """Whether what stands before the scores is a label, and not the first of them."""
    is_clear = "sign" not in found.re.groupindex or found["sign"] == ":"
    label = found["label"]
    return _labels(label) and (is_clear or _MAY_BE_A_SCORE.fullmatch(label) is None)
