"""Puts the playground together: a folder of static files, and the same as one HTML file that works from a disk.

    python playground/build_playground.py [--out build/playground]

Everything comes from package registries: the interpreter from npm (`package.json` beside this file
says which), the library from this checkout, what it needs from PyPI. Of native wheels only the
Python sources are taken: PyYAML and python-constraint2 have theirs beside the compiled modules, and
run without those. jsonschema before 4.18 is taken for the page, since later versions need a native
package; the tests in a browser check wrong rules with it.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parent
PAGE: Final = HERE / "page"
PURE: Final = ("jsonschema<4.18", "attrs", "lark")
SOURCES: Final = ("python-constraint2", "pyyaml")
"""Packages of which a native wheel is taken apart."""
WANTED: Final = (
    "meldref",
    "lark",
    "python_constraint2",
    "pyyaml",
    "jsonschema",
    "pyrsistent",
    "attrs",
)
RUNTIME: Final = (
    *("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"),
    *("python_stdlib.zip", "pyodide-lock.json"),
)
LEFT_OUT: Final = re.compile(
    r"\.(so|c|pyd|pyx|pyi|typed)$|^_yaml/|^meldref_cli/|/tests?/|^meldref_archive/|\.dist-info/(?!METADATA)"
)
SCRIPTS: Final = (
    "elements.js",
    "ask.js",
    "editor.js",
    "composer.js",
    "board.js",
    "log.js",
    "rules.js",
    "move.js",
    "table.js",
    "main.js",
)
MADE: Final = (1980, 1, 1, 0, 0, 0)
"""When every file of the archive was made, as far as it says: the first second that a zip can name."""


def build(out: Path) -> None:
    """Builds the site, and the single file, into a folder, which is replaced."""
    if out.exists():
        shutil.rmtree(out)
    out.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        runtime = _interpreter(work)
        for name in RUNTIME:
            shutil.copy(runtime / name, out / name)
        _pack(_application(work), out / "app.zip")
    worker = _read("worker.js")
    (out / "worker.js").write_text(_read("worker-site.js") + worker, encoding="utf-8")
    (out / "page.js").write_text(_script("start-site.js"), encoding="utf-8")
    (out / "page.css").write_text(_read("page.css"), encoding="utf-8")
    (out / "index.html").write_text(_site_page(), encoding="utf-8")
    _write_keeper(out)
    (out / "playground.html").write_text(_single_file(out, worker), encoding="utf-8")
    _say_sizes(out)


# --- what is downloaded ---------------------------------------------------------------------------


def _interpreter(work: Path) -> Path:
    """Python for browsers, as npm has it."""
    wanted = json.loads((HERE / "package.json").read_text(encoding="utf-8"))["dependencies"][
        "pyodide"
    ]
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("npm is needed for Python's interpreter for browsers")
    flags = [
        "--no-audit",
        "--no-fund",
        "--no-save",
        "--no-package-lock",
        "--ignore-scripts",
        "--loglevel=error",
    ]
    _run([npm, "install", "--prefix", str(work / "npm"), *flags, f"pyodide@{wanted}"])
    return work / "npm" / "node_modules" / "pyodide"


def _application(work: Path) -> Path:
    """The library and what it needs, as sources."""
    wheels, app = work / "wheels", work / "app"
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    environment = {key: value for key, value in os.environ.items() if key != "PIP_CONSTRAINT"}
    _run([*pip, "wheel", "--no-deps", "--wheel-dir", str(wheels), str(ROOT)])
    get = [*pip, "download", "--no-deps", "--only-binary", ":all:", "--dest", str(wheels)]
    _run([*get, *PURE, *SOURCES], environment)
    anywhere = ["--platform", "any", "--abi", "none", "--implementation", "py"]
    _run([*get, *anywhere, "pyrsistent"], environment)
    for package in WANTED:
        _unpack(_wheel(wheels, package), app)
    return app


def _run(command: list[str], environment: dict[str, str] | None = None) -> None:
    subprocess.run(command, check=True, env=environment)


def _wheel(folder: Path, package: str) -> Path:
    """The wheel of a package."""
    wheels = [
        path for path in folder.glob("*.whl") if path.name.lower().partition("-")[0] == package
    ]
    if not wheels:
        raise SystemExit(f"there is no wheel of {package}")
    return wheels[0]


def _unpack(wheel: Path, folder: Path) -> None:
    """What Python reads of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if not name.endswith("/") and not LEFT_OUT.search(name):
                archive.extract(name, folder)


def _pack(folder: Path, target: Path) -> None:
    """A zip whose bytes depend on nothing but the files."""
    with zipfile.ZipFile(target, "w") as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), MADE)
                archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)


# --- the page -------------------------------------------------------------------------------------


def _read(name: str) -> str:
    return (PAGE / name).read_text(encoding="utf-8")


def _script(start: str) -> str:
    """The page's script: how its worker starts, then the views."""
    return _read(start) + "".join(_read(name) for name in SCRIPTS)


