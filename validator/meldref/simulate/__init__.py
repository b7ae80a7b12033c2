"""Plays games of any ruleset out, by players of chance or greed, from a seed."""

from __future__ import annotations

from meldref.simulate.games import KINDS, Played, Seats, cannot_play, play_games, play_hands
from meldref.simulate.record import Source, log_events, log_lines

__all__ = [
    "KINDS",
    "Played",
    "Seats",
    "Source",
    "cannot_play",
    "log_events",
    "log_lines",
    "play_games",
    "play_hands",
]
