"""The hooks for pre-commit: the manifest is one, and each hook passes what is right and stops what is wrong."""

from __future__ import annotations

import importlib.util
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from cli_logs import BAD, LOG
from meldref.documents.reader import read_yaml
from paths import ROOT

MANIFEST = ROOT / ".pre-commit-hooks.yaml"
RULES = "id: mine\nname: Mine\nextends: [500-rummy]\ngame: {target: 300}\n"


def hooks():
    document, findings = read_yaml(MANIFEST.read_text(encoding="utf-8"), MANIFEST.name)
    assert not findings
    return {hook["id"]: hook for hook in document.value}


def called(hook):
    """What pre-commit calls before the names of files."""
    return [*shlex.split(hook["entry"]), *hook["args"]]


HOOKS = {
    "meldref-fmt": ("logs/friday.rgn", LOG, "[Players\n"),
    "meldref-audit": ("friday.rgn", LOG, BAD),
    "meldref-rules-check": ("club/rules/mine.yaml", RULES, RULES.replace("target", "tarjet")),
}


def test_there_is_a_hook_for_each_of_three_commands():
    assert set(hooks()) == set(HOOKS)
    for hook in hooks().values():
        assert set(hook) == {"id", "name", "description", "entry", "args", "language", "files"}
        assert hook["language"] == "python"


@pytest.mark.skipif(
    importlib.util.find_spec("pre_commit") is None, reason="pre-commit is not installed"
)
def test_pre_commit_takes_the_manifest():
    command = [sys.executable, "-m", "pre_commit", "validate-manifest", str(MANIFEST)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("name", HOOKS)
def test_a_hook_runs_on_its_files_and_stops_what_is_wrong(meldref, log, name):
    hook = hooks()[name]
    path, right, wrong = HOOKS[name]
    assert re.search(hook["files"], path)
    program, *command = called(hook)
    assert program == "meldref"
    assert meldref(*command, log(right, path)).code == 0
    assert meldref(*command, log(wrong, path)).code != 0


@pytest.mark.parametrize("name", HOOKS)
@pytest.mark.parametrize("odd", ["-x", "--help", "--exit-zero"])
def test_a_hook_takes_no_name_of_a_file_for_an_option(meldref, log, name, odd):
    path, right, wrong = HOOKS[name]
    path = odd + Path(path).suffix
    assert meldref(*called(hooks()[name])[1:], log(right, path)).code == 0
    assert meldref(*called(hooks()[name])[1:], log(wrong, path)).code != 0


def test_a_hook_formats_in_place(meldref, log):
    path = log(LOG.replace("draw 8s;", "DRAW 8♠ ;"))
    assert meldref(*called(hooks()["meldref-fmt"])[1:], path).code == 0
    assert Path(path).read_text(encoding="utf-8") == LOG


@pytest.mark.parametrize(
    "path", ["friday.yaml", "rules.rgn.bak", ".pre-commit-config.yaml", "rules/a/b.yaml"]
)
def test_a_hook_leaves_other_files_alone(path):
    assert not any(re.search(hook["files"], path) for hook in hooks().values())
