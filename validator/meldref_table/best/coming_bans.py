"""What the bans of house rules say of discards and ends of turns that are still to come."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

from meldref.conditions.bind import facts_of
from meldref.conditions.view import SeenMeld
from meldref.core.effort import EFFORT
from meldref.core.events import Discard, Meld
from meldref.engine.judge import Judge
from meldref.position.model import Position
from meldref.rules.base import Check
from meldref.rules.forbidding import OF_CARDS
from meldref.rules.house import House
from meldref_table.best.later import Later

ENOUGH: Final = 6
"""Where this many cards may be thrown, no more are looked for."""


class ComingBans:
    """The bans of one house, asked of what may be thrown, and of how a turn may end, later on."""

    def __init__(self, house: House) -> None:
        self._house, self._bans, self._later = house, house.bans, Later(house.tools)
        self._thrown = house.bans.asked(Discard, house.bans.rules)
        self._alike = {
            ban.rule.name for ban in house.bans.rules if facts_of(ban.term).isdisjoint(OF_CARDS)
        }
        """Bans that say the same of all discards, which move a card from the hand to the pile."""
        self._of_ends = [ban for ban in house.bans.of_ends if ban.rule.name in self._alike]

    def of_discards(self) -> tuple[Check[Any] | None, Check[Any] | None]:
        """What the bans on discards say that say the same of all cards, and the others."""
        alike, apart = (
            [ban for ban in self._bans.rules if (ban.rule.name in self._alike) is same]
            for same in (True, False)
        )
        return self._bans.on(Discard, alike), self._bans.on(Discard, apart)

    def never_forbidden(
        self, position: Position, cards: int, fitting: Callable[[], int], *, drawn: bool
    ) -> int:
        """Of some cards, a bit for each, enough that may be discarded whatever is laid before.

        `fitting` says which cards may come to fit a meld; `drawn`: the draw is over, else the pile
        is taken.
        """
        if EFFORT.house.over:
            return cards
        later = self._later
        later.look_later(position, fitting, drawn=drawn)
        free, never = 0, dict[str, bool]()
        left = ENOUGH
        while cards and left:
            bit = cards & -cards
            cards -= bit
            later.card = bit.bit_length() - 1
            for ban, at_end in self._thrown:
                name = ban.rule.name
                harmless = never.get(name)
                if harmless is None:
                    later.thrown = later.card if at_end else None
                    harmless = ban.ask(later) is False
                    if name in self._alike:
                        if not harmless:
                            return 0
                        never[name] = harmless
                if not harmless:
                    break
            else:
                free |= bit
                left -= 1
        return free

    def never_ends(
        self, position: Position, melds: Sequence[Meld], most: int, *, laying: bool, drawn: bool
    ) -> bool:
        """Whether some ban surely forbids every end of the turn, whichever of these melds are laid.

        They and all lay-offs bring as many points at `most`; `laying`: one of them is laid;
        `drawn`: the draw is over, else the pile is taken.
        """
        seat, later = position.turn.seat, self._later
        later.look_later(position, lambda: -1, drawn=drawn)
        later.laying, later.most = laying, most
        laid = [self._house.as_read(position.book, seat, meld) for meld in melds]
        later.possible = [
            SeenMeld(meld.cards, meld.shape, seat, is_new=True, unseen=True) for meld in laid
        ]
        return any(ban.ask(later) is True for ban in self._bans.of_all_ends)

    def never_ends_keeping(self, position: Position, *, laying: bool, drawn: bool) -> bool:
        """Whether some ban surely forbids every end of the turn with which a card is kept.

        `laying` and `drawn` as in `never_ends`.
        """
        later = self._later
        later.look_later(position, lambda: -1, drawn=drawn)
        later.laying, later.keeping = laying, True
        return any(ban.ask(later) is True for ban in self._of_ends)


@lru_cache(maxsize=16)
def coming_bans(judge: Judge) -> ComingBans:
    """The bans of a judge's house rules.

    Raises:
        ValueError: the judge has no house rules.
    """
    if judge.house is None:
        raise ValueError("no house rules")
    return ComingBans(judge.house)
