"""Looks for the shortest game that is legal by one ruleset and not by another."""
