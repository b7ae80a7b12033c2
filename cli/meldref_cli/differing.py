"""`meldref rules diff` and `compare`: how two rulesets differ in meaning, on logs, and in play."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Final

import typer

from meldref.core.diagnostics import MOST
from meldref_cli import options, output
from meldref_cli.errors import CLEAN, UNUSABLE, WRONG, Unusable, naming, status
from meldref_cli.files import STANDARD_INPUT, expand_all
from meldref_cli.foreign import Asked, as_log
from meldref_cli.ruleset_args import RulesetRequest, asked, load_both, parts_of, shown
from meldref_cli.writing import check_ending, check_may_write, write_file

if TYPE_CHECKING:
    from meldref.ruleset.model import Ruleset
    from meldref_authoring.difference import Differences
    from meldref_authoring.example.alone import Shown
    from meldref_authoring.example.search import Effort, ExampleGame
    from meldref_authoring.judged import JudgedLog


_PICTURES: Final = (".svg", ".png")
_ENDINGS: Final = ("", ".rgn", ".txt")
"""How the name of a file may end that the example is written into."""


_More = Annotated[
    list[str] | None, typer.Argument(metavar="[LOG]...", help="More logs, after --logs.")
]
_Logs = Annotated[
    list[str] | None,
    typer.Option(
        "--logs",
        metavar="LOG...",
        help="Also judge logs, or all *.rgn below a folder, by both rulesets.",
    ),
]
_Example = Annotated[
    bool,
    typer.Option(
        "--example",
        help="Also look for a short game that is legal by only one of them, and for one that shows "
        "each difference by itself.",
    ),
]
_Out = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write the example to this file."),
]
_Effort = Annotated[
    int,
    typer.Option("--effort", metavar="N", min=1, help="The number of games to try for an example."),
]
_DiffSeed = Annotated[
    int, typer.Option("--seed", metavar="S", help="The same seed finds the same example.")
]
_Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Show only the keys, without a progress bar.")
]


def diff(
    first: options.FirstRules,
    second: options.SecondRules,
    more: _More = None,
    logs: _Logs = None,
    example: _Example = False,
    out: _Out = None,
    force: options.Force = False,
    effort: _Effort = 400,
    seed: _DiffSeed = 1,
    with_: options.With = None,
    set_: options.Set = None,
    sheet: options.Sheet = None,
    map_: options.Map = None,
    format_: options.FormatOption = options.Format.TEXT,
    quiet: _Quiet = False,
    exit_zero: options.ExitZero = False,
) -> int:
    """Shows how two rulesets differ in meaning, key by key, with the lines responsible.

    What is written differently but means the same is listed separately. --logs judges every
    game of some logs by both rulesets, whatever its headers say. --with and --set apply to
    both.

    Exit status: 0 no difference in meaning, 1 a difference, 2 unusable rules or a log that
    cannot be read.

    Examples:
      meldref rules diff 500-rummy house.yaml
      meldref rules diff 500-rummy 500-rummy+floating --example
    """
    from meldref_authoring.difference import compare_meaning
    from meldref_authoring.report import differences as report

    if more and not logs:
        raise Unusable(f"{more[0]}: two rulesets are compared; logs come after --logs")
    example = example or out is not None
    out = _example_file(out, force=force)
    pair = load_both((first, second), with_, set_)
    differences = compare_meaning(*pair)
    judged = _judge(pair, [*(logs or ()), *(more or ())], Asked.of(sheet, None, map_))
    worst = CLEAN if differences.same else WRONG
    if any(log.trouble for log in judged):
        worst = UNUSABLE
    names = (_named(first, with_, set_), _named(second, with_, set_))
    commands = (_audit(first, with_, set_), _audit(second, with_, set_))
    shown: ExampleGame | None = None
    looked: Effort | None = None
    if example and not differences.same:
        shown, looked = _look(pair, names, commands, effort, seed, quiet=quiet)
        if shown is not None and out is not None:
            write_file(out, [shown.text])
    data = report.differences_data(names, differences)
    text = [*report.differences_text(names, differences, quiet=quiet)]
    if logs:
        data["logs"] = report.judged_data(judged)
        text += report.judged_text(judged)
    if looked is not None:
        data.update(report.example_data(names, shown, looked))
        text += report.example_text(shown, looked, out, differences)
        if len(differences.in_meaning) > 1:
            alone = _each_alone(pair, (first, second), differences, with_, set_, seed, quiet=quiet)
            data["alone"] = report.each_data(alone, names)
            text += report.each_text(alone)
    output.show(format_, lambda: data, lambda: text)
    return status(worst, exit_zero=exit_zero)


def _example_file(out: str | None, *, force: bool) -> str | None:
    """The file that the example is written to; raises `Unusable` if it may not be."""
    out = options.to_file(out)
    check_ending(out, _ENDINGS, "the example is a log, in a file that ends in .rgn")
    check_may_write(out, force=force)
    return out


def _named(written: str, with_: list[str] | None, set_: list[str] | None) -> str:
    """What a ruleset is called in the result, with its options and settings."""
    rules = "+".join((shown(written), *(with_ or ())))
    return " ".join((rules, *(set_ or ())))


def _audit(written: str, with_: list[str] | None, set_: list[str] | None) -> str:
    """The options that audit by a ruleset."""
    name, *more = parts_of(written)
    words = ["--rules", name]
    for option in (*more, *(with_ or ())):
        words += ["--with", option]
    for setting in set_ or ():
        words += ["--set", setting]
    return " ".join(map(quote, words))


# --- logs and example -----------------------------------------------------------------------------


def _judge(pair: tuple[Ruleset, Ruleset], logs: Sequence[str], foreign: Asked) -> list[JudgedLog]:
    """Every log, judged by both rulesets."""
    if not logs:
        return []
    from meldref.rulefiles.shelf import OneRuleset
    from meldref_archive.auditing import Task, audit_log
    from meldref_archive.sources import Log
    from meldref_authoring.judged import JudgedLog, lines_apart, scores_apart

    if STANDARD_INPUT in logs:
        raise Unusable("--logs -: a log is read twice, so give a file")
    paths: dict[str, None] = {}
    logs_judged: list[JudgedLog] = []
    for log in logs:
        files, wrong = expand_all([log], (".rgn",))
        paths.update(dict.fromkeys(files))
        logs_judged += [JudgedLog(log, trouble=trouble) for trouble in wrong]
    for path in paths:
        read = as_log(Log.of(path), foreign, quiet=False)
        task = Task(path, RulesetRequest("as asked for", (), ()), MOST, scores=True, log=read)
        outcomes = [audit_log(task, shelf=OneRuleset(ruleset)) for ruleset in pair]
        for outcome in outcomes:
            if outcome.fault:
                raise RuntimeError(f"{path}: {outcome.fault}")
            if read.intake is not None:
                read.intake.tell(outcome.audited.report)
        first, other = (outcome.audited.report for outcome in outcomes)
        if first.games == other.games == 0:
            why = outcomes[0].trouble or "there is no game in this file"
            logs_judged.append(JudgedLog(path, trouble=f"{path}: {why}"))
            continue
        logs_judged.append(
            JudgedLog(path, lines_apart(first, other), scores_apart(first.scores, other.scores))
        )
    for judged in logs_judged:
        if judged.trouble:
            output.error(judged.trouble)
    return logs_judged


def _look(
    pair: tuple[Ruleset, Ruleset],
    names: tuple[str, str],
    commands: tuple[str, str],
    effort: int,
    seed: int,
    *,
    quiet: bool,
) -> tuple[ExampleGame | None, Effort]:
    from meldref_authoring.example.search import find_example
    from meldref_cli.simulate import PlayBar

    def remarks(clean: int) -> tuple[str, ...]:
        return (
            f"# Legal by {names[clean]}, and not by {names[1 - clean]}:",
            f"#   meldref audit {commands[clean]} LOG",
            f"#   meldref audit {commands[1 - clean]} LOG",
        )

    with PlayBar(2 * effort, wanted=not quiet) as bar:
        return find_example(*pair, effort, seed, bar.tick, remarks)


def _each_alone(
    pair: tuple[Ruleset, Ruleset],
    written: tuple[str, str],
    differences: Differences,
    with_: list[str] | None,
    set_: list[str] | None,
    seed: int,
    *,
    quiet: bool,
) -> list[Shown]:
    """An example for each difference by itself."""
    from meldref.rulefiles.load import load_ruleset
    from meldref_authoring.example.alone import each_alone
    from meldref_cli.progress import Bar

    def vary(side: int, setting: str) -> Ruleset | None:
        if STANDARD_INPUT in parts_of(written[side]):
            return None
        name, *more = parts_of(written[side])
        request = asked(name, [*more, *(with_ or ())], set_)
        settings = (*request.settings, setting)
        return load_ruleset(request.rules or name, request.options, settings)[0]

    alone = []
    with Bar(len(differences.in_meaning), wanted=not quiet, doing="looking") as bar:
        for entry in each_alone(pair, differences, vary, seed):
            alone.append(entry)
            bar.tick(1)
    return alone


_Hands = Annotated[
    int,
    typer.Option("--hands", metavar="N", min=1, help="The number of hands to play by each."),
]
_CompareSeed = Annotated[
    int, typer.Option("--seed", metavar="S", help="The same seed deals the same cards.")
]
_Plot = Annotated[
    str | None,
    typer.Option(
        "--plot",
        metavar="FILE",
        help="Also draw the comparison, to a file that ends in .svg or .png.",
    ),
]


def compare(
    first: options.FirstRules,
    second: options.SecondRules,
    hands: _Hands = 200,
    seed: _CompareSeed = 1,
    players: options.NumberOfPlayers = None,
    seats: options.Seats = None,
    with_: options.With = None,
    set_: options.Set = None,
    format_: options.FormatOption = options.Format.TEXT,
    plot: _Plot = None,
    force: options.Force = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress bar.")] = False,
) -> int:
    """Plays the same deals by two rulesets and shows what changes in length, points and play.

    The players are greedy unless --seats says otherwise. --with and --set apply to both
    rulesets. The intervals have 95% confidence; differences are computed per hand.

    Exit status: 0 done, 2 unusable arguments.

    Examples:
      meldref rules compare 500-rummy house.yaml --hands 100
    """
    from meldref_authoring.compare import compare_rules
    from meldref_authoring.report.differences import comparison_data, comparison_text
    from meldref_cli.seating import seats_for
    from meldref_cli.simulate import PlayBar

    if plot is not None:
        if Path(plot).suffix.lower() not in _PICTURES:
            raise Unusable(f"--plot {plot}: the file ends in {' or '.join(_PICTURES)}")
        check_may_write(plot, force=force)
        if find_spec("matplotlib") is None:
            raise Unusable("--plot needs matplotlib: pip install 'meldref[plot]'")
    pair = load_both((first, second), with_, set_)
    rulesets = ((shown(first), pair[0]), (shown(second), pair[1]))
    table = seats_for(players, seats, "greedy", rulesets)
    with PlayBar(2 * hands, wanted=not quiet) as bar:
        comparison = compare_rules(*rulesets, table, hands, seed, bar.tick)
    if plot is not None:
        from meldref_authoring.compare import plot_comparison

        with naming(plot):
            plot_comparison(comparison, Path(plot))
    output.show(format_, lambda: comparison_data(comparison), lambda: comparison_text(comparison))
    return CLEAN
