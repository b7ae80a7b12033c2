"""Reports for programs: the keys of the documented format, and nothing that cannot be printed."""

from __future__ import annotations

import json

from cli_logs import BAD
from meldref.core.diagnostics import Finding, Origin, Span
from meldref.replay.result import LogReport, Open, Scores
from meldref.report.json import finding_data, log_text
from meldref.report.tally import Audited

FINDING = Finding(
    "draw.deep.unused",
    "the card … was not melded",
    Span(14, 8, 15),
    file="friday.rgn",
    game=1,
    hand=1,
    turn=3,
    player="Cy",
    rule=Origin("draw.deep.must", "be_used", "500-rummy.yaml", 31),
    clauses=("P-DRAW-05",),
    help=("meld 4c 4d 4h", "lay 4h m1"),
)
REPORT = LogReport(
    "friday.rgn",
    1,
    2,
    31,
    [FINDING],
    [Scores(1, 1, {"Ann": 45}, {"Ann": 45}), Scores(1, 2, None, None)],
    [Open(20, "the score of Bob", 1, 2)],
)


def test_a_finding_has_the_documented_keys():
    assert finding_data(FINDING, "friday.rgn") == {
        "code": "draw.deep.unused",
        "severity": "error",
        "message": "the card … was not melded",
        "line": 14,
        "column": 8,
        "end_column": 15,
        "game": 1,
        "hand": 1,
        "turn": 3,
        "player": "Cy",
        "rule": {"key": "draw.deep.must", "value": "be_used", "file": "500-rummy.yaml", "line": 31},
        "clauses": ["P-DRAW-05"],
        "help": ["meld 4c 4d 4h", "lay 4h m1"],
    }


def test_what_is_not_there_is_null():
    data = finding_data(Finding("log.syntax", "x", Span(1), file="a.rgn"), "logs/a.rgn")
    assert (data["rule"], data["turn"], data["player"]) == (None, None, None)
    assert "file" not in data


def test_a_finding_in_another_file_names_it():
    assert (
        finding_data(Finding("rules.key", "x", Span(7), file="house.yaml"), "a.rgn")["file"]
        == "house.yaml"
    )


def test_notes_are_there_where_there_are_any():
    assert finding_data(Finding("log.assert", "x", Span(1), notes=("asserted: 3",)))["notes"] == [
        "asserted: 3"
    ]


def test_a_log_has_the_documented_keys():
    data = json.loads("".join(log_text(Audited(REPORT))))
    assert list(data) == [
        "path",
        "verdict",
        "games",
        "hands",
        "turns",
        "findings",
        "scores",
        "open",
    ]
    assert (data["path"], data["verdict"], data["hands"], data["turns"]) == (
        "friday.rgn",
        "violations",
        2,
        31,
    )
    assert data["scores"] == [
        {"game": 1, "hand": 1, "recorded": {"Ann": 45}, "computed": {"Ann": 45}},
        {"game": 1, "hand": 2, "recorded": None, "computed": None},
    ]
    assert data["open"] == [{"line": 20, "what": "the score of Bob", "game": 1, "hand": 2}]


def test_findings_that_were_not_kept_are_counted():
    assert json.loads("".join(log_text(Audited(REPORT, hidden=7))))["more"] == 7


def test_an_audit_without_logs_is_json(meldref, tmp_path):
    data = meldref("audit", tmp_path, "--format", "json").data
    assert data["version"] == 1
    assert data["logs"] == []
    assert data["summary"] == {
        "logs": 0,
        "clean": 0,
        "violations": 0,
        "undecided": 0,
        "unreadable": 0,
    }


def test_json_lines_are_a_line_a_finding_and_the_summary(meldref, log):
    *findings, last = meldref("audit", log(BAD), "--format", "jsonl").lines
    assert [json.loads(line)["path"] for line in findings] == ["friday.rgn"]
    assert json.loads(findings[0])["code"] == "discard.taken-top"
    assert json.loads(last) == {
        "summary": {"logs": 1, "clean": 0, "violations": 1, "undecided": 0, "unreadable": 0}
    }
    assert all(line.isascii() for line in findings)
