"""`meldref rules new` and `rules schema`: a rules file from ten questions, and what editors know of one."""

from __future__ import annotations

import json
import re

import pytest

from meldref.rulefiles.files import list_rulesets
from meldref.rulefiles.load import load_ruleset
from meldref.rulefiles.vocabulary import schema
from meldref_authoring.wizard import QUESTIONS, House, start_from, write_house

GAMES = [shipped.id for shipped in list_rulesets() if shipped.type == "game"]


def test_there_are_ten_questions_and_each_is_an_option(meldref):
    assert len(QUESTIONS) == 10
    help_ = "".join(meldref("rules", "new", "--help").out.split())
    for question in QUESTIONS:
        assert f"--{question.name}" in help_
        assert [answer.word for answer in question.answers if answer.word not in help_] == []


def test_the_file_says_what_differs_and_nothing_else(meldref, log, tmp_path):
    log("", "empty.rgn")
    ran = meldref(
        "rules",
        "new",
        "lake.yaml",
        "--no-ask",
        "--values",
        "fives",
        "--target",
        "1000",
        "--calls",
        "pile",
    )
    assert (ran.code, ran.out) == (0, "")
    lines = (tmp_path / "lake.yaml").read_text().splitlines()
    assert lines[0].startswith("# yaml-language-server: $schema=")
    assert [line for line in lines if line and not line.startswith("#")] == [
        "id: lake",
        "name: Lake",
        "extends: [500-rummy]",
        "scoring:",
        "  values:",
        "    2-9: 5",
        "  low_ace: 5",
        "game:",
        "  target: 1000",
    ]
    assert meldref("rules", "check", "lake.yaml").out == "lake.yaml: ok\n"


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
@pytest.mark.sweep(every=3)
def test_every_answer_makes_rules_that_say_it(question, meldref, log, tmp_path):
    log("", "empty.rgn")
    for answer in question.answers:
        options = ["--calls", "pile", f"--{question.name}", answer.word]
        assert meldref("rules", "new", "house.yaml", "--force", "--no-ask", *options).code == 0
        ruleset, findings = load_ruleset(str(tmp_path / "house.yaml"))
        assert findings == ()
        for key, value in answer.says.items():
            set_as = meldref("rules", "show", "house.yaml", "--format", "json").data["keys"]
            if key in set_as:
                assert set_as[key]["value"] == (
                    [str(one) for one in value] if isinstance(value, list) else value
                )
        assert ruleset is not None


def test_without_answers_it_is_the_game_itself(meldref, log):
    log("", "empty.rgn")
    ran = meldref("rules", "new", stdin="")
    assert ran.code == 0
    assert "no terminal" in ran.err
    log(ran.out, "house.yaml")
    assert meldref("rules", "check", "house.yaml").out == "house.yaml: ok\n"


def test_questions_are_asked_until_they_are_answered(meldref, log):
    log("", "empty.rgn")
    answers = ["The lake", "2", "9", "fives", "2", *[""] * 5, "many", "750"]
    ran = meldref("rules", "new", "--ask", "--top", "free", stdin="\n".join(answers) + "\n")
    assert ran.code == 0
    assert "name: The lake" in ran.out
    assert "jokers: 0" in ran.out
    assert "2-9: 5" in ran.out
    assert "target: 750" in ran.out
    assert "takes only the top card" not in ran.err
    assert "a number from 1 to 2" in ran.err


def test_a_question_can_be_explained_and_gone_back_to(meldref, log):
    log("", "empty.rgn")
    answers = [
        "The lake",
        "?",
        "2",
        "<",
        "3",
        "fives",
        *["" for _ in range(7)],
        "900",
        "<",
        "950",
        "",
    ]
    ran = meldref("rules", "new", "--ask", stdin="\n".join(answers) + "\n")
    assert ran.code == 0
    assert "melds.wild.cards: Which cards are wild" in ran.err
    assert "2 writes deck.jokers: 0, melds.wild.cards: []" in ran.err
    assert "none, and no jokers in the pack   (your answer)" in ran.err
    assert "900 by your answer" in ran.err
    written = [line.strip() for line in ran.out.splitlines() if line.startswith(" ")]
    assert "cards: [joker, 2]" in written
    assert "target: 950" in written
    assert "jokers: 0" not in ran.out


