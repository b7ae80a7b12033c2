"""Edits of one action or of the deal: another card, meld or source, or something left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice, takewhile
from typing import Any, Final

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
)
from meldref.core.records import changed
from meldref.core.text import in_words
from meldref.notation.actions import BREAKS_IN
from meldref_evidence.repair.course import Course
from meldref_evidence.repair.edits import (
    DRAWN,
    LAID,
    SOME_DRAW,
    THROWN,
    Change,
    Changes,
    Question,
    Step,
    act,
    cards_in,
    cards_of,
    done_by,
    in_place,
    is_alike,
    of_each,
    put,
    with_cards,
)
from meldref_evidence.repair.reach import actions_of

_BOUGHT: Final = 0.15
"""What it costs more that another card was bought: the one turned up may be another as well."""
_UNSEEN: Final = 0.25
"""What it costs more that a card was drawn, and named, of a player whose draws nobody saw."""
_NAMED: Final = 0.05
"""What it costs more that a discard was not taken next, and again that its card is named nearby."""
_UNKNOWN: Final = 0.1
"""What it costs more that a card was another one of which nothing is known."""
_MOST_CHOICES: Final = 100
"""How many choices of cards that came from elsewhere are tried for those not dealt."""
_FIRST_DRAW: Final = 0.5
"""What it costs more that something was not done that is no second draw."""
_ALL_DEALS: Final = 0.2
"""What it costs more that all hands are others', rather than one."""
_OF_A_COLOUR: Final = ((0, 3), (1, 2))
"""Two suits each."""
_BRINGS: Final = (*SOME_DRAW, Call, Buy, Swap)
_ROLES: Final = (None, *range(52), *range(ANY_SUIT, ANY_SUIT + 13))


def draw(question: Question, index: int) -> Changes:
    """A turn's draw was left out: of the card that the hand lacked, or of the pile down to one."""
    actions = question.turn(index).actions
    if any(isinstance(action, (*SOME_DRAW, *BREAKS_IN)) for action in actions):
        return
    yield act(question, {index: (Draw(_drawn(question, index)), *actions)})
    mine = cards_in(action for action in actions if type(action) is not Discard)
    for place, card in enumerate(question.pile(index)):
        if card in mine or not place:
            yield act(question, {index: (Take(card), *actions)})


def _drawn(question: Question, index: int) -> int:
    """The card that was drawn: the one on top, where that is listed, or the only one not held."""
    position, seat, top = question.position(index), question.seat(index), question.top(index)
    if top != UNKNOWN or seat is None or position.unknown[seat]:
        return top
    played = cards_in(question.turn(index).actions)
    lacked = [card for card in played if not count(position.hands[seat], card)]
    return lacked[0] if len(lacked) == 1 and position.left(lacked[0]) > 0 else UNKNOWN


def discard(question: Question, index: int) -> Changes:
    """The discard of a turn was left out: the card that is taken next, or an unknown one."""
    actions = question.turn(index).actions
    if any(type(action) is Discard for action in actions):
        return
    costs = dict.fromkeys(question.cards if index != question.at else (), 2 * _NAMED)
    for line in question.lines[index + 1 : index + 2]:
        for action in actions_of(line)[:1]:
            is_taken = isinstance(action, (Take, Buy, Call))
            costs |= dict.fromkeys(cards_of(action), 0.0 if is_taken else 2 * _NAMED)
    for card, more in {UNKNOWN: _NAMED, **costs}.items():
        yield act(question, {index: (*actions, Discard(card))}, more)


@of_each()
def not_done(step: Step) -> Changes:
    """One of several actions was not done, most likely a second draw."""
    is_second_draw = isinstance(step.action, SOME_DRAW) and step.at > 0
    if len(step.actions) > 1:
        yield step.instead(more=0.0 if is_second_draw else _FIRST_DRAW)


@of_each(LayOff, Swap)
def another_meld(step: Step) -> Changes:
    """Cards were laid on another meld, or exchanged there."""
    for target in range(1, step.melds_before(len(step.actions)) + 1):
        if target != step.action.target:
            yield step.instead(changed(step.action, target=target))


