"""Completion in the shell: what may stand where the cursor is, and the shells' ways to ask for it.

A shell asks on each press of a key, so that nothing is loaded here that the answer can do without: commands come
from their tables, rulesets from the names of their files, keys from the schema.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, TypeAlias

import typer

if TYPE_CHECKING:
    from typer._click import Command
    from typer._click.shell_completion import CompletionItem

ASKED: Final = "_MELDREF_COMPLETE"
"""The variable by which a shell's script asks."""

Offer: TypeAlias = "str | tuple[str, str]"
"""Something to write, or that and what it means."""


def rulesets(incomplete: str) -> list[Offer]:
    """The ids of the games that ship; where none fits, the shell offers files."""
    return list(_ids("rulesets", incomplete))


def overlays(incomplete: str) -> list[Offer]:
    """The ids of the options that ship."""
    return list(_ids("rulesets/options", incomplete))


def rules_files(incomplete: str) -> list[Offer]:
    """The ids of games and options that ship."""
    return [*rulesets(incomplete), *overlays(incomplete)]


def combinations(incomplete: str) -> list[Offer]:
    """Games with options behind `+`."""
    base, plus, last = incomplete.rpartition("+")
    return [f"{base}{plus}{one}" for one in (_ids("rulesets/options", last) if plus else _ids("rulesets", last))]


def codes(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """The codes of violations; behind `--rules`, the house rules of that ruleset."""
    from meldref.rules.pages import PAGES

    rules = ctx.params.get("rules")
    if rules is None:
        return [code for code in PAGES if code.startswith(incomplete)]
    from meldref_cli.errors import Unusable
    from meldref_cli.ruleset_args import asked, load

    try:
        ruleset, _ = load(asked(rules, ctx.params.get("with_"), ctx.params.get("set_")))
    except Unusable:
        return []
    stated = () if ruleset is None else ruleset.house_rules
    return [(f"house.{one.name}", one.says) for one in stated if f"house.{one.name}".startswith(incomplete)]


def recipes(incomplete: str) -> list[Offer]:
    """The house rules that a new file offers."""
    from meldref.authoring.cookbook import offered

    return [(one.id, one.say) for one in offered() if one.id.startswith(incomplete)]


def keys(incomplete: str) -> list[Offer]:
    """The keys of a ruleset, sections too."""
    from meldref.rulefiles.vocabulary import ANY_NAME, list_keys

    return [
        (key.path, key.text) for key in list_keys() if ANY_NAME not in key.path and key.path.startswith(incomplete)
    ]


def settings(incomplete: str) -> list[Offer]:
    """Keys of a ruleset; where one is meant, that with each value that has a name."""
    from meldref.rulefiles.vocabulary import ANY_NAME, list_keys

    name, equals, _ = incomplete.partition("=")
    keys = [key for key in list_keys() if not key.section and "." in key.path and ANY_NAME not in key.path]
    meant = [key for key in keys if key.path == name or (not equals and key.path.startswith(name))]
    if len(meant) != 1:
        return [(key.path, key.text) for key in meant]
    (key,) = meant
    values: list[tuple[str, str]] = [(word.value, word.text) for word in key.words]
    if key.takes == "true or false":
        values = [("true", ""), ("false", "")]
    elif key.takes != "one of these words":
        values = [(str(key.default), "the default")] if isinstance(key.default, int | str) else []
    if not values and not equals:
        return [f"{key.path}="]
    return [
        (f"{key.path}={value}", text) for value, text in values if f"{key.path}={value}".startswith(incomplete)
    ]


def _ids(folder: str, incomplete: str) -> list[str]:
    from meldref.core.resources import data_path

    found = [path.stem for path in sorted(data_path(*folder.split("/")).glob("*.yaml"))]
    return [one for one in found if one.startswith(incomplete)]


def answer(command: Command) -> None:
    """Answers the shell that asks, and ends the program."""
    from typer import _completion_classes as shells
    from typer._click.shell_completion import add_completion_class, split_arg_string

    class Bash(shells.BashComplete):
        """Bash parts words at `=`, and expects what follows the last one."""

        _cut = ""

        def get_completion_args(self) -> tuple[list[str], str]:
            words, at = split_arg_string(os.environ["COMP_WORDS"]), int(os.environ["COMP_CWORD"])
            *before, current = joined(words[:at], words[at] if at < len(words) else "")
            self._cut = current[: current.rfind("=") + 1]
            return before[1:], current

        def format_completion(self, item: CompletionItem) -> str:
            return str(item.value).removeprefix(self._cut)

    shells._sanitize_help_text = str  # type: ignore[assignment]  # noqa: SLF001  no markup in ours; looking takes rich
    add_completion_class(Bash, "bash")
    command.main(prog_name="meldref")


def joined(before: list[str], current: str) -> list[str]:
    """The words of a command line that bash parted at `=`, the one at the cursor last."""
    whole: list[str] = []
    glue = False
    for word in (*before, current):
        if whole and (glue or word == "="):
            whole[-1] += word
        else:
            whole.append(word)
        glue = word == "="
    return whole
