"""`meldref best`: the most valuable way to lay down a hand, and the proof."""

import pytest

from meldref_table.best import every_way


def test_the_plays_stand_above_what_stays_and_the_proof(meldref):
    ran = meldref("best", "5h 6h 7h 8c 8d Jk 2c")
    assert ran.code == 0
    assert ran.lines[:4] == [
        "meld 5h 6h 7h    18 points",
        "meld 8c 8d Jk=8  31 points",
        "left: 2c",
        "49 points on the table, 98 counting what those cards would have cost in hand",
    ]
    assert ran.lines[4].startswith("nothing better: ")
    assert ran.lines[4].endswith(" positions searched, upper bound 98")


def test_cards_are_laid_off_on_the_table_given(meldref):
    ran = meldref("best", "8h", "9h", "4c", "--table", "m1: B 5h 6h 7h, A 4h")
    assert ran.lines[0] == "lay 8h 9h m1  17 points"
    assert ran.lines[1] == "left: 4c"
    lone = meldref("best", "2h", "--table", "B Ah 3h 4h 5h; B Kh Kd Ks")
    assert lone.code == 2


def test_nothing_to_lay_is_said(meldref):
    assert meldref("best", "2c 9h").lines == [
        "nothing to lay",
        "left: 2c 9h",
        "0 points on the table",
        "nothing better: 1 position searched, upper bound 0",
    ]


def test_the_goal_can_be_points_alone(meldref):
    ran = meldref("best", "5h 6h 7h", "--for", "points")
    assert ran.lines[1] == "18 points on the table"
    assert (
        meldref("best", "5h 6h 7h", "--set", "scoring.hands=ignore").lines[1]
        == "18 points on the table"
    )


def test_the_answer_in_json_has_the_documented_keys(meldref):
    data = meldref("best", "5h 6h 7h 2c", "--format", "json").data
    assert data == {
        "for": "score",
        "plays": [{"play": "meld 5h 6h 7h", "points": 18}],
        "points": 18,
        "gain": 36,
        "left": ["2c"],
        "bound": 36,
        "searched": data["searched"],
    }


def test_the_ruleset_decides(meldref):
    assert meldref("best", "5h 6h 7h", "--with", "discard-to-go-out").lines[0] == "nothing to lay"
    assert (
        meldref("best", "Jk Jk Jk", "--rules", "persian-rummy").lines[0]
        == "meld Jk Jk Jk  60 points"
    )
    wild = meldref("best", "3h 5c 5d", "--with", "chosen-wild-rank", "--wild", "3")
    assert wild.lines[0].startswith("meld 5c 5d 3h=5 ")


def test_there_are_as_many_players_as_the_cards_want(meldref):
    assert meldref("best", "5h 5h 6h 7h 6h 7h").lines[-2].startswith("36 points")
    assert (
        meldref(
            "best", "8h", "--players", "Ann,Bob", "--to-move", "Bob", "--table", "Ann 5h 6h 7h"
        ).code
        == 0
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("5h 6x",), "CARDS: "),
        (("5h ?",), "CARDS: only cards that are known are laid down"),
        (("",), "CARDS: no cards are given"),
        (("5h 5h 5h",), "CARDS: 5h is named 3 times, and the deck of 500-rummy has at most 2"),
        (("5h 5h 5h", "--players", "A,B"), "5h stands here 3 times, and the deck has 1"),
        (("zz", "--rules", "nope"), "--rules nope: "),
        (("zz", "--rules", "nope"), "CARDS: "),
        (("5h", "--table", "C 6h 7h 8h"), "does not begin with a player"),
        (("5h", "--table", "B 6h 7h 9h"), "m1 is not a meld"),
        (("5h", "--wild", "X"), "--wild"),
        (("5h", "--rules", "no-such"), "no-such"),
    ],
)
def test_what_cannot_be_used_is_said(meldref, arguments, message):
    ran = meldref("best", *arguments)
    assert ran.code == 2
    assert message in ran.err
    assert ran.out == ""


def test_a_ruleset_that_cannot_be_used_is_said(meldref, tmp_path):
    file = tmp_path / "house.yaml"
    file.write_text(
        "id: house\nname: House\nextends: [500-rummy]\ndeck: {packs: none}\n", encoding="utf-8"
    )
    ran = meldref("best", "5h", "--rules", file)
    assert ran.code == 2
    assert "house.yaml" in ran.err


def best_under(meldref, tmp_path, cards, *said):
    """The best way to lay cards down in 500 rummy under one house rule."""
    rule = "".join(f"    {line}\n" for line in (*said, "says: It is not done."))
    (tmp_path / "lake.yaml").write_text(
        f"id: lake\nname: Lake\nextends: [500-rummy]\nhouse_rules:\n  it:\n{rule}"
    )
    return meldref("best", cards, "--rules", str(tmp_path / "lake.yaml")).lines


