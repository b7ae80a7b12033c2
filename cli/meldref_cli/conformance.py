"""`meldref conformance`: holds another program to the cases."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from meldref.core.diagnostics import errors_in
from meldref.core.meant import did_you_mean
from meldref.core.resources import data_path
from meldref.core.safe_files import system_words
from meldref.core.text import many, one_line
from meldref.report.verdicts import case_text
from meldref_cli import completing, options, output
from meldref_cli.errors import CLEAN, UNUSABLE, WRONG, Unusable
from meldref_cli.files import expand_all, read_document
from meldref_cli.progress import Bar
from meldref_cli.writing import deliver_data, folder_to_write, write_file

if TYPE_CHECKING:
    from meldref_authoring.conformance.kit import Question
    from meldref_authoring.conformance.run import Answered

_ENDINGS: Final = (".yaml", ".yml", ".json")
_SCHEMA: Final = "docs/conformance.schema.json"
_SHOWN: Final = 20
"""How many wrong answers are shown without --verbose."""

_Command = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="-- COMMAND...", help="The program to ask, with its arguments, after two dashes."
    ),
]
_Cases = Annotated[
    list[str] | None,
    typer.Option(
        "--cases",
        metavar="FILE|DIR",
        help="Cases to ask in place of those that ship. Repeatable.",
    ),
]
_Rules = Annotated[
    list[str] | None,
    typer.Option(
        "--rules",
        metavar="ID",
        autocompletion=completing.rulesets,
        help="Ask only cases about this game. Repeatable.",
    ),
]
_Only = Annotated[
    str | None,
    typer.Option(
        "--only",
        metavar="KEYS",
        help="Compare only these, such as verdict or verdict,points.",
    ),
]
_Limit = Annotated[
    float,
    typer.Option("--limit-time", metavar="SECONDS", min=0.1, help="The time for each answer."),
]
_Strict = Annotated[
    bool, typer.Option("--strict", help="Exit with 1 also if the program skips a case.")
]
_Export = Annotated[
    str | None,
    typer.Option(
        "--export", metavar="DIR", help="Write the questions and the right answers as JSON Lines."
    ),
]
_Schema = Annotated[
    bool, typer.Option("--schema", help="Print the JSON Schema of the protocol and of the kit.")
]
_Serve = Annotated[
    bool, typer.Option("--serve", help="Be the program that is asked, and answer as meldref does.")
]


def conformance(
    command: _Command = None,
    cases: _Cases = None,
    rules: _Rules = None,
    only: _Only = None,
    limit_time: _Limit = 10,
    strict: _Strict = False,
    export: _Export = None,
    force: options.Force = False,
    schema: _Schema = False,
    serve: _Serve = False,
    quiet: options.Quiet = False,
    verbose: options.MoreDetail = False,
) -> int:
    """Asks another program every case, and says what it gets wrong.

    The program reads questions from its standard input and writes answers to its standard
    output, a line of JSON each. It may skip what it does not know.

    Exit status: 0 no wrong answer, 1 wrong answers, 2 the program cannot be asked.

    Examples:
      meldref conformance -- node referee.js
      meldref conformance --rules 500-rummy --only verdict -- ./referee
      meldref conformance --export kit
    """
    if [bool(command), export is not None, schema, serve].count(True) != 1:
        raise Unusable("give either the program to ask, after --, or --export, --schema or --serve")
    if schema:
        return deliver_data(_SCHEMA, None, force=force, quiet=quiet)
    if serve:
        return _answer_questions()
    keys = _keys(only)
    questions = _questions(cases, rules)
    if export is not None:
        return _write_kit(questions, export, force=force, quiet=quiet)
    tally = _Tally(quiet=quiet, verbose=verbose)
    try:
        _ask(command or (), questions, keys, limit_time, tally)
    finally:
        tally.end()
    return tally.status(strict=strict)


def _answer_questions() -> int:
    from meldref_authoring.conformance.reference import answers
    from meldref_evidence.explaining import RecordExplainer

    for answer in answers(sys.stdin, RecordExplainer()):
        output.write(answer)
        sys.stdout.flush()
    return CLEAN


def _keys(only: str | None) -> tuple[str, ...]:
    from meldref_authoring.conformance.kit import KEYS

    if only is None:
        return KEYS
    keys = tuple(key.strip() for key in only.split(",") if key.strip())
    for key in keys:
        if key not in KEYS:
            raise Unusable(f"--only: no case says {one_line(key)}{did_you_mean(key, KEYS)}")
    return keys


def _questions(cases: Sequence[str] | None, rules: Sequence[str] | None) -> list[Question]:
    """The questions of the cases that were named, or of those that ship, about the games named."""
    from meldref.cases.run import read_cases
    from meldref.rulefiles.files import Found
    from meldref_authoring.conformance.kit import questions

    asked = [str(data_path("tests", "cases"))] if cases is None else cases
    paths, wrong = expand_all(asked, _ENDINGS)
    if wrong:
        raise Unusable(*wrong)
    found: list[Question] = []
    for path in paths:
        name = Path(path).name if cases is None else path
        file, findings = read_cases(Found(Path(path), name, text=read_document(path)))
        if file is None:
            raise Unusable(f"{path}: {errors_in(findings)[0].message}")
        found += questions(file, name)
    games = {question.rules for question in found}
    for game in rules or ():
        if game not in games:
            raise Unusable(f"--rules: no case is about {one_line(game)}{did_you_mean(game, games)}")
    return [question for question in found if not rules or question.rules in rules]


def _ask(
    command: Sequence[str],
    questions: Sequence[Question],
    keys: Sequence[str],
    limit: float,
    tally: _Tally,
) -> None:
    from meldref_authoring.conformance.program import Silence
    from meldref_authoring.conformance.run import asked

    name = one_line(command[0])
    try:
        with Bar(len(questions), wanted=not tally.quiet, doing="asking") as bar:
            for answered in asked(command, questions, keys=keys, limit=limit):
                tally.add(answered)
                bar.tick(1)
    except Silence as silence:
        raise Unusable(f"{name} cannot be asked: {silence}") from silence
    except OSError as fault:
        raise Unusable(f"{name} cannot be started: {system_words(fault)}") from fault


class _Tally:
    """What a program got right and wrong, told as it comes and counted by game."""

    def __init__(self, *, quiet: bool, verbose: bool) -> None:
        self.quiet = quiet
        self._verbose = verbose
        self._shown = 0
        self._by_game: dict[str, Counter[str]] = {}
        self._all: Counter[str] = Counter()

    def add(self, answered: Answered) -> None:
        """One more answer."""
        self._by_game.setdefault(answered.question.rules, Counter())[answered.mark] += 1
        self._all[answered.mark] += 1
        if answered.mark not in {"wrong", "failed"}:
            return
        self._shown += 1
        if self._verbose or self._shown <= _SHOWN:
            for line in _told(answered, quiet=self.quiet):
                output.write(line)

    def end(self) -> None:
        """Tells the counts."""
        if self._shown > _SHOWN and not self._verbose:
            output.write(f"{many(self._shown - _SHOWN, 'more case')}: --verbose shows all")
            output.write("")
        if self._all and not self.quiet:
            for line in _table(self._by_game, self._all):
                output.write(line)

    def status(self, *, strict: bool) -> int:
        """The exit status."""
        if not self._all:
            return UNUSABLE
        bad = self._all["wrong"] + self._all["failed"] + (self._all["skipped"] if strict else 0)
        return WRONG if bad else CLEAN


def _told(answered: Answered, *, quiet: bool) -> Iterator[str]:
    """A wrong answer, beside the right one; or why there is none."""
    from meldref.cases.run import CaseResult
    from meldref_authoring.conformance.kit import KEYS

    question, answer = answered.question, answered.answer
    if answered.mark == "failed":
        name = question.name or question.id
        yield f"{question.file}:{question.line}: no answer: {one_line(name)}"
        if not quiet:
            yield f"  = {one_line(answered.why)}"
            yield ""
        return
    got = {key: answer[key] for key in KEYS if key in answer}
    if "because" in got:
        codes = got["because"] if isinstance(got["because"], list) else [got["because"]]
        got["because"] = {str(got.get("at")): codes}
    result = CaseResult(
        question.file,
        question.line,
        question.id,
        question.name,
        passed=False,
        expected=question.expected,
        got=got,
        failed=answered.differs,
    )
    yield from case_text(question.file, result, output.style_for(), quiet=quiet)


def _table(by_game: dict[str, Counter[str]], all_: Counter[str]) -> Iterator[str]:
    """The counts by game, and of all."""
    marks = ("right", "wrong", "skipped", "failed")
    rows = [(game or "-", by_game[game]) for game in sorted(by_game)]
    rows += [("all", all_)] if len(rows) > 1 else []
    names = max(len(name) for name, _ in rows)
    widths = [max(len(mark), *(len(f"{row[mark]:,}") for _, row in rows)) for mark in marks]
    heads = (f"{mark:>{width}}" for mark, width in zip(marks, widths, strict=True))
    yield f"{'':{names}}  {'  '.join(heads)}"
    for name, row in rows:
        cells = (f"{row[mark]:>{width},}" for mark, width in zip(marks, widths, strict=True))
        yield f"{name:{names}}  {'  '.join(cells)}"


def _write_kit(questions: Sequence[Question], folder: str, *, force: bool, quiet: bool) -> int:
    """The kit: rulesets, questions with their answers, and the schema of all of it."""
    into = folder_to_write(folder)
    rulesets: dict[str, int] = {}
    lines: list[str] = []
    for question in questions:
        number = None
        if question.ruleset is not None:
            number = rulesets.setdefault(json.dumps(question.ruleset), len(rulesets) + 1)
        kept = {"file": question.file, "line": question.line, "name": question.name}
        entry = {**kept, "ruleset": number, "case": question.case, "expected": question.expected}
        if question.takes("open") and question.expected["verdict"] != "open":
            entry["open_too"] = True
        lines.append(json.dumps(entry) + "\n")
    said = (
        json.dumps({"id": number, **json.loads(text)}) + "\n" for text, number in rulesets.items()
    )
    schema = data_path(_SCHEMA).read_text(encoding="utf-8")
    files: dict[str, Iterable[str]] = {
        "rulesets.jsonl": said,
        "cases.jsonl": lines,
        "schema.json": [schema],
    }
    for name in files:
        if (into / name).exists() and not force:
            raise Unusable(f"{into / name} exists; --force overwrites it")
    for name, texts in files.items():
        write_file(str(into / name), texts)
    if not quiet:
        output.notice(f"{folder}: {many(len(lines), 'case')}, {many(len(rulesets), 'ruleset')}")
    return CLEAN
