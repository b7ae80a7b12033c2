"""Case files: all that ship pass, and the runner fails a case whose expectation does not hold."""

from __future__ import annotations

import pytest

from case_checks import SEVERAL, cases_of, run_and_check, run_file
from meldref.report.verdicts import verdict_lines
from paths import TESTS
from tiers import thinned
from together import each
from written import read_yaml_file

FOLDER = TESTS / "cases"
WRITTEN = {
    path: cases
    for path in sorted(FOLDER.glob("*.yaml"))
    if (cases := read_yaml_file(path).get("cases"))
}


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)
def test_a_case_file_can_be_read_and_no_id_stands_in_it_twice(path):
    file, findings = cases_of(path)
    assert findings == ()
    assert len(file.cases) == len(WRITTEN[path])
    ids = [case["id"] for case in file.cases if "id" in case]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)
def test_each_case_comes_out_as_it_says_with_one_finding_that_there_can_be_and_a_sound_position(
    path,
):
    """More than one finding has only a case that is listed: there something else is wrong as well."""
    file, _ = cases_of(path)

    def check(index):
        result, wrong = run_and_check(file, index)
        assert result.passed, (result.failed, result.got, [one.message for one in result.findings])
        assert wrong == []

    named = {
        f"{index} {case.get('id') or case['name']}": (index,)
        for index, case in enumerate(WRITTEN[path])
    }
    each(check, named)


def test_every_case_listed_with_several_findings_is_a_case():
    ids = {case.get("id") for cases in WRITTEN.values() for case in cases}
    assert set(SEVERAL) <= ids
    assert all(len(found) > 1 for found in SEVERAL.values())


@pytest.mark.sweep
def test_house_rules_apply_where_their_facts_hold_and_nowhere_else():
    """Apart from the other cases, since suits and the order of lay-offs, which are respelled there, matter."""
    file, findings = cases_of(TESTS / "house_facts.yaml")
    assert findings == ()
    assert len(file.cases) > 500
    results = [file.run(index) for index in thinned(range(len(file.cases)), 5)]
    assert [(result.id, result.failed) for result in results if not result.passed] == []


# --- the runner -----------------------------------------------------------------------------------

GIVEN = """{hands: {A: "8c 8d 2s", B: "3c Kd"}, pile: "6s 8s"}"""
OVER = 'moves: ["A: take 8s; meld 8s 8c 8d; discard 2s"]'
ON = 'moves: ["A: take 8s; discard 2s"]'
BAD = 'moves: ["A: draw 4c; discard 2s", "B: draw 4d; discard 5d", "A: draw 5c; discard 5h"]'
LOG = """log: |
      [Players "A, B"]
      # nobody said how it went

      hand 1
      score A 10, B 20
      total A 10, B 21
"""


def run(tmp_path, body: str, head: str = "", *, rules: str | None = "500-rummy"):
    """The result of one case."""
    path = tmp_path / "one.yaml"
    path.write_text(f"{head}cases:\n  - id: X\n    {body}\n", encoding="utf-8")
    results, findings = run_file(path, rules=rules)
    assert findings == ()
    return results[0]


def case(moves: str, expect: str, given: str = GIVEN) -> str:
    return f"given: {given}\n    {moves}\n    expect: {expect}"


@pytest.mark.parametrize(
    ("moves", "expect"),
    [
        (OVER, "{verdict: legal}"),
        (OVER, "{verdict: legal, then: over, points: {A: 24}, score: {A: 24, B: -13}}"),
        (OVER, '{verdict: legal, hands: {A: "", B: "Kd 3c"}, pile: "6s 2s"}'),
        (OVER, '{verdict: legal, table: {m1: {A: "8d 8c 8s"}}, points: {A: 24, B: 0}}'),
        (ON, '{verdict: legal, then: plays B, hands: {A: "8c 8d 8s"}, stock: 47}'),
        (BAD, "{verdict: illegal}"),
        (BAD, "{verdict: illegal, at: 2}"),
        (BAD, "{verdict: illegal, at: 2, because: hand.missing}"),
        (BAD, "{verdict: illegal, because: hand}"),
    ],
)
def test_an_expectation_that_holds_passes(tmp_path, moves, expect):
    result = run(tmp_path, case(moves, expect))
    assert result.passed, result.got


