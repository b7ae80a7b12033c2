"""The declared table of the mistakes that people make in logs: each with its cost and where it is looked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from meldref.core import events
from meldref.core.cards import (
    ANY_SUIT,
    JOKER,
    UNKNOWN,
    Played,
    card_text,
    cards_text,
    count,
    counted,
    each,
)
from meldref.core.effort import EFFORT, STATE
from meldref.core.events import (
    Action,
    Buy,
    Call,
    Deal,
    Discard,
    Draw,
    LayOff,
    Line,
    Meld,
    Missing,
    Swap,
    Take,
    Turn,
)
from meldref.core.records import changed
from meldref.moves.calls import buys
from meldref.moves.hands import listed
from meldref.notation.actions import BREAKS_IN
from meldref.notation.writer import write_action
from meldref.position.model import Position
from meldref.replay.repair.course import found_at
from meldref.replay.repair.edits import (
    BACK,
    DRAWN,
    SOME_DRAW,
    THROWN,
    Asked,
    Change,
    Changes,
    Kind,
    act,
    actions_of,
    around,
    back,
    cards_of,
    delete,
    down_to,
    everywhere,
    here,
    in_place,
    insert,
    is_alike,
    is_among,
    named,
    numbered,
    numbers_missing,
    put,
    quoted,
)
from meldref.rules.layoff import stand_in, swap_targets, targets

_IN_VAIN: Final = ("layoff.fit", "log.name", "swap.fit")
_MOST_IN_VAIN: Final = 24
"""How many findings are looked at for the cards that a missing meld would have taken."""
_COUNTED: Final = 1.3
"""By how much missing turns are more likely if the numbers after them count them."""
_BLOCK: Final = 4
"""How many turns at most are in the wrong place together."""
_EACH_MORE: Final = 0.15
"""What each of them after the first costs."""
_ROLES: Final = (None, *range(52), *range(ANY_SUIT, ANY_SUIT + 13))


def _twice(asked: Asked, index: int) -> Changes:
    lines, event = asked.course.lines, asked.turn(index)
    before = [line.event for line in lines[max(0, index - 2 * asked.seats) : index]]
    if any(
        type(other) is Turn and (other.player, other.actions) == (event.player, event.actions)
        for other in before
    ):
        yield from delete(asked, index)


def _of_another(asked: Asked, index: int) -> Changes:
    """A turn of another player, with the lines after it that go on with it under the same name."""
    lines, player, stop = asked.course.lines, asked.turn(index).player, index + 1
    while stop < len(lines) and _continues_turn(lines[stop - 1], lines[stop]):
        stop += 1
    breaks_in = type(asked.turn(index).actions[0]) in BREAKS_IN
    due = None if breaks_in else _whose_turn(asked, index)
    for name in asked.course.players if due is None else (due,):
        if name != player:
            renamed = [
                put(asked, at, asked.turn(at)._replace(player=name)) for at in range(index, stop)
            ]
            yield Change(index, stop, tuple([change.lines[0] for change in renamed]), name)


def _continues_turn(line: Line, after: Line) -> bool:
    """Whether the line after a turn that has no discard yet goes on with it."""
    first, second = line.event, after.event
    if type(first) is not Turn or type(second) is not Turn or second.number is not None:
        return False
    drawn = type(second.actions[0]) in {*SOME_DRAW, *BREAKS_IN}
    thrown = any(type(action) is Discard for action in first.actions)
    return second.player == first.player and not drawn and not thrown


def _swapped(asked: Asked, index: int) -> Changes:
    first, second = asked.course.lines[index : index + 2]
    if type(first.event) is Turn and type(second.event) is Turn:
        yield Change(index, index + 2, numbered((second, first), None), what=f"{second.number}")


def _names_swapped(asked: Asked, index: int) -> Changes:
    """Two neighbouring turns, each under the other's name."""
    first, second = asked.course.lines[index : index + 2]
    if type(first.event) is not Turn or type(second.event) is not Turn:
        return
    if second.event.player == _whose_turn(asked, index) != first.event.player:
        renamed = put(asked, index, first.event._replace(player=second.event.player))
        next_renamed = put(asked, index + 1, second.event._replace(player=first.event.player))
        lines = renamed.lines + next_renamed.lines
        yield Change(index, index + 2, lines, what=f"{second.number}")


def _late(asked: Asked, index: int) -> Changes:
    """Turns that are written some lines too late."""
    for middle, stop in _neighbouring_blocks(asked, index):
        if stop - middle <= middle - index:
            yield _exchanged(asked, index, middle, stop, _belong(asked, middle, stop))


def _early(asked: Asked, index: int) -> Changes:
    """Turns that are written some lines too early; `what` is the line that they belong after."""
    for middle, stop in _neighbouring_blocks(asked, index):
        if middle - index < stop - middle:
            after = f"{asked.course.lines[stop - 1].number}"
            moved = _exchanged(asked, index, middle, stop, after)
            yield moved._replace(player=_belong(asked, index, middle))


