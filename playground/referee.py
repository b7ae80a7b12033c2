"""What the playground's page asks of meldref: texts go in, JSON comes out.

The page runs this module in a worker, under Pyodide; the tests run it under an ordinary Python.
What is typed lies in a folder of its own as `log.rgn` and `rules.yaml`, so a log may name the rules
beside it as any log does, and messages name the same two files. Nothing here knows a rule of the
game: every answer is the library's.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from meldref import format_log, read_lines
from meldref.answers.legal import judge_move, stops_too_soon
from meldref.answers.listing import legal_moves
from meldref.cases.run import read_cases
from meldref.core.cards import card_text, each
from meldref.core.diagnostics import Finding, errors_in
from meldref.core.effort import EFFORT
from meldref.core.events import Deal, HandStart, Header
from meldref.notation.reader import read_lines_of
from meldref.notation.roster import NOBODY, Roster
from meldref.notation.scanner import NumberedLines, lines_of
from meldref.position.model import GOING_ON, OVER, Position
from meldref.positions.build import Built
from meldref.positions.load import read_position
from meldref.replay.log import Overrides, Replay, stand_before
from meldref.replay.result import LogReport
from meldref.report.json import finding_data
from meldref.report.judgement import judgement_text
from meldref.report.position_file import NotWritable, position_file, position_text
from meldref.report.scored import sheet_text
from meldref.report.tally import Audited
from meldref.report.text import heading, notes_of
from meldref.report.verdicts import verdict_lines
from meldref.rulefiles.files import Found, list_rulesets
from meldref.rulefiles.load import load_ruleset
from meldref.rulefiles.shelf import RulesetCache
from meldref.rulefiles.vocabulary import describe_key, list_keys
from meldref.rules.pages import PAGES
from meldref.ruleset.model import Ruleset
from meldref.scoring.counting import score_sheets
from meldref_authoring.autofix import fix
from meldref_authoring.cookbook import offered
from meldref_authoring.difference import compare_meaning
from meldref_authoring.example.search import find_example
from meldref_authoring.lint import Basis, review
from meldref_authoring.report.differences import differences_text
from meldref_authoring.rulebook import as_html, as_section, make_rulebook, origins_in
from meldref_authoring.wizard import (
    QUESTIONS,
    House,
    StartingGame,
    check_answer,
    start_from,
    write_house,
)
from meldref_evidence.explaining import WEIGHING, RecordExplainer
from meldref_evidence.inferring.corpus import Corpus, PlayedLog, log_of
from meldref_evidence.inferring.infer import infer_rules, name_from
from meldref_evidence.inferring.writing import text_of
from meldref_table.best_plays import legal_turns
from meldref_table.report.picture import position_svg
from meldref_table.report.viewer.film import Recorder
from meldref_table.report.viewer.page import FilmedLog, page_of
from meldref_table.sitting import Sitting, as_said, words_of

LOG: Final = "log.rgn"
EXPLAINER: Final = RecordExplainer()
RULES: Final = "rules.yaml"
MOST_MOVES: Final = 300
"""The most legal moves that are listed."""
MOST_TURNS: Final = 10
"""The most whole turns that are listed."""
MOVE_STEPS: Final = 100_000
"""How much is searched for legal moves."""
HASTE: Final = 4000
"""How much effort goes into the findings of a log while it is typed."""
LINES_AT_ONCE: Final = 400
"""How many lines of a log are judged before another question may be asked,"""
FILMED_AT_ONCE: Final = 60
"""and how many are filmed."""
MOST_BEGINNINGS: Final = 100
"""Of how many hands of a log their beginning is kept, to judge the log anew from there."""
MOST_FINDINGS: Final = 200
"""The most findings that are put into words."""
EXAMPLE_WALKS: Final = 40
"""How many short games are made up for an example of two rulesets that differ."""
MOST_PLAYED: Final = 2_000
"""From so many lines rules are found, in a minute or two."""
BASE: Final = "500-rummy"

_FOLDER: Final = Path(tempfile.mkdtemp(prefix="playground-"))
_shelves: dict[str, RulesetCache] = {}
"""The rulesets that logs ask for, by the text of the rules beside them; those of one text are kept."""


def answer(question: str, arguments: str) -> str:
    """Answers one question of the page, given and returned as JSON."""
    return json.dumps(QUESTIONS_OF_THE_PAGE[question](**json.loads(arguments)))


# --- what there is to choose from -----------------------------------------------------------------


def shelf() -> dict[str, Any]:
    """The games and options that ship, and the questions of a new rules file."""
    return {
        "rulesets": [
            {"id": ruleset.id, "name": ruleset.name, "type": ruleset.type}
            for ruleset in list_rulesets()
        ],
        "questions": [
            {
                "name": question.name,
                "text": question.text,
                "answers": [
                    {"word": choice.word, "text": choice.text} for choice in question.answers
                ],
            }
            for question in QUESTIONS
        ],
        "recipes": [{"id": recipe.id, "text": recipe.say} for recipe in offered()],
    }


# --- a log ----------------------------------------------------------------------------------------


class Begun(NamedTuple):
    """A log at the beginning of a hand: how many lines were read, and whether anything was judged in haste."""

    lines: int
    rushed: bool
    roster: Roster
    run: Replay


class Draft:
    """A log while it is written: read and judged anew from the beginning of the hand in which it was changed.

    In haste, little effort goes into what probably happened and what would have been legal, and
    what is found may be `rushed`.
    """

    def __init__(self) -> None:
        self._rules = ""
        self._lines: list[str] = []
        self._beginnings: list[Begun] = []
        self._changed = 0
        self._hasty = False
        self._start_at(Begun(0, False, NOBODY, Replay(LOG, explainer=EXPLAINER)))

    def write(self, log: str, rules: str, *, hasty: bool) -> None:
        """Takes over the log as it is now."""
        before, self._lines = self._lines, [*lines_of(log)]
        same_at_first, same_at_last = _alike(before, self._lines)
        if rules != self._rules:
            self._rules, same_at_first, same_at_last = rules, 0, len(self._lines)
        self._beginnings = [
            begun
            for begun in self._beginnings
            if begun.lines <= same_at_first and (hasty or not begun.rushed)
        ]
        self._changed = len(self._lines) - same_at_last
        self._hasty = hasty
        fresh = Begun(
            0, False, NOBODY, Replay(LOG, _overrides(rules), _shelf(rules), explainer=EXPLAINER)
        )
        self._start_at(self._beginnings[-1] if self._beginnings else fresh)

    def _start_at(self, begun: Begun) -> None:
        """Goes on behind the lines that were read there; of those to come, each is read when it is its turn."""
        self._at, self._rushed, self._roster, run = begun
        self._run = run.fork()
        to_come = NumberedLines(enumerate(self._lines[self._at :], self._at + 1))
        self._reads = read_lines_of(self._roster, to_come)

    def go_on(self) -> dict[str, Any]:
        """Judges the hands that were changed, or some more; with the last of them comes the whole report."""
        with EFFORT.at_most(HASTE if self._hasty else sys.maxsize):
            more = self._at + LINES_AT_ONCE if self._at > self._changed else self._changed
            judged = self._play(more)
            findings = self._run.so_far.findings
            report = self._run.report if judged else self._run.finish()
            self._rushed = self._rushed or EFFORT.over
        if not judged:
            return {"done": True, "rushed": self._rushed, **_report(report)}
        marks = [_place(finding) for finding in findings if finding.span.line <= judged]
        return {"done": False, "judged": judged, "marks": marks}

    def _play(self, enough: int) -> int:
        """Plays on to the first hand behind enough lines; how many lines are judged, 0 for all of them."""
        often = len(self._lines) // MOST_BEGINNINGS
        for read in self._reads:
            self._run.feed((read,))
            self._at += 1
            event = read[0].event
            if isinstance(event, Header) and event.key == "Players":
                self._roster = Roster.of(event)
            if isinstance(event, HandStart):
                last = self._beginnings[-1].lines if self._beginnings else 0
                if self._at - last > often:
                    rushed = self._rushed or EFFORT.over
                    fork = self._run.fork()
                    self._beginnings.append(Begun(self._at, rushed, self._roster, fork))
                if self._at > enough:
                    return self._at - 1
        return 0


_draft: Final = Draft()


def draft(log: str | None = None, rules: str = "", *, hasty: bool = True) -> dict[str, Any]:
    """Judges the log that is being written, first the hands that were changed; without one, goes on."""
    if log is not None:
        _draft.write(log, rules, hasty=hasty)
    return _draft.go_on()


class Film:
    """A report's page under way: some lines at a time, since other questions are answered in between."""

    def __init__(self, log: str, rules: str) -> None:
        self._run = Replay(LOG, _overrides(rules), _shelf(rules), explainer=EXPLAINER)
        self._reads = read_lines(log)
        self._recorder = Recorder()

    def go_on(self) -> dict[str, Any]:
        """Plays some more lines; the page comes with the last of them."""
        run, recorder = self._run, self._recorder
        some = [*islice(self._reads, FILMED_AT_ONCE)]
        for read in some:
            recorder.feed(run, read)
        if some:
            return {"done": False}
        report = run.finish()
        recorder.finish(run)
        page = "".join(page_of([FilmedLog(Audited(report), recorder.hands)], rulebook=as_section))
        return {"done": True, "page": page}


