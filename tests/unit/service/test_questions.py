"""What the service answers, question by question: texts and data go in, JSON comes out."""

from __future__ import annotations

import json
import re
from random import Random

import pytest

from meldref import audit_text
from meldref.rulefiles.vocabulary import list_keys
from meldref_service import BadQuestion, Service, draft
from paths import ROOT

DISPUTED = (ROOT / "examples" / "disputed.rgn").read_text(encoding="utf-8")
EVENING = (ROOT / "examples" / "evening.rgn").read_text(encoding="utf-8")
POSITION = (ROOT / "examples" / "position.yaml").read_text(encoding="utf-8")
OUR_HOUSE = (ROOT / "examples" / "our-house.yaml").read_text(encoding="utf-8")
BY_RULES = '[Rules "./rules.yaml"]\n[Players "Ann, Bob"]\nhand 1 dealer Ann\n'


SERVICE = Service()


def ask(question, **arguments):
    return json.loads(json.dumps(SERVICE.ask(question, **arguments)))


def text(rules):
    """Rules as the text of a rules file."""
    return {"text": rules}


def codes(answer):
    return [finding["code"] for finding in answer["findings"]]


def audited(log, rules="", *, hasty=False):
    """The report on a log that was written as it is now, once all of it is judged."""
    answer = ask("draft", log=log, rules=text(rules) if rules else "", hasty=hasty)
    while not answer["done"]:
        answer = ask("draft")
    return answer


def test_an_audit_finds_what_the_library_finds_and_names_the_log():
    answer = audited(DISPUTED)
    assert answer["verdict"] == "violations"
    assert codes(answer) == ["draw.deep.unused", "discard.taken-top", "meld.shape", "score.hand"]
    first = answer["findings"][0]
    assert first["heading"].startswith("log.rgn:14:8: ")
    assert first["excerpt"][first["column"] - 1 : first["end_column"] - 1] == "take 6c"
    assert any(fact.startswith("rule: draw.deep.must = be_used") for fact in first["facts"])
    assert "must use that deepest card" in " ".join(first["page"]["means"].split())


@pytest.mark.sweep
def test_a_film_of_a_log_is_made_in_steps():
    steps = [ask("film", purpose="look", log=DISPUTED * 9)]
    while not steps[-1]["done"]:
        steps.append(ask("film", purpose="look"))
    assert len(steps) > 2
    assert steps[-1]["page"].startswith("<!")


def test_what_is_found_in_haste_says_whether_that_was_all(monkeypatch):
    quick = BY_RULES.replace("./rules.yaml", "500-rummy") + "1. Bob: draw; discard Zz\n"
    assert audited(quick, hasty=True) == audited(quick)
    monkeypatch.setattr(draft, "HASTE", 400)
    rushed = audited(DISPUTED, hasty=True)
    assert rushed["rushed"]
    assert not audited(DISPUTED)["rushed"]
    assert codes(rushed) == codes(audited(DISPUTED))


@pytest.mark.sweep
def test_a_log_that_is_changed_is_judged_as_if_it_were_new():
    ask("draft", log=EVENING)
    dice = Random(5)
    lines = EVENING.split("\n")
    for _ in range(30):
        at = dice.randrange(len(lines))
        lines[at : at + dice.randrange(2)] = dice.sample(lines, dice.randrange(3))
        if not dice.randrange(4):
            lines = EVENING.split("\n")
        log = "\n".join(lines)
        steps = [ask("draft", log=log, hasty=bool(dice.randrange(2)))]
        while not steps[-1]["done"]:
            steps.append(ask("draft"))
        report = audit_text(log)
        rushed = steps[-1]["rushed"]
        assert rushed or [(one["code"], one["line"]) for one in steps[-1]["findings"]] == [
            (finding.code, finding.span.line) for finding in report.findings
        ]
        assert (steps[-1]["hands"], steps[-1]["turns"]) == (report.hands, report.turns)


