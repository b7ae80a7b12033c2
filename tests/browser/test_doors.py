"""The page's doors Check a log, Our rules and Keep score, in real browsers, as visitors use them.

Python has to be loaded for each visit, so most tests share one; each begins at the door it is about.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from io import BytesIO
from urllib.parse import quote
from zipfile import ZipFile

import pytest

from paths import ROOT
from visits import DESK, PATIENCE, Visit

DISPUTED = (ROOT / "examples" / "disputed.rgn").read_text(encoding="utf-8")
EVENING = (ROOT / "examples" / "evening.rgn").read_text(encoding="utf-8")
CODES = ("draw.deep.unused", "discard.taken-top", "meld.shape", "score.hand")
BARE = "id: ours\nname: Ours\nextends: [500-rummy]\n"
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
SIZES = {
    "phone": PHONE,
    "phone on its side": {"viewport": {"width": 844, "height": 390}, "has_touch": True},
    "tablet": {"viewport": {"width": 768, "height": 1024}, "has_touch": True},
    "desk at night": {**DESK, "color_scheme": "dark"},
}
DROP = """files => {
    const data = new DataTransfer();
    const bytesOf = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
    for (const [name, text] of files) data.items.add(new File([bytesOf(text)], name));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


@pytest.fixture(scope="module")
def shared(browser, site):
    """One visit that tests share."""
    visit = Visit(browser, site, **DESK)
    visit.open()
    yield visit
    visit.close()


@pytest.fixture
def visit(shared):
    yield shared
    assert shared.trouble == []


@pytest.fixture
def page(visit):
    return visit.page


def drop(page, **files):
    """Drops files on the page, each with its text, or its bytes, by its name, whose dot is `__`."""
    given = []
    for name, content in files.items():
        data = content.encode() if isinstance(content, str) else content
        given.append([name.replace("__", "."), b64encode(data).decode()])
    page.evaluate(DROP, given)


def field(page, name):
    return page.get_by_role("textbox", name=name, exact=True)


def write(page, door, name, text):
    """A text in the editor of a door, in the place of what was there."""
    page.goto(f"{page.url.partition('#')[0]}#/{door}")
    field(page, name).fill(text)


def seen(page, *words):
    """Waits until the page's text has all of these words."""
    page.wait_for_function(
        "words => words.every(word => document.querySelector('main').innerText.includes(word))",
        arg=[*words],
        timeout=PATIENCE,
    )


def gone(page, word):
    page.wait_for_function(
        "word => !document.querySelector('main').innerText.includes(word)",
        arg=word,
        timeout=PATIENCE,
    )


def door(page, word):
    """Opens a door by the first control whose name has a word."""
    page.get_by_role("link", name=word).first.click()


# --- a log ----------------------------------------------------------------------------------------


def test_the_example_shows_its_faults_before_the_referee_is_there(browser, site):
    visit = Visit(browser, site, **DESK)
    page = visit.open_without_referee()
    door(page, "log")
    seen(page, *CODES)
    page.get_by_role("group", name="Hand of Cy").get_by_role("img", name="joker").wait_for()
    assert page.get_attribute("html", "data-referee") == "loading"
    visit.close()


def test_numbers_stand_beside_their_lines_for_who_wants_less_motion_too(browser, site):
    visit = Visit(browser, site, **DESK, reduced_motion="reduce")
    page = visit.open_without_referee()
    door(page, "log")
    seen(page, *CODES)
    lines, numbers = page.locator("#log .cm-line"), page.locator("#log .cm-lineNumbers div:visible")
    assert tops(numbers) == tops(lines)
    visit.close()


def tops(locator):
    return locator.evaluate_all(
        "all => all.map((one) => Math.round(one.getBoundingClientRect().top))"
    )


def test_all_codes_of_a_log_stand_in_the_text_with_their_lines(page):
    write(page, "log", "Log", DISPUTED.replace("draw 4s", "draw 4z"))
    seen(page, "line 12", *CODES)
    places = page.locator(".found .place").all_inner_texts()
    assert [place.split(",")[0].strip() for place in places][:2] == ["line 12", "line 14"]
    assert re.fullmatch(r"line 12\s*, column \d+", places[0])  # the column is for those who listen


def test_a_log_in_order_is_said_to_be_so(page):
    write(page, "log", "Log", EVENING)
    seen(page, "Everything in order", "6 hands, 151 turns")
    assert page.locator(".found").count() == 0


def test_words_between_backticks_are_code_and_the_backticks_are_not_seen(page):
    write(page, "log", "Log", DISPUTED.replace("take 6c", "tkae 6c"))
    seen(page, "log.syntax")
    assert page.locator(".found code").first.inner_text() == "tkae"
    assert "`" not in page.locator("main").inner_text()


def test_a_remedy_is_written_into_the_log_and_judged(page):
    write(page, "log", "Log", DISPUTED)
    seen(page, *CODES)
    page.get_by_role("button", name=re.compile("line 15")).click()
    page.get_by_role("button", name="Write discard 2").click()
    gone(page, "discard.taken-top")
    assert "take Tc; discard 2c" in field(page, "Log").inner_text()


def test_the_table_follows_the_turn_that_is_gone_to(page):
    write(page, "log", "Log", DISPUTED)
    seen(page, *CODES)
    strip = page.get_by_role("group", name="The turns")
    strip.get_by_role("button", name="Turn 1, Ann: in order").click()
    hand = page.get_by_role("group", name="Hand of Ann")
    hand.get_by_role("img", name="7 of hearts").wait_for()
    strip.get_by_role("button", name="Turn 4, Ann: a fault").click()
    hand.get_by_role("img", name="7 of hearts").wait_for(state="detached")


def test_what_may_follow_is_offered_and_a_hand_can_be_folded(page):
    write(page, "log", "Log", DISPUTED.partition("3. Cy")[0] + "3. Cy: ")
    field(page, "Log").press("Control+End")
    page.keyboard.press("Control+Space")
    page.get_by_role("option", name="draw").first.wait_for()
    page.keyboard.press("Escape")
    page.locator(".cm-foldGutter .cm-gutterElement", has_text="▾").last.click()
    page.locator(".cm-foldPlaceholder").wait_for()


def test_a_log_is_judged_without_a_network_after_the_first_visit(browser, site):
    visit = Visit(browser, site, **DESK)
    page = visit.open()
    page.evaluate("navigator.serviceWorker.ready")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    visit.context.set_offline(True)
    page.reload()
    page.wait_for_selector("html[data-referee=ready]")
    write(page, "log", "Log", DISPUTED)
    seen(page, *CODES)
    visit.close()


def test_a_file_that_is_dropped_goes_to_its_door(page):
    page.goto(f"{page.url.partition('#')[0]}#/score")
    drop(page, friday__rgn=DISPUTED.replace("Cy", "Dee"))
    page.wait_for_url("**#/log")
    seen(page, "draw.deep.unused")
    assert "deal Dee" in field(page, "Log").inner_text()
    drop(page, ours__yaml=BARE + "game: {target: 640}\n")
    page.wait_for_url("**#/rules")
    seen(page, "1 difference")
    assert "640" in field(page, "Rules").inner_text()


# --- rules ----------------------------------------------------------------------------------------


def test_a_house_rule_takes_two_taps_and_stands_in_the_booklet(browser, site):
    visit = Visit(browser, site, **PHONE)
    page = visit.open()
    visit.tap(page.get_by_role("link", name="rules"))
    visit.tap(page.get_by_role("button", name="No ace is discarded"))
    seen(page, "1 difference")
    assert visit.taps == 2
    page.get_by_role("button", name="Booklet").click()
    page.locator("mark", has_text="No ace may be discarded").wait_for()
    page.get_by_role("button", name=re.compile("text")).first.click()
    assert "no-early-aces" in field(page, "Rules").inner_text()
    visit.close()


def test_switches_and_text_say_the_same_both_ways(page):
    write(page, "rules", "Rules", BARE)
    seen(page, "Nothing differs yet")
    target = page.locator('#sets [data-key="game.target"] input').first
    target.fill("735")
    target.press("Enter")
    seen(page, "1 difference")
    assert "target: 735" in field(page, "Rules").inner_text()
    write(page, "rules", "Rules", BARE + "layoff: {before_melding: forbidden}\n")
    page.locator('[data-key="layoff.before_melding"] [aria-checked=false]').first.click()
    seen(page, "Nothing differs yet")
    assert "layoff" not in field(page, "Rules").inner_text()


def test_a_comment_stays_where_it_was_when_a_switch_is_touched(page):
    write(page, "rules", "Rules", BARE + "game:\n  target: 300  # as at the lake\n")
    target = page.locator('[data-key="game.target"]:has(input[value="300"])').first
    target.get_by_role("button", name="one more").click()
    seen(page, "target: 301  # as at the lake")


def test_rules_that_cannot_be_read_are_answered_with_the_line(page):
    write(page, "rules", "Rules", BARE + "melds:\n  wild: [joker\n")
    seen(page, "line 5")
    write(page, "rules", "Rules", BARE + "game: {taget: 640}\n")
    seen(page, "line 4")
    page.get_by_role("button", name="Put right").click()
    seen(page, "1 difference")


def test_a_value_that_is_refused_stays_as_entered_with_the_reason_and_what_mends_it(page):
    write(page, "rules", "Rules", BARE)
    seen(page, "Nothing differs yet")
    jokers = page.locator('#sets [data-key="deck.jokers"]').first
    for left in ("1", "0"):
        jokers.get_by_role("button", name="one less").click()
        page.locator(f'#sets [data-key="deck.jokers"]:has(input[value="{left}"])').first.wait_for()
    jokers.get_by_text("Jokers are wild, but the deck has none.").wait_for()
    page.locator("#rules-sum", has_text="cannot be played").wait_for()
    page.locator("#booklet .outdated").wait_for()
    jokers.get_by_role("button", name="No card is wild").click()
    seen(page, "2 differences")
    page.locator(".outdated").wait_for(state="detached")
    assert page.locator(".refusal").count() == 0


def test_a_value_that_cannot_be_written_stays_as_entered_with_the_reason(page):
    write(page, "rules", "Rules", BARE)
    seen(page, "Nothing differs yet")
    wild = page.locator('#sets [data-key="melds.wild.cards"]').first
    wild.get_by_role("textbox").fill("[joker")
    wild.get_by_role("textbox").press("Enter")
    wild.locator(".refusal").wait_for()
    assert wild.get_by_role("textbox").input_value() == "[joker"
    wild.get_by_role("textbox").fill("[joker, 2]")
    wild.get_by_role("textbox").press("Enter")
    seen(page, "1 difference")
    assert page.locator(".refusal").count() == 0


def test_a_switch_is_not_blamed_for_what_was_wrong_before(page):
    write(page, "rules", "Rules", BARE)
    seen(page, "Nothing differs yet")
    write(page, "rules", "Rules", BARE + "nosuch: 3\n")
    page.locator("#rules-sum", has_text="There is no key nosuch").wait_for()
    page.locator('[data-key="layoff.before_melding"] [aria-checked]').first.click()
    page.locator("#rules-paper", has_text="before_melding: forbidden").wait_for()
    page.locator("#rules-sum", has_text="There is no key nosuch").wait_for()
    assert page.locator(".refusal").count() == 0


def test_an_unknown_key_leaves_the_editor_in_sight_and_sends_nobody_to_a_shell(page):
    write(page, "rules", "Rules", BARE + "nosuch: 3\n")
    page.locator("#rules-list .found").wait_for()
    assert page.locator("#rules-paper").bounding_box()["height"] >= 150
    assert page.locator("#rules-list .found .to-line").bounding_box()["height"] < 150
    page.locator("#rules-list summary").click()
    assert "house_rules" in page.locator("#rules-list").inner_text()
    assert "meldref rules" not in page.locator("#rules-list").inner_text()


def test_a_key_in_the_address_leads_to_its_switch(page):
    write(page, "rules", "Rules", BARE)
    seen(page, "Nothing differs yet")
    page.goto(f"{page.url.partition('#')[0]}#/rules/draw.deep.must")
    page.locator('[data-key="draw.deep.must"]:focus-within').first.wait_for()


def test_the_way_from_a_verdict_to_its_switch_waits_for_the_referee(visit):
    page = visit.page
    write(page, "rules", "Rules", BARE + "game: {target: 415}\n")
    page.goto("about:blank")
    visit.open("#/rules/draw.deep.must", first="#rules-game")
    page.locator('[data-key="draw.deep.must"]:focus-within').first.wait_for()


def test_what_changes_is_shown_by_a_game_that_can_be_played(page):
    write(page, "rules", "Rules", BARE + "melds: {kinds: {sequence: {size: 4-13}}}\n")
    seen(page, "1 difference")
    page.get_by_role("button", name="What changes?").click()
    page.get_by_role("button", name="Show me what melds.kinds.sequence.size changes").click()
    page.get_by_role("button", name="Play it").click()
    page.wait_for_url("**#/log")
    seen(page, "meld.size")


def test_another_game_changes_the_booklet(page):
    write(page, "rules", "Rules", BARE)
    page.locator("#rules-game").click()
    page.get_by_role("button", name="Persian Rummy").click()
    seen(page, "extends: [persian-rummy]")
    page.get_by_role("article", name="The booklet").get_by_text("partner").first.wait_for()


# --- scores ---------------------------------------------------------------------------------------


def keys(page, points):
    """The keys of the keypad that write points down."""
    pad = page.locator(".pad")
    for digit in str(abs(points)):
        yield pad.get_by_role("button", name=digit, exact=True)
    if points < 0:
        yield pad.get_by_role("button", name="Change the sign")
    yield pad.locator(".next")


def press(page, points):
    for key in keys(page, points):
        key.click()


def test_the_first_hand_of_three_takes_few_taps_and_is_kept_without_a_referee(browser, site):
    visit = Visit(browser, site, **PHONE)
    page = visit.open_without_referee()
    visit.tap(page.get_by_role("link", name="score"))
    visit.tap(page.get_by_role("button", name="Deal the first hand"))
    for points in (73, 19, 36):
        for key in keys(page, points):
            visit.tap(key)
    seen(page, "Hand 2", "73", "19", "36")
    assert visit.taps <= 13
    press(page, 60)
    press(page, 13)
    press(page, -38)
    page.reload()
    seen(page, "Hand 3", "133", "32", "−2")
    visit.close()


@pytest.fixture
def scoring(browser, site):
    """A new score sheet, on a visit of its own: what is kept belongs to a visit."""
    visit = Visit(browser, site, **DESK)
    page = visit.open()
    door(page, "score")
    for seat, name in enumerate(("Ann", "Bob", "Cy"), start=1):
        page.get_by_role("textbox", name=f"Name of player {seat}").fill(name)
    page.get_by_role("button", name="Deal the first hand").click()
    yield page
    visit.close()


def saved(page, button):
    with page.expect_download() as download:
        page.get_by_role("button", name=button).click()
    return download.value.path().read_text("utf-8")


def test_a_sheet_is_corrected_won_saved_and_counted_in_standings(scoring):
    page = scoring
    for points in (173, 19, 36, 60, 313, -38):
        press(page, points)
    page.get_by_role("button", name="Change hand 2").click()
    press(page, 360)
    seen(page, "Ann wins with 533.")
    room = page.locator(".chart").bounding_box()
    ends = [end.bounding_box() for end in page.locator(".chart .end").all()]
    assert len(ends) == 3
    assert all(end["x"] + end["width"] <= room["x"] + room["width"] for end in ends)
    page.get_by_role("button", name="This game").click()
    sheet = saved(page, "The sheet as CSV")
    assert sheet.splitlines() == [
        "Hand,Ann,Bob,Cy",
        "1,173,19,36",
        "2,360,313,-38",
        "Total,533,332,-2",
    ]
    page.get_by_role("button", name="Standings").click()
    rows = page.get_by_role("dialog").get_by_role("row").all_inner_texts()
    assert [row.split() for row in rows[1:]] == [
        ["Ann", "1", "1", "2", "533"],
        ["Bob", "1", "0", "2", "332"],
        ["Cy", "1", "0", "2", "−2"],
    ]


def test_a_hand_is_counted_by_tapping_its_cards_by_the_rules_of_the_table(scoring):
    page = scoring
    write(page, "rules", "Rules", BARE + "scoring: {values: {A: 25}}\n")
    seen(page, "1 difference")
    page.goto(f"{page.url.partition('#')[0]}#/score")
    page.get_by_role("button", name="Count cards").click()
    deck = page.get_by_role("group", name="The deck")
    deck.get_by_role("button", name="ace of spades").click()
    deck.get_by_role("button", name="king of hearts").click()
    page.get_by_role("button", name="Still in hand").click()
    deck.get_by_role("button", name="4 of clubs").click()
    page.get_by_role("button", name="Write +31").click()
    assert page.locator(".reads output").inner_text() == "+31"


def test_the_keypad_is_played_by_keys_alone(scoring):
    page = scoring
    page.keyboard.type("45")
    page.keyboard.press("Enter")
    page.keyboard.type("-20")
    page.keyboard.press("Enter")
    page.keyboard.type("107")
    page.keyboard.press("Backspace")
    page.keyboard.press("Enter")
    seen(page, "Hand 2", "45", "−20", "10")


def test_logs_that_are_dropped_together_make_standings(scoring):
    page = scoring
    second = EVENING.replace("2026-10-30", "2026-11-06")
    drop(page, one__rgn=EVENING, two__rgn=second)
    sheet = page.get_by_role("dialog")
    sheet.get_by_text("Places after each evening").wait_for()
    assert sheet.get_by_role("row").nth(1).inner_text().split() == ["Ann", "2", "2", "12", "1012"]
    sheet.get_by_role("button", name="6 November 2026").click()
    sheet.get_by_text("Totals, 6 November 2026").wait_for()


def test_a_score_sheet_that_is_dropped_is_counted(scoring):
    page = scoring
    drop(page, **{"2026-11-20.csv": "Ann,Bob,Cy\n45,-20,10\n60,115,5\n"})
    sheet = page.get_by_role("dialog")
    sheet.get_by_text("Totals, 20 November 2026").wait_for()
    assert sheet.get_by_role("row").nth(1).inner_text().split() == ["Ann", "1", "0", "2", "105"]


def workbook_xlsx(rows):
    openpyxl = pytest.importorskip("openpyxl")
    book, data = openpyxl.Workbook(), BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(data)
    return data.getvalue()


def workbook_ods(rows):
    cells = [
        "".join(f"<t:table-cell><x:p>{cell}</x:p></t:table-cell>" for cell in row) for row in rows
    ]
    table = "".join(f"<t:table-row>{row}</t:table-row>" for row in cells)
    office = "urn:oasis:names:tc:opendocument:xmlns"
    names = f'xmlns:t="{office}:table:1.0" xmlns:x="{office}:text:1.0"'
    data = BytesIO()
    with ZipFile(data, "w") as archive:
        archive.writestr("content.xml", f"<doc {names}><t:table>{table}</t:table></doc>")
    return data.getvalue()


@pytest.mark.parametrize(
    ("ending", "workbook"), [("xlsx", workbook_xlsx), ("ods", workbook_ods)], ids=["xlsx", "ods"]
)
def test_a_workbook_that_is_dropped_is_counted(page, ending, workbook):
    data = workbook([["Ann", "Bob", "Cy"], [45, -20, 10], [60, 115, 5]])
    drop(page, **{f"2026-11-20.{ending}": data})
    sheet = page.get_by_role("dialog")
    sheet.get_by_text("Totals, 20 November 2026").wait_for()
    assert sheet.get_by_role("row").nth(1).inner_text().split() == ["Ann", "1", "0", "2", "105"]
    sheet.get_by_role("button", name="Close").click()


def test_events_of_a_program_that_are_dropped_become_a_log(page):
    program = ROOT / "tests" / "events" / "timpalpant-rummy.jsonl"
    drop(page, **{program.name: program.read_bytes()})
    page.wait_for_url("**#/log")
    first = program.with_suffix(".rgn").read_text("utf-8").partition("\n")[0]
    field(page, "Log").get_by_text(first, exact=True).first.wait_for()


def test_an_empty_file_takes_the_place_of_nothing(page):
    write(page, "log", "Log", EVENING)
    drop(page, nothing__rgn="\n")
    sheet = page.get_by_role("dialog")
    sheet.get_by_text("nothing.rgn: there is nothing in this file").wait_for()
    sheet.get_by_role("button", name="Close").click()
    assert "evening" in field(page, "Log").inner_text().lower()


def test_a_file_that_nobody_can_read_is_answered_with_a_sentence(page):
    drop(page, poem__txt="the quick brown fox", broken__xlsx=b"PK\3\4 and nothing else")
    sheet = page.get_by_role("dialog")
    sheet.get_by_text("poem.txt: this is no log and no score sheet").wait_for()
    assert "broken.xlsx: it is damaged" in sheet.inner_text()
    sheet.get_by_role("button", name="Close").click()


# --- what is not lost ----------------------------------------------------------------------------


def test_a_log_that_a_link_takes_the_place_of_is_offered_back(browser, site):
    visit = Visit(browser, site, **PHONE)
    page = visit.open_without_referee()
    link = f"{site}#/log/{quote(json.dumps({'log': 'up 6c'}))}"
    write(page, "log", "Log", "# mine\n")
    page.goto(link)
    field(page, "Log").get_by_text("up 6c").wait_for()
    page.reload()  # it is kept on the device
    page.get_by_role("button", name="Back to your log").click()
    assert field(page, "Log").inner_text().startswith("# mine")
    assert page.get_by_role("button", name="Back to your log").is_hidden()
    page.get_by_role("button", name="Empty").click()
    page.get_by_role("button", name="Back to your log").click()
    assert field(page, "Log").inner_text().startswith("# mine")
    page.goto(link)
    page.goto(link.replace("up", "stock"))  # a log that was only looked at takes no place away
    page.get_by_role("button", name="Back to your log").click()
    assert field(page, "Log").inner_text().startswith("# mine")
    visit.close()


def test_a_log_that_is_too_large_to_be_kept_is_said_to_be_so(browser, site):
    visit = Visit(browser, site, **PHONE)
    page = visit.open_without_referee()
    page.evaluate("localStorage.setItem('filled', 'x'.repeat(5 * 1024 * 1024 - 2000))")
    write(page, "log", "Log", "# a short one\n")
    assert "too large" not in page.locator("#log-sum").inner_text()
    write(page, "log", "Log", "# a longer one\n" * 300)
    seen(page, "It is too large to be kept on this device")
    visit.close()


def test_a_large_log_is_kept_once(browser, site):
    visit = Visit(browser, site, **PHONE)
    page = visit.open_without_referee()
    page.evaluate("localStorage.setItem('filled', 'x'.repeat(5 * 1024 * 1024 - 10_000))")
    log = "# about six thousand characters\n" * 180
    link = f"{site}#/log/{quote(json.dumps({'log': log}), safe=' #')}"
    page.goto(link)
    field(page, "Log").get_by_text("about six").first.wait_for()
    assert "too large" not in page.locator("#log-sum").inner_text()
    page.reload()
    field(page, "Log").get_by_text("about six").first.wait_for()
    visit.close()


def test_rules_that_a_file_takes_the_place_of_are_offered_back(page):
    write(page, "rules", "Rules", BARE + "game: {target: 415}\n")
    seen(page, "1 difference")
    drop(page, theirs__yaml=BARE + "game: {target: 640}\n")
    field(page, "Rules").get_by_text("640").wait_for()
    page.get_by_role("button", name="Back to your rules").click()
    field(page, "Rules").get_by_text("415").wait_for()


def test_players_without_names_are_invited_to_have_some(browser, site):
    visit = Visit(browser, site, **PHONE)
    page = visit.open_without_referee()
    door(page, "score")
    page.get_by_role("button", name="Deal the first hand").click()
    press(page, 20)
    page.get_by_role("button", name="Write in who plays").click()
    page.get_by_role("textbox", name="Name of player 1").fill("Ann")
    page.get_by_role("textbox", name="Name of player 2").fill("Bob")
    page.get_by_role("button", name=re.compile("without player 3", re.IGNORECASE)).click()
    page.get_by_role("button", name="Deal the first hand").click()
    page.locator(".total", has_text="Ann").wait_for()
    assert page.get_by_role("button", name="Write in who plays").count() == 0
    visit.close()


def test_on_paper_the_rules_are_the_booklet(page):
    write(page, "rules", "Rules", BARE)
    page.locator("#booklet", has_text="pile").wait_for()
    page.emulate_media(media="print")
    shown = [one for one in ("#booklet", "#sets", "#yaml-box") if page.locator(one).is_visible()]
    page.emulate_media(media="screen")
    assert shown == ["#booklet"]


# --- for everybody --------------------------------------------------------------------------------


def doors(page):
    """Each state of the doors that is worth a look, one after the other."""
    door(page, "log")
    seen(page, *CODES)
    yield "log"
    door(page, "rules")
    page.get_by_role("button", name="No ace is discarded").first.wait_for()
    page.evaluate("for (const one of document.querySelectorAll('#sets details')) one.open = true")
    yield "switches"
    if page.get_by_role("button", name="Booklet").is_visible():
        page.get_by_role("button", name="Booklet").click()
        yield "booklet"
        page.get_by_role("button", name="As text").click()
        yield "text"
    door(page, "score")
    yield "names"
    page.get_by_role("button", name="Deal the first hand").click()
    for points in (73, 19, 36):
        press(page, points)
    yield "keypad"
    for points in (500, 19, 36):
        press(page, points)
    yield "winner"
    page.get_by_role("button", name="Standings").click()
    yield "standings"


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES.keys())
def test_nothing_scrolls_sideways_and_thumbs_and_axe_find_no_fault(browser, site, size):
    visit = Visit(browser, site, **size)
    page = visit.open_without_referee()
    by_thumb = "has_touch" in size
    faults = [(state, fault) for state in doors(page) for fault in visit.faults(by_thumb=by_thumb)]
    assert faults == []
    visit.close()


def test_firefox_opens_every_door(firefox, site):
    visit = Visit(firefox, site, **DESK)
    states = [*doors(visit.open_without_referee())]
    assert states == ["log", "switches", "names", "keypad", "winner", "standings"]
    visit.close()
