"""Rulesets kept in the user's cache: the same as from their files, or not taken."""

import shutil
from pathlib import Path

import pytest

from meldref.core.resources import data_path
from meldref.rulefiles import load
from meldref.rulefiles.compose import compose
from meldref.rulefiles.files import list_rulesets
from meldref.rulefiles.load import load_ruleset
from together import each

GAMES = [shipped.id for shipped in list_rulesets() if shipped.type == "game"]
OPTIONS = [shipped.id for shipped in list_rulesets() if shipped.type == "option"]


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A cache of one's own."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("MELDREF_CACHE", str(folder))
    return folder


@pytest.fixture
def only_kept(monkeypatch):
    """Nothing can be made from files."""

    def forbid():
        monkeypatch.setattr(
            "meldref.rulefiles.compose.compose", lambda *_: pytest.fail("made from its files")
        )

    return forbid


@pytest.fixture
def rulesets(tmp_path, monkeypatch):
    """The shipped rulesets in a folder where they can be changed."""
    folder = tmp_path / "data" / "rulesets"
    shutil.copytree(data_path("rulesets"), folder)
    for module in ("core.resources", "rulefiles.files", "rulefiles.load"):
        monkeypatch.setattr(f"meldref.{module}.data_path", folder.parent.joinpath)
    return folder


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.sweep
def test_what_is_kept_is_what_the_files_say(cache, game):
    def check(*options):
        first = load_ruleset(game, options)
        second = load_ruleset(game, options)
        made = compose(game, options, (), None)
        for ruleset, findings in (first, second):
            assert ruleset == made.ruleset
            assert repr(ruleset) == repr(made.ruleset)
            assert findings == made.findings
            assert ruleset is None or dict(ruleset.origins) == dict(made.ruleset.origins)
        kept = load.recall(game, options)
        assert (kept is None) == bool(made.findings)

    each(check, {"no option": (), **{option: (option,) for option in OPTIONS}})


def test_a_second_time_no_file_is_read_as_yaml(cache, only_kept):
    first, _ = load_ruleset("500-rummy", ["floating", "two-packs"])
    only_kept()
    assert load_ruleset("500-rummy", ["floating", "two-packs"]) == (first, ())


@pytest.mark.parametrize("file", ["500-rum.yaml", "500-rummy.yaml", "options/floating.yaml"])
def test_a_file_that_changes_is_read_again(cache, rulesets, file):
    load_ruleset("500-rum", ["floating"])
    path = rulesets / file
    text = path.read_text(encoding="utf-8")
    path.write_text(f"# one line more\n{text}", encoding="utf-8")
    assert load.recall("500-rum", ["floating"]) is None
    ruleset, _ = load_ruleset("500-rum", ["floating"])
    assert ruleset == compose("500-rum", ["floating"], (), None).ruleset
    path.write_text(text, encoding="utf-8")
    assert load.recall("500-rum", ["floating"]) is None


def test_a_file_that_goes_or_comes_makes_what_is_kept_worthless(cache, rulesets):
    load_ruleset("500-rummy", ["floating"])
    assert load.recall("500-rummy", ["floating"]) is not None
    added = rulesets / "floating.yaml"  # would be found before the option
    added.write_text("id: floating\n", encoding="utf-8")
    assert load.recall("500-rummy", ["floating"]) is None
    added.unlink()
    assert load.recall("500-rummy", ["floating"]) is not None
    (rulesets / "500-rummy.yaml").rename(rulesets / "gone.yaml")
    assert load.recall("500-rummy", ["floating"]) is None


def test_another_version_of_the_program_makes_its_own(cache, monkeypatch):
    load_ruleset("500-rummy")
    monkeypatch.setattr(load, "__version__", "0.0.0")
    assert load.recall("500-rummy", []) is None


def test_changed_modules_make_what_is_kept_worthless(cache, monkeypatch):
    load_ruleset("500-rummy")
    monkeypatch.setattr(load, "_stamps", lambda: [["model.py", 0, 0]])
    assert load.recall("500-rummy", []) is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[:-9],
        lambda text: text.replace("500", "501"),
        lambda _: "",
        lambda _: "0\n[[],[[],1]]",
    ],
)
def test_a_damaged_file_is_made_again(cache, damage):
    first, _ = load_ruleset("500-rummy")
    (file,) = cache.iterdir()
    whole = file.read_text()
    file.write_text(damage(whole))
    assert load_ruleset("500-rummy") == (first, ())
    assert file.read_text() == whole


def test_settings_files_and_aliases_are_not_kept(cache, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("house.yaml").write_text("id: house\nname: Ours\nextends: [500-rummy]\n", encoding="utf-8")
    alias = next(one.aliases[0] for one in list_rulesets() if one.aliases)
    assert load_ruleset("house.yaml")[0]
    assert load_ruleset("500-rummy", [], ["game.target=100"])[0].game.target == 100
    assert load_ruleset(alias)[0]
    assert load_ruleset("nonesuch")[0] is None
    assert load_ruleset("../rulesets/x")[0] is None
    assert not cache.exists()


def test_no_name_stands_for_what_another_name_and_an_option_left_in_the_cache(cache):
    assert load_ruleset("500-rummy", ["floating"])[0] is not None
    assert load_ruleset("500-rummy+floating")[0] is None
    assert load_ruleset("500-rummy", ["floating+no-calls"])[0] is None


def test_warnings_are_said_every_time(cache):
    pairs = [(a, b) for a in OPTIONS for b in ("values-5-10-15", "face-values") if a != b]
    warned = [pair for pair in pairs if compose("500-rummy", pair, (), None).findings]
    assert warned
    for pair in warned:
        assert load_ruleset("500-rummy", pair)[1] == load_ruleset("500-rummy", pair)[1] != ()


def test_two_installations_keep_files_of_their_own(cache, only_kept, monkeypatch):
    """Each has its modules' times in what it keeps: one file for both would never hold for both."""
    stamps = load._stamps()
    first = load_ruleset("500-rummy")
    load.forget()
    with monkeypatch.context() as other:
        other.setattr(load.cache, "INSTALLATION", "01234567")
        other.setattr(load, "_stamps", lambda: [*stamps, ["another.py", 0, 0]])
        assert load_ruleset("500-rummy") == first
    load.forget()
    only_kept()
    assert load_ruleset("500-rummy") == first
    assert len(list(cache.glob("ruleset-*.json"))) == 2


def test_too_many_files_of_a_kind_are_not_kept(cache, monkeypatch):
    monkeypatch.setattr("meldref.core.cache.MOST", 3)
    for option in OPTIONS[:8]:
        load_ruleset("500-rummy", [option])
    assert len(list(cache.iterdir())) <= 4
