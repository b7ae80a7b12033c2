"""Logs played again: a log, its games, hands and turns, and what comes of them."""
