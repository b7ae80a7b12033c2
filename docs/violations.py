"""The pages about violations: what each code means, and the two galleries of messages.

`python docs/generate.py codes errors broken-rules` writes them.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from blocks import ROOT, Shell
from meldref.rulefiles.vocabulary import list_keys
from meldref.rules.page import Example
from meldref.rules.pages import CODES, PAGES

ERRORS: Final = ROOT / "tests" / "errors"
BROKEN: Final = ROOT / "tests" / "broken"

_CODE: Final = re.compile(r"\[(rules\.[a-z]+)\]$", re.MULTILINE)

CODES_INTRODUCTION: Final = """\
Each violation has a code, in two or three words from the wide to the narrow: `draw.deep.unused` is about the draw,
from deep in the pile, of a card that was not used. `meldref explain CODE` prints what stands here; how the
messages look is in the [gallery](errors.md).

The examples are cases as they stand in case files ([notation](notation.md#cases)): where the hand stands, a move,
the verdict. Where a whole log or a rules file is needed, it is that."""

GALLERY_INTRODUCTION: Final = """\
Every message of a violation, as it is printed. Each comes from a log that breaks one rule, and mostly from a rules
file of a few lines beside it, so that you see how a message names the line of *your* rules. What a code means, and
why there is such a rule, is on the page of [codes](codes.md).

How to read one:

- the first line says where, how bad it is, what is wrong, and the code in brackets;
- the excerpt shows the place, with `^` under what is meant;
- `rule` is the setting that makes it a violation, with the file and line that says so;
- `legal here` is what could have been done instead, where that can be said;
- `more` is the command that explains."""

BROKEN_INTRODUCTION: Final = """\
Rules files with one fault each that a person would make, what `meldref rules check` says of each, and the file as
it is right. Where nothing else can be meant, `--fix` mends it, and the last line says so."""


def codes(mark: str) -> str:
    """The page of codes, `mark` on top."""
    return _page(mark, "Violations", CODES_INTRODUCTION, _explained)


def gallery(mark: str) -> str:
    """The gallery of messages, `mark` on top."""
    return _page(mark, "Gallery of messages", GALLERY_INTRODUCTION, _shown)


def broken(mark: str) -> str:
    """The gallery of broken rules files, `mark` on top."""
    by_code: dict[str, list[Path]] = {code: [] for code in CODES if code.startswith("rules.")}
    for message in sorted(BROKEN.glob("*/message.txt")):
        code = _CODE.findall(message.read_text(encoding="utf-8"))[0]
        by_code[code].append(message.parent)
    parts = [mark, "# Gallery of broken rules files", BROKEN_INTRODUCTION]
    for code, folders in by_code.items():
        parts += [f"## {code}", f"{_capital(PAGES[code].title)}: [what it means](codes.md#{anchor(code)})."]
        for folder in folders:
            parts += [f"### {_capital(folder.name.replace('-', ' '))}", *_fault(folder)]
    return "\n\n".join(parts) + "\n"


def _fault(folder: Path) -> Iterator[str]:
    """A broken file, what is said of it, and the file mended; of bytes that no page can hold only the message."""
    message = (folder / "message.txt").read_text(encoding="utf-8").rstrip("\n")
    before, after = (
        {file.name: file.read_bytes() for file in sorted((folder / side).glob("*")) if file.is_file()}
        for side in ("before", "after")
    )
    if not all(map(_is_plain, (*before.values(), *after.values()))) or any((folder / "before").glob("*/")):
        yield f"```text\n{message}\n```"
        return
    named = message.partition(":")[0]
    for name, content in before.items():
        yield _fenced(f"yaml file={name}{' wrong' if name in {named, 'house.yaml'} else ''}", content.decode())
    yield f"```console\n$ meldref rules check house.yaml\n{message}\n```"
    mended = {name: content for name, content in after.items() if content != before.get(name)}
    if mended:
        yield "Mended:"
    for name, content in mended.items():
        yield _fenced(f"yaml file={name}", content.decode())


def _is_plain(content: bytes) -> bool:
    """Whether a page can show a file as it is, so that it is the same file again when it is written from there."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return text.rstrip("\n") + "\n" == text and not set(text) & set("\ufeff\r\x00") and text.strip() != ""


def _fenced(info: str, text: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{info}\n{text.rstrip(chr(10))}\n{fence}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _page(mark: str, title: str, introduction: str, about: Callable[[str], Iterator[str]]) -> str:
    parts = [mark, f"# {title}", introduction]
    family = ""
    for code in CODES:
        if code.partition(".")[0] != family:
            family = code.partition(".")[0]
            parts.append(f"## {family}")
        parts += [f"### {code}", f"{_capital(PAGES[code].title)}.", *about(code)]
    return "\n\n".join(parts) + "\n"


def _explained(code: str) -> Iterator[str]:
    """What a code means, why there is such a rule, what governs it, and examples."""
    page = PAGES[code]
    yield page.means
    yield f"*Why:* {page.why}"
    facts = []
    if page.keys:
        facts.append(f"- Keys: {', '.join(map(_key, page.keys))}")
    if page.clauses:
        facts.append(f"- Statements of the rules: {', '.join(page.clauses)}")
    facts.append(f"- Message: [in the gallery](errors.md#{anchor(code)})")
    yield "\n".join(facts)
    yield from _case("Illegal", code, page.illegal, {"verdict": "illegal", "because": code})
    yield from _case("Legal", code, page.legal, {"verdict": "legal"})


def _key(path: str) -> str:
    """A key, with a link to what it means where it has a place of its own."""
    return f"[`{path}`](keys.md#{anchor(path)})" if path in _documented() else f"`{path}`"


@cache
def _documented() -> frozenset[str]:
    return frozenset(key.path for key in list_keys())


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
        lines += ["    moves:", *(f"      - {json.dumps(move, ensure_ascii=False)}" for move in example.moves)]
    lines.append(f"    expect: {{{', '.join(f'{key}: {value}' for key, value in expected.items())}}}")
    yield "```yaml\n" + "\n".join(lines) + "\n```"


def _shown(code: str) -> Iterator[str]:
    """The files of one code, and what is said of them."""
    yield f"[What it means](codes.md#{anchor(code)})."
    yield from _example(ERRORS / code)


def _example(folder: Path) -> Iterator[str]:
    """The files of one code, and what is said of them."""
    house, log = folder / "house.yaml", folder / "log.rgn"
    if folder.name.startswith("rules."):
        yield _fenced("yaml file=house.yaml wrong", house.read_text(encoding="utf-8"))
        with TemporaryDirectory() as place:
            shell = Shell(Path(place))
            (shell.folder / house.name).write_bytes(house.read_bytes())
            command = "meldref rules check house.yaml"
            yield f"```console\n$ {command}\n{shell.run(command)}\n```"
        return
    if house.is_file():
        yield _fenced("yaml file=house.yaml", house.read_text(encoding="utf-8"))
    yield _fenced("rgn file=log.rgn wrong", log.read_text(encoding="utf-8"))
    message = (folder / "message.txt").read_text(encoding="utf-8").rstrip("\n")
    yield f"```console\n$ meldref audit log.rgn\n{message}\n```"


def anchor(heading: str) -> str:
    """The anchor of a heading, as Markdown sites make it."""
    return "".join(sign for sign in heading.lower() if sign.isalnum() or sign in " -_").replace(" ", "-")
