"""The lines of a log: one table, which reading, writing, JSON and the names of players follow.

What may be written is said by `grammar/rgn.lark`, and what JSON may hold by
`grammar/events.schema.json`; the suite holds both against this table. A line that can say its event
in two ways has two rows, and the first that is right is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Final

from meldref.core import events
from meldref.core.cards import UNKNOWN, Card
from meldref.core.events import Event
from meldref.core.records import NamedTuple
from meldref.notation.actions import BY_KIND as ACTIONS_BY_KIND
from meldref.notation.parts import (
    CARD,
    CARDS,
    FACE,
    FACES,
    FIGURE,
    MELD_NUMBER,
    NAME,
    NUMBER,
    OWNER,
    PLAYS,
    POINTS,
    RANK,
    SIDE,
    TALLY,
    TEXT,
    WORDS,
    Part,
    after,
    pairs,
    quoted,
    several,
    write_name,
)
from meldref.notation.spelling import ABSENT, known_and_unknown, layers

REQUIRED: Final[Any] = object()
"""Stands where a part has no value that a line may leave out."""


class Field(NamedTuple):
    """A part of a line: the event's field that holds it, and what sort of part it is.

    `missing` is the field's value where the line leaves it out; a part without one has to be there.
    `key` is the key in JSON, where it is not the field's name, and `held` gives the part's value of
    an event that holds it in another way. `names` is the event's field of names that the part has
    as well.
    """

    name: str
    part: Part
    missing: Any = REQUIRED
    key: str = ""
    held: Callable[[Any], Any] | None = None
    names: str = ""

    @property
    def json_key(self) -> str:
        """Its key in JSON."""
        return self.key or self.name

    def value_left_out(self) -> Any:
        """The field's value in a line without this part; KeyError if it has to be there."""
        if self.is_required:
            raise KeyError(self.name)
        return self.missing

    @property
    def is_required(self) -> bool:
        """Whether a line has to have it."""
        return self.missing is REQUIRED

    def value_in(self, event: Any) -> Any:
        """The part's value; what is empty is left out of a line."""
        return getattr(event, self.name) if self.held is None else self.held(event)


class LineForm(NamedTuple):
    """One way to write a kind of line: the words that open it, its event, and its parts in order.

    `make` makes the event of the parts' values, if its class does not. `says` tells of an event
    whether this is the form for it. `rule` is the grammar's rule and `kind_in_json` what an object
    is called, where that is not the opening word. `write` is there for a line that is written in
    another way than word by word; only the grammar and the reader know how that is read.
    """

    opening: str
    kind: type[Any]
    fields: tuple[Field, ...]
    make: Callable[..., Event]
    says: Callable[[Any], bool] | None = None
    rule: str = ""
    kind_in_json: str = ""
    write: Callable[[Any], str] | None = None

    @property
    def rule_name(self) -> str:
        """The grammar's rule for it."""
        return self.rule or self.opening.replace("=", "assert").replace(" ", "_")

    @property
    def json_keys(self) -> dict[str, str]:
        """The keys that say what an object is, with their words."""
        opening, _, second = (self.kind_in_json or self.opening).partition(" ")
        if opening == "=":
            return {"event": "assert", "what": second}
        return {"event": opening, "reason": second} if second else {"event": opening}

    def written(self, event: Any) -> str:
        """An event as this form writes it.

        Raises:
            ValueError: the notation has no way to write it.
        """
        if self.write is not None:
            return self.write(event)
        words = [self.opening]
        for field in self.fields:
            value = field.value_in(event)
            if field.is_required or value != field.missing:
                words.append(field.part.write(value))
        return " ".join(words)


def _line(
    opening: str,
    kind: type[Any],
    *fields: Field,
    make: Callable[..., Event] | None = None,
    says: Callable[[Any], bool] | None = None,
    rule: str = "",
    kind_in_json: str = "",
    write: Callable[[Any], str] | None = None,
) -> LineForm:
    """A row of the table; most events are made by their classes."""
    return LineForm(opening, kind, fields, make or kind, says, rule, kind_in_json, write)


def _write_header(event: events.Header) -> str:
    return f"[{event.key} {quoted(event.value)}]"


def _write_turn(event: events.Turn) -> str:
    if not event.actions:
        raise ValueError("a log cannot hold a turn of nothing")
    name = quoted(event.player) if event.player.lower() in LINE_WORDS else write_name(event.player)
    number = "" if event.number is None else f"{NUMBER.write(event.number)}. "
    actions = [ACTIONS_BY_KIND[type(action)].written(action) for action in event.actions]
    return f"{number}{name}: {'; '.join(actions)}"


def _row_held(event: events.Deal | events.AssertHand) -> tuple[Card, ...]:
    """The cards of a hand in one row, those that nobody saw behind the others."""
    if UNKNOWN in event.cards:
        raise ValueError("an unknown card cannot be written here")
    return (*event.cards, *[UNKNOWN] * event.unknown)


def _hand_asserted(player: str, row: tuple[Card, ...]) -> events.AssertHand:
    return events.AssertHand(player, None, *known_and_unknown(row))


def _points(word: str, part: Part) -> LineForm:
    """A line of amounts, all of which have one kind of event."""
    return _line(
        word,
        events.Points,
        Field("amounts", pairs(SIDE, part), key="points"),
        make=partial(events.Points, word),
        says=lambda event: event.kind == word,
    )


def _end(reason: str, *fields: Field) -> LineForm:
    """An end of a hand; only one has a name."""
    return _line(
        f"end {reason}",
        events.HandEnd,
        *fields,
        make=partial(events.HandEnd, reason),
        says=lambda event: event.reason == reason and (bool(fields) or event.player is None),
    )


