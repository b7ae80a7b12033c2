"""Rules files with one fault each: one clear message at its line, whose advice fixes the file."""

from __future__ import annotations

import re
import shutil
from difflib import SequenceMatcher
from pathlib import Path

from blocks import without_lines
from broken.regenerate import FOLDER, check, folders
from together import each

FAULTS = {folder.name: (folder,) for folder in folders()}

PLACE = re.compile(r"^(?P<file>[\w.]+):(?:(?P<line>\d+):\d+:)? (?P<severity>error|warning): ", re.MULTILINE)
NEAR = 2
"""How many lines a fix may be away from the line of its message: it may be a line of its own."""


def message(folder: Path) -> str:
    return (folder / "message.txt").read_text(encoding="utf-8")


def lines(path: Path) -> list[str]:
    data = path.read_bytes()
    encoding = "utf-16" if data[:2] == b"\xff\xfe" else "utf-8"
    return data.decode(encoding, "replace").splitlines()


def test_there_are_more_faults_than_forty():
    assert len(folders()) > 40
    assert {path.name for path in FOLDER.iterdir() if path.is_dir()} - {"__pycache__"} == {
        folder.name for folder in folders()
    }


def message_is_near(folder: Path) -> None:
    """The message is one, the one that was agreed on, and at its line.

    `python tests/broken/regenerate.py` writes the messages anew; the lines of shipped rules may be others.
    """
    code, text = check(folder / "before")
    assert without_lines(text) == without_lines(message(folder))
    (place,) = PLACE.finditer(text)
    expected = 2 if text.endswith(": unreadable\n") else int(place["severity"] == "error")
    assert code == expected
    before, after = (lines(folder / side / place["file"]) for side in ("before", "after"))
    changes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    touched = [(start, end) for tag, start, end, *_ in changes if tag != "equal"]
    assert not touched or any(start - NEAR < int(place["line"] or 1) <= end + NEAR for start, end in touched)
    assert touched or "save it as UTF-8" in text or "byte order mark" in text


def test_each_fault_has_the_one_message_that_was_agreed_on_whose_mend_is_near_its_line():
    each(message_is_near, FAULTS)


def test_the_file_that_was_mended_as_the_message_says_is_fine():
    def is_fine(folder: Path) -> None:
        assert check(folder / "after") == (0, "house.yaml: ok\n")

    each(is_fine, FAULTS)


def test_fix_mends_the_fault_and_changes_nothing_else(tmp_path: Path):
    def mends(folder: Path) -> None:
        copy = shutil.copytree(folder / "before", tmp_path / folder.name)
        assert check(copy, "--fix", "--quiet") == (0, "")
        assert (copy / "house.yaml").read_bytes() == (folder / "after" / "house.yaml").read_bytes()

    fixable = {name: fault for name, fault in FAULTS.items() if "fixable with --fix" in message(*fault)}
    assert fixable
    each(mends, fixable)
