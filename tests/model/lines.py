"""The lines of play a position has: every action that is legal, then every action after each of those.

An action is legal where the rules find nothing against it and the turn, or the call, can still be
ended by some further actions. All of it is found by trying: every draw, every set of cards from the
hand with everything its wild cards may stand for, every card on every meld, every exchange, every
discard, every call. Lay-offs go card by card, and a call names one card, or all the cards of one
meld that the pile has.
"""

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

from model import calls
from model.cards import JOKER
from model.melds import OPEN, group_readings, places, sequence_readings
from model.randomgame import written_action
from model.settings import Illegal
from model.table import Table
from model.turns import act, begin

Move = tuple[str, Table]  # what is done, in canonical spelling, and the table after it


def count_lines(table: Table, depth: int) -> list[int]:
    """How many lines there are of one action, of two, and so on."""
    counts = []
    tables = [table]
    for left in range(depth, 0, -1):
        after = [move[1] for each in tables for move in legal_moves(each)]
        counts.append(len(after))
        tables = after if left > 1 else []
    return counts


def legal_moves(table: Table) -> list[Move]:
    """Everything that may be done now, by whomever, each thing once."""
    found: dict[str, Table] = {}
    for text, after in [*turn_moves(table), *call_moves(table)]:
        found.setdefault(text, after)
    return list(found.items())


def turn_moves(table: Table) -> Iterator[Move]:
    """What the player whose turn or call it is may do."""
    if table.over:
        return
    start = table.copy()
    if start.turn is None:
        begin(start, start.to_move)
    for action in candidates(start):
        after = tried(start, action)
        if after is None:
            continue
        # Nobody knows the stock's top card before it is drawn, so nobody can know where it leads.
        if action[0] in ("draw", "pass") or can_be_ended(after):
            yield f"{start.under_way.player}: {spelled(action)}", after
    done = stopped(start) if may_stop_calling(start) else None
    if done is not None:
        yield f"{start.under_way.player}: done", done


def call_moves(table: Table) -> Iterator[Move]:
    """What the players may call on between two turns."""
    if table.turn is not None or not table.window:
        return
    for player in table.players:
        for named in callable_cards(table):
            after = table.copy()
            try:
                calls.begin(after, player, list(named))
            except Illegal:
                continue
            if can_be_ended(after):
                yield f"{player}: {spelled(('rummy', list(named)))}", after


def callable_cards(table: Table) -> list[tuple[str, ...]]:
    """What a call might name: each card of the pile, and the cards of each meld that lies in it."""
    named: list[tuple[str, ...]] = [(card,) for card in dict.fromkeys(table.pile)]
    if table.settings.calls == "last_discard_or_set" or (
        table.settings.calls == "pile" and table.settings.call_takes == "called_cards"
    ):
        named += [tuple(card for card, _ in cards) for cards in melds(table.pile, table)]
    return list(dict.fromkeys(named))


def candidates(table: Table) -> Iterator[tuple[Any, ...]]:
    """Whatever the player of this turn could write down, legal or not."""
    turn = table.under_way
    if not turn.drawn and not turn.called:
        yield ("draw", table.stock[0] if table.stock else None)
        for place, card in enumerate(table.pile):
            above = table.pile[place + 1 :]
            yield ("take", card, len(above) + 1 if card in above else None)
        yield ("pass",)
        return
    hand = table.hands[turn.player]
    for card in dict.fromkeys(hand):
        yield ("discard", card)
    for cards in melds(hand, table):
        yield ("meld", cards, None)
    for card in dict.fromkeys(hand):
        for number in table.melds:
            yield ("swap", card, number)
            if card != JOKER or table.settings.jokers_apart:
                yield ("lay", [(card, None)], number)
            if is_wild(card, table):
                for role, _ in places(table.melds[number], (JOKER, None), table.settings):
                    if role != card:
                        yield ("lay", [(card, role.rstrip(OPEN))], number)


