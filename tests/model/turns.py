"""One turn by the rules: draw, plays, discard. Every broken rule raises Illegal with its code.

An action is a tuple: ("draw", card or None), ("take", card, count or None), ("meld", [laid, …],
number or None), ("lay", [laid, …], number or None), ("swap", card, number), ("discard", card),
("rummy", [card, …]), ("challenge",), ("pass",). A laid card is (card, stated role or None).
"""

from collections.abc import Callable, Iterator
from typing import Any

from model import buying, calls, contract, duty
from model.cards import JOKER, UNKNOWN, without
from model.melds import Meld, exchange, may_be_wild, new_meld, places, put, read_meld, stand_in
from model.settings import Illegal, Settings, Unsupported
from model.table import Play, Table, Turn

Action = tuple[Any, ...]
Row = list[tuple[str, str, int]]  # cards one after the other: which, what it counts as, its place


def play_turn(table: Table, player: str, actions: list[Action]) -> None:
    """Play one whole turn, or one whole call; raises Illegal or changes the table."""
    play_line(table, player, actions)
    must_be_finished(table)


def play_line(table: Table, player: str, actions: list[Action], line: int = 0) -> None:
    """Play what one line says; the turn may still be open after it."""
    table.line = line
    if actions[0][0] == "buy":
        buying.buy(table, player, *[action[1:] for action in actions])
        return
    if actions[0][0] == "rummy":
        calls.begin(table, player, actions[0][1], line)
        actions = actions[1:]
    elif table.turn is None:
        if actions[0][0] == "challenge" and table.over:
            raise Illegal("challenge.unfounded", "that discard was allowed")
        begin(
            table,
            player,
            passing=actions == [("pass",)] and player == table.to_move and table.over_by_itself(),
        )
    elif table.turn.player != player:
        must_be_finished(table)
    if table.turn:
        table.turn.line = line
    for action in actions:
        act(table, action, line)
    if table.turn and table.turn.called:
        calls.end_of_line(table)


def begin(table: Table, player: str, *, passing: bool = False) -> None:
    """An ordinary turn begins; `passing`: it only says that a hand is over in which nobody can draw."""
    table.provisional = False
    if table.over and not passing:
        raise Illegal("turn.over", "the hand is over")
    if player != table.to_move:
        raise Illegal("turn.order", f"{table.to_move} is to move")
    table.turn = Turn(player, list(table.hands[player]), floated=player in table.floating)
    table.turns += 1
    table.shuffled = False
    if table.opening and table.settings.extra_card:
        table.turn.drawn = "nothing"
    table.opening = False


def must_be_finished(table: Table) -> None:
    """Raise Illegal where a turn is open."""
    turn = table.turn
    if turn is None:
        return
    if turn.floated and turn.drawn and not turn.called:
        raise Illegal("float.kept", "a floater keeps a card", turn.line)
    raise Illegal("turn.unfinished", f"{turn.player} has not discarded", turn.line)


def may_stop(table: Table) -> None:
    """Raise Illegal where nothing more is written and a turn is open, other than one that a call broke into."""
    if table.turn is not None and table.turn.line == table.line:
        must_be_finished(table)


def act(table: Table, action: Action, line: int = 0) -> None:
    """Carry one action out."""
    turn = table.turn
    if turn is None:
        raise Illegal("turn.over", "the turn is over")
    kind = action[0]
    if kind in ("draw", "take", "pass"):
        if turn.called or (turn.drawn and not (kind == "take" and may_take_second(table, turn))):
            raise Illegal("turn.draw", "a second draw")
        if kind == "take" and (turn.first == "pile" or (turn.first and not mixes(table))):
            raise Illegal("turn.draw", "the second card comes from the stock")
        before: dict[str, Callable[..., None]] = {"draw": draw, "take": take, "pass": decline}
        before[kind](table, turn, *action[1:])
        turn.duty_line = line
    elif kind == "rummy":
        raise Illegal("call.late", "in the middle of a turn")
    elif kind == "buy":
        raise Illegal("buy.late", "in the middle of a turn")
    elif kind == "challenge":
        raise Illegal("challenge.unfounded", "there is nothing to challenge")
    else:
        if not turn.drawn:
            raise Illegal("turn.draw", f"{kind} before the draw")
        after: dict[str, Callable[..., None]] = {
            "meld": meld,
            "lay": lay,
            "swap": swap,
            "discard": discard,
        }
        after[kind](table, turn, *action[1:])


