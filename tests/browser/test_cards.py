"""One set of cards: reports, the playground and its viewer show the same drawings."""

from __future__ import annotations

import re

import pytest

from meldref_cli.main import main
from meldref_table.report.looks import card_symbols
from paths import ROOT
from visits import PHONE, Visit

SYMBOL = re.compile(r'<symbol id="([\w-]+)"')
DRAWN = """() => Object.fromEntries([...document.querySelectorAll(".sprite symbol[id]")]
    .map((one) => [one.id, one.innerHTML.replace(/ xmlns="[^"]*"/g, "")]))"""


@pytest.fixture(scope="module")
def in_report(browser, tmp_path_factory):
    out = tmp_path_factory.mktemp("cards") / "report.html"
    main(["report", str(ROOT / "examples" / "disputed.rgn"), "-o", str(out), "--quiet"])
    page = browser.new_page()
    page.goto(f"{out.as_uri()}#log=1&hand=1&turn=3")
    yield page
    page.close()


def test_a_report_has_a_drawing_for_every_card(in_report):
    drawn = in_report.evaluate(DRAWN)
    assert set(drawn) == set(SYMBOL.findall(card_symbols()))
    faces = {f"s-{rank}{suit}" for rank in "A23456789TJQK" for suit in "cdhs"}
    assert faces | {"s-Jk", "s-back"} <= set(drawn)


def test_every_card_on_the_table_of_a_report_is_one_of_these_drawings(in_report):
    used = in_report.locator("#table .card use").evaluate_all(
        "all => all.map((use) => [use.getAttribute('href'), use.getBoundingClientRect().width])"
    )
    drawn = in_report.evaluate(DRAWN)
    assert len(used) == in_report.locator("#table .card").count() > 10
    assert all(href[1:] in drawn and width > 0 for href, width in used)


def test_the_playground_has_the_same_drawings_as_a_report(browser, site, in_report):
    visit = Visit(browser, site, **PHONE)
    page = visit.open_without_referee()
    own = in_report.evaluate(DRAWN)
    there = page.evaluate(DRAWN)
    assert {name: there[name] for name in own} == own
    visit.close()
