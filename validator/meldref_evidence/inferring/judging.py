"""What a ruleset finds in logs, each kind counted once a hand, and what that costs in bits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from meldref.core.diagnostics import Finding, errors_in
from meldref.core.records import record
from meldref.rulefiles.shelf import OneRuleset
from meldref.rules.pages import PAGES
from meldref.ruleset.model import Ruleset
from meldref_authoring.otherwise import replayed
from meldref_evidence.explaining import WEIGHING
from meldref_evidence.inferring.budget import Budget
from meldref_evidence.inferring.corpus import PlayedLog
from meldref_evidence.inferring.draft import Draft
from meldref_evidence.inferring.measure import AT_ALL, bits_of_mistakes

UNJUDGED: Final = "unjudged"
"""Stands for turns that rules cannot judge, such as those at a table that is too large for them."""
_ALSO: Final[Mapping[str, tuple[str, ...]]] = {
    "turn.over": ("out.melding_all", "out.last_discard", "out.last_turns"),
    "end.early": ("deck.jokers", "deck.packs"),
    "draw.stock": ("deck.jokers", "deck.packs"),
    "hand.missing": ("calls.penalty", "buys.extra"),
    "swap.fit": ("melds.wild.swapped",),
}
"""Keys behind codes besides those on their pages.

Hands that continue, sizes of the stock, and cards that move without a line.
"""


@record
class Verdict:
    """What rules find in a log: the first finding of each kind in each hand.

    `counts` is the number of hands with each kind of finding, `lines` the number of lines.
    """

    findings: tuple[Finding, ...]
    counts: Mapping[str, int]
    lines: Mapping[str, int]


NOTHING: Final = Verdict((), {}, {})


def judge_log(ruleset: Ruleset, log: PlayedLog) -> Verdict:
    """What a ruleset finds in a log.

    A mistake can lead to others in the same hand, so each kind of finding counts once in a hand.
    If a wild rank must be named and nobody names any, next to nothing can be decided, so that its
    turns are not judged.
    """
    run = replayed(log.lines, OneRuleset(ruleset), suggestions=0, explainer=WEIGHING)
    report = run.finish()
    first: dict[tuple[int, int, str], Finding] = {}
    errors = errors_in(report.findings)
    for finding in errors:
        first.setdefault((finding.game, finding.hand, finding.code), finding)
    counts = Counter(finding.code for finding in first.values())
    nameless = "named" in ruleset.melds.wild.cards and not log.names_wild_ranks
    judged = 0 if nameless else report.turns
    if judged < log.turns:
        counts[UNJUDGED] = log.turns - judged

    lines_with = {(error.code, error.span.line) for error in errors}
    lines = Counter(code for code, _ in lines_with)
    return Verdict(tuple(first.values()), counts, lines)


def cost_of(counts: Mapping[str, int], turns: int) -> float:
    """The bits of what rules find in a number of turns."""
    mistakes = sum(bits_of_mistakes(count, turns, code) for code, count in counts.items())
    return mistakes + (AT_ALL if any(counts.values()) else 0.0)


def total(verdicts: Iterable[Verdict]) -> Counter[str]:
    """The number of findings of each kind in several logs."""
    counts: Counter[str] = Counter()
    for verdict in verdicts:
        counts.update(verdict.counts)
    return counts


def keys_of(finding: Finding) -> tuple[str, ...]:
    """The keys that a finding depends on: its own, those of a score, those of its code's page."""
    page = PAGES.get(finding.code)
    named = [] if finding.rule is None else [finding.rule.key]
    named += [origin.key for origin in finding.rules]
    named += [*(page.keys if page else ()), *_ALSO.get(finding.code, ())]
    return tuple(dict.fromkeys(named))


class Bench:
    """Drafts put to logs; what each finds in each log is kept.

    `turns` is the number of turns in all logs, by which findings are weighed.
    """

    def __init__(self, logs: Sequence[PlayedLog], budget: Budget | None = None) -> None:
        self.logs = logs
        self.turns = sum(log.turns for log in logs)
        self.budget = Budget() if budget is None else budget
        self._efforts = [log.effort for log in logs]
        self._verdicts: dict[tuple[Draft, int], Verdict] = {}

    def may_judge(self, draft: Draft) -> bool:
        """Whether a draft may be put to the logs: work is left, or it was put to all of them."""
        numbers = range(len(self.logs))
        if not self.budget.over or all((draft, number) in self._verdicts for number in numbers):
            return True
        self.budget.left_out.add(draft)
        return False

    def verdict(self, draft: Draft, number: int) -> Verdict:
        """What a draft finds in the log of that number; nothing if the draft makes no ruleset."""
        verdict = self._verdicts.get((draft, number))
        if verdict is None:
            ruleset = draft.ruleset
            verdict = NOTHING if ruleset is None else judge_log(ruleset, self.logs[number])
            self._verdicts[draft, number] = verdict
            self.budget.spend(self._efforts[number], sum(verdict.lines.values()))
        return verdict

    def counts(self, draft: Draft, numbers: Iterable[int]) -> Counter[str]:
        """What a draft finds in some logs."""
        return total(self.verdict(draft, number) for number in numbers)

    def lines(self, draft: Draft, code: str) -> int:
        """On how many lines a draft finds something of a kind."""
        return sum(
            self.verdict(draft, number).lines.get(code, 0) for number in range(len(self.logs))
        )

    def cost(self, draft: Draft, most: float = float("inf")) -> float:
        """The bits of a draft and of what it finds in all logs; above `most`, only those so far.

        They are infinite if it makes no ruleset, or may not be judged any more.
        """
        if draft.ruleset is None or not self.may_judge(draft):
            return float("inf")
        return self.bits(draft, most)

    def bits(self, draft: Draft, most: float = float("inf")) -> float:
        """The same, whatever work is left."""
        counts: Counter[str] = Counter()
        bits = draft.bits
        for number in range(len(self.logs)):
            counts.update(self.verdict(draft, number).counts)
            bits = draft.bits + cost_of(counts, self.turns)
            if bits > most:
                break
        return bits
