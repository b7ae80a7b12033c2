"""What a player lays first where each hand has a contract, and what may be laid before and after it."""

from model.melds import Meld
from model.settings import Illegal
from model.table import Table, Turn


def of_turn(table: Table, turn: Turn) -> list[int]:
    """The melds that were laid in a turn."""
    return [play.number for play in turn.plays if play.kind == "meld"]


def had_melded(table: Table, turn: Turn) -> bool:
    """Whether the player had laid a meld before this turn."""
    return len(table.laid.get(turn.player, [])) > len(of_turn(table, turn))


def may_meld(table: Table, turn: Turn) -> None:
    """A player lays the melds of the contract and no others."""
    contract = table.settings.contract
    if not contract:
        return
    if had_melded(table, turn) or len(of_turn(table, turn)) >= len(contract):
        raise Illegal("house.contract-alone", "no melds after the contract")


def may_lay_off(table: Table, turn: Turn) -> None:
    """Cards are laid off by who has melded, and not before the whole contract lies on the table."""
    if table.settings.contract and not table.laid.get(turn.player):
        raise Illegal("layoff.target", f"{turn.player} has not melded")
    comes_first(table, turn)


def comes_first(table: Table, turn: Turn) -> None:
    """The contract lies on the table before cards are laid off or exchanged."""
    contract = table.settings.contract
    if contract and not had_melded(table, turn) and len(of_turn(table, turn)) < len(contract):
        raise Illegal("house.contract-first", "the contract comes first")


def check_meld(table: Table, turn: Turn, number: int) -> None:
    """A new meld: how many jokers it has, and whether it goes on where another one ends."""
    new = table.melds[number]
    check_jokers(table, new)
    if not table.settings.runs_apart or new.kind != "sequence":
        return
    for other in map(table.melds.__getitem__, table.laid.get(turn.player, [])):
        alike = other.kind == "sequence" and other.cards[0][1][1] == new.cards[0][1][1]
        if alike and (other.high + 1 == new.low or new.high + 1 == other.low):
            raise Illegal("house.runs-apart", "two sequences would be one")


def check_jokers(table: Table, meld: Meld) -> None:
    """A meld has no more jokers than other cards, in some games."""
    wild = sum(card != role for card, role, _ in meld.cards)
    if table.settings.jokers_at_most_half and 2 * wild > len(meld.cards):
        raise Illegal("house.jokers-at-most-half", f"{wild} jokers")


def must_be_whole(table: Table, turn: Turn) -> None:
    """Whoever melds for the first time has laid the whole contract when the turn ends."""
    new = of_turn(table, turn)
    if not table.settings.contract or not new or had_melded(table, turn):
        return
    left = sorted((table.melds[number] for number in new), key=lambda meld: len(meld.cards))
    for kind, size in sorted(table.settings.contract, key=lambda part: part[1]):
        fits = [meld for meld in left if meld.kind == kind and len(meld.cards) >= size]
        if not fits:
            raise Illegal("meld.contract", f"a {kind} of {size} is lacking")
        left.remove(fits[0])
