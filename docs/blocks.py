"""The blocks of a Markdown page, and running those that are commands.

A `console` block shows commands, each behind `$ `, and what they print. `…` stands for what was
cut: on a line of its own for any number of lines, within a line for any text. `echo $?` shows the
exit status of the command before.

    ```console
    $ meldref audit examples/evening.rgn
    examples/evening.rgn: clean (6 hands, 151 turns)
    ```

A `json` block behind a `sh` block of one command is what that command prints, with `…` for what was
cut of a text, a list or an object.

The line of a shipped rules file, as in `500-rummy.yaml:65`, may be another one: those files are
edited, and an edit changes no page but its own.

A block with `file=NAME` behind its language is written to that file before the commands after it
run. The commands of a page run one after another in one folder, which begins with a copy of
`examples/`.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from meldref_cli.main import main as main_of_program

ROOT: Final = Path(__file__).resolve().parent.parent

SCREEN: Final = {"NO_COLOR": "1", "COLUMNS": "80"}
"""The terminal that pages show."""

CUT: Final = "…"

SHIPPED: Final = frozenset(path.name for path in (ROOT / "rulesets").rglob("*.yaml"))
"""The rules files that come with meldref."""

_NAMES: Final = "|".join(map(re.escape, sorted(SHIPPED)))
_PLACE: Final = re.compile(rf"(?<![\w.-])((?:{_NAMES}):)(\d+(?:, \d+)*)\b")
_PLACE_IN_JSON: Final = re.compile(rf'("(?:{_NAMES})",\s+"line": )\d+\b')
_FENCE: Final = re.compile(r"(?P<indent> {0,3})(?P<fence>`{3,}|~{3,})(?P<info>[^`]*)\Z")
_FOR_A_SHELL: Final = re.compile(r"[|<>;*&$]")
_PROMPT: Final = "$ "


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language, the words behind it, its text, and the line of its fence, from 1."""

    language: str
    words: tuple[str, ...]
    text: str
    line: int

    @property
    def file(self) -> str | None:
        """The file that the block is."""
        return next(
            (word.removeprefix("file=") for word in self.words if word.startswith("file=")), None
        )

    @property
    def wrong(self) -> bool:
        """Whether the block shows something that is wrong."""
        return "wrong" in self.words

    @property
    def needs(self) -> str | None:
        """The package of an extra without which the block is only read."""
        return next(
            (word.removeprefix("needs=") for word in self.words if word.startswith("needs=")), None
        )


@dataclass(frozen=True, slots=True)
class Step:
    """A command of a `console` block and what the page says that it prints."""

    command: str
    shown: str
    line: int


def blocks_of(page: str) -> Iterator[Block]:
    """Every fenced block of a page, in its order."""
    lines = page.split("\n")
    at = 0
    while at < len(lines):
        opened = _FENCE.match(lines[at])
        start, at = at, at + 1
        if opened is None:
            continue
        fence = re.compile(rf" {{0,3}}{opened['fence'][0]}{{{len(opened['fence'])},}}\s*\Z")
        indent = len(opened["indent"])
        inner = []
        while at < len(lines) and not fence.match(lines[at]):
            inner.append(
                lines[at][indent:] if lines[at][:indent].isspace() or not indent else lines[at]
            )
            at += 1
        at += 1
        language, *words = opened["info"].split() or [""]
        yield Block(language, tuple(words), "\n".join(inner), start + 1)


def refreshed(page: str, shell: Shell) -> str:
    """A page whose commands print what they print now; what was cut has to match still, but for lines of rules.

    Raises:
        LookupError: where something was cut, what is shown is not what is printed.
    """
    lines = page.split("\n")
    anew = []
    told: str | None = None
    for block in blocks_of(page):
        shell.write(block)
        if block.language == "text" and told is not None:
            anew.append((block, told))
        told = answer(block.text, shell.folder) if block.language == "sql" else None
        if block.language != "console":
            continue
        shown = []
        for step in steps_of(block):
            printed = shell.run(step.command)
            if CUT in step.shown:
                moved = with_lines_of(step.shown, printed)
                if moved is None:
                    raise LookupError(
                        f"line {step.line}: `{step.command}` prints something else:\n{printed}"
                    )
                printed = moved
            shown += [f"{_PROMPT}{step.command}", *([printed] if printed else [])]
        anew.append((block, "\n".join(shown)))
    for block, text in reversed(anew):
        lines[block.line : block.line + block.text.count("\n") + 1] = text.split("\n")
    return "\n".join(lines)


def answer(question: str, folder: Path) -> str | None:
    """What DuckDB answers to a question about the tables in a folder; None where there is no DuckDB.

    Raises:
        ValueError: it cannot be answered.
    """
    try:
        import duckdb  # noqa: PLC0415  an extra
    except ImportError:
        return None
    with contextlib.chdir(folder), duckdb.connect() as database:
        try:
            found = database.execute(question)
        except duckdb.Error as wrong:
            raise ValueError(str(wrong)) from wrong
        rows = [[column[0] for column in found.description], *found.fetchall()]
    return "\n".join(
        " | ".join("" if value is None else str(value) for value in row) for row in rows
    )


