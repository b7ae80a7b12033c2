"""Rulesets: what a game, an option or a house rule says, as one frozen model."""

from meldref.ruleset.model import Ruleset

__all__ = ["Ruleset"]
