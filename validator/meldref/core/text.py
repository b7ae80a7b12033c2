"""What messages have in common: numbers, lists of things, and how data is shown in them.

Whatever comes from a file, or is the name of one, goes through `one_line` before it is shown in a
report, and every text goes through `harmless` where it leaves the program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

LONGEST_VALUE: Final = 200
"""How many characters of a word without blanks are shown, such as a value or a path."""
LONGEST_TEXT: Final = 2_000
"""How many characters of a whole message are shown."""
_CUT: Final = "…"
_IN_WORDS: Final = (
    "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen twenty"
)
_NUMBERS: Final = _IN_WORDS.split()
_UNSEEN: Final = (
    r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e"
    r"\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f]"
)
"""What steers a terminal, ends a line, turns the direction of what follows, is in no XML, or cannot
be seen."""
_FORMULA: Final = (
    r"[\t\r]|[\s\x00-\x1f\u200b-\u200f\u2060\ufeff]*(?:[=@＝＠＋－]|[+-](?![\d.,]*\Z))"
)
"""Spreadsheets pass over what cannot be seen, and some take signs in full width for the usual
ones."""
_ENDS_CELL: Final = r'[",;\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]'
_COMMAND: Final = re.compile(r"^([^\S\n]*):(?=:)|#(?=#\w*\[)", re.MULTILINE)
"""What those who run builds take as a command: `::word::` where a line begins, and `##[word]`
anywhere."""


def number(value: int) -> str:
    """A whole number in words up to twenty, in digits beyond."""
    return _NUMBERS[value] if 0 <= value < len(_NUMBERS) else f"{value:,}"


def many(number: int, noun: str) -> str:
    """A number with its noun: `1 hand`, `2 hands`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def times(number: int) -> str:
    """How often: `once`, `twice`, `3 times`."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def with_verb(names: Sequence[str], singular: str, several: str) -> str:
    """Names and what is said of them, as their number wants it: `A plays`, `A and B play`."""
    return f"{in_words(names)} {singular if len(names) == 1 else several}"


def in_words(names: Iterable[str], last: str = "and") -> str:
    """Names in a sentence: `A`, `A and B`, `A, B and C`."""
    listed = list(names)
    if len(listed) < 2:
        return "".join(listed)
    return f"{', '.join(listed[:-1])} {last} {listed[-1]}"


def alike(first: Sequence[object], other: Sequence[object]) -> int:
    """With how many of the same characters, or other items, two sequences of one type begin."""
    low, high = 0, min(len(first), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def one_line(text: str, most: int = LONGEST_TEXT, *, word: int = LONGEST_VALUE) -> str:
    """A text on one line: invisible characters as escapes, and too long a text cut."""
    if len(text) > 3 * most:  # what is far too long is looked at no further
        text = text[: 2 * most] + text[-most:]
    if not text.isprintable():
        text = visible(text)
    if len(text) > word:
        text = re.sub(rf"\S{{{word + 1},}}", lambda match: _cut(match[0], word), text)
    return _cut(text, most)


def name_of_file(name: str) -> str:
    """The name of a file as it is shown within one line: whole, so that it can be opened."""
    return one_line(name, word=LONGEST_TEXT)


def visible(text: str, keep: str = "") -> str:
    """A text with escapes for what steers a terminal or is invisible, except those in `keep`."""
    if text.isprintable():
        return text
    return re.sub(_UNSEEN, lambda match: match[0] if match[0] in keep else _escape(match[0]), text)


def harmless(text: str, keep: str = "\n\t") -> str:
    """A text that steers no terminal and holds no command to a build."""
    return without_commands(visible(text, keep))


def without_commands(text: str, escape: str = "\\u{:04x}") -> str:
    """A text with an escape in each command to who runs a build; JSON says the same with it."""
    if "::" not in text and "##" not in text:
        return text
    return _COMMAND.sub(lambda match: (match[1] or "") + escape.format(ord(match[0][-1])), text)


def in_csv(value: object, keep: str = "\n\t") -> str:
    """A value as CSV has it; a text that spreadsheets would take for a formula begins with `'`.

    What cannot be seen is an escape, as in other reports, except what is in `keep`. Whatever some
    spreadsheet takes for the end of a cell is in quotes.
    """
    if isinstance(value, str):
        text = harmless(f"'{value}" if re.match(_FORMULA, value) else value, keep)
        return '"' + text.replace('"', '""') + '"' if re.search(_ENDS_CELL, text) else text
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _escape(character: str) -> str:
    if 0xDC80 <= ord(character) <= 0xDCFF:  # a byte that is no text
        return f"\\x{ord(character) - 0xDC00:02x}"
    return ascii(character)[1:-1]


def _cut(text: str, most: int) -> str:
    """A text with a mark in place of its middle, where it is too long."""
    if len(text) <= most:
        return text
    begin = most * 2 // 3
    return text[:begin] + _CUT + text[len(text) - (most - begin - 1) :]
