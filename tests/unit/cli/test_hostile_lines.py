"""Whatever stands in a file, or is its name, writes no line of its own into a report and steers no terminal."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cli_logs import BAD, LOG
from meldref.core.diagnostics import Finding, Span
from meldref.core.text import LONGEST_TEXT, LONGEST_VALUE, one_line, visible
from meldref.report.json import dump

pytestmark = pytest.mark.sweep(every=6)

FORGED = (
    "x\n::error file=a.rgn::FORGED\nevening.rgn: clean FORGED\r\x1b[2J\x1b]0;FORGED\x07"
    "\x85\u2028\u202e\u2066\u200b##[group]FORGED\n\u3000::set-output name=x::FORGED"
)
"""A value that would begin lines, steer a terminal, turn the direction of what follows, and command a build."""
QUOTED = json.dumps(FORGED)
"""The text as JSON and YAML write it."""
LONG = "A" * 100_000
STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
COMMAND = re.compile(r"^\s*::[\w-]+.*::|##\[\w", re.MULTILINE)
"""What those who run builds take as a command to them."""
ANNOTATION = re.compile(r"^::(error|warning|notice)( [^:]*)?::")
REPORTS = ("text", "json", "jsonl", "github", "sarif", "junit")


def is_honest(text: str) -> bool:
    """No line begins as the forged ones do, and nothing steers or cannot be seen."""
    begins = [
        line for line in re.split(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]", text) if "FORGED" in line
    ]
    forged = [
        line for line in begins if line.lstrip().startswith(("::error file=a.rgn", "evening.rgn"))
    ]
    return not forged and not STEERING.search(text)


def commands_no_build(text: str, *, annotations: bool = False) -> bool:
    """No line is a command to who runs a build, but annotations where they were asked for."""
    lines = [
        ANNOTATION.sub("annotation: ", line) if annotations else line for line in text.split("\n")
    ]
    return not COMMAND.search("\n".join(lines))


def check(ran, *, annotations: bool = False) -> None:
    assert ran.code in {0, 1, 2}
    assert commands_no_build(ran.out, annotations=annotations), ran.out
    assert commands_no_build(ran.err), ran.err
    assert "internal error" not in ran.err
    assert "Traceback" not in ran.out + ran.err
    assert is_honest(ran.out), ran.out
    assert is_honest(ran.err), ran.err


# --- the one place --------------------------------------------------------------------------------


def test_a_text_is_one_line_and_says_what_it_hides():
    assert (
        one_line("a\nb\x1b[1m\u202e\udcff\U000e0041\u200b")
        == r"a\nb\x1b[1m\u202e\xff\U000e0041\u200b"
    )


@pytest.mark.parametrize(
    "text", ["Ann", "Élise 🂡", "Zoë 漢字", "a\u00a0b", "क्\u200dष", "\U0001f468\u200d\U0001f469"]
)
def test_what_people_write_stays_as_it_is(text):
    assert one_line(text) == visible(text) == text


@pytest.mark.parametrize("text", [LONG, "b " * 100_000, FORGED * 10_000, "\n" * 1_000_000])
def test_a_long_text_is_cut_and_cutting_it_again_changes_nothing(text):
    short = one_line(text)
    assert len(short) <= LONGEST_TEXT
    assert "…" in short
    assert one_line(short) == short
    assert max(map(len, short.split())) <= LONGEST_VALUE


def test_a_finding_is_on_one_line_wherever_it_comes_from():
    finding = Finding("log.name", FORGED, Span(1), notes=(FORGED,), help=(FORGED, FORGED))
    assert all(map(is_honest, (finding.message, *finding.notes, *finding.help)))


def test_json_holds_no_half_of_a_character():
    data = {
        "path": "a\udcff.rgn",
        "text": "\U0001f0a1 \\ud800 \\\\udc00 \udcff\udcff",
        "pair": "\ud83c\udca1",
    }
    text = dump(data)
    json.loads(text).__repr__().encode()
    assert json.loads(text)["text"] == "\U0001f0a1 \\ud800 \\\\udc00 \ufffd\ufffd"


# --- names of files -------------------------------------------------------------------------------

NAMES = [
    "evening\n::error file=a.rgn::FORGED\nevening.rgn: clean FORGED.rgn",
    "a%0A::error file=a.rgn::FORGED.rgn",
    "a\u202engr.FORGED.rgn",
    "a\x1b[2JFORGED\x07.rgn",
    "a\udcff\udcfeFORGED.rgn",
    "a,line=1,title=FORGED::b.rgn",
    "a\r\x85\u2028FORGED.rgn",
    "<\"&']]>FORGED.rgn",
    "::stop-commands::FORGED.rgn",
    "##[group]FORGED.rgn",
    " ::error::FORGED##[error]x.rgn",
]


@pytest.mark.parametrize("format_", REPORTS)
@pytest.mark.parametrize("text", [LOG, BAD, "no log\n"], ids=["good", "bad", "none"])
@pytest.mark.parametrize("name", NAMES)
def test_no_name_of_a_log_writes_lines_of_its_own(meldref, log, name, text, format_):
    log(text, name)
    for command in (["audit", "--format", format_, name], ["audit", "--format", format_, "."]):
        ran = meldref(*command)
        check(ran, annotations=format_ == "github")
        assert "FORGED" in ran.out or text is LOG
        if format_ in {"json", "sarif"}:
            json.loads(ran.out)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "command",
    [
        ["fmt"],
        ["fmt", "--check"],
        ["fmt", "--diff"],
        ["fmt", "-v"],
        ["fmt", "--check", "--format", "github"],
        ["fmt", "--check", "--format", "junit"],
        ["replay"],
        ["replay", "-q"],
        ["replay", "--at", "3"],
        ["convert"],
        ["convert", "-o", "out.jsonl", "--force"],
        ["legal", "draw", "--at", "12", "--log"],
        ["legal", "draw", "--position"],
        ["melds", "5h", "--rules"],
        ["melds", "5h", "--with"],
        ["rules", "check"],
        ["rules", "test"],
        ["rules", "show"],
        ["rules", "diff", "500-rummy"],
        ["rules", "diff", "500-rummy", "500-rum", "--logs"],
        ["rules", "rulebook"],
        ["rules", "explain", "game.target", "--rules"],
        ["rules", "test", "--coverage", "-v"],
        ["rules", "compare", "500-rummy", "--hands", "2"],
        ["simulate", "--hands", "1", "-o", "out.rgn", "--force", "--rules"],
        ["rules", "new", "--no-ask", "--force"],
    ],
    ids=" ".join,
)
@pytest.mark.sweep(every=24)
def test_no_name_of_a_file_writes_lines_of_its_own_whatever_is_done_with_it(
    meldref, log, name, command
):
    rules = "id: x\nextends: [500-rummy]\ngame: {target: 100}\n"
    case = "cases:\n- {name: x, rules: 500-rummy, moves: [draw], expect: {verdict: legal}}\n"
    for text in (BAD.replace(" Bob:", "  Bob:"), rules, f"{rules}nope: 1\n", rules + case):
        log(text, name)
        check(meldref(*command, name), annotations="github" in command)
    Path(name).unlink()
    check(meldref(*command, name), annotations="github" in command)


# --- what stands in rules, cases and positions ----------------------------------------------------

RULES = f"""
id: house
name: {QUOTED}
about: {QUOTED}
source: {QUOTED}
extends: [500-rummy]
customs: [{QUOTED}]
game: {{target: 100}}
house_rules:
  h: {{forbid: discard, when: card.rank is 9, says: {QUOTED}, why: {QUOTED}, source: {QUOTED}}}
  i: {{award: 5, says: "::error::FORGED", why: "##[group]FORGED"}}