def _neighbouring_blocks(asked: Asked, index: int) -> Iterator[tuple[int, int]]:
    """Where a block of turns may end that begins at a line, and where the one that belongs before it does.

    One of them has few lines, the other goes on for two rounds at most; each is of whole turns.
    """
    lines, due = asked.course.lines, _whose_turn(asked, index)
    last = min(index + 2 * asked.seats + 1, len(lines))
    for middle in range(index + 1, last):
        if getattr(lines[middle].event, "player", None) != due:
            continue
        for stop in range(middle + 1, last):
            few = min(middle - index, stop - middle)
            is_swap = stop == index + 2
            if few <= _BLOCK and not is_swap and type(lines[stop - 1].event) is Turn:
                yield middle, stop


def _exchanged(asked: Asked, index: int, middle: int, stop: int, what: str) -> Change:
    """Two neighbouring blocks of lines, each in the place of the other."""
    lines = asked.course.lines
    moved = numbered((*lines[middle:stop], *lines[index:middle]), None)
    few = min(middle - index, stop - middle)
    return Change(index, stop, moved, what=what, more=_EACH_MORE * (few - 1))


def _belong(asked: Asked, start: int, stop: int) -> str:
    """The beginning of a sentence about lines that belong elsewhere."""
    first, last = asked.course.lines[start].number, asked.course.lines[stop - 1].number
    return f"line {first} belongs" if first == last else f"lines {first} to {last} belong"


def _whose_turn(asked: Asked, index: int) -> str | None:
    """Whose turn it is before a line; None in the middle of a turn."""
    return next(_due(asked, index), None)


def _joined(asked: Asked, index: int) -> Changes:
    """Two turns on one line."""
    event = asked.course.lines[index].event
    if type(event) is not Turn:
        return
    thrown = [at for at, action in enumerate(event.actions[:-1]) if type(action) is Discard]
    for at in thrown[:1]:
        first, second = event.actions[: at + 1], event.actions[at + 1 :]
        for name in asked.course.players:
            if name != event.player:
                turns = [event._replace(actions=first), Turn(None, name, second)]
                yield from insert(asked, index, turns, name, turns=1, over=1)


def _alien(asked: Asked, index: int) -> Changes:
    if type(asked.line.event) is Turn:
        yield from delete(asked, index)


def _another_out(asked: Asked, index: int) -> Changes:
    event = asked.line.event
    if isinstance(event, events.HandEnd) and event.player is not None:
        for name in asked.course.players:
            yield put(asked, index, changed(event, player=name), name)


def _reshuffle(asked: Asked, index: int) -> Changes:
    yield from insert(asked, index, [events.Reshuffle()])


def _due(asked: Asked, index: int) -> Iterator[str]:
    """Whose turns may be missing before a line, in their order, as many as there are players."""
    hand = asked.course.before(index).hand
    position = hand.as_dealt() if hand is not None and hand.started else None
    if position is not None and position.begins:
        seat = position.turn.seat
        for _ in position.order:
            yield asked.course.players[seat]
            seat = position.after[seat]


def _missing(asked: Asked, index: int) -> list[list[str]]:
    """Whose turns may be missing before a line: those after which the line's player is due, unless it is a call."""
    due = list(_due(asked, index))
    turn = asked.turn(index)
    rows = [due[:many] for many in range(1, len(due) + 1)]
    if type(turn.actions[0]) in BREAKS_IN or turn.player not in due:
        return rows
    return [rows[due.index(turn.player) - 1]]


def _turns(asked: Asked, index: int) -> Changes:
    for names in _missing(asked, index):
        made = [Turn(None, name, (DRAWN, THROWN)) for name in names]
        if len(names) == 1:  # the first turn of a hand may have no draw
            first = Turn(None, names[0], (THROWN,))
            yield from insert(asked, index, [first], *_whose(names), turns=1)
        yield from insert(
            asked, index, made, *_whose(names), 0.6 * (len(names) - 1), turns=len(names)
        )


def _unknown_turns(asked: Asked, index: int) -> Changes:
    for names in _missing(asked, index):
        hand, many = asked.course.before(index).hand, len(names)
        assert hand is not None
        drawn = _not_drawn(hand.as_dealt(), asked.turn(index).actions[0], many)
        missing = [Missing(many, drawn)]
        yield from insert(asked, index, missing, *_whose(names), 0.6 * (many - 1), turns=many)


def _whose(names: Sequence[str]) -> tuple[str, str]:
    """What a sentence says of missing turns: whose the last is, and whose it is or how many there are."""
    last = names[-1]
    return last, f"a turn of {last} is" if len(names) == 1 else f"{len(names)} turns are"


def _turn_with_card(asked: Asked, index: int) -> Changes:
    hand = asked.course.before(index).hand
    first = asked.turn(index).actions[0]
    taken = cards_of(first) if isinstance(first, (Take, *BREAKS_IN)) else ()
    for names in _missing(asked, index):
        if len(names) > 1 or hand is None:
            return
        top = [Take(card) for card in hand.as_dealt().pile[-1:] if card != UNKNOWN]
        for drawn in (DRAWN, *top):
            for card in (*taken, UNKNOWN):
                if drawn is not DRAWN or card != UNKNOWN:
                    turn = Turn(None, names[0], (drawn, Discard(card)))
                    yield from insert(asked, index, [turn], *_whose(names), turns=1)


