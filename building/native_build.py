"""Compiles the modules that read, judge and replay, with mypyc: `python building/native_build.py FOLDER`.

The folder then holds the compiled modules, and nothing else, each where its source is in a wheel. What is compiled
is a copy of the sources in which `native_records` has written records out. It needs a C compiler.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from native_records import rewritten

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PACKAGES = (
    *(f"meldref/{name}" for name in ("engine", "melds", "moves", "position", "replay", "rules")),
    "meldref_archive/confirming",
    "meldref_evidence/repair",
    "meldref_table/best",
    "meldref_table/simulate/quick_moves",
)
"""Those of which every module is compiled: what judges, and carries out, and lists moves.

The rest of `simulate` is none of them: others derive players from its classes, and hand it what compiled code would
refuse.
"""
MODULES = (
    *[f"meldref/core/{name}" for name in ("allowance", "cards", "diagnostics", "events", "text")],
    *[
        f"meldref/notation/{name}"
        for name in (
            "actions",
            "canonical",
            "hopeful",
            "lines",
            "memory",
            "parts",
            "reader",
            "spelling",
        )
    ],
    "meldref/ruleset/changes",
    "meldref/ruleset/model",
    "meldref_evidence/explaining",
    "meldref_evidence/whole_record",
)
"""Single ones beside them."""
KEPT = {
    "meldref/position/memory": "a turn as it may end has ranges where one that has ended has numbers",
    "meldref_table/best/later": "as above: it is what such a turn may become",
    "meldref/rules/pages": "pages in Markdown, and what reads them",
    "meldref/melds/solver": "compiled, it frees constraints that python-constraint2, whose time it is, still uses",
}
"""Folders and modules of those packages that stay as they are, and why."""


def main() -> int:
    """Compiles into a folder."""
    (folder,) = sys.argv[1:]
    compile_into(Path(folder))
    return 0


def sources(root: Path) -> Iterator[Path]:
    """The modules that are compiled, below the root of the sources."""
    for name in PACKAGES:
        for path in sorted((root / name).rglob("*.py")):
            inside = path.relative_to(root).as_posix()
            if path.name != "__init__.py" and not inside.startswith(tuple(KEPT)):
                yield path
    for name in MODULES:
        yield root / f"{name}.py"


def compile_into(folder: Path) -> list[Path]:
    """Compiles into a folder, and gives the files that are there then."""
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        shutil.copytree(
            ROOT / "validator", work / "validator", ignore=shutil.ignore_patterns("__pycache__")
        )
        files = [path.relative_to(work / "validator") for path in sources(work / "validator")]
        for file in files:
            path = work / "validator" / file
            path.write_text(rewritten(path.read_text(encoding="utf-8")), encoding="utf-8")
        command = [sys.executable, str(HERE / "native_setup.py"), str(work), *map(str, files)]
        subprocess.run(command, cwd=work / "validator", check=True)
        shutil.copytree(work / "lib", folder, dirs_exist_ok=True)
    return [path for path in sorted(folder.rglob("*")) if path.suffix in {".so", ".pyd"}]


if __name__ == "__main__":
    sys.exit(main())