@of_each(Draw)
def other_draw(step: Step) -> Changes:
    """Another card was drawn: the one on top, and perhaps it was the one thrown, too."""
    question, index, card = step.question, step.row, step.action.card
    top, player = question.top(index), question.turn(index).player
    if card in {UNKNOWN, top}:
        return
    if index == question.at or card in question.cards:
        yield step.instead(Draw(top))
    elif player == getattr(question.line.event, "player", None):
        played = cards_in(step.actions[step.at + 1 :])
        if card not in played and not spent_later(question, player, index)[card]:
            yield step.instead(Draw(top))
    if step.actions == (Draw(card), Discard(card)):
        alike = [meant for meant in question.cards if is_alike(meant, card)]
        for meant in (top,) if top != UNKNOWN else (UNKNOWN, *alike):
            yield act(question, {index: (Draw(meant), Discard(meant))})


@of_each(Discard)
def other_discard(step: Step) -> Changes:
    """Another card was thrown."""
    question, index, card = step.question, step.row, step.action.card
    if card == UNKNOWN:
        return
    wanted = question.cards
    near = index >= question.at - 2 * question.seats and question.is_of("draw.pile", "buy", "call")
    if near or index == question.at or card in wanted:
        yield step.instead(THROWN, more=_UNKNOWN)
    for meant in wanted if index != question.at else ():
        if meant != card and (near or is_alike(meant, card)):
            yield step.instead(Discard(meant))


@of_each(Take)
def other_take(step: Step) -> Changes:
    """The pile was taken down to another card."""
    for card in step.pile:
        if card != step.action.card:
            yield step.instead(Take(card))


@of_each(*SOME_DRAW, Buy)
def other_source(step: Step) -> Changes:
    """A card was drawn that is said to be taken, or taken that is said to be drawn or bought.

    Nobody may know which card was drawn.
    """
    action, cards = step.action, {*step.question.cards}
    if isinstance(action, Take):
        if action.card == UNKNOWN:
            return
        if step.is_at_fault:
            more = _UNSEEN if _draws_unseen(step.question, step.row) else 0.0
            yield step.instead(Draw(action.card), more=more)
            if len(step.actions) == 1:
                yield step.instead(Buy(action.card))
        if action.card in cards:
            yield step.instead(DRAWN, more=_UNKNOWN)
    elif action != DRAWN:
        if step.row == step.question.at:
            yield step.instead(Take(action.card))
    else:
        laid = cards_in(step.actions[step.at + 1 :])
        for place, card in enumerate(step.pile):
            if card in cards and (card in laid or not place):
                yield step.instead(Take(card), more=_UNKNOWN)


def _draws_unseen(question: Question, index: int) -> bool:
    """Whether the player of a line draws, and the log never names the card."""
    player = question.turn(index).player
    done = done_by(player, question.lines)
    return {action for action in done if isinstance(action, Draw)} == {DRAWN}


def other_suits(question: Question, index: int) -> Changes:
    """Two suits of a colour are confused in all cards of a line."""
    actions = question.turn(index).actions
    cards = cards_in(actions)
    for suit, other in _OF_A_COLOUR:
        others = {**_in_suit(suit, other), **_in_suit(other, suit)}
        if len([card for card in cards if card in others]) > 1:
            yield act(question, {index: [with_cards(action, others) for action in actions]})


def _in_suit(suit: int, other: int) -> dict[int, int]:
    """The cards of a suit, and those of another one in their place."""
    return dict(enumerate(range(13 * other, 13 * other + 13), 13 * suit))


@of_each()
def other_word(step: Step) -> Changes:
    """Something else was done with the one card, or the cards, of an action."""
    action, cards, others = step.action, cards_of(step.action), list[Action]()
    is_first, is_last = step.at == 0, step.at + 1 == len(step.actions)
    if not cards:
        return
    if isinstance(action, Discard) and not is_last:
        laid = tuple(map(Played, cards))
        targets = range(1, step.melds_before(step.at) + 1)
        others += [LayOff(laid, target) for target in targets]
    elif not (
        step.is_at_fault
        or (isinstance(action, LayOff) and step.row == step.question.at)
        or (is_first and step.question.is_of("log.number", "turn.draw"))
    ):
        return
    if isinstance(action, Swap):
        others.append(LayOff((Played(action.card),), action.target))
    elif isinstance(action, LayOff) and len(cards) == 1:
        others.append(Swap(*cards, action.target))
    elif is_first and isinstance(action, (*SOME_DRAW, Buy)):
        others.append(Call(cards))
    elif is_first and isinstance(action, Call) and len(cards) == 1:
        others += [Draw(*cards), Take(*cards), Buy(*cards)]
    if is_last and len(cards) == 1 and not isinstance(action, Discard):
        others.append(Discard(*cards))
    for other in others:
        yield step.instead(other)


