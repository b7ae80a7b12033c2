"""Puts the playground together: a folder of static files, and the same as one HTML file that works from a disk.

    python playground/build_playground.py [--out build/playground]

Everything comes from package registries: the interpreter and what the page is built with from npm
(`package.json` beside this file says which), the library from this checkout, what it needs from
PyPI. Of native wheels only the Python sources are taken: PyYAML and python-constraint2 have theirs
beside the compiled modules, and run without those. jsonschema before 4.18 is taken for the page,
since later versions need a native package; the tests in a browser check wrong rules with it.
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
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parent
PAGE: Final = HERE / "page"
PURE: Final = ("jsonschema<4.18", "attrs", "lark", "openpyxl<4", "et-xmlfile", "defusedxml")
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
FOR_WORKBOOKS: Final = ("openpyxl", "et_xmlfile", "defusedxml")
RUNTIME: Final = (
    *("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"),
    *("python_stdlib.zip", "pyodide-lock.json"),
)
SNAPSHOT: Final = "snapshot.bin.gz"
RECORDED: Final = "recorded.json"
WORKBOOKS: Final = "workbooks.json.gz"
"""What reads .xlsx and .ods, which is loaded only when somebody has one."""
LIBRARY: Final = "library.json.gz"
"""The sources by their paths: a browser reads one JSON object far quicker than Python unpacks a zip."""
LEFT_OUT: Final = re.compile(
    r"\.(so|c|pyd|pyx|pyi|typed)$|^_yaml/|^meldref_cli/|/(tests?|benchmarks)/|^meldref_archive/|\.data/|\.dist-info/(?!METADATA)"
)


def build(out: Path) -> None:
    """Builds the site, and the single file, into a folder, which is replaced."""
    if out.exists():
        shutil.rmtree(out)
    out.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        with ThreadPoolExecutor() as at_once:
            tools, application = at_once.submit(_tools, work), at_once.submit(_application, work)
            modules, (app, workbooks) = tools.result(), application.result()
        for name in RUNTIME:
            shutil.copy(modules / "pyodide" / name, out / name)
        _pack(app, out / LIBRARY)
        _pack(workbooks, out / WORKBOOKS)
        with ThreadPoolExecutor() as at_once:
            done = [
                at_once.submit(_take_snapshot, modules, out),
                at_once.submit(_record, app, out / RECORDED),
                at_once.submit(_check_modules, modules, work),
            ]
            data = _data(_first_answers(app))
            for one in done:
                one.result()
        bundler = Bundler(modules, work, _sizes(out))
        for name in ("page.js", "worker.js", "meldref-viewer.js"):
            (out / name).write_text(bundler.script(name, single=False), encoding="utf-8")
        style = bundler.style()
        (out / "page.css").write_text(style, encoding="utf-8")
        (out / "index.html").write_text(_site_page(data), encoding="utf-8")
        (out / "NOTICES.txt").write_text(_notices(modules), encoding="utf-8")
        _write_keeper(out)
        single = _single_file(out, bundler, style, data)
        (out / "playground.html").write_text(single, encoding="utf-8")
    _say_sizes(out)


# --- what is downloaded ---------------------------------------------------------------------------


def _tools(work: Path) -> Path:
    """What npm has: the interpreter for browsers, and what the page is built with and of."""
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("npm is needed for Python's interpreter for browsers, and for the page")
    folder = work / "npm"
    folder.mkdir()
    shutil.copy(HERE / "package.json", folder)
    flags = ("--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", "--loglevel=error")
    _run([npm, "install", "--prefix", str(folder), *flags])
    return folder / "node_modules"


def _application(work: Path) -> tuple[Path, Path]:
    """The library and what it always needs, as sources, and what it needs for workbooks."""
    wheels, app, workbooks = work / "wheels", work / "app", work / "workbooks"
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    environment = {key: value for key, value in os.environ.items() if key != "PIP_CONSTRAINT"}
    _run([*pip, "wheel", "--no-deps", "--wheel-dir", str(wheels), str(ROOT)])
    get = [*pip, "download", "--no-deps", "--only-binary", ":all:", "--dest", str(wheels)]
    _run([*get, *PURE, *SOURCES], environment)
    anywhere = ["--platform", "any", "--abi", "none", "--implementation", "py"]
    _run([*get, *anywhere, "pyrsistent"], environment)
    for package in WANTED:
        _unpack(_wheel(wheels, package), app)
    for package in FOR_WORKBOOKS:
        _unpack(_wheel(wheels, package), workbooks)
    return app, workbooks


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
    """All the sources as one object of JSON, whose bytes depend on nothing but the files."""
    files = {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".pyc"
    }
    data = json.dumps(files, ensure_ascii=False, separators=(",", ":"))
    target.write_bytes(gzip.compress(data.encode(), 9, mtime=0))


# --- what is made ---------------------------------------------------------------------------------


def _take_snapshot(modules: Path, out: Path) -> None:
    """Python's memory with the library imported, from which the page starts."""
    script = HERE / "make_snapshot.mjs"
    command = ["node", str(script), str(modules / "pyodide"), str(out / LIBRARY)]
    _run([*command, str(out / SNAPSHOT)])


