"""What `meldref` offers to programs: one import, that costs next to nothing, and answers that are values."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import meldref
from api.regenerate import described
from meldref import (
    IllegalMove,
    audit_file,
    audit_text,
    best_plays,
    judge_move,
    legal_moves,
    load_position,
    require_legal,
)
from paths import TESTS

GIVEN = {"hands": {"A": "4d 9h 2h"}, "pile": "6s 4c Qs 4s 7h"}
LOG = """\
[Rules "500-rummy"]
[Players "Ann, Bob"]

hand 1 dealer Bob
up 4c
1. Ann: take 4c; discard 4c
"""


def test_everything_offered_is_there():
    for name in meldref.__all__:
        assert getattr(meldref, name) is getattr(meldref, name)
        assert name in dir(meldref)


def test_type_checkers_know_every_name_from_the_module_that_a_program_gets_it_from():
    stub = ast.parse(Path(meldref.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    typed = {
        name.asname: statement.module
        for statement in stub.body
        if isinstance(statement, ast.ImportFrom)
        for name in statement.names
    }
    assert typed == meldref._HOMES


def test_the_public_api_is_as_programs_know_it():
    kept = (TESTS / "api" / "public.txt").read_text(encoding="utf-8")
    assert described() == kept, "the public API changed: see tests/api/regenerate.py"


def test_what_is_not_offered_is_told_as_of_any_module():
    with pytest.raises(AttributeError, match="module 'meldref' has no attribute 'hand_of_god'"):
        meldref.hand_of_god  # noqa: B018


def test_the_import_loads_no_part_of_the_library_before_it_is_asked_for():
    program = (
        "import sys, meldref\n"
        "assert not [name for name in sys.modules if name.startswith('meldref.')]\n"
        "meldref.Finding\n"
        "assert 'meldref.core.diagnostics' in sys.modules and 'meldref.engine.judge' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_position_is_a_mapping_or_a_file_and_may_name_its_rules(tmp_path):
    mapping, _ = load_position(
        {**GIVEN, "rules": "500-rum", "with": ["no-calls"], "set": {"game.target": 100}}
    )
    file = tmp_path / "stand.yaml"
    file.write_text(
        "hands: {A: 4d 9h 2h}\npile: 6s 4c Qs 4s 7h\nrules: ./lake.yaml\n", encoding="utf-8"
    )
    (tmp_path / "lake.yaml").write_text(
        "id: lake\nextends: [500-rum, no-calls]\n", encoding="utf-8"
    )
    stand, found = load_position(file, settings=["game.target=100"])
    assert found == ()
    for one in (mapping, stand):
        assert (one.judge.ruleset.calls.of, one.judge.ruleset.game.target) == ("none", 100)
        assert one.position.pile == mapping.position.pile


def test_what_is_asked_for_goes_over_what_a_position_names():
    stand, _ = load_position({**GIVEN, "rules": "500-rum"}, "500-rummy", ["floating"])
    assert stand.judge.ruleset.id == "500-rummy"
    assert stand.judge.ruleset.out.melding_all == "floats"


@pytest.mark.parametrize(
    ("given", "code", "said"),
    [
        ({"hands": {"A": "5x"}}, "log.syntax", "5x"),
        ({"rules": "501-rummy"}, "rules.extends", "500-rummy"),
        ({"with": "floating"}, "log.syntax", "list of options"),
        ({"set": ["game.target=3"]}, "log.syntax", "mapping"),
        ({"set": {"game.taget": 3}}, "rules.key", "target"),
        ("nowhere.yaml", "log.syntax", "cannot be read"),
    ],
)
def test_what_is_wrong_with_a_position_is_told_as_findings(given, code, said):
    stand, (finding, *_) = load_position(given)
    assert stand is None
    assert finding.code == code
    assert said in finding.message


def test_a_fault_in_a_file_has_its_line(tmp_path):
    file = tmp_path / "stand.yaml"
    file.write_text("hands:\n  A: 5x\n", encoding="utf-8")
    _, (finding,) = load_position(file)
    assert (finding.file, finding.span.line, finding.excerpt) == (str(file), 2, "  A: 5x")


def test_judging_leaves_the_position_as_it_is_and_tells_the_next_one():
    stand, _ = load_position(GIVEN)
    first = judge_move(stand, "draw 5s; discard 9h")
    again = judge_move(stand, "draw 5s; discard 9h")
    assert (again.verdict, again.findings, again.points) == (
        first.verdict,
        first.findings,
        first.points,
    )
    assert (first.verdict, first.then) == ("legal", "plays B")
    assert judge_move(first.after, "take 9h; discard 9h").findings[0].code == "discard.taken-top"
    assert [one.code for one in judge_move(first.after, "A: draw; discard 2h").findings] == [
        "turn.order"
    ]


def test_a_move_that_cannot_be_read_has_a_verdict_of_its_own():
    stand, _ = load_position(GIVEN)
    unread, illegal = judge_move(stand, "draw; juggle"), judge_move(stand, "draw; meld 5s 6s")
    assert (unread.verdict, unread.readable, unread.unfinished) == ("unreadable", False, False)
    assert (illegal.verdict, illegal.readable) == ("illegal", True)


@pytest.mark.parametrize(
    ("move", "unfinished"),
    [
        ("draw; discard", True),
        ("draw; meld ", True),
        ("take", True),
        ("A:", True),
        ("", True),
        ("draw; discard 4x", False),
        ("draw; juggle", False),
        ("draw; juggle; discard", False),
        ("draw; discard 2c", False),
        ("draw", False),
    ],
)
def test_a_move_that_stops_too_soon_is_unfinished(move, unfinished):
    stand, _ = load_position(GIVEN)
    assert judge_move(stand, move).unfinished is unfinished


def test_every_listed_move_can_be_made_and_the_first_brings_the_most():
    stand, _ = load_position(GIVEN)
    moves = legal_moves(stand)
    assert all(judge_move(stand, one.move).verdict == "legal" for one in moves)
    assert moves[0].points == max(one.points for one in moves) > 0


def test_a_caller_who_wants_it_gets_an_exception_with_the_finding():
    stand, _ = load_position(GIVEN)
    with pytest.raises(IllegalMove, match="neither melded nor laid off") as raised:
        require_legal(stand, "take 4c; discard 2h")
    assert raised.value.finding.code == "draw.deep.unused"


def test_the_best_way_to_lay_a_hand_down_comes_with_its_proof():
    stand, _ = load_position({"hands": {"A": "5h 6h 7h 8c 8d Jk"}})
    best = best_plays(stand, "points")
    assert best.points == best.bound == best_plays(stand).points


def test_a_log_is_audited_from_a_file_or_a_text(tmp_path):
    file = tmp_path / "friday.rgn"
    file.write_text(LOG, encoding="utf-8")
    for report in (audit_file(file), audit_text(LOG)):
        assert report.verdict == "violations"
        assert [(finding.code, finding.span.line) for finding in report.findings] == [
            ("discard.taken-top", 6)
        ]
    assert audit_file(file, settings=["discard.taken_top=allowed"]).verdict == "clean"


def test_paths_in_a_log_start_at_its_folder(tmp_path):
    (tmp_path / "lake.yaml").write_text(
        "id: lake\nextends: [500-rummy]\ndiscard: {taken_top: allowed}\n", encoding="utf-8"
    )
    log = LOG.replace('"500-rummy"', '"lake.yaml"')
    (tmp_path / "friday.rgn").write_text(log, encoding="utf-8")
    assert (
        audit_file(tmp_path / "friday.rgn").verdict
        == audit_text(log, beside=tmp_path).verdict
        == "clean"
    )


def test_a_log_that_is_not_there_is_an_error_of_the_system(tmp_path):
    with pytest.raises(FileNotFoundError):
        audit_file(tmp_path / "nowhere.rgn")
