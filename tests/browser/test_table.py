"""The first door of the playground in a real browser: the table, its verdicts, and how the page starts.

Python has to be loaded for each visit, so most tests share one, and begin at the example again.
"""

from __future__ import annotations

import json
import re
from urllib.parse import quote

import pytest

from meldref_service import Service
from paths import ROOT
from visits import DESK, PHONE, SITE, Visit, at_the_example

DOORS = ("allowed", "log", "rules", "score")
THUMB = 44
"""How many pixels a thumb needs to see and to touch."""


@pytest.fixture(scope="module")
def visited(browser, site):
    visit = Visit(browser, site, **PHONE)
    visit.open()
    yield visit
    visit.close()


@pytest.fixture
def visit(visited):
    yield from at_the_example(visited)


def test_the_question_of_the_example_is_answered_by_one_tap_before_python_is_there(browser, site):
    visit = Visit(browser, site, **PHONE)
    page = visit.open_without_referee()
    visit.tap(visit.card("pile", "4 of clubs"))
    assert "Q♠ and 2♦ come along" in visit.says("Yes, Ann may take the 4♣.")
    assert visit.taps == 1
    visit.tap(page.get_by_role("button", name="Take three cards"))
    visit.says("Yes. Now use the 4♣.")
    assert page.get_attribute("html", "data-referee") == "loading"
    visit.context.close()
    assert visit.trouble == []


def test_why_not_with_the_rule_takes_two_taps(visit):
    visit.tap(visit.card("pile", "6 of spades"))
    visit.says("No.")
    visit.tap(visit.page.get_by_role("button", name="Why?"))
    rule = visit.page.get_by_role("dialog")
    assert "draw.dead_end: forbidden" in rule.inner_text()
    assert visit.taps == 2
    rule.get_by_role("button", name="We play it differently").click()
    assert visit.page.url.endswith("#/rules/draw.dead_end")


def test_a_hand_and_a_pile_of_four_and_a_deep_take_are_asked_with_twelve_taps(visit):
    page = visit.page
    visit.tap(page.get_by_role("button", name="Lay out your own"))
    for name in ("4 of diamonds", "4 of hearts", "9 of hearts", "king of spades"):
        visit.tap(visit.card("deck", name))
    visit.tap(page.get_by_role("button", name=re.compile("pile", re.IGNORECASE)))
    for name in ("6 of spades", "4 of clubs", "queen of spades", "2 of diamonds"):
        visit.tap(visit.card("deck", name))
    visit.tap(page.get_by_role("button", name=re.compile("Ask|Done|That is all")))
    visit.tap(visit.card("pile", "4 of clubs"))
    visit.says("Yes, Ann may take the 4♣.")
    assert visit.taps == 12
    visit.card("pile", "6 of spades").click()
    visit.says("No.")


def test_a_whole_turn_is_played_by_touch_and_taken_back(visit):
    page = visit.page
    visit.card("pile", "4 of clubs").click()
    page.get_by_role("button", name="Take three cards").click()
    visit.says("Yes. Now use the 4♣.")
    visit.card("hand", "king of spades").click()
    visit.says("No. The 4♣ must be used this turn.")
    visit.card("hand", "king of spades").click()
    for name in ("4 of clubs", "4 of diamonds"):
        visit.card("hand", name).click()
    visit.says("Not yet.")  # unfinished is not illegal
    visit.card("hand", "4 of hearts").click()
    visit.says("Yes, 4♣ 4♦ 4♥ may be melded.")
    page.get_by_role("button", name="New meld").click()
    visit.says("Yes: +12 for Ann.")
    visit.card("hand", "9 of hearts").click()
    page.get_by_role("button", name="Meld of Bob").click()
    visit.says("Yes: +9 for Ann.")
    visit.card("hand", "king of spades").click()
    page.get_by_role("button", name="Discard it").click()
    assert "Bob plays next" in visit.says("Yes. Ann’s turn is done: +21 points.")
    page.get_by_role("button", name="To the start").click()
    visit.says("Touch a card")
    assert visit.card("hand", "4 of clubs").count() == 0


