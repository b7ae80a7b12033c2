"""Finds the rules that logs were played by: what `meldref rules infer` does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from meldref.core.diagnostics import Span
from meldref.core.records import record
from meldref_authoring.wizard import id_from
from meldref_evidence.inferring.budget import Budget
from meldref_evidence.inferring.corpus import Corpus
from meldref_evidence.inferring.draft import Draft
from meldref_evidence.inferring.evidence import Evidence, Place, evidence_for
from meldref_evidence.inferring.facts import facts_of
from meldref_evidence.inferring.judging import Bench, total
from meldref_evidence.inferring.leeway import Leeway, leeway
from meldref_evidence.inferring.search import nearest_rules, shortened
from meldref_evidence.inferring.strictness import Question, questions, stricter


@record
class Unexplained:
    """A kind of finding that is left under the rules that were found: how many, and the first."""

    code: str
    count: int
    first: Place


@record
class HeldOut:
    """How rules judge logs that they were not found from; `findings` counts them by code."""

    logs: int
    clean: int
    findings: Mapping[str, int]


@record
class LeftOut:
    """What was not looked at, since finding rules takes a bounded effort.

    `lines`: lines of very long logs, `first` of them; `rules`: rules that were not put to the logs.
    """

    lines: int
    first: Place | None
    rules: int


@record
class Inferred:
    """The rules that were found, with what speaks for each part and what they leave unexplained.

    `bits` is the length of the description that was made as short as possible, `bits_of_game` that
    of the description by only the shipped game.
    """

    draft: Draft
    logs: int
    hands: int
    turns: int
    bits: float
    bits_of_game: float
    evidence: tuple[Evidence, ...]
    unexplained: tuple[Unexplained, ...]
    questions: tuple[Question, ...] = ()
    held_out: HeldOut | None = None
    leeway: Leeway | None = None
    left_out: LeftOut | None = None


def infer_rules(
    corpus: Corpus, check: float = 0.0, tick: Callable[[str], None] = lambda step: None
) -> Inferred:
    """The rules under which logs make sense.

    Args:
        corpus: the logs, with a turn in each.
        check: the share of the logs that is held out, and judged by what was found from the others.
        tick: told of each step.
    """
    learning, held_out = corpus.split(check)
    whole, learning = learning, shortened(learning)
    facts = facts_of(learning.logs)
    budget = Budget.usual(cut=learning != whole)
    nearest, bench = nearest_rules(learning, facts, tick, budget)
    tick("stricter rules")
    draft, taken_up, unseen = stricter(nearest, bench, facts)
    tick("evidence")
    by_chance = {(rule.key, rule.value): rule.expected for rule in taken_up}
    return Inferred(
        draft=draft,
        logs=len(learning.logs),
        hands=learning.hands,
        turns=learning.turns,
        bits=bench.bits(draft),
        bits_of_game=bench.bits(Draft(draft.game)),
        evidence=evidence_for(draft, bench, by_chance, facts),
        unexplained=_unexplained(draft, bench),
        questions=questions(draft, unseen, learning.hands),
        held_out=_held_out(draft, held_out),
        leeway=leeway(draft, bench),
        left_out=_left_out(whole, learning, budget),
    )


def _left_out(whole: Corpus, learning: Corpus, budget: Budget) -> LeftOut | None:
    """What was not looked at; None if everything was."""
    lines = 0
    first: Place | None = None
    for log, part in zip(whole.logs, learning.logs, strict=True):
        rest = log.lines[len(part.lines) :]
        lines += len(rest)
        if rest and first is None:
            first = Place(log.name, log.in_file(Span(rest[0][0].number)))
    rules = len(budget.left_out)
    return LeftOut(lines, first, rules) if lines or rules else None


def _unexplained(draft: Draft, bench: Bench) -> tuple[Unexplained, ...]:
    """What the rules find in the logs that they were found from."""
    firsts: dict[str, Place] = {}
    for number, log in enumerate(bench.logs):
        for finding in bench.verdict(draft, number).findings:
            firsts.setdefault(finding.code, Place(log.name, log.line_of(finding)))
    counts = bench.counts(draft, range(len(bench.logs)))
    return tuple(
        Unexplained(code, counts[code], firsts[code])
        for code in sorted(firsts, key=lambda code: -counts[code])
    )


def _held_out(draft: Draft, corpus: Corpus) -> HeldOut | None:
    """How the rules judge logs that were held out; None if none were."""
    if not corpus.logs:
        return None
    bench = Bench(corpus.logs)

    verdicts = [bench.verdict(draft, number) for number in range(len(corpus.logs))]
    clean = sum(not verdict.counts for verdict in verdicts)
    return HeldOut(len(verdicts), clean, dict(total(verdicts)))


def name_from(path: str | None) -> str:
    """The id of rules that are written into a file of that name."""
    return (id_from(Path(path).stem) if path else "") or "found-rules"
