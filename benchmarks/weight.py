"""How heavy the code is for who reads it: `python -m benchmarks.weight`, or with `--list` each place.

It counts nodes of syntax, nodes and characters a line, long lines and functions, circles of imports
(those for types included), imports inside functions of the library, calls of `exec`, and names that
say nothing. The numbers are a compass: no code is made worse to please them.
"""

from __future__ import annotations

import ast
import signal
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
WIDEST: Final = 100
LONGEST: Final = 60
SAYING_NOTHING: Final = frozenset(("one", "found", "said", "known", "asked", "kept", "given"))
GOALS: Final = {
    "nodes": 360_000,
    "nodes a line": 6.5,
    "characters a line": 46,
    f"lines over {WIDEST} columns": 0,
    f"functions over {LONGEST} lines": 0,
    "circles of imports": 0,
    "imports inside functions": 40,
    "exec": 1,
    "names that say nothing": 50,
}


class Module:
    """A module of the library or the program: its syntax, its lines, and its name."""

    def __init__(self, path: Path) -> None:
        self.path = path.relative_to(ROOT)
        parts = self.path.with_suffix("").parts[1:]
        self.name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        text = path.read_text(encoding="utf-8")
        self.lines = text.splitlines()
        self.nodes = list(ast.walk(ast.parse(text)))

    def imports(self, *, inside: bool) -> Iterator[ast.Import | ast.ImportFrom]:
        """The imports inside its functions, or those at the top, for types included."""
        functions = [node for node in self.nodes if isinstance(node, ast.FunctionDef)]
        within = {id(node) for function in functions for node in ast.walk(function)}
        for node in self.nodes:
            if isinstance(node, ast.Import | ast.ImportFrom) and (id(node) in within) is inside:
                yield node

    def places(self) -> Iterator[tuple[str, int]]:
        """What is counted by place, each with its line."""
        for number, line in enumerate(self.lines, start=1):
            if len(line) > WIDEST:
                yield f"lines over {WIDEST} columns", number
        if self.path.parts[0] == "validator":
            for statement in self.imports(inside=True):
                yield "imports inside functions", statement.lineno
        for node in self.nodes:
            if isinstance(node, ast.FunctionDef):
                if (node.end_lineno or node.lineno) - node.lineno >= LONGEST:
                    yield f"functions over {LONGEST} lines", node.lineno
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                if node.func.id == "exec":
                    yield "exec", node.lineno
            elif isinstance(node, ast.arg | ast.Name) and _new_name(node) in SAYING_NOTHING:
                yield "names that say nothing", node.lineno


def _new_name(node: ast.arg | ast.Name) -> str:
    """The argument, or the local that is assigned; empty where one is only read."""
    if isinstance(node, ast.arg):
        return node.arg
    return node.id if isinstance(node.ctx, ast.Store) else ""


def read_modules() -> list[Module]:
    """All modules of the library and the program."""
    roots = (ROOT / "validator", ROOT / "cli")
    return [Module(path) for root in roots for path in sorted(root.rglob("*.py"))]


def find_circle(modules: Mapping[str, Module]) -> list[str]:
    """A circle of modules that import one another at the top, for types as well; empty: there is none."""
    graph: dict[str, set[str]] = {}
    for name, module in modules.items():
        graph[name] = {
            target
            for statement in module.imports(inside=False)
            for target in _targets(statement, modules)
            if target != name
        }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as circle:
        return list(circle.args[1])
    return []


def _targets(node: ast.Import | ast.ImportFrom, modules: Mapping[str, Module]) -> Iterator[str]:
    """The modules that an import names; a package only where nothing in it is one."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name in modules)
        return
    below = [f"{node.module}.{alias.name}" for alias in node.names]
    named = [name for name in below if name in modules]
    if named:
        yield from named
    elif node.module in modules:
        yield str(node.module)


def main() -> None:
    """Prints the numbers, each with its goal; with `--list` the places behind them."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # ends quietly if nobody reads on, as `head` does
    modules = read_modules()
    counts = Counter[str]()
    for module in modules:
        for kind, line in module.places():
            counts[kind] += 1
            if "--list" in sys.argv[1:]:
                print(f"{module.path}:{line}: {kind}")
    circle = find_circle({module.name: module for module in modules})
    lines = [line for module in modules for line in module.lines]
    filled = [line for line in lines if line.strip()]
    nodes = sum(len(module.nodes) for module in modules)
    figures = {
        **counts,
        "nodes": nodes,
        "nodes a line": round(nodes / len(lines), 2),
        "characters a line": round(sum(map(len, filled)) / len(filled), 1),
        "circles of imports": int(bool(circle)),
    }
    for kind, goal in GOALS.items():
        print(f"{figures.get(kind, 0):>9,}  {kind} (goal: {goal:,})")
    if circle:
        print("a circle:", " -> ".join(circle))
    packages = Counter(
        ".".join(module.name.split(".")[:2]) for module in modules for _ in module.nodes
    )
    rooms = [package for package in packages if package.startswith("meldref.")]
    print(f"{len(rooms):>9,}  packages and modules directly in meldref")
    for package, number in packages.most_common(20):
        print(f"{number:>9,}  nodes in {package}")


if __name__ == "__main__":
    main()
