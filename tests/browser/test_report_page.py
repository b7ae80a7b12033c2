"""A report in a real browser, looked over by axe-core as well.

axe is found by MELDREF_AXE, the path of its `axe.min.js`; without it, that test alone is skipped.
"""

from __future__ import annotations

import itertools
import os
import re
from pathlib import Path

import pytest

from meldref import read_lines
from meldref.core.records import changed
from meldref.replay.log import Replay
from meldref.report.tally import Audited
from meldref_authoring.rulebook import as_section
from meldref_cli.main import main
from meldref_evidence.explaining import RecordExplainer
from meldref_table.report.viewer.film import Recorder
from meldref_table.report.viewer.page import FilmedLog, page_of
from paths import ROOT
from simulated import log_of

AXE = os.environ.get("MELDREF_AXE")
PATIENCE = 120_000
"""How many milliseconds anything may take, on however slow a machine."""

HOSTILE = """\
[Rules "500-rummy"]
[Players "<script>document.title='gone'</script>, \u05d3\u05d5\u05d3 \u05d1\u05df"]
hand 1
1. "<script>document.title='gone'</script>": draw 5h; meld 5h 6h 7h; discard Ks # <img src=x onerror=alert(1)>
2. "\u05d3\u05d5\u05d3 \u05d1\u05df": draw; discard 4c
"""


def written(folder, *logs):
    """The report of some logs."""
    out = folder / "report.html"
    named = [str(ROOT / log) for log in logs]
    assert main(["report", *named, "-o", str(out), "--quiet", "--jobs", "1"]) in {0, 1, 2}
    return out


def filmed(text):
    """A log that was audited while its hands were recorded."""
    run, recorder = Replay("log.rgn", explainer=RecordExplainer()), Recorder()
    for read in read_lines(text):
        recorder.feed(run, read)
    report = run.finish()
    recorder.finish(run)
    return FilmedLog(Audited(report), recorder.hands)


def page_with(folder, log, hands):
    """The page of a log, with some hands of its film."""
    out = folder / f"{len(hands)}.html"
    out.write_text(
        "".join(page_of([changed(log, hands=hands)], rulebook=as_section)), encoding="utf-8"
    )
    return out


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """A report of two logs: one with findings, and one of six hands."""
    return written(
        tmp_path_factory.mktemp("report"), "examples/disputed.rgn", "examples/evening.rgn"
    )


class Looked:
    """A page that is looked at, and what it complained about or asked for."""

    def __init__(self, browser, path, **settings):
        self.page = browser.new_page(**{"reduced_motion": "reduce", **settings})
        self.page.set_default_timeout(PATIENCE)
        self.trouble, self.requests, self.path = [], [], path
        self.page.on("console", lambda message: self.trouble.append(message.text))
        self.page.on("pageerror", lambda fault: self.trouble.append(str(fault)))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def open(self, link=""):
        self.page.goto(f"{self.path.as_uri()}{link}")
        return self.page

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    @property
    def place(self):
        return self.page.evaluate("location.hash")


@pytest.fixture
def look(browser):
    looked = []

    def open_(path, link="", **settings):
        one = Looked(browser, path, **settings)
        looked.append(one)
        one.open(link)
        return one

    yield open_
    for one in looked:
        assert one.trouble == []
        assert [url for url in one.requests if not url.startswith("file:")] == []
        one.page.close()


def said(page):
    return page.inner_text("#said")


def test_a_game_is_played_with_keys_and_buttons(report, look):
    at = look(report, "#log=2&hand=1&turn=1")
    assert said(at.page).startswith("1.")
    at.press("ArrowRight")
    assert at.place == "#log=2&hand=1&turn=2"
    at.page.click("#forward")
    assert at.place == "#log=2&hand=1&turn=3"
    at.page.click("#back")
    at.press("ArrowLeft")
    assert at.place == "#log=2&hand=1&turn=1"
    at.press("Shift+ArrowRight")
    assert at.place.startswith("#log=2&hand=2")
    at.press("End", "ArrowRight")
    assert at.place.startswith("#log=2&hand=3")


