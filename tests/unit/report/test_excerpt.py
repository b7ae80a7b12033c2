"""The line a finding is about: carets stand under what they mean."""

from __future__ import annotations

import unicodedata

import pytest

from meldref.report.excerpt import WIDEST, excerpt, plain


def columns(text: str) -> int:
    """How many columns a terminal gives a text."""
    return sum(
        0 if unicodedata.combining(one) else 2 if unicodedata.east_asian_width(one) in "WF" else 1
        for one in text
    )


def marked(text: str, carets: str) -> str:
    """What stands above the carets."""
    lead, wide = len(carets) - len(carets.lstrip()), carets.count("^")
    shown, at = "", 0
    for one in text:
        if lead <= at < lead + wide:
            shown += one
        at += columns(one)
    return shown


def test_carets_stand_under_the_place():
    shown = excerpt("3. Cy: take 4h; discard Td", 8, 15)
    assert shown.text == "3. Cy: take 4h; discard Td"
    assert shown.carets == "       ^^^^^^^"


def test_a_place_over_the_whole_line_is_marked_as_such():
    assert excerpt("gap", 1, 4).carets == "^^^"


def test_a_place_without_width_has_one_caret():
    assert excerpt("end", 4, 4).carets == "   ^"


def test_a_place_behind_the_line_has_one_caret_at_its_end():
    assert excerpt("end", 9, 12).carets == "   ^"


def test_tabs_do_not_shift_the_carets():
    shown = excerpt("Ann:\tdraw\t4s", 11, 13)
    assert marked(shown.text, shown.carets) == "4s"
    assert "\t" not in shown.text


def test_wide_characters_do_not_shift_the_carets():
    shown = excerpt("東京: draw 4s", 10, 12)
    assert marked(shown.text, shown.carets) == "4s"
    assert shown.carets == " " * 11 + "^^"


def test_marks_that_join_a_letter_do_not_shift_the_carets():
    text = "Zoe\u0308: draw 4s"
    shown = excerpt(text, 12, 14)
    assert shown.carets == " " * 10 + "^^"


def test_a_wide_character_is_marked_in_full():
    assert excerpt("東京: draw", 1, 3).carets == "^^^^"


@pytest.mark.parametrize("at", [1, 40, 500, 1500, 1995])
def test_a_long_line_is_cut_around_the_place(at: int):
    text = "".join(chr(ord("a") + place % 26) for place in range(2000))
    shown = excerpt(text, at, at + 5)
    assert len(shown.text) <= WIDEST
    assert marked(shown.text, shown.carets) == text[at - 1 : at + 4]
    assert shown.text.startswith("…") == (not text.startswith(shown.text[:5]))
    assert shown.text.endswith("…") == (not text.endswith(shown.text[-5:]))


def test_a_place_longer_than_the_excerpt_is_marked_to_its_end():
    shown = excerpt("x" * 300, 1, 301)
    assert len(shown.carets) <= WIDEST
    assert shown.text.endswith("…")


def test_a_long_line_of_wide_characters_fits():
    shown = excerpt("東" * 300, 200, 201)
    assert columns(shown.text) <= WIDEST
    assert marked(shown.text, shown.carets) == "東"


@pytest.mark.parametrize("odd", ["\x1b", "\x00", "\u202e", "\udcff", "\u2028"])
def test_what_could_spoil_a_terminal_is_not_printed(odd: str):
    assert odd not in excerpt(f"Ann: {odd}[31m", 6, 7).text
    assert odd not in plain(f"Ann: {odd}[31m")


def test_a_mark_alone_at_the_beginning_does_not_hang_on_the_margin():
    assert excerpt("\u0301x", 1, 2).text == "\ufffdx"


def test_line_ends_are_no_part_of_an_excerpt():
    assert excerpt("gap\r\n", 1, 4).text == "gap"
