"""A plain second model of the rules: the oracle of the test suite. It shares no code with the library.

Cards are two-character strings, hands are lists, and every rule is written out where it applies.
"""

from model.melds import Meld, Reading, places, read_meld
from model.scoring import Game, hand_score, table_points
from model.settings import Illegal, Settings, Unsupported, named
from model.table import Table, Turn
from model.turns import play_line, play_turn

__all__ = [
    "Game",
    "Illegal",
    "Meld",
    "Reading",
    "Settings",
    "Table",
    "Turn",
    "Unsupported",
    "hand_score",
    "named",
    "places",
    "play_line",
    "play_turn",
    "read_meld",
    "table_points",
]
