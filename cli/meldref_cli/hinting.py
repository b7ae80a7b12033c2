"""When an audit suggests to look for the rules that logs were played by."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from shlex import quote
from typing import TYPE_CHECKING, Final

from meldref.core.diagnostics import errors_in
from meldref.core.text import many
from meldref.replay.result import LogReport
from meldref_cli.ruleset_args import RulesetRequest

if TYPE_CHECKING:
    from meldref_archive.sources import Log
    from meldref_evidence.inferring.remedy import Audited, Remedy

_OFTEN: Final = 10
"""Findings of one kind call for other rules if there are at least this many of them,"""
_SHARE: Final = 2 / 3
"""if they are at least this share of all findings,"""
_HANDS: Final = 3
"""and if they occur in at least this many hands."""
_IN_A_HAND: Final = 5
"""So many findings in a hand, on average, call for other rules, whatever they are of."""
_USUAL: Final = 2 / 3
"""What nothing explains in at least this share of all hands is how they are played."""
_NAMED: Final = 3
"""The most logs that the command names."""
_AGAIN: Final = 100
"""The most logs that are audited again."""
_NO_RULES: Final = "the log names no ruleset"


class RulesHint:
    """Notes what an audit finds that other rules may explain."""

    def __init__(self) -> None:
        self._codes: Counter[str] = Counter()
        self._hands: Counter[str] = Counter()
        self._unexplained: Counter[str] = Counter()
        self._errors = self._wrong_hands = self._all_hands = 0
        self._logs: defaultdict[str, set[str]] = defaultdict(set)
        self._without_rules = 0

    def add(self, report: LogReport) -> None:
        """Notes what was found in a log."""
        errors = errors_in(report.findings)
        self._without_rules += any(error.message.startswith(_NO_RULES) for error in errors)
        self._codes.update(error.code for error in errors if error.rule is not None)
        hands = {(error.code, error.game, error.hand) for error in errors}
        self._hands.update(code for code, _, _ in hands)
        bare = {(error.code, error.game, error.hand) for error in errors if error.repair is None}
        self._unexplained.update(code for code, _, hand in bare if hand)
        self._all_hands += report.hands
        self._errors += len(errors)
        self._wrong_hands += len({(error.game, error.hand) for error in errors if error.hand})
        for code in {error.code for error in errors}:
            if len(self._logs[code]) < _AGAIN:
                self._logs[code].add(report.path)

    def text(self, logs: Sequence[Log], request: RulesetRequest, *, trust_paths: bool) -> str:
        """The sentence on these logs, audited by these rules; nothing if the rules seem right."""
        shown = " ".join(quote(log.name) for log in logs) if len(logs) <= _NAMED else "LOG..."
        infer = f"`meldref rules infer {shown}`"
        command = f"{infer} finds the rules that fit"
        if self._without_rules:
            names = "names" if self._without_rules == 1 else "name"
            return f"{many(self._without_rules, 'log')} {names} no rules: {command}"
        code, often = max(self._codes.items(), key=lambda item: item[1], default=("", 0))
        in_all = self._codes.total()
        if often < _OFTEN or often < _SHARE * in_all or self._hands[code] < _HANDS:
            return self._of_all_hands(infer)
        concerned = [log for log in logs if log.name in self._logs[code]]
        remedy = _remedy(concerned, request, code, trust_paths=trust_paths)
        if remedy is None and (usual := self._usual(infer)):
            return usual
        if remedy is None:
            where = many(self._hands[code], "hand")
            most = f"{often} of {in_all} findings are {code}, in {where}"
            return f"{most}: if the table allows it, {command}"
        first = "" if remedy.findings >= in_all else "the first "
        gone = f"{remedy.gone} of {first}{remedy.findings} findings disappear"
        return f'{gone} by the rule "{remedy.words}": {command}'

    def _of_all_hands(self, infer: str) -> str:
        """The sentence where no kind of finding stands out by how often there is one."""
        usual, hands, findings = self._usual(infer), self._wrong_hands, self._errors
        if usual or hands < _HANDS or findings < _IN_A_HAND * hands:
            return usual
        found = f"{findings} findings in {hands} hands"
        return f"{found}: if it was another game, {infer} finds the rules that fit"

    def _usual(self, infer: str) -> str:
        """The sentence on what is found in hand after hand, where no slip in writing explains it."""
        code, hands = max(self._unexplained.items(), key=lambda item: item[1], default=("", 0))
        if hands < _HANDS or hands < _USUAL * self._all_hands:
            return ""
        where = f"`{code}` in {hands} of {self._all_hands} hands"
        told = f"{where}, and nothing written wrongly explains it"
        return f"{told}: perhaps other rules are played ({infer})"


def _remedy(
    logs: Sequence[Log], request: RulesetRequest, code: str, *, trust_paths: bool
) -> Remedy | None:
    """The change of rules that makes most of the findings disappear."""
    from meldref_evidence.inferring.remedy import remedy

    try:
        return remedy([*_read(logs, request, trust_paths=trust_paths)], code)
    except OSError:  # a pipe, or a file that has gone since
        return None


def _read(logs: Sequence[Log], request: RulesetRequest, *, trust_paths: bool) -> Iterator[Audited]:
    """The logs that can be read again, as far as there is work for."""
    from meldref.replay.log import Overrides
    from meldref_evidence.inferring.reading import lines_of
    from meldref_evidence.inferring.remedy import MOST_LINES, Audited

    room = MOST_LINES
    for log in logs:
        lines = tuple(lines_of(log)) if log.size <= 100 * room else ()
        room -= len(lines)
        if not lines or room < 0:
            return
        yield Audited(lines, Overrides(*request, log.beside, trust_paths))
