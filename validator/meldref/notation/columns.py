"""The columns of the parts of a line, be they spelled as in the grammar or as people write."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, TypeAlias

from meldref.notation import canonical
from meldref.notation.scanner import BLANKS, pattern, split

_Spans: TypeAlias = list[tuple[int, int]]
_ASSERTED_PARTS: Final = r'(?:^\s*=\s*\w+|,)\s*((?:"[^"]*"|[^",])*[^",\s])'
"""Behind the word of an assertion, and between commas."""


def action_columns(text: str, step: int) -> tuple[int, int]:
    """The columns of an action of a turn, the first being step 0: from 1, the end exclusive.

    Worked out where there is a finding: turns are many, and findings few.
    """
    spans = _as_written(text)
    if step >= len(spans):
        return 1, len(text) + 1
    begin, end = spans[step]
    return begin + 1, end + 1


def asserted_columns(text: str, part: int) -> tuple[int, int]:
    """The columns of a part of an assertion, such as `= score Ann 45, Bob 30`, as above."""
    from meldref.notation.lenient import rewritten  # noqa: PLC0415  plain turns need none of it

    other = rewritten(text)
    plain = text if other is None else other.text
    body = plain[: split(plain).body_end]
    parts = list(pattern(_ASSERTED_PARTS).finditer(body))
    if part >= len(parts):
        return 1, len(text) + 1
    begin, end = parts[part].span(1) if other is None else other.span(*parts[part].span(1))
    return begin + 1, end + 1


@lru_cache(maxsize=256)
def _as_written(text: str) -> _Spans:
    """Where each action of a turn begins and ends; a line with one finding often has more."""
    spans = _between_signs(text)
    if all(canonical.action(text[begin:end]) for begin, end in spans):
        return spans
    from meldref.notation.lenient import rewritten  # noqa: PLC0415  as above

    other = rewritten(text)
    return spans if other is None else [other.span(*span) for span in _between_signs(other.text)]


def _between_signs(text: str) -> _Spans:
    """What is between the colon, the semicolons and the end of a line, without blanks around it."""
    parts = split(text)
    ends = [*[at for at in parts.semicolons if at > parts.colon], parts.body_end]
    begins = [parts.colon + 1, *[at + 1 for at in ends[:-1]]]
    spans: _Spans = []
    for begin, end in zip(begins, ends, strict=True):
        body = text[begin:end]
        left = begin + len(body) - len(body.lstrip(BLANKS))
        spans.append((left, begin + len(body.rstrip(BLANKS))))
    return spans
