"""The pages about house rules that a program writes: the table of facts, and the cookbook."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import cast

from meldref.authoring.cookbook import Recipe, read_recipes, rule_lines
from meldref.conditions.facts import LISTS, SUBJECTS
from meldref.conditions.types import ACTIONS, END, EVERYWHERE, HAND, Fact
from meldref.documents.reader import Value
from meldref.rulefiles.merge import flow
from places import MADE


def facts() -> str:
    """Every fact that a condition can ask, from the table that the checker reads."""
    parts = [
        MADE,
        "# The facts of house rules",
        "What stands before a dot, and behind it. A fact that an action does not have is an error at its column.",
    ]
    for subject, (table, where, about) in SUBJECTS.items():
        if subject in {"partner", "out"}:
            parts += [f"## {subject}", f"{about} Its facts are those of `player`{_where(where)}."]
            continue
        parts += [f"## {subject}", f"{about}{_where(where, sentence=True)}", _table(f"{subject}.", table.values())]
    parts += ["## Lists", _table("", LISTS.values())]
    return "\n\n".join(parts) + "\n"


def _table(prefix: str, some: Iterable[Fact]) -> str:
    rows = ["| fact | is | says |", "|---|---|---|"]
    rows += [
        f"| `{prefix}{fact.name}` | {fact.sort} | {fact.about}{_where(fact.where, sentence=True)} |"
        for fact in some
    ]
    return "\n".join(rows)


def _where(where: frozenset[str], *, sentence: bool = False) -> str:
    """Where something is there, if not everywhere."""
    if where == EVERYWHERE:
        return ""
    if where == EVERYWHERE - {HAND}:
        words = "not at the hand's end"
    elif where == {HAND}:
        words = "in an award at the hand's end"
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
