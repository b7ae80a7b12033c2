"""What mutants there are: Cosmic Ray's, of a few kinds, each known by what its line was and what it is now."""

from __future__ import annotations

import ast
import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from cosmic_ray import plugins
from cosmic_ray.ast import Visitor, get_ast
from cosmic_ray.mutating import mutate_code

from paths import ROOT

LIBRARY = ROOT / "validator"

KINDS = re.compile(
    r"core/(ReplaceComparisonOperator_(Eq_NotEq|NotEq_Eq|Lt_LtE|LtE_Lt|Gt_GtE|GtE_Gt|Is_IsNot|IsNot_Is)"
    r"|ReplaceAndWithOr|ReplaceOrWithAnd|AddNot|ReplaceUnaryOperator_Delete_Not"
    r"|NumberReplacer|ReplaceTrueWithFalse|ReplaceFalseWithTrue)"
)
"""The operators: comparisons (the nearest other one), and/or, not, numbers one more or less, yes/no."""

MODULES = tuple(
    [
        f"meldref/rules/{path.stem}"
        for path in sorted((LIBRARY / "meldref/rules").glob("*.py"))
        if path.stem != "breakdown"
    ]
    + [
        f"meldref/melds/{name}"
        for name in ("interpret", "lay_off_index", "lay_off_order", "extending")
    ]
    + [
        "meldref/engine/apply",
        "meldref/engine/apply_melds",
        "meldref/replay/hand",
        "meldref/replay/game",
        "meldref/replay/turn",
        "meldref/replay/scores",
        "meldref/replay/aftermath",
    ]
)
"""Where a wrong line means a wrong verdict."""

NOT_OF_DATA = {
    "meldref/rules/breakdown": "words what rules come to",
    "meldref/rules/page": "words what rules come to",
    "meldref/scoring/counting": "only `meldref score` asks it, about cards without a log",
    "meldref/positions/load": "reads files of positions, which no case and no log is",
}
"""Modules that no verdict of a case or log depends on, each with the reason."""

OF_DATA = tuple(
    f"{folder}/{path.stem}"
    for folder in (
        *(
            f"meldref/{name}"
            for name in ("rules", "engine", "replay", "scoring", "position", "positions")
        ),
        "meldref_evidence/repair",
    )
    for path in sorted((LIBRARY / folder).glob("*.py"))
    if path.stem != "__init__" and f"{folder}/{path.stem}" not in NOT_OF_DATA
)
"""Of what another implementation would be held to by cases and logs alone."""


@dataclass(frozen=True)
class Mutant:
    """One change of one line.

    Line numbers change with every edit; module, function and the line before and after it are what
    it is known by.
    """

    module: str
    function: str
    was: str
    now: str
    line: int
    seen: tuple[int, ...]
    source: str = field(repr=False, compare=False)
    beside_data: str = ""
    """Why no case and no log can notice it by what it says, if that is known by the change alone."""
    part: str = ""
    """Tells the function, or other statement of a module or class, as it is now from what it was."""
    nth: int = 0
    """How many of the same function come before it that are known by the same."""

    @property
    def known_by(self) -> tuple[str, str, str, str]:
        """What the list of mutants that cannot be noticed names."""
        return self.module, self.function, self.was, self.now

    @property
    def path(self) -> Path:
        """The file it changes."""
        return LIBRARY / f"{self.module}.py"

    @property
    def name(self) -> str:
        """The module as Python imports it."""
        return self.module.replace("/", ".")


def mutants_of(module: str) -> list[Mutant]:
    """All mutants of a module; two that come to the same are one."""
    text = (LIBRARY / f"{module}.py").read_text(encoding="utf-8").splitlines()
    tree = ast.parse("\n".join(text))
    statements = list(_statements(tree))
    beside_data = list(_beside_data(tree))
    operators = [
        plugins.get_operator(kind)()
        for kind in sorted(filter(KINDS.fullmatch, plugins.operator_names()))
    ]
    found: list[Mutant] = []
    for part in _parts(tree):
        first = (
            part.decorator_list[0].lineno if getattr(part, "decorator_list", ()) else part.lineno
        )
        head = ["class _:"] if part.col_offset else []
        whole = [*head, *text[first - 1 : part.end_lineno]]
        digest = hashlib.sha256("\n".join(whole).encode()).hexdigest()[:12]
        different = set()
        for changed in _changes("\n".join(whole) + "\n", operators):
            meaning = ast.dump(_Plain().visit(ast.parse(changed)))
            if meaning in different:
                continue
            different.add(meaning)
            now = changed.splitlines()
            at = next(place for place, line in enumerate(now) if line != whole[place])
            line = first + at - len(head)
            place = line, _first_difference(whole[at], now[at])
            why = next((why for begin, end, why in beside_data if begin <= place < end), "")
            statement = max(one for one in statements if line in one.lines)
            source = "\n".join(
                [*text[: first - 1], *now[len(head) :], *text[part.end_lineno :], ""]
            )
            known_by = (
                module,
                statement.function or "module",
                *(" ".join(one[at].split()) for one in (whole, now)),
            )
            found.append(Mutant(*known_by, line, statement.seen, source, why, digest))
    same: Counter[tuple[str, ...]] = Counter()
    for number, mutant in enumerate(found):
        found[number] = replace(mutant, nth=same[mutant.known_by])
        same[mutant.known_by] += 1
    return found


