"""Random play of gin rummy by RLCard: `rlcard_play.py HANDS`; reports decisions and the time they took."""

from __future__ import annotations

import gc
import json
import sys
import time

import rlcard
from rlcard.agents import RandomAgent
from rlcard.utils import set_seed


def main(hands: int) -> None:
    """Plays a number of hands."""
    set_seed(4)  # the players' own dice
    env = rlcard.make("gin-rummy", config={"seed": 4})
    env.set_agents([RandomAgent(env.num_actions) for _ in range(env.num_players)])
    env.run()
    wall, cpu = time.perf_counter(), time.process_time()
    before = env.timestep  # which goes on from hand to hand
    for _ in range(hands):
        env.run()
    units = env.timestep - before
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(json.dumps({"units": units, "wall": wall, "cpu": cpu}))


if __name__ == "__main__":
    gc.set_threshold(50_000, 20, 50)  # as in the program that this is held against
    main(int(sys.argv[1]))
