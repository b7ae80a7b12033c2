"""Whole games of the second model: what is legal is clean, what is spoilt is found, no card is made or lost."""

from __future__ import annotations

import re
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audits import audit, cards_in_all, check_position, found, positions
from meldref.core.cards import JOKER, cards_text, each, played_text
from meldref.core.cards import Played as Laid
from meldref.position.model import Position
from model import Unsupported, check_log, random_game
from model.mutate import mutations
from tables import TABLES, at_each_table, game, rules_of
from tiers import examples

GAMES = 2


@at_each_table
def test_a_legal_game_is_clean(rules, options):
    for seed in range(GAMES):
        report = audit(game(rules, options, seed))
        assert (report.verdict, report.findings) == ("clean", []), seed
        assert all(scores.recorded == scores.computed for scores in report.scores)
        assert len(report.scores) == report.hands > 0


@pytest.mark.parametrize("players", [2, 5, 8])
def test_long_hands_are_clean(players):
    """Hands of many turns, with hundreds of melds and a pile that is taken again and again."""
    log = random_game(77, players, hands=2, max_turns=90)
    assert found(log) == []


@at_each_table
def test_cards_are_neither_made_nor_lost(rules, options):
    """After every line all cards lie somewhere once, and there are as many as the deck has."""
    for seed in range(GAMES):
        for line, position in positions(game(rules, options, seed)):
            if position is not None:
                check_position(position)
                assert cards_in_all(position) == sum(position.copies), line


@at_each_table
def test_what_is_sure_to_be_wrong_is_found_at_its_line(rules, options):
    chosen = rules_of(rules, options)
    log = game(rules, options, 3, hands=1)
    sure = [one for one in islice(mutations(log, Random(3), chosen), 40) if one[3] is not None]
    assert len(sure) > 10
    for text, line, kind, expected in sure:
        there = [code for number, code in found(text) if number <= line]
        assert any(
            code == one or code.startswith(f"{one}.") for code in there for one in expected
        ), (
            kind,
            line,
            there,
        )


@pytest.mark.sweep
@at_each_table
def test_a_word_changed_is_wrong_exactly_where_the_second_model_says_so(rules, options):
    """What the model finds legal is clean; where it finds something, something is found there or before."""
    chosen = rules_of(rules, options)
    log = game(rules, options, 4, hands=1)
    for text, _, kind, expected in islice(mutations(log, Random(4), chosen), 25):
        try:
            model = check_log(text, chosen)
        except Unsupported:
            continue
        here = found(text)
        assert bool(here) == bool(model), (kind, expected, here[:2], model)
        assert not model or here[0][0] <= model[0][0] or model[0][0] in dict(here), (
            kind,
            here[:2],
            model,
        )


def assertions(position: Position, rng: Random) -> list[str]:
    """What could be noted about a position, all of it true."""
    lines = [f"= stock {position.stock_size}"]
    for seat, name in enumerate(position.players):
        cards = f"{cards_text(each(position.hands[seat]))} ?*{position.unknown[seat]}".removesuffix(
            " ?*0"
        ).strip()
        lines.append(
            f"= hand {name} {cards}"
            if cards and rng.random() < 0.5
            else f"= hand {name} {position.held[seat]}"
        )
        lines.append(f"= score {name} {position.points[seat]}")
    if position.pile:
        lines.append(f"= pile {cards_text(position.pile)}")
    for number, meld in enumerate(position.melds, 1):
        cards = [
            played_text(Laid(one.card, one.role)) if one.card == JOKER else cards_text([one.card])
            for one in meld.cards
        ]
        lines.append(f"= table m{number} {' '.join(cards)}")
    return lines


def asserted(text: str, rng: Random) -> str:
    """A log with assertions between its lines."""
    lines: list[str] = []
    for line, (_, position) in zip(text.split("\n"), positions(text), strict=False):
        lines.append(line)
        if position is not None and rng.random() < 0.3:
            lines += rng.sample(assertions(position, rng), 3)
    return "\n".join([*lines, ""])


