"""Witnesses: full logs that a log with unknown cards may have been, each audited first.

A witness shows that a log is possible: every `?` is a card, and an audit finds nothing and leaves
nothing open. Where a line of a log is open, another one shows that it may also be wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Final

from meldref.core import events
from meldref.core.cards import UNKNOWN, Card
from meldref.core.diagnostics import errors_in
from meldref.core.effort import EFFORT, STATE
from meldref.core.events import Deal, Event, Header, Line, StockOrder, Turn, UpCard
from meldref.core.records import changed, record
from meldref.notation.reader import Read, read_lines
from meldref.notation.writer import write_event, write_line
from meldref.replay.log import NO_OVERRIDES, Overrides, Replay
from meldref.replay.result import LogReport
from meldref.rulefiles.shelf import RulesetCache
from meldref_evidence.explaining import WEIGHING, RecordExplainer
from meldref_evidence.weighing.completing import TWIN, Completed, NoWay, Token, complete
from meldref_evidence.weighing.hand import ClosedHand

MOST_TRIES: Final = 60
"""How many full logs are looked at before none is given,"""
TRIES_A_HAND: Final = 40
"""how often the lot is drawn for a hand of one of them,"""
MOST_LINES: Final = 2_000
"""how many lines a log may have for any to be looked for,"""
EFFORT_ON_WITNESSES: Final = 400_000
"""and how much effort goes into all that is asked of a log."""
SEED: Final = "witness"

_DEALING: Final = (Deal, UpCard, StockOrder, events.WildRank)


@record
class Witness:
    """A full log.

    `line` is the line that it shows to be wrong if that is open (None: it has no finding).
    """

    text: str
    line: int | None = None


class Witnesses:
    """The full logs that a log may have been, asked for one by one.

    `report` is the log's own audit.
    """

    def __init__(
        self, reads: Iterable[Read], path: str = "", overrides: Overrides = NO_OVERRIDES
    ) -> None:
        lines = list(reads)
        self._lines = [line for line, _ in lines]
        self._overrides = overrides
        self._hands: list[ClosedHand] = []
        self._shelf = RulesetCache()
        explainer = RecordExplainer(closed=self._hands.append)
        run = Replay(path, overrides, self._shelf, 0, explainer)
        run.feed(lines)
        self.report: LogReport = run.finish()
        self._effort = EFFORT_ON_WITNESSES if len(lines) <= MOST_LINES else 0

    @property
    def is_spent(self) -> bool:
        """Whether all the work was done that is done for a log: what was not found may be there."""
        return self._effort <= 0

    @property
    def is_possible(self) -> bool:
        """Whether nothing was found wrong, so that there may be a witness."""
        return self.report.readable and not errors_in(self.report.findings)

    def possible(self) -> Witness | None:
        """A full log in which nothing is found and nothing is open; None: none was found."""
        return self._within(None)

    def against(self, line: int) -> Witness | None:
        """A full log in which an open line is wrong, and nothing before it.

        None: none was found.
        """
        return self._within(line)

    def _within(self, against: int | None) -> Witness | None:
        """What is found within the effort that is left."""
        before = EFFORT.spent
        try:
            with EFFORT.at_most(self._effort):
                return self._search(against)
        finally:
            self._effort -= EFFORT.spent - before

    def _search(self, against: int | None) -> Witness | None:
        rng = Random(f"{SEED} {against}")  # noqa: S311  a way is drawn, nothing is kept secret
        ways: dict[int, Completed] = {}
        for tried in range(MOST_TRIES if self.is_possible else 0):
            if EFFORT.over:
                break
            twins = 0.0 if against is not None and tried % 2 else TWIN
            try:
                for number, hand in enumerate(self._hands):
                    if number not in ways:
                        ways[number] = _by_lot(hand, rng, against, twins)
            except NoWay:
                continue
            written = _written(self._lines, self._hands, ways)
            text = "".join([f"{row}\n" for _, row in written])
            EFFORT.spent += STATE * len(written)
            run = Replay("", self._overrides, self._shelf, 0, WEIGHING)
            run.feed(read_lines(text))
            report = run.finish()
            wrong = {written[finding.span.line - 1][0] for finding in errors_in(report.findings)}
            if against is None and report.verdict == "clean":
                return Witness(text)
            if against is not None and wrong and min(wrong) == against:
                return Witness(text, against)
            doubtful = wrong | {written[question.line - 1][0] for question in report.open}
            for number, hand in enumerate(self._hands):
                if against is not None or not doubtful.isdisjoint(_numbers(hand)):
                    ways.pop(number)
        return None


def _numbers(hand: ClosedHand) -> range:
    """The numbers of a hand's lines."""
    return range(hand.lines[0].number, hand.lines[-1].number + 1)


def _by_lot(closed: ClosedHand, rng: Random, against: int | None, twins: float) -> Completed:
    """A way in which a hand may have gone, whatever it says at the line that is to be wrong."""
    hand = closed.hand
    stakes = [
        stake
        for stake in hand.stakes()
        if all(figure.line.number != against for figure in stake.figures)
    ]
    for left in reversed(range(TRIES_A_HAND)):
        try:
            return complete(hand, stakes, closed.begin, closed.lines, rng, twins)
        except NoWay:
            if not left or EFFORT.over:
                raise
    raise NoWay


