"""The duty to use a card taken from the pile, or called, and to use it at once."""

from itertools import combinations

from model.cards import without
from model.melds import OPEN, Meld, exchange, places, put, read_meld, stand_in
from model.settings import Illegal, Settings
from model.table import Play, Table, Turn


def impose(table: Table, turn: Turn, card: str) -> None:
    """From now on this card has to be used; remember how things stand."""
    turn.duty = card
    turn.melds_then = {number: meld.copy() for number, meld in table.melds.items()}
    turn.hand_then = list(table.hands[turn.player])


def ways(settings: Settings, turn: Turn) -> tuple[str, ...]:
    """What counts as using the card. A call is no draw, so it is bound by its own rules."""
    if not turn.called:
        return settings.use
    return ("lay",) if settings.calls == "last_discard" else ("meld", "lay")


def check_play(table: Table, turn: Turn, play: Play) -> None:
    """Judge a play that comes while the duty is not yet met."""
    if turn.called:
        only_of_the_pile(table, turn, play)
    if turn.duty not in play.cards:
        return
    turn.used.append(play.kind)
    if play.kind not in ways(table.settings, turn):
        return
    turn.duty = None
    if table.settings.at_once and not turn.called:
        needed_or_late(table.settings, turn)


def only_of_the_pile(table: Table, turn: Turn, play: Play) -> None:
    """A called card is laid with cards of the pile alone; a meld of those may be laid with more at once."""
    before = [card for each in turn.plays[:-1] for card in each.cards]
    left = without(turn.taken, before)
    if left is not None and without(left, list(play.cards)) is not None:
        return
    if (
        left is not None
        and play.kind == "meld"
        and turn.duty in play.cards
        and table.settings.call_more_melds
    ):
        roles = [
            role.rstrip(OPEN) if role != card else None
            for card, role in zip(play.cards, play.roles, strict=True)
        ]
        laid = list(zip(play.cards, roles, strict=True))
        for size in range(3, len(laid)):
            for some in combinations(laid, size):
                of_the_pile = without(left, [card for card, _ in some]) is not None
                if (
                    of_the_pile
                    and turn.duty in [card for card, _ in some]
                    and is_meld(list(some), table)
                ):
                    return
    raise Illegal("call.hand", "it needs cards that are not of the pile")


def is_meld(laid: list[tuple[str, str | None]], table: Table) -> bool:
    """Whether these cards are a meld."""
    try:
        read_meld(laid, table.settings, table.wild_rank)
    except Illegal:
        return False
    return True


def must_be_met(turn: Turn) -> None:
    """At the end of the turn the duty must be met."""
    if turn.duty is None:
        return
    which = "top" if len(turn.taken) == 1 and not turn.called else "deep"
    if "lay" in turn.used:
        raise Illegal(f"draw.{which}.lay-off", f"{turn.duty} had to be melded anew", turn.duty_line)
    raise Illegal(f"draw.{which}.unused", f"{turn.duty} was not used", turn.duty_line)


def needed_or_late(settings: Settings, turn: Turn) -> None:
    """Leave each earlier play out: if the card could still be placed as it was, it came late."""
    for left_out in range(len(turn.plays) - 1):
        if could_still_be_placed(settings, turn, left_out):
            raise Illegal("draw.deep.late", "another play came before it", turn.duty_line)


def could_still_be_placed(settings: Settings, turn: Turn, left_out: int) -> bool:
    """Replay the plays but one, leaving out what is then impossible; is the last one possible?"""
    melds = {number: meld.copy() for number, meld in turn.melds_then.items()}
    hand = list(turn.hand_then)
    possible = True
    for number, play in enumerate(turn.plays):
        if number != left_out:
            possible = replay(settings, turn.player, play, melds, hand)
    return possible


def replay(
    settings: Settings, player: str, play: Play, melds: dict[int, Meld], hand: list[str]
) -> bool:
    """Carry a play out again as it was; False, and nothing changed, where that is impossible."""
    left = without(hand, list(play.cards))
    if left is None or (play.kind != "meld" and play.number not in melds):
        return False
    if play.kind == "meld":
        kind = "group" if play.place == 0 else "sequence"
        entries = [(card, role, player) for card, role in zip(play.cards, play.roles, strict=True)]
        melds[play.number] = Meld(kind, entries, play.place)
    elif play.kind == "lay":
        card, role = play.cards[0], play.roles[0]
        stated = role.removesuffix(OPEN) if role != card else None
        if (role, play.place) not in places(melds[play.number], (card, stated), settings):
            return False
        put(melds[play.number], card, role, play.place, player)
    else:
        place = stand_in(melds[play.number], play.cards[0], settings)
        if place is None:
            return False
        wild = exchange(melds[play.number], place, play.cards[0], player, settings)
        if wild is None:
            return False
        if settings.swapped == "to_hand":
            left.append(wild)
    hand[:] = left
    return True
