"""Writes what is written by a program: the pages of reference, and what README shows of commands and files.

    python docs/generate.py            write it anew
    python docs/generate.py --check    only say what differs; 1 where something does
    python docs/generate.py --made     leave out the pages that people write, apart from README:
                                       running their commands takes three quarters of the time

Names of pages (`traceability`, `codes`, …) limit it to those. A page that differs only in the lines
of shipped rules files stays as it is, unless it is named.

In a page, `console` blocks are commands with what they print (see `blocks.py`). A `text` block that
follows a `sh` block is what the last command of that block prints; a `yaml` block in README is the
file last linked to. How meldref is installed stands in `installing.py`.
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

import addresses
import house_pages
import installing
import key_pages
import man_page
import map_pages
import outputs
import questions
import traceability
import violations
from blocks import ROOT, SCREEN, Shell, refreshed, without_lines
from meldref.rulefiles.files import list_rulesets
from meldref_archive import TABLES
from meldref_cli.main import main as main_of_program
from places import BROKEN_HUB, CLAUSES_HUB, CODES_HUB, DOCS, GALLERY_HUB, KEYS_HUB, MADE

README = ROOT / "README.md"
GAMES = [shipped.id for shipped in list_rulesets() if shipped.type == "game"]

_FIRST = re.compile(
    r"^```sh\n(?P<command>[^\n]*)\n```\n\n```text\n.*?^```$", re.MULTILINE | re.DOTALL
)
_YAML = re.compile(
    r"\]\((?P<file>[\w/.-]+\.yaml)\)(?P<prose>[^`]*)```yaml\n.*?^```$", re.MULTILINE | re.DOTALL
)


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

        text = installing.with_parts(path.read_text(encoding="utf-8"))
        if path == README:
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
    parts = [
        MADE,
        "# Commands",
        "`meldref COMMAND --help` prints the same.",
        block(said("meldref --help")),
    ]
    for name in _names("meldref --help"):
        parts += [f"## meldref {name}", block(said(f"meldref {name} --help"))]
        if name == "rules":
            for inner in _names("meldref rules --help"):
                parts += [
                    f"### meldref rules {inner}",
                    block(said(f"meldref rules {inner} --help")),
                ]
    return "\n\n".join(parts) + "\n"


def _names(command: str) -> list[str]:
    listed = said(command).partition("\nCommands:\n")[2]
    return re.findall(r"^  ([a-z]+)\b", listed, re.MULTILINE)


def block(text: str) -> str:
    """A block of plain text."""
    return f"```text\n{text}\n```"


def by_hand() -> list[Path]:
    """The pages that people write."""
    pages = [README, ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
    return [page for page in pages if MADE not in page.read_text(encoding="utf-8")]


def rulebook(rules: str) -> str:
    """A game's rulebook, as it is printed."""
    return f"{MADE}\n\n{said(f'meldref rules rulebook {rules}')}\n"


def archive_columns() -> str:
    """The tables of an archive, column by column."""
    says = "Where nothing is known, there is no value. What tables of logs have beside the logs follows in `logs`."
    parts = [
        MADE,
        "# The columns of archives",
        f"{says} How they come about: [archives](archives.md).",
    ]
    for table, columns in TABLES.items():
        rows = [f"| `{column.name}` | {column.type} | {column.says} |" for column in columns]
        parts += [f"## {table}", "\n".join(["| column | type | |", "|---|---|---|", *rows])]
    return "\n\n".join(parts) + "\n"


PAGES_MADE: dict[Path, Callable[[], str]] = {
    DOCS / "commands.md": commands,
    DOCS / "archive-columns.md": archive_columns,
    DOCS / "facts.md": house_pages.facts,
    DOCS / "cookbook.md": house_pages.cookbook,
    house_pages.SCHEMA: house_pages.schema,
    addresses.LISTED: addresses.listed,
    DOCS / "meldref.1": man_page.page,
    map_pages.PAGE: map_pages.page,
    DOCS / "json.md": partial(outputs.page, MADE),
    DOCS / "service.md": partial(questions.page, MADE),
    **{DOCS / "games" / f"{game}.md": partial(rulebook, game) for game in GAMES},
    DOCS / "games" / "our-house.md": partial(rulebook, "examples/our-house.yaml"),
}
GROUPS_MADE: dict[Path, Callable[[], dict[Path, str]]] = {
    KEYS_HUB: key_pages.pages,
    CODES_HUB: violations.code_pages,
    GALLERY_HUB: violations.gallery_pages,
    BROKEN_HUB: violations.broken_pages,
    CLAUSES_HUB: traceability.pages,
}
"""The hubs, and what makes each of them with the pages in its folder."""


def main(arguments: list[str]) -> int:
    """Write or compare every page."""
    check = "--check" in arguments
    made_only = "--made" in arguments
    names = {argument for argument in arguments if not argument.startswith("--")}
    os.environ.update(SCREEN)
    made: dict[Path, str] = {}
    left: set[Path] = set()
    for hub, group in GROUPS_MADE.items():
        if not names or hub.stem in names:
            pages = group()
            made.update(pages)
            left |= set(hub.with_suffix("").glob("*.md")) - set(pages)
    written = [path for path in by_hand() if not made_only or path == README]
    singly: dict[Path, Callable[[], str]] = {
        **PAGES_MADE,
        **{path: partial(shown, path) for path in written},
    }
    made.update({path: one() for path, one in singly.items() if not names or path.stem in names})
    compared = str if names and not check else without_lines
    differ = [
        path
        for path, text in made.items()
        if not path.exists() or compared(path.read_text(encoding="utf-8")) != compared(text)
    ]
    for path in [] if check else differ:
        path.parent.mkdir(exist_ok=True)
        path.write_text(made[path], encoding="utf-8")
    for path in [] if check else left:
        path.unlink()
    for path in differ:
        sys.stdout.write(f"{path.relative_to(ROOT)}: {'differs' if check else 'written'}\n")
    for path in sorted(left):
        sys.stdout.write(
            f"{path.relative_to(ROOT)}: {'nothing makes it' if check else 'removed'}\n"
        )
    return int(check and bool(differ or left))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
