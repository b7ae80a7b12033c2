"""What pages show is so: every block with a command or code runs, and every link leads somewhere."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

import conf
import generate
import installing
from blocks import ROOT, Shell, blocks_of, like, matches, refreshed, screen, steps_of, without_lines
from doc_blocks import PageRun
from meldref_cli.groups import COMMANDS, RULES_COMMANDS
from together import each

AROUND = ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md", "CHANGELOG.md")
PAGES = [*(ROOT / name for name in AROUND), *sorted((ROOT / "docs").rglob("*.md"))]

GALLERY = set((ROOT / "docs" / "broken-rules").glob("*.md"))
"""Made of the files and messages of `tests/broken`, where each of its commands is run."""


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))


EVERY = {named(page): (page,) for page in PAGES}


def prose(page: Path) -> str:
    """A page without its blocks."""
    return prose_of(page.read_text(encoding="utf-8"))


def prose_of(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.sweep
@pytest.mark.parametrize("page", [page for page in PAGES if page not in GALLERY], ids=named)
def test_every_block_with_a_command_or_code_runs(page, tmp_path):
    problems = PageRun(
        str(page.relative_to(ROOT)), page.read_text(encoding="utf-8"), tmp_path
    ).run()
    assert not problems, "\n\n".join(problems)


def test_no_code_hides_from_the_tests_by_indentation():
    def check(page):
        lines = prose(page).split("\n")
        hidden = [
            line
            for before, line in pairwise(lines)
            if line.startswith("    ") and not before.strip()
        ]
        assert not hidden

    each(check, EVERY)


def test_every_link_of_the_checkout_leads_somewhere():
    def check(page):
        for target, anchor in re.findall(r"\]\((?!https?:)([^)\s#]*)#?([^)\s]*)\)", prose(page)):
            file = page.parent / target if target else page
            assert file.exists(), f"{target} is not there"
            if anchor:
                assert anchor in anchors(file), f"{target} has no #{anchor}"

    each(check, EVERY)


@cache
def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_commands_in_prose_are_commands_of_the_program(meldref):
    @cache
    def help_of(*command):
        return meldref(*command, "--help").out

    def check(page):
        for written in re.findall(r"`(meldref [a-z][^`]*)`", prose(page)):
            words = re.sub(r"\s+", " ", written).split(" ")
            command = words[1:3] if words[1] == "rules" else words[1:2]
            assert command[0] in COMMANDS, written
            assert len(command) == 1 or command[1] in RULES_COMMANDS or not command[1].islower(), (
                written
            )
            for option in {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}:
                assert re.search(rf"(^|[ ,]){option}\b", help_of(*command), re.MULTILINE), written

    each(check, EVERY)


def test_every_test_that_a_promise_of_safety_rests_on_is_there():
    named = re.findall(
        r"`(?:tests/\S*/)?(test_\w+\.py)`", (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    )
    assert named
    assert not [name for name in named if not any((ROOT / "tests").rglob(name))]


def test_the_page_by_purpose_tours_every_command():
    told = re.findall(
        r"^\| `meldref ([a-z ]+)` \|",
        (ROOT / "docs" / "purposes.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    every = [name for name in COMMANDS if name != "rules"] + [
        f"rules {name}" for name in RULES_COMMANDS
    ]
    assert sorted(told) == sorted(every)


def test_readme_is_read_in_a_minute():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150


PAGE = """\
A text.

```console
$ meldref melds "5h 6h 7h"
sequence  5h 6h 7h  18 points
$ meldref legal "take 4c" \\
    --hand "4d 4h 9h"
…
```

