"""A position that stands as after what its player has done already, put back to how it stood before that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from meldref.core.cards import UNKNOWN, Card, Played, card_text, played_text
from meldref.core.diagnostics import Finding
from meldref.core.events import Action, Draw, LayOff, Meld, Take
from meldref.notation.reader import read_card_counts, read_cards

if TYPE_CHECKING:
    from meldref.documents.reader import Value

Mapped: TypeAlias = "Mapping[str, Value]"


def as_before(value: Mapped, mover: str, actions: Sequence[Action]) -> dict[str, Value] | None:
    """The same position before these actions of the mover; None where it does not stand as after them.

    A `take` without `xN` is that of the top card. What lay above a deeper card is not on record, so any cards of
    the hand stand for it; an exchange, a call or a discard is not put back.
    """
    hands, table = value.get("hands"), value.get("table") or {}
    if not isinstance(hands, dict) or not isinstance(hands.get(mover), str) or not isinstance(table, dict):
        return None
    hand = read_card_counts(str(hands[mover]))
    laid = any(isinstance(action, (Meld, LayOff)) for action in actions)
    if isinstance(hand, Finding) or (laid and "points" in value):
        return None
    back = _Back(mover, list(hand[0]), hand[1], dict(table), value.get("stock"))
    if not all(back.put(action) for action in reversed(actions)):
        return None
    before = {**value, "hands": {**hands, mover: back.hand_text()}, "table": back.table, "stock": back.stock}
    pile = value.get("pile", "")
    if back.taken:
        before["pile"] = f"{pile} {_text(back.taken)}".strip()
    return before


class _Back:
    """A hand, the table and the stock while actions are put back, the latest first."""

    def __init__(self, mover: str, hand: list[Card], unknown: int, table: dict[str, Value], stock: Value) -> None:
        self.mover = mover
        self.hand = hand
        self.unknown = unknown
        self.table = table
        self.stock = stock
        self.taken: list[Card] = []

    def hand_text(self) -> str:
        return " ".join([*map(card_text, self.hand), *["?"] * self.unknown])

    def put(self, action: Action) -> bool:
        """Puts an action back; False where the position does not stand as after it."""
        if isinstance(action, Draw):
            return self._draw(action.card)
        if isinstance(action, Take):
            self.taken = [action.card]
            if not self._out_of_hand(action.card):
                return False
            above = (action.count or 1) - 1
            self.taken += [self._any_card() for _ in range(min(above, len(self.hand) + self.unknown))]
            return len(self.taken) == above + 1
        if isinstance(action, Meld):
            return self._lifted(f"m{len(self.table)}", action.cards)
        if isinstance(action, LayOff):
            names = list(self.table) if action.target is None else [f"m{action.target}"]
            return any(self._lifted(name, action.cards) for name in names)
        return False

    def _draw(self, card: Card) -> bool:
        if isinstance(self.stock, str):
            self.stock = f"{_text([card])} {self.stock}".strip()
        elif isinstance(self.stock, int):
            self.stock += 1
        return self._out_of_hand(card)

    def _out_of_hand(self, card: Card) -> bool:
        if card in self.hand:
            self.hand.remove(card)
            return True
        self.unknown -= 1
        return self.unknown >= 0

    def _any_card(self) -> Card:
        if self.hand:
            return self.hand.pop()
        self.unknown -= 1
        return UNKNOWN

    def _lifted(self, name: str, cards: Sequence[Played]) -> bool:
        """Takes cards of the mover up from a meld: the last that the mover laid there."""
        layers = self.table.get(name)
        text = layers.get(self.mover) if isinstance(layers, dict) else None
        laid = read_cards(text) if isinstance(text, str) else None
        if not isinstance(layers, dict) or laid is None or isinstance(laid, Finding):
            return False
        rest, lifted = laid[: -len(cards)], laid[-len(cards) :]
        if sorted(one.card for one in lifted) != sorted(one.card for one in cards):
            return False
        others = {player: row for player, row in layers.items() if player != self.mover}
        if rest:
            others[self.mover] = " ".join(map(played_text, rest))
        self.table[name] = others
        if not others:
            del self.table[name]
        self.hand += [one.card for one in cards]
        return True


def _text(cards: Sequence[Card]) -> str:
    return " ".join("?" if card == UNKNOWN else card_text(card) for card in cards)
