"""The pages about house rules that a program writes: the table of facts, and the cookbook."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any, Final, cast

from blocks import ROOT
from meldref.conditions.facts import ELEMENTS, LISTS, SUBJECTS, facts_like
from meldref.conditions.types import ACTIONS, ALWAYS, END, EVERYWHERE, HAND, Fact
from meldref.documents.reader import Value, read_data
from meldref.rulefiles.files import BASE
from meldref.rulefiles.merge import HEAD, flow
from meldref.ruleset.model import GAME
from meldref_authoring.cookbook import Recipe, read_recipes, rule_lines
from places import MADE

SCHEMA: Final = ROOT / "rulesets" / "ruleset.schema.json"
BASE_FILE: Final = ROOT / "rulesets" / f"{BASE}.yaml"
_LANGUAGE: Final = (
    "Lists are asked with `count(cards)`, `count(cards, .rank is K)`, `any(…)`, `all(…)`, `sum(cards, .points)` "
    "and `sum(players, .held, not .has_melded)`; a dot means the one looked at. Between them: `is`, `is not`, "
    "`in [2-9, A]`, `<`, `<=`, `>`, `>=`, `+`, `-`, `*`, `/`, `and`, `or`, `not`, `min(a, b)`, `max(a, b)`, "
    "`round_down(a, 5)`, `round_up(a, 5)`."
)


def schema() -> str:
    """The schema of rules files with the defaults, and what editors show and offer of each fact."""
    whole = json.loads(SCHEMA.read_text(encoding="utf-8"))
    _set_defaults(whole, read_data(BASE_FILE))
    rule = whole["$defs"]["house_rule"]["else"]["properties"]
    listed, snippets = list[str](), list[dict[str, str]]()
    for subject, (table, _, about) in SUBJECTS.items():
        like = facts_like(subject)
        listed.append(
            f"- `{subject}`: {about}" + (f" It has the facts of `{like}`." if like else "")
        )
        if like is None:
            listed += [f"  - `.{fact.name}`: {fact.about}" for fact in table.values()]
        snippets += [_snippet(f"{subject}.{fact.name}", fact) for fact in table.values()]
    listed += [f"- `{name}` (a list): {fact.about}" for name, fact in LISTS.items()]
    listed += [f"- `.{fact.name}`: {fact.about}" for fact in _only_of_lists()]
    snippets += [_snippet(name, fact) for name, fact in LISTS.items()]
    for key in ("award", "when", "unless"):
        lead = rule[key]["description"]
        facts_said = "\n".join(listed)
        rule[key]["markdownDescription"] = (
            f"{lead}\n\nFacts, with what each says:\n\n{facts_said}\n\n{_LANGUAGE}"
        )
    for key in ("when", "unless"):
        rule[key]["defaultSnippets"] = snippets
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def _set_defaults(node: dict[str, Any], value: Mapping[str, Any]) -> None:
    """Sets the default of each key that the base ruleset sets to its value there."""
    for key, part in node["properties"].items():
        if "properties" in part:
            _set_defaults(part, value.get(key, {}))
        elif key in value and key not in HEAD:
            part["default"] = value[key]


def _snippet(label: str, fact: Fact) -> dict[str, str]:
    return {"label": label, "description": fact.about, "body": label}


def facts() -> str:
    """Every fact that a condition can ask, from the table that the checker reads."""
    parts = [
        MADE,
        "# The facts of house rules",
        "What stands before a dot, and behind it. A fact that an action does not have is an error at its column.",
    ]
    for subject, (table, where, about) in SUBJECTS.items():
        like = facts_like(subject)
        if like is not None:
            parts += [f"## {subject}", f"{about} Its facts are those of `{like}`{_where(where)}."]
            continue
        parts += [
            f"## {subject}",
            f"{about}{_where(where, sentence=True)}",
            _table(f"{subject}.", table.values()),
        ]
    parts += ["## Lists", _table("", LISTS.values())]
    parts += [
        "What a list's condition can ask of each thing besides the facts of `card`, `meld` and `player`:",
        _table(".", _only_of_lists()),
    ]
    return "\n\n".join(parts) + "\n"


def _only_of_lists() -> list[Fact]:
    """The facts that only a list's condition can ask."""
    others = [table for table, _, _ in SUBJECTS.values()]
    return [
        fact
        for table in ELEMENTS.values()
        for name, fact in table.items()
        if not any(name in other for other in others)
    ]


def _table(prefix: str, some: Iterable[Fact]) -> str:
    rows = ["| fact | is | says |", "|---|---|---|"]
    rows += [
        f"| `{prefix}{fact.name}` | {fact.sort} | {fact.about}{_where(fact.where, sentence=True)} |"
        for fact in some
    ]
    return "\n".join(rows)


def _where(where: frozenset[str], *, sentence: bool = False) -> str:
    """Where something is there, if not everywhere."""
    if where in {ALWAYS, EVERYWHERE}:
        return ""
    if where == EVERYWHERE - {HAND}:
        words = "not at the hand's end"
    elif where == {HAND}:
        words = "in an award at the hand's end"
    elif where == {GAME}:
        words = "in an award for the game"
    else:
        words = "of " + ", ".join(f"`{word}`" for word in (*ACTIONS, END) if word in where)
    return f" {words[0].upper()}{words[1:]}." if sentence else f", {words}"


_LEAD = (
    "Rules that tables play, in the words of players, and how they are written in a rules file. The suite runs "
    "two cases of each: one that comes out otherwise by the rule, and one that it leaves alone. "
    "`meldref rules explain --search WORDS` finds them."
)


def cookbook() -> str:
    """You say, you write: every recipe of the cookbook."""
    parts = [
        MADE,
        "# Cookbook",
        _LEAD,
    ]
    for section, some in groupby(read_recipes(), key=lambda one: one.section):
        parts.append(f"## {section}")
        for one in some:
            parts += [f"**{one.say}**", written(one)]
    return "\n\n".join(parts) + "\n"


def written(recipe: Recipe) -> str:
    """A recipe as a block of a rules file."""
    lines = [f"id: {recipe.id}", "extends: [500-rummy]"]
    for key, value in recipe.writes.items():
        if key != "house_rules":
            *above, last = key.split(".")
            opening = "".join(f"{part}: {{" for part in above)
            lines.append(f"{opening}{last}: {flow(value)}{'}' * len(above)}")
            continue
        lines.append("house_rules:")
        lines += rule_lines(cast("dict[str, dict[str, Value]]", value))
    return "```yaml\n" + "\n".join(lines) + "\n```"
