"""Small records of games, each of which shows one thing that may differ.

They are tables, deals, draws for deal, and score sheets. Nothing here has to be clean: the
caller puts each record to the rulesets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import Final

from meldref.core import events
from meldref.core.cards import JOKER, RANKS, UNKNOWN, natural
from meldref.core.events import Event
from meldref.position.game import Standing
from meldref.replay.scores import closing_lines
from meldref.rulefiles.shelf import OneRuleset
from meldref.rules.base import Binding
from meldref.rules.game import stands, tie_break
from meldref.rules.setup import cards_dealt, first_seat
from meldref.ruleset.model import Ruleset
from meldref_authoring.example.trial import Game, lines_of, players, replayed
from meldref_table.simulate.games import names_for

_MOST_SHEETS: Final = 150
_CUT_CARDS: Final = (natural(0, 3), natural(1, 0), natural(8, 2), natural(12, 1))


def probes(ruleset: Ruleset, sections: frozenset[str]) -> Iterator[Game]:
    """Small records that can show keys of some sections, for each number of players."""
    for number in ruleset.players.numbers:
        names = names_for(number)
        header = players(names)
        yield (header, events.HandStart(1))
        if "named" in ruleset.melds.wild.cards:
            yield from (
                (header, events.HandStart(1), events.WildRank(rank)) for rank in range(len(RANKS))
            )
        if "game" in sections:
            yield (header, events.HandStart(1), events.HandEnd("agreed"))
        if sections & {"deal", "players"}:
            yield from ((header, *cut) for cut in _cuts(names))
        if sections & {"deal", "deck", "players", "partnership"}:
            yield from _deals(ruleset, names)
        if sections & {"deal", "players", "stock", "partnership"}:
            yield from _openings(ruleset, names)


def _cuts(names: Sequence[str]) -> Iterator[Game]:
    """A draw for deal, and who deals."""
    for cards in product(_CUT_CARDS, repeat=2):
        drawn = [*cards, *(natural(5, suit % 4) for suit in range(len(names) - 2))]
        cut = events.Cut(tuple(zip(names, drawn, strict=True)))
        yield from ((cut, events.HandStart(1, name)) for name in names)


def _deals(ruleset: Ruleset, names: Sequence[str]) -> Iterator[Game]:
    """Deals of unknown cards; a card turned up, a joker, copies of a card."""
    header, number = players(names), len(names)
    dealer = names[-1]
    first, dealt = dealt_to(ruleset, number)
    start = (header, events.HandStart(1, dealer))
    whole = [events.Deal(name, (), size) for name, size in zip(names, dealt, strict=True)]
    turned: tuple[Event, ...] = (
        (events.UpCard(UNKNOWN),) if ruleset.deal.up_card == "turned" else ()
    )
    begun = (*start, *whole, *turned)
    yield (*start, *whole)
    yield begun
    opening = (
        events.Discard(UNKNOWN) if ruleset.deal.first_turn == "no_draw" else events.Draw(UNKNOWN)
    )
    yield (*begun, turn(names[first], opening))
    for card in (JOKER, natural(3, 2)):
        for copies in range(1, min(dealt[0], 9)):
            deal = events.Deal(names[0], (card,) * copies, dealt[0] - copies)
            yield (*start, deal, *whole[1:], *turned)
    stock = ruleset.deck_size(number) - sum(dealt) - len(turned)
    yield (*begun, events.AssertStock(stock))


def dealt_to(ruleset: Ruleset, number: int) -> tuple[int, list[int]]:
    """Who plays first if the last of these players deals, and how many cards each is dealt."""
    binding = Binding(ruleset, number)
    first = first_seat(binding, number - 1, range(number))
    return first, [cards_dealt(binding, number, first=seat == first) for seat in range(number)]


def _openings(ruleset: Ruleset, names: Sequence[str]) -> Iterator[Game]:
    """First turns: who begins, which way play goes, whether there is a draw, what is turned up."""
    header = players(names)
    start = (header, events.HandStart(1, names[0]))
    draws = (events.Draw(UNKNOWN),) if ruleset.deal.first_turn == "draws" else ()
    for first in names:
        opening = turn(first, *draws, events.Discard(natural(1, 0)))
        yield (*start, opening)
        for second in names:
            if second != first:
                yield (
                    *start,
                    opening,
                    turn(second, events.Draw(UNKNOWN), events.Discard(natural(2, 0))),
                )
    for more in (
        (events.Gap(), events.Reshuffle()),
        (events.Gap(), events.Reshuffle(), events.UpCard(natural(4, 3))),
        (events.Gap(), events.HandEnd("stock")),
    ):
        yield (*start, *more)


def turn(player: str, *actions: events.Action) -> events.Turn:
    """A turn without a number."""
    return events.Turn(None, player, actions)


# --- score sheets ---------------------------------------------------------------------------------


def sheets(ruleset: Ruleset, other: Ruleset) -> Iterator[Game]:
    """Score sheets that go on for as long as the ruleset does, with who won and what is paid.

    The scores are around the targets of the two rulesets, equal ones among them.
    """
    for number in ruleset.players.numbers:
        if number > 4 and number != ruleset.players.min:
            break
        table = _Sheets(ruleset, other, names_for(number))
        for ends in (False, True):  # with a line on who went out, or without
            yield from table.sheets(ends=ends)


class _Sheets:
    """The score sheets of one table."""

    def __init__(self, ruleset: Ruleset, other: Ruleset, names: Sequence[str]) -> None:
        self.ruleset = ruleset
        self.names = names
        self._cache = OneRuleset(ruleset)
        targets = sorted({ruleset.game.target, other.game.target})
        self._points = sorted({10, 20, -10, *targets, *(target + 10 for target in targets)})

    def sheets(self, *, ends: bool) -> Iterator[Game]:
        """Sheets of one hand, then those with another one; `ends`: with a line on who went out."""
        sheets: list[Game] = [(players(self.names),)]
        for hand in range(1, 5):
            longer: list[Game] = []
            more = (play for sheet in sheets for play in self._one_more(sheet, hand, ends=ends))
            for game, goes_on in islice(more, _MOST_SHEETS):
                yield game
                if goes_on:
                    longer.append(game)
            longer.sort(key=_is_level, reverse=True)
            sheets = longer[:4] + longer[4 :: max(1, len(longer) // 8)]

    def _one_more(self, sheet: Game, hand: int, *, ends: bool) -> Iterator[tuple[Game, bool]]:
        """A sheet with one more hand: who dealt, who went out, what it scored.

        Then the end of the game.
        """
        standing = self._standing(sheet)
        sides = list(standing.names)
        active: Sequence[int] = range(len(sides))
        tied = tie_break(self.ruleset, standing, stands(self.ruleset, standing))
        if tied and self.ruleset.game.tie.who == "tied":
            active = tied
        for points in self._vectors(len(active)):
            amounts = tuple(
                (sides[side], score) for side, score in zip(active, points, strict=True)
            )
            score = events.Points("score", amounts)
            outs = [events.HandEnd("out", name.partition("+")[0]) for name, _ in amounts]
            for out in [[end] for end in outs] if ends else [[]]:
                ended: Game = (*sheet, events.HandStart(hand), *out, score)
                yield ended, True
                yield from ((game, False) for game in self._finished(ended))
        start = (*sheet, events.HandStart(hand))
        amounts = tuple((sides[side], 10 * (side + 1)) for side in active)
        agreed = (*start, events.HandEnd("agreed"), events.Points("score", amounts))
        yield agreed, False
        yield from ((game, False) for game in self._finished(agreed))
        for before, after in product(self.names, repeat=2):
            if hand == 2 and len(sheet) == 3:
                dealt = (sheet[0], events.HandStart(1, before), *sheet[2:])
                yield (*dealt, events.HandStart(hand, after)), False

    def _vectors(self, count: int) -> Iterator[tuple[int, ...]]:
        """Scores of this number of sides: few numbers, since most sides do not matter."""
        for first, second in product(self._points, repeat=2):
            if first >= second or second in (10, 20):
                yield (first, second, *([10] * (count - 2)))[:count]
                if count > 2 and first == second:
                    yield (first, *([10] * (count - 2)), second)

    def _finished(self, sheet: Game) -> Iterator[Game]:
        """A sheet with the total, and if the game can be over, who won and what is paid."""
        standing = self._standing(sheet)
        if None in standing.totals:
            return
        verdict = stands(self.ruleset, standing)
        over = (verdict.over or verdict.may_stop) and bool(verdict.winners)
        _, total, *end = closing_lines(self.ruleset, standing, (), verdict._replace(over=over))
        yield (*sheet, total)
        yield from ((*sheet, *end[: place + 1]) for place in range(len(end)))

    def _standing(self, sheet: Game) -> Standing:
        """How the game stands after a sheet."""
        run = replayed(
            lines_of((*sheet, events.HandStart(1)) if len(sheet) == 1 else sheet), self._cache
        )
        assert run.game is not None
        run.game.scores.count(run.game.hand)
        return run.game.scores.standing


def _is_level(sheet: Game) -> tuple[bool, int]:
    """Whether the best score of a sheet's last hand is shared: ties show differences."""
    last = next(
        event
        for event in reversed(sheet)
        if isinstance(event, events.Points) and event.kind == "score"
    )
    points = [score for _, score in last.amounts if score is not None]
    return points.count(max(points)) > 1, max(points)
