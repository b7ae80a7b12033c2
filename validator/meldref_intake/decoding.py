"""The text of a file in whatever encoding it was saved."""

from __future__ import annotations

import codecs
import re
from typing import Final

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CYRILLIC: Final = re.compile("[\u00c0-\u00ff]{4}")
"""Four letters with accents in a row."""
_CENTRAL: Final = re.compile(
    "[^\\W\\d_][\u00a3\u00b3\u00b9\u00bf\u00af][^\\W\\d_]|\u00a3[^\\W\\d_]"
)
"""Signs such as those of pounds within words."""
_LONGEST_LETTER: Final = 4
"""The most bytes of a letter in UTF-8."""
OLD_WORKBOOK: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How an .xls begins, which nothing here reads."""
_LOOKED_AT: Final = 1_000
"""How many bytes show whether every other one is zero."""


def decoded(data: bytes) -> str:
    """The text of bytes, whatever encoding they are in."""
    return data.decode(encoding_of(data), "replace").replace("\x00", "")


def encoding_of(data: bytes) -> str:
    """The encoding of bytes: by their mark, else UTF-8, UTF-16 without one, or a Windows code page.

    A text in which some letters are UTF-8 and others are not is UTF-8, and damaged.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding
    encoding = _unmarked(data)
    if encoding:
        return encoding
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as wrong:
        # The beginning of a file may end within a letter.
        is_cut = wrong.start >= len(data) - _LONGEST_LETTER
        if not is_cut and data.decode("utf-8", "ignore").isascii():
            return _code_page(data.decode("cp1252", "replace"))
    return "utf-8"


def _code_page(western: str) -> str:
    """Which of the code pages of Windows a text is in, by what it looks like in the western one."""
    if len(_CYRILLIC.findall(western)) > 1:
        return "cp1251"
    return "cp1250" if _CENTRAL.search(western) else "cp1252"


def _unmarked(data: bytes) -> str:
    """UTF-16 without its mark, as every other byte of plain letters is zero."""
    look = data[:_LOOKED_AT]
    half = len(look) // 2
    if half and look[1::2].count(0) > half * 0.7:
        return "utf-16-le"
    if half and look[0::2].count(0) > half * 0.7:
        return "utf-16-be"
    return ""


def is_workbook(data: bytes) -> bool:
    """Whether a file is packed as .xlsx and .ods are, or as old as .xls."""
    return data.startswith((b"PK\x03\x04", OLD_WORKBOOK))