def test_nine_thousand_turns_of_twenty_players_are_played_with_their_charts(look, tmp_path):
    players = [f"P{number}" for number in range(20)]
    turns = "".join(f"{at + 1}. {players[at % 20]}: draw; discard ?\n" for at in range(9_000))
    rules = (
        '[Rules "500-rummy"]\n[Set "players.max=20"]\n[Set "deal.cards=7"]\n[Set "deck.packs=4"]\n'
    )
    (tmp_path / "long.rgn").write_text(
        f'{rules}[Players "{", ".join(players)}"]\nhand 1 dealer P19\ngap\n{turns}'
    )
    at = look(written(tmp_path, tmp_path / "long.rgn"))
    at.press("End", "ArrowLeft")
    assert at.place == "#log=1&hand=1&turn=8999"
    assert at.page.locator("#table .seat").count() == 20
    assert at.page.locator("#charts path").count() == 20
    assert at.page.locator("#lines li").count() > 9_000


def test_more_hands_are_listed_than_a_call_takes_arguments(look, tmp_path):
    log = filmed('[Rules "500-rummy"]\n[Players "Ann, Bob"]\nhand\n')
    out = page_with(tmp_path, log, log.hands)
    page = out.read_text(encoding="utf-8")
    played = re.search(r'"hands":\[(.*?)\],"findings"', page)[1]
    out.write_text(page.replace(played, ",".join([played] * 130_000)), encoding="utf-8")
    at = look(out)
    assert at.page.locator("#hand option").count() == 130_000


def test_a_link_is_obeyed_when_the_page_opens_and_when_it_changes(report, look):
    at = look(report, "#log=2&hand=3&turn=14")
    assert at.page.inner_text("#where").endswith("Game 1, hand 3, turn 14")
    at.page.evaluate("location.hash = '#log=1&hand=1&turn=3'")
    at.page.wait_for_function("document.getElementById('said').textContent.startsWith('3. Cy')")
    for nonsense in (
        "#log=99&hand=99&turn=99",
        "#log=-1&hand=x",
        "#turn=1e9",
        "#%",
        "#log=1&hand=1&turn=0",
    ):
        at.open(nonsense)
        assert at.page.is_visible("#said")


def test_the_deepest_card_of_a_take_is_seen(report, look):
    at = look(report, "#log=1&hand=1&turn=3")
    assert at.page.locator(".pile .ghost").count() == 3
    label = at.page.locator(".pile .cards").get_attribute("aria-label")
    assert "3 cards taken, down to six of clubs" in label


def test_a_meld_says_who_laid_which_card_and_what_a_joker_stands_for(look, tmp_path):
    at = look(written(tmp_path, "tests/games/500-rummy.rgn"))
    labels = []
    for _ in range(60):
        labels += at.page.locator(".meld .cards").evaluate_all(
            "all => all.map(one => one.getAttribute('aria-label'))"
        )
        at.press("ArrowRight")
    assert any(label.count(" by ") >= 3 for label in labels)
    assert any("joker as " in label for label in labels)


def test_findings_are_reached_by_one_key_and_stand_beside_the_table(report, look):
    at = look(report, "#log=1&hand=1&turn=1")
    found = []
    for _ in range(4):
        at.press("n")
        found.append((at.place, at.page.locator("#here .code").all_inner_texts()))
    assert [codes for _, codes in found] == [
        ["draw.deep.unused"],
        ["discard.taken-top"],
        ["meld.shape"],
        ["score.hand"],
    ]
    assert found[0][0] == "#log=1&hand=1&turn=3"
    at.press("n")
    beside = at.page.inner_text("#here")
    assert "draw.deep.must = be_used" in beside
    assert "500-rummy.yaml:" in beside
    assert "meld 6\u2663\ufe0e 6\u2666\ufe0e 6\u2660\ufe0e" in beside


