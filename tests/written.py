"""What the tests read of the data beside them: files of YAML, pairs that tell words of keys apart, rulesets."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from meldref.rulefiles.load import load_ruleset
from meldref.ruleset.model import Ruleset

TESTS = Path(__file__).resolve().parent
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def read_yaml_file(path: Path) -> Any:
    """What a file says, read once: nobody may change it. The loader is the safe one, in C where it is."""
    return yaml.load(path.read_text(encoding="utf-8"), _LOADER)  # noqa: S506


@cache
def pairs() -> list[dict[str, Any]]:
    """For each key and each of its words a hand that tells them apart (`tests/cases/keys.yaml`)."""
    return read_yaml_file(TESTS / "cases" / "keys.yaml")["pairs"]


def loaded(name: str, options=(), settings=()) -> Ruleset:
    """A ruleset that has to be usable, loaded once."""
    return _loaded(name, tuple(options), json.dumps(settings))


@cache
def _loaded(name: str, options: tuple[str, ...], settings: str) -> Ruleset:
    ruleset, findings = load_ruleset(name, options, json.loads(settings))
    assert ruleset is not None, findings
    return ruleset
