"""Runs case files: a position, moves and the verdict that is expected (`docs/notation.md`, Case files)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from meldref.cards import UNKNOWN, Cards, Played, cards_text, counted, each, played_text
from meldref.diagnostics import Finding, Severity, Span
from meldref.events import Line, Reshuffle, StockOrder, Turn, UpCard
from meldref.hand import HandPlay, same_meld
from meldref.judge import Judge
from meldref.notation.reader import read_card_counts, read_card_row, read_cards, read_lines
from meldref.position.model import GOING_ON, Position
from meldref.positions import Built, build_position
from meldref.replay import Overrides, Replay
from meldref.ruleset.load import load_ruleset
from meldref.ruleset.model import Ruleset
from meldref.scoring import hand_scores, units
from meldref.source import Document, Value, read_yaml

CASE_KEYS: Final = frozenset(
    [
        "id",
        "name",
        "clauses",
        "rules",
        "with",
        "set",
        "given",
        "moves",
        "log",
        "expect",
        "default",
        "note",
        "notes",
        "why",
        "source",
    ]
)
EXPECT_KEYS: Final = frozenset(
    ["verdict", "at", "because", "then", "points", "score", "hands", "pile", "table", "stock"]
)


@dataclass(frozen=True, slots=True)
class CaseResult:
    """How one case came out. `expected` and `got` have the keys of a case's `expect`."""

    file: str
    line: int
    id: str | None
    name: str
    passed: bool
    expected: Mapping[str, Value]
    got: Mapping[str, Value]
    findings: tuple[Finding, ...] = ()
    failed: tuple[str, ...] = ()


@dataclass(slots=True)
class Outcome:
    """What became of a case's moves or log."""

    findings: list[Finding]
    lines: int
    position: Position | None = None
    judge: Judge | None = None
    before: list[int] = field(default_factory=list)
    start: Position | None = None


