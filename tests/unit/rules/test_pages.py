"""Every code has a page, every page a code, and what pages show is so."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from meldref.cases.run import play_moves
from meldref.core.diagnostics import Finding
from meldref.core.records import changed
from meldref.documents.reader import read_yaml
from meldref.notation.reader import read_lines
from meldref.positions.build import build_position
from meldref.rulefiles.load import load_ruleset
from meldref.rules.page import Example, Page, pages_in
from meldref.rules.pages import FAMILIES, PAGES
from meldref_authoring.rulefiles.show import merged_values
from meldref_evidence.audit import replay
from paths import ROOT

SOURCE = ROOT / "validator"
CODE = re.compile(r"[a-z]+(\.[a-z]+(-[a-z]+)*)+\Z")
MAKERS = {"Violation", "Fault", "Finding", "Misfit", "report", "finding", "wrong", "replace"}
"""What findings are made with; the code is the first argument, or called `code`."""

pages = pytest.mark.parametrize("page", PAGES.values(), ids=list(PAGES))


def test_pages_are_read_as_they_are_written():
    text = """# one.code: a title: with a colon

What it
means.

Note: this too.

Why: It is so.

Keys: stock.empty, floating.draws

```illegal rules=500-rum with=floating with=no-jokers set=game.target=700
{hands: {A: "2c"},
 pile: "5s"}
> A: draw Jh
> B: draw 2d
```

```legal
{}
```

# other.code: another

It means something.

```illegal
a log
```

```legal set="a=b c"
> A: draw Jh
```
"""
    example = Example('{hands: {A: "2c"},\n pile: "5s"}', ("A: draw Jh", "B: draw 2d"))
    illegal = changed(
        example, rules="500-rum", options=("floating", "no-jokers"), settings=("game.target=700",)
    )
    keys = ("stock.empty", "floating.draws")
    legal = Example("", ("A: draw Jh",), settings=("a=b c",))
    meaning = "What it means. Note: this too."
    assert list(pages_in(text)) == [
        Page(
            "one.code",
            "a title: with a colon",
            meaning,
            "It is so.",
            keys,
            (),
            illegal,
            Example("{}"),
        ),
        Page("other.code", "another", "It means something.", "", (), (), Example("a log"), legal),
    ]


def run(example: Example, code: str, folder: Path) -> list[Finding]:
    """What is found in an example."""
    if code.startswith("rules."):
        file = folder / "our-house.yaml"
        file.write_text(example.given, encoding="utf-8")
        return list(load_ruleset("our-house.yaml", example.options, example.settings, folder)[1])
    if not example.moves:
        return list(replay(read_lines(example.given)).findings)
    ruleset, wrong = load_ruleset(example.rules, example.options, example.settings)
    assert ruleset is not None, wrong
    document, unread = read_yaml(example.given, "page")
    assert document is not None, unread
    built, unusable = build_position(document.value, ruleset, document.place)
    assert built is not None, unusable
    return list(play_moves(built, example.moves).findings)


@pages
def test_the_illegal_example_shows_the_code_and_nothing_else(page: Page, tmp_path: Path):
    assert {finding.code for finding in run(page.illegal, page.code, tmp_path)} == {page.code}


@pages
def test_the_legal_example_is_legal(page: Page, tmp_path: Path):
    assert run(page.legal, page.code, tmp_path) == []


@pages
def test_a_page_says_something_everywhere(page: Page):
    assert re.fullmatch(r"[a-z][^.]*[^. ]", page.title)
    for text in (page.means, page.why):
        assert text == " ".join(text.split())
        assert text.endswith(".")
    assert page.illegal != page.legal
    assert len(set(page.clauses)) == len(page.clauses)
    assert len(set(page.keys)) == len(page.keys)


@pages
def test_the_keys_of_a_page_are_keys_of_rulesets(page: Page):
    ruleset, _ = load_ruleset("500-rummy")
    assert ruleset is not None
    known = {key for key, _, _ in merged_values(ruleset)}
    known |= {".".join(key.split(".")[:depth]) for key in known for depth in range(1, 4)}
    known |= {"scoring.held"}  # a table, empty here
    assert set(page.keys) <= known


@pages
def test_the_clauses_of_a_page_are_numbered_statements(page: Page):
    assert set(page.clauses) <= clause_ids()


@cache
def clause_ids() -> frozenset[str]:
    """The ids of the project's numbered statements."""
    text = (ROOT / "docs" / "clauses.yaml").read_text(encoding="utf-8")
    return frozenset(re.findall(r"^- id: (\S+)$", text, re.MULTILINE))


def test_the_pages_come_in_the_order_of_their_codes():
    assert [page.code for page in PAGES.values()] == list(PAGES)
    assert len(PAGES) == len(set(PAGES))