def steps_of(block: Block) -> list[Step]:
    """The commands of a `console` block; a line that ends in a backslash goes on."""
    steps: list[Step] = []
    shown: list[str] = []
    lines = iter(enumerate(block.text.split("\n"), start=block.line + 1))
    for number, line in lines:
        if not line.startswith(_PROMPT):
            shown.append(line)
            if steps:
                steps[-1] = Step(steps[-1].command, "\n".join(shown).rstrip(), steps[-1].line)
            continue
        command = line.removeprefix(_PROMPT)
        while command.endswith("\\"):
            command += "\n" + next(lines, (0, ""))[1]
        shown = []
        steps.append(Step(command, "", number))
    return steps


def without_lines(text: str) -> str:
    """A text in which shipped rules files are named without their lines."""
    return _PLACE_IN_JSON.sub(r"\1…", _PLACE.sub(r"\1…", text))


def matches(shown: str, printed: str) -> bool:
    """Whether a command printed what is shown, with `…` for what was cut, and any line of a shipped rules file."""
    return with_lines_of(shown, printed) is not None


def with_lines_of(shown: str, printed: str) -> str | None:
    """What is shown, with the lines of shipped rules files as they were printed; none where it does not match."""
    pattern = []
    for line in shown.split("\n"):
        if line.strip() == CUT:
            pattern.append(r"(?:[^\n]*\n)*?")
        else:
            pattern.append(".*?".join(map(_with_any_lines, line.rstrip().split(CUT))) + r"[ \t]*\n")
    found = re.fullmatch("".join(pattern), printed.rstrip("\n") + "\n")
    if found is None:
        return None
    lines = iter(found.groups())
    return _PLACE.sub(lambda place: place[1] + next(lines), shown)


def _with_any_lines(text: str) -> str:
    """The pattern of a text in which each line of a shipped rules file is a group."""
    apart = _PLACE.split(text)
    return "".join(
        re.escape(part) if at % 3 < 2 else r"(\d+(?:, \d+)*)" for at, part in enumerate(apart)
    )


def like(shown: object, data: object) -> bool:
    """Whether data is what is shown of it, with `…` for what was cut, and numbers to two places.

    The line of a shipped rules file may be another one.
    """
    if shown == CUT:
        return True
    if isinstance(shown, str) and isinstance(data, str):
        shown, data = without_lines(shown), without_lines(data)
        return (
            data.startswith(shown.removesuffix(CUT)) if shown.endswith(f" {CUT}") else shown == data
        )
    if isinstance(shown, dict) and isinstance(data, dict):
        keys = shown.keys() - {CUT}
        if shown.get("file") in SHIPPED and shown["file"] == data.get("file"):
            shown, data = (
                {**one, **dict.fromkeys(one.keys() & {"line"}, 0)} for one in (shown, data)
            )
        return (keys == data.keys() or (CUT in shown and keys < data.keys())) and all(
            like(shown[key], data[key]) for key in keys
        )
    if isinstance(shown, list) and isinstance(data, list):
        if shown and shown[-1] == CUT:
            return len(data) >= len(shown) and all(map(like, shown[:-1], data))
        return len(shown) == len(data) and all(map(like, shown, data))
    return shown == (round(data, 2) if isinstance(data, float) else data)


class Shell:
    """Runs the commands of a page in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.status = 0
        shutil.copytree(ROOT / "examples", folder / "examples", dirs_exist_ok=True)

    def write(self, block: Block) -> None:
        """Writes a block that is a file."""
        if block.file is not None:
            path = self.folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text + "\n", encoding="utf-8")

    def run(self, command: str) -> str:
        """What a command prints, results and notices as they come; its exit status is kept in `status`."""
        if command == "echo $?":
            return str(self.status)
        plain = command.replace("\\\n", " ")
        words = [] if _unquoted(plain) else shlex.split(plain)
        if words[:1] == ["meldref"]:
            return self._run_here(words[1:])
        done = subprocess.run(  # noqa: S603  the project's own pages
            ["/bin/bash", "-c", command],
            cwd=self.folder,
            env={
                **os.environ,
                **SCREEN,
                "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        self.status = done.returncode
        return done.stdout.rstrip("\n")

    def _run_here(self, arguments: list[str]) -> str:
        """The program in this process: a page has many commands, and starting one takes longer than most run."""
        out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n", write_through=True)
        with (
            screen(),
            contextlib.chdir(self.folder),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(out),
        ):
            self.status = main_of_program(arguments)
        out.seek(0)
        return out.read().rstrip("\n")


def _unquoted(command: str) -> bool:
    """Whether a command has something for a shell outside its quotes."""
    return _FOR_A_SHELL.search(re.sub(r'"[^"$]*"|\'[^\']*\'', "", command)) is not None


@contextlib.contextmanager
def screen() -> Iterator[None]:
    """The terminal that pages show, as long as it is wanted."""
    before = {name: os.environ.get(name) for name in SCREEN}
    os.environ.update(SCREEN)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
