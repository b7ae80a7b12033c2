"""What a log can say, line by line: the vocabulary of `docs/notation.md` as frozen records.

Actions are parts of a turn; lines are everything else. Nothing here knows a rule of play.
Names of players are as written in `[Players]`, without quotes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeAlias

from meldref.core.cards import UNKNOWN, Card, Cards, Played, counted
from meldref.core.records import NamedTuple, derived, record

# --- actions --------------------------------------------------------------------------------------


def _counted(laid: Meld | LayOff) -> Cards:
    return counted([played.card for played in laid.cards])


@record
class Draw:
    """Draws the stock's top card; `UNKNOWN` where it is not written."""

    card: Card


@record
class Take:
    """Takes the discard pile from its top down to a card; `count` is the written `xN`.

    `UNKNOWN` where nobody told which card was the deepest: then `count` says how many it was.
    """

    card: Card
    count: int | None = None


@record
class Meld:
    """Lays a new meld; `number` is the written `mN`. `counted` are its cards as a counted set."""

    cards: tuple[Played, ...]
    number: int | None = None
    counted: Cards = derived(_counted)


@record
class LayOff:
    """Lays cards off, together, on the meld of that number (None: not named).

    `counted` are the cards as a counted set.
    """

    cards: tuple[Played, ...]
    target: int | None = None
    counted: Cards = derived(_counted)


@record
class Swap:
    """Exchanges a wild card for the natural card it stands for (None: meld not named)."""

    card: Card
    target: int | None = None


@record
class Discard:
    """Ends the turn with a card on the pile; `UNKNOWN` where it lies face down or was not seen."""

    card: Card


@record
class Call:
    """Calls "Rummy!" on cards of the pile."""

    cards: tuple[Card, ...]


@record
class Buy:
    """Takes the last discard out of turn, with what has to be taken with it."""

    card: Card


@record
class Challenge:
    """Contests the previous player's last discard."""


@record
class Pass:
    """Declines the pile when the stock is empty."""


Action: TypeAlias = Draw | Take | Meld | LayOff | Swap | Discard | Call | Buy | Challenge | Pass


# --- lines ----------------------------------------------------------------------------------------


@record
class Header:
    """`[Key "value"]`."""

    key: str
    value: str


@record
class HandStart:
    """`hand 1 dealer Cy`."""

    number: int | None = None
    dealer: str | None = None


@record
class Deal:
    """`deal Ann 5h 6h ?*5`: known cards and a number of unknown ones."""

    player: str
    cards: tuple[Card, ...]
    unknown: int = 0


@record
class UpCard:
    """`up 6c`."""

    card: Card


@record
class StockOrder:
    """`stock 4s 9h ?*3`: the next cards, top first, `UNKNOWN` among them.

    The rest of the stock is unknown.
    """

    cards: tuple[Card, ...]


class Turn(NamedTuple):
    """`3. Cy: take 4h; meld 4c 4d 4h; discard Th`. `name_column` is where the player's name begins.

    For the place of an action on its line, see `meldref.notation.columns.action_columns`.
    """

    number: int | None
    player: str
    actions: tuple[Action, ...]
    name_column: int = 1


@record
class Gap:
    """`gap`: turns are missing here."""


@record
class HandEnd:
    """`end out Ann`, `end stock`, `end agreed`."""

    reason: str
    player: str | None = None


@record
class Points:
    """Amounts by player or side, as written: the body of `score`, `total` and `chips`.

    A score or total that nobody can read, `?`, is None. `absent` did not play the hand, `-`.
    """

    kind: str
    amounts: tuple[tuple[str, int | None], ...]
    absent: tuple[str, ...] = ()


@record
class Result:
    """`result Ann, Cy`."""

    players: tuple[str, ...]


@record
class Cut:
    """`cut Ann 5h, Bob 2c`: the draw for deal."""

    cards: tuple[tuple[str, Card], ...]


@record
class WildRank:
    """`wild 3`: the rank (0 the ace) that is wild in this hand."""

    rank: int


