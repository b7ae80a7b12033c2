"""`meldref audit`: findings, verdicts and exit statuses, whatever the files are like."""

from __future__ import annotations

import json
import os
import pickle
import re
from pathlib import Path

import pytest

from cli_logs import BAD, LOG
from meldref.notation.hopeful import HOPELESS
from meldref.rulefiles import shelf
from meldref_archive import audit as archive_audit
from meldref_archive import auditing, workers
from meldref_archive.auditing import Task, audit_log
from meldref_cli.ruleset_args import RulesetRequest

NOTHING_ASKED = RulesetRequest(None, (), ())
UNKNOWN = '[Rules "500-rummy"]\n[Players "Ann, Bob"]\nhand 1\nend out Ann\nscore Ann 5, Bob -3\n'


def test_a_clean_log_is_said_to_be_clean(meldref, log):
    ran = meldref("audit", log())
    assert (ran.code, ran.out, ran.err) == (0, "friday.rgn: clean (1 hand, 3 turns)\n", "")


def test_a_violation_is_shown_at_its_place(meldref, bad_log):
    ran = meldref("audit", bad_log)
    assert ran.code == 1
    assert ran.lines[0].startswith("bad.rgn:13:18: illegal: ")
    assert ran.lines[0].endswith("[discard.taken-top]")
    assert ran.lines[2:4] == [
        "13 | 5. Ann: take 4s; discard 4s",
        "   |                  ^^^^^^^^^^",
    ]
    assert ran.lines[-1] == "bad.rgn: 1 violation (1 hand, 5 turns)"


def test_nothing_piped_has_escapes(meldref, bad_log):
    assert "\x1b" not in meldref("audit", bad_log).out


def test_exit_zero_turns_violations_into_success_and_nothing_else(meldref, bad_log):
    assert meldref("audit", "--exit-zero", bad_log).code == 0
    assert meldref("audit", "--exit-zero", bad_log, "nowhere.rgn").code == 2


def test_a_folder_stands_for_the_logs_below_it_in_order(meldref, log):
    for name in ("logs/b/2.rgn", "logs/a.rgn", "logs/b/1.rgn", "logs/notes.txt", "logs/.git/x.rgn"):
        log(name=name)
    ran = meldref("audit", "logs")
    names = [line.partition(":")[0] for line in ran.lines]
    assert names == [
        str(Path("logs") / "a.rgn"),
        *(str(Path("logs/b") / f"{n}.rgn") for n in (1, 2)),
        "3 logs",
    ]


def test_several_logs_have_a_summary(meldref, log, bad_log):
    ran = meldref("audit", log(), bad_log)
    assert ran.lines[-1] == "2 logs: 2 hands, 8 turns, 1 violation, 1 clean"


def test_a_log_named_twice_is_audited_once(meldref, log):
    assert len(meldref("audit", log(), "friday.rgn").lines) == 1


def test_a_missing_log_costs_the_others_nothing(meldref, log):
    ran = meldref("audit", "nowhere.rgn", log())
    assert ran.code == 2
    assert ran.err == "meldref: error: nowhere.rgn: no such file\n"
    assert "friday.rgn: clean (1 hand, 3 turns)" in ran.lines


def test_a_folder_without_logs_is_an_error(meldref, tmp_path):
    ran = meldref("audit", tmp_path)
    assert ran.code == 2
    assert "no *.rgn below this folder" in ran.err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_log_without_permission_is_an_error(meldref, log):
    Path(log()).chmod(0)
    ran = meldref("audit", "friday.rgn")
    assert ran.code == 2
    assert "permission denied" in ran.err


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe\x00\x01 bytes", b"hello\nworld\n", b"# only a remark\n"]
)
def test_a_file_that_is_no_log_is_unreadable(meldref, log, content):
    ran = meldref("audit", log(content))
    assert ran.code == 2
    assert ran.lines[-1] == "friday.rgn: unreadable"


