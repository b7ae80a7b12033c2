"""Positions as people write them, in YAML or JSON (`docs/notation.md`, Positions)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias, TypeGuard, TypeVar

from meldref.core.cards import EMPTY, RANKS, Card, Played, capped, card_text, count, counted
from meldref.core.diagnostics import Finding, Span
from meldref.core.events import Action, Draw, LayOff, Meld
from meldref.core.meant import did_you_mean
from meldref.core.records import NamedTuple, changed, record
from meldref.core.shown import html_of, svg_of, text_of
from meldref.core.text import times, visible
from meldref.engine.judge import Judge, judge_for
from meldref.engine.unnamed import is_unnamed, read_with
from meldref.melds import Fault, Reading
from meldref.notation.columns import action_columns
from meldref.notation.reader import read_actions, read_card_counts, read_card_row, read_cards
from meldref.notation.spelling import rank_named
from meldref.position.memory import SOME, TURNED_UP, new_memory
from meldref.position.model import (
    GOING_ON,
    OVER,
    UNCOUNTED,
    Hand,
    OnTable,
    Position,
    TableMeld,
    uncounted,
)
from meldref.position.setup import (
    empty_position,
    first_to_move,
    known_of,
    put_hand,
    put_pile,
    put_stock,
)
from meldref.positions.rewind import play_out, rewind
from meldref.rules.points import units
from meldref.rules.setup import cards_dealt, first_seat, table_size
from meldref.ruleset.changes import goes_back, hand_rules
from meldref.ruleset.model import HandRules, Ruleset

if TYPE_CHECKING:
    from meldref.documents.reader import Path, Value

KEYS: Final = {
    **dict.fromkeys(
        ["rules", "with", "set", "players", "to_move", "pile", "stock", "discarded_by", "turn"]
    ),
    **dict.fromkeys(["opening", "floating", "wild", "hand"]),
    "hands": '{A: "5h 6h"}',
    "table": '{m1: {A: "5h 6h 7h"}}',
    "points": "{A: 15}",
    "turns": "{A: 2}",
    "totals": "{A: 90}",
    "buys": "{A: 1}",
}
"""What a position may say, with an example of each that is a mapping."""

Places: TypeAlias = "Callable[[Path], Span]"
_T = TypeVar("_T")


@record
class Built:
    """A position that can be played on, and the judge of its ruleset.

    In the middle of a turn, `begun` is where it began, and what was done in it since, as far as
    that is known; `rewound` if the position was written as it is after that. Where hands of the
    game differ in their rules and nobody said which it is, `in_hands` is the position in each of
    them by its name, and this one is the first, as it is in hand 1.
    """

    judge: Judge
    position: Position
    begun: tuple[Position, tuple[Action, ...]] | None = None
    in_hands: tuple[tuple[str, Built], ...] = ()
    rewound: bool = False

    @property
    def hands(self) -> dict[str, Hand]:
        """The hands of those who play, by player."""
        at, players = self.position, self.position.players
        return {
            players[seat]: Hand(players[seat], at.hands[seat], at.unknown[seat])
            for seat in sorted(at.order)
        }

    __str__ = text_of
    _repr_html_ = html_of
    _repr_svg_ = svg_of


def build_position(
    value: Value, ruleset: Ruleset, place: Places = lambda _: Span(1), path: Path = ()
) -> tuple[Built | None, tuple[Finding, ...]]:
    """The position a mapping describes; None and the findings if it cannot be used.

    `place` says where a part of the mapping was written, `path` where the mapping is in what that
    knows.
    """
    in_hands: list[tuple[str, Built]] = []
    findings: tuple[Finding, ...] = ()
    alike: Sequence[Alike] = (_ANY_HAND,)
    if isinstance(value, dict) and value.get("hand") is None:
        names = value.get("players")
        alike = hands_that_differ(ruleset, len(names) if isinstance(names, list) else 2)
    for hands in alike:
        builder = _Builder(ruleset, place, path, hands)
        built = builder.build(value)
        if built is not None and not builder.findings:
            in_hands.append((hands.name, built))
        findings = findings or tuple(builder.findings)
    if not in_hands:
        return None, findings
    built = in_hands[0][1]
    return (built if len(in_hands) == 1 else changed(built, in_hands=tuple(in_hands))), ()


class Alike(NamedTuple):
    """Hands of a game with the same rules: their name, the first's number, whether it is alone."""

    name: str
    number: int | None
    single: bool


