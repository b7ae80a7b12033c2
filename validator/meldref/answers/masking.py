"""One line of a log as a viewer could have written it: unseen cards become `?`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from meldref.core import events
from meldref.core.cards import (
    EMPTY,
    ONE,
    UNKNOWN,
    Card,
    Cards,
    cards_text,
    count,
    each,
    size,
)
from meldref.core.diagnostics import is_among
from meldref.core.events import Event, Line, cards_of
from meldref.core.records import NamedTuple, changed
from meldref.notation.columns import action_columns
from meldref.notation.lenient import Rewritten, rewritten
from meldref.notation.parts import unseen_runs, write_name
from meldref.notation.reader import Read, read_line
from meldref.notation.roster import Roster
from meldref.notation.scanner import BLANKS, pattern, split
from meldref.notation.spelling import NAME_PATTERN
from meldref.notation.syntax import HEADER_KEYS
from meldref.notation.writer import write_line
from meldref.position.model import Position
from meldref.rules.pages import PAGES

EVERYBODY: Final = "public"
"""The viewer who saw what everybody at the table saw."""
WITHHELD: Final = "?"
"""What stands in the place of a text: no program can tell what words say of cards."""

_DATE: Final = r"\d{4}(?:-\d{2}){0,2}"
"""The value of a header `Date`, if it is no text of another kind."""
_ROW: Final = (
    rf"[{BLANKS}]*(?i:deal[{BLANKS}]*(?:NAME)|stock|=[{BLANKS}]*hand[{BLANKS}]*(?:NAME))[{BLANKS}]*"
).replace("NAME", rf'"[^"]*"|{NAME_PATTERN}')
"""What stands before the cards that are masked together."""
_TRAILER: Final = r"\{(?P<annotation>[^{}]*)\}|#(?P<comment>.*)"
_TURN_OF: Final = r'\s*(?:\d+\.\s*)?"?(.*?)"?\s*:'
"""Whose turn an unreadable line may be, as the replay looks for it."""


class Seen(NamedTuple):
    """Who looks at a line: None for everybody, and the `roster` of the game.

    `where` says where the hand stands by what the viewer saw before, None if no cards are dealt;
    it is asked where that matters. Free texts are kept only with `texts`.
    """

    player: str | None
    roster: Roster
    where: Callable[[], Position | None]
    texts: bool = False


class _Edit(NamedTuple):
    """Another text in the place of what stands between two offsets."""

    begin: int
    end: int
    text: str


def masked(read: Read, seen: Seen) -> Read:
    """A line without what the viewer could not know.

    A line that stays as it is comes back itself.
    """
    line = read[0]
    event = line.event
    if is_unreadable(line):
        return _unreadable(line, seen)
    visible = None if event is None else _kept(event, seen)
    if seen.texts:
        wanted = line._replace(event=visible)
    else:
        wanted = line._replace(
            event=_without_text(visible),
            comment=f" {WITHHELD}" if line.comment else line.comment,
            annotation=WITHHELD if line.annotation else line.annotation,
            expected=_known_codes(line.expected),
        )
    if wanted == line:
        return read
    other = None if event is None else rewritten(line.text)
    edits = list(_edits(line, wanted, other))
    is_as_written = not edits and wanted.expected == line.expected
    return read if is_as_written else _edited(line, wanted, edits, seen.roster)


def _known_codes(expected: Sequence[str]) -> tuple[str, ...]:
    """The codes that a line expects, without words that are none; of a house rule, not its name."""
    codes: list[str] = []
    for code in expected:
        if is_among(code, ["house"]):
            codes.append("house")
        elif any(is_among(declared, [code]) for declared in PAGES):
            codes.append(code)
    return tuple(dict.fromkeys(codes))


def is_unreadable(line: Line) -> bool:
    """Whether nobody can read a line, so that none of it is kept.

    One that is blank or a comment can be.
    """
    body = line.text.lstrip(BLANKS)
    is_comment = body.startswith("#") and line.comment is not None
    return line.event is None and bool(body) and not is_comment


# --- what is kept of an event ---------------------------------------------------------------------


def _kept(event: Event, seen: Seen) -> Event:
    """An event without the cards that the viewer did not see; a view is the viewer's."""
    if isinstance(event, events.Header) and event.key == "View":
        return changed(event, value=seen.player or EVERYBODY)
    if isinstance(event, events.StockOrder):
        return events.StockOrder((UNKNOWN,) * len(event.cards))
    if seen.player is not None and getattr(event, "player", None) == seen.player:
        return event
    if isinstance(event, events.Deal):
        return changed(event, cards=(), unknown=len(event.cards) + event.unknown)
    if isinstance(event, events.Turn):
        return event._replace(actions=tuple(_as_seen(event.actions, seen)))
    if isinstance(event, events.AssertHand) and event.cards:
        held = _held(event, seen)
        unknown = event.unknown + len(event.cards) - size(held)
        return changed(event, cards=tuple(each(held)), unknown=unknown) if unknown else event
    return event


