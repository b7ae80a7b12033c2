"""What all tests share: a cache of their own, apart from the user's, and no clock that hurries them."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


@pytest.fixture(scope="session", autouse=True)
def _cache_of_its_own(tmp_path_factory):
    if "MELDREF_CACHE" not in os.environ:
        os.environ["MELDREF_CACHE"] = str(tmp_path_factory.mktemp("cache"))
