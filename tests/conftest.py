"""What all tests share: a cache of their own, apart from the user's, and no clock that hurries them."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from functools import partial
from pathlib import Path

import pytest
import yaml
from hypothesis import settings

from meldref.core.version import is_compiled

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


def pytest_configure(config):
    """What one process of a run has worked out, the others take: they have one cache, which goes with the run."""
    if "MELDREF_CACHE" not in os.environ:
        folder = tempfile.mkdtemp(prefix="meldref-tests-")
        os.environ["MELDREF_CACHE"] = folder  # for the workers, too, which begin later
        config.add_cleanup(partial(shutil.rmtree, folder, ignore_errors=True))


@pytest.fixture(scope="session", autouse=True)
def _bytecode_for_what_is_started(tmp_path_factory):
    """Where no bytecode is to be written, programs that tests start would compile everything each time."""
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
        os.environ.setdefault("PYTHONPYCACHEPREFIX", str(tmp_path_factory.mktemp("bytecode")))


def pytest_collection_finish():
    """What is loaded now stays, so nobody need look for garbage in it."""
    gc.freeze()


def pytest_collection_modifyitems(items):
    """Skips, on the compiled wheel, what `compiled.yaml` lists."""
    if is_compiled():
        listed = yaml.safe_load(Path(__file__).with_name("compiled.yaml").read_text(encoding="utf-8"))
        reasons = {test: group["why"] for group in listed for test in group["tests"]}
        for item in items:
            reason = reasons.get(item.nodeid.partition("[")[0])
            if reason is not None:
                item.add_marker(pytest.mark.skip(reason=reason))