def test_a_card_is_dragged_where_it_goes_and_glides_back_where_it_does_not(visit):
    page = visit.page
    visit.card("pile", "4 of clubs").drag_to(page.get_by_role("group", name="Hand of Ann"))
    visit.says("Yes. Now use the 4♣.")
    page.get_by_role("button", name="Take back").click()
    page.get_by_role("button", name="Draw from the stock").click()
    visit.says("Yes. Ann draws a card.")
    visit.card("hand", "king of spades").drag_to(page.get_by_role("button", name="Meld of Bob"))
    visit.says("No. K♠ does not fit 5♥ – 8♥.")
    visit.card("hand", "king of spades").wait_for()
    visit.card("hand", "9 of hearts").drag_to(page.get_by_role("button", name="Meld of Bob"))
    visit.says("Yes: +9 for Ann.")


def test_what_depends_on_an_unknown_card_says_on_which_and_the_card_can_be_named(visit):
    page = visit.page
    page.get_by_role("button", name="Draw from the stock").click()
    for name in ("unknown card", "4 of diamonds", "4 of hearts"):
        visit.card("hand", name).click()
    assert "4♠ or Joker" in visit.says("It depends")
    page.get_by_role("button", name="Name the card").click()
    page.get_by_role("dialog").get_by_role("button", name="4 of spades").click()
    for name in ("4 of spades", "4 of diamonds", "4 of hearts"):
        visit.card("hand", name).click()
    visit.says("Yes, 4♦ 4♥ 4♠ may be melded.")


def test_somebody_calls_out_of_turn(visit):
    page = visit.page
    page.get_by_role("button", name="Rummy!").click()
    may_be_done = visit.group("What may be done")
    may_be_done.get_by_role("button", name="Cy").click()
    visit.says("No. Nobody calls their own discard.")
    may_be_done.get_by_role("button", name="Bob?").click()
    visit.says("Yes, Bob may call the Q♠.")
    page.get_by_role("button", name="Let Bob have it").click()
    visit.says("Yes: +10 for Bob.")


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("take 4c; discard Ks", "No. The card taken from inside the pile"),
        ("take 4c; meld 4c 4d 4h", "Yes, this is allowed"),
        ("meld 4d 4h 9h", "Not yet. Ann draws first."),
        ("meld", "Not yet."),
        ("tkae 4c", "No. This cannot be read."),
        ("draw; meld 4d 4h 9h; discard Ks", "No. 4♦ 4♥ 9♥ are no meld."),
        ("take 4c; meld 4c 4d 9h; lay Qs m2; discard Ks", "No. 4♣ 4♦ 9♥ are no meld."),
        ("take 4c x3", "Yes, this is allowed: take 4♣ (three cards)."),
        ("draw 10c; discard K♠", "Yes, this is allowed: draw 10♣, then discard K♠."),
    ],
)
def test_a_move_is_typed_by_those_who_type(visit, typed, answer):
    field = visit.page.get_by_role("textbox", name="Move", exact=True)
    field.fill(typed)
    field.press("Enter")
    visit.says(answer)


def lay_out(visit, *hand, pile=(), meld=()):
    """Lays out a table by touch, up to the end."""
    page = visit.page
    page.get_by_role("button", name="Lay out your own").click()
    places = page.get_by_role("group", name="What is filled")
    for place, cards in (("Hand of Ann", hand), ("Pile", pile), ("New meld", meld)):
        places.get_by_role("button", name=place).click()
        for card in cards:
            visit.card("deck", card).click()


def finish(visit):
    visit.page.get_by_role("button", name="That is all").click()
    visit.says("Touch a card")


FOURS = ("4 of diamonds", "4 of hearts", "9 of hearts")


