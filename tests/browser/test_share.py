"""What goes out of the playground and comes back: links, pictures, and files that are dropped on it."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest

from paths import ROOT
from visits import PHONE, Visit, at_the_example

EVENING = (ROOT / "examples" / "evening.rgn").read_text(encoding="utf-8")
HAND = '[Rules "500-rummy"]\n[Players "Ann, Bob"]\nhand 1 dealer Bob\nup 6c\n1. Ann: take 6c; discard 6c\n'


@pytest.fixture(scope="module")
def shared(browser, site):
    visit = Visit(browser, site, **PHONE)
    visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit.open()
    yield visit
    visit.close()


@pytest.fixture
def visit(shared):
    yield from at_the_example(shared)


def copied(visit):
    return visit.page.evaluate("navigator.clipboard.readText()")


def press(visit, name):
    visit.page.get_by_role("button", name=name, exact=True).click()


def test_a_link_opens_the_same_table_with_what_was_done_on_it(visit):
    page = visit.page
    visit.card("pile", "4 of clubs").click()
    press(visit, "Take three cards")
    visit.says("Yes. Now use the 4♣.")
    press(visit, "Share a picture")
    press(visit, "Copy a link")
    page.get_by_text("Copied: whoever opens it sees this table.").wait_for()
    link = copied(visit)
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_selector("html[data-referee=ready]")
    visit.card("hand", "4 of clubs").wait_for()
    assert page.get_by_role("heading", name="Yes. Now use the 4♣.").is_visible()
    visit.card("hand", "king of spades").click()
    visit.says("No. The 4♣ must be used this turn.")


def test_a_link_holds_the_moves_that_were_made_since_the_question(visit):
    page = visit.page
    page.get_by_role("button", name="Draw from the stock").click()
    visit.says("Yes. Ann draws a card.")
    visit.card("hand", "9 of hearts").click()
    page.get_by_role("button", name="Meld of Bob").click()
    visit.says("Yes: +9 for Ann.")
    press(visit, "Share a picture")
    press(visit, "Copy a link")
    page.get_by_text("Copied: whoever opens it sees this table.").wait_for()
    link = copied(visit)
    visit.forget()
    page.goto(link)
    page.get_by_role("list", name="The moves made").get_by_role("button").nth(2).wait_for()
    moves = page.get_by_role("list", name="The moves made").get_by_role("button").all_inner_texts()
    assert len(moves) == 3
    press(visit, "To the start")
    visit.card("hand", "9 of hearts").wait_for()


def test_a_link_stays_in_the_address_until_something_is_done_and_then_on_the_device(visit):
    page = visit.page
    position = {"players": ["Ann", "Bob"], "to_move": "Ann", "hands": {"Ann": "4d 4h 9h"}}
    link = quote(json.dumps({"position": {**position, "pile": "4c 2d"}, "text": "May I?"}))
    page.goto(f"{visit.address}#/allowed/{link}")
    page.get_by_role("heading", name="May I?").wait_for()
    page.reload()
    page.get_by_role("heading", name="May I?").wait_for()
    visit.card("pile", "2 of diamonds").click()
    page.get_by_role("button", name="Take the").click()
    visit.card("hand", "2 of diamonds").wait_for()
    assert page.url.endswith("#/allowed")
    page.reload()
    visit.card("hand", "2 of diamonds").wait_for()


def test_a_link_keeps_the_rules_that_the_table_has(visit):
    page = visit.page
    rules = "id: ours\nname: Ours\nextends: [500-rummy]\ndraw: {dead_end: allowed}\n"
    position = {"players": ["Ann", "Bob"], "to_move": "Ann", "hands": {"Ann": "4d 4h 9h"}}
    data = {"position": {**position, "pile": "6s 2d"}, "text": "May I?", "rules": {"text": rules}}
    page.goto(f"{visit.address}#/allowed/{quote(json.dumps(data))}")
    visit.card("pile", "6 of spades").click()
    visit.says("Yes, Ann may take the 6♠.")


@pytest.mark.parametrize("rest", ["{", "{}", "%7B%22position%22%3A3%7D", "%7Bx%ZZ", "{" * 9000])
def test_a_broken_link_opens_the_example_and_says_so(visit, rest):
    visit.forget()
    visit.open(f"#/allowed/{rest}")
    visit.card("pile", "4 of clubs").wait_for()
    assert "What you see is the example" in visit.says("This link is incomplete.")


def test_a_broken_link_to_a_log_says_so(visit):
    visit.page.goto(f"{visit.address}#/log/%7B%22log%22")
    visit.page.get_by_text("This link is incomplete").first.wait_for()


def test_a_link_with_a_table_that_cannot_be_says_so(visit):
    data = {"position": {"players": ["A", "A"], "hands": {"<img src=x>": "4d 4d"}}, "text": "<b>x"}
    visit.page.goto(f"{visit.address}#/allowed/{quote(json.dumps(data))}")
    visit.says("This table cannot be.")
    assert visit.page.get_by_role("heading", name="<b>x").is_visible()


def test_the_picture_is_a_png_with_the_table_and_the_verdict(visit):
    visit.card("pile", "6 of spades").click()
    said = visit.says("No.")
    press(visit, "Share a picture")
    picture = visit.page.get_by_role("img", name="The table.")
    assert said.split(". ")[1] in picture.get_attribute("aria-label")
    with visit.page.expect_download() as download:
        press(visit, "Save the picture")
    data = download.value.path().read_bytes()
    assert data.startswith(b"\x89PNG")
    width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
    assert width == 1080
    assert height > 1000
    colours = picture.evaluate(
        "one => new Set(new Uint32Array(one.getContext('2d').getImageData(0, 0, 1080, 1000).data.buffer)).size"
    )
    assert colours > 200


def test_the_picture_says_how_many_cards_the_stock_has_on_the_ground_that_the_table_has(visit):
    ground = visit.page.locator("#table .count").evaluate(
        "one => getComputedStyle(one).backgroundColor.match(/\\d+/g).map(Number)"
    )
    press(visit, "Share a picture")
    painted = visit.page.get_by_role("img", name="The table.").evaluate(
        """(one, [red, green, blue]) => {
            const { data } = one.getContext("2d").getImageData(0, 0, one.width, one.height);
            const same = (_, at) => data[4 * at] === red && data[4 * at + 1] === green && data[4 * at + 2] === blue;
            return Array.from({ length: data.length / 4 }, same).filter(Boolean).length;
        }""",
        ground,
    )
    assert painted > 500


def test_a_log_goes_round_by_a_link_unless_it_is_too_long(visit):
    page = visit.page
    page.goto(f"{visit.address}#/log")
    field = page.get_by_role("textbox", name="Log", exact=True)
    field.fill(HAND)
    press(visit, "Copy a link")
    page.get_by_text("Copied: whoever opens the link sees this log.").wait_for()
    link = copied(visit)
    field.fill(EVENING)
    press(visit, "Copy a link")
    page.get_by_text("This log is too long for a link").wait_for()
    page.goto("about:blank")
    page.goto(link)
    page.get_by_text("discard.taken-top").first.wait_for()
    assert "up 6c" in field.inner_text()