def run_file(path: Path, *, rules: str | None = None) -> tuple[list[CaseResult], tuple[Finding, ...]]:
    """Runs every case of a file; findings are about the file itself.

    A ruleset's own file is one too: its `cases` are about that ruleset.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        return [], (Finding("rules.yaml", f"the file cannot be read: {error.strerror}", Span(1), file=path.name),)
    document, findings = read_yaml(data, path.name)
    if document is None or any(finding.severity is Severity.ERROR for finding in findings):
        return [], findings
    value = document.value
    if not isinstance(value, dict) or not isinstance(value.get("cases"), list):
        message = "a case file has a list of `cases`"
        return [], (*findings, document.finding("rules.value", message, ()))
    own = str(path) if "id" in value and rules is None else rules
    runner = _Runner(document, path.parent, own)
    return [runner.run(index) for index in range(len(value["cases"]))], (*findings, *runner.findings)


class _Runner:
    """The cases of one file."""

    def __init__(self, document: Document, folder: Path, rules: str | None) -> None:
        self.document = document
        self.folder = folder
        self.rules = rules
        self.findings: list[Finding] = []
        self._rulesets: dict[object, tuple[Ruleset | None, tuple[Finding, ...]]] = {}

    def run(self, index: int) -> CaseResult:
        cases = self.document.value["cases"]  # type: ignore[call-overload,index]
        case = cases[index]  # type: ignore[index]
        path = ("cases", index)
        line = self.document.place(path).line
        if not isinstance(case, dict):
            return self._unusable(line, {}, "a case is a mapping")
        name = str(case.get("name") or case.get("id") or f"case {index + 1}")
        wrong = self._shape(case)
        if wrong:
            return self._unusable(line, case, wrong)
        expect = case["expect"]
        assert isinstance(expect, dict)
        outcome = self._outcome(case, path)
        if isinstance(outcome, str):
            return self._unusable(line, case, outcome)
        got, failed = _compare(expect, outcome)
        return CaseResult(
            self.document.file,
            line,
            str(case["id"]) if "id" in case else None,
            name,
            not failed,
            expect,
            got,
            tuple(outcome.findings),
            tuple(failed),
        )

    def _shape(self, case: Mapping[str, Value]) -> str | None:
        unknown = [key for key in case if key not in CASE_KEYS]
        if unknown:
            return f"a case has no `{unknown[0]}`"
        expect = case.get("expect")
        if not isinstance(expect, dict) or expect.get("verdict") not in {"legal", "illegal"}:
            return "`expect` says verdict: legal or illegal"
        strange = [key for key in expect if key not in EXPECT_KEYS]
        if strange:
            return f"`expect` has no `{strange[0]}`"
        if "log" in case:
            return "a case has either a log, or given and moves" if "moves" in case else None
        if not isinstance(case.get("moves"), list):
            return "a case has a list of moves, or a log"
        return None

    def _unusable(self, line: int, case: Mapping[str, Value], why: str) -> CaseResult:
        expect = case.get("expect")
        return CaseResult(
            self.document.file,
            line,
            str(case["id"]) if "id" in case else None,
            str(case.get("name") or case.get("id") or "?"),
            passed=False,
            expected=expect if isinstance(expect, dict) else {},
            got={"verdict": "unusable", "because": why},
            failed=(why,),
        )

    def _outcome(self, case: Mapping[str, Value], path: tuple[str | int, ...]) -> Outcome | str:
        options = case.get("with") or []
        if not isinstance(options, list):
            return "`with` is a list of options"
        settings = case.get("set") or {}
        if not isinstance(settings, dict):
            return "`set` is a mapping of keys to values"
        rules = str(case["rules"]) if "rules" in case else self.rules
        if "log" in case:
            return self._log(str(case["log"]), rules, [str(one) for one in options], settings)
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
        ruleset, findings = self._ruleset(rules, tuple(str(one) for one in options), settings)
        if ruleset is None:
            return f"no ruleset: {findings[0].message if findings else rules}"
        built, wrong = build_position(given, ruleset, self.document.place, (*path, "given"))
        if built is None:
            return wrong[0].message if wrong else "the position cannot be used"
        moves = case["moves"]
        assert isinstance(moves, list)
        return play_moves(built, [str(move) for move in moves])

    def _ruleset(
        self, rules: str, options: tuple[str, ...], settings: Mapping[str, Value]
    ) -> tuple[Ruleset | None, tuple[Finding, ...]]:
        key = (rules, options, repr(settings))
        if key not in self._rulesets:
            self._rulesets[key] = load_ruleset(rules, options, settings, self.folder)
        return self._rulesets[key]

    def _log(
        self, text: str, rules: str | None, options: Sequence[str], settings: Mapping[str, Value]
    ) -> Outcome | str:
        overrides = Overrides(
            rules,
            tuple(options),
            tuple(f"{key}={_flow(value)}" for key, value in settings.items()),
            self.folder,
        )
        run = Replay(self.document.file, overrides)
        lines = list(read_lines(text))
        run.feed(lines)
        position = judge = None
        game = run.game
        if game is not None and game.hand is not None and game.hand.position is not None:
            position, judge = game.hand.position, game.judge
        report = run.finish()
        errors = [finding for finding in report.findings if finding.severity is Severity.ERROR]
        outcome = Outcome(errors, len(lines), position, judge)
        if position is not None:
            outcome.before = [0] * len(position.players)
        return outcome


def _flow(value: Value) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def play_moves(built: Built, moves: Sequence[str], *, whole: bool = True) -> Outcome:
    """Plays moves on a position, one line each; `whole`: a turn still open at the end is judged as ended there."""
    findings: list[Finding] = []
    judge, position = built.judge, built.position
    hand = HandPlay(judge, position.players, Line(0, "", None), findings.append)
    before = list(position.points)
    start = position.copy()
    hand.adopt(position)
    for line, wrong in read_lines([move.replace("\n", " ") for move in moves]):
        findings.extend(wrong)
        event = line.event
        if isinstance(event, Turn):
            seat = hand.seats.get(event.player)
            if seat is None:
                findings.append(
                    Finding(
                        "log.name",
                        f"{event.player} is not one of the players",
                        Span(line.number, event.name_column, event.name_column + len(event.player)),
                        excerpt=line.text,
                    )
                )
            else:
                hand.turn(line, event, seat)
        elif isinstance(event, Reshuffle):
            hand.reshuffle(line)
        elif isinstance(event, StockOrder):
            hand.new_stock(line, event.cards)
        elif isinstance(event, UpCard):
            hand.turn_up(line, event.card)
        elif event is not None:
            findings.append(
                Finding("log.syntax", "expected a turn here", Span(line.number, 1, 2), excerpt=line.text)
            )
    if whole and hand.referee is not None:
        hand.referee.close_turn()
    findings.sort(key=lambda finding: finding.span.line)
    return Outcome(findings, len(moves), position, judge, before, start)


def _compare(expect: Mapping[str, Value], outcome: Outcome) -> tuple[dict[str, Value], list[str]]:
    """What came out, in the words of `expect`, and the keys that differ."""
    findings = outcome.findings
    got: dict[str, Value] = {"verdict": "illegal" if findings else "legal"}
    failed: list[str] = []
    if findings:
        first = findings[0].span.line
        got["at"] = first
        by_line: dict[str, Value] = {}
        for finding in findings:
            codes = by_line.setdefault(str(finding.span.line), [])
            assert isinstance(codes, list)
            codes.append(finding.code)
        got["because"] = by_line
        if expect["verdict"] == "illegal":
            if "at" in expect and expect["at"] != first:
                failed.append("at")
            because = expect.get("because")
            if because is not None and not any(
                matches(finding.code, str(because)) for finding in findings if finding.span.line == first
            ):
                failed.append("because")
    if expect["verdict"] != got["verdict"]:
        failed.append("verdict")
        return got, failed
    if outcome.position is None or outcome.judge is None:
        return got, [
            *failed,
            *(key for key in ("then", "points", "hands", "pile", "table", "stock") if key in expect),
        ]
    facts = _Facts(outcome, outcome.judge, outcome.position)
    for key, value in expect.items():
        if key not in {"verdict", "at", "because"}:
            same, actual = facts.check(key, value)
            got[key] = actual
            if not same:
                failed.append(key)
    return got, failed


def matches(code: str, because: str) -> bool:
    """Whether a code is the one named, or of the family named."""
    return code == because or code.startswith(because + ".")


def what_follows(position: Position) -> str:
    """`over`, `floats` (the last player has no cards and the hand goes on), or `plays X`."""
    if position.ending is not GOING_ON:
        return "over"
    last = position.acted
    if last is not None and last in position.floating and not position.held[last] and position.begins:
        return "floats"
    return f"plays {position.players[position.turn.seat]}"


class _Facts:
    """What a case may ask about where its moves lead."""

    def __init__(self, outcome: Outcome, judge: Judge, position: Position) -> None:
        self.outcome = outcome
        self.judge = judge
        self.position = position
        self.seats = {name: seat for seat, name in enumerate(position.players)}

    def check(self, key: str, value: Value) -> tuple[bool, Value]:
        """Whether a fact is as expected, and what it is, in the same words."""
        if key == "then":
            follows = what_follows(self.position)
            return follows == value, follows
        if key == "stock":
            if isinstance(value, str):
                return self._stock(value)
            return self.position.stock_size == value, self.position.stock_size
        if key == "pile":
            return self._pile(str(value))
        if not isinstance(value, dict):
            return False, None
        checker = {"points": self._points, "score": self._score, "hands": self._hands, "table": self._table}[key]
        return checker(value)

    def _points(self, value: Mapping[str, Value]) -> tuple[bool, Value]:
        actual: dict[str, Value] = {}
        for name in value:
            seat = self.seats.get(name)
            if seat is not None:
                actual[name] = self.position.points[seat] - self.outcome.before[seat]
        return actual == value, actual

    def _score(self, value: Mapping[str, Value]) -> tuple[bool, Value]:
        ruleset = self.judge.ruleset
        sides = units(ruleset, self.position.players)
        scores = hand_scores(ruleset, self.judge.play.worth, self.position, sides)
        actual: dict[str, Value] = {}
        for name in value:
            members = name.split("+")
            seat = self.seats.get(members[0])
            if seat is not None:
                actual[name] = next(score for score, side in zip(scores, sides, strict=True) if seat in side)
        if self.position.ending is GOING_ON:
            return False, "the hand is not over"
        return actual == value, actual

    def _hands(self, value: Mapping[str, Value]) -> tuple[bool, Value]:
        actual: dict[str, Value] = {}
        same = True
        for name, text in value.items():
            seat = self.seats.get(name)
            if seat is None:
                same = False
                continue
            hand, unknown = self.position.hands[seat], self.position.unknown[seat]
            actual[name] = _hand_text(hand, unknown)
            expected = read_card_counts(str(text))
            if isinstance(expected, Finding):
                same = False
                continue
            known, more = expected
            same = same and counted(card for card in known if card != UNKNOWN) == hand and more == unknown
        return same, actual

    def _pile(self, text: str) -> tuple[bool, Value]:
        expected = read_card_row(text)
        actual = cards_text(self.position.pile)
        return not isinstance(expected, Finding) and list(expected) == self.position.pile, actual

    def _stock(self, text: str) -> tuple[bool, Value]:
        expected = read_card_row(text)
        known = list(reversed(self.position.stock))
        row = [*known, *[UNKNOWN] * (self.position.stock_size - len(known))]
        return not isinstance(expected, Finding) and list(expected) == row, cards_text(row)

    def _table(self, value: Mapping[str, Value]) -> tuple[bool, Value]:
        actual: dict[str, Value] = {}
        same = True
        for name, layers in value.items():
            index = int(name[1:]) - 1 if name[1:].isdigit() else -1
            if not 0 <= index < len(self.position.melds) or not isinstance(layers, dict):
                same = False
                continue
            cards = self.position.melds[index].cards
            by_player: dict[str, list[str]] = {}
            for laid in cards:
                text = played_text(Played(laid.card, laid.role))
                by_player.setdefault(self.position.players[laid.seat], []).append(text)
            actual[name] = {player: " ".join(texts) for player, texts in by_player.items()}
            same = same and set(by_player) == set(layers)
            for player, text in layers.items():
                expected = read_cards(str(text))
                mine = [laid for laid in cards if self.position.players[laid.seat] == player]
                same = same and not isinstance(expected, Finding) and same_meld(mine, expected)
        return same, actual


def _hand_text(hand: Cards, unknown: int) -> str:
    known = cards_text(each(hand))
    return f"{known} ?*{unknown}".strip() if unknown else known
