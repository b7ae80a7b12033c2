"""The solver and its tables: what they may import, what they keep, and what they refuse."""

import json
import subprocess
import sys

import pytest

from meldref.core import cache as kept
from meldref.core.cards import JOKER, counted, mask_of
from meldref.core.records import changed
from meldref.melds import Reading, can_form, solver, tables
from meldref.melds import lay_off_index as fits
from meldref.melds.index import MeldIndex
from meldref.melds.kinds import NAMED, Pattern
from meldref.rulefiles.load import load_ruleset
from meldref.ruleset.model import ByPlayers, Kind
from melds_hand import GROUP, JOKERS, SEQUENCE, WILD, cards, wild_rules


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A cache of one's own, and nothing remembered."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("MELDREF_CACHE", str(folder))
    monkeypatch.setattr(tables, "_solved", {})
    return folder


def ruleset(*kinds, wild=WILD, packs=1, jokers=2):
    """500 Rummy for two with other melds and cards."""
    usual, _ = load_ruleset("500-rummy")
    deck = changed(usual.deck, packs=ByPlayers({2: packs}), jokers=jokers)
    return changed(
        usual,
        players=changed(usual.players, min=2, max=2),
        deck=deck,
        melds=changed(usual.melds, kinds=kinds, wild=wild),
    )


def test_the_old_python_constraint_is_refused_with_the_remedy():
    solver.refuse_old_solver({"python-constraint2"})
    with pytest.raises(ImportError, match="pip uninstall python-constraint"):
        solver.refuse_old_solver({"python-constraint", "python-constraint2"})
    with pytest.raises(ImportError, match="pip uninstall python-constraint"):
        solver.refuse_old_solver({"python-constraint"})
    with pytest.raises(ImportError, match="pip install python-constraint2"):
        solver.refuse_old_solver(set())


def test_what_is_installed_is_told_by_folders_as_by_metadata(tmp_path):
    assert set(solver.in_folders(sys.path)) == set(solver.by_metadata()) == {"python-constraint2"}
    for name in (
        "python_constraint-1.4.0-py3.11.egg-info",
        "python_constraint2-2.9.0.dist-info",
        "constraint",
    ):
        (tmp_path / name).mkdir()
    found = solver.in_folders([str(tmp_path / "nowhere"), str(tmp_path)])
    assert set(found) == {"python-constraint", "python-constraint2"}


def test_importing_melds_does_not_import_the_solver():
    script = "import sys, meldref.melds; sys.exit('constraint' in sys.modules)"
    subprocess.run([sys.executable, "-c", script], check=True)


def test_melds_kept_in_the_cache_are_read_without_the_solver(cache, monkeypatch):
    pattern = Pattern(SEQUENCE, 1, 2)
    first = tables.natural_melds(pattern)
    assert len(first) == 308
    (file,) = cache.iterdir()
    monkeypatch.setattr(tables, "_solved", {})
    monkeypatch.setattr(tables, "_solve_all", lambda _: pytest.fail("solved again"))
    assert tables.natural_melds(pattern) == first
    assert json.loads(file.read_text().split("\n", 1)[1])[0] in file.name


@pytest.mark.sweep
@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[:-20],
        lambda text: text.replace("[0,1,2]", "[0,1,5]"),
        lambda _: "",
        lambda _: "12\n{}",
        lambda _: "0\n",
    ],
)
def test_a_damaged_cache_is_solved_again(cache, monkeypatch, damage):
    pattern = Pattern(SEQUENCE, 1, 2)
    first = tables.natural_melds(pattern)
    (file,) = cache.iterdir()
    whole = file.read_text()
    file.write_text(damage(whole))
    monkeypatch.setattr(tables, "_solved", {})
    assert tables.natural_melds(pattern) == first
    assert file.read_text() == whole


