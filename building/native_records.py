"""Writes records and named tuples out as plain classes, which mypyc compiles to native ones.

`@record` and `NamedTuple` make their classes while a program runs, and mypyc can only compile what stands in the
text. So before it compiles, the build hook passes a copy of the sources through here. The sources themselves stay
as they are, and nothing is said twice. From

    @record
    class Pattern:
        '''A kind of meld.'''

        kind: Kind
        only: tuple[str, ...] = passed(each_on_one_line, default=())
        origins: Mapping[str, Origin] = hidden(default=MappingProxyType({}))
        found: list[str] = fresh(default_factory=list)
        is_run: bool = derived(lambda pattern: "consecutive_ranks" in pattern.kind.require)

        def sizes(self) -> range: ...

comes

    class Pattern:
        '''A kind of meld.'''

        __match_args__: ClassVar[tuple[str, ...]] = ("kind", "only", "origins", "found")
        _fields_of_record: ClassVar[tuple[str, ...]] = ("kind", "only", "origins", "found")
        _hints_of_record: ClassVar[dict[str, str]] = {"kind": "Kind", …}

        def __init__(
            self,
            kind: Kind,
            only: tuple[str, ...] = (),
            origins: … = …,
            found: list[str] | None = None,
            derived_is_run: Any = FRESH,
        ):
            self.kind: Final = kind
            self.only: Final = each_on_one_line(only)
            self.origins: Final = origins
            self.found: Final[list[str]] = list() if found is None else found
            self.is_run: Final = "consecutive_ranks" in self.kind.require if derived_is_run is FRESH else derived_is_run

        def __eq__ … __hash__ … __repr__ … __reduce__ …

        def sizes(self) -> range: ...

    sign(Pattern, "A kind of meld.", {"only": (), …})

The rules, each of which keeps what `meldref.core.records` promises:

- `passed(f)`: the argument goes through `f`; `derived(f)`: no argument but a copy's, else `f` of the instance, and a
  lambda is written out on `self`; `fresh(default_factory=f)`: nothing becomes `f()`; `hidden`: an argument like any other.
- `==`, `hash` and `repr` look at the fields that are neither hidden nor derived, and another class is never equal.
  A method of that name that the class has itself stays.
- Frozen: attributes are `Final`, which mypyc makes read-only. `@record(frozen=False)`: they are not, and nothing
  can be hashed.
- `copied`, `changed`, pickling and copying go through `_copied_record`, `_row_of_record` and `__reduce__`. A copy
  takes over what was derived, too: it may have been changed since, and need not be worked out anew.
- `__str__ = text_of`, a function that is a method, becomes a method that calls it.
- `sign` puts back what mypyc leaves out: the docstring, and the signature with defaults and types.
- A `NamedTuple` becomes a frozen record with `_replace`, which can be taken apart, and equals a tuple, as it did.
  Those of KEPT stay what they are.
- A class on one of Python's own, such as `Names(dict[str, str])`, gets a decorator, which keeps it a Python class.
- `_new(Kind, (a, b))`, which makes a NamedTuple without its constructor, becomes `Kind(a, b)`.
- The functions of NOTED take anything for their ruleset: a compiled function checks what it is given.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

KEPT = frozenset({"Played", "Family", "_Entry"})
"""Named tuples that are compared, or taken apart, or keys of dictionaries, by the thousand: those are quicker."""
NOTED = frozenset({"jokers_for", "decks", "has_jokers", "only_out_ends", "_enough"})
"""Functions that the rulebook asks about a ruleset which notes what is read of it, and is no `Ruleset`."""
_SPECIFIERS = ("fresh", "hidden", "passed", "derived")
_PYTHONS_OWN = frozenset(vars(builtins)) - {"Exception", "object"}
_OWN = ("copied", "changed", "FRESH", "reduced", "sign", "undecorated")


@dataclass(frozen=True)
class _Field:
    """A field: its type, its default and default factory as written, and what it goes through or is derived by."""

    name: str
    type: str
    default: ast.expr | None = None
    factory: ast.expr | None = None
    through: ast.expr | None = None
    derive: ast.expr | None = None
    hidden: bool = False

    @property
    def parameter(self) -> str:
        """The constructor's name for it; nobody but a copy gives what is derived."""
        return self.name if self.derive is None else f"derived_{self.name}"


