"""`meldref rules diff` and `compare`: how two rulesets differ in meaning, over recorded games, and when played."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Final

from meldref.core.diagnostics import MOST
from meldref_cli import options, output
from meldref_cli.errors import CLEAN, UNUSABLE, WRONG, Unusable, naming, status
from meldref_cli.files import STANDARD_INPUT, expand_all
from meldref_cli.ruleset_args import RulesetRequest, load_both, parts_of, shown
from meldref_cli.writing import check_may_write, write_file

if TYPE_CHECKING:
    from meldref.authoring.example.search import Effort, ExampleGame
    from meldref.authoring.judged import JudgedLog
    from meldref.ruleset.model import Ruleset


_PICTURES: Final = (".svg", ".png")
_ENDINGS: Final = ("", ".rgn", ".txt")
"""How the name of a file may end that the example is written into."""


def diff(
    first: str,
    second: str,
    more: list[str] | None = None,
    logs: list[str] | None = None,
    example: bool = False,
    out: str | None = None,
    force: bool = False,
    effort: int = 400,
    seed: int = 1,
    with_: list[str] | None = None,
    set_: list[str] | None = None,
    format_: options.Format = options.Format.TEXT,
    quiet: bool = False,
    exit_zero: bool = False,
) -> int:
    """Shows how two rulesets differ in meaning, key by key, with the lines responsible."""
    from meldref.authoring.difference import compare_meaning
    from meldref.report import differences as report

    if more and not logs:
        raise Unusable(f"{more[0]}: two rulesets are compared; logs come after --logs")
    example = example or out is not None
    out = options.to_file(out)
    if out is not None and Path(out).suffix.lower() not in _ENDINGS:
        raise Unusable(f"{out}: the example is a log, in a file that ends in .rgn")
    check_may_write(out, force=force)
    pair = load_both((first, second), with_, set_)
    found = compare_meaning(*pair)
    judged = _judge(pair, [*(logs or ()), *(more or ())])
    worst = UNUSABLE if any(log.trouble for log in judged) else CLEAN if found.same else WRONG
    names = (_named(first, with_, set_), _named(second, with_, set_))
    commands = (_audit(first, with_, set_), _audit(second, with_, set_))
    shown: ExampleGame | None = None
    looked: Effort | None = None
    if example and not found.same:
        shown, looked = _look(pair, names, commands, effort, seed, quiet=quiet)
        if shown is not None and out is not None:
            write_file(out, [shown.text])
    data, text = report.differences_data(names, found), [*report.differences_text(names, found, quiet=quiet)]
    if logs:
        data["logs"] = report.judged_data(judged)
        text += report.judged_text(judged)
    if looked is not None:
        data.update(report.example_data(names, shown, looked))
        text += report.example_text(shown, looked, out, found)
    output.show(format_, lambda: data, lambda: text)
    return status(worst, exit_zero=exit_zero)


def _named(written: str, with_: list[str] | None, set_: list[str] | None) -> str:
    return "+".join((shown(written), *(with_ or ()))) + "".join(f" {setting}" for setting in set_ or ())


def _audit(written: str, with_: list[str] | None, set_: list[str] | None) -> str:
    """The options that audit by a ruleset."""
    name, *more = parts_of(written)
    words = ["--rules", name]
    for option in (*more, *(with_ or ())):
        words += ["--with", option]
    for setting in set_ or ():
        words += ["--set", setting]
    return " ".join(map(quote, words))


# --- logs and example ------------------------------------------------------------------------------------------


def _judge(pair: tuple[Ruleset, Ruleset], logs: Sequence[str]) -> list[JudgedLog]:
    """Every log, judged by both rulesets."""
    if not logs:
        return []
    from meldref.archive.auditing import Task, audit_log
    from meldref.authoring.judged import JudgedLog, lines_apart, scores_apart
    from meldref.rulefiles.shelf import OneRuleset

    if STANDARD_INPUT in logs:
        raise Unusable("--logs -: a log is read twice, so give a file")
    paths: dict[str, None] = {}
    found: list[JudgedLog] = []
    for log in logs:
        files, wrong = expand_all([log], (".rgn",))
        paths.update(dict.fromkeys(files))
        found += [JudgedLog(log, trouble=trouble) for trouble in wrong]
    for path in paths:
        task = Task(path, RulesetRequest("as asked for", (), ()), MOST, scores=True)
        outcomes = [audit_log(task, shelf=OneRuleset(ruleset)) for ruleset in pair]
        for outcome in outcomes:
            if outcome.fault:
                raise RuntimeError(f"{path}: {outcome.fault}")
        one, other = (outcome.audited.report for outcome in outcomes)
        if one.games == other.games == 0:
            why = outcomes[0].trouble or "there is no game in this file"
            found.append(JudgedLog(path, trouble=f"{path}: {why}"))
            continue
        found.append(JudgedLog(path, lines_apart(one, other), scores_apart(one.scores, other.scores)))
    for judged in found:
        if judged.trouble:
            output.error(judged.trouble)
    return found


def _look(
    pair: tuple[Ruleset, Ruleset],
    names: tuple[str, str],
    commands: tuple[str, str],
    effort: int,
    seed: int,
    *,
    quiet: bool,
) -> tuple[ExampleGame | None, Effort]:
    from meldref.authoring.example.search import find_example
    from meldref_cli.simulate import PlayBar

    def remarks(clean: int) -> tuple[str, ...]:
        return (
            f"# Legal by {names[clean]}, and not by {names[1 - clean]}:",
            f"#   meldref audit {commands[clean]} LOG",
            f"#   meldref audit {commands[1 - clean]} LOG",
        )

    with PlayBar(2 * effort, wanted=not quiet) as bar:
        return find_example(*pair, effort, seed, bar.tick, remarks)


def compare(
    first: str,
    second: str,
    hands: int = 200,
    seed: int = 1,
    players: int | None = None,
    seats: str | None = None,
    with_: list[str] | None = None,
    set_: list[str] | None = None,
    format_: options.Format = options.Format.TEXT,
    plot: str | None = None,
    force: bool = False,
    quiet: bool = False,
) -> int:
    """Plays the same deals by two rulesets and shows what changes: length, points, ends, takes and calls."""
    from meldref.authoring.compare import compare_rules
    from meldref.report.differences import comparison_data, comparison_text
    from meldref_cli.simulate import PlayBar, seats_for

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
        found = compare_rules(*rulesets, table, hands, seed, bar.tick)
    if plot is not None:
        from meldref.authoring.compare import plot_comparison

        with naming(plot):
            plot_comparison(found, Path(plot))
    output.show(format_, lambda: comparison_data(found), lambda: comparison_text(found))
    return CLEAN