def test_hands_are_open_hidden_or_as_one_player_sees_them(report, look):
    at = look(report, "#log=1&hand=1&turn=2")
    hands = at.page.locator(".seat .cards")
    assert hands.locator(".back").count() == 0
    at.page.select_option("#view", "hidden")
    assert hands.locator(".back").count() == hands.locator(".card").count()
    at.page.select_option("#view", "1")
    assert hands.nth(1).locator(".back").count() == 0
    assert hands.nth(0).locator(".back").count() > 0
    assert "draw ?" in at.page.locator("#lines li").nth(5).inner_text()
    everything = at.page.inner_text("#lines") + str(
        hands.evaluate_all("all => all.map(one => one.ariaLabel)")
    )
    assert "queen of diamonds" not in everything


def test_a_finding_tells_nothing_of_a_covered_hand(report, look):
    page = look(report, "#log=1&hand=1&turn=5").page
    here = page.locator("#here")
    assert "draw 2" in here.locator(".excerpt").inner_text()
    page.select_option("#view", "0")  # as Ann sees it; the turn is Bob's
    assert "draw ?" in here.locator(".excerpt").inner_text()
    assert here.locator(".legal").count() == 0
    page.select_option("#view", "1")
    assert "draw 2" in here.locator(".excerpt").inner_text()
    assert here.locator(".legal").count() > 0


@pytest.mark.timed
@pytest.mark.usefixtures("idle")
def test_a_thousand_hands_open_in_two_seconds_and_grow_in_proportion(look, tmp_path):
    text, _ = log_of("500-rummy", (), (), ("greedy", "greedy"), hands=100)
    log = filmed(text)
    few = page_with(tmp_path, log, log.hands[:10])
    many = page_with(tmp_path, log, log.hands)
    assert many.stat().st_size < 10.5 * few.stat().st_size
    out = page_with(tmp_path, log, [*log.hands] * 10)
    assert out.stat().st_size < 5_000_000
    at = look(out, "#log=1&hand=900&turn=5")
    opened = at.page.evaluate(
        "performance.timing.loadEventEnd - performance.timing.navigationStart"
    )
    assert 0 < opened < 2000
    assert "hand" in at.page.inner_text("#where")
    stepped = at.page.evaluate("(() => { const t = performance.now(); document.getElementById('forward').click();"
                               " return performance.now() - t; })()")  # fmt: skip
    assert stepped < 200


def test_each_step_is_told_to_a_screen_reader(report, look):
    at = look(report, "#log=1&hand=1&turn=1")
    at.press("ArrowRight")
    assert at.page.get_attribute("#live", "aria-live") == "polite"
    assert at.page.inner_text("#live").startswith(
        "Turn 2. Bob: draw jack of hearts; meld jack of clubs"
    )
    at.press("ArrowRight")
    assert "1 finding. illegal: " in at.page.inner_text("#live")


def test_logs_are_searched(report, look):
    at = look(report)
    at.press("/")
    at.page.keyboard.type("taken-top")
    rows = at.page.locator("#index tbody tr:visible")
    assert rows.count() == 1
    rows.locator("a").click()
    assert said(at.page)
    at.page.fill("#search", "nobody at all")
    assert at.page.locator("#index tbody tr:visible").count() == 0


def test_the_score_sheet_shows_what_was_recorded_against_what_is_due(report, look):
    at = look(report, "#log=1&hand=1")
    wrong = at.page.locator("#scores .wrong").inner_text()
    assert wrong == "-65 not -55"
    assert at.page.locator("#charts svg").count() == 1
    at.open("#log=2&hand=2")
    assert at.page.locator("#charts svg").count() == 2


def test_names_that_look_like_elements_and_names_from_right_to_left_are_text(look, tmp_path):
    log = tmp_path / "hostile.rgn"
    log.write_text(HOSTILE, encoding="utf-8")
    at = look(written(tmp_path, log))
    at.press("n", "ArrowLeft", "ArrowRight")
    assert at.page.title() != "gone"
    assert at.page.locator("#table img, #said img, #reading img").count() == 0
    assert "<script>document.title='gone'</script>" in at.page.inner_text(".seats")
    assert at.page.locator(".seats bdi", has_text="\u05d3\u05d5\u05d3").count() == 1


