"""What notices a mutant: the cases and logs first, then the tests that run the statement.

Each mutant is tried in a process of its own, forked from one that has everything loaded and the
cases read. There, the modules that may know the mutated one are loaded anew, with its changed
source; nothing is changed on disk.
"""

from __future__ import annotations

import ast
import gc
import hashlib
import importlib
import importlib.util
import json
import os
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.machinery import SourceFileLoader
from itertools import accumulate, groupby
from pathlib import Path
from typing import Any

import coverage
import hypothesis.strategies  # noqa: F401 - the tests need it, so it is loaded once for all processes
import pytest
from mutants import LIBRARY, OF_DATA, Mutant

import expected_logs
from case_checks import run_and_check
from meldref.cases.run import read_cases
from meldref_evidence.explaining import RecordExplainer
from paths import ROOT, TESTS

SECONDS = 4
"""Of processor time, for one case: what takes so much longer than usual runs in a circle, and was noticed."""

PACKAGES = {path.name for root in (LIBRARY, ROOT / "cli") for path in root.iterdir()}
"""The names by which the library and the program are imported."""

REPORTS = "tests/games/reports.yaml"
"""Its rows are asked as logs are."""

OF_TESTS = 15.0
"""Seconds: the most time for tests that run a line, taken from all files in turn; counted while watched."""

DECLARED = ("tests/unit/rules/test_declared.py", "tests/unit/rules/test_reach.py")
"""They ask what rules declare when they are loaded, and may run no line of the module. Asked first about that."""

OPTIONS = ["-x", "-q", "--tb=no", "-p", "no:cacheprovider", "-p", "no:unraisableexception"]
"""Without what takes time in each process: what is kept on disk, and looking for garbage at the end."""

Lines = dict[tuple[str, int], dict[str, float]]
"""Who runs a line, by module and number, and the seconds each takes."""


class Cases:
    """All cases of the project, read once.

    With `data`, only what the data itself says is asked, not what the suite asks of every case
    besides; and the logs that say what has to be found in them are asked, too.
    """

    def __init__(self, *, data: bool = False) -> None:
        self._data = data
        self.files = {}
        for path in [*sorted((TESTS / "cases").glob("*.yaml")), TESTS / "house_facts.yaml"]:
            file, findings = read_cases(path, explainer=RecordExplainer())
            assert file is not None, findings
            self.files[path.stem] = file
        self.names = [
            f"{stem}:{index}"
            for stem, file in self.files.items()
            for index in range(len(file.cases))
        ]
        if data:
            self.names += [str(path.relative_to(ROOT)) for path in expected_logs.LOGS]
            self.names += [f"{REPORTS}:{row}" for row in range(len(expected_logs.REPORTS))]

    def passes(self, name: str) -> bool:
        """Whether all that is asked of one case or log holds, with the modules as they are loaded now."""
        if ":" not in name:
            return not importlib.import_module("expected_logs").failures(ROOT / name)
        stem, index = name.split(":")
        if stem == REPORTS:
            logs = importlib.import_module("expected_logs")
            return not logs.report_failures(logs.REPORTS[int(index)])
        file = self.files[stem]
        runner = sys.modules["meldref.cases.run"].CaseFile
        if type(file) is not runner:
            again = runner(file.document, file.folder, file.cases, file.own, file.rules)
            again._rulesets = file._rulesets
            self.files[stem] = file = again
        if self._data:
            return file.run(int(index)).passed
        result, wrong = run_and_check(file, int(index))
        return result.passed and not wrong


class _Watch:
    """Notes who runs which lines of the library."""

    def __init__(self) -> None:
        self._coverage = coverage.Coverage(
            data_file=None, include=[f"{LIBRARY}/*"], config_file=False
        )
        self._coverage.start()

    def begins(self, name: str) -> None:
        """From now on it is this one that runs them."""
        self._coverage.switch_context(name)

    def lines(self) -> Iterator[tuple[str, int, list[str]]]:
        """Module, line number, and who ran it; stops watching."""
        self._coverage.stop()
        data = self._coverage.get_data()
        for file in data.measured_files():
            module = Path(file).relative_to(LIBRARY).with_suffix("").as_posix()
            for line, names in data.contexts_by_lineno(file).items():
                yield module, line, [name for name in names if name]


