"""Our own JSON events as a source: the log that they were made from, each line with its place."""

from __future__ import annotations

from collections.abc import Iterator

from meldref.notation.jsonlines.convert import LONGEST_JSON, from_json_numbered
from meldref_intake.events.hands import Row
from meldref_intake.events.importer import Said
from meldref_intake.events.records import Opened, Place, Unread, lines_of


class OwnEvents:
    """The import of a file of our own events, as `Importer` is of another program's."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self.unread: list[Unread] = []
        self.unmapped: list[Said] = []
        self.left_out = 0
        self.said: list[Said] = []

    def rows(self) -> Iterator[Row]:
        """The lines of the log; a line that cannot be read is left out, and is among `unread`."""
        with self._opened() as stream:
            texts = (text[: LONGEST_JSON + 1] for _, text in lines_of(stream))
            for number, line in from_json_numbered(texts):
                if line.findings:
                    self.unread += [
                        Unread(Place(number), finding.message) for finding in line.findings
                    ]
                else:
                    yield Row(line.text, ((1, Place(number)),))
