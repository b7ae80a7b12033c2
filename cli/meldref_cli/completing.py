"""Completion in the shell: what may stand where the cursor is, and the shells' ways to ask for it.

A shell asks on each press of a key, so that nothing is loaded here that the answer can do without:
commands come from their tables, rulesets from the names of their files, keys from the schema. Of
what is offered here, Typer keeps what begins as the word at the cursor does.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

import typer

if TYPE_CHECKING:
    from typer._click import Command
    from typer._click.shell_completion import CompletionItem

ASKED: Final = "_MELDREF_COMPLETE"
"""The variable by which a shell's script asks."""

Offer: TypeAlias = "str | tuple[str, str]"
"""Something to write, or that and what it means."""


def rulesets() -> Sequence[Offer]:
    """The ids of the games that ship; where none fits, the shell offers files."""
    return _ids("rulesets")


def overlays() -> Sequence[Offer]:
    """The ids of the options that ship."""
    return _ids("rulesets", "options")


def rules_files() -> Sequence[Offer]:
    """The ids of games and options that ship."""
    return [*rulesets(), *overlays()]


def combinations(incomplete: str) -> Sequence[Offer]:
    """Games with options behind `+`."""
    before, plus, _ = incomplete.rpartition("+")
    return [f"{before}{plus}{name}" for name in (overlays() if plus else rulesets())]


def codes(ctx: typer.Context) -> Sequence[Offer]:
    """The codes of violations; behind `--rules`, the house rules of that ruleset."""
    from meldref.rules.pages import PAGES

    return list(PAGES) if ctx.params.get("rules") is None else _house_rules(ctx, "house")


def _house_rules(ctx: typer.Context, family: str) -> Sequence[Offer]:
    """The house rules of the ruleset behind `--rules`."""
    from meldref_cli.errors import Unusable
    from meldref_cli.ruleset_args import asked, load

    try:
        ruleset, _ = load(asked(*map(ctx.params.get, ("rules", "with_", "set_"))))
    except Unusable:
        return []
    rules = () if ruleset is None else ruleset.house_rules
    return [(f"{family}.{rule.name}", rule.says) for rule in rules]


def recipes() -> Sequence[Offer]:
    """The house rules that a new file offers."""
    from meldref_authoring.cookbook import offered

    return [(recipe.id, recipe.say) for recipe in offered()]


def keys(ctx: typer.Context) -> Sequence[Offer]:
    """The keys of a ruleset, sections too; behind `--rules`, those of its house rules."""
    from meldref.rulefiles.vocabulary import ANY_NAME, list_keys

    own = [] if ctx.params.get("rules") is None else _house_rules(ctx, "house_rules")
    return [*((key.path, key.text) for key in list_keys() if ANY_NAME not in key.path), *own]


def settings(incomplete: str) -> Sequence[Offer]:
    """Keys of a ruleset; where one is meant, that with each value that has a name."""
    from meldref.rulefiles.vocabulary import ANY_NAME, list_keys

    name, equals, _ = incomplete.partition("=")
    keys = [
        key
        for key in list_keys()
        if not key.section and "." in key.path and ANY_NAME not in key.path
    ]
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
    return [(f"{key.path}={value}", text) for value, text in values]


def _ids(*folder: str) -> list[str]:
    from meldref.core.resources import data_path

    return [path.stem for path in sorted(data_path(*folder).glob("*.yaml"))]


def answer(command: Command) -> None:
    """Answers the shell that asks, and ends the program."""
    from typer import _completion_classes as shells
    from typer._click.shell_completion import add_completion_class, split_arg_string

    class Bash(shells.BashComplete):
        """Bash parts words at `=`, and expects what follows the last one."""

        _cut = ""

        def get_completion_args(self) -> tuple[list[str], str]:
            words, at = split_arg_string(os.environ.get("COMP_WORDS", "")), _word_asked_about()
            *before, current = joined(words[:at], words[at] if at < len(words) else "")
            self._cut = current[: current.rfind("=") + 1]
            return before[1:], current

        def format_completion(self, item: CompletionItem) -> str:
            return str(item.value).removeprefix(self._cut)

    # There is no markup in our help, and looking for it takes rich.
    shells._sanitize_help_text = str  # type: ignore[assignment]  # noqa: SLF001
    add_completion_class(Bash, "bash")
    command.main(prog_name="meldref")


def _word_asked_about() -> int:
    """The number of the word at the cursor, as bash says; 0 if it is not bash that asks."""
    number = os.environ.get("COMP_CWORD", "")
    return int(number) if number.isdecimal() else 0


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
