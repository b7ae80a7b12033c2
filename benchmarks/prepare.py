"""Makes what the benchmarks need, in a folder git ignores: `python3 -m benchmarks.prepare [OPTIONS OF run]`.

An environment with the pure wheel and the peers, one with the compiled wheel, and the corpora,
whose results are checked once. Options are passed on to `benchmarks.run`. The command to measure
with is printed at the end.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv

from benchmarks.corpora import CACHE
from benchmarks.measure import ROOT


def main() -> int:
    """Makes both environments anew, then the corpora that are not there."""
    for name, extras in (("pure", "[bench,test,ray]"), ("compiled", "[test,ray]")):
        place = CACHE / name
        venv.create(place, clear=True, with_pip=True)
        wheels = place / "wheels"
        compile_ = {"MELDREF_COMPILE": "1"} if name == "compiled" else {}
        _run(
            place,
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--wheel-dir",
            str(wheels),
            str(ROOT),
            **compile_,
        )
        (wheel,) = wheels.glob("*.whl")
        _run(place, "pip", "install", "--quiet", f"{wheel}{extras}")
    if shutil.which("pgn-extract", path=f"{os.environ.get('PATH', '')}:/usr/games") is None:
        print("pgn-extract is not here (apt-get install pgn-extract): G2 will be skipped")
    options = ["--compiled", str(CACHE / "compiled" / "bin" / "python"), *sys.argv[1:]]
    _run(CACHE / "pure", "python", "-m", "benchmarks.run", *options, "--only-check")
    print("ready:", CACHE / "pure" / "bin" / "python", "-m benchmarks.run", *options)
    return 0


def _run(place: os.PathLike[str], program: str, *arguments: str, **more: str) -> None:
    constraints = str(ROOT / ".ci" / "constraints.txt")
    known = {"PIP_CONSTRAINT": constraints, "PIP_BUILD_CONSTRAINT": constraints}
    command = [os.path.join(place, "bin", program), *arguments]  # noqa: PTH118  a path-like of either kind
    subprocess.run(command, check=True, cwd=ROOT, env={**os.environ, **known, **more})


if __name__ == "__main__":
    sys.exit(main())
