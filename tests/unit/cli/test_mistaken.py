"""A file of another kind than is meant: the command that reads it is named."""

from __future__ import annotations

import pytest

from cli_logs import LOG

FILES = {
    "friday.rgn": LOG,
    "friday.jsonl": '{"event": "turn", "player": "A", "actions": [{"action": "draw"}, {"action": "pass"}]}\n',
    "lake.yaml": "# ours\nid: lake\nname: Lake\nextends: [500-rummy]\n",
    "cases.yaml": "cases:\n- name: x\n",
    "here.yaml": "hands: {A: 5h 6h}\npile: 7h\n",
    "other.txt": "a shopping list\n",
}
READ_BY = {
    "friday.rgn": "a log: `meldref audit friday.rgn` reads it",
    "friday.jsonl": "a log as JSON Lines: `meldref convert --to rgn friday.jsonl` reads it",
    "lake.yaml": "a rules file: `meldref rules check lake.yaml` reads it",
    "cases.yaml": "a case file: `meldref rules test cases.yaml` reads it",
    "here.yaml": "a position: `meldref legal --position here.yaml` reads it",
}


@pytest.fixture
def files(log):
    for name, text in FILES.items():
        log(text, name)


@pytest.mark.parametrize(
    ("command", "own"),
    [
        (["audit"], {"friday.rgn"}),
        (["fmt"], {"friday.rgn", "friday.jsonl"}),
        (["replay"], {"friday.rgn"}),
        (["rules", "check"], {"lake.yaml", "cases.yaml"}),
        (["rules", "show"], {"lake.yaml", "cases.yaml"}),
        (["rules", "test"], {"lake.yaml", "cases.yaml"}),
        (["legal", "draw", "--position"], {"here.yaml"}),
    ],
    ids=lambda one: " ".join(one) if isinstance(one, list) else "",
)
def test_a_file_of_another_kind_is_told_with_the_command_that_reads_it(
    meldref, files, command, own
):
    for name in FILES:
        told = f"meldref: {name} looks like {READ_BY.get(name)}\n"
        assert (told in meldref(*command, name).err) == (name in READ_BY.keys() - own)


def test_what_it_looks_like_is_no_part_of_the_result(meldref, files):
    ran = meldref("audit", "lake.yaml", "--format", "json")
    assert ran.data["logs"][0]["verdict"] == "unreadable"
    assert "looks like" not in meldref("audit", "lake.yaml", "--quiet").err