def test_standard_input_is_a_log(meldref):
    ran = meldref("audit", "-", stdin=BAD)
    assert ran.code == 1
    assert ran.lines[0].startswith("-:13:18: illegal")


def test_crlf_and_a_byte_order_mark_are_nothing_special(meldref, log):
    assert meldref("audit", log(b"\xef\xbb\xbf" + LOG.replace("\n", "\r\n").encode())).code == 0


def test_what_cannot_be_decided_is_undecided_and_strict_minds(meldref, log):
    text = UNKNOWN.replace("hand 1\n", "hand 1\ngap\n").replace("Ann 5, ", "")
    ran = meldref("audit", log(text))
    assert ran.code == 0
    assert any(line.startswith("friday.rgn:6: undecided: the score of ") for line in ran.lines)
    assert ran.lines[-1] == "friday.rgn: undecided (1 hand, 0 turns)"
    assert meldref("audit", "--strict", "friday.rgn").code == 1
    assert meldref("audit", "--strict", "--exit-zero", "friday.rgn").code == 0


def test_quiet_is_a_line_a_violation(meldref, log, bad_log):
    ran = meldref("audit", "--quiet", log(), bad_log)
    assert len(ran.lines) == 1
    assert ran.lines[0].startswith("bad.rgn:13:18: ")


def test_verbose_shows_the_scores(meldref, log):
    ran = meldref("audit", "-v", log(UNKNOWN))
    assert "friday.rgn: game 1, hand 1: computed nothing; recorded Ann 5, Bob -3" in ran.lines


def test_json_is_one_object(meldref, log, bad_log):
    ran = meldref("audit", "--format", "json", log(), bad_log, "nowhere.rgn")
    assert ran.code == 2
    assert list(ran.data) == ["version", "meldref", "logs", "summary"]
    assert [one["verdict"] for one in ran.data["logs"]] == ["clean", "violations", "unreadable"]
    finding = ran.data["logs"][1]["findings"][0]
    assert (finding["code"], finding["line"], finding["player"]) == ("discard.taken-top", 13, "Ann")
    assert ran.data["summary"] == {
        "logs": 3,
        "clean": 1,
        "violations": 1,
        "undecided": 0,
        "unreadable": 1,
    }


def test_json_lines_end_with_the_summary(meldref, log, bad_log):
    ran = meldref("audit", "--format", "jsonl", bad_log, log())
    assert [json.loads(line).get("code") for line in ran.lines] == ["discard.taken-top", None]
    assert json.loads(ran.lines[-1])["summary"]["logs"] == 2


def test_rules_options_and_settings_go_over_the_log(meldref, log, bad_log):
    assert meldref("audit", bad_log, "--set", "discard.taken_top=allowed").code == 0
    assert meldref("audit", bad_log, "--rules", "gilfoy-500-rummy").code == 1
    with_it = log(Path(bad_log).read_text().replace("take 4s; discard 4s", "take 4s; discard 9s"))
    assert meldref("audit", with_it).code == 0
    assert "draw.top.unused" in meldref("audit", with_it, "--with", "meld-taken-card").out


def test_a_rules_file_on_the_command_line_is_told_from_here(meldref, log):
    log("id: mine\nname: Mine\nextends: [500-rummy]\ndiscard: {taken_top: allowed}\n", "mine.yaml")
    log(BAD, "logs/bad.rgn")
    assert meldref("audit", "logs/bad.rgn", "--rules", "mine.yaml").code == 0
    assert meldref("audit", "logs/bad.rgn", "--rules", "./mine.yaml").code == 0