def _examples() -> str:
    """What the page shows to begin with, as data in an element."""
    texts = {
        "log": (ROOT / "examples" / "disputed.rgn").read_text(encoding="utf-8"),
        "position": (ROOT / "examples" / "position.yaml").read_text(encoding="utf-8"),
    }
    return (
        f'<script type="application/json" id="examples">{_in_script(json.dumps(texts))}</script>\n'
    )


def _in_script(data: str) -> str:
    """JSON that stands in a script element: nothing in it can end that, or begin another one."""
    return re.sub("[<>&]", lambda sign: f"\\u{ord(sign[0]):04x}", data)


def _viewer_digests() -> tuple[str, str]:
    """What the policy knows the script and the style of a report's page by; it is shown in a frame."""
    viewer = ROOT / "validator" / "meldref_table" / "report" / "viewer"
    script, style = (viewer / name for name in ("viewer.js", "viewer.css"))
    return _digest(script.read_text(encoding="utf-8")), _digest(style.read_text(encoding="utf-8"))


def _booklet_digest() -> str:
    """The hash of a rulebook's style, as it is in its page."""
    book = ROOT / "validator" / "meldref_authoring" / "rulebook"
    page, style = (book / name for name in ("page.html", "page.css"))
    template = page.read_text(encoding="utf-8").replace(
        "${style}", style.read_text(encoding="utf-8")
    )
    styles = re.findall(r"<style>(.*?)</style>", template, re.DOTALL)
    return _digest(styles[0])


def _digest(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def _policy(script: str, style: str, connect: str, worker: str) -> str:
    """The page's policy: no other origin, no script or style that is not known by its file or its digest."""
    viewer_script, viewer_style = _viewer_digests()
    rules = (
        "default-src 'none'",
        f"script-src {script} 'wasm-unsafe-eval' {viewer_script}",
        f"style-src {style} {viewer_style} {_booklet_digest()}",
        f"connect-src {connect}",
        f"worker-src {worker}",
        "img-src data: blob:",
        "frame-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
    )
    return f'<meta http-equiv="Content-Security-Policy" content="{"; ".join(rules)}">'


def _filled(pieces: dict[str, str]) -> str:
    return re.sub(r"@([A-Z]+)@", lambda place: pieces[place[1]], _read("index.html"))


def _site_page() -> str:
    """The page of the site, with its scripts beside it."""
    return _filled(
        {
            "POLICY": _policy("'self'", "'self'", "'self'", "'self'"),
            "STYLE": '<link rel="stylesheet" href="page.css">',
            "SCRIPT": _examples() + '<script type="module" src="page.js"></script>',
        }
    )


def _write_keeper(out: Path) -> None:
    """The service worker, whose version is a digest of all that it keeps."""
    files = sorted(path.name for path in out.iterdir())
    digest = hashlib.sha256(b"".join((out / name).read_bytes() for name in files)).hexdigest()[:16]
    text = (
        _read("sw.js")
        .replace("@VERSION@", f"meldref-{digest}")
        .replace("@FILES@", json.dumps(files))
    )
    (out / "sw.js").write_text(text, encoding="utf-8")


def _single_file(out: Path, worker: str) -> str:
    """The page with all that it needs; a page opened from a disk may not load what lies beside it."""
    style, script = _read("page.css"), _script("start-file.js")
    script = re.sub(r"^navigator\.serviceWorker.*$", "", script, flags=re.MULTILINE)
    names = (*RUNTIME, "app.zip")
    packed = {name: gzip.compress((out / name).read_bytes(), 9, mtime=0) for name in names}
    inside = {name: base64.b64encode(data).decode() for name, data in packed.items()}
    data = (
        f'<script type="text/plain" id="worker">{worker}{_read("worker-file.js")}</script>\n'
        f'<script type="application/json" id="inside">{json.dumps(inside)}</script>\n'
    )
    policy = _policy(f"{_digest(script)} blob:", _digest(style), "blob:", "data: blob:")
    return _filled(
        {
            "POLICY": policy,
            "STYLE": f"<style>{style}</style>",
            "SCRIPT": f'{_examples()}{data}<script type="module">{script}</script>',
        }
    )


def _say_sizes(out: Path) -> None:
    """What a browser loads, as it is and compressed."""
    whole = small = 0
    for path in sorted(out.iterdir()):
        size, packed = path.stat().st_size, len(gzip.compress(path.read_bytes(), 9))
        print(f"{path.name:20} {size:>12,} {packed:>12,}")
        if path.name != "playground.html":
            whole, small = whole + size, small + packed
    print(f"{'the site':20} {whole:>12,} {small:>12,} with gzip")


def main() -> None:
    """Builds into the folder that is asked for."""
    parser = argparse.ArgumentParser(description="Builds the playground.")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "playground")
    build(parser.parse_args().out)


if __name__ == "__main__":
    main()
