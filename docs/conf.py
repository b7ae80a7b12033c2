"""How Sphinx makes a site of these pages: `just docs`.

What people read on the site they read in the checkout as well, so that links lead through the
checkout: `../ARCHITECTURE.md` is a page of the site, and what is no page (a folder, a program) is
its name.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pygments.lexers import get_all_lexers
from pygments.lexers.special import TextLexer

from meldref import __version__
from meldref_cli.main import main as run_program

if TYPE_CHECKING:
    from sphinx.application import Sphinx

DOCS: Final = Path(__file__).resolve().parent
ROOT: Final = DOCS.parent
PLAYGROUND: Final = ROOT / "build" / "playground"
"""What `just playground` builds: where it is there, it is part of the site, and the front page shows it."""

project = "meldref"
author = "the meldref contributors"
copyright = "the meldref contributors, MIT licence"  # noqa: A001  Sphinx's name for it
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
suppress_warnings = [
    "misc.highlighting_failure"
]  # logs with mistakes in them are shown as they are
smartquotes = False  # what stands in quotes is often to be typed

myst_heading_anchors = 4
myst_enable_extensions = ["deflist", "attrs_inline"]

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
napoleon_google_docstring = True

html_theme = "furo"
html_title = f"meldref {version}"
html_show_sourcelink = False
html_copy_source = False
templates_path: list[str] = []
exclude_patterns = ["changes"]
html_extra_path = [
    "../rulesets/ruleset.schema.json",
    "conformance.schema.json",
    "output.schema.json",
]

_LINK: Final = re.compile(
    r"(?<!!)\[(?P<text>[^\]\[]+)\]\((?P<target>[^)\s#:]+)(?P<anchor>#[^)\s]*)?\)"
)
_INCLUDED: Final = re.compile(r"^```\{include\} (?P<file>\S+)\n```$", re.MULTILINE)


def is_on_the_site(page: Path) -> bool:
    """Whether a file is in this folder and in no part of it that is left out of the site."""
    return page.is_relative_to(DOCS) and page.relative_to(DOCS).parts[0] not in exclude_patterns


def on_the_site(text: str, folder: Path) -> str:
    """A page's text with links as they have to be on the site."""

    def included(found: re.Match[str]) -> str:
        file = (folder / found["file"]).resolve()
        return on_the_site(file.read_text(encoding="utf-8"), file.parent)

    def link(found: re.Match[str]) -> str:
        target = (folder / found["target"]).resolve()
        name = "index" if target.name == "README.md" else target.stem.lower()
        page = target if target.parent != ROOT else DOCS / f"{name}.md"
        if target.suffix == ".md" and page.is_file() and is_on_the_site(page):
            anchor = "" if name == "index" else found["anchor"] or ""
            return f"[{found['text']}](/{page.relative_to(DOCS)}{anchor})"
        if not target.exists():
            return found[0]  # for Sphinx to complain of
        return found["text"]

    return _LINK.sub(link, _INCLUDED.sub(included, text))


def write_beside(app: Sphinx, fault: Exception | None) -> None:
    """What the front page shows, and the permanent addresses of codes and keys."""
    if fault is None:
        sys.path.insert(0, str(DOCS))  # Sphinx reads this file without the folder that it is in
        import addresses  # noqa: PLC0415

        addresses.write_pages(Path(app.outdir))
        log, page = ROOT / "examples" / "disputed.rgn", Path(app.outdir) / "report.html"
        run_program(["report", str(log), "-o", str(page), "--quiet", "--exit-zero"])
        if PLAYGROUND.exists():
            shutil.copytree(PLAYGROUND, Path(app.outdir) / "playground", dirs_exist_ok=True)


def setup(app: Sphinx) -> None:
    """Has Sphinx read pages so, and RGN as text where its lexer is not installed."""

    def read(_: Sphinx, name: str, content: list[str]) -> None:
        content[0] = on_the_site(content[0], (DOCS / name).parent)

    if PLAYGROUND.exists():
        app.tags.add("playground")
    app.connect("source-read", read)
    app.connect("build-finished", write_beside)
    if not any("rgn" in aliases for _, aliases, _, _ in get_all_lexers()):
        app.add_lexer("rgn", TextLexer)
