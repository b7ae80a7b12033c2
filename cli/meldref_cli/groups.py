"""Groups of commands that load a command's module only when that command is used.

Every module a command line imports is paid for on each call; the table of a group is enough for its help.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

import typer
import typer.core
import typer.main

if TYPE_CHECKING:
    from typer._click import Command, Context, HelpFormatter
    from typer._click.shell_completion import CompletionItem

SETTINGS: Final = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class Entry(NamedTuple):
    """A command: the module and the function it is in, and its line in the group's help."""

    module: str
    function: str
    help: str


class LazyCommands(MutableMapping[str, "Command"]):
    """The commands of a group by name; one that is looked up is loaded."""

    def __init__(self, table: dict[str, Entry]) -> None:
        self._table = table
        self._loaded: dict[str, Command] = {}

    def __getitem__(self, name: str) -> Command:
        if name not in self._loaded:
            entry = self._table[name]
            self._loaded[name] = build(getattr(import_module(entry.module), entry.function), name)
        return self._loaded[name]

    def __setitem__(self, name: str, command: Command) -> None:
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)


class LazyGroup(typer.core.TyperGroup):
    """A group whose commands stand in a table."""

    table: ClassVar[dict[str, Entry]] = {}

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = LazyCommands(self.table)

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

    def format_epilog(self, ctx: Context, formatter: HelpFormatter) -> None:
        """The examples, as they are typed: no line of them is broken."""
        from meldref_cli.examples import EXAMPLES

        examples = EXAMPLES.get(ctx.command_path, ())
        if examples:
            with formatter.section("Examples"):
                for example in examples:
                    formatter.write(f"  {example}\n")

    def collect_usage_pieces(self, ctx: Context) -> list[str]:
        """The parts of the usage line."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]


def build(function: Any, name: str) -> Command:
    """The command that a function with annotated parameters is; a `Typer` stands for a group."""
    if isinstance(function, typer.Typer):
        command = typer.main.get_command(function)
        command.name = name
        return command
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(name, cls=PlainCommand, context_settings=dict(SETTINGS))(function)
    command = typer.main.get_command(app)
    for parameter in command.params:
        if hasattr(parameter.type, "_describe_range"):
            parameter.type._describe_range = partial(_range_in_words, parameter.type)  # noqa: SLF001  no other way
    return command


def _range_in_words(kind: Any) -> str:
    """The numbers that an option takes, as its help says it."""
    return f"at least {kind.min}" if kind.max is None else f"from {kind.min} to {kind.max}"


def group(table: dict[str, Entry], *, completion: bool = False) -> typer.Typer:
    """An app whose commands stand in a table."""
    lazy = type("Commands", (LazyGroup,), {"table": table})
    return typer.Typer(
        cls=lazy,
        add_completion=completion,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings=dict(SETTINGS),
        no_args_is_help=False,
    )