def test_a_rules_file_in_a_log_is_told_from_beside_the_log(meldref, log):
    log(
        "id: mine\nname: Mine\nextends: [500-rummy]\ndiscard: {taken_top: allowed}\n",
        "logs/mine.yaml",
    )
    log(BAD.replace('"500-rummy"', '"mine.yaml"'), "logs/bad.rgn")
    assert meldref("audit", "logs/bad.rgn").code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("--rules", "500-rumy"),
            "--rules 500-rumy: there is no ruleset or option 500-rumy; did you mean 500-rummy?",
        ),
        (("--rules", "no.yaml"), "--rules no.yaml: there is no file no.yaml"),
        (
            ("--with", "floatin"),
            "--with floatin: there is no ruleset or option floatin; did you mean floating?",
        ),
        (("--set", "game.target"), "--set game.target: a setting is written KEY=VALUE"),
        (("--set", "game.tarjet=3"), "there is no key game.tarjet; did you mean game.target?"),
        (("--set", "game.target=many"), "--set game.target=many: "),
        (("--format", "xml"), "--format"),
        (("--jobs", "-1"), "--jobs"),
        (("--nonsense",), "no such option: --nonsense"),
    ],
)
def test_wrong_options_are_told_by_name(meldref, log, arguments, said):
    ran = meldref("audit", log(), *arguments)
    assert ran.code == 2
    assert ran.err.startswith("meldref: error: ")
    assert said in ran.err
    assert ran.out == ""


def test_without_logs_there_is_nothing_to_do(meldref):
    ran = meldref("audit")
    assert ran.code == 2
    assert ran.err.startswith("meldref: error: missing argument")


def test_expected_violations_pass_where_they_occur_and_only_there(meldref, log, bad_log):
    text = Path(bad_log).read_text()
    expected = log(text.rstrip("\n") + " ?! discard\n")
    assert meldref("audit", expected).code == 1
    assert meldref("audit", "--expect", expected).code == 0
    missing = log(text.replace("discard 9h", "discard 9h ?! draw.deep.unused"))
    ran = meldref("audit", "--expect", missing)
    assert ran.code == 1
    assert {match[1] for match in re.finditer(r"\[([a-z.-]+)\]$", ran.out, re.MULTILINE)} == {
        "log.assert",
        "discard.taken-top",
    }


@pytest.mark.sweep
def test_workers_report_the_same_in_the_same_order(meldref, log, bad_log):
    names = [log(name=f"{number}.rgn") for number in range(5)]
    arguments = ("audit", *names[:3], bad_log, *names[3:], "nowhere.rgn")
    alone, together = meldref(*arguments, "--jobs", 1), meldref(*arguments, "--jobs", 2)
    assert alone == together


@pytest.mark.parametrize("format_", ["text", "json"])
@pytest.mark.sweep(every=2)
def test_many_logs_are_shared_among_the_cores_unasked_with_the_same_bytes(
    meldref, log, bad_log, monkeypatch, format_
):
    arguments = ("audit", log(), bad_log, "nowhere.rgn", "--format", format_)
    alone = meldref(*arguments, "--jobs", 1)
    started = []
    monkeypatch.setattr(workers.Worker, "_begin", _counting(workers.Worker._begin, started))
    assert meldref(*arguments) == alone
    assert not started
    monkeypatch.setattr(archive_audit, "_WORTH_A_PROCESS", 1)
    monkeypatch.setattr(archive_audit, "available_cores", lambda: 2)
    assert meldref(*arguments) == alone
    assert len(started) == 2


def _counting(start, started):
    def counted(worker, method):
        started.append(worker)
        return start(worker, method)

    return counted


@pytest.mark.parametrize(
    ("sizes", "jobs", "processes"),
    [
        ([], None, 1),
        ([10_000] * 20, None, 1),
        ([1_000_000], None, 1),
        ([1_000_000, 10_000, 10_000], None, 1),
        ([3_000_000], None, 2),
        ([10_000_000, 10_000, 10_000], None, 4),
        ([10_000_000], 2, 2),
        ([100_000], 2, 1),
        ([100_000] * 20, None, 1),
        ([100_000] * 40, None, 2),
        ([100_000] * 500, None, 4),
        ([100_000] * 500, 1, 1),
        ([10_000] * 20, 0, 4),
        ([10_000] * 20, 3, 3),
        ([10_000] * 2, 3, 2),
        ([10_000] * 200, 99, 16),
    ],
)
def test_further_processes_are_started_for_logs_that_are_worth_it_or_when_asked_for(
    sizes, jobs, processes
):
    assert archive_audit.number_of_processes(sizes, jobs, cores=4) == processes


