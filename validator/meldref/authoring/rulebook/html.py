"""A rulebook as one HTML page that needs nothing else: for the screen, light or dark, and for the printer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape
from importlib.resources import files
from string import Template
from typing import Final

from meldref.authoring.rulebook import model
from meldref.authoring.rulebook.cardtext import face, in_line, is_red, sign
from meldref.authoring.rulebook.model import Origins, Rulebook, keys_of
from meldref.authoring.rulebook.words import card_name
from meldref.core.cards import JOKER, Card

_AS_TEXT: Final = "\N{VARIATION SELECTOR-15}"
"""Behind a suit's sign: printed in the colour of the text, not as a picture of its own."""

_CLASSES: Final = {"Allowed": ' class="yes"', "Not allowed": ' class="no"'}


def as_html(book: Rulebook, origins: Origins | None = None) -> str:
    """The rulebook as an HTML page.

    Args:
        book: what `make_rulebook` made.
        origins: who set a key, where the keys shall stand below what they say.
    """
    titles = [section.title for section in book.sections]
    anchors = [("-".join(re.findall("[a-z]+", title.lower())), escape(title)) for title in titles]
    sections = [
        f'<section aria-labelledby="{anchor}">\n<h2 id="{anchor}">{title}</h2>\n'
        f"{_blocks(section.blocks, origins)}\n</section>"
        for (anchor, title), section in zip(anchors, book.sections, strict=True)
    ]
    return _part("page.html").substitute(
        title=escape(book.title),
        style=_part("page.css").template,
        lead=_blocks([model.Paragraph(book.lead)], origins),
        contents="\n".join(f'<li><a href="#{anchor}">{title}</a></li>' for anchor, title in anchors),
        sections="\n".join(sections),
        made_from=escape(book.made_from),
        source=f" Source: {escape(book.source)}." if book.source else "",
    )


def _part(name: str) -> Template:
    return Template((files("meldref.authoring.rulebook") / name).read_text(encoding="utf-8"))


def _blocks(blocks: Iterable[model.Block], origins: Origins | None) -> str:
    return "\n".join(line for block in blocks for line in _block(block, origins))


def _block(block: model.Block, origins: Origins | None) -> Iterator[str]:
    match block:
        case model.Paragraph():
            yield f"<p>{escape(block.text, quote=False)}</p>"
        case model.Items():
            yield "<ul>"
            yield from (f"<li>{_item(item)}</li>" for item in block.items)
            yield "</ul>"
        case model.RulebookTable():
            yield from _table(block)
        case model.CardExample():
            yield '<div class="example">'
            for words, line in block.lines():
                strong = f"<strong>{words}:</strong> " if words else ""
                text = in_line(line, lambda text: escape(text, quote=False), _face)
                yield f"<p{_CLASSES.get(words, '')}>{strong}{text}</p>"
            yield "</div>"
    if origins is not None and (keys := keys_of(block)):
        yield '<ul class="keys">'
        yield from (f"<li><code>{escape(what)}</code> {escape(where)}</li>" for what, where in origins(keys))
        yield "</ul>"


def _item(item: model.Sentence) -> str:
    text = escape(item.text, quote=False)
    return f"<strong>{escape(item.term)}:</strong> {text}" if item.term else text


def _table(table: model.RulebookTable) -> Iterator[str]:
    heads = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in table.head)
    yield f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>"
    for row in table.rows:
        first, *rest = map(escape, row.cells)
        cells = "".join(f"<td>{cell}</td>" for cell in rest)
        yield f'<tr><th scope="row">{first}</th>{cells}</tr>'
    yield "</tbody>\n</table>"


def _face(card: Card) -> str:
    """A card with its sign, which is read aloud by name."""
    if card == JOKER:
        return f'<span class="card">{face(card)}</span>'
    colour = "card red" if is_red(card) else "card"
    name = card_name(card).removeprefix("the ")
    return f'<span class="{colour}" role="img" aria-label="{name}">{face(card)}{sign(card)}{_AS_TEXT}</span>'
