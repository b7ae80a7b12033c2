"""Reports for other programs: GitHub's annotations, SARIF and JUnit, whatever the findings are made of."""

from __future__ import annotations

import json
import os
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft4Validator

from cli_logs import BAD, LOG
from meldref.core.diagnostics import Finding, Origin, Severity, Span
from meldref.replay.result import Open
from meldref.report.examined import Examined, FilePlace
from meldref.report.github import annotate, annotation
from meldref.report.junit import Junit
from meldref.report.sarif import Sarif, uri_of
from meldref.rules.pages import PAGES
from meldref_archive import auditing
from paths import TESTS

SCHEMA = Draft4Validator(
    json.loads((TESTS / "schemas" / "sarif-schema-2.1.0.json").read_text(encoding="utf-8"))
)
UNDECIDED = '[Rules "500-rummy"]\n[Players "Ann, Bob"]\nhand 1\ngap\nend out Ann\nscore Bob -3\n'
FORMATS = ("github", "sarif", "junit")
URI = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,;=@/-]|%[0-9A-F]{2})+")


def sarif_of(*examined, status=0, strict=False):
    """A whole SARIF file, which is valid."""
    report = Sarif(strict=strict)
    text = (
        report.opening()
        + "".join("".join(report.results(one)) for one in examined)
        + "".join(report.closing(status))
    )
    data = json.loads(text)
    SCHEMA.validate(data)
    return data["runs"][0]


def junit_of(*examined, strict=False):
    """The suite of a whole JUnit file, which has the attributes and elements of its schema and right counts."""
    report = Junit("meldref audit", strict=strict)
    for one in examined:
        report.results(one)
    return suite_of("".join(report.closing(0)))


def suite_of(text):
    assert text.isascii()
    root = ET.fromstring(text)  # noqa: S314  our own
    (suite,) = root
    assert (root.tag, suite.tag) == ("testsuites", "testsuite")
    assert (
        {"name", "tests", "failures", "errors"}
        == set(root.attrib)
        == set(suite.attrib) - {"skipped"}
    )
    inner = [one.tag for case in suite for one in case]
    assert all(
        case.tag == "testcase" and set(case.attrib) == {"name", "classname"} for case in suite
    )
    assert all(
        set(one.attrib) == {"type", "message"}
        for case in suite
        for one in case
        if one.tag != "system-out"
    )
    counts = [len(suite), inner.count("failure"), inner.count("error"), inner.count("skipped")]
    assert [int(suite.attrib[key]) for key in ("tests", "failures", "errors", "skipped")] == counts
    return suite


def commands(text):
    """GitHub's commands in a text, as its runner reads them: level, properties, message."""
    found = []
    for line in text.splitlines():
        if match := re.fullmatch(r"::(\w+)(?: ([^:]*))?::(.*)", line):
            pairs = dict(pair.split("=", 1) for pair in match[2].split(",")) if match[2] else {}
            found.append(
                (match[1], {key: unquote(value) for key, value in pairs.items()}, unquote(match[3]))
            )
    return found


texts = st.text(max_size=15)
findings = st.builds(
    Finding,
    st.sampled_from(list(PAGES)),
    texts,
    st.builds(Span, st.integers(1, 99), st.integers(1, 9), st.integers(1, 9)),
    st.sampled_from(Severity),
    st.sampled_from(["", "a.rgn", "rules/house.yaml"]),
    texts,
    st.integers(0, 2),
    st.integers(0, 2),
    st.none() | st.integers(1, 5),
    st.none() | texts,
    st.none() | st.builds(Origin, texts, texts, texts, st.integers(0, 9)),
    notes=st.lists(texts, max_size=2).map(tuple),
)
# Names that files can have: text, or bytes that are none.
paths = st.text(
    st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=10
) | (st.binary(min_size=1, max_size=10).filter(lambda name: 0 not in name).map(os.fsdecode))
examined = st.builds(
    Examined,
    paths,
    st.lists(findings, max_size=3).map(tuple),
    st.just("") | texts,
    st.lists(st.builds(Open, st.integers(1, 9), texts), max_size=2).map(tuple),
    st.integers(0, 2),
    usable=st.booleans(),
    fault=st.just("") | texts,
)


