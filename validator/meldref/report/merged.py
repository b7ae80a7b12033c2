"""A merged ruleset as JSON; its text is a rules file, which `ruleset.show` writes."""

from __future__ import annotations

from meldref.report.json import facts
from meldref.rulefiles.show import merged_values
from meldref.rulefiles.trace import Trace
from meldref.ruleset.model import Ruleset


def merged_data(ruleset: Ruleset, trace: Trace) -> dict[str, object]:
    """Every key with its value, the file and line that set it, and over what."""
    keys: dict[str, dict[str, object]] = {}
    for key, value, origin in merged_values(ruleset):
        keys[key] = {
            "value": value,
            "file": origin.file if origin else None,
            "line": origin.line if origin else None,
            "over": [facts(below, "value", "file", "line") for below in reversed(trace.below(key))],
        }
    return {"id": ruleset.id, "name": ruleset.name, "options": list(ruleset.options), "keys": keys}
