"""Edits that add what nobody wrote down: melds, lay-offs, exchanges, calls and purchases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from meldref.core.cards import (
    JOKER,
    UNKNOWN,
    Cards,
    Played,
    count,
    counted,
    each,
)
from meldref.core.diagnostics import is_among
from meldref.core.effort import EFFORT, STATE
from meldref.core.events import (
    Action,
    Buy,
    Call,
    Discard,
    Draw,
    HandEnd,
    LayOff,
    Meld,
    Swap,
    Take,
    Turn,
)
from meldref.moves.calls import buys
from meldref.moves.hands import listed
from meldref.position.model import Position
from meldref.replay.repair.card_edits import spent_later
from meldref.replay.repair.codes import CARDS
from meldref.replay.repair.course import found_at
from meldref.replay.repair.edits import (
    SOME_DRAW,
    Changes,
    Question,
    act,
    actions_of,
    cards_of,
    insert,
    quoted,
)
from meldref.rules.layoff import stand_in, swap_targets, targets

_IN_VAIN: Final = ("layoff.fit", "log.name", "swap.fit")
"""What is found of cards that are laid on a meld which is missing."""
_MOST_IN_VAIN: Final = 24
"""How many findings are looked at for the cards that a missing meld would have taken."""


def lay_off_of_call(question: Question, index: int) -> Changes:
    """The cards of a call are laid off."""
    first, *rest = question.turn(index).actions
    hand, seat = question.course.hand(index), question.seat(index)
    if isinstance(first, Call) and first.cards and seat is not None:
        cards = tuple([Played(card) for card in first.cards])
        for target in targets(hand.judge.binding, hand.as_dealt(), seat, cards):
            laid = LayOff(cards, target)
            yield act(question, index, (first, laid, *rest), quoted(laid))


def play(question: Question, index: int) -> Changes:
    """A meld or a lay-off of cards that the player does not play later, the likeliest first."""
    if not _may_lack(question, index):
        return
    event = question.turn(index)
    last = event.actions[-1]
    body = event.actions[:-1] if isinstance(last, Discard) else event.actions
    position = _after(question, index, body)
    seat = question.seat(index)
    if position is None or seat is None or position.turn.seat != seat:
        return
    thrown = Counter(cards_of(last) if body is not event.actions else ())
    spent = spent_later(question, event.player, index) + thrown
    mine = counted((Counter(each(position.hands[seat])) - spent).elements())
    melded = [at for at, action in enumerate(body) if isinstance(action, Meld)][:3]
    laid = [at for at, action in enumerate(body) if isinstance(action, (LayOff, Swap))][:1]
    places = [*sorted({*melded, *laid}), len(body)]
    melds = [
        (fits, len(meld.cards), at, meld)
        for at in places
        for fits, meld in _missing_melds(question, index, position, seat, mine, body[at:])
    ]
    melds.sort(key=lambda row: row[:3], reverse=True)
    plays: list[tuple[int, Action]] = [(at, meld) for _, _, at, meld in melds]
    between = [(at, action.target) for at, action in enumerate(body) if isinstance(action, LayOff)]
    binding = question.course.before(index).judge.binding
    for card in each(mine):
        cards = (Played(card),)
        plays += [
            (len(body), LayOff(cards, target)) for target in targets(binding, position, seat, cards)
        ]
        plays += [
            (at, LayOff(cards, target)) for at, target in between if target and index == question.at
        ]
    came = cards_of(event.actions[0]) if isinstance(event.actions[0], (Draw, Take)) else ()
    for at, play in plays:
        at_once = any(card in came for card in cards_of(play))
        likely = (
            at_once or index == question.at or (len(places) > 1 and not isinstance(play, LayOff))
        )
        more = 0.0 if likely else 0.05
        if _matters(question, index, play, _melds_before(position, body[at:])):
            actions = (*event.actions[:at], play, *event.actions[at:])
            yield act(question, index, actions, quoted(play), more)


def exchange(question: Question, index: int) -> Changes:
    """A wild card of the finding's line exchanged for one that the player does not play later."""
    event, seat = question.turn(index), question.seat(index)
    binding = question.course.hand(index).judge.binding
    if event.player != question.player or seat is None:
        return
    drawn = int(isinstance(event.actions[0], SOME_DRAW))
    steps = range(drawn, len(event.actions))
    last = next(
        (step for step in steps if index == question.at and question.is_at_fault(step)), drawn
    )
    spent = spent_later(question, event.player, index - 1)
    for at in sorted({drawn, last}):
        position = _after(question, index, event.actions[:at])
        if position is None:
            continue
        wilds = {card for card in question.cards if position.book.is_wild(card)}
        for card in range(JOKER if wilds else 0):
            if spent[card] or not _may_have(position, seat, card):
                continue
            for target in swap_targets(binding, position, card):
                place = stand_in(position, target, card)
                if place is not None and position.melds[target - 1].cards[place].card in wilds:
                    swap = Swap(card, target)
                    actions = (*event.actions[:at], swap, *event.actions[at:])
                    yield act(question, index, actions, quoted(swap))


