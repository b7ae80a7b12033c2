"""Whatever a hand does to a rules file: it is told, never a crash, and fixing never costs a comment."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from broken.regenerate import ENTRIES
from meldref.core.diagnostics import Finding, errors_in
from meldref.rulefiles.files import Found
from meldref_authoring.autofix import fix
from meldref_authoring.lint import Basis, review
from tiers import examples

TEXTS = [(entry.given | entry.fixed)["house.yaml"].decode() for entry in ENTRIES]
BITS = [
    *"\t :-[]{},\"'#&*!|>%@`?~\n\r–“\u00a0é0",
    ": ",
    "- ",
    "no",
    "1.000",
    "<<: ",
    "---\n",
    "none",
    "extends: ",
]
HERE = Found(Path.cwd() / "house.yaml", "house.yaml")


def _text(content: bytes) -> str:
    """A file as text; empty if it is not text."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return ""


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


BROKEN = [text for entry in ENTRIES if (text := _text(entry.given["house.yaml"]))]
HEAD = re.compile(r"(id|name|extends|type):.*\n|\s*\n")


@st.composite
def twice_broken(draw):
    """A file with two faults: what one broken file says, below another one or above it."""
    one, other = draw(st.sampled_from(BROKEN)), draw(st.sampled_from(BROKEN))
    lines = [line for line in other.splitlines(keepends=True) if not HEAD.fullmatch(line)]
    if draw(st.booleans()):
        return one.rstrip("\n") + "\n" + "".join(lines)
    head = [line for line in one.splitlines(keepends=True) if HEAD.fullmatch(line)]
    return "".join([*head, *lines, *one.splitlines(keepends=True)[len(head) :]])


def told(findings):
    """What errors say, whatever the line they name."""
    return Counter(re.sub(r"line \d+", "line", one.message) for one in errors_in(findings))


def unread(findings):
    """What keeps text from being read."""
    return told([one for one in findings if one.code == "rules.yaml"])


@settings(max_examples=examples(150))
@given(st.one_of(twice_broken(), spoiled()))
def test_mending_never_makes_a_file_worse(text):
    """The errors get fewer, and none comes that was not there; where warnings alone are fixed, no error does.

    Only if more of a file can be read than before are there errors that were hidden.
    """
    before = look(text.encode())
    fixed = fix(text.encode(), look, HERE.shown)
    assert fixed is not None
    was, now = told(before), told(fixed.rest)
    if unread(fixed.rest) < unread(before):
        assert not (now - was).keys() & unread(fixed.rest).keys()
        return
    assert not now - was
    assert not fixed.changes or len(fixed.rest) < len(before) or now.total() < was.total()


@settings(max_examples=examples(60))
@given(spoiled())
def test_mending_says_what_is_left_and_keeps_every_comment(text):
    fixed = fix(text.encode(), look, HERE.shown)
    assert fixed is not None
    assert fixed.rest == look(fixed.text.encode())
    assert bool(fixed.changes) == (fixed.text != text)
    comments = re.findall(r"(?<=\s)#[^\r\n]*", text)
    assert [one for one in comments if one.strip() not in fixed.text] == []
    again = fix(fixed.text.encode(), look, HERE.shown)
    assert again is not None
    assert again.changes == ()
