"""Counting a hand, score sheets, and going on from a move: what is said, and all that is wrong in one run."""

from __future__ import annotations

import json

import pytest

from blocks import ROOT
from meldref import audit_file, load_position

HERE = ("--hand", "4d 4h 9h 2c", "--pile", "6s 4c Qs 7h")


def test_a_hand_has_its_plays_its_sum_and_the_settings_behind_it(meldref):
    ran = meldref("score", "--laid", "5h 6h 7h", "--laid", "Ks Kd Jk", "--held", "2c Ad")
    assert ran.code == 0
    assert "53 laid - 17 held = 36" in ran.out
    assert "scoring.values.2-9 = face" in ran.out
    assert "A = 15" in ran.out
    assert "scoring.hands = subtract" in ran.out
    assert "B:" not in ran.out


@pytest.mark.parametrize(
    ("arguments", "scores"),
    [
        (["--laid", "5h 6h 7h", "--laid", "8h m1"], {"A": 26}),
        (
            ["--laid", "Ann: 5h 6h 7h", "--laid", "Bob: 8h m1", "--held", "Bob: Kc"],
            {"Ann": 18, "Bob": -2},
        ),
        (["--laid", "Kc Kd Ks Kh", "--rules", "persian-rummy"], {"A+C": 80}),
        (["--laid", "9c 9d 9h", "--set", "out.bonus=25", "--out", "A"], {"A": 52}),
        (["--held", "2c Jk"], {"A": -17}),
    ],
)
def test_a_hand_counts_by_the_rules_in_force(meldref, arguments, scores):
    data = meldref("score", *arguments, "--format", "json").data
    assert {side["name"]: side["score"] for side in data["sides"]} == scores


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["--laid", "5h 6x", "--held", "Zz"],
            ['--laid "5h 6x": ', '--held "Zz": `Zz` is not a card'],
        ),
        (
            ["--laid", "5h 6h", "--laid", "8h m4"],
            ['--laid "5h 6h": a sequence', '--laid "8h m4": there is no m4'],
        ),
        (
            ["--laid", "5h 6h 7h", "--held", "5h", "--players", "Ann,Bob"],
            ["5h is named twice, and the deck has 1"],
        ),
        (
            ["--laid", "5h 6x", "--laid", "5h 6h", "--laid", "8h m1", "--held", "Zz"],
            ['--laid "5h 6x": ', '--laid "5h 6h": a sequence', '--held "Zz": '],
        ),
        (["--laid", "5h 6h", "--held", "Zz"], ['--laid "5h 6h": a sequence', '--held "Zz": ']),
        (["--laid", "5h 6x", "--rules", "nowhere"], ['--laid "5h 6x": ', "nowhere"]),
        (
            ["--laid", "5h 6h", "--wild", "5"],
            ['--laid "5h 6h": a sequence', "no rank named for the hand"],
        ),
        (["--laid", "5h 6h 7h", "--hand", "Ann 4"], ["choose one: "]),
        ([], ["choose one: "]),
        (
            ["--hand", "Ann x", "--hand", "Bob 4; foo"],
            ['--hand "Ann x": ', '--hand "Bob 4; foo": '],
        ),
        (
            ["--hand", "Ann 4, Bo 2", "--players", "Ann,Bob"],
            ['--hand "Ann 4, Bo 2": Bo is not one of the players'],
        ),
        (["--held", "2c", "--players", "Ann"], ["--players Ann: "]),
        (["--held", "Cy: 2c", "--players", "Ann,Bob"], ["Cy is not one of --players"]),
        (["--held", "2c", "--rules", "nowhere"], ["nowhere"]),
    ],
)
def test_each_mistake_is_told_at_its_place_and_nothing_is_counted(meldref, arguments, said):
    ran = meldref("score", *arguments)
    assert ran.code == 2, ran.out
    for one in said:
        assert one in ran.err


def test_a_score_sheet_has_totals_the_winner_and_the_settlement(meldref):
    hands = ["--hand", "Ann 245, Bob -20", "--hand", "Ann 260, Bob 115"]
    ran = meldref("score", *hands, "--set", "settlement.pays=difference", "--format", "json")
    (game,) = ran.data["games"]
    assert (game["totals"], game["over"], game["winners"]) == ([505, 95], True, ["Ann"])
    assert game["paid"] == [410, -410]
    assert "the game is over: Ann wins" in meldref("score", *hands).out


