"""Counts a hand without a log, from what was laid and held, and the score sheet of a game."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from meldref.core.cards import Card, card_text, counted, each
from meldref.core.diagnostics import Origin
from meldref.core.events import LayOff, Meld
from meldref.core.records import changed, record
from meldref.core.text import times
from meldref.engine.judge import Judge, judge_for
from meldref.melds import Fault
from meldref.notation.reader import Read
from meldref.notation.writer import write_action
from meldref.position.memory import new_memory
from meldref.position.model import OVER, Position
from meldref.position.setup import empty_position, first_to_move, put_hand
from meldref.replay.game import GamePlay
from meldref.replay.log import Replay
from meldref.replay.result import LogReport, Scores
from meldref.rules.breakdown import hand_breakdown
from meldref.rules.game import GameVerdict, stands
from meldref.rules.points import hand_scores, units
from meldref.rules.settlement import payments
from meldref.ruleset.model import Ruleset

Laid = tuple[int, Meld | LayOff]
"""Who lays what; a lay-off names its meld, by its place among those laid."""


@record
class CountedSide:
    """What a hand brings a side: the sum in words, and the settings that had a part in it."""

    name: str
    score: int
    text: str
    rules: tuple[Origin, ...]


@record
class CountedHand:
    """A hand that was counted: each play with its points, each card held, each side's score."""

    plays: tuple[tuple[str, str, int], ...]
    held: tuple[tuple[str, Card, int], ...]
    sides: tuple[CountedSide, ...]


class Uncountable(ValueError):
    """Hands that cannot be counted: each fault with the place of the play it is about.

    None: of no play alone.
    """

    def __init__(self, faults: Sequence[tuple[int | None, str]]) -> None:
        super().__init__(faults[0][1])
        self.faults = tuple(faults)


def count_hand(
    ruleset: Ruleset,
    players: Sequence[str],
    laid: Sequence[Laid],
    held: Mapping[int, Sequence[Card]],
    out: int | None = None,
    wild: int | None = None,
) -> CountedHand:
    """Counts what players laid, in that order, and hold at the end; `out` is who went out.

    Raises `Uncountable` where something is no meld, a card is there more often than the deck has
    it, or a house rule awards points for what cards alone do not show.
    """
    judge = judge_for(ruleset, len(players)).for_hand(None, wild)
    position = _before_laying(judge, players, laid, held, wild)
    named: list[Card] = []
    for _, play in laid:
        named += [played.card for played in play.cards]
    for cards in held.values():
        named += cards
    faults = _find_too_often(position, named)
    plays, misplays = _lay(judge, position, laid)
    faults += misplays
    if faults:
        raise Uncountable(faults)
    position.ending = OVER
    position.out = out
    position.end_reason = "stock" if out is None else "out"
    points_held = judge.play.worth.held
    left: list[tuple[str, Card, int]] = []
    for seat, player in enumerate(players):
        hand = each(position.hands[seat])
        left += [(player, card, points_held(counted((card,)))) for card in hand]
    concerned = {*held, out}
    concerned |= {seat for seat, _ in laid}
    sides = tuple(_count_sides(judge, position, concerned))
    return CountedHand(tuple(plays), tuple(left), sides)


def _before_laying(
    judge: Judge,
    players: Sequence[str],
    laid: Sequence[Laid],
    held: Mapping[int, Sequence[Card]],
    wild: int | None,
) -> Position:
    """The position in which each player still holds what is laid and what is held at the end."""
    seats = range(len(players))
    position = empty_position(judge.copies, players, judge.book(wild), judge.order(seats), wild)
    for seat in seats:
        cards = list(held.get(seat, ()))
        for layer, play in laid:
            if layer == seat:
                cards += [played.card for played in play.cards]
        put_hand(position, seat, counted(cards), len(cards), 0)
    if judge.ruleset.house_rules:
        position.memory = new_memory(len(players))
        # Nobody says in which turns it was laid.
        position.memory.lose()
    return position


def _lay(
    judge: Judge, position: Position, laid: Sequence[Laid]
) -> tuple[list[tuple[str, str, int]], list[tuple[int | None, str]]]:
    """Lays the plays in order.

    Returns each as text with what it gained, and what is wrong with some, by place.
    """
    plays: list[tuple[str, str, int]] = []
    faults: list[tuple[int | None, str]] = []
    for place, (seat, play) in enumerate(laid):
        first_to_move(position, seat)
        judge.play.begin_turn(position, seat)
        wrong = _find_fault(position, play)
        if wrong is not None:
            faults.append((place, wrong))
            if isinstance(play, LayOff):
                continue
        before = sum(position.points)
        judge.play.actions[type(play)](position, judge.meant(position, play))
        gained = sum(position.points) - before
        plays.append((position.players[seat], write_action(play), gained))
    return plays, faults


