"""Our own JSON events as a source: the log that they were made from, each line with its place."""

from __future__ import annotations

import json
from collections.abc import Iterator

from meldref.notation.jsonlines.convert import LONGEST_JSON, from_json_numbered
from meldref_intake.events.hands import Row
from meldref_intake.events.importer import Said
from meldref_intake.events.records import Opened, Place, Source, Unread, Unreads, form_of, lines_of


class OwnEvents:
    """The import of a file of our own events, as `Importer` is of another program's."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self.unread = Unreads()
        self.unmapped: list[Said] = []
        self.left_out = 0
        self.said: list[Said] = []
        self.ends_within = False

    def rows(self) -> Iterator[Row]:
        """The lines of the log; a line that cannot be read is left out, and is among `unread`."""
        with self._opened() as stream:
            is_list = form_of(stream.read(1 << 10).decode(errors="replace")) == "json"
        places: list[Place] = []
        texts = self._items(places) if is_list else self._lines()
        for number, line in from_json_numbered(texts):
            place = places[number - 1] if is_list else Place(number)
            if line.findings:
                for finding in line.findings:
                    self.unread.add(Unread(place, finding.message))
            else:
                yield Row(line.text, ((1, place),))

    def why_nothing(self) -> str:
        """Why there are no lines."""
        return "there is no record in it"

    def _lines(self) -> Iterator[str]:
        with self._opened() as stream:
            for _, text in lines_of(stream):
                yield text[: LONGEST_JSON + 1]

    def _items(self, places: list[Place]) -> Iterator[str]:
        """The events of a list, each on a line of its own."""
        source = Source(self._opened, "json", {"at": "[*]"})
        for record in source.records():
            places.append(record.place)
            yield json.dumps(record.scope.record)[: LONGEST_JSON + 1]
        for part in source.unread:
            self.unread.add(part)
