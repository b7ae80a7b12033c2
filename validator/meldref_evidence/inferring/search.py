"""The search for the rules that take the fewest bits, change by change from the nearest game.

A change is proposed only for what it could explain. A finding names the keys that its rule depends
on; the proposals are their other values, and the options that set them. A change is kept if the
findings that it explains take more bits than the change. When no other pays, parts that no longer
pay are left out again, and options replace settings that say the same.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from meldref.rulefiles.files import BASE
from meldref.rulefiles.merge import flow, is_within
from meldref.rules.declare import RULES
from meldref.rules.pages import PAGES
from meldref.rules.points import KEYS_OF_ACES
from meldref.ruleset.model import Ruleset
from meldref_authoring.mutations import variants
from meldref_authoring.rulefiles.show import merged_values
from meldref_evidence.inferring.budget import Budget
from meldref_evidence.inferring.corpus import Corpus, PlayedLog
from meldref_evidence.inferring.draft import Draft, games, options, shorter
from meldref_evidence.inferring.equations import BONUS, solve
from meldref_evidence.inferring.facts import Facts, fits, numbers_for, sized
from meldref_evidence.inferring.judging import UNJUDGED, Bench, cost_of, keys_of
from meldref_evidence.inferring.measure import A_SCORE, bits_of_liberties

_SAMPLE_TURNS: Final = 400
"""Games are compared on this many turns."""
_SEARCH_TURNS: Final = 1_500
"""Changes are looked for on this many turns, and then on all."""
_NEAREST: Final = 2
"""The search continues from this many games."""
_KEYS: Final = 14
"""The values of this many keys are tried, those that most findings depend on."""
_MOST_SCORES: Final = 2
"""If more than one hand in this many has a wrong score, values are solved for with each change."""
_EQUATIONS: Final = 60
"""The most scores that are solved then."""
_A_LONG_LOG: Final = 5_000
"""Of a log that takes more effort to judge, some fifty hands, only the beginning is looked at,"""
_ITS_BEGINNING: Final = 2_500
"""which takes this much."""
_FEW_LOGS: Final = 2
"""A proposal is first put to this many logs with what it could explain."""
OF_PLAY: Final = frozenset(code for rule in RULES for code in rule.codes)
"""The codes of what players do; others are about figures and sizes, which no rule leaves free."""
_SOLVED: Final = ("scoring.values.", "scoring.held.", *KEYS_OF_ACES.values(), BONUS)
"""How keys begin whose values are worked out, and not tried."""
_OF_SCORES: Final = {key for key in PAGES[A_SCORE].keys if not f"{key}.".startswith(_SOLVED)}
"""The other keys that scores depend on."""
_WITH: Final = {
    ("draw.count", "2"): ("draw.mixed", "forbidden"),
    ("stock.reshuffle", "turn_over"): ("stock.turned", "whole_pile"),
    ("melds.wild.swap", "for_natural"): ("melds.wild.swapped", "to_end"),
    ("melds.wild.swap", "at_end"): ("melds.wild.swapped", "to_end"),
}
"""Settings that explain no hand without another one, where that is how it was played."""
Tick = Callable[[str], None]


def shortened(corpus: Corpus) -> Corpus:
    """The logs, of which very long ones are cut."""
    logs: list[PlayedLog] = []
    for log in corpus.logs:
        is_long = log.effort > _A_LONG_LOG
        logs.append(log.beginning(_ITS_BEGINNING) if is_long else log)
    return Corpus(tuple(logs))


def nearest_rules(
    corpus: Corpus, facts: Facts, tick: Tick = lambda _: None, budget: Budget | None = None
) -> tuple[Draft, Bench]:
    """The rules by which logs take the fewest bits, and the bench that has judged all logs."""
    tick("games")
    sample = Bench(_some(corpus.logs, _SAMPLE_TURNS), budget)
    sizes = [sized(Draft(game), facts) for game in games()]
    starts = [_with_values(draft, sample) for draft in sizes if draft.ruleset is not None]
    starts = starts or [Draft(BASE)]  # no game can be played at tables like these
    costs = {draft: sample.cost(draft) for draft in starts}
    nearest = sorted(starts, key=lambda draft: costs[draft])[:_NEAREST]
    few = Bench(_some(corpus.logs, _SEARCH_TURNS), budget)
    improved: list[Draft] = []
    for draft in nearest:
        if improved and few.budget.over:
            break
        tick(draft.game)
        improved.append(Search(few, facts).improve(draft))
    best = min(improved, key=few.cost)
    tick("all logs")
    everything = few if few.logs == [*corpus.logs] else Bench(corpus.logs, budget)
    search = Search(everything, facts)
    return search.improve(best), everything


def _some(logs: Sequence[PlayedLog], turns: int) -> list[PlayedLog]:
    """Logs from all over a corpus that have about this many turns."""
    step = max(1, sum(log.turns for log in logs) // turns)
    some: list[PlayedLog] = []
    turns_so_far = 0
    for log in logs[::step]:
        if turns_so_far > turns:
            break
        some.append(log)
        turns_so_far += log.turns
    return some


def _with_values(draft: Draft, bench: Bench, **most: int) -> Draft:
    """A draft with the values that score lines show; `most` limits how many lines are looked at."""
    if draft.ruleset is None or bench.budget.over:
        return draft
    for key, number in solve(draft, bench.logs, bench.turns, bench.budget, **most).items():
        other = draft.with_setting(key, f"{number}")
        draft = draft if other.ruleset is None else other
    return draft


class Search:
    """The search on one bench."""

    def __init__(self, bench: Bench, facts: Facts) -> None:
        self._bench = bench
        self._facts = facts
        self._everywhere = range(len(bench.logs))
        self._about: dict[tuple[Draft, str], list[int]] = {}

    def improve(self, draft: Draft) -> Draft:
        """The draft after all changes that pay, without parts that do not, in the fewest names."""
        while True:
            before = draft
            draft = self._explain(draft)
            draft = self._solved(draft)
            if draft == before:
                break
        return shorter(self._leave_out(draft))

    def cost(self, draft: Draft, base: Draft) -> float:
        """The bits of a draft, of what it leaves unexplained, and of what it allows over a base."""
        if not self._bench.may_judge(draft):
            return float("inf")
        allowed = self._bench.counts(base, self._everywhere)
        rest = self._bench.counts(draft, self._everywhere)
        turns = self._bench.turns
        liberties = 0.0
        for code, count in allowed.items():
            if code in OF_PLAY and rest[code] < count:
                liberties += bits_of_liberties(count - rest[code], turns, code=code)
        return draft.bits + cost_of(rest, turns) + liberties

    # --- explaining -------------------------------------------------------------------------------

    def _explain(self, draft: Draft) -> Draft:
        """The draft with all changes that pay, the most promising first."""
        refused: set[Draft] = set()
        while True:
            better = self._better(draft, refused)
            if better is None:
                return draft
            draft = better

    def _better(self, draft: Draft, refused: set[Draft]) -> Draft | None:
        """The draft with one change that pays, None if there is none."""
        now = draft.bits + cost_of(self._bench.counts(draft, self._everywhere), self._bench.turns)
        ranked: list[tuple[float, Draft]] = []
        for other, key in self._proposals(draft):
            if other in refused:
                continue
            gain = self._promise(draft, other, key)
            if gain > 0:
                ranked.append((gain, other))
            else:
                refused.add(other)
        for _, other in sorted(ranked, key=lambda pair: -pair[0])[:4]:
            if self.cost(other, draft) < now:
                return other
            refused.add(other)
        return None

    def _promise(self, draft: Draft, other: Draft, key: str) -> float:
        """The bits that a change seems to save, judged by a few logs with findings of its key."""
        if (draft, key) not in self._about:
            self._about[draft, key] = self._logs_about(draft, key)
        where = self._about[draft, key]
        if not where or not self._bench.may_judge(other) or other.ruleset is None:
            return 0.0
        before, after = self._bench.counts(draft, where), self._bench.counts(other, where)
        everything = self._bench.counts(draft, self._everywhere)
        share = max(sum(before.values()) / max(sum(everything.values()), 1), 0.01)
        saved = cost_of(before, self._bench.turns) - cost_of(after, self._bench.turns)
        return saved / share - (other.bits - draft.bits)

    def _logs_about(self, draft: Draft, key: str) -> list[int]:
        """The logs with most findings that depend on a key."""
        counts: Counter[int] = Counter()
        for number in self._everywhere:
            verdict = self._bench.verdict(draft, number)
            counts[number] = sum(key in keys_of(finding) for finding in verdict.findings)
            counts[number] += verdict.counts.get(UNJUDGED, 0)
        concerned = [number for number, count in counts.items() if count]
        logs = self._bench.logs
        concerned.sort(key=lambda number: -counts[number] / len(logs[number].lines))
        return concerned[:_FEW_LOGS]

    def _proposals(self, draft: Draft) -> Iterator[tuple[Draft, str]]:
        """Drafts with another value of a key that findings name, and the key, likeliest first."""
        ruleset = draft.ruleset
        assert ruleset is not None
        weights: defaultdict[str, float] = defaultdict(float)
        for number in self._everywhere:
            first: set[tuple[int, int]] = set()
            for finding in self._bench.verdict(draft, number).findings:
                hand = finding.game, finding.hand
                for place, key in enumerate(keys_of(finding)):
                    weights[key] += (2.0 if hand not in first else 1.0) / (1 + place)
                first.add(hand)
        misscored = self._bench.counts(draft, self._everywhere)[A_SCORE] * _MOST_SCORES
        hands = sum(log.hands for log in self._bench.logs)
        seen: set[Draft] = set()
        ranked = sorted(weights, key=lambda key: -weights[key])
        for key in ranked[:_KEYS]:
            anew = misscored > hands and key in _OF_SCORES
            for other in self._changes(draft, ruleset, key):
                solved = _with_values(other, self._bench, most=_EQUATIONS) if anew else other
                if solved not in seen:
                    seen.add(solved)
                    yield solved, key

    def _changes(self, draft: Draft, ruleset: Ruleset, key: str) -> Iterator[Draft]:
        """The changes of a key: options that set it otherwise, then its other values."""
        for name, option in options().items():
            set_here = any(is_within(path, key) for path in option.sets)
            if set_here and name not in draft.options:
                yield with_needed(draft, name)
        if key.startswith(_SOLVED):
            return
        for path, value in other_values(ruleset, key, self._facts):
            other = draft.with_setting(path, value)
            yield other
            if (path, value) in _WITH:
                yield other.with_setting(*_WITH[path, value])

    # --- the rest ---------------------------------------------------------------------------------

    def _solved(self, draft: Draft) -> Draft:
        """The draft with the values that score lines show, where they pay."""
        other = _with_values(draft, self._bench)
        return other if self._bench.cost(other) < self._bench.cost(draft) else draft

    def _leave_out(self, draft: Draft) -> Draft:
        """The draft without parts that explain less than they cost."""
        for less in draft.less_one_part():
            if less.ruleset is None or not fits(less, self._facts):
                continue
            if self._bench.cost(less) <= self._bench.cost(draft):
                return self._leave_out(less)
        return draft


def with_part(draft: Draft, key: str, value: str) -> Draft:
    """A draft with a setting; with an option, and what it needs, where the key is `extends`."""
    return with_needed(draft, value) if key == "extends" else draft.with_setting(key, value)


def with_needed(draft: Draft, name: str) -> Draft:
    """A draft with an option, and with the first other one that brings what it needs."""
    for key, value in options()[name].needs.items():
        ruleset = draft.ruleset
        if ruleset is not None and (key, value) in _written_values(ruleset):
            continue
        others = [other for other, option in options().items() if option.sets.get(key) == value]
        if others and others[0] not in draft.options:
            draft = draft.with_option(others[0])
    return draft.with_option(name)


def _written_values(ruleset: Ruleset) -> set[tuple[str, str]]:
    """All keys of a ruleset, each with its value as it is written."""
    return {(path, flow(value)) for path, value, _ in merged_values(ruleset)}


def other_values(ruleset: Ruleset, key: str, facts: Facts) -> Iterator[tuple[str, str]]:
    """The other values that a key could have, each with its path; of numbers, what logs suggest."""
    numbers = numbers_for(facts, key, ruleset)
    if numbers:
        for number in numbers:
            yield key, number
        return
    for path, value, _ in merged_values(ruleset):
        is_number = isinstance(value, int)
        if is_number or path.startswith(("house_rules.", "hands.")) or not is_within(path, key):
            continue
        for variant in variants(ruleset, path):
            for other, varied, _ in merged_values(variant):
                if other == path and varied is not None and varied != value:
                    yield path, flow(varied)