def draw(table: Table, turn: Turn, card: str | None) -> None:
    drawn = table.draw_card(card)
    table.hands[turn.player].append(drawn)
    if turn.duty:
        turn.hand_then.append(drawn)
    has_drawn(table, turn, "stock")
    after_draw(table)


def mixes(table: Table) -> bool:
    """Whether one of two cards may come from the pile."""
    return table.settings.mixed == "allowed"


def may_take_second(table: Table, turn: Turn) -> bool:
    """Whether one of two cards may still come from the pile: the first one emptied the stock."""
    is_drawn = turn.drawn == "stock" and not turn.first and not turn.plays
    return table.settings.draws == 2 and mixes(table) and is_drawn and not table.stock_size()


def has_drawn(table: Table, turn: Turn, source: str) -> None:
    """One draw is made: another one is due where two are drawn, unless the stock is empty."""
    goes_on = source == "stock" or mixes(table)
    if table.settings.draws == 2 and not turn.first and table.stock_size() and goes_on:
        turn.first = source
    else:
        turn.drawn = "pile" if "pile" in (turn.first, source) else "stock"


def take(table: Table, turn: Turn, card: str, count: int | None) -> None:
    """Take the pile from its top down to a card, and note the duty that comes with it."""
    pile = table.pile
    if table.bought:
        raise Illegal("draw.pile", "the card below one that was bought is dead")
    if card == "?" and count is not None and 1 <= count <= len(pile):
        card = pile[-count]  # nobody told which it was, and it lies there for all to see
    if card not in pile:
        raise Illegal("draw.pile", f"{card} is not in the pile")
    if count is None:
        count = pile[::-1].index(card) + 1
    if table.settings.depth == "top" and (count > 1 or card != pile[-1]):
        raise Illegal("draw.pile", "only the top card may be taken")
    if not 1 <= count <= len(pile) or pile[-count] != card:
        raise Illegal("log.number", f"x{count} does not reach {card}")
    turn.held = list(table.hands[turn.player])
    turn.taken = pile[-count:]
    del pile[-count:]
    table.hands[turn.player] += turn.taken
    has_drawn(table, turn, "pile")
    must = table.settings.top_must_be_used if count == 1 else table.settings.deep_must_be_used
    if must:
        duty.impose(table, turn, card)
    table.last_discard = None
    after_draw(table)


def after_draw(table: Table) -> None:
    if table.settings.call_until == "next_draw":
        table.window = False


def decline(table: Table, turn: Turn) -> None:
    """`pass`: with an empty stock, the hand ends."""
    if table.stock_size():
        raise Illegal("stock.pass", "there are cards in the stock")
    if table.can_be_renewed():
        raise Illegal("stock.pass", "the pile becomes the stock")
    table.stock_ends()
    table.passed = True
    end_turn(table, turn)


def leave_hand(table: Table, player: str, cards: list[str]) -> None:
    """Cards leave a player's hand for the table."""
    table.show(player, cards)
    hand = table.hands[player]
    for card in cards:
        if card not in hand:
            raise Illegal("hand.missing", f"{player} does not hold {card}")
        hand.remove(card)


def meld(table: Table, turn: Turn, cards: list[Any], number: int | None) -> None:
    """Lay a new meld."""
    contract.may_meld(table, turn)
    names = [card for card, _ in cards]
    leave_hand(table, turn.player, names)
    reading = read_meld(cards, table.settings, table.wild_rank)
    if number not in (None, len(table.melds) + 1):
        raise Illegal("log.number", f"this is m{len(table.melds) + 1}")
    number = len(table.melds) + 1
    table.melds[number] = new_meld(cards, reading, turn.player)
    contract.check_meld(table, turn, number)
    table.laid.setdefault(turn.player, []).append(number)
    played(table, turn, Play("meld", number, tuple(names), reading.roles, reading.low))


