"""Files of strangers: less than a megabyte of anything is answered for, in little time and little room.

Each runs in a process of its own, with limits far beyond what it takes: what hangs or swells dies
of them.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from functools import partial

import pytest

from audits import audit, found, positions
from hostile import ODD_VALUES
from meldref.core import effort
from meldref.core.cards import FULL, GUARD
from meldref.core.effort import MOST_SUGGESTIONS
from meldref.moves import suggestions as helping
from meldref.notation import columns
from meldref.notation.reader import read_card_row, read_line
from meldref.position.model import MOST_CARDS, MOST_CONTESTED
from meldref.report.text import log_text
from meldref.rulefiles import files, house_rules
from meldref.rulefiles.load import load_ruleset
from meldref_archive import auditing

ROOM = 1_500 << 20
SECONDS = 60

HEAD = '[Rules "500-rummy"]\n[Players "Ann, Bob"]\n'
DEAL = "hand 1 dealer Bob\ndeal Ann 4d 4h 9h 2h 7c 7d 7s Ks Qd Jc 2c 3s 5s\ndeal Bob ?*13\nup 4c\n"
RULES = "id: r\nextends: [500-rummy]\n"
WILD = ("--set", "melds.wild.cards=[joker, 2, 3, 4, 5, 6, 7]")
HAND = "2c 2d 3c 3d 4c 4h 5s 5h 6d 7c 9h Td Ks Jk Jk 2h 3h 4d 6c 7d"
ELEVEN = ("--set", "melds.wild.cards=[joker, 2, 3, 4, 5, 6, 7, 8, 9, 10, J]")
BIG = f"{HAND} 8c 8d 8h 9c 9d Tc Jc Qc Kc Ac As"
PILE = "4s 5d 6h 7h 8s 9s Ts Js Qs Kh Ah 2s 3s 5c 6s Th Jh Qh"


def _limits(seconds: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def limited(
    folder, arguments, *, seconds: int = SECONDS, **texts: str
) -> subprocess.CompletedProcess[str]:
    for name, text in texts.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "meldref_cli.main", *arguments]
    limits = partial(_limits, seconds)
    done = subprocess.run(
        command, cwd=folder, preexec_fn=limits, capture_output=True, text=True, check=False
    )
    assert done.returncode in {0, 1, 2}, done.stderr[-2000:]
    return done


def _turns(bad: str, times: int) -> str:
    """A log of 120 long lines of one action over and over."""
    return (
        HEAD
        + DEAL
        + (f"Ann: draw{bad * times}; discard 4d\nBob: draw{bad * times}; discard 6d\n" * 60)
    )


@pytest.mark.parametrize(
    "text",
    {
        "bad melds": _turns("; meld 2c", 850),
        "bad lay-offs": _turns("; lay 2c m999", 600),
        "draws too many": _turns("; draw", 1_350),
        "blank lines": HEAD + DEAL + "\n" * 900_000,
        "actions that cannot be read": _turns("; dr", 1_900),
        "nothing between semicolons": _turns(";", 8_000),
        "unknown options": HEAD
        + f'[Options "{", ".join(f"o{one}" for one in range(1_100))}"]\n' * 4
        + DEAL,
        "unknown settings": HEAD
        + "".join(f'[Set "game.tagret{one}=1"]\n' for one in range(30_000))
        + DEAL,
        "kinds of meld": HEAD
        + "".join(
            f'[Set "melds.kinds.k{one}={{size: 3, require: [same_rank]}}"]\n'
            for one in range(15_000)
        )
        + DEAL,
        "games of unknown rules": "".join(
            f'[Rules "u{one}"]\n[Players "A, B"]\nhand 1\n' for one in range(20_000)
        ),
        "games with settings": "".join(
            f'[Rules "500-rummy"]\n[Set "game.target={one}"]\n[Players "A, B"]\nhand 1\n'
            for one in range(12_000)
        ),
        "rows of unknown cards": HEAD + "hand 1\n" + f"stock {'?*999 ' * 1_300}\n" * 120,
        "one card over and over": HEAD
        + DEAL
        + f"Ann: draw; meld {'4h ' * 2_600}; discard Jk\n" * 120,
        "lines of a letter": HEAD + DEAL + "x\n" * 300_000,
        "melds after gaps": HEAD + DEAL + "gap\nAnn: draw; meld 4d 9h 2h Ks; discard ?\n" * 22_000,
        "discards after a gap": HEAD
        + DEAL
        + "gap\n"
        + "Ann: draw; discard 4d\nBob: draw; discard 4d\n" * 22_000,
        "sheets that are wrong": HEAD + "hand\nscore Ann 50, Bob 51\ntotal Ann 3, Bob 4\n" * 22_000,
        "hands with a wrong turn": HEAD
        + "hand 1 dealer Bob\ndeal Ann 4d\nAnn: draw; meld 4d\n" * 20_000,
        "numbers of hands that were there": HEAD + "x\nhand 2\n" * 50_000,
        "a huge number": HEAD
        + f'[Set "game.target=0{"9" * 5_000}"]\n[Set "game.hands={"9" * 4_500}-9"]\n'
        + DEAL,
    }.items(),
    ids=lambda item: item[0],
)
@pytest.mark.sweep
def test_a_log_of_less_than_a_megabyte_is_audited_within_limits(tmp_path, text):
    assert len(text[1]) < 1_100_000
    limited(tmp_path, ["audit", "a.rgn"], seconds=25, a_rgn=text[1])


@pytest.mark.parametrize(
    "text",
    {
        "unknown names": f"id: r\nextends: [{', '.join(f'z{one}' for one in range(60_000))}]\n",
        "repeated names": f"id: r\nextends: [{', '.join(['floating'] * 60_000)}]\n",
        "unknown keys": RULES + "".join(f"key{one}: 1\n" for one in range(60_000)),
        "kinds of meld": RULES
        + "melds:\n  kinds:\n"
        + "".join(f"    k{one}: {{size: 3, require: [same_rank]}}\n" for one in range(600)),
        "constraints": RULES
        + f"melds: {{kinds: {{x: {{size: 3, require: [{', '.join(['same_rank'] * 50_000)}]}}}}}}\n",
        "aces": RULES
        + f"melds: {{kinds: {{x: {{ace: [{', '.join(f'{{a: {one}}}' for one in range(60_000))}]}}}}}}\n",
        "huge ranges": RULES + f"game: {{hands: '{'9' * 5_000}-{'9' * 5_001}'}}\n",
    }.items(),
    ids=lambda item: item[0],
)
@pytest.mark.sweep
def test_rules_of_less_than_a_megabyte_are_checked_within_limits(tmp_path, text):
    assert len(text[1]) < 1_100_000
    limited(tmp_path, ["rules", "check", "r.yaml"], r_yaml=text[1])
    limited(tmp_path, ["audit", "a.rgn"], a_rgn=HEAD.replace("500-rummy", "r.yaml") + DEAL)


@pytest.mark.parametrize(
    "command",
    [["audit"], ["fmt", "--check"], ["convert", "--to", "json"], ["replay"]],
    ids=" ".join,
)
@pytest.mark.sweep
def test_long_lines_of_which_nothing_can_be_read_are_read_within_limits(tmp_path, command):
    limited(
        tmp_path,
        [*command, "a.rgn"],
        a_rgn=HEAD + "hand 1 dealer Bob\n" + f"1. Ann: {'x;' * 4_000}\n" * 100,
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["melds", HAND, *WILD],
        ["best", HAND, *WILD],
        ["legal", "--turns", "--hand", HAND, *WILD],
        ["legal", "--turn", "draw", "--hand", HAND, *WILD],
        [
            "simulate",
            "--hands",
            "1",
            "--set",
            "melds.kinds.x={size: 5-13, require: [consecutive_ranks]}",
        ],
        ["simulate", "--players", "99999999999"],
        ["rules", "explain", f"deck.packs.{'9' * 5_000}"],
        ["legal", "--hand", "5h", "--table", f"m{'9' * 5_000}: A 5h 6h 7h"],
    ],
    ids=lambda arguments: " ".join(arguments)[:40],
)
@pytest.mark.sweep
def test_what_is_asked_for_is_answered_within_limits(tmp_path, arguments):
    limited(tmp_path, arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        ["melds", BIG],
        ["legal", "--hand", BIG, "--pile", PILE],
        ["legal", "--turns", "--hand", BIG, "--pile", PILE, "--turn", "take 5c"],
    ],
    ids=lambda arguments: " ".join(one for one in arguments if len(one) < 20),
)
@pytest.mark.sweep
def test_a_search_among_eleven_wild_ranks_ends_and_says_so(tmp_path, arguments):
    ran = limited(tmp_path, [*arguments, *ELEVEN], seconds=20)
    assert ran.returncode == 0
    assert "may be missing" in ran.stderr
    assert ran.stdout


@pytest.mark.sweep
def test_what_can_be_laid_in_too_many_ways_has_no_best_way(tmp_path):
    assert (
        "more ways than can be compared"
        in limited(tmp_path, ["best", BIG, *ELEVEN], seconds=20).stderr
    )


@pytest.mark.sweep
def test_a_whole_game_with_six_wild_ranks_is_played_and_is_clean(tmp_path):
    played = limited(tmp_path, ["simulate", "--games", "1", "-o", "a.rgn", *WILD], seconds=20)
    assert played.returncode == 0
    assert limited(tmp_path, ["audit", "a.rgn"]).returncode == 0
    assert "result" in (tmp_path / "a.rgn").read_text()


@pytest.mark.sweep
def test_suggestions_in_a_log_of_many_wild_ranks_end(tmp_path):
    wild = (
        f'[Set "{ELEVEN[1]}"]\n[Set "deck.packs=2"]\n[Set "deal.cards=31"]\n[Set "players.max=2"]\n'
    )
    calls = "Ann: rummy Qh; meld Qh 2c 3c; discard 2h\nBob: draw; discard Qh\n" * 150
    text = f"{HEAD}{wild}hand 1 dealer Bob\ndeal Ann {BIG}\ndeal Bob ?*31\nup Qh\n{calls}"
    assert limited(tmp_path, ["audit", "a.rgn"], seconds=20, a_rgn=text).returncode == 1


def test_suggestions_are_worked_out_only_where_they_are_shown(meldref, tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(helping, "help_for", lambda *about: asked.append(about) or ("draw",))
    (tmp_path / "a.rgn").write_text(HEAD + DEAL + "Ann: draw; meld 2c 3s; discard 4d\n")
    assert "meld.size" in meldref("audit", "-q", tmp_path / "a.rgn").out
    assert not asked
    for format_ in ("text", "json", "github", "sarif", "junit"):
        meldref("audit", "--format", format_, tmp_path / "a.rgn")
        assert asked
        asked.clear()


@pytest.mark.sweep
def test_a_list_of_melds_ends_somewhere_and_says_so(meldref):
    ran = meldref("melds", HAND, *WILD)
    assert len(ran.lines) == 1_000
    assert "larger ones may be missing" in ran.err
    ran = meldref("melds", "5h 6h 7h 8h", "--most", 2, "--format", "json")
    assert len(ran.data["melds"]) == 2
    assert ran.data["complete"] is False
    assert "--most 3 lists them all" in ran.err


# --- what is done once is not done again ----------------------------------------------------------


def test_shipped_rules_are_read_once_for_all_names_that_nobody_knows():
    files._shipped_in.cache_clear()
    _, findings = load_ruleset("500-rummy", [f"o{one}" for one in range(500)])
    asked = files._shipped_in.cache_info()
    assert (asked.misses, asked.hits > 100) == (1, True)
    assert len(findings) == 101
    assert "the rest are not checked" in findings[-1].message


def test_suggestions_are_worked_out_for_so_many_findings(monkeypatch):
    asked = []
    monkeypatch.setattr(helping, "help_for", lambda *about: asked.append(about) or ("draw",))
    report = audit(HEAD + DEAL + "Ann: draw" + "; lay 2c m9" * 500 + "; discard 4d\n")
    assert len(asked) == MOST_SUGGESTIONS < len(report.findings)
    assert [bool(one.help) for one in report.findings].count(True) == MOST_SUGGESTIONS


def test_long_logs_are_searched_for_mistakes_less_for_each_line():
    def allowed(lines):
        with effort.Suggestions().explaining(lines):
            return effort.EFFORT.limit - effort.EFFORT.spent

    assert allowed(2_000) - allowed(1_000) == 9 * 1_000 * effort.STATE
    assert allowed(20_000) - allowed(10_000) == 2 * 10_000 * effort.STATE


def test_hands_are_explained_only_while_effort_is_left(monkeypatch):
    monkeypatch.setattr(effort, "MOST_LOOKED_AT", 500)
    findings = audit(HEAD + "hand\nscore Ann 50, Bob 51\ntotal Ann 3, Bob 4\n" * 60).findings
    totals = [one for one in findings if one.code == "score.total"]
    explained = [one for one in totals if one.repair is not None]
    assert 0 < len(explained) < 59
    assert any("meldref stopped searching" in note for one in totals[-2:] for note in one.notes)


@pytest.mark.sweep
def test_a_table_has_room_for_only_so_many_cards_too_many():
    turn = "gap\nAnn: draw; meld 4d 9h 2h Ks; discard ?\n"
    text = HEAD + DEAL + turn * 60
    *_, (_, position) = positions(text)
    laid = sum(len(meld.cards) for meld in position.melds)
    assert laid == 4 * (1 + FULL - 1)
    assert len(found(text)) == 60
    other = turn.replace("4d 9h 2h Ks", "5d 8h 3h Qs 6d 7h Ts Jh")
    *_, (_, position) = positions(text + other * 60)
    assert position.contested == MOST_CONTESTED


def test_a_pile_has_no_more_cards_than_a_deck():
    text = HEAD + DEAL + "gap\n" + "Ann: draw; discard 4d\nBob: draw; discard 4d\n" * 220
    *_, (_, position) = positions(text)
    assert len(position.pile) == MOST_CARDS


def test_a_log_with_too_many_findings_is_not_audited_to_its_end(tmp_path, monkeypatch):
    monkeypatch.setattr(auditing, "MOST_FINDINGS", 1_100)
    log = tmp_path / "a.rgn"
    log.write_text(HEAD + DEAL + "Ann: draw; discard ?\n" + "= stock 4\n" * 1_200)
    audited = auditing.audit_log(auditing.Task(str(log), (None, (), ()))).audited
    assert 1_000 < audited.gave_up < 1_200
    assert audited.report.verdict == "unreadable"
    assert any("; the rest was not audited" in line for line in log_text(audited))


def test_lines_are_taken_back_only_so_often(monkeypatch):
    text = HEAD + DEAL + "Ann: draw; discard ?\nBob: draw; discard ?\n" * 9 + "undo\n" * 18
    often = "lines were taken back too often in this log: this one is not"
    assert often not in [one.message for one in audit(text).findings]
    monkeypatch.setattr("meldref.core.effort.MOST_REPLAYED", 100)
    refused = [one for one in audit(text).findings if one.message == often]
    assert {one.code for one in refused} == {"log.assert"}
    assert 10 < len(refused) < 18


def test_a_line_is_split_once_for_all_its_findings(monkeypatch):
    parts = []
    split = columns.split
    columns._as_written.cache_clear()
    monkeypatch.setattr(columns, "split", lambda text: parts.append(text) or split(text))
    line = "Ann: draw" + "; meld 2c 3s" * 500 + "; discard 4d"
    audit(HEAD + DEAL + line)
    assert parts.count(line) == 1


def test_a_line_with_very_many_faults_is_not_read_to_its_end():
    _, findings = read_line("Ann: " + "dr; " * 2_000)
    assert len(findings) < 50
    assert findings[-1].message == "the rest of the line is not read"


def test_a_table_has_no_more_melds_than_the_deck_has_cards():
    report = audit(HEAD + DEAL + "gap\nAnn: draw; lay 5h m900; discard 4d\n")
    assert [one.code for one in report.findings] == ["log.name"]


# --- counts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", ["4h", "Jk", "10♥"])
def test_more_of_a_card_than_any_deck_has_is_refused_where_it_stands(card):
    for text in (
        f"deal Ann {f'{card} ' * 16}",
        f"Ann: draw; meld {f'{card} ' * 32}",
        f"= pile {f'{card} ' * 40}",
    ):
        _, findings = read_line(text.rstrip())
        assert [one.code for one in findings] == ["log.syntax"], text
        assert "no deck has more than 15" in findings[0].message
    assert isinstance(read_card_row(f"{card} " * 15), tuple)


def test_a_hand_of_one_card_does_not_hold_the_next_one():
    deals = "".join(f"deal {name} {'4h ' * 15}\n" for name in "ABCDEFGH")
    head = '[Rules "500-rummy"]\n[Set "deck={packs: 8, jokers: 1}"]\n[Set "deal.cards=15"]\n'
    text = f'{head}[Players "{", ".join("ABCDEFGH")}"]\nhand 1 dealer H\n{deals}up 4h\n'
    report = audit(text + "A: draw; discard 5h\nB: draw; meld 5h 6h 7h; discard 4h\n")
    codes = [(one.span.line, one.code) for one in report.findings]
    assert (5 + 1, "log.copies") in codes


def test_a_call_names_a_card_as_often_as_it_can_be_there():
    """After a gap nobody knows the pile; one pack has one four of hearts all the same."""
    assert "call.nothing" in [
        code for _, code in found(HEAD + DEAL + "gap\nAnn: rummy 4h 4h 4h; meld 4h 4h 4h\n")
    ]


@pytest.mark.parametrize("number", range(40))
@pytest.mark.sweep(every=5)
def test_no_count_reaches_the_next_card_whatever_is_played(number):
    """Cards are dealt, drawn, called, shown and put back that the deck does not have so often."""
    from random import Random  # noqa: PLC0415

    from meldref.notation.reader import read_lines  # noqa: PLC0415
    from meldref.replay.log import Replay  # noqa: PLC0415
    from meldref_evidence.explaining import RecordExplainer  # noqa: PLC0415  as above

    dice = Random(number)
    cards = dice.sample(["4h", "5h", "Jk", "Ac", "?"], 3)
    row = " ".join(dice.choices(cards, k=dice.randint(1, 15)))
    lines = [
        *(f"deal {name} {row}" for name in ("Ann", "Bob")),
        f"up {dice.choice(cards)}",
        f"stock {row}",
        *(
            dice.choice(
                [
                    f"{name}: draw {dice.choice(cards)}; discard {dice.choice(cards)}",
                    f"{name}: take 4h; meld {row.replace('?', '4h')}; discard ?",
                    f"{name}: rummy {row.replace('?', 'Jk')}; lay 4h m1",
                    f"show {name} {row.replace('?', '5h')}",
                    f"= hand {name} {row}",
                    "gap",
                    "reshuffle",
                    f"up {dice.choice(cards)}",
                    f"stock {row}",
                ]
            )
            for _ in range(30)
            for name in ("Ann", "Bob")
        ),
    ]
    text = '[Rules "500-rummy"]\n[Set "stock.reshuffle=whole_pile"]\n[Players "Ann, Bob"]\nhand 1\n'
    run = Replay("test.rgn", explainer=RecordExplainer())
    for read in read_lines(text + "\n".join(lines)):
        run.feed([read])
        position = run.game.hand.position if run.game and run.game.hand else None
        if position is not None:
            assert not position.seen & GUARD
            assert position.seen == position.located()
            assert all(position.seen >> 5 * card & 31 <= FULL for card in range(53))


# --- values of any type ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "key",
    ["verdict", "at", "because", "then", "points", "score", "hands", "pile", "table", "stock"],
)
def test_an_expectation_may_be_anything(meldref, tmp_path, monkeypatch, key):
    import json  # noqa: PLC0415

    monkeypatch.chdir(tmp_path)
    given = {"hands": {"A": "8c 8d 2c"}}
    some = [
        {
            "rules": "500-rummy",
            "given": given,
            "moves": ["A: draw 8s; discard 2c"],
            "expect": {"verdict": "legal", key: value},
        }
        for value in ODD_VALUES
    ]
    (tmp_path / "cases.json").write_text(json.dumps({"cases": some}))
    assert meldref("rules", "test", "cases.json").code in {0, 1, 2}


def test_not_every_one_of_thousands_of_house_rules_is_looked_at(meldref, tmp_path, monkeypatch):
    rules = "".join(
        f"  r{n}: {{forbid: discard, when: 'card.points > {n}', says: 'No.'}}\n" for n in range(600)
    )
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.yaml").write_text(f"id: x\nname: X\nextends: [500-rummy]\nhouse_rules:\n{rules}")
    looked = []
    real = house_rules._RuleCheck
    monkeypatch.setattr(
        house_rules, "_RuleCheck", lambda *parts: (looked.append(parts), real(*parts))[1]
    )
    ran = meldref("rules", "check", "x.yaml")
    assert (ran.code, "there are 600 house rules, but at most 100" in ran.out) == (1, True)
    assert len(looked) == 200


@pytest.mark.sweep
@pytest.mark.parametrize("installed", [True, False], ids=["installed", "lying about"])
def test_another_package_in_the_place_of_the_solver_is_told_of_as_that(tmp_path, installed):
    """The package of the older name, which installs over the same import name, as Python finds it."""
    (tmp_path / "constraint").mkdir()
    if installed:
        (tmp_path / "python_constraint-1.4.0.dist-info").mkdir()
        (tmp_path / "python_constraint-1.4.0.dist-info" / "METADATA").write_text(
            "Metadata-Version: 2.1\nName: python-constraint\nVersion: 1.4.0\n"
        )
    (tmp_path / "constraint" / "__init__.py").write_text("class Problem:\n    pass\n")
    (tmp_path / "a.rgn").write_text(HEAD + DEAL + "Ann: draw; meld 9h 2h 7c; discard 4d\n")
    for command in (["melds", "5h 6h 7h"], ["audit", "a.rgn"]):
        ran = subprocess.run(
            [sys.executable, "-m", "meldref_cli.main", *command],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(tmp_path), "MELDREF_CACHE": "off"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 2, ran.stderr
        assert ran.stderr.startswith("meldref: error: meldref needs python-constraint2")
        assert "Traceback" not in ran.stderr