def test_a_table_of_ones_own_is_there_after_a_reload_with_the_moves_made_on_it(visit):
    page = visit.page
    lay_out(visit, *FOURS, pile=("6 of spades", "4 of clubs", "2 of diamonds"))
    finish(visit)
    visit.card("pile", "4 of clubs").click()
    page.get_by_role("button", name="Take two cards").click()
    visit.says("Yes. Now use the 4♣.")
    page.reload()
    visit.card("hand", "4 of clubs").wait_for()
    visit.says("Yes. Now use the 4♣.")
    page.get_by_role("button", name="To the start").click()
    page.reload()
    visit.card("pile", "4 of clubs").wait_for()
    assert visit.card("hand", "king of spades").count() == 0
    page.locator("#to-end:not([disabled])").wait_for()  # the moves made are still there


def test_covered_hands_are_covered_after_a_reload(visit):
    page = visit.page
    page.get_by_role("button", name="Draw from the stock").click()
    visit.says("Yes. Ann draws a card.")
    page.get_by_role("button", name="Pass it round").click()
    page.reload()
    visit.says("Pass it to Ann.")
    page.locator("#line .step").nth(1).wait_for()
    assert visit.group("Hand of Ann").get_by_role("button").count() == 0


def test_laying_out_goes_on_after_a_reload_and_back_leads_to_the_table_as_it_was(visit):
    page = visit.page
    lay_out(visit, *FOURS)
    page.reload()
    visit.group("The deck").wait_for()
    visit.card("hand", "9 of hearts").wait_for()
    page.go_back()
    visit.card("hand", "king of spades").wait_for()
    page.get_by_role("button", name="Lay out your own").click()  # it goes on where it was left
    page.get_by_role("button", name="That is all").click()
    visit.says("Touch a card")
    assert visit.group("Hand of Ann").get_by_role("button").count() == len(FOURS)
    page.go_back()
    visit.group("The deck").wait_for()
    page.get_by_role("button", name="The example").click()
    visit.card("hand", "king of spades").wait_for()
    page.get_by_role("button", name="Back to your table").click()
    visit.card("hand", "king of spades").wait_for(state="detached")
    assert visit.group("Hand of Ann").get_by_role("button").count() == len(FOURS)


def test_laying_out_goes_on_after_a_look_at_another_door(visit):
    page = visit.page
    page.set_viewport_size(DESK["viewport"])
    lay_out(visit, *FOURS)
    page.get_by_role("link", name="Our rules").click()
    page.get_by_role("link", name="Is this allowed?").click()
    visit.group("The deck").wait_for()
    visit.card("hand", "9 of hearts").wait_for()
    page.set_viewport_size(PHONE["viewport"])


def test_of_a_table_that_cannot_be_nothing_is_said_and_it_can_be_changed(visit):
    page = visit.page
    hearts = ("7 of hearts", "9 of hearts", "king of hearts")
    lay_out(visit, *FOURS[:2], pile=("queen of spades",), meld=hearts)
    page.get_by_role("button", name="That is all").click()
    assert "7♥ 9♥ K♥ is not a meld" in visit.says("This table cannot be.")
    visit.card("pile", "queen of spades").click()
    visit.card("hand", "4 of hearts").click()
    page.keyboard.press("Escape")
    visit.says("This table cannot be.")
    page.get_by_role("textbox", name="Move", exact=True).fill("draw; discard 4h")
    page.keyboard.press("Enter")
    visit.says("This table cannot be.")
    page.get_by_role("button", name="Change the table").click()
    page.get_by_role("group", name="What is filled").get_by_role(
        "button", name="Meld"
    ).first.click()
    visit.card("deck", "9 of hearts").click()
    visit.card("deck", "king of hearts").click()
    visit.card("deck", "8 of hearts").click()
    visit.card("deck", "9 of hearts").click()
    finish(visit)


