"""With MELDREF_COMPILE=1 the modules that take the time are compiled into the wheel; without it the wheel is pure.

Either wheel has every source, where tracebacks, `help` and debuggers look for it; Python prefers what is compiled
beside it. `building/native_build.py` says which modules, and how.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledModules(BuildHookInterface[Any]):
    """Compiles, if it is asked to; an editable install stays what its sources are."""

    _folder = ""

    def dependencies(self) -> list[str]:
        """What compiling takes beside a C compiler."""
        return ["mypy[mypyc]>=2.4,<2.5", "setuptools", "types-PyYAML"] if _wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Puts the compiled modules beside their sources."""
        if version == "editable" or not _wanted():
            return
        sys.path.insert(0, str(Path(self.root) / "building"))
        from native_build import compile_into  # noqa: PLC0415  a pure wheel needs nothing of it

        self._folder = tempfile.mkdtemp(prefix="meldref-native-")
        for built in compile_into(Path(self._folder)):
            build_data["force_include"][str(built)] = built.relative_to(self._folder).as_posix()
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Removes what is in the wheel by now."""
        if self._folder:
            shutil.rmtree(self._folder)


def _wanted() -> bool:
    return os.environ.get("MELDREF_COMPILE") == "1"
