"""Programs that write states of the table, not what was done: moves are what differs between two.

Between two states lie the moves of one player, in the order draw, exchange, melds, lay-offs,
discard. What two states cannot show (a card taken and thrown again at once) is not there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from meldref.core.cards import JOKER, UNKNOWN, Card
from meldref_intake.events.cards import CardReader, Seen
from meldref_intake.events.hands import Hand, Unclear
from meldref_intake.events.records import Place
from meldref_intake.events.values import Scope, Value, items_of, number_of, reading, text_of

_MOST_CARDS: Final = 999


class TableMeld(NamedTuple):
    """A meld of a state: its id or place, and its cards."""

    id: str
    cards: tuple[Seen, ...]


class State(NamedTuple):
    """What a state of the table shows; None for what it does not."""

    hands: Mapping[str, tuple[Card, ...] | int]
    pile: tuple[Card, ...]
    stock: int | None
    stock_cards: tuple[Card, ...]
    melds: tuple[TableMeld, ...]
    turn: Any
    mover: Any


_KEYS: Final = ("player", "turn", "pile", "stock")


class StateReader:
    """Reads states as the `snapshot` of a map says."""

    def __init__(self, said: Mapping[str, Any], cards: CardReader) -> None:
        self._cards = cards
        self._values = {key: reading(said[key]) for key in _KEYS if key in said}
        self._hands = _bound(said.get("hands"))
        self._melds = _bound(said.get("melds"))
        self._top_first = said.get("pile_top") == "first"

    def read(self, scope: Scope) -> State | None:
        """The state of a record; None if it is none."""
        pile, melds = self._value("pile", scope), self._melds["each"](scope)
        if pile is None and melds is None:
            return None
        lying = [seen.card for seen in self._several(pile, scope)]
        stock = self._value("stock", scope)
        cards = self._several(stock, scope) if isinstance(stock, list) else []
        return State(
            dict(self._read_hands(scope)),
            tuple(lying[::-1] if self._top_first else lying),
            len(cards) if isinstance(stock, list) else _count(stock),
            tuple([seen.card for seen in cards]),
            tuple(self._read_melds(melds, scope)),
            self._value("turn", scope),
            self._value("player", scope),
        )

    def _value(self, key: str, scope: Scope) -> Any:
        return self._values[key](scope) if key in self._values else None

    def _several(self, value: Any, scope: Scope) -> list[Seen]:
        return [] if value is None else self._cards.several(value, scope)

    def _read_hands(self, scope: Scope) -> list[tuple[str, tuple[Card, ...] | int]]:
        found: list[tuple[str, tuple[Card, ...] | int]] = []
        for item in items_of(self._hands["each"](scope)) if self._hands else ():
            inside = scope.inside(item)
            player = self._hands["player"](inside)
            cards = self._hands["cards"](inside) if "cards" in self._hands else None
            size = _count(self._hands["size"](inside)) if "size" in self._hands else None
            if player is None:
                continue
            if cards is not None:
                held = tuple([seen.card for seen in self._several(cards, inside)])
                found.append((text_of(player), held))
            elif size is not None:
                found.append((text_of(player), size))
        return found

    def _read_melds(self, melds: Any, scope: Scope) -> list[TableMeld]:
        found: list[TableMeld] = []
        for number, item in enumerate(items_of(melds)):
            inside = scope.inside(item)
            raw = self._melds["id"](inside) if "id" in self._melds else number
            cards = self._several(self._melds["cards"](inside), inside)
            if cards:
                found.append(TableMeld(text_of(raw), tuple(cards)))
        return found


def _bound(said: Mapping[str, Any] | None) -> dict[str, Value]:
    return {} if said is None else {key: reading(value) for key, value in said.items()}


def _count(value: Any) -> int | None:
    """How many cards there are; None if that is not told.

    Raises:
        Unclear: no table has so many.
    """
    number = number_of(value)
    if number is not None and not 0 <= number <= _MOST_CARDS:
        raise Unclear(f"{number} is no number of cards (0-{_MOST_CARDS})")
    return number


def begins_hand(before: State, now: State) -> bool:
    """Whether another hand lies between two states, though no record says so."""
    return len(now.melds) < len(before.melds)


def mover_of(before: State, now: State) -> Any:
    """Whose moves lie between two states.

    Raises:
        Unclear: that cannot be told.
    """
    changed = [
        player for player in now.hands if _differs(before.hands.get(player), now.hands[player])
    ]
    if len(changed) > 1:
        raise Unclear("several hands differ from the state before: states are missing between them")
    if now.mover is not None:
        return now.mover
    if len(changed) == 1:
        return changed[0]
    if before.turn is not None:
        return before.turn
    raise Unclear("it does not tell whose moves lie between this state and the one before")


def _differs(before: tuple[Card, ...] | int | None, now: tuple[Card, ...] | int) -> bool:
    if isinstance(before, tuple) and isinstance(now, tuple):
        return Counter(before) != Counter(now)
    return before != now


def play(hand: Hand, player: str, before: State, now: State, raw: str, place: Place) -> None:
    """Carries out what lies between two states.

    Raises:
        Unclear: they differ in a way that no moves explain.
    """
    if now.stock is not None and before.stock is not None and now.stock > before.stock:
        hand.renew_stock(place, turns_up=bool(now.pile))
        taken, thrown = now.pile[:0], now.pile[1:] if hand.pile else now.pile
        drawn = 1
    else:
        same = _common(before.pile, now.pile)
        taken, thrown = before.pile[same:], now.pile[same:]
        drawn = 0 if now.stock is None or before.stock is None else before.stock - now.stock
    new, swapped, more = _on_table(before.melds, now.melds)
    if drawn:
        laid = [seen.card for meld in new for seen in meld.cards]
        laid += [seen.card for _, cards in more for seen in cards] + [card for _, card in swapped]
        known = _drawn(before, now, raw, (*laid, *thrown), (*taken, *[JOKER for _ in swapped]))
        for number in range(drawn):
            hand.draw(player, known[number] if len(known) == drawn else UNKNOWN, place)
    if taken:
        hand.take(player, taken[0], len(taken), None, place)
    for meld_id, card in swapped:
        hand.swap(player, card, hand.meld_by(meld_id, None, None), "", place)
    for meld in new:
        hand.lay(player, list(meld.cards), None, place, meld.id, is_new=True)
    for meld_id, cards in more:
        hand.lay(player, cards, hand.meld_by(meld_id, None, None), place, is_new=False)
    for card in thrown:
        hand.discard(player, card, place)


def _common(first: Sequence[Card], second: Sequence[Card]) -> int:
    same = 0
    while same < min(len(first), len(second)) and first[same] == second[same]:
        same += 1
    return same


def _on_table(
    before: Sequence[TableMeld], now: Sequence[TableMeld]
) -> tuple[list[TableMeld], list[tuple[str, Card]], list[tuple[str, list[Seen]]]]:
    """The new melds, the cards exchanged for jokers, and those laid off, each with its meld."""
    known = {meld.id: meld for meld in before}
    new: list[TableMeld] = []
    swapped: list[tuple[str, Card]] = []
    more: list[tuple[str, list[Seen]]] = []
    for meld in now:
        if meld.id not in known:
            new.append(meld)
            continue
        were = Counter(seen.card for seen in known[meld.id].cards)
        added: list[Seen] = []
        for seen in meld.cards:
            if were[seen.card] > 0:
                were[seen.card] -= 1
            else:
                added.append(seen)
        jokers = max(0, were[JOKER])
        swapped += [(meld.id, seen.card) for seen in added[:jokers]]
        if added[jokers:]:
            more.append((meld.id, added[jokers:]))
    return new, swapped, more


def _drawn(
    before: State, now: State, raw: str, gone: Sequence[Card], came: Sequence[Card]
) -> list[Card]:
    """The cards that a player drew, where the states show the hand."""
    held, left = before.hands.get(raw), now.hands.get(raw)
    if not isinstance(held, tuple) or not isinstance(left, tuple):
        return []
    drawn = Counter(left) + Counter(gone)
    drawn.subtract(Counter(held) + Counter(came))
    return [card for card, number in drawn.items() for _ in range(number) if card != UNKNOWN]
