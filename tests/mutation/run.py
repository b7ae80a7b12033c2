"""Changes the core on purpose, one small thing at a time, and says which changes nothing notices.

    python tests/mutation/run.py                      every module (an hour or more on two cores with --jobs 2)
    python tests/mutation/run.py rules/calls engine/apply    some of them
    python tests/mutation/run.py --sample 50          50 mutants of each, chosen at random
    python tests/mutation/run.py --resume             only what has no result yet, after a run that was stopped
    python tests/mutation/run.py --again              only what was left unnoticed
    python tests/mutation/run.py --table              nothing: the table of what is known
    python tests/mutation/run.py --data --seed 7      a hundred of all, by cases and logs alone: `just mutants`

Results are kept as they come, in `build/mutation/results.jsonl`; one counts until its function
changes; of `--data` none is kept. `unnoticeable.yaml` lists the mutants that cannot be noticed, each with the reason.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

os.environ.setdefault(
    "CI", "true"
)  # derandomises the properties: a mutant is noticed every time or never
os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = (
    "1"  # each of them costs time at each mutant, and none is needed
)
os.environ.setdefault("MELDREF_CACHE", str(ROOT / "build" / "mutation" / "cache"))
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "docs")]
os.chdir(ROOT)

from mutants import MODULES, OF_DATA, Mutant, mutants_of  # noqa: E402
from trial import (  # noqa: E402
    Cases,
    Lines,
    in_a_fork,
    lines_of_cases,
    lines_of_data,
    lines_of_tests,
)

from meldref.documents.reader import read_yaml  # noqa: E402

KEPT = ROOT / "build" / "mutation"
LIST = Path(__file__).with_name("unnoticeable.yaml")
GOAL = 95
OF_DATA_GOAL = 85
"""Percent that must be noticed: by cases and tests, and by cases and logs alone."""

UNITS = [
    *(
        f"tests/unit/replay/test_{name}.py"
        for name in ("outside_games", "example_logs", "after_faults", "calls")
    ),
    *(f"tests/unit/replay/test_{name}.py" for name in ("hands", "lines", "reports", "unknown")),
    "tests/unit/replay/test_between_hands.py",
    *(
        f"tests/unit/{name}.py"
        for name in ("rules/test_errors", "test_legal", "positions/test_positions")
    ),
    *(
        f"tests/unit/{name}.py"
        for name in ("moves/test_suggestions", "rulefiles/test_clashes", "cli/test_bad_input")
    ),
    *(
        f"tests/unit/{name}.py"
        for name in ("cli/test_cli_legal", "rules/test_pages", "rules/test_findings_facts")
    ),
    *(
        f"tests/unit/melds/test_{name}.py"
        for name in ("reading", "extending", "at_fault", "solver")
    ),
    *(f"tests/unit/rules/test_{name}.py" for name in ("declared", "games", "reach", "registered")),
    *(f"tests/unit/rulefiles/test_{name}.py" for name in ("every_key", "first_meld", "sense")),
    *(
        f"tests/unit/{name}.py"
        for name in (
            "rules/test_breakdown",
            "moves/test_counts",
            "cli/test_best",
            "cli/test_melds",
        )
    ),
    *(f"tests/unit/authoring/test_{name}.py" for name in ("coverage", "house_rules", "rulebook")),
    "tests/unit/test_cookbook.py",
    *(f"tests/unit/replay/test_{name}.py" for name in ("places", "second_model")),
    *(
        f"tests/property/test_{name}.py"
        for name in ("moves", "melds_agree", "one_mistake", "house_rules", "spelling")
    ),
]
"""The tests that ask about rules of play, games' logs first."""