def test_a_table_that_another_game_cannot_have_is_not_judged_by_it(visit):
    page = visit.page
    page.get_by_role("button", name="500 Rummy", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Online Rummy 500").click()
    visit.says("This table cannot be.")
    visit.card("pile", "4 of clubs").click()
    visit.says("This table cannot be.")
    assert page.get_by_role("button", name="Change the table").is_visible()


def test_what_is_asked_and_what_was_done_stands_above_the_table(visit):
    page = visit.page
    heading = page.locator("#table").get_by_role("heading")
    visit.card("pile", "6 of spades").click()
    visit.says("No.")
    assert heading.inner_text() == "May Ann take the 6♠?"
    page.get_by_role("button", name="Draw from the stock").click()
    visit.says("Yes. Ann draws a card.")
    assert heading.inner_text() == "Ann draws a card."


GO_BACK_AFTER_TWO_MOVES = """() => new Promise((done) => {
    const moves = document.querySelector("#line");
    const watch = new MutationObserver(() => {
        if (moves.children.length < 3) return;
        watch.disconnect();
        document.querySelector("#to-back").click();
        done();
    });
    watch.observe(moves, { childList: true });
    document.querySelector("#best button").click();
})"""


def test_going_back_stops_a_turn_that_plays_itself(visit):
    page = visit.page
    page.emulate_media(reduced_motion="reduce")
    page.locator("#best button").first.wait_for()
    page.evaluate(GO_BACK_AFTER_TWO_MOVES)
    page.get_by_role("textbox", name="Move", exact=True).fill("discard Ks")
    visit.says("No. The 4♣ must be used this turn.")
    page.emulate_media(reduced_motion="no-preference")
    made = page.get_by_role("list", name="The moves made").get_by_role("button")
    assert made.count() == 3
    assert made.nth(1).get_attribute("aria-current") == "step"


def test_a_player_gets_another_name_which_the_referee_uses(visit):
    page = visit.page
    page.get_by_role("button", name=re.compile(r"^Ann \d")).click()
    page.get_by_role("dialog").get_by_role("textbox", name="Name").fill("Zoë <b>")
    page.keyboard.press("Enter")
    visit.card("pile", "6 of spades").click()
    visit.says("No. Zoë <b> could not use the 6♠.")


def test_the_table_is_played_with_a_keyboard_alone(visit):
    page = visit.page
    visit.card("pile", "6 of spades").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    visit.says("Yes, Ann may take the 4♣.")
    assert page.evaluate("document.activeElement.ariaLabel") == "4 of clubs"
    page.keyboard.press("Enter")
    visit.says("Yes. Now use the 4♣.")
    page.keyboard.press("Control+z")
    visit.says("Touch a card")


def test_the_verdict_is_shown_large_and_turned_round(visit):
    visit.card("pile", "4 of clubs").click()
    visit.page.get_by_role("button", name="Show it large, turned round").click()
    assert "Yes, Ann may take the 4♣." in visit.page.get_by_role("dialog").inner_text()


def states(visit):
    """Each state of the table that is worth a look, one after the other."""
    page = visit.page

    def button(name):
        return page.get_by_role("button", name=name).first

    yield "the question"
    visit.card("pile", "6 of spades").click()
    visit.says("No.")
    yield "no"
    button("Why?").click()
    yield "the rule"
    button("Close").click()
    visit.card("pile", "4 of clubs").click()
    button("Show it large").click()
    yield "the verdict, large"
    button("Close").click()
    button("Take three cards").click()
    visit.says("Yes. Now use the 4♣.")
    yield "what must be done"
    button("One move back").click()
    yield "a move taken back"
    button(re.compile(r"^Ann \d")).click()
    yield "a player"
    button("Close").click()
    button("Rummy!").click()
    yield "who calls"
    button("Share").click()
    yield "what is shared"
    button("Close").click()
    button("Looks").click()
    yield "looks"
    button("Close").click()
    button("Lay out your own").click()
    visit.card("deck", "joker").click()
    visit.card("deck", "unknown card").click()
    yield "cards of one's own"


@pytest.mark.parametrize(
    ("size", "colours", "by_axe"),
    [
        ((360, 640), "light", False),
        ((390, 844), "dark", True),
        ((740, 360), "light", False),
        ((844, 390), "dark", False),
        ((1280, 800), "light", True),
    ],
)
def test_nothing_scrolls_sideways_and_thumbs_and_axe_find_no_fault(visit, size, colours, by_axe):
    page = visit.page
    page.emulate_media(color_scheme=colours, reduced_motion="reduce")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    by_thumb = size[0] < 1000
    faults = [
        (state, fault)
        for state in states(visit)
        for fault in visit.faults(by_thumb=by_thumb, by_axe=by_axe)
    ]
    page.set_viewport_size(PHONE["viewport"])
    assert faults == []


RANKS = "A23456789TJQK"
DECK = [rank + suit for suit in "shcd" for rank in RANKS]
RUNS = [[rank + suit for rank in RANKS[at : at + 3]] for suit in "shcd" for at in (0, 3, 6, 9)]
CROWDED = {
    "a pile of forty": {"hands": {"Ann": " ".join(DECK[:7])}, "pile": " ".join(DECK[7:47])},
    "a hand of thirty": {"hands": {"Ann": " ".join(DECK[:30])}, "pile": " ".join(DECK[30:36])},
    "fourteen melds": {
        "hands": {"Ann": "Ks Kh Kc Kd"},
        "pile": " ".join(RUNS[14] + RUNS[15]),
        "table": {f"m{at + 1}": {"Bob": " ".join(RUNS[at])} for at in range(14)},
    },
}


@pytest.mark.parametrize("crowd", CROWDED.values(), ids=CROWDED.keys())
@pytest.mark.parametrize("size", [(360, 740), (740, 360)], ids=["upright", "on its side"])
def test_however_much_lies_there_hand_verdict_and_buttons_stay_in_sight(visit, crowd, size):
    page = visit.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    position = {"players": ["Ann", "Bob"], "to_move": "Ann", **crowd}
    link = json.dumps({"position": position, "text": "What now?"})
    page.goto(f"{page.url.partition('#')[0]}#/allowed/{quote(link)}")
    lowest = visit.group("pile").get_by_role("button").first
    lowest.click()
    page.locator("#allowed .verdict:not([data-kind=wait], [data-kind=idle])").wait_for()
    low = out_of_sight(page, size)
    wide = visit.is_too_wide()
    page.set_viewport_size(PHONE["viewport"])
    assert low == []
    assert not wide


def out_of_sight(page, size):
    """Where the verdict, the cards of the hand and the buttons begin that are not seen without scrolling."""
    page.evaluate("scrollTo(0, 0)")
    tops = page.locator("#allowed .verdict, .hand .card, #allowed .bar").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().top)"
    )
    upright = size[1] > size[0]
    floor = page.locator("#allowed .bar").bounding_box()["y"] if upright else size[1]
    return [top for top in tops if top > min(floor, size[1] - 40)]


