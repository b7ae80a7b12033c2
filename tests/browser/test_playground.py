"""The playground in a real browser: the site as a host serves it, and the single file opened from a disk.

`just playground` builds it; MELDREF_PLAYGROUND is the folder it was built into (or
`build/playground`). Without it these tests are skipped. Python has to be loaded for each visit, so
most of them share one, and leave it as it was.
"""

from __future__ import annotations

import base64
import itertools
import json
import os
import re
import subprocess
import sys
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest
import yaml

from paths import ROOT

AXE = os.environ.get("MELDREF_AXE")
SITE = Path(os.environ.get("MELDREF_PLAYGROUND") or ROOT / "build" / "playground")
DISPUTED = (ROOT / "examples" / "disputed.rgn").read_text(encoding="utf-8")
CODES = ("draw.deep.unused", "discard.taken-top", "meld.shape", "score.hand")
VIEWS = ("log", "rules", "move", "table")
PATIENCE = 240_000
"""How many milliseconds anything may take, on however slow a machine."""

pytestmark = pytest.mark.skipif(
    not (SITE / "index.html").exists(), reason="the playground is not built: just playground"
)


class Quiet(SimpleHTTPRequestHandler):
    """Serves the site, and says nothing."""

    extensions_map: ClassVar = {
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, *_):
        """Nothing is logged."""


