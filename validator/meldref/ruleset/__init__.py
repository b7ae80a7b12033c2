"""Rulesets: what a game, an option or a house rule says, as one frozen model.

`model`: a ruleset, frozen; `changes`: how one ruleset differs from another, in a hand or by a
setting.
"""

from meldref.ruleset.model import Ruleset

__all__ = ["Ruleset"]
