"""The draws of a player whose turn begins, after each of which the turn can be ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from meldref.core.cards import JOKER, UNKNOWN, Card, bits_of, counted
from meldref.core.events import Action, Draw, Pass, Take
from meldref.engine.judge import Judge
from meldref.moves.exhaustive import after, between_draws
from meldref.position.model import Position
from meldref.position.turn import FROM_PILE, Source
from meldref.rules.base import Violation
from meldref.rules.draw import duties
from meldref.rules.stock import reshuffles, top_goes_first
from meldref_table.best.every_way import exchangeable
from meldref_table.simulate.quick_moves.ends import Ends
from meldref_table.simulate.quick_moves.hands import HandMelds
from meldref_table.simulate.quick_moves.kept_rules import rules_asked, rules_kept

DRAW: Final = Draw(UNKNOWN)
PASS: Final = Pass()
_State: TypeAlias = tuple[bool, bool, bool, Source]
"""What the rules on draws depend on: the opening, a floater, a purchase, and a first draw."""
TAKES: Final = tuple(Take(card) for card in range(JOKER + 1))


class Draws:
    """The draws of one hand; `position` is the one that is played on, `hands` are the players'."""

    def __init__(
        self, judge: Judge, position: Position, ends: Ends, hands: Sequence[HandMelds]
    ) -> None:
        draw = judge.ruleset.draw
        self.judge = judge
        self.position = position
        self.ends = ends
        self._hands = hands
        self._allowed: dict[_State, tuple[bool, bool]] = {}
        self._wild_bits = ends.wild_bits
        self._owed_top, self._owed_deep = (
            0 if duty.must == "nothing" else -1 for duty in duties(judge.ruleset)
        )
        """Which cards, as bits, have to be used when they are taken: none or all."""
        self._all_above = draw.takes == "all_above"
        self._whole_pile = draw.takes == "whole_pile"
        self._any_depth = draw.depth == "any"
        self._top_goes_first = top_goes_first(judge.ruleset.stock)
        self._due = reshuffles(judge.binding)
        self._sure = -1
        """The cards of the hand, as bits, that may surely be discarded after a take; -1: not asked
        yet."""
        self._asked = {kind: rules_asked(judge, kind, wild=False) for kind in (Draw, Take)}
        self._alike = {kind: rules_kept(judge, kind) for kind in (Draw, Take)}

    def all(self) -> list[Action]:
        """The draws the player may make, after each of which the turn can be ended."""
        position = self.position
        pile = position.pile
        turn = position.turn
        state = turn.opening, turn.floater, position.bought is not None, turn.first
        may = self._allowed.get(state) or self._may_draw(state)
        self._sure = -1
        draws: list[Action] = []
        # Whoever draws from an empty stock turns the pile over first.
        if position.stock_size > 0 or (self._top_goes_first and self._due(position)):
            if may[0] and self._allowed_by_all(DRAW):
                draws.append(DRAW)
        elif self.judge.violation(position, PASS) is None:
            draws.append(PASS)
        if pile and may[1]:
            cards = pile[::-1] if self._any_depth else pile[-1:]
            if self._whole_pile:
                takes = [TAKES[card] for card in dict.fromkeys(cards)]
                draws += [
                    take for take in takes if self._allowed_by_all(take) and self._ends_after(take)
                ]
            else:
                self._add_takes(draws, cards)
        return draws

    def _may_draw(self, state: _State) -> tuple[bool, bool]:
        """Whether the rules allow a draw from the stock, and one from the pile, if there are cards.

        They say the same in all turns of one `state`, so they are asked once for each, with a card
        in both.
        """
        trial = self.position.copy()
        trial.stock_size, trial.stock, trial.pile = 1, [], [0]
        may = (
            all(type(check(trial, DRAW)) is not Violation for check in self._alike[Draw]),
            all(type(check(trial, TAKES[0])) is not Violation for check in self._alike[Take]),
        )
        self._allowed[state] = may
        return may

    def _add_takes(self, draws: list[Action], cards: list[Card]) -> None:
        """Those of some cards of the pile that may be taken, the top one first.

        What the rules say of the draw itself they say of the top card, and alike of those below it.
        Bounds suffice to leave out a card that must be used and can neither be melded nor be laid
        off.
        """
        position, ends = self.position, self.ends
        seat = position.turn.seat
        hand = self._hands[seat].look(position.hands[seat])
        own, wilds = hand.mask, hand.wilds
        all_above, wild_bits = self._all_above, self._wild_bits
        looked = mask = 0
        if self._top_is_free(cards[0], own):
            if self._allowed_by_all(TAKES[cards[0]]):
                draws.append(TAKES[cards[0]])
            looked, mask = 1, 1 << cards[0]
            if len(cards) == 1:
                return
            if all_above and wild_bits & mask:
                wilds += 1
        table = ends.table.look(position)
        accepts = table.accepts if ends.lay_off_uses else 0
        usable = wild_bits | accepts
        if ends.swaps:
            exchanged = exchangeable(position)
            usable |= exchanged
            wilds += (exchanged & (own | bits_of(cards))).bit_count()
        top, deep = ~usable & self._owed_top, ~usable & self._owed_deep
        near, by_naturals = ends.naturals.near, ends.naturals.known
        mask |= own
        for place in range(looked, len(cards)):
            card = cards[place]
            bit = 1 << card
            mask = mask | bit if all_above else own | bit
            owed = (deep if place else top) & bit
            if owed:
                key = mask & near[card]
                may = by_naturals[card].get(key | wilds << JOKER + 1 if wilds else key)
                if may is None:
                    may = ends.naturals.may_meld(card, mask, wilds)
                if not may and not (
                    accepts and (wilds or accepts & mask) and table.may_take(bit, mask, wilds)
                ):
                    continue
            action = self._take_of(cards, place)
            if (
                action is not None
                and not (owed and not table.accepts & bit and self._hopeless(cards[: place + 1]))
                and self._allowed_by_all(action)
                and (self._surely(cards[: place + 1], mask) or self._ends_after(action))
            ):
                draws.append(action)
            if all_above and wild_bits & bit:
                wilds += 1

    def _top_is_free(self, top: Card, own: int) -> bool:
        """Whether the top card leaves no duty, and a turn that takes it surely has an end."""
        return bool(
            not self._owed_top
            and own & ~(1 << top)
            and not self.position.turn.floater
            and not self.ends.throws.banned
        )

    def _allowed_by_all(self, action: Draw | Take) -> bool:
        """Whether the rules that the list does not keep by itself find nothing against a draw."""
        checks = self._asked[type(action)]
        return not checks or not any(
            type(check(self.position, action)) is Violation for check in checks
        )

    def _take_of(self, cards: list[Card], place: int) -> Take | None:
        """The taking of a card as it is named, by its place from the top.

        None if another one comes first.
        """
        card = cards[place]
        if card not in cards[:place]:
            return TAKES[card]
        return Take(card, place + 1) if self._all_above else None

    def _surely(self, cards: list[Card], mask: int) -> bool:
        """Whether a turn that begins with taking the last of some cards surely has an end.

        True is certain. `cards` are those down to it, the top one first; `mask` are all that may be
        laid, as bits.
        """
        position = self.position
        seat = position.turn.seat
        if self._sure < 0:
            self._sure = self.ends.sure(
                position, self._hands[seat].mask, bits_of(position.pile), drawn=False
            )
        sure = self._sure & ~bits_of(cards)
        if not sure or position.turn.floater:
            return False
        if not (self._owed_deep if len(cards) > 1 else self._owed_top):
            return self.ends.throws.surely(position.held[seat])
        card = cards[-1]
        if not self._all_above:
            cards = [card]
        held = position.held[seat] + len(cards)
        return self.ends.surely_uses(card, position.hands[seat] + counted(cards), mask, sure, held)

    def _hopeless(self, cards: list[Card]) -> bool:
        """Whether a house rule surely forbids any end of a turn that melds the last card."""
        taken = counted(cards if self._all_above else cards[-1:])
        return self.ends.hopeless(self.position, taken, laying=True)

    def _ends_after(self, action: Take) -> bool:
        """Whether a turn that begins with this draw can be ended, whatever a second one brings."""
        done = after(self.judge, self.position, action)
        if between_draws(done):
            done.turn.source = FROM_PILE
        return self.ends.can_end(done) is not False
