"""Writes what is written by a program: the pages of reference, and what README shows of commands and files.

    python docs/generate.py            write it anew
    python docs/generate.py --check    only say what differs; 1 where something does

Names of pages (`traceability`, `codes`, …) limit it to those.

In a page, `console` blocks are commands with what they print (see `blocks.py`). A `text` block that follows a `sh`
block is what the last command of that block prints; a `yaml` block in README is the file last linked to.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import outputs
import traceability
import violations
from blocks import ROOT, SCREEN, Shell, refreshed
from meldref.rulefiles import list_rulesets
from meldref.rulefiles.merge import flow
from meldref.rulefiles.shape import schema
from meldref.rulefiles.vocabulary import Key, list_keys
from meldref_cli.main import main as main_of_program

DOCS = ROOT / "docs"
GAMES = [shipped.id for shipped in list_rulesets() if shipped.type == "game"]
MADE = "<!-- Written by docs/generate.py: change what it is made from, not this page. -->"

_PLAIN = {"one of these words", "a list of these words", "a list", "keys and values", "text"}
"""What a key takes that its words or examples show as well."""

_FIRST = re.compile(r"^```sh\n(?P<command>[^\n]*)\n```\n\n```text\n.*?^```$", re.MULTILINE | re.DOTALL)
_YAML = re.compile(r"\]\((?P<file>[\w/.-]+\.yaml)\)(?P<prose>[^`]*)```yaml\n.*?^```$", re.MULTILINE | re.DOTALL)


def shown(path: Path) -> str:
    """A page that is written by hand, with its commands' output and its files as they are now."""
    with TemporaryDirectory() as folder:
        shell = Shell(Path(folder))

        def first(found: re.Match[str]) -> str:
            command = found["command"]
            return f"```sh\n{command}\n```\n\n```text\n{shell.run(installed(command))}\n```"

        def file(found: re.Match[str]) -> str:
            content = (ROOT / found["file"]).read_text(encoding="utf-8").rstrip("\n")
            return f"]({found['file']}){found['prose']}```yaml\n{content}\n```"

        text = path.read_text(encoding="utf-8")
        if path.name == "README.md":
            text = _YAML.sub(file, _FIRST.sub(first, text))
        try:
            return refreshed(text, shell)
        except LookupError as wrong:
            raise SystemExit(f"{path.relative_to(ROOT)}: {wrong}") from wrong


def installed(command: str) -> str:
    """The last part of a command that installs first, as one types it once that is done."""
    return command.rpartition(" && ")[2].replace(".venv/bin/", "")


def said(command: str) -> str:
    """What a `meldref …` command prints, on a screen of usual width."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        status = main_of_program(shlex.split(command)[1:])
    if status:
        raise SystemExit(f"{command}: exit status {status}")
    return out.getvalue().rstrip("\n")


def commands() -> str:
    """The help of every command, one after another."""
    parts = [MADE, "# Commands", "`meldref COMMAND --help` prints the same.", block(said("meldref --help"))]
    for name in _names("meldref --help"):
        parts += [f"## meldref {name}", block(said(f"meldref {name} --help"))]
        if name == "rules":
            for inner in _names("meldref rules --help"):
                parts += [f"### meldref rules {inner}", block(said(f"meldref rules {inner} --help"))]
    return "\n\n".join(parts) + "\n"


def _names(command: str) -> list[str]:
    listed = said(command).partition("\nCommands:\n")[2]
    return re.findall(r"^  ([a-z]+)\b", listed, re.MULTILINE)


def keys() -> str:
    """Every key of a ruleset, from the schema."""
    parts = [MADE, "# Keys of a ruleset", str(schema()["description"])]
    for key in list_keys():
        parts += [f"{'###' if '.' in key.path else '##'} {key.path}", _key(key)]
    return "\n\n".join(parts) + "\n"


def _key(key: Key) -> str:
    """What a key means, what it takes, and what it is where nobody says."""
    facts = [f"- `{word.value}`: {word.text}" for word in key.words]
    if key.takes not in _PLAIN:
        facts.insert(0, f"- Takes {key.takes}.")
    if key.entries:
        facts.append(f"- Names in it: {key.entries}")
    if key.default is not None:
        facts.append(f"- Left out: `{flow(key.default)}`")
    facts += [f"- For example: `{flow(example)}`" for example in key.examples[:2]]
    return f"{key.text}\n\n" + "\n".join(facts) if facts else key.text


def block(text: str) -> str:
    """A block of plain text."""
    return f"```text\n{text}\n```"


def by_hand() -> list[Path]:
    """The pages that people write."""
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
    return [page for page in pages if MADE not in page.read_text(encoding="utf-8")]


def rulebook(rules: str) -> str:
    """A game's rulebook, as it is printed."""
    return f"{MADE}\n\n{said(f'meldref rules rulebook {rules}')}\n"


PAGES_MADE: dict[Path, Callable[[], str]] = {
    DOCS / "keys.md": keys,
    DOCS / "commands.md": commands,
    DOCS / "codes.md": partial(violations.codes, MADE),
    DOCS / "errors.md": partial(violations.gallery, MADE),
    DOCS / "broken-rules.md": partial(violations.broken, MADE),
    DOCS / "json.md": partial(outputs.page, MADE),
    DOCS / "traceability.md": traceability.page,
    **{DOCS / "games" / f"{game}.md": partial(rulebook, game) for game in GAMES},
    DOCS / "games" / "our-house.md": partial(rulebook, "examples/our-house.yaml"),
}


def main(arguments: list[str]) -> int:
    """Write or compare every page."""
    check = "--check" in arguments
    names = {argument for argument in arguments if argument != "--check"}
    os.environ.update(SCREEN)
    differ = []
    pages: dict[Path, Callable[[], str]] = {**PAGES_MADE, **{path: partial(shown, path) for path in by_hand()}}
    for path, made in pages.items():
        if names and path.stem not in names:
            continue
        text = made()
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        differ.append(path)
        if not check:
            path.write_text(text, encoding="utf-8")
    for path in differ:
        sys.stdout.write(f"{path.relative_to(ROOT)}: {'differs' if check else 'written'}\n")
    return int(check and bool(differ))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
