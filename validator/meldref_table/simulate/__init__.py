"""Plays games of any ruleset out, by players of chance or greed, from a seed.

Hands and games yield decisions, which players or `Game` answer; `players` has what a seat sees
and decides; `quick_moves` lists what is legal at each decision.
"""

from __future__ import annotations

from meldref_table.simulate.games import (
    KINDS,
    Seats,
    SimulatedHand,
    cannot_play,
    play_games,
    play_hands,
)
from meldref_table.simulate.players import Bot, Observation, WrongChoice
from meldref_table.simulate.playing import Game, LogSource, log_events, log_lines, written_choice

__all__ = [
    "KINDS",
    "Bot",
    "Game",
    "LogSource",
    "Observation",
    "Seats",
    "SimulatedHand",
    "WrongChoice",
    "cannot_play",
    "log_events",
    "log_lines",
    "play_games",
    "play_hands",
    "written_choice",
]