def test_a_large_log_that_is_not_split_keeps_one_process_busy():
    assert archive_audit.number_of_processes([10_000_000], None, cores=4, splits=False) == 1
    assert archive_audit.number_of_processes([10_000_000], 3, cores=4, splits=False) == 1


def test_a_fault_of_ours_in_one_log_is_told_and_the_others_go_on(meldref, log, monkeypatch):
    real = auditing.read_lines

    def faulty(lines):
        for read in real(lines):
            if "Cy" in read[0].text:
                raise ZeroDivisionError("by\nzero")
            yield read

    monkeypatch.setattr(auditing, "read_lines", faulty)
    log("Cy\n", "odd.rgn")
    ran = meldref("audit", "odd.rgn", log())
    assert ran.code == 3
    assert ran.err.startswith("meldref: internal error: odd.rgn: ZeroDivisionError: by\n")
    assert "Traceback" not in ran.err
    assert "friday.rgn: clean (1 hand, 3 turns)" in ran.lines
    assert "Traceback" in meldref("audit", "odd.rgn", "--verbose").err


def test_findings_beyond_the_limit_are_counted_and_let_go(log, bad_log):
    text = Path(bad_log).read_text() + "oops\n" * 9000
    outcome = audit_log(Task(log(text), NOTHING_ASKED, keep=10))
    audited = outcome.audited
    assert len(audited.report.findings) == 10
    assert len(audited.report.findings) + audited.hidden == 9001
    assert audited.errors == 9001


def test_an_error_among_the_findings_let_go_decides_the_verdict(log):
    warnings = "".join(f'[Odd{number} "x"]\n' for number in range(30))
    outcome = audit_log(Task(log(warnings + BAD), NOTHING_ASKED, keep=5))
    assert outcome.audited.report.verdict == "violations"
    assert outcome.audited.errors == 1


def test_a_large_file_that_is_no_log_is_given_up(log):
    outcome = audit_log(Task(log("lorem ipsum dolor\n" * 5000), NOTHING_ASKED))
    assert outcome.audited.gave_up == HOPELESS
    assert outcome.audited.report.verdict == "unreadable"


@pytest.mark.sweep
def test_scores_are_kept_only_where_they_are_wanted(log):
    hands = "".join(f"hand {n}\nend out Ann\nscore Ann 1, Bob -1\n" for n in range(1, 1500))
    text = f'[Rules "500-rummy"]\n[Players "Ann, Bob"]\n{hands}'
    assert len(audit_log(Task(log(text), NOTHING_ASKED)).audited.report.scores) == 1
    audited = audit_log(Task("friday.rgn", NOTHING_ASKED, scores=True)).audited
    assert [scores.hand for scores in audited.scores] == list(range(1, 1500))
    assert len(audited.report.scores) < 1000
    sent = pickle.loads(pickle.dumps(audited))  # noqa: S301  as a worker sends it
    assert [scores.hand for scores in sent.scores] == list(range(1, 1500))


def test_progress_is_told_in_characters(log):
    steps: list[int] = []
    audit_log(Task(log(), NOTHING_ASKED), steps.append)
    assert sum(steps) == Path("friday.rgn").stat().st_size


def test_a_size_that_cannot_be_told_is_nothing(tmp_path):
    assert Task(str(tmp_path / "nowhere"), NOTHING_ASKED).size == 0