@contextmanager
def served():
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(SITE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://localhost:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


class Visit:
    """A visit to the playground, with what the page complained about and whom it asked."""

    def __init__(self, browser, address, **settings):
        self.context = browser.new_context(**settings)
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()
        self.address, self.trouble, self.requests = address, [], []
        self.page.on(
            "console",
            lambda message: self.trouble.append(message.text) if message.type == "error" else None,
        )
        self.page.on("pageerror", lambda fault: self.trouble.append(str(fault)))
        self.context.on("request", lambda request: self.requests.append(request.url))

    def open(self, fragment=""):
        self.page.goto(self.address + fragment)
        self.page.wait_for_selector("body[data-ready]")
        return self.page

    def verdict(self, view, words):
        """The verdict of a view, once it is about what was asked last and has some words."""
        answered = self.page.wait_for_function(
            """([id, words]) => {
                const { ariaBusy, textContent } = document.getElementById(id);
                return ariaBusy !== "true" && textContent.includes(words) && textContent;
            }""",
            arg=[f"{view}-verdict", words],
        )
        return answered.json_value()

    def others_asked(self):
        """The addresses asked for that belong to another origin."""
        own = (self.address.rpartition("/")[0], "data:", "blob:", "about:")
        return [url for url in self.requests if not url.startswith(own)]

    def seen(self, element, words):
        """Waits until an element shows some words, wherever it is."""
        element.filter(has_text=words).first.wait_for()


def simulated_log(hands):
    """A log of some hands of 500 Rummy."""
    command = [
        *(sys.executable, "-m", "meldref_cli.main", "simulate", "--quiet"),
        "--hands",
        f"{hands}",
    ]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def touch(page, *words):
    """Makes a move by the words and cards below the table."""
    for word in words:
        page.locator("#move-words").get_by_role("button", name=re.compile(rf"(^| ){word}$")).click()


def card(deck, code):
    """The button of a card, which may lie anywhere."""
    return deck.get_by_role("button", name=re.compile(rf" {code}\b"))


@pytest.fixture(scope="module")
def site():
    with served() as address:
        yield address


@pytest.fixture(scope="module")
def visited(browser, site):
    """One visit that several tests share, since Python has to be loaded for each."""
    visit = Visit(browser, site)
    visit.open()
    yield visit
    visit.context.close()


@pytest.fixture
def visit(visited):
    yield visited
    assert visited.trouble == []
    assert visited.others_asked() == []


def test_a_log_is_judged_while_it_is_written_and_shown_line_by_line(visit):
    page = visit.page
    page.click("#tab-log")
    page.get_by_role("textbox", name="Log", exact=True).fill(DISPUTED)
    assert visit.verdict("log", "violation").startswith("4 violations")
    text = page.inner_text("body")
    assert all(code in text for code in CODES)
    assert page.locator("[data-editor=log] mark").count() == len(CODES)
    visit.seen(page.frame_locator("#log-page").locator("h1, h2"), "log.rgn")
    page.frame_locator("#log-page").locator("#said").wait_for()


def test_a_fix_by_a_click_replaces_the_move_alone(visit):
    page = visit.page
    page.click("#tab-log")
    log = page.get_by_role("textbox", name="Log", exact=True)
    log.fill(DISPUTED)
    visit.verdict("log", "4 violations")
    button = page.get_by_role("button", name="Write").first
    move = button.inner_text().removeprefix("Write ").removesuffix(" instead")
    button.click()
    visit.verdict("log", "violation")
    after = log.input_value()
    assert move in after
    assert (
        sum(old != new for old, new in zip(DISPUTED.split("\n"), after.split("\n"), strict=True))
        == 1
    )


def test_rules_are_checked_completed_fixed_and_put_into_words(visit):
    page = visit.page
    page.get_by_role("button", name="rules").first.click()
    rules = page.get_by_role("textbox", name="Rules", exact=True)
    rules.fill("id: lake\nextends: [500-rummy]\ndraw:\n  takes: hole_pile\n")
    visit.verdict("rules", "finding")
    assert "rules.value" in page.inner_text("#rules-findings")
    assert "rules.yaml:4" in page.inner_text("#rules-findings")
    rules.fill("id: lake\nextends: [500-rummy]\ndraw:\n  takes: whole_pile\n")
    visit.verdict("rules", "can be played")
    visit.seen(page.frame_locator("#rules-page").locator("body"), "draw.takes")
    page.click("#rules-compare")
    visit.seen(page.locator("#rules-differences"), "draw.takes")
    page.click("#rules-clear")


def test_marks_stay_with_their_lines_while_others_are_written(visit):
    page = visit.page
    page.click("#tab-log")
    log = page.get_by_role("textbox", name="Log", exact=True)
    log.fill(DISPUTED)
    visit.verdict("log", "4 violations")
    marked = page.evaluate(
        """() => {
            const log = document.querySelector("[data-editor=log] textarea");
            const marks = () => [...document.querySelectorAll("[data-editor=log] mark")].map((one) => one.textContent);
            const before = marks();
            log.setRangeText("# a note\\n", 0, 0);
            log.dispatchEvent(new Event("input"));
            return [before, marks()];
        }"""
    )
    assert marked[0] == marked[1] != []
    visit.verdict("log", "4 violations")


def test_what_may_follow_in_rules_is_offered(visit):
    page = visit.page
    page.click("#tab-rules")
    rules = page.get_by_role("textbox", name="Rules", exact=True)
    rules.fill("id: lake\nextends: [500-rummy]\ndraw:\n  takes: wh")
    rules.press("Control+End")
    rules.press("Control+Space")
    page.locator("[data-editor=rules] .offers button").first.click()
    assert rules.input_value().endswith("takes: whole_pile")
    page.click("#rules-clear")


def test_a_move_made_by_touch_gets_its_verdict_and_its_rule(visit):
    page = visit.page
    page.click("#tab-move")
    page.get_by_role("button", name="Clear the table").click()
    deck = page.get_by_role("group", name="Cards", exact=True)
    places = page.get_by_role("group", name="Where the next card goes")
    for code in ("4d", "4h", "9h", "2c"):
        card(deck, code).click()
    places.get_by_role("button", name="Pile").click()
    for code in ("6s", "4c", "Qs", "7h"):
        card(deck, code).click()
    touch(page, "take", "4c", "discard", "2c", "2c")
    page.get_by_role("button", name="Delete the last word").click()
    assert (
        page.get_by_role("textbox", name="Move", exact=True).input_value() == "take 4c; discard 2c"
    )
    page.get_by_role("button", name="Is it allowed?").click()
    assert visit.verdict("move", "illegal") == "illegal"
    assert "draw.deep.unused" in page.inner_text("#move-why")
    assert "meld 4c 4d 4h" in page.inner_text("#moves")


class Keys:
    """A reader who has nothing but a keyboard, and sees where the focus is."""

    def __init__(self, page):
        self.page = page

    def press(self, key):
        self.page.keyboard.press(key)
        return self.focus()

    def focus(self):
        """What has the focus: its name, its group, and whether it is outlined."""
        return self.page.evaluate(
            """() => {
                const one = document.activeElement;
                if (one === document.body) return ["", "", ""];
                const name = one.ariaLabel || one.labels?.[0]?.textContent || one.textContent || one.title;
                const group = one.closest("#places, #deck, #move-words, #turns");
                return [name.trim(), group?.id ?? "", getComputedStyle(one).outlineStyle];
            }"""
        )

    def await_name(self, ending):
        """Waits until the name of what has the focus ends so."""
        self.page.wait_for_function(
            "ending => (document.activeElement.ariaLabel ?? document.activeElement.textContent).trim().endsWith(ending)",
            arg=ending,
        )

    def reach(self, words, group=""):
        """Goes to a control by the Tab key, and in a group by arrows."""
        name, there, _ = self.focus()
        for _ in range(40):
            if words in name or (group and there == group):
                break
            name, there, outline = self.press("Tab")
            assert outline != "none", f"{name} has the focus, and nothing shows it"
        if words not in name:
            name, _, _ = self.press("Home")
        for _ in range(60):
            if words in name:
                return
            name, _, _ = self.press("ArrowRight")
        raise AssertionError(f"no key leads to {words}: the focus is at {name}")


def test_a_move_is_made_and_judged_by_keyboard_alone(visit):
    page = visit.page
    page.locator("#move").evaluate("field => { field.value = ''; }")
    page.click("h1")  # from where the Tab key leads on
    keys = Keys(page)
    keys.reach("Is this move allowed?")
    keys.press("Enter")
    page.locator("#deck button").first.wait_for()
    keys.reach("Clear the table", "places")
    keys.press("Enter")
    for code in ("4d", "4h", "9h", "2c"):
        keys.reach(f" {code}", "deck")
        keys.press("Space")
        keys.await_name(f" {code}, in Ann's hand")
    assert keys.press("ArrowDown")[0].endswith(" 2d")
    keys.press("Shift+Tab")
    keys.reach("Pile", "places")
    keys.press("Enter")
    for code in ("6s", "4c", "Qs", "7h"):
        keys.reach(f" {code}", "deck")
        keys.press("Space")
    page.locator("#move-verdict:not([aria-busy])").wait_for(state="attached")
    for word in ("take", "4c", "discard", "2c"):
        keys.reach(word, "move-words")
        keys.press("Enter")
    keys.press("Tab")
    keys.press("Enter")
    assert visit.verdict("move", "illegal") == "illegal"
    keys.reach("take 4c; meld 4c 4d 4h", "turns")
    keys.press("Enter")
    assert visit.verdict("move", "legal") == "legal"


def test_a_card_that_is_touched_moves_to_the_place_that_is_chosen(visit):
    page = visit.page
    page.click("#tab-move")
    position = page.get_by_role("textbox", name="Position")
    page.locator("#position-details").evaluate("details => { details.open = true; }")
    position.fill((ROOT / "examples/position.yaml").read_text(encoding="utf-8"))
    visit.seen(page.locator("#places"), "Cy's hand (3)")
    deck = page.get_by_role("group", name="Cards", exact=True)
    places = page.get_by_role("group", name="Where the next card goes")
    places.get_by_role("button", name="Ann's hand").click()
    card(deck, "2d").click()  # from the pile into the hand of the player whose turn it is
    places.get_by_role("button", name="Bob's hand").click()
    card(deck, "8c").click()  # which was one of five cards that nobody has seen
    places.get_by_role("button", name="New meld").click()
    page.locator("#move-verdict:not([aria-busy])").wait_for(state="attached")
    card(deck, "3c").click()  # the answer about the card before has left the new meld there
    visit.verdict("move", "not a table yet: m3 is not a meld")
    for code in ("3d", "3s"):
        card(deck, code).click()
    page.get_by_label("m3 was laid by").select_option("Cy")
    page.get_by_label("Whose turn").select_option("Bob")
    page.wait_for_function(
        """() => document.getElementById("position").value.includes('to_move: "Bob"')"""
    )
    written = yaml.safe_load(position.input_value())
    assert written["hands"] == {"Ann": "2d 4d 4h 9h Ks", "Bob": "8c ?*4", "Cy": "?*3"}
    assert written["table"] == {
        "m1": {"Bob": "5h 6h 7h", "Ann": "8h"},
        "m2": {"Cy": "Qc Qd Jk=Q"},
        "m3": {"Cy": "3c 3d 3s"},
    }
    assert (written["pile"], written["to_move"]) == ("6s 4c Qs", "Bob")


def test_a_move_can_be_played_and_taken_back_and_sent_as_a_link(visit):
    page = visit.page
    page.click("#tab-move")
    page.locator("#position-details").evaluate("details => { details.open = true; }")
    page.get_by_role("textbox", name="Position").fill(
        (ROOT / "examples/position.yaml").read_text(encoding="utf-8")
    )
    page.get_by_role("textbox", name="Move", exact=True).fill("take 4c; meld 4c 4d 4h")
    page.click("#move-judge")
    visit.verdict("move", "legal")
    page.click("#move-on")
    page.wait_for_function("() => document.getElementById('position').value.includes('turn:')")
    page.locator("#moves", has_text="discard").wait_for()
    page.click("#move-back")
    visit.verdict("move", "legal")
    page.evaluate(
        "navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }"
    )
    page.click("#move-link")
    page.wait_for_function("() => window.copied !== undefined")
    link = page.evaluate("window.copied")
    page.get_by_role("textbox", name="Move", exact=True).fill("discard Ks")
    page.evaluate("(link) => { location.hash = link.split('#')[1]; }", link)
    page.wait_for_function(
        "() => document.getElementById('move').value === 'take 4c; meld 4c 4d 4h'"
    )


def test_a_link_replaces_what_was_written_only_if_its_reader_agrees(visit):
    page = visit.page
    page.click("#tab-rules")
    rules = page.get_by_role("textbox", name="Rules", exact=True)
    rules.fill("id: mine\nextends: [500-rummy]\n")
    theirs = json.dumps({"rules": "id: theirs\nextends: [500-rummy]\n"})
    link = f"#rules={base64.urlsafe_b64encode(theirs.encode()).decode().rstrip('=')}"
    for answer, name in (("dismiss", "mine"), ("accept", "theirs")):
        with page.expect_event("dialog") as shown:
            page.evaluate("(link) => { location.hash = ''; location.hash = link; }", link)
        getattr(shown.value, answer)()
        page.wait_for_function(
            "(name) => document.querySelector('[data-editor=rules] textarea').value.includes(name)",
            arg=f"id: {name}",
        )
    page.click("#rules-clear")


def new_game(visit):
    """Begins a game at the table, in the place of what another test left there."""
    page = visit.page
    page.click("#tab-table")
    page.locator("#table-begin").evaluate("details => { details.open = true; }")

    def agree(dialog):
        dialog.accept()

    page.on("dialog", agree)
    page.click("#table-new button")
    # Until the deal is the last thing that happened, the page shows the game before.
    visit.verdict("table", "Last: the deal.")
    page.remove_listener("dialog", agree)
    page.wait_for_selector("#table-show:visible")


def test_a_hand_is_covered_until_its_player_says_so(visit):
    page = visit.page
    new_game(visit)
    covered = page.inner_text("#table-picture")
    assert not cards_in(page, "#table-picture")[1:], "but for the card turned up"
    page.click("#table-show")
    page.wait_for_selector("#table-moves button")
    assert page.inner_text("#table-picture") != covered
    page.get_by_role("textbox", name="Line").fill("draw; discard")
    page.click("#table-say")
    visit.verdict("table", "not written: not finished yet")
    page.get_by_role("textbox", name="Line").fill("draw; discard Zz")
    page.click("#table-say")
    visit.verdict("table", "not written: that cannot be read")
    page.get_by_role("textbox", name="Line").fill("draw")
    page.click("#table-say")
    visit.verdict("table", "written: 1. ")
    page.locator("#table-moves button", has_text="discard").first.click()
    page.click("#table-say")
    assert "Last: " in visit.verdict("table", "Pass the device")
    assert page.inner_text("#table-words") == ""


def cards_in(page, part):
    """The cards that a part of the page names anywhere: in its text, its attributes, and its fields."""
    held = page.eval_on_selector(
        part,
        """(part) => [part.outerHTML.replace(/ (class|id|d|style|transform)="[^"]*"/g, ""),
          ...[...part.querySelectorAll("input, textarea")].map((one) => one.value)].join(" ")""",
    )
    return re.findall(r"(?<![\w#.-])(?:[2-9TJQKA][cdhs]|Jk)\b", held)


def test_no_card_of_a_hand_is_in_the_page_for_another_player(visit):
    """Of what is refused, too: who asks does not read what another player drew."""
    page = visit.page
    new_game(visit)
    open_cards = set(cards_in(page, "#view-table"))
    mover = page.inner_text("#table-show").removeprefix("I am ").removesuffix(": show my hand")
    page.click("#table-show")
    page.wait_for_selector("#table-moves button")
    line = page.get_by_role("textbox", name="Line")
    line.fill("draw")
    page.click("#table-say")
    drawn = visit.verdict("table", "written: 1. ").split()[-1]
    line.fill("discard Zz")
    page.click("#table-show")
    page.wait_for_selector("#table-moves", state="hidden")
    other = next(name for name in ("Ann", "Bob") if name != mover)
    assert set(cards_in(page, "#view-table")) <= open_cards
    line.fill(f"{other}: draw")
    page.click("#table-say")
    visit.verdict("table", "not written: that is not legal")
    assert page.inner_text("#table-why .excerpt") == f"1. {mover}: draw ?"
    assert page.inner_text("#table-why .excerpt mark") == "draw ?"
    assert set(cards_in(page, "#view-table")) <= open_cards - {drawn}


def test_a_question_that_never_ends_leaves_what_was_written(visit):
    page = visit.page
    page.click("#tab-log")
    page.get_by_role("textbox", name="Log", exact=True).fill(DISPUTED)
    visit.verdict("log", "violation")
    page.evaluate("dispatchEvent(new Event('meldref-stop'))")
    page.wait_for_selector("body[data-ready]")
    assert page.get_by_role("textbox", name="Log", exact=True).input_value() == DISPUTED
    page.get_by_role("textbox", name="Log", exact=True).press("End")
    page.get_by_role("textbox", name="Log", exact=True).fill(DISPUTED + "\n")
    visit.verdict("log", "4 violations")


def test_it_opens_without_a_network_once_it_was_opened(visited):
    page = visited.page
    page.wait_for_function("() => navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("() => caches.keys().then((names) => names.length === 1)")
    visited.context.set_offline(True)
    visited.open()
    page.get_by_role("textbox", name="Log", exact=True).fill(DISPUTED)
    visited.verdict("log", "4 violations")
    visited.context.set_offline(False)


def test_the_single_file_works_from_a_disk(browser):
    visit = Visit(browser, (SITE / "playground.html").as_uri())
    page = visit.open()
    page.get_by_role("textbox", name="Log", exact=True).fill(DISPUTED)
    visit.verdict("log", "4 violations")
    assert visit.trouble == []
    assert visit.others_asked() == []
    visit.context.close()


def test_firefox_judges_a_log_and_a_move_as_well(firefox, site):
    visit = Visit(firefox, site)
    page = visit.open()
    page.get_by_role("textbox", name="Log", exact=True).fill(DISPUTED)
    visit.verdict("log", "4 violations")
    page.frame_locator("#log-page").locator("#said").wait_for()
    page.click("#tab-move")
    page.get_by_role("textbox", name="Move", exact=True).fill("draw; discard Ks")
    page.keyboard.press("Enter")
    assert visit.verdict("move", "legal") == "legal"
    assert visit.trouble == []
    assert visit.others_asked() == []
    visit.context.close()


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_axe_finds_no_serious_fault_in_any_view(visit, colours):
    if AXE is None:
        pytest.skip("axe is not here: MELDREF_AXE is the path of axe.min.js")
    page = visit.page
    page.emulate_media(color_scheme=colours)
    page.set_viewport_size({"width": 390, "height": 844})
    page.click("#tab-log")
    page.get_by_role("textbox", name="Log", exact=True).fill(DISPUTED)
    visit.verdict("log", "4 violations")
    # The page's policy lets nobody add a script; axe is evaluated by the browser's own tools.
    page.evaluate(Path(AXE).read_text(encoding="utf-8") + "\n;0")
    for view in VIEWS:
        page.click(f"#tab-{view}")
        found = page.evaluate(
            "axe.run(document, {iframes: false}).then(({violations}) => violations)"
        )
        serious = [one for one in found if one["impact"] in {"serious", "critical"}]
        assert [(view, one["id"], one["nodes"][0]["html"]) for one in serious] == []
        wide = page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
        assert wide, f"{view} is wider than a phone"


AT_ONCE = 100
"""Within how many milliseconds what is found has to be underlined."""
MOST_KEYS = 50
"""How many keys are pressed before all of them count as too slow."""
PASTE = """(text) => {
    const log = document.querySelector("[data-editor=log] textarea");
    log.value = text;
    log.dispatchEvent(new Event("input"));
}"""
"""Takes a text over at once, as a paste or a file does; Playwright's own `fill` takes seconds for thousands of lines."""
TYPE = """async ([at, typed]) => {
    const log = document.querySelector("[data-editor=log] textarea");
    const marked = () => new Promise((done) => {
        const watch = new MutationObserver(() => { watch.disconnect(); done(); });
        watch.observe(document.querySelector("[data-editor=log] pre"), { childList: true });
    });
    const verdict = document.getElementById("log-verdict");
    const times = [];
    log.focus();
    for (const key of typed) {
        while (verdict.ariaBusy) await new Promise((done) => { setTimeout(done, 5); });
        log.setSelectionRange(at, at + 1);
        const began = performance.now();
        document.execCommand("insertText", false, key); // as a key does, which leaves the other lines as they are
        await Promise.resolve(); // the line was painted without its mark
        await marked();
        log.getBoundingClientRect();
        times.push(performance.now() - began);
        at += 1;
    }
    return times;
}"""


@pytest.mark.timed
def test_what_is_found_in_fifty_hands_is_underlined_at_once_while_one_types(visit, idle):
    page = visit.page
    page.click("#tab-log")
    written = simulated_log(50)
    page.evaluate(PASTE, written)
    visit.verdict("log", "50 hands")
    for place in (0, len(written) // 2, len(written) - 3_000):
        turn = written.index("discard", place)
        times, words = [], itertools.cycle(["throw", "munch"])
        while len(times) < MOST_KEYS and min(times, default=AT_ONCE) >= AT_ONCE:
            times += page.evaluate(TYPE, [turn, next(words)])
        if min(times) >= AT_ONCE:
            idle()
        assert min(times) < AT_ONCE, (place, times)