def lay(table: Table, turn: Turn, cards: list[Any], number: int | None) -> None:
    """Lay cards off, together: in some order, one after the other, they have to go."""
    if not table.settings.lay_offs:
        raise Illegal("layoff.target", "nothing is laid off")
    contract.may_lay_off(table, turn)
    if number is None:
        number = only_target(table, cards)
    if number not in table.melds:
        raise Illegal("log.name", f"there is no m{number}")
    for laid in cards:
        may_be_wild(laid, table.wild_rank, table.settings)
    table.show(turn.player, [card for card, _ in cards])
    if without(table.hands[turn.player], [card for card, _ in cards]) is None:
        raise Illegal("hand.missing", f"{turn.player} does not hold these")
    orders = list(ways_to_lay(table.melds[number], cards, table.settings))
    if not orders:
        raise Illegal("layoff.fit", f"they do not extend m{number}")
    if len({tuple(sorted((card, role) for card, role, _ in order)) for order in orders}) > 1:
        raise Illegal("wild.unbound", "a wild card could be several cards")
    why = Illegal("layoff.fit", "")
    for order in orders:
        trial = table.copy()
        try:
            lay_one_by_one(trial, trial.under_way, order, number)
            contract.check_jokers(trial, trial.melds[number])
        except Illegal as finding:
            why = finding
        else:
            vars(table).update(vars(trial))
            return
    raise why


def lay_one_by_one(table: Table, turn: Turn, order: Row, number: int) -> None:
    """Lay cards off in this order."""
    for index, (card, role, place) in enumerate(order, 1):
        leave_hand(table, turn.player, [card])
        put(table.melds[number], card, role, place, turn.player)
        played(table, turn, Play("lay", number, (card,), (role,), place), last=index == len(order))


def ways_to_lay(meld: Meld, cards: list[Any], settings: Settings) -> Iterator[Row]:
    """The orders in which cards go on a meld, each with what it counts as and where."""
    if not cards:
        yield []
    for index, laid in enumerate(cards):
        if laid in cards[:index]:
            continue
        # A card that may go at both ends is taken for one that goes at the high one.
        for role, place in dict(places(meld, laid, settings)).items():
            longer = meld.copy()
            put(longer, laid[0], role, place, "")
            for rest in ways_to_lay(longer, cards[:index] + cards[index + 1 :], settings):
                yield [(laid[0], role, place), *rest]


def only_target(table: Table, cards: list[Any]) -> int:
    """The one meld that takes all these cards."""
    fitting = [
        number
        for number, target in table.melds.items()
        if any(ways_to_lay(target, cards, table.settings))
    ]
    if not fitting:
        raise Illegal("layoff.fit", "no meld takes this")
    if len(fitting) > 1:
        raise Illegal("layoff.unnamed", f"it fits melds {fitting}")
    return fitting[0]


def swap(table: Table, turn: Turn, card: str, number: int) -> None:
    """Put the natural card in the place of a wild one, which goes into the hand."""
    if table.settings.swap == "never":
        raise Illegal("swap.forbidden", "wild cards stay where they are")
    contract.comes_first(table, turn)
    if number not in table.melds:
        raise Illegal("log.name", f"there is no m{number}")
    leave_hand(table, turn.player, [card])
    place = stand_in(table.melds[number], card, table.settings)
    if place is None:
        raise Illegal("swap.fit", f"no wild card of that meld stands for {card}")
    wild = exchange(table.melds[number], place, card, turn.player, table.settings)
    if wild is None:
        raise Illegal("swap.forbidden", "the wild card stays where it is")
    if table.settings.swapped == "to_hand":
        table.hands[turn.player].append(wild)
    played(table, turn, Play("swap", number, (card,), (card,), 0))


def played(table: Table, turn: Turn, play: Play, *, last: bool = True) -> None:
    """After each play: is the duty met by it, is the hand empty?"""
    if not turn.plays:
        table.melding_turns[turn.player] = table.melding_turns.get(turn.player, 0) + 1
    turn.plays.append(play)
    if turn.duty:
        duty.check_play(table, turn, play)
    elif turn.called and not table.settings.call_more_melds:
        cards = [card for each in turn.plays for card in each.cards]
        if without(turn.taken, cards) is None:
            raise Illegal("call.hand", "nothing more may be melded with a call")
    if last and not table.hands[turn.player]:
        melded_all(table, turn)


