"""`meldref rules explain`: what a key means, what it says here, who said so over whom, from which clause."""

from __future__ import annotations

import pytest

from meldref.rulefiles.files import list_rulesets
from meldref.rulefiles.load import load_ruleset
from meldref.rulefiles.vocabulary import list_keys
from meldref_authoring.explaining import (
    clauses_of,
    explain_key,
    find_key,
    nearest_key,
    read_clauses,
    read_sources,
    sources_of,
)
from meldref_authoring.rulefiles.trace import trace
from shipped import line_of, place_of

SIZE = "melds.kinds.sequence.size"

HOUSE = """\
id: our-house
extends: [500-rummy, keep-taken-card]
draw:
  deep:
    must: be_used      # the Tuesday group insists
game: {target: 1000}
"""


def explained(path, name="500-rummy", options=(), settings=()):
    ruleset, findings = load_ruleset(name, options, settings)
    assert ruleset is not None, findings
    key = find_key(path)
    assert key is not None
    return explain_key(key, ruleset, trace(name, options, settings))


def places(one):
    """Who set it, from the one that counts down to the default, as file:line value."""
    return [f"{setter.file}:{setter.line} {setter.value}" for setter in reversed(one.setters)]


# --- who set it -----------------------------------------------------------------------------------


def test_who_set_a_key_is_followed_through_files_options_and_settings(log):
    log(HOUSE, "house.yaml")
    one = explained("draw.deep.must", "house.yaml")
    assert places(one) == [
        "house.yaml:5 be_used",
        f"{place_of('keep-taken-card', 'draw.deep.must')} nothing",
        f"{place_of('500-rummy', 'draw.deep.must')} be_used",
    ]
    over = explained("game.target", "house.yaml", (), ("game.target=700", "game.target=800"))
    shipped = place_of("500-rummy", "game.target")
    assert places(over) == ["--set:0 800", "--set:0 700", "house.yaml:6 1000", f"{shipped} 500"]
    assert over.value == 800


@pytest.mark.parametrize(
    ("key", "value", "chain"),
    [
        (
            "deal.cards.3",
            10,
            [
                f"{place_of('500-rum', 'deal.cards')} 10",
                f"{place_of('500-rummy', 'deal.cards.3-8')} 7",
            ],
        ),
        ("scoring.values.Qs", 40, ["--set:0 40"]),
        ("scoring.values.K", 10, [f"{place_of('500-rummy', 'scoring.values.T-K')} 10"]),
        (
            "scoring.values.A",
            25,
            [
                f"{place_of('aces-25', 'scoring.values.A')} 25",
                f"{place_of('500-rummy', 'scoring.values.A')} 15",
            ],
        ),
        (
            SIZE,
            "4-13",
            [f"{place_of('sequences-of-four', SIZE)} 4-13", f"{place_of('500-rummy', SIZE)} 3-13"],
        ),
    ],
)
def test_entries_of_tables_and_kinds_have_their_own_setters(key, value, chain):
    one = explained(key, "500-rum", ("aces-25", "sequences-of-four"), ("scoring.values.Qs=40",))
    assert (one.value, places(one)) == (value, chain)


def test_the_points_of_wild_cards_are_an_entry_of_their_table():
    one = explained("scoring.values.wild", "500-rummy", (), ("scoring.values.wild=30",))
    assert (one.value, places(one)) == (30, ["--set:0 30"])


def test_the_last_setter_is_the_one_that_the_ruleset_names():
    """What `explain` follows by itself agrees with what loading noted, for every key of every game."""
    for shipped in list_rulesets():
        if shipped.type != "game":
            continue
        ruleset, _ = load_ruleset(shipped.id)
        who = trace(shipped.id)
        for key in list_keys():
            setters = who.setters(key.path)
            if setters and key.path in ruleset.origins:
                assert setters[-1] == ruleset.origins[key.path], key.path


# --- what it means --------------------------------------------------------------------------------


def test_every_key_can_be_explained(meldref):
    ruleset, who = load_ruleset("500-rummy")[0], trace("500-rummy")
    for key in list_keys():
        path = key.path.replace("…", "group")
        found = find_key(path)
        assert found is not None, path
        assert explain_key(found, ruleset, who).key.text


def test_the_note_of_a_shipped_file_says_what_its_source_leaves_open():
    note = explained("draw.deep.when").note
    assert note is not None
    assert (note.file, note.line, note.clauses) == (
        "500-rummy.yaml",
        line_of("500-rummy", "draw.deep.when"),
        ("P-DRAW-12",),
    )
    goes_on = explained("draw.top.must", "gilfoy-500-rummy").note
    assert goes_on is not None
    assert goes_on.text.endswith("speaks for it [G-DRAW-06]")
    above = explained("out.melding_all", "500-rummy", ("floating",)).note
    assert above is not None
    assert above.clauses == ("P-VFLO-07",)
    assert explained("players.min").note is None


def test_a_key_without_effect_names_what_switches_it_off():
    one = explained("floating.playable")
    assert one.rests is not None
    assert (one.rests.key, one.rests.value) == ("out.melding_all", "ends_hand")
    assert explained("floating.playable", "500-rummy", ("floating",)).rests is None


def test_clauses_are_those_of_the_text_that_the_setter_follows():
    one = explained("draw.deep.must", "500-rummy", ("keep-taken-card",))
    assert {clause.source for clause in one.clauses} == {"003"}
    assert "P-DRAW-05" in {clause.id for clause in one.elsewhere}
    assert {clause.source for clause in explained("draw.deep.must").clauses} == {"000"}