class Unnoticeable:
    """The mutants that cannot be noticed, each with the reason; entries that fit none are noted."""

    def __init__(self) -> None:
        document, findings = read_yaml(LIST.read_bytes(), LIST.name)
        assert document is not None, findings
        self.everywhere = document.value["everywhere"]
        self.listed = {
            (module, function, entry["was"], now): entry["why"]
            for module, functions in document.value["listed"].items()
            for function, entries in functions.items()
            for entry in entries
            for now in entry["now"]
        }
        self.unmet = set(self.listed)

    def why(self, mutant: Mutant) -> str | None:
        """The reason why a mutant cannot be noticed; None if it can."""
        self.unmet.discard(mutant.known_by)
        for entry in self.everywhere:
            if entry["was"] in mutant.was and mutant.now == mutant.was.replace(
                entry["was"], entry["now"], 1
            ):
                return str(entry["why"])
        return self.listed.get(mutant.known_by)


class Results:
    """Who noticed which mutant (an empty text: nobody), kept in a file as it comes. The latest result counts."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._rows: dict[tuple[object, ...], tuple[str, str]] = {}
        for line in path.read_text("utf-8").splitlines() if path.exists() else ():
            row = json.loads(line)
            self._rows[(*row["known_by"], row["nth"])] = row["noticed"], row["part"]

    def add(self, mutant: Mutant, by: str) -> None:
        """Keeps a result."""
        self._rows[(*mutant.known_by, mutant.nth)] = by, mutant.part
        row = {"known_by": mutant.known_by, "nth": mutant.nth, "noticed": by, "part": mutant.part}
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    def of(self, mutant: Mutant) -> str | None:
        """Who noticed a mutant; None where that is not known of the function as it is now."""
        by, was = self._rows.get((*mutant.known_by, mutant.nth), ("", ""))
        return by if was == mutant.part else None

    def was_left(self, mutant: Mutant) -> bool:
        """Whether nobody noticed a mutant when it was tried, however the function has changed since."""
        return self._rows.get((*mutant.known_by, mutant.nth), ("never tried", ""))[0] == ""


def main() -> int:
    """Runs, reports, and says by the exit status whether enough is noticed."""
    options = _options()
    cannot = Unnoticeable()
    if options.data:
        return _by_data(options, cannot)
    results = Results(KEPT / "results.jsonl")
    mutants: dict[str, list[Mutant]] = {}
    chosen: list[Mutant] = []
    excused: Counter[str] = Counter()
    for module in options.modules or MODULES:
        of_module = mutants_of(module)
        can = [mutant for mutant in of_module if options.listed or cannot.why(mutant) is None]
        mutants[module] = can
        excused[module] = len(of_module) - len(can)
        sample = random.Random(options.seed).sample(can, min(options.sample or len(can), len(can)))
        chosen += can if options.sample is None else sample
    if options.again:
        chosen = [mutant for mutant in chosen if results.was_left(mutant)]
    if options.resume:
        chosen = [mutant for mutant in chosen if results.of(mutant) is None]
    if chosen and not options.table:
        _try(chosen, options, results)
    for module, function, was, now in sorted(cannot.unmet):
        if module in mutants:
            say(f"listed, and there is no such mutant: {module}: {function}: {was}  ->  {now}")
    return _report(mutants, results, excused)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "modules",
        nargs="*",
        metavar="MODULE",
        help="such as rules/calls or engine/apply; with --data also a package, such as rules",
    )
    parser.add_argument(
        "--sample",
        type=int,
        metavar="N",
        help="the number of mutants of each module; with --data of all together (100)",
    )
    parser.add_argument("--seed", type=int, default=0, help="chooses the sample")
    parser.add_argument("--again", action="store_true", help="only what was left unnoticed")
    parser.add_argument("--resume", action="store_true", help="only what has no result yet")
    parser.add_argument("--table", action="store_true", help="try nothing, show what is known")
    parser.add_argument(
        "--listed", action="store_true", help="try also those that are listed as unnoticeable"
    )
    parser.add_argument("--data", action="store_true", help="ask cases and logs only, no tests")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="the number of processes")
    return parser.parse_args()


def _by_data(options: argparse.Namespace, cannot: Unnoticeable) -> int:
    """Tries a sample of all modules by cases and logs alone; shows what is left and the share noticed."""
    can = [
        mutant
        for module in _chosen_modules(options.modules)
        for mutant in mutants_of(module)
        if options.listed or (cannot.why(mutant) is None and not mutant.beside_data)
    ]
    chosen = random.Random(options.seed).sample(can, min(options.sample or 100, len(can)))
    cases = Cases(data=True)
    of_data = lines_of_data(cases, KEPT / "data.json")
    noticed: Counter[str] = Counter()
    for mutant, by in _tried(chosen, options.jobs, cases, of_data, {}):
        noticed[mutant.path.parent.name] += by != ""
        if not by:
            _show(mutant)
    for package, tried in sorted(Counter(mutant.path.parent.name for mutant in chosen).items()):
        say(f"{package:12}{noticed[package]:5} of {tried}")
    say(f"{noticed.total()} of {len(chosen)} mutants are noticed by cases and logs alone")
    return int(100 * noticed.total() < OF_DATA_GOAL * len(chosen))


def _chosen_modules(names: list[str]) -> list[str]:
    """The modules named, or all of a package that is named; without names all that data should notice."""
    if not names:
        return list(OF_DATA)
    known = dict.fromkeys([*OF_DATA, *MODULES])
    return [module for module in known if module in names or module.rpartition("/")[0] in names]


def _try(chosen: list[Mutant], options: argparse.Namespace, results: Results) -> None:
    of_tests = lines_of_tests(UNITS, KEPT / "tests.json")
    cases = Cases()
    for mutant, by in _tried(chosen, options.jobs, cases, lines_of_cases(cases), of_tests):
        results.add(mutant, by)
        if not by:
            _show(mutant)


def _tried(
    chosen: list[Mutant], jobs: int, cases: Cases, of_cases: Lines, of_tests: Lines
) -> Iterator[tuple[Mutant, str]]:
    """Each mutant, and who noticed it (an empty text: nobody)."""
    running: dict[int, tuple[Mutant, Path]] = {}
    started, tried = time.monotonic(), 0
    with tempfile.TemporaryDirectory() as folder:
        for number, mutant in enumerate([*chosen, *[None] * jobs]):
            while running and (mutant is None or len(running) >= jobs):
                pid, status = os.wait()
                done, answer = running.pop(pid)
                by = answer.read_text("utf-8") if answer.exists() else f"stopped: status {status}"
                yield done, "" if by == "-" else by
                tried += 1
                if tried % 50 == 0:
                    say(f"# {tried} of {len(chosen)}, {time.monotonic() - started:.0f} s")
            if mutant is not None:
                answer = Path(folder) / str(number)
                running[in_a_fork(mutant, cases, of_cases, of_tests, answer)] = mutant, answer


def _show(mutant: Mutant) -> None:
    say(f"{mutant.module}:{mutant.line}: in {mutant.function}: {mutant.was}  ->  {mutant.now}")


def _report(mutants: dict[str, list[Mutant]], results: Results, excused: Counter[str]) -> int:
    say(
        f"{'module':22}"
        + "".join(f"{head:>9}" for head in ("mutants", *COLUMNS, "listed", "noticed"))
    )
    total: Counter[str] = Counter()
    for module, of_module in [*mutants.items(), ("all", [])]:
        counts: Counter[str] = Counter(_column(results.of(mutant)) for mutant in of_module)
        counts["listed"] = excused[module]
        total += counts
        shown = total if module == "all" else counts
        tried = sum(shown[column] for column in COLUMNS) - shown["untried"]
        if not tried + shown["untried"] + shown["listed"]:
            continue
        share = 100 * (tried - shown["left"]) / max(1, tried)
        numbers = [
            tried + shown["untried"] + shown["listed"],
            *(shown[one] for one in (*COLUMNS, "listed")),
        ]
        say(f"{module:22}" + "".join(f"{number:9}" for number in numbers) + f"{share:7.1f} %")
    say(f"{share:.1f} % of the mutants that were tried, and can be noticed, are noticed")
    return int(share < GOAL)


COLUMNS = ("cases", "tests", "else", "left", "untried")


def _column(by: str | None) -> str:
    """Under which head a result is counted."""
    if by is None:
        return "untried"
    return {"case": "cases", "test": "tests", "": "left"}.get(by.split(" ")[0], "else")


def say(line: str) -> None:
    """Prints a line at once: a run is long."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
