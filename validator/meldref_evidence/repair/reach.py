"""What an edit can change at all, by counting: before any line is refereed again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from meldref.core.cards import ANY_SUIT, JOKER, UNKNOWN, Played, each
from meldref.core.diagnostics import Finding
from meldref.core.events import (
    Action,
    Buy,
    Call,
    Deal,
    Discard,
    Draw,
    LayOff,
    Line,
    Meld,
    StockOrder,
    Swap,
    Take,
    Turn,
)
from meldref.core.records import NamedTuple
from meldref.notation.columns import action_columns
from meldref.position.model import Position, TableMeld

NOT_FITTING: Final = ("layoff.fit", "swap.fit")
"""Codes of cards that do not fit where they are laid, or exchanged."""
IN_PILE: Final = ("draw.pile",)
NOT_THERE: Final = ("hand.missing", *IN_PILE)
"""Codes of cards that are not where they are said to be: held, or in the pile."""
NOT_CALLED: Final = ("call.nothing", "call.hand")
"""Codes of cards that may not be called, wherever they are."""
LAID: Final = (Meld, LayOff)
_OF_SEVERAL: Final = (Take, Call, Buy, Swap)
"""Actions that may move other cards than they name, or more."""


def actions_of(line: Line) -> tuple[Action, ...]:
    """The actions of a line; none where it is no turn."""
    return line.event.actions if type(line.event) is Turn else ()


def actions_in(lines: Iterable[Line]) -> list[Action]:
    """The actions of lines."""
    return [action for line in lines for action in actions_of(line)]


class OnMeld(NamedTuple):
    """Cards that do not fit on a meld: its number, what lies there, and the cards.

    Without cards, whatever is laid there may be why. `is_numbered`: its number is written where it
    was melded, so that no meld before it is missing, or was not laid.
    """

    number: int
    meld: TableMeld | None
    cards: frozenset[int]
    is_numbered: bool

    @property
    def may_take_them(self) -> bool:
        """Whether they may fit there with other cards on it."""
        meld = self.meld
        return meld is None or all(_may_fit(meld, card) for card in self.cards)

    def may_matter(self, action: LayOff | Swap) -> bool:
        """Whether they may fit there with or without what an action lays on it."""
        if not self.cards or self.meld is None:
            return True
        if isinstance(action, Swap):
            return self.may_take_them or action.card in self.cards
        if not self.cards.isdisjoint([laid.card for laid in action.cards]):
            return True
        return self.may_take_them and _may_lie(self.meld, action)

    def may_matter_of(self, cards: Iterable[int]) -> bool:
        """Whether they may fit there with any of some cards on it."""
        return any(self.may_matter(LayOff((Played(card),))) for card in cards if card != UNKNOWN)

    def effects_of(self, lines: Iterable[Line]) -> list[object] | None:
        """What lines do to the meld, and where others are laid before it; None: nobody knows."""
        effects: list[object] = []
        for line in lines:
            event = line.event
            if type(event) is not Turn:
                if not isinstance(event, Deal):
                    return None
                continue
            for action in event.actions:
                if isinstance(action, Meld):
                    if action.number == self.number:
                        effects.append(action)
                    elif not self.is_numbered:
                        # Only how many melds come before counts, unless this may be the one.
                        effects.append(action if action.number is None else Meld)
                elif isinstance(action, (LayOff, Swap)) and self._may_change(action):
                    effects.append((line.number, event.player, action))
        return effects

    def _may_change(self, action: LayOff | Swap) -> bool:
        """Whether an action is on this meld and matters there, or nobody wrote where it is."""
        if not action.target:
            return True
        return action.target == self.number and self.may_matter(action)


class OfCards(NamedTuple):
    """Cards that are not where a line has them: not held, or not in the pile."""

    cards: frozenset[int]

    def effects_of(self, lines: Iterable[Line]) -> list[object] | None:
        """What lines do with these cards, or may do with them; None: nobody knows.

        What a purchase brings from the stock depends on what is drawn before it.
        """
        effects: list[object] = []
        lines = list(lines)
        drawn = (Draw,) if any(type(action) is Buy for action in actions_in(lines)) else ()
        for line in lines:
            event = line.event
            if type(event) is Turn:
                actions = event.actions
                some = [one for one in actions if type(one) in drawn or self._may_be_of(one)]
                effects += [(line.number, event.player, action) for action in some]
            elif isinstance(event, Deal):
                effects.append(event)
            else:
                return None
        return effects

    def _may_be_of(self, action: Action) -> bool:
        """Whether an action may be of one of the cards: of others than it names, or nobody knows."""
        if type(action) in _OF_SEVERAL:
            return True
        if isinstance(action, LAID):
            return any(laid.card in self.cards for laid in action.cards)
        card = getattr(action, "card", UNKNOWN)
        return card == UNKNOWN or card in self.cards


class OfCall(NamedTuple):
    """Called cards that fit nothing on the table or in the pile, or are not there.

    `near` are the cards that may lie in one meld with one of them, or those that are not there.
    """

    near: frozenset[int]

    def effects_of(self, lines: Iterable[Line]) -> list[object] | None:
        """What lines do on the table, and with cards of the pile; None: nobody knows."""
        effects: list[object] = []
        for line in lines:
            event = line.event
            if type(event) is Turn:
                effects += [action for action in event.actions if self._may_matter(action)]
            elif not isinstance(event, (Deal, StockOrder)):
                return None
        return effects

    def _may_matter(self, action: Action) -> bool:
        """Whether an action takes cards, or lays or throws one that may lie with one called."""
        if isinstance(action, LAID):
            return any(laid.card in self.near for laid in action.cards)
        if isinstance(action, Discard):
            return action.card in self.near
        return type(action) in _OF_SEVERAL


class OfMeld(NamedTuple):
    """A meld whose cards are none: wherever it is, that is found."""

    meld: Action

    def effects_of(self, lines: Iterable[Line]) -> list[object] | None:
        """The meld, as often as lines have it."""
        return [action for action in actions_in(lines) if action == self.meld]


Rests: TypeAlias = OnMeld | OfCards | OfCall | OfMeld
"""What a finding rests on: an edit that changes nothing about that leaves it."""


def is_touched(rests: Rests | None, lines: Sequence[Line], others: Sequence[Line]) -> bool:
    """Whether other lines may change what a finding rests on, if that is known."""
    if rests is None:
        return True
    before, after = rests.effects_of(lines), rests.effects_of(others)
    return before is None or after is None or before != after


def rests_on(lines: Sequence[Line], at: int, finding: Finding, table: Position) -> Rests | None:
    """What a finding at the line of an index rests on, if that is known.

    `table` is where the hand stands before it.
    """
    return (
        on_meld(lines, at, finding, table)
        or of_cards(lines, at, finding, table)
        or of_call(lines, at, finding, table)
    )


def of_cards(lines: Sequence[Line], at: int, finding: Finding, table: Position) -> OfCards | None:
    """Which cards are not where the line of an index has them, if that was found.

    `table` is where the hand stands before it. None: cards that nobody knows may be why.
    """
    line = lines[at]
    if type(line.event) is not Turn or finding.code not in NOT_THERE:
        return None
    is_by_setting = finding.rule is not None and finding.rule.key
    if is_by_setting or not table.pile_known or UNKNOWN in table.pile:
        return None
    if finding.code not in IN_PILE and not _is_hand_known(line.event, table):
        return None
    cards: set[int] = set()
    for action in actions_at(line, finding):
        if isinstance(action, LAID):
            cards.update([laid.card for laid in action.cards])
        elif isinstance(action, (Discard, Swap, Take)):
            cards.add(action.card)
    return OfCards(frozenset(cards)) if cards else None


def of_call(lines: Sequence[Line], at: int, finding: Finding, table: Position) -> OfCall | None:
    """Which cards may lie with those that the line of an index calls, if they fit nothing.

    `table` is where the hand stands before it. None: cards that nobody knows may be why.
    """
    if finding.code not in NOT_CALLED or not (table.pile_known and table.table_known):
        return None
    called = [action for action in actions_in(lines[at : at + 1]) if isinstance(action, Call)]
    if not called or UNKNOWN in table.pile:
        return None
    cards = [card for action in called for card in action.cards]
    missing = [card for card in cards if card not in table.pile]
    near = missing or [
        card
        for card in range(JOKER + 1)
        if table.book.is_wild(card) or any(_may_be_neighbours(table, card, one) for one in cards)
    ]
    return OfCall(frozenset((UNKNOWN, *near)))


def _may_be_neighbours(table: Position, card: int, other: int) -> bool:
    """Whether two cards may lie in one meld, or next to one another, by any kind of melds."""
    apart = min((card - other) % 13, (other - card) % 13)
    for pattern in table.book.patterns:
        kind = pattern.kind
        may_be = not apart or "same_rank" not in kind.require
        may_be = may_be and (card // 13 == other // 13 or "same_suit" not in kind.require)
        if may_be and (apart < kind.min_size or "consecutive_ranks" not in kind.require):
            return True
    return False


def _is_hand_known(turn: Turn, table: Position) -> bool:
    """Whether all cards that a player may play in a turn are known."""
    if turn.player not in table.players or table.unknown[table.players.index(turn.player)]:
        return False
    return all(getattr(action, "card", None) != UNKNOWN for action in turn.actions)


def actions_at(line: Line, finding: Finding) -> Iterator[Action]:
    """The actions of a line's turn that a finding is about, or may be."""
    span = finding.span
    for step, action in enumerate(line.event.actions if type(line.event) is Turn else ()):
        first, end = action_columns(line.text, step) if line.text else (span.column, 0)
        if span.column <= first < span.end_column or first <= span.column < end:
            yield action


