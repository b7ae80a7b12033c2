"""The best way to lay down a hand, by trying everything: each play that the judge allows, and what may follow."""

from meldref.core.cards import ANY_SUIT, JOKER, Played, card_text, cards_text, each, size
from meldref.core.diagnostics import Span
from meldref.core.events import LayOff, Meld, Swap
from meldref.moves.exhaustive import melds
from meldref.positions.build import build_position


def built(ruleset, hand, table=(), players="AB", wild=None):
    """A position after the draw in which A holds these cards, and the judge; `table` has who laid what."""
    first, *others = hand
    value = {
        "players": list(players),
        "hands": {"A": cards_text(others)},
        "turn": f"draw {card_text(first)}",
        "table": {f"m{number}": dict(laid) for number, laid in enumerate(table, start=1)},
    }
    if wild is not None:
        value["wild"] = wild
    found, findings = build_position(value, ruleset, lambda _: Span(1, 1, 1))
    assert found is not None, findings
    return found


def side(found):
    """The seats that score with the first."""
    apart = found.judge.ruleset.partnership.score == "apart"
    return [
        seat
        for seat in range(len(found.position.players))
        if not seat or (not apart and _partners(found, seat))
    ]


def _partners(found, seat):
    return found.judge.binding.partners(seat, 0)


def plays(judge, position):
    """Every meld that may be laid, and every card that may be laid off, whatever it is said to stand for."""
    yield from melds(judge, position)
    for card in set(each(position.hands[0])):
        for number, meld in enumerate(position.melds, start=1):
            ways = [Played(card)]
            if position.book.is_wild(card):
                ways += [
                    Played(card, role)
                    for role in (*meld.shape.growth, *range(ANY_SUIT, ANY_SUIT + 13))
                ]
            if card == JOKER:
                ways.append(Played(card, JOKER))
            for played in ways:
                action = LayOff((played,), number)
                if judge.violation(position, action) is None:
                    yield action


def after(found, position, action):
    """The position after a play; the judge has nothing against it."""
    assert found.judge.violation(position, action) is None, action
    following = position.copy()
    found.judge.play.actions[type(action)](following, action)
    return following


def gained(found, before, position, goal):
    """What the goal counts, and how many cards were laid."""
    points = sum(position.points[seat] - before.points[seat] for seat in side(found))
    if goal == "score" and found.judge.ruleset.scoring.hands == "subtract":
        held = found.judge.play.worth.held
        points += held(before.hands[0]) - held(position.hands[0])
    return points, size(before.hands[0]) - size(position.hands[0])


def most(found, goal):
    """The most that can be gained and, of that, the most cards laid."""
    known = {}

    def from_here(position):
        if not position.held[0] or position.turn.seat:
            return 0, 0
        key = position.hands[0], _table(position)
        if key not in known:
            best = 0, 0
            for action in plays(found.judge, position):
                following = after(found, position, action)
                points, cards = gained(found, position, following, goal)
                more, others = from_here(following)
                best = max(best, (points + more, cards + others))
            known[key] = best
        return known[key]

    return from_here(found.position)


def _table(position):
    return tuple(
        sorted(
            (id(meld.shape), meld.seat, tuple(sorted(one[1:4] for one in meld.cards)))
            for meld in position.melds
        )
    )


def played(found, lay_down):
    """The position after all plays of an answer, each of them legal; nothing is drawn or discarded."""
    position = found.position
    for action in lay_down.plays:
        assert isinstance(action, (Meld, LayOff, Swap))
        position = after(found, position, action)
    return position