def _record(app: Path, target: Path) -> None:
    """The library's answers about the example, with which the page plays before Python is there."""
    environment = {**os.environ, "PYTHONPATH": str(app), "PYTHONDONTWRITEBYTECODE": "1"}
    _run([sys.executable, str(HERE / "record.py"), str(target)], environment)


def _first_answers(app: Path) -> str:
    """The library's answers with which the other doors open."""
    environment = {**os.environ, "PYTHONPATH": str(app), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, str(HERE / "answers.py")]
    return subprocess.run(
        command, check=True, env=environment, capture_output=True, text=True
    ).stdout


def _check_modules(modules: Path, work: Path) -> None:
    """Stops where TypeScript, or a test of theirs, finds something wrong in the page's modules."""
    project = work / "checked" / "playground"
    project.mkdir(parents=True)
    (work / "checked" / "validator").symlink_to(ROOT / "validator")
    for name in ("page", "tests"):
        shutil.copytree(HERE / name, project / name)
    for name in ("tsconfig.json", "package.json"):
        shutil.copy(HERE / name, project)
    (project / "node_modules").symlink_to(modules)
    _run([str(modules / ".bin" / "tsc"), "--project", str(project)])
    _run(["node", str(HERE / "run_tests.mjs"), str(project)])


def _sizes(out: Path) -> dict[str, int]:
    """How many bytes each file has that the worker loads."""
    return {name: (out / name).stat().st_size for name in (*RUNTIME, LIBRARY, SNAPSHOT)}


class Bundler:
    """esbuild, with what the scripts are told when they are built."""

    def __init__(self, modules: Path, work: Path, sizes: dict[str, int]) -> None:
        self._esbuild = modules / ".bin" / "esbuild"
        self._work = work
        self._told = {"SIZES": json.dumps(sizes)}
        self._environment = {**os.environ, "NODE_PATH": str(modules)}

    def script(self, name: str, *, single: bool) -> str:
        """A script with all the modules that it imports."""
        source = PAGE / {"page.js": "main.ts"}.get(name, name.replace(".js", ".ts"))
        told = {**self._told, "SINGLE_FILE": json.dumps(single)}
        defined = [f"--define:{key}={value}" for key, value in told.items()]
        shape = "iife" if single and name == "page.js" else "esm"
        if name == "meldref-viewer.js":
            defined.append("--loader:.css=text")
        return self._bundle(source, f"--format={shape}", *defined)

    def style(self) -> str:
        """The page's style; its fonts are in it."""
        return self._bundle(PAGE / "page.css")

    def _bundle(self, source: Path, *flags: str) -> str:
        out = self._work / "bundle"
        loaders = ("--loader:.woff2=dataurl", "--loader:.svg=text")
        shared = ("--bundle", "--minify", "--target=es2022,safari17.5", *loaders)
        quiet = ("--log-level=warning", "--legal-comments=none", "--charset=utf8")
        command = [str(self._esbuild), str(source), *shared, *quiet, *flags, f"--outfile={out}"]
        _run(command, self._environment)
        return out.read_text(encoding="utf-8")


