"""Runs case files: a position, moves and the verdict that is expected (`docs/notation.md`, Case files)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from meldref.cases.expectations import Misuse, misuses, strangers
from meldref.cases.facts import compare
from meldref.core.diagnostics import Finding, Span, errors_in
from meldref.core.records import hidden, record
from meldref.core.safe_files import is_regular
from meldref.documents.reader import Document, Value, read_yaml
from meldref.notation.reader import read_lines
from meldref.positions.build import build_position
from meldref.replay.log import Overrides, Replay
from meldref.replay.play_moves import MovesResult, play_moves
from meldref.rulefiles.files import BASE, Found, Name
from meldref.rulefiles.load import load_ruleset
from meldref.rulefiles.shape import schema
from meldref.rulefiles.shelf import OneRuleset, RulesetCache
from meldref.rulefiles.suggestions import moves_for, name_for
from meldref.ruleset.model import Ruleset
from meldref.scoring.points import units


@record
class CaseResult:
    """How one case came out. `expected` and `got` have the keys of a case's `expect`.

    `ruleset` is the one it was judged by, that of the last game where it is a log; None where there was none.
    `malformed`: the case asks for something that cannot be checked, so it has neither passed nor failed.
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


def run_file(path: Path, *, rules: str | None = None) -> tuple[list[CaseResult], tuple[Finding, ...]]:
    """Runs every case of a file; findings are about the file itself.

    A ruleset's own file is one too: its `cases` are about that ruleset; those of an option about the ruleset they
    name, 500 Rummy where they name none, with the option over it.
    """
    file, findings = read_cases(path, rules=rules)
    return ([] if file is None else [file.run(index) for index in range(len(file.cases))]), findings


def read_cases(path: Path | Found, *, rules: Name | None = None) -> tuple[CaseFile | None, tuple[Finding, ...]]:
    """The cases of a file, not run yet; None if there are none to run. Findings are about the file itself.

    `rules` is the ruleset of cases that name none.
    """
    found = path if isinstance(path, Found) else Found(path, path.name)
    try:
        data = found.read()
    except OSError as error:
        unread = Finding("rules.yaml", f"the file cannot be read: {error.strerror}", Span(1), file=found.shown)
        return None, (unread,)
    document, findings = read_yaml(data, found.shown)
    if document is None or errors_in(findings):
        return None, findings
    value = document.value
    cases = value.get("cases") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(cases, list):
        message = "there are no cases in this file: a file of cases has a list named `cases`"
        return None, (*findings, document.finding("rules.value", message, ()))
    folder = found.path.parent
    own = None
    if "id" in value:
        own = found.shown if is_regular(found.path) else found
    if own is not None and value.get("type") == "option":
        return CaseFile(document, folder, cases, own, rules or BASE, option=True), findings
    if own is not None and rules is None:
        ruleset, faults = load_ruleset(own, (), (), folder)
        if ruleset is None:  # reported once, at its place, and not for each case
            return None, faults
    return CaseFile(document, folder, cases, own, rules or own), findings


