"""The scores of all hands of a log, kept on disk: reports want them behind what only the log's end tells."""

from __future__ import annotations

import json
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import Final

from meldref.replay.result import Scores

_IN_MEMORY: Final = 1 << 18


class ScoreFile:
    """Scores in the order in which they came; the file has no name, and ends with the process at the latest."""

    def __init__(self, rows: str = "") -> None:
        self._file = SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="ascii")  # noqa: SIM115  open as long as it is kept
        self._file.write(rows)

    def take(self, scores: list[Scores]) -> None:
        """Keeps these, and empties the list."""
        self._file.writelines(
            json.dumps([one.game, one.hand, one.recorded, one.computed]) + "\n" for one in scores
        )
        scores.clear()

    def __iter__(self) -> Iterator[Scores]:
        """Each in turn, read when it is wanted."""
        self._file.seek(0)
        for row in self._file:
            yield Scores(*json.loads(row))

    def __del__(self) -> None:
        self._file.close()

    def __reduce__(self) -> tuple[type[ScoreFile], tuple[str]]:
        """What another process gets: the same in a file of its own."""
        self._file.seek(0)
        return ScoreFile, (self._file.read(),)
