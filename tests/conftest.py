"""What all tests share: a cache of their own, apart from the user's, and no clock that hurries them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import yaml
from hypothesis import settings

from meldref.core.version import is_compiled

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


@pytest.fixture(scope="session", autouse=True)
def _cache_of_its_own(tmp_path_factory):
    if "MELDREF_CACHE" not in os.environ:
        os.environ["MELDREF_CACHE"] = str(tmp_path_factory.mktemp("cache"))


def pytest_collection_modifyitems(items):
    """Skips, on the compiled wheel, what `compiled.yaml` lists."""
    if is_compiled():
        listed = yaml.safe_load(Path(__file__).with_name("compiled.yaml").read_text(encoding="utf-8"))
        reasons = {test: group["why"] for group in listed for test in group["tests"]}
        for item in items:
            reason = reasons.get(item.nodeid.partition("[")[0])
            if reason is not None:
                item.add_marker(pytest.mark.skip(reason=reason))