def called(question: Question, index: int) -> Changes:
    """That what was laid first on a line was called was left out."""
    actions = actions_of(question.lines[index])
    if actions and isinstance(actions[0], LAID):
        pile = question.pile(index)
        cards = tuple([card for card in cards_of(actions[0]) if card in pile])
        if cards:
            yield act(question, {index: (Call(cards), *actions)})


def other_wild(question: Question, index: int) -> Changes:
    """Another rank is wild: that of a card which stands for another one."""
    if isinstance(question.lines[index].event, events.WildRank):
        done: list[Any] = [
            action for action in actions_of(question.line) if isinstance(action, LAID)
        ]
        laid = [played for action in done for played in action.cards]
        ranks = [played.card % 13 for played in laid if played.role not in {None, played.card}]
        for rank in dict.fromkeys(ranks):
            yield put(question, {index: events.WildRank(rank)})


@of_each(*LAID)
def other_role(step: Step) -> Changes:
    """A wild card stands for another card."""
    for laid in dict.fromkeys(step.action.cards if step.is_at_fault else ()):
        if laid.role is not None or step.position.book.is_wild(laid.card):
            for role in _ROLES:
                if role != laid.role:
                    yield _relaid(step, laid, Played(laid.card, role))


@of_each(*LAID, Swap, Call, Buy)
def other_laid(step: Step) -> Changes:
    """Another card was melded, laid off, exchanged, called or bought."""
    action, question = step.action, step.question
    is_earlier_meld = isinstance(action, Meld) and step.row < question.at
    meant = _meant(step) if step.is_at_fault or is_earlier_meld else ()
    for other in [other for other in meant if other != action]:
        yield step.instead(other, more=_BOUGHT if isinstance(action, Buy) else 0.0)
    for laid in dict.fromkeys(action.cards if isinstance(action, LAID) else ()):
        if step.is_at_fault or (step.row != question.at and laid.card in question.cards):
            for card in _in_its_place(step, action.cards.index(laid)):
                yield _relaid(step, laid, Played(card, laid.role))
            if step.position.copies[JOKER] and laid.role is None and laid.card < JOKER:
                yield _relaid(step, laid, Played(JOKER, laid.card))