def _gap(asked: Asked, index: int) -> Changes:
    """Turns of which nobody knows how many there are, unless the numbers from there on count them."""
    if next(_due(asked, index), None) is None:
        return
    missing = numbers_missing(asked.course.lines, index)
    if missing > 1:
        what = f"{missing} turns are"
        yield from insert(asked, index, [events.Gap()], what=what, more=-_COUNTED)
    else:
        yield from insert(asked, index, [events.Gap()], what="turns are")


def _not_drawn(position: Position, action: Action, most: int) -> int:
    """How many cards of the listed stock lie over the one drawn; 0 where they are more, or it is not listed."""
    over = position.stock[-1 : -2 - most : -1]
    if not isinstance(action, Draw) or action.card == UNKNOWN or action.card not in over:
        return 0
    return over.index(action.card)


def _pile(asked: Asked, index: int) -> list[int]:
    """The known cards of the pile before a line, the top first."""
    hand = asked.course.before(index).hand
    pile = [] if hand is None else hand.as_dealt().pile
    return [card for card in dict.fromkeys(reversed(pile)) if card != UNKNOWN]


def _draw(asked: Asked, index: int) -> Changes:
    actions = asked.turn(index).actions
    if any(type(action) in {*SOME_DRAW, *BREAKS_IN} for action in actions):
        return
    yield act(asked, index, (DRAWN, *actions))
    mine = {card for action in actions if type(action) is not Discard for card in cards_of(action)}
    for place, card in enumerate(_pile(asked, index)):
        if card in mine or not place:
            yield act(asked, index, (Take(card), *actions), down_to(card))


def _discard(asked: Asked, index: int) -> Changes:
    actions = asked.turn(index).actions
    if any(type(action) is Discard for action in actions):
        return
    yield act(asked, index, (*actions, THROWN))
    wanted = [*(asked.cards if index != asked.at else ())]
    for line in asked.course.lines[index + 1 : index + 2]:
        wanted += [card for action in actions_of(line)[:1] for card in cards_of(action)]
    for card in dict.fromkeys(wanted):
        yield act(asked, index, (*actions, Discard(card)), named(card), 0.05)


def _not_done(asked: Asked, index: int) -> Changes:
    actions = asked.turn(index).actions
    for at, action in enumerate(actions if len(actions) > 1 else ()):
        second_draw = isinstance(action, SOME_DRAW) and at > 0
        yield act(asked, index, in_place(actions, at), quoted(action), -0.5 if second_draw else 0.0)


def _another_meld(asked: Asked, index: int) -> Changes:
    actions = asked.turn(index).actions
    for at, action in enumerate(actions):
        hand = asked.course.before(index).hand
        if isinstance(action, (LayOff, Swap)) and hand is not None:
            laid = len(hand.as_dealt().melds) + sum(type(other) is Meld for other in actions)
            for target in range(1, laid + 1):
                if target != action.target:
                    other = changed(action, target=target)
                    yield act(
                        asked, index, in_place(actions, at, other), f"{quoted(action)} of m{target}"
                    )


def _other_draw(asked: Asked, index: int) -> Changes:
    event, wanted = asked.turn(index), asked.cards
    mine = event.player == getattr(asked.line.event, "player", None)
    for at, action in enumerate(event.actions):
        if not isinstance(action, Draw) or not cards_of(action):
            continue
        may_be_another = index == asked.at or action.card in wanted
        if not may_be_another and mine:
            played = [card for other in event.actions[at + 1 :] for card in cards_of(other)]
            spent = _spent_later(asked, event.player, index)
            may_be_another = action.card not in played and not spent[action.card]
        if may_be_another:
            yield act(asked, index, in_place(event.actions, at, DRAWN), quoted(action))


def _other_discard(asked: Asked, index: int) -> Changes:
    actions, wanted = asked.turn(index).actions, asked.cards
    near = index >= asked.at - 2 * asked.seats and asked.is_of("draw.pile", "buy", "call")
    for at, action in enumerate(actions):
        if not isinstance(action, Discard) or not cards_of(action):
            continue
        if near or index == asked.at or action.card in wanted:
            yield act(asked, index, in_place(actions, at, THROWN), quoted(action))
        for card in wanted if index != asked.at else ():
            if card != action.card and (near or is_alike(card, action.card)):
                what = f"{quoted(action)}{named(card)}"
                yield act(asked, index, in_place(actions, at, Discard(card)), what, -0.1)


def _other_take(asked: Asked, index: int) -> Changes:
    actions = asked.turn(index).actions
    for at, action in enumerate(actions):
        for card in _pile(asked, index) if isinstance(action, Take) else ():
            if card != action.card:  # type: ignore[union-attr]
                what = f"{quoted(action)}{named(card)}"
                yield act(asked, index, in_place(actions, at, Take(card)), what)


