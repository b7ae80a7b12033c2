"""Runs what a page shows: commands, rules, logs, positions, cases, programs; one way for each language."""

from __future__ import annotations

import contextlib
import doctest
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from blocks import ROOT, Block, Shell, answer, blocks_of, like, matches, screen, steps_of
from case_checks import run_file
from meldref.core.diagnostics import Finding, Severity, Span
from meldref.documents.reader import read_yaml
from meldref.notation.reader import read_lines
from meldref.positions.build import build_position
from meldref.replay.log import Overrides, Replay, as_expected
from meldref.rulefiles.files import find
from meldref.rulefiles.load import load_ruleset
from meldref_authoring.lint import Basis, review
from meldref_evidence.explaining import RecordExplainer

DIRECTIVES = ("{toctree}", "{include}", "{eval-rst}")
"""What Sphinx makes of a block; the site is built without a warning, which is their test."""

INSTALLS = re.compile(
    r"(\w+=\S* )*(python3 -m venv|uv venv|uv pip install|(\S*/)?pip (install|wheel)|pipx install)\b"
)
OF_OTHERS = ("repos", "jobs", "on")
"""Keys that make YAML the configuration of another program: only read."""


class PageRun:
    """One page under test: its blocks share a folder and, where they are Python, their names."""

    def __init__(self, name: str, page: str, folder: Path) -> None:
        self.name = name
        self.page = page
        self.folder = folder
        self.shell = Shell(folder)
        self.names: dict[str, object] = {"__name__": "page"}
        self.printed = ""
        self.answer: str | None = None
        self.problems: list[str] = []

    def run(self) -> list[str]:
        """What does not hold of the page, each with its line; nothing where all does."""
        for block in blocks_of(self.page):
            self.shell.write(block)
            left_out = block.needs is not None and find_spec(block.needs) is None
            if block.language in DIRECTIVES or left_out:
                continue
            if block.language != "json":
                self.answer = None
            check = CHECKS.get(block.language)
            if check is None:
                said = (
                    f"blocks of `{block.language}` are not tested"
                    if block.language
                    else "a block has no language"
                )
                self.problem(block.line, said)
            else:
                for what in check(self, block):
                    self.problem(block.line, what)
        if self.printed:
            self.problem(0, f"nothing shows what a program prints: {self.printed}")
        return self.problems

    def problem(self, line: int, what: str) -> None:
        self.problems.append(f"{self.name}:{line}: {what}")

    def text(self, block: Block) -> Iterator[str]:
        """Nothing to run; but behind a program it is what that prints."""
        if self.printed and not matches(block.text, self.printed):
            yield f"the program before prints:\n{self.printed}"
        self.printed = ""

    def console(self, block: Block) -> Iterator[str]:
        """Each command prints what is shown."""
        steps = steps_of(block)
        if not steps:
            yield "a console block has commands, each behind `$ `"
        for step in steps:
            printed = self.shell.run(step.command)
            if not matches(step.shown, printed):
                yield f"`{step.command}` prints:\n{printed}"
            if self.shell.status == 3:
                yield f"`{step.command}` is a fault of ours"

    def sh(self, block: Block) -> Iterator[str]:
        """Commands without what they print: recipes are there, installing is the gate's, the program runs."""
        recipes = set(
            re.findall(
                r"^([\w-]+)(?: \*?\w+)*:",
                (ROOT / "justfile").read_text(encoding="utf-8"),
                re.MULTILINE,
            )
        )
        lines = block.text.splitlines()
        for line in lines:
            words = shlex.split(line, comments=True)
            command = " ".join(words)
            if not words or INSTALLS.match(command):
                continue
            if words[0] == "just":
                if words[1] not in recipes:
                    yield f"there is no recipe `{words[1]}`"
            elif words[0] == "meldref":
                printed = self.shell.run(line)
                if self.shell.status not in {0, 1}:
                    yield f"`{line}` ends with {self.shell.status}:\n{printed}"
                self.answer = printed if len(lines) == 1 else None
            elif not (ROOT / words[0]).is_file():
                yield f"`{line}` is not tested"

    def python(self, block: Block) -> Iterator[str]:
        """Programs run; a session with `>>>` answers what is shown."""
        with contextlib.chdir(self.folder), screen():
            if ">>> " not in block.text:
                out = io.StringIO()
                with contextlib.redirect_stdout(out):
                    exec(compile(block.text, f"{self.name}:{block.line}", "exec"), self.names)  # noqa: S102
                self.printed = out.getvalue().rstrip("\n")
                return
            test = doctest.DocTestParser().get_doctest(
                block.text + "\n", self.names, self.name, self.name, block.line
            )
            out = io.StringIO()
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
            runner.run(test, out=out.write, clear_globs=False)
            self.names.update(test.globs)
            if runner.failures:
                yield out.getvalue()

    def sql(self, block: Block) -> Iterator[str]:
        """A question to DuckDB, whose answer is what is shown behind it; where there is none, it is only read."""
        try:
            self.printed = answer(block.text, self.folder) or ""
        except ValueError as wrong:
            yield str(wrong)

    def js(self, block: Block) -> Iterator[str]:
        """A module for node, which prints what is shown behind it; where there is none, it is only read."""
        node = shutil.which("node")
        if node is None:
            return
        file = self.folder / "page.mjs"
        file.write_text(block.text, encoding="utf-8")
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        ran = subprocess.run(
            [node, str(file)],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PATH": path},
            timeout=60,
        )
        self.printed = ran.stdout.rstrip("\n")
        if ran.returncode or ran.stderr:
            yield ran.stderr

    def yaml(self, block: Block) -> Iterator[str]:
        """Rules make sense, cases pass, a position can be played on; `wrong` says that it is not so."""
        document, found = read_yaml(block.text, block.file or "page.yaml")
        value = document.value if document is not None else None
        findings = list(found)
        if document is not None and not isinstance(value, dict):
            findings.append(
                Finding("rules.yaml", "these are no rules, no cases and no position", Span(1))
            )
        elif isinstance(value, dict) and not value.keys() & set(OF_OTHERS):
            findings += self.position(value) if "hands" in value else self.rules(block, value)
        yield from verdict(block, findings)

    def position(self, value: dict) -> Iterator[Finding]:
        settings = [f"{key}={one}" for key, one in (value.get("set") or {}).items()]
        ruleset, findings = load_ruleset(
            str(value.get("rules", "500-rummy")), value.get("with") or (), settings, self.folder
        )
        yield from findings
        if ruleset is not None:
            yield from build_position(value, ruleset)[1]

    def rules(self, block: Block, value: dict) -> Iterator[Finding]:
        """A rules file; without an `id` it is a part of one, laid over 500 Rummy."""
        file = self.folder / (block.file or "page.yaml")
        part = not block.file and "id" not in value and value.keys() != {"cases"}
        file.write_text(
            ("id: page\nextends: [500-rummy]\n" if part else "") + block.text + "\n",
            encoding="utf-8",
        )
        if value.keys() != {"cases"}:
            found = find(str(file))
            assert found is not None
            yield from review(found, file.read_bytes(), Basis())
        if "cases" in value:
            results, findings = run_file(file)
            yield from findings
            yield from (
                Finding("case", f"{result.name}: {'; '.join(result.failed)}", Span(result.line))
                for result in results
                if not result.passed
            )

    def rgn(self, block: Block) -> Iterator[str]:
        """A game audits clean, violations that its lines expect (`?!`) aside; less than a game can be read."""
        lines = list(read_lines(block.text))
        findings: list[Finding] = [finding for _, found in lines for finding in found]
        if "[Players" in block.text:
            rules = None if "[Rules" in block.text else "500-rummy"
            run = Replay(
                "page.rgn", Overrides(rules, beside=self.folder), explainer=RecordExplainer()
            )
            run.feed(lines)
            report = run.finish()
            findings = as_expected(report, list(run.expected.values()))
            if not report.readable and not block.wrong:
                yield "there is no game in it"
        yield from verdict(block, findings)

    def json(self, block: Block) -> Iterator[str]:
        """It is JSON, in all or, where it is not, line by line; behind a command it is what that prints."""
        answer, self.answer = self.answer, None
        try:
            shown = json.loads(block.text)
            if answer is not None and not like(shown, json.loads(answer)):
                yield f"the command before prints:\n{answer}"
        except ValueError:
            try:
                for line in block.text.splitlines():
                    json.loads(line)
            except ValueError as error:
                yield f"no JSON: {error}"

    def toml(self, block: Block) -> Iterator[str]:
        """It is TOML."""
        try:
            tomllib.loads(block.text)
        except ValueError as error:
            yield f"no TOML: {error}"


def verdict(block: Block, findings: list[Finding]) -> Iterator[str]:
    """Nothing, where a block is as it says of itself; a warning is no fault, but can be what is shown."""
    if block.wrong and not findings:
        yield "nothing is wrong with it"
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    if errors and not block.wrong:
        yield "\n".join(f"line {one.span.line}: {one.message} [{one.code}]" for one in errors)


CHECKS: dict[str, Callable[[PageRun, Block], Iterator[str]]] = {
    "text": PageRun.text,
    "console": PageRun.console,
    "sh": PageRun.sh,
    "python": PageRun.python,
    "js": PageRun.js,
    "sql": PageRun.sql,
    "yaml": PageRun.yaml,
    "rgn": PageRun.rgn,
    "json": PageRun.json,
    "toml": PageRun.toml,
}
"""How a block is tested, by its language; every other one fails."""
