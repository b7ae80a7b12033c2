"""Positions, hands, melds, judgements and rulesets in print, in notebooks, and as pictures."""

import xml.etree.ElementTree as ET

import pytest

from meldref import audit_text, judge_move, load_position, load_ruleset, svg_of, text_of
from meldref.core.cards import ONE, counted
from meldref.position.model import Hand
from meldref.report.text import finding_text
from paths import ROOT

POSITION = ROOT / "examples" / "position.yaml"
SVG = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"


@pytest.fixture(scope="module")
def built():
    return load_position(POSITION)[0]


def words(svg):
    return [one.text for one in ET.fromstring(svg).iter(f"{SVG}text")]  # noqa: S314  written just now


def test_a_position_prints_as_a_small_table(built):
    lines = str(built).splitlines()
    assert lines[0] == "  > Ann   8  4d 4h 9h Ks  (4 cards)"
    assert str(built.position) == str(built)
    assert "    m2: Cy Qc Qd Jk=Q" in lines


def test_hands_and_melds_print_as_the_notation_writes_them(built):
    assert [str(hand) for hand in built.hands.values()] == ["4d 4h 9h Ks", "? ? ? ? ?", "? ? ?"]
    assert str(built.position.melds[1]) == "Qc Qd Jk=Q"
    assert str(Hand("Ann", counted([0, 51]) + ONE[52], 1)) == "Ac Ks Jk ?"


def test_a_judgement_prints_its_verdict_and_shows_the_table_after_it(built):
    legal = judge_move(built, "take 4c; meld 4c 4d 4h")
    assert str(legal).startswith("legal: ")
    assert "m3" in words(legal._repr_svg_())
    illegal = judge_move(built, "take 4c; discard 9h")
    assert illegal.findings[0].code in str(illegal)
    assert illegal.findings[0].code in illegal._repr_html_()


def test_a_ruleset_prints_its_settings_with_who_set_them():
    ruleset = load_ruleset("500-rummy", ["floating"])[0]
    assert str(ruleset).splitlines()[0] == "500-rummy: 500 Rummy"
    assert any(
        line.startswith("  draw.deep.must = be_used   (500-rummy.yaml:")
        for line in str(ruleset).splitlines()
    )
    assert "<td>draw.deep.must</td><td>be_used</td>" in ruleset._repr_html_()


def test_a_picture_of_a_position_holds_every_card_and_who_laid_it(built):
    picture = ET.fromstring(built._repr_svg_())  # noqa: S314  written just now
    cards = [one.text for one in picture.iter(f"{SVG}title")]
    assert [cards.count(card) for card in ("6♥", "6♠", "K♠", "Joker as Q")] == [1, 1, 1, 1]
    shown = words(built._repr_svg_())
    assert {"▶ Ann", "Q", "17 cards"} <= set(shown)
    assert built._repr_svg_() in built._repr_html_()


def test_a_picture_has_every_drawing_that_it_uses_and_no_other(built):
    picture = ET.fromstring(built._repr_svg_())  # noqa: S314  written just now
    drawn = {one.get("id") for one in picture.find(f"{SVG}defs")}
    used = {one.get(LINK, "")[1:] for one in picture.iter(f"{SVG}use")}
    assert {"s-back", "s-Jk", "s-4d", "rank-4", "pip-d"} <= used
    assert drawn == used | {"back-weave"}


def test_every_line_of_a_game_can_be_drawn(meldref):
    log = "tests/games/500-rummy.rgn"
    steps = meldref("replay", str(ROOT / log), "--format", "json").data["steps"]
    lines = [step["line"] for step in steps if step["position"] is not None]
    for line in lines[:: len(lines) // 4]:
        ran = meldref("replay", str(ROOT / log), "--at", str(line), "--svg")
        assert ran.code == 0
        assert ET.fromstring(ran.out).tag == f"{SVG}svg"  # noqa: S314  written just now


def test_names_in_a_picture_are_text(meldref, tmp_path):
    log = tmp_path / "names.rgn"
    log.write_text(
        '[Rules "500-rummy"]\n[Players "<a&b>, ]]>"]\nhand 1\n1. "<a&b>": draw; discard 2c\n',
        encoding="utf-8",
    )
    ran = meldref("replay", str(log), "--at", "4", "--svg")
    assert any("<a&b>" in word for word in words(ran.out))


@pytest.mark.parametrize("arguments", [[], ["--at", "9", "--format", "json"]])
def test_a_picture_is_of_one_line(meldref, arguments):
    ran = meldref("replay", str(ROOT / "examples/evening.rgn"), "--svg", *arguments)
    assert ran.code == 2
    assert "--at" in ran.err


def test_a_finding_prints_as_an_audit_shows_it_and_is_text_in_a_page():
    log = '[Rules "500-rummy"]\n[Players "<b>, Bob"]\nhand 1 dealer Bob\nup 6c\n1. <b>: take 6c; discard 6c\n'
    found = audit_text(log).findings[0]
    assert str(found) == text_of(found) == finding_text(found)
    assert f"[{found.code}]" in str(found)
    assert "<b>" not in found._repr_html_().removeprefix("<pre>")
    assert svg_of(found) is None