@pytest.mark.parametrize("size", [(360, 740), (360, 640)], ids=["small", "smallest"])
def test_what_may_be_done_instead_is_read_without_a_swipe_and_leaves_the_hand_in_sight(visit, size):
    page = visit.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    visit.card("pile", "6 of spades").click()
    visit.says("No.")
    buttons = visit.group("What may be done").get_by_role("button")
    ends = [box["x"] + box["width"] for box in (one.bounding_box() for one in buttons.all()) if box]
    shown = shown_of_the_hand(page)
    page.set_viewport_size(PHONE["viewport"])
    assert len(ends) >= 2
    assert max(ends) <= size[0]
    assert len(shown) == 4
    assert min(shown) >= THUMB


def shown_of_the_hand(page):
    """How many pixels of each card of the hand are seen above the buttons."""
    page.evaluate("scrollTo(0, 0)")
    bar = page.locator("#allowed .bar").bounding_box()["y"]
    cards = [one.bounding_box() for one in page.locator("#allowed .hand .card").all()]
    return [min(card["height"], bar - card["y"]) for card in cards]


def test_the_narrowest_phone_shows_names_the_whole_pile_verdict_and_hand(visit):
    page = visit.page
    page.set_viewport_size({"width": 320, "height": 640})
    visit.card("pile", "6 of spades").click()
    visit.says("No.")
    seats = page.locator(".seat .who").evaluate_all(
        "all => all.map((one) => one.scrollWidth <= one.clientWidth)"
    )
    tops = page.locator("#table .pile .card").evaluate_all("all => all.map((one) => one.offsetTop)")
    verdict = page.locator("#allowed .verdict").bounding_box()
    shown = shown_of_the_hand(page)
    page.set_viewport_size(PHONE["viewport"])
    assert seats == [True, True]
    assert len(set(tops)) == 1
    assert verdict["y"] >= 0
    assert min(shown) >= THUMB


