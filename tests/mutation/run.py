"""Changes the core on purpose, one small thing at a time, and says which changes nothing notices.

    python tests/mutation/run.py                      every module (long: half an hour and more)
    python tests/mutation/run.py rules/calls play     some of them
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

ROOT = Path(__file__).parents[2]
os.environ.setdefault("CI", "true")  # derandomises the properties: a mutant is noticed every time or never
os.environ.setdefault("MELDREF_CACHE", str(ROOT / "build" / "mutation" / "cache"))
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "docs")]
os.chdir(ROOT)

from meldref.source import read_yaml  # noqa: E402
from mutants import MODULES, Mutant, mutants_of  # noqa: E402
from trial import Cases, in_a_fork, lines_of_cases, lines_of_tests  # noqa: E402

KEPT = ROOT / "build" / "mutation"
LIST = Path(__file__).with_name("unnoticeable.yaml")
GOAL = 95
UNITS = [
    *(
        f"tests/unit/test_{name}.py"
        for name in (
            "outside_games",
            "example_logs",
            "replay_after_faults",
            "replay_calls",
            "replay_hands",
            "replay_lines",
            "replay_unknown",
            "legal",
            "melds_reading",
            "melds_extending",
            "melds_at_fault",
            "melds_solver",
            "positions",
            "help",
            "errors",
            "bad_input",
            "clashes",
            "second_model",
            "cli_legal",
            "cli_replay",
            "counts",
            "cli_audit",
            "every_key",
            "rulebook",
        )
    ),
    *(f"tests/property/test_{name}.py" for name in ("moves", "replay", "melds_agree", "options", "help", "hands")),
]
"""The tests that ask about rules of play, games' logs first."""


def unnoticeable() -> dict[tuple[str, str, str, str], str]:
    """The reasons of the mutants that cannot be noticed."""
    document, findings = read_yaml(LIST.read_bytes(), LIST.name)
    assert document is not None, findings
    reasons = {}
    for module, functions in document.value.items():
        for function, entries in functions.items():
            for entry in entries:
                reasons[module, function, entry["was"], entry["now"]] = entry["why"]
    return reasons


def main() -> int:
    """Runs, reports, and says by the exit status whether enough is noticed."""
    options = _options()
    reasons = unnoticeable()
    chosen: list[Mutant] = []
    for module in options.modules or MODULES:
        of_module = mutants_of(module)
        if options.sample:
            of_module = random.Random(options.seed).sample(of_module, min(options.sample, len(of_module)))
        chosen += of_module
    last = KEPT / "last.json"
    if options.again:
        left = {tuple(one["known_by"]) for one in json.loads(last.read_text("utf-8")) if not one["noticed"]}
        chosen = [mutant for mutant in chosen if mutant.known_by in left]
    if not options.listed:
        chosen = [mutant for mutant in chosen if mutant.known_by not in reasons]
    results = _tried(chosen, options)
    if not options.again:
        KEPT.mkdir(parents=True, exist_ok=True)
        rows = [{"known_by": one.known_by, "line": one.line, "noticed": by} for one, by in results]
        last.write_text(json.dumps(rows, indent=0), encoding="utf-8")
    return _report(results, reasons)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="such as rules/calls or play")
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
                    print(f"{done.module}:{done.line}: in {done.function}: {done.was}  ->  {done.now}", flush=True)
                if len(results) % 50 == 0:
                    print(f"# {len(results)} of {len(chosen)}, {time.monotonic() - started:.0f} s", flush=True)
            if mutant is not None:
                answer = Path(folder) / str(number)
                running[in_a_fork(mutant, cases, of_cases, of_tests, answer)] = mutant, answer
    return results


def _report(results: list[tuple[Mutant, str]], reasons: dict[tuple[str, str, str, str], str]) -> int:
    modules: dict[str, Counter[str]] = {}
    for mutant, by in results:
        counts = modules.setdefault(mutant.module, Counter())
        counts[by.split()[0].rstrip(":") if by else "left"] += 1
    print(f"{'module':24}{'mutants':>8}{'cases':>8}{'tests':>8}{'else':>8}{'left':>8}")
    total: Counter[str] = Counter()
    for module, counts in [*sorted(modules.items()), ("all", total)]:
        total += counts if module != "all" else Counter()
        rest = counts.total() - counts["case"] - counts["test"] - counts["left"]
        print(f"{module:24}{counts.total():8}{counts['case']:8}{counts['test']:8}{rest:8}{counts['left']:8}")
    share = 100 * (total.total() - total["left"]) / max(1, total.total())
    print(f"{share:.1f} % of those that can be noticed are noticed; {len(reasons)} are listed that cannot be")
    return int(share < GOAL)


if __name__ == "__main__":
    sys.exit(main())
