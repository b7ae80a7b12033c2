"""Weighing: what the whole record of a hand says of cards that nobody saw."""