@record
class Reshuffle:
    """`reshuffle`."""


@record
class Show:
    """`show Bob 5h 6h`."""

    player: str
    cards: tuple[Card, ...]


@record
class Void:
    """`void misdeal`."""

    reason: str = ""


@record
class Undo:
    """`undo`: takes back the previous line."""


@record
class Adjust:
    """`adjust Ann -10 "late call"`."""

    player: str
    points: int
    reason: str = ""


@record
class Note:
    """`note "…"`."""

    text: str


@record
class AssertHand:
    """`= hand Ann 5` (`count`), or `= hand Ann 5h ?*4` (`cards`, `unknown`)."""

    player: str
    count: int | None = None
    cards: tuple[Card, ...] = ()
    unknown: int = 0


@record
class AssertPile:
    """`= pile 6s 4c`, bottom to top."""

    cards: tuple[Card, ...]


@record
class AssertTable:
    """`= table m1 5h 6h Jk=7h`, or `= table m1 Ann 5h 6h Jk=7h, Bob 8h`.

    `layers` say whose cards are in it, if that is asserted, in the order of `cards`.
    """

    meld: int
    cards: tuple[Played, ...]
    layers: tuple[tuple[str, tuple[Played, ...]], ...] = ()

    @classmethod
    def of(cls, meld: int, layers: Iterable[tuple[str, tuple[Played, ...]]]) -> AssertTable:
        """The assertion of a meld by whose cards are in it."""
        layers = tuple(layers)
        return cls(meld, tuple([played for _, cards in layers for played in cards]), layers)


@record
class AssertStock:
    """`= stock 12`."""

    count: int


@record
class AssertScore:
    """`= score Ann 45`."""

    player: str
    points: int


@record
class AssertScores:
    """`= score Ann 45, Bob -20`: several assertions, one for each player named."""

    amounts: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, points: Iterable[tuple[str, int]]) -> AssertScore | AssertScores:
        """The assertion of points by player; that of a single player's is an `AssertScore`."""
        amounts = tuple(points)
        return AssertScore(*amounts[0]) if len(amounts) == 1 else cls(amounts)


ASSERTIONS: Final = (AssertHand, AssertPile, AssertTable, AssertStock, AssertScore, AssertScores)

Assertion: TypeAlias = AssertHand | AssertPile | AssertTable | AssertStock | AssertScore
"""What is asserted of one thing."""

_Begin: TypeAlias = Header | HandStart | Cut | WildRank | Deal | UpCard | StockOrder
_Course: TypeAlias = Turn | Reshuffle | Gap | Show | HandEnd | Points | Result


class Missing(NamedTuple):
    """Turns that are missing in a hand, in which `drawn` cards of a listed stock were drawn."""

    turns: int
    drawn: int


class TakenBack(NamedTuple):
    """A turn that the next line, an `undo`, takes back: it is not played."""

    turn: Turn


_Aside: TypeAlias = Void | Undo | Adjust | Note | Assertion | AssertScores
Event: TypeAlias = _Begin | _Course | _Aside | Missing | TakenBack


class Line(NamedTuple):
    """One line of a log.

    `event` is None if the line is blank, a comment, or cannot be read. `expected` are the codes
    behind `?!`; `comment` is what follows `#`, without it, and `annotation` the text between
    braces, both as written.
    """

    number: int
    text: str
    event: Event | None
    expected: tuple[str, ...] = ()
    comment: str | None = None
    annotation: str | None = None


def cards_of(event: Any) -> Iterator[Card]:
    """The known cards that an event or an action names, and those that its wild cards stand for."""
    for action in getattr(event, "actions", ()):
        yield from cards_of(action)
    for card in (getattr(event, "card", UNKNOWN), *getattr(event, "cards", ())):
        if isinstance(card, Played):
            yield card.card
            if card.role is not None:
                yield card.role
        elif isinstance(card, tuple):  # a name and a card
            yield card[1]
        elif card != UNKNOWN:
            yield card