def test_a_sheet_says_what_the_game_goes_on_to(meldref):
    hands = ["--hand", "Ann 0, Bob 151, Cy 20; out Ann"]
    assert "the game continues to 500" in meldref("score", *hands).out
    said = "the game goes on, until all but one have more than 150"
    assert said in meldref("score", *hands, "--rules", "kalooki-40").out


def test_a_hand_after_the_end_of_the_game_is_found_as_the_audit_finds_it(meldref):
    ran = meldref("score", "--hand", "Ann 600, Bob 0", "--hand", "Ann 1, Bob 1")
    assert ran.code == 1
    assert '--hand "Ann 1, Bob 1": the game was already over: Ann won with 600' in ran.err


@pytest.mark.sweep
@pytest.mark.parametrize("log", sorted((ROOT / "examples").glob("*.rgn")), ids=lambda log: log.stem)
def test_the_sheet_of_a_log_is_what_the_audit_computes(meldref, log):
    report = audit_file(log)
    games = json.loads(meldref("score", str(log), "--format", "json").out)["games"]
    shown = [
        dict(zip(game["names"], hand["scores"], strict=True))
        for game in games
        for hand in game["hands"]
    ]
    assert len(shown) == len(report.scores)
    for one, scores in zip(shown, report.scores, strict=True):
        assert one == {**(scores.recorded or {}), **(scores.computed or {})}


# --- legal --continue -----------------------------------------------------------------------------


def test_a_turn_goes_on_from_file_to_file_as_it_would_in_one_move(meldref, tmp_path):
    file = tmp_path / "next.yaml"
    where = HERE
    for move in ("take 4c", "meld 4c 4d 4h", "discard 2c"):
        ran = meldref("legal", move, *where, "--continue")
        assert ran.code == 0, ran.err
        file.write_text(ran.out, encoding="utf-8")
        where = ("--position", str(file))
    whole = meldref("legal", "take 4c; meld 4c 4d 4h; discard 2c", *HERE, "--continue")
    assert file.read_text(encoding="utf-8") == whole.out
    built, findings = load_position(file)
    assert findings == ()
    assert built is not None
    assert built.position.players[built.position.turn.seat] == "B"