"""
ODD_RULES = f"""
id: {QUOTED}
name: {QUOTED}
about: {QUOTED}
source: {QUOTED}
aliases: [{QUOTED}]
customs: [{QUOTED}]
extends: [500-rummy]
melds: {{kinds: {{{QUOTED}: {{size: 3-4, require: [same_rank]}}}}}}
"""
BAD_RULES = f"""
{QUOTED}: {QUOTED}
type: {QUOTED}
extends: [500-rummy, {QUOTED}, "./{FORGED.encode("unicode_escape").decode()}.yaml"]
needs: {{{QUOTED}: {QUOTED}}}
excludes: [{QUOTED}]
game: {{target: {QUOTED}, {QUOTED}: 1, {LONG}: {LONG}}}
deck: {{packs: {{{QUOTED}: {QUOTED}}}}}
"""
CASES = f"""
cases:
- name: {QUOTED}
  id: {QUOTED}
  rules: 500-rummy
  given: {{players: [{QUOTED}, Bob], hands: {{{QUOTED}: 4c 5c 6c 9d, Bob: 2d 3d}}, pile: 2h}}
  moves: [{QUOTED}]
  expect: {{verdict: legal, because: {QUOTED}}}
- name: {QUOTED}
  rules: {QUOTED}
  moves: [draw]
  expect: {{verdict: legal}}
- name: {QUOTED}
  log: {QUOTED}
  expect: {{verdict: legal, hands: {{{QUOTED}: {QUOTED}}}}}
- {QUOTED}: {QUOTED}
  name: {LONG}
  expect: {{{QUOTED}: {QUOTED}}}