def test_the_answer_to_another_question_is_not_taken(cache, monkeypatch):
    tables.natural_melds(Pattern(GROUP, 1, 2))
    (file,) = cache.iterdir()
    kept = file.read_text()
    tables.natural_melds(Pattern(SEQUENCE, 1, 2))
    other = next(path for path in cache.iterdir() if path != file)
    other.write_text(kept)
    monkeypatch.setattr(tables, "_solved", {})
    assert len(tables.natural_melds(Pattern(SEQUENCE, 1, 2))) == 308


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path, monkeypatch):
    occupied = tmp_path / "file"
    occupied.write_text("")
    monkeypatch.setenv("MELDREF_CACHE", str(occupied))
    monkeypatch.setattr(tables, "_solved", {})
    assert len(tables.natural_melds(Pattern(GROUP, 1, 2))) == 65


def test_the_cache_can_be_turned_off(tmp_path, monkeypatch):
    monkeypatch.setenv("MELDREF_CACHE", "off")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(tables, "_solved", {})
    assert len(tables.natural_melds(Pattern(GROUP, 1, 2))) == 65
    assert not list(tmp_path.iterdir())


def test_the_cache_is_where_the_system_has_it(tmp_path, monkeypatch):
    monkeypatch.delenv("MELDREF_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    monkeypatch.setattr(sys, "platform", "linux")
    assert kept.file_of("x").parent == tmp_path / "xdg" / "meldref"
    monkeypatch.setattr(sys, "platform", "win32")
    assert kept.file_of("x").parent == tmp_path / "local" / "meldref" / "cache"


def test_different_questions_have_different_names():
    patterns = [
        Pattern(GROUP, 1, 0),
        Pattern(GROUP, 2, 0),
        Pattern(SEQUENCE, 1, 0),
        Pattern(Kind("a", 3, 13, SEQUENCE.require, None, ("low",)), 1, 0),
        Pattern(Kind("a", 4, 13, SEQUENCE.require), 1, 0),
        Pattern(Kind("a", 3, 4, GROUP.require, ("K",)), 1, 0),
        Pattern(JOKERS, 1, 3),
        Pattern(JOKERS, 1, 4),
    ]
    assert len({tables._question(pattern) for pattern in patterns}) == len(patterns)
    again = Pattern(Kind("set", 3, 4, tuple(reversed(GROUP.require))), 1, 0)
    assert tables._question(again) == tables._question(patterns[0]), "names and order do not matter"


def test_a_kind_with_very_many_melds_is_not_tabled_and_still_answers():
    colours = Kind("colours", 3, 13, ("consecutive_ranks", "alternating_colours"))
    book = MeldIndex((colours,), WILD, 2, 4)
    assert isinstance(book.read(cards("5h 6c 7d 8s 9h Tc Jk=Jd Qc Kd")), Reading)
    assert book.read(cards("5h 6c 7d 8s 9h Jk Jk")).code == "wild.unbound"


def test_no_cards_form_a_kind_whose_constraints_exclude_each_other():
    assert can_form(GROUP, ruleset())
    assert can_form(SEQUENCE, ruleset())
    for require in (
        ("same_rank", "consecutive_ranks"),
        ("same_rank", "distinct_ranks"),
        ("same_suit", "distinct_suits"),
        ("same_suit", "alternating_colours"),
    ):
        assert not can_form(Kind("never", 3, 13, require), ruleset())
    assert not can_form(Kind("five", 5, 6, ("same_rank", "distinct_suits")), ruleset(packs=2))
    five = Kind("five", 5, 6, ("same_rank",))
    assert can_form(five, ruleset()), "a joker is the fifth"
    assert not can_form(five, ruleset(wild=wild_rules(twins="forbidden")))
    assert not can_form(five, ruleset(wild=wild_rules(cards=())))
    assert not can_form(Kind("seven", 7, 8, ("same_rank",)), ruleset()), "there are two jokers"
    assert can_form(Kind("five", 5, 6, ("same_rank",)), ruleset(packs=2))
    assert not can_form(Kind("long", 14, 15, ("consecutive_ranks",)), ruleset(packs=2))
    assert not can_form(Kind("none", 3, 4, ("same_rank",), ("joker",)), ruleset())


def test_jokers_form_a_meld_where_there_are_enough_that_are_not_wild():
    plain = wild_rules(())
    assert can_form(JOKERS, ruleset(wild=plain, jokers=4))
    assert not can_form(JOKERS, ruleset(wild=plain, jokers=2))
    assert not can_form(JOKERS, ruleset(jokers=4)), "wild jokers are no natural cards"
    assert can_form(JOKERS, ruleset(wild=wild_rules(naturals=0), jokers=4))


def test_every_constraint_says_what_it_means():
    for named in NAMED.values():
        assert named.meaning


def test_a_joker_has_no_rank_suit_or_colour():
    assert not Pattern(GROUP, 1, 4).arranged((JOKER, JOKER, JOKER))
    assert Pattern(Kind("any", 3, 4, ()), 1, 4).arranged((JOKER, JOKER, 5)) == ((5, JOKER, JOKER),)


def roles(text):
    """The roles of natural cards, in ascending order."""
    return tuple(sorted(one.card for one in cards(text)))


REPEATING = Kind("group", 3, 4, ("same_rank",))
"""A group in which suits may repeat, as two packs allow."""


@pytest.mark.parametrize(
    ("held", "meld", "number"),
    [
        ("9c 9c 9d", "9c 9c 9d", 0),
        ("9c 9d 8h", "9c 9c 9d", 1),
        ("9c 8h", "9c 9c 9d", 2),
        ("8h", "9c 9c 9d", 3),
        ("9c 9c 9c", "9c 9d 9h", 2),
        ("9c 9c 9d 9d", "9c 9c 9d 9d", 0),
        ("9d 9d", "9c 9c 9d 9d", 2),
        ("9c 9c 9c 9d", "9c 9c 9d 9d", 1),
    ],
)
def test_of_a_card_that_a_meld_has_twice_each_copy_may_be_missing(held, meld, number):
    index = fits.NaturalMelds(Pattern(REPEATING, 3, 0), [roles(meld)])
    least = next(wilds for wilds in range(5) if list(index.within(counted(roles(held)), wilds)))
    assert least == number


def test_jokers_alone_can_be_a_meld_where_they_are_not_wild():
    index = fits.NaturalMelds(
        Pattern(Kind("jokers", 3, 4, (), ("joker",)), 1, 3), [(JOKER, JOKER, JOKER)]
    )
    assert list(index.within(counted([JOKER] * 3), 0)) == [(JOKER, JOKER, JOKER)]


@pytest.mark.parametrize("limit", [fits.TABLE_LIMIT, 0])
@pytest.mark.parametrize(
    ("held", "wilds", "meld", "there"),
    [
        ("9c 9c 9d", 0, "9c 9c 9d", True),
        ("9c 9d 8h", 0, "9c 9c 9d", False),
        ("9c 9d 8h", 1, "9c 9c 9d", True),
        ("9c 8h", 1, "9c 9c 9d", False),
        ("9c 8h", 2, "9c 9c 9d", True),
    ],
)
def test_a_meld_is_within_a_hand_if_wild_cards_can_be_what_it_lacks(
    limit, held, wilds, meld, there
):
    kind = fits.lay_off_index(Pattern(REPEATING, 2, 4), limit=limit)
    hand = counted(roles(held))
    assert (roles(meld) in set(kind.within(hand, wilds))) is there
    assert (roles(meld) in set(kind.within(hand, wilds, must=roles("9c")[0]))) is there
    assert roles(meld) not in set(kind.within(hand, wilds, must=roles("9h")[0]))
    nines = mask_of(counted(roles("9c 9d")))
    assert (roles(meld) in set(kind.within(hand, wilds, among=nines))) is there
    assert roles(meld) not in set(kind.within(hand, wilds, among=mask_of(counted(roles("9c 9h")))))
