"""Where the shipped rules files say what; people edit them, so no test writes the number of a line."""

from __future__ import annotations

from meldref.documents.reader import read_yaml
from paths import ROOT


def line_of(name: str, key: str) -> int:
    """The line of a shipped ruleset or option that sets a key, such as `draw.deep.must`."""
    (file,) = (ROOT / "rulesets").rglob(f"{name}.yaml")
    document, _ = read_yaml(file.read_bytes(), file.name)
    assert document is not None
    return document.key_places[tuple(key.split("."))].line


def place_of(name: str, key: str) -> str:
    """The file and the line that set a key, as messages show them: `500-rummy.yaml:65`."""
    return f"{name}.yaml:{line_of(name, key)}"
