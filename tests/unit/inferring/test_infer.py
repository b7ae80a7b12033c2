"""Rules are found from logs that do not name them: the nearest game, options by name, values by equations."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from meldref.core.events import Points
from meldref.notation.reader import read_lines
from meldref.rulefiles.files import Found
from meldref_archive.sources import Log
from meldref_authoring.lint import Basis, review
from meldref_evidence.inferring.corpus import Corpus, log_of
from meldref_evidence.inferring.draft import Draft, same_rules, shorter
from meldref_evidence.inferring.equations import solve
from meldref_evidence.inferring.evidence import Place
from meldref_evidence.inferring.facts import Facts, facts_of, fits, numbers_for, sized
from meldref_evidence.inferring.infer import infer_rules
from meldref_evidence.inferring.judging import UNJUDGED, Bench
from meldref_evidence.inferring.leeway import leeway
from meldref_evidence.inferring.measure import (
    A_KEY,
    bits_of_liberties,
    bits_of_mistakes,
    bits_of_value,
)
from meldref_evidence.inferring.reading import read_corpus
from meldref_evidence.inferring.search import Search
from meldref_evidence.inferring.strictness import TEMPLATES, stricter
from meldref_evidence.inferring.writing import text_of
from paths import ROOT
from simulated import log_of as simulated_log

OUTSIDE = ROOT / "tests" / "games" / "outside"
GREEDY = ("greedy", "greedy")
THREE = ("greedy", "greedy", "random")


def played(name, options=(), settings=(), hands=12, seats=GREEDY, seed=1):
    """Logs of simulated hands, each a game of its own, as they are read."""
    logs = []
    for number in range(hands):
        text, _ = simulated_log(name, options, settings, seats, seed * 100 + number, hands=1)
        logs.append(log_of(f"{number:02}.rgn", read_lines(text.splitlines())))
    return logs


def with_wrong_score(log):
    """A log in which the first score is five points too many."""
    lines = []
    done = False
    for line, findings in log.lines:
        event = line.event
        if type(event) is Points and event.kind == "score" and not done:
            (name, points), *rest = event.amounts
            event, done = Points("score", ((name, points + 5), *rest)), True
        lines.append((line._replace(event=event), findings))
    return log_of(log.name, lines)


def test_headers_about_rules_are_ignored():
    text = '[Rules "kalooki-40"]\n[Options "no-calls"]\n[Set "game.target=7"]\n[Players "A, B"]\n'
    log = log_of("a.rgn", read_lines((text + "hand 1\n1. A: draw; discard 5h\n").splitlines()))
    assert [line.event.value for line, _ in log.lines[:1]] == ["A, B"]
    assert (log.hands, log.turns, len(log.lines)) == (1, 1, 3)


def test_a_file_of_which_most_lines_are_no_log_says_nothing_of_rules(tmp_path):
    prose = tmp_path / "prose.md"
    prose.write_text("So we sat down.\n" * 9 + "1. Ann: draw 5d; discard 6d\n" * 8)
    corpus, wrong = read_corpus([Log(str(prose), str(prose))])
    assert not corpus.logs
    assert wrong == (f"{prose}: 9 of its 17 lines cannot be read",)


@pytest.mark.parametrize(("share", "held"), [(0.0, 0), (0.3, 3), (0.5, 5)])
def test_a_share_of_the_logs_is_held_out(share, held):
    logs = played("500-rummy", hands=1) * 10
    kept, rest = Corpus(tuple(logs)).split(share)
    assert (len(kept.logs), len(rest.logs)) == (10 - held, held)


def test_games_of_different_lengths_have_a_round_number_of_hands_at_most():
    facts = Facts(hands=Counter({2: 3, 4: 1}))
    ruleset = Draft("500-rummy", ("quick-game",)).ruleset
    assert numbers_for(facts, "game.hands", ruleset) == ["1-5"]
    assert bits_of_value(0, "1-5") < bits_of_value(0, "2-4")


def test_few_breaches_are_mistakes_and_many_are_a_rule():
    def explained(count):
        rule = A_KEY + bits_of_liberties(count, 2_000) + bits_of_mistakes(0, 2_000)
        return rule < bits_of_mistakes(count, 2_000)

    assert not any(explained(count) for count in range(4))
    assert all(explained(count) for count in range(10, 100))


def test_values_come_from_score_lines_although_one_in_twenty_is_wrong():
    values = {"scoring.values": "{2-9: 5, A: 20}", "out.bonus": "25", "scoring.low_ace": "7"}
    logs = played("500-rummy", (), [f"{key}={value}" for key, value in values.items()], hands=10)
    logs[3] = with_wrong_score(logs[3])
    turns = sum(log.turns for log in logs)
    solved = solve(Draft("500-rummy"), logs, turns)
    assert solved["scoring.values.2-9"] == 5
    assert solved["scoring.values.A"] == 20
    assert solved["out.bonus"] == 25


@pytest.mark.parametrize("ace", [15, 20])
def test_an_ace_above_the_king_may_count_something_else(ace):
    settings = [f"scoring.values.A={ace}", "scoring.high_ace=10"]
    logs = played("500-rummy", (), settings, hands=20)
    solved = solve(Draft("500-rummy"), logs, sum(log.turns for log in logs))
    assert solved == {"scoring.high_ace": 10} | ({} if ace == 15 else {"scoring.values.A": ace})


def test_an_ace_that_counts_more_in_all_places_needs_one_setting():
    logs = played("500-rummy", (), ["scoring.values.A=20"], hands=20)
    solved = solve(Draft("500-rummy"), logs, sum(log.turns for log in logs))
    assert solved == {"scoring.values.A": 20}


def test_a_first_card_that_decides_the_size_of_hands_is_found():
    logs = played("5000-rummy", (), ("deal.cards_by=first_card",), 4, THREE)
    found = sized(Draft("5000-rummy"), facts_of(logs))
    assert found.settings == (("deal.cards_by", "first_card"),)
    alike = played("5000-rummy", (), (), 4, THREE)
    assert sized(Draft("5000-rummy"), facts_of(alike)).settings == ()


@pytest.mark.sweep
def test_options_stand_for_settings_that_say_the_same():
    settings = (("scoring.values.2-9", "5"), ("scoring.low_ace", "5"), ("calls.of", "none"))
    draft = shorter(Draft("500-rummy", (), settings))
    assert draft.settings == ()
    assert len(draft.options) == 2
    assert same_rules(draft.ruleset, Draft("500-rummy", (), settings).ruleset)


@pytest.mark.sweep
def test_rules_are_found_and_a_mistake_stays_a_mistake():
    logs = played(
        "500-rum", ("low-cards-5",), ("out.bonus=25",), hands=10, seats=(*GREEDY, "greedy")
    )
    logs[4] = with_wrong_score(logs[4])
    found = infer_rules(Corpus(tuple(logs)))
    clean = [log for number, log in enumerate(logs) if number != 4]
    bench = Bench(clean)
    assert not bench.counts(found.draft, range(len(clean)))
    assert [one.code for one in found.unexplained] == ["score.hand"]
    assert found.unexplained[0].first.log == "04.rgn"
    assert ("out.bonus", "25") in found.draft.settings
    assert found.draft.size <= Draft("500-rum", ("low-cards-5",), (("out.bonus", "25"),)).size + 2
    assert found.bits < found.bits_of_game


@pytest.mark.sweep
def test_the_file_has_evidence_and_nothing_to_complain_about(tmp_path):
    program = OUTSIDE / "timpalpant"
    logs = [
        log_of(path.name, read_lines(path.read_text(encoding="utf-8").splitlines()))
        for path in sorted(program.glob("*.rgn"))
    ]
    found = infer_rules(Corpus(tuple(logs)))
    assert not found.unexplained, "the logs are clean by the rules of their program"
    text = text_of(found, "found")
    assert all(" # " in line for line in text.splitlines() if line.startswith("  - "))
    file = Found(Path(tmp_path) / "found.yaml", "found.yaml")
    assert not review(file, text.encode(), Basis())


@pytest.mark.sweep
@pytest.mark.parametrize("turned", ["but_top", "whole_pile"])
def test_a_pile_that_is_turned_over_is_told_from_one_that_is_shuffled(turned):
    settings = ("stock.reshuffle=turn_over", "players.max=2", "deal.cards=22", "draw.depth=top")
    settings += (f"stock.turned={turned}",)
    logs = played("500-rummy", (), settings, hands=10, seats=("random", "random"))
    found = dict(infer_rules(Corpus(tuple(logs))).draft.settings)
    assert found["stock.reshuffle"] == "turn_over"
    assert found.get("stock.turned", "but_top") == turned


@pytest.mark.parametrize("mixed", ["allowed", "forbidden"])
def test_two_draws_a_turn_are_found(mixed):
    logs = played("500-rummy", (), ("draw.count=2", f"draw.mixed={mixed}"), hands=8)
    found = infer_rules(Corpus(tuple(logs)))
    settings = dict(found.draft.settings)
    assert settings["draw.count"] == "2"
    assert settings.get("draw.mixed", "allowed") == mixed


def test_a_direction_that_alternates_is_told_from_one_that_does_not():
    settings = ("players.direction=alternates", "game.target=5000")
    text, _ = simulated_log("500-rummy", (), settings, THREE, 1, hands=6)
    log = log_of("game.rgn", read_lines(text.splitlines()))
    found = dict(infer_rules(Corpus((log,))).draft.settings)
    assert found["players.direction"] == "alternates"


@pytest.mark.sweep
def test_wild_cards_that_stay_in_their_sequence_are_found():
    settings = ("melds.wild.swap=for_natural", "melds.wild.swapped=to_end", "deck.jokers=4")
    logs = played("500-rummy", (), settings, hands=12, seats=THREE)
    found = dict(infer_rules(Corpus(tuple(logs))).draft.settings)
    assert found["melds.wild.swap"] == "for_natural"
    assert found["melds.wild.swapped"] == "to_end"


def test_hands_that_go_on_after_all_cards_are_melded_are_played_by_floating():
    logs = played("500-rummy", ("floating",), hands=6)
    bench = Bench(logs)
    codes = bench.counts(Draft("500-rummy"), range(len(logs)))
    assert codes["turn.over"] >= 2
    found = Search(bench, facts_of(logs)).improve(Draft("500-rummy"))
    assert found == Draft("500-rummy", ("floating",))


def test_logs_that_name_no_wild_rank_are_not_of_a_game_that_needs_one():
    (log,) = played("500-rummy", ("no-jokers",), hands=1)
    verdict = Bench([log]).verdict(Draft("5000-rummy"), 0)
    assert verdict.counts[UNJUDGED] == log.turns


@pytest.mark.sweep
def test_what_a_short_log_leaves_open_is_counted():
    bench = Bench(played("500-rummy", ("no-calls",), hands=1))
    left = leeway(Draft("500-rummy"), bench)
    assert left is not None
    assert 0 < left.alike < left.rules
    assert "calls.by" in left.keys, "nobody called"
    assert "scoring.melds" not in left.keys, "scores tell"


@pytest.mark.sweep
def test_a_ban_that_everybody_keeps_is_asked_about():
    template = TEMPLATES["no-early-aces"]
    rule = template.rule.replace("'", "''").replace(
        '"', "'"
    )  # a header has double quotes around it
    logs = played("500-rummy", (), [f"house_rules.no-early-aces={rule}"], hands=60)
    bench = Bench(logs)
    _, _, unseen = stricter(Draft("500-rummy"), bench, facts_of(logs))
    asked = [one.value for one in unseen if one.key.startswith("house_rules.")]
    assert template.says in asked


def test_a_name_of_a_log_stays_in_its_comment():
    assert "\n" not in str(Place("a\nextends: [b]", 3))


@pytest.mark.sweep
def test_what_nobody_does_is_forbidden_or_asked():
    logs = played("500-rummy", ("no-calls", "no-jokers"), hands=14, seats=("greedy", "random"))
    found = infer_rules(Corpus(tuple(logs)))
    (asked,) = [one for one in found.questions if "Nobody may call Rummy" in one.text]
    assert "it was never broken" in asked.text
    assert asked.example[0].startswith("[Players "), "there is a game that would tell"
    (jokers,) = [one for one in found.evidence if one.value == "no-jokers"]
    assert "14 hands" in jokers.text
    bench = Bench(logs)
    assert not bench.counts(found.draft, range(len(logs))), "stricter rules still explain the logs"


def test_every_condition_that_is_asked_about_is_a_house_rule():
    for name, template in TEMPLATES.items():
        for rule in filter(None, (template.rule, template.beside)):
            draft = Draft("500-rummy", (), ((f"house_rules.{name}", rule),))
            assert draft.ruleset is not None, name


def test_a_game_for_fewer_players_is_no_obstacle():
    facts = facts_of(played("500-rummy", hands=2, seats=("greedy",) * 6))
    assert fits(Draft("gilfoy-500-rummy"), facts), (
        "nobody knows the deck of a table that it does not have"
    )
    draft = sized(Draft("gilfoy-500-rummy"), facts)
    assert ("players.max", "6") in draft.settings
    assert draft.ruleset is None or draft.ruleset.deck.packs[6] == 2


@pytest.mark.parametrize(
    ("packs", "jokers", "settings"),
    [
        (1, 2, {}),
        (2, 2, {"deck.packs.2": "2"}),
        (2, 1, {"deck.packs.2": "2", "deck.jokers": "1"}),
        (3, 1, {"deck.packs.2": "3", "deck.jokers": "1"}),
        (1, 1, {"deck.jokers": "1"}),
    ],
)
def test_listed_decks_tell_how_many_packs_there_are_and_how_many_jokers_each_has(
    packs, jokers, settings
):
    deck = {"deck.packs": packs, "deck.jokers": jokers}
    facts = facts_of(played("500-rummy", settings=deck, hands=2))
    draft = sized(Draft("500-rummy"), facts)
    assert dict(draft.settings) == settings
    assert fits(draft, facts)


def test_neighbouring_tables_with_as_many_cards_are_one_setting():
    logs = [
        log
        for seats in (("greedy",) * 3, ("greedy",) * 4)
        for log in played("500-rummy", (), ["deal.cards=9"], hands=1, seats=seats)
    ]
    assert ("deal.cards.3-4", "9") in sized(Draft("500-rummy"), facts_of(logs)).settings


@pytest.mark.parametrize(
    "text",
    [
        "hand 1\n1. A: draw; discard 5h\n",
        f'[Players "{", ".join("ABCDEFGHIJKLMNOPQRSTUVW")}"]\nhand 1\n1. A: draw 9h; discard 5h\n',
    ],
    ids=["without players", "too many players"],
)
@pytest.mark.sweep
def test_logs_that_no_game_fits_are_no_fault(text):
    found = infer_rules(Corpus((log_of("odd.rgn", read_lines(text.splitlines())),)))
    assert found.draft.size == 1
    assert found.unexplained


def test_a_scale_that_tables_play_by_is_found_from_ten_scores():
    """Too few scores to tell what each rank counts, but hardly another scale makes all of them right."""
    settings = {"scoring.values.2-T": 5, "scoring.values.A": 5, "scoring.low_ace": 5}
    logs = played("500-rummy", settings=settings, hands=5, seed=3)
    found = solve(Draft("500-rummy"), logs, sum(log.turns for log in logs))
    assert found["scoring.values.2-T"] == 5
    assert found["scoring.values.A"] == 5
    assert found.get("scoring.low_ace", 5) == 5
    draft = Draft("500-rummy")
    for key, number in found.items():
        draft = draft.with_setting(key, str(number))
    assert not Bench(logs).counts(draft, range(len(logs)))


def test_no_scale_is_put_on_scores_that_are_only_wrong_now_and_then():
    logs = played("500-rummy", hands=10)
    logs[3] = with_wrong_score(logs[3])
    assert solve(Draft("500-rummy"), logs, sum(log.turns for log in logs)) == {}
