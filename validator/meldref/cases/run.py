"""Runs case files: a position, moves and the expected verdict (`docs/notation.md`, Case files)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from meldref.cases.expectations import Misuse, compare, misuses, strangers
from meldref.core.diagnostics import Finding, Span, errors_in
from meldref.core.meant import did_you_mean
from meldref.core.records import hidden, record
from meldref.core.safe_files import is_regular
from meldref.documents.reader import Document, Value, read_yaml
from meldref.notation.reader import read_lines
from meldref.positions.build import Built, build_position
from meldref.positions.load import written_settings
from meldref.replay.explainer import Explainer
from meldref.replay.log import Overrides, Replay
from meldref.replay.play_moves import MovesResult, play_moves
from meldref.rulefiles.advice import adviser
from meldref.rulefiles.files import BASE, Found, Name
from meldref.rulefiles.load import load_ruleset
from meldref.rulefiles.shelf import OneRuleset, RulesetCache
from meldref.rulefiles.vocabulary import schema
from meldref.rules.points import units
from meldref.ruleset.model import Ruleset


@record
class CaseResult:
    """How one case came out. `expected` and `got` have the keys of a case's `expect`.

    `ruleset` is the one it was judged by, that of the last game where it is a log; None if there
    was none. `malformed`: the case asks for something that cannot be checked, so it has neither
    passed nor failed. `open` says what cannot be decided, where nothing was found.
    """

    file: str
    line: int
    id: str | None
    name: str
    passed: bool
    expected: Mapping[str, Value]
    got: Mapping[str, Value]
    findings: tuple[Finding, ...] = ()
    failed: tuple[str, ...] = ()
    ruleset: Ruleset | None = hidden(default=None)
    malformed: bool = False
    open: tuple[str, ...] = ()


@record
class CaseRules:
    """The rules that a case is about: a ruleset, if any is named, its options, and settings."""

    rules: Name | None
    options: tuple[Name, ...]
    settings: Mapping[str, Value]


def read_cases(
    path: Path | Found, *, rules: Name | None = None, explainer: Explainer | None = None
) -> tuple[CaseFile | None, tuple[Finding, ...]]:
    """The cases of a file, not run yet, or None; and findings about the file itself.

    `rules` is the ruleset of cases that name none. A ruleset's own file has some too: its `cases`
    are about that ruleset; those of an option are about the ruleset they name, else 500 Rummy, with
    the option over it. The `explainer` is that of cases with logs.
    """
    file = path if isinstance(path, Found) else Found(path, path.name)
    try:
        data = file.read()
    except OSError as error:
        unread = Finding(
            "rules.yaml", f"the file cannot be read: {error.strerror}", Span(1), file=file.shown
        )
        return None, (unread,)
    document, findings = read_yaml(data, file.shown)
    if document is None or errors_in(findings):
        return None, findings
    own = None
    if isinstance(document.value, dict) and "id" in document.value:
        own = file.shown if is_regular(file.path) else file
    cases = cases_in(document, file.path.parent, own, rules=rules, explainer=explainer)
    if cases is None:
        message = "there are no cases in this file: a file of cases has a list named `cases`"
        return None, (*findings, document.finding("rules.value", message, ()))
    if own is not None and cases.option is None and rules is None:
        ruleset, faults = load_ruleset(own, (), (), cases.folder)
        if ruleset is None:  # reported once, at its place, and not for each case
            return None, faults
    return cases, findings


def cases_in(
    document: Document,
    folder: Path,
    own: Name | None,
    *,
    rules: Name | None = None,
    explainer: Explainer | None = None,
) -> CaseFile | None:
    """The cases of a document, as `read_cases` reads them; None where it has no list of them.

    `own` is the name of the document where it is a ruleset.
    """
    value = document.value
    cases = value.get("cases") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(cases, list):
        return None
    if own is not None and value.get("type") == "option":
        return CaseFile(document, folder, cases, own, rules or BASE, own, explainer)
    return CaseFile(document, folder, cases, own, rules or own, None, explainer)


@dataclass(eq=False)
class CaseFile:
    """The cases of one file.

    `own` is the name of the file where it is a ruleset's own; `rules` what cases are about that
    name no ruleset. `option` is the name of the file where it is an option's own, which lies over
    the ruleset of each case. `explainer` is that of logs.
    """

    document: Document
    folder: Path
    cases: Sequence[Value]
    own: Name | None
    rules: Name | None
    option: Name | None = None
    explainer: Explainer | None = None
    _rulesets: dict[object, tuple[Ruleset | None, tuple[Finding, ...]]] = field(
        default_factory=dict
    )
    _cache: RulesetCache = field(default_factory=RulesetCache)

    def run(self, index: int, ruleset: Ruleset | None = None) -> CaseResult:
        """Runs one case, by its own ruleset or by another one."""
        path = ("cases", index)
        line = self.document.place(path).line
        case = self.cases[index]
        if not isinstance(case, dict):
            return self._unusable(line, {}, "a case must be a mapping", malformed=True)
        wrong = self.shape(case)
        if wrong:
            return self._unusable(line, case, wrong, malformed=True)
        expect = case["expect"]
        assert isinstance(expect, dict)
        outcome = self.outcome(index, ruleset)
        if isinstance(outcome, str):
            return self._unusable(line, case, outcome)
        if outcome.players and outcome.ruleset is not None:
            unknown = strangers(expect, outcome.players, units(outcome.ruleset, outcome.players))
            if message := _all_of(unknown):
                return self._unusable(line, case, message, malformed=True)
        got, failed = compare(expect, outcome)
        undecided = () if outcome.findings else tuple(outcome.undecided)
        return CaseResult(
            self.document.file,
            line,
            *_called(case, f"case {index + 1}"),
            passed=not failed,
            expected=expect,
            got=got,
            findings=tuple(outcome.findings),
            failed=tuple(failed),
            ruleset=outcome.ruleset,
            open=undecided,
        )

    def names(self, index: int) -> tuple[str, ...]:
        """The ruleset and the options that a case itself names."""
        case = self.cases[index]
        rules: list[Value] = []
        options: list[Value] = []
        for part in (case, case.get("given") if isinstance(case, dict) else None):
            if isinstance(part, dict):
                rules.append(part.get("rules"))
                listed = part.get("with")
                options += listed if isinstance(listed, list) else []
        return tuple(str(name) for name in (*rules, *options) if name is not None)

    def shape(self, case: Mapping[str, Value]) -> str | None:
        """What is wrong with the keys of a case, and with what it expects, by themselves."""
        keys = schema()["$defs"]["case"]["properties"]
        if unknown := _unknown("a case", case, keys):
            return unknown
        expect = case.get("expect")
        verdicts = ("legal", "illegal", "open")
        if not isinstance(expect, dict) or expect.get("verdict") not in verdicts:
            return "`expect` needs `verdict: legal`, `verdict: illegal` or `verdict: open`"
        if unknown := _unknown("`expect`", expect, keys["expect"]["properties"]):
            return unknown
        if "log" in case and ("moves" in case or "given" in case):
            return "a case has either `log`, or `given` and `moves`"
        moves = [] if "log" in case else case.get("moves")
        if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
            like = adviser().rewriting(moves, keys["moves"])
            written = like.text if like is not None else '["A: draw; discard 2s"]'
            return f"a case needs a log, or a list of moves, each in quotes: moves: {written}"
        return _all_of(misuses(expect))

    def _unusable(
        self, line: int, case: Mapping[str, Value], why: str, *, malformed: bool = False
    ) -> CaseResult:
        expect = case.get("expect")
        if not isinstance(expect, dict):
            expect = {}
        return CaseResult(
            self.document.file,
            line,
            *_called(case, "?"),
            passed=False,
            expected=expect,
            got={"verdict": "unusable", "because": why},
            failed=(why,),
            malformed=malformed,
        )

    def outcome(self, index: int, ruleset: Ruleset | None = None) -> MovesResult | str:
        """What becomes of the log or the moves of a case that has its shape, or why it cannot be judged."""
        case = self.cases[index]
        assert isinstance(case, dict)
        if "log" in case:
            named = self.rules_of(index)
            return named if isinstance(named, str) else self._log(str(case["log"]), named, ruleset)
        if ruleset is None:
            found = self.ruleset_of(index)
            if isinstance(found, str):
                return found
            ruleset = found
        built, wrong = self.position(index, ruleset)
        if built is None:
            return wrong[0].message if wrong else "the position cannot be used"
        outcome = play_moves(built, self.moves(index))
        outcome.ruleset = ruleset  # of the whole game, though one hand was played
        return outcome

    def ruleset_of(self, index: int) -> Ruleset | str:
        """The ruleset of a case that has no log, or why there is none."""
        named = self.rules_of(index)
        if isinstance(named, str):
            return named
        if named.rules is None:
            return "the case names no ruleset"
        ruleset, findings = self.load(named)
        if ruleset is None:
            return f"no ruleset: {findings[0].message if findings else named.rules}"
        return ruleset

    def position(self, index: int, ruleset: Ruleset) -> tuple[Built | None, tuple[Finding, ...]]:
        """The position that a case begins with; None and the findings if it cannot be used."""
        case = self.cases[index]
        assert isinstance(case, dict)
        given = {} if case.get("given") is None else case["given"]
        return build_position(given, ruleset, self.document.place, ("cases", index, "given"))

    def moves(self, index: int) -> list[str]:
        """The moves of a case that has its shape and no log."""
        case = self.cases[index]
        assert isinstance(case, dict)
        moves = case["moves"]
        assert isinstance(moves, list)
        return [str(move) for move in moves]

    def rules_of(self, index: int) -> CaseRules | str:
        """The rules of a case, its file and its position counted, or what is wrong with them."""
        case = self.cases[index]
        assert isinstance(case, dict)
        options = case.get("with") or []
        if not isinstance(options, list):
            return "`with` must be a list of options"
        settings = case.get("set") or {}
        if not isinstance(settings, dict):
            return "`set` must be a mapping of keys to values"
        rules: Name | None = str(case["rules"]) if "rules" in case else self.rules
        over: list[Name] = [] if self.option is None else [self.option]
        if "log" in case:
            if self.option is not None and "rules" not in case and "[Rules " in str(case["log"]):
                rules = None
            return CaseRules(rules, (*map(str, options), *over), settings)
        position = case.get("given")
        if isinstance(position, dict):
            rules = str(position["rules"]) if "rules" in position else rules
            more, extra = position.get("with"), position.get("set")
            options = [*more, *options] if isinstance(more, list) else options
            settings = {**extra, **settings} if isinstance(extra, dict) else settings
        return CaseRules(rules, (*map(str, options), *over), settings)

    def load(self, named: CaseRules) -> tuple[Ruleset | None, tuple[Finding, ...]]:
        """The ruleset that a case names, or None, and what is wrong with it."""
        assert named.rules is not None
        key = (named.rules, named.options, repr(named.settings))
        if key not in self._rulesets:
            self._rulesets[key] = load_ruleset(
                named.rules, named.options, named.settings, self.folder
            )
        return self._rulesets[key]

    def _log(
        self,
        text: str,
        named: CaseRules,
        ruleset: Ruleset | None,
    ) -> MovesResult | str:
        overrides = Overrides(
            named.rules,
            named.options,
            written_settings(named.settings),
            self.folder,
            trust_paths=True,
        )
        shelf = self._cache if ruleset is None else OneRuleset(ruleset)
        run = Replay(self.document.file, overrides, shelf, explainer=self.explainer)
        run.feed(read_lines(text))
        game = run.game
        hand = game.hand if game is not None else None
        outcome = MovesResult([], ruleset=run.ruleset)
        if game is not None:
            outcome.players = game.players
            if hand is not None and hand.position is not None:
                outcome.position, outcome.judge = hand.position, hand.judge
        report = run.finish()
        outcome.findings = errors_in(report.findings)
        outcome.undecided = [entry.what for entry in report.open]
        if outcome.position is None and report.scores:
            outcome.scores = report.scores[-1].computed
        return outcome


def _called(case: Mapping[str, Value], otherwise: str) -> tuple[str | None, str]:
    """The id of a case, if it has one, and its name."""
    id_ = str(case["id"]) if "id" in case else None
    return id_, str(case.get("name") or id_ or otherwise)


def _all_of(wrong: Iterable[Misuse]) -> str | None:
    return "; ".join(finding.message for finding in wrong) or None


def _unknown(what: str, keys: Iterable[str], allowed: Mapping[str, object]) -> str | None:
    """What is wrong with the first unknown key, and what was probably meant by it."""
    key = next((key for key in keys if key not in allowed), None)
    return None if key is None else f"{what} has no `{key}`{did_you_mean(key, allowed, quote='`')}"