_films: dict[str, Film] = {}
"""The films under way, by what they are for."""


def film(purpose: str, log: str | None = None, rules: str = "") -> dict[str, Any]:
    """Begins a film of a log, in the place of another for the same purpose; without one, goes on."""
    if log is not None:
        _films[purpose] = Film(log, rules)
    return _films[purpose].go_on()


def _report(report: LogReport) -> dict[str, Any]:
    return {
        "verdict": report.verdict,
        "hands": report.hands,
        "turns": report.turns,
        "errors": len(errors_in(report.findings)),
        "marks": [_place(finding) for finding in report.findings],
        "findings": [_finding(finding, LOG) for finding in report.findings[:MOST_FINDINGS]],
        "open": [
            {"line": question.line, "what": question.what}
            for question in report.open[:MOST_FINDINGS]
        ],
    }


def _place(finding: Finding) -> dict[str, Any]:
    """Where a finding is underlined."""
    span = finding.span
    return {
        "file": finding.file,
        "line": span.line,
        "column": span.column,
        "end_column": span.end_column,
        "severity": finding.severity,
    }


def _alike(before: Sequence[str], now: Sequence[str]) -> tuple[int, int]:
    """How many lines are the same at the beginning, and how many of the others at the end."""
    most = min(len(before), len(now))
    first = next((at for at in range(most) if before[at] != now[at]), most)
    last = next((at for at in range(most - first) if before[~at] != now[~at]), most - first)
    return first, last