def test_going_back_from_the_first_question_asks_for_the_name_again(meldref, log):
    log("", "empty.rgn")
    ran = meldref("rules", "new", "--ask", stdin="The lake\n<\nThe pond\n" + "\n" * 11)
    assert ran.code == 0
    assert "name: The pond" in ran.out


@pytest.mark.sweep
def test_answers_that_clash_are_told_as_they_were_asked_with_the_way_to_change_them(
    meldref, log, tmp_path
):
    log("", "empty.rgn")
    ran = meldref(
        "rules",
        "new",
        "lake.yaml",
        "--ask",
        "--calls",
        "none",
        stdin="The lake\n" + "\n" * 6 + "5\n\n\n",
    )
    assert ran.code == 2
    answer = "with a last discard that nobody can call; otherwise the player floats"
    assert f"going out ({answer}) with --calls none: " in ran.err
    command = ran.err.splitlines()[-1].partition(": ")[2]
    assert command == (
        "meldref rules new lake.yaml --game 500-rummy --calls none --going-out claimable --name 'The lake'"
    )
    assert not (tmp_path / "lake.yaml").exists()


@pytest.mark.sweep(every=4)
@pytest.mark.parametrize("game", GAMES)
def test_no_clash_is_told_by_keys_of_rules_files(game):
    table = start_from(game)
    for question in QUESTIONS:
        for answer in question.answers:
            made = write_house(House("ours", "Ours", game), table, {question.name: answer.word})
            for clash in () if isinstance(made, str) else made:
                assert clash.questions == (question.name,)
                assert not re.search(r"\w\.\w| = ", clash.message)


def test_answers_that_end_too_early_write_nothing(meldref, log, tmp_path):
    log("", "empty.rgn")
    ran = meldref("rules", "new", "house.yaml", "--ask", stdin="The lake\n2\n")
    assert ran.code == 2
    assert not (tmp_path / "house.yaml").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ["--going-out", "claimable", "--calls", "none"],
            "--going-out claimable with --calls none: ",
        ),
        (
            ["--game", "persian-rummy", "--jokers", "none"],
            "--jokers none does not go with Persian Rummy: ",
        ),
        (["--jokers", "three"], "choose wild, none, twos or named"),
        (["--target", "0"], "give a whole number"),
        (["--target", "many"], "give a whole number"),
        (["--game", "floating"], "is an option"),
        (["--game", "500-rumm"], "did you mean 500-rummy?"),
        (["--game", "house.yaml"], "the id of a shipped ruleset"),
        (
            ["--game", "nope"],
            "--game nope: there is no ruleset or option nope; `meldref rules list` lists them",
        ),
        (["--game", "-"], "the id of a shipped ruleset"),
        (["house.pdf"], "house.pdf: a rules file ends in .yaml or .yml"),
        (["floating.yaml"], "floating is a shipped ruleset"),
        (["nowhere/house.yaml"], "there is no folder nowhere"),
    ],
)
def test_what_cannot_be_is_said_in_words_and_nothing_is_written(
    options, said, meldref, log, tmp_path
):
    log("", "empty.rgn")
    ran = meldref("rules", "new", "--no-ask", *options)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["empty.rgn"]


def test_every_answer_that_is_none_is_told_in_one_run(meldref, log, tmp_path):
    log()
    ran = meldref(
        "rules", "new", "ours.yaml", "--jokers", "two", "--values", "fiv", "--target", "x"
    )
    assert (ran.code, len(ran.err.splitlines())) == (2, 3)
    for option in ("--jokers two: ", "--values fiv: ", "--target x: "):
        assert f"meldref: error: {option}" in ran.err
    ran = meldref(
        "rules",
        "new",
        "ours.yaml",
        "--game",
        "persian-rummy",
        "--jokers",
        "none",
        "--win",
        "go-out",
    )
    clashes = [line for line in ran.err.splitlines() if "does not go with Persian Rummy" in line]
    assert [line.split()[2] for line in clashes] == ["--jokers", "--win"]
    assert "game." not in ran.err
    assert not (tmp_path / "ours.yaml").exists()