_ANY_HAND: Final = Alike("", None, single=False)


def hands_that_differ(ruleset: Ruleset, players: int) -> Sequence[Alike]:
    """The hands of a game that have rules or a direction of their own, and the others, if any.

    Those that hand 1 is among come first.
    """
    alternates = ruleset.players.direction == "alternates" and players > 2
    if not ruleset.hands and not alternates:
        return (_ANY_HAND,)
    spans = [(hands.first, hands.last) for hands in ruleset.hands]
    most = max((last for _, last in spans), default=0) + (2 if alternates else 1)
    if ruleset.game.ends == "after_hands":
        most = ruleset.game.hands[1]
    own = [number for first, last in spans for number in range(first, last + 1)]
    kinds: dict[tuple[int | None, bool], Alike] = {}
    for number in sorted({*own, *range(1, most + 1)}):
        hands = hand_rules(ruleset, number)
        key = (None if hands is None else hands.first, alternates and goes_back(ruleset, number))
        if key not in kinds:
            kinds[key] = _alike(ruleset, hands, number, alternates=alternates)
    return tuple(kinds.values())


def _alike(ruleset: Ruleset, hands: HandRules | None, number: int, *, alternates: bool) -> Alike:
    """The hands that are like that of a number, by their rules and, if it matters, direction."""
    if hands is not None and hands.first == hands.last:
        return Alike(f"hand {number}", number, single=True)
    name = "hands" if hands is None else f"hands {hands.first} to {hands.last}"
    if hands is None and ruleset.hands:
        name = "hands without rules of their own"
    if alternates:
        name += " with an even number" if number % 2 == 0 else " with an odd number"
    return Alike(name, number, single=False)


