"""What `fmt --fix` leaves of damaged logs: it is done at once, and nothing that somebody wrote is lost."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

import hostile
from meldref_evidence.log_fixes import QUESTION, fix_log
from tiers import examples

SIGNS = [
    *'\t :;,#"{}?=5hm1.-\r\n',
    "\u2028",
    "\u2029",
    "\x85",
    "\x0b",
    "\x0c",
    "\x1c",
    "\x00",
    "–",
    "é",
]


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A log with lines moved or copied, and signs typed, deleted or swapped."""
    lines = draw(st.sampled_from(hostile.LOGS)).split("\n")
    begin = draw(st.integers(0, max(len(lines) - 12, 0)))
    headers = [line for line in lines[:begin] if line.startswith("[")]
    text = "\n".join([*headers, *lines[begin : begin + draw(st.integers(5, 40))], ""])
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        end = min(at + draw(st.integers(0, 3)), len(text))
        typed = draw(st.sampled_from(["", text[at:end][::-1], *SIGNS]))
        text = text[:at] + typed + text[end:]
    return text


def fixed(text: str) -> str:
    log = fix_log(text.encode(), "test.rgn")
    assert log is not None
    return log.text


def without_questions(text: str) -> list[str]:
    return [line.rstrip("\r").partition(QUESTION)[0] for line in text.split("\n")]


@settings(max_examples=examples(3000))
@given(st.one_of(damaged(), hostile.logs()))
def test_what_was_repaired_is_not_repaired_again(text):
    once = fixed(text)
    assert fixed(once) == once


@settings(max_examples=examples(1000))
@given(damaged())
def test_as_many_lines_are_there_after_questions_as_before(text):
    log = fix_log(text.encode(), "test.rgn")
    assert log is not None
    if not log.changes:
        assert without_questions(log.text) == without_questions(text)