def melds(cards: list[str], table: Table) -> Iterator[list[tuple[str, str | None]]]:
    """Every meld of some of the cards, with what its wild cards are said to stand for."""
    settings = table.settings
    seen = set()
    for size in range(3, len(cards) + 1):
        for some in combinations(sorted(cards), size):
            if some in seen:
                continue
            seen.add(some)
            if settings.jokers_apart and JOKER in some:
                if set(some) == {JOKER}:
                    yield [(card, None) for card in some]
                continue
            yield from bound_melds(some, table)


def bound_melds(cards: tuple[str, ...], table: Table) -> Iterator[list[tuple[str, str | None]]]:
    """The melds that just these cards make: those of a wild rank as themselves or as wild cards."""
    wild = [number for number, card in enumerate(cards) if card != JOKER and is_wild(card, table)]
    done = set()
    for as_wild in product((False, True), repeat=len(wild)):
        standing_in = {number for number, flag in zip(wild, as_wild, strict=True) if flag}
        stand_ins = [JOKER if number in standing_in else card for number, card in enumerate(cards)]
        bare: list[tuple[str, str | None]] = [(card, None) for card in stand_ins]
        if all(card == JOKER for card in stand_ins):
            continue
        for reading in group_readings(bare, table.settings) + sequence_readings(
            bare, table.settings
        ):
            # Where several cards are wild, each may stand for what another one could.
            places = [number for number, card in enumerate(stand_ins) if card == JOKER]
            for order in set(permuted([reading.roles[place] for place in places])):
                roles = dict(zip(places, order, strict=True))
                laid = [
                    (card, roles[number].rstrip(OPEN) if number in roles else None)
                    for number, card in enumerate(cards)
                ]
                key = tuple(sorted(laid, key=str))
                if key not in done and all(card != role for card, role in laid):
                    done.add(key)
                    yield laid


def permuted(roles: list[str]) -> Iterator[tuple[str, ...]]:
    """The orders of some roles."""
    if not roles:
        yield ()
        return
    for number, role in enumerate(roles):
        for rest in permuted(roles[:number] + roles[number + 1 :]):
            yield (role, *rest)


def is_wild(card: str, table: Table) -> bool:
    """Whether a card can stand for another one."""
    return (card == JOKER and not table.settings.jokers_apart) or card[0] == table.wild_rank


def tried(table: Table, action: tuple[Any, ...]) -> Table | None:
    """The table after an action, or None where it breaks a rule."""
    after = table.copy()
    try:
        act(after, action)
    except Illegal:
        return None
    if not table.settings.call_more_melds and may_stop_calling(after):
        return stopped(after)  # such a call is over with the card that was called
    return after


def can_be_ended(table: Table, seen: set[tuple[Any, ...]] | None = None) -> bool:
    """Whether some actions end the turn or call that is under way, if one is."""
    if table.turn is None or may_stop_calling(table):
        return True
    seen = set() if seen is None else seen
    key = standing(table)
    if key in seen:
        return False
    seen.add(key)
    for action in candidates(table):
        after = tried(table, action)
        if after is not None and can_be_ended(after, seen):
            return True
    return False


def standing(table: Table) -> tuple[Any, ...]:
    """What the rest of a turn depends on."""
    turn = table.under_way
    melds_now = tuple(
        tuple(sorted(entry[:2] for entry in meld.cards)) for meld in table.melds.values()
    )
    return (
        tuple(sorted(table.hands[turn.player])),
        melds_now,
        turn.duty,
        tuple(turn.plays) if turn.duty else (),
    )


def may_stop_calling(table: Table) -> bool:
    """Whether a call that ends without a discard may be over here."""
    turn = table.turn
    if turn is None or not turn.called or table.settings.call_discard:
        return False
    return stopped(table) is not None


def stopped(table: Table) -> Table | None:
    """The table after the end of such a call."""
    after = table.copy()
    try:
        calls.end_of_line(after)
    except Illegal:
        return None
    return after


def spelled(action: tuple[Any, ...]) -> str:
    """An action as it is written, the cards of a meld in the order of their letters."""
    if action[0] == "meld":
        action = ("meld", sorted(action[1], key=lambda laid: "=".join(filter(None, laid))), None)
    if action[0] == "rummy":
        action = ("rummy", sorted(action[1]))
    return written_action(action)