@pytest.mark.parametrize("command", ["audit", "report"])
@pytest.mark.sweep
def test_a_log_that_is_over_a_limit_costs_the_others_nothing(meldref, log, command):
    log(LOG + LOG[LOG.index("hand 1") :] * 40_000, "long.rgn")
    ran = meldref(command, log(BAD, "bad.rgn"), "long.rgn", log(), "--limit-time", 1)
    assert ran.code == 2
    assert ran.err == "meldref: error: long.rgn: it was not audited within 1 second\n"
    assert "discard.taken-top" in ran.out
    assert "clean" in ran.out


@pytest.mark.sweep
def test_limits_and_workers_go_for_standard_input_too(meldref, log):
    assert "clean (1 hand, 3 turns)" in meldref("audit", "-", "--limit-time", 60, stdin=LOG).out
    ran = meldref("audit", "-", log(BAD), "-j", 2, "--format", "json", stdin=LOG)
    assert [one["path"] for one in ran.data["logs"]] == ["-", "friday.rgn"]
    assert [one["verdict"] for one in ran.data["logs"]] == ["clean", "violations"]


@pytest.mark.parametrize("command", ["audit", "report"])
@pytest.mark.sweep(every=2)
def test_a_limit_of_memory_is_kept_by_a_process_of_its_own(meldref, log, command):
    pytest.importorskip("resource")
    assert meldref(command, log(), "--limit-memory", "256M").code == 0
    ran = meldref(command, log(), "--limit-memory", "much")
    assert (ran.code, "is written as 512M or 2G" in ran.err) == (2, True)


def test_logs_audited_together_share_their_rulesets(meldref, log, monkeypatch):
    loaded: list[str] = []
    real = shelf.load_ruleset

    def load(name, *rest):
        loaded.append(name)
        return real(name, *rest)

    monkeypatch.setattr(shelf, "load_ruleset", load)
    meldref("audit", *[log(name=f"{number}.rgn") for number in range(4)])
    assert loaded == ["500-rummy"]


def test_a_game_with_more_headers_than_anybody_writes_is_not_judged(meldref, log):
    head = '[X-Table "1"]\n' * 990
    assert meldref("audit", log(head + LOG)).code == 0
    ran = meldref("audit", log(head * 2 + LOG))
    assert ran.code == 2
    assert ran.lines[0].startswith("friday.rgn:1001:1: error: a game has at most 1,000 headers")


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "sarif", "junit"])
def test_a_report_can_be_written_into_a_file(meldref, bad_log, tmp_path, form):
    out = str(tmp_path / "audit.out")
    shown = meldref("audit", bad_log, "--format", form)
    ran = meldref("audit", bad_log, "--format", form, "-o", out)
    assert (ran.code, ran.out) == (shown.code, "")
    assert Path(out).read_text(encoding="utf-8") == shown.out
    assert f"{out}: written" in ran.err
    assert meldref("audit", bad_log, "-o", out).code == shown.code
    Path(out).write_text("my own notes\n", encoding="utf-8")
    again = meldref("audit", bad_log, "-o", out)
    assert again.code == 2
    assert "--force" in again.err
    assert meldref("audit", bad_log, "-o", out, "--force").code == shown.code


def test_a_file_for_a_report_and_a_folder_for_tables_are_not_given_both(meldref, bad_log, tmp_path):
    out, tables = str(tmp_path / "audit.out"), str(tmp_path / "tables")
    assert meldref("audit", bad_log, "--into", tables, "-o", out).code == 2
    assert not Path(out).exists()


@pytest.mark.parametrize(("limit", "code"), [("nan", 2), ("inf", 0), ("1e999", 0), ("1e30", 0)])
@pytest.mark.sweep(every=2)
def test_a_limit_that_no_system_can_wait_for_is_none_or_is_refused(meldref, log, limit, code):
    ran = meldref("audit", log(), "--limit-time", limit)
    assert ran.code == code
    assert ("give a number of seconds" in ran.err) == (code == 2)
