"""`meldref rules rulebook`: rules as a book, to standard output or a file."""

import os
import subprocess
import sys

import pytest

CUSTOMS = """\
id: ours
name: Ann & Bob's <own>
extends: [500-rummy]
game: {target: 750}
customs: ["Whoever <deals> brings the biscuits & the tea."]
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder to be in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_game_is_written_in_markdown(meldref):
    ran = meldref("rules", "rulebook", "500-rummy")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("# 500 Rummy\n\n")
    assert "## Laying off" in ran.lines
    assert "> **Not allowed:** " in ran.out
    assert ran.out.endswith("\n")
    assert not ran.out.endswith("\n\n")


def test_a_game_is_written_in_html(meldref):
    ran = meldref("rules", "rulebook", "500-rummy", "--format", "html")
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines[0] == "<!DOCTYPE html>"
    assert ran.lines[-1] == "</html>"


def test_options_settings_and_customs_are_in_it(meldref, here):
    (here / "ours.yaml").write_text(CUSTOMS, encoding="utf-8")
    out = meldref(
        "rules", "rulebook", "ours.yaml", "--with", "no-calls", "--set", "out.bonus=30"
    ).out
    assert out.startswith("# Ann \\& Bob's \\<own\\>\n")
    assert "750 points or more" in out
    assert "scores an extra 30 points" in out
    assert "Calling" not in out
    assert "- Whoever \\<deals\\> brings the biscuits \\& the tea." in out
    assert "from the rules `ours · with no-calls · out.bonus = 30`" in out


def test_examples_can_be_left_out(meldref):
    whole, bare = (
        meldref("rules", "rulebook", "500-rum", *more).out for more in ((), ("--no-examples",))
    )
    assert "**Allowed:**" in whole
    assert "**Allowed:**" not in bare
    assert [line for line in whole.split("\n") if line[:1] not in {">", ""}] == [
        line for line in bare.split("\n") if line
    ]


def test_keys_are_shown_with_their_places(meldref, here):
    (here / "ours.yaml").write_text(CUSTOMS, encoding="utf-8")
    out = meldref("rules", "rulebook", "ours.yaml", "--keys").out
    assert "`game.target = 750` ours.yaml:4" in out
    assert "`draw.deep.must = be_used` 500-rummy.yaml:" in out
    assert "game.hands" not in out
    page = meldref("rules", "rulebook", "ours.yaml", "--keys", "--format", "html").out
    assert "<li><code>game.target = 750</code> ours.yaml:4</li>" in page


@pytest.mark.parametrize(
    ("name", "begins"),
    [("book.html", "<!DOCTYPE"), ("BOOK.HTM", "<!DOCTYPE"), ("book.md", "# "), ("book", "# ")],
)
def test_a_files_ending_says_what_is_written(meldref, here, name, begins):
    ran = meldref("rules", "rulebook", "500-rummy", "-o", name)
    assert (ran.code, ran.out, ran.err) == (0, "", f"{name}: written\n")
    assert (here / name).read_text(encoding="utf-8").startswith(begins)


def test_the_format_asked_for_goes_over_the_ending(meldref, here):
    meldref("rules", "rulebook", "500-rummy", "--format", "markdown", "-o", "book.html")
    assert (here / "book.html").read_text(encoding="utf-8").startswith("# ")


def test_a_file_that_is_there_is_not_written_over_unasked(meldref, here):
    book = here / "book.md"
    book.write_text("mine", encoding="utf-8")
    ran = meldref("rules", "rulebook", "500-rummy", "-o", "book.md")
    assert (ran.code, ran.out) == (2, "")
    assert "--force" in ran.err
    assert book.read_text(encoding="utf-8") == "mine"
    assert meldref("rules", "rulebook", "500-rummy", "-o", "book.md", "--force").code == 0
    assert book.read_text(encoding="utf-8").startswith("# 500 Rummy")


def test_nothing_is_written_where_the_rules_cannot_be_used(meldref, here):
    (here / "wrong.yaml").write_text(
        "id: wrong\nextends: [500-rummy]\ngame: {target: high}\n", encoding="utf-8"
    )
    for arguments in (
        ("wrong.yaml",),
        ("nowhere",),
        ("floating",),
        ("500-rummy", "--set", "game.target=high"),
    ):
        ran = meldref("rules", "rulebook", *arguments, "-o", "book.md")
        assert (ran.code, ran.out) == (2, "")
        assert ran.err
        assert not (here / "book.md").exists()


@pytest.mark.sweep
def test_the_same_rules_make_the_same_bytes():
    """Nothing of it depends on the order in which a set is walked."""
    books = {
        subprocess.run(
            [sys.executable, "-m", "meldref_cli.main", "rules", "rulebook", "persian-rummy"],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(books) == 1
    assert b"Persian" in books.pop()


@pytest.mark.parametrize("name", ["r.pdf", "r.docx", "r.md.gz"])
def test_a_kind_of_file_that_is_not_written_is_refused_unless_a_format_is_asked_for(
    meldref, log, tmp_path, name
):
    log()
    ran = meldref("rules", "rulebook", "500-rummy", "-o", name)
    assert (ran.code, ran.out) == (2, "")
    assert (
        f"{name}: the name of the file has to end in .md, .markdown, .txt, .html or .htm" in ran.err
    )
    assert not (tmp_path / name).exists()
    assert (
        meldref(
            "rules", "rulebook", "500-rummy", "-o", name, "--format", "markdown", "--no-examples"
        ).code
        == 0
    )
    assert (tmp_path / name).read_text().startswith("# 500 Rummy")


@pytest.mark.parametrize("name", ["r", "R.MD", "r.txt"])
def test_a_file_without_an_ending_has_markdown_in_it(meldref, log, tmp_path, name):
    log()
    assert meldref("rules", "rulebook", "500-rummy", "-o", name, "--no-examples").code == 0
    assert (tmp_path / name).read_text().startswith("# 500 Rummy")
