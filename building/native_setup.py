"""What `native_build` runs in the folder of the sources: `python native_setup.py OUT MODULES…`."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from mypyc.build import mypycify
from setuptools import setup
from setuptools._distutils.ccompiler import CCompiler  # the door to it that setuptools leaves open

FLAGS = (
    "--explicit-package-bases",
    "--namespace-packages",
    "--ignore-missing-imports",
    "--no-warn-unused-ignores",
)


def main() -> None:
    """Compiles the modules into OUT/lib."""
    out, *files = sys.argv[1:]
    modules = mypycify(
        [*FLAGS, *files],
        opt_level="1",  # at this level gcc tells where mypyc lets go of what it never held; -Werror stops it
        debug_level="0",
        group_name="meldref",
        multi_file=True,
        target_dir=os.path.join(out, "c"),  # noqa: PTH118  mypyc takes texts
    )
    setattr(CCompiler, "compile", _compile_side_by_side)  # noqa: B010  a type checker would not have it assigned
    sys.argv[1:] = ["-q", "build_ext", "--build-lib", f"{out}/lib", "--build-temp", f"{out}/temp"]
    setup(name="meldref", ext_modules=modules, packages=[])


def _compile_side_by_side(
    self: Any,
    sources: list[str],
    output_dir: str | None = None,
    macros: Any = None,
    *args: Any,
    **options: Any,
) -> list[str]:
    """What `CCompiler.compile` does, on every core: there is a C file for each module."""
    names = ("include_dirs", "debug", "extra_preargs", "extra_postargs", "depends")
    options = {
        **dict.fromkeys(names),
        "debug": False,
        **dict(zip(names, args, strict=False)),
        **options,
    }
    macros, objects, extra, flags, build = self._setup_compile(
        output_dir,
        macros,
        options["include_dirs"],
        sources,
        options["depends"],
        options["extra_postargs"],
    )
    settings = self._get_cc_args(flags, options["debug"], options["extra_preargs"])

    def one(name: str) -> None:
        source, ending = build[name]
        self._compile(name, source, ending, settings, extra, flags)

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        list(pool.map(one, [name for name in objects if name in build]))
    return list(objects)


if __name__ == "__main__":
    main()
