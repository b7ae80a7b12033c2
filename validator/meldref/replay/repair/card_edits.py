"""Edits of one action or of the deal: another card, meld or source, or something left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from meldref.core import events
from meldref.core.cards import ANY_SUIT, JOKER, UNKNOWN, Played, card_text, count
from meldref.core.events import (
    Action,
    Buy,
    Call,
    Deal,
    Discard,
    Draw,
    LayOff,
    Meld,
    Swap,
    Take,
    Turn,
)
from meldref.core.records import changed
from meldref.notation.actions import BREAKS_IN
from meldref.notation.writer import write_event
from meldref.replay.repair.edits import (
    DRAWN,
    SOME_DRAW,
    THROWN,
    Change,
    Changes,
    Question,
    act,
    actions_of,
    cards_of,
    down_to,
    in_place,
    instead,
    is_alike,
    named,
    put,
    put_all,
    quoted,
)

_BOUGHT: Final = 0.15
"""What it costs more that another card was bought: the one turned up may be another as well."""
_OF_A_COLOUR: Final = {(0, 3): "clubs and spades", (1, 2): "diamonds and hearts"}
_ROLES: Final = (None, *range(52), *range(ANY_SUIT, ANY_SUIT + 13))


def _pile(question: Question, index: int) -> list[int]:
    """The known cards of the pile before a line, the top first."""
    hand = question.course.before(index).hand
    pile = [] if hand is None else hand.as_dealt().pile
    return [card for card in dict.fromkeys(reversed(pile)) if card != UNKNOWN]


def draw(question: Question, index: int) -> Changes:
    """A turn's draw was left out: an unknown card, or the pile down to a card played there."""
    actions = question.turn(index).actions
    if any(type(action) in {*SOME_DRAW, *BREAKS_IN} for action in actions):
        return
    yield act(question, index, (DRAWN, *actions))
    mine = {card for action in actions if type(action) is not Discard for card in cards_of(action)}
    for place, card in enumerate(_pile(question, index)):
        if card in mine or not place:
            yield act(question, index, (Take(card), *actions), down_to(card))


def discard(question: Question, index: int) -> Changes:
    """The discard of a turn was left out: of an unknown card, or of one that comes next."""
    actions = question.turn(index).actions
    if any(type(action) is Discard for action in actions):
        return
    yield act(question, index, (*actions, THROWN))
    wanted = [*(question.cards if index != question.at else ())]
    for line in question.course.lines[index + 1 : index + 2]:
        wanted += [card for action in actions_of(line)[:1] for card in cards_of(action)]
    for card in dict.fromkeys(wanted):
        yield act(question, index, (*actions, Discard(card)), named(card), 0.05)


def not_done(question: Question, index: int) -> Changes:
    """One of several actions was not done."""
    actions = question.turn(index).actions
    for at, action in enumerate(actions if len(actions) > 1 else ()):
        second_draw = isinstance(action, SOME_DRAW) and at > 0
        yield act(
            question, index, in_place(actions, at), quoted(action), -0.5 if second_draw else 0.0
        )


def another_meld(question: Question, index: int) -> Changes:
    """Cards were laid on another meld, or exchanged there."""
    actions = question.turn(index).actions
    for at, action in enumerate(actions):
        hand = question.course.before(index).hand
        if isinstance(action, (LayOff, Swap)) and hand is not None:
            laid = len(hand.as_dealt().melds) + sum(type(other) is Meld for other in actions)
            for target in range(1, laid + 1):
                if target != action.target:
                    yield instead(question, index, at, changed(action, target=target))


def other_draw(question: Question, index: int) -> Changes:
    """Another card was drawn."""
    event, wanted = question.turn(index), question.cards
    mine = event.player == getattr(question.line.event, "player", None)
    for at, action in enumerate(event.actions):
        if not isinstance(action, Draw) or not cards_of(action):
            continue
        may_be_another = index == question.at or action.card in wanted
        if not may_be_another and mine:
            played = [card for other in event.actions[at + 1 :] for card in cards_of(other)]
            spent = spent_later(question, event.player, index)
            may_be_another = action.card not in played and not spent[action.card]
        if may_be_another:
            yield instead(question, index, at, DRAWN)


def other_discard(question: Question, index: int) -> Changes:
    """Another card was thrown."""
    actions, wanted = question.turn(index).actions, question.cards
    near = index >= question.at - 2 * question.seats and question.is_of("draw.pile", "buy", "call")
    for at, action in enumerate(actions):
        if not isinstance(action, Discard) or not cards_of(action):
            continue
        if near or index == question.at or action.card in wanted:
            yield instead(question, index, at, THROWN)
        for card in wanted if index != question.at else ():
            if card != action.card and (near or is_alike(card, action.card)):
                yield instead(question, index, at, Discard(card), more=-0.1)


