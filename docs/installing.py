"""How pages say that meldref is installed: from a checkout until there is a release, then by its name.

`RELEASED` is the one place that says which; `python docs/generate.py` writes the pages accordingly.
In a page, such a part stands between `<!-- NAME: begin -->` and `<!-- NAME: end -->`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent

RELEASED: Final = False
"""Whether `pip install meldref` finds a release."""

_PART: Final = re.compile(
    r"(?P<begin>^<!-- (?P<name>install-[a-z]+): begin -->\n).*?(?P<end>^<!-- (?P=name): end -->$)",
    re.MULTILINE | re.DOTALL,
)


def parts(*, released: bool) -> Mapping[str, str]:
    """The text of each part, by its name."""
    what = "meldref" if released else "."
    if released:
        others = "Without a checkout, `pipx install meldref` gets it. [Ways to get it](docs/install.md) lists the others."
        page = f"It is [part of the site]({_site()}playground/), with nothing to install."
        source = "Each of these gets the latest release; in a checkout, write `.` instead of `meldref` for what is in it."
    else:
        others = "There is no release yet. [Other ways to get it](docs/install.md): uv, one file, a container, an action."
        page = (
            "It has no address yet. `python3 playground/build_playground.py`, with npm, builds it, "
            "also as one file to send\nto a phone: `build/playground/playground.html`."
        )
        source = "There is no release yet, so each of these starts from a checkout."
    return {
        "install-others": others,
        "install-page": page,
        "install-source": source,
        "install-pip": _shell(f"python3 -m venv .venv && .venv/bin/pip install {what}"),
        "install-path": f"`pipx install {what}` or `uv tool install {what}` puts it on the path instead.",
        "install-lsp": _shell(f"python3 -m venv .venv && .venv/bin/pip install '{what}[lsp]'"),
    }


def with_parts(page: str, *, released: bool = RELEASED) -> str:
    """A page whose parts about installing say what is so.

    Raises:
        KeyError: a part has a name that is none.
    """
    texts = parts(released=released)
    return _PART.sub(lambda part: f"{part['begin']}{texts[part['name']]}\n{part['end']}", page)


def _site() -> str:
    """The address of the site, as pyproject.toml has it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["urls"]["Documentation"])


def _shell(command: str) -> str:
    return f"```sh\n{command}\n```"
