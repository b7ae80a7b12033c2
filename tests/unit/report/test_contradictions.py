"""Lines that cannot all be true: where a finding about them stands, and how reports give the others."""

import json

import pytest

from meldref.report.examined import examined_log
from meldref.report.json import finding_data, log_text
from meldref.report.sarif import Sarif
from meldref.report.tally import Audited
from meldref.report.text import finding_text
from meldref_evidence.audit import audit_text

LOG = """[Rules "500-rummy"]
[Options "no-jokers"]
[Set "deal.cards=3"]
[Players "Ann, Bob, Cy"]
hand 1 dealer Cy
deal Ann As Ks Ad
deal Cy Ah Js Qs
up Ac
1. Ann: take Ac; meld As Ad Ac; discard Ks
end out Ann
score Ann 45, Bob -45, Cy -35
"""


@pytest.fixture(name="report")
def audited():
    report = audit_text(LOG)
    assert report.verdict == "violations"
    return report


def test_a_contradiction_stands_at_its_last_line_with_the_code_of_that_line(report):
    (finding,) = report.findings
    assert (finding.code, finding.span.line, finding.lines) == ("score.hand", 11, (9,))
    assert (finding.game, finding.hand, finding.turn) == (1, 1, None)
    assert report.open == []


def test_the_other_lines_are_in_every_report(report):
    (finding,) = report.findings
    assert "with line 9: these lines cannot all be true" in finding_text(finding)
    assert finding_data(finding)["lines"] == [9]
    assert json.loads("".join(log_text(Audited(report))))["findings"][0]["lines"] == [9]
    sarif = Sarif()
    text = sarif.opening() + "".join(sarif.results(examined_log(Audited(report))))
    (result,) = json.loads(text + "".join(sarif.closing(1)))["runs"][0]["results"]
    (place,) = result["relatedLocations"]
    assert place["physicalLocation"]["region"]["startLine"] == 9
    assert place["message"]["text"]


def test_a_score_that_every_deal_makes_right_is_not_open():
    unseen = "Kc Kd Kh Qc"
    named = "As Ks Ad Ah Js Qs Ac"
    deck = [f"{rank}{suit}" for rank in "A23456789TJQK" for suit in "cdhs"]
    stock = " ".join([card for card in deck if card not in f"{unseen} {named}".split()])
    log = LOG.replace("up Ac\n", f"up Ac\nstock {stock}\n")
    report = audit_text(log.replace("-45", "-30"))
    assert (report.verdict, report.open) == ("clean", [])
    assert [one.code for one in audit_text(log).findings] == ["score.hand"]


def test_a_total_that_says_alone_what_a_hand_scored_is_open_until_every_deal_agrees():
    report = audit_text(LOG.replace("score Ann 45, Bob -45", "total Ann 45, Bob -30"))
    assert report.verdict == "undecided"
    assert [(one.line, one.what) for one in report.open] == [
        (11, "the total of Bob: some of their cards are unknown")
    ]
    (finding,) = audit_text(LOG.replace("score Ann", "total Ann")).findings
    assert (finding.code, finding.span.line, finding.lines) == ("score.total", 11, (9,))


def test_of_a_hand_of_which_one_card_is_unknown_the_rest_is_said_to_be_too_much():
    log = """[Rules "500-rummy"]
[Options "no-jokers"]
[Set "deal.cards=2"]
[Players "Ann, Bob"]
hand 1 dealer Bob
deal Ann As Ad
deal Bob Kc ?
up Ac
stock Ah
1. Ann: take Ac; meld As Ad Ac
end out Ann
score Ann 45, Bob -25
"""
    (finding,) = audit_text(log).findings
    assert finding.message == (
        "Bob's 2 cards cost 25 points, 10 of them for 1 card that lines show; "
        "none of the 47 cards nobody saw is worth the rest"
    )


def test_a_hand_with_very_many_figures_is_weighed_in_bounded_work():
    lines = "".join(f"score Ann 45, Bob -{number % 40}\n" for number in range(3_000))
    report = audit_text(LOG.rpartition("score")[0] + lines)
    assert report.readable
