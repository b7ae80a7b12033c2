"""What `native_build` runs in the folder of the sources: `python native_setup.py OUT MODULES…`."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from mypyc.build import mypycify
from setuptools import setup
from setuptools.command.build_ext import build_ext

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
    if sys.platform != "win32":
        for module in modules:
            # What one module calls of another lies in the same library: nobody else has to find it by its name.
            module.extra_compile_args.append("-fvisibility=hidden")
    sys.argv[1:] = ["-q", "build_ext", "--build-lib", f"{out}/lib", "--build-temp", f"{out}/temp"]
    commands = {"build_ext": SideBySide}
    setup(name="meldref", ext_modules=modules, packages=[], cmdclass=commands)


class SideBySide(build_ext):  # type: ignore[misc]  # setuptools has no types for it
    """Compiles on every core: there is a C file for each module."""

    def build_extensions(self) -> None:
        """Builds them with a compiler that takes several files at once."""
        self.compiler.compile = partial(_compile_side_by_side, self.compiler)
        super().build_extensions()


def _compile_side_by_side(
    compiler: Any,
    sources: list[str],
    output_dir: str | None = None,
    macros: Any = None,
    *args: Any,
    **options: Any,
) -> list[str]:
    """What the compiler's `compile` does, on every core."""
    names = ("include_dirs", "debug", "extra_preargs", "extra_postargs", "depends")
    options = {
        **dict.fromkeys(names),
        "debug": False,
        **dict(zip(names, args, strict=False)),
        **options,
    }
    macros, objects, extra, flags, build = compiler._setup_compile(  # noqa: SLF001  no other way in
        output_dir,
        macros,
        options["include_dirs"],
        sources,
        options["depends"],
        options["extra_postargs"],
    )
    settings = compiler._get_cc_args(flags, options["debug"], options["extra_preargs"])  # noqa: SLF001

    def one(name: str) -> None:
        source, ending = build[name]
        compiler._compile(name, source, ending, settings, extra, flags)  # noqa: SLF001

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        list(pool.map(one, [name for name in objects if name in build]))
    return list(objects)


if __name__ == "__main__":
    main()