def test_every_file_of_pages_is_a_family_with_pages_of_its_own():
    assert sorted(
        path.stem for path in (ROOT / "validator/meldref/rules/pages").glob("*.md")
    ) == sorted(FAMILIES)
    assert {
        family: {page.code.partition(".")[0] for page in _family(family)} for family in FAMILIES
    } == {family: {family} for family in FAMILIES}


def _family(name: str) -> tuple[Page, ...]:
    return tuple(
        pages_in((ROOT / f"validator/meldref/rules/pages/{name}.md").read_text(encoding="utf-8"))
    )


def test_what_has_no_page_is_not_there():
    assert "draw.deep.unheard-of" not in PAGES
    assert PAGES.get("draw.deep.unheard-of") is None


def test_a_page_is_read_when_it_is_asked_for_and_not_before():
    program = (
        "import meldref.engine.judge; from meldref.rules.pages import PAGES; "
        "assert not PAGES._read; PAGES['call.off']; assert {'call'} == {code[:4] for code in PAGES._read}"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.sweep
def test_every_code_that_is_raised_has_a_page():
    assert raised() - set(PAGES) == set()


@pytest.mark.sweep
def test_every_page_is_about_a_code_that_is_raised():
    assert set(PAGES) - raised() == set()


@cache
def raised() -> frozenset[str]:
    """Every code that the library can raise, by reading where findings are made."""
    return frozenset(
        code
        for file in SOURCE.rglob("*.py")
        if "pages" not in file.parts
        if any(maker in (text := file.read_text(encoding="utf-8")) for maker in MAKERS)
        for code in _codes_of(ast.parse(text))
    )


def _codes_of(tree: ast.Module) -> Iterator[str]:
    for scope in ast.walk(tree):
        if not isinstance(scope, (ast.FunctionDef, ast.Module)):
            continue
        for call in ast.walk(scope):
            if not isinstance(call, ast.Call) or _name(call.func) not in MAKERS:
                continue
            written = [
                *call.args[:1],
                *(keyword.value for keyword in call.keywords if keyword.arg == "code"),
            ]
            for expression in written:
                yield from filter(CODE.match, _texts(expression, scope))


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _texts(node: ast.expr, scope: ast.AST) -> list[str]:
    """What a text can be: itself, either branch, the values a name is given, the parts of an f-string."""
    if isinstance(node, ast.Constant):
        return [str(node.value)]
    if isinstance(node, ast.IfExp):
        return _texts(node.body, scope) + _texts(node.orelse, scope)
    if isinstance(node, ast.FormattedValue):
        return _texts(node.value, scope)
    if isinstance(node, ast.Name):
        return [text for value in _given(node.id, scope) for text in _texts(value, scope)]
    if isinstance(node, ast.JoinedStr):
        texts = [""]
        for part in node.values:
            texts = [text + more for text in texts for more in _texts(part, scope)]
        return texts
    return []


def _given(name: str, scope: ast.AST) -> Iterator[ast.expr]:
    """The values that a name is given in a function: by assignments, and by default."""
    for node in ast.walk(scope):
        if isinstance(node, ast.Assign) and any(
            isinstance(to, ast.Name) and to.id == name for to in node.targets
        ):
            yield node.value
        elif isinstance(node, ast.arguments):
            placed = node.posonlyargs + node.args
            named = placed + node.kwonlyargs
            defaults = [None] * (len(placed) - len(node.defaults)) + [
                *node.defaults,
                *node.kw_defaults,
            ]
            pairs = zip(named, defaults, strict=True)
            yield from (
                default for one, default in pairs if one.arg == name and default is not None
            )


def test_a_page_is_read_part_by_part():
    (page,) = pages_in(
        "# a.code: what is wrong\n\nIt means this.\nNote: and that.\n\nWhy: since it\nis so.\n\n"
        "Keys: one.key, another.key\n\nClauses: P-ONE-01\n\n"
        "```illegal rules=persian-rummy with=an-option set=a.key=1 with=another\nhands: {A: 2c}\npile: 3c\n"
        "> A: draw\n> A: discard 2c\n```\n\n```legal\nhands: {A: 4c}\n> A: draw 5c\n```\n"
    )
    assert (page.code, page.title) == ("a.code", "what is wrong")
    assert (page.means, page.why) == ("It means this. Note: and that.", "since it is so.")
    assert (page.keys, page.clauses) == (("one.key", "another.key"), ("P-ONE-01",))
    assert page.illegal == Example(
        given="hands: {A: 2c}\npile: 3c",
        moves=("A: draw", "A: discard 2c"),
        options=("an-option", "another"),
        settings=("a.key=1",),
        rules="persian-rummy",
    )
    assert page.legal == Example("hands: {A: 4c}", ("A: draw 5c",), (), (), "500-rummy")
