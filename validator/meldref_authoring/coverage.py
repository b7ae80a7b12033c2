"""What the cases of a ruleset exercise: which of its settings, and which codes.

A **setting** is a line of a rules file: a key and the value the file gives it. It is exercised when
a passing case in which it is in force would fail if the key said something else. A **code** is
exercised when a passing case under the ruleset expects it as the reason. A ruleset answers for the
settings in its own file, and for the codes that depend on them; what it builds on has files and
cases of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from meldref.cases.expectations import matches
from meldref.cases.run import CaseFile, CaseResult
from meldref.core.diagnostics import Severity
from meldref.core.records import record
from meldref.core.text import one_line
from meldref.documents.reader import Value
from meldref.rulefiles.consistency import ineffective
from meldref.rulefiles.files import Name, find
from meldref.rulefiles.load import load_ruleset
from meldref.rulefiles.merge import HOUSE, is_within
from meldref.rules import registry
from meldref.rules.pages import PAGES
from meldref.ruleset.changes import in_hand
from meldref.ruleset.model import Ruleset
from meldref_authoring.mutations import variants
from meldref_authoring.rulefiles.show import merged_values

Tick = Callable[[int], None]


Shown: TypeAlias = Literal["applying", "not applying"]
"""What a case can show of a house rule: that it applies, or that its condition keeps it out."""


@record
class CoveredSetting:
    """A line of a rules file: its key and value, and the case that exercises it, if any.

    `shown` is what cases show of a house rule that needs two cases and has only one.
    """

    key: str
    value: Value
    line: int
    case: str | None = None
    shown: Shown | None = None


@record
class CoveredCode:
    """A violation that is possible, and the case that expects it, None if none does."""

    code: str
    case: str | None = None


@record
class Coverage:
    """What cases exercise of one ruleset; `file` is its path, or the name of a shipped one."""

    ruleset: str
    file: str
    settings: tuple[CoveredSetting, ...]
    codes: tuple[CoveredCode, ...]

    @property
    def percent(self) -> float:
        """The percentage of settings and codes that are exercised; 100 if there are none."""
        cases = [*(setting.case for setting in self.settings), *(code.case for code in self.codes)]
        return 100 * sum(case is not None for case in cases) / len(cases) if cases else 100.0


def below(covered: Iterable[Coverage], threshold: float | None) -> list[Coverage]:
    """The rulesets of which less than this percentage is exercised; without a threshold, none."""
    if threshold is None:
        return []
    return [coverage for coverage in covered if coverage.percent < threshold]


class _Line(NamedTuple):
    """A setting as it is looked up in rulesets: its key, and where it was written."""

    key: str
    file: str
    line: int


class _Ran(NamedTuple):
    """A case that passed: which of its file, how it came out, and by which rules."""

    file: CaseFile
    case: int
    result: CaseResult
    ruleset: Ruleset

    def passes_under(self, ruleset: Ruleset) -> bool:
        """Whether it passes under other rules too."""
        return self.file.run(self.case, ruleset).passed


class _Asked(NamedTuple):
    """A ruleset or option that cases are about: its file as shown, its name, its folder."""

    file: str
    name: Name
    folder: Path


def measure(
    files: Sequence[tuple[CaseFile, Sequence[CaseResult]]], tick: Tick = lambda _: None
) -> list[Coverage]:
    """What case files that were run exercise, for each ruleset and option that their cases name.

    `tick` is called for each setting that was looked at.
    """
    passed: list[_Ran] = []
    for file, results in files:
        for index, result in enumerate(results):
            if result.passed and result.ruleset is not None:
                passed.append(_Ran(file, index, result, result.ruleset))
    cases = _Cases(passed)
    about: dict[_Asked, list[_Ran]] = {}
    for file, _ in files:  # also a ruleset none of whose cases passes
        if file.own is not None and file.own == file.rules:
            about[_own(file.own, file.folder)] = []
    for ran in passed:
        for question in cases.named(ran):
            about.setdefault(question, []).append(ran)
    return [_coverage(question, about[question], cases, tick) for question in sorted(about)]


def _own(own: Name, folder: Path) -> _Asked:
    """The ruleset of a file with cases of its own; one that is not on disk has no folder."""
    return _Asked(own, own, folder) if isinstance(own, str) else _Asked(own.shown, own, Path())


class _Cases:
    """All cases that passed, and what is known of the rulesets they were judged by."""

    def __init__(self, passed: Sequence[_Ran]) -> None:
        self.passed = passed
        self._known: dict[int, tuple[Ruleset, Mapping[_Line, Value], frozenset[str]]] = {}

    def named(self, ran: _Ran) -> Iterator[_Asked]:
        """The ruleset and the options that a case names, itself or in its log."""
        files = {line.file for line in self.lines(ran.ruleset)}
        if ran.file.own is not None:
            asked_for = _own(ran.file.own, ran.file.folder)
            if asked_for.file in files:
                yield asked_for
            return
        questions = {}
        for name in (ran.ruleset.id, *ran.ruleset.options, *ran.file.names(ran.case)):
            file = find(name, ran.file.folder)
            if file is not None and file.shown in files:
                folder = Path() if file.shipped else ran.file.folder
                questions[file.shown] = _Asked(file.shown, name, folder)
        yield from questions.values()

    def lines(self, ruleset: Ruleset) -> Mapping[_Line, Value]:
        """The settings in force, each with its value."""
        return self._know(ruleset)[1]

    def awake(self, ruleset: Ruleset, key: str) -> bool:
        """Whether no other setting switches a key off."""
        return key not in self._know(ruleset)[2]

    def _know(self, ruleset: Ruleset) -> tuple[Ruleset, Mapping[_Line, Value], frozenset[str]]:
        """What is worked out once for a ruleset.

        The ruleset is kept with it, so that no other one gets its identity.
        """
        if id(ruleset) not in self._known:
            lines = {
                _Line(key, origin.file, origin.line): value
                for key, value, origin in merged_values(ruleset)
                if origin is not None and origin.line
            }
            idle = frozenset(key for key, _ in ineffective(ruleset))
            self._known[id(ruleset)] = ruleset, lines, idle
        return self._known[id(ruleset)]

    def exercising(self, line: _Line) -> str | None:
        """The case that would fail if a setting were another; None if none would."""
        under: dict[int, list[_Ran]] = {}
        for ran in self.passed:
            if line in self.lines(ran.ruleset) and self.awake(ran.ruleset, line.key):
                under.setdefault(id(ran.ruleset), []).append(ran)
        groups: list[list[_Ran]] = []
        # First those with a finding that names the key, which is quick to change.
        for rans in under.values():
            likely = [ran for ran in rans if _names(ran.result, line.key)]
            if likely:
                groups.append(likely)
        groups += under.values()
        for rans in groups:
            for varied in variants(rans[0].ruleset, line.key):
                for ran in rans:
                    if not ran.passes_under(varied):
                        return _name(ran.result)
        return None

    def exercising_rule(self, line: _Line) -> tuple[str | None, Shown | None]:
        """The case in which a house rule applies, if in another one it is asked and does not.

        The first would come out differently without the rule, the other one if the rule always
        applied. If only one of them is there, it is said which.
        """
        applying: str | None = None
        is_kept_out = has_condition = False
        for ran in self.passed:
            if line not in self.lines(ran.ruleset):
                continue
            without, *always = variants(ran.ruleset, line.key)
            has_condition = bool(always)
            if applying is None and not ran.passes_under(without):
                applying = _name(ran.result)
            elif always and not is_kept_out:
                is_kept_out = not ran.passes_under(always[0])
            if applying is not None and (is_kept_out or not has_condition):
                return applying, None
        if applying is not None:
            return None, "applying"
        return None, "not applying" if is_kept_out else None


def _coverage(question: _Asked, own: Sequence[_Ran], cases: _Cases, tick: Tick) -> Coverage:
    """What is exercised of one ruleset or option; `own` are the cases that name it."""
    plain, _ = load_ruleset(question.name, (), (), question.folder)
    rulesets = list({id(ran.ruleset): ran.ruleset for ran in own}.values())
    if plain is not None:
        rulesets = [plain]
    lines: dict[_Line, Value] = {}
    for ruleset in rulesets:
        lines.update(cases.lines(ruleset))
    settings = []
    for line, value in lines.items():
        if line.file != question.file:
            continue
        shown: Shown | None = None
        if line.key.startswith(HOUSE):
            case, shown = cases.exercising_rule(line)
        else:
            case = cases.exercising(line)
        tick(1)
        could_differ = (
            cases.awake(ruleset, line.key) and any(variants(ruleset, line.key))
            for ruleset in rulesets
        )
        if case is not None or any(could_differ):
            settings.append(CoveredSetting(line.key, value, line.line, case, shown))
    builds_on_nothing = plain is not None and all(line.file == question.file for line in lines)
    codes: list[str] = []
    for ruleset in rulesets:
        codes += (
            codes_under(ruleset)
            if builds_on_nothing
            else _resting_on(ruleset, question.file, cases)
        )
    once = dict.fromkeys(codes)
    expected = [CoveredCode(code, _expecting(code, question.file, cases)) for code in once]
    return Coverage(
        question.file if plain is None else plain.id,
        str(question.folder / question.file),
        tuple(sorted(settings, key=lambda setting: setting.line)),
        tuple(expected),
    )


def _resting_on(ruleset: Ruleset, file: str, cases: _Cases) -> Iterator[str]:
    """The codes that depend on a file: it sets a key that governs a code or makes it possible."""
    keys = [line.key for line in cases.lines(ruleset) if line.file == file]
    in_every_variant = set(codes_under(ruleset))
    for key in keys:
        for varied in variants(ruleset, key):
            in_every_variant.intersection_update(codes_under(varied))
    for code in codes_under(ruleset):
        about = _governing(code)
        if code not in in_every_variant or any(is_within(key, about) for key in keys):
            yield code


def _governing(code: str) -> str:
    """The key that governs a code: the first on its page, or its house rule; empty for none."""
    if code not in PAGES:
        return f"{HOUSE}{code.partition('.')[2]}"
    return next(iter(PAGES[code].keys), "")


def _expecting(code: str, file: str, cases: _Cases) -> str | None:
    """The case that expects a code as the reason, under rules that include a file."""
    for ran in cases.passed:
        expected, findings = ran.result.expected, ran.result.findings
        because = expected.get("because")
        if expected["verdict"] != "illegal" or not matches(code, str(because)):
            continue
        first = [finding.code for finding in findings if finding.span.line == findings[0].span.line]
        if code in first and any(line.file == file for line in cases.lines(ran.ruleset)):
            return _name(ran.result)
    return None


def _names(result: CaseResult, key: str) -> bool:
    return any(
        finding.rule is not None and is_within(key, finding.rule.key) for finding in result.findings
    )


def _name(result: CaseResult) -> str:
    return one_line(result.id or result.name)


# --- codes ----------------------------------------------------------------------------------------


def codes_under(ruleset: Ruleset) -> Iterator[str]:
    """The codes that play under a ruleset can lead to in some hand, in the order of the pages.

    Left out are those about how a log or a rules file is written, which no ruleset changes.
    """
    codes = registry.codes()
    hands = [ruleset, *[in_hand(ruleset, hand) for hand in ruleset.hands]]
    for code in PAGES:
        if code.startswith("rules.") or (code.startswith("log.") and not PAGES[code].keys):
            continue
        if codes[code].severity is not Severity.ERROR:  # no case can expect it
            continue
        where = codes[code].where
        if where is None or any(map(where, hands)):
            yield code
    for rule in ruleset.house_rules:
        if rule.forbid:
            yield f"house.{rule.name}"
