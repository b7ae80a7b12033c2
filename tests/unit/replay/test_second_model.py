"""The second model of the rules is right about the cases, the games, and its own random games."""

from collections import Counter
from itertools import islice, product
from random import Random

import pytest

from audits import found
from meldref_table.simulate import KINDS
from model import Illegal, Unsupported, check_log, named, random_game
from model.casebook import run_case
from model.corpus import main as write_corpus
from model.melds import read_meld
from model.mutate import mutations
from model.rules_model import Settings, Table, play_turn
from model.settings import changed
from paths import TESTS
from simulated import findings, log_of
from together import each
from written import read_yaml_file

TABLES = [
    ("500-rummy", ()),
    ("500-rummy", ("no-jokers",)),
    ("500-rummy", ("no-calls",)),
    ("500-rummy", ("call-last-discard-only",)),
    ("500-rummy", ("discard-to-go-out",)),
    ("500-rummy", ("meld-taken-card",)),
    ("500-rummy", ("meld-taken-card", "discard-to-go-out")),
    ("500-rummy", ("new-meld-for-taken-card",)),
    ("500-rummy", ("floating",)),
    ("500-rummy", ("floating", "unplayable-last-discard")),
    ("500-rummy", ("floating", "claimable-last-discard")),
    ("500-rum", ()),
    ("gilfoy-500-rummy", ()),
    ("online-rummy-500", ()),
]


NOT_IN_THE_MODEL = {"5000-rummy", "kalooki-40", "michigan-rum"}
SIMULATED = [
    ("basic-rummy", 2),
    ("three-thirteen", 3),
    ("contract-rummy", 3),
    ("shanghai-rummy", 4),
    ("may-i", 3),
]
"""Games that the model judges and does not play: the simulator plays them, at tables of so many."""


@pytest.mark.sweep
def test_each_case_is_judged_as_it_says_and_most_are_supported():
    """Those of single settings, and of games, that this model does not have apart."""
    supported = {True: 0, False: 0}

    def check(case):
        try:
            assert run_case(case) == []
            judged = True
        except Unsupported:
            judged = False
        supported[judged] += not case.get("set") and case.get("rules") not in NOT_IN_THE_MODEL

    files = sorted((TESTS / "cases").glob("*.yaml"))
    cases = [
        (f"{path.stem}-{case['id']}", (case,))
        for path in files
        for case in read_yaml_file(path)["cases"]
    ]
    assert len(dict(cases)) == len(cases)
    each(check, dict(cases))
    assert supported[False] <= sum(supported.values()) // 3


@pytest.mark.parametrize("name", ["500-rummy", "gilfoy-500-rummy"])
def test_a_shipped_game_is_clean(name):
    assert check_log((TESTS / "games" / f"{name}.rgn").read_text(encoding="utf-8")) == []


GREEDY = {
    "at_once": False,
    "hand_cards_of_two": 7,
    "call_takes": "called_cards",
    "call_more_melds": False,
    "call_discard": False,
    "call_then": "unchanged",
    "two_to_nine": 5,
    "low_ace": 15,
    "target": -1000,  # one hand is the whole game
}
OUTSIDE = [
    (
        "simonellefsen/004",
        ("no-calls", "meld-taken-card", "discard-to-go-out"),
        {"low_ace": 15, "target": 200},
    ),
    ("simonellefsen/009", ("no-calls", "meld-taken-card"), {"low_ace": 15, "target": 250}),
    ("timpalpant/001", ("no-jokers", "discard-to-go-out", "meld-taken-card"), GREEDY),
    ("timpalpant/014", ("no-jokers", "discard-to-go-out", "meld-taken-card"), GREEDY),
]


@pytest.mark.parametrize(("game", "options", "changes"), OUTSIDE)
def test_the_first_finding_in_a_game_of_another_program(game, options, changes):
    path = TESTS / "games" / "outside" / game
    expected = read_yaml_file(path.with_suffix(".expect.yaml"))["findings"]
    found = check_log(
        path.with_suffix(".rgn").read_text(encoding="utf-8"), named("500-rummy", options, **changes)
    )
    assert found == [(finding["line"], finding["because"]) for finding in expected[:1]]


@pytest.mark.sweep(every=4)
@pytest.mark.parametrize(("rules", "options"), TABLES)
def test_random_games_are_clean(rules, options):
    settings = named(rules, options)
    for players in range(settings.min_players, settings.max_players + 1):
        log = random_game(7, players, settings, hands=2)
        assert check_log(log) == [], f"{players} players"