def _may_have(
    position: Position, seat: int, card: int, shown: frozenset[int] = frozenset()
) -> bool:
    """Whether a player has a card, or may have it among those that nobody saw.

    Of those that are `shown` later, one is elsewhere.
    """
    unknown = position.unknown[seat] > 0 and position.left(card) > (card in shown)
    return bool(count(position.hands[seat], card)) or unknown


def _shown_after(question: Question, index: int, position: Position) -> frozenset[int]:
    """The cards named after a line that no player is known to have."""
    shown: set[int] = set()
    EFFORT.spent += len(question.lines)
    for line in question.lines[index + 1 :]:
        seat = question.course.begin.seats.get(getattr(line.event, "player", None) or "")
        held = set() if seat is None else set(each(position.hands[seat]))
        cards = {card for action in actions_of(line) for card in cards_of(action)}
        shown |= cards - held
    return frozenset(shown)


def _may_lack(question: Question, index: int) -> bool:
    """Whether a play that is missing on a line can explain a finding."""
    if question.is_of("draw", "discard"):
        return index == question.at and isinstance(question.turn(index).actions[0], Take)
    if question.is_of("score.hand"):  # of two players, one may have what the other has too little
        findings = [fault.finding for fault in question.course.found]
        wrong = [finding.player for finding in findings if finding.code == "score.hand"]
        return len(wrong) > 1 and question.turn(index).player in wrong
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
    question: Question,
    index: int,
    position: Position,
    seat: int,
    mine: Cards,
    after: Sequence[Action],
) -> Iterator[tuple[int, Meld]]:
    """Melds that a player may have laid in a turn, before some of its actions.

    They are of the cards not played later or, in a hand that nobody saw, near those laid off on it.
    Each comes with how well it fits: how many of these it takes, or how many cards it has if they
    are all that its player had left on going out.
    """
    most = position.held[seat] - _played_later(question, index)
    number = _melds_before(position, after) + 1
    wanted = _laid_on(question, index, number) or _laid_in_vain(question)
    kept, many = _left_when_out(question, seat)
    melds = listed(position.book, mine)
    if position.unknown[seat] and question.line.event is not None:
        shown = _shown_after(question, index, position)
        if wanted and not question.is_of("draw"):
            near = [*wanted, *kept]
            melds += _melds_near(position, seat, near, shown, size=many, wild=True)
        else:
            melds += _melds_near(position, seat, question.cards, shown)
    for meld in dict.fromkeys(melds):
        if len(meld.cards) <= most:
            is_rest = len(meld.cards) == many and kept <= {*cards_of(meld)}
            fits = many if is_rest else _takes(meld, wanted)
            yield fits, meld


def _played_later(question: Question, index: int) -> int:
    """How many cards of a hand its player needs from a line's discard on, as far as is written."""
    player = question.turn(index).player
    most = played = sum(type(action) is Discard for action in question.turn(index).actions)
    for line in question.lines[index + 1 :]:
        for action in actions_of(line) if getattr(line.event, "player", None) == player else ():
            if isinstance(action, (Take, Buy, Call)):
                return most
            if isinstance(action, Draw):
                played -= 1
            elif isinstance(action, Discard):
                played += 1
            elif not isinstance(action, Swap):
                played += len(cards_of(action))
            most = max(most, played)
    return most


def _left_when_out(question: Question, seat: int) -> tuple[frozenset[int], int]:
    """The known cards, and how many cards, a player had left who is said to have gone out."""
    lines, nothing = question.lines, (frozenset[int](), 0)
    at = next((at for at, line in enumerate(lines) if isinstance(line.event, HandEnd)), 0)
    if not at or getattr(lines[at].event, "player", None) != question.players[seat]:
        return nothing
    position = question.position(at)
    return frozenset(each(position.hands[seat])), position.held[seat]


def _laid_on(question: Question, index: int, number: int) -> list[int]:
    """The cards that are laid on a meld of that number, from a line on."""
    plays = [action for line in question.lines[index:] for action in actions_of(line)]
    laid = [play for play in plays if isinstance(play, (LayOff, Swap)) and play.target == number]
    return list(dict.fromkeys(card for play in laid for card in cards_of(play) if card < JOKER))