def test_a_long_name_leaves_what_others_have_in_sight(visit):
    page = visit.page
    page.get_by_role("button", name=re.compile(r"^Bob \d")).click()
    page.get_by_role("dialog").get_by_role("textbox", name="Name").fill(
        "Bartholomew the Elder of Ulm"
    )
    page.keyboard.press("Enter")
    page.get_by_role("button", name=re.compile("^Bartholomew")).wait_for()
    points = page.locator("#table .seat .pts").last.bounding_box()
    cloth = page.locator("#table").bounding_box()
    assert points["x"] + points["width"] <= cloth["x"] + cloth["width"] - 8


def test_the_end_of_laying_out_is_in_sight_on_a_small_phone(visit):
    page = visit.page
    page.set_viewport_size({"width": 360, "height": 640})
    page.get_by_role("button", name="Lay out your own").click()
    visit.card("deck", "4 of hearts").click()
    end = page.get_by_role("button", name="That is all").bounding_box()
    page.set_viewport_size(PHONE["viewport"])
    assert end["y"] + end["height"] <= 640


def test_each_door_is_reached_by_the_first_control_of_its_name(visit):
    page = visit.page
    for door in DOORS:
        page.get_by_role("link", name=re.compile(door, re.IGNORECASE)).first.click()
        page.wait_for_selector(f"#{door}:visible")
        assert page.locator("main > section:visible").count() == 1


def test_a_question_that_never_ends_leaves_the_table_as_it_was(visit):
    page = visit.page
    page.evaluate("dispatchEvent(new Event('meldref-stop'))")
    assert page.get_attribute("html", "data-referee") == "loading"
    page.wait_for_selector("html[data-referee=ready]")
    visit.card("pile", "4 of clubs").click()
    visit.says("Yes, Ann may take the 4♣.")