def test_the_rules_go_with_the_position_and_paths_are_found_from_here(
    meldref, tmp_path, monkeypatch
):
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "lake.yaml").write_text(
        "id: lake\nname: Lake\nextends: [500-rum]\n", encoding="utf-8"
    )
    (tmp_path / "rules" / "here.yaml").write_text(
        'rules: ./lake.yaml\nwith: [floating]\nhands: {A: "5h 6h 7h 9s"}\n', encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    at = ("--position", "rules/here.yaml", "--set", "game.target=70", "--with", "no-calls")
    ran = meldref("legal", "draw; discard 9s", *at, "--continue")
    (tmp_path / "next.yaml").write_text(ran.out, encoding="utf-8")
    built, findings = load_position("next.yaml")
    assert built is not None, findings
    ruleset = built.judge.ruleset
    assert (ruleset.id, ruleset.game.target, ruleset.calls.of) == ("lake", 70, "none")


def test_why_a_move_is_illegal_goes_to_standard_error_and_no_position_is_written(meldref):
    ran = meldref("legal", "take 4c; discard 2c", *HERE, "--continue")
    assert (ran.code, ran.out) == (1, "")
    assert "draw.deep.unused" in ran.err


def test_a_hand_that_is_over_has_no_position_to_go_on_from(meldref):
    out = (
        "legal",
        "draw Kd; meld Ks Kh Kd; discard 2c",
        "--hand",
        "Ks Kh 2c",
        "--set",
        "calls.of=none",
        "--continue",
    )
    ran = meldref(*out)
    assert (ran.code, ran.out) == (0, "")
    assert "the hand is over" in ran.err
    assert meldref(*out, "--format", "json").data["position"] is None


# --- standings ------------------------------------------------------------------------------------

EVENING = """\
[Rules "500-rummy"]
[Players "{players}"]
[Date "{date}"]
hand 1
end out {out}
score {scores}
"""


def evening(
    folder, name, players="Ann, Bob", date="2026-11-06", out="Ann", scores="Ann 510, Bob -20"
):
    (folder / name).write_text(
        EVENING.format(players=players, date=date, out=out, scores=scores), encoding="utf-8"
    )


def rows(found):
    return {
        row["player"]: {key: row[key] for key in ("games", "wins", "hands", "points", "best")}
        for row in found
    }


def test_standings_count_games_wins_hands_and_points_by_player_month_and_ruleset(meldref, tmp_path):
    evening(tmp_path, "one.rgn")
    evening(tmp_path, "two.rgn", date="2026-12-01", scores="Ann 30, Bob 45")
    data = meldref("score", str(tmp_path), "--format", "json").data
    assert rows(data["players"]) == {
        "Ann": {"games": 2, "wins": 1, "hands": 2, "points": 540, "best": 510},
        "Bob": {"games": 2, "wins": 0, "hands": 2, "points": 25, "best": 45},
    }
    assert list(data["months"]) == ["2026-11", "2026-12"]
    assert rows(data["months"]["2026-12"])["Ann"]["points"] == 30
    assert list(data["houses"]) == ["500-rummy"]


def test_standings_say_how_many_hands_points_are_without_since_nobody_knows_their_scores(
    meldref, tmp_path
):
    evening(tmp_path, "one.rgn")
    header = '[Rules "500-rummy"]\n[Players "Ann, Bob, Kit"]\n'
    hands = "hand 1\nscore Ann 45, Bob ?, Kit -\nhand 2\nscore Ann 5, Bob 10, Kit 20\n"
    (tmp_path / "two.rgn").write_text(header + hands, encoding="utf-8")
    data = meldref("score", str(tmp_path), "--format", "json").data
    assert {row["player"]: row["open"] for row in data["players"]} == {"Ann": 0, "Bob": 1, "Kit": 0}
    assert meldref("score", str(tmp_path)).out.splitlines()[0].endswith("open")
    assert "open" not in meldref("score", str(tmp_path / "one.rgn"), str(tmp_path / "one.rgn")).out


def test_a_sides_score_counts_for_each_partner_and_the_lowest_hand_is_best_where_the_lowest_wins(
    meldref, tmp_path
):
    (tmp_path / "one").mkdir()
    data = meldref(
        "score",
        "examples/partnership-500-rum.rgn",
        "examples/partnership-500-rum.rgn",
        "examples/persian-rummy.rgn",
        "--format",
        "json",
    ).data
    found = rows(data["players"])
    assert found["Ruth"] == found["Tess"]
    lowest = meldref(
        "score", "examples/contract-rummy.rgn", "examples/kalooki-40.rgn", "--format", "json"
    ).data
    for row in lowest["players"]:
        assert row["best"] <= row["mean"]


def test_names_spelled_differently_are_pointed_out(meldref, tmp_path):
    evening(tmp_path, "one.rgn")
    evening(tmp_path, "two.rgn", players="ann, Bobby", out="ann", scores="ann 10, Bobby 20")
    ran = meldref("score", str(tmp_path))
    assert "Ann and ann may be one player" in ran.err
    assert "Bob and Bobby" not in ran.err


def test_standings_are_written_as_csv_and_as_a_page_and_names_stay_text(meldref, tmp_path):
    evening(
        tmp_path,
        "one.rgn",
        players="=cmd, <b>Bo</b>",
        out="=cmd",
        scores='"=cmd" 10, "<b>Bo</b>" 20',
    )
    evening(tmp_path, "two.rgn")
    table = meldref("score", str(tmp_path), "--format", "csv").out
    assert (
        table.splitlines()[0]
        == "by,of,player,games,wins,hands,points,mean,best,calls,evenings,places,open"
    )
    assert not any(cell.startswith("=") for line in table.splitlines() for cell in line.split(","))
    page = tmp_path / "standings.html"
    assert meldref(
        "score",
        str(tmp_path / "one.rgn"),
        str(tmp_path / "two.rgn"),
        "--format",
        "html",
        "-o",
        str(page),
    ).code in {0, 1}
    text = page.read_text(encoding="utf-8")
    assert "<b>Bo" not in text
    assert "&lt;b&gt;Bo" in text


@pytest.mark.parametrize("sign", ["\u202e", "\u200f", "\x9b", "\u200b", "\u00ad", "\u2028"])
def test_csv_escapes_what_cannot_be_seen_as_text_and_json_do(meldref, tmp_path, sign):
    name = f'"A{sign}nn"'
    log = f'[Rules "500-rummy"]\n[Players "A{sign}nn, Bob"]\nhand 1\nend out Bob\n'
    (tmp_path / "one.rgn").write_text(f"{log}score {name} 5, Bob 20\n", encoding="utf-8")
    for form in ("csv", "text", "json"):
        ran = meldref("score", str(tmp_path), "--format", form)
        assert sign not in ran.out
    table = meldref("score", str(tmp_path), "--format", "csv").out
    assert f",{ascii(f'A{sign}nn')[1:-1]},1,0," in table


def test_a_log_that_cannot_be_read_is_reported_and_the_others_count(meldref, tmp_path):
    evening(tmp_path, "one.rgn")
    (tmp_path / "two.rgn").write_text("nothing of a game\n", encoding="utf-8")
    ran = meldref("score", str(tmp_path), "--format", "json")
    assert ran.code == 2
    assert rows(ran.data["players"])["Ann"]["games"] == 1


ONE_GAME = """\
[Rules "500-rummy"]
[Players "{names}"]

hand 1
score {scores}
result {winner}
"""


@pytest.fixture
def season(log):
    """Three evenings of a club, whose Lotte and Ann are spelled in two ways."""
    log(
        ONE_GAME.format(names="Lotte, Ann, Bob", scores="Lotte 200, Ann 510, Bob 31", winner="Ann"),
        "c/1.rgn",
    )
    log(
        ONE_GAME.format(names="Lotte, Ann, Bob", scores="Lotte 400, Ann 510, Bob 31", winner="Ann"),
        "c/2.rgn",
    )
    log(
        ONE_GAME.format(
            names="Oma Lotte, Anne", scores='"Oma Lotte" 600, Anne 20', winner='"Oma Lotte"'
        ),
        "c/3.rgn",
    )
    log("# ours\nLotte = Oma Lotte\nAnn = Anne, Annie\n", "names.txt")


def standings_of(ran):
    return {row["player"]: row for row in ran.data["players"]}


def test_names_that_may_be_one_players_are_pointed_out(meldref, season):
    told = meldref("score", "c").err
    assert "Lotte and Oma Lotte may be one player" in told
    assert "Ann and Anne may be one player" in told


def test_a_player_has_one_row_under_all_names(meldref, season):
    rows = standings_of(meldref("score", "c", "--aliases", "names.txt", "--format", "json"))
    assert list(rows) == ["Ann", "Lotte", "Bob"]
    assert rows["Lotte"] == {
        "player": "Lotte",
        "games": 3,
        "wins": 1,
        "hands": 3,
        "points": 1200,
        "mean": 400.0,
        "best": 600,
        "calls": 0,
        "evenings": 3,
        "places": 0,
        "open": 0,
    }


def test_a_log_says_itself_who_is_whom(meldref, season, log):
    text = ONE_GAME.format(
        names="Oma Lotte, Ann", scores='"Oma Lotte" 600, Ann 20', winner='"Oma Lotte"'
    )
    log('[Alias "Lotte = Oma Lotte"]\n' + text, "c/3.rgn")
    rows = standings_of(meldref("score", "c", "--format", "json"))
    assert rows["Lotte"]["games"] == 3


def test_standings_go_by_what_a_club_counts(meldref, season):
    def order(*options):
        ran = meldref("score", "c", "--aliases", "names.txt", "--format", "json", *options)
        return [(row["player"], row["places"]) for row in ran.data["players"]]

    assert order("--by", "points") == [("Lotte", 0), ("Ann", 0), ("Bob", 0)]
    assert order("--by", "wins") == [("Ann", 0), ("Lotte", 0), ("Bob", 0)]
    assert order("--places", "5,3,1") == [("Ann", 13), ("Lotte", 11), ("Bob", 2)]
    assert order("--places", "5,3,1", "--best", "1") == [("Lotte", 5), ("Ann", 5), ("Bob", 1)]


def test_only_the_best_evenings_count_where_that_is_asked(meldref, season):
    rows = standings_of(
        meldref(
            "score",
            "c",
            "--aliases",
            "names.txt",
            "--by",
            "points",
            "--best",
            "2",
            "--format",
            "json",
        )
    )
    assert (rows["Lotte"]["evenings"], rows["Lotte"]["points"]) == (2, 1000)
    assert (rows["Ann"]["evenings"], rows["Ann"]["points"]) == (2, 1020)


def test_all_that_is_wrong_with_how_standings_are_asked_for_is_told_at_once(meldref, season, log):
    log("Lotte is Oma Lotte\n", "wrong.txt")
    ran = meldref("score", "c", "--by", "luck", "--places", "first", "--aliases", "wrong.txt")
    assert ran.code == 2
    assert "--places first: give the points of each place" in ran.err
    assert "--by luck: it is wins, points, mean or places" in ran.err
    assert "wrong.txt:1: write NAME = OTHER NAME" in ran.err
    assert meldref("score", "c/1.rgn", "--best", "2").code == 2


def test_an_empty_sheet_is_written_that_can_be_filled_in_and_read(meldref, log, tmp_path):
    log(ONE_GAME.format(names="Ann, Bob", scores="Ann 1, Bob 2", winner="Bob"))
    assert meldref("score", "--new", "tonight.csv", "--players", 'Ann, "Red" Bob, Per').code == 0
    sheet = tmp_path / "tonight.csv"
    text = sheet.read_text(encoding="utf-8")
    assert text.splitlines()[0].startswith("Hand,Dealer,Out,Ann,")
    filled = text.replace("1,,,,,\n", "1,Per,Ann,45,20,-10\n", 1).replace(
        "2,,,,,\n", "2,Ann,,60,15,\n", 1
    )
    sheet.write_text(filled, encoding="utf-8")
    lines = meldref("import", "tonight.csv").out.splitlines()
    assert "hand 1 dealer Per" in lines
    assert "end out Ann" in lines
    assert "score Ann 60, \"'Red' Bob\" 15, Per -" in lines
    assert sum(line.startswith("hand ") for line in lines) == 2
    assert meldref("score", "--new", "tonight.csv", "--players", "Ann, Bob").code == 2
    assert meldref("score", "--new", "other.csv").code == 2
    assert meldref("score", "--new", "other.csv", "--players", "Ann, Ann").code == 2


def test_a_page_of_standings_is_refused_for_one_log(meldref):
    ran = meldref("score", "examples/evening.rgn", "--format", "html")
    assert ran.code == 2
    assert "standings" in ran.err


@pytest.mark.parametrize("more", [("--format", "csv"), ("-o", "x.txt")])
def test_what_is_for_sheets_is_refused_for_a_hand(meldref, more):
    ran = meldref("score", "--laid", "5h 6h 7h", *more)
    assert ran.code == 2
    assert "score sheets" in ran.err


@pytest.mark.sweep
def test_what_meldref_wrote_itself_is_written_again_without_being_asked_and_nothing_else_is(
    meldref, tmp_path
):
    evening(tmp_path, "one.rgn")
    evening(tmp_path, "two.rgn")
    page = str(tmp_path / "page.html")
    commands = [
        ("score", str(tmp_path), "--format", "html", "-o", page),
        ("report", str(tmp_path / "one.rgn"), "-o", page),
        *(
            ("audit", str(tmp_path / log), "--format", form, "-o", page)
            for form in ("text", "json", "jsonl", "junit", "sarif")
            for log in ("one.rgn", "two.rgn")
        ),
        ("rules", "rulebook", "500-rummy", "--format", "html", "-o", page),
    ]
    for command in commands:
        assert meldref(*command).code in {0, 1}
        assert meldref(*command).code in {0, 1}
    (tmp_path / "page.html").write_text("<p>my own page</p>", encoding="utf-8")
    for command in commands:
        assert meldref(*command).code == 2
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == "<p>my own page</p>"


def test_a_hand_whose_awards_cards_do_not_show_cannot_be_counted(meldref, tmp_path):
    rules = tmp_path / "own.yaml"
    award = "own: {award: 9, when: player.went_out and %s, says: It is so.}"
    counted = ("score", "--laid", "8c 8d 8s", "--out", "A", "--players", "A,B", "--rules", rules)
    for fact in ("player.total < 0", "player.turns is 1", "hand.number is 2"):
        text = f"id: own\nextends: [500-rummy]\nhouse_rules: {{{award % fact}}}\n"
        rules.write_text(text, encoding="utf-8")
        ran = meldref(*counted)
        assert ran.code == 2
        assert "A: house rules award points for what" in ran.err


@pytest.mark.parametrize("players", [(), ("--players", "Oma Lotte, Ann")])
def test_a_name_of_several_words_needs_no_quotes_on_the_command_line(meldref, players):
    quoted = meldref("score", "--hand", '"Oma Lotte" 85, Ann -20; out "Oma Lotte"', *players)
    assert quoted.code == 0
    for hand in (
        "Oma Lotte 85, Ann -20; out Oma Lotte",
        "Oma Lotte: 85 and Ann -20; out Oma Lotte",
    ):
        assert meldref("score", "--hand", hand, *players).out == quoted.out


def test_cards_held_and_laid_may_have_commas(meldref):
    spaces = meldref("score", "--laid", "5h 6h 7h", "--held", "2c Ad")
    assert meldref("score", "--laid", "5h, 6h,7h", "--held", "2c, Ad").out == spaces.out