@pytest.mark.parametrize(
    ("said", "plays"),
    [
        (("forbid: end", "when: turn.points < 10"), ["meld 5h 6h 7h", "meld 8c 8d 8s"]),
        (("forbid: [meld, lay]", "when: meld.kind is sequence"), ["meld 8c 8d 8s"]),
        (("forbid: meld", "when: count(turn.melds) > 0"), ["meld 8c 8d 8s"]),
        (("forbid: end", "when: count(turn.melds) > 1"), ["meld 8c 8d 8s"]),
        (("forbid: end", "unless: turn.points < 20"), ["meld 5h 6h 7h"]),
        (("forbid: meld",), ["nothing to lay"]),
        (("forbid: end", "when: player.cards < 3"), ["meld 8c 8d 8s"]),
        (("forbid: end", "when: count(turn.melds) is 2 and player.cards is 0"), ["meld 8c 8d 8s"]),
        (("forbid: discard", "when: card.suit is clubs"), ["meld 8c 8d 8s"]),
        (("forbid: discard", "when: card.suit is spades"), ["meld 5h 6h 7h", "meld 8c 8d 8s"]),
    ],
)
def test_bans_of_house_rules_are_kept(meldref, tmp_path, said, plays):
    """Those on discards and ends are kept where no card in hand may be discarded."""
    lines = best_under(meldref, tmp_path, "5h 6h 7h 8c 8d 8s 2c", *said)
    assert [line.split("  ")[0] for line in lines[: len(plays)]] == plays
    assert lines[len(plays)].startswith("left: ")


@pytest.mark.parametrize(
    ("cards", "left"),
    [
        ("7c 4d 9c Kd Qd", 5),
        ("7c 4d Kd Qd", 1),
        ("5c 5d 5h 6h 7h 8s", 6),
        ("5c 5d 5h 6h 7h 4s 9s", 1),
        ("Kc Kd Kh 7s 8s 2h 2d", 7),
    ],
)
def test_a_hand_that_may_only_be_laid_whole_is_laid_whole_or_not_at_all(meldref, cards, left):
    """In Three Thirteen, until somebody is out, melds are laid only to go out with a discard."""
    asked = ("best", cards, "--rules", "three-thirteen", "--hand-number", 2, "--format", "json")
    data = meldref(*asked).data
    assert len(data["left"]) == left
    assert data["gain"] == data["bound"]


EXCHANGE = ("8c 9c 2d", "--table", "m1: B 6c 7c Jk=8c", "--rules", "online-rummy-500")


def test_wild_cards_on_the_table_are_exchanged(meldref):
    ran = meldref("best", *EXCHANGE, "--for", "points")
    assert [line.split("  ")[0] for line in ran.lines[:3]] == [
        "lay 9c m1",
        "swap 8c m1",
        "lay Jk=Tc m1",
    ]
    assert ran.lines[-1].startswith("nothing better: ")
    data = meldref("best", *EXCHANGE, "--for", "points", "--format", "json").data
    assert data["gain"] == data["bound"] == 27


def test_without_exchanges_none_is_made(meldref):
    ran = meldref("best", *EXCHANGE, "--set", "melds.wild.swap=never")
    assert ran.lines[0].startswith("lay 9c m1  ")


def test_nothing_is_proved_where_exchanges_cannot_all_be_compared(meldref, monkeypatch):
    monkeypatch.setattr(every_way, "MOST_STATES", 2)
    ran = meldref("best", *EXCHANGE)
    assert ran.code == 0
    assert "may be missing" in ran.lines[-1]
    assert not any(line.startswith("nothing better") for line in ran.lines)
    data = meldref("best", *EXCHANGE, "--format", "json").data
    assert data["bound"] >= 44 > data["gain"]


def test_awards_are_counted(meldref, tmp_path):
    assert "18 points on the table" in meldref("best", "5h 6h 7h 2c").out
    lines = best_under(meldref, tmp_path, "5h 6h 7h 2c", "award: 50", "for: meld")
    assert any("68" in line for line in lines)


def test_what_is_awarded_for_is_laid_only_if_the_turn_may_end_then(meldref, tmp_path):
    awarded = "  dear: {award: 50, for: meld, says: Melds are dear.}\n"
    banned = "  it: {forbid: end, when: count(turn.melds) > 1, says: It is not done.}\n"
    rules = tmp_path / "lake.yaml"
    said = f"id: lake\nname: Lake\nextends: [500-rummy]\nhouse_rules:\n{awarded}"
    rules.write_text(said, encoding="utf-8")
    asked = ("best", "5h 6h 7h 8c 8d 8s 2c", "--rules", rules, "--quiet")
    assert len(meldref(*asked).lines) == 2
    rules.write_text(said + banned, encoding="utf-8")
    assert meldref(*asked).lines == ["meld 8c 8d 8s"]


DIFFERENT = "id: hands\nextends: [500-rummy]\nhands: {2: {melds: {kinds: {group: {size: 4}}}}}\n"


def test_where_hands_differ_the_answer_says_for_which_hand_it_is_even_quietly(meldref, tmp_path):
    rules = tmp_path / "hands.yaml"
    rules.write_text(DIFFERENT, encoding="utf-8")
    asked = ("best", "8c 8d 8s 4c", "--rules", rules, "--quiet")
    assert "--hand-number" in meldref(*asked).err
    assert meldref(*asked, "--hand-number", 1).err == ""
    assert meldref(*asked, "--hand-number", 1).lines == ["meld 8c 8d 8s"]


def test_where_hands_differ_in_other_things_one_answer_is_enough(meldref, tmp_path):
    rules = tmp_path / "hands.yaml"
    rules.write_text(DIFFERENT, encoding="utf-8")
    assert meldref("best", "5h 6h 7h 2c", "--rules", rules).err == ""