def _first_difference(was: str, now: str) -> int:
    """The column at which two lines differ first."""
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(was, now, strict=False))
    return sum(1 for _ in alike)


Place = tuple[int, int]
"""A line and a column, as Python counts them."""

WORDS = frozenset({"in_words", "with_verb"})
"""Functions that put names into a sentence."""


def _beside_data(tree: ast.AST) -> Iterator[tuple[Place, Place, str]]:
    """The parts of a module that no case and no log says anything about, each with the reason."""
    for node in ast.walk(tree):
        if isinstance(node, ast.expr) and _is_wording(node):
            yield (*_ends(node), "only the wording changes")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield from _in_call(node, node.func.id)


def _in_call(call: ast.Call, name: str) -> Iterator[tuple[Place, Place, str]]:
    """What of a call is no matter of cases and logs."""
    if name == "no_effect":
        yield (*_ends(call), "which keys have no effect is asked of rules files")
    elif name in WORDS:
        yield (*_ends(call), "only the wording changes")
    elif name == "Span":
        for column in call.args[1:]:
            yield (*_ends(column), "data says the line of a finding, not its columns")
    for keyword in call.keywords:
        if name == "code" and keyword.arg == "where":
            yield (*_ends(keyword.value), "which codes rules can lead to is asked of rules files")
        elif keyword.arg == "notes":
            yield (*_ends(keyword.value), "only the wording changes")


def _is_wording(node: ast.expr) -> bool:
    """Whether it is a sentence, or chooses between parts of one; a code or key has no spaces."""
    if isinstance(node, ast.IfExp):
        return any(_is_wording(part) for part in (node.body, node.orelse))
    if isinstance(node, ast.JoinedStr):
        return any(_is_wording(part) for part in node.values)
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value


def _ends(node: ast.expr) -> tuple[Place, Place]:
    return (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)


def _parts(tree: ast.AST) -> Iterator[ast.stmt]:
    """The statements of a module, and of its classes: the tool reads a part quicker than a whole."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield from _parts(node)
        elif isinstance(node, ast.stmt):
            yield node


def _changes(text: str, operators) -> Iterator[str]:
    """A text with one change, for each that there is."""
    for operator in operators:
        for occurrence in range(_count(text, operator)):
            changed = mutate_code(text, operator, occurrence)
            assert changed is not None
            if _is_python(changed):
                yield changed


def _is_python(text: str) -> bool:
    """Whether it can be read: `not` before an assignment in a condition cannot."""
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def _count(text: str, operator) -> int:
    places: list[object] = []

    class Places(Visitor):
        def visit(self, node):
            places.extend(operator.mutation_positions(node))
            return node

    Places().walk(get_ast(text))
    return len(places)


class _Statement(NamedTuple):
    """A statement: its lines (of a compound one those of its head), its function, and where it is seen to run.

    That is nowhere if it runs when the module is loaded or an object is made. The statements of a
    function that makes another one may have run once and for all, so any line of it counts.
    """

    lines: tuple[int, ...]
    function: str
    seen: tuple[int, ...]


def _statements(
    tree: ast.AST, function: str = "", around: tuple[int, ...] | None = ()
) -> Iterator[_Statement]:
    for node in ast.iter_child_nodes(tree):
        inside, near = function, around
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            last = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno
            lines = tuple(range(node.lineno, last + 1))
            yield _Statement(lines, function, lines if around is None else around)
            for above in getattr(node, "decorator_list", ()):  # runs when the module is loaded
                yield _Statement(tuple(range(above.lineno, above.end_lineno + 1)), node.name, ())
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            inside = f"{function}.{node.name}" if function else node.name
        if isinstance(node, ast.FunctionDef):
            near = None
            if node.name == "__init__":
                near = ()
            elif any(
                isinstance(one, ast.FunctionDef | ast.Lambda)
                for part in node.body
                for one in ast.walk(part)
            ):
                near = tuple(range(node.lineno, node.end_lineno + 1))
        yield from _statements(node, inside, near)


_OPPOSITE = {ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is}


class _Plain(ast.NodeTransformer):
    """`not not x` as `x`, `not a == b` as `a != b`."""

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        inner = node.operand
        if isinstance(node.op, ast.Not):
            if isinstance(inner, ast.UnaryOp) and isinstance(inner.op, ast.Not):
                return inner.operand
            if (
                isinstance(inner, ast.Compare)
                and len(inner.ops) == 1
                and type(inner.ops[0]) in _OPPOSITE
            ):
                inner.ops = [_OPPOSITE[type(inner.ops[0])]()]
                return inner
        return node