def test_light_and_dark_follow_the_system_and_a_switch(report, look):
    ground = "getComputedStyle(document.body).backgroundColor"
    light, dark = (look(report, color_scheme=scheme).page for scheme in ("light", "dark"))
    shades = [one.evaluate(ground) for one in (light, dark)]
    assert shades[0] != shades[1]
    light.click("#theme")
    assert light.evaluate(ground) == shades[1]


def test_it_opens_on_the_first_finding_or_on_the_first_hand_that_was_dealt(report, look, tmp_path):
    assert look(report).page.locator("#here .code").all_inner_texts() == ["draw.deep.unused"]
    clean = look(written(tmp_path, "examples/evening.rgn")).page
    assert clean.inner_text("#where").startswith("Game 1, hand 1")
    assert clean.locator(".seat .card").count() > 0


def test_who_acted_stands_out_and_who_is_next_is_said(report, look):
    page = look(report, "#log=1&hand=1&turn=3").page
    assert page.locator(".seat.acted .who b").inner_text().startswith("Cy")
    assert page.locator(".seat", has_text="next").locator(".who b").inner_text().startswith("Ann")


def test_cards_at_fault_are_red_in_the_line_and_on_the_table(report, look):
    page = look(report, "#log=1&hand=1&turn=5").page
    assert set(page.locator("#said .fault").all_inner_texts()) == {"K\u2666\ufe0e", "2\u2666\ufe0e"}
    assert page.locator("#table .card.fault").count() == 2
    assert "10\u2663" in look(report, "#log=1&hand=1&turn=4").page.inner_text("#here .what")


def test_the_page_says_what_is_played_and_has_its_rulebook(report, look):
    page = look(report, "#log=1&hand=1").page
    assert "500 Rummy" in page.inner_text("#about")
    assert "2026-11-06" in page.inner_text("#about")
    page.click("#about a.booklet")
    assert page.locator("#booklet-1").evaluate("one => one.open")
    assert "going out" in page.inner_text("#booklet-1").lower()


def test_the_best_turn_stands_beside_a_finding(report, look):
    assert "Best turn here" in look(report, "#log=1&hand=1&turn=3").page.inner_text("#here")


def test_the_sheet_and_the_chart_lead_to_hands_and_turns(report, look):
    at = look(report, "#log=2&hand=1")
    at.page.locator("#scores tbody tr").nth(3).click()
    assert at.place.startswith("#log=2&hand=4")
    chart = at.page.locator("#charts svg").first
    chart.click(position={"x": 42, "y": 60})
    assert at.place.startswith("#log=2&hand=4")
    assert "turn" not in at.place.replace("turn=1", "")


def test_the_index_has_violations_first_is_filtered_and_enter_opens_the_first_row(look, tmp_path):
    at = look(written(tmp_path, "examples/evening.rgn", "examples/disputed.rgn"))
    assert at.page.locator("#index tbody th").all_inner_texts() == ["disputed.rgn", "evening.rgn"]
    at.page.select_option("#verdicts", "clean")
    assert at.page.locator("#index tbody tr:visible").count() == 1
    at.page.focus("#search")
    at.press("Enter")
    at.page.wait_for_function("() => location.hash.startsWith('#log=1')")


def test_shortcuts_of_one_letter_can_be_switched_off(report, look):
    at = look(report, "#log=1&hand=1&turn=1")
    at.page.click(".keys summary")
    at.page.uncheck("#letters")
    at.page.locator("#main").focus()
    at.press("n")
    assert at.place == "#log=1&hand=1&turn=1"
    at.press("ArrowRight")
    assert at.place == "#log=1&hand=1&turn=2"