class _Builder:
    """Builds one position.

    `hands` are those whose settings it has where the position does not say its own.
    """

    def __init__(self, ruleset: Ruleset, place: Places, path: Path, hands: Alike) -> None:
        self.ruleset = ruleset
        self.place = place
        self.path = path
        self.in_hands = hands
        self.findings: list[Finding] = []
        self.seats: Mapping[str, int] = {}
        self.layers: dict[tuple[int, int], int] = {}

    def wrong(self, message: str, *path: str | int, code: str = "log.syntax") -> None:
        self.findings.append(Finding(code, message, self.place((*self.path, *path))))

    def build(self, value: Value) -> Built | None:
        if not isinstance(value, dict):
            self.wrong('a position is a mapping, such as `hands: {A: "5h 6h"}`')
            return None
        for key in value:
            if key not in KEYS:
                meant = did_you_mean(str(key), sorted(KEYS), quote="`")
                self.wrong(f"a position has no `{key}`{meant}", key)
        named = value.get("players")
        players = self._players(["A", "B"] if named is None else named)
        if players is None:
            return None
        self.seats = {name: seat for seat, name in enumerate(players)}
        wild = self._wild(value.get("wild"))
        number = self._hand_number(value.get("hand"))
        judge = judge_for(self.ruleset, len(players)).for_hand(number or self.in_hands.number, wild)
        position = empty_position(
            judge.copies, players, judge.book(wild), judge.order(range(len(players))), wild
        )
        position.turns, position.hand = None, number
        self._hands(judge, position, value.get("hands"), value.get("floating"))
        self._table(judge, position, value.get("table"))
        put_pile(position, self._row(value.get("pile", ""), "pile"))
        self._stock(position, value.get("stock"))
        self._turn(position, value)
        self._bought(judge, position, value)
        self._remember(judge, position, value)
        if not self.findings:
            self._count(position, self._mapping(value.get("hands"), "hands"))
        self._gone_out(judge, position, discard_is_written=value.get("discarded_by") is not None)
        if not self.findings and value.get("turn") is not None:
            return _over_by_now(self._done_already(judge, position, value))
        return Built(judge, judge.play.turn_due(position))

    def _players(self, value: Value) -> list[str] | None:
        if not isinstance(value, list) or not all(isinstance(name, str) and name for name in value):
            self.wrong("`players` is a list of names", "players")
            return None
        names = [str(name) for name in value]
        odd = next((name for name in names if visible(name) != name), None)
        size = table_size(self.ruleset, len(names))
        if odd is not None:
            self.wrong(f"a player's name must be visible text on one line, not {odd}", "players")
        elif len(set(names)) < len(names):
            self.wrong("a player is named twice", "players")
        elif size is not None:
            self.wrong(size.message, "players", code=size.code)
        else:
            return names
        return None

    def _wild(self, value: Value) -> int | None:
        named = None if value is None else rank_named(str(value))
        if named is None and value is not None:
            self.wrong(f"`{value}` is not a rank", "wild")
        return named

    def _hand_number(self, value: Value) -> int | None:
        if value is None or (_is_whole(value) and value > 0):
            return value
        near = "; did you mean `hands`?" if isinstance(value, dict) else ""
        self.wrong(f"`hand` is the number of the hand, from 1{near}", "hand")
        return None

    def _hands(self, judge: Judge, position: Position, value: Value, floating: Value) -> None:
        """The hands; one that is left out is empty if its player floats, else unknown."""
        floaters = floating if isinstance(floating, list) else []
        hands = self._mapping(value, "hands")
        for name in hands:
            self._seat(name, "hands", name)
        for name, seat in self.seats.items():
            if name not in hands and name in floaters:
                put_hand(position, seat, EMPTY, 0, 0)
                continue
            if name not in hands:
                sizes = cards_dealt(judge.binding, len(position.players), first=False)
                dealt = sizes[0] if len(sizes) == 1 else UNCOUNTED
                put_hand(position, seat, EMPTY, dealt, dealt)
                continue
            read = self._read(read_card_counts, hands[name], "hands", name)
            if read is not None:
                cards, unknown = read
                put_hand(position, seat, counted(cards), len(cards) + unknown, unknown)

    def _table(self, judge: Judge, position: Position, value: Value) -> None:
        table = self._mapping(value, "table")
        for index, (name, layers) in enumerate(table.items(), start=1):
            if name != f"m{index}":
                self.wrong(
                    f"melds are numbered in order: expected m{index}, not {name}", "table", name
                )
                return
            if isinstance(layers, dict):
                self._meld(judge, position, name, layers)
            else:
                self.wrong(f'{name} says who laid what, such as {{A: "5h 6h 7h"}}', "table", name)

    def _meld(
        self, judge: Judge, position: Position, name: str, layers: Mapping[str, Value]
    ) -> None:
        parts: list[tuple[int, tuple[Played, ...]]] = []
        for player, text in layers.items():
            seat = self._seat(player, "table", name, player)
            cards = self._read(read_cards, text, "table", name, player)
            if seat is None or cards is None:
                return
            parts.append((seat, cards))
        if not parts:
            self.wrong(f"{name} has no cards", "table", name)
            return
        meld = _laid_meld(judge, position, parts)
        if isinstance(meld, Fault) and is_unnamed(judge, position):
            meld = _with_shown_rank(judge, position, parts) or meld
        if isinstance(meld, Fault):
            self.wrong(f"{name} is not a meld: {meld.message}", "table", name, code=meld.code)
            return
        played = [(seat, card.card) for seat, cards in parts for card in cards]
        for place, (laid, (layer, _)) in enumerate(zip(meld.cards, played, strict=False)):
            position.points[laid.seat] += laid.points
            if laid.seat != layer:
                self.layers[len(position.melds), place] = layer
        position.melds.append(meld)
        position.seen = capped((card for _, card in played), position.seen)
        position.stock_size -= len(played)

    def _stock(self, position: Position, value: Value) -> None:
        is_counted = not any(map(uncounted, position.held))
        position.stock_size = max(position.stock_size, 0) if is_counted else UNCOUNTED
        if value is None:
            return
        if _is_whole(value):
            if value < 0:
                self.wrong("the stock cannot have fewer than 0 cards", "stock")
            position.stock_size = value
            return
        cards = self._row(value, "stock")
        put_stock(position, cards, known_of(cards), whole=True)

    def _turn(self, position: Position, value: Mapping[str, Value]) -> None:
        mover = 0
        if "to_move" in value:
            mover = self._seat(value["to_move"], "to_move") or 0
        first_to_move(position, mover)
        opening = value.get("opening")
        if opening not in {None, "first_turn"}:
            self.wrong("`opening` can only be first_turn", "opening")
        position.turn.opening = opening == "first_turn"
        floating = value.get("floating") or []
        if not isinstance(floating, list):
            self.wrong("`floating` is a list of players", "floating")
            floating = []
        seats = {self._seat(name, "floating", index) for index, name in enumerate(floating)}
        position.floating |= {seat for seat in seats if seat is not None}
        position.turn.floater = mover in position.floating
        position.discarder = position.order[position.order.index(mover) - 1]
        if value.get("discarded_by") is not None:
            by = value["discarded_by"]
            position.discarder = None if by == "nobody" else self._seat(by, "discarded_by")
        position.last = position.discarder
        position.fresh = bool(position.pile) and position.discarder is not None
        for seat, points in self._numbers(value, "points").items():
            position.points[seat] = points

    def _bought(self, judge: Judge, position: Position, value: Mapping[str, Value]) -> None:
        """How often each player bought a card in this hand, and in those before it."""
        buys = self._numbers(value, "buys")
        if any(number < 0 for number in buys.values()):
            self.wrong("purchases are counted from 0", "buys")
        nobody_yet = position.turn.opening or judge.ruleset.buys.of == "none"
        otherwise = 0 if nobody_yet else SOME
        position.buys = tuple([buys.get(seat, otherwise) for seat in self.seats.values()])
        if position.hand != 1:
            position.earlier_buys = (SOME,) * len(position.buys)

    def _gone_out(self, judge: Judge, position: Position, *, discard_is_written: bool) -> None:
        """Ends the hand if somebody has no cards whose turn it is not, and who does not float.

        Where melding every card makes a player float, only a discard that is written ends it;
        where the others have last turns, it may lie turns back.
        """
        out = self.ruleset.out
        may_float = out.melding_all == "floats" and out.last_turns == "none"
        # From the player to move, as turns go round, whoever went out first comes first.
        to_move = position.order.index(position.turn.seat)
        for seat in position.order[to_move + 1 :] + position.order[:to_move]:
            if position.held[seat] or seat in position.floating:
                continue
            discarded = bool(position.pile) and seat == position.discarder
            if may_float and not (discarded and discard_is_written):
                continue
            judge.play.no_cards_left(position, seat, discarded=discarded)
            if discarded:
                position.final = (seat, position.pile[-1])

    def _remember(self, judge: Judge, position: Position, value: Mapping[str, Value]) -> None:
        """What happened earlier in the hand, for house rules, as far as file or table shows it."""
        turns, totals = self._numbers(value, "turns"), self._numbers(value, "totals")
        if any(number < 0 for number in turns.values()):
            self.wrong("turns are counted from 0", "turns")
        if position.turn.opening and any(turns.values()):
            self.wrong("nobody had a turn before the first one", "turns")
        if not judge.ruleset.house_rules or self.findings:
            return
        number = position.hand or (self.in_hands.number if self.in_hands.single else None)
        opening = position.turn.opening
        seats = range(len(position.players))
        no_calls = judge.ruleset.calls.of == "none"
        dealers = [
            seat
            for seat in seats
            if first_seat(judge.binding, seat, tuple(seats)) == position.turn.seat
        ]
        dealer = dealers[0] if opening and len(dealers) == 1 else None
        laid = {*self.layers.values()}
        for meld in position.melds:
            laid |= {card.seat for card in meld.cards}
        totals_by_seat: dict[int, int] = {}
        for side in units(judge.ruleset, position.players):
            named = [seat for seat in side if seat in totals]
            if named:
                totals_by_seat |= dict.fromkeys(side, totals[named[0]])
        memory = new_memory(
            len(position.players), number, dealer, [totals_by_seat.get(seat) for seat in seats]
        )
        memory.turns = [0 if opening else turns.get(seat, SOME) for seat in seats]
        memory.melding = [0 if seat not in laid else (1, SOME[1]) for seat in seats]
        memory.calls = [0 if opening or no_calls else SOME for _ in seats]
        memory.lay_offs = [SOME if seat in laid else 0 for seat in seats]
        memory.own_lay_offs = memory.lay_offs[:]
        if position.pile:
            was_turned_up = opening or value.get("discarded_by") == "nobody"
            thrower = TURNED_UP if was_turned_up else position.discarder
            # Of a pile in the middle of the hand, only the top card's thrower is said.
            memory.thrown = (thrower,) * (len(position.pile) if opening else 1)
        memory.layers = MappingProxyType(self.layers)
        position.memory = memory

    def _numbers(self, value: Mapping[str, Value], key: str) -> dict[int, int]:
        """A whole number for each of some players."""
        counts: dict[int, int] = {}
        for name, number in self._mapping(value.get(key), key).items():
            seat = self._seat(name, key, name)
            if not _is_whole(number):
                self.wrong(f"{key} are whole numbers", key, name)
            elif seat is not None:
                counts[seat] = number
        return counts

    def _count(self, position: Position, hands: Mapping[str, Value]) -> None:
        """A position with more of a card than the deck has is unusable.

        `hands` are those that it names.
        """
        for card, copies in enumerate(position.copies):
            seen = count(position.seen, card)
            if seen > copies:
                has = f"the deck has {copies}" if copies else "the deck has none"
                code = "log.copies" if copies else "setup.deck"
                self.wrong(f"{card_text(card)} stands here {times(seen)}, and {has}", code=code)

        melded = sum(len(meld.cards) for meld in position.melds)
        held = sum(position.held[self.seats[name]] for name in hands)
        is_counted = not any(map(uncounted, position.held))
        stock = position.stock_size if is_counted else 0
        total = held + melded + len(position.pile) + stock
        deck = sum(position.copies)
        if total > deck and not self.findings:
            message = f"there are {total} cards here, and the deck has {deck}"
            self.wrong(message, "stock", code="log.copies")

    def _done_already(self, judge: Judge, position: Position, value: Mapping[str, Value]) -> Built:
        """Plays what the player to move has done already, without judging it.

        A position may also be written as it is after those actions; the cards are put back first
        then.
        """
        built = Built(judge, position)
        done = value["turn"]
        if not isinstance(done, str):
            self.wrong('`turn` is a text, such as "take 4c"', "turn")
            return built
        actions, findings = read_actions(done)
        for finding in findings:
            self._wrong_in_turn(done, finding.span, finding.message)
        if findings:
            return built
        start = position.copy()
        wrong = play_out(judge, position, actions)
        if wrong is None:
            return Built(judge, position, (start, actions))
        hand = self._mapping(value.get("hands"), "hands").get(position.players[start.turn.seat])
        lays = any(isinstance(action, (Meld, LayOff)) for action in actions)
        before = None
        if isinstance(hand, str) and not (lays and "points" in value):
            before = rewind(start, actions)
        if before is not None:
            sizes = [len(meld.cards) for meld in before.melds]
            self.layers = {
                (number, place): seat
                for (number, place), seat in self.layers.items()
                if number < len(sizes) and place < sizes[number]
            }
            self._remember(judge, before, value)
            start = before.copy()
            if play_out(judge, before, actions) is None:
                return Built(judge, before, (start, actions), rewound=True)
        step, violation = wrong
        span = Span(1, *action_columns(done, step))
        self._wrong_in_turn(done, span, violation.message, violation.code)
        return built

    def _wrong_in_turn(self, text: str, at: Span, message: str, code: str = "log.syntax") -> None:
        """An error in what was done already, at its place if the file has the text unchanged."""
        span = self.place((*self.path, "turn"))
        quotes = span.end_column - span.column - len(text)
        if quotes in {0, 2}:
            begin = span.column + quotes // 2 - 1
            span = Span(span.line, begin + at.column, begin + at.end_column)
        self.findings.append(Finding(code, message, span))

    def _mapping(self, value: Value, *path: str | int) -> Mapping[str, Value]:
        if value is None:
            return {}
        if isinstance(value, dict):
            return value
        self.wrong(f"`{path[-1]}` is a mapping, such as {KEYS[str(path[-1])]}", *path)
        return {}

    def _seat(self, name: Value, *path: str | int) -> int | None:
        seat = self.seats.get(str(name))
        if seat is None:
            self.wrong(f"{name} is not one of the players", *path, code="log.name")
        return seat

    def _row(self, value: Value, key: str) -> Sequence[Card]:
        return self._read(read_card_row, value, key) or ()

    def _read(
        self, reader: Callable[[str], _T | Finding], value: Value, *path: str | int
    ) -> _T | None:
        if not isinstance(value, str):
            self.wrong('cards are a text, such as "5h 6h"', *path)
            return None
        read = reader(value)
        if isinstance(read, Finding):
            self.wrong(read.message, *path)
            return None
        return read