def _as_seen(actions: Iterable[events.Action], seen: Seen) -> Iterator[events.Action]:
    """The actions of another player: a draw shows its card only where that lay in a known order.

    Everybody knows the order of a pile that was turned over unshuffled.
    """
    is_first = True
    for action in actions:
        if type(action) is not events.Draw:
            yield action
            continue
        is_known = is_first and action.card != UNKNOWN and action.card == _top_of_stock(seen)
        yield action if is_known else events.Draw(UNKNOWN)
        is_first = False


def _top_of_stock(seen: Seen) -> Card:
    """The card that is drawn next, as far as the viewer knows."""
    position = seen.where()
    return position.stock[-1] if position is not None and position.stock else UNKNOWN


def _held(event: events.AssertHand, seen: Seen) -> Cards:
    """Those cards of an asserted hand that the viewer knows to be there."""
    position = seen.where()
    if position is None or event.player not in position.players:
        return EMPTY
    hand = position.hands[position.players.index(event.player)]
    cards = [card for card in event.cards if card != UNKNOWN]
    named = {card: cards.count(card) for card in cards}
    return sum(min(number, count(hand, card)) * ONE[card] for card, number in named.items())


def _hides_cards(event: Event | None, visible: Event | None) -> bool:
    """Whether an event has cards that are not kept."""
    return event != visible and sorted(cards_of(event)) != sorted(cards_of(visible))


# --- where that stands in the text ----------------------------------------------------------------


def _edits(line: Line, wanted: Line, other: Rewritten | None) -> Iterator[_Edit]:
    """What changes in the text of a line, from left to right."""
    visible = wanted.event
    read = line.text if other is None else other.text
    end = split(read).body_end
    body, trailers = read[:end], read[end:]
    if _hides_cards(line.event, visible):
        yield from _of_cards(line, visible, body, other)
    place = _place_of_text(line.event, body)
    if place is not None and _text_of(line.event) != _text_of(visible):
        begin, stop = place
        instead = _text_of(visible) if body[begin - 1] == '"' else f'"{_text_of(visible)}"'
        yield _placed(begin, stop, instead, other)
    for trailer in pattern(_TRAILER).finditer(trailers):
        kind = trailer.lastgroup or ""
        text = wanted.comment if kind == "comment" else wanted.annotation
        if text is not None and trailer[kind] != text:
            begin, stop = trailer.span(kind)
            yield _placed(end + begin, end + stop, text, other)


def _placed(begin: int, end: int, text: str, other: Rewritten | None) -> _Edit:
    """An edit of the line as it was read, at its place in the line as it is written."""
    return _Edit(*((begin, end) if other is None else other.span(begin, end)), text)


