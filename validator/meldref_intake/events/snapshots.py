"""Programs that write states of the table, not what was done: moves are what differs between two.

Between two states lie the moves of one player, in the order draw, exchange, melds, lay-offs,
discard. What two states cannot show (a card taken and thrown again at once) is not there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple, TypeAlias

from meldref.core.cards import JOKER, UNKNOWN, Card
from meldref.core.text import in_words
from meldref_intake.events.cards import CardReader, Seen
from meldref_intake.events.hands import DRAWS, TURN_NOT_KNOWN, Hand, Unclear
from meldref_intake.events.records import Place
from meldref_intake.events.values import Scope, Value, items_of, number_of, reading, text_of

_MOST_CARDS: Final = 999
Naming: TypeAlias = Callable[[Any], str]
"""Gives the name of a player whom a file calls so."""


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


def mover_of(before: State, now: State, name: Naming) -> str:
    """Whose moves lie between two states.

    Raises:
        Unclear: that cannot be told, or they are those of several players.
    """
    changed = [name(raw) for raw in now.hands if _differs(before.hands.get(raw), now.hands[raw])]
    mover = now.mover if now.mover is not None else before.turn
    player = changed[0] if len(changed) == 1 and now.mover is None else None
    if player is None:
        if mover is None and not changed:
            raise Unclear("it does not tell whose moves lie between this state and the one before")
        player = changed[0] if mover is None else name(mover)
    others = [other for other in changed if other != player]
    if others:
        several = in_words([player, *others], "and")
        raise Unclear(f"{_MISSING}: the hands of {several} changed at once")
    return player


def _differs(before: tuple[Card, ...] | int | None, now: tuple[Card, ...] | int) -> bool:
    """Whether a hand changed, as far as its cards are seen."""
    if isinstance(before, tuple) and isinstance(now, tuple) and UNKNOWN not in (*before, *now):
        return Counter(before) != Counter(now)
    return _size(before) != _size(now)


class _Moves(NamedTuple):
    """What lies between two states, in the order in which it was done."""

    refilled: bool
    drawn: int
    taken: tuple[Card, ...]
    swapped: list[tuple[str, Card]]
    new: list[TableMeld]
    more: list[tuple[str, list[Seen]]]
    thrown: tuple[Card, ...]

    @property
    def laid(self) -> list[Card]:
        """The cards that came to the table from the hand, but for those exchanged."""
        several = [meld.cards for meld in self.new] + [cards for _, cards in self.more]
        return [seen.card for cards in several for seen in cards]

    @property
    def came(self) -> int:
        """How many more cards the hand has, but for those drawn."""
        return len(self.taken) - len(self.laid) - len(self.thrown)


def _moves(hand: Hand, before: State, now: State) -> _Moves:
    """What differs between two states."""
    new, swapped, more = _on_table(before.melds, now.melds)
    drawn = 0 if now.stock is None or before.stock is None else before.stock - now.stock
    if drawn < 0:
        thrown = now.pile[1:] if hand.pile else now.pile
        return _Moves(True, 1, (), swapped, new, more, thrown)
    same = _common(before.pile, now.pile)
    return _Moves(False, drawn, before.pile[same:], swapped, new, more, now.pile[same:])


def _one_turn(moves: _Moves, before: State, now: State, key: str) -> _Moves:
    """The moves, if they can be those of one turn; what was drawn follows from the hand if need be.

    Raises:
        Unclear: they cannot, so that states are missing between the two.
    """
    if len(moves.thrown) > 1:
        raise Unclear(f"{_MISSING}: {len(moves.thrown)} cards came to the pile at once")
    held, left = _size(before.hands.get(key)), _size(now.hands.get(key))
    if held is None or left is None:
        return moves
    drawn = left - held - moves.came
    if before.stock is None or now.stock is None:
        moves = moves._replace(drawn=max(0, drawn))
    if drawn != moves.drawn:
        raise Unclear(f"{_MISSING}: no turn leads from the one before to it")
    return moves


_MISSING: Final = "states are missing before this one"


def _size(hand: tuple[Card, ...] | int | None) -> int | None:
    return len(hand) if isinstance(hand, tuple) else hand


class Habits:
    """How a program plays, as its states have shown so far.

    `pass_on`: they name the next player as soon as a turn is over. `draw_once`: turns have one draw.
    """

    def __init__(self) -> None:
        self.pass_on = self.draw_once = False

    def learn(self, hand: Hand, before: State, now: State) -> None:
        """What was played between two states may have ended a turn."""
        turn = hand.turn
        if turn is None or not turn.over:
            return
        is_told = before.turn is not None and now.turn is not None
        if is_told and text_of(before.turn) != text_of(now.turn):
            self.pass_on = True
        if sum(act.verb in DRAWS for act in turn.actions) == 1:
            self.draw_once = True


def play(hand: Hand, name: Naming, before: State, now: State, place: Place, habits: Habits) -> None:
    """Carries out what lies between two states; `name` gives players their names.

    Raises:
        Unclear: they differ in a way that no moves of one turn explain.
    """
    player = mover_of(before, now, name)
    if habits.pass_on and before.turn is not None and name(before.turn) != player:
        raise Unclear(f"{_MISSING}: the turn was {name(before.turn)}'s, not {player}'s")
    key = next((raw for raw in now.hands if name(raw) == player), "")
    moves = _one_turn(_moves(hand, before, now), before, now, key)
    turn = hand.turn
    has_drawn = turn is not None and turn.player == player and turn.drawn and not turn.over
    draws = moves.drawn + bool(moves.taken)
    is_more = draws and (has_drawn or (draws > 1 and habits.draw_once))
    if is_more and (moves.laid or moves.thrown):
        raise Unclear(f"{_MISSING}: {player} drew more than once")
    if hand.is_within and not (moves.drawn or moves.taken):
        raise Unclear(TURN_NOT_KNOWN)
    hand.is_within = False
    if moves.refilled:
        hand.renew_stock(place, turns_up=bool(now.pile))
    known = _drawn(before, now, key, moves)
    for number in range(moves.drawn):
        card = known[number] if len(known) == moves.drawn else UNKNOWN
        hand.draw(player, card, place)
    if moves.taken:
        hand.take(player, moves.taken[0], len(moves.taken), None, place)
    for meld_id, card in moves.swapped:
        hand.swap(player, card, hand.meld_by(meld_id, None, None), "", place)
    for meld in moves.new:
        hand.lay(player, list(meld.cards), None, place, meld.id, is_new=True)
    for meld_id, cards in moves.more:
        hand.lay(player, cards, hand.meld_by(meld_id, None, None), place, is_new=False)
    for card in moves.thrown:
        hand.discard(player, card, place)


def resume(hand: Hand, name: Naming, now: State, place: Place) -> None:
    """Goes on with a state to which no moves lead that are known."""
    hand.lose_turn(place)
    for raw, held in now.hands.items():
        with suppress(ValueError):  # somebody who does not play
            hand.held[name(raw)] = _size(held)
    hand.pile, hand.stock = list(now.pile), now.stock


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


def _drawn(before: State, now: State, key: str, moves: _Moves) -> list[Card]:
    """The cards that a player drew, where the states show the hand."""
    held, left = before.hands.get(key), now.hands.get(key)
    if not moves.drawn or not isinstance(held, tuple) or not isinstance(left, tuple):
        return []
    exchanged = [card for _, card in moves.swapped]
    drawn = Counter(left) + Counter([*moves.laid, *exchanged, *moves.thrown])
    drawn.subtract(Counter(held) + Counter([*moves.taken, *[JOKER] * len(exchanged)]))
    return [card for card, number in drawn.items() for _ in range(number) if card != UNKNOWN]
