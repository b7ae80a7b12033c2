"""Rulesets: games, options and house rules as data."""

from __future__ import annotations

from meldref.ruleset.files import Shipped, list_rulesets
from meldref.ruleset.load import Setting, Settings, load_ruleset
from meldref.ruleset.model import Ruleset

__all__ = ["Ruleset", "Setting", "Settings", "Shipped", "list_rulesets", "load_ruleset"]
