"""Questions about a position: where a hand stands, what may be done, and what a move comes to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from meldref.answers.legal import judge_move
from meldref.answers.listing import legal_moves
from meldref.core.cards import UNKNOWN, Card, card_text, each
from meldref.core.effort import EFFORT
from meldref.core.events import (
    Action,
    Buy,
    Call,
    Discard,
    Draw,
    LayOff,
    Meld,
    Swap,
    Take,
    Turn,
    cards_of,
)
from meldref.notation.jsonlines.data import action_data
from meldref.notation.reader import read_line
from meldref.notation.roster import Roster
from meldref.position.model import GOING_ON, UNCOUNTED, Position, uncounted
from meldref.report.json import facts
from meldref.report.melds import melds_data
from meldref.rules.points import valued_melds
from meldref_evidence.chances import weigh as weigh_move
from meldref_evidence.report.chances import chances_data
from meldref_service.described import BadQuestion
from meldref_service.given import LOG, POSITION, At, GivenPosition, GivenRules, Rules
from meldref_service.session import Session
from meldref_service.told import (
    Answer,
    file_of,
    table,
    told_judgement,
    told_position,
    unusable,
)
from meldref_table.best import Goal, TooManyWays
from meldref_table.best_plays import best_plays, legal_turns
from meldref_table.report.lay_down import lay_down_data
from meldref_table.sitting import as_said

LOOKED_AT: Final = 400_000
"""How much is looked at to list moves or melds."""
_UNKNOWN: Final = re.compile(r"(?<![^\s])\?(?![^\s;])(?!.*;)")
"""An unknown card in the last action of a move."""
MOST_MELDS: Final = 20_000
"""The most melds that are looked at."""


def position(
    session: Session,
    *,
    position: GivenPosition | None = None,
    log: str | None = None,
    line: int | None = None,
    moves: bool = True,
    rules: GivenRules = "",
    folder: str = "",
) -> Answer:
    """Where a hand stands: a position, or a log before a line, or else the draft."""
    at = _at(session, position, log, line, Rules.of(rules, folder))
    return told_position(at, LOG if position is None else POSITION, moves=moves)


def _at(
    session: Session,
    position: GivenPosition | None,
    log: str | None,
    line: int | None,
    asked: Rules,
) -> At:
    """A position, or where a log stands before a line, or else the draft."""
    if position is not None:
        return session.position(position, asked)
    return session.draft.before(line) if log is None else session.before(log, line, asked)


def legal(
    session: Session,
    *,
    position: GivenPosition,
    move: str,
    rules: GivenRules = "",
    folder: str = "",
) -> Answer:
    """Judges a move."""
    at = session.position(position, Rules.of(rules, folder))
    if at.built is None:
        return unusable(at.findings, POSITION)
    judgement = judge_move(at.built, move)
    after = None if judgement.findings else file_of(judgement.after, at.named)
    return {**told_judgement(judgement), "position": after}


def play(
    session: Session,
    *,
    position: GivenPosition,
    move: str,
    rules: GivenRules = "",
    folder: str = "",
) -> Answer:
    """Judges a move, and says how the table stands after it and what may be done then."""
    at = session.position(position, Rules.of(rules, folder))
    if at.built is None:
        return unusable(at.findings, POSITION)
    judgement = judge_move(at.built, move)
    told = told_judgement(judgement)
    if not judgement.findings:
        told["after"] = table(judgement.after, at.named)
    return told


def moves(
    session: Session,
    *,
    position: GivenPosition,
    most: int = 1000,
    rules: GivenRules = "",
    folder: str = "",
) -> Answer:
    """All that may be done now, with the cards and places that each move touches."""
    at = session.position(position, Rules.of(rules, folder))
    if at.built is None:
        return unusable(at.findings, POSITION)
    stands = at.built.position
    over = stands.ending is not GOING_ON
    with EFFORT.at_most(LOOKED_AT):
        listed = legal_moves(at.built, None, most)
    return {
        "verdict": "position",
        "findings": [],
        "to_move": None if over else stands.players[stands.turn.seat],
        "over": over,
        "moves": [
            {"move": as_said(one.move), "points": one.points, **_touched(stands, one.move)}
            for one in listed
        ],
        "complete": listed.complete,
    }


def _touched(stands: Position, move: str) -> Answer:
    """Who makes a move, its actions as data, and the cards and places that they touch."""
    mover = stands.players[stands.turn.seat]
    text = move if ":" in move else f"{mover}: {move}"
    event = read_line(text, roster=Roster(stands.players))[0].event
    if not isinstance(event, Turn):
        return {"player": mover, "actions": [], "cards": [], "places": []}
    cards = [card_text(card) for card in cards_of(event) if card < len(stands.copies)]
    places = [place for action in event.actions for place in _places(action)]
    return {
        "player": event.player,
        "actions": [*map(action_data, event.actions)],
        "cards": [*dict.fromkeys(cards)],
        "places": [*dict.fromkeys(places)],
    }


def _places(action: Action) -> Iterator[str]:
    """Where an action takes cards from, other than a hand, and where it puts them."""
    match action:
        case Draw():
            yield "stock"
        case Take() | Call() | Buy() | Discard():
            yield "pile"
        case Meld():
            yield "table"
        case LayOff() | Swap() if action.target is not None:
            yield f"m{action.target}"


def unseen(
    session: Session,
    *,
    position: GivenPosition | None = None,
    log: str | None = None,
    line: int | None = None,
    rules: GivenRules = "",
    folder: str = "",
) -> Answer:
    """What the unknown cards of a position may be, place by place."""
    at = _at(session, position, log, line, Rules.of(rules, folder))
    if at.built is None:
        return unusable(at.findings, LOG if position is None else POSITION)
    stands = at.built.position
    return {
        "verdict": "position",
        "findings": [],
        "cards": _numbers(each(stands.unseen)),
        "places": [*_unknown_places(stands)],
    }


def _unknown_places(stands: Position) -> Iterator[Answer]:
    """The places that have unknown cards, how many, and which cards these may be."""
    anything = {card for card in range(len(stands.copies)) if stands.left(card) > 0}
    places: list[tuple[str, int, Collection[Card]]] = []
    for seat in sorted(stands.order):
        among = stands.among.get(seat)
        fit = anything if among is None else anything.intersection(each(among))
        places.append((f"hand {stands.players[seat]}", stands.unknown[seat], fit))
    in_pile = stands.pile.count(UNKNOWN) if stands.pile_known else UNCOUNTED
    named = sum(card != UNKNOWN for card in stands.stock)
    places += [("pile", in_pile, anything), ("stock", stands.stock_size - named, anything)]
    for name, number, may_be in places:
        if number > 0:
            yield {
                "place": name,
                "number": None if uncounted(number) else number,
                "may_be": [*map(card_text, sorted(may_be))],
            }


def fitting(
    session: Session,
    *,
    position: GivenPosition,
    move: str,
    rules: GivenRules = "",
    folder: str = "",
) -> Answer:
    """Which cards an unknown one, written `?`, would have to be for a move to be allowed."""
    at = session.position(position, Rules.of(rules, folder))
    if at.built is None:
        return unusable(at.findings, POSITION)
    if not _UNKNOWN.search(move):
        raise BadQuestion("the move names no unknown card: write it ?", ("move",))
    built = at.built
    anything = [card for card in range(len(built.position.copies)) if built.position.left(card) > 0]
    fit = [
        card
        for card in map(card_text, anything)
        if not judge_move(built, _UNKNOWN.sub(card, move, 1)).findings
    ]
    return {"verdict": "position", "findings": [], "cards": fit}


def _numbers(cards: Iterable[Card]) -> dict[str, int]:
    return dict(Counter(map(card_text, cards)))


def turns(
    session: Session,
    *,
    position: GivenPosition,
    most: int = 10,
    rules: GivenRules = "",
    folder: str = "",
) -> Answer:
    """Whole turns, those that bring most first."""
    at = session.position(position, Rules.of(rules, folder))
    if at.built is None:
        return unusable(at.findings, POSITION)
    with EFFORT.at_most(LOOKED_AT):
        found, search = legal_turns(at.built, most)
    return {
        "verdict": "position",
        "findings": [],
        "turns": [facts(one, "move", "points") for one in found],
        "complete": search.complete,
    }


def best(
    session: Session,
    *,
    position: GivenPosition,
    goal: Goal = "score",
    rules: GivenRules = "",
    folder: str = "",
) -> Answer:
    """The most valuable way for the player to move to lay down."""
    at = session.position(position, Rules.of(rules, folder))
    if at.built is None:
        return unusable(at.findings, POSITION)
    try:
        way = best_plays(at.built, goal)
    except TooManyWays:
        raise BadQuestion(
            "these cards can be laid in more ways than can be compared", ("position",)
        ) from None
    return {"verdict": "position", "findings": [], **lay_down_data(way, goal)}


def melds(
    session: Session,
    *,
    position: GivenPosition,
    most: int = 1000,
    rules: GivenRules = "",
    folder: str = "",
) -> Answer:
    """Every meld in the hand of the player to move."""
    at = session.position(position, Rules.of(rules, folder))
    if at.built is None:
        return unusable(at.findings, POSITION)
    stands, worth = at.built.position, at.built.judge.play.worth
    hand = stands.hands[stands.turn.seat]
    with EFFORT.at_most(LOOKED_AT):
        found = valued_melds(stands.book, worth, hand, MOST_MELDS)
        complete = len(found) < MOST_MELDS and not EFFORT.over and len(found) <= most
    told = melds_data(found[:most], complete=complete)
    return {"verdict": "position", "findings": [], **told}


def weigh(
    session: Session,
    *,
    position: GivenPosition,
    move: str,
    seed: int = 1,
    rules: GivenRules = "",
    folder: str = "",
) -> Answer:
    """Judges a move by the deals of unseen cards, and says in how many of them it is legal."""
    at = session.position(position, Rules.of(rules, folder))
    if at.built is None:
        return unusable(at.findings, POSITION)
    weighed = weigh_move(at.built, move, seed=seed)
    chances = weighed.chances
    return {
        **told_judgement(weighed.judgement),
        "witness": {
            "legal": None if weighed.legal is None else file_of(weighed.legal, at.named),
            "illegal": None if weighed.illegal is None else file_of(weighed.illegal, at.named),
        },
        "chances": None if chances is None else chances_data(chances),
    }
