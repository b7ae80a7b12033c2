"""What can be found under a ruleset, and what has an effect there, is what the table `reach.yaml` says."""

import json
from pathlib import Path

import pytest

from meldref.rulefiles.consistency import ineffective
from meldref.rules.declare import CODES, SWITCHES, IsSet
from meldref_authoring.coverage import codes_under
from simulated import ruleset
from written import read_yaml_file

TABLE = read_yaml_file(Path(__file__).with_name("reach.yaml"))


def under(settings):
    return ruleset(settings=[f"{key}={json.dumps(value)}" for key, value in settings.items()])


def rows(part, word):
    return [
        pytest.param(name, settings, id=f"{name}-{settings}")
        for name, said in TABLE[part].items()
        for settings in said[word]
    ]


def test_the_table_has_a_row_for_each_code_and_key_about_which_a_function_decides():
    """One that a single setting decides about, by `is_set` or `at`, needs none."""
    decided = {code.code: code.where for code in CODES.values() if code.where is not None}
    rests = {key: switch.off for switch in SWITCHES for key in switch.keys}
    for part, wheres in (("codes", decided), ("keys", rests)):
        missing = {name for name, where in wheres.items() if not isinstance(where, IsSet)}
        missing -= set(TABLE[part])
        assert not missing, f"reach.yaml, {part}: write a row for each of {sorted(missing)}"
        strange = set(TABLE[part]) - set(wheres)
        assert not strange, f"reach.yaml, {part}: no setting decides about {sorted(strange)}"


@pytest.mark.parametrize(("code", "settings"), rows("codes", "with"))
def test_a_code_can_be_found(code, settings):
    assert code in codes_under(under(settings))


@pytest.mark.parametrize(("code", "settings"), rows("codes", "without"))
def test_a_code_cannot_be_found(code, settings):
    assert code not in codes_under(under(settings))


@pytest.mark.parametrize(("key", "settings"), rows("keys", "acts"))
def test_a_key_has_an_effect(key, settings):
    assert key not in {name for name, _ in ineffective(under(settings))}


@pytest.mark.parametrize(("key", "settings"), rows("keys", "rests"))
def test_a_key_has_none(key, settings):
    assert key in {name for name, _ in ineffective(under(settings))}
