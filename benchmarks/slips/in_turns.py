"""Slips within a hand: lines and actions that are written wrongly, twice, in another place, or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from benchmarks.slips.kinds import (
    Change,
    acted,
    another,
    held,
    kind,
    misread,
    numbered,
    one_step,
    put,
    steps,
    turn_at,
    with_action,
)
from benchmarks.slips.sheets import Entry, players
from meldref.core.cards import ANY_SUIT, JOKER, UNKNOWN, Card, Played
from meldref.core.events import (
    Action,
    Buy,
    Call,
    Discard,
    Draw,
    LayOff,
    Meld,
    Reshuffle,
    StockOrder,
    Swap,
    Take,
    Turn,
)
from meldref.core.records import changed

# --- lines ----------------------------------------------------------------------------------------


@kind("turn.order", "turn.over")
def a_line_twice(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """A turn is written down twice."""
    turn = numbered(log, index)
    if turn is None or numbered(log, index + 1) is None:
        return None
    again = turn._replace(number=None if turn.number is None else turn.number + dice.randrange(2))
    return Change(index + 1, index + 1, (again,), -1)


@kind("turn.order", "log.number")
def lines_swapped(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """Two turns stand in the wrong order, each with its number or with that of its place."""
    one, two = numbered(log, index), numbered(log, index + 1)
    if one is None or two is None:
        return None
    first, second = (one.number, two.number) if dice.randrange(2) else (two.number, one.number)
    lines = (
        replace(log[index + 1], event=two._replace(number=first)),
        replace(log[index], event=one._replace(number=second)),
    )
    return Change(index, index + 2, lines, touched=2)


@kind("turn.order", late=True)
def a_turn_left_out(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """A turn is not written down."""
    there = numbered(log, index) is not None and numbered(log, index + 1) is not None
    return Change(index, index + 1, (), 1) if there else None


@kind("turn.order", late=True)
def two_turns_left_out(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """Two turns are not written down."""
    there = all(numbered(log, at) is not None for at in range(index, index + 3))
    return Change(index, index + 2, (), 2) if there else None


@kind("turn.order", "log.number", late=True)
def a_round_left_out(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """A turn of each player is not written down."""
    many = len(players(log))
    there = all(numbered(log, at) is not None for at in range(index - 1, index + many + 1))
    return Change(index, index + many, (), many) if there else None


@kind("turn.order", late=True)
def several_turns_left_out(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """Three to six turns are not written down, as where a page is missing."""
    many = dice.randrange(3, 7)
    there = all(numbered(log, at) is not None for at in range(index, index + many + 1))
    return Change(index, index + many, (), many) if there else None


@kind("turn.order", "end.reason")
def another_player_s_name(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """A turn has the name of another player."""
    turn = numbered(log, index)
    return (
        None
        if turn is None
        else put(log, index, turn._replace(player=another(log, turn.player, dice)))
    )


@kind("turn.order", late=True)
def names_of_two_turns_swapped(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """Two turns have each other's names."""
    one, two = numbered(log, index), numbered(log, index + 1)
    if one is None or two is None or one.player == two.player:
        return None
    lines = (one._replace(player=two.player), two._replace(player=one.player))
    return Change(index, index + 2, lines, touched=2)