@at_each_table
def test_what_is_true_of_a_position_may_be_asserted(rules, options):
    text = asserted(game(rules, options, 1, hands=1), Random(1))
    assert text.count("\n= ") > 5
    assert audit(text).findings == []


@at_each_table
def test_a_wrong_number_in_an_assertion_is_found(rules, options):
    text = asserted(game(rules, options, 1, hands=1), Random(1))
    lines = text.split("\n")
    numbered = [
        number
        for number, line in enumerate(lines)
        if re.fullmatch(r"= (stock|hand \w+|score \w+) -?\d+", line)
    ]
    for number in Random(2).sample(numbered, 3):
        changed = list(lines)
        head, _, count = changed[number].rpartition(" ")
        changed[number] = f"{head} {int(count) + 1}"
        assert found("\n".join(changed)) == [(number + 1, "log.assert")]


def masked(text: str, *, draws: bool = False) -> str:
    """What somebody who looked on could write: hands and stock unknown, the draws too."""
    text = re.sub(
        r"^(deal \w+) (.*)$",
        lambda line: f"{line[1]} ?*{len(line[2].split())}",
        text,
        flags=re.MULTILINE,
    )
    text = re.sub(r"^stock .*\n", "", text, flags=re.MULTILINE)
    return re.sub(r"draw \w+", "draw ?", text) if draws else text


@at_each_table
def test_a_public_view_of_a_legal_game_has_no_finding(rules, options):
    """What could not be decided is open; only scores and duties can be."""
    for seed in range(GAMES):
        text = game(rules, options, seed)
        for view in (
            masked(text),
            masked(text, draws=True),
            masked(asserted(text, Random(1)), draws=True),
        ):
            report = audit(view)
            assert report.findings == []
            assert report.verdict in {"clean", "undecided"}
        for _, position in positions(masked(text, draws=True)):
            if position is not None:
                check_position(position)


@at_each_table
def test_a_gap_or_a_lost_line_makes_no_finding_of_play(rules, options):
    """Where turns are missing and said to be, nothing later is found but what the melds on the table show."""
    text = game(rules, options, 0, hands=1)
    lines = text.split("\n")
    turns = [number for number, line in enumerate(lines) if re.match(r"\d+\. ", line)]
    for start in Random(5).sample(turns[:-1], min(4, len(turns) - 1)):
        stop = next((n for n in turns if n > start and not lines[n].startswith("=")), len(lines))
        if any(
            " meld " in line or " lay " in line or " swap " in line for line in lines[start:stop]
        ):
            continue
        changed = [*lines[:start], "gap", *lines[stop:]]
        assert found("\n".join(changed)) == [], changed[start - 1 : start + 3]


# --- nothing that a log says makes the replay raise -----------------------------------------------