def on_meld(lines: Sequence[Line], at: int, finding: Finding, table: Position) -> OnMeld | None:
    """On which meld cards do not fit that are laid at the line of an index.

    `table` is where the hand stands before it. None: nobody knows, or it is something else.
    """
    line = lines[at]
    if type(line.event) is not Turn or finding.code not in NOT_FITTING:
        return None
    named = [one for one in actions_at(line, finding) if isinstance(one, (LayOff, Swap))]
    if len(named) != 1 or not named[0].target:
        return None
    action, number = named[0], named[0].target
    meld = next(iter(table.melds[number - 1 : number]), None)
    cards: frozenset[int] = frozenset()
    if meld is not None and meld.shape is not None and isinstance(action, LayOff):
        is_natural = all(laid.card < JOKER and laid.role is None for laid in action.cards)
        cards = frozenset([laid.card for laid in action.cards] if is_natural else ())
    turns = [other.event for other in lines[:at] if type(other.event) is Turn]
    melds = [action for turn in turns for action in turn.actions if isinstance(action, Meld)]
    return OnMeld(number, meld, cards, any(laid.number == number for laid in melds))


def cards_are_there(
    position: Position, seat: int, actions: Iterable[Action], written: Collection[Action]
) -> bool:
    """Whether a turn may have the cards that it plays, and lay them where it does.

    False only where it is certain: no card that it draws or takes can be one of them. What is
    `written`, too, may be wrong by itself.
    """
    if not may_all_be_laid(position, actions, written):
        return False
    hand, unknown = Counter(each(position.hands[seat])), position.unknown[seat]
    stock, pile = position.stock, position.pile
    for action in actions:
        played: Sequence[int] = ()
        if isinstance(action, Draw):
            if stock and UNKNOWN not in {stock[-1], action.card} and stock[-1] != action.card:
                return False
            unknown += action.card == UNKNOWN
            hand[action.card] += 1
            stock = []
        elif isinstance(action, Take):
            if not position.pile_known or UNKNOWN in pile:
                return True
            if action.card not in pile:
                return False
            hand.update(pile[pile.index(action.card) :])
            pile = []
        elif isinstance(action, (Meld, LayOff)):
            played = [laid.card for laid in action.cards]
        elif isinstance(action, Discard):
            played = [action.card] if action.card != UNKNOWN else ()
        else:
            return not isinstance(action, Swap) or _may_be_swapped(position, action)
        for card in played:
            if hand[card]:
                hand[card] -= 1
            elif unknown:
                unknown -= 1
            else:
                return False
    return True