def tidy(log: str) -> dict[str, Any]:
    """A log in canonical form, unless a line of it cannot be read."""
    reads = list(read_lines(log))
    findings = [finding for _, of_line in reads for finding in of_line]
    if errors_in(findings):
        return {"text": None, "findings": [_finding(finding, LOG) for finding in findings]}
    return {"text": "".join(format_log(line for line, _ in reads)), "findings": []}


def position_in_log(log: str, line: int, rules: str = "") -> dict[str, Any]:
    """Where a log stands before a line, as a position to go on from."""
    built, findings = stand_before(read_lines(log), line, LOG, _overrides(rules), EXPLAINER)
    if built is None:
        return _unusable(findings, LOG)
    return {"verdict": "position", "findings": [], **_table(built, {})}


# --- rules ----------------------------------------------------------------------------------------


def check(rules: str) -> dict[str, Any]:
    """Everything that is wrong with a rules file, and what its own cases say."""
    findings = _reviewed(rules.encode())
    cases: list[dict[str, Any]] = []
    if not errors_in(findings):
        cases = _cases(rules)
    return {
        "verdict": "errors" if errors_in(findings) else "warnings" if findings else "clean",
        "findings": [_finding(finding, RULES) for finding in findings],
        "cases": cases,
    }


def fixed(rules: str) -> dict[str, Any]:
    """A rules file with everything fixed that is beyond doubt."""
    better = fix(rules.encode(), _reviewed, RULES)
    changes = () if better is None else better.changes
    return {
        "text": rules if better is None else better.text,
        "changes": [
            {"why": change.finding.message, "before": change.before, "after": change.after}
            for change in changes
        ],
    }


