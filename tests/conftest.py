"""What all tests share: a cache of their own, so that they neither read nor write the user's."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(scope="session", autouse=True)
def _cache_of_its_own(tmp_path_factory):
    if "MELDREF_CACHE" not in os.environ:
        os.environ["MELDREF_CACHE"] = str(tmp_path_factory.mktemp("cache"))
