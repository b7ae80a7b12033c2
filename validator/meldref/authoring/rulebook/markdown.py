"""A rulebook in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from meldref.authoring.rulebook import model
from meldref.authoring.rulebook.cardtext import face, in_line, sign
from meldref.authoring.rulebook.model import Line, Origins, Rulebook, keys_of

_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>|~&])")
_LEADING: Final = re.compile(r"^(#|[-+=](?=\s|$|[-+=])|\d+(?=[.)]))")


def as_markdown(book: Rulebook, origins: Origins | None = None) -> str:
    """The rulebook as a Markdown page.

    Args:
        book: what `make_rulebook` made.
        origins: who set a key, where the keys shall stand below what they say.
    """
    parts = [f"# {escaped(book.title)}", *_block(model.Paragraph(book.lead), origins)]
    for section in book.sections:
        parts.append(f"## {escaped(section.title)}")
        for block in section.blocks:
            parts.extend(_block(block, origins))
    made = f"Written by meldref from the rules {_code(book.made_from)}."
    parts += ["---", made + (f" {escaped('Source: ' + book.source)}." if book.source else "")]
    return "\n\n".join(parts) + "\n"


def escaped(text: str) -> str:
    """Words as Markdown that shows them as they are."""
    line = _SPECIAL.sub(r"\\\1", " ".join(text.split()))
    return _LEADING.sub(
        lambda found: found[0][:-1] + "\\" + found[0][-1] if not found[0].isdigit() else found[0] + "\\", line
    )


def _code(text: str) -> str:
    """A text between backticks, more of them than it has in a row."""
    ticks = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    inner = f" {text} " if "`" in text else text
    return f"{ticks}{inner}{ticks}"


def _block(block: model.Block, origins: Origins | None) -> Iterator[str]:
    match block:
        case model.Paragraph():
            yield escaped(block.text)
        case model.Items():
            yield "\n".join(_item(item) for item in block.items)
        case model.RulebookTable():
            yield "\n".join(_table(block))
        case model.CardExample():
            yield "\n>\n".join(f"> {_line(words, line)}" for words, line in block.lines())
    if origins is not None and (keys := keys_of(block)):
        yield "*Keys:* " + "; ".join(f"{_code(what)} {escaped(where)}" for what, where in origins(keys))


def _item(item: model.Sentence) -> str:
    return f"- **{escaped(item.term)}:** {escaped(item.text)}" if item.term else f"- {escaped(item.text)}"


def _table(table: model.RulebookTable) -> Iterator[str]:
    yield f"| {' | '.join(map(escaped, table.head))} |"
    yield f"|{'|'.join(['---'] + ['---:'] * (len(table.head) - 1))}|"
    for row in table.rows:
        yield f"| {' | '.join(map(escaped, row.cells))} |"


def _line(words: str, line: Line) -> str:
    """A line of an example, whose blanks at the ends count."""
    text = in_line(line, lambda text: _SPECIAL.sub(r"\\\1", text), lambda card: face(card) + sign(card))
    return f"**{words}:** {text}" if words else text