def test_the_hand_that_was_changed_is_judged_first():
    log = DISPUTED + (EVENING[EVENING.index("hand 1") :] * 9)
    audited(log, hasty=True)
    changed = log.replace("hand 2 ", "# here\nhand 2 ", 1)
    answer = ask("draft", log=changed)
    assert not answer["done"]
    assert changed.split("\n").index("# here") < answer["judged"] < len(changed.split("\n")) / 2
    assert {mark["line"] for mark in answer["marks"]} <= {*range(answer["judged"] + 1)}


def test_a_log_may_name_the_rules_beside_it_and_their_faults_name_their_file():
    assert codes(audited(BY_RULES, rules=OUR_HOUSE)) == []
    wrong = audited(BY_RULES, rules="id: lake\nextends: [500-rummy]\ndraw: {takes: hole_pile}\n")
    assert [finding["file"] for finding in wrong["findings"]] == ["rules.yaml"]
    assert audited(BY_RULES)["verdict"] == "unreadable"


def test_the_canonical_form_is_given_only_where_no_line_would_be_lost():
    tidy = ask("fmt", log=DISPUTED)["text"]
    assert ask("fmt", log=tidy)["text"] == tidy
    assert ask("fmt", log=DISPUTED + "meld meld meld\n")["text"] is None


def test_a_position_in_a_log_can_be_gone_on_from():
    stands = ask("position", log=DISPUTED, line=14)
    assert stands["to_move"] == "Cy"
    judged = ask("play", position=stands["position"], move="take 6c; discard Tc")
    assert (judged["verdict"], codes(judged)) == ("illegal", ["draw.deep.unused"])
    assert codes(ask("position", log=DISPUTED, line=2)) == ["log.name"]


def test_a_move_is_judged_by_the_game_that_is_chosen_or_by_rules_of_ones_own():
    move = "draw; lay 9h m1; discard Ks"
    assert ask("legal", position=POSITION, move=move)["verdict"] == "legal"
    own = "id: lake\nextends: [500-rummy]\nlayoff: {before_melding: forbidden}\n"
    assert codes(ask("legal", position=POSITION, move=move, rules=text(own))) == ["layoff.target"]
    named = ask(
        "play",
        position=POSITION,
        move="draw",
        rules={"name": "500-rummy", "options": ["floating"]},
    )
    assert named["after"]["position"].startswith('rules: "500-rummy"\nwith: ["floating"]\n')


def test_a_move_that_stops_too_soon_is_not_finished_and_nobody_can_read_others():
    half = ask("play", position=POSITION, move="draw; discard")
    assert (half["verdict"], half["unfinished"]) == ("unreadable", True)
    odd = ask("play", position=POSITION, move="draw; juggle")
    assert (odd["verdict"], odd["unfinished"]) == ("unreadable", False)
    assert "after" not in half | odd
    dealt = ask("sit", lines=ask("begin", players=["Ann", "Bob"])["lines"], seed=7, say="deal")
    asked = {"lines": dealt["lines"], "seed": 7, "seen_by": dealt["mover"]}
    said = ["draw; discard", "draw; juggle", "meld", "discard", "draw; draw", "draw"]
    answers = [ask("sit", **asked, say=move) for move in said]
    assert [answer["verdict"] for answer in answers] == [*["unreadable"] * 4, "illegal", "legal"]
    assert [answer["unfinished"] for answer in answers] == [
        *(True, False, True, True),
        *(False, False),
    ]


def test_nobody_calls_or_draws_where_somebody_has_gone_out():
    over = 'players: [Ann, Bob]\nhands: {Ann: "Kd", Bob: ""}\npile: "Tc"\ntable: {m1: {Bob: "7c 8c 9c"}}\n'
    stands = ask("position", position=over)
    assert (stands["over"], stands["moves"], stands["turns"]) == (True, [], [])
    for move in ("rummy Tc; lay Tc m1; discard Kd", "draw"):
        assert codes(ask("play", position=over, move=move)) == ["turn.over"]


