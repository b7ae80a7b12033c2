"""The galleries keep what they are given, byte for byte."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gallery import Entry, as_yaml, entries, regenerate

HEAD = "# What this file is.\n"


def stored(folder, *family):
    (folder / "family.yaml").write_bytes(as_yaml(family, HEAD).encode())
    entries.cache_clear()
    return entries(folder)


@pytest.mark.sweep
@given(st.lists(st.one_of(st.text(alphabet=" \t\n\r:#-|a\u00e9\ufeff\u2028\x85\x00"), st.text())))
@example(
    ["\tb\n", "no line end", "\n\n", " \n a\n\n", "a\n\n\n", "a\r\nb", "", "  ", "a: |\n  b\n"]
)
def test_text_and_bytes_come_back_as_they_were(tmp_path_factory, texts):
    files = [text.encode("utf-8", "surrogatepass") for text in texts] + [b"\xff\xfe\x00", b"\xe9"]
    family = [
        Entry(f"entry-{number}", "family", {"a": content}, "printed\n", {"b": content})
        for number, content in enumerate(files)
    ]
    again = stored(tmp_path_factory.mktemp("gallery"), *family)
    assert {entry.name: entry.given["a"] for entry in again} == {
        entry.name: entry.given["a"] for entry in family
    }
    assert all(entry.fixed["b"] == entry.given["a"] for entry in again)


def test_readable_text_is_a_block_also_with_tabs():
    text = as_yaml([Entry("no", "family", {"house.yaml": b"a:\n\tb: 1\n"}, "Printed.\n")], HEAD)
    assert text == (
        f'{HEAD}\n"no":\n  given:\n    house.yaml: |\n      a:\n      \tb: 1\n'
        "  printed: |\n    Printed.\n"
    )


def test_what_is_printed_is_written_for_new_entries_and_comments_stay(tmp_path, capsys):
    file = tmp_path / "family.yaml"
    file.write_text(f"{HEAD}\nb:\n  given: {{x: '1'}}\na:\n  given: {{x: '2'}}\n")

    def printed(entry):
        return f"{entry.given['x'].decode()}\n"

    assert regenerate(tmp_path, printed, ["--check"]) == 1
    assert regenerate(tmp_path, printed, []) == 0
    assert regenerate(tmp_path, printed, ["--check"]) == 0
    assert file.read_text().startswith(HEAD)
    entries.cache_clear()
    assert [(entry.name, entry.printed) for entry in entries(tmp_path)] == [
        ("a", "2\n"),
        ("b", "1\n"),
    ]
    assert "family.yaml: a written" in capsys.readouterr().out


def test_a_gallery_stays_as_it_is_where_only_lines_of_shipped_rules_moved(tmp_path):
    stored(tmp_path, Entry("a", "family", {"x": b"1"}, "500-rummy.yaml:65\n"))
    before = (tmp_path / "family.yaml").read_text()
    assert regenerate(tmp_path, lambda _: "500-rummy.yaml:66\n", []) == 0
    assert (tmp_path / "family.yaml").read_text() == before
    assert regenerate(tmp_path, lambda _: "500-rum.yaml:66\n", ["--check"]) == 1
