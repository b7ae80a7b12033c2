"""What all tests share: a cache of their own, apart from the user's, no clock that hurries them, and two tiers.

A test marked `sweep` is left out of the first tier, or, with `sweep(every=4)`, thinned there to every fourth of its
parameters; all tests of `tests/property` are thinned to every twentieth. `MELDREF_SWEEPS=1` runs everything.
"""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections import defaultdict
from functools import partial
from pathlib import Path

import pytest
import yaml
from hypothesis import settings

from meldref.core.version import is_compiled
from tiers import SWEEPS

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


def pytest_configure(config):
    """What one process of a run has worked out, the others take: they have one cache, which goes with the run."""
    if "MELDREF_CACHE" not in os.environ:
        folder = tempfile.mkdtemp(prefix="meldref-tests-")
        os.environ["MELDREF_CACHE"] = folder  # for the workers, too, which begin later
        config.add_cleanup(partial(shutil.rmtree, folder, ignore_errors=True))


def pytest_collection_finish():
    """What is loaded now stays, so nobody need look for garbage in it."""
    gc.freeze()


PROPERTIES = Path(__file__).parent / "property"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Leaves sweeps to the second tier; on the compiled wheel, skips what `compiled.yaml` lists."""
    _skip_what_cannot_run_compiled(items)
    for item in items:
        if PROPERTIES in item.path.parents and item.get_closest_marker("sweep") is None:
            item.add_marker(pytest.mark.sweep(every=20))
    if not SWEEPS:
        first_tier, left_out = _tiers(items)
        config.hook.pytest_deselected(items=left_out)
        items[:] = first_tier


def _tiers(items):
    """What the first tier runs of all tests, and what it leaves to the second.

    A test that is thinned runs with its first parameters, and with every so many after them; one without any runs.
    """
    seen = defaultdict(int)
    first_tier, left_out = [], []
    for item in items:
        marker = item.get_closest_marker("sweep")
        runs = marker is None
        if marker is not None and marker.kwargs:
            test = item.nodeid.partition("[")[0]
            runs = seen[test] % marker.kwargs["every"] == 0
            seen[test] += 1
        (first_tier if runs else left_out).append(item)
    return first_tier, left_out


def _skip_what_cannot_run_compiled(items):
    if is_compiled():
        listed = yaml.safe_load(
            Path(__file__).with_name("compiled.yaml").read_text(encoding="utf-8")
        )
        reasons = {test: group["why"] for group in listed for test in group["tests"]}
        for item in items:
            reason = reasons.get(item.nodeid.partition("[")[0])
            if reason is not None:
                item.add_marker(pytest.mark.skip(reason=reason))