def test_what_is_wrong_with_a_table_is_said_and_nothing_is_judged():
    answer = ask("play", position="hands: {A: Zz}", move="draw")
    assert (answer["verdict"], codes(answer)) == ("unusable", ["log.syntax"])


def test_rules_are_checked_with_their_cases_and_fixed_where_there_is_no_doubt():
    assert [case["passed"] for case in ask("check_rules", text=OUR_HOUSE)["cases"]] == [True, True]
    faulty = "id: lake\nextends: [500-rummy]\ndraw:\n  take: whole_pile\n"
    assert ask("check_rules", text=faulty)["verdict"] == "errors"
    fixed = ask("fix_rules", text=faulty)
    assert "takes: whole_pile" in fixed["text"]
    assert len(fixed["changes"]) == 1


@pytest.mark.sweep
def test_rules_become_a_booklet_and_a_comparison_with_a_game_that_shows_it():
    assert "How we play at the lake" in ask("rulebook", rules=text(OUR_HOUSE))["page"]
    compared = ask("diff", rules=text(OUR_HOUSE))
    assert "melds.wild.cards" in compared["text"]
    shown = compared["example"]
    clean, other = (
        audited(shown["log"], rules=OUR_HOUSE),
        audited(shown["log"], rules="id: x\nextends: [500-rummy]\n"),
    )
    by_ours = shown["legal_by"] == "rules"
    assert (codes(clean) == [], codes(other) == []) == (by_ours, not by_ours)


def test_the_ten_questions_write_rules_that_can_be_played_or_say_what_is_wrong():
    shelf = ask("shelf")
    assert len(shelf["questions"]) == 10
    written = ask(
        "new_rules",
        game="500-rummy",
        name="The lake",
        answers={"jokers": "twos", "target": "1000"},
        recipes=[],
    )
    assert ask("check_rules", text=written["text"])["verdict"] == "clean"
    assert (
        ask("new_rules", game="500-rummy", name="", answers={"target": "many"}, recipes=[])["text"]
        is None
    )


def offered(before):
    return [offer["text"] for offer in ask("complete_rules", before=before)["offers"]]


def test_completing_offers_keys_of_the_section_and_words_of_the_key():
    assert offered("id: x\ndeck:\n  jo") == [
        "jokers: ",
        "jokers_in_all: ",
    ]
    assert "whole_pile" in offered("draw:\n  takes: ")
    assert offered("nothing:\n  at all: ") == []


def test_a_table_never_shows_the_stock_or_the_hand_of_another():
    lines = ask("begin", players=["Ann", "Bob"])["lines"]
    dealt = ask("sit", lines=lines, seed=7, say="deal")
    hand = next(
        line for line in dealt["lines"] if line.startswith(f"deal {dealt['mover']}")
    ).split()[2:]
    turned_up = 1
    for seen_by, faces in (("", turned_up), (dealt["mover"], turned_up + len(hand))):
        seen = ask("sit", lines=dealt["lines"], seed=7, seen_by=seen_by)
        assert len(re.findall('href="#s-(?!back)', seen["svg"])) == faces
        named = {
            word
            for move in seen["moves"]
            for word in move.split()
            if word.isalnum() and len(word) == 2
        }
        pile = {line.split()[1] for line in dealt["lines"] if line.startswith("up ")}
        assert named <= {*hand, *pile}


def test_a_table_says_what_is_wrong_and_writes_it_only_where_somebody_insists():
    lines = ask("begin", players=["Ann", "Bob"])["lines"]
    dealt = ask("sit", lines=lines, seed=7, say="deal")
    refused = ask("sit", lines=dealt["lines"], seed=7, say="discard 2c")
    assert (refused["written"], refused["lines"]) == (0, dealt["lines"])
    assert refused["findings"]
    assert ask("sit", lines=dealt["lines"], seed=7, say="discard 2c", insist=True)["written"] == 1


def test_players_that_cannot_sit_down_are_told_why():
    assert ask("begin", players=["Ann", "Ann"])["wrong"] == ["each player has a name of their own"]
    assert ask("begin", players=["Ann"])["lines"] is None