@pytest.mark.sweep
@given(st.lists(examined, max_size=3), st.booleans())
@settings(max_examples=40)
def test_whatever_is_found_sarif_is_valid(several, strict):
    run = sarif_of(*several, strict=strict)
    assert len(run["results"]) == sum(len(one.findings) + len(one.open) for one in several)
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(set(rules)) == len(rules)
    assert all(rules[one["ruleIndex"]] == one["ruleId"] for one in run["results"])
    for result in run["results"]:
        physical = result["locations"][0]["physicalLocation"]
        assert URI.fullmatch(physical["artifactLocation"]["uri"].removeprefix("file://"))
        region = physical.get("region", {})
        assert region.get("startColumn", 1) <= region.get("endColumn", 1)


@pytest.mark.sweep
@given(st.lists(examined, max_size=3), st.booleans())
@settings(max_examples=60)
def test_whatever_is_found_junit_can_be_parsed(several, strict):
    suite = junit_of(*several, strict=strict)
    assert len(suite) == len(several)


@given(st.sampled_from(["error", "warning", "notice"]), paths, texts, texts)
def test_whatever_is_said_github_reads_it_back(level, path, title, message):
    file = path.lstrip("-") or "x"
    written = annotation(level, file, FilePlace(3, 4, 5), title, message)
    assert "\n" not in written
    assert "\r" not in written
    level_, head, said = re.fullmatch(r"::(\w+) ([^:]*)::(.*)", written, re.DOTALL).groups()
    pairs = dict(pair.split("=", 1) for pair in head.split(","))

    def read(text):
        for code, character in (
            ("%0D", "\r"),
            ("%0A", "\n"),
            ("%3A", ":"),
            ("%2C", ","),
            ("%25", "%"),
        ):
            text = text.replace(code, character)
        return text

    assert (level_, read(said)) == (level, message)
    assert read(pairs["file"]) == Path(file).as_posix()
    assert read(pairs.get("title", "")) == title
    assert [pairs[key] for key in ("line", "col", "endColumn")] == ["3", "4", "5"]


def test_an_annotation_escapes_what_ends_it():
    written = annotation("error", "a,b:c%.rgn", FilePlace(1), "", "50%\r\nof it: all, or none")
    assert written == "::error file=a%2Cb%3Ac%25.rgn,line=1::50%25%0D%0Aof it: all, or none"


def test_warnings_notes_and_what_is_undecided_have_their_levels():
    warning = Finding(
        "log.name", "odd", Span(2, 1, 4), Severity.WARNING, excerpt="[X]", notes=("a fact",)
    )
    one = Examined("a.rgn", (warning,), open=(Open(7, "the score of Bob"),), hidden=3)
    assert [command[0] for command in commands("\n".join(annotate(one)))] == [
        "warning",
        "notice",
        "notice",
    ]
    assert commands("\n".join(annotate(one)))[0][2] == "odd\na fact"
    assert [command[0] for command in commands("\n".join(annotate(one, strict=True)))][1] == "error"
    assert list(annotate(one, quiet=True)) == []


