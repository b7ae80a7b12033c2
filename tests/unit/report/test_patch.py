"""Patches that are made of lines one by one say what difflib says of both texts."""

from __future__ import annotations

from difflib import unified_diff
from random import Random

import pytest

from meldref.report.patch import patch_lines, patch_text


def changes(seed, length):
    """Lines, and what comes of each: most stay, some change or go."""
    dice = Random(seed)
    for number in range(length):
        text = f"line {number}"
        yield text, dice.choice([text] * 9 + [text.upper(), None])


@pytest.mark.parametrize("seed", range(20))
def test_short_texts_give_the_same_patch(seed):
    steps = list(changes(seed, seed * 15))
    old, new = [before for before, _ in steps], [after for _, after in steps if after is not None]
    wanted = list(unified_diff(old, new, "a.rgn", "a.rgn (formatted)", lineterm=""))
    assert list(patch_lines("a.rgn", steps, "formatted")) == wanted
    assert list(patch_text("a.rgn", "\n".join(old), "\n".join(new), "formatted")) == wanted


@pytest.mark.parametrize("every", [True, False], ids=["every line", "some lines"])
def test_long_texts_change_as_the_patch_says(every):
    steps = (
        [(text, text.upper()) for text, _ in changes(1, 5_000)]
        if every
        else list(changes(1, 5_000))
    )
    old, new = [before for before, _ in steps], [after for _, after in steps if after is not None]
    made: list[str] = []
    at = 0
    for line in list(patch_lines("a.rgn", steps, "formatted"))[2:]:
        if line.startswith("@@"):
            begin = int(line.split()[1].partition(",")[0].removeprefix("-")) - 1
            made += old[at:begin]
            at = begin
        elif line[0] == "+":
            made.append(line[1:])
        else:
            assert old[at] == line[1:]
            made += [line[1:]] if line[0] == " " else []
            at += 1
    assert made + old[at:] == new