def melded_all(table: Table, turn: Turn) -> None:
    """The player has no cards left, and nothing to discard."""
    if turn.called and not table.settings.call_discard:
        return
    duty.must_be_met(turn)
    contract.must_be_whole(table, turn)
    rule = table.settings.melding_all
    if rule == "forbidden":
        raise Illegal("out.discard-required", "no card is left to discard")
    if rule == "ends_hand":
        table.go_out(turn.player)
    else:
        table.floating.add(turn.player)
    end_turn(table, turn)


def discard(table: Table, turn: Turn, card: str) -> None:
    """End the turn with a card on the pile."""
    hand = table.hands[turn.player]
    if turn.called and not table.settings.call_discard:
        own_turn = turn.player == table.to_move
        raise Illegal("turn.over" if own_turn else "turn.order", "a caller does not discard")
    if card == "?":
        card = face_down(table, hand)
    leave_hand(table, turn.player, [card])
    duty.must_be_met(turn)
    contract.must_be_whole(table, turn)
    if table.settings.no_last_discard and not hand:
        raise Illegal("house.last-hand-whole", "the last card is laid")
    check_thrown_back(table, turn, card)
    if table.settings.whole_hand and turn.plays and all(table.hands.values()):
        raise Illegal("house.whole-hand", f"{turn.player} keeps cards")
    if not hand:
        last_discard(table, turn, card)
    else:
        table.floating.discard(turn.player)
    table.pile.append(card)
    table.last_discard = card
    table.discarder = turn.player
    table.window = True
    end_turn(table, turn)


def face_down(table: Table, hand: list[str]) -> str:
    """The card of a discard that was not shown: only a last one may lie so."""
    if not table.settings.face_down or len(hand) != 1:
        raise Illegal("log.syntax", "this discard lies face up")
    if hand == [UNKNOWN]:
        raise Unsupported("a discard that nobody saw")
    return hand[0]


def check_thrown_back(table: Table, turn: Turn, card: str) -> None:
    """The top card just taken stays, unless its twin was held before; so does the deepest, where it has to."""
    if (
        turn.called
        or not turn.taken
        or card != turn.taken[0]
        or card in (*turn.held, *turn.taken[1:])
    ):
        return
    if UNKNOWN in turn.held and card in table.unseen:
        raise Unsupported("whether the player held a twin of a card that was taken")
    if len(turn.taken) == 1:
        raise Illegal("discard.taken-top", f"{card} was just taken")
    if not table.settings.deepest_may_go_back:
        raise Illegal("discard.taken-deep", f"{card} was the deepest card taken")


def last_discard(table: Table, turn: Turn, card: str) -> None:
    """Going out with a discard."""
    playable = fits_table(table, card)
    if playable:
        if turn.floated and table.settings.floater_must_play:
            raise Illegal("float.playable", f"{card} could have been melded")
        if table.settings.last_discard == "unplayable":
            raise Illegal("out.playable", f"{card} could have been melded")
    table.go_out(turn.player)
    table.provisional = playable and table.settings.last_discard == "claimable"


def fits_table(table: Table, card: str) -> bool:
    """Whether a card can be laid off on any meld, as itself or as a wild card."""
    cards = [card, JOKER] if card[0] == table.wild_rank else [card]
    if any(goes_beside_wild(meld, card, table.settings) for meld in table.melds.values()):
        return True
    return any(
        places(target, (each, None), table.settings)
        for target in table.melds.values()
        for each in cards
    )


def goes_beside_wild(meld: Meld, card: str, settings: Settings) -> bool:
    """Whether a card can be added to a sequence in which a wild card makes room for it."""
    if settings.swap == "never" or settings.swapped != "to_end":
        return False
    place = stand_in(meld, card, settings)
    return place is not None and exchange(meld.copy(), place, card, "", settings) is not None


def end_turn(table: Table, turn: Turn) -> None:
    """The turn is over; whose is the next?"""
    table.turn = None
    table.bought = False
    if table.settings.calls == "pile":
        table.window = True
    table.last_player = turn.player
    if not turn.called or not table.out or table.out == turn.player:
        table.to_move = table.next_to(turn.player)
    if table.out and table.to_move == table.out and not table.over:
        table.over = ("out", table.out)
    table.end_without_stock()
    table.end_where_nobody_can_draw()
