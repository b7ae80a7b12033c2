"""A file that is given is known by what is in it, and becomes a log."""

from __future__ import annotations

from meldref_service import Service
from paths import ROOT

DISPUTED = (ROOT / "examples" / "disputed.rgn").read_text("utf-8")
SERVICE = Service()


def take_in(name, text):
    return SERVICE.ask("take_in", name=name, text=text)


def test_a_log_stays_as_it_is():
    assert take_in("friday.txt", DISPUTED)["log"] == DISPUTED


def test_a_score_sheet_becomes_a_log_whose_scores_are_its_own():
    answer = take_in("friday.csv", "Ann,Bob,Cy\n45,-20,10\n60,115,5\n")
    assert answer["kind"] == "sheet"
    [game] = SERVICE.ask("score", log=answer["log"], rules="500-rummy")["games"]
    assert game["totals"] == [105, 95, 15]


def test_what_is_neither_is_refused_with_a_sentence():
    for name, text in (
        ("poem.txt", "the quick brown fox"),
        ("data.json", '{"text": "nothing here"}'),
    ):
        answer = take_in(name, text)
        assert answer["kind"] == "unreadable"
        assert answer["why"]


def test_nothing_is_no_file():
    assert take_in("empty.csv", "")["log"] is None