def test_on_a_phone_the_reason_stands_by_the_buttons_and_new_cards_above_them(report, look):
    at = look(
        report,
        "#log=1&hand=1&turn=1",
        viewport={"width": 360, "height": 640},
        is_mobile=True,
        has_touch=True,
    )
    page = at.page
    assert page.is_hidden("#reason")
    page.click("#next")
    assert "neither melded" in page.inner_text("#reason")
    at.open("#log=2&hand=2&turn=1")
    for _ in range(30):
        page.click("#forward")
        floor = page.locator(".controls").bounding_box()["y"]
        new = page.locator("#table .card.new").evaluate_all(
            "cards => cards.map((card) => card.parentNode.getBoundingClientRect().bottom)"
        )
        assert max(new, default=0) <= floor


def test_long_names_are_no_wider_than_a_phone(look, tmp_path):
    log = tmp_path / "long.rgn"
    name = "Maximiliane" * 20
    log.write_text(HOSTILE.replace('Players "', f'Players "{name}, '), encoding="utf-8")
    page = look(written(tmp_path, log), viewport={"width": 360, "height": 640}).page
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_on_a_phone_nothing_is_wider_than_the_screen(report, look):
    for link in ("#log=1&hand=1&turn=3", "#log=2&hand=3&turn=20"):
        page = look(
            report, link, viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True
        ).page
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        for button in ("#forward", "#back", "#next"):
            box = page.locator(button).bounding_box()
            assert min(box["width"], box["height"]) >= 24
            assert box["y"] + box["height"] <= 740


def test_without_scripts_the_report_is_a_list(report, look):
    page = look(report, java_script_enabled=False).page
    assert page.is_hidden("#viewer")
    text = page.inner_text("#reading")
    assert "draw.deep.unused" in text
    assert "3. Cy: take 6c; discard Tc" in text
    assert "Legal here" in text
    page.goto(f"{report.as_uri()}#log=2&hand=3")
    assert page.locator("[id='log=2&hand=3']").is_visible()


def test_on_paper_the_whole_log_is_there(report, look):
    page = look(report, "#log=1&hand=1&turn=3").page
    page.emulate_media(media="print")
    assert page.is_hidden(".controls")
    assert page.locator("[id='log=1']").is_visible()
    assert page.locator("[id='log=2']").is_hidden()
    assert page.is_hidden("#here")
    assert page.is_hidden("#scores")
    parts = page.locator("[id='log=1'] > *").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect())"
    )
    boxes = sorted((one["top"], one["bottom"]) for one in parts if one["height"])
    assert all(upper[1] <= lower[0] for upper, lower in itertools.pairwise(boxes))


def test_a_log_that_cannot_be_played_still_says_what_is_wrong(look, tmp_path):
    log = tmp_path / "no.rgn"
    log.write_text(
        '[Rules "no-such-game"]\n[Players "A, B"]\nhand 1\n1. A: draw; discard 2c\n',
        encoding="utf-8",
    )
    nothing = tmp_path / "nothing.rgn"
    nothing.write_text("", encoding="utf-8")
    at = look(written(tmp_path, log, nothing))
    assert "log.name" in at.page.inner_text("main")
    at.press("n", "ArrowRight", "ArrowRight", "ArrowLeft", "n")
    at.open("#log=2")
    assert "log.syntax" in at.page.inner_text("main")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.skipif(AXE is None, reason="MELDREF_AXE does not say where axe.min.js is")
def test_axe_finds_no_serious_fault(report, look, scheme):
    at = look(report, "#log=1&hand=1&turn=3", color_scheme=scheme)
    at.page.click("#others summary")
    at.page.click(".keys summary")
    # The page's policy lets nobody add a script; axe is evaluated by the browser's own tools.
    at.page.evaluate(Path(AXE).read_text(encoding="utf-8") + "\n;0")
    found = at.page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    told = {
        one["id"]: [
            node["html"][:200] + " " + node["failureSummary"][:300] for node in one["nodes"]
        ][:3]
        for one in found
    }
    assert told == {}