def may_all_be_laid(
    position: Position, actions: Iterable[Action], written: Collection[Action]
) -> bool:
    """Whether what a turn lays may be a meld, or fit where it is laid; what was `written` may."""
    laid = [action for action in actions if isinstance(action, LAID) and action not in written]
    return all(_may_be_laid(position, action) for action in laid)


def _may_be_laid(position: Position, action: Meld | LayOff) -> bool:
    if isinstance(action, Meld):
        return position.book.is_meld(action.cards)
    number = action.target
    melds = position.melds[number - 1 : number] if number else ()
    return all(_may_lie(meld, action) for meld in melds)


def _may_be_swapped(position: Position, swap: Swap) -> bool:
    """Whether a wild card of a meld stands for a card, if the meld is named and there."""
    melds = position.melds[swap.target - 1 : swap.target] if swap.target else ()
    cards = {swap.card, ANY_SUIT + swap.card % 13}
    roles = [{laid.role for laid in meld.cards if laid.role != laid.card} for meld in melds]
    return not any(cards.isdisjoint(row) for row in roles)


def _may_lie(meld: TableMeld, action: LayOff) -> bool:
    """Whether cards may fit a meld, as themselves or in their roles."""
    cards = [laid.card if laid.role is None else laid.role for laid in action.cards]
    return all(card >= JOKER or _may_fit(meld, card) for card in cards)


def _may_fit(meld: TableMeld, card: int) -> bool:
    """Whether a card has the rank of a group, or the suit of a sequence, by its natural cards."""
    own = [laid.card for laid in meld.cards if laid.card < JOKER and laid.role in {None, laid.card}]
    ranks, suits = {card % 13 for card in own}, {card // 13 for card in own}
    if not own or (len(ranks) > 1 and len(suits) > 1):
        return True
    return ranks == {card % 13} or suits == {card // 13}
