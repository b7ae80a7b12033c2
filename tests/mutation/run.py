"""Changes the core on purpose, one small thing at a time, and says which changes nothing notices.

    python tests/mutation/run.py                      every module (long: half an hour and more)
    python tests/mutation/run.py rules/calls engine/apply    some of them
    python tests/mutation/run.py --sample 50          so many mutants of each, chosen at random
    python tests/mutation/run.py --again              only what the last run left unnoticed

`unnoticeable.yaml` lists the mutants that cannot be noticed, each with the reason.
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
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

os.environ.setdefault("CI", "true")  # derandomises the properties: a mutant is noticed every time or never
os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # each of them costs time at each mutant, and none is needed
os.environ.setdefault("MELDREF_CACHE", str(ROOT / "build" / "mutation" / "cache"))
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "docs")]
os.chdir(ROOT)

from mutants import MODULES, Mutant, mutants_of  # noqa: E402
from trial import Cases, in_a_fork, lines_of_cases, lines_of_tests  # noqa: E402

from meldref.documents.reader import read_yaml  # noqa: E402

KEPT = ROOT / "build" / "mutation"
LIST = Path(__file__).with_name("unnoticeable.yaml")
GOAL = 95
UNITS = [
    *(f"tests/unit/replay/test_{name}.py" for name in ("outside_games", "example_logs", "after_faults", "calls")),
    *(f"tests/unit/replay/test_{name}.py" for name in ("hands", "lines", "unknown", "between_hands")),
    *(f"tests/unit/{name}.py" for name in ("rules/test_errors", "test_legal", "positions/test_positions")),
    *(f"tests/unit/{name}.py" for name in ("suggest/test_help", "rulefiles/test_clashes", "cli/test_bad_input")),
    *(f"tests/unit/{name}.py" for name in ("cli/test_cli_legal", "rules/test_pages", "rules/test_findings_facts")),
    *(f"tests/unit/melds/test_{name}.py" for name in ("reading", "extending", "at_fault", "solver")),
    *(f"tests/property/test_{name}.py" for name in ("moves", "melds_agree")),
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
            if entry["was"] in mutant.was and mutant.now == mutant.was.replace(entry["was"], entry["now"], 1):
                return str(entry["why"])
        return self.listed.get(mutant.known_by)


def main() -> int:
    """Runs, reports, and says by the exit status whether enough is noticed."""
    options = _options()
    cannot = Unnoticeable()
    chosen: list[Mutant] = []
    excused: Counter[str] = Counter()
    last = KEPT / "last.json"
    left = set()
    if options.again:
        left = {tuple(row["known_by"]) for row in json.loads(last.read_text("utf-8")) if not row["noticed"]}
    for module in options.modules or MODULES:
        if options.again and module not in {known_by[0] for known_by in left}:
            continue
        of_module = mutants_of(module)
        can = [mutant for mutant in of_module if options.listed or cannot.why(mutant) is None]
        excused[module] = len(of_module) - len(can)
        if options.sample:
            can = random.Random(options.seed).sample(can, min(options.sample, len(can)))
        chosen += can
    if options.again:
        chosen = [mutant for mutant in chosen if mutant.known_by in left]
    results = _tried(chosen, options)
    KEPT.mkdir(parents=True, exist_ok=True)
    rows = [{"known_by": one.known_by, "line": one.line, "noticed": by} for one, by in results]
    last.write_text(json.dumps(rows, indent=0), encoding="utf-8")
    for module, function, was, now in () if options.modules or options.again else sorted(cannot.unmet):
        say(f"listed, and there is no such mutant: {module}: {function}: {was}  ->  {now}")
    return _report(results, excused)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="such as rules/calls or engine/apply")
    parser.add_argument("--sample", type=int, metavar="N", help="so many mutants of each module")
    parser.add_argument("--seed", type=int, default=0, help="chooses the sample")
    parser.add_argument("--again", action="store_true", help="only what the last run left unnoticed")
    parser.add_argument("--listed", action="store_true", help="try also those that are listed as unnoticeable")
    parser.add_argument("--data", action="store_true", help="ask the cases only, no tests")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="so many processes at a time")
    return parser.parse_args()


def _tried(chosen: list[Mutant], options: argparse.Namespace) -> list[tuple[Mutant, str]]:
    of_tests = {} if options.data else lines_of_tests(UNITS, KEPT / "tests.json")
    cases = Cases()
    of_cases = lines_of_cases(cases)
    results: list[tuple[Mutant, str]] = []
    running: dict[int, tuple[Mutant, Path]] = {}
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for number, mutant in enumerate([*chosen, *[None] * options.jobs]):
            while running and (mutant is None or len(running) >= options.jobs):
                pid, status = os.wait()
                done, answer = running.pop(pid)
                by = answer.read_text("utf-8") if answer.exists() else f"stopped: status {status}"
                results.append((done, "" if by == "-" else by))
                if by == "-":
                    say(f"{done.module}:{done.line}: in {done.function}: {done.was}  ->  {done.now}")
                if len(results) % 50 == 0:
                    say(f"# {len(results)} of {len(chosen)}, {time.monotonic() - started:.0f} s")
            if mutant is not None:
                answer = Path(folder) / str(number)
                running[in_a_fork(mutant, cases, of_cases, of_tests, answer)] = mutant, answer
    return results


def _report(results: list[tuple[Mutant, str]], excused: Counter[str]) -> int:
    modules: dict[str, Counter[str]] = {}
    for mutant, by in results:
        modules.setdefault(mutant.module, Counter())[by.split()[0].rstrip(":") if by else "left"] += 1
    say(f"{'module':24}{'mutants':>8}{'cases':>8}{'tests':>8}{'else':>8}{'left':>8}{'listed':>8}")
    total: Counter[str] = Counter()
    for module, counts in [*modules.items(), ("all", total)]:
        if module != "all":
            total += counts
        rest = counts.total() - counts["case"] - counts["test"] - counts["left"]
        numbers = [counts.total(), counts["case"], counts["test"], rest, counts["left"]]
        listed = excused[module] if module != "all" else excused.total()
        say(f"{module:24}" + "".join(f"{number:8}" for number in [*numbers, listed]))
    share = 100 * (total.total() - total["left"]) / max(1, total.total())
    say(f"{share:.1f} % of the mutants that can be noticed are noticed")
    return int(share < GOAL)


def say(line: str) -> None:
    """Prints a line at once: a run is long."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