def lines_of_data(cases: Cases, kept: Path) -> Lines:
    """Which cases and logs run a line; kept in a file until the library or the data change."""
    data = [*(TESTS / "cases").iterdir(), TESTS / "house_facts.yaml"]
    data += [path for path in (TESTS / "games").rglob("*") if path.is_file()]
    digest = _digest([*LIBRARY.rglob("*.py"), *(ROOT / "rulesets").rglob("*.yaml"), *data])
    if kept.exists():
        told = json.loads(kept.read_text(encoding="utf-8"))
        if told["of"] == digest:
            return {
                (module, line): dict.fromkeys([cases.names[at] for at in places], 0.0)
                for module, line, places in told["lines"]
            }
    lines = {at: names for at, names in lines_of_cases(cases).items() if at[0] in OF_DATA}
    places = {name: at for at, name in enumerate(cases.names)}
    rows = [[*at, [places[name] for name in names]] for at, names in lines.items()]
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps({"of": digest, "lines": rows}), encoding="utf-8")
    return lines


def lines_of_cases(cases: Cases) -> Lines:
    """Which cases run a line."""
    watch = _Watch()
    for name in cases.names:
        watch.begins(name)
        assert cases.passes(name), f"{name} fails without any mutant"
    return {(module, line): dict.fromkeys(names, 0.0) for module, line, names in watch.lines()}


def lines_of_tests(files: list[str], kept: Path) -> Lines:
    """Which tests run a line. Found out in a process of its own, and kept in a file.

    Tests are asked again when they change, and all of them when the library does.
    """
    told: dict[str, list[Any]] = (
        json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    )
    library = _digest(LIBRARY.rglob("*.py"))
    digests = {file: library + _digest([ROOT / file]) for file in files}
    wanted = [file for file in files if told.get(file, [""])[0] != digests[file]]
    if wanted:
        pid = os.fork()
        if pid == 0:
            notes = _Notes()
            pytest.main([*wanted, "-q", "-p", "no:cacheprovider"], plugins=[notes])
            told |= {file: [digests[file], {}, []] for file in wanted}
            for name, seconds in notes.seconds.items():
                told[name.split("::")[0]][1][name] = seconds
            for module, line, names in notes.watch.lines():
                for file, group in groupby(sorted(names), key=lambda name: name.split("::")[0]):
                    told[file][2].append([module, line, [*group]])
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(json.dumps(told), encoding="utf-8")
            os._exit(0)
        os.waitpid(pid, 0)
        told = json.loads(kept.read_text(encoding="utf-8"))
    seconds = {name: took for file in files for name, took in told[file][1].items()}
    lines: Lines = {}
    for file in files:
        for module, line, names in told[file][2]:
            of_line = lines.setdefault((module, line), {})
            of_line |= {name: seconds[name] for name in names if name in seconds}
    return lines


def _digest(paths: Iterable[Path]) -> str:
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(paths))).hexdigest()[:12]


class _Notes:
    """A plugin of pytest: the processor's seconds and the lines of each test that passes."""

    def __init__(self) -> None:
        self.watch = _Watch()
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item) -> Iterator[None]:
        self.watch.begins(item.nodeid)
        yield

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item) -> Iterator[None]:
        began = time.process_time()
        outcome = yield
        if outcome.excinfo is None:
            self.seconds[item.nodeid] = time.process_time() - began


class _Changed(SourceFileLoader):
    """Loads the mutated module from its changed source."""

    source = ""

    def get_code(self, fullname):
        return compile(self.source, self.path, "exec", dont_inherit=True)


def put_in_place(mutant: Mutant) -> None:
    """Loads the mutated module, and whatever may know it, anew."""
    loader = _Changed(mutant.name, str(mutant.path))
    loader.source = mutant.source

    class Finder:
        @staticmethod
        def find_spec(name, *_):
            return importlib.util.spec_from_loader(name, loader) if name == mutant.name else None

    sys.meta_path.insert(0, Finder)
    names = [name for name in sys.modules if name.split(".")[0] in PACKAGES]
    anew = _above(mutant.name)
    for name, module in list(
        sys.modules.items()
    ):  # what tests share knows the modules as they were
        file = getattr(module, "__file__", None) or ""
        if file.startswith(str(TESTS)) and not file.startswith(str(TESTS / "mutation")):
            del sys.modules[name]
    homes = {name: name.rpartition(".") for name in names if "." in name}
    for name in anew.intersection(homes):
        above, _, last = homes[name]
        vars(sys.modules[above]).pop(
            last, None
        )  # or `from above import last` would find the old one
    for name in anew.intersection(names):
        del sys.modules[name]
    importlib.import_module("meldref")
    for name in homes.keys() - anew:
        above, _, last = homes[name]
        setattr(importlib.import_module(above), last, sys.modules[name])
    importlib.import_module("meldref.cases.run")