@pytest.mark.parametrize(
    ("moves", "expect", "failed"),
    [
        (OVER, "{verdict: illegal}", "verdict"),
        (OVER, "{verdict: open}", "verdict"),
        (BAD, "{verdict: open}", "verdict"),
        (OVER, "{verdict: illegal, at: 1, because: draw}", "verdict"),
        (BAD, "{verdict: legal}", "verdict"),
        (BAD, "{verdict: illegal, at: 1}", "at"),
        (BAD, "{verdict: illegal, at: 3}", "at"),
        (BAD, "{verdict: illegal, at: 2, because: draw}", "because"),
        (OVER, "{verdict: legal, then: plays B}", "then"),
        (ON, "{verdict: legal, then: over}", "then"),
        (ON, "{verdict: legal, then: plays A}", "then"),
        (ON, "{verdict: legal, then: floats}", "then"),
        (OVER, "{verdict: legal, points: {A: 23}}", "points"),
        (OVER, "{verdict: legal, points: {B: 1}}", "points"),
        (OVER, "{verdict: legal, score: {A: 25}}", "score"),
        (ON, "{verdict: legal, score: {A: -18}}", "score"),
        (OVER, '{verdict: legal, hands: {A: "2s"}}', "hands"),
        (OVER, '{verdict: legal, hands: {B: "3c"}}', "hands"),
        (OVER, '{verdict: legal, hands: {B: "3c ?"}}', "hands"),
        (OVER, '{verdict: legal, hands: {B: "3c Kd Kd"}}', "hands"),
        (OVER, '{verdict: legal, hands: {B: "?*2"}}', "hands"),
        (OVER, '{verdict: legal, pile: "2s 6s"}', "pile"),
        (OVER, '{verdict: legal, pile: "2s"}', "pile"),
        (OVER, '{verdict: legal, table: {m1: {A: "8d 8c"}}}', "table"),
        (OVER, '{verdict: legal, table: {m1: {B: "8d 8c 8s"}}}', "table"),
        (OVER, '{verdict: legal, table: {m1: {A: "8d 8c 8h"}}}', "table"),
        (OVER, '{verdict: legal, table: {m2: {A: "8d 8c 8s"}}}', "table"),
        (ON, "{verdict: legal, stock: 46}", "stock"),
        (ON, '{verdict: legal, stock: "9c"}', "stock"),
    ],
)
def test_an_expectation_that_does_not_hold_fails(tmp_path, moves, expect, failed):
    result = run(tmp_path, case(moves, expect))
    assert not result.passed
    assert result.failed == (failed,)