@kind("turn.order", late=True)
def names_exchanged_from_a_line_on(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """From a turn on, two players are written for each other."""
    one = numbered(log, index)
    if one is None:
        return None
    other = another(log, one.player, dice)
    rest = [entry for entry in log[index:] if entry.hand == log[index].hand]
    names = {one.player: other, other: one.player}
    turns = [entry.event for entry in rest if isinstance(entry.event, Turn)]
    if len([turn for turn in turns if turn.player in names]) < 4:
        return None
    lines = [
        replace(entry, event=_under_another_name(entry.event, names))
        if isinstance(entry.event, Turn)
        else entry
        for entry in rest
    ]
    return Change(index, index + len(rest), lines, touched=len(rest))


def _under_another_name(turn: Turn, names: Mapping[str, str]) -> Turn:
    """A turn under the name of another player, if there is one for its player's."""
    return turn._replace(player=names.get(turn.player, turn.player))


@kind("turn.order", "log.number", late=True)
def a_turn_written_late(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """A turn stands after the next two, with its number or with that of its place."""
    turns = [numbered(log, at) for at in range(index, index + 3)]
    if None in turns:
        return None
    late, *others = log[index : index + 3]
    lines = [*others, late]
    if dice.randrange(2):
        numbers = [turn.number for turn in turns if turn is not None]
        lines = [
            replace(entry, event=entry.event._replace(number=number))
            for entry, number in zip(lines, numbers, strict=True)
            if isinstance(entry.event, Turn)
        ]
    return Change(index, index + 3, lines, touched=3)


@kind("turn.order", "log.number", late=True)
def turns_in_another_order(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """Two turns stand after the next two, with their numbers."""
    there = all(numbered(log, at) is not None for at in range(index, index + 4))
    lines = (*log[index + 2 : index + 4], *log[index : index + 2])
    return Change(index, index + 4, lines, touched=4) if there else None


@kind("turn.over", "turn.order", "turn.draw")
def two_turns_on_one_line(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """The name of the next player is left out, so that two turns are one."""
    one, two = numbered(log, index), numbered(log, index + 1)
    if one is None or two is None or not steps(one, Discard):
        return None
    return Change(index, index + 2, (one._replace(actions=(*one.actions, *two.actions)),), 1)


@kind("log.name")
def a_name_misspelled(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """A turn has a name that nobody has."""
    turn = numbered(log, index)
    return None if turn is None else put(log, index, turn._replace(player=f"{turn.player}e"))


@kind("call.nothing", "call.own", "hand.missing", "turn.order", late=True)
def another_caller_s_name(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """A call or a purchase has the name of another player."""
    turn = turn_at(log, index)
    if turn is None or not steps(turn, Call, Buy) or turn.number is not None:
        return None
    return put(log, index, turn._replace(player=another(log, turn.player, dice)))


@kind("log.number")
def a_wrong_turn_number(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """The number of a turn is wrong; the others follow it or not."""
    turn = numbered(log, index)
    by = dice.choice([-1, 1, 2, 10])
    if turn is None or turn.number is None or turn.number + by < 1:
        return None
    return Change(index, index + 1, (turn._replace(number=turn.number + by),), -by)


@kind(late=True)
def a_call_left_out(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """A call is not written down."""
    turn = turn_at(log, index)
    return None if turn is None or not steps(turn, Call) else Change(index, index + 1, ())


@kind(late=True)
def a_purchase_left_out(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """A purchase is not written down."""
    turn = turn_at(log, index)
    return None if turn is None or not steps(turn, Buy) else Change(index, index + 1, ())


@kind("stock.reshuffle", "draw.stock", late=True)
def a_reshuffle_left_out(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """That the pile became the stock is not written down."""
    if not isinstance(log[index].event, Reshuffle):
        return None
    return Change(index, index + 1 + isinstance(log[index + 1].event, StockOrder), ())


# --- actions --------------------------------------------------------------------------------------


@kind("turn.draw", late=True)
def a_draw_left_out(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """What a player drew or took is not written down."""
    step = one_step(turn := numbered(log, index), dice, Draw, Take)
    return (
        None if step is None or turn is None or len(turn.actions) < 2 else acted(log, index, step)
    )


@kind("turn.unfinished")
def a_discard_left_out(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """A turn has no discard."""
    step = one_step(turn_at(log, index), dice, Discard)
    return None if step is None else acted(log, index, step)


@kind(late=True)
def a_meld_left_out(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """A meld is not written down."""
    step = one_step(turn_at(log, index), dice, Meld)
    return None if step is None else acted(log, index, step)


@kind(late=True)
def a_lay_off_left_out(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """Cards that were laid off are not written down."""
    step = one_step(turn := turn_at(log, index), dice, LayOff)
    return None if step is None or turn is None or steps(turn, Call) else acted(log, index, step)


@kind(
    "turn.draw", "hand.missing", "turn.over", "turn.order", "log.copies", "draw.stock", "draw.pile"
)
def an_action_twice(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """A player does the same twice."""
    step = one_step(turn := turn_at(log, index), dice, Draw, Take, Meld, LayOff)
    return (
        None if step is None or turn is None else acted(log, index, step, *[turn.actions[step]] * 2)
    )


@kind("draw.stock", "log.copies", late=True)
def another_card_drawn(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """Another card is said to be drawn."""
    step = one_step(turn := turn_at(log, index), dice, Draw)
    if step is None or turn is None or not isinstance(draw := turn.actions[step], Draw):
        return None
    other = misread(draw.card, dice)
    return None if other is None else acted(log, index, step, Draw(other))


@kind("draw.stock", "log.copies", late=True)
def a_card_drawn_and_thrown_misread(
    log: Sequence[Entry], index: int, dice: Random
) -> Change | None:
    """A card that is drawn and thrown at once is misread, both times."""
    turn = turn_at(log, index)
    if turn is None or len(turn.actions) != 2:
        return None
    draw, discard = turn.actions
    if not isinstance(draw, Draw) or not isinstance(discard, Discard) or draw.card != discard.card:
        return None
    other = misread(draw.card, dice)
    if other is None:
        return None
    return put(log, index, turn._replace(actions=(Draw(other), Discard(other))))


@kind("hand.missing", late=True)
def another_card_thrown(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """A card is said to be thrown that its player does not hold."""
    step = one_step(turn := turn_at(log, index), dice, Discard)
    if step is None or turn is None or not isinstance(discard := turn.actions[step], Discard):
        return None
    other = misread(discard.card, dice, mine(log[index], turn))
    return None if other is None else acted(log, index, step, Discard(other))


def mine(entry: Entry, turn: Turn) -> list[Card]:
    """The cards that a player had or got in a turn, as far as its line names them."""
    got = [action.card for action in turn.actions if isinstance(action, (Draw, Take, Buy))]
    pile = entry.before.pile if entry.before is not None and steps(turn, Take, Call) else []
    return [*held(entry.before, turn.player), *got, *pile]


@kind("draw.pile", late=True)
def another_card_taken(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """A card is said to be taken that does not lie in the pile."""
    step = one_step(turn := turn_at(log, index), dice, Take)
    position = log[index].before
    if (
        step is None
        or turn is None
        or position is None
        or not isinstance(take := turn.actions[step], Take)
    ):
        return None
    other = misread(take.card, dice, position.pile)
    return None if other is None else acted(log, index, step, Take(other))


@kind("draw.pile", late=True)
def the_pile_taken_less_or_more_deeply(
    log: Sequence[Entry], index: int, dice: Random
) -> Change | None:
    """The pile is said to be taken down to another of its cards."""
    step = one_step(turn := turn_at(log, index), dice, Take)
    position = log[index].before
    if (
        step is None
        or turn is None
        or position is None
        or not isinstance(take := turn.actions[step], Take)
    ):
        return None
    others = [card for card in position.pile if card not in {take.card, UNKNOWN}]
    return acted(log, index, step, Take(dice.choice(others))) if others else None


@kind("draw.pile", "draw.stock", late=True)
def drawn_and_taken_mixed_up(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """A card of the stock is said to be taken, or one of the pile to be drawn."""
    step = one_step(turn := turn_at(log, index), dice, Draw, Take)
    if step is None or turn is None:
        return None
    action = turn.actions[step]
    assert isinstance(action, (Draw, Take))
    if action.card == UNKNOWN:
        return None
    other = Take(action.card) if isinstance(action, Draw) else Draw(action.card)
    return acted(log, index, step, other)


@kind(late=True)
def an_exchange_left_out(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """A wild card that was exchanged is not written down."""
    step = one_step(turn := turn_at(log, index), dice, Swap)
    return None if step is None or turn is None else acted(log, index, step)


PLAYS: Final = ("hand.missing", "meld", "layoff", "wild")


@kind(*PLAYS, late=True)
def another_card_melded(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """A card is said to be melded that its player does not hold."""
    return _another_laid(log, index, dice, Meld)


@kind(*PLAYS, late=True)
def another_card_laid_off(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """A card is said to be laid off that its player does not hold."""
    return _another_laid(log, index, dice, LayOff)


def _another_laid(log: Sequence[Entry], index: int, dice: Random, what: type) -> Change | None:
    step = one_step(turn := turn_at(log, index), dice, what)
    if step is None or turn is None or not isinstance(action := turn.actions[step], (Meld, LayOff)):
        return None
    plain = [place for place, laid in enumerate(action.cards) if laid.role is None]
    if not plain:
        return None
    place = dice.choice(plain)
    other = misread(action.cards[place].card, dice, mine(log[index], turn))
    if other is None:
        return None
    cards = (*action.cards[:place], Played(other), *action.cards[place + 1 :])
    return acted(log, index, step, changed(action, cards=cards))


@kind("wild", "meld", "layoff", late=True)
def another_role_of_a_joker(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """A joker is said to stand for the card beside the one that it stands for."""
    step = one_step(turn := turn_at(log, index), dice, Meld, LayOff)
    if step is None or turn is None or not isinstance(action := turn.actions[step], (Meld, LayOff)):
        return None
    wild = [place for place, laid in enumerate(action.cards) if laid.role is not None]
    if not wild:
        return None
    place = dice.choice(wild)
    card, role = action.cards[place]
    assert role is not None
    base, ranks = (ANY_SUIT, 13) if role >= ANY_SUIT else (role // 13 * 13, 13)
    other = base + (role - base + dice.choice([-2, -1, 1, 2])) % ranks
    cards = (*action.cards[:place], Played(card, other), *action.cards[place + 1 :])
    return acted(log, index, step, changed(action, cards=cards))


@kind("layoff", "swap", late=True)
def another_meld_s_number(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """Cards are said to be laid off on a meld on which they were not laid."""
    step = one_step(turn := turn_at(log, index), dice, LayOff, Swap)
    position = log[index].before
    if step is None or turn is None or position is None:
        return None
    action = turn.actions[step]
    assert isinstance(action, (LayOff, Swap))
    others = [meld for meld in range(1, len(position.melds) + 1) if meld != action.target]
    return acted(log, index, step, changed(action, target=dice.choice(others))) if others else None


# --- what a turn says was done --------------------------------------------------------------------


@kind(*PLAYS, late=True)
def a_card_melded_and_the_one_thrown_swapped(
    log: Sequence[Entry], index: int, dice: Random
) -> Change | None:
    """A card of a meld is written as the discard, and the discard as a card of the meld."""
    step = one_step(turn := numbered(log, index), dice, Meld)
    if step is None or turn is None:
        return None
    meld, thrown = turn.actions[step], turn.actions[-1]
    assert isinstance(meld, Meld)
    plain = [place for place, laid in enumerate(meld.cards) if laid.role is None]
    if not plain or not isinstance(thrown, Discard) or thrown.card == UNKNOWN:
        return None
    place = dice.choice(plain)
    other = meld.cards[place].card
    cards = (*meld.cards[:place], Played(thrown.card), *meld.cards[place + 1 :])
    turn = with_action(turn, step, changed(meld, cards=cards))
    return put(log, index, turn._replace(actions=(*turn.actions[:-1], Discard(other))))


@kind("hand.missing", *PLAYS, late=True)
def a_meld_on_the_next_player_s_line(
    log: Sequence[Entry], index: int, dice: Random
) -> Change | None:
    """A meld is written in the turn after the one that it was laid in."""
    one, two = numbered(log, index), numbered(log, index + 1)
    step = one_step(one, dice, Meld)
    if step is None or one is None or two is None or len(one.actions) < 2:
        return None
    without = one._replace(actions=(*one.actions[:step], *one.actions[step + 1 :]))
    more = two._replace(actions=(two.actions[0], one.actions[step], *two.actions[1:]))
    return Change(index, index + 2, (without, more), touched=2)


@kind("meld", late=True)
def a_lay_off_written_as_a_meld(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """Cards that were laid off are said to be melded."""
    step = one_step(turn := turn_at(log, index), dice, LayOff)
    if step is None or turn is None or not isinstance(laid := turn.actions[step], LayOff):
        return None
    return acted(log, index, step, Meld(laid.cards))


@kind("meld", late=True)
def a_meld_written_as_two(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """The cards of a long meld are said to be two melds."""
    step = one_step(turn := turn_at(log, index), dice, Meld)
    if step is None or turn is None or not isinstance(meld := turn.actions[step], Meld):
        return None
    if len(meld.cards) < 4:
        return None
    return acted(log, index, step, changed(meld, cards=meld.cards[:3]), Meld(meld.cards[3:]))


@kind("turn.over", "draw.deep")
def a_discard_written_first(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """The discard is written before what was laid."""
    turn = numbered(log, index)
    if turn is None or len(turn.actions) < 3 or not isinstance(turn.actions[-1], Discard):
        return None
    first, *rest, thrown = turn.actions
    return put(log, index, turn._replace(actions=(first, thrown, *rest)))


@kind("turn.unfinished", late=True)
def a_discard_on_the_next_player_s_line(
    log: Sequence[Entry], index: int, dice: Random
) -> Change | None:
    """The discard is written first in the turn after the one that it ended."""
    one, two = numbered(log, index), numbered(log, index + 1)
    if one is None or two is None or len(one.actions) < 2:
        return None
    *others, thrown = one.actions
    if not isinstance(thrown, Discard):
        return None
    more = two._replace(actions=(thrown, *two.actions))
    return Change(index, index + 2, (one._replace(actions=tuple(others)), more), touched=2)


@kind("meld", late=True)
def a_card_of_a_meld_left_out(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """A meld is written with a card less."""
    step = one_step(turn := turn_at(log, index), dice, Meld)
    if step is None or turn is None or not isinstance(meld := turn.actions[step], Meld):
        return None
    place = dice.randrange(len(meld.cards))
    fewer = (*meld.cards[:place], *meld.cards[place + 1 :])
    return acted(log, index, step, changed(meld, cards=fewer))


@kind("meld", late=True)
def two_melds_written_as_one(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """Two melds of a turn are written as one."""
    turn = turn_at(log, index)
    melds = [] if turn is None else steps(turn, Meld)
    if turn is None or len(melds) < 2 or melds[1] != melds[0] + 1:
        return None
    first, second = (turn.actions[step] for step in melds[:2])
    assert isinstance(first, Meld)
    assert isinstance(second, Meld)
    one = changed(first, cards=(*first.cards, *second.cards))
    actions = (*turn.actions[: melds[0]], one, *turn.actions[melds[1] + 1 :])
    return put(log, index, turn._replace(actions=actions))


@kind("hand.missing", *PLAYS, late=True, may_be_legal=True)
def a_meld_written_a_turn_late(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """A meld is written in the next turn of its player."""
    turn = numbered(log, index)
    step = one_step(turn, dice, Meld)
    if step is None or turn is None or len(turn.actions) < 2:
        return None
    rest = range(index + 1, len(log))
    later = (at for at in rest if getattr(numbered(log, at), "player", None) == turn.player)
    other = next(later, len(log))
    own = numbered(log, other)
    if own is None or log[other].hand != log[index].hand:
        return None
    without = turn._replace(actions=(*turn.actions[:step], *turn.actions[step + 1 :]))
    more = own._replace(actions=(own.actions[0], turn.actions[step], *own.actions[1:]))
    between = log[index + 1 : other]
    return Change(index, other + 1, (without, *between, more), touched=other + 1 - index)


@kind("hand.missing", "draw.pile", "draw.stock", "log.copies")
def two_suits_mixed_up(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """Two suits of a colour are taken for each other in all cards of a line."""
    turn = turn_at(log, index)
    if turn is None:
        return None
    suits = dict(dice.choice([((0, 3), (3, 0)), ((1, 2), (2, 1))]))
    moved = 0

    def other(card: Card) -> Card:
        nonlocal moved
        if not 0 <= card < 52 or card // 13 not in suits:
            return card
        moved += 1
        return suits[card // 13] * 13 + card % 13

    actions: list[Action] = []
    for action in turn.actions:
        if isinstance(action, (Meld, LayOff)):
            laid = [played._replace(card=other(played.card)) for played in action.cards]
            actions.append(changed(action, cards=tuple(laid)))
        elif isinstance(action, (Draw, Take, Discard)) and action.card != UNKNOWN:
            actions.append(changed(action, card=other(action.card)))
        else:
            actions.append(action)
    return put(log, index, turn._replace(actions=tuple(actions))) if moved > 1 else None


@kind("hand.missing", late=True)
def two_turns_of_a_player_exchanged(
    log: Sequence[Entry], index: int, dice: Random
) -> Change | None:
    """What a player did in a turn and in the next one is written each for the other."""
    first = numbered(log, index)
    rest = range(index + 1, min(index + 12, len(log)))
    after = [at for at in rest if first and getattr(log[at].event, "player", None) == first.player]
    second = numbered(log, after[0]) if after else None
    if first is None or second is None or log[after[0]].hand != log[index].hand:
        return None
    lines = list(log[index : after[0] + 1])
    lines[0] = replace(lines[0], event=first._replace(actions=second.actions))
    lines[-1] = replace(lines[-1], event=second._replace(actions=first.actions))
    return Change(index, after[0] + 1, lines, touched=len(lines))


@kind("meld.size", "turn.unfinished")
def a_discard_written_as_a_meld(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """The card thrown is written as a meld."""
    turn = turn_at(log, index)
    step = one_step(turn, dice, Discard)
    if turn is None or step is None:
        return None
    thrown = turn.actions[step]
    assert isinstance(thrown, Discard)
    return None if thrown.card == UNKNOWN else acted(log, index, step, Meld((Played(thrown.card),)))


@kind("turn.over", "call")
def a_lay_off_written_as_a_discard(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """A card laid off is said to be thrown, before the discard of the turn."""
    turn = turn_at(log, index)
    step = one_step(turn, dice, LayOff)
    if turn is None or step is None or not steps(turn, Discard):
        return None
    laid = turn.actions[step]
    if not isinstance(laid, LayOff) or len(laid.cards) > 1 or laid.cards[0].role is not None:
        return None
    return acted(log, index, step, Discard(laid.cards[0].card))


@kind("turn.over")
def a_draw_on_the_line_before(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """The next player's draw stands at the end of a turn."""
    one, two = numbered(log, index), numbered(log, index + 1)
    if one is None or two is None or not isinstance(two.actions[0], Draw) or len(two.actions) < 2:
        return None
    if not isinstance(one.actions[-1], Discard):
        return None
    first = one._replace(actions=(*one.actions, two.actions[0]))
    return Change(index, index + 2, (first, two._replace(actions=two.actions[1:])), touched=2)


@kind("hand.missing", "log.copies", late=True)
def another_rank_of_a_group(log: Sequence[Entry], index: int, dice: Random) -> Change | None:
    """All cards of a group have another rank."""
    turn = turn_at(log, index)
    step = one_step(turn, dice, Meld)
    meld = None if turn is None or step is None else turn.actions[step]
    if step is None or not isinstance(meld, Meld):
        return None
    cards = [laid.card for laid in meld.cards]
    ranks = {card % 13 for card in cards if card < JOKER}
    if len(ranks) != 1 or max(cards) >= JOKER or any(laid.role for laid in meld.cards):
        return None
    rank = dice.choice([other for other in range(13) if other not in ranks])
    others = tuple([Played(card - card % 13 + rank) for card in cards])
    return acted(log, index, step, changed(meld, cards=others))