def test_a_table_says_what_would_be_taken_back_and_takes_a_deal_back():
    lines = ask("begin", players=["Ann", "Bob"])["lines"]
    assert ask("sit", lines=lines, seed=7)["last"] == ""
    dealt = ask("sit", lines=lines, seed=7, say="deal")
    assert dealt["last"] == "the deal"
    drawn = ask("sit", lines=dealt["lines"], seed=7, say="draw")
    assert drawn["last"].endswith(f"{dealt['mover']}: draw ?")
    again = ask("sit", lines=drawn["lines"], seed=7, say="undo")
    assert again["last"] == "the deal"
    undone = ask("sit", lines=again["lines"], seed=7, say="undo")
    assert (undone["mover"], undone["possible"]) == (None, ["deal"])


def test_what_was_written_at_a_table_is_told_as_its_reader_may_know_it():
    lines = ask("begin", players=["Ann", "Bob"])["lines"]
    dealt = ask("sit", lines=lines, seed=7, say="deal")
    assert {line.split()[0] for line in dealt["told"].split("; ")} <= {"cut", "hand", "up"}
    mover = dealt["mover"]
    drawn = ask("sit", lines=dealt["lines"], seed=7, say="draw", seen_by=mover)
    assert drawn["told"] == drawn["lines"][-1]
    assert ask("sit", lines=dealt["lines"], seed=7, say="draw")["told"] == f"1. {mover}: draw ?"


def test_what_is_wrong_with_a_move_names_no_move_of_another_hand():
    lines = ask("begin", players=["Ann", "Bob"])["lines"]
    dealt = ask("sit", lines=lines, seed=7, say="deal")
    mover, other = dealt["mover"], next(name for name in ("Ann", "Bob") if name != dealt["mover"])
    drawn = ask("sit", lines=dealt["lines"], seed=7, say="draw", seen_by=mover)
    first, second, *_ = drawn["words"][1]["words"]
    twice = f"discard {first}; discard {second}"
    refused = ask("sit", lines=drawn["lines"], seed=7, say=twice, seen_by=mover)
    assert refused["written"] == 0
    assert refused["findings"]
    assert f"{other}:" not in json.dumps(refused["findings"])


DEALT = """\
[Rules "500-rummy"]
[Players "Ann, Bob"]
hand 1 dealer Ann
deal Ann Tc Qc 2d 3h 4h Qh As 2s 5s 9s Ts Qs Jk
deal Bob Ac 6c 7c 8c 7d 9d Kd 7h 8h Jh Kh 6s Js
up Ad
stock 6h 5d 3d 4d 8s Qd 3s 4s 2c 7s Th 9c 9h 5c 4c 5h Jk Ks Kc 6d Td 2h Jc Jd 8d 3c Ah
1. Bob: draw 6h
"""


@pytest.mark.parametrize("seen_by", ["Ann", ""])
@pytest.mark.parametrize(
    "say",
    [
        *("Ann: draw", "Ann: discard Tc", "Ann: rummy Ad", "Ann: draw; discard", "Ann: take Ad"),
        *("= hand Bob 3", "= hand Bob 5h", "= hand Ann 5h", "undo", "discard", "Bob: draw"),
    ],
)
def test_no_card_of_a_covered_hand_leaves_with_what_is_wrong_or_was_said(say, seen_by):
    told = ask("sit", lines=DEALT.splitlines(), seed=7, say=say, seen_by=seen_by)
    own = ["Tc", "Qc", "2d", "3h", "4h", "Qh", "As", "2s", "5s", "9s", "Ts", "Qs", "Jk"]
    seen = {"Ad", *re.findall(r"\b\w[cdhs]\b", say), *(own if seen_by else ())}
    del told["lines"]
    said = json.dumps({**told, "svg": re.sub("<[^>]*>", " ", told["svg"])})
    assert set(re.findall(r"(?<![\w=.-])(?:[2-9TJQKA][cdhs]|Jk)\b", said)) <= seen


