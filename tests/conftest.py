"""What all tests share: a cache of their own, apart from the user's, no clock that hurries them, and their tiers.

A test marked `sweep` is left out of the first tier, or, with `sweep(every=4)`, thinned there to every fourth of its
parameters. Without that mark, a dozen of a test's parameters are run there, and a twentieth of them in
`tests/property`. Of a file that is named on the command line all parameters are run. `MELDREF_SWEEPS=1` runs everything,
`MELDREF_SWEEPS=8` every eighth of the sweeps.
"""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections import Counter
from functools import partial
from math import ceil
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


UNITS = Path(__file__).parent / "unit"
QUICK = frozenset(
    UNITS / name
    for name in (
        "core",
        "documents",
        "melds",
        "moves",
        "notation",
        "positions",
        "replay",
        "rulefiles",
        "rules",
    )
)
"""The main house, without whole commands: half a minute."""
PROPERTIES = Path(__file__).parent / "property"
MOST_PARAMETERS = 12
"""How many of a test's parameters the first tier runs, where the test says nothing else."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Leaves sweeps to the second tier; on the compiled wheel, skips what `compiled.yaml` lists."""
    _skip_what_cannot_run_compiled(items)
    _thin(items, _named_files(config))
    for item in items:
        if not QUICK.isdisjoint(item.path.parents):
            item.add_marker(pytest.mark.quick)
    chosen, left_out = [], []
    for item, runs in zip(items, _runs(items), strict=True):
        (chosen if runs else left_out).append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = chosen


def _named_files(config):
    """The files that the command line names: whoever works on a file wants all that it tests."""
    names = [argument.partition("::")[0] for argument in config.args]
    return {config.invocation_params.dir / name for name in names if name.endswith(".py")}


def _thin(items, named_files):
    """Marks tests with many parameters, and all properties, as sweeps of which the first tier runs some.

    Files that were named are left as they are.
    """
    often = Counter(_test(item) for item in items)
    for item in items:
        if item.path in named_files:
            continue
        every = (
            20 if PROPERTIES in item.path.parents else ceil(often[_test(item)] / MOST_PARAMETERS)
        )
        if every > 1 and item.get_closest_marker("sweep") is None:
            item.add_marker(pytest.mark.sweep(every=every))


def _runs(items):
    """Whether each test is run in this tier.

    Of a sweep that says `every`, the first tier runs the first of its parameters and every so many after them; the
    second tier runs every so many of all sweeps.
    """
    seen = Counter()
    for item in items:
        marker = item.get_closest_marker("sweep")
        if marker is None:
            yield True
            continue
        group, every = ("sweeps", SWEEPS) if SWEEPS else (_test(item), marker.kwargs.get("every"))
        yield every is not None and seen[group] % every == 0
        seen[group] += 1


def _test(item):
    """The name of a test without its parameters."""
    return item.nodeid.partition("[")[0]


def _skip_what_cannot_run_compiled(items):
    if is_compiled():
        listed = yaml.safe_load(
            Path(__file__).with_name("compiled.yaml").read_text(encoding="utf-8")
        )
        reasons = {test: group["why"] for group in listed for test in group["tests"]}
        for item in items:
            reason = reasons.get(_test(item))
            if reason is not None:
                item.add_marker(pytest.mark.skip(reason=reason))
