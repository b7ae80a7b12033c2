"""Every key of play and scoring that a ruleset accepts changes what the referee says; none is ignored."""

import json
from collections.abc import Iterator

import pytest

from meldref.cases.run import read_cases
from meldref.core.resources import data_path
from meldref.notation.reader import read_lines
from meldref.replay.log import Overrides
from meldref_evidence.audit import replay
from meldref_evidence.explaining import RecordExplainer
from written import pairs, read_yaml_file

PAIRS = pairs()
SCHEMA = json.loads(data_path("rulesets", "ruleset.schema.json").read_text(encoding="utf-8"))
ABOUT_THE_FILE = {
    "id", "name", "type", "aliases", "about", "source", "extends", "needs", "excludes", "customs", "cases"
}  # fmt: skip
EXTRA = {"open", "found"}


def leaves(node: dict, path: str = "") -> Iterator[tuple[str, dict]]:
    """Each key of play and scoring that holds a value, with its schema; kinds of meld as `melds.kinds.*`."""
    for name, schema in node["properties"].items():
        key = f"{path}.{name}" if path else name
        if key in ABOUT_THE_FILE:
            continue
        if key == "melds.kinds":
            yield from leaves(SCHEMA["$defs"]["kind"]["else"], "melds.kinds.*")
        elif "properties" in schema:
            yield from leaves(schema, key)
        else:
            yield key, schema


KEYS = dict(leaves(SCHEMA))


def general(key: str) -> str:
    """A key path with the name of a kind of meld left open."""
    parts = key.split(".")
    return ".".join([*parts[:2], "*", *parts[3:]]) if key.startswith("melds.kinds.") else key


def as_list(value: object) -> list:
    """The words of a list, `only: […]` by its name."""
    words = value if isinstance(value, list) else [value]
    return [next(iter(word)) if isinstance(word, dict) else word for word in words]


def before(pair: dict) -> object:
    """What the key says without the pair's value: what the base sets, else the default."""
    key = pair["key"]
    if key in pair.get("set", {}):
        return pair["set"][key]
    node: object = read_yaml_file(data_path("rulesets", "500-rummy.yaml"))
    for part in key.split("."):
        node = node[part]
    return node


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    """The cases of every pair, the base and the changed one, and the file that runs them."""
    cases = []
    for pair in PAIRS:
        settings = pair.get("set", {})
        for which, more in (("base", {}), ("changed", {pair["key"]: pair["value"]})):
            expect = {key: value for key, value in pair[which].items() if key not in EXTRA}
            shared = {key: pair[key] for key in ("given", "moves", "log", "with") if key in pair}
            name = f"{pair['key']} {which}"
            rules = pair.get("rules", "500-rummy")
            cases.append(
                {
                    "name": name,
                    "rules": rules,
                    "set": {**settings, **more},
                    "expect": expect,
                    **shared,
                }
            )
    path = tmp_path_factory.mktemp("keys") / "keys.yaml"
    path.write_text(json.dumps({"cases": cases}), encoding="utf-8")
    file, findings = read_cases(path, explainer=RecordExplainer())
    assert findings == ()
    return cases, file


def undecided(case: dict) -> bool:
    """Whether a log leaves something open."""
    settings = tuple(f"{key}={json.dumps(value)}" for key, value in case["set"].items())
    overrides = Overrides(case["rules"], tuple(case.get("with", ())), settings)
    return bool(replay(read_lines(case["log"]), overrides=overrides).open)


NAMES = [f"{pair['key']}-{pair['value']}" for pair in PAIRS]


@pytest.mark.parametrize("index", range(len(PAIRS)), ids=NAMES)
def test_a_key_changes_the_outcome(index, pairs, request):
    pair = PAIRS[index]
    if "pending" in pair:
        request.applymarker(pytest.mark.xfail(reason=pair["pending"], strict=True))
    assert pair["base"] != pair["changed"], "both sides of a pair expect the same"
    cases, file = pairs
    for number, which in enumerate(("base", "changed"), start=2 * index):
        case, result = cases[number], file.run(number)
        assert result.passed, f"{which}: {result.failed}, got {result.got}"
        if "found" in pair[which]:
            assert result.got["because"] == pair[which]["found"], which
        if "open" in pair[which] or "open" in pair["base"]:
            assert undecided(case) is pair[which].get("open", False), which


@pytest.mark.parametrize("index", range(len(PAIRS)), ids=NAMES)
def test_a_pair_changes_the_value(index):
    pair = PAIRS[index]
    assert pair["value"] != before(pair)


@pytest.mark.parametrize("key", KEYS)
def test_every_key_and_every_word_it_takes_has_a_pair(key):
    pairs = [pair for pair in PAIRS if general(pair["key"]) == key]
    assert pairs, f"no pair shows what {key} does"
    schema = KEYS[key]
    if "enum" in schema:
        missing = set(schema["enum"]) - {pair["value"] for pair in pairs} - {schema["default"]}
        assert not missing
    elif schema.get("type") == "array":
        items = schema["items"]
        words = set(items.get("enum") or items.get("else", {}).get("enum") or {"joker", "named", 2})
        if key.endswith("require"):
            words |= {"only"}
        toggled = set()
        for pair in pairs:
            toggled |= set(as_list(pair["value"])) ^ set(as_list(before(pair)))
        assert words <= toggled, f"no pair adds or takes away {words - toggled}"


def test_a_kind_of_meld_can_be_taken_away():
    assert any(pair["key"].startswith("melds.kinds.") and pair["value"] == "none" for pair in PAIRS)