@pytest.mark.parametrize(
    ("moves", "expect", "said"),
    [
        (OVER, "{verdict: legal, at: 1}", "at"),
        (OVER, "{verdict: legal, because: draw}", "because"),
        (BAD, "{verdict: legal, because: hand.missing}", "because"),
        (BAD, "{verdict: illegal, at: true}", "at"),
        (BAD, "{verdict: illegal, at: 0}", "at"),
        (BAD, "{verdict: illegal, at: [2]}", "at"),
        (BAD, "{verdict: illegal, at: }", "at"),
        (BAD, "{verdict: illegal, because: }", "because"),
        (BAD, '{verdict: illegal, because: ""}', "because"),
        (BAD, "{verdict: illegal, because: [hand]}", "because"),
        (BAD, "{verdict: illegal, because: hand.}", "because"),
        (BAD, "{verdict: illegal, at: 2, because: han}", "did you mean hand?"),
        (BAD, "{verdict: illegal, at: 2, because: hand.mising}", "did you mean hand.missing?"),
        (BAD, "{verdict: illegal, at: 2, because: hand.missing.x}", "because"),
        (BAD, "{verdict: illegal, because: draw.deep.us}", "because"),
        (OVER, "{verdict: legal, then: }", "then"),
        (OVER, "{verdict: legal, then: ended}", "then"),
        (OVER, "{verdict: legal, then: plays}", "then"),
        (ON, "{verdict: legal, then: plays C}", "`then` names C"),
        (OVER, "{verdict: legal, then: plays C}", "`then` names C"),
        (OVER, "{verdict: legal, points: 24}", "points"),
        (OVER, "{verdict: legal, points: {A: true}}", "points"),
        (OVER, "{verdict: legal, points: {C: 0}}", "`points` names C"),
        (OVER, "{verdict: legal, points: {A+B: 24}}", "`points` names A+B"),
        (OVER, "{verdict: legal, score: {C: 25}}", "`score` names C"),
        (OVER, "{verdict: legal, score: {A+C: 24}}", "`score` names A+C"),
        (BAD, "{verdict: illegal, at: 1, score: {C: 25}}", "`score` names C"),
        (OVER, '{verdict: legal, hands: {B: "nothing"}}', "hands.B"),
        (OVER, '{verdict: legal, hands: {C: ""}}', "`hands` names C"),
        (OVER, '{verdict: legal, hands: "2s"}', "hands"),
        (OVER, '{verdict: legal, pile: "zz"}', "pile"),
        (OVER, "{verdict: legal, pile: 2}", "pile"),
        (OVER, "{verdict: legal, stock: true}", "stock"),
        (OVER, "{verdict: legal, stock: zz}", "stock"),
        (OVER, '{verdict: legal, table: {x: {A: "8d 8c 8s"}}}', "table"),
        (OVER, '{verdict: legal, table: {m0: {A: "8d 8c 8s"}}}', "table"),
        (OVER, '{verdict: legal, table: {m1: "8d 8c 8s"}}', "table"),
        (OVER, '{verdict: legal, table: {m1: {A: "8d 8x"}}}', "table.m1.A"),
        (OVER, '{verdict: legal, table: {m1: {C: "8d 8c 8s"}}}', "`table` names C"),
    ],
)
def test_what_no_case_can_expect_is_an_error_of_the_file(tmp_path, moves, expect, said):
    result = run(tmp_path, case(moves, expect))
    assert not result.passed
    assert result.malformed
    assert said in str(result.got["because"])


@pytest.mark.parametrize(
    ("verdict", "passes"), [("open", True), ("legal", True), ("illegal", False)]
)
def test_a_case_may_ask_that_something_is_open_and_is_told_what(tmp_path, verdict, passes):
    given = '{hands: {A: "?*3"}, pile: Kd}'
    hidden = case('moves: ["A: take Kd; discard Kd"]', f"{{verdict: {verdict}}}", given)
    result = run(tmp_path, f"set: {{deck.packs: 2}}\n    {hidden}")
    assert (result.passed, len(result.open)) == (passes, 1)
    assert passes or result.got["verdict"] == "open"
    assert any("undecided: " in line for line in verdict_lines(result))


@pytest.mark.parametrize("name", ["N", "N+S", "S+N"])
def test_a_side_is_named_by_a_player_or_both(tmp_path, name):
    given = (
        '{players: [N, E, S, W], hands: {N: "8c 8d 2s", E: "3c", S: "4c", W: "5c"}, pile: "6s 8s"}'
    )
    body = f'given: {given}\n    moves: ["N: take 8s; meld 8s 8c 8d; discard 2s"]'
    right = run(
        tmp_path,
        f"{body}\n    expect: {{verdict: legal, score: {{{name}: 20}}}}",
        rules="partnership-500-rum",
    )
    assert right.passed, right.got
    wrong = f"{body}\n    expect: {{verdict: legal, score: {{N+E: 20}}}}"
    assert run(tmp_path, wrong, rules="partnership-500-rum").malformed


