"""`meldref explain`: a page for each code."""

from __future__ import annotations

import pytest

from meldref.rules.pages import PAGES


@pytest.mark.parametrize("code", PAGES)
def test_every_code_is_explained(meldref, code):
    ran = meldref("explain", code)
    assert ran.code == 0
    assert ran.lines[0] == f"{code}: {PAGES[code].title}"
    for part in ("Why: ", "Illegal:", "Legal:"):
        assert f"\n{part}" in ran.out


@pytest.mark.parametrize(
    "copied", ["[draw.deep.unused]", "draw.deep.unused:", "draw.deep.unused.", " Draw.Deep.Unused"]
)
def test_a_code_can_be_copied_as_it_stands_in_a_text(meldref, copied):
    assert meldref("explain", copied).out == meldref("explain", "draw.deep.unused").out


def test_a_clause_lists_the_codes_that_rest_on_it(meldref):
    listed = [line.split()[0] for line in meldref("explain", "P-DRAW-05").lines]
    assert "draw.deep.unused" in listed
    assert listed == [code for code in PAGES if "P-DRAW-05" in PAGES[code].clauses]


@pytest.mark.parametrize(
    ("clause", "codes"),
    [
        ("S-BUY-03", ["buy.often"]),
        ("KA-OPEN-01", ["meld.first-points"]),
        ("ka-jok-05", ["swap.forbidden", "swap.kept"]),
        ("T-GRP-01", ["meld.size", "meld.shape", "meld.kind", "wild.binding", "layoff.fit"]),
    ],
)
def test_a_clause_that_no_page_names_lists_the_codes_of_its_keys(meldref, clause, codes):
    assert meldref("explain", clause, "--quiet").out.split() == codes


@pytest.mark.parametrize(
    ("clause", "said"),
    [
        ("S-BUY-99", "no clause of the rules has the number S-BUY-99"),
        ("T-OUT-01", ": see `meldref rules explain house_rules`"),
        ("R-MELD-01", ": it holds in every ruleset"),
    ],
)
def test_a_clause_that_is_not_there_or_has_no_code_is_said_to_be_so(meldref, clause, said):
    ran = meldref("explain", clause)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_a_key_of_rulesets_is_told_from_a_code(meldref):
    ran = meldref("explain", "draw.deep.must")
    assert ran.code == 2
    assert "key of rulesets" in ran.err
    assert "`meldref rules explain draw.deep.must`" in ran.err


def test_a_family_lists_its_codes(meldref):
    ran = meldref("explain", "draw.deep")
    assert [line.split()[0] for line in ran.lines] == [
        code for code in PAGES if code.startswith("draw.deep.")
    ]


def test_without_a_code_all_are_listed(meldref):
    assert [line.split()[0] for line in meldref("explain").lines] == list(PAGES)


@pytest.mark.parametrize(
    ("code", "meant"),
    [
        ("draw.deep.unusd", "did you mean draw.deep.unused?"),
        ("drew", "did you mean draw?"),
        ("unbound", "wild.unbound"),
    ],
)
def test_an_unknown_code_is_told_what_may_be_meant(meldref, code, meant):
    ran = meldref("explain", code)
    assert ran.code == 2
    assert meant in ran.err


def test_nonsense_is_pointed_to_the_list(meldref):
    assert "`meldref explain` lists them all" in meldref("explain", "qqqqq").err


def test_a_page_in_json_has_its_parts(meldref):
    data = meldref("explain", "draw.deep.unused", "--format", "json").data
    assert list(data) == ["code", "title", "means", "why", "keys", "clauses", "illegal", "legal"]
    listed = meldref("explain", "draw", "--format", "json").data["codes"]
    assert {"code": "draw.deep.unused", "title": data["title"]} in listed


def test_a_house_rule_of_an_option_is_explained_as_its_message_says(meldref, log):
    kings = "{forbid: discard, when: card.rank is K, says: No kings.}"
    log(f"id: kings\ntype: option\nhouse_rules:\n  kings: {kings}\n", "kings.yaml")
    ran = meldref("legal", "draw; discard Ks", "--hand", "Ks 3c", "--with", "kings.yaml")
    (command,) = [line for line in ran.out.splitlines() if "more: meldref" in line]
    explained = meldref(*command.split()[3:])
    assert explained.code == 0
    assert explained.out.startswith("house.kings: No kings.")


@pytest.mark.parametrize(
    ("move", "hand", "rules"),
    [
        (
            "draw; meld Tc Td Th; meld 4c 4d 4h; discard 2h",
            "Tc Td Th 4c 4d 4h 2h 3s",
            ["--with", "single-melds"],
        ),
        (
            "draw; meld 4c 4d 4h; discard 2h",
            "4c 4d 4h 2h 3s",
            ["--rules", "three-thirteen", "--hand-number", "4"],
        ),
    ],
    ids=["option", "ruleset"],
)
def test_a_house_rule_that_ships_is_explained_as_its_message_says(meldref, move, hand, rules):
    ran = meldref("legal", move, "--hand", hand, *rules)
    (command,) = [line for line in ran.out.splitlines() if "more: meldref explain house" in line]
    explained = meldref(*command.split()[3:])
    assert explained.code == 0
    assert command.split()[4] in explained.out


@pytest.mark.parametrize(
    ("rule", "rules", "told"),
    [
        ("whole-hand", "three-thirteen", {".cards": "How many cards they hold."}),
        ("runs-apart", "contract-rummy", {".suit": "The suit of a sequence; a group has none."}),
        (
            "exchange-after-opening",
            "kalooki-40",
            {".points": "Points of all its cards, before scoring.four_at_once and four_aces."},
        ),
    ],
)
def test_a_fact_of_a_house_rule_is_that_of_what_its_list_holds(meldref, rule, rules, told):
    lines = meldref("explain", f"house.{rule}", "--rules", rules).lines
    said = dict(line.split(maxsplit=1) for line in lines if line.startswith("  "))
    assert told.items() <= said.items()


@pytest.mark.parametrize(
    ("name", "says"), [("meld.size", "How many cards it has."), ("card", "card.rank")]
)
def test_a_fact_is_explained_where_a_code_or_no_key_has_its_name(meldref, name, says):
    ran = meldref("rules", "explain", name)
    assert ran.code == 0
    assert says in ran.out


def test_a_word_that_is_no_code_finds_the_codes_that_are_about_it(meldref):
    found = meldref("explain", "joker", "--quiet").out.split()
    assert "wild.unbound" in found
    assert meldref("explain", "qwertyuiop").code == 2


@pytest.mark.parametrize(
    ("words", "best"),
    [
        (["rummy"], "call.off"),
        (["call rummy"], "call.off"),
        (["call", "rummy"], "call.off"),
        (["lay off"], "layoff.fit"),
        (["lay", "off"], "layoff.fit"),
        (["lay", "down"], "meld.size"),
        (["laid off"], "layoff.fit"),
        (["goes out"], "out.discard-required"),
        (["throw", "back", "the", "card"], "discard.taken-top"),
    ],
)
def test_words_list_the_codes_that_they_find_with_the_best_first(meldref, words, best):
    ran = meldref("explain", *words)
    assert ran.code == 0
    assert ran.lines[0].split()[0] == best
    assert len(ran.lines) > 1


def test_one_command_is_meant_by_a_misspelt_one(meldref):
    ran = meldref("rules", "chek")
    assert "did you mean rules check?" in ran.err
