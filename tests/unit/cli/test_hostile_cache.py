"""What is kept for speed is taken only where it has the shape of what is kept, and where nobody else can write."""

from __future__ import annotations

import copy
import json
import os
import random
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import pytest

from cli_logs import BAD
from meldref.core import cache as kept
from meldref.melds import tables
from meldref.melds.kinds import Pattern
from meldref.rulefiles import load
from meldref.rulefiles.load import load_ruleset
from meldref.ruleset.model import Kind

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links, pipes and rights of POSIX")

OTHERS = (
    None,
    True,
    -1,
    2**70,
    1.5,
    "",
    "x",
    [],
    [[]],
    {},
    {"Kind": []},
    {"mapping": [[1, 2]]},
    {"nope": [1]},
)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A cache of one's own, with what an audit keeps."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("MELDREF_CACHE", str(folder))
    forget()
    return folder


def forget() -> None:
    load.forget()
    tables._solved.clear()


def write(file: Path, data: object) -> None:
    text = json.dumps(data).encode()
    file.write_bytes(b"%d\n%b" % (crc32(text), text))


def read(file: Path) -> list:
    return json.loads(file.read_bytes().split(b"\n", 1)[1])


def places(data: object, path: tuple = ()) -> list[tuple]:
    """The path of everything in JSON."""
    items = (
        data.items()
        if isinstance(data, dict)
        else enumerate(data)
        if isinstance(data, list)
        else ()
    )
    return [path, *[place for key, item in items for place in places(item, (*path, key))]]


def put(data: list, path: tuple, value: object) -> list:
    changed = copy.deepcopy(data)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return changed


def value_at(data: object, path: tuple) -> object:
    for key in path:
        data = data[key]
    return data


def spoilt(file: Path) -> Iterator[tuple[tuple, object]]:
    """A kept file with a value of another type, again and again, at places of its answer."""
    whole = read(file)
    dice = random.Random(5)
    answer = [path for path in places(whole) if len(path) > 1 and path[0] == 1]
    for path in dice.sample(answer, min(150, len(answer))):
        other = dice.choice([one for one in OTHERS if type(one) is not type(value_at(whole, path))])
        write(file, put(whole, path, other))
        forget()
        yield path, other


@pytest.mark.sweep
def test_a_ruleset_with_other_types_changes_nothing(meldref, log, cache):
    command = (
        "audit",
        "--format",
        "json",
        log(BAD + "6. Bob: draw 7h; meld 7h 7c 7d; discard 2c\n"),
    )
    usual = meldref(*command)
    (file,) = cache.glob("ruleset-*.json")
    for what in spoilt(file):
        ran = meldref(*command)
        assert (ran.code, _facts(ran), ran.err) == (usual.code, _facts(usual), usual.err), what


def _facts(ran) -> object:
    """The verdict and the codes: a name that is another text is quoted as it is."""
    return [(log["verdict"], [one["code"] for one in log["findings"]]) for log in ran.data["logs"]]


@pytest.mark.sweep
def test_melds_with_other_types_are_none(cache):
    pattern = Pattern(Kind("sequence", 3, 14, ("same_suit", "consecutive_ranks")), 1, 2)
    first = tables.natural_melds(pattern)
    (file,) = cache.glob("melds-*.json")
    for what in spoilt(file):
        assert tables.natural_melds(pattern) == first, what


def test_the_ruleset_of_another_name_is_not_taken(cache):
    first, _ = load_ruleset("500-rummy")
    other, _ = load_ruleset("500-rum")
    (kept,) = cache.glob("ruleset-*-500-rum.json")
    kept.replace(kept.with_name(kept.name.replace("500-rum", "500-rummy")))
    forget()
    assert load_ruleset("500-rummy")[0] == first != other


@pytest.mark.parametrize("name", ["/dev/zero", "../pipe", "/etc/passwd"])
def test_no_file_is_read_that_the_cache_names(cache, name):
    first, _ = load_ruleset("500-rummy")
    (file,) = cache.iterdir()
    question, (files, ruleset) = read(file)
    write(file, [question, [[*files, [name, "x"]], ruleset]])
    forget()
    assert load_ruleset("500-rummy")[0] == first


@pytest.mark.parametrize(
    "trap",
    [
        os.mkfifo,
        Path.mkdir,
        lambda file: file.symlink_to("/dev/zero"),
        lambda file: file.symlink_to(file.name),
        lambda file: file.symlink_to("real.json"),
        lambda file: file.write_bytes(b"1\n" + b"[" * 1_000_000),
    ],
    ids=["pipe", "folder", "device", "loop", "link", "deep"],
)
def test_what_is_no_file_of_ours_is_as_good_as_none(cache, trap):
    first, _ = load_ruleset("500-rummy")
    (file,) = cache.iterdir()
    file.rename(cache / "real.json")
    trap(file)
    forget()
    signal.alarm(30)
    assert load_ruleset("500-rummy") == (first, ())
    signal.alarm(0)


@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o770, 0o702])
def test_nothing_is_kept_or_taken_where_others_can_write(cache, mode):
    load_ruleset("500-rummy")
    (file,) = cache.iterdir()
    assert load.recall("500-rummy", []) is not None
    cache.chmod(mode)
    forget()
    assert load.recall("500-rummy", []) is None
    file.unlink()
    load_ruleset("500-rummy")
    assert list(cache.iterdir()) == []


def test_the_folder_is_made_for_the_user_alone(cache):
    mask = os.umask(0)
    try:
        load_ruleset("500-rummy")
    finally:
        os.umask(mask)
    assert cache.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a folder away"
)
def test_nothing_is_kept_or_taken_in_a_folder_of_somebody_else(cache):
    load_ruleset("500-rummy")
    os.chown(cache, 12345, 12345)
    forget()
    assert load.recall("500-rummy", []) is None


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a file away"
)
def test_nothing_is_taken_from_a_file_of_somebody_else(cache):
    load_ruleset("500-rummy")
    (file,) = cache.iterdir()
    os.chown(file, 12345, 12345)
    forget()
    assert load.recall("500-rummy", []) is None
    assert load_ruleset("500-rummy")[0] is not None


@pytest.mark.parametrize(
    ("variable", "value"),
    [("MELDREF_CACHE", "cache"), ("MELDREF_CACHE", "./x"), ("XDG_CACHE_HOME", "cache")],
)
def test_nothing_is_kept_below_the_current_folder_by_a_relative_path(
    tmp_path, monkeypatch, variable, value
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MELDREF_CACHE", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv(variable, value)
    file = kept.file_of("x")
    assert file is None or file == tmp_path / "home" / ".cache" / "meldref" / "x.json"
    kept.keep("x", 1, 2)
    assert not [path for path in tmp_path.iterdir() if path.name != "home"]


def test_who_has_a_relative_home_has_no_cache(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MELDREF_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "here")
    assert kept.file_of("x") is None