def _other_source(asked: Asked, index: int) -> Changes:
    """A card of the pile that is said to be drawn, or one of the stock that is said to be taken."""
    actions = actions_of(asked.course.lines[index])
    for at, action in enumerate(actions):
        if isinstance(action, SOME_DRAW) and cards_of(action) and asked.is_at_fault(at):
            kind = Take if isinstance(action, Draw) else Draw
            other = kind(action.card)
            yield act(asked, index, in_place(actions, at, other), quoted(other))


def _other_role(asked: Asked, index: int) -> Changes:
    for at, place, action in _at_fault(asked, index):
        laid = action.cards[place]
        for role in _ROLES if laid.role is not None else ():
            if role != laid.role:
                yield _relaid(asked, index, at, place, Played(laid.card, role))


def _other_laid(asked: Asked, index: int) -> Changes:
    wanted = asked.cards
    for at, action in enumerate(asked.turn(index).actions):
        if isinstance(action, (Meld, LayOff)):
            fault = index == asked.at and asked.is_at_fault(at)
            for place, laid in enumerate(action.cards):
                if fault or (index != asked.at and laid.card in wanted):
                    for card in _in_its_place(asked, index, action, place):
                        yield _relaid(asked, index, at, place, Played(card, laid.role))


def _in_its_place(asked: Asked, index: int, action: Meld | LayOff, place: int) -> list[int]:
    """The cards that may be meant by one of a play: of the rank or the suit of all others with it."""
    others = {laid.card for at, laid in enumerate(action.cards) if at != place and not laid.role}
    target = action.target if isinstance(action, LayOff) else None
    hand = asked.course.before(index).hand
    if target is not None and hand is not None:
        melds = hand.as_dealt().melds[target - 1 : target]
        others |= {laid.card for meld in melds for laid in meld.cards if laid.card == laid.role}
    ranks, suits = {card % 13 for card in others}, {card // 13 for card in others}
    return [
        card
        for card in range(52)
        if card != action.cards[place].card
        and (not others or ranks == {card % 13} or suits == {card // 13})
    ]


def _extra_card(asked: Asked, index: int) -> Changes:
    actions = actions_of(asked.course.lines[index])
    for at, place, action in _at_fault(asked, index):
        if len(action.cards) > (1 if isinstance(action, LayOff) else 3):
            fewer = changed(action, cards=in_place(action.cards, place))
            what = f"{card_text(action.cards[place].card)} of {quoted(action)}"
            yield act(asked, index, in_place(actions, at, fewer), what)


def _at_fault(asked: Asked, index: int) -> Iterator[tuple[int, int, Meld | LayOff]]:
    """The cards laid in the action at fault: which action, which of its cards."""
    for at, action in enumerate(actions_of(asked.course.lines[index])):
        if isinstance(action, (Meld, LayOff)) and asked.is_at_fault(at):
            yield from ((at, place, action) for place in range(len(action.cards)))


def _relaid(asked: Asked, index: int, at: int, place: int, played: Played) -> Change:
    """A meld or lay-off with another card in the place of one."""
    actions = asked.turn(index).actions
    action = actions[at]
    assert isinstance(action, (Meld, LayOff))
    other = changed(action, cards=in_place(action.cards, place, played))
    return act(
        asked, index, in_place(actions, at, other), f"{quoted(action)}: {write_action(other)}"
    )


def _spent_later(asked: Asked, player: str, index: int) -> Counter[int]:
    """How many of each card a player plays in the lines after one, besides those that come later."""
    spent: Counter[int] = Counter()
    came: Counter[int] = Counter()
    for line in asked.course.lines[index + 1 :]:
        if type(line.event) is not Turn or line.event.player != player:
            continue
        for action in line.event.actions:
            if isinstance(action, (Draw, Take, Buy)):
                came.update(cards_of(action))
            elif not isinstance(action, Call):
                spent.update(cards_of(action))
    return spent - came


def _lay_off_of_call(asked: Asked, index: int) -> Changes:
    """The cards of a call are laid off."""
    event, hand = asked.turn(index), asked.course.before(index).hand
    first = event.actions[0]
    seat = asked.course.stands[0].seats.get(event.player)
    if (
        not isinstance(first, Call)
        or not first.cards
        or hand is None
        or hand.position is None
        or seat is None
    ):
        return
    cards = tuple([Played(card) for card in first.cards])
    for target in targets(hand.judge.binding, hand.position, seat, cards):
        laid = LayOff(cards, target)
        yield act(asked, index, (first, laid, *event.actions[1:]), write_action(laid))


def _play(asked: Asked, index: int) -> Changes:
    """A meld or a lay-off of cards that the player does not play later, the largest first."""
    event = asked.turn(index)
    last = event.actions[-1]
    body = event.actions[:-1] if isinstance(last, Discard) else event.actions
    position = _after(asked, index, body or event.actions)
    seat = asked.course.stands[0].seats.get(event.player)
    if position is None or seat is None or position.turn.seat != seat:
        return
    thrown = Counter(cards_of(last) if body is not event.actions else ())
    spent = _spent_later(asked, event.player, index) + thrown
    mine = counted((Counter(each(position.hands[seat])) - spent).elements())
    melded = [at for at, action in enumerate(body) if isinstance(action, Meld)][:3]
    laid = [at for at, action in enumerate(body) if isinstance(action, (LayOff, Swap))][:1]
    places = [*sorted({*melded, *laid}), len(body)]
    wanted = _laid_in_vain(asked)
    melds = dict.fromkeys(
        [*listed(position.book, mine), *_likely_melds(asked, position, seat, wanted)]
    )
    plays: list[tuple[int, Action]] = [
        (at, meld)
        for meld in sorted(melds, key=lambda meld: (-_takes(meld, wanted), -len(meld.cards)))
        for at in reversed(places)
    ]
    between = [(at, action.target) for at, action in enumerate(body) if isinstance(action, LayOff)]
    binding = asked.course.before(index).judge.binding
    for card in each(mine):
        cards = (Played(card),)
        plays += [
            (len(body), LayOff(cards, target)) for target in targets(binding, position, seat, cards)
        ]
        plays += [
            (at, LayOff(cards, target)) for at, target in between if target and index == asked.at
        ]
    came = cards_of(event.actions[0]) if isinstance(event.actions[0], (Draw, Take)) else ()
    for at, play in plays:
        at_once = any(card in came for card in cards_of(play))
        likely = at_once or index == asked.at or (len(places) > 1 and not isinstance(play, LayOff))
        more = 0.0 if likely else 0.05
        if _matters(asked, index, play, len(position.melds)):
            actions = (*event.actions[:at], play, *event.actions[at:])
            yield act(asked, index, actions, write_action(play), more)


def _exchange(asked: Asked, index: int) -> Changes:
    """A wild card of the finding's line exchanged for one that the player does not play later."""
    event = asked.turn(index)
    seat = asked.course.stands[0].seats.get(event.player)
    hand = asked.course.before(index).hand
    if event.player != asked.player or hand is None or seat is None:
        return
    drawn = int(isinstance(event.actions[0], SOME_DRAW))
    steps = range(drawn, len(event.actions))
    last = next((step for step in steps if index == asked.at and asked.is_at_fault(step)), drawn)
    spent = _spent_later(asked, event.player, index - 1)
    for at in sorted({drawn, last}):
        position = _after(asked, index, event.actions[:at]) if at else hand.position
        if position is None:
            continue
        wilds = {card for card in asked.cards if position.book.is_wild(card)}
        for card in range(JOKER if wilds else 0):
            if spent[card] or not _may_have(position, seat, card):
                continue
            for target in swap_targets(hand.judge.binding, position, card):
                place = stand_in(position, target, card)
                if place is not None and position.melds[target - 1].cards[place].card in wilds:
                    swap = Swap(card, target)
                    actions = (*event.actions[:at], swap, *event.actions[at:])
                    yield act(asked, index, actions, write_action(swap))


def _may_have(position: Position, seat: int, card: int) -> bool:
    """Whether a player has a card, or may have it among those that nobody saw."""
    unknown = position.unknown[seat] > 0 and position.left(card) > 0
    return bool(count(position.hands[seat], card)) or unknown


def _matters(asked: Asked, index: int, play: Action, melds: int) -> bool:
    """Whether a play on a line can be why something was found; `melds` is the number of melds after that line."""
    whose = asked.turn(index).player == asked.player
    if asked.is_of("draw", "discard"):
        first = asked.turn(index).actions[0]
        return index == asked.at and isinstance(first, Take) and first.card in cards_of(play)
    if not asked.is_of("layoff.fit", "swap", "log.name"):
        return whose or asked.is_of("call")
    named_there = [
        action.target
        for step, action in enumerate(actions_of(asked.line))
        if isinstance(action, (LayOff, Swap)) and action.target and asked.is_at_fault(step)
    ]
    target = named_there[0] if named_there else 0
    if isinstance(play, LayOff):
        return play.target == target
    return not target or melds <= target or index == asked.at


def _after(asked: Asked, index: int, actions: tuple[Action, ...]) -> Position | None:
    """Where the hand stands after some actions of a line; None where something else is found in them."""
    line = asked.course.lines[index]
    playing = asked.course.before(index).fork()
    playing.play(line._replace(event=asked.turn(index)._replace(actions=actions)))
    EFFORT.spent += 2 * STATE
    if any(found_at(0, wrong).key != asked.found.key for wrong in playing.report.findings):
        return None
    return None if playing.hand is None else playing.hand.position


def _laid_in_vain(asked: Asked) -> list[int]:
    """The cards that lines from the finding on lay on melds which are not there or do not take them."""
    cards: list[int] = []
    for found in asked.course.found[:_MOST_IN_VAIN]:
        if found.at >= asked.found.at and is_among(found.finding.code, _IN_VAIN):
            later = Asked(asked.course, min(found.at, len(asked.course.lines) - 1), found)
            for step, action in enumerate(actions_of(later.line)):
                if isinstance(action, (LayOff, Swap)) and later.is_at_fault(step):
                    cards += [card for card in cards_of(action) if card < JOKER]
    return list(dict.fromkeys(cards))


def _takes(meld: Meld, wanted: Sequence[int]) -> int:
    """How many of some cards a meld may take, one after the other."""
    laid = [played.card for played in meld.cards if played.role is None]
    ranks, suits = {card % 13 for card in laid}, {card // 13 for card in laid}
    if len(ranks) == 1:
        return sum([card % 13 in ranks for card in wanted])
    if len(suits) > 1:
        return 0
    return sum([any(_is_near_in_suit(card, other) for other in laid) for card in wanted])


def _likely_melds(asked: Asked, position: Position, seat: int, wanted: Sequence[int]) -> list[Meld]:
    """Melds near the cards of the finding's line, or those laid in vain, that an unknown hand may have had."""
    if not position.unknown[seat] or asked.line.event is None:
        return []
    if not wanted or asked.is_of("draw"):
        return _melds_near(position, seat, asked.cards)
    return _melds_near(position, seat, wanted, wild=True)


def _melds_near(
    position: Position,
    seat: int,
    cards: Iterable[int],
    pile: Sequence[int] = (),
    *,
    wild: bool = False,
) -> list[Meld]:
    """Melds of three cards, each near one of some cards, that a player has, may have or finds in the pile.

    With `wild`, there may be wild cards among them.
    """
    wanted = [card for card in cards if card < JOKER]
    near = [
        card
        for card in range(JOKER + 1)
        if (card < JOKER and any(_is_near(card, other) for other in wanted))
        or (wild and position.book.is_wild(card))
    ]
    there = [card for card in near if card in pile or _may_have(position, seat, card)]
    melds = listed(position.book, counted(there))
    return [meld for meld in melds if len(meld.cards) == 3]


def _is_near(card: int, other: int) -> bool:
    """Whether two cards may lie in one meld."""
    return card % 13 == other % 13 or _is_near_in_suit(card, other)


def _is_near_in_suit(card: int, other: int) -> bool:
    return card // 13 == other // 13 and abs(card - other) <= 3


def _callable(asked: Asked, index: int) -> tuple[Position | None, int]:
    """The position before a line and the card that may be called then; `UNKNOWN`: none."""
    hand = asked.course.before(index).hand
    position = None if hand is None else hand.position
    if position is None or not position.begins or not position.pile:
        return position, UNKNOWN
    return position, position.pile[-1]


def _call(asked: Asked, index: int) -> Changes:
    position, card = _callable(asked, index)
    if position is None or card == UNKNOWN:
        return
    for seat in position.order:
        name = asked.course.players[seat]
        thrown = [other for other in (UNKNOWN, *each(position.hands[seat])) if other != card]
        ends = [(), *[(Discard(other),) for other in thrown]]
        for call, play in _calls_of(asked, position, seat, card):
            if not _may_call(asked, index, seat, call, play):
                continue
            for end in ends if isinstance(play, LayOff) else ends[:2]:
                turn = Turn(None, name, (call, play, *end))
                yield from insert(asked, index, [turn], name, cards_text(call.cards))


def _calls_of(
    asked: Asked, position: Position, seat: int, card: int
) -> Iterator[tuple[Call, LayOff | Meld]]:
    """What a player may have done with the last discard: laid it off, or melded it with others like it."""
    binding = asked.course.stands[0].judge.binding
    for target in targets(binding, position, seat, (Played(card),)):
        yield Call((card,)), LayOff((Played(card),), target)
    if asked.found.is_figure:
        return
    for meld in _melds_near(position, seat, [card], position.pile):
        called = [one for one in cards_of(meld) if not count(position.hands[seat], one)]
        if card in called:
            yield Call(tuple(called)), meld


def _may_call(asked: Asked, index: int, seat: int, call: Call, play: LayOff | Meld) -> bool:
    """Whether a player may call before a line, and lay what was called so."""
    hand = asked.course.before(index).hand
    assert hand is not None
    assert hand.position is not None
    judge, state = hand.judge, hand.position.copy()
    EFFORT.spent += STATE
    judge.play.begin_call(state, seat)
    if judge.violation(state, call) is not None:
        return False
    judge.play.actions[Call](state, call)
    return judge.violation(state, play) is None


def _buy(asked: Asked, index: int) -> Changes:
    """A purchase by somebody whose hand, or whose card, the finding is about, or by anybody."""
    hand = asked.course.before(index).hand
    position = None if hand is None else hand.position
    if hand is None or position is None or not position.begins:
        return
    of_cards = asked.is_of(*_CARDS) and not asked.is_of("draw.stock", "call")
    for seat, buy in buys(hand.judge, position):
        name = asked.course.players[seat]
        if not of_cards or name == asked.player or buy.card in asked.cards:
            yield from insert(asked, index, [Turn(None, name, (buy,))], name, card_text(buy.card))


def _other_up(asked: Asked, index: int) -> Changes:
    event = asked.course.lines[index].event
    if isinstance(event, events.UpCard) and event.card != UNKNOWN:
        near = asked.at - index < 3 * asked.seats or event.card in asked.cards
        up = events.UpCard(UNKNOWN)
        yield put(asked, index, up, what=card_text(event.card), more=0.0 if near else 0.2)


def _other_dealt(asked: Asked, index: int) -> Changes:
    event = asked.course.lines[index].event
    if isinstance(event, Deal):
        wanted, spent = asked.cards, _spent_later(asked, event.player, 0)
        mine = event.player == asked.player
        for at, card in enumerate(event.cards):
            if card in wanted or not spent[card]:
                other = Deal(event.player, in_place(event.cards, at), event.unknown + 1)
                yield put(asked, index, other, event.player, card_text(card))
            for meant in wanted if mine and not spent[card] else ():
                if is_alike(card, meant) and meant not in event.cards:
                    other = Deal(event.player, in_place(event.cards, at, meant), event.unknown)
                    what = f"{card_text(card)}{named(meant)}"
                    yield put(asked, index, other, event.player, what, -0.1)


def _deals_swapped(asked: Asked, index: int) -> Changes:
    """Two players, each dealt the other's cards."""
    lines = asked.course.lines
    event = lines[index].event
    for at in range(index + 1, len(lines)):
        other = lines[at].event
        if isinstance(event, Deal) and isinstance(other, Deal):
            first = put(asked, index, changed(event, player=other.player)).lines
            second = put(asked, at, changed(other, player=event.player)).lines
            between = tuple(lines[index + 1 : at])
            yield Change(index, at + 1, (*first, *between, *second), event.player, other.player)


def _not_dealt(asked: Asked, index: int) -> Changes:
    event = asked.course.lines[index].event
    if isinstance(event, Deal):
        yield put(asked, index, Deal(event.player, event.cards, event.unknown + 1), event.player)


def _near_or_calls(asked: Asked) -> Iterator[int]:
    """Turns near the finding, unless it is about a figure, and all calls."""
    near = asked.found.at if asked.found.is_figure else asked.at - asked.seats - 1
    for index in _ALL(asked):
        if index >= near or type(asked.turn(index).actions[0]) in BREAKS_IN:
            yield index


def _calls(asked: Asked) -> Iterable[int]:
    """Where a call may be missing: near the finding, or anywhere if figures show it."""
    return (_ALL if asked.found.is_figure else back(3))(asked)


_ROUND: Final = back(1, 1)
_ALL: Final = back(0, BACK)
_ORDER: Final = ("turn", "call", "buy")
"""Codes that say whose turn it is,"""
_CARDS: Final = ("hand", "log.copies", "draw", "buy.card", "call", "discard")
"""where a card lies,"""
_IN_PILE: Final = (
    "hand",
    "log.copies",
    "draw.pile",
    "draw.deep",
    "draw.top",
    "buy.card",
    "call",
    "discard",
)
"""where one lies that is no card of the stock,"""
_PLAYS: Final = ("meld", "layoff", "swap", "wild", "log.name", "call")
"""what lies on the table,"""
_COUNT: Final = ("turn.unfinished", "turn.over", "stock", "draw.stock", "end", "out", "float")
"""and how many cards somebody has."""
_PLAY_LACKS: Final = (
    *("layoff", "swap", "log.name", "call", "meld.contract", "meld.first-points", "house"),
    *("draw.deep", "draw.top", "discard"),
    *("turn.unfinished", "end", "out", "float"),
)
"""What follows from a play that was not written down."""

TABLE: Final = (
    Kind(
        "line-twice",
        1.0,
        1.0,
        _ROUND,
        (*_ORDER, *_CARDS, "log.number"),
        "line {line} is written twice",
        _twice,
    ),
    Kind(
        "other-player",
        1.0,
        1.1,
        _near_or_calls,
        (*_ORDER, "hand", "log.copies", "layoff.target", "meld.contract", "score.hand"),
        "line {line} is {player}'s",
        _of_another,
    ),
    Kind(
        "lines-swapped",
        1.1,
        1.1,
        around,
        (*_ORDER, *_CARDS, "log.number"),
        "lines {line} and {what} are swapped",
        _swapped,
    ),
    Kind(
        "names-swapped",
        1.15,
        1.15,
        around,
        (*_ORDER, *_CARDS),
        "the names of lines {line} and {what} are swapped",
        _names_swapped,
    ),
    Kind(
        "line-late",
        1.25,
        1.25,
        here,
        (*_ORDER, *_CARDS, "log.number"),
        "{what} before line {line}",
        _late,
    ),
    Kind(
        "line-early",
        1.25,
        1.25,
        here,
        (*_ORDER, *_CARDS, "log.number"),
        "{player} after line {what}",
        _early,
    ),
    Kind(
        "turns-joined",
        1.1,
        1.1,
        here,
        ("turn",),
        "line {line} has two turns, of which the second is {player}'s",
        _joined,
    ),
    Kind("other-out", 1.0, 1.0, here, ("end",), "{player} went out in line {line}", _another_out),
    Kind(
        "line-alien",
        1.8,
        1.8,
        here,
        (*_ORDER, *_CARDS),
        "line {line} does not belong there",
        _alien,
    ),
    Kind(
        "other-meld",
        1.0,
        1.2,
        back(4),
        (*_PLAYS, "log.copies"),
        "another meld is meant in line {line}: {what}",
        _another_meld,
    ),
    Kind(
        "draw-missing",
        1.1,
        1.1,
        back(2),
        ("turn.draw", *_CARDS, *_COUNT),
        "the draw of line {line} is missing{what}",
        _draw,
    ),
    Kind(
        "discard-missing",
        1.1,
        1.1,
        back(2),
        (*_ORDER, *_CARDS, *_COUNT),
        "the discard of line {line} is missing{what}",
        _discard,
    ),
    Kind(
        "not-done",
        1.6,
        1.6,
        back(0, 1),
        ("turn", *_CARDS, *_PLAYS),
        "{what} of line {line} was not done",
        _not_done,
        -0.5,
    ),
    Kind(
        "reshuffle-missing",
        1.0,
        1.0,
        here,
        ("draw", "stock", "setup.deck", "end"),
        "the reshuffle is missing before line {line}",
        _reshuffle,
    ),
    Kind(
        "turns-missing",
        1.2,
        1.2,
        _ROUND,
        (*_ORDER, *_CARDS, "log.number"),
        "{what} missing before line {line}",
        _turns,
    ),
    Kind(
        "turns-unknown",
        1.7,
        1.7,
        _ROUND,
        (*_ORDER, *_CARDS, "log.number"),
        "{what} missing before line {line}",
        _unknown_turns,
    ),
    Kind(
        "turn-missing",
        1.25,
        1.25,
        _ROUND,
        _ORDER,
        "{what} missing before line {line}",
        _turn_with_card,
    ),
    Kind(
        "gap",
        2.8,
        2.8,
        _ROUND,
        (*_ORDER, *_CARDS, *_PLAYS, *_COUNT, "log.number"),
        "{what} missing before line {line}",
        _gap,
        -_COUNTED,
    ),
    Kind(
        "other-source",
        1.0,
        1.0,
        here,
        ("draw", "log.copies", "buy.card"),
        "{what} is meant in line {line}",
        _other_source,
    ),
    Kind(
        "other-draw",
        1.0,
        1.3,
        _ALL,
        _CARDS,
        "another card is meant by {what} in line {line}",
        _other_draw,
    ),
    Kind(
        "other-discard",
        1.15,
        1.3,
        _ALL,
        _IN_PILE,
        "another card is meant by {what} in line {line}",
        _other_discard,
        -0.1,
    ),
    Kind(
        "other-take",
        1.0,
        1.3,
        back(2),
        _IN_PILE,
        "another card is meant by {what} in line {line}",
        _other_take,
    ),
    Kind(
        "other-role",
        0.9,
        0.9,
        here,
        _PLAYS,
        "another card is stood for by the joker of {what} in line {line}",
        _other_role,
    ),
    Kind(
        "other-card",
        1.0,
        1.3,
        _ALL,
        (*_CARDS, *_PLAYS),
        "another card is meant by {what} in line {line}",
        _other_laid,
    ),
    Kind(
        "card-extra",
        1.2,
        1.2,
        here,
        (*_CARDS, *_PLAYS),
        "{what} in line {line} was not laid",
        _extra_card,
    ),
    Kind(
        "play-missing",
        1.2,
        1.2,
        _ALL,
        _PLAY_LACKS,
        "{player}'s {what} is missing in line {line}",
        _play,
    ),
    Kind(
        "lay-missing",
        1.15,
        1.15,
        _ALL,
        ("call",),
        "{player}'s {what} is missing in line {line}",
        _lay_off_of_call,
    ),
    Kind(
        "swap-missing",
        0.9,
        1.2,
        _ALL,
        ("hand", "log.copies", "swap", "wild"),
        "{player}'s {what} is missing in line {line}",
        _exchange,
    ),
    Kind(
        "call-missing",
        1.3,
        1.3,
        _calls,
        (*_ORDER, *_CARDS, *_PLAYS, *_COUNT, "score.hand"),
        "{player}'s call of {what} is missing before line {line}",
        _call,
    ),
    Kind(
        "buy-missing",
        1.1,
        1.1,
        back(12),
        ("buy", "call", *_CARDS, "turn.over", "stock", "end.reason"),
        "{player}'s purchase of {what} is missing before line {line}",
        _buy,
    ),
    Kind(
        "other-up",
        1.1,
        1.1,
        everywhere,
        _IN_PILE,
        "another card than {what} was turned up",
        _other_up,
    ),
    Kind(
        "deals-swapped",
        1.2,
        1.2,
        everywhere,
        ("hand",),
        "the cards dealt to {player} and {what} are swapped",
        _deals_swapped,
    ),
    Kind(
        "other-dealt",
        1.2,
        1.2,
        everywhere,
        _IN_PILE,
        "{player} was dealt another card than {what}",
        _other_dealt,
        -0.1,
    ),
    Kind(
        "deal-missing",
        1.3,
        1.3,
        everywhere,
        ("hand", *_COUNT),
        "a card of {player}'s deal is missing",
        _not_dealt,
    ),
)
