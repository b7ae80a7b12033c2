"""`meldref report`: the exit status is audit's, and the page is written whole or not at all."""

import html
import re

import pytest

from paths import ROOT

CLEAN = str(ROOT / "examples/evening.rgn")
WRONG = str(ROOT / "examples/disputed.rgn")


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "logs",
    [
        [CLEAN],
        [WRONG],
        [CLEAN, WRONG],
        [CLEAN, "nothing-there.rgn"],
        [CLEAN, "--rules", "no-such-game"],
        [WRONG, "--exit-zero"],
        [WRONG, "--strict", "--set", "draw.deep.must=nothing"],
        ["empty"],
    ],
)
@pytest.mark.sweep(every=4)
def test_the_exit_status_is_that_of_audit(meldref, here, logs):
    (here / "empty").mkdir()
    audited, reported = meldref("audit", *logs), meldref("report", *logs, "-o", "out.html")
    assert reported.code == audited.code
    if (
        "--rules" not in logs
    ):  # rules that are not there are no log's fault: nothing is written then
        assert (here / "out.html").read_text(encoding="utf-8").endswith("</html>\n")


def test_the_page_goes_to_standard_output_where_no_file_is_named(meldref):
    ran = meldref("report", CLEAN)
    assert ran.lines[0] == "<!DOCTYPE html>"
    assert ran.err == ""


def test_a_file_that_is_there_stays_unless_force_is_given(meldref, here):
    (here / "out.html").write_text("mine", encoding="utf-8")
    assert meldref("report", CLEAN, "-o", "out.html").code == 2
    assert (here / "out.html").read_text(encoding="utf-8") == "mine"
    assert meldref("report", CLEAN, "-o", "out.html", "--force").code == 0


def test_what_stands_for_no_log_is_said_in_the_page_too(meldref, here):
    (here / "empty").mkdir()
    meldref("report", CLEAN, "empty", "-o", "out.html")
    assert "no *.rgn below this folder" in (here / "out.html").read_text(encoding="utf-8")


def test_the_codes_that_audit_finds_are_in_the_page_as_loaded(meldref, here):
    found = meldref("audit", WRONG, "--format", "json").data["logs"][0]["findings"]
    meldref("report", WRONG, "-o", "out.html")
    listed = (
        (here / "out.html")
        .read_text(encoding="utf-8")
        .partition('<script type="application/json"')[0]
    )
    assert found
    for finding in found:
        assert f">{finding['code']}</code>" in listed


def shown(here):
    """What the page shows, without the data behind it, as text."""
    page = (here / "out.html").read_text(encoding="utf-8")
    return html.unescape(page.partition('<script type="application/json"')[0])


def test_the_command_that_explains_a_house_rule_in_the_page_is_one_that_works(meldref, here):
    (here / "friday.rgn").write_text(
        '[Rules "contract-rummy"]\n[Players "Ann, Bob, Cy"]\nhand 1 dealer Cy\n'
        "deal Ann 5h 5d 5c 9s 9d 9c Kh Kc 5s Jh\ndeal Bob ?*10\ndeal Cy ?*10\nup 4s\n"
        "1. Ann: draw Ks; meld 5h 5d 5c; meld 9s 9d 9c; meld Kh Kc Ks; discard Jh\n",
        encoding="utf-8",
    )
    meldref("report", "friday.rgn", "-o", "out.html")
    (command,) = {*re.findall(r"<code>meldref (explain house\.[^<]*)</code>", shown(here))}
    assert "contract-alone" in meldref(*command.split()).out


@pytest.mark.parametrize(
    ("rules", "goal"),
    [
        ("500-rummy", "To 500 points"),
        ("contract-rummy", "To 7 hands"),
        ("kalooki-40", "Until all but one have more than 150 points"),
    ],
)
def test_the_page_says_how_far_a_game_is_played(meldref, here, rules, goal):
    (here / "friday.rgn").write_text(
        f'[Rules "{rules}"]\n[Players "Ann, Bob, Cy"]\nhand 1 dealer Cy\nscore Ann 0, Bob 10, Cy 20\n',
        encoding="utf-8",
    )
    meldref("report", "friday.rgn", "-o", "out.html")
    facts = re.findall(r"<dt>([^<]*)</dt><dd>(?:<bdi>)?([^<]*)", shown(here))
    assert goal in [" ".join(fact) for fact in facts]


def test_violations_that_lines_expect_are_left_out(meldref, here):
    (here / "friday.rgn").write_text(
        '[Rules "500-rummy"]\n[Players "A, B"]\nhand 1\nup 6c\n1. A: take 6c; discard 6c ?! discard.taken-top\n',
        encoding="utf-8",
    )
    assert meldref("report", "friday.rgn", "-o", "a.html").code == 1
    assert meldref("report", "friday.rgn", "--expect", "-o", "b.html").code == 0


@pytest.mark.sweep
def test_the_page_is_the_same_for_any_number_of_jobs(meldref, here):
    names = [str(path) for path in sorted((ROOT / "examples").glob("*.rgn"))]
    one = meldref("report", *names)
    assert meldref("report", *names, "--jobs", 2).out == one.out


@pytest.mark.sweep
def test_a_thousand_hands_would_be_less_than_five_megabytes(meldref, here):
    assert meldref("simulate", "--hands", "60", "--players", "2", "-o", "sixty.rgn", "-q").code == 0
    assert meldref("report", "sixty.rgn", "-o", "out.html").code == 0
    fixed = len(meldref("report", CLEAN).out)
    assert (here / "out.html").stat().st_size - fixed < 60 * 4_700