def _of_cards(
    line: Line, visible: Event | None, body: str, other: Rewritten | None
) -> Iterator[_Edit]:
    """The cards that were not seen: those drawn one by one, those of a row together."""
    if isinstance(line.event, events.Turn) and isinstance(visible, events.Turn):
        for step, action in enumerate(line.event.actions):
            if action != visible.actions[step]:
                begin, end = (column - 1 for column in action_columns(line.text, step))
                card = re.search(r"\S+\Z", line.text[begin:end])
                if card is not None:
                    yield _Edit(begin + card.start(), end, "?")
        return
    row = pattern(_ROW).match(body)
    if row is not None:
        yield _placed(row.end(), len(body.rstrip(BLANKS)), _row_text(visible), other)


def _row_text(row: Any) -> str:
    """The cards of a hand or of the stock: those that were seen, and how many were not."""
    cards = [card for card in row.cards if card != UNKNOWN]
    unseen = len(row.cards) - len(cards) + getattr(row, "unknown", 0)
    return " ".join([*filter(None, (cards_text(cards),)), *unseen_runs(unseen)])


def _text_of(event: Event | None) -> str:
    """The free text of an event; nothing if it has none."""
    if isinstance(event, events.Header):
        return event.value if _is_free(event) else ""
    if isinstance(event, events.Note):
        return event.text
    return event.reason if isinstance(event, (events.Adjust, events.Void)) else ""


def _is_free(header: events.Header) -> bool:
    """Whether the value of a header may say anything."""
    if header.key == "Date":
        return pattern(_DATE).fullmatch(header.value) is None
    return header.key not in HEADER_KEYS or header.key == "View"


def _place_of_text(event: Event | None, body: str) -> tuple[int, int] | None:
    """Where the free text of an event stands, without its quotes."""
    if not _text_of(event):
        return None
    quoted = pattern(rf'"([^"]*)"[{BLANKS}\]]*\Z').search(body)
    bare = pattern(rf"(?i:void)[{BLANKS}]*(.*?)[{BLANKS}]*\Z")
    match = quoted or bare.search(body)
    return None if match is None else match.span(1)


# --- the line that results ------------------------------------------------------------------------


def _edited(line: Line, wanted: Line, edits: Iterable[_Edit], roster: Roster) -> Read:
    """A line with its edits.

    Where it would not be read as it should, it is written in canonical form.
    """
    text = line.text
    for edit in sorted(edits, reverse=True):
        text = text[: edit.begin] + edit.text + text[edit.end :]
    again = read_line(text, line.number, roster=roster)
    if not again[1] and _means(again[0], wanted):
        return again
    text = write_line(wanted)
    return wanted._replace(text=text), ()


def _means(line: Line, wanted: Line) -> bool:
    """Whether a line says what was wanted, wherever on it that stands."""
    return line._replace(text="", event=_unplaced(line.event)) == wanted._replace(
        text="", event=_unplaced(wanted.event)
    )


def _unplaced(event: Event | None) -> Event | None:
    return event._replace(name_column=1) if isinstance(event, events.Turn) else event


def _without_text(event: Event | None) -> Event | None:
    """An event without its free text."""
    if not _text_of(event):
        return event
    if isinstance(event, events.Header):
        return event if event.key == "View" else changed(event, value=WITHHELD)
    if isinstance(event, events.Note):
        return changed(event, text=WITHHELD)
    return changed(event, reason=WITHHELD)


def _unreadable(line: Line, seen: Seen) -> Read:
    """A line that nobody can read: it shows only whose turn it may have been."""
    start = re.match(_TURN_OF, line.text)
    player = start[1] if start is not None else ""
    position = seen.where()
    there = position is not None and player in position.players
    text = f"{write_name(player)}: {WITHHELD}" if there else WITHHELD
    if ":" in line.text and not there:
        text = f"{WITHHELD}: {WITHHELD}"
    expected = line.expected if seen.texts else _known_codes(line.expected)
    if expected:
        text = f"{text} ?! {', '.join(expected)}"
    return read_line(text, line.number)
