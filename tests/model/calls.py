"""Calling "Rummy!": who may, when, on which cards, and what the caller gets."""

from model import duty
from model.settings import Illegal
from model.table import Table, Turn


def begin(table: Table, player: str, named: list[str], line: int = 0) -> None:
    """A call: check that it may be made, and give the caller the cards."""
    check_allowed(table, player)
    check_scope(table, named)
    taken = taken_cards(table, named)
    takes_discard = table.last_discard in taken
    table.interrupted = table.turn
    turn = Turn(player, list(table.hands[player]), called=True, drawn="pile", taken=taken)
    turn.line = turn.duty_line = line
    table.turn = turn
    table.hands[player] += taken
    duty.impose(table, turn, taken[0])
    if table.provisional:
        take_back_ending(table)
    thrower = table.discarder
    if takes_discard and thrower in table.players and thrower != player:
        pay(table, thrower)
    table.last_discard = None
    table.window = False


def check_allowed(table: Table, player: str) -> None:
    if table.settings.calls == "none":
        raise Illegal("call.off", "there are no calls in this game")
    if table.over and not table.provisional and not table.over_by_itself():
        thrown = table.last_discard is not None and table.over == ("out", table.discarder)
        if thrown and table.settings.last_discard == "claimable":
            raise Illegal("call.nothing", "the last discard fits nothing")
        raise Illegal("turn.over", "the hand is over")
    if player == table.out:
        raise Illegal("turn.over", f"{player} has gone out")
    if not table.window or (table.turn is not None and table.turn.called):
        raise Illegal("call.late", "it is too late for a call")
    thrower = table.last_player if table.settings.calls == "pile" else table.discarder
    if table.settings.call_by == "discarder" and player != thrower:
        raise Illegal("call.others", f"{player} has not just discarded")
    if table.settings.call_by == "all_but_discarder" and player == thrower:
        raise Illegal("call.own", f"{player} has just discarded")


def check_scope(table: Table, named: list[str]) -> None:
    """Whether these cards can be called at all."""
    rest = list(table.pile)
    for card in named:
        if card not in rest:
            raise Illegal("call.scope", f"{card} is not in the pile")
        rest.remove(card)
    settings = table.settings
    taken_back = settings.call_by == "discarder"
    only_last = settings.calls != "pile" or table.provisional or taken_back
    if only_last and table.last_discard not in named:
        raise Illegal("call.scope", "only the last discard can be called")
    if table.settings.calls == "last_discard" and len(named) != 1:
        raise Illegal("call.scope", "only one card can be called")


def taken_cards(table: Table, named: list[str]) -> list[str]:
    """Take the cards out of the pile that a call gives, deepest first."""
    pile = table.pile
    free = list(range(len(pile)))
    places = []
    for card in named:  # of two alike, the upper one
        place = max(place for place in free if pile[place] == card)
        free.remove(place)
        places.append(place)
    if table.settings.call_takes == "down_to_card":
        places = list(range(min(places), len(pile)))
    taken = [pile[place] for place in sorted(places)]
    for place in sorted(places, reverse=True):
        del pile[place]
    return taken


def pay(table: Table, thrower: str) -> None:
    """The player whose discard was called draws two cards, or takes the rest of the pile."""
    paid: list[str] = []
    if table.settings.call_penalty == "draws_two":
        paid = [table.draw_card(None) for _ in range(min(2, table.stock_size()))]
    elif table.settings.call_penalty == "takes_pile":
        paid = table.pile[:]
        table.pile.clear()
    table.hands[thrower] += paid
    if paid:
        table.floating.discard(thrower)


def take_back_ending(table: Table) -> None:
    """A called last discard: the hand is not over after all."""
    player = table.ending[1]
    assert player is not None
    table.over = None
    table.provisional = False
    if table.settings.claimed == "floats":
        table.floating.add(player)
    elif table.pile:
        table.hands[player] += table.pile
        table.pile.clear()
    elif table.stock_size():
        table.hands[player].append(table.draw_card(None))


def end_of_line(table: Table) -> None:
    """A call without a discard is over with its line, and all that was called must lie on the table."""
    if table.settings.call_discard:
        return
    turn = table.under_way
    if turn.duty:
        duty.must_be_met(turn)
    laid = [card for play in turn.plays for card in play.cards]
    one_set = len(turn.plays) == 1 and turn.plays[0].kind == "meld"
    if table.settings.calls == "last_discard_or_set" and len(turn.taken) > 1 and not one_set:
        raise Illegal(
            "call.scope", "of buried cards only a meld with the last discard can be called"
        )
    if sorted(laid) != sorted(turn.taken):
        raise Illegal("call.nothing", "not all that was called was melded")
    table.turn = table.interrupted
    table.interrupted = None
    if table.turn is None:
        table.end_without_stock()
    table.end_where_nobody_can_draw()
