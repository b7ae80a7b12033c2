"""A position as a picture: self-contained SVG, with the cards of reports and the page, in four colours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from meldref.core.cards import (
    ANY_SUIT,
    JOKER,
    UNKNOWN,
    Card,
    Played,
    Role,
    card_text,
    each,
    face,
    played_text,
    role_text,
    sign,
    suit_of,
)
from meldref.core.text import many, one_line
from meldref.position.model import Ending, OnTable, Position, TableMeld, uncounted
from meldref.report.elements import Html, join, tag
from meldref_table.report.looks import drawings

_WIDTH: Final = 760
_CARD: Final = (34, 48)
_STEP: Final = 27
"""How far the next card of a row lies to the right."""
_ROW: Final = 62
_LEFT: Final = 150
_INKS: Final = ("#176b34", "#1655a8", "#b81f2d", "#1f1d1b")
"""Clubs, diamonds, hearts and spades, as reports and the page have them in four colours."""
_OF_JOKERS: Final = "#6d4300"
_PAPER: Final = "#fffdf6"
_BRASS: Final = "#d2a24c"
_CLOTH: Final = "#1c6147"
_ON_CLOTH: Final = "#f3f7ef"
_SOFT: Final = "#cfe3d4"
_GLOW: Final = "#ffe08a"
_USE: Final = re.compile('<use xlink:href="#([^"]+)"')
"""In the old spelling, which every program for pictures reads."""
_FONT: Final = "'DejaVu Sans', 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"


def position_svg(position: Position) -> str:
    """A position as an SVG document."""
    parts: list[Html] = []
    y = 14
    for seat in sorted(position.order):
        parts += _seat(position, seat, y)
        y += _row_height(position.held[seat])
    parts.append(_text(16, y + 28, "stock", size=12, ink=_SOFT))
    parts += _stock(position, y)
    parts.append(_text(_LEFT + 90, y + 28, "pile", size=12, ink=_SOFT))
    pile = position.pile if position.pile_known else []
    parts += _cards([Played(card) for card in pile], _LEFT + 130, y)
    if not pile:
        parts.append(_text(_LEFT + 130, y + 28, "no card" if position.pile_known else "not known"))
    y += _row_height(len(pile), _LEFT + 130) + 6
    x = 16
    for number, meld in enumerate(position.melds, start=1):
        if not meld.cards:
            continue
        wide = _STEP * len(meld.cards) + _CARD[0] - _STEP + 18
        if x > 16 and x + wide > _WIDTH:
            x, y = 16, y + 84
        parts += _meld(position, meld, number, x, y)
        x += wide
    height = y + (84 if any(meld.cards for meld in position.melds) else 8)
    felt = tag("rect", width=_WIDTH, height=height, rx=12, fill=_CLOTH)
    title = f"{', '.join(one_line(name) for name in position.players)}: the table"
    return _document(title, _WIDTH, height, [felt, *parts])


def cards_svg(cards: Sequence[Played]) -> str:
    """A row of cards as an SVG document: a hand, or a meld."""
    width = _STEP * max(len(cards) - 1, 0) + _CARD[0] + 4
    title = " ".join(map(played_text, cards)) or "no card"
    return _document(title, width, _CARD[1] + 4, _cards(cards, 2, 2, _STEP * len(cards) + _WIDTH))


def _document(title: str, width: int, height: int, parts: Iterable[Html]) -> Html:
    drawn = join(parts)
    symbols = drawings(_USE.findall(drawn)).replace("<use href", "<use xlink:href")
    return tag(
        "svg",
        tag("title", title),
        tag("defs", Html(symbols)),
        drawn,
        xmlns="http://www.w3.org/2000/svg",
        **{"xmlns:xlink": "http://www.w3.org/1999/xlink"},
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
        font_family=_FONT,
    )


def in_order(meld: TableMeld) -> list[OnTable]:
    """The cards of a meld as they lie: a run from its lowest card, no matter who laid which."""
    if meld.shape is None:
        return meld.cards
    places = {role: place for place, role in enumerate(meld.shape.roles)}
    return sorted(meld.cards, key=lambda laid: places.get(laid.role, len(places)))


def _row_height(cards: int, left: int = _LEFT) -> int:
    fit = (_WIDTH - left - _CARD[0] - 10) // _STEP + 1
    return _ROW + max(0, (min(cards, 400) - 1) // fit) * (_CARD[1] + 6)


def _seat(position: Position, seat: int, y: int) -> Iterator[Html]:
    """A player's row: name, points, and the hand."""
    name = one_line(position.players[seat], 16, word=16)
    moves = position.mover_known and position.ending is Ending.NONE and seat == position.turn.seat
    if moves:
        yield tag(
            "rect",
            x=6,
            y=y - 5,
            width=_LEFT - 12,
            height=58,
            rx=8,
            fill="none",
            stroke=_GLOW,
            stroke_width=2,
        )
    yield _text(16, y + 20, f"{'▶ ' if moves else ''}{name}", bold=True)
    held = position.held[seat]
    cards = "hand not known" if uncounted(position.unknown[seat]) else many(held, "card")
    floats = ", floating" if seat in position.floating else ""
    yield _text(
        16,
        y + 40,
        f"{many(position.points[seat], 'point')}, {cards}{floats}",
        size=11,
        ink=_SOFT,
    )
    if not uncounted(position.unknown[seat]):
        hand = [Played(card) for card in each(position.hands[seat])] + [
            Played(UNKNOWN)
        ] * position.unknown[seat]
        yield from _cards(hand, _LEFT, y)


