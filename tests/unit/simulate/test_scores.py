"""The page about what simulated games score, and what of it is counted again."""

from __future__ import annotations

import dataclasses
import re
from itertools import product

import pytest

import scores
from meldref.rulefiles.files import list_rulesets

PAGE = scores.PAGE.read_text(encoding="utf-8")
GREEDY, RANDOM = ("500-rummy", "greedy"), ("500-rummy", "random")


@pytest.fixture(scope="module")
def few():
    """The first two hands of a game, by each kind of player."""
    return [scores.count("500-rummy", 3, kind, 2) for kind in scores.KINDS]


@pytest.mark.sweep
@pytest.mark.parametrize("kind", scores.KINDS)
@pytest.mark.parametrize(("rules", "players"), scores.TABLES)
def test_the_first_hands_are_played_as_the_page_says(rules, players, kind):
    counted = scores.count(rules, players, kind, scores.FEWEST.get(rules, scores.FEW))
    assert scores.rendered_row(scores.check_row(counted)) in PAGE


def test_the_page_counts_every_game_that_ships_by_each_kind_of_player():
    games = {shipped.id for shipped in list_rulesets() if shipped.type == "game"}
    counted = re.findall(r"^meldref simulate --rules (\S+) --seats (\w+)", PAGE, re.MULTILINE)
    assert sorted(counted) == sorted(product(games, scores.KINDS))


def test_ten_thousand_hands_of_many_games_were_played_and_all_found_clean():
    hands = [int(hands) for hands in re.findall(r" --hands (\d+) --seed 1$", PAGE, re.MULTILINE)]
    assert sum(most == 10_000 for most in hands) >= 12
    said = re.search(
        r"these ([\d,]+) hands was written as a log and audited; the audit found\nnothing", PAGE
    )
    assert said is not None
    assert int(said[1].replace(",", "")) == sum(hands)


def test_what_a_page_shows_is_known_again(few):
    known = {one.key: one.line for one in few}
    page = scores.page(known, few)
    assert scores.still_so(page, few) == known
    assert page == scores.page(scores.still_so(page, few), few)


def test_a_line_goes_where_the_first_hands_are_others(few):
    page = scores.page({one.key: one.line for one in few}, few)
    now = [dataclasses.replace(few[0], digest="of other hands"), few[1]]
    assert [*scores.still_so(page, now)] == [RANDOM]


def test_only_what_the_page_lacks_is_counted(few):
    known = {few[0].key: few[0].line}
    counted = [*scores.count_all(1, 3, {"500-rummy": 2}, few, known)]
    assert [(line.key, line.hands) for line in counted] == [(RANDOM, 2)]
    known |= {line.key: line for line in counted}
    assert not [*scores.count_all(1, 2, {}, few, known)]


def test_a_page_of_unequal_lines_says_so(few):
    more = scores.count("500-rummy", 3, "greedy", 3).line
    page = scores.page({GREEDY: more, RANDOM: few[1].line}, few)
    assert "\nUp to 3 hands, and at least 2, of each game that ships among greedy players" in page
    assert "Every one of these 5 hands" in page
