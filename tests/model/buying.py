"""Buying the last discard out of turn: who may, and what comes with it."""

from model.settings import Illegal
from model.table import Table


def buy(table: Table, player: str, named: tuple[str, ...], *more: tuple[str, ...]) -> None:
    """A purchase, which is a line of its own."""
    settings = table.settings
    if not settings.buys:
        raise Illegal("buy.off", "nobody buys in this game")
    if more:
        raise Illegal("turn.order", "a purchase is a line of its own")
    if table.over or table.turn is not None or table.bought:
        raise Illegal("buy.late", "it is too late for a purchase")
    turned_up = table.discarder is None
    if player == table.to_move or (table.last_discard and player == table.discarder):
        raise Illegal("buy.own", f"{player} may not buy this card")
    if not table.pile or not (table.last_discard or turned_up):
        raise Illegal("buy.late", "there is no last discard")
    if named[0] != table.pile[-1]:
        raise Illegal("buy.card", f"{named[0]} is not the last discard")
    if table.stock_size() < settings.buys_extra:
        raise Illegal("draw.stock", "the stock has too few cards")
    number = table.buys.get(player, 0)
    if number == settings.buys_per_hand:
        raise Illegal("buy.often", f"{player} has bought {number} cards")
    table.buys[player] = number + 1
    table.hands[player].append(table.pile.pop())
    table.hands[player] += [table.draw_card(None) for _ in range(settings.buys_extra)]
    table.last_discard = None
    table.bought = True
    table.end_where_nobody_can_draw()