def _above(name: str) -> set[str]:
    """A module and all that import it, one way or another; all rules with one, since lists name them."""
    importers = importers_of()
    rules = {one for one in sys.modules if one.startswith("meldref.rules.")}
    above: set[str] = set()
    left = [name]
    while left:
        one = left.pop()
        if one not in above:
            above.add(one)
            left += importers.get(one, ())
            if one in rules:
                left += rules
    return above


@cache
def importers_of() -> dict[str, set[str]]:
    """For each module of the library and the program, those that import it, anywhere in their text."""
    importers: dict[str, set[str]] = {}
    for folder in (LIBRARY, ROOT / "cli"):
        for path in folder.rglob("*.py"):
            parts = path.relative_to(folder).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.module:
                    imported = [node.module, *(f"{node.module}.{one.name}" for one in node.names)]
                elif isinstance(node, ast.Import):
                    imported = [one.name for one in node.names]
                else:
                    continue
                for one in imported:
                    importers.setdefault(one, set()).add(name)
    return importers


def noticed_by(mutant: Mutant, cases: Cases, of_cases: Lines, of_tests: Lines) -> str:
    """Who notices a mutant: a case, a test, or nobody (an empty text)."""
    try:
        put_in_place(mutant)
    except Exception as error:  # noqa: BLE001 - whatever a mutant raises, it was noticed
        return f"loading: {error!r}"
    places = [(mutant.module, line) for line in mutant.seen]
    first = dict.fromkeys(name for place in places for name in of_cases.get(place, ()))
    remembered = not places or mutant.module.startswith("meldref/melds/")
    for name in dict.fromkeys([*first, *cases.names]) if remembered else first:
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
        try:
            if not cases.passes(name):
                return f"case {_id(cases, name)}"
        except Exception as error:  # noqa: BLE001
            return f"case {_id(cases, name)}: {error!r}"
    seconds = {name: took for place in places for name, took in of_tests.get(place, {}).items()}
    if remembered:
        seconds |= {
            n: s
            for place, took in of_tests.items()
            if place[0] == mutant.module
            for n, s in took.items()
        }
    if not places:
        seconds |= {
            n: s for took in of_tests.values() for n, s in took.items() if n.startswith(DECLARED)
        }
    turns: dict[
        str, float
    ] = {}  # a file's tests are asked in turn with those of others, the quickest first
    spent: Counter[str] = Counter()
    for name in sorted(seconds, key=seconds.__getitem__):
        file = name.split("::")[0]
        spent[file] += seconds[name]
        turns[name] = spent[file]
    in_turn = sorted(
        turns, key=lambda name: (bool(places) or not name.startswith(DECLARED), turns[name])
    )
    until = accumulate(seconds[name] for name in in_turn)
    tests = [name for name, end in zip(in_turn, until, strict=True) if end < OF_TESTS]
    if not tests:
        return ""
    seen = _Failed()
    signal.setitimer(signal.ITIMER_VIRTUAL, 10 * SECONDS)
    status = pytest.main([*tests, *OPTIONS], plugins=[seen])
    return f"test {seen.first or status}" if status else ""


def _id(cases: Cases, name: str) -> str:
    if ":" not in name:
        return name
    stem, index = name.split(":")
    if stem == REPORTS:
        return name
    return str(cases.files[stem].cases[int(index)].get("id", name))


class _Failed:
    """A plugin of pytest: the first test that failed."""

    first = ""

    def pytest_runtest_logreport(self, report) -> None:
        if report.failed and not self.first:
            self.first = report.nodeid


def in_a_fork(mutant: Mutant, cases: Cases, of_cases: Lines, of_tests: Lines, answer: Path) -> int:
    """Starts a process that tries a mutant and writes into a file who noticed it; returns its id."""
    importers_of()
    gc.freeze()  # what is there by now is never garbage; looking for some would copy the memory that is shared
    pid = os.fork()
    if pid:
        return pid
    gc.disable()
    signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    try:
        answer.write_text(noticed_by(mutant, cases, of_cases, of_tests) or "-", encoding="utf-8")
    except BaseException as error:  # noqa: BLE001
        answer.write_text(f"crash: {error!r}", encoding="utf-8")
    os._exit(0)
