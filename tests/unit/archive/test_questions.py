"""The questions of the page about archives, and their answers."""

from __future__ import annotations

import pytest

from blocks import ROOT, blocks_of
from doc_blocks import PageRun

PAGE = (ROOT / "docs" / "archives.md").read_text(encoding="utf-8")


def test_the_ten_questions_have_the_answers_that_the_page_shows(tmp_path):
    pytest.importorskip("duckdb")
    assert sum(block.language == "sql" for block in blocks_of(PAGE)) == 10
    problems = PageRun("archives.md", PAGE, tmp_path).run()
    assert not problems, "\n".join(problems)


def test_an_answer_that_is_not_the_shown_one_is_noticed(tmp_path):
    pytest.importorskip("duckdb")
    page = "```sql\nselect 6 * 7 as answer\n```\n\n```text\nanswer\n41\n```\n"
    assert PageRun("page", page, tmp_path).run()
    assert not PageRun("page", page.replace("41", "42"), tmp_path).run()
