"""Plays a hand out from a position, any number of times, each with unseen cards dealt by lot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from meldref.core.events import Action, Event
from meldref.core.records import record
from meldref.engine.judge import Judge
from meldref.notation.writer import write_event
from meldref.position.model import GOING_ON
from meldref.positions.build import Built
from meldref.replay.reporter import Reporter
from meldref.replay.scores import Scorekeeper, closing_lines
from meldref.rules.game import GameVerdict
from meldref_table.simulate.games import KINDS, Seats, careful_judge
from meldref_table.simulate.hand import HandRun
from meldref_table.simulate.rng import Dice
from meldref_table.unseen_deals import deal_unseen

_TRIES: Final = 20
"""How often cards are dealt for a hand, where they have to fit what is known of hands."""


@record
class PlayedOn:
    """How a hand went on from a position; `number` counts from 1.

    `lines` are its turns, its end and its scores, `reason` is `out`, `stock`, or `void` for a hand
    that was annulled. `scores` go by side (see `sides`), `winners` are the sides that scored most:
    nobody where the hand was annulled.
    """

    number: int
    lines: tuple[Event, ...]
    reason: str
    sides: tuple[tuple[int, ...], ...]
    scores: tuple[int | None, ...]
    winners: tuple[int, ...]


def cannot_play_on(built: Built) -> str | None:
    """Why nobody can play on from a position; None if they can."""
    position = built.position
    if position.ending is not GOING_ON:
        return "the hand is over"
    if not position.can_be_dealt:
        return "it has to be known how many cards each hand, the pile and the stock have"
    if built.in_hands:
        return "hands of this game differ in their rules: say which hand it is"
    return None


def play_on(built: Built, seats: Seats, seed: int, times: int) -> Iterator[PlayedOn]:
    """Plays the hand out from a position a number of times, all players seeing their own cards.

    Raises:
        ValueError: nobody can play on from it (`cannot_play_on`), or no deal fits what is known.
    """
    why_not = cannot_play_on(built)
    if why_not is not None:
        raise ValueError(why_not)
    position = built.position
    judge = careful_judge(built.judge.given, len(seats.names))
    judge = judge.for_hand(position.hand, position.wild_rank)
    for number in range(1, times + 1):
        yield _played_on(dealt(built, Dice(seed, "onward", number)), judge, seats, seed, number)


def dealt(built: Built, dice: Dice) -> Built:
    """The position with every card in a place.

    Raises:
        ValueError: no deal was found that fits.
    """
    for _ in range(_TRIES):
        dealt = deal_unseen(built, dice, fitting=True)
        if dealt is not None:
            return dealt
    raise ValueError(
        "no deal of the cards that nobody saw was found that fits what is known of the hands"
    )


def _played_on(built: Built, judge: Judge, seats: Seats, seed: int, number: int) -> PlayedOn:
    """One hand that is played out from a position in which all cards are known."""
    position = built.position.copy()
    is_under_way = not position.begins
    position.turns = position.turns or int(is_under_way)
    players = []
    for seat, kind in enumerate(seats.kinds):
        make = KINDS["random" if seat in seats.bots else kind]
        players.append(make(judge, seat, Dice(seed, "seat", seat, "onward", number)))
    active = tuple(sorted(position.order))
    run = HandRun(judge, seats.names, players, active, seats.bots)
    run.hand.number = position.hand
    done: Sequence[Action] | None = None
    if is_under_way:
        done = built.begun[1] if built.begun is not None else ()
    scorekeeper = Scorekeeper(judge, seats.names, Reporter())
    sides = scorekeeper.standing.sides
    ended = run.decided(run.steps_from(position, done, partial(Dice, seed, "reshuffle", number)))
    if not ended:
        return PlayedOn(number, tuple(run.lines), "void", sides, (None,) * len(sides), ())
    scorekeeper.begin_hand(position.hand or 1)
    scorekeeper.count(run.hand)
    scores = scorekeeper.state.hand_scores()
    best = max([score for score in scores if score is not None], default=None)
    winners: list[int] = []
    if best is not None:
        winners = [side for side, score in enumerate(scores) if score == best]
    verdict = GameVerdict(over=False)
    score_line, *_ = closing_lines(judge.ruleset, scorekeeper.standing, scores, verdict)
    lines = (*run.lines, score_line)
    return PlayedOn(number, lines, position.end_reason, sides, scores, tuple(winners))


def onward_lines(hands: Iterable[PlayedOn], times: int) -> Iterator[str]:
    """How hands continued, as text: for each a comment with its number, its lines and its end."""
    for played in hands:
        yield f"# {played.number} of {times}\n"
        yield from (f"{write_event(event)}\n" for event in played.lines)