"""
POSITION = f"players: [{QUOTED}, Bob]\nto_move: {QUOTED}\nhands: {{{QUOTED}: 4c 5c 6c 9d, Bob: 2d 3d}}\npile: 2h\n"


@pytest.mark.sweep
@pytest.mark.parametrize(
    "command",
    [
        *(["rules", "check", "--format", format_] for format_ in REPORTS),
        ["rules", "check", "--diff"],
        ["rules", "show"],
        ["rules", "show", "--quiet"],
        ["rules", "rulebook"],
        ["rules", "rulebook", "--format", "html"],
        ["explain", "house.h", "--rules"],
        ["explain", "house.i", "--rules"],
        ["rules", "diff", "500-rummy"],
        ["rules", "explain", "game.target", "--rules"],
        ["rules", "compare", "500-rummy", "--hands", "2"],
        *(["rules", "test", "--format", format_] for format_ in REPORTS),
        ["melds", "4c 5c 6c 4d 4h", "--rules"],
        ["best", "4c 5c 6c 4d 4h", "--rules"],
        ["melds", "4c 5c 6c 4d 4h", "--with"],
        ["audit", "friday.rgn", "--rules"],
        ["replay", "friday.rgn", "--rules"],
        ["simulate", "-o", "out.rgn", "--force", "--hands", "1", "--rules"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("text", [RULES, ODD_RULES, BAD_RULES], ids=["rules", "odd", "bad"])
def test_no_text_of_a_rules_file_writes_lines_of_its_own(meldref, log, command, text):
    log(BAD)
    check(meldref(*command, log(text, "house.yaml")), annotations="github" in command)


@pytest.mark.parametrize("format_", REPORTS)
@pytest.mark.parametrize("header", ["Rules", "Options"])
def test_no_text_of_a_rules_file_that_a_log_names_writes_lines_of_its_own(
    meldref, log, format_, header
):
    for text in (RULES, ODD_RULES, BAD_RULES, BAD_RULES.replace('type: "x', 'type: "')):
        log(text, "house.yaml")
        ran = meldref("audit", "--format", format_, log(f'[{header} "house.yaml"]\n' + BAD))
        check(ran, annotations=format_ == "github")
        assert max(map(len, ran.lines)) < 10_000 or format_ in {"json", "sarif"}


@pytest.mark.parametrize("format_", REPORTS)
@pytest.mark.parametrize("more", [[], ["-v"], ["-q"], ["--coverage"]], ids=" ".join)
def test_no_text_of_a_case_writes_lines_of_its_own(meldref, log, format_, more):
    check(
        meldref("rules", "test", "--format", format_, *more, log(CASES, "cases.yaml")),
        annotations=format_ == "github",
    )


@pytest.mark.parametrize(
    "more",
    [
        [],
        ["-v"],
        ["draw"],
        ["take 2h; meld 2h 4c 5c"],
        [FORGED],
        [LONG],
        ["--turns"],
        ["--format", "json"],
    ],
)
def test_no_text_of_a_position_writes_lines_of_its_own(meldref, log, more):
    check(meldref("legal", "--position", log(POSITION, "table.yaml"), *more))


# --- what stands in logs --------------------------------------------------------------------------

LOGS = [
    LOG.replace("Ann", '"A\u202e\x85\u2028nn FORGED"'),
    BAD.replace("Ann", '"A\u202e\x85\u2028nn FORGED"'),
    BAD.replace("discard 4s", f"discard {FORGED}"),
    f'[X-\u202e "{FORGED}"]\n' + BAD,
    '[Rules "\x1b[2J\u202eFORGED"]\n[Options "\u2028evening.rgn: clean FORGED"]\n[Set "\u2028=\u202e"]\n'
    + LOG[20:],
    BAD + f"# {FORGED}\n" + f'note "\x1b[1m\u202e{LONG}"\n',
    BAD.replace("hand 1", f"hand {FORGED}"),
    LOG.replace("\n1. ", "\n\x9b31m1. ").replace("draw ?", "draw \u202e?"),
]


@pytest.mark.parametrize("text", LOGS)
@pytest.mark.parametrize(
    "command",
    [
        *(["audit", "--format", format_] for format_ in REPORTS),
        ["audit", "--expect", "-v"],
        ["fmt", "--check"],
        ["replay"],
        ["replay", "-v"],
        ["convert", "--to", "json"],
        ["legal", "--at", "10", "--log"],
        ["legal", "draw", "--at", "10", "--log"],
        ["rules", "diff", "500-rummy", "500-rum", "--logs"],
    ],
    ids=" ".join,
)
def test_no_line_of_a_log_writes_lines_of_its_own(meldref, log, command, text):
    check(
        meldref(*command, log(text.encode("utf-8", "surrogateescape"))),
        annotations="github" in command,
    )


@pytest.mark.parametrize(
    "event",
    [
        {"event": "header", "key": "Players", "value": FORGED},
        {"event": "header", "key": FORGED, "value": "x"},
        {"event": "note", "text": FORGED},
        {"event": FORGED},
        {FORGED: FORGED},
        {"event": "turn", "player": FORGED, "actions": [{"do": FORGED}]},
        {"event": "turn", "player": LONG, "actions": [{"do": LONG}]},
    ],
    ids=lambda event: ",".join(event)[:20],
)
def test_no_line_of_json_writes_lines_of_its_own(meldref, log, event):
    ran = meldref("convert", log(json.dumps(event), "a.jsonl"))
    check(ran)
    assert ran.code == 2