def test_a_refusal_quotes_the_line_as_the_player_who_asked_may_know_it():
    def quoted(name):
        told = ask("sit", lines=DEALT.splitlines(), seed=7, say="Ann: draw", seen_by=name)
        (finding,) = told["findings"]
        line = finding["excerpt"]
        return line, line[finding["column"] - 1 : finding["end_column"] - 1]

    assert quoted("Ann") == ("1. Bob: draw ?", "draw ?")
    assert quoted("Bob") == ("1. Bob: draw 6h", "draw 6h")
    assert quoted("") == ("1. Bob: draw ?", "draw ?")


def test_rules_that_cannot_be_used_are_what_is_wrong_with_a_table():
    told = ask("position", position=POSITION, rules=text("id: x\nextends: [500-rummy]\ndeal: [\n"))
    assert told["verdict"] == "unusable"
    assert told["findings"][0]["file"] == "rules.yaml"
    assert told["findings"][0]["heading"].startswith("rules.yaml:")


def test_a_move_is_made_of_words_the_rules_have_and_of_cards_in_sight():
    told = ask("position", position=POSITION)
    groups = {group["name"]: group["words"] for group in told["words"]}
    assert groups.pop("Words") == ["draw", "take", "meld", "lay", "discard", "rummy", "pass", ";"]
    assert groups == {
        "Ann's hand": ["4d", "4h", "9h", "Ks"],
        "Pile": ["6s", "4c", "Qs", "2d"],
        "Melds": ["m1", "m2"],
    }
    swaps = "id: x\nextends: [500-rummy]\nmelds: {wild: {swap: for_natural}}\n"
    with_swaps = ask("position", position=POSITION, rules=text(swaps))["words"][0]["words"]
    assert "swap" in with_swaps


def test_a_table_is_told_as_a_position_file_that_gives_it_again():
    told = ask("position", position=POSITION)
    again = ask("position", position=told["file"])
    assert again["file"] == told["file"]
    assert (told["copies"]["4c"], told["copies"]["Jk"]) == (1, 2)


def test_only_what_can_be_done_at_a_table_is_offered():
    lines = ask("begin", players=["Ann", "Bob"])["lines"]
    assert ask("sit", lines=lines, seed=7)["possible"] == ["deal"]
    dealt = ask("sit", lines=lines, seed=7, say="deal")
    assert dealt["possible"] == []
    own = ask("sit", lines=dealt["lines"], seed=7, seen_by=dealt["mover"])
    assert "swap" not in own["words"][0]["words"]
    assert ask("sit", lines=dealt["lines"], seed=7)["words"] == []


@pytest.mark.sweep
def test_rules_are_found_from_a_folder_of_logs():
    text = (ROOT / "examples" / "500-rum.rgn").read_text(encoding="utf-8")
    logs = [{"name": "500-rum.rgn", "text": text}, {"name": "empty.rgn", "text": "hand 1\n"}]
    answer = ask("infer", logs=logs)
    assert answer["logs"] == 1
    assert ask("check_rules", text=answer["text"])["verdict"] != "errors"
    assert ask("infer", logs=logs[1:]) == {"text": "", "logs": 0}


# --- what may be done at a table ------------------------------------------------------------------


def test_each_move_says_who_makes_it_and_what_it_touches():
    told = ask("moves", position=POSITION)
    assert (told["to_move"], told["complete"]) == ("Ann", True)
    listed = {one["move"]: one for one in told["moves"]}
    assert (listed["draw"]["cards"], listed["draw"]["places"]) == ([], ["stock"])
    take = listed["take 4c; meld 4c 4d 4h"]
    assert take["points"] == 12
    assert take["player"] == "Ann"
    assert take["cards"] == ["4c", "4d", "4h"]
    assert take["places"] == ["pile", "table"]
    assert [action["action"] for action in take["actions"]] == ["take", "meld"]
    for one in told["moves"]:
        assert ask("legal", position=POSITION, move=one["move"])["verdict"] == "legal", one
    drawn = ask("play", position=POSITION, move="draw 9d")["after"]
    laid = ask("moves", position=drawn["file"])["moves"]
    assert {tuple(one["places"]) for one in laid} >= {("m1",), ("pile",)}