def _tallies_held(event: events.Points) -> tuple[tuple[str, int | str | None], ...]:
    """The scores of a hand, those who did not play it behind the others."""
    return (*event.amounts, *[(name, ABSENT) for name in event.absent])


def _tallied(rows: Iterable[tuple[str, Any]]) -> events.Points:
    rows = tuple(rows)
    amounts = tuple([(name, points) for name, points in rows if points != ABSENT])
    return events.Points(
        "score", amounts, tuple([name for name, points in rows if points == ABSENT])
    )


_PLAYER: Final = Field("player", NAME)
_MELD: Final = Field("meld", MELD_NUMBER)

LINES: Final[tuple[LineForm, ...]] = (
    _line(
        "[",
        events.Header,
        Field("key", TEXT),
        Field("value", TEXT),
        kind_in_json="header",
        write=_write_header,
    ),
    _line("cut", events.Cut, Field("cards", pairs(NAME, CARD))),
    _line(
        "hand",
        events.HandStart,
        Field("number", NUMBER, None),
        Field("dealer", after("dealer", NAME), None),
    ),
    _line("wild", events.WildRank, Field("rank", RANK)),
    _line(
        "deal",
        events.Deal,
        _PLAYER,
        Field("cards", FACES, held=_row_held),
        make=lambda player, row: events.Deal(player, *known_and_unknown(row)),
    ),
    _line("up", events.UpCard, Field("card", FACE)),
    _line("stock", events.StockOrder, Field("cards", FACES)),
    _line(
        "",
        events.Turn,
        Field("number", NUMBER, None),
        _PLAYER,
        kind_in_json="turn",
        write=_write_turn,
    ),
    _line("reshuffle", events.Reshuffle),
    _line("show", events.Show, _PLAYER, Field("cards", CARDS)),
    _line("gap", events.Gap),
    _end("out", Field("player", NAME, None)),
    _end("stock"),
    _end("agreed"),
    _line(
        "score",
        events.Points,
        Field("amounts", pairs(SIDE, TALLY), key="points", held=_tallies_held, names="absent"),
        make=_tallied,
        says=lambda event: event.kind == "score",
    ),
    _points("total", FIGURE),
    _points("chips", POINTS),
    _line("result", events.Result, Field("players", several(SIDE))),
    _line("void", events.Void, Field("reason", WORDS, "")),
    _line("undo", events.Undo),
    _line(
        "adjust",
        events.Adjust,
        Field("player", SIDE),
        Field("points", POINTS),
        Field("reason", TEXT, ""),
    ),
    _line("note", events.Note, Field("text", TEXT)),
    _line(
        "= hand",
        events.AssertHand,
        _PLAYER,
        Field("count", NUMBER),
        says=lambda event: event.count is not None,
        rule="assert_count",
    ),
    _line(
        "= hand",
        events.AssertHand,
        _PLAYER,
        Field("cards", FACES, (), held=_row_held),
        make=_hand_asserted,
    ),
    _line("= pile", events.AssertPile, Field("cards", CARDS, ())),
    _line(
        "= table",
        events.AssertTable,
        _MELD,
        Field("layers", pairs(OWNER, PLAYS, layers)),
        make=events.AssertTable.of,
        says=lambda event: bool(event.layers),
        rule="assert_layers",
    ),
    _line("= table", events.AssertTable, _MELD, Field("cards", PLAYS)),
    _line("= stock", events.AssertStock, Field("count", NUMBER)),
    _line(
        "= score",
        events.AssertScore,
        Field("player", SIDE),
        Field("points", POINTS),
    ),
    _line(
        "= score",
        events.AssertScores,
        Field("amounts", pairs(SIDE, POINTS), key="points"),
        make=events.AssertScores.of,
        rule="assert_scores",
        kind_in_json="= scores",
    ),
)

LINE_WORDS: Final = frozenset(
    form.opening.partition(" ")[0] for form in LINES if form.opening[:1].isalpha()
)
"""The words that open a line: a player of such a name is quoted there."""


def _forms_by(name: str, forms: Iterable[LineForm]) -> Mapping[Any, tuple[LineForm, ...]]:
    """Forms by one of their attributes, in the order of the table."""
    table: dict[Any, tuple[LineForm, ...]] = {}
    for form in forms:
        key = getattr(form, name)
        table[key] = (*table.get(key, ()), form)
    return table


BY_OPENING: Final = _forms_by("opening", [form for form in LINES if form.write is None])
"""The forms that are read word by word."""
_BY_KIND: Final = _forms_by("kind", LINES)


def form_of(event: Event) -> LineForm:
    """The form that writes an event.

    Raises:
        ValueError: there is none.
    """
    for form in _BY_KIND[type(event)]:
        if form.says is None or form.says(event):
            return form
    raise ValueError(f"a log cannot hold {event}")


def with_names(event: Event, roster: Mapping[str, str]) -> dict[str, Any]:
    """The fields of an event that name players in other words than a roster, as it has them."""
    renamed: dict[str, Any] = {}
    for form in _BY_KIND.get(type(event), ()):
        for field in form.fields:
            if field.part.rename is None:
                continue
            value = getattr(event, field.name)
            other = field.part.rename(value, roster) if value is not None else None
            if other != value:
                renamed[field.name] = other
            if field.names:
                names = getattr(event, field.names)
                if (others := tuple([roster[name] for name in names])) != names:
                    renamed[field.names] = others
    return renamed