def test_a_finding_in_another_file_is_placed_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "house.yaml").write_text("id: x\n")
    one = Examined(
        "logs/a.rgn",
        (Finding("rules.key", "no key", Span(2, 1, 4), file="house.yaml", excerpt="x: y"),),
    )
    assert commands("\n".join(annotate(one)))[0][1]["file"] == "logs/house.yaml"
    uri = sarif_of(one)["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "logs/house.yaml"


@pytest.mark.parametrize(
    ("name", "uri"),
    [
        ("a b.rgn", "a%20b.rgn"),
        ("Zoë/#1 50%.rgn", "Zo%C3%AB/%231%2050%25.rgn"),
        ("c:d?.rgn", "c%3Ad%3F.rgn"),
        ("../x.rgn", "../x.rgn"),
        ("/logs/a b.rgn", "file:///logs/a%20b.rgn"),
        ("bad\udcff.rgn", "bad%FF.rgn"),
    ],
)
def test_a_name_is_a_uri(name, uri):
    assert uri_of(name) == uri


def test_sarif_says_how_to_count_columns_how_the_run_ended_and_what_each_rule_means(
    meldref, log, bad_log
):
    ran = meldref("audit", "--format", "sarif", log(), bad_log, "nowhere.rgn")
    SCHEMA.validate(ran.data)
    run = ran.data["runs"][0]
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["invocations"] == [{"executionSuccessful": False, "exitCode": ran.code}]
    first = run["results"][0]
    assert first["locations"][0]["physicalLocation"]["region"] == {
        "startLine": 13,
        "startColumn": 18,
        "endColumn": 28,
    }
    assert (first["ruleId"], first["level"], first["properties"]["player"]) == (
        "discard.taken-top",
        "error",
        "Ann",
    )
    rule = run["tool"]["driver"]["rules"][0]
    assert rule["help"]["text"].startswith(rule["fullDescription"]["text"])
    assert "helpUri" not in rule
    assert meldref("audit", "--format", "sarif", "--exit-zero", bad_log).data["runs"][0][
        "invocations"
    ] == [{"executionSuccessful": True, "exitCode": 0}]


def test_the_description_of_a_house_rule_is_its_sentence():
    finding = Finding("house.kings", "No king is thrown.", Span(2, 1, 4))
    (rule,) = sarif_of(Examined("a.rgn", (finding,)))["tool"]["driver"]["rules"]
    assert (rule["id"], rule["fullDescription"]["text"]) == ("house.kings", "No king is thrown.")


def test_what_is_undecided_is_open_in_sarif_and_skipped_in_junit_unless_it_counts(meldref, log):
    name = log(UNDECIDED)
    result = meldref("audit", "--format", "sarif", name).data["runs"][0]["results"][0]
    assert (result["kind"], result["level"], result["ruleId"]) == ("open", "none", "undecided")
    result = meldref("audit", "--format", "sarif", "--strict", name).data["runs"][0]["results"][0]
    assert (result["kind"], result["level"]) == ("fail", "error")
    (case,) = suite_of(meldref("audit", "--format", "junit", name).out)
    assert [one.tag for one in case] == ["skipped"]
    (case,) = suite_of(meldref("audit", "--format", "junit", "--strict", name).out)
    assert [one.tag for one in case] == ["failure"]


def test_junit_has_a_test_case_a_log_and_the_findings_as_text(meldref, log, bad_log):
    ran = meldref("audit", "--format", "junit", log(), bad_log, "nowhere.rgn", "empty")
    assert ran.code == 2
    suite = suite_of(ran.out)
    assert [(case.attrib["name"], [one.tag for one in case]) for case in suite] == [
        ("friday.rgn", []),
        ("bad.rgn", ["failure"]),
        ("nowhere.rgn", ["error"]),
        ("empty", ["error"]),
    ]
    failure = suite[1][0]
    assert failure.attrib["type"] == "discard.taken-top"
    assert failure.text.startswith("bad.rgn:13:18: illegal: ")
    assert "13 | 5. Ann: take 4s; discard 4s" in failure.text


def test_characters_that_xml_has_not_are_shown():
    one = Examined(
        "a\x1b.rgn", (Finding("log.syntax", "odd \x00 & <b> \ud800 \uffff", Span(1), excerpt="x"),)
    )
    (case,) = junit_of(one)
    assert case.attrib["name"] == "a\\x1b.rgn"
    assert case[0].attrib["message"] == "odd \\x00 & <b> \\ud800 \\uffff"


def test_github_ends_with_a_count(meldref, log, bad_log, tmp_path):
    (tmp_path / "none").mkdir()
    ran = meldref("audit", "--format", "github", log(), bad_log, "none")
    assert ran.lines[-1] == "2 logs: 2 hands, 8 turns, 1 violation, 1 clean"
    assert [level for level, _, _ in commands(ran.out)] == ["error", "error"]
    assert commands(ran.out)[0] == ("error", {}, "none: no *.rgn below this folder")
    _, where, said = commands(ran.out)[1]
    assert where == {
        "file": "bad.rgn",
        "line": "13",
        "col": "18",
        "endColumn": "28",
        "title": "discard.taken-top",
    }
    assert (
        said.splitlines()[0]
        == "4s may not be discarded: it was just taken from the top of the pile"
    )
    assert meldref("audit", "--format", "github", "--quiet", bad_log).lines == [ran.lines[1]]


def test_of_standard_input_the_message_says_the_line(meldref):
    ran = meldref("audit", "--format", "github", "-", stdin=BAD)
    assert commands(ran.out)[0][1] == {"title": "discard.taken-top"}
    assert commands(ran.out)[0][2].startswith("-:13: ")


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.sweep
def test_workers_report_the_same(meldref, log, bad_log, format_):
    names = [log(name=f"{number}.rgn") for number in range(3)]
    arguments = ("audit", "--format", format_, *names, bad_log, "nowhere.rgn")
    assert meldref(*arguments) == meldref(*arguments, "--jobs", 2)


@pytest.mark.parametrize("format_", FORMATS)
def test_a_report_of_nothing_is_whole(meldref, tmp_path, format_):
    ran = meldref("audit", "--format", format_, tmp_path)
    assert ran.code == 2
    if format_ == "sarif":
        SCHEMA.validate(ran.data)
        assert (
            ran.data["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["level"]
            == "error"
        )
    elif format_ == "junit":
        assert len(suite_of(ran.out)) == 1
    else:
        assert ran.lines[-1] == "0 logs: 0 hands, 0 turns"


@pytest.mark.parametrize("format_", FORMATS)
def test_a_fault_of_ours_is_in_the_report(meldref, log, monkeypatch, format_):
    monkeypatch.setattr(auditing, "read_lines", lambda _: 1 / 0)
    ran = meldref("audit", "--format", format_, log(LOG))
    assert ran.code == 3
    assert "ZeroDivisionError" in ran.out
    if format_ == "sarif":
        SCHEMA.validate(ran.data)


# --- other commands -------------------------------------------------------------------------------

HOUSE = "id: mine\nname: Mine\nextends: [500-rummy]\ngame: {target: 300}\n"
CASES = """\
cases:
  - id: a
    name: fails
    rules: 500-rummy
    given: {hands: {A: "4d 9h 2h"}, pile: "6s 4c Qs 4s 7h"}
    moves: ["A: take 4c; discard 2h"]
    expect: {verdict: legal}
  - name: passes
    rules: 500-rummy
    given: {hands: {A: "4d 9h 2h"}, pile: "6s 4c Qs 4s 7h"}
    moves: ["A: take 4c; discard 2h"]
    expect: {verdict: illegal}
"""
COMMANDS = {
    "check": (
        ("rules", "check"),
        "house.yaml",
        HOUSE.replace("target", "tarjet"),
        HOUSE,
        "rules.key",
        4,
    ),
    "test": (
        ("rules", "test"),
        "cases.yaml",
        CASES,
        CASES.replace("verdict: legal", "verdict: illegal"),
        "case",
        2,
    ),
    "fmt": (("fmt", "--check"), "odd.rgn", LOG.replace("draw 8s", "DRAW 8s"), LOG, "fmt", 9),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_other_commands_report_to_github(meldref, log, name):
    command, file, wrong_text, right, code, line = COMMANDS[name]
    ran = meldref(*command, "--format", "github", log(wrong_text, file), "nowhere.yaml")
    (level, where, _), *_ = commands(ran.out)
    assert (ran.code, level, where["file"], where["line"], where["title"]) == (
        2,
        "error",
        file,
        str(line),
        code,
    )
    assert "nowhere.yaml" in ran.lines[-2]
    assert re.fullmatch(r"(2 (file|log)s: .*|1 passed, 1 failed)", ran.lines[-1])
    ran = meldref(*command, "--format", "github", log(right, file))
    assert (ran.code, len(ran.lines)) == (0, 1)


@pytest.mark.parametrize("name", COMMANDS)
def test_other_commands_write_sarif(meldref, log, name):
    command, file, wrong_text, right, code, line = COMMANDS[name]
    ran = meldref(*command, "--format", "sarif", log(wrong_text, file), "nowhere.yaml")
    SCHEMA.validate(ran.data)
    first = ran.data["runs"][0]["results"][0]
    assert first["ruleId"] == code
    assert first["locations"][0]["physicalLocation"]["region"]["startLine"] == line
    ran = meldref(*command, "--format", "sarif", log(right, file))
    SCHEMA.validate(ran.data)
    assert (ran.code, ran.data["runs"][0]["results"]) == (0, [])


@pytest.mark.parametrize("name", COMMANDS)
def test_other_commands_write_junit(meldref, log, name):
    command, file, wrong_text, right, code, _ = COMMANDS[name]
    suite = suite_of(
        meldref(*command, "--format", "junit", log(wrong_text, file), "nowhere.yaml").out
    )
    assert [one.tag for case in suite for one in case] == ["failure", "error"]
    assert suite[0][0].attrib["type"] == code
    suite = suite_of(meldref(*command, "--format", "junit", log(right, file)).out)
    assert [one.tag for case in suite for one in case] == []
    assert len(suite) == (2 if name == "test" else 1)


@pytest.mark.parametrize("name", COMMANDS)
def test_other_commands_write_json_lines(meldref, log, name):
    command, file, wrong_text, _, code, _ = COMMANDS[name]
    ran = meldref(*command, "--format", "jsonl", log(wrong_text, file))
    assert ran.code == 1
    data = [json.loads(line) for line in ran.lines]
    assert data[0].get("code", "case") == code
    assert list(data[-1]) == ["summary"]


def test_the_form_of_logs_is_json(meldref, log):
    log(LOG.replace("draw 8s", "DRAW 8s"), "odd.rgn")
    log("oops\n", "bad.rgn")
    ran = meldref("fmt", "--check", "--format", "json", log(), "odd.rgn", "bad.rgn")
    assert ran.code == 2
    verdicts = [(one["path"], one["verdict"]) for one in ran.data["logs"]]
    assert verdicts == [
        ("friday.rgn", "canonical"),
        ("odd.rgn", "to be formatted"),
        ("bad.rgn", "unreadable"),
    ]
    assert ran.data["summary"] == {"logs": 3, "canonical": 1, "to_be_formatted": 1, "unreadable": 1}
    assert Path("odd.rgn").read_text(encoding="utf-8") != LOG


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (LOG + "\n\n", 13, "extra blank line"),
        (LOG.replace("hand 1", "\n\nhand 1"), 4, "extra blank line"),
        (LOG.replace("up 4c\n", "up 4c\r\n"), 7, "line ending"),
        ("\ufeff" + LOG, 1, "a byte order mark"),
        (LOG.removesuffix("\n"), 11, "the last line does not end in a newline"),
        (LOG.replace("up 4c", "UP  4c"), 7, "the canonical form is `up 4c`"),
    ],
)
def test_the_first_line_that_is_not_canonical_is_named(meldref, log, text, line, said):
    (finding,) = meldref("fmt", "--check", "--format", "json", log(text)).data["logs"][0][
        "findings"
    ]
    assert finding["line"] == line
    assert said in finding["message"]


@pytest.mark.parametrize(
    "arguments", [("--format", "json"), ("--check", "--diff", "--format", "github")]
)
def test_a_format_of_fmt_is_for_check_alone(meldref, log, arguments):
    ran = meldref("fmt", log(), *arguments)
    assert ran.code == 2
    assert "it is for --check, without --diff" in ran.err
