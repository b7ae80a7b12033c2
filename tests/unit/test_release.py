"""What makes a release, and other ways to get meldref: pinned, true of what is there, and of one mind."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import addresses
import man_page
from meldref.core.version import __version__
from meldref.rulefiles.vocabulary import list_keys
from meldref.rules.pages import PAGES
from paths import ROOT
from written import read_yaml_file

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml")) if GITHUB.exists() else []
CHANGES = ROOT / "docs" / "changes"
ACTION = ROOT / "action.yml"


def named(path):
    return path.name


# --- the version ----------------------------------------------------------------------------------


def test_the_version_that_was_built_is_one_that_can_be_ordered():
    assert re.fullmatch(r"\d+(\.\d+)+(\.dev\d+)?|0\+unbuilt", __version__)


def test_sources_that_were_never_built_have_a_version_too(tmp_path):
    source = (ROOT / "validator" / "meldref" / "core" / "version.py").read_text(encoding="utf-8")
    (tmp_path / "meldref" / "core").mkdir(parents=True)
    (tmp_path / "meldref" / "core" / "version.py").write_text(source, encoding="utf-8")
    command = [sys.executable, "-S", "-c", "from meldref.core.version import *; print(__version__)"]
    code = command[-1].replace("import *", "import __version__")
    ran = subprocess.run(
        [*command[:-1], code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (ran.stdout, ran.stderr) == ("0+unbuilt\n", "")


# --- what PyPI shows ------------------------------------------------------------------------------


def test_no_link_of_readme_leads_nowhere_on_pypi():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    hooks = PROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]
    for one in hooks["substitutions"]:
        text = re.sub(one["pattern"], one["replacement"], text)
    targets = re.findall(r"\]\(([^)\s]+)\)", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    assert targets
    assert [target for target in targets if not target.startswith(("https://", "#"))] == []


def test_the_address_of_the_project_is_one_wherever_it_stands():
    owner = re.search(r"github\.com/([^/]+)/meldref", PROJECT["project"]["urls"]["Repository"])[1]
    pages = [ROOT / "docs" / "schemastore.json", ROOT / "docs" / "install.md"]
    pages += [ROOT / "pyproject.toml", GITHUB / "CITATION.cff"]
    for page in pages:
        if page.exists():
            text = page.read_text(encoding="utf-8")
            assert owner in text, page
            found = re.findall(r"(?:github\.com/|https://)([\w-]+)(?:\.github\.io)?/meldref", text)
            assert set(found) <= {owner}, page


@pytest.mark.parametrize("path", [*CHANGES.iterdir()], ids=named)
def test_a_change_that_waits_is_of_a_kind_that_there_is(path):
    kinds = [one["directory"] for one in PROJECT["tool"]["towncrier"]["type"]]
    if path.name != "README.md":
        assert re.fullmatch(rf"\+[a-z0-9-]+\.({'|'.join(kinds)})\.md", path.name)
        assert path.read_text(encoding="utf-8").strip()
    else:
        assert all(f"| `{kind}` |" in path.read_text(encoding="utf-8") for kind in kinds)


# --- workflows ------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [*WORKFLOWS, ACTION], ids=named)
def test_every_action_is_pinned_by_its_digest_and_says_which_version_that_is(path):
    for used in re.findall(r"uses: (.+)", path.read_text(encoding="utf-8")):
        if not used.startswith("./"):
            assert re.fullmatch(r"[\w-]+(/[\w-]+)+@[0-9a-f]{40} # v\d+(\.\d+)*", used)


def test_one_action_has_one_digest():
    pins: dict[str, set[str]] = {}
    for path in [*WORKFLOWS, ACTION, ROOT / "docs" / "install.md"]:
        for name, pin in re.findall(r"uses: (\S+)@([0-9a-f]{40} #.*)", path.read_text("utf-8")):
            pins.setdefault(name, set()).add(pin)
    assert all(len(one) == 1 for one in pins.values()), pins


@pytest.mark.parametrize("path", WORKFLOWS, ids=named)
def test_a_workflow_has_no_rights_but_those_that_its_jobs_ask_for(path):
    workflow = read_yaml_file(path)
    assert workflow["permissions"] == {}
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] <= 60
        if any("checkout" in step.get("uses", "") for step in job["steps"]):
            assert job["permissions"] == {"contents": "read"}


@pytest.mark.parametrize("path", sorted((GITHUB / "ISSUE_TEMPLATE").glob("[!c]*.yml")), ids=named)
def test_an_issue_form_asks_for_what_it_takes(path):
    form = read_yaml_file(path)
    assert {"name", "description", "body"} <= set(form)
    ids = [field["id"] for field in form["body"]]
    assert len(set(ids)) == len(ids)
    assert all(field["attributes"]["label"] for field in form["body"])


# --- the action -----------------------------------------------------------------------------------


@pytest.fixture
def audited(tmp_path):
    """Runs the step of the action that audits, as GitHub would."""
    step = read_yaml_file(ACTION)["runs"]["steps"][-1]
    program = tmp_path / "meldref"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m meldref_cli.main "$@"\n')
    program.chmod(0o755)

    def run(logs, **given):
        asked = {"LOGS": logs, "RULES": "", "STRICT": "false", "SARIF": "", **given}
        assert set(step["env"]) == {"MELDREF", *asked}
        return subprocess.run(
            ["/bin/bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            env={**os.environ, **asked, "MELDREF": str(program)},
            capture_output=True,
            text=True,
            check=False,
            cwd=ROOT,
        )

    return run


def test_the_action_annotates_what_is_wrong_and_fails(audited):
    ran = audited("examples/evening.rgn\nexamples/disputed.rgn\n")
    assert ran.returncode == 1
    assert ran.stdout.count("::error file=examples/disputed.rgn,line=") == 4


def test_the_action_writes_sarif_also_where_nothing_is_wrong(audited, tmp_path):
    ran = audited("examples/evening.rgn", SARIF=str(tmp_path / "out.sarif"), STRICT="true")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert json.loads((tmp_path / "out.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"


def test_what_is_asked_of_the_action_is_no_command_and_no_option(audited, tmp_path):
    bad = f"--help\n$(touch {tmp_path}/x)\n; touch {tmp_path}/x"
    ran = audited(bad, RULES=f"$(touch {tmp_path}/x)")
    assert ran.returncode == 2
    assert not (tmp_path / "x").exists()


def test_the_action_judges_by_the_rules_that_are_given(audited):
    assert audited("examples/evening.rgn", RULES="examples/our-house.yaml").returncode == 1


# --- one file, a container, the manual ------------------------------------------------------------


def test_the_container_is_not_root_and_holds_what_the_wheel_is_made_of():
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith("USER")][-1] not in {"USER root", "USER 0"}
    copied = [word for line in lines if line.startswith("COPY ") for word in line.split()[1:-1]]
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    for needed in [*wheel["packages"], *wheel["force-include"], *wheel["shared-data"]]:
        assert any(Path(needed).is_relative_to(one) for one in copied), needed


def test_the_manual_page_names_every_command_and_option():
    page = man_page.page().replace("\\-", "-")
    for command in ("audit", "rules new", "conformance"):
        assert f"\n.SS meldref {command} [OPTIONS]" in page
    assert "\\fB--limit-time SECONDS\\fR" in page
    assert not re.search(r"^[.'](?!\\\"|(TH|SH|SS|PP|TP|B|I|nf|fi)\b)", page, re.MULTILINE)


# --- permanent addresses --------------------------------------------------------------------------


def test_each_code_and_key_there_ever_was_has_an_address_that_leads_to_what_it_is_now():
    listed = addresses.LISTED.read_text(encoding="utf-8").split()
    current, retired = addresses.current(), addresses.retired()
    assert len(current) == len(PAGES) + len(list(list_keys()))
    assert set(listed) == {*current, *retired}
    assert not current.keys() & retired.keys()
    for row in retired.values():
        assert re.fullmatch(r"\d+\.\d+\.\d+", row["since"])
        assert "instead" in row or "because" in row


def test_the_address_of_what_is_retired_says_so_and_leads_on(tmp_path, monkeypatch):
    table = tmp_path / "retired.yaml"
    table.write_text(
        'codes: {draw.old: {since: "0.3.0", instead: draw.top.unused}}\n'
        'keys: {a.b: {since: "0.3.0", because: "<no use>"}}\n'
    )
    monkeypatch.setattr(addresses, "RETIRED", table)
    addresses.write_pages(tmp_path)
    text = (tmp_path / "code" / "draw.old.html").read_text(encoding="utf-8")
    assert "draw.old is no more since 0.3.0: use draw.top.unused" in text
    assert 'url=draw.top.unused.html"' in text
    assert "&lt;no use&gt;" in (tmp_path / "key" / "a.b.html").read_text(encoding="utf-8")
    here = (tmp_path / "code" / "draw.top.unused.html").read_text(encoding="utf-8")
    assert 'content="0; url=../codes/draw.html#draw-top-unused"' in here


def test_the_entry_for_schemastore_is_about_a_schema_that_the_site_has():
    entry = json.loads((ROOT / "docs" / "schemastore.json").read_text(encoding="utf-8"))
    assert set(entry) == {"name", "description", "fileMatch", "url"}
    assert (ROOT / "rulesets" / entry["url"].rpartition("/")[2]).exists()
