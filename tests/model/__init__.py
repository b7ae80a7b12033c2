"""A second, plain model of the rules, and random games by it. See `rules_model` and `randomgame`."""

from model.logcheck import check_log
from model.randomgame import random_game
from model.settings import Illegal, Settings, Unsupported, named

__all__ = ["Illegal", "Settings", "Unsupported", "check_log", "named", "random_game"]