def rewritten(source: str) -> str:
    """A module's source with its records and named tuples written out; as it is where it has none."""
    tree = ast.parse(source)
    lines = source.split("\n")
    edits: list[tuple[int, int, list[str]]] = []
    for described in [node for node in tree.body if isinstance(node, ast.ClassDef)]:
        frozen = _is_frozen(described)
        if frozen is not None:
            first = min([described.lineno, *(one.lineno for one in described.decorator_list)])
            assert described.end_lineno is not None
            edits.append(
                (first, described.end_lineno, list(_written(described, source, frozen=frozen)))
            )
        elif any(ast.unparse(base).partition("[")[0] in _PYTHONS_OWN for base in described.bases):
            line = described.lineno
            edits.append((line, line, ["@_undecorated", lines[line - 1]]))
    edits += _made_directly(tree)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in NOTED:
            edits.append(
                (
                    node.lineno,
                    node.lineno,
                    [lines[node.lineno - 1].replace(": Ruleset", ": _Any", 1)],
                )
            )
    if not edits:
        return source
    for first, last, text in sorted(edits, key=lambda edit: edit[0], reverse=True):
        lines[first - 1 : last] = text
    imports = [
        "from typing import Any as _Any, ClassVar as _ClassVar, Final as _Final, final as _final",
        *[f"from meldref.core.records import {name} as _{name}" for name in _OWN],
    ]
    start = next(
        at
        for at, node in enumerate(tree.body)
        if not isinstance(node, ast.Expr)
        and not (isinstance(node, ast.ImportFrom) and node.module == "__future__")
    )
    place = tree.body[start].lineno - 1
    return "\n".join([*lines[:place], *imports, *lines[place:]])


def _is_frozen(described: ast.ClassDef) -> bool | None:
    """Whether a class is a record, or a named tuple, whose fields cannot be set; None where it is neither."""
    if [ast.unparse(base) for base in described.bases] == ["NamedTuple"]:
        return None if described.name in KEPT else True
    for one in described.decorator_list:
        called = one.func if isinstance(one, ast.Call) else one
        if isinstance(called, ast.Name) and called.id == "record":
            assert len(described.decorator_list) == 1, (
                f"{described.name} has another decorator beside @record"
            )
            assert not described.bases, f"{described.name} is a record with a base class"
            words = one.keywords if isinstance(one, ast.Call) else []
            return all(ast.literal_eval(word.value) for word in words if word.arg == "frozen")
    return None


def _field(node: ast.AnnAssign) -> _Field:
    """What a line of a class says of a field."""
    assert isinstance(node.target, ast.Name)
    name, value = node.target.id, node.value
    written = (
        ast.literal_eval(node.annotation) if isinstance(node.annotation, ast.Constant) else None
    )
    hint = written or ast.unparse(node.annotation)
    if not (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Name)
        and value.func.id in _SPECIFIERS
    ):
        return _Field(name, hint, value)
    words = {word.arg: word.value for word in value.keywords}
    default = words.get("default")
    match value.func.id:
        case "fresh":
            return _Field(name, hint, factory=words["default_factory"])
        case "passed":
            return _Field(name, hint, default, through=value.args[0])
        case "derived":
            return _Field(name, hint, derive=value.args[0], hidden=True)
        case _:
            return _Field(name, hint, default, hidden=True)


def _written(described: ast.ClassDef, source: str, *, frozen: bool) -> Iterator[str]:
    """The lines of a class written out, and what is said of it behind it."""
    body = list(described.body)
    doc = ast.get_docstring(described, clean=False) or ""
    if doc:
        body.pop(0)
    fields = [_field(node) for node in body if isinstance(node, ast.AnnAssign)]
    texts = [
        node for node in body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    ]
    rest = [
        node
        for node in body
        if not isinstance(node, ast.AnnAssign | ast.Pass) and node not in texts
    ]
    own = {node.name for node in rest if isinstance(node, ast.FunctionDef)}
    given = [field for field in fields if field.derive is None]
    compared = [field.name for field in given if not field.hidden]
    name = described.name
    yield "@_final"
    yield f"class {name}:"
    yield f"    {doc!r}"
    for attribute in ("__match_args__", "_fields_of_record"):
        yield f"    {attribute}: _ClassVar[tuple[str, ...]] = {tuple(field.name for field in given)}"
    yield f"    _hints_of_record: _ClassVar[dict[str, str]] = { {field.name: field.type for field in fields} }"
    yield from _constructor(fields, given, frozen=frozen)
    if "__eq__" not in own:
        yield "    def __eq__(self, other: object) -> bool:"
        other = (
            f"other == {_row(compared)} if isinstance(other, tuple) else "
            if described.bases
            else ""
        )
        yield f"        if not isinstance(other, {name}): return {other}NotImplemented"
        yield "        return " + (
            " and ".join(f"self.{one} == other.{one}" for one in compared) or "True"
        )
    if frozen and "__hash__" not in own:
        yield "    def __hash__(self) -> int:"
        yield f"        return hash({_row(compared)})"
    if "__repr__" not in own:
        yield "    def __repr__(self) -> str:"
        yield f'        return f"{name}({", ".join(f"{one}={{self.{one}!r}}" for one in compared)})"'
    names = [field.name for field in given]
    yield "    def __reduce__(self) -> tuple[object, ...]:"
    yield f"        return _reduced({name}, {_row(names)})"
    yield "    def _row_of_record(self) -> tuple[object, ...]:"
    yield f"        return {_row(names)}"
    yield from _copying(name, fields)
    yield from _changing(name, names)
    if described.bases:
        yield "    def __iter__(self) -> _Any:"
        yield f"        return iter({_row(names)})"
        yield "    def __getitem__(self, at: _Any) -> _Any:"
        # What is typed as a row of like fields would take a slice of it for one of them.
        yield f"        row: _Any = {_row(names)}"
        yield "        return row[at]"
        yield f"    def _replace(self, **fields: _Any) -> {name}:"
        yield "        return _changed(self, **fields)"
    lines = source.split("\n")
    for node in rest:
        yield from _member(node, lines)
    defaults = [
        f"{field.name!r}: {'_FRESH' if field.default is None else ast.unparse(field.default)}"
        for field in given
        if field.factory or field.default is not None
    ]
    yield f"_sign({name}, {doc!r}, {{{', '.join(defaults)}}})"


