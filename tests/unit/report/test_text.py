"""Findings and audits in words: one layout for every message."""

from __future__ import annotations

from pathlib import Path

import pytest

from meldref.core.diagnostics import Finding, Follows, Origin, Repair, Severity, Span
from meldref.core.records import changed as replace
from meldref.replay.result import LogReport, Open, Scores
from meldref.report.style import Style
from meldref.report.tally import Audited, LogTally
from meldref.report.text import (
    finding_text,
    heading,
    log_text,
    notes_of,
    scores_text,
    shown_path,
    summary_text,
)

UNUSED = Finding(
    "draw.deep.unused",
    "the card taken from inside the pile was not melded",
    Span(14, 8, 15),
    file="friday.rgn",
    excerpt="3. Cy: take 4h; discard Td",
    game=1,
    hand=1,
    turn=3,
    player="Cy",
    rule=Origin("draw.deep.must", "be_used", "500-rummy.yaml", 31),
    notes=("4h lay under 3 cards, so it must be melded or laid off at once",),
    help=("meld 4c 4d 4h", "lay 4h m1"),
)
TWICE = Repair("twice", 12, "line 12 is written twice")
WARNING = Finding(
    "rules.sense", "too few cards", Span(7, 3, 8), Severity.WARNING, "house.yaml", "  packs: 1"
)


def report(*findings: Finding, **facts: object) -> LogReport:
    return LogReport("logs/friday.rgn", 1, 2, 31, list(findings), **facts)


def test_a_finding_has_the_layout_of_the_design():
    assert finding_text(UNUSED) == (
        "friday.rgn:14:8: illegal: the card taken from inside the pile was not melded [draw.deep.unused]\n"
        "   |\n"
        "14 | 3. Cy: take 4h; discard Td\n"
        "   |        ^^^^^^^\n"
        "   = 4h lay under 3 cards, so it must be melded or laid off at once\n"
        "   = rule: draw.deep.must = be_used   (500-rummy.yaml:31)\n"
        "   = legal here: meld 4c 4d 4h · lay 4h m1\n"
        "   = more: meldref explain draw.deep.unused"
    )


@pytest.mark.parametrize(
    ("code", "word"),
    [
        ("draw.deep.unused", "illegal"),
        ("setup.deal", "illegal"),
        ("log.assert", "wrong"),
        ("score.hand", "wrong"),
        ("game.winner", "wrong"),
        ("log.syntax", "error"),
        ("rules.key", "error"),
    ],
)
def test_the_verdict_says_whether_play_a_record_or_a_file_is_wrong(code: str, word: str):
    assert heading(replace(UNUSED, code=code)).startswith(f"friday.rgn:14:8: {word}: ")


def test_a_warning_is_called_one():
    assert heading(WARNING) == "house.yaml:7:3: warning: too few cards [rules.sense]"


def test_what_is_about_no_line_names_the_file_alone():
    assert (
        heading(Finding("log.syntax", "no game", Span(1), file="a.rgn"))
        == "a.rgn: error: no game [log.syntax]"
    )
    assert (
        heading(Finding("rules.key", "no key", Span(1), file="--set"))
        == "--set: error: no key [rules.key]"
    )
    assert heading(Finding("rules.key", "no key", Span(1))) == "error: no key [rules.key]"


def test_a_line_without_its_text_is_named_without_a_column():
    assert (
        heading(Finding("rules.sense", "odd", Span(7), file="a.yaml"))
        == "a.yaml:7: error: odd [rules.sense]"
    )


def test_the_rule_is_not_said_twice():
    rule = Origin("deck.jokers", "0", "house.yaml", 7)
    text = finding_text(replace(WARNING, rule=rule, notes=("deck.jokers = 0   (house.yaml:7)",)))
    assert text.count("deck.jokers") == 1


def test_advice_about_files_is_help_and_no_legal_move():
    assert "= help: say 7" in finding_text(replace(WARNING, help=("say 7",)))


def test_colours_change_nothing_else():
    painted = finding_text(UNUSED, style=Style(on=True))
    assert "\x1b[" in painted
    bare = painted
    for code in ("0", "1", "1;31", "2", "32", "33"):
        bare = bare.replace(f"\x1b[{code}m", "")
    assert bare == finding_text(UNUSED)


def test_a_clean_log_is_one_line():
    assert list(log_text(Audited(report()))) == ["logs/friday.rgn: clean (2 hands, 31 turns)"]


