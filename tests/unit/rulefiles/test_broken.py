"""Rules files with one fault each: one clear message at its line, whose advice fixes the file."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import partial
from pathlib import Path

import pytest

from blocks import without_lines
from broken.regenerate import ENTRIES, check
from gallery import Entry
from tiers import thinned
from together import each

FAULTS = {entry.name: (entry,) for entry in ENTRIES}

PLACE = re.compile(
    r"^(?P<file>[\w.]+):(?:(?P<line>\d+):\d+:)? (?P<severity>error|warning): ", re.MULTILINE
)
CODE = re.compile(r"\[rules\.([a-z]+)\]$", re.MULTILINE)
NEAR = 2
"""How many lines a fix may be away from the line of its message: it may be a line of its own."""


def lines(data: bytes) -> list[str]:
    encoding = "utf-16" if data[:2] == b"\xff\xfe" else "utf-8"
    return data.decode(encoding, "replace").splitlines()


def test_there_are_more_faults_than_forty():
    assert len(ENTRIES) > 40


def test_each_fault_has_a_name_of_its_own_and_a_file_that_fixes_it():
    assert len(FAULTS) == len(ENTRIES)
    for entry in ENTRIES:
        assert entry.fixed, entry.name
        assert set(entry.fixed) <= set(entry.given), entry.name


def test_each_fault_is_in_the_file_of_its_code_or_of_house_rules():
    for entry in ENTRIES:
        (code,) = CODE.findall(entry.printed)
        family = "house-rules" if entry.name.startswith("house-rule") else code
        assert entry.family == family, entry.name


def test_no_message_points_to_a_page_that_an_installed_program_lacks():
    assert not [entry.name for entry in ENTRIES if "docs/" in entry.printed]


def message_is_near(entry: Entry, folder: Path) -> None:
    """The message is one, the one that was agreed on, and at its line.

    `python tests/broken/regenerate.py` writes the messages anew; lines of shipped rules may differ.
    """
    code, text = check(entry.write_given(folder / entry.name))
    assert without_lines(text) == without_lines(entry.printed)
    (place,) = PLACE.finditer(text)
    expected = 2 if text.endswith(": unreadable\n") else int(place["severity"] == "error")
    assert code == expected
    file = place["file"]
    before = lines(entry.given[file])
    after = lines((entry.given | entry.fixed)[file])
    changes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    touched = [(start, end) for tag, start, end, *_ in changes if tag != "equal"]
    assert not touched or any(
        start - NEAR < int(place["line"] or 1) <= end + NEAR for start, end in touched
    )
    assert touched or "save it as UTF-8" in text or "byte order mark" in text


@pytest.mark.sweep(every=1)
def test_each_fault_has_the_one_message_that_was_agreed_on_whose_fix_is_near_its_line(tmp_path):
    each(partial(message_is_near, folder=tmp_path), dict(thinned(FAULTS.items(), 4)))


@pytest.mark.sweep
def test_the_file_that_was_fixed_as_the_message_says_is_fine(tmp_path):
    def is_fine(entry: Entry) -> None:
        assert check(entry.write_fixed(tmp_path / entry.name)) == (0, "house.yaml: ok\n")

    each(is_fine, FAULTS)


@pytest.mark.sweep
def test_fix_fixes_the_fault_and_changes_nothing_else(tmp_path):
    def fixes(entry: Entry) -> None:
        folder = entry.write_given(tmp_path / entry.name)
        assert check(folder, "--fix", "--quiet") == (0, "")
        assert (folder / "house.yaml").read_bytes() == entry.fixed["house.yaml"]

    fixable = {entry.name: (entry,) for entry in ENTRIES if "fixable with --fix" in entry.printed}
    assert fixable
    each(fixes, fixable)