def other_take(question: Question, index: int) -> Changes:
    """The pile was taken down to another card."""
    actions = question.turn(index).actions
    for at, action in enumerate(actions):
        for card in _pile(question, index) if isinstance(action, Take) else ():
            if card != action.card:  # type: ignore[union-attr]
                yield instead(question, index, at, Take(card))


def other_source(question: Question, index: int) -> Changes:
    """A card was drawn that is said to be taken, or taken that is said to be drawn or bought.

    Nobody may know which card was drawn.
    """
    actions = question.turn(index).actions
    for at, action in enumerate(actions):
        if not isinstance(action, (*SOME_DRAW, Buy)):
            continue
        is_there = index == question.at and cards_of(action)
        if is_there and (question.is_at_fault(at) or isinstance(action, Buy)):
            kind = Draw if isinstance(action, Take) else Take
            yield instead(question, index, at, kind(*cards_of(action)))
        others: list[Action] = []
        if is_there and isinstance(action, Take) and len(actions) == 1:
            yield instead(question, index, at, Buy(action.card))
        if action == DRAWN:
            pile, played = _pile(question, index), map(cards_of, actions[at + 1 :])
            laid = {card for cards in played for card in cards}
            others = [Take(card) for card in pile if card in laid or card == pile[0]]
        elif isinstance(action, Take):
            others = [DRAWN]
        for drawn in others:
            either = {*cards_of(action), *cards_of(drawn)}
            if not either.isdisjoint(question.cards):
                yield instead(question, index, at, drawn, more=0.1)