RANK_AND_SUIT = [rank + suit for rank in "A23456789TJQK" for suit in "cdhs"]
cards = st.sampled_from([*RANK_AND_SUIT, "Jk", "Jk", "?", "Jk=8c", "Jk=9", "3h=Kd", "Jk=Ad"])
rows = st.lists(cards, min_size=1, max_size=5).map(" ".join)
long_rows = st.lists(cards, min_size=30, max_size=40).map(" ".join)
melds = st.sampled_from(["", "m0", "m1", "m2", "m3", "m999"])
names = st.sampled_from(["Ann", "Bob", "Cy", "Zed"])
numbers = st.sampled_from([0, 1, 2, 7, 13, 40, 999])
actions = st.one_of(
    st.builds("draw {}".format, cards),
    st.builds("take {}".format, cards),
    st.builds("take {} x{}".format, cards, numbers),
    st.builds("meld {} {}".format, st.one_of(rows, rows, rows, long_rows), melds),
    st.builds("lay {} {}".format, rows, melds),
    st.builds("swap {} {}".format, cards, melds),
    st.builds("discard {}".format, cards),
    st.builds("rummy {}".format, rows),
    st.sampled_from(["challenge", "pass", "draw", "discard ?"]),
)
turns = st.builds(
    lambda number, name, done: f"{number}{name}: {'; '.join(done)}",
    st.sampled_from(["", "1. ", "0. ", "999. "]),
    names,
    st.lists(actions, min_size=1, max_size=6),
)
other_lines = st.one_of(
    st.builds("deal {} {}".format, names, st.one_of(rows, long_rows)),
    st.builds("deal {} ?*{}".format, names, numbers),
    st.builds("up {}".format, cards),
    st.builds("stock {}".format, st.one_of(rows, long_rows)),
    st.builds("hand {} dealer {}".format, numbers, names),
    st.builds("cut {} {}, Bob {}".format, names, cards, cards),
    st.builds("show {} {}".format, names, rows),
    st.builds(
        "end {}".format, st.one_of(names.map("out {}".format), st.sampled_from(["stock", "agreed"]))
    ),
    st.builds(
        "{} {} {}, Bob 5".format, st.sampled_from(["score", "total", "chips"]), names, numbers
    ),
    st.builds("result {}".format, names),
    st.builds("= hand {} {}".format, names, st.one_of(rows, numbers)),
    st.builds("= pile {}".format, rows),
    st.builds("= table m{} {}".format, numbers, rows),
    st.builds("= stock {}".format, numbers),
    st.builds("= score {} {}".format, names, numbers),
    st.builds("wild {}".format, st.sampled_from("A3TK")),
    st.builds('adjust {} -10 "late"'.format, names),
    st.sampled_from(
        [
            "reshuffle",
            "gap",
            "void misdeal",
            "undo",
            "hand",
            'note "x"',
            "{x=1} # y",
            "Ann: drow",
            "?!",
        ]
    ),
    st.text(max_size=20).filter(lambda text: "\n" not in text and "\r" not in text),
)
HEADS = [
    ("500-rummy", "", "Ann, Bob"),
    ("500-rummy", "floating, unplayable-last-discard", "Ann, Bob, Cy"),
    ("500-rummy", "floating, claimable-last-discard", "Ann, Bob, Cy"),
    ("500-rum", "reshuffle-stock, four-aces-100", "Ann, Bob, Cy"),
    ("gilfoy-500-rummy", "chosen-wild-rank", "Ann, Bob, Cy"),
    ("persian-rummy", "", "Ann, Bob, Cy, Zed"),
    ("online-rummy-500", "multi-table", "Ann, Bob"),
]


def check_every_line(text: str) -> None:
    """The replay goes to the end, and every position on the way holds together."""
    for _, position in positions(text):
        if position is not None:
            check_position(position)
    report = audit(text)
    assert report.verdict in {"clean", "violations", "undecided", "unreadable"}
    assert all(
        1 <= one.span.line <= text.count("\n") + 1
        for one in report.findings
        if one.file == "test.rgn"
    )


@settings(max_examples=examples(120), derandomize=True)
@given(
    st.sampled_from(HEADS), st.lists(st.one_of(turns, turns, other_lines), min_size=1, max_size=14)
)
def test_no_log_however_wild_makes_the_replay_raise(head, lines):
    rules, options, players = head
    text = f'[Rules "{rules}"]\n[Options "{options}"]\n[Players "{players}"]\n' + "\n".join(lines)
    check_every_line(text)


@pytest.mark.sweep
@settings(max_examples=examples(60), derandomize=True)
@given(
    st.sampled_from([table for table in TABLES if table[0] != "online-rummy-500"]),
    st.lists(
        st.tuples(st.integers(0, 200), st.one_of(turns, other_lines), st.booleans()),
        min_size=1,
        max_size=4,
    ),
)
def test_no_line_in_the_midst_of_a_game_makes_the_replay_raise(table, changes):
    lines = game(*table, 0, hands=1).split("\n")
    for place, line, instead in changes:
        at = 4 + place % (len(lines) - 4)
        lines[at : at + instead] = [line]
    check_every_line("\n".join(lines))