@pytest.mark.sweep(every=2)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("rules", "players"), SIMULATED)
def test_simulated_games_and_spoilt_ones_are_judged_alike_by_both(rules, players, kind):
    log, played = log_of(rules, (), (), [kind] * players, seed=6, hands=2)
    assert "void" not in {hand.reason for hand in played}
    assert check_log(log) == []
    wrong = 0
    for text, _, spoilt, expected in islice(mutations(log, Random(6)), 40):
        model, here = check_log(text), found(text)
        assert bool(here) == bool(model), (spoilt, expected, here[:2], model)
        assert not model or here[0][0] <= model[0][0] or model[0][0] in dict(here), (
            spoilt,
            here[:2],
            model,
        )
        wrong += bool(model)
    assert wrong > 20


def test_a_random_game_is_the_same_for_the_same_seed():
    assert random_game(3, 3, hands=2) == random_game(3, 3, hands=2)
    assert random_game(3, 3, hands=2) != random_game(4, 3, hands=2)


def test_a_random_game_played_out_has_a_result():
    log = random_game(5, 3)
    assert log.splitlines()[-1].startswith("result ")
    assert check_log(log) == []


def test_random_games_have_everything_in_them():
    words = Counter(word for seed in range(12) for word in random_game(seed, 3, hands=2).split())
    for word in ("draw", "take", "meld", "lay", "rummy", "discard", "x2", "x5", "Jk", "m9", "="):
        assert words[word] + words[word + ";"] > 0, word
    assert any(word.startswith("Jk=") for word in words)


def test_a_corpus_has_as_many_hands_as_were_asked_for(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "sys.argv", ["corpus", str(tmp_path), "--hands", "12", "--players", "2", "--seed", "9"]
    )
    write_corpus()
    logs = [path.read_text(encoding="utf-8") for path in sorted(tmp_path.glob("*.rgn"))]
    assert sum(log.count("\nhand ") for log in logs) == 12
    assert [check_log(log) for log in logs] == [[]] * len(logs)


@pytest.mark.sweep(every=4)
@pytest.mark.parametrize(
    ("rules", "options"),
    [("500-rummy", ()), ("500-rum", ()), ("gilfoy-500-rummy", ()), ("online-rummy-500", ())],
)
def test_a_sure_mistake_is_found_at_its_line(rules, options):
    settings = named(rules, options)
    kinds = set()
    for seed in range(3):
        log = random_game(seed, min(3, settings.max_players), settings, hands=2)
        for text, line, kind, expected in islice(mutations(log, Random(seed)), 150):
            kinds.add(kind)
            findings = check_log(text)
            if expected is not None:
                assert findings, (kind, line, text)
                found, code = findings[0]
                assert found == line, (kind, code, text)
                assert any(code == each or code.startswith(each + ".") for each in expected), (
                    kind,
                    code,
                    text,
                )
    sure = {"card_not_held", "score_off_by_one", "wrong_player", "draw_for_take", "no_such_meld"}
    assert kinds == sure | {"any_word", "any_action"}


def roles_by_brute_force(cards):
    """Every assignment of roles to the jokers of a few cards that makes a meld, as sets of roles."""
    ranks, suits = "A23456789TJQK", "cdhs"
    naturals = [card for card in cards if card != "Jk"]
    found = set()
    for jokers in product(
        [rank + suit for rank in ranks for suit in suits], repeat=cards.count("Jk")
    ):
        roles = naturals + list(jokers)
        if len(set(roles)) < len(roles):
            continue
        if len({card[0] for card in roles}) == 1 and len(roles) in (3, 4):
            found.add(("group", roles[0][0]))
        if len({card[1] for card in roles}) == 1:
            for order in (ranks, ranks[1:] + ranks[0]):
                places = sorted(order.index(card[0]) for card in roles)
                if places == list(range(places[0], places[0] + len(places))):
                    found.add(("sequence", "".join(sorted(roles))))
    return found


def read_or_code(cards):
    """The reading as kind and roles, or the code of the finding."""
    try:
        reading = read_meld([(card, None) for card in cards], Settings())
    except Illegal as finding:
        return finding.code
    return reading.kind, reading.roles[0][0] if reading.kind == "group" else "".join(
        sorted(reading.roles)
    )


@pytest.mark.sweep
def test_melds_are_read_as_trying_every_role_says():
    rng = Random(1)
    pack = [rank + suit for rank in "A2345QK" for suit in "cdh"] + ["Jk"] * 4
    seen = Counter()
    for _ in range(1500):
        cards = rng.sample(pack, rng.choice([3, 3, 4]))
        if cards.count("Jk") > 2 or cards.count("Jk") == len(cards):
            continue
        by_force = roles_by_brute_force(cards)
        kind = read_or_code(cards)
        seen[kind if isinstance(kind, str) else kind[0]] += 1
        if not by_force:
            assert kind in ("meld.shape", "meld.size")
        elif kind != "wild.unbound":
            assert kind in by_force
        else:
            assert len(by_force) > 1
    assert set(seen) >= {"group", "sequence", "meld.shape", "wild.unbound"}


