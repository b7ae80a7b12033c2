"""A rulebook in Markdown, or as one self-contained HTML page, for screen and printer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape
from importlib.resources import files
from string import Template
from typing import Final

from meldref.core.cards import JOKER, Card, face, sign
from meldref.ruleset.model import Ruleset
from meldref_authoring.rulebook import model
from meldref_authoring.rulebook.book import make_rulebook
from meldref_authoring.rulebook.model import Line, Origins, Rulebook, keys_of
from meldref_authoring.rulebook.words import card_name, in_line, is_red
from meldref_table.report.looks import looks

_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>|~&])")
_LEADING: Final = re.compile(r"^(#|[-+=](?=\s|$|[-+=])|\d+(?=[.)]))")
_AS_TEXT: Final = "\N{VARIATION SELECTOR-15}"
"""Behind a suit's sign: printed in the colour of the text, not as a picture of its own."""
_CLASSES: Final = {"Allowed": ' class="yes"', "Not allowed": ' class="no"'}


def as_markdown(book: Rulebook, origins: Origins | None = None) -> str:
    """The rulebook as a Markdown page, with the keys of each part if it is given who set them."""
    parts = [f"# {escaped(book.title)}", *_block(model.Paragraph(book.lead), origins)]
    for section in book.sections:
        parts.append(f"## {escaped(section.title)}")
        for block in section.blocks:
            parts += _block(block, origins)
    made = f"Written by meldref from the rules {_code(book.made_from)}."
    if book.source:
        made += f" {escaped('Source: ' + book.source)}."
    return "\n\n".join([*parts, "---", made]) + "\n"


def escaped(text: str) -> str:
    """Words as Markdown that shows them as they are."""
    line = _SPECIAL.sub(r"\\\1", " ".join(text.split()))
    leading = _LEADING.match(line)
    if leading is None:
        return line
    # A mark is escaped itself, after a number what follows it: 1\. and \#.
    place = leading.end() if leading[0].isdigit() else leading.end() - 1
    return f"{line[:place]}\\{line[place:]}"


def _code(text: str) -> str:
    """A text between backticks, more of them than it has in a row."""
    ticks = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    inner = f" {text} " if "`" in text else text
    return f"{ticks}{inner}{ticks}"


def _block(block: model.Block, origins: Origins | None) -> Iterator[str]:
    match block:
        case model.Paragraph():
            yield escaped(block.text)
        case model.Items(items):
            yield "\n".join(map(_item, items))
        case model.RulebookTable(head, rows):
            lines = [_row(head), f"|---{'|---:' * (len(head) - 1)}|"]
            lines += [_row(row.cells) for row in rows]
            yield "\n".join(lines)
        case model.CardExample():
            yield "\n>\n".join(f"> {_line(words, line)}" for words, line in block.lines())
    keys = () if origins is None else keys_of(block)
    if origins is not None and keys:
        sources = [f"{_code(what)} {escaped(where)}" for what, where in origins(keys)]
        yield f"*Keys:* {'; '.join(sources)}"


def _item(item: model.Sentence) -> str:
    """An item of a list, with the term before it."""
    term = f"**{escaped(item.term)}:** " if item.term else ""
    return f"- {term}{escaped(item.text)}"


def _row(cells: Iterable[str]) -> str:
    """A row of a table."""
    return f"| {' | '.join(map(escaped, cells))} |"


def _line(words: str, line: Line) -> str:
    """A line of an example, with the words that go before it."""
    text = in_line(line, _as_written, lambda card: face(card) + sign(card))
    return f"**{words}:** {text}" if words else text


def _as_written(text: str) -> str:
    """Words as Markdown that shows them, spaces at the ends included."""
    return _SPECIAL.sub(r"\\\1", text)


# --- HTML -----------------------------------------------------------------------------------------


def as_html(book: Rulebook, origins: Origins | None = None) -> str:
    """The rulebook as an HTML page, with the keys of each part if it is given who set them."""
    contents: list[str] = []
    sections: list[str] = []
    for section in book.sections:
        title = escape(section.title)
        anchor = "-".join(re.findall("[a-z]+", section.title.lower()))
        contents.append(f'<li><a href="#{anchor}">{title}</a></li>')
        sections.append(
            f'<section aria-labelledby="{anchor}">\n<h2 id="{anchor}">{title}</h2>\n'
            f"{_tagged(section.blocks, origins)}\n</section>"
        )
    return _part("page.html").substitute(
        title=_text(book.title),
        style=looks() + _part("page.css").template,
        lead=_tagged([model.Paragraph(book.lead)], origins),
        contents="\n".join(contents),
        sections="\n".join(sections),
        made_from=escape(book.made_from),
        source=f" Source: {_text(book.source)}." if book.source else "",
    )


def as_section(ruleset: Ruleset) -> str:
    """The rules without examples, as part of another HTML page.

    Headings are of the fourth level, and have no ids.
    """
    book = make_rulebook(ruleset, examples=False)
    parts = [_tagged([model.Paragraph(book.lead)], None)]
    for section in book.sections:
        parts += [f"<h4>{escape(section.title)}</h4>", _tagged(section.blocks, None)]
    return "\n".join(parts)


def block_html(block: model.Block, origins: Origins | None = None) -> str:
    """One block as HTML, with its keys if it is given who set them."""
    return _tagged([block], origins)


def _part(name: str) -> Template:
    return Template((files("meldref_authoring.rulebook") / name).read_text(encoding="utf-8"))


def _tagged(blocks: Iterable[model.Block], origins: Origins | None) -> str:
    return "\n".join(line for block in blocks for line in _lines(block, origins))


def _lines(block: model.Block, origins: Origins | None) -> Iterator[str]:
    match block:
        case model.Paragraph():
            yield f"<p>{_text(block.text)}</p>"
        case model.Items(items):
            yield "<ul>"
            for item in items:
                term = f"<strong>{escape(item.term)}:</strong> " if item.term else ""
                yield f"<li>{term}{_text(item.text)}</li>"
            yield "</ul>"
        case model.RulebookTable():
            yield from _table(block)
        case model.CardExample():
            yield '<div class="example">'
            for words, line in block.lines():
                strong = f"<strong>{words}:</strong> " if words else ""
                yield f"<p{_CLASSES.get(words, '')}>{strong}{in_line(line, _text, _face)}</p>"
            yield "</div>"
    keys = () if origins is None else keys_of(block)
    if origins is not None and keys:
        yield '<ul class="keys">'
        for what, where in origins(keys):
            yield f"<li><code>{escape(what)}</code> {escape(where)}</li>"
        yield "</ul>"


def _text(text: str) -> str:
    """A text of the rulebook, on one line: how a rules file broke it is no matter of the page."""
    return escape(" ".join(text.splitlines()), quote=False)


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
    shown = f"{face(card)}{sign(card)}{_AS_TEXT}"
    return f'<span class="{colour}" role="img" aria-label="{name}">{shown}</span>'