def test_a_call_names_the_player_who_may_make_it():
    given = {
        "players": ["Ann", "Bob"],
        "hands": {"Ann": "2c 3d", "Bob": "Kd 2s"},
        "pile": "9c 8h",
        "table": {"m1": {"Bob": "5h 6h 7h"}},
        "discarded_by": "Bob",
        "stock": "?*30",
    }
    told = ask("moves", position=given, rules="500-rum")
    calls = [one for one in told["moves"] if "rummy" in one["move"]]
    assert calls
    assert {one["player"] for one in calls} == {"Ann"}
    assert {place for one in calls for place in one["places"]} >= {"pile", "m1"}


def test_the_position_after_a_move_names_the_rules_of_the_one_before():
    given = {"rules": "gilfoy-500-rummy", "set": {"game.target": 700}, "hands": {"A": "4d 9h"}, "pile": "2c"}  # fmt: skip
    for by in ("", {"settings": ["game.target=900"]}):
        after = ask("legal", position=given, move="draw", rules=by)["position"]
        assert after["rules"] == "gilfoy-500-rummy"
        assert after["set"]["game.target"] == ("900" if by else 700)
        assert ask("position", position=after)["verdict"] == "position"
    in_log = ask("position", log=DISPUTED, line=14)["file"]
    assert in_log["rules"] == "500-rummy"


def test_the_verdict_of_a_move_that_depends_on_unknown_cards_is_open():
    unknown = {"players": ["A", "B"], "hands": {"A": "?*3", "B": "?*3"}, "pile": "2c"}
    told = ask("legal", position=unknown, move="draw; discard 4d")
    assert (told["verdict"], told["open"]) == ("open", ["whether A holds 4d"])
    weighed = ask("weigh", position=unknown, move="draw; discard 4d")
    assert 0 < weighed["chances"]["share"] < 1
    for verdict, witness in weighed["witness"].items():
        assert ask("legal", position=witness, move="draw; discard 4d")["verdict"] == verdict


def test_unknown_cards_may_be_those_that_lie_nowhere_else():
    given = {
        "players": ["Ann", "Bob"],
        "hands": {"Ann": "4d 9h", "Bob": "Ks ?*2"},
        "pile": "6s ? 4c",
        "stock": "?*40",
    }
    told = ask("unseen", position=given)
    places = {one["place"]: (one["number"], len(one["may_be"])) for one in told["places"]}
    kinds = len(told["cards"])
    assert places == {"hand Bob": (2, kinds), "pile": (1, kinds), "stock": (40, kinds)}
    assert kinds == 53 - 5
    assert not {"4d", "9h", "Ks", "6s", "4c"} & set(told["cards"])
    assert told["cards"]["Jk"] == 2


def test_the_board_is_shown_before_each_line_at_which_a_hand_is_played():
    told = ask("boards", log=DISPUTED, first=14, last=15)
    assert [one["line"] for one in told["boards"]] == [14, 15]
    before = ask("position", log=DISPUTED, line=14)["file"]
    shown = told["boards"][0]["position"]
    assert {key: before[key] for key in shown if key in before} == shown
    assert ask("boards", log=EVENING * 9)["next"] is not None


# --- what rules say -------------------------------------------------------------------------------


def test_every_key_has_its_value_its_origin_and_the_sentences_that_come_from_it():
    told = ask("keys", rules=text(OUR_HOUSE))
    listed = {one["key"]: one for one in told["keys"]}
    target = listed["game.target"]
    assert (target["value"], target["file"], target["group"]) == (1000, "rules.yaml", "game")
    assert any("1,000 points" in sentence for sentence in target["sentences"])
    takes = listed["draw.takes"]
    assert takes["value"] in {word["word"] for word in takes["words"]}
    assert set(listed) == {key.path for key in list_keys() if not key.section}
    assert {one["group"] for one in told["groups"]} >= {"draw", "draw.deep", "scoring"}
    assert listed["scoring.values"]["value"]["A"] == 15


