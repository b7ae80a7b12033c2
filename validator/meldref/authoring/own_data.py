"""Data of the project's own that is kept as YAML: clauses, the cookbook, the questions for a new file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from meldref.documents.reader import read_yaml


def read_data(path: Path) -> Any:
    """What a YAML file of ours says."""
    document, findings = read_yaml(path.read_bytes(), path.name)
    assert document is not None, findings
    return document.value
