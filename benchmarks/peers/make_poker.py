"""Write random hands of poker by PokerKit, in its notation: `make_poker.py OUT HANDS SEED`."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path

from pokerkit import Automation, FixedLimitTexasHoldem, HandHistory

BY_ITSELF = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def main(out: Path, hands: int, seed: str) -> None:
    """Hands of four players who do anything that is legal, a file each."""
    random.seed(seed)  # PokerKit shuffles with the module's own generator
    game = FixedLimitTexasHoldem(BY_ITSELF, True, 0, (1, 2), 2, 4)
    for number in range(hands):
        state = game((200,) * 4, 4)
        while state.status:
            if state.can_deal_hole():
                state.deal_hole()
            elif state.can_burn_card():
                state.burn_card("??")
            elif state.can_deal_board():
                state.deal_board()
            else:
                ways: list[Callable[[], object]] = [state.check_or_call]
                if state.can_complete_bet_or_raise_to():
                    ways.append(state.complete_bet_or_raise_to)
                if state.can_fold():
                    ways.append(state.fold)
                random.choice(ways)()
        text = HandHistory.from_game_state(game, state).dumps()
        (out / f"{number:05}.phh").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