Written = list[tuple[int, str]]
"""The lines of a log, each with the number of the line it stands for, or before which it was
missing."""


def _written(
    lines: Sequence[Line], hands: Sequence[ClosedHand], ways: Mapping[int, Completed]
) -> Written:
    """A log with every unseen card named, in its own notation, with the deal's missing lines."""
    new: dict[int, Line] = {}
    before: dict[int, list[str]] = {}
    for number, hand in enumerate(hands):
        filling = _Filling(hand, ways[number])
        new |= {line.number: line for line in filling.lines()}
        before |= filling.missing()
    rows: Written = []
    for line in lines:
        rows += [(line.number, row) for row in before.get(line.number, ())]
        event = line.event
        if isinstance(event, Header) and event.key == "View":
            rows.append((line.number, write_line(line._replace(event=Header("View", "full")))))
        elif line.number in new:
            rows.append((line.number, write_line(new[line.number])))
        else:
            rows.append((line.number, line.text))
    return rows


class _Filling:
    """The lines of a hand with the cards that nobody saw."""

    def __init__(self, closed: ClosedHand, way: Completed) -> None:
        self._closed, self._way = closed, way
        self._players = closed.hand.position.players

    def lines(self) -> Iterator[Line]:
        """The lines that change."""
        stock = 0
        for line in self._closed.lines:
            event = line.event
            filled: Event | None = None
            if isinstance(event, events.Reshuffle):
                stock += 1
            elif isinstance(event, StockOrder):
                filled = self._stock(stock, len(event.cards))
            elif event is not None:
                filled = self._filled(line, event)
            if filled is not None and filled != event:
                yield line._replace(event=filled)

    def _filled(self, line: Line, event: Event) -> Event:
        if isinstance(event, Deal) and event.unknown:
            tokens = self._way.dealt[self._players.index(event.player)]
            return Deal(event.player, (*event.cards, *_rest(tokens, event.cards)))
        if isinstance(event, UpCard) and event.card == UNKNOWN and self._way.up:
            return UpCard(self._way.up[0].card)
        if isinstance(event, Turn):
            return event._replace(actions=tuple(self._actions(line.number, event)))
        if isinstance(event, events.AssertHand) and event.unknown:
            more = _rest(self._way.lying[line.number], event.cards)
            return changed(event, cards=(*event.cards, *more), unknown=0)
        if isinstance(event, events.Show) and UNKNOWN in event.cards:
            cards = [card for card in event.cards if card != UNKNOWN]
            more = _rest(self._way.lying[line.number], cards)[: len(event.cards) - len(cards)]
            return changed(event, cards=(*cards, *more))
        if isinstance(event, events.AssertPile) and UNKNOWN in event.cards:
            lying = self._way.lying[line.number]
            return changed(event, cards=tuple([token.card for token in lying]))
        return event

    def _actions(self, number: int, event: Turn) -> Iterator[events.Action]:
        for step, action in enumerate(event.actions):
            if isinstance(action, (events.Draw, events.Discard)) and action.card == UNKNOWN:
                yield changed(action, card=self._way.played[number, step].card)
            else:
                yield action

    def _stock(self, stock: int, cards: int) -> StockOrder:
        row = self._way.stocks[stock]
        shown = row if self._way.bought else row[:cards]
        return StockOrder(tuple([token.card for token in shown]))

    def missing(self) -> dict[int, list[str]]:
        """The lines of deal and stock that the log lacks, by the line that they precede."""
        lines = self._closed.lines
        begun = next(line for line in lines if type(line.event) not in _DEALING)
        dealt = {line.event.player for line in lines if isinstance(line.event, Deal)}
        rows: list[Event] = [
            Deal(self._players[seat], tuple([token.card for token in tokens]))
            for seat, tokens in self._way.dealt.items()
            if tokens and self._players[seat] not in dealt
        ]
        kinds = {type(line.event) for line in lines if line.number < begun.number}
        if self._way.up and UpCard not in kinds:
            rows.append(UpCard(self._way.up[0].card))
        if self._way.bought and StockOrder not in kinds:
            rows.append(self._stock(0, 0))
        missing = {begun.number: [write_event(row) for row in rows]}
        for stock, following in enumerate(_after_reshuffles(lines), 1):
            if self._way.bought and type(following.event) is not StockOrder:
                missing[following.number] = [write_event(self._stock(stock, 0))]
        return missing


def _after_reshuffles(lines: Sequence[Line]) -> Iterator[Line]:
    """The line that follows each one on which a stock is made new, a card turned up apart."""
    for at, line in enumerate(lines):
        if isinstance(line.event, events.Reshuffle):
            yield from [line for line in lines[at + 1 :] if not isinstance(line.event, UpCard)][:1]


def _rest(tokens: Iterable[Token], named: Iterable[Card]) -> list[Card]:
    """The cards of some tokens without those that are known."""
    cards = [token.card for token in tokens]
    for card in named:
        cards.remove(card)
    return cards
