"""What would have been legal instead: up to a handful of moves for a violation."""

from __future__ import annotations

from itertools import islice

from meldref.cards import UNKNOWN, Played, counted
from meldref.events import Action, Discard, Draw, LayOff, Meld, Take
from meldref.judge import Judge
from meldref.melds import Fault
from meldref.moves import discards, lay_offs
from meldref.notation.writer import write_action
from meldref.position.model import Before, Place, Position
from meldref.rules.base import Violation
from meldref.rules.draw import stock_card
from meldref.rules.layoff import targets

MOST = 4


def help_for(judge: Judge, position: Position, violation: Violation, place: Place | None) -> tuple[str, ...]:
    """Legal moves nearest to what was tried, as the notation writes them; empty where there are none to name."""
    action = place.action if place else None
    code = violation.code
    found: list[Action] = []
    if violation.before is not None and violation.place is not None:
        found = _uses(judge, position, violation.before, violation.place)
    elif code in {"discard.taken-top", "discard.taken-deep", "out.playable", "float.playable"}:
        found = _other_ends(judge, position, action)
    elif code == "turn.unfinished":
        found = list(islice(discards(judge, position), MOST))
    elif code.startswith("layoff") and isinstance(action, LayOff):
        numbers = targets(judge.binding, position, position.turn.seat, action.cards)
        found = [LayOff(action.cards, number) for number in numbers]
    elif code == "wild.unbound" and isinstance(action, (Meld, LayOff)):
        found = _readings(position, action)
    elif code.startswith(("meld.", "wild.")) and isinstance(action, Meld):
        found = list(_parts(judge, position, action))
    elif code == "draw.stock":
        found = _draws(judge, position)
    return tuple(dict.fromkeys(write_action(one) for one in found))[:MOST]


def _uses(judge: Judge, position: Position, before: Before, place: Place) -> list[Action]:
    """The ways in which a card that had to be used could have been used, as the player stood after the draw."""
    drawn = place.action
    if not isinstance(drawn, Take):
        return []
    use, book = judge.ruleset.draw.use, position.book
    found: list[Action] = []
    if "meld" in use:
        found += [Meld(cards) for cards in islice(book.melds_in(before.hand, must=drawn.card), MOST)]
    if "lay_off" in use:
        for number, shape in enumerate(before.shapes, start=1):
            if shape is not None and not isinstance(book.extend(shape, Played(drawn.card)), Fault):
                found.append(LayOff((Played(drawn.card),), number))
    return found


def _other_ends(judge: Judge, position: Position, action: Action | None) -> list[Action]:
    """Other discards, and lay-offs of the card itself."""
    found: list[Action] = []
    if isinstance(action, Discard) and action.card != UNKNOWN:
        found += lay_offs(judge, position, action.card)
    return [*found, *islice(discards(judge, position), MOST)]


def _readings(position: Position, action: Meld | LayOff) -> list[Action]:
    """The same cards with every wild card bound."""
    if isinstance(action, Meld):
        fault = position.book.read(action.cards)
        return [Meld(reading) for reading in fault.readings] if isinstance(fault, Fault) else []
    found: list[Action] = []
    numbers = [action.target] if action.target is not None else range(1, len(position.melds) + 1)
    for number in numbers:
        shape = position.melds[number - 1].shape if 0 < number <= len(position.melds) else None
        if shape is None or len(action.cards) != 1:
            continue
        result = position.book.extend(shape, action.cards[0])
        readings = result.readings if isinstance(result, Fault) else ((Played(result[1].card, result[1].role),),)
        found += [LayOff((reading[-1],), number) for reading in readings]
    return found


def _parts(judge: Judge, position: Position, action: Meld) -> list[Meld]:
    """The largest melds among the same cards."""
    same = counted(played.card for played in action.cards)
    found = [Meld(cards) for cards in position.book.melds_in(same)]
    found.sort(key=lambda meld: -len(meld.cards))
    return [meld for meld in found if judge.violation(position, meld) is None][:MOST]


def _draws(judge: Judge, position: Position) -> list[Action]:
    """The draw from the stock as it should have been written, or the pile's top card."""
    top = position.stock[-1] if position.stock else UNKNOWN
    if stock_card(judge.binding)(position, Draw(top)) is None:
        return [Draw(top)]
    if position.pile and position.pile[-1] != UNKNOWN:
        take = Take(position.pile[-1])
        if judge.violation(position, take) is None:
            return [take]
    return []