def late_table(hand, melds=()):
    table = Table(
        Settings(),
        ["A", "B"],
        "A",
        {"A": hand.split(), "B": ["2c", "9s"]},
        ["8h", "Kc", "3d"],
        ["4d"],
    )
    for meld in melds:
        play_turn(
            table, "A", [("draw", None), ("meld", [(card, None) for card in meld.split()], None)]
        )
    return table


def plays(text):
    found = []
    for part in text.split("; "):
        kind, *words = part.split()
        number = int(words.pop()[1:]) if words[-1][0] == "m" else None
        found.append((kind, [(word, None) for word in words], number))
    return found


@pytest.mark.parametrize(
    ("text", "at_once"),
    [
        ("meld 5h 6h 7h 8h", True),
        ("meld 5h 6h 7h; lay 8h m1", True),
        ("meld 5h 6h 7h; lay 4h m1; lay 8h m1", False),
        ("meld 9c 9d 9h; meld 5h 6h 7h 8h", False),
        ("meld 9c 9d 9h; meld 5h 6h 7h; lay 8h m2", False),
        ("meld 6h 7h 8h; meld 9c 9d 9h", True),
        ("meld 4h 5h 6h; lay 7h m1; lay 8h m1", True),
    ],
)
def test_a_play_before_the_deep_card_has_to_be_needed(text, at_once):
    table = late_table("4h 5h 6h 7h 9c 9d 9h")
    turn = [("take", "8h", 3), *plays(text), ("discard", "Kc")]
    if at_once:
        play_turn(table, "A", turn)
        assert table.pile == ["Kc"]
    else:
        with pytest.raises(Illegal, match=r"draw\.deep\.late"):
            play_turn(table, "A", turn)


def test_with_two_packs_a_twin_held_before_may_be_thrown():
    for hand, allowed in (("7h 9c 2d", True), ("8h 9c 2d", False)):
        players = ["A", "B", "C", "D", "E"]
        hands = {player: ["2s", "3s"] for player in players} | {"A": hand.split()}
        table = Table(Settings(), players, "A", hands, ["Kd", "7h"], ["4d"])
        turn = [("take", "7h", None), ("discard", "7h")]
        if allowed:
            play_turn(table, "A", turn)
            assert sorted(table.hands["A"]) == ["2d", "7h", "9c"]
        else:
            with pytest.raises(Illegal, match=r"discard\.taken-top"):
                play_turn(table, "A", turn)


def test_a_log_that_stops_is_no_fault_but_an_open_turn_is():
    lines = random_game(11, 2, named("500-rummy", ("no-calls",)), hands=1).splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("1. "))
    assert check_log("\n".join(lines[: first + 1])) == []
    opened = lines[first].rpartition("; ")[0]
    assert check_log("\n".join([*lines[:first], opened])) == [(first + 1, "turn.unfinished")]


@pytest.mark.parametrize("mixed", ["allowed", "forbidden"])
def test_random_games_with_two_draws_a_turn_are_clean_for_both(mixed):
    settings = changed(named(), {"draw.count": 2, "draw.mixed": mixed})
    for seed, players in enumerate((2, 3, 4)):
        log = random_game(seed, players, settings, hands=2)
        assert check_log(log, settings) == [], log
        said = log.replace(
            "[Players", f'[Set "draw.count=2"]\n[Set "draw.mixed={mixed}"]\n[Players', 1
        )
        assert findings(said) == ([], []), said
        assert any(line.count("draw ") == 2 for line in log.splitlines())
        assert any(line.count("take ") and "draw " in line for line in log.splitlines()) is (
            mixed == "allowed"
        )


@pytest.mark.parametrize("direction", ["counterclockwise", "alternates"])
def test_random_games_in_another_direction_are_clean_for_both(direction):
    settings = changed(named(), {"players.direction": direction})
    for seed, players in enumerate((3, 4)):
        log = random_game(seed, players, settings, hands=3)
        assert check_log(log, settings) == [], log
        said = log.replace("[Players", f'[Set "players.direction={direction}"]\n[Players', 1)
        assert findings(said) == ([], []), said
        assert findings(log)[0], "by turns that go the other way"


@pytest.mark.parametrize("swap", ["for_natural", "at_end"])
def test_random_games_with_wild_cards_that_move_are_clean_for_both(swap):
    keys = {"melds.wild.swap": swap, "melds.wild.swapped": "to_end"}
    settings = changed(named(), keys)
    said = "".join(f'[Set "{key}={value}"]\n' for key, value in keys.items())
    swaps = 0
    for seed in range(8):
        log = random_game(seed, 3, settings, hands=2)
        assert check_log(log, settings) == [], log
        assert findings(f"{said}{log}") == ([], []), log
        swaps += log.count("swap ")
    assert swaps > 3