def _count_sides(
    judge: Judge, position: Position, concerned: Collection[int | None]
) -> Iterator[CountedSide]:
    """The score of each side that scored, or to which a concerned seat belongs."""
    ruleset, worth = judge.ruleset, judge.play.worth
    sides = units(ruleset, position.players)
    for side, score in enumerate(hand_scores(ruleset, worth, position, sides)):
        if score == 0 and not any(seat in concerned for seat in sides[side]):
            continue
        name = "+".join(position.players[seat] for seat in sides[side])
        if score is None:
            message = (
                f"{name}: house rules award points for what laid and held cards do not show, "
                "such as turns, totals or the number of the hand: score a log, which shows them"
            )
            raise Uncountable([(None, message)])
        breakdown = hand_breakdown(ruleset, worth, position, sides, side)
        origins = dict.fromkeys(map(ruleset.origin, breakdown.keys))
        rules = tuple([origin for origin in origins if origin])
        yield CountedSide(name, score, breakdown.text, rules)


def _find_too_often(position: Position, cards: Sequence[Card]) -> list[tuple[int | None, str]]:
    """The cards that are there more often than the deck has them."""
    faults: list[tuple[int | None, str]] = []
    for card in dict.fromkeys(cards):
        named, copies = cards.count(card), position.copies[card]
        if named > copies:
            deck = f"the deck has {copies}" if copies else "the deck has none"
            faults.append((None, f"{card_text(card)} is named {times(named)}, and {deck}"))
    return faults


def _find_fault(position: Position, play: Meld | LayOff) -> str | None:
    """Why cards are no meld, or do not fit one."""
    if isinstance(play, Meld):
        read = position.book.read(play.cards)
        return read.message if isinstance(read, Fault) else None
    target = play.target or 0
    if not 0 < target <= len(position.melds):
        return f"there is no m{target} before it"
    shape = position.melds[target - 1].shape
    if shape is None:
        # What was laid there is no meld, which was found at that play.
        return None
    for played in position.book.row(shape, play.cards).cards:
        extended = position.book.extend(shape, played)
        if isinstance(extended, Fault):
            return extended.message
        shape = extended.shape
    return None


@record
class GameSheet:
    """A game's score sheet: the hands, how the game stands by the rules, and what is paid."""

    names: tuple[str, ...]
    ruleset: Ruleset
    hands: tuple[Scores, ...]
    totals: tuple[int | None, ...]
    verdict: GameVerdict
    paid: tuple[int, ...] | None


def score_sheets(lines: Iterable[Read], run: Replay) -> tuple[list[GameSheet], LogReport]:
    """The score sheet of each game of a log, with the audit that they come from.

    Of each hand, no more is kept than a sheet shows.
    """
    games: list[GamePlay] = []
    shown = 0
    for read in lines:
        run.feed((read,))
        if run.game is not None and (not games or games[-1] is not run.game):
            games.append(run.game)
        shown = _let_go(run.report.scores, shown)
    report = run.finish()
    _let_go(report.scores, shown)
    return [_sheet(game, report) for game in games], report


def _let_go(scores: list[Scores], begin: int) -> int:
    """Lets go of what no sheet shows of the hands from one on; how many hands there are."""
    for at in range(begin, len(scores)):
        calls = scores[at].calls
        called = calls if calls and any(calls.values()) else None
        scores[at] = changed(scores[at], totals=None, stated=None, calls=called)
    return len(scores)


def _sheet(game: GamePlay, report: LogReport) -> GameSheet:
    standing = game.scores.standing
    verdict = stands(game.ruleset, standing)
    totals = [total for total in standing.totals if total is not None]
    paid = None
    if len(totals) == len(standing.totals) and verdict.over:
        amounts = payments(game.ruleset, totals, verdict.winners, standing.hands)
        paid = None if amounts is None else tuple(amounts)
    hands = tuple([score for score in report.scores if score.game == game.number])
    return GameSheet(standing.names, game.ruleset, hands, tuple(standing.totals), verdict, paid)