def test_findings_are_told_with_the_path_as_the_user_gave_it():
    lines = list(log_text(Audited(report(UNUSED))))
    assert lines[0].startswith("logs/friday.rgn:14:8: illegal: ")
    assert lines[-2:] == ["", "logs/friday.rgn: 1 violation (2 hands, 31 turns)"]


def test_where_to_read_more_is_said_once_for_each_code():
    text = "\n".join(
        log_text(Audited(report(UNUSED, UNUSED, replace(UNUSED, code="hand.missing"))))
    )
    assert text.count("meldref explain draw.deep.unused") == 1
    assert text.count("meldref explain hand.missing") == 1


def test_rules_files_beside_a_log_can_be_opened_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    Path("logs").mkdir()
    Path("logs/house.yaml").touch()
    text = "\n".join(log_text(Audited(report(WARNING))))
    assert text.startswith("logs/house.yaml:7:3: warning")
    assert "clean (2 hands, 31 turns, 1 warning)" in text


def test_quiet_is_a_line_for_each_violation():
    lines = list(log_text(Audited(report(UNUSED, WARNING)), quiet=True))
    assert lines == [heading(UNUSED, file="logs/friday.rgn")]


def test_what_is_undecided_is_listed():
    audited = Audited(report(open=[Open(20, "the score of Ann: cards are unknown")]))
    assert list(log_text(audited)) == [
        "logs/friday.rgn:20: undecided: the score of Ann: cards are unknown",
        "logs/friday.rgn: undecided (2 hands, 31 turns)",
    ]


def test_findings_that_were_not_kept_are_counted():
    audited = Audited(report(UNUSED), hidden=1200, hidden_errors=1100)
    lines = list(log_text(audited))
    assert "logs/friday.rgn: 1 finding shown, 1,200 more hidden" in lines
    assert lines[-1] == "logs/friday.rgn: 1,101 violations (2 hands, 31 turns, 100 warnings)"


def test_a_file_that_was_given_up_says_so():
    audited = Audited(report(UNUSED, readable=False), gave_up=1000)
    assert list(log_text(audited))[-2:] == [
        "logs/friday.rgn: none of the first 1,000 lines can be read; the rest was not tried",
        "logs/friday.rgn: unreadable",
    ]


def test_verbose_adds_every_hands_scores():
    scores = [Scores(1, 1, {"Ann": 5}, {"Ann": 5}), Scores(1, 2, None, {"Ann": -3, "Bob": 2})]
    lines = list(log_text(Audited(report(scores=scores)), verbose=True))
    assert lines[:2] == [
        "logs/friday.rgn: game 1, hand 1: Ann 5, as recorded",
        "logs/friday.rgn: game 1, hand 2: computed Ann -3, Bob 2; recorded nothing",
    ]


def test_scores_that_differ_stand_side_by_side():
    assert (
        scores_text(Scores(2, 3, {"Ann": 6}, {"Ann": 5}))
        == "game 2, hand 3: computed Ann 5; recorded Ann 6"
    )


def test_the_summary_counts_all_logs():
    tally = LogTally()
    for one in (
        report(),
        report(UNUSED, WARNING),
        report(open=[Open(1, "x")]),
        LogReport("x", readable=False),
    ):
        tally.add(Audited(one))
    assert summary_text(tally) == (
        "4 logs: 6 hands, 93 turns, 1 violation, 1 warning, 1 clean, 1 undecided, 1 unreadable"
    )
    assert tally.data() == {"logs": 4, "clean": 1, "violations": 1, "undecided": 1, "unreadable": 1}


def test_findings_of_an_unreadable_file_are_no_violations():
    tally = LogTally()
    tally.add(Audited(report(replace(UNUSED, code="log.syntax"), readable=False)))
    assert tally.errors == 0


def test_full_paths_below_the_current_folder_are_told_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    assert shown_path(str(tmp_path / "a" / "b.yaml")) == str(Path("a") / "b.yaml")
    assert shown_path(str(tmp_path.parent / "b.yaml")) == str(tmp_path.parent / "b.yaml")


@pytest.mark.parametrize(
    ("follows", "note"),
    [
        (0, "perhaps line 12 is written twice"),
        (1, "perhaps line 12 is written twice, which also explains 1 more finding"),
        (3, "perhaps line 12 is written twice, which also explains 3 more findings"),
    ],
)
def test_a_mistake_in_writing_is_named_with_how_much_else_it_explains(follows, note):
    repair = replace(TWICE, follows=(Follows(13, "log.turn", "not their turn"),) * follows)
    assert note in list(notes_of(replace(UNUSED, repair=repair)))
