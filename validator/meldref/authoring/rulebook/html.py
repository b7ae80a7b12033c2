"""A rulebook as one HTML page that needs nothing else: for the screen, light or dark, and for the printer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Final

from meldref.authoring.rulebook.cardtext import face, is_red, role_words, sign, stands_for
from meldref.authoring.rulebook.model import (
    Block,
    CardExample,
    Cards,
    Items,
    Line,
    Origins,
    Paragraph,
    Rulebook,
    RulebookTable,
    Section,
    Sentence,
    keys_of,
)
from meldref.authoring.rulebook.words import card_name
from meldref.core.cards import ANY_SUIT, JOKER, Card, Played

_STYLE: Final = """\
:root { color-scheme: light dark; --ink: #1c1b19; --paper: #fdfcf9; --line: #d8d3c7; --soft: #f3efe6;
  --red: #b3121d; --yes: #1a6b3c; --no: #a3321a; --faint: #5f5a50; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9e6df; --paper: #1b1a18; --line: #45423b; --soft: #26241f;
  --red: #ff8a8a; --yes: #7fd6a0; --no: #ffab91; --faint: #b0aa9d; } }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1.05rem/1.6 Georgia, "Times New Roman", serif; }
main { max-width: 40rem; margin: 0 auto; padding: 2rem 1.2rem 3rem; }
h1, h2 { line-height: 1.2; font-weight: 600; }
h1 { font-size: 2.1rem; margin: 0 0 .6rem; }
h2 { font-size: 1.35rem; margin: 2.2rem 0 .6rem; padding-top: .5rem; border-top: 1px solid var(--line); }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .1rem 1rem; }
a { color: inherit; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: .25rem 1.4rem .25rem 0; text-align: left;
  font-weight: normal; }
thead th { color: var(--faint); }
.example { background: var(--soft); border-radius: .4rem; padding: .6rem .9rem; margin: 1rem 0; font-size: .95em; }
.example p { margin: .25rem 0; }
.example strong { font-weight: 600; }
.yes strong { color: var(--yes); }
.no strong { color: var(--no); }
.card { white-space: nowrap; font-family: "Segoe UI", "Helvetica Neue", Arial, sans-serif; font-weight: 600; }
.red { color: var(--red); }
.keys { color: var(--faint); font-size: .8em; margin: .2rem 0 1rem; padding-left: 1rem; }
footer { margin-top: 2.5rem; padding-top: .6rem; border-top: 1px solid var(--line);
  color: var(--faint); font-size: .85em; }
@media print { body { background: none; font-size: 10.5pt; } main { max-width: none; padding: 0; }
  nav { display: none; } h2 { break-after: avoid; } .example, table, li { break-inside: avoid; }
  .example { border: 1px solid var(--line); } }
"""


_AS_TEXT: Final = "\N{VARIATION SELECTOR-15}"
"""Behind a suit's sign: printed in the colour of the text, not as a picture of its own."""

_CLASSES: Final = {"Allowed": ' class="yes"', "Not allowed": ' class="no"'}


def as_html(book: Rulebook, origins: Origins | None = None) -> str:
    """The rulebook as an HTML page.

    Args:
        book: what `make_rulebook` made.
        origins: who set a key, where the keys shall stand below what they say.
    """
    return "\n".join(_page(book, origins)) + "\n"


def _page(book: Rulebook, origins: Origins | None) -> Iterator[str]:
    title = escape(book.title)
    yield "<!DOCTYPE html>"
    yield '<html lang="en">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{title}: the rules</title>"
    yield f"<style>\n{_STYLE}</style>"
    yield "</head>"
    yield "<body>"
    yield "<main>"
    yield f"<h1>{title}</h1>"
    yield from _block(Paragraph(book.lead), origins)
    yield '<nav aria-label="Contents">'
    yield "<ul>"
    for section in book.sections:
        yield f'<li><a href="#{_anchor(section)}">{escape(section.title)}</a></li>'
    yield "</ul>"
    yield "</nav>"
    for section in book.sections:
        yield f'<section aria-labelledby="{_anchor(section)}">'
        yield f'<h2 id="{_anchor(section)}">{escape(section.title)}</h2>'
        for block in section.blocks:
            yield from _block(block, origins)
        yield "</section>"
    source = f" Source: {escape(book.source)}." if book.source else ""
    made = f"Written by meldref from the rules <code>{escape(book.made_from)}</code>.{source}"
    yield f"<footer><p>{made}</p></footer>"
    yield "</main>"
    yield "</body>"
    yield "</html>"


def _anchor(section: Section) -> str:
    return "-".join(re.findall("[a-z]+", section.title.lower()))


def _block(block: Block, origins: Origins | None) -> Iterator[str]:
    match block:
        case Paragraph():
            yield f"<p>{escape(block.text, quote=False)}</p>"
        case Items():
            yield "<ul>"
            yield from (f"<li>{_item(item)}</li>" for item in block.items)
            yield "</ul>"
        case RulebookTable():
            yield from _table(block)
        case CardExample():
            yield '<div class="example">'
            yield from (_told(words, line) for words, line in block.told())
            yield "</div>"
    if origins is not None and (keys := keys_of(block)):
        yield '<ul class="keys">'
        yield from (f"<li><code>{escape(what)}</code> {escape(where)}</li>" for what, where in origins(keys))
        yield "</ul>"


def _item(item: Sentence) -> str:
    text = escape(item.text, quote=False)
    return f"<strong>{escape(item.term)}:</strong> {text}" if item.term else text


def _table(table: RulebookTable) -> Iterator[str]:
    yield "<table>"
    yield "<thead><tr>" + "".join(f'<th scope="col">{escape(cell)}</th>' for cell in table.head) + "</tr></thead>"
    yield "<tbody>"
    for row in table.rows:
        first, *rest = map(escape, row.cells)
        cells = "".join(f"<td>{cell}</td>" for cell in rest)
        yield f'<tr><th scope="row">{first}</th>{cells}</tr>'
    yield "</tbody>"
    yield "</table>"


def _told(words: str, line: Line) -> str:
    """A line of an example."""
    strong = f"<strong>{words}:</strong> " if words else ""
    return f"<p{_CLASSES.get(words, '')}>{strong}{_line(line)}</p>"


def _line(line: Line) -> str:
    return "".join(_cards(part) if isinstance(part, Cards) else escape(part, quote=False) for part in line)


def _cards(cards: Cards) -> str:
    return " ".join(map(_card, cards.cards))


def _card(played: Played) -> str:
    """A card, and what it stands for."""
    role = stands_for(played)
    if role is None:
        return _face(played.card)
    said = role_words(role) if role >= ANY_SUIT else _face(role)
    return f"{_face(played.card)} (as {said})"


def _face(card: Card) -> str:
    """A card with its sign, which is read aloud by name."""
    if card == JOKER:
        return f'<span class="card">{face(card)}</span>'
    colour = "card red" if is_red(card) else "card"
    name = card_name(card).removeprefix("the ")
    return f'<span class="{colour}" role="img" aria-label="{name}">{face(card)}{sign(card)}{_AS_TEXT}</span>'