def test_the_players_of_a_log_are_those_whom_it_names(tmp_path):
    assert run(
        tmp_path, f"{LOG}    expect: {{verdict: illegal, at: 6, score: {{C: 10}}}}"
    ).malformed


def test_everything_a_case_cannot_expect_is_told_at_once(tmp_path):
    why = str(
        run(tmp_path, case(OVER, "{verdict: legal, at: 1, pile: zz, points: 3}")).got["because"]
    )
    assert [key for key in ("`at`", "`pile`", "`points`") if key in why] == [
        "`at`",
        "`pile`",
        "`points`",
    ]


@pytest.mark.parametrize(
    "moves",
    [
        "moves: [A: take 8s; discard 2s]",
        "moves: {A: take 8s; discard 2s}",
        'moves: "A: take 8s; discard 2s"',
        "moves:\n      - A: take 8s; discard 2s",
        "moves:\n      A: take 8s; discard 2s",
    ],
)
def test_moves_without_quotes_are_told_how_they_are_written(tmp_path, moves):
    result = run(tmp_path, case(moves, "{verdict: illegal}"))
    assert result.malformed
    written = str(result.got["because"]).partition("moves: ")[2]
    assert run(tmp_path, case(f"moves: {written}", "{verdict: legal}")).passed


@pytest.mark.parametrize(
    ("wild", "passes"),
    [("Jk=8c", True), ("Jk", True), ("Jk=8d", False), ("Jk=5c", False), ("Jk=8", True)],
)
def test_melds_compare_with_what_wild_cards_stand_for(tmp_path, wild, passes):
    given = '{hands: {A: "6c 7c Jk 2s 3s", B: "3c"}}'
    moves = 'moves: ["A: draw 4c; meld 6c 7c Jk; discard 2s"]'
    expect = f'{{verdict: legal, table: {{m1: {{A: "{wild} 7c 6c"}}}}}}'
    assert run(tmp_path, case(moves, expect, given)).passed is passes


@pytest.mark.parametrize(
    "body",
    [
        f"given: {GIVEN}\n    {OVER}",
        f"given: {GIVEN}\n    {OVER}\n    expect: legal",
        case(OVER, "{verdict: fine}"),
        case(OVER, "{verdict: legal, pyle: 2s}"),
        f"given: {GIVEN}\n    expect: {{verdict: legal}}",
        case("moves: draw", "{verdict: legal}"),
        f"{LOG}    moves: []\n    expect: {{verdict: legal}}",
        f"{LOG}    given: {GIVEN}\n    expect: {{verdict: illegal}}",
        f"gyven: {GIVEN}\n    {OVER}\n    expect: {{verdict: legal}}",
        case(OVER, "{verdict: legal}", given="{hands: {C: 8c}}"),
        case(OVER, "{verdict: legal}", given='{hands: {A: "8c 8c"}}'),
        case(OVER, "{verdict: legal}", given="5h"),
        f"rules: no-such-game\n    {case(OVER, '{verdict: legal}')}",
        f"with: floating\n    {case(OVER, '{verdict: legal}')}",
        f"with: [no-such-option]\n    {case(OVER, '{verdict: legal}')}",
        f"set: [x]\n    {case(OVER, '{verdict: legal}')}",
        f"set: {{game.tarket: 3}}\n    {case(OVER, '{verdict: legal}')}",
    ],
)
def test_a_malformed_case_fails_and_says_why(tmp_path, body):
    result = run(tmp_path, body)
    assert not result.passed
    assert result.got["verdict"] == "unusable"
    assert result.got["because"]