def _laid_in_vain(question: Question) -> list[int]:
    """The cards laid, from the finding on, on melds that are not there or do not take them."""
    cards: list[int] = []
    for fault in question.course.found[:_MOST_IN_VAIN]:
        if fault.at >= question.fault.at and is_among(fault.finding.code, _IN_VAIN):
            later = Question(question.course, min(fault.at, len(question.lines) - 1), fault)
            for step, action in enumerate(actions_of(later.line)):
                if isinstance(action, (LayOff, Swap)) and later.is_at_fault(step):
                    cards += [card for card in cards_of(action) if card < JOKER]
    return list(dict.fromkeys(cards))


def _takes(meld: Meld, wanted: Sequence[int]) -> int:
    """How many of some cards a meld may take, one after the other."""
    laid = [played.card for played in meld.cards if played.role is None]
    wanted = [card for card in wanted if card not in laid]
    ranks, suits = {card % 13 for card in laid}, {card // 13 for card in laid}
    if len(ranks) == 1:
        return sum([card % 13 in ranks for card in wanted])
    if len(suits) > 1:
        return 0
    return sum([any(_is_near_in_suit(card, other) for other in laid) for card in wanted])


def _melds_near(
    position: Position,
    seat: int,
    cards: Iterable[int],
    shown: frozenset[int],
    pile: Sequence[int] = (),
    *,
    size: int = 0,
    wild: bool = False,
) -> list[Meld]:
    """Small melds near given cards that a player has, may have or finds in the pile.

    `size`: those with so many cards, too. With `wild`, there may be wild cards among them.
    """
    wanted = [card for card in cards if card < JOKER]
    sizes = {size, *(pattern.kind.min_size for pattern in position.book.patterns)}
    near = [
        card
        for card in range(JOKER + 1)
        if (card < JOKER and any(_is_near(card, other, max(sizes)) for other in wanted))
        or (wild and position.book.is_wild(card))
    ]
    there = [card for card in near if card in pile or _may_have(position, seat, card, shown)]
    melds = listed(position.book, counted(there))
    return [meld for meld in melds if len(meld.cards) in sizes]


def _is_near(card: int, other: int, size: int) -> bool:
    """Whether two cards may lie in one meld of that many cards, or beside it."""
    return card % 13 == other % 13 or _is_near_in_suit(card, other, size)


def _is_near_in_suit(card: int, other: int, size: int = 3) -> bool:
    return card // 13 == other // 13 and abs(card - other) <= size


def call(question: Question, index: int) -> Changes:
    """A call was left out, with what was laid by it."""
    position = question.course.hand(index).position
    card = position.pile[-1] if position is not None and position.pile else UNKNOWN
    if position is None or not position.begins or card == UNKNOWN:
        return
    for seat in position.order:
        name = question.players[seat]
        thrown = [other for other in (UNKNOWN, *each(position.hands[seat])) if other != card]
        ends = [(), *[(Discard(other),) for other in thrown]]
        for call, play in _calls_of(question, index, position, seat, card):
            if not _may_call(question, index, seat, call, play):
                continue
            for end in ends if isinstance(play, LayOff) else ends[:2]:
                turn = Turn(None, name, (call, play, *end))
                yield from insert(question, index, [turn], name, quoted(call))


def _calls_of(
    question: Question, index: int, position: Position, seat: int, card: int
) -> Iterator[tuple[Call, LayOff | Meld]]:
    """What a player may have done with the last discard: laid it off, or melded it."""
    binding = question.course.begin.judge.binding
    for target in targets(binding, position, seat, (Played(card),)):
        yield Call((card,)), LayOff((Played(card),), target)
    if question.fault.is_figure:
        return
    shown = _shown_after(question, index - 1, position)
    for meld in _melds_near(position, seat, [card], shown, position.pile):
        called = [one for one in cards_of(meld) if not count(position.hands[seat], one)]
        if card in called:
            yield Call(tuple(called)), meld


def _may_call(question: Question, index: int, seat: int, call: Call, play: LayOff | Meld) -> bool:
    """Whether a player may call before a line, and lay what was called so."""
    hand = question.course.hand(index)
    judge, state = hand.judge, hand.as_dealt().copy()
    EFFORT.spent += STATE
    judge.play.begin_call(state, seat)
    if judge.violation(state, call) is not None:
        return False
    judge.play.actions[Call](state, call)
    return judge.violation(state, play) is None


def buy(question: Question, index: int) -> Changes:
    """A purchase by somebody whose hand, or whose card, the finding is about, or by anybody."""
    hand = question.course.hand(index)
    position = hand.position
    if position is None or not position.begins:
        return
    of_cards = question.is_of(*CARDS) and not question.is_of("draw.stock", "call")
    for seat, buy in buys(hand.judge, position):
        name = question.players[seat]
        if not of_cards or name == question.player or buy.card in question.cards:
            turn = Turn(None, name, (buy,))
            yield from insert(question, index, [turn], name, quoted(buy))
