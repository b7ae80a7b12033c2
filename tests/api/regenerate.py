"""Writes `public.txt`: each name that `meldref` exports or a page imports, what it is, and how it is called.

    python tests/api/regenerate.py            write it anew
    python tests/api/regenerate.py --check    only say whether it differs

Programs of others depend on what stands there: a line may be added, but one that changes or goes
breaks them.
"""

from __future__ import annotations

import enum
import inspect
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from inspect import Parameter
from pathlib import Path
from typing import Any

import meldref
from meldref.core.records import fields_of

FILE = Path(__file__).resolve().parent / "public.txt"
ROOT = FILE.parent.parent.parent
KEPT = {
    "meldref.archive": "Log TABLES audit_logs",
    "meldref.at_table.chances": "weigh",
    "meldref.rulefiles.load": "load_ruleset",
    "meldref.simulate": "LogSource Seats log_lines play_games play_hands",
}
"""Where programs may still import names from that are elsewhere now."""
OF_EXTRAS = {"meldref_table.environment"}
"""What cannot be imported where an extra is not installed."""
_IMPORTS = re.compile(r"^(?:>>> |    )?from (meldref[\w.]*) import ([\w, ]+)$", re.MULTILINE)


def described() -> str:
    """The public API as text, a line for each name and, below a class, for each of its public members."""
    names = {("meldref", name) for name in meldref.__all__}
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        for module, row in _IMPORTS.findall(page.read_text(encoding="utf-8")):
            names |= {(module, name.strip()) for name in row.split(",")}
    names |= {(module, name) for module, kept in KEPT.items() for name in kept.split()}
    names = {(module, name) for module, name in names if module not in OF_EXTRAS}
    lines = [
        line
        for module, name in sorted(names)
        for line in _lines(f"{module}.{name}", getattr(import_module(module), name))
    ]
    return "\n".join([*lines, ""])


def _lines(name: str, one: Any) -> Iterator[str]:
    if not isinstance(one, type):
        yield f"{name}{_signature(one)}" if callable(one) else f"{name}: {type(one).__name__}"
        return
    bases = ", ".join(base.__name__ for base in one.__bases__ if base is not object)
    yield f"class {name}({bases})" if bases else f"class {name}"
    if issubclass(one, enum.Enum):
        yield from (f"    {member.name} = {member.value!r}" for member in one)
        return
    fields = fields_of(one) or getattr(one, "_fields", ())
    if fields or "__init__" in vars(one):
        yield f"    __init__{_signature(one)}"
    for member in sorted(set(vars(one)) - set(fields)):
        found = inspect.getattr_static(one, member)
        if member.startswith("_"):
            continue
        if callable(getattr(one, member)):
            yield f"    {member}{_signature(getattr(one, member))}"
        else:
            yield f"    {member}: {'property' if isinstance(found, property) else 'value'}"


def _signature(one: Any) -> str:
    """The parameters and their defaults; what they hold is said by the type checker."""
    signature = inspect.signature(one)
    bare = [_bare(parameter) for parameter in signature.parameters.values()]
    return str(signature.replace(parameters=bare, return_annotation=signature.empty))


def _bare(parameter: Parameter) -> Parameter:
    default: object = parameter.default
    if default is not Parameter.empty and type(default).__repr__ is object.__repr__:
        default = type(
            default
        )  # an object without a text of its own: where it lies in memory is no news
    return parameter.replace(annotation=Parameter.empty, default=default)


def main(arguments: list[str]) -> int:
    """Writes the file, or with `--check` only compares; 1 where it is stale."""
    text = described()
    if FILE.is_file() and FILE.read_text(encoding="utf-8") == text:
        return 0
    if "--check" not in arguments:
        FILE.write_text(text, encoding="utf-8")
        return 0
    sys.stdout.write(f"{FILE.name}: differs\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
