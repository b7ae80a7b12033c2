"""What `just new-key`, `new-code` and `new-rule` write works as it stands, and says what is left to do."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys

import pytest
import skeletons

from paths import ROOT

FOLDERS = ("validator", "cli", "grammar", "rulesets", "tests/cases", "tests/errors")
KEY = "discard.after_call"
SETTING = "discard.after_call=forbidden"
CODE = "discard.after-call"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A copy of what skeletons are written into, with a key and a rule."""
    root = tmp_path_factory.mktemp("checkout")
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    (root / "docs").mkdir()
    for name in ("clauses.yaml", "clause-keys.yaml"):
        shutil.copy(ROOT / "docs" / name, root / "docs" / name)
    shutil.copy(ROOT / "pyproject.toml", root)
    skeletons.main(["--root", str(root), "key", KEY, "allowed", "forbidden"])
    skeletons.main(["--root", str(root), "rule", CODE, SETTING, "discard"])
    return root


def run(root, *arguments):
    """What the program says in a checkout."""
    search = os.pathsep.join([str(root / "validator"), str(root / "cli")])
    return subprocess.run(
        [sys.executable, "-c", "from meldref_cli.start import run; run()", *arguments],
        cwd=root,
        env={**os.environ, "PYTHONPATH": search},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_file_may_set_the_new_key(checkout):
    (checkout / "house.yaml").write_text(
        "id: lake\nextends: [500-rummy]\ndiscard: {after_call: forbidden}\n", encoding="utf-8"
    )
    assert run(checkout, "rules", "check", "house.yaml").returncode == 0
    (checkout / "wrong.yaml").write_text(
        "id: lake\nextends: [500-rummy]\ndiscard: {after_call: forbiden}\n", encoding="utf-8"
    )
    assert "forbidden" in run(checkout, "rules", "check", "wrong.yaml").stdout


@pytest.mark.parametrize(
    "key", ["discard.after_call", "scoring.kings", "calls.loud", "draw.top.late"]
)
def test_the_field_of_a_key_is_the_last_of_its_section_and_has_no_other_ones_text(key):
    skeleton = skeletons.Skeleton(ROOT)
    skeletons.write_key(skeleton, key, ["no", "yes"])
    model = ast.parse(skeleton.written["validator/meldref/ruleset/model.py"])
    name = key.rpartition(".")[2]
    [body] = [
        node.body
        for node in ast.walk(model)
        if isinstance(node, ast.ClassDef)
        and any(isinstance(field, ast.AnnAssign) and field.target.id == name for field in node.body)
    ]
    fields = [at for at, field in enumerate(body) if isinstance(field, ast.AnnAssign)]
    assert body[fields[-1]].target.id == name
    assert not any(isinstance(after, ast.Expr) for after in body[fields[-1] + 1 :])
    sentences = skeleton.written["validator/meldref_authoring/rulebook/sentences.yaml"]
    assert f"\n\n        - about: [{key}]" not in sentences


def test_the_new_rule_finds_nothing_until_it_is_written(checkout):
    result = run(checkout, "rules", "test", "tests/cases/discard.yaml")
    assert "discard-after-call-illegal" in result.stdout
    assert "discard-after-call-legal" not in result.stdout


def test_the_new_code_is_explained(checkout):
    assert CODE in run(checkout, "explain", CODE).stdout


def test_each_place_that_is_left_is_named_with_its_line(capsys, checkout):
    skeletons.main(["--root", str(checkout), "code", "discard.never", SETTING])
    places = [line.strip().split(": ")[0] for line in capsys.readouterr().out.splitlines()]
    named = [place for place in places if re.fullmatch(r"[\w./-]+:\d+", place)]
    assert len(named) >= 6
    for place in named:
        name, number = place.split(":")
        assert (
            skeletons.LEFT
            in (checkout / name).read_text(encoding="utf-8").splitlines()[int(number) - 1]
        )


@pytest.mark.parametrize(
    "arguments",
    [
        ("key", "discard.taken_top", "allowed", "forbidden"),
        ("key", "discarding.late", "allowed", "forbidden"),
        ("key", KEY, "word"),
        ("code", "discard", SETTING),
        ("code", "picnic.late", SETTING),
        ("rule", "discard.other", SETTING, "juggle"),
    ],
)
def test_what_has_no_place_is_refused(arguments):
    with pytest.raises(SystemExit):
        skeletons.main(arguments)


def test_no_skeleton_is_left_unfinished():
    left = [
        f"{path.relative_to(ROOT)}:{number}"
        for folder in ("validator", "rulesets", "tests/cases", "tests/errors")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in {".py", ".yaml", ".json", ".md"}
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if skeletons.LEFT in line
    ]
    assert left == []
