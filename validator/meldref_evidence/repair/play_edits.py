"""Edits that add what nobody wrote down: melds, lay-offs, exchanges, calls and purchases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from meldref.core.cards import ANY_SUIT, JOKER, UNKNOWN, Cards, Played, count, counted, each
from meldref.core.diagnostics import is_among
from meldref.core.effort import EFFORT, STATE
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
)
from meldref.moves.calls import buys, calls
from meldref.moves.exhaustive import listed
from meldref.position.model import Position
from meldref.rules.layoff import targets
from meldref_evidence.repair.card_edits import spent_later
from meldref_evidence.repair.codes import CARDS
from meldref_evidence.repair.course import found_at
from meldref_evidence.repair.edits import (
    SOME_DRAW,
    Changes,
    Question,
    act,
    cards_in,
    cards_of,
    done_by,
    left_out,
    quoted,
)
from meldref_evidence.repair.prospects import SCORE, count_for_others, follow_from_plays
from meldref_evidence.repair.reach import actions_of

_IN_VAIN: Final = ("layoff.fit", "log.name", "swap.fit")
"""What is found of cards that are laid on a meld which is missing."""
_MOST_IN_VAIN: Final = 24
"""How many findings are looked at for the cards that a missing meld would have taken."""
_LEAST_OF_MELD: Final = 3
"""How many cards a meld has at least."""
_NOT_AT_ONCE: Final = 0.05
"""What it costs more that a card was laid off before the finding, and not as soon as it came."""


def play(question: Question, index: int) -> Changes:
    """A meld or a lay-off of cards that the player does not play later, the likeliest first."""
    if not _may_lack(question, index) or not _may_be_laid_there(question, index):
        return
    event, seat = question.turn(index), question.seat(index)
    actions = event.actions
    end = len(actions) - isinstance(actions[-1], Discard)
    position = _after(question, index, actions[:end])
    if position is None or seat is None or position.turn.seat != seat:
        return
    spent = spent_later(question, event.player, index)
    spent.update(cards_in(actions[end:]))
    mine = counted((Counter(each(position.hands[seat])) - spent).elements())
    laid = [at for at in range(end) if isinstance(actions[at], (Meld, LayOff, Swap))]
    melds = [
        (fits, size, at, meld)
        for at in (*laid[:3], end)
        for fits, size, meld in _missing_melds(question, index, position, mine, actions[at:])
    ]
    melds.sort(key=lambda row: row[:3], reverse=True)
    plays: list[tuple[int, Action]] = [(at, meld) for _, _, at, meld in melds]
    binding = question.course.before(index).judge.binding
    for card in each(mine):
        cards = (Played(card),)
        plays += [
            (end, LayOff(cards, number)) for number in targets(binding, position, seat, cards)
        ]
    came = cards_of(actions[0]) if isinstance(actions[0], SOME_DRAW) else ()
    for at, play in plays:
        is_near = index == question.at or (laid and isinstance(play, Meld))
        more = 0.0 if is_near or {*cards_of(play)} & {*came} else _NOT_AT_ONCE
        if _matters(question, index, play, _melds_before(position, actions[at:])):
            yield act(question, {index: (*actions[:at], play, *actions[at:])}, more)


def _may_be_laid_there(question: Question, index: int) -> bool:
    """Whether a play more on a line may be why cards do not fit on a meld, if that was found.

    Only what is laid on that meld may be, or a meld before it where melds have no numbers.
    """
    seat, meld = question.seat(index), question.meld
    if meld is None or seat is None:
        return True
    position = question.position(index)
    is_there = len(position.melds) >= meld.number
    if meld.is_numbered and not (is_there and meld.may_take_them):
        return False
    if position.unknown[seat] or not position.pile_known:
        return True
    mine = Counter(each(position.hands[seat]))
    for action in question.turn(index).actions:
        if isinstance(action, Draw):
            mine[action.card] += 1
        elif isinstance(action, SOME_DRAW):
            mine.update(position.pile)
    mine -= spent_later(question, question.turn(index).player, index - 1)
    may_meld = not is_there and mine.total() >= _LEAST_OF_MELD
    return may_meld or meld.may_matter_of(mine)


def exchange(question: Question, index: int) -> Changes:
    """A wild card of the finding's line exchanged for one that the player does not play later."""
    actions, seat = question.turn(index).actions, question.seat(index)
    player = question.turn(index).player
    if player != question.player or seat is None:
        return
    spent = spent_later(question, player, index - 1)
    drawn, here = int(isinstance(actions[0], SOME_DRAW)), index == question.at
    rest = range(drawn, len(actions) if here else 0)
    for at in sorted({drawn, *[at for at in rest if question.is_at_fault(at)][:1]}):
        position = _after(question, index, actions[:at])
        if position is None:
            continue
        for number, meld in enumerate(position.melds, start=1):
            wilds = [laid for laid in meld.cards if laid.card in question.cards]
            roles = {laid.role for laid in wilds if laid.role != laid.card}
            for card in range(JOKER if roles else 0):
                is_role = not roles.isdisjoint({card, ANY_SUIT + card % 13})
                if is_role and not spent[card] and _may_have(position, seat, card):
                    done = (*actions[:at], Swap(card, number), *actions[at:])
                    yield act(question, {index: done})


