"""When an audit suggests to look for the rules that logs were played by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from shlex import quote
from typing import Final

from meldref.core.diagnostics import errors_in
from meldref.core.text import many
from meldref.replay.result import LogReport

_OFTEN: Final = 10
"""So many findings of one kind come back again and again,"""
_SHARE: Final = 2 / 3
"""where they are this share of all findings,"""
_HANDS: Final = 3
"""in so many hands."""
_NAMED: Final = 3
"""The most logs that the command names."""
_NO_RULES: Final = "the log names no ruleset"


class RulesHint:
    """Notes what an audit finds that other rules may explain."""

    def __init__(self) -> None:
        self._codes: Counter[str] = Counter()
        self._hands: Counter[str] = Counter()
        self._without_rules = 0

    def add(self, report: LogReport) -> None:
        """Notes what was found in a log."""
        errors = errors_in(report.findings)
        self._without_rules += any(error.message.startswith(_NO_RULES) for error in errors)
        self._codes.update(error.code for error in errors if error.rule is not None)
        hands = {(error.code, error.game, error.hand) for error in errors}
        self._hands.update(code for code, _, _ in hands)

    def text(self, names: Sequence[str]) -> str:
        """The sentence for the logs of these names; nothing where the rules seem to be the right ones."""
        shown = " ".join(map(quote, names)) if len(names) <= _NAMED else "LOG..."
        command = f"`meldref rules infer {shown}` finds the rules that fit"
        if self._without_rules:
            no_rules = (
                "1 log names" if self._without_rules == 1 else f"{self._without_rules} logs name"
            )
            return f"{no_rules} no rules: {command}"
        code, times = max(self._codes.items(), key=lambda item: item[1], default=("", 0))
        in_all = self._codes.total()
        if times < _OFTEN or times < _SHARE * in_all or self._hands[code] < _HANDS:
            return ""
        where = many(self._hands[code], "hand")
        return f"{times} of {in_all} findings are {code}, in {where}: if the table allows it, {command}"