def _over_by_now(built: Built) -> Built:
    """A position in the middle of a turn, which is no turn if the hand was over before it.

    A last discard that could be called was called in that turn, or never will be. Where the stock is
    empty, a card drawn in the turn may have been its last one.
    """
    position = built.position
    if position.ending is GOING_ON and built.begun is not None:
        before, done = built.begun
        if not any(isinstance(action, Draw) for action in done):
            start = built.judge.play.turn_due(before.copy())
            position.ending, position.end_reason = start.ending, start.end_reason
    if position.ending is GOING_ON or position.begins:
        return built
    position.ending, position.begins = OVER, True
    return changed(built, begun=None)


def _is_whole(value: Value) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _with_shown_rank(
    judge: Judge, position: Position, parts: Sequence[tuple[int, tuple[Played, ...]]]
) -> TableMeld | None:
    """A meld that shows which rank is wild, with which the table is read from there on."""
    for rank in range(len(RANKS)):
        with_rank = position.copy()
        if not read_with(judge, with_rank, rank):
            continue
        meld = _laid_meld(judge, with_rank, parts)
        if not isinstance(meld, Fault):
            read_with(judge, position, rank)
            return meld
    return None


def _laid_meld(
    judge: Judge, position: Position, parts: Sequence[tuple[int, tuple[Played, ...]]]
) -> TableMeld | Fault:
    """A meld from who laid what, in that order.

    The first part is a meld, or all parts together are.
    """
    worth = judge.play.worth
    owner, cards = parts[0]
    melder_scores = judge.ruleset.layoff.counts_for == "melder"
    reading = position.book.read(cards)
    laid_off = parts[1:]
    seats = [owner] * len(cards)
    if not isinstance(reading, Reading):
        together: list[Played] = []
        seats = []
        for seat, part in parts:
            together += part
            seats += [seat] * len(part)
        whole = position.book.read(tuple(together))
        if not isinstance(whole, Reading) or len(parts) == 1:
            return reading
        reading = whole
        laid_off = ()
    table = [
        OnTable(laid.card, laid.role, seat, worth.laid(laid), laid.ace_place)
        for seat, laid in zip(seats, reading.laid, strict=True)
    ]
    meld = TableMeld(owner, reading.shape, table, at_once=(1, len(table)))
    for seat, part in laid_off:
        assert meld.shape is not None
        for played in position.book.row(meld.shape, part).cards:
            extended = position.book.extend(meld.shape, played)
            if isinstance(extended, Fault):
                return extended
            meld.shape, laid = extended.shape, extended.laid
            scorer = owner if melder_scores else seat
            meld.cards.append(
                OnTable(laid.card, laid.role, scorer, worth.laid(laid), laid.ace_place)
            )
    if meld.shape is not None:
        for place, ace in worth.turned(meld.shape, meld.cards):
            meld.cards[place] = ace
    return meld
