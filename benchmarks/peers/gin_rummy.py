"""Gin rummy by OpenSpiel from Python: `gin_rummy.py random|replay HANDS`.

`random` plays at random among the legal actions, and counts the decisions of players; `replay`
applies again what was played so. The cards that chance deals are applied in both, and count in
neither.
"""

from __future__ import annotations

import gc
import json
import random
import sys
import time
from typing import Any

import pyspiel

WARMING = 20


def play(game: Any, rng: random.Random) -> tuple[list[int], int]:
    """A game; its actions, and how many of them players made."""
    state = game.new_initial_state()
    actions: list[int] = []
    players = 0
    while not state.is_terminal():
        players += not state.is_chance_node()
        action = rng.choice(state.legal_actions())
        state.apply_action(action)
        actions.append(action)
    return actions, players


def replay(game: Any, actions: list[int]) -> None:
    """Plays the same game again."""
    state = game.new_initial_state()
    for action in actions:
        state.apply_action(action)
    if not state.is_terminal():
        raise ValueError("the game did not end")


def main(way: str, hands: int) -> None:
    """Plays a number of games."""
    game = pyspiel.load_game("gin_rummy")
    rng = random.Random(4)
    for _ in range(WARMING):
        play(game, rng)
    played = [] if way == "random" else [play(game, rng) for _ in range(hands)]
    wall, cpu = time.perf_counter(), time.process_time()
    if way == "random":
        units = sum(play(game, rng)[1] for _ in range(hands))
    else:
        for actions, _ in played:
            replay(game, actions)
        units = sum(players for _, players in played)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(json.dumps({"units": units, "wall": wall, "cpu": cpu}))


if __name__ == "__main__":
    gc.set_threshold(50_000, 20, 50)  # as in the program that this is held against
    main(sys.argv[1], int(sys.argv[2]))
