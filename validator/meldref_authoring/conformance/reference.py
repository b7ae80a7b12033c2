"""meldref itself as a program that is asked: the answers that others are held to."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from meldref.cases.expectations import told
from meldref.cases.run import read_cases
from meldref.core.version import __version__
from meldref.replay.explainer import Explainer
from meldref.rulefiles.files import Found
from meldref_authoring.conformance.kit import VERSION

_FILE: Final = "question"


def answers(lines: Iterable[str], explainer: Explainer | None = None) -> Iterator[str]:
    """The answer to each line that wants one, until `stop`; `explainer` is that of logs."""
    rulesets: dict[object, dict[str, Any]] = {}
    for line in lines:
        message = _object(line)
        match message.get("cmd"):
            case "start":
                introduction = {"version": VERSION, "name": "meldref", "release": __version__}
                yield json.dumps(introduction)
            case "ruleset":
                rulesets[str(message.get("id"))] = message
            case "ask":
                ruleset = rulesets.get(str(message.get("ruleset")), {})
                answer = _answer(message.get("case"), ruleset, explainer)
                yield json.dumps({"seq": message.get("seq"), **answer})
            case "stop":
                return
            case other:
                yield json.dumps({"error": f"there is no command {json.dumps(other)}"})


def _object(line: str) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}


def _answer(case: object, ruleset: dict[str, Any], explainer: Explainer | None) -> dict[str, Any]:
    if not isinstance(case, dict) or not ("log" in case or isinstance(case.get("moves"), list)):
        return {"error": "a case has a log, or a list of moves"}
    named = {key: ruleset[key] for key in ("rules", "with", "set") if ruleset.get(key)}
    text = json.dumps({"cases": [{**named, **case}]})
    file, wrong = read_cases(Found(Path(_FILE), _FILE, text=text.encode()), explainer=explainer)
    if file is None:
        return {"error": wrong[0].message}
    outcome = file.outcome(0)
    return {"error": outcome} if isinstance(outcome, str) else told(outcome)
