"""Looks for the shortest game that is legal by one ruleset and not by another."""

from __future__ import annotations

from meldref.authoring.example.search import UNSEEN, Effort, ExampleGame, find_example

__all__ = ["UNSEEN", "Effort", "ExampleGame", "find_example"]