def _changing(name: str, names: Sequence[str]) -> Iterator[str]:
    """How a copy with other values in some fields is made: what `changed` asks of a compiled class.

    Few fields change: comparing their names takes less than looking for every field among them.
    """
    yield "    _changes_itself: _ClassVar[bool] = True"
    yield f"    def _changed_record(self, changes: dict[str, _Any]) -> {name}:"
    yield from (f"        new_{field} = self.{field}" for field in names)
    yield "        for changed_field, value in changes.items():"
    for at, field in enumerate(names):
        yield f"            {'elif' if at else 'if'} changed_field == {field!r}: new_{field} = value"
    unknown = f"raise TypeError('no such field of {name}')"
    yield f"            {f'else: {unknown}' if names else unknown}"
    yield f"        return {name}({', '.join(f'new_{field}' for field in names)})"


def _copying(name: str, fields: Iterable[_Field]) -> Iterator[str]:
    """The method that copies; what is derived is not worked out anew, and may have been changed since."""
    values = ", ".join(f"{field.parameter}=self.{field.name}" for field in fields)
    yield f"    def _copied_record(self) -> {name}:"
    yield f"        return {name}({values})"


def _member(node: ast.stmt, lines: list[str]) -> Iterator[str]:
    """What else stands in a class, as it is; a function that is made a method there is written out."""
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name):
        (method,) = node.targets
        yield f"    def {ast.unparse(method)}(self) -> _Any:"
        yield f"        return {node.value.id}(self)"
        return
    first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
    yield from lines[first - 1 : node.end_lineno]


def _constructor(
    fields: Sequence[_Field], given: Sequence[_Field], *, frozen: bool
) -> Iterator[str]:
    derived = [field for field in fields if field.derive is not None]
    parameters = "".join(f", {_parameter(field)}" for field in (*given, *derived))
    yield f"    def __init__(self{parameters}) -> None:"
    values = [(field, _value(field)) for field in fields]
    for field, value in sorted(values, key=lambda one: one[0].derive is not None):
        declared = f"_Final[{field.type}]" if frozen else field.type
        yield f"        self.{field.name}: {declared} = {value}"
    if not values:
        yield "        pass"


def _parameter(field: _Field) -> str:
    if field.derive is not None:
        return f"{field.parameter}: _Any = _FRESH"
    if field.factory is not None:
        return f"{field.name}: {field.type} | None = None"
    default = "" if field.default is None else f" = {ast.unparse(field.default)}"
    return f"{field.name}: {field.type}{default}"


def _value(field: _Field) -> str:
    """What a field is set to when an instance is made."""
    if field.derive is not None:
        worked_out = f"{ast.unparse(field.derive)}(self)"
        if isinstance(field.derive, ast.Lambda):
            (parameter,) = field.derive.args.args
            worked_out = ast.unparse(_Renamed(parameter.arg).visit(field.derive.body))
        return f"({worked_out}) if {field.parameter} is _FRESH else {field.parameter}"
    if field.factory is not None:
        made = (
            field.factory.body
            if isinstance(field.factory, ast.Lambda)
            else ast.Call(field.factory, [], [])
        )
        return f"{ast.unparse(made)} if {field.name} is None else {field.name}"
    return (
        f"{ast.unparse(field.through)}({field.name})" if field.through is not None else field.name
    )


class _Renamed(ast.NodeTransformer):
    """Writes `self` for the parameter of a lambda."""

    def __init__(self, name: str) -> None:
        self._name = name

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name("self", node.ctx) if node.id == self._name else node


def _row(names: Iterable[str]) -> str:
    return "(" + "".join(f"self.{name}, " for name in names) + ")"


def _made_directly(tree: ast.Module) -> Iterator[tuple[int, int, list[str]]]:
    """The edits that write `Kind(a, b)` for `_new(Kind, (a, b))`, statement by statement."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.Expr | ast.Return) and any(
            map(_is_new, ast.walk(node))
        ):
            assert node.end_lineno is not None
            text = ast.unparse(ast.fix_missing_locations(_Called().visit(node)))
            yield (
                node.lineno,
                node.end_lineno,
                [" " * node.col_offset + line for line in text.split("\n")],
            )


def _is_new(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "_new"


class _Called(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if not _is_new(node):
            return node
        kind, row = node.args
        assert isinstance(row, ast.Tuple), "_new takes a kind and a tuple that is written out"
        return ast.Call(kind, row.elts, [])