def test_every_shipped_file_follows_a_text_that_is_named():
    for shipped in list_rulesets():
        who = trace("500-rummy", [shipped.id]) if shipped.type == "option" else trace(shipped.id)
        layer = who.layers[shipped.file.name]
        assert sources_of(layer.source), shipped.id


def test_the_clauses_are_there_without_the_advice():
    clauses = read_clauses()
    assert len({clause.id for clause in clauses}) == len(clauses)
    assert {clause.source for clause in clauses} == {source.number for source in read_sources()}
    assert clauses_of("draw.deep.must")
    assert not clauses_of("no.such.key")


# --- the command ----------------------------------------------------------------------------------


def test_a_key_is_explained_with_its_words_its_setters_and_its_clauses(meldref, log):
    log(HOUSE, "house.yaml")
    ran = meldref("rules", "explain", "draw.deep.must", "--rules", "house.yaml")
    assert ran.code == 0
    assert ran.lines[0].startswith("draw.deep.must: ")
    assert any(line.startswith("* be_used") for line in ran.lines)
    assert "In our-house: be_used" in ran.lines
    assert any(line.split()[:3] == ["set", "by", "house.yaml:5"] for line in ran.lines)
    assert "Comment there: the Tuesday group insists" in ran.lines
    assert any(line.startswith("  G-DRAW-02 ") for line in ran.lines)
    assert ran.lines[-1].startswith("Violations: draw.deep.unused")


def test_sections_tables_and_all_keys_are_listed(meldref):
    ran = meldref("rules", "explain", "draw.deep")
    assert any(line.startswith("  draw.deep.must: be_used") for line in ran.lines)
    ran = meldref("rules", "explain", "deal.cards")
    assert any(line.startswith("  deal.cards.3-8: 7") for line in ran.lines)
    ran = meldref("rules", "explain")
    assert ran.code == 0
    assert any(line.startswith("  draw.deep.must") for line in ran.lines)
    listed = meldref("rules", "explain", "--format", "json").data["keys"]
    assert {"key", "means"} == set(listed[0])


def test_the_json_has_the_documented_keys(meldref):
    data = meldref(
        "rules", "explain", "game.target", "--set", "game.target=700", "--format", "json"
    ).data
    assert data["key"] == "game.target"
    assert (data["value"], data["default"]) == (700, 500)
    assert data["set_by"] == {"value": "700", "file": "--set", "line": 0}
    assert data["over"] == [
        {"value": "500", "file": "500-rummy.yaml", "line": line_of("500-rummy", "game.target")}
    ]
    assert {
        "means",
        "takes",
        "words",
        "examples",
        "rests",
        "note",
        "parts",
        "clauses",
        "codes",
    } < set(data)


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("draw.dep.must", "there is no key draw.dep.must; did you mean draw.deep.must?"),
        ("scoring.values.Z", "there is no key scoring.values.Z"),
        ("deal.cards.99", "there is no key deal.cards.99"),
        ("swapped", "did you mean melds.wild.swapped?"),
        ("qqqq", "`meldref rules explain` lists them all"),
        ("", "there is no key"),
        (
            "draw.deep.unused",
            "is a code, not a key; `meldref explain draw.deep.unused` says what it means",
        ),
    ],
)
def test_an_unknown_key_is_unusable(meldref, key, said):
    ran = meldref("rules", "explain", key)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_a_key_that_nothing_says_is_said_to_be_so(meldref):
    assert (
        "In 500-rummy: nothing says it" in meldref("rules", "explain", "melds.kinds.run.size").lines
    )
    assert "In 500-rummy: {}" in meldref("rules", "explain", "scoring.held").lines


@pytest.mark.parametrize(
    "key",
    [
        "scoring.values.10",
        "scoring.values.qS",
        "scoring.values.2-9",
        "deal.cards.3-8",
        "draw.deep.must.",
        " draw ",
    ],
)
def test_a_key_may_be_written_as_people_do(meldref, key):
    assert meldref("rules", "explain", key).code == 0


def test_unusable_rules_are_said(meldref):
    assert meldref("rules", "explain", "draw", "--rules", "500-rumy").code == 2


def test_the_nearest_key_is_one_there_is():
    assert nearest_key("gamme.target") == "game.target"
    assert nearest_key("target") == "layoff.target or game.target"
    assert nearest_key("draw.must") == "draw.top.must or draw.deep.must"
    assert not nearest_key("")


def test_the_house_rule_of_an_option_is_explained_with_the_file_that_its_finding_names(
    meldref, log
):
    kings = "{kings: {forbid: discard, when: card.rank is K, says: No king.}}"
    log(f"id: kings\ntype: option\nhouse_rules: {kings}\n", "kings.yaml")
    found = meldref("legal", "draw; discard Kd", "--hand", "Kd 2c", "--with", "kings.yaml").out
    (more,) = [line.partition("meldref ")[2] for line in found.splitlines() if "more: " in line]
    assert meldref(*more.split()).out.startswith("house.kings: No king.")
    assert (
        meldref("explain", "house.kings", "--with", "kings.yaml", "--quiet").out
        == "house.kings: No king.\n"
    )
    setting = "house_rules.tens={forbid: discard, when: card.rank is T, says: No ten.}"
    assert (
        "more: "
        not in meldref("legal", "draw; discard Td", "--hand", "Td 2c", "--set", setting).out
    )
