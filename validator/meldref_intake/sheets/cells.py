"""What stands in a cell: a score, a hand that was not played, a round, a date, a name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from meldref.core.records import NamedTuple
from meldref_intake.source import Place

MOST_CELLS: Final = 200
"""The most cells of a row that are looked at."""
Kind: TypeAlias = Literal["blank", "score", "absent", "unread"]


class Cell(NamedTuple):
    """A cell: what is written there without blanks around it, and where."""

    text: str
    place: Place


def cell_at(text: str, line: str, number: int, at: int) -> Cell:
    """A cell whose text begins at an offset of the line of a number."""
    stripped = text.strip()
    begin = at + 1 if stripped == text else at + 1 + len(text) - len(text.lstrip())
    return Cell(stripped, Place(number, begin, begin + len(stripped), line))


class Row(NamedTuple):
    """A row of a sheet: its cells, and the number and text of its line."""

    cells: tuple[Cell, ...]
    line: int
    text: str

    @property
    def is_blank(self) -> bool:
        """Whether nothing stands in it."""
        return not any(cell.text for cell in self.cells)


class Amount(NamedTuple):
    """What a cell says of a score: the hand's, the standing after it, or that there was none.

    `note` is what is worth telling though it was read; `doubt` what is not certain.
    """

    kind: Kind
    score: int | None = None
    standing: int | None = None
    note: str = ""
    doubt: str = ""


class Day(NamedTuple):
    """A date: as in `2026-11-20`, empty where the year, or which part is the day, is not told."""

    iso: str
    may_be_round: bool = False


_MINUS: Final = {
    ord(sign): "-" for sign in "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"
}
_BLANKS: Final = {ord(sign): " " for sign in "\u00a0\u2007\u2009\u202f\u3000\t"}
_PLAIN: Final = r"(?:\d{1,3}(?:[.,'’ ]\d{3})+|\d{1,9})(?:[.,]0{1,2})?"
_SIGNED: Final = rf"[+-]?\s?{_PLAIN}|\({_PLAIN}\)|\(-\s?{_PLAIN}\)|{_PLAIN}\s?-"
_UNIT: Final = r"(?:\s?(?:points?|pts?|pkt|punkte|p)\.?)?"
_MARK: Final = r"(?:[*!^†•✓✔★¹²³]|\[\^\w{1,9}\])*"
_NUMBER: Final = re.compile(rf"(?:=\s?)?{_MARK}\s?({_SIGNED}){_UNIT}\s?({_MARK})", re.IGNORECASE)
_PAIR: Final = re.compile(
    rf"([+-]?\s?{_PLAIN})\s*(?:\(\s*([+-]?{_PLAIN})\s*\)|\[\s*([+-]?{_PLAIN})\s*\]"
    rf"|(?:/|\||=|->|→|=>|:)\s*([+-]?{_PLAIN}))"
)
_ADDED: Final = re.compile(r"=?\s?\d{1,6}(?:\s?\+\s?\d{1,6})+|=\s?-?\d{1,6}(?:\s?[+-]\s?\d{1,6})+")
"""A sum that is not worked out."""
_CLOCK: Final = re.compile(
    r"(?:[01]?\d|2[0-3])[:.h][0-5]\d(?::[0-5]\d)?(?:\s?(?:[ap]\.?m\.?|uhr|h))?", re.IGNORECASE
)
_ABSENT: Final = re.compile(r"[-–—]{1,2}|[xX✗×./\\]|n\.?/?a\.?", re.IGNORECASE)
_NOUGHTS: Final = re.compile(r"zero|null|nil|game", re.IGNORECASE)
"""Words for no points; `Game` is what programs write of who has won."""
_PENALTIES: Final = re.compile(r"(?:middle |full )?(?:drop|count)|penalty|strafe", re.IGNORECASE)
"""Words for points that stand elsewhere."""
_FAULT: Final = re.compile(r"#[A-ZÄÖÜ]+(?:/[A-Z0])?[!?]?|Err:\d+|[\"\u2033\u3003]|''|(?i:ditt?o)")
_RULE: Final = re.compile(r"[-=_—─+:| ]{3,}|-{2,}|={1,}|_{2,}")
_ROUND: Final = re.compile(
    r"(?:after\s+)?(?:#|n[or]\.?|rounds?|rnd|rd|hands?|deals?|games?|runde|spiel|blatt|[rhdg])?[\s.:#]*"
    r"(\d{1,6})(?:st|nd|rd|th)?(?:\s*(?:of|von)\s*\d+)?[.):]?(?:\s*(?:round|hand|deal|runde))?",
    re.IGNORECASE,
)
_OF: Final = re.compile(
    r"(?:round|hand|deal|runde|[rh])?\s*(\d{1,3})\s*/\s*(\d{1,3})", re.IGNORECASE
)
_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        [
            "jan",
            "feb",
            "mar|mär|mrz",
            "apr",
            "may|mai",
            "jun",
            "jul",
            "aug",
            "sep",
            "oct|okt",
            "nov",
            "dec|dez",
        ],
        1,
    )
    for name in names.split("|")
}
_WEEKDAY: Final = r"(?:(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so)\w*\.?,?\s+)?"
_ISO: Final = re.compile(
    rf"{_WEEKDAY}(\d{{4}})[-/.](\d{{1,2}})[-/.](\d{{1,2}})(?:[ T]\d.*)?", re.IGNORECASE
)
_PARTS: Final = re.compile(
    rf"{_WEEKDAY}(\d{{1,2}})([./-])(\d{{1,2}})(?:\2(\d{{2}}|\d{{4}})?)?", re.IGNORECASE
)
_DAY_MONTH: Final = re.compile(
    rf"{_WEEKDAY}(\d{{1,2}})(?:st|nd|rd|th|\.)?\s+([a-zä]{{3,9}})\.?,?(?:\s+(\d{{4}}))?",
    re.IGNORECASE,
)
_MONTH_DAY: Final = re.compile(
    rf"{_WEEKDAY}([a-zä]{{3,9}})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?,?(?:\s+(\d{{4}}))?", re.IGNORECASE
)


def plain(text: str) -> str:
    """A text with plain minus signs and blanks, and none around it."""
    if text.isascii():
        return text.strip()
    return text.translate(_MINUS).translate(_BLANKS).strip()


def number(text: str) -> int | None:
    """A whole number as people write it: `+5`, `(5)`, `5-`, `1.250`, `45.0`; else None."""
    match = _NUMBER.fullmatch(plain(text))
    return None if match is None else _whole(match[1])


def _whole(text: str) -> int:
    """The number of a text that is one."""
    negative = text[0] in "(-" or text[-1] == "-"
    text = re.sub(r"[.,]0{1,2}$", "", text.strip("()-+ "))
    digits = re.sub(r"\D", "", text)
    return -int(digits) if negative else int(digits)


def amount(cell: Cell) -> Amount:
    """What a cell in a column of scores says."""
    return _amount(cell.text)


@lru_cache(maxsize=1 << 14)
def _amount(written: str) -> Amount:
    text = plain(written)
    if text.startswith("'"):  # how programs keep spreadsheets from counting
        text = text[1:].strip()
    if not text:
        return Amount("blank")
    if match := _NUMBER.fullmatch(text):
        score = _whole(match[1])
        if abs(score) >= 1_000_000_000:
            return Amount("unread", doubt=f"`{written}` is larger than any score")
        return Amount("score", score, note=f"the mark in `{written}`" if match[2] else "")
    if _ADDED.fullmatch(text):
        added = sum(map(int, re.findall(r"-?\d+", text.replace(" ", ""))))
        return Amount("score", added, note=f"`{written}` is read as {added}")
    if is_clock(text):
        return Amount("unread", doubt=f"`{written}` cannot be read as a score")
    if match := _PAIR.fullmatch(text):
        standing = next(part for part in match.groups()[1:] if part)
        return Amount("score", _whole(match[1]), _whole(standing))
    if _ABSENT.fullmatch(text):
        return Amount("absent")
    if _NOUGHTS.fullmatch(text):
        return Amount("score", 0, note=f"`{written}` is read as 0")
    is_faulty = text in {"O", "o"} or _FAULT.fullmatch(text)  # a letter like a nought, a formula
    if is_faulty or _PENALTIES.fullmatch(text):
        return Amount("unread", doubt=f"`{written}` cannot be read as a score")
    if "?" in text:
        doubt = "" if set(text) == {"?"} else f"`{written}` cannot be read as a score"
        return Amount("unread", doubt=doubt)
    if not any(character.isdigit() for character in text):
        return Amount("absent", note=f"`{written}` is read as a hand not played")
    return Amount("unread", doubt=f"`{written}` cannot be read as a score")


@lru_cache(maxsize=1 << 12)
def round_number(text: str) -> int | None:
    """The number of a round: `3`, `R3`, `Hand 3`, `3/10`; None where it is none."""
    text = plain(text)
    match = _ROUND.fullmatch(text) or _OF.fullmatch(text)
    return int(match[1]) if match else None


def are_counted(texts: Iterable[str]) -> bool:
    """Whether texts begin as the numbers of hands do."""
    numbers = [number for text in texts if (number := round_number(text)) is not None]
    return numbers[:2] in ([0, 1], [1, 2], [0], [1])


@lru_cache(maxsize=1 << 12)
def day(text: str) -> Day | None:
    """The date that a text is; None where it is none."""
    text = plain(text)
    if text.isdecimal():
        return None
    if match := _ISO.fullmatch(text):
        return _valid(int(match[1]), int(match[2]), int(match[3]))
    if match := _PARTS.fullmatch(text):
        return _of_parts(match)
    for pattern, at, of_day in ((_DAY_MONTH, 2, 1), (_MONTH_DAY, 1, 2)):
        if match := pattern.fullmatch(text):
            month = _MONTHS.get(match[at][:3].lower())
            if month:
                return _valid(int(match[3]), month, int(match[of_day])) if match[3] else Day("")
    return None


def _of_parts(match: re.Match[str]) -> Day | None:
    first, mark, second, year = int(match[1]), match[2], int(match[3]), match[4]
    if mark == "-" and not year:
        return None
    if not (1 <= first <= 31 and 1 <= second <= 31 and min(first, second) <= 12):
        return None
    if mark == "." and not match[0].endswith(".") and not year:
        return None
    if not year:
        return Day("", may_be_round=mark == "/")
    full = int(year) + (2000 if len(year) == 2 else 0)
    if mark == "." or first > 12:
        return _valid(full, second, first)
    return _valid(full, first, second) if second > 12 or first == second else Day("")


def _valid(year: int, month: int, of_month: int) -> Day | None:
    try:
        return Day(date(year, month, of_month).isoformat())
    except ValueError:
        return None


def is_rule(row: Row) -> bool:
    """Whether a row is a line of dashes."""
    words = [cell.text for cell in row.cells if cell.text]
    return (
        bool(words)
        and all(_RULE.fullmatch(word) for word in words)
        and any(len(word) > 1 for word in words)
    )


def is_number(cell: Cell) -> bool:
    """Whether a cell has a number, or the hand and the standing."""
    return _is_number(cell.text)


@lru_cache(maxsize=1 << 14)
def _is_number(text: str) -> bool:
    return _amount(text).kind == "score" and any(map(str.isdigit, text))


def is_clock(text: str) -> bool:
    """Whether a text is a time of the day, `19:40`; `8.30` may be points."""
    return _CLOCK.fullmatch(text) is not None and (":" in text or text[-1:].isalpha())


def is_name(cell: Cell) -> bool:
    """Whether a cell may be the name of somebody."""
    text = plain(cell.text)
    return (
        bool(text)
        and any(character.isalpha() for character in text)
        and not (
            is_number(cell)
            or _ABSENT.fullmatch(text)
            or round_number(text) is not None
            or day(text)
        )
    )
