"""The pages about violations: what each code means, and the two galleries of messages; a page for each family.

`python docs/generate.py codes errors broken-rules` writes them.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from blocks import ROOT, Shell
from gallery import Entry, entries
from meldref.rules.page import Example
from meldref.rules.pages import PAGES
from places import (
    BROKEN_HUB,
    CODES_HUB,
    GALLERY_HUB,
    MADE,
    broken_page,
    capital,
    cell,
    code_page,
    family,
    gallery_page,
    hub,
    link,
    page_in,
    to_clause,
    to_code,
    to_key,
)

ERRORS: Final = {entry.name: entry for entry in entries(ROOT / "tests" / "errors")}
BROKEN: Final = entries(ROOT / "tests" / "broken")

_CODE: Final = re.compile(r"\[(rules\.[a-z]+)\]$", re.MULTILINE)

CODES_INTRODUCTION: Final = """\
Each violation has a code of two or three words, from the general to the specific: `draw.deep.unused` is about a
draw, from deep in the pile, of a card that was not used. `meldref explain CODE` prints what is shown here; the
[gallery](errors.md) shows what the messages look like. Each family has a page of its own:
"""

EXAMPLES: Final = """\
The examples are cases as in case files ([notation](../notation.md#cases)): a position, a move, the verdict.
Where a whole log or a rules file is needed, that is shown instead."""

GALLERY_INTRODUCTION: Final = """\
Every message for a violation, as it is printed. Each comes from a log that breaks one rule, usually with a rules
file of a few lines beside it, so that you can see how a message names the line of *your* rules. What a code
means, and why there is such a rule, is on the page of [codes](codes.md).

How to read one:

- the first line says where, how bad it is, what is wrong, and the code in brackets;
- the excerpt shows the place, with `^` under the part in question;
- `rule` is the setting that makes it a violation, with its file and line;
- `legal here` is what could have been done instead, if that can be said;
- `more` is the command that explains."""

BROKEN_INTRODUCTION: Final = """\
Rules files, each with one mistake that a person might make, with the message from `meldref rules check` and the
corrected file. Where only one thing can be meant, `--fix` fixes it, and the last line says so."""


def code_pages() -> dict[Path, str]:
    """What each code means, by family."""
    return _pages(CODES_HUB, "Violations", CODES_INTRODUCTION, EXAMPLES, _explained)


def gallery_pages() -> dict[Path, str]:
    """The gallery of messages, by family."""
    return _pages(GALLERY_HUB, "Gallery of messages", GALLERY_INTRODUCTION, "", _shown)


def broken_pages() -> dict[Path, str]:
    """The gallery of broken rules files, by code."""
    by_code: dict[str, list[Entry]] = {code: [] for code in PAGES if code.startswith("rules.")}
    for entry in BROKEN:
        by_code[_CODE.findall(entry.printed)[0]].append(entry)
    pages: dict[Path, str] = {}
    table = ["| code | what is wrong | files |", "|---|---|---|"]
    for code, faults in by_code.items():
        page = broken_page(code)
        title = capital(PAGES[code].title)
        parts = [
            MADE,
            f"# {title}",
            f"Rules files that get {to_code(code, page)}, one mistake in each.",
        ]
        parts.append(
            "\n".join(f"- {link(_title(entry), page, _title(entry), page)}" for entry in faults)
        )
        for entry in faults:
            parts += [f"## {_title(entry)}", *_fault(entry)]
        pages[page] = "\n\n".join(parts) + "\n"
        table.append(f"| {link(f'`{code}`', page, '', BROKEN_HUB)} | {title} | {len(faults)} |")
    return {
        BROKEN_HUB: hub(
            "Gallery of broken rules files", BROKEN_INTRODUCTION, table, list(pages), BROKEN_HUB
        ),
        **pages,
    }


def _title(entry: Entry) -> str:
    return capital(entry.name.replace("-", " "))


def _fault(entry: Entry) -> Iterator[str]:
    """A broken file, its message, and the file fixed; only the message if no page can hold the file."""
    message = entry.printed.rstrip("\n")
    in_folders = any("/" in name for name in entry.given)
    if in_folders or not all(map(_is_plain, (*entry.given.values(), *entry.fixed.values()))):
        yield f"```text\n{message}\n```"
        return
    named = message.partition(":")[0]
    for name, content in entry.given.items():
        wrong = " wrong" if name in {named, "house.yaml"} else ""
        yield _fenced(f"yaml file={name}{wrong}", content.decode())
    yield f"```console\n$ meldref rules check house.yaml\n{message}\n```"
    yield "Fixed:"
    for name, content in entry.fixed.items():
        yield _fenced(f"yaml file={name}", content.decode())


def _is_plain(content: bytes) -> bool:
    """Whether a page can show a file as it is, so that it is the same file again when it is written from there."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return (
        text.rstrip("\n") + "\n" == text
        and not set(text) & set("\ufeff\r\x00")
        and text.strip() != ""
    )


def _fenced(info: str, text: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{info}\n{text.rstrip(chr(10))}\n{fence}"


def _pages(
    path: Path,
    title: str,
    introduction: str,
    note: str,
    about: Callable[[str, Path], Iterator[str]],
) -> dict[Path, str]:
    """A hub with a summary of all codes, and a page for each family of them."""
    by_family: dict[str, list[str]] = {}
    for code in PAGES:
        by_family.setdefault(family(code), []).append(code)
    found: dict[Path, str] = {}
    table = ["| code | what is wrong |", "|---|---|"]
    for name, some in by_family.items():
        page = page_in(path, name)
        parts = [MADE, f"# {title}: {name}", *([note] if note else [])]
        parts.append(
            "\n".join(
                [
                    "| code | what is wrong |",
                    "|---|---|",
                    *(_row(code, page, page) for code in some),
                ]
            )
        )
        for code in some:
            parts += [f"## {code}", f"{capital(PAGES[code].title)}.", *about(code, page)]
        found[page] = "\n\n".join(parts) + "\n"
        table += [_row(code, page, path) for code in some]
    return {path: hub(title, introduction, table, list(found), path), **found}


def _row(code: str, page: Path, origin: Path) -> str:
    return f"| {link(f'`{code}`', page, code, origin)} | {cell(capital(PAGES[code].title))} |"


def _explained(code: str, origin: Path) -> Iterator[str]:
    """What a code means, why there is such a rule, what governs it, and examples."""
    page = PAGES[code]
    yield page.means
    yield f"*Why:* {page.why}"
    facts = []
    if page.keys:
        facts.append(f"- Keys: {', '.join(to_key(key, origin) for key in page.keys)}")
    if page.clauses:
        facts.append(
            f"- Statements of the rules: {', '.join(to_clause(one, origin) for one in page.clauses)}"
        )
    facts.append(f"- Message: {link('in the gallery', gallery_page(code), code, origin)}")
    if code.startswith("rules."):
        facts.append(
            f"- Rules files that get it: {link('in the gallery', broken_page(code), '', origin)}"
        )
    yield "\n".join(facts)
    yield from _case("Illegal", code, page.illegal, {"verdict": "illegal", "because": code})
    yield from _case("Legal", code, page.legal, {"verdict": "legal"})


def _case(word: str, code: str, example: Example, expected: dict[str, str]) -> Iterator[str]:
    """An example as a case; a whole log, or rules, as what they are."""
    yield f"{word}:"
    given = textwrap.dedent(example.given).strip("\n")
    wrong = " wrong" if word == "Illegal" else ""
    if code.startswith("rules."):
        yield f"```yaml{wrong}\n{given}\n```"
        return
    if not example.moves:
        yield f"```rgn{wrong}\n{given}\n```"
        return
    lines = ["cases:", f"  - name: {PAGES[code].title if wrong else 'as it may be done'}"]
    lines.append(f"    rules: {example.rules}")
    if example.options:
        lines.append(f"    with: [{', '.join(example.options)}]")
    if example.settings:
        settings = ", ".join(": ".join(setting.split("=", 1)) for setting in example.settings)
        lines.append(f"    set: {{{settings}}}")
    if given.startswith("{") and "\n" not in given:
        lines.append(f"    given: {given}")
    else:
        lines += ["    given:", textwrap.indent(given, " " * 6)]
    if len(example.moves) == 1:
        lines.append(f"    moves: [{json.dumps(example.moves[0], ensure_ascii=False)}]")
    else:
        lines += [
            "    moves:",
            *(f"      - {json.dumps(move, ensure_ascii=False)}" for move in example.moves),
        ]
    lines.append(
        f"    expect: {{{', '.join(f'{key}: {value}' for key, value in expected.items())}}}"
    )
    yield "```yaml\n" + "\n".join(lines) + "\n```"


def _shown(code: str, origin: Path) -> Iterator[str]:
    """The files of one code, and what is printed about them."""
    yield f"{link('What it means', code_page(code), code, origin)}."
    yield from _example(ERRORS[code])


def _example(entry: Entry) -> Iterator[str]:
    """The files of one code, and what is printed about them."""
    files = {name: content.decode() for name, content in entry.given.items()}
    if entry.name.startswith("rules."):
        yield _fenced("yaml file=house.yaml wrong", files["house.yaml"])
        with TemporaryDirectory() as place:
            shell = Shell(Path(place))
            (shell.folder / "house.yaml").write_bytes(entry.given["house.yaml"])
            command = "meldref rules check house.yaml"
            yield f"```console\n$ {command}\n{shell.run(command)}\n```"
        return
    if "house.yaml" in files:
        yield _fenced("yaml file=house.yaml", files["house.yaml"])
    yield _fenced("rgn file=log.rgn wrong", files["log.rgn"])
    message = entry.printed.rstrip("\n")
    yield f"```console\n$ meldref audit log.rgn\n{message}\n```"
