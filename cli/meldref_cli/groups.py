"""The commands and their options, as `commands.json` declares them; a command's module is loaded when it is used.

Every module a command line imports is paid for on each call; the table of a group is enough for its help.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial, wraps
from importlib import import_module
from inspect import Parameter, Signature, getdoc, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, get_type_hints

import typer
import typer.core
import typer.main

from meldref.core.records import NamedTuple
from meldref_cli import completing, options, output
from meldref_cli.errors import CLEAN, UNUSABLE

if TYPE_CHECKING:
    from typer._click import Command, Context, HelpFormatter
    from typer._click.shell_completion import CompletionItem

SETTINGS: Final = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class Entry(NamedTuple):
    """A command: `module:function`, its line in the group's help, its own options by parameter, and examples.

    `about` is what its own help says after the function's docstring.
    """

    run: str
    help: str
    about: Sequence[str] = ()
    options: Mapping[str, Any] = {}
    examples: Sequence[str] = ()

    @property
    def module(self) -> str:
        """The module that the command is in."""
        return f"meldref_cli.{self.run.partition(':')[0]}"


_DECLARED: Final = json.loads(Path(__file__).with_name("commands.json").read_text(encoding="utf-8"))
SHARED: Final[dict[str, dict[str, Any]]] = _DECLARED["options"]
"""The options of several commands, by the parameter that they are or by another name."""
_ENTRIES: Final = {name: Entry(**entry) for name, entry in _DECLARED["commands"].items()}
COMMANDS: Final = {name: entry for name, entry in _ENTRIES.items() if " " not in name}
"""The commands, in the order of the help."""
RULES_COMMANDS: Final = {
    name.removeprefix("rules "): entry for name, entry in _ENTRIES.items() if name.startswith("rules ")
}


class LazyGroup(typer.core.TyperGroup):
    """A group whose commands are listed in a table."""

    table: ClassVar[dict[str, Entry]] = {}

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands: dict[str, Any] = dict.fromkeys(self.table)

    def get_command(self, ctx: Context | None, cmd_name: str) -> Command | None:
        """A command, which is loaded when it is asked for."""
        if cmd_name in self.table and self.commands[cmd_name] is None:
            self.commands[cmd_name] = build(self.table[cmd_name], cmd_name)
        return self.commands.get(cmd_name)

    def list_commands(self, ctx: Context) -> list[str]:
        """The names, in the table's order."""
        return list(self.table)

    def shell_complete(self, ctx: Context, incomplete: str) -> list[CompletionItem]:
        """The commands that begin so, from the table alone, or the options."""
        from typer._click.shell_completion import CompletionItem

        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        entries = self.table.items()
        return [CompletionItem(name, help=entry.help) for name, entry in entries if name.startswith(incomplete)]

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:
        """The list of commands in the help, from the table alone."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in self.table.items()])


class PlainCommand(typer.core.TyperCommand):
    """A command whose usage line names what has to be there without braces, and whose help ends in examples."""

    examples: Sequence[str] = ()

    def format_epilog(self, ctx: Context, formatter: HelpFormatter) -> None:
        """The examples, as they are typed: no line of them is broken."""
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write(f"  {example}\n")

    def collect_usage_pieces(self, ctx: Context) -> list[str]:
        """The parts of the usage line."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]


def build(entry: Entry, name: str) -> Command:
    """The command of an entry; a `Typer` in place of a function is a group."""
    function = getattr(import_module(entry.module), entry.run.partition(":")[2])
    if isinstance(function, typer.Typer):
        command = typer.main.get_command(function)
        command.name = name
        return command
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    about = "\n".join([getdoc(function) or "", "", *entry.about])
    app.command(name, cls=PlainCommand, context_settings=dict(SETTINGS), help=about)(
        _declared(function, entry.options)
    )
    command = typer.main.get_command(app)
    if isinstance(command, PlainCommand):
        command.examples = entry.examples
    for parameter in command.params:
        if hasattr(parameter.type, "_describe_range"):
            parameter.type._describe_range = partial(_range_in_words, parameter.type)  # noqa: SLF001  no other way
    return command


def _declared(function: Callable[..., int], own: Mapping[str, Any]) -> Callable[..., int]:
    """A command's function with the flags and the help of each parameter, as Typer reads them.

    A parameter whose type is a named tuple stands for an option for each field. `--verbose` is added where the
    function has no use for it: `main` looks whether it was given.
    """
    given: dict[str, Parameter] = {}
    tuples: dict[str, Any] = {}
    for one in signature(function, eval_str=True).parameters.values():
        kind = one.annotation
        given[one.name] = one
        if hasattr(kind, "_fields"):
            tuples[one.name] = kind
            del given[one.name]
            for name, type_ in get_type_hints(kind).items():
                given[name] = one.replace(name=name, annotation=type_, default=kind._field_defaults[name])
    parameters = []
    for one in given.values():
        kind = Annotated[one.annotation, _parameter(one.name, own.get(one.name, {}))]
        parameters.append(one.replace(annotation=kind))
        if one.name == "quiet" and "verbose" not in given:
            added = Annotated[bool, _parameter("verbose", {})]
            parameters.append(Parameter("verbose", one.kind, default=False, annotation=added))

    @wraps(function)
    def run(**arguments: Any) -> int:
        if "verbose" not in given:
            del arguments["verbose"]
        for name, kind in tuples.items():
            arguments[name] = kind(*(arguments.pop(field) for field in kind._fields))
        return function(**arguments)

    run.__dict__["__signature__"] = Signature(parameters)  # what `inspect` and Typer look for
    run.__annotations__ = {}  # Typer would evaluate them again
    return run


def _parameter(name: str, own: str | Mapping[str, Any]) -> Any:
    """A parameter for Typer: what is shared under its name, and what the command says; or under another name."""
    said = dict(SHARED[own] if isinstance(own, str) else {**SHARED.get(name, {}), **own})
    if "completes" in said:
        said["autocompletion"] = getattr(completing, said.pop("completes"))
    if "callback" in said:
        said["callback"] = getattr(options, said["callback"])
    if said.pop("argument", False):
        return typer.Argument(**said)
    return typer.Option(*said.pop("flags", [f"--{name.strip('_').replace('_', '-')}"]), **said)


def _range_in_words(kind: Any) -> str:
    """The numbers that an option takes, as its help says it."""
    return f"at least {kind.min}" if kind.max is None else f"from {kind.min} to {kind.max}"


def group(table: dict[str, Entry], *, completion: bool = False) -> typer.Typer:
    """An app whose commands are listed in a table."""
    lazy = type("Commands", (LazyGroup,), {"table": table})
    return typer.Typer(
        cls=lazy,
        add_completion=completion,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings=dict(SETTINGS),
        no_args_is_help=False,
    )


def help_without_command(context: typer.Context) -> int:
    """Shows a group's help where no command of it is given, which is an error."""
    if context.invoked_subcommand is None:
        output.notice_lines(context.get_help())
        raise typer.Exit(UNUSABLE)
    return CLEAN
