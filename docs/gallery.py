"""The galleries of messages in `tests/errors` and `tests/broken`: one YAML file for each family.

Each entry is named after what is wrong in it:

    number-comma:
      given:
        house.yaml: |
          …
      printed: |
        house.yaml:4:17: error: …
      fixed:
        house.yaml: |
          …

`given` has the files that meldref reads, by name, `printed` what it prints about them, and `fixed`
the files that differ once the fault is fixed. Text is a block; bytes that no YAML text can hold are
`!!binary`. Comments at the head of a file stay.
"""

from __future__ import annotations

import base64
import json
import re
import sys
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Final

import yaml

from blocks import without_lines

_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NO_BLOCK: Final = re.compile(
    "[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]|[\u2028\u2029]"
)
"""Characters that a YAML block would lose or change: line ends of other kinds, marks, controls."""


@dataclass(frozen=True, eq=False, slots=True)
class Entry:
    """One entry of a gallery.

    Attributes:
        name: A code, or what is wrong, in words with hyphens.
        family: The file that it is in, without `.yaml`.
        given: The files that are read, by their path.
        printed: What is printed about them; empty until `regenerate.py` has written it.
        fixed: The files that differ once the fault is fixed.
    """

    name: str
    family: str
    given: dict[str, bytes]
    printed: str = ""
    fixed: dict[str, bytes] = field(default_factory=dict)

    def write_given(self, folder: Path) -> Path:
        """Writes the files that are given into a folder, and returns the folder."""
        return _write_files(self.given, folder)

    def write_fixed(self, folder: Path) -> Path:
        """Writes all files as they are once the fault is fixed, and returns the folder."""
        return _write_files(self.given | self.fixed, folder)


@cache
def entries(gallery: Path) -> tuple[Entry, ...]:
    """All entries of a gallery, by name. Each of its files is read once in a process."""
    every = [
        entry
        for file in sorted(gallery.glob("*.yaml"))
        for entry in _entries_of(file.stem, file.read_text(encoding="utf-8"))
    ]
    return tuple(sorted(every, key=lambda entry: entry.name))


def regenerate(gallery: Path, printed: Callable[[Entry], str], arguments: Iterable[str]) -> int:
    """Writes what is printed now into a gallery; with `--check` only lists what differs.

    A file that differs only in the lines of shipped rules files stays as it is.

    Returns:
        The exit status: 1 if `--check` found a difference.
    """
    only_check = "--check" in arguments
    stale = False
    for file in sorted(gallery.glob("*.yaml")):
        text = file.read_text(encoding="utf-8")
        before = _entries_of(file.stem, text)
        after = [
            Entry(entry.name, entry.family, entry.given, printed(entry), entry.fixed)
            for entry in sorted(before, key=lambda entry: entry.name)
        ]
        renewed = as_yaml(after, _head(text))
        if without_lines(renewed) == without_lines(text):
            continue
        stale = True
        old = {entry.name: entry.printed for entry in before}
        names = [entry.name for entry in after if entry.printed != old[entry.name]]
        for name in names or ["its layout"]:
            sys.stdout.write(f"{file.name}: {name} {'differs' if only_check else 'written'}\n")
        if not only_check:
            file.write_text(renewed, encoding="utf-8")
    return int(stale and only_check)


def as_yaml(family: Iterable[Entry], head: str) -> str:
    """A file of a gallery, below the comments at its head."""
    text = head
    for entry in family:
        # Blank lines at the end of a block belong to it, and there is one already.
        text += "" if text.endswith("\n\n") else "\n"
        text += f"{_key(entry.name)}:\n"
        text += f"  given:\n{_blocks(entry.given)}"
        text += f"  printed: {_block(entry.printed.encode(), 4)}"
        if entry.fixed:
            text += f"  fixed:\n{_blocks(entry.fixed)}"
    return text


def _blocks(files: dict[str, bytes]) -> str:
    return "".join(f"    {_key(name)}: {_block(content, 6)}" for name, content in files.items())


def _entries_of(family: str, text: str) -> list[Entry]:
    return [
        Entry(
            name,
            family,
            _as_bytes(entry["given"]),
            entry.get("printed", ""),
            _as_bytes(entry.get("fixed", {})),
        )
        for name, entry in yaml.load(text, _LOADER).items()  # noqa: S506  a safe loader
    ]


def _as_bytes(files: dict[str, str | bytes]) -> dict[str, bytes]:
    return {
        name: content.encode() if isinstance(content, str) else content
        for name, content in files.items()
    }


def _write_files(files: dict[str, bytes], folder: Path) -> Path:
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return folder


def _head(text: str) -> str:
    """The comments before the first entry."""
    lines = text.splitlines(keepends=True)
    return "".join(takewhile(lambda line: line.startswith("#"), lines))


def _key(name: str) -> str:
    """A name as a key: in quotes if YAML would read it as a number or a truth value."""
    return name if yaml.safe_load(name) == name else f'"{name}"'


def _block(content: bytes, indent: int) -> str:
    """A value of a key, from behind its colon to the end of its last line."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        text = "\x00"
    if _NO_BLOCK.search(text):
        lines = textwrap.wrap(base64.b64encode(content).decode(), 76)
        return "\n".join(["!!binary |", *(" " * indent + line for line in lines)]) + "\n"
    if not text.strip("\n"):
        return json.dumps(text) + "\n"
    header = "2" if text[0] in " \t\n" else ""
    if not text.endswith("\n"):
        header += "-"
    elif text.endswith("\n\n"):
        header += "+"
    lines = text.removesuffix("\n").split("\n")
    return (
        "\n".join([f"|{header}", *(" " * indent + line if line else "" for line in lines)]) + "\n"
    )
