"""Whatever a file of events holds, its import ends with lines that can be read, or says why not."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest

from meldref.notation.reader import read_lines
from meldref_intake.events import NoMap, doubts, open_events

SAMPLES = Path(__file__).parents[1] / "events"
FILES = sorted(path for path in SAMPLES.iterdir() if path.suffix != ".rgn")
_PIECES = (
    b"null",
    b"[]",
    b"{}",
    b'"',
    b"-1",
    b"99999999999999999999",
    b'"Jk"',
    b"\\ud800",
    b"\xff",
    b"",
)


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Some bytes of a file, with a few pieces put in, taken out or moved."""
    for _ in range(rng.randint(1, 4)):
        begin = rng.randrange(len(data))
        end = begin + rng.choice((0, 1, 3, 20, 200))
        data = data[:begin] + rng.choice((*_PIECES, data[end : end + 60])) + data[end:]
        if not data:
            return b"{}"
    return data


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_mutated_events_become_lines_that_can_be_read_or_are_refused(path: Path) -> None:
    rng = random.Random(path.name)
    original = path.read_bytes()
    for _ in range(60):
        data = mutated(original, rng)
        try:
            events = open_events(lambda data=data: io.BytesIO(data), path.stem)
            rows = [row.text for row in events.rows()]
        except NoMap:
            continue
        list(doubts(events))
        for line, findings in read_lines(rows):
            assert not findings, line.text