def _may_have(
    position: Position, seat: int, card: int, shown: frozenset[int] = frozenset()
) -> bool:
    """Whether a player has a card, or may have it among those that nobody saw.

    Of those that are `shown` later, one is elsewhere.
    """
    unknown = position.unknown[seat] > 0 and position.left(card) > (card in shown)
    return bool(count(position.hands[seat], card)) or unknown


def _may_lack(question: Question, index: int) -> bool:
    """Whether a play that is missing on a line can explain a finding."""
    if question.is_of("draw", "discard"):
        return index == question.at and isinstance(question.turn(index).actions[0], Take)
    if question.is_of("score.hand"):  # of two players, one may have what the other has too little
        found, begin = question.course.found, question.course.begin
        are_several = [fault.finding.code for fault in found].count(SCORE) > 1
        return are_several and (count_for_others(begin) or follow_from_plays(found))
    if question.is_of("layoff.fit", "swap", "log.name", "call"):
        return True
    return question.turn(index).player == question.player


def _matters(question: Question, index: int, play: Action, melds: int) -> bool:
    """Whether a play on a line can explain a finding; `melds`: how many there are before it."""
    if question.is_of("draw", "discard"):
        return not set(cards_of(question.turn(index).actions[0])).isdisjoint(cards_of(play))
    if not question.is_of("layoff.fit", "swap", "log.name"):
        return True
    named_there = [
        action.target
        for step, action in enumerate(actions_of(question.line))
        if isinstance(action, (LayOff, Swap)) and action.target and question.is_at_fault(step)
    ]
    target = named_there[0] if named_there else 0
    if isinstance(play, LayOff):
        return play.target == target
    return not target or melds < target


def _melds_before(position: Position, after: Sequence[Action]) -> int:
    """How many melds there were before some actions."""
    return len(position.melds) - sum(type(action) is Meld for action in after)


def _after(question: Question, index: int, actions: tuple[Action, ...]) -> Position | None:
    """Where the hand stands after some actions of a line; None if the cards speak against them."""
    if not actions:
        return question.position(index)
    playing = question.course.before(index).fork()
    turn = question.turn(index)._replace(actions=actions)
    playing.play(question.lines[index]._replace(event=turn))
    EFFORT.spent += 2 * STATE
    wrong = [found_at(0, finding) for finding in playing.report.findings]
    if any(fault.contradicts and fault.key != question.fault.key for fault in wrong):
        return None
    return None if playing.hand is None else playing.hand.position


def _missing_melds(
    question: Question, index: int, position: Position, mine: Cards, after: Sequence[Action]
) -> list[tuple[int, int, Meld]]:
    """Melds that a player may have laid in a turn, before some of its actions.

    They are of the cards not played later or, in a hand that nobody saw, near those laid off on it.
    Each comes with how many of these it takes, and with its size.
    """
    seat = position.turn.seat
    number = _melds_before(position, after) + 1
    wanted = _laid_on(question, index, number) or _laid_in_vain(question)
    melds = listed(position.book, mine)
    if position.unknown[seat] and question.line.event is not None:
        shown = _shown_after(question, index, position)
        if wanted and not question.is_of("draw"):
            melds += _melds_near(position, seat, wanted, shown, wild=True)
        else:
            melds += _melds_near(position, seat, question.cards, shown)
    most = position.held[seat] - _played_later(question, index)
    return [
        (_takes(meld, wanted), len(meld.cards), meld)
        for meld in dict.fromkeys(melds)
        if len(meld.cards) <= most
    ]


def _played_later(question: Question, index: int) -> int:
    """How many cards of a hand its player needs from a line's discard on, as far as is written."""
    player = question.turn(index).player
    most = played = sum(type(action) is Discard for action in question.turn(index).actions)
    for action in done_by(player, question.lines[index + 1 :]):
        if isinstance(action, (Take, Buy, Call)):
            break
        if isinstance(action, Draw):
            played -= 1
        elif isinstance(action, Discard):
            played += 1
        elif not isinstance(action, Swap):
            played += len(cards_of(action))
        most = max(most, played)
    return most


