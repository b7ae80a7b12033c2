"""What the service answers, question by question: texts and data go in, JSON comes out."""

from __future__ import annotations

import json
import re
from random import Random

import pytest

from meldref import audit_text
from meldref_service import Service, draft
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
        assert seen["svg"].count('fill="#fffefb"') == faces
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