def test_a_case_without_a_ruleset_fails(tmp_path):
    assert run(tmp_path, case(OVER, "{verdict: legal}"), rules=None).got["verdict"] == "unusable"


def test_a_case_that_is_no_mapping_fails_and_the_others_run(tmp_path):
    path = tmp_path / "two.yaml"
    path.write_text(f"cases:\n  - 5\n  - {case(OVER, '{verdict: legal}')}\n", encoding="utf-8")
    results, _ = run_file(path, rules="500-rummy")
    assert [result.passed for result in results] == [False, True]


@pytest.mark.parametrize(
    "text", ["", "cases: {}", "cases:", "- 1", "cases: [", "a: 1\na: 2\n", "cases: []\nx: &a 1"]
)
def test_a_file_that_is_no_case_file_is_a_finding_or_empty(tmp_path, text):
    path = tmp_path / "bad.yaml"
    path.write_text(text, encoding="utf-8")
    results, findings = run_file(path)
    assert results == []
    assert findings


def test_a_missing_file_is_a_finding(tmp_path):
    results, findings = run_file(tmp_path / "nowhere.yaml")
    assert (results, [one.code for one in findings]) == ([], ["rules.yaml"])


@pytest.mark.parametrize(
    ("expect", "failed"),
    [
        ("{verdict: illegal, at: 6, because: score.total}", ()),
        ("{verdict: illegal, at: 5, because: score.total}", ("at",)),
        ("{verdict: illegal, because: score.hand}", ("because",)),
        ("{verdict: legal}", ("verdict",)),
    ],
)
def test_a_log_counts_all_its_lines(tmp_path, expect, failed):
    """Blank and comment lines count as well."""
    assert run(tmp_path, f"{LOG}    expect: {expect}").failed == failed


def test_settings_of_the_case_go_over_those_of_the_log(tmp_path):
    log = 'log: |\n      [Set "game.target=50"]\n      [Players "A, B"]\n      hand 1\n      score A 60, B 20\n'
    expect = "{verdict: illegal, because: game.winner}"
    body = f"set: {{game.target: 100}}\n    {log}      result A\n    expect: {expect}"
    assert run(tmp_path, body).passed


def test_the_cases_of_a_ruleset_are_about_itself(tmp_path):
    path = tmp_path / "house.yaml"
    head = "id: lake\nname: How we play\nextends: [500-rummy]\nmelds: {kinds: {sequence: {size: 4-13}}}\n"
    given = '{hands: {A: "5h 6h 7h 2s"}}'
    moves = 'moves: ["A: draw; meld 5h 6h 7h; discard 2s"]'
    body = case(moves, "{verdict: illegal, because: meld}", given)
    text = f"{head}cases:\n  - name: three are too few\n    {body}\n"
    path.write_text(text, encoding="utf-8")
    results, findings = run_file(path)
    assert findings == ()
    assert [(result.name, result.passed) for result in results] == [("three are too few", True)]


def test_a_position_may_name_its_own_rules(tmp_path):
    given = '{rules: 500-rum, with: [low-cards-5], hands: {A: "2c 2d 2h 9s"}}'
    moves = 'moves: ["A: draw 3s; meld 2c 2d 2h; discard 9s"]'
    assert run(tmp_path, case(moves, "{verdict: legal, points: {A: 15}}", given)).passed


def test_a_turn_left_open_is_judged_as_ended_there(tmp_path):
    result = run(
        tmp_path,
        case('moves: ["A: draw 4c"]', "{verdict: illegal, at: 1, because: turn.unfinished}"),
    )
    assert result.passed


@pytest.mark.parametrize("move", ["hand 2", "A plays", "", "score A 5", "[Players x]"])
def test_a_move_that_is_none_is_illegal_or_nothing(tmp_path, move):
    result = run(
        tmp_path, case(f"moves: ['{move}']", "{verdict: illegal, at: 1, because: log.syntax}")
    )
    assert result.passed is bool(move)
