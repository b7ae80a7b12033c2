"""A whole log as a viewer could have written it; replaying it shows what the viewer knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import BinaryIO, Final

from meldref.answers.masking import EVERYBODY, Seen, is_unreadable, masked
from meldref.core.diagnostics import FEW, Finding
from meldref.core.events import Header
from meldref.core.records import NamedTuple
from meldref.notation.hopeful import Hopeful
from meldref.notation.reader import Read, has_event, read_lines
from meldref.notation.roster import NOBODY, Roster
from meldref.notation.scanner import ENDLESS, LONGEST
from meldref.notation.writer import write_event
from meldref.position.model import Position
from meldref.replay.log import MOST_HEADERS, NO_OVERRIDES, Overrides, Replay

_MOST_BYTES: Final = 4 * LONGEST + 4
"""The most bytes of a line that may be read; one with more cannot."""
_MARK: Final = "\ufeff"


class WithEnds:
    """The lines of a log without their ends; `end` is that of the line which was given last.

    A byte order mark is in `mark`. Bytes that are not UTF-8 become lone surrogates, which the
    reader reports. Of a line that is too long only the beginning is kept.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self.mark = self.end = ""
        self._lines = iter(lines)
        self._begun = False

    @classmethod
    def of_text(cls, text: str) -> WithEnds:
        """The lines of a text."""
        return cls(StringIO(text, newline="\n"))

    @classmethod
    def of_bytes(cls, stream: BinaryIO) -> WithEnds:
        """The lines of a stream, as they are read."""
        return cls(_decoded(stream))

    def __iter__(self) -> Iterator[str]:
        """The lines, each once."""
        for line in self._lines:
            text = line.rstrip("\r\n")
            self.end = line[len(text) :]
            if not self._begun and text.startswith(_MARK):
                self.mark, text = _MARK, text[1:]
            self._begun = True
            yield text


def _decoded(stream: BinaryIO) -> Iterator[str]:
    """The lines of bytes with their ends; a line that never ends is the last."""
    while line := stream.readline(_MOST_BYTES):
        dropped = len(line)
        rest = line
        while not rest.endswith(b"\n") and len(rest) == _MOST_BYTES and dropped < ENDLESS:
            rest = stream.readline(_MOST_BYTES)
            dropped += len(rest)
        text = line.decode("utf-8", "surrogateescape")
        yield text if rest is line else text + ("\r\n" if rest.endswith(b"\r\n") else "\n")
        if dropped >= ENDLESS:
            return


class _Written(NamedTuple):
    """A line as it was read, with the mark before it and its end."""

    read: Read
    mark: str
    end: str


class Viewed(NamedTuple):
    """A line of the log as the viewer has it, with its end.

    `findings` are what was wrong with the line as it was written; `lost` says that it could not be
    read, so that nothing of it is kept; `added` that it is a header which the log did not have.
    """

    text: str
    findings: tuple[Finding, ...] = ()
    lost: bool = False
    added: bool = False


class LogView:
    """A log as `viewer` could have written it: a player, or `public` for what everybody saw.

    Free texts, which may say anything, are kept only with `texts`. In a game in which the viewer
    does not play, a view is what everybody saw. `played` says whether the viewer plays in any game;
    `faults` are the first findings about a game that cannot be read, of which nobody knows what was
    seen; `gave_up` is the number of lines after which reading stopped, 0 if all were read.
    """

    def __init__(
        self,
        viewer: str,
        path: str = "",
        overrides: Overrides = NO_OVERRIDES,
        *,
        texts: bool = False,
    ) -> None:
        self._viewer, self._texts = viewer, texts
        self._player: str | None = None
        self._roster = NOBODY
        self._run = Replay(path, overrides, suggestions=0)
        self._says_view = False
        self.played = viewer == EVERYBODY
        self.faults: list[Finding] = []
        self.gave_up = 0

    @property
    def games(self) -> int:
        """How many games there are in the lines so far."""
        return self._run.report.games

    def of(self, lines: WithEnds) -> Iterator[Viewed]:
        """The lines as the viewer has them, as they come.

        `[View]` is added to a game that has none.
        """
        reads = Hopeful(read_lines(lines), has_event)
        heading: list[_Written] = []
        for read in reads:
            line = _Written(read, lines.mark if read[0].number == 1 else "", lines.end)
            if heading and has_event(read):
                yield from self._head(heading)
                heading, self._says_view = [], False
            if not heading and type(read[0].event) is not Header:
                yield self._see(line)
                continue
            heading.append(line)
            if len(heading) > MOST_HEADERS:
                yield from self._head(heading)
                heading, self._says_view = [], True
        yield from self._head(heading)
        self.gave_up = reads.gave_up
        self._run.finish()
        self._note_faults()

    def _head(self, lines: Sequence[_Written]) -> Iterator[Viewed]:
        """The headers of a game, and what stands between them."""
        headers = {
            at: line.read[0].event
            for at, line in enumerate(lines)
            if isinstance(line.read[0].event, Header)
        }
        players = [event for event in headers.values() if event.key == "Players"]
        self._sit_down(players[-1] if players else None)
        says_view = self._says_view or any(event.key == "View" for event in headers.values())
        last = max(headers, default=-1)
        for at, line in enumerate(lines):
            yield self._see(line)
            if at == last and not says_view:
                header = write_event(Header("View", self._player or EVERYBODY))
                yield Viewed(f"{header}{line.end}" if line.end else f"\n{header}", added=True)

    def _sit_down(self, players: Header | None) -> None:
        """Finds out who the viewer is in the game that begins."""
        self._roster = NOBODY if players is None else Roster.of(players)
        seated = [] if players is None else [name.strip() for name in players.value.split(",")]
        name = self._roster[self._viewer]
        self._player = name if name in seated and self._viewer != EVERYBODY else None
        self.played = self.played or self._player is not None

    def _see(self, line: _Written) -> Viewed:
        """A line as the viewer has it, which is also played to learn what the viewer knows."""
        line_seen = masked(line.read, Seen(self._player, self._roster, self._position, self._texts))
        self._run.feed((line_seen,))
        self._note_faults()
        text = line.mark + line_seen[0].text + line.end
        return Viewed(text, line.read[1], is_unreadable(line.read[0]))

    def _position(self) -> Position | None:
        """Where the hand stands by what the viewer saw; None if no cards are dealt."""
        hand = self._run.game.hand if self._run.game is not None else None
        return hand.as_dealt() if hand is not None and hand.started and hand.active else None

    def _note_faults(self) -> None:
        """Keeps why a game cannot be read, and lets go of what else was found."""
        if not self._run.report.readable and not self.faults:
            self.faults = self._run.so_far.findings[-FEW:]
        self._run.forget()


def view_text(
    text: str, viewer: str, overrides: Overrides = NO_OVERRIDES, *, texts: bool = False
) -> str:
    """A log that is a text, as `viewer` could have written it: a player, or `public`."""
    view = LogView(viewer, "", overrides, texts=texts)
    return "".join(line.text for line in view.of(WithEnds.of_text(text)))