~~~yaml file=house.yaml wrong
a: 1
~~~
"""


def test_a_page_has_its_blocks_with_their_languages_and_lines():
    first, second = blocks_of(PAGE)
    assert (first.language, first.line, first.file, first.wrong) == ("console", 3, None, False)
    assert (second.language, second.line, second.file, second.wrong) == (
        "yaml",
        11,
        "house.yaml",
        True,
    )
    assert second.text == "a: 1"


def test_a_console_block_is_commands_and_what_each_shows():
    melds, legal = steps_of(next(blocks_of(PAGE)))
    assert (melds.command, melds.shown) == (
        'meldref melds "5h 6h 7h"',
        "sequence  5h 6h 7h  18 points",
    )
    assert (legal.command, legal.shown) == (
        'meldref legal "take 4c" \\\n    --hand "4d 4h 9h"',
        "…",
    )


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("one\ntwo", "one\ntwo\n", True),
        ("one", "one\ntwo", False),
        ("one\n…", "one\ntwo\nthree", True),
        ("one\n…\nthree", "one\ntwo\nthree", True),
        ("one\n…\nthree", "one\nthree", True),
        ("one\n…\nfour", "one\ntwo\nthree", False),
        ("in … seconds", "in 0.13 seconds", True),
        ("in … seconds", "in 0.13\nseconds", False),
        ("", "something", False),
        ("is so (500-rummy.yaml:65)", "is so (500-rummy.yaml:7)", True),
        ("is so (500-rummy.yaml:65, 66)", "is so (500-rummy.yaml:7, 8)", True),
        ("at 500-rummy.yaml:65 …\n…", "at 500-rummy.yaml:7 now\nmore", True),
        ("is so (500-rummy.yaml:65)", "is so (500-rum.yaml:65)", False),
        ("is so (house.yaml:65)", "is so (house.yaml:7)", False),
        ("is so (our-500-rummy.yaml:65)", "is so (our-500-rummy.yaml:7)", False),
    ],
)
def test_what_was_cut_may_be_anything_and_the_rest_is_exact(shown, printed, same):
    assert matches(shown, printed) is same


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ({"a": 1}, {"a": 1}, True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"a": 1, "…": "…"}, {"a": 1, "b": 2}, True),
        ({"a": "…"}, {"a": [1, 2]}, True),
        ([1, "…"], [1, 2, 3], True),
        ([1, "…"], [1], False),
        ([2, "…"], [1, 2], False),
        ([1, 2], [1], False),
        ("one …", "one two", True),
        ("two …", "one two", False),
        (1, 2, False),
        (0.33, 1 / 3, True),
        (0.34, 1 / 3, False),
        ({"file": "floating.yaml", "line": 3}, {"file": "floating.yaml", "line": 4}, True),
        ({"file": "floating.yaml", "line": 3}, {"file": "aces-25.yaml", "line": 3}, False),
        ({"file": "floating.yaml", "line": 3}, {"file": "floating.yaml"}, False),
        ({"file": "house.yaml", "line": 3}, {"file": "house.yaml", "line": 4}, False),
        ("in floating.yaml:3", "in floating.yaml:4", True),
    ],
)
def test_what_was_cut_of_data_may_be_anything_and_the_rest_is_exact(shown, printed, same):
    assert like(shown, printed) is same


@pytest.mark.parametrize("cut", ["", "…"])
def test_a_refreshed_page_has_the_lines_of_shipped_rules_as_they_are(cut, tmp_path):
    command = "meldref rules diff 500-rummy 500-rummy+floating"
    lines = Shell(tmp_path).run(command).split("\n")
    now = next(line for line in lines if "500-rummy.yaml:" in line)
    page = "```console\n$ {}\n…\n{}{}\n…\n```\n"
    before = page.format(command, re.sub(r"(500-rummy\.yaml:)\d+", r"\g<1>1", now), cut)
    assert before != page.format(command, now, cut)
    assert refreshed(before, Shell(tmp_path)) == page.format(command, now, cut)


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["first-audit", "how-it-works"])
def test_a_line_added_to_shipped_rules_breaks_no_page(name, tmp_path, monkeypatch):
    def added(text: str) -> str:
        return re.sub(
            r"\b(500-rummy\.yaml:)(\d+)", lambda place: f"{place[1]}{int(place[2]) + 1}", text
        )

    run = Shell.run
    page = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    assert added(page) != page
    monkeypatch.setattr(Shell, "run", lambda shell, command: added(run(shell, command)))
    written = refreshed(page, Shell(tmp_path / "written"))
    assert without_lines(written) == without_lines(page)
    assert PageRun(name, page, tmp_path / "tested").run() == []


@pytest.mark.parametrize(
    "text",
    ["(500-rummy.yaml:65, 66)", '"file": "500-rummy.yaml", "line": 65'],
)
def test_a_page_stays_as_it_is_where_only_lines_of_shipped_rules_moved_unless_it_is_named(
    text, tmp_path, monkeypatch
):
    page, moved = tmp_path / "page.md", text.replace("65", "7")
    page.write_text(text, encoding="utf-8")
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    monkeypatch.setattr(generate, "GROUPS_MADE", {})
    monkeypatch.setattr(generate, "PAGES_MADE", {page: lambda: moved})
    monkeypatch.setattr(generate, "by_hand", list)
    with screen():
        assert generate.main(["--check"]) == generate.main([]) == 0
        assert page.read_text(encoding="utf-8") == text
        generate.main(["page"])
    assert page.read_text(encoding="utf-8") == moved


def test_what_is_shown_but_not_printed_stops_refreshing_a_cut_block(tmp_path):
    page = "```console\n$ meldref rules diff 500-rummy 500-rummy+floating\n…\nno such line\n```\n"
    with pytest.raises(LookupError, match="line 2"):
        refreshed(page, Shell(tmp_path))


@pytest.mark.parametrize(
    ("block", "problem"),
    [
        ("```\nmeldref\n```", "no language"),
        ("```brainfuck\n+\n```", "`brainfuck` are not tested"),
        ('```console\n$ meldref melds "5h 6h 7h"\nno meld\n```', "prints:\nsequence"),
        ("```console\nmeldref melds 5h\n```", "each behind"),
        ("```sh\njust dance\n```", "no recipe `dance`"),
        ("```sh\nrm file\n```", "`rm file` is not tested"),
        ("```sh\nmeldref dance\n```", "ends with 2"),
        ("```python\n>>> 1 + 1\n3\n```", "Expected:\n    3\nGot:\n    2"),
        ("```python\nprint(1)\n```", "nothing shows"),
        ("```python\nprint(1)\n```\n\n```text\n2\n```", "prints:\n1"),
        ("```yaml\ngame: {taget: 1}\n```", "did you mean target"),
        ("```yaml\nhands: {A: 5h, B: 5h 5h}\n```", "log.copies"),
        (
            '```yaml\ncases:\n  - {name: x, given: {}, moves: ["A: pass"], expect: {verdict: legal}}\n```',
            "x: ",
        ),
        ("```yaml wrong\ngame: {target: 1000}\n```", "nothing is wrong"),
        ("```rgn\n1. Ann: plays 5h\n```", "log.syntax"),
        ('```rgn\n[Players "A, B"]\nhand 1\nscore A 5, B 3\nresult B\n```', "game.winner"),
        ("```rgn wrong\nup 6c\n```", "nothing is wrong"),
        ("```json\n{\n```", "no JSON"),
        (
            '```sh\nmeldref melds 5h --format json\n```\n\n```json\n{"melds": ["5h"]}\n```',
            'prints:\n{"melds": []}',
        ),
        ("```toml\n=\n```", "no TOML"),
    ],
)
def test_what_does_not_hold_is_a_problem(block, problem, tmp_path):
    problems = PageRun("page.md", f"# Page\n\n{block}\n", tmp_path).run()
    assert len(problems) == 1
    assert problems[0].startswith("page.md:")
    assert problem in problems[0], problems[0]


@pytest.mark.parametrize(
    ("written", "on_site"),
    [
        ("[a](codes.md#log)", "[a](/codes.md#log)"),
        ("[a](../ARCHITECTURE.md)", "[a](/architecture.md)"),
        ("[a](../README.md#five-minutes)", "[a](/index.md)"),
        ("[a](../tests/doc_blocks.py)", "a"),
        ("[a](changes/README.md)", "a"),
        ("[a](nowhere.md)", "[a](nowhere.md)"),
        ("[a](https://example.org/b.md)", "[a](https://example.org/b.md)"),
        ("[a](#here)", "[a](#here)"),
    ],
)
def test_links_of_the_checkout_are_links_of_the_site(written, on_site):
    assert conf.on_the_site(written, ROOT / "docs") == on_site


def test_a_page_that_includes_another_has_its_links_from_where_that_one_is():
    page = conf.on_the_site(
        (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8"), ROOT / "docs"
    )
    assert page.startswith("# Contributing\n")
    assert "](/changelog.md)" in page
    assert "](/index.md)" in page


MEASURED = re.compile(r"^<!-- (\w+): begin -->\n.*?^<!-- \1: end -->$", re.MULTILINE | re.DOTALL)
"""A table that a program counted and wrote into a page."""


def test_what_people_have_to_read_stays_within_35_000_words():
    docs = ROOT / "docs"
    pages = [
        page
        for page in generate.by_hand()
        if page.is_relative_to(docs) and page.parent != docs / "changes"
    ]
    assert sum(len(MEASURED.sub("", prose(page)).split()) for page in pages) <= 35_000


def test_no_page_opens_with_a_wall_of_terminal():
    def check(page):
        first = next((block for block in blocks_of(page.read_text(encoding="utf-8"))), None)
        if first is not None and first.language in {"console", "sh"}:
            before = "\n".join(page.read_text(encoding="utf-8").split("\n")[: first.line])
            assert len(before.split()) >= 20, "nothing says what the block is about"
            assert first.text.count("\n") <= 15, "the first block is long"

    each(check, {named(page): (page,) for page in generate.by_hand()})


def test_every_page_is_in_one_part_of_the_front_page():
    front = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    listed = [
        name
        for tree in re.findall(r"^```\{toctree\}\n(.*?)^```$", front, re.MULTILINE | re.DOTALL)
        for name in tree.split("\n")
        if name and not name.startswith(":")
    ]
    top = {page.stem for page in (ROOT / "docs").glob("*.md")} - {"index"}
    assert sorted(name for name in listed if "/" not in name) == sorted(top)
    assert re.findall(r"^:caption: \"?(\w+)", front, re.MULTILINE) == [
        "Learn",
        "Do",
        "Look",
        "Look",
        "Look",
        "Understand",
    ]


def test_no_page_says_that_a_release_can_be_installed_before_there_is_one():
    def check(page):
        text = page.read_text(encoding="utf-8")
        assert installing.with_parts(text) == text, "docs/generate.py writes how to install"
        assert installing.RELEASED or not re.search(
            r"\b(pip|pipx|uv|uvx|tool) (install|run) (-\S+ )*'?meldref(?!\[|\.pyz)\b", text
        ), "there is no release: docs/installing.py says how to install"

    each(check, EVERY)


def test_the_day_of_a_release_pages_install_it_by_its_name():
    def check(page):
        text = page.read_text(encoding="utf-8")
        released = installing.with_parts(text, released=True)
        assert installing.with_parts(released, released=False) == text
        assert not re.search(r"no release|no address yet|pip install \.$", released, re.MULTILINE)
        assert released != text

    each(check, {named(page): (page,) for page in PAGES if "<!-- install-" in prose(page)})
