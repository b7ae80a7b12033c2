"""Simulated games for tests: rulesets, hands as logs, and what an audit says of them."""

from __future__ import annotations

from meldref.notation.reader import read_lines
from meldref.rulefiles.load import load_ruleset
from meldref_evidence.audit import replay
from meldref_table.simulate import LogSource, Seats, log_lines, play_games, play_hands


def ruleset(name="500-rummy", options=(), settings=()):
    """A ruleset that has to be there."""
    found, findings = load_ruleset(name, options, settings)
    assert found is not None, findings
    return found


def hands_of(rules, kinds, seed, hands=None, games=None):
    """Hands that were played, and where they sat."""
    seats = Seats.of(kinds)
    if games is not None:
        return list(play_games(rules, seats, seed, games)), seats
    return list(play_hands(rules, seats, seed, hands)), seats


def log_of(name, options, settings, kinds, seed=1, **much):
    """A log of simulated hands, and the hands."""
    hands, seats = hands_of(ruleset(name, options, settings), kinds, seed, **much)
    return "".join(
        log_lines(hands, LogSource(name, tuple(options), tuple(settings), seed), seats)
    ), hands


def findings(text):
    """What an audit finds in a log, warnings apart, and what it leaves open."""
    report = replay(read_lines(text.splitlines()))
    return [one for one in report.findings if one.severity.value == "error"], report.open
