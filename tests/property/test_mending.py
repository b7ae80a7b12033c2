"""Whatever a hand does to a rules file: it is told, never a crash, and mending never costs a comment."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from broken.regenerate import folders
from meldref.authoring.mending import mend
from meldref.authoring.review import Basis, review
from meldref.diagnostics import Finding
from meldref.ruleset.files import Found

TEXTS = [(folder / "after" / "house.yaml").read_text(encoding="utf-8") for folder in folders()]
BITS = [*"\t :-[]{},\"'#&*!|>%@`?~\n\r–“\u00a0é0", ": ", "- ", "no", "1.000", "<<: ", "---\n", "none", "extends: "]
HERE = Found(Path.cwd() / "house.yaml", "house.yaml")


@st.composite
def spoiled(draw):
    """A good file in which something was typed, deleted, or swapped with its neighbour."""
    text = draw(st.sampled_from(TEXTS))
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(text)))
        end = min(place + draw(st.integers(0, 3)), len(text))
        typed = draw(st.sampled_from(["", text[place:end][::-1], *BITS]))
        text = text[:place] + typed + text[end:]
    return text


def look(data: bytes) -> tuple[Finding, ...]:
    return review(HERE, data, Basis())


@settings(max_examples=60)
@given(spoiled())
def test_mending_says_what_is_left_and_keeps_every_comment(text):
    mended = mend(text.encode(), look, HERE.shown)
    assert mended is not None
    assert mended.rest == look(mended.text.encode())
    assert bool(mended.changes) == (mended.text != text)
    comments = re.findall(r"(?<=\s)#[^\r\n]*", text)
    assert [one for one in comments if one.strip() not in mended.text] == []
    again = mend(mended.text.encode(), look, HERE.shown)
    assert again is not None
    assert again.changes == ()