def _notices(modules: Path) -> str:
    """The licences of what others wrote and the page contains."""
    parts = [f"Besley (the letters of cards and verdicts)\n\n{_read('fonts/OFL.txt')}"]
    for package in sorted(_bundled(modules)):
        folder = modules / package
        version = json.loads((folder / "package.json").read_text(encoding="utf-8"))["version"]
        texts = sorted(folder.glob("LICEN[CS]E*"))
        said = "".join(path.read_text(encoding="utf-8") for path in texts)
        parts.append(f"{package} {version}\n\n{said}")
    return "\n\n---\n\n".join(parts)


def _bundled(modules: Path) -> set[str]:
    """The packages that are part of the page, with those that they need; tools are not."""
    found: set[str] = set()
    waiting = [*json.loads((HERE / "package.json").read_text(encoding="utf-8"))["dependencies"]]
    while waiting:
        package = waiting.pop()
        if package not in found and (modules / package).exists():
            found.add(package)
            data = json.loads((modules / package / "package.json").read_text(encoding="utf-8"))
            waiting += data.get("dependencies", {})
    return found


# --- the page -------------------------------------------------------------------------------------


def _read(name: str) -> str:
    return (PAGE / name).read_text(encoding="utf-8")


def _data(answers: str) -> str:
    """What the page shows to begin with, as data in elements."""
    texts = {
        "log": (ROOT / "examples" / "disputed.rgn").read_text(encoding="utf-8"),
        "position": json.loads(_read("example.json")),
    }
    return _element("examples", json.dumps(texts)) + _element("answers", answers)


def _element(name: str, data: str) -> str:
    """Data in an element of its own."""
    return f'<script type="application/json" id="{name}">{_in_script(data)}</script>\n'


def _in_script(data: str) -> str:
    """JSON that stands in a script element: nothing in it can end that, or begin another one."""
    return re.sub("[<>&]", lambda sign: f"\\u{ord(sign[0]):04x}", data)


def _digest(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def _policy(script: str, style: str, connect: str, worker: str) -> str:
    """The page's policy: no other origin, no script or style that is not known by its file or its digest."""
    rules = (
        "default-src 'none'",
        f"script-src {script} 'wasm-unsafe-eval'",
        f"style-src {style}",
        f"connect-src {connect}",
        f"worker-src {worker}",
        "font-src data:",
        "img-src data: blob:",
        "base-uri 'none'",
        "form-action 'none'",
    )
    return f'<meta http-equiv="Content-Security-Policy" content="{"; ".join(rules)}">'


def _filled(pieces: dict[str, str]) -> str:
    return re.sub(r"@([A-Z]+)@", lambda place: pieces[place[1]], _read("index.html"))


def _site_page(data: str) -> str:
    """The page of the site, with its scripts beside it."""
    return _filled(
        {
            "POLICY": _policy("'self'", "'self'", "'self'", "'self'"),
            "STYLE": '<link rel="stylesheet" href="page.css">',
            "SCRIPT": data + '<script type="module" src="page.js"></script>',
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


def _single_file(out: Path, bundler: Bundler, style: str, data: str) -> str:
    """The page with all that it needs; a page opened from a disk may not load what lies beside it."""
    script = bundler.script("page.js", single=True)
    inside = {
        name: base64.b64encode(_packed(out / name)).decode()
        for name in (*RUNTIME, LIBRARY, SNAPSHOT, WORKBOOKS)
    }
    worker = bundler.script("worker.js", single=True).replace("</", "<\\/")
    recorded = _element("recorded", (out / RECORDED).read_text(encoding="utf-8"))
    worker_text = f'<script type="text/plain" id="worker">{worker}</script>\n'
    policy = _policy(f"{_digest(script)} blob:", _digest(style), "blob:", "data: blob:")
    return _filled(
        {
            "POLICY": policy,
            "STYLE": f"<style>{style}</style>",
            # The page comes first: it is there before the megabytes of the referee are read.
            "SCRIPT": f"{data}{recorded}<script>{script}</script>\n{worker_text}"
            + _element("inside", json.dumps(inside)),
        }
    )


def _packed(path: Path) -> bytes:
    """A file as the single file has it: compressed, once."""
    data = path.read_bytes()
    return data if path.suffix == ".gz" else gzip.compress(data, 9, mtime=0)


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
