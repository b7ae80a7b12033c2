"""Where the grammar and the shipped rulesets are: inside an installed wheel, or in a checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent  # meldref/


def data_path(*parts: str) -> Path:
    """A file or folder of the project's data, such as `grammar/rgn.lark`.

    FileNotFoundError if it is missing.
    """
    roots = [_PACKAGE / "_data"]
    if _PACKAGE.parent.name == "validator":
        roots.append(_PACKAGE.parent.parent)
    for root in roots:
        path = root.joinpath(*parts)
        if path.exists():
            return path
    wanted = "/".join(parts)
    places = " or ".join(str(root) for root in roots)
    raise FileNotFoundError(
        f"meldref is not installed completely: there is no {wanted} in {places}"
    )
