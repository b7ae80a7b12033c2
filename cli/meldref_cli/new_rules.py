"""`meldref rules new`: a rules file for a house's own game, from ten questions."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Annotated, Final

import typer

from meldref.core.resources import data_path
from meldref.core.text import in_words
from meldref.rulefiles.files import is_path, is_rules_file, is_shipped
from meldref_cli import completing, options, output
from meldref_cli.errors import CLEAN, UNUSABLE, Unusable
from meldref_cli.files import STANDARD_INPUT, is_file
from meldref_cli.findings import tell
from meldref_cli.interviewing import Interview
from meldref_cli.ruleset_args import asked
from meldref_cli.writing import check_may_write_rules, deliver

if TYPE_CHECKING:
    from meldref_authoring.cookbook import Recipe
    from meldref_authoring.wizard import Clash, House, Question, StartingGame

_FIRST: Final = "our-house"


_File = Annotated[
    str | None,
    typer.Argument(metavar="FILE", help="The file to write; - or none for standard output."),
]
_Game = Annotated[
    str,
    typer.Option(
        "--game",
        metavar="ID",
        autocompletion=completing.rulesets,
        help="The shipped game that is closest to yours.",
    ),
]
_Name = Annotated[str | None, typer.Option("--name", metavar="TEXT", help="The name of your game.")]
_Jokers = Annotated[
    str | None,
    typer.Option("--jokers", metavar="ANSWER", help="Wild cards: wild, none, twos, named."),
]
_Values = Annotated[
    str | None,
    typer.Option("--values", metavar="ANSWER", help="What two to nine count: face, fives."),
]
_Aces = Annotated[
    str | None,
    typer.Option(
        "--aces",
        metavar="ANSWER",
        help="What an ace counts: 15-or-1, 15-or-5, 15, 25, four-at-100.",
    ),
]
_Top = Annotated[
    str | None,
    typer.Option("--top", metavar="ANSWER", help="The top card, taken alone: free, must-use."),
]
_Deep = Annotated[
    str | None,
    typer.Option(
        "--deep",
        metavar="ANSWER",
        help="How the deepest of several cards taken is used: any-way, new-meld, keep.",
    ),
]
_LayOff = Annotated[
    str | None,
    typer.Option("--lay-off", metavar="ANSWER", help="Laying off: any, after-melding, own."),
]
_Calls = Annotated[
    str | None,
    typer.Option("--calls", metavar="ANSWER", help="What can be called: pile, last-discard, none."),
]
_GoingOut = Annotated[
    str | None,
    typer.Option(
        "--going-out",
        metavar="ANSWER",
        help="How to go out: any-way, discard, floating, unplayable, claimable.",
    ),
]
_Win = Annotated[
    str | None, typer.Option("--win", metavar="ANSWER", help="Who wins: highest, go-out.")
]
_Target = Annotated[
    str | None, typer.Option("--target", metavar="N", help="The points that end a game.")
]
_HouseRule = Annotated[
    list[str] | None,
    typer.Option(
        "--house-rule",
        metavar="NAME",
        autocompletion=completing.recipes,
        help="A house rule of the cookbook, such as going-rummy; can be repeated.",
    ),
]
_Ask = Annotated[
    bool | None,
    typer.Option(
        "--ask/--no-ask", help="Ask what no option answers; by default only on a terminal."
    ),
]
_Schema = Annotated[
    str | None,
    typer.Option(
        "--schema",
        metavar="PATH|URL",
        help="The schema for editors; the installed one if left out.",
    ),
]


def new_rules(
    file: _File = None,
    game: _Game = "500-rummy",
    name: _Name = None,
    jokers: _Jokers = None,
    values: _Values = None,
    aces: _Aces = None,
    top: _Top = None,
    deep: _Deep = None,
    lay_off: _LayOff = None,
    calls: _Calls = None,
    going_out: _GoingOut = None,
    win: _Win = None,
    target: _Target = None,
    house_rule: _HouseRule = None,
    ask: _Ask = None,
    schema: _Schema = None,
    force: options.Force = False,
    quiet: options.QuietErrors = False,
) -> int:
    """Asks ten questions, and writes a rules file with what differs from a printed game.

    Each question is also an option, and so are ten house rules of the cookbook. Anything neither
    asked nor given stays as in the game. Answers that do not go together are reported, and nothing
    is written.

    Exit status: 0 done, 2 unusable arguments or answers, or a file that already exists.

    Examples:
      meldref rules new lake.yaml
      meldref rules new pond.yaml --jokers twos --target 1000 --no-ask
    """
    from meldref_authoring.cookbook import offered
    from meldref_authoring.wizard import QUESTIONS, House, write_house

    out = None if file == STANDARD_INPUT else file
    check_may_write_rules(out, force=force)
    table = _start_from(game)
    by_option = (jokers, values, aces, top, deep, lay_off, calls, going_out, win, target)
    answers = _checked(zip(QUESTIONS, by_option, strict=True))
    answered_by_options = frozenset(answers)
    recipes = _recipes(house_rule or (), offered())
    if output.is_terminal(sys.stdin) if ask is None else ask:
        interview = Interview(
            table, QUESTIONS, answers, name, recipes, lambda given: _fitting(table, given)
        )
        interview.hold()
        name, recipes = interview.name, interview.recipes
    elif ask is None and len(answers) < len(QUESTIONS) and not quiet:
        unanswered = f"what no option answers stays as in {table.name}"
        output.notice(f"There is no terminal to ask at: {unanswered}.")
    house = House(*_called(out, name), game=table.id, schema=schema or _schema_for(out))
    made = write_house(house, table, answers, recipes)
    if isinstance(made, str):
        _write(made, out, house, table, quiet=quiet)
        return CLEAN
    _say_what_clashes(QUESTIONS, answers, answered_by_options, table, made)
    if answers.keys() != answered_by_options:
        command = _as_command(house, file, answers)
        output.notice(f"Nothing is written. To change an answer: {command}")
    return UNUSABLE


def _fitting(table: StartingGame, answers: Mapping[str, str | int]) -> list[Recipe]:
    """The house rules of the cookbook that go with the answers."""
    from meldref_authoring.cookbook import offered
    from meldref_authoring.wizard import House, write_house

    trial = House("our-house", "Our house", game=table.id)

    def fits(recipe: Recipe) -> bool:
        return isinstance(write_house(trial, table, answers, [recipe]), str)

    return list(filter(fits, offered()))


def _start_from(game: str) -> StartingGame:
    """The game to start from, which must be one that ships."""
    from meldref_authoring.wizard import StartingGame, start_from

    if is_path(game) or game == STANDARD_INPUT:
        raise Unusable(
            f"--game {game}: give the id of a shipped ruleset, as `meldref rules list` shows them"
        )
    asked(game, None, None, named_by="--game ")
    table = start_from(game)
    if not isinstance(table, StartingGame):
        tell(table, to_errors=True)
        raise Unusable
    return table


# --- questions ------------------------------------------------------------------------------------


def _checked(words: Iterable[tuple[Question, str | None]]) -> dict[str, str | int]:
    """The answers that options give, as they are meant.

    All that are wrong are reported in one run.
    """
    from meldref_authoring.wizard import check_answer

    answers: dict[str, str | int] = {}
    mistakes = []
    for question, word in words:
        if word is not None:
            try:
                answers[question.name] = check_answer(question, word)
            except ValueError as reason:
                mistakes.append(f"--{question.name} {word}: {reason}")
    if mistakes:
        raise Unusable(*mistakes)
    return answers


def _recipes(names: Sequence[str], offered: Sequence[Recipe]) -> list[Recipe]:
    """The house rules of these names."""
    recipes = {recipe.id: recipe for recipe in offered}
    wrong = [
        f"--house-rule {name}: it is {in_words(recipes, 'or')}"
        for name in names
        if name not in recipes
    ]
    if wrong:
        raise Unusable(*wrong)
    return [recipes[name] for name in dict.fromkeys(names)]


# --- the file -------------------------------------------------------------------------------------


def _called(out: str | None, name: str | None) -> tuple[str, str]:
    """The id and the name: of the file, of what it is called, or a plain one."""
    from meldref_authoring.wizard import id_from

    stem = Path(out).stem if out is not None else ""
    id_ = id_from(stem) or id_from(name or "") or _FIRST
    if is_shipped(f"{id_}.yaml"):
        what = "the file" if out else "yours"
        raise Unusable(f"{id_} is a shipped ruleset: give {what} another name")
    return id_, name or id_.replace("-", " ").capitalize()


def _schema_for(out: str | None) -> str:
    """The schema beside the file, or the one that is installed, as editors find it."""
    if out is not None and is_file(Path(out).with_name("ruleset.schema.json")):
        return "ruleset.schema.json"
    path = data_path("rulesets", "ruleset.schema.json")
    return path.as_uri() if " " in str(path) or path.drive else path.as_posix()


def _say_what_clashes(
    questions: Sequence[Question],
    answers: Mapping[str, str | int],
    options_given: Collection[str],
    table: StartingGame,
    clashes: Sequence[Clash],
) -> None:
    """Says which answers do not go together, or not with the game, and why.

    Those of options are named as they were given.
    """
    by_name = {question.name: question for question in questions}

    def named(name: str) -> str:
        word = str(answers[name])
        if name in options_given:
            return f"--{name} {word}"
        text = next((answer.text for answer in by_name[name].answers if answer.word == word), word)
        return f"{by_name[name].topic} ({text})"

    for clash in clashes:
        named_answers = [named(name) for name in clash.questions]
        what = "these answers do not go together"
        if len(named_answers) == 1:
            what = f"{named_answers[0]} does not go with {table.name}"
        elif named_answers:
            what += f": {' with '.join(named_answers)}"
        output.error(f"{what}: {clash.message}")


def _as_command(house: House, file: str | None, answers: Mapping[str, str | int]) -> str:
    """The command that gives all answers again."""
    words = ["meldref", "rules", "new", *([file] if file is not None else []), "--game", house.game]
    for name, word in answers.items():
        words += [f"--{name}", str(word)]
    return join([*words, "--name", house.name])


def _write(made: str, out: str | None, house: House, table: StartingGame, *, quiet: bool) -> None:
    """Puts the rules into their file, or on standard output."""
    deliver([made], out, quiet=True)
    if quiet or out is None:
        return
    file = out if is_path(out) else f"./{out}"  # else a log would take it for an id
    output.notice(f"{out}: written, {house.name} on top of {table.name}")
    header = f', or [Rules "{file}"] in a log beside it' if is_rules_file(out) else ""
    output.notice(f"Play by it: meldref audit --rules {file} LOG{header}.")