def other_suits(question: Question, index: int) -> Changes:
    """Two suits of a colour are confused in all cards of a line."""
    actions = question.turn(index).actions
    cards = [card for action in actions for card in cards_of(action)]
    for (first, second), names in _OF_A_COLOUR.items():
        suits = {first: second, second: first}
        if sum(card // 13 in suits for card in cards) > 1:
            others = [_with_suits(action, suits) for action in actions]
            yield act(question, index, others, names)


def _with_suits(action: Action, suits: Mapping[int, int]) -> Action:
    """An action with other suits for some."""

    def other(card: int) -> int:
        return suits.get(card // 13, card // 13) * 13 + card % 13

    if isinstance(action, (Meld, LayOff)):
        cards = [
            laid._replace(card=other(laid.card), role=laid.role and other(laid.role))
            for laid in action.cards
        ]
        return changed(action, cards=tuple(cards))
    if isinstance(action, Call):
        return Call(tuple(map(other, action.cards)))
    named = cards_of(action)
    return changed(action, card=other(named[0])) if named else action


def other_word(question: Question, index: int) -> Changes:
    """Something else was done with the one card, or the cards, of an action."""
    actions = actions_of(question.course.lines[index])
    for at, action in enumerate(actions):
        if question.is_at_fault(at) or (at == 0 and question.is_of("log.number")):
            for other in _otherwise(actions, at):
                if type(other) is not type(action):
                    yield instead(question, index, at, other)


def _otherwise(actions: Sequence[Action], at: int) -> Iterator[Action]:
    """What else may have been done with the cards of one of a turn's actions."""
    action, is_first, is_last = actions[at], at == 0, at == len(actions) - 1
    cards = cards_of(action)
    if isinstance(action, Swap):
        yield LayOff((Played(action.card),), action.target)
    if isinstance(action, LayOff) and len(cards) == 1:
        yield Swap(*cards, action.target)
    if is_first and cards and isinstance(action, (*SOME_DRAW, Buy)):
        yield Call(cards)
    if is_first and len(cards) == 1 and isinstance(action, Call):
        yield from (Draw(*cards), Take(*cards), Buy(*cards))
    if is_last and len(cards) == 1:
        yield Discard(*cards)


def called(question: Question, index: int) -> Changes:
    """That what was laid first on a line was called was left out."""
    actions, pile = actions_of(question.course.lines[index]), _pile(question, index)
    first = actions[0] if actions else None
    if not isinstance(first, (Meld, LayOff)):
        return
    cards = tuple([card for card in cards_of(first) if card in pile])
    if cards:
        call = Call(cards)
        yield act(question, index, (call, *actions), quoted(call))


def other_wild(question: Question, index: int) -> Changes:
    """Another rank is wild: that of a card which stands for another one."""
    event = question.course.lines[index].event
    if isinstance(event, events.WildRank):
        laid = [
            played
            for action in actions_of(question.line)
            if isinstance(action, (Meld, LayOff))
            for played in action.cards
        ]
        ranks = [played.card % 13 for played in laid if played.role not in {None, played.card}]
        for rank in dict.fromkeys(ranks):
            wild = events.WildRank(rank)
            what = f"“{write_event(event)}” should be “{write_event(wild)}”"
            yield put(question, index, wild, what=what)


def other_role(question: Question, index: int) -> Changes:
    """A wild card stands for another card."""
    for at, place, action in _at_fault(question, index):
        laid = action.cards[place]
        hand = question.course.before(index).hand
        is_wild = hand is not None and hand.as_dealt().book.is_wild(laid.card)
        if laid.role is None and not is_wild:
            continue
        for role in _ROLES:
            if role != laid.role:
                yield _relaid(question, index, at, place, Played(laid.card, role))


def other_laid(question: Question, index: int) -> Changes:
    """Another card was melded, laid off, exchanged, called or bought."""
    wanted, actions = question.cards, question.turn(index).actions
    hand = question.course.before(index).hand
    has_jokers = hand is not None and hand.as_dealt().copies[JOKER] > 0
    for at, action in enumerate(actions):
        is_there = index == question.at and question.is_at_fault(at)
        for other in _meant(question, index, at) if is_there else ():
            more = _BOUGHT if isinstance(action, Buy) else 0.0
            yield instead(question, index, at, other, more=more)
        if isinstance(action, (Meld, LayOff)):
            for place, laid in enumerate(action.cards):
                if is_there or (index != question.at and laid.card in wanted):
                    meant = [
                        Played(card, laid.role)
                        for card in _in_its_place(question, index, action, place)
                    ]
                    if has_jokers and laid.role is None and laid.card < JOKER:
                        meant.append(Played(JOKER, laid.card))
                    for played in meant:
                        yield _relaid(question, index, at, place, played)


def _meant(question: Question, index: int, at: int) -> Iterator[Action]:
    """What may be meant by an exchange, a call or a purchase, or by a meld of another suit."""
    actions, pile = question.turn(index).actions, _pile(question, index)
    action = actions[at]
    if isinstance(action, Swap):
        yield from [Swap(card, action.target) for card in range(52) if is_alike(card, action.card)]
    elif isinstance(action, Buy):
        yield from [Buy(card) for card in pile[:1]]
    elif isinstance(action, Call):
        laid = [card for other in actions[at + 1 :] for card in cards_of(other)]
        for place in range(len(action.cards)):
            yield from [Call(in_place(action.cards, place, card)) for card in pile if card in laid]
    elif isinstance(action, Meld) and len(action.cards) > 1:
        suits = {laid.card // 13 for laid in action.cards if laid.role is None}
        yield from [
            _of_suit(action, suit) for suit in range(4) if suits - {suit} and len(suits) == 1
        ]


def _of_suit(meld: Meld, suit: int) -> Meld:
    """A meld of the same ranks in another suit."""
    cards = [
        laid if laid.role is not None else Played(suit * 13 + laid.card % 13) for laid in meld.cards
    ]
    return changed(meld, cards=tuple(cards))


def missing_card(question: Question, index: int) -> Changes:
    """A card of a meld or lay-off was left out, most likely one that came in that turn."""
    actions = actions_of(question.course.lines[index])
    for at, action in enumerate(actions):
        if isinstance(action, (Meld, LayOff)) and question.is_at_fault(at):
            for card in _in_its_place(question, index, action):
                before = sum([laid.role is None and laid.card < card for laid in action.cards])
                cards = (*action.cards[:before], Played(card), *action.cards[before:])
                other = in_place(actions, at, changed(action, cards=cards))
                more = 0.0 if card in question.cards else 0.05
                yield act(question, index, other, f"{card_text(card)} of {quoted(action)}", more)


def _in_its_place(
    question: Question, index: int, action: Meld | LayOff, place: int | None = None
) -> list[int]:
    """The cards that one of a play, or one more, may be: of the rank or suit of all others."""
    others = {laid.card for at, laid in enumerate(action.cards) if at != place and not laid.role}
    target = action.target if isinstance(action, LayOff) else None
    hand = question.course.before(index).hand
    if target is not None and hand is not None:
        melds = hand.as_dealt().melds[target - 1 : target]
        others |= {laid.card for meld in melds for laid in meld.cards if laid.card == laid.role}
    ranks, suits = {card % 13 for card in others}, {card // 13 for card in others}
    there = _may_be_laid(question, index)
    return [
        card
        for card in range(52)
        if (place is None or card != action.cards[place].card)
        and (not others or ranks == {card % 13} or suits == {card // 13})
        and (there is None or card in there)
    ]


def _may_be_laid(question: Question, index: int) -> set[int] | None:
    """The cards that a player may lay on a line: held, unseen, or come in that turn; None: any."""
    event, hand = question.turn(index), question.course.before(index).hand
    seat = question.course.begin.seats.get(event.player)
    if hand is None or seat is None:
        return None
    position = hand.as_dealt()
    came = {card for action in event.actions for card in _brought(action, position.pile)}
    unseen = DRAWN in event.actions or position.unknown[seat] > 0 or not position.pile_known
    return {
        card
        for card in range(JOKER)
        if card in came or count(position.hands[seat], card) or (unseen and position.left(card) > 0)
    }


def _brought(action: Action, pile: Sequence[int]) -> Sequence[int]:
    """The cards that an action may bring."""
    if isinstance(action, (Take, Call, Buy)):
        return (*pile, *cards_of(action))
    return cards_of(action) if isinstance(action, (Draw, Swap)) else ()


def extra_card(question: Question, index: int) -> Changes:
    """One of the cards of a meld or lay-off was not laid."""
    actions = actions_of(question.course.lines[index])
    for at, place, action in _at_fault(question, index):
        if len(action.cards) > (1 if isinstance(action, LayOff) else 3):
            fewer = changed(action, cards=in_place(action.cards, place))
            what = f"{card_text(action.cards[place].card)} of {quoted(action)}"
            yield act(question, index, in_place(actions, at, fewer), what)


def _at_fault(question: Question, index: int) -> Iterator[tuple[int, int, Meld | LayOff]]:
    """The cards laid in the action at fault: which action, which of its cards."""
    for at, action in enumerate(actions_of(question.course.lines[index])):
        if isinstance(action, (Meld, LayOff)) and question.is_at_fault(at):
            yield from ((at, place, action) for place in range(len(action.cards)))


def _relaid(question: Question, index: int, at: int, place: int, played: Played) -> Change:
    """A meld or lay-off with another card in the place of one."""
    actions = question.turn(index).actions
    action = actions[at]
    assert isinstance(action, (Meld, LayOff))
    other = changed(action, cards=in_place(action.cards, place, played))
    return instead(question, index, at, other)


def spent_later(question: Question, player: str, index: int) -> Counter[int]:
    """How many of each card a player plays after a line, besides those that come later."""
    spent: Counter[int] = Counter()
    came: Counter[int] = Counter()
    for line in question.course.lines[index + 1 :]:
        if type(line.event) is not Turn or line.event.player != player:
            continue
        for action in line.event.actions:
            if isinstance(action, (Draw, Take, Buy)):
                came.update(cards_of(action))
            elif not isinstance(action, Call):
                spent.update(cards_of(action))
    return spent - came


def other_up(question: Question, index: int) -> Changes:
    """Another card was turned up."""
    event = question.course.lines[index].event
    if isinstance(event, events.UpCard) and event.card != UNKNOWN:
        near = question.at - index < 3 * question.seats or event.card in question.cards
        up = events.UpCard(UNKNOWN)
        yield put(question, index, up, what=card_text(event.card), more=0.0 if near else 0.2)


def other_dealt(question: Question, index: int) -> Changes:
    """Another card was dealt."""
    event = question.course.lines[index].event
    if isinstance(event, Deal):
        wanted, spent = question.cards, spent_later(question, event.player, 0)
        mine = event.player == question.player
        for at, card in enumerate(event.cards):
            if card in wanted or not spent[card]:
                other = Deal(event.player, in_place(event.cards, at), event.unknown + 1)
                what = f"another card, not {card_text(card)}"
                yield put(question, index, other, event.player, what)
            for meant in wanted if mine and not spent[card] else ():
                if is_alike(card, meant) and meant not in event.cards:
                    other = Deal(event.player, in_place(event.cards, at, meant), event.unknown)
                    what = f"{card_text(meant)}, not {card_text(card)}"
                    yield put(question, index, other, event.player, what, -0.1)


def deals_swapped(question: Question, index: int) -> Changes:
    """Two players, each dealt the other's cards."""
    lines = question.course.lines
    event = lines[index].event
    for at in range(index + 1, len(lines)):
        other = lines[at].event
        if isinstance(event, Deal) and isinstance(other, Deal):
            first, second = changed(event, player=other.player), changed(other, player=event.player)
            yield put_all(question, {index: first, at: second}, event.player, other.player)


def not_dealt(question: Question, index: int) -> Changes:
    """A card of the deal was left out."""
    event = question.course.lines[index].event
    if isinstance(event, Deal):
        yield put(question, index, Deal(event.player, event.cards, event.unknown + 1), event.player)