def _laid_in_vain(question: Question) -> list[int]:
    """The cards laid, from the finding on, on melds that are not there or do not take them."""
    faults = question.course.found[:_MOST_IN_VAIN]
    places = {fault.at for fault in faults if is_among(fault.finding.code, _IN_VAIN)}
    rows = [
        line for at, line in enumerate(question.lines) if at in places and at >= question.fault.at
    ]
    plays = [action for line in rows for action in actions_of(line)]
    laid = cards_in(action for action in plays if isinstance(action, (LayOff, Swap)))
    return list(dict.fromkeys(card for card in laid if card < JOKER))


def _melds_near(
    position: Position,
    seat: int,
    cards: Iterable[int],
    shown: frozenset[int],
    *,
    wild: bool = False,
) -> list[Meld]:
    """The smallest melds near given cards that a player has or may have, perhaps with wild ones."""
    wanted = [card for card in cards if card < JOKER]
    sizes = {pattern.kind.min_size for pattern in position.book.patterns}
    near = [
        card
        for card in range(JOKER + 1)
        if (card < JOKER and any(_is_near(card, other, max(sizes)) for other in wanted))
        or (wild and position.book.is_wild(card))
    ]
    there = [card for card in near if _may_have(position, seat, card, shown)]
    return [meld for meld in listed(position.book, counted(there)) if len(meld.cards) in sizes]


def _is_near(card: int, other: int, size: int = 3) -> bool:
    """Whether two cards may lie in one meld of that many cards, or beside it."""
    return card % 13 == other % 13 or (card // 13 == other // 13 and abs(card - other) <= size)


def _takes(meld: Meld, wanted: Sequence[int]) -> int:
    """How many of some cards a meld may take, one after the other."""
    laid = [played.card for played in meld.cards if played.role is None]
    return sum(
        [any(_is_near(card, other) for other in laid) for card in wanted if card not in laid]
    )


def _laid_on(question: Question, index: int, number: int) -> list[int]:
    """The cards that are laid on a meld of that number, from a line on."""
    plays = [action for line in question.lines[index:] for action in actions_of(line)]
    laid = [play for play in plays if isinstance(play, (LayOff, Swap)) and play.target == number]
    return list(dict.fromkeys(card for card in cards_in(laid) if card < JOKER))


def _shown_after(question: Question, index: int, position: Position) -> frozenset[int]:
    """The cards named after a line that no player is known to have."""
    shown: set[int] = set()
    EFFORT.spent += len(question.lines)
    for player, seat in question.course.begin.seats.items():
        named = cards_in(done_by(player, question.lines[index + 1 :]))
        shown |= {*named} - {*each(position.hands[seat])}
    return frozenset(shown)


def call(question: Question, index: int) -> Changes:
    """A call was left out, with what was laid by it."""
    hand = question.course.hand(index)
    position = hand.position
    if position is None or not position.begins or not position.pile:
        return
    meld = question.meld
    if meld is not None:
        is_there = len(position.melds) >= meld.number
        if (is_there or meld.is_numbered) and not (is_there and meld.may_matter_of(position.pile)):
            return
    seats = _whose_calls(question)
    EFFORT.spent += STATE * len(position.order)
    for seat, actions, _ in calls(hand.judge, position, seats):
        thrown = dict.fromkeys((UNKNOWN, *each(position.hands[seat])))
        for end in ((), *[(Discard(card),) for card in thrown]):
            turn = Turn(None, question.players[seat], (*actions, *end))
            yield from _broke_in(question, index, turn)


def _whose_calls(question: Question) -> list[int] | None:
    """The seats whose calls may explain a finding: if a score is wrong, of those; None: any."""
    begin = question.course.begin
    if not question.is_of(SCORE) or count_for_others(begin):
        return None
    sides = begin.scores.sides
    found = [fault.finding for fault in question.course.found if fault.finding.code == SCORE]
    wrong = {sides.get(finding.player or "") for finding in found}
    if not wrong or None in wrong:
        return None
    return [seat for seat, name in enumerate(question.players) if sides[name] in wrong]


def buy(question: Question, index: int) -> Changes:
    """A purchase by somebody whose hand, or whose card, the finding is about, or by anybody.

    One that is written in the round after that is not missing, but late.
    """
    hand = question.course.hand(index)
    position = hand.position
    if position is None or not position.begins:
        return
    of_cards = question.is_of(*CARDS) and not question.is_of("draw.stock", "call")
    soon = [line.event for line in question.lines[index : index + question.seats]]
    written = [(event.player, event.actions) for event in soon if type(event) is Turn]
    for seat, buy in buys(hand.judge, position):
        name = question.players[seat]
        if (name, (buy,)) in written:
            continue
        if not of_cards or name == question.player or buy.card in question.cards:
            yield from _broke_in(question, index, Turn(None, name, (buy,)))


def _broke_in(question: Question, index: int, turn: Turn) -> Changes:
    """A call or a purchase that was left out before a line."""
    what = f"{turn.player}'s {quoted(turn.actions[0])} is"
    yield from left_out(question, index, what, [turn])
