"""What would change in a file, as a patch."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff
from typing import Final

from meldref.wording import name_of_file

_MARK: Final = "\ufeff"


def patch_text(file: str, before: str, after: str, done: str) -> Iterator[str]:
    """The lines of a patch; `done` says what was done to the text after it, such as `formatted`."""
    file = name_of_file(file)
    old, new = (text.removeprefix(_MARK).splitlines() for text in (before, after))
    if before != after and old == new:
        yield f"{file}: only line ends or a byte order mark differ"
    for line in unified_diff(old, new, file, f"{file} ({done})", lineterm=""):
        yield line.rstrip("\n")
