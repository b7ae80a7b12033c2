"""The commands, by name: a command's module is imported only when it is called.

Every module that a command line imports costs time on each call; the tables here are enough for
the help of a group.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Final

import typer
import typer.core
import typer.main

from meldref.core.records import NamedTuple
from meldref_cli import output
from meldref_cli.errors import CLEAN, UNUSABLE

if TYPE_CHECKING:
    from typer._click import Command, Context, HelpFormatter
    from typer._click.shell_completion import CompletionItem

_SETTINGS: Final = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class Entry(NamedTuple):
    """A command: the module of this package and the function, and its line in the group's help."""

    module: str
    function: str
    help: str


COMMANDS: Final = {
    "audit": Entry("audit", "audit", "Replays logs and reports every violation."),
    "report": Entry("audit", "report", "Audits logs and writes a web page that replays them."),
    "legal": Entry("legal", "legal", "Says whether a move is legal, or lists the legal moves."),
    "melds": Entry("melds", "melds", "Lists every meld that some cards can make."),
    "best": Entry("melds", "best", "Finds the most valuable way to lay down a hand."),
    "score": Entry("score", "score", "Counts a hand, the score sheet of a game, or standings."),
    "table": Entry("table", "table", "Referees a game while it is played, and writes its log."),
    "replay": Entry("replay", "replay", "Shows the table after each turn of a log."),
    "view": Entry("viewing", "view", "Writes a log as one player saw it, or everybody."),
    "fmt": Entry("fmt", "fmt", "Rewrites logs in canonical form."),
    "convert": Entry("convert", "convert", "Converts logs to JSON Lines and back."),
    "import": Entry("importing", "import_", "Writes a score sheet as a log."),
    "simulate": Entry("simulate", "simulate", "Plays games and writes their logs."),
    "serve": Entry("serving", "serve", "Answers questions of other programs, as lines of JSON."),
    "lsp": Entry("serving", "serve_editor", "Answers an editor, as a language server."),
    "mcp": Entry("assisting", "mcp", "Gives assistants tools, by the Model Context Protocol."),
    "explain": Entry("explain", "explain", "Explains a violation, with examples."),
    "conformance": Entry(
        "conformance", "conformance", "Asks another program every case, and checks its answers."
    ),
    "rules": Entry("main", "rules_app", "Lists, shows, checks, tests and compares rulesets."),
}
"""The commands, in the order of the help."""

RULES_COMMANDS: Final = {
    "list": Entry("showing", "list_rules", "Lists the rulesets and options that ship."),
    "show": Entry("showing", "show_rules", "Shows a merged ruleset, and what set each key."),
    "explain": Entry(
        "explain", "explain_key", "Explains a key: what it means, and what set it here."
    ),
    "new": Entry("new_rules", "new_rules", "Asks ten questions and writes a rules file."),
    "check": Entry(
        "checking", "check_rules", "Checks rulesets and options, and fixes mistakes in them."
    ),
    "test": Entry("cases", "run_cases", "Runs the cases of case files and rulesets."),
    "diff": Entry("differing", "diff", "Shows how two rulesets differ in meaning."),
    "compare": Entry("differing", "compare", "Plays by two rulesets and shows what changes."),
    "infer": Entry("inferring", "infer", "Finds the rules that logs were played by."),
    "rulebook": Entry("showing", "write_rulebook", "Writes the rules as a book to play from."),
    "schema": Entry("showing", "write_schema", "Prints the JSON Schema of rules files."),
}
"""The commands of `meldref rules`, in the order of its help."""


class LazyGroup(typer.core.TyperGroup):
    """A group whose commands are listed in a table."""

    table: ClassVar[dict[str, Entry]] = {}

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands: dict[str, Any] = dict.fromkeys(self.table)

    def get_command(self, ctx: Context | None, cmd_name: str) -> Command | None:
        """A command, which is imported when it is first asked for; None if there is none."""
        if cmd_name in self.table and self.commands[cmd_name] is None:
            self.commands[cmd_name] = load(cmd_name, self.table[cmd_name])
        return self.commands.get(cmd_name)

    def list_commands(self, ctx: Context) -> list[str]:
        """The names, in the table's order."""
        return list(self.table)

    def shell_complete(self, ctx: Context, incomplete: str) -> list[CompletionItem]:
        """The commands that begin like this, from only the table, or the options."""
        from typer._click.shell_completion import CompletionItem

        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        return [
            CompletionItem(name, help=entry.help)
            for name, entry in self.table.items()
            if name.startswith(incomplete)
        ]

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:
        """The list of commands in the help, from only the table."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in self.table.items()])


class PlainCommand(typer.core.TyperCommand):
    """A command whose help is its function's docstring, of which `Examples:` come last.

    A command that has no `--verbose` of its own gets one, which `main` looks for.
    """

    def __init__(self, *arguments: Any, **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        about, _, self.examples = (self.help or "").partition("\nExamples:\n")
        self.help = about
        names = [parameter.name for parameter in self.params]
        if "verbose" not in names:
            self.params.insert(names.index("quiet") + 1, _verbose())
        for parameter in self.params:
            if hasattr(parameter.type, "_describe_range"):
                words = partial(_range_in_words, parameter.type)
                parameter.type._describe_range = words  # noqa: SLF001  there is no other way

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Reads the arguments; what is wrong with them comes with the command it is about."""
        try:
            return super().parse_args(ctx, args)
        except typer.TyperException as wrong:
            wrong.__dict__["ctx"] = ctx
            raise

    def format_epilog(self, ctx: Context, formatter: HelpFormatter) -> None:
        """The examples, as they are typed: no line of them is broken."""
        if self.examples:
            with formatter.section("Examples"):
                formatter.write(f"{self.examples}\n")

    def collect_usage_pieces(self, ctx: Context) -> list[str]:
        """The parts of the usage line, without braces around what is required."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]


def _verbose() -> typer.core.TyperOption:
    """`--verbose` for a command whose function has no use for it."""
    return typer.core.TyperOption(
        param_decls=["--verbose", "-v"],
        is_flag=True,
        expose_value=False,
        help="Also show the traceback if the program itself fails.",
    )


def _range_in_words(numbers: Any) -> str:
    """The numbers that an option takes, as its help describes them."""
    if numbers.max is None:
        return f"at least {numbers.min}"
    return f"from {numbers.min} to {numbers.max}"


def load(name: str, entry: Entry) -> Command:
    """The command of an entry; where a `Typer` stands in place of a function, a group."""
    function = getattr(import_module(f"meldref_cli.{entry.module}"), entry.function)
    if isinstance(function, typer.Typer):
        command = typer.main.get_command(function)
        command.name = name
        return command
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(name, cls=PlainCommand, context_settings=dict(_SETTINGS))(function)
    return typer.main.get_command(app)


def group(table: dict[str, Entry], *, completion: bool = False) -> typer.Typer:
    """An app whose commands are listed in a table."""
    lazy = type("Commands", (LazyGroup,), {"table": table})
    return typer.Typer(
        cls=lazy,
        add_completion=completion,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings=dict(_SETTINGS),
        no_args_is_help=False,
    )


def help_without_command(context: typer.Context) -> int:
    """Shows a group's help if none of its commands is given, which is an error."""
    if context.invoked_subcommand is None:
        output.notice_lines(context.get_help())
        raise typer.Exit(UNUSABLE)
    return CLEAN
