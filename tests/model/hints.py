"""What could be done with some cards: melds and calls for the random player to choose from.

Nothing here decides what is legal: whatever the player chooses is judged by the rules afterwards.
"""

from typing import Any

from model.cards import JOKER, RANKS, SUITS, card_at, without
from model.melds import places
from model.settings import Settings
from model.table import Table

Cards = list[str]  # with stated roles: `5h`, `Jk=6h`, `Jk=9`


def groups(cards: list[str], settings: Settings) -> list[Cards]:
    """Three or four of a rank, with jokers for what is missing."""
    found = []
    jokers = cards.count(JOKER)
    for rank in RANKS:
        suits = [rank + suit for suit in SUITS if rank + suit in cards]
        for wild in range(jokers + 1):
            meld = suits[:4] + [f"{JOKER}={rank}"] * wild
            if suits and settings.group_sizes[0] <= len(meld) <= settings.group_sizes[1]:
                found.append(meld)
    return found


def sequences(cards: list[str], settings: Settings) -> list[Cards]:
    """Runs in a suit, with jokers in the gaps: for each lowest card, the shortest and the longest."""
    found = []
    jokers = cards.count(JOKER)
    for suit in SUITS:
        for low in range(1, 13):
            left = jokers
            run: Cards = []
            for place in range(low, 15):
                card = card_at(place, suit)
                if len(run) == settings.sequence_sizes[1]:
                    break
                if card in cards:
                    run.append(card)
                elif left:
                    left -= 1
                    run.append(f"{JOKER}={card}")
                else:
                    break
                naturals = sum("=" not in word for word in run)
                if len(run) >= settings.sequence_sizes[0] and naturals:
                    found.append(list(run))
    return found


def melds(cards: list[str], settings: Settings, must: str | None = None) -> list[Cards]:
    """Melds these cards can make, those with a card that must be in them."""
    if len(cards) < 3:
        return []
    found = groups(cards, settings) + sequences(cards, settings)
    if must is not None:
        found = [meld for meld in found if any(word.startswith(must) for word in meld)]
    return found


def plain(words: Cards) -> list[tuple[str, str | None]]:
    """Written cards as the rules take them: (card, stated role)."""
    return [(card, role or None) for card, _, role in (word.partition("=") for word in words)]


def lay_offs(table: Table, card: str) -> list[tuple[str, int]]:
    """Where a card can be laid off: (the card as written, meld number)."""
    found = []
    for number, meld in table.melds.items():
        for role, _ in places(meld, (card, None), table.settings):
            found.append((card if role == card else f"{card}={role.rstrip('*')}", number))
    return found


def calls(table: Table, player: str) -> list[list[tuple[Any, ...]]]:
    """Calls a player could make now, each as the actions that the call itself consists of."""
    settings, pile = table.settings, table.pile
    if settings.calls == "none" or not table.window or player == table.last_player or not pile:
        return []
    if settings.calls != "pile" and table.last_discard != pile[-1]:
        return []
    found: list[list[tuple[Any, ...]]] = []
    reach = (
        range(len(pile)) if settings.calls == "pile" and not table.provisional else [len(pile) - 1]
    )
    for place in reach:
        card = pile[place]
        if card in pile[place + 1 :]:
            continue  # the same card lies higher up
        for word, number in lay_offs(table, card):
            found.append([("rummy", [card]), ("lay", plain([word]), number)])
        if settings.calls == "pile" and not table.provisional:
            sets = melds(pile[place:], settings, must=card)
            found += [[("rummy", [card]), ("meld", plain(meld), None)] for meld in sets]
    if settings.calls == "last_discard_or_set":
        for meld in melds(pile, settings, must=pile[-1]):
            named = [word.partition("=")[0] for word in meld]
            if without(pile, named) is not None:
                found.append([("rummy", named), ("meld", plain(meld), None)])
    return found