def test_what_it_says_about_a_file_with_an_odd_ending_works(meldref, log):
    said = meldref("rules", "new", "ours.txt", "--values", "fives").err
    assert "meldref audit --rules ./ours.txt LOG." in said  # no log may name it
    assert meldref("audit", log(), "--rules", "ours.txt").code == 0
    assert meldref("rules", "check", "ours.txt").lines == ["ours.txt: ok"]


def test_a_file_that_is_there_stays_unless_asked_for(meldref, log, tmp_path):
    name = log("mine\n", "house.yaml")
    ran = meldref("rules", "new", name, "--no-ask")
    assert ran.code == 2
    assert "--force" in ran.err
    assert (tmp_path / name).read_text() == "mine\n"
    assert meldref("rules", "new", name, "--no-ask", "--force").code == 0
    assert (tmp_path / name).read_text().startswith("# yaml-language-server")


@pytest.mark.parametrize(
    "name", ["Grandma's", "Lake: summer", "# 1", "yes", "  ", 'He said "gin"', "Élise 🂡", "null"]
)
def test_whatever_it_is_called_it_is_called_so(name, meldref, log, tmp_path):
    log("", "empty.rgn")
    assert meldref("rules", "new", "house.yaml", "--no-ask", "--name", name).code == 0
    ruleset, findings = load_ruleset(str(tmp_path / "house.yaml"))
    assert findings == ()
    assert ruleset.name == name


def test_a_log_can_be_audited_by_it(meldref, log):
    log("", "empty.rgn")
    meldref("rules", "new", "house.yaml", "--no-ask", "--top", "must-use")
    taken = '[Players "Ann, Bob"]\n\nhand 1 dealer Bob\nup 6c\n1. Ann: take 6c; discard 2d\n'
    ran = meldref("audit", "--rules", "house.yaml", log(taken))
    assert ran.code == 1
    assert "draw.top.unused" in ran.out
    assert "house.yaml:" in ran.out


def test_the_schema_beside_a_file_is_the_one_it_names(meldref, log, tmp_path):
    log("", "empty.rgn")
    assert meldref("rules", "schema", "-o", "ruleset.schema.json").code == 0
    assert json.loads((tmp_path / "ruleset.schema.json").read_text()) == schema()
    meldref("rules", "new", "house.yaml", "--no-ask")
    first = (tmp_path / "house.yaml").read_text().splitlines()[0]
    assert first == "# yaml-language-server: $schema=ruleset.schema.json"
    assert (
        "$schema=../rules.json"
        in meldref("rules", "new", "--no-ask", "--schema", "../rules.json").out
    )


def test_the_schema_is_printed_and_never_over_a_file_unasked(meldref, log, tmp_path):
    assert json.loads(meldref("rules", "schema").out) == schema()
    name = log("mine\n", "schema.json")
    assert meldref("rules", "schema", "-o", name).code == 2
    assert (tmp_path / name).read_text() == "mine\n"


@pytest.mark.sweep
def test_house_rules_of_the_cookbook_are_offered_for_each_game(meldref):
    offers = [
        meldref("rules", "new", "-", "--ask", *more, stdin="\n" * 12).err
        for more in ((), ("--game", "500-rum"))
    ]
    assert [text.count("No ace is discarded in the first turns.") for text in offers] == [1, 1]


def test_house_rules_about_wild_cards_are_offered_only_where_some_card_is_wild(meldref):
    with_jokers, without = [
        meldref("rules", "new", "-", "--ask", *more, stdin="\n" * 12).err
        for more in ((), ("--game", "500-rum"))
    ]
    for rule in ("One wild card a meld.", "Jokers do not lie side by side.", "A wild card is not"):
        assert rule in with_jokers
        assert rule not in without