def _meant(step: Step) -> Iterator[Action]:
    """What may be meant by an exchange, a call or a purchase, or by a meld's suit or rank."""
    action = step.action
    if isinstance(action, Swap):
        yield from [Swap(card, action.target) for card in range(52) if is_alike(card, action.card)]
    elif isinstance(action, Buy):
        yield from [Buy(card) for card in step.pile[:1]]
    elif isinstance(action, Call):
        laid = cards_in(step.actions[step.at + 1 :])
        meant = [card for card in step.pile if card in laid]
        for place in range(len(action.cards)):
            yield from [Call(in_place(action.cards, place, card)) for card in meant]
    elif isinstance(action, Meld) and len(action.cards) > 1:
        wanted = step.question.cards
        natural = [laid.card for laid in action.cards if laid.role is None and laid.card < JOKER]
        suits, ranks = {card // 13 for card in natural}, {card % 13 for card in natural}
        is_any = step.is_at_fault or not {*natural}.isdisjoint(wanted)
        for suit in range(4) if len(suits) == 1 and is_any else ():
            yield with_cards(action, {card: 13 * suit + card % 13 for card in natural})
        others = range(13) if is_any else {card % 13 for card in wanted}
        for rank in others if len(ranks) == 1 else ():
            yield with_cards(action, {card: card - card % 13 + rank for card in natural})


@of_each(*LAID)
def missing_card(step: Step) -> Changes:
    """A card of a meld or lay-off was left out."""
    action = step.action
    for card in _in_its_place(step) if step.is_at_fault else ():
        before = sum([laid.role is None and laid.card < card for laid in action.cards])
        cards = (*action.cards[:before], Played(card), *action.cards[before:])
        yield step.instead(changed(action, cards=cards))


def _in_its_place(step: Step, place: int | None = None) -> list[int]:
    """The cards that one of a play, or one more, may be: of the rank or suit of all others."""
    action = step.action
    others = {laid.card for at, laid in enumerate(action.cards) if at != place and not laid.role}
    target = action.target if isinstance(action, LayOff) else None
    if target is not None:
        melds = step.position.melds[target - 1 : target]
        others |= {laid.card for meld in melds for laid in meld.cards if laid.card == laid.role}
    ranks, suits = {card % 13 for card in others}, {card // 13 for card in others}
    written = UNKNOWN if place is None else action.cards[place].card
    return [
        card
        for card in _may_be_laid(step)
        if card != written and (not others or ranks == {card % 13} or suits == {card // 13})
    ]


def _may_be_laid(step: Step) -> Sequence[int]:
    """The cards that a player may lay on a line: held, unseen, or come in that turn."""
    question, position = step.question, step.position
    seat = question.seat(step.row)
    if seat is None:
        return range(JOKER)
    came = {*cards_in(other for other in step.actions if isinstance(other, _BRINGS))}
    if any(isinstance(other, (Take, Call, Buy)) for other in step.actions):
        came.update(position.pile)
    unseen = DRAWN in step.actions or position.unknown[seat] > 0 or not position.pile_known
    return [
        card
        for card in range(JOKER)
        if card in came or count(position.hands[seat], card) or (unseen and position.left(card) > 0)
    ]


@of_each(*LAID)
def extra_card(step: Step) -> Changes:
    """One of the cards of a meld or lay-off was not laid."""
    cards = step.action.cards
    if step.is_at_fault and len(cards) > (1 if isinstance(step.action, LayOff) else 3):
        for place in range(len(cards)):
            yield step.instead(changed(step.action, cards=in_place(cards, place)))


def _relaid(step: Step, laid: Played, played: Played) -> Change:
    """A meld or lay-off with another card in the place of one.

    Of the like, that is the one that stands out of order, or else the last.
    """
    cards = step.action.cards
    places = [at for at, one in enumerate(cards) if one == laid]
    rows = [in_place(cards, at, played) for at in reversed(places)]
    others = next((row for row in rows if list(row) == sorted(row, key=_card_laid)), rows[0])
    return step.instead(changed(step.action, cards=others))


def _card_laid(played: Played) -> int:
    return played.role or played.card


def spent_later(question: Question, player: str, index: int) -> Counter[int]:
    """How many of each card a player plays after a line, besides those that come later."""
    spent: Counter[int] = Counter()
    came: Counter[int] = Counter()
    for action in done_by(player, question.lines[index + 1 :]):
        if isinstance(action, (Draw, Take, Buy)):
            came.update(cards_of(action))
        elif not isinstance(action, Call):
            spent.update(cards_of(action))
    return spent - came


def other_up(question: Question, index: int) -> Changes:
    """Another card was turned up: the first of the stock, or an unknown one."""
    event = question.lines[index].event
    if isinstance(event, events.UpCard) and event.card != UNKNOWN:
        text = f"the card turned up was not {card_text(event.card)}"
        yield put(question, {index: events.UpCard(UNKNOWN)}, text=text)
        for at, line in enumerate(question.lines):
            if isinstance(line.event, events.StockOrder):
                first, *rest = line.event.cards
                others = {index: events.UpCard(first), at: events.StockOrder((event.card, *rest))}
                yield put(question, others)


def other_dealt(question: Question, index: int) -> Changes:
    """Another card was dealt: one that the finding is about, or any."""
    event = question.deals[index]
    wanted, spent = question.cards, spent_later(question, event.player, 0)
    for at, card in enumerate(event.cards):
        if card in wanted or not spent[card]:
            other = Deal(event.player, in_place(event.cards, at), event.unknown + 1)
            text = f"{event.player} was dealt another card, not {card_text(card)}"
            yield put(question, {index: other}, _UNKNOWN, text)
        for meant in wanted if event.player == question.player and not spent[card] else ():
            if is_alike(card, meant) and meant not in event.cards:
                yield put(question, {index: changed(event, cards=in_place(event.cards, at, meant))})


def dealt_to(question: Question, index: int) -> Changes:
    """Cards were dealt to another player, who has no deal; or all players have others' hands.

    Each has that of the player so many places on.
    """
    deals = question.deals
    names, event = [deal.player for deal in deals.values()], deals[index]
    for name in question.players:
        if name not in names:
            yield put(question, {index: changed(event, player=name)})
    for shift in range(1, len(deals)) if index == min(deals) else ():
        shifted = names[shift:] + names[:shift]
        rows = zip(deals.items(), shifted, strict=True)
        others = {at: changed(deal, player=name) for (at, deal), name in rows}
        whose = in_words([f"{name}'s" for name in shifted])
        text = f"the hands from line {question.lines[index].number} on are {whose}"
        yield put(question, others, _ALL_DEALS, text)


def deals_swapped(question: Question, index: int) -> Changes:
    """Two players, each dealt the other's cards, or one of them for one that is wanted.

    Or one card of a deal belongs to another one, unless it is clear which card was not dealt.
    """
    deals = question.deals
    mine = deals.pop(index)
    may_be_moved = question.is_of("setup.deal") and not _from_elsewhere(question, mine.cards)
    spent, number = spent_later(question, mine.player, 0), question.lines[index].number
    kept = [(place, card) for place, card in enumerate(mine.cards) if not spent[card]]
    for at, theirs in deals.items():
        if at > index:
            first, second = changed(mine, player=theirs.player), changed(theirs, player=mine.player)
            yield put(question, {index: first, at: second})
        if may_be_moved and len(mine.cards) > max(len(theirs.cards), 1):
            for place, card in kept:
                left = changed(mine, cards=in_place(mine.cards, place))
                more = changed(theirs, cards=(*theirs.cards, card))
                other = question.lines[at].number
                text = f"“{card_text(card)}” of line {number} belongs in line {other}"
                yield put(question, {index: left, at: more}, text=text)
        wanted = question.cards if mine.player == question.player else ()
        for meant in [card for card in theirs.cards if card in wanted]:
            there = theirs.cards.index(meant)
            for place, card in kept:
                got = changed(mine, cards=in_place(mine.cards, place, meant))
                given = changed(theirs, cards=in_place(theirs.cards, there, card))
                yield put(question, {index: got, at: given})


def not_dealt(question: Question, index: int) -> Changes:
    """Cards of a deal that is too small were left out."""
    event = question.deals[index]
    lacks = -_cards_too_many(question, event)
    if lacks > 0:
        what = "a card is" if lacks == 1 else f"{lacks} cards are"
        text = f"{what} missing from {event.player}'s deal"
        yield put(question, {index: changed(event, unknown=event.unknown + lacks)}, text=text)


def dealt_extra(question: Question, index: int) -> Changes:
    """A deal that is too large has cards that were not dealt.

    They are some that came from elsewhere, or nobody knows which of those that were not played
    later.
    """
    event, line = question.deals[index], question.lines[index].number
    extra, dealt = _cards_too_many(question, event), Counter(event.cards)
    elsewhere = _from_elsewhere(question, event.cards) if extra > 0 else []
    choices = islice(combinations(elsewhere, extra), _MOST_CHOICES) if elsewhere else ()
    for cards in dict.fromkeys(choices):
        were = in_words([f"“{card_text(card)}”" for card in cards])
        text = f"{were} in line {line} {'was' if extra == 1 else 'were'} not dealt"
        others = [*event.cards]
        for card in cards:
            others.remove(card)
        yield put(question, {index: changed(event, cards=tuple(others))}, text=text)
    left = dealt - spent_later(question, event.player, 0)
    unknown = left.total() + event.unknown - extra
    if extra > 0 <= unknown:
        played = tuple((dealt - left).elements())
        were = "one card" if extra == 1 else f"{extra} cards"
        text = f"{were} in line {line} {'was' if extra == 1 else 'were'} not dealt"
        yield put(question, {index: Deal(event.player, played, unknown)}, _UNKNOWN, text)


def _from_elsewhere(question: Question, dealt: Iterable[int]) -> list[int]:
    """Those of some cards dealt that lines name more often than the deck has them."""
    surplus = named_too_often(question.course)
    return [card for card in dealt if card in surplus]


def named_too_often(course: Course) -> Counter[int]:
    """Cards that lines name more often than the deck has them, and by how many.

    In a stock that was made of the pile, cards that lay elsewhere before are named again.
    """
    lying: Counter[int] = Counter()
    drawn: Counter[int] = Counter()
    for line in takewhile(lambda line: not isinstance(line.event, events.Reshuffle), course.lines):
        if isinstance(line.event, (Deal, events.StockOrder)):
            lying.update(line.event.cards)
        elif isinstance(line.event, events.UpCard):
            lying[line.event.card] += 1
        drawn.update(cards_in(action for action in actions_of(line) if isinstance(action, Draw)))
    is_listed = any(isinstance(line.event, events.StockOrder) for line in course.lines)
    named = lying if is_listed else lying + drawn
    copies = course.begin.judge.copies
    return Counter(
        {card: many - copies[card] for card, many in named.items() if many > copies[card]}
    )


def _cards_too_many(question: Question, deal: Deal) -> int:
    """How many cards too many a deal has; below 0: too few."""
    hand = question.course.hand(question.fault.at)
    seat = question.course.begin.seats.get(deal.player)
    return hand.cards_too_many(seat) if seat in hand.deals else 0
