"""Whatever rules are put together, legal play never gets stuck, loses nothing, and writes logs that audit clean.

`MELDREF_WALKS` is the number of random combinations (a few by default), `MELDREF_WALKS_FROM` the
first seed.
"""

import json
import os
from itertools import count
from random import Random

import pytest

from meldref.core.diagnostics import Severity
from meldref.core.resources import data_path
from meldref.notation.reader import read_lines
from meldref.rulefiles.files import list_rulesets
from meldref.rulefiles.load import load_ruleset
from meldref_evidence.audit import replay
from property.walker import walk_game

WALKS = int(os.environ.get("MELDREF_WALKS", "16"))
FIRST = int(os.environ.get("MELDREF_WALKS_FROM", "1"))
GAMES = sorted(shipped.id for shipped in list_rulesets() if shipped.type == "game")
OPTIONS = sorted(shipped.id for shipped in list_rulesets() if shipped.type == "option")
NUMBERS_AND_LISTS = [
    ("deck.jokers", 4),
    ("deck.packs", 2),
    ("melds.wild.cards", ["joker", 2]),
    ("melds.wild.naturals", 2),
    ("melds.wild.naturals", 0),
    ("melds.kinds.sequence.ace", ["low", "high", "around"]),
    ("melds.kinds.group.require", ["same_rank"]),
    ("melds.first_points", 30),
    ("draw.use", ["meld"]),
    ("draw.use", ["meld", "lay_off", "swap"]),
    ("floating.draws", ["stock"]),
    ("floating.draws", ["pile"]),
    ("out.bonus", 25),
    ("scoring.values", {"Qs": 40}),
    ("scoring.four_aces", 100),
    ("scoring.four_at_once", 2),
    ("game.target", 60),
    ("game.hands", 2),
]


def words(node, path=""):
    """Each key that takes a word, with each word but its default; dead ends are for getting stuck in."""
    for name, schema in node["properties"].items():
        key = f"{path}.{name}" if path else name
        if "properties" in schema:
            yield from words(schema, key)
        elif "enum" in schema and key not in ("type", "draw.dead_end"):
            yield from ((key, word) for word in schema["enum"] if word != schema["default"])


SCHEMA = json.loads(data_path("rulesets", "ruleset.schema.json").read_text(encoding="utf-8"))
SETTINGS = [*words(SCHEMA), *NUMBERS_AND_LISTS]


def sensible(seed, most_settings):
    """A ruleset put together at random, a number of players, and the headers that ask for it; None: refused."""
    rng = Random(f"rules {seed}")
    game, options = rng.choice(GAMES), rng.sample(OPTIONS, rng.randrange(4))
    settings = dict(rng.choice(SETTINGS) for _ in range(rng.randrange(most_settings + 1)))
    ruleset, _ = load_ruleset(game, options, settings)
    if ruleset is None:
        return None
    players = rng.randint(ruleset.players.min, ruleset.players.max)
    odd = ruleset.partnership.sides == "opposite" and (players % 2 or players < 4)
    if odd or players * ruleset.deal.cards[players] + 2 > ruleset.deck_size(players):
        return None
    headers = [("Rules", game)]
    headers += [("Options", ", ".join(options))] if options else []
    headers += [
        ("Set", f"{key}={json.dumps(value)}".replace('"', "")) for key, value in settings.items()
    ]
    return ruleset, players, headers


def audit(text):
    """What the audit of a log finds, apart from warnings about its rules, and what it leaves open."""
    report = replay(read_lines(text))
    return [
        finding for finding in report.findings if finding.severity is Severity.ERROR
    ], report.open


def walk(number, most_settings):
    """A random game under the first sensible rules of that number, played and audited."""
    found = (sensible(f"{number}.{attempt}", most_settings) for attempt in count())
    ruleset, players, headers = next(one for one in found if one is not None)
    text, _ = walk_game(ruleset, players, number, headers=headers)
    assert audit(text) == ([], []), f"{headers}\n{text}"


@pytest.mark.sweep
@pytest.mark.parametrize("number", range(FIRST, FIRST + WALKS))
def test_games_with_up_to_three_options_play_out_and_audit_clean(number):
    walk(number, 0)


@pytest.mark.sweep
@pytest.mark.parametrize("number", range(FIRST, FIRST + WALKS))
def test_games_with_single_settings_besides_play_out_and_audit_clean(number):
    walk(number, 3)


@pytest.mark.parametrize("game", GAMES)
def test_the_shipped_games_play_out_at_small_and_large_tables(game):
    ruleset, _ = load_ruleset(game)
    for players in {ruleset.players.min, min(ruleset.players.max, 6)}:
        text, _ = walk_game(ruleset, players, f"{game} {players}", headers=[("Rules", game)])
        assert audit(text) == ([], []), text


def test_a_walk_is_the_same_for_the_same_seed():
    ruleset, _ = load_ruleset("500-rummy")
    assert walk_game(ruleset, 3, 5, 1)[0] == walk_game(ruleset, 3, 5, 1)[0]
    assert walk_game(ruleset, 3, 5, 1)[0] != walk_game(ruleset, 3, 6, 1)[0]


def test_walks_have_calls_in_them():
    ruleset, _ = load_ruleset("500-rummy")
    assert sum(walk_game(ruleset, 4, seed, 1)[1].calls for seed in range(3)) > 0


def test_walks_have_purchases_in_them():
    ruleset, _ = load_ruleset("contract-rummy")
    assert walk_game(ruleset, 3, 1, 1)[1].bought > 0
