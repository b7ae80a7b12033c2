"""Games of other programs, ones made like them, and ones with faults and slips audit as is said beside them."""

import pytest

from expected_logs import GAMES, LOGS, failures


@pytest.mark.parametrize(
    "path",
    [path for path in LOGS if path.parent.name != "found"],
    ids=lambda path: f"{path.parent.name}/{path.stem}",
)
@pytest.mark.sweep(every=3)
def test_a_game_audits_as_is_said_beside_it(path):
    assert failures(path) == []


@pytest.mark.parametrize("path", sorted(GAMES.glob("found/*.rgn")), ids=lambda path: path.stem)
def test_a_mistake_is_found_once_and_what_nobody_saw_is_open(path):
    assert failures(path) == []


def test_there_are_games_of_other_programs_made_ones_and_ones_with_faults():
    assert {path.parent.parent.name for path in LOGS} >= {"outside"}
    assert {path.parent.name for path in LOGS} >= {"found", "made", "planted", "slips"}
