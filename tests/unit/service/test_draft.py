"""A log that is being written is judged from the hand that was changed, at once however long it is."""

from __future__ import annotations

from time import process_time

import pytest

from meldref import LogSource, Seats, Service, audit_text, load_ruleset, log_lines, play_hands
from meldref_service import BadQuestion
from meldref_service.session import MOST_SESSIONS

SETTINGS = ("game.target=100000",)
HANDS = 50


@pytest.fixture(scope="module")
def long_log():
    """A game of fifty hands."""
    ruleset, _ = load_ruleset("500-rummy", (), SETTINGS)
    seats = Seats.of(["greedy", "greedy", "random"])
    hands = play_hands(ruleset, seats, seed=3, hands=HANDS)
    return "".join(log_lines(hands, LogSource("500-rummy", settings=SETTINGS), seats))


def turns(log):
    """The numbers of its lines with turns, from 0."""
    return [place for place, line in enumerate(log.split("\n")) if line[:1].isdigit()]


def changed(log, place, text):
    lines = log.split("\n")
    lines[place] += text
    return "\n".join(lines)


def finished(service, told):
    while not told["done"]:
        told = service.ask("draft")
    return told


def judged_in(service, log, place, text):
    """How many seconds of work it takes until the hand of a changed line is judged."""
    finished(service, service.ask("draft", log=log))
    began = process_time()
    told = service.ask("draft", log=changed(log, place, text))
    seconds = process_time() - began
    assert told["done"] or told["judged"] > place
    return seconds


@pytest.mark.timed
@pytest.mark.parametrize("part", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("text", [" # here", "; discard"])
def test_a_changed_line_is_judged_in_less_than_twenty_milliseconds(long_log, part, text):
    service = Service()
    places = turns(long_log)
    place = places[int(part * len(places))]
    assert min(judged_in(service, long_log, place, text) for _ in range(7)) < 0.02


def test_the_hand_of_the_changed_line_is_judged_first_and_the_rest_as_by_an_audit(long_log):
    service = Service()
    finished(service, service.ask("draft", log=long_log))
    place = turns(long_log)[700]
    log = changed(long_log, place, "; discard Zz")
    first = service.ask("draft", log=log)
    assert place < first["judged"] < place + 100
    assert place + 1 in {mark["line"] for mark in first["marks"]}
    whole = finished(service, first)
    report = audit_text(log)
    found = [(one["code"], one["line"]) for one in whole["findings"]]
    assert found[0] == (report.findings[0].code, place + 1)
    assert (whole["hands"], whole["turns"]) == (HANDS, report.turns)


def test_a_draft_stands_where_the_log_stands(long_log):
    service = Service()
    finished(service, service.ask("draft", log=long_log))
    for place in turns(long_log)[::400]:
        in_draft = service.ask("position", line=place + 1)
        assert in_draft == service.ask("position", log=long_log, line=place + 1)
        assert in_draft["verdict"] == "position"


@pytest.mark.parametrize("others", [0, MOST_SESSIONS - 1, MOST_SESSIONS])
def test_a_draft_that_is_not_kept_any_more_is_no_empty_log(others):
    service = Service()
    log = '[Rules "500-rummy"]\n[Players "Ann, Bob"]\nhand 1 dealer Bob\nup 6c\n1. Ann: draw ?\n'
    told = finished(service, service.ask("draft", "one", log=log))
    for number in range(others):
        service.ask("draft", f"other {number}", log=log)
    if others < MOST_SESSIONS:
        assert service.ask("draft", "one")["findings"] == told["findings"]
    else:
        with pytest.raises(BadQuestion, match=rf"\b{MOST_SESSIONS} sessions"):
            service.ask("draft", "one")
        assert finished(service, service.ask("draft", "one", log=log)) == told


def test_whoever_goes_on_before_a_draft_is_given_is_told_so_and_an_empty_one_is_a_draft():
    service = Service()
    with pytest.raises(BadQuestion):
        service.ask("draft")
    assert (
        service.ask("draft", log="")["verdict"] == service.ask("draft")["verdict"] == "unreadable"
    )


def test_sessions_do_not_see_each_other():
    service = Service()
    log = '[Rules "500-rummy"]\n[Players "Ann, Bob"]\nhand 1 dealer Bob\nup 6c\n'
    service.ask("draft", "one", log=log)
    assert service.ask("position", "two")["verdict"] == "unusable"
    assert service.ask("position", "one")["to_move"] == "Ann"