def booklet(rules: str) -> dict[str, Any]:
    """The rulebook of a rules file, as a page."""
    ruleset, findings = _loaded(rules)
    if ruleset is None:
        return _unusable(findings, RULES)
    return {
        "verdict": "clean",
        "findings": [],
        "page": as_html(make_rulebook(ruleset), origins_in(ruleset)),
    }


def compare(rules: str, other: str = BASE) -> dict[str, Any]:
    """What a rules file changes against a shipped game, with a short game that shows it."""
    ruleset, findings = _loaded(rules)
    game, missing = load_ruleset(other)
    if ruleset is None or game is None:
        return _unusable((*findings, *missing), RULES)
    differences = compare_meaning(game, ruleset)
    text = "\n".join(differences_text((other, RULES), differences, quiet=False))
    example = None if differences.same else find_example(game, ruleset, EXAMPLE_WALKS, 1)[0]
    shown = None
    if example is not None:
        shown = {
            "log": example.text,
            "legal_by": (other, RULES)[example.clean],
            "finding": _finding(example.finding, LOG),
        }
    return {"verdict": "clean", "findings": [], "text": text, "example": shown}


def infer(logs: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """The rules that logs, each a `name` and a `text`, were played by: a rules file, and from how many of them.

    Of more than `MOST_PLAYED` lines the rest is left out; the text is empty where no log has a turn.
    """
    played: list[PlayedLog] = []
    lines = 0
    for log in logs:
        one = log_of(log["name"], read_lines(log["text"]))
        lines += len(one.lines)
        if not one.why_not and (lines <= MOST_PLAYED or not played):
            played.append(one)
    text = text_of(infer_rules(Corpus(tuple(played))), name_from(None)) if played else ""
    return {"text": text, "logs": len(played)}


def new_rules(
    game: str, name: str, answers: Mapping[str, str], recipes: Sequence[str]
) -> dict[str, Any]:
    """A rules file from the answers to the ten questions; or which of them cannot be."""
    table = start_from(game)
    if not isinstance(table, StartingGame):
        return {"text": None, "wrong": [finding.message for finding in table]}
    asked = {question.name: question for question in QUESTIONS}
    given: dict[str, str | int] = {}
    wrong: list[str] = []
    for word, said in answers.items():
        try:
            given[word] = check_answer(asked[word], said)
        except ValueError as reason:
            wrong.append(f"{asked[word].text} {reason}")
    if wrong:
        return {"text": None, "wrong": wrong}
    chosen = [recipe for recipe in offered() if recipe.id in recipes]
    written = write_house(
        House("our-house", name or "Our house", game=table.id), table, given, chosen
    )
    if isinstance(written, str):
        return {"text": written, "wrong": []}
    return {"text": None, "wrong": [clash.message for clash in written]}


def complete(before: str) -> list[dict[str, str]]:
    """What may follow in a rules file after some text: keys of the section it stands in, or words of its key."""
    *lines, last = before.split("\n")
    key, colon, begun = last.partition(":")
    above = _sections(lines, len(last) - len(last.lstrip()))
    if colon:
        described = describe_key(".".join([*above, key.strip()]))
        words = () if described is None else described.words
        begun = begun.strip()
        return [
            {"text": str(word.value), "from": begun, "about": word.text}
            for word in words
            if str(word.value).startswith(begun)
        ]
    prefix = "".join(f"{section}." for section in above)
    begun = last.strip()
    found: dict[str, str] = {}
    for described in list_keys():
        rest = described.path.removeprefix(prefix) if described.path.startswith(prefix) else ""
        word, dot, _ = rest.partition(".")
        if word.startswith(begun) and word.isidentifier():
            found.setdefault(word, "" if dot else described.text)
    return [{"text": f"{word}: ", "from": begun, "about": about} for word, about in found.items()]


def _sections(lines: Sequence[str], indent: int) -> list[str]:
    """The keys of the sections around a line of a YAML text, outermost first."""
    above: list[str] = []
    for line in reversed(lines):
        depth = len(line) - len(line.lstrip())
        if line.strip() and not line.lstrip().startswith(("#", "-")) and depth < indent:
            above.insert(0, line.partition(":")[0].strip())
            indent = depth
    return above


# --- a move ---------------------------------------------------------------------------------------


def judge(position: str, move: str = "", rules: str = "", rules_named: str = "") -> dict[str, Any]:
    """Judges a move at a position, and lists what may be done there.

    `rules` is the text of a rules file; without it, `rules_named` are a shipped game and options,
    `a+b`, over what the position names.
    """
    built, findings, named = _position(position, rules, rules_named)
    if built is None:
        return _unusable(findings, "position.yaml")
    data: dict[str, Any] = {"verdict": "position", "findings": [], **_table(built, named)}
    if not move.strip():
        return data
    judgement = judge_move(built, move)
    data.update(
        verdict=judgement.verdict,
        unfinished=judgement.unfinished,
        findings=[_finding(finding, "") for finding in judgement.findings],
        text="\n".join(judgement_text(judgement)),
        points=judgement.points,
        then=judgement.then,
        open=list(judgement.open),
    )
    if not judgement.findings:
        data["after"] = _table(judgement.after, named)
    return data


def _position(
    text: str, rules: str, rules_named: str
) -> tuple[Built | None, tuple[Finding, ...], dict[str, object]]:
    """A position, what is wrong with it, and the rules that it is to be written with again."""
    if rules.strip():
        _write(rules)
        built, findings = read_position(text, "position.yaml", _found(), beside=_FOLDER)
        return built, findings, {"rules": f"./{RULES}"}
    game, *options = rules_named.split("+") if rules_named else (None,)
    built, findings = read_position(text, "position.yaml", game, tuple(options), beside=_FOLDER)
    named: dict[str, object] = {}
    if game is not None:
        named["rules"] = game
    if options:
        named["with"] = options
    return built, findings, named


def _table(built: Built, named: Mapping[str, object]) -> dict[str, Any]:
    """A position as the page shows it: a picture, as a file, what may be done, and what to say it with."""
    position, judge = built.position, built.judge
    over = position.ending is not GOING_ON
    try:
        file = None if over else position_file(built, named)
    except NotWritable:
        file = None
    with EFFORT.at_most(MOVE_STEPS):
        moves = legal_moves(built, MOST_MOVES)
    with EFFORT.at_most(MOVE_STEPS):
        turns = legal_turns(built, MOST_TURNS)[0] if position.begins else []
    return {
        "to_move": None if over else position.players[position.turn.seat],
        "over": over,
        "svg": position_svg(position),
        "file": file,
        "position": "" if file is None else "\n".join(position_text(file)),
        "copies": {card_text(card): copies for card, copies in enumerate(judge.copies)},
        "words": _words(position, judge.ruleset),
        "moves": [{"move": as_said(move.move), "points": move.points} for move in moves],
        "turns": [{"move": turn.move, "points": turn.points} for turn in turns],
    }


def _words(position: Position, ruleset: Ruleset) -> list[dict[str, Any]]:
    """What the player whose turn it is may name in a move: words, and cards and melds that are in sight."""
    seat = position.turn.seat
    melds = [f"m{number}" for number, meld in enumerate(position.melds, start=1) if meld.cards]
    hand = [card_text(card) for card in each(position.hands[seat])]
    pile = [card_text(card) for card in position.pile] if position.pile_known else []
    return [
        {"name": "Words", "words": [*words_of(ruleset), ";"]},
        {"name": f"{position.players[seat]}'s hand", "words": hand},
        {"name": "Pile", "words": pile},
        {"name": "Melds", "words": melds},
    ]


# --- a game at the table --------------------------------------------------------------------------


def begin(players: Sequence[str], rules_named: str = BASE, rules: str = "") -> dict[str, Any]:
    """The first lines of a new log; `rules` is the text of a rules file, which the log names."""
    from meldref.notation.writer import write_event
    from meldref_table.simulate import LogSource, cannot_play
    from meldref_table.simulate.playing import headers

    game, *options = rules_named.split("+")
    if rules.strip():
        ruleset, findings = _loaded(rules)
        source = LogSource(f"./{RULES}")
    else:
        ruleset, findings = load_ruleset(game, options)
        source = LogSource(game, tuple(options))
    names = [name.strip() for name in players if name.strip()]
    wrong = [finding.message for finding in errors_in(findings)]
    if ruleset is not None:
        if len(set(names)) < len(names):
            wrong.append("each player has a name of their own")
        elif (reason := cannot_play(ruleset, len(names))) is not None:
            wrong.append(reason)
    if wrong:
        return {"lines": None, "wrong": wrong}
    return {"lines": [write_event(line) for line in headers(source, names)], "wrong": []}


def sit(
    lines: Sequence[str],
    seed: int,
    say: str = "",
    rules: str = "",
    seen_by: str = "",
    *,
    insist: bool = False,
) -> dict[str, Any]:
    """Takes a line, or one of `deal`, `undo`, `end` and `reshuffle`, into a log that is being written.

    What comes back is the log, what is wrong, and the table as `seen_by` sees it: other hands are
    covered, and no card of the stock is named.
    """
    if rules.strip():
        _write(rules)
    sitting = Sitting(LOG, lines, Overrides(beside=_FOLDER), seed, WEIGHING)
    deeds = {
        "undo": sitting.undo,
        "deal": sitting.deal,
        "end": sitting.end,
        "reshuffle": sitting.shuffle,
    }
    before = len(sitting.lines)
    findings: tuple[Finding, ...] = ()
    if say in deeds:
        findings = deeds[say]()
    elif say.strip():
        findings = sitting.say(say, insist=insist)
    mover = sitting.mover()
    position = sitting.as_seen(seen_by or None)
    sees = mover is not None and seen_by == mover
    ruleset = None if sitting.game is None else sitting.game.ruleset
    sheets, _ = score_sheets(
        read_lines(sitting.lines), Replay(LOG, sitting.run.overrides, explainer=EXPLAINER)
    )
    return {
        "lines": sitting.lines,
        "written": len(sitting.lines) - before,
        "told": _told(sitting, sitting.lines[before:], seen_by if sees else None),
        "verdict": _verdict(findings),
        "findings": [
            _finding(sitting.may_know(finding, seen_by or None), LOG) for finding in findings
        ],
        "mover": mover,
        "players": [] if sitting.game is None else list(sitting.game.players),
        "score": "\n".join(line for sheet in sheets[-1:] for line in sheet_text(sheet)),
        "possible": _possible(position),
        "svg": "" if position is None else position_svg(position),
        "words": _words(position, ruleset) if sees and position and ruleset else [],
        "moves": sitting.moves() if sees else [],
        "last": _last(sitting, seed),
    }


def _verdict(findings: Sequence[Finding]) -> str:
    """Whether a line is `legal` or `illegal`, or cannot be read: `unfinished` if more has to follow."""
    if any(finding.code == "log.syntax" for finding in findings):
        return "unfinished" if stops_too_soon(findings) else "unreadable"
    return "illegal" if errors_in(findings) else "legal"


def _possible(position: Position | None) -> list[str]:
    """Which of `deal`, `end` and `reshuffle` there is a reason for now."""
    if position is None or position.ending is OVER:
        return ["deal"]
    if position.ending is not GOING_ON:
        return ["end"]
    return [] if position.stock_size else ["reshuffle"]


def _last(sitting: Sitting, seed: int) -> str:
    """What would be taken back from a log, in words that everybody may read; empty if nothing would."""
    again = Sitting(LOG, sitting.lines, sitting.run.overrides, seed, WEIGHING)
    if again.undo():
        return ""
    if any(isinstance(event, Deal) for event in again.taken_back):
        return "the deal"
    return "; ".join([again.as_told(event, None) or "" for event in again.taken_back])


def _told(sitting: Sitting, lines: Sequence[str], name: str | None) -> str:
    """Lines of a log as a player may see them, or with no name anybody; what only says how cards lie is left out."""
    events = [line.event for line, _ in read_lines(lines)]
    seen = [sitting.as_told(event, name) for event in events if event is not None]
    return "; ".join([text for text in seen if text is not None])


# --- what these share -----------------------------------------------------------------------------


def _write(rules: str) -> None:
    (_FOLDER / RULES).write_text(rules, encoding="utf-8")


def _found() -> Found:
    return Found(_FOLDER / RULES, RULES)


def _overrides(rules: str) -> Overrides:
    """By which rules a log is judged: those of the page where there are any, else those that it names."""
    if not rules.strip():
        (_FOLDER / RULES).unlink(missing_ok=True)
        return Overrides(beside=_FOLDER)
    _write(rules)
    return Overrides(_found(), beside=_FOLDER)


def _shelf(rules: str) -> RulesetCache:
    """The rulesets as they are with these rules."""
    if rules not in _shelves:
        _shelves.clear()
        _shelves[rules] = RulesetCache()
    return _shelves[rules]


def _loaded(rules: str) -> tuple[Ruleset | None, tuple[Finding, ...]]:
    _write(rules)
    return load_ruleset(_found(), (), (), _FOLDER)


def _reviewed(data: bytes) -> tuple[Finding, ...]:
    return review(Found(_FOLDER / RULES, RULES, text=data), data, Basis())


def _cases(rules: str) -> list[dict[str, Any]]:
    """How the cases of a rules file come out; none where it has none."""
    _write(rules)
    file, _ = read_cases(_found(), explainer=EXPLAINER)
    if file is None:
        return []
    results = [file.run(index) for index in range(len(file.cases))]
    return [
        {
            "line": result.line,
            "name": result.name,
            "passed": result.passed,
            "text": "" if result.passed else "\n".join(verdict_lines(result)),
        }
        for result in results
    ]


def _finding(finding: Finding, file: str) -> dict[str, Any]:
    """A finding in words: its heading, the line it is about, the facts, and what `explain` says of its code."""
    data: dict[str, Any] = finding_data(finding, file)
    page = PAGES.get(finding.code)
    data["heading"] = heading(finding, file=data.get("file", file))
    data["excerpt"] = finding.excerpt
    data["facts"] = [*notes_of(finding, more=False)]
    data["page"] = None if page is None else {"means": page.means, "why": page.why}
    data["edits"] = [
        {
            "line": edit.line,
            "column": edit.column,
            "end_line": edit.end_line,
            "end_column": edit.end_column,
            "text": edit.text,
        }
        for edit in finding.edits
    ]
    return data


def _unusable(findings: Iterable[Finding], file: str) -> dict[str, Any]:
    return {"verdict": "unusable", "findings": [_finding(finding, file) for finding in findings]}


QUESTIONS_OF_THE_PAGE: Final = {
    function.__name__: function
    for function in (
        *(
            shelf,
            draft,
            film,
            tidy,
            position_in_log,
            check,
            fixed,
            booklet,
            compare,
            infer,
            new_rules,
            complete,
        ),
        *(judge, begin, sit),
    )
}