def test_it_opens_and_judges_without_a_network_once_it_was_opened(visited):
    page = visited.page
    page.wait_for_function("() => navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("() => caches.keys().then((names) => names.length === 1)")
    visited.context.set_offline(True)
    page.goto("about:blank")
    visited.open()
    page.get_by_role("textbox", name="Move", exact=True).fill("draw; lay 4h m1; discard 9h")
    visited.says("Yes, this is allowed")
    visited.context.set_offline(False)


def test_it_starts_plainly_where_there_is_no_snapshot(browser, site):
    visit = Visit(browser, site, **DESK)
    visit.context.route("**/snapshot.bin.gz", lambda route: route.fulfill(body=b"nothing"))
    page = visit.open()
    page.get_by_role("textbox", name="Move", exact=True).fill("draw; lay 4h m1; discard 9h")
    visit.says("Yes, this is allowed")
    visit.close()


def test_a_page_without_its_referee_says_so_and_plays_the_example(browser, site):
    visit = Visit(browser, site, **PHONE)
    visit.context.route("**/library.json.gz", lambda route: route.abort())
    page = visit.open(ready=False)
    page.wait_for_selector("html[data-referee=failed]")
    visit.card("pile", "4 of clubs").click()
    visit.says("Yes, Ann may take the 4♣.")
    page.get_by_role("button", name="Referee Not here").click()
    assert page.get_by_text("The referee could not be loaded").is_visible()
    assert page.get_by_role("button", name="Try again").is_visible()
    visit.context.close()


@pytest.mark.usefixtures("site")
def test_the_single_file_works_from_a_disk(browser):
    visit = Visit(browser, (SITE / "playground.html").as_uri(), **DESK)
    page = visit.open()
    page.get_by_role("textbox", name="Move", exact=True).fill("draw; lay 4h m1; discard 9h")
    visit.says("Yes, this is allowed")
    visit.close()


def test_a_page_of_somebody_else_shows_a_game_by_one_script_without_the_referee(browser, site):
    log = (ROOT / "examples" / "disputed.rgn").read_text(encoding="utf-8")
    boards = Service().ask("boards", log=log)
    visit = Visit(browser, site, **DESK)
    page = visit.page
    blog = (
        "<!doctype html><link rel=icon href=data:,><meldref-viewer><script type='application/json'>"
        f"{json.dumps(boards).replace('<', '')}</script></meldref-viewer>"
        "<script type=module src=meldref-viewer.js></script>"
    )
    page.route("**/blog.html", lambda route: route.fulfill(body=blog, content_type="text/html"))
    page.goto(f"{site}blog.html")
    hand = page.get_by_role("group", name="Hand of Ann")
    hand.get_by_role("img", name="5 of hearts", exact=True).wait_for()
    cloth = page.locator("meldref-viewer .cloth")
    assert "rgb(38, 122, 88)" in cloth.evaluate("one => getComputedStyle(one).backgroundImage")
    for _ in boards["boards"][1:]:
        page.get_by_role("button", name="One line forward").click()
    page.get_by_role("group", name="On the table").get_by_role("img", name="5 of hearts").wait_for()
    assert not any("wasm" in url for url in visit.requests)
    visit.close()


def test_firefox_plays_the_table_as_well(firefox, site):
    visit = Visit(firefox, site, **DESK)
    page = visit.open()
    visit.card("pile", "4 of clubs").click()
    visit.says("Yes, Ann may take the 4♣.")
    page.get_by_role("textbox", name="Move", exact=True).fill("draw; lay 4h m1; discard 9h")
    visit.says("Yes, this is allowed")
    visit.close()


def test_the_table_is_played_by_another_game_or_option_from_one_place(visit):
    page = visit.page
    page.get_by_role("button", name="500 Rummy", exact=True).click()
    page.get_by_role("dialog").get_by_text("With an option").click()
    page.get_by_role("dialog").get_by_role("button", name="Taken cards may be kept").click()
    page.get_by_role("button", name="500 Rummy, with 1 more").wait_for()
    visit.card("pile", "6 of spades").click()
    visit.says("Yes, Ann may take the 6♠.")
    page.get_by_role("button", name="500 Rummy, with 1 more").click()
    page.get_by_role("dialog").get_by_role("button", name="Basic Rummy").click()
    page.get_by_role("button", name="Basic Rummy", exact=True).wait_for()
    visit.says("This table cannot be.")  # it has no jokers, and one lies in a meld
    page.get_by_role("button", name="Basic Rummy", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Shanghai Rummy").click()
    visit.card("pile", "4 of clubs").click()
    visit.says("No.")
    page.get_by_role("button", name="Shanghai Rummy", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="500 Rummy Joker rummy").click()
    visit.card("pile", "6 of spades").click()
    visit.says("No. Ann could not use the 6♠.")


def test_the_phone_is_passed_round_with_covered_hands(visit):
    page = visit.page
    page.get_by_role("button", name="Pass it round").click()
    visit.says("Pass it to Ann.")
    hand = visit.group("Hand of Ann")
    assert hand.get_by_role("button").count() == 0
    assert hand.get_by_role("img", name="covered card").count() == 4
    visit.card("pile", "6 of spades").click()
    visit.says("Pass it to Ann.")
    page.get_by_role("button", name="I am Ann: show my hand").click()
    visit.card("hand", "king of spades").wait_for()
    page.get_by_role("button", name="Draw from the stock").click()
    visit.says("Yes. Ann draws a card.")
    visit.card("hand", "king of spades").click()
    page.get_by_role("button", name="Discard it").click()
    visit.says("Yes. Ann’s turn is done")
    assert visit.group("Hand of Bob").get_by_role("button").count() == 0
    page.get_by_role("button", name=re.compile(r"^Ann \d")).click()
    assert "9" not in page.get_by_role("dialog").inner_text()
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="I am Bob: show my hand").click()
    assert visit.group("Hand of Bob").get_by_role("button").count() == 5
    page.get_by_role("button", name="Pass it round").click()
    visit.card("pile", "king of spades").wait_for()
