"""What a rulebook is made of: sections of sentences, lists, tables and examples.

A sentence names its keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from meldref.core.cards import Played
from meldref.core.records import record


@record
class Cards:
    """Cards within a line."""

    cards: tuple[Played, ...]


Line: TypeAlias = tuple["str | Cards", ...]
"""Words and cards, one after the other."""


@record
class Sentence:
    """Sentences that belong together, and the keys they come from.

    `term` stands before an item of a list.
    """

    text: str
    keys: tuple[str, ...] = ()
    term: str = ""


@record
class Paragraph:
    """Sentences that follow each other."""

    sentences: tuple[Sentence, ...]

    @property
    def text(self) -> str:
        """All of them."""
        return " ".join(sentence.text for sentence in self.sentences)


@record
class Items:
    """A list."""

    items: tuple[Sentence, ...]


@record
class Row:
    """A row of a table, and the keys it comes from."""

    cells: tuple[str, ...]
    keys: tuple[str, ...] = ()


@record
class RulebookTable:
    """A table with a head."""

    head: tuple[str, ...]
    rows: tuple[Row, ...]


@record
class CardExample:
    """Cards that show a rule: what is allowed, if anything, and what is illegal, and why.

    Everything in it was asked of the solver or the judge when it was made. `worked` shows a count
    instead.
    """

    scene: Line
    allowed: Line
    forbidden: tuple[Line, ...]
    worked: bool = False

    def lines(self) -> Iterator[tuple[str, Line]]:
        """Its lines in order, each with the words that go before it; none go before the scene."""
        if self.scene:
            yield "", self.scene
        if self.worked:
            sums: Line = self.allowed
            for more in self.forbidden:
                sums = (*sums, "; ", *more)
            yield "For example", (*sums, ".")
            return
        if self.allowed:
            yield "Allowed", (*self.allowed, ".")
        for line in self.forbidden:
            yield "Not allowed", (*line, ".")


Block: TypeAlias = "Paragraph | Items | RulebookTable | CardExample"


def keys_of(block: Block) -> tuple[str, ...]:
    """The keys that a block comes from, each once.

    An example has none beside those of what it shows.
    """
    parts: Sequence[Sentence | Row]
    match block:
        case Paragraph(parts) | Items(parts) | RulebookTable(_, parts):
            return tuple(dict.fromkeys(key for part in parts for key in part.keys))
    return ()


@record
class Section:
    """A chapter of one rulebook."""

    title: str
    blocks: tuple[Block, ...]


@record
class Rulebook:
    """A whole rulebook: the rules of one merged ruleset in words."""

    title: str
    lead: tuple[Sentence, ...]
    sections: tuple[Section, ...]
    made_from: str
    source: str


Origins: TypeAlias = Callable[[Sequence[str]], Sequence[tuple[str, str]]]
"""For keys, what each says and who says it: `draw.deep.must = be_used` and `500-rummy.yaml:57`."""