def test_the_words_of_a_rulebook_are_marked_where_the_rules_change_them():
    told = ask("rulebook", rules={"settings": ["game.target=777"]})
    marked = [
        block for section in told["sections"] for block in section["blocks"] if block["changed"]
    ]
    assert len(marked) == 1
    assert "777 points" in marked[0]["html"]
    assert any("777" in sentence for sentence in marked[0]["new"])
    assert any(one["says"] == "game.target = 777" for one in marked[0]["set_by"])
    for section in told["sections"]:
        assert f'id="{section["anchor"]}"' in told["page"]
    same = ask("rulebook", rules="500-rum", against="500-rum")
    assert not any(block["changed"] for section in same["sections"] for block in section["blocks"])


@pytest.mark.parametrize(
    ("about", "sort"),
    [
        ("discard.taken-top", "code"),
        ("draw.deep.must", "key"),
        ("draw", "key"),
        ("score", "codes"),
        ("whole pile", "found"),
        ("xyzzy", "nothing"),
    ],
)
def test_codes_keys_and_words_are_explained(about, sort):
    assert ask("explain", about=about)["sort"] == sort


@pytest.mark.parametrize(
    ("condition", "word", "said"),
    [
        ("any(players, .cards is 0)", ".cards", [".cards: How many cards they hold."]),
        ("turn.drew is pile", "turn.drew", ["turn.drew: Where the draw came from: "]),
        ("count(turn.melds) > 1", "turn.melds", ["turn.melds: The melds laid in it."]),
        (
            "any(player.melds, .points",
            ".points",
            [".points: Its ", ".points: Points of all its ", ".points: Points on the table "],
        ),
        ("turn.drew is pile", "pile", [""]),
    ],
)
def test_a_fact_of_a_condition_is_told_at_its_place(condition, word, said):
    """Where the condition cannot be read, what is behind a dot may be a fact of several things."""
    rule = f"    when: {condition}"
    rules = f"id: x\nextends: [500-rummy]\nhouse_rules:\n  odd:\n    forbid: end\n{rule}\n"
    told = ask("rules_at", text=rules, line=6, column=rule.index(word) + 2)["says"].split("\n")
    assert [line[: len(start)] for line, start in zip(told, said, strict=True)] == said


def test_a_house_rule_is_explained_by_the_rules_that_state_it():
    told = ask("explain", about="house.contract-alone", rules="contract-rummy")
    assert (told["sort"], told["code"]) == ("house rule", "house.contract-alone")
    assert ask("explain", about="house.contract-alone")["sort"] == "nothing"


def test_a_recipe_of_the_cookbook_can_be_put_into_rules_as_it_stands():
    for recipe in ask("shelf")["cookbook"][::16]:
        rules = f"id: lake\nextends: [500-rummy]\n{recipe['yaml']}\n"
        assert ask("check_rules", text=rules)["verdict"] != "errors", recipe


# --- scores and repairs ---------------------------------------------------------------------------


