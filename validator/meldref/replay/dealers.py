"""Who deals the hands of a game: by the draw for deal, the lines of hands, and the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from meldref.core.events import HandStart
from meldref.core.records import changed, record
from meldref.core.text import in_words
from meldref.replay.hand import HandPlay
from meldref.replay.hand_number import HandNumber
from meldref.rules.base import Violation
from meldref.rules.setup import cut_dealer, first_seat, next_dealer
from meldref.ruleset.model import Ruleset


@record
class Dealers:
    """Who may deal, by seat; nobody: that is not known.

    `now` are those who may have dealt the hand under way: by its line, by the rules, or by a
    mistake before. `due` are those who deal by the rules: the first hand, by the headers or the
    draw for deal, then the one under way.
    """

    now: tuple[int, ...] = ()
    due: tuple[int, ...] = ()

    def after_draw(
        self, ruleset: Ruleset, drawn: Mapping[int, int], named: Sequence[int]
    ) -> tuple[Dealers, tuple[int, ...]]:
        """After cards are drawn for the deal, by seat: the dealers, and those due by the draw.

        Whoever is `named` by the headers may deal as well. Who tied in a draw before draws again.
        """
        tied = self.due if len(self.due) > 1 else ()
        drawn_again = {seat: card for seat, card in drawn.items() if seat in tied}
        due_by_draw = tuple(cut_dealer(ruleset, drawn_again or drawn))
        may_deal = tuple(dict.fromkeys((*due_by_draw, *named)))
        return changed(self, due=may_deal), due_by_draw

    def by_rules(self, hand: HandPlay, best: Sequence[int] | None) -> tuple[tuple[int, ...], bool]:
        """Who may deal the hand that comes next, and whether that is known after every dealer.

        `best` are those with the best score of the hand before, where that decides.
        """
        due: dict[int, None] = {}
        is_known = True
        for dealer in self.now:
            next_seats = next_dealer(hand.judge.binding, dealer, best, hand.active)
            due |= dict.fromkeys(next_seats)
            is_known = is_known and bool(next_seats)
        return tuple(due), is_known

    def begin(self, seat: int | None, due: Sequence[int]) -> Dealers:
        """A hand begins: its dealer by its line (None: it has none) and those `due`.

        After a mistake, either may deal.
        """
        named = () if seat is None else (seat,)
        return Dealers(tuple(dict.fromkeys((*named, *due))), self.due)

    def judge_dealer(
        self, hand: HandPlay, seat: int, due: Sequence[int], number: HandNumber
    ) -> Violation | None:
        """What is wrong if a player deals a hand (P-DEAL-07, W-DEAL-01)."""
        if not due or seat in due:
            return None
        playing = [other for other in due if other in hand.active] or due
        names = in_words([hand.players[other] for other in playing], "or")
        again = " again" if seat in self.now else ""
        message = f"{hand.players[seat]} deals{again}, but {names} should deal"
        key = "deal.first_dealer" if number.is_first else "deal.next_dealer"
        return Violation("setup.dealer", message, key=key)

    def after(self, hand: HandPlay) -> Dealers:
        """The dealers by a hand that is over: who began it shows who dealt.

        Where the name on its line says otherwise, either is right. After a mistake the log may go
        on with either; it does with the named one who is due, unless another began.
        """
        binding = hand.judge.binding
        if len(self.now) == 1 and first_seat(binding, self.now[0], hand.active) == hand.first:
            return self
        seats = () if hand.first is None else range(len(hand.players))
        shown = [seat for seat in seats if first_seat(binding, seat, hand.active) == hand.first]
        if shown and not {*shown} & {*self.now}:
            return changed(self, now=(*self.now, *shown))
        event = hand.line.event
        is_named = isinstance(event, HandStart) and bool(event.dealer)
        if not (self.now and is_named):
            return self
        named = self.now[0]
        if named in self.due and (not shown or named in shown):
            return changed(self, now=(named,))
        return self
