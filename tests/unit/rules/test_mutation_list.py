"""The list of mutants that cannot be noticed says where each is, what it changes, and why nobody can tell."""

import pytest

from paths import ROOT
from written import read_yaml_file

LIST = read_yaml_file(ROOT / "tests" / "mutation" / "unnoticeable.yaml")
ENTRIES = [
    (module, function, entry)
    for module, functions in LIST["listed"].items()
    for function, entries in functions.items()
    for entry in entries
]


@pytest.mark.parametrize(("module", "function", "entry"), ENTRIES, ids=lambda part: str(part)[:40])
def test_an_entry_names_a_module_a_change_and_a_reason(module, function, entry):
    assert (ROOT / "validator" / f"{module}.py").exists()
    assert entry.keys() == {"was", "why", "now"}
    assert entry["why"]
    assert entry["now"]
    assert entry["was"] not in entry["now"]
    assert len(set(entry["now"])) == len(entry["now"])


def test_what_holds_everywhere_has_a_reason_too():
    assert all(
        entry.keys() == {"was", "now", "why"} and entry["why"] for entry in LIST["everywhere"]
    )


def test_no_change_is_listed_twice():
    changes = [(*where, entry["was"], now) for *where, entry in ENTRIES for now in entry["now"]]
    assert len(set(changes)) == len(changes)