def _stock(position: Position, y: int) -> Iterator[Html]:
    if uncounted(position.stock_size):
        yield _text(_LEFT - 60, y + 28, "not known")
    elif position.stock_size:
        yield from _cards([Played(UNKNOWN)], _LEFT - 60, y)
        yield _text(_LEFT - 18, y + 28, many(position.stock_size, "card"), size=12)
    else:
        yield _text(_LEFT - 60, y + 28, "no card")


def _meld(position: Position, meld: TableMeld, number: int, x: int, y: int) -> Iterator[Html]:
    """A meld: its cards, below each who laid it, and its number."""
    laid = in_order(meld)
    yield from _cards([Played(card.card, card.role) for card in laid], x, y, x + _WIDTH)
    for at, card in enumerate(laid):
        short = one_line(position.players[card.seat], 3, word=3)
        yield _text(x + at * _STEP + 3, y + 60, short, size=9, bold=True)
    yield _text(
        x,
        y + 75,
        f"m{number}" + (": no meld" if meld.shape is None else ""),
        size=11,
        ink=_SOFT,
    )


def _cards(cards: Sequence[Played], x: int, y: int, width: int = _WIDTH) -> Iterator[Html]:
    """Cards in rows, each over the one before it."""
    fit = max(1, (width - x - _CARD[0] - 10) // _STEP + 1)
    for at, played in enumerate(cards[:400]):
        yield tag(
            "g",
            tag("title", _name(played)),
            _card(played),
            transform=f"translate({x + at % fit * _STEP} {y + at // fit * (_CARD[1] + 6)})",
        )


def _name(played: Played) -> str:
    """A card as it is called: `5♥`, `Joker as Q♠`."""
    if played.card == UNKNOWN:
        return "unknown card"
    name = face(played.card) + sign(played.card)
    return name if played.role in {None, played.card} else f"{name} as {_shown(played.role)}"


def _shown(role: Role) -> str:
    """What a card stands for, as it is printed: `Q♠`, or `10` where the suit is open."""
    return role_text(role).replace("T", "10") if role >= ANY_SUIT else face(role) + sign(role)


def _card(played: Played) -> Iterator[Html]:
    card, (wide, high) = played.card, _CARD
    yield tag("rect", width=wide, height=high, rx=3, fill=_PAPER, stroke="#0003")
    name = "back" if card == UNKNOWN else card_text(card)
    link = {"xlink:href": f"#s-{name}"}
    yield tag("use", **link, width=wide, height=high, color=_ink(card))
    if played.role not in {None, card}:
        assert played.role is not None
        words = _shown(played.role)
        broad = 8 * len(words) + 6
        yield tag("rect", x=2, y=high - 14, width=broad, height=12, rx=6, fill=_BRASS)
        yield _text(5, high - 5, words, size=9, ink="#2b1c00", bold=True)


def _ink(card: Card) -> str | None:
    if card == UNKNOWN:
        return None
    return _OF_JOKERS if card == JOKER else _INKS[suit_of(card)]


def _text(
    x: int, y: int, words: str, *, size: int = 14, ink: str = _ON_CLOTH, bold: bool = False
) -> Html:
    return tag(
        "text", words, x=x, y=y, font_size=size, fill=ink, font_weight="bold" if bold else None
    )