class CaseFile:
    """The cases of one file.

    `own` is the name of the file where it is a ruleset's own; `rules` what cases are about that name no ruleset.
    With `option` the file is an option's own, which lies over the ruleset of each case.
    """

    def __init__(
        self,
        document: Document,
        folder: Path,
        cases: Sequence[Value],
        own: Name | None,
        rules: Name | None,
        *,
        option: bool = False,
    ) -> None:
        self.document = document
        self.folder = folder
        self.cases = cases
        self.own = own
        self.rules = rules
        self.option = own if option else None
        self._rulesets: dict[object, tuple[Ruleset | None, tuple[Finding, ...]]] = {}
        self._cache = RulesetCache()

    def run(self, index: int, ruleset: Ruleset | None = None) -> CaseResult:
        """Runs one case, by its own ruleset or by another one."""
        path = ("cases", index)
        line = self.document.place(path).line
        case = self.cases[index]
        if not isinstance(case, dict):
            return self._unusable(line, {}, "a case must be a mapping", malformed=True)
        wrong = self._shape(case)
        if wrong:
            return self._unusable(line, case, wrong, malformed=True)
        expect = case["expect"]
        assert isinstance(expect, dict)
        outcome = self._outcome(case, path, ruleset)
        if isinstance(outcome, str):
            return self._unusable(line, case, outcome)
        if outcome.players and outcome.ruleset is not None:
            unknown = strangers(expect, outcome.players, units(outcome.ruleset, outcome.players))
            if said := _all_of(unknown):
                return self._unusable(line, case, said, malformed=True)
        got, failed = compare(expect, outcome)
        return CaseResult(
            self.document.file,
            line,
            *_called(case, f"case {index + 1}"),
            not failed,
            expect,
            got,
            tuple(outcome.findings),
            tuple(failed),
            outcome.ruleset,
        )

    def names(self, index: int) -> tuple[str, ...]:
        """The ruleset and the options that a case itself names."""
        case = self.cases[index]
        if not isinstance(case, dict):
            return ()
        given = case.get("given")
        rules = [part.get("rules") for part in (case, given) if isinstance(part, dict)]
        options = [part.get("with") for part in (case, given) if isinstance(part, dict)]
        chosen = [option for listed in options if isinstance(listed, list) for option in listed]
        return tuple(str(name) for name in (*rules, *chosen) if name is not None)

    def _shape(self, case: Mapping[str, Value]) -> str | None:
        known = schema()["$defs"]["case"]["properties"]
        unknown = [key for key in case if key not in known]
        if unknown:
            return f"a case has no `{unknown[0]}`{_or_rather(unknown[0], known)}"
        expect = case.get("expect")
        if not isinstance(expect, dict) or expect.get("verdict") not in ("legal", "illegal"):
            return "`expect` needs `verdict: legal` or `verdict: illegal`"
        asked = known["expect"]["properties"]
        strange = [key for key in expect if key not in asked]
        if strange:
            return f"`expect` has no `{strange[0]}`{_or_rather(strange[0], asked)}"
        if "log" in case:
            both = "moves" in case or "given" in case
            return "a case has either `log`, or `given` and `moves`" if both else _all_of(misuses(expect))
        moves = case.get("moves")
        if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
            return f"a case needs a log, or a list of moves, each in quotes: moves: {moves_for(moves).text}"
        return _all_of(misuses(expect))

    def _unusable(self, line: int, case: Mapping[str, Value], why: str, *, malformed: bool = False) -> CaseResult:
        expect = case.get("expect")
        return CaseResult(
            self.document.file,
            line,
            *_called(case, "?"),
            passed=False,
            expected=expect if isinstance(expect, dict) else {},
            got={"verdict": "unusable", "because": why},
            failed=(why,),
            malformed=malformed,
        )

    def _outcome(
        self, case: Mapping[str, Value], path: tuple[str | int, ...], ruleset: Ruleset | None
    ) -> MovesResult | str:
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
            return self._log(str(case["log"]), rules, [*map(str, options), *over], settings, ruleset)
        given = case.get("given")
        given = {} if given is None else given
        if isinstance(given, dict):
            rules = str(given.get("rules", rules)) if "rules" in given else rules
            more = given.get("with")
            if isinstance(more, list):
                options = [*more, *options]
            extra = given.get("set")
            if isinstance(extra, dict):
                settings = {**extra, **settings}
        if rules is None:
            return "the case names no ruleset"
        if ruleset is None:
            ruleset, findings = self._ruleset(rules, (*map(str, options), *over), settings)
            if ruleset is None:
                return f"no ruleset: {findings[0].message if findings else rules}"
        built, wrong = build_position(given, ruleset, self.document.place, (*path, "given"))
        if built is None:
            return wrong[0].message if wrong else "the position cannot be used"
        moves = case["moves"]
        assert isinstance(moves, list)
        return play_moves(built, [str(move) for move in moves])

    def _ruleset(
        self, rules: Name, options: tuple[Name, ...], settings: Mapping[str, Value]
    ) -> tuple[Ruleset | None, tuple[Finding, ...]]:
        key = (rules, options, repr(settings))
        if key not in self._rulesets:
            self._rulesets[key] = load_ruleset(rules, options, settings, self.folder)
        return self._rulesets[key]

    def _log(
        self,
        text: str,
        rules: Name | None,
        options: Sequence[Name],
        settings: Mapping[str, Value],
        ruleset: Ruleset | None,
    ) -> MovesResult | str:
        said = {key: value if isinstance(value, str) else json.dumps(value) for key, value in settings.items()}
        single = tuple(f"{key}={value}" for key, value in said.items())
        said = {key: value if isinstance(value, str) else json.dumps(value) for key, value in settings.items()}
        single = tuple(f"{key}={value}" for key, value in said.items())
        overrides = Overrides(rules, tuple(options), single, self.folder, trust_paths=True)
        run = Replay(self.document.file, overrides, self._cache if ruleset is None else OneRuleset(ruleset))
        lines = list(read_lines(text))
        run.feed(lines)
        position = judge = None
        game = run.game
        if game is not None and game.hand is not None and game.hand.position is not None:
            position, judge = game.hand.position, game.judge
        outcome = MovesResult(errors_in(run.finish().findings), len(lines), position, judge)
        if game is not None:
            outcome.ruleset, outcome.players = game.ruleset, game.players
        if position is not None:
            outcome.before = [0] * len(position.players)
        return outcome


def _called(case: Mapping[str, Value], otherwise: str) -> tuple[str | None, str]:
    """The id of a case, if it has one, and its name."""
    return (str(case["id"]) if "id" in case else None), str(case.get("name") or case.get("id") or otherwise)


def _all_of(wrong: Iterable[Misuse]) -> str | None:
    return "; ".join(one.message for one in wrong) or None


def _or_rather(key: str, known: Iterable[str]) -> str:
    """What was probably meant by an unknown key."""
    meant = name_for(key, list(known))
    return "" if meant is None else f"; did you mean `{meant.text}`?"