def test_a_hand_is_counted_as_the_score_command_counts_it():
    laid = [{"player": "Ann", "play": "meld 5h 6h 7h"}, {"player": "Bob", "play": "lay 8h m1"}]
    told = ask("count", players=["Ann", "Bob"], laid=laid, held={"Bob": "2c Ad"})
    assert [(side["name"], side["score"]) for side in told["sides"]] == [("Ann", 18), ("Bob", -9)]


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"players": ["Ann"]}, "2 to 8"),
        ({"players": ["Ann", "Ann"]}, "a name of their own"),
        ({"players": ["Ann", "Bob"], "out": "Cy"}, "Cy is not one of the players"),
        ({"players": ["Ann", "Bob"], "held": {"Ann": "Zz"}}, "Zz"),
        ({"players": ["Ann", "Bob"], "held": {"Ann": "?"}}, "known"),
        ({"players": ["Ann", "Bob"], "wild": "5"}, "no rank named wild"),
        ({"players": ["Ann", "Bob"], "laid": [{"player": "Ann", "play": "discard 2c"}]}, "meld"),
        ({"players": ["Ann", "Bob"], "laid": [{"player": "Ann", "play": "lay 2c m4"}]}, "m4"),
    ],
)
def test_what_cannot_be_counted_is_said(given, wrong):
    told = ask("count", **given)
    assert told["verdict"] == "unusable"
    assert wrong in "; ".join(told["wrong"])


def test_a_finding_offers_its_fixes_as_changes_of_the_text():
    rules = "id: x\nextends: [500-rummy]\ngame: {taget: 1000}\n"
    (finding,) = ask("check_rules", text=rules)["findings"]
    (fix,) = finding["fixes"]
    (edit,) = fix["edits"]
    assert fix["sure"]
    assert (edit["line"], edit["text"]) == (3, "target")
    log = DISPUTED
    fixes = [fix for one in ask("audit", log=log)["findings"] for fix in one["fixes"]]
    assert {fix["title"] for fix in fixes} >= {"Write discard 2c instead"}
    for fix in fixes:
        edit = fix["edits"][0]
        lines = log.split("\n")
        line = lines[edit["line"] - 1]
        lines[edit["line"] - 1] = (
            line[: edit["column"] - 1] + edit["text"] + line[edit["end_column"] - 1 :]
        )
        assert len(ask("audit", log="\n".join(lines))["findings"]) <= len(
            codes(ask("audit", log=log))
        )


def test_a_view_hides_what_a_player_did_not_see_and_a_repair_changes_only_what_is_sure():
    seen = ask("view", log=DISPUTED, viewer="Ann")["text"]
    assert '[View "Ann"]' in seen
    assert "deal Cy ?*7" in seen
    assert "deal Ann ?" not in seen
    told = ask("repair", log=DISPUTED)
    assert told["text"].count("\n") == DISPUTED.count("\n")
    with pytest.raises(BadQuestion, match="nobody of that name"):
        SERVICE.ask("view", log=DISPUTED, viewer="Zoe")


def test_a_line_of_a_log_is_completed_with_whose_turn_it_is_and_the_legal_moves():
    log = '[Rules "500-rummy"]\n[Players "Ann, Bob"]\nhand 1 dealer Bob\ndeal Ann 2c 3c 4c 9h 9d\nup 6c\n'
    assert [one["text"] for one in ask("complete_log", before=log)["offers"]] == ["1. Ann: "]
    told = ask("complete_log", before=f"{log}1. Ann: ta")
    assert told["from"] == "ta"
    assert "take 6c" in [one["text"] for one in told["offers"]]
    drawn = ask("complete_log", before=f"{log}1. Ann: take 6c; me")
    assert "meld 2c 3c 4c" in [one["text"] for one in drawn["offers"]]


@pytest.mark.parametrize(
    ("lines", "offered"),
    [
        ("", "2. Bob: "),
        ("2. Bob: \n", "2. Bob: "),
        ("Bob:\n2. Bob:\n", "2. Bob: "),
        ("2. Bob: draw ?\n", "2. Bob: "),
        ("2. Bob: draw ?; discard 4s\n", "3. Ann: "),
        ("2. Bob: draw ?; foo\n", "Bob: "),
        ("gap\n", "Bob: "),
    ],
)
def test_a_number_of_a_turn_is_offered_where_it_is_known(lines, offered):
    log = '[Rules "500-rummy"]\n[Players "Ann, Bob"]\nhand 1 dealer Bob\nup 6c\n'
    told = ask("complete_log", before=f"{log}1. Ann: draw ?; discard Ks\n{lines}")
    assert [one["text"] for one in told["offers"]] == [offered]
